/* How a value is reached, for people: a line for the variable and for every step of a path, with
 * the type that is there and its address. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "dwarf/dwarf.h"
#include "dwarf/dwarf_int.h"

/* "struct raft *", "int[4]". */
static void type_text(struct dwarf *bin, struct dtype *type, unsigned depth, struct strbuf *out)
{
    struct dtype *target = NULL;
    if (type == NULL || depth > 8) {
        strbuf_adds(out, type == NULL ? "void" : "...");
        return;
    }
    switch (type->kind) {
    case TY_POINTER:
        target = type_target(bin, type);
        type_text(bin, target, depth + 1, out);
        strbuf_adds(out, target != NULL && target->kind == TY_POINTER ? "*" : " *");
        return;
    case TY_ARRAY:
        type_text(bin, type_target(bin, type), depth + 1, out);
        if (type->count_known) {
            strbuf_printf(out, "[%" PRIu64 "]", type->count);
        } else {
            strbuf_adds(out, "[]");
        }
        return;
    case TY_STRUCT: strbuf_adds(out, "struct "); break;
    case TY_UNION: strbuf_adds(out, "union "); break;
    case TY_ENUM: strbuf_adds(out, "enum "); break;
    default: break;
    }
    strbuf_addstr(out, type->name.n != 0 ? type->name : STR("without a name"));
}

static void tell_place(struct reader *rd, const struct place *place)
{
    strbuf_adds(rd->steps, ": ");
    type_text(rd->bin, place->type, 0, rd->steps);
    if (place->immaterial) {
        strbuf_adds(rd->steps, ", a constant\n");
    } else if (place->bit_size != 0) {
        strbuf_printf(rd->steps, ", %u bits from 0x%" PRIx64 "\n", place->bit_size, place->addr);
    } else {
        strbuf_printf(rd->steps, " at 0x%" PRIx64 "\n", place->addr);
    }
}

void tell_variable(struct reader *rd, const struct dwarf_path *path)
{
    struct place at = {
        .type = path->type, .addr = path->addr + rd->memory->bias, .immaterial = path->is_const};
    if (rd->steps != NULL) {
        strbuf_printf(rd->steps, "variable %.*s", STR_ARG(path->name));
        tell_place(rd, &at);
    }
}

void tell_step(struct reader *rd, const struct step *step, const struct place *place)
{
    if (rd->steps == NULL) {
        return;
    }
    switch (step->kind) {
    case STEP_MEMBER: strbuf_printf(rd->steps, ".%.*s", STR_ARG(step->name)); break;
    case STEP_INDEX: strbuf_adds(rd->steps, "the element"); break;
    case STEP_DEREF: strbuf_adds(rd->steps, "*"); break;
    case STEP_CAST: strbuf_adds(rd->steps, "seen as"); break;
    case STEP_RANGE:
    case STEP_ALL:
    case STEP_LIST: return;
    }
    tell_place(rd, place);
}

void tell_places(struct reader *rd, const struct step *step, size_t n)
{
    if (rd->steps == NULL) {
        return;
    }
    if (step->kind == STEP_LIST) {
        strbuf_printf(rd->steps, "the list by %.*s", STR_ARG(step->name));
    } else {
        strbuf_adds(rd->steps, step->kind == STEP_ALL ? "[*]" : "[lo..hi]");
    }
    strbuf_printf(rd->steps, ": %zu element%s%s\n", n, n == 1 ? "" : "s",
                  n > 1 && step->next != NULL ? "; of the first:" : "");
}

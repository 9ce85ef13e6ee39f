/* Lines of Python that coverage.py has seen, from its memory.
 *
 * Its tracer keeps, for each source file, a set of lines; or with branches a set of pairs of lines,
 * each packed into one number (two tuples of two in its slower tracer). The instance in use is in a
 * list that its class has. Lines are sets, so the count of one is the number of readings that had
 * it. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "lang/lang.h"
#include "observe/gcov_int.h"
#include "observe/vars.h"
#include "world/world.h"

/* Of a packed pair; lines that were come to from outside, or left to there, are negative. */
enum { LINE_BITS = 20, FROM_NEGATIVE = 40, TO_NEGATIVE = 41 };
#define LINE_MASK ((INT64_C(1) << LINE_BITS) - 1)

struct seen {
    uint64_t count, reading; /* the last one that had the line */
};
struct source {
    struct str name;
    VEC(struct seen) lines; /* by their numbers */
};
struct pycover {
    struct arena *arena;
    struct vars *vars;
    size_t n_nodes;
    uint64_t readings;
    const char *program; /* the interpreter */
    VEC(struct source) sources;
};

struct pycover *pycover_new(struct arena *arena)
{
    struct pycover *py = ARENA_NEW(arena, struct pycover);
    *py = (struct pycover){.arena = arena};
    return py;
}

void pycover_done(struct pycover *py)
{
    for (size_t i = 0; i < py->sources.n; i++) {
        VEC_DONE(&py->sources.v[i].lines);
    }
    VEC_DONE(&py->sources);
    vars_done(py->vars);
}

static struct source *source_named(struct pycover *py, struct str name)
{
    for (size_t i = 0; i < py->sources.n; i++) {
        if (str_eq(py->sources.v[i].name, name)) {
            return &py->sources.v[i];
        }
    }
    VEC_PUSH(&py->sources, (struct source){.name = str_dup(py->arena, name)});
    return &VEC_LAST(&py->sources);
}

static void note_line(struct pycover *py, struct source *source, int64_t line)
{
    if (line <= 0 || line > LINE_MASK) {
        return; /* the way into a function, or out of it */
    }
    while (source->lines.n <= (size_t)line) {
        VEC_PUSH(&source->lines, ((struct seen){0, 0}));
    }
    struct seen *seen = &source->lines.v[line];
    seen->count += seen->reading != py->readings ? 1 : 0;
    seen->reading = py->readings;
}

static void note_item(struct pycover *py, struct source *source, const struct dwarf_value *item)
{
    if (item->kind == DWARF_ARRAY) {
        for (size_t i = 0; i < item->n; i++) {
            note_item(py, source, &item->items[i]);
        }
        return;
    }
    int64_t packed = item->kind == DWARF_INT    ? item->i
                     : item->kind == DWARF_UINT ? (int64_t)item->u
                                                : 0;
    int64_t from = packed & LINE_MASK, to = packed >> LINE_BITS & LINE_MASK;
    if (packed <= LINE_MASK) {
        note_line(py, source, packed);
        return;
    }
    if ((packed >> FROM_NEGATIVE & 1) == 0) {
        note_line(py, source, from);
    }
    if ((packed >> TO_NEGATIVE & 1) == 0) {
        note_line(py, source, to);
    }
}

/* {file: lines}, or a list of such. */
static void note_files(struct pycover *py, const struct dwarf_value *value)
{
    for (size_t i = 0; value->kind == DWARF_ARRAY && i < value->n; i++) {
        note_files(py, &value->items[i]);
    }
    for (size_t i = 0; value->kind == DWARF_MAP && i + 1 < value->n; i += 2) {
        if (value->items[i].kind == DWARF_STRING) {
            note_item(py, source_named(py, value->items[i].text), &value->items[i + 1]);
        }
    }
}

static bool is_python(const char *path)
{
    struct str base = path_base(str_of(path));
    return base.n >= 6 && memcmp(base.p, "python", 6) == 0;
}

void pycover_note(struct pycover *py, struct world *world, uint32_t node,
                  struct strbuf *ret_trouble)
{
    const char *path = world_executable(world, node);
    if (path == NULL || !is_python(path)) {
        return;
    }
    if (py->vars == NULL || node >= py->n_nodes) {
        vars_done(py->vars);
        py->n_nodes = world_nodes(world);
        py->vars = vars_new(py->arena, py->n_nodes, 1);
    }
    static const struct dwarf_limits limits = {.values = (size_t)1 << 24};
    struct vars_place at = {.world = world,
                            .node = node,
                            .text = STR("coverage.control.Coverage._instances[*]._collector.data"),
                            .moment = ++py->readings,
                            .lang = LANG_PYTHON,
                            .limits = &limits};
    struct arena arena;
    struct dwarf_value *value = NULL;
    struct err err = {0};
    arena_init(&arena, 0);
    int status = vars_read(py->vars, &at, &arena, &value, &err);
    if (status == 0) {
        note_files(py, value);
        py->program = py->program == NULL || strcmp(py->program, path) != 0
                          ? arena_strndup(py->arena, path, strlen(path))
                          : py->program;
    } else if (status != ERR_NOT_FOUND && status != ERR_UNSUPPORTED) { /* it counts, then */
        strbuf_reset(ret_trouble);
        strbuf_printf(ret_trouble, "what coverage.py has seen cannot be read: %s", err.text);
    }
    arena_done(&arena);
}

int pycover_write(const struct pycover *py, const char *dir, struct err *err)
{
    SCOPED_STRBUF out = {0}, to = {0};
    for (size_t i = 0; i < py->sources.n; i++) {
        const struct source *source = &py->sources.v[i];
        strbuf_printf(&out, "SF:%.*s\n", STR_ARG(source->name));
        for (size_t k = 0; k < source->lines.n; k++) {
            if (source->lines.v[k].count != 0) {
                strbuf_printf(&out, "DA:%zu,%" PRIu64 "\n", k, source->lines.v[k].count);
            }
        }
    }
    if (out.n == 0) {
        return 0;
    }
    int status = dir_make(dir, err);
    strbuf_printf(&to, "%s/python.seen", dir);
    status = status == 0 ? file_write(strbuf_cstr(&to), strbuf_str(&out), err) : status;
    strbuf_reset(&to);
    strbuf_printf(&to, "%s/python.program", dir);
    return status == 0 ? file_write(strbuf_cstr(&to), str_of(py->program), err) : status;
}

/* Coverage in TLC's layout: the initial predicate, the actions with the states they gave, the invariants; each followed by its
 * expressions with the number of times they were evaluated.
 *
 * The evaluator counts expressions by place. They are put under the definition in whose text they stand, nested by the text, and an
 * expression that was evaluated as often as the one around it is left out, as TLC does. */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/str.h"
#include "check/check.h"
#include "cli/load.h"
#include "cli/tlc.h"
#include "cli/tlc_out.h"
#include "eval/eval.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "syntax/source.h"

/* ---- places ---- */
static bool before(uint32_t line, uint32_t column, uint32_t other_line, uint32_t other_column)
{
    return line != other_line ? line < other_line : column < other_column;
}

static bool contains(const struct mplace *outer, const struct mplace *inner)
{
    return outer->module != NULL && inner->module != NULL && strcmp(outer->module, inner->module) == 0 &&
           !before(inner->line, inner->column, outer->line, outer->column) &&
           !before(outer->end_line, outer->end_column, inner->end_line, inner->end_column);
}

static bool same_place(const struct mplace *a, const struct mplace *b)
{
    return contains(a, b) && contains(b, a);
}

static int cmp_u32(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Outer expressions before those inside them. */
static int cmp_place(const struct mplace *a, const struct mplace *b)
{
    int c = strcmp(a->module != NULL ? a->module : "", b->module != NULL ? b->module : "");
    c = c != 0 ? c : cmp_u32(a->line, b->line);
    c = c != 0 ? c : cmp_u32(a->column, b->column);
    c = c != 0 ? c : cmp_u32(b->end_line, a->end_line);
    return c != 0 ? c : cmp_u32(b->end_column, a->end_column);
}

static int cmp_row(const void *a, const void *b)
{
    return cmp_place(&((const struct coverage_row *)a)->place, &((const struct coverage_row *)b)->place);
}

static void write_place(const struct mplace *place, struct strbuf *out)
{
    strbuf_printf(out, "line %u, col %u to line %u, col %u of module %s", place->line, place->column, place->end_line,
                  place->end_column, place->module);
}

/* ---- expressions ---- */
#define NESTING_MAX 64

/* A single name or number. */
static bool is_leaf(const struct spec *spec, const struct mplace *place)
{
    const struct module *module = strmap_get(&spec->program.modules, str_of(place->module));
    if (module == NULL || module->source == NULL || place->line != place->end_line || place->line > module->source->lines) {
        return false;
    }
    struct str text = module->source->text;
    size_t at = module->source->line_begin[place->line - 1] + place->column - 1;
    size_t end = at + (place->end_column - place->column) + 1;
    for (; at < end && at < text.n; at++) {
        if (!isalnum((unsigned char)text.p[at]) && text.p[at] != '_') {
            return false;
        }
    }
    return true;
}

/* Nothing was evaluated: not told of names that a step assigns, nor where a part of it was evaluated after all. */
static bool is_hidden(const struct tlc *tlc, const struct coverage_row *rows, size_t n, const struct coverage_row *row, uint64_t count)
{
    if (count > 0) {
        return false;
    }
    for (const struct coverage_row *other = row; other < rows + n && contains(&row->place, &other->place); other++) {
        if (other->count > 0) {
            return true;
        }
    }
    return is_leaf(&tlc->run.spec, &row->place);
}

/* Rows inside a definition's body. `rows` is sorted; rows at one place are taken together. */
static void print_expressions(struct tlc *tlc, const struct coverage_row *rows, size_t n, const struct mplace *body)
{
    struct {
        const struct mplace *place;
        uint64_t count;
    } stack[NESTING_MAX];
    size_t depth = 0;
    for (size_t i = 0; i < n; i++) {
        const struct coverage_row *row = &rows[i];
        if (row->kind != COVER_EXPR || !contains(body, &row->place)) {
            continue;
        }
        uint64_t count = row->count;
        uint64_t cost = row->cost;
        while (i + 1 < n && same_place(&rows[i + 1].place, &row->place)) {
            i++;
            count = rows[i].count > count ? rows[i].count : count;
            cost = rows[i].cost > cost ? rows[i].cost : cost;
        }
        while (depth > 0 && !contains(stack[depth - 1].place, &row->place)) {
            depth--;
        }
        if (depth == NESTING_MAX || is_hidden(tlc, rows, n, row, count) || (depth > 0 && stack[depth - 1].count == count && cost == 0)) {
            continue;
        }
        SCOPED_STRBUF text = {0};
        strbuf_adds(&text, "  ");
        strbuf_pad(&text, '|', depth);
        write_place(&row->place, &text);
        strbuf_printf(&text, ": %" PRIu64, count);
        if (cost > 0) {
            strbuf_printf(&text, ":%" PRIu64, cost);
        }
        tlc_text(&tlc->out, cost > 0 ? 2775 : 2221, TLC_NONE, strbuf_str(&text));
        stack[depth].place = &row->place;
        stack[depth++].count = count;
    }
}

/* ---- definitions ---- */
/* The head of a definition, "Flip(n)", and its body. */
static bool def_places(const struct spec *spec, const char *name, struct mplace *ret_head, struct mplace *ret_body)
{
    const struct def *def = program_lookup(&spec->program, str_of(name));
    while (def != NULL && def->orig != NULL) {
        def = def->orig;
    }
    if (def == NULL || def->decl == NULL || def->body == NULL || def->module == NULL) {
        return false;
    }
    struct span head = def->decl->name_span;
    const struct source *source = sources_get(&spec->sources, head.file);
    if (def->arity > 0 && def->decl->nkid > def->arity && source != NULL) {
        uint32_t at = def->decl->kid[def->arity - 1]->span.end;
        while (at < source->text.n && source->text.p[at] != ')' && source->text.p[at] != '\n') {
            at++;
        }
        head.end = at < source->text.n ? at + 1 : at;
    }
    struct place h = sources_place(&spec->sources, head);
    struct place b = sources_place(&spec->sources, def->body->span);
    const char *module = def->module->name.p;
    *ret_head = (struct mplace){module, h.line, h.column, h.end_line, h.end_column};
    *ret_body = (struct mplace){module, b.line, b.column, b.end_line, b.end_column};
    return true;
}

/* "<Name place>", and the part of the body that counts when it is not all of it. */
static void write_head(const char *name, const struct mplace *head, const struct mplace *body, const struct mplace *part,
                       struct strbuf *out)
{
    strbuf_printf(out, "<%s ", name);
    write_place(head, out);
    if (part != NULL && !same_place(body, part)) {
        strbuf_printf(out, " (%u %u %u %u)", part->line, part->column, part->end_line, part->end_column);
    }
    strbuf_addc(out, '>');
}

static void print_init(struct tlc *tlc, const struct coverage_row *rows, size_t n)
{
    const struct spec *spec = &tlc->run.spec;
    const struct check_result *result = tlc->run.result;
    const char *name;
    struct mplace part;
    struct mplace head;
    struct mplace body;
    if (!spec_init_predicate(spec, &name, &part) || !def_places(spec, name, &head, &body)) {
        return;
    }
    SCOPED_STRBUF text = {0};
    write_head(name, &head, &body, &part, &text);
    strbuf_printf(&text, ": %" PRIu64 ":%" PRIu64, result->init_distinct, result->init_generated);
    tlc_text(&tlc->out, 2773, TLC_NONE, strbuf_str(&text));
    print_expressions(tlc, rows, n, &body);
}

static int cmp_action(const void *a, const void *b)
{
    return cmp_place(&(*(const struct maction *const *)a)->place, &(*(const struct maction *const *)b)->place);
}

static void print_actions(struct tlc *tlc, struct arena *arena, const struct coverage_row *rows, size_t n)
{
    const struct model *model = tlc->run.spec.model;
    const struct check_result *result = tlc->run.result;
    const struct maction **order = ARENA_ARRAY(arena, const struct maction *, model->naction + 1);
    for (uint32_t i = 0; i < model->naction; i++) {
        order[i] = &model->actions[i];
    }
    qsort(order, model->naction, sizeof *order, cmp_action);
    for (uint32_t i = 0; i < model->naction; i++) {
        uint64_t generated = 0;
        uint64_t distinct = 0;
        const struct maction *action = order[i];
        for (uint32_t j = 0; j < model->naction; j++) {
            if (same_place(&model->actions[j].place, &action->place)) {
                generated += result->action_generated[j];
                distinct += result->action_distinct[j];
            }
        }
        if (i > 0 && same_place(&order[i - 1]->place, &action->place)) {
            continue;
        }
        struct mplace head = action->place;
        struct mplace body = action->place;
        (void)def_places(&tlc->run.spec, action->name, &head, &body);
        SCOPED_STRBUF text = {0};
        write_head(action->name, &head, &body, &action->place, &text);
        strbuf_printf(&text, ": %" PRIu64 ":%" PRIu64, distinct, generated);
        tlc_text(&tlc->out, 2772, TLC_NONE, strbuf_str(&text));
        print_expressions(tlc, rows, n, &action->place);
    }
}

static void print_properties(struct tlc *tlc, const struct coverage_row *rows, size_t n)
{
    const struct model *model = tlc->run.spec.model;
    for (uint32_t i = 0; i < model->nprop; i++) {
        struct mplace head;
        struct mplace body;
        if (model->props[i].kind != MPROP_INVARIANT || !def_places(&tlc->run.spec, model->props[i].name, &head, &body)) {
            continue;
        }
        SCOPED_STRBUF text = {0};
        write_head(model->props[i].name, &head, &body, NULL, &text);
        tlc_text(&tlc->out, 2774, TLC_NONE, strbuf_str(&text));
        print_expressions(tlc, rows, n, &body);
    }
}

void tlc_coverage(struct tlc *tlc)
{
    const struct check_result *result = tlc->run.result;
    if (result == NULL || result->action_generated == NULL || result->action_distinct == NULL) {
        return; /* counts of actions are known at the end */
    }
    char now[TLC_TIME_BYTES];
    struct arena arena;
    arena_init(&arena, 0);
    struct coverage_row *rows = NULL;
    size_t n = model_coverage(tlc->run.spec.model, &arena, &rows);
    qsort(rows, n, sizeof *rows, cmp_row);
    tlc_print(&tlc->out, 2201, TLC_NONE,
              "The coverage statistics at %s (see https://explain.tlapl.us/module-coverage-statistics for how to interpret the "
              "following statistics).",
              tlc_now(&tlc->out, now));
    print_init(tlc, rows, n);
    print_actions(tlc, &arena, rows, n);
    print_properties(tlc, rows, n);
    if (clock_wall_ms() - tlc->start_ms > 300000) {
        tlc_print(&tlc->out, 2777, TLC_NONE,
                  "End of statistics (please note that for performance reasons large models\n"
                  "are best checked with coverage and cost statistics disabled).");
    } else {
        tlc_print(&tlc->out, 2202, TLC_NONE, "End of statistics.");
    }
    arena_done(&arena);
}

/* Coverage in TLC's layout: the initial predicate, the actions with the states they gave, the
 * invariants; each followed by its expressions with the number of times they were evaluated.
 *
 * The evaluator counts expressions by place. They are put under the definition in whose text they
 * stand, nested by the text, and an expression that was evaluated as often as the one around it is
 * left out, as TLC does. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "check/check.h"
#include "cli/coverage.h"
#include "cli/load.h"
#include "cli/tlc.h"
#include "cli/tlc_out.h"
#include "eval/eval.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "syntax/source.h"

/* ---- expressions ---- */
static void write_place(const struct mplace *place, struct strbuf *out)
{
    strbuf_printf(out, "line %u, col %u to line %u, col %u of module %s", place->line,
                  place->column, place->end_line, place->end_column, place->module);
}

#define NESTING_MAX 64

/* Rows inside a definition's body. */
static void print_expressions(struct tlc *tlc, const struct coverage_row *rows, size_t n,
                              const struct mplace *body)
{
    const struct coverage_row *stack[NESTING_MAX];
    size_t depth = 0;
    for (size_t i = 0; i < n; i++) {
        const struct coverage_row *row = &rows[i];
        if (!place_contains(body, &row->place)) {
            continue;
        }
        while (depth > 0 && !place_contains(&stack[depth - 1]->place, &row->place)) {
            depth--;
        }
        bool same = depth > 0 && stack[depth - 1]->count == row->count && row->cost == 0;
        if (depth == NESTING_MAX || same || coverage_is_hidden(&tlc->run.spec, rows, n, i)) {
            continue;
        }
        SCOPED_STRBUF text = {0};
        strbuf_adds(&text, "  ");
        strbuf_pad(&text, '|', depth);
        write_place(&row->place, &text);
        strbuf_printf(&text, ": %" PRIu64, row->count);
        if (row->cost > 0) {
            strbuf_printf(&text, ":%" PRIu64, row->cost);
        }
        tlc_text(&tlc->out, row->cost > 0 ? 2775 : 2221, TLC_NONE, strbuf_str(&text));
        stack[depth++] = row;
    }
}

/* ---- definitions ---- */
/* The head of a definition, "Flip(n)", and its body. */
static bool def_places(const struct spec *spec, const char *name, struct mplace *ret_head,
                       struct mplace *ret_body)
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
static void write_head(const char *name, const struct mplace *head, const struct mplace *body,
                       const struct mplace *part, struct strbuf *out)
{
    strbuf_printf(out, "<%s ", name);
    write_place(head, out);
    if (part != NULL && !place_same(body, part)) {
        strbuf_printf(out, " (%u %u %u %u)", part->line, part->column, part->end_line,
                      part->end_column);
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
    return place_cmp(&(*(const struct maction *const *)a)->place,
                     &(*(const struct maction *const *)b)->place);
}

static void print_actions(struct tlc *tlc, struct arena *arena, const struct coverage_row *rows,
                          size_t n)
{
    const struct model *model = tlc->run.spec.model;
    const struct check_result *result = tlc->run.result;
    const struct maction **order = ARENA_ARRAY(arena, const struct maction *, model->naction + 1);
    for (uint32_t i = 0; i < model->naction; i++) {
        order[i] = &model->actions[i];
    }
    qsort((void *)order, model->naction, sizeof *order, cmp_action);
    for (uint32_t i = 0; i < model->naction; i++) {
        uint64_t generated = 0;
        uint64_t distinct = 0;
        const struct maction *action = order[i];
        for (uint32_t j = 0; j < model->naction; j++) {
            if (place_same(&model->actions[j].place, &action->place)) {
                generated += result->action_generated[j];
                distinct += result->action_distinct[j];
            }
        }
        if (i > 0 && place_same(&order[i - 1]->place, &action->place)) {
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
        if (model->props[i].kind != MPROP_INVARIANT ||
            !def_places(&tlc->run.spec, model->props[i].name, &head, &body)) {
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
    size_t n = coverage_rows(&tlc->run.spec, &arena, &rows);
    tlc_print(&tlc->out, 2201, TLC_NONE,
              "The coverage statistics at %s (see "
              "https://explain.tlapl.us/module-coverage-statistics for how to interpret the "
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

/* Coverage in TLC's layout: the initial predicate, the actions with the states they gave, the
 * invariants; each followed by its expressions with the number of times they were evaluated.
 *
 * The evaluator counts expressions by place. They are put under the definition in whose text they
 * stand, nested by the text; TLC also shows there what is in the operators that are used, and the
 * cost of enumerating sets. */
#include "job/coverage.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "check/check.h"
#include "eval/eval.h"
#include "job/load.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "syntax/source.h"
#include "tlc/message.h"
#include "tlc/tlc.h"

/* ---- expressions ---- */
static void write_place(const struct mplace *place, struct strbuf *out)
{
    strbuf_printf(out, "line %u, col %u to line %u, col %u of module %s", place->line,
                  place->column, place->end_line, place->end_column, place->module);
}

/* The counts that occur below a row: none, one, or several. */
struct counts {
    unsigned n;
    uint64_t value;
};

static void counts_add(struct counts *set, uint64_t value)
{
    if (set->n == 0 || (set->n == 1 && set->value != value)) {
        set->n++;
        set->value = value;
    }
}

struct printer {
    struct tlc *tlc;
    const struct coverage_row *rows; /* outer ones first */
    size_t n;
};

/* The end of what stands inside row i. */
static size_t row_end(const struct printer *p, size_t i)
{
    size_t end = i + 1;
    while (end < p->n && place_contains(&p->rows[i].place, &p->rows[end].place)) {
        end++;
    }
    return end;
}

static struct counts counts_below(const struct printer *p, size_t i)
{
    struct counts set = {0, 0};
    for (size_t k = i + 1; k < row_end(p, i); k++) {
        const struct coverage_row *row = &p->rows[k];
        if (row->count > 0 || row->primed) {
            counts_add(&set, row->count);
        }
        if (row->unchanged) { /* TLC keeps the count with what is unchanged */
            counts_add(&set, 0);
        }
    }
    return set;
}

static void print_row(const struct printer *p, size_t i, size_t level, uint64_t count)
{
    const struct coverage_row *row = &p->rows[i];
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, "  ");
    strbuf_pad(&text, '|', level);
    write_place(&row->place, &text);
    strbuf_printf(&text, ": %" PRIu64, count);
    tlc_text(&p->tlc->out, 2221, TLC_NONE, strbuf_str(&text));
}

static void print_tree(const struct printer *p, size_t i, size_t level);

static void print_below(const struct printer *p, size_t i, size_t level)
{
    size_t end = row_end(p, i);
    size_t last = end;
    for (size_t k = i + 1; p->rows[i].body_last && k < end; k = row_end(p, k)) {
        last = k;
    }
    if (last < end) {
        print_tree(p, last, level);
    }
    for (size_t k = i + 1; k < end && k != last; k = row_end(p, k)) {
        print_tree(p, k, level);
    }
}

/* TLC's rules: what was evaluated as often as all that it consists of is one row. */
static void print_tree(const struct printer *p, size_t i, size_t level)
{
    const struct coverage_row *row = &p->rows[i];
    struct counts below = counts_below(p, i);
    if (row->unchanged) {
        print_row(p, i, level, row->count);
        return;
    }
    if (below.n == 0) {
        if (row->count > 0 || row->primed) {
            print_row(p, i, level, row->count);
        }
        return;
    }
    if (below.n == 1 && below.value >= row->count) {
        if (!row->primed && row->count == 0 && below.value > 0) {
            print_row(p, i, level, below.value);
            return;
        }
        if (row->count == below.value && row->count > 0) {
            print_row(p, i, level, row->count);
            return;
        }
    }
    if (row->count > 0 || row->primed) {
        print_row(p, i, level++, row->count);
    }
    print_below(p, i, level);
}

/* Rows inside a definition's body. */
static void print_expressions(struct tlc *tlc, const struct coverage_row *rows, size_t n,
                              const struct mplace *body)
{
    size_t first = 0;
    while (first < n && !place_contains(body, &rows[first].place)) {
        first++;
    }
    size_t end = first;
    while (end < n && place_contains(body, &rows[end].place)) {
        end++;
    }
    struct printer p = {tlc, rows + first, end - first};
    for (size_t i = 0; i < p.n; i = row_end(&p, i)) {
        print_tree(&p, i, 0);
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
    const struct spec *spec = &tlc->job.spec;
    const struct check_result *result = tlc->job.result;
    const char *name;
    struct mplace part;
    struct mplace head;
    struct mplace body;
    if (!job_spec_init_predicate(spec, &name, &part) || !def_places(spec, name, &head, &body)) {
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
    const struct model *model = tlc->job.spec.model;
    const struct check_result *result = tlc->job.result;
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
        (void)def_places(&tlc->job.spec, action->name, &head, &body);
        SCOPED_STRBUF text = {0};
        write_head(action->name, &head, &body, &action->place, &text);
        strbuf_printf(&text, ": %" PRIu64 ":%" PRIu64, distinct, generated);
        tlc_text(&tlc->out, 2772, TLC_NONE, strbuf_str(&text));
        print_expressions(tlc, rows, n, &action->place);
    }
}

static void print_properties(struct tlc *tlc, const struct coverage_row *rows, size_t n)
{
    const struct model *model = tlc->job.spec.model;
    for (uint32_t i = 0; i < model->nprop; i++) {
        struct mplace head;
        struct mplace body;
        if (model->props[i].kind != MPROP_INVARIANT ||
            !def_places(&tlc->job.spec, model->props[i].name, &head, &body)) {
            continue;
        }
        SCOPED_STRBUF text = {0};
        if (place_same(&body, &model->props[i].place)) {
            write_head(model->props[i].name, &head, &body, NULL, &text);
        } else { /* part of a PROPERTY */
            body = model->props[i].place;
            write_head("Action", &body, &body, NULL, &text);
        }
        tlc_text(&tlc->out, 2774, TLC_NONE, strbuf_str(&text));
        print_expressions(tlc, rows, n, &body);
    }
}

static void print_variables(struct tlc *tlc, const struct coverage_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].kind == COVER_VARIABLE) {
            SCOPED_STRBUF text = {0};
            write_head(rows[i].name, &rows[i].place, NULL, NULL, &text);
            strbuf_printf(&text, ": %" PRIu64, rows[i].distinct);
            tlc_text(&tlc->out, 2779, TLC_NONE, strbuf_str(&text));
        }
    }
}

/* Of steps first, then of states. */
static void print_constraints(struct tlc *tlc, const struct coverage_row *all, size_t nall,
                              const struct coverage_row *rows, size_t n)
{
    for (size_t i = 0; i < 2 * nall; i++) {
        const struct coverage_row *row = &all[i % nall];
        struct mplace head;
        struct mplace body;
        if (row->kind != COVER_CONSTRAINT || row->step != (i < nall) ||
            !def_places(&tlc->job.spec, row->name, &head, &body)) {
            continue;
        }
        SCOPED_STRBUF text = {0};
        write_head(row->name, &head, &body, NULL, &text);
        strbuf_printf(&text, ": %" PRIu64 ":%" PRIu64, row->distinct, row->count);
        tlc_text(&tlc->out, 2778, TLC_NONE, strbuf_str(&text));
        print_expressions(tlc, rows, n, &body);
    }
}

void tlc_coverage(struct tlc *tlc)
{
    const struct check_result *result = tlc->job.result;
    if (result == NULL || result->action_generated == NULL || result->action_distinct == NULL) {
        return; /* counts of actions are known at the end */
    }
    char now[TLC_TIME_BYTES];
    struct arena arena;
    arena_init(&arena, 0);
    struct coverage_row *all = NULL;
    struct coverage_row *rows = NULL;
    size_t nall = model_coverage(tlc->job.spec.model, &arena, &all);
    size_t n = coverage_rows(&tlc->job.spec, &arena, &rows);
    tlc_print(&tlc->out, 2201, TLC_NONE,
              "The coverage statistics at %s (see "
              "https://explain.tlapl.us/module-coverage-statistics for how to interpret the "
              "following statistics).",
              tlc_now(&tlc->out, now));
    print_variables(tlc, all, nall);
    print_init(tlc, rows, n);
    print_actions(tlc, &arena, rows, n);
    print_properties(tlc, rows, n);
    print_constraints(tlc, all, nall, rows, n);
    if (clock_wall_ms() - tlc->start_ms > 300000) {
        tlc_print(&tlc->out, 2777, TLC_NONE,
                  "End of statistics (please note that for performance reasons large models\n"
                  "are best checked with coverage and cost statistics disabled).");
    } else {
        tlc_print(&tlc->out, 2202, TLC_NONE, "End of statistics.");
    }
    arena_done(&arena);
}

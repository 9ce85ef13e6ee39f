/* Coverage: how often expressions were evaluated, conjuncts of steps held, constraints let states
 * pass, and how many values each variable took.
 *
 * Counters are numbered: every expression and every part of an action has an id in the array of its
 * worker. A part of an action (an assignment, UNCHANGED, a condition) counts when the conjunction
 * that it is part of gives a state, as in TLC. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/worker.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

/* ---- counting ---- */

bool cover_is_step(const struct act *a)
{
    return a->op == ACT_TEST || a->op == ACT_ASSIGN || a->op == ACT_ASSIGN_IN ||
           a->op == ACT_ASSIGN_SUBSETEQ || a->op == ACT_UNCHANGED_VAR ||
           a->op == ACT_UNCHANGED_VARS;
}

static int act_pass(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    const struct act *part = a->info;
    uint64_t before = ev->emitted;
    (void)fr;
    int stop = act_continue(ev, k);
    bool last = !part->init || !k || !ev->spec->options.coverage_tlc;
    ev->cover[part->id] += last && ev->emitted != before;
    return stop;
}

bool cover_passed(struct ev *ev, const struct act *part, uint64_t before)
{
    bool counts = ev->emitted != before && !part->init && cover_is_step(part);
    ev->cover[part->id] += counts;
    return counts;
}

/* TLC does not count the operator of a condition that comes from a standard module. */
void cover_test(struct ev *ev, const struct ex *x)
{
    const struct def *def = x->src && x->src->kind == N_OP ? x->src->ref : NULL;
    if (def && def->kind == DEF_OP && native_of_def(ev->spec, def)) {
        ev->cover[x->id]--;
    }
}

int cover_act(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    if (!cover_is_step(a)) {
        return a->run(ev, a, fr, k);
    }
    struct act pass = {.run = act_pass, .op = ACT_COUNT, .src = a->src, .info = a};
    struct cont behind = {.act = &pass, .fr = fr, .next = k};
    return a->run(ev, a, fr, &behind);
}

void cover_values(struct ev *ev, const struct val *state)
{
    ev->emitted++;
    for (uint32_t i = 0; i < ev->spec->nvar; i++) {
        u64map_put(&ev->values[i], val_hash(&ev->vctx, state[i]), 1);
    }
}

bool cover_constraint(struct ev *ev, uint32_t id, bool holds)
{
    if (ev->cover) {
        ev->cover[id]++;
        ev->cover[id + 1] += holds;
    }
    return holds;
}

/* ---- workers come and go ---- */

void cover_join(struct ev *ev)
{
    const struct spec *spec = ev->spec;
    ev->cover = ARENA_ARRAY(&ev->keep, uint64_t, spec->nex + 1);
    ev->values = ARENA_ARRAY(&ev->keep, struct u64map, spec->nvar + 1);
    ev->hooks = true;
    ev->branches = spec->options.branches;
}

static void values_add(struct u64map *to, const struct u64map *from)
{
    for (size_t i = 0; i < from->n; i++) {
        u64map_put(to, from->entries[i].key, 1);
    }
}

/* Under the lock of the spec. */
void cover_leave(struct ev *ev)
{
    struct spec *spec = ev->spec;
    if (!spec->cover_sum) {
        size_t cap = 0;
        spec->cover_sum = vec_grow(NULL, &cap, spec->nex + 1, sizeof *spec->cover_sum);
        memset(spec->cover_sum, 0, sizeof *spec->cover_sum * (spec->nex + 1));
        spec->values_sum = vec_grow(NULL, &(size_t){0}, spec->nvar + 1, sizeof *spec->values_sum);
        memset(spec->values_sum, 0, sizeof *spec->values_sum * (spec->nvar + 1));
    }
    for (uint32_t i = 0; i < spec->nex; i++) {
        spec->cover_sum[i] += ev->cover[i];
    }
    for (uint32_t i = 0; i < spec->nvar; i++) {
        values_add(&spec->values_sum[i], &ev->values[i]);
        u64map_done(&ev->values[i]);
    }
}

void cover_done(struct spec *spec)
{
    for (uint32_t i = 0; spec->values_sum && i < spec->nvar; i++) {
        u64map_done(&spec->values_sum[i]);
    }
    vec_release(spec->values_sum);
    vec_release(spec->cover_sum);
    VEC_DONE(&spec->all_ex);
    VEC_DONE(&spec->all_act);
}

/* ---- the rows ---- */

static uint64_t sum_of(const struct spec *spec, uint32_t id)
{
    uint64_t count = spec->cover_sum ? spec->cover_sum[id] : 0;
    for (size_t k = 0; k < spec->workers.n; k++) {
        count += spec->workers.v[k]->ev.cover[id];
    }
    return count;
}

static uint64_t values_of(const struct spec *spec, uint32_t var)
{
    struct u64map all = {0};
    if (spec->values_sum) {
        values_add(&all, &spec->values_sum[var]);
    }
    for (size_t k = 0; k < spec->workers.n; k++) {
        values_add(&all, &spec->workers.v[k]->ev.values[var]);
    }
    uint64_t n = all.n;
    u64map_done(&all);
    return n;
}

static bool is_literal(const struct node *node)
{
    return node && (node->kind == N_NUM || node->kind == N_STRING || node->kind == N_DECIMAL);
}

static bool is_unchanged(const struct node *node)
{
    return node->kind == N_OP && lower_is_builtin(node->ref, "UNCHANGED");
}

static void add_row(const struct spec *spec, const struct node *src, uint32_t id,
                    const struct act *act, struct coverage_row *rows, size_t *n)
{
    struct mplace place = ev_mplace(spec, src);
    if (!place.line || is_literal(src)) {
        return;
    }
    bool step = act && cover_is_step(act);
    bool unchanged = step && (act->op == ACT_UNCHANGED_VAR || act->op == ACT_UNCHANGED_VARS);
    rows[(*n)++] = (struct coverage_row){
        .kind = COVER_EXPR,
        .place = place,
        .count = sum_of(spec, id),
        .step = step,
        .primed = step && act->op != ACT_TEST && !act->init,
        .unchanged = unchanged || is_unchanged(src),
        .body_last = src->kind == N_FORALL || src->kind == N_EXISTS || src->kind == N_CHOOSE ||
                     src->kind == N_FCN || src->kind == N_SETFILTER,
    };
}

static void add_told(const struct spec *spec, struct coverage_row *rows, size_t *n)
{
    uint32_t id = spec->constraint_ids;
    for (uint32_t i = 0; i < spec->nvar; i++) {
        uint32_t var = spec->print_order[i];
        rows[(*n)++] = (struct coverage_row){.kind = COVER_VARIABLE,
                                             .name = spec->var_names[var],
                                             .place = ev_mplace(spec, spec->vars[var]->decl),
                                             .distinct = values_of(spec, var)};
    }
    /* as they are numbered: state constraints first */
    for (int k = 0; k < 2; k++) {
        enum told_kind kind = k == 0 ? TOLD_CONSTRAINT : TOLD_ACTION_CONSTRAINT;
        for (size_t i = 0; i < spec->told.n; i++) {
            if (spec->told.v[i].kind == kind) {
                rows[(*n)++] = (struct coverage_row){.kind = COVER_CONSTRAINT,
                                                     .step = k == 1,
                                                     .name = spec->told.v[i].name,
                                                     .place = spec->told.v[i].place,
                                                     .count = sum_of(spec, id),
                                                     .distinct = sum_of(spec, id + 1)};
                id += 2;
            }
        }
    }
}

size_t model_coverage(struct model *model, struct arena *arena, struct coverage_row **ret_rows)
{
    struct spec *spec = (struct spec *)model;
    *ret_rows = ARENA_ARRAY(arena, struct coverage_row,
                            spec->all_ex.n + spec->all_act.n + spec->told.n + 1);
    if (!spec->options.coverage) {
        return 0;
    }
    size_t n = 0;
    pthread_mutex_lock(&spec->lock);
    for (size_t i = 0; i < spec->all_ex.n; i++) {
        add_row(spec, spec->all_ex.v[i]->src, spec->all_ex.v[i]->id, NULL, *ret_rows, &n);
    }
    for (size_t i = 0; i < spec->all_act.n; i++) {
        add_row(spec, spec->all_act.v[i]->src, spec->all_act.v[i]->id, spec->all_act.v[i],
                *ret_rows, &n);
    }
    add_told(spec, *ret_rows, &n);
    pthread_mutex_unlock(&spec->lock);
    return n;
}

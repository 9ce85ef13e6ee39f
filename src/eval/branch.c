/* Branches: which arms of the next-state relation were taken.
 *
 * IF, CASE and disjunctions have a counter for each arm, beside the counters of coverage (cover.c).
 * Their numbers are given when they are lowered. The same text may be lowered many times, as an
 * action and as a condition; what is reported is by place in the text, over all copies that hang
 * below Next.
 *
 * In a chain a \/ b \/ c the operator stands twice; its arms are a, b and c. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/worker.h"
#include "ir/walk.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

int act_arm_run(struct ev *ev, const struct act *a, uint32_t arm, struct val *fr,
                const struct cont *k)
{
    if (__builtin_expect(!ev->branches && !ev->note_arms, 1)) {
        return act_run(ev, a->kid[arm], fr, k);
    }
    uint64_t before = ev->accepted, taken = ev->taken;
    if (ev->note_arms) {
        ev->taken = hash_combine(taken, ((uint64_t)a->id << 16) + arm);
    }
    int stop = act_run(ev, a->kid[arm], fr, k);
    ev->taken = taken;
    if (ev->branches) {
        ev->cover[a->arms + arm] += ev->accepted - before;
    }
    return stop;
}

void model_note_arms(struct mworker *worker, bool on)
{
    struct ev *ev = &worker_of(worker)->ev;
    ev->note_arms = on;
    ev->taken = 0; /* an error may have left some */
}

void model_step(struct mworker *worker, struct step_view *ret)
{
    struct spec_worker *w = worker_of(worker);
    *ret = (struct step_view){&w->ev.vctx, w->cur, w->cand, w->ev.taken};
}

void model_accept(struct mworker *worker)
{
    worker_of(worker)->ev.accepted++;
}

void model_counting(struct mworker *worker, bool on)
{
    struct ev *ev = &worker_of(worker)->ev;
    ev->branches = on && ev->spec->options.branches;
}

/* ---- what hangs below Next ---- */

struct arms {
    const struct spec *spec;
    struct u64map seen; /* nodes and units by address */
    VEC(struct branch_row) rows;
    /* nodes to look at: a stack, since expressions nest deeply */
    VEC(const struct ex *) exs;
    VEC(const struct act *) acts;
    VEC(const struct unit *) units;
};

static bool first_visit(struct arms *arms, const void *p)
{
    uint64_t was = 0;
    if (u64map_get(&arms->seen, (uint64_t)(uintptr_t)p, &was)) {
        return false;
    }
    u64map_put(&arms->seen, (uint64_t)(uintptr_t)p, 1);
    return true;
}

static void meet_ex(void *arg, const struct ex *x)
{
    struct arms *arms = arg;
    if (first_visit(arms, x)) {
        VEC_PUSH(&arms->exs, x);
    }
}

static void meet_act(void *arg, const struct act *a)
{
    struct arms *arms = arg;
    if (first_visit(arms, a)) {
        VEC_PUSH(&arms->acts, a);
    }
}

static void meet_unit(void *arg, const struct unit *u)
{
    struct arms *arms = arg;
    if (first_visit(arms, u)) {
        VEC_PUSH(&arms->units, u);
    }
}

static bool is_disjunction(const struct node *node)
{
    return node->kind == N_DISJ || (node->kind == N_OP && lower_is_builtin(node->ref, "\\/"));
}

/* The text of an arm of what `node` says; NULL when it says nothing with arms. */
static const struct node *arm_node(const struct node *node, uint32_t arm)
{
    if (!node || arm >= node->nkid) {
        return NULL;
    }
    if (node->kind == N_IF) {
        return arm > 0 ? node->kid[arm] : NULL;
    }
    if (node->kind == N_CASE) {
        const struct node *kid = node->kid[arm];
        return kid->nkid ? kid->kid[kid->nkid - 1] : NULL;
    }
    return is_disjunction(node) && !is_disjunction(node->kid[arm]) ? node->kid[arm] : NULL;
}

static uint64_t counted(const struct spec *spec, uint32_t id)
{
    uint64_t count = spec->cover_sum ? spec->cover_sum[id] : 0;
    for (size_t k = 0; k < spec->workers.n; k++) {
        count += spec->workers.v[k]->ev.cover[id];
    }
    return count;
}

static void add_arm(struct arms *arms, const struct node *node, uint32_t counter)
{
    struct mplace place = node ? ev_mplace(arms->spec, node) : (struct mplace){0};
    if (place.line) {
        VEC_PUSH(&arms->rows, (struct branch_row){place, counted(arms->spec, counter)});
    }
}

static void ex_arms(struct arms *arms, const struct ex *x)
{
    if (x->level == LEVEL_CONSTANT || !x->src) {
        return;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        if (x->op == EX_CASE && (i % 2 == 1 || i + 1 == x->n)) { /* guard, value, guard, ... */
            add_arm(arms, arm_node(x->src, i / 2), x->slot + i);
        } else if (x->op == EX_IF || x->op == EX_DISJ) {
            add_arm(arms, arm_node(x->src, i), x->slot + i);
        }
    }
}

static void act_arms(struct arms *arms, const struct act *a)
{
    uint32_t first = a->op == ACT_IF ? 1 : 0; /* the condition is no part of the act */
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->op == ACT_IF || a->op == ACT_CASE || a->op == ACT_DISJ) {
            add_arm(arms, arm_node(a->src, i + first), a->arms + i);
        }
    }
    for (uint32_t i = 1; a->op == ACT_CONJ && a->tests && i < a->n; i++) {
        meet_ex(arms, a->tests[i]); /* the same as conditions */
    }
    if (a->op == ACT_FORALL && a->tests) {
        meet_ex(arms, a->tests[0]);
    }
}

static void collect(struct arms *arms)
{
    struct visitor visitor = {.ex = meet_ex, .act = meet_act, .unit = meet_unit, .arg = arms};
    meet_act(arms, arms->spec->next);
    while (arms->exs.n + arms->acts.n + arms->units.n > 0) {
        if (arms->exs.n > 0) {
            const struct ex *x = VEC_POP(&arms->exs);
            ex_arms(arms, x);
            walk_ex(x, &visitor);
        } else if (arms->acts.n > 0) {
            const struct act *a = VEC_POP(&arms->acts);
            act_arms(arms, a);
            walk_act(a, &visitor);
        } else {
            walk_unit(VEC_POP(&arms->units), &visitor);
        }
    }
}

static int cmp_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int cmp_rows(const void *a, const void *b)
{
    const struct mplace *x = &((const struct branch_row *)a)->place;
    const struct mplace *y = &((const struct branch_row *)b)->place;
    int c = strcmp(x->module ? x->module : "", y->module ? y->module : "");
    c = c ? c : cmp_number(x->line, y->line);
    c = c ? c : cmp_number(x->column, y->column);
    c = c ? c : cmp_number(x->end_line, y->end_line);
    return c ? c : cmp_number(x->end_column, y->end_column);
}

size_t model_branches(struct model *model, struct arena *arena, struct branch_row **ret_rows)
{
    struct spec *spec = (struct spec *)model;
    struct arms arms = {.spec = spec};
    size_t n = 0;
    *ret_rows = NULL;
    if (!spec->options.branches || !spec->options.coverage || !spec->next) {
        return 0;
    }
    pthread_mutex_lock(&spec->lock);
    collect(&arms);
    pthread_mutex_unlock(&spec->lock);
    *ret_rows = ARENA_ARRAY(arena, struct branch_row, arms.rows.n + 1);
    if (arms.rows.n > 0) {
        qsort(arms.rows.v, arms.rows.n, sizeof *arms.rows.v, cmp_rows);
    }
    for (size_t i = 0; i < arms.rows.n; i++) {
        if (n > 0 && cmp_rows(&(*ret_rows)[n - 1], &arms.rows.v[i]) == 0) {
            (*ret_rows)[n - 1].count += arms.rows.v[i].count;
        } else {
            (*ret_rows)[n++] = arms.rows.v[i];
        }
    }
    u64map_done(&arms.seen);
    VEC_DONE(&arms.rows);
    VEC_DONE(&arms.exs);
    VEC_DONE(&arms.acts);
    VEC_DONE(&arms.units);
    return n;
}

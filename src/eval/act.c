/* Actions: enumeration of initial states and successors, ENABLED and composition, in
 * continuation-passing style.
 *
 * Follows TLC's getInitStates, getNextStates and enabled: conjuncts from left to right, disjuncts
 * and bound variables in order; the first conjunct that mentions x' as `x' = e`, `x' \in S` or
 * UNCHANGED assigns it, later ones test. A state is emitted when no conjunct is left. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/rng.h"
#include "base/str.h"
#include "eval/code.h"
#include "eval/guards.h"
#include "eval/ops.h"
#include "value/value.h"

static void row_bind(const struct binder *b, const struct val *row, struct val *fr)
{
    for (uint32_t i = 0; i < b->nvar; i++) {
        for (uint32_t j = 0; j < b->vars[i].nslot; j++) {
            fr[b->vars[i].slots[j]] = *row++;
        }
    }
}

/* With every variable assigned what is left can only be true or false: it is evaluated, so that a
 * disjunction among it does not emit the state several times. */
static int continue_assigned(struct ev *ev, const struct cont *k)
{
    for (; k; k = k->next) {
        if (!k->test) {
            return act_run(ev, k->act, k->fr, k->next);
        }
        if (k->row) {
            row_bind(k->binder, k->row, k->fr);
        }
        if (!ex_bool(ev, k->test, k->fr, "a conjunct")) {
            return 0;
        }
        if (ev->hooks && ev->cover) {
            uint64_t before = ev->emitted;
            int stop = continue_assigned(ev, k->next);
            (void)cover_passed(ev, k->act, before);
            return stop;
        }
    }
    return ev->emit(ev);
}

int act_continue(struct ev *ev, const struct cont *k)
{
    if (!k) {
        return ev->emit(ev);
    }
    if (ev->missing == 0) {
        return continue_assigned(ev, k);
    }
    return act_run(ev, k->act, k->fr, k->next);
}

static struct val *target_state(struct ev *ev, const struct act *a)
{
    return a->init ? ev->s0 : ev->s1;
}

static bool test_holds(struct ev *ev, const struct ex *x, struct val *fr, const struct act *a)
{
    struct val v = ex_eval(ev, x, fr);
    if (ev->hooks && ev->cover) {
        cover_test(ev, x);
    }
    if (!val_is_bool(v)) {
        struct strbuf sb = {.arena = &ev->scratch};
        val_print(&ev->vctx, v, &sb);
        char *text = arena_strndup(&ev->scratch, strbuf_cstr(&sb), sb.n);
        strbuf_done(&sb);
        ev_fail(ev, a->src, 2247,
                "In computing %s, TLC expected a boolean expression,\nbut instead found %s.",
                a->init ? "initial states" : "next states", text);
    }
    return val_same(v, VAL_TRUE);
}

int act_test(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    if (test_holds(ev, a->x, fr, a)) {
        return act_continue(ev, k);
    }
    if (!guard_of_parts(a->x)) {
        guard_refused(ev, a, fr);
    }
    return 0;
}

int act_conj(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    /* The rest of the conjunction becomes a chain of continuations on this C frame. */
    struct cont chain[16];
    if (a->n > 16) {
        struct cont *heap = arena_alloc(&ev->scratch, sizeof *heap * a->n);
        for (uint32_t i = a->n; i-- > 1;) {
            heap[i] = (struct cont){a->kid[i], fr, k, a->tests ? a->tests[i] : NULL, NULL, NULL};
            k = &heap[i];
        }
        return act_run(ev, a->kid[0], fr, k);
    }
    for (uint32_t i = a->n; i-- > 1;) {
        chain[i] = (struct cont){a->kid[i], fr, k, a->tests ? a->tests[i] : NULL, NULL, NULL};
        k = &chain[i];
    }
    return act_run(ev, a->kid[0], fr, k);
}

int act_disj(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    uint32_t first = ev->random_pick ? (uint32_t)rng_below(&ev->rng, a->n) : 0;
    for (uint32_t i = 0; i < a->n; i++) {
        int stop = act_arm_run(ev, a, (first + i) % a->n, fr, k);
        if (stop) {
            return stop;
        }
    }
    return 0;
}

int act_if(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    bool cond = ex_bool(ev, a->x, fr, "the condition of an IF");
    return act_arm_run(ev, a, cond ? 0 : 1, fr, k);
}

int act_implies(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    return test_holds(ev, a->x, fr, a) ? act_run(ev, a->kid[0], fr, k) : act_continue(ev, k);
}

int act_case(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    const struct act_case_info *info = a->info;
    for (uint32_t i = 0; i < info->nguard; i++) {
        if (ex_bool(ev, info->guards[i], fr, "a guard condition of a CASE")) {
            return act_arm_run(ev, a, i, fr, k);
        }
    }
    if (a->n > info->nguard) {
        return act_arm_run(ev, a, info->nguard, fr, k);
    }
    ev_fail(ev, a->src, 0, "In computing %s, TLC encountered a CASE with no conditions true.",
            a->init ? "initial states" : "next states");
}

/* A thunk that nobody has asked yet is no value: a closure has captured the slot. */
static bool slot_known(struct val v)
{
    return val_is_kind(v, VK_THUNK) ? !val_is_undef(val_obj(v)->v[0]) : !val_is_undef(v);
}

int act_lazy(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    return slot_known(fr[a->x->slot]) ? act_test(ev, a, fr, k) : act_run(ev, a->kid[0], fr, k);
}

int act_let(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    for (uint32_t i = 0; i < a->nslot; i++) {
        fr[a->slots[i]] = VAL_UNDEF;
    }
    return act_run(ev, a->kid[0], fr, k);
}

/* All combinations of the bound variables, one after the other, in scratch memory. */
struct rows {
    struct val *v;
    size_t n, cap;  /* in values */
    uint32_t width; /* values of one combination */
};

static void rows_add(struct ev *ev, struct rows *rows, const struct binder *b, const struct val *fr)
{
    if (rows->n + rows->width > rows->cap) {
        size_t cap = rows->cap * 2 + (size_t)rows->width * 16 + 1;
        struct val *grown = arena_alloc(&ev->scratch, sizeof *grown * cap);
        if (rows->n) {
            memcpy(grown, rows->v, sizeof *grown * rows->n);
        }
        rows->v = grown;
        rows->cap = cap;
    }
    ASSERT(rows->v != NULL);
    for (uint32_t i = 0; i < b->nvar; i++) {
        for (uint32_t j = 0; j < b->vars[i].nslot; j++) {
            rows->v[rows->n++] = fr[b->vars[i].slots[j]];
        }
    }
}

/* Returns the number of combinations. */
static size_t rows_collect(struct ev *ev, const struct act *a, struct val *fr, struct rows *rows)
{
    const struct binder *b = a->binder;
    struct loop loop;
    *rows = (struct rows){0};
    for (uint32_t i = 0; i < b->nvar; i++) {
        rows->width += b->vars[i].nslot;
    }
    for (bool more = loop_start(ev, a->x, b, fr, &loop); more;
         more = loop_next(ev, a->x, b, fr, &loop)) {
        rows_add(ev, rows, b, fr);
    }
    return rows->width ? rows->n / rows->width : 0;
}

/* Random order for -generate: from a random combination on. */
static int exists_random(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    struct rows rows;
    size_t n = rows_collect(ev, a, fr, &rows);
    size_t first = n ? (size_t)rng_below(&ev->rng, n) : 0;
    for (size_t r = 0; r < n; r++) {
        row_bind(a->binder, rows.v + ((first + r) % n) * rows.width, fr);
        int stop = act_run(ev, a->kid[0], fr, k);
        if (stop) {
            return stop;
        }
    }
    return 0;
}

int act_exists(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    if (ev->random_pick) {
        return exists_random(ev, a, fr, k);
    }
    struct loop loop;
    bool more = loop_start(ev, a->x, a->binder, fr, &loop);
    while (more) {
        if (__builtin_expect(ev->given != NULL, 0) && !given_fits(ev, a->binder, fr)) {
            more = loop_next(ev, a->x, a->binder, fr, &loop);
            continue;
        }
        ev->refused = NULL;
        int stop = act_run(ev, a->kid[0], fr, k);
        if (stop) {
            return stop;
        }
        more = loop_skip(ev, a->x, a->binder, fr, &loop, guard_found(ev, a->binder, fr));
    }
    return 0;
}

/* \A x \in S : A(x): the conjunction of A over the elements. Each works on a frame of its own,
 * since lazy slots and inner binders of the body live in the frame too. */
struct forall_step {
    const struct act *forall;
    const struct val *row;
};

static int forall_enter(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    const struct forall_step *step = a->info;
    const struct unit *unit = step->forall->info;
    struct val *own = frame_push(ev, unit->nslot);
    memcpy(own, fr, sizeof *own * unit->nslot);
    row_bind(step->forall->binder, step->row, own);
    int stop = act_run(ev, step->forall->kid[0], own, k);
    frame_pop(ev, own);
    return stop;
}

/* An action made while running: a step of a conjunction that is not in the code. */
static struct act *act_made(struct ev *ev, const struct act *like, act_fn fn, const void *info)
{
    struct act *a = arena_alloc(&ev->scratch, sizeof *a);
    memset(a, 0, sizeof *a);
    a->run = fn;
    a->op = ACT_COUNT;
    a->src = like->src;
    a->id = like->id;
    a->info = info;
    return a;
}

int act_forall(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    struct rows rows;
    size_t n = rows_collect(ev, a, fr, &rows);
    struct forall_step *steps = arena_alloc(&ev->scratch, sizeof *steps * (n + 1));
    struct cont *conts = arena_alloc(&ev->scratch, sizeof *conts * (n + 1));
    for (size_t i = n; i-- > 0;) {
        steps[i] = (struct forall_step){a, rows.v + i * rows.width};
        conts[i] = (struct cont){
            act_made(ev, a, forall_enter, &steps[i]), fr, k, a->tests[0], a->binder, steps[i].row};
        k = &conts[i];
    }
    return act_continue(ev, k);
}

/* Gives the variable a value for the rest of the conjunction. */
static int assign_and_go(struct ev *ev, struct val *slot, struct val v, const struct cont *k)
{
    bool stuck;
    *slot = val_settle_most(&ev->vctx, v, &stuck);
    ev->missing--;
    ev->stuck += stuck;
    uint64_t before = epoch_begin(ev);
    int stop = act_continue(ev, k);
    ev->epoch = before;
    ev->missing++;
    ev->stuck -= stuck;
    *slot = VAL_UNDEF;
    return stop;
}

int act_assign(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    struct val *slot = &target_state(ev, a)[a->var];
    struct val v = ex_eval(ev, a->x, fr);
    if (!val_is_undef(*slot)) {
        return val_equal(&ev->vctx, *slot, v) ? act_continue(ev, k) : 0;
    }
    return assign_and_go(ev, slot, v, k);
}

static int assign_each(struct ev *ev, const struct act *a, struct val set, const struct cont *k)
{
    struct val *slot = &target_state(ev, a)[a->var];
    struct set_iter it;
    struct val elem;
    int stop = 0;
    if (ev->random_pick) {
        set = set_force(&ev->vctx, set);
        const struct vobj *o = val_obj(set);
        size_t first = o->n ? (size_t)rng_below(&ev->rng, o->n) : 0;
        for (size_t i = 0; i < o->n && !stop; i++) {
            stop = assign_and_go(ev, slot, o->v[(first + i) % o->n], k);
        }
        return stop;
    }
    set_iter_init(&it, &ev->vctx, set);
    while (!stop && set_iter_next(&it, &elem)) {
        stop = assign_and_go(ev, slot, elem, k);
    }
    return stop;
}

int act_assign_in(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    struct val old = target_state(ev, a)[a->var];
    struct val set = ex_eval(ev, a->x, fr);
    if (!val_is_undef(old)) {
        return set_member(&ev->vctx, old, set) ? act_continue(ev, k) : 0;
    }
    if (!val_is_set(set)) {
        ev_fail(ev, a->src, 0, "In computing %s, the right side of \\IN is not enumerable.",
                a->init ? "initial states" : "next states");
    }
    return assign_each(ev, a, set, k);
}

int act_assign_subseteq(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    struct val old = target_state(ev, a)[a->var];
    struct val set = set_subset(&ev->vctx, ex_eval(ev, a->x, fr));
    if (!val_is_undef(old)) {
        return set_member(&ev->vctx, old, set) ? act_continue(ev, k) : 0;
    }
    return assign_each(ev, a, set, k);
}

/* The value that a variable has now: there may be no state (ENABLED in a constant), or only a part
 * of one (ENABLED in an initial predicate). */
static struct val value_now(struct ev *ev, const struct act *a, uint32_t var)
{
    struct val now = ev->s0 ? ev->s0[var] : VAL_UNDEF;
    if (__builtin_expect(val_is_undef(now), 0)) {
        ev_fail(ev, a->src, 2280,
                "In evaluation, the identifier %.*s is either undefined or not an operator.",
                STR_ARG(ev->spec->vars[var]->name));
    }
    return now;
}

/* UNCHANGED x for one variable. */
int act_unchanged_var(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    (void)fr;
    struct val now = value_now(ev, a, a->var);
    struct val old = ev->s1[a->var];
    if (!val_is_undef(old)) {
        return val_same(old, now) || val_equal(&ev->vctx, old, now) ? act_continue(ev, k) : 0;
    }
    ev->s1[a->var] = now;
    ev->missing--;
    uint64_t before = epoch_begin(ev);
    int stop = act_continue(ev, k);
    ev->epoch = before;
    ev->missing++;
    ev->s1[a->var] = VAL_UNDEF;
    return stop;
}

/* UNCHANGED <<x, y, ...>> of variables only: assigns those without a value in one go. */
int act_unchanged_vars(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    (void)fr;
    uint64_t set[4] = {0};
    ASSERT(a->nslot <= 256);
    int stop = 0;
    bool same = true;
    uint64_t before = epoch_begin(ev);
    for (uint32_t i = 0; i < a->nslot && same; i++) {
        uint32_t var = a->slots[i];
        struct val old = ev->s1[var];
        struct val now = value_now(ev, a, var);
        if (val_is_undef(old)) {
            ev->s1[var] = now;
            ev->missing--;
            set[i / 64] |= UINT64_C(1) << (i % 64);
        } else if (!val_same(old, now)) {
            same = val_equal(&ev->vctx, old, now);
        }
    }
    if (same) {
        stop = act_continue(ev, k);
    }
    for (uint32_t i = 0; i < a->nslot; i++) {
        if (set[i / 64] >> (i % 64) & 1) {
            ev->missing++;
            ev->s1[a->slots[i]] = VAL_UNDEF;
        }
    }
    ev->epoch = before;
    return stop;
}

/* <<A>>_v as an action: after A, v must have changed. */
int act_changed(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    struct val v0 = ex_eval(ev, a->x, fr);
    struct val v1 = ex_eval(ev, a->x2, fr);
    return val_equal(&ev->vctx, v0, v1) ? 0 : act_continue(ev, k);
}

int act_mark(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    bool wanted = ev->only_action == NO_SLOT || ev->only_action == a->var;
    return wanted ? act_label(ev, a, fr, k) : 0;
}

int act_label(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    uint32_t before = ev->action;
    struct val *frame = ev->action_frame;
    ev->action = a->var;
    ev->action_frame = fr;
    int stop = act_run(ev, a->kid[0], fr, k);
    ev->action = before;
    ev->action_frame = frame;
    return stop;
}

/* An operator that is lowered once, used as an action: its unit gets a frame of its own, and the
 * continuation runs inside. */
int act_call(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    const struct unit *unit = a->info;
    ev_check_stack(ev);
    struct val *callee = frame_push(ev, unit->nslot);
    for (uint32_t i = 0; i < unit->nparam; i++) {
        if (a->args[i]) {
            callee[unit->param[i]] = ex_eval(ev, a->args[i], fr);
        }
    }
    for (uint32_t i = 0; a->call && i < a->call->ncapture; i++) {
        callee[a->call->captures[i].to] =
            closure_capture(ev, a->call->captures[i].lazy, a->call->captures[i].from, fr);
    }
    int stop = act_run(ev, unit->act, callee, k);
    frame_pop(ev, callee);
    return stop;
}

/* Gives the parameters of a function their values. */
static void bind_params(struct ev *ev, const struct unit *unit, struct val *fr, struct val arg)
{
    const struct binder *b = unit->binder;
    const struct vobj *args = b->nvar > 1 ? val_obj(fcn_force(&ev->vctx, arg)) : NULL;
    for (uint32_t i = 0; i < b->nvar; i++) {
        loop_bind(ev, unit->body, &b->vars[i], fr, args ? args->v[i] : arg);
    }
}

int act_fapply(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    struct val f = ex_eval(ev, a->x, fr);
    struct val arg = ex_eval(ev, a->x2, fr);
    const struct unit *unit = a->info;
    struct vctx *ctx = &ev->vctx;
    if (!val_is_kind(f, VK_LAMBDA) || closure_code(f) != unit || !unit->act) {
        if (!val_is_fcn(f)) {
            ev_fail(ev, a->src, 0,
                    "In computing next states, a non-function (%s) was applied as a function.",
                    val_kind_text(f));
        }
        struct val v = fcn_apply(ctx, f, arg);
        if (!val_is_bool(v)) {
            ev_fail(ev, a->src, 2248,
                    "In computing next states, TLC expected a boolean expression, but did not find "
                    "one.");
        }
        return val_same(v, VAL_TRUE) ? act_continue(ev, k) : 0;
    }
    const struct vlazy *o = vobj_lazy(val_obj(f));
    if (!set_member(ctx, arg, o->op[0])) {
        (void)fcn_apply(ctx, f, arg); /* fails with the right words */
    }
    ev_check_stack(ev);
    struct val *inner = frame_push(ev, unit->nslot);
    for (size_t i = 0; i < unit->captures.n; i++) {
        inner[unit->captures.v[i].to] = o->op[2 + i];
    }
    if (unit->self != NO_SLOT) {
        inner[unit->self] = f;
    }
    bind_params(ev, unit, inner, arg);
    int stop = act_run(ev, unit->act, inner, k);
    frame_pop(ev, inner);
    return stop;
}

/* ---- ENABLED ---- */
static int emit_stop(struct ev *ev)
{
    (void)ev;
    return 1;
}

struct val op_enabled(struct ev *ev, const struct ex *x, struct val *fr)
{
    uint32_t nvar = ev->spec->nvar + (uint32_t)ev->spec->extra_vars.n;
    struct val *saved = ev->s1;
    int (*emit)(struct ev *) = ev->emit;
    uint32_t only = ev->only_action;
    bool random = ev->random_pick;
    struct val *next = arena_alloc(&ev->scratch, sizeof *next * (nvar + 1));
    for (uint32_t i = 0; i < nvar; i++) {
        next[i] = VAL_UNDEF;
    }
    uint32_t missing = ev->missing;
    ev->missing = nvar + 1; /* never complete: conjuncts are always enumerated */
    ev->s1 = next;
    ev->emit = emit_stop;
    ev->only_action = NO_SLOT;
    ev->random_pick = false;
    uint64_t before = epoch_begin(ev);
    int stop = act_run(ev, x->u.p, fr, NULL);
    ev->epoch = before;
    ev->missing = missing;
    ev->s1 = saved;
    ev->emit = emit;
    ev->only_action = only;
    ev->random_pick = random;
    return val_bool(stop != 0);
}

/* ---- composition ---- */

/* A \cdot B: a step of A to t, then a step of B from t. The states t are collected first, then B
 * runs from each. */
struct cdot_run {
    struct val *states;
    size_t n, cap;
};

static int emit_collect(struct ev *ev)
{
    struct cdot_run *run = ev->emit_arg;
    uint32_t nvar = ev->spec->nvar;
    if (run->n == run->cap) {
        size_t cap = run->cap ? run->cap * 2 : 8;
        struct val *grown = arena_alloc(&ev->scratch, sizeof *grown * cap * (nvar + 1));
        if (run->n) {
            memcpy(grown, run->states, sizeof *grown * run->n * nvar);
        }
        run->states = grown;
        run->cap = cap;
    }
    memcpy(run->states + run->n * nvar, ev->s1, sizeof(struct val) * nvar);
    run->n++;
    return 0;
}

/* Runs `a` from s0; collects the states it leads to, which may lack variables. Variables to which
 * the conjunction gave a next value already keep theirs on the way: `given` is that next state, or
 * NULL. */
static struct cdot_run cdot_first(struct ev *ev, const struct act *a, struct val *fr,
                                  const struct val *given)
{
    uint32_t nvar = ev->spec->nvar;
    struct cdot_run run = {0};
    struct val *next =
        arena_alloc(&ev->scratch, sizeof *next * (nvar + ev->spec->extra_vars.n + 1));
    struct val *saved = ev->s1;
    int (*emit)(struct ev *) = ev->emit;
    void *arg = ev->emit_arg;
    uint32_t missing = ev->missing;
    ev->missing = nvar;
    for (uint32_t i = 0; i < nvar; i++) {
        bool kept = given && !val_is_undef(given[i]);
        next[i] = kept ? value_now(ev, a, i) : VAL_UNDEF;
        ev->missing -= kept;
    }
    ev->s1 = next;
    ev->emit = emit_collect;
    ev->emit_arg = &run;
    uint64_t before = epoch_begin(ev);
    (void)act_run(ev, a, fr, NULL);
    ev->epoch = before;
    ev->s1 = saved;
    ev->emit = emit;
    ev->emit_arg = arg;
    ev->missing = missing;
    return run;
}

struct cdot_rest {
    struct val *s0;
    bool composing;
};

/* After B: the rest of the conjunction speaks of the first state again. */
static int cdot_restore(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    (void)fr;
    const struct cdot_rest *rest = a->info;
    struct val *middle = ev->s0;
    ev->s0 = rest->s0;
    ev->composing = rest->composing;
    uint64_t before = epoch_begin(ev);
    int stop = act_continue(ev, k);
    ev->epoch = before;
    ev->s0 = middle;
    ev->composing = true;
    return stop;
}

int act_cdot(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    struct cdot_run run = cdot_first(ev, a->kid[0], fr, ev->s1);
    bool counts = !ev->composing && ev->emit != emit_collect && ev->emit != emit_stop;
    if (ev->worker && counts) { /* TLC counts what the outermost composition makes on the way */
        ev->worker->extra_generated += run.n;
    }
    struct cdot_rest rest = {ev->s0, ev->composing};
    struct cont after = {act_made(ev, a, cdot_restore, &rest), fr, k, NULL, NULL, NULL};
    int stop = 0;
    uint64_t before = ev->epoch;
    ev->composing = true;
    for (size_t i = 0; i < run.n && !stop; i++) {
        ev->s0 = run.states + i * ev->spec->nvar;
        (void)epoch_begin(ev);
        stop = act_run(ev, a->kid[1], fr, &after);
    }
    ev->epoch = before;
    ev->s0 = rest.s0;
    ev->composing = rest.composing;
    return stop;
}

struct val op_cdot(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct cdot_run run = cdot_first(ev, x->u.p, fr, NULL);
    uint32_t nvar = ev->spec->nvar;
    struct val *s0 = ev->s0;
    struct val result = VAL_FALSE;
    for (size_t i = 0; i < run.n; i++) {
        ev->s0 = run.states + i * nvar;
        uint64_t before = epoch_begin(ev);
        bool ok = ex_bool(ev, x->kid[0], fr, "the second action of a composition");
        ev->epoch = before;
        ev->s0 = s0;
        if (ok) {
            result = VAL_TRUE;
            break;
        }
    }
    return result;
}

/* ---- actions as booleans ---- */
struct val op_unchanged(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val v0 = ex_eval(ev, x->kid[0], fr);
    struct val v1 = ex_eval(ev, x->kid[1], fr);
    return val_bool(val_same(v0, v1) || val_equal(&ev->vctx, v0, v1));
}

struct val op_boxact(struct ev *ev, const struct ex *x, struct val *fr)
{
    if (ex_bool(ev, x->kid[0], fr, "the action of [A]_e")) {
        return VAL_TRUE;
    }
    struct val v0 = ex_eval(ev, x->kid[1], fr);
    struct val v1 = ex_eval(ev, x->kid[2], fr);
    return val_bool(val_equal(&ev->vctx, v0, v1));
}

/* <<A>>_v of a temporal formula: A is not looked at for a step that leaves v as it is. */
struct val op_step_taken(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val v0 = ex_eval(ev, x->kid[1], fr);
    struct val v1 = ex_eval(ev, x->kid[2], fr);
    return val_bool(!val_equal(&ev->vctx, v0, v1) &&
                    ex_bool(ev, x->kid[0], fr, "the action of <<A>>_e"));
}

struct val op_angleact(struct ev *ev, const struct ex *x, struct val *fr)
{
    if (!ex_bool(ev, x->kid[0], fr, "the action of <<A>>_e")) {
        return VAL_FALSE;
    }
    struct val v0 = ex_eval(ev, x->kid[1], fr);
    struct val v1 = ex_eval(ev, x->kid[2], fr);
    return val_bool(!val_equal(&ev->vctx, v0, v1));
}

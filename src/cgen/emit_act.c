/* Actions: code that enumerates successors, in TLC's way (see eval/act.c, which this follows step
 * by step). A conjunct that assigns x' binds the value for what follows; when no conjunct is left
 * the leaf writes the successor. Branches repeat what follows them, except where both sides of an
 * IF assign the same variables: they meet again. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/facts.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "ir/walk.h"
#include "value/value.h"

/* What is left of a conjunction. */
struct kont {
    const struct act *act;
    struct fenv *f;
    const struct ex *test; /* the same as a condition, used when every variable has a value */
    struct merge *merge;   /* instead of act: the end of a branch */
    const struct kont *next;
};

/* Where branches meet again. */
struct merge {
    uint32_t n;
    uint32_t var[64];
    const struct cx *held[64]; /* C variables */
    const struct cx *ok;
};

struct leafing {
    void (*leaf)(struct gen *g, void *arg);
    void *arg;
};

static void run(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                const struct leafing *lf);

static bool has_value(const struct cv *v)
{
    return v->ty || v->is_val;
}

static void merge_end(struct gen *g, const struct merge *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        struct cv v = cv_conv(g, g->next[m->var[i]], g->var_ty[m->var[i]]);
        gen_set(g, m->held[i], cv_e(g, &v));
    }
    gen_set(g, m->ok, cx_int(g, 1));
}

static void go_on(struct gen *g, const struct kont *k, const struct leafing *lf)
{
    uint32_t scopes = 0;
    if (g->declined) {
        return;
    }
    while (k && !k->merge && g->missing == 0 && k->test) {
        gen_if(g, emit_bool(g, k->test, k->f));
        facts_hold(g, k->test, k->f);
        scopes++;
        k = k->next;
    }
    if (!k) {
        lf->leaf(g, lf->arg);
    } else if (k->merge) {
        merge_end(g, k->merge);
    } else {
        run(g, k->act, k->f, k->next, lf);
    }
    gen_scopes_close(g, scopes);
}

static void go_on_if(struct gen *g, const struct cx *cond, const struct kont *k,
                     const struct leafing *lf)
{
    gen_if(g, cond);
    go_on(g, k, lf);
    gen_scope_close(g);
}

static const struct ty *var_type(const struct gen *g, uint32_t var)
{
    return var < g->spec->nvar ? g->var_ty[var] : NULL;
}

static void assign(struct gen *g, uint32_t var, struct cv v, const struct kont *k,
                   const struct leafing *lf)
{
    if (!has_value(&v)) {
        gen_no(g, "a variable gets a value without a layout");
        return;
    }
    g->next[var] = v;
    g->missing--;
    size_t kept = steps_renew(g);
    go_on(g, k, lf);
    steps_back(g, kept);
    g->missing++;
    g->next[var] = (struct cv){0};
}

static struct cv current(struct gen *g, uint32_t var)
{
    struct cv v = cv_state(g, "s", var);
    v.now = var + 1;
    return v;
}

static void run_assign(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                       const struct leafing *lf)
{
    struct cv v = cv_hold(g, emit(g, a->x, f, var_type(g, a->var)));
    if (has_value(&g->next[a->var])) {
        go_on_if(g, emit_eq(g, g->next[a->var], v), k, lf);
        return;
    }
    assign(g, a->var, v, k, lf);
}

/* ---- sets with repetitions ----
 * TLC does not make some unions: it goes through their parts, and meets an element that is in
 * several of them several times. A set that is made in C has every element once, so such unions are
 * left to the interpreter. */

/* Looks for unions in everything below an expression. */
struct seek {
    VEC(const struct unit *) units;
    uint8_t *seen; /* by the ids of expressions: names are used several times */
    bool found;
};

static void seek_unit(void *arg, const struct unit *u);
static void seek_act(void *arg, const struct act *a)
{
    (void)arg;
    (void)a;
}

static void seek_ex(void *arg, const struct ex *x)
{
    struct seek *seek = arg;
    struct visitor v = {seek_ex, seek_act, seek_unit, seek};
    if (!x || seek->found || seek->seen[x->id]) {
        return;
    }
    seek->seen[x->id] = 1;
    if (x->op == EX_UNION) {
        seek->found = true;
    }
    for (uint32_t i = 0; x->op == EX_CUP && i < 2; i++) {
        seek->found |= ex_has(x->kid[i], IR_SET_FORM);
    }
    walk_ex(x, &v);
}

static void seek_unit(void *arg, const struct unit *u)
{
    struct seek *seek = arg;
    struct visitor v = {seek_ex, seek_act, seek_unit, seek};
    for (size_t i = 0; i < seek->units.n; i++) {
        if (seek->units.v[i] == u) {
            return;
        }
    }
    VEC_PUSH(&seek->units, u);
    walk_unit(u, &v);
}

static bool deep_union(const struct gen *g, const struct ex *x)
{
    size_t n = g->spec->nex + 1;
    struct seek seek = {.seen = vec_grow(NULL, &(size_t){0}, n, 1)};
    memset(seek.seen, 0, n);
    seek_ex(&seek, x);
    vec_release(seek.seen);
    VEC_DONE(&seek.units);
    return seek.found;
}

static bool const_repeats(struct gen *g, struct val set)
{
    if (!val_is_set(set) || val_is_kind(set, VK_SET) || val_is_kind(set, VK_INTERVAL) ||
        !set_is_enumerable(set) || !set_is_finite(g->ctx, set)) {
        return false;
    }
    struct set_iter it;
    struct val elem;
    uint64_t n = 0;
    set_iter_init(&it, g->ctx, set);
    while (n <= TY_CAP_MAX && set_iter_next(&it, &elem)) {
        n++;
    }
    return n > TY_CAP_MAX || n != val_obj(set_force(g->ctx, set))->n;
}

static bool may_repeat(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct val v;
    if (gen_const_of(g, x, f, &v)) {
        return const_repeats(g, v);
    }
    gen_see_through(g, &x, &f);
    if (ex_is_name(x)) {
        const struct slot *s = &f->slot[x->slot];
        if (s->kind != SLOT_LAZY) {
            return false;
        }
        return s->lazy->ex     ? may_repeat(g, s->lazy->ex, s->lazy->home)
               : s->lazy->unit ? deep_union(g, s->lazy->unit->body)
                               : true;
    }
    if (x->op == EX_FILTER) {
        return may_repeat(g, ((const struct fcn_info *)x->u.p)->binder->sets[0], f);
    }
    if (x->op == EX_CUP) {
        for (uint32_t i = 0; i < 2; i++) {
            const struct ex *kid = x->kid[i];
            struct fenv *kf = f;
            gen_see_through(g, &kid, &kf);
            if (gen_const_of(g, kid, kf, &v) && !val_is_kind(v, VK_SET) &&
                !val_is_kind(v, VK_INTERVAL)) {
                return true; /* such a constant makes the union one that is not made */
            }
            if (ex_has(kid, IR_SET_FORM) || kid->op == EX_FILTER || may_repeat(g, kid, kf)) {
                return true;
            }
        }
        return false;
    }
    if (x->op == EX_CAP || x->op == EX_SETMINUS) {
        return may_repeat(g, x->kid[0], f);
    }
    if (x->op == EX_IF) {
        return may_repeat(g, x->kid[1], f) || may_repeat(g, x->kid[2], f);
    }
    for (uint32_t i = 0; x->op == EX_CASE && i < x->n; i++) { /* values, and OTHER */
        if ((i % 2 == 1 || i + 1 == x->n) && may_repeat(g, x->kid[i], f)) {
            return true;
        }
    }
    if (x->op == EX_CALL_SLOT && f->slot[x->slot].kind == SLOT_OPER &&
        deep_union(g, f->slot[x->slot].unit->body)) {
        return true;
    }
    return x->op == EX_UNION || ((x->op == EX_CALL || x->op == EX_CALL_SLOT) && deep_union(g, x));
}

static void refuse_repeats(struct gen *g, const struct ex *x, struct fenv *f)
{
    if (may_repeat(g, x, f)) {
        gen_no(g, "a choice from a union that is not made");
        return;
    }
}

static void run_assign_in(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                          const struct leafing *lf)
{
    if (has_value(&g->next[a->var])) {
        go_on_if(g, emit_in(g, g->next[a->var], a->x, f), k, lf);
        return;
    }
    refuse_repeats(g, a->x, f);
    struct loop_out loop;
    bool unordered = g->unordered;
    g->early = g->leaving;
    gen_loop_open(g, a->x, f, &loop);
    g->unordered |= !loop.ordered;
    assign(g, a->var, loop.elem, k, lf);
    g->unordered = unordered;
    gen_loop_close(g, &loop);
}

static void run_unchanged(struct gen *g, const uint32_t *vars, uint32_t n, const struct kont *k,
                          const struct leafing *lf)
{
    uint64_t set[4] = {0};
    uint32_t scopes = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct cv *v = &g->next[vars[i]];
        if (has_value(v)) {
            gen_if(g, emit_eq(g, *v, current(g, vars[i])));
            scopes++;
        } else {
            *v = current(g, vars[i]);
            g->missing--;
            set[i / 64] |= UINT64_C(1) << (i % 64);
        }
    }
    size_t kept = steps_renew(g);
    go_on(g, k, lf);
    steps_back(g, kept);
    gen_scopes_close(g, scopes);
    for (uint32_t i = 0; i < n; i++) {
        if (set[i / 64] >> (i % 64) & 1) {
            g->next[vars[i]] = (struct cv){0};
            g->missing++;
        }
    }
}

/* ---- branches ---- */

/* Variables without a value that the action assigns on its only way through; false: there are
 * several ways, or they differ. */
static bool assigned_by(struct gen *g, const struct act *a, uint64_t *vars)
{
    uint64_t left = 0;
    uint64_t right = 0;
    if (a->op == ACT_TEST || a->op == ACT_CHANGED) {
        return true;
    }
    if (a->op == ACT_ASSIGN || a->op == ACT_UNCHANGED_VAR) {
        if (a->var >= 64 || a->var >= g->spec->nvar) {
            return false;
        }
        *vars |= has_value(&g->next[a->var]) ? 0 : UINT64_C(1) << a->var;
        return true;
    }
    if (a->op == ACT_UNCHANGED_VARS) {
        for (uint32_t i = 0; i < a->nslot; i++) {
            if (a->slots[i] >= 64) {
                return false;
            }
            *vars |= has_value(&g->next[a->slots[i]]) ? 0 : UINT64_C(1) << a->slots[i];
        }
        return true;
    }
    if (a->op == ACT_CONJ || a->op == ACT_LET) {
        for (uint32_t i = 0; i < a->n; i++) {
            if (!assigned_by(g, a->kid[i], vars)) {
                return false;
            }
        }
        return true;
    }
    if (a->op == ACT_IF) {
        if (!assigned_by(g, a->kid[0], &left) || !assigned_by(g, a->kid[1], &right) ||
            left != right) {
            return false;
        }
        *vars |= left;
        return true;
    }
    return false;
}

static void run_if_merged(struct gen *g, const struct act *a, struct fenv *f, uint64_t vars,
                          const struct kont *k, const struct leafing *lf)
{
    struct merge m = {.ok = gen_new_flag(g, cx_int(g, 0))};
    for (uint32_t i = 0; i < 64; i++) {
        if (vars >> i & 1) {
            m.var[m.n] = i;
            m.held[m.n++] = gen_new_var(g, g->var_ty[i]);
        }
    }
    struct kont end = {.merge = &m};
    const struct cx *c = emit_bool(g, a->x, f);
    for (int side = 0; side < 2; side++) {
        if (side) {
            gen_else(g, NULL);
        } else {
            gen_if(g, c);
        }
        run(g, a->kid[side], f, &end, lf);
        gen_scope_close(g);
    }
    for (uint32_t i = 0; i < m.n; i++) {
        g->next[m.var[i]] = cv_of(g, g->var_ty[m.var[i]], cx_sealed(g, m.held[i]));
        g->missing--;
    }
    size_t kept = steps_renew(g);
    go_on_if(g, cx_sealed(g, m.ok), k, lf);
    steps_back(g, kept);
    for (uint32_t i = 0; i < m.n; i++) {
        g->next[m.var[i]] = (struct cv){0};
        g->missing++;
    }
}

static void run_if(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                   const struct leafing *lf)
{
    uint64_t vars = 0;
    enum truth truth = facts_truth(g, a->x, f);
    if (truth != TRUTH_UNKNOWN) {
        run(g, a->kid[truth == TRUTH_FALSE], f, k, lf);
        return;
    }
    if (k && !k->merge && assigned_by(g, a, &vars)) {
        run_if_merged(g, a, f, vars, k, lf);
        return;
    }
    gen_if(g, emit_bool(g, a->x, f));
    facts_hold(g, a->x, f);
    run(g, a->kid[0], f, k, lf);
    gen_scope_close(g);
    gen_else(g, NULL);
    run(g, a->kid[1], f, k, lf);
    gen_scope_close(g);
}

static void run_case(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                     const struct leafing *lf)
{
    const struct act_case_info *info = a->info;
    uint32_t scopes = 0;
    for (uint32_t i = 0; i < info->nguard; i++) {
        enum truth truth = facts_truth(g, info->guards[i], f);
        if (truth == TRUTH_TRUE) {
            run(g, a->kid[i], f, k, lf);
            gen_scopes_close(g, scopes);
            return;
        }
        if (truth == TRUTH_FALSE) {
            continue;
        }
        gen_if(g, emit_bool(g, info->guards[i], f));
        facts_hold(g, info->guards[i], f);
        run(g, a->kid[i], f, k, lf);
        gen_scope_close(g);
        gen_else(g, NULL);
        scopes++;
    }
    if (a->n > info->nguard) {
        run(g, a->kid[info->nguard], f, k, lf);
    } else {
        gen_trap(g, "T_CASE");
    }
    gen_scopes_close(g, scopes);
}

/* ---- guards with several ways ----
 * A disjunction, or \E, among the guards makes a successor once for each way in which it holds.
 * Guards without assignments are counted, and what follows them runs so many times. */
static bool only_guards(const struct act *a)
{
    if (a->op == ACT_TEST) {
        return true;
    }
    if (a->op != ACT_CONJ && a->op != ACT_LET && a->op != ACT_IF && a->op != ACT_IMPLIES &&
        a->op != ACT_FORALL && a->op != ACT_DISJ && a->op != ACT_EXISTS) {
        return false;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        if (!only_guards(a->kid[i])) {
            return false;
        }
    }
    return true;
}

/* Writes code that adds or multiplies the number of ways into the C variable `t`. */
static void ways(struct gen *g, const struct act *a, struct fenv *f, const struct cx *t);

static const struct cx *ways_new(struct gen *g)
{
    return gen_new_number(g, CX_I64, cx_int(g, 0));
}

static void ways_conj(struct gen *g, const struct act *a, struct fenv *f, const struct cx *t)
{
    gen_set(g, t, cx_int(g, 1));
    for (uint32_t i = 0; i < a->n; i++) {
        gen_if(g, t);
        const struct cx *one = ways_new(g);
        ways(g, a->kid[i], f, one);
        gen_change(g, t, "*=", one);
    }
    gen_scopes_close(g, a->n);
}

static void ways_disj(struct gen *g, const struct act *a, struct fenv *f, const struct cx *t)
{
    gen_set(g, t, cx_int(g, 0));
    for (uint32_t i = 0; i < a->n; i++) {
        gen_block(g);
        const struct cx *one = ways_new(g);
        ways(g, a->kid[i], f, one);
        gen_change(g, t, "+=", one);
        gen_scope_close(g);
    }
}

static void ways_quantifier(struct gen *g, const struct act *a, struct fenv *f, const struct cx *t)
{
    bool all = a->op == ACT_FORALL;
    const char *label = gen_new_label(g);
    gen_set(g, t, cx_int(g, all));
    for (uint32_t i = 0; i < a->binder->nset; i++) {
        refuse_repeats(g, a->binder->sets[i], f);
    }
    gen_block(g);
    struct sieve sieve = {.act = a->kid[0]};
    bool ordered;
    g->early = all;
    uint32_t scopes = all ? gen_binder_open(g, a->binder, f, f, NULL, &ordered)
                          : gen_binder_open_for(g, a->binder, f, &sieve, &ordered);
    const struct cx *one = ways_new(g);
    struct gen_mark mark = gen_mark(g);
    ways(g, a->kid[0], f, one);
    bool to_the_end = !ordered && gen_may_trap(g, &mark); /* TLC may meet an error before */
    gen_change(g, t, all ? "*=" : "+=", one);
    if (all && !to_the_end) {
        gen_if(g, cx_not(g, t));
        gen_goto(g, label);
        gen_scope_close(g);
    }
    gen_scopes_close(g, scopes);
    gen_label(g, label);
    gen_scope_close(g);
}

static void ways(struct gen *g, const struct act *a, struct fenv *f, const struct cx *t)
{
    if (a->op == ACT_TEST) {
        gen_set(g, t, emit_bool(g, a->x, f));
    } else if (a->op == ACT_CONJ) {
        ways_conj(g, a, f, t);
    } else if (a->op == ACT_DISJ) {
        ways_disj(g, a, f, t);
    } else if (a->op == ACT_FORALL || a->op == ACT_EXISTS) {
        ways_quantifier(g, a, f, t);
    } else if (a->op == ACT_LET) {
        size_t steps = g->steps.n;
        gen_let_open(g, f, a->slots, a->nslot);
        ways(g, a->kid[0], f, t);
        g->steps.n = steps;
    } else { /* IF, => */
        bool implies = a->op == ACT_IMPLIES;
        gen_if(g, emit_bool(g, a->x, f));
        ways(g, a->kid[0], f, t);
        gen_scope_close(g);
        gen_else(g, NULL);
        if (implies) {
            gen_set(g, t, cx_int(g, 1));
        } else {
            ways(g, a->kid[1], f, t);
        }
        gen_scope_close(g);
    }
}

/* Runs what follows once for each way. */
static void run_guards(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                       const struct leafing *lf)
{
    const struct cx *t = ways_new(g);
    ways(g, a, f, t);
    gen_for(g, t, NULL, cx_two(g, CX_GT, t, cx_int(g, 0)), "-=", cx_int(g, 1));
    go_on(g, k, lf);
    gen_scope_close(g);
}

static void run_forall(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                       const struct leafing *lf)
{
    if (!only_guards(a->kid[0])) {
        gen_no(g, "\\A over assignments");
        return;
    }
    run_guards(g, a, f, k, lf);
}

static void run_conj(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                     const struct leafing *lf)
{
    struct kont *chain = ARENA_ARRAY(g->arena, struct kont, a->n + 1);
    for (uint32_t i = a->n; i-- > 1;) {
        chain[i] = (struct kont){a->kid[i], f, a->tests ? a->tests[i] : NULL, NULL, k};
        k = &chain[i];
    }
    run(g, a->kid[0], f, k, lf);
}

/* An argument as a conjunct: enumerated unless its value is known, which may be since another way
 * through the action was tried. */
static void run_lazy(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                     const struct leafing *lf)
{
    const struct slot *s = &f->slot[a->x->slot];
    const struct cx *flag = s->kind == SLOT_LAZY ? lazy_flag(g, s->lazy) : NULL;
    if (!flag) {
        go_on_if(g, emit_bool(g, a->x, f), k, lf);
        return;
    }
    gen_if(g, flag);
    go_on_if(g, emit_bool(g, a->x, f), k, lf);
    gen_scope_close(g);
    gen_else(g, NULL);
    run(g, a->kid[0], f, k, lf);
    gen_scope_close(g);
}

static void run_exists(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                       const struct leafing *lf)
{
    for (uint32_t i = 0; i < a->binder->nset; i++) {
        refuse_repeats(g, a->binder->sets[i], f);
    }
    gen_block(g);
    struct sieve sieve = {.act = a->kid[0]};
    bool unordered = g->unordered;
    bool ordered;
    g->early = g->leaving;
    uint32_t scopes = gen_binder_open_for(g, a->binder, f, &sieve, &ordered);
    g->unordered |= !ordered;
    run(g, a->kid[0], f, k, lf);
    g->unordered = unordered;
    gen_scopes_close(g, scopes);
    gen_scope_close(g);
}

/* x' \subseteq S */
static void run_assign_subseteq(struct gen *g, const struct act *a, struct fenv *f,
                                const struct kont *k, const struct leafing *lf)
{
    if (has_value(&g->next[a->var])) {
        gen_no(g, "a test whether the next value is a subset");
        return;
    }
    struct loop_out loop;
    bool unordered = g->unordered;
    gen_loop_open_subset(g, emit(g, a->x, f, NULL), &loop);
    g->unordered |= !loop.ordered;
    assign(g, a->var, loop.elem, k, lf);
    g->unordered = unordered;
    gen_loop_close(g, &loop);
}

/* Is there one way at most in which it holds? */
static bool one_way(const struct act *a)
{
    if (a->op != ACT_TEST && a->op != ACT_CONJ && a->op != ACT_LET && a->op != ACT_IF &&
        a->op != ACT_IMPLIES) {
        return false;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        if (!one_way(a->kid[i])) {
            return false;
        }
    }
    return true;
}

/* f[e] as a conjunct, where f is defined in the same place: the body, for that argument. */
static void run_fapply(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                       const struct leafing *lf)
{
    const struct unit *unit = a->info;
    struct fenv *home = f;
    const struct ex *fun = fenv_definition(g, a->x, &home);
    if (!fun || fun->op != EX_FCN || ((const struct fcn_info *)fun->u.p)->unit != unit ||
        unit->self != NO_SLOT || unit->binder->nvar != 1 || !one_way(unit->act)) {
        gen_no(g, "a function as an action");
        return;
    }
    struct cv arg = cv_hold(g, emit(g, a->x2, f, NULL));
    gen_trap_if(g, "T_DOMAIN", cx_not(g, emit_in(g, arg, unit->binder->sets[0], home)));
    struct fenv *inner = fenv_enter(g, unit, home);
    fenv_bind_var(g, &unit->binder->vars[0], inner, arg);
    run(g, unit->act, inner, k, lf);
}

/* An operator as an action: written where it is called. What follows it is inside, and may call it
 * again; one that calls itself is left to the interpreter. */
enum { CALLS_MAX = 8 };

static void run_call(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                     const struct leafing *lf)
{
    const struct unit *unit = a->info;
    uint32_t calls = 0;
    for (size_t i = 0; i < g->active.n; i++) {
        calls += g->active.v[i].unit == unit;
    }
    if (!unit->act || (unit->def && unit->def->recursive) || calls == CALLS_MAX) {
        gen_no(g, "a recursive operator as an action");
        return;
    }
    VEC_PUSH(&g->active, (struct active){unit});
    size_t steps = g->steps.n;
    run(g, unit->act, fenv_call(g, unit, a->args, a->call, f), k, lf);
    g->steps.n = steps;
    g->active.n--;
}

static void run_test(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                     const struct leafing *lf)
{
    gen_if(g, emit_bool(g, a->x, f));
    facts_hold(g, a->x, f);
    go_on(g, k, lf);
    gen_scope_close(g);
}

static void run_disj(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                     const struct leafing *lf)
{
    if (k && only_guards(a)) {
        run_guards(g, a, f, k, lf);
        return;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        gen_block(g);
        run(g, a->kid[i], f, k, lf);
        gen_scope_close(g);
    }
}

static void run_implies(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                        const struct leafing *lf)
{
    gen_if(g, emit_bool(g, a->x, f));
    run(g, a->kid[0], f, k, lf);
    gen_scope_close(g);
    gen_else(g, NULL);
    go_on(g, k, lf);
    gen_scope_close(g);
}

static void run_let(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                    const struct leafing *lf)
{
    size_t steps = g->steps.n;
    gen_let_open(g, f, a->slots, a->nslot);
    run(g, a->kid[0], f, k, lf);
    g->steps.n = steps;
}

static void run_unchanged_var(struct gen *g, const struct act *a, struct fenv *f,
                              const struct kont *k, const struct leafing *lf)
{
    (void)f;
    run_unchanged(g, &a->var, 1, k, lf);
}

static void run_unchanged_vars(struct gen *g, const struct act *a, struct fenv *f,
                               const struct kont *k, const struct leafing *lf)
{
    (void)f;
    run_unchanged(g, a->slots, a->nslot, k, lf);
}

static void run_changed(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                        const struct leafing *lf)
{
    struct cv v0 = emit(g, a->x, f, NULL);
    struct cv v1 = emit(g, a->x2, f, NULL);
    go_on_if(g, cx_not(g, emit_eq(g, v0, v1)), k, lf);
}

static void run_mark(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                     const struct leafing *lf)
{
    uint32_t before = g->action;
    g->action = a->var;
    run(g, a->kid[0], f, k, lf);
    g->action = before;
}

/* What ops.def says. */
typedef void (*act_emitter)(struct gen *g, const struct act *a, struct fenv *f,
                            const struct kont *k, const struct leafing *lf);
static const act_emitter act_emitters[ACT_COUNT] = {
#define NOT         NULL
#define S(function) function
/* NOLINTNEXTLINE(bugprone-macro-parentheses): an initialiser */
#define ACT(NAME, eval, kids, payload, flags, emit, test) [ACT_##NAME] = emit,
#include "ir/ops.def"
#undef NOT
#undef S
};

static void run_now(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                    const struct leafing *lf)
{
    if (!act_emitters[a->op]) {
        gen_no(g, "an action of an unusual form");
        return;
    }
    act_emitters[a->op](g, a, f, k, lf);
}

/* A branch that the emitter does not know becomes a trap; the others are compiled. */
static void run(struct gen *g, const struct act *a, struct fenv *f, const struct kont *k,
                const struct leafing *lf)
{
    if (g->declined) {
        return;
    }
    if (a->op == ACT_CONJ || a->op == ACT_TEST) {
        run_now(g, a, f, k, lf);
        return;
    }
    struct gen_mark mark = gen_mark(g);
    run_now(g, a, f, k, lf);
    if (g->declined) {
        (void)gen_back(g, &mark, a->src);
    }
}

void emit_act(struct gen *g, const struct act *a, struct fenv *f,
              void (*leaf)(struct gen *g, void *arg), void *arg)
{
    struct leafing lf = {leaf, arg};
    run(g, a, f, NULL, &lf);
}

/* ---- ENABLED ----
 * The first successor decides. In loops that are not in TLC's order the others are looked at too,
 * if anything can go wrong there: TLC may meet it first. Whether it can is known at the end; `once`
 * is a constant that is written then. */
struct enabled_leaf {
    const struct cx *t, *once;
    const char *label;
};

static void leaf_enabled(struct gen *g, void *arg)
{
    const struct enabled_leaf *e = arg;
    gen_set(g, e->t, cx_int(g, 1));
    gen_if(g, g->unordered ? e->once : cx_int(g, 1));
    gen_goto(g, e->label);
    gen_scope_close(g);
}

struct cv emit_enabled(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    (void)want;
    uint32_t nvar = g->spec->nvar + (uint32_t)g->spec->extra_vars.n;
    struct cv *next = g->next;
    bool next_given = g->next_given;
    uint32_t missing = g->missing;
    bool leaving = g->leaving;
    bool unordered = g->unordered;
    struct enabled_leaf e = {.t = gen_new_flag(g, cx_int(g, 0))};
    e.once = cx_name(g, CX_INT, NULL, gen_tmp(g), true);
    e.label = gen_new_label(g);
    g->next = ARENA_ARRAY(g->arena, struct cv, nvar + 1);
    g->next_given = false;
    g->missing = nvar + 1; /* never complete: conjuncts are always enumerated */
    g->leaving = true;
    g->unordered = false;
    gen_block(g);
    struct tree_node *once = tree_add(
        g->arena, g->out,
        (struct tree_node){.kind = TREE_LET, .text = "int", .x = e.once, .y = cx_int(g, 1)},
        TREE_PLAIN);
    struct gen_mark mark = gen_mark(g);
    size_t kept = steps_renew(g);
    emit_act(g, x->u.p, f, leaf_enabled, &e);
    steps_back(g, kept);
    if (gen_may_trap(g, &mark)) {
        once->y = cx_int(g, 0);
    }
    gen_label(g, e.label);
    gen_scope_close(g);
    g->next = next;
    g->next_given = next_given;
    g->missing = missing;
    g->leaving = leaving;
    g->unordered = unordered;
    return cv_of(g, g->tys->boolean, cx_sealed(g, e.t));
}

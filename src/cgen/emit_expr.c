/* Expressions: names, calls, logic, choices. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/facts.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/native.h"
#include "sem/sem.h"
#include "value/value.h"

/* ---- looking through names ---- */
/* <<x, y>> of variables, as `dag == <<vs, es>>` */
static bool is_tuple_of_state(const struct ex *x)
{
    bool plain = x->op == EX_TUPLE;
    for (uint32_t i = 0; plain && i < x->n; i++) {
        plain = x->kid[i]->op == EX_VAR0;
    }
    return plain;
}

static bool is_form(const struct ex *x)
{
    return is_tuple_of_state(x) || x->op == EX_RANGE || ex_has(x, IR_SET_FORM) ||
           x->op == EX_DOMAIN || ex_is_native(x, NATIVE_SEQ);
}

void gen_see_through(struct gen *g, const struct ex **x, struct fenv **f)
{
    for (;;) {
        const struct ex *at = *x;
        if (at->op == EX_LET) {
            const struct let_slots *slots = at->u.p;
            gen_let_open(g, *f, slots->slot, slots->n);
            *x = at->kid[0];
            continue;
        }
        if (!ex_is_name(at)) {
            return;
        }
        const struct slot *s = &(*f)->slot[at->slot];
        if (s->kind != SLOT_LAZY) {
            return;
        }
        if (ex_is_lazy(at) && !s->lazy->ex && !s->lazy->unit) {
            s->lazy->ex = at->kid[0];
            s->lazy->home = *f;
        }
        if (s->lazy->ex && is_form(s->lazy->ex)) {
            *x = s->lazy->ex;
            *f = s->lazy->home;
            return;
        }
        if (s->lazy->unit && is_form(s->lazy->unit->body)) {
            *x = s->lazy->unit->body;
            *f = fenv_enter(g, s->lazy->unit, s->lazy->home);
            return;
        }
        return;
    }
}

/* Values of expressions that have no variables: the forms that occur in practice. */
static bool const_kids(struct gen *g, const struct ex *x, struct fenv *f, struct val *kids)
{
    if (x->n > 32 || x->n == 0) {
        return false;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        if (!gen_const_of(g, x->kid[i], f, &kids[i])) {
            return false;
        }
    }
    return true;
}

static bool const_native(struct vctx *ctx, const struct ex *x, const struct val *kids,
                         struct val *ret)
{
    const struct native *native = x->u.p;
    if (!(native->flags & NATIVE_FOLD)) {
        return false;
    }
    *ret = native->fn((struct ev *)ctx->owner, kids);
    return true;
}

/* The value of an expression of one of these forms, whose kids are known. */
struct fold {
    const struct ex *x;
    struct val kid[32];
    struct val ret;
    bool known;
};

static bool fold_number(struct vctx *ctx, enum ex_op op, const struct val *k, struct val *ret)
{
    if (!val_is_small(k[0]) || !val_is_small(k[1])) {
        return false;
    }
    *ret = op == EX_ADD   ? int_add(ctx, k[0], k[1])
           : op == EX_SUB ? int_sub(ctx, k[0], k[1])
                          : int_mul(ctx, k[0], k[1]);
    return true;
}

static void fold_now(struct ev *ev, void *arg)
{
    struct fold *fold = arg;
    const struct ex *x = fold->x;
    const struct val *k = fold->kid;
    struct vctx *ctx = ev_vctx(ev);
    struct val *ret = &fold->ret;
    fold->known = true;
    switch (x->op) {
    case EX_SETENUM: *ret = set_make(ctx, k, x->n); break;
    case EX_TUPLE: *ret = tuple_make(ctx, k, x->n); break;
    case EX_RECORD: *ret = record_make(ctx, x->u.p, k, x->n); break;
    case EX_RANGE: *ret = set_interval(ctx, k[0], k[1]); break;
    case EX_SUBSET: *ret = set_subset(ctx, k[0]); break;
    case EX_FCNSET: *ret = set_fcnset(ctx, k[0], k[1]); break;
    case EX_RECSET: *ret = set_recset(ctx, x->u.p, k, x->n); break;
    case EX_TIMES: *ret = set_product(ctx, k, x->n); break;
    case EX_CUP: *ret = set_cup(ctx, k[0], k[1]); break;
    case EX_CAP: *ret = set_cap(ctx, k[0], k[1]); break;
    case EX_SETMINUS: *ret = set_diff(ctx, k[0], k[1]); break;
    case EX_UNION: *ret = set_union_lazy(ctx, k[0]); break;
    case EX_NATIVE: fold->known = const_native(ctx, x, k, ret); break;
    default: fold->known = fold_number(ctx, x->op, k, ret); break;
    }
}

static bool const_form(struct gen *g, const struct ex *x, struct fenv *f, struct val *ret)
{
    struct fold fold = {.x = x};
    if (x->op == EX_SETENUM && x->n == 0) {
        *ret = set_empty();
        return true;
    }
    if (x->op == EX_TUPLE && x->n == 0) {
        *ret = tuple_empty();
        return true;
    }
    bool nullary = x->op == EX_NATIVE && x->n == 0;
    if (!ex_has(x, IR_FOLD) || (!nullary && !const_kids(g, x, f, fold.kid))) {
        return false;
    }
    /* What fails has no value: whether it is ever asked for is not known here. */
    if (ev_try((struct ev *)g->ctx->owner, fold_now, &fold) != 0 || !fold.known) {
        return false;
    }
    *ret = fold.ret;
    return true;
}

bool gen_const_of(struct gen *g, const struct ex *x, struct fenv *f, struct val *ret)
{
    if (x->op == EX_CONST) {
        *ret = x->u.val;
        return true;
    }
    if (x->op == EX_CELL) {
        const struct const_cell *cell = x->u.p;
        *ret = cell->value;
        return cell->done;
    }
    if (ex_is_name(x)) {
        struct slot *s = &f->slot[x->slot];
        if (s->kind == SLOT_CV && s->cv.is_val) {
            *ret = s->cv.val;
            return true;
        }
        if (s->kind != SLOT_LAZY) {
            return false;
        }
        struct lazy *lazy = s->lazy;
        if (lazy->emitted) {
            *ret = lazy->cv.val;
            return lazy->cv.is_val;
        }
        if (ex_is_lazy(x) && !lazy->ex && !lazy->unit) {
            lazy->ex = x->kid[0];
            lazy->home = f;
        }
        if (lazy->busy || !lazy->ex) {
            return false;
        }
        return gen_const_of(g, lazy->ex, lazy->home, ret);
    }
    return const_form(g, x, f, ret);
}

/* ---- calls ---- */
/* An operator that does nothing but call another one that it was given: LAMBDA a : Op(a). The slot
 * of the other one in the frame around it; NO_SLOT: it is no such operator. */
static uint32_t handed_on(const struct unit *unit)
{
    const struct ex *body = unit->body;
    if (!body || body->op != EX_CALL_SLOT || body->n != unit->nparam) {
        return NO_SLOT;
    }
    for (uint32_t i = 0; i < body->n; i++) {
        const struct ex *arg = body->kid[i];
        if ((arg->op != EX_SLOT && arg->op != EX_SLOT_THUNK) || arg->slot != unit->param[i]) {
            return NO_SLOT;
        }
    }
    for (size_t i = 0; i < unit->captures.n; i++) {
        if (unit->captures.v[i].to == body->slot) {
            return unit->captures.v[i].from;
        }
    }
    return NO_SLOT;
}

bool gen_oper_of(struct gen *g, const struct ex *x, struct fenv *f, struct slot *ret)
{
    (void)g;
    uint32_t other = x->op == EX_CLOSURE_OPER ? handed_on(x->u.p) : NO_SLOT;
    if (other != NO_SLOT && f->slot[other].kind == SLOT_OPER) {
        *ret = f->slot[other];
        return true;
    }
    if (x->op == EX_CLOSURE_OPER) {
        *ret = (struct slot){.kind = SLOT_OPER, .unit = x->u.p, .home = f};
        return true;
    }
    if (x->op == EX_SLOT && f->slot[x->slot].kind == SLOT_OPER) {
        *ret = f->slot[x->slot];
        return true;
    }
    return false;
}

static bool is_active(const struct gen *g, const struct unit *unit)
{
    for (size_t i = 0; i < g->active.n; i++) {
        if (g->active.v[i].unit == unit) {
            return true;
        }
    }
    return false;
}

/* False: declined. */
static bool enter(struct gen *g, const struct unit *unit)
{
    if (is_active(g, unit)) {
        gen_no(g, "an operator that leads back to itself");
        return false;
    }
    VEC_PUSH(&g->active, (struct active){unit});
    return true;
}

/* A call of a RECURSIVE operator: its arguments now. */
static struct cv call_recursive(struct gen *g, const struct ex *x, struct fenv *f,
                                const struct ty *want)
{
    const struct call_info *call = x->u.p;
    struct fenv *callee = fenv_new(g, call->unit);
    for (uint32_t i = 0; i < x->n; i++) {
        const struct ex *kid = x->kid[i];
        uint32_t slot = call->unit->param[i];
        if (gen_oper_of(g, kid, f, &callee->slot[slot])) {
            continue;
        }
        if (kid->op == EX_CLOSURE_THUNK) {
            const struct unit *thunk = kid->u.p;
            fenv_bind(callee, slot, emit(g, thunk->body, fenv_enter(g, thunk, f), NULL));
        } else {
            fenv_bind(callee, slot, emit(g, kid, f, NULL));
        }
    }
    for (uint32_t i = 0; i < call->ncapture; i++) {
        fenv_capture(f, call->captures[i].from, callee, call->captures[i].to,
                     call->captures[i].lazy);
    }
    return emit_rec_call(g, call->unit, callee, want);
}

struct cv emit_oper(struct gen *g, const struct slot *oper, struct cv *args, uint32_t n,
                    const struct ty *want)
{
    if (g->declined) {
        return cv_none(g);
    }
    struct fenv *f = fenv_enter(g, oper->unit, oper->home);
    if (oper->unit->nparam != n) {
        return gen_no(g, "an operator with other arguments");
    }
    for (uint32_t i = 0; i < n; i++) {
        fenv_bind(f, oper->unit->param[i], cv_hold(g, args[i]));
    }
    if (!enter(g, oper->unit)) {
        return cv_none(g);
    }
    struct cv v = emit(g, oper->unit->body, f, want);
    g->active.n--;
    return v;
}

struct fenv *fenv_call(struct gen *g, const struct unit *unit, const struct ex *const *args,
                       const struct call_info *call, struct fenv *f)
{
    struct fenv *callee = fenv_new(g, unit);
    for (uint32_t i = 0; args && i < unit->nparam; i++) {
        const struct ex *kid = args[i];
        struct slot *s = &callee->slot[unit->param[i]];
        if (!kid || gen_oper_of(g, kid, f, s)) {
            continue;
        }
        struct lazy *lazy = lazy_new(g, f);
        if (kid->op == EX_CLOSURE_THUNK) {
            lazy->unit = kid->u.p;
        } else {
            lazy->ex = kid;
        }
        if (kid->level >= LEVEL_ACTION) {
            VEC_PUSH(&g->steps, lazy);
        }
        *s = (struct slot){.kind = SLOT_LAZY, .lazy = lazy};
    }
    for (uint32_t i = 0; call && i < call->ncapture; i++) {
        fenv_capture(f, call->captures[i].from, callee, call->captures[i].to,
                     call->captures[i].lazy);
    }
    return callee;
}

static struct cv emit_call(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    const struct call_info *call = x->u.p;
    const struct unit *unit = call->unit;
    if (unit->def && unit->def->recursive) {
        return call_recursive(g, x, f, want);
    }
    if (!enter(g, unit)) {
        return cv_none(g);
    }
    size_t steps = g->steps.n;
    ASSERT(x->n == unit->nparam);
    struct fenv *callee = fenv_call(g, unit, x->kid, call, f);
    struct cv v = emit(g, unit->body, callee, want);
    g->active.n--;
    g->steps.n = steps;
    return v;
}

static struct cv emit_call_slot(struct gen *g, const struct ex *x, struct fenv *f,
                                const struct ty *want)
{
    struct slot oper = f->slot[x->slot];
    struct cv args[16];
    if (oper.kind != SLOT_OPER || x->n > 16) {
        return gen_no(g, "an operator argument");
    }
    for (uint32_t i = 0; i < x->n; i++) {
        args[i] = emit(g, x->kid[i], f, NULL);
    }
    return emit_oper(g, &oper, args, x->n, want);
}

/* ---- names ---- */
static struct cv emit_slot(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    struct slot *s = &f->slot[x->slot];
    switch (s->kind) {
    case SLOT_CV: return s->cv;
    case SLOT_LAZY:
        if (ex_is_lazy(x) && !s->lazy->ex && !s->lazy->unit) {
            s->lazy->ex = x->kid[0];
            s->lazy->home = f;
        }
        return lazy_get(g, s->lazy, want);
    default: return gen_no(g, "a name without a value");
    }
}

static struct cv emit_var(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    (void)f;
    (void)want;
    uint32_t var = (uint32_t)x->u.i;
    if (x->op == EX_VAR0) {
        struct cv v = cv_state(g, "s", var);
        v.now = var + 1;
        return v;
    }
    struct cv *v = g->next ? &g->next[var] : NULL;
    if (!v || (!v->ty && !v->is_val)) {
        gen_trap(g, "T_KIND");
        return cv_none(g);
    }
    return *v;
}

/* ---- logic ---- */
static const struct cx *emit_junction(struct gen *g, const struct ex *x, struct fenv *f)
{
    bool conj = x->op == EX_CONJ;
    const struct cx *t = gen_new_flag(g, cx_int(g, !conj));
    uint32_t i = 0;
    for (; i < x->n; i++) {
        const struct cx *e = emit_bool(g, x->kid[i], f);
        gen_if(g, conj ? e : cx_not(g, e));
    }
    gen_set(g, t, cx_int(g, conj));
    gen_scopes_close(g, i);
    return cx_sealed(g, t);
}

/* if (cond) { t = is; goto label; } */
void gen_decide(struct gen *g, const struct cx *cond, const struct cx *t, int64_t is,
                const char *label)
{
    gen_if(g, cond);
    gen_set(g, t, cx_int(g, is));
    if (label) {
        gen_goto(g, label);
    }
    gen_scope_close(g);
}

static const struct cx *emit_quantifier(struct gen *g, const struct ex *x, struct fenv *f)
{
    bool all = x->op == EX_FORALL;
    const struct cx *t = gen_new_flag(g, cx_int(g, all));
    const char *label = gen_new_label(g);
    gen_block(g);
    g->early = true;
    bool ordered;
    struct sieve sieve = {.body = x->kid[0], .all = all};
    uint32_t scopes = gen_binder_open_for(g, x->u.p, f, &sieve, &ordered);
    struct gen_mark mark = gen_mark(g);
    const struct cx *e = emit_bool(g, x->kid[0], f);
    bool to_the_end = !ordered && gen_may_trap(g, &mark); /* TLC may meet an error before */
    gen_decide(g, all ? cx_not(g, e) : e, t, !all, to_the_end ? NULL : label);
    gen_scopes_close(g, scopes);
    gen_label(g, label);
    gen_scope_close(g);
    return cx_sealed(g, t);
}

static const struct cx *emit_number_test(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct cv a = cv_hold(g, cv_int(g, emit(g, x->kid[0], f, NULL)));
    struct cv b = cv_hold(g, cv_int(g, emit(g, x->kid[1], f, NULL)));
    enum cx_op op = x->op == EX_LT   ? CX_LT
                    : x->op == EX_LE ? CX_LE
                    : x->op == EX_GT ? CX_GT
                                     : CX_GE;
    const struct cx *left = cv_e(g, &a);
    return cx_two(g, op, left, cv_e(g, &b));
}

/* e \in {a, b, c} */
static const struct cx *emit_in_list(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct cv elem = cv_hold(g, emit(g, x->kid[0], f, NULL));
    struct cv all[TY_FIELDS];
    if (x->n > TY_FIELDS || !elem.ty) {
        gen_no(g, "a long list of elements");
        return cx_int(g, 0);
    }
    for (uint32_t i = 1; i < x->n; i++) {
        all[i] = emit(g, x->kid[i], f, elem.ty);
    }
    const struct cx *t = gen_new_flag(g, cx_int(g, 0));
    uint32_t scopes = 0;
    for (uint32_t i = 1; i < x->n; i++) {
        gen_set(g, t, emit_eq(g, all[i], elem));
        gen_if(g, cx_not(g, t));
        scopes++;
    }
    gen_scopes_close(g, scopes);
    return cx_sealed(g, t);
}

/* Are both tuples of variables, with or without primes: nothing can go wrong in evaluating them. */
static bool tuples_of_variables(const struct ex *a, const struct ex *b)
{
    bool plain = a->op == EX_TUPLE && b->op == EX_TUPLE && a->n == b->n && a->n > 0;
    for (uint32_t i = 0; plain && i < a->n; i++) {
        plain = (a->kid[i]->op == EX_VAR0 || a->kid[i]->op == EX_VAR1) &&
                (b->kid[i]->op == EX_VAR0 || b->kid[i]->op == EX_VAR1);
    }
    return plain;
}

/* a = b. Tuples such as <<x, y>>' = <<x, y>> are not made: their parts are compared until two
 * differ. */
static const struct cx *emit_same(struct gen *g, const struct ex *a, const struct ex *b,
                                  struct fenv *f)
{
    const struct ex *ta = a;
    const struct ex *tb = b;
    struct fenv *fa = f;
    struct fenv *fb = f;
    gen_see_through(g, &ta, &fa);
    gen_see_through(g, &tb, &fb);
    if (!tuples_of_variables(ta, tb)) {
        struct cv left = cv_hold(g, emit(g, a, f, NULL));
        return emit_eq(g, left, cv_hold(g, emit(g, b, f, left.ty)));
    }
    const struct cx *t = gen_new_flag(g, cx_int(g, 1));
    for (uint32_t i = 0; i < ta->n; i++) {
        gen_if(g, t);
        struct cv left = emit(g, ta->kid[i], fa, NULL);
        gen_set(g, t, emit_eq(g, left, emit(g, tb->kid[i], fb, left.ty)));
        gen_scope_close(g);
    }
    return cx_sealed(g, t);
}

/* [A]_v, <<A>>_v, and the same in a temporal formula */
static const struct cx *emit_step(struct gen *g, const struct ex *x, struct fenv *f)
{
    const struct cx *t = gen_new_flag(g, cx_int(g, 0));
    if (x->op == EX_STEP_TAKEN) {
        gen_set(g, t, cx_not(g, emit_same(g, x->kid[1], x->kid[2], f)));
        gen_if(g, t);
        gen_set(g, t, emit_bool(g, x->kid[0], f));
        gen_scope_close(g);
        return cx_sealed(g, t);
    }
    bool box = x->op == EX_BOXACT;
    gen_set(g, t, emit_bool(g, x->kid[0], f));
    gen_if(g, box ? cx_not(g, t) : t);
    const struct cx *same = emit_same(g, x->kid[1], x->kid[2], f);
    gen_set(g, t, box ? same : cx_not(g, same));
    gen_scope_close(g);
    return cx_sealed(g, t);
}

/* The type of the elements, when a set is the domain of a map that has a name, or a variable that
 * is a bit vector. */
static const struct ty *elem_type(struct gen *g, const struct ex *set, struct fenv *f)
{
    gen_see_through(g, &set, &f);
    if (set->op == EX_VAR0) {
        const struct ty *ty = emit_var(g, set, f, NULL).ty;
        return ty && ty->kind == TY_BITS && ty->uni ? ty->elem : NULL;
    }
    const struct ex *of = set->op == EX_DOMAIN ? set->kid[0] : NULL;
    if (!of || (of->op != EX_VAR0 && !ex_is_name(of))) {
        return NULL;
    }
    struct cv map = emit(g, of, f, NULL);
    return map.ty && map.ty->kind == TY_MAP && map.ty->cap ? map.ty->key : NULL;
}

static const struct cx *emit_not(struct gen *g, const struct ex *x, struct fenv *f)
{
    return cx_not(g, emit_bool(g, x->kid[0], f));
}

static const struct cx *emit_implies(struct gen *g, const struct ex *x, struct fenv *f)
{
    const struct cx *t = gen_new_flag(g, cx_int(g, 1));
    gen_if(g, emit_bool(g, x->kid[0], f));
    gen_set(g, t, emit_bool(g, x->kid[1], f));
    gen_scope_close(g);
    return cx_sealed(g, t);
}

static const struct cx *emit_equiv(struct gen *g, const struct ex *x, struct fenv *f)
{
    const struct cx *a = gen_let(g, cx_not(g, emit_bool(g, x->kid[0], f)));
    return cx_two(g, CX_EQ, a, cx_not(g, emit_bool(g, x->kid[1], f)));
}

static const struct cx *emit_equal(struct gen *g, const struct ex *x, struct fenv *f)
{
    const struct cx *e = emit_same(g, x->kid[0], x->kid[1], f);
    return x->op == EX_NEQ ? cx_not(g, e) : e;
}

static const struct cx *emit_member(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct cv elem = emit(g, x->kid[0], f, elem_type(g, x->kid[1], f));
    const struct cx *e = emit_in(g, elem, x->kid[1], f);
    return x->op == EX_NOTIN ? cx_not(g, e) : e;
}

static const struct cx *emit_member_list(struct gen *g, const struct ex *x, struct fenv *f)
{
    const struct cx *e = emit_in_list(g, x, f);
    return x->op == EX_NOTIN_LIST ? cx_not(g, e) : e;
}

/* ---- arithmetic ---- */
static struct cv emit_arith(struct gen *g, const struct ex *x, struct fenv *f,
                            const struct ty *want)
{
    (void)want;
    struct cv a = cv_int(g, emit(g, x->kid[0], f, NULL));
    a = cv_hold(g, a);
    struct cv b = cv_int(g, emit(g, x->kid[1], f, NULL));
    const char *fn = x->op == EX_ADD ? "add_" : x->op == EX_SUB ? "sub_" : "mul_";
    const struct cx *left = cv_e(g, &a);
    return cv_number(g, gen_call(g, cx_call(g, CX_I64, NULL, fn, left, cv_e(g, &b))));
}

/* ---- dispatch ---- */
static const struct domain *rec_domain(struct gen *g, const struct ex *set, struct fenv *f)
{
    struct domain *dom = ARENA_NEW(g->arena, struct domain);
    if (gen_const_of(g, set, f, &dom->val)) {
        dom->is_val = true;
        return dom;
    }
    gen_see_through(g, &set, &f);
    if (set->op == EX_SUBSET) {
        dom->lo = cv_hold(g, cv_set(g, emit(g, set->kid[0], f, NULL)));
        dom->subset = dom->lo.ty != NULL;
    }
    if (dom->subset) {
        return dom;
    }
    if (set->op != EX_RANGE) {
        gen_no(g, "a recursive function over an unusual domain");
        dom->lo = dom->hi = cv_number(g, cx_int(g, 0));
        return dom;
    }
    dom->lo = cv_hold(g, cv_int(g, emit(g, set->kid[0], f, NULL)));
    dom->hi = cv_hold(g, cv_int(g, emit(g, set->kid[1], f, NULL)));
    return dom;
}

const struct ex *fenv_definition(struct gen *g, const struct ex *x, struct fenv **home)
{
    while (x && ex_is_name(x)) {
        struct slot *s = &(*home)->slot[x->slot];
        if (s->kind != SLOT_LAZY) {
            return x;
        }
        if (ex_is_lazy(x) && !s->lazy->ex && !s->lazy->unit) {
            s->lazy->ex = x->kid[0];
            s->lazy->home = *home;
        }
        if (!s->lazy->ex && s->lazy->unit) {
            x = s->lazy->unit->body;
            *home = fenv_enter(g, s->lazy->unit, s->lazy->home);
            continue;
        }
        x = s->lazy->ex;
        *home = s->lazy->home;
    }
    return x;
}

/* f[x] where f is a function that is defined by recursion. */
static bool apply_recursive(struct gen *g, const struct ex *x, struct fenv *f,
                            const struct ty *want, struct cv *ret)
{
    struct fenv *home = f;
    const struct unit *unit = NULL;
    const struct domain *dom = NULL;
    const struct ex *fun = fenv_definition(g, x->kid[0], &home);
    if (!fun) {
        return false;
    }
    if (ex_is_name(fun)) {
        const struct slot *s = &home->slot[fun->slot];
        if (s->kind != SLOT_SELF) {
            return false;
        }
        unit = s->unit;
        dom = s->dom;
    }
    if (!unit && fun->op == EX_CELL && !((const struct const_cell *)fun->u.p)->done) {
        return false;
    }
    if (!unit && fun->op == EX_FCN) {
        const struct fcn_info *info = fun->u.p;
        unit = info->unit;
        if (unit->self == NO_SLOT || info->binder->nvar != 1) {
            return false;
        }
        dom = rec_domain(g, info->binder->sets[0], home);
    }
    if (!unit) {
        return false;
    }
    struct cv arg = cv_hold(g, emit(g, x->kid[1], f, NULL));
    if (dom->is_val) {
        gen_trap_if(g, "T_DOMAIN", cx_not(g, emit_in_val(g, arg, dom->val)));
    } else if (dom->subset) {
        gen_trap_if(g, "T_DOMAIN", cx_not(g, emit_in_subset(g, arg, dom->lo)));
    } else {
        struct cv i = cv_hold(g, cv_int(g, arg));
        struct cv lo = dom->lo;
        struct cv hi = dom->hi;
        const struct cx *e = cv_e(g, &i);
        const struct cx *below = cx_two(g, CX_LT, e, cv_e(g, &lo));
        gen_trap_if(g, "T_DOMAIN", cx_two(g, CX_EITHER, below, cx_two(g, CX_GT, e, cv_e(g, &hi))));
    }
    *ret = emit_rec_apply(g, unit, arg, home, dom, want);
    return true;
}

/* t[1] where t is such a tuple: the variable, without making the tuple. */
static bool part_of_tuple(struct gen *g, const struct ex *x, struct fenv *f,
                          const struct ex **ret_part, struct fenv **ret_f)
{
    const struct ex *tuple = x->kid[0];
    struct fenv *at = f;
    struct val k;
    gen_see_through(g, &tuple, &at);
    if (!is_tuple_of_state(tuple) || !gen_const_of(g, x->kid[1], f, &k) || !val_is_small(k) ||
        val_small_get(k) < 1 || val_small_get(k) > (int64_t)tuple->n) {
        return false;
    }
    *ret_part = tuple->kid[val_small_get(k) - 1];
    *ret_f = at;
    return true;
}

/* A constant. Sets need no layout, nor do functions: they may be asked for an element, or for
 * their domain. A number or a name that has none (an integer of many digits, a string that was
 * met for the first time and is in the table in the next round) is of no use to anybody. */
static struct cv known(struct gen *g, struct val v)
{
    struct cv cv = cv_val(g, v);
    if (!cv.ty && !val_is_set(v) && !val_is_fcn(v)) {
        return gen_no(g, "a constant without a layout");
    }
    return cv;
}

static struct cv emit_let(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    const struct let_slots *slots = x->u.p;
    size_t steps = g->steps.n;
    gen_let_open(g, f, slots->slot, slots->n);
    struct cv let = emit(g, x->kid[0], f, want);
    g->steps.n = steps;
    return let;
}

static struct cv emit_application(struct gen *g, const struct ex *x, struct fenv *f,
                                  const struct ty *want)
{
    struct cv recursive;
    const struct ex *part;
    struct fenv *at;
    if (part_of_tuple(g, x, f, &part, &at)) {
        return emit(g, part, at, want);
    }
    if (apply_recursive(g, x, f, want, &recursive)) {
        return recursive;
    }
    struct cv fcn = emit(g, x->kid[0], f, NULL);
    bool map = fcn.ty && fcn.ty->kind == TY_MAP && fcn.ty->cap;
    struct cv arg = cv_hold(g, emit(g, x->kid[1], f, map ? fcn.ty->key : NULL));
    return emit_apply(g, fcn, arg);
}

static struct cv emit_field(struct gen *g, const struct ex *x, struct fenv *f,
                            const struct ty *want)
{
    (void)want;
    return emit_dot(g, emit(g, x->kid[0], f, NULL), x->u.val);
}

static struct cv emit_domain_of(struct gen *g, const struct ex *x, struct fenv *f,
                                const struct ty *want)
{
    (void)want;
    return emit_domain(g, emit(g, x->kid[0], f, NULL));
}

/* What ops.def says. */
struct emitter {
    struct cv (*value)(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
    const struct cx *(*truth)(struct gen *g, const struct ex *x, struct fenv *f);
};
static const struct emitter emitters[EX_COUNT] = {
#define NOT         {NULL, NULL}
#define K           {NULL, NULL}
#define V(function) {function, NULL}
#define B(function) {NULL, function}
/* NOLINTNEXTLINE(bugprone-macro-parentheses): an initialiser */
#define EX(NAME, eval, kids, payload, flags, emit, test) [EX_##NAME] = emit,
#include "ir/ops.def"
#undef NOT
#undef K
#undef V
#undef B
};

static const struct cx *emit_bool_now(struct gen *g, const struct ex *x, struct fenv *f)
{
    if (sieve_has_passed(g, x, f)) {
        return cx_int(g, 1);
    }
    if (emitters[x->op].truth) {
        return emitters[x->op].truth(g, x, f);
    }
    struct cv v = cv_hold(g, cv_bool(g, emit(g, x, f, g->tys->boolean)));
    return cv_e(g, &v);
}

const struct cx *emit_bool(struct gen *g, const struct ex *x, struct fenv *f)
{
    if (g->declined) {
        return cx_int(g, 0);
    }
    struct gen_mark mark = gen_mark(g);
    const struct cx *e = emit_bool_now(g, x, f);
    if (g->declined) {
        (void)gen_back(g, &mark, x->src);
        return cx_int(g, 0);
    }
    return e;
}

static struct cv emit_now(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    struct val v;
    if (gen_const_of(g, x, f, &v)) {
        return known(g, v);
    }
    if (emitters[x->op].truth) {
        return cv_hold(g, cv_of(g, g->tys->boolean, emit_bool(g, x, f)));
    }
    if (!emitters[x->op].value) {
        return gen_no(g, "an expression that is left to the interpreter");
    }
    return emitters[x->op].value(g, x, f, want);
}

struct cv emit(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    if (g->declined) {
        return cv_none(g);
    }
    struct gen_mark mark = gen_mark(g);
    struct cv v = emit_now(g, x, f, want);
    if (!g->declined) {
        return v;
    }
    return gen_back(g, &mark, x->src) && want ? cv_of(g, want, gen_new_var(g, want)) : cv_none(g);
}

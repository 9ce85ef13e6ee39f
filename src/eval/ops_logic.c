/* Names, calls and logic: constants, variables, slots, LET, calls, junctions, quantifiers, CHOOSE,
 * IF and CASE. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "eval/code.h"
#include "eval/guards.h"
#include "eval/native.h"
#include "eval/ops.h"
#include "eval/spec.h"
#include "syntax/ast.h"
#include "value/value.h"

struct val op_const(struct ev *ev, const struct ex *x, struct val *fr)
{
    (void)ev;
    (void)fr;
    return x->u.val;
}

struct val op_var0(struct ev *ev, const struct ex *x, struct val *fr)
{
    (void)fr;
    struct val v = ev->s0 ? ev->s0[x->u.i] : VAL_UNDEF;
    if (__builtin_expect(val_is_undef(v), 0)) {
        ev_fail(ev, x->src, 2280,
                "In evaluation, the identifier %.*s is either undefined or not an operator.",
                STR_ARG(ev->spec->vars[x->u.i]->name));
    }
    return v;
}

struct val op_var1(struct ev *ev, const struct ex *x, struct val *fr)
{
    (void)fr;
    struct val v = ev->s1 ? ev->s1[x->u.i] : VAL_UNDEF;
    if (__builtin_expect(val_is_undef(v), 0)) {
        ev_fail(ev, x->src, 2280,
                "In evaluation, the identifier %.*s is either undefined or not an operator.",
                STR_ARG(x->u.i < ev->spec->nvar
                            ? ev->spec->vars[x->u.i]->name
                            : ev->spec->extra_vars.v[x->u.i - ev->spec->nvar]->name));
    }
    return v;
}

struct val op_slot(struct ev *ev, const struct ex *x, struct val *fr)
{
    (void)ev;
    return fr[x->slot];
}

struct val op_slot_thunk(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val v = fr[x->slot];
    if (val_is_kind(v, VK_THUNK)) {
        v = thunk_force(ev, v);
        fr[x->slot] = v;
    }
    return v;
}

struct val op_lazy(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val v = fr[x->slot];
    if (val_is_undef(v)) {
        v = ex_eval(ev, x->kid[0], fr);
        fr[x->slot] = v;
    } else if (val_is_kind(v, VK_THUNK)) {
        v = thunk_force(ev, v);
        fr[x->slot] = v;
    }
    return v;
}

/* A thunk that stays where it is. */
struct val op_slot_step(struct ev *ev, const struct ex *x, struct val *fr)
{
    return thunk_force(ev, fr[x->slot]);
}

struct val op_lazy_step(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val v = fr[x->slot];
    if (val_is_kind(v, VK_THUNK)) { /* a closure uses it, too */
        return thunk_force(ev, v);
    }
    if (val_is_undef(v) || fr[x->slot + 1].w != ev->epoch) {
        v = ex_eval(ev, x->kid[0], fr);
        fr[x->slot] = v;
        fr[x->slot + 1].w = ev->epoch;
    }
    return v;
}

struct val op_cell(struct ev *ev, const struct ex *x, struct val *fr)
{
    (void)fr;
    const struct const_cell *cell = x->u.p;
    if (__builtin_expect(cell->done, 1)) {
        return cell->value;
    }
    if (ev == ev->spec->boot) {
        return ev_cell_value(ev, (struct const_cell *)cell);
    }
    return unit_call(ev, cell->unit, NULL, NULL, 0, VAL_UNDEF);
}

struct val op_let(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct let_slots *slots = x->u.p;
    for (uint32_t i = 0; i < slots->n; i++) {
        fr[slots->slot[i]] = VAL_UNDEF;
    }
    return ex_eval(ev, x->kid[0], fr);
}

struct val op_call(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct call_info *call = x->u.p;
    const struct unit *unit = call->unit;
    ev_check_stack(ev);
    struct val *callee = frame_push(ev, unit->nslot);
    for (uint32_t i = 0; i < x->n; i++) {
        callee[unit->param[i]] = ex_eval(ev, x->kid[i], fr);
    }
    for (uint32_t i = 0; i < call->ncapture; i++) {
        callee[call->captures[i].to] =
            closure_capture(ev, call->captures[i].lazy, call->captures[i].from, fr);
    }
    ev->refused = NULL; /* what was false so far belongs to others */
    struct val v = ex_eval(ev, unit->body, callee);
    frame_pop(ev, callee);
    return v;
}

#define ARGS_MAX 64

struct val op_call_slot(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val args[ARGS_MAX];
    struct val oper = fr[x->slot];
    ASSERT(x->n <= ARGS_MAX);
    for (uint32_t i = 0; i < x->n; i++) {
        args[i] = ex_eval(ev, x->kid[i], fr);
    }
    if (!val_is_kind(oper, VK_OPER)) {
        ev_fail(ev, x->src, 0, "A value that is not an operator was applied as one.");
    }
    return ev_call(ev, oper, args, x->n);
}

struct val op_closure_oper(struct ev *ev, const struct ex *x, struct val *fr)
{
    return closure_oper(ev, x->u.p, fr);
}

struct val op_closure_thunk(struct ev *ev, const struct ex *x, struct val *fr)
{
    return closure_thunk(ev, x->u.p, fr);
}

struct val op_native(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct native *native = x->u.p;
    struct val args[ARGS_MAX];
    for (uint32_t i = 0; i < x->n; i++) {
        args[i] = ex_eval(ev, x->kid[i], fr);
    }
    return native->fn(ev, args);
}

struct val op_given(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct def_table *table = x->u.p;
    struct val args[ARGS_MAX];
    ASSERT(table->arity == x->n);
    for (uint32_t i = 0; i < table->arity; i++) {
        args[i] = ex_eval(ev, x->kid[i], fr);
    }
    for (size_t row = 0; row < table->nrow; row++) {
        bool same = true;
        for (uint32_t i = 0; i < table->arity && same; i++) {
            same = val_equal(&ev->vctx, args[i], table->args[row * table->arity + i]);
        }
        if (same) {
            return table->vals[row];
        }
    }
    ev_fail(ev, x->src, 0, "The configuration gives no value for these arguments of the operator.");
}

struct val op_fail(struct ev *ev, const struct ex *x, struct val *fr)
{
    (void)fr;
    ev_fail(ev, x->src, (int)x->slot, "%s", (const char *)x->u.p);
}

struct try_args {
    const struct ex *x;
    struct val *fr;
    struct val ret;
};

static void try_eval(struct ev *ev, void *arg)
{
    struct try_args *t = arg;
    t->ret = ex_eval(ev, t->x, t->fr);
}

/* TLCExt!AssertError(text, expression): TRUE when evaluating the expression fails with that text.
 */
struct val op_assert_error(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val want = ex_eval(ev, x->kid[0], fr);
    struct try_args t = {x->kid[1], fr, VAL_UNDEF};
    if (ev_try(ev, try_eval, &t) == 0) {
        return VAL_FALSE;
    }
    if (!val_is_str(want)) {
        ev_fail(ev, x->src, 0, "The first argument of AssertError must be a string.");
    }
    struct str text = val_str_text(&ev->vctx, want);
    return val_bool(str_eq(text, str_of(ev->err_text)) ||
                    strstr(ev->err_text, arena_strndup(&ev->scratch, text.p, text.n)) ==
                        ev->err_text);
}

/* TLC words the error by how the junction is written. */
__attribute__((noreturn, cold)) static void junction_error(struct ev *ev, const struct ex *x,
                                                           uint32_t i, struct val v)
{
    bool conj = x->op == EX_CONJ;
    if (x->src->kind == N_OP || !(x->src->flags & NF_BULLETS)) {
        ev_fail(ev, x->src, 0,
                "Attempted to evaluate an expression of form P %s Q when %s was\n%s.",
                conj ? "/\\" : "\\/", i == 0 ? "P" : "Q", val_kind_text(v));
    }
    ev_not_bool(ev, x->kid[i], v,
                conj ? "a formula in a conjunction" : "a formula in a disjunction");
}

struct val op_conj(struct ev *ev, const struct ex *x, struct val *fr)
{
    for (uint32_t i = 0; i < x->n; i++) {
        struct val v = ex_eval(ev, x->kid[i], fr);
        if (!val_is_bool(v)) {
            junction_error(ev, x, i, v);
        }
        if (val_same(v, VAL_FALSE)) {
            if (!guard_of_parts(x->kid[i])) {
                guard_refused(ev, x->kid[i], fr);
            }
            return VAL_FALSE;
        }
    }
    return VAL_TRUE;
}

struct val op_disj(struct ev *ev, const struct ex *x, struct val *fr)
{
    for (uint32_t i = 0; i < x->n; i++) {
        struct val v = ex_eval(ev, x->kid[i], fr);
        if (!val_is_bool(v)) {
            junction_error(ev, x, i, v);
        }
        if (val_same(v, VAL_TRUE)) {
            count_arm(ev, x, i);
            return VAL_TRUE;
        }
    }
    return VAL_FALSE;
}

struct val op_not(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val v = ex_eval(ev, x->kid[0], fr);
    if (!val_is_bool(v)) {
        ev_fail(ev, x->src, 0, "Attempted to apply the operator ~ to a non-boolean\n(%s)",
                val_kind_text(v));
    }
    return val_bool(!val_same(v, VAL_TRUE));
}

struct val op_implies(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val p = ex_eval(ev, x->kid[0], fr);
    if (!val_is_bool(p)) {
        ev_fail(ev, x->src, 0, "Attempted to evaluate an expression of form P => Q when P was\n%s.",
                val_kind_text(p));
    }
    if (val_same(p, VAL_FALSE)) {
        if (!guard_of_parts(x->kid[0])) {
            guard_refused(ev, x->kid[0], fr);
        }
        return VAL_TRUE;
    }
    struct val q = ex_eval(ev, x->kid[1], fr);
    if (!val_is_bool(q)) {
        ev_fail(ev, x->src, 0, "Attempted to evaluate an expression of form P => Q when Q was\n%s.",
                val_kind_text(q));
    }
    return q;
}

struct val op_equiv(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val p = ex_eval(ev, x->kid[0], fr);
    struct val q = ex_eval(ev, x->kid[1], fr);
    if (!val_is_bool(p) || !val_is_bool(q)) {
        ev_fail(
            ev, x->src, 0,
            "Attempted to evaluate an expression of form P <=> Q when P or Q was not a boolean.");
    }
    return val_bool(val_same(p, q));
}

/* Equal words of these kinds are equal values, and different ones of the same kind are different.
 */
static bool quick_equal(struct val a, struct val b, bool *ret)
{
    if (val_same(a, b) && !val_is_obj(a)) {
        *ret = true;
        return true;
    }
    enum vtag tag = val_tag(a);
    if (tag == val_tag(b) && (tag == VTAG_INT || tag == VTAG_BOOL || tag == VTAG_STR)) {
        *ret = val_same(a, b);
        return true;
    }
    return false;
}

struct val op_eq(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = ex_eval(ev, x->kid[0], fr);
    struct val b = ex_eval(ev, x->kid[1], fr);
    bool same;
    if (!quick_equal(a, b, &same)) {
        same = val_equal(&ev->vctx, a, b);
    }
    if (!same) {
        ev->unequal[0] = a;
        ev->unequal[1] = b;
    }
    return val_bool(same);
}

struct val op_neq(struct ev *ev, const struct ex *x, struct val *fr)
{
    struct val a = ex_eval(ev, x->kid[0], fr);
    struct val b = ex_eval(ev, x->kid[1], fr);
    bool same;
    if (quick_equal(a, b, &same)) {
        return val_bool(!same);
    }
    return val_bool(!val_equal(&ev->vctx, a, b));
}

struct val op_if(struct ev *ev, const struct ex *x, struct val *fr)
{
    uint32_t arm = ex_bool(ev, x->kid[0], fr, "the condition of an IF") ? 1 : 2;
    count_arm(ev, x, arm);
    return ex_eval(ev, x->kid[arm], fr);
}

struct val op_case(struct ev *ev, const struct ex *x, struct val *fr)
{
    uint32_t i = 0;
    for (; i + 1 < x->n; i += 2) {
        if (ex_bool(ev, x->kid[i], fr, "a condition of a CASE")) {
            count_arm(ev, x, i + 1);
            return ex_eval(ev, x->kid[i + 1], fr);
        }
    }
    if (i < x->n) {
        count_arm(ev, x, i);
        return ex_eval(ev, x->kid[i], fr);
    }
    ev_fail(ev, x->src, 0, "Attempted to evaluate a CASE with no conditions true.");
}

struct val op_level_below(struct ev *ev, const struct ex *x, struct val *fr)
{
    (void)fr;
    return val_bool((int64_t)ev->level < x->u.i);
}

/* TLCGet(...)': the level of the next state. */
struct val op_next_level(struct ev *ev, const struct ex *x, struct val *fr)
{
    ev->level++;
    struct val v = ex_eval(ev, x->kid[0], fr);
    ev->level--;
    return v;
}

/* True when the body takes the value `sought` for some combination of the bound variables. */
static bool quantify(struct ev *ev, const struct ex *x, struct val *fr, struct val sought)
{
    const struct binder *b = x->u.p;
    struct loop loop;
    bool looked = false;
    for (bool more = loop_start(ev, x, b, fr, &loop); more;
         more = loop_skip(ev, x, b, fr, &loop, guard_found(ev, b, fr))) {
        ev->refused = NULL;
        struct val v = ex_eval(ev, x->kid[0], fr);
        if (!val_is_bool(v)) {
            ev_fail(ev, x->kid[0]->src, 2215,
                    "TLC expected a boolean value, but did not find one.");
        }
        if (val_same(v, sought)) {
            return true;
        }
        if (!looked && guards_exclude(ev, b->guards)) {
            return false;
        }
        looked = true;
    }
    return false;
}

struct val op_forall(struct ev *ev, const struct ex *x, struct val *fr)
{
    return val_bool(!quantify(ev, x, fr, VAL_FALSE));
}

struct val op_exists(struct ev *ev, const struct ex *x, struct val *fr)
{
    return val_bool(quantify(ev, x, fr, VAL_TRUE));
}

/* ---- CHOOSE and symmetry ----
 * SYMMETRY is sound only when permuting the model values of a state permutes its successors. A
 * CHOOSE that picks one of several values that a permutation exchanges breaks that. The first
 * evaluations of a run look for a second value that would do, and warn. */
#define CHOOSE_CHECKS 10000

struct choose_rest {
    const struct ex *x;
    struct val *fr;
    struct set_iter *it;
    bool ambiguous;
};

static bool moved(struct ev *ev, struct val v)
{
    const struct spec *spec = ev->spec;
    for (size_t i = 0; i < spec->nperm; i++) {
        if (!val_same(val_permute(&ev->vctx, v, &spec->perms[i]), v)) {
            return true;
        }
    }
    return false;
}

static void run_choose_rest(struct ev *ev, void *arg)
{
    struct choose_rest *rest = arg;
    const struct binder *b = rest->x->u.p;
    struct val elem;
    while (!rest->ambiguous && set_iter_next(rest->it, &elem)) {
        loop_bind(ev, rest->x, &b->vars[0], rest->fr, elem);
        rest->ambiguous =
            val_same(ex_eval(ev, rest->x->kid[0], rest->fr), VAL_TRUE) && moved(ev, elem);
    }
}

static void choose_check(struct ev *ev, const struct ex *x, struct val *fr, struct set_iter *it,
                         struct val elem)
{
    if (ev->choose_checks >= CHOOSE_CHECKS || !moved(ev, elem)) {
        return;
    }
    ev->choose_checks++;
    struct choose_rest rest = {x, fr, it, false};
    if (ev_try(ev, run_choose_rest, &rest) == 0 && rest.ambiguous) {
        ev_warn(
            ev, 1000, x->src,
            "This CHOOSE picks one of several values that SYMMETRY takes for equal: states may be "
            "missed. Leave SYMMETRY out, or choose in another way.");
    }
}

struct val op_choose(struct ev *ev, const struct ex *x, struct val *fr)
{
    const struct binder *b = x->u.p;
    struct val set = ex_eval(ev, b->sets[0], fr);
    if (!val_is_set(set)) {
        ev_fail(ev, x->src, 0,
                "Attempted to compute the value of an expression of\nform CHOOSE x \\in S: P, but "
                "S was not enumerable.");
    }
    struct set_iter it;
    struct val elem;
    set_iter_init_sorted(&it, &ev->vctx, set);
    while (set_iter_next(&it, &elem)) {
        loop_bind(ev, x, &b->vars[0], fr, elem);
        struct val v = ex_eval(ev, x->kid[0], fr);
        if (!val_is_bool(v)) {
            ev_fail(ev, x->kid[0]->src, 2215,
                    "TLC expected a boolean value, but did not find one.");
        }
        if (val_same(v, VAL_TRUE)) {
            if (ev->spec->nperm) {
                choose_check(ev, x, fr, &it, elem);
            }
            return elem;
        }
    }
    ev_fail(ev, x->src, 0,
            "Attempted to compute the value of an expression of form\nCHOOSE x \\in S: P, but no "
            "element of S satisfied P.");
}

/* ---- loops over bound variables ---- */
void loop_bind(struct ev *ev, const struct ex *x, const struct binder_var *var, struct val *fr,
               struct val elem)
{
    if (!var->tuple) {
        fr[var->slots[0]] = elem;
        return;
    }
    const struct vobj *t = val_is_fcn(elem) ? seq_of(&ev->vctx, elem) : NULL;
    if (!t || t->n != var->nslot) {
        ev_fail(ev, x->src, 2170,
                "The elements bound to <<%.*s, ...>> are not tuples of length %u.",
                STR_ARG(var->names[0]), var->nslot);
    }
    for (uint32_t i = 0; i < var->nslot; i++) {
        fr[var->slots[i]] = t->v[i];
    }
}

static struct val loop_current(const struct loop_var *lv)
{
    return lv->interval ? val_small(lv->first + (int64_t)lv->at) : lv->elems[lv->at];
}

/* Prepares one variable; `single` variables may be enumerated lazily. Returns false when the set is
 * empty. */
static bool loop_var_start(struct ev *ev, const struct ex *x, struct val set, bool single,
                           struct loop_var *lv)
{
    lv->at = 0;
    lv->interval = false;
    lv->elems = NULL;
    if (!set_is_enumerable(set)) {
        ev_fail(ev, x->src, 0, "TLC encountered %s non-enumerable quantifier bound\n%s.",
                val_tag(set) == VTAG_SPECIAL ? "the" : "a", val_ppr(&ev->vctx, set));
    }
    if (val_is_kind(set, VK_INTERVAL)) {
        const struct vlazy *o = vobj_lazy(val_obj(set));
        lv->interval = true;
        lv->first = val_small_get(o->op[0]);
        lv->n = (uint64_t)(val_small_get(o->op[1]) - lv->first) + 1;
        return true;
    }
    if (!val_is_kind(set, VK_SET)) {
        if (single) {
            set_iter_init_sorted(&lv->it, &ev->vctx, set);
            return true;
        }
        set = set_force(&ev->vctx, set);
    }
    lv->elems = val_obj(set)->v;
    lv->n = val_obj(set)->n;
    return lv->n > 0;
}

bool loop_start(struct ev *ev, const struct ex *x, const struct binder *b, struct val *fr,
                struct loop *loop)
{
    ASSERT(b->nvar > 0);
    loop->v = b->nvar <= LOOP_INLINE ? loop->inline_v
                                     : arena_alloc(&ev->scratch, sizeof *loop->v * b->nvar);
    bool some = true;
    struct val set = VAL_UNDEF;
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < b->nvar; i++) {
        if (b->vars[i].set != last) {
            last = b->vars[i].set;
            set = ex_eval(ev, b->sets[last], fr);
        }
        some &= loop_var_start(ev, x, set, b->nvar == 1, &loop->v[i]);
    }
    if (!some) {
        return false;
    }
    struct loop_var *lv = &loop->v[0];
    if (!lv->elems && !lv->interval) {
        struct val elem;
        if (!set_iter_next(&lv->it, &elem)) {
            return false;
        }
        loop_bind(ev, x, &b->vars[0], fr, elem);
        return true;
    }
    for (uint32_t i = 0; i < b->nvar; i++) {
        loop_bind(ev, x, &b->vars[i], fr, loop_current(&loop->v[i]));
    }
    return true;
}

bool loop_next(struct ev *ev, const struct ex *x, const struct binder *b, struct val *fr,
               struct loop *loop)
{
    vctx_poll(&ev->vctx);
    struct loop_var *lv = &loop->v[0];
    if (!lv->elems && !lv->interval) {
        struct val elem;
        if (!set_iter_next(&lv->it, &elem)) {
            return false;
        }
        loop_bind(ev, x, &b->vars[0], fr, elem);
        return true;
    }
    for (uint32_t i = 0; i < b->nvar; i++) {
        lv = &loop->v[i];
        if (++lv->at < lv->n) {
            loop_bind(ev, x, &b->vars[i], fr, loop_current(lv));
            return true;
        }
        lv->at = 0;
        loop_bind(ev, x, &b->vars[i], fr, loop_current(lv));
    }
    return false;
}

/* Goes to the last value before the next that can be `sought`, or to the last of all. Values that
 * cannot be compared with it, or only at length, are tried. */
static void loop_seek(struct loop_var *lv, struct val sought)
{
    enum vtag tag = val_tag(sought);
    if (lv->interval && tag == VTAG_INT) {
        int64_t at = val_small_get(sought) - lv->first;
        lv->at = at > (int64_t)lv->at && at < (int64_t)lv->n ? (uint64_t)at - 1 : lv->n - 1;
        return;
    }
    if (lv->interval || (tag != VTAG_INT && tag != VTAG_STR)) {
        return;
    }
    while (lv->at + 1 < lv->n && val_tag(lv->elems[lv->at + 1]) == tag &&
           !val_same(lv->elems[lv->at + 1], sought)) {
        lv->at++;
    }
}

bool loop_skip(struct ev *ev, const struct ex *x, const struct binder *b, struct val *fr,
               struct loop *loop, const struct guard *guard)
{
    if (guard && (loop->v[0].elems || loop->v[0].interval)) {
        if (guard->from == b->nvar) {
            return false;
        }
        for (uint32_t i = 0; i < guard->from; i++) {
            loop->v[i].at = loop->v[i].n - 1;
        }
        if (guard->solved != NO_SLOT) {
            HOT_ASSERT(guard->solved == guard->from);
            loop_seek(&loop->v[guard->solved], ev->unequal[guard->side]);
        }
    }
    return loop_next(ev, x, b, fr, loop);
}

/* Operators of the standard modules. What is not here is left to the interpreter. */
#include "cgen/emit_native.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/native.h"
#include "value/value.h"

struct cv emit_arg_at(struct args *a, uint32_t i, const struct ty *want)
{
    return emit(a->g, a->x->kid[i], a->f, want);
}

struct cv emit_arg_int(struct args *a, uint32_t i)
{
    return cv_hold(a->g, cv_int(a->g, emit_arg_at(a, i, NULL)));
}

struct cv emit_int_result(struct args *a, const struct cx *e)
{
    return cv_number(a->g, gen_let(a->g, cx_cast(a->g, CX_I64, e)));
}

struct cv emit_bool_result(struct args *a, const struct cx *e)
{
    return cv_hold(a->g, cv_of(a->g, a->g->tys->boolean, e));
}

/* A number that starts with this value. */
static const struct cx *new_i64(struct gen *g, int64_t n)
{
    return gen_new_number(g, CX_I64, cx_int(g, n));
}

/* total = total + x, or a product. */
void emit_add_to(struct gen *g, const struct cx *total, const char *function, const struct cx *x)
{
    gen_call_into(g, cx_call(g, CX_I64, NULL, function, total, x, cx_addr(g, total)));
}

const struct ty *ty_seq_want(const struct ty *want)
{
    if (want && want->kind == TY_UNION) {
        for (uint32_t i = 0; i < want->n; i++) {
            if (want->field[i]->kind == TY_SEQ) {
                return want->field[i];
            }
        }
    }
    return want && want->kind == TY_SEQ ? want : NULL;
}

/* A function that must be a sequence. */
static struct cv to_seq(struct gen *g, struct cv v)
{
    if (v.ty && v.ty->kind == TY_NONE) { /* never seen */
        gen_trap(g, "T_KIND");
        return cv_conv(g, cv_val(g, tuple_empty()), ty_seq(g->tys, g->tys->none, 0));
    }
    if (v.ty && v.ty->kind == TY_TUP) {
        const struct ty *elem = g->tys->none;
        for (uint32_t k = 0; k < v.ty->n; k++) {
            elem = gen_join(g, elem, v.ty->field[k]);
        }
        v = cv_conv(g, v, ty_seq(g->tys, elem, v.ty->n));
    }
    if (v.ty && v.ty->kind == TY_MAP) {
        v = cv_conv(g, v, ty_seq(g->tys, v.ty->elem, v.ty->cap));
    }
    if (!v.ty || v.ty->kind != TY_SEQ) {
        gen_no(g, "a sequence is expected");
        return cv_none(g);
    }
    return v;
}

/* An argument that must be a sequence. */
struct cv emit_arg_seq(struct args *a, uint32_t i, const struct ty *want)
{
    return to_seq(a->g, cv_fcn(a->g, emit_arg_at(a, i, want)));
}

/* A tuple of these parts. */
struct cv emit_tuple_of(struct gen *g, const struct cv *part, uint32_t n)
{
    const struct ty *field[TY_FIELDS] = {NULL};
    for (uint32_t i = 0; i < n; i++) {
        field[i] = part[i].ty;
    }
    return cv_tuple(g, ty_tup(g->tys, field, n), part, n);
}

/* Is it a tuple whose parts have types of their own, and is no sequence wanted? */
bool emit_stays_tuple(struct cv v, const struct ty *want)
{
    return v.ty && v.ty->kind == TY_TUP && !ty_seq_want(want);
}

struct slot emit_arg_oper(struct args *a, uint32_t i)
{
    struct slot oper = {0};
    if (!gen_oper_of(a->g, a->x->kid[i], a->f, &oper)) {
        gen_no(a->g, "an operator argument");
    }
    return oper;
}

/* ---- numbers ---- */
static struct cv two_ints(struct args *a, const char *fn)
{
    struct cv x = emit_arg_int(a, 0);
    struct cv y = emit_arg_int(a, 1);
    const struct cx *left = cv_e(a->g, &x);
    const struct cx *call = cx_call(a->g, CX_I64, NULL, fn, left, cv_e(a->g, &y));
    return emit_int_result(a, gen_call(a->g, call));
}

struct cv emit_native_div(struct args *a)
{
    return two_ints(a, "div_");
}

struct cv emit_native_mod(struct args *a)
{
    return two_ints(a, "mod_");
}

struct cv emit_native_pow(struct args *a)
{
    return two_ints(a, "pow_");
}

struct cv emit_native_neg(struct args *a)
{
    struct cv x = emit_arg_int(a, 0);
    return emit_int_result(a, cx_minus(a->g, cv_e(a->g, &x)));
}

/* ---- sets ---- */
struct cv emit_native_cardinality(struct args *a)
{
    struct gen *g = a->g;
    const struct ex *x = a->x->kid[0];
    struct fenv *f = a->f;
    struct val v;
    if (x->op == EX_FILTER && !gen_const_of(g, x, f, &v)) { /* count without building the set */
        struct loop_out loop;
        const struct cx *t = new_i64(g, 0);
        gen_block(g);
        gen_loop_open(g, x, f, &loop);
        gen_change(g, t, "+=", cx_int(g, 1));
        gen_loop_close(g, &loop);
        gen_scope_close(g);
        return cv_number(g, cx_sealed(g, t));
    }
    gen_see_through(g, &x, &f);
    if (x->op == EX_DOMAIN) {
        struct cv fcn = cv_fcn(g, emit(g, x->kid[0], f, NULL));
        if (fcn.ty && !fcn.is_val && (fcn.ty->kind == TY_MAP || fcn.ty->kind == TY_SEQ)) {
            return emit_int_result(a, cx_count(g, cv_e(g, &fcn)));
        }
    }
    return emit_int_result(a, emit_set_size(g, emit_arg_at(a, 0, NULL)));
}

struct cv emit_native_finite(struct args *a)
{
    struct cv v = cv_set(a->g, emit_arg_at(a, 0, NULL));
    if (!v.ty || (v.ty->kind != TY_SET && v.ty->kind != TY_BITS)) {
        return gen_no(a->g, "IsFiniteSet of something unusual");
    }
    return cv_of(a->g, a->g->tys->boolean, cx_int(a->g, 1));
}

static struct cv extreme(struct args *a, bool max)
{
    struct gen *g = a->g;
    struct loop_out loop;
    const struct cx *t = new_i64(g, 0);
    const struct cx *found = gen_new_flag(g, cx_int(g, 0));
    gen_block(g);
    gen_loop_open(g, a->x->kid[0], a->f, &loop);
    struct cv v = cv_hold(g, cv_int(g, loop.elem));
    const struct cx *e = cv_e(g, &v);
    const struct cx *further = cx_two(g, max ? CX_GT : CX_LT, e, t);
    gen_if(g, cx_two(g, CX_EITHER, cx_not(g, found), further));
    gen_set(g, t, e);
    gen_scope_close(g);
    gen_set(g, found, cx_int(g, 1));
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    gen_trap_if(g, "T_CHOOSE", cx_not(g, found));
    return cv_number(g, cx_sealed(g, t));
}

struct cv emit_native_max(struct args *a)
{
    return extreme(a, true);
}

struct cv emit_native_min(struct args *a)
{
    return extreme(a, false);
}

struct cv emit_native_sum_set(struct args *a)
{
    struct gen *g = a->g;
    struct loop_out loop;
    const struct cx *t = new_i64(g, 0);
    gen_block(g);
    gen_loop_open(g, a->x->kid[0], a->f, &loop);
    struct cv e = cv_int(g, loop.elem);
    emit_add_to(g, t, "add_", cv_e(g, &e));
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_number(g, cx_sealed(g, t));
}

/* Quantify(S, P): how many elements satisfy P. */
struct cv emit_native_quantify(struct args *a)
{
    struct gen *g = a->g;
    struct loop_out loop;
    struct slot oper;
    if (!gen_oper_of(g, a->x->kid[1], a->f, &oper)) {
        return gen_no(g, "an operator argument");
    }
    const struct cx *t = new_i64(g, 0);
    gen_block(g);
    gen_loop_open(g, a->x->kid[0], a->f, &loop);
    struct cv p = cv_bool(g, emit_oper(g, &oper, &loop.elem, 1, NULL));
    gen_if(g, cv_e(g, &p));
    gen_change(g, t, "+=", cx_int(g, 1));
    gen_scope_close(g);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_number(g, cx_sealed(g, t));
}

/* ---- folds ---- */

/* acc = op(elem, acc) or op(acc, elem) inside an open loop. The type of the result is that of the
 * start value, made wide. */
void emit_fold_step(struct args *a, const struct slot *oper, const struct cx *acc,
                    const struct ty *ty, struct cv elem, bool acc_first)
{
    struct gen *g = a->g;
    if (ty->kind == TY_NONE) {
        return; /* control does not come here */
    }
    struct cv now = cv_of(g, ty, acc);
    struct cv v[2] = {acc_first ? now : elem, acc_first ? elem : now};
    struct cv r = emit_oper(g, oper, v, 2, ty);
    if (!r.ty || !ty_same_shape(r.ty, ty)) {
        gen_no(g, "a fold that changes the shape of its value");
        return;
    }
    r = cv_conv(g, r, ty);
    gen_set(g, acc, cv_e(g, &r));
}

const struct cx *emit_fold_start(struct args *a, uint32_t i, const struct ty **ret_ty)
{
    struct gen *g = a->g;
    struct cv base = emit_arg_at(a, i, a->want);
    if (base.ty && base.ty->kind == TY_NONE) { /* not known yet */
        gen_trap(g, "T_KIND");
        *ret_ty = base.ty;
        return gen_new_var(g, base.ty);
    }
    if (!base.ty) {
        *ret_ty = gen_no(g, "a fold over something without a layout").ty;
        return cx_int(g, 0);
    }
    const struct ty *ty = a->want && ty_same_shape(base.ty, a->want) ? a->want
                          : base.ty->kind == TY_INT                  ? ty_int(g->tys, 8)
                                                                     : base.ty;
    if (ty->kind != TY_INT && ty->kind != TY_BITS && ty->kind != TY_BOOL && ty->kind != TY_ATOM &&
        ty != a->want) {
        *ret_ty = gen_no(g, "a fold that builds something").ty;
        return cx_int(g, 0);
    }
    base = cv_conv(g, base, ty);
    *ret_ty = ty;
    return gen_new_copy(g, ty, cv_e(g, &base));
}

const struct cx *emit_fold_end(struct args *a, const struct cx *acc)
{
    return acc->op == CX_NAME ? cx_sealed(a->g, acc) : acc;
}

/* FoldSet(op, base, set): the order does not matter for what folds are used for, and where it might
 * (elements that are no scalars) the interpreter does it. */
struct cv emit_native_fold_set(struct args *a)
{
    struct gen *g = a->g;
    struct slot oper;
    struct loop_out loop;
    const struct ty *ty;
    if (!gen_oper_of(g, a->x->kid[0], a->f, &oper)) {
        return gen_no(g, "an operator argument");
    }
    const struct cx *acc = emit_fold_start(a, 1, &ty);
    gen_block(g);
    gen_loop_open(g, a->x->kid[2], a->f, &loop);
    if (!loop.elem.ty || !ty_is_scalar(loop.elem.ty) || loop.elem.ty->kind == TY_MIX) {
        gen_no(g, "a fold whose order could matter");
    }
    emit_fold_step(a, &oper, acc, ty, loop.elem, false);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_of(g, ty, emit_fold_end(a, acc));
}

static struct cv fold_sequence(struct args *a, uint32_t seq_arg, uint32_t base_arg, bool right,
                               bool acc_first)
{
    struct gen *g = a->g;
    struct slot oper;
    const struct ty *ty;
    if (!gen_oper_of(g, a->x->kid[0], a->f, &oper)) {
        return gen_no(g, "an operator argument");
    }
    struct cv seq = emit_arg_seq(a, seq_arg, NULL);
    const struct cx *acc = emit_fold_start(a, base_arg, &ty);
    if (seq.ty->cap == 0) {
        return cv_of(g, ty, emit_fold_end(a, acc));
    }
    const struct cx *n = cx_count(g, cv_e(g, &seq));
    const struct cx *i = gen_for_n(g, CX_INT, n);
    const struct cx *last = cx_two(g, CX_SUB, cx_two(g, CX_SUB, n, cx_int(g, 1)), i);
    emit_fold_step(a, &oper, acc, ty, cv_elem(g, seq, right ? last : i), acc_first);
    gen_scope_close(g);
    return cv_of(g, ty, emit_fold_end(a, acc));
}

struct cv emit_native_fold_left(struct args *a) /* FoldLeft(op, base, seq): op(acc, elem) */
{
    return fold_sequence(a, 2, 1, false, true);
}

struct cv emit_native_fold_right(struct args *a) /* FoldRight(op, seq, base): op(elem, acc) */
{
    return fold_sequence(a, 1, 2, true, false);
}

/* ---- sequences ---- */
struct cv emit_native_len(struct args *a)
{
    struct cv s = cv_fcn(a->g, emit_arg_at(a, 0, NULL));
    if (s.ty && s.ty->kind == TY_TUP) {
        return cv_val(a->g, val_small(s.ty->n));
    }
    s = to_seq(a->g, s);
    return emit_int_result(a, cx_count(a->g, cv_e(a->g, &s)));
}

static void trap_empty(struct gen *g, struct cv s)
{
    gen_trap_if(g, "T_DOMAIN", cx_two(g, CX_EQ, cx_count(g, cv_e(g, &s)), cx_int(g, 0)));
}

/* Part of a sequence, as a new one: n elements from the one at `first` on. */
static struct cv part_of_seq(struct gen *g, struct cv s, const struct cx *t, const struct cx *first,
                             const struct cx *n)
{
    const struct cx *from = cx_addr(g, cx_elem(g, cv_e(g, &s), first));
    const struct cx *one = cx_sizeof(g, cx_elem(g, t, cx_int(g, 0)));
    gen_set(g, cx_count(g, t), n);
    gen_do(g, cx_call(g, CX_OTHER, NULL, "memcpy", cx_elems(g, t), from,
                      cx_two(g, CX_MUL, cx_cast(g, CX_U32, cx_count(g, t)), one)));
    return cv_of(g, s.ty, cx_sealed(g, t));
}

struct cv emit_native_head(struct args *a)
{
    struct cv s = cv_fcn(a->g, emit_arg_at(a, 0, NULL));
    if (s.ty && s.ty->kind == TY_TUP && s.ty->n > 0) {
        return cv_field(a->g, s, 0);
    }
    s = to_seq(a->g, s);
    if (s.ty->cap == 0) {
        gen_trap(a->g, "T_DOMAIN");
        return cv_none(a->g);
    }
    trap_empty(a->g, s);
    return cv_elem(a->g, s, cx_int(a->g, 0));
}

struct cv emit_native_tail(struct args *a)
{
    struct gen *g = a->g;
    struct cv s = cv_fcn(g, emit_arg_at(a, 0, ty_seq_want(a->want)));
    if (emit_stays_tuple(s, a->want) && s.ty->n > 1) {
        struct cv part[TY_FIELDS];
        for (uint32_t i = 1; i < s.ty->n; i++) {
            part[i - 1] = cv_field(g, s, i);
        }
        return emit_tuple_of(g, part, s.ty->n - 1);
    }
    s = to_seq(g, s);
    trap_empty(g, s);
    if (g->declined || s.ty->cap == 0) {
        return s;
    }
    const struct cx *n = cx_two(g, CX_SUB, cx_count(g, cv_e(g, &s)), cx_int(g, 1));
    return part_of_seq(g, s, gen_new_var(g, s.ty), cx_int(g, 1), n);
}

/* The type for a sequence made of another and more elements. */
static const struct ty *longer(struct args *a, struct cv s, const struct ty *elem, uint32_t more)
{
    const struct ty *want = ty_seq_want(a->want);
    if (want && ty_same_shape(s.ty, want) && ty_same_shape(elem, want->elem)) {
        return want;
    }
    const struct ty *e = ty_same_shape(elem, s.ty->elem) && s.ty->cap
                             ? s.ty->elem
                             : gen_join(a->g, s.ty->elem, elem);
    uint32_t cap = s.ty->cap + more;
    return ty_seq(a->g->tys, e, cap < TY_CAP_MAX ? cap : TY_CAP_MAX);
}

/* Puts x at the end, where there is room. */
void emit_push(struct gen *g, const struct cx *seq, const struct cx *x)
{
    gen_set(g, cx_elem(g, seq, cx_count(g, seq)), x);
    gen_change(g, cx_count(g, seq), "+=", cx_int(g, 1));
}

struct cv emit_native_append(struct args *a)
{
    struct gen *g = a->g;
    const struct ty *want = ty_seq_want(a->want);
    struct cv s = cv_fcn(g, emit_arg_at(a, 0, want));
    if (emit_stays_tuple(s, a->want) && s.ty->n < TY_FIELDS) {
        struct cv part[TY_FIELDS];
        for (uint32_t i = 0; i < s.ty->n; i++) {
            part[i] = cv_field(g, s, i);
        }
        part[s.ty->n] = emit_arg_at(a, 1, NULL);
        if (cv_is_none(part[s.ty->n])) {
            return part[s.ty->n];
        }
        if (!part[s.ty->n].ty) {
            return gen_no(g, "Append of something without a layout");
        }
        return emit_tuple_of(g, part, s.ty->n + 1);
    }
    s = to_seq(g, s);
    const struct ty *hint = want && want->elem->kind != TY_NONE ? want->elem
                            : s.ty->cap                         ? s.ty->elem
                                                                : NULL;
    struct cv e = emit_arg_at(a, 1, hint);
    if (cv_is_none(e)) {
        return e;
    }
    if (!e.ty) {
        return gen_no(g, "Append of something without a layout");
    }
    const struct ty *ty = longer(a, s, e.ty, 1);
    s = cv_conv(g, s, ty);
    e = cv_conv(g, e, ty->elem);
    const struct cx *t = gen_new_copy(g, ty, cv_e(g, &s));
    gen_trap_if(g, "T_FIT", cx_two(g, CX_GE, cx_count(g, t), cx_int(g, ty->cap)));
    emit_push(g, t, cv_e(g, &e));
    return cv_of(g, ty, cx_sealed(g, t));
}

struct cv emit_native_concat(struct args *a)
{
    struct gen *g = a->g;
    const struct ty *want = ty_seq_want(a->want);
    struct cv s = emit_arg_seq(a, 0, want);
    struct cv u = emit_arg_seq(a, 1, want);
    if (u.ty->cap == 0) {
        return s;
    }
    const struct ty *ty = longer(a, s, u.ty->elem, u.ty->cap);
    s = cv_conv(g, s, ty);
    const struct cx *more = cx_count(g, cv_e(g, &u));
    const struct cx *t = gen_new_copy(g, ty, cv_e(g, &s));
    const struct cx *n = cx_two(g, CX_ADD, cx_count(g, t), more);
    gen_trap_if(g, "T_FIT", cx_two(g, CX_GT, n, cx_int(g, ty->cap)));
    const struct cx *i = gen_for_n(g, CX_U32, more);
    struct cv elem = cv_conv(g, cv_elem(g, u, i), ty->elem);
    emit_push(g, t, cv_e(g, &elem));
    gen_scope_close(g);
    return cv_of(g, ty, cx_sealed(g, t));
}

struct cv emit_native_subseq(struct args *a)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, ty_seq_want(a->want));
    struct cv m = emit_arg_int(a, 1);
    struct cv n = emit_arg_int(a, 2);
    const struct cx *lo = cv_e(g, &m);
    const struct cx *hi = cv_e(g, &n);
    const struct cx *some = cx_two(g, CX_LE, lo, hi);
    if (g->declined || s.ty->cap == 0) {
        gen_trap_if(g, "T_DOMAIN", some);
        return s;
    }
    const struct cx *count = cx_count(g, cv_e(g, &s));
    const struct cx *t = gen_new_var(g, s.ty);
    const struct cx *one = cx_int(g, 1);
    gen_if(g, some);
    gen_trap_if(g, "T_DOMAIN",
                cx_two(g, CX_EITHER, cx_two(g, CX_LT, lo, one), cx_two(g, CX_GT, hi, count)));
    const struct cx *more = cx_two(g, CX_ADD, cx_two(g, CX_SUB, hi, lo), one);
    struct cv part = part_of_seq(g, s, t, cx_two(g, CX_SUB, lo, one), more);
    gen_scope_close(g);
    return part;
}

struct cv emit_native_select(struct args *a)
{
    struct gen *g = a->g;
    struct slot oper;
    struct cv s = emit_arg_seq(a, 0, ty_seq_want(a->want));
    if (!gen_oper_of(g, a->x->kid[1], a->f, &oper)) {
        return gen_no(g, "an operator argument");
    }
    if (s.ty->cap == 0) {
        return s;
    }
    const struct cx *t = gen_new_var(g, s.ty);
    const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, cv_e(g, &s)));
    struct cv elem = cv_elem(g, s, i);
    struct cv p = cv_bool(g, emit_oper(g, &oper, &elem, 1, NULL));
    gen_if(g, cv_e(g, &p));
    emit_push(g, t, cv_e(g, &elem));
    gen_scope_close(g);
    gen_scope_close(g);
    return cv_of(g, s.ty, cx_sealed(g, t));
}

/* ToSet(s), Range(f): the set of the values. */
struct cv emit_native_range(struct args *a)
{
    struct gen *g = a->g;
    struct cv f = cv_fcn(g, emit_arg_at(a, 0, NULL));
    if (f.ty && f.ty->kind == TY_NONE) { /* not known yet */
        gen_trap(g, "T_KIND");
        return cv_val(g, set_empty());
    }
    if (!f.ty || (f.ty->kind != TY_SEQ && f.ty->kind != TY_FUN && f.ty->kind != TY_MAP)) {
        return gen_no(g, "the range of something unusual");
    }
    bool fun = f.ty->kind == TY_FUN;
    uint32_t cap = fun ? f.ty->n : f.ty->cap;
    if (cap == 0) {
        return cv_val(g, set_empty());
    }
    const struct ty *ty = ty_set(g->tys, f.ty->elem, cap);
    const struct cx *t = gen_new_var(g, ty);
    const struct cx *i = gen_for_n(g, CX_U32, cx_size(g, cv_e(g, &f)));
    emit_set_add(g, t, ty, cv_elem(g, f, i));
    gen_scope_close(g);
    return cv_of(g, ty, cx_sealed(g, t));
}

struct cv emit_native_contains(struct args *a)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, NULL);
    struct cv e = cv_hold(g, emit_arg_at(a, 1, NULL));
    const struct cx *ok = gen_new_flag(g, cx_int(g, 0));
    if (s.ty->cap) {
        const struct cx *n = cx_count(g, cv_e(g, &s));
        const struct cx *i = gen_for_while(g, CX_U32, n, cx_not(g, ok));
        gen_set(g, ok, emit_eq(g, cv_elem(g, s, i), e));
        gen_scope_close(g);
    }
    return cv_of(g, g->tys->boolean, cx_sealed(g, ok));
}

/* ---- the rest ---- */
struct cv emit_native_assert(struct args *a)
{
    gen_trap_if(a->g, "T_KIND", cx_not(a->g, emit_bool(a->g, a->x->kid[0], a->f)));
    return cv_of(a->g, a->g->tys->boolean, cx_int(a->g, 1));
}

/* TLCGet("level") */
struct cv emit_native_tlc_get(struct args *a)
{
    struct gen *g = a->g;
    struct val key;
    if (!gen_const_of(g, a->x->kid[0], a->f, &key) || !val_is_str(key) ||
        !str_is(val_str_text(g->ctx, key), "level")) {
        return gen_no(g, "TLCGet of something that changes by itself");
    }
    a->g->reads_level = true;
    const struct cx *worker = cx_deref(g, cx_worker(g));
    return emit_int_result(a, cx_member(g, worker, "level", CX_I64, NULL));
}

struct cv emit_native_same(struct args *a)
{
    return emit_arg_at(a, 0, a->want);
}

/* What natives.def says. */
static const native_emit emitters[NATIVE_COUNT] = {
#define E(function) emit_native_##function
#define OP          NULL
#define NOT         NULL
/* NOLINTNEXTLINE(bugprone-macro-parentheses): an initialiser */
#define NATIVE(ID, module, name, arity, flags, eval, op, emit) [NATIVE_##ID] = emit,
#include "ir/natives.def"
#undef E
#undef OP
#undef NOT
};

struct cv emit_native(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    const struct native *native = x->u.p;
    if (!emitters[native->id]) {
        return gen_no(g, "the operator %s of %s", native->name, native->module);
    }
    struct args a = {g, x, f, want};
    return emitters[native->id](&a);
}

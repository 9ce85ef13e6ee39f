/* Operators of the standard modules. What is not here is left to the interpreter. */
#include "cgen/emit_native.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"
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

struct cv emit_int_result(struct args *a, const char *e)
{
    const char *t = gen_tmp(a->g);
    gen_put(a->g, "int64_t %s = %s;\n", t, e);
    return cv_of(ty_int(a->g->tys, 8), t);
}

struct cv emit_bool_result(struct args *a, const char *e)
{
    return cv_hold(a->g, cv_of(a->g->tys->boolean, e));
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
        return cv_of(ty_seq(g->tys, g->tys->none, 0), "0");
    }
    return v;
}

/* An argument that must be a sequence. */
struct cv emit_arg_seq(struct args *a, uint32_t i, const struct ty *want)
{
    return to_seq(a->g, cv_fcn(a->g, emit_arg_at(a, i, want)));
}

static struct cv tuple_part(struct gen *g, struct cv tuple, uint32_t i)
{
    struct cv v = cv_of(tuple.ty->field[i], gen_text(g, "%s.f%u", cv_e(g, &tuple), i));
    v.stable = tuple.stable;
    return v;
}

/* A tuple of these parts. */
static struct cv tuple_of(struct gen *g, const struct cv *part, uint32_t n)
{
    const struct ty *field[TY_FIELDS] = {NULL};
    for (uint32_t i = 0; i < n; i++) {
        field[i] = part[i].ty;
    }
    const struct ty *ty = ty_tup(g->tys, field, n);
    const char *t = gen_new_var(g, ty);
    for (uint32_t i = 0; i < n; i++) {
        struct cv v = part[i];
        gen_put(g, "%s.f%u = %s;\n", t, i, cv_e(g, &v));
    }
    return cv_of(ty, t);
}

/* Is it a tuple whose parts have types of their own, and is no sequence wanted? */
static bool stays_tuple(struct cv v, const struct ty *want)
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
    const char *left = cv_e(a->g, &x);
    return emit_int_result(a, gen_call(a->g, "int64_t", fn, "%s, %s", left, cv_e(a->g, &y)));
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
    return emit_int_result(a, gen_text(a->g, "(-%s)", cv_e(a->g, &x)));
}

/* ---- sets ---- */
struct cv emit_native_cardinality(struct args *a)
{
    struct gen *g = a->g;
    const struct ex *x = a->x->kid[0];
    struct fenv *f = a->f;
    struct val v;
    if (x->op == EX_FILTER && !gen_const_of(g, x, f, &v)) { /* count without building the set */
        const char *t = gen_tmp(g);
        struct loop_out loop;
        gen_put(g, "int64_t %s = 0;\n", t);
        gen_scope_open(g, "");
        gen_loop_open(g, x, f, &loop);
        gen_put(g, "%s++;\n", t);
        gen_loop_close(g, &loop);
        gen_scope_close(g);
        return cv_of(ty_int(g->tys, 8), t);
    }
    gen_see_through(g, &x, &f);
    if (x->op == EX_DOMAIN) {
        struct cv fcn = cv_fcn(g, emit(g, x->kid[0], f, NULL));
        if (fcn.ty && !fcn.is_val && (fcn.ty->kind == TY_MAP || fcn.ty->kind == TY_SEQ)) {
            return emit_int_result(a, gen_text(g, "%s.n", cv_e(g, &fcn)));
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
    return cv_of(a->g->tys->boolean, "1");
}

static struct cv extreme(struct args *a, bool max)
{
    struct gen *g = a->g;
    struct loop_out loop;
    const char *t = gen_tmp(g);
    const char *found = gen_tmp(g);
    gen_put(g, "int64_t %s = 0; int %s = 0;\n", t, found);
    gen_scope_open(g, "");
    gen_loop_open(g, a->x->kid[0], a->f, &loop);
    struct cv e = cv_hold(g, cv_int(g, loop.elem));
    gen_put(g, "if (!%s || %s %s %s) %s = %s;\n%s = 1;\n", found, cv_e(g, &e), max ? ">" : "<", t,
            t, cv_e(g, &e), found);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    gen_trap_if(g, "T_CHOOSE", "!%s", found);
    return cv_of(ty_int(g->tys, 8), t);
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
    const char *t = gen_tmp(g);
    gen_put(g, "int64_t %s = 0;\n", t);
    gen_scope_open(g, "");
    gen_loop_open(g, a->x->kid[0], a->f, &loop);
    struct cv e = cv_int(g, loop.elem);
    gen_put_call(g, "add_(%s, %s, &%s)", t, cv_e(g, &e), t);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_of(ty_int(g->tys, 8), t);
}

/* Quantify(S, P): how many elements satisfy P. */
struct cv emit_native_quantify(struct args *a)
{
    struct gen *g = a->g;
    struct loop_out loop;
    struct slot oper;
    const char *t = gen_tmp(g);
    if (!gen_oper_of(g, a->x->kid[1], a->f, &oper)) {
        return gen_no(g, "an operator argument");
    }
    gen_put(g, "int64_t %s = 0;\n", t);
    gen_scope_open(g, "");
    gen_loop_open(g, a->x->kid[0], a->f, &loop);
    struct cv p = cv_bool(g, emit_oper(g, &oper, &loop.elem, 1, NULL));
    gen_put(g, "if (%s) %s++;\n", cv_e(g, &p), t);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_of(ty_int(g->tys, 8), t);
}

/* ---- folds ---- */

/* acc = op(elem, acc) or op(acc, elem) inside an open loop. The type of the result is that of the
 * start value, made wide. */
void emit_fold_step(struct args *a, const struct slot *oper, const char *acc, const struct ty *ty,
                    struct cv elem, bool acc_first)
{
    struct gen *g = a->g;
    if (ty->kind == TY_NONE) {
        return; /* control does not come here */
    }
    struct cv now = cv_of(ty, acc);
    struct cv v[2] = {acc_first ? now : elem, acc_first ? elem : now};
    struct cv r = emit_oper(g, oper, v, 2, ty);
    if (!r.ty || !ty_same_shape(r.ty, ty)) {
        gen_no(g, "a fold that changes the shape of its value");
        return;
    }
    r = cv_conv(g, r, ty);
    gen_put(g, "%s = %s;\n", acc, cv_e(g, &r));
}

const char *emit_fold_start(struct args *a, uint32_t i, const struct ty **ret_ty)
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
        return "0";
    }
    const struct ty *ty = a->want && ty_same_shape(base.ty, a->want) ? a->want
                          : base.ty->kind == TY_INT                  ? ty_int(g->tys, 8)
                                                                     : base.ty;
    if (ty->kind != TY_INT && ty->kind != TY_BITS && ty->kind != TY_BOOL && ty->kind != TY_ATOM &&
        ty != a->want) {
        *ret_ty = gen_no(g, "a fold that builds something").ty;
        return "0";
    }
    base = cv_conv(g, base, ty);
    const char *t = gen_new_var(g, ty);
    gen_put(g, "%s = %s;\n", t, cv_e(g, &base));
    *ret_ty = ty;
    return t;
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
    const char *acc = emit_fold_start(a, 1, &ty);
    gen_scope_open(g, "");
    gen_loop_open(g, a->x->kid[2], a->f, &loop);
    if (!loop.elem.ty || !ty_is_scalar(loop.elem.ty) || loop.elem.ty->kind == TY_MIX) {
        gen_no(g, "a fold whose order could matter");
    }
    emit_fold_step(a, &oper, acc, ty, loop.elem, false);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_of(ty, acc);
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
    const char *acc = emit_fold_start(a, base_arg, &ty);
    if (seq.ty->cap == 0) {
        return cv_of(ty, acc);
    }
    const char *e = cv_e(g, &seq);
    const char *i = gen_tmp(g);
    gen_scope_open_loop(g, right ? gen_text(g, "for (int %s = %s.n; %s-- > 0; )", i, e, i)
                                 : gen_text(g, "for (int %s = 0; %s < %s.n; %s++)", i, i, e, i));
    struct cv elem = cv_of(seq.ty->elem, gen_text(g, "%s.a[%s]", e, i));
    elem.stable = seq.stable;
    emit_fold_step(a, &oper, acc, ty, elem, acc_first);
    gen_scope_close(g);
    return cv_of(ty, acc);
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
    return emit_int_result(a, gen_text(a->g, "%s.n", cv_e(a->g, &s)));
}

struct cv emit_native_head(struct args *a)
{
    struct cv s = cv_fcn(a->g, emit_arg_at(a, 0, NULL));
    if (s.ty && s.ty->kind == TY_TUP && s.ty->n > 0) {
        return tuple_part(a->g, s, 0);
    }
    s = to_seq(a->g, s);
    if (s.ty->cap == 0) {
        gen_trap(a->g, "T_DOMAIN");
        return cv_of(a->g->tys->none, "0");
    }
    const char *e = cv_e(a->g, &s);
    gen_trap_if(a->g, "T_DOMAIN", "%s.n == 0", e);
    struct cv v = cv_of(s.ty->elem, gen_text(a->g, "%s.a[0]", e));
    v.stable = s.stable;
    return v;
}

struct cv emit_native_tail(struct args *a)
{
    struct gen *g = a->g;
    struct cv s = cv_fcn(g, emit_arg_at(a, 0, ty_seq_want(a->want)));
    if (stays_tuple(s, a->want) && s.ty->n > 1) {
        struct cv part[TY_FIELDS];
        for (uint32_t i = 1; i < s.ty->n; i++) {
            part[i - 1] = tuple_part(g, s, i);
        }
        return tuple_of(g, part, s.ty->n - 1);
    }
    s = to_seq(g, s);
    const char *e = cv_e(g, &s);
    const char *t = gen_tmp(g);
    gen_trap_if(g, "T_DOMAIN", "%s.n == 0", e);
    if (s.ty->cap == 0) {
        return s;
    }
    gen_put(g,
            "%s %s; memset(&%s, 0, sizeof %s); %s.n = (__typeof__(%s.n))(%s.n - 1); memcpy(%s.a, "
            "&%s.a[1], (size_t)%s.n * sizeof %s.a[0]);\n",
            ty_c(g->tys, s.ty), t, t, t, t, t, e, t, e, t, t);
    return cv_of(s.ty, t);
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

struct cv emit_native_append(struct args *a)
{
    struct gen *g = a->g;
    const struct ty *want = ty_seq_want(a->want);
    struct cv s = cv_fcn(g, emit_arg_at(a, 0, want));
    if (stays_tuple(s, a->want) && s.ty->n < TY_FIELDS) {
        struct cv part[TY_FIELDS];
        for (uint32_t i = 0; i < s.ty->n; i++) {
            part[i] = tuple_part(g, s, i);
        }
        part[s.ty->n] = emit_arg_at(a, 1, NULL);
        if (cv_is_none(part[s.ty->n])) {
            return part[s.ty->n];
        }
        if (!part[s.ty->n].ty) {
            return gen_no(g, "Append of something without a layout");
        }
        return tuple_of(g, part, s.ty->n + 1);
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
    const char *t = gen_tmp(g);
    gen_put(g, "%s %s = %s;\n", ty_c(g->tys, ty), t, cv_e(g, &s));
    gen_trap_if(g, "T_FIT", "%s.n >= %u", t, ty->cap);
    gen_put(g, "%s.a[%s.n++] = %s;\n", t, t, cv_e(g, &e));
    return cv_of(ty, t);
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
    const char *t = gen_tmp(g);
    const char *e = cv_e(g, &u);
    gen_put(g, "%s %s = %s;\n", ty_c(g->tys, ty), t, cv_e(g, &s));
    gen_trap_if(g, "T_FIT", "%s.n + %s.n > %u", t, e, ty->cap);
    const char *i = gen_tmp(g);
    gen_scope_open_loop(g, gen_text(g, "for (uint32_t %s = 0; %s < %s.n; %s++)", i, i, e, i));
    struct cv elem = cv_conv(g, cv_of(u.ty->elem, gen_text(g, "%s.a[%s]", e, i)), ty->elem);
    gen_put(g, "%s.a[%s.n++] = %s;\n", t, t, cv_e(g, &elem));
    gen_scope_close(g);
    return cv_of(ty, t);
}

struct cv emit_native_subseq(struct args *a)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, ty_seq_want(a->want));
    struct cv m = emit_arg_int(a, 1);
    struct cv n = emit_arg_int(a, 2);
    if (s.ty->cap == 0) {
        gen_trap_if(g, "T_DOMAIN", "%s <= %s", cv_e(g, &m), cv_e(g, &n));
        return s;
    }
    const char *e = cv_e(g, &s);
    const char *t = gen_new_var(g, s.ty);
    const char *lo = cv_e(g, &m);
    const char *hi = cv_e(g, &n);
    gen_trap_if(g, "T_DOMAIN", "%s <= %s) { if (%s < 1 || %s > %s.n", lo, hi, lo, hi, e);
    gen_put(
        g,
        "%s.n = (__typeof__(%s.n))(%s - %s + 1); memcpy(%s.a, &%s.a[%s - 1], (size_t)%s.n * sizeof "
        "%s.a[0]); }\n",
        t, t, hi, lo, t, e, lo, t, t);
    return cv_of(s.ty, t);
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
    const char *e = cv_e(g, &s);
    const char *t = gen_new_var(g, s.ty);
    const char *i = gen_tmp(g);
    gen_scope_open_loop(g, gen_text(g, "for (uint32_t %s = 0; %s < %s.n; %s++)", i, i, e, i));
    struct cv elem = cv_of(s.ty->elem, gen_text(g, "%s.a[%s]", e, i));
    elem.stable = s.stable;
    struct cv p = cv_bool(g, emit_oper(g, &oper, &elem, 1, NULL));
    gen_put(g, "if (%s) %s.a[%s.n++] = %s.a[%s];\n", cv_e(g, &p), t, t, e, i);
    gen_scope_close(g);
    return cv_of(s.ty, t);
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
    const char *e = cv_e(g, &f);
    const char *t = gen_new_var(g, ty);
    const char *i = gen_tmp(g);
    gen_scope_open_loop(g, gen_text(g, "for (uint32_t %s = 0; %s < %s; %s++)", i, i,
                                    fun ? gen_text(g, "%u", f.ty->n) : gen_text(g, "%s.n", e), i));
    emit_set_add(g, t, ty, cv_of(f.ty->elem, gen_text(g, "%s.a[%s]", e, i)));
    gen_scope_close(g);
    return cv_of(ty, t);
}

struct cv emit_native_contains(struct args *a)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, NULL);
    struct cv e = cv_hold(g, emit_arg_at(a, 1, NULL));
    const char *ok = gen_tmp(g);
    gen_put(g, "int %s = 0;\n", ok);
    if (s.ty->cap) {
        const char *i = gen_tmp(g);
        gen_scope_open_loop(g, gen_text(g, "for (uint32_t %s = 0; %s < %s.n && !%s; %s++)", i, i,
                                        cv_e(g, &s), ok, i));
        gen_put(g, "%s = %s;\n", ok,
                emit_eq(g, cv_of(s.ty->elem, gen_text(g, "%s.a[%s]", cv_e(g, &s), i)), e));
        gen_scope_close(g);
    }
    return cv_of(g->tys->boolean, ok);
}

/* ---- functions as maps ---- */
static const struct ty *map_want(const struct ty *want, const struct ty *key, const struct ty *elem)
{
    return want && want->kind == TY_MAP && ty_same_shape(key, want->key) &&
                   ty_same_shape(elem, want->elem)
               ? want
               : NULL;
}

void emit_map_put(struct gen *g, const char *map, const struct ty *ty, struct cv key, struct cv v)
{
    gen_need_map(g, ty);
    key = cv_conv(g, key, ty->key);
    v = cv_conv(g, v, ty->elem);
    const char *k = gen_addr(g, &key);
    const char *p = gen_addr(g, &v);
    emit_comparable(g, ty->key, k, gen_text(g, "%s.k", map), gen_text(g, "%s.n", map));
    gen_put_call(g, "%s_put(&%s, %s, %s)", ty_c(g->tys, ty), map, k, p);
}

struct cv emit_native_single(struct args *a) /* k :> v */
{
    struct gen *g = a->g;
    struct cv rec;
    if (emit_single_record(a, &rec)) {
        return rec;
    }
    bool hint = a->want && a->want->kind == TY_MAP && a->want->cap;
    struct cv k = emit_arg_at(a, 0, hint ? a->want->key : NULL);
    struct cv v = emit_arg_at(a, 1, hint ? a->want->elem : NULL);
    if (cv_is_none(k) || cv_is_none(v)) {
        return cv_is_none(k) ? k : v;
    }
    if (!k.ty || !v.ty) {
        return gen_no(g, "a function of something without a layout");
    }
    const struct ty *ty = map_want(a->want, k.ty, v.ty);
    ty = ty ? ty : ty_map(g->tys, k.ty, v.ty, 1);
    const char *t = gen_new_var(g, ty);
    emit_map_put(g, t, ty, k, v);
    return cv_of(ty, t);
}

static const struct ty *as_map(struct gen *g, const struct ty *ty)
{
    if (ty->kind == TY_MAP) {
        return ty;
    }
    if (ty->kind == TY_SEQ) {
        return ty_map(g->tys, ty->cap ? ty_int(g->tys, 2) : g->tys->none, ty->elem, ty->cap);
    }
    if (ty->kind == TY_FUN) {
        return ty_map(g->tys, ty->key, ty->elem, ty->n);
    }
    const struct ty *elem = g->tys->none;
    for (uint32_t i = 0; i < ty->n; i++) { /* REC, TUP */
        elem = gen_join(g, elem, ty->field[i]);
    }
    for (uint32_t i = 0; ty->kind == TY_REC && i < ty->n; i++) {
        tys_atoms(g->tys, ty->names[i]);
    }
    return ty_map(g->tys, ty->kind == TY_REC ? g->tys->atom : ty_int(g->tys, 2), elem, ty->n);
}

/* An argument that must be a function. */
static struct cv arg_fcn(struct args *a, uint32_t i)
{
    struct gen *g = a->g;
    struct cv v = cv_fcn(g, emit_arg_at(a, i, a->want));
    if (v.ty && v.ty->kind == TY_NONE) { /* never seen */
        gen_trap(g, "T_KIND");
        v = cv_val(g, tuple_empty());
    }
    if (!v.ty || !ty_is_fcn(v.ty)) {
        gen_no(g, "a function is expected");
        return cv_val(g, tuple_empty());
    }
    return v;
}

static struct cv to_map(struct gen *g, struct cv v)
{
    return cv_conv(g, v, as_map(g, v.ty));
}

struct cv emit_arg_map(struct args *a, uint32_t i)
{
    return to_map(a->g, arg_fcn(a, i));
}

const struct ty *emit_merged(struct args *a, struct cv f, struct cv h)
{
    struct gen *g = a->g;
    const struct ty *key = f.ty->cap == 0   ? h.ty->key
                           : h.ty->cap == 0 ? f.ty->key
                           : ty_same_shape(h.ty->key, f.ty->key)
                               ? f.ty->key
                               : gen_join(g, f.ty->key, h.ty->key);
    const struct ty *elem = f.ty->cap == 0   ? h.ty->elem
                            : h.ty->cap == 0 ? f.ty->elem
                            : ty_same_shape(h.ty->elem, f.ty->elem)
                                ? f.ty->elem
                                : gen_join(g, f.ty->elem, h.ty->elem);
    const struct ty *want = map_want(a->want, key, elem);
    uint32_t cap = f.ty->cap + h.ty->cap;
    return want ? want : ty_map(g->tys, key, elem, ty_map_cap(cap < 96 ? cap : 96, elem));
}

/* Two functions of which one is to become part of the other: the result so far, and a loop over the
 * pairs of the second. */
struct merging {
    const struct ty *ty; /* of the result */
    const char *t;       /* the result: the first function so far */
    struct cv h;         /* the second */
    const char *i;       /* number of the pair */
    struct cv key;       /* of the pair, as the result holds it */
    const char *k;       /* pointer to it */
};

/* False: there is nothing to add. */
static bool merging_begin(struct args *a, struct cv f, struct cv h, struct merging *m)
{
    struct gen *g = a->g;
    m->h = h;
    m->ty = emit_merged(a, f, m->h);
    f = cv_conv(g, f, m->ty);
    m->t = gen_tmp(g);
    gen_put(g, "%s %s = %s;\n", ty_c(g->tys, m->ty), m->t, cv_e(g, &f));
    return m->h.ty->cap > 0;
}

static void merging_loop(struct args *a, struct merging *m)
{
    struct gen *g = a->g;
    const char *e = cv_e(g, &m->h);
    gen_need_map(g, m->ty);
    m->i = gen_tmp(g);
    gen_scope_open_loop(g,
                        gen_text(g, "for (uint32_t %s = 0; %s < %s.n; %s++)", m->i, m->i, e, m->i));
    m->key = cv_conv(g, cv_of(m->h.ty->key, gen_text(g, "%s.k[%s]", e, m->i)), m->ty->key);
    m->k = gen_addr(g, &m->key);
    emit_comparable(g, m->ty->key, m->k, gen_text(g, "%s.k", m->t), gen_text(g, "%s.n", m->t));
}

/* f @@ (k :> v): one pair is added to a copy. */
static bool merge_pair(struct args *a, struct cv f, struct cv *ret)
{
    struct gen *g = a->g;
    const struct ex *pair = a->x->kid[1];
    struct val v;
    if (!ex_is_native(pair, NATIVE_MAKE_FUNCTION) || gen_const_of(g, pair, a->f, &v)) {
        return false;
    }
    bool record =
        ty_as_rec(g->tys, f.ty) && gen_const_of(g, pair->kid[0], a->f, &v) && val_is_str(v);
    if (record && !(a->want && a->want->kind == TY_MAP)) {
        return false;
    }
    f = to_map(g, f);
    struct cv k = emit(g, pair->kid[0], a->f, f.ty->cap ? f.ty->key : NULL);
    struct cv e = emit(g, pair->kid[1], a->f, f.ty->cap ? f.ty->elem : NULL);
    if (cv_is_none(k) || cv_is_none(e)) {
        *ret = cv_is_none(k) ? k : e;
        return true;
    }
    if (!k.ty || !e.ty) {
        *ret = gen_no(g, "a function of something without a layout");
        return true;
    }
    const struct ty *one = ty_map(g->tys, k.ty, e.ty, 1);
    const struct ty *ty = emit_merged(a, f, cv_of(one, ""));
    gen_need_map(g, ty);
    f = cv_conv(g, f, ty);
    k = cv_conv(g, k, ty->key);
    const char *key = gen_addr(g, &k);
    const char *t = gen_tmp(g);
    const char *at = gen_tmp(g);
    gen_put(g, "%s %s = %s;\n", ty_c(g->tys, ty), t, cv_e(g, &f));
    emit_comparable(g, ty->key, key, gen_text(g, "%s.k", t), gen_text(g, "%s.n", t));
    gen_put(g, "int %s = %s_at(&%s, %s);\n", at, ty_c(g->tys, ty), t, key);
    gen_scope_open(g, gen_text(g, "if (%s < 0)", at));
    e = cv_conv(g, e, ty->elem);
    const char *elem = gen_addr(g, &e);
    gen_put_call(g, "%s_ins(&%s, ~%s, %s, %s)", ty_c(g->tys, ty), t, at, key, elem);
    gen_scope_close(g);
    *ret = cv_of(ty, t);
    return true;
}

/* <<a, b>> @@ h where h is a tuple of as many parts, or more: the first ones are others. */
static bool merge_tuples(struct args *a, struct cv h, struct cv *ret)
{
    struct gen *g = a->g;
    const struct ex *x = a->x->kid[0];
    if (x->op != EX_TUPLE || !stays_tuple(h, a->want) || x->n > h.ty->n) {
        return false;
    }
    struct cv part[TY_FIELDS];
    for (uint32_t i = 0; i < h.ty->n; i++) {
        part[i] = i < x->n ? emit(g, x->kid[i], a->f, NULL) : tuple_part(g, h, i);
        if (cv_is_none(part[i])) {
            *ret = part[i];
            return true;
        }
        if (!part[i].ty) {
            *ret = gen_no(g, "an element without a layout");
            return true;
        }
    }
    *ret = tuple_of(g, part, h.ty->n);
    return true;
}

struct cv emit_native_merge(struct args *a) /* f @@ h */
{
    struct gen *g = a->g;
    struct merging m;
    struct cv whole;
    if (a->x->kid[0]->op == EX_TUPLE && a->x->kid[0]->n > 0) {
        struct cv second = emit_arg_at(a, 1, NULL);
        if (cv_is_none(second)) {
            return second;
        }
        if (merge_tuples(a, cv_fcn(g, second), &whole)) {
            return whole;
        }
    }
    struct cv f = arg_fcn(a, 0);
    if (merge_pair(a, f, &whole)) {
        return whole;
    }
    struct cv h = arg_fcn(a, 1);
    if (emit_merge_records(a, f, h, &whole)) {
        return whole;
    }
    f = to_map(g, f);
    if (emit_merge_into(a, f, h, &whole)) {
        return whole;
    }
    if (!merging_begin(a, f, to_map(g, h), &m)) {
        return cv_of(m.ty, m.t);
    }
    merging_loop(a, &m);
    gen_scope_open(g, gen_text(g, "if (%s_at(&%s, %s) < 0)", ty_c(g->tys, m.ty), m.t, m.k));
    emit_map_put(g, m.t, m.ty, m.key,
                 cv_of(m.h.ty->elem, gen_text(g, "%s.a[%s]", cv_e(g, &m.h), m.i)));
    gen_scope_close(g);
    gen_scope_close(g);
    return cv_of(m.ty, m.t);
}

/* ---- bags ---- */
struct cv emit_native_set_to_bag(struct args *a)
{
    struct gen *g = a->g;
    struct tree *out = g->out;
    struct tree *body = tree_new(g->arena);
    struct loop_out loop;
    const char *t = gen_tmp(g);
    g->out = body;
    gen_scope_open(g, "");
    gen_loop_open(g, a->x->kid[0], a->f, &loop);
    const struct ty *ty = map_want(a->want, loop.elem.ty, ty_int(g->tys, 1));
    ty = ty ? ty : ty_map(g->tys, loop.elem.ty, ty_int(g->tys, 1), loop.most < 64 ? loop.most : 64);
    emit_map_put(g, t, ty, loop.elem, cv_val(g, val_small(1)));
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    g->out = out;
    gen_put_zero(g, ty, t);
    tree_splice(g->out, body);
    return cv_of(ty, t);
}

static struct cv bag_change(struct args *a, bool minus)
{
    struct gen *g = a->g;
    struct merging m;
    struct cv f = emit_arg_map(a, 0);
    if (!merging_begin(a, f, emit_arg_map(a, 1), &m)) {
        return cv_of(m.ty, m.t);
    }
    const struct ty *ty = m.ty;
    const char *t = m.t;
    struct cv h = m.h;
    if (ty->elem->kind != TY_INT || h.ty->elem->kind != TY_INT) {
        return gen_no(g, "a bag whose counts are no numbers");
    }
    merging_loop(a, &m);
    const char *c = ty_c(g->tys, ty);
    const char *i = m.i;
    const char *j = gen_tmp(g);
    const char *e = cv_e(g, &h);
    const char *k = m.k;
    struct cv key = m.key;
    gen_put(g, "int %s = %s_at(&%s, %s);\n", j, c, t, k);
    if (minus) {
        gen_put(
            g,
            "if (%s >= 0) { if (%s.a[%s] > %s.a[%s]) %s.a[%s] = (__typeof__(%s.a[0]))(%s.a[%s] - "
            "%s.a[%s]); else {\n",
            j, t, j, e, i, t, j, t, t, j, e, i);
        gen_put(
            g,
            "memmove(&%s.k[%s], &%s.k[%s + 1], (size_t)(%s.n - %s - 1) * sizeof %s.k[0]); "
            "memmove(&%s.a[%s], &%s.a[%s + 1], (size_t)(%s.n - %s - 1) * sizeof %s.a[0]); %s.n--; "
            "memset(&%s.k[%s.n], 0, sizeof %s.k[0]); memset(&%s.a[%s.n], 0, sizeof %s.a[0]); } }\n",
            t, j, t, j, t, j, t, t, j, t, j, t, j, t, t, t, t, t, t, t, t);
    } else {
        gen_scope_open(g, gen_text(g, "if (%s >= 0)", j));
        const char *sum = gen_call(g, "int64_t", "add_", "%s.a[%s], %s.a[%s]", t, j, e, i);
        struct cv v = cv_conv(g, cv_of(ty_int(g->tys, 8), sum), ty->elem);
        gen_put(g, "%s.a[%s] = %s;\n", t, j, cv_e(g, &v));
        gen_scope_close(g);
        gen_scope_open(g, "else");
        emit_map_put(g, t, ty, key, cv_of(h.ty->elem, gen_text(g, "%s.a[%s]", e, i)));
        gen_scope_close(g);
    }
    gen_scope_close(g);
    return cv_of(ty, t);
}

struct cv emit_native_bag_plus(struct args *a)
{
    return bag_change(a, false);
}

struct cv emit_native_bag_minus(struct args *a)
{
    return bag_change(a, true);
}

struct cv emit_native_bag_to_set(struct args *a)
{
    return emit_domain(a->g, emit_arg_at(a, 0, NULL));
}

struct cv emit_native_bag_in(struct args *a)
{
    struct cv e = emit_arg_at(a, 0, NULL);
    struct cv bag = emit_arg_at(a, 1, NULL);
    return emit_bool_result(a, emit_in_domain(a->g, e, bag));
}

struct cv emit_native_copies(struct args *a)
{
    struct gen *g = a->g;
    struct cv e = emit_arg_at(a, 0, NULL);
    struct cv bag = emit_arg_map(a, 1);
    const char *i = emit_map_find(g, bag, e);
    if (bag.ty->cap == 0) {
        return cv_val(g, val_small(0));
    }
    if (bag.ty->elem->kind != TY_INT) {
        return gen_no(g, "a bag whose counts are no numbers");
    }
    if (!ty_is_clean(bag.ty->key)) { /* a sequence refuses what is no integer */
        gen_trap_if(g, "T_DOMAIN", "%s < 0", i);
    }
    return emit_int_result(a, gen_text(g, "(%s < 0 ? 0 : %s.a[%s])", i, cv_e(g, &bag), i));
}

struct cv emit_native_empty_bag(struct args *a)
{
    return cv_val(a->g, tuple_empty());
}

/* ---- the rest ---- */
struct cv emit_native_assert(struct args *a)
{
    gen_trap_if(a->g, "T_KIND", "!(%s)", emit_bool(a->g, a->x->kid[0], a->f));
    return cv_of(a->g->tys->boolean, "1");
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
    return emit_int_result(a, "(int64_t)w->level");
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

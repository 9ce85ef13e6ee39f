/* Operators of the community modules: SequencesExt, Functions, FiniteSetsExt, BagsExt. Where an
 * order matters, elements come in the order of TLC, or the interpreter does it. */
#include <stddef.h>
#include <stdint.h>

#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/emit_native.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

/* ---- sequences ---- */

static const struct cx *minus_one(struct gen *g, const struct cx *x)
{
    return cx_two(g, CX_SUB, x, cx_int(g, 1));
}

/* How many elements are equal in both, from the first one on or (back) from the last one, at most
 * `most`. */
static const struct cx *common(struct gen *g, struct cv s, struct cv t, const struct cx *most,
                               bool back)
{
    const struct cx *n = gen_new_number(g, CX_I64, cx_int(g, 0));
    if (g->declined || s.ty->cap == 0 || t.ty->cap == 0) {
        return n;
    }
    const struct cx *i = gen_for_n(g, CX_I64, most);
    const struct cx *at = cx_two(g, CX_SUB, minus_one(g, cx_count(g, cv_e(g, &s))), i);
    const struct cx *bt = cx_two(g, CX_SUB, minus_one(g, cx_count(g, cv_e(g, &t))), i);
    const struct cx *e = emit_eq(g, cv_elem(g, s, back ? at : i), cv_elem(g, t, back ? bt : i));
    gen_if(g, cx_not(g, e));
    gen_break(g);
    gen_scope_close(g);
    gen_change(g, n, "+=", cx_int(g, 1));
    gen_scope_close(g);
    return n;
}

static struct cv is_end(struct args *a, bool back)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, NULL);
    struct cv t = emit_arg_seq(a, 1, NULL);
    if (g->declined) {
        return cv_none(g);
    }
    const struct cx *m = cx_count(g, cv_e(g, &s));
    const struct cx *n = cx_count(g, cv_e(g, &t));
    const struct cx *ok = gen_new_flag(g, cx_int(g, 0));
    gen_if(g, cx_two(g, CX_LE, m, n));
    gen_set(g, ok, cx_two(g, CX_EQ, common(g, s, t, m, back), m));
    gen_scope_close(g);
    return cv_of(g, g->tys->boolean, cx_sealed(g, ok));
}

struct cv emit_native_is_prefix(struct args *a)
{
    return is_end(a, false);
}

struct cv emit_native_is_suffix(struct args *a)
{
    return is_end(a, true);
}

struct cv emit_native_reverse(struct args *a)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, ty_seq_want(a->want));
    if (g->declined || s.ty->cap == 0) {
        return s;
    }
    const struct cx *n = cx_count(g, cv_e(g, &s));
    const struct cx *t = gen_new_var(g, s.ty);
    gen_set(g, cx_count(g, t), n);
    const struct cx *i = gen_for_n(g, CX_INT, n);
    gen_set(g, cx_elem(g, t, i), cv_elem(g, s, cx_two(g, CX_SUB, minus_one(g, n), i)).e);
    gen_scope_close(g);
    return cv_of(g, s.ty, cx_sealed(g, t));
}

/* SelectInSeq(s, P): the first index, or 0. */
static struct cv select_index(struct args *a, bool last)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, NULL);
    struct slot oper = emit_arg_oper(a, 1);
    const struct cx *t = gen_new_number(g, CX_I64, cx_int(g, 0));
    if (g->declined || s.ty->cap == 0) {
        return cv_number(g, t);
    }
    const struct cx *n = cx_count(g, cv_e(g, &s));
    const struct cx *turn = gen_for_while(g, CX_I64, n, cx_not(g, t));
    const struct cx *i = last ? cx_two(g, CX_SUB, minus_one(g, n), turn) : turn;
    struct cv elem = cv_elem(g, s, i);
    struct cv p = cv_bool(g, emit_oper(g, &oper, &elem, 1, NULL));
    gen_if(g, cv_e(g, &p));
    gen_set(g, t, cx_two(g, CX_ADD, i, cx_int(g, 1)));
    gen_scope_close(g);
    gen_scope_close(g);
    return cv_number(g, cx_sealed(g, t));
}

struct cv emit_native_select_in(struct args *a)
{
    return select_index(a, false);
}

struct cv emit_native_select_last(struct args *a)
{
    return select_index(a, true);
}

/* SortSeq(s, Op): each element in turn goes before those that it precedes, from the end on. */
struct cv emit_native_sort_seq(struct args *a)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, ty_seq_want(a->want));
    struct slot oper = emit_arg_oper(a, 1);
    if (g->declined || s.ty->cap == 0) {
        return s;
    }
    const struct cx *t = gen_new_var(g, s.ty);
    struct cv sorted = cv_of(g, s.ty, t);
    const struct cx *n = cx_count(g, cv_e(g, &s));
    const struct cx *i = gen_for_n(g, CX_U32, n);
    const struct cx *at = gen_new_number(g, CX_U32, i);
    const struct cx *before = minus_one(g, at);
    gen_while(g, cx_two(g, CX_GT, at, cx_int(g, 0)));
    struct cv pair[2] = {cv_elem(g, s, i), cv_elem(g, sorted, before)};
    struct cv first = cv_bool(g, emit_oper(g, &oper, pair, 2, NULL));
    gen_if(g, cx_not(g, cv_e(g, &first)));
    gen_break(g);
    gen_scope_close(g);
    gen_set(g, cx_elem(g, t, at), cx_elem(g, t, before));
    gen_change(g, at, "-=", cx_int(g, 1));
    gen_scope_close(g);
    gen_set(g, cx_elem(g, t, at), cv_elem(g, s, i).e);
    gen_scope_close(g);
    gen_set(g, cx_count(g, t), n);
    return cv_of(g, s.ty, cx_sealed(g, t));
}

/* ---- sums ---- */
static struct cv total_set(struct args *a, uint32_t set, int oper_arg, bool product)
{
    struct gen *g = a->g;
    struct loop_out loop;
    struct slot oper = {0};
    if (oper_arg >= 0) {
        oper = emit_arg_oper(a, (uint32_t)oper_arg);
    }
    const struct cx *t = gen_new_number(g, CX_I64, cx_int(g, product));
    gen_block(g);
    gen_loop_open(g, a->x->kid[set], a->f, &loop);
    struct cv v = oper_arg >= 0 ? emit_oper(g, &oper, &loop.elem, 1, NULL) : loop.elem;
    v = cv_int(g, v);
    emit_add_to(g, t, product ? "mul_" : "add_", cv_e(g, &v));
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_number(g, cx_sealed(g, t));
}

struct cv emit_native_product_set(struct args *a)
{
    return total_set(a, 0, -1, true);
}

struct cv emit_native_map_then_sum(struct args *a) /* MapThenSumSet(op, S) */
{
    return total_set(a, 1, 0, false);
}

/* A function whose values stand in the order of its keys. */
static struct cv arg_values(struct args *a, uint32_t i, const struct cx **ret_n)
{
    struct gen *g = a->g;
    struct cv f = cv_fcn(g, emit_arg_at(a, i, NULL));
    *ret_n = cx_int(g, 0);
    if (!f.ty || !ty_is_fcn(f.ty)) {
        return gen_no(g, "a function is expected");
    }
    if (f.ty->kind == TY_TUP) {
        f = emit_arg_seq(a, i, NULL);
    }
    if (f.ty->kind == TY_REC || (f.ty->kind == TY_MAP && f.ty->key->kind != TY_INT)) {
        return gen_no(g, "a fold over something unusual");
    }
    *ret_n = cx_size(g, cv_e(g, &f));
    return f;
}

struct cv emit_native_sum_function(struct args *a)
{
    struct gen *g = a->g;
    const struct cx *n;
    struct cv f = arg_values(a, 0, &n);
    const struct cx *t = gen_new_number(g, CX_I64, cx_int(g, 0));
    if (g->declined || (f.ty->kind != TY_FUN && f.ty->cap == 0)) {
        return cv_number(g, t);
    }
    const struct cx *i = gen_for_n(g, CX_U32, n);
    struct cv v = cv_int(g, cv_elem(g, f, i));
    emit_add_to(g, t, "add_", cv_e(g, &v));
    gen_scope_close(g);
    return cv_number(g, cx_sealed(g, t));
}

struct cv emit_native_sum_function_on(struct args *a) /* SumFunctionOnSet(f, S) */
{
    struct gen *g = a->g;
    struct loop_out loop;
    struct cv f = cv_fcn(g, emit_arg_at(a, 0, NULL));
    const struct cx *t = gen_new_number(g, CX_I64, cx_int(g, 0));
    gen_block(g);
    gen_loop_open(g, a->x->kid[1], a->f, &loop);
    struct cv v = cv_int(g, emit_apply(g, f, loop.elem));
    emit_add_to(g, t, "add_", cv_e(g, &v));
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_number(g, cx_sealed(g, t));
}

struct cv emit_native_fold_function(struct args *a) /* FoldFunction(op, base, f): op(value, acc) */
{
    struct gen *g = a->g;
    struct slot oper = emit_arg_oper(a, 0);
    const struct ty *ty;
    const struct cx *n;
    struct cv f = arg_values(a, 2, &n);
    const struct cx *acc = emit_fold_start(a, 1, &ty);
    if (g->declined || (f.ty->kind != TY_FUN && f.ty->cap == 0)) {
        return cv_of(g, ty, emit_fold_end(a, acc));
    }
    const struct cx *i = gen_for_n(g, CX_U32, n);
    emit_fold_step(a, &oper, acc, ty, cv_elem(g, f, i), false);
    gen_scope_close(g);
    return cv_of(g, ty, emit_fold_end(a, acc));
}

/* ---- bags ---- */
struct cv emit_native_bag_cardinality(struct args *a)
{
    struct gen *g = a->g;
    struct cv b = emit_arg_map(a, 0);
    if (b.ty->cap == 0) {
        return cv_val(g, val_small(0));
    }
    if (b.ty->elem->kind != TY_INT) {
        return gen_no(g, "a bag whose counts are no numbers");
    }
    const struct cx *t = gen_new_number(g, CX_I64, cx_int(g, 0));
    const struct cx *i = gen_for_n(g, CX_INT, cx_count(g, cv_e(g, &b)));
    const struct cx *n = cv_elem(g, b, i).e;
    gen_trap_if(g, "T_KIND", cx_two(g, CX_LT, n, cx_int(g, 1)));
    emit_add_to(g, t, "add_", n);
    gen_scope_close(g);
    return cv_number(g, cx_sealed(g, t));
}

/* BagAdd(B, x) */
struct cv emit_native_bag_add(struct args *a)
{
    struct gen *g = a->g;
    struct cv b = emit_arg_map(a, 0);
    struct cv x = emit_arg_at(a, 1, b.ty->cap ? b.ty->key : NULL);
    if (!x.ty) {
        return gen_no(g, "an element without a layout");
    }
    struct cv one = {.ty = ty_map(g->tys, x.ty, ty_int(g->tys, 1), 1)};
    const struct ty *ty = emit_merged(a, b, one);
    if (ty->elem->kind != TY_INT) {
        return gen_no(g, "a bag whose counts are no numbers");
    }
    b = cv_conv(g, b, ty);
    x = cv_conv(g, x, ty->key);
    const struct cx *t = gen_new_copy(g, ty, cv_e(g, &b));
    struct cv bag = cv_of(g, ty, t);
    const struct cx *at = emit_map_find(g, bag, x);
    const struct cx *now = cv_elem(g, bag, at).e;
    gen_if(g, cx_two(g, CX_GE, at, cx_int(g, 0)));
    const struct cx *sum = gen_call(g, cx_call(g, CX_I64, NULL, "add_", now, cx_int(g, 1)));
    struct cv v = cv_conv(g, cv_number(g, sum), ty->elem);
    gen_set(g, now, cv_e(g, &v));
    gen_scope_close(g);
    gen_else(g, NULL);
    struct cv key = x;
    struct cv first = cv_of(g, ty->elem, cx_int(g, 1));
    const struct cx *k = gen_addr(g, &key);
    const struct cx *count = gen_addr(g, &first);
    if (!g->declined) {
        gen_call_into(g, cx_ty_call(g, CX_INT, ty, "_put", CX_ARGS(cx_addr(g, t), k, count)));
    }
    gen_scope_close(g);
    return cv_of(g, ty, cx_sealed(g, t));
}

/* BagRemove(B, x), BagRemoveAll(B, x) */
static struct cv bag_remove(struct args *a, bool all)
{
    struct gen *g = a->g;
    struct cv b = emit_arg_map(a, 0);
    struct cv x = emit_arg_at(a, 1, b.ty->cap ? b.ty->key : NULL);
    if (b.ty->cap == 0) {
        return b;
    }
    if (!x.ty || b.ty->elem->kind != TY_INT) {
        return gen_no(g, "a bag whose counts are no numbers");
    }
    const struct cx *t = gen_new_copy(g, b.ty, cv_e(g, &b));
    struct cv bag = cv_of(g, b.ty, t);
    const struct cx *at = emit_map_find(g, bag, x);
    const struct cx *now = cv_elem(g, bag, at).e;
    const struct cx *some = cx_two(g, CX_GT, now, cx_int(g, 1));
    gen_if(g, cx_two(g, CX_GE, at, cx_int(g, 0)));
    gen_if(g, all ? cx_int(g, 0) : some);
    gen_change(g, now, "-=", cx_int(g, 1));
    gen_scope_close(g);
    gen_else(g, NULL);
    emit_map_cut(g, t, at);
    gen_scope_close(g);
    gen_scope_close(g);
    return cv_of(g, b.ty, cx_sealed(g, t));
}

struct cv emit_native_bag_remove(struct args *a)
{
    return bag_remove(a, false);
}

struct cv emit_native_bag_remove_all(struct args *a)
{
    return bag_remove(a, true);
}

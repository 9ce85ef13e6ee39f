/* Operators of the community modules: SequencesExt, Functions, FiniteSetsExt, BagsExt. Where an
 * order matters, elements come in the order of TLC, or the interpreter does it. */
#include <stddef.h>
#include <stdint.h>

#include "cgen/emit.h"
#include "cgen/emit_native.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

/* ---- sequences ---- */

/* A C variable: how many elements are equal in both, from the first one on or (back) from the last
 * one, at most `most`. */
static const char *common(struct gen *g, struct cv s, struct cv t, const char *most, bool back)
{
    const char *n = gen_tmp(g);
    const char *i = gen_tmp(g);
    gen_put(g, "int64_t %s = 0;\n", n);
    if (s.ty->cap == 0 || t.ty->cap == 0) {
        return n;
    }
    const char *a = cv_e(g, &s);
    const char *b = cv_e(g, &t);
    gen_scope_open_loop(g, gen_text(g, "for (int64_t %s = 0; %s < %s; %s++)", i, i, most, i));
    const char *at = back ? gen_text(g, "%s.n - 1 - %s", a, i) : i;
    const char *bt = back ? gen_text(g, "%s.n - 1 - %s", b, i) : i;
    const char *e = emit_eq(g, cv_of(s.ty->elem, gen_text(g, "%s.a[%s]", a, at)),
                            cv_of(t.ty->elem, gen_text(g, "%s.a[%s]", b, bt)));
    gen_put(g, "if (!(%s)) break;\n%s++;\n", e, n);
    gen_scope_close(g);
    return n;
}

static struct cv is_end(struct args *a, bool back)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, NULL);
    struct cv t = emit_arg_seq(a, 1, NULL);
    const char *x = cv_e(g, &s);
    const char *y = cv_e(g, &t);
    const char *ok = gen_tmp(g);
    gen_put(g, "int %s = 0;\n", ok);
    gen_scope_open(g, gen_text(g, "if (%s.n <= %s.n)", x, y));
    gen_put(g, "%s = %s == %s.n;\n", ok, common(g, s, t, gen_text(g, "(int64_t)%s.n", x), back), x);
    gen_scope_close(g);
    return cv_of(g->tys->boolean, ok);
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
    if (s.ty->cap == 0) {
        return s;
    }
    const char *e = cv_e(g, &s);
    const char *t = gen_new_var(g, s.ty);
    gen_put_loop(g, "%s.n = %s.n; for (int i = 0; i < %s.n; i++) %s.a[i] = %s.a[%s.n - 1 - i];\n",
                 t, e, e, t, e, e);
    return cv_of(s.ty, t);
}

/* SelectInSeq(s, P): the first index, or 0. */
static struct cv select_index(struct args *a, bool last)
{
    struct gen *g = a->g;
    struct cv s = emit_arg_seq(a, 0, NULL);
    struct slot oper = emit_arg_oper(a, 1);
    const char *t = gen_tmp(g);
    const char *i = gen_tmp(g);
    gen_put(g, "int64_t %s = 0;\n", t);
    if (s.ty->cap == 0) {
        return cv_of(ty_int(g->tys, 8), t);
    }
    const char *e = cv_e(g, &s);
    gen_scope_open_loop(
        g, last ? gen_text(g, "for (int64_t %s = %s.n; %s-- > 0 && !%s; )", i, e, i, t)
                : gen_text(g, "for (int64_t %s = 0; %s < %s.n && !%s; %s++)", i, i, e, t, i));
    struct cv elem = cv_of(s.ty->elem, gen_text(g, "%s.a[%s]", e, i));
    struct cv p = cv_bool(g, emit_oper(g, &oper, &elem, 1, NULL));
    gen_put(g, "if (%s) %s = %s + 1;\n", cv_e(g, &p), t, i);
    gen_scope_close(g);
    return cv_of(ty_int(g->tys, 8), t);
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
    if (s.ty->cap == 0) {
        return s;
    }
    const char *e = cv_e(g, &s);
    const char *t = gen_new_var(g, s.ty);
    const char *i = gen_tmp(g);
    const char *at = gen_tmp(g);
    gen_scope_open_loop(g, gen_text(g, "for (uint32_t %s = 0; %s < %s.n; %s++)", i, i, e, i));
    gen_put(g, "uint32_t %s = %s;\n", at, i);
    gen_scope_open(g, gen_text(g, "while (%s > 0)", at));
    struct cv pair[2] = {cv_of(s.ty->elem, gen_text(g, "%s.a[%s]", e, i)),
                         cv_of(s.ty->elem, gen_text(g, "%s.a[%s - 1]", t, at))};
    struct cv before = cv_bool(g, emit_oper(g, &oper, pair, 2, NULL));
    gen_put(g, "if (!(%s)) break;\n%s.a[%s] = %s.a[%s - 1]; %s--;\n", cv_e(g, &before), t, at, t,
            at, at);
    gen_scope_close(g);
    gen_put(g, "%s.a[%s] = %s.a[%s];\n", t, at, e, i);
    gen_scope_close(g);
    gen_put(g, "%s.n = %s.n;\n", t, e);
    return cv_of(s.ty, t);
}

/* ---- sums ---- */
static struct cv total_set(struct args *a, uint32_t set, int oper_arg, bool product)
{
    struct gen *g = a->g;
    struct loop_out loop;
    const char *t = gen_tmp(g);
    struct slot oper = {0};
    if (oper_arg >= 0) {
        oper = emit_arg_oper(a, (uint32_t)oper_arg);
    }
    gen_put(g, "int64_t %s = %d;\n", t, product);
    gen_scope_open(g, "");
    gen_loop_open(g, a->x->kid[set], a->f, &loop);
    struct cv v = oper_arg >= 0 ? emit_oper(g, &oper, &loop.elem, 1, NULL) : loop.elem;
    v = cv_int(g, v);
    gen_put_call(g, "%s(%s, %s, &%s)", product ? "mul_" : "add_", t, cv_e(g, &v), t);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_of(ty_int(g->tys, 8), t);
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
static struct cv arg_values(struct args *a, uint32_t i, const char **ret_n)
{
    struct gen *g = a->g;
    struct cv f = cv_fcn(g, emit_arg_at(a, i, NULL));
    *ret_n = "0";
    if (!f.ty || !ty_is_fcn(f.ty)) {
        return gen_no(g, "a function is expected");
    }
    if (f.ty->kind == TY_TUP) {
        f = emit_arg_seq(a, i, NULL);
    }
    if (f.ty->kind == TY_REC || (f.ty->kind == TY_MAP && f.ty->key->kind != TY_INT)) {
        return gen_no(g, "a fold over something unusual");
    }
    *ret_n = f.ty->kind == TY_FUN ? gen_text(g, "%u", f.ty->n) : gen_text(g, "%s.n", cv_e(g, &f));
    return f;
}

struct cv emit_native_sum_function(struct args *a)
{
    struct gen *g = a->g;
    const char *n;
    struct cv f = arg_values(a, 0, &n);
    const char *t = gen_tmp(g);
    const char *i = gen_tmp(g);
    gen_put(g, "int64_t %s = 0;\n", t);
    if (f.ty->kind != TY_FUN && f.ty->cap == 0) {
        return cv_of(ty_int(g->tys, 8), t);
    }
    gen_scope_open_loop(g, gen_text(g, "for (uint32_t %s = 0; %s < %s; %s++)", i, i, n, i));
    struct cv v = cv_int(g, cv_of(f.ty->elem, gen_text(g, "%s.a[%s]", cv_e(g, &f), i)));
    gen_put_call(g, "add_(%s, %s, &%s)", t, cv_e(g, &v), t);
    gen_scope_close(g);
    return cv_of(ty_int(g->tys, 8), t);
}

struct cv emit_native_sum_function_on(struct args *a) /* SumFunctionOnSet(f, S) */
{
    struct gen *g = a->g;
    struct loop_out loop;
    struct cv f = cv_fcn(g, emit_arg_at(a, 0, NULL));
    const char *t = gen_tmp(g);
    gen_put(g, "int64_t %s = 0;\n", t);
    gen_scope_open(g, "");
    gen_loop_open(g, a->x->kid[1], a->f, &loop);
    struct cv v = cv_int(g, emit_apply(g, f, loop.elem));
    gen_put_call(g, "add_(%s, %s, &%s)", t, cv_e(g, &v), t);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    return cv_of(ty_int(g->tys, 8), t);
}

struct cv emit_native_fold_function(struct args *a) /* FoldFunction(op, base, f): op(value, acc) */
{
    struct gen *g = a->g;
    struct slot oper = emit_arg_oper(a, 0);
    const struct ty *ty;
    const char *n;
    struct cv f = arg_values(a, 2, &n);
    const char *acc = emit_fold_start(a, 1, &ty);
    if (f.ty->kind != TY_FUN && f.ty->cap == 0) {
        return cv_of(ty, acc);
    }
    const char *i = gen_tmp(g);
    gen_scope_open_loop(g, gen_text(g, "for (uint32_t %s = 0; %s < %s; %s++)", i, i, n, i));
    emit_fold_step(a, &oper, acc, ty, cv_of(f.ty->elem, gen_text(g, "%s.a[%s]", cv_e(g, &f), i)),
                   false);
    gen_scope_close(g);
    return cv_of(ty, acc);
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
    const char *t = gen_tmp(g);
    const char *e = cv_e(g, &b);
    gen_put_trap_loop(g,
                      "int64_t %s = 0; for (int i = 0; i < %s.n; i++) { if (%s.a[i] < 1) "
                      "TRAP(T_KIND); CALL(add_(%s, %s.a[i], &%s)); }\n",
                      t, e, e, t, e, t);
    return cv_of(ty_int(g->tys, 8), t);
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
    struct cv one = cv_of(ty_map(g->tys, x.ty, ty_int(g->tys, 1), 1), "0");
    const struct ty *ty = emit_merged(a, b, one);
    if (ty->elem->kind != TY_INT) {
        return gen_no(g, "a bag whose counts are no numbers");
    }
    b = cv_conv(g, b, ty);
    x = cv_conv(g, x, ty->key);
    const char *t = gen_tmp(g);
    const char *k = gen_addr(g, &x);
    gen_put(g, "%s %s = %s;\n", ty_c(g->tys, ty), t, cv_e(g, &b));
    const char *at = emit_map_find(g, cv_of(ty, t), x);
    gen_scope_open(g, gen_text(g, "if (%s >= 0)", at));
    const char *sum = gen_call(g, "int64_t", "add_", "%s.a[%s], 1", t, at);
    struct cv v = cv_conv(g, cv_of(ty_int(g->tys, 8), sum), ty->elem);
    gen_put(g, "%s.a[%s] = %s;\n", t, at, cv_e(g, &v));
    gen_scope_close(g);
    gen_scope_open(g, "else");
    struct cv first = cv_of(ty->elem, "1");
    const char *count = gen_addr(g, &first);
    gen_put_call(g, "%s_put(&%s, %s, %s)", ty_c(g->tys, ty), t, k, count);
    gen_scope_close(g);
    return cv_of(ty, t);
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
    const char *t = gen_tmp(g);
    gen_put(g, "%s %s = %s;\n", ty_c(g->tys, b.ty), t, cv_e(g, &b));
    const char *at = emit_map_find(g, cv_of(b.ty, t), x);
    gen_scope_open(g, gen_text(g, "if (%s >= 0)", at));
    if (!all) {
        gen_put(g, "if (%s.a[%s] > 1) %s.a[%s]--; else\n", t, at, t, at);
    }
    gen_put(g,
            "{ uint32_t rest = (uint32_t)(%s.n - %s - 1); memmove(&%s.k[%s], &%s.k[%s + 1], rest * "
            "sizeof %s.k[0]); memmove(&%s.a[%s], &%s.a[%s + 1], rest * sizeof %s.a[0]); %s.n--;\n",
            t, at, t, at, t, at, t, t, at, t, at, t, t);
    gen_put(g,
            "memset(&%s.k[%s.n], 0, sizeof %s.k[0]); memset(&%s.a[%s.n], 0, sizeof %s.a[0]); }\n",
            t, t, t, t, t, t);
    gen_scope_close(g);
    return cv_of(b.ty, t);
}

struct cv emit_native_bag_remove(struct args *a)
{
    return bag_remove(a, false);
}

struct cv emit_native_bag_remove_all(struct args *a)
{
    return bag_remove(a, true);
}

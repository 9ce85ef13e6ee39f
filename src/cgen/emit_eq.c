/* Equality in C text, of values that may be laid out in different ways or be of different kinds. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "value/value.h"

/* ---- equality ---- */

/* Is a record compared with a function that is none, somewhere? TLC may refuse. */
static bool confuses(const struct ty *a, const struct ty *b)
{
    if (a == b || a->kind == TY_NONE || b->kind == TY_NONE) {
        return false;
    }
    if ((a->kind == TY_REC) != (b->kind == TY_REC) && ty_is_fcn(a) && ty_is_fcn(b)) {
        const struct ty *other = a->kind == TY_REC ? b : a;
        return other->kind == TY_FUN || other->cap > 0;
    }
    if (a->kind != b->kind) {
        return (a->elem && b->elem && confuses(a->elem, b->elem)) ||
               (a->key && b->key && confuses(a->key, b->key));
    }
    for (uint32_t i = 0; a->kind == TY_TUP && a->n == b->n && i < a->n; i++) {
        if (confuses(a->field[i], b->field[i])) {
            return true;
        }
    }
    for (uint32_t i = 0; a->kind == TY_REC && i < a->n; i++) {
        int at = ty_field(b, a->names[i]);
        if (at >= 0 && confuses(a->field[i], b->field[at])) {
            return true;
        }
    }
    return (a->elem && b->elem && confuses(a->elem, b->elem)) ||
           (a->key && b->key && confuses(a->key, b->key));
}

bool ty_in_order(const struct ty *ty)
{
    return ty->kind == TY_INT || ty->kind == TY_BOOL ||
           (ty->kind == TY_ATOM && ty_comparable(ty, ty));
}

/* ---- values that may be of different kinds ----
 * TLC refuses to compare an integer with a string, or a tuple with a function that has a model
 * value in its domain. A type is clean when any two of its values can be compared; for the others
 * there is a function q<id> that says whether two values are equal and traps where TLC might fail.
 */
bool ty_is_clean(const struct ty *ty)
{
    if (ty->kind == TY_MIX || ty->kind == TY_UNION) {
        return false;
    }
    if (ty->kind == TY_ATOM) {
        return ty_comparable(ty, ty);
    }
    if (ty->kind == TY_BITS) {
        return true;
    }
    for (uint32_t i = 0; ty->field && i < ty->n; i++) {
        if (!ty_is_clean(ty->field[i])) {
            return false;
        }
    }
    return (ty->kind == TY_FUN || !ty->key || ty_is_clean(ty->key)) &&
           (!ty->elem || ty_is_clean(ty->elem));
}

static struct conv_key eq_function(struct gen *g, const struct ty *ty);

/* Are the two values, of one type, equal? May write statements. */
static const struct cx *eq_same(struct gen *g, const struct ty *ty, const struct cx *a,
                                const struct cx *b)
{
    if (g->declined || ty->kind == TY_NONE || ty->size == 0) {
        return cx_int(g, 1);
    }
    if (ty->kind == TY_MIX) {
        return gen_call(g, cx_call(g, CX_INT, NULL, "mix_eq", a, b));
    }
    if (ty->kind == TY_ATOM && !ty_is_clean(ty)) {
        return gen_call(g, cx_call(g, CX_INT, NULL, "atom_eq", a, b));
    }
    if (ty_by_value(ty)) {
        return cx_two(g, CX_EQ, a, b);
    }
    const struct cx *pa = cx_addr(g, a);
    const struct cx *pb = cx_addr(g, b);
    if (ty_is_clean(ty)) {
        const struct cx *cmp =
            cx_call(g, CX_INT, NULL, "memcmp", pa, pb, cx_int(g, (int64_t)ty->size));
        return cx_two(g, CX_EQ, cmp, cx_int(g, 0));
    }
    struct conv_key eq = eq_function(g, ty);
    return gen_call_of(g, cx_call(g, CX_INT, NULL, eq.name, cx_worker(g), pa, pb), &eq);
}

/* The values that a function of two of one type is given. */
struct pair {
    struct cv a, b;
};

static struct pair pair_of(struct gen *g, const struct ty *ty)
{
    return (struct pair){cv_of(g, ty, cx_param(g, ty, "a", true)),
                         cv_of(g, ty, cx_param(g, ty, "b", true))};
}

static void give_if(struct gen *g, const struct cx *cond, int64_t n)
{
    gen_if(g, cond);
    gen_give(g, cx_int(g, n));
    gen_scope_close(g);
}

void gen_put_alternatives(struct gen *g, const struct ty *ty, compare_fn compare)
{
    struct pair p = pair_of(g, ty);
    gen_if(g, cx_two(g, CX_EQ, cx_tag(g, p.a.e), cx_tag(g, p.b.e)));
    gen_switch(g, cx_tag(g, p.a.e));
    for (uint32_t i = 0; i < ty->n; i++) {
        gen_case(g, cx_int(g, i));
        gen_give(g, compare(g, ty->field[i], cv_field(g, p.a, i).e, cv_field(g, p.b, i).e));
        gen_scope_close(g);
    }
    gen_scopes_close(g, 2);
}

void gen_give_models(struct gen *g, const struct ty *ty, int64_t first, int64_t second)
{
    struct pair p = pair_of(g, ty);
    int at = ty_alternative(ty, g->tys->atom);
    const struct ty *st = at >= 0 ? ty->field[at] : NULL;
    for (int side = 0; st && (st->kind == TY_ATOM || st->kind == TY_MIX) && side < 2; side++) {
        struct cv v = side ? p.b : p.a;
        const struct cx *field = cv_field(g, v, (uint32_t)at).e;
        const struct cx *model = st->kind == TY_ATOM ? cx_is_model(g, field)
                                                     : cx_call(g, CX_INT, NULL, "mix_model", field);
        give_if(g, cx_two(g, CX_BOTH, emit_is_tag(g, v.e, at), model), side ? second : first);
    }
}

static void eq_unions(struct gen *g, const struct ty *ty)
{
    gen_put_alternatives(g, ty, eq_same);
    gen_give_models(g, ty, 0, 0); /* only model values may differ in kind */
    gen_trap(g, "T_KIND");
}

static void give_unless_counts(struct gen *g, const struct ty *ty)
{
    struct pair p = pair_of(g, ty);
    give_if(g, cx_two(g, CX_NE, cx_count(g, p.a.e), cx_count(g, p.b.e)), 0);
}

/* Compares each of a with each of b, for one may trap, and says that a and b are not equal. */
static void eq_each_other(struct gen *g, const struct ty *ty, bool keys)
{
    struct pair p = pair_of(g, ty);
    const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, p.a.e));
    const struct cx *j = gen_for_n(g, CX_U32, cx_count(g, p.b.e));
    struct cv x = keys ? cv_key(g, p.a, i) : cv_elem(g, p.a, i);
    struct cv y = keys ? cv_key(g, p.b, j) : cv_elem(g, p.b, j);
    (void)eq_same(g, keys ? ty->key : ty->elem, x.e, y.e);
    gen_scopes_close(g, 2);
    gen_give(g, cx_int(g, 0));
}

/* Element by element, up to n. */
static void eq_in_order(struct gen *g, const struct ty *ty, const struct cx *n)
{
    struct pair p = pair_of(g, ty);
    const struct cx *i = gen_for_n(g, CX_U32, n);
    const struct cx *eq = eq_same(g, ty->elem, cv_elem(g, p.a, i).e, cv_elem(g, p.b, i).e);
    give_if(g, cx_not(g, eq), 0);
    gen_scope_close(g);
}

/* Of keys of which one map is a tuple and the other is none: some must not be compared. */
static void eq_mixed_keys(struct gen *g, const struct ty *ty)
{
    struct pair p = pair_of(g, ty);
    const struct cx *ta = gen_new_flag(g, cx_int(g, 1));
    const struct cx *tb = gen_new_flag(g, cx_int(g, 1));
    const struct cx *other = gen_new_flag(g, cx_int(g, 0));
    const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, p.a.e));
    const struct cx *next = cx_two(g, CX_ADD, cx_cast(g, CX_I64, i), cx_int(g, 1));
    const struct cx *x = cv_key(g, p.a, i).e;
    const struct cx *y = cv_key(g, p.b, i).e;
    gen_change(g, ta, "&=", cx_two(g, CX_EQ, x, next));
    gen_change(g, tb, "&=", cx_two(g, CX_EQ, y, next));
    gen_change(g, other, "|=",
               cx_two(g, CX_EITHER, cx_two(g, CX_GE, x, cx_mix_atom(g)),
                      cx_two(g, CX_GE, y, cx_mix_atom(g))));
    gen_scope_close(g);
    gen_trap_if(g, "T_KIND", cx_two(g, CX_BOTH, cx_two(g, CX_NE, ta, tb), other));
}

static const struct cx *same_memory(struct gen *g, const struct cx *a, const struct cx *b,
                                    const struct cx *n)
{
    return cx_two(g, CX_EQ, cx_call(g, CX_INT, NULL, "memcmp", a, b, n), cx_int(g, 0));
}

/* Of one number of keys: a tuple is not compared with what has keys that are no integers. */
static void eq_maps(struct gen *g, const struct ty *ty)
{
    struct pair p = pair_of(g, ty);
    give_unless_counts(g, ty);
    const struct cx *ka = cx_keys(g, p.a.e);
    const struct cx *same =
        gen_new_flag(g, same_memory(g, ka, cx_keys(g, p.b.e), cx_sizeof(g, ka)));
    if (ty->key->kind == TY_MIX) {
        eq_mixed_keys(g, ty);
    } else if (ty->key->kind == TY_UNION) {
        gen_trap_if(g, "T_KIND", cx_not(g, same));
    }
    gen_if(g, cx_not(g, same));
    eq_each_other(g, ty, true);
    gen_scope_close(g);
    const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, p.a.e));
    gen_change(g, same, "&=", eq_same(g, ty->elem, cv_elem(g, p.a, i).e, cv_elem(g, p.b, i).e));
    gen_scope_close(g);
    gen_give(g, same);
}

static void eq_body(struct gen *g, const struct ty *ty)
{
    struct pair p = pair_of(g, ty);
    switch (ty->kind) {
    case TY_UNION: eq_unions(g, ty); return;
    case TY_MAP: eq_maps(g, ty); return;
    case TY_REC:
    case TY_TUP:
        if (ty->nvariant > 1) {
            give_if(g, cx_two(g, CX_NE, cx_tag(g, p.a.e), cx_tag(g, p.b.e)), 0);
        }
        for (uint32_t i = 0; i < ty->n; i++) {
            const struct cx *x = cv_field(g, p.a, i).e;
            give_if(g, cx_not(g, eq_same(g, ty->field[i], x, cv_field(g, p.b, i).e)), 0);
        }
        break;
    case TY_FUN: eq_in_order(g, ty, cx_int(g, ty->n)); break;
    case TY_SEQ:
        give_unless_counts(g, ty);
        eq_in_order(g, ty, cx_count(g, p.a.e));
        break;
    default: /* SET */
        give_unless_counts(g, ty);
        give_if(g, same_memory(g, cx_addr(g, p.a.e), cx_addr(g, p.b.e), cx_sizeof(g, p.a.e)), 1);
        eq_each_other(g, ty, false);
        return;
    }
    gen_give(g, cx_int(g, 1));
}

static struct conv_key eq_function(struct gen *g, const struct ty *ty)
{
    for (size_t i = 0; i < g->convs.n; i++) { /* from NULL: equality */
        if (!g->convs.v[i].from && g->convs.v[i].to == ty) {
            return g->convs.v[i];
        }
    }
    struct side side;
    gen_side_open(g, &side);
    eq_body(g, ty);
    const char *c = ty_c(g->tys, ty);
    const char *name =
        gen_side_close(g, &side, "q", "static int ",
                       gen_text(g, "(struct W *w, const %s *a, const %s *b, int *ret)", c, c));
    struct conv_key key = {NULL, ty, name, side.traps};
    if (!g->declined) {
        VEC_PUSH(&g->convs, key);
    }
    return key;
}

void emit_comparable(struct gen *g, const struct ty *ty, const struct cx *pointer,
                     const struct cx *array, const struct cx *n)
{
    if (!g->declined && !ty_is_clean(ty)) {
        const struct cx *i = gen_for_n(g, CX_U32, n);
        (void)eq_same(g, ty, cx_deref(g, pointer), cx_index(g, array, i));
        gen_scope_close(g);
    }
}

/* <<>> or {} */
static bool is_empty(struct cv v)
{
    return v.is_val && val_is_obj(v.val) && val_obj(v.val)->n == 0 &&
           (val_is_kind(v.val, VK_TUPLE) || val_is_kind(v.val, VK_SET));
}

/* Is there a count that says whether a value is empty? Only where <<>> and {} are not mixed. */
static bool has_count(const struct ty *ty)
{
    return ty->kind == TY_SEQ || ty->kind == TY_MAP || ty->kind == TY_SET;
}

static const struct cx *is_without(struct gen *g, struct cv v)
{
    return cx_two(g, CX_EQ, cx_count(g, cv_e(g, &v)), cx_int(g, 0));
}

/* Two values that have a layout, neither of them none. */
static const struct cx *eq_values(struct gen *g, struct cv a, struct cv b)
{
    const struct ty *join = ty_join(g->tys, a.ty, b.ty);
    if (!join) {
        gen_no(g, "values of different shape are compared");
        return cx_int(g, 0);
    }
    bool confused = confuses(a.ty, b.ty);
    a = cv_conv(g, a, join);
    b = cv_conv(g, b, join);
    const struct cx *x = cv_e(g, &a);
    const struct cx *y = cv_e(g, &b);
    if (confused || !ty_is_clean(join)) {
        const struct cx *t = gen_let(g, eq_same(g, join, x, y));
        if (confused) {
            gen_trap_if(g, "T_KIND", cx_not(g, t));
        }
        return t;
    }
    if (g->declined || join->size == 0) {
        return cx_int(g, 1);
    }
    if (ty_by_value(join)) {
        return cx_two(g, CX_EQ, x, y);
    }
    return cx_call(g, CX_INT, NULL, "same_bytes", cx_addr(g, x), cx_addr(g, y),
                   cx_int(g, (int64_t)join->size));
}

const struct cx *emit_eq(struct gen *g, struct cv a, struct cv b)
{
    if (g->declined) {
        return cx_int(g, 0);
    }
    if (!a.ty || !b.ty) {
        gen_no(g, "equality with a set that cannot be laid out");
        return cx_int(g, 0);
    }
    if (a.ty->kind == TY_NONE || b.ty->kind == TY_NONE) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    if (a.ty->kind == TY_ATOM && b.ty->kind == TY_ATOM && !ty_comparable(a.ty, b.ty)) {
        const struct cx *x = cv_e(g, &a);
        return gen_call(g, cx_call(g, CX_INT, NULL, "atom_eq", x, cv_e(g, &b)));
    }
    if (a.ty->kind == b.ty->kind && ty_is_scalar(a.ty) && a.ty->kind != TY_MIX) {
        const struct cx *x = cv_e(g, &a);
        return cx_two(g, CX_EQ, x, cv_e(g, &b));
    }
    if (ty_is_scalar(a.ty) && ty_is_scalar(b.ty)) {
        a = cv_conv(g, a, g->tys->mix);
        b = cv_conv(g, b, g->tys->mix);
        const struct cx *x = cv_e(g, &a);
        return gen_call(g, cx_call(g, CX_INT, NULL, "mix_eq", x, cv_e(g, &b)));
    }
    if (is_empty(b) && has_count(a.ty) && (a.ty->kind == TY_SET) == val_is_set(b.val)) {
        return is_without(g, a);
    }
    if (is_empty(a) && has_count(b.ty) && (b.ty->kind == TY_SET) == val_is_set(a.val)) {
        return is_without(g, b);
    }
    return eq_values(g, a, b);
}

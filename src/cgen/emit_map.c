/* Operators of the standard modules on functions as maps, and on bags. */
#include <stdint.h>
#include <string.h>

#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/emit_native.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/native.h"
#include "value/value.h"

/* ---- functions as maps ---- */
static const struct ty *map_want(const struct ty *want, const struct ty *key, const struct ty *elem)
{
    return want && want->kind == TY_MAP && ty_same_shape(key, want->key) &&
                   ty_same_shape(elem, want->elem)
               ? want
               : NULL;
}

void emit_map_put(struct gen *g, const struct cx *map, const struct ty *ty, struct cv key,
                  struct cv v)
{
    gen_need_map(g, ty);
    key = cv_conv(g, key, ty->key);
    v = cv_conv(g, v, ty->elem);
    const struct cx *k = gen_addr(g, &key);
    const struct cx *p = gen_addr(g, &v);
    if (!g->declined) {
        emit_comparable(g, ty->key, k, cx_keys(g, map), cx_count(g, map));
        gen_call_into(g, cx_ty_call(g, CX_INT, ty, "_put", CX_ARGS(cx_addr(g, map), k, p)));
    }
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
    const struct cx *t = gen_new_var(g, ty);
    emit_map_put(g, t, ty, k, v);
    return cv_of(g, ty, cx_sealed(g, t));
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
    const struct cx *t;  /* the result: the first function so far */
    struct cv h;         /* the second */
    const struct cx *i;  /* number of the pair */
    struct cv key;       /* of the pair, as the result holds it */
    const struct cx *at; /* where that is in the result; negative: it is not */
};

/* False: there is nothing to add. */
static bool merging_begin(struct args *a, struct cv f, struct cv h, struct merging *m)
{
    struct gen *g = a->g;
    m->h = h;
    m->ty = emit_merged(a, f, m->h);
    f = cv_conv(g, f, m->ty);
    m->t = gen_new_copy(g, m->ty, cv_e(g, &f));
    return m->h.ty->cap > 0;
}

/* Where a key is in a map that is being made. */
const struct cx *emit_find_now(struct gen *g, const struct ty *ty, const struct cx *map,
                               const struct cx *key)
{
    if (g->declined) {
        return cx_int(g, 0);
    }
    emit_comparable(g, ty->key, key, cx_keys(g, map), cx_count(g, map));
    return gen_let(g, cx_ty_call(g, CX_INT, ty, "_at", CX_ARGS(cx_addr(g, map), key)));
}

static void merging_loop(struct args *a, struct merging *m)
{
    struct gen *g = a->g;
    gen_need_map(g, m->ty);
    m->i = gen_for_n(g, CX_U32, cx_count(g, cv_e(g, &m->h)));
    m->key = cv_conv(g, cv_key(g, m->h, m->i), m->ty->key);
    const struct cx *k = gen_addr(g, &m->key);
    m->at = emit_find_now(g, m->ty, m->t, k);
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
    const struct ty *ty = emit_merged(a, f, (struct cv){.ty = one});
    gen_need_map(g, ty);
    f = cv_conv(g, f, ty);
    k = cv_conv(g, k, ty->key);
    const struct cx *key = gen_addr(g, &k);
    const struct cx *t = gen_new_copy(g, ty, cv_e(g, &f));
    const struct cx *at = emit_find_now(g, ty, t, key);
    gen_if(g, cx_two(g, CX_LT, at, cx_int(g, 0)));
    e = cv_conv(g, e, ty->elem);
    const struct cx *elem = gen_addr(g, &e);
    gen_call_into(
        g, cx_ty_call(g, CX_INT, ty, "_ins", CX_ARGS(cx_addr(g, t), cx_flip(g, at), key, elem)));
    gen_scope_close(g);
    *ret = cv_of(g, ty, cx_sealed(g, t));
    return true;
}

/* <<a, b>> @@ h where h is a tuple of as many parts, or more: the first ones are others. */
static bool merge_tuples(struct args *a, struct cv h, struct cv *ret)
{
    struct gen *g = a->g;
    const struct ex *x = a->x->kid[0];
    if (x->op != EX_TUPLE || !emit_stays_tuple(h, a->want) || x->n > h.ty->n) {
        return false;
    }
    struct cv part[TY_FIELDS];
    for (uint32_t i = 0; i < h.ty->n; i++) {
        part[i] = i < x->n ? emit(g, x->kid[i], a->f, NULL) : cv_field(g, h, i);
        if (cv_is_none(part[i])) {
            *ret = part[i];
            return true;
        }
        if (!part[i].ty) {
            *ret = gen_no(g, "an element without a layout");
            return true;
        }
    }
    *ret = emit_tuple_of(g, part, h.ty->n);
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
        return cv_of(g, m.ty, m.t);
    }
    merging_loop(a, &m);
    gen_if(g, cx_two(g, CX_LT, m.at, cx_int(g, 0)));
    emit_map_put(g, m.t, m.ty, m.key, cv_elem(g, m.h, m.i));
    gen_scope_close(g);
    gen_scope_close(g);
    return cv_of(g, m.ty, cx_sealed(g, m.t));
}

/* ---- bags ---- */
struct cv emit_native_set_to_bag(struct args *a)
{
    struct gen *g = a->g;
    struct tree *out = g->out;
    struct tree *body = tree_new(g->arena);
    struct loop_out loop;
    const char *name = gen_tmp(g);
    g->out = body;
    gen_block(g);
    gen_loop_open(g, a->x->kid[0], a->f, &loop);
    const struct ty *ty = map_want(a->want, loop.elem.ty, ty_int(g->tys, 1));
    ty = ty ? ty : ty_map(g->tys, loop.elem.ty, ty_int(g->tys, 1), loop.most < 64 ? loop.most : 64);
    const struct cx *t = cx_var(g, ty, name);
    emit_map_put(g, t, ty, loop.elem, cv_val(g, val_small(1)));
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    g->out = out;
    gen_put_var(g, t, NULL);
    tree_splice(g->out, body);
    return cv_of(g, ty, cx_sealed(g, t));
}

/* Takes the pair at `at` out of a map. */
void emit_map_cut(struct gen *g, const struct cx *map, const struct cx *at)
{
    const struct cx *n = cx_count(g, map);
    const struct cx *next = cx_two(g, CX_ADD, at, cx_int(g, 1));
    const struct cx *rest = cx_cast(g, CX_U32, cx_two(g, CX_SUB, n, next));
    const struct cx *array[2] = {cx_keys(g, map), cx_elems(g, map)};
    for (int i = 0; i < 2 && !g->declined; i++) {
        const struct cx *one = cx_sizeof(g, cx_index(g, array[i], cx_int(g, 0)));
        const struct cx *to = cx_addr(g, cx_index(g, array[i], at));
        const struct cx *from = cx_addr(g, cx_index(g, array[i], next));
        gen_do(g, cx_call(g, CX_OTHER, NULL, "memmove", to, from, cx_two(g, CX_MUL, rest, one)));
    }
    gen_change(g, n, "-=", cx_int(g, 1));
    for (int i = 0; i < 2 && !g->declined; i++) {
        const struct cx *last = cx_index(g, array[i], n);
        gen_do(g, cx_call(g, CX_OTHER, NULL, "memset", cx_addr(g, last), cx_int(g, 0),
                          cx_sizeof(g, last)));
    }
}

/* Of the pair that both bags have: as many fewer, and none where there are none left. */
static void bag_less(struct gen *g, const struct merging *m)
{
    struct cv map = cv_of(g, m->ty, m->t);
    const struct cx *now = cv_elem(g, map, m->at).e;
    const struct cx *less = cv_elem(g, m->h, m->i).e;
    gen_if(g, cx_two(g, CX_GE, m->at, cx_int(g, 0)));
    gen_if(g, cx_two(g, CX_GT, now, less));
    gen_change(g, now, "-=", less);
    gen_scope_close(g);
    gen_else(g, NULL);
    emit_map_cut(g, m->t, m->at);
    gen_scope_close(g);
    gen_scope_close(g);
}

static void bag_more(struct gen *g, const struct merging *m)
{
    struct cv map = cv_of(g, m->ty, m->t);
    const struct cx *now = cv_elem(g, map, m->at).e;
    struct cv more = cv_elem(g, m->h, m->i);
    gen_if(g, cx_two(g, CX_GE, m->at, cx_int(g, 0)));
    const struct cx *sum = gen_call(g, cx_call(g, CX_I64, NULL, "add_", now, more.e));
    struct cv v = cv_conv(g, cv_number(g, sum), m->ty->elem);
    gen_set(g, now, cv_e(g, &v));
    gen_scope_close(g);
    gen_else(g, NULL);
    emit_map_put(g, m->t, m->ty, m->key, more);
    gen_scope_close(g);
}

static struct cv bag_change(struct args *a, bool minus)
{
    struct gen *g = a->g;
    struct merging m;
    struct cv f = emit_arg_map(a, 0);
    if (!merging_begin(a, f, emit_arg_map(a, 1), &m)) {
        return cv_of(g, m.ty, m.t);
    }
    if (m.ty->elem->kind != TY_INT || m.h.ty->elem->kind != TY_INT) {
        return gen_no(g, "a bag whose counts are no numbers");
    }
    merging_loop(a, &m);
    if (minus) {
        bag_less(g, &m);
    } else {
        bag_more(g, &m);
    }
    gen_scope_close(g);
    return cv_of(g, m.ty, cx_sealed(g, m.t));
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
    const struct cx *i = emit_map_find(g, bag, e);
    if (bag.ty->cap == 0) {
        return cv_val(g, val_small(0));
    }
    if (bag.ty->elem->kind != TY_INT) {
        return gen_no(g, "a bag whose counts are no numbers");
    }
    if (!ty_is_clean(bag.ty->key)) { /* a sequence refuses what is no integer */
        gen_trap_if(g, "T_DOMAIN", cx_two(g, CX_LT, i, cx_int(g, 0)));
    }
    const struct cx *zero = cx_int(g, 0);
    return emit_int_result(a, cx_cond(g, cx_two(g, CX_LT, i, zero), zero, cv_elem(g, bag, i).e));
}

struct cv emit_native_empty_bag(struct args *a)
{
    return cv_val(a->g, tuple_empty());
}

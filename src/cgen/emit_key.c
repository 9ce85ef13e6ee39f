/* Keys of functions: where the entry of an argument is found. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "value/value.h"

/* ---- keys ---- */
static int known_key(struct gen *g, const struct ty *fun, struct val key)
{
    for (uint32_t i = 0; i < fun->n; i++) {
        struct val k = fun->names[i];
        bool plain = !val_is_obj(k) && !val_is_obj(key);
        if (plain ? val_same(k, key)
                  : val_is_obj(k) && val_is_obj(key) &&
                        val_hash(g->ctx, k) == val_hash(g->ctx, key)) {
            return (int)i;
        }
    }
    return -1;
}

/* Table from numbers lo.. to keys. */
static const struct cx *key_table(struct gen *g, const int *at, uint32_t n)
{
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "[%u] = {", n ? n : 1);
    for (uint32_t i = 0; i < n; i++) {
        strbuf_printf(&text, "%s%d", i ? "," : "", at[i]);
    }
    strbuf_adds(&text, n ? "};\n" : "0};\n");
    const char *name = gen_define(g, "k", "static const int16_t ", strbuf_str(&text));
    return cx_name(g, CX_ARRAY, NULL, name, true);
}

/* The keys as a table sorted by bytes, and where each one stands in the array of the function. */
const struct cx *emit_sorted_keys(struct gen *g, const struct ty *fun, const struct cx **ret_perm)
{
    const struct ty *set = ty_set_array(g->tys, fun->key, fun->n);
    struct cv table = {.ty = set, .is_val = true, .val = set_make(g->ctx, fun->names, fun->n)};
    const struct cx *e = cv_e(g, &table);
    gen_need_set(g, set);
    uint8_t *all = arena_zalloc(g->arena, set->size + 8);
    uint8_t *one = arena_zalloc(g->arena, fun->key->size + 8);
    int *perm = ARENA_ARRAY(g->arena, int, fun->n + 1);
    if (!ty_encode(g->tys, g->ctx, set, table.val, all)) {
        gen_no(g, "a domain without a layout");
        *ret_perm = cx_int(g, 0);
        return cx_int(g, 0);
    }
    uint32_t head = set->cap < 256 ? 1 : 2;
    for (uint32_t i = 0; i < fun->n; i++) {
        memset(one, 0, fun->key->size);
        (void)ty_encode(g->tys, g->ctx, fun->key, fun->names[i], one);
        for (uint32_t j = 0; j < fun->n; j++) {
            if (memcmp(all + head + (size_t)j * fun->key->size, one, fun->key->size) == 0) {
                perm[j] = (int)i;
            }
        }
    }
    *ret_perm = key_table(g, perm, fun->n);
    return e;
}

/* ---- keys that are tuples of scalars: a table of all combinations ---- */
#define RADIX_MOST 1024

struct digit {
    int64_t lo, hi;
};

static const struct ty *part_type(const struct ty *tuple, uint32_t i)
{
    return tuple->kind == TY_SEQ ? tuple->elem : tuple->field[i];
}

/* The number that stands for a part of a key, where parts are of type ty. */
static bool digit_of(struct gen *g, const struct ty *ty, struct val v, int64_t *ret)
{
    if (ty->kind == TY_ATOM && (val_is_model(v) || val_is_str(v))) {
        *ret = tys_atom(g->tys, v);
        return true;
    }
    *ret = ty->kind == TY_INT && val_is_small(v) ? val_small_get(v) : 0;
    return ty->kind == TY_INT && val_is_small(v);
}

/* How many combinations there are; 0: too many, or the keys are not of that form. */
static uint32_t digits_of(struct gen *g, const struct ty *fun, uint32_t n, struct digit *digit)
{
    uint64_t all = 1;
    for (uint32_t k = 0; k < n; k++) {
        digit[k] = (struct digit){INT64_MAX, INT64_MIN};
        for (uint32_t i = 0; i < fun->n; i++) {
            struct val key = fun->names[i];
            int64_t d;
            if (!val_is_kind(key, VK_TUPLE) || val_obj(key)->n != n ||
                !digit_of(g, part_type(fun->key, k), val_obj(key)->v[k], &d)) {
                return 0;
            }
            digit[k].lo = d < digit[k].lo ? d : digit[k].lo;
            digit[k].hi = d > digit[k].hi ? d : digit[k].hi;
        }
        uint64_t span = (uint64_t)(digit[k].hi - digit[k].lo) + 1;
        all = span > RADIX_MOST ? RADIX_MOST + 1 : all * span;
        if (all > RADIX_MOST) {
            return 0;
        }
    }
    return (uint32_t)all;
}

/* NULL: the keys are not of that form. */
static const struct cx *key_radix(struct gen *g, const struct ty *fun, struct cv key)
{
    const struct ty *of = fun->key;
    struct digit digit[4];
    if (key.is_val || !key.ty || key.ty->kind != of->kind ||
        (of->kind != TY_SEQ && of->kind != TY_TUP) || fun->n == 0) {
        return NULL;
    }
    uint32_t n = of->kind == TY_TUP ? of->n : of->cap;
    if (n < 2 || n > 4 || (of->kind == TY_TUP ? key.ty->n != n : key.ty->cap < n)) {
        return NULL;
    }
    for (uint32_t k = 0; k < n; k++) {
        if (part_type(key.ty, k)->kind != part_type(of, k)->kind) {
            return NULL;
        }
    }
    uint32_t all = digits_of(g, fun, n, digit);
    if (all == 0) {
        return NULL;
    }
    int *at = ARENA_ARRAY(g->arena, int, all);
    for (uint32_t i = 0; i < all; i++) {
        at[i] = -1;
    }
    for (uint32_t i = 0; i < fun->n; i++) {
        int64_t place = 0;
        for (uint32_t k = 0; k < n; k++) {
            int64_t d = 0;
            (void)digit_of(g, part_type(of, k), val_obj(fun->names[i])->v[k], &d);
            place = place * (digit[k].hi - digit[k].lo + 1) + d - digit[k].lo;
        }
        at[place] = (int)i;
    }
    const struct cx *e = cv_e(g, &key);
    const struct cx *in =
        of->kind == TY_SEQ ? cx_two(g, CX_EQ, cx_count(g, e), cx_int(g, n)) : cx_int(g, 1);
    const struct cx *place = NULL;
    for (uint32_t k = 0; k < n; k++) {
        struct cv part = cv_part(g, key, k);
        const struct cx *d = cx_cast(g, CX_I64, cv_e(g, &part));
        d = cx_cast(g, CX_U64, cx_two(g, CX_SUB, d, cx_i64(g, digit[k].lo)));
        const struct cx *span = cx_int(g, digit[k].hi - digit[k].lo + 1);
        in = cx_two(g, CX_BOTH, in, cx_two(g, CX_LT, d, span));
        place = place ? cx_two(g, CX_ADD, cx_two(g, CX_MUL, place, span), d) : d;
    }
    const struct cx *found = cx_index(g, key_table(g, at, all), place);
    return gen_let(g, cx_cond(g, in, cx_cast(g, CX_INT, found), cx_int(g, -1)));
}

static const struct cx *key_index_table(struct gen *g, const struct ty *fun, struct cv key)
{
    const struct cx *radix = key_radix(g, fun, key);
    if (radix) {
        return radix;
    }
    const struct cx *perm;
    const struct cx *table = emit_sorted_keys(g, fun, &perm);
    const struct ty *set = ty_set_array(g->tys, fun->key, fun->n);
    key = cv_conv(g, key, fun->key);
    const struct cx *p = gen_addr(g, &key);
    if (g->declined) {
        return cx_int(g, 0);
    }
    const struct cx *at =
        gen_let(g, cx_ty_call(g, CX_INT, set, "_at", CX_ARGS(cx_addr(g, table), p)));
    const struct cx *found = cx_cast(g, CX_INT, cx_index(g, perm, at));
    return gen_let(g, cx_cond(g, cx_two(g, CX_LT, at, cx_int(g, 0)), cx_int(g, -1), found));
}

/* Are the keys the elements of the set, in the same order? */
bool emit_all_keys(const struct ty *fun, const struct vobj *set)
{
    bool same = fun->n == set->n;
    for (uint32_t i = 0; same && i < set->n; i++) {
        same = val_same(fun->names[i], set->v[i]);
    }
    return same;
}

/* The number of a key that is a name, by a table of all atoms. */
static const struct cx *key_of_atom(struct gen *g, const struct ty *fun, struct cv key)
{
    key = cv_narrow(g, key, fun->key);
    key = ty_is_scalar(key.ty) ? cv_conv(g, key, fun->key) : key;
    if (key.ty != fun->key) {
        gen_trap(g, "T_KIND");
        return cx_int(g, 0);
    }
    int *at = ARENA_ARRAY(g->arena, int, g->tys->atoms.n + 1);
    bool identity = true; /* but for atoms that are no keys */
    for (size_t i = 0; i < g->tys->atoms.n; i++) {
        at[i] = known_key(g, fun, g->tys->atoms.v[i]);
        identity &= at[i] == (i < fun->n ? (int)i : -1);
    }
    const struct cx *e = cv_e(g, &key);
    const struct cx *same = cx_cast(g, CX_INT, e);
    if (!identity) {
        const struct cx *table = key_table(g, at, (uint32_t)g->tys->atoms.n);
        return cx_cast(g, CX_INT, cx_index(g, table, e));
    }
    return fun->n == g->tys->atoms.n
               ? same
               : cx_cond(g, cx_two(g, CX_LT, e, cx_int(g, fun->n)), same, cx_int(g, -1));
}

const struct cx *emit_key_index(struct gen *g, const struct ty *fun, struct cv key)
{
    if (key.is_val) {
        return cx_int(g, known_key(g, fun, key.val));
    }
    if (key.among && emit_all_keys(fun, key.among)) {
        return cx_cast(g, CX_INT, key.index);
    }
    if (fun->key->kind == TY_ATOM) {
        return key_of_atom(g, fun, key);
    }
    if (fun->key->kind == TY_INT) {
        int64_t lo = val_small_get(fun->names[0]);
        int64_t hi = val_small_get(fun->names[fun->n - 1]);
        key = cv_hold(g, cv_int(g, key));
        if (hi - lo + 1 == (int64_t)fun->n) {
            const struct cx *at = cx_two(g, CX_SUB, cv_e(g, &key), cx_int(g, lo));
            const struct cx *in = cx_two(g, CX_LT, cx_cast(g, CX_U64, at), cx_int(g, fun->n));
            return cx_cond(g, in, cx_cast(g, CX_INT, at), cx_int(g, -1));
        }
    }
    return key_index_table(g, fun, key);
}

const struct cx *emit_map_place(struct gen *g, struct cv map, struct cv key)
{
    return key.map && !map.is_val && key.map == cv_e(g, &map) ? key.index : NULL;
}

const struct cx *emit_map_find(struct gen *g, struct cv map, struct cv key)
{
    if (map.ty->cap == 0) {
        return cx_int(g, -1);
    }
    gen_need_map(g, map.ty);
    key = cv_conv(g, key, map.ty->key);
    const struct cx *k = gen_addr(g, &key);
    const struct cx *m = cv_e(g, &map);
    if (g->declined) {
        return cx_int(g, -1);
    }
    emit_comparable(g, map.ty->key, k, cx_keys(g, m), cx_count(g, m));
    return gen_let(g, cx_ty_call(g, CX_INT, map.ty, "_find", CX_ARGS(cx_addr(g, m), k)));
}

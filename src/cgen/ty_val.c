/* Types of values, and values as bytes of a type. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cgen/ty.h"
#include "value/value.h"

/* ---- the type of a value ---- */
static uint32_t int_width(int64_t i)
{
    return i >= -64 && i < 64                 ? 1
           : i >= -8192 && i < 8192           ? 2
           : i >= -(1 << 29) && i < (1 << 29) ? 4
                                              : 8;
}

static const struct ty *type_of_list(struct tys *tys, const struct val *v, uint32_t n)
{
    const struct ty *elem = tys->none;
    for (uint32_t i = 0; i < n && elem; i++) {
        const struct ty *t = ty_of_val(tys, v[i]);
        elem = t ? ty_join(tys, elem, t) : NULL;
    }
    return elem;
}

/* Values of different shape in one tuple make it a tuple, not a sequence. */
static const struct ty *type_of_tuple(struct tys *tys, const struct vobj *o)
{
    const struct ty *field[TY_FIELDS];
    const struct ty *elem = tys->none;
    bool mixed = false;
    for (uint32_t i = 0; i < o->n; i++) {
        const struct ty *t = ty_of_val(tys, o->v[i]);
        const struct ty *joined = t && elem ? ty_join(tys, elem, t) : NULL;
        if (!t) {
            return NULL;
        }
        mixed |= !elem || ty_part_differs(elem, t, joined);
        elem = joined;
        if (i < TY_FIELDS) {
            field[i] = t;
        }
    }
    if (mixed && o->n <= TY_FIELDS) {
        return ty_tup(tys, field, o->n);
    }
    return elem && o->n <= TY_CAP_MAX ? ty_seq(tys, elem, o->n) : NULL;
}

static const struct ty *type_of_record(struct tys *tys, const struct vobj *o)
{
    const struct ty *field[TY_FIELDS];
    struct val names[TY_FIELDS];
    if (o->n >= TY_FIELDS) {
        return NULL;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        const struct ty *t = ty_of_val(tys, o->v[o->n + i]);
        if (!t) {
            return NULL;
        }
        uint32_t at = n++;
        while (at > 0 && val_str_id(names[at - 1]) > val_str_id(o->v[i])) {
            names[at] = names[at - 1];
            field[at] = field[at - 1];
            at--;
        }
        names[at] = o->v[i];
        field[at] = t;
    }
    uint64_t variant = (UINT64_C(1) << n) - 1;
    return ty_rec(tys, names, field, n, &variant, 1);
}

static const struct ty *type_of_fcn(struct tys *tys, const struct vobj *o)
{
    const struct ty *key = type_of_list(tys, o->v, o->n);
    const struct ty *elem = key ? type_of_list(tys, o->v + o->n, o->n) : NULL;
    if (o->kind == VK_RECORD && ty_is_mixed(elem)) { /* a record in all but the way it was made */
        const struct ty *rec = type_of_record(tys, o);
        return rec ? ty_rec_map(tys, rec) : NULL;
    }
    if (!elem || o->n > TY_CAP_MAX) {
        return NULL;
    }
    return ty_fun(tys, o->v, o->n, key, elem);
}

static const struct ty *type_of_set(struct tys *tys, struct val v)
{
    struct val set = set_force(tys->ctx, v);
    const struct vobj *o = val_obj(set);
    const struct ty *elem = type_of_list(tys, o->v, o->n);
    if (!elem || o->n > TY_CAP_MAX) {
        return NULL;
    }
    const struct ty *ty = ty_set(tys, elem, o->n);
    if (ty->kind == TY_BITS && elem->kind == TY_INT && o->n &&
        (val_small_get(o->v[0]) < 0 || val_small_get(o->v[o->n - 1]) > 63)) {
        ty = ty_set_array(tys, elem, o->n);
    }
    if (ty->kind == TY_SET && tys->sampling && o->n > 0) {
        const struct universe *uni = uni_of_vals(tys, tys->ctx, elem, o->v, o->n);
        ty = uni ? ty_set_noted(tys, elem, o->n, uni) : ty;
    }
    return ty;
}

const struct ty *ty_of_val(struct tys *tys, struct val v)
{
    switch (val_tag(v)) {
    case VTAG_BOOL: return tys->boolean;
    case VTAG_INT: return ty_int(tys, int_width(val_small_get(v)));
    case VTAG_STR:
    case VTAG_MODEL: return ty_of_atom(tys, v);
    case VTAG_SPECIAL: return NULL;
    default: break;
    }
    struct vobj *o = val_obj(v);
    switch ((enum vkind)o->kind) {
    case VK_TUPLE: return type_of_tuple(tys, o);
    case VK_RECORD: return o->flags & VF_MAP ? type_of_fcn(tys, o) : type_of_record(tys, o);
    case VK_FCN: return type_of_fcn(tys, o);
    case VK_BIGINT:
    case VK_OPER:
    case VK_THUNK: return NULL;
    case VK_LAMBDA: return ty_of_val(tys, fcn_force(tys->ctx, v));
    default: return type_of_set(tys, v);
    }
}

/* ---- bytes ---- */
static void put(uint8_t *out, uint64_t v, uint32_t bytes)
{
    memcpy(out, &v, bytes); /* little-endian machines only: see build.c */
}

static uint64_t get(const uint8_t *at, uint32_t bytes)
{
    uint64_t v = 0;
    memcpy(&v, at, bytes);
    return v;
}

static uint32_t count_bytes(const struct ty *ty)
{
    return ty->cap < 256 ? 1 : 2;
}

static int compare_bytes(const struct ty *ty, const uint8_t *a, const uint8_t *b)
{
    if (ty->kind == TY_INT || ty->kind == TY_MIX) {
        uint32_t shift = 64 - ty->size * 8;
        int64_t x = (int64_t)(get(a, ty->size) << shift);
        int64_t y = (int64_t)(get(b, ty->size) << shift);
        return x < y ? -1 : x > y;
    }
    if (ty->kind == TY_BOOL || ty->kind == TY_ATOM) {
        uint64_t x = get(a, ty->size);
        uint64_t y = get(b, ty->size);
        return x < y ? -1 : x > y;
    }
    for (uint32_t at = 0; at < ty->size; at += 8) { /* word by word, as compiled code does */
        uint32_t n = ty->size - at < 8 ? ty->size - at : 8;
        uint64_t x = get(a + at, n);
        uint64_t y = get(b + at, n);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

/* Is the value an atom of the type? */
static bool is_of(const struct tys *tys, const struct ty *ty, struct val v)
{
    return (val_is_str(v) || val_is_model(v)) && tys_atom(tys, v) >= 0 &&
           ty_classes(ty) >> tys_class(tys, v) & 1;
}

static bool encode_scalar(const struct tys *tys, const struct ty *ty, struct val v, uint8_t *out)
{
    int atom = val_is_str(v) || val_is_model(v) ? tys_atom(tys, v) : -1;
    switch (ty->kind) {
    case TY_BOOL: out[0] = val_same(v, VAL_TRUE); return val_is_bool(v);
    case TY_ATOM: put(out, (uint64_t)(int64_t)atom, ty->size); return is_of(tys, ty, v);
    case TY_INT: {
        if (!val_is_small(v)) {
            return false;
        }
        int64_t i = val_small_get(v);
        uint32_t shift = 64 - ty->w * 8;
        put(out, (uint64_t)i, ty->w);
        return (int64_t)((uint64_t)i << shift) >> shift == i;
    }
    default: break;
    }
    int64_t code = atom >= 0         ? MIX_ATOM + atom
                   : val_is_bool(v)  ? MIX_BOOL + val_same(v, VAL_TRUE)
                   : val_is_small(v) ? val_small_get(v)
                                     : INT64_MAX;
    put(out, (uint64_t)code, 4);
    return code >= MIX_INT_MIN && (code < MIX_ATOM || !val_is_small(v)) && code <= MIX_BOOL + 1;
}

/* Sorts `n` elements of one size by their bytes, with what stands beside each. */
static void sort_pairs(const struct ty *key, uint8_t *keys, uint8_t *vals, uint32_t vsize,
                       uint32_t n, uint8_t *tmp)
{
    uint32_t size = key->size;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t at = i;
        while (at > 0 &&
               compare_bytes(key, keys + (size_t)(at - 1) * size, keys + (size_t)i * size) > 0) {
            at--;
        }
        if (at == i) {
            continue;
        }
        memcpy(tmp, keys + (size_t)i * size, size);
        memmove(keys + (size_t)(at + 1) * size, keys + (size_t)at * size, (size_t)(i - at) * size);
        memcpy(keys + (size_t)at * size, tmp, size);
        if (vals && vsize) {
            memcpy(tmp, vals + (size_t)i * vsize, vsize);
            memmove(vals + (size_t)(at + 1) * vsize, vals + (size_t)at * vsize,
                    (size_t)(i - at) * vsize);
            memcpy(vals + (size_t)at * vsize, tmp, vsize);
        }
    }
}

void ty_sort(const struct ty *key, uint8_t *keys, uint8_t *vals, uint32_t vsize, uint32_t n)
{
    uint8_t few[256];
    size_t need = (size_t)key->size + vsize + 1;
    uint8_t *tmp = need <= sizeof few ? few : vec_grow(NULL, &(size_t){0}, need, 1);
    sort_pairs(key, keys, vals, vsize, n, tmp);
    if (tmp != few) {
        vec_release(tmp);
    }
}

static bool encode_set(const struct tys *tys, struct vctx *ctx, const struct ty *ty, struct val v,
                       uint8_t *out)
{
    const struct vobj *o = val_obj(set_force(ctx, v));
    if (ty->kind == TY_BITS && ty->uni) {
        uint8_t *elem = arena_alloc(ctx->arena, ty->elem->size + 8);
        for (uint32_t i = 0; i < o->n; i++) {
            memset(elem, 0, ty->elem->size);
            int64_t bit = ty_encode(tys, ctx, ty->elem, o->v[i], elem) ? uni_index(ty, elem) : -1;
            if (bit < 0) {
                return false;
            }
            out[bit / 8] |= (uint8_t)(1U << (bit % 8));
        }
        return true;
    }
    if (ty->kind == TY_BITS) {
        for (uint32_t i = 0; i < o->n; i++) {
            bool atom = ty->elem->kind == TY_ATOM;
            int64_t bit = atom ? (is_of(tys, ty->elem, o->v[i]) ? tys_atom(tys, o->v[i]) : -1)
                          : val_is_small(o->v[i]) ? val_small_get(o->v[i])
                                                  : -1;
            if (bit < 0 || bit >= (int64_t)ty->w * 64) {
                return false;
            }
            out[bit / 8] |= (uint8_t)(1U << (bit % 8));
        }
        return true;
    }
    if (o->n > ty->cap) {
        return false;
    }
    uint32_t head = count_bytes(ty);
    put(out, o->n, head);
    for (uint32_t i = 0; i < o->n; i++) {
        if (!ty_encode(tys, ctx, ty->elem, o->v[i], out + head + (size_t)i * ty->elem->size)) {
            return false;
        }
    }
    uint8_t *tmp = arena_alloc(ctx->arena, ty->elem->size + 1);
    sort_pairs(ty->elem, out + head, NULL, 0, o->n, tmp);
    return true;
}

static bool encode_map(const struct tys *tys, struct vctx *ctx, const struct ty *ty, struct val v,
                       uint8_t *out)
{
    size_t n = fcn_size(ctx, v);
    if (n > ty->cap) {
        return false;
    }
    uint32_t head = count_bytes(ty);
    uint8_t *keys = out + head;
    uint8_t *vals = keys + (size_t)ty->cap * ty->key->size;
    put(out, n, head);
    for (size_t i = 0; i < n; i++) {
        if (!ty_encode(tys, ctx, ty->key, fcn_key(ctx, v, i), keys + i * ty->key->size) ||
            !ty_encode(tys, ctx, ty->elem, fcn_value(ctx, v, i), vals + i * ty->elem->size)) {
            return false;
        }
    }
    uint8_t *tmp = arena_alloc(ctx->arena, ty->key->size + ty->elem->size + 1);
    sort_pairs(ty->key, keys, vals, ty->elem->size, (uint32_t)n, tmp);
    return true;
}

static bool encode_rec(const struct tys *tys, struct vctx *ctx, const struct ty *ty, struct val v,
                       uint8_t *out)
{
    uint64_t bits = 0;
    size_t n = fcn_size(ctx, v);
    for (size_t i = 0; i < n; i++) {
        struct val name = fcn_key(ctx, v, i);
        int f = val_is_str(name) ? ty_field(ty, name) : -1;
        if (f < 0 ||
            !ty_encode(tys, ctx, ty->field[f], fcn_value(ctx, v, i), out + ty->offset[f])) {
            return false;
        }
        bits |= UINT64_C(1) << f;
    }
    for (uint32_t i = 0; i < ty->nvariant; i++) {
        if (ty->variant[i] == bits) {
            if (ty->nvariant > 1) {
                out[0] = (uint8_t)i;
            }
            return true;
        }
    }
    return false;
}

/* Keys that cannot be compared are different. */
static bool same_key(struct vctx *ctx, struct val a, struct val b)
{
    return val_same(a, b) || (val_is_obj(a) && val_is_obj(b) && val_equal(ctx, a, b));
}

static bool encode_fcn(const struct tys *tys, struct vctx *ctx, const struct ty *ty, struct val v,
                       uint8_t *out)
{
    if (!val_is_fcn(v)) {
        return false;
    }
    v = fcn_force(ctx, v);
    size_t n = fcn_size(ctx, v);
    switch (ty->kind) {
    case TY_MAP: return encode_map(tys, ctx, ty, v, out);
    case TY_REC: return encode_rec(tys, ctx, ty, v, out);
    case TY_FUN:
        for (size_t i = 0; i < n; i++) {
            if (n != ty->n || !same_key(ctx, fcn_key(ctx, v, i), ty->names[i]) ||
                !ty_encode(tys, ctx, ty->elem, fcn_value(ctx, v, i), out + i * ty->elem->size)) {
                return false;
            }
        }
        return n == ty->n;
    default: break;
    }
    if (!val_is_kind(v, VK_TUPLE) || (ty->kind == TY_TUP ? n != ty->n : n > ty->cap)) {
        return false;
    }
    uint32_t head = ty->kind == TY_SEQ ? count_bytes(ty) : 0;
    put(out, n, head);
    for (size_t i = 0; i < n; i++) {
        const struct ty *t = ty->kind == TY_TUP ? ty->field[i] : ty->elem;
        uint8_t *to = ty->kind == TY_TUP ? out + ty->offset[i] : out + head + i * t->size;
        if (!ty_encode(tys, ctx, t, val_obj(v)->v[i], to)) {
            return false;
        }
    }
    return true;
}

bool ty_encode(const struct tys *tys, struct vctx *ctx, const struct ty *ty, struct val v,
               uint8_t *out)
{
    if (ty->kind == TY_UNION) {
        for (uint32_t i = 0; i < ty->n; i++) {
            const struct ty *alt = ty->field[i];
            bool fits = ty_is_scalar(alt) ? !val_is_fcn(v) && !val_is_set(v)
                        : ty_is_fcn(alt)  ? val_is_fcn(v)
                                          : val_is_set(v);
            if (fits) {
                out[0] = (uint8_t)i;
                return ty_encode(tys, ctx, alt, v, out + ty->offset[i]);
            }
        }
        return false;
    }
    if (ty_is_scalar(ty)) {
        return encode_scalar(tys, ty, v, out);
    }
    if (ty_is_fcn(ty)) {
        return encode_fcn(tys, ctx, ty, v, out);
    }
    return ty->kind != TY_NONE && val_is_set(v) && set_is_enumerable(v) &&
           encode_set(tys, ctx, ty, v, out);
}

/* ---- and back ---- */
static struct val decode_scalar(const struct tys *tys, const struct ty *ty, const uint8_t *at)
{
    if (ty->kind == TY_BOOL) {
        return val_bool(at[0] != 0);
    }
    if (ty->kind == TY_ATOM) {
        return tys->atoms.v[get(at, ty->size)];
    }
    uint32_t shift = 64 - ty->size * 8;
    int64_t i = (int64_t)(get(at, ty->size) << shift) >> shift;
    if (ty->kind == TY_MIX && i >= MIX_BOOL) {
        return val_bool(i > MIX_BOOL);
    }
    return ty->kind == TY_MIX && i >= MIX_ATOM ? tys->atoms.v[i - MIX_ATOM] : val_small(i);
}

static struct val *decode_list(const struct tys *tys, struct vctx *ctx, const struct ty *ty,
                               const uint8_t *at, size_t n)
{
    struct val *v = arena_alloc(ctx->arena, sizeof *v * (n + 1));
    for (size_t i = 0; i < n; i++) {
        v[i] = ty_decode(tys, ctx, ty, at + i * ty->size);
    }
    return v;
}

static struct val decode_bits(const struct tys *tys, struct vctx *ctx, const struct ty *ty,
                              const uint8_t *at)
{
    struct val *v = arena_alloc(ctx->arena, sizeof *v * ((size_t)ty->w * 64 + 1));
    uint8_t *elem = arena_alloc(ctx->arena, ty->elem->size + 8);
    size_t n = 0;
    for (uint32_t i = 0; i < ty->size * 8; i++) {
        if (!(at[i / 8] >> (i % 8) & 1)) {
            continue;
        }
        if (ty->uni) {
            memset(elem, 0, ty->elem->size);
            uni_element(ty, i, elem);
            v[n++] = ty_decode(tys, ctx, ty->elem, elem);
        } else {
            v[n++] = ty->elem->kind == TY_ATOM ? tys->atoms.v[i] : val_small(i);
        }
    }
    return set_make(ctx, v, n);
}

static struct val decode_rec(const struct tys *tys, struct vctx *ctx, const struct ty *ty,
                             const uint8_t *at)
{
    struct val names[TY_FIELDS];
    struct val vals[TY_FIELDS];
    uint64_t bits = ty->variant[ty->nvariant > 1 ? at[0] : 0];
    size_t n = 0;
    for (uint32_t i = 0; i < ty->n; i++) {
        if (bits >> i & 1) {
            names[n] = ty->names[i];
            vals[n++] = ty_decode(tys, ctx, ty->field[i], at + ty->offset[i]);
        }
    }
    return ty->map ? fcn_make(ctx, names, vals, n) : record_make(ctx, names, vals, n);
}

struct val ty_decode(const struct tys *tys, struct vctx *ctx, const struct ty *ty,
                     const uint8_t *at)
{
    uint32_t head = count_bytes(ty);
    switch (ty->kind) {
    case TY_NONE: return VAL_UNDEF;
    case TY_BOOL:
    case TY_INT:
    case TY_ATOM:
    case TY_MIX: return decode_scalar(tys, ty, at);
    case TY_REC: return decode_rec(tys, ctx, ty, at);
    case TY_TUP: {
        struct val *v = arena_alloc(ctx->arena, sizeof *v * (ty->n + 1));
        for (uint32_t i = 0; i < ty->n; i++) {
            v[i] = ty_decode(tys, ctx, ty->field[i], at + ty->offset[i]);
        }
        return tuple_make(ctx, v, ty->n);
    }
    case TY_SEQ: {
        size_t n = get(at, head);
        return tuple_make(ctx, decode_list(tys, ctx, ty->elem, at + head, n), n);
    }
    case TY_FUN: return fcn_make(ctx, ty->names, decode_list(tys, ctx, ty->elem, at, ty->n), ty->n);
    case TY_MAP: {
        size_t n = get(at, head);
        const uint8_t *vals = at + head + (size_t)ty->cap * ty->key->size;
        return fcn_make(ctx, decode_list(tys, ctx, ty->key, at + head, n),
                        decode_list(tys, ctx, ty->elem, vals, n), n);
    }
    case TY_BITS: return decode_bits(tys, ctx, ty, at);
    case TY_SET: {
        size_t n = get(at, head);
        return set_make(ctx, decode_list(tys, ctx, ty->elem, at + head, n), n);
    }
    case TY_UNION: return ty_decode(tys, ctx, ty->field[at[0]], at + ty->offset[at[0]]);
    }
    return VAL_UNDEF;
}

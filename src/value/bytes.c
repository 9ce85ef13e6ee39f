/* Values as bytes, for queues and files.
 *
 * The first byte tells the kind; small numbers, short tuples, sets and records, and strings with
 * small ids have it all in there, so that a typical state takes about one byte for each leaf.
 * Strings are ids of the strtab, so the bytes mean something only together with it.
 *
 * Reading never trusts the bytes: every length is checked against what is left (each element takes
 * at least one byte, so memory is bounded by the input), ids against the table, and the canonical
 * forms are checked where a glance tells (names and keys in order, big integers that are big).
 * Order among elements that are objects is not checked: comparing them could fail, and the cost
 * would be felt in the search. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "value/value.h"
#include "value/value_int.h"

/* ORDER BYTES: stored files depend on these numbers. */
enum {
    B_INT0 = 0x00, /* 0x00..0x5f: the integers 0..95 */
    B_INT0_COUNT = 96,
    B_FALSE = 0x60,
    B_TRUE,
    B_INT,      /* zigzag */
    B_BIG,      /* sign, number of limbs, limbs */
    B_STR,      /* id */
    B_MODEL,    /* id; untyped */
    B_MODEL_T,  /* type, id */
    B_SPECIAL,  /* enum vspecial */
    B_INTERVAL, /* zigzag lo, hi - lo */
    B_SET,      /* n, elements */
    B_TUPLE,
    B_RECORD,        /* n, name ids, values */
    B_RECORD_MAP,    /* same, VF_MAP */
    B_FCN,           /* n, keys, values */
    B_STR14 = 0x80,  /* 0x80..0xbf: 6 high bits of a 14-bit id; one more byte */
    B_TUPLE0 = 0xc0, /* 0xc0..0xdf: 0..31 elements */
    B_TUPLE0_COUNT = 32,
    B_SET0 = 0xe0, /* 0xe0..0xef: 0..15 elements */
    B_SET0_COUNT = 16,
    B_RECORD1 = 0xf0, /* 0xf0..0xff: 1..16 fields */
    B_RECORD1_COUNT = 16
};

/* ---- writing ----
 *
 * Room for the words of an object is reserved once; then bytes are stored without further checks.
 */

enum { WORD_BYTES_MAX = 12, HEAD_BYTES_MAX = 24 };

static inline void put(struct strbuf *out, unsigned byte) /* room is reserved */
{
    out->p[out->n++] = (char)(unsigned char)byte;
}

static inline void put_varint(struct strbuf *out, uint64_t n)
{
    while (n >= 0x80) {
        put(out, (unsigned)(n & 0x7f) | 0x80);
        n >>= 7;
    }
    put(out, (unsigned)n);
}

static inline uint64_t zigzag(int64_t i)
{
    return (uint64_t)i << 1 ^ (uint64_t)(i >> 63);
}

static inline int64_t unzigzag(uint64_t n)
{
    return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

static void put_word(struct val v, struct strbuf *out)
{
    uint32_t id = val_str_id(v);
    int64_t i = val_small_get(v);
    switch (val_tag(v)) {
    case VTAG_INT:
        if (i >= 0 && i < B_INT0_COUNT) {
            put(out, B_INT0 + (unsigned)i);
        } else {
            put(out, B_INT);
            put_varint(out, zigzag(i));
        }
        break;
    case VTAG_BOOL: put(out, val_same(v, VAL_TRUE) ? B_TRUE : B_FALSE); break;
    case VTAG_STR:
        if (id < 1u << 14) {
            put(out, B_STR14 | id >> 8);
            put(out, id & 0xff);
        } else {
            put(out, B_STR);
            put_varint(out, id);
        }
        break;
    case VTAG_MODEL:
        put(out, model_type(v) ? B_MODEL_T : B_MODEL);
        if (model_type(v)) {
            put(out, (unsigned char)model_type(v));
        }
        put_varint(out, id);
        break;
    default:
        put(out, B_SPECIAL);
        put_varint(out, v.w >> 3);
        break;
    }
}

static void put_count(struct strbuf *out, unsigned kind, unsigned kind0, uint32_t count0,
                      uint32_t n, uint32_t first)
{
    if (n - first < count0) {
        put(out, kind0 + n - first);
    } else {
        put(out, kind);
        put_varint(out, n);
    }
}

/* Room for the rest of the words is reserved at each call, since an object among them uses it up.
 */
static void put_words(struct vctx *ctx, const struct val *v, size_t n, struct strbuf *out)
{
    strbuf_reserve(out, n * WORD_BYTES_MAX);
    for (size_t i = 0; i < n; i++) {
        if (val_is_obj(v[i])) {
            val_encode(ctx, v[i], out);
            strbuf_reserve(out, (n - i) * WORD_BYTES_MAX);
        } else {
            put_word(v[i], out);
        }
    }
}

static void put_record(struct vctx *ctx, const struct vobj *obj, struct strbuf *out)
{
    strbuf_reserve(out, HEAD_BYTES_MAX + obj->n * (size_t)WORD_BYTES_MAX);
    if (obj->flags & VF_MAP) {
        put(out, B_RECORD_MAP);
        put_varint(out, obj->n);
    } else {
        put_count(out, B_RECORD, B_RECORD1, B_RECORD1_COUNT, obj->n, 1);
    }
    for (uint32_t i = 0; i < obj->n; i++) {
        put_varint(out, val_str_id(obj->v[i]));
    }
    put_words(ctx, obj->v + obj->n, obj->n, out);
}

static void put_object(struct vctx *ctx, struct val v, struct strbuf *out)
{
    const struct vobj *obj = val_obj(v);
    switch ((enum vkind)obj->kind) {
    case VK_BIGINT:
        put(out, B_BIG);
        put(out, obj->flags & VF_NEG ? 1 : 0);
        put_varint(out, obj->n);
        strbuf_add(out, (const char *)obj->v, obj->n * sizeof obj->v[0]);
        break;
    case VK_SET:
        put_count(out, B_SET, B_SET0, B_SET0_COUNT, obj->n, 0);
        put_words(ctx, obj->v, obj->n, out);
        break;
    case VK_TUPLE:
        put_count(out, B_TUPLE, B_TUPLE0, B_TUPLE0_COUNT, obj->n, 0);
        put_words(ctx, obj->v, obj->n, out);
        break;
    case VK_RECORD: put_record(ctx, obj, out); break;
    case VK_FCN:
        put(out, B_FCN);
        put_varint(out, obj->n);
        put_words(ctx, obj->v, 2 * (size_t)obj->n, out);
        break;
    case VK_INTERVAL:
        put(out, B_INTERVAL);
        put_varint(out, zigzag(interval_lo(v)));
        put_varint(out, interval_size(v) - 1);
        break;
    default: val_encode(ctx, val_settle(ctx, v), out); break;
    }
}

void val_encode(struct vctx *ctx, struct val v, struct strbuf *out)
{
    strbuf_reserve(out, HEAD_BYTES_MAX);
    if (val_is_obj(v)) {
        stack_check(ctx);
        put_object(ctx, v, out);
    } else {
        put_word(v, out);
    }
}

/* ---- reading ---- */

struct reader {
    struct vctx *ctx;
    const uint8_t *at;
    const uint8_t *end;
    uint32_t strings; /* ids below this one exist */
};

static bool get_varint(struct reader *r, uint64_t *ret)
{
    uint64_t n = 0;
    for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
        uint8_t byte = *r->at++;
        n |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *ret = n;
            return shift < 63 || byte <= 1;
        }
    }
    return false;
}

static bool get_id(struct reader *r, uint32_t *ret)
{
    uint64_t id;
    if (!get_varint(r, &id) || id >= r->strings) {
        return false;
    }
    *ret = (uint32_t)id;
    return true;
}

/* A number of elements, each of which takes `bytes` or more. */
static bool get_count(struct reader *r, size_t bytes, size_t *ret)
{
    uint64_t n;
    if (!get_varint(r, &n) || n > (uint64_t)(r->end - r->at) / bytes || n > UINT32_MAX / 4) {
        return false;
    }
    *ret = n;
    return true;
}

static bool get_value(struct reader *r, struct val *ret);

static bool get_values(struct reader *r, struct val *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!get_value(r, &v[i])) {
            return false;
        }
    }
    return true;
}

/* Ascending, as far as words of one kind can tell. */
static bool in_order(const struct val *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct val a = v[i - 1];
        struct val b = v[i];
        if (val_both_plain(a, b) && (int64_t)a.w >= (int64_t)b.w) {
            return false;
        }
        if (val_is_model(b) && (!val_is_model(a) || val_str_id(a) >= val_str_id(b))) {
            return false; /* model values come first */
        }
    }
    return true;
}

static bool get_small(struct reader *r, struct val *ret)
{
    uint64_t n;
    if (!get_varint(r, &n)) {
        return false;
    }
    int64_t i = unzigzag(n);
    if (i < SMALL_MIN || i > SMALL_MAX) {
        return false;
    }
    *ret = val_small(i);
    return true;
}

static bool get_big(struct reader *r, struct val *ret)
{
    if (r->at == r->end || *r->at > 1) {
        return false;
    }
    bool neg = *r->at++;
    size_t n;
    if (!get_count(r, sizeof(uint64_t), &n) || n == 0) {
        return false;
    }
    struct vobj *obj = vobj_new(r->ctx, VK_BIGINT, n, n);
    memcpy(obj->v, r->at, n * sizeof obj->v[0]);
    r->at += n * sizeof obj->v[0];
    obj->flags = neg ? VF_NEG : 0;
    uint64_t top = obj->v[n - 1].w;
    if (top == 0 || (n == 1 && top <= (uint64_t)SMALL_MAX + neg)) {
        return false;
    }
    *ret = val_of_obj(obj);
    return true;
}

static bool get_model(struct reader *r, bool typed, struct val *ret)
{
    uint64_t type = 0;
    uint32_t id;
    if (typed) {
        if (r->at == r->end) {
            return false;
        }
        type = *r->at++;
    }
    if (!get_id(r, &id)) {
        return false;
    }
    struct val v = {(uint64_t)id << 32 | type << 8 | VTAG_MODEL};
    struct str name = strtab_text(r->ctx->strings, id);
    uint64_t want = name.n > 2 && name.p[1] == '_' ? (uint8_t)name.p[0] : 0;
    *ret = v;
    return type == want;
}

static bool get_interval(struct reader *r, struct val *ret)
{
    struct val lo;
    uint64_t span;
    if (!get_small(r, &lo) || !get_varint(r, &span) ||
        span > (uint64_t)(SMALL_MAX - val_small_get(lo))) {
        return false;
    }
    *ret = set_interval(r->ctx, lo, val_small(val_small_get(lo) + (int64_t)span));
    return true;
}

static bool get_set(struct reader *r, size_t n, struct val *ret)
{
    if (n == 0) {
        *ret = set_empty();
        return true;
    }
    struct vobj *obj = vobj_new(r->ctx, VK_SET, n, n);
    *ret = val_of_obj(obj);
    return get_values(r, obj->v, n) && in_order(obj->v, n);
}

static bool get_tuple(struct reader *r, size_t n, struct val *ret)
{
    struct val *elems;
    *ret = tuple_new(r->ctx, n, &elems);
    return get_values(r, elems, n);
}

static bool get_record(struct reader *r, size_t n, uint8_t flags, struct val *ret)
{
    if (n == 0) {
        return false;
    }
    struct vobj *obj = vobj_new(r->ctx, VK_RECORD, n, 2 * n);
    obj->flags = flags;
    uint64_t last = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t id;
        if (!get_id(r, &id) || id + UINT64_C(1) <= last) { /* ascending */
            return false;
        }
        last = id + UINT64_C(1);
        obj->v[i] = val_strid(id);
    }
    *ret = val_of_obj(obj);
    return get_values(r, obj->v + n, n);
}

static bool get_fcn(struct reader *r, size_t n, struct val *ret)
{
    if (n == 0) {
        return false;
    }
    struct vobj *obj = vobj_new(r->ctx, VK_FCN, n, 2 * n);
    *ret = val_of_obj(obj);
    if (!get_values(r, obj->v, 2 * n) || !in_order(obj->v, n)) {
        return false;
    }
    bool tuple = keys_are_contiguous(obj->v, n) && val_small_get(obj->v[0]) == 1;
    return !tuple && !keys_are_strings(obj->v, n);
}

static bool get_special(struct reader *r, struct val *ret)
{
    uint64_t special;
    if (!get_varint(r, &special) || special > VSP_ANYSET) {
        return false;
    }
    *ret = (struct val){special << 3 | VTAG_SPECIAL};
    return true;
}

/* Kinds that do not fit the first byte. */
static bool get_long(struct reader *r, uint8_t kind, struct val *ret)
{
    size_t n;
    uint32_t id;
    switch (kind) {
    case B_FALSE:
    case B_TRUE: *ret = val_bool(kind == B_TRUE); return true;
    case B_INT: return get_small(r, ret);
    case B_BIG: return get_big(r, ret);
    case B_STR:
        if (!get_id(r, &id)) {
            return false;
        }
        *ret = val_strid(id);
        return true;
    case B_MODEL:
    case B_MODEL_T: return get_model(r, kind == B_MODEL_T, ret);
    case B_SPECIAL: return get_special(r, ret);
    case B_INTERVAL: return get_interval(r, ret);
    case B_SET: return get_count(r, 1, &n) && get_set(r, n, ret);
    case B_TUPLE: return get_count(r, 1, &n) && get_tuple(r, n, ret);
    case B_RECORD: return get_count(r, 2, &n) && get_record(r, n, 0, ret);
    case B_RECORD_MAP: return get_count(r, 2, &n) && get_record(r, n, VF_MAP, ret);
    case B_FCN: return get_count(r, 2, &n) && get_fcn(r, n, ret);
    default: return false;
    }
}

static bool get_value(struct reader *r, struct val *ret)
{
    if (r->at == r->end) {
        return false;
    }
    uint8_t kind = *r->at++;
    if (kind < B_INT0_COUNT) {
        *ret = val_small(kind);
        return true;
    }
    if (kind < B_STR14) {
        return !stack_is_low(r->ctx) && get_long(r, kind, ret);
    }
    if (kind < B_TUPLE0) {
        if (r->at == r->end) {
            return false;
        }
        uint32_t id = (uint32_t)(kind - B_STR14) << 8 | *r->at++;
        *ret = val_strid(id);
        return id < r->strings;
    }
    if (stack_is_low(r->ctx)) {
        return false;
    }
    size_t left = (size_t)(r->end - r->at);
    size_t n = kind < B_SET0      ? (size_t)(kind - B_TUPLE0)
               : kind < B_RECORD1 ? (size_t)(kind - B_SET0)
                                  : (size_t)(kind - B_RECORD1) + 1;
    if (n > left) {
        return false;
    }
    return kind < B_SET0      ? get_tuple(r, n, ret)
           : kind < B_RECORD1 ? get_set(r, n, ret)
                              : get_record(r, n, 0, ret);
}

bool val_decode(struct vctx *ctx, const uint8_t **at, const uint8_t *end, struct val *ret)
{
    struct reader r = {ctx, *at, end, strtab_count(ctx->strings)};
    if (!get_value(&r, ret)) {
        return false;
    }
    *at = r.at;
    return true;
}

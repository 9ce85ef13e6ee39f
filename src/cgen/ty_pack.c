/* Values from one layout to another, bytes to bytes: when a search has moved to wider types, each
 * new state is packed in the types before (before.c). What the layouts have in common is copied;
 * cases that are rare say PACK_UNKNOWN, and the caller goes by values. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cgen/ty.h"
#include "value/value.h"

enum { ELEMENT_MAX = 256 }; /* bytes of an element of a bit vector */

static bool same_atoms(const struct tys *a, const struct tys *b)
{
    if (a->atoms.n != b->atoms.n) {
        return false;
    }
    for (size_t i = 0; i < a->atoms.n; i++) {
        if (!val_same(a->atoms.v[i], b->atoms.v[i])) {
            return false;
        }
    }
    return true;
}

static bool same_names(const struct ty *a, const struct ty *b)
{
    for (uint32_t i = 0; i < a->n && (a->names || b->names); i++) {
        if (!a->names || !b->names || !val_same(a->names[i], b->names[i])) {
            return false;
        }
    }
    return true;
}

/* Do the same bytes mean the same value in both? Atoms are the same. */
static bool alike(const struct ty *a, const struct ty *b)
{
    bool good = a->kind == b->kind && a->size == b->size && a->w == b->w && a->cap == b->cap &&
                a->n == b->n && a->nvariant == b->nvariant && a->map == b->map &&
                !a->key == !b->key && !a->elem == !b->elem && !a->uni == !b->uni;
    good = good && (!a->key || alike(a->key, b->key)) && (!a->elem || alike(a->elem, b->elem)) &&
           (!a->uni || uni_same(a->uni, b->uni));
    bool named = a->kind == TY_REC || a->kind == TY_FUN;
    good = good && (!named || same_names(a, b));
    for (uint32_t i = 0; good && i < a->nvariant; i++) {
        good = a->variant[i] == b->variant[i];
    }
    bool parts = a->kind == TY_REC || a->kind == TY_TUP || a->kind == TY_UNION;
    for (uint32_t i = 0; good && parts && i < a->n; i++) {
        good = a->offset[i] == b->offset[i] && alike(a->field[i], b->field[i]);
    }
    return good;
}

struct ty_packer ty_packer(const struct tys *from, const struct tys *to)
{
    return (struct ty_packer){from, to, same_atoms(from, to)};
}

bool ty_alike(const struct ty_packer *p, const struct ty *a, const struct ty *b)
{
    return p->same_atoms && alike(a, b);
}

/* ---- packing ---- */
static enum ty_packed pack(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                           const struct ty *b, uint8_t *out);

static uint64_t get(const uint8_t *at, uint32_t bytes)
{
    uint64_t v = 0;
    memcpy(&v, at, bytes);
    return v;
}

static int64_t get_signed(const uint8_t *at, uint32_t bytes)
{
    uint32_t shift = 64 - bytes * 8;
    return (int64_t)(get(at, bytes) << shift) >> shift;
}

static uint32_t head_of(const struct ty *ty)
{
    return ty->cap < 256 ? 1 : 2;
}

static enum ty_packed pack_int(const struct ty *a, const uint8_t *at, const struct ty *b,
                               uint8_t *out)
{
    int64_t i = get_signed(at, a->size);
    memcpy(out, &i, b->size);
    return get_signed(out, b->size) == i ? PACK_FITS : PACK_NOT;
}

static enum ty_packed pack_atom(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                                const struct ty *b, uint8_t *out)
{
    uint64_t code = get(at, a->size);
    if (!p->same_atoms) {
        int there = tys_atom(p->to, p->from->atoms.v[code]);
        if (there < 0) {
            return PACK_NOT;
        }
        code = (uint64_t)there;
    }
    memcpy(out, &code, b->size);
    bool of_type = ty_classes(b) >> tys_class(p->to, p->to->atoms.v[code]) & 1;
    return get(out, b->size) == code && of_type ? PACK_FITS : PACK_NOT;
}

static enum ty_packed pack_parts(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                                 const struct ty *b, uint8_t *out)
{
    enum ty_packed rc = a->n == b->n ? PACK_FITS : PACK_NOT;
    for (uint32_t i = 0; i < a->n && rc == PACK_FITS; i++) {
        rc = pack(p, a->field[i], at + a->offset[i], b->field[i], out + b->offset[i]);
    }
    return rc;
}

static enum ty_packed pack_rec(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                               const struct ty *b, uint8_t *out)
{
    uint64_t bits = a->variant[a->nvariant > 1 ? at[0] : 0];
    uint64_t want = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        if (!(bits >> i & 1)) {
            continue;
        }
        int f = ty_field(b, a->names[i]);
        if (f < 0) {
            return PACK_NOT;
        }
        enum ty_packed rc =
            pack(p, a->field[i], at + a->offset[i], b->field[f], out + b->offset[f]);
        if (rc != PACK_FITS) {
            return rc;
        }
        want |= UINT64_C(1) << f;
    }
    for (uint32_t i = 0; i < b->nvariant; i++) {
        if (b->variant[i] == want) {
            if (b->nvariant > 1) {
                out[0] = (uint8_t)i;
            }
            return PACK_FITS;
        }
    }
    return PACK_NOT;
}

static enum ty_packed pack_list(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                                const struct ty *b, uint8_t *out, uint64_t n)
{
    enum ty_packed rc = PACK_FITS;
    for (uint64_t i = 0; i < n && rc == PACK_FITS; i++) {
        rc = pack(p, a, at + i * a->size, b, out + i * b->size);
    }
    return rc;
}

static enum ty_packed pack_counted(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                                   const struct ty *b, uint8_t *out)
{
    uint64_t n = get(at, head_of(a));
    if (n > b->cap) {
        return PACK_NOT;
    }
    memcpy(out, &n, head_of(b));
    const uint8_t *from = at + head_of(a);
    uint8_t *to = out + head_of(b);
    if (a->kind != TY_MAP) {
        enum ty_packed rc = pack_list(p, a->elem, from, b->elem, to, n);
        if (rc == PACK_FITS && a->kind == TY_SET) {
            ty_sort(b->elem, to, NULL, 0, (uint32_t)n);
        }
        return rc;
    }
    uint8_t *vals = to + (size_t)b->cap * b->key->size;
    enum ty_packed rc = pack_list(p, a->key, from, b->key, to, n);
    if (rc == PACK_FITS) {
        rc = pack_list(p, a->elem, from + (size_t)a->cap * a->key->size, b->elem, vals, n);
    }
    if (rc == PACK_FITS) {
        ty_sort(b->key, to, vals, b->elem->size, (uint32_t)n);
    }
    return rc;
}

static enum ty_packed pack_universe(const struct ty_packer *p, const struct ty *a,
                                    const uint8_t *at, const struct ty *b, uint8_t *out)
{
    uint8_t from[ELEMENT_MAX + 8];
    uint8_t to[ELEMENT_MAX + 8];
    if (!a->uni || !b->uni || a->elem->size > ELEMENT_MAX || b->elem->size > ELEMENT_MAX) {
        return PACK_UNKNOWN;
    }
    for (uint32_t i = 0; i < a->size * 8; i++) {
        if (!(at[i / 8] >> (i % 8) & 1)) {
            continue;
        }
        memset(from, 0, sizeof from);
        memset(to, 0, sizeof to);
        uni_element(a, i, from);
        enum ty_packed rc = pack(p, a->elem, from, b->elem, to);
        int64_t bit = rc == PACK_FITS ? uni_index(b, to) : -1;
        if (bit < 0) {
            return rc == PACK_FITS ? PACK_NOT : rc;
        }
        out[bit / 8] |= (uint8_t)(1U << (bit % 8));
    }
    return PACK_FITS;
}

static enum ty_packed pack_bits(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                                const struct ty *b, uint8_t *out)
{
    if (a->uni || b->uni) {
        return pack_universe(p, a, at, b, out);
    }
    if (a->elem->kind != b->elem->kind || (a->elem->kind == TY_ATOM && !p->same_atoms) ||
        (a->elem->kind == TY_ATOM && ty_classes(a->elem) != ty_classes(b->elem))) {
        return PACK_UNKNOWN;
    }
    uint32_t n = a->size < b->size ? a->size : b->size;
    memcpy(out, at, n);
    for (uint32_t i = n; i < a->size; i++) {
        if (at[i] != 0) {
            return PACK_NOT;
        }
    }
    return PACK_FITS;
}

static enum ty_packed pack_fun(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                               const struct ty *b, uint8_t *out)
{
    if (a->n != b->n || !same_names(a, b)) {
        return PACK_UNKNOWN;
    }
    return pack_list(p, a->elem, at, b->elem, out, a->n);
}

/* Values of one shape are in the first alternative of that shape. */
static enum ty_packed pack_union(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                                 const struct ty *b, uint8_t *out)
{
    const struct ty *alt = a->field[at[0]];
    for (uint32_t i = 0; i < b->n; i++) {
        if (ty_is_scalar(alt) == ty_is_scalar(b->field[i]) &&
            ty_is_fcn(alt) == ty_is_fcn(b->field[i])) {
            out[0] = (uint8_t)i;
            return pack(p, alt, at + a->offset[at[0]], b->field[i], out + b->offset[i]);
        }
    }
    return PACK_NOT;
}

static enum ty_packed pack(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                           const struct ty *b, uint8_t *out)
{
    if (a->kind != b->kind) {
        return PACK_UNKNOWN;
    }
    switch (a->kind) {
    case TY_BOOL: out[0] = at[0]; return PACK_FITS;
    case TY_INT: return pack_int(a, at, b, out);
    case TY_ATOM: return pack_atom(p, a, at, b, out);
    case TY_MIX:
        return p->same_atoms || get_signed(at, a->size) < MIX_ATOM ? pack_int(a, at, b, out)
                                                                   : PACK_UNKNOWN;
    case TY_REC: return a->map == b->map ? pack_rec(p, a, at, b, out) : PACK_UNKNOWN;
    case TY_TUP: return pack_parts(p, a, at, b, out);
    case TY_SEQ:
    case TY_SET:
    case TY_MAP: return pack_counted(p, a, at, b, out);
    case TY_FUN: return pack_fun(p, a, at, b, out);
    case TY_BITS: return pack_bits(p, a, at, b, out);
    case TY_UNION: return pack_union(p, a, at, b, out);
    case TY_NONE: return PACK_UNKNOWN;
    }
    return PACK_UNKNOWN;
}

enum ty_packed ty_pack(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                       const struct ty *b, uint8_t *out)
{
    return pack(p, a, at, b, out);
}

/* Making, interning and joining types. */
#include "cgen/ty.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/vec.h"
#include "value/value.h"

#define TYPES_MIN 256 /* size of the table of types, at first: a power of two */

/* ---- interning ---- */
static bool same_vals(const struct val *a, const struct val *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!val_same(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

static bool keys_equal(struct tys *tys, const struct ty *a, const struct ty *b)
{
    for (uint32_t i = 0; i < a->n; i++) { /* values that cannot be compared are different too */
        struct val x = a->names[i];
        struct val y = b->names[i];
        if (!val_same(x, y) &&
            (!val_is_obj(x) || !val_is_obj(y) || val_hash(tys->ctx, x) != val_hash(tys->ctx, y))) {
            return false;
        }
    }
    return true;
}

static bool same_type(struct tys *tys, const struct ty *a, const struct ty *b)
{
    if (a->kind != b->kind || a->w != b->w || a->cap != b->cap || a->n != b->n ||
        a->key != b->key || a->elem != b->elem || a->nvariant != b->nvariant || a->map != b->map ||
        !a->uni != !b->uni) {
        return false;
    }
    if (a->uni && !uni_same(a->uni, b->uni)) {
        return false;
    }
    if (a->field && b->field &&
        memcmp((const void *)a->field, (const void *)b->field, sizeof *a->field * a->n) != 0) {
        return false;
    }
    if (a->kind == TY_FUN) {
        return keys_equal(tys, a, b);
    }
    if (a->names && !same_vals(a->names, b->names, a->n)) {
        return false;
    }
    return !a->nvariant || memcmp(a->variant, b->variant, sizeof *a->variant * a->nvariant) == 0;
}

/* Of what same_type compares, without keys of functions and values in universes. */
static uint64_t type_hash(const struct ty *ty)
{
    uint64_t h = hash_combine(ty->kind, ty->w);
    h = hash_combine(hash_combine(h, ty->cap), ty->n);
    h = hash_combine(hash_combine(h, ty->nvariant), ty->map);
    h = hash_combine(h, ty->key ? ty->key->id + 1 : 0);
    h = hash_combine(h, ty->elem ? ty->elem->id + 1 : 0);
    h = hash_combine(h, ty->uni ? ty->uni->n + 1 : 0);
    for (uint32_t i = 0; ty->field && i < ty->n; i++) {
        h = hash_combine(h, ty->field[i]->id);
    }
    for (uint32_t i = 0; ty->kind == TY_REC && i < ty->n; i++) {
        h = hash_combine(h, val_str_id(ty->names[i]));
    }
    return h;
}

/* Where a type like this stands in the table, or belongs. */
static uint32_t *type_slot(struct tys *tys, const struct ty *like)
{
    size_t mask = tys->index.n - 1;
    for (size_t at = type_hash(like) & mask;; at = (at + 1) & mask) {
        uint32_t *slot = &tys->index.v[at];
        if (*slot == 0 || same_type(tys, tys->all.v[*slot - 1], like)) {
            return slot;
        }
    }
}

static void index_types(struct tys *tys, size_t size)
{
    VEC_RESERVE(&tys->index, size);
    tys->index.n = size;
    memset(tys->index.v, 0, sizeof *tys->index.v * size);
    for (size_t i = 0; i < tys->all.n; i++) {
        *type_slot(tys, tys->all.v[i]) = (uint32_t)i + 1;
    }
}

/* NULL: there is none like it. */
static const struct ty *find_type(struct tys *tys, const struct ty *like)
{
    uint32_t at = *type_slot(tys, like);
    return at ? tys->all.v[at - 1] : NULL;
}

static const struct ty *intern(struct tys *tys, const struct ty *like)
{
    const struct ty *known = find_type(tys, like);
    if (known) {
        return known;
    }
    struct ty *ty = ARENA_NEW(tys->arena, struct ty);
    *ty = *like;
    ty->id = (uint32_t)tys->all.n;
    if (2 * tys->all.n >= tys->index.n) {
        index_types(tys, 2 * tys->index.n);
    }
    VEC_PUSH(&tys->all, ty);
    *type_slot(tys, ty) = ty->id + 1;
    return ty;
}

static const struct ty *plain(struct tys *tys, enum ty_kind kind, uint32_t size, uint32_t w)
{
    return intern(tys, &(struct ty){.kind = kind, .size = size, .w = w});
}

void tys_init(struct tys *tys, struct arena *arena, struct vctx *ctx)
{
    *tys = (struct tys){.arena = arena, .ctx = ctx, .strings = ctx->strings};
}

void tys_done(struct tys *tys)
{
    VEC_DONE(&tys->all);
    VEC_DONE(&tys->index);
    VEC_DONE(&tys->atoms);
    VEC_DONE(&tys->fresh);
    VEC_DONE(&tys->swaps);
    VEC_DONE(&tys->named);
    VEC_DONE(&tys->names);
}

/* ---- atoms ---- */
static bool is_atom(struct val v)
{
    return val_is_str(v) || val_is_model(v);
}

static void atom_note(struct tys *tys, struct val v)
{
    if (tys_atom(tys, v) >= 0) {
        return;
    }
    if (!tys->sealed) {
        VEC_PUSH(&tys->atoms, v);
        return;
    }
    VEC_PUSH(&tys->fresh, v);
}

void tys_atoms(struct tys *tys, struct val v)
{
    if (is_atom(v)) {
        atom_note(tys, v);
        return;
    }
    if (!val_is_obj(v)) {
        return;
    }
    const struct vobj *o = val_obj(v);
    if (vkind_is_lazy(o->kind)) {
        const struct vlazy *lazy = vobj_lazy(val_obj(v));
        if (o->kind == VK_OPER || o->kind == VK_THUNK || o->kind == VK_INTERVAL) {
            return;
        }
        uint32_t n = o->kind == VK_RECSET                           ? o->n * 2
                     : o->kind == VK_FILTER || o->kind == VK_LAMBDA ? 1
                                                                    : o->n;
        for (uint32_t i = 0; i < n; i++) {
            tys_atoms(tys, lazy->op[i]);
        }
        return;
    }
    uint32_t n = o->kind == VK_BIGINT                        ? 0
                 : o->kind == VK_RECORD || o->kind == VK_FCN ? o->n * 2
                                                             : o->n;
    for (uint32_t i = 0; i < n; i++) {
        tys_atoms(tys, o->v[i]);
    }
}

static int atom_order(const void *a, const void *b)
{
    const struct val *x = a;
    const struct val *y = b;
    if (val_tag(*x) != val_tag(*y)) { /* model values come before everything else, as in TLC */
        return val_is_model(*x) ? -1 : 1;
    }
    return val_str_id(*x) < val_str_id(*y) ? -1 : val_str_id(*x) > val_str_id(*y);
}

static char type_of_model(struct val v)
{
    return val_is_model(v) ? val_model_type(v) : 0;
}

static void note_types(struct tys *tys)
{
    tys->ntype = 0;
    tys->many_types = false;
    for (size_t i = 0; i < tys->atoms.n; i++) {
        char type = type_of_model(tys->atoms.v[i]);
        if (!type || memchr(tys->types, type, tys->ntype)) {
            continue;
        }
        if (tys->ntype == ATOM_TYPES) {
            tys->many_types = true;
            return;
        }
        tys->types[tys->ntype++] = type;
    }
}

uint32_t tys_class(const struct tys *tys, struct val atom)
{
    char type = type_of_model(atom);
    for (uint32_t i = 0; type && i < tys->ntype; i++) {
        if (tys->types[i] == type) {
            return ATOM_TYPED + i;
        }
    }
    return val_is_model(atom) ? ATOM_UNTYPED : ATOM_STRING;
}

#define ATOM_PLAIN ((1U << ATOM_STRING) | (1U << ATOM_UNTYPED))

uint32_t ty_classes(const struct ty *atom)
{
    return atom->n ? atom->n : ATOM_PLAIN;
}

bool ty_has_typed(const struct ty *atom)
{
    return (ty_classes(atom) & ~ATOM_PLAIN) != 0;
}

static bool classes_agree(uint32_t classes)
{
    return __builtin_popcount(classes & ~(1U << ATOM_UNTYPED)) <= 1;
}

bool ty_comparable(const struct ty *atom, const struct ty *other)
{
    return classes_agree(ty_classes(atom) | ty_classes(other));
}

static const struct ty *atom_of(struct tys *tys, uint32_t classes)
{
    struct ty like = *tys->atom;
    like.n = classes == ATOM_PLAIN ? 0 : classes;
    return intern(tys, &like);
}

const struct ty *ty_of_atom(struct tys *tys, struct val v)
{
    if (tys_atom(tys, v) < 0) {
        return NULL;
    }
    return tys->ntype ? atom_of(tys, 1U << tys_class(tys, v)) : tys->atom;
}

void tys_seal(struct tys *tys)
{
    if (tys->atoms.n) {
        qsort(tys->atoms.v, tys->atoms.n, sizeof *tys->atoms.v, atom_order);
    }
    note_types(tys);
    tys->sealed = true;
    tys->all.n = 0;
    tys->named.n = 0;
    tys->names.n = 0;
    index_types(tys, TYPES_MIN);
    tys->none = plain(tys, TY_NONE, 0, 0);
    tys->boolean = plain(tys, TY_BOOL, 1, 0);
    tys->atom = plain(tys, TY_ATOM, tys->atoms.n < 256 ? 1 : 2, 0);
    tys->mix = plain(tys, TY_MIX, 4, 0);
    for (uint32_t i = 0; i < 4; i++) {
        tys->ints[i] = plain(tys, TY_INT, 1U << i, 1U << i);
    }
}

void tys_reopen(struct tys *tys)
{
    tys->sealed = false;
    for (size_t i = 0; i < tys->fresh.n; i++) {
        tys_atoms(tys, tys->fresh.v[i]);
    }
    tys->fresh.n = 0;
}

int tys_atom(const struct tys *tys, struct val v)
{
    if (tys->sealed) {
        size_t lo = 0;
        size_t hi = tys->atoms.n;
        while (lo < hi) {
            size_t mid = (lo + hi) / 2;
            int c = atom_order(&tys->atoms.v[mid], &v);
            if (c == 0) {
                return (int)mid;
            }
            *(c < 0 ? &lo : &hi) = c < 0 ? mid + 1 : mid;
        }
        return -1;
    }
    for (size_t i = 0; i < tys->atoms.n; i++) {
        if (val_same(tys->atoms.v[i], v)) {
            return (int)i;
        }
    }
    return -1;
}

/* ---- makers ---- */
const struct ty *ty_int(struct tys *tys, uint32_t w)
{
    return tys->ints[w == 1 ? 0 : w == 2 ? 1 : w == 4 ? 2 : 3];
}

static uint32_t count_bytes(uint32_t cap)
{
    return cap < 256 ? 1 : 2;
}

const struct ty *ty_seq(struct tys *tys, const struct ty *elem, uint32_t cap)
{
    return intern(tys, &(struct ty){.kind = TY_SEQ,
                                    .size = count_bytes(cap) + cap * elem->size,
                                    .cap = cap,
                                    .elem = elem});
}

const struct ty *ty_set_array(struct tys *tys, const struct ty *elem, uint32_t cap)
{
    return intern(tys, &(struct ty){.kind = TY_SET,
                                    .size = count_bytes(cap) + cap * elem->size,
                                    .cap = cap,
                                    .elem = elem});
}

static uint32_t bits_bytes(uint32_t n)
{
    return n <= 8 ? 1 : n <= 16 ? 2 : n <= 32 ? 4 : (n + 63) / 64 * 8;
}

const struct ty *ty_bits(struct tys *tys, const struct ty *elem, const struct universe *uni)
{
    return intern(tys, &(struct ty){.kind = TY_BITS,
                                    .size = bits_bytes(uni->n),
                                    .w = (uni->n + 63) / 64,
                                    .elem = elem,
                                    .uni = uni});
}

/* A set of samples, with what its elements were. */
const struct ty *ty_set_noted(struct tys *tys, const struct ty *elem, uint32_t cap,
                              const struct universe *uni)
{
    struct ty like = *ty_set_array(tys, elem, cap);
    like.uni = uni;
    return intern(tys, &like);
}

const struct ty *ty_set(struct tys *tys, const struct ty *elem, uint32_t cap)
{
    if (elem->kind == TY_ATOM && tys->atoms.n <= 256 && ty_comparable(elem, elem)) {
        return intern(tys, &(struct ty){.kind = TY_BITS,
                                        .size = bits_bytes((uint32_t)tys->atoms.n),
                                        .w = (uint32_t)(tys->atoms.n + 63) / 64,
                                        .elem = elem});
    }
    if (elem->kind == TY_INT && tys->small_ints) {
        return intern(tys, &(struct ty){.kind = TY_BITS, .size = 8, .w = 1, .elem = tys->ints[0]});
    }
    return ty_set_array(tys, elem, elem->kind == TY_NONE ? 0 : elem->kind == TY_BOOL ? 2 : cap);
}

const struct ty *ty_map(struct tys *tys, const struct ty *key, const struct ty *elem, uint32_t cap)
{
    return intern(tys, &(struct ty){.kind = TY_MAP,
                                    .size = count_bytes(cap) + cap * (key->size + elem->size),
                                    .cap = cap,
                                    .key = key,
                                    .elem = elem});
}

static const struct val *copy_vals(struct tys *tys, const struct val *v, uint32_t n)
{
    struct val *copy = ARENA_ARRAY(tys->arena, struct val, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        copy[i] = val_freeze(tys->ctx, tys->arena, v[i]);
    }
    return copy;
}

const struct ty *ty_fun(struct tys *tys, const struct val *keys, uint32_t n, const struct ty *key,
                        const struct ty *elem)
{
    ASSERT(elem != NULL);
    struct ty like = {.kind = TY_FUN, .n = n, .names = keys, .key = key, .elem = elem};
    like.size = n * elem->size;
    const struct ty *known = find_type(tys, &like);
    if (known) {
        return known;
    }
    like.names = copy_vals(tys, keys, n);
    return intern(tys, &like);
}

/* Fields one after the other, from `at` on. */
static void lay_out(struct tys *tys, struct ty *ty, const struct ty *const *field, uint32_t at)
{
    const struct ty **copy = ARENA_ARRAY(tys->arena, const struct ty *, ty->n + 1);
    uint32_t *offset = ARENA_ARRAY(tys->arena, uint32_t, ty->n + 1);
    for (uint32_t i = 0; i < ty->n; i++) {
        ASSERT(field[i] != NULL);
        copy[i] = field[i];
        offset[i] = at;
        at += field[i]->size;
    }
    ty->field = copy;
    ty->offset = offset;
    ty->size = at;
}

const struct ty *ty_tup(struct tys *tys, const struct ty *const *field, uint32_t n)
{
    struct ty like = {.kind = TY_TUP, .n = n};
    lay_out(tys, &like, field, 0);
    return intern(tys, &like);
}

const struct ty *ty_rec(struct tys *tys, const struct val *names, const struct ty *const *field,
                        uint32_t n, const uint64_t *variant, uint32_t nvariant)
{
    struct ty like = {.kind = TY_REC, .n = n, .nvariant = nvariant};
    lay_out(tys, &like, field, nvariant > 1 ? 1 : 0);
    like.names = copy_vals(tys, names, n);
    uint64_t *variants = ARENA_ARRAY(tys->arena, uint64_t, nvariant + 1);
    memcpy(variants, variant, sizeof *variants * nvariant);
    like.variant = variants;
    return intern(tys, &like);
}

const struct ty *ty_rec_map(struct tys *tys, const struct ty *rec)
{
    struct ty like = *rec;
    like.map = true;
    return intern(tys, &like);
}

const struct ty *ty_rec_like(struct tys *tys, const struct ty *rec, const struct ty *const *field)
{
    const struct ty *ty = ty_rec(tys, rec->names, field, rec->n, rec->variant, rec->nvariant);
    return rec->map ? ty_rec_map(tys, ty) : ty;
}

/* Names of fields stand in the order of their ids, keys in the order of values: that of ids, too.
 */
const struct ty *ty_as_rec(struct tys *tys, const struct ty *fcn)
{
    const struct ty *field[TY_FIELDS];
    if (fcn->kind != TY_FUN || fcn->n >= TY_FIELDS || fcn->n == 0) {
        return fcn->kind == TY_REC ? fcn : NULL;
    }
    for (uint32_t i = 0; i < fcn->n; i++) {
        field[i] = fcn->elem;
        if (!val_is_str(fcn->names[i]) ||
            (i > 0 && val_str_id(fcn->names[i - 1]) >= val_str_id(fcn->names[i]))) {
            return NULL;
        }
    }
    uint64_t all = (UINT64_C(1) << fcn->n) - 1;
    return ty_rec_map(tys, ty_rec(tys, fcn->names, field, fcn->n, &all, 1));
}

bool ty_is_mixed(const struct ty *ty)
{
    return !ty || ty->kind == TY_UNION || ty->kind == TY_MIX;
}

/* Functions that have a layout in common which is worth something. */
enum fcn_group { GROUP_NONE, GROUP_REC, GROUP_LIST, GROUP_MAP };

static enum fcn_group group_of(const struct ty *ty)
{
    switch (ty->kind) {
    case TY_REC: return GROUP_REC;
    case TY_TUP: return GROUP_LIST;
    case TY_SEQ: return ty->cap ? GROUP_LIST : GROUP_NONE;
    case TY_FUN: return GROUP_MAP;
    case TY_MAP: return ty->cap ? GROUP_MAP : GROUP_NONE;
    default: return GROUP_NONE;
    }
}

bool ty_part_differs(const struct ty *before, const struct ty *part, const struct ty *join)
{
    if (!join || join->kind == TY_UNION || (join->kind == TY_MIX && part->kind != TY_MIX)) {
        return true;
    }
    enum fcn_group a = group_of(before);
    enum fcn_group b = group_of(part);
    return a != b && a != GROUP_NONE && b != GROUP_NONE;
}

static const struct ty *ty_union(struct tys *tys, const struct ty *const *field, uint32_t n)
{
    if (n == 1) {
        return field[0];
    }
    struct ty like = {.kind = TY_UNION, .n = n};
    lay_out(tys, &like, field, 1);
    return intern(tys, &like);
}

int ty_field(const struct ty *rec, struct val name)
{
    for (uint32_t i = 0; i < rec->n; i++) {
        if (val_same(rec->names[i], name)) {
            return (int)i;
        }
    }
    return -1;
}

bool ty_is_scalar(const struct ty *ty)
{
    return ty && ty->kind >= TY_BOOL && ty->kind <= TY_MIX;
}

bool ty_is_fcn(const struct ty *ty)
{
    return ty && ty->kind >= TY_REC && ty->kind <= TY_MAP;
}

/* ---- join ---- */

/* Alternatives of a union, in this order. */
enum ty_class { CLASS_SCALAR, CLASS_FCN, CLASS_SET };

static enum ty_class class_of(const struct ty *ty)
{
    return ty_is_scalar(ty) ? CLASS_SCALAR : ty_is_fcn(ty) ? CLASS_FCN : CLASS_SET;
}

int ty_alternative(const struct ty *uni, const struct ty *like)
{
    for (uint32_t i = 0; i < uni->n; i++) {
        if (class_of(uni->field[i]) == class_of(like)) {
            return (int)i;
        }
    }
    return -1;
}

static const struct ty *join_union(struct tys *tys, const struct ty *a, const struct ty *b)
{
    const struct ty *slot[3] = {NULL, NULL, NULL};
    const struct ty *both[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        uint32_t n = both[k]->kind == TY_UNION ? both[k]->n : 1;
        for (uint32_t i = 0; i < n; i++) {
            const struct ty *t = both[k]->kind == TY_UNION ? both[k]->field[i] : both[k];
            enum ty_class c = class_of(t);
            slot[c] = slot[c] ? ty_join(tys, slot[c], t) : t;
            if (!slot[c]) {
                return NULL;
            }
        }
    }
    const struct ty *field[3];
    uint32_t n = 0;
    for (int c = 0; c < 3; c++) {
        if (slot[c]) {
            field[n++] = slot[c];
        }
    }
    return ty_union(tys, field, n);
}

static const struct ty *join_rec(struct tys *tys, const struct ty *a, const struct ty *b)
{
    struct val names[TY_FIELDS];
    const struct ty *field[TY_FIELDS];
    uint32_t from[2][TY_FIELDS];
    uint32_t n = 0;
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < a->n || j < b->n) {
        if (n == TY_FIELDS) {
            return NULL;
        }
        int c = i == a->n   ? 1
                : j == b->n ? -1
                            : (val_str_id(a->names[i]) > val_str_id(b->names[j])) -
                                  (val_str_id(a->names[i]) < val_str_id(b->names[j]));
        names[n] = c <= 0 ? a->names[i] : b->names[j];
        field[n] = c < 0   ? a->field[i]
                   : c > 0 ? b->field[j]
                           : ty_join(tys, a->field[i], b->field[j]);
        if (!field[n]) {
            return NULL;
        }
        if (c <= 0) {
            from[0][i++] = n;
        }
        if (c >= 0) {
            from[1][j++] = n;
        }
        n++;
    }
    uint64_t variant[TY_VARIANTS];
    uint32_t nvariant = 0;
    for (int k = 0; k < 2; k++) {
        const struct ty *t = k ? b : a;
        for (uint32_t v = 0; v < t->nvariant; v++) {
            uint64_t bits = 0;
            for (uint32_t f = 0; f < t->n; f++) {
                bits |= t->variant[v] >> f & 1 ? UINT64_C(1) << from[k][f] : 0;
            }
            uint32_t at = 0;
            while (at < nvariant && variant[at] < bits) {
                at++;
            }
            if (at < nvariant && variant[at] == bits) {
                continue;
            }
            if (nvariant == TY_VARIANTS) {
                return NULL;
            }
            memmove(variant + at + 1, variant + at, sizeof *variant * (nvariant - at));
            variant[at] = bits;
            nvariant++;
        }
    }
    const struct ty *rec = ty_rec(tys, names, field, n, variant, nvariant);
    return a->map || b->map ? ty_rec_map(tys, rec) : rec;
}

static const struct ty *all_elems(struct tys *tys, const struct ty *t)
{
    const struct ty *elem = tys->none;
    for (uint32_t i = 0; i < t->n && elem; i++) {
        elem = ty_join(tys, elem, t->field[i]);
    }
    return elem;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* A function as a map. */
static const struct ty *as_map(struct tys *tys, const struct ty *t)
{
    switch (t->kind) {
    case TY_MAP: return t;
    case TY_FUN: return ty_map(tys, t->key, t->elem, t->n);
    case TY_SEQ: return ty_map(tys, t->cap ? ty_int(tys, 2) : tys->none, t->elem, t->cap);
    case TY_TUP: {
        const struct ty *elem = all_elems(tys, t);
        return elem ? ty_map(tys, ty_int(tys, 2), elem, t->n) : NULL;
    }
    case TY_REC: {
        const struct ty *elem = all_elems(tys, t);
        return elem ? ty_map(tys, tys->atom, elem, t->n) : NULL;
    }
    default: return NULL;
    }
}

static const struct ty *join_map(struct tys *tys, const struct ty *a, const struct ty *b)
{
    a = as_map(tys, a);
    b = as_map(tys, b);
    const struct ty *key = a && b ? ty_join(tys, a->key, b->key) : NULL;
    const struct ty *elem = key ? ty_join(tys, a->elem, b->elem) : NULL;
    return elem ? ty_map(tys, key, elem, max_u32(a->cap, b->cap)) : NULL;
}

/* A record with one variant as a function of its field names. */
static const struct ty *rec_as_fun(struct tys *tys, const struct ty *t)
{
    const struct ty *elem = t->nvariant == 1 ? all_elems(tys, t) : NULL;
    return elem ? ty_fun(tys, t->names, t->n, tys->atom, elem) : NULL;
}

static const struct ty *join_tuples(struct tys *tys, const struct ty *a, const struct ty *b)
{
    if (a->kind == TY_TUP && b->kind == TY_TUP && a->n == b->n) {
        const struct ty *field[TY_FIELDS];
        for (uint32_t i = 0; i < a->n; i++) {
            field[i] = ty_join(tys, a->field[i], b->field[i]);
            if (!field[i]) {
                return NULL;
            }
        }
        return ty_tup(tys, field, a->n);
    }
    const struct ty *x = a->kind == TY_TUP ? all_elems(tys, a) : a->elem;
    const struct ty *y = b->kind == TY_TUP ? all_elems(tys, b) : b->elem;
    const struct ty *elem = x && y ? ty_join(tys, x, y) : NULL;
    uint32_t na = a->kind == TY_TUP ? a->n : a->cap;
    uint32_t nb = b->kind == TY_TUP ? b->n : b->cap;
    return elem ? ty_seq(tys, elem, max_u32(na, nb)) : NULL;
}

static const struct ty *join_fcn(struct tys *tys, const struct ty *a, const struct ty *b)
{
    bool ta = a->kind == TY_TUP || a->kind == TY_SEQ;
    bool tb = b->kind == TY_TUP || b->kind == TY_SEQ;
    if (a->kind == TY_REC && b->kind == TY_REC) {
        return join_rec(tys, a, b);
    }
    if (ta && tb) {
        return join_tuples(tys, a, b);
    }
    if ((a->kind == TY_REC && (a->nvariant > 1 || ty_is_mixed(all_elems(tys, a)))) ||
        (b->kind == TY_REC && (b->nvariant > 1 || ty_is_mixed(all_elems(tys, b))))) {
        const struct ty *x = ty_as_rec(tys, a);
        const struct ty *y = ty_as_rec(tys, b);
        const struct ty *rec = x && y ? join_rec(tys, x, y) : NULL;
        if (rec) {
            return rec;
        }
    }
    if (a->kind == TY_REC && b->kind == TY_FUN) {
        a = rec_as_fun(tys, a);
    } else if (b->kind == TY_REC && a->kind == TY_FUN) {
        b = rec_as_fun(tys, b);
    }
    if (!a || !b) {
        return NULL;
    }
    if (a->kind == TY_FUN && b->kind == TY_FUN && a->n == b->n && keys_equal(tys, a, b)) {
        const struct ty *elem = ty_join(tys, a->elem, b->elem);
        return elem ? ty_fun(tys, a->names, a->n, a->key, elem) : NULL;
    }
    return join_map(tys, a, b);
}

static const struct ty *join_set(struct tys *tys, const struct ty *a, const struct ty *b)
{
    if (a->kind == TY_SET && a->cap == 0) {
        return b;
    }
    if (b->kind == TY_SET && b->cap == 0) {
        return a;
    }
    if (!tys->sampling && (a->kind == TY_BITS) != (b->kind == TY_BITS) && (a->uni || b->uni)) {
        const struct ty *bits = a->kind == TY_BITS ? a : b;
        const struct ty *other = a->kind == TY_BITS ? b : a;
        if (ty_join(tys, bits->elem, other->elem) == bits->elem) {
            return bits; /* what is outside the universe traps */
        }
    }
    const struct ty *elem = ty_join(tys, a->elem, b->elem);
    if (!elem) {
        return NULL;
    }
    if (a->kind == TY_SET && b->kind == TY_SET) {
        const struct universe *uni = tys->sampling ? uni_join(tys, elem, a, b) : NULL;
        return ty_set_noted(tys, elem, max_u32(a->cap, b->cap), uni);
    }
    if (a->kind == TY_BITS && b->kind == TY_BITS && !a->uni && !b->uni && elem->kind == TY_ATOM) {
        return ty_set(tys, elem, TY_CAP_MAX);
    }
    uint32_t na = a->kind == TY_BITS ? a->w * 64 : a->cap;
    uint32_t nb = b->kind == TY_BITS ? b->w * 64 : b->cap;
    return ty_set_array(tys, elem, max_u32(na, nb));
}

const struct ty *ty_join(struct tys *tys, const struct ty *a, const struct ty *b)
{
    if (a == b || b->kind == TY_NONE) {
        return a;
    }
    if (a->kind == TY_NONE) {
        return b;
    }
    if (a->kind == TY_UNION || b->kind == TY_UNION || class_of(a) != class_of(b)) {
        return join_union(tys, a, b);
    }
    switch (class_of(a)) {
    case CLASS_SCALAR:
        if (a->kind != b->kind) {
            bool typed =
                (a->kind == TY_ATOM && ty_has_typed(a)) || (b->kind == TY_ATOM && ty_has_typed(b));
            return typed ? NULL : tys->mix;
        }
        if (a->kind == TY_ATOM) {
            return atom_of(tys, ty_classes(a) | ty_classes(b));
        }
        return a->kind == TY_INT && b->w > a->w ? b : a;
    case CLASS_FCN: return join_fcn(tys, a, b);
    case CLASS_SET: break;
    }
    return join_set(tys, a, b);
}

/* ---- room to grow ---- */
/* Room for half as many again, but for large elements: states are copied with all their room. Every
 * widening allows twice as many bytes, so that what does grow comes to its size soon. */
enum { ROOM_BYTES = 128, ROOM_DOUBLED = 8 };

static uint32_t roomy_cap(const struct tys *tys, uint32_t cap, uint32_t size)
{
    uint32_t doubled = tys->room < ROOM_DOUBLED ? tys->room : ROOM_DOUBLED;
    uint32_t few = ((uint32_t)ROOM_BYTES << doubled) / (size ? size : 1);
    uint32_t more = cap / 2 + 2;
    uint32_t room = cap + (more < few ? more : few);
    return room < TY_CAP_MAX ? room : TY_CAP_MAX;
}

const struct ty *ty_roomy(struct tys *tys, const struct ty *ty)
{
    const struct ty *field[TY_FIELDS] = {NULL};
    for (uint32_t i = 0; ty->field && i < ty->n; i++) {
        field[i] = ty_roomy(tys, ty->field[i]);
    }
    const struct ty *elem = ty->elem && ty->kind != TY_BITS ? ty_roomy(tys, ty->elem) : NULL;
    bool collection = ty->kind == TY_SEQ || ty->kind == TY_MAP || ty->kind == TY_SET;
    ASSERT(elem != NULL || !collection);
    switch (ty->kind) {
    case TY_REC: return ty_rec_like(tys, ty, field);
    case TY_TUP: return ty_tup(tys, field, ty->n);
    case TY_UNION: return ty_union(tys, field, ty->n);
    case TY_FUN: return ty_fun(tys, ty->names, ty->n, ty->key, elem);
    case TY_SEQ:
        return elem->kind == TY_NONE ? ty : ty_seq(tys, elem, roomy_cap(tys, ty->cap, elem->size));
    case TY_MAP:
        return elem->kind == TY_NONE
                   ? ty
                   : ty_map(tys, ty_roomy(tys, ty->key), elem, roomy_cap(tys, ty->cap, elem->size));
    case TY_SET: {
        const struct universe *uni = ty->uni ? uni_for(tys, ty, elem) : NULL;
        uint32_t cap = roomy_cap(tys, ty->cap, elem->size);
        if (uni && (uni->n <= 128 || uni->n / 8 <= 2 * cap * elem->size)) {
            return ty_bits(tys, elem, uni);
        }
        return elem->kind == TY_NONE ? ty : ty_set(tys, elem, cap);
    }
    default: return ty;
    }
}

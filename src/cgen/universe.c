/* Universes of sets: which values the fields of the elements took, and where an element stands
 * among all combinations. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cgen/ty.h"
#include "value/value.h"

/* ---- leaves of an element type ---- */
struct leaves {
    uint32_t n;
    uint32_t offset[TY_LEAVES];
    const struct ty *ty[TY_LEAVES];
};

static bool is_leaf(const struct ty *ty)
{
    return ty_is_scalar(ty) && (ty->kind != TY_ATOM || ty_comparable(ty, ty));
}

/* The scalars of a type; false: it has other parts. */
static bool collect(const struct ty *ty, uint32_t at, uint64_t variant, struct leaves *out)
{
    if (ty_is_scalar(ty) && !is_leaf(ty)) {
        return false;
    }
    if (ty_is_scalar(ty)) {
        if (out->n == TY_LEAVES) {
            return false;
        }
        out->offset[out->n] = at;
        out->ty[out->n++] = ty;
        return true;
    }
    if (ty->kind == TY_SEQ) { /* the length is a value like others */
        if (ty->cap == 0 || ty->cap > 4 || !is_leaf(ty->elem) || out->n + ty->cap >= TY_LEAVES) {
            return false;
        }
        out->offset[out->n] = at;
        out->ty[out->n++] = NULL;
        for (uint32_t i = 0; i < ty->cap; i++) {
            out->offset[out->n] = at + 1 + i * ty->elem->size;
            out->ty[out->n++] = ty->elem;
        }
        return true;
    }
    if (ty->kind == TY_TUP || ty->kind == TY_REC) {
        if (ty->kind == TY_REC && ty->nvariant > 1 && variant == UINT64_MAX) {
            return false; /* variants only at the top */
        }
        for (uint32_t i = 0; i < ty->n; i++) {
            if ((ty->kind == TY_TUP || variant == UINT64_MAX || variant >> i & 1) &&
                !collect(ty->field[i], at + ty->offset[i], UINT64_MAX, out)) {
                return false;
            }
        }
        return true;
    }
    return false;
}

static uint32_t part_count(const struct ty *elem)
{
    return elem->kind == TY_REC ? elem->nvariant : 1;
}

static bool part_leaves(const struct ty *elem, uint32_t part, struct leaves *out)
{
    *out = (struct leaves){0};
    bool rec = elem->kind == TY_REC;
    return !ty_is_scalar(elem) && collect(elem, 0, rec ? elem->variant[part] : UINT64_MAX, out);
}

static uint32_t part_of(const struct ty *elem, const uint8_t *bytes)
{
    return elem->kind == TY_REC && elem->nvariant > 1 ? bytes[0] : 0;
}

static int64_t leaf_code(const struct ty *ty, const uint8_t *at)
{
    if (!ty) {
        return at[0];
    }
    uint64_t u = 0;
    memcpy(&u, at, ty->size);
    if (ty->kind == TY_BOOL || ty->kind == TY_ATOM) {
        return (int64_t)u;
    }
    uint32_t shift = 64 - ty->size * 8;
    return (int64_t)(u << shift) >> shift;
}

/* ---- making ---- */
struct draft {
    struct leaves leaves;
    struct {
        VEC(int64_t) v;
    } code[TY_LEAVES];
};

static void code_add(struct draft *d, uint32_t leaf, int64_t code)
{
    size_t at = 0;
    while (at < d->code[leaf].v.n && d->code[leaf].v.v[at] < code) {
        at++;
    }
    if (at < d->code[leaf].v.n && d->code[leaf].v.v[at] == code) {
        return;
    }
    VEC_PUSH(&d->code[leaf].v, 0);
    memmove(&d->code[leaf].v.v[at + 1], &d->code[leaf].v.v[at],
            sizeof(int64_t) * (d->code[leaf].v.n - 1 - at));
    d->code[leaf].v.v[at] = code;
}

static void drafts_done(struct draft *d, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < TY_LEAVES; k++) {
            VEC_DONE(&d[i].code[k].v);
        }
    }
    vec_release(d);
}

static struct draft *drafts_new(const struct ty *elem)
{
    uint32_t n = part_count(elem);
    struct draft *d = vec_grow(NULL, &(size_t){0}, n, sizeof *d);
    memset(d, 0, sizeof *d * n);
    for (uint32_t i = 0; i < n; i++) {
        if (!part_leaves(elem, i, &d[i].leaves)) {
            vec_release(d);
            return NULL;
        }
    }
    return d;
}

static const struct universe *drafts_finish(struct tys *tys, const struct ty *elem, struct draft *d)
{
    uint32_t n = part_count(elem);
    struct uni_part *parts = ARENA_ARRAY(tys->arena, struct uni_part, n);
    uint64_t total = 0;
    for (uint32_t i = 0; i < n && total <= TY_UNIVERSE; i++) {
        const struct leaves *l = &d[i].leaves;
        struct uni_leaf *leaf = ARENA_ARRAY(tys->arena, struct uni_leaf, l->n + 1);
        uint64_t count = 1;
        for (uint32_t k = 0; k < l->n; k++) {
            size_t m = d[i].code[k].v.n;
            int64_t *code = ARENA_ARRAY(tys->arena, int64_t, m + 1);
            if (m) {
                memcpy(code, d[i].code[k].v.v, sizeof *code * m);
            }
            leaf[k] = (struct uni_leaf){l->offset[k], l->ty[k], (uint32_t)m, code};
            count *= m;
            if (count > TY_UNIVERSE) {
                count = TY_UNIVERSE + 1;
            }
        }
        parts[i] = (struct uni_part){(uint32_t)total, (uint32_t)count, l->n, leaf};
        total += count;
    }
    drafts_done(d, n);
    if (total > TY_UNIVERSE || total == 0) {
        return NULL;
    }
    struct universe *uni = ARENA_NEW(tys->arena, struct universe);
    *uni = (struct universe){(uint32_t)total, n, parts};
    return uni;
}

const struct universe *uni_of_vals(struct tys *tys, struct vctx *ctx, const struct ty *elem,
                                   const struct val *v, uint32_t n)
{
    struct draft *d = drafts_new(elem);
    if (!d) {
        return NULL;
    }
    uint8_t *bytes = arena_alloc(ctx->arena, elem->size + 8);
    for (uint32_t i = 0; i < n; i++) {
        memset(bytes, 0, elem->size);
        if (!ty_encode(tys, ctx, elem, v[i], bytes)) {
            drafts_done(d, part_count(elem));
            return NULL;
        }
        uint32_t part = part_of(elem, bytes);
        for (uint32_t k = 0; k < d[part].leaves.n; k++) {
            code_add(&d[part], k,
                     leaf_code(d[part].leaves.ty[k], bytes + d[part].leaves.offset[k]));
        }
    }
    return drafts_finish(tys, elem, d);
}

/* The variant of `to` that has the same fields as variant `part` of `from`. */
static int part_in(const struct ty *from, uint32_t part, const struct ty *to)
{
    if (from->kind != TY_REC || to->kind != TY_REC) {
        return from->kind == to->kind && part == 0 ? 0 : -1;
    }
    uint64_t bits = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        if (from->variant[part] >> i & 1) {
            int at = ty_field(to, from->names[i]);
            bits |= at < 0 ? 0 : UINT64_C(1) << at;
        }
    }
    for (uint32_t v = 0; v < to->nvariant; v++) {
        if (to->variant[v] == bits) {
            return (int)v;
        }
    }
    return -1;
}

/* A number as another scalar type stores it. */
static int64_t recode(const struct ty *from, const struct ty *to, int64_t code)
{
    if (!from || !to || from->kind == to->kind || to->kind != TY_MIX) {
        return code;
    }
    return from->kind == TY_ATOM ? MIX_ATOM + code : from->kind == TY_BOOL ? MIX_BOOL + code : code;
}

/* Adds what one universe holds to drafts for another element type. */
static bool add_universe(struct draft *d, const struct ty *to, const struct ty *elem,
                         const struct universe *uni)
{
    for (uint32_t p = 0; p < uni->npart; p++) {
        int at = part_in(elem, p, to);
        if (at < 0 || d[at].leaves.n < uni->part[p].nleaf) {
            return false;
        }
        uint32_t k = 0;
        for (uint32_t i = 0; i < uni->part[p].nleaf; i++, k++) {
            const struct uni_leaf *leaf = &uni->part[p].leaf[i];
            /* sequences may have become longer: the new places are empty */
            while (k < d[at].leaves.n && !d[at].leaves.ty[k] != !leaf->ty) {
                code_add(&d[at], k++, 0);
            }
            if (k == d[at].leaves.n) {
                return false;
            }
            for (uint32_t c = 0; c < leaf->n; c++) {
                code_add(&d[at], k, recode(leaf->ty, d[at].leaves.ty[k], leaf->code[c]));
            }
        }
        for (; k < d[at].leaves.n; k++) {
            code_add(&d[at], k, 0);
        }
    }
    return true;
}

const struct universe *uni_join(struct tys *tys, const struct ty *elem, const struct ty *a,
                                const struct ty *b)
{
    if (!a->uni || !b->uni) {
        return NULL;
    }
    struct draft *d = drafts_new(elem);
    if (!d) {
        return NULL;
    }
    if (!add_universe(d, elem, a->elem, a->uni) || !add_universe(d, elem, b->elem, b->uni)) {
        drafts_done(d, part_count(elem));
        return NULL;
    }
    return drafts_finish(tys, elem, d);
}

/* Integers that grew once may grow again. */
static void add_room(const struct tys *tys, struct draft *d)
{
    for (uint32_t k = 0; k < d->leaves.n; k++) {
        if (!d->leaves.ty[k] || d->leaves.ty[k]->kind != TY_INT || d->code[k].v.n == 0) {
            continue;
        }
        int64_t lo = d->code[k].v.v[0];
        int64_t hi = VEC_LAST(&d->code[k].v);
        for (int64_t i = lo; hi - lo < 64 && i <= hi + (int64_t)tys->room; i++) {
            code_add(d, k, i);
        }
    }
}

static bool code_has(const struct draft *d, uint32_t leaf, int64_t code)
{
    for (size_t i = 0; i < d->code[leaf].v.n; i++) {
        if (d->code[leaf].v.v[i] == code) {
            return true;
        }
    }
    return false;
}

/* Of the values that SYMMETRY exchanges those that were not seen in a place will be looked for
 * there, when states are made canonical. */
static void add_images(const struct tys *tys, struct draft *d)
{
    for (uint32_t k = 0; k < d->leaves.n; k++) {
        const struct ty *ty = d->leaves.ty[k];
        if (!ty || (ty->kind != TY_ATOM && ty->kind != TY_MIX)) {
            continue;
        }
        int64_t base = ty->kind == TY_MIX ? MIX_ATOM : 0;
        for (size_t i = 0; i < tys->swaps.n; i++) {
            if (code_has(d, k, base + tys->swaps.v[i].from)) {
                code_add(d, k, base + tys->swaps.v[i].to);
            }
        }
    }
}

const struct universe *uni_for(struct tys *tys, const struct ty *set, const struct ty *elem)
{
    struct draft *d = drafts_new(elem);
    if (!d) {
        return NULL;
    }
    if (!add_universe(d, elem, set->elem, set->uni)) {
        drafts_done(d, part_count(elem));
        return NULL;
    }
    for (uint32_t i = 0; i < part_count(elem); i++) {
        add_room(tys, &d[i]);
        add_images(tys, &d[i]);
    }
    return drafts_finish(tys, elem, d);
}

bool uni_same(const struct universe *a, const struct universe *b)
{
    if (a == b) {
        return true;
    }
    if (a->n != b->n || a->npart != b->npart) {
        return false;
    }
    for (uint32_t p = 0; p < a->npart; p++) {
        const struct uni_part *x = &a->part[p];
        const struct uni_part *y = &b->part[p];
        if (x->nleaf != y->nleaf || x->count != y->count) {
            return false;
        }
        for (uint32_t k = 0; k < x->nleaf; k++) {
            if (x->leaf[k].n != y->leaf[k].n ||
                memcmp(x->leaf[k].code, y->leaf[k].code, sizeof(int64_t) * x->leaf[k].n) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* ---- where an element stands ---- */
int64_t uni_index(const struct ty *bits, const uint8_t *elem)
{
    const struct uni_part *p = &bits->uni->part[part_of(bits->elem, elem)];
    uint64_t index = 0;
    for (uint32_t k = 0; k < p->nleaf; k++) {
        const struct uni_leaf *leaf = &p->leaf[k];
        int64_t code = leaf_code(leaf->ty, elem + leaf->offset);
        uint32_t at = 0;
        while (at < leaf->n && leaf->code[at] != code) {
            at++;
        }
        if (at == leaf->n) {
            return -1;
        }
        index = index * leaf->n + at;
    }
    return p->count ? (int64_t)(p->base + index) : -1;
}

void uni_element(const struct ty *bits, uint32_t index, uint8_t *elem)
{
    uint32_t part = 0;
    while (part + 1 < bits->uni->npart && index >= bits->uni->part[part + 1].base) {
        part++;
    }
    while (bits->uni->part[part].count == 0) {
        part--;
    }
    const struct uni_part *p = &bits->uni->part[part];
    index -= p->base;
    if (bits->elem->kind == TY_REC && bits->elem->nvariant > 1) {
        elem[0] = (uint8_t)part;
    }
    for (uint32_t k = p->nleaf; k-- > 0;) {
        const struct uni_leaf *leaf = &p->leaf[k];
        int64_t code = leaf->code[index % leaf->n];
        index /= leaf->n;
        memcpy(elem + leaf->offset, &code, leaf->ty ? leaf->ty->size : 1);
    }
}

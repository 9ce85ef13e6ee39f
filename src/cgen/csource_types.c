/* Types of the variables: what samples show, and what constants say about it. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "cgen/csource.h"
#include "cgen/cx.h"
#include "cgen/reach.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

/* ---- what constants say about types ----
 * Specifications define the sets that their variables range over (Message == [type : {"a"}, ...]),
 * for type invariants if for nothing else. Where such a set has the shape of what was seen, its
 * elements may be seen later. */
struct hint {
    const struct ty *elem;
    const struct vobj *set;
};
struct hints {
    VEC(struct hint) v;
};

static void hint_add(struct tys *tys, struct hints *hints, struct val v)
{
    if (!val_is_obj(v) || !val_is_set(v) || !set_is_enumerable(v) || !set_is_finite(tys->ctx, v)) {
        return;
    }
    struct val card = set_card(tys->ctx, v);
    if (!val_is_small(card) || val_small_get(card) > 2048) {
        return;
    }
    const struct vobj *o = val_obj(set_force(tys->ctx, v));
    const struct ty *elem = tys->none;
    for (uint32_t i = 0; i < o->n && elem; i++) {
        const struct ty *t = ty_of_val(tys, o->v[i]);
        elem = t ? ty_join(tys, elem, t) : NULL;
    }
    if (elem && elem->kind == TY_REC) {
        VEC_PUSH(&hints->v, (struct hint){elem, o});
    }
}

/* Do the two record types have a form in common? */
static bool overlap(const struct ty *a, const struct ty *b)
{
    for (uint32_t v = 0; v < a->nvariant; v++) {
        uint64_t bits = 0;
        bool known = true;
        for (uint32_t i = 0; i < a->n; i++) {
            int at = a->variant[v] >> i & 1 ? ty_field(b, a->names[i]) : -2;
            known &= at != -1 && (at < 0 || a->field[i]->kind == b->field[at]->kind);
            bits |= at >= 0 ? UINT64_C(1) << at : 0;
        }
        for (uint32_t k = 0; known && k < b->nvariant; k++) {
            if (b->variant[k] == bits) {
                return true;
            }
        }
    }
    return false;
}

/* A record type with the forms of all hints that overlap it. */
static const struct ty *enrich_record(struct tys *tys, const struct ty *ty,
                                      const struct hints *hints)
{
    for (size_t i = 0; i < hints->v.n; i++) {
        const struct ty *elem = hints->v.v[i].elem;
        const struct ty *more = overlap(ty, elem) ? ty_join(tys, ty, elem) : NULL;
        ty = more ? more : ty;
    }
    return ty;
}

/* A set of records: with its universe, the records of the hints are elements it may have; without
 * one, only the forms grow. */
static const struct ty *enrich_set(struct tys *tys, const struct ty *ty, const struct hints *hints)
{
    const struct ty *elem = enrich_record(tys, ty->elem, hints);
    struct ty like = {.kind = TY_SET, .elem = ty->elem, .uni = ty->uni};
    const struct ty *all = ty;
    for (size_t i = 0; ty->uni && i < hints->v.n; i++) {
        const struct hint *h = &hints->v.v[i];
        if (!overlap(ty->elem, h->elem)) {
            continue;
        }
        struct ty other = {.kind = TY_SET, .elem = h->elem};
        other.uni = uni_of_vals(tys, tys->ctx, h->elem, h->set->v, h->set->n);
        const struct ty *join = ty_join(tys, like.elem, h->elem);
        const struct universe *uni = join ? uni_join(tys, join, &like, &other) : NULL;
        if (uni) {
            like.elem = join;
            like.uni = uni;
            all = ty_set_noted(tys, join, ty->cap, uni);
        }
    }
    return all->elem == elem || all->uni ? all : ty_set_noted(tys, elem, ty->cap, NULL);
}

static const struct ty *enrich(struct tys *tys, const struct ty *ty, const struct hints *hints)
{
    if (ty->kind == TY_REC) {
        return enrich_record(tys, ty, hints);
    }
    if (ty->kind == TY_SET && ty->elem->kind == TY_REC) {
        return enrich_set(tys, ty, hints);
    }
    if (ty->kind == TY_SEQ && ty->cap) {
        return ty_seq(tys, enrich(tys, ty->elem, hints), ty->cap);
    }
    if (ty->kind == TY_FUN) {
        return ty_fun(tys, ty->names, ty->n, ty->key, enrich(tys, ty->elem, hints));
    }
    if (ty->kind == TY_MAP && ty->cap) {
        return ty_map(tys, enrich(tys, ty->key, hints), enrich(tys, ty->elem, hints), ty->cap);
    }
    return ty;
}

/* ---- fields that were always empty ----
 * A field that was seen to hold nothing but <<>> or {} may hold more later. What that will be is
 * what fields of the same name hold elsewhere: messages carry parts of what servers keep. */
struct namesake {
    struct val name;
    const struct ty *ty;
};
struct namesakes {
    VEC(struct namesake) v;
};

static bool is_container(const struct ty *ty)
{
    return ty->kind == TY_SEQ || ty->kind == TY_SET || ty->kind == TY_MAP;
}

static void namesakes_add(struct namesakes *all, const struct ty *ty)
{
    for (uint32_t i = 0; ty->kind == TY_REC && i < ty->n; i++) {
        if (is_container(ty->field[i]) && ty->field[i]->cap > 0) {
            VEC_PUSH(&all->v, (struct namesake){ty->names[i], ty->field[i]});
        }
    }
    for (uint32_t i = 0; ty->field && i < ty->n; i++) {
        namesakes_add(all, ty->field[i]);
    }
    if (ty->elem && ty->elem->kind != TY_NONE) {
        namesakes_add(all, ty->elem);
    }
    if (ty->kind == TY_MAP && ty->cap) {
        namesakes_add(all, ty->key);
    }
}

static const struct ty *fill(struct tys *tys, const struct ty *ty, const struct namesakes *all);

static const struct ty *fill_fields(struct tys *tys, const struct ty *rec,
                                    const struct namesakes *all)
{
    const struct ty *field[TY_FIELDS];
    for (uint32_t i = 0; i < rec->n; i++) {
        field[i] = fill(tys, rec->field[i], all);
        for (size_t k = 0; is_container(field[i]) && field[i]->cap == 0 && k < all->v.n; k++) {
            const struct ty *other = val_same(all->v.v[k].name, rec->names[i])
                                         ? ty_join(tys, field[i], all->v.v[k].ty)
                                         : NULL;
            field[i] = other && is_container(other) ? other : field[i];
        }
    }
    return ty_rec_like(tys, rec, field);
}

static const struct ty *fill(struct tys *tys, const struct ty *ty, const struct namesakes *all)
{
    switch (ty->kind) {
    case TY_REC: return fill_fields(tys, ty, all);
    case TY_FUN: return ty_fun(tys, ty->names, ty->n, ty->key, fill(tys, ty->elem, all));
    case TY_SEQ: return ty->cap ? ty_seq(tys, fill(tys, ty->elem, all), ty->cap) : ty;
    case TY_MAP:
        return ty->cap ? ty_map(tys, fill(tys, ty->key, all), fill(tys, ty->elem, all), ty->cap)
                       : ty;
    default: return ty;
    }
}

/* ---- types of the variables ---- */
static void note_swaps(struct tys *tys, const struct spec *spec)
{
    for (size_t p = 0; p < spec->nperm; p++) {
        for (size_t i = 0; i < spec->perms[p].n; i++) {
            struct atom_swap swap = {tys_atom(tys, spec->perms[p].from[i]),
                                     tys_atom(tys, spec->perms[p].to[i])};
            if (swap.from >= 0 && swap.to >= 0 && swap.from != swap.to) {
                VEC_PUSH(&tys->swaps, swap);
            }
        }
    }
}

bool csource_types(struct csource *p, const struct spec *spec, const struct samples *samples,
                   const char **why)
{
    struct tys *tys = &p->tys;
    tys->sampling = true;
    tys->room = samples->widenings;
    note_swaps(tys, spec);
    struct hints hints = {0};
    struct namesakes all = {0};
    for (size_t i = 0; i < spec->cells.n; i++) {
        if (spec->cells.v[i]->done) {
            hint_add(tys, &hints, spec->cells.v[i]->value);
        }
    }
    *why = NULL;
    for (uint32_t i = 0; i < samples->nvar; i++) {
        const struct ty *ty = tys->none;
        for (size_t k = 0; k < samples->of[i].v.n && ty; k++) {
            const struct ty *t = ty_of_val(tys, samples->of[i].v.v[k]);
            ty = t ? ty_join(tys, ty, t) : NULL;
        }
        if (!ty || ty->kind == TY_NONE) {
            *why = "a variable holds values that have no common layout";
            break;
        }
        p->var_ty[i] = enrich(tys, ty, &hints);
        namesakes_add(&all, p->var_ty[i]);
    }
    for (uint32_t i = 0; !*why && i < samples->nvar; i++) {
        p->var_ty[i] = ty_roomy(tys, fill(tys, p->var_ty[i], &all));
    }
    VEC_DONE(&hints.v);
    VEC_DONE(&all.v);
    tys->sampling = false;
    return *why == NULL;
}

static void only_small_ints(struct tys *tys, struct val v)
{
    if (val_is_small(v)) {
        tys->small_ints &= val_small_get(v) >= 0 && val_small_get(v) < 56;
    } else if (val_is_obj(v) && val_is_set(v) && set_is_enumerable(v)) {
        const struct vobj *o = val_obj(set_force(tys->ctx, v));
        for (uint32_t i = 0; i < o->n; i++) {
            only_small_ints(tys, o->v[i]);
        }
    } else if (val_is_kind(v, VK_TUPLE) || val_is_kind(v, VK_RECORD) || val_is_kind(v, VK_FCN)) {
        const struct vobj *o = val_obj(v);
        uint32_t n = o->kind == VK_TUPLE ? o->n : o->n * 2;
        for (uint32_t i = 0; i < n; i++) {
            only_small_ints(tys, o->v[i]);
        }
    }
}

void csource_atoms(struct tys *tys, const struct samples *samples)
{
    tys->small_ints = true;
    for (uint32_t i = 0; i < samples->nvar; i++) {
        for (size_t k = 0; k < samples->of[i].v.n; k++) {
            tys_atoms(tys, samples->of[i].v.v[k]);
            only_small_ints(tys, samples->of[i].v.v[k]);
        }
    }
}

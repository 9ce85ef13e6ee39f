/* Values in C text: constants, conversions between types, equality. */
#include "cgen/emit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "syntax/ast.h"
#include "value/value.h"

/* ---- values ---- */
bool ty_by_value(const struct ty *ty)
{
    return ty->kind <= TY_MIX || (ty->kind == TY_BITS && ty->w == 1);
}

struct cv cv_of(struct gen *g, const struct ty *ty, const struct cx *e)
{
    return (struct cv){.ty = ty, .e = cx_as(g, ty, e)};
}

struct cv cv_none(struct gen *g)
{
    return cv_of(g, g->tys->none, cx_int(g, 0));
}

struct cv cv_number(struct gen *g, const struct cx *e)
{
    return cv_of(g, ty_int(g->tys, 8), e);
}

struct cv cv_state(struct gen *g, const char *state, uint32_t var)
{
    const struct cx *at = cx_deref(g, cx_name(g, CX_POINTER, NULL, state, true));
    const struct ty *ty = g->var_ty[var];
    const char *name = gen_text(g, "v%u", var);
    struct cv v = cv_of(g, ty, cx_member(g, at, name, cx_kind_of(ty), ty));
    v.stable = true;
    return v;
}

static struct cv part_of(struct gen *g, struct cv of, const struct ty *ty, const struct cx *e)
{
    struct cv v = cv_of(g, ty, e);
    v.stable = of.stable;
    return v;
}

struct cv cv_field(struct gen *g, struct cv v, uint32_t i)
{
    return g->declined ? cv_none(g) : part_of(g, v, v.ty->field[i], cx_field(g, cv_e(g, &v), i));
}

struct cv cv_elem(struct gen *g, struct cv v, const struct cx *i)
{
    return g->declined ? cv_none(g) : part_of(g, v, v.ty->elem, cx_elem(g, cv_e(g, &v), i));
}

struct cv cv_key(struct gen *g, struct cv v, const struct cx *i)
{
    return g->declined ? cv_none(g) : part_of(g, v, v.ty->key, cx_key(g, cv_e(g, &v), i));
}

bool cv_is_none(struct cv v)
{
    return v.ty && v.ty->kind == TY_NONE;
}

struct cv cv_val(struct gen *g, struct val v)
{
    struct cv cv = {.is_val = true, .val = v};
    tys_atoms(g->tys, v);
    if (val_is_set(v) && !set_is_finite(g->ctx, v)) {
        return cv;
    }
    if (val_is_kind(v, VK_SUBSET) || val_is_kind(v, VK_FCNSET) || val_is_kind(v, VK_RECSET) ||
        val_is_kind(v, VK_PRODUCT) || val_is_kind(v, VK_KSUBSET)) {
        struct val card = set_card(g->ctx, v);
        if (!val_is_small(card) || val_small_get(card) > TY_CAP_MAX) {
            return cv;
        }
    }
    if (val_is_kind(v, VK_INTERVAL) || val_is_kind(v, VK_SET)) {
        struct val card = set_card(g->ctx, v);
        if (!val_is_small(card) || val_small_get(card) > TY_CAP_MAX) {
            return cv;
        }
    }
    cv.ty = ty_of_val(g->tys, v);
    cv.stable = true;
    return cv;
}

const struct cx *cx_param(struct gen *g, const struct ty *ty, const char *name, bool fixed)
{
    return cx_deref(g, cx_name(g, CX_POINTER, ty, name, fixed));
}

static const struct cx *scalar_node(struct gen *g, const struct ty *ty, const uint8_t *bytes)
{
    uint64_t u = 0;
    memcpy(&u, bytes, ty->size);
    if (ty->kind == TY_BITS) {
        return cx_as(g, ty, cx_u64(g, u));
    }
    if (ty->kind == TY_BOOL || ty->kind == TY_ATOM) {
        return cx_as(g, ty, cx_int(g, (int64_t)u));
    }
    uint32_t shift = 64 - ty->size * 8;
    return cx_as(g, ty, cx_i64(g, (int64_t)(u << shift) >> shift));
}

/* A constant of a type; NULL: the value does not fit. */
const struct cx *emit_const_node(struct gen *g, struct val v, const struct ty *ty)
{
    for (size_t i = 0; i < g->consts.n; i++) {
        if (g->consts.v[i].ty == ty && val_same(g->consts.v[i].val, v)) {
            return cx_fixed(g, ty, g->consts.v[i].name);
        }
    }
    uint8_t *bytes = arena_zalloc(g->arena, ty->size + 8);
    if (!ty_encode(g->tys, g->ctx, ty, v, bytes)) {
        return NULL;
    }
    if (ty->kind == TY_NONE) {
        return cv_none(g).e;
    }
    if (ty_by_value(ty)) {
        return scalar_node(g, ty, bytes);
    }
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, " = {{");
    for (uint32_t i = 0; i < ty->size; i++) {
        strbuf_printf(&text, "%s%u", i ? "," : "", bytes[i]);
    }
    strbuf_adds(&text, ty->size ? "}};\n" : "0}};\n");
    const char *head =
        gen_text(g, "static const union { uint8_t b[%u]; %s v; } ", ty->size + 1, ty_c(g->tys, ty));
    const char *name = gen_text(g, "%s.v", gen_define(g, "c", head, strbuf_str(&text)));
    if (g->declined) {
        return cx_int(g, 0);
    }
    VEC_PUSH(&g->consts, (struct const_key){v, ty, name});
    return cx_fixed(g, ty, name);
}

const struct cx *cv_e(struct gen *g, struct cv *v)
{
    if (v->e) {
        return v->e;
    }
    if (g->declined) {
        return cx_int(g, 0);
    }
    if (!v->ty) {
        gen_no(g, "a set that cannot be laid out is used as a value");
        return cx_int(g, 0);
    }
    v->e = emit_const_node(g, v->val, v->ty);
    if (!v->e) {
        gen_no(g, "a constant has no layout");
        return cx_int(g, 0);
    }
    return v->e;
}

const struct cx *gen_addr(struct gen *g, struct cv *v)
{
    if (g->declined) {
        return cx_int(g, 0);
    }
    if (v->ty->kind == TY_NONE) {
        return cx_addr(g, gen_new_room(g, v->ty));
    }
    const struct cx *e = cv_e(g, v);
    return cx_addr(g, ty_by_value(v->ty) ? gen_let(g, cx_cast_to(g, v->ty, e)) : e);
}

struct cv cv_hold(struct gen *g, struct cv v)
{
    if (g->declined || v.is_val || !v.ty || !ty_by_value(v.ty) || cx_is_leaf(v.e)) {
        return v;
    }
    v.e = gen_let(g, v.e);
    v.stable = false;
    return v;
}

/* The type as ty_print tells it, in the arena. */
static const char *ty_for_people(struct gen *g, const struct ty *ty)
{
    SCOPED_STRBUF text = {0};
    ty_print(g->tys, ty, &text);
    return arena_strndup(g->arena, strbuf_cstr(&text), text.n);
}

const struct ty *gen_join(struct gen *g, const struct ty *a, const struct ty *b)
{
    const struct ty *t = ty_join(g->tys, a, b);
    if (!t) {
        gen_no(g, "values of different shape meet: %s and %s", ty_for_people(g, a),
               ty_for_people(g, b));
        return g->tys->none;
    }
    return t;
}

bool ty_same_shape(const struct ty *a, const struct ty *b)
{
    if (a == b || a->kind == TY_NONE) {
        return true;
    }
    if (b->uni && (a->kind == TY_SET || a->kind == TY_BITS)) {
        return ty_same_shape(a->elem, b->elem);
    }
    bool empty = (a->kind == TY_SET || a->kind == TY_SEQ || a->kind == TY_MAP) && a->cap == 0;
    if (empty && (a->kind == TY_SET ? b->kind == TY_SET || b->kind == TY_BITS
                                    : b->kind == TY_SEQ || b->kind == TY_MAP)) {
        return true;
    }
    if (a->kind != b->kind || a->n != b->n || a->nvariant != b->nvariant) {
        return a->kind != TY_UNION && b->kind == TY_UNION && ty_alternative(b, a) >= 0 &&
               ty_same_shape(a, b->field[ty_alternative(b, a)]);
    }
    for (uint32_t i = 0; a->kind == TY_REC && i < a->n; i++) {
        if (!val_same(a->names[i], b->names[i])) {
            return false;
        }
    }
    if (a->nvariant && memcmp(a->variant, b->variant, sizeof *a->variant * a->nvariant) != 0) {
        return false;
    }
    for (uint32_t i = 0; a->field && i < a->n; i++) {
        if (!ty_same_shape(a->field[i], b->field[i])) {
            return false;
        }
    }
    if (a->kind == TY_FUN && a->names != b->names) {
        return false;
    }
    return (!a->key || ty_same_shape(a->key, b->key)) &&
           (!a->elem || ty_same_shape(a->elem, b->elem));
}

/* ---- operations on sets and maps ---- */
/* How elements are ordered inside sets and maps. */
static const char *order_of(const struct ty *ty)
{
    return ty_is_scalar(ty) ? "CMP_NUM" : "CMP_MEM";
}

void gen_need_set(struct gen *g, const struct ty *set)
{
    if (g->declined) {
        return;
    }
    for (size_t i = 0; i < g->set_ops.n; i++) {
        if (g->set_ops.v[i] == set) {
            return;
        }
    }
    VEC_PUSH(&g->set_ops, set);
    gen_define_line(g, gen_text(g, "SET_OPS(%s, %s, %s, %u)", ty_c(g->tys, set),
                                ty_c(g->tys, set->elem), order_of(set->elem), set->cap));
}

void gen_need_map(struct gen *g, const struct ty *map)
{
    if (g->declined) {
        return;
    }
    for (size_t i = 0; i < g->map_ops.n; i++) {
        if (g->map_ops.v[i] == map) {
            return;
        }
    }
    VEC_PUSH(&g->map_ops, map);
    gen_define_line(g, gen_text(g, "MAP_OPS(%s, %s, %s, %s, %u)", ty_c(g->tys, map),
                                ty_c(g->tys, map->key), ty_c(g->tys, map->elem), order_of(map->key),
                                map->cap));
}

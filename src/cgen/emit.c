/* Values in C text: constants, conversions between types, equality. */
#include "cgen/emit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "base/vec.h"
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
static const struct cx *const_node(struct gen *g, struct val v, const struct ty *ty)
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
    v->e = const_node(g, v->val, v->ty);
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

/* ---- conversion ---- */

/* dst (of type `to`, zero so far) = src */
static void put_assign(struct gen *g, const struct cx *dst, const struct ty *to, struct cv src)
{
    if (to->kind == TY_NONE) {
        gen_trap(g, "T_FIT");
        return;
    }
    src = cv_conv(g, src, to);
    gen_set(g, dst, cv_e(g, &src));
}

/* A table that is in every prelude, at an atom. */
static const struct cx *atom_table(struct gen *g, const char *table, const struct cx *atom)
{
    return cx_index(g, cx_name(g, CX_ARRAY, NULL, table, true), atom);
}

const struct cx *cx_is_model(struct gen *g, const struct cx *atom)
{
    return atom_table(g, "is_model", atom);
}

const struct cx *cx_is_typed(struct gen *g, const struct cx *atom)
{
    return cx_two(g, CX_GE, atom_table(g, "atom_class", atom), cx_int(g, ATOM_TYPED));
}

static struct cv conv_atom(struct gen *g, struct cv v, const struct ty *to)
{
    uint32_t classes = ty_classes(to);
    if (ty_classes(v.ty) & ~classes) {
        v = cv_hold(g, v);
        const struct cx *bits = cx_name(g, CX_U32, NULL, gen_text(g, "%uU", classes), true);
        gen_trap_if(g, "T_FIT", cx_not(g, cx_bit(g, bits, atom_table(g, "atom_class", v.e))));
    }
    return cv_of(g, to, cv_e(g, &v));
}

const struct cx *cx_bit(struct gen *g, const struct cx *bits, const struct cx *i)
{
    return cx_two(g, CX_AND, cx_two(g, CX_SHR, bits, i), cx_int(g, 1));
}

/* Traps where a number is not what it is as stored. */
static void trap_unfit(struct gen *g, const struct ty *to, const struct cx *e)
{
    gen_trap_if(g, "T_FIT", cx_two(g, CX_NE, cx_cast_to(g, to, e), e));
}

static const struct cx *mix_start(struct gen *g, const char *name)
{
    return cx_name(g, CX_I64, NULL, name, true);
}

const struct cx *cx_mix_atom(struct gen *g)
{
    return mix_start(g, "MIX_ATOM");
}

const struct cx *cx_mix_bool(struct gen *g)
{
    return mix_start(g, "MIX_BOOL");
}

static struct cv conv_to_mix(struct gen *g, struct cv v)
{
    const struct cx *e = v.e;
    if (v.ty->kind == TY_ATOM && ty_has_typed(v.ty)) {
        gen_trap_if(g, "T_KIND", cx_is_typed(g, e));
    }
    if (v.ty->kind == TY_INT) {
        if (v.ty->w == 8) {
            gen_trap_if(g, "T_FIT",
                        cx_two(g, CX_EITHER, cx_two(g, CX_LT, e, mix_start(g, "MIX_INT_MIN")),
                               cx_two(g, CX_GE, e, cx_mix_atom(g))));
        }
        return cv_of(g, g->tys->mix, e);
    }
    const struct cx *from = v.ty->kind == TY_ATOM ? cx_mix_atom(g) : cx_mix_bool(g);
    return cv_of(g, g->tys->mix, cx_two(g, CX_ADD, from, e));
}

static struct cv conv_from_mix(struct gen *g, struct cv v, const struct ty *to)
{
    const struct cx *e = v.e;
    if (to->kind == TY_INT) {
        gen_trap_if(g, "T_KIND", cx_two(g, CX_GE, e, cx_mix_atom(g)));
        if (to->w < 4) {
            trap_unfit(g, to, e);
        }
        return cv_of(g, to, e);
    }
    const struct cx *low = cx_two(g, CX_LT, e, cx_mix_atom(g));
    if (to->kind == TY_ATOM) {
        gen_trap_if(g, "T_KIND", cx_two(g, CX_EITHER, low, cx_two(g, CX_GE, e, cx_mix_bool(g))));
        const struct cx *atom = cx_cast(g, CX_U32, cx_two(g, CX_SUB, e, cx_mix_atom(g)));
        return conv_atom(g, cv_of(g, g->tys->atom, atom), to);
    }
    gen_trap_if(g, "T_KIND", cx_two(g, CX_LT, e, cx_mix_bool(g)));
    return cv_of(g, to, cx_cast(g, CX_INT, cx_two(g, CX_SUB, e, cx_mix_bool(g))));
}

static struct cv conv_scalar(struct gen *g, struct cv v, const struct ty *to)
{
    (void)cv_e(g, &v);
    if (g->declined) {
        return cv_of(g, to, cx_int(g, 0));
    }
    if (to->kind == TY_INT && v.ty->kind == TY_INT) {
        if (to->w < v.ty->w) {
            v = cv_hold(g, v);
            trap_unfit(g, to, v.e);
        }
        return cv_of(g, to, v.e);
    }
    if (to->kind == TY_ATOM && v.ty->kind == TY_ATOM) {
        return conv_atom(g, v, to);
    }
    v = cv_hold(g, v);
    (void)cv_e(g, &v);
    if (to->kind == TY_MIX) {
        return conv_to_mix(g, v);
    }
    if (v.ty->kind == TY_MIX) {
        return conv_from_mix(g, v, to);
    }
    gen_trap(g, "T_KIND");
    return cv_of(g, to, cx_int(g, 0));
}

/* Inside a function of two types: what it is given, and what it makes. */
static struct cv from_a(struct gen *g, const struct ty *from)
{
    return cv_of(g, from, cx_param(g, from, "a", true));
}

static const struct cx *to_b(struct gen *g, const struct ty *to)
{
    return cx_param(g, to, "b", false);
}

static const struct cx *count_a(struct gen *g, const struct ty *from)
{
    return cx_count(g, from_a(g, from).e);
}

static void set_tag(struct gen *g, const struct ty *to, int64_t tag)
{
    gen_set(g, cx_tag(g, to_b(g, to)), cx_int(g, tag));
}

/* Field `at` of the value that is made. */
static void assign_field(struct gen *g, const struct ty *to, int at, struct cv v)
{
    put_assign(g, cx_field(g, to_b(g, to), (uint32_t)at), to->field[at], v);
}

static void assign_elem(struct gen *g, const struct ty *to, const struct cx *i, struct cv v)
{
    put_assign(g, cx_elem(g, to_b(g, to), i), to->elem, v);
}

static void trap_count(struct gen *g, const struct ty *from, enum cx_op op, int64_t n)
{
    gen_trap_if(g, "T_FIT", cx_two(g, op, count_a(g, from), cx_int(g, n)));
}

static const struct cx *is_tag(struct gen *g, const struct cx *x, int64_t tag)
{
    return cx_two(g, CX_EQ, cx_tag(g, x), cx_int(g, tag));
}

static void conv_to_union(struct gen *g, const struct ty *from, const struct ty *to)
{
    struct cv a = from_a(g, from);
    if (from->kind == TY_UNION) {
        for (uint32_t i = 0; i < from->n; i++) {
            int alt = ty_alternative(to, from->field[i]);
            gen_if(g, is_tag(g, a.e, i));
            if (alt < 0) {
                gen_trap(g, "T_FIT");
            } else {
                set_tag(g, to, alt);
                assign_field(g, to, alt, cv_field(g, a, i));
            }
            gen_scope_close(g);
        }
        return;
    }
    int alt = ty_alternative(to, from);
    if (alt < 0) {
        gen_trap(g, "T_FIT");
        return;
    }
    set_tag(g, to, alt);
    assign_field(g, to, alt, a);
}

/* Opens a block for one form of the record that is given. */
static void if_form(struct gen *g, const struct ty *from, uint32_t form)
{
    if (from->nvariant > 1) {
        gen_if(g, is_tag(g, from_a(g, from).e, form));
    } else {
        gen_block(g);
    }
}

static void conv_rec_rec(struct gen *g, const struct ty *from, const struct ty *to)
{
    int map[TY_FIELDS];
    for (uint32_t i = 0; i < from->n; i++) {
        map[i] = ty_field(to, from->names[i]);
    }
    for (uint32_t v = 0; v < from->nvariant; v++) {
        uint64_t bits = 0;
        bool ok = true;
        for (uint32_t i = 0; i < from->n; i++) {
            if (from->variant[v] >> i & 1) {
                ok &= map[i] >= 0;
                bits |= map[i] >= 0 ? UINT64_C(1) << map[i] : 0;
            }
        }
        uint32_t at = 0;
        while (at < to->nvariant && to->variant[at] != bits) {
            at++;
        }
        if_form(g, from, v);
        if (!ok || at == to->nvariant) {
            gen_trap(g, "T_FIT");
            gen_scope_close(g);
            continue;
        }
        if (to->nvariant > 1) {
            set_tag(g, to, at);
        }
        for (uint32_t i = 0; i < from->n; i++) {
            if (from->variant[v] >> i & 1) {
                assign_field(g, to, map[i], cv_field(g, from_a(g, from), i));
            }
        }
        gen_scope_close(g);
    }
}

static void map_put(struct gen *g, const struct ty *to, struct cv key, struct cv val)
{
    gen_need_map(g, to);
    key = cv_conv(g, key, to->key);
    const struct cx *k = gen_addr(g, &key);
    const struct cx *v = gen_new_var(g, to->elem);
    put_assign(g, v, to->elem, val);
    struct cv vv = cv_of(g, to->elem, v);
    const struct cx *b = cx_addr(g, to_b(g, to));
    gen_call_into(g, cx_ty_call(g, CX_INT, to, "_put", CX_ARGS(b, k, gen_addr(g, &vv))));
}

/* memcpy of the first n elements of arrays. */
void gen_copy_array(struct gen *g, const struct cx *to, const struct cx *from, const struct cx *n)
{
    const struct cx *one = cx_sizeof(g, cx_index(g, from, cx_int(g, 0)));
    gen_do(g, cx_call(g, CX_OTHER, NULL, "memcpy", to, from,
                      cx_two(g, CX_MUL, cx_cast(g, CX_U64, n), one)));
}

/* From a map or a sequence: pair by pair, or all at once where they lie in the same order. */
static void conv_list_to_map(struct gen *g, const struct ty *from, const struct ty *to)
{
    bool map = from->kind == TY_MAP;
    struct cv a = from_a(g, from);
    if (from->cap == 0) {
        return;
    }
    if (map && from->key == to->key && from->elem == to->elem) {
        if (from->cap > to->cap) {
            trap_count(g, from, CX_GT, to->cap);
        }
        const struct cx *b = to_b(g, to);
        gen_set(g, cx_count(g, b), count_a(g, from));
        gen_copy_array(g, cx_keys(g, b), cx_keys(g, a.e), count_a(g, from));
        gen_copy_array(g, cx_elems(g, b), cx_elems(g, a.e), count_a(g, from));
        return;
    }
    const struct cx *i = gen_for_n(g, CX_I64, count_a(g, from));
    struct cv key =
        map ? cv_key(g, a, i) : cv_of(g, ty_int(g->tys, 2), cx_two(g, CX_ADD, i, cx_int(g, 1)));
    map_put(g, to, key, cv_elem(g, a, i));
    gen_scope_close(g);
}

/* One pair of constant key. */
static void map_put_at(struct gen *g, const struct ty *to, struct val key, struct cv val)
{
    gen_block(g);
    map_put(g, to, cv_val(g, key), val);
    gen_scope_close(g);
}

static void conv_record_to_map(struct gen *g, const struct ty *from, const struct ty *to)
{
    for (uint32_t v = 0; v < from->nvariant; v++) {
        if_form(g, from, v);
        for (uint32_t i = 0; i < from->n; i++) {
            if (from->variant[v] >> i & 1) {
                map_put_at(g, to, from->names[i], cv_field(g, from_a(g, from), i));
            }
        }
        gen_scope_close(g);
    }
}

static void conv_to_map(struct gen *g, const struct ty *from, const struct ty *to)
{
    if (to->key->kind == TY_NONE) {
        if (from->kind == TY_SEQ || from->kind == TY_MAP) {
            trap_count(g, from, CX_NE, 0);
        } else {
            gen_trap(g, "T_FIT");
        }
        return;
    }
    switch (from->kind) {
    case TY_MAP:
    case TY_SEQ: conv_list_to_map(g, from, to); return;
    case TY_FUN:
        for (uint32_t i = 0; i < from->n; i++) {
            map_put_at(g, to, from->names[i], cv_elem(g, from_a(g, from), cx_int(g, i)));
        }
        return;
    case TY_TUP:
        for (uint32_t i = 0; i < from->n; i++) {
            map_put_at(g, to, val_small(i + 1), cv_field(g, from_a(g, from), i));
        }
        return;
    default: conv_record_to_map(g, from, to); return;
    }
}

static void conv_tuple_to(struct gen *g, const struct ty *from, const struct ty *to)
{
    bool seq = to->kind == TY_SEQ;
    if (seq ? from->n > to->cap : from->n != to->n) {
        gen_trap(g, "T_FIT");
        return;
    }
    if (seq) {
        gen_set(g, cx_count(g, to_b(g, to)), cx_int(g, from->n));
    }
    for (uint32_t i = 0; i < from->n; i++) {
        if (seq) {
            assign_elem(g, to, cx_int(g, i), cv_field(g, from_a(g, from), i));
        } else {
            assign_field(g, to, (int)i, cv_field(g, from_a(g, from), i));
        }
    }
}

static void conv_seq_to(struct gen *g, const struct ty *from, const struct ty *to)
{
    struct cv a = from_a(g, from);
    if (to->kind == TY_TUP) {
        trap_count(g, from, CX_NE, to->n);
        for (uint32_t i = 0; i < to->n && i < from->cap; i++) {
            assign_field(g, to, (int)i, cv_elem(g, a, cx_int(g, i)));
        }
        return;
    }
    if (from->cap > to->cap) {
        trap_count(g, from, CX_GT, to->cap);
    }
    gen_set(g, cx_count(g, to_b(g, to)), count_a(g, from));
    if (from->cap && to->cap) {
        const struct cx *i = gen_for_n(g, CX_U32, count_a(g, from));
        assign_elem(g, to, i, cv_elem(g, a, i));
        gen_scope_close(g);
    }
}

/* A map whose keys are 1, 2, ... */
static void conv_map_to_seq(struct gen *g, const struct ty *from, const struct ty *to)
{
    struct cv a = from_a(g, from);
    trap_count(g, from, CX_GT, to->cap);
    if (!from->cap || !to->cap || from->key->kind != TY_INT) {
        trap_count(g, from, CX_NE, 0);
        return;
    }
    const struct cx *i = gen_for_n(g, CX_U32, count_a(g, from));
    struct cv key = cv_key(g, a, i);
    const struct cx *next = cx_two(g, CX_ADD, cx_cast(g, CX_I64, i), cx_int(g, 1));
    gen_trap_if(g, "T_FIT", cx_two(g, CX_NE, key.e, next));
    assign_elem(g, to, i, cv_elem(g, a, i));
    gen_scope_close(g);
    gen_set(g, cx_count(g, to_b(g, to)), count_a(g, from));
}

static void conv_to_tuple(struct gen *g, const struct ty *from, const struct ty *to)
{
    if (from->kind == TY_TUP) {
        conv_tuple_to(g, from, to);
    } else if (from->kind == TY_SEQ) {
        conv_seq_to(g, from, to);
    } else if (from->kind == TY_MAP && to->kind == TY_SEQ) {
        conv_map_to_seq(g, from, to);
    } else {
        gen_trap(g, "T_FIT");
    }
}

/* A map that has all keys of the function. */
static void conv_map_to_fun(struct gen *g, const struct ty *from, const struct ty *to)
{
    struct cv a = from_a(g, from);
    gen_need_map(g, from);
    trap_count(g, from, CX_NE, to->n);
    for (uint32_t i = 0; i < to->n; i++) {
        gen_block(g);
        struct cv key = cv_conv(g, cv_val(g, to->names[i]), from->key);
        const struct cx *at = cx_addr(g, a.e);
        const struct cx *j =
            gen_let(g, cx_ty_call(g, CX_INT, from, "_find", CX_ARGS(at, gen_addr(g, &key))));
        gen_trap_if(g, "T_FIT", cx_two(g, CX_LT, j, cx_int(g, 0)));
        assign_elem(g, to, cx_int(g, i), cv_elem(g, a, j));
        gen_scope_close(g);
    }
}

static void conv_to_fun(struct gen *g, const struct ty *from, const struct ty *to)
{
    struct cv a = from_a(g, from);
    bool same = from->kind == TY_FUN && from->n == to->n;
    for (uint32_t i = 0; same && i < to->n; i++) {
        same = val_hash(g->ctx, from->names[i]) == val_hash(g->ctx, to->names[i]);
    }
    if (same) {
        const struct cx *i = gen_for_n(g, CX_U32, cx_int(g, to->n));
        assign_elem(g, to, i, cv_elem(g, a, i));
        gen_scope_close(g);
        return;
    }
    if (from->kind == TY_MAP && from->cap) {
        conv_map_to_fun(g, from, to);
        return;
    }
    if (from->kind == TY_REC && from->nvariant == 1 && from->n == to->n) {
        for (uint32_t i = 0; i < to->n; i++) {
            int at = val_is_str(to->names[i]) ? ty_field(from, to->names[i]) : -1;
            if (at < 0) {
                gen_trap(g, "T_FIT");
                return;
            }
            assign_elem(g, to, cx_int(g, i), cv_field(g, a, (uint32_t)at));
        }
        return;
    }
    gen_trap(g, "T_FIT");
}

static void conv_to_rec(struct gen *g, const struct ty *from, const struct ty *to)
{
    if (from->kind == TY_REC) {
        conv_rec_rec(g, from, to);
        return;
    }
    uint64_t bits = 0;
    for (uint32_t i = 0; from->kind == TY_FUN && i < from->n; i++) {
        int at = val_is_str(from->names[i]) ? ty_field(to, from->names[i]) : -1;
        bits = at < 0 ? UINT64_MAX : bits | UINT64_C(1) << at;
    }
    uint32_t v = 0;
    while (v < to->nvariant && to->variant[v] != bits) {
        v++;
    }
    if (from->kind != TY_FUN || v == to->nvariant) {
        gen_trap(g, "T_FIT");
        return;
    }
    if (to->nvariant > 1) {
        set_tag(g, to, v);
    }
    for (uint32_t i = 0; i < from->n; i++) {
        assign_field(g, to, ty_field(to, from->names[i]),
                     cv_elem(g, from_a(g, from), cx_int(g, i)));
    }
}

static void conv_to_set(struct gen *g, const struct ty *from, const struct ty *to)
{
    if (from->kind == TY_SET && from->cap == 0) {
        return;
    }
    if (to->elem->kind == TY_NONE) {
        if (from->kind == TY_SET) {
            trap_count(g, from, CX_NE, 0);
        } else {
            gen_trap(g, "T_FIT");
        }
        return;
    }
    struct loop_out loop;
    gen_loop_open_cv(g, from_a(g, from), &loop);
    emit_set_add_known(g, to_b(g, to), to, loop.elem);
    gen_loop_close(g, &loop);
}

static void conv_body(struct gen *g, const struct ty *from, const struct ty *to)
{
    bool from_set = from->kind == TY_SET || from->kind == TY_BITS;
    if (from->kind == TY_UNION && to->kind != TY_UNION) {
        int alt = ty_alternative(from, to);
        if (alt < 0) {
            gen_trap(g, "T_KIND");
            return;
        }
        struct cv a = from_a(g, from);
        gen_trap_if(g, "T_KIND", cx_not(g, is_tag(g, a.e, alt)));
        put_assign(g, to_b(g, to), to, cv_field(g, a, (uint32_t)alt));
        return;
    }
    switch (to->kind) {
    case TY_UNION: conv_to_union(g, from, to); return;
    case TY_MAP: conv_to_map(g, from, to); return;
    case TY_SEQ:
    case TY_TUP: conv_to_tuple(g, from, to); return;
    case TY_FUN: conv_to_fun(g, from, to); return;
    case TY_REC: conv_to_rec(g, from, to); return;
    case TY_SET:
    case TY_BITS:
        if (from_set) {
            conv_to_set(g, from, to);
            return;
        }
        break;
    default: break;
    }
    gen_trap(g, "T_KIND");
}

static struct conv_key conv_function(struct gen *g, const struct ty *from, const struct ty *to)
{
    for (size_t i = 0; i < g->convs.n; i++) {
        if (g->convs.v[i].from == from && g->convs.v[i].to == to) {
            return g->convs.v[i];
        }
    }
    struct side side;
    gen_side_open(g, &side);
    conv_body(g, from, to);
    gen_return(g, NULL, false);
    bool short_one = to->kind == TY_REC && from->kind == TY_REC && from->nvariant == 1;
    const char *name = gen_side_close(
        g, &side, "x",
        short_one ? "static inline __attribute__((always_inline)) int " : "static int ",
        gen_text(g, "(struct W *w, const %s *a, %s *b)", ty_c(g->tys, from), ty_c(g->tys, to)));
    struct conv_key key = {from, to, name, side.traps};
    if (!g->declined) {
        VEC_PUSH(&g->convs, key);
    }
    return key;
}

const struct cx *cx_worker(struct gen *g)
{
    return cx_name(g, CX_POINTER, NULL, "w", true);
}

const struct cx *cx_ret(struct gen *g)
{
    return cx_name(g, CX_POINTER, NULL, "ret", true);
}

struct cv cv_conv(struct gen *g, struct cv v, const struct ty *to)
{
    if (v.ty == to) {
        return v;
    }
    if (g->declined) {
        return cv_of(g, to, cx_int(g, 0));
    }
    if (v.is_val) {
        const struct cx *e = const_node(g, v.val, to);
        if (e) {
            v.ty = to;
            v.e = e;
            v.stable = true;
            return v;
        }
        if (!v.ty) {
            return gen_no(g, "a set that cannot be laid out is used as a value");
        }
    }
    if (v.ty->kind == TY_NONE) {
        gen_trap(g, "T_FIT");
        return cv_of(g, to, gen_new_var(g, to));
    }
    if (ty_is_scalar(v.ty) && ty_is_scalar(to)) {
        return conv_scalar(g, v, to);
    }
    struct conv_key fn = conv_function(g, v.ty, to);
    const struct cx *from = gen_addr(g, &v);
    const struct cx *call = cx_call(g, cx_kind_of(to), to, fn.name, cx_worker(g), from);
    return cv_of(g, to, gen_filled(g, call, &fn));
}

struct cv cv_narrow(struct gen *g, struct cv v, const struct ty *like)
{
    if (g->declined || !v.ty || v.ty->kind != TY_UNION) {
        return g->declined ? cv_of(g, like, cx_int(g, 0)) : v;
    }
    int alt = ty_alternative(v.ty, like);
    if (alt < 0) {
        gen_trap(g, "T_KIND");
        return cv_of(g, like, gen_new_var(g, like));
    }
    gen_trap_if(g, "T_KIND", cx_not(g, is_tag(g, cv_e(g, &v), alt)));
    return cv_field(g, v, (uint32_t)alt);
}

struct cv cv_int(struct gen *g, struct cv v)
{
    v = cv_narrow(g, v, ty_int(g->tys, 8));
    if (!v.ty || !ty_is_scalar(v.ty)) {
        gen_trap(g, "T_KIND");
        return cv_number(g, cx_int(g, 0));
    }
    return v.ty->kind == TY_INT ? v : conv_scalar(g, v, ty_int(g->tys, 8));
}

struct cv cv_bool(struct gen *g, struct cv v)
{
    v = cv_narrow(g, v, g->tys->boolean);
    if (!v.ty || !ty_is_scalar(v.ty)) {
        gen_trap(g, "T_KIND");
        return cv_of(g, g->tys->boolean, cx_int(g, 0));
    }
    return v.ty->kind == TY_BOOL ? v : conv_scalar(g, v, g->tys->boolean);
}

struct cv cv_fcn(struct gen *g, struct cv v)
{
    if (v.ty && v.ty->kind == TY_UNION) {
        for (uint32_t i = 0; i < v.ty->n; i++) {
            if (ty_is_fcn(v.ty->field[i])) {
                return cv_narrow(g, v, v.ty->field[i]);
            }
        }
    }
    return v;
}

struct cv cv_set(struct gen *g, struct cv v)
{
    if (v.ty && v.ty->kind == TY_UNION) {
        for (uint32_t i = 0; i < v.ty->n; i++) {
            if (v.ty->field[i]->kind == TY_SET || v.ty->field[i]->kind == TY_BITS) {
                return cv_narrow(g, v, v.ty->field[i]);
            }
        }
    }
    return v;
}

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
        give_if(g, cx_two(g, CX_BOTH, is_tag(g, v.e, at), model), side ? second : first);
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

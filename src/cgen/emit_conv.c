/* Conversions between the layouts of types, as C text. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "value/value.h"

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

const struct cx *emit_is_tag(struct gen *g, const struct cx *x, int64_t tag)
{
    return cx_two(g, CX_EQ, cx_tag(g, x), cx_int(g, tag));
}

static void conv_to_union(struct gen *g, const struct ty *from, const struct ty *to)
{
    struct cv a = from_a(g, from);
    if (from->kind == TY_UNION) {
        for (uint32_t i = 0; i < from->n; i++) {
            int alt = ty_alternative(to, from->field[i]);
            gen_if(g, emit_is_tag(g, a.e, i));
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
        gen_if(g, emit_is_tag(g, from_a(g, from).e, form));
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
        gen_trap_if(g, "T_KIND", cx_not(g, emit_is_tag(g, a.e, alt)));
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
        const struct cx *e = emit_const_node(g, v.val, to);
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
    gen_trap_if(g, "T_KIND", cx_not(g, emit_is_tag(g, cv_e(g, &v), alt)));
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

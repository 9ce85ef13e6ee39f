/* Functions, records, tuples: application, construction, EXCEPT, DOMAIN. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

/* ---- application ---- */
static struct cv rec_field(struct gen *g, struct cv rec, int at)
{
    const struct cx *e = cv_e(g, &rec);
    if (rec.ty->nvariant > 1) {
        uint64_t mask = 0;
        for (uint32_t v = 0; v < rec.ty->nvariant; v++) {
            mask |= rec.ty->variant[v] >> at & 1 ? UINT64_C(1) << v : 0;
        }
        if (mask != (UINT64_C(1) << rec.ty->nvariant) - 1) {
            gen_trap_if(g, "T_DOMAIN", cx_not(g, cx_bit(g, cx_u64(g, mask), cx_tag(g, e))));
        }
    }
    return cv_field(g, rec, (uint32_t)at);
}

/* What is made of a value that was never seen: nothing, for there is none. */
static struct cv nothing(struct gen *g)
{
    gen_trap(g, "T_KIND");
    return cv_none(g);
}

struct cv emit_dot(struct gen *g, struct cv rec, struct val name)
{
    tys_atoms(g->tys, name);
    rec = cv_fcn(g, rec);
    if (rec.ty && rec.ty->kind == TY_NONE) {
        return nothing(g);
    }
    if (!rec.ty || !ty_is_fcn(rec.ty)) {
        return gen_no(g, "a field of something that is no record");
    }
    if (rec.ty->kind == TY_REC) {
        int at = ty_field(rec.ty, name);
        if (at < 0) {
            gen_trap(g, "T_DOMAIN");
            return cv_none(g);
        }
        return rec_field(g, rec, at);
    }
    return emit_apply(g, rec, cv_val(g, name));
}

/* A record applied to a name that is not known: a switch. */
static struct cv apply_rec(struct gen *g, struct cv rec, struct cv arg)
{
    const struct ty *ty = g->tys->none;
    for (uint32_t i = 0; i < rec.ty->n; i++) {
        ty = gen_join(g, ty, rec.ty->field[i]);
    }
    if (rec.ty->nvariant > 1) {
        return gen_no(g, "a record of several forms applied to a name");
    }
    arg = cv_narrow(g, arg, g->tys->atom);
    if (!ty_is_scalar(arg.ty)) {
        return gen_no(g, "a record applied to something unusual");
    }
    arg = cv_conv(g, arg, g->tys->atom);
    const struct cx *t = gen_new_var(g, ty);
    gen_switch(g, cv_e(g, &arg));
    for (uint32_t i = 0; i < rec.ty->n; i++) {
        gen_case(g, cx_int(g, tys_atom(g->tys, rec.ty->names[i])));
        struct cv v = cv_conv(g, cv_field(g, rec, i), ty);
        gen_set(g, t, cv_e(g, &v));
        gen_break(g);
        gen_scope_close(g);
    }
    gen_case(g, NULL);
    gen_trap(g, "T_DOMAIN");
    gen_scopes_close(g, 2);
    return cv_of(g, ty, cx_sealed(g, t));
}

static struct cv select_field(struct gen *g, struct cv fcn, struct cv arg)
{
    bool known = arg.is_val && val_is_str(arg.val);
    int at = known ? ty_field(fcn.ty, arg.val) : -1;
    if (at < 0 && known) {
        gen_trap(g, "T_DOMAIN");
        return cv_none(g);
    }
    return at < 0 ? apply_rec(g, fcn, arg) : rec_field(g, fcn, at);
}

static struct cv outside(struct gen *g)
{
    gen_trap(g, "T_DOMAIN");
    return cv_none(g);
}

static struct cv select_key(struct gen *g, struct cv fcn, struct cv arg)
{
    bool certain = !arg.is_val && arg.among && emit_all_keys(fcn.ty, arg.among);
    const struct cx *i = certain ? arg.index : emit_key_index(g, fcn.ty, arg);
    if (arg.is_val && i->number < 0) {
        gen_trap(g, "T_DOMAIN");
        i = cx_int(g, 0);
    } else if (!arg.is_val && !certain) {
        i = gen_let(g, i);
        gen_trap_if(g, "T_DOMAIN", cx_two(g, CX_LT, i, cx_int(g, 0)));
    }
    return cv_elem(g, fcn, i);
}

static struct cv select_in_seq(struct gen *g, struct cv fcn, struct cv arg)
{
    if (fcn.ty->cap == 0) {
        return outside(g);
    }
    const struct cx *e = cv_e(g, &fcn);
    arg = cv_hold(g, cv_int(g, arg));
    const struct cx *i = cx_two(g, CX_SUB, cv_e(g, &arg), cx_int(g, 1));
    gen_trap_if(g, "T_DOMAIN", cx_two(g, CX_GE, cx_cast(g, CX_U64, i), cx_count(g, e)));
    return cv_elem(g, fcn, i);
}

static struct cv select_in_map(struct gen *g, struct cv fcn, struct cv arg)
{
    if (fcn.ty->cap == 0) {
        return outside(g);
    }
    const struct cx *i = emit_map_place(g, fcn, arg);
    if (!i) {
        i = emit_map_find(g, fcn, arg);
        gen_trap_if(g, "T_DOMAIN", cx_two(g, CX_LT, i, cx_int(g, 0)));
    }
    return cv_elem(g, fcn, i);
}

static struct cv select_part(struct gen *g, struct cv fcn, struct cv arg)
{
    if (!arg.is_val || !val_is_small(arg.val)) {
        return gen_no(g, "a tuple applied to a number that is not constant");
    }
    int64_t i = val_small_get(arg.val);
    return i < 1 || i > fcn.ty->n ? outside(g) : cv_field(g, fcn, (uint32_t)(i - 1));
}

/* The place of an argument in a function: a part of it, or, where it is none, a variable. */
static struct cv select_arg(struct gen *g, struct cv fcn, struct cv arg)
{
    switch (fcn.ty->kind) {
    case TY_FUN: return select_key(g, fcn, arg);
    case TY_SEQ: return select_in_seq(g, fcn, arg);
    case TY_MAP: return select_in_map(g, fcn, arg);
    case TY_TUP: return select_part(g, fcn, arg);
    case TY_REC: return select_field(g, fcn, arg);
    default: return gen_no(g, "something that is no function is applied");
    }
}

struct cv emit_apply(struct gen *g, struct cv fcn, struct cv arg)
{
    fcn = cv_fcn(g, fcn);
    if (fcn.ty && (fcn.ty->kind == TY_NONE || (arg.ty && arg.ty->kind == TY_NONE))) {
        return nothing(g);
    }
    if (!fcn.ty || !ty_is_fcn(fcn.ty)) {
        return gen_no(g, "something that is no function is applied");
    }
    struct val v;
    if (fcn.is_val && arg.is_val && fcn_try(g->ctx, fcn.val, arg.val, &v)) {
        return cv_val(g, v);
    }
    if (!arg.ty) {
        return gen_no(g, "an argument without a layout");
    }
    return select_arg(g, fcn, arg);
}

/* ---- domains ---- */

/* The names of the fields that records of one form have. */
static struct val form_names(struct gen *g, const struct ty *ty, uint32_t form)
{
    struct val *names = arena_alloc(g->arena, sizeof *names * (ty->n + (size_t)1));
    uint32_t n = 0;
    for (uint32_t i = 0; i < ty->n; i++) {
        if (ty->variant[form] >> i & 1) {
            names[n++] = ty->names[i];
        }
    }
    return val_freeze(g->ctx, g->arena, set_make(g->ctx, names, n));
}

/* DOMAIN of a record of several forms: a switch. */
static struct cv domain_of_forms(struct gen *g, struct cv rec)
{
    const struct ty *set = g->tys->none;
    for (uint32_t v = 0; v < rec.ty->nvariant; v++) {
        struct cv names = cv_val(g, form_names(g, rec.ty, v));
        set = names.ty ? gen_join(g, set, names.ty) : set;
    }
    const struct cx *t = gen_new_var(g, set);
    gen_switch(g, cx_tag(g, cv_e(g, &rec)));
    for (uint32_t v = 0; v < rec.ty->nvariant; v++) {
        gen_case(g, cx_int(g, v));
        struct cv names = cv_conv(g, cv_val(g, form_names(g, rec.ty, v)), set);
        gen_set(g, t, cv_e(g, &names));
        gen_break(g);
        gen_scope_close(g);
    }
    gen_scope_close(g);
    return cv_of(g, set, cx_sealed(g, t));
}

/* name \in DOMAIN of a record of several forms, for a name that is known: which forms have it? */
static const struct cx *in_form(struct gen *g, struct val name, struct cv rec)
{
    int at = ty_field(rec.ty, name);
    uint64_t forms = 0;
    for (uint32_t v = 0; at >= 0 && v < rec.ty->nvariant; v++) {
        forms |= (rec.ty->variant[v] >> at & 1) << v;
    }
    return forms ? cx_bit(g, cx_u64(g, forms), cx_tag(g, cv_e(g, &rec))) : cx_int(g, 0);
}

struct cv emit_domain(struct gen *g, struct cv fcn)
{
    fcn = cv_fcn(g, fcn);
    if (fcn.is_val && val_is_fcn(fcn.val)) {
        return cv_val(g, val_freeze(g->ctx, g->arena, fcn_domain(g->ctx, fcn.val)));
    }
    if (fcn.ty && fcn.ty->kind == TY_NONE) {
        gen_trap(g, "T_KIND");
        return cv_val(g, set_empty());
    }
    if (!fcn.ty || !ty_is_fcn(fcn.ty)) {
        return gen_no(g, "DOMAIN of something that is no function");
    }
    const struct ty *ty = fcn.ty;
    const struct cx *e = cv_e(g, &fcn);
    if (ty->kind == TY_FUN || (ty->kind == TY_REC && ty->nvariant == 1)) {
        return cv_val(g, val_freeze(g->ctx, g->arena, set_make(g->ctx, ty->names, ty->n)));
    }
    if (ty->kind == TY_TUP) {
        return cv_val(
            g, val_freeze(g->ctx, g->arena, set_interval(g->ctx, val_small(1), val_small(ty->n))));
    }
    if (ty->kind == TY_REC) {
        return domain_of_forms(g, fcn);
    }
    if (ty->cap == 0) {
        return cv_val(g, set_empty());
    }
    const struct ty *set =
        ty_set(g->tys, ty->kind == TY_SEQ ? ty_int(g->tys, 2) : ty->key, ty->cap);
    if (ty->kind == TY_SEQ && set->kind == TY_BITS) {
        return cv_of(
            g, set,
            gen_call(g, cx_call(g, CX_U64, NULL, "range_bits", cx_int(g, 1), cx_count(g, e))));
    }
    const struct cx *t = gen_new_var(g, set);
    if (g->declined) {
        return cv_none(g);
    }
    if (ty->kind == TY_MAP && set->kind == TY_SET) { /* in the same order */
        gen_set(g, cx_count(g, t), cx_count(g, e));
        gen_copy_array(g, cx_elems(g, t), cx_keys(g, e), cx_count(g, e));
        return cv_of(g, set, cx_sealed(g, t));
    }
    const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, e));
    emit_set_add(g, t, set,
                 ty->kind == TY_SEQ
                     ? cv_number(g, cx_two(g, CX_ADD, cx_cast(g, CX_I64, i), cx_int(g, 1)))
                     : cv_key(g, fcn, i));
    gen_scope_close(g);
    return cv_of(g, set, cx_sealed(g, t));
}

const struct cx *emit_in_domain(struct gen *g, struct cv key, struct cv fcn)
{
    fcn = cv_fcn(g, fcn);
    if (fcn.ty && fcn.ty->kind == TY_MAP && !fcn.is_val) {
        return emit_map_place(g, fcn, key)
                   ? cx_int(g, 1)
                   : cx_two(g, CX_GE, emit_map_find(g, fcn, key), cx_int(g, 0));
    }
    if (fcn.ty && fcn.ty->kind == TY_SEQ && !fcn.is_val) {
        key = cv_narrow(g, key, g->tys->mix);
        if (key.ty && key.ty->kind == TY_INT) {
            key = cv_hold(g, key);
            const struct cx *i = cx_two(g, CX_SUB, cv_e(g, &key), cx_int(g, 1));
            return cx_two(g, CX_LT, cx_cast(g, CX_U64, i), cx_count(g, cv_e(g, &fcn)));
        }
    }
    if (fcn.ty && fcn.ty->kind == TY_REC && !fcn.is_val && fcn.ty->nvariant > 1 &&
        fcn.ty->nvariant <= 64 && key.is_val && val_is_str(key.val)) {
        return in_form(g, key.val, fcn);
    }
    struct cv dom = emit_domain(g, fcn);
    if (dom.is_val) {
        return emit_in_val(g, key, dom.val);
    }
    return emit_in_cv(g, key, dom);
}

/* ---- constructors ---- */
const struct ty *ty_fcn_alternative(const struct ty *want)
{
    if (want && want->kind == TY_UNION) {
        for (uint32_t i = 0; i < want->n; i++) {
            if (ty_is_fcn(want->field[i])) {
                return want->field[i];
            }
        }
    }
    return want;
}

static int want_variant(const struct ty *want, const struct val *names, uint32_t n)
{
    if (!want || want->kind != TY_REC) {
        return -1;
    }
    uint64_t bits = 0;
    for (uint32_t i = 0; i < n; i++) {
        int at = ty_field(want, names[i]);
        if (at < 0) {
            return -1;
        }
        bits |= UINT64_C(1) << at;
    }
    for (uint32_t v = 0; v < want->nvariant; v++) {
        if (want->variant[v] == bits) {
            return (int)v;
        }
    }
    return -1;
}

struct cv emit_record(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    const struct val *names = x->u.p;
    struct cv v[TY_FIELDS];
    if (x->n >= TY_FIELDS) {
        return gen_no(g, "a large record");
    }
    want = ty_fcn_alternative(want);
    int variant = want_variant(want, names, x->n);
    for (uint32_t i = 0; i < x->n; i++) {
        tys_atoms(g->tys, names[i]);
        v[i] = emit(g, x->kid[i], f, variant >= 0 ? want->field[ty_field(want, names[i])] : NULL);
        if (cv_is_none(v[i])) {
            return v[i];
        }
        if (!v[i].ty) {
            return gen_no(g, "a field without a layout");
        }
        if (variant >= 0 && !ty_same_shape(v[i].ty, want->field[ty_field(want, names[i])])) {
            variant = -1;
            want = NULL;
        }
    }
    const struct ty *ty = want;
    if (variant < 0) {
        struct val sorted[TY_FIELDS];
        const struct ty *field[TY_FIELDS];
        for (uint32_t i = 0; i < x->n; i++) {
            uint32_t at = i;
            for (; at > 0 && val_str_id(sorted[at - 1]) > val_str_id(names[i]); at--) {
                sorted[at] = sorted[at - 1];
                field[at] = field[at - 1];
            }
            sorted[at] = names[i];
            field[at] = v[i].ty;
        }
        uint64_t all = (UINT64_C(1) << x->n) - 1;
        ty = ty_rec(g->tys, sorted, field, x->n, &all, 1);
        variant = 0;
    }
    const struct cx *t = gen_new_var(g, ty);
    if (ty->nvariant > 1) {
        gen_set(g, cx_tag(g, t), cx_int(g, variant));
    }
    for (uint32_t i = 0; i < x->n; i++) {
        int at = ty_field(ty, names[i]);
        struct cv c = cv_conv(g, v[i], ty->field[at]);
        gen_set(g, cx_field(g, t, (uint32_t)at), cv_e(g, &c));
    }
    return cv_of(g, ty, cx_sealed(g, t));
}

struct cv emit_tuple(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    struct cv v[TY_FIELDS];
    const struct ty *field[TY_FIELDS];
    const struct ty *elem = g->tys->none;
    bool mixed = false;
    if (x->n > TY_FIELDS) {
        return gen_no(g, "a long tuple");
    }
    want = ty_fcn_alternative(want);
    bool fits = want && ((want->kind == TY_SEQ && want->cap >= x->n) ||
                         (want->kind == TY_TUP && want->n == x->n));
    for (uint32_t i = 0; i < x->n; i++) {
        const struct ty *hint = !fits ? NULL : want->kind == TY_SEQ ? want->elem : want->field[i];
        v[i] = emit(g, x->kid[i], f, hint);
        if (cv_is_none(v[i])) {
            return v[i];
        }
        if (!v[i].ty) {
            return gen_no(g, "an element without a layout");
        }
        field[i] = v[i].ty;
        fits = fits && ty_same_shape(v[i].ty, hint);
        const struct ty *join = elem ? ty_join(g->tys, elem, v[i].ty) : NULL;
        mixed |= !elem || ty_part_differs(elem, v[i].ty, join);
        elem = join;
    }
    const struct ty *ty = fits    ? want
                          : mixed ? ty_tup(g->tys, field, x->n)
                                  : ty_seq(g->tys, elem, x->n);
    return cv_tuple(g, ty, v, x->n);
}

/* ---- [x \in S |-> e] ---- */
enum { MAP_CAP_FEW = 12, MAP_BYTES = 4096 };

struct fcn_out { /* a function under construction: its type is known after the body */
    struct tree *out;
    const char *t; /* its name */
};

static void fcn_begin(struct gen *g, struct fcn_out *o)
{
    *o = (struct fcn_out){.out = g->out, .t = gen_tmp(g)};
    g->out = tree_new(g->arena);
}

static struct cv fcn_end(struct gen *g, struct fcn_out *o, const struct ty *ty)
{
    struct tree *body = g->out;
    g->out = o->out;
    gen_put_var(g, cx_var(g, ty, o->t), NULL);
    tree_splice(g->out, body);
    return cv_of(g, ty, cx_fixed(g, ty, o->t));
}

static void bind_key(struct gen *g, const struct fcn_info *info, struct fenv *inner, struct cv key)
{
    const struct binder *b = info->binder;
    if (b->nvar == 1) {
        fenv_bind_var(g, &b->vars[0], inner, key);
        return;
    }
    for (uint32_t i = 0; i < b->nvar; i++) {
        fenv_bind_var(g, &b->vars[i], inner, cv_part(g, key, i));
    }
}

static struct cv body_value(struct gen *g, const struct fcn_info *info, struct fenv *inner,
                            const struct ty *hint)
{
    struct cv v = emit(g, info->unit->body, inner, hint);
    if (!v.ty) {
        return gen_no(g, "a function whose values have no layout");
    }
    return v;
}

/* Over a known domain. */
static struct cv fcn_known(struct gen *g, const struct fcn_info *info, struct fenv *f,
                           struct val dom, const struct ty *want)
{
    const struct vobj *keys = val_obj(set_force(g->ctx, dom));
    if (keys->n == 0) {
        return cv_val(g, tuple_empty());
    }
    if (keys->n > TY_CAP_MAX) {
        return gen_no(g, "a function with a large domain");
    }
    bool seq = true;
    const struct ty *key = g->tys->none;
    for (uint32_t i = 0; i < keys->n; i++) {
        seq &= val_same(keys->v[i], val_small(i + 1));
        tys_atoms(g->tys, keys->v[i]);
        const struct ty *k = ty_of_val(g->tys, keys->v[i]);
        if (!k) {
            return gen_no(g, "a domain without a layout");
        }
        key = gen_join(g, key, k);
    }
    bool fits = want && (seq ? want->kind == TY_SEQ && want->cap >= keys->n
                             : want->kind == TY_FUN && want->n == keys->n &&
                                   ty_fun(g->tys, keys->v, keys->n, want->key, want->elem) == want);
    struct fcn_out o;
    fcn_begin(g, &o);
    const struct ty *shape = seq ? NULL : ty_fun(g->tys, keys->v, keys->n, key, g->tys->none);
    const struct cx *i = gen_for_n(g, CX_U32, cx_int(g, keys->n));
    const struct cx *at = i;
    struct cv elem;
    if (seq) {
        const struct cx *next = cx_two(g, CX_ADD, cx_cast(g, CX_I64, i), cx_int(g, 1));
        elem = cv_of(g, ty_int(g->tys, 2), next);
    } else {
        const struct cx *perm;
        const struct cx *table = emit_sorted_keys(g, shape, &perm);
        elem = g->declined ? cv_none(g) : cv_of(g, key, cx_elem(g, table, i));
        elem.stable = true;
        at = gen_let(g, cx_cast(g, CX_U32, cx_index(g, perm, i)));
        elem.among = keys;
        elem.index = at;
    }
    struct fenv *inner = fenv_enter(g, info->unit, f);
    bind_key(g, info, inner, elem);
    struct cv v = body_value(g, info, inner, fits ? want->elem : NULL);
    const struct ty *ty = fits && ty_same_shape(v.ty, want->elem) ? want
                          : seq                                   ? ty_seq(g->tys, v.ty, keys->n)
                                : ty_fun(g->tys, keys->v, keys->n, key, v.ty);
    v = cv_conv(g, v, ty->elem);
    const struct cx *t = cx_var(g, ty, o.t);
    gen_set(g, cx_elem(g, t, at), cv_e(g, &v));
    gen_scope_close(g);
    if (seq) {
        gen_set(g, cx_count(g, t), cx_int(g, keys->n));
    }
    return fcn_end(g, &o, ty);
}

/* Over 1..n. */
static struct cv fcn_sequence(struct gen *g, const struct fcn_info *info, struct fenv *f,
                              const struct cx *n, uint32_t cap, const struct ty *want)
{
    bool fits = want && want->kind == TY_SEQ;
    struct fcn_out o;
    fcn_begin(g, &o);
    cap = fits ? want->cap : cap < 64 ? cap : 64;
    gen_trap_if(g, "T_FIT", cx_two(g, CX_GT, n, cx_int(g, cap)));
    const struct cx *i = gen_for_n(g, CX_I64, n);
    struct fenv *inner = fenv_enter(g, info->unit, f);
    bind_key(g, info, inner, cv_number(g, cx_two(g, CX_ADD, i, cx_int(g, 1))));
    struct cv v = body_value(g, info, inner, fits ? want->elem : NULL);
    const struct ty *ty =
        fits && ty_same_shape(v.ty, want->elem) ? want : ty_seq(g->tys, v.ty, cap);
    v = cv_conv(g, v, ty->elem);
    const struct cx *t = cx_var(g, ty, o.t);
    gen_set(g, cx_elem(g, t, i), cv_e(g, &v));
    gen_scope_close(g);
    const struct cx *zero = cx_int(g, 0);
    gen_set(g, cx_count(g, t), cx_cond(g, cx_two(g, CX_GT, n, zero), n, zero));
    return fcn_end(g, &o, ty);
}

uint32_t ty_map_cap(uint32_t most, const struct ty *elem)
{
    while (most > MAP_CAP_FEW && most * elem->size > MAP_BYTES) {
        most /= 2;
    }
    return most;
}

static struct cv fcn_map(struct gen *g, const struct fcn_info *info, struct fenv *f,
                         const struct ty *want)
{
    struct fcn_out o;
    struct loop_out loop;
    fcn_begin(g, &o);
    gen_loop_open(g, info->binder->sets[0], f, &loop);
    struct fenv *inner = fenv_enter(g, info->unit, f);
    bind_key(g, info, inner, loop.elem);
    bool fits = want && want->kind == TY_MAP;
    struct cv v = body_value(g, info, inner, fits ? want->elem : NULL);
    const struct ty *ty =
        fits && ty_same_shape(loop.elem.ty, want->key) && ty_same_shape(v.ty, want->elem)
            ? want
            : ty_map(g->tys, loop.elem.ty, v.ty, ty_map_cap(loop.most < 64 ? loop.most : 64, v.ty));
    if (ty->key->kind == TY_NONE || ty->elem->kind == TY_NONE) { /* empty, or not known yet */
        gen_trap(g, "T_KIND");
        gen_loop_close(g, &loop);
        return fcn_end(g, &o, ty_seq(g->tys, g->tys->none, 0));
    }
    gen_need_map(g, ty);
    struct cv key = cv_conv(g, loop.elem, ty->key);
    v = cv_conv(g, v, ty->elem);
    const struct cx *k = gen_addr(g, &key);
    const struct cx *p = gen_addr(g, &v);
    const struct cx *t = cx_var(g, ty, o.t);
    const struct cx *map = cx_addr(g, t);
    bool last = loop.rising && key.ty == loop.elem.ty; /* each key belongs behind those before */
    if (last) {
        gen_call_into(g, cx_ty_call(g, CX_INT, ty, "_ins", CX_ARGS(map, cx_count(g, t), k, p)));
    } else {
        gen_call_into(g, cx_ty_call(g, CX_INT, ty, "_put", CX_ARGS(map, k, p)));
    }
    gen_loop_close(g, &loop);
    return fcn_end(g, &o, ty);
}

struct cv emit_fcn(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    const struct fcn_info *info = x->u.p;
    const struct binder *b = info->binder;
    struct val dom[16];
    uint32_t known = 0;
    if (info->unit->self != NO_SLOT) {
        return gen_no(g, "a recursive function");
    }
    want = ty_fcn_alternative(want);
    if (b->nvar > 16) {
        return gen_no(g, "a function of many arguments");
    }
    for (uint32_t i = 0; i < b->nvar; i++) {
        if (gen_const_of(g, b->sets[b->vars[i].set], f, &dom[i]) && val_is_set(dom[i]) &&
            set_is_finite(g->ctx, dom[i])) {
            known++;
        }
    }
    if (known == b->nvar) {
        struct val d = b->nvar == 1 ? dom[0] : set_product(g->ctx, dom, b->nvar);
        return fcn_known(g, info, f, val_freeze(g->ctx, g->arena, set_force(g->ctx, d)), want);
    }
    if (b->nvar > 1) {
        return gen_no(g, "a function of several arguments whose domain is not constant");
    }
    const struct ex *set = b->sets[0];
    struct fenv *sf = f;
    gen_see_through(g, &set, &sf);
    struct val lo;
    if (set->op == EX_RANGE && gen_const_of(g, set->kid[0], sf, &lo) &&
        val_same(lo, val_small(1))) {
        struct cv hi = cv_hold(g, cv_int(g, emit(g, set->kid[1], sf, NULL)));
        return fcn_sequence(g, info, f, cv_e(g, &hi), 64, want);
    }
    if (set->op == EX_DOMAIN) {
        struct cv of = cv_fcn(g, emit(g, set->kid[0], sf, NULL));
        if (of.ty && of.ty->kind == TY_SEQ && of.ty->cap) {
            return fcn_sequence(g, info, f, cx_count(g, cv_e(g, &of)), of.ty->cap, want);
        }
        if (of.ty && (of.ty->kind == TY_FUN || of.ty->kind == TY_TUP ||
                      (of.ty->kind == TY_REC && of.ty->nvariant == 1))) {
            return fcn_known(g, info, f, emit_domain(g, of).val, want);
        }
    }
    return fcn_map(g, info, f, want);
}

/* ---- EXCEPT ---- */
#define EXCEPT_PATH 16

/* Follows a path into `base`: the place at its end, or, where a key is outside of its domain, a
 * value of no type. */
static struct cv path_walk(struct gen *g, struct cv base, const struct cv *path, uint32_t n)
{
    for (uint32_t i = 0; i < n && !g->declined; i++) {
        base = cv_fcn(g, base);
        if (base.ty && base.ty->kind == TY_NONE) {
            gen_trap(g, "T_KIND");
            return base;
        }
        if (!base.ty || !ty_is_fcn(base.ty)) {
            return gen_no(g, "EXCEPT on something that is no function");
        }
        bool name = path[i].is_val && val_is_str(path[i].val);
        if (base.ty->kind == TY_REC && !name) {
            return gen_no(g, "EXCEPT with an unusual argument");
        }
        base = select_arg(g, base, path[i]);
        if (base.ty->kind == TY_NONE) { /* outside the domain: the interpreter warns */
            return base;
        }
    }
    return base;
}

/* The type of a function after a value of another shape is put at the end of a path. */
static const struct ty *retype(struct gen *g, const struct ty *ty, const struct cv *path,
                               uint32_t n, const struct ty *leaf)
{
    if (n == 0) {
        return ty_same_shape(leaf, ty) ? ty : gen_join(g, ty, leaf);
    }
    if (ty->kind == TY_REC || ty->kind == TY_TUP) {
        const struct ty *field[TY_FIELDS];
        for (uint32_t i = 0; i < ty->n; i++) {
            field[i] = ty->field[i];
        }
        int at =
            ty->kind == TY_REC ? ty_field(ty, path[0].val) : (int)val_small_get(path[0].val) - 1;
        field[at] = retype(g, ty->field[at], path + 1, n - 1, leaf);
        return ty->kind == TY_REC ? ty_rec_like(g->tys, ty, field) : ty_tup(g->tys, field, ty->n);
    }
    if (ty->kind == TY_UNION) {
        gen_no(g, "EXCEPT changes the shape of a union");
        return g->tys->none;
    }
    const struct ty *elem = retype(g, ty->elem, path + 1, n - 1, leaf);
    switch (ty->kind) {
    case TY_FUN: return ty_fun(g->tys, ty->names, ty->n, ty->key, elem);
    case TY_SEQ: return ty_seq(g->tys, elem, ty->cap);
    case TY_MAP: return ty_map(g->tys, ty->key, elem, ty->cap);
    default: gen_no(g, "EXCEPT on something that is no function"); return g->tys->none;
    }
}

/* The current value of a variable is about to be changed in parts. */
static struct delta *delta_of(struct gen *g, struct cv fcn)
{
    if (!fcn.now) {
        return NULL;
    }
    struct delta *d = ARENA_NEW(g->arena, struct delta);
    d->var = fcn.now - 1;
    d->of = fcn.e;
    return d;
}

/* A copy of the function, of type `ty`, that may be written. */
static struct cv except_copy(struct gen *g, struct cv fcn, const struct ty *ty)
{
    fcn = cv_conv(g, fcn, ty);
    return cv_of(g, ty, gen_new_copy(g, ty, cv_e(g, &fcn)));
}

/* Notes that `v` was written at `place`, a part of `whole`; NULL when the change is no longer told
 * in parts. Values that are read from the copy itself (after the `first`) would be read from
 * something else later. */
static struct delta *delta_note(struct gen *g, struct delta *delta, const struct cx *place,
                                const struct cx *whole, struct cv v, bool first)
{
    if (g->declined || !delta || delta->n == 8 || (!first && !ty_is_scalar(v.ty))) {
        return NULL;
    }
    const struct cx *held = cv_e(g, &v);
    delta->place[delta->n] = cx_moved(g, place, whole, delta->of);
    delta->val[delta->n++] = !v.is_val && ty_is_scalar(v.ty) ? gen_let(g, held) : held;
    return delta;
}

struct cv emit_except(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    const struct except_info *info = x->u.p;
    struct cv fcn = emit(g, x->kid[0], f, want);
    if (!fcn.ty) {
        return gen_no(g, "EXCEPT on something without a layout");
    }
    if (fcn.ty->kind == TY_NONE) {
        return nothing(g);
    }
    if (want && fcn.ty != want && ty_same_shape(fcn.ty, want)) {
        fcn = cv_conv(g, fcn, want);
    }
    bool own = false; /* fcn is a variable that nobody else reads */
    struct delta *delta = delta_of(g, fcn);
    for (uint32_t s = 0; s < info->n; s++) {
        const struct except_spec *spec = &info->spec[s];
        struct cv path[EXCEPT_PATH];
        if (spec->npath > EXCEPT_PATH) {
            return gen_no(g, "a long path in EXCEPT");
        }
        for (uint32_t i = 0; i < spec->npath; i++) {
            bool map = i == 0 && fcn.ty->kind == TY_MAP && fcn.ty->cap;
            path[i] = cv_hold(g, emit(g, spec->path[i], f, map ? fcn.ty->key : NULL));
        }
        const struct cx *before = cv_e(g, &fcn);
        struct cv old = path_walk(g, fcn, path, spec->npath);
        if (cv_is_none(old) || g->declined) {
            return fcn;
        }
        fenv_bind(f, spec->at, old);
        struct cv v = emit(g, spec->value, f, old.ty);
        if (!v.ty) {
            return gen_no(g, "EXCEPT with a value without a layout");
        }
        const struct ty *ty = fcn.ty;
        if (!ty_same_shape(v.ty, old.ty)) {
            ty = retype(g, fcn.ty, path, spec->npath, v.ty);
        }
        if (v.ty == old.ty && !v.is_val) { /* may be read from what is about to change */
            v = cv_hold(g, v);
        }
        const struct cx *place = old.e;
        if (ty != fcn.ty) {
            fcn = except_copy(g, fcn, ty);
            old = path_walk(g, fcn, path, spec->npath);
            place = old.e;
        } else if (!own) {
            fcn = except_copy(g, fcn, ty);
            place = cx_moved(g, place, before, fcn.e);
        }
        own = true;
        v = cv_conv(g, v, old.ty);
        gen_set(g, place, cv_e(g, &v));
        delta = delta_note(g, delta, place, fcn.e, v, s == 0);
    }
    fcn.e = own ? cx_sealed(g, fcn.e) : fcn.e;
    fcn.delta = delta;
    return fcn;
}

/* Loops over the elements of sets. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "cgen/cx.h"
#include "cgen/emit.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

/* ---- loops ---- */
/* In place of a loop that is declined, or never gone through. */
static void loop_none(struct gen *g, struct loop_out *ret)
{
    gen_block(g);
    *ret = (struct loop_out){.elem = cv_none(g), .scopes = 1};
}

static void loop_table(struct gen *g, struct val set, struct loop_out *ret)
{
    const struct vobj *o = val_obj(set_force(g->ctx, set));
    const struct ty *elem = g->tys->none;
    for (uint32_t i = 0; i < o->n; i++) {
        tys_atoms(g->tys, o->v[i]);
        const struct ty *t = ty_of_val(g->tys, o->v[i]);
        if (!t) {
            gen_no(g, "a constant set has elements without a layout");
            loop_none(g, ret);
            return;
        }
        elem = gen_join(g, elem, t);
    }
    const struct ty *ty = ty_set_array(g->tys, elem, o->n);
    struct cv table = {.ty = ty, .is_val = true, .val = val_of_obj(o)};
    const struct cx *e = cv_e(g, &table);
    if (g->declined) {
        loop_none(g, ret);
        return;
    }
    const struct cx *i = gen_for_n(g, CX_U32, cx_int(g, o->n));
    bool same = elem->kind == TY_ATOM; /* are the elements numbered as they stand? */
    for (uint32_t k = 0; same && k < o->n; k++) {
        same = tys_atom(g->tys, o->v[k]) == (int)k;
    }
    ret->elem = cv_of(g, elem, same ? i : cx_elem(g, e, i));
    ret->elem.stable = !same;
    ret->elem.among = o;
    ret->elem.index = i;
    ret->scopes = 1;
    ret->most = o->n;
    ret->ordered = ty_in_order(elem);
}

void emit_loop_interval(struct gen *g, const struct cx *lo, const struct cx *hi, uint32_t most,
                        struct loop_out *ret)
{
    const char *name = gen_tmp(g);
    const struct cx *i = cx_name(g, CX_I64, NULL, name, false);
    const struct cx *end = gen_let(g, cx_cast(g, CX_I64, hi));
    gen_for(g, i, lo, cx_two(g, CX_LE, i, end), "+=", cx_int(g, 1));
    gen_poll(g);
    ret->elem = cv_number(g, cx_name(g, CX_I64, NULL, name, true));
    ret->scopes = 1;
    ret->most = most;
    ret->ordered = true;
}

/* Over a constant. */
static void loop_known(struct gen *g, struct cv set, struct loop_out *ret)
{
    if (val_is_kind(set.val, VK_INTERVAL)) {
        const struct vlazy *o = vobj_lazy(val_obj(set.val));
        int64_t lo = val_small_get(o->op[0]);
        int64_t hi = val_small_get(o->op[1]);
        emit_loop_interval(g, cx_i64(g, lo), cx_i64(g, hi),
                           (uint32_t)(hi - lo < 1 << 20 ? hi - lo + 1 : 1 << 20), ret);
        return;
    }
    if (!set.ty) {
        gen_no(g, "a loop over a large constant set");
        loop_none(g, ret);
        return;
    }
    loop_table(g, set.val, ret);
}

/* for (m = bits; m; m &= m - 1) */
static const struct cx *for_bits(struct gen *g, const struct cx *bits)
{
    const char *name = gen_tmp(g);
    const struct cx *m = cx_name(g, CX_U64, NULL, name, false);
    gen_for(g, m, bits, m, "&=", cx_two(g, CX_SUB, m, cx_int(g, 1)));
    return cx_name(g, CX_U64, NULL, name, true);
}

const struct cx *cx_first_bit(struct gen *g, const struct cx *bits)
{
    return cx_cast(g, CX_U32, cx_call(g, CX_INT, NULL, "__builtin_ctzll", bits));
}

/* Over the bits of a set, those that the sieve leaves. */
static void loop_bits(struct gen *g, struct cv set, const struct sieve *sieve, struct loop_out *ret)
{
    bool atoms = set.ty->elem->kind == TY_ATOM;
    const struct cx *base = cx_int(g, 0);
    const struct cx *number = cx_int(g, 0);
    struct sifting pass = {0};
    if (set.ty->uni && sieve) {
        pass = sieve_masks(g, sieve, &set);
    }
    if (set.ty->w > 1) {
        number = gen_for_n(g, CX_U32, cx_int(g, set.ty->w));
        base = cx_two(g, CX_MUL, number, cx_int(g, 64));
        ret->scopes = 2;
    }
    const struct cx *word = cx_word(g, cv_e(g, &set), number);
    const struct cx *m = for_bits(g, sieve_word(g, &pass, word, number));
    if (sieve) {
        sieve_passed(g, sieve, &pass);
    }
    const struct cx *b = cx_two(g, CX_ADD, base, cx_first_bit(g, m));
    b = set.ty->w == 1 ? cx_first_bit(g, m) : b;
    b = gen_let(g, atoms || set.ty->uni ? b : cx_cast(g, CX_I64, b));
    if (set.ty->uni) {
        ret->elem = cv_of(g, set.ty->elem, uni_elem(g, set.ty, b));
        ret->elem.stable = true;
        ret->elem.of = set.ty;
        ret->elem.index = b;
        ret->most = set.ty->uni->n;
        return;
    }
    ret->elem = cv_of(g, atoms ? set.ty->elem : ty_int(g->tys, 1), b);
    ret->most = atoms ? (uint32_t)g->tys->atoms.n : 64;
}

void gen_loop_open_cv(struct gen *g, struct cv set, struct loop_out *ret)
{
    const struct sieve *sieve = g->sieve;
    g->sieve = NULL;
    ret->set = NULL;
    ret->ordered = ret->rising = false;
    if (g->declined) {
        loop_none(g, ret);
        return;
    }
    if (set.is_val) {
        loop_known(g, set, ret);
        return;
    }
    set = cv_set(g, set);
    if (set.ty && set.ty->kind == TY_NONE) {
        gen_trap(g, "T_KIND");
        loop_none(g, ret);
        return;
    }
    if (!set.ty || !ty_is_set(set.ty)) {
        gen_no(g, "a loop over something that is no set");
        loop_none(g, ret);
        return;
    }
    const struct cx *e = cv_e(g, &set);
    ret->scopes = 1;
    ret->set = set.ty;
    ret->ordered = ty_in_order(set.ty->elem);
    if (set.ty->kind == TY_SET) {
        ret->rising = true;
        ret->elem = cv_elem(g, set, gen_for_n(g, CX_U32, cx_count(g, e)));
        ret->most = set.ty->cap;
        return;
    }
    loop_bits(g, set, sieve, ret);
}

void gen_loop_close(struct gen *g, const struct loop_out *loop)
{
    gen_scopes_close(g, loop->scopes);
}

/* SUBSET S */
void gen_loop_open_subset(struct gen *g, struct cv base, struct loop_out *ret)
{
    *ret = (struct loop_out){0}; /* in no order that TLC has */
    base = cv_set(g, base);
    if (base.ty && base.ty->kind == TY_NONE) {
        base = emit_no_set(g);
    }
    if (!base.ty || !ty_is_set(base.ty) || (base.ty->kind == TY_BITS && base.ty->w > 1)) {
        gen_no(g, "SUBSET of a large set");
        loop_none(g, ret);
        return;
    }
    const struct cx *e = cv_e(g, &base);
    if (g->declined) {
        loop_none(g, ret);
        return;
    }
    const struct cx *m = e;
    if (base.ty->kind == TY_SET) {
        const struct cx *n = cx_count(g, e);
        gen_trap_if(g, "T_BIG", cx_two(g, CX_GT, n, cx_int(g, 20)));
        m = cx_two(g, CX_SUB, cx_two(g, CX_SHL, cx_u64(g, 1), n), cx_int(g, 1));
    }
    m = gen_let(g, cx_cast(g, CX_U64, m));
    const struct cx *go = gen_new_flag(g, cx_int(g, 1));
    const char *name = gen_tmp(g);
    const struct cx *at = cx_name(g, CX_U64, NULL, name, false);
    gen_for(g, at, cx_int(g, 0), go, "=", cx_two(g, CX_AND, cx_two(g, CX_SUB, at, m), m));
    const struct cx *sub = cx_name(g, CX_U64, NULL, name, true);
    gen_poll(g);
    gen_set(g, go, cx_two(g, CX_NE, sub, m));
    ret->scopes = 1;
    ret->most = 1 << 12;
    if (base.ty->kind == TY_BITS) {
        ret->elem = cv_of(g, base.ty, sub);
        return;
    }
    const struct cx *t = gen_new_var(g, base.ty);
    const struct cx *b = cx_first_bit(g, for_bits(g, sub));
    gen_set(g, cx_elem(g, t, cx_count(g, t)), cx_elem(g, e, b));
    gen_change(g, cx_count(g, t), "+=", cx_int(g, 1));
    gen_scope_close(g);
    ret->elem = cv_of(g, base.ty, cx_sealed(g, t));
}

/* Sets that TLC does not make element by element: filters of them are not made either. */
bool gen_stays_lazy(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct val v;
    if (gen_const_of(g, x, f, &v)) {
        return !val_is_kind(v, VK_SET) && !val_is_kind(v, VK_INTERVAL);
    }
    gen_see_through(g, &x, &f);
    if (x->op == EX_FILTER) {
        return gen_stays_lazy(g, ((const struct fcn_info *)x->u.p)->binder->sets[0], f);
    }
    if (ex_has(x, IR_SET_OP)) {
        return gen_stays_lazy(g, x->kid[0], f) || gen_stays_lazy(g, x->kid[1], f);
    }
    return ex_has(x, IR_SET_FORM);
}

static void loop_filter(struct gen *g, const struct ex *x, struct fenv *f, struct loop_out *ret);

/* Runs a filter over all elements, where it may fail for one of them. */
void emit_check_filter(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct loop_out loop;
    struct gen_mark before = gen_mark(g);
    gen_block(g);
    loop_filter(g, x, f, &loop);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    if (!gen_may_trap(g, &before)) {
        gen_cut(g, &before);
    }
}

static void loop_filter(struct gen *g, const struct ex *x, struct fenv *f, struct loop_out *ret)
{
    const struct fcn_info *info = x->u.p;
    bool early = g->early;
    g->early = false;
    if (early && !gen_stays_lazy(g, info->binder->sets[0], f)) {
        emit_check_filter(g, x, f);
    }
    struct fenv *inner = fenv_enter(g, info->unit, f);
    const struct binder_var *var = &info->binder->vars[0];
    struct sieve sieve = {.body = info->unit->body, .f = inner, .slot = var->slots[0]};
    g->early = early;
    g->sieve = var->tuple ? NULL : &sieve;
    gen_loop_open(g, info->binder->sets[0], f, ret);
    g->sieve = NULL;
    fenv_bind_var(g, &info->binder->vars[0], inner, ret->elem);
    gen_if(g, emit_bool(g, info->unit->body, inner));
    ret->scopes++;
}

/* A sequence, a tuple, or a record with these parts in its order. */
struct cv cv_tuple(struct gen *g, const struct ty *ty, const struct cv *part, uint32_t n)
{
    const struct cx *t = gen_new_var(g, ty);
    bool seq = ty->kind == TY_SEQ;
    if (seq) {
        gen_set(g, cx_count(g, t), cx_int(g, n));
    }
    for (uint32_t i = 0; i < n; i++) {
        struct cv v = cv_conv(g, part[i], seq ? ty->elem : ty->field[i]);
        const struct cx *place = seq ? cx_elem(g, t, cx_int(g, i)) : cx_field(g, t, i);
        if (!cv_is_none(v)) {
            gen_set(g, place, cv_e(g, &v));
        }
    }
    return cv_of(g, ty, cx_sealed(g, t));
}

/* S \X T, [a : S, b : T]: nested loops, then the element is put together. */
static void loop_product(struct gen *g, const struct ex *x, struct fenv *f, struct loop_out *ret)
{
    struct cv part[TY_FIELDS];
    const struct ty *field[TY_FIELDS];
    uint32_t scopes = 0;
    uint64_t most = 1;
    if (x->n > TY_FIELDS) {
        gen_no(g, "a large product");
        loop_none(g, ret);
        return;
    }
    struct setref held[TY_FIELDS];
    for (uint32_t i = 0; i < x->n; i++) {
        held[i] = emit_ref_of(g, x->kid[i], f);
    }
    for (uint32_t i = 0; i < x->n; i++) {
        struct loop_out one;
        if (held[i].held) {
            gen_loop_open_cv(g, held[i].cv, &one);
        } else {
            gen_loop_open(g, x->kid[i], f, &one);
        }
        part[i] = one.elem;
        field[i] = one.elem.ty;
        scopes += one.scopes;
        most *= one.most;
    }
    const struct ty *ty;
    if (x->op == EX_TIMES) {
        const struct ty *elem = g->tys->none;
        bool mixed = false;
        for (uint32_t i = 0; i < x->n; i++) {
            const struct ty *j = elem ? ty_join(g->tys, elem, field[i]) : NULL;
            mixed |= !elem || ty_part_differs(elem, field[i], j);
            elem = j;
        }
        ty = mixed ? ty_tup(g->tys, field, x->n) : ty_seq(g->tys, elem, x->n);
    } else {
        const struct val *names = x->u.p;
        struct val sorted[TY_FIELDS];
        for (uint32_t i = 0; i < x->n; i++) {
            uint32_t at = i;
            struct cv p = part[i];
            for (; at > 0 && val_str_id(sorted[at - 1]) > val_str_id(names[i]); at--) {
                sorted[at] = sorted[at - 1];
                part[at] = part[at - 1];
            }
            sorted[at] = names[i];
            part[at] = p;
        }
        for (uint32_t i = 0; i < x->n; i++) {
            field[i] = part[i].ty;
        }
        uint64_t all = (UINT64_C(1) << x->n) - 1;
        ty = ty_rec(g->tys, sorted, field, x->n, &all, 1);
    }
    ret->elem = cv_tuple(g, ty, part, x->n);
    ret->ordered = false;
    ret->scopes = scopes;
    ret->most = most < 1 << 20 ? (uint32_t)most : 1 << 20;
}

/* Opens a loop over all functions of the type with n values that are elements of the list r. Which
 * ones is kept in an array of numbers. */
static struct cv odometer(struct gen *g, const struct ty *ty, uint32_t n, const struct cx *r)
{
    const struct cx *keys = cx_int(g, n);
    const struct cx *none = cx_two(g, CX_GT, cx_count(g, r), cx_int(g, 0));
    const struct cx *go = gen_new_flag(g, none);
    const struct cx *ix = gen_new_numbers(g, n);
    gen_while(g, go);
    gen_poll(g);
    const struct cx *t = gen_new_var(g, ty);
    if (ty->kind == TY_SEQ) {
        gen_set(g, cx_count(g, t), keys);
    }
    const struct cx *i = gen_for_n(g, CX_INT, keys);
    gen_set(g, cx_elem(g, t, i), cx_elem(g, r, cx_index(g, ix, i)));
    gen_scope_close(g);
    gen_set(g, go, cx_int(g, 0));
    const struct cx *digit = cx_index(g, ix, gen_for_n(g, CX_INT, keys));
    gen_change(g, digit, "+=", cx_int(g, 1));
    gen_if(g, cx_two(g, CX_LT, digit, cx_count(g, r)));
    gen_set(g, go, cx_int(g, 1));
    gen_break(g);
    gen_scope_close(g);
    gen_set(g, digit, cx_int(g, 0));
    gen_scope_close(g);
    return cv_of(g, ty, cx_sealed(g, t));
}

/* [S -> T] with a known S: an odometer over the elements of T. */
static void loop_fcnset(struct gen *g, const struct ex *x, struct fenv *f, struct loop_out *ret)
{
    struct val dom;
    if (!gen_const_of(g, x->kid[0], f, &dom) || !set_is_finite(g->ctx, dom)) {
        gen_no(g, "[S -> T] over a domain that is not constant");
        loop_none(g, ret);
        return;
    }
    const struct vobj *keys = val_obj(set_force(g->ctx, dom));
    if (keys->n > 32 || keys->n == 0) {
        gen_no(g, "[S -> T] over a large or empty domain");
        loop_none(g, ret);
        return;
    }
    bool seq = true;
    for (uint32_t i = 0; i < keys->n; i++) {
        seq &= val_same(keys->v[i], val_small(i + 1));
        tys_atoms(g->tys, keys->v[i]);
    }
    struct cv range = emit_set_of_loop(g, x->kid[1], f, NULL);
    if (g->declined) {
        loop_none(g, ret);
        return;
    }
    const struct ty *elem = range.ty->elem;
    const struct ty *list = ty_set_array(g->tys, elem,
                                         range.ty->kind == TY_SET ? range.ty->cap
                                         : elem->kind == TY_ATOM  ? (uint32_t)g->tys->atoms.n
                                                                  : 64);
    range = cv_conv(g, range, list);
    const struct cx *r = cv_e(g, &range);
    if (g->declined) {
        loop_none(g, ret);
        return;
    }
    const struct ty *ty;
    if (seq) {
        ty = ty_seq(g->tys, elem, keys->n);
    } else {
        const struct ty *key = g->tys->none;
        for (uint32_t i = 0; i < keys->n; i++) {
            const struct ty *k = ty_of_val(g->tys, keys->v[i]);
            key = k ? gen_join(g, key, k) : NULL;
            if (!key) {
                gen_no(g, "a domain without a layout");
                loop_none(g, ret);
                return;
            }
        }
        ty = ty_fun(g->tys, keys->v, keys->n, key, elem);
    }
    ret->elem = odometer(g, ty, keys->n, r);
    ret->scopes = 1;
    ret->most = 1 << 12;
}

static void loop_domain(struct gen *g, struct cv fcn, struct loop_out *ret)
{
    fcn = cv_fcn(g, fcn);
    if (fcn.ty && fcn.ty->kind == TY_SEQ && !fcn.is_val) {
        emit_loop_interval(g, cx_int(g, 1), cx_count(g, cv_e(g, &fcn)), fcn.ty->cap, ret);
        return;
    }
    if (fcn.ty && fcn.ty->kind == TY_MAP && fcn.ty->cap && !fcn.is_val) {
        const struct cx *e = cv_e(g, &fcn);
        const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, e));
        ret->ordered = ty_in_order(fcn.ty->key);
        ret->rising = true;
        ret->elem = cv_key(g, fcn, i);
        ret->elem.map = fcn.stable ? e : NULL;
        ret->elem.index = i;
        ret->scopes = 1;
        ret->most = fcn.ty->cap;
        return;
    }
    gen_loop_open_cv(g, emit_domain(g, fcn), ret);
}

/* DOMAIN f \ {a, b}: the keys of a map but for a few. False: it has another form. Values that may
 * be of different kinds are left to sets, which compare all of them first. */
static bool loop_other_keys(struct gen *g, const struct ex *set, struct fenv *f,
                            struct loop_out *ret)
{
    const struct ex *all = set->kid[0];
    const struct ex *but = set->kid[1];
    struct fenv *home = f;
    struct cv gone[4];
    gen_see_through(g, &all, &home);
    if (all->op != EX_DOMAIN || but->op != EX_SETENUM || but->n == 0 || but->n > 4) {
        return false;
    }
    struct cv fcn = cv_fcn(g, emit(g, all->kid[0], home, NULL));
    if (!fcn.ty || fcn.is_val || fcn.ty->kind != TY_MAP || !fcn.ty->cap ||
        !ty_is_clean(fcn.ty->key)) {
        return false;
    }
    for (uint32_t i = 0; i < but->n; i++) {
        struct cv v = emit(g, but->kid[i], f, fcn.ty->key);
        if (!v.ty || ty_join(g->tys, v.ty, fcn.ty->key) != fcn.ty->key) {
            return false;
        }
        gone[i] = cv_conv(g, v, fcn.ty->key);
    }
    loop_domain(g, fcn, ret);
    for (uint32_t i = 0; i < but->n; i++) {
        const struct cx *place = emit_map_place(g, fcn, gone[i]);
        gen_if(g, place ? cx_two(g, CX_NE, ret->elem.index, place)
                        : cx_not(g, emit_eq(g, ret->elem, gone[i])));
        ret->scopes++;
    }
    return true;
}

void gen_loop_open(struct gen *g, const struct ex *set, struct fenv *f, struct loop_out *ret)
{
    bool early = g->early;
    const struct sieve *sieve = g->sieve;
    g->early = false;
    g->sieve = NULL;
    ret->set = NULL;
    ret->ordered = ret->rising = false;
    struct val v;
    if (gen_const_of(g, set, f, &v)) {
        gen_loop_open_cv(g, cv_val(g, v), ret);
        return;
    }
    gen_see_through(g, &set, &f);
    if (set->op == EX_RANGE) {
        struct cv lo = cv_hold(g, cv_int(g, emit(g, set->kid[0], f, NULL)));
        struct cv hi = cv_hold(g, cv_int(g, emit(g, set->kid[1], f, NULL)));
        emit_loop_interval(g, cv_e(g, &lo), cv_e(g, &hi), 64, ret);
    } else if (set->op == EX_SUBSET) {
        gen_loop_open_subset(g, emit(g, set->kid[0], f, NULL), ret);
    } else if (set->op == EX_FILTER) {
        g->early = early;
        loop_filter(g, set, f, ret);
    } else if (set->op == EX_TIMES || set->op == EX_RECSET) {
        loop_product(g, set, f, ret);
    } else if (set->op == EX_FCNSET) {
        loop_fcnset(g, set, f, ret);
    } else if (set->op == EX_DOMAIN) {
        loop_domain(g, emit(g, set->kid[0], f, NULL), ret);
    } else if (set->op == EX_SETMINUS && loop_other_keys(g, set, f, ret)) {
        return;
    } else {
        struct cv all = emit(g, set, f, NULL);
        g->sieve = sieve;
        gen_loop_open_cv(g, all, ret);
    }
}

struct cv cv_part(struct gen *g, struct cv v, uint32_t i)
{
    return !g->declined && v.ty->kind == TY_SEQ ? cv_elem(g, v, cx_int(g, i)) : cv_field(g, v, i);
}

void fenv_bind_var(struct gen *g, const struct binder_var *var, struct fenv *f, struct cv elem)
{
    if (!var->tuple) {
        fenv_bind(f, var->slots[0], elem);
        return;
    }
    elem = cv_fcn(g, elem);
    if (!elem.ty) {
        elem = gen_no(g, "a tuple without a layout");
    }
    const struct cx *e = cv_e(g, &elem);
    bool seq = elem.ty->kind == TY_SEQ;
    if (seq ? elem.ty->cap < var->nslot : elem.ty->kind != TY_TUP || elem.ty->n != var->nslot) {
        gen_trap(g, "T_KIND");
        for (uint32_t i = 0; i < var->nslot; i++) {
            fenv_bind(f, var->slots[i], cv_none(g));
        }
        return;
    }
    if (seq) {
        gen_trap_if(g, "T_KIND", cx_two(g, CX_NE, cx_count(g, e), cx_int(g, var->nslot)));
    }
    for (uint32_t i = 0; i < var->nslot; i++) {
        fenv_bind(f, var->slots[i], cv_part(g, elem, i));
    }
}

/* Is a filter in it that is applied to an element when its turn comes? */
static bool filters_late(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct val v;
    if (gen_const_of(g, x, f, &v)) {
        return false;
    }
    gen_see_through(g, &x, &f);
    bool late = x->op == EX_FILTER;
    for (uint32_t i = 0; !late && ex_has(x, IR_SET_FORM | IR_SET_OP) && i < x->n; i++) {
        late = filters_late(g, x->kid[i], f);
    }
    return late;
}

/* Goes through a set whose elements may fail, for others, that come before it in C and after it in
 * TLC, may be empty. */
static void check_elements(struct gen *g, const struct ex *set, struct fenv *f)
{
    struct loop_out loop;
    struct gen_mark before = gen_mark(g);
    gen_block(g);
    gen_loop_open(g, set, f, &loop);
    gen_loop_close(g, &loop);
    gen_scope_close(g);
    if (!gen_may_trap(g, &before)) {
        gen_cut(g, &before);
    }
}

/* What was opened together. */
struct loops {
    uint32_t scopes, most;
    bool ordered;
};

static struct loops loops_open(struct gen *g, const struct binder *b, struct fenv *sets,
                               struct fenv *inner, struct sieve *sieve)
{
    uint32_t scopes = 0;
    uint64_t most = 1;
    bool early = g->early;
    bool ordered = true;
    g->early = false;
    struct setref *held = ARENA_ARRAY(g->arena, struct setref, b->nset + 1);
    for (uint32_t i = 0; b->nset > 1 && i < b->nset; i++) {
        held[i] = emit_ref_of(g, b->sets[i], sets);
        if (!held[i].held && i + 1 < b->nset && filters_late(g, b->sets[i], sets)) {
            check_elements(g, b->sets[i], sets);
        }
    }
    for (uint32_t i = b->nvar; i-- > 0;) { /* the first variable varies fastest */
        struct loop_out loop;
        if (sieve) {
            sieve->slot = b->vars[i].slots[0];
            sieve->set = b->vars[i].set;
        }
        g->sieve = b->vars[i].tuple ? NULL : sieve;
        if (held[b->vars[i].set].held) {
            gen_loop_open_cv(g, held[b->vars[i].set].cv, &loop);
        } else {
            g->early = early;
            gen_loop_open(g, b->sets[b->vars[i].set], sets, &loop);
        }
        g->sieve = NULL;
        fenv_bind_var(g, &b->vars[i], inner, loop.elem);
        scopes += loop.scopes;
        most *= loop.most;
        ordered &= loop.ordered;
    }
    if (b->nvar > 2) {
        gen_poll(g);
    }
    return (struct loops){scopes, most < TY_CAP_MAX ? (uint32_t)most : TY_CAP_MAX, ordered};
}

uint32_t gen_binder_open(struct gen *g, const struct binder *b, struct fenv *sets,
                         struct fenv *inner, uint32_t *ret_most, bool *ret_ordered)
{
    struct loops loops = loops_open(g, b, sets, inner, NULL);
    if (ret_most) {
        *ret_most = loops.most;
    }
    if (ret_ordered) {
        *ret_ordered = loops.ordered;
    }
    return loops.scopes;
}

uint32_t gen_binder_open_for(struct gen *g, const struct binder *b, struct fenv *f,
                             struct sieve *sieve, bool *ret_ordered)
{
    sieve->f = f;
    sieve->binder = b;
    for (uint32_t i = 0; i < b->nvar; i++) { /* what an earlier loop bound is out of reach */
        for (uint32_t k = 0; k < b->vars[i].nslot; k++) {
            f->slot[b->vars[i].slots[k]].kind = SLOT_EMPTY;
        }
    }
    struct loops loops = loops_open(g, b, f, f, sieve);
    if (ret_ordered) {
        *ret_ordered = loops.ordered;
    }
    return loops.scopes;
}

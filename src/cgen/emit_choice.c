/* Choices: IF, CASE, comparisons, CHOOSE. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/facts.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/native.h"

/* ---- choices ---- */
struct arm {
    struct tree *all;        /* its guard, then */
    struct tree_node *block; /* what makes the value */
    struct cv v;
};

/* The type that holds the values of all arms. */
static const struct ty *arms_type(struct gen *g, const struct arm *arms, uint32_t n,
                                  const struct ty *want)
{
    const struct ty *ty = g->tys->none;
    bool fits = want != NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (!arms[i].v.ty) {
            gen_no(g, "a choice between sets without a layout");
            return g->tys->none;
        }
        fits = fits && ty_same_shape(arms[i].v.ty, want);
        ty = gen_join(g, ty, arms[i].v.ty);
    }
    return fits ? want : ty;
}

/* Puts the arms behind each other, each of which gives t its value. What stands in a later one is
 * known already, and must not be used in an earlier one. */
static void arms_join(struct gen *g, struct arm *arms, const struct ex *const *guards, uint32_t n,
                      const struct cx *t)
{
    bool off = g->known_off;
    gen_once(g);
    struct tree *body = g->out;
    g->known_off = true;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t traps = arms[i].block->body->ntrap;
        g->out = arms[i].block->body;
        gen_scope_enter(g);
        if (t->ty && t->ty->kind != TY_NONE) {
            struct cv v = cv_conv(g, arms[i].v, t->ty);
            gen_set(g, t, cv_e(g, &v));
        }
        if (guards[i]) {
            gen_break(g);
        }
        gen_scope_leave(g);
        g->out = body;
        arms[i].all->ntrap += arms[i].block->body->ntrap - traps;
        tree_splice(g->out, arms[i].all);
    }
    g->known_off = off;
    if (guards[n - 1]) {
        gen_trap(g, "T_CASE");
    }
    gen_scope_close(g);
}

/* IF and CASE: guards[i] decides for values[i]; a guard NULL always does. One after the other in a
 * block that is left when a value is found: what a guard computes is known to all that follow. */
static struct cv emit_arms(struct gen *g, const struct ex *const *guards,
                           const struct ex *const *values, uint32_t n, struct fenv *f,
                           const struct ty *want)
{
    struct arm *arms = ARENA_ARRAY(g->arena, struct arm, n + 1);
    struct tree *out = g->out;
    const char *name = gen_tmp(g);
    const struct cx *first = guards[0] ? emit_bool(g, guards[0], f) : cx_int(g, 1);
    gen_scope_enter(g);
    for (uint32_t i = 0; i < n; i++) {
        g->out = arms[i].all = tree_new(g->arena);
        const struct cx *guard = i == 0 ? first : guards[i] ? emit_bool(g, guards[i], f) : NULL;
        gen_if(g, guard ? guard : cx_int(g, 1));
        if (guards[i]) {
            facts_hold(g, guards[i], f);
        }
        arms[i].block = VEC_LAST(&g->scopes).block;
        arms[i].v = emit(g, values[i], f, want);
        gen_scope_close(g);
    }
    g->out = out;
    const struct ty *ty = arms_type(g, arms, n, want);
    const struct cx *t = cx_var(g, ty, name);
    if (ty_by_value(ty)) {
        gen_put_var(g, t, NULL);
    } else { /* each arm writes the whole of it */
        gen_put_room(g, t);
    }
    arms_join(g, arms, guards, n, t);
    gen_scope_leave(g);
    return cv_of(g, ty, cx_sealed(g, t));
}

struct cv emit_if(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    const struct ex *guards[2] = {x->kid[0], NULL};
    const struct ex *values[2] = {x->kid[1], x->kid[2]};
    enum truth truth = facts_truth(g, x->kid[0], f);
    if (truth != TRUTH_UNKNOWN) {
        return emit(g, values[truth == TRUTH_FALSE], f, want);
    }
    return emit_arms(g, guards, values, 2, f, want);
}

struct cv emit_case(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    uint32_t most = (x->n + 1) / 2;
    uint32_t n = 0;
    const struct ex **guards = ARENA_ARRAY(g->arena, const struct ex *, most + 1);
    const struct ex **values = ARENA_ARRAY(g->arena, const struct ex *, most + 1);
    for (uint32_t i = 0; i < most; i++) {
        bool other = 2 * i + 1 == x->n;
        enum truth truth = other ? TRUTH_TRUE : facts_truth(g, x->kid[(size_t)2 * i], f);
        if (truth != TRUTH_FALSE) {
            guards[n] = truth == TRUTH_TRUE ? NULL : x->kid[(size_t)2 * i];
            values[n++] = x->kid[(size_t)2 * i + !other];
        }
        if (truth == TRUTH_TRUE) {
            break;
        }
    }
    if (n == 0) {
        gen_trap(g, "T_CASE");
        return cv_none(g);
    }
    return guards[0] ? emit_arms(g, guards, values, n, f, want) : emit(g, values[0], f, want);
}

/* ---- order ---- */

/* Bit vectors over universes of one form, whose leaves are in order. */
static bool uni_in_order(const struct ty *bits)
{
    const struct universe *uni = bits->uni;
    if (!uni) {
        return true;
    }
    for (uint32_t i = 0; uni->npart == 1 && i < uni->part[0].nleaf; i++) {
        if (!uni->part[0].leaf[i].ty || !ty_in_order(uni->part[0].leaf[i].ty)) {
            return false;
        }
    }
    return uni->npart == 1;
}

static void cmp_union(struct gen *g, const struct ty *ty)
{
    gen_put_alternatives(g, ty, emit_cmp);
    gen_give_models(g, ty, -1, 1);
    gen_trap(g, "T_CHOOSE");
}

/* What a function that orders two values is given, and what it has found out so far. */
struct ordering {
    struct cv a, b;
    const struct cx *c;
};

/* c = the order of the elements of two arrays, up to the first that differ. */
static void cmp_in_order(struct gen *g, const struct ordering *o, const struct cx *n, bool keys)
{
    const struct ty *elem = keys ? o->a.ty->key : o->a.ty->elem;
    const struct cx *i = gen_for_while(g, CX_U32, n, cx_not(g, o->c));
    struct cv x = keys ? cv_key(g, o->a, i) : cv_elem(g, o->a, i);
    struct cv y = keys ? cv_key(g, o->b, i) : cv_elem(g, o->b, i);
    gen_set(g, o->c, emit_cmp(g, elem, x.e, y.e));
    gen_scope_close(g);
}

/* The one with fewer elements comes first. */
static void cmp_counts(struct gen *g, const struct ordering *o)
{
    const struct cx *m = cx_count(g, o->a.e);
    const struct cx *n = cx_count(g, o->b.e);
    gen_if(g, cx_two(g, CX_NE, m, n));
    gen_give(g, cx_cond(g, cx_two(g, CX_LT, m, n), cx_int(g, -1), cx_int(g, 1)));
    gen_scope_close(g);
}

static void cmp_fields(struct gen *g, const struct ordering *o)
{
    const struct ty *ty = o->a.ty;
    if (ty->nvariant > 1) {
        gen_trap_if(g, "T_CHOOSE", cx_two(g, CX_NE, cx_tag(g, o->a.e), cx_tag(g, o->b.e)));
    }
    for (uint32_t i = 0; i < ty->n; i++) {
        gen_if(g, cx_not(g, o->c));
        const struct cx *x = cv_field(g, o->a, i).e;
        gen_set(g, o->c, emit_cmp(g, ty->field[i], x, cv_field(g, o->b, i).e));
        gen_scope_close(g);
    }
}

static void cmp_body(struct gen *g, const struct ordering *o)
{
    const struct ty *ty = o->a.ty;
    const struct ty *sorted = ty->kind == TY_MAP ? ty->key : ty->elem;
    switch (ty->kind) {
    case TY_UNION: cmp_union(g, ty); return;
    case TY_FUN: cmp_in_order(g, o, cx_int(g, ty->n), false); return;
    case TY_REC:
    case TY_TUP: cmp_fields(g, o); return;
    case TY_MAP:
    case TY_SET:
        if (ty->cap && !ty_in_order(sorted)) {
            gen_trap(g, "T_CHOOSE");
            return;
        }
        break;
    case TY_SEQ: break;
    default: gen_trap(g, "T_CHOOSE"); return;
    }
    cmp_counts(g, o);
    if (ty->cap && ty->kind == TY_MAP) {
        cmp_in_order(g, o, cx_count(g, o->a.e), true);
    }
    if (ty->cap) {
        cmp_in_order(g, o, cx_count(g, o->a.e), false);
    }
}

/* A function that orders two values that lie in structs. */
static struct conv_key cmp_function(struct gen *g, const struct ty *ty)
{
    for (size_t i = 0; i < g->cmps.n; i++) {
        if (g->cmps.v[i].from == ty) {
            return g->cmps.v[i];
        }
    }
    struct side side;
    gen_side_open(g, &side);
    struct ordering o = {.a = cv_of(g, ty, cx_param(g, ty, "a", true)),
                         .b = cv_of(g, ty, cx_param(g, ty, "b", true)),
                         .c = gen_new_flag(g, cx_int(g, 0))};
    cmp_body(g, &o);
    gen_give(g, o.c);
    const char *c = ty_c(g->tys, ty);
    const char *name =
        gen_side_close(g, &side, "o", "static int ",
                       gen_text(g, "(struct W *w, const %s *a, const %s *b, int *ret)", c, c));
    struct conv_key key = {ty, ty, name, side.traps};
    if (!g->declined) {
        VEC_PUSH(&g->cmps, key);
    }
    return key;
}

const struct cx *emit_cmp(struct gen *g, const struct ty *ty, const struct cx *a,
                          const struct cx *b)
{
    if (g->declined || ty->kind == TY_NONE) {
        return cx_int(g, 0);
    }
    if (ty_in_order(ty)) {
        return cx_two(g, CX_SUB, cx_two(g, CX_GT, a, b), cx_two(g, CX_LT, a, b));
    }
    if (ty->kind == TY_MIX) {
        return gen_call(g, cx_call(g, CX_INT, NULL, "mix_cmp", a, b));
    }
    if (ty->kind == TY_BITS && ty->w == 1 && uni_in_order(ty)) {
        return cx_call(g, CX_INT, NULL, "bits_cmp", a, b);
    }
    if (ty_by_value(ty)) {
        gen_trap(g, "T_CHOOSE");
        return cx_int(g, 0);
    }
    struct conv_key fn = cmp_function(g, ty);
    const struct cx *pa = cx_addr(g, a);
    return gen_call_of(g, cx_call(g, CX_INT, NULL, fn.name, cx_worker(g), pa, cx_addr(g, b)), &fn);
}

/* ---- CHOOSE ---- */
static void set_found(struct gen *g, const struct cx *t, const struct cx *e, const struct cx *found)
{
    gen_set(g, t, e);
    gen_set(g, found, cx_int(g, 1));
}

struct cv emit_choose(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want)
{
    (void)want;
    const struct binder *b = x->u.p;
    struct tree *body = tree_new(g->arena);
    struct tree *out = g->out;
    const char *name = gen_tmp(g);
    const struct cx *found = cx_name(g, CX_INT, NULL, gen_tmp(g), false);
    const char *label = gen_new_label(g);
    struct loop_out loop;
    g->out = body;
    gen_block(g);
    g->early = true;
    gen_loop_open(g, b->sets[0], f, &loop);
    fenv_bind_var(g, &b->vars[0], f, loop.elem);
    const struct cx *p = emit_bool(g, x->kid[0], f);
    struct cv elem = loop.elem;
    const struct ty *ty = elem.ty;
    const struct cx *e = cv_e(g, &elem);
    const struct cx *t = cx_var(g, ty, name);
    gen_if(g, p);
    if (ty_in_order(ty)) {
        set_found(g, t, e, found);
        gen_goto(g, label);
    } else {
        gen_if(g, found);
        gen_if(g, cx_two(g, CX_LT, emit_cmp(g, ty, e, t), cx_int(g, 0)));
        gen_set(g, t, e);
        gen_scopes_close(g, 2);
        gen_else(g, NULL);
        set_found(g, t, e, found);
        gen_scope_close(g);
    }
    gen_scope_close(g);
    gen_loop_close(g, &loop);
    gen_label(g, label);
    gen_scope_close(g);
    g->out = out;
    gen_put_var(g, t, NULL);
    gen_put_var(g, found, cx_int(g, 0));
    tree_splice(g->out, body);
    gen_trap_if(g, "T_CHOOSE", cx_not(g, found));
    return cv_of(g, ty, cx_sealed(g, t));
}

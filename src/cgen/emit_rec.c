/* Recursive operators and functions: C functions of their own. What they use of the frame around them
 * is handed over as further arguments; arguments are evaluated before the call, and where that fails
 * although the spec would not have needed the value, the interpreter takes over as always. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/emit.h"
#include "cgen/ty.h"
#include "eval/eval_int.h"
#include "eval/ops.h"
#include "value/value.h"

#define REC_ARGS 16

struct rec_fn {
    const struct unit *unit;
    const char *name;
    uint32_t nparam, nall; /* arguments; with what is captured, and the ends of an interval */
    const struct domain *dom; /* of a function */
    const struct ty *ty[REC_ARGS * 2 + 2];
    const struct ty *ret; /* NONE while the first pass is on */
    bool done;
    bool deferred; /* recursion was met while the type was unknown */
};

static struct rec_fn *rec_find(struct gen *g, const struct unit *unit, const struct ty *const *ty,
                               uint32_t n)
{
    for (size_t i = 0; i < g->recs.n; i++) {
        struct rec_fn *r = g->recs.v[i];
        if (r->unit == unit && (!r->done || (r->nall == n && memcmp(r->ty, ty, sizeof *ty * n) == 0))) {
            return r;
        }
    }
    return NULL;
}

/* Types of arguments, wide enough for what the recursion makes of them. */
static const struct ty *arg_type(struct gen *g, const struct ty *ty)
{
    return ty->kind == TY_INT ? ty_int(g->tys, 8) : ty;
}

/* What a captured slot holds now. */
static struct cv captured(struct gen *g, struct slot *s)
{
    switch (s->kind) {
    case SLOT_CV: return s->cv;
    case SLOT_LAZY: return lazy_get(g, s->lazy, NULL);
    default: gen_no(g, "a recursive operator that uses another operator of its place");
    }
}

static void write_function(struct gen *g, struct rec_fn *r, struct strbuf *body, struct strbuf *decls)
{
    strbuf_printf(&g->defs, "static void %s(struct W *w, const S *s, const S *n", r->name);
    for (uint32_t i = 0; i < r->nall; i++) {
        strbuf_printf(&g->defs, ", const %s *a%u", ty_c(g->tys, r->ty[i]), i);
    }
    strbuf_printf(&g->defs, ", %s *ret) {\nif (++w->depth > 2000) TRAP(T_BIG);\n",
                  r->ret->kind == TY_NONE ? "none_t" : ty_c(g->tys, r->ret));
    strbuf_addstr(&g->defs, strbuf_str(decls));
    strbuf_addstr(&g->defs, strbuf_str(body));
    strbuf_adds(&g->defs, "w->depth--;\n}\n");
}

/* The body with its parameters bound; returns the type of the value. */
static const struct ty *emit_body(struct gen *g, struct rec_fn *r)
{
    const struct unit *unit = r->unit;
    struct fenv *f = fenv_new(g, unit);
    for (uint32_t i = 0; i < r->nparam; i++) {
        struct cv v = cv_of(r->ty[i], text(g, "(*a%u)", i));
        v.stable = true;
        if (unit->binder) {
            struct binder_var whole = unit->binder->vars[0];
            bind_var(g, &whole, f, v);
        } else {
            bind_cv(f, unit->param[i], v);
        }
    }
    for (uint32_t i = 0; i < unit->captures.n; i++) {
        struct cv v = cv_of(r->ty[r->nparam + i], text(g, "(*a%u)", r->nparam + i));
        v.stable = true;
        bind_cv(f, unit->captures.v[i].to, v);
    }
    if (unit->self != NO_SLOT) {
        struct domain *dom = ARENA_NEW(g->arena, struct domain);
        *dom = *r->dom;
        if (!dom->is_val) {
            dom->lo = cv_of(ty_int(g->tys, 8), text(g, "(*a%u)", r->nall - 2));
            dom->hi = cv_of(ty_int(g->tys, 8), text(g, "(*a%u)", r->nall - 1));
        }
        f->slot[unit->self] = (struct slot){.kind = SLOT_SELF, .unit = unit, .dom = dom};
    }
    struct cv v = emit(g, unit->body, f, r->ret->kind == TY_NONE ? NULL : r->ret);
    if (!v.ty) {
        gen_no(g, "a recursive operator without a layout");
    }
    if (r->ret->kind != TY_NONE) {
        struct cv c = cv_conv(g, v, r->ret);
        put(g, "*ret = %s;\n", cv_e(g, &c));
    }
    return v.ty;
}

/* Writes the body aside; keeps it in g->defs when `keep`. */
static const struct ty *pass(struct gen *g, struct rec_fn *r, bool keep)
{
    struct strbuf *out = g->out;
    struct strbuf *decls = g->decls;
    struct cv *next = g->next;
    uint32_t missing = g->missing;
    struct strbuf body = {0};
    struct strbuf own = {0};
    size_t defs = g->defs.n;
    size_t marks[5] = {g->consts.n, g->convs.n, g->cmps.n, g->set_ops.n, g->map_ops.n};
    size_t nrec = g->recs.n;
    size_t nscope = g->scopes.n;
    g->out = &body;
    g->decls = &own;
    VEC_PUSH(&g->scopes, ++g->nscope);
    if (missing != 0) { /* inside an action: values of primed variables are out of reach */
        g->next = NULL;
    }
    r->deferred = false;
    const struct ty *ty = emit_body(g, r);
    g->scopes.n = nscope;
    g->out = out;
    g->decls = decls;
    g->next = next;
    g->missing = missing;
    if (keep) {
        write_function(g, r, &body, &own);
    } else { /* what it brought is written again */
        g->defs.n = defs;
        g->consts.n = marks[0];
        g->convs.n = marks[1];
        g->cmps.n = marks[2];
        g->set_ops.n = marks[3];
        g->map_ops.n = marks[4];
        g->recs.n = nrec;
    }
    strbuf_done(&body);
    strbuf_done(&own);
    return ty;
}

static struct cv call(struct gen *g, struct rec_fn *r, struct cv *args, uint32_t n)
{
    const char *p[REC_ARGS * 2 + 2];
    if (n != r->nall) {
        gen_no(g, "a recursive operator called in two ways");
    }
    for (uint32_t i = 0; i < n; i++) {
        struct cv v = cv_conv(g, args[i], r->ty[i]);
        p[i] = addr(g, &v);
    }
    if (r->ret->kind == TY_NONE) { /* the type is not known yet */
        r->deferred = true;
        put(g, "TRAP(T_BIG);\n");
        return cv_of(g->tys->none, "0");
    }
    const char *t = tmp(g);
    const char *c = ty_c(g->tys, r->ret);
    put(g, "%s %s; memset(&%s, 0, sizeof %s);\n%s(w, s, n", c, t, t, t, r->name);
    for (uint32_t i = 0; i < n; i++) {
        put(g, ", %s", p[i]);
    }
    put(g, ", &%s);\n", t);
    return cv_of(r->ret, t);
}

static const struct ty *wide(struct gen *g, const struct ty *ty)
{
    return ty->kind == TY_INT ? ty_int(g->tys, 8) : ty;
}

struct cv emit_recursion(struct gen *g, const struct unit *unit, struct cv *args, uint32_t nparam,
                         struct fenv *home, const struct domain *dom, const struct ty *want)
{
    struct cv all[REC_ARGS * 2 + 2];
    const struct ty *ty[REC_ARGS * 2 + 2];
    uint32_t n = nparam;
    if (nparam > REC_ARGS || unit->captures.n > REC_ARGS) {
        gen_no(g, "a recursive operator with many arguments");
    }
    for (uint32_t i = 0; i < nparam; i++) {
        all[i] = args[i];
    }
    for (uint32_t i = 0; i < unit->captures.n; i++) {
        const struct capture *c = &unit->captures.v[i];
        struct slot *s = home->unit == unit ? &home->slot[c->to] : &home->slot[c->from];
        all[n++] = captured(g, s);
    }
    if (dom && !dom->is_val) {
        all[n++] = dom->lo;
        all[n++] = dom->hi;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!all[i].ty) {
            gen_no(g, "a recursive operator with an argument without a layout");
        }
        ty[i] = arg_type(g, all[i].ty);
    }
    struct rec_fn *r = rec_find(g, unit, ty, n);
    if (r) {
        return call(g, r, all, n);
    }
    r = ARENA_NEW(g->arena, struct rec_fn);
    r->unit = unit;
    r->name = text(g, "rec%u", g->ntmp++);
    r->nparam = nparam;
    r->nall = n;
    r->dom = dom;
    memcpy(r->ty, ty, sizeof *ty * n);
    r->ret = g->tys->none;
    VEC_PUSH(&g->recs, r);
    const struct ty *ret = wide(g, pass(g, r, false));
    if (want && same_shape(ret, want)) {
        ret = want;
    }
    for (int i = 0; i < 3 && ret != r->ret; i++) {
        r->ret = ret;
        const struct ty *again = ty_join(g->tys, ret, pass(g, r, false));
        ret = again && !same_shape(again, ret) ? wide(g, again) : ret;
    }
    if (r->ret->kind == TY_NONE) {
        gen_no(g, "a recursive operator that never ends");
    }
    /* A declaration first: it calls itself. */
    strbuf_printf(&g->defs, "static void %s(struct W *, const S *, const S *", r->name);
    for (uint32_t i = 0; i < n; i++) {
        strbuf_printf(&g->defs, ", const %s *", ty_c(g->tys, r->ty[i]));
    }
    strbuf_printf(&g->defs, ", %s *);\n", ty_c(g->tys, r->ret));
    (void)pass(g, r, true);
    r->done = true;
    return call(g, r, all, n);
}

/* Frames: what names stand for while C text is made, and values that are made when they are asked
 * for. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/facts.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/native.h"
#include "sem/sem.h"
#include "value/value.h"

/* ---- frames ---- */
struct fenv *fenv_new(struct gen *g, const struct unit *unit)
{
    struct fenv *f = ARENA_NEW(g->arena, struct fenv);
    f->unit = unit;
    f->n = unit->nslot;
    f->slot = ARENA_ARRAY(g->arena, struct slot, unit->nslot + 1);
    return f;
}

/* What a lazy slot stands for, when it was not met in its own unit yet. */
static void lazy_source(struct lazy *lazy, const struct binding *b, struct fenv *home)
{
    if (lazy->ex || lazy->unit || !b) {
        return;
    }
    lazy->ex = b->ex;
    lazy->unit = b->ex ? NULL : b->thunk;
    lazy->home = home;
}

struct slot *fenv_captured(struct fenv *from, uint32_t slot, const struct binding *b)
{
    struct slot *s = &from->slot[slot];
    if (s->kind == SLOT_LAZY && b && b->kind == BIND_LAZY && b->unit == from->unit) {
        lazy_source(s->lazy, b, from);
    }
    return s;
}

void fenv_capture(struct fenv *from, uint32_t from_slot, struct fenv *to, uint32_t to_slot,
                  const struct binding *b)
{
    to->slot[to_slot] = *fenv_captured(from, from_slot, b);
}

struct fenv *fenv_enter(struct gen *g, const struct unit *unit, struct fenv *from)
{
    struct fenv *f = fenv_new(g, unit);
    for (size_t i = 0; i < unit->captures.n; i++) {
        const struct capture *c = &unit->captures.v[i];
        fenv_capture(from, c->from, f, c->to, c->binding);
    }
    return f;
}

void fenv_bind(struct fenv *f, uint32_t slot, struct cv v)
{
    f->slot[slot] = (struct slot){.kind = SLOT_CV, .cv = v};
}

static void lazy_flag_new(struct gen *g, struct lazy *lazy)
{
    lazy->flag = cx_name(g, CX_INT, NULL, gen_text(g, "d%u", (*g->ntmp)++), false);
    gen_declare(g, lazy->flag, "int", cx_int(g, 0));
    gen_set(g, lazy->flag, cx_int(g, 0));
    lazy->since = gen_scope_now(g);
}

struct lazy *lazy_new(struct gen *g, struct fenv *home)
{
    struct lazy *lazy = ARENA_NEW(g->arena, struct lazy);
    lazy->home = home;
    lazy_flag_new(g, lazy);
    return lazy;
}

static bool is_step(const struct unit *unit, uint32_t slot)
{
    for (size_t i = 0; i < unit->steps.n; i++) {
        if (unit->steps.v[i] == slot) {
            return true;
        }
    }
    return false;
}

void gen_let_open(struct gen *g, struct fenv *f, const uint32_t *slots, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct lazy *lazy = lazy_new(g, f);
        f->slot[slots[i]] = (struct slot){.kind = SLOT_LAZY, .lazy = lazy};
        if (is_step(f->unit, slots[i])) {
            VEC_PUSH(&g->steps, lazy);
        }
    }
}

size_t steps_renew(struct gen *g)
{
    size_t mark = g->kept.n;
    for (size_t i = g->steps_from; i < g->steps.n; i++) {
        struct lazy *lazy = g->steps.v[i];
        VEC_PUSH(&g->kept, (struct lazy_kept){lazy, *lazy});
        lazy->emitted = false;
        lazy->pointer = false;
        lazy->want = NULL;
        lazy->var = NULL;
        lazy->cv = (struct cv){0};
        lazy_flag_new(g, lazy);
    }
    return mark;
}

void steps_back(struct gen *g, size_t mark)
{
    while (g->kept.n > mark) {
        const struct lazy_kept *kept = &g->kept.v[--g->kept.n];
        const struct lazy now = *kept->lazy;
        *kept->lazy = kept->was;
        kept->lazy->ex = now.ex; /* where it comes from is the same at all times */
        kept->lazy->unit = now.unit;
        kept->lazy->home = now.home;
    }
}

/* ---- lazy values ---- */
/* The variable is written where the value is found out, and never while it is known. */
static void lazy_declare(struct gen *g, struct lazy *lazy, struct cv v)
{
    const char *name = gen_text(g, "z%u", (*g->ntmp)++);
    const char *c = ty_c(g->tys, v.ty);
    lazy->pointer = !ty_by_value(v.ty) && v.stable;
    if (lazy->pointer) {
        lazy->var = cx_name(g, CX_POINTER, v.ty, name, false);
        gen_declare(g, lazy->var, gen_text(g, "const %s *", c), cx_int(g, 0));
        lazy->cv = cv_of(g, v.ty, cx_param(g, v.ty, name, true));
    } else {
        bool number = ty_by_value(v.ty) && v.ty->kind != TY_NONE;
        lazy->var = cx_var(g, v.ty, name);
        gen_declare(g, lazy->var, number ? cx_c(g, lazy->var) : c, number ? cx_int(g, 0) : NULL);
        lazy->cv = cv_of(g, v.ty, cx_fixed(g, v.ty, name));
    }
    lazy->cv.stable = true;
    lazy->cv.within = v.within;
}

static struct cv lazy_emit(struct gen *g, struct lazy *lazy)
{
    if (lazy->ex) {
        return emit(g, lazy->ex, lazy->home, lazy->want);
    }
    if (!lazy->unit) {
        return gen_no(g, "a definition whose source is not known");
    }
    struct fenv *f = fenv_enter(g, lazy->unit, lazy->home);
    return emit(g, lazy->unit->body, f, lazy->want);
}

const struct cx *lazy_flag(struct gen *g, const struct lazy *lazy)
{
    return lazy->emitted && gen_scope_is_open(g, lazy->scope) ? NULL : lazy->flag;
}

/* Was its flag cleared on the way here, and not set since? Not if control may have come here
 * before, round a loop. */
static bool lazy_is_new(const struct gen *g, const struct lazy *lazy)
{
    for (size_t i = g->scopes.n; !lazy->emitted && i-- > 0;) {
        if (g->scopes.v[i].id == lazy->since) {
            return true;
        }
        if (g->scopes.v[i].loop) {
            return false;
        }
    }
    return false;
}

/* Puts the value into its variable. */
static struct cv lazy_keep(struct gen *g, struct lazy *lazy, struct cv v)
{
    if (!v.ty) {
        return gen_no(g, "a definition without a layout");
    }
    if (!lazy->emitted) {
        lazy_declare(g, lazy, v);
        lazy->emitted = true;
    } else if (lazy->cv.ty != v.ty) {
        return gen_no(g, "a definition with two layouts");
    }
    const struct cx *e = cv_e(g, &v);
    if (lazy->pointer && !v.stable) { /* as it was where it was found out first */
        const struct cx *room = cx_var(g, v.ty, gen_text(g, "z%u", (*g->ntmp)++));
        gen_declare(g, room, ty_c(g->tys, v.ty), NULL);
        gen_set(g, room, e);
        e = room;
    }
    if (v.ty->kind != TY_NONE) {
        gen_set(g, lazy->var, lazy->pointer ? cx_addr(g, e) : e);
    }
    gen_set(g, lazy->flag, cx_int(g, 1));
    return lazy->cv;
}

struct cv lazy_get(struct gen *g, struct lazy *lazy, const struct ty *want)
{
    if (lazy->emitted && (!lazy->flag || gen_scope_is_open(g, lazy->scope))) {
        return lazy->cv;
    }
    if (lazy->busy) {
        return gen_no(g, "a definition that needs itself");
    }
    lazy->busy = true;
    bool message = want && want->kind == TY_REC && want->nvariant > 1;
    lazy->want = lazy->emitted ? lazy->want : message ? want : NULL;
    struct gen_mark before = gen_mark(g);
    gen_if(g, lazy_is_new(g, lazy) ? cx_int(g, 1) : cx_not(g, lazy->flag));
    struct cv v = lazy_emit(g, lazy);
    lazy->busy = false;
    if (g->declined) {
        gen_scope_close(g);
        return v;
    }
    if (!lazy->emitted && tree_is_empty(g->out) && (v.is_val || v.stable)) {
        gen_scope_close(g);
        gen_cut(g, &before);
        lazy->flag = NULL;
        lazy->cv = v;
        lazy->emitted = true;
        return v;
    }
    v = lazy_keep(g, lazy, v);
    gen_scope_close(g);
    lazy->scope = gen_scope_now(g);
    return v;
}

/* Recursive operators and functions: C functions of their own. What they use of the frame around
 * them is handed over as further arguments; arguments are evaluated before the call, and where that
 * fails although the spec would not have needed the value, the interpreter takes over as always. */
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/reach.h"
#include "cgen/tidy.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"

#define REC_ARGS 16

#define REC_ALL (REC_ARGS * 3 + 2)

/* An operator that the function uses, as an argument or from the place where it stands: the
 * operator itself is known, what it uses in turn is handed over. */
struct rec_oper {
    uint32_t slot; /* of the unit */
    struct slot oper;
    uint32_t first;    /* argument with what it captures */
    struct fenv *home; /* inside the function */
};

struct rec_fn {
    const struct unit *unit;
    const char *name;
    uint32_t nall;
    uint32_t slot[REC_ALL]; /* of the unit, for each argument; NO_SLOT: see opers, dom */
    const struct ty *ty[REC_ALL];
    struct rec_oper oper[REC_ARGS];
    uint32_t noper;
    /* Inside an action, the primed variables that it reads and that have a value: further
     * arguments, from `primed` on. */
    bool in_action;
    uint64_t vars;
    uint32_t primed;
    const struct domain *dom; /* of a function; its ends, or its base, are the last arguments */
    const struct ty *ret;     /* NONE while the first pass is on */
    bool done;
    bool again;              /* a call had arguments of another shape */
    uint32_t pass;           /* how often its types were looked at */
    const struct ty *before; /* `ret` before it changed last; NONE: at first */
    bool settled;            /* `ret` is what it stays */
};

/* Passes after which a type may not become deeper any more: values that hold values of their own
 * kind have no type, and where it comes to them the interpreter does it. */
enum { PASSES_DEEPER = 2, PASSES_MAX = 12, SIZE_MAX_BYTES = 1 << 16 };

static uint32_t depth_of(const struct ty *ty)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; ty->field && i < ty->n; i++) {
        uint32_t part = depth_of(ty->field[i]);
        depth = part > depth ? part : depth;
    }
    for (int i = 0; i < 2; i++) {
        const struct ty *of = i ? ty->elem : ty->key;
        uint32_t part = of && ty->kind != TY_BITS ? depth_of(of) : 0;
        depth = part > depth ? part : depth;
    }
    return depth + 1;
}

/* Is the one type what the other would be if it went on for ever? */
static bool goes_on(const struct rec_fn *r, const struct ty *now, const struct ty *join)
{
    return r->pass >= PASSES_DEEPER && now->kind != TY_NONE && depth_of(join) > depth_of(now);
}

static bool same_opers(const struct rec_fn *a, const struct rec_fn *b)
{
    for (uint32_t i = 0; i < a->noper; i++) {
        const struct slot *x = &a->oper[i].oper;
        const struct slot *y = &b->oper[i].oper;
        if (x->unit != y->unit || (x->home != y->home && a->oper[i].home != y->home)) {
            return false;
        }
    }
    return a->noper == b->noper;
}

static struct rec_fn *rec_find(struct gen *g, const struct rec_fn *like)
{
    for (size_t i = 0; i < g->recs.n; i++) {
        struct rec_fn *r = g->recs.v[i];
        if (r->unit != like->unit || r->in_action != like->in_action || r->vars != like->vars ||
            !same_opers(r, like)) {
            continue;
        }
        if (!r->done ||
            (r->noper == 0 && r->nall == like->nall &&
             memcmp((const void *)r->ty, (const void *)like->ty, sizeof *r->ty * r->nall) == 0)) {
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

/* ---- what a call hands over ---- */
struct hand {
    struct rec_fn *r;
    struct cv cv[REC_ALL];
};

static void hand_cv(struct gen *g, struct hand *h, uint32_t slot, struct cv v)
{
    if (h->r->nall == REC_ALL) {
        gen_no(g, "a recursive operator with many arguments");
        return;
    }
    if (!v.ty) {
        gen_no(g, "a recursive operator with an argument without a layout");
        return;
    }
    h->cv[h->r->nall] = v;
    h->r->slot[h->r->nall] = slot;
    h->r->ty[h->r->nall++] = arg_type(g, v.ty);
}

static void hand_oper(struct gen *g, struct hand *h, uint32_t slot, const struct slot *oper)
{
    if (h->r->noper == REC_ARGS) {
        gen_no(g, "a recursive operator with many arguments");
        return;
    }
    h->r->oper[h->r->noper++] = (struct rec_oper){.slot = slot, .oper = *oper, .first = h->r->nall};
    for (size_t i = 0; i < oper->unit->captures.n; i++) {
        const struct capture *c = &oper->unit->captures.v[i];
        struct slot *s = fenv_captured(oper->home, c->from, c->binding);
        if (s->kind != SLOT_CV && s->kind != SLOT_LAZY) {
            gen_no(g, "an operator argument that uses another one");
            return;
        }
        hand_cv(g, h, NO_SLOT, s->kind == SLOT_CV ? s->cv : lazy_get(g, s->lazy, NULL));
    }
}

static void hand_slot(struct gen *g, struct hand *h, uint32_t to, struct slot *s)
{
    switch (s->kind) {
    case SLOT_CV: hand_cv(g, h, to, s->cv); break;
    case SLOT_LAZY: hand_cv(g, h, to, lazy_get(g, s->lazy, NULL)); break;
    case SLOT_OPER: hand_oper(g, h, to, s); break;
    default: gen_no(g, "a recursive operator that uses another function of its place"); return;
    }
}

static bool has_value(const struct cv *v)
{
    return v->ty || v->is_val;
}

/* Of a step the next state is at hand in every function; in an action it is being made. */
static bool next_is_given(const struct gen *g)
{
    return !g->next || g->next_given;
}

static void hand_primed(struct gen *g, struct hand *h)
{
    struct rec_fn *r = h->r;
    r->in_action = !next_is_given(g);
    if (!r->in_action) {
        return;
    }
    uint64_t vars = reach_primed(g->spec, r->unit);
    r->primed = r->nall;
    for (uint32_t i = 0; i < g->spec->nvar && i < 64 && vars != UINT64_MAX; i++) {
        if (vars >> i & 1 && has_value(&g->next[i])) {
            r->vars |= UINT64_C(1) << i;
            hand_cv(g, h, NO_SLOT, g->next[i]);
        }
    }
}

static void write_function(struct gen *g, struct rec_fn *r, struct tree *body, struct tree *decls)
{
    tidy(decls, body, g->cxs.names.n);
    strbuf_printf(&g->defs, "static int %s(struct W *w, const S *s, const S *n", r->name);
    for (uint32_t i = 0; i < r->nall; i++) {
        strbuf_printf(&g->defs, ", const %s *a%u", ty_c(g->tys, r->ty[i]), i);
    }
    strbuf_printf(&g->defs, ", %s *ret) {\nPOLL(); if (++w->depth > DEPTH_MAX) TRAP(T_BIG);\n",
                  r->ret->kind == TY_NONE ? "none_t" : ty_c(g->tys, r->ret));
    tree_print(decls, &g->defs);
    tree_print(body, &g->defs);
    strbuf_adds(&g->defs, "w->depth--;\nreturn 0;\n}\n");
}

static struct cv argument(struct gen *g, const struct rec_fn *r, uint32_t i)
{
    struct cv v = cv_of(g, r->ty[i], cx_param(g, r->ty[i], gen_text(g, "a%u", i), true));
    v.stable = true;
    return v;
}

/* The next state as the function knows it. */
static struct cv *primed_inside(struct gen *g, const struct rec_fn *r)
{
    struct cv *next = ARENA_ARRAY(g->arena, struct cv, g->spec->nvar + g->spec->extra_vars.n + 1);
    uint32_t arg = r->primed;
    for (uint32_t i = 0; i < g->spec->nvar && i < 64; i++) {
        if (r->vars >> i & 1) {
            next[i] = argument(g, r, arg++);
        }
    }
    return next;
}

/* The body with its parameters bound; returns the type of the value. */
static const struct ty *emit_body(struct gen *g, struct rec_fn *r, bool keep)
{
    const struct unit *unit = r->unit;
    struct fenv *f = fenv_new(g, unit);
    for (uint32_t i = 0; i < r->nall; i++) {
        if (r->slot[i] != NO_SLOT) {
            fenv_bind(f, r->slot[i], argument(g, r, i));
        }
    }
    for (uint32_t i = 0; i < r->noper; i++) {
        struct rec_oper *o = &r->oper[i];
        if (!o->home) {
            o->home = fenv_new(g, o->oper.home->unit);
        }
        for (uint32_t k = 0; k < o->oper.unit->captures.n; k++) {
            fenv_bind(o->home, o->oper.unit->captures.v[k].from, argument(g, r, o->first + k));
        }
        f->slot[o->slot] = (struct slot){.kind = SLOT_OPER, .unit = o->oper.unit, .home = o->home};
    }
    if (unit->binder) {
        fenv_bind_var(g, &unit->binder->vars[0], f, argument(g, r, 0));
    }
    if (unit->self != NO_SLOT) {
        struct domain *dom = ARENA_NEW(g->arena, struct domain);
        *dom = *r->dom;
        if (dom->subset) {
            dom->lo = argument(g, r, r->nall - 1);
        } else if (!dom->is_val) {
            dom->lo = argument(g, r, r->nall - 2);
            dom->hi = argument(g, r, r->nall - 1);
        }
        f->slot[unit->self] = (struct slot){.kind = SLOT_SELF, .unit = unit, .dom = dom};
    }
    /* What is found out must not depend on what is thought already: that could not grow. */
    struct cv v = emit(g, unit->body, f, keep ? r->ret : NULL);
    if (!v.ty) {
        gen_no(g, "a recursive operator without a layout");
        return g->tys->none;
    }
    if (r->ret->kind != TY_NONE) {
        struct cv c = cv_conv(g, v, r->ret);
        gen_set(g, cx_param(g, r->ret, "ret", false), cv_e(g, &c));
    }
    return v.ty;
}

/* Writes the body aside; keeps it in g->defs when `keep`. */
static const struct ty *pass(struct gen *g, struct rec_fn *r, bool keep)
{
    struct tree *out = g->out;
    struct tree *decls = g->decls;
    size_t bytes = g->bytes;
    uint32_t *ntmp = g->ntmp;
    uint32_t ntmp_own = 0;
    struct cv *next = g->next;
    uint32_t missing = g->missing;
    struct tree *body = tree_new(g->arena);
    struct tree *own = tree_new(g->arena);
    struct defs_mark defs;
    defs_mark(g, &defs);
    size_t steps_from = g->steps_from;
    size_t nsteps = g->steps.n;
    g->steps_from = g->steps.n; /* those around are not in reach: their values are handed over */
    g->out = body;
    g->decls = own;
    g->bytes = 0;
    g->ntmp = &ntmp_own;
    struct known_mark known = gen_known_apart(g);
    gen_scope_enter(g);
    if (r->in_action) {
        g->next = primed_inside(g, r);
    }
    const struct ty *ty = emit_body(g, r, keep);
    gen_scope_leave(g);
    gen_known_back(g, known);
    g->steps_from = steps_from;
    g->steps.n = nsteps;
    g->out = out;
    g->decls = decls;
    g->bytes = bytes;
    g->ntmp = ntmp;
    g->next = next;
    g->missing = missing;
    if (keep && !g->declined) {
        write_function(g, r, body, own);
    } else { /* what it brought is written again */
        defs_back(g, &defs);
    }
    return ty;
}

static const struct ty *wide(struct gen *g, const struct ty *ty)
{
    return ty->kind == TY_INT ? ty_int(g->tys, 8) : ty;
}

/* ---- room for what a recursion adds step by step ----
 * What has more elements in one pass than in the pass before gets room for many. */
static bool is_list(const struct ty *ty)
{
    return ty->kind == TY_SEQ || ty->kind == TY_SET || ty->kind == TY_MAP;
}

static uint32_t many(const struct ty *list)
{
    return list->elem->size > 512 ? 6 : 16;
}

static bool list_grows(const struct ty *was, const struct ty *now)
{
    return is_list(now) && now->elem->kind != TY_NONE && now->cap > was->cap &&
           was->cap < many(now);
}

/* Are there parts that have grown? */
static bool grows(const struct ty *was, const struct ty *now)
{
    if (was == now || was->kind != now->kind || list_grows(was, now)) {
        return was != now && was->kind == now->kind;
    }
    for (uint32_t i = 0; now->field && was->n == now->n && i < now->n; i++) {
        if (grows(was->field[i], now->field[i])) {
            return true;
        }
    }
    return now->elem && now->kind != TY_BITS && grows(was->elem, now->elem);
}

static const struct ty *grown(struct gen *g, const struct ty *was, const struct ty *now)
{
    const struct ty *field[TY_FIELDS] = {NULL};
    if (was->kind != now->kind || was == now) {
        return wide(g, now);
    }
    for (uint32_t i = 0; now->field && i < now->n; i++) {
        field[i] = was->n == now->n ? grown(g, was->field[i], now->field[i]) : now->field[i];
    }
    uint32_t room = now->cap;
    const struct ty *elem = now->elem;
    if (is_list(now)) {
        elem = grown(g, was->elem, now->elem);
        room = list_grows(was, now) && room < many(now) ? many(now) : room;
    }
    switch (now->kind) {
    case TY_REC: return ty_rec_like(g->tys, now, field);
    case TY_TUP: return ty_tup(g->tys, field, now->n);
    case TY_SEQ: return elem->kind == TY_NONE ? now : ty_seq(g->tys, elem, room);
    case TY_SET: return elem->kind == TY_NONE ? now : ty_set(g->tys, elem, room);
    case TY_MAP: return elem->kind == TY_NONE ? now : ty_map(g->tys, now->key, elem, room);
    default: return wide(g, now);
    }
}

/* While the types are being found: those of the arguments, wide enough for these. */
static bool widen_arguments(struct gen *g, struct rec_fn *r, const struct hand *h)
{
    for (uint32_t i = 0; i < r->nall && !r->done; i++) {
        if (!ty_same_shape(h->cv[i].ty, r->ty[i]) || grows(r->ty[i], h->cv[i].ty)) {
            const struct ty *join = ty_join(g->tys, r->ty[i], h->cv[i].ty);
            if (!join) {
                return false;
            }
            if (!goes_on(r, r->ty[i], join)) {
                r->again |= join != r->ty[i];
                r->ty[i] = grown(g, r->ty[i], join);
            }
        }
    }
    return true;
}

static const struct cx *call_with(struct gen *g, const struct rec_fn *r, const struct cx **p,
                                  uint32_t n)
{
    p[0] = cx_worker(g);
    p[1] = cx_name(g, CX_POINTER, NULL, "s", true);
    p[2] = cx_name(g, CX_POINTER, NULL, "n", true);
    return cx_call_n(g, cx_kind_of(r->ret), r->ret, r->name, p, n + 3);
}

/* The call with arguments as they are known, before they are converted: says which call it is. */
static const struct cx *key_of_call(struct gen *g, const struct rec_fn *r, struct hand *h)
{
    const struct cx *p[REC_ALL + 3];
    for (uint32_t i = 0; i < r->nall; i++) {
        p[3 + i] = cv_e(g, &h->cv[i]);
    }
    return share_key(g, call_with(g, r, p, r->nall));
}

static struct cv call(struct gen *g, struct rec_fn *r, struct hand *h)
{
    const struct cx *p[REC_ALL + 4];
    if (h->r->nall != r->nall) {
        return gen_no(g, "a recursive operator called in two ways");
    }
    if (!widen_arguments(g, r, h)) {
        return gen_no(g, "a recursive operator whose arguments have no common layout");
    }
    if (r->ret->kind == TY_NONE) { /* the type is not known yet */
        gen_trap(g, "T_BIG");
        return cv_none(g);
    }
    const struct cx *key = key_of_call(g, r, h);
    const struct cx *has = key ? gen_known(g, key) : NULL;
    if (has) {
        struct cv v = cv_of(g, r->ret, has);
        v.stable = true;
        return v;
    }
    const struct shared *shared = key ? share_open(g, key) : NULL;
    for (uint32_t i = 0; i < r->nall; i++) {
        struct cv v = cv_conv(g, h->cv[i], r->ty[i]);
        p[3 + i] = gen_addr(g, &v);
    }
    if (!shared) {
        const struct conv_key fn = {.name = r->name, .traps = true};
        return cv_of(g, r->ret, gen_filled(g, call_with(g, r, p, r->nall), &fn));
    }
    p[3 + r->nall] = cx_addr(g, shared->var);
    gen_call_into(g, call_with(g, r, p, r->nall + 1));
    struct cv v = cv_of(g, r->ret, share_close(g, shared));
    v.stable = true;
    return v;
}

/* Finds the types, then writes the function. */
static void define_now(struct gen *g, struct rec_fn *r, const struct ty *want)
{
    VEC_PUSH(&g->recs, r);
    for (;; r->pass++) {
        r->again = false;
        const struct ty *ret = pass(g, r, false);
        if (g->declined) {
            return;
        }
        const struct ty *join = ty_join(g->tys, r->ret, ret);
        if (!join || r->pass == PASSES_MAX) {
            gen_no(g, "a recursive operator whose values have no common layout");
            return;
        }
        if (goes_on(r, r->ret, join)) { /* as it was before the first turn */
            join = r->settled || r->before->kind == TY_NONE ? r->ret : r->before;
            r->settled = true;
        }
        if (r->ret->kind != TY_NONE && ty_same_shape(join, r->ret) && !r->again &&
            !grows(r->ret, join)) {
            break;
        }
        if (join->size > SIZE_MAX_BYTES) {
            gen_no(g, "a recursive operator whose values take much room");
            return;
        }
        join = want && ty_same_shape(join, want) ? want : grown(g, r->ret, join);
        if (join->kind == TY_NONE && !r->again) {
            gen_no(g, "a recursive operator that never ends");
            return;
        }
        r->before = r->ret;
        r->ret = join;
    }
    /* A declaration first: it calls itself. */
    strbuf_printf(&g->defs, "static int %s(struct W *, const S *, const S *", r->name);
    for (uint32_t i = 0; i < r->nall; i++) {
        strbuf_printf(&g->defs, ", const %s *", ty_c(g->tys, r->ty[i]));
    }
    strbuf_printf(&g->defs, ", %s *);\n", ty_c(g->tys, r->ret));
    (void)pass(g, r, true);
    r->done = true;
}

/* ---- names ----
 * A function that calls itself needs a name before its text is there. Those that may call each
 * other are known by such names to each other; to all others by names that say what all of them do.
 */
static const char *name_inside(struct gen *g, const struct unit *unit)
{
    uint32_t n = 0;
    struct str of = unit->def ? unit->def->name : (struct str){0};
    uint64_t hash = hash_bytes(of.p, of.n, 1);
    const char *base = gen_text(g, "rec%016" PRIx64, hash);
    for (size_t i = 0; i < g->recs.n; i++) {
        n += strncmp(g->recs.v[i]->name, base, strlen(base)) == 0;
    }
    return gen_text(g, "%s_%u", base, n);
}

static void name_group(struct gen *g, const struct defs_mark *from)
{
    uint64_t hash = defs_since(g, from);
    for (size_t i = from->recs; i < g->recs.n; i++) {
        struct rec_fn *r = g->recs.v[i];
        const char *name = gen_text(g, "%s_%016" PRIx64, r->name, hash);
        gen_define_line(g, gen_text(g, "#define %s %s", name, r->name));
        r->name = name;
    }
}

/* ... or leaves nothing of it. */
static void define(struct gen *g, struct rec_fn *r, const struct ty *want)
{
    struct defs_mark defs;
    defs_mark(g, &defs);
    g->rec_depth++;
    define_now(g, r, want);
    g->rec_depth--;
    if (g->declined) {
        defs_back(g, &defs);
        return;
    }
    if (g->rec_depth == 0) {
        name_group(g, &defs);
    }
}

static struct cv find_and_call(struct gen *g, struct hand *h, const struct ty *want)
{
    if (g->declined) {
        return cv_none(g);
    }
    struct rec_fn *r = rec_find(g, h->r);
    if (!r) {
        r = h->r;
        r->name = name_inside(g, r->unit);
        r->ret = g->tys->none;
        r->before = g->tys->none;
        define(g, r, want);
    }
    return g->declined ? cv_none(g) : call(g, r, h);
}

struct cv emit_rec_call(struct gen *g, const struct unit *unit, struct fenv *callee,
                        const struct ty *want)
{
    struct hand h = {.r = ARENA_NEW(g->arena, struct rec_fn)};
    h.r->unit = unit;
    for (uint32_t i = 0; i < callee->n; i++) {
        if (callee->slot[i].kind != SLOT_EMPTY) {
            hand_slot(g, &h, i, &callee->slot[i]);
        }
    }
    hand_primed(g, &h);
    return find_and_call(g, &h, want);
}

struct cv emit_rec_apply(struct gen *g, const struct unit *unit, struct cv arg, struct fenv *home,
                         const struct domain *dom, const struct ty *want)
{
    struct hand h = {.r = ARENA_NEW(g->arena, struct rec_fn)};
    h.r->unit = unit;
    h.r->dom = dom;
    hand_cv(g, &h, NO_SLOT, arg);
    for (uint32_t i = 0; i < unit->captures.n; i++) {
        const struct capture *c = &unit->captures.v[i];
        hand_slot(g, &h, c->to,
                  home->unit == unit ? &home->slot[c->to]
                                     : fenv_captured(home, c->from, c->binding));
    }
    hand_primed(g, &h);
    if (!dom->is_val) {
        hand_cv(g, &h, NO_SLOT, dom->lo);
    }
    if (!dom->is_val && !dom->subset) {
        hand_cv(g, &h, NO_SLOT, dom->hi);
    }
    return find_and_call(g, &h, want);
}

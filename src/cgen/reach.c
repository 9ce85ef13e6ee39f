/* Walks all code that a search runs, looking for operators with effects. */
#include "cgen/reach.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "cgen/cgen.h"
#include "eval/code.h"
#include "eval/native.h"
#include "ir/walk.h"
#include "value/value.h"

struct reach {
    const struct spec *spec;
    uint8_t *seen; /* by the ids of expressions and actions */
    uint32_t n;
    const struct native *found;
    bool prints;
    bool starting;   /* it is the initial predicate that is walked */
    uint64_t vars;   /* that are read; all: they are not known */
    uint64_t primed; /* likewise, of the next state */
    VEC(const struct unit *) units;
    const struct native *draws; /* in the initial predicate */
};

static bool first_visit(struct reach *r, uint32_t id)
{
    if (id >= r->n || r->seen[id]) {
        return false;
    }
    r->seen[id] = 1;
    return true;
}

static void on_ex(void *arg, const struct ex *x);
static void on_act(void *arg, const struct act *a);
static void on_unit(void *arg, const struct unit *u);

static void on_unit(void *arg, const struct unit *u)
{
    struct reach *r = arg;
    struct visitor v = {on_ex, on_act, on_unit, r};
    if (!u) {
        return;
    }
    for (size_t i = 0; i < r->units.n; i++) {
        if (r->units.v[i] == u) {
            return;
        }
    }
    VEC_PUSH(&r->units, u);
    walk_unit(u, &v);
}

/* TLCGet("level"): it changes with the state, and has no effect. */
static bool is_level(const struct reach *r, const struct ex *x)
{
    const struct native *native = x->u.p;
    struct vctx ctx = {.strings = r->spec->strings};
    return native->id == NATIVE_TLC_GET && x->n == 1 && x->kid[0]->op == EX_CONST &&
           val_is_str(x->kid[0]->u.val) && str_is(val_str_text(&ctx, x->kid[0]->u.val), "level");
}

static bool is_random(const struct native *native)
{
    return native->id == NATIVE_RANDOM_ELEMENT || native->id == NATIVE_RANDOM_SUBSET ||
           native->id == NATIVE_RANDOM_SET_OF_SUBSETS;
}

/* The interpreter makes the initial states, so they may be drawn. */
static void note_effect(struct reach *r, const struct ex *x)
{
    const struct native *native = x->u.p;
    if (r->starting && is_random(native)) {
        r->draws = native;
        return;
    }
    if (native->id == NATIVE_PRINT || native->id == NATIVE_PRINT_T) {
        r->prints = true;
    } else if (!is_level(r, x)) {
        r->found = native;
    }
}

static void on_ex(void *arg, const struct ex *x)
{
    struct reach *r = arg;
    struct visitor v = {on_ex, on_act, on_unit, r};
    if (!first_visit(r, x->id)) {
        return;
    }
    if (x->op == EX_VAR0) {
        r->vars |= x->u.i < 64 ? UINT64_C(1) << x->u.i : UINT64_MAX;
    } else if (x->op == EX_VAR1 || x->op == EX_ENABLED || x->op == EX_CDOT ||
               x->op == EX_LEVEL_BELOW || x->op == EX_NEXT_LEVEL) {
        r->vars = UINT64_MAX;
        r->primed |= x->op != EX_VAR1 ? 0 : x->u.i < 64 ? UINT64_C(1) << x->u.i : UINT64_MAX;
    } else if (x->op == EX_NATIVE && (((const struct native *)x->u.p)->flags & NATIVE_IMPURE)) {
        r->vars = UINT64_MAX;
        note_effect(r, x);
    }
    walk_ex(x, &v);
}

static void on_act(void *arg, const struct act *a)
{
    struct reach *r = arg;
    struct visitor v = {on_ex, on_act, on_unit, r};
    if (a && first_visit(r, a->id)) {
        walk_act(a, &v);
    }
}

static void walk_preds(struct reach *r, const struct pred *preds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        on_unit(r, preds[i].unit);
    }
}

static void reach_begin(struct reach *r, const struct spec *spec)
{
    *r = (struct reach){.spec = spec, .n = spec->nex + 1};
    r->seen = vec_grow(NULL, &(size_t){0}, r->n, 1);
    memset(r->seen, 0, r->n);
}

static void reach_end(struct reach *r)
{
    vec_release(r->seen);
    VEC_DONE(&r->units);
}

uint64_t reach_vars(const struct spec *spec, const struct ex *x)
{
    struct reach r;
    reach_begin(&r, spec);
    on_ex(&r, x);
    reach_end(&r);
    return r.found || r.prints ? UINT64_MAX : r.vars;
}

uint64_t reach_primed(const struct spec *spec, const struct unit *unit)
{
    struct reach r;
    reach_begin(&r, spec);
    on_unit(&r, unit);
    reach_end(&r);
    return r.primed;
}

/* All that a search runs. */
static void reach_all(struct reach *r, const struct spec *spec)
{
    reach_begin(r, spec);
    on_act(r, spec->next);
    walk_preds(r, spec->prop_preds.v, spec->prop_preds.n);
    walk_preds(r, spec->constraints.v, spec->constraints.n);
    walk_preds(r, spec->action_constraints.v, spec->action_constraints.n);
    walk_preds(r, spec->state_leaves.v, spec->state_leaves.n);
    walk_preds(r, spec->action_leaves.v, spec->action_leaves.n);
    on_unit(r, spec->view.unit);
    r->starting = true; /* the last one: what was met before is not looked at again */
    on_act(r, spec->init);
    reach_end(r);
}

const struct native *reach_effects(const struct spec *spec)
{
    struct reach r;
    reach_all(&r, spec);
    return r.found;
}

const char *cgen_one_process(const struct model *model)
{
    const struct spec *spec = (const struct spec *)model;
    struct reach r;
    reach_all(&r, spec);
    return r.found                ? r.found->name
           : r.draws              ? r.draws->name
           : r.prints             ? "Print"
           : spec->possible.n > 0 ? "_POSSIBLE"
                                  : NULL;
}

bool reach_prints(const struct spec *spec)
{
    struct reach r;
    reach_all(&r, spec);
    return r.prints;
}

bool reach_act_prints(const struct spec *spec, const struct act *act)
{
    struct reach r;
    reach_begin(&r, spec);
    on_act(&r, act);
    reach_end(&r);
    return r.prints;
}

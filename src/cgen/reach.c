/* Walks all code that a search runs, looking for operators with effects. */
#include "cgen/reach.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "eval/act.h"
#include "eval/eval_int.h"
#include "eval/native.h"
#include "eval/ops.h"

struct reach {
    uint8_t *seen; /* by the ids of expressions and actions */
    uint32_t n;
    const struct native *found;
    uint64_t vars;
    VEC(const struct unit *) units;
};

static void walk_ex(struct reach *r, const struct ex *x);
static void walk_act(struct reach *r, const struct act *a);

static bool visit(struct reach *r, uint32_t id)
{
    if (id >= r->n || r->seen[id]) {
        return false;
    }
    r->seen[id] = 1;
    return true;
}

static void walk_unit(struct reach *r, const struct unit *u)
{
    if (!u) {
        return;
    }
    for (size_t i = 0; i < r->units.n; i++) {
        if (r->units.v[i] == u) {
            return;
        }
    }
    VEC_PUSH(&r->units, u);
    if (u->body) {
        walk_ex(r, u->body);
    }
    if (u->act) {
        walk_act(r, u->act);
    }
    for (size_t i = 0; i < u->captures.n; i++) {
        walk_unit(r, u->captures.v[i].binding->thunk);
        walk_ex(r, u->captures.v[i].binding->ex);
    }
}

static void walk_binder(struct reach *r, const struct binder *b)
{
    for (uint32_t i = 0; b && i < b->nset; i++) {
        walk_ex(r, b->sets[i]);
    }
}

static void walk_info(struct reach *r, const struct ex *x)
{
    if (x->fn == op_var0) {
        r->vars |= x->u.i < 64 ? UINT64_C(1) << x->u.i : UINT64_MAX;
    } else if (x->fn == op_var1 || x->fn == op_enabled || x->fn == op_cdot ||
               x->fn == op_level_below || x->fn == op_next_level) {
        r->vars = UINT64_MAX;
    }
    if (x->fn == op_native) {
        const struct native *native = x->u.p;
        if (native->flags & NATIVE_IMPURE) {
            r->found = native;
        }
    } else if (x->fn == op_cell) {
        const struct const_cell *cell = x->u.p;
        if (!cell->done) {
            walk_unit(r, cell->unit);
        }
    } else if (x->fn == op_call) {
        walk_unit(r, ((const struct call_info *)x->u.p)->unit);
    } else if (x->fn == op_closure_oper || x->fn == op_closure_thunk) {
        walk_unit(r, x->u.p);
    } else if (x->fn == op_forall || x->fn == op_exists || x->fn == op_choose || x->fn == op_setmap) {
        walk_binder(r, x->u.p);
    } else if (x->fn == op_fcn || x->fn == op_filter) {
        const struct fcn_info *info = x->u.p;
        walk_binder(r, info->binder);
        walk_unit(r, info->unit);
    } else if (x->fn == op_enabled || x->fn == op_cdot) {
        walk_act(r, x->u.p);
    } else if (x->fn == op_except) {
        const struct except_info *info = x->u.p;
        for (uint32_t i = 0; i < info->n; i++) {
            for (uint32_t k = 0; k < info->spec[i].npath; k++) {
                walk_ex(r, info->spec[i].path[k]);
            }
            walk_ex(r, info->spec[i].value);
        }
    }
}

static void walk_ex(struct reach *r, const struct ex *x)
{
    if (!x || !visit(r, x->id)) {
        return;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        walk_ex(r, x->kid[i]);
    }
    walk_info(r, x);
}

static void walk_act(struct reach *r, const struct act *a)
{
    if (!a || !visit(r, a->id)) {
        return;
    }
    walk_ex(r, a->x);
    walk_ex(r, a->x2);
    walk_binder(r, a->binder);
    for (uint32_t i = 0; i < a->n; i++) {
        walk_act(r, a->kid[i]);
        if (a->fn == act_conj && a->tests && i > 0) {
            walk_ex(r, a->tests[i]);
        }
    }
    if (a->fn == act_case) {
        const struct act_case_info *info = a->info;
        for (uint32_t i = 0; i < info->nguard; i++) {
            walk_ex(r, info->guards[i]);
        }
    }
    if (a->fn == act_call || a->fn == act_fapply) {
        const struct unit *u = a->info;
        walk_unit(r, u);
        for (uint32_t i = 0; a->args && i < u->nparam; i++) {
            walk_ex(r, a->args[i]);
        }
    }
}

static void walk_preds(struct reach *r, const struct pred *preds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        walk_unit(r, preds[i].unit);
    }
}

static void reach_begin(struct reach *r, const struct spec *spec)
{
    *r = (struct reach){.n = spec->nex + 1};
    r->seen = vec_grow(NULL, &(size_t){0}, r->n, 1);
    memset(r->seen, 0, r->n);
}

uint64_t reach_vars(const struct spec *spec, const struct ex *x)
{
    struct reach r;
    reach_begin(&r, spec);
    walk_ex(&r, x);
    vec_release(r.seen);
    VEC_DONE(&r.units);
    return r.found ? UINT64_MAX : r.vars;
}

const struct native *reach_effects(const struct spec *spec)
{
    struct reach r;
    reach_begin(&r, spec);
    walk_act(&r, spec->init);
    walk_act(&r, spec->next);
    walk_preds(&r, spec->prop_preds.v, spec->prop_preds.n);
    walk_preds(&r, spec->constraints.v, spec->constraints.n);
    walk_preds(&r, spec->action_constraints.v, spec->action_constraints.n);
    walk_preds(&r, spec->state_leaves.v, spec->state_leaves.n);
    walk_preds(&r, spec->action_leaves.v, spec->action_leaves.n);
    walk_unit(&r, spec->view.unit);
    vec_release(r.seen);
    VEC_DONE(&r.units);
    return r.found;
}

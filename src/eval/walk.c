/* What hangs below the nodes of the lowered graph. */
#include "eval/walk.h"

#include <stddef.h>
#include <stdint.h>

#include "eval/act.h"
#include "eval/code.h"
#include "eval/native.h"
#include "eval/ops.h"

static void visit_ex(const struct visitor *v, const struct ex *x)
{
    if (x) {
        v->ex(v->arg, x);
    }
}

static void visit_binder(const struct visitor *v, const struct binder *b)
{
    for (uint32_t i = 0; b && i < b->nset; i++) {
        visit_ex(v, b->sets[i]);
    }
}

static void visit_except(const struct visitor *v, const struct except_info *info)
{
    for (uint32_t i = 0; i < info->n; i++) {
        for (uint32_t k = 0; k < info->spec[i].npath; k++) {
            visit_ex(v, info->spec[i].path[k]);
        }
        visit_ex(v, info->spec[i].value);
    }
}

void walk_ex(const struct ex *x, const struct visitor *v)
{
    for (uint32_t i = 0; i < x->n; i++) {
        visit_ex(v, x->kid[i]);
    }
    if (x->fn == op_cell) {
        const struct const_cell *cell = x->u.p;
        if (!cell->done) {
            v->unit(v->arg, cell->unit);
        }
    } else if (x->fn == op_call) {
        v->unit(v->arg, ((const struct call_info *)x->u.p)->unit);
    } else if (x->fn == op_closure_oper || x->fn == op_closure_thunk) {
        v->unit(v->arg, x->u.p);
    } else if (x->fn == op_forall || x->fn == op_exists || x->fn == op_choose ||
               x->fn == op_setmap) {
        visit_binder(v, x->u.p);
    } else if (x->fn == op_fcn || x->fn == op_filter) {
        const struct fcn_info *info = x->u.p;
        visit_binder(v, info->binder);
        v->unit(v->arg, info->unit);
    } else if (x->fn == op_enabled || x->fn == op_cdot) {
        v->act(v->arg, x->u.p);
    } else if (x->fn == op_except) {
        visit_except(v, x->u.p);
    }
}

void walk_act(const struct act *a, const struct visitor *v)
{
    visit_ex(v, a->x);
    visit_ex(v, a->x2);
    visit_binder(v, a->binder);
    for (uint32_t i = 0; i < a->n; i++) {
        v->act(v->arg, a->kid[i]);
    }
    if (a->fn == act_case) {
        const struct act_case_info *info = a->info;
        for (uint32_t i = 0; i < info->nguard; i++) {
            visit_ex(v, info->guards[i]);
        }
    }
    if (a->fn == act_call || a->fn == act_fapply) {
        const struct unit *u = a->info;
        v->unit(v->arg, u);
        for (uint32_t i = 0; a->args && i < u->nparam; i++) {
            visit_ex(v, a->args[i]);
        }
    }
}

void walk_unit(const struct unit *u, const struct visitor *v)
{
    visit_ex(v, u->body);
    if (u->act) {
        v->act(v->arg, u->act);
    }
    for (size_t i = 0; i < u->captures.n; i++) {
        const struct binding *b = u->captures.v[i].binding;
        if (b->thunk) {
            v->unit(v->arg, b->thunk);
        }
        visit_ex(v, b->ex);
    }
}

bool ex_reads_more(const struct ex *x)
{
    if (x->fn == op_native) {
        return (((const struct native *)x->u.p)->flags & NATIVE_IMPURE) != 0;
    }
    return x->fn == op_eval_definition || x->fn == op_pick_successor || x->fn == op_next_level ||
           x->fn == op_level_below || x->fn == op_possible;
}

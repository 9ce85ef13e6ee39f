/* What hangs below the nodes of the lowered graph. */
#include "ir/walk.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"

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
    switch (ir_ex_ops[x->op].payload) {
    case IR_PAY_CELL: {
        const struct const_cell *cell = x->u.p;
        if (!cell->done) {
            v->unit(v->arg, cell->unit);
        }
        break;
    }
    case IR_PAY_CALL: v->unit(v->arg, ((const struct call_info *)x->u.p)->unit); break;
    case IR_PAY_UNIT: v->unit(v->arg, x->u.p); break;
    case IR_PAY_BINDER: visit_binder(v, x->u.p); break;
    case IR_PAY_FCN: {
        const struct fcn_info *info = x->u.p;
        visit_binder(v, info->binder);
        v->unit(v->arg, info->unit);
        break;
    }
    case IR_PAY_ACTION: v->act(v->arg, x->u.p); break;
    case IR_PAY_EXCEPT: visit_except(v, x->u.p); break;
    default: break; /* nothing that is code */
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
    if (ir_act_ops[a->op].payload == IR_PAY_GUARDS) {
        const struct act_case_info *info = a->info;
        for (uint32_t i = 0; i < info->nguard; i++) {
            visit_ex(v, info->guards[i]);
        }
    }
    if (ir_act_ops[a->op].payload == IR_PAY_CALL) {
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
    if (x->op == EX_NATIVE) {
        return (((const struct native *)x->u.p)->flags & NATIVE_IMPURE) != 0;
    }
    return ex_has(x, IR_MORE);
}

void visits_init(struct visits *visits, struct arena *arena, uint32_t nex)
{
    *visits = (struct visits){.seen = ARENA_ARRAY(arena, uint8_t, nex + 1), .nex = nex};
}

void visits_done(struct visits *visits)
{
    VEC_DONE(&visits->units);
}

void visits_forget(struct visits *visits)
{
    memset(visits->seen, 0, visits->nex + 1);
    visits->units.n = 0;
}

bool visits_first(struct visits *visits, uint32_t id)
{
    bool first = visits->seen[id] == 0;
    visits->seen[id] = 1;
    return first;
}

bool visits_first_unit(struct visits *visits, const struct unit *u)
{
    for (size_t i = 0; i < visits->units.n; i++) {
        if (visits->units.v[i] == u) {
            return false;
        }
    }
    VEC_PUSH(&visits->units, u);
    return true;
}

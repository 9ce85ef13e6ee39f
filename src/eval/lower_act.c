/* Lowering actions: the initial predicate and the next-state relation as code that enumerates
 * states; names of actions.
 *
 * While the outer part of Next is walked (disjunctions, \E, operators), the operator entered last
 * gives its name to what lies below; where that walk ends a mark is put, so that every step
 * knows its action and its parameters. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/lower.h"
#include "eval/lower_act_int.h"
#include "eval/ops.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

struct act *act_new(struct spec *spec, enum act_op op, const struct node *src, size_t nkid)
{
    struct act *a = arena_zalloc(spec->arena, sizeof *a + sizeof a->kid[0] * nkid);
    a->op = (uint8_t)op;
    a->run = act_runs[op];
    a->src = src;
    a->n = (uint32_t)nkid;
    a->id = spec->nex++;
    if (spec->options.branches) {
        a->arms = spec->nex;
        spec->nex += (uint32_t)nkid;
    }
    if (spec->options.coverage) {
        VEC_PUSH(&spec->all_act, a);
    }
    return a;
}

static const struct act *low(struct ac ac, const struct node *node);
static const struct act *low_ref(struct ac ac, const struct node *node, const struct def *def,
                                 struct binding **args, size_t nargs);

struct act *act_new1(struct ac ac, enum act_op op, const struct node *src, const struct act *kid)
{
    struct act *a = act_new(ac.lc.spec, op, src, kid ? 1 : 0);
    a->init = ac.lc.init;
    if (kid) {
        a->kid[0] = kid;
    }
    return a;
}

static const struct act *act_wrap_let(struct ac ac, const struct node *src, struct slot_list *slots,
                                      const struct act *body)
{
    if (slots->v.n == 0) {
        return body;
    }
    struct act *a = act_new1(ac, ACT_LET, src, body);
    uint32_t *copy = ARENA_ARRAY(ac.lc.spec->arena, uint32_t, slots->v.n);
    memcpy(copy, slots->v.v, sizeof *copy * slots->v.n);
    a->slots = copy;
    a->nslot = (uint32_t)slots->v.n;
    VEC_DONE(&slots->v);
    return a;
}

static const struct act *low_test(struct ac ac, const struct node *node)
{
    struct act *a = act_new1(ac, ACT_TEST, node, NULL);
    a->x = lower(ac.lc, node);
    return a;
}

/* ---- junctions, choices ---- */
static const struct act *low_kids(struct ac ac, const struct node *node, enum act_op op)
{
    struct act *a = act_new(ac.lc.spec, op, node, node->nkid);
    a->init = ac.lc.init;
    for (uint32_t i = 0; i < node->nkid; i++) {
        a->kid[i] = low(ac, node->kid[i]);
    }
    return a;
}

static const struct act *low_conj(struct ac ac, const struct node *node)
{
    struct act *a = act_new(ac.lc.spec, ACT_CONJ, node, node->nkid);
    size_t first = ac.lc.spec->sites.n;
    a->init = ac.lc.init;
    for (uint32_t i = 0; i < node->nkid; i++) {
        size_t second = ac.lc.spec->sites.n;
        a->kid[i] = low(ac, node->kid[i]);
        lower_check_labels(ac, node, first, second);
    }
    a->tests = ARENA_ARRAY(ac.lc.spec->arena, const struct ex *, node->nkid + 1);
    for (uint32_t i = 1; i < node->nkid; i++) {
        a->tests[i] = lower(ac.lc, node->kid[i]);
    }
    return a;
}

static const struct act *low_if(struct ac ac, const struct node *node)
{
    struct act *a = act_new(ac.lc.spec, ACT_IF, node, 2);
    a->init = ac.lc.init;
    a->x = lower(ac.lc, node->kid[0]);
    a->kid[0] = low(ac, node->kid[1]);
    a->kid[1] = low(ac, node->kid[2]);
    return a;
}

static const struct act *low_case(struct ac ac, const struct node *node)
{
    struct act *a = act_new(ac.lc.spec, ACT_CASE, node, node->nkid);
    struct act_case_info *info = ARENA_NEW(ac.lc.spec->arena, struct act_case_info);
    a->init = ac.lc.init;
    a->info = info;
    info->guards = ARENA_ARRAY(ac.lc.spec->arena, const struct ex *, node->nkid + 1);
    for (uint32_t i = 0; i < node->nkid; i++) {
        const struct node *arm = node->kid[i];
        if (arm->kind == N_ARM) {
            info->guards[info->nguard++] = lower(ac.lc, arm->kid[0]);
        }
        a->kid[i] = low(ac, arm->kid[arm->nkid - 1]);
    }
    return a;
}

static const struct act *low_let(struct ac ac, const struct node *node)
{
    struct slot_list slots = {0};
    ac.lc.env = lower_let_env(ac.lc, node, &slots);
    const struct act *body = low(ac, node->kid[node->nkid - 1]);
    return act_wrap_let(ac, node, &slots, body);
}

/* \E and \A over bounds; while naming, the variables of \E become parameters of the action. */
static const struct act *low_quant(struct ac ac, const struct node *node)
{
    struct spec *spec = ac.lc.spec;
    bool exists = node->kind == N_EXISTS;
    struct act *a = act_new(spec, exists ? ACT_EXISTS : ACT_FORALL, node, 1);
    struct naming deeper;
    a->init = ac.lc.init;
    a->info = ac.lc.unit;
    struct binder *b = lower_bounds(&ac.lc, node->kid, node->nkid - 1);
    a->binder = b;
    a->x = lower_ex_const(spec, node, VAL_TRUE); /* carries the place for messages */
    if (!exists) {
        ac.naming = NULL;
        ac.around = NULL;
        a->tests = ARENA_ARRAY(spec->arena, const struct ex *, 1);
        a->tests[0] = lower(ac.lc, node->kid[node->nkid - 1]);
    }
    if (ac.naming) {
        deeper = *ac.naming;
        memset(&deeper.params, 0, sizeof deeper.params);
        memset(&deeper.args, 0, sizeof deeper.args);
        for (size_t i = 0; i < ac.naming->args.n; i++) {
            VEC_PUSH(&deeper.params, ac.naming->params.v[i]);
            VEC_PUSH(&deeper.args, ac.naming->args.v[i]);
        }
        for (uint32_t i = 0; i < b->nvar; i++) {
            for (uint32_t j = 0; j < b->vars[i].nslot; j++) {
                struct ex *x = lower_ex(spec, EX_SLOT, node, 0);
                x->slot = b->vars[i].slots[j];
                VEC_PUSH(&deeper.params,
                         arena_strndup(spec->arena, b->vars[i].names[j].p, b->vars[i].names[j].n));
                VEC_PUSH(&deeper.args, x);
            }
        }
        for (uint32_t i = 0; i < b->nset && !deeper.tlc_node; i++) {
            if (b->sets[i]->level > LEVEL_CONSTANT) {
                deeper.tlc_node = node;
                deeper.tlc_name = deeper.unnamed ? "Action" : deeper.name;
                lower_tlc_stops(spec, &deeper);
            }
        }
        ac.naming = &deeper;
    }
    a->kid[0] = low(ac, node->kid[node->nkid - 1]);
    if (ac.naming) {
        VEC_DONE(&deeper.params);
        VEC_DONE(&deeper.args);
    }
    return a;
}

/* ---- assignment ---- */

/* The variable that an expression names (after substitution), primed or not as asked; -1 when it is
 * anything else. */
static int64_t as_variable(struct lc lc, const struct node *node, bool primed)
{
    const struct ex *x = lower(lc, node);
    if (!ex_is_var(x)) {
        return -1;
    }
    return (x->op == EX_VAR1) == primed ? x->u.i : -1;
}

/* Whether lowering the left side just to look at it is worthwhile: it must be a name, primed or
 * not, or something around one. */
static bool may_be_variable(const struct node *node)
{
    while (node->kind == N_OP && node->nkid == 1 && lower_is_builtin(node->ref, "'")) {
        node = node->kid[0];
    }
    return node->kind == N_ID || node->kind == N_BANG || node->kind == N_APP ||
           node->kind == N_LET || node->kind == N_LABEL;
}

static const struct act *low_relation(struct ac ac, const struct node *node, enum act_op assign)
{
    if (ac.lc.primed || !may_be_variable(node->kid[0])) {
        return low_test(ac, node);
    }
    int64_t var = as_variable(ac.lc, node->kid[0], !ac.lc.init);
    if (var < 0) {
        return low_test(ac, node);
    }
    struct act *a = act_new1(ac, assign, node, NULL);
    a->var = (uint32_t)var;
    a->x = lower(ac.lc, node->kid[1]);
    return a;
}

static const struct act *low_eq(struct ac ac, const struct node *node)
{
    return low_relation(ac, node, ACT_ASSIGN);
}

static const struct act *low_in(struct ac ac, const struct node *node)
{
    return low_relation(ac, node, ACT_ASSIGN_IN);
}

static const struct act *low_subseteq(struct ac ac, const struct node *node)
{
    return low_relation(ac, node, ACT_ASSIGN_SUBSETEQ);
}

/* ---- UNCHANGED ---- */
static bool unchanged_vars(struct lc lc, const struct ex *x, uint32_t *vars, uint32_t *n,
                           uint32_t max)
{
    (void)lc;
    if (x->op == EX_VAR0) {
        if (*n == max) {
            return false;
        }
        vars[(*n)++] = (uint32_t)x->u.i;
        return true;
    }
    if (x->op != EX_TUPLE) {
        return false;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        if (!unchanged_vars(lc, x->kid[i], vars, n, max)) {
            return false;
        }
    }
    return true;
}

/* UNCHANGED e where e is not made of variables only: tuples are taken apart, names are followed,
 * the rest is tested. */
static const struct act *unchanged_parts(struct ac ac, const struct node *node, const struct ex *x0,
                                         const struct ex *x1)
{
    if (x0->op == EX_VAR0 && ex_is_var(x1) && x1->u.i == x0->u.i) {
        struct act *a = act_new1(ac, ACT_UNCHANGED_VAR, node, NULL);
        a->var = (uint32_t)x0->u.i;
        return a;
    }
    if (x1->op == EX_VAR1) { /* bound by ENABLED */
        struct act *a = act_new1(ac, ACT_ASSIGN, node, NULL);
        a->var = (uint32_t)x1->u.i;
        a->x = x0;
        return a;
    }
    if (x0->op == EX_TUPLE && x1->op == EX_TUPLE && x0->n == x1->n && x0->n > 0) {
        struct act *a = act_new(ac.lc.spec, ACT_CONJ, node, x0->n);
        for (uint32_t i = 0; i < x0->n; i++) {
            a->kid[i] = unchanged_parts(ac, node, x0->kid[i], x1->kid[i]);
        }
        return a;
    }
    const struct ex *kids[2] = {x0, x1};
    struct act *a = act_new1(ac, ACT_TEST, node, NULL);
    a->x = lower_ex_kids(ac.lc.spec, EX_UNCHANGED, node, kids, 2);
    return a;
}

static const struct act *low_unchanged_of(struct ac ac, const struct node *src,
                                          const struct node *expr)
{
    uint32_t vars[256];
    uint32_t n = 0;
    struct lc next = ac.lc;
    next.primed = true;
    const struct ex *x0 = lower(ac.lc, expr);
    if (!ac.lc.enabled && unchanged_vars(ac.lc, x0, vars, &n, 256)) {
        struct act *a = act_new1(ac, n == 1 ? ACT_UNCHANGED_VAR : ACT_UNCHANGED_VARS, src, NULL);
        uint32_t *copy = ARENA_ARRAY(ac.lc.spec->arena, uint32_t, n + 1);
        memcpy(copy, vars, sizeof *copy * n);
        a->slots = copy;
        a->nslot = n;
        a->var = n ? vars[0] : 0;
        return a;
    }
    return unchanged_parts(ac, src, x0, lower(next, expr));
}

static const struct act *low_unchanged(struct ac ac, const struct node *node)
{
    return ac.lc.init || ac.lc.primed ? low_test(ac, node)
                                      : low_unchanged_of(ac, node, node->kid[0]);
}

/* ---- [A]_v, <<A>>_v ---- */
static const struct act *act_change(struct ac ac, const struct node *node,
                                    const struct node *subscript)
{
    struct lc next = ac.lc;
    next.primed = true;
    struct act *a = act_new1(ac, ACT_CHANGED, node, NULL);
    a->x = lower(ac.lc, subscript);
    a->x2 = lower(next, subscript);
    return a;
}

static const struct act *low_box(struct ac ac, const struct node *node)
{
    struct act *a = act_new(ac.lc.spec, ACT_DISJ, node, 2);
    a->kid[0] = low(ac, node->kid[0]);
    a->kid[1] = low_unchanged_of(ac, node, node->kid[1]);
    return a;
}

static const struct act *low_angle(struct ac ac, const struct node *node)
{
    struct act *a = act_new(ac.lc.spec, ACT_CONJ, node, 2);
    a->kid[0] = low(ac, node->kid[0]);
    a->kid[1] = act_change(ac, node, node->kid[1]);
    return a;
}

static const struct act *low_cdot(struct ac ac, const struct node *node)
{
    if (!ac.lc.spec->options.action_composition) {
        return low_test(ac, node);
    }
    return low_kids(ac, node, ACT_CDOT);
}

static const struct act *low_implies(struct ac ac, const struct node *node)
{
    struct act *a = act_new1(ac, ACT_IMPLIES, node, low(ac, node->kid[1]));
    a->x = lower(ac.lc, node->kid[0]);
    return a;
}

/* f[e] as an action: when f is a function that is not tabulated, TLC enumerates its body instead of
 * evaluating it, so that \/ and \E in the body give a state for each way to be true. */
static struct unit *lambda_of(struct ac ac, const struct ex *x)
{
    while (x->op == EX_LAZY || x->op == EX_LAZY_STEP || x->op == EX_LET) {
        x = x->kid[0];
    }
    if (x->op == EX_CELL) {
        x = ((const struct const_cell *)x->u.p)->unit->body;
    }
    if (x->op == EX_FCN) {
        return (struct unit *)((const struct fcn_info *)x->u.p)->unit;
    }
    return x->op == EX_SLOT && ac.lc.unit->self == x->slot ? ac.lc.unit : NULL;
}

/* The function itself where its name is that of a LET: TLC does not keep its table for actions. */
static const struct ex *let_function(struct ac ac, const struct node *name)
{
    struct binding *b = name->kind == N_ID ? env_find(ac.lc.env, name->ref) : NULL;
    if (!b || b->kind != BIND_LAZY || !b->let) {
        return NULL;
    }
    struct lc lc = ac.lc;
    lc.env = b->env;
    lc.at = b->at;
    lc.enabled = b->enabled;
    lc.keep_lazy = true;
    const struct ex *f = lower(lc, b->node);
    return f->op == EX_FCN ? f : NULL;
}

static const struct act *low_fapply(struct ac ac, const struct node *node)
{
    struct lc fun = ac.lc;
    fun.keep_lazy = true;
    const struct ex *f = let_function(ac, node->kid[0]);
    if (!f) {
        f = lower(fun, node->kid[0]);
    }
    struct unit *u = lambda_of(ac, f);
    if (!u) {
        return low_test(ac, node);
    }
    if (!u->act_busy) {
        struct ac inner = {*u->body_lc, NULL, NULL};
        inner.lc.init = ac.lc.init;
        u->act_busy = true;
        u->act = low(inner, u->body_node);
    }
    struct act *a = act_new1(ac, ACT_FAPPLY, node, NULL);
    a->x = f;
    a->x2 = lower_index(ac.lc, node, node->kid + 1, node->nkid - 1);
    a->info = u;
    return a;
}

/* ---- operators ---- */

/* What a name that stands for a name stands for. */
static struct binding *settled(struct binding *b)
{
    while (b->kind == BIND_NAME && b->node->kind == N_ID) {
        struct binding *next = env_find(b->env, b->node->ref);
        if (!next || next->primed != b->primed) {
            break;
        }
        b = next;
    }
    return b;
}

/* Arguments of a recursive operator that are variables which an action may assign: such a parameter
 * stands for the variable itself, so each set of them makes a unit of its own. */
static uint32_t *assigned_args(struct ac caller, const struct node *node, struct target t)
{
    struct spec *spec = caller.lc.spec;
    uint32_t *vars = ARENA_ARRAY(spec->arena, uint32_t, t.def->arity + 1);
    for (uint32_t i = 0; i < t.def->arity; i++) {
        vars[i] = NO_SLOT;
        if (t.def->params[i]->arity > 0 || t.args[i]->kind != BIND_NAME) {
            continue;
        }
        const struct ex *x = lower_binding(caller.lc, node, t.args[i], NULL, 0);
        if (ex_is_var(x) && (x->op == EX_VAR1) == !caller.lc.init) {
            vars[i] = (uint32_t)x->u.i;
        }
    }
    return vars;
}

/* Arguments of a recursive operator that are operators: likewise. NULL: others. */
static struct binding **operator_args(struct ac caller, struct target t, bool *ret_some)
{
    struct binding **args = ARENA_ARRAY(caller.lc.spec->arena, struct binding *, t.def->arity + 1);
    *ret_some = false;
    for (uint32_t i = 0; i < t.def->arity; i++) {
        args[i] = t.def->params[i]->arity > 0 ? settled(t.args[i]) : NULL;
        *ret_some |= args[i] != NULL;
    }
    return args;
}

/* A recursive operator that is called with a new LAMBDA in each call would be lowered without end:
 * is one of its arguments made inside itself? */
static bool passes_new_operators(struct ac caller, struct target t)
{
    for (uint32_t i = 0; i < t.def->arity; i++) {
        const struct binding *b = t.def->params[i]->arity > 0 ? settled(t.args[i]) : NULL;
        bool inside = false;
        for (const struct unit *u = b && b->kind == BIND_NAME ? caller.lc.unit : NULL; u;
             u = u->parent) {
            inside |= u == b->unit;
            if (inside && u->def == t.def) {
                return true;
            }
        }
    }
    return false;
}

static struct unit *recursive_unit(struct ac ac, struct ac caller, struct target t,
                                   const uint32_t *vars)
{
    bool operators;
    struct binding **opers = operator_args(caller, t, &operators);
    struct spec *spec = ac.lc.spec;
    const struct def *def = t.def;
    for (size_t i = 0; i < spec->act_funs.n; i++) {
        const struct fun_entry *f = &spec->act_funs.v[i];
        if (f->vars && f->key.def == def && f->key.env == ac.lc.env &&
            f->key.enabled == ac.lc.enabled && f->key.init == ac.lc.init &&
            memcmp(f->vars, vars, sizeof *vars * def->arity) == 0 &&
            memcmp((const void *)f->args, (const void *)opers,
                   sizeof(struct binding *) * def->arity) == 0) {
            return f->unit;
        }
    }
    struct unit *u = unit_new(spec, operators ? caller.lc.unit : NULL);
    u->def = def;
    u->nparam = def->arity;
    u->param = ARENA_ARRAY(spec->arena, uint32_t, def->arity + 1);
    VEC_PUSH(&spec->act_funs,
             (struct fun_entry){
                 {def, ac.lc.env, ac.lc.enabled, false, ac.lc.init, false},
                 u, vars, opers
    });
    struct ac inner = ac;
    inner.lc.unit = u;
    inner.around = NULL;
    for (uint32_t i = 0; i < def->arity; i++) {
        struct binding *b = opers[i] ? opers[i] : t.args[i];
        u->param[i] = NO_SLOT;
        if (vars[i] == NO_SLOT && !opers[i]) {
            b = bind_new(inner.lc, BIND_SLOT);
            b->slot = u->param[i] = slot_new(u);
        }
        inner.lc.env = env_bind(spec, inner.lc.env, def->params[i], b);
    }
    u->act = low(inner, def->body);
    return u;
}

/* A recursive operator as an action. */
static const struct act *low_recursive(struct ac ac, struct ac caller, const struct node *node,
                                       struct target t)
{
    const struct def *def = t.def;
    const uint32_t *vars = assigned_args(caller, node, t);
    struct act *a = act_new1(ac, ACT_CALL, node, NULL);
    struct unit *u = recursive_unit(ac, caller, t, vars);
    a->info = u;
    a->call = lower_call_info(ac.lc.spec, caller.lc.unit, u);
    a->args = ARENA_ARRAY(ac.lc.spec->arena, const struct ex *, def->arity + 1);
    for (uint32_t i = 0; i < def->arity; i++) {
        if (vars[i] == NO_SLOT && def->params[i]->arity == 0) {
            a->args[i] = lower_binding(caller.lc, node, t.args[i], NULL, 0);
        }
    }
    return a;
}

/* ---- what is lowered once and called ----
 *
 * Actions are inlined, so that every step knows its names and values; an action that names another
 * one twice, which names another one twice, would be lowered exponentially often. So when very many
 * nodes have been made (lower_crowded), operators and arguments become units, one for each meaning,
 * with a frame of their own. */

/* The arguments that the unit of an operator is made for, and NULL where it gets a value. */
static struct binding **args_of_unit(struct ac caller, struct target t)
{
    struct spec *spec = caller.lc.spec;
    struct binding **args = ARENA_ARRAY(spec->arena, struct binding *, t.def->arity + 1);
    enum level known = caller.lc.init ? LEVEL_CONSTANT : LEVEL_STATE;
    bool values = lower_takes_values(spec, t.def);
    for (uint32_t i = 0; i < t.def->arity; i++) {
        bool value = values && t.def->params[i]->arity == 0 && t.args[i]->level <= known;
        args[i] = value ? NULL : settled(t.args[i]);
    }
    return args;
}

static struct unit *unit_find(struct ac ac, const struct def *def, struct binding *const *args)
{
    const struct spec *spec = ac.lc.spec;
    for (size_t i = 0; i < spec->act_funs.n; i++) {
        const struct fun_entry *f = &spec->act_funs.v[i];
        if (!f->vars && f->key.def == def && f->key.env == ac.lc.env &&
            f->key.enabled == ac.lc.enabled && f->key.init == ac.lc.init &&
            f->key.primed == ac.lc.primed &&
            memcmp((const void *)f->args, (const void *)args,
                   sizeof(struct binding *) * def->arity) == 0) {
            return f->unit;
        }
    }
    return NULL;
}

static struct unit *unit_make(struct ac ac, struct ac caller, struct target t,
                              struct binding **args)
{
    struct spec *spec = ac.lc.spec;
    const struct def *def = t.def;
    struct unit *u = unit_new(spec, caller.lc.unit);
    u->def = def;
    u->nparam = def->arity;
    u->param = ARENA_ARRAY(spec->arena, uint32_t, def->arity + 1);
    VEC_PUSH(&spec->act_funs,
             (struct fun_entry){
                 {def, ac.lc.env, ac.lc.enabled, ac.lc.primed, ac.lc.init, 0},
                 u, NULL, args
    });
    struct ac inner = ac;
    struct slot_list slots = {0};
    inner.lc.unit = u;
    inner.lc.at = NULL;
    for (uint32_t i = 0; i < def->arity; i++) {
        struct binding *b = args[i];
        u->param[i] = NO_SLOT;
        if (!b) {
            b = bind_new(inner.lc, BIND_SLOT);
            b->thunks = true;
            b->level = t.args[i]->level;
            b->slot = u->param[i] = slot_new(u);
        }
        inner.lc.env = bind_args(inner.lc, inner.lc.env, &def->params[i], def->body, &b, 1, &slots);
    }
    const struct act *body = low(inner, def->body);
    u->act = act_wrap_let(inner, def->body, &slots, body);
    return u;
}

/* An operator as an action, by a call. */
static const struct act *low_once(struct ac ac, struct ac caller, const struct node *node,
                                  struct target t)
{
    struct binding **args = args_of_unit(caller, t);
    struct unit *u = unit_find(ac, t.def, args);
    if (!u) {
        u = unit_make(ac, caller, t, args);
    }
    struct act *a = act_new1(ac, ACT_CALL, node, NULL);
    a->info = u;
    a->args = ARENA_ARRAY(ac.lc.spec->arena, const struct ex *, t.def->arity + 1);
    for (uint32_t i = 0; i < t.def->arity; i++) {
        a->args[i] = args[i] ? NULL : lower_lazy_arg(caller.lc, node, t.args[i]);
    }
    a->call = lower_call_info(ac.lc.spec, caller.lc.unit, u);
    return a;
}

/* What a lazy name stands for, as an action; `ac` stands where the name does. */
static const struct act *low_meaning(struct ac ac, const struct node *node, struct binding *b)
{
    struct ac inner = ac;
    inner.lc.env = b->env;
    inner.lc.at = b->at;
    inner.lc.enabled = b->enabled;
    if (b->kind != BIND_LAZY || ac.naming || ac.around || !lower_crowded(ac.lc.spec)) {
        return low(inner, b->node);
    }
    if (!b->steps) {
        b->steps = inner.lc.unit = unit_new(ac.lc.spec, b->unit);
        b->steps->act = low(inner, b->node);
    }
    struct act *a = act_new1(ac, ACT_CALL, node, NULL);
    a->info = b->steps;
    a->call = lower_call_info(ac.lc.spec, ac.lc.unit, b->steps);
    return a;
}

/* A name of LET, or an argument, as a conjunct: TLC enumerates what it stands for, so that a
 * disjunction in it gives a state for each way to be true; but an argument whose value is already
 * known is only looked at. */
static const struct act *low_lazy(struct ac ac, const struct node *node, struct binding *b)
{
    struct act *test = act_new1(ac, ACT_TEST, node, NULL);
    test->x = lower_binding(ac.lc, node, b, NULL, 0);
    bool outside = test->x->op == EX_SLOT_THUNK && (b->let || lower_crowded(ac.lc.spec));
    if (test->x->op != EX_LAZY && !outside) {
        return test;
    }
    struct ac inner = ac;
    inner.naming = NULL;
    const struct act *body = low_meaning(inner, node, b);
    if (body->op == ACT_TEST || b->let) {
        return body->op == ACT_TEST ? test : body;
    }
    struct act *a = act_new1(ac, ACT_LAZY, node, body);
    a->x = test->x;
    return a;
}

static const struct act *low_binding(struct ac ac, const struct node *node, struct binding *b,
                                     struct binding **args, size_t nargs)
{
    if (b->kind == BIND_REF) {
        ac.lc.env = b->env;
        return low_ref(ac, node, b->def, args, nargs);
    }
    bool follow = b->kind == BIND_NAME || (b->kind == BIND_LAZY && b->step);
    if (follow && nargs == 0) {
        return low_meaning(ac, node, b);
    }
    if (follow && b->node->kind == N_LAMBDA) {
        struct slot_list slots = {0};
        const struct node *body = b->node->kid[b->node->nkid - 1];
        struct def **params = ARENA_ARRAY(ac.lc.spec->arena, struct def *, nargs + 1);
        for (size_t i = 0; i < nargs && i + 1 < b->node->nkid; i++) {
            params[i] = (struct def *)b->node->kid[i]->ref;
        }
        struct ac inner = ac;
        inner.lc.enabled = b->enabled;
        inner.lc.env = bind_args(ac.lc, b->env, params, body, args, nargs, &slots);
        return act_wrap_let(ac, node, &slots, low(inner, body));
    }
    if (follow && (b->node->kind == N_ID || b->node->kind == N_BANG) && b->node->ref) {
        ac.lc.env = b->env;
        ac.lc.enabled = b->enabled;
        return low_ref(ac, b->node, b->node->ref, args, nargs);
    }
    if (b->kind == BIND_LAZY && nargs == 0) {
        return low_lazy(ac, node, b);
    }
    struct act *a = act_new1(ac, ACT_TEST, node, NULL);
    a->x = lower_binding(ac.lc, node, b, args, nargs);
    return a;
}

static void naming_enter(struct ac ac, struct naming *nm, const struct def *def,
                         const struct node *node, struct env *env, size_t nargs)
{
    struct spec *spec = ac.lc.spec;
    const struct naming *outer = ac.naming ? ac.naming : ac.around;
    *nm = (struct naming){0};
    nm->def = def;
    nm->name = arena_strndup(spec->arena, def->name.p, def->name.n);
    nm->tlc_name = outer->tlc_name;
    nm->tlc_node = outer->tlc_node;
    nm->ntlc = outer->ntlc;
    nm->tlc_params = outer->tlc_params;
    nm->tlc_args = outer->tlc_args;
    for (size_t i = 0; i < nargs; i++) {
        struct lc lc = ac.lc;
        lc.env = env;
        struct binding *b = env_find(env, def->params[i]);
        if (def->params[i]->arity > 0 || !b || b->level > LEVEL_STATE) {
            continue;
        }
        VEC_PUSH(&nm->params,
                 arena_strndup(spec->arena, def->params[i]->name.p, def->params[i]->name.n));
        VEC_PUSH(&nm->args, lower_binding(lc, node, b, NULL, 0));
        nm->nown++;
    }
}

static const struct act *low_ref(struct ac ac, const struct node *node, const struct def *def,
                                 struct binding **args, size_t nargs)
{
    struct ac caller = ac;
    struct target t = lower_resolve(&ac.lc, node, def, args, nargs);
    if (t.binding) {
        return low_binding(caller, node, t.binding, t.args, t.nargs);
    }
    bool follow = !t.has_value && !t.table && t.def->kind == DEF_OP && t.def->body &&
                  !t.def->is_fcn && !native_of_def(ac.lc.spec, t.def) && t.nargs == t.def->arity;
    if (follow && t.nargs == 0 && !t.def->in_let && !ac.lc.env->root->home &&
        lower_level_of_def(ac.lc.spec, t.def, ac.lc.env) == LEVEL_CONSTANT) {
        follow = false; /* a constant: its value is known */
    }
    if (follow && t.def->recursive && (t.home || passes_new_operators(caller, t))) {
        follow = false; /* of a LET: it uses what is bound around it, and is evaluated there */
    }
    if (!follow) {
        struct act *a = act_new1(caller, ACT_TEST, node, NULL);
        a->x = lower_ref(caller.lc, node, def, args, nargs);
        return caller.naming ? lower_mark(caller, node, a) : a;
    }
    if (t.def->recursive) {
        struct ac inner = ac;
        inner.naming = NULL;
        const struct act *a = low_recursive(inner, caller, node, t);
        return caller.naming ? lower_mark(caller, node, a) : a;
    }
    if (!ac.naming && !ac.around && lower_crowded(ac.lc.spec)) {
        return low_once(ac, caller, node, t);
    }
    struct slot_list slots = {0};
    struct naming nm;
    struct ac inner = ac;
    inner.lc.at = NULL;
    inner.lc.env =
        bind_args(caller.lc, ac.lc.env, t.def->params, t.def->body, t.args, t.def->arity, &slots);
    bool label = !ac.naming && ac.around && lower_is_label(ac.lc.spec, t.def);
    if (ac.naming || label) {
        naming_enter(ac, &nm, t.def, node, inner.lc.env, t.nargs);
        inner.naming = ac.naming ? &nm : NULL;
        inner.around = label ? NULL : inner.around;
    }
    const struct act *body = low(inner, t.def->body);
    if (label) {
        struct ac named = inner;
        named.naming = &nm;
        body = lower_mark_new(named, t.def->body, body, ACT_LABEL);
    }
    if (ac.naming || label) {
        VEC_DONE(&nm.params);
        VEC_DONE(&nm.args);
    }
    return act_wrap_let(ac, node, &slots, body);
}

static const struct act *low_name(struct ac ac, const struct node *node)
{
    struct binding **args;
    const struct def *def;
    size_t n = lower_node_args(ac.lc, node, &args, &def);
    if (!def) {
        return low_test(ac, node);
    }
    return low_ref(ac, node, def, args, n);
}

static const struct act *low_op(struct ac ac, const struct node *node)
{
    const struct def *def = node->ref;
    if (!def || def->kind != DEF_BUILTIN) {
        return low_name(ac, node);
    }
    if (lower_is_builtin(def, "=")) {
        return lower_leaf(ac, node, low_eq);
    }
    if (lower_is_builtin(def, "\\in")) {
        return lower_leaf(ac, node, low_in);
    }
    if (lower_is_builtin(def, "\\subseteq")) {
        return lower_leaf(ac, node, low_subseteq);
    }
    if (lower_is_builtin(def, "UNCHANGED")) {
        return lower_leaf(ac, node, low_unchanged);
    }
    if (lower_is_builtin(def, "=>")) {
        return lower_leaf(ac, node, low_implies);
    }
    if (lower_is_builtin(def, "\\cdot")) {
        return lower_leaf(ac, node, low_cdot);
    }
    if (lower_is_builtin(def, "/\\")) {
        return lower_leaf(ac, node, low_conj);
    }
    if (lower_is_builtin(def, "\\/")) {
        return low_kids(ac, node, ACT_DISJ);
    }
    return lower_leaf(ac, node, low_test);
}

static const struct act *low(struct ac ac, const struct node *node)
{
    switch ((enum node_kind)node->kind) {
    case N_DISJ: return low_kids(ac, node, ACT_DISJ);
    case N_CONJ: return lower_leaf(ac, node, low_conj);
    case N_EXISTS: return low_quant(ac, node);
    case N_FORALL: return lower_leaf(ac, node, low_quant);
    case N_IF: return lower_leaf(ac, node, low_if);
    case N_CASE: return lower_leaf(ac, node, low_case);
    case N_LET: return low_let(ac, node);
    case N_LABEL: return low(ac, node->kid[node->nkid - 1]);
    case N_ID:
    case N_APP:
    case N_BANG: return low_name(ac, node);
    case N_OP: return low_op(ac, node);
    case N_FAPPLY: return lower_leaf(ac, node, low_fapply);
    case N_BOXACT: return lower_leaf(ac, node, low_box);
    case N_ANGLEACT: return lower_leaf(ac, node, low_angle);
    default: return lower_leaf(ac, node, low_test);
    }
}

const struct act *lower_act(struct lc lc, const struct node *node)
{
    return low((struct ac){lc, NULL, NULL}, node);
}

const struct act *lower_next(struct lc lc, const struct node *node, const char *name)
{
    struct naming nm = {.name = name ? name : "Next", .unnamed = !name};
    return low((struct ac){lc, &nm, NULL}, node);
}

/* The body of ENABLED A, or of ENABLED <<A>>_subscript. */
const struct act *lower_enabled_body(struct lc lc, const struct node *action,
                                     const struct node *subscript)
{
    lc.enabled = lc.env->root;
    struct ac ac = {lc, NULL, NULL};
    const struct act *body = low(ac, action);
    if (!subscript) {
        return body;
    }
    struct act *a = act_new(lc.spec, ACT_CONJ, action, 2);
    a->kid[0] = body;
    a->kid[1] = act_change(ac, action, subscript);
    return a;
}

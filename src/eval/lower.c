/* Lowering names: environments, units and captures, resolution of definitions through overrides and
 * INSTANCE, calls.
 *
 * A definition is lowered anew wherever it is used under other substitutions; what it is under a
 * given environment is remembered for constants (cells), for functions (recursive operators, and
 * those that size.c finds large) and for the environments of instances. */
#include "eval/lower.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/native.h"
#include "eval/ops.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

#define TRIVIAL_STEPS    100  /* names that stand for names */
#define INLINE_DEPTH_MAX 4000 /* an operator that contains itself without RECURSIVE */
#define NODES_MAX        100000

/* ---- nodes ---- */
struct ex *lower_ex(struct spec *spec, enum ex_op op, const struct node *src, size_t nkid)
{
    struct ex *x = arena_zalloc(spec->arena, sizeof *x + sizeof x->kid[0] * nkid);
    x->run = op_runs[op];
    x->src = src;
    x->op = (uint8_t)op;
    x->n = (uint32_t)nkid;
    x->id = spec->nex++;
    if (spec->options.branches && (ir_ex_ops[op].flags & IR_ARMS)) {
        x->slot = spec->nex;
        spec->nex += (uint32_t)nkid;
    }
    if (spec->options.coverage) {
        VEC_PUSH(&spec->all_ex, x);
    }
    return x;
}

struct ex *lower_ex_kids(struct spec *spec, enum ex_op op, const struct node *src,
                         const struct ex *const *kids, size_t n)
{
    struct ex *x = lower_ex(spec, op, src, n);
    for (size_t i = 0; i < n; i++) {
        x->kid[i] = kids[i];
        if (kids[i]->level > x->level) {
            x->level = kids[i]->level;
        }
    }
    return x;
}

bool lower_crowded(const struct spec *spec)
{
    return spec->nex > NODES_MAX;
}

const struct ex *lower_ex_const(struct spec *spec, const struct node *src, struct val v)
{
    struct ex *x = lower_ex(spec, EX_CONST, src, 0);
    x->u.val = v;
    return x;
}

const struct ex *lower_ex_failing(struct spec *spec, const struct node *src, int code,
                                  const char *fmt, ...)
{
    struct strbuf sb = {.arena = spec->arena};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&sb, fmt, ap);
    va_end(ap);
    struct ex *x = lower_ex(spec, EX_FAIL, src, 0);
    x->u.p = arena_strndup(spec->arena, strbuf_cstr(&sb), sb.n);
    x->slot = (uint32_t)code;
    strbuf_done(&sb);
    return x;
}

/* ---- environments, units ---- */
struct env *env_bind(struct spec *spec, struct env *env, const void *key, struct binding *b)
{
    struct env *e = ARENA_NEW(spec->arena, struct env);
    e->key = key;
    e->binding = b;
    e->next = env;
    e->root = env ? env->root : e;
    return e;
}

struct binding *env_find(const struct env *env, const void *key)
{
    for (; env; env = env->next) {
        if (env->key == key) {
            return env->binding;
        }
    }
    return NULL;
}

/* ENABLED A: primed variables are bound by ENABLED, so that substitutions around it do not touch
 * them. True when `key` is bound only there. */
static bool env_cut(const struct env *env, const void *key, const struct env *cut)
{
    bool outside = false;
    for (; env; env = env->next) {
        outside |= env == cut;
        if (env->key == key) {
            return outside;
        }
    }
    return false;
}

struct binding *bind_new(struct lc lc, enum bind_kind kind)
{
    struct binding *b = ARENA_NEW(lc.spec->arena, struct binding);
    b->kind = kind;
    b->unit = lc.unit;
    b->env = lc.env;
    b->primed = lc.primed;
    b->at = lc.at;
    b->enabled = lc.enabled;
    b->slot = NO_SLOT;
    return b;
}

struct binding *bind_node(struct lc lc, const struct node *node)
{
    struct binding *b = bind_new(lc, BIND_NAME);
    b->node = node;
    b->level = (uint8_t)lower_level_of(lc.spec, node, lc.env);
    return b;
}

struct unit *unit_new(struct spec *spec, struct unit *parent)
{
    struct unit *u = ARENA_NEW(spec->arena, struct unit);
    u->parent = parent;
    u->self = NO_SLOT;
    VEC_PUSH(&spec->units, u);
    return u;
}

uint32_t slot_new(struct unit *unit)
{
    return unit->nslot++;
}

static struct unit *thunk_unit(struct spec *spec, struct binding *b)
{
    if (!b->thunk) {
        struct unit *u = unit_new(spec, b->unit);
        b->thunk = u;
        u->step = b->step;
        struct lc lc = {.spec = spec,
                        .unit = u,
                        .env = b->env,
                        .at = b->at,
                        .enabled = b->enabled,
                        .primed = b->primed};
        u->body = lower(lc, b->node);
    }
    return b->thunk;
}

uint32_t unit_slot_of(struct spec *spec, struct unit *unit, struct binding *b)
{
    if (unit == b->unit) {
        return b->slot;
    }
    for (size_t i = 0; i < unit->captures.n; i++) {
        if (unit->captures.v[i].binding == b) {
            return unit->captures.v[i].to;
        }
    }
    ASSERTF(unit->parent != NULL, "a bound variable is used outside its scope");
    uint32_t to = slot_new(unit);
    VEC_PUSH(&unit->captures, (struct capture){b, NO_SLOT, to});
    size_t at = unit->captures.n - 1;
    uint32_t from = unit_slot_of(spec, unit->parent, b);
    unit->captures.v[at].from = from;
    if (b->kind == BIND_LAZY) {
        (void)thunk_unit(spec, b);
    }
    return to;
}

/* ---- natives ---- */
const struct native *native_of_def(const struct spec *spec, const struct def *def)
{
    (void)spec;
    if (def->kind != DEF_OP || !def->module || !def->module->builtin || def->in_let) {
        return NULL;
    }
    return native_find(def->module->name.p, def->name.p, def->arity);
}

bool lower_is_builtin(const struct def *def, const char *name)
{
    return def && def->kind == DEF_BUILTIN && str_is(def->name, name);
}

/* ---- resolution ---- */
static struct def_override *override_of(const struct spec *spec, const struct def *def)
{
    uint64_t p;
    if (!u64map_get(&spec->overrides, (uint64_t)(uintptr_t)def, &p)) {
        return NULL;
    }
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): stored by spec_config.c */
    return (struct def_override *)(uintptr_t)p;
}

static struct binding *subst_binding(struct lc inner, const struct subst *s)
{
    if (s->expr) {
        struct binding *b = bind_node(inner, s->expr);
        return b;
    }
    struct binding *b = bind_new(inner, BIND_REF);
    b->def = s->actual;
    b->level = (uint8_t)(s->actual->kind == DEF_VAR ? LEVEL_STATE : LEVEL_CONSTANT);
    return b;
}

/* The environment of an instantiated module. `args` are those of a parameterised instance. */
static struct env *instance_env(struct lc lc, const struct instance *inst, struct binding **args)
{
    struct spec *spec = lc.spec;
    struct binding *let = env_find(lc.env, inst);
    struct lc inner = lc;
    inner.env = let ? let->env : lc.env->root;
    inner.at = NULL;
    inner.primed = false;
    uint64_t memo_key =
        hash_combine(hash_combine((uint64_t)(uintptr_t)inst, (uint64_t)(uintptr_t)inner.env),
                     (uint64_t)(uintptr_t)lc.enabled);
    uint64_t found;
    if (inst->nparam == 0 && u64map_get(&spec->inst_memo, memo_key, &found)) {
        return (struct env *)(uintptr_t)found; /* NOLINT(performance-no-int-to-ptr): stored below */
    }
    struct env *scope = inner.env;
    for (uint32_t i = 0; i < inst->nparam; i++) {
        scope = env_bind(spec, scope, inst->params[i], args[i]);
    }
    inner.env = scope;
    struct env *env = scope;
    for (uint32_t i = 0; i < inst->nsubst; i++) {
        env = env_bind(spec, env, inst->substs[i].formal, subst_binding(inner, &inst->substs[i]));
    }
    struct env *head = env_bind(spec, env, NULL, NULL);
    head->root = head;
    head->home = (inst->nparam || let) && lc.unit ? lc.unit : lc.env->root->home;
    for (struct env *e = head; e != scope; e = e->next) {
        e->root = head;
    }
    if (inst->nparam == 0) {
        u64map_put(&spec->inst_memo, memo_key, (uint64_t)(uintptr_t)head);
    }
    return head;
}

struct target lower_resolve(struct lc *lc, const struct node *at, const struct def *def,
                            struct binding **args, size_t nargs)
{
    struct target t = {.args = args, .nargs = nargs};
    bool instantiated = false;
    for (int steps = 0;; steps++) {
        if (steps > 1000) {
            spec_fail(lc->spec, 2224, 151, at, "The definition of %.*s leads back to itself.",
                      STR_ARG(def->name));
        }
        t.def = def;
        const struct def_override *o = override_of(lc->spec, def);
        if (o && instantiated && !o->scoped) {
            o = NULL;
        }
        instantiated = false;
        if (o && !(def->kind == DEF_CONST && env_find(lc->env, def))) {
            t.has_value = o->has_value;
            t.value = o->value;
            t.table = o->table;
            if (t.has_value || t.table) {
                return t;
            }
            def = o->def;
            lc->env = lc->spec->root_env;
            continue;
        }
        struct binding *b = NULL;
        if (def->kind == DEF_VAR && lc->primed && lc->enabled &&
            env_cut(lc->env, def, lc->enabled)) {
            t.fresh = true;
            return t;
        }
        if (def->kind != DEF_BUILTIN && (def->kind != DEF_OP || def->in_let || def->is_fcn)) {
            b = env_find(lc->env, def);
        }
        if (b && b->kind == BIND_REF) {
            lc->env = b->env;
            if (b->def == def && def->kind == DEF_OP) { /* a LET operator: its own definition, seen
                                                           from where the LET stands */
                t.binding = NULL;
                t.home = b->unit;
                lc->at = b->at;
                return t;
            }
            def = b->def;
            continue;
        }
        if (b) {
            t.binding = b;
            return t;
        }
        if (def->kind == DEF_OP && def->orig) {
            lc->env = instance_env(*lc, def->inst, t.args);
            uint32_t taken = def->inst->nparam;
            t.args += taken;
            t.nargs -= taken <= t.nargs ? taken : t.nargs;
            def = def->orig;
            instantiated = true; /* the copy is a definition of its own: overrides of the original
                                    do not apply to it */
            continue;
        }
        if (def->kind == DEF_OP && !def->in_let) {
            lc->env = lc->env->root;
        }
        return t;
    }
}

/* ---- arguments ---- */

unsigned lower_uses_in(const struct node *node, const struct def *param)
{
    if (node->kind == N_ID || node->kind == N_BANG) {
        if (node->ref == param) {
            return 1;
        }
    }
    bool repeats = node->kind == N_FORALL || node->kind == N_EXISTS || node->kind == N_CHOOSE ||
                   node->kind == N_SETFILTER || node->kind == N_SETMAP || node->kind == N_FCN ||
                   node->kind == N_LAMBDA || node->kind == N_LET || node->kind == N_FCNDEF ||
                   node->kind == N_OPDEF || node->kind == N_APP || node->kind == N_EXCEPT ||
                   node->kind == N_OP;
    unsigned total = 0;
    for (uint32_t i = 0; i < node->nkid && total < 2; i++) {
        unsigned n = lower_uses_in(node->kid[i], param);
        total += n && repeats && !(node->kind == N_OP && lower_is_strict(node)) ? 2 : n;
    }
    return total < 2 ? total : 2;
}

/* An operator of the language or of arithmetic evaluates each operand at most once. */
bool lower_is_strict(const struct node *node)
{
    const struct def *def = node->ref;
    return def && (def->kind == DEF_BUILTIN || (def->module && def->module->builtin));
}

/* Nothing to evaluate: a literal, or a name, primed or not, of something that has its value
 * already. It must stay a name where it stands for a variable, which an action may assign. */
static bool trivial(const struct node *node)
{
    for (int steps = 0; steps < TRIVIAL_STEPS; steps++) {
        while (node->kind == N_OP && node->nkid == 1 && lower_is_builtin(node->ref, "'")) {
            node = node->kid[0];
        }
        if (node->kind == N_NUM || node->kind == N_STRING) {
            return true;
        }
        const struct def *def = node->kind == N_ID ? node->ref : NULL;
        if (!def || def->arity > 0) {
            return false;
        }
        while (def->orig) {
            def = def->orig;
        }
        if (def->kind != DEF_OP || def->in_let || !def->body || def->is_fcn) {
            return true;
        }
        node = def->body;
    }
    return false;
}

enum binds { BY_NAME, BY_VALUE, BY_STEP };

/* How a definition or an argument of this level is bound. */
static enum binds binds_as(struct lc lc, enum level level, const struct node *node)
{
    if (lc.by_name || level > LEVEL_ACTION) {
        return BY_NAME;
    }
    if (level < (lc.init ? LEVEL_STATE : LEVEL_ACTION)) {
        return BY_VALUE;
    }
    return trivial(node) ? BY_NAME : BY_STEP;
}

bool bind_lazily(struct lc lc, struct binding *b, const struct node *node, struct slot_list *slots)
{
    enum binds how = binds_as(lc, b->level, node);
    if (how == BY_NAME) {
        return false;
    }
    b->kind = BIND_LAZY;
    b->step = how == BY_STEP;
    b->unit = lc.unit;
    b->slot = slot_new(lc.unit);
    VEC_PUSH(&slots->v, b->slot);
    if (b->step) {
        (void)slot_new(lc.unit); /* its epoch */
        VEC_PUSH(&lc.unit->steps, b->slot);
    }
    return true;
}

/* NOLINTNEXTLINE(readability-function-size): what is bound to what, where, and what it needs */
struct env *bind_args(struct lc lc, struct env *env, struct def *const *params,
                      const struct node *body, struct binding **args, size_t nargs,
                      struct slot_list *slots)
{
    for (size_t i = 0; i < nargs; i++) {
        struct binding *b = args[i];
        bool by_name = lc.by_name || b->kind != BIND_NAME || params[i]->arity > 0 ||
                       trivial(b->node) || (body && lower_uses_in(body, params[i]) < 2) ||
                       (b->level == LEVEL_CONSTANT && b->node->kind == N_ID);
        if (!by_name) {
            struct binding *lazy = ARENA_NEW(lc.spec->arena, struct binding);
            *lazy = *b;
            lazy->primed = b->primed || lc.primed;
            b = bind_lazily(lc, lazy, b->node, slots) ? lazy : b;
        }
        env = env_bind(lc.spec, env, params[i], b);
    }
    return env;
}

const struct ex *lower_wrap_let(struct spec *spec, const struct node *src, struct slot_list *slots,
                                const struct ex *body)
{
    if (slots->v.n == 0) {
        return body;
    }
    struct let_slots *ls = arena_alloc(spec->arena, sizeof *ls + sizeof ls->slot[0] * slots->v.n);
    ls->n = (uint32_t)slots->v.n;
    memcpy(ls->slot, slots->v.v, sizeof ls->slot[0] * slots->v.n);
    VEC_DONE(&slots->v);
    struct ex *x = lower_ex_kids(spec, EX_LET, src, &body, 1);
    x->u.p = ls;
    return x;
}

/* An operator as a value: a closure whose parameters are slots. */
const struct ex *lower_oper(struct lc lc, const struct node *at, struct binding *b, uint32_t arity)
{
    if (b->kind == BIND_OPSLOT) {
        struct ex *x = lower_ex(lc.spec, EX_SLOT, at, 0);
        x->slot = unit_slot_of(lc.spec, lc.unit, b);
        return x;
    }
    struct unit *u = unit_new(lc.spec, lc.unit);
    struct lc inner = lc;
    inner.unit = u;
    u->nparam = arity;
    u->param = ARENA_ARRAY(lc.spec->arena, uint32_t, arity + 1);
    struct binding **args = ARENA_ARRAY(lc.spec->arena, struct binding *, arity + 1);
    for (uint32_t i = 0; i < arity; i++) {
        args[i] = bind_new(inner, BIND_SLOT);
        args[i]->slot = u->param[i] = slot_new(u);
    }
    u->body = lower_binding(inner, at, b, args, arity);
    struct ex *x = lower_ex(lc.spec, EX_CLOSURE_OPER, at, 0);
    x->u.p = u;
    x->level = u->body->level;
    return x;
}

const struct ex *lower_lazy_arg(struct lc lc, const struct node *at, struct binding *b)
{
    if (b->kind == BIND_NAME && !trivial(b->node) && b->node->kind != N_LAMBDA) {
        struct unit *u = unit_new(lc.spec, lc.unit);
        struct lc inner = lc;
        inner.unit = u;
        u->body = lower_binding(inner, at, b, NULL, 0);
        if (ex_is_const(u->body)) {
            return u->body;
        }
        struct ex *x = lower_ex(lc.spec, EX_CLOSURE_THUNK, at, 0);
        x->u.p = u;
        x->level = u->body->level;
        return x;
    }
    return lower_binding(lc, at, b, NULL, 0);
}

/* ---- functions ---- */
static struct unit *fun_find(struct lc lc, const struct def *def, enum level level,
                             struct unit *home, bool *ret_new)
{
    struct spec *spec = lc.spec;
    for (size_t i = 0; i < spec->funs.n; i++) {
        const struct fun_key *k = &spec->funs.v[i].key;
        if (k->def == def && k->env == lc.env && k->primed == lc.primed && k->init == lc.init &&
            k->enabled == lc.enabled && k->args == (uint8_t)level) {
            *ret_new = false;
            return spec->funs.v[i].unit;
        }
    }
    struct unit *u = unit_new(spec, home);
    u->def = def;
    VEC_PUSH(&spec->funs,
             (struct fun_entry){
                 {def, lc.env, lc.enabled, lc.primed, lc.init, (uint8_t)level},
                 u, NULL, NULL
    });
    *ret_new = true;
    return u;
}

/* Gives the unit its parameters; returns the environment of the body. */
static struct env *fun_params(struct lc lc, struct unit *u, const struct def *def, enum level level)
{
    u->nparam = def->arity;
    u->param = ARENA_ARRAY(lc.spec->arena, uint32_t, def->arity + 1);
    struct env *env = lc.env;
    for (uint32_t i = 0; i < def->arity; i++) {
        struct binding *b = bind_new(lc, def->params[i]->arity > 0 ? BIND_OPSLOT : BIND_SLOT);
        b->unit = u;
        b->slot = u->param[i] = slot_new(u);
        b->thunks = true;
        b->level = (uint8_t)level;
        b->primed = lc.primed;
        env = env_bind(lc.spec, env, def->params[i], b);
    }
    return env;
}

static struct unit *fun_unit(struct lc lc, const struct def *def, enum level level,
                             struct unit *home)
{
    bool fresh;
    struct unit *u = fun_find(lc, def, level, home, &fresh);
    if (fresh) {
        struct lc inner = lc;
        inner.unit = u;
        inner.at = def->in_let ? lc.at : NULL;
        inner.keep_lazy = false;
        inner.env = fun_params(lc, u, def, level);
        u->body = lower(inner, def->body);
    }
    return u;
}

/* The highest level of arguments. */
static enum level level_of_args(struct binding **args, size_t nargs)
{
    enum level level = LEVEL_CONSTANT;
    for (size_t i = 0; i < nargs; i++) {
        if (args[i]->level > level) {
            level = (enum level)args[i]->level;
        }
    }
    return level;
}

struct call_info *lower_call_info(struct spec *spec, struct unit *from, struct unit *callee)
{
    struct call_info *info = ARENA_NEW(spec->arena, struct call_info);
    info->unit = callee;
    VEC_PUSH(&spec->calls, (struct call_site){from, info, callee});
    return info;
}

/* `caller` holds the call; lc.env is the environment of the definition. */
static const struct ex *lower_call(struct lc lc, struct lc caller, const struct node *at,
                                   const struct def *def, struct binding **args, struct unit *home)
{
    struct unit *u = fun_unit(lc, def, level_of_args(args, def->arity), home);
    struct ex *x = lower_ex(lc.spec, EX_CALL, at, def->arity);
    x->u.p = lower_call_info(lc.spec, caller.unit, u);
    x->level = (uint8_t)lower_level_of_def(lc.spec, def, lc.env);
    for (uint32_t i = 0; i < def->arity; i++) {
        x->kid[i] = def->params[i]->arity > 0
                        ? lower_oper(caller, at, args[i], def->params[i]->arity)
                        : lower_lazy_arg(caller, at, args[i]);
        if (x->kid[i]->level > x->level) {
            x->level = x->kid[i]->level;
        }
    }
    return x;
}

/* Captures of functions inside LET can still grow while later calls are lowered: repeat until
 * nothing is added, then write the lists. */
void lower_seal(struct spec *spec)
{
    bool again = true;
    while (again) {
        again = false;
        for (size_t i = 0; i < spec->calls.n; i++) {
            struct call_site *site = &spec->calls.v[i];
            for (size_t c = 0; c < site->callee->captures.n; c++) {
                size_t before = spec->units.n;
                struct binding *b = (struct binding *)site->callee->captures.v[c].binding;
                size_t held = site->from->captures.n;
                (void)unit_slot_of(spec, site->from, b);
                again |= held != site->from->captures.n || before != spec->units.n;
            }
        }
    }
    for (size_t i = 0; i < spec->calls.n; i++) {
        struct call_site *site = &spec->calls.v[i];
        struct call_info *info = site->info;
        size_t n = site->callee->captures.n;
        info->captures = arena_zalloc(spec->arena, sizeof *info->captures * (n + 1));
        info->ncapture = (uint32_t)n;
        for (size_t c = 0; c < n; c++) {
            struct binding *b = (struct binding *)site->callee->captures.v[c].binding;
            info->captures[c].from = unit_slot_of(spec, site->from, b);
            info->captures[c].to = site->callee->captures.v[c].to;
            info->captures[c].lazy = b->kind == BIND_LAZY && site->from == b->unit ? b : NULL;
        }
    }
}

/* ---- constants ---- */
static const struct ex *lower_cell(struct lc lc, const struct node *at, const struct def *def)
{
    struct spec *spec = lc.spec;
    uint64_t key = hash_combine((uint64_t)(uintptr_t)def, (uint64_t)(uintptr_t)lc.env);
    uint64_t found;
    struct const_cell *cell;
    if (u64map_get(&spec->cell_memo, key, &found)) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): stored below */
        cell = (struct const_cell *)(uintptr_t)found;
    } else {
        cell = ARENA_NEW(spec->arena, struct const_cell);
        u64map_put(&spec->cell_memo, key, (uint64_t)(uintptr_t)cell);
        struct unit *u = unit_new(spec, NULL);
        u->def = def;
        struct lc inner = {.spec = spec, .unit = u, .env = lc.env};
        cell->def = def;
        cell->unit = u;
        u->body = def->is_fcn ? lower_fcndef(inner, at, def) : lower(inner, def->body);
        VEC_PUSH(&spec->cells, cell);
    }
    struct ex *x = lower_ex(spec, EX_CELL, at, 0);
    x->u.p = cell;
    return x;
}

/* ---- definitions ---- */
static const struct ex *lower_inline(struct lc lc, struct lc caller, const struct node *at,
                                     const struct def *def, struct binding **args)
{
    struct slot_list slots = {0};
    struct lc inner = lc;
    inner.at = def->in_let ? caller.at : NULL; /* @ is that of the call, as in TLC */
    inner.env = bind_args(caller, lc.env, def->params, def->body, args, def->arity, &slots);
    if (++lc.spec->inline_depth > INLINE_DEPTH_MAX) {
        spec_fail(lc.spec, 1005, 255, at,
                  "The operator %.*s contains itself and is not declared RECURSIVE.",
                  STR_ARG(def->name));
    }
    const struct ex *body = lower(inner, def->body);
    lc.spec->inline_depth--;
    return lower_wrap_let(lc.spec, at, &slots, body);
}

static const struct ex *lower_def(struct lc lc, struct lc caller, const struct node *at,
                                  struct target t)
{
    const struct def *def = t.def;
    const struct native *native = native_of_def(lc.spec, def);
    if (native) {
        return lower_native(caller, at, def, native, t.args);
    }
    if (!def->body) {
        return lower_ex_failing(
            lc.spec, at, 2280,
            "In evaluation, the identifier %.*s is either undefined or not an operator.",
            STR_ARG(def->name));
    }
    if (t.nargs != def->arity) {
        return lower_ex_failing(
            lc.spec, at, 2170,
            "The operator %.*s was applied to %zu arguments; it has %u parameters.",
            STR_ARG(def->name), t.nargs, def->arity);
    }
    if (def->arity == 0 && !def->in_let && !lc.env->root->home &&
        lower_level_of_def(lc.spec, def, lc.env) == LEVEL_CONSTANT) {
        return lower_cell(lc, at, def);
    }
    if (def->is_fcn) {
        return lower_fcndef(lc, at, def);
    }
    bool recursive = def->recursive;
    bool large = !lc.by_name && lower_level_of_def(lc.spec, def, lc.env) <= LEVEL_ACTION &&
                 lower_by_itself(lc.spec, def);
    for (size_t i = 0; i < t.nargs && large; i++) {
        large = t.args[i]->level <= LEVEL_ACTION && def->params[i]->arity == 0;
    }
    if (recursive || large) {
        return lower_call(lc, caller, at, def, t.args, t.home ? t.home : lc.env->root->home);
    }
    return lower_inline(lc, caller, at, def, t.args);
}

const struct ex *lower_var(struct lc lc, const struct node *at, const struct def *def)
{
    uint64_t index;
    if (!u64map_get(&lc.spec->var_of_def, (uint64_t)(uintptr_t)def, &index)) {
        return lower_ex_failing(
            lc.spec, at, 2280,
            "In evaluation, the identifier %.*s is either undefined or not an operator.",
            STR_ARG(def->name));
    }
    struct ex *x = lower_ex(lc.spec, lc.primed ? EX_VAR1 : EX_VAR0, at, 0);
    x->u.i = (int64_t)index;
    x->level = lc.primed ? LEVEL_ACTION : LEVEL_STATE;
    return x;
}

/* A variable of an instantiated module, primed inside ENABLED: a variable of its own. */
static const struct ex *lower_fresh(struct lc lc, const struct node *at, const struct def *def)
{
    struct spec *spec = lc.spec;
    size_t i = 0;
    while (i < spec->extra_vars.n && spec->extra_vars.v[i] != def) {
        i++;
    }
    if (i == spec->extra_vars.n) {
        VEC_PUSH(&spec->extra_vars, def);
    }
    struct ex *x = lower_ex(spec, EX_VAR1, at, 0);
    x->u.i = (int64_t)(spec->nvar + i);
    x->level = LEVEL_ACTION;
    return x;
}

const struct ex *lower_ref(struct lc lc, const struct node *at, const struct def *def,
                           struct binding **args, size_t nargs)
{
    struct lc caller = lc;
    struct target t = lower_resolve(&lc, at, def, args, nargs);
    if (t.fresh) {
        return lower_fresh(lc, at, t.def);
    }
    if (t.binding) {
        caller.keep_lazy = lc.keep_lazy;
        return lower_binding(caller, at, t.binding, t.args, t.nargs);
    }
    if (t.has_value) {
        return lower_ex_const(lc.spec, at, t.value);
    }
    if (t.table) {
        struct ex *x = lower_ex(lc.spec, EX_GIVEN, at, t.nargs);
        x->u.p = t.table;
        for (size_t i = 0; i < t.nargs; i++) {
            x->kid[i] = lower_binding(caller, at, t.args[i], NULL, 0);
        }
        return x;
    }
    switch (t.def->kind) {
    case DEF_BUILTIN: return lower_builtin(caller, at, t.def, t.args, t.nargs);
    case DEF_VAR: return lower_var(lc, at, t.def);
    case DEF_OP: return lower_def(lc, caller, at, t);
    default:
        return lower_ex_failing(
            lc.spec, at, 2280,
            "In evaluation, the identifier %.*s is either undefined or not an operator.",
            STR_ARG(t.def->name));
    }
}

/* Applies an operator given as an argument: a LAMBDA, or the name of an operator. */
static const struct ex *lower_apply_node(struct lc lc, struct lc caller, const struct node *node,
                                         struct binding **args, size_t nargs)
{
    if (node->kind == N_LAMBDA) {
        struct slot_list slots = {0};
        struct def **params = ARENA_ARRAY(lc.spec->arena, struct def *, nargs + 1);
        const struct node *body = node->kid[node->nkid - 1];
        for (size_t i = 0; i < nargs && i + 1 < node->nkid; i++) {
            params[i] = (struct def *)node->kid[i]->ref;
        }
        struct lc inner = lc;
        inner.env = bind_args(caller, lc.env, params, body, args, nargs, &slots);
        return lower_wrap_let(lc.spec, node, &slots, lower(inner, body));
    }
    struct binding **path;
    const struct def *def;
    size_t npath = lower_node_args(lc, node, &path, &def);
    if (!def) {
        return lower_ex_failing(lc.spec, node, 0, "This is not an operator.");
    }
    if (npath) {
        struct binding **all = ARENA_ARRAY(lc.spec->arena, struct binding *, npath + nargs + 1);
        memcpy((void *)all, (const void *)path, sizeof(struct binding *) * npath);
        memcpy((void *)(all + npath), (const void *)args, sizeof(struct binding *) * nargs);
        return lower_ref(lc, node, def, all, npath + nargs);
    }
    return lower_ref(lc, node, def, args, nargs);
}

static const struct ex *lower_by_name(struct lc lc, struct binding *b, struct binding **args,
                                      size_t nargs)
{
    struct lc inner = lc;
    inner.env = b->env;
    inner.at = b->at;
    inner.enabled = b->enabled;
    inner.primed = lc.primed || b->primed;
    return nargs ? lower_apply_node(inner, lc, b->node, args, nargs) : lower(inner, b->node);
}

static const struct ex *lower_lazy(struct lc lc, const struct node *at, struct binding *b)
{
    uint32_t slot = unit_slot_of(lc.spec, lc.unit, b);
    struct ex *x;
    if (lc.unit == b->unit) {
        if (!b->ex) {
            struct lc inner = {.spec = lc.spec,
                               .unit = b->unit,
                               .env = b->env,
                               .at = b->at,
                               .enabled = b->enabled,
                               .primed = b->primed,
                               .init = lc.init};
            b->ex = lower(inner, b->node);
        }
        if (ex_is_const(b->ex)) {
            return b->ex;
        }
        x = lower_ex_kids(lc.spec, b->step ? EX_LAZY_STEP : EX_LAZY, at, &b->ex, 1);
    } else {
        x = lower_ex(lc.spec, b->step ? EX_SLOT_STEP : EX_SLOT_THUNK, at, 0);
    }
    x->slot = slot;
    x->level = b->level;
    return x;
}

const struct ex *lower_binding(struct lc lc, const struct node *at, struct binding *b,
                               struct binding **args, size_t nargs)
{
    bool other_time = lc.primed && !b->primed && b->level >= LEVEL_STATE;
    switch (b->kind) {
    case BIND_VALUE: return lower_ex_const(lc.spec, at, b->val);
    case BIND_NAME: return lower_by_name(lc, b, args, nargs);
    case BIND_LAZY: return other_time ? lower_by_name(lc, b, args, nargs) : lower_lazy(lc, at, b);
    case BIND_REF: {
        struct lc inner = lc;
        inner.env = b->env;
        return lower_ref(inner, at, b->def, args, nargs);
    }
    case BIND_OPSLOT: {
        struct ex *x = lower_ex(lc.spec, EX_CALL_SLOT, at, nargs);
        x->slot = unit_slot_of(lc.spec, lc.unit, b);
        for (size_t i = 0; i < nargs; i++) {
            x->kid[i] = lower_binding(lc, at, args[i], NULL, 0);
        }
        x->level = b->level;
        return x;
    }
    case BIND_SLOT: break;
    }
    if (other_time) {
        return lower_ex_failing(
            lc.spec, at, 0,
            "A parameter of a recursive operator that depends on the state cannot be primed.");
    }
    struct ex *x = lower_ex(lc.spec, b->thunks ? EX_SLOT_THUNK : EX_SLOT, at, 0);
    x->slot = unit_slot_of(lc.spec, lc.unit, b);
    x->level = b->level;
    return x;
}

/* Lowering expressions: one small function for each kind of node. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "eval/code.h"
#include "eval/lower.h"
#include "eval/native.h"
#include "eval/ops.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

#define CHILD(i) lower(lc, node->kid[i])

static const struct ex *lower_kids(struct lc lc, const struct node *node, enum ex_op op)
{
    struct ex *x = lower_ex(lc.spec, op, node, node->nkid);
    for (uint32_t i = 0; i < node->nkid; i++) {
        x->kid[i] = lower(lc, node->kid[i]);
        if (x->kid[i]->level > x->level) {
            x->level = x->kid[i]->level;
        }
    }
    return x;
}

/* ---- names and arguments ---- */
size_t lower_node_args(struct lc lc, const struct node *node, struct binding ***ret_args,
                       const struct def **ret_def)
{
    struct node *nodes[256];
    size_t n = 0;
    const struct node *callee = node;
    *ret_args = NULL;
    if (node->kind == N_APP) {
        callee = node->kid[0];
    }
    *ret_def = callee->ref;
    if (callee->kind == N_BANG) {
        n = bang_args(callee, nodes, 256);
    }
    for (uint32_t i = node->kind == N_APP ? 1 : 0;
         (node->kind == N_APP || node->kind == N_OP) && i < node->nkid && n < 256; i++) {
        nodes[n++] = node->kid[i];
    }
    if (n) {
        *ret_args = ARENA_ARRAY(lc.spec->arena, struct binding *, n);
        for (size_t i = 0; i < n; i++) {
            (*ret_args)[i] = bind_node(lc, nodes[i]);
        }
    }
    return n;
}

static const struct ex *lower_name(struct lc lc, const struct node *node)
{
    struct binding **args;
    const struct def *def;
    size_t n = lower_node_args(lc, node, &args, &def);
    if (!def) {
        return lower_ex_failing(
            lc.spec, node, 2280,
            "In evaluation, the identifier %.*s is either undefined or not an operator.",
            STR_ARG(node->name));
    }
    return lower_ref(lc, node, def, args, n);
}

static const struct ex *lower_number(struct lc lc, const struct node *node)
{
    struct str digits = node->name;
    unsigned base = 10;
    if (digits.n > 2 && digits.p[0] == '\\') {
        char c = digits.p[1];
        base = c == 'b' || c == 'B' ? 2 : c == 'o' || c == 'O' ? 8 : 16;
        digits = (struct str){digits.p + 2, digits.n - 2};
    }
    struct vctx *ctx = &lc.spec->boot->vctx;
    struct val v;
    if (!int_parse(ctx, digits, base, &v)) {
        return lower_ex_failing(lc.spec, node, 0, "%.*s is not a number.", STR_ARG(node->name));
    }
    return lower_ex_const(lc.spec, node, val_freeze(ctx, lc.spec->arena, v));
}

static struct val string_val(struct spec *spec, struct str text)
{
    return val_strid(strtab_intern(spec->strings, text));
}

/* ---- binders ---- */
static struct binding *binder_slot(struct lc lc, struct unit *unit)
{
    struct binding *b = bind_new(lc, BIND_SLOT);
    b->unit = unit;
    b->slot = slot_new(unit);
    b->primed = lc.primed;
    return b;
}

/* NOLINTNEXTLINE(readability-function-size): names, their set and where they go */
static void binder_add(struct lc *lc, struct unit *unit, const struct node *const *ids, size_t n,
                       uint32_t set, bool tuple, struct binder_var *ret)
{
    uint32_t *slots = ARENA_ARRAY(lc->spec->arena, uint32_t, n);
    struct str *names = ARENA_ARRAY(lc->spec->arena, struct str, n);
    for (size_t i = 0; i < n; i++) {
        struct binding *b = binder_slot(*lc, unit);
        slots[i] = b->slot;
        names[i] = ids[i]->name;
        lc->env = env_bind(lc->spec, lc->env, ids[i]->ref, b);
    }
    *ret = (struct binder_var){set, (uint32_t)n, tuple, slots, names};
}

/* Sets are lowered in lc; variables become slots of `unit` and are added to lc->env. */
static struct binder *lower_bounds_in(struct lc *lc, struct unit *unit, struct node *const *bounds,
                                      size_t nbound)
{
    struct binder *b = ARENA_NEW(lc->spec->arena, struct binder);
    uint32_t nvar = 0;
    for (size_t i = 0; i < nbound; i++) {
        nvar += bounds[i]->flags & NF_TUPLE ? 1 : bounds[i]->nkid - 1;
    }
    b->nset = (uint32_t)nbound;
    b->sets = ARENA_ARRAY(lc->spec->arena, const struct ex *, nbound + 1);
    b->vars = ARENA_ARRAY(lc->spec->arena, struct binder_var, nvar + 1);
    struct lc outer = *lc;
    outer.keep_lazy = false;
    for (size_t i = 0; i < nbound; i++) {
        b->sets[i] = lower(outer, bounds[i]->kid[bounds[i]->nkid - 1]);
    }
    for (size_t i = 0; i < nbound; i++) {
        const struct node *bound = bounds[i];
        if (bound->flags & NF_TUPLE) {
            const struct node *tuple = bound->kid[0];
            binder_add(lc, unit, (const struct node *const *)tuple->kid, tuple->nkid, (uint32_t)i,
                       true, &b->vars[b->nvar++]);
            continue;
        }
        for (uint32_t j = 0; j + 1 < bound->nkid; j++) {
            const struct node *id = bound->kid[j];
            binder_add(lc, unit, &id, 1, (uint32_t)i, false, &b->vars[b->nvar++]);
        }
    }
    return b;
}

struct binder *lower_bounds(struct lc *lc, struct node *const *bounds, size_t nbound)
{
    return lower_bounds_in(lc, lc->unit, bounds, nbound);
}

static uint8_t binder_level(const struct binder *b)
{
    uint8_t level = LEVEL_CONSTANT;
    for (uint32_t i = 0; i < b->nset; i++) {
        level = b->sets[i]->level > level ? b->sets[i]->level : level;
    }
    return level;
}

/* \A, \E, CHOOSE, {e : x \in S}: bounds, and one expression in the same frame. */
static const struct ex *lower_quant(struct lc lc, const struct node *node, enum ex_op op)
{
    lc.keep_lazy = false;
    bool map = node->kind == N_SETMAP;
    struct node *const *bounds = map ? node->kid + 1 : node->kid;
    struct binder *b = lower_bounds(&lc, bounds, node->nkid - 1);
    const struct ex *body = lower(lc, map ? node->kid[0] : node->kid[node->nkid - 1]);
    struct ex *x = lower_ex_kids(lc.spec, op, node, &body, 1);
    x->u.p = b;
    if (binder_level(b) > x->level) {
        x->level = binder_level(b);
    }
    return x;
}

/* {x \in S : p}, [x \in S |-> e], f[x \in S] == e: a unit of their own. */
/* NOLINTNEXTLINE(readability-function-size): the parts of three forms of expression */
static const struct ex *lower_lambda(struct lc lc, const struct node *node,
                                     struct node *const *bounds, size_t nbound,
                                     const struct node *body, enum ex_op op, const struct def *self)
{
    struct spec *spec = lc.spec;
    struct unit *u = unit_new(spec, lc.unit);
    struct lc inner = lc;
    struct fcn_info *info = ARENA_NEW(spec->arena, struct fcn_info);
    info->lazy = lc.keep_lazy || self != NULL;
    info->binder = lower_bounds_in(&inner, u, bounds, nbound);
    info->unit = u;
    u->binder = (struct binder *)info->binder;
    inner.unit = u;
    inner.keep_lazy = info->lazy;
    if (self) {
        struct binding *b = bind_new(inner, BIND_SLOT);
        b->slot = u->self = slot_new(u);
        u->def = self;
        inner.env = env_bind(spec, inner.env, self, b);
    }
    u->body_lc = ARENA_NEW(spec->arena, struct lc);
    *u->body_lc = inner;
    u->body_node = body;
    u->body = lower(inner, body);
    struct ex *x = lower_ex(spec, op, node, 0);
    x->u.p = info;
    x->level =
        binder_level(info->binder) > u->body->level ? binder_level(info->binder) : u->body->level;
    return x;
}

const struct ex *lower_fcndef(struct lc lc, const struct node *at, const struct def *def)
{
    const struct node *node = def->body;
    const struct node *body = node->kid[node->nkid - 1];
    (void)at;
    return lower_lambda(lc, node, node->kid, node->nkid - 1, body, EX_FCN,
                        lower_uses_in(body, def) ? def : NULL);
}

/* ---- LET ---- */
struct env *lower_let_env(struct lc lc, const struct node *let, struct slot_list *slots)
{
    struct spec *spec = lc.spec;
    for (uint32_t i = 0; i + 1 < let->nkid; i++) {
        const struct node *unit = let->kid[i];
        const struct def *def = unit->ref;
        if (unit->kind == N_INSTDEF || unit->kind == N_INSTANCE) {
            const struct node *inst = unit->kind == N_INSTDEF ? unit->kid[unit->nkid - 1] : unit;
            struct binding *b = bind_new(lc, BIND_REF);
            lc.env = env_bind(spec, lc.env, inst->ref, b);
            continue;
        }
        if ((unit->kind != N_OPDEF && unit->kind != N_FCNDEF) || !def || !def->body) {
            continue;
        }
        struct binding *b = bind_new(lc, BIND_REF);
        b->def = def;
        b->level = (uint8_t)lower_level_of(spec, def->body, lc.env);
        if (def->arity == 0 && !def->recursive && bind_lazily(lc, b, def->body, slots)) {
            b->let = true;
            b->node = def->body;
        } else if (def->arity == 0 && !def->recursive && !def->is_fcn) {
            b->kind = BIND_NAME;
            b->node = def->body;
        }
        lc.env = env_bind(spec, lc.env, def, b);
        if (b->kind == BIND_REF) {
            b->env = lc.env; /* recursive: sees itself */
        }
    }
    return lc.env;
}

static const struct ex *lower_let(struct lc lc, const struct node *node)
{
    struct slot_list slots = {0};
    lc.env = lower_let_env(lc, node, &slots);
    const struct ex *body = lower(lc, node->kid[node->nkid - 1]);
    return lower_wrap_let(lc.spec, node, &slots, body);
}

/* ---- structures ---- */
static const struct ex *lower_record(struct lc lc, const struct node *node, enum ex_op op)
{
    struct ex *x = lower_ex(lc.spec, op, node, node->nkid);
    struct val *names = ARENA_ARRAY(lc.spec->arena, struct val, node->nkid + 1);
    for (uint32_t i = 0; i < node->nkid; i++) {
        names[i] = string_val(lc.spec, node->kid[i]->name);
        x->kid[i] = lower(lc, node->kid[i]->kid[0]);
        x->level = x->kid[i]->level > x->level ? x->kid[i]->level : x->level;
    }
    x->u.p = names;
    return x;
}

const struct ex *lower_index(struct lc lc, const struct node *at, struct node *const *args,
                             size_t n)
{
    if (n == 1) {
        return lower(lc, args[0]);
    }
    struct ex *x = lower_ex(lc.spec, EX_TUPLE, at, n);
    for (size_t i = 0; i < n; i++) {
        x->kid[i] = lower(lc, args[i]);
        x->level = x->kid[i]->level > x->level ? x->kid[i]->level : x->level;
    }
    return x;
}

static const struct ex *lower_fapply(struct lc lc, const struct node *node)
{
    struct lc fun = lc;
    fun.keep_lazy = true;
    enum ex_op op = lc.keep_lazy ? EX_APPLY_LAZY : EX_APPLY;
    lc.keep_lazy = false;
    const struct ex *kids[2] = {lower(fun, node->kid[0]),
                                lower_index(lc, node, node->kid + 1, node->nkid - 1)};
    return lower_ex_kids(lc.spec, op, node, kids, 2);
}

static const struct ex *lower_dot(struct lc lc, const struct node *node)
{
    const struct ex *record = CHILD(0);
    struct ex *x = lower_ex_kids(lc.spec, EX_DOT, node, &record, 1);
    x->u.val = string_val(lc.spec, node->name);
    return x;
}

static void lower_exspec(struct lc lc, const struct node *node, struct except_spec *spec,
                         uint8_t *level)
{
    spec->npath = node->nkid - 1;
    spec->path = ARENA_ARRAY(lc.spec->arena, const struct ex *, node->nkid);
    for (uint32_t i = 0; i + 1 < node->nkid; i++) {
        const struct node *step = node->kid[i];
        spec->path[i] = step->kind == N_EXFLD
                            ? lower_ex_const(lc.spec, step, string_val(lc.spec, step->name))
                            : lower_index(lc, step, step->kid, step->nkid);
        *level = spec->path[i]->level > *level ? spec->path[i]->level : *level;
    }
    struct binding *at = bind_new(lc, BIND_SLOT);
    at->slot = spec->at = slot_new(lc.unit);
    at->level = LEVEL_CONSTANT;
    lc.at = at;
    spec->value = lower(lc, node->kid[node->nkid - 1]);
    *level = spec->value->level > *level ? spec->value->level : *level;
}

static const struct ex *lower_except(struct lc lc, const struct node *node)
{
    lc.keep_lazy = false;
    const struct ex *fcn = CHILD(0);
    struct ex *x = lower_ex_kids(lc.spec, EX_EXCEPT, node, &fcn, 1);
    struct except_info *info = ARENA_NEW(lc.spec->arena, struct except_info);
    info->n = node->nkid - 1;
    info->spec = ARENA_ARRAY(lc.spec->arena, struct except_spec, node->nkid);
    for (uint32_t i = 1; i < node->nkid; i++) {
        lower_exspec(lc, node->kid[i], &info->spec[i - 1], &x->level);
    }
    x->u.p = info;
    return x;
}

static const struct ex *lower_case(struct lc lc, const struct node *node)
{
    bool other = node->nkid && node->kid[node->nkid - 1]->kind == N_OTHER;
    uint32_t arms = other ? node->nkid - 1 : node->nkid;
    struct ex *x = lower_ex(lc.spec, EX_CASE, node, arms * 2 + (other ? 1 : 0));
    for (uint32_t i = 0; i < arms; i++) {
        struct lc guard = lc;
        guard.keep_lazy = false;
        x->kid[(size_t)2 * i] = lower(guard, node->kid[i]->kid[0]);
        x->kid[(size_t)2 * i + 1] = lower(lc, node->kid[i]->kid[1]);
    }
    if (other) {
        x->kid[(size_t)arms * 2] = lower(lc, node->kid[arms]->kid[0]);
    }
    for (uint32_t i = 0; i < x->n; i++) {
        x->level = x->kid[i]->level > x->level ? x->kid[i]->level : x->level;
    }
    return x;
}

static const struct ex *lower_if(struct lc lc, const struct node *node)
{
    struct lc cond = lc;
    cond.keep_lazy = false;
    const struct ex *kids[3] = {lower(cond, node->kid[0]), CHILD(1), CHILD(2)};
    return lower_ex_kids(lc.spec, EX_IF, node, kids, 3);
}

static const struct ex *lower_subscripted(struct lc lc, const struct node *node, enum ex_op op)
{
    struct lc next = lc;
    next.primed = true;
    const struct ex *kids[3] = {CHILD(0), CHILD(1), lower(next, node->kid[1])};
    struct ex *x = lower_ex_kids(lc.spec, op, node, kids, 3);
    x->level = LEVEL_ACTION;
    return x;
}

static const struct ex *lower_temporal_error(struct lc lc, const struct node *node,
                                             const char *what)
{
    struct ex *x = (struct ex *)lower_ex_failing(
        lc.spec, node, 2261,
        "TLC encountered a temporal formula (%s) when evaluating a predicate or action.", what);
    x->level = LEVEL_TEMPORAL;
    return x;
}

/* LONG: one row for each kind of node. NOLINTNEXTLINE(readability-function-size): a dispatch table
 */
const struct ex *lower(struct lc lc, const struct node *node)
{
    if (node->kind != N_FCN && node->kind != N_FCNDEF && node->kind != N_ID &&
        node->kind != N_APP && node->kind != N_BANG && node->kind != N_LET && node->kind != N_IF &&
        node->kind != N_CASE && node->kind != N_LABEL && node->kind != N_OP &&
        node->kind != N_FAPPLY) {
        lc.keep_lazy = false;
    }
    switch ((enum node_kind)node->kind) {
    case N_ID:
    case N_APP:
    case N_BANG:
    case N_OP: return lower_name(lc, node);
    case N_NUM: return lower_number(lc, node);
    case N_DECIMAL: return lower_ex_failing(lc.spec, node, 2244, "TLC cannot handle real numbers.");
    case N_STRING: return lower_ex_const(lc.spec, node, string_val(lc.spec, node->name));
    case N_AT:
        return lc.at ? lower_binding(lc, node, lc.at, NULL, 0)
                     : lower_ex_failing(lc.spec, node, 0, "@ stands outside an EXCEPT.");
    case N_FAPPLY: return lower_fapply(lc, node);
    case N_DOT: return lower_dot(lc, node);
    case N_CONJ: return lower_kids(lc, node, EX_CONJ);
    case N_DISJ: return lower_kids(lc, node, EX_DISJ);
    case N_IF: return lower_if(lc, node);
    case N_CASE: return lower_case(lc, node);
    case N_LET: return lower_let(lc, node);
    case N_FORALL: return lower_quant(lc, node, EX_FORALL);
    case N_EXISTS: return lower_quant(lc, node, EX_EXISTS);
    case N_CHOOSE: return lower_quant(lc, node, EX_CHOOSE);
    case N_SETMAP: return lower_quant(lc, node, EX_SETMAP);
    case N_FORALL_U:
        return lower_ex_failing(lc.spec, node, 0,
                                "TLC attempted to evaluate an unbounded \\A.\nMake sure that the "
                                "expression is of form \\A x \\in S: P(x).");
    case N_EXISTS_U:
        return lower_ex_failing(lc.spec, node, 0,
                                "TLC attempted to evaluate an unbounded \\E.\nMake sure that the "
                                "expression is of form \\E x \\in S: P(x).");
    case N_CHOOSE_U:
        return lower_ex_failing(
            lc.spec, node, 0,
            "TLC attempted to evaluate an unbounded CHOOSE.\nMake sure that the "
            "expression is of form CHOOSE x \\in S: P(x).");
    case N_LABEL: return lower(lc, node->kid[node->nkid - 1]);
    case N_SETENUM: return lower_kids(lc, node, EX_SETENUM);
    case N_TUPLE: return lower_kids(lc, node, EX_TUPLE);
    case N_TIMES: return lower_kids(lc, node, EX_TIMES);
    case N_FCNSET: return lower_kids(lc, node, EX_FCNSET);
    case N_SETFILTER: return lower_lambda(lc, node, node->kid, 1, node->kid[1], EX_FILTER, NULL);
    case N_FCN:
        return lower_lambda(lc, node, node->kid, node->nkid - 1, node->kid[node->nkid - 1], EX_FCN,
                            NULL);
    case N_FCNDEF: return lower_fcndef(lc, node, node->ref);
    case N_RECORD: return lower_record(lc, node, EX_RECORD);
    case N_RECSET: return lower_record(lc, node, EX_RECSET);
    case N_EXCEPT: return lower_except(lc, node);
    case N_BOXACT: return lower_subscripted(lc, node, EX_BOXACT);
    case N_ANGLEACT: return lower_subscripted(lc, node, EX_ANGLEACT);
    case N_WF: return lower_temporal_error(lc, node, "WF");
    case N_SF: return lower_temporal_error(lc, node, "SF");
    case N_TFORALL: return lower_temporal_error(lc, node, "\\AA");
    case N_TEXISTS: return lower_temporal_error(lc, node, "\\EE");
    default:
        return lower_ex_failing(lc.spec, node, 0,
                                "Attempted to evaluate an expression that cannot be evaluated.");
    }
}

/* ---- operators of the language ---- */
struct builtin_row {
    const char *name;
    uint8_t arity;
    uint8_t op;
};

static const struct builtin_row builtin_rows[] = {
    {"=",          2, EX_EQ      },
    {"#",          2, EX_NEQ     },
    {"/=",         2, EX_NEQ     },
    {"~",          1, EX_NOT     },
    {"/\\",        2, EX_CONJ    },
    {"\\/",        2, EX_DISJ    },
    {"=>",         2, EX_IMPLIES },
    {"\\equiv",    2, EX_EQUIV   },
    {"<=>",        2, EX_EQUIV   },
    {"\\in",       2, EX_IN      },
    {"\\notin",    2, EX_NOTIN   },
    {"\\subseteq", 2, EX_SUBSETEQ},
    {"\\cup",      2, EX_CUP     },
    {"\\cap",      2, EX_CAP     },
    {"\\",         2, EX_SETMINUS},
    {"\\X",        2, EX_TIMES   },
    {"SUBSET",     1, EX_SUBSET  },
    {"UNION",      1, EX_UNION   },
    {"DOMAIN",     1, EX_DOMAIN  },
};

static const struct ex *lower_prime(struct lc lc, const struct node *at, struct binding **args)
{
    struct lc next = lc;
    if (lc.primed) {
        return lower_ex_failing(lc.spec, at, 0, "An expression with a prime was primed again.");
    }
    next.primed = true;
    return lower_binding(next, at, args[0], NULL, 0);
}

static const struct ex *lower_unchanged(struct lc lc, const struct node *at, struct binding **args)
{
    struct lc next = lc;
    next.primed = true;
    const struct ex *kids[2] = {lower_binding(lc, at, args[0], NULL, 0),
                                lower_binding(next, at, args[0], NULL, 0)};
    struct ex *x = lower_ex_kids(lc.spec, EX_UNCHANGED, at, kids, 2);
    x->level = LEVEL_ACTION;
    return x;
}

static const struct ex *lower_enabled(struct lc lc, const struct node *at, struct binding **args)
{
    if (args[0]->kind != BIND_NAME || lc.primed) {
        return lower_ex_failing(lc.spec, at, 2260,
                                "ENABLED was applied to an expression that cannot be enumerated.");
    }
    struct lc inner = lc;
    inner.env = args[0]->env;
    inner.at = args[0]->at;
    inner.init = false;
    struct ex *x = lower_ex(lc.spec, EX_ENABLED, at, 0);
    x->u.p = lower_enabled_body(inner, args[0]->node, NULL);
    x->level = LEVEL_STATE;
    return x;
}

static const struct ex *lower_cdot(struct lc lc, const struct node *at, struct binding **args)
{
    if (!lc.spec->options.action_composition) {
        return lower_ex_failing(
            lc.spec, NULL, 0,
            "The current version of TLC does not support action composition.  An "
            "incomplete implementation can be "
            "enabled via the tlc2.tool.impl.Tool.cdot=true java property.");
    }
    struct lc left = lc;
    left.env = args[0]->env;
    const struct ex *right = lower_binding(lc, at, args[1], NULL, 0);
    struct ex *x = lower_ex_kids(lc.spec, EX_CDOT, at, &right, 1);
    x->u.p = lower_enabled_body(left, args[0]->node, NULL);
    x->level = LEVEL_ACTION;
    return x;
}

static const struct ex *lower_in_list(struct lc lc, const struct node *at,
                                      const struct ex *const *kids, enum ex_op op)
{
    const struct ex *set = kids[1];
    struct ex *x = lower_ex(lc.spec, op, at, set->n + 1);
    x->level = kids[0]->level > set->level ? kids[0]->level : set->level;
    x->kid[0] = kids[0];
    for (uint32_t i = 0; i < set->n; i++) {
        x->kid[i + 1] = set->kid[i];
    }
    return x;
}

const struct ex *lower_builtin(struct lc lc, const struct node *at, const struct def *def,
                               struct binding **args, size_t nargs)
{
    const char *name = def->name.p;
    lc.keep_lazy = false;
    for (size_t i = 0; i < sizeof builtin_rows / sizeof builtin_rows[0]; i++) {
        const struct builtin_row *row = &builtin_rows[i];
        if (row->arity == nargs && strcmp(row->name, name) == 0) {
            const struct ex *kids[2] = {NULL, NULL};
            for (size_t k = 0; k < nargs; k++) {
                kids[k] = lower_binding(lc, at, args[k], NULL, 0);
            }
            if ((row->op == EX_IN || row->op == EX_NOTIN) && kids[1] && kids[1]->op == EX_SETENUM) {
                return lower_in_list(lc, at, kids, row->op == EX_IN ? EX_IN_LIST : EX_NOTIN_LIST);
            }
            return lower_ex_kids(lc.spec, row->op, at, kids, nargs);
        }
    }
    if (nargs == 0) {
        if (strcmp(name, "TRUE") == 0 || strcmp(name, "FALSE") == 0) {
            return lower_ex_const(lc.spec, at, val_bool(name[0] == 'T'));
        }
        if (strcmp(name, "BOOLEAN") == 0) {
            struct val both[2] = {VAL_FALSE, VAL_TRUE};
            struct vctx *ctx = &lc.spec->boot->vctx;
            return lower_ex_const(lc.spec, at,
                                  val_freeze(ctx, lc.spec->arena, set_make(ctx, both, 2)));
        }
        if (strcmp(name, "STRING") == 0) {
            return lower_ex_const(lc.spec, at, VAL_STRING);
        }
    }
    if (nargs == 1 && strcmp(name, "'") == 0) {
        return lower_prime(lc, at, args);
    }
    if (nargs == 1 && strcmp(name, "UNCHANGED") == 0) {
        return lower_unchanged(lc, at, args);
    }
    if (nargs == 1 && strcmp(name, "ENABLED") == 0) {
        return lower_enabled(lc, at, args);
    }
    if (nargs == 2 && strcmp(name, "\\cdot") == 0) {
        return lower_cdot(lc, at, args);
    }
    return lower_temporal_error(lc, at, name);
}

/* ---- native operators ---- */
const struct ex *lower_native(struct lc lc, const struct node *at, const struct def *def,
                              const struct native *native, struct binding **args)
{
    enum ex_op op = native->op;
    lc.keep_lazy = false;
    if (op == EX_CACHE && !lower_cache_applies(lc.spec, args[0])) {
        return lower_binding(lc, at, args[0], NULL, 0);
    }
    struct ex *x = lower_ex(lc.spec, op, at, def->arity);
    x->u.p = native;
    x->level = (uint8_t)lower_level_of_def(lc.spec, def, lc.spec->root_env);
    if (op == EX_CACHE) {
        x->u.p = args[0]->node;
    }
    if (op == EX_EVAL_DEFINITION) {
        x->u.p = lower_definitions(lc, at, args[0], &x->level);
    }
    for (uint32_t i = 0; i < def->arity; i++) {
        uint32_t arity = def->params[i]->arity;
        x->kid[i] = arity > 0 ? lower_oper(lc, at, args[i], arity)
                              : lower_binding(lc, at, args[i], NULL, 0);
        x->level = x->kid[i]->level > x->level ? x->kid[i]->level : x->level;
    }
    if (lc.primed && native->id == NATIVE_TLC_GET) {
        const struct ex *now = x;
        x = lower_ex_kids(lc.spec, EX_NEXT_LEVEL, at, &now, 1);
        x->level = LEVEL_ACTION;
    }
    return x;
}

/* The configuration applied to the specification: constants and overrides, SPECIFICATION taken
 * apart into Init, Next and fairness, PROPERTY into invariants, implied actions and temporal
 * formulas. The rules and the codes of errors are TLC's. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/eval_int.h"
#include "eval/spec.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

struct def *spec_lookup(struct spec *spec, struct str name)
{
    struct def *def = program_lookup(spec->program, name);
    for (size_t i = spec->program->norder; !def && i-- > 0;) {
        def = module_lookup(spec->program->order[i], name);
    }
    return def;
}

/* ---- constants ---- */
static struct val config_value(struct spec *spec, const struct cfg_value *v)
{
    struct vctx *ctx = &spec->boot->vctx;
    struct val ret = VAL_UNDEF;
    switch (v->kind) {
    case CFG_INT:
        if (!int_parse(ctx, v->text, 10, &ret)) {
            spec_fail(spec, 2265, 151, NULL, "%.*s is not an integer.", STR_ARG(v->text));
        }
        break;
    case CFG_STRING: ret = val_str(ctx, v->text); break;
    case CFG_BOOL: ret = val_bool(v->b); break;
    case CFG_MODEL: ret = val_model(spec->strings, v->text); break;
    case CFG_SET: {
        struct val *elems = arena_alloc(ctx->arena, sizeof *elems * (v->nelem + 1));
        for (size_t i = 0; i < v->nelem; i++) {
            elems[i] = config_value(spec, v->elems[i]);
        }
        ret = set_make(ctx, elems, v->nelem);
        break;
    }
    }
    return val_freeze(ctx, spec->arena, ret);
}

static void override_put(struct spec *spec, const struct def *def, struct def_override *o)
{
    u64map_put(&spec->overrides, (uint64_t)(uintptr_t)def, (uint64_t)(uintptr_t)o);
}

/* Foo(1, a) = v: rows are collected in one table for each operator. */
static void table_add(struct spec *spec, const struct def *def, const struct cfg_assign *a)
{
    uint64_t known;
    struct def_override *o;
    struct def_table *table;
    if (u64map_get(&spec->overrides, (uint64_t)(uintptr_t)def, &known)) {
        o = (struct def_override *)(uintptr_t)
            known; /* NOLINT(performance-no-int-to-ptr): stored by override_put */
        table = (struct def_table *)o->table;
    } else {
        o = ARENA_NEW(spec->arena, struct def_override);
        table = ARENA_NEW(spec->arena, struct def_table);
        o->table = table;
        table->arity = (uint32_t)a->narg;
        override_put(spec, def, o);
    }
    if (!table || table->arity != a->narg) {
        spec_fail(spec, 2242, 151, NULL,
                  "The operator %.*s is given values with different numbers of arguments.",
                  STR_ARG(a->lhs));
    }
    size_t n = table->nrow + 1;
    struct val *args = ARENA_ARRAY(spec->arena, struct val, n * a->narg);
    struct val *vals = ARENA_ARRAY(spec->arena, struct val, n);
    if (table->nrow) {
        memcpy(args, table->args, sizeof *args * table->nrow * a->narg);
        memcpy(vals, table->vals, sizeof *vals * table->nrow);
    }
    for (size_t i = 0; i < a->narg; i++) {
        args[table->nrow * a->narg + i] = config_value(spec, a->args[i]);
    }
    vals[table->nrow] = config_value(spec, a->value);
    table->args = args;
    table->vals = vals;
    table->nrow = n;
}

static void assign_replacement(struct spec *spec, const struct def *def, const struct cfg_assign *a)
{
    struct def *by = spec_lookup(spec, a->replacement);
    if (!by) {
        spec_fail(spec, 2280, 151, NULL,
                  "The configuration file substitutes for %.*s with %.*s, but the latter is not "
                  "defined in the specification.",
                  STR_ARG(a->lhs), STR_ARG(a->replacement));
    }
    if (by->arity != def->arity) {
        spec_fail(spec, 2225, 151, NULL,
                  "The configuration file substitutes for %.*s with %.*s, but they have different "
                  "numbers of arguments.",
                  STR_ARG(a->lhs), STR_ARG(a->replacement));
    }
    struct def_override *o = ARENA_NEW(spec->arena, struct def_override);
    o->scoped = a->module.n > 0;
    o->def = by;
    override_put(spec, def, o);
}

static void assign_one(struct spec *spec, const struct cfg_assign *a)
{
    struct def *def = NULL;
    if (a->module.n) {
        struct module *module = strmap_get(&spec->program->modules, a->module);
        if (!module) {
            spec_fail(spec, 2245, 151, NULL,
                      "The configuration file names the module %.*s, which the specification does "
                      "not use.",
                      STR_ARG(a->module));
        }
        def = module_lookup(module, a->lhs);
    } else {
        def = spec_lookup(spec, a->lhs);
    }
    if (!def && !a->replacement.n && !a->module.n) {
        return; /* as TLC: a value for a name that the specification does not use */
    }
    if (!def) {
        spec_fail(spec, 2226, 151, NULL,
                  "The configuration file gives a value for %.*s, which does not appear in the "
                  "specification.",
                  STR_ARG(a->lhs));
    }
    if (a->replacement.n) {
        assign_replacement(spec, def, a);
        return;
    }
    if (a->narg) {
        table_add(spec, def, a);
        return;
    }
    struct def_override *o = ARENA_NEW(spec->arena, struct def_override);
    o->has_value = true;
    o->scoped = a->module.n > 0;
    o->value = config_value(spec, a->value);
    override_put(spec, def, o);
}

void spec_constants(struct spec *spec, const struct config *config)
{
    for (size_t i = 0; i < config->nassign; i++) {
        assign_one(spec, &config->assigns[i]);
    }
    const struct module *root = spec->program->root;
    for (uint32_t i = 0; i < root->nconst; i++) {
        uint64_t unused;
        if (!u64map_get(&spec->overrides, (uint64_t)(uintptr_t)root->consts[i], &unused)) {
            spec_fail(
                spec, 2222, 151, NULL,
                "The constant parameter %.*s is not assigned a value by the configuration file.",
                STR_ARG(root->consts[i]->name));
        }
    }
}

/* ---- taking formulas apart ---- */
struct unit *spec_predicate(struct spec *spec, struct env *env, const struct node *node)
{
    struct unit *u = unit_new(spec, NULL);
    struct lc lc = {.spec = spec, .unit = u, .env = env};
    u->body = lower(lc, node);
    return u;
}

/* What a name leads to while a formula is taken apart: a body to go on with, a boolean, or nothing
 * that can be followed. */
struct step {
    const struct node *node; /* NULL: not to be followed */
    struct lc lc;
    const struct def *def;
    bool is_value;
    struct val value;
};

static struct step follow(struct spec *spec, struct lc lc, const struct node *node)
{
    struct step s = {.lc = lc};
    struct binding **args;
    const struct def *def;
    size_t n = node_args(lc, node, &args, &def);
    if (!def || def->kind == DEF_BUILTIN) {
        return s;
    }
    struct target t = resolve(&s.lc, node, def, args, n);
    if (t.binding) {
        if (t.binding->kind == BIND_NAME && t.nargs == 0) {
            s.lc.env = t.binding->env;
            s.node = t.binding->node;
        }
        return s;
    }
    if (t.has_value) {
        s.is_value = true;
        s.value = t.value;
        return s;
    }
    if (t.table || t.def->kind != DEF_OP || !t.def->body || t.def->recursive || t.def->is_fcn ||
        t.nargs != t.def->arity || def_native(spec, t.def)) {
        return s;
    }
    struct slot_list none = {0};
    s.def = t.def;
    s.lc.env = bind_args(s.lc, s.lc.env, t.def->params, t.def->body, t.args, t.nargs, &none);
    s.node = t.def->body;
    return s;
}

static bool names_operator(const struct node *node)
{
    return node->kind == N_ID || node->kind == N_APP || node->kind == N_BANG ||
           (node->kind == N_OP && node->ref &&
            ((const struct def *)node->ref)->kind != DEF_BUILTIN);
}

static bool is_and(const struct node *node)
{
    return node->kind == N_CONJ || (node->kind == N_OP && is_builtin(node->ref, "/\\"));
}

static void split_box(struct spec *spec, struct lc lc, const struct node *node,
                      struct spec_parts *parts)
{
    const struct node *arg = node->kid[0];
    if (arg->kind == N_BOXACT) {
        if (parts->next.node) {
            spec_fail(
                spec, 2240, 151, node,
                "The specification contains more than one conjunct of the form [][Next]_v,\nbut "
                "TLC can handle only specifications with one next-state relation.");
        }
        parts->next = (struct scoped){arg->kid[0], lc.env, NULL};
        return;
    }
    if (level_of(spec, arg, lc.env) <= LEVEL_STATE) {
        spec_fail(spec, 2213, 255, arg, "TLC cannot handle the temporal formula %s",
                  place_text(spec, arg));
    }
    VEC_PUSH(&parts->fairness, ((struct scoped){node, lc.env, NULL}));
}

void spec_split(struct spec *spec, struct lc lc, const struct node *node, const char *name,
                struct spec_parts *parts)
{
    if (node->kind == N_LABEL) {
        spec_split(spec, lc, node->kid[node->nkid - 1], name, parts);
        return;
    }
    if (node->kind == N_LET) {
        struct slot_list none = {0};
        lc.env = let_env(lc, node, &none);
        spec_split(spec, lc, node->kid[node->nkid - 1], name, parts);
        return;
    }
    if (is_and(node)) {
        for (uint32_t i = 0; i < node->nkid; i++) {
            spec_split(spec, lc, node->kid[i], name, parts);
        }
        return;
    }
    enum level level = level_of(spec, node, lc.env);
    if (names_operator(node)) {
        struct step s = follow(spec, lc, node);
        if (s.is_value && val_is_bool(s.value)) {
            if (val_same(s.value, VAL_FALSE)) {
                spec_fail(spec, 2237, 151, node,
                          "The specification is FALSE: it allows no behaviour.");
            }
            return;
        }
        const char *inner = s.def ? arena_strndup(spec->arena, s.def->name.p, s.def->name.n) : name;
        if (s.node && level <= LEVEL_STATE) {
            VEC_PUSH(&parts->inits, ((struct scoped){s.node, s.lc.env, inner}));
            return;
        }
        if (s.node) {
            spec_split(spec, s.lc, s.node, inner, parts);
            return;
        }
    }
    if (node->kind == N_TFORALL || node->kind == N_TEXISTS) {
        spec_fail(spec, 2301, 255, node,
                  "TLC does not support the temporal existential or universal quantifier.");
    }
    if (node->kind == N_OP && is_builtin(node->ref, "[]")) {
        split_box(spec, lc, node, parts);
        return;
    }
    if (level <= LEVEL_STATE) {
        VEC_PUSH(&parts->inits, ((struct scoped){node, lc.env, name}));
    } else if (level == LEVEL_TEMPORAL) {
        VEC_PUSH(&parts->fairness, ((struct scoped){node, lc.env, name}));
    } else {
        spec_fail(spec, 2239, 151, node,
                  "TLC cannot handle the following conjunct of the specification: %s",
                  place_text(spec, node));
    }
}

/* ---- properties ---- */
static void prop_add(struct spec *spec, enum mprop_kind kind, const char *name, struct env *env,
                     const struct node *node)
{
    struct mprop prop = {kind, name, ev_mplace(spec, node)};
    VEC_PUSH(&spec->props, prop);
    VEC_PUSH(&spec->prop_preds, ((struct pred){spec_predicate(spec, env, node), name, node}));
}

static void temporal_add(struct spec *spec, struct lc lc, const struct node *node, const char *name)
{
    struct tform *f = tform_lower(spec, lc, node);
    VEC_PUSH(&spec->live_props, ((struct mlive_prop){name, f}));
}

static void property_box(struct spec *spec, struct lc lc, const struct node *node, const char *name)
{
    const struct node *arg = node->kid[0];
    const struct def *def = arg->kind == N_ID ? arg->ref : NULL;
    const char *inner =
        def && def->kind == DEF_OP ? arena_strndup(spec->arena, def->name.p, def->name.n) : name;
    if (arg->kind == N_BOXACT) {
        prop_add(spec, MPROP_ACTION, name, lc.env, arg);
    } else if (level_of(spec, arg, lc.env) < LEVEL_ACTION) {
        prop_add(spec, MPROP_INVARIANT, inner, lc.env, arg);
    } else {
        temporal_add(spec, lc, node, name);
    }
}

/* \A x \in S : P over a constant set: each instance is a property of its own. Returns false when
 * the set is not constant. */
static bool property_forall(struct spec *spec, struct lc lc, const struct node *node,
                            const char *name)
{
    if (node->kind != N_FORALL || node->nkid != 2 || node->kid[0]->nkid != 2 ||
        node->kid[0]->flags & NF_TUPLE) {
        return false;
    }
    const struct node *bound = node->kid[0];
    if (level_of(spec, bound->kid[1], lc.env) > LEVEL_CONSTANT) {
        return false;
    }
    struct val v = spec_constant(spec, lc.env, bound->kid[1]);
    const struct vobj *set = val_obj(v);
    if (set->n == 0) {
        spec_fail(spec, 2253, 77, node,
                  "Temporal formula is a tautology (its negation is unsatisfiable).");
    }
    for (uint32_t i = 0; i < set->n; i++) {
        struct binding *b = bind_new(lc, BIND_VALUE);
        b->val = set->v[i];
        struct lc inner = lc;
        inner.env = env_bind(spec, lc.env, bound->kid[0]->ref, b);
        spec_property(spec, inner, node->kid[1], name);
    }
    return true;
}

static void property_action_level(struct spec *spec, const struct node *node, const char *name)
{
    int code = node->kind == N_BOXACT ? 2273 : node->kind == N_ANGLEACT ? 2274 : 2272;
    spec_fail(spec, code, 151, node,
              "The property %s is an action-level formula; a property must be a temporal formula "
              "such as [][A]_v.",
              name);
}

void spec_property(struct spec *spec, struct lc lc, const struct node *node, const char *name)
{
    if (node->kind == N_LABEL) {
        spec_property(spec, lc, node->kid[node->nkid - 1], name);
        return;
    }
    if (node->kind == N_LET) {
        struct slot_list none = {0};
        lc.env = let_env(lc, node, &none);
        spec_property(spec, lc, node->kid[node->nkid - 1], name);
        return;
    }
    if (names_operator(node)) {
        struct step s = follow(spec, lc, node);
        if (s.is_value && val_same(s.value, VAL_TRUE)) {
            return;
        }
        if (s.is_value && val_same(s.value, VAL_FALSE)) {
            spec_fail(spec, 2237, 151, node, "The property %s is FALSE.", name);
        }
        if (s.node) {
            spec_property(spec, s.lc, s.node,
                          s.def ? arena_strndup(spec->arena, s.def->name.p, s.def->name.n) : name);
            return;
        }
    }
    enum level level = level_of(spec, node, lc.env);
    if (is_and(node)) {
        for (uint32_t i = 0; i < node->nkid; i++) {
            spec_property(spec, lc, node->kid[i], name);
        }
        return;
    }
    if (level == LEVEL_TEMPORAL && property_forall(spec, lc, node, name)) {
        return;
    }
    if (node->kind == N_OP && is_builtin(node->ref, "[]")) {
        property_box(spec, lc, node, name);
    } else if (level <= LEVEL_STATE) {
        prop_add(spec, MPROP_INIT, name, lc.env, node);
    } else if (level == LEVEL_TEMPORAL) {
        temporal_add(spec, lc, node, name);
    } else {
        property_action_level(spec, node, name);
    }
}

/* SPECIFICATION taken apart into Init, Next and fairness, PROPERTY into invariants, implied actions
 * and temporal formulas. The rules, the names of the parts and the codes of errors are TLC's. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/spec.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

struct unit *spec_predicate(struct spec *spec, struct env *env, const struct node *node)
{
    struct unit *u = unit_new(spec, NULL);
    struct lc lc = {.spec = spec, .unit = u, .env = env};
    u->body = lower(lc, node);
    return u;
}

/* ---- names ---- */

static const char *name_text(struct spec *spec, const struct def *def)
{
    return arena_strndup(spec->arena, def->name.p, def->name.n);
}

static struct env *bind_lambda(struct lc lc, struct env *env, const struct node *lambda,
                               struct binding **args, size_t nargs)
{
    for (size_t i = 0; i < nargs && i + 1 < lambda->nkid; i++) {
        env = env_bind(lc.spec, env, lambda->kid[i]->ref, args[i]);
    }
    return env;
}

/* A parameter bound to a formula or an operator. Returns true when `t` is a new target to go on
 * with; false when s is all that is to be had. */
static bool follow_binding(struct spec *spec, struct spec_step *s, struct target *t)
{
    const struct binding *b = t->binding;
    if (b->kind == BIND_VALUE && t->nargs == 0) {
        s->is_value = true;
        s->value = b->val;
        return false;
    }
    if (b->kind != BIND_NAME) {
        return false;
    }
    s->lc.env = b->env;
    s->lc.enabled = b->enabled;
    if (t->nargs == 0) {
        s->node = b->node;
        s->name = NULL; /* what is behind a parameter goes by the name it had */
        return false;
    }
    if (b->node->kind == N_LAMBDA) {
        s->lc.env = bind_lambda(s->lc, b->env, b->node, t->args, t->nargs);
        s->node = b->node->kid[b->node->nkid - 1];
        return false;
    }
    struct binding **path;
    const struct def *def;
    size_t npath = lower_node_args(s->lc, b->node, &path, &def);
    if (!def || def->kind == DEF_BUILTIN) {
        return false;
    }
    struct binding **all = ARENA_ARRAY(spec->arena, struct binding *, npath + t->nargs + 1);
    if (npath) {
        memcpy((void *)all, (const void *)path, sizeof(struct binding *) * npath);
    }
    memcpy((void *)(all + npath), (const void *)t->args, sizeof(struct binding *) * t->nargs);
    *t = lower_resolve(&s->lc, b->node, def, all, npath + t->nargs);
    return true;
}

struct spec_step spec_follow(struct spec *spec, struct lc lc, const struct node *node)
{
    struct spec_step s = {.lc = lc};
    struct binding **args;
    const struct def *def;
    size_t n = lower_node_args(lc, node, &args, &def);
    if (!def || def->kind == DEF_BUILTIN) {
        return s;
    }
    s.name = name_text(spec, def);
    struct target t = lower_resolve(&s.lc, node, def, args, n);
    while (t.binding) {
        if (!follow_binding(spec, &s, &t)) {
            return s;
        }
    }
    if (t.has_value) {
        s.is_value = true;
        s.value = t.value;
        return s;
    }
    if (t.table || t.def->kind != DEF_OP || !t.def->body || t.def->recursive || t.def->is_fcn ||
        t.nargs != t.def->arity || native_of_def(spec, t.def)) {
        return s;
    }
    if (t.nargs == 0 && n == 0 && lower_level_of_def(spec, t.def, s.lc.env) == LEVEL_CONSTANT &&
        spec_try_constant(spec, lc.env, node, &s.value)) {
        s.is_value = true;
        return s;
    }
    struct slot_list none = {0};
    s.lc.env = bind_args(s.lc, s.lc.env, t.def->params, t.def->body, t.args, t.nargs, &none);
    s.node = t.def->body;
    return s;
}

/* A name that stands for a value: TRUE can be left out, nothing else makes sense. */
static void check_value(struct spec *spec, const struct node *node, const struct spec_step *s,
                        const char *use)
{
    if (val_same(s->value, VAL_TRUE)) {
        return;
    }
    if (val_same(s->value, VAL_FALSE)) {
        spec_fail(spec, 2237, 151, node, "The spec is trivially false because %s is false.",
                  s->name);
    }
    spec_fail(spec, 2236, 151, node, "The operator %s, which equals %s,\ncannot be used as a %s",
              s->name, val_ppr(&spec->boot->vctx, s->value), use);
}

static bool names_operator(const struct node *node)
{
    return node->kind == N_ID || node->kind == N_APP || node->kind == N_BANG ||
           (node->kind == N_OP && node->ref &&
            ((const struct def *)node->ref)->kind != DEF_BUILTIN);
}

static bool is_and(const struct node *node)
{
    return node->kind == N_CONJ || (node->kind == N_OP && lower_is_builtin(node->ref, "/\\"));
}

/* LET and labels are seen through. */
static const struct node *unwrap(struct lc *lc, const struct node *node)
{
    for (;;) {
        if (node->kind == N_LET) {
            struct slot_list none = {0};
            lc->env = lower_let_env(*lc, node, &none);
        } else if (node->kind != N_LABEL) {
            return node;
        }
        node = node->kid[node->nkid - 1];
    }
}

/* ---- SPECIFICATION ---- */

/* Marks the variables that stand in tuples of the subscript. False: TLC gives up on it. */
static bool subscript_vars(struct spec *spec, struct lc lc, const struct node *node, bool *found)
{
    node = unwrap(&lc, node);
    if (node->kind == N_TUPLE) {
        for (uint32_t i = 0; i < node->nkid; i++) {
            if (!subscript_vars(spec, lc, node->kid[i], found)) {
                return false;
            }
        }
        return true;
    }
    if (node->kind == N_NUM || node->kind == N_STRING || node->kind == N_DECIMAL) {
        return false;
    }
    if (!names_operator(node)) {
        return true;
    }
    struct binding **args;
    const struct def *def;
    size_t n = lower_node_args(lc, node, &args, &def);
    struct lc at = lc;
    struct target t = {0};
    if (def) {
        t = lower_resolve(&at, node, def, args, n);
    }
    uint64_t index;
    if (t.def && t.def->kind == DEF_VAR && !t.binding &&
        u64map_get(&spec->var_of_def, (uint64_t)(uintptr_t)t.def, &index)) {
        found[index] = true;
        return true;
    }
    struct spec_step s = spec_follow(spec, lc, node);
    return !s.node || subscript_vars(spec, s.lc, s.node, found);
}

static void check_subscript(struct spec *spec, struct lc lc, const struct node *subscript)
{
    bool *found = ARENA_ARRAY(spec->arena, bool, spec->nvar + 1);
    if (!subscript_vars(spec, lc, subscript, found)) {
        spec_warn(spec, 2139,
                  "TLC could not determine if the subscript of the next-state relation contains"
                  "\nall state variables. Proceed with fingers crossed.");
        return;
    }
    for (uint32_t i = 0; i < spec->nvar; i++) {
        if (!found[i]) {
            spec_warn(spec, 2140,
                      "The subscript of the next-state relation specified by the specification"
                      "\ndoes not seem to contain the state variable %.*s",
                      STR_ARG(spec->vars[i]->name));
        }
    }
}

static void split_box(struct spec *spec, struct lc lc, const struct node *node,
                      struct spec_parts *parts)
{
    const struct node *arg = node->kid[0];
    if (arg->kind == N_BOXACT) {
        check_subscript(spec, lc, arg->kid[1]);
        if (parts->next.node) {
            spec_fail(
                spec, 2240, 151, node,
                "The specification contains more than one conjunct of the form [][Next]_v,\nbut "
                "TLC can handle only specifications with one next-state relation.");
        }
        parts->next = (struct scoped){arg->kid[0], lc.env, NULL};
        return;
    }
    if (lower_level_of(spec, arg, lc.env) <= LEVEL_STATE) {
        spec_fail(spec, 2213, 255, arg, "TLC cannot handle the temporal formula %s",
                  ev_place_text(spec, arg));
    }
    VEC_PUSH(&parts->fairness, ((struct scoped){node, lc.env, NULL}));
    spec_tell(spec, TOLD_TEMPORAL, NULL, node);
}

void spec_split(struct spec *spec, struct lc lc, const struct node *node, const char *name,
                struct spec_parts *parts)
{
    node = unwrap(&lc, node);
    if (is_and(node)) {
        for (uint32_t i = 0; i < node->nkid; i++) {
            spec_split(spec, lc, node->kid[i], name, parts);
        }
        return;
    }
    enum level level = lower_level_of(spec, node, lc.env);
    if (names_operator(node)) {
        struct spec_step s = spec_follow(spec, lc, node);
        if (lower_is_builtin(node->ref, "TRUE") || lower_is_builtin(node->ref, "FALSE")) {
            s = (struct spec_step){.is_value = true,
                                   .name = ((const struct def *)node->ref)->name.p};
            s.value = val_bool(lower_is_builtin(node->ref, "TRUE"));
        }
        if (s.is_value) {
            check_value(spec, node, &s, "spec");
            return;
        }
        const struct def *def = node->kind == N_ID ? node->ref : NULL;
        if (def && def->kind == DEF_VAR && !s.node) {
            spec_fail(spec, 2236, 151, node,
                      "The operator %s, which equals %s,\ncannot be used as a spec", s.name,
                      ev_place_text(spec, def->decl));
        }
        const char *inner = s.name ? s.name : name;
        if (s.node && level <= LEVEL_STATE) {
            VEC_PUSH(&parts->inits, ((struct scoped){s.node, s.lc.env, inner}));
            spec_tell(spec, TOLD_INIT, inner, s.node);
            return;
        }
        if (s.node) {
            spec_split(spec, s.lc, s.node, inner, parts);
            return;
        }
    }
    if (node->kind == N_TFORALL || node->kind == N_TEXISTS) {
        spec_fail(spec, 2301, 255, node,
                  "TLC does not support temporal existential, nor universal, quantification over "
                  "state variables.");
    }
    if (node->kind == N_OP && lower_is_builtin(node->ref, "[]")) {
        split_box(spec, lc, node, parts);
        return;
    }
    if (level <= LEVEL_STATE) {
        VEC_PUSH(&parts->inits, ((struct scoped){node, lc.env, name}));
        spec_tell(spec, TOLD_INIT, NULL, node);
    } else if (level == LEVEL_TEMPORAL) {
        VEC_PUSH(&parts->fairness, ((struct scoped){node, lc.env, name}));
        spec_tell(spec, TOLD_TEMPORAL, NULL, node);
    } else {
        spec_fail(spec, 2239, 151, node, "TLC cannot handle this conjunct of the spec:\n%s",
                  ev_place_text(spec, node));
    }
}

/* ---- PROPERTY ---- */

/* `name` is that of the part, `config` the one in the configuration: TLC uses the latter for
 * temporal formulas. */
struct prop_names {
    const char *name;
    const char *config;
};

static void prop_add(struct spec *spec, enum mprop_kind kind, struct prop_names names,
                     struct env *env, const struct node *node)
{
    struct mprop prop = {kind, names.name, names.config, ev_mplace(spec, node)};
    VEC_PUSH(&spec->props, prop);
    VEC_PUSH(
        &spec->prop_preds,
        ((struct pred){.unit = spec_predicate(spec, env, node), .name = names.name, .node = node}));
    spec_tell(spec,
              kind == MPROP_ACTION ? TOLD_IMPLIED_ACTION
              : kind == MPROP_INIT ? TOLD_IMPLIED_INIT
                                   : TOLD_INVARIANT,
              names.config, node);
}

static void temporal_add(struct spec *spec, struct lc lc, const struct node *node,
                         struct prop_names names)
{
    struct tform *f = tform_lower(spec, lc, node);
    VEC_PUSH(&spec->live_props, ((struct mlive_prop){names.config, f}));
    spec_tell(spec, TOLD_IMPLIED_TEMPORAL, names.config, node);
}

static void property_box(struct spec *spec, struct lc lc, const struct node *node,
                         struct prop_names names)
{
    const struct node *arg = node->kid[0];
    bool bare = (arg->kind == N_ID || arg->kind == N_BANG) && arg->ref;
    if (arg->kind == N_BOXACT) {
        prop_add(spec, MPROP_ACTION, names, lc.env, arg);
    } else if (lower_level_of(spec, arg, lc.env) < LEVEL_ACTION) {
        names.name = bare ? name_text(spec, arg->ref) : names.name;
        prop_add(spec, MPROP_INVARIANT, names, lc.env, arg);
    } else {
        temporal_add(spec, lc, node, names);
    }
}

static void property(struct spec *spec, struct lc lc, const struct node *node,
                     struct prop_names names);

struct instances {
    const struct node *body;
    const char *config;
};

static void property_instance(struct spec *spec, struct lc lc, void *arg)
{
    const struct instances *in = arg;
    property(spec, lc, in->body, (struct prop_names){ev_place_text(spec, in->body), in->config});
}

/* \A x \in S : P over constant sets: each instance is a property of its own. Returns false when a
 * set is not constant. */
static bool property_forall(struct spec *spec, struct lc lc, const struct node *node,
                            const char *config)
{
    if (node->kind != N_FORALL) {
        return false;
    }
    struct instances in = {node->kid[node->nkid - 1], config};
    size_t n;
    if (!spec_unroll(spec, lc, node, property_instance, &in, &n)) {
        return false;
    }
    if (n == 0) {
        spec_fail(spec, 2253, 77, node,
                  "Temporal formula is a tautology (its negation is unsatisfiable).");
    }
    return true;
}

static void property_action_level(struct spec *spec, const struct node *node, const char *name)
{
    const char *place = ev_place_text(spec, node);
    const char *start =
        arena_printf(spec->arena,
                     "The formula %s at %s is an action-level formula (i.e., it contains no "
                     "temporal operators). Only temporal-level (or state-level) formulas are "
                     "allowed under PROPERTY or PROPERTIES. ",
                     name, place);
    if (node->kind == N_ANGLEACT) {
        spec_fail(spec, 2274, 151, node,
                  "%sTo check that infinitely many %s steps occur, define a temporal property by "
                  "applying the \"always eventually\" temporal operator combination ([]<>) to the "
                  "formula at %s (compare page 91 of Specifying Systems at "
                  "https://lamport.azurewebsites.net/tla/book.html).",
                  start, name, place);
    }
    if (node->kind == N_BOXACT) {
        spec_fail(spec, 2273, 151, node,
                  "%sTo check that action %s holds in *every* step of the behavior, define a "
                  "temporal property by applying the \"always\" temporal operator ([]) to the "
                  "formula at %s (compare page 90 of Specifying Systems at "
                  "https://lamport.azurewebsites.net/tla/book.html).",
                  start, name, place);
    }
    spec_fail(spec, 2272, 151, node,
              "%sTo check that action %s holds in *every* step of the behavior, define a temporal "
              "property: Let A be the formula at %s; rewrite A as [][A]_v, where v is a state "
              "function (typically the tuple of variables) (compare page 90 of Specifying Systems "
              "at https://lamport.azurewebsites.net/tla/book.html).",
              start, name, place);
}

static void property(struct spec *spec, struct lc lc, const struct node *node,
                     struct prop_names names)
{
    node = unwrap(&lc, node);
    if (names_operator(node)) {
        struct spec_step s = spec_follow(spec, lc, node);
        if (s.is_value) {
            check_value(spec, node, &s, "property");
            return;
        }
        if (s.node) {
            names.name = s.name ? s.name : names.name;
            property(spec, s.lc, s.node, names);
            return;
        }
    }
    if (is_and(node)) {
        for (uint32_t i = 0; i < node->nkid; i++) {
            names.name = ev_place_text(spec, node->kid[i]);
            property(spec, lc, node->kid[i], names);
        }
        return;
    }
    if (property_forall(spec, lc, node, names.config)) {
        return;
    }
    enum level level = lower_level_of(spec, node, lc.env);
    if (node->kind == N_OP && lower_is_builtin(node->ref, "[]")) {
        property_box(spec, lc, node, names);
    } else if (level <= LEVEL_STATE) {
        prop_add(spec, MPROP_INIT, names, lc.env, node);
    } else if (level == LEVEL_TEMPORAL) {
        temporal_add(spec, lc, node, names);
    } else {
        property_action_level(spec, node, names.name);
    }
}

void spec_property(struct spec *spec, struct lc lc, const struct node *node, const char *name)
{
    property(spec, lc, node, (struct prop_names){name, name});
}

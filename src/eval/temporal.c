/* Temporal formulas: from the tree to struct tform, whose leaves are predicates on a state or a
 * step.
 *
 * Definitions and instances are followed, quantifiers over constant sets are unrolled, WF, SF and
 * ~> are written out: WF_v(A) = []<>~ENABLED<<A>>_v \/ []<><<A>>_v      SF_v(A) =
 * <>[]~ENABLED<<A>>_v \/ []<><<A>>_v      P ~> Q = [](P => <>Q) */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/lower.h"
#include "eval/ops.h"
#include "eval/spec.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

struct tform *tform_new(struct spec *spec, enum tf_kind kind, size_t n)
{
    struct tform *f = ARENA_NEW(spec->arena, struct tform);
    f->kind = kind;
    f->n = (uint32_t)n;
    f->kid = ARENA_ARRAY(spec->arena, struct tform *, n + 1);
    return f;
}

static struct tform *tf1(struct spec *spec, enum tf_kind kind, struct tform *kid)
{
    struct tform *f = tform_new(spec, kind, 1);
    f->kid[0] = kid;
    return f;
}

static struct tform *tf2(struct spec *spec, enum tf_kind kind, struct tform *a, struct tform *b)
{
    struct tform *f = tform_new(spec, kind, 2);
    f->kid[0] = a;
    f->kid[1] = b;
    return f;
}

static struct tform *leaf_of(struct spec *spec, struct unit *unit, const struct node *node,
                             bool action)
{
    struct tform *f = tform_new(spec, action ? TF_ACTION : TF_STATE, 0);
    struct pred p = {.unit = unit, .node = node};
    if (action) {
        f->leaf = (uint32_t)spec->action_leaves.n;
        VEC_PUSH(&spec->action_leaves, p);
        VEC_PUSH(&spec->action_gates, 0);
    } else {
        f->leaf = (uint32_t)spec->state_leaves.n;
        VEC_PUSH(&spec->state_leaves, p);
    }
    return f;
}

static struct tform *leaf_node(struct spec *spec, struct lc lc, const struct node *node,
                               bool action)
{
    struct val value;
    if (lower_level_of(spec, node, lc.env) == LEVEL_CONSTANT &&
        spec_try_constant(spec, lc.env, node, &value) && val_is_bool(value)) {
        return tform_new(spec, val_same(value, VAL_TRUE) ? TF_TRUE : TF_FALSE, 0);
    }
    struct unit *u = spec_predicate(spec, lc.env, node);
    if (u->body->op == EX_CONST && val_is_bool(u->body->u.val)) {
        return tform_new(spec, val_same(u->body->u.val, VAL_TRUE) ? TF_TRUE : TF_FALSE, 0);
    }
    return leaf_of(spec, u, node, action);
}

/* A step that is an A step and changes v. */
static struct tform *step_leaf(struct spec *spec, struct lc lc, const struct node *node,
                               const struct node *action, const struct node *subscript)
{
    struct unit *step = unit_new(spec, NULL);
    struct lc in = {.spec = spec, .unit = step, .env = lc.env};
    struct lc next = in;
    next.primed = true;
    const struct ex *kids[3] = {lower(in, action), lower(in, subscript), lower(next, subscript)};
    step->body = lower_ex_kids(spec, EX_STEP_TAKEN, node, kids, 3);
    return leaf_of(spec, step, node, true);
}

static struct tform *fairness_of(struct spec *spec, struct lc lc, const struct node *node)
{
    const struct node *subscript = node->kid[0];
    const struct node *action = node->kid[1];
    struct unit *enabled = unit_new(spec, NULL);
    struct lc in = {.spec = spec, .unit = enabled, .env = lc.env};
    struct ex *e = lower_ex(spec, EX_ENABLED, node, 0);
    e->u.p = lower_enabled_body(in, action, subscript);
    enabled->body = e;
    struct tform *off = tf1(spec, TF_NOT, leaf_of(spec, enabled, node, false));
    struct tform *step = step_leaf(spec, lc, node, action, subscript);
    spec->action_gates.v[step->leaf] = off->kid[0]->leaf + 1;
    struct tform *taken = tf1(spec, TF_ALWAYS, tf1(spec, TF_EVENTUALLY, step));
    bool weak = node->kind == N_WF;
    struct tform *never = weak ? tf1(spec, TF_ALWAYS, tf1(spec, TF_EVENTUALLY, off))
                               : tf1(spec, TF_EVENTUALLY, tf1(spec, TF_ALWAYS, off));
    return tf2(spec, TF_OR, never, taken);
}

static struct tform *junction(struct spec *spec, struct lc lc, const struct node *node,
                              enum tf_kind kind)
{
    struct tform *f = tform_new(spec, kind, node->nkid);
    for (uint32_t i = 0; i < node->nkid; i++) {
        f->kid[i] = tform_lower(spec, lc, node->kid[i]);
    }
    return f;
}

/* ---- quantifiers over constant sets, unrolled ---- */

/* Binds a name, or the names of a tuple pattern. */
static struct env *bind_pattern(struct lc lc, const struct node *pattern, struct val elem)
{
    struct spec *spec = lc.spec;
    if (pattern->kind != N_TUPLE) {
        struct binding *b = bind_new(lc, BIND_VALUE);
        b->val = elem;
        return env_bind(spec, lc.env, pattern->ref, b);
    }
    const struct vobj *t = seq_of(&spec->boot->vctx, elem);
    for (uint32_t i = 0; t && i < pattern->nkid && i < t->n; i++) {
        struct binding *b = bind_new(lc, BIND_VALUE);
        b->val = t->v[i];
        lc.env = env_bind(spec, lc.env, pattern->kid[i]->ref, b);
    }
    return lc.env;
}

struct unroll_var {
    const struct node *pattern;
    const struct vobj *elems;
    uint32_t at;
};

/* The variables with their sets; false when one has no value. */
static bool unroll_vars(struct spec *spec, struct lc lc, const struct node *quantifier,
                        struct unroll_var *vars, size_t *ret_n)
{
    size_t n = 0;
    for (uint32_t i = 0; i + 1 < quantifier->nkid; i++) {
        const struct node *bound = quantifier->kid[i];
        const struct node *set = bound->kid[bound->nkid - 1];
        struct val v;
        if (lower_level_of(spec, set, lc.env) > LEVEL_CONSTANT ||
            !spec_try_constant(spec, lc.env, set, &v) || !set_is_enumerable(v)) {
            return false;
        }
        v = spec_constant(spec, lc.env, set);
        for (uint32_t j = 0; j + 1 < bound->nkid; j++) {
            vars[n++] = (struct unroll_var){bound->kid[j], val_obj(v), 0};
        }
    }
    *ret_n = n;
    return true;
}

bool spec_unroll(struct spec *spec, struct lc lc, const struct node *quantifier,
                 void (*fn)(struct spec *spec, struct lc lc, void *arg), void *arg, size_t *ret_n)
{
    size_t most = 0;
    for (uint32_t i = 0; i + 1 < quantifier->nkid; i++) {
        most += quantifier->kid[i]->nkid;
    }
    struct unroll_var *vars = ARENA_ARRAY(spec->arena, struct unroll_var, most + 1);
    size_t n;
    if (!unroll_vars(spec, lc, quantifier, vars, &n)) {
        return false;
    }
    *ret_n = 0;
    for (size_t i = 0; i < n; i++) {
        if (vars[i].elems->n == 0) {
            return true;
        }
    }
    for (size_t carry = 0; carry < n || n == 0;) {
        struct lc inner = lc;
        for (size_t i = 0; i < n; i++) {
            inner.env = bind_pattern(inner, vars[i].pattern, vars[i].elems->v[vars[i].at]);
        }
        fn(spec, inner, arg);
        ++*ret_n;
        for (carry = 0; carry < n && ++vars[carry].at == vars[carry].elems->n; carry++) {
            vars[carry].at = 0;
        }
        if (n == 0) {
            break;
        }
    }
    return true;
}

struct instances {
    const struct node *body;
    VEC(struct tform *) parts;
};

static void instance_add(struct spec *spec, struct lc lc, void *arg)
{
    struct instances *in = arg;
    VEC_PUSH(&in->parts, tform_lower(spec, lc, in->body));
}

static struct tform *quantified(struct spec *spec, struct lc lc, const struct node *node)
{
    struct instances in = {.body = node->kid[node->nkid - 1]};
    size_t n;
    if (!spec_unroll(spec, lc, node, instance_add, &in, &n)) {
        spec_fail(spec, 2213, 255, node, "TLC cannot handle the temporal formula %s",
                  ev_place_text(spec, node));
    }
    struct tform *f = tform_new(spec, node->kind == N_FORALL ? TF_AND : TF_OR, n);
    if (n == 0) {
        f->kind = node->kind == N_FORALL ? TF_TRUE : TF_FALSE;
    } else {
        memcpy((void *)f->kid, (const void *)in.parts.v, sizeof(struct tform *) * n);
    }
    VEC_DONE(&in.parts);
    return f;
}

static struct tform *builtin(struct spec *spec, struct lc lc, const struct node *node,
                             const struct def *def)
{
    if (lower_is_builtin(def, "/\\")) {
        return junction(spec, lc, node, TF_AND);
    }
    if (lower_is_builtin(def, "\\/")) {
        return junction(spec, lc, node, TF_OR);
    }
    struct tform *a = tform_lower(spec, lc, node->kid[0]);
    if (lower_is_builtin(def, "~")) {
        return tf1(spec, TF_NOT, a);
    }
    if (lower_is_builtin(def, "[]")) {
        return tf1(spec, TF_ALWAYS, a);
    }
    if (lower_is_builtin(def, "<>")) {
        return tf1(spec, TF_EVENTUALLY, a);
    }
    struct tform *b = node->nkid > 1 ? tform_lower(spec, lc, node->kid[1]) : NULL;
    if (lower_is_builtin(def, "=>")) {
        return tf2(spec, TF_OR, tf1(spec, TF_NOT, a), b);
    }
    if (lower_is_builtin(def, "~>")) {
        return tf1(spec, TF_ALWAYS,
                   tf2(spec, TF_OR, tf1(spec, TF_NOT, a), tf1(spec, TF_EVENTUALLY, b)));
    }
    if (lower_is_builtin(def, "\\equiv")) {
        return tf2(spec, TF_OR, tf2(spec, TF_AND, a, b),
                   tf2(spec, TF_AND, tf1(spec, TF_NOT, a), tf1(spec, TF_NOT, b)));
    }
    spec_fail(spec, 2213, 255, node, "TLC cannot handle the temporal formula %s",
              ev_place_text(spec, node));
}

/* A name: follow its definition. */
static struct tform *named(struct spec *spec, struct lc lc, const struct node *node)
{
    struct spec_step s = spec_follow(spec, lc, node);
    if (!s.node) {
        spec_fail(spec, 2213, 255, node, "TLC cannot handle the temporal formula %s",
                  ev_place_text(spec, node));
    }
    return tform_lower(spec, s.lc, s.node);
}

struct tform *tform_lower(struct spec *spec, struct lc lc, const struct node *node)
{
    lc.by_name = true;
    enum level level = lower_level_of(spec, node, lc.env);
    if (level <= LEVEL_STATE) {
        return leaf_node(spec, lc, node, false);
    }
    if (node->kind == N_ANGLEACT) {
        return step_leaf(spec, lc, node, node->kid[0], node->kid[1]);
    }
    if (level == LEVEL_ACTION) {
        return leaf_node(spec, lc, node, true);
    }
    switch ((enum node_kind)node->kind) {
    case N_WF:
    case N_SF: return fairness_of(spec, lc, node);
    case N_CONJ: return junction(spec, lc, node, TF_AND);
    case N_DISJ: return junction(spec, lc, node, TF_OR);
    case N_FORALL:
    case N_EXISTS: return quantified(spec, lc, node);
    case N_LABEL: return tform_lower(spec, lc, node->kid[node->nkid - 1]);
    case N_LET: {
        struct slot_list none = {0};
        lc.env = lower_let_env(lc, node, &none);
        return tform_lower(spec, lc, node->kid[node->nkid - 1]);
    }
    case N_IF: {
        struct tform *c = tform_lower(spec, lc, node->kid[0]);
        struct tform *a = tform_lower(spec, lc, node->kid[1]);
        struct tform *b = tform_lower(spec, lc, node->kid[2]);
        return tf2(spec, TF_OR, tf2(spec, TF_AND, c, a),
                   tf2(spec, TF_AND, tf1(spec, TF_NOT, c), b));
    }
    case N_OP: {
        const struct def *def = node->ref;
        return def && def->kind == DEF_BUILTIN ? builtin(spec, lc, node, def)
                                               : named(spec, lc, node);
    }
    case N_ID:
    case N_APP:
    case N_BANG: return named(spec, lc, node);
    case N_TFORALL:
    case N_TEXISTS:
        spec_fail(spec, 2301, 255, node,
                  "TLC does not support the temporal existential or universal quantifier.");
    default:
        spec_fail(spec, 2213, 255, node, "TLC cannot handle the temporal formula %s",
                  ev_place_text(spec, node));
    }
}

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
#include "eval/eval_int.h"
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
    struct pred p = {unit, NULL, node};
    if (action) {
        f->leaf = (uint32_t)spec->action_leaves.n;
        VEC_PUSH(&spec->action_leaves, p);
    } else {
        f->leaf = (uint32_t)spec->state_leaves.n;
        VEC_PUSH(&spec->state_leaves, p);
    }
    return f;
}

static struct tform *leaf_node(struct spec *spec, struct lc lc, const struct node *node,
                               bool action)
{
    struct unit *u = spec_predicate(spec, lc.env, node);
    if (u->body->op == EX_CONST && u->body->fn == op_const && val_is_bool(u->body->u.val)) {
        return tform_new(spec, val_same(u->body->u.val, VAL_TRUE) ? TF_TRUE : TF_FALSE, 0);
    }
    return leaf_of(spec, u, node, action);
}

static struct tform *fairness_of(struct spec *spec, struct lc lc, const struct node *node)
{
    const struct node *subscript = node->kid[0];
    const struct node *action = node->kid[1];
    struct unit *enabled = unit_new(spec, NULL);
    struct unit *step = unit_new(spec, NULL);
    struct lc in = {.spec = spec, .unit = enabled, .env = lc.env};
    struct ex *e = ex_new(spec, op_enabled, node, EX_OTHER, 0);
    e->u.p = lower_enabled_body(in, action, subscript);
    enabled->body = e;
    in.unit = step;
    struct lc next = in;
    next.primed = true;
    const struct ex *kids[3] = {lower(in, action), lower(in, subscript), lower(next, subscript)};
    step->body = ex_kids(spec, op_angleact, node, EX_OTHER, kids, 3);
    struct tform *off = tf1(spec, TF_NOT, leaf_of(spec, enabled, node, false));
    struct tform *taken =
        tf1(spec, TF_ALWAYS, tf1(spec, TF_EVENTUALLY, leaf_of(spec, step, node, true)));
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

/* \A and \E over constant sets, unrolled. */
struct unroll {
    struct spec *spec;
    const struct node *node;
    VEC(struct tform *) parts;
};

static void unroll_bound(struct unroll *u, struct lc lc, uint32_t bound, uint32_t name);

static void unroll_with(struct unroll *u, struct lc lc, uint32_t bound, uint32_t name,
                        const struct node *pattern, struct val elem)
{
    struct spec *spec = u->spec;
    if (pattern->kind == N_TUPLE) {
        const struct vobj *t = seq_of(&spec->boot->vctx, elem);
        for (uint32_t i = 0; t && i < pattern->nkid && i < t->n; i++) {
            struct binding *b = bind_new(lc, BIND_VALUE);
            b->val = t->v[i];
            lc.env = env_bind(spec, lc.env, pattern->kid[i]->ref, b);
        }
    } else {
        struct binding *b = bind_new(lc, BIND_VALUE);
        b->val = elem;
        lc.env = env_bind(spec, lc.env, pattern->ref, b);
    }
    unroll_bound(u, lc, bound, name + 1);
}

static void unroll_bound(struct unroll *u, struct lc lc, uint32_t bound, uint32_t name)
{
    const struct node *node = u->node;
    if (bound + 1 == node->nkid) {
        VEC_PUSH(&u->parts, tform_lower(u->spec, lc, node->kid[node->nkid - 1]));
        return;
    }
    const struct node *b = node->kid[bound];
    if (name + 1 >= b->nkid) {
        unroll_bound(u, lc, bound + 1, 0);
        return;
    }
    const struct node *set = b->kid[b->nkid - 1];
    struct val v = spec_constant(u->spec, lc.env, set);
    const struct vobj *elems = val_obj(v);
    for (uint32_t i = 0; i < elems->n; i++) {
        unroll_with(u, lc, bound, name, b->kid[name], elems->v[i]);
    }
}

static struct tform *quantified(struct spec *spec, struct lc lc, const struct node *node)
{
    struct unroll u = {.spec = spec, .node = node};
    for (uint32_t i = 0; i + 1 < node->nkid; i++) {
        if (level_of(spec, node->kid[i]->kid[node->kid[i]->nkid - 1], lc.env) > LEVEL_CONSTANT) {
            spec_fail(spec, 2213, 255, node,
                      "TLC cannot handle the temporal formula %s: a quantifier with a bound that "
                      "is not constant.",
                      place_text(spec, node));
        }
    }
    unroll_bound(&u, lc, 0, 0);
    struct tform *f = tform_new(spec, node->kind == N_FORALL ? TF_AND : TF_OR, u.parts.n);
    for (size_t i = 0; i < u.parts.n; i++) {
        f->kid[i] = u.parts.v[i];
    }
    if (u.parts.n == 0) {
        f->kind = node->kind == N_FORALL ? TF_TRUE : TF_FALSE;
    }
    VEC_DONE(&u.parts);
    return f;
}

static struct tform *builtin(struct spec *spec, struct lc lc, const struct node *node,
                             const struct def *def)
{
    if (is_builtin(def, "/\\")) {
        return junction(spec, lc, node, TF_AND);
    }
    if (is_builtin(def, "\\/")) {
        return junction(spec, lc, node, TF_OR);
    }
    struct tform *a = tform_lower(spec, lc, node->kid[0]);
    if (is_builtin(def, "~")) {
        return tf1(spec, TF_NOT, a);
    }
    if (is_builtin(def, "[]")) {
        return tf1(spec, TF_ALWAYS, a);
    }
    if (is_builtin(def, "<>")) {
        return tf1(spec, TF_EVENTUALLY, a);
    }
    struct tform *b = node->nkid > 1 ? tform_lower(spec, lc, node->kid[1]) : NULL;
    if (is_builtin(def, "=>")) {
        return tf2(spec, TF_OR, tf1(spec, TF_NOT, a), b);
    }
    if (is_builtin(def, "~>")) {
        return tf1(spec, TF_ALWAYS,
                   tf2(spec, TF_OR, tf1(spec, TF_NOT, a), tf1(spec, TF_EVENTUALLY, b)));
    }
    if (is_builtin(def, "\\equiv")) {
        return tf2(spec, TF_OR, tf2(spec, TF_AND, a, b),
                   tf2(spec, TF_AND, tf1(spec, TF_NOT, a), tf1(spec, TF_NOT, b)));
    }
    spec_fail(spec, 2213, 255, node, "TLC cannot handle the temporal formula %s",
              place_text(spec, node));
}

/* A name: follow its definition. */
static struct tform *named(struct spec *spec, struct lc lc, const struct node *node)
{
    struct binding **args;
    const struct def *def;
    size_t n = node_args(lc, node, &args, &def);
    struct lc at = lc;
    struct target t = resolve(&at, node, def, args, n);
    if (t.binding && t.binding->kind == BIND_NAME && t.nargs == 0) {
        at.env = t.binding->env;
        return tform_lower(spec, at, t.binding->node);
    }
    if (t.binding || t.has_value || t.table || t.def->kind != DEF_OP || !t.def->body ||
        t.nargs != t.def->arity || t.def->recursive) {
        spec_fail(spec, 2213, 255, node, "TLC cannot handle the temporal formula %s",
                  place_text(spec, node));
    }
    struct slot_list none = {0};
    at.env = bind_args(at, at.env, t.def->params, t.def->body, t.args, t.nargs, &none);
    return tform_lower(spec, at, t.def->body);
}

struct tform *tform_lower(struct spec *spec, struct lc lc, const struct node *node)
{
    lc.by_name = true;
    enum level level = level_of(spec, node, lc.env);
    if (level <= LEVEL_STATE) {
        return leaf_node(spec, lc, node, false);
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
        lc.env = let_env(lc, node, &none);
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
                  place_text(spec, node));
    }
}

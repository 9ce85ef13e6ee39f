/* Conditions whose value is known where they stand.
 *
 * Specifications look at the kind of a message first, and then hand the message to an operator that
 * chooses by its kind again. Where m.type = "a" holds, m.type = "b" does not: the arms that it
 * guards are not written. The same goes for conditions about constants, such as whether a name is
 * among the fields of a record of parameters.
 *
 * What is left out cannot fail: the field was read before, and both constants are of a kind. */
#include "cgen/facts.h"

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "cgen/emit.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

/* A field of a value that a C variable holds: m.type. */
struct path {
    const struct cx *of;
    struct val field;
};

static bool path_of(struct gen *g, const struct ex *x, struct fenv *f, struct path *ret)
{
    struct fenv *at = f;
    x = fenv_definition(g, x, &at);
    if (!x || x->op != EX_DOT) {
        return false;
    }
    const struct ex *rec = fenv_definition(g, x->kid[0], &at);
    if (!rec || !ex_is_name(rec) || at->slot[rec->slot].kind != SLOT_CV) {
        return false;
    }
    const struct cv *cv = &at->slot[rec->slot].cv;
    *ret = (struct path){cv->e, x->u.val};
    return cv->e && cv->ty && !cv->is_val && ty_is_fcn(cv->ty);
}

/* path = constant, in either order. */
static bool equation(struct gen *g, const struct ex *x, struct fenv *f, struct path *ret_path,
                     struct val *ret_is)
{
    for (int i = 0; (x->op == EX_EQ || x->op == EX_NEQ) && i < 2; i++) {
        if (gen_const_of(g, x->kid[1 - i], f, ret_is) && path_of(g, x->kid[i], f, ret_path)) {
            return true;
        }
    }
    return false;
}

void facts_hold(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct path path;
    struct val is;
    for (uint32_t i = 0; x->op == EX_CONJ && i < x->n; i++) {
        facts_hold(g, x->kid[i], f);
    }
    if (x->op == EX_EQ && equation(g, x, f, &path, &is)) {
        VEC_PUSH(&g->facts, (struct fact){path.of, path.field, is, gen_scope_now(g)});
    }
}

/* Two strings, or two model values without types. */
static bool of_a_kind(struct val a, struct val b)
{
    return (val_is_str(a) && val_is_str(b)) ||
           (val_is_model(a) && val_is_model(b) && !val_model_type(a) && !val_model_type(b));
}

static enum truth equal_consts(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct val a;
    struct val b;
    if (!gen_const_of(g, x->kid[0], f, &a) || !gen_const_of(g, x->kid[1], f, &b) ||
        !of_a_kind(a, b)) {
        return TRUTH_UNKNOWN;
    }
    return val_same(a, b) ? TRUTH_TRUE : TRUTH_FALSE;
}

static enum truth equal_fact(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct path path;
    struct val is;
    if (!equation(g, x, f, &path, &is)) {
        return TRUTH_UNKNOWN;
    }
    while (g->facts.n > 0 && !gen_scope_is_open(g, VEC_LAST(&g->facts).scope)) {
        g->facts.n--;
    }
    for (size_t i = g->facts.n; i-- > 0;) {
        const struct fact *fact = &g->facts.v[i];
        if (fact->of == path.of && val_same(fact->field, path.field) && of_a_kind(fact->is, is) &&
            gen_scope_is_open(g, fact->scope)) {
            return val_same(fact->is, is) ? TRUTH_TRUE : TRUTH_FALSE;
        }
    }
    return TRUTH_UNKNOWN;
}

/* name \in DOMAIN of a constant record */
static enum truth in_domain(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct val name;
    struct val rec;
    struct val value;
    if (x->kid[1]->op != EX_DOMAIN || !gen_const_of(g, x->kid[0], f, &name) || !val_is_str(name) ||
        !gen_const_of(g, x->kid[1]->kid[0], f, &rec) || !val_is_kind(rec, VK_RECORD)) {
        return TRUTH_UNKNOWN;
    }
    return fcn_try(g->ctx, rec, name, &value) ? TRUTH_TRUE : TRUTH_FALSE;
}

static enum truth negated(enum truth truth)
{
    return truth == TRUTH_UNKNOWN ? truth : truth == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE;
}

/* A junction: the first part that is not known, or that decides. */
static enum truth junction(struct gen *g, const struct ex *x, struct fenv *f)
{
    enum truth decides = x->op == EX_CONJ ? TRUTH_FALSE : TRUTH_TRUE;
    for (uint32_t i = 0; i < x->n; i++) {
        enum truth truth = facts_truth(g, x->kid[i], f);
        if (truth != negated(decides)) {
            return truth;
        }
    }
    return negated(decides);
}

static enum truth equality(struct gen *g, const struct ex *x, struct fenv *f)
{
    enum truth truth = equal_consts(g, x, f);
    return truth == TRUTH_UNKNOWN ? equal_fact(g, x, f) : truth;
}

enum truth facts_truth(struct gen *g, const struct ex *x, struct fenv *f)
{
    switch (x->op) {
    case EX_NOT: return negated(facts_truth(g, x->kid[0], f));
    case EX_EQ: return equality(g, x, f);
    case EX_NEQ: return negated(equality(g, x, f));
    case EX_IN: return in_domain(g, x, f);
    case EX_NOTIN: return negated(in_domain(g, x, f));
    case EX_CONJ:
    case EX_DISJ: return junction(g, x, f);
    default: return TRUTH_UNKNOWN;
    }
}

/* Auxiliary variables: those that can be left out of the fingerprint.
 *
 * A set A of variables is irrelevant when each read of a variable of A, primed or not, happens
 * while the value for a variable of A is computed by `x' = e`, and no step gives a variable of A a
 * value twice (the second time would be a comparison). Then states that agree on all other
 * variables have successors that agree on all other variables, satisfy the same predicates, and
 * deadlock together: "equal but for A" is a bisimulation, and one state of each class will do. `x'
 * \in S` does not count as such a place: whether S is empty decides whether there is a step.
 *
 * The greatest such set is what remains when all others are struck out: first the variables that
 * are read elsewhere (guards, bounds, predicates, VIEW), then, until nothing changes, those read in
 * values for variables that have been struck out.
 *
 * Errors of evaluation inside the values for variables of A may depend on the very values that are
 * no longer told apart; so variables whose values may fail to be evaluated are struck out, too
 * (total.c). */
#include "eval/auxiliary.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "eval/total.h"
#include "ir/walk.h"
#include "model/model.h"

struct analysis {
    const struct spec *spec;
    struct arena *arena;
    struct relevance *of; /* [nvar] */
    struct visits visits;
    VEC(struct assignment) assignments;
    const char *why; /* of reads found now */
    bool inside;     /* an action that is evaluated: all it does is reading */
    bool changed;    /* something was struck out */
};

static void strike(struct analysis *an, uint32_t var, const char *why, const struct node *node)
{
    if (var < an->spec->nvar && !an->of[var].relevant) {
        an->of[var] = (struct relevance){true, why, node};
        an->changed = true;
    }
}

static void strike_all(struct analysis *an, const char *why, const struct node *node)
{
    for (uint32_t i = 0; i < an->spec->nvar; i++) {
        strike(an, i, why, node);
    }
}

static void on_ex(void *arg, const struct ex *x);
static void on_act(void *arg, const struct act *a);
static void on_unit(void *arg, const struct unit *u);

static struct visitor visitor_of(struct analysis *an)
{
    return (struct visitor){on_ex, on_act, on_unit, an};
}

static void on_ex(void *arg, const struct ex *x)
{
    struct analysis *an = arg;
    struct visitor v = visitor_of(an);
    if (!visits_first(&an->visits, x->id)) {
        return;
    }
    if (x->op == EX_VAR0 || x->op == EX_VAR1) {
        strike(an, (uint32_t)x->u.i, an->why, x->src);
    } else if (ex_reads_more(x)) {
        const char *name = x->op == EX_NATIVE ? ((const struct native *)x->u.p)->name : "the level";
        strike_all(an, arena_printf(an->arena, "%s may depend on anything", name), x->src);
    }
    bool inside = an->inside;
    an->inside = true; /* ENABLED and \cdot: whatever the action does */
    walk_ex(x, &v);
    an->inside = inside;
}

static void on_unit(void *arg, const struct unit *u)
{
    struct analysis *an = arg;
    struct visitor v = visitor_of(an);
    if (!visits_first_unit(&an->visits, u)) {
        return;
    }
    walk_unit(u, &v);
}

static void on_act(void *arg, const struct act *a)
{
    struct analysis *an = arg;
    struct visitor v = visitor_of(an);
    if (!visits_first(&an->visits, a->id)) {
        return;
    }
    if (a->op == ACT_ASSIGN && !an->inside) {
        VEC_PUSH(&an->assignments, ((struct assignment){a->var, a->x}));
        return;
    }
    if ((a->op == ACT_ASSIGN_IN || a->op == ACT_ASSIGN_SUBSETEQ) && !an->inside) {
        VEC_PUSH(&an->assignments, ((struct assignment){a->var, NULL}));
    }
    if (a->op == ACT_UNCHANGED_VAR && an->inside) {
        strike(an, a->var, an->why, a->src);
    }
    for (uint32_t i = 0; a->op == ACT_UNCHANGED_VARS && an->inside && i < a->nslot; i++) {
        strike(an, a->slots[i], an->why, a->src);
    }
    bool inside = an->inside;
    an->inside = inside || a->op == ACT_CDOT;
    walk_act(a, &v);
    an->inside = inside;
}

/* ---- how often a step gives values ---- */

/* How a step gives a variable its value. */
enum giving {
    GIVES_NOT,
    GIVES_SAME, /* UNCHANGED, as often as it likes */
    GIVES_ONCE,
    GIVES_TWICE /* the second time it compares */
};

static uint8_t gives_both(uint8_t a, uint8_t b)
{
    if (a == GIVES_NOT || b == GIVES_NOT) {
        return a > b ? a : b;
    }
    return a == GIVES_SAME && b == GIVES_SAME ? GIVES_SAME : GIVES_TWICE;
}

/* Says for each variable how a step through `a` gives it a value. */
static void count_values(struct analysis *an, const struct act *a, uint8_t *ret);

struct everything {
    struct analysis *an;
    uint8_t *ret;
};

static void twice_ex(void *arg, const struct ex *x)
{
    (void)arg;
    (void)x;
}

static void twice_act(void *arg, const struct act *a);

/* Units of recursive actions, and \A: whatever they give a value to counts as given twice. */
static void twice_unit(void *arg, const struct unit *u)
{
    struct everything *all = arg;
    if (!visits_first_unit(&all->an->visits, u)) {
        return;
    }
    if (u->act) {
        twice_act(arg, u->act);
    }
}

static void twice_act(void *arg, const struct act *a)
{
    struct everything *all = arg;
    struct visitor v = {twice_ex, twice_act, twice_unit, arg};
    if (a->op == ACT_ASSIGN || a->op == ACT_ASSIGN_IN || a->op == ACT_ASSIGN_SUBSETEQ) {
        all->ret[a->var] = GIVES_TWICE;
    } else if (a->op == ACT_UNCHANGED_VAR) {
        all->ret[a->var] = gives_both(all->ret[a->var], GIVES_SAME);
    }
    for (uint32_t i = 0; a->op == ACT_UNCHANGED_VARS && i < a->nslot; i++) {
        all->ret[a->slots[i]] = gives_both(all->ret[a->slots[i]], GIVES_SAME);
    }
    walk_act(a, &v);
}

static void count_kids(struct analysis *an, const struct act *a, uint8_t *ret)
{
    size_t n = an->spec->nvar + an->spec->extra_vars.n + 1;
    uint8_t *one = ARENA_ARRAY(an->arena, uint8_t, n);
    for (uint32_t i = 0; i < a->n; i++) {
        memset(one, 0, n);
        count_values(an, a->kid[i], one);
        for (size_t var = 0; var < n; var++) {
            ret[var] = a->op == ACT_CONJ     ? gives_both(ret[var], one[var])
                       : ret[var] > one[var] ? ret[var]
                                             : one[var];
        }
    }
}

static void count_values(struct analysis *an, const struct act *a, uint8_t *ret)
{
    if (a->op == ACT_ASSIGN || a->op == ACT_ASSIGN_IN || a->op == ACT_ASSIGN_SUBSETEQ) {
        ret[a->var] = gives_both(ret[a->var], GIVES_ONCE);
    } else if (a->op == ACT_UNCHANGED_VAR) {
        ret[a->var] = gives_both(ret[a->var], GIVES_SAME);
    } else if (a->op == ACT_UNCHANGED_VARS) {
        for (uint32_t i = 0; i < a->nslot; i++) {
            ret[a->slots[i]] = gives_both(ret[a->slots[i]], GIVES_SAME);
        }
    } else if (a->op == ACT_FORALL || a->op == ACT_CDOT || a->op == ACT_CALL ||
               a->op == ACT_FAPPLY) {
        struct everything all = {an, ret};
        an->visits.units.n = 0;
        twice_act(&all, a);
    } else {
        count_kids(an, a, ret);
    }
}

static void strike_twice(struct analysis *an, const struct act *a)
{
    size_t n = an->spec->nvar + an->spec->extra_vars.n + 1;
    uint8_t *count = ARENA_ARRAY(an->arena, uint8_t, n);
    memset(count, 0, n);
    if (a) {
        count_values(an, a, count);
    }
    for (uint32_t i = 0; i < an->spec->nvar; i++) {
        if (count[i] == GIVES_TWICE) {
            strike(an, i, "one step may give it a value twice, which compares", a->src);
        }
    }
}

/* ---- the whole ---- */
static void read_preds(struct analysis *an, const struct pred *preds, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++) {
        an->why = preds[i].name ? arena_printf(an->arena, "%s %s reads it", what, preds[i].name)
                                : arena_printf(an->arena, "%s reads it", what);
        if (preds[i].unit) {
            visits_forget(&an->visits);
            on_unit(an, preds[i].unit);
        }
    }
}

static void read_act(struct analysis *an, const struct act *a, const char *why)
{
    if (a) {
        an->why = why;
        visits_forget(&an->visits);
        on_act(an, a);
    }
}

/* Variables that are read where the value of a relevant one is made. */
static void strike_sources(struct analysis *an)
{
    for (size_t i = 0; i < an->assignments.n; i++) {
        const struct assignment *one = &an->assignments.v[i];
        if (one->var >= an->spec->nvar || !an->of[one->var].relevant || !one->x) {
            continue;
        }
        an->why = arena_printf(an->arena, "the value of %s is made from it",
                               an->spec->var_names[one->var]);
        visits_forget(&an->visits);
        on_ex(an, one->x);
    }
}

/* A variable whose value may fail to be evaluated, as irrelevant ones say. */
static void strike_failing(struct analysis *an)
{
    const struct spec *spec = an->spec;
    VEC(struct assignment) mine = {0};
    bool *irrelevant = ARENA_ARRAY(an->arena, bool, spec->nvar + 1);
    for (uint32_t i = 0; i < spec->nvar; i++) {
        irrelevant[i] = !an->of[i].relevant;
    }
    for (size_t i = 0; i < an->assignments.n; i++) {
        const struct assignment *one = &an->assignments.v[i];
        if (one->var < spec->nvar && irrelevant[one->var]) {
            VEC_PUSH(&mine, *one);
        }
    }
    const struct assignment *bad = spec_total_check(spec, an->arena, irrelevant, mine.v, mine.n);
    if (bad) {
        strike(an, bad->var, "evaluating its value may fail, depending on auxiliary variables",
               bad->x->src);
    }
    VEC_DONE(&mine);
}

void spec_auxiliary(const struct spec *spec, struct arena *arena, struct relevance *ret)
{
    struct analysis an = {.spec = spec, .arena = arena, .of = ret};
    visits_init(&an.visits, arena, spec->nex);
    read_preds(&an, spec->prop_preds.v, spec->prop_preds.n, "property");
    read_preds(&an, spec->constraints.v, spec->constraints.n, "constraint");
    read_preds(&an, spec->action_constraints.v, spec->action_constraints.n, "action constraint");
    read_preds(&an, spec->postconditions.v, spec->postconditions.n, "postcondition");
    for (size_t i = 0; i < spec->possible.n; i++) {
        read_preds(&an, &spec->possible.v[i].pred, 1, "predicate");
    }
    if (spec->model.live) {
        read_preds(&an, spec->state_leaves.v, spec->state_leaves.n, "a temporal property");
        read_preds(&an, spec->action_leaves.v, spec->action_leaves.n, "a temporal property");
    }
    if (spec->model.has_view) {
        read_preds(&an, &spec->view, 1, "VIEW");
    }
    read_act(&an, spec->init, "the initial predicate reads it");
    read_act(&an, spec->next, "the next-state relation reads it");
    strike_twice(&an, spec->init);
    strike_twice(&an, spec->next);
    do {
        an.changed = false;
        strike_sources(&an);
        if (!an.changed) {
            strike_failing(&an);
        }
    } while (an.changed);
    visits_done(&an.visits);
    VEC_DONE(&an.assignments);
}

/* ---- for those who check ---- */
struct variable_use *model_variable_uses(struct model *model, struct arena *arena)
{
    const struct spec *spec = (const struct spec *)model;
    struct relevance *found = ARENA_ARRAY(arena, struct relevance, spec->nvar + 1);
    struct variable_use *ret = ARENA_ARRAY(arena, struct variable_use, spec->nvar + 1);
    spec_auxiliary(spec, arena, found);
    for (uint32_t i = 0; i < spec->nvar; i++) {
        ret[i] = (struct variable_use){
            .name = spec->var_names[i], .relevant = found[i].relevant, .why = found[i].why};
        if (found[i].node) {
            ret[i].place = ev_mplace(spec, found[i].node);
        }
    }
    return ret;
}

void model_warn(struct model *model, const char *text)
{
    struct spec *spec = (struct spec *)model;
    VEC_PUSH(&spec->warnings,
             ((struct eval_warning){0, arena_strndup(spec->arena, text, strlen(text))}));
}

void model_leave_out(struct model *model, const bool *vars)
{
    struct spec *spec = (struct spec *)model;
    spec->left_out = ARENA_ARRAY(spec->arena, bool, spec->nvar + 1);
    memcpy(spec->left_out, vars, sizeof *vars * spec->nvar);
}

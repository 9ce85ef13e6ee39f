/* From  fairness /\ ~property  to branches.
 *
 * A branch is a conjunction of
 *     []<>A        (ae)      <>[]A  (ea)      <>[]A \/ []<>B  (st, a Streett pair)
 * with A and B free of temporal operators, and of anything else without actions (tf, for a
 * tableau). The branches of a property are the disjuncts of its disjunctive normal form. Strong
 * fairness is kept as a pair instead of being multiplied out, and []<>A \/ []<>B is joined to
 * []<>(A \/ B), so a specification with n fairness conditions has one branch where it could have
 * 2^n.
 *
 * Which formulas are accepted is decided as TLC does it: constants are folded and [][] and <><>
 * joined; negations are pushed through conjunctions and disjunctions, and further only where a
 * negation meets a temporal operator; then what contains an action must be []<>A or <>[]A. A
 * formula that would be of that form after more rewriting is refused, as TLC refuses it. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "check/live_int.h"
#include "model/model.h"

enum { DEPTH_MAX = 10000, CLAUSES_MAX = 1 << 20 };

enum item_kind { ITEM_AE, ITEM_EA, ITEM_ST, ITEM_TF };
struct item {
    enum item_kind kind;
    const struct tform *p; /* the body of <>[], or of a tf */
    const struct tform *q; /* the body of []<> */
};

struct clause {
    const struct item **items;
    uint32_t n;
};

struct clauses {
    struct clause *v;
    size_t n;
};

struct compile {
    struct arena *arena;
    const volatile void *interrupt;
    struct err *err;
};

/* ---- questions about formulas ---- */

bool form_temporal(const struct tform *form)
{
    if (form->kind == TF_ALWAYS || form->kind == TF_EVENTUALLY) {
        return true;
    }
    for (uint32_t i = 0; i < form->n; i++) {
        if (form_temporal(form->kid[i])) {
            return true;
        }
    }
    return false;
}

static bool form_has_action(const struct tform *form)
{
    if (form->kind == TF_ACTION) {
        return true;
    }
    for (uint32_t i = 0; i < form->n; i++) {
        if (form_has_action(form->kid[i])) {
            return true;
        }
    }
    return false;
}

bool form_equal(const struct tform *a, const struct tform *b)
{
    if (a == b) {
        return true;
    }
    if (a->kind != b->kind || a->n != b->n) {
        return false;
    }
    if ((a->kind == TF_STATE || a->kind == TF_ACTION) && a->leaf != b->leaf) {
        return false;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        if (!form_equal(a->kid[i], b->kid[i])) {
            return false;
        }
    }
    return true;
}

bool form_eval(const struct tform *form, const uint64_t *state, const uint64_t *action)
{
    switch (form->kind) {
    case TF_TRUE: return true;
    case TF_FALSE: return false;
    case TF_STATE: return bit_get(state, form->leaf);
    case TF_ACTION: return bit_get(action, form->leaf);
    case TF_NOT: return !form_eval(form->kid[0], state, action);
    case TF_AND:
    case TF_OR:
        for (uint32_t i = 0; i < form->n; i++) {
            if (form_eval(form->kid[i], state, action) == (form->kind == TF_OR)) {
                return form->kind == TF_OR;
            }
        }
        return form->kind == TF_AND;
    case TF_ALWAYS:
    case TF_EVENTUALLY: break;
    }
    UNREACHABLE();
}

/* Refuses what could overflow the stack of the functions below, and leaves that do not exist. */
static int form_check(const struct mlive *spec, const struct tform *form, unsigned depth,
                      struct err *err)
{
    if (depth > DEPTH_MAX) {
        return err_set(err, ERR_LIMIT, 0, "a temporal formula is nested too deeply");
    }
    ASSERT(form->kind != TF_STATE || form->leaf < spec->nstate_leaf);
    ASSERT(form->kind != TF_ACTION || form->leaf < spec->naction_leaf);
    for (uint32_t i = 0; i < form->n; i++) {
        int rc = form_check(spec, form->kid[i], depth + 1, err);
        if (rc < 0) {
            return rc;
        }
    }
    return 0;
}

/* ---- making formulas ---- */

static const struct tform *form_const(struct arena *arena, bool value)
{
    struct tform *form = ARENA_NEW(arena, struct tform);
    form->kind = value ? TF_TRUE : TF_FALSE;
    return form;
}

static bool form_is(const struct tform *form, bool value)
{
    return form->kind == (value ? TF_TRUE : TF_FALSE);
}

static const struct tform *form_unary(struct arena *arena, enum tf_kind kind,
                                      const struct tform *kid)
{
    struct tform *form = ARENA_NEW(arena, struct tform);
    form->kind = kind;
    form->n = 1;
    form->kid = ARENA_ARRAY(arena, struct tform *, 1);
    memcpy((void *)form->kid, (const void *)&kid,
           sizeof(struct tform *)); /* never written through */
    return form;
}

static const struct tform *form_not(struct arena *arena, const struct tform *form)
{
    if (form->kind == TF_TRUE || form->kind == TF_FALSE) {
        return form_const(arena, form->kind == TF_FALSE);
    }
    return form->kind == TF_NOT ? form->kid[0] : form_unary(arena, TF_NOT, form);
}

/* A junction of the kids, those of the same kind dissolved, neutral constants dropped. */
static const struct tform *form_junction(struct arena *arena, enum tf_kind kind,
                                         const struct tform *const *kids, size_t n)
{
    VEC(const struct tform *) flat = {0};
    bool decided = false;
    for (size_t i = 0; i < n && !decided; i++) {
        if (form_is(kids[i], kind == TF_OR)) {
            decided = true;
        } else if (kids[i]->kind == kind) {
            for (uint32_t k = 0; k < kids[i]->n; k++) {
                VEC_PUSH(&flat, kids[i]->kid[k]);
            }
        } else if (!form_is(kids[i], kind == TF_AND)) {
            VEC_PUSH(&flat, kids[i]);
        }
    }
    const struct tform *result = NULL;
    if (decided || flat.n == 0) {
        result = form_const(arena, decided == (kind == TF_OR));
    } else if (flat.n == 1) {
        result = flat.v[0];
    } else {
        struct tform *form = ARENA_NEW(arena, struct tform);
        form->kind = kind;
        form->n = (uint32_t)flat.n;
        form->kid = ARENA_ARRAY(arena, struct tform *, flat.n);
        memcpy((void *)form->kid, (const void *)flat.v, flat.n * sizeof *form->kid);
        result = form;
    }
    VEC_DONE(&flat);
    return result;
}

static const struct tform *
form_map(struct arena *arena, enum tf_kind kind, const struct tform *form, bool neg,
         const struct tform *(*each)(struct arena *, const struct tform *, bool))
{
    VEC(const struct tform *) kids = {0};
    for (uint32_t i = 0; i < form->n; i++) {
        VEC_PUSH(&kids, each(arena, form->kid[i], neg));
    }
    const struct tform *result = form_junction(arena, kind, kids.v, kids.n);
    VEC_DONE(&kids);
    return result;
}

static enum tf_kind dual(enum tf_kind kind)
{
    switch (kind) {
    case TF_AND: return TF_OR;
    case TF_OR: return TF_AND;
    case TF_ALWAYS: return TF_EVENTUALLY;
    case TF_EVENTUALLY: return TF_ALWAYS;
    default: return kind;
    }
}

/* Folds constants outside temporal operators, joins [][] and <><>. */
static const struct tform *simplify(struct arena *arena, const struct tform *form, bool unused)
{
    switch (form->kind) {
    case TF_NOT: {
        const struct tform *kid = simplify(arena, form->kid[0], unused);
        if (kid->kind == TF_TRUE || kid->kind == TF_FALSE) {
            return form_not(arena, kid);
        }
        return form_unary(arena, TF_NOT, kid); /* a double negation stays: see `negated` */
    }
    case TF_AND:
    case TF_OR: return form_map(arena, form->kind, form, unused, simplify);
    case TF_ALWAYS:
    case TF_EVENTUALLY: {
        const struct tform *kid = simplify(arena, form->kid[0], unused);
        return kid->kind == form->kind ? kid : form_unary(arena, form->kind, kid);
    }
    default: return form;
    }
}

/* ~form with the negation pushed down to where another negation or no temporal operator is met. */
static const struct tform *negated(struct arena *arena, const struct tform *form, bool unused)
{
    if (!form_temporal(form)) {
        return form_not(arena, form);
    }
    switch (form->kind) {
    case TF_NOT: return form->kid[0];
    case TF_AND:
    case TF_OR: return form_map(arena, dual(form->kind), form, unused, negated);
    default: return form_unary(arena, dual(form->kind), negated(arena, form->kid[0], unused));
    }
}

/* The formula (negated when neg) as a tree of AND and OR over formulas that are neither. */
static const struct tform *junctions(struct arena *arena, const struct tform *form, bool neg)
{
    if (!form_temporal(form)) {
        return neg ? form_not(arena, form) : form;
    }
    switch (form->kind) {
    case TF_NOT: return junctions(arena, form->kid[0], !neg);
    case TF_AND:
    case TF_OR: return form_map(arena, neg ? dual(form->kind) : form->kind, form, neg, junctions);
    default: return neg ? negated(arena, form, false) : form;
    }
}

/* Negation normal form for the tableau, all constants folded. A disjunction without temporal
 * operators stays one predicate: splitting it would only make nodes. */
static const struct tform *normal(struct arena *arena, const struct tform *form, bool neg)
{
    switch (form->kind) {
    case TF_TRUE:
    case TF_FALSE: return form_const(arena, (form->kind == TF_TRUE) != neg);
    case TF_NOT: return normal(arena, form->kid[0], !neg);
    case TF_AND:
    case TF_OR: return form_map(arena, neg ? dual(form->kind) : form->kind, form, neg, normal);
    case TF_ALWAYS:
    case TF_EVENTUALLY: {
        const struct tform *kid = normal(arena, form->kid[0], neg);
        enum tf_kind kind = neg ? dual(form->kind) : form->kind;
        bool plain = kid->kind == TF_TRUE || kid->kind == TF_FALSE || kid->kind == kind;
        return plain ? kid : form_unary(arena, kind, kid);
    }
    default: return neg ? form_not(arena, form) : form;
    }
}

/* ---- items and clauses ---- */

static int refuse_action(struct compile *c)
{
    return err_set(c->err, ERR_UNSUPPORTED, 0,
                   "Temporal formulas containing actions must be of forms <>[]A or []<>A.");
}

/* Body of []<>body (outer = TF_ALWAYS) or <>[]body (TF_EVENTUALLY), or NULL. */
static const struct tform *body_of(const struct tform *form, enum tf_kind outer)
{
    if (form->kind != outer || form->kid[0]->kind != dual(outer)) {
        return NULL;
    }
    return form->kid[0]->kid[0];
}

static struct item *item_new(struct compile *c, enum item_kind kind, const struct tform *p,
                             const struct tform *q)
{
    struct item *item = ARENA_NEW(c->arena, struct item);
    *item = (struct item){kind, p, q};
    return item;
}

static int classify(struct compile *c, const struct tform *form, struct item **ret_item)
{
    const struct tform *ea = body_of(form, TF_EVENTUALLY);
    const struct tform *ae = body_of(form, TF_ALWAYS);
    if (ea && !form_temporal(ea)) {
        *ret_item = item_new(c, ITEM_EA, ea, NULL);
    } else if (ae && !form_temporal(ae)) {
        *ret_item = item_new(c, ITEM_AE, NULL, ae);
    } else if (form_has_action(form)) {
        return refuse_action(c);
    } else {
        *ret_item = item_new(c, ITEM_TF, form, NULL);
    }
    return 0;
}

static struct clauses clauses_one(struct compile *c, const struct item *item)
{
    struct clauses set = {ARENA_ARRAY(c->arena, struct clause, 1), 1};
    set.v[0].items = ARENA_ARRAY(c->arena, const struct item *, 1);
    set.v[0].items[0] = item;
    set.v[0].n = 1;
    return set;
}

static struct clauses clauses_join(struct compile *c, struct clauses a, struct clauses b)
{
    if (a.n == 0 || b.n == 0) {
        return a.n == 0 ? b : a;
    }
    struct clauses set = {ARENA_ARRAY(c->arena, struct clause, a.n + b.n), a.n + b.n};
    memcpy(set.v, a.v, a.n * sizeof *set.v);
    memcpy(set.v + a.n, b.v, b.n * sizeof *set.v);
    return set;
}

static int clauses_of(struct compile *c, const struct tform *form, struct clauses *ret_set);

/* []<>A \/ []<>B is one condition. TLC joins the bodies even when one is temporal, and then refuses
 * actions in the result. */
static int join_ae(struct compile *c, const struct tform *form, const struct tform **ret_q)
{
    VEC(const struct tform *) bodies = {0};
    uint32_t shaped = 0;
    bool temporal = false;
    bool action = false;
    for (uint32_t i = 0; i < form->n; i++) {
        const struct tform *body = body_of(form->kid[i], TF_ALWAYS);
        if (body) {
            shaped++;
            temporal = temporal || form_temporal(body);
            action = action || form_has_action(body);
            if (!form_temporal(body)) {
                VEC_PUSH(&bodies, body);
            }
        }
    }
    *ret_q = bodies.n ? form_junction(c->arena, TF_OR, bodies.v, bodies.n) : NULL;
    VEC_DONE(&bodies);
    return shaped > 1 && temporal && action ? refuse_action(c) : 0;
}

static int clauses_or(struct compile *c, const struct tform *form, struct clauses *ret_set)
{
    const struct tform *q = NULL;
    int rc = join_ae(c, form, &q);
    struct clauses set = {0};
    for (uint32_t i = 0; i < form->n && rc == 0; i++) {
        const struct tform *kid = form->kid[i];
        const struct tform *ae = body_of(kid, TF_ALWAYS);
        const struct tform *ea = body_of(kid, TF_EVENTUALLY);
        struct clauses more = {0};
        if (ae && !form_temporal(ae)) {
            continue; /* in q */
        }
        if (q && ea && !form_temporal(ea)) {
            more = clauses_one(c, item_new(c, ITEM_ST, ea, q));
            q = NULL; /* the others stand alone: (x \/ q) \/ y */
        } else {
            rc = clauses_of(c, kid, &more);
        }
        set = clauses_join(c, set, more);
    }
    if (rc == 0 && q) {
        set = clauses_join(c, set, clauses_one(c, item_new(c, ITEM_AE, NULL, q)));
    }
    *ret_set = set;
    return rc;
}

/* The clause made of one clause of each set: the digits of `number` say which, the first set's last
 * to change. The order of items is that of the formula. */
static struct clause clause_pick(struct compile *c, const struct clauses *sets, size_t nset,
                                 size_t number)
{
    struct clause clause = {0};
    for (size_t i = 0; i < nset; i++) { /* room for the longest */
        uint32_t longest = 0;
        for (size_t k = 0; k < sets[i].n; k++) {
            longest = sets[i].v[k].n > longest ? sets[i].v[k].n : longest;
        }
        clause.n += longest;
    }
    clause.items = ARENA_ARRAY(c->arena, const struct item *, clause.n + 1);
    uint32_t end = clause.n;
    for (size_t i = nset; i-- > 0;) { /* from the back, as the digits come */
        const struct clause *pick = &sets[i].v[number % sets[i].n];
        number /= sets[i].n;
        end -= pick->n;
        memcpy((void *)(clause.items + end), (const void *)pick->items,
               pick->n * sizeof *pick->items);
    }
    clause.items += end;
    clause.n -= end;
    return clause;
}

/* Conjunction: one clause of each conjunct, in all ways. */
static int clauses_and(struct compile *c, const struct tform *form, struct clauses *ret_set)
{
    VEC(struct clauses) sets = {0};
    size_t total = 1;
    int rc = 0;
    for (uint32_t i = 0; i < form->n && rc == 0; i++) {
        struct clauses set = {0};
        rc = clauses_of(c, form->kid[i], &set);
        total *= set.n;
        if (rc == 0 && total > CLAUSES_MAX) {
            rc = err_set(c->err, ERR_UNSUPPORTED, 0,
                         "TLC cannot handle the temporal formula because it exceeds the maximum "
                         "supported size in disjunctive normal form.");
        }
        VEC_PUSH(&sets, set);
    }
    if (rc == 0) {
        *ret_set = (struct clauses){ARENA_ARRAY(c->arena, struct clause, total), total};
        for (size_t i = 0; i < total && rc == 0; i++) {
            ret_set->v[i] = clause_pick(c, sets.v, sets.n, i);
            rc = live_poll(c->interrupt, c->err);
        }
    }
    VEC_DONE(&sets);
    return rc;
}

/* Disjunctive normal form of a tree of junctions. */
static int clauses_of(struct compile *c, const struct tform *form, struct clauses *ret_set)
{
    if (form_temporal(form) && form->kind == TF_OR) {
        return clauses_or(c, form, ret_set);
    }
    if (form_temporal(form) && form->kind == TF_AND) {
        return clauses_and(c, form, ret_set);
    }
    struct item *item = NULL;
    int rc = classify(c, form, &item);
    if (rc == 0) {
        *ret_set = clauses_one(c, item);
    }
    return rc;
}

/* ---- branches ---- */

static void forms_add(const struct tform **forms, uint32_t *n, const struct tform *form)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (form_equal(forms[i], form)) {
            return;
        }
    }
    forms[(*n)++] = form;
}

static void branch_add(struct branch *branch, const struct item *item)
{
    ASSERT(item);
    switch (item->kind) {
    case ITEM_AE: forms_add(branch->ae, &branch->nae, item->q); break;
    case ITEM_EA: forms_add(branch->ea, &branch->nea, item->p); break;
    case ITEM_TF: branch->tf[branch->ntf++] = item->p; break; /* twice is twice, for TLC's count */
    case ITEM_ST:
        for (uint32_t i = 0; i < branch->nst; i++) {
            if (form_equal(branch->st[i].p, item->p) && form_equal(branch->st[i].q, item->q)) {
                return;
            }
        }
        branch->st[branch->nst++] = (struct streett){item->p, item->q};
        break;
    }
}

static struct branch branch_of(struct compile *c, const struct clause *clause)
{
    struct branch branch = {
        .ae = ARENA_ARRAY(c->arena, const struct tform *, clause->n + 1),
        .ea = ARENA_ARRAY(c->arena, const struct tform *, clause->n + 1),
        .tf = ARENA_ARRAY(c->arena, const struct tform *, clause->n + 1),
        .st = ARENA_ARRAY(c->arena, struct streett, clause->n + 1),
    };
    for (uint32_t i = 0; i < clause->n; i++) {
        branch_add(&branch, clause->items[i]);
    }
    return branch;
}

static bool same_tf(const struct branch *a, const struct branch *b)
{
    if (a->ntf != b->ntf) {
        return false;
    }
    for (uint32_t i = 0; i < a->ntf; i++) {
        if (!form_equal(a->tf[i], b->tf[i])) {
            return false;
        }
    }
    return true;
}

/* The same for formulas that form_equal calls equal. */
static uint64_t form_hash(const struct tform *form)
{
    uint64_t hash =
        hash_combine((uint64_t)form->kind << 32 | form->n,
                     form->kind == TF_STATE || form->kind == TF_ACTION ? form->leaf : 0);
    for (uint32_t i = 0; i < form->n; i++) {
        hash = hash_combine(hash, form_hash(form->kid[i]));
    }
    return hash;
}

/* One branch for each list of formulas that needs a tableau; there can be very many. */
struct kinds {
    struct u64map first; /* hash of the list -> its branch, or the first of several */
    VEC(const struct branch *) v;
    VEC(uint32_t) older; /* [v.n]: the one before with the same hash, + 1 */
};

static void kinds_done(struct kinds *kinds)
{
    u64map_done(&kinds->first);
    VEC_DONE(&kinds->v);
    VEC_DONE(&kinds->older);
}

/* The branch met before with the same formulas; when there is none, this one is kept. */
static const struct branch *kinds_put(struct kinds *kinds, const struct branch *branch)
{
    uint64_t hash = branch->ntf;
    for (uint32_t i = 0; i < branch->ntf; i++) {
        hash = hash_combine(hash, form_hash(branch->tf[i]));
    }
    uint64_t newest = 0;
    (void)u64map_get(&kinds->first, hash, &newest);
    for (uint64_t at = newest; at; at = kinds->older.v[at - 1]) {
        if (same_tf(kinds->v.v[at - 1], branch)) {
            return kinds->v.v[at - 1];
        }
    }
    VEC_PUSH(&kinds->v, branch);
    VEC_PUSH(&kinds->older, (uint32_t)newest);
    u64map_put(&kinds->first, hash, kinds->v.n);
    return NULL;
}

/* Gives a branch its tableau: an earlier one when the formulas are the same. */
static int branch_tableau(struct live *live, struct branch *branch, struct kinds *kinds,
                          const volatile void *interrupt, struct err *err)
{
    const struct branch *same = kinds_put(kinds, branch);
    if (same) {
        branch->tab = same->tab;
        branch->never = same->never;
        return live_poll(interrupt, err);
    }
    VEC(const struct tform *) parts = {0};
    for (uint32_t i = 0; i < branch->ntf; i++) {
        VEC_PUSH(&parts, normal(&live->arena, branch->tf[i], false));
    }
    const struct tform *form = form_junction(&live->arena, TF_AND, parts.v, parts.n);
    VEC_DONE(&parts);
    branch->tab = live->plain;
    branch->never = form->kind == TF_FALSE;
    if (form->kind == TF_TRUE || form->kind == TF_FALSE) {
        return 0;
    }
    return tableau_build(&live->arena, form, interrupt, &branch->tab, err);
}

static int compile_property(struct compile *c, const struct tform *fairness,
                            const struct tform *property, struct compiled *ret)
{
    const struct tform *both[2] = {fairness, form_unary(c->arena, TF_NOT, property)};
    both[1] = simplify(c->arena, both[1], false);
    const struct tform *form = form_junction(c->arena, TF_AND, both, 2);
    if (form->kind == TF_FALSE) {
        return 0;
    }
    struct clauses set = {0};
    int rc = clauses_of(c, junctions(c->arena, form, false), &set);
    if (rc < 0) {
        return rc;
    }
    ret->branches = ARENA_ARRAY(c->arena, struct branch, set.n);
    ret->nbranch = (uint32_t)set.n;
    for (size_t i = 0; i < set.n && rc == 0; i++) {
        ret->branches[i] = branch_of(c, &set.v[i]);
        rc = live_poll(c->interrupt, c->err);
    }
    return rc;
}

static int compile_tableaux(struct live *live, const volatile void *interrupt, struct err *err)
{
    struct kinds kinds = {0};
    int rc = 0;
    for (uint32_t i = 0; i < live->spec->nprop && rc == 0; i++) {
        for (uint32_t b = 0; b < live->props[i].nbranch && rc == 0; b++) {
            rc = branch_tableau(live, &live->props[i].branches[b], &kinds, interrupt, err);
        }
    }
    live->nbranch = (uint32_t)kinds.v.n;
    kinds_done(&kinds);
    return rc;
}

int form_compile(struct live *live, const volatile void *interrupt, struct err *err)
{
    struct compile c = {.arena = &live->arena, .interrupt = interrupt, .err = err};
    const struct mlive *spec = live->spec;
    const struct tform *fairness = form_const(&live->arena, true);
    int rc = 0;
    if (spec->fairness) {
        rc = form_check(spec, spec->fairness, 0, err);
        if (rc == 0) {
            fairness = simplify(&live->arena, spec->fairness, false);
        }
    }
    live->plain = tableau_plain(&live->arena);
    live->props = ARENA_ARRAY(&live->arena, struct compiled, spec->nprop + 1);
    size_t total = 0;
    for (uint32_t i = 0; i < spec->nprop && rc == 0; i++) {
        rc = form_check(spec, spec->props[i].formula, 0, err);
        if (rc == 0) {
            rc = compile_property(&c, fairness, spec->props[i].formula, &live->props[i]);
        }
        total += live->props[i].nbranch;
    }
    live->tautology = total == 0;
    return rc == 0 ? compile_tableaux(live, interrupt, err) : rc;
}

/* Partial-order reduction: what can be shown before the search.
 *
 * The next-state relation is taken apart into heads (por.h). Each gets one of its parameters as the
 * process it belongs to: the one by which it indexes most variables. An access to v[p] or
 * [v EXCEPT ![p] = ...] with p the process itself is its own; every other access to v is not. A
 * variable is private when all heads access their own elements only; so what belongs to p is read
 * and written by p alone. Variables that no step changes do not matter. A step is local when it
 * accesses nothing else. Parts of a head are looked at one by one: a guard or the condition of an
 * IF that reads only what is p's own says in a state which parts can be reached.
 *
 * In a state, the steps of a process p can be explored alone when all that can be reached of the
 * heads of p is local: no sequence of steps of others then changes which steps p can take or what
 * these do, nor the other way round, so the steps of p are a persistent set. (Godefroid,
 * Partial-Order Methods, ch. 4; Peled's ample sets, C0 and C1.) They must be invisible to
 * predicates (C2, below), and one of them must lead to a state that is new (C3 for searches that
 * are not depth-first: Bosnacki, Leue, Lluch-Lafuente 2009), which is up to the checker.
 *
 * Visibility. A predicate that reads a variable sees all of it, with three exceptions:
 *   - compared with constants only (pc[i] = "cs", pc[i] \in {"a", "b"}), it is seen as far as
 * elements enter or leave one of these sets;
 *   - the conjunct of an invariant "v \in [S -> T]" with constant S and T says something of each
 * element of v alone, and
 *   - so does a conjunct "\A q \in S : P" when P reads only what is q's own.
 * Such conjuncts hold in states that are left out when they hold in those before and after the
 * local step.
 *
 * Heads that change nothing ("Terminating") lead nowhere and so are in nobody's way; their
 * conditions count as predicates, since they may fail or assert something. */
#include "eval/por.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "eval/auxiliary.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "eval/ops.h"
#include "ir/walk.h"
#include "model/model.h"
#include "value/value.h"

enum { ROLE_NONE, ROLE_SELF, ROLE_INNER }; /* of slots: the process; bound inside the head */

struct use {
    bool own, read, written, own_written; /* own: elements of the process; the others: any */
};

/* What a piece of code does with the variables. */
struct uses {
    struct use *of; /* [nvar] */
    bool opaque;    /* cannot be told */
    bool primed;    /* reads the next state */
    bool inner;     /* depends on what is bound inside the head */
};

struct context {
    const struct unit *unit;
    uint8_t *roles; /* [unit->nslot] */
};

struct look {
    struct spec *spec;
    struct arena *arena; /* scratch memory */
    struct uses uses;
    bool constant;
    struct val self;
    struct context at;
    uint32_t *seen, stamp, *stamps; /* by id: the context in which it was looked at last */
    VEC(struct context) entered;
    VEC(struct val) indexes; /* constants by which variables are indexed */
};

static void on_ex(void *arg, const struct ex *x);
static void on_act(void *arg, const struct act *a);
static void on_unit(void *arg, const struct unit *u);

static struct visitor visitor_of(struct look *l)
{
    return (struct visitor){on_ex, on_act, on_unit, l};
}

/* ---- the process itself ---- */
static bool const_value(const struct ex *x, struct val *ret)
{
    if (x->op == EX_CONST) {
        *ret = x->u.val;
        return true;
    }
    const struct const_cell *cell = x->op == EX_CELL ? x->u.p : NULL;
    if (cell && cell->done) {
        *ret = cell->value;
        return true;
    }
    return false;
}

static const struct ex *strip(const struct ex *x)
{
    while (x->op == EX_LAZY || x->op == EX_LAZY_STEP) {
        x = x->kid[0];
    }
    return x;
}

static bool is_slot(const struct ex *x)
{
    return x->op == EX_SLOT || x->op == EX_SLOT_THUNK || x->op == EX_SLOT_STEP;
}

static bool is_self(const struct look *l, const struct ex *x)
{
    struct val v;
    x = strip(x);
    if (is_slot(x)) {
        return x->slot < l->at.unit->nslot && l->at.roles[x->slot] == ROLE_SELF;
    }
    return l->constant && const_value(x, &v) && val_same(v, l->self);
}

static bool is_variable(const struct look *l, const struct ex *x)
{
    return (x->op == EX_VAR0 || x->op == EX_VAR1) && x->u.i >= 0 && x->u.i < l->spec->nvar;
}

static void note_index(struct look *l, const struct ex *x)
{
    struct val v;
    if (!const_value(strip(x), &v)) {
        return;
    }
    for (size_t i = 0; i < l->indexes.n; i++) {
        if (val_same(l->indexes.v[i], v)) {
            return;
        }
    }
    VEC_PUSH(&l->indexes, v);
}

/* ---- units: frames of their own ---- */
static void enter(struct look *l, const struct unit *u, uint8_t *roles)
{
    for (size_t i = 0; i < l->entered.n; i++) {
        if (l->entered.v[i].unit == u && memcmp(l->entered.v[i].roles, roles, u->nslot) == 0) {
            return;
        }
    }
    struct context here = l->at;
    uint32_t stamp = l->stamp;
    l->at = (struct context){u, roles};
    VEC_PUSH(&l->entered, l->at);
    l->stamp = ++*l->stamps;
    if (u->body) {
        on_ex(l, u->body);
    }
    if (u->act) {
        l->uses.opaque = true;
    }
    l->at = here;
    l->stamp = stamp;
}

/* What fills a lazy slot that is captured. Slots of another unit than the one at hand are foreign:
 * nothing is known of their roles. */
static void look_lazy(struct look *l, const struct binding *b)
{
    if (!b->ex) {
        l->uses.opaque |= b->thunk != NULL;
        return;
    }
    if (b->unit == l->at.unit) {
        on_ex(l, b->ex);
        return;
    }
    uint8_t *roles = arena_zalloc(l->arena, b->unit->nslot + 1);
    struct context here = l->at;
    uint32_t stamp = l->stamp;
    l->at = (struct context){b->unit, roles};
    l->stamp = ++*l->stamps;
    l->uses.inner = true;
    on_ex(l, b->ex);
    l->at = here;
    l->stamp = stamp;
}

static uint8_t captured_role(struct look *l, uint32_t from, const struct binding *b)
{
    uint8_t role = from < l->at.unit->nslot ? l->at.roles[from] : ROLE_NONE;
    l->uses.inner |= role == ROLE_INNER;
    bool lazy = b && b->kind == BIND_LAZY;
    if (lazy) {
        look_lazy(l, b);
    }
    return lazy && b->ex && b->unit == l->at.unit && is_self(l, b->ex) ? ROLE_SELF : role;
}

static void on_unit(void *arg, const struct unit *u)
{
    struct look *l = arg;
    uint8_t *roles = arena_zalloc(l->arena, u->nslot + 1);
    for (size_t i = 0; i < u->captures.n; i++) {
        const struct capture *c = &u->captures.v[i];
        if (c->to < u->nslot) {
            roles[c->to] = captured_role(l, c->from, c->binding);
        }
    }
    enter(l, u, roles);
}

static void look_call(struct look *l, const struct ex *x)
{
    const struct call_info *info = x->u.p;
    const struct unit *u = info->unit;
    uint8_t *roles = arena_zalloc(l->arena, u->nslot + 1);
    for (uint32_t i = 0; i < info->ncapture; i++) {
        uint32_t to = info->captures[i].to;
        if (to < u->nslot) {
            roles[to] = captured_role(l, info->captures[i].from, info->captures[i].lazy);
        }
    }
    for (uint32_t i = 0; i < x->n; i++) {
        on_ex(l, x->kid[i]);
        if (i < u->nparam && u->param[i] < u->nslot && is_self(l, x->kid[i])) {
            roles[u->param[i]] = ROLE_SELF;
        }
    }
    enter(l, u, roles);
}

/* ---- expressions ---- */
static void look_apply(struct look *l, const struct ex *x)
{
    struct use *use = &l->uses.of[x->kid[0]->u.i];
    l->uses.primed |= x->kid[0]->op == EX_VAR1;
    note_index(l, x->kid[1]);
    if (is_self(l, x->kid[1])) {
        use->own = true;
    } else {
        use->read = true;
        on_ex(l, x->kid[1]);
    }
}

static void on_ex(void *arg, const struct ex *x)
{
    struct look *l = arg;
    struct visitor v = visitor_of(l);
    if (l->seen[x->id] == l->stamp) {
        return;
    }
    l->seen[x->id] = l->stamp;
    if (x->op == EX_VAR0 || x->op == EX_VAR1) {
        l->uses.primed |= x->op == EX_VAR1;
        if (is_variable(l, x)) {
            l->uses.of[x->u.i].read = true;
        } else {
            l->uses.opaque = true;
        }
    } else if (is_slot(x)) {
        l->uses.inner |= x->slot >= l->at.unit->nslot || l->at.roles[x->slot] == ROLE_INNER;
    } else if ((x->op == EX_APPLY || x->op == EX_APPLY_LAZY) && x->n == 2 &&
               is_variable(l, x->kid[0])) {
        look_apply(l, x);
    } else if (x->op == EX_CALL) {
        look_call(l, x);
    } else if (x->op == EX_ENABLED || x->op == EX_CDOT || ex_reads_more(x)) {
        l->uses.opaque = true;
    } else {
        walk_ex(x, &v);
    }
}

/* ---- actions ---- */
static bool same_variable(const struct ex *x, uint32_t var)
{
    return x->op == EX_VAR0 && x->u.i == (int64_t)var;
}

static bool own_except(struct look *l, uint32_t var, const struct ex *x)
{
    if (x->op != EX_EXCEPT || !same_variable(strip(x->kid[0]), var)) {
        return false;
    }
    const struct except_info *info = x->u.p;
    bool own = true;
    for (uint32_t i = 0; i < info->n; i++) {
        note_index(l, info->spec[i].path[0]);
        own &= is_self(l, info->spec[i].path[0]);
    }
    return own;
}

/* The value of a variable. */
static void look_value(struct look *l, uint32_t var, const struct ex *x)
{
    struct use *use = &l->uses.of[var];
    x = strip(x);
    if (same_variable(x, var)) {
        return;
    }
    if (x->op == EX_IF || x->op == EX_LET) {
        if (x->op == EX_IF) {
            on_ex(l, x->kid[0]);
        }
        for (uint32_t i = x->op == EX_IF; i < x->n; i++) {
            look_value(l, var, x->kid[i]);
        }
        return;
    }
    if (!own_except(l, var, x)) {
        use->written = true;
        on_ex(l, x);
        return;
    }
    const struct except_info *info = x->u.p;
    use->own = use->own_written = true;
    for (uint32_t i = 0; i < info->n; i++) {
        for (uint32_t k = 1; k < info->spec[i].npath; k++) {
            on_ex(l, info->spec[i].path[k]);
        }
        on_ex(l, info->spec[i].value);
    }
}

static void on_act(void *arg, const struct act *a)
{
    struct look *l = arg;
    struct visitor v = visitor_of(l);
    if (a->op == ACT_ASSIGN && a->var < l->spec->nvar) {
        look_value(l, a->var, a->x);
    } else if (a->op == ACT_ASSIGN_IN || a->op == ACT_ASSIGN_SUBSETEQ) {
        l->uses.of[a->var].written = true;
        on_ex(l, a->x);
    } else if (a->op == ACT_CALL || a->op == ACT_FAPPLY || a->op == ACT_CDOT ||
               a->op == ACT_ASSIGN) {
        l->uses.opaque = true;
    } else if (a->op != ACT_UNCHANGED_VAR && a->op != ACT_UNCHANGED_VARS) {
        walk_act(a, &v);
    }
}

/* ---- heads ---- */
struct builder {
    struct spec *spec;
    struct arena scratch;
    struct por *por;
    uint32_t *seen, stamps;
    VEC(uint32_t) slots;   /* bound around the place at hand */
    VEC(struct uses) uses; /* of the heads */
};

static void look_begin(struct builder *b, struct look *l, const struct unit *unit)
{
    *l =
        (struct look){.spec = b->spec, .arena = &b->scratch, .seen = b->seen, .stamps = &b->stamps};
    l->uses.of = ARENA_ARRAY(&b->scratch, struct use, b->spec->nvar + 1);
    l->at = (struct context){unit, arena_zalloc(&b->scratch, unit->nslot + 1)};
    l->stamp = ++b->stamps;
}

static void look_end(struct look *l)
{
    VEC_DONE(&l->entered);
    VEC_DONE(&l->indexes);
}

static void mark_inner(uint8_t *roles, const struct act *a)
{
    if (a->op == ACT_EXISTS || a->op == ACT_FORALL) {
        for (uint32_t i = 0; i < a->binder->nvar; i++) {
            for (uint32_t k = 0; k < a->binder->vars[i].nslot; k++) {
                roles[a->binder->vars[i].slots[k]] = ROLE_INNER;
            }
        }
    }
    for (uint32_t i = 0; i < a->n; i++) {
        mark_inner(roles, a->kid[i]);
    }
}

/* What a head does when its process is the one given; owned = false: when it has none. */
static void look_head(struct builder *b, const struct por_head *h, struct look *l)
{
    look_begin(b, l, b->spec->next_unit);
    mark_inner(l->at.roles, h->act);
    if (h->owned && h->constant) {
        l->constant = true;
        l->self = h->self;
    } else if (h->owned) {
        l->at.roles[h->slot] = ROLE_SELF;
    }
}

static unsigned own_variables(const struct builder *b, const struct uses *uses)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < b->spec->nvar; i++) {
        n += uses->of[i].own && !uses->of[i].read && !uses->of[i].written;
    }
    return n;
}

/* Tries a process for a head; keeps it when more variables are its own than before. */
static void try_process(struct builder *b, struct por_head *h, const struct por_head *with,
                        struct uses *uses)
{
    struct look l;
    look_head(b, with, &l);
    on_act(&l, h->act);
    if (own_variables(b, &l.uses) > own_variables(b, uses)) {
        *h = *with;
        *uses = l.uses;
    }
    look_end(&l);
}

static void add_head(struct builder *b, const struct act *a)
{
    struct por_head head = {.act = a};
    struct look l;
    look_head(b, &head, &l);
    on_act(&l, a);
    struct uses uses = l.uses;
    for (size_t i = 0; i < b->slots.n; i++) {
        struct por_head with = {.act = a, .owned = true, .slot = b->slots.v[i]};
        try_process(b, &head, &with, &uses);
    }
    for (size_t i = 0; i < l.indexes.n; i++) {
        struct por_head with = {.act = a, .owned = true, .constant = true, .self = l.indexes.v[i]};
        try_process(b, &head, &with, &uses);
    }
    look_end(&l);
    head.stutters = !uses.opaque;
    for (uint32_t i = 0; i < b->spec->nvar; i++) {
        head.stutters &= !uses.of[i].written && !uses.of[i].own_written;
    }
    VEC_PUSH(&b->por->heads, head);
    VEC_PUSH(&b->uses, uses);
    b->por->head_of[a->id] = (uint32_t)b->por->heads.n;
}

/* Expressions that depend on no state. */
static bool constant(struct builder *b, const struct ex *const *x, size_t n,
                     const struct unit *unit)
{
    struct look l;
    look_begin(b, &l, unit);
    for (size_t i = 0; i < n; i++) {
        on_ex(&l, x[i]);
    }
    bool fixed = !l.uses.opaque;
    for (uint32_t i = 0; i < b->spec->nvar; i++) {
        fixed &= !l.uses.of[i].own && !l.uses.of[i].read;
    }
    look_end(&l);
    return fixed;
}

/* por_run.c goes the same way. */
static void find_heads(struct builder *b, const struct act *a)
{
    size_t nslot = b->slots.n;
    if (a->op == ACT_EXISTS && constant(b, a->binder->sets, a->binder->nset, b->spec->next_unit)) {
        for (uint32_t i = 0; i < a->binder->nvar; i++) {
            for (uint32_t k = 0; k < a->binder->vars[i].nslot; k++) {
                VEC_PUSH(&b->slots, a->binder->vars[i].slots[k]);
            }
        }
    } else if (a->op != ACT_DISJ && a->op != ACT_LET) {
        add_head(b, a);
        return;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        find_heads(b, a->kid[i]);
    }
    b->slots.n = nslot;
}

/* ---- variables ---- */
static void classify(struct builder *b)
{
    const struct spec *spec = b->spec;
    for (uint32_t v = 0; v < spec->nvar; v++) {
        b->por->mine[v] = b->por->fixed[v] = true;
        for (size_t i = 0; i < b->uses.n; i++) {
            const struct uses *u = &b->uses.v[i];
            b->por->fixed[v] &= !u->opaque && !u->of[v].written && !u->of[v].own_written;
            b->por->mine[v] &=
                b->por->heads.v[i].stutters || (!u->opaque && !u->of[v].read && !u->of[v].written);
        }
    }
}

/* Does the code access nothing but what is the process's own? */
static bool all_own(const struct builder *b, const struct uses *uses)
{
    bool own = !uses->opaque;
    for (uint32_t v = 0; v < b->spec->nvar; v++) {
        const struct use *u = &uses->of[v];
        bool accessed = u->own || u->read || u->written || u->own_written;
        bool foreign = u->read || u->written || !b->por->mine[v];
        own &= !accessed || !foreign || b->por->fixed[v] || b->por->ignored[v];
    }
    return own;
}

/* Fills own and guard for the parts of a head; kind_of of por_run.c reads them. Returns whether
 * some step through `a` may be local. */
static bool find_own(struct builder *b, const struct por_head *h, const struct act *a)
{
    struct look l;
    bool junction = a->op == ACT_CONJ || a->op == ACT_DISJ || a->op == ACT_LET || a->op == ACT_MARK;
    bool parts = junction || a->op == ACT_IF || a->op == ACT_EXISTS;
    look_head(b, h, &l);
    if (a->op == ACT_TEST || a->op == ACT_IF) {
        on_ex(&l, a->x);
        b->por->guard[a->id] = all_own(b, &l.uses) && !l.uses.primed && !l.uses.inner;
    } else if (a->op == ACT_EXISTS) {
        for (uint32_t i = 0; i < a->binder->nset; i++) {
            on_ex(&l, a->binder->sets[i]);
        }
    } else if (!parts) {
        on_act(&l, a);
    }
    bool own = b->por->own[a->id] = all_own(b, &l.uses);
    look_end(&l);
    bool all = true;
    bool any = false;
    for (uint32_t i = 0; parts && i < a->n; i++) {
        bool local = find_own(b, h, a->kid[i]);
        all &= local;
        any |= local;
    }
    return own && (!parts || (a->op == ACT_DISJ || a->op == ACT_IF ? any : all));
}

/* ---- visibility ---- */
struct sight {
    struct builder *b;
    uint32_t stamp;
    VEC(const struct unit *) units;
};

static void see_ex(void *arg, const struct ex *x);
static void see_unit(void *arg, const struct unit *u);

static void see_all(struct sight *s)
{
    for (uint32_t i = 0; i < s->b->spec->nvar; i++) {
        s->b->por->visible[i].sight = SEEN_WHOLE;
    }
}

static void see_act(void *arg, const struct act *a)
{
    struct sight *s = arg;
    struct visitor v = {see_ex, see_act, see_unit, s};
    if (a->op == ACT_CALL || a->op == ACT_FAPPLY || a->op == ACT_CDOT) {
        see_all(s);
    } else {
        walk_act(a, &v);
    }
}

static void see_unit(void *arg, const struct unit *u)
{
    struct sight *s = arg;
    struct visitor v = {see_ex, see_act, see_unit, s};
    for (size_t i = 0; i < s->units.n; i++) {
        if (s->units.v[i] == u) {
            return;
        }
    }
    VEC_PUSH(&s->units, u);
    walk_unit(u, &v);
}

/* The variable whose element an expression is, or NULL. */
static const struct ex *element_of(const struct sight *s, const struct ex *x,
                                   const struct ex **ret_index)
{
    x = strip(x);
    if (x->op != EX_APPLY || x->n != 2 || x->kid[0]->op != EX_VAR0 ||
        x->kid[0]->u.i >= s->b->spec->nvar) {
        return NULL;
    }
    *ret_index = x->kid[1];
    return x->kid[0];
}

static void add_class(struct sight *s, const struct ex *var, struct val v)
{
    struct por_visible *visible = &s->b->por->visible[var->u.i];
    if (visible->sight == SEEN_NOT) {
        visible->sight = SEEN_CLASSES;
    }
    VEC_PUSH(&visible->classes, v);
}

static void end_class(struct sight *s, const struct ex *var)
{
    struct por_visible *visible = &s->b->por->visible[var->u.i];
    VEC_PUSH(&visible->ends, (uint32_t)visible->classes.n);
}

/* v[i] = c, v[i] \in {c, ...}: only the classes are seen. False: it is something else. */
static bool see_classes(struct sight *s, const struct ex *x)
{
    const struct ex *index;
    struct val v;
    bool equal = x->op == EX_EQ || x->op == EX_NEQ;
    bool list = x->op == EX_IN_LIST || x->op == EX_NOTIN_LIST;
    if (!equal && !list) {
        return false;
    }
    unsigned at = equal && const_value(strip(x->kid[0]), &v) ? 1 : 0;
    const struct ex *var = element_of(s, x->kid[at], &index);
    bool known = var != NULL;
    for (uint32_t i = 0; i < x->n; i++) {
        known &= i == at || const_value(strip(x->kid[i]), &v);
    }
    for (uint32_t i = 0; known && i < x->n; i++) {
        if (i != at && const_value(strip(x->kid[i]), &v)) {
            add_class(s, var, v);
        }
    }
    if (known) {
        end_class(s, var);
        see_ex(s, index);
    }
    return known;
}

/* v[i] \in S with a small constant S. */
static bool see_members(struct sight *s, const struct ex *x)
{
    const struct ex *index;
    struct val set;
    if ((x->op != EX_IN && x->op != EX_NOTIN) || !const_value(strip(x->kid[1]), &set) ||
        !val_is_kind(set, VK_SET) || val_obj(set)->n > 64) {
        return false;
    }
    const struct ex *var = element_of(s, x->kid[0], &index);
    if (!var) {
        return false;
    }
    const struct vobj *o = val_obj(set);
    for (uint32_t i = 0; i < o->n; i++) {
        add_class(s, var, o->v[i]);
    }
    end_class(s, var);
    see_ex(s, index);
    return true;
}

static void see_ex(void *arg, const struct ex *x)
{
    struct sight *s = arg;
    struct visitor v = {see_ex, see_act, see_unit, s};
    if (s->b->seen[x->id] == s->stamp) {
        return;
    }
    s->b->seen[x->id] = s->stamp;
    if (x->op == EX_ENABLED || x->op == EX_CDOT || ex_reads_more(x)) {
        see_all(s);
    } else if ((x->op == EX_VAR0 || x->op == EX_VAR1) && x->u.i < s->b->spec->nvar) {
        s->b->por->visible[x->u.i].sight = SEEN_WHOLE;
    } else if (!see_classes(s, x) && !see_members(s, x)) {
        walk_ex(x, &v);
    }
}

/* "v \in [S -> T]" with constant S and T. */
static bool typed(struct builder *b, const struct ex *x, const struct unit *unit)
{
    struct val set;
    if (x->op != EX_IN || x->kid[0]->op != EX_VAR0 || x->kid[0]->u.i >= b->spec->nvar) {
        return false;
    }
    const struct ex *of = strip(x->kid[1]);
    if (const_value(of, &set)) {
        return val_is_kind(set, VK_FCNSET);
    }
    return of->op == EX_FCNSET && constant(b, of->kid, of->n, unit);
}

/* "\A q \in S : P" where P reads only what is q's own. */
static bool each_alone(struct builder *b, const struct ex *x, const struct unit *unit)
{
    const struct binder *binder = x->op == EX_FORALL ? x->u.p : NULL;
    if (!binder || binder->nvar != 1 || binder->vars[0].tuple || binder->nset != 1 ||
        !constant(b, binder->sets, 1, unit)) {
        return false;
    }
    struct look l;
    look_begin(b, &l, unit);
    l.at.roles[binder->vars[0].slots[0]] = ROLE_SELF;
    on_ex(&l, x->kid[0]);
    bool alone = all_own(b, &l.uses) && !l.uses.primed;
    for (uint32_t v = 0; v < b->spec->nvar; v++) {
        bool read = l.uses.of[v].own || l.uses.of[v].read;
        alone &=
            !read || b->por->fixed[v] || b->por->mine[v]; /* irrelevant ones are not read at all */
    }
    look_end(&l);
    return alone;
}

static void see_invariant(struct sight *s, const struct ex *x, const struct unit *unit)
{
    while (x->op == EX_CALL && x->n == 0 && ((const struct call_info *)x->u.p)->ncapture == 0 &&
           !(((const struct call_info *)x->u.p)->unit->def &&
             ((const struct call_info *)x->u.p)->unit->def->recursive)) {
        unit = ((const struct call_info *)x->u.p)->unit;
        x = unit->body;
    }
    if (x->op == EX_CONJ) {
        for (uint32_t i = 0; i < x->n; i++) {
            see_invariant(s, x->kid[i], unit);
        }
    } else if (!typed(s->b, x, unit) && !each_alone(s->b, x, unit)) {
        s->stamp = ++s->b->stamps;
        see_ex(s, x);
    }
}

static void see_preds(struct sight *s, const struct pred *preds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        s->stamp = ++s->b->stamps;
        if (preds[i].unit) {
            see_unit(s, preds[i].unit);
        }
    }
}

static void find_visible(struct builder *b)
{
    const struct spec *spec = b->spec;
    struct sight s = {.b = b};
    for (size_t i = 0; i < spec->props.n; i++) {
        if (spec->props.v[i].kind == MPROP_INVARIANT && spec->prop_preds.v[i].unit) {
            see_invariant(&s, spec->prop_preds.v[i].unit->body, spec->prop_preds.v[i].unit);
        }
    }
    see_preds(&s, spec->constraints.v, spec->constraints.n);
    see_preds(&s, spec->action_constraints.v, spec->action_constraints.n);
    for (size_t i = 0; i < b->por->heads.n; i++) {
        if (b->por->heads.v[i].stutters) {
            s.stamp = ++b->stamps;
            see_act(&s, b->por->heads.v[i].act);
        }
    }
    VEC_DONE(&s.units);
}

/* ---- the whole ---- */
static void find_ignored(struct builder *b)
{
    const struct spec *spec = b->spec;
    if (spec->left_out) {
        struct relevance *found = ARENA_ARRAY(&b->scratch, struct relevance, spec->nvar + 1);
        spec_auxiliary(spec, &b->scratch, found);
        for (uint32_t i = 0; i < spec->nvar; i++) {
            b->por->ignored[i] = spec->left_out[i] && !found[i].relevant;
        }
    }
}

struct por *por_new(struct spec *spec)
{
    struct por *por = ARENA_NEW(spec->arena, struct por);
    struct builder b = {.spec = spec, .por = por};
    arena_init(&b.scratch, 0);
    por->head_of = ARENA_ARRAY(spec->arena, uint32_t, spec->nex + 1);
    por->own = ARENA_ARRAY(spec->arena, bool, spec->nex + 1);
    por->guard = ARENA_ARRAY(spec->arena, bool, spec->nex + 1);
    por->ignored = ARENA_ARRAY(spec->arena, bool, spec->nvar + 1);
    por->visible = ARENA_ARRAY(spec->arena, struct por_visible, spec->nvar + 1);
    b.seen = ARENA_ARRAY(&b.scratch, uint32_t, spec->nex + 1);
    por->mine = ARENA_ARRAY(spec->arena, bool, spec->nvar + 1);
    por->fixed = ARENA_ARRAY(spec->arena, bool, spec->nvar + 1);
    find_ignored(&b);
    if (spec->next) {
        find_heads(&b, spec->next);
    }
    classify(&b);
    for (size_t i = 0; i < por->heads.n; i++) {
        struct por_head *h = &por->heads.v[i];
        h->local = h->owned && !h->stutters && find_own(&b, h, h->act);
        por->nlocal += h->local;
    }
    find_visible(&b);
    VEC_DONE(&b.slots);
    VEC_DONE(&b.uses);
    arena_done(&b.scratch);
    return por;
}

void por_free(struct por *por, uint32_t nvar)
{
    if (!por) {
        return;
    }
    for (uint32_t i = 0; i < nvar; i++) {
        VEC_DONE(&por->visible[i].classes);
        VEC_DONE(&por->visible[i].ends);
    }
    VEC_DONE(&por->heads);
}

/* ---- for those who check ---- */

/* What a reduction would not preserve, or NULL. */
static const char *refusal(const struct spec *spec)
{
    if (spec->model.live) {
        return "temporal properties depend on the order of steps";
    }
    for (size_t i = 0; i < spec->props.n; i++) {
        if (spec->props.v[i].kind == MPROP_ACTION) {
            return "action properties ([][A]_v) speak of steps that are left out";
        }
    }
    return spec->model.has_view     ? "it cannot be combined with VIEW"
           : spec->nperm            ? "it cannot be combined with SYMMETRY (see --no-symmetry)"
           : spec->postconditions.n ? "a POSTCONDITION may depend on the states that are left out"
           : spec->possible.n ? "what must be possible may be so in the states that are left out"
           : spec->options.level_max ? "the level of states changes"
           : spec->options.coverage  ? "it cannot be combined with coverage"
                                     : NULL;
}

int model_reduce_order(struct model *model, struct order_reduction *ret)
{
    struct spec *spec = (struct spec *)model;
    *ret = (struct order_reduction){.refused = refusal(spec)};
    if (ret->refused) {
        return -1;
    }
    spec->por = por_new(spec);
    for (size_t i = 0; i < spec->por->heads.n; i++) {
        const struct por_head *h = &spec->por->heads.v[i];
        ret->groups += !h->stutters;
        ret->owned += h->owned && !h->stutters;
    }
    ret->local = spec->por->nlocal;
    return 0;
}

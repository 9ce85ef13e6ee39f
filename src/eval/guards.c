/* Conditions at the head of a quantified body that do not need all of the bound variables.
 *
 * In  \E i, j \in Server : \E b, e \in 1..Len(log[i]) : state[i] = Leader /\ ...  the condition
 * says the same for all b and e. When it is false the rest of the inner loop is left out; trace
 * specifications, which try every action on every line of a log, do little else. And a condition
 * b = x, where x is the same for all b, leaves one value of b to try: the loop goes there.
 *
 * A step that changes v cannot satisfy  \E m \in S : A(m) /\ UNCHANGED v.  This shows when the
 * first m has been tried; all others are left out. Here something may be seen: an error that only
 * others have (docs/CONFORMANCE.md).
 *
 * Nothing may be seen of it. So the conditions are those evaluated first, one after the other, with
 * nothing between them that assigns or branches; none of them has an effect; and those before the
 * one that is false cannot fail for values that are left out: either they do not depend on them, or
 * they compare numbers. With coverage or a trace of positions everything is evaluated
 * (guard_from).
 *
 * Large operators are called, not inlined: then the conditions are those of the operator's body,
 * and what they need are arguments.
 *
 * Which condition was false is noted by who evaluates it (guard_refused), with its frame, since a
 * recursive operator may be inside itself. */
#include "eval/guards.h"

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "eval/code.h"
#include "ir/ir.h"
#include "ir/walk.h"
#include "value/value.h"

enum {
    VARS_MAX = 32,    /* bits of a mask */
    HEADS_MAX = 64,   /* of one body */
    NODES_MAX = 20000 /* below one condition; a larger one ends the list */
};

/* A call of a large operator: its frame, seen from the quantifier. */
struct frame {
    const struct ex *call;
    const struct frame *up; /* the frame of the call; NULL: the quantifier's */
    uint32_t offset;        /* from the frame that is pushed first */
};

struct head {
    const void *at;
    const struct ex *x;
    const struct frame *frame; /* where x is evaluated */
    bool argument;             /* of a call: evaluated, but no condition */
};

struct finding {
    struct spec *spec;
    struct arena *arena;
    uint8_t *met; /* by id: in the work list, or done */
    VEC(const struct ex *) exs;
    VEC(const struct act *) acts;
    uint32_t *stamp; /* by id: the search that was here last */
    uint32_t search;
    /* one search */
    const struct binder *binder;
    const struct frame *frame; /* of what is looked at; NULL: the quantifier's */
    uint32_t mask;             /* variables that were read */
    uint32_t nodes;            /* so far */
    bool effects;
    VEC(const struct unit *) units;
};

/* ---- what a condition needs ---- */
static bool first_here(struct finding *f, uint32_t id)
{
    bool first = f->stamp[id] != f->search;
    f->stamp[id] = f->search;
    f->nodes += first;
    return first && f->nodes < NODES_MAX;
}

static void begin_search(struct finding *f)
{
    f->search++;
    f->mask = 0;
    f->nodes = 0;
    f->effects = false;
    f->units.n = 0;
}

static void reads_ex(void *arg, const struct ex *x);
static void reads_capture(struct finding *f, uint32_t from, const struct binding *b);

/* A slot of a call's frame: what it was given. */
static void reads_given(struct finding *f, uint32_t slot)
{
    const struct frame *frame = f->frame;
    const struct call_info *call = frame->call->u.p;
    f->frame = frame->up;
    for (uint32_t i = 0; i < frame->call->n; i++) {
        if (call->unit->param[i] == slot) {
            reads_ex(f, frame->call->kid[i]);
        }
    }
    for (uint32_t i = 0; i < call->ncapture; i++) {
        if (call->captures[i].to == slot) {
            reads_capture(f, call->captures[i].from, call->captures[i].lazy);
        }
    }
    f->frame = frame;
}

static void reads_slot(struct finding *f, uint32_t slot)
{
    const struct binder *b = f->binder;
    if (f->frame) {
        reads_given(f, slot);
        return;
    }
    for (uint32_t i = 0; i < b->nvar; i++) {
        if (b->vars[i].slots[0] == slot) {
            f->mask |= UINT32_C(1) << i;
        }
    }
}

static void reads_all(struct finding *f)
{
    f->mask = UINT32_MAX;
}

static void reads_act(void *arg, const struct act *a)
{
    (void)a;
    reads_all(arg); /* ENABLED */
}

static void reads_capture(struct finding *f, uint32_t from, const struct binding *b)
{
    reads_slot(f, from);
    if (b && b->kind == BIND_LAZY && b->ex) {
        reads_ex(f, b->ex);
    }
}

/* A closure made here: what it takes along. */
static void reads_unit(void *arg, const struct unit *u)
{
    struct finding *f = arg;
    for (size_t i = 0; i < u->captures.n; i++) {
        reads_capture(f, u->captures.v[i].from, u->captures.v[i].binding);
    }
}

static void reads_call(struct finding *f, const struct ex *x)
{
    const struct call_info *call = x->u.p;
    for (uint32_t i = 0; i < x->n; i++) {
        reads_ex(f, x->kid[i]);
    }
    for (uint32_t i = 0; i < call->ncapture; i++) {
        reads_capture(f, call->captures[i].from, call->captures[i].lazy);
    }
}

/* Slots of the frame of the quantifier; units have frames of their own. */
static void reads_ex(void *arg, const struct ex *x)
{
    struct finding *f = arg;
    if (!first_here(f, x->id)) {
        return;
    }
    if (x->op == EX_SLOT || x->op == EX_SLOT_THUNK || x->op == EX_SLOT_STEP) {
        reads_slot(f, x->slot);
    } else if (x->op == EX_CALL) {
        reads_call(f, x);
        return;
    } else if (x->op == EX_CALL_SLOT || x->op == EX_ENABLED || x->op == EX_CDOT) {
        reads_all(f);
    }
    walk_ex(x, &(struct visitor){reads_ex, reads_act, reads_unit, f});
}

/* Variables of f->binder that x needs, as a mask. */
static uint32_t variables_of(struct finding *f, const struct ex *x, const struct frame *frame)
{
    begin_search(f);
    f->frame = frame;
    reads_ex(f, x);
    return f->nodes < NODES_MAX ? f->mask : UINT32_MAX;
}

/* ---- effects ---- */
static void effect_ex(void *arg, const struct ex *x);
static void effect_unit(void *arg, const struct unit *u);

static void effect_act(void *arg, const struct act *a)
{
    struct finding *f = arg;
    if (first_here(f, a->id)) {
        walk_act(a, &(struct visitor){effect_ex, effect_act, effect_unit, f});
    }
}

static void effect_ex(void *arg, const struct ex *x)
{
    struct finding *f = arg;
    if (first_here(f, x->id)) {
        f->effects |= ex_reads_more(x);
        walk_ex(x, &(struct visitor){effect_ex, effect_act, effect_unit, f});
    }
}

static void effect_unit(void *arg, const struct unit *u)
{
    struct finding *f = arg;
    for (size_t i = 0; i < f->units.n; i++) {
        if (f->units.v[i] == u) {
            return;
        }
    }
    VEC_PUSH(&f->units, u);
    walk_unit(u, &(struct visitor){effect_ex, effect_act, effect_unit, f});
}

static bool has_effects(struct finding *f, const struct ex *x)
{
    begin_search(f);
    effect_ex(f, x);
    return f->effects || f->nodes >= NODES_MAX;
}

/* ---- conditions that cannot fail ---- */

/* What a name stands for, and where that is evaluated. */
static const struct ex *named(const struct ex *x, const struct frame **frame)
{
    for (;;) {
        const struct ex *given = NULL;
        if (x->op == EX_LAZY || x->op == EX_LET) {
            given = x->kid[0];
        } else if (*frame && (x->op == EX_SLOT || x->op == EX_SLOT_THUNK)) {
            const struct call_info *call = (*frame)->call->u.p;
            for (uint32_t i = 0; i < (*frame)->call->n; i++) {
                given = call->unit->param[i] == x->slot ? (*frame)->call->kid[i] : given;
            }
            *frame = given ? (*frame)->up : *frame;
        }
        if (!given) {
            return x;
        }
        x = given;
    }
}

static bool set_of_numbers(const struct ex *set)
{
    const struct frame *frame = NULL;
    set = named(set, &frame);
    const struct const_cell *cell = set->op == EX_CELL ? set->u.p : NULL;
    if (set->op == EX_RANGE || (cell && !cell->done)) {
        return set->op == EX_RANGE;
    }
    struct val v = cell ? cell->value : set->op == EX_CONST ? set->u.val : VAL_UNDEF;
    bool numbers = val_is_kind(v, VK_INTERVAL) || val_is_kind(v, VK_SET);
    for (uint32_t i = 0; val_is_kind(v, VK_SET) && i < val_obj(v)->n; i++) {
        numbers &= val_is_small(val_obj(v)->v[i]);
    }
    return numbers;
}

static bool bound_to_numbers(struct finding *f, uint32_t slot)
{
    const struct binder *b = f->binder;
    for (uint32_t i = 0; i < b->nvar; i++) {
        if (b->vars[i].slots[0] == slot) {
            return set_of_numbers(b->sets[b->vars[i].set]);
        }
    }
    return false;
}

/* A number for all values of the bound variables, if it is one for some. */
static bool is_number(struct finding *f, const struct ex *x, const struct frame *frame)
{
    x = named(x, &frame);
    if (variables_of(f, x, frame) == 0) {
        return true;
    }
    if (x->op == EX_SLOT) {
        return !frame && bound_to_numbers(f, x->slot);
    }
    if (x->op == EX_ADD || x->op == EX_SUB) {
        return is_number(f, x->kid[0], frame) && is_number(f, x->kid[1], frame);
    }
    if (x->op == EX_APPLY || x->op == EX_APPLY_LAZY) { /* <<a, b>>[2] */
        const struct frame *inner = frame, *other = frame;
        const struct ex *tuple = named(x->kid[0], &inner);
        const struct ex *index = named(x->kid[1], &other);
        bool known = tuple->op == EX_TUPLE && index->op == EX_CONST && val_is_small(index->u.val);
        int64_t at = known ? val_small_get(index->u.val) : 0;
        bool good = at >= 1 && at <= (int64_t)tuple->n;
        for (uint32_t i = 0; good && i < tuple->n; i++) {
            good = is_number(f, tuple->kid[i], inner);
        }
        return good;
    }
    return false;
}

/* An argument that has a value for all values of the variables, if it has for some. */
static bool has_value(struct finding *f, const struct ex *x, const struct frame *frame)
{
    x = named(x, &frame);
    bool good = x->op == EX_TUPLE || x->op == EX_RECORD;
    for (uint32_t i = 0; good && i < x->n; i++) {
        good = has_value(f, x->kid[i], frame);
    }
    return good || x->op == EX_SLOT || ex_has(x, IR_TOTAL) || is_number(f, x, frame);
}

/* The condition was evaluated without failing for some values of the variables: it is for all. */
static bool never_fails(struct finding *f, const struct head *head)
{
    if (head->argument) {
        return has_value(f, head->x, head->frame);
    }
    const struct frame *frame = head->frame;
    const struct ex *x = named(head->x, &frame);
    bool comparison = x->op == EX_EQ || x->op == EX_NEQ || x->op == EX_LT || x->op == EX_LE ||
                      x->op == EX_GT || x->op == EX_GE;
    return comparison && is_number(f, x->kid[0], frame) && is_number(f, x->kid[1], frame);
}

/* ---- conditions that say what a variable is ---- */

/* The variable that x is, or NO_SLOT: itself, or a part of a tuple that is written out. */
static uint32_t variable_of(struct finding *f, const struct ex *x, const struct frame *frame)
{
    const struct binder *b = f->binder;
    x = named(x, &frame);
    for (uint32_t i = 0; x->op == EX_SLOT && !frame && i < b->nvar; i++) {
        if (b->vars[i].slots[0] == x->slot) {
            return i;
        }
    }
    if (x->op != EX_APPLY && x->op != EX_APPLY_LAZY) {
        return NO_SLOT;
    }
    const struct frame *inner = frame, *other = frame;
    const struct ex *tuple = named(x->kid[0], &inner);
    const struct ex *index = named(x->kid[1], &other);
    bool known = tuple->op == EX_TUPLE && index->op == EX_CONST && val_is_small(index->u.val);
    int64_t at = known ? val_small_get(index->u.val) : 0;
    return at >= 1 && at <= (int64_t)tuple->n ? variable_of(f, tuple->kid[at - 1], inner) : NO_SLOT;
}

/* v = e: notes v and where e stands; returns the variables that e needs. The equality is evaluated
 * where the condition is, so that what it compared last is what it compared here. */
static uint32_t solved_by(struct finding *f, const struct head *head, struct guard *guard)
{
    const struct ex *x = head->x;
    while (x->op == EX_LET) {
        x = x->kid[0];
    }
    for (uint8_t side = 0; side < 2 && x->op == EX_EQ && !head->argument; side++) {
        uint32_t var = variable_of(f, x->kid[1 - side], head->frame);
        uint32_t mask = var == NO_SLOT ? 0 : variables_of(f, x->kid[side], head->frame);
        if (var != NO_SLOT && !(mask & UINT32_C(1) << var)) {
            guard->solved = var;
            guard->side = side;
            return mask;
        }
    }
    return 0;
}

/* ---- heads ---- */
struct heads {
    struct arena *arena; /* for frames */
    struct head v[HEADS_MAX];
    size_t n;
};

static bool heads_add(struct heads *h, struct head head)
{
    if (h->n == HEADS_MAX) {
        return false;
    }
    h->v[h->n++] = head;
    return true;
}

static bool heads_of_ex(struct heads *h, const void *at, const struct ex *x,
                        const struct frame *frame, bool last);

/* The conjuncts of a large operator, and before them its arguments. */
static bool heads_of_call(struct heads *h, const struct ex *x, const struct frame *frame)
{
    const struct call_info *call = x->u.p;
    struct frame *callee = arena_alloc(h->arena, sizeof *callee);
    const struct call_info *around = frame ? frame->call->u.p : NULL;
    *callee = (struct frame){x, frame, frame ? frame->offset + around->unit->nslot : 0};
    for (uint32_t i = 0; i < x->n; i++) {
        if (!heads_add(h, (struct head){NULL, x->kid[i], frame, true})) {
            return false;
        }
    }
    return heads_of_ex(h, call->unit->body, call->unit->body, callee, true);
}

/* These return false when what follows is not a head any more. `last`: nothing is evaluated after
 * x, so that a call may be looked into; before others, these could call the same operator, and it
 * would not be known whose condition was false. */
static bool heads_of_ex(struct heads *h, const void *at, const struct ex *x,
                        const struct frame *frame, bool last)
{
    const struct ex *body = x;
    while (body->op == EX_LET) {
        body = body->kid[0];
    }
    if (body->op == EX_CALL) {
        return last && heads_of_call(h, body, frame);
    }
    if (body->op != EX_CONJ) {
        return heads_add(h, (struct head){at, x, frame, false});
    }
    for (uint32_t i = 0; i < body->n; i++) {
        if (!heads_of_ex(h, body->kid[i], body->kid[i], frame, last && i + 1 == body->n)) {
            return false;
        }
    }
    return true;
}

static bool heads_of_act(struct heads *h, const struct act *a)
{
    if (a->op == ACT_LET || a->op == ACT_MARK || a->op == ACT_LABEL) {
        return heads_of_act(h, a->kid[0]);
    }
    if (a->op == ACT_TEST) {
        return heads_of_ex(h, a, a->x, NULL, false);
    }
    if (a->op != ACT_CONJ) {
        return false;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        if (!heads_of_act(h, a->kid[i])) {
            return false;
        }
    }
    return true;
}

static uint32_t lowest(uint32_t mask, uint32_t nvar)
{
    return mask == 0 ? nvar : (uint32_t)__builtin_ctz(mask);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static const struct guards *guards_of(struct finding *f, const struct binder *b,
                                      const struct heads *heads)
{
    struct guard found[HEADS_MAX];
    uint32_t n = 0;
    uint32_t may_skip = b->nvar; /* variables before it: no condition so far can fail for others */
    uint32_t fixed = 0;          /* variables that the conditions so far leave one value of */
    f->binder = b;
    for (size_t i = 0; i < heads->n && may_skip > 0; i++) {
        const struct head *head = &heads->v[i];
        if (has_effects(f, head->x)) {
            break;
        }
        uint32_t first = lowest(variables_of(f, head->x, head->frame), b->nvar);
        struct guard guard = {.at = head->at,
                              .from = least(first, may_skip),
                              .offset = head->frame ? head->frame->offset : NO_SLOT,
                              .solved = NO_SLOT};
        uint32_t needs = solved_by(f, head, &guard);
        if (guard.solved < may_skip && !(needs & ~fixed & ((UINT32_C(1) << guard.solved) - 1))) {
            fixed |= needs & ~fixed ? 0 : UINT32_C(1) << guard.solved;
            guard.from = guard.solved;
        } else {
            guard.solved = NO_SLOT;
        }
        if ((guard.from > 0 || guard.solved != NO_SLOT) && !head->argument) {
            found[n++] = guard;
        }
        if (first < may_skip && !never_fails(f, head)) {
            may_skip = first;
        }
    }
    if (n == 0) {
        return NULL;
    }
    struct guards *guards =
        arena_zalloc(f->spec->arena, sizeof *guards + sizeof guards->v[0] * (size_t)n);
    guards->n = n;
    for (uint32_t i = 0; i < n; i++) {
        guards->v[i] = found[i];
    }
    return guards;
}

/* ---- what all steps leave as it is ---- */
struct still {
    struct spec *spec;
    bool *vars;     /* [nvar] */
    uint32_t nodes; /* looked at */
};

enum { STILL_NODES_MAX = 1000 };

static void still_tuple(struct still *s, const struct ex *x)
{
    const struct frame *frame = NULL;
    x = named(x, &frame);
    if (x->op == EX_VAR0) {
        s->vars[x->u.i] = true;
    }
    for (uint32_t i = 0; x->op == EX_TUPLE && i < x->n; i++) {
        still_tuple(s, x->kid[i]);
    }
}

static void still_of(struct still *s, const struct ex *x)
{
    if (s->nodes++ > STILL_NODES_MAX) {
        return;
    }
    switch (x->op) {
    case EX_LET:
    case EX_LAZY:
    case EX_EXISTS: still_of(s, x->kid[0]); break;
    case EX_CALL: still_of(s, ((const struct call_info *)x->u.p)->unit->body); break;
    case EX_UNCHANGED: still_tuple(s, x->kid[0]); break;
    case EX_CONJ:
        for (uint32_t i = 0; i < x->n; i++) {
            still_of(s, x->kid[i]);
        }
        break;
    default: break;
    }
}

/* The guards with the variables that all steps which satisfy x leave as they are. */
static const struct guards *with_still(struct finding *f, const struct guards *guards,
                                       const struct ex *x)
{
    struct spec *spec = f->spec;
    struct still s = {.spec = spec, .vars = ARENA_ARRAY(f->arena, bool, spec->nvar + 1)};
    still_of(&s, x);
    uint32_t *vars = ARENA_ARRAY(spec->arena, uint32_t, spec->nvar + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < spec->nvar; i++) {
        if (s.vars[i]) {
            vars[n++] = i;
        }
    }
    if (n == 0) {
        return guards;
    }
    struct guards *with =
        guards ? (struct guards *)guards : arena_zalloc(spec->arena, sizeof *with);
    with->nstill = n;
    with->still = vars;
    return with;
}

bool guards_exclude(struct ev *ev, const struct guards *guards)
{
    if (!guards || ev->hooks || !ev->s0 || !ev->s1) {
        return false;
    }
    for (uint32_t i = 0; i < guards->nstill; i++) {
        struct val now = ev->s0[guards->still[i]];
        struct val next = ev->s1[guards->still[i]];
        if (!val_same(now, next) && !val_is_undef(now) && !val_is_undef(next) &&
            val_hash(&ev->vctx, now) != val_hash(&ev->vctx, next)) {
            return true;
        }
    }
    return false;
}

/* Patterns such as <<a, b>> may fail for elements that are left out. */
static bool plain(const struct binder *b)
{
    for (uint32_t i = 0; i < b->nvar; i++) {
        if (b->vars[i].tuple) {
            return false;
        }
    }
    return b->nvar <= VARS_MAX;
}

static void quantifier(struct finding *f, const struct ex *x)
{
    struct binder *b = (struct binder *)x->u.p;
    const struct ex *body = x->kid[0];
    struct heads heads = {.arena = f->arena};
    if (!plain(b)) {
        return;
    }
    while (body->op == EX_LET) {
        body = body->kid[0];
    }
    if (x->op == EX_EXISTS && (body->op == EX_CONJ || body->op == EX_CALL)) {
        (void)heads_of_ex(&heads, body, body, NULL, true);
    } else if (x->op == EX_FORALL && body->op == EX_IMPLIES) {
        (void)heads_of_ex(&heads, body->kid[0], body->kid[0], NULL, false);
    }
    b->guards = guards_of(f, b, &heads);
    if (x->op == EX_EXISTS) {
        b->guards = with_still(f, b->guards, body);
    }
}

/* ---- all quantifiers ---- */
static void meet_ex(void *arg, const struct ex *x)
{
    struct finding *f = arg;
    if (!f->met[x->id]) {
        f->met[x->id] = 1;
        VEC_PUSH(&f->exs, x);
    }
}

static void meet_act(void *arg, const struct act *a)
{
    struct finding *f = arg;
    if (!f->met[a->id]) {
        f->met[a->id] = 1;
        VEC_PUSH(&f->acts, a);
    }
}

static void meet_unit(void *arg, const struct unit *u)
{
    (void)arg; /* all of them are met anyway */
    (void)u;
}

static void look_at_act(struct finding *f, const struct act *a)
{
    if (a->op == ACT_EXISTS && plain(a->binder)) {
        struct heads heads = {.arena = f->arena};
        (void)heads_of_act(&heads, a->kid[0]);
        ((struct binder *)a->binder)->guards = guards_of(f, a->binder, &heads);
    }
    for (uint32_t i = 0; a->op == ACT_CONJ && a->tests && i < a->n; i++) {
        if (a->tests[i]) {
            meet_ex(f, a->tests[i]);
        }
    }
    if (a->op == ACT_FORALL) {
        meet_ex(f, a->tests[0]);
    }
    walk_act(a, &(struct visitor){meet_ex, meet_act, meet_unit, f});
}

void guards_find(struct spec *spec)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct finding f = {.spec = spec,
                        .arena = &arena,
                        .met = ARENA_ARRAY(&arena, uint8_t, spec->nex + 1),
                        .stamp = ARENA_ARRAY(&arena, uint32_t, spec->nex + 1)};
    for (size_t i = 0; i < spec->units.n; i++) {
        walk_unit(spec->units.v[i], &(struct visitor){meet_ex, meet_act, meet_unit, &f});
    }
    if (spec->init) {
        meet_act(&f, spec->init);
    }
    if (spec->next) {
        meet_act(&f, spec->next);
    }
    while (f.exs.n + f.acts.n > 0) {
        while (f.exs.n > 0) {
            const struct ex *x = f.exs.v[--f.exs.n];
            if (x->op == EX_EXISTS || x->op == EX_FORALL) {
                quantifier(&f, x);
            }
            walk_ex(x, &(struct visitor){meet_ex, meet_act, meet_unit, &f});
        }
        if (f.acts.n > 0) {
            look_at_act(&f, f.acts.v[--f.acts.n]);
        }
    }
    VEC_DONE(&f.exs);
    VEC_DONE(&f.acts);
    VEC_DONE(&f.units);
    arena_done(&arena);
}

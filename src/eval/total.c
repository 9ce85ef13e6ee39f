/* Which values of auxiliary variables are computed without failing.
 *
 * States that differ in auxiliary variables only are taken for one state (auxiliary.c). An error of
 * evaluation that depends on such a variable could be missed then: h + 1 fails when h is no number.
 * So the kinds of values that the variables hold are inferred from all that is assigned to them,
 * and each operation on them must be one that cannot fail for these kinds. Few operations are known
 * here; what is not known may fail.
 *
 * Expressions that do not read variables of the set fail or not whatever these hold, so they need
 * no such care, unless it depends on the set whether they are evaluated (the branches of an IF). */
#include "eval/total.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "eval/code.h"
#include "eval/native.h"
#include "ir/walk.h"
#include "value/value.h"

enum kind { K_NONE, K_INT, K_BOOL, K_STR, K_SEQ, K_SET, K_FCN, K_ANY, K_FAILS };

struct type {
    enum kind kind;
    enum kind elem;    /* SET, FCN */
    struct val domain; /* FCN: a constant */
};

enum care {
    ASSUME, /* that nothing fails: only the kind of the value is wanted */
    DEPEND, /* failing must not depend on the set */
    NEVER   /* nothing may fail */
};

struct total {
    const struct spec *spec;
    struct arena *arena;
    const bool *in_set;
    struct type *of; /* [nvar] */
    uint32_t at;     /* slot of @, whose kind is at_kind; NO_SLOT */
    enum kind at_kind;
    struct known { /* [nex], of what names stand for, which may be used many times */
        uint32_t round;
        enum care care;
        struct type type;
    } *known;
    uint32_t round; /* kinds of variables have changed since another one */
    struct visits visits;
    bool found;
};

static struct type type_of(struct total *t, const struct ex *x, enum care care);
static struct type type_of_name(struct total *t, const struct ex *x, enum care care);

static struct type simple(enum kind kind)
{
    return (struct type){.kind = kind};
}

static struct type fails(enum care care, enum kind otherwise)
{
    return simple(care == ASSUME ? otherwise : K_FAILS);
}

static enum kind kind_join(enum kind a, enum kind b)
{
    return a == b || b == K_NONE ? a : a == K_NONE ? b : K_ANY;
}

static struct type type_join(struct type a, struct type b)
{
    if (a.kind == K_FAILS || b.kind == K_FAILS) {
        return simple(K_FAILS);
    }
    if (a.kind == K_NONE || b.kind == K_NONE) {
        return a.kind == K_NONE ? b : a;
    }
    if (a.kind != b.kind || (a.kind == K_FCN && !val_same(a.domain, b.domain))) {
        return simple(K_ANY);
    }
    a.elem = kind_join(a.elem, b.elem);
    return a;
}

/* ---- does an expression read the set? ---- */
static void depend_ex(void *arg, const struct ex *x);
static void depend_unit(void *arg, const struct unit *u);

static void depend_act(void *arg, const struct act *a)
{
    (void)a;
    ((struct total *)arg)->found = true;
}

static void depend_ex(void *arg, const struct ex *x)
{
    struct total *t = arg;
    struct visitor v = {depend_ex, depend_act, depend_unit, t};
    if (t->found || !visits_first(&t->visits, x->id)) {
        return;
    }
    bool variable = x->op == EX_VAR0 || x->op == EX_VAR1;
    t->found |= variable && (x->u.i >= t->spec->nvar || t->in_set[x->u.i]);
    t->found |= x->op == EX_SLOT && x->slot == t->at;
    walk_ex(x, &v);
}

static void depend_unit(void *arg, const struct unit *u)
{
    struct total *t = arg;
    struct visitor v = {depend_ex, depend_act, depend_unit, t};
    if (!visits_first_unit(&t->visits, u)) {
        return;
    }
    t->found |= t->at != NO_SLOT; /* @ has another slot there */
    walk_unit(u, &v);
}

static bool depends(struct total *t, const struct ex *x)
{
    visits_forget(&t->visits);
    t->found = false;
    depend_ex(t, x);
    return t->found;
}

/* ---- kinds ---- */
static bool scalar(enum kind kind)
{
    return kind == K_INT || kind == K_BOOL || kind == K_STR;
}

static enum kind kind_of_val(struct val v)
{
    return val_is_small(v)               ? K_INT
           : val_is_bool(v)              ? K_BOOL
           : val_is_str(v)               ? K_STR
           : val_is_kind(v, VK_TUPLE)    ? K_SEQ
           : val_is_kind(v, VK_INTERVAL) ? K_SET
           : val_is_kind(v, VK_SET)      ? K_SET
                                         : K_ANY;
}

static struct type type_of_val(struct val v)
{
    struct type type = simple(kind_of_val(v));
    if (val_is_kind(v, VK_INTERVAL)) {
        type.elem = K_INT;
    }
    for (uint32_t i = 0; val_is_kind(v, VK_SET) && i < val_obj(v)->n; i++) {
        type.elem = kind_join(type.elem, kind_of_val(val_obj(v)->v[i]));
    }
    return type;
}

/* All operands are of a kind (NONE: it does not matter which); the result. */
static struct type all_of(struct total *t, const struct ex *x, enum care care, enum kind want,
                          struct type result)
{
    for (uint32_t i = 0; i < x->n; i++) {
        struct type one = type_of(t, x->kid[i], care);
        bool mine = care == NEVER || (care == DEPEND && depends(t, x->kid[i]));
        if (one.kind == K_FAILS || (mine && want != K_NONE && one.kind != want)) {
            return fails(care, result.kind);
        }
    }
    return result;
}

/* Elements that are put together must be comparable. */
static struct type type_of_enum(struct total *t, const struct ex *x, enum care care)
{
    struct type set = simple(K_SET);
    for (uint32_t i = 0; i < x->n; i++) {
        struct type one = type_of(t, x->kid[i], care);
        if (one.kind == K_FAILS) {
            return one;
        }
        set.elem = kind_join(set.elem, one.kind);
    }
    return x->n < 2 || scalar(set.elem) ? set : fails(care, K_SET);
}

static struct type type_of_sets(struct total *t, const struct ex *x, enum care care)
{
    struct type a = type_of(t, x->kid[0], care);
    struct type b = type_of(t, x->kid[1], care);
    enum kind elem = kind_join(a.elem, b.elem);
    bool good = a.kind == K_SET && b.kind == K_SET && (scalar(elem) || elem == K_NONE);
    if (!good) {
        return fails(care, K_ANY);
    }
    return (struct type){.kind = K_SET, .elem = elem};
}

static struct type type_of_equality(struct total *t, const struct ex *x, enum care care)
{
    struct type a = type_of(t, x->kid[0], care);
    struct type b = type_of(t, x->kid[1], care);
    return scalar(a.kind) && a.kind == b.kind ? simple(K_BOOL) : fails(care, K_BOOL);
}

/* /\, \/, =>: what follows is evaluated or not, as the first operand says. */
static struct type type_of_junction(struct total *t, const struct ex *x, enum care care)
{
    for (uint32_t i = 0; i < x->n; i++) {
        struct type one = type_of(t, x->kid[i], care);
        if (one.kind == K_FAILS || (one.kind != K_BOOL && care != ASSUME)) {
            return fails(care, K_BOOL);
        }
        care = care == DEPEND && depends(t, x->kid[i]) ? NEVER : care;
    }
    return simple(K_BOOL);
}

static struct type type_of_if(struct total *t, const struct ex *x, enum care care)
{
    struct type cond = type_of(t, x->kid[0], care);
    bool mine = care == NEVER || (care == DEPEND && depends(t, x->kid[0]));
    if (cond.kind == K_FAILS || (mine && cond.kind != K_BOOL)) {
        return simple(K_FAILS);
    }
    enum care inner = mine ? NEVER : care;
    return type_join(type_of(t, x->kid[1], inner), type_of(t, x->kid[2], inner));
}

static struct type type_of_except(struct total *t, const struct ex *x, enum care care)
{
    const struct except_info *info = x->u.p;
    struct type fcn = type_of(t, x->kid[0], care);
    if (fcn.kind != K_FCN) {
        return fails(care, K_ANY);
    }
    uint32_t at = t->at;
    enum kind at_kind = t->at_kind;
    for (uint32_t i = 0; i < info->n && fcn.kind == K_FCN; i++) {
        const struct except_spec *one = &info->spec[i];
        struct type index = type_of(t, one->path[0], care);
        t->at = one->at;
        t->at_kind = fcn.elem;
        struct type value = one->npath == 1 ? type_of(t, one->value, care) : fails(care, K_ANY);
        t->at = at;
        t->at_kind = at_kind;
        bool failed = value.kind == K_FAILS || index.kind == K_FAILS;
        fcn.elem = kind_join(fcn.elem, value.kind);
        fcn.kind = failed ? K_FAILS : K_FCN;
    }
    return fcn;
}

/* [q \in S |-> e] with constant S. */
static struct type type_of_fcn(struct total *t, const struct ex *x, enum care care)
{
    const struct fcn_info *info = x->u.p;
    const struct ex *set = info->binder->nset == 1 ? info->binder->sets[0] : NULL;
    const struct const_cell *cell = set && set->op == EX_CELL ? set->u.p : NULL;
    bool known = set && (set->op == EX_CONST || (cell && cell->done));
    if (!known || info->binder->nvar != 1) {
        return depends(t, x) || care == NEVER ? fails(care, K_ANY) : simple(K_ANY);
    }
    uint32_t at = t->at; /* slots of the body are others */
    t->at = NO_SLOT;
    struct type body = at == NO_SLOT ? type_of(t, info->unit->body, care) : fails(care, K_ANY);
    t->at = at;
    return body.kind == K_FAILS ? body
                                : (struct type){.kind = K_FCN,
                                                .elem = body.kind,
                                                .domain = cell ? cell->value : set->u.val};
}

static struct type type_of_native(struct total *t, const struct ex *x, enum care care)
{
    const struct native *native = x->u.p;
    if (native->id == NATIVE_APPEND) {
        struct type seq = type_of(t, x->kid[0], care);
        struct type elem = type_of(t, x->kid[1], care);
        return seq.kind == K_SEQ && elem.kind != K_FAILS ? simple(K_SEQ) : fails(care, K_SEQ);
    }
    if (native->id == NATIVE_LEN) {
        return all_of(t, x, care, K_SEQ, simple(K_INT));
    }
    if (native->id == NATIVE_CONCAT) {
        return all_of(t, x, care, K_SEQ, simple(K_SEQ));
    }
    if (native->id == NATIVE_CARDINALITY) {
        return all_of(t, x, care, K_SET, simple(K_INT));
    }
    if (native->id == NATIVE_MODULO || native->id == NATIVE_DIVIDE) {
        const struct ex *by = x->kid[1];
        bool good = by->op == EX_CONST && val_is_small(by->u.val) && val_small_get(by->u.val) > 0;
        return good ? all_of(t, x, care, K_INT, simple(K_INT)) : fails(care, K_INT);
    }
    return fails(care, K_ANY);
}

/* LONG: one row for each kind of node. NOLINTNEXTLINE(readability-function-size) */
static struct type type_of(struct total *t, const struct ex *x, enum care care)
{
    if (care == DEPEND && !depends(t, x)) {
        care = ASSUME;
    }
    if (x->op == EX_CONST) {
        return type_of_val(x->u.val);
    }
    if (x->op == EX_CELL) {
        const struct const_cell *cell = x->u.p;
        return cell->done ? type_of_val(cell->value) : fails(care, K_ANY);
    }
    if (x->op == EX_VAR0 || x->op == EX_VAR1) {
        return x->u.i < t->spec->nvar && t->in_set[x->u.i] ? t->of[x->u.i] : simple(K_ANY);
    }
    if (x->op == EX_SLOT) {
        return simple(x->slot == t->at ? t->at_kind : K_ANY);
    }
    if (x->op == EX_LET) {
        return type_of(t, x->kid[0], care);
    }
    if (x->op == EX_LAZY || x->op == EX_LAZY_STEP) {
        return type_of_name(t, x->kid[0], care);
    }
    if (x->op == EX_TUPLE) {
        return all_of(t, x, care, K_NONE, simple(K_SEQ));
    }
    if (x->op == EX_RECORD) {
        return all_of(t, x, care, K_NONE, simple(K_ANY));
    }
    if (x->op == EX_ADD || x->op == EX_SUB || x->op == EX_MUL) {
        return all_of(t, x, care, K_INT, simple(K_INT));
    }
    if (x->op == EX_LT || x->op == EX_LE || x->op == EX_GT || x->op == EX_GE) {
        return all_of(t, x, care, K_INT, simple(K_BOOL));
    }
    if (x->op == EX_RANGE) {
        return all_of(t, x, care, K_INT, (struct type){.kind = K_SET, .elem = K_INT});
    }
    if (x->op == EX_NOT || x->op == EX_EQUIV) {
        return all_of(t, x, care, K_BOOL, simple(K_BOOL));
    }
    if (x->op == EX_CONJ || x->op == EX_DISJ || x->op == EX_IMPLIES) {
        return type_of_junction(t, x, care);
    }
    if (x->op == EX_EQ || x->op == EX_NEQ) {
        return type_of_equality(t, x, care);
    }
    return x->op == EX_IF                                               ? type_of_if(t, x, care)
           : x->op == EX_SETENUM                                        ? type_of_enum(t, x, care)
           : x->op == EX_CUP || x->op == EX_CAP || x->op == EX_SETMINUS ? type_of_sets(t, x, care)
           : x->op == EX_EXCEPT                                         ? type_of_except(t, x, care)
           : x->op == EX_FCN                                            ? type_of_fcn(t, x, care)
           : x->op == EX_NATIVE                                         ? type_of_native(t, x, care)
                                                                        : fails(care, K_ANY);
}

static struct type type_of_name(struct total *t, const struct ex *x, enum care care)
{
    struct known *known = &t->known[x->id];
    if (t->at != NO_SLOT) {
        return type_of(t, x, care);
    }
    if (known->round != t->round || known->care != care) {
        struct type type = type_of(t, x, care);
        *known = (struct known){t->round, care, type};
    }
    return known->type;
}

const struct assignment *spec_total_check(const struct spec *spec, struct arena *arena,
                                          const bool *in_set, const struct assignment *all,
                                          size_t n)
{
    struct total t = {.spec = spec, .arena = arena, .in_set = in_set, .at = NO_SLOT};
    t.of = ARENA_ARRAY(arena, struct type, spec->nvar + 1);
    visits_init(&t.visits, arena, spec->nex);
    t.known = ARENA_ARRAY(arena, struct known, spec->nex + 1);
    for (bool changed = true; changed;) {
        changed = false;
        t.round++;
        for (size_t i = 0; i < n; i++) {
            struct type *old = &t.of[all[i].var];
            struct type now =
                type_join(*old, all[i].x ? type_of(&t, all[i].x, ASSUME) : simple(K_ANY));
            changed |= now.kind != old->kind || now.elem != old->elem;
            *old = now;
        }
    }
    const struct assignment *found = NULL;
    for (size_t i = 0; i < n && !found; i++) {
        if (all[i].x && type_of(&t, all[i].x, DEPEND).kind == K_FAILS) {
            found = &all[i];
        }
    }
    visits_done(&t.visits);
    return found;
}

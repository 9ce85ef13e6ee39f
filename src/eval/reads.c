/* Which variables an expression reads: found in the lowered graph, where every name has its
 * meaning. A variable counts when the expression could read it on some state. */
#include "eval/reads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "eval/code.h"
#include "eval/eval.h"
#include "ir/walk.h"
#include "model/model.h"

struct reading {
    const struct spec *spec;
    bool *now, *next; /* [nvar] */
    bool more;        /* than variables; or has an effect */
    struct visits visits;
};

static void on_ex(void *arg, const struct ex *x);
static void on_act(void *arg, const struct act *a);
static void on_unit(void *arg, const struct unit *u);

static struct visitor visitor_of(struct reading *r)
{
    return (struct visitor){on_ex, on_act, on_unit, r};
}

static void on_ex(void *arg, const struct ex *x)
{
    struct reading *r = arg;
    struct visitor v = visitor_of(r);
    if (!visits_first(&r->visits, x->id)) {
        return;
    }
    bool variable = (x->op == EX_VAR0 || x->op == EX_VAR1) && x->u.i < (int64_t)r->spec->nvar;
    r->more |= ex_reads_more(x);
    if (variable) {
        (x->op == EX_VAR0 ? r->now : r->next)[x->u.i] = true;
    }
    walk_ex(x, &v);
}

/* Inside ENABLED: what the action leaves as it is, it reads. */
static void on_act(void *arg, const struct act *a)
{
    struct reading *r = arg;
    struct visitor v = visitor_of(r);
    if (!visits_first(&r->visits, a->id)) {
        return;
    }
    if (a->op == ACT_UNCHANGED_VAR && a->var < r->spec->nvar) {
        r->now[a->var] = true;
    }
    for (uint32_t i = 0; a->op == ACT_UNCHANGED_VARS && i < a->nslot; i++) {
        r->now[a->slots[i]] = true;
    }
    walk_act(a, &v);
}

static void on_unit(void *arg, const struct unit *u)
{
    struct reading *r = arg;
    struct visitor v = visitor_of(r);
    if (!visits_first_unit(&r->visits, u)) {
        return;
    }
    walk_unit(u, &v);
}

static void begin(struct reading *r, struct arena *arena, bool *now, bool *next)
{
    arena_init(arena, 0);
    visits_init(&r->visits, arena, r->spec->nex);
    r->now = now;
    r->next = next;
    for (uint32_t i = 0; i < r->spec->nvar; i++) {
        now[i] = next[i] = false;
    }
}

static void end(struct reading *r, struct arena *arena)
{
    visits_done(&r->visits);
    arena_done(arena);
}

bool ev_ex_reads(const struct spec *spec, const struct ex *x, bool *now, bool *next)
{
    struct reading r = {.spec = spec};
    struct arena arena;
    begin(&r, &arena, now, next);
    on_ex(&r, x);
    end(&r, &arena);
    return r.more;
}

void model_operator_reads(const struct model *model, size_t index, bool *now, bool *next)
{
    struct reading r = {.spec = (const struct spec *)model};
    struct arena arena;
    begin(&r, &arena, now, next);
    on_unit(&r, r.spec->operators[index]);
    end(&r, &arena);
}

/* Marks the variables of a tuple of variables, which may have tuples inside. False: it is anything
 * else. */
static bool tuple_of_variables(const struct spec *spec, const struct ex *x, bool *frame)
{
    if (x->op == EX_VAR0 && x->u.i < (int64_t)spec->nvar) {
        frame[x->u.i] = true;
        return true;
    }
    if (x->op != EX_TUPLE) {
        return false;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        if (!tuple_of_variables(spec, x->kid[i], frame)) {
            return false;
        }
    }
    return true;
}

void model_property_reads(const struct model *model, uint32_t prop, struct property_reads *ret)
{
    struct reading r = {.spec = (const struct spec *)model};
    const struct unit *unit = r.spec->prop_preds.v[prop].unit;
    const struct ex *body = unit->body;
    struct arena arena;
    begin(&r, &arena, ret->now, ret->next);
    for (uint32_t i = 0; i < r.spec->nvar; i++) {
        ret->frame[i] = false;
    }
    if (body->op == EX_BOXACT && tuple_of_variables(r.spec, body->kid[1], ret->frame)) {
        on_ex(&r, body->kid[0]);
    } else {
        on_unit(&r, unit);
    }
    end(&r, &arena);
}

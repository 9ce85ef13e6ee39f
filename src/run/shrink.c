/* Making a failing run smaller: delta debugging (Zeller and Hildebrandt, 2002) on the planned
 * events. Everything else follows from them and the seed.
 *
 * What undoes a fault belongs to it: a crash without its restart is another run, in which the node
 * is gone for good. So the unit is a group, named by the first of its events. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "run/plan.h"
#include "run/runner.h"
#include "world/world.h"

/* Whether `later` undoes `fault`, if nothing did before. */
static bool undoes(const struct event *fault, const struct event *later)
{
    switch (fault->kind) {
    case EV_KILL:
    case EV_CRASH: return later->kind == EV_RESTART && later->node == fault->node;
    case EV_SLOW:
    case EV_LOSSY:
    case EV_NARROW:
    case EV_SLOW_DISK:
    case EV_MEMORY:
        return (later->kind == fault->kind && later->node == fault->node &&
                later->peer == fault->peer) ||
               (later->kind == EV_HEAL && fault->node != fault->peer &&
                (later->node == later->peer ||
                 (later->node == fault->node && later->peer == fault->peer)));
    case EV_JUMP:
        return later->kind == EV_JUMP && later->node == fault->node && later->arg == -fault->arg;
    case EV_PAUSE: return later->kind == EV_RESUME && later->node == fault->node;
    case EV_CUT:
        return later->kind == EV_HEAL &&
               (later->node == later->peer ||
                (later->node == fault->node && later->peer == fault->peer));
    default: return false;
    }
}

struct groups {
    VEC(size_t) of; /* of each event: the least number of an event in its group */
};

static void join(struct groups *g, size_t a, size_t b)
{
    size_t from = g->of.v[a] > g->of.v[b] ? g->of.v[a] : g->of.v[b];
    size_t to = g->of.v[a] > g->of.v[b] ? g->of.v[b] : g->of.v[a];
    for (size_t i = 0; i < g->of.n; i++) {
        g->of.v[i] = g->of.v[i] == from ? to : g->of.v[i];
    }
}

/* Returns how many groups there are. */
static size_t find_groups(const struct plan *plan, struct groups *g)
{
    size_t n = 0;
    VEC_RESET(&g->of);
    for (size_t i = 0; i < plan->events.n; i++) {
        VEC_PUSH(&g->of, i);
    }
    for (size_t i = 0; i < plan->events.n; i++) {
        for (size_t k = i + 1; k < plan->events.n; k++) {
            if (undoes(&plan->events.v[i].event, &plan->events.v[k].event)) {
                join(g, i, k);
                break;
            }
        }
    }
    for (size_t i = 0; i < g->of.n; i++) {
        n += g->of.v[i] == i ? 1 : 0;
    }
    return n;
}

/* The plan without its groups number [begin, end). */
static void without(const struct plan *from, const struct groups *g, size_t begin, size_t end,
                    struct plan *to)
{
    VEC(size_t) number = {0}; /* of the group that begins with an event */
    size_t n = 0;
    VEC_RESET(&to->events);
    for (size_t i = 0; i < from->events.n; i++) {
        VEC_PUSH(&number, n);
        n += g->of.v[i] == i ? 1 : 0;
        size_t group = number.v[g->of.v[i]];
        if (group < begin || group >= end) {
            VEC_PUSH(&to->events, from->events.v[i]);
        }
    }
    VEC_DONE(&number);
}

/* Leaves out parts of that many groups, one after the other. */
static int one_pass(struct plan *plan, size_t part, run_fails_fn fails, void *arg,
                    bool *ret_removed)
{
    struct plan smaller = {0};
    struct groups groups = {0};
    int status = 0;
    size_t n = find_groups(plan, &groups);
    *ret_removed = false;
    for (size_t at = 0; at < n && status >= 0;) {
        size_t end = at + part < n ? at + part : n;
        without(plan, &groups, at, end, &smaller);
        status = fails(arg, &smaller);
        if (status == 1) {
            VEC_RESET(&plan->events);
            for (size_t i = 0; i < smaller.events.n; i++) {
                VEC_PUSH(&plan->events, smaller.events.v[i]);
            }
            *ret_removed = true;
            n = find_groups(plan, &groups);
        } else {
            at = end;
        }
    }
    VEC_DONE(&groups.of);
    plan_done(&smaller);
    return status;
}

int run_shrink(struct plan *plan, run_fails_fn fails, void *arg)
{
    struct groups groups = {0};
    size_t part = find_groups(plan, &groups);
    VEC_DONE(&groups.of);
    int status = 0;
    while (part >= 1 && status >= 0 && plan->events.n != 0) {
        bool removed = false;
        status = one_pass(plan, part, fails, arg, &removed);
        part = part > plan->events.n ? plan->events.n : part;
        if (part == 1 && !removed) {
            break;
        }
        part = part > 1 ? (part + 1) / 2 : part;
    }
    return status < 0 ? status : 0;
}

/* The kept items number [at, at + part) are left out; how many there are. */
static size_t leave_out(size_t n, const bool *keep, size_t at, size_t part, bool *ret)
{
    size_t number = 0, left_out = 0;
    for (size_t i = 0; i < n; i++) {
        bool out = keep[i] && number >= at && number < at + part;
        number += keep[i] ? 1 : 0;
        left_out += out ? 1 : 0;
        ret[i] = keep[i] && !out;
    }
    return left_out;
}

int run_shrink_items(size_t n, bool *keep, run_keeps_fn fails, void *arg)
{
    VEC(bool) fewer = {0};
    VEC_RESERVE(&fewer, n + 1);
    int status = 0;
    for (size_t part = (n + 1) / 2; part >= 1 && status >= 0;
         part = part > 1 ? (part + 1) / 2 : 0) {
        for (size_t at = 0; status >= 0 && leave_out(n, keep, at, part, fewer.v) != 0;) {
            status = fails(arg, fewer.v);
            if (status == 1) {
                memcpy(keep, fewer.v, n * sizeof *keep);
            } else {
                at += part;
            }
        }
    }
    VEC_DONE(&fewer);
    return status < 0 ? status : 0;
}

/* Policies.
 *
 * WALK_WINDOW is the heuristic of "Applying a deterministic approach for distributed systems
 * black-box testing" (Lee and Levchenko, section 4): what a node's turn does, by its system calls,
 * is an event; the more often the last few were seen in this order, the likelier a fault. WALK_POS
 * is partial order sampling (Yuan, Yang, Gu, 2018). WALK_PCT is PCT (Burckhardt and others, 2010)
 * on chains of causally ordered events (Ozkan and others, 2018): the chains are found as the run
 * goes on. An event continues the chain of what has caused it, the event that sent its packet or
 * the turn before of the same thread, if nothing else has.
 *
 * Faults are always possible, so priorities would have them at the beginning of every run: with pct
 * each has a moment, drawn from all of the run, before which it is left out. */
#include "explore/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "explore/space.h"
#include "run/cluster.h"
#include "world/world.h"

enum { MILLION = 1000000, FAULT_PPM = 50000, WINDOW_PPM_MOST = 500000, DOUBLES_MOST = 32 };

void policy_begin(struct policy *p, const struct policy_options *o)
{
    *p = (struct policy){.o = *o};
    rng_seed(&p->rng, o->seed);
    for (size_t i = 0; i < o->n_sleep; i++) {
        VEC_PUSH(&p->sleep, o->sleep[i]);
    }
    for (size_t i = 0; i < o->n_visits; i++) {
        u64map_put(&p->visits, o->visits[i].key, o->visits[i].value);
    }
    uint32_t d = o->cluster->explore.pct_depth;
    for (uint32_t i = 1; o->kind == WALK_PCT && i < d && o->expected != 0; i++) {
        VEC_PUSH(&p->changes, (size_t)rng_below(&p->rng, o->expected));
    }
}

void policy_done(struct policy *p)
{
    VEC_DONE(&p->sleep);
    VEC_DONE(&p->last);
    VEC_DONE(&p->windows);
    VEC_DONE(&p->chains);
    VEC_DONE(&p->changes);
    u64map_done(&p->priorities);
    u64map_done(&p->visits);
    u64map_done(&p->times);
    u64map_done(&p->sender);
    u64map_done(&p->chain_of);
}

/* ---- any, and window ---- */

/* Any of those that are faults, or that are none; POLICY_NONE: there is no such. */
static int any(struct policy *p, const struct xevent *list, size_t n, bool faults)
{
    int found = POLICY_NONE;
    size_t seen = 0;
    for (size_t i = 0; i < n; i++) {
        if (xevent_is_fault(&list[i]) == faults && rng_below(&p->rng, ++seen) == 0) {
            found = (int)i;
        }
    }
    return found;
}

static int pick_random(struct policy *p, const struct xevent *list, size_t n, uint64_t fault_ppm)
{
    bool fault = rng_below(&p->rng, MILLION) < fault_ppm;
    int found = any(p, list, n, fault);
    return found != POLICY_NONE ? found : any(p, list, n, !fault);
}

static int pick_first(const struct policy *p, const struct xevent *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool asleep = false;
        for (size_t j = 0; j < p->sleep.n; j++) {
            asleep = asleep || p->sleep.v[j].name == list[i].name;
        }
        if (!asleep) {
            return (int)i;
        }
    }
    return POLICY_NONE;
}

static int pick_window(struct policy *p, const struct xevent *list, size_t n)
{
    uint64_t window = 1, visits = 0;
    for (size_t i = 0; i < p->last.n; i++) {
        window = hash_combine(window, p->last.v[i]);
    }
    (void)u64map_get(&p->visits, window, &visits);
    u64map_put(&p->visits, window, visits + 1);
    VEC_PUSH(&p->windows, window);
    uint64_t doubles = visits < DOUBLES_MOST ? visits : DOUBLES_MOST;
    uint64_t chance = (uint64_t)p->o.cluster->explore.window_ppm << doubles;
    return pick_random(p, list, n, chance < WINDOW_PPM_MOST ? chance : WINDOW_PPM_MOST);
}

static void note_window(struct policy *p, const struct xstep *step)
{
    size_t length = p->o.cluster->explore.window;
    if (p->last.n == length) {
        memmove(p->last.v, p->last.v + 1, (length - 1) * sizeof p->last.v[0]);
        p->last.n--;
    }
    VEC_PUSH(&p->last, hash_combine(step->event.node[0], step->calls));
}

/* ---- partial order sampling ---- */

static uint64_t draw_priority(struct policy *p, const struct xevent *x)
{
    uint64_t priority = rng_next(&p->rng);
    bool rare = xevent_is_fault(x) && rng_below(&p->rng, MILLION) >= FAULT_PPM;
    priority = rare ? priority >> 32 : priority;
    u64map_put(&p->priorities, x->name, priority);
    return priority;
}

static uint64_t priority_of(struct policy *p, const struct xevent *x)
{
    uint64_t priority = 0;
    return u64map_get(&p->priorities, x->name, &priority) ? priority : draw_priority(p, x);
}

static int pick_pos(struct policy *p, const struct xevent *list, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        best = priority_of(p, &list[i]) > priority_of(p, &list[best]) ? i : best;
    }
    for (size_t i = 0; i < n; i++) { /* those that race with it get another chance */
        if (i == best || xevent_dependent(p->o.cluster, &list[i], &list[best])) {
            (void)draw_priority(p, &list[i]);
        }
    }
    return (int)best;
}

/* ---- pct ---- */

/* The same event may happen again and again, as a timer does: this time. */
static uint64_t this_time(const struct policy *p, const struct xevent *x, uint64_t *ret_times)
{
    *ret_times = 0;
    (void)u64map_get(&p->times, x->name, ret_times);
    return hash_combine(x->name, *ret_times);
}

/* What has caused the event, as far as that is known; 0: nothing. */
static uint64_t cause_of(const struct policy *p, const struct xevent *x, uint64_t times)
{
    uint64_t cause = 0;
    if (x->event.kind == EV_DELIVER) {
        (void)u64map_get(&p->sender, x->event.id, &cause);
    } else if (times != 0) {
        cause = hash_combine(x->name, times - 1);
    }
    return cause;
}

static size_t chain_of(struct policy *p, const struct xevent *x)
{
    uint64_t times = 0, chain = 0, key = this_time(p, x, &times);
    if (u64map_get(&p->chain_of, key, &chain)) {
        return (size_t)chain;
    }
    uint64_t cause = cause_of(p, x, times);
    if (cause != 0 && u64map_get(&p->chain_of, cause, &chain) && p->chains.v[chain].last == cause) {
        p->chains.v[chain].last = key;
    } else {
        struct policy_chain new = {.priority = rng_next(&p->rng) | UINT64_C(1) << 63, .last = key};
        bool fault = xevent_is_fault(x) && p->o.expected != 0;
        new.due = fault ? p->done + (size_t)rng_below(&p->rng, p->o.expected) : 0;
        chain = p->chains.n;
        VEC_PUSH(&p->chains, new);
    }
    u64map_put(&p->chain_of, key, chain);
    return (size_t)chain;
}

/* The first by priority of those whose moment has come; POLICY_NONE: there is none. */
static int first_chain(struct policy *p, const struct xevent *list, size_t n, bool any_time)
{
    int best = POLICY_NONE;
    uint64_t highest = 0;
    for (size_t i = 0; i < n; i++) {
        const struct policy_chain *chain = &p->chains.v[chain_of(p, &list[i])];
        if ((any_time || chain->due <= p->done) &&
            (best == POLICY_NONE || chain->priority > highest)) {
            best = (int)i;
            highest = chain->priority;
        }
    }
    return best;
}

static int pick_pct(struct policy *p, const struct xevent *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        (void)chain_of(p, &list[i]);
    }
    for (size_t i = 0; i < p->changes.n; i++) {
        int best = first_chain(p, list, n, false);
        if (p->changes.v[i] == p->done && best != POLICY_NONE) { /* last from now on */
            p->chains.v[chain_of(p, &list[best])].priority = i;
        }
    }
    int best = first_chain(p, list, n, false);
    return best != POLICY_NONE ? best : first_chain(p, list, n, true);
}

static void note_pct(struct policy *p, const struct xstep *step)
{
    uint64_t times = 0, key = this_time(p, &step->event, &times);
    for (size_t i = 0; i < step->sent.n; i++) {
        u64map_put(&p->sender, step->sent.v[i].id, key);
    }
    u64map_put(&p->times, step->event.name, times + 1);
}

/* ---- list ---- */

/* Packets of connections are known by their bytes: there is one at a time that can come next. Their
 * numbers depend on what was sent elsewhere. */
static bool same_event(const struct xevent *a, const struct xevent *b)
{
    bool same = a->event.kind == b->event.kind && a->event.node == b->event.node &&
                a->event.peer == b->event.peer;
    return a->chan != 0 ? same && a->chan == b->chan && a->data == b->data
                        : same && a->event.id == b->event.id && a->event.arg == b->event.arg;
}

static int pick_listed(const struct policy *p, const struct xevent *list, size_t n)
{
    for (size_t i = 0; p->done < p->o.n_sleep && i < n; i++) {
        if (same_event(&list[i], &p->o.sleep[p->done])) {
            return (int)i;
        }
    }
    return POLICY_NONE;
}

/* ---- all ---- */

int policy_pick(struct policy *p, const struct xevent *list, size_t n)
{
    switch (p->o.kind) {
    case WALK_FIRST: return pick_first(p, list, n);
    case WALK_LIST: return pick_listed(p, list, n);
    case WALK_RANDOM: return pick_random(p, list, n, FAULT_PPM);
    case WALK_WINDOW: return pick_window(p, list, n);
    case WALK_POS: return pick_pos(p, list, n);
    case WALK_PCT: return pick_pct(p, list, n);
    case WALK_STAY: break;
    }
    return POLICY_NONE;
}

/* What sleeps wakes up when something happens that it depends on. */
static void wake(struct policy *p, const struct xevent *done)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->sleep.n; i++) {
        if (!xevent_dependent(p->o.cluster, &p->sleep.v[i], done)) {
            p->sleep.v[kept++] = p->sleep.v[i];
        }
    }
    p->sleep.n = kept;
}

void policy_did(struct policy *p, const struct xstep *step)
{
    p->done++;
    switch (p->o.kind) {
    case WALK_FIRST: wake(p, &step->event); break;
    case WALK_WINDOW: note_window(p, step); break;
    case WALK_PCT: note_pct(p, step); break;
    case WALK_STAY:
    case WALK_LIST:
    case WALK_RANDOM:
    case WALK_POS: break;
    }
}

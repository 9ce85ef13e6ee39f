/* The policy for threads. Its changes are named by node, number of the choice and thread, so that
 * they can be done again, and some of them left out, without drawing anything.
 *
 * Where to change is drawn as the distance to the last change. How far such distances reach differs
 * from run to run, and all orders of magnitude are equally likely: nobody knows beforehand whether
 * a program makes ten choices or a million. */
#include "run/preempt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/vec.h"
#include "run/record.h"
#include "run/runner.h"
#include "world/world.h"

enum { BITS_LEAST = 2, BITS_MOST = 17 };

static void draw_gap(struct preempt *p)
{
    p->gap = 1 + rng_below(&p->rng, UINT64_C(1) << p->bits);
}

void preempt_begin(struct preempt *p, const struct run_options *o)
{
    *p = (struct preempt){.o = o, .left = o->cluster->preemptions};
    rng_seed(&p->rng, hash_combine(o->seed, 0x70726565));
    p->bits = (uint32_t)(BITS_LEAST + rng_below(&p->rng, BITS_MOST - BITS_LEAST + 1));
    draw_gap(p);
    for (size_t i = 0; o->replay != NULL && i < o->cluster->n_nodes; i++) {
        VEC_PUSH(&p->next, 0);
    }
}

void preempt_done(struct preempt *p)
{
    VEC_DONE(&p->next);
}

/* Whether the recording has this choice. What is before `next` is of other nodes, or past. */
static bool recorded(struct preempt *p, const struct world_choice *choice)
{
    const struct record *replay = p->o->replay;
    for (size_t *i = &p->next.v[choice->node]; *i < replay->choices.n; (*i)++) {
        const struct event *event = &replay->choices.v[*i].event;
        if (event->kind == EV_THREAD && event->node == choice->node &&
            (uint64_t)event->arg >= choice->nth) {
            return (uint64_t)event->arg == choice->nth;
        }
    }
    return false;
}

/* The one of the list for this choice; NULL: none. */
static const struct event *listed(const struct preempt *p, const struct world_choice *choice)
{
    const struct run_threads *threads = p->o->threads;
    for (size_t i = 0; i < threads->n; i++) {
        const struct event *event = &threads->v[i];
        if (event->node == choice->node && (uint64_t)event->arg == choice->nth) {
            return event;
        }
    }
    return NULL;
}

bool preempt_here(void *arg, const struct world_choice *choice)
{
    struct preempt *p = arg;
    p->at = *choice;
    if (p->o->replay != NULL) {
        return recorded(p, choice);
    }
    if (p->o->threads != NULL) {
        return listed(p, choice) != NULL;
    }
    return p->left != 0 && --p->gap == 0;
}

struct event preempt_event(struct preempt *p, const struct world *world)
{
    struct event event = {
        .kind = EV_THREAD, .node = p->at.node, .peer = p->at.node, .arg = (int64_t)p->at.nth};
    if (p->o->threads != NULL) {
        const struct event *wanted = listed(p, &p->at);
        if (wanted != NULL && world_enabled(world, wanted)) {
            event.id = wanted->id;
            return event;
        }
        (void)world_next(world, &event); /* another run: it has no such thread */
        return event;
    }
    p->left--;
    draw_gap(p);
    enum { MOST = 64 };
    struct event list[MOST];
    size_t n = world_events(world, list, MOST);
    uint64_t threads = p->at.threads < MOST ? p->at.threads : MOST;
    uint64_t other = 1 + rng_below(&p->rng, threads - 1); /* the first would run by itself */
    return list[other < n ? other : 0];
}

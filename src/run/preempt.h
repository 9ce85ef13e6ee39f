/* Which thread of a node runs next, in a run: changes of the order that threads have by themselves
 * are drawn by the seed, taken from a list, or from a recording. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/vec.h"
#include "world/world.h"

struct run_options;

struct preempt {
    const struct run_options *o;
    struct rng rng;
    uint64_t left; /* changes that may still be drawn */
    uint32_t bits; /* how far it is from one to the next, at most: a power of 2 */
    uint64_t gap;  /* choices up to the next */
    struct world_choice at;
    VEC(size_t) next; /* replays: for each node, where in the recording to look for its next */
};

void preempt_begin(struct preempt *p, const struct run_options *o);
void preempt_done(struct preempt *p); /* accepts a zeroed one */
/* A world_choice_fn; arg is the struct preempt. */
bool preempt_here(void *arg, const struct world_choice *choice);
/* What is done where it has said so. */
struct event preempt_event(struct preempt *p, const struct world *world);

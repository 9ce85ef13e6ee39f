/* What strategy `guided` has learned: beginnings of runs that ended in something new, and how often
 * everything was seen. Of values only; what it says depends on what it was told and in which order.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "explore/space.h"
#include "explore/walk.h"

/* The beginning of a run. */
struct guide_entry {
    VEC(struct xevent) events;
    uint64_t mark;  /* what was new after it */
    uint64_t picks; /* times that it was gone on from */
};
struct guide {
    VEC(struct guide_entry) entries;
    struct u64map hits; /* mark -> walks that had it */
    uint64_t seen[XMARK_KINDS];
};

enum { GUIDE_ROOT = -1 };

void guide_done(struct guide *guide); /* accepts a zeroed one */
/* Which beginning is gone on from next; GUIDE_ROOT: none of them. One that ended in what is rare,
 * and was not gone on from often, is likelier (its energy). */
int guide_pick(struct guide *guide, struct rng *rng);
/* A walk from a beginning on: events, all from the root; the last ones are the steps of the walk.
 */
void guide_learn(struct guide *guide, const struct xevent *events, size_t n,
                 const struct walk *walk);

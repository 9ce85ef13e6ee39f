/* Consistent snapshots of a run: what could have been seen of all nodes at one moment of some order
 * of the same trace. Only values: it can be tried out on runs that exist on paper only.
 *
 * A run is a list of events in the order in which they were done. Events of one node follow each
 * other as they did, and a packet arrives after the event that sent it; everything else could have
 * come in another order. So a snapshot is any set of events that has, with each of them, all that
 * happen before it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

#define CUTS_NONE SIZE_MAX
#define CUTS_SAME UINT64_MAX /* nobody looked: as before */

struct cuts_event {
    uint32_t node[2]; /* where it happens; twice the same, but for what two nodes notice */
    uint64_t seen[2]; /* of these after it */
    size_t sender;    /* the event that has sent what arrives; CUTS_NONE: nothing does */
};
struct cuts {
    size_t n_nodes;
    const uint64_t *root; /* [n_nodes]: seen before the first event */
    VEC(struct cuts_event) events;
};
void cuts_done(struct cuts *cuts); /* accepts a zeroed one */

/* Words of a set of events. */
static inline size_t cuts_words(const struct cuts *cuts)
{
    return cuts->events.n / 64 + 1;
}
/* What happens before each event, and itself, as sets: past is [events * cuts_words], zeroed. */
void cuts_past(const struct cuts *cuts, size_t n_nodes, uint64_t *past);

/* Calls fn for each combination of what could have been seen of the nodes together, at most once
 * (twice where a node was seen in the same way, in another way, and in the same way again). first:
 * the smallest set of events after which that is seen, as a bit for each, a word for 64 of them; in
 * the order of the run they are an order of their own. It goes on as long as fn gives 0, and gives
 * back what fn gave last. */
typedef int (*cuts_fn)(void *arg, const uint64_t *seen, const uint64_t *first);
/* most: combinations at most; ret_all: there were no more. */
int cuts_each(const struct cuts *cuts, uint64_t most, bool *ret_all, cuts_fn fn, void *arg);

/* Which event comes next in a run. A policy sees events as values and nothing of the cluster, so it
 * can be tried out on systems that exist on paper only.
 *
 * It is asked before each event that is to be chosen, and told of each that was done. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "explore/space.h"
#include "run/cluster.h"

enum policy_kind {
    WALK_STAY,   /* none: the path, and no further */
    WALK_FIRST,  /* the first event that is possible and not asleep */
    WALK_LIST,   /* those of a list, as another run had them */
    WALK_RANDOM, /* any, by the seed; now and then a fault */
    WALK_WINDOW, /* any; a fault the sooner the more often the last events were seen before */
    WALK_POS,    /* by random priorities that are drawn anew where events race */
    WALK_PCT     /* by random priorities of chains, lowered at a few places */
};

struct policy_options {
    enum policy_kind kind;
    const struct cluster *cluster;
    uint64_t seed;
    size_t expected; /* WALK_PCT: events of a run, about; 0: not known, priorities stay */
    const struct xevent *sleep; /* WALK_FIRST: asleep at the beginning; WALK_LIST: the list */
    size_t n_sleep;
    const struct u64map_entry *visits; /* WALK_WINDOW: how often windows were seen before */
    size_t n_visits;
};

struct policy_chain {
    uint64_t priority;
    uint64_t last; /* its last event */
    size_t due;    /* a fault: not before so many events */
};
struct policy {
    struct policy_options o;
    struct rng rng;
    size_t done; /* events */
    VEC(struct xevent) sleep;
    struct u64map priorities; /* pos: of events, by name */
    struct u64map visits;     /* window: how often */
    VEC(uint64_t) last;       /* window: the last events, by what their nodes did */
    VEC(uint64_t) windows;    /* that were seen, one after the other */
    struct u64map times;      /* pct: name -> how often it was done */
    struct u64map sender;     /* pct: packet -> the event that has sent it */
    struct u64map chain_of;   /* pct: event -> chain */
    VEC(struct policy_chain) chains;
    VEC(size_t) changes; /* pct: before which events the first becomes the last */
};

enum { POLICY_NONE = -1 };

void policy_begin(struct policy *policy, const struct policy_options *options);
void policy_done(struct policy *policy); /* accepts a zeroed one */
/* An index of the list, which is not empty; POLICY_NONE: whatever is possible is asleep. */
int policy_pick(struct policy *policy, const struct xevent *list, size_t n);
/* Whatever was done, also what was not chosen. */
void policy_did(struct policy *policy, const struct xstep *step);

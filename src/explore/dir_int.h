/* Private to strategy dir: dir.c says what these are for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "explore/explore_int.h"
#include "explore/space.h"
#include "run/cluster.h"

/* The beginning of a local trace: an event after others. */
struct local {
    struct local *parent; /* NULL: nothing has happened */
    struct xevent event;
    size_t depth;
    VEC(uint64_t) before; /* bit i: event i of the path happens before this one */
    VEC(uint64_t) sent;   /* ids of packets */
    VEC(struct xevent) possible;
    VEC(uint64_t)
    refused;   /* names of packets that it could not be given: a bound, or none takes
                  them */
    bool ends; /* with something it is a complete trace of the whole */
    VEC(uint64_t)
    seen_nodes;             /* [n_nodes]: observed after it, of nodes of its component; empty:
                               nothing is observed */
    uint64_t cone, outside; /* hashes of it and what is before it: all, and what is seen outside */
    uint64_t key, seen;     /* of the whole trace, whatever the order: all; what is seen outside */
    uint32_t skeleton;
    size_t number; /* of all */
};
/* A packet can be given to a component, and what came of it. */
struct way {
    uint64_t mail; /* name of the packet; 0: it moved by itself */
    uint32_t to;   /* skeleton */
};
struct skeleton {
    uint32_t component;
    struct xpackets sent; /* in the order in which they were */
    VEC(uint64_t) taken;  /* names of packets that came in */
    VEC(struct local *) locals;
    VEC(uint64_t) inputs; /* names of packets that were given to all of them */
    VEC(struct way) ways;
    uint64_t complete; /* local traces that end here, if no packet comes */
    uint32_t witness;  /* a global skeleton that has it, and 1 */
};
/* A local trace to be gone on with. */
struct job {
    struct local *local;
    uint64_t name;
};
struct component {
    uint32_t hears;          /* connections with others */
    bool strangers;          /* hears from others than those */
    struct xpackets inbound; /* on their way at the root */
};
struct dir {
    struct search *s;
    const struct cluster *cluster;
    VEC(struct component) components;
    VEC(struct skeleton) skeletons;
    VEC(struct local *) locals; /* all */
    struct u64map by_key, by_seen;
    struct xpackets mail;  /* every packet that was ever sent to another component */
    struct u64map mail_at; /* name -> index in it */
    VEC(struct job) jobs;
    VEC(struct job) tasks; /* by tag; local NULL: free */
    VEC(uint32_t)
    states; /* of the global search: a skeleton for each component, one after another */
    uint64_t runs, confirmed, tried;
    bool connected; /* packets of connections go between components */
    bool whole;     /* every moment of the whole is wanted, since invariants are judged there */
};

/* A state of the global search: a skeleton for each component. */
static inline uint32_t *dir_state(struct dir *d, size_t i)
{
    return &d->states.v[i * d->components.n];
}
/* Does the local traces of all components together, by the real programs: [components]. ret_good:
 * all of them could be done. */
MUST_USE int dir_together(struct dir *d, struct local *const *ends, bool *ret_good,
                          struct err *err);
/* Judges invariants on every combination of what could have been observed of the components at one
 * moment: local traces under skeletons that fit together. */
MUST_USE int dir_moments(struct dir *d, struct err *err);

/* Private to the explore room: what a space is made of, for space.c and space_events.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/cover.h"
#include "explore/space.h"
#include "run/cluster.h"
#include "run/oracle.h"
#include "run/record.h"
#include "world/world.h"

/* Where one can go back to. */
struct place {
    struct snapshot *snapshot; /* NULL: not here */
    struct oracle oracle;      /* then: what it had seen */
};

struct space {
    struct space_options o;
    struct strbuf dir;
    const struct cluster *cluster;
    struct world *world;
    enum settle_result settled;
    struct oracle oracle;
    VEC(struct choice) boot;   /* from the start to the root */
    VEC(struct xstep) steps;   /* from the root on */
    VEC(struct place) places;  /* [steps.n + 1] */
    VEC(struct event) due;     /* as the world tells them */
    VEC(struct xevent) events; /* that are possible here */
    VEC(struct xevent) unmet;  /* packets that could arrive but for the depth of their node */
    bool listed;               /* they are up to date */
    bool doing;                /* an event: what is sent is the last step's */
    uint32_t only;             /* component and 1; 0: all */
    const struct xpackets *mail;
    struct xpackets posted;
    uint64_t printed;        /* by the last event: a hash */
    struct xcover *cover;    /* NULL: marks are not wanted */
    VEC(uint64_t) root_seen; /* [n_nodes], if it is kept */
    size_t root_saw;         /* bytes of the history of clients at the root */
    struct u64map good;
};

static inline bool space_inside(const struct space *s, uint32_t node)
{
    return s->only == 0 || s->cluster->explore.component[node] + 1 == s->only;
}

/* The way of a packet on a connection; 0: it is on none. */
uint64_t space_chan(const struct packet_view *p);
uint64_t space_data(const struct packet_view *p);
/* What an event of the world is called, and where it happens. */
struct xevent space_named(struct space *s, struct event event);
/* Whether the bounds allow it. */
bool space_within(const struct space *s, const struct xevent *x);
/* How often another thread of a node was chosen than would have run by itself. */
uint32_t space_changes(const struct space *s, uint32_t node);

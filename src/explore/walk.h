/* One run: along a path of events, and on from there as a policy says, until nothing is possible.
 * What is to be done and what came of it are values, which can be kept in files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/policy.h"
#include "explore/space.h"
#include "run/failure.h"

enum walk_end {
    WALK_COMPLETE, /* nothing was possible any more */
    WALK_BLOCKED,  /* whatever was possible is asleep */
    WALK_FAILURE,  /* it ended because an oracle says no */
    WALK_LONG,     /* it has had as many events as it may have */
    WALK_STUCK,    /* an event of the path was not possible */
    WALK_BROKEN    /* the engine could not go on */
};

struct walk_task {
    VEC(uint64_t) path; /* names, from the root on */
    size_t known;       /* steps of it that whoever asks knows: they are left out of the answer */
    enum policy_kind policy;
    uint64_t seed;
    size_t length;   /* events at most; 0 = any number */
    size_t expected; /* WALK_PCT: events of a run, about */
    bool possible;   /* what was possible is wanted, too */
    bool keep;       /* there will be others from the end of what is known */
    bool seen;       /* what was observed is wanted, too */
    bool cuts;       /* other orders of the same trace are judged: cuts.h, by what was observed */
    uint32_t only;   /* a component and 1: it alone runs (space_only); 0: all */
    struct xpackets mail;            /* then: what comes from others */
    VEC(struct xevent) sleep;        /* WALK_FIRST: at the end of the path; WALK_LIST: the list */
    VEC(struct u64map_entry) visits; /* WALK_WINDOW: how often windows were seen */
};
void xwalk_task_done(struct walk_task *task);

/* Observed states of nodes as bytes, each once. */
struct xstate {
    uint64_t state;
    struct strbuf bytes;
};
struct xstates {
    VEC(struct xstate) v;
};

struct walk {
    VEC(struct xstep) steps;
    /* Possible before step i: from[i] to from[i + 1], counted in steps of the answer; the last are
     * those at the end. */
    VEC(struct xevent) possible;
    VEC(size_t) from;
    VEC(struct xevent) unmet; /* at the end, if what was possible is wanted: space_unmet */
    struct xpackets posted;   /* by the last step, to other components */
    struct strbuf saw;        /* the same: lines of clients, of a history */
    uint64_t printed;         /* the same: hash of what was printed; 0: nothing */
    uint64_t files;           /* of a component, where the file checks something: hash of disks */
    VEC(uint64_t) windows;    /* WALK_WINDOW: those that were seen, one after the other */
    enum walk_end end;
    struct failure failure; /* kind FAILURE_NONE: there was none */
    size_t failed;          /* then: after so many events from the root on */
    VEC(uint64_t)
    order;                 /* names from the root on: another order of the same trace, in which it
                              fails; empty: in the one that was done */
    bool unjudged;         /* clients have ended no operation that could be judged */
    bool partly;           /* there were more snapshots than were judged */
    VEC(uint64_t) seen;    /* [n_nodes]: observed before the first step */
    struct xstates states; /* what is in there and in the steps */
    struct strbuf text;    /* why, in one line */
};
void xwalk_done(struct walk *walk); /* accepts a zeroed one */
/* Tells the judge of this process what the walk has seen. */
MUST_USE int xwalk_know(const struct walk *walk, const struct cluster *cluster, struct err *err);

/* Does it. An error means that the space is of no use any more; the walk is WALK_BROKEN and says
 * why, too. */
MUST_USE int xwalk_do(struct space *space, const struct cluster *cluster,
                      const struct walk_task *task, struct walk *ret, struct err *err);

void xwalk_task_pack(const struct walk_task *task, struct strbuf *out);
void xwalk_task_unpack(struct unpack *in, struct walk_task *ret);
void xwalk_pack(const struct walk *walk, struct strbuf *out);
void xwalk_unpack(struct unpack *in, struct walk *ret);

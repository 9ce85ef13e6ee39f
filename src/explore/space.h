/* A cluster as something to search: a root, the events that are possible, going to any path of
 * them. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "world/world.h"

/* An event that could come next. */
struct xevent {
    struct event event;
    uint64_t name;    /* what it is, whatever happened elsewhere: the search knows it by this */
    uint64_t chan;    /* of a packet on a connection: which way; 0: it may overtake others */
    uint64_t data;    /* of a packet: hash of its bytes */
    uint32_t node[2]; /* where it happens; twice the same, but for what two nodes notice */
    char thread[16];  /* that it wakes, by name; "": whatever runs there */
};
/* Whether their order may matter. */
bool xevent_dependent(const struct cluster *cluster, const struct xevent *a,
                      const struct xevent *b);
/* "deliver n1>n2#5", with names of threads instead of numbers. */
void xevent_print(const struct cluster *cluster, const struct xevent *event, struct strbuf *out);
bool xevent_is_fault(const struct xevent *event);

/* A packet that an event has sent. */
struct xsent {
    uint64_t id;
};
/* A packet with its bytes, which can be given to a component that runs without the rest. */
struct xpacket {
    uint64_t name; /* of its delivery, for space_do: given by whoever has collected it */
    uint64_t id, data, chan;
    uint32_t from, to;
    uint16_t src_port, dst_port;
    uint8_t kind; /* enum packet_kind */
    bool part, conn;
    struct strbuf bytes;
};
struct xpackets {
    VEC(struct xpacket) v;
};
void xpackets_done(struct xpackets *packets);
void xpackets_add(struct xpackets *packets, const struct xpacket *packet); /* a copy */

/* An event that was done. */
struct xstep {
    struct xevent event;
    uint64_t hash;    /* of the past, world_hash: after it */
    uint64_t state;   /* of the state, if states are hashed */
    uint64_t calls;   /* hash of the system calls that its node has made, by number */
    size_t saw;       /* bytes of the history of clients after it */
    uint64_t seen[2]; /* observed of its nodes after it, if that is kept: as cluster_judge has it;
                         CUTS_SAME: nobody looked */
    VEC(struct xsent) sent;
    VEC(uint64_t) marks; /* what is to be seen of it, if marks are wanted: xmark */
};

/* What can be new about an event, as a number of its kind. */
enum xmark_kind {
    XMARK_STATE, /* which nodes are up after it, and what each did in its last turn */
    XMARK_LINE,  /* that it has logged, numbers left out */
    XMARK_SEEN,  /* observed variables of all nodes after it */
    XMARK_COVER, /* a branch of the program, and about how often it was taken */
    XMARK_KINDS
};
uint64_t xmark(enum xmark_kind kind, uint64_t hash);
enum xmark_kind xmark_kind(uint64_t mark);

typedef int (*space_look_fn)(void *arg, struct world *world, struct failure *ret_failure,
                             struct strbuf *ret_text, struct err *err);
struct space_options {
    const struct cluster *cluster;
    uint64_t seed;
    const char *dir; /* exists: logs */
    const volatile sig_atomic_t *interrupted;
    bool dependent; /* events at different nodes need not commute: as `assay run` has them */
    bool snapshots; /* going back is to be cheap everywhere, not only to the root */
    bool states;    /* each step has the hash of its state */
    bool marks;     /* each step has its marks */
    bool seen;      /* each step has what is observed of its nodes, where the cluster has a judge */
    bool past;      /* events are possible after a failure, too: what is searched does not depend on
                       what is found */
    /* After each event, with the world quiet: fills the failure and says why if something is wrong.
     * It must remember nothing. May be NULL. */
    space_look_fn look;
    void *look_arg;
};

struct space;
/* Starts the cluster and lets what is due happen up to the time `from` of the file: the root. */
MUST_USE int space_open(const struct space_options *options, struct space **ret, struct err *err);
void space_close(struct space *space); /* accepts NULL */
struct world *space_world(struct space *space);

/* Events before the root: what a recording begins with. */
size_t space_boot(const struct space *space);
/* The path from the root to here. */
size_t space_depth(const struct space *space);
const struct xstep *space_step(const struct space *space, size_t i);
/* What was observed of each node at the root; NULL: nothing is kept. */
const uint64_t *space_root_seen(const struct space *space);
/* As an order of its own, and in which nodes could have been seen together: cuts.h. */
struct cuts;
void space_cuts(const struct space *space, struct cuts *ret);
/* What step i - 1 has added to the history of clients; i = 0: what was there at the root. Valid
 * until the next event. */
void space_history(const struct space *space, size_t i, struct str *ret);
/* Combinations of observed states, and histories, that were judged to be good: a memory for whoever
 * judges. */
struct u64map *space_good(struct space *space);
/* What could come next, within the bounds, in an order that depends on names only. Valid until the
 * next event. Nothing is possible after a failure, unless the options say so. */
size_t space_events(struct space *space, const struct xevent **ret);
/* After that: packets that could arrive too, if their node had not had all events that it may. */
size_t space_unmet(const struct space *space, const struct xevent **ret);
/* Only one component runs from now on, and invariants of the whole are not judged: events of others
 * are not possible, what it sends to them stays where it is, and what comes from them is taken from
 * `mail`, which must stay as long. component: its number and 1; 0: all run. */
void space_only(struct space *space, uint32_t component, const struct xpackets *mail);
/* What the last event has sent out of the component. */
const struct xpackets *space_posted(const struct space *space);
/* Hash of what the last event has printed; 0: nothing. */
uint64_t space_printed(const struct space *space);
/* Hash of the disks of its nodes. */
uint64_t space_files(struct space *space);
/* Packets on their way to the component from others. */
void space_inbound(struct space *space, uint32_t component, struct xpackets *ret);
/* Does one of them. Failures of the cluster are found, not errors; an error means that the engine
 * could not go on. ERR_NOT_FOUND: there is no such event now. */
MUST_USE int space_do(struct space *space, uint64_t name, struct err *err);
/* Goes to a path; names from the root on. ret_done: how many could be done, which is fewer than n
 * where one was not possible, or something failed on the way. */
MUST_USE int space_go(struct space *space, const uint64_t *names, size_t n, size_t *ret_done,
                      struct err *err);
/* Coming back here will be cheap, as long as only what follows changes. Nothing, where the world
 * cannot be copied now. */
MUST_USE int space_keep(struct space *space, struct err *err);
/* At the end of a run: what clients saw, and the checks of the file. */
MUST_USE int space_finish(struct space *space, struct err *err);
/* Whether there is something of clients to be judged; true, too, if nobody wants that. */
bool space_judged(const struct space *space);
/* What is wrong here; kind FAILURE_NONE: nothing. */
const struct failure *space_failure(const struct space *space);
struct str space_failure_text(const struct space *space);
/* Writes the way from the start to here as a recording. */
MUST_USE int space_record(struct space *space, const char *path, struct err *err);

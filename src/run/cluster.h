/* A cluster file (docs/CLUSTER.md): the programs to run, the network between them, what may go
 * wrong, and what must hold. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "history/history.h"
#include "world/world.h"

struct arena;

enum { CLUSTER_NODES_MOST = 4096 };

/* How many faults of a kind a random run draws, and when. */
struct fault_plan {
    uint32_t kills, crashes, pauses, partitions, cuts, jumps, disk, drops, duplicates;
    uint32_t splits, bridges, slow_links, lossy_links, narrow_links, slow_disks, memory,
        process_kills, strobes, rolling;
    uint64_t from_ns, to_ns; /* when they begin */
    uint64_t min_ns, max_ns; /* until the restart, heal or resume */
    uint32_t reorder_ppm;    /* chance to take any possible event instead of the next */
};

/* An event at a fixed time, from [[event]]. */
struct timed_event {
    uint64_t at_ns;
    struct event event;
};

/* A fault that is a command of the user's, from [[fault]]: it runs on a node of its own. */
struct cluster_fault {
    uint32_t node;          /* where; nothing else runs there */
    const char *run, *undo; /* {node}: that it happens to; undo: NULL = nothing */
    uint32_t times;
};

/* From [[sometimes]]: what should happen in some run of a set. */
struct cluster_sometimes {
    const char *name;
    const char *line;              /* that is printed; NULL: not asked for, as the others */
    const char *variable, *equals; /* as text */
    const char *state, *until; /* `while`: lines with which a node enters a state and leaves it */
    enum event_kind event;
    bool has_event;
    int32_t node; /* -1: any */
};
enum { CLUSTER_SOMETIMES_MOST = 64 };

struct cluster_check {
    struct str name;
    const char *const *argv;
    uint32_t every; /* events; 0 = at the end only */
};

/* From [history]: how what the clients saw is judged. */
struct cluster_history {
    bool on, keyed;
    const char *workload; /* what clients of ours do; NULL: there is none */
    uint32_t clients;     /* how many of them there are */
    struct hist_options options;
};

/* Two threads of a node, by the names that they give themselves, which share nothing. */
struct cluster_apart {
    const char *a, *b;
};

/* From [explore]: where a search begins, and what bounds it. Bounds are those of each node, so that
 * events at different nodes stay independent. */
enum { CLUSTER_DEPTH_DEFAULT = 1000 };
struct cluster_explore {
    uint64_t from_ns;     /* until then only what is due happens */
    uint32_t depth;       /* events of a node */
    uint32_t timers;      /* of them: timers that expire */
    uint32_t preemptions; /* changes of the order of its threads */
    uint32_t operations;  /* clients that may be started, the first of the file */
    uint32_t kills, crashes, pauses, cuts, resets, drops, duplicates;
    uint32_t survives;   /* bits, 1 << enum crash_keep: what a crash may leave unsynced */
    uint32_t window;     /* strategy window: events that are remembered */
    uint32_t window_ppm; /* and the chance of a fault at something that is new */
    uint32_t pct_depth;  /* strategy pct: d */
    struct cluster_apart *apart;
    size_t n_apart;
    uint32_t *component; /* [n_nodes]: its number, from 0 on without gaps */
    uint32_t n_components;
    uint32_t at_once; /* of them that dir puts together at once; 0: as many as are useful */
};

/* Looks at the world after each event: [invariants], which are of a language that this room does
 * not know. */
struct cluster_judge {
    void *arg;
    /* 0; 1: the number of what is violated, and a line about it; negative: an error. The world is
     * quiet. */
    int (*check)(void *arg, struct world *world, uint32_t *ret_number, struct strbuf *text,
                 struct err *err);
    void (*begin)(void *arg);    /* another world comes */
    void (*anew)(void *arg);     /* the world was put back since */
    uint64_t (*hash)(void *arg); /* of what was seen last */
    /* States of single nodes, as numbers that are the same in all processes; 0: it does not run.
     * They are kept for good, and one for each node can be judged and shown as if they had been
     * seen together. */
    int (*look)(void *arg, struct world *world, struct err *err);
    int (*keep)(void *arg, uint32_t node, uint64_t *ret, struct err *err); /* as last seen */
    int (*pack)(void *arg, uint64_t state, struct strbuf *out, struct err *err);
    int (*unpack)(void *arg, uint64_t state, struct str bytes, struct err *err);
    int (*judge)(void *arg, const uint64_t *states, uint32_t *ret_number, struct strbuf *text,
                 struct err *err);                                       /* as check */
    void (*show)(void *arg, const uint64_t *states, struct strbuf *out); /* a line each */
    void (*print)(void *arg, struct strbuf *out); /* the same of what was seen last */
};

struct cluster {
    const char *path; /* of the file, absolute */
    struct world_node *nodes;
    size_t n_nodes;
    bool *may_fail;                /* [n_nodes]: exit status other than 0 is no violation */
    bool *ours;                    /* [n_nodes]: it is a client with a workload, */
    const char **skipped, **skips; /* which leaves out these operations: by the recording, or at
                                      present; NULL: none */
    struct world_net net;
    struct world_limits limits;
    struct fault_plan faults;
    struct timed_event *events; /* sorted by time */
    size_t n_events;
    struct cluster_sometimes *sometimes;
    size_t n_sometimes;
    struct cluster_fault *scripts;
    size_t n_scripts;
    struct cluster_check *checks;
    size_t n_checks;
    struct cluster_history history;
    struct cluster_explore explore;
    struct str *fail_on; /* texts that nodes must not print */
    size_t n_fail_on;
    uint64_t seed, time_ns, events_most, writeback_ns;
    uint64_t preemptions; /* changes of the order of threads that a run draws, at most */
    bool seeded_threads, strict_disk;
    bool work;        /* takes time */
    bool independent; /* events at different nodes commute */
    bool dependent;   /* the file says that they need not */
    enum hwrand_way hwrand;
    bool stop_with_clients; /* the run ends when the last client has */
    const char *const *allow;
    bool observes, invariants;         /* the file has some, */
    const struct cluster_judge *judge; /* and here is who knows them; not in the file; or NULL */
    bool bare;       /* programs are started without a cage (world.h); not in the file */
    uint64_t digest; /* of everything that decides what happens */
};

/* Reads a cluster file. Everything lives in the arena. */
MUST_USE int cluster_read(struct arena *arena, const char *path, struct cluster *ret,
                          struct err *err);
/* The text of a new cluster file, with comments. */
extern const char cluster_example[];
/* "1.5s", "20ms", "3us", "10ns", "2m". */
bool parse_time_ns(struct str text, uint64_t *ret_ns);
/* "64MB", "100kB", "512B". */
bool parse_bytes(struct str text, int64_t *ret);
/* A client with a workload leaves out operations (client/client.h: skip); "": none. */
void cluster_skip(struct cluster *cluster, struct arena *arena, uint32_t node, const char *text);
/* Index of a node, or -1. */
int cluster_node(const struct cluster *cluster, struct str name);

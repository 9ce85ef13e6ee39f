/* One run of a cluster: events are chosen until the time is over, something is violated, or nothing
 * can happen any more. */
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
#include "run/plan.h"
#include "run/record.h"
#include "world/world.h"

struct arena;

/* Numbers of events, sorted. */
struct run_orders {
    const uint64_t *v;
    size_t n;
};

/* Changes of the order of threads: EV_THREADs. */
struct run_threads {
    const struct event *v;
    size_t n;
};

struct run_options {
    const struct cluster *cluster;
    uint64_t seed;
    const struct plan *plan;         /* what happens at fixed times; NULL with a replay */
    const struct record *replay;     /* take these choices, and compare the hashes */
    const struct run_orders *orders; /* only these events may come before others that are due;
                                        NULL: any, by chance */
    const struct run_threads
        *threads;      /* only these are made; NULL: as the cluster says, by chance */
    bool local_clocks; /* with a replay: the recording's setting counts */
    bool choices; /* threads are chosen (world_spec), also if the cluster does not say so; with a
                     replay: the same */
    bool independent; /* events at different nodes commute, also if the cluster does not say so;
                         with a replay: the recording's setting counts */
    size_t until;     /* stop after this many events; 0 = all */
    const char *dir;  /* exists; logs, events and the replay file go there */
    const volatile sig_atomic_t *interrupted;
    int trace_fd; /* every system call; -1 = none */
    bool pcap, shiviz, jsonl, capture;
    const uint64_t *boots; /* the state at these times is kept in files (boot.h); sorted */
    size_t n_boots;
    const char *boot_dir;                                          /* then: where */
    void (*progress)(void *arg, uint64_t now_ns, uint64_t events); /* now and then; may be NULL */
    void *progress_arg;
    /* Before each event, with the world quiet: may look at it. An error ends the run; with
     * ERR_INTERRUPTED that is no failure. May be NULL. */
    int (*watch)(void *arg, struct world *world, uint64_t events, struct err *err);
    void *watch_arg;
    /* Takes the place of the policy: chooses the next event, or returns false to end the run.
     * `due` is what would come by itself; NULL: nothing would. May be NULL. */
    bool (*choose)(void *arg, struct world *world, const struct event *due, struct event *ret);
    void *choose_arg;
};

enum run_verdict {
    RUN_OK,
    RUN_VIOLATION, /* an oracle says no */
    RUN_DIVERGED,  /* a replay went another way */
    RUN_FAILED     /* the engine could not go on: an unknown call, a program that spins, ... */
};
struct run_result {
    enum run_verdict verdict;
    struct strbuf text;     /* one line: why */
    struct failure failure; /* RUN_VIOLATION: the same as data */
    uint64_t hash, events, now_ns;
    struct world_counts counts;
    uint64_t planned[EV_KINDS], fired[EV_KINDS]; /* of the plan */
    uint64_t sometimes;                          /* bit i: the i-th of the cluster's was seen */
    VEC(struct node_view) nodes;                 /* at the end */
    struct record record;
    struct strbuf boot; /* what became of the boot cache; empty: it was not asked for */
    bool saved;         /* the record, as a file; the caller's */
};
void run_result_done(struct run_result *result); /* accepts a zeroed one */

/* Fills the result in every case; an error is returned only if the run could not begin. */
MUST_USE int run_cluster(const struct run_options *options, struct run_result *ret,
                         struct err *err);

/* Leaves out parts of the plan of a failing run while it still fails. What undoes a fault (restart,
 * resume, heal) stays and goes with it. The plan is changed in place. `fails` runs one candidate;
 * it returns 1, 0, or a negative code to give up. */
typedef int (*run_fails_fn)(void *arg, const struct plan *plan);
MUST_USE int run_shrink(struct plan *plan, run_fails_fn fails, void *arg);

/* Leaves out items while `fails` says 1 of those that are kept; keep[n] is changed in place. */
typedef int (*run_keeps_fn)(void *arg, const bool *keep);
MUST_USE int run_shrink_items(size_t n, bool *keep, run_keeps_fn fails, void *arg);

/* Operations of clients that do a workload. */
struct run_op {
    uint32_t node, worker;
    uint64_t number;
};
struct run_ops {
    VEC(struct run_op) v; /* sorted */
};
void run_ops_done(struct run_ops *ops);
/* Those of a run, from the history in its directory. */
MUST_USE int run_ops_find(const struct cluster *cluster, const char *dir, struct run_ops *ret,
                          struct err *err);
/* The cluster's clients then do only those that are kept. */
void run_ops_keep(struct cluster *cluster, struct arena *arena, const struct run_ops *ops,
                  const bool *keep);

/* ---- branches ---- */
struct branch_options {
    uint64_t at_ns, for_ns; /* when the snapshot is taken; how long each branch runs on */
    uint32_t branches;
};
struct branch_result {
    double take_ms, restore_ms, run_ms; /* the last two: of one branch, on average */
    uint32_t equal;                     /* branches that ended like the straight run */
    uint32_t threads, processes;
};
/* Only what is due happens: no plan. */
MUST_USE int run_branches(const struct run_options *options, const struct branch_options *branch,
                          struct branch_result *ret, struct err *err);
struct world_spec run_world_spec(const struct run_options *options);

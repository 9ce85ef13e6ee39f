/* The checker: explores a struct model and returns a verdict. Knows nothing of TLA+.
 *
 * Modes: breadth-first with N workers (states in TLC's order with one worker, so shortest
 * counterexamples and TLC's depth), depth-first, iterative deepening, random simulation. Temporal
 * properties are checked on the behaviour graph (live.h). Memory is bounded by
 * options.memory_bytes: fingerprints and the queue spill to files in options.dir; checkpoints go
 * there too. */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/model.h"

struct ranks;

/* Stack of every thread that evaluates a model; lazily committed, with a guard page below. Models
 * that limit their recursion may count on it: init, next, check, postconditions and trace walks all
 * run on such a thread. */
#define CHECK_STACK_BYTES (UINT64_C(512) << 20)

/* Values of candidate.action in on_edge that are not actions. */
#define CHECK_ACTION_STUTTER                                                                       \
    UINT32_MAX /* the self-loop that liveness checking adds to every state */

enum check_mode { CHECK_BFS, CHECK_DFS, CHECK_DFID, CHECK_SIMULATE, CHECK_GENERATE };
enum live_when { LIVE_DEFAULT, LIVE_FINAL, LIVE_SEQFINAL, LIVE_OFF };

/* A snapshot of where the search is. */
struct check_progress {
    uint64_t generated, distinct, queued, depth;
    uint64_t traces; /* simulation */
    uint64_t elapsed_ns;
    uint64_t memory_bytes; /* held by tables, queues and graph */
    uint64_t disk_bytes;
    bool live_final; /* CHECK_EV_LIVE_START: the graph is complete */
    uint64_t live_states, live_branches;
};

enum check_event {
    CHECK_EV_INIT_START,
    CHECK_EV_INIT_DONE, /* progress.distinct initial states */
    CHECK_EV_PROGRESS,
    CHECK_EV_CHECKPOINT_START,
    CHECK_EV_CHECKPOINT_DONE,
    CHECK_EV_RECOVERED,
    CHECK_EV_LIVE_START, /* temporal properties: progress->live_final says whether the graph is
                            complete */
    CHECK_EV_LIVE_DONE,
    CHECK_EV_VIOLATION, /* with options.keep_going: one of several; result->violations' last one */
    CHECK_EV_LEVEL      /* iterative deepening: the search starts again, one level deeper */
};

struct check_result;
struct check_step;

/* A model for the search to go on with. */
struct check_move {
    struct model *model; /* its `before` is the model at hand, which stays until the search ends */
    double again;        /* the part of the time used so far in which it would come here again */
    bool always;         /* tests: even where that is less than going on costs */
};

/* For a graph in memory: every step as it is found, in the thread of the worker that found it and
 * without a lock. The steps of one state come one after the other, from one worker, in the order of
 * `next`. BFS only. */
struct check_found {
    unsigned worker; /* its number */
    struct mworker *model;
    uint64_t level; /* of the state that the step begins in; 0: an initial state */
    uint64_t from;  /* its fingerprint */
    struct candidate cand;
    bool inside; /* the constraints allow the state */
};
struct check_sink {
    void *arg;
    void (*begin)(void *arg, unsigned workers); /* perhaps anew: what was told before is void */
    /* Whether the search goes on from a state that is inside; if not, it is none of the model. */
    bool (*found)(void *arg, const struct check_found *found);
};

/* What a search that was done elsewhere counted: the result has these figures, and postconditions
 * see them. */
struct check_counted {
    uint64_t generated, distinct, queued, depth, settled, init_generated, init_distinct;
    const uint64_t *action_generated, *action_distinct; /* [model->naction] */
    uint64_t begin_ns;                                  /* by clock_mono_ns */
    uint64_t memory_bytes;
};

struct check_options {
    enum check_mode mode;
    unsigned workers;          /* at least 1 */
    uint64_t memory_bytes;     /* 0 = no limit but the machine */
    const char *dir;           /* where files go; created when needed; NULL = they have no names, */
    const char *temporary_dir; /* and are in here; NULL = /tmp */
    bool keep_dir;
    double checkpoint_s; /* seconds between checkpoints; 0 = none */
    bool resume;         /* continue from the checkpoint in dir */
    uint64_t identity;   /* hash of spec, configuration and options: a checkpoint of another one is
                            refused */
    uint64_t origin;     /* the same without what may differ between searches of one run */
    uint64_t depth_max;  /* DFID, simulation (default 100), DFS; 0 = none. BFS: 0 */
    uint64_t seed;
    uint64_t simulate_num;  /* number of traces; 0 = until stopped */
    uint64_t stop_after_ns; /* 0 = never */
    bool reduce_order;      /* partial-order reduction by model->ops->next_ample; BFS only */
    bool keep_going;        /* -continue: go on after a violation */
    enum live_when live_when;
    double progress_s; /* seconds between CHECK_EV_PROGRESS */
    void (*event)(void *arg, enum check_event event, const struct check_progress *progress,
                  const struct check_result *result);
    void *event_arg;
    /* For state-graph dumps: every edge, then its target when it is seen for the first time or is
     * not in the model (then every time). Initial states have no edge. Called under a lock; with
     * one worker in the order of the search. May be NULL. */
    void (*on_state)(void *arg, uint64_t fp, const void *bytes, size_t len, bool initial,
                     bool in_model);
    void (*on_edge)(void *arg, uint64_t fp, uint64_t fp2, uint32_t action, bool seen_before);
    void *dump_arg;
    const struct check_sink *sink;       /* may be NULL */
    const struct check_counted *counted; /* NULL: its own counts */
    const volatile sig_atomic_t *yield;  /* leave, for reasons of the caller's own; may be NULL */
    /* Asked alone when *yield was set: true with a model to go on with, then *yield is 0 again.
     * Breadth-first searches of safety without checkpoints; others end, and so does this one when
     * it returns false. May be NULL. */
    bool (*move)(void *arg, struct check_move *ret);
    void *move_arg;
    /* While it is set: 1 = one worker only, 2 = none, but for no more than two seconds.
     * Breadth-first search; may be NULL. */
    const volatile sig_atomic_t *ease;
    const volatile sig_atomic_t
        *interrupt; /* set by a signal handler, or below zero by the spec; may be NULL */
    /* Simulation: called with every finished trace (bytes of its states), for file=... May be NULL.
     */
    void (*on_trace)(void *arg, uint64_t number, const struct check_step *steps,
                     size_t nstep); /* arg is dump_arg */
    /* What a model needs besides state bytes to go on from a checkpoint (tables that state bytes
     * refer to): written to and read from a file of its own. Called with no worker active;
     * load_extra before any state is loaded. May be NULL. */
    int (*save_extra)(void *arg, const char *path, struct err *err);
    int (*load_extra)(void *arg, const char *path, struct err *err);
    void *extra_arg;
    /* Several processes that search together, all with the same options; NULL: this one is alone.
     * Breadth-first searches of safety with one worker each, without a sink, a dump, keep_going or
     * reduce_order. Results are complete at rank 0 only. */
    struct ranks *ranks;
    uint64_t (*names)(void *extra_arg); /* how many strings were numbered so far; may be NULL */
    uint64_t violations_max; /* keep_going: how many are kept with their traces; 0 = 1000 */
    struct check_handle
        *handle; /* filled while the search runs, for check_host_trace; may be NULL */
    uint64_t
        fail_write_at; /* tests: the n-th write to disk fails as if the disk were full; 0 = never */
};

/* Lets callbacks of the model's host reach the search that is running. Zero it before use. */
struct check_handle {
    _Atomic(void *) search;
};

enum verdict {
    VERDICT_OK,
    VERDICT_INVARIANT,      /* prop says which */
    VERDICT_INVARIANT_INIT, /* already by an initial state */
    VERDICT_INIT_PROPERTY,  /* implied initial predicate false */
    VERDICT_ACTION_PROPERTY,
    VERDICT_DEADLOCK,
    VERDICT_TEMPORAL,
    VERDICT_EVAL_ERROR, /* error; trace leads to the state */
    VERDICT_NO_INIT,    /* no initial state */
    VERDICT_POSTCONDITION,
    VERDICT_STOPPED, /* interrupted, or out of time: counts are partial */
    VERDICT_FAILED   /* the outside world: err says what */
};

/* One state of a trace. bytes are owned by the result. */
struct check_step {
    uint64_t fp;
    uint32_t action; /* of the step into this state; meaningless for the first */
    const uint8_t *bytes;
    size_t len;
};

struct check_trace {
    struct check_step *steps;
    size_t nstep;
    bool lasso; /* temporal: the behaviour goes back to steps[loop] */
    size_t loop;
    uint32_t loop_action; /* lasso: action of the step from the last state back to steps[loop] */
    bool stuttering;      /* temporal: it stays in the last state for ever */
    bool finite;          /* temporal: these states violate the property, whatever follows */
    bool incomplete; /* the model did not reproduce the path (it draws random values): states before
                        the last ones are missing */
};

struct check_violation {
    enum verdict verdict;
    int prop; /* index in model->props, or index in live->props for VERDICT_TEMPORAL; -1 when none
               */
    struct check_trace trace;
    struct merror error; /* VERDICT_EVAL_ERROR; strings owned by the result */
    bool error_in_init;
    bool replayed; /* an invariant failed again, on a later successor of the same state; its places
                      are those in error */
    int phase; /* what was being evaluated: 0 next state, 1 invariant (prop), 2 constraint, 3 action
                  property, 4 temporal, 5 postcondition */
};

struct check_result {
    enum verdict verdict; /* of the first violation, or OK / STOPPED / FAILED */
    struct check_violation *violations;
    size_t nviolation;
    uint64_t generated, distinct, queued, depth;
    uint64_t init_generated, init_distinct;
    uint64_t traces, trace_len_mean, trace_len_variance, trace_len_max; /* simulation */
    uint64_t outdegree_min, outdegree_max, outdegree_95,
        outdegree_mean;                            /* new states per state, for TLC's 2268 */
    double collision_optimistic, collision_actual; /* actual: negative when not calculated, as TLC
                                                      does when the other is below 1e-10 */
    uint64_t *action_generated, *action_distinct;  /* [model->naction] */
    uint64_t reduced; /* states of which only the steps of one process were explored */
    uint64_t elapsed_ns;
    uint64_t memory_peak_bytes, disk_bytes;
    uint64_t live_states, live_edges, live_branches;
    uint64_t settled;      /* BFS: states expanded in levels that were finished; the same for any
                              number of workers */
    bool complete;         /* the whole reachable space was seen */
    uint64_t moves;        /* models that took the place of another */
    uint64_t moved_states; /* that waited then */
    const char *unmoved;   /* VERDICT_STOPPED: why the last one did not; NULL: none was asked for */
    bool recovered;        /* the search went on from a checkpoint */
    bool left;             /* one of several processes has to begin anew, and so have all */
    unsigned ranks;        /* that searched together; 0: one process */
    uint64_t sent, sent_bytes; /* states that went from one to another */
    uint64_t violations_seen;  /* with keep_going also those that were not kept */
    struct err failure;        /* VERDICT_FAILED: what the outside world did */
};

/* Runs to the end. Events come from several threads, one at a time. Returns 0 with a result (also
 * for violations and interruptions), negative only when nothing could be started. */
MUST_USE int check_run(struct model *model, const struct check_options *options,
                       struct check_result **ret_result, struct err *err);
void check_result_free(struct check_result *result);

/* What an earlier search left in a directory, by its origin. A damaged checkpoint is another's. */
enum check_left { CHECK_LEFT_NOTHING, CHECK_LEFT_OURS, CHECK_LEFT_OTHERS };
enum check_left check_left_in(const char *dir, uint64_t origin);
/* Removes a checkpoint, so that a new search can begin there. */
void check_left_discard(const char *dir);

/* Rebuilds the labels and states of a trace for printing: calls `each` with a worker whose current
 * state is that step's state. label is "Initial predicate" for the first step; args is NULL where
 * the model has none to give. A lasso gets one more call, with index == trace->nstep, for the step
 * back to steps[loop]. Stops when `each` returns non-zero, and returns that. */
MUST_USE int check_trace_walk(struct model *model, const struct check_trace *trace,
                              int (*each)(void *arg, size_t index, struct mworker *worker,
                                          const char *label, uint32_t action,
                                          const struct mvalues *args),
                              void *arg, struct err *err);

/* For struct mhost.trace: the states from an initial state to the current state of `worker`, oldest
 * first. Call it only from inside the evaluation of that worker. Returns 0, a non-zero result of
 * `each`, or negative when the path cannot be had. */
int check_host_trace(struct check_handle *handle, struct mworker *worker,
                     int (*each)(void *arg, const void *bytes, size_t len, uint32_t action),
                     void *arg);

/* Runs fn(arg) on a thread with a stack of CHECK_STACK_BYTES and waits for it. */
MUST_USE int check_on_big_stack(void (*fn)(void *arg), void *arg, struct err *err);

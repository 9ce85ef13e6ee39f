/* The checker: explores a struct model and returns a verdict. Knows nothing of TLA+.
 *
 * Modes: breadth-first with N workers (states in TLC's order with one worker, so shortest counterexamples and TLC's depth), depth-first,
 * iterative deepening, random simulation. Temporal properties are checked on the behaviour graph (live.h).
 * Memory is bounded by options.memory_bytes: fingerprints and the queue spill to files in options.dir; checkpoints go there too. */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/model.h"

enum check_mode { CHECK_BFS, CHECK_DFS, CHECK_DFID, CHECK_SIMULATE, CHECK_GENERATE };
enum live_when { LIVE_DEFAULT, LIVE_FINAL, LIVE_SEQFINAL, LIVE_OFF };

/* A snapshot of where the search is. */
struct check_progress {
    uint64_t generated, distinct, queued, depth;
    uint64_t traces;           /* simulation */
    uint64_t elapsed_ns;
    uint64_t memory_bytes;     /* held by tables, queues and graph */
    uint64_t disk_bytes;
};

enum check_event {
    CHECK_EV_INIT_START,
    CHECK_EV_INIT_DONE,       /* progress.distinct initial states */
    CHECK_EV_PROGRESS,
    CHECK_EV_CHECKPOINT_START,
    CHECK_EV_CHECKPOINT_DONE,
    CHECK_EV_RECOVERED,
    CHECK_EV_LIVE_START,      /* temporal properties: live_final says whether the graph is complete */
    CHECK_EV_LIVE_DONE,
    CHECK_EV_VIOLATION        /* with options.keep_going: one of several; result->violations' last one */
};

struct check_result;
struct check_step;

struct check_options {
    enum check_mode mode;
    unsigned workers;            /* at least 1 */
    uint64_t memory_bytes;       /* 0 = no limit but the machine */
    const char *dir;             /* where files go; created when needed; NULL = a temporary directory that is removed */
    bool keep_dir;
    double checkpoint_s;         /* seconds between checkpoints; 0 = none */
    bool resume;                 /* continue from the checkpoint in dir */
    uint64_t identity;           /* hash of spec, configuration and options: a checkpoint of another one is refused */
    uint64_t depth_max;          /* DFID, simulation (default 100), DFS; 0 = none. BFS: 0 */
    uint64_t seed;
    uint64_t simulate_num;       /* number of traces; 0 = until stopped */
    uint64_t stop_after_ns;      /* 0 = never */
    bool keep_going;             /* -continue: go on after a violation */
    enum live_when live_when;
    double progress_s;           /* seconds between CHECK_EV_PROGRESS */
    void (*event)(void *arg, enum check_event event, const struct check_progress *progress, const struct check_result *result);
    void *event_arg;
    /* For state-graph dumps: every state when first seen (bytes), every edge. Called under a lock, in order. May be NULL. */
    void (*on_state)(void *arg, uint64_t fp, const void *bytes, size_t len, bool initial, bool in_model);
    void (*on_edge)(void *arg, uint64_t fp, uint64_t fp2, uint32_t action, bool seen_before);
    void *dump_arg;
    const volatile sig_atomic_t *interrupt; /* set by a signal handler; may be NULL */
    /* Simulation: called with every finished trace (bytes of its states), for file=... May be NULL. */
    void (*on_trace)(void *arg, uint64_t number, const struct check_step *steps, size_t nstep);
};

enum verdict {
    VERDICT_OK,
    VERDICT_INVARIANT,       /* prop says which */
    VERDICT_INVARIANT_INIT,  /* already by an initial state */
    VERDICT_INIT_PROPERTY,   /* implied initial predicate false */
    VERDICT_ACTION_PROPERTY,
    VERDICT_DEADLOCK,
    VERDICT_TEMPORAL,
    VERDICT_EVAL_ERROR,      /* error; trace leads to the state */
    VERDICT_NO_INIT,         /* no initial state */
    VERDICT_POSTCONDITION,
    VERDICT_STOPPED,         /* interrupted, or out of time: counts are partial */
    VERDICT_FAILED           /* the outside world: err says what */
};

/* One state of a trace. bytes are owned by the result. */
struct check_step {
    uint64_t fp;
    uint32_t action;   /* of the step into this state; meaningless for the first */
    const uint8_t *bytes;
    size_t len;
};

struct check_trace {
    struct check_step *steps;
    size_t nstep;
    bool lasso;        /* temporal: the behaviour goes back to steps[loop] */
    size_t loop;
    bool stuttering;   /* temporal: it stays in the last state for ever */
};

struct check_violation {
    enum verdict verdict;
    int prop;                 /* index in model->props, or index in live->props for VERDICT_TEMPORAL; -1 when none */
    struct check_trace trace;
    struct merror error;      /* VERDICT_EVAL_ERROR; strings owned by the result */
    bool error_in_init;
    int phase;                /* what was being evaluated: 0 next state, 1 invariant (prop), 2 constraint, 3 action property, 4 temporal, 5 postcondition */
};

struct check_result {
    enum verdict verdict;     /* of the first violation, or OK / STOPPED / FAILED */
    struct check_violation *violations;
    size_t nviolation;
    uint64_t generated, distinct, queued, depth;
    uint64_t init_generated, init_distinct;
    uint64_t traces, trace_len_mean, trace_len_max; /* simulation */
    uint64_t outdegree_min, outdegree_max, outdegree_95, outdegree_mean; /* new states per state, for TLC's 2268 */
    double collision_optimistic, collision_actual;
    uint64_t *action_generated, *action_distinct;   /* [model->naction] */
    uint64_t elapsed_ns;
    uint64_t memory_peak_bytes, disk_bytes;
    uint64_t live_states, live_edges, live_branches;
    bool complete;            /* the whole reachable space was seen */
};

/* Runs to the end. Returns 0 with a result (also for violations and interruptions), negative only when nothing could be started. */
MUST_USE int check_run(struct model *model, const struct check_options *options, struct check_result **ret_result, struct err *err);
void check_result_free(struct check_result *result);

/* Rebuilds the labels and states of a trace for printing: calls `each` with a worker whose current state is that step's state.
 * label is "Initial predicate" for the first step. */
MUST_USE int check_trace_walk(struct model *model, const struct check_trace *trace,
                              int (*each)(void *arg, size_t index, struct mworker *worker, const char *label, uint32_t action,
                                          const struct mvalues *args),
                              void *arg, struct err *err);

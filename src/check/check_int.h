/* What the files of the checker share. Private to the room.
 *
 * A search has N workers, each a thread with its own view of the model, and a coordinator: the
 * thread that called check_run. Workers come to a stop together ("park") when a level is used up or
 * when someone set a bit in search.request; the last one to park is the leader and does what must
 * be done alone: settle answers of the fingerprint set, give it room, rebuild traces of violations,
 * write checkpoints, check liveness, go to the next level. The leader then releases as many workers
 * as there is work for. */
#pragma once

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/fpset.h"
#include "check/live.h"
#include "check/peers.h"
#include "check/queue.h"
#include "check/store.h"
#include "check/tracelog.h"

/* ORDER: check_violation.phase */
enum phase {
    PHASE_NEXT,
    PHASE_INVARIANT,
    PHASE_CONSTRAINT,
    PHASE_ACTION,
    PHASE_TEMPORAL,
    PHASE_POST
};

/* Bits of search.request. */
enum {
    REQ_STOP = 1,      /* interrupted or out of time */
    REQ_ROOM = 2,      /* the fingerprint set is full */
    REQ_RESOLVE = 4,   /* enough unsettled answers are collected */
    REQ_VIOLATION = 8, /* a violation waits for its trace */
    REQ_CHECKPOINT = 16,
    REQ_LIVE = 32,  /* look at the graph built so far */
    REQ_FAIL = 64,  /* search.failure is set */
    REQ_PEERS = 128 /* another process wants a round */
};

struct search;

/* ---- hll.c: HyperLogLog, how many different fingerprints were there, roughly ---- */
enum { HLL_BITS = 14, HLL_SIZE = 1 << HLL_BITS };
struct hll {
    _Atomic uint8_t rank[HLL_SIZE]; /* written by one thread, read by any, relaxed */
};
void hll_add(struct hll *hll, uint64_t fp);
void hll_merge(uint8_t rank[HLL_SIZE], const struct hll *hll); /* into the union so far */
uint64_t hll_estimate(const uint8_t rank[HLL_SIZE]);
uint64_t simulate_distinct(struct search *s);

/* ---- thread.c ---- */
struct big_thread {
    pthread_t thread;
    void *stack;
};
MUST_USE int big_thread_start(struct big_thread *t, void *(*fn)(void *arg), void *arg,
                              struct err *err);
void big_thread_join(struct big_thread *t);

enum {
    DEGREES = 32
}; /* TLC's histogram of new successors has 32 classes; the last one takes all above */

/* A result with the memory it owns; the result comes first, so that one pointer serves for both. */
struct result_box {
    struct check_result result;
    struct arena arena; /* under search.lock while the search runs */
    VEC(struct check_violation) violations;
};

/* A violation whose trace is not yet built. */
struct raw_violation {
    struct check_violation v; /* without trace */
    uint64_t
        index; /* log record of `current`; TRACE_ROOT: there is no current state, only `next` */
    struct check_step current, next;
    bool has_next;
    const uint64_t *path; /* fingerprints of the whole behaviour; NULL = it is that of `current` */
    size_t npath;
};

/* Records of one slab whose newness is not settled yet. */
struct pend_span {
    struct slab *slab;
    uint32_t first, count;
};
/* The unsettled and the certainly new successors of one state. */
struct pend_group {
    uint32_t pending, sure;
};

/* A state whose successors are known and not yet treated. */
struct gathered {
    struct queue_record record;
    struct mbatch batch;
    uint64_t extra; /* generated on the way */
};

struct dfid;
struct sim;

/* A state whose expansion the model gave up: move.c. */
struct given_back {
    struct queue_record record; /* its bytes are its own */
    uint32_t fresh;             /* new successors that were found already */
};
struct resumed {
    uint64_t link;
    uint32_t fresh;
};
/* What was found by a model whose place another one took. */
enum { SEALED_MAX = 12 };
struct sealed {
    struct model *model;
    struct fpset *fps;
    struct tracelog_mark mark; /* states that it expanded */
};

struct worker {
    alignas(128) struct search *search; /* no cache line is shared with the next worker */
    unsigned index;
    struct big_thread thread;
    struct mworker *model;  /* made by the worker's own thread */
    struct mworker *helper; /* for check_host_trace; made when first needed */

    /* Scheduling; under search.lock. */
    pthread_cond_t wake;
    bool released;
    unsigned rested;   /* the worker's own: turns, since all workers were asked to rest */
    uint64_t job_seen; /* number of the last job of the leader's that this worker did its part of */

    struct queue_claim claim;
    struct queue_out out;
    struct fpset_local local;
    struct gathered *gathered; /* gather.c's */
    uint64_t *lately;          /* so is this */

    /* The state being expanded. */
    struct check_step current;
    uint64_t link;      /* of the current state */
    uint64_t index_log; /* log record of the current state */
    uint64_t level;     /* of the current state; 0 while initial states are made */
    uint64_t ordinal;   /* candidates of the current state so far */
    uint32_t new_here, pend_here;
    bool found_new;        /* a state of level + 1 was found since the leader last looked */
    bool invariant_failed; /* to evaluate, on a successor of the current state */
    bool replay_failed;
    VEC(struct given_back) given_back;
    uint64_t *generated_before; /* [naction + 1] counts when the expansion at hand began */
    VEC(uint32_t) ample;        /* actions of the steps of one process; ample.c */
    bool ample_ahead;           /* one of them leads to a state of the next level */
    uint64_t reduced;           /* states of which these were enough */

    struct err err; /* where a failure is put for each state: not cleared before */

    /* Written by the owner with relaxed stores, read by anyone. */
    _Atomic uint64_t generated, distinct, enqueued, expanded, max_level, traces;
    uint64_t *action_generated, *action_distinct; /* [naction] */
    uint64_t degrees[DEGREES];

    /* Unsettled answers, in the order of the records in `out`. */
    VEC(struct fpset_query) pend;
    VEC(uint32_t) pend_action;
    VEC(struct pend_group) pend_groups;
    VEC(struct pend_span) pend_spans;
    VEC(uint64_t) pend_dropped; /* bits, while the leader settles them */
    bool span_open;

    /* Edges of the current state for the behaviour graph. */
    VEC(struct live_edge) edges;
    VEC(uint64_t) edge_bits;
    uint64_t *state_bits, *stutter_bits;

    struct rng rng; /* simulation, iterative deepening */
    struct dfid *dfid;
    struct sim *sim;
    const struct check_step *past; /* modes without a log: the states up to the current one */
    size_t npast;
};

struct stack;
struct sim_shared;

struct search {
    struct model *model;
    const struct model_ops *ops;
    const struct check_options *opt;
    struct result_box *box;

    struct store store;
    struct fpset *fps;
    struct queue *queue;
    struct tracelog *log;
    struct peers *peers;     /* NULL: this process is alone */
    struct live *live;       /* NULL: nothing temporal to check, or each worker has its own */
    struct sim_shared *sim;  /* simulation */
    struct stack *stack;     /* depth-first search: instead of the queue */
    _Atomic uint64_t *ahead; /* partial-order reduction: states of the next level; ample.c */

    VEC(struct sealed) sealed; /* oldest first; written alone */
    VEC(struct resumed) resumed;
    uint64_t fps_share, queue_share; /* bytes of memory */
    uint64_t start_cpu_ns;
    bool begun;         /* all initial states are made */
    atomic_bool moving; /* written under lock */

    unsigned nworker;
    struct worker *workers;
    bool has_invariant, has_action_prop, has_init_prop;
    bool exact_stats;    /* the model's statistics are right at each candidate */
    bool quick;          /* nothing is done about a step to a state that was seen before */
    bool exact_answers;  /* FPSET_MAYBE is settled at once: somebody listens to every edge */
    uint64_t live_share; /* bytes of memory for the behaviour graph */
    uint64_t pend_max;   /* unsettled answers of one worker */
    size_t state_words, action_words;

    pthread_mutex_t lock;
    pthread_cond_t coordinator;
    unsigned nparked; /* under lock */
    unsigned nleft;   /* under lock: workers that have ended their loop */
    bool quit;        /* under lock */
    bool ended;       /* under lock: the last worker has finished its work */
    /* A job that the leader shares with the parked workers; under lock. */
    void (*job)(void *arg, unsigned part, unsigned nparts);
    void *job_arg;
    uint64_t job_number;
    unsigned job_left; /* workers that have not done their part */
    unsigned job_parts;
    struct helpers helpers; /* runs such jobs */
    pthread_cond_t job_done;
    struct worker *leader; /* while it leads; written by it */
    /* The leader's: when the level began, with how many workers and expanded states; what a state
     * costs. */
    uint64_t level_ns, level_expanded, level_active, state_ns;
    _Atomic unsigned request;
    _Atomic bool abort; /* leave enumerations at once */
    _Atomic uint64_t depth;
    uint64_t level;        /* of the in level; written by the leader */
    bool cut;              /* depth-first search: states below the greatest depth were left out */
    _Atomic bool complete; /* written by the leader: all states are expanded */
    bool fatal;            /* under lock: a violation that ends the search was found */
    bool stopped;          /* written by the leader */
    bool no_init;          /* simulation: nothing to start from */
    bool failed;           /* under lock, first one wins */
    VEC(struct raw_violation) raw; /* under lock */
    uint64_t raw_total;            /* under lock */

    pthread_mutex_t event_lock, dump_lock;
    uint64_t start_ns;
    uint64_t elapsed_before; /* of the runs before a resume */
    uint64_t init_generated, init_distinct;
    uint64_t base_generated, base_distinct; /* counts taken over from a checkpoint */
    uint64_t checkpoint_number;
    _Atomic uint64_t checkpoint_end_ns, checkpoint_cost_ns; /* of the last one */
    _Atomic uint64_t live_size_checked; /* states in the graph when it was last checked */
    _Atomic uint64_t live_ns;           /* spent on periodic checks */
    _Atomic uint64_t peak_memory;
    _Atomic bool stop_wanted; /* interrupted, or out of time */
    atomic_bool stop_due;     /* out of time */
    uint64_t stop_sent_ns;    /* under lock */
};

/* ---- search.c: common ground ---- */
void search_fail(struct search *s, const struct err *err);
void search_request(struct search *s, unsigned bits);
void search_event(struct search *s, enum check_event event);
void search_progress(struct search *s, struct check_progress *ret_progress);
void search_stats(struct search *s, struct worker *w); /* brings model->host->stats up to date */
MUST_USE int search_worker_begin(struct worker *w);    /* makes its view of the model */
/* Starts all workers on `main`, runs the coordinator until search.ended, joins them. */
MUST_USE int search_run(struct search *s, void *(*main)(void *worker), struct err *err);
bool search_interrupted(const struct search *s);
bool search_exact_stats(const struct search *s); /* the field, for the model at hand */
bool search_yielded(const struct search *s);

/* ---- violation.c ---- */
/* Notes a violation: `current` of the worker (unless index_log is TRACE_ROOT) and the candidate
 * when has_candidate. Returns non-zero when the enumeration must end. Any worker, also inside a
 * sink. */
int violation_note(struct worker *w, enum verdict verdict, int prop, enum phase phase,
                   const struct candidate *cand, bool has_candidate);
/* Notes that a temporal property is violated by a finite behaviour: it ends the search. */
void violation_path(struct worker *w, uint32_t prop, const uint64_t *path, size_t n);
/* Notes the error of the worker's model; always ends the enumeration. */
int violation_error(struct worker *w, int prop, enum phase phase, const struct candidate *cand,
                    bool has_candidate);
/* Builds the traces of the violations noted so far. Alone. */
void violations_settle(struct search *s, struct worker *w);
/* Adds a violation with its whole trace to the result and tells of it. Any thread. */
void violation_add(struct search *s, const struct check_violation *violation);
uint64_t violations_kept(const struct search *s); /* how many at most */
void check_error_copy(struct arena *arena, const struct merror *from, struct merror *to);
void check_step_copy(struct arena *arena, struct check_step *step);
void check_postcondition(struct search *s, struct worker *w);

/* ---- path.c: from fingerprints to states ---- */
#define PATH_ANY UINT64_MAX
struct path_node { /* at least one of the two is known */
    uint64_t fp;
    uint64_t ordinal; /* PATH_ANY: not known */
    uint64_t index;   /* of the log's record, where it comes from there */
    bool has_fp;
};
/* Runs the model along a path. Steps (and their bytes) are made in the arena. Returns how many
 * nodes were found, from the first on. */
size_t path_states(struct model *model, struct mworker *worker, struct arena *arena,
                   const struct path_node *nodes, size_t n, struct check_step *steps);
/* One step of it: from NULL or the state before, which is of that level. */
bool path_step(struct model *model, struct mworker *worker, struct arena *arena,
               const struct check_step *from, uint64_t level, const struct path_node *node,
               struct check_step *ret);
/* The step from the current path's end to a state with this fingerprint: its action; UINT32_MAX
 * when there is none. */
uint32_t path_action(struct model *model, struct mworker *worker, const struct check_step *from,
                     uint64_t level, uint64_t fp);
/* Log records from an initial state to `index`; [*ret_n] in a block to release with vec_release. */
MUST_USE int path_nodes(struct tracelog *log, uint64_t index, struct path_node **ret_nodes,
                        size_t *ret_n, struct err *err);

/* ---- pend.c: delayed duplicate detection ---- */
void tally_degree_add(struct worker *w, uint64_t fresh); /* a state with so many new successors */
void pend_add(struct worker *w, const struct candidate *cand); /* before the record is begun */
void pend_end_state(struct worker *w);
bool pend_any(const struct search *s);
MUST_USE int pend_resolve(struct search *s, struct err *err); /* alone */

/* ---- bfs.c, dfs.c, dfid.c, simulate.c: the modes ---- */
MUST_USE int search_bfs(struct search *s, struct err *err);
MUST_USE int search_dfs(struct search *s, struct err *err);
MUST_USE int search_dfid(struct search *s, struct err *err);
MUST_USE int simulate_run(struct search *s, struct err *err);
/* A counter that only its owner writes: no locked instruction. */
static inline void bump_by(_Atomic uint64_t *counter, uint64_t by)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + by,
                          memory_order_relaxed);
}
static inline void bump(_Atomic uint64_t *counter)
{
    bump_by(counter, 1);
}
/* Counts a candidate; every mode does. */
void search_count_generated(struct worker *w, uint32_t action);
void search_count_new(struct worker *w, const struct candidate *cand);
/* 1 or 0, or -1 after an error that was noted. */
int candidate_in_model(struct worker *w, const struct candidate *cand);
/* Invariants and implied initial predicates of an initial state. Non-zero: stop. */
int search_init_check(struct worker *w, const struct candidate *cand);
/* Properties of the candidate, as TLC orders them; fresh: not seen before. Sets *ret_stop. Returns
 * false when the candidate turned out not to be fresh. */
bool candidate_check(struct worker *w, const struct candidate *cand, bool fresh, bool maybe,
                     int *ret_stop);
void search_init_states(struct worker *w, model_sink sink); /* runs ops->init and notes errors */
/* A successor of the current state of the worker `arg`: counts it, asks the set, and does what
 * follows. */
int candidate_sink(void *arg, struct mworker *model, const struct candidate *cand);
/* Puts the fingerprint into the set; where an exact answer is needed, asks the disk as well. */
enum fpset_answer candidate_put(struct worker *w, uint64_t fp, int *ret_stop);
/* Whether it is within the model and, if so, in the set, where it is put. Non-zero: stop. */
int candidate_look(struct worker *w, const struct candidate *cand, int *ret_inside,
                   enum fpset_answer *ret_answer);
/* What follows only. Non-zero: stop. */
int candidate_treat(struct worker *w, const struct candidate *cand, bool inside,
                    enum fpset_answer answer);

/* ---- move.c: another model takes the place of the one at hand ---- */
/* Alone. False: nothing has changed. */
bool search_move(struct search *s, struct worker *w);
void move_worker(struct worker *w); /* a worker's own part of it */
void move_done(struct search *s);
/* Takes a state back that the model could not expand. */
void move_give_back(struct worker *w, const struct queue_record *record);
uint32_t move_fresh_before(struct search *s, uint64_t link);
/* The set does not know the candidate: do the sealed ones? */
enum fpset_answer move_ask(struct worker *w, enum fpset_answer answer);
/* As path_states, for nodes of the log. */
size_t move_path(struct search *s, struct mworker *worker, struct arena *arena,
                 const struct path_node *nodes, size_t n, struct check_step *steps);

/* The manifest of a search by several processes (peers_save.c), in opt->dir. */
struct checkpoint_ranks {
    uint64_t number;
    unsigned size; /* processes that wrote it */
};
MUST_USE int checkpoint_write_ranks(const struct check_options *opt,
                                    const struct checkpoint_ranks *ranks, struct err *err);
MUST_USE int checkpoint_read_ranks(const struct check_options *opt, struct checkpoint_ranks *ret,
                                   struct err *err);
void checkpoint_forget_ranks(const struct check_options *opt);

/* ---- ample.c ---- */
void check_ample_init(struct search *s);
void check_ample_done(struct search *s);
void check_ample_note(struct worker *w, uint64_t fp); /* of a state that was found now */
/* Tries to do with the steps of one process. False: all steps must be taken. */
bool check_ample_expand(struct worker *w, int *ret_status);

/* ---- expand.c: all that happens to one state, and what comes before and after the search ---- */
void search_expand(struct worker *w, const struct queue_record *record, uint64_t level);
/* Its beginning (negative after a failure that was noted) and end, around the candidates. */
int search_expand_begin(struct worker *w, const struct queue_record *record, uint64_t level);
void search_expand_end(struct worker *w, int status);
void search_begin(struct worker *w);
void search_finish(struct worker *w);
void search_note_depth(struct search *s); /* alone */
void search_init_again(struct worker *w); /* initial states, to look at a violation again */
void search_checkpoint(struct search *s); /* alone; failures are noted */
/* Alone: what was found becomes what is expanded. Negative after a failure that was noted. */
int search_next_level(struct search *s);
MUST_USE int search_maintain(struct search *s,
                             struct err *err); /* settles answers and gives the set room; alone */
/* Runs a job on all workers, who are parked; the leader takes the part of its own index. For struct
 * helpers. */
void search_helpers(void *self, void (*fn)(void *arg, unsigned part, unsigned nparts), void *arg);
MUST_USE int live_stack_push(struct stack *stack, struct worker *w, const struct candidate *cand,
                             uint64_t link, struct err *err);

/* ---- gather.c: expanding states of models that make all successors at once ---- */
bool gather_can(const struct search *s);
/* Expands some of the claim's states; false when there are none. */
bool gather_expand(struct worker *w, uint64_t level);
void gather_done(struct worker *w);

/* ---- liveness.c: between the search and live.h ---- */
/* TLC refuses properties that cannot be violated whatever the model does. Notes that as an error.
 */
void liveness_tautology(struct search *s);
MUST_USE int liveness_open(struct search *s, struct err *err);
MUST_USE int
liveness_edge(struct worker *w,
              const struct candidate *cand); /* non-zero: evaluation failed and was noted */
void liveness_state(struct worker *w);       /* adds the current state; a failure is noted */
void liveness_check(struct search *s, struct worker *w); /* alone */
/* Translates a path of fingerprints into a violation of property `prop`. */
/* The states with these fingerprints, each a successor of the one before. */
void liveness_trace(struct search *s, struct worker *w, const uint64_t *path, size_t n,
                    struct check_trace *trace);
void liveness_report(struct search *s, struct worker *w, uint32_t prop, const uint64_t *path,
                     size_t n, size_t loop);

/* ---- checkpoint.c ---- */
MUST_USE int checkpoint_write(struct search *s, struct err *err); /* alone */
/* Brings the search to where the checkpoint was taken: fingerprints, log, queue, counts. */
MUST_USE int checkpoint_read(struct search *s, struct worker *w, struct err *err);
void checkpoint_forget(struct search *s);         /* a new search begins in the directory */
void checkpoint_remove_logs(struct store *store); /* the files that grow from one to the next */

/* ---- stats.c ---- */
void check_stats_degrees(const uint64_t degrees[DEGREES], struct check_result *result);
double check_stats_optimistic(uint64_t distinct, uint64_t generated);

/* THE SEAM: what a checker knows of a model. The evaluator of TLA+ implements it, a hand-written
 * toy in a test does too.
 *
 * A model is immutable once made and shared by all workers; a worker is one thread's view of it and
 * holds
 *   - the current state (set by load, or by a step), and
 *   - inside a sink call, the candidate: an initial state or a successor of the current one.
 * States travel as bytes (save, load); their meaning is the model's own. Bytes of one state are the
 * same in every worker of a run.
 *
 * Evaluation may fail (the spec divides by zero): functions then return MODEL_ERROR and
 * worker->error says what and where. */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "value/value.h"

struct mworker;
struct model;

enum model_status {
    MODEL_OK = 0,
    MODEL_STOPPED = 1, /* the sink asked to stop */
    MODEL_ERROR = -1   /* see mworker.error */
};

/* A place in the spec, as TLC prints it. */
struct mplace {
    const char *module;
    uint32_t line, column, end_line, end_column; /* 1-based, end inclusive; line 0 = no place */
};

struct maction {
    const char
        *name; /* operator that names the action, e.g. "RcvPrepare"; "Next" when there is none */
    struct mplace place;
    uint32_t nparam;
    const char *const *params; /* names of the bound parameters, outermost first */
    const char *tlc_name; /* what TLC calls it: TLC stops at the first bound that is not constant */
    struct mplace tlc_place;
};

enum mprop_kind {
    MPROP_INVARIANT, /* state predicate that must hold everywhere */
    MPROP_INIT,      /* implied initial predicate of a PROPERTY */
    MPROP_ACTION,    /* [][A]_v: every step satisfies A or leaves v unchanged */
    MPROP_TEMPORAL   /* needs the behaviour graph; its formula is model->live */
};

struct mprop {
    enum mprop_kind kind;
    const char *name;   /* as TLC calls it: of the part that it is, or a place */
    const char *config; /* as the configuration has it; NULL: the same */
    struct mplace place;
};

/* A temporal formula over numbered leaves. */
enum tf_kind {
    TF_TRUE,
    TF_FALSE,
    TF_STATE,
    TF_ACTION,
    TF_NOT,
    TF_AND,
    TF_OR,
    TF_ALWAYS,
    TF_EVENTUALLY
};
struct tform {
    enum tf_kind kind;
    uint32_t
        leaf; /* TF_STATE: number of a state predicate; TF_ACTION: number of an action predicate */
    uint32_t n; /* AND, OR: number of kids; NOT, ALWAYS, EVENTUALLY: 1 */
    struct tform **kid;
};

/* What liveness checking needs: `fairness` (what the specification promises) => each property. WF,
 * SF, ~>, -+-> are already expanded into TF_ALWAYS/TF_EVENTUALLY; ENABLED <<A>>_v is a state leaf,
 * <<A>>_v an action leaf. A boxed action [A]_v inside <>[] is an action leaf too. */
struct mlive_prop {
    const char *name;
    struct tform *formula;
};
struct mlive {
    struct tform *fairness; /* NULL = true */
    struct mlive_prop *props;
    uint32_t nprop;
    uint32_t
        nstate_leaf; /* at most 64 leaves of each kind; above it, `words` of the bit vectors grow */
    uint32_t naction_leaf;
};

/* An error of the spec found while evaluating. */
struct merror {
    int code;             /* TLC's message code (2103, 2132 Assert, 2147 ...); 0 = none */
    int exit_status;      /* TLC's exit status for it: 75, 14, ... */
    const char *text;     /* one or more lines */
    struct mplace *stack; /* positions being evaluated, outermost first */
    size_t nstack;
    const char *property; /* what was being evaluated ("Invariant TypeOK"), or NULL */
    bool fatal_memory;    /* scratch memory or stack limit was reached */
    /* A state that the spec does not specify completely (2106 initial, 2109 successor): its
     * variables, one in a line, "null" for those without a value; NULL for other errors. */
    const char *partial;
    uint32_t partial_action; /* of a successor: index in model->actions */
    const char **partial_args;
    uint32_t partial_nargs;
};

/* Passed for every initial state and successor. Return non-zero to stop the enumeration (it then
 * returns MODEL_STOPPED). */
struct candidate {
    uint64_t fp;     /* fingerprint, after VIEW and SYMMETRY */
    uint32_t action; /* index in model->actions; 0 for initial states */
};
typedef int (*model_sink)(void *arg, struct mworker *worker, const struct candidate *cand);

/* All successors of one state, for models that make them at once. */
struct mbatch {
    uint32_t n;
    const struct candidate *cands; /* [n], in the order in which `next` would pass them */
    uint32_t slot;                 /* which of the worker's batches it is, for recall */
};

/* Counters that TLCGet reads. Written by the checker with relaxed atomics, read by models. */
struct mstats {
    _Atomic uint64_t generated, distinct, queued, diameter, traces, initial;
    _Atomic uint64_t trace_mean, trace_variance; /* of the lengths of random walks */
    _Atomic uint64_t start_ms;                   /* wall clock */
};

/* What the model may ask of whoever runs it. Every function may be called from any worker thread;
 * all may be NULL. */
struct mhost {
    void *arg;
    void (*print)(void *arg, const char *text, size_t len); /* Print, PrintT: a whole line */
    void (*warn)(void *arg, int code,
                 const char *text); /* a warning of TLC's, given once for each place */
    void (*assuming)(void *arg);    /* constants are known; assumptions are evaluated next */
    void (*stop)(void *arg);        /* TLCSet("exit", TRUE) */
    void (*pause)(void *arg);
    /* Asks the user: the first letter of the answer in lower case, 0 for an empty line, -1 when
     * there is nobody. */
    int (*ask)(void *arg, const char *question);
    /* The path from an initial state to the current state of the worker: calls `each` with the
     * bytes of every state, first one first. */
    int (*trace)(void *arg, struct mworker *worker,
                 int (*each)(void *each_arg, const void *bytes, size_t len, uint32_t action),
                 void *each_arg);
    struct mstats *stats;
    const volatile sig_atomic_t *interrupt; /* long evaluations stop when it is set */
    const char *mode;                       /* "bfs", "dfs", "simulate", "generate" */
    unsigned workers;
    int64_t depth;      /* limit of a simulation's traces; 0 = none */
    int64_t traces_max; /* number of a simulation's traces; 0 = no limit */
};

struct mvalues {
    struct vctx *ctx; /* for printing and comparing them */
    const char *const *names;
    const struct val *vals;
    uint32_t n;
};

struct model_ops {
    MUST_USE int (*worker_new)(struct model *model, unsigned index, uint64_t seed,
                               struct mworker **ret_worker, struct err *err);
    void (*worker_free)(struct mworker *worker);

    /* Enumeration. `level` is TLCGet("level") of the current state (1 for initial states). */
    int (*init)(struct mworker *worker, model_sink sink, void *arg);
    int (*load)(struct mworker *worker, const void *bytes, size_t len, uint64_t level);
    int (*next)(struct mworker *worker, model_sink sink,
                void *arg); /* successors of the current state, all actions in order */
    int (*next_action)(struct mworker *worker, uint32_t action, model_sink sink,
                       void *arg); /* of one action only */
    /* Partial-order reduction: the steps of one process of which it can be shown that exploring
     * them alone is enough from here, if going on from one of them never comes back here. *at is 0
     * at first; further calls for the same state go on with the next such process. *ret_ample =
     * false, without a candidate: there is none (left). After that, and after MODEL_ERROR, call
     * `next`, which tells an error in its place. May be NULL. */
    int (*next_ample)(struct mworker *worker, model_sink sink, void *arg, uint32_t *at,
                      bool *ret_ample);
    /* As next, without a sink, so that the caller can look ahead over the fingerprints. May be
     * NULL. MODEL_STOPPED: this state needs `next` (nothing has been done); so it does after
     * MODEL_ERROR, so that the candidates before the error are seen in order. The batch is valid
     * until the worker's next load or next_batch, or, with model->batch_slots = N > 1, until N
     * further calls of next_batch. Whatever shows that a state is being expanded (Print) must make
     * it MODEL_STOPPED: states are expanded ahead. */
    int (*next_batch)(struct mworker *worker, struct mbatch *ret);
    /* Makes cands[i] of the last batch the candidate, as if inside a sink, until the next call. */
    void (*select)(struct mworker *worker, uint32_t i);
    /* With batch_slots > 1: makes an earlier batch that is still valid the last one, and the state
     * whose successors it holds the current state. */
    void (*recall)(struct mworker *worker, uint32_t slot);
    /* Of one action, in a random order that depends on the worker's seed: for whoever wants one
     * successor and stops. May be NULL. */
    int (*next_random)(struct mworker *worker, uint32_t action, model_sink sink, void *arg);

    /* About the candidate; only inside a sink. */
    int (*in_model)(
        struct mworker *worker); /* CONSTRAINT and ACTION_CONSTRAINT: 1, 0 or MODEL_ERROR */
    /* Checks invariants and (for successors) action properties, in the order of model->props.
     * Returns MODEL_OK with *ret_prop = index of the first violated one or -1, or MODEL_ERROR.
     * `kinds` is a set of 1 << enum mprop_kind; `from` = first property to look at. */
    int (*check)(struct mworker *worker, unsigned kinds, int from, int *ret_prop);
    void (*save)(struct mworker *worker,
                 struct strbuf *out); /* appends the bytes of the candidate */
    /* "Action(arg, arg)" of the step that made the candidate. */
    void (*label)(struct mworker *worker, struct strbuf *out);
    /* The action's parameters and their values in that step, for trace writers; valid until the
     * sink returns. */
    void (*args)(struct mworker *worker, struct mvalues *ret);
    /* Liveness: bits of the state leaves on the candidate; of the action leaves on (current,
     * candidate). Bit i of word i/64. */
    int (*live_state)(struct mworker *worker, uint64_t *ret_bits);
    int (*live_action)(struct mworker *worker, uint64_t *ret_bits);

    /* About the current state (after load). */
    int (*live_current)(struct mworker *worker, uint64_t *ret_bits); /* state leaves */
    int (*live_stutter)(struct mworker *worker,
                        uint64_t *ret_bits); /* action leaves on the step that changes nothing */
    int (*fingerprint)(struct mworker *worker, uint64_t *ret_fp);
    /* TLC's text of the current state: "/\ x = 1\n/\ y = 2" (variables in TLC's order); through
     * ALIAS when there is one and `alias`. prev_bytes may be NULL; with `diff` only variables that
     * differ from it are written. */
    int (*print)(struct mworker *worker, bool alias, bool diff, struct strbuf *out);
    /* The state that follows the current one in a trace, for primed variables in ALIAS; forgotten
     * at the next load. May be NULL. */
    int (*peek)(struct mworker *worker, const void *bytes, size_t len);
    /* Values of the current state's variables (or of the fields of ALIAS), valid until the worker
     * is used again. */
    int (*values)(struct mworker *worker, bool alias, struct mvalues *ret);
    /* Why a property fails on the current state (invariants) or on the step from the current state
     * to `next_bytes` (action properties): the smallest failing conjunct with its place and the
     * values of the bound variables. Appends text; MODEL_OK even when nothing can be said. */
    int (*explain)(struct mworker *worker, uint32_t prop, const void *next_bytes, size_t next_len,
                   struct strbuf *out);

    /* Of a model that can take the place of another in the middle of a search, which is
     * model->before: may be NULL. adopt appends the state with these bytes of the model before as
     * one of this model's; MODEL_ERROR: it cannot. fp_before says what fingerprint the candidate
     * has in the model that stands `back` models before this one (1: model->before): 1, or 0 when
     * that one has no such state. */
    int (*adopt)(struct mworker *worker, const void *bytes, size_t len, struct strbuf *out);
    int (*fp_before)(struct mworker *worker, unsigned back, uint64_t *ret_fp);

    /* Checkpoints: what the model itself needs to understand the bytes of saved states (a layout,
     * interned parts). persist_save appends it; persist_load takes it, before any state is loaded.
     * Called with no worker active; both may be NULL. */
    void (*persist_save)(struct model *model, struct strbuf *out);
    MUST_USE int (*persist_load)(struct model *model, const void *bytes, size_t len,
                                 struct err *err);
};

struct mworker { /* the common head of every worker */
    struct model *model;
    /* Set by whoever has called load, which clears it: the current state satisfies all invariants
     * and constraints. */
    bool judged;
    /* Set by the model when it ended an enumeration because a successor is beyond what it can hold:
     * the state is to be expanded by the model that takes its place. Cleared by load. */
    bool unfit;
    bool quiet; /* set by whoever only rebuilds a behaviour: nothing is printed again */
    uint64_t extra_generated; /* states made on the way (action composition) that no sink sees;
                                 counted as generated, as TLC does */
    struct merror error;
};

struct model {
    const struct model_ops *ops;
    const char *name; /* of the root module */
    const struct maction *actions;
    uint32_t naction;
    const struct mprop *props;
    uint32_t nprop;
    const char *const *vars;
    uint32_t nvar;
    struct mlive *live; /* NULL when there is nothing temporal to check */
    bool check_deadlock;
    /* Evaluated once at the end, in the calling thread, by worker 0: POSTCONDITIONs. Returns 1, 0
     * or MODEL_ERROR; *ret_name says which failed. NULL when there are none. */
    int (*postcondition)(struct mworker *worker, const char **ret_name);
    size_t state_size;    /* bytes of every saved state; 0: they differ */
    uint32_t batch_slots; /* batches of a worker that are valid together; 0 and 1: only the last */
    /* Never reads host->stats while states are expanded: counts need not be exact at each
     * candidate. Without it next_batch is not used where there are stats. */
    bool ignores_stats;
    bool has_constraint; /* CONSTRAINT or ACTION_CONSTRAINT given */
    /* Whether a state is within the constraints, and whether its invariants hold, depends on
     * nothing but its fingerprint: no VIEW, no ACTION_CONSTRAINT. */
    bool judges_states;
    bool has_symmetry;
    bool has_view;
    struct model *before; /* see ops->adopt; NULL: this one takes nobody's place */
    struct mhost *host;   /* set by the runner before workers are made; may be NULL */
};

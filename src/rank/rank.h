/* Ranking bounds: which budgets make a model worth checking (SandTable, section 3.3, Algorithm 1).
 *
 * A sweep has two parts: constants that make configurations (servers, values) and constants that
 * are budgets (timeouts, failures, requests, sizes of buffers). For every configuration, every
 * combination of budgets is a point. Random walks through the model of a point collect which
 * branches of the next-state relation were taken, which actions, and how deep the walks went; then
 * the points of a configuration are sorted.
 *
 * The room knows points as names and texts; whoever uses it makes the models. Nothing here depends
 * on the number of threads: a walk is determined by the seed and its number. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct arena;
struct model;
struct mplace;

/* ---- sweeps (sweep.c) ---- */

/* A constant and the values it takes, as they would stand in a configuration. */
struct rank_axis {
    struct str name;
    struct str *values;
    size_t n;
    const char *file; /* where it was written, for messages; NULL: the command line */
    unsigned line;
};
struct rank_sweep {
    struct rank_axis *axes;
    size_t n, cap;
};
/* "1..4", "1, 2, 5", "{n1,n2}, {n1,n2,n3}": values separated by commas outside of brackets and
 * quotes; a range of whole numbers stands for each of them. */
MUST_USE int rank_values(struct arena *arena, struct str text, struct str **ret, size_t *ret_n,
                         struct err *err);
/* Refuses a name that is there already, and an axis without values. */
MUST_USE int rank_sweep_add(struct arena *arena, struct rank_sweep *sweep, struct rank_axis axis,
                            struct err *err);
/* The number of combinations; 1 for an empty sweep, UINT64_MAX when it is larger than any number.
 */
uint64_t rank_sweep_count(const struct rank_sweep *sweep);
/* Which value each axis has in a combination: [sweep->n]; the last axis varies fastest. */
void rank_sweep_at(const struct rank_sweep *sweep, uint64_t index, size_t *ret_values);

/* ---- walks (walk.c) ---- */

/* A step of a walk, for whoever wants to see them; the worker's current state is its target. */
struct mworker;
struct rank_step {
    uint64_t walk, step; /* step 0: the initial state */
    const char *label;
    struct mworker *worker;
};

struct rank_options {
    uint64_t seed;
    uint64_t walks;                                          /* 0: until time_ns */
    uint64_t time_ns;                                        /* 0: no limit */
    uint64_t steps_max;                                      /* of one walk; 0: 300 */
    const volatile sig_atomic_t *interrupt;                  /* may be NULL */
    int (*on_step)(void *arg, const struct rank_step *step); /* may be NULL; not 0: stop */
    void *arg;
};

/* What walks through one model found. */
struct rank_data {
    uint64_t walks, steps;
    uint64_t branches, branches_all; /* arms taken; all there are */
    uint64_t actions, actions_all;   /* actions that walks took; all there are: the diversity */
    uint64_t events;                 /* labels, with arguments, that walks took */
    uint64_t states;                 /* distinct ones that walks visited */
    uint64_t depth, depth_sum;       /* states new to the walk: of the deepest; of all */
    uint64_t ended, cut;   /* walks that could not go on; that met steps_max or the time */
    uint64_t violations;   /* walks in which a property failed; a walk ends there */
    const char *violated;  /* the first one's property; NULL: none */
    struct mplace *missed; /* branches that were not taken; in the arena */
    size_t nmissed;
    uint64_t violated_walk;
    const char *failed; /* evaluation failed: the message; the data is that so far */
    bool interrupted;
    uint64_t elapsed_ns;
};

/* Walks in the calling thread, which must have the stack that the model needs. The model must be
 * made with coverage and branches, and without a search running. Texts of the data live in the
 * arena. */
MUST_USE int rank_walk(struct model *model, const struct rank_options *options, struct arena *arena,
                       struct rank_data *ret, struct err *err);

/* ---- order (order.c) ---- */

#define RANK_KEYS(X)                                                                               \
    X(COVERAGE, "coverage", true)                                                                  \
    X(DIVERSITY, "diversity", true)                                                                \
    X(DEPTH, "depth", false)                                                                       \
    X(EVENTS, "events", true)                                                                      \
    X(STATES, "states", true)                                                                      \
    X(MEAN, "mean-depth", false)                                                                   \
    X(VIOLATIONS, "violations", true)                                                              \
    X(STEPS, "steps", true)
enum rank_key {
#define X(name, text, descending) RANK_##name,
    RANK_KEYS(X)
#undef X
        RANK_NKEY
};
struct rank_order {
    struct {
        enum rank_key key;
        bool descending;
    } keys[RANK_NKEY];
    size_t n;
};
/* "coverage,diversity,depth": keys, each with :asc or :desc if it shall not be its usual way. */
MUST_USE int rank_order_parse(struct str text, struct rank_order *ret, struct err *err);
#define RANK_ORDER_DEFAULT "coverage,diversity,depth"
/* Indices of the points, best first; equal ones stay in the order of the sweep. */
void rank_sort(const struct rank_order *order, const struct rank_data *data, size_t n,
               size_t *ret_indices);

/* State graphs: states as numbers, steps with labels.
 *
 * A graph is made by the sink of a search (graph_sink), read from a file of its own (graph_read) or
 * from a DOT file (graph_read_dot), and does not change. State numbers are in breadth-first order:
 * the initial states first, every other state after the first state with a step to it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "check/check.h"

#define GRAPH_NONE UINT32_MAX

/* "Receive(n1, n2) #2": what a step is called. Where several steps of a state with the same text
 * lead to different states, the second and later ones have a number. */
struct graph_label {
    struct str text;
    uint32_t action; /* in graph.actions */
};

/* What is not in the graph, though the specification allows it. */
struct graph_left {
    uint64_t outside; /* steps to states that the constraints do not allow */
    uint64_t deeper;  /* steps to states beyond the greatest depth */
    uint64_t sampled; /* steps to states that sampling left out */
    bool stopped;     /* the search did not come to its end */
    bool classes;     /* SYMMETRY or VIEW: a state stands for all that they take for the same */
};

struct graph {
    uint32_t n_states, n_edges, n_initial, n_labels, n_actions;
    uint32_t *first;   /* [n_states + 1]: the steps of state s are first[s] .. first[s + 1] - 1 */
    uint32_t *to;      /* [n_edges] */
    uint32_t *label;   /* [n_edges] */
    uint32_t *initial; /* [n_initial]; labels of initial states: their numbers from 1 on */
    struct graph_label *labels;
    struct str *actions; /* names */
    struct graph_left left;
    struct str spec; /* name of the root module */
    uint64_t digest; /* of specification and configuration; 0: not known */
    struct arena *arena;
};

void graph_free(struct graph *graph); /* accepts NULL */
/* Distance of each state from the nearest initial state: [n_states], for vec_release. */
uint32_t *graph_levels(const struct graph *graph);
/* The state in which each step begins: [n_edges], for vec_release. */
uint32_t *graph_sources(const struct graph *graph);

/* ---- collecting ---- */
struct graph_limits {
    uint64_t depth_max;  /* steps from an initial state; 0: no limit */
    uint32_t sample_ppm; /* of the states found, so many parts in a million; 0: all */
    uint64_t seed;       /* of the sample */
    bool plain;          /* labels are names of actions, without arguments */
};
struct graph_sink;
void graph_sink_new(const struct model *model, const struct graph_limits *limits,
                    struct graph_sink **ret);
void graph_sink_free(struct graph_sink *sink);                      /* accepts NULL */
const struct check_sink *graph_sink_check(struct graph_sink *sink); /* for check_options.sink */
/* After the search. ERR_LIMIT: too large to be numbered. */
MUST_USE int graph_sink_take(struct graph_sink *sink, const struct check_result *result,
                             struct graph **ret, struct err *err);

/* ---- files ---- */
MUST_USE int graph_write(const struct graph *graph, const char *path, struct err *err);
/* ERR_INVALID: no graph, or of another version; ERR_CORRUPT: cut off or damaged. */
MUST_USE int graph_read(const char *path, struct graph **ret, struct err *err);
/* As TLC and `assay check --dump` write it. Parallel steps with the same label are one. */
MUST_USE int graph_read_dot(const char *path, struct graph **ret, struct err *err);
bool graph_is_dot(const char *path); /* by its name */

/* Plans: which steps of a graph to take, in cases that begin in an initial state or where another
 * case has been. One thread; nothing here waits or prints. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "graph/graph.h"

#define TOUR_NONE UINT32_MAX

enum tour_kind {
    TOUR_EC,   /* Mocket's edge coverage: every case from an initial state */
    TOUR_FLOW, /* the fewest actions: every case from an initial state */
    TOUR_LAYER /* every step once: cases branch off, with snapshots */
};
enum tour_cover {
    COVER_EDGES,  /* every step */
    COVER_STATES, /* every state */
    COVER_PAIRS   /* every two actions that can follow one another */
};
struct tour_options {
    enum tour_kind kind;
    enum tour_cover cover;
    bool reduce; /* leave out steps that two independent actions in the other order give */
    uint32_t
        start_cost; /* TOUR_FLOW: what beginning a case costs, in actions; 0: only as a tie-break */
};

struct tour_case {
    uint32_t parent; /* an earlier case, or TOUR_NONE: it begins in an initial state */
    uint32_t at;     /* after so many steps of the parent's own */
    uint32_t start;  /* the state in which its own steps begin */
    uint32_t n;      /* of its own steps */
    size_t first;    /* in plan.edges */
};

struct tour {
    const struct graph *graph;
    struct tour_options options;
    VEC(struct tour_case) cases;
    VEC(uint32_t) edges;
    bool replays;       /* there are no snapshots: the steps before a case are done again */
    uint64_t actions;   /* done, when everything is run in order */
    uint64_t restores;  /* going back: to a snapshot, or to the start */
    uint64_t snapshots; /* taken */
    uint64_t live;      /* held at once */
    uint64_t longest;   /* actions of a case from the initial state on */
    uint64_t edges_wanted, edges_covered, states_covered, pairs_covered, pairs;
    uint64_t edges_left; /* by the reduction */
};

/* ERR_LIMIT: the plan would have more cases or steps than can be numbered. */
MUST_USE int tour_make(const struct graph *graph, const struct tour_options *options,
                       struct tour **ret, struct err *err);
void tour_free(struct tour *tour); /* accepts NULL */

/* What things cost on a cluster, in nanoseconds. */
struct tour_costs {
    double action, restore, snapshot;
};
double tour_seconds(const struct tour *tour, const struct tour_costs *costs);
const char *tour_kind_name(enum tour_kind kind);

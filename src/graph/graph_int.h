/* Private to the graph room. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "graph/graph.h"

/* Steps between states that have numbers, but not yet those of the graph. Those of one state are in
 * order. */
struct graph_parts {
    size_t n_ids, n_edges, n_initial;
    const uint32_t *from, *to, *label; /* [n_edges] */
    const uint32_t *initial;           /* [n_initial]; may name one twice */
};

/* An empty graph with an arena of its own. */
struct graph *graph_new(void);
/* Numbers the states that can be reached and puts their steps in order; steps with the same ends
 * and the same label are one. Labels and actions of the graph are there already. */
MUST_USE int graph_make(struct graph *graph, const struct graph_parts *parts, struct err *err);
/* The number of an action by its name; a new one is added. */
uint32_t graph_action(struct graph *graph, struct str name);

/* The graph of what was observed: states are what was seen of all nodes together, steps the events
 * between them, of all runs of a search. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/walk.h"
#include "run/cluster.h"

struct xgraph_edge {
    uint32_t from, to, label;
};
struct xgraph {
    struct u64map states; /* hash -> number */
    VEC(uint64_t) seen;   /* of each state: [n_nodes] */
    VEC(struct xgraph_edge) edges;
    struct u64map known;  /* hashes of edges */
    struct u64map labels; /* hash -> number */
    VEC(struct strbuf) texts;
    uint64_t loops; /* events after which all was seen as before */
};
void xgraph_done(struct xgraph *graph); /* accepts a zeroed one */
/* The steps of a walk, which knows what it has seen. */
void xgraph_add(struct xgraph *graph, const struct cluster *cluster, const struct walk *walk);
/* Writes it as TLC writes state graphs (DOT), which `assay test` reads; or, where the path ends in
 * .tla, as a module with Init and Next. root: [n_nodes]. */
MUST_USE int xgraph_write(struct xgraph *graph, const struct cluster *cluster, const uint64_t *root,
                          const char *path, struct err *err);

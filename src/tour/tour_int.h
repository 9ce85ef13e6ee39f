/* Private to the tour room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "tour/tour.h"

/* n + 1 elements, not set; for vec_release. */
static inline void *tour_block(size_t n, size_t bytes)
{
    size_t cap = 0;
    return vec_grow(NULL, &cap, n + 1, bytes);
}

/* Which steps must be taken: [n_edges]. From an initial state every wanted step can be reached by
 * wanted steps. */
bool *tour_want(const struct graph *graph, const struct tour_options *options);

/* A new case without steps. */
uint32_t tour_case_new(struct tour *tour, uint32_t parent, uint32_t at, uint32_t start);
static inline void tour_case_step(struct tour *tour, uint32_t edge)
{
    VEC_PUSH(&tour->edges, edge);
    VEC_LAST(&tour->cases).n++;
}

void tour_ec(struct tour *tour, const bool *want);
void tour_layer(struct tour *tour, const bool *want);
/* How often each step is taken besides once if it is wanted, and how many cases begin in each
 * initial state, so that everything is balanced at the least cost. */
void tour_flow_solve(const struct graph *graph, const bool *want, uint32_t start_cost,
                     uint32_t *extra, uint32_t *starts);
void tour_flow(struct tour *tour, const bool *want);
void tour_pairs(struct tour *tour);

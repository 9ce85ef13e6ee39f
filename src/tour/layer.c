/* Every step exactly once, with snapshots.
 *
 * Trails follow breadth-first layers: a step to the next layer goes on, every other step ends its
 * trail. Each arrival at a state by a step from the layer before takes one of its steps; what there
 * are more steps than arrivals is started from a snapshot, taken at the first arrival and used
 * before anything that was taken earlier. So snapshots are a stack, no deeper than the graph,
 * nothing is left over, and the time is linear. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "tour/tour.h"
#include "tour/tour_int.h"

struct branch { /* a snapshot */
    uint32_t state, left, parent, at;
};

struct layering {
    struct tour *tour;
    uint32_t *level, *arrivals; /* by steps from the layer before */
    uint32_t *steps, *first;    /* wanted steps of a state, those to the next layer first */
    uint32_t *at;               /* the next one */
    bool *seen;
    VEC(struct branch) stack;
};

static bool forward(const struct layering *l, uint32_t from, uint32_t e)
{
    return l->level[l->tour->graph->to[e]] == l->level[from] + 1;
}

/* Distances along wanted steps. */
static void find_levels(struct layering *l, const bool *want)
{
    const struct graph *g = l->tour->graph;
    uint32_t *queue = tour_block(g->n_states, sizeof *queue);
    uint32_t n = 0;
    memset(l->level, 0xff, g->n_states * sizeof *l->level);
    for (uint32_t i = 0; i < g->n_initial; i++) {
        l->level[g->initial[i]] = 0;
        queue[n++] = g->initial[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = queue[i];
        for (uint32_t e = g->first[s]; e < g->first[s + 1]; e++) {
            if (want[e] && l->level[g->to[e]] == GRAPH_NONE) {
                l->level[g->to[e]] = l->level[s] + 1;
                queue[n++] = g->to[e];
            }
        }
    }
    vec_release(queue);
}

static uint32_t list_state(struct layering *l, const bool *want, uint32_t s, uint32_t n)
{
    const struct graph *g = l->tour->graph;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t e = g->first[s]; e < g->first[s + 1]; e++) {
            if (want[e] && forward(l, s, e) == (pass == 0)) {
                l->steps[n++] = e;
                l->arrivals[g->to[e]] += pass == 0 ? 1 : 0;
            }
        }
    }
    return n;
}

static void list_steps(struct layering *l, const bool *want)
{
    const struct graph *g = l->tour->graph;
    uint32_t n = 0;
    memset(l->arrivals, 0, g->n_states * sizeof *l->arrivals);
    for (uint32_t s = 0; s < g->n_states; s++) {
        l->first[s] = l->at[s] = n;
        n = list_state(l, want, s, n);
    }
    l->first[g->n_states] = n;
}

/* A snapshot is worth taking where fewer arrivals come than there are steps. */
static void arrive(struct layering *l, uint32_t state, uint32_t self, uint32_t at)
{
    uint32_t steps = l->first[state + 1] - l->at[state];
    uint32_t arrivals = l->arrivals[state] > 1 ? l->arrivals[state] : 1;
    if (!l->seen[state] && steps > arrivals) {
        VEC_PUSH(&l->stack, ((struct branch){state, steps - arrivals, self, at}));
    }
    l->seen[state] = true;
}

/* One case: as far as it goes. */
static void trail(struct layering *l, uint32_t parent, uint32_t at, uint32_t state)
{
    const struct graph *g = l->tour->graph;
    uint32_t self = tour_case_new(l->tour, parent, at, state);
    bool on = true;
    if (parent == TOUR_NONE && !l->seen[state]) {
        arrive(l, state, self, 0);
    }
    while (on && l->at[state] < l->first[state + 1]) {
        uint32_t e = l->steps[l->at[state]++];
        tour_case_step(l->tour, e);
        on = forward(l, state, e);
        state = g->to[e];
        if (on) {
            arrive(l, state, self, l->tour->cases.v[self].n);
        }
    }
}

void tour_layer(struct tour *tour, const bool *want)
{
    const struct graph *g = tour->graph;
    size_t n = g->n_states;
    struct layering l = {.tour = tour,
                         .level = tour_block(n, sizeof(uint32_t)),
                         .arrivals = tour_block(n, sizeof(uint32_t)),
                         .steps = tour_block(g->n_edges, sizeof(uint32_t)),
                         .first = tour_block(n + 1, sizeof(uint32_t)),
                         .at = tour_block(n, sizeof(uint32_t)),
                         .seen = tour_block(n, sizeof(bool))};
    memset(l.seen, 0, n * sizeof *l.seen);
    find_levels(&l, want);
    list_steps(&l, want);
    for (uint32_t i = 0; i < g->n_initial; i++) {
        trail(&l, TOUR_NONE, 0, g->initial[i]);
        while (l.stack.n != 0) {
            struct branch *b = &VEC_LAST(&l.stack);
            struct branch from = *b;
            if (--b->left == 0) {
                (void)VEC_POP(&l.stack);
            }
            if (from.at ==
                0) { /* of an initial state: going back to it is going back to the start */
                from.parent = TOUR_NONE;
            }
            trail(&l, from.parent, from.at, from.state);
        }
    }
    for (uint32_t s = 0; s < g->n_states; s++) {
        ASSERT(l.at[s] == l.first[s + 1]);
    }
    vec_release(l.level);
    vec_release(l.arrivals);
    vec_release(l.steps);
    vec_release(l.first);
    vec_release(l.at);
    vec_release(l.seen);
    VEC_DONE(&l.stack);
}

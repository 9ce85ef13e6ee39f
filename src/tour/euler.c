/* From a balanced flow to cases: an Euler circuit through all steps, taken as often as the flow
 * says, and through a hub that every case comes from and goes back to (Hierholzer's method). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "tour/tour.h"
#include "tour/tour_int.h"

/* Arcs that are no steps. */
#define FROM_HUB (GRAPH_NONE - 1)
#define TO_HUB   (GRAPH_NONE - 2)

struct visit {
    uint32_t state; /* GRAPH_NONE: the hub */
    uint32_t arc;   /* by which it was reached */
};

struct circuit {
    const struct graph *g;
    uint32_t *times, *starts, *ends; /* left */
    uint32_t *at;                    /* next step of a state */
    uint32_t start;                  /* next initial state of the hub */
    VEC(struct visit) stack, done;
};

/* Marks what can be reached from a state by the steps of the flow. */
static void mark(const struct circuit *t, uint32_t from, bool *reached, uint32_t *queue)
{
    const struct graph *g = t->g;
    uint32_t n = 1;
    reached[from] = true;
    queue[0] = from;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = g->first[queue[i]]; e < g->first[queue[i] + 1]; e++) {
            if (t->times[e] != 0 && !reached[g->to[e]]) {
                reached[g->to[e]] = true;
                queue[n++] = g->to[e];
            }
        }
    }
}

/* Initial states from which nothing begins and to which nothing comes: circuits of their own. One
 * without steps is a case, too. */
static void begin_everywhere(struct circuit *t)
{
    const struct graph *g = t->g;
    bool *reached = tour_block(g->n_states, sizeof *reached);
    uint32_t *queue = tour_block(g->n_states, sizeof *queue);
    memset(reached, 0, g->n_states * sizeof *reached);
    for (uint32_t r = 0; r < g->n_initial; r++) {
        if (t->starts[r] != 0 && !reached[r]) {
            mark(t, r, reached, queue);
        }
    }
    for (uint32_t r = 0; r < g->n_initial; r++) {
        if (!reached[r]) {
            mark(t, r, reached, queue);
            t->starts[r]++;
            t->ends[r]++;
        }
    }
    vec_release(reached);
    vec_release(queue);
}

static bool go_on(struct circuit *t, uint32_t state)
{
    const struct graph *g = t->g;
    if (state == GRAPH_NONE) {
        while (t->start < g->n_initial && t->starts[t->start] == 0) {
            t->start++;
        }
        if (t->start == g->n_initial) {
            return false;
        }
        t->starts[t->start]--;
        VEC_PUSH(&t->stack, ((struct visit){t->start, FROM_HUB}));
        return true;
    }
    for (; t->at[state] < g->first[state + 1]; t->at[state]++) {
        uint32_t e = t->at[state];
        if (t->times[e] != 0) {
            t->times[e]--;
            VEC_PUSH(&t->stack, ((struct visit){g->to[e], e}));
            return true;
        }
    }
    if (t->ends[state] != 0) {
        t->ends[state]--;
        VEC_PUSH(&t->stack, ((struct visit){GRAPH_NONE, TO_HUB}));
        return true;
    }
    return false;
}

static void make_cases(const struct circuit *t, struct tour *tour)
{
    for (size_t i = t->done.n; i > 0; i--) {
        const struct visit *v = &t->done.v[i - 1];
        if (v->arc == FROM_HUB) {
            (void)tour_case_new(tour, TOUR_NONE, 0, v->state);
        } else if (v->arc < TO_HUB) {
            tour_case_step(tour, v->arc);
        }
    }
}

void tour_flow(struct tour *tour, const bool *want)
{
    const struct graph *g = tour->graph;
    struct circuit t = {.g = g,
                        .times = tour_block(g->n_edges, sizeof(uint32_t)),
                        .starts = tour_block(g->n_states, sizeof(uint32_t)),
                        .ends = tour_block(g->n_states, sizeof(uint32_t)),
                        .at = tour_block(g->n_states, sizeof(uint32_t))};
    tour->replays = true;
    memset(t.starts, 0, g->n_states * sizeof *t.starts);
    tour_flow_solve(g, want, tour->options.start_cost, t.times, t.starts);
    memcpy(t.ends, t.starts, g->n_states * sizeof *t.ends);
    memcpy(t.at, g->first, g->n_states * sizeof *t.at);
    for (uint32_t s = 0; s < g->n_states; s++) {
        for (uint32_t e = g->first[s]; e < g->first[s + 1]; e++) {
            t.times[e] += want[e] ? 1 : 0;
            t.ends[s] -= t.times[e]; /* may be below 0 for a while */
            t.ends[g->to[e]] += t.times[e];
        }
    }
    begin_everywhere(&t);
    VEC_PUSH(&t.stack, ((struct visit){GRAPH_NONE, TO_HUB}));
    while (t.stack.n != 0) {
        if (!go_on(&t, VEC_LAST(&t.stack).state)) {
            VEC_PUSH(&t.done, VEC_POP(&t.stack));
        }
    }
    make_cases(&t, tour);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        ASSERT(t.times[e] == 0);
    }
    vec_release(t.times);
    vec_release(t.starts);
    vec_release(t.ends);
    vec_release(t.at);
    VEC_DONE(&t.stack);
    VEC_DONE(&t.done);
}

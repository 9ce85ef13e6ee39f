/* Mocket's edge coverage (EuroSys 2023, section 4.2): a breadth-first traversal in which a state's
 * steps are followed when it is first met. A path goes on along the first of them; each of the
 * others begins a path of its own, with the whole way to it before it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "graph/graph.h"
#include "tour/tour.h"
#include "tour/tour_int.h"

struct waiting {
    uint32_t parent, at; /* where it branches off */
    uint32_t start;      /* the state there */
    uint32_t edge;       /* its first step; GRAPH_NONE: it begins in an initial state */
};

struct paths {
    struct tour *tour;
    const bool *want;
    bool *met; /* states */
    VEC(struct waiting) queue;
};

/* The first wanted step of a state; the others wait. GRAPH_NONE: there is none. */
static uint32_t meet(struct paths *p, uint32_t self, uint32_t state)
{
    const struct graph *g = p->tour->graph;
    uint32_t next = GRAPH_NONE;
    p->met[state] = true;
    for (uint32_t e = g->first[state]; e < g->first[state + 1]; e++) {
        if (p->want[e] && next == GRAPH_NONE) {
            next = e;
        } else if (p->want[e]) {
            VEC_PUSH(&p->queue, ((struct waiting){self, p->tour->cases.v[self].n, state, e}));
        }
    }
    return next;
}

void tour_ec(struct tour *tour, const bool *want)
{
    const struct graph *g = tour->graph;
    struct paths p = {.tour = tour, .want = want, .met = tour_block(g->n_states, sizeof(bool))};
    memset(p.met, 0, g->n_states * sizeof *p.met);
    tour->replays = true;
    for (uint32_t i = 0; i < g->n_initial; i++) {
        VEC_PUSH(&p.queue, ((struct waiting){TOUR_NONE, 0, g->initial[i], GRAPH_NONE}));
    }
    for (size_t i = 0; i < p.queue.n; i++) {
        struct waiting w = p.queue.v[i];
        uint32_t self = tour_case_new(tour, w.parent, w.at, w.start), state = w.start;
        if (w.edge != GRAPH_NONE) {
            tour_case_step(tour, w.edge);
            state = g->to[w.edge];
        }
        while (!p.met[state]) {
            uint32_t next = meet(&p, self, state);
            if (next != GRAPH_NONE) {
                tour_case_step(tour, next);
                state = g->to[next];
            }
        }
    }
    vec_release(p.met);
    VEC_DONE(&p.queue);
}

/* Which steps must be taken.
 *
 * Partial-order reduction: where two actions can be taken in either order, s -a-> p -b-> t and
 * s -b-> q -a-> t, the closing step q -a-> t of one order may be left out, if the steps of the
 * other stay. Steps of the breadth-first tree are never left out, so every state is still reached;
 * that is what Mocket's reduction does not promise (it drops whole paths). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "graph/graph.h"
#include "tour/tour.h"
#include "tour/tour_int.h"

/* The first step to each state. */
static bool *tree_steps(const struct graph *g)
{
    bool *tree = tour_block(g->n_edges, sizeof *tree);
    uint32_t reached = g->n_initial;
    memset(tree, 0, g->n_edges * sizeof *tree);
    for (uint32_t e = 0; e < g->n_edges; e++) { /* in breadth-first order */
        if (g->to[e] == reached) {
            tree[e] = true;
            reached++;
        }
    }
    return tree;
}

static uint32_t step_by_label(const struct graph *g, uint32_t state, uint32_t label)
{
    for (uint32_t e = g->first[state]; e < g->first[state + 1]; e++) {
        if (g->label[e] == label) {
            return e;
        }
    }
    return GRAPH_NONE;
}

struct reducing {
    const struct graph *g;
    const uint32_t *from;
    bool *want, *held; /* held: another step was left out because of it */
};

/* The same state by the two actions in the other order: s -b-> q is `into`, q -a-> t is `e`. */
static bool other_order(const struct reducing *r, uint32_t into, uint32_t e, uint32_t *ret_first,
                        uint32_t *ret_second)
{
    const struct graph *g = r->g;
    uint32_t a = step_by_label(g, r->from[into], g->label[e]);
    if (a == GRAPH_NONE || a == into || !r->want[a] || g->to[a] == r->from[e]) {
        return false;
    }
    uint32_t b = step_by_label(g, g->to[a], g->label[into]);
    if (b == GRAPH_NONE || b == e || !r->want[b] || g->to[b] != g->to[e]) {
        return false;
    }
    *ret_first = a;
    *ret_second = b;
    return true;
}

static void reduce(const struct graph *g, bool *want)
{
    uint32_t *from = graph_sources(g);
    uint32_t *into_first = tour_block(g->n_states + (size_t)1, sizeof *into_first);
    uint32_t *into = tour_block(g->n_edges, sizeof *into);
    struct reducing r = {g, from, want, tree_steps(g)};
    memset(into_first, 0, (g->n_states + (size_t)2) * sizeof *into_first);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        into_first[g->to[e] + 1]++;
    }
    for (uint32_t s = 0; s < g->n_states; s++) {
        into_first[s + 1] += into_first[s];
    }
    for (uint32_t e = g->n_edges; e > 0; e--) {
        into[--into_first[g->to[e - 1] + 1]] = e - 1;
    }
    /* now into_first[s + 1] is where the list of s begins, and that of s + 1 ends it */
    for (uint32_t e = 0; e < g->n_edges; e++) {
        uint32_t q = from[e], end = q + 1 < g->n_states ? into_first[q + 2] : g->n_edges;
        uint32_t first, second;
        for (uint32_t k = into_first[q + 1]; !r.held[e] && want[e] && k < end; k++) {
            if (want[into[k]] && other_order(&r, into[k], e, &first, &second)) {
                want[e] = false;
                r.held[first] = r.held[second] = r.held[into[k]] = true;
            }
        }
    }
    vec_release(from);
    vec_release(into_first);
    vec_release(into);
    vec_release(r.held);
}

bool *tour_want(const struct graph *g, const struct tour_options *options)
{
    if (options->cover == COVER_STATES) {
        return tree_steps(g);
    }
    bool *want = tour_block(g->n_edges, sizeof *want);
    memset(want, 1, g->n_edges * sizeof *want);
    if (options->reduce) {
        reduce(g, want);
    }
    return want;
}

/* The fewest actions that take every wanted step: a minimum-cost flow.
 *
 * Let a state have `in` wanted steps to it and `out` from it. The cases that come to it by `in`
 * steps can go on by as many; what it has more of them is a supply, what it lacks a demand. A unit
 * of supply may end, at no cost, or be led to a demand by steps that are taken once more, at the
 * cost of one each; an initial state gives any number of units, each at the cost of beginning a
 * case. There are no capacities.
 *
 * Primal-dual: potentials are the distances from the supplies in the residual graph, found with
 * buckets, and at each distance a maximum flow (Dinic's) uses all the shortest ways there are.
 * Since initial states give without limit, no way to a demand is ever longer than its distance from
 * them, which bounds the number of phases. A step costs 2 and a case 2R + 1, so that among ways of
 * the same length one that begins no case is taken: a way begins at most one, hence comparing ways
 * in this order minimises actions (with R a case) first and cases second. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "tour/tour_int.h"

enum { STEP_COST = 2 };
#define FAR INT32_MAX

struct bucket {
    VEC(uint32_t) states;
};

struct flow {
    const struct graph *g;
    uint32_t *from, *into_first, *into; /* steps by where they lead */
    uint32_t *extra;                    /* [n_edges]: the flow */
    uint32_t *starts;                   /* [n_initial] */
    int32_t *rest;                      /* [n_states]: supply left, or demand left below 0 */
    int32_t *potential, *distance;      /* [n_states] */
    uint32_t *rank;                     /* Dinic's layers; 0: not reached */
    uint32_t *arc;                      /* the next arc to look at: out first, then in */
    uint32_t *queue;
    int32_t start_cost, end_potential;
    bool first_free;  /* no case has begun, and there is one initial state */
    uint64_t lacking; /* demand left */
    struct bucket *buckets;
    size_t n_buckets;
};

static int32_t cost_out(const struct flow *f, uint32_t e)
{
    return STEP_COST + f->potential[f->from[e]] - f->potential[f->g->to[e]];
}

/* Whether the state can be begun with, at that reduced cost. */
static bool cost_begin(const struct flow *f, uint32_t state, int32_t *ret)
{
    if (f->rest[state] > 0) {
        *ret = -f->potential[state];
        return true;
    }
    *ret = (f->first_free ? 0 : f->start_cost) - f->potential[state];
    return state < f->g->n_initial;
}

/* ---- distances ---- */

static void reach(struct flow *f, uint32_t state, int32_t distance)
{
    if (distance < f->distance[state] && (size_t)distance < f->n_buckets) {
        f->distance[state] = distance;
        VEC_PUSH(&f->buckets[distance].states, state);
    }
}

static void relax(struct flow *f, uint32_t v, int32_t distance)
{
    const struct graph *g = f->g;
    for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++) {
        reach(f, g->to[e], distance + cost_out(f, e));
    }
    for (uint32_t k = f->into_first[v]; k < f->into_first[v + 1]; k++) {
        if (f->extra[f->into[k]] != 0) {
            reach(f, f->from[f->into[k]], distance - cost_out(f, f->into[k]));
        }
    }
}

/* Distances up to that of the nearest demand, which become potentials. */
static void find_distances(struct flow *f)
{
    uint32_t n = f->g->n_states;
    int32_t nearest = FAR, cost = 0;
    for (uint32_t v = 0; v < n; v++) {
        f->distance[v] = FAR;
    }
    for (uint32_t v = 0; v < n; v++) {
        if (cost_begin(f, v, &cost)) {
            reach(f, v, cost);
        }
    }
    for (int32_t d = 0; d < nearest && (size_t)d < f->n_buckets; d++) {
        for (size_t i = 0; i < f->buckets[d].states.n; i++) {
            uint32_t v = f->buckets[d].states.v[i];
            if (f->distance[v] != d) {
                continue; /* it was reached by a shorter way later */
            }
            int32_t end = d + f->potential[v] - f->end_potential;
            nearest = f->rest[v] < 0 && end < nearest ? end : nearest;
            relax(f, v, d);
        }
    }
    ASSERT(nearest != FAR); /* initial states lead everywhere */
    for (uint32_t v = 0; v < n; v++) {
        f->potential[v] += f->distance[v] < nearest ? f->distance[v] : nearest;
    }
    f->end_potential += nearest;
    for (size_t d = 0; d < f->n_buckets; d++) {
        VEC_RESET(&f->buckets[d].states);
    }
}

/* ---- a maximum flow along shortest ways ---- */

/* The arc number k of a state that costs nothing now: where it leads, or GRAPH_NONE. */
static uint32_t arc_to(const struct flow *f, uint32_t v, uint32_t k)
{
    const struct graph *g = f->g;
    uint32_t out = g->first[v + 1] - g->first[v];
    if (k < out) {
        uint32_t e = g->first[v] + k;
        return cost_out(f, e) == 0 ? g->to[e] : GRAPH_NONE;
    }
    uint32_t e = f->into[f->into_first[v] + (k - out)];
    return f->extra[e] != 0 && cost_out(f, e) == 0 ? f->from[e] : GRAPH_NONE;
}

static uint32_t arcs_of(const struct flow *f, uint32_t v)
{
    return f->g->first[v + 1] - f->g->first[v] + f->into_first[v + 1] - f->into_first[v];
}

static bool is_end(const struct flow *f, uint32_t v)
{
    return f->rest[v] < 0 && f->potential[v] == f->end_potential;
}

/* Layers by the number of arcs; whether there is a way to a demand. */
static bool find_ranks(struct flow *f)
{
    uint32_t n = 0;
    int32_t cost = 0;
    bool any = false;
    memset(f->rank, 0, f->g->n_states * sizeof *f->rank);
    for (uint32_t v = 0; v < f->g->n_states; v++) {
        if (cost_begin(f, v, &cost) && cost == 0) {
            f->rank[v] = 1;
            f->queue[n++] = v;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = f->queue[i], arcs = arcs_of(f, v);
        any = any || is_end(f, v);
        f->arc[v] = 0;
        for (uint32_t k = 0; k < arcs; k++) {
            uint32_t to = arc_to(f, v, k);
            if (to != GRAPH_NONE && f->rank[to] == 0) {
                f->rank[to] = f->rank[v] + 1;
                f->queue[n++] = to;
            }
        }
    }
    return any;
}

/* Sends what it can along the way on the stack: v[0] .. v[n - 1], by arcs f->arc[v[i]]. */
static void send(struct flow *f, const uint32_t *way, uint32_t n)
{
    uint32_t begin = way[0], end = way[n - 1];
    int64_t most = -(int64_t)f->rest[end];
    bool supply = f->rest[begin] > 0;
    most = supply && f->rest[begin] < most ? f->rest[begin] : most;
    most = !supply && f->first_free ? 1 : most;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i + 1 < n; i++) {
            uint32_t v = way[i], out = f->g->first[v + 1] - f->g->first[v], k = f->arc[v];
            uint32_t e = k < out ? f->g->first[v] + k : f->into[f->into_first[v] + (k - out)];
            if (pass == 0) {
                most = k >= out && f->extra[e] < most ? f->extra[e] : most;
            } else {
                f->extra[e] = k < out ? f->extra[e] + (uint32_t)most : f->extra[e] - (uint32_t)most;
            }
        }
    }
    f->rest[end] += (int32_t)most;
    f->lacking -= (uint64_t)most;
    if (supply) {
        f->rest[begin] -= (int32_t)most;
    } else {
        f->starts[begin] += (uint32_t)most;
        f->first_free = false;
    }
}

/* Looks for a way from the state on top of the stack; its length, or 0. */
static uint32_t find_way(struct flow *f, uint32_t *way)
{
    uint32_t n = 1;
    while (n > 0) {
        uint32_t v = way[n - 1];
        if (is_end(f, v)) {
            return n;
        }
        uint32_t arcs = arcs_of(f, v), to = GRAPH_NONE;
        for (; f->arc[v] < arcs; f->arc[v]++) {
            to = arc_to(f, v, f->arc[v]);
            if (to != GRAPH_NONE && f->rank[to] == f->rank[v] + 1) {
                break;
            }
        }
        if (f->arc[v] < arcs) {
            way[n++] = to;
        } else {
            f->rank[v] = 0; /* it leads nowhere */
            n--;
            if (n > 0) {
                f->arc[way[n - 1]]++;
            }
        }
    }
    return 0;
}

static void blocking_flow(struct flow *f, uint32_t *way)
{
    int32_t cost = 0;
    for (uint32_t v = 0; v < f->g->n_states; v++) {
        while (f->rank[v] == 1 && cost_begin(f, v, &cost) && cost == 0) {
            way[0] = v;
            uint32_t n = find_way(f, way);
            if (n == 0) {
                break;
            }
            send(f, way, n);
        }
    }
}

/* ---- all of it ---- */

static void list_into(struct flow *f)
{
    const struct graph *g = f->g;
    memset(f->into_first, 0, (g->n_states + (size_t)2) * sizeof *f->into_first);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        f->into_first[g->to[e] + 1]++;
    }
    for (uint32_t s = 0; s < g->n_states; s++) {
        f->into_first[s + 1] += f->into_first[s];
    }
    memcpy(f->queue, f->into_first, g->n_states * sizeof *f->queue);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        f->into[f->queue[g->to[e]]++] = e;
    }
}

static void balance(struct flow *f, const bool *want)
{
    const struct graph *g = f->g;
    memset(f->rest, 0, g->n_states * sizeof *f->rest);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        f->rest[g->to[e]] += want[e] ? 1 : 0;
        f->rest[f->from[e]] -= want[e] ? 1 : 0;
    }
    for (uint32_t s = 0; s < g->n_states; s++) {
        f->lacking += f->rest[s] < 0 ? (uint64_t)-f->rest[s] : 0;
    }
}

void tour_flow_solve(const struct graph *g, const bool *want, uint32_t start_cost, uint32_t *extra,
                     uint32_t *starts)
{
    size_t n = g->n_states;
    uint32_t *level = graph_levels(g), depth = n != 0 ? level[n - 1] : 0;
    struct flow f = {.g = g,
                     .from = graph_sources(g),
                     .into_first = tour_block(n + 1, sizeof(uint32_t)),
                     .into = tour_block(g->n_edges, sizeof(uint32_t)),
                     .extra = extra,
                     .starts = starts,
                     .rest = tour_block(n, sizeof(int32_t)),
                     .potential = tour_block(n, sizeof(int32_t)),
                     .distance = tour_block(n, sizeof(int32_t)),
                     .rank = tour_block(n, sizeof(uint32_t)),
                     .arc = tour_block(n, sizeof(uint32_t)),
                     .queue = tour_block(n, sizeof(uint32_t)),
                     .start_cost = (int32_t)(STEP_COST * start_cost + 1),
                     .first_free = g->n_initial == 1};
    uint32_t *way = tour_block(n, sizeof *way);
    f.n_buckets = (size_t)STEP_COST * depth + (size_t)f.start_cost + 2;
    f.buckets = tour_block(f.n_buckets, sizeof *f.buckets);
    memset(f.buckets, 0, f.n_buckets * sizeof *f.buckets);
    memset(f.potential, 0, n * sizeof *f.potential);
    memset(extra, 0, g->n_edges * sizeof *extra);
    memset(starts, 0, g->n_initial * sizeof *starts);
    list_into(&f);
    balance(&f, want);
    while (f.lacking != 0) {
        find_distances(&f);
        while (find_ranks(&f)) {
            blocking_flow(&f, way);
        }
    }
    for (size_t d = 0; d < f.n_buckets; d++) {
        VEC_DONE(&f.buckets[d].states);
    }
    void *blocks[] = {level,      f.from, f.into_first, f.into,  f.rest,    f.potential,
                      f.distance, f.rank, f.arc,        f.queue, f.buckets, way};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        vec_release(blocks[i]);
    }
}

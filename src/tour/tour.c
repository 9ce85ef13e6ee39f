/* Making plans, and counting what they do and cover. */
#include "tour/tour.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "tour/tour_int.h"

const char *tour_kind_name(enum tour_kind kind)
{
    static const char *const names[] = {"ec", "flow", "layer"}; /* ORDER enum tour_kind */
    return names[kind];
}

uint32_t tour_case_new(struct tour *tour, uint32_t parent, uint32_t at, uint32_t start)
{
    struct tour_case new = {parent, at, start, 0, tour->edges.n};
    VEC_PUSH(&tour->cases, new);
    ASSERT(tour->cases.n < TOUR_NONE);
    return (uint32_t)(tour->cases.n - 1);
}

/* Each case begins where it says, and its steps follow each other. */
static void check(const struct tour *tour)
{
    const struct graph *g = tour->graph;
    for (size_t i = 0; i < tour->cases.n; i++) {
        const struct tour_case *c = &tour->cases.v[i];
        uint32_t state = c->start;
        if (c->parent != TOUR_NONE) {
            const struct tour_case *p = &tour->cases.v[c->parent];
            ASSERT(c->parent < i && c->at <= p->n);
            ASSERT(state == (c->at == 0 ? p->start : g->to[tour->edges.v[p->first + c->at - 1]]));
        } else {
            ASSERT(state < g->n_initial);
        }
        for (uint32_t k = 0; k < c->n; k++) {
            uint32_t e = tour->edges.v[c->first + k];
            ASSERT(g->first[state] <= e && e < g->first[state + 1]);
            state = g->to[e];
        }
    }
}

static void count_pairs(struct tour *tour)
{
    const struct graph *g = tour->graph;
    size_t most = (size_t)g->n_actions * g->n_actions;
    bool *covered = tour_block(most, sizeof *covered);
    memset(covered, 0, most * sizeof *covered);
    for (size_t i = 0; i < tour->cases.n; i++) {
        const struct tour_case *c = &tour->cases.v[i];
        uint32_t before = GRAPH_NONE;
        if (c->parent != TOUR_NONE && c->at != 0) {
            before = tour->edges.v[tour->cases.v[c->parent].first + c->at - 1];
        }
        for (uint32_t k = 0; k < c->n; k++) {
            uint32_t e = tour->edges.v[c->first + k];
            uint32_t a = before != GRAPH_NONE ? g->labels[g->label[before]].action : 0;
            size_t pair = (size_t)a * g->n_actions + g->labels[g->label[e]].action;
            if (before != GRAPH_NONE && !covered[pair]) {
                covered[pair] = true;
                tour->pairs_covered++;
            }
            before = e;
        }
    }
    vec_release(covered);
}

static void count_cover(struct tour *tour)
{
    const struct graph *g = tour->graph;
    bool *edges = tour_block(g->n_edges, sizeof *edges);
    bool *states = tour_block(g->n_states, sizeof *states);
    memset(edges, 0, g->n_edges * sizeof *edges);
    memset(states, 0, g->n_states * sizeof *states);
    for (size_t i = 0; i < tour->cases.n; i++) {
        const struct tour_case *c = &tour->cases.v[i];
        tour->states_covered += states[c->start] ? 0 : 1;
        states[c->start] = true;
        for (uint32_t k = 0; k < c->n; k++) {
            uint32_t e = tour->edges.v[c->first + k];
            tour->edges_covered += edges[e] ? 0 : 1;
            tour->states_covered += states[g->to[e]] ? 0 : 1;
            edges[e] = states[g->to[e]] = true;
        }
    }
    vec_release(edges);
    vec_release(states);
    count_pairs(tour);
}

/* A case of the list that is sorted. */
struct branch {
    const struct tour_case *of;
};

static int by_branch(const void *a, const void *b)
{
    const struct tour_case *x = ((const struct branch *)a)->of;
    const struct tour_case *y = ((const struct branch *)b)->of;
    uint64_t p = (uint64_t)x->parent << 32 | x->at, q = (uint64_t)y->parent << 32 | y->at;
    p = x->parent == TOUR_NONE ? UINT64_MAX - x->start : p;
    q = y->parent == TOUR_NONE ? UINT64_MAX - y->start : q;
    return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

static bool same_branch(const struct tour_case *x, const struct tour_case *y)
{
    return x->parent == y->parent && x->at == y->at &&
           (x->parent != TOUR_NONE || x->start == y->start);
}

/* A snapshot for each place where cases branch off, from when it is met until the last of them has
 * begun. An initial state is one for all cases but the first that begin there. */
static void count_snapshots(struct tour *tour)
{
    size_t n = tour->cases.n;
    struct branch *sorted = tour_block(n, sizeof *sorted);
    int64_t *change = tour_block(n, sizeof *change), live = 0;
    memset(change, 0, (n + 1) * sizeof *change);
    for (size_t i = 0; i < n; i++) {
        sorted[i].of = &tour->cases.v[i];
    }
    if (n > 1) {
        qsort(sorted, n, sizeof *sorted, by_branch);
    }
    for (size_t i = 0, end = 0; i < n; i = end) {
        for (end = i + 1; end < n && same_branch(sorted[i].of, sorted[end].of); end++) {
        }
        bool initial = sorted[i].of->parent == TOUR_NONE;
        if (!initial || end - i > 1) {
            size_t met = initial ? (size_t)(sorted[i].of - tour->cases.v) : sorted[i].of->parent;
            tour->snapshots++;
            change[met]++;
            change[sorted[end - 1].of - tour->cases.v]--;
        }
    }
    for (size_t i = 0; i < n; i++) {
        live += change[i];
        tour->live = live > (int64_t)tour->live ? (uint64_t)live : tour->live;
    }
    vec_release(sorted);
    vec_release(change);
}

static void count_work(struct tour *tour)
{
    uint64_t *before = tour_block(tour->cases.n, sizeof *before);
    for (size_t i = 0; i < tour->cases.n; i++) {
        const struct tour_case *c = &tour->cases.v[i];
        before[i] = c->parent == TOUR_NONE ? 0 : before[c->parent] + c->at;
        tour->actions += c->n + (tour->replays ? before[i] : 0);
        tour->longest = before[i] + c->n > tour->longest ? before[i] + c->n : tour->longest;
    }
    tour->restores = tour->cases.n != 0 ? tour->cases.n - 1 : 0;
    vec_release(before);
    if (!tour->replays) {
        count_snapshots(tour);
    }
}

int tour_make(const struct graph *graph, const struct tour_options *options, struct tour **ret,
              struct err *err)
{
    if (graph->n_initial == 0) {
        return err_set(err, ERR_INVALID, 0, "the graph has no initial state");
    }
    struct tour *tour = tour_block(1, sizeof *tour);
    memset(tour, 0, sizeof *tour);
    tour->graph = graph;
    tour->options = *options;
    bool *want = tour_want(graph, options);
    for (uint32_t e = 0; e < graph->n_edges; e++) {
        tour->edges_wanted += want[e] ? 1 : 0;
    }
    tour->edges_left = options->reduce ? graph->n_edges - tour->edges_wanted : 0;
    if (options->cover == COVER_PAIRS) {
        tour_pairs(tour);
    } else if (options->kind == TOUR_EC) {
        tour_ec(tour, want);
    } else if (options->kind == TOUR_FLOW) {
        tour_flow(tour, want);
    } else {
        tour_layer(tour, want);
    }
    vec_release(want);
    check(tour);
    count_work(tour);
    count_cover(tour);
    *ret = tour;
    return 0;
}

void tour_free(struct tour *tour)
{
    if (tour != NULL) {
        VEC_DONE(&tour->cases);
        VEC_DONE(&tour->edges);
        vec_release(tour);
    }
}

double tour_seconds(const struct tour *tour, const struct tour_costs *costs)
{
    return ((double)tour->actions * costs->action + (double)(tour->restores + 1) * costs->restore +
            (double)tour->snapshots * costs->snapshot) *
           1e-9;
}

/* Every step exactly once, with snapshots.
 *
 * States have an order: strongly connected components as they follow one another, the states of
 * one by their numbers. A step up in it goes on, and is an arrival at its state: each takes one of
 * the state's steps. What there are more steps than arrivals is begun from a snapshot, taken at
 * the first arrival and used before anything that was taken earlier. Every state but an initial one
 * has an arrival (the first step to it: numbers are in breadth-first order), and all arrivals come
 * from states before it, so nothing is left over. Snapshots are a stack whose states go up: no more
 * are held than the longest way up has states.
 *
 * A step down ends its case, unless the snapshot on top is that very state: then it takes the place
 * of going back there.
 *
 * In a graph without circuits all steps are arrivals, and no plan of this kind has fewer cases:
 * each state needs as many as it has more steps from it than to it. Breadth-first layers instead of
 * components give more (on Mocket's Raft-java graph 2,987 restores, not 2,558). The time is that of
 * the graph, and of sorting the steps of each state.
 *
 * How many snapshots are held depends on the order of a state's steps. While the first ones are
 * done its snapshot is there, during the last one from it no more: so what needs many comes late
 * (as Sethi and Ullman order operands to save registers). Steps down need none. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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
    const bool *want;
    uint32_t *part;          /* of each state: its strongly connected component */
    uint32_t *arrivals;      /* by steps up */
    uint32_t *steps, *first; /* wanted steps of a state, those down first */
    uint32_t *at;            /* the next one */
    uint32_t *need;          /* about how many snapshots are held at once for what follows */
    VEC(uint64_t) order;     /* of the steps up of one state */
    uint32_t n_parts;
    bool *seen;
    VEC(struct branch) stack;
};

static bool is_up(const struct layering *l, uint32_t from, uint32_t e)
{
    uint32_t to = l->tour->graph->to[e];
    return l->part[to] != l->part[from] || to > from;
}

/* ---- components ---- */

/* Tarjan's method, without recursion: `at` is the next step of a state on the way. */
struct parting {
    struct layering *l;
    uint32_t *index, *low; /* from 1 on; 0: not met */
    VEC(uint32_t) way, open;
    uint32_t met, parts;
};

static void enter(struct parting *p, uint32_t s)
{
    p->index[s] = p->low[s] = ++p->met;
    p->l->at[s] = p->l->tour->graph->first[s];
    VEC_PUSH(&p->way, s);
    VEC_PUSH(&p->open, s);
}

/* All that is open since s was met is one component. */
static void close_part(struct parting *p, uint32_t s)
{
    uint32_t t = GRAPH_NONE;
    while (t != s) {
        t = VEC_POP(&p->open);
        p->l->part[t] = p->parts;
    }
    p->parts++;
}

static void advance(struct parting *p)
{
    const struct graph *g = p->l->tour->graph;
    uint32_t s = VEC_LAST(&p->way);
    while (p->l->at[s] < g->first[s + 1]) {
        uint32_t e = p->l->at[s]++, t = g->to[e];
        if (!p->l->want[e]) {
            continue;
        }
        if (p->index[t] == 0) {
            enter(p, t);
            return;
        }
        if (p->l->part[t] == GRAPH_NONE && p->index[t] < p->low[s]) {
            p->low[s] = p->index[t];
        }
    }
    (void)VEC_POP(&p->way);
    if (p->low[s] == p->index[s]) {
        close_part(p, s);
    }
    if (p->way.n != 0) {
        uint32_t before = VEC_LAST(&p->way);
        p->low[before] = p->low[s] < p->low[before] ? p->low[s] : p->low[before];
    }
}

static void find_parts(struct layering *l)
{
    uint32_t n = l->tour->graph->n_states;
    struct parting p = {
        .l = l, .index = tour_block(n, sizeof(uint32_t)), .low = tour_block(n, sizeof(uint32_t))};
    memset(l->part, 0xff, n * sizeof *l->part);
    memset(p.index, 0, n * sizeof *p.index);
    for (uint32_t s = 0; s < n; s++) {
        if (p.index[s] == 0) {
            enter(&p, s);
        }
        while (p.way.n != 0) {
            advance(&p);
        }
    }
    l->n_parts = p.parts;
    vec_release(p.index);
    vec_release(p.low);
    VEC_DONE(&p.way);
    VEC_DONE(&p.open);
}

/* ---- the order of steps ---- */

static void count_arrivals(struct layering *l)
{
    const struct graph *g = l->tour->graph;
    uint32_t n = 0;
    memset(l->arrivals, 0, g->n_states * sizeof *l->arrivals);
    for (uint32_t s = 0; s < g->n_states; s++) {
        l->first[s] = l->at[s] = n;
        for (uint32_t e = g->first[s]; e < g->first[s + 1]; e++) {
            n += l->want[e] ? 1 : 0;
            l->arrivals[g->to[e]] += l->want[e] && is_up(l, s, e) ? 1 : 0;
        }
    }
    l->first[g->n_states] = n;
}

/* States, each after all that steps up from it lead to. For vec_release. */
static uint32_t *upwards(const struct layering *l)
{
    uint32_t n = l->tour->graph->n_states;
    uint32_t *ret = tour_block(n, sizeof *ret), *begin = tour_block(l->n_parts + 1, sizeof *begin);
    memset(begin, 0, (l->n_parts + 1) * sizeof *begin);
    for (uint32_t s = 0; s < n; s++) {
        begin[l->part[s] + 1]++; /* the parts are numbered from the last one on */
    }
    for (uint32_t k = 0; k < l->n_parts; k++) {
        begin[k + 1] += begin[k];
    }
    for (uint32_t s = n; s-- > 0;) {
        ret[begin[l->part[s]]++] = s;
    }
    vec_release(begin);
    return ret;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* From a snapshot so many steps are done in a row; when the last of them begins it is gone. */
static uint32_t steps_at_once(const struct layering *l, uint32_t s)
{
    uint32_t steps = l->first[s + 1] - l->first[s];
    uint32_t arrivals = l->arrivals[s] > 1 ? l->arrivals[s] : 1;
    return steps > arrivals ? steps - arrivals + 1 : 1;
}

/* What steps up from s lead to has been done before. */
static void order_state(struct layering *l, uint32_t s)
{
    const struct graph *g = l->tour->graph;
    uint32_t n = l->first[s], at_once = l->first[s] + steps_at_once(l, s);
    l->order.n = 0;
    l->need[s] = 0;
    for (uint32_t e = g->first[s]; e < g->first[s + 1]; e++) {
        if (l->want[e] && is_up(l, s, e)) {
            VEC_PUSH(&l->order, (uint64_t)l->need[g->to[e]] << 32 | e);
        } else if (l->want[e]) {
            l->steps[n++] = e;
        }
    }
    if (l->order.n > 1) {
        qsort(l->order.v, l->order.n, sizeof l->order.v[0], compare);
    }
    for (size_t i = 0; i < l->order.n; i++) {
        uint32_t need = (uint32_t)(l->order.v[i] >> 32) + (n + 1 < at_once ? 1 : 0);
        l->need[s] = need > l->need[s] ? need : l->need[s];
        l->steps[n++] = (uint32_t)l->order.v[i];
    }
}

static void order_steps(struct layering *l)
{
    uint32_t *states = upwards(l);
    count_arrivals(l);
    for (uint32_t i = 0; i < l->tour->graph->n_states; i++) {
        order_state(l, states[i]);
    }
    vec_release(states);
}

/* ---- cases ---- */

/* A snapshot is worth taking where fewer arrivals come than there are steps. */
static void arrive(struct layering *l, uint32_t state, uint32_t self, uint32_t at)
{
    uint32_t at_once = steps_at_once(l, state);
    if (!l->seen[state] && at_once > 1) {
        VEC_PUSH(&l->stack, ((struct branch){state, at_once - 1, self, at}));
    }
    l->seen[state] = true;
}

/* Uses the snapshot on top once, if it is that state's. */
static bool use_top(struct layering *l, uint32_t state, struct branch *ret)
{
    if (l->stack.n == 0 || (state != GRAPH_NONE && VEC_LAST(&l->stack).state != state)) {
        return false;
    }
    struct branch *top = &VEC_LAST(&l->stack);
    *ret = *top;
    if (--top->left == 0) {
        (void)VEC_POP(&l->stack);
    }
    return true;
}

/* One case: as far as it goes. */
static void trail(struct layering *l, uint32_t parent, uint32_t at, uint32_t state)
{
    const struct graph *g = l->tour->graph;
    uint32_t self = tour_case_new(l->tour, parent, at, state);
    struct branch unused;
    bool on = true;
    if (parent == TOUR_NONE && !l->seen[state]) {
        arrive(l, state, self, 0);
    }
    while (on && l->at[state] < l->first[state + 1]) {
        uint32_t e = l->steps[l->at[state]++];
        tour_case_step(l->tour, e);
        bool up = is_up(l, state, e);
        state = g->to[e];
        if (up) {
            arrive(l, state, self, l->tour->cases.v[self].n);
        }
        on = up || use_top(l, state, &unused);
    }
}

void tour_layer(struct tour *tour, const bool *want)
{
    const struct graph *g = tour->graph;
    size_t n = g->n_states;
    struct layering l = {.tour = tour,
                         .want = want,
                         .part = tour_block(n, sizeof(uint32_t)),
                         .arrivals = tour_block(n, sizeof(uint32_t)),
                         .steps = tour_block(g->n_edges, sizeof(uint32_t)),
                         .first = tour_block(n + 1, sizeof(uint32_t)),
                         .at = tour_block(n, sizeof(uint32_t)),
                         .need = tour_block(n, sizeof(uint32_t)),
                         .seen = tour_block(n, sizeof(bool))};
    memset(l.seen, 0, n * sizeof *l.seen);
    find_parts(&l);
    order_steps(&l);
    for (uint32_t i = 0; i < g->n_initial; i++) {
        struct branch from;
        trail(&l, TOUR_NONE, 0, g->initial[i]);
        while (use_top(&l, GRAPH_NONE, &from)) {
            /* going back to an initial state is going back to the start */
            trail(&l, from.at == 0 ? TOUR_NONE : from.parent, from.at, from.state);
        }
    }
    for (uint32_t s = 0; s < g->n_states; s++) {
        ASSERT(l.at[s] == l.first[s + 1]);
    }
    vec_release(l.part);
    vec_release(l.arrivals);
    vec_release(l.steps);
    vec_release(l.first);
    vec_release(l.at);
    vec_release(l.need);
    VEC_DONE(&l.order);
    vec_release(l.seen);
    VEC_DONE(&l.stack);
}

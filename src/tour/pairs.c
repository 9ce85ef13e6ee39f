/* Every two actions that can follow one another, once: for each pair the two steps nearest to an
 * initial state, with the shortest way before them. The deepest come first, since what they pass on
 * their way need not be done again. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "graph/graph.h"
#include "tour/tour.h"
#include "tour/tour_int.h"

struct pair {
    uint32_t first, second; /* steps */
    uint32_t number;        /* of the pair */
    uint32_t level;
};

struct place {
    uint32_t parent, at; /* TOUR_NONE: no case has been there by the shortest way */
};

struct pairing {
    struct tour *tour;
    const uint32_t *from;
    uint32_t *tree; /* [n_states]: the first step to a state, GRAPH_NONE for initial ones */
    struct place *places;
    bool *covered;
    VEC(uint32_t) way;
    VEC(struct pair) pairs;
};

static int by_level(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return x->level != y->level ? (x->level < y->level) - (x->level > y->level)
                                : (x->number > y->number) - (x->number < y->number);
}

static uint32_t pair_of(const struct graph *g, uint32_t first, uint32_t second)
{
    return g->labels[g->label[first]].action * g->n_actions + g->labels[g->label[second]].action;
}

static void find_pairs(struct pairing *p, const uint32_t *level)
{
    const struct graph *g = p->tour->graph;
    size_t most = (size_t)g->n_actions * g->n_actions;
    bool *found = tour_block(most, sizeof *found);
    memset(found, 0, most * sizeof *found);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        for (uint32_t f = g->first[g->to[e]]; f < g->first[g->to[e] + 1]; f++) {
            uint32_t pair = pair_of(g, e, f);
            if (!found[pair]) {
                found[pair] = true;
                VEC_PUSH(&p->pairs, ((struct pair){e, f, pair, level[p->from[e]]}));
            }
        }
    }
    if (p->pairs.n > 1) {
        qsort(p->pairs.v, p->pairs.n, sizeof p->pairs.v[0], by_level);
    }
    vec_release(found);
}

static void step(struct pairing *p, uint32_t e, uint32_t before)
{
    tour_case_step(p->tour, e);
    if (before != GRAPH_NONE) {
        p->covered[pair_of(p->tour->graph, before, e)] = true;
    }
}

static void cover(struct pairing *p, const struct pair *pair)
{
    const struct graph *g = p->tour->graph;
    uint32_t state = p->from[pair->first], before = GRAPH_NONE;
    VEC_RESET(&p->way);
    while (p->tree[state] != GRAPH_NONE && p->places[state].parent == TOUR_NONE) {
        VEC_PUSH(&p->way, p->tree[state]);
        state = p->from[p->tree[state]];
    }
    struct place place = p->places[state];
    uint32_t self = tour_case_new(p->tour, place.parent, place.at, state);
    before = p->tree[state];
    for (size_t i = p->way.n; i > 0; i--) {
        uint32_t e = p->way.v[i - 1];
        step(p, e, before);
        p->places[g->to[e]] = (struct place){self, p->tour->cases.v[self].n};
        before = e;
    }
    step(p, pair->first, before);
    step(p, pair->second, pair->first);
}

void tour_pairs(struct tour *tour)
{
    const struct graph *g = tour->graph;
    uint32_t *from = graph_sources(g), *level = graph_levels(g), reached = g->n_initial;
    struct pairing p = {.tour = tour,
                        .from = from,
                        .tree = tour_block(g->n_states, sizeof(uint32_t)),
                        .places = tour_block(g->n_states, sizeof(struct place)),
                        .covered = tour_block((size_t)g->n_actions * g->n_actions, sizeof(bool))};
    memset(p.tree, 0xff, g->n_states * sizeof *p.tree);
    memset(p.places, 0xff, g->n_states * sizeof *p.places);
    memset(p.covered, 0, (size_t)g->n_actions * g->n_actions * sizeof *p.covered);
    for (uint32_t e = 0; e < g->n_edges; e++) {
        if (g->to[e] == reached) {
            p.tree[reached++] = e;
        }
    }
    tour->replays = tour->options.kind != TOUR_LAYER;
    find_pairs(&p, level);
    for (size_t i = 0; i < p.pairs.n; i++) {
        if (!p.covered[p.pairs.v[i].number]) {
            cover(&p, &p.pairs.v[i]);
        }
    }
    tour->pairs = p.pairs.n;
    vec_release(from);
    vec_release(level);
    vec_release(p.tree);
    vec_release(p.places);
    vec_release(p.covered);
    VEC_DONE(&p.way);
    VEC_DONE(&p.pairs);
}

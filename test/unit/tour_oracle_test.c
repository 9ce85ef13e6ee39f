/* Plans of random small graphs against slow and obvious ways to find the same. */
#include <stdint.h>

#include "base/rng.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "graph/graph_int.h"
#include "test.h"
#include "tour/tour.h"

enum { STATES = 5, EDGES = 9 };

/* Labels are numbers below 3. */
static struct graph *graph_of(const struct graph_parts *parts)
{
    struct graph *graph = graph_new();
    size_t cap = 0;
    graph->labels = vec_grow(NULL, &cap, 3, sizeof *graph->labels);
    for (uint32_t i = 0; i < 3; i++) {
        static const char *const names[] = {"A", "B", "C"};
        graph->labels[i] =
            (struct graph_label){str_of(names[i]), graph_action(graph, str_of(names[i]))};
    }
    graph->n_labels = 3;
    CHECK_EQ(graph_make(graph, parts, NULL), 0);
    CHECK_EQ(graph->n_states, (uint32_t)parts->n_ids);
    return graph;
}

/* A graph in which everything can be reached; labels are numbers below 3. */
static struct graph *random_graph(struct rng *rng, uint32_t n, uint32_t extra, uint32_t initial)
{
    uint32_t from[64], to[64], label[64], roots[8], m = 0;
    for (uint32_t v = initial; v < n; v++, m++) {
        from[m] = (uint32_t)rng_below(rng, v);
        to[m] = v;
        label[m] = (uint32_t)rng_below(rng, 3);
    }
    for (uint32_t i = 0; i < extra; i++, m++) {
        from[m] = (uint32_t)rng_below(rng, n);
        to[m] = (uint32_t)rng_below(rng, n);
        label[m] = (uint32_t)rng_below(rng, 3);
    }
    for (uint32_t i = 0; i < initial; i++) {
        roots[i] = i;
    }
    return graph_of(&(struct graph_parts){n, m, initial, from, to, label, roots});
}

/* The fewest actions, and of those plans the fewest cases: Bellman-Ford over (state, steps taken).
 * A case costs start * 1000 + 1, an action 1000. */
static uint64_t cheapest(const struct graph *g, uint64_t start)
{
    size_t sets = (size_t)1 << g->n_edges, n = sets * g->n_states;
    uint64_t *cost = malloc(n * sizeof *cost), best = UINT64_MAX;
    memset(cost, 0xff, n * sizeof *cost);
    for (size_t set = 0; set < sets; set++) {
        uint64_t least = set == 0 ? 0 : UINT64_MAX;
        for (int again = 0; again < STATES + 1; again++) { /* ways that take nothing new */
            for (uint32_t s = 0; s < g->n_states; s++) {
                least = cost[set * g->n_states + s] < least ? cost[set * g->n_states + s] : least;
            }
            for (uint32_t i = 0; i < g->n_initial && least != UINT64_MAX; i++) {
                uint64_t *at = &cost[set * g->n_states + i];
                *at = least + start * 1000 + 1 < *at ? least + start * 1000 + 1 : *at;
            }
            for (uint32_t s = 0; s < g->n_states; s++) {
                uint64_t here = cost[set * g->n_states + s];
                for (uint32_t e = g->first[s]; here != UINT64_MAX && e < g->first[s + 1]; e++) {
                    uint64_t *at = &cost[(set | (size_t)1 << e) * g->n_states + g->to[e]];
                    *at = here + 1000 < *at ? here + 1000 : *at;
                }
            }
        }
    }
    for (uint32_t s = 0; s < g->n_states; s++) {
        uint64_t here = cost[(sets - 1) * g->n_states + s];
        best = here < best ? here : best;
    }
    free(cost);
    return best;
}

static struct tour *make(const struct graph *g, struct tour_options options)
{
    struct tour *tour = NULL;
    struct err err = {0};
    CHECK_EQ(tour_make(g, &options, &tour, &err), 0);
    return tour;
}

/* ---- the same for larger graphs, as the textbook has it ---- */

enum { NODES = 32, ARCS = 300 };
struct net {
    uint32_t n;
    int32_t from[ARCS], to[ARCS];
    int64_t room[ARCS], cost[ARCS];
};

/* Each arc is followed by the one that takes its flow back. */
static void arc(struct net *net, uint32_t from, uint32_t to, int64_t room, int64_t cost)
{
    net->from[net->n] = net->to[net->n + 1] = (int32_t)from;
    net->to[net->n] = net->from[net->n + 1] = (int32_t)to;
    net->room[net->n] = room;
    net->room[net->n + 1] = 0;
    net->cost[net->n] = cost;
    net->cost[net->n + 1] = -cost;
    net->n += 2;
}

/* Sends one unit on a cheapest way as long as there is one: Bellman-Ford, over all arcs. */
static int64_t send_all(struct net *net, uint32_t source, uint32_t sink)
{
    int64_t sum = 0;
    for (;;) {
        int64_t far[NODES];
        int32_t by[NODES];
        for (uint32_t v = 0; v < NODES; v++) {
            far[v] = v == source ? 0 : INT64_MAX / 2;
            by[v] = -1;
        }
        for (bool better = true; better;) {
            better = false;
            for (uint32_t a = 0; a < net->n; a++) {
                int64_t there = far[net->from[a]] + net->cost[a];
                if (net->room[a] > 0 && far[net->from[a]] < INT64_MAX / 2 &&
                    there < far[net->to[a]]) {
                    far[net->to[a]] = there;
                    by[net->to[a]] = (int32_t)a;
                    better = true;
                }
            }
        }
        if (by[sink] < 0) {
            return sum;
        }
        for (uint32_t v = sink; v != source; v = (uint32_t)net->from[by[v]]) {
            net->room[by[v]]--;
            net->room[by[v] ^ 1]++;
        }
        sum += far[sink];
    }
}

/* One initial state, with which one case begins for certain. What comes to a state by more steps
 * than leave it may end there, or go where more leave, by steps that are taken once more. */
static uint64_t cheapest_flow(const struct graph *g, uint64_t start)
{
    static struct net net;
    uint32_t source = g->n_states, sink = source + 1;
    int64_t rest[NODES] = {1}, case_cost = (int64_t)start * 1000 + 1;
    net.n = 0;
    for (uint32_t v = 0; v < g->n_states; v++) {
        for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++) {
            rest[v]--;
            rest[g->to[e]]++;
            arc(&net, v, g->to[e], INT32_MAX, 1000);
        }
    }
    for (uint32_t v = 0; v < g->n_states; v++) {
        if (rest[v] > 0) {
            arc(&net, source, v, rest[v], 0);
        } else if (rest[v] < 0) {
            arc(&net, v, sink, -rest[v], 0);
        }
    }
    arc(&net, source, 0, INT32_MAX, case_cost);
    return (uint64_t)(g->n_edges * 1000 + case_cost + send_all(&net, source, sink));
}

TEST(flow_is_the_cheapest_in_larger_graphs)
{
    struct rng rng;
    rng_seed(&rng, 17);
    for (int round = 0; round < 600; round++) {
        uint32_t n = 4 + (uint32_t)rng_below(&rng, 24), start = (uint32_t)rng_below(&rng, 6);
        struct graph *g = random_graph(&rng, n, (uint32_t)rng_below(&rng, 36), 1);
        struct tour *tour = make(g, (struct tour_options){.kind = TOUR_FLOW, .start_cost = start});
        CHECK_EQ(tour->actions * 1000 + tour->cases.n * (1000 * start + 1),
                 cheapest_flow(g, start));
        CHECK_EQ(tour->edges_covered, g->n_edges);
        tour_free(tour);
        graph_free(g);
    }
}

TEST(flow_is_the_cheapest)
{
    struct rng rng;
    rng_seed(&rng, 7);
    for (int round = 0; round < 600; round++) {
        uint32_t n = 1 + (uint32_t)rng_below(&rng, STATES);
        uint32_t start = round % 3 == 0 ? (uint32_t)rng_below(&rng, 4) : 0;
        struct graph *g = random_graph(&rng, n, (uint32_t)rng_below(&rng, EDGES - n + 1), 1);
        struct tour *tour = make(g, (struct tour_options){.kind = TOUR_FLOW, .start_cost = start});
        uint64_t want = g->n_edges == 0 ? 1 + start * 1000 : cheapest(g, start);
        CHECK_EQ(tour->actions * 1000 + tour->cases.n * (1000 * start + 1), want);
        CHECK_EQ(tour->edges_covered, g->n_edges);
        tour_free(tour);
        graph_free(g);
    }
}

TEST(flow_covers_several_initial_states)
{
    struct rng rng;
    rng_seed(&rng, 8);
    for (int round = 0; round < 3000; round++) {
        uint32_t n = 3 + (uint32_t)rng_below(&rng, 20);
        struct graph *g = random_graph(&rng, n, (uint32_t)rng_below(&rng, 30), 3);
        struct tour *tour = make(g, (struct tour_options){.kind = TOUR_FLOW});
        CHECK_EQ(tour->edges_covered, g->n_edges);
        CHECK_EQ(tour->states_covered, g->n_states);
        tour_free(tour);
        graph_free(g);
    }
}

TEST(layer_takes_every_step_once)
{
    struct rng rng;
    rng_seed(&rng, 9);
    for (int round = 0; round < 3000; round++) {
        uint32_t n = 2 + (uint32_t)rng_below(&rng, 30), initial = 1 + (uint32_t)rng_below(&rng, 2);
        struct graph *g = random_graph(&rng, n, (uint32_t)rng_below(&rng, 30), initial);
        struct tour *tour = make(g, (struct tour_options){.kind = TOUR_LAYER});
        CHECK_EQ(tour->actions, g->n_edges);
        CHECK_EQ(tour->edges_covered, g->n_edges);
        CHECK_EQ(tour->states_covered, g->n_states);
        CHECK(tour->live <= g->n_states);
        CHECK(tour->restores < tour->cases.n);
        tour_free(tour);
        graph_free(g);
    }
}

/* A long way with a dead end beside each state, numbered before or after what goes on: the dead end
 * is done first, and each snapshot is gone before the way goes on. */
TEST(layer_holds_few)
{
    enum { STEPS = 40 };
    for (uint32_t after = 0; after < 2; after++) {
        uint32_t from[STEPS], to[STEPS], label[STEPS] = {0}, roots[1] = {0}, at = 0;
        for (uint32_t i = 0; i < STEPS; i += 2) {
            from[i] = from[i + 1] = at;
            to[i] = i + 1;
            to[i + 1] = i + 2;
            at = after == 1 ? i + 1 : i + 2;
        }
        struct graph *g =
            graph_of(&(struct graph_parts){STEPS + 1, STEPS, 1, from, to, label, roots});
        struct tour *tour = make(g, (struct tour_options){.kind = TOUR_LAYER});
        CHECK_EQ(tour->edges_covered, STEPS);
        CHECK_EQ(tour->live, 1);
        tour_free(tour);
        graph_free(g);
    }
}

/* Without circuits a case begins only where more steps go out than come in, and no more snapshots
 * are held than the longest way has states. */
TEST(layer_is_least_without_circuits)
{
    struct rng rng;
    rng_seed(&rng, 13);
    for (int round = 0; round < 3000; round++) {
        uint32_t n = 2 + (uint32_t)rng_below(&rng, 30), in[32] = {1}, longest[32] = {0};
        uint32_t cases = 1, most = 0;
        struct graph *g = random_graph(&rng, n, (uint32_t)rng_below(&rng, 30), 1);
        for (uint32_t s = 0; s < n; s++) { /* turned round where they lead back */
            for (uint32_t e = g->first[s]; e < g->first[s + 1]; e++) {
                g->to[e] = g->to[e] > s ? g->to[e] : n - 1;
                g->to[e] = s == n - 1 ? GRAPH_NONE : g->to[e];
            }
        }
        g->n_edges = g->first[n] = g->first[n - 1]; /* the last one has none */
        for (uint32_t s = 0; s < n; s++) {
            for (uint32_t e = g->first[s]; e < g->first[s + 1]; e++) {
                uint32_t to = g->to[e];
                in[to]++;
                longest[to] = longest[to] > longest[s] + 1 ? longest[to] : longest[s] + 1;
            }
        }
        for (uint32_t s = 0; s < n; s++) {
            uint32_t out = g->first[s + 1] - g->first[s];
            cases += out > in[s] ? out - in[s] : 0;
            most = longest[s] > most ? longest[s] : most;
        }
        struct tour *tour = make(g, (struct tour_options){.kind = TOUR_LAYER});
        CHECK_EQ(tour->actions, g->n_edges);
        CHECK_EQ(tour->edges_covered, g->n_edges);
        CHECK_EQ(tour->cases.n, cases);
        CHECK(tour->live <= most);
        tour_free(tour);
        graph_free(g);
    }
}

/* 0 -> 1, 1 -> 0, 0 -> 2, 0 -> 3: the step back to 0 comes in place of going back there. */
TEST(layer_goes_on_after_a_step_back)
{
    const uint32_t from[] = {0, 1, 0, 0}, to[] = {1, 0, 2, 3}, label[] = {0, 0, 1, 2}, root = 0;
    struct graph *g = graph_new();
    size_t cap = 0;
    g->labels = vec_grow(NULL, &cap, 3, sizeof *g->labels);
    for (uint32_t i = 0; i < 3; i++) {
        g->labels[i] = (struct graph_label){STR("A"), graph_action(g, STR("A"))};
    }
    g->n_labels = 3;
    struct graph_parts parts = {4, 4, 1, from, to, label, &root};
    CHECK_EQ(graph_make(g, &parts, NULL), 0);
    struct tour *tour = make(g, (struct tour_options){.kind = TOUR_LAYER});
    CHECK_EQ(tour->cases.n, 2);
    CHECK_EQ(tour->cases.v[0].n, 3);
    tour_free(tour);
    graph_free(g);
}

TEST(reduction_never_lowers_state_coverage)
{
    struct rng rng;
    uint64_t left = 0;
    rng_seed(&rng, 10);
    for (int round = 0; round < 3000; round++) {
        uint32_t n = 2 + (uint32_t)rng_below(&rng, 12);
        struct graph *g = random_graph(&rng, n, (uint32_t)rng_below(&rng, 40), 1);
        for (int kind = 0; kind < 3; kind++) {
            struct tour *tour =
                make(g, (struct tour_options){.kind = (enum tour_kind)kind, .reduce = true});
            CHECK_EQ(tour->states_covered, g->n_states);
            CHECK(tour->edges_covered >= tour->edges_wanted);
            CHECK_EQ(tour->edges_wanted + tour->edges_left, g->n_edges);
            left += tour->edges_left;
            tour_free(tour);
        }
        graph_free(g);
    }
    CHECK(left > 0);
}

/* Two actions that commute: of the four steps one may go. */
TEST(reduction_of_a_diamond)
{
    const uint32_t from[] = {0, 0, 1, 2}, to[] = {1, 2, 3, 3}, label[] = {0, 1, 1, 0}, root = 0;
    struct graph *g = graph_new();
    size_t cap = 0;
    g->labels = vec_grow(NULL, &cap, 2, sizeof *g->labels);
    g->labels[0] = (struct graph_label){STR("A"), graph_action(g, STR("A"))};
    g->labels[1] = (struct graph_label){STR("B"), graph_action(g, STR("B"))};
    g->n_labels = 2;
    struct graph_parts parts = {4, 4, 1, from, to, label, &root};
    CHECK_EQ(graph_make(g, &parts, NULL), 0);
    struct tour *tour = make(g, (struct tour_options){.kind = TOUR_LAYER, .reduce = true});
    CHECK_EQ(tour->edges_left, 1);
    CHECK_EQ(tour->actions, 3);
    CHECK_EQ(tour->states_covered, 4);
    tour_free(tour);
    graph_free(g);
}

/* All pairs that a walk of two steps shows. */
TEST(pairs_are_all_pairs)
{
    struct rng rng;
    rng_seed(&rng, 11);
    for (int round = 0; round < 2000; round++) {
        uint32_t n = 1 + (uint32_t)rng_below(&rng, 12), pairs = 0;
        struct graph *g = random_graph(&rng, n, (uint32_t)rng_below(&rng, 20), 1);
        for (uint32_t a = 0; a < 3; a++) {
            for (uint32_t b = 0; b < 3; b++) {
                bool any = false;
                for (uint32_t e = 0; e < g->n_edges; e++) {
                    for (uint32_t f = g->first[g->to[e]]; f < g->first[g->to[e] + 1]; f++) {
                        any = any || (g->label[e] == a && g->label[f] == b);
                    }
                }
                pairs += any ? 1 : 0;
            }
        }
        for (int kind = 0; kind < 3; kind++) {
            struct tour *tour =
                make(g, (struct tour_options){.kind = (enum tour_kind)kind, .cover = COVER_PAIRS});
            CHECK_EQ(tour->pairs_covered, pairs);
            CHECK_EQ(tour->pairs, pairs);
            tour_free(tour);
        }
        graph_free(g);
    }
}

TEST(states_are_all_states)
{
    struct rng rng;
    rng_seed(&rng, 12);
    for (int round = 0; round < 2000; round++) {
        struct graph *g = random_graph(&rng, 2 + (uint32_t)rng_below(&rng, 20), 20, 1);
        for (int kind = 0; kind < 3; kind++) {
            struct tour *tour =
                make(g, (struct tour_options){.kind = (enum tour_kind)kind, .cover = COVER_STATES});
            CHECK_EQ(tour->states_covered, g->n_states);
            tour_free(tour);
        }
        graph_free(g);
    }
}

/* By hand: 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3, 3 -> 0. Mocket's traversal has 3 paths: 0 1 3 0, 0 2 3,
 * of which the second stops at a state that was met; and no third. */
TEST(ec_by_hand)
{
    const uint32_t from[] = {0, 0, 1, 2, 3}, to[] = {1, 2, 3, 3, 0}, label[] = {0, 0, 0, 0, 0};
    const uint32_t root = 0;
    struct graph *g = graph_new();
    size_t cap = 0;
    g->labels = vec_grow(NULL, &cap, 1, sizeof *g->labels);
    g->labels[0] = (struct graph_label){STR("A"), graph_action(g, STR("A"))};
    g->n_labels = 1;
    struct graph_parts parts = {4, 5, 1, from, to, label, &root};
    CHECK_EQ(graph_make(g, &parts, NULL), 0);
    struct tour *tour = make(g, (struct tour_options){.kind = TOUR_EC});
    CHECK_EQ(tour->cases.n, 2);
    CHECK_EQ(tour->actions, 5);
    CHECK_EQ(tour->longest, 3);
    CHECK_EQ(tour->edges_covered, 5);
    tour_free(tour);
    graph_free(g);
}

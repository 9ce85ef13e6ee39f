/* Directed graphs with kinds of edges, and their strongly connected components (Tarjan, without
 * recursion). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "history/history_int.h"

static int by_from(const void *a, const void *b)
{
    const struct hist_edge *x = a;
    const struct hist_edge *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

void hist_graph_init(struct hist_graph *graph, struct hist_edge *edges, size_t n)
{
    if (n > 0) {
        qsort(edges, n, sizeof edges[0], by_from);
    }
    graph->edges = edges;
    graph->begin = ARENA_ARRAY(graph->arena, uint32_t, graph->n + 1);
    for (size_t i = 0; i < n; i++) {
        graph->begin[edges[i].from + 1]++;
    }
    for (uint32_t i = 0; i < graph->n; i++) {
        graph->begin[i + 1] += graph->begin[i];
    }
    graph->component = ARENA_ARRAY(graph->arena, uint32_t, 2 * (size_t)graph->n + 1);
    graph->cyclic = ARENA_ARRAY(graph->arena, bool, 2 * (size_t)graph->n + 1);
}

struct tarjan {
    struct hist_graph *graph;
    unsigned kinds;
    bool apart;
    uint32_t *number, *low; /* 0: not seen yet */
    bool *on_stack;
    uint32_t *stack;
    size_t depth;
    struct visit {
        uint32_t node, edge;
    } *visits;
    size_t n_visits;
    uint32_t next, components;
};

/* Where an edge leads from a node, or UINT32_MAX. */
static uint32_t leads(const struct tarjan *t, uint32_t node, const struct hist_edge *edge)
{
    bool after_rw = node >= t->graph->n;
    if ((edge->kind & t->kinds) == 0 || (t->apart && after_rw && edge->kind == HIST_RW)) {
        return UINT32_MAX;
    }
    return t->apart && edge->kind == HIST_RW ? edge->to + t->graph->n : edge->to;
}

static void enter(struct tarjan *t, uint32_t node)
{
    t->number[node] = t->low[node] = ++t->next;
    t->stack[t->depth++] = node;
    t->on_stack[node] = true;
    t->visits[t->n_visits++] = (struct visit){node, t->graph->begin[node % t->graph->n]};
}

/* All successors of a node are done: does a component end here? */
static void leave(struct tarjan *t, uint32_t node)
{
    t->n_visits--;
    if (t->n_visits > 0) {
        uint32_t above = t->visits[t->n_visits - 1].node;
        t->low[above] = t->low[node] < t->low[above] ? t->low[node] : t->low[above];
    }
    if (t->low[node] != t->number[node]) {
        return;
    }
    size_t bottom = t->depth;
    do {
        bottom--;
    } while (t->stack[bottom] != node);
    bool cyclic = t->depth - bottom > 1; /* there are no edges from a node to itself */
    for (size_t i = bottom; i < t->depth; i++) {
        t->graph->component[t->stack[i]] = t->components;
        t->graph->cyclic[t->stack[i]] = cyclic;
        t->on_stack[t->stack[i]] = false;
    }
    t->components++;
    t->depth = bottom;
}

static void visit_from(struct tarjan *t, uint32_t start)
{
    enter(t, start);
    while (t->n_visits > 0) {
        struct visit *v = &t->visits[t->n_visits - 1];
        if (v->edge == t->graph->begin[v->node % t->graph->n + 1]) {
            leave(t, v->node);
            continue;
        }
        uint32_t from = v->node;
        uint32_t to = leads(t, from, &t->graph->edges[v->edge++]);
        if (to == UINT32_MAX) {
            continue;
        }
        if (t->number[to] == 0) {
            enter(t, to);
        } else if (t->on_stack[to] && t->number[to] < t->low[from]) {
            t->low[from] = t->number[to];
        }
    }
}

void hist_graph_components(struct hist_graph *graph, unsigned kinds, bool apart)
{
    size_t n = (size_t)graph->n * (apart ? 2 : 1);
    struct arena arena;
    arena_init(&arena, 0);
    struct tarjan t = {.graph = graph, .kinds = kinds, .apart = apart};
    t.number = ARENA_ARRAY(&arena, uint32_t, n + 1);
    t.low = ARENA_ARRAY(&arena, uint32_t, n + 1);
    t.on_stack = ARENA_ARRAY(&arena, bool, n + 1);
    t.stack = ARENA_ARRAY(&arena, uint32_t, n + 1);
    t.visits = ARENA_ARRAY(&arena, struct visit, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (t.number[i] == 0) {
            visit_from(&t, i);
        }
    }
    arena_done(&arena);
}

/* From lists of steps to a graph.
 *
 * Steps are sorted by their source (by counting, so that their order stays), then states are
 * numbered breadth-first. Both take time linear in the graph; nothing is compared but the steps of
 * one state with each other. */
#include "graph/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "graph/graph_int.h"

static void *block(size_t n, size_t bytes)
{
    size_t cap = 0;
    return vec_grow(NULL, &cap, n + 1, bytes);
}

struct graph *graph_new(void)
{
    struct graph *graph = block(1, sizeof *graph);
    memset(graph, 0, sizeof *graph);
    graph->arena = block(1, sizeof *graph->arena);
    arena_init(graph->arena, 0);
    return graph;
}

void graph_free(struct graph *graph)
{
    if (graph == NULL) {
        return;
    }
    vec_release(graph->first);
    vec_release(graph->to);
    vec_release(graph->label);
    vec_release(graph->initial);
    vec_release(graph->labels);
    vec_release(graph->actions);
    arena_done(graph->arena);
    vec_release(graph->arena);
    vec_release(graph);
}

uint32_t graph_action(struct graph *graph, struct str name)
{
    for (uint32_t i = 0; i < graph->n_actions; i++) {
        if (str_eq(graph->actions[i], name)) {
            return i;
        }
    }
    size_t cap = graph->n_actions;
    graph->actions = vec_grow(graph->actions, &cap, cap + 1, sizeof *graph->actions);
    graph->actions[graph->n_actions] = str_dup(graph->arena, name);
    return graph->n_actions++;
}

/* ---- making ---- */

struct making {
    const struct graph_parts *parts;
    uint32_t *first;  /* [n_ids + 1]: by id */
    uint32_t *sorted; /* [n_edges]: steps by the id of their source */
    uint32_t *number; /* [n_ids]: of the state; GRAPH_NONE: not reached */
    uint32_t *order;  /* ids by number */
    uint32_t n;
};

static void sort_by_source(struct making *m)
{
    const struct graph_parts *p = m->parts;
    m->first = block(p->n_ids + 1, sizeof *m->first);
    m->sorted = block(p->n_edges, sizeof *m->sorted);
    memset(m->first, 0, (p->n_ids + 2) * sizeof *m->first);
    for (size_t e = 0; e < p->n_edges; e++) {
        m->first[p->from[e] + 1]++;
    }
    for (size_t i = 0; i < p->n_ids; i++) {
        m->first[i + 1] += m->first[i];
    }
    uint32_t *at = block(p->n_ids, sizeof *at);
    memcpy(at, m->first, p->n_ids * sizeof *at);
    for (size_t e = 0; e < p->n_edges; e++) {
        m->sorted[at[p->from[e]]++] = (uint32_t)e;
    }
    vec_release(at);
}

static void visit(struct making *m, uint32_t id)
{
    if (m->number[id] == GRAPH_NONE) {
        m->number[id] = m->n;
        m->order[m->n++] = id;
    }
}

static void number_states(struct making *m, struct graph *graph)
{
    const struct graph_parts *p = m->parts;
    m->number = block(p->n_ids, sizeof *m->number);
    m->order = block(p->n_ids, sizeof *m->order);
    memset(m->number, 0xff, p->n_ids * sizeof *m->number);
    for (size_t i = 0; i < p->n_initial; i++) {
        visit(m, p->initial[i]);
    }
    graph->n_initial = m->n;
    graph->initial = block(m->n, sizeof *graph->initial);
    for (uint32_t i = 0; i < m->n; i++) {
        graph->initial[i] = i;
    }
    for (uint32_t at = 0; at < m->n; at++) {
        uint32_t id = m->order[at];
        for (uint32_t k = m->first[id]; k < m->first[id + 1]; k++) {
            visit(m, p->to[m->sorted[k]]);
        }
    }
}

/* Steps of the state at hand, by where they lead: last[to] is the latest one, if it is at least
 * `begin`; before[e] the one before it. */
struct known_steps {
    uint32_t *last, *before, begin;
};

static bool has_step(const struct graph *graph, const struct known_steps *k, uint32_t to,
                     uint32_t label)
{
    uint32_t e = k->last[to];
    while (e != GRAPH_NONE && e >= k->begin && graph->label[e] != label) {
        e = k->before[e];
    }
    return e != GRAPH_NONE && e >= k->begin;
}

static void put_steps(struct making *m, struct graph *graph)
{
    const struct graph_parts *p = m->parts;
    uint32_t n = 0;
    struct known_steps known = {block(m->n, sizeof(uint32_t)), block(p->n_edges, sizeof(uint32_t)),
                                0};
    memset(known.last, 0xff, m->n * sizeof *known.last);
    graph->n_states = m->n;
    graph->first = block(m->n + 1, sizeof *graph->first);
    graph->to = block(p->n_edges, sizeof *graph->to);
    graph->label = block(p->n_edges, sizeof *graph->label);
    for (uint32_t s = 0; s < m->n; s++) {
        uint32_t id = m->order[s];
        graph->first[s] = known.begin = n;
        for (uint32_t k = m->first[id]; k < m->first[id + 1]; k++) {
            uint32_t e = m->sorted[k], to = m->number[p->to[e]];
            if (!has_step(graph, &known, to, p->label[e])) {
                known.before[n] = known.last[to];
                known.last[to] = n;
                graph->to[n] = to;
                graph->label[n++] = p->label[e];
            }
        }
    }
    graph->first[m->n] = n;
    graph->n_edges = n;
    vec_release(known.last);
    vec_release(known.before);
}

int graph_make(struct graph *graph, const struct graph_parts *parts, struct err *err)
{
    if (parts->n_ids >= GRAPH_NONE - 1 || parts->n_edges >= GRAPH_NONE - 1) {
        return err_set(err, ERR_LIMIT, 0,
                       "the graph has %zu steps, more than can be numbered: limit it by depth, by "
                       "constraints, or sample it",
                       parts->n_edges);
    }
    struct making m = {.parts = parts};
    sort_by_source(&m);
    number_states(&m, graph);
    put_steps(&m, graph);
    vec_release(m.first);
    vec_release(m.sorted);
    vec_release(m.number);
    vec_release(m.order);
    return 0;
}

/* ---- looking ---- */

uint32_t *graph_levels(const struct graph *graph)
{
    uint32_t *level = block(graph->n_states, sizeof *level);
    memset(level, 0xff, graph->n_states * sizeof *level);
    for (uint32_t i = 0; i < graph->n_initial; i++) {
        level[graph->initial[i]] = 0;
    }
    for (uint32_t s = 0; s < graph->n_states; s++) { /* numbers are in breadth-first order */
        ASSERT(level[s] != GRAPH_NONE);
        for (uint32_t e = graph->first[s]; e < graph->first[s + 1]; e++) {
            uint32_t to = graph->to[e];
            level[to] = level[to] == GRAPH_NONE ? level[s] + 1 : level[to];
        }
    }
    return level;
}

uint32_t *graph_sources(const struct graph *graph)
{
    uint32_t *from = block(graph->n_edges, sizeof *from);
    for (uint32_t s = 0; s < graph->n_states; s++) {
        for (uint32_t e = graph->first[s]; e < graph->first[s + 1]; e++) {
            from[e] = s;
        }
    }
    return from;
}

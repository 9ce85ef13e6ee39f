/* Graphs and UndirectedGraphs: reachability instead of the sets of paths that the definitions speak
 * of; GraphViz text.
 *
 * A graph [node, edge] is read into arrays: nodes by their number in the sorted set, arcs grouped
 * by their source. What cannot be an edge (no pair, or an end that is no node) is left out, as it
 * would never match in a definition. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "eval/native_int.h"

struct graph {
    const struct vobj *nodes; /* canonical set */
    const struct vobj *edges;
    uint32_t *first; /* [nodes->n + 1] start of a node's arcs in `to` */
    uint32_t *to;
};

enum arcs { ARCS_FORWARD, ARCS_BACKWARD, ARCS_BOTH };

#define NO_NODE UINT32_MAX

static uint32_t node_number(struct ev *ev, const struct vobj *nodes, struct val v)
{
    uint32_t low = 0, high = nodes->n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        int order = val_compare(ev_vctx(ev), v, nodes->v[mid]);
        if (order == 0) {
            return mid;
        }
        if (order < 0) {
            high = mid;
        } else {
            low = mid + 1;
        }
    }
    return NO_NODE;
}

/* The ends of an edge <<m, n>>, or {m, n} in an undirected graph. */
static bool edge_ends(struct ev *ev, const struct graph *g, struct val edge, bool undirected,
                      uint32_t *ret_from, uint32_t *ret_to)
{
    const struct vobj *ends = NULL;
    struct val set;
    if (!undirected) {
        ends = val_is_fcn(edge) ? seq_of(ev_vctx(ev), edge) : NULL;
    } else if (native_as_set(ev, edge, &set)) {
        ends = val_obj(set);
    }
    if (ends == NULL || ends->n == 0 || ends->n > 2 || (ends->n == 1 && !undirected)) {
        return false;
    }
    *ret_from = node_number(ev, g->nodes, ends->v[0]);
    *ret_to = node_number(ev, g->nodes, ends->v[ends->n - 1]);
    return *ret_from != NO_NODE && *ret_to != NO_NODE;
}

struct arc {
    uint32_t from, to;
};

/* The arcs of all edges, as often as they are wanted. */
static struct arc *list_arcs(struct ev *ev, const struct graph *g, enum arcs arcs, uint32_t *ret_n)
{
    struct arc *list =
        arena_alloc(ev_vctx(ev)->arena, (2 * (size_t)g->edges->n + 1) * sizeof *list);
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->edges->n; i++) {
        struct arc arc = {0, 0};
        if (!edge_ends(ev, g, g->edges->v[i], arcs == ARCS_BOTH, &arc.from, &arc.to)) {
            continue;
        }
        struct arc back = {arc.to, arc.from};
        list[n++] = arcs == ARCS_BACKWARD ? back : arc;
        if (arcs == ARCS_BOTH && arc.from != arc.to) {
            list[n++] = back;
        }
    }
    *ret_n = n;
    return list;
}

/* Groups the arcs by their source. */
static void graph_arcs(struct ev *ev, struct graph *g, enum arcs arcs)
{
    struct arena *arena = ev_vctx(ev)->arena;
    uint32_t n = g->nodes->n, count = 0;
    const struct arc *list = list_arcs(ev, g, arcs, &count);
    g->first = arena_zalloc(arena, (n + (size_t)2) * sizeof *g->first);
    for (uint32_t i = 0; i < count; i++) {
        g->first[list[i].from + 1]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        g->first[i + 1] += g->first[i];
    }
    uint32_t *next = arena_alloc(arena, (n + (size_t)1) * sizeof *next);
    for (uint32_t i = 0; i < n; i++) {
        next[i] = g->first[i];
    }
    g->to = arena_alloc(arena, (count + (size_t)1) * sizeof *g->to);
    for (uint32_t i = 0; i < count; i++) {
        g->to[next[list[i].from]++] = list[i].to;
    }
}

__attribute__((noreturn, cold)) static void fail_graph(struct ev *ev, const char *op,
                                                       const char *which, bool undirected,
                                                       const char *what, struct val v)
{
    native_fail_argument(ev, which, op,
                         arena_printf(ev_vctx(ev)->arena, "%s %s",
                                      undirected ? "record of an undirected graph" : "graph record",
                                      what),
                         v);
}

static struct graph need_graph(struct ev *ev, struct val v, const char *op, const char *which,
                               bool undirected)
{
    struct val record, node, edge;
    if (!native_as_record(ev, v, &record)) {
        fail_graph(ev, op, which, undirected, "with a node and an edge field", v);
    }
    if (!native_field(ev, record, "node", &node) || !native_as_set(ev, node, &node)) {
        fail_graph(ev, op, which, undirected, "whose node field is a set", v);
    }
    if (!native_field(ev, record, "edge", &edge) || !native_as_set(ev, edge, &edge)) {
        fail_graph(ev, op, which, undirected, "whose edge field is a set", v);
    }
    return (struct graph){.nodes = val_obj(node), .edges = val_obj(edge)};
}

/* Marks what can be reached from `start`; returns how many nodes that are. */
static uint32_t reach(struct ev *ev, const struct graph *g, uint32_t start, bool *seen)
{
    uint32_t *queue = arena_alloc(ev_vctx(ev)->arena, (g->nodes->n + (size_t)1) * sizeof *queue);
    uint32_t head = 0, tail = 0;
    seen[start] = true;
    queue[tail++] = start;
    while (head < tail) {
        uint32_t node = queue[head++];
        for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
            if (!seen[g->to[i]]) {
                seen[g->to[i]] = true;
                queue[tail++] = g->to[i];
            }
        }
    }
    return tail;
}

static bool *new_marks(struct ev *ev, const struct graph *g)
{
    return arena_zalloc(ev_vctx(ev)->arena, (g->nodes->n + (size_t)1) * sizeof(bool));
}

/* ---- operators ---- */

/* A walk along arcs that visits no node twice. */
struct walk {
    struct ev *ev;
    const struct graph *g;
    uint32_t *node, *arc; /* [len] the nodes, and the next arc to try from each */
    struct val *path;     /* [len] */
    bool *used;           /* by node */
    size_t len;
    struct vals found;
};

static void walk_enter(struct walk *w, uint32_t node)
{
    struct vctx *ctx = ev_vctx(w->ev);
    w->used[node] = true;
    w->node[w->len] = node;
    w->arc[w->len] = w->g->first[node];
    w->path[w->len++] = w->g->nodes->v[node];
    native_push(&w->found, tuple_make(ctx, w->path, w->len));
    if (w->found.n > ctx->set_size_max) {
        vctx_fail(ctx, 0, "Attempted to construct a set with too many elements (>%" PRIu64 ").",
                  ctx->set_size_max);
    }
    vctx_poll(ctx);
}

/* All paths from a node: goes on along the next arc, or back when there is none. */
static void walk_from(struct walk *w, uint32_t start)
{
    walk_enter(w, start);
    while (w->len > 0) {
        uint32_t here = w->node[w->len - 1];
        if (w->arc[w->len - 1] == w->g->first[here + 1]) {
            w->used[here] = false;
            w->len--;
            continue;
        }
        uint32_t next = w->g->to[w->arc[w->len - 1]++];
        if (!w->used[next]) {
            walk_enter(w, next);
        }
    }
}

static struct val simple_paths(struct ev *ev, struct val arg, bool undirected)
{
    struct vctx *ctx = ev_vctx(ev);
    struct graph g = need_graph(ev, arg, "SimplePath", "first", undirected);
    graph_arcs(ev, &g, undirected ? ARCS_BOTH : ARCS_FORWARD);
    size_t n = g.nodes->n;
    struct walk w = {.ev = ev, .g = &g, .used = new_marks(ev, &g)};
    w.node = arena_alloc(ctx->arena, (n + 1) * sizeof *w.node);
    w.arc = arena_alloc(ctx->arena, (n + 1) * sizeof *w.arc);
    w.path = arena_alloc(ctx->arena, (n + 1) * sizeof *w.path);
    native_vals_init(&w.found, ev, n);
    for (uint32_t start = 0; start < n; start++) {
        walk_from(&w, start);
    }
    return set_make(ctx, w.found.v, w.found.n);
}

static struct val are_connected(struct ev *ev, const struct val *args, bool undirected)
{
    struct graph g = need_graph(ev, args[2], "AreConnectedIn", "third", undirected);
    uint32_t from = node_number(ev, g.nodes, args[0]);
    uint32_t to = from != NO_NODE ? node_number(ev, g.nodes, args[1]) : NO_NODE;
    if (to == NO_NODE || from == to) {
        return val_bool(to != NO_NODE);
    }
    graph_arcs(ev, &g, undirected ? ARCS_BOTH : ARCS_FORWARD);
    bool *seen = new_marks(ev, &g);
    (void)reach(ev, &g, from, seen);
    return val_bool(seen[to]);
}

struct val native_simple_path(struct ev *ev, const struct val *args)
{
    return simple_paths(ev, args[0], false);
}

struct val native_simple_path_undirected(struct ev *ev, const struct val *args)
{
    return simple_paths(ev, args[0], true);
}

struct val native_are_connected_in(struct ev *ev, const struct val *args)
{
    return are_connected(ev, args, false);
}

struct val native_are_connected_undirected(struct ev *ev, const struct val *args)
{
    return are_connected(ev, args, true);
}

/* From one node all nodes can be reached, and from all nodes that one. */
struct val native_is_strongly_connected(struct ev *ev, const struct val *args)
{
    struct graph g = need_graph(ev, args[0], "IsStronglyConnected", "first", false);
    bool all = true;
    for (unsigned turn = 0; turn < 2 && all && g.nodes->n > 0; turn++) {
        graph_arcs(ev, &g, turn == 0 ? ARCS_FORWARD : ARCS_BACKWARD);
        all = reach(ev, &g, 0, new_marks(ev, &g)) == g.nodes->n;
    }
    return val_bool(all);
}

struct val native_connected_components(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct graph g = need_graph(ev, args[0], "ConnectedComponents", "first", true);
    graph_arcs(ev, &g, ARCS_BOTH);
    bool *done = new_marks(ev, &g);
    struct vals components, members;
    native_vals_init(&components, ev, 8);
    native_vals_init(&members, ev, g.nodes->n);
    for (uint32_t start = 0; start < g.nodes->n; start++) {
        if (done[start]) {
            continue;
        }
        bool *seen = new_marks(ev, &g);
        (void)reach(ev, &g, start, seen);
        members.n = 0;
        for (uint32_t i = start; i < g.nodes->n; i++) {
            if (seen[i]) {
                done[i] = true;
                native_push(&members, g.nodes->v[i]);
            }
        }
        native_push(&components, set_from_sorted(ctx, members.v, members.n));
    }
    return set_make(ctx, components.v, components.n);
}

/* ---- GraphViz ---- */

static void dot_name(struct ev *ev, struct text *out, struct val node)
{
    char name[32];
    int n = snprintf(name, sizeof name, "%" PRId64, (int64_t)val_hash(ev_vctx(ev), node));
    native_text_add(out, name, (size_t)n);
}

struct val native_dot_di_graph(struct ev *ev, const struct val *args)
{
    struct graph g = need_graph(ev, args[0], "DotDiGraph", "first", false);
    struct text out;
    native_text_init(&out, ev);
    native_text_adds(&out, "digraph MyGraph {");
    for (uint32_t i = 0; i < g.nodes->n; i++) {
        dot_name(ev, &out, g.nodes->v[i]);
        native_text_adds(&out, "[label=");
        native_text_addval(&out, ev, native_call1(ev, args[1], g.nodes->v[i]));
        native_text_adds(&out, "];");
    }
    for (uint32_t i = 0; i < g.edges->n; i++) {
        const struct vobj *ends = native_need_seq(ev, g.edges->v[i], "first", "DotDiGraph");
        if (ends->n < 2) {
            native_fail_argument(ev, "first", "DotDiGraph", "graph whose edges are pairs", args[0]);
        }
        dot_name(ev, &out, ends->v[0]);
        native_text_adds(&out, "->");
        dot_name(ev, &out, ends->v[1]);
        native_text_adds(&out, "[label=");
        native_text_addval(&out, ev, native_call1(ev, args[2], g.edges->v[i]));
        native_text_adds(&out, "];");
    }
    native_text_adds(&out, "}");
    return native_text_val(&out, ev);
}

/* SVG: where to draw nodes. NodesOfDirectedMultiGraph uses a layered drawing of its own (TLC's come
 * from a Java library): a node stands below all its predecessors, arcs that close a cycle do not
 * count, the nodes of a layer share the width evenly. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/native_int.h"

static double need_number(struct ev *ev, struct val v, const char *which, const char *op)
{
    int64_t n = 0;
    if (!val_is_int(v) || !int_to_i64(v, &n) || n > INT32_MAX || n < INT32_MIN) {
        native_fail_argument_an(ev, which, op, "integer", v);
    }
    return (double)n;
}

/* As Java converts a double: towards zero, within 32 bits. */
static int64_t to_int(double d)
{
    if (isnan(d)) {
        return 0;
    }
    return (int64_t)fmax(fmin(d, INT32_MAX), INT32_MIN);
}

struct val native_ring_node(struct ev *ev, const struct val *args)
{
    static const char *const which[] = {"first", "second", "third", "fourth", "fifth"};
    double arg[5];
    for (unsigned i = 0; i < 5; i++) {
        arg[i] = need_number(ev, args[i], which[i], "NodeOfRingNetwork");
    }
    double angle = 2.0 * M_PI / arg[4] * arg[3];
    return native_pair_xy(ev, to_int(arg[0] + arg[2] * cos(angle)),
                          to_int(arg[1] + arg[2] * sin(angle)));
}

static double need_coordinate(struct ev *ev, struct val point, const char *name, const char *which)
{
    struct val record, value;
    if (!native_as_record(ev, point, &record) || !native_field(ev, record, name, &value)) {
        native_fail_argument(ev, which, "PointOnLine", "record with x and y", point);
    }
    return need_number(ev, value, which, "PointOnLine");
}

struct val native_point_on_line(struct ev *ev, const struct val *args)
{
    double segment = need_number(ev, args[2], "third", "PointOnLine");
    double fx = need_coordinate(ev, args[0], "x", "first"),
           fy = need_coordinate(ev, args[0], "y", "first");
    double tx = need_coordinate(ev, args[1], "x", "second"),
           ty = need_coordinate(ev, args[1], "y", "second");
    return native_pair_xy(ev, to_int(fx + (tx - fx) / segment), to_int(fy + (ty - fy) / segment));
}

/* ---- a graph in layers ---- */

struct drawing {
    const struct vobj *nodes;
    uint32_t *from, *to; /* [narc] */
    size_t narc;
    uint32_t *layer; /* [nodes->n] */
};

static uint32_t position(struct ev *ev, const struct vobj *nodes, struct val v)
{
    for (uint32_t i = 0; i < nodes->n; i++) {
        if (val_equal(ev_vctx(ev), nodes->v[i], v)) {
            return i;
        }
    }
    return UINT32_MAX;
}

static void read_arcs(struct ev *ev, struct drawing *d, const struct vobj *edges)
{
    struct arena *arena = ev_vctx(ev)->arena;
    d->from = arena_alloc(arena, (edges->n + (size_t)1) * sizeof *d->from);
    d->to = arena_alloc(arena, (edges->n + (size_t)1) * sizeof *d->to);
    for (uint32_t i = 0; i < edges->n; i++) {
        const struct vobj *ends =
            native_need_seq(ev, edges->v[i], "second", "NodesOfDirectedMultiGraph");
        if (ends->n < 2) {
            native_fail_argument(ev, "second", "NodesOfDirectedMultiGraph", "set of pairs",
                                 val_of_obj(edges));
        }
        d->from[d->narc] = position(ev, d->nodes, ends->v[0]);
        d->to[d->narc] = position(ev, d->nodes, ends->v[1]);
        d->narc += d->from[d->narc] != UINT32_MAX && d->to[d->narc] != UINT32_MAX &&
                   d->from[d->narc] != d->to[d->narc];
    }
}

/* Longest distance from a source. Each round moves nodes below their predecessors; in a graph
 * without cycles this ends within as many rounds as there are nodes, and a node that still wants to
 * move then stands on a cycle and stays. */
static void set_layers(struct ev *ev, struct drawing *d)
{
    uint32_t n = d->nodes->n;
    d->layer = arena_zalloc(ev_vctx(ev)->arena, (n + (size_t)1) * sizeof *d->layer);
    bool moved = true;
    for (uint32_t round = 0; round < n && moved; round++) {
        moved = false;
        for (size_t i = 0; i < d->narc; i++) {
            uint32_t below = d->layer[d->from[i]] + 1;
            if (d->layer[d->to[i]] < below && below < n) {
                d->layer[d->to[i]] = below;
                moved = true;
            }
        }
    }
}

static double option(struct ev *ev, struct val options, const char *name)
{
    struct val record, value;
    if (!native_as_record(ev, options, &record) || !native_field(ev, record, name, &value)) {
        native_fail_argument(ev, "third", "NodesOfDirectedMultiGraph",
                             "record with view_width, view_height, node_width and node_height",
                             options);
    }
    return need_number(ev, value, "third", "NodesOfDirectedMultiGraph");
}

static struct val place_nodes(struct ev *ev, const struct drawing *d, double width, double height)
{
    struct vctx *ctx = ev_vctx(ev);
    uint32_t n = d->nodes->n, layers = 0;
    uint32_t *size = arena_zalloc(ctx->arena, (n + (size_t)1) * sizeof *size);
    uint32_t *placed = arena_zalloc(ctx->arena, (n + (size_t)1) * sizeof *placed);
    struct val *points = arena_alloc(ctx->arena, (n + (size_t)1) * sizeof *points);
    for (uint32_t i = 0; i < n; i++) {
        size[d->layer[i]]++;
        layers = d->layer[i] + 1 > layers ? d->layer[i] + 1 : layers;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t layer = d->layer[i];
        double x = width * (2.0 * placed[layer]++ + 1.0) / (2.0 * size[layer]);
        double y = height * (2.0 * layer + 1.0) / (2.0 * layers);
        points[i] = native_pair_xy(ev, to_int(x), to_int(y));
    }
    return fcn_from_sorted(ctx, d->nodes->v, points, n);
}

struct val native_graph_nodes(struct ev *ev, const struct val *args)
{
    struct drawing d = {.nodes =
                            native_need_set(ev, args[0], "first", "NodesOfDirectedMultiGraph")};
    read_arcs(ev, &d, native_need_set(ev, args[1], "second", "NodesOfDirectedMultiGraph"));
    set_layers(ev, &d);
    return place_nodes(ev, &d, option(ev, args[2], "view_width"),
                       option(ev, args[2], "view_height"));
}

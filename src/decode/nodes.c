/* Who the nodes of a mapping are: values of the specification, and processes of a cluster. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "decode/decode.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "run/cluster.h"
#include "value/value.h"

struct listing {
    const struct map *map;
    const struct cluster *cluster;
    struct arena *arena;
    struct decode_nodes *out;
    struct val v;        /* the set, or a node's value */
    const char *unknown; /* what is wrong with the set */
};

/* Names of the elements of a set are names of nodes. */
static void run_set(struct vctx *ctx, void *arg)
{
    struct listing *l = arg;
    if (!val_is_set(l->v)) {
        l->unknown = "it is no set";
        return;
    }
    const struct vobj *set = val_obj(set_force(ctx, l->v));
    l->out->v = ARENA_ARRAY(l->arena, struct decode_place, set->n + 1);
    for (uint32_t i = 0; i < set->n; i++) {
        struct str name =
            val_is_str(set->v[i]) ? val_str_text(ctx, set->v[i]) : str_of(val_line(ctx, set->v[i]));
        for (size_t k = 0; k < l->map->n_node_table; k++) {
            const struct map_node *other = &l->map->node_table[k];
            name = str_eq(other->printed, name) ? str_of(other->name) : name;
        }
        int index = cluster_node(l->cluster, name);
        if (index < 0) {
            l->unknown = arena_printf(l->arena,
                                      "the cluster has no node '%.*s'; write names = { NODE = "
                                      "\"VALUE\", ... } when names differ",
                                      STR_ARG(name));
            return;
        }
        l->out->v[l->out->n++] = (struct decode_place){
            (uint32_t)index, l->cluster->nodes[index].name, val_freeze(ctx, l->arena, set->v[i])};
    }
}

static void run_freeze(struct vctx *ctx, void *arg)
{
    struct listing *l = arg;
    l->v = val_freeze(ctx, l->arena, l->v);
}

static void run_list(struct vctx *ctx, void *arg)
{
    struct listing *l = arg;
    struct decode_nodes *out = l->out;
    struct val *list = arena_alloc(ctx->arena, (out->n + 1) * sizeof *list);
    for (size_t i = 0; i < out->n; i++) {
        list[i] = out->v[i].value;
    }
    out->list = val_freeze(ctx, l->arena, tuple_make(ctx, list, out->n));
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = ((const struct decode_place *)a)->index,
             y = ((const struct decode_place *)b)->index;
    return (x > y) - (x < y);
}

/* `nodes` of the mapping is an expression. */
static int of_set(struct listing *l, struct mworker *worker, struct err *err)
{
    const struct map_expr *expr = l->map->nodes;
    size_t begin = expr->begin, end = begin + expr->text.n;
    if (map_apply(worker, expr, NULL, &l->v) != MODEL_OK ||
        model_with_values(worker, run_set, l) != MODEL_OK) {
        return map_evaluation_error(l->map, err, worker, begin, end);
    }
    return l->unknown == NULL ? 0 : map_error(l->map, err, begin, end, "%s", l->unknown);
}

static int of_table(struct listing *l, struct mworker *worker, struct err *err)
{
    struct decode_nodes *out = l->out;
    out->v = ARENA_ARRAY(l->arena, struct decode_place, l->map->n_node_table + 1);
    for (size_t i = 0; i < l->map->n_node_table; i++) {
        const struct map_node *node = &l->map->node_table[i];
        if (map_apply(worker, node->value, NULL, &l->v) != MODEL_OK ||
            model_with_values(worker, run_freeze, l) != MODEL_OK) {
            return map_evaluation_error(l->map, err, worker, node->value->begin,
                                        node->value->begin + node->value->text.n);
        }
        int index = cluster_node(l->cluster, str_of(node->name));
        out->v[out->n++] = (struct decode_place){(uint32_t)index, node->name, l->v};
    }
    return 0;
}

int decode_nodes_find(const struct map *map, const struct cluster *cluster, struct mworker *worker,
                      struct arena *arena, struct decode_nodes *ret, struct err *err)
{
    struct listing l = {.map = map, .cluster = cluster, .arena = arena, .out = ret};
    *ret = (struct decode_nodes){0};
    int status = map->nodes != NULL ? of_set(&l, worker, err) : of_table(&l, worker, err);
    if (status == 0 && ret->n == 0) {
        return map_error(map, err, 0, 1, "nodes: there are none");
    }
    if (status != 0) {
        return status;
    }
    qsort(ret->v, ret->n, sizeof ret->v[0], by_index);
    return model_with_values(worker, run_list, &l) == MODEL_OK
               ? 0
               : map_evaluation_error(map, err, worker, 0, 0);
}

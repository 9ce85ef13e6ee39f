/* Operations of clients that do a workload: which there were, and leaving some of them out. Each is
 * drawn by its number alone, so that the others stay what they are; a client that leaves one out
 * still waits as long as it would have before it. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history.h"
#include "run/cluster.h"
#include "run/runner.h"

enum { HISTORY_MOST = 1 << 30 };

void run_ops_done(struct run_ops *ops)
{
    VEC_DONE(&ops->v);
}

static int by_place(const void *a, const void *b)
{
    const struct run_op *x = a, *y = b;
    if (x->node != y->node) {
        return x->node < y->node ? -1 : 1;
    }
    if (x->worker != y->worker) {
        return x->worker < y->worker ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number ? 1 : 0;
}

static void take_line(const struct cluster *cluster, struct str line, struct run_ops *ret)
{
    json_t *root = json_loadb(line.p, line.n, 0, NULL);
    const char *type = json_string_value(json_object_get(root, "type"));
    const char *node = json_string_value(json_object_get(root, HISTORY_NODE));
    const char *op = json_string_value(json_object_get(root, "op"));
    if (type != NULL && node != NULL && op != NULL && strcmp(type, "invoke") == 0) {
        int at = cluster_node(cluster, str_of(node));
        char *end = NULL;
        unsigned long worker = strtoul(op, &end, 10);
        if (at >= 0 && cluster->ours[at] && *end == '.') {
            VEC_PUSH(&ret->v,
                     (struct run_op){(uint32_t)at, (uint32_t)worker, strtoull(end + 1, NULL, 10)});
        }
    }
    json_decref(root);
}

int run_ops_find(const struct cluster *cluster, const char *dir, struct run_ops *ret,
                 struct err *err)
{
    struct arena arena;
    struct str text = {0};
    arena_init(&arena, 0);
    int status =
        file_read(&arena, path_join(&arena, dir, "history.jsonl"), HISTORY_MOST, &text, err);
    while (status == 0 && text.n > 0) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t n = end != NULL ? (size_t)(end - text.p) : text.n;
        take_line(cluster, (struct str){text.p, n}, ret);
        n += end != NULL ? 1 : 0;
        text = (struct str){text.p + n, text.n - n};
    }
    if (ret->v.n != 0) {
        qsort(ret->v.v, ret->v.n, sizeof ret->v.v[0], by_place);
    }
    arena_done(&arena);
    return status;
}

/* What a client leaves out: "0.3,1.5-9". */
static void skip_text(const struct run_ops *ops, const bool *keep, uint32_t node,
                      struct strbuf *out)
{
    for (size_t i = 0; i < ops->v.n; i++) {
        const struct run_op *op = &ops->v.v[i];
        if (op->node != node || keep[i]) {
            continue;
        }
        size_t last = i;
        while (last + 1 < ops->v.n && !keep[last + 1] && ops->v.v[last + 1].node == node &&
               ops->v.v[last + 1].worker == op->worker) {
            last++; /* numbers in between were left out before */
        }
        strbuf_printf(out, "%s%u.%" PRIu64 "-%" PRIu64, out->n != 0 ? "," : "", op->worker,
                      op->number, ops->v.v[last].number);
        i = last;
    }
}

void run_ops_keep(struct cluster *cluster, struct arena *arena, const struct run_ops *ops,
                  const bool *keep)
{
    for (uint32_t node = 0; node < cluster->n_nodes; node++) {
        SCOPED_STRBUF text = {0};
        const char *before = cluster->skipped[node];
        if (!cluster->ours[node]) {
            continue;
        }
        skip_text(ops, keep, node, &text);
        if (before != NULL) { /* in the run whose operations these are */
            strbuf_printf(&text, "%s%s", text.n != 0 ? "," : "", before);
        }
        cluster_skip(cluster, arena, node, strbuf_cstr(&text));
    }
}

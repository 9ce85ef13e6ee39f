/* Snapshots. The simulated side is one region of memory, which is copied; pointers in it stay true
 * because it is always put back to the same place. The real side is a copy of each node's processes
 * (copies.c), which snapshots share where a node did nothing between them. Putting the world back
 * costs what the nodes did that have run since.
 *
 * Snapshots may be taken from any place, one within the other, and put back in any order. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/copies.h"
#include "world/heap.h"
#include "world/world.h"
#include "world/world_int.h"

struct snapshot {
    void *heap;
    size_t heap_n;
    VEC(struct node_copy *) nodes;
    VEC(struct tracee_page) pages; /* of each node */
    VEC(off_t) logs;
};

int world_snapshot(struct world *w, struct snapshot **ret, struct err *err)
{
    thread_free_dead(w);
    size_t cap = 0, heap_cap = 0;
    struct snapshot *s = vec_grow(NULL, &cap, 1, sizeof *s);
    memset(s, 0, sizeof *s);
    int status = 0;
    for (uint32_t i = 0; status == 0 && i < w->n_nodes; i++) {
        status = copy_check(w, w->nodes[i], err); /* before anything is copied */
    }
    for (uint32_t i = 0; status == 0 && i < w->n_nodes; i++) {
        struct node *node = w->nodes[i];
        struct node_copy *copy = NULL;
        VEC_PUSH(&s->pages, *node->shared.page);
        VEC_PUSH(&s->logs, lseek(node->log_fd, 0, SEEK_END));
        status = copy_take(w, node, false, &copy, err);
        if (status == 0) {
            VEC_PUSH(&s->nodes, copy);
        }
    }
    if (status != 0) {
        snapshot_free(w, s);
        return status;
    }
    s->heap_n = heap_used(w->heap);
    s->heap = vec_grow(NULL, &heap_cap, s->heap_n, 1);
    heap_save(w->heap, s->heap);
    *ret = s;
    return 0;
}

static void cut_log(const struct node *node, off_t bytes)
{
    if (bytes >= 0 && lseek(node->log_fd, 0, SEEK_END) != bytes &&
        ftruncate(node->log_fd, bytes) == 0) {
        (void)lseek(node->log_fd, bytes, SEEK_SET);
    }
}

static int restore(struct world *w, struct snapshot *s, enum put_how how, struct err *err)
{
    size_t cap = 0;
    if (!w->engine->held) {
        tracee_same_counter(true);
    }
    enum live_use *uses = vec_grow(NULL, &cap, w->n_nodes + 1, sizeof *uses);
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        uses[i] = live_prepare(w, w->nodes[i], s->nodes.v[i], how);
    }
    heap_restore(w->heap, s->heap, s->heap_n);
    int status = 0;
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        *w->nodes[i]->shared.page = s->pages.v[i];
        cut_log(w->nodes[i], s->logs.v[i]);
        int put = status != 0 ? 0 : live_put_back(w, s->nodes.v[i], uses[i], err);
        status = status != 0 ? status : put;
    }
    vec_release(uses);
    if (!w->engine->held) {
        tracee_same_counter(false);
    }
    return status;
}

int world_restore(struct world *w, struct snapshot *s, struct err *err)
{
    return restore(w, s, PUT_BACK, err);
}

int world_restore_last(struct world *w, struct snapshot *s, struct err *err)
{
    int status = restore(w, s, PUT_LAST, err);
    snapshot_free(w, s);
    return status;
}

int world_restore_anew(struct world *w, struct snapshot *s, struct err *err)
{
    return restore(w, s, PUT_ANEW, err);
}

void snapshot_free(struct world *w, struct snapshot *s)
{
    (void)w;
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < s->nodes.n; i++) {
        copy_unref(s->nodes.v[i]);
    }
    VEC_DONE(&s->nodes);
    VEC_DONE(&s->pages);
    VEC_DONE(&s->logs);
    vec_release(s->heap);
    vec_release(s);
}

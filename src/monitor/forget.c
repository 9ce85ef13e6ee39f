/* What is not used any more: values that nobody names, places that are odd, events behind the
 * window. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "model/model.h"
#include "monitor/limits.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

/* ---- what is not used any more ---- */

static void move_spot(struct pool *to, struct vctx *ctx, struct spot *x)
{
    x->state = vpool_intern(to, ctx, x->state);
    x->from = vpool_intern(to, ctx, x->from);
    x->sent = vpool_intern(to, ctx, x->sent);
    for (uint32_t i = 0; i < x->n_out + x->n_in; i++) {
        x->p[i].v = vpool_intern(to, ctx, x->p[i].v);
    }
}

struct moving {
    struct monitor *m;
    struct pool to;
};

static void run_move(struct vctx *ctx, void *arg)
{
    struct moving *mv = arg;
    struct monitor *m = mv->m;
    for (size_t i = 0; i < m->heap.n; i++) {
        move_spot(&mv->to, ctx, m->heap.v[i]);
    }
    struct spot *others[] = {m->last, m->shown};
    for (size_t i = 0; i < 2; i++) {
        if (others[i] != NULL) {
            move_spot(&mv->to, ctx, others[i]);
        }
    }
    for (size_t i = 0; i < m->events.n; i++) {
        m->events.v[i].msg = vpool_intern(&mv->to, ctx, m->events.v[i].msg);
    }
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        m->vars[i].initial = vpool_intern(&mv->to, ctx, m->vars[i].initial);
        m->cur[i] = m->vars[i].initial;
    }
    for (size_t i = 0; i < m->n_nodes; i++) {
        m->nodes[i].value = vpool_intern(&mv->to, ctx, m->nodes[i].value);
    }
    m->node_list = vpool_intern(&mv->to, ctx, m->node_list);
    m->initial = vpool_intern(&mv->to, ctx, m->initial);
    m->base = vpool_intern(&mv->to, ctx, m->base);
    m->observed = vpool_intern(&mv->to, ctx, m->observed);
    m->net.empty = vpool_intern(&mv->to, ctx, m->net.empty);
}

size_t msearch_move_at(const struct monitor *m)
{
    size_t many = 3 * m->pool.used > MOVE_FIRST ? 3 * m->pool.used : MOVE_FIRST;
    return m->o.values_most != 0 ? m->o.values_most : many;
}

int msearch_move(struct monitor *m)
{
    struct moving mv = {.m = m};
    if (vpool_init(&mv.to, m->err) != 0) {
        m->failed = true;
        return -ERR_FULL;
    }
    if (model_with_values(m->worker, run_move, &mv) != MODEL_OK) {
        vpool_done(&mv.to);
        return monitor_failed(m);
    }
    vpool_done(&m->pool);
    m->pool = mv.to;
    m->move_at = msearch_move_at(m);
    m->counts.moves++;
    model_at(m->worker, m->cur, 1); /* gives back the worker's scratch memory */
    return 0;
}

static int by_rank(const void *a, const void *b)
{
    const struct spot *x = *(struct spot *const *)a, *y = *(struct spot *const *)b;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1)
           : x->i != y->i     ? (x->i > y->i ? -1 : 1)
                              : (x->seq > y->seq) - (x->seq < y->seq);
}

/* The odder half of the places is given up: then it is not known, for a while, that nothing
 * explains what is seen. What is sorted is a heap. */
static size_t places_bytes(const struct monitor *m)
{
    size_t bytes = 0;
    for (size_t i = 0; i < m->heap.n; i++) {
        const struct spot *x = m->heap.v[i];
        bytes += sizeof *x + ((size_t)x->n_out + x->n_in) * sizeof x->p[0];
    }
    return bytes;
}

void msearch_give_up(struct monitor *m)
{
    msearch_sweep(m);
    bool many = m->heap.n > PLACES_MOST || places_bytes(m) > PLACES_BYTES;
    if (!many || m->o.exact) {
        return;
    }
    size_t left = m->heap.n / 2 + 1;
    qsort((void *)m->heap.v, m->heap.n, sizeof m->heap.v[0], by_rank);
    for (size_t i = left; i < m->heap.n; i++) {
        vec_release(m->heap.v[i]);
    }
    m->counts.given_up += m->heap.n - left;
    m->heap.n = left;
    m->uncertain_until = m->best + m->o.window;
}

void msearch_forget(struct monitor *m)
{
    uint64_t keep = m->best > m->o.window + 16 ? m->best - m->o.window - 16 : 0;
    if (keep > m->first + 1024) {
        size_t n = (size_t)(keep - m->first);
        memmove(m->events.v, m->events.v + n, (m->events.n - n) * sizeof m->events.v[0]);
        m->events.n -= n;
        m->first = keep;
    }
}

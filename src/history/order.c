/* Who came before whom: in a process, and in real time. Only direct successors are told. */
#include <stdint.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"
#include "history/history_int.h"

static const struct hist_op *op_of(const struct hist_txns *txns, uint32_t txn)
{
    return &txns->history->ops.v[txns->txns.v[txn].op];
}

void hist_process_order(const struct hist_txns *txns, const uint32_t *list, size_t n,
                        hist_follow *follow, void *arg)
{
    struct u64map last = {0}; /* process -> its latest transaction that ended, plus 1 */
    for (size_t i = 0; i < n; i++) {
        const struct hist_op *op = op_of(txns, list[i]);
        uint64_t before;
        if (u64map_get(&last, op->process.id, &before) && before != 0) {
            follow(arg, (uint32_t)before - 1, list[i]);
        }
        if (op->ret != HIST_NEVER) {
            u64map_put(&last, op->process.id, list[i] + UINT64_C(1));
        }
    }
    u64map_done(&last);
}

struct moment {
    uint32_t at, txn;
    bool ret;
};
static int by_moment(const void *a, const void *b)
{
    const struct moment *x = a;
    const struct moment *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

void hist_time_order(const struct hist_txns *txns, const uint32_t *list, size_t n,
                     hist_follow *follow, void *arg)
{
    VEC(struct moment) moments = {0};
    for (size_t i = 0; i < n; i++) {
        const struct hist_op *op = op_of(txns, list[i]);
        VEC_PUSH(&moments, (struct moment){op->call, list[i], false});
        if (op->ret != HIST_NEVER) {
            VEC_PUSH(&moments, (struct moment){op->ret, list[i], true});
        }
    }
    if (moments.n > 0) {
        qsort(moments.v, moments.n, sizeof moments.v[0], by_moment);
    }
    VEC(uint32_t) ended = {0}; /* and followed by none that ended, too */
    for (size_t i = 0; i < moments.n; i++) {
        uint32_t txn = moments.v[i].txn;
        if (!moments.v[i].ret) {
            for (size_t k = 0; k < ended.n; k++) {
                follow(arg, ended.v[k], txn);
            }
            continue;
        }
        size_t kept = 0;
        for (size_t k = 0; k < ended.n; k++) {
            if (op_of(txns, ended.v[k])->ret > op_of(txns, txn)->call) {
                ended.v[kept++] = ended.v[k];
            }
        }
        ended.n = kept;
        VEC_PUSH(&ended, txn);
    }
    VEC_DONE(&ended);
    VEC_DONE(&moments);
}

struct order_edges {
    struct hist_txns *txns;
    unsigned kind;
};
static void add_order(void *arg, uint32_t before, uint32_t after)
{
    struct order_edges *order = arg;
    VEC_PUSH(&order->txns->edges,
             (struct hist_edge){.from = before, .to = after, .kind = order->kind});
}

void hist_order_edges(struct hist_txns *txns)
{
    VEC(uint32_t) list = {0};
    for (uint32_t t = 0; t < txns->txns.n; t++) {
        if (txns->txns.v[t].end != HIST_FAIL) {
            VEC_PUSH(&list, t);
        }
    }
    struct order_edges process = {txns, HIST_PROCESS};
    hist_process_order(txns, list.v, list.n, add_order, &process);
    struct order_edges real = {txns, HIST_REALTIME};
    hist_time_order(txns, list.v, list.n, add_order, &real);
    VEC_DONE(&list);
}

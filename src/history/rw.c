/* Registers that transactions overwrite. A read tells who wrote its value, but the order of values
 * must be inferred: the empty one was first; the rest only as far as options allow it (enum
 * hist_keys). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history.h"
#include "history/history_int.h"

/* A value of an object came before another one. */
struct version_edge {
    uint32_t object;
    struct hval old, next;
};
struct rw {
    struct hist_txns *txns;
    struct hist_writers writers;
    VEC(struct version_edge) versions;
    bool *cyclic; /* objects whose values have no order */
};

static void add_version(struct rw *rw, uint32_t object, struct hval old, struct hval next)
{
    if (!hval_eq(old, next)) {
        VEC_PUSH(&rw->versions, (struct version_edge){object, old, next});
    }
}

/* The first read of an object before it was written, and the last write: what others can see.
 * Both are NULL for an object that the transaction does not use. */
static void external(const struct hist_txn *txn, uint32_t object, const struct hist_mop **ret_read,
                     const struct hist_mop **ret_write)
{
    *ret_read = NULL;
    *ret_write = NULL;
    for (uint32_t m = 0; m < txn->n; m++) {
        const struct hist_mop *mop = &txn->mops[m];
        if (mop->object != object) {
            continue;
        }
        if (mop->write) {
            *ret_write = mop;
        } else if (*ret_read == NULL && *ret_write == NULL && txn->end == HIST_OK) {
            *ret_read = mop;
        }
    }
}

/* Whether mop m is the first that names its object. */
static bool names_first(const struct hist_txn *txn, uint32_t m)
{
    for (uint32_t k = 0; k < m; k++) {
        if (txn->mops[k].object == txn->mops[m].object) {
            return false;
        }
    }
    return true;
}

/* ---- what needs no order ---- */

static void internal(struct rw *rw, uint32_t t)
{
    const struct hist_txn *txn = &rw->txns->txns.v[t];
    for (uint32_t m = 0; m < txn->n; m++) {
        const struct hist_mop *before = NULL;
        for (uint32_t k = 0; k < m; k++) {
            before = txn->mops[k].object == txn->mops[m].object ? &txn->mops[k] : before;
        }
        if (!txn->mops[m].write && before != NULL && !hval_eq(before->value, txn->mops[m].value) &&
            hist_found(rw->txns, HIST_INTERNAL)) {
            struct strbuf *out = &rw->txns->text[HIST_INTERNAL];
            strbuf_adds(out, "  A transaction does not see what it did or saw itself:\n");
            hist_txn_line(rw->txns, t, "T", out);
        }
    }
}

/* A value that was read: who wrote it, and whether that should have been seen. */
static void judge_read(struct rw *rw, uint32_t t, const struct hist_mop *mop, bool first)
{
    if (hval_eq(mop->value, HVAL_NIL)) {
        return;
    }
    const struct hist_writer *w = hist_writer_of(&rw->writers, mop->object, mop->value);
    if (w == NULL) {
        if (hist_found(rw->txns, HIST_GARBAGE)) {
            struct strbuf *out = &rw->txns->text[HIST_GARBAGE];
            strbuf_adds(out, "  A value that nobody wrote:\n");
            hist_txn_line(rw->txns, t, "T", out);
        }
        return;
    }
    if (rw->txns->txns.v[w->txn].end == HIST_FAIL) {
        hist_tell_pair(rw->txns, HIST_G1A, t, w->txn, "T2 saw what T1, which failed, had written:");
        return;
    }
    if (w->txn == t) {
        if (first) {
            hist_tell_pair(rw->txns, HIST_FUTURE_READ, t, t,
                           "A transaction saw what it wrote only later:");
        }
        return;
    }
    if (!w->last) {
        hist_tell_pair(rw->txns, HIST_G1B, t, w->txn, "T2 saw a value in the middle of T1:");
    }
    if (first && w->last) {
        VEC_PUSH(&rw->txns->edges, (struct hist_edge){.from = w->txn,
                                                      .to = t,
                                                      .kind = HIST_WR,
                                                      .object = mop->object,
                                                      .old = mop->value});
    }
}

/* Two transactions that read the same value of a register and both wrote it. */
struct update {
    uint32_t object;
    struct hval read;
    uint32_t txn;
};
static int by_read(const void *a, const void *b)
{
    const struct update *x = a;
    const struct update *y = b;
    if (x->object != y->object) {
        return x->object < y->object ? -1 : 1;
    }
    if (x->read.id != y->read.id) {
        return x->read.id < y->read.id ? -1 : 1;
    }
    return x->txn < y->txn ? -1 : x->txn > y->txn;
}

static void lost_updates(struct rw *rw)
{
    VEC(struct update) updates = {0};
    for (uint32_t t = 0; t < rw->txns->txns.n; t++) {
        const struct hist_txn *txn = &rw->txns->txns.v[t];
        for (uint32_t m = 0; txn->end == HIST_OK && m < txn->n; m++) {
            const struct hist_mop *read;
            const struct hist_mop *write;
            external(txn, txn->mops[m].object, &read, &write);
            if (names_first(txn, m) && read != NULL && write != NULL) {
                VEC_PUSH(&updates, (struct update){txn->mops[m].object, read->value, t});
            }
        }
    }
    if (updates.n > 0) {
        qsort(updates.v, updates.n, sizeof updates.v[0], by_read);
    }
    for (size_t i = 1; i < updates.n; i++) {
        const struct update *a = &updates.v[i - 1];
        const struct update *b = &updates.v[i];
        if (a->object == b->object && hval_eq(a->read, b->read)) {
            hist_tell_pair(
                rw->txns, HIST_LOST_UPDATE, b->txn, a->txn,
                "T1 and T2 read the same value and both wrote: one of the updates is lost:");
        }
    }
    VEC_DONE(&updates);
}

/* ---- the order of values ---- */

/* Every value came after the empty one; a transaction's write after its read. */
static void own_versions(struct rw *rw)
{
    for (uint32_t t = 0; t < rw->txns->txns.n; t++) {
        const struct hist_txn *txn = &rw->txns->txns.v[t];
        for (uint32_t m = 0; txn->end != HIST_FAIL && m < txn->n; m++) {
            const struct hist_mop *read;
            const struct hist_mop *write;
            if (!names_first(txn, m)) {
                continue;
            }
            uint32_t object = txn->mops[m].object;
            external(txn, object, &read, &write);
            if (read != NULL) {
                add_version(rw, object, HVAL_NIL, read->value);
            }
            if (write != NULL) {
                add_version(rw, object, HVAL_NIL, write->value);
            }
            if (read != NULL && write != NULL && (rw->txns->options->keys & HIST_KEYS_WFR) != 0) {
                add_version(rw, object, read->value, write->value);
            }
        }
    }
}

/* Transactions that used an object, one after the other: their values came in that order. */
struct use_order {
    struct rw *rw;
    uint32_t object;
};

static void follow(void *arg, uint32_t before, uint32_t after)
{
    const struct use_order *order = arg;
    const struct hist_mop *read;
    const struct hist_mop *write;
    external(&order->rw->txns->txns.v[before], order->object, &read, &write);
    const struct hist_mop *old = write != NULL ? write : read;
    external(&order->rw->txns->txns.v[after], order->object, &read, &write);
    const struct hist_mop *next = read != NULL ? read : write;
    if (old != NULL && next != NULL) {
        add_version(order->rw, order->object, old->value, next->value);
    }
}

/* For each object the transactions that use it: those of object i are ret_uses[ret_begin[i]] and
 * on.
 */
static void uses_of(const struct rw *rw, uint32_t **ret_uses, size_t **ret_begin)
{
    const struct hist_txns *txns = rw->txns;
    size_t *begin = ARENA_ARRAY(txns->history->arena, size_t, txns->keys.n + 2);
    size_t n = 0;
    for (uint32_t t = 0; t < txns->txns.n; t++) {
        const struct hist_txn *txn = &txns->txns.v[t];
        for (uint32_t m = 0; txn->end != HIST_FAIL && m < txn->n; m++) {
            begin[txn->mops[m].object + 1] += names_first(txn, m);
            n++;
        }
    }
    for (size_t i = 1; i <= txns->keys.n; i++) {
        begin[i] += begin[i - 1];
    }
    size_t *next = ARENA_ARRAY(txns->history->arena, size_t, txns->keys.n + 2);
    memcpy(next, begin, (txns->keys.n + 1) * sizeof next[0]);
    uint32_t *uses = ARENA_ARRAY(txns->history->arena, uint32_t, n + 1);
    for (uint32_t t = 0; t < txns->txns.n; t++) {
        const struct hist_txn *txn = &txns->txns.v[t];
        for (uint32_t m = 0; txn->end != HIST_FAIL && m < txn->n; m++) {
            if (names_first(txn, m)) {
                uses[next[txn->mops[m].object]++] = t;
            }
        }
    }
    *ret_uses = uses;
    *ret_begin = begin;
}

static void key_orders(struct rw *rw)
{
    unsigned keys = rw->txns->options->keys;
    if ((keys & (HIST_KEYS_SEQUENTIAL | HIST_KEYS_LINEARIZABLE)) == 0) {
        return;
    }
    uint32_t *uses;
    size_t *begin;
    uses_of(rw, &uses, &begin);
    for (uint32_t object = 0; object < rw->txns->keys.n; object++) {
        const uint32_t *of = uses + begin[object];
        size_t n = begin[object + 1] - begin[object];
        struct use_order order = {rw, object};
        if ((keys & HIST_KEYS_SEQUENTIAL) != 0) {
            hist_process_order(rw->txns, of, n, follow, &order);
        }
        if ((keys & HIST_KEYS_LINEARIZABLE) != 0) {
            hist_time_order(rw->txns, of, n, follow, &order);
        }
    }
}

/* ---- from values to transactions ---- */

static int by_version(const void *a, const void *b)
{
    const struct version_edge *x = a;
    const struct version_edge *y = b;
    if (x->object != y->object) {
        return x->object < y->object ? -1 : 1;
    }
    if (x->old.id != y->old.id) {
        return x->old.id < y->old.id ? -1 : 1;
    }
    return x->next.id < y->next.id ? -1 : x->next.id > y->next.id;
}

static void unique_versions(struct rw *rw)
{
    if (rw->versions.n == 0) {
        return;
    }
    qsort(rw->versions.v, rw->versions.n, sizeof rw->versions.v[0], by_version);
    size_t kept = 1;
    for (size_t i = 1; i < rw->versions.n; i++) {
        if (by_version(&rw->versions.v[i], &rw->versions.v[kept - 1]) != 0) {
            rw->versions.v[kept++] = rw->versions.v[i];
        }
    }
    rw->versions.n = kept;
}

/* Edges from a value on, by its object. */
static size_t first_from(const struct rw *rw, uint32_t object, struct hval old)
{
    size_t low = 0;
    size_t high = rw->versions.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct version_edge *e = &rw->versions.v[middle];
        if (e->object < object || (e->object == object && e->old.id < old.id)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Values of an object that come before themselves: cycles of the version graph, found as
 * components of a graph whose nodes are the edges' sources. */
static void cyclic_versions(struct rw *rw)
{
    struct hist_graph graph = {.arena = rw->txns->history->arena};
    graph.n = (uint32_t)rw->versions.n;
    VEC(struct hist_edge) edges = {0};
    for (uint32_t i = 0; i < rw->versions.n; i++) {
        const struct version_edge *e = &rw->versions.v[i];
        /* an edge leads to all edges that begin where it ends: to the first, and on to the next */
        size_t to = first_from(rw, e->object, e->next);
        if (to < rw->versions.n && rw->versions.v[to].object == e->object &&
            hval_eq(rw->versions.v[to].old, e->next)) {
            VEC_PUSH(&edges, (struct hist_edge){.from = i, .to = (uint32_t)to, .kind = 1});
        }
    }
    for (uint32_t i = 0; i + 1 < rw->versions.n; i++) {
        const struct version_edge *e = &rw->versions.v[i];
        if (e[1].object == e->object && hval_eq(e[1].old, e->old)) {
            VEC_PUSH(&edges, (struct hist_edge){.from = i, .to = i + 1, .kind = 1});
        }
    }
    hist_graph_init(&graph, edges.v, edges.n);
    hist_graph_components(&graph, 1, false);
    for (uint32_t i = 0; i < rw->versions.n; i++) {
        const struct version_edge *e = &rw->versions.v[i];
        size_t to = first_from(rw, e->object, e->next);
        if (!graph.cyclic[i] || rw->cyclic[e->object] ||
            graph.component[to] != graph.component[i]) {
            continue;
        }
        rw->cyclic[e->object] = true;
        if (hist_found(rw->txns, HIST_CYCLIC_VERSIONS)) {
            struct strbuf *out = &rw->txns->text[HIST_CYCLIC_VERSIONS];
            strbuf_adds(out, "  The values of ");
            hval_print(&rw->txns->history->vals, rw->txns->keys.v[e->object], out);
            strbuf_adds(out, " come before themselves: ");
            hval_print(&rw->txns->history->vals, e->old, out);
            strbuf_adds(out, " before ");
            hval_print(&rw->txns->history->vals, e->next, out);
            strbuf_adds(out, ", and the other way round\n");
        }
    }
    VEC_DONE(&edges);
}

/* Whoever wrote or read a value, against the writers of those that came after. */
static void edges_from(struct rw *rw, uint32_t txn, const struct hist_mop *mop)
{
    unsigned kind = mop->write ? HIST_WW : HIST_RW;
    for (size_t i = first_from(rw, mop->object, mop->value);
         i < rw->versions.n && rw->versions.v[i].object == mop->object &&
         hval_eq(rw->versions.v[i].old, mop->value);
         i++) {
        const struct hist_writer *w =
            hist_writer_of(&rw->writers, mop->object, rw->versions.v[i].next);
        if (w != NULL && w->last && w->txn != txn) {
            VEC_PUSH(&rw->txns->edges, (struct hist_edge){.from = txn,
                                                          .to = w->txn,
                                                          .kind = kind,
                                                          .object = mop->object,
                                                          .old = mop->value,
                                                          .next = rw->versions.v[i].next});
        }
    }
}

static void version_edges(struct rw *rw, uint32_t t)
{
    const struct hist_txn *txn = &rw->txns->txns.v[t];
    for (uint32_t m = 0; m < txn->n; m++) {
        const struct hist_mop *read;
        const struct hist_mop *write;
        if (!names_first(txn, m) || rw->cyclic[txn->mops[m].object]) {
            continue;
        }
        external(txn, txn->mops[m].object, &read, &write);
        if (read != NULL) {
            edges_from(rw, t, read);
        }
        if (write != NULL) {
            edges_from(rw, t, write);
        }
    }
}

int hist_rw_edges(struct hist_txns *txns, struct err *err)
{
    struct rw rw = {.txns = txns};
    int rc = hist_writers_init(&rw.writers, txns, err);
    if (rc < 0) {
        return rc;
    }
    rw.cyclic = ARENA_ARRAY(txns->history->arena, bool, txns->keys.n + 1);
    for (uint32_t t = 0; t < txns->txns.n; t++) {
        const struct hist_txn *txn = &txns->txns.v[t];
        for (uint32_t m = 0; txn->end == HIST_OK && m < txn->n; m++) {
            if (!txn->mops[m].write) {
                judge_read(&rw, t, &txn->mops[m], names_first(txn, m));
            }
        }
        if (txn->end == HIST_OK) {
            internal(&rw, t);
        }
    }
    lost_updates(&rw);
    own_versions(&rw);
    key_orders(&rw);
    unique_versions(&rw);
    cyclic_versions(&rw);
    for (uint32_t t = 0; t < txns->txns.n; t++) {
        if (txns->txns.v[t].end != HIST_FAIL) {
            version_edges(&rw, t);
        }
    }
    VEC_DONE(&rw.versions);
    return 0;
}

/* Lists that transactions append to. A read shows all versions that led to it, so the order of
 * versions of each list is that of the elements in its longest read. */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history_int.h"

/* An element that was appended and is in no read. */
struct unseen {
    uint32_t object, txn;
    struct hval value;
};

struct append {
    struct hist_txns *txns;
    struct hist_writers writers;
    struct hval *longest; /* of each object: the list read that has most elements, or nil */
    uint32_t *longest_by; /* the transaction that read it */
    VEC(struct unseen) unseen;
};

static const struct hval_node *list_of(const struct append *a, struct hval v)
{
    return hval_at(&a->txns->history->vals, v); /* nil has no items */
}

static void tell_key(const struct append *a, uint32_t object, struct strbuf *out)
{
    hval_print(&a->txns->history->vals, a->txns->keys.v[object], out);
}

/* A transaction must see its own reads and appends. */
static void internal(struct append *a, uint32_t t)
{
    struct hist_txn *txn = &a->txns->txns.v[t];
    struct hvals *vals = &a->txns->history->vals;
    for (uint32_t m = 0; m < txn->n; m++) {
        if (txn->mops[m].write) {
            continue;
        }
        /* what stood there before: a read, then appends */
        VEC(struct hval) tail = {0};
        const struct hist_mop *base = NULL;
        for (uint32_t k = 0; k < m; k++) {
            const struct hist_mop *mop = &txn->mops[k];
            if (mop->object != txn->mops[m].object) {
                continue;
            }
            if (mop->write) {
                VEC_PUSH(&tail, mop->value);
            } else {
                base = mop;
                VEC_RESET(&tail);
            }
        }
        const struct hval_node *got = hval_at(vals, txn->mops[m].value);
        const struct hval_node *was = base != NULL ? hval_at(vals, base->value) : NULL;
        bool right = got->n >= tail.n && (was == NULL || got->n == was->n + tail.n);
        for (uint32_t i = 0; right && was != NULL && i < was->n; i++) {
            right = hval_eq(got->items[i], was->items[i]);
        }
        for (size_t i = 0; right && i < tail.n; i++) {
            right = hval_eq(got->items[got->n - tail.n + i], tail.v[i]);
        }
        VEC_DONE(&tail);
        if (!right && hist_found(a->txns, HIST_INTERNAL)) {
            struct strbuf *out = &a->txns->text[HIST_INTERNAL];
            strbuf_adds(out, "  A transaction does not see what it did or saw itself:\n");
            hist_txn_line(a->txns, t, "T", out);
        }
    }
}

static int by_object(const void *a, const void *b)
{
    const struct unseen *x = a;
    const struct unseen *y = b;
    if (x->object != y->object) {
        return x->object < y->object ? -1 : 1;
    }
    return x->txn < y->txn ? -1 : x->txn > y->txn;
}

static bool has_twice(const struct hval_node *list)
{
    VEC(struct hval) items = {0};
    for (uint32_t i = 0; i < list->n; i++) {
        VEC_PUSH(&items, list->items[i]);
    }
    if (items.n > 0) {
        qsort(items.v, items.n, sizeof items.v[0], hval_by_id);
    }
    bool twice = false;
    for (size_t i = 1; i < items.n && !twice; i++) {
        twice = hval_eq(items.v[i - 1], items.v[i]);
    }
    VEC_DONE(&items);
    return twice;
}

/* Elements that should not be in a read. */
static void elements(struct append *a, uint32_t t, const struct hist_mop *mop, bool external)
{
    const struct hval_node *list = list_of(a, mop->value);
    for (uint32_t i = 0; i < list->n; i++) {
        const struct hist_writer *w = hist_writer_of(&a->writers, mop->object, list->items[i]);
        if (w == NULL) {
            if (hist_found(a->txns, HIST_GARBAGE)) {
                struct strbuf *out = &a->txns->text[HIST_GARBAGE];
                strbuf_adds(out, "  An element that nobody appended: ");
                hval_print(&a->txns->history->vals, list->items[i], out);
                strbuf_addc(out, '\n');
                hist_txn_line(a->txns, t, "T", out);
            }
            continue;
        }
        if (a->txns->txns.v[w->txn].end == HIST_FAIL) {
            hist_tell_pair(a->txns, HIST_G1A, t, w->txn,
                           "T2 saw what T1, which failed, had appended:");
        }
        if (external && w->txn == t) {
            hist_tell_pair(a->txns, HIST_FUTURE_READ, t, t,
                           "A transaction saw what it appended only later:");
        }
        if (external && i + 1 == list->n && w->txn != t && !w->last) {
            hist_tell_pair(a->txns, HIST_G1B, t, w->txn, "T2 saw the list in the middle of T1:");
        }
    }
    if (has_twice(list) && hist_found(a->txns, HIST_DUPLICATE)) {
        struct strbuf *out = &a->txns->text[HIST_DUPLICATE];
        strbuf_adds(out, "  An element is there twice:\n");
        hist_txn_line(a->txns, t, "T", out);
    }
}

/* The first read of an object before any append of the same transaction. */
static bool is_external(const struct hist_txn *txn, uint32_t m)
{
    for (uint32_t k = 0; k < m; k++) {
        if (txn->mops[k].object == txn->mops[m].object) {
            return false;
        }
    }
    return !txn->mops[m].write;
}

static void find_longest(struct append *a)
{
    for (uint32_t t = 0; t < a->txns->txns.n; t++) {
        const struct hist_txn *txn = &a->txns->txns.v[t];
        for (uint32_t m = 0; txn->end == HIST_OK && m < txn->n; m++) {
            const struct hist_mop *mop = &txn->mops[m];
            if (!mop->write && list_of(a, mop->value)->n > list_of(a, a->longest[mop->object])->n) {
                a->longest[mop->object] = mop->value;
                a->longest_by[mop->object] = t;
            }
        }
    }
}

/* Whether a read is on the way to the longest one. */
static bool compatible(struct append *a, uint32_t t, const struct hist_mop *mop)
{
    const struct hval_node *list = list_of(a, mop->value);
    const struct hval_node *all = list_of(a, a->longest[mop->object]);
    for (uint32_t i = 0; i < list->n; i++) {
        if (!hval_eq(list->items[i], all->items[i])) {
            if (hist_found(a->txns, HIST_INCOMPATIBLE)) {
                struct strbuf *out = &a->txns->text[HIST_INCOMPATIBLE];
                strbuf_adds(out, "  Two reads of ");
                tell_key(a, mop->object, out);
                strbuf_adds(out, " of which neither could become the other:\n");
                hist_txn_line(a->txns, a->longest_by[mop->object], "T1", out);
                hist_txn_line(a->txns, t, "T2", out);
            }
            return false;
        }
    }
    return true;
}

static void add_edge(struct append *a, struct hist_edge edge)
{
    if (edge.from != edge.to) {
        VEC_PUSH(&a->txns->edges, edge);
    }
}

/* An element and the one after it. */
static void follow_edge(struct append *a, const struct hist_writer *before, struct hval old,
                        const struct hist_writer *w, struct hval next)
{
    const struct hist_mop *mop = &a->txns->txns.v[w->txn].mops[w->mop];
    if (a->txns->txns.v[before->txn].end != HIST_FAIL) {
        add_edge(a, (struct hist_edge){.from = before->txn,
                                       .to = w->txn,
                                       .kind = HIST_WW,
                                       .object = mop->object,
                                       .old = old,
                                       .next = next});
    } else if (a->txns->txns.v[w->txn].end != HIST_FAIL) {
        hist_tell_pair(a->txns, HIST_DIRTY_UPDATE, w->txn, before->txn,
                       "T2 appended to what T1, which failed, had left:");
    }
}

/* Consecutive elements: who overwrote whom. */
static void version_edges(struct append *a, uint32_t object)
{
    const struct hval_node *all = list_of(a, a->longest[object]);
    struct hist_writer *before = NULL;
    for (uint32_t i = 0; i < all->n; i++) {
        struct hist_writer *w = hist_writer_of(&a->writers, object, all->items[i]);
        if (w != NULL) {
            w->seen = true;
        }
        if (w != NULL && before != NULL) {
            follow_edge(a, before, all->items[i - 1], w, all->items[i]);
        }
        before = w;
    }
}

/* Elements of transactions that ended which nobody saw: they came after all that was seen. */
static void unseen(struct append *a)
{
    for (uint32_t t = 0; t < a->txns->txns.n; t++) {
        const struct hist_txn *txn = &a->txns->txns.v[t];
        for (uint32_t m = 0; txn->end == HIST_OK && m < txn->n; m++) {
            const struct hist_mop *mop = &txn->mops[m];
            if (mop->write && !hist_writer_of(&a->writers, mop->object, mop->value)->seen) {
                VEC_PUSH(&a->unseen, (struct unseen){mop->object, t, mop->value});
            }
        }
    }
    if (a->unseen.n > 0) {
        qsort(a->unseen.v, a->unseen.n, sizeof a->unseen.v[0], by_object);
    }
    for (size_t i = 0; i < a->unseen.n; i++) {
        const struct unseen *u = &a->unseen.v[i];
        const struct hval_node *all = list_of(a, a->longest[u->object]);
        if (all->n == 0) {
            continue;
        }
        const struct hist_writer *w = hist_writer_of(&a->writers, u->object, u->value);
        const struct hist_writer *last =
            hist_writer_of(&a->writers, u->object, all->items[all->n - 1]);
        if (last != NULL) {
            follow_edge(a, last, all->items[all->n - 1], w, u->value);
        }
    }
}

/* Whoever read all that was seen did not see the rest. */
static void read_unseen(struct append *a, uint32_t t, const struct hist_mop *mop, struct hval last)
{
    size_t low = 0;
    size_t high = a->unseen.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (a->unseen.v[middle].object < mop->object) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < a->unseen.n && a->unseen.v[low].object == mop->object; low++) {
        add_edge(a, (struct hist_edge){.from = t,
                                       .to = a->unseen.v[low].txn,
                                       .kind = HIST_RW,
                                       .object = mop->object,
                                       .old = last,
                                       .next = a->unseen.v[low].value});
    }
}

/* What a transaction read of others, and what was appended after that. */
static void read_edges(struct append *a, uint32_t t, const struct hist_mop *mop, bool placed)
{
    const struct hval_node *list = list_of(a, mop->value);
    const struct hval_node *all = list_of(a, a->longest[mop->object]);
    struct hval last = list->n > 0 ? list->items[list->n - 1] : HVAL_NIL;
    if (list->n > 0) {
        const struct hist_writer *w = hist_writer_of(&a->writers, mop->object, last);
        if (w != NULL) {
            add_edge(
                a,
                (struct hist_edge){
                    .from = w->txn, .to = t, .kind = HIST_WR, .object = mop->object, .old = last});
        }
    }
    if (!placed) {
        return; /* nobody knows what came after it */
    }
    if (list->n < all->n) {
        const struct hist_writer *w = hist_writer_of(&a->writers, mop->object, all->items[list->n]);
        if (w != NULL) {
            add_edge(a, (struct hist_edge){.from = t,
                                           .to = w->txn,
                                           .kind = HIST_RW,
                                           .object = mop->object,
                                           .old = last,
                                           .next = all->items[list->n]});
        }
    } else {
        read_unseen(a, t, mop, last);
    }
}

int hist_append_edges(struct hist_txns *txns, struct err *err)
{
    struct append a = {.txns = txns};
    int rc = hist_writers_init(&a.writers, txns, err);
    if (rc < 0) {
        return rc;
    }
    a.longest = ARENA_ARRAY(txns->history->arena, struct hval, txns->keys.n + 1);
    a.longest_by = ARENA_ARRAY(txns->history->arena, uint32_t, txns->keys.n + 1);
    find_longest(&a);
    for (uint32_t object = 0; object < txns->keys.n; object++) {
        version_edges(&a, object);
    }
    unseen(&a);
    for (uint32_t t = 0; t < txns->txns.n; t++) {
        if (txns->txns.v[t].end != HIST_OK) {
            continue;
        }
        internal(&a, t);
        for (uint32_t m = 0; m < txns->txns.v[t].n; m++) {
            const struct hist_mop *mop = &txns->txns.v[t].mops[m];
            if (mop->write) {
                continue;
            }
            bool external = is_external(&txns->txns.v[t], m);
            elements(&a, t, mop, external);
            bool placed = compatible(&a, t, mop);
            if (external) {
                read_edges(&a, t, mop, placed);
            }
        }
    }
    VEC_DONE(&a.unseen);
    return 0;
}

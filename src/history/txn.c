/* Transactions: lists of reads and writes, as a file has them; who wrote which version; names of
 * anomalies and the levels that forbid them.
 *
 * The anomalies are those of Adya's thesis (1999) as Elle (Kingsbury and Alvaro, VLDB 2020) finds
 * them from what clients saw. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history.h"
#include "history/history_int.h"

/* ORDER HISTORY_ANOMALIES */
static const char *const anomaly_names[HIST_ANOMALIES] = {
    "garbage-read",
    "duplicate-elements",
    "cyclic-versions",
    "internal",
    "future-read",
    "G1a",
    "G1b",
    "dirty-update",
    "incompatible-order",
    "lost-update",
    "G0",
    "G1c",
    "G-single-item",
    "G-nonadjacent-item",
    "G2-item",
    "G0-process",
    "G1c-process",
    "G-single-item-process",
    "G-nonadjacent-item-process",
    "G2-item-process",
    "G0-realtime",
    "G1c-realtime",
    "G-single-item-realtime",
    "G-nonadjacent-item-realtime",
    "G2-item-realtime",
};

const char *hist_anomaly_name(enum hist_anomaly kind)
{
    return anomaly_names[kind];
}

#define BIT(kind) (UINT64_C(1) << (kind))

uint64_t hist_forbidden(enum hist_level level)
{
    uint64_t uncommitted =
        BIT(HIST_G0) | BIT(HIST_DUPLICATE) | BIT(HIST_CYCLIC_VERSIONS) | BIT(HIST_GARBAGE);
    uint64_t committed = uncommitted | BIT(HIST_G1A) | BIT(HIST_G1B) | BIT(HIST_G1C) |
                         BIT(HIST_DIRTY_UPDATE) | BIT(HIST_INCOMPATIBLE) | BIT(HIST_FUTURE_READ);
    uint64_t snapshot = committed | BIT(HIST_INTERNAL) | BIT(HIST_LOST_UPDATE) |
                        BIT(HIST_G_SINGLE) | BIT(HIST_G_NONADJACENT);
    uint64_t repeatable = committed | BIT(HIST_LOST_UPDATE) | BIT(HIST_G_SINGLE) |
                          BIT(HIST_G_NONADJACENT) | BIT(HIST_G2_ITEM);
    uint64_t serializable = snapshot | repeatable;
    uint64_t cycles = BIT(HIST_G0) | BIT(HIST_G1C) | BIT(HIST_G_SINGLE) | BIT(HIST_G_NONADJACENT) |
                      BIT(HIST_G2_ITEM);
    uint64_t session = serializable | cycles << (HIST_G0_PROCESS - HIST_G0);
    switch (level) {
    case HIST_READ_UNCOMMITTED: return uncommitted;
    case HIST_READ_COMMITTED: return committed;
    case HIST_SNAPSHOT_ISOLATION: return snapshot;
    case HIST_REPEATABLE_READ: return repeatable;
    case HIST_SERIALIZABLE: return serializable;
    case HIST_SESSION_SERIALIZABLE: return session;
    case HIST_STRICT_SERIALIZABLE:
    default: return session | cycles << (HIST_G0_REALTIME - HIST_G0);
    }
}

bool hist_found(struct hist_txns *txns, enum hist_anomaly kind)
{
    return txns->found[kind]++ == 0;
}

void hist_txn_print(const struct hist_txns *txns, uint32_t txn, struct strbuf *out)
{
    const struct hist_txn *t = &txns->txns.v[txn];
    const struct hvals *vals = &txns->history->vals;
    bool append = txns->options->model == HIST_LIST_APPEND;
    for (uint32_t i = 0; i < t->n; i++) {
        strbuf_adds(out, i > 0 ? ", " : "");
        strbuf_adds(out, !t->mops[i].write ? "read " : append ? "append to " : "write ");
        hval_print(vals, t->mops[i].key, out);
        if (t->mops[i].write || t->end == HIST_OK) {
            strbuf_addc(out, ' ');
            hval_print(vals, t->mops[i].value, out);
        }
    }
}

void hist_txn_line(const struct hist_txns *txns, uint32_t txn, const char *name, struct strbuf *out)
{
    const struct hist_op *op = &txns->history->ops.v[txns->txns.v[txn].op];
    strbuf_printf(out, "    %s = process ", name);
    hval_print(&txns->history->vals, op->process, out);
    if (op->ret_line != 0) {
        strbuf_printf(out, ", lines %u-%u", op->call_line, op->ret_line);
    } else {
        strbuf_printf(out, ", line %u", op->call_line);
    }
    strbuf_adds(out, op->end == HIST_FAIL   ? " (failed): "
                     : op->end == HIST_OPEN ? " (open): "
                                            : ": ");
    hist_txn_print(txns, txn, out);
    strbuf_addc(out, '\n');
}

void hist_tell_pair(struct hist_txns *txns, enum hist_anomaly kind, uint32_t reader,
                    uint32_t writer, const char *what)
{
    if (hist_found(txns, kind)) {
        struct strbuf *out = &txns->text[kind];
        strbuf_printf(out, "  %s\n", what);
        hist_txn_line(txns, writer, "T1", out);
        hist_txn_line(txns, reader, "T2", out);
    }
}

/* ---- reading ---- */

static uint32_t object_of(struct hist_txns *txns, struct u64map *objects, struct hval key)
{
    uint64_t at;
    if (!u64map_get(objects, key.id, &at)) {
        at = txns->keys.n;
        VEC_PUSH(&txns->keys, key);
        u64map_put(objects, key.id, at);
    }
    return (uint32_t)at;
}

/* One of [f key value]. */
static int read_mop(struct hist_txns *txns, struct u64map *objects, const struct hist_op *op,
                    struct hval item, struct hist_mop *ret, struct err *err)
{
    const struct history *history = txns->history;
    const struct hval_node *node = hval_at(&history->vals, item);
    bool append = txns->options->model == HIST_LIST_APPEND;
    if (node->kind != HVAL_KIND_LIST || node->n < 2 || node->n > 3) {
        return hist_error(history, op->call_line, err,
                          "a part of a transaction is a list such as %s",
                          append ? "[\"append\", \"x\", 1] or [\"r\", \"x\", [1]]"
                                 : "[\"w\", \"x\", 1] or [\"r\", \"x\", 1]");
    }
    *ret =
        (struct hist_mop){.key = node->items[1], .value = node->n == 3 ? node->items[2] : HVAL_NIL};
    ret->object = object_of(txns, objects, ret->key);
    struct hval f = node->items[0];
    if (hval_is_text(&history->vals, f, append ? "append" : "w") ||
        (!append && hval_is_text(&history->vals, f, "write"))) {
        ret->write = true;
    } else if (!hval_is_text(&history->vals, f, "r") && !hval_is_text(&history->vals, f, "read")) {
        return hist_error(history, op->call_line, err, "a transaction of this model consists of %s",
                          append ? "\"r\" and \"append\"" : "\"r\" and \"w\"");
    }
    enum hval_kind kind = hval_at(&history->vals, ret->value)->kind;
    if (append && !ret->write && kind != HVAL_KIND_LIST && kind != HVAL_KIND_NIL) {
        return hist_error(history, op->ret_line, err, "a read of a list must return a list");
    }
    return 0;
}

static int read_txn(struct hist_txns *txns, struct u64map *objects, uint32_t which, struct err *err)
{
    struct history *history = txns->history;
    const struct hist_op *op = &history->ops.v[which];
    struct hval value = op->end == HIST_OK && !hval_eq(op->out, HVAL_NIL) ? op->out : op->in;
    if (hval_eq(value, HVAL_NIL)) {
        return hist_error(history, op->call_line, err, "the transaction has no \"value\"");
    }
    const struct hval_node *list = hval_at(&history->vals, value);
    if (list->kind != HVAL_KIND_LIST) {
        return hist_error(history, op->call_line, err,
                          "the value of a transaction is a list of reads and writes");
    }
    struct hist_txn txn = {.op = which,
                           .end = op->end,
                           .mops = ARENA_ARRAY(history->arena, struct hist_mop, list->n + 1)};
    for (uint32_t i = 0; i < list->n; i++) {
        int rc = read_mop(txns, objects, op, list->items[i], &txn.mops[txn.n++], err);
        if (rc < 0) {
            return rc;
        }
    }
    VEC_PUSH(&txns->txns, txn);
    return 0;
}

int hist_txns_read(struct history *history, const struct hist_options *options,
                   struct hist_txns *ret, struct err *err)
{
    *ret = (struct hist_txns){.history = history, .options = options};
    struct u64map objects = {0};
    int rc = 0;
    for (uint32_t i = 0; i < history->ops.n && rc >= 0; i++) {
        rc = read_txn(ret, &objects, i, err);
    }
    u64map_done(&objects);
    return rc;
}

void hist_txns_done(struct hist_txns *txns)
{
    VEC_DONE(&txns->txns);
    VEC_DONE(&txns->keys);
    VEC_DONE(&txns->edges);
    for (size_t i = 0; i < HIST_ANOMALIES; i++) {
        strbuf_done(&txns->text[i]);
    }
}

/* ---- who wrote what ---- */

static size_t writer_slot(const struct hist_writers *writers, uint64_t name)
{
    size_t at = hash_mix(name) & (writers->index_cap - 1);
    while (writers->place[at] != 0 && writers->index[at] != name) {
        at = (at + 1) & (writers->index_cap - 1);
    }
    return at;
}

static uint64_t version_name(uint32_t object, struct hval value)
{
    return (uint64_t)object << 32 | value.id;
}

struct hist_writer *hist_writer_of(const struct hist_writers *writers, uint32_t object,
                                   struct hval value)
{
    size_t at = writer_slot(writers, version_name(object, value));
    return writers->place[at] == 0 ? NULL : &writers->v[writers->place[at] - 1];
}

static int add_writer(struct hist_writers *writers, const struct hist_txns *txns, uint32_t t,
                      uint32_t m, struct err *err)
{
    const struct hist_txn *txn = &txns->txns.v[t];
    const struct hist_mop *mop = &txn->mops[m];
    uint64_t name = version_name(mop->object, mop->value);
    size_t at = writer_slot(writers, name);
    if (writers->place[at] != 0) {
        const struct hist_writer *other = &writers->v[writers->place[at] - 1];
        SCOPED_STRBUF what = {0};
        hval_print(&txns->history->vals, mop->value, &what);
        strbuf_adds(&what, " is written to ");
        hval_print(&txns->history->vals, mop->key, &what);
        return hist_error(txns->history, txns->history->ops.v[txn->op].call_line, err,
                          "%s a second time (first in line %u); values must tell who wrote them",
                          strbuf_cstr(&what),
                          txns->history->ops.v[txns->txns.v[other->txn].op].call_line);
    }
    bool last = true;
    for (uint32_t k = m + 1; k < txn->n; k++) {
        last = last && !(txn->mops[k].write && txn->mops[k].object == mop->object);
    }
    writers->v[writers->n++] = (struct hist_writer){.txn = t, .mop = m, .last = last};
    writers->index[at] = name;
    writers->place[at] = (uint32_t)writers->n;
    return 0;
}

int hist_writers_init(struct hist_writers *writers, const struct hist_txns *txns, struct err *err)
{
    *writers = (struct hist_writers){.history = txns->history, .index_cap = 64};
    size_t n = 0;
    for (size_t t = 0; t < txns->txns.n; t++) {
        n += txns->txns.v[t].n;
    }
    while (writers->index_cap < 2 * n) {
        writers->index_cap *= 2;
    }
    struct arena *arena = txns->history->arena;
    writers->index = ARENA_ARRAY(arena, uint64_t, writers->index_cap);
    writers->place = ARENA_ARRAY(arena, uint32_t, writers->index_cap);
    writers->v = ARENA_ARRAY(arena, struct hist_writer, n + 1);
    for (uint32_t t = 0; t < txns->txns.n; t++) {
        for (uint32_t m = 0; m < txns->txns.v[t].n; m++) {
            int rc = txns->txns.v[t].mops[m].write ? add_writer(writers, txns, t, m, err) : 0;
            if (rc < 0) {
                return rc;
            }
        }
    }
    return 0;
}

/* Shared by the files of the room. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history.h"

/* ---- values (hval.c) ---- */

/* The number of a value in its table. Equal values have equal numbers; nil is 0. */
struct hval {
    uint32_t id;
};
#define HVAL_NIL ((struct hval){0})

enum hval_kind {
    HVAL_KIND_NIL,
    HVAL_KIND_BOOL,
    HVAL_KIND_INT,
    HVAL_KIND_TEXT,
    HVAL_KIND_LIST,
    HVAL_KIND_MAP
};

struct hval_node {
    enum hval_kind kind;
    uint32_t n; /* bytes of a text, items of a list, twice the pairs of a map */
    union {
        int64_t i;
        const char *text;
        const struct hval *items; /* a map: key, value, ..., sorted by the keys' numbers */
    };
    uint64_t hash;
};

struct hvals {
    struct arena *arena;
    VEC(struct hval_node) nodes;
    uint32_t *index; /* open addressing; 0 = free, else number + 1 */
    size_t index_cap;
};

void hvals_init(struct hvals *vals, struct arena *arena);
void hvals_done(struct hvals *vals); /* the table; texts and items belong to the arena */
struct hval hval_bool(struct hvals *vals, bool b);
struct hval hval_int(struct hvals *vals, int64_t i);
struct hval hval_text(struct hvals *vals, struct str text);
struct hval hval_list(struct hvals *vals, const struct hval *items, size_t n);
/* Keys and values alternate; the items are sorted in place. False: a key occurs twice. */
bool hval_map(struct hvals *vals, struct hval *items, size_t n, struct hval *ret);
const struct hval_node *hval_at(const struct hvals *vals, struct hval v);
bool hval_is_text(const struct hvals *vals, struct hval v, const char *text);
void hval_print(const struct hvals *vals, struct hval v, struct strbuf *out);
int hval_by_id(const void *a, const void *b); /* for qsort: any order that is always the same */
static inline bool hval_eq(struct hval a, struct hval b)
{
    return a.id == b.id;
}

/* ---- notations (edn.c, json.c) ---- */

/* A reader's place in its text; lines count from 1. */
struct hist_text {
    const char *name;
    const char *at, *end;
    unsigned line;
};
enum { HIST_NESTING_MAX = 200 };
/* The next value: 1, 0 at the end of the text, negative on a mistake. Keywords, symbols and
 * strings of EDN are texts; vectors, lists and sets are lists; a tag is dropped. */
MUST_USE int hist_edn(struct hvals *vals, struct hist_text *text, struct hval *ret,
                      struct err *err);
MUST_USE int hist_json(struct hvals *vals, struct hist_text *text, struct hval *ret,
                       struct err *err);
int hist_text_error(const struct hist_text *text, struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- operations (read.c) ---- */

enum hist_end { HIST_OK, HIST_FAIL, HIST_OPEN };

#define HIST_NEVER UINT32_MAX

struct hist_op {
    struct hval process, f, key; /* key: nil when there is none */
    struct hval in, out;         /* what it was called with; what it returned (nil when open) */
    uint32_t call, ret;          /* moments: places of the events in the file; HIST_NEVER */
    unsigned call_line, ret_line;
    enum hist_end end;
};

struct history {
    struct arena *arena;
    const char *name;
    struct hvals vals;
    VEC(struct hist_op) ops; /* in order of their calls */
    uint32_t moments;
};

int hist_error(const struct history *history, unsigned line, struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- objects (model.c) ---- */

enum hist_verb {
    HIST_READ,
    HIST_WRITE,
    HIST_COMPARE,
    HIST_APPEND,   /* to a text, or to a list */
    HIST_ADD_LAST, /* to a queue */
    HIST_TAKE_FIRST,
    HIST_INSERT, /* into a set */
    HIST_REMOVE,
    HIST_ACQUIRE,
    HIST_RELEASE
};

/* An operation as the searches see it. One that may have happened has ret == HIST_NEVER. */
struct hist_do {
    enum hist_verb verb;
    bool owned;       /* of a lock: only its owner may release it */
    bool any_result;  /* it did not return: what it took is not known */
    struct hval a, b; /* what was read, written, taken; compared with a, then b; who locks */
    uint32_t call, ret;
    uint32_t object;  /* which key: 0, 1, ... */
    uint32_t process; /* 0, 1, ... */
    uint32_t op;      /* in history->ops */
};
/* 1: an operation of the model, in *ret; 0: one that cannot matter (it failed, or was a read
 * without an answer); negative: not an operation of this model. */
MUST_USE int hist_do_of(struct history *history, enum hist_model model, const struct hist_op *op,
                        struct hist_do *ret, struct err *err);
/* Whether the operation is possible in the state, and the state after it. */
bool hist_step(struct hvals *vals, struct hval state, const struct hist_do *op, struct hval *ret);
/* Whether it leaves every state in which it is possible as it was. */
bool hist_changes_nothing(const struct hist_do *op);

/* ---- searches (linear.c, seq.c) ---- */

struct hist_search {
    struct hvals *vals;
    size_t memory_bytes;
    uint64_t steps_max; /* 0: no limit */
    const volatile sig_atomic_t *stop;
    uint64_t steps; /* so far */
};
/* A set of 128-bit hashes: configurations that lead nowhere. */
struct hist_seen {
    uint64_t (*slots)[2];
    size_t n, cap;
    size_t bytes_max;
};
enum hist_add { HIST_NEW, HIST_OLD, HIST_FULL };
enum hist_add hist_seen_add(struct hist_seen *seen, uint64_t h0, uint64_t h1);
void hist_seen_done(struct hist_seen *seen);
bool hist_search_over(struct hist_search *search); /* stopped, or out of steps; counts one */

typedef enum hist_outcome hist_judge(struct hist_search *search, const struct hist_do *ops,
                                     size_t n);
/* Operations in order of their calls. hist_linear looks at one object, hist_seq at all. */
hist_judge hist_linear, hist_seq;

/* ---- explanations (minimal.c) ---- */

/* A smallest part of the operations that still contradicts itself: in place, returns how many. */
size_t hist_minimal(struct hist_search *search, hist_judge *judge, bool real_time,
                    struct hist_do *ops, size_t n);
void hist_explain(const struct history *history, const struct hist_do *ops, size_t n,
                  bool real_time, struct strbuf *out);

/* ---- transactions (txn.c, append.c, rw.c, cycle.c) ---- */

/* ORDER HISTORY_ANOMALIES: the names are in txn.c. Those of cycles come three times in the same
 * order: of data alone, with edges of a process, with edges of real time. */
enum hist_anomaly {
    HIST_GARBAGE, /* a value that nobody wrote */
    HIST_DUPLICATE,
    HIST_CYCLIC_VERSIONS,
    HIST_INTERNAL,
    HIST_FUTURE_READ,
    HIST_G1A,
    HIST_G1B,
    HIST_DIRTY_UPDATE,
    HIST_INCOMPATIBLE,
    HIST_LOST_UPDATE,
    HIST_G0,
    HIST_G1C,
    HIST_G_SINGLE,
    HIST_G_NONADJACENT,
    HIST_G2_ITEM,
    HIST_G0_PROCESS,
    HIST_G1C_PROCESS,
    HIST_G_SINGLE_PROCESS,
    HIST_G_NONADJACENT_PROCESS,
    HIST_G2_ITEM_PROCESS,
    HIST_G0_REALTIME,
    HIST_G1C_REALTIME,
    HIST_G_SINGLE_REALTIME,
    HIST_G_NONADJACENT_REALTIME,
    HIST_G2_ITEM_REALTIME,
    HIST_ANOMALIES
};

struct hist_mop {
    bool write;
    struct hval key, value; /* value of a read: what it saw */
    uint32_t object;
};
struct hist_txn {
    struct hist_mop *mops;
    uint32_t n;
    uint32_t op; /* in history->ops */
    enum hist_end end;
};

/* ww: b overwrote what a wrote; wr: b read what a wrote; rw: b overwrote what a had read. */
enum { HIST_WW = 1, HIST_WR = 2, HIST_RW = 4, HIST_PROCESS = 8, HIST_REALTIME = 16 };
struct hist_edge {
    uint32_t from, to;
    unsigned kind;         /* one of the above */
    uint32_t object;       /* of ww, wr, rw */
    struct hval old, next; /* versions; a wr edge has one */
};

struct hist_txns {
    struct history *history;
    const struct hist_options *options;
    VEC(struct hist_txn) txns;
    VEC(struct hval) keys; /* of the objects */
    VEC(struct hist_edge) edges;
    size_t found[HIST_ANOMALIES];
    struct strbuf text[HIST_ANOMALIES]; /* the first of each kind, explained */
};
MUST_USE int hist_txns_read(struct history *history, const struct hist_options *options,
                            struct hist_txns *ret, struct err *err);
void hist_txns_done(struct hist_txns *txns);
/* Counts an anomaly; true: it is the first of its kind, and its text is wanted. */
bool hist_found(struct hist_txns *txns, enum hist_anomaly kind);
void hist_txn_print(const struct hist_txns *txns, uint32_t txn, struct strbuf *out);
/* "T (lines 3-8, process 1): [...]", the beginning of an explanation. */
void hist_txn_line(const struct hist_txns *txns, uint32_t txn, const char *name,
                   struct strbuf *out);
/* Counts an anomaly between two transactions; the first of its kind is told, T1 being the writer.
 */
void hist_tell_pair(struct hist_txns *txns, enum hist_anomaly kind, uint32_t reader,
                    uint32_t writer, const char *what);
const char *hist_anomaly_name(enum hist_anomaly kind);
uint64_t hist_forbidden(enum hist_level level); /* a bit for each anomaly */

/* Who wrote a version: an index over all transactions, also those that failed. In the history's
 * arena. */
struct hist_writer {
    uint32_t txn, mop;
    bool last; /* of its transaction's writes of that object */
    bool seen; /* for whoever looks through the versions */
};
struct hist_writers {
    struct history *history;
    struct hist_writer *v;
    size_t n;
    uint64_t *index; /* open addressing: object << 32 | value */
    uint32_t *place; /* 0 = free, else the place in v + 1 */
    size_t index_cap;
};
/* Refuses a value that was written twice to one object. */
MUST_USE int hist_writers_init(struct hist_writers *writers, const struct hist_txns *txns,
                               struct err *err);
struct hist_writer *hist_writer_of(const struct hist_writers *writers, uint32_t object,
                                   struct hval value); /* or NULL */

MUST_USE int hist_append_edges(struct hist_txns *txns, struct err *err);
MUST_USE int hist_rw_edges(struct hist_txns *txns, struct err *err);

/* ---- orders (order.c) ---- */

typedef void hist_follow(void *arg, uint32_t before, uint32_t after);
/* Calls back for transactions of the list (in order of their calls) that follow each other
 * directly: in one process; or in time, the first having ended before the second was called. */
void hist_process_order(const struct hist_txns *txns, const uint32_t *list, size_t n,
                        hist_follow *follow, void *arg);
void hist_time_order(const struct hist_txns *txns, const uint32_t *list, size_t n,
                     hist_follow *follow, void *arg);
void hist_order_edges(struct hist_txns *txns); /* adds those of processes and of real time */

/* ---- cycles (graph.c, cycle.c) ---- */

/* A graph as arrays, and its strongly connected components. With `apart`, paths have no two HIST_RW
 * edges in a row: a node is two, one that was reached by such an edge (number n + i) and one not.
 */
struct hist_graph {
    struct arena *arena;
    uint32_t n;                    /* nodes */
    const struct hist_edge *edges; /* sorted by `from` */
    uint32_t *begin;               /* [n + 1] */
    uint32_t *component;           /* of each node (of both, with `apart`) */
    bool *cyclic;                  /* whether the node's component has a cycle */
};
void hist_graph_init(struct hist_graph *graph, struct hist_edge *edges, size_t n); /* sorts them */
void hist_graph_components(struct hist_graph *graph, unsigned kinds, bool apart);

void hist_cycles(struct hist_txns *txns);

/* ---- banks (bank.c) ---- */
MUST_USE int hist_bank(struct history *history, const struct hist_options *options,
                       struct hist_result *ret, struct err *err);

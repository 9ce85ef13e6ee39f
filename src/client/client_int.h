/* What the files of this room share. */
#pragma once

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "client/client.h"

/* ---- operations (generate.c) ---- */
enum op_kind {
    OP_READ,
    OP_WRITE,
    OP_CAS,
    OP_DELETE,
    OP_ADD,
    OP_READ_ALL, /* of a set */
    OP_ENQUEUE,
    OP_DEQUEUE,
    OP_ACQUIRE,
    OP_RELEASE,
    OP_TXN,
    OP_TRANSFER,
    OP_BALANCES,
    OP_KINDS
};
enum { MOPS_MOST = 16 };
struct mop {
    bool read;
    uint64_t key;
    int64_t value; /* written, or appended */
};
struct op {
    enum op_kind kind;
    uint64_t key;       /* transfer: from */
    uint64_t to;        /* transfer */
    int64_t value, old; /* written, added, moved; cas: expected */
    struct mop mops[MOPS_MOST];
    size_t n_mops;
    uint64_t wait_ns; /* before it */
};
const char *op_name(const struct client_options *o, enum op_kind kind);
/* Whether its key is a field of its own. */
bool op_keyed(enum op_kind kind);
/* Whether it changes nothing: one that was lost has failed. */
bool op_only_reads(const struct op *op);
struct weights {
    uint32_t of[OP_KINDS];
};
MUST_USE int weights_parse(const struct client_options *o, struct weights *ret, struct err *err);
/* Operation `number` of a worker: a function of the seed and these two, so that leaving one out
 * leaves all others as they are. */
void op_draw(const struct client_options *o, const struct weights *weights, uint32_t worker,
             uint64_t number, struct op *ret);
/* The k-th of the last reads; false when there is no such one. */
bool op_final(const struct client_options *o, uint64_t k, struct op *ret);
/* Operations that are left out. */
struct skip {
    uint32_t worker;
    uint64_t from, to;
};
struct skips {
    VEC(struct skip) v;
};
MUST_USE int skips_parse(const char *text, struct skips *ret, struct err *err);
bool skips_has(const struct skips *skips, uint32_t worker, uint64_t number);

/* ---- connections (wire.c) ---- */
struct wire {
    int fd; /* -1: none */
    struct strbuf in;
    size_t at;            /* of `in`: what was taken */
    uint64_t deadline_ns; /* of what is being done */
    bool sent;            /* something of the request left us */
    const char *why;      /* what went wrong */
};
bool wire_open(struct wire *wire, const struct sockaddr_in *to);
void wire_close(struct wire *wire);
bool wire_send(struct wire *wire, struct str bytes);
bool wire_bytes(struct wire *wire, size_t n, struct str *ret); /* until the next call */
bool wire_line(struct wire *wire, struct str *ret);            /* without its end, \n or \r\n */
bool wire_rest(struct wire *wire, struct str *ret); /* until the other side has closed it */

/* ---- workers (work.c) ---- */
enum done { DONE_OK, DONE_FAIL, DONE_INFO };
/* What a server keeps under a name. */
struct cell {
    struct strbuf text;
    bool there;
    int64_t version; /* of servers that have such a thing */
};
/* What a transaction has read and will write, for servers that check it at its end. */
struct txn_read {
    struct strbuf key;
    struct cell cell;
};
struct txn_write {
    struct strbuf key;
    struct strbuf text;
    bool delete;
};
struct txn {
    VEC(struct txn_read) reads;
    VEC(struct txn_write) writes;
};
struct job;
struct worker {
    const struct job *job;
    struct wire wire;
    struct txn txn;
    struct strbuf out;  /* a request that is being made */
    struct strbuf line; /* of the history */
    struct strbuf value;
    char error[160]; /* why the last step has not ended well; "": nobody knows */
    size_t target;
    uint32_t index;
    uint32_t retired;   /* processes that it was before */
    int32_t xid;        /* zookeeper: of the last request */
    struct u64map seen; /* of keys: the value that was there last */
    bool holds;         /* the lock */
    bool elsewhere;     /* this server says that another should be asked */
    bool hang_up;       /* the server closes the connection after this reply */
    bool in_txn;        /* postgres, templates: between begin and commit */
    struct client_counts counts;
};

/* How one kind of server is spoken to. A step that fails leaves no trace; after DONE_INFO the
 * connection is closed. */
struct driver {
    const char *name;
    uint16_t port;
    enum done (*hello)(struct worker *w); /* on a new connection; may be NULL */
    enum done (*setup)(struct worker *w); /* once, before everything else; may be NULL */
    enum done (*get)(struct worker *w, const char *key, bool in_txn, struct cell *ret);
    enum done (*put)(struct worker *w, const char *key, struct str text);
    enum done (*begin)(struct worker *w); /* may be NULL */
    /* May be NULL: writes are then kept in w->txn for the commit. */
    enum done (*txn_put)(struct worker *w, const char *key, const struct str *text);
    enum done (*txn_append)(struct worker *w, const char *key, int64_t value);
    enum done (*commit)(struct worker *w); /* DONE_FAIL: somebody else was faster */
    void (*rollback)(struct worker *w);    /* may be NULL */
    /* Operations that the server can do by itself: false when this is none. May be NULL. */
    bool (*native)(struct worker *w, const struct op *op, enum done *ret);
    MUST_USE int (*check)(const struct client_options *o, struct err *err); /* may be NULL */
};
extern const struct driver driver_redis, driver_etcd, driver_zookeeper, driver_postgres,
    driver_http, driver_line;

struct target {
    struct sockaddr_in addr;
    const char *name;
};
struct job {
    const struct client_options *o;
    const struct driver *driver;
    struct target *targets;
    struct weights weights;
    struct skips skips;
    uint64_t begin_ns;
    _Atomic bool *unwritten; /* the history could not be written */
};
/* Why a step did not end well; returns `done`. */
enum done worker_said(struct worker *w, enum done done, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The connection is of no use any more: what was asked has failed if nothing of it was sent. */
enum done worker_lost(struct worker *w);

/* ---- operations on cells (cells.c) ---- */
/* Does an operation; w->value gets what it returned, as JSON. */
enum done op_do(struct worker *w, const struct op *op);
MUST_USE int cells_setup(struct worker *w);
void cells_reset(struct txn *txn);
void cell_done(struct cell *cell);
#define SCOPED_CELL __attribute__((cleanup(cell_done))) struct cell

/* ---- JSON (json_text.c) ---- */
void json_add_text(struct strbuf *out, struct str text);  /* with quotes */
void json_add_value(struct strbuf *out, struct str text); /* a number if it is one, else a text */
void json_add_list(struct strbuf *out, struct str text);  /* its numbers, as an array */

/* ---- HTTP (http.c) ---- */
struct http_reply {
    int status;
    struct str body; /* until the next call */
};
/* One request on the connection, which is closed when the server wants that. */
enum done http_ask(struct worker *w, struct str method, struct str path, struct str body,
                   struct http_reply *ret);

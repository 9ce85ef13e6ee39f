/* ZooKeeper, in its own protocol (jute): numbers are big-endian, texts have their length in front.
 *
 * A cell is a node below the root, and one without data counts as absent: nodes are never deleted,
 * since a new node would begin with version 0 again, and a condition on versions would hold that
 * should not. Reads come after a sync unless the user wants local ones, which may be old. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "client/client.h"
#include "client/client_int.h"

enum { ZOP_CREATE = 1, ZOP_GET = 4, ZOP_SET = 5, ZOP_SYNC = 9, ZOP_CHECK = 13, ZOP_MULTI = 14 };
enum { ZERR_NO_NODE = -101, ZERR_BAD_VERSION = -103, ZERR_EXISTS = -110 };
enum { SESSION_MS = 40000, PASSWORD_BYTES = 16, STAT_BYTES = 68, STAT_VERSION = 32, NO_NODE = -1 };
enum { ALL_RIGHTS = 31 };

static void add_int(struct strbuf *out, int32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        strbuf_addc(out, (char)((uint32_t)value >> shift & 0xff));
    }
}

static void add_text(struct strbuf *out, struct str text)
{
    add_int(out, (int32_t)text.n);
    strbuf_addstr(out, text);
}

static void add_path(struct strbuf *out, struct str key)
{
    add_int(out, (int32_t)key.n + 1);
    strbuf_addc(out, '/');
    strbuf_addstr(out, key);
}

static int32_t take_int(struct str *from)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4 && i < from->n; i++) {
        value = value << 8 | (uint8_t)from->p[i];
    }
    size_t n = from->n < 4 ? from->n : 4;
    *from = (struct str){from->p + n, from->n - n};
    return (int32_t)value;
}

static bool read_packet(struct worker *w, struct str *ret)
{
    struct str head;
    if (!wire_bytes(&w->wire, 4, &head)) {
        return false;
    }
    int32_t n = take_int(&head);
    if (n < 0) {
        w->wire.why = "this is not ZooKeeper";
        return false;
    }
    return wire_bytes(&w->wire, (size_t)n, ret);
}

static bool send_packet(struct worker *w)
{
    SCOPED_STRBUF out = {0};
    add_text(&out, strbuf_str(&w->out));
    return wire_send(&w->wire, strbuf_str(&out));
}

static enum done zk_hello(struct worker *w)
{
    static const char nothing[PASSWORD_BYTES];
    struct str reply;
    strbuf_reset(&w->out);
    add_int(&w->out, 0);             /* version of the protocol */
    strbuf_add(&w->out, nothing, 8); /* last transaction that was seen */
    add_int(&w->out, SESSION_MS);
    strbuf_add(&w->out, nothing, 8); /* a new session */
    add_text(&w->out, (struct str){nothing, sizeof nothing});
    strbuf_addc(&w->out, '\0'); /* not from one that only reads */
    if (!send_packet(w) || !read_packet(w, &reply)) {
        return worker_lost(w);
    }
    w->xid = 0;
    return DONE_OK;
}

static void begin_request(struct worker *w, int32_t type)
{
    strbuf_reset(&w->out);
    add_int(&w->out, ++w->xid);
    add_int(&w->out, type);
}

/* The rest of the reply, and the error that the server names; 0: none. */
static enum done exchange(struct worker *w, struct str *ret, int32_t *ret_error)
{
    if (!send_packet(w)) {
        return worker_lost(w);
    }
    for (;;) {
        if (!read_packet(w, ret)) {
            return worker_lost(w);
        }
        int32_t xid = take_int(ret);
        (void)take_int(ret);
        (void)take_int(ret);
        *ret_error = take_int(ret);
        if (xid == w->xid) {
            return DONE_OK;
        }
    }
}

/* Which errors say that nothing has happened: those about the data. */
static enum done refused(struct worker *w, int32_t error)
{
    bool nothing = error <= -100 && error != -112; /* -112: the session is over */
    w->elsewhere = true;
    return worker_said(w, nothing ? DONE_FAIL : DONE_INFO, "error %d", error);
}

static enum done read_node(struct worker *w, struct str key, struct cell *ret)
{
    struct str reply;
    int32_t error = 0;
    begin_request(w, ZOP_GET);
    add_path(&w->out, key);
    strbuf_addc(&w->out, '\0'); /* no watch */
    enum done done = exchange(w, &reply, &error);
    if (done != DONE_OK || (error != 0 && error != ZERR_NO_NODE)) {
        return done != DONE_OK ? done : refused(w, error);
    }
    strbuf_reset(&ret->text);
    ret->version = NO_NODE;
    if (error == 0) {
        int32_t n = take_int(&reply);
        if (n > 0 && (size_t)n <= reply.n) {
            strbuf_add(&ret->text, reply.p, (size_t)n);
            reply = (struct str){reply.p + n, reply.n - (size_t)n};
        }
        struct str version =
            reply.n >= STAT_BYTES ? (struct str){reply.p + STAT_VERSION, 4} : STR("");
        ret->version = take_int(&version);
    }
    ret->there = ret->text.n != 0;
    return DONE_OK;
}

static enum done zk_get(struct worker *w, const char *key, bool in_txn, struct cell *ret)
{
    if (!in_txn && w->job->o->read == NULL) {
        struct str reply;
        int32_t error = 0;
        begin_request(w, ZOP_SYNC);
        add_path(&w->out, str_of(key));
        enum done done = exchange(w, &reply, &error);
        if (done != DONE_OK || error != 0) {
            return done != DONE_OK ? done : refused(w, error);
        }
    }
    return read_node(w, str_of(key), ret);
}

static void add_create(struct strbuf *out, struct str key, struct str text)
{
    add_path(out, key);
    add_text(out, text);
    add_int(out, 1);
    add_int(out, ALL_RIGHTS);
    add_text(out, STR("world"));
    add_text(out, STR("anyone"));
    add_int(out, 0); /* it stays */
}

static void add_set(struct strbuf *out, struct str key, struct str text, int32_t version)
{
    add_path(out, key);
    add_text(out, text);
    add_int(out, version);
}

static enum done zk_put(struct worker *w, const char *key, struct str text)
{
    for (int try = 0; try < 4; try++) {
        struct str reply;
        int32_t error = 0;
        bool create = try % 2 != 0;
        begin_request(w, create ? ZOP_CREATE : ZOP_SET);
        if (create) {
            add_create(&w->out, str_of(key), text);
        } else {
            add_set(&w->out, str_of(key), text, -1);
        }
        enum done done = exchange(w, &reply, &error);
        if (done != DONE_OK || error == 0) {
            return done;
        }
        if (error != (create ? ZERR_EXISTS : ZERR_NO_NODE)) {
            return refused(w, error);
        }
    }
    return DONE_FAIL;
}

static void add_part(struct strbuf *out, int32_t type)
{
    add_int(out, type);
    strbuf_addc(out, (char)(type < 0 ? 1 : 0));
    add_int(out, -1);
}

/* The last write to a key in the transaction; NULL: it is only read. */
static const struct txn_write *written(const struct txn *txn, struct str key)
{
    for (size_t i = txn->writes.n; i-- > 0;) {
        if (str_eq(strbuf_str(&txn->writes.v[i].key), key)) {
            return &txn->writes.v[i];
        }
    }
    return NULL;
}

/* What is written without having been read needs its version, too. */
static enum done read_written(struct worker *w)
{
    for (size_t i = 0; i < w->txn.writes.n; i++) {
        struct str key = strbuf_str(&w->txn.writes.v[i].key);
        bool have = false;
        for (size_t k = 0; k < w->txn.reads.n; k++) {
            have = have || str_eq(strbuf_str(&w->txn.reads.v[k].key), key);
        }
        if (have) {
            continue;
        }
        struct txn_read read = {0};
        if (read_node(w, key, &read.cell) != DONE_OK) {
            cell_done(&read.cell);
            return DONE_FAIL;
        }
        strbuf_addstr(&read.key, key);
        VEC_PUSH(&w->txn.reads, read);
    }
    return DONE_OK;
}

static enum done zk_commit(struct worker *w)
{
    struct str reply;
    int32_t error = 0;
    if (read_written(w) != DONE_OK) {
        return DONE_FAIL;
    }
    begin_request(w, ZOP_MULTI);
    for (size_t i = 0; i < w->txn.reads.n; i++) {
        const struct txn_read *read = &w->txn.reads.v[i];
        struct str key = strbuf_str(&read->key);
        const struct txn_write *write = written(&w->txn, key);
        struct str text = write != NULL && !write->delete ? strbuf_str(&write->text) : STR("");
        if (read->cell.version == NO_NODE) { /* must still not be there: it is made now */
            add_part(&w->out, ZOP_CREATE);
            add_create(&w->out, key, text);
        } else if (write != NULL) {
            add_part(&w->out, ZOP_SET);
            add_set(&w->out, key, text, (int32_t)read->cell.version);
        } else {
            add_part(&w->out, ZOP_CHECK);
            add_path(&w->out, key);
            add_int(&w->out, (int32_t)read->cell.version);
        }
    }
    add_part(&w->out, -1);
    enum done done = exchange(w, &reply, &error);
    if (done != DONE_OK) {
        return done;
    }
    if (error == ZERR_BAD_VERSION || error == ZERR_EXISTS) {
        return DONE_FAIL;
    }
    if (error != 0) {
        return refused(w, error);
    }
    return take_int(&reply) == -1 && w->txn.reads.n != 0 ? DONE_FAIL : DONE_OK;
}

static int zk_check(const struct client_options *o, struct err *err)
{
    if (o->read != NULL && strcmp(o->read, "local") != 0) {
        return err_set(err, ERR_INVALID, 0, "read: of ZooKeeper there are \"local\" ones only");
    }
    return 0;
}

const struct driver driver_zookeeper = {
    .name = "zookeeper",
    .port = 2181,
    .hello = zk_hello,
    .get = zk_get,
    .put = zk_put,
    .commit = zk_commit,
    .check = zk_check,
};

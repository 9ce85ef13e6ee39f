/* Workloads on anything that keeps texts under names and can check, at the end of a transaction,
 * that what was read is still there. Lists are numbers with commas in between.
 *
 * A transaction that is known not to have been committed has failed, however far it went; only a
 * commit whose answer is missing leaves the outcome open. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "client/client.h"
#include "client/client_int.h"

enum { KEY_BYTES = 32, TRIES = 3, OPENING_BALANCE = 10 };

static void key_name(char out[KEY_BYTES], uint64_t key)
{
    (void)snprintf(out, KEY_BYTES, "k%" PRIu64, key);
}

void cell_done(struct cell *cell)
{
    strbuf_done(&cell->text);
}

void cells_reset(struct txn *txn)
{
    for (size_t i = 0; i < txn->reads.n; i++) {
        strbuf_done(&txn->reads.v[i].key);
        cell_done(&txn->reads.v[i].cell);
    }
    for (size_t i = 0; i < txn->writes.n; i++) {
        strbuf_done(&txn->writes.v[i].key);
        strbuf_done(&txn->writes.v[i].text);
    }
    VEC_RESET(&txn->reads);
    VEC_RESET(&txn->writes);
}

/* ---- steps of a transaction ---- */

static enum done begin(struct worker *w)
{
    cells_reset(&w->txn);
    enum done done = w->job->driver->begin != NULL ? w->job->driver->begin(w) : DONE_OK;
    return done == DONE_OK ? DONE_OK : DONE_FAIL;
}

static enum done give_up(struct worker *w)
{
    if (w->wire.fd >= 0 && w->job->driver->rollback != NULL) {
        w->job->driver->rollback(w);
    }
    return DONE_FAIL;
}

/* What a transaction sees: its own writes first. */
static enum done see(struct worker *w, const char *key, struct cell *ret)
{
    for (size_t i = w->txn.writes.n; i-- > 0;) {
        const struct txn_write *write = &w->txn.writes.v[i];
        if (str_is(strbuf_str(&write->key), key)) {
            ret->there = !write->delete;
            strbuf_reset(&ret->text);
            strbuf_addstr(&ret->text, strbuf_str(&write->text));
            return DONE_OK;
        }
    }
    for (size_t i = 0; i < w->txn.reads.n; i++) {
        const struct txn_read *read = &w->txn.reads.v[i];
        if (w->job->driver->txn_put == NULL && str_is(strbuf_str(&read->key), key)) {
            ret->there = read->cell.there;
            strbuf_reset(&ret->text);
            strbuf_addstr(&ret->text, strbuf_str(&read->cell.text));
            return DONE_OK;
        }
    }
    enum done done = w->job->driver->get(w, key, true, ret);
    if (done == DONE_OK) {
        struct txn_read read = {
            .cell = {.there = ret->there, .version = ret->version}
        };
        strbuf_adds(&read.key, key);
        strbuf_addstr(&read.cell.text, strbuf_str(&ret->text));
        VEC_PUSH(&w->txn.reads, read);
    }
    return done;
}

/* NULL: it is deleted. */
static enum done change(struct worker *w, const char *key, const struct str *text)
{
    if (w->job->driver->txn_put != NULL) {
        return w->job->driver->txn_put(w, key, text);
    }
    struct txn_write write = {.delete = text == NULL};
    strbuf_adds(&write.key, key);
    if (text != NULL) {
        strbuf_addstr(&write.text, *text);
    }
    VEC_PUSH(&w->txn.writes, write);
    return DONE_OK;
}

static enum done change_number(struct worker *w, const char *key, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    struct str str = str_of(text);
    return change(w, key, &str);
}

static enum done add_to_list(struct worker *w, const char *key, int64_t value)
{
    if (w->job->driver->txn_append != NULL) {
        return w->job->driver->txn_append(w, key, value);
    }
    SCOPED_CELL cell = {0};
    enum done done = see(w, key, &cell);
    if (done == DONE_OK) {
        strbuf_printf(&cell.text, "%s%" PRId64, cell.there && cell.text.n != 0 ? "," : "", value);
        struct str text = strbuf_str(&cell.text);
        done = change(w, key, &text);
    }
    return done;
}

/* ---- operations ---- */

static void add_number(struct worker *w, const struct cell *cell)
{
    if (cell->there) {
        json_add_value(&w->value, strbuf_str(&cell->text));
    } else {
        strbuf_adds(&w->value, "null");
    }
}

static enum done do_cas(struct worker *w, const char *key, const struct op *op)
{
    SCOPED_CELL cell = {0};
    char want[24];
    (void)snprintf(want, sizeof want, "%" PRId64, op->old);
    if (see(w, key, &cell) != DONE_OK) {
        return give_up(w);
    }
    if (!cell.there || !str_is(strbuf_str(&cell.text), want)) {
        (void)worker_said(w, DONE_FAIL, "another value");
        return give_up(w);
    }
    if (change_number(w, key, op->value) != DONE_OK) {
        return give_up(w);
    }
    return w->job->driver->commit(w);
}

static enum done do_dequeue(struct worker *w, const char *key)
{
    SCOPED_CELL cell = {0};
    if (see(w, key, &cell) != DONE_OK) {
        return give_up(w);
    }
    struct str text = strbuf_str(&cell.text);
    const char *comma = memchr(text.p, ',', text.n);
    struct str first = {text.p, comma != NULL ? (size_t)(comma - text.p) : text.n};
    struct str rest = {first.p + first.n + (comma != NULL), text.n - first.n - (comma != NULL)};
    bool empty = !cell.there || text.n == 0;
    if (!empty && change(w, key, &rest) != DONE_OK) {
        return give_up(w);
    }
    if (empty) {
        strbuf_adds(&w->value, "null");
    } else {
        json_add_value(&w->value, first);
    }
    return w->job->driver->commit(w);
}

/* The holder is known by its worker: one that does not know whether it got the lock can take it
 * again. */
static enum done do_lock(struct worker *w, const char *key, bool acquire)
{
    SCOPED_CELL cell = {0};
    char owner[24];
    (void)snprintf(owner, sizeof owner, "%" PRIu64, w->job->o->number * 1000 + w->index + 1);
    if (see(w, key, &cell) != DONE_OK) {
        return give_up(w);
    }
    bool mine = cell.there && str_is(strbuf_str(&cell.text), owner);
    bool free = !cell.there || cell.text.n == 0;
    if (acquire ? !free && !mine : !mine) {
        (void)worker_said(w, DONE_FAIL, acquire ? "it is held" : "it is not held");
        return give_up(w);
    }
    struct str text = acquire ? str_of(owner) : STR("");
    if (change(w, key, &text) != DONE_OK) {
        return give_up(w);
    }
    return w->job->driver->commit(w);
}

static void add_mop(struct worker *w, const struct mop *mop, const struct cell *seen)
{
    bool list = w->job->o->workload == WORK_LIST_APPEND;
    strbuf_printf(&w->value, "%s[\"%s\",\"k%" PRIu64 "\",", w->value.n > 1 ? "," : "",
                  mop->read ? "r"
                  : list    ? "append"
                            : "w",
                  mop->key);
    if (!mop->read) {
        strbuf_printf(&w->value, "%" PRId64, mop->value);
    } else if (seen == NULL || !seen->there) {
        strbuf_adds(&w->value, "null");
    } else if (list) {
        json_add_list(&w->value, strbuf_str(&seen->text));
    } else {
        json_add_value(&w->value, strbuf_str(&seen->text));
    }
    strbuf_addc(&w->value, ']');
}

static enum done do_txn(struct worker *w, const struct op *op)
{
    bool list = w->job->o->workload == WORK_LIST_APPEND;
    strbuf_addc(&w->value, '[');
    for (size_t i = 0; i < op->n_mops; i++) {
        const struct mop *mop = &op->mops[i];
        SCOPED_CELL cell = {0};
        char key[KEY_BYTES];
        key_name(key, mop->key);
        enum done done = mop->read ? see(w, key, &cell)
                         : list    ? add_to_list(w, key, mop->value)
                                   : change_number(w, key, mop->value);
        if (done != DONE_OK) {
            return give_up(w);
        }
        add_mop(w, mop, &cell);
    }
    strbuf_addc(&w->value, ']');
    return w->job->driver->commit(w);
}

static int64_t balance(const struct cell *cell)
{
    char text[24] = "0";
    size_t n = cell->text.n < sizeof text ? cell->text.n : sizeof text - 1;
    memcpy(text, cell->text.p, n);
    text[n] = '\0';
    return strtoll(text, NULL, 10);
}

static enum done do_transfer(struct worker *w, const struct op *op)
{
    char from[KEY_BYTES], to[KEY_BYTES];
    SCOPED_CELL source = {0};
    SCOPED_CELL sink = {0};
    key_name(from, op->key);
    key_name(to, op->to);
    if (see(w, from, &source) != DONE_OK || see(w, to, &sink) != DONE_OK) {
        return give_up(w);
    }
    if (!source.there || !sink.there || balance(&source) < op->value) {
        (void)worker_said(w, DONE_FAIL, "not enough money");
        return give_up(w);
    }
    if (change_number(w, from, balance(&source) - op->value) != DONE_OK ||
        change_number(w, to, balance(&sink) + op->value) != DONE_OK) {
        return give_up(w);
    }
    strbuf_printf(&w->value, "{\"from\":\"%s\",\"to\":\"%s\",\"amount\":%" PRId64 "}", from, to,
                  op->value);
    return w->job->driver->commit(w);
}

static enum done do_balances(struct worker *w)
{
    strbuf_addc(&w->value, '{');
    for (uint64_t i = 0; i < w->job->o->accounts; i++) {
        char key[KEY_BYTES];
        SCOPED_CELL cell = {0};
        key_name(key, i);
        if (see(w, key, &cell) != DONE_OK) {
            return give_up(w);
        }
        strbuf_printf(&w->value, "%s\"%s\":", i != 0 ? "," : "", key);
        add_number(w, &cell);
    }
    strbuf_addc(&w->value, '}');
    return w->job->driver->commit(w);
}

/* Those that need a transaction. */
static enum done in_txn(struct worker *w, const struct op *op, const char *key)
{
    if (begin(w) != DONE_OK) {
        return DONE_FAIL;
    }
    switch (op->kind) {
    case OP_CAS: return do_cas(w, key, op);
    case OP_DELETE: return change(w, key, NULL) == DONE_OK ? w->job->driver->commit(w) : give_up(w);
    case OP_ADD:
    case OP_ENQUEUE:
        return add_to_list(w, key, op->value) == DONE_OK ? w->job->driver->commit(w) : give_up(w);
    case OP_DEQUEUE: return do_dequeue(w, key);
    case OP_ACQUIRE: return do_lock(w, key, true);
    case OP_RELEASE: return do_lock(w, key, false);
    case OP_TXN: return do_txn(w, op);
    case OP_TRANSFER: return do_transfer(w, op);
    case OP_BALANCES: return do_balances(w);
    default: return DONE_FAIL;
    }
}

static enum done do_get(struct worker *w, const struct op *op, const char *key)
{
    SCOPED_CELL cell = {0};
    enum done done = w->job->driver->get(w, key, false, &cell);
    if (done != DONE_OK) {
        return done;
    }
    if (op->kind != OP_READ_ALL) {
        add_number(w, &cell);
    } else {
        json_add_list(&w->value, cell.there ? strbuf_str(&cell.text) : STR(""));
    }
    return DONE_OK;
}

static enum done do_put(struct worker *w, const struct op *op, const char *key)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, op->value);
    return w->job->driver->put(w, key, str_of(text));
}

enum done op_do(struct worker *w, const struct op *op)
{
    enum done done = DONE_FAIL;
    char key[KEY_BYTES];
    key_name(key, op->key);
    for (int try = 0; try < TRIES; try++) {
        strbuf_reset(&w->value);
        if (w->job->driver->native != NULL && w->job->driver->native(w, op, &done)) {
            return done;
        }
        if (op->kind == OP_READ || op->kind == OP_READ_ALL) {
            return do_get(w, op, key);
        }
        if (op->kind == OP_WRITE) {
            return do_put(w, op, key);
        }
        done = in_txn(w, op, key);
        bool faster = done == DONE_FAIL && w->wire.fd >= 0 && w->error[0] == '\0';
        if (!faster) {
            return done;
        }
    }
    return worker_said(w, DONE_FAIL, "others were faster");
}

int cells_setup(struct worker *w)
{
    if (w->job->driver->setup != NULL && w->job->driver->setup(w) != DONE_OK) {
        return -1;
    }
    if (w->job->o->workload != WORK_BANK) {
        return 0;
    }
    for (uint64_t i = 0; i < w->job->o->accounts; i++) {
        char key[KEY_BYTES];
        SCOPED_CELL cell = {0};
        key_name(key, i);
        if (begin(w) != DONE_OK) {
            return -1;
        }
        if (see(w, key, &cell) != DONE_OK ||
            (!cell.there && change_number(w, key, OPENING_BALANCE) != DONE_OK)) {
            (void)give_up(w);
            return -1;
        }
        if (w->job->driver->commit(w) != DONE_OK) {
            return -1;
        }
    }
    return 0;
}

/* PostgreSQL, in its wire protocol, with simple queries: every step of a transaction is a round
 * trip, so that transactions overlap. Cells are rows of one table.
 *
 * Until COMMIT is sent a transaction that was lost has not happened. After that, only an error that
 * is not the end of the connection says so. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "client/client.h"
#include "client/client_int.h"

#define TABLE "assay_cells"
enum { VERSION_3 = 196608, AUTH_OK = 0, AUTH_CLEAR = 3 };

struct answer {
    bool row;             /* there is one, */
    struct strbuf *first; /* and this is its first column; may be NULL */
    char tag[32];         /* of the command that was completed */
    bool error, fatal;
};

static void add_int(struct strbuf *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        strbuf_addc(out, (char)(value >> shift & 0xff));
    }
}

static uint32_t int_at(struct str from, size_t at)
{
    uint32_t value = 0;
    for (size_t i = at; i < at + 4 && i < from.n; i++) {
        value = value << 8 | (uint8_t)from.p[i];
    }
    return value;
}

static bool read_message(struct worker *w, char *ret_type, struct str *ret)
{
    struct str head;
    if (!wire_bytes(&w->wire, 5, &head)) {
        return false;
    }
    *ret_type = head.p[0];
    uint32_t n = int_at(head, 1);
    if (n < 4) {
        w->wire.why = "this is not PostgreSQL";
        return false;
    }
    return wire_bytes(&w->wire, n - 4, ret);
}

/* Fields of an error: a letter and a text each. */
static void note_error(struct worker *w, struct str fields, struct answer *answer)
{
    const char *code = "", *text = "", *severity = "";
    for (size_t at = 0; at + 1 < fields.n && fields.p[at] != '\0';) {
        const char *value = fields.p + at + 1;
        code = fields.p[at] == 'C' ? value : code;
        text = fields.p[at] == 'M' ? value : text;
        severity = fields.p[at] == 'V' ? value : severity;
        at += 2 + strnlen(value, fields.n - at - 1);
    }
    answer->error = true;
    answer->fatal = strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0;
    (void)worker_said(w, DONE_FAIL, "%s %s", code, text);
}

static void note_row(struct str row, struct answer *answer)
{
    uint32_t n = row.n >= 6 ? int_at(row, 2) : UINT32_MAX;
    answer->row = true;
    if (answer->first != NULL && n != UINT32_MAX && (size_t)n + 6 <= row.n) {
        strbuf_reset(answer->first);
        strbuf_add(answer->first, row.p + 6, n);
    }
}

/* Until the server is ready for the next query. */
static enum done read_answer(struct worker *w, struct answer *answer)
{
    for (;;) {
        char type = 0;
        struct str body;
        if (!read_message(w, &type, &body)) {
            return worker_lost(w);
        }
        if (type == 'E') {
            note_error(w, body, answer);
            if (answer->fatal) {
                wire_close(&w->wire);
                w->in_txn = false;
                return DONE_INFO;
            }
        } else if (type == 'D') {
            note_row(body, answer);
        } else if (type == 'C') {
            (void)snprintf(answer->tag, sizeof answer->tag, "%.*s", STR_ARG(body));
        } else if (type == 'Z') {
            return answer->error ? DONE_FAIL : DONE_OK;
        }
    }
}

static enum done query(struct worker *w, struct str sql, struct answer *answer)
{
    strbuf_reset(&w->out);
    strbuf_addc(&w->out, 'Q');
    add_int(&w->out, (uint32_t)sql.n + 5);
    strbuf_addstr(&w->out, sql);
    strbuf_addc(&w->out, '\0');
    return wire_send(&w->wire, strbuf_str(&w->out)) ? read_answer(w, answer) : worker_lost(w);
}

static enum done authenticate(struct worker *w)
{
    for (;;) {
        char type = 0;
        struct str body;
        struct answer answer = {0};
        if (!read_message(w, &type, &body)) {
            return worker_lost(w);
        }
        if (type == 'E') {
            note_error(w, body, &answer);
            return DONE_FAIL;
        }
        if (type != 'R') {
            return worker_said(w, DONE_FAIL, "this is not PostgreSQL");
        }
        uint32_t how = int_at(body, 0);
        if (how == AUTH_OK) {
            return read_answer(w, &answer);
        }
        if (how != AUTH_CLEAR || w->job->o->password == NULL) {
            return worker_said(w, DONE_FAIL,
                               "the server wants a way to log in that is not known here: "
                               "let it trust this client, or take a plain password");
        }
        strbuf_reset(&w->out);
        strbuf_addc(&w->out, 'p');
        add_int(&w->out, (uint32_t)strlen(w->job->o->password) + 5);
        strbuf_add(&w->out, w->job->o->password, strlen(w->job->o->password) + 1);
        if (!wire_send(&w->wire, strbuf_str(&w->out))) {
            return worker_lost(w);
        }
    }
}

static enum done pg_hello(struct worker *w)
{
    const struct client_options *o = w->job->o;
    SCOPED_STRBUF body = {0};
    const char *words[] = {"user", o->user != NULL ? o->user : "postgres", "database",
                           o->database != NULL ? o->database : "postgres"};
    add_int(&body, VERSION_3);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        strbuf_add(&body, words[i], strlen(words[i]) + 1);
    }
    strbuf_addc(&body, '\0');
    strbuf_reset(&w->out);
    add_int(&w->out, (uint32_t)body.n + 4);
    strbuf_addstr(&w->out, strbuf_str(&body));
    w->in_txn = false;
    return wire_send(&w->wire, strbuf_str(&w->out)) ? authenticate(w) : worker_lost(w);
}

static enum done pg_setup(struct worker *w)
{
    struct answer answer = {0};
    return query(w, STR("CREATE TABLE IF NOT EXISTS " TABLE " (k text PRIMARY KEY, v text)"),
                 &answer);
}

static enum done pg_get(struct worker *w, const char *key, bool in_txn, struct cell *ret)
{
    (void)in_txn;
    SCOPED_STRBUF sql = {0};
    struct answer answer = {.first = &ret->text};
    strbuf_reset(&ret->text);
    strbuf_printf(&sql, "SELECT v FROM " TABLE " WHERE k = '%s'", key);
    enum done done = query(w, strbuf_str(&sql), &answer);
    ret->there = answer.row;
    return done;
}

static enum done upsert(struct worker *w, const char *key, struct str text, const char *new)
{
    SCOPED_STRBUF sql = {0};
    struct answer answer = {0};
    strbuf_printf(
        &sql, "INSERT INTO " TABLE " VALUES ('%s', '%.*s') ON CONFLICT (k) DO UPDATE SET v = %s",
        key, STR_ARG(text), new);
    return query(w, strbuf_str(&sql), &answer);
}

static enum done pg_put(struct worker *w, const char *key, struct str text)
{
    return upsert(w, key, text, "EXCLUDED.v");
}

static enum done pg_begin(struct worker *w)
{
    SCOPED_STRBUF sql = {0};
    struct answer answer = {0};
    const char *level = w->job->o->isolation != NULL ? w->job->o->isolation : "serializable";
    strbuf_printf(&sql, "BEGIN ISOLATION LEVEL %s", level);
    for (size_t i = 0; i < sql.n; i++) {
        sql.p[i] = (char)(sql.p[i] == '-' ? ' ' : sql.p[i]);
    }
    enum done done = query(w, strbuf_str(&sql), &answer);
    w->in_txn = done == DONE_OK;
    return done;
}

static enum done pg_txn_put(struct worker *w, const char *key, const struct str *text)
{
    if (text != NULL) {
        return pg_put(w, key, *text);
    }
    SCOPED_STRBUF sql = {0};
    struct answer answer = {0};
    strbuf_printf(&sql, "DELETE FROM " TABLE " WHERE k = '%s'", key);
    return query(w, strbuf_str(&sql), &answer);
}

static enum done pg_txn_append(struct worker *w, const char *key, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    return upsert(w, key, str_of(text),
                  "CASE " TABLE ".v WHEN '' THEN EXCLUDED.v ELSE " TABLE
                  ".v || ',' || EXCLUDED.v END");
}

static enum done pg_commit(struct worker *w)
{
    struct answer answer = {0};
    w->in_txn = false;
    enum done done = query(w, STR("COMMIT"), &answer);
    if (done == DONE_OK && strcmp(answer.tag, "COMMIT") != 0) {
        return worker_said(w, DONE_FAIL, "rolled back");
    }
    return done;
}

static void pg_rollback(struct worker *w)
{
    struct answer answer = {0};
    char error[sizeof w->error];
    memcpy(error, w->error, sizeof error); /* what went wrong is told, not what came of it */
    if (w->in_txn && query(w, STR("ROLLBACK"), &answer) != DONE_OK) {
        wire_close(&w->wire);
    }
    w->in_txn = false;
    memcpy(w->error, error, sizeof error);
}

static int pg_check(const struct client_options *o, struct err *err)
{
    static const char *const levels[] = {"read-committed", "repeatable-read", "serializable",
                                         "read-uncommitted"};
    for (size_t i = 0; o->isolation != NULL && i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(o->isolation, levels[i]) == 0) {
            return 0;
        }
    }
    return o->isolation == NULL
               ? 0
               : err_set(err, ERR_INVALID, 0,
                         "isolation: '%s' is none of read-committed, repeatable-read, serializable",
                         o->isolation);
}

const struct driver driver_postgres = {
    .name = "postgres",
    .port = 5432,
    .hello = pg_hello,
    .setup = pg_setup,
    .get = pg_get,
    .put = pg_put,
    .begin = pg_begin,
    .txn_put = pg_txn_put,
    .txn_append = pg_txn_append,
    .commit = pg_commit,
    .rollback = pg_rollback,
    .check = pg_check,
};

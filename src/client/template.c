/* Servers that the user describes: texts to send, and patterns for what comes back. Over a line
 * protocol a request and a reply are a line each; over HTTP a request is "METHOD /path", and a body
 * after a line break, and a reply is "STATUS BODY".
 *
 * In texts {key}, {value}, {old}, {from}, {to} and {worker} stand for what belongs to the
 * operation. In patterns * is anything and {value} what was read. The first pattern of the
 * operation, or of *, that fits decides; a reply that none fits leaves the outcome open. */
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

/* What the words in braces are. */
struct fill {
    const char *key, *to;
    struct str value;
    int64_t old;
};

static const char *text_of(const struct client_options *o, const char *name)
{
    for (size_t i = 0; i + 1 < o->send.n; i += 2) {
        if (strcmp(o->send.v[i], name) == 0) {
            return o->send.v[i + 1];
        }
    }
    return NULL;
}

static bool word_at(const char *at, const char *word)
{
    return strncmp(at, word, strlen(word)) == 0;
}

static void fill_in(const struct worker *w, const char *text, const struct fill *fill,
                    struct strbuf *out)
{
    for (const char *at = text; *at != '\0';) {
        if (word_at(at, "{key}") || word_at(at, "{from}")) {
            strbuf_adds(out, fill->key);
        } else if (word_at(at, "{to}")) {
            strbuf_adds(out, fill->to != NULL ? fill->to : "");
        } else if (word_at(at, "{value}") || word_at(at, "{new}")) {
            strbuf_addstr(out, fill->value);
        } else if (word_at(at, "{old}")) {
            strbuf_printf(out, "%" PRId64, fill->old);
        } else if (word_at(at, "{worker}")) {
            strbuf_printf(out, "%u", w->index);
        } else {
            strbuf_addc(out, *at++);
            continue;
        }
        at = strchr(at, '}') + 1;
    }
}

/* Whether the text fits; the shortest {value} that makes it fit. */
static bool fits(const char *pattern, struct str text, struct str *ret_value)
{
    static const char hole[] = "{value}";
    bool value = word_at(pattern, hole);
    if (*pattern == '\0') {
        return text.n == 0;
    }
    if (*pattern != '*' && !value) {
        return text.n > 0 && *pattern == *text.p &&
               fits(pattern + 1, (struct str){text.p + 1, text.n - 1}, ret_value);
    }
    const char *rest = pattern + (value ? strlen(hole) : 1);
    size_t take = 0;
    while (take <= text.n && !fits(rest, (struct str){text.p + take, text.n - take}, ret_value)) {
        take++;
    }
    if (value && take <= text.n) {
        *ret_value = (struct str){text.p, take};
    }
    return take <= text.n;
}

static enum done judge(struct worker *w, const char *name, struct str reply, struct cell *ret)
{
    const struct client_options *o = w->job->o;
    for (size_t i = 0; i + 2 < o->replies.n; i += 3) {
        const char *of = o->replies.v[i], *outcome = o->replies.v[i + 1];
        struct str value = {0};
        if ((strcmp(of, name) != 0 && strcmp(of, "*") != 0) ||
            !fits(o->replies.v[i + 2], reply, &value)) {
            continue;
        }
        if (strcmp(outcome, "ok") == 0) {
            if (ret != NULL) {
                ret->there = value.p != NULL;
                strbuf_reset(&ret->text);
                strbuf_addstr(&ret->text, ret->there ? value : STR(""));
            }
            return DONE_OK;
        }
        w->elsewhere = strcmp(outcome, "next") == 0;
        return worker_said(w, strcmp(outcome, "info") == 0 ? DONE_INFO : DONE_FAIL, "%.*s",
                           STR_ARG(reply));
    }
    return worker_said(w, DONE_INFO, "no pattern fits: %.*s", STR_ARG(reply));
}

static enum done exchange(struct worker *w, struct str request, struct strbuf *ret)
{
    struct str line;
    if (w->job->driver == &driver_line) {
        strbuf_reset(&w->out);
        strbuf_addstr(&w->out, request);
        strbuf_addc(&w->out, '\n');
        if (!wire_send(&w->wire, strbuf_str(&w->out)) || !wire_line(&w->wire, &line)) {
            return worker_lost(w);
        }
        strbuf_addstr(ret, line);
        return DONE_OK;
    }
    const char *end = memchr(request.p, '\n', request.n);
    size_t n = end != NULL ? (size_t)(end - request.p) : request.n;
    const char *blank = memchr(request.p, ' ', n);
    size_t method = blank != NULL ? (size_t)(blank - request.p) : n;
    struct str path = blank != NULL ? (struct str){blank + 1, n - method - 1} : STR("/");
    struct str body = end != NULL ? (struct str){end + 1, request.n - n - 1} : STR("");
    struct http_reply reply;
    enum done done = http_ask(w, (struct str){request.p, method}, path, body, &reply);
    if (done == DONE_OK) {
        strbuf_printf(ret, "%d ", reply.status);
        strbuf_addstr(ret, str_trim(reply.body));
    }
    return done;
}

static enum done ask(struct worker *w, const char *name, const struct fill *fill, struct cell *ret)
{
    const char *text = text_of(w->job->o, name);
    if (text == NULL) {
        return worker_said(w, DONE_FAIL, "nothing to send for %s", name);
    }
    SCOPED_STRBUF request = {0};
    SCOPED_STRBUF reply = {0};
    fill_in(w, text, fill, &request);
    enum done done = exchange(w, strbuf_str(&request), &reply);
    return done != DONE_OK ? done : judge(w, name, str_trim(strbuf_str(&reply)), ret);
}

/* ---- cells ---- */

static enum done template_get(struct worker *w, const char *key, bool in_txn, struct cell *ret)
{
    (void)in_txn;
    struct fill fill = {.key = key};
    return ask(w, "read", &fill, ret);
}

static enum done template_put(struct worker *w, const char *key, struct str text)
{
    struct fill fill = {.key = key, .value = text};
    return ask(w, "write", &fill, NULL);
}

static enum done template_txn_put(struct worker *w, const char *key, const struct str *text)
{
    struct fill fill = {.key = key, .value = text != NULL ? *text : STR("")};
    return ask(w, text != NULL ? "write" : "delete", &fill, NULL);
}

static enum done step(struct worker *w, const char *name)
{
    struct fill fill = {.key = ""};
    return ask(w, name, &fill, NULL);
}

static enum done template_begin(struct worker *w)
{
    enum done done = step(w, "begin");
    w->in_txn = done == DONE_OK;
    return done;
}

static enum done template_commit(struct worker *w)
{
    w->in_txn = false;
    return step(w, "commit");
}

static void template_rollback(struct worker *w)
{
    char error[sizeof w->error];
    memcpy(error, w->error, sizeof error);
    if (!w->in_txn || text_of(w->job->o, "rollback") == NULL || step(w, "rollback") != DONE_OK) {
        wire_close(&w->wire); /* whatever is left of the transaction ends with it */
    }
    w->in_txn = false;
    memcpy(w->error, error, sizeof error);
}

/* ---- operations with a text of their own ---- */

/* A transaction of one step needs no begin and no commit. */
static bool single_step(struct worker *w, const struct op *op, enum done *ret)
{
    const struct client_options *o = w->job->o;
    bool list = o->workload == WORK_LIST_APPEND;
    const struct mop *mop = &op->mops[0];
    if (text_of(o, "begin") != NULL || op->n_mops != 1) {
        return false;
    }
    char key[32], text[24];
    SCOPED_CELL cell = {0};
    (void)snprintf(key, sizeof key, "k%" PRIu64, mop->key);
    (void)snprintf(text, sizeof text, "%" PRId64, mop->value);
    struct fill fill = {.key = key, .value = str_of(text)};
    *ret = ask(w, mop->read ? "read" : list ? "append" : "write", &fill, &cell);
    if (*ret != DONE_OK) {
        return true;
    }
    strbuf_printf(&w->value, "[[\"%s\",\"%s\",", mop->read ? "r" : list ? "append" : "w", key);
    if (!mop->read) {
        strbuf_adds(&w->value, text);
    } else if (list) {
        json_add_list(&w->value, strbuf_str(&cell.text));
    } else if (cell.there) {
        json_add_value(&w->value, strbuf_str(&cell.text));
    } else {
        strbuf_adds(&w->value, "null");
    }
    strbuf_adds(&w->value, "]]");
    return true;
}

static bool template_native(struct worker *w, const struct op *op, enum done *ret)
{
    static const char *const names[OP_KINDS] = {
        [OP_CAS] = "cas",         [OP_DELETE] = "delete",    [OP_ADD] = "add",
        [OP_ENQUEUE] = "enqueue", [OP_DEQUEUE] = "dequeue",  [OP_ACQUIRE] = "acquire",
        [OP_RELEASE] = "release", [OP_TRANSFER] = "transfer"};
    if (op->kind == OP_TXN) {
        return single_step(w, op, ret);
    }
    const char *name = names[op->kind];
    if (name == NULL || text_of(w->job->o, name) == NULL) {
        return false;
    }
    char key[32], to[32], text[24];
    SCOPED_CELL cell = {0};
    (void)snprintf(key, sizeof key, "k%" PRIu64, op->key);
    (void)snprintf(to, sizeof to, "k%" PRIu64, op->to);
    (void)snprintf(text, sizeof text, "%" PRId64, op->value);
    struct fill fill = {.key = key, .to = to, .value = str_of(text), .old = op->old};
    *ret = ask(w, name, &fill, &cell);
    if (*ret == DONE_OK && op->kind == OP_DEQUEUE) {
        if (cell.there) {
            json_add_value(&w->value, strbuf_str(&cell.text));
        } else {
            strbuf_adds(&w->value, "null");
        }
    }
    return true;
}

/* ---- mistakes ---- */

/* Operations that the workload draws must be able to happen. */
static int check_texts(const struct client_options *o, struct err *err)
{
    static const char *const needed[WORKLOADS][4] = {
        [WORK_REGISTER] = {"read", "write"},
        [WORK_CAS] = {"read", "write", "cas"},
        [WORK_KV] = {"read", "write", "cas", "delete"},
        [WORK_SET] = {"read", "add"},
        [WORK_QUEUE] = {"enqueue", "dequeue"},
        [WORK_LOCK] = {"acquire", "release"},
        [WORK_LIST_APPEND] = {"read", "append"},
        [WORK_RW_REGISTER] = {"read", "write"},
        [WORK_BANK] = {"read", "write", "begin", "commit"},
    };
    bool txn = text_of(o, "begin") != NULL && text_of(o, "commit") != NULL;
    for (size_t i = 0; i < 4 && needed[o->workload][i] != NULL; i++) {
        const char *name = needed[o->workload][i];
        bool basic = strcmp(name, "read") == 0 || strcmp(name, "write") == 0;
        if (text_of(o, name) == NULL && (basic || !txn)) {
            return err_set(err, ERR_INVALID, 0, "send: the workload %s needs a text for '%s'%s",
                           client_workload_name(o->workload), name,
                           basic ? "" : ", or for 'begin' and 'commit'");
        }
    }
    bool steps = o->workload == WORK_LIST_APPEND || o->workload == WORK_RW_REGISTER;
    if (steps && !txn && o->txn_most > 1) {
        return err_set(err, ERR_INVALID, 0,
                       "send: transactions of several steps need texts for 'begin' and 'commit'; "
                       "txn = 1 has none such");
    }
    return 0;
}

static int template_check(const struct client_options *o, struct err *err)
{
    static const char *const outcomes[] = {"ok", "fail", "info", "next"};
    if (o->send.n % 2 != 0 || o->replies.n % 3 != 0) {
        return err_set(err, ERR_INVALID, 0,
                       "send has pairs: operation, text; reply has threes: operation or *, "
                       "outcome, pattern");
    }
    for (size_t i = 0; i + 2 < o->replies.n; i += 3) {
        bool known = false;
        for (size_t k = 0; k < 4; k++) {
            known = known || strcmp(o->replies.v[i + 1], outcomes[k]) == 0;
        }
        if (!known) {
            return err_set(err, ERR_INVALID, 0, "reply: '%s' is none of ok, fail, info, next",
                           o->replies.v[i + 1]);
        }
    }
    return check_texts(o, err);
}

#define TEMPLATE                                                                                   \
    .get = template_get, .put = template_put, .begin = template_begin,                             \
    .txn_put = template_txn_put, .commit = template_commit, .rollback = template_rollback,         \
    .native = template_native, .check = template_check
const struct driver driver_http = {.name = "http", .port = 80, TEMPLATE};
const struct driver driver_line = {.name = "line", .port = 0, TEMPLATE};

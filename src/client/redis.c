/* Redis, in its own protocol (RESP2). Registers are strings, sets are sets, queues and lists are
 * lists; what has to be compared first is a script, or WATCH and MULTI. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/socket.h>

#include "base/str.h"
#include "client/client.h"
#include "client/client_int.h"

enum { ARGS_MOST = 8, DEPTH_MOST = 8, HOPS_MOST = 5 };

/* A reply, or one element of it. */
struct reply {
    char type; /* + - : $ *, or 0: nil */
    struct str text;
    int64_t number; /* of : and * */
};

static void add_request(struct strbuf *out, const struct str *args, size_t n)
{
    strbuf_printf(out, "*%zu\r\n", n);
    for (size_t i = 0; i < n; i++) {
        strbuf_printf(out, "$%zu\r\n", args[i].n);
        strbuf_addstr(out, args[i]);
        strbuf_adds(out, "\r\n");
    }
}

static bool read_reply(struct worker *w, struct reply *ret)
{
    struct str line;
    char copy[24];
    if (!wire_line(&w->wire, &line)) {
        return false;
    }
    if (line.n == 0) {
        w->wire.why = "this is not Redis";
        return false;
    }
    *ret = (struct reply){
        .type = line.p[0], .text = {line.p + 1, line.n - 1}
    };
    if (ret->type == '+' || ret->type == '-') {
        return true;
    }
    size_t n = ret->text.n < sizeof copy ? ret->text.n : sizeof copy - 1;
    memcpy(copy, ret->text.p, n);
    copy[n] = '\0';
    ret->number = strtoll(copy, NULL, 10);
    if (ret->type == '$' && ret->number >= 0) {
        size_t size = (size_t)ret->number;
        if (!wire_bytes(&w->wire, size + 2, &ret->text)) {
            return false;
        }
        ret->text.n = size;
    } else if ((ret->type == '$' || ret->type == '*') && ret->number < 0) {
        ret->type = '\0';
    } else if (ret->type != ':' && ret->type != '*') {
        w->wire.why = "this is not Redis";
        return false;
    }
    return true;
}

/* An error is a refusal. Some say that another server is in charge. */
static enum done refused(struct worker *w, const struct reply *reply)
{
    static const char *const others[] = {"READONLY",   "MOVED", "CLUSTERDOWN", "LOADING",
                                         "MASTERDOWN", "ASK",   "NOREPLICAS",  "TRYAGAIN"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t n = strlen(others[i]);
        if (reply->text.n >= n && memcmp(reply->text.p, others[i], n) == 0) {
            w->elsewhere = true;
        }
    }
    return worker_said(w, DONE_FAIL, "%.*s", STR_ARG(reply->text));
}

/* "MOVED 3999 10.0.0.2:6379": the connection then is to that one. */
static bool follow(struct worker *w, const char *text)
{
    const char *blank = strrchr(text, ' ');
    const char *colon = strrchr(text, ':');
    char host[INET_ADDRSTRLEN], *end = NULL;
    if (blank == NULL || colon == NULL || colon <= blank || (size_t)(colon - blank) > sizeof host) {
        return false;
    }
    memcpy(host, blank + 1, (size_t)(colon - blank - 1));
    host[colon - blank - 1] = '\0';
    unsigned long port = strtoul(colon + 1, &end, 10);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    return port != 0 && port <= UINT16_MAX && *end == '\0' &&
           inet_pton(AF_INET, host, &to.sin_addr) == 1 && wire_open(&w->wire, &to);
}

/* One command and its reply; w->out holds the request. */
static enum done exchange(struct worker *w, struct reply *ret)
{
    *ret = (struct reply){0};
    for (int hop = 0; hop < HOPS_MOST; hop++) {
        if (!wire_send(&w->wire, strbuf_str(&w->out)) || !read_reply(w, ret)) {
            return worker_lost(w);
        }
        bool moved = ret->type == '-' && ret->text.n > 5 && memcmp(ret->text.p, "MOVED", 5) == 0;
        if (!moved) {
            return ret->type == '-' ? refused(w, ret) : DONE_OK;
        }
        (void)worker_said(w, DONE_FAIL, "%.*s", STR_ARG(ret->text));
        if (!follow(w, w->error)) {
            w->elsewhere = true;
            return DONE_FAIL;
        }
        w->error[0] = '\0';
    }
    return DONE_FAIL;
}

static enum done ask(struct worker *w, const struct str *args, size_t n, struct reply *ret)
{
    strbuf_reset(&w->out);
    add_request(&w->out, args, n);
    return exchange(w, ret);
}

static enum done redis_hello(struct worker *w)
{
    struct reply reply;
    if (w->job->o->password == NULL) {
        return DONE_OK;
    }
    struct str args[] = {STR("AUTH"), str_of(w->job->o->password)};
    return ask(w, args, 2, &reply);
}

static enum done redis_get(struct worker *w, const char *key, bool in_txn, struct cell *ret)
{
    struct reply reply;
    struct str watch[] = {STR("WATCH"), str_of(key)}, get[] = {STR("GET"), str_of(key)};
    enum done done = in_txn ? ask(w, watch, 2, &reply) : DONE_OK;
    done = done != DONE_OK ? done : ask(w, get, 2, &reply);
    if (done == DONE_OK) {
        ret->there = reply.type == '$';
        strbuf_reset(&ret->text);
        strbuf_addstr(&ret->text, ret->there ? reply.text : STR(""));
    }
    return done;
}

static enum done redis_put(struct worker *w, const char *key, struct str text)
{
    struct reply reply;
    struct str args[] = {STR("SET"), str_of(key), text};
    return ask(w, args, 3, &reply);
}

/* Reads and throws away the elements of an array. */
static bool drain(struct worker *w, int64_t n, int depth)
{
    for (int64_t i = 0; i < n; i++) {
        struct reply reply;
        if (depth > DEPTH_MOST || !read_reply(w, &reply) ||
            (reply.type == '*' && !drain(w, reply.number, depth + 1))) {
            return false;
        }
    }
    return true;
}

/* MULTI and the commands that w->out holds were sent: reads what is said to each and to EXEC, which
 * then is in *ret. A command that was refused makes EXEC refuse all of them. */
static enum done finish_multi(struct worker *w, size_t queued, struct reply *ret)
{
    struct reply first = {0};
    *ret = first;
    if (!wire_send(&w->wire, strbuf_str(&w->out))) {
        return worker_lost(w);
    }
    for (size_t i = 0; i < queued + 1; i++) {
        if (!read_reply(w, ret)) {
            return worker_lost(w);
        }
        if (ret->type == '-' && first.type == 0) {
            first = *ret;
            (void)refused(w, ret);
        }
    }
    if (!read_reply(w, ret)) {
        return worker_lost(w);
    }
    return ret->type == '-' ? (first.type != 0 ? DONE_FAIL : refused(w, ret)) : DONE_OK;
}

static enum done redis_commit(struct worker *w)
{
    struct reply reply;
    strbuf_reset(&w->out);
    add_request(&w->out, (const struct str[]){STR("MULTI")}, 1);
    for (size_t i = 0; i < w->txn.writes.n; i++) {
        const struct txn_write *write = &w->txn.writes.v[i];
        struct str key = strbuf_str(&write->key);
        struct str set[] = {STR("SET"), key, strbuf_str(&write->text)}, del[] = {STR("DEL"), key};
        add_request(&w->out, write->delete ? del : set, write->delete ? 2 : 3);
    }
    add_request(&w->out, (const struct str[]){STR("EXEC")}, 1);
    enum done done = finish_multi(w, w->txn.writes.n, &reply);
    if (done != DONE_OK) {
        return done;
    }
    if (reply.type != '*') {
        return DONE_FAIL; /* a key that was watched has changed */
    }
    return drain(w, reply.number, 0) ? DONE_OK : worker_lost(w);
}

static void redis_rollback(struct worker *w)
{
    struct reply reply;
    if (ask(w, (const struct str[]){STR("UNWATCH")}, 1, &reply) != DONE_OK) {
        wire_close(&w->wire);
    }
}

/* ---- what Redis does by itself ---- */

static enum done do_cas(struct worker *w, const char *key, const struct op *op)
{
    static const char script[] = "if redis.call('GET', KEYS[1]) == ARGV[1] then "
                                 "redis.call('SET', KEYS[1], ARGV[2]) return 1 else return 0 end";
    struct reply reply;
    char old[24], new[24];
    (void)snprintf(old, sizeof old, "%" PRId64, op->old);
    (void)snprintf(new, sizeof new, "%" PRId64, op->value);
    struct str args[] = {STR("EVAL"), STR(script), STR("1"), str_of(key), str_of(old), str_of(new)};
    enum done done = ask(w, args, 6, &reply);
    return done == DONE_OK && reply.number != 1 ? worker_said(w, DONE_FAIL, "another value") : done;
}

static enum done do_members(struct worker *w, const char *key)
{
    struct reply reply;
    struct str args[] = {STR("SMEMBERS"), str_of(key)};
    enum done done = ask(w, args, 2, &reply);
    if (done != DONE_OK) {
        return done;
    }
    strbuf_addc(&w->value, '[');
    for (int64_t i = 0, n = reply.number; i < n; i++) {
        if (!read_reply(w, &reply)) {
            return worker_lost(w);
        }
        strbuf_adds(&w->value, i != 0 ? "," : "");
        json_add_value(&w->value, reply.text);
    }
    strbuf_addc(&w->value, ']');
    return DONE_OK;
}

static enum done do_pop(struct worker *w, const char *key)
{
    struct reply reply;
    struct str args[] = {STR("LPOP"), str_of(key)};
    enum done done = ask(w, args, 2, &reply);
    if (done == DONE_OK && reply.type == '$') {
        json_add_value(&w->value, reply.text);
    } else if (done == DONE_OK) {
        strbuf_adds(&w->value, "null");
    }
    return done;
}

static enum done do_command(struct worker *w, const char *command, const char *key, int64_t value)
{
    struct reply reply;
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    struct str args[] = {str_of(command), str_of(key), str_of(text)};
    return ask(w, args, 3, &reply);
}

/* What one operation of a transaction returned, as JSON. */
static bool add_mop(struct worker *w, const struct mop *mop)
{
    struct reply reply;
    if (!read_reply(w, &reply)) {
        return false;
    }
    strbuf_printf(&w->value, "[\"%s\",\"k%" PRIu64 "\",", mop->read ? "r" : "append", mop->key);
    if (!mop->read) {
        strbuf_printf(&w->value, "%" PRId64 "]", mop->value);
        return true;
    }
    strbuf_addc(&w->value, '[');
    for (int64_t i = 0, n = reply.type == '*' ? reply.number : 0; i < n; i++) {
        if (!read_reply(w, &reply)) {
            return false;
        }
        strbuf_adds(&w->value, i != 0 ? "," : "");
        json_add_value(&w->value, reply.text);
    }
    strbuf_adds(&w->value, "]]");
    return true;
}

static enum done do_lists(struct worker *w, const struct op *op)
{
    struct reply reply;
    strbuf_reset(&w->out);
    add_request(&w->out, (const struct str[]){STR("MULTI")}, 1);
    for (size_t i = 0; i < op->n_mops; i++) {
        char key[32], text[24];
        (void)snprintf(key, sizeof key, "k%" PRIu64, op->mops[i].key);
        (void)snprintf(text, sizeof text, "%" PRId64, op->mops[i].value);
        struct str push[] = {STR("RPUSH"), str_of(key), str_of(text)};
        struct str range[] = {STR("LRANGE"), str_of(key), STR("0"), STR("-1")};
        add_request(&w->out, op->mops[i].read ? range : push, op->mops[i].read ? 4 : 3);
    }
    add_request(&w->out, (const struct str[]){STR("EXEC")}, 1);
    enum done done = finish_multi(w, op->n_mops, &reply);
    if (done != DONE_OK || reply.type != '*') {
        return done == DONE_OK ? worker_said(w, DONE_FAIL, "not executed") : done;
    }
    strbuf_addc(&w->value, '[');
    for (size_t i = 0; i < op->n_mops; i++) {
        strbuf_adds(&w->value, i != 0 ? "," : "");
        if (!add_mop(w, &op->mops[i])) {
            return worker_lost(w);
        }
    }
    strbuf_addc(&w->value, ']');
    return DONE_OK;
}

static bool redis_native(struct worker *w, const struct op *op, enum done *ret)
{
    char key[32];
    (void)snprintf(key, sizeof key, "k%" PRIu64, op->key);
    switch (op->kind) {
    case OP_CAS: *ret = do_cas(w, key, op); return true;
    case OP_ADD: *ret = do_command(w, "SADD", key, op->value); return true;
    case OP_READ_ALL: *ret = do_members(w, key); return true;
    case OP_ENQUEUE: *ret = do_command(w, "RPUSH", key, op->value); return true;
    case OP_DEQUEUE: *ret = do_pop(w, key); return true;
    case OP_TXN:
        if (w->job->o->workload == WORK_LIST_APPEND) {
            *ret = do_lists(w, op);
            return true;
        }
        return false;
    default: return false;
    }
}

const struct driver driver_redis = {
    .name = "redis",
    .port = 6379,
    .hello = redis_hello,
    .get = redis_get,
    .put = redis_put,
    .commit = redis_commit,
    .rollback = redis_rollback,
    .native = redis_native,
};

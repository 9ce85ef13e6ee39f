/* etcd, by the JSON gateway of its third interface. Reads are linearizable unless the user wants
 * serializable ones, which may be old. A transaction reads first and then writes under the
 * condition that nothing of what it read has changed. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "client/client.h"
#include "client/client_int.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_base64(struct strbuf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i += 3) {
        uint32_t bits = (uint32_t)(uint8_t)text.p[i] << 16;
        bits |= i + 1 < text.n ? (uint32_t)(uint8_t)text.p[i + 1] << 8 : 0;
        bits |= i + 2 < text.n ? (uint32_t)(uint8_t)text.p[i + 2] : 0;
        strbuf_addc(out, digits[bits >> 18]);
        strbuf_addc(out, digits[bits >> 12 & 63]);
        strbuf_addc(out, i + 1 < text.n ? digits[bits >> 6 & 63] : '=');
        strbuf_addc(out, i + 2 < text.n ? digits[bits & 63] : '=');
    }
}

static void from_base64(struct strbuf *out, const char *text)
{
    uint32_t bits = 0;
    int have = 0;
    for (; *text != '\0' && *text != '='; text++) {
        const char *at = strchr(digits, *text);
        bits = bits << 6 | (at != NULL ? (uint32_t)(at - digits) : 0);
        have += 6;
        if (have >= 8) {
            have -= 8;
            strbuf_addc(out, (char)(bits >> have & 0xff));
        }
    }
}

/* etcd's own words about an error; the codes are gRPC's. Of these only some say that nothing has
 * happened. */
static enum done refused(struct worker *w, const struct http_reply *reply, json_t *root)
{
    enum { INVALID = 3, NOT_FOUND = 5, DENIED = 7, EXHAUSTED = 8, FAILED = 9, OUT_OF_RANGE = 11 };
    const char *text = json_string_value(json_object_get(root, "error"));
    int code = (int)json_integer_value(json_object_get(root, "code"));
    bool nothing = code == INVALID || code == NOT_FOUND || code == DENIED || code == EXHAUSTED ||
                   code == FAILED || code == OUT_OF_RANGE ||
                   (text != NULL && strcmp(text, "etcdserver: no leader") == 0);
    w->elsewhere = true;
    return worker_said(w, nothing ? DONE_FAIL : DONE_INFO, "%d %s", reply->status,
                       text != NULL ? text : "refused");
}

/* *ret is the caller's; NULL unless the result is DONE_OK. */
static enum done ask(struct worker *w, const char *path, struct str body, json_t **ret)
{
    struct http_reply reply;
    *ret = NULL;
    enum done done = http_ask(w, STR("POST"), str_of(path), body, &reply);
    if (done != DONE_OK) {
        return done;
    }
    json_t *root = json_loadb(reply.body.p, reply.body.n, 0, NULL);
    if (root == NULL) {
        return worker_said(w, DONE_INFO, "%d, and no JSON", reply.status);
    }
    if (reply.status != 200) {
        done = refused(w, &reply, root);
        json_decref(root);
        return done;
    }
    *ret = root;
    return DONE_OK;
}

static enum done etcd_get(struct worker *w, const char *key, bool in_txn, struct cell *ret)
{
    SCOPED_STRBUF body = {0};
    json_t *root = NULL;
    strbuf_adds(&body, "{\"key\":\"");
    add_base64(&body, str_of(key));
    bool old = !in_txn && w->job->o->read != NULL;
    strbuf_adds(&body, old ? "\",\"serializable\":true}" : "\"}");
    enum done done = ask(w, "/v3/kv/range", strbuf_str(&body), &root);
    if (done != DONE_OK) {
        return done;
    }
    json_t *kv = json_array_get(json_object_get(root, "kvs"), 0);
    const char *value = json_string_value(json_object_get(kv, "value"));
    const char *version = json_string_value(json_object_get(kv, "mod_revision"));
    ret->there = kv != NULL;
    ret->version = version != NULL ? strtoll(version, NULL, 10) : 0;
    strbuf_reset(&ret->text);
    from_base64(&ret->text, value != NULL ? value : "");
    json_decref(root);
    return DONE_OK;
}

static void add_pair(struct strbuf *out, struct str key, struct str text)
{
    strbuf_adds(out, "{\"key\":\"");
    add_base64(out, key);
    strbuf_adds(out, "\",\"value\":\"");
    add_base64(out, text);
    strbuf_adds(out, "\"}");
}

static enum done etcd_put(struct worker *w, const char *key, struct str text)
{
    SCOPED_STRBUF body = {0};
    json_t *root = NULL;
    add_pair(&body, str_of(key), text);
    enum done done = ask(w, "/v3/kv/put", strbuf_str(&body), &root);
    json_decref(root);
    return done;
}

static enum done etcd_commit(struct worker *w)
{
    SCOPED_STRBUF body = {0};
    json_t *root = NULL;
    strbuf_adds(&body, "{\"compare\":[");
    for (size_t i = 0; i < w->txn.reads.n; i++) {
        const struct txn_read *read = &w->txn.reads.v[i];
        strbuf_printf(&body, "%s{\"key\":\"", i != 0 ? "," : "");
        add_base64(&body, strbuf_str(&read->key));
        strbuf_printf(
            &body, "\",\"target\":\"MOD\",\"result\":\"EQUAL\",\"mod_revision\":\"%" PRId64 "\"}",
            read->cell.version);
    }
    strbuf_adds(&body, "],\"success\":[");
    bool first = true;
    for (size_t i = 0; i < w->txn.writes.n; i++) {
        const struct txn_write *write = &w->txn.writes.v[i];
        bool last = true; /* a key may be changed once */
        for (size_t k = i + 1; k < w->txn.writes.n; k++) {
            last = last && !str_eq(strbuf_str(&write->key), strbuf_str(&w->txn.writes.v[k].key));
        }
        if (!last) {
            continue;
        }
        strbuf_adds(&body, first ? "" : ",");
        first = false;
        if (write->delete) {
            strbuf_adds(&body, "{\"request_delete_range\":{\"key\":\"");
            add_base64(&body, strbuf_str(&write->key));
            strbuf_adds(&body, "\"}}");
        } else {
            strbuf_adds(&body, "{\"request_put\":");
            add_pair(&body, strbuf_str(&write->key), strbuf_str(&write->text));
            strbuf_addc(&body, '}');
        }
    }
    strbuf_adds(&body, "]}");
    enum done done = ask(w, "/v3/kv/txn", strbuf_str(&body), &root);
    if (done == DONE_OK && !json_is_true(json_object_get(root, "succeeded"))) {
        done = DONE_FAIL;
    }
    json_decref(root);
    return done;
}

static int etcd_check(const struct client_options *o, struct err *err)
{
    if (o->read != NULL && strcmp(o->read, "serializable") != 0) {
        return err_set(err, ERR_INVALID, 0, "read: of etcd there are \"serializable\" ones only");
    }
    return 0;
}

const struct driver driver_etcd = {
    .name = "etcd",
    .port = 2379,
    .get = etcd_get,
    .put = etcd_put,
    .commit = etcd_commit,
    .check = etcd_check,
};

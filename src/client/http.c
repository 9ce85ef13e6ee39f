/* Requests of HTTP/1.1 on a connection that is kept, and their replies. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "client/client.h"
#include "client/client_int.h"

struct head {
    int status;
    int64_t length; /* -1: not said */
    bool chunked, close;
};

/* "Name: value", if it is that name. */
static bool header(struct str line, const char *name, struct str *ret_value)
{
    size_t n = strlen(name);
    if (line.n <= n || line.p[n] != ':' || strncasecmp(line.p, name, n) != 0) {
        return false;
    }
    *ret_value = str_trim((struct str){line.p + n + 1, line.n - n - 1});
    return true;
}

static int64_t number_of(struct str text, int base)
{
    char copy[24];
    size_t n = text.n < sizeof copy ? text.n : sizeof copy - 1;
    memcpy(copy, text.p, n);
    copy[n] = '\0';
    return strtoll(copy, NULL, base);
}

static bool read_head(struct worker *w, struct head *ret)
{
    struct str line, value;
    if (!wire_line(&w->wire, &line)) {
        return false;
    }
    if (line.n < 12 || memcmp(line.p, "HTTP/1.", 7) != 0) {
        w->wire.why = "this is not HTTP";
        return false;
    }
    *ret = (struct head){.status = (int)number_of((struct str){line.p + 9, 3}, 10),
                         .length = -1,
                         .close = line.p[7] == '0'};
    for (;;) {
        if (!wire_line(&w->wire, &line)) {
            return false;
        }
        if (line.n == 0) {
            return true;
        }
        if (header(line, "content-length", &value)) {
            ret->length = number_of(value, 10);
        } else if (header(line, "transfer-encoding", &value)) {
            ret->chunked = value.n == 7 && strncasecmp(value.p, "chunked", 7) == 0;
        } else if (header(line, "connection", &value)) {
            ret->close = value.n == 5 && strncasecmp(value.p, "close", 5) == 0;
        }
    }
}

/* The pieces, put together in w->out. */
static bool read_chunks(struct worker *w, struct str *ret)
{
    struct str line, part;
    strbuf_reset(&w->out);
    for (;;) {
        if (!wire_line(&w->wire, &line)) {
            return false;
        }
        int64_t n = number_of(line, 16);
        if (n < 0 || line.n == 0 || isxdigit((unsigned char)line.p[0]) == 0) {
            w->wire.why = "this is not HTTP";
            return false;
        }
        if (n != 0 && !wire_bytes(&w->wire, (size_t)n, &part)) {
            return false;
        }
        if (n != 0) {
            strbuf_addstr(&w->out, part);
        }
        if (!wire_line(&w->wire, &line)) {
            return false;
        }
        if (n == 0) {
            *ret = strbuf_str(&w->out);
            return true;
        }
    }
}

static bool read_body(struct worker *w, const struct head *head, bool none, struct str *ret)
{
    *ret = STR("");
    if (none || head->status == 204 || head->status == 304) {
        return true;
    }
    if (head->chunked) {
        return read_chunks(w, ret);
    }
    if (head->length >= 0) {
        return wire_bytes(&w->wire, (size_t)head->length, ret);
    }
    return wire_rest(&w->wire, ret);
}

enum done http_ask(struct worker *w, struct str method, struct str path, struct str body,
                   struct http_reply *ret)
{
    const struct client_options *o = w->job->o;
    struct head head;
    SCOPED_STRBUF out = {0};
    strbuf_printf(&out, "%.*s %.*s HTTP/1.1\r\nHost: %s\r\nContent-Length: %zu\r\n",
                  STR_ARG(method), STR_ARG(path), w->job->targets[w->target].name, body.n);
    for (size_t i = 0; i < o->headers.n; i++) {
        strbuf_printf(&out, "%s\r\n", o->headers.v[i]);
    }
    strbuf_adds(&out, "\r\n");
    strbuf_addstr(&out, body);
    bool none = str_is(method, "HEAD");
    if (w->hang_up) { /* after the reply before this one */
        w->hang_up = false;
        if (!wire_open(&w->wire, &w->job->targets[w->target].addr)) {
            return worker_lost(w);
        }
    }
    do {
        if ((out.n != 0 && !wire_send(&w->wire, strbuf_str(&out))) || !read_head(w, &head)) {
            return worker_lost(w);
        }
        strbuf_reset(&out);
    } while (head.status / 100 == 1); /* "continue" */
    if (!read_body(w, &head, none, &ret->body)) {
        return worker_lost(w);
    }
    ret->status = head.status;
    bool rest =
        !none && !head.chunked && head.length < 0 && head.status != 204 && head.status != 304;
    if (head.close || rest) { /* the body stays where it is */
        w->hang_up = true;
    }
    return DONE_OK;
}

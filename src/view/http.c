/* A server for the browser of whoever started it. It listens on 127.0.0.1 only. Every path begins
 * with a random token, so that other users of the machine and pages of other origins cannot name
 * anything; a request whose Host is not ours (a name that was bound to 127.0.0.1), whose Origin is
 * another, or which a browser says to come from another site is refused, token or not. What is
 * answered may not be embedded or read by others, and may load nothing from elsewhere.
 *
 * Connections are read side by side, because browsers open some that say nothing; requests are
 * answered one by one. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/time.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "view/view.h"

enum { CONNECTIONS = 32, REQUEST_MAX = 4 << 20, HEAD_MAX = 64 << 10, SEND_S = 20 };

struct connection {
    int fd; /* -1: none */
    struct strbuf in;
};

struct view_http {
    int fd;
    uint16_t port;
    char token[VIEW_TOKEN + 1];
    char url[64 + VIEW_TOKEN];
    struct connection connections[CONNECTIONS];
    unsigned oldest; /* the one that goes when there is no room */
};

int view_http_open(uint16_t port, struct view_http **ret, struct err *err)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof at;
    size_t cap = 0;
    struct view_http *http = vec_grow(NULL, &cap, 1, sizeof *http);
    memset(http, 0, sizeof *http);
    for (size_t i = 0; i < CONNECTIONS; i++) {
        http->connections[i].fd = -1;
    }
    http->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int one = 1;
    bool good = http->fd >= 0 &&
                setsockopt(http->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
                bind(http->fd, (const struct sockaddr *)&at, sizeof at) == 0 &&
                listen(http->fd, CONNECTIONS) == 0 &&
                getsockname(http->fd, (struct sockaddr *)&at, &n) == 0;
    int status = good ? view_token(http->token, err)
                      : err_set(err, ERR_IO, errno, "cannot listen on 127.0.0.1:%u", port);
    if (status != 0) {
        view_http_close(http);
        return status;
    }
    http->port = ntohs(at.sin_port);
    (void)snprintf(http->url, sizeof http->url, "http://127.0.0.1:%u/%s/", http->port, http->token);
    *ret = http;
    return 0;
}

const char *view_http_url(const struct view_http *http)
{
    return http->url;
}

static void drop(struct connection *c)
{
    if (c->fd >= 0) {
        (void)close(c->fd);
        c->fd = -1;
    }
    strbuf_done(&c->in);
}

void view_http_close(struct view_http *http)
{
    if (http != NULL) {
        for (size_t i = 0; i < CONNECTIONS; i++) {
            drop(&http->connections[i]);
        }
        if (http->fd >= 0) {
            (void)close(http->fd);
        }
        vec_release(http);
    }
}

/* ---- requests ---- */

/* The value of a header, without blanks; empty: there is none. */
static struct str header(struct str head, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i + n + 1 < head.n; i++) {
        if ((i == 0 || head.p[i - 1] == '\n') && strncasecmp(head.p + i, name, n) == 0 &&
            head.p[i + n] == ':') {
            size_t begin = i + n + 1, end = begin;
            while (end < head.n && head.p[end] != '\r' && head.p[end] != '\n') {
                end++;
            }
            return str_trim((struct str){head.p + begin, end - begin});
        }
    }
    return STR("");
}

static bool is_ours(const struct view_http *http, struct str value, const char *before)
{
    char ip[64], name[64];
    (void)snprintf(ip, sizeof ip, "%s127.0.0.1:%u", before, http->port);
    (void)snprintf(name, sizeof name, "%slocalhost:%u", before, http->port);
    return str_is(value, ip) || str_is(value, name);
}

/* Takes the same time wherever they differ. */
static bool same_token(const char *a, const char *b)
{
    unsigned difference = 0;
    for (size_t i = 0; i < VIEW_TOKEN; i++) {
        difference |= (unsigned char)a[i] ^ (unsigned char)b[i];
    }
    return difference == 0;
}

/* Whether the request comes from our page, or from the address line. */
static bool may_ask(const struct view_http *http, struct str head, struct str path)
{
    struct str origin = header(head, "Origin"), site = header(head, "Sec-Fetch-Site");
    bool known = is_ours(http, header(head, "Host"), "");
    bool same = origin.n == 0 || is_ours(http, origin, "http://");
    bool here = site.n == 0 || str_is(site, "same-origin") || str_is(site, "none");
    return known && same && here && path.n > VIEW_TOKEN + 1 && path.p[0] == '/' &&
           path.p[VIEW_TOKEN + 1] == '/' && same_token(path.p + 1, http->token);
}

static void send_all(int fd, struct str text)
{
    for (size_t done = 0; done < text.n;) {
        ssize_t n = send(fd, text.p + done, text.n - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return; /* it went away */
        }
        done += (size_t)n;
    }
}

static void respond(int fd, const struct view_answer *a)
{
    SCOPED_STRBUF head = {0};
    const char *reason = a->status == 200 ? "OK" : a->status == 404 ? "Not Found" : "Refused";
    strbuf_printf(&head,
                  "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: "
                  "close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                  "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
                  "Cross-Origin-Resource-Policy: same-origin\r\n"
                  "Cross-Origin-Opener-Policy: same-origin\r\n"
                  "Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action "
                  "'none'; frame-ancestors 'none'",
                  a->status, reason, a->type, a->body.n);
    if (a->nonce != NULL) {
        strbuf_printf(
            &head,
            "; script-src 'nonce-%s'; style-src 'nonce-%s'; img-src data:; connect-src 'self'",
            a->nonce, a->nonce);
    }
    strbuf_adds(&head, "\r\n\r\n");
    struct timeval patience = {.tv_sec = SEND_S};
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    send_all(fd, strbuf_str(&head));
    send_all(fd, strbuf_str(&a->body));
}

/* The next word of a request line. */
static struct str word(struct str *line)
{
    size_t n = 0;
    while (n < line->n && line->p[n] != ' ') {
        n++;
    }
    struct str ret = {line->p, n};
    n += n < line->n ? 1 : 0;
    *line = (struct str){line->p + n, line->n - n};
    return ret;
}

/* 1: answered; 0: more is to come; -1: refused. */
static int try_answer(struct view_http *http, struct connection *c, view_handler handler, void *arg)
{
    const char *end = c->in.n != 0 ? memmem(c->in.p, c->in.n, "\r\n\r\n", 4) : NULL;
    if (end == NULL) {
        return c->in.n > HEAD_MAX ? -1 : 0;
    }
    struct str head = {c->in.p, (size_t)(end - c->in.p) + 2};
    struct str length = header(head, "Content-Length");
    size_t body = 0, begin = head.n + 2;
    for (size_t i = 0; i < length.n; i++) {
        if (length.p[i] < '0' || length.p[i] > '9' || body > REQUEST_MAX) {
            return -1;
        }
        body = body * 10 + (size_t)(length.p[i] - '0');
    }
    if (body > REQUEST_MAX || header(head, "Transfer-Encoding").n != 0) {
        return -1;
    }
    if (c->in.n < begin + body) {
        return 0;
    }
    struct str line = {head.p, (size_t)((const char *)memchr(head.p, '\r', head.n) - head.p)};
    struct str method = word(&line), path = word(&line);
    struct view_answer answer = {.status = 403, .type = "text/plain; charset=utf-8"};
    if (may_ask(http, head, path)) {
        answer.status = 404;
        struct str rest = {path.p + VIEW_TOKEN + 2, path.n - VIEW_TOKEN - 2};
        handler(arg, method, rest, (struct str){c->in.p + begin, body}, &answer);
    } else {
        strbuf_adds(&answer.body, "This address is for the page that assay has opened.\n");
    }
    respond(c->fd, &answer);
    strbuf_done(&answer.body);
    return 1;
}

static void read_some(struct view_http *http, struct connection *c, view_handler handler, void *arg)
{
    char bytes[16384];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n <= 0) {
        drop(c);
        return;
    }
    strbuf_add(&c->in, bytes, (size_t)n);
    if (try_answer(http, c, handler, arg) != 0) {
        (void)shutdown(c->fd, SHUT_WR);
        drop(c);
    }
}

static void take_connection(struct view_http *http)
{
    int fd = accept4(http->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) {
        return;
    }
    for (size_t i = 0; i < CONNECTIONS; i++) {
        if (http->connections[i].fd < 0) {
            http->connections[i].fd = fd;
            return;
        }
    }
    struct connection *c = &http->connections[http->oldest++ % CONNECTIONS];
    drop(c);
    c->fd = fd;
}

int view_http_run(struct view_http *http, view_handler handler, void *arg,
                  const volatile sig_atomic_t *stop, struct err *err)
{
    while (*stop == 0) {
        struct pollfd polls[CONNECTIONS + 1] = {
            {.fd = http->fd, .events = POLLIN}
        };
        for (size_t i = 0; i < CONNECTIONS; i++) {
            polls[i + 1] = (struct pollfd){.fd = http->connections[i].fd, .events = POLLIN};
        }
        int n = poll(polls, CONNECTIONS + 1, 200);
        if (n < 0 && errno != EINTR) {
            return err_set(err, ERR_IO, errno, "waiting for the browser");
        }
        for (size_t i = 0; n > 0 && i < CONNECTIONS; i++) {
            if (polls[i + 1].revents != 0) {
                read_some(http, &http->connections[i], handler, arg);
            }
        }
        if (n > 0 && polls[0].revents != 0) {
            take_connection(http);
        }
    }
    return 0;
}

/* TCP connections with a deadline. Sockets do not block; poll waits. What was read and not taken
 * stays for the next call. */
#include <asm-generic/socket.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/str.h"
#include "client/client_int.h"

enum { READ_BYTES = 16384 };
#define REPLY_MOST ((size_t)64 << 20)

static bool wrong(struct wire *wire, const char *why)
{
    wire->why = why;
    return false;
}

static bool wrong_errno(struct wire *wire, int code)
{
    return wrong(wire, code == ECONNREFUSED   ? "connection refused"
                       : code == ECONNRESET   ? "connection reset"
                       : code == EPIPE        ? "connection closed"
                       : code == ETIMEDOUT    ? "connection timed out"
                       : code == EHOSTUNREACH ? "no route to the server"
                       : code == ENETUNREACH  ? "network unreachable"
                                              : "connection failed");
}

/* Until the socket can be read or written. */
static bool wait_for(struct wire *wire, short what)
{
    for (;;) {
        uint64_t now = clock_mono_ns();
        if (now >= wire->deadline_ns) {
            return wrong(wire, "timeout");
        }
        uint64_t left = (wire->deadline_ns - now + 999999) / 1000000;
        struct pollfd fd = {.fd = wire->fd, .events = what};
        int n = poll(&fd, 1, left < 1000000 ? (int)left : 1000000);
        if (n > 0) {
            return true;
        }
        if (n < 0 && errno != EINTR) {
            return wrong_errno(wire, errno);
        }
    }
}

bool wire_open(struct wire *wire, const struct sockaddr_in *to)
{
    int on = 1, code = 0;
    socklen_t n = sizeof code;
    wire_close(wire);
    wire->sent = false;
    wire->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (wire->fd < 0) {
        return wrong(wire, "no socket");
    }
    (void)setsockopt(wire->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(wire->fd, (const struct sockaddr *)to, sizeof *to) != 0) {
        code = errno;
        if (code == EINPROGRESS && (!wait_for(wire, POLLOUT) ||
                                    getsockopt(wire->fd, SOL_SOCKET, SO_ERROR, &code, &n) != 0)) {
            wire_close(wire);
            return false;
        }
    }
    if (code != 0) {
        wire_close(wire);
        return wrong_errno(wire, code);
    }
    return true;
}

void wire_close(struct wire *wire)
{
    if (wire->fd >= 0) {
        (void)close(wire->fd);
    }
    wire->fd = -1;
    wire->at = 0;
    strbuf_reset(&wire->in);
}

bool wire_send(struct wire *wire, struct str bytes)
{
    while (bytes.n > 0) {
        ssize_t n = send(wire->fd, bytes.p, bytes.n, MSG_NOSIGNAL);
        if (n < 0 && errno == EAGAIN) {
            if (!wait_for(wire, POLLOUT)) {
                return false;
            }
            continue;
        }
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return wrong_errno(wire, errno);
        }
        wire->sent = true;
        bytes.p += n;
        bytes.n -= (size_t)n;
    }
    return true;
}

/* More of what the other side says. *ret_end: it says nothing more. */
static bool fill(struct wire *wire, bool *ret_end)
{
    if (wire->at == wire->in.n) {
        wire->at = 0;
        strbuf_reset(&wire->in);
    }
    if (wire->in.n > REPLY_MOST) {
        return wrong(wire, "the reply is too long");
    }
    for (;;) {
        strbuf_reserve(&wire->in, READ_BYTES);
        ssize_t n = recv(wire->fd, wire->in.p + wire->in.n, READ_BYTES, 0);
        if (n > 0) {
            wire->in.n += (size_t)n;
            return true;
        }
        if (n == 0) {
            *ret_end = true;
            return wrong(wire, "connection closed");
        }
        if (errno != EAGAIN && errno != EINTR) {
            return wrong_errno(wire, errno);
        }
        if (errno == EAGAIN && !wait_for(wire, POLLIN)) {
            return false;
        }
    }
}

bool wire_bytes(struct wire *wire, size_t n, struct str *ret)
{
    bool end = false;
    if (n > REPLY_MOST) {
        return wrong(wire, "the reply is too long");
    }
    while (wire->in.n - wire->at < n) {
        if (!fill(wire, &end)) {
            return false;
        }
    }
    *ret = (struct str){n != 0 ? wire->in.p + wire->at : "", n};
    wire->at += n;
    return true;
}

bool wire_line(struct wire *wire, struct str *ret)
{
    bool end = false;
    for (size_t seen = 0;;) {
        const char *from = wire->in.p + wire->at;
        size_t have = wire->in.n - wire->at;
        const char *stop = have > seen ? memchr(from + seen, '\n', have - seen) : NULL;
        if (stop != NULL) {
            size_t n = (size_t)(stop - from);
            wire->at += n + 1;
            *ret = (struct str){from, n > 0 && from[n - 1] == '\r' ? n - 1 : n};
            return true;
        }
        seen = have;
        if (!fill(wire, &end)) {
            return false;
        }
    }
}

bool wire_rest(struct wire *wire, struct str *ret)
{
    bool end = false;
    while (fill(wire, &end)) {
    }
    *ret = (struct str){wire->in.p != NULL ? wire->in.p + wire->at : "", wire->in.n - wire->at};
    return end;
}

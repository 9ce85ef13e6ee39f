/* A transport over stream sockets. A message is its length, four bytes, and its bytes. What does
 * not fit into a socket waits in a buffer, and is written whenever the transport is used. Whoever
 * closes says so and waits for the others: a socket that ends without that is a process that died.
 */
#include "dist/socket.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "dist/transport.h"

enum {
    READ_BYTES = 64 << 10,
    PATIENCE_MS = 60000, /* for the others to come to the meeting */
    TURN_NS = 5000000,
    KEEP_BYTES = 1 << 20 /* of what was written; then the rest is moved to the front */
};

#define GOODBYE UINT32_MAX /* instead of a length */

struct peer {
    int fd;    /* -1: it has gone */
    bool over; /* it has said goodbye */
    struct strbuf in, out;
    size_t in_used, out_used;
};

struct sockets {
    struct transport head;
    struct peer *peers; /* [size] */
    unsigned turn;      /* who is looked at first */
    char why[128];
};

static struct sockets *sockets_of(struct transport *t)
{
    void *whole = t; /* the first member of it */
    return whole;
}

static int gone(struct sockets *s, unsigned rank)
{
    (void)snprintf(s->why, sizeof s->why, "rank %u has ended", rank);
    return -1;
}

/* Writes what fits. */
static int flush(struct sockets *s, unsigned to)
{
    struct peer *p = &s->peers[to];
    while (p->out_used < p->out.n && p->fd >= 0) {
        ssize_t n = send(p->fd, p->out.p + p->out_used, p->out.n - p->out_used,
                         MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && errno == EAGAIN) {
            break;
        }
        if (n < 0) {
            return gone(s, to);
        }
        p->out_used += (size_t)n;
    }
    if (p->out_used == p->out.n) {
        p->out_used = 0;
        strbuf_reset(&p->out);
    } else if (p->out_used > KEEP_BYTES) {
        memmove(p->out.p, p->out.p + p->out_used, p->out.n - p->out_used);
        p->out.n -= p->out_used;
        p->out_used = 0;
    }
    return 0;
}

static int socket_send(struct transport *t, unsigned to, const void *bytes, size_t len)
{
    struct sockets *s = sockets_of(t);
    struct peer *p = &s->peers[to];
    uint32_t head = (uint32_t)len;
    if (p->fd < 0) {
        return gone(s, to);
    }
    strbuf_add(&p->out, (const char *)&head, sizeof head);
    strbuf_add(&p->out, bytes, len);
    return flush(s, to);
}

/* A whole message that is in the buffer already; or the last one. */
static bool whole(struct peer *p, const void **ret_bytes, size_t *ret_len)
{
    uint32_t len;
    size_t have = p->in.n - p->in_used;
    if (have < sizeof len) {
        return false;
    }
    memcpy(&len, p->in.p + p->in_used, sizeof len);
    p->over = len == GOODBYE;
    if (p->over || have - sizeof len < len) {
        return false;
    }
    *ret_bytes = p->in.p + p->in_used + sizeof len;
    *ret_len = len;
    p->in_used += sizeof len + len;
    return true;
}

/* Reads what is there: 1 something, 0 nothing, -1 it has gone. */
static int fill(struct peer *p)
{
    if (p->in_used > 0) {
        memmove(p->in.p, p->in.p + p->in_used, p->in.n - p->in_used);
        p->in.n -= p->in_used;
        p->in_used = 0;
    }
    strbuf_reserve(&p->in, READ_BYTES);
    ssize_t n = recv(p->fd, p->in.p + p->in.n, READ_BYTES, MSG_DONTWAIT);
    if (n > 0) {
        p->in.n += (size_t)n;
        return 1;
    }
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

static int socket_receive(struct transport *t, unsigned *ret_from, const void **ret_bytes,
                          size_t *ret_len)
{
    struct sockets *s = sockets_of(t);
    unsigned first = s->turn;
    for (unsigned i = 0; i < t->size; i++) {
        unsigned from = (first + i) % t->size;
        struct peer *p = &s->peers[from];
        if (from == t->rank || p->fd < 0 || p->over) {
            continue;
        }
        if (flush(s, from) < 0) {
            return -1;
        }
        *ret_from = from;
        if (whole(p, ret_bytes, ret_len)) {
            return 1;
        }
        int status = p->over ? 0 : fill(p);
        if (status < 0) {
            (void)close(p->fd);
            p->fd = -1;
            return gone(s, from);
        }
        if (status > 0 && whole(p, ret_bytes, ret_len)) {
            return 1;
        }
        s->turn = (from + 1) % t->size; /* this one has nothing: the next one comes first */
    }
    return 0;
}

static size_t socket_unsent(struct transport *t)
{
    struct sockets *s = sockets_of(t);
    size_t sum = 0;
    for (unsigned i = 0; i < t->size; i++) {
        sum += s->peers[i].out.n - s->peers[i].out_used;
    }
    return sum;
}

static const char *socket_why(struct transport *t)
{
    return sockets_of(t)->why;
}

/* The others see that this one has gone. */
static void socket_abort(struct transport *t, int status)
{
    struct sockets *s = sockets_of(t);
    (void)status;
    for (unsigned i = 0; i < t->size; i++) {
        if (s->peers[i].fd >= 0) {
            (void)shutdown(s->peers[i].fd, SHUT_RDWR);
        }
    }
}

/* Writes what is left, and reads until it has said goodbye, too, or is gone. */
static void part_from(struct sockets *s, unsigned rank)
{
    struct peer *p = &s->peers[rank];
    const void *bytes;
    size_t len;
    while (p->fd >= 0 && flush(s, rank) == 0) {
        while (!p->over && whole(p, &bytes, &len)) {
        }
        bool said = p->out_used == p->out.n;
        if (said && p->over) {
            break;
        }
        struct pollfd wait = {.fd = p->fd,
                              .events = (short)((said ? 0 : POLLOUT) | (p->over ? 0 : POLLIN))};
        (void)poll(&wait, 1, 100);
        if (!p->over && fill(p) < 0) {
            break;
        }
    }
    if (p->fd >= 0) {
        (void)close(p->fd);
    }
}

static void socket_close(struct transport *t)
{
    struct sockets *s = sockets_of(t);
    uint32_t goodbye = GOODBYE;
    for (unsigned i = 0; i < t->size; i++) {
        if (s->peers[i].fd >= 0) {
            strbuf_add(&s->peers[i].out, (const char *)&goodbye, sizeof goodbye);
            (void)flush(s, i);
        }
    }
    for (unsigned i = 0; i < t->size; i++) {
        struct peer *p = &s->peers[i];
        part_from(s, i);
        strbuf_done(&p->in);
        strbuf_done(&p->out);
    }
    vec_release(s->peers);
    vec_release(s);
}

static const struct transport_ops socket_ops = {
    .send = socket_send,
    .receive = socket_receive,
    .unsent = socket_unsent,
    .why = socket_why,
    .abort = socket_abort,
    .close = socket_close,
};

struct transport *transport_of_sockets(unsigned rank, unsigned size, const int *fds)
{
    size_t cap = 0;
    struct sockets *s = vec_grow(NULL, &cap, 1, sizeof *s);
    *s = (struct sockets){
        .head = {.ops = &socket_ops, .rank = rank, .size = size, .local = size}
    };
    cap = 0;
    s->peers = vec_grow(NULL, &cap, size, sizeof *s->peers);
    for (unsigned i = 0; i < size; i++) {
        s->peers[i] = (struct peer){.fd = i == rank ? -1 : fds[i]};
    }
    return &s->head;
}

/* ---- meeting ---- */

static int address(const char *dir, unsigned rank, struct sockaddr_un *ret, struct err *err)
{
    *ret = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(ret->sun_path, sizeof ret->sun_path, "%s/rank-%u", dir, rank);
    return n > 0 && (size_t)n < sizeof ret->sun_path
               ? 0
               : err_set(err, ERR_INVALID, 0, "the name of the directory %s is too long", dir);
}

static void turn(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = TURN_NS}, NULL);
}

/* To a rank that may not be there yet. */
static int reach(const char *dir, unsigned to, unsigned me, int *ret_fd, struct err *err)
{
    struct sockaddr_un name;
    int status = address(dir, to, &name, err);
    for (int ms = 0; status == 0 && ms < PATIENCE_MS; ms += TURN_NS / 1000000) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0) {
            return err_set(err, ERR_IO, errno, "a socket");
        }
        if (connect(fd, (const struct sockaddr *)&name, sizeof name) == 0 &&
            send(fd, &me, sizeof me, MSG_NOSIGNAL) == sizeof me) {
            *ret_fd = fd;
            return 0;
        }
        (void)close(fd);
        turn();
    }
    return status < 0 ? status
                      : err_set(err, ERR_NOT_FOUND, 0, "rank %u did not come to %s", to, dir);
}

/* Those with higher numbers come here. */
static int await(int listener, unsigned rank, unsigned size, int *fds, struct err *err)
{
    for (unsigned left = size - rank - 1; left > 0; left--) {
        struct pollfd wait = {.fd = listener, .events = POLLIN};
        unsigned who = 0;
        int fd = poll(&wait, 1, PATIENCE_MS) > 0 ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;
        if (fd < 0) {
            return err_set(err, ERR_NOT_FOUND, 0, "%u of %u ranks did not come", left, size);
        }
        if (recv(fd, &who, sizeof who, MSG_WAITALL) != sizeof who || who <= rank || who >= size ||
            fds[who] >= 0) {
            (void)close(fd);
            return err_set(err, ERR_INVALID, 0, "somebody else came to the meeting of the ranks");
        }
        fds[who] = fd;
    }
    return 0;
}

static int listen_at(const struct sockaddr_un *name, unsigned size, int *ret_fd, struct err *err)
{
    *ret_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)unlink(name->sun_path);
    return *ret_fd >= 0 && bind(*ret_fd, (const struct sockaddr *)name, sizeof *name) == 0 &&
                   listen(*ret_fd, (int)size) == 0
               ? 0
               : err_set(err, ERR_IO, errno, "a socket %s", name->sun_path);
}

int transport_meet(const char *dir, unsigned rank, unsigned size, struct transport **ret,
                   struct err *err)
{
    struct sockaddr_un name;
    VEC(int) fds = {0};
    int listener = -1;
    for (unsigned i = 0; i < size; i++) {
        VEC_PUSH(&fds, -1);
    }
    int status = address(dir, rank, &name, err);
    status = status < 0 ? status : listen_at(&name, size, &listener, err);
    for (unsigned i = 0; i < rank && status == 0; i++) {
        status = reach(dir, i, rank, &fds.v[i], err);
    }
    status = status < 0 ? status : await(listener, rank, size, fds.v, err);
    if (listener >= 0) {
        (void)close(listener);
        (void)unlink(name.sun_path);
    }
    if (status == 0) {
        *ret = transport_of_sockets(rank, size, fds.v);
    }
    for (unsigned i = 0; i < size && status < 0; i++) {
        if (fds.v[i] >= 0) {
            (void)close(fds.v[i]);
        }
    }
    VEC_DONE(&fds);
    return status;
}

/* The process of a node: connections, the timer, and the loop that waits for the next event.
 *
 *     raftkv ID DIR HOST:PORT...      node ID (from 1) of those listed, with its files in DIR
 *
 * A node calls every other and sends only over the connections that it has called for; it receives
 * over those that others have. A connection that is lost is called for again at once; one that was
 * refused, when there is something to send, or when the other has been heard of. Nothing is kept
 * for a peer that is not connected. Each message is one send(2). */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/random.h>
#include <sys/socket.h>

#include "raftkv.h"

enum { INCOMING_MAX = 64 };

enum link { LINK_DOWN, LINK_CALLING, LINK_UP };
struct peer {
    struct sockaddr_in addr;
    enum link link;
    int fd;
};

/* A connection that came in, of a peer or of a client. Its place is the token of a request. */
struct incoming {
    int fd; /* -1: free */
    size_t have;
    uint8_t buf[WIRE_MAX];
};

static struct peer peers[NODES_MAX];
static struct incoming incoming[INCOMING_MAX];
static int listener = -1;
static int64_t deadline_ms;
static uint64_t random_state;

/* ---- helpers ---- */

void say(const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < sizeof line - 1) {
        line[n] = '\n';
        (void)!write(STDOUT_FILENO, line, (size_t)n + 1);
    }
}

static void die(const char *what, const char *why)
{
    (void)fprintf(stderr, "raftkv: %s: %s\n", what, why);
    exit(1);
}

static int64_t now_ms(void)
{
    struct timespec ts;
    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static uint64_t random_below(uint64_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % n;
}

void timer_set(unsigned least_ms, unsigned most_ms)
{
    deadline_ms = now_ms() + least_ms + (int64_t)random_below(most_ms - least_ms + 1);
}

/* ---- connections to peers ---- */

static void hang_up(struct peer *peer)
{
    if (peer->link != LINK_DOWN) {
        (void)close(peer->fd);
        peer->link = LINK_DOWN;
    }
}

static void call(struct peer *peer)
{
    peer->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (peer->fd < 0) {
        return;
    }
    int one = 1;
    (void)setsockopt(peer->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    peer->link = LINK_CALLING;
    if (connect(peer->fd, (struct sockaddr *)&peer->addr, sizeof peer->addr) == 0) {
        peer->link = LINK_UP;
    } else if (errno != EINPROGRESS) {
        hang_up(peer);
    }
}

bool peer_send(struct message *m)
{
    uint8_t bytes[WIRE_MAX];
    struct peer *peer = &peers[m->to];
    m->from = self.id;
    size_t n = wire_put(m, bytes);
    bool sent = peer->link == LINK_UP && send(peer->fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n;
    if (!sent && peer->link != LINK_CALLING) {
        hang_up(peer); /* it is gone, or does not read: half a message is worse than none */
        call(peer);
    }
    return sent;
}

/* Something happened to a connection that we have called for. */
static void peer_event(struct peer *peer)
{
    if (peer->link == LINK_CALLING) {
        int err = 0;
        socklen_t len = sizeof err;
        (void)getsockopt(peer->fd, SOL_SOCKET, SO_ERROR, &err, &len);
        if (err == 0) {
            peer->link = LINK_UP;
        } else {
            hang_up(peer);
        }
        return;
    }
    char byte;
    ssize_t n = recv(peer->fd, &byte, 1, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        hang_up(peer);
        call(peer);
    }
}

/* ---- connections that come in ---- */

static void drop(struct incoming *in)
{
    (void)close(in->fd);
    in->fd = -1;
}

static void accept_one(void)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
        return;
    }
    for (int i = 0; i < INCOMING_MAX; i++) {
        if (incoming[i].fd < 0) {
            incoming[i].fd = fd;
            incoming[i].have = 0;
            return;
        }
    }
    (void)close(fd);
}

void client_reply(int token, enum outcome outcome, uint32_t revision, const char *value)
{
    struct incoming *in = &incoming[token];
    if (in->fd < 0) {
        return;
    }
    uint8_t bytes[WIRE_MAX];
    struct message m = {.type = MSG_REPLY, .ok = outcome, .index = revision, .from = self.id};
    if (value != NULL) {
        m.count = 1;
        memcpy(m.entries[0].value, value, TEXT_BYTES);
    }
    size_t n = wire_put(&m, bytes);
    if (send(in->fd, bytes, n, MSG_NOSIGNAL) != (ssize_t)n) {
        drop(in);
    }
}

static void handle(struct incoming *in, const struct message *m)
{
    if (m->type == MSG_PUT || m->type == MSG_GET) {
        if (m->count != 1) {
            drop(in);
            return;
        }
        node_request(m, (int)(in - incoming));
        return;
    }
    if (m->from < self.n && m->from != self.id && peers[m->from].link == LINK_DOWN) {
        call(&peers[m->from]);
    }
    node_message(m);
}

static void incoming_event(struct incoming *in)
{
    ssize_t n = recv(in->fd, in->buf + in->have, sizeof in->buf - in->have, MSG_DONTWAIT);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            drop(in);
        }
        return;
    }
    in->have += (size_t)n;
    while (in->fd >= 0) {
        struct message m;
        int used = wire_get(in->buf, in->have, &m);
        if (used == 0) {
            return;
        }
        if (used < 0) {
            drop(in);
            return;
        }
        in->have -= (size_t)used;
        memmove(in->buf, in->buf + used, in->have);
        handle(in, &m);
    }
}

/* ---- the loop ---- */

struct waits {
    struct pollfd fds[1 + NODES_MAX + INCOMING_MAX];
    int who[1 + NODES_MAX + INCOMING_MAX]; /* -1 the listener, a peer, NODES_MAX + place */
    nfds_t n;
};

static void wait_for(struct waits *waits, int fd, short events, int who)
{
    waits->fds[waits->n] = (struct pollfd){.fd = fd, .events = events};
    waits->who[waits->n++] = who;
}

static void collect(struct waits *waits)
{
    waits->n = 0;
    wait_for(waits, listener, POLLIN, -1);
    for (int j = 0; j < self.n; j++) {
        if (peers[j].link != LINK_DOWN) {
            wait_for(waits, peers[j].fd, peers[j].link == LINK_CALLING ? POLLOUT : POLLIN, j);
        }
    }
    for (int i = 0; i < INCOMING_MAX; i++) {
        if (incoming[i].fd >= 0) {
            wait_for(waits, incoming[i].fd, POLLIN, NODES_MAX + i);
        }
    }
}

static void run(void)
{
    for (;;) {
        struct waits waits;
        collect(&waits);
        int64_t left = deadline_ms - now_ms();
        int ready = poll(waits.fds, waits.n, left > 0 ? (int)left : 0);
        for (nfds_t i = 0; ready > 0 && i < waits.n; i++) {
            int who = waits.who[i];
            if (waits.fds[i].revents == 0) {
                continue;
            }
            /* An earlier event of this round may have closed it, or put another in its place. */
            if (who < 0) {
                accept_one();
            } else if (who < NODES_MAX) {
                if (peers[who].link != LINK_DOWN && peers[who].fd == waits.fds[i].fd) {
                    peer_event(&peers[who]);
                }
            } else if (incoming[who - NODES_MAX].fd == waits.fds[i].fd) {
                incoming_event(&incoming[who - NODES_MAX]);
            }
        }
        if (now_ms() >= deadline_ms) {
            node_timer();
        }
    }
}

/* ---- starting ---- */

static void listen_on(const struct peer *peer)
{
    int one = 1;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        bind(listener, (const struct sockaddr *)&peer->addr, sizeof peer->addr) != 0 ||
        listen(listener, INCOMING_MAX) != 0) {
        die("listen", strerror(errno));
    }
}

int main(int argc, char **argv)
{
    int n = argc - 3;
    int id = argc > 3 ? atoi(argv[1]) - 1 : -1; // NOLINT(cert-err34-c): checked below
    if (id < 0 || id >= n || n > NODES_MAX) {
        (void)fprintf(stderr, "usage: raftkv ID DIR HOST:PORT...   (ID from 1, at most %d nodes)\n",
                      NODES_MAX);
        return 2;
    }
    if (getrandom(&random_state, sizeof random_state, 0) != sizeof random_state ||
        random_state == 0) {
        random_state = (uint64_t)id + 1;
    }
    for (int i = 0; i < INCOMING_MAX; i++) {
        incoming[i].fd = -1;
    }
    for (int j = 0; j < n; j++) {
        address_find(argv[3 + j], &peers[j].addr);
    }
    store_open(argv[2]);
    listen_on(&peers[id]);
    node_start(id, n);
    say("node %d of %d, term %u, %u entries", id + 1, n, self.term, self.n_log);
    for (int j = 0; j < n; j++) {
        if (j != id) {
            call(&peers[j]);
        }
    }
    run();
}

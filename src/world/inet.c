/* TCP and UDP, over IPv4 and IPv6. An IPv4 address is kept as its IPv6 form, so that one kind of
 * socket serves both, and a socket that listens on :: gets both. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/hash.h"
#include "world/heap.h"
#include "world/net.h"
#include "world/socket.h"
#include "world/world_int.h"

#define CONNECT_NS UINT64_C(127000000000) /* six retransmissions of a SYN */

/* ---- ports ---- */

static bool same_addr(const struct addr *bound, const struct addr *asked)
{
    return addr_is_any(bound) || memcmp(bound->ip, asked->ip, 16) == 0;
}

static bool port_taken(const struct node *node, const struct sock *self, const struct addr *addr)
{
    for (const struct sock *s = node->socks; s != NULL; s = s->next_bound) {
        if (s == self || s->domain == AF_UNIX || s->type != self->type ||
            s->local.port != addr->port) {
            continue;
        }
        if (!addr_is_any(&s->local) && !addr_is_any(addr) &&
            memcmp(s->local.ip, addr->ip, 16) != 0) {
            continue;
        }
        bool listens = self->type == SOCK_STREAM && s->state == SOCK_LISTENING;
        bool both = (s->reuse && self->reuse && !listens) || (s->share_port && self->share_port);
        if (!both && !(s->domain != self->domain && (s->v6only || self->v6only))) {
            return true;
        }
    }
    return false;
}

static uint16_t free_port(struct node *node, const struct sock *s, const struct addr *addr)
{
    for (int tries = 0; tries < 28232; tries++) {
        node->next_port = node->next_port < 60999 ? (uint16_t)(node->next_port + 1) : 32768;
        struct addr want = *addr;
        want.port = node->next_port;
        if (!port_taken(node, s, &want)) {
            return node->next_port;
        }
    }
    return 0;
}

static int64_t auto_bind(struct world *w, struct sock *s, const struct addr *like)
{
    if (s->bound) {
        return 0;
    }
    s->local = *like;
    s->local.port = free_port(s->f.node, s, like);
    if (s->local.port == 0) {
        return -EADDRNOTAVAIL;
    }
    s->bound = true;
    sock_bind_link(w, s);
    return 0;
}

int64_t inet_bind(struct world *w, struct thread *t, struct sock *s, const struct addr *addr)
{
    struct node *node = t->proc->node;
    if (s->bound) {
        return -EINVAL;
    }
    bool group = addr_is_group(addr) && s->type == SOCK_DGRAM;
    if (!addr_is_any(addr) && !group && net_route(w, node, addr) != node) {
        return -EADDRNOTAVAIL;
    }
    if (addr->port == 0) {
        return auto_bind(w, s, addr);
    }
    if (port_taken(node, s, addr)) {
        return -EADDRINUSE;
    }
    s->local = *addr;
    s->given_port = true;
    s->bound = true;
    sock_bind_link(w, s);
    return 0;
}

int64_t inet_listen(struct world *w, struct sock *s)
{
    static const struct addr any;
    if (s->state != SOCK_NEW && s->state != SOCK_LISTENING) {
        return -EINVAL;
    }
    int64_t status = auto_bind(w, s, &any);
    if (status == 0) {
        s->state = SOCK_LISTENING;
    }
    return status;
}

/* The socket that a packet to this address reaches. An exact address is better than any; which of
 * those that share a port (SO_REUSEPORT) it is depends on where the packet comes from. */
static struct sock *find_bound(struct node *node, int type, const struct addr *dst,
                               const struct addr *src)
{
    struct sock *best = NULL;
    int best_rank = -1;
    bool v4 = addr_v4(dst) != 0;
    uint64_t source = hash_bytes(src->ip, sizeof src->ip, src->port), best_share = 0, place = 0;
    for (struct sock *s = node->socks; s != NULL; s = s->next_bound) {
        if (s->domain == AF_UNIX || s->type != type || s->local.port != dst->port ||
            !same_addr(&s->local, dst) || (type == SOCK_STREAM && s->state != SOCK_LISTENING) ||
            (v4 && s->domain == AF_INET6 && s->v6only) || (!v4 && s->domain == AF_INET)) {
            continue;
        }
        bool connected = type == SOCK_DGRAM && s->remote.port != 0;
        if (connected && (s->remote.port != src->port || memcmp(s->remote.ip, src->ip, 16) != 0)) {
            continue;
        }
        int rank = (connected ? 2 : 0) + (addr_is_any(&s->local) ? 0 : 1);
        uint64_t share = s->share_port ? hash_combine(source, ++place) : 0;
        if (rank > best_rank || (rank == best_rank && share > best_share)) {
            best = s;
            best_rank = rank;
            best_share = share;
        }
    }
    return best;
}

/* ---- TCP: connecting ---- */

static struct conn *conn_new(struct world *w, struct sock *s, struct node *to,
                             const struct addr *dst)
{
    struct conn *conn = HEAP_NEW(w->heap, struct conn);
    heap_mark(conn, HEAP_CONN);
    conn->id = id_new(w, s->f.node);
    conn->end[0] = s;
    conn->node[0] = s->f.node;
    conn->node[1] = to;
    conn->incarnation[0] = s->f.node->incarnation;
    conn->incarnation[1] = to->incarnation;
    conn->addr[0] = s->local;
    conn->addr[1] = *dst;
    conn->message = message_rule(w, dst);
    conn_add(w, conn);
    return conn;
}

static void stop_timer(struct world *w, struct sock *s)
{
    timer_free(w, s->timer);
    s->timer = NULL;
}

static void check_timeout(struct world *w, struct sock *s)
{
    if (s->state == SOCK_CONNECTING && s->timer != NULL && s->timer->deadline_ns <= w->now_ns) {
        stop_timer(w, s);
        s->state = SOCK_CLOSED;
        s->err = ETIMEDOUT;
        file_changed(w, &s->f, true, true);
    }
}

static int64_t tcp_connect_again(struct world *w, struct thread *t, struct sock *s)
{
    check_timeout(w, s);
    if (s->err != 0) {
        int err = s->err;
        s->err = 0;
        s->state = SOCK_NEW;
        return -err;
    }
    if (s->state == SOCK_CONNECTED) {
        bool first = t->retry || !s->connected_once;
        s->connected_once = true;
        return first ? 0 : -EISCONN;
    }
    if (s->state == SOCK_CONNECTING) {
        return t->retry ? block(t) : -EALREADY;
    }
    return -ECONNABORTED;
}

static int64_t tcp_connect(struct world *w, struct thread *t, struct sock *s,
                           const struct addr *dst, struct node *to)
{
    if (s->state == SOCK_LISTENING) {
        return -EISCONN;
    }
    if (s->state != SOCK_NEW || t->retry) {
        return tcp_connect_again(w, t, s);
    }
    s->err = 0;
    s->remote = *dst;
    s->state = SOCK_CONNECTING;
    s->side = 0;
    s->conn = conn_new(w, s, to, dst);
    s->timer = timer_new(w, s->f.node);
    s->timer->file = &s->f;
    s->timer->deadline_ns = w->now_ns + CONNECT_NS;
    conn_send(w, s->conn, 1, net_packet(w, PK_SYN, NULL, 0));
    if ((s->f.flags & O_NONBLOCK) != 0) {
        return -EINPROGRESS;
    }
    /* Inside the node it is over already. */
    return s->state != SOCK_CONNECTING ? tcp_connect_again(w, t, s) : block(t);
}

int64_t inet_connect(struct world *w, struct thread *t, struct sock *s, const struct addr *addr)
{
    struct addr dst = *addr;
    struct node *to = net_route(w, t->proc->node, &dst);
    bool group = s->type == SOCK_DGRAM && addr_is_group(&dst);
    to = group ? t->proc->node : to;
    if (to == NULL) {
        w->counts.unreachable++;
        return -ENETUNREACH;
    }
    if (addr_is_any(&dst)) { /* this node, by convention */
        bool v4 = dst.ip[10] == 0xff;
        memset(dst.ip, 0, sizeof dst.ip);
        dst.ip[15] = 1;
        if (v4) {
            dst.ip[10] = dst.ip[11] = 0xff;
            dst.ip[12] = 127;
        }
    }
    struct addr like = group                    ? multicast_source(s, addr_v4(&dst) == 0)
                       : addr_is_loopback(&dst) ? dst
                                                : addr_of_node(t->proc->node, addr_v4(&dst) == 0);
    int64_t status = auto_bind(w, s, &like);
    if (status != 0) {
        return status;
    }
    if (addr_is_any(&s->local)) {
        uint16_t port = s->local.port;
        s->local = like;
        s->local.port = port;
    }
    if (s->type == SOCK_STREAM) {
        return tcp_connect(w, t, s, &dst, to);
    }
    s->remote = dst;
    s->state = SOCK_CONNECTED;
    return 0;
}

/* ---- TCP: packets that arrive ---- */

static bool sock_inline(const struct sock *s)
{
    return sock_option_on(s, SOL_SOCKET, SO_OOBINLINE);
}

static void send_rst(struct world *w, struct conn *conn, int to_side)
{
    conn_send(w, conn, to_side, net_packet(w, PK_RST, NULL, 0));
}

bool inet_must_wait(const struct packet *p)
{
    const struct sock *listener =
        p->kind == PK_SYN ? find_bound(p->to, SOCK_STREAM, &p->dst, &p->src) : NULL;
    return listener != NULL && listener->n_backlog > listener->backlog_most;
}

static void arrive_syn(struct world *w, struct packet *p)
{
    struct conn *conn = p->conn;
    struct sock *listener = find_bound(p->to, SOCK_STREAM, &p->dst, &p->src);
    if (listener == NULL) {
        send_rst(w, conn, 0);
        return;
    }
    if (listener->n_backlog > listener->backlog_most) {
        return; /* whoever asked is gone, too */
    }
    struct sock *s = sock_new(w, p->to, listener->domain, SOCK_STREAM, 0);
    s->state = SOCK_CONNECTED;
    s->connected_once = true;
    s->conn = conn;
    s->side = 1;
    s->local = p->dst;
    s->remote = p->src;
    s->bound = true;
    conn->end[1] = s;
    conn->incarnation[1] = p->to->incarnation;
    listener->backlog = (struct sock **)heap_realloc(
        w->heap, (void *)listener->backlog, (listener->n_backlog + 1) * sizeof(struct sock *));
    listener->backlog[listener->n_backlog++] = s;
    s->listener = listener;
    file_changed(w, &listener->f, true, false);
    conn_send(w, conn, 0, net_packet(w, PK_SYNACK, NULL, 0));
}

void sock_broken(struct world *w, struct sock *s, int err)
{
    stop_timer(w, s);
    s->err = err;
    s->reset = true;
    s->state = SOCK_CLOSED;
    s->rx_eof = true; /* what has arrived before can still be read */
    conn_gone(w, s->conn, s->side);
    s->conn = NULL;
    file_changed(w, &s->f, true, true);
}

/* The last byte of what has arrived is urgent. There is one such mark: an earlier one is forgotten,
 * and its byte is data like any other. */
static void arrive_urgent(struct world *w, struct sock *s)
{
    if (s->urgent != URGENT_NONE && s->urgent_at == 0 && !sock_inline(s)) {
        bytes_drop(w, &s->rx, 1); /* nobody will read it any more */
    }
    s->urgent = URGENT_VALID;
    s->urgent_at = s->rx.n - 1;
    file_tell_owner(w, &s->f, SIGURG);
}

/* A packet says what its sender has read: there may be room again. */
static void learn_read(struct world *w, struct sock *s, const struct packet *p)
{
    struct chan *chan = &p->conn->chan[1 - p->side];
    bool little = chan->sent - chan->known > SOCK_WINDOW - SOCK_WINDOW / 3;
    if (p->read > chan->known) {
        chan->known = p->read;
        if (little) {
            file_changed(w, &s->f, false, true);
        }
    }
}

static void arrive_tcp(struct world *w, struct packet *p)
{
    struct conn *conn = p->conn;
    if (p->kind == PK_SYN) {
        arrive_syn(w, p);
        return;
    }
    struct sock *s = conn->end[p->side];
    if (s == NULL || conn->incarnation[p->side] != p->to->incarnation) {
        if (p->kind == PK_DATA || p->kind == PK_SYNACK) {
            send_rst(w, conn, 1 - p->side);
        }
        return;
    }
    learn_read(w, s, p);
    switch (p->kind) {
    case PK_SYNACK:
        stop_timer(w, s);
        s->state = SOCK_CONNECTED;
        file_changed(w, &s->f, false, true);
        break;
    case PK_DATA:
        if (!s->rx_shut) {
            bytes_put(w, &s->rx, p->bytes, p->n);
            if (p->urgent) {
                arrive_urgent(w, s);
            }
            file_changed(w, &s->f, true, false);
        }
        break;
    case PK_FIN:
        s->rx_eof = true;
        file_changed(w, &s->f, true, true);
        break;
    case PK_RST:
        sock_broken(w, s,
                    s->state == SOCK_CONNECTING ? ECONNREFUSED
                    : s->rx_eof                 ? EPIPE
                                                : ECONNRESET);
        break;
    default: break;
    }
}

/* ---- UDP ---- */

static void take_datagram(struct world *w, struct sock *s, const struct packet *p)
{
    if (s->queue_bytes + p->n > DGRAM_BYTES || s->rx_shut) {
        return;
    }
    struct message *m = heap_alloc(w->heap, sizeof *m + p->n);
    m->from = p->src;
    m->to = p->dst;
    m->n = p->n;
    memcpy(m->bytes, p->bytes, p->n);
    message_push(w, s, m);
}

static bool from_peer(const struct sock *s, const struct addr *src)
{
    return s->remote.port == 0 ||
           (s->remote.port == src->port && memcmp(s->remote.ip, src->ip, 16) == 0);
}

/* Every socket at the port that is in the group gets it. */
static void arrive_group(struct world *w, const struct packet *p)
{
    bool v4 = addr_v4(&p->dst) != 0;
    for (struct sock *s = p->to->socks; s != NULL; s = s->next_bound) {
        if (s->type == SOCK_DGRAM && (s->domain == AF_INET || s->domain == AF_INET6) &&
            s->local.port == p->dst.port && same_addr(&s->local, &p->dst) &&
            !(v4 && s->domain == AF_INET6 && s->v6only) && (v4 || s->domain == AF_INET6) &&
            from_peer(s, &p->src) && multicast_wanted(w, s, p)) {
            take_datagram(w, s, p);
        }
    }
}

static void arrive_udp(struct world *w, struct packet *p)
{
    if (addr_is_group(&p->dst)) {
        arrive_group(w, p);
        return;
    }
    struct sock *s = find_bound(p->to, SOCK_DGRAM, &p->dst, &p->src);
    if (p->kind == PK_UNREACH) {
        if (s != NULL && s->remote.port != 0) {
            s->err = ECONNREFUSED;
            file_changed(w, &s->f, true, true);
        }
        return;
    }
    if (s == NULL) {
        struct packet *back = net_packet(w, PK_UNREACH, NULL, 0);
        back->src = p->dst;
        back->dst = p->src;
        net_send(w, p->to, &p->src, back);
        return;
    }
    take_datagram(w, s, p);
}

void sock_arrive(struct world *w, struct packet *p)
{
    if (p->conn != NULL) {
        arrive_tcp(w, p);
    } else {
        arrive_udp(w, p);
    }
}

static int64_t udp_send(struct world *w, struct sock *s, struct uio *u, const struct sock_msg *m)
{
    struct addr dst = m->has_addr ? m->addr : s->remote;
    if ((m->flags & MSG_OOB) != 0) {
        return -EOPNOTSUPP;
    }
    if (dst.port == 0) {
        return m->has_addr ? -EINVAL : -EDESTADDRREQ;
    }
    size_t n = uio_left(u);
    if (n > 65507) {
        return -EMSGSIZE;
    }
    bool group = addr_is_group(&dst);
    if (!group && net_route(w, s->f.node, &dst) == NULL) {
        w->counts.unreachable++;
        return -ENETUNREACH;
    }
    struct addr like = group                    ? multicast_source(s, addr_v4(&dst) == 0)
                       : addr_is_loopback(&dst) ? dst
                                                : addr_of_node(s->f.node, addr_v4(&dst) == 0);
    static const struct addr any4 =
                                 {
                                     .ip = {[10] = 0xff, [11] = 0xff}
    },
                             any6;
    int64_t status = auto_bind(w, s, s->domain == AF_INET ? &any4 : &any6);
    if (status != 0) {
        return status;
    }
    if (n != 0 && uio_get(u, w->engine->buf, n) != n) {
        return -EFAULT;
    }
    struct packet *p = net_packet(w, PK_UDP, w->engine->buf, n);
    p->src = s->local;
    if (addr_is_any(&s->local) || addr_is_group(&s->local)) {
        memcpy(p->src.ip, like.ip, 16);
    }
    p->dst = dst;
    if (group) {
        multicast_send(w, s, p);
    } else {
        net_send(w, s->f.node, &dst, p);
    }
    return (int64_t)n;
}

/* ---- data ---- */

/* Where events are independent a sender cannot see what the other node has read: packets tell. */
static bool by_packets(const struct world *w, const struct conn *conn)
{
    return w->independent && conn->node[0] != conn->node[1];
}

static size_t tcp_room(const struct world *w, const struct sock *s)
{
    const struct conn *conn = s->conn;
    if (conn == NULL) {
        return 0;
    }
    const struct chan *chan = &conn->chan[1 - s->side];
    const struct sock *other = conn->end[1 - s->side];
    uint64_t used = by_packets(w, conn) ? chan->sent - chan->known
                                        : chan->bytes + (other != NULL ? other->rx.n : 0);
    return used < SOCK_WINDOW ? SOCK_WINDOW - used : 0;
}

static int64_t take_err(struct sock *s)
{
    int err = s->err;
    s->err = 0;
    return -err;
}

int64_t inet_send(struct world *w, struct sock *s, struct uio *u, struct sock_msg *m)
{
    if (s->err != 0) {
        return take_err(s);
    }
    if (s->tx_shut) {
        return -EPIPE;
    }
    if (s->type != SOCK_STREAM) {
        return udp_send(w, s, u, m);
    }
    check_timeout(w, s);
    if (s->state == SOCK_CONNECTING) {
        return -EAGAIN;
    }
    if (s->state != SOCK_CONNECTED) {
        return -EPIPE;
    }
    size_t room = tcp_room(w, s), n = uio_left(u) < room ? uio_left(u) : room;
    if (uio_left(u) == 0) {
        return 0;
    }
    if (n == 0) {
        return -EAGAIN;
    }
    size_t got = uio_get(u, w->engine->buf, n);
    if (got == 0) {
        return -EFAULT;
    }
    struct packet *p = net_packet(w, PK_DATA, w->engine->buf, got);
    p->urgent = (m->flags & MSG_OOB) != 0 && uio_left(u) == 0;
    conn_send(w, s->conn, 1 - s->side, p);
    return (int64_t)got;
}

/* The urgent byte, which is not part of the stream. */
static int64_t recv_urgent(struct sock *s, struct uio *u, struct sock_msg *m)
{
    if (s->state == SOCK_LISTENING) {
        return -ENOTCONN;
    }
    if (sock_inline(s) || s->urgent != URGENT_VALID) {
        return -EINVAL;
    }
    m->out_flags |= MSG_OOB;
    if (uio_left(u) == 0) {
        m->out_flags |= MSG_TRUNC;
        return 0;
    }
    if (uio_put(u, s->rx.p + s->rx.head + s->urgent_at, 1) != 1) {
        return -EFAULT;
    }
    s->urgent = (m->flags & MSG_PEEK) != 0 ? s->urgent : URGENT_READ;
    return 1;
}

/* Takes bytes off the stream; the mark comes nearer. */
static void stream_drop(struct world *w, struct sock *s, size_t n)
{
    bytes_drop(w, &s->rx, n);
    if (s->urgent != URGENT_NONE && n > s->urgent_at) {
        s->urgent = URGENT_NONE;
    } else if (s->urgent != URGENT_NONE) {
        s->urgent_at -= n;
    }
}

static int64_t recv_nothing(struct sock *s)
{
    if (s->err != 0 && s->err != EPIPE) { /* that is told who writes: its end was read already */
        return take_err(s);
    }
    if (s->rx_eof || s->rx_shut) {
        return 0;
    }
    if (s->state == SOCK_NEW || s->state == SOCK_LISTENING) {
        return -ENOTCONN;
    }
    return s->state == SOCK_CLOSED ? 0 : -EAGAIN;
}

/* So many bytes more were read: the sender has room again. */
static void tell_read(struct world *w, struct sock *s, size_t n)
{
    struct conn *conn = s->conn;
    struct sock *other = conn != NULL ? conn->end[1 - s->side] : NULL;
    if (conn != NULL && by_packets(w, conn)) {
        struct chan *chan = &conn->chan[s->side];
        chan->read += n;
        if (chan->read - chan->told >= SOCK_WINDOW / 2) {
            conn_send(w, conn, 1 - s->side, net_packet(w, PK_WINDOW, NULL, 0));
        }
    } else if (other != NULL) {
        file_changed(w, &other->f, false, true);
    }
}

int64_t tcp_recv(struct world *w, struct sock *s, struct uio *u, struct sock_msg *m)
{
    check_timeout(w, s);
    if ((m->flags & MSG_OOB) != 0) {
        return recv_urgent(s, u, m);
    }
    bool marked = s->urgent != URGENT_NONE;
    if (marked && s->urgent_at == 0 && u->done != 0) {
        m->at_mark = true;
        return 0; /* what comes after the mark is read for itself */
    }
    size_t skip = 0;
    if (marked && s->urgent_at == 0 && !sock_inline(s)) {
        skip = 1;
        marked = false;
    }
    if (s->rx.n == skip) {
        if (skip != 0) {
            stream_drop(w, s, skip); /* it was there for MSG_OOB until now */
        }
        return recv_nothing(s);
    }
    size_t n = s->rx.n - skip < uio_left(u) ? s->rx.n - skip : uio_left(u);
    if (marked && s->urgent_at != 0 && s->urgent_at <= n) {
        n = s->urgent_at; /* a read never goes across the mark */
        m->at_mark = true;
    }
    size_t put = n;
    if ((m->flags & MSG_TRUNC) == 0) {
        put = uio_put(u, s->rx.p + s->rx.head + skip, n);
        if (put == 0 && n != 0) {
            return -EFAULT;
        }
        hash_data(w, s->rx.p + s->rx.head + skip, put);
    }
    if ((m->flags & MSG_PEEK) == 0) {
        stream_drop(w, s, put + skip);
        tell_read(w, s, put + skip);
    }
    return (int64_t)put;
}

/* Connections that nobody has accepted end. */
static void drop_backlog(struct world *w, struct sock *s)
{
    for (uint32_t i = 0; i < s->n_backlog; i++) {
        s->backlog[i]->listener = NULL;
        s->backlog[i]->abort_on_close = true;
        file_unref(w, &s->backlog[i]->f);
    }
    heap_free(w->heap, (void *)s->backlog);
    s->backlog = NULL;
    s->n_backlog = 0;
}

void inet_unlisten(struct world *w, struct sock *s)
{
    drop_backlog(w, s);
    s->state = SOCK_NEW;
    if (!s->given_port) { /* a port that was chosen for it is free again */
        sock_bind_unlink(s);
        s->bound = false;
        s->local.port = 0;
    }
    file_changed(w, &s->f, true, true);
}

void inet_shutdown(struct world *w, struct sock *s, bool rd, bool wr)
{
    if (wr && !s->tx_shut) {
        s->tx_shut = true;
        if (s->conn != NULL) {
            conn_send(w, s->conn, 1 - s->side, net_packet(w, PK_FIN, NULL, 0));
        }
    }
    if (rd) {
        s->rx_shut = true;
    }
    file_changed(w, &s->f, true, true);
}

/* Closed by the program. Data that nobody will read make it a reset. */
static void tcp_close(struct world *w, struct sock *s)
{
    stop_timer(w, s);
    if (s->conn == NULL) {
        return;
    }
    struct conn *conn = s->conn;
    int other = 1 - s->side;
    bool established = s->state == SOCK_CONNECTED;
    conn_gone(w, conn, s->side);
    s->conn = NULL;
    if (established && (s->rx.n != 0 || s->abort_on_close)) {
        send_rst(w, conn, other);
    } else if (established && !s->tx_shut) {
        conn_send(w, conn, other, net_packet(w, PK_FIN, NULL, 0));
    }
}

void inet_release(struct world *w, struct sock *s)
{
    drop_backlog(w, s);
    tcp_close(w, s);
}

uint32_t inet_poll(struct world *w, struct sock *s)
{
    uint32_t mask = 0;
    check_timeout(w, s);
    if (s->type != SOCK_STREAM) {
        mask |= EPOLLOUT | EPOLLWRNORM;
        mask |= s->queue != NULL || s->rx_shut ? (uint32_t)(EPOLLIN | EPOLLRDNORM) : 0;
        mask |= s->rx_shut ? (uint32_t)EPOLLRDHUP : 0;
        mask |= s->rx_shut && s->tx_shut ? (uint32_t)EPOLLHUP : 0;
        return mask | (s->err != 0 ? (uint32_t)EPOLLERR : 0);
    }
    switch (s->state) {
    case SOCK_LISTENING: return s->n_backlog != 0 ? (uint32_t)(EPOLLIN | EPOLLRDNORM) : 0;
    case SOCK_NEW: mask = EPOLLOUT | EPOLLWRNORM | EPOLLHUP; break;
    case SOCK_CONNECTING: break;
    case SOCK_CLOSED:
        mask = EPOLLIN | EPOLLRDNORM | EPOLLOUT | EPOLLWRNORM | EPOLLHUP | EPOLLRDHUP;
        break;
    case SOCK_CONNECTED:
        if (s->rx.n > (s->urgent != URGENT_NONE && s->urgent_at == 0 && !sock_inline(s) ? 1 : 0)) {
            mask |= EPOLLIN | EPOLLRDNORM;
        }
        if (s->urgent == URGENT_VALID) {
            mask |= EPOLLPRI;
        }
        if (s->rx_eof || s->rx_shut) {
            mask |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
        }
        if (tcp_room(w, s) >= SOCK_WINDOW / 3 || s->tx_shut) {
            mask |= EPOLLOUT | EPOLLWRNORM;
        }
        if ((s->rx_eof || s->rx_shut) && s->tx_shut) {
            mask |= EPOLLHUP;
        }
        break;
    }
    return mask | (s->err != 0 ? (uint32_t)EPOLLERR : 0);
}

/* Power failure: sockets vanish without a word to the other side. */
void sock_power_off(struct world *w, struct node *node)
{
    for (struct conn *c = w->conns; c != NULL; c = c->next) {
        for (int side = 0; side < 2; side++) {
            if (c->node[side] == node && c->end[side] != NULL) {
                c->end[side]->conn = NULL;
                c->end[side] = NULL;
            }
        }
    }
}

/* The network: packets on their way, and the connections they belong to. It moves bytes and keeps
 * their order; what a packet means to a socket is in inet.c.
 *
 * Between two nodes a packet waits until it is told to arrive (EV_DELIVER). On a connection only
 * the first of each direction can; any datagram can. Inside a node everything arrives at once. A
 * packet for a node without power is lost and sent again after a while, like TCP would, until the
 * sender gives up. */
#include "world/net.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/rng.h"
#include "world/heap.h"
#include "world/socket.h"
#include "world/world_int.h"

enum { RETRY_MOST = 12 };

/* ---- addresses ---- */

static bool is_mapped_v4(const struct addr *a, uint32_t *ret_ip)
{
    static const uint8_t prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (memcmp(a->ip, prefix, sizeof prefix) != 0) {
        return false;
    }
    *ret_ip = (uint32_t)a->ip[12] << 24 | (uint32_t)a->ip[13] << 16 | (uint32_t)a->ip[14] << 8 |
              a->ip[15];
    return true;
}

uint32_t addr_v4(const struct addr *a)
{
    uint32_t ip = 0;
    return is_mapped_v4(a, &ip) ? ip : 0;
}

bool addr_is_any(const struct addr *a)
{
    static const uint8_t zero[16];
    uint32_t ip = 1;
    return memcmp(a->ip, zero, 16) == 0 || (is_mapped_v4(a, &ip) && ip == 0);
}

bool addr_is_loopback(const struct addr *a)
{
    static const uint8_t one[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    uint32_t ip = 0;
    return memcmp(a->ip, one, 16) == 0 || (is_mapped_v4(a, &ip) && ip >> 24 == 127);
}

/* IPv6 addresses of nodes: fd00::a.b.c.d with the node's IPv4 address. */
struct addr addr_of_node(const struct node *node, bool v6)
{
    struct addr a = {0};
    if (v6) {
        a.ip[0] = 0xfd;
    } else {
        a.ip[10] = a.ip[11] = 0xff;
    }
    for (int i = 0; i < 4; i++) {
        a.ip[12 + i] = (uint8_t)(node->ip >> (24 - 8 * i));
    }
    return a;
}

struct node *net_route(const struct world *w, struct node *from, const struct addr *dst)
{
    if (addr_is_loopback(dst) || addr_is_any(dst)) {
        return from;
    }
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        struct addr v4 = addr_of_node(w->nodes[i], false), v6 = addr_of_node(w->nodes[i], true);
        if (memcmp(dst->ip, v4.ip, 16) == 0 || memcmp(dst->ip, v6.ip, 16) == 0) {
            return w->nodes[i];
        }
    }
    return NULL;
}

/* ---- packets ---- */

struct packet *net_packet(struct world *w, enum packet_kind kind, const void *bytes, size_t n)
{
    struct packet *p = heap_alloc(w->heap, sizeof *p + n);
    heap_mark(p, HEAP_PACKET);
    p->kind = kind;
    p->n = n;
    if (n != 0) {
        memcpy(p->bytes, bytes, n);
    }
    return p;
}

void net_free(struct world *w, struct packet *p)
{
    heap_free(w->heap, p);
}

static void show(struct world *w, const struct packet *p, bool sent)
{
    if (w->engine->on_packet != NULL) {
        struct packet_view view;
        packet_view_fill(p, &view);
        w->engine->on_packet(w->engine->packet_arg, sent, &view);
    }
}

enum { ID_NODES = 12, ID_NTH = 64 - 2 * ID_NODES };

uint64_t packet_id(uint32_t from, uint32_t to, uint64_t nth)
{
    return (uint64_t)(from + 1) << (ID_NTH + ID_NODES) | (uint64_t)(to + 1) << ID_NTH | nth;
}

bool packet_of_id(uint64_t id, uint32_t *ret_from, uint32_t *ret_to, uint64_t *ret_nth)
{
    uint64_t mask = (UINT64_C(1) << ID_NODES) - 1;
    uint64_t from = id >> (ID_NTH + ID_NODES), to = id >> ID_NTH & mask;
    *ret_from = (uint32_t)from - 1;
    *ret_to = (uint32_t)to - 1;
    *ret_nth = id & ((UINT64_C(1) << ID_NTH) - 1);
    return from != 0 && to != 0;
}

/* What the seed decides about a packet, apart from others where events are independent. */
static struct rng *fate(struct world *w, const struct packet *p, struct rng *own)
{
    if (!w->independent) {
        return &w->rng;
    }
    rng_seed(own, hash_combine(hash_combine(w->seed, 0x6e6574), p->id));
    return own;
}

static uint64_t latency(const struct world *w, struct rng *rng)
{
    uint64_t spread = w->net.latency_max_ns - w->net.latency_min_ns;
    return w->net.latency_min_ns + (spread != 0 ? rng_below(rng, spread + 1) : 0);
}

/* Gives back what decides about it. */
static struct rng *launch(struct world *w, struct packet *p, struct rng *own)
{
    uint64_t *sent = w->independent ? &w->sent[p->from->index * w->n_nodes + p->to->index] : NULL;
    p->id = sent != NULL ? packet_id(p->from->index, p->to->index, ++*sent) : ++w->next_packet;
    struct rng *rng = fate(w, p, own);
    p->at_ns = w->now_ns + latency(w, rng) + link_delay(w, p, rng);
    w->counts.packets++;
    w->counts.bytes += p->n;
    hash_u64(w, (uint64_t)p->kind);
    hash_data(w, p->bytes, p->n);
    show(w, p, true);
    return rng;
}

static void put_datagram(struct world *w, struct packet *p)
{
    if (w->datagrams_tail != NULL) {
        w->datagrams_tail->next = p;
    } else {
        w->datagrams = p;
    }
    w->datagrams_tail = p;
}

/* Sends a datagram; the packet's addresses are set. */
void net_send(struct world *w, struct node *from, const struct addr *dst, struct packet *p)
{
    struct node *to = net_route(w, from, dst);
    if (to == NULL) {
        net_free(w, p);
        return;
    }
    net_send_node(w, from, to, p);
}

void net_send_node(struct world *w, struct node *from, struct node *to, struct packet *p)
{
    p->from = from;
    p->to = to;
    if (p->to == from) {
        sock_arrive(w, p);
        net_free(w, p);
        return;
    }
    struct rng own, *rng = launch(w, p, &own);
    bool lost = w->net.udp_loss_ppm != 0 && p->kind == PK_UDP &&
                rng_below(rng, 1000000) < w->net.udp_loss_ppm;
    if (lost || link_loses(w, p, rng)) {
        w->counts.events[EV_DROP]++;
        net_free(w, p);
        return;
    }
    put_datagram(w, p);
}

/* The message once more, right behind itself, as if its sender had written it twice. */
static void chan_duplicate(struct packet *p, struct packet *copy)
{
    struct chan *chan = &p->conn->chan[p->side];
    copy->conn = p->conn;
    copy->side = p->side;
    copy->read = p->read;
    copy->part = p->part;
    copy->nth = p->nth;
    copy->at_ns = p->at_ns;
    copy->next = p->next;
    p->next = copy;
    chan->tail = chan->tail == p ? copy : chan->tail;
    chan->sent += copy->n;
    chan->bytes += copy->n;
}

void net_duplicate(struct world *w, struct packet *p)
{
    struct packet *copy = net_packet(w, p->kind, p->bytes, p->n);
    copy->src = p->src;
    copy->dst = p->dst;
    copy->from = p->from;
    copy->to = p->to;
    struct rng own;
    (void)launch(w, copy, &own);
    if (p->conn != NULL) {
        chan_duplicate(p, copy);
    } else {
        put_datagram(w, copy);
    }
}

/* The sender tries again, later and later. */
static void wait_more(const struct world *w, struct packet *p)
{
    uint64_t wait = UINT64_C(1000000000) << p->tries;
    p->at_ns = w->now_ns + (wait < UINT64_C(64000000000) ? wait : UINT64_C(64000000000));
    p->tries++;
}

/* Puts a packet behind everything sent to that side before. */
static void chan_put(struct world *w, struct conn *conn, int to_side, struct packet *p)
{
    p->conn = conn;
    p->side = to_side;
    p->from = conn->node[1 - to_side];
    p->to = conn->node[to_side];
    p->src = conn->addr[1 - to_side];
    p->dst = conn->addr[to_side];
    bool inside = p->from == p->to;
    if (inside && !inet_must_wait(p)) {
        sock_arrive(w, p);
        net_free(w, p);
        return;
    }
    struct chan *chan = &conn->chan[to_side], *back = &conn->chan[1 - to_side];
    struct rng own;
    p->read = back->told = back->read;
    chan->sent += p->n;
    (void)launch(w, p, &own);
    if (inside) {
        wait_more(w, p);
    }
    p->at_ns = p->at_ns < chan->last_at ? chan->last_at : p->at_ns;
    chan->last_at = p->at_ns;
    chan->bytes += p->n;
    p->nth = chan->messages;
    chan->messages += p->kind == PK_DATA && !p->part ? 1 : 0;
    if (chan->tail != NULL) {
        chan->tail->next = p;
    } else {
        chan->head = p;
    }
    chan->tail = p;
}

/* Sends what is held back, as a whole message or as a part of one. */
static void chan_flush(struct world *w, struct conn *conn, int to_side, bool part)
{
    struct chan *chan = &conn->chan[to_side];
    struct bytes held = chan->held;
    chan->held = (struct bytes){0};
    if (held.n != 0) {
        struct packet *p = net_packet(w, PK_DATA, held.p + held.head, held.n);
        p->part = part;
        chan->bytes -= held.n;
        chan_put(w, conn, to_side, p);
    }
    bytes_done(w, &held);
}

void conn_add(struct world *w, struct conn *conn)
{
    if (w->conns_tail != NULL) {
        w->conns_tail->next = conn;
    } else {
        w->conns = conn;
    }
    w->conns_tail = conn;
}

static struct conn *conn_between(const struct world *w, const struct packet_view *v, int *ret_side)
{
    for (struct conn *c = w->conns; c != NULL; c = c->next) {
        for (int side = 0; side < 2; side++) {
            if (c->node[1 - side]->index == v->from && c->node[side]->index == v->to &&
                c->addr[1 - side].port == v->src_port && c->addr[side].port == v->dst_port) {
                *ret_side = side;
                return c;
            }
        }
    }
    return NULL;
}

/* A connection that a node asks for which does not run: nobody is at its end. */
static struct conn *conn_asked(struct world *w, const struct packet_view *v)
{
    struct conn *conn = HEAP_NEW(w->heap, struct conn);
    heap_mark(conn, HEAP_CONN);
    conn->id = id_new(w, w->nodes[v->from]);
    conn->node[0] = w->nodes[v->from];
    conn->node[1] = w->nodes[v->to];
    for (int i = 0; i < 2; i++) {
        conn->incarnation[i] = conn->node[i]->incarnation;
        conn->addr[i] = addr_of_node(conn->node[i], false);
    }
    conn->addr[0].port = v->src_port;
    conn->addr[1].port = v->dst_port;
    conn->message = message_rule(w, &conn->addr[1]);
    conn_add(w, conn);
    return conn;
}

int world_inject(struct world *w, const struct packet_view *v, struct err *err)
{
    int side = 0;
    struct conn *conn = v->conn != 0 ? conn_between(w, v, &side) : NULL;
    if (v->conn != 0 && v->kind == PK_SYN && conn == NULL) {
        conn = conn_asked(w, v);
        side = 1;
    }
    if (v->conn != 0 && conn == NULL) {
        return err_set(err, ERR_NOT_FOUND, 0, "there is no connection for a packet");
    }
    struct packet *p = net_packet(w, v->kind, v->bytes, v->n);
    p->part = v->part;
    clock_enter(w, w->nodes[v->from]);
    if (conn != NULL) {
        chan_put(w, conn, side, p);
    } else {
        struct rng own;
        p->from = w->nodes[v->from];
        p->to = w->nodes[v->to];
        p->src = addr_of_node(p->from, false);
        p->dst = addr_of_node(p->to, false);
        p->src.port = v->src_port;
        p->dst.port = v->dst_port;
        (void)launch(w, p, &own);
        put_datagram(w, p);
    }
    p->id = v->id;
    return 0;
}

/* Cuts the bytes of a packet into messages; an incomplete one waits for its rest. */
static void chan_cut(struct world *w, struct conn *conn, int to_side, const struct packet *p)
{
    struct chan *chan = &conn->chan[to_side];
    for (size_t at = 0; at < p->n;) {
        bool ended = false;
        size_t n = message_scan(conn->message, &chan->framer, p->bytes + at, p->n - at, &ended);
        if (chan->framer.broken) {
            w->counts.not_messages++;
            n = p->n - at;
            ended = true;
        }
        bytes_put(w, &chan->held, p->bytes + at, n);
        chan->bytes += n;
        at += n;
        if (ended) {
            chan_flush(w, conn, to_side, false);
        }
    }
    w->holding = w->holding || chan->held.n != 0;
}

/* Sends to one side of a connection, behind everything sent there before. */
void conn_send(struct world *w, struct conn *conn, int to_side, struct packet *p)
{
    struct chan *chan = &conn->chan[to_side];
    if (conn->message == NULL || conn->node[0] == conn->node[1] || chan->framer.broken ||
        p->kind == PK_WINDOW) {
        chan_put(w, conn, to_side, p);
    } else if (p->kind == PK_DATA && !p->urgent) {
        chan_cut(w, conn, to_side, p);
        net_free(w, p);
    } else {
        chan_flush(w, conn, to_side, true);
        chan_put(w, conn, to_side, p);
    }
}

void conn_flush_all(struct world *w)
{
    for (struct conn *c = w->holding ? w->conns : NULL; c != NULL; c = c->next) {
        for (int side = 0; side < 2; side++) {
            if (c->chan[side].held.n != 0) {
                clock_enter(w, c->node[1 - side]);
                chan_flush(w, c, side, true);
            }
        }
    }
    w->holding = false;
}

static struct packet *find_in(struct packet *list, uint64_t id)
{
    while (list != NULL && list->id != id) {
        list = list->next;
    }
    return list;
}

struct packet *net_find(const struct world *w, uint64_t id)
{
    struct packet *found = find_in(w->datagrams, id);
    for (struct conn *c = w->conns; found == NULL && c != NULL; c = c->next) {
        found = find_in(c->chan[0].head, id);
        found = found != NULL ? found : find_in(c->chan[1].head, id);
    }
    return found;
}

bool net_ready(const struct world *w, const struct packet *p)
{
    bool cut = w->cut[p->from->index * w->n_nodes + p->to->index] != 0;
    bool first = p->conn == NULL || p->conn->chan[p->side].head == p;
    return !cut && first && p->to->state != NODE_PAUSED;
}

static void chan_take(struct chan *chan, struct packet *p)
{
    struct packet *last = NULL;
    for (struct packet **at = &chan->head; *at != NULL;) {
        if (*at == p) {
            *at = p->next;
        } else {
            last = *at;
            at = &last->next;
        }
    }
    chan->tail = last;
    chan->bytes -= p->n;
}

void net_take(struct world *w, struct packet *p)
{
    if (p->conn != NULL && p->conn->chan[p->side].head == p) {
        struct chan *chan = &p->conn->chan[p->side];
        chan->head = p->next;
        chan->tail = chan->head == NULL ? NULL : chan->tail;
        chan->bytes -= p->n;
    } else if (p->conn != NULL) {
        chan_take(&p->conn->chan[p->side], p);
    } else {
        struct packet *last = NULL;
        for (struct packet **at = &w->datagrams; *at != NULL;) {
            if (*at == p) {
                *at = p->next;
            } else {
                last = *at;
                at = &(*at)->next;
            }
        }
        w->datagrams_tail = last;
    }
    p->next = NULL;
}

/* Of a connection the sender learns in time that there is room again, as if it had been read. */
void net_drop(struct world *w, struct packet *p)
{
    net_take(w, p);
    if (p->conn != NULL) {
        p->conn->chan[p->side].read += p->n;
    }
    net_free(w, p);
}

/* The receiver has no power, or no room for a connection: the sender will try again. */
static bool retry_later(struct world *w, struct packet *p)
{
    if (p->conn == NULL || (p->to->powered && !inet_must_wait(p))) {
        return false;
    }
    if (p->kind == PK_SYN && p->conn->end[0] == NULL) {
        return false; /* nobody asks any more */
    }
    if (p->tries >= RETRY_MOST || p->kind == PK_RST) {
        struct sock *s = p->conn->end[1 - p->side];
        if (s != NULL) {
            s->err = ETIMEDOUT;
            s->state = SOCK_CLOSED;
            file_changed(w, &s->f, true, true);
        }
        return false;
    }
    wait_more(w, p);
    return true;
}

void net_deliver(struct world *w, struct packet *p)
{
    hash_u64(w, p->id);
    if (retry_later(w, p)) {
        return;
    }
    net_take(w, p);
    show(w, p, false);
    if (p->to->powered) {
        sock_arrive(w, p);
    }
    net_free(w, p);
}

static void chan_clear(struct world *w, struct chan *chan)
{
    while (chan->head != NULL) {
        struct packet *p = chan->head;
        chan->head = p->next;
        show(w, p, false);
        net_free(w, p);
    }
    chan->tail = NULL;
    chan->bytes = 0;
}

/* A connection that is only being asked for waits on. */
static bool is_asking(const struct conn *c)
{
    return c->end[0] != NULL && c->end[0]->state == SOCK_CONNECTING && c->end[1] == NULL &&
           c->chan[1].head != NULL && c->chan[1].head->kind == PK_SYN;
}

void net_break(struct world *w, const struct node *a, const struct node *b)
{
    for (struct conn *c = w->conns; c != NULL; c = c->next) {
        bool between = (c->node[0] == a && c->node[1] == b) || (c->node[0] == b && c->node[1] == a);
        if (!between || is_asking(c)) {
            continue;
        }
        chan_clear(w, &c->chan[0]);
        chan_clear(w, &c->chan[1]);
        for (int side = 0; side < 2; side++) {
            if (c->end[side] != NULL) {
                sock_broken(w, c->end[side], ECONNRESET);
            }
        }
    }
}

/* ---- connections ---- */

void conn_gone(struct world *w, struct conn *conn, int side)
{
    (void)w;
    conn->end[side] = NULL;
}

size_t world_connections(const struct world *w, struct connection_view *ret_views, size_t cap)
{
    size_t n = 0;
    for (const struct conn *c = w->conns; c != NULL; c = c->next) {
        bool made = c->node[0] != c->node[1] && c->end[0] != NULL && c->end[1] != NULL &&
                    c->end[0]->state == SOCK_CONNECTED && c->end[1]->state == SOCK_CONNECTED;
        if (made && n++ < cap) {
            ret_views[n - 1] =
                (struct connection_view){c->node[0]->index, c->node[1]->index, c->addr[1].port};
        }
    }
    return n;
}

/* Frees connections without ends and packets. */
void conn_collect(struct world *w)
{
    struct conn **at = &w->conns;
    struct conn *last = NULL;
    while (*at != NULL) {
        struct conn *c = *at;
        if (c->end[0] == NULL && c->end[1] == NULL && c->chan[0].head == NULL &&
            c->chan[1].head == NULL) {
            *at = c->next;
            heap_free(w->heap, c);
        } else {
            last = c;
            at = &c->next;
        }
    }
    w->conns_tail = last;
}

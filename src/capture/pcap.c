/* Files of libpcap: packets to what the nodes' programs have seen. A packet of TCP belongs to the
 * stream of its connection; bytes are told in their order, each once: what comes again is left out,
 * what comes too early waits. A packet between two nodes of the list is told for both, sent first.
 *
 * What is lost (a hole that nobody fills within 256 packets of the connection) is a gap. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"
#include "capture/capture_int.h"

enum {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_RAW = 101,
    LINK_RAW_BSD = 12,
    LINK_LOOP = 108,
    LINK_SLL = 113,
    LINK_SLL2 = 276,
    PACKET_MOST = 1 << 18,
    WAITING_MOST = 256,
    CONNS_MOST = 4096,
    TCP_FIN = 1,
    TCP_SYN = 2,
    TCP_RST = 4,
    TCP_ACK = 16
};

/* Bytes that have come too early. */
struct early {
    uint32_t seq;
    uint8_t *bytes;
    size_t n, cap;
};
struct stream { /* one direction */
    uint32_t next, end;
    bool known, ends; /* with the byte before `end` */
    VEC(struct early) early;
};
struct tcp_conn {
    uint32_t ip[2];
    uint16_t port[2]; /* [0]: of the side that calls, if that was seen */
    uint64_t number;
    bool open, syn;
    struct stream way[2]; /* from [0], from [1] */
};

struct pcap_state {
    bool swapped, nanos;
    uint32_t link;
    VEC(struct tcp_conn) conns;
    VEC(struct capture_event) queue; /* to be told; bytes are offsets into `held` */
    size_t at;
    struct strbuf held;
    uint64_t numbers;
};

static uint32_t swap32(uint32_t v)
{
    return __builtin_bswap32(v);
}

static uint32_t be(const uint8_t *p, size_t n)
{
    uint32_t v = 0;
    for (size_t i = 0; i < n; i++) {
        v = v << 8 | p[i];
    }
    return v;
}

int pcap_begin(struct capture_reader *r, const uint8_t head[24], struct err *err)
{
    uint32_t magic = 0, link = 0;
    size_t cap = 0;
    memcpy(&magic, head, 4);
    memcpy(&link, head + 20, 4);
    bool plain = magic == 0xa1b2c3d4 || magic == 0xa1b23c4d;
    bool swapped = magic == 0xd4c3b2a1 || magic == 0x4d3cb2a1;
    if (!plain && !swapped) {
        return err_set(err, ERR_INVALID, 0, "no file of libpcap");
    }
    r->pcap = vec_grow(NULL, &cap, 1, sizeof *r->pcap);
    memset(r->pcap, 0, sizeof *r->pcap);
    r->pcap->swapped = swapped;
    r->pcap->nanos = magic == 0xa1b23c4d || magic == 0x4d3cb2a1;
    r->pcap->link = (swapped ? swap32(link) : link) & 0xffff;
    return 0;
}

static void stream_clear(struct stream *s)
{
    for (size_t i = 0; i < s->early.n; i++) {
        vec_release(s->early.v[i].bytes);
    }
    VEC_DONE(&s->early);
    *s = (struct stream){0};
}

void pcap_end(struct capture_reader *r)
{
    struct pcap_state *p = r->pcap;
    if (p == NULL) {
        return;
    }
    for (size_t i = 0; i < p->conns.n; i++) {
        stream_clear(&p->conns.v[i].way[0]);
        stream_clear(&p->conns.v[i].way[1]);
    }
    VEC_DONE(&p->conns);
    VEC_DONE(&p->queue);
    strbuf_done(&p->held);
    vec_release(p);
    r->pcap = NULL;
}

/* ---- what is told ---- */

struct packet {
    uint64_t time_ns;
    uint32_t ip[2]; /* from, to */
    uint16_t port[2];
    bool udp;
    uint32_t seq;
    uint8_t tcp;
    const uint8_t *bytes;
    size_t n;
};

static int node_at(const struct capture_reader *r, uint32_t ip)
{
    for (size_t i = 0; i < r->n_nodes; i++) {
        if (r->nodes[i].ip == ip && ip != 0) {
            return (int)i;
        }
    }
    return -1;
}

/* One event at one end of a packet: 0 is the side that has sent it. */
static void tell(struct capture_reader *r, const struct packet *k, const struct tcp_conn *c,
                 int side, enum capture_kind kind)
{
    struct pcap_state *p = r->pcap;
    int node = node_at(r, k->ip[side]);
    if (node < 0) {
        return;
    }
    bool caller = c != NULL && c->ip[0] == k->ip[side] && c->port[0] == k->port[side];
    bool bytes = kind == CAPTURE_SENT || kind == CAPTURE_RECEIVED;
    struct capture_event e = {
        .kind = (uint8_t)kind,
        .flags = (uint8_t)((k->udp ? CAPTURE_UDP : 0) | (caller ? CAPTURE_CALLER : 0)),
        .node = (uint16_t)node,
        .time_ns = k->time_ns,
        .conn = c != NULL ? c->number : 0,
        .local_ip = k->ip[side],
        .remote_ip = k->ip[1 - side],
        .local_port = k->port[side],
        .remote_port = k->port[1 - side],
        .n = bytes ? k->n : 0};
    if (bytes) {
        e.bytes = (const uint8_t *)NULL + p->held.n; /* NOLINT: an offset until it is told */
        strbuf_add(&p->held, (const char *)k->bytes, k->n);
    }
    VEC_PUSH(&p->queue, e);
}

static void tell_both(struct capture_reader *r, const struct packet *k, const struct tcp_conn *c,
                      enum capture_kind from, enum capture_kind to)
{
    tell(r, k, c, 0, from);
    tell(r, k, c, 1, to);
}

/* ---- streams ---- */

static void pass(struct capture_reader *r, struct packet *k, const struct tcp_conn *c,
                 struct stream *s)
{
    uint32_t skip = s->next - k->seq; /* bytes that were told before */
    if ((int32_t)skip < 0 || skip >= k->n) {
        return;
    }
    k->bytes += skip;
    k->n -= skip;
    s->next += (uint32_t)k->n;
    tell_both(r, k, c, CAPTURE_SENT, CAPTURE_RECEIVED);
}

/* Those that waited and fit now. */
static void pass_early(struct capture_reader *r, const struct packet *k, const struct tcp_conn *c,
                       struct stream *s)
{
    for (size_t i = 0; i < s->early.n;) {
        struct early *e = &s->early.v[i];
        if ((int32_t)(e->seq - s->next) > 0) {
            i++;
            continue;
        }
        struct packet later = *k;
        later.seq = e->seq;
        later.bytes = e->bytes;
        later.n = e->n;
        pass(r, &later, c, s);
        vec_release(e->bytes);
        s->early.v[i] = s->early.v[--s->early.n];
        i = 0;
    }
}

static void data(struct capture_reader *r, struct packet *k, const struct tcp_conn *c,
                 struct stream *s)
{
    if (!s->known) { /* it began before the capture */
        s->known = true;
        s->next = k->seq;
    }
    if ((int32_t)(k->seq - s->next) <= 0) {
        pass(r, k, c, s);
        pass_early(r, k, c, s);
        return;
    }
    struct early e = {.seq = k->seq, .n = k->n};
    e.bytes = vec_grow(NULL, &e.cap, k->n + 1, 1);
    memcpy(e.bytes, k->bytes, k->n);
    VEC_PUSH(&s->early, e);
    if (s->early.n > WAITING_MOST) { /* what is missing will not come */
        uint32_t first = s->early.v[0].seq;
        for (size_t i = 1; i < s->early.n; i++) {
            uint32_t seq = s->early.v[i].seq;
            first = (int32_t)(seq - first) < 0 ? seq : first;
        }
        tell_both(r, k, c, CAPTURE_GAP, CAPTURE_GAP);
        s->next = first;
        pass_early(r, k, c, s);
    }
}

static void conn_drop(struct pcap_state *p, struct tcp_conn *c)
{
    stream_clear(&c->way[0]);
    stream_clear(&c->way[1]);
    *c = p->conns.v[--p->conns.n];
}

/* Connections that are over, or never were one: of those that end nothing more is told. */
static void forget_closed(struct pcap_state *p)
{
    for (size_t i = p->conns.n; i-- > 0;) {
        if (!p->conns.v[i].open) {
            conn_drop(p, &p->conns.v[i]);
        }
    }
}

static struct tcp_conn *conn_of(struct pcap_state *p, const struct packet *k, int *ret_way)
{
    for (size_t i = p->conns.n; i-- > 0;) {
        struct tcp_conn *c = &p->conns.v[i];
        for (int way = 0; way < 2; way++) {
            if (c->ip[way] == k->ip[0] && c->port[way] == k->port[0] &&
                c->ip[1 - way] == k->ip[1] && c->port[1 - way] == k->port[1]) {
                *ret_way = way;
                return c;
            }
        }
    }
    if (p->conns.n >= CONNS_MOST) {
        forget_closed(p);
    }
    VEC_PUSH(
        &p->conns,
        (struct tcp_conn){
            .ip = {k->ip[0],   k->ip[1]  },
              .port = {k->port[0], k->port[1]},
              .number = ++p->numbers
    });
    *ret_way = 0;
    return &VEC_LAST(&p->conns);
}

/* By this packet. An end that came before bytes that it ends waits for them. */
static bool is_over(const struct packet *k, const struct stream *s, bool more)
{
    bool all = s->ends && (!s->known || (int32_t)(s->next - s->end) >= 0);
    return (k->tcp & TCP_RST) != 0 || (all && ((k->tcp & TCP_FIN) != 0 || more));
}

static void tcp(struct capture_reader *r, struct packet *k)
{
    struct pcap_state *p = r->pcap;
    int way = 0;
    struct tcp_conn *c = conn_of(p, k, &way);
    if ((k->tcp & TCP_SYN) && !(k->tcp & TCP_ACK)) {
        bool again = c->syn && !c->open && c->way[way].next == k->seq + 1;
        if (c->open) {
            tell_both(r, k, c, CAPTURE_CLOSED, CAPTURE_CLOSED);
        }
        if (!again) {
            conn_drop(p, c);
            c = conn_of(p, k, &way);
        }
        c->syn = true;
    }
    struct stream *s = &c->way[way];
    if ((k->tcp & TCP_SYN) && !c->open) { /* else it comes again */
        s->known = true;
        s->next = k->seq + 1;
        if (k->tcp & TCP_ACK) {
            c->open = true;
            tell_both(r, k, c, CAPTURE_OPENED, CAPTURE_OPENED);
        }
    }
    bool more = k->n != 0 && (!s->known || (int32_t)(k->seq + (uint32_t)k->n - s->next) > 0);
    if (k->tcp & TCP_FIN) {
        s->ends = true;
        s->end = k->seq + (uint32_t)k->n;
    }
    if (more) {
        if (!c->open) {
            c->open = true;
            tell_both(r, k, c, CAPTURE_OPENED, CAPTURE_OPENED);
        }
        data(r, k, c, s);
    }
    if (c->open && is_over(k, s, more)) {
        c->open = false;
        tell_both(r, k, c, CAPTURE_CLOSED, CAPTURE_CLOSED);
    }
    if (k->tcp & TCP_RST) {
        conn_drop(p, c);
    }
}

/* ---- packets ---- */

static void ip4(struct capture_reader *r, const uint8_t *b, size_t n, uint64_t time_ns)
{
    size_t head = n >= 20 ? (size_t)(b[0] & 15) * 4 : 0;
    if (n < 20 || b[0] >> 4 != 4 || head < 20 || head > n) {
        return;
    }
    size_t total = be(b + 2, 2);
    n = total >= head && total < n ? total : n; /* Ethernet pads; total 0: cut by the card */
    bool part = (be(b + 6, 2) & 0x3fff) != 0;   /* of a fragmented datagram */
    struct packet k = {
        .time_ns = time_ns, .ip = {be(b + 12, 4), be(b + 16, 4)}
    };
    const uint8_t *t = b + head;
    n -= head;
    if (part || n < 8) {
        return;
    }
    k.port[0] = (uint16_t)be(t, 2);
    k.port[1] = (uint16_t)be(t + 2, 2);
    if (b[9] == 17) {
        size_t size = be(t + 4, 2);
        k.udp = true;
        k.bytes = t + 8;
        k.n = (size >= 8 && size <= n ? size : n) - 8;
        tell_both(r, &k, NULL, CAPTURE_SENT, CAPTURE_RECEIVED);
    } else if (b[9] == 6 && n >= 20) {
        size_t own = (size_t)(t[12] >> 4) * 4;
        if (own < 20 || own > n) {
            return;
        }
        k.seq = be(t + 4, 4);
        k.tcp = t[13];
        k.bytes = t + own;
        k.n = n - own;
        tcp(r, &k);
    }
}

/* Where IPv4 begins; n: it is something else. */
static size_t skip_link(uint32_t link, const uint8_t *b, size_t n)
{
    size_t at = 14;
    switch (link) {
    case LINK_RAW:
    case LINK_RAW_BSD: return 0;
    case LINK_NULL:
    case LINK_LOOP: return n >= 4 ? 4 : n;
    case LINK_SLL: return n >= 16 && be(b + 14, 2) == 0x0800 ? 16 : n;
    case LINK_SLL2: return n >= 20 && be(b, 2) == 0x0800 ? 20 : n;
    case LINK_ETHERNET:
        if (n >= 18 && be(b + 12, 2) == 0x8100) {
            at = 18;
        }
        return n >= at && be(b + at - 2, 2) == 0x0800 ? at : n;
    default: return n;
    }
}

/* Reads packets until one tells something. */
int pcap_next(struct capture_reader *r, struct capture_event *ret, struct err *err)
{
    struct pcap_state *p = r->pcap;
    while (p->at == p->queue.n) {
        uint32_t head[4];
        p->at = p->queue.n = 0;
        strbuf_reset(&p->held);
        size_t got = fread(head, 1, sizeof head, r->file);
        if (got != sizeof head) {
            r->cut_off = got != 0;
            clearerr(r->file); /* it may be a stream that grows */
            return 0;
        }
        for (size_t i = 0; i < 4 && p->swapped; i++) {
            head[i] = swap32(head[i]);
        }
        if (head[2] > PACKET_MOST) {
            return err_set(err, ERR_INVALID, 0, "the file of libpcap is damaged");
        }
        strbuf_reset(&r->bytes);
        strbuf_reserve(&r->bytes, head[2] + 1);
        if (fread(r->bytes.p, 1, head[2], r->file) != head[2]) {
            r->cut_off = true;
            return 0;
        }
        uint64_t ns = head[0] * UINT64_C(1000000000) + head[1] * (p->nanos ? UINT64_C(1) : 1000);
        const uint8_t *b = (const uint8_t *)r->bytes.p;
        size_t at = skip_link(p->link, b, head[2]);
        if (at < head[2]) {
            ip4(r, b + at, head[2] - at, ns);
        }
    }
    *ret = p->queue.v[p->at++];
    ret->bytes = (const uint8_t *)p->held.p + (uintptr_t)ret->bytes;
    return 1;
}

/* Captured bytes to events. A connection belongs to a peer by its address, or, where all are on one
 * machine, by the port that was called or by what its messages say (`from` and `to` of
 * [[message]]). */
#include "monitor/feed.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"
#include "decode/decode.h"
#include "map/map.h"
#include "monitor/monitor.h"
#include "value/value.h"
#include "world/world.h"

enum { NOBODY = 0xfffe, SHOWN = 40, WAITING_BYTES_MOST = 1 << 26 };

struct link {
    uint64_t conn;
    uint32_t peer; /* of the monitor's nodes, or NOBODY: a client, or not known yet */
    uint32_t passed[2];
    struct strbuf part[2]; /* received, sent: bytes of a message that is not complete */
    bool opened;           /* it stands; what comes on others never reaches the program */
    bool broken;           /* by others: what has arrived may still be read */
    bool told;             /* the monitor knows that it stands */
    bool torn[2];          /* bytes were lost: where the next message begins is not known */
};

struct feed {
    struct feed_options o;
    struct decode *decode;
    struct decode_node *nodes;
    VEC(struct link) links;
    bool ended, gapped; /* gapped: connections may stand that were not seen to be made */
    struct feed_counts counts;
    uint64_t number;
};

int feed_new(const struct feed_options *options, struct feed **ret, struct err *err)
{
    size_t cap = 0, cap_nodes = 0, n = monitor_nodes(options->monitor);
    struct feed *f = vec_grow(NULL, &cap, 1, sizeof *f);
    memset(f, 0, sizeof *f);
    *ret = f;
    f->o = *options;
    f->nodes = vec_grow(NULL, &cap_nodes, n + 1, sizeof *f->nodes);
    for (size_t i = 0; i < n; i++) {
        f->nodes[i] = (struct decode_node){monitor_node_name(options->monitor, i),
                                           monitor_node_value(options->monitor, i)};
    }
    struct decode_options o = {.map = options->map,
                               .worker = monitor_worker(options->monitor),
                               .nodes = f->nodes,
                               .n_nodes = n,
                               .node_list = monitor_node_list(options->monitor)};
    return decode_new(&o, &f->decode, err);
}

static void link_clear(struct link *l)
{
    strbuf_done(&l->part[0]);
    strbuf_done(&l->part[1]);
}

void feed_free(struct feed *f)
{
    if (f == NULL) {
        return;
    }
    for (size_t i = 0; i < f->links.n; i++) {
        link_clear(&f->links.v[i]);
    }
    VEC_DONE(&f->links);
    decode_free(f->decode);
    vec_release(f->nodes);
    vec_release(f);
}

void feed_counts(const struct feed *f, struct feed_counts *ret)
{
    *ret = f->counts;
}

static int give(struct feed *f, struct monitor_event *e, const struct capture_event *c,
                struct err *err)
{
    e->time_ns = c->time_ns;
    e->place = f->number;
    if (f->o.each != NULL) {
        f->o.each(f->o.each_arg, e);
    }
    return monitor_event(f->o.monitor, e, err);
}

/* ---- connections ---- */

static uint32_t peer_by_address(const struct feed *f, const struct capture_event *c)
{
    bool caller = (c->flags & CAPTURE_CALLER) != 0 || (c->flags & CAPTURE_UDP) != 0;
    for (size_t i = 0; i < f->o.n_peers; i++) {
        const struct feed_peer *p = &f->o.peers[i];
        if (p->ip == c->remote_ip && (p->port == 0 || (caller && p->port == c->remote_port))) {
            return p->node;
        }
    }
    return NOBODY;
}

static struct link *link_of(struct feed *f, const struct capture_event *c)
{
    for (size_t i = 0; i < f->links.n; i++) {
        if (f->links.v[i].conn == c->conn) {
            return &f->links.v[i];
        }
    }
    VEC_PUSH(&f->links, (struct link){
                            .conn = c->conn,
                            .peer = peer_by_address(f, c),
                            .opened = f->gapped,
                            .torn = {f->gapped, f->gapped}
    });
    return &VEC_LAST(&f->links);
}

/* Connections with a peer that stand. */
static size_t standing(const struct feed *f, uint32_t peer)
{
    size_t n = 0;
    for (size_t i = 0; i < f->links.n; i++) {
        n += f->links.v[i].peer == peer && f->links.v[i].told ? 1 : 0;
    }
    return n;
}

static int link_up(struct feed *f, struct link *l, const struct capture_event *c, struct err *err)
{
    bool counts = l->peer != NOBODY && !l->broken &&
                  (!f->o.map->watch.calls || (c->flags & CAPTURE_CALLER) != 0);
    bool first = counts && !l->told && standing(f, l->peer) == 0;
    l->told = l->told || counts;
    struct monitor_event e = {.kind = MONITOR_UP, .peer = l->peer, .msg = VAL_UNDEF};
    return first ? give(f, &e, c, err) : 0;
}

static int link_open(struct feed *f, const struct capture_event *c, struct err *err)
{
    struct link *l = link_of(f, c);
    l->opened = true;
    l->torn[0] = l->torn[1] = false;
    return link_up(f, l, c, err);
}

static int link_down(struct feed *f, const struct capture_event *c, struct err *err)
{
    for (size_t i = 0; i < f->links.n; i++) {
        struct link l = f->links.v[i];
        if (l.conn != c->conn) {
            continue;
        }
        if (c->flags & CAPTURE_BROKEN) {
            f->links.v[i].broken = true;
            f->links.v[i].told = false;
        } else {
            link_clear(&f->links.v[i]);
            f->links.v[i] = f->links.v[--f->links.n];
        }
        struct monitor_event e = {.kind = MONITOR_DOWN, .peer = l.peer, .msg = VAL_UNDEF};
        return l.told && standing(f, l.peer) == 0 ? give(f, &e, c, err) : 0;
    }
    return 0;
}

/* ---- streams ---- */

static uint16_t called_port(const struct capture_event *c)
{
    bool caller = (c->flags & CAPTURE_CALLER) != 0;
    return (c->flags & CAPTURE_UDP) || caller ? c->remote_port : c->local_port;
}

static const struct world_message *framing(const struct feed *f, const struct capture_event *c)
{
    for (size_t i = 0; i < f->o.n_messages && !(c->flags & CAPTURE_UDP); i++) {
        const struct world_message *m = &f->o.messages[i];
        if (m->port == 0 || m->port == called_port(c)) {
            return m->end == MESSAGE_WRITE ? NULL : m;
        }
    }
    return NULL;
}

/* The size of the first message of these bytes; 0: it is not complete; SIZE_MAX: it cannot be. */
static size_t first_message(const struct world_message *m, struct str bytes)
{
    if (m->end == MESSAGE_TEXT) {
        const char *at = bytes.n != 0 ? memmem(bytes.p, bytes.n, m->text, m->text_n) : NULL;
        return at != NULL ? (size_t)(at - bytes.p) + m->text_n : 0;
    }
    uint64_t value = 0;
    size_t head = m->offset + (size_t)m->width;
    if (bytes.n < head) {
        return 0;
    }
    for (size_t i = 0; i < m->width; i++) {
        size_t at = m->offset + (m->little ? m->width - 1 - i : i);
        value = value << 8 | (uint8_t)bytes.p[at];
    }
    uint64_t size = value + (m->counts_all ? 0 : head) + (uint64_t)m->extra;
    if (size < head || size > WAITING_BYTES_MOST) {
        return SIZE_MAX;
    }
    return size <= bytes.n ? (size_t)size : 0;
}

/* ---- messages ---- */

static bool is_quiet(const struct feed *f, const struct capture_event *c)
{
    for (size_t i = 0; i < f->o.map->n_quiet_ports; i++) {
        uint16_t port = f->o.map->quiet_ports[i];
        if (port == c->local_port || port == c->remote_port) {
            return true;
        }
    }
    return false;
}

static int fits_nothing(struct feed *f, struct str bytes, struct strbuf *why, uint32_t peer,
                        bool sent, struct err *err)
{
    SCOPED_STRBUF hex = {0};
    for (size_t i = 0; i < bytes.n && i < SHOWN; i++) {
        strbuf_printf(&hex, "%02x", (unsigned char)bytes.p[i]);
    }
    return err_set(err, ERR_INVALID, 0,
                   "a message of %zu bytes %s %s fits no [[message]]: %s%s; %s", bytes.n,
                   sent ? "to" : "from", monitor_node_name(f->o.monitor, peer), strbuf_cstr(&hex),
                   bytes.n > SHOWN ? "..." : "", strbuf_cstr(why));
}

static uint32_t node_of(const struct feed *f, struct val v)
{
    size_t n = monitor_nodes(f->o.monitor);
    for (size_t i = 0; i < n; i++) {
        if (val_same(monitor_node_value(f->o.monitor, i), v)) {
            return (uint32_t)i;
        }
    }
    return NOBODY;
}

/* Values of nodes may have moved since the decoding was made. */
static void refresh(struct feed *f)
{
    size_t n = monitor_nodes(f->o.monitor);
    for (size_t i = 0; i < n; i++) {
        f->nodes[i].value = monitor_node_value(f->o.monitor, i);
    }
    decode_nodes_moved(f->decode, monitor_node_list(f->o.monitor));
}

static int message(struct feed *f, struct link *l, const struct capture_event *c, struct str bytes,
                   struct err *err)
{
    SCOPED_STRBUF why = {0};
    bool sent = c->kind == CAPTURE_SENT;
    struct val self = monitor_node_value(f->o.monitor, monitor_self(f->o.monitor));
    struct val other = l->peer != NOBODY ? monitor_node_value(f->o.monitor, l->peer) : VAL_UNDEF;
    struct decode_message about = {.src_port = sent ? c->local_port : c->remote_port,
                                   .dst_port = sent ? c->remote_port : c->local_port,
                                   .src = sent ? self : other,
                                   .dst = sent ? other : self,
                                   .inputs = !sent};
    struct val v = VAL_UNDEF;
    size_t table = 0;
    monitor_ready(f->o.monitor);
    refresh(f);
    int status = decode_bytes(f->decode, &about, bytes, &v, &table, &why, err);
    if (status < 0) {
        return status;
    }
    if (status == 1) {
        f->counts.ignored++;
        return l->peer == NOBODY || l->torn[sent]
                   ? 0
                   : fits_nothing(f, bytes, &why, l->peer, sent, err);
    }
    l->torn[sent] = false;
    struct str input = f->o.map->messages[table].input;
    struct monitor_event e = {.kind = sent ? MONITOR_SEND : MONITOR_RECEIVE, .msg = v};
    if (input.n != 0) {
        f->counts.inputs++;
        e.kind = MONITOR_INPUT;
        e.peer = MONITOR_ANY_PEER;
        e.action = monitor_action(f->o.monitor, input);
        return give(f, &e, c, err);
    }
    e.peer = node_of(f, sent ? about.dst : about.src);
    if (e.peer == NOBODY) {
        f->counts.ignored++;
        return 0;
    }
    f->counts.messages++;
    if (l->peer == NOBODY && !(c->flags & CAPTURE_UDP)) { /* now it is known whose this is */
        l->peer = e.peer;
        status = link_up(f, l, c, err);
        return status != 0 ? status : message(f, l, c, bytes, err); /* the value went meanwhile */
    }
    return status != 0 ? status : give(f, &e, c, err);
}

static int cut(struct feed *f, struct link *l, const struct capture_event *c, struct err *err)
{
    const struct world_message *m = framing(f, c);
    unsigned way = c->kind == CAPTURE_SENT ? 1 : 0;
    bool by_caller = ((c->flags & CAPTURE_CALLER) != 0) == (way == 1);
    struct strbuf *part = &l->part[way];
    struct str rest = {(const char *)c->bytes, c->n};
    int status = 0;
    if (part->n != 0) {
        strbuf_add(part, rest.p, rest.n);
        rest = strbuf_str(part);
    }
    uint64_t conn = l->conn;
    while (status == 0 && rest.n != 0) {
        size_t n = m == NULL ? rest.n : first_message(m, rest);
        if (n == SIZE_MAX && (l->peer == NOBODY || l->torn[way])) {
            rest.n = 0; /* a client that talks of something else, or the middle of a message */
            break;
        }
        if (n == SIZE_MAX) {
            return err_set(err, ERR_INVALID, 0,
                           "the stream %s %s cannot be cut into messages as the cluster file says",
                           way == 1 ? "to" : "from", monitor_node_name(f->o.monitor, l->peer));
        }
        if (n == 0) {
            break;
        }
        bool greets = by_caller && l->passed[way]++ < f->o.map->handshake;
        status = greets ? 0 : message(f, l, c, (struct str){rest.p, n}, err);
        rest.p += n;
        rest.n -= n;
    }
    SCOPED_STRBUF left = {0};
    strbuf_add(&left, rest.p, rest.n);
    l = link_of(f, c);
    (void)conn;
    strbuf_reset(&l->part[way]);
    strbuf_add(&l->part[way], left.p, left.n);
    return status;
}

static int bytes(struct feed *f, const struct capture_event *c, struct err *err)
{
    f->counts.bytes += c->n;
    if (is_quiet(f, c)) {
        return 0;
    }
    if (c->flags & CAPTURE_UDP) {
        struct link one = {.peer = peer_by_address(f, c)};
        return message(f, &one, c, (struct str){(const char *)c->bytes, c->n}, err);
    }
    struct link *l = link_of(f, c);
    int status = l->opened ? link_up(f, l, c, err) : 0;
    return status != 0 || !l->opened ? status : cut(f, l, c, err);
}

static int plain(struct feed *f, enum monitor_kind kind, const struct capture_event *c,
                 struct err *err)
{
    struct monitor_event e = {.kind = kind, .peer = MONITOR_ANY_PEER, .msg = VAL_UNDEF};
    return give(f, &e, c, err);
}

/* Something was lost. A message may begin with the next bytes, or later. */
static int gap(struct feed *f, const struct capture_event *c, struct err *err)
{
    for (size_t i = 0; i < f->links.n; i++) {
        struct link *l = &f->links.v[i];
        link_clear(l);
        l->torn[0] = l->torn[1] = true;
        l->opened = true;
    }
    f->gapped = true;
    struct monitor_event e = {.kind = MONITOR_GAP, .peer = MONITOR_ANY_PEER, .msg = VAL_UNDEF};
    return give(f, &e, c, err);
}

/* What a process does that is not there shows that it was started unseen. */
static int alive(struct feed *f, const struct capture_event *c, struct err *err)
{
    if (!f->ended || !f->gapped) {
        return 0;
    }
    f->ended = false;
    return plain(f, MONITOR_RESTART, c, err);
}

int feed_event(struct feed *f, const struct capture_event *c, struct err *err)
{
    f->number++;
    bool acts = c->kind == CAPTURE_SENT || c->kind == CAPTURE_RECEIVED || c->kind == CAPTURE_OPENED;
    int status = acts ? alive(f, c, err) : 0;
    if (status != 0) {
        return status;
    }
    switch ((enum capture_kind)c->kind) {
    case CAPTURE_SENT:
    case CAPTURE_RECEIVED: return f->ended ? 0 : bytes(f, c, err);
    case CAPTURE_OPENED: return f->ended || is_quiet(f, c) ? 0 : link_open(f, c, err);
    case CAPTURE_CLOSED: return link_down(f, c, err);
    case CAPTURE_SYNCED: return f->o.map->watch.synced != NULL ? plain(f, MONITOR_SYNC, c, err) : 0;
    case CAPTURE_GAP: return gap(f, c, err);
    case CAPTURE_ENDED:
        for (size_t i = 0; i < f->links.n; i++) {
            link_clear(&f->links.v[i]);
        }
        f->links.n = 0;
        f->ended = true;
        f->gapped = false;
        return plain(f, MONITOR_CRASH, c, err);
    case CAPTURE_STARTED:
        if (!f->ended) {
            return 0;
        }
        f->ended = false;
        return plain(f, MONITOR_RESTART, c, err);
    case CAPTURE_KINDS: break;
    }
    return 0;
}

/* The events that a space has: what they are called, where they happen, and which the bounds allow.
 *
 * The world has the events that come by themselves; faults are added here, as far as the bounds
 * allow. Bounds are counted for each node, so that what one node may still do does not depend on
 * another. Packets have names by channel and number, timers by thread, so an event keeps its name
 * wherever else something happens meanwhile. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/space.h"
#include "explore/space_int.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/failure.h"
#include "world/world.h"

enum { EVENTS_FIRST = 64 };

static bool same_pair(const struct cluster_apart *pair, const char *a, const char *b)
{
    return (strcmp(pair->a, a) == 0 && strcmp(pair->b, b) == 0) ||
           (strcmp(pair->a, b) == 0 && strcmp(pair->b, a) == 0);
}

bool xevent_dependent(const struct cluster *cluster, const struct xevent *a, const struct xevent *b)
{
    bool meet = a->node[0] == b->node[0] || a->node[0] == b->node[1] || a->node[1] == b->node[0] ||
                a->node[1] == b->node[1];
    if (!meet || a->name == b->name || a->thread[0] == '\0' || b->thread[0] == '\0') {
        return meet;
    }
    const struct cluster_explore *x = &cluster->explore;
    for (size_t i = 0; i < x->n_apart; i++) {
        if (same_pair(&x->apart[i], a->thread, b->thread)) {
            return false;
        }
    }
    return true;
}

bool xevent_is_fault(const struct xevent *event)
{
    enum event_kind kind = event->event.kind;
    return kind != EV_DELIVER && kind != EV_TIMER && kind != EV_START && kind != EV_THREAD;
}

void xevent_print(const struct cluster *cluster, const struct xevent *event, struct strbuf *out)
{
    if (event->event.kind == EV_TIMER && event->thread[0] != '\0') {
        strbuf_printf(out, "timer %s (%s)", cluster->nodes[event->event.node].name, event->thread);
    } else {
        event_print(cluster, &event->event, out);
    }
}

uint64_t space_chan(const struct packet_view *p)
{
    if (p->conn == 0) {
        return 0;
    }
    uint64_t from = (uint64_t)p->src_ip << 16 | p->src_port;
    uint64_t to = (uint64_t)p->dst_ip << 16 | p->dst_port;
    uint64_t chan = hash_combine(hash_mix(from + 1), to);
    return chan != 0 ? chan : 1;
}

uint64_t space_data(const struct packet_view *p)
{
    uint64_t ports = (uint64_t)p->src_port << 16 | p->dst_port;
    return hash_bytes(p->bytes, p->n, hash_combine(ports, (uint64_t)p->kind));
}

/* What it is called, and where it happens. */
struct xevent space_named(struct space *s, struct event event)
{
    struct xevent x = {
        .event = event, .node = {event.node, event.node}
    };
    x.event.order = 0;
    x.event.at_ns = s->o.dependent ? event.at_ns : 0;
    uint64_t arg = event.kind == EV_THREAD ? 0 : (uint64_t)event.arg;
    x.name = hash_combine((uint64_t)event.kind + 1, event.id);
    x.name = hash_combine(x.name, (uint64_t)event.node << 32 | event.peer);
    x.name = hash_combine(x.name, arg);
    struct packet_view p;
    switch (event.kind) {
    case EV_DELIVER:
    case EV_DROP:
    case EV_DUPLICATE:
        if (world_packet(s->world, event.id, &p)) {
            x.chan = space_chan(&p);
            x.data = space_data(&p);
        }
        break;
    case EV_TIMER:
    case EV_THREAD: {
        const char *name = world_thread_name(s->world, event.node, event.id);
        size_t n = strnlen(name, sizeof x.thread - 1);
        memcpy(x.thread, event.kind == EV_TIMER ? name : "", event.kind == EV_TIMER ? n : 0);
        break;
    }
    case EV_CUT: /* the receiver would notice */
    case EV_HEAL: x.node[0] = x.node[1] = event.peer; break;
    case EV_RESET: x.node[1] = event.peer; break;
    default: break;
    }
    return x;
}

/* How often something of a kind has happened at a node. */
static uint32_t times(const struct space *s, uint32_t node, enum event_kind kind)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s->steps.n; i++) {
        const struct xevent *x = &s->steps.v[i].event;
        n += x->event.kind == kind && x->node[0] == node ? 1 : 0;
    }
    return n;
}

static uint32_t events_of(const struct space *s, uint32_t node)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s->steps.n; i++) {
        const struct xevent *x = &s->steps.v[i].event;
        n += x->node[0] == node || x->node[1] == node ? 1 : 0;
    }
    return n;
}

uint32_t space_changes(const struct space *s, uint32_t node)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s->steps.n; i++) {
        const struct xevent *x = &s->steps.v[i].event;
        n += x->event.kind == EV_THREAD && x->event.node == node && x->data != 0 ? 1 : 0;
    }
    return n;
}

bool space_within(const struct space *s, const struct xevent *x)
{
    const struct cluster_explore *b = &s->cluster->explore;
    uint32_t node = x->node[0];
    if (events_of(s, node) >= b->depth ||
        (x->node[1] != node && events_of(s, x->node[1]) >= b->depth)) {
        return false;
    }
    if (x->event.kind == EV_START && s->cluster->nodes[node].client) {
        uint32_t nth = 0;
        for (uint32_t i = 0; i < node; i++) {
            nth += s->cluster->nodes[i].client ? 1 : 0;
        }
        return nth < b->operations;
    }
    return x->event.kind != EV_TIMER || times(s, node, EV_TIMER) < b->timers;
}

static void add(struct space *s, struct event event)
{
    struct xevent x = space_named(s, event);
    if (world_enabled(s->world, &x.event)) {
        if (space_within(s, &x)) {
            VEC_PUSH(&s->events, x);
        } else if (event.kind == EV_DELIVER) {
            VEC_PUSH(&s->unmet, x);
        }
    }
}

/* Something that lasts, and its end. */
static void add_pair(struct space *s, struct event begin, enum event_kind undo, uint32_t most)
{
    uint32_t node = begin.kind == EV_CUT ? begin.peer : begin.node;
    struct event end = begin;
    end.kind = undo;
    end.arg = 0;
    bool lasts = begin.kind == EV_CUT ? world_is_cut(s->world, begin.node, begin.peer)
                                      : times(s, node, begin.kind) > times(s, node, undo);
    if (lasts) {
        add(s, end);
    } else if (times(s, node, begin.kind) < most) {
        add(s, begin);
    }
}

static void add_faults_of(struct space *s, uint32_t i)
{
    const struct cluster_explore *b = &s->cluster->explore;
    uint32_t ends = times(s, i, EV_KILL) + times(s, i, EV_CRASH);
    if (ends > times(s, i, EV_RESTART)) {
        add(s, (struct event){.kind = EV_RESTART, .node = i, .peer = i});
    } else {
        if (times(s, i, EV_KILL) < b->kills) {
            add(s, (struct event){.kind = EV_KILL, .node = i, .peer = i});
        }
        for (int keep = CRASH_KEEP_NONE;
             times(s, i, EV_CRASH) < b->crashes && keep <= CRASH_KEEP_RANDOM; keep++) {
            if ((b->survives >> keep & 1) != 0) {
                add(s, (struct event){.kind = EV_CRASH, .node = i, .peer = i, .arg = keep});
            }
        }
    }
    if (b->pauses != 0) {
        add_pair(s, (struct event){.kind = EV_PAUSE, .node = i, .peer = i}, EV_RESUME, b->pauses);
    }
    for (uint32_t k = 0; k < s->cluster->n_nodes; k++) {
        if (k == i || s->cluster->nodes[k].client) {
            continue;
        }
        if (b->cuts != 0) {
            add_pair(s, (struct event){.kind = EV_CUT, .node = k, .peer = i}, EV_HEAL, b->cuts);
        }
        if (k > i && times(s, i, EV_RESET) < b->resets) {
            add(s, (struct event){.kind = EV_RESET, .node = i, .peer = k});
        }
    }
}

static void add_datagram_faults(struct space *s)
{
    const struct cluster_explore *b = &s->cluster->explore;
    size_t n = b->drops != 0 || b->duplicates != 0 ? s->events.n : 0;
    for (size_t i = 0; i < n; i++) {
        struct event event = s->events.v[i].event;
        if (event.kind != EV_DELIVER || s->events.v[i].chan != 0) {
            continue;
        }
        if (times(s, event.node, EV_DROP) < b->drops) {
            event.kind = EV_DROP;
            add(s, event);
        }
        if (times(s, event.node, EV_DUPLICATE) < b->duplicates) {
            event.kind = EV_DUPLICATE;
            add(s, event);
        }
    }
}

static int by_name(const void *pa, const void *pb)
{
    const struct xevent *a = pa, *b = pb;
    uint64_t ka[] = {a->node[0],    (uint64_t)a->event.kind, a->event.id,
                     a->event.peer, (uint64_t)a->event.arg,  a->name};
    uint64_t kb[] = {b->node[0],    (uint64_t)b->event.kind, b->event.id,
                     b->event.peer, (uint64_t)b->event.arg,  b->name};
    for (size_t i = 0; i < sizeof ka / sizeof ka[0]; i++) {
        if (ka[i] != kb[i]) {
            return ka[i] < kb[i] ? -1 : 1;
        }
    }
    return 0;
}

/* What comes by itself, all of it. */
static size_t list_due(struct space *s)
{
    VEC_RESERVE(&s->due, EVENTS_FIRST);
    size_t n = world_events(s->world, s->due.v, s->due.cap);
    if (n > s->due.cap) {
        VEC_RESERVE(&s->due, n);
        n = world_events(s->world, s->due.v, s->due.cap);
    }
    s->due.n = n;
    return n;
}

static void list_events(struct space *s)
{
    s->events.n = 0;
    s->unmet.n = 0;
    s->listed = true;
    if (s->oracle.failure.kind != FAILURE_NONE && !s->o.past) {
        return;
    }
    size_t n = list_due(s);
    const struct event *list = s->due.v;
    bool choosing = s->settled == SETTLE_CHOICE;
    for (size_t i = 0; i < n; i++) {
        bool thread = list[i].kind == EV_THREAD;
        if (thread && choosing) {
            struct xevent x = space_named(s, list[i]);
            x.data = list[i].order; /* 0: the one that would run anyway */
            VEC_PUSH(&s->events, x);
        } else if (!choosing && !thread) {
            add(s, list[i]);
        }
    }
    if (!choosing) {
        add_datagram_faults(s);
        for (uint32_t i = 0; i < s->cluster->n_nodes; i++) {
            if (!s->cluster->nodes[i].client) {
                add_faults_of(s, i);
            }
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->events.n; i++) {
        const struct xevent *x = &s->events.v[i];
        bool ours = space_inside(s, x->node[0]) && space_inside(s, x->node[1]);
        ours = ours && (x->event.kind != EV_DELIVER || space_inside(s, x->event.peer));
        if (ours) {
            s->events.v[kept++] = *x;
        }
    }
    s->events.n = kept;
    if (s->events.n != 0) {
        qsort(s->events.v, s->events.n, sizeof s->events.v[0], by_name);
    }
}

size_t space_events(struct space *s, const struct xevent **ret)
{
    if (!s->listed) {
        list_events(s);
    }
    *ret = s->events.v;
    return s->events.n;
}

size_t space_unmet(const struct space *s, const struct xevent **ret)
{
    *ret = s->unmet.v;
    return s->unmet.n;
}

/* VectorClocks: a log in causal order.
 *
 * The events of one node are ordered by the node's own entry in the clock. An event waits for the
 * events that its clock knows of and the node's earlier events did not. Events that wait for
 * nothing are taken in turns, one of each node. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/native_int.h"

struct event {
    struct val entry, clock, hosts; /* hosts: the nodes of the clock, a canonical set */
    int64_t time;                   /* of its own node */
    uint32_t waits;                 /* events that must come first and are not yet out */
};

struct node_log {
    struct event **events; /* by time */
    size_t n, next;
};

struct causality {
    struct ev *ev;
    struct val nodes; /* canonical set */
    struct node_log *logs;
    struct event **first, **second; /* [nwait] the second waits for the first */
    size_t nwait, cap;
};

static int64_t need_time(struct ev *ev, struct val clock, struct val node)
{
    int64_t time = 0;
    struct val v = fcn_apply(ev_vctx(ev), clock, node);
    if (!val_is_int(v) || !int_to_i64(v, &time)) {
        native_fail_argument(ev, "second", "CausalOrder", "operator that gives a clock of numbers",
                             clock);
    }
    return time;
}

static struct node_log *log_of(struct causality *c, struct val node)
{
    const struct vobj *nodes = val_obj(c->nodes);
    for (uint32_t i = 0; i < nodes->n; i++) {
        if (val_equal(ev_vctx(c->ev), nodes->v[i], node)) {
            return &c->logs[i];
        }
    }
    struct vctx *ctx = ev_vctx(c->ev);
    vctx_fail(
        ctx, 0,
        "In computing CausalOrder, a clock knows of the node\n%s\nwhich has no entry in the log.",
        val_ppr(ctx, node));
}

/* Sorts every entry into its node's log. */
static void read_log(struct causality *c, const struct vobj *log, const struct val *args)
{
    struct vctx *ctx = ev_vctx(c->ev);
    struct val *node = arena_alloc(ctx->arena, (log->n + (size_t)1) * sizeof *node);
    for (uint32_t i = 0; i < log->n; i++) {
        node[i] = native_call1(c->ev, args[2], log->v[i]);
    }
    c->nodes = set_make(ctx, node, log->n);
    c->logs = arena_zalloc(ctx->arena, (val_obj(c->nodes)->n + (size_t)1) * sizeof *c->logs);
    for (uint32_t i = 0; i < log->n; i++) {
        struct event *event = arena_zalloc(ctx->arena, sizeof *event);
        event->entry = log->v[i];
        event->clock = native_call1(c->ev, args[1], log->v[i]);
        event->time = need_time(c->ev, event->clock, node[i]);
        event->hosts = set_force(ctx, native_call1(c->ev, args[3], event->clock));
        struct node_log *own = log_of(c, node[i]);
        if (own->events == NULL) {
            own->events = (struct event **)arena_alloc(ctx->arena, log->n * sizeof(struct event *));
        }
        size_t at = own->n++;
        for (; at > 0 && own->events[at - 1]->time > event->time; at--) {
            own->events[at] = own->events[at - 1];
        }
        own->events[at] = event;
    }
}

static void add_wait(struct causality *c, struct event *first, struct event *second)
{
    if (c->nwait == c->cap) {
        size_t cap = c->cap * 2 + 64;
        struct event **grown =
            (struct event **)arena_alloc(ev_vctx(c->ev)->arena, 2 * cap * sizeof(struct event *));
        for (size_t i = 0; i < c->nwait; i++) {
            grown[i] = c->first[i];
            grown[cap + i] = c->second[i];
        }
        c->first = grown;
        c->second = grown + cap;
        c->cap = cap;
    }
    c->first[c->nwait] = first;
    c->second[c->nwait++] = second;
    second->waits++;
}

static void find_waits(struct causality *c, uint32_t host)
{
    struct vctx *ctx = ev_vctx(c->ev);
    struct node_log *own = &c->logs[host];
    int64_t *known = arena_zalloc(ctx->arena, (val_obj(c->nodes)->n + (size_t)1) * sizeof *known);
    for (size_t i = 0; i < own->n; i++) {
        struct event *event = own->events[i];
        known[host] = event->time;
        const struct vobj *hosts = val_obj(event->hosts);
        for (uint32_t k = 0; k < hosts->n; k++) {
            struct node_log *other = log_of(c, hosts->v[k]);
            int64_t time = need_time(c->ev, event->clock, hosts->v[k]);
            if (known[other - c->logs] >= time) {
                continue;
            }
            known[other - c->logs] = time;
            if (time < 1 || (uint64_t)time > other->n) {
                vctx_fail(ctx, 0,
                          "In computing CausalOrder, the log lacks event %lld of the node\n%s",
                          (long long)time, val_ppr(ctx, hosts->v[k]));
            }
            add_wait(c, other->events[time - 1], event);
        }
    }
}

static void release(struct causality *c, const struct event *done)
{
    for (size_t i = 0; i < c->nwait; i++) {
        c->second[i]->waits -= c->first[i] == done;
    }
}

struct val native_causal_order(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *log = native_need_seq(ev, args[0], "first", "CausalOrder");
    struct causality c = {.ev = ev};
    read_log(&c, log, args);
    uint32_t nodes = val_obj(c.nodes)->n;
    for (uint32_t host = 0; host < nodes; host++) {
        find_waits(&c, host);
    }
    struct vals order;
    native_vals_init(&order, ev, log->n);
    for (bool moved = true; moved && order.n < log->n;) {
        moved = false;
        for (uint32_t host = 0; host < nodes; host++) {
            struct node_log *own = &c.logs[host];
            if (own->next < own->n && own->events[own->next]->waits == 0) {
                struct event *event = own->events[own->next++];
                native_push(&order, event->entry);
                release(&c, event);
                moved = true;
            }
        }
        vctx_poll(ctx);
    }
    if (order.n < log->n) {
        vctx_fail(ctx, 0, "In computing CausalOrder, the clocks of the log contradict each other.");
    }
    return tuple_make(ctx, order.v, order.n);
}

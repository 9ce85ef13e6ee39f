/* Records to events. A record that was lost is noticed by its number, at the place where it was
 * lost; what cannot be put together any more is left out behind it. */
#include "tap/turn.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"
#include "tap/record.h"

enum { CPUS_MOST = 4096 };

void turn_done(struct turn *t)
{
    for (size_t i = 0; i < t->calls.n; i++) {
        strbuf_done(&t->calls.v[i].bytes);
    }
    VEC_DONE(&t->seq);
    VEC_DONE(&t->calls);
    VEC_DONE(&t->old);
    VEC_DONE(&t->pids);
    VEC_DONE(&t->ports);
    VEC_DONE(&t->queue);
}

static void tell(struct turn *t, struct capture_event e)
{
    e.time_ns = t->now_ns;
    VEC_PUSH(&t->queue, e);
}

void turn_gap(struct turn *t)
{
    t->gaps++;
    tell(t, (struct capture_event){.kind = CAPTURE_GAP});
}

bool turn_next(struct turn *t, struct capture_event *ret)
{
    if (t->at == t->queue.n) {
        t->at = t->queue.n = 0;
        return false;
    }
    *ret = t->queue.v[t->at++];
    return true;
}

/* ---- processes ---- */

static size_t place_of(const struct turn *t, uint32_t pid)
{
    size_t i = 0;
    while (i < t->pids.n && t->pids.v[i] != pid) {
        i++;
    }
    return i;
}

void turn_process(struct turn *t, uint32_t pid)
{
    if (place_of(t, pid) == t->pids.n) {
        VEC_PUSH(&t->pids, pid);
    }
    t->ran = true;
}

bool turn_over(const struct turn *t)
{
    return t->ran && t->pids.n == 0;
}

static void process_is(struct turn *t, uint32_t pid)
{
    if (t->pids.n == 0) {
        tell(t, (struct capture_event){.kind = CAPTURE_STARTED});
    }
    turn_process(t, pid);
}

static void process_ends(struct turn *t, uint32_t pid)
{
    size_t at = place_of(t, pid);
    if (at == t->pids.n) {
        return;
    }
    t->pids.v[at] = t->pids.v[--t->pids.n];
    if (t->pids.n == 0) {
        t->old.n = 0;
        tell(t, (struct capture_event){.kind = CAPTURE_ENDED});
    }
}

/* ---- connections ---- */

void turn_listens(struct turn *t, uint16_t port)
{
    VEC_PUSH(&t->ports, port);
}

static bool listens(const struct turn *t, uint16_t port)
{
    for (size_t i = 0; i < t->ports.n; i++) {
        if (t->ports.v[i] == port) {
            return true;
        }
    }
    return false;
}

void turn_connection(struct turn *t, struct turn_old c)
{
    struct capture_event e = {.kind = CAPTURE_OPENED,
                              .flags = listens(t, c.local_port) ? 0 : CAPTURE_CALLER,
                              .conn = c.conn,
                              .local_ip = c.local_ip,
                              .remote_ip = c.remote_ip,
                              .local_port = c.local_port,
                              .remote_port = c.remote_port};
    VEC_PUSH(&t->old, c);
    tell(t, e);
}

static struct capture_event event_of(const struct turn *t, const struct tap_record *r,
                                     enum capture_kind kind)
{
    bool caller = (r->flags & RECORD_CALLER) != 0 ||
                  ((r->flags & RECORD_FOUND) != 0 && !listens(t, r->local_port));
    return (struct capture_event){
        .kind = (uint8_t)kind,
        .flags = (uint8_t)((caller ? CAPTURE_CALLER : 0) |
                           ((r->flags & RECORD_BROKEN) != 0 ? CAPTURE_BROKEN : 0)),
        .conn = r->conn,
        .local_ip = ntohl(r->local_ip),
        .remote_ip = ntohl(r->remote_ip),
        .local_port = r->local_port,
        .remote_port = ntohs(r->remote_port)};
}

/* One that was there before the programs were is known by its ends; one that is seen for the first
 * time is told as open. */
static void found(struct turn *t, struct capture_event *e)
{
    for (size_t i = 0; i < t->old.n; i++) {
        const struct turn_old *c = &t->old.v[i];
        if (c->local_ip == e->local_ip && c->local_port == e->local_port &&
            c->remote_ip == e->remote_ip && c->remote_port == e->remote_port) {
            uint64_t conn = c->conn;
            if (e->kind == CAPTURE_CLOSED && (e->flags & CAPTURE_BROKEN) == 0) {
                t->old.v[i] = t->old.v[--t->old.n];
            }
            e->conn = conn;
            return;
        }
    }
    if (e->kind == CAPTURE_CLOSED) {
        return;
    }
    struct turn_old c = {.local_ip = e->local_ip,
                         .remote_ip = e->remote_ip,
                         .local_port = e->local_port,
                         .remote_port = e->remote_port,
                         .conn = e->conn};
    turn_connection(t, c);
}

static struct turn_call *call_of(struct turn *t, const struct tap_record *r)
{
    size_t at = (size_t)r->cpu * 2 + (r->kind == RECORD_SENT ? 1 : 0);
    while (t->calls.n <= at) {
        VEC_PUSH(&t->calls, (struct turn_call){0});
    }
    return &t->calls.v[at];
}

static void bytes(struct turn *t, const struct tap_record *r)
{
    struct capture_event e =
        event_of(t, r, r->kind == RECORD_SENT ? CAPTURE_SENT : CAPTURE_RECEIVED);
    struct turn_call *call = call_of(t, r);
    process_is(t, r->tgid); /* one that was moved into the cgroup as it ran */
    if (r->flags & RECORD_FOUND) {
        found(t, &e);
    }
    if (r->flags & RECORD_UNSEEN) {
        call->on = false;
        turn_gap(t);
        return;
    }
    if (r->part == 0) {
        strbuf_reset(&call->bytes);
        call->on = true;
    }
    if (!call->on || call->bytes.n != r->part || r->len > CAPTURE_BYTES_MAX) {
        call->on = false; /* its beginning was lost, which was told */
        return;
    }
    bool whole = r->part == 0 && r->got == r->len;
    if (!whole) {
        strbuf_add(&call->bytes, (const char *)r->bytes, r->got);
    }
    if (whole || call->bytes.n == r->len) {
        e.bytes = whole ? r->bytes : (const uint8_t *)call->bytes.p;
        e.n = r->len;
        tell(t, e);
        call->on = false;
    }
}

static void connection(struct turn *t, const struct tap_record *r)
{
    if (r->net != 0 && t->net != 0 && r->net != t->net) {
        return;
    }
    struct capture_event e =
        event_of(t, r, r->kind == RECORD_OPENED ? CAPTURE_OPENED : CAPTURE_CLOSED);
    if (r->flags & RECORD_FOUND) {
        found(t, &e);
    }
    tell(t, e);
}

/* ---- what was lost ---- */

static void check_seq(struct turn *t, const struct tap_record *r)
{
    size_t at = (size_t)r->cpu * PROGRAMS + r->program;
    while (t->seq.n <= at) {
        VEC_PUSH(&t->seq, 0);
    }
    uint64_t want = t->seq.v[at] + 1;
    t->seq.v[at] = r->seq;
    if (r->seq != want) {
        t->missed += r->seq - want;
        turn_gap(t);
    }
}

void turn_record(struct turn *t, const struct tap_record *r)
{
    if (r->cpu >= CPUS_MOST || r->program >= PROGRAMS || r->got > RECORD_BYTES_MOST) {
        return; /* none of ours */
    }
    t->now_ns = r->time_ns;
    check_seq(t, r);
    switch ((enum tap_record_kind)r->kind) {
    case RECORD_SENT:
    case RECORD_RECEIVED: bytes(t, r); break;
    case RECORD_OPENED:
    case RECORD_CLOSED: connection(t, r); break;
    case RECORD_FORKED:
    case RECORD_RUNS: process_is(t, r->tgid); break;
    case RECORD_ENDED: process_ends(t, r->tgid); break;
    case RECORD_SYNCED: tell(t, (struct capture_event){.kind = CAPTURE_SYNCED}); break;
    case RECORD_KINDS: break;
    }
}

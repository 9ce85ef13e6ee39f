/* One of the ways to look, behind one interface. */
#include "tap/tap.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"
#include "tap/ebpf.h"
#include "tap/packets.h"
#include "tap/record.h"
#include "tap/target.h"
#include "tap/turn.h"

enum { RING_BYTES = 1 << 24, LOOK_AT_MISSED = 4096 };

struct tap {
    struct tap_options o;
    struct ebpf *ebpf;
    struct packets *packets;
    struct turn turn;
    bool from_start;
    uint64_t records, bytes, missed; /* missed: by the kernel's count */
    unsigned since;                  /* records since that count was looked at */
};

static size_t ring_bytes(const struct tap_options *o)
{
    return o->ring_bytes != 0 ? o->ring_bytes : RING_BYTES;
}

static int find_target(const struct tap_options *o, struct target *ret, struct err *err)
{
    return o->cgroup != NULL ? target_of_cgroup(o->cgroup, ret, err)
                             : target_of_pid(o->pid, ret, err);
}

/* Ports and connections are read after the programs look: what is made meanwhile is seen twice
 * rather than never. */
static int tell_target(struct tap *t, struct target *target, struct err *err)
{
    int status = 0;
    t->turn.net = target->net;
    for (size_t i = 0; i < target->pids.n; i++) {
        turn_process(&t->turn, target->pids.v[i]);
    }
    target_sockets(target);
    for (size_t i = 0; i < target->sockets.n && status == 0; i++) {
        if (target->sockets.v[i].listens) {
            turn_listens(&t->turn, target->sockets.v[i].local_port);
            status = ebpf_add_port(t->ebpf, target->sockets.v[i].local_port, err);
        }
    }
    for (size_t i = 0; i < target->sockets.n; i++) {
        const struct target_socket *s = &target->sockets.v[i];
        if (!s->listens) {
            turn_connection(&t->turn, (struct turn_old){.local_ip = s->local_ip,
                                                        .remote_ip = s->remote_ip,
                                                        .local_port = s->local_port,
                                                        .remote_port = s->remote_port,
                                                        .conn = i + 1});
        }
    }
    return status;
}

static int add_processes(struct tap *t, const struct target *target, struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < target->pids.n && status == 0 && t->o.cgroup == NULL; i++) {
        status = ebpf_add_process(t->ebpf, target->pids.v[i], err);
    }
    return status;
}

static int open_ebpf(struct tap *t, struct err *err)
{
    struct target target = {0};
    int status = find_target(&t->o, &target, err);
    struct ebpf_options o = {.cgroup = t->o.cgroup != NULL,
                             .cgroup_id = target.cgroup_id,
                             .level = target.level,
                             .ring_bytes = ring_bytes(&t->o),
                             .syncs = t->o.syncs};
    status = status != 0 ? status : ebpf_open(&o, &t->ebpf, err);
    status = status != 0 ? status : add_processes(t, &target, err);
    status = status != 0 ? status : ebpf_attach(t->ebpf, err);
    target_done(&target);
    /* What was started until the programs looked was not seen. */
    status = status != 0 ? status : find_target(&t->o, &target, err);
    status = status != 0 ? status : add_processes(t, &target, err);
    t->from_start = target.pids.n == 0;
    status = status != 0 ? status : tell_target(t, &target, err);
    target_done(&target);
    return status;
}

int tap_open(const struct tap_options *o, struct tap **ret, struct err *err)
{
    size_t cap = 0, n = ring_bytes(o);
    if ((n & (n - 1)) != 0 || n < 4096 || n > (size_t)1 << 30) {
        return err_set(err, ERR_INVALID, 0,
                       "the buffer must have a power of two of bytes, 4K to 1G");
    }
    struct tap *t = vec_grow(NULL, &cap, 1, sizeof *t);
    memset(t, 0, sizeof *t);
    t->o = *o;
    int status = o->interface != NULL
                     ? packets_open(o->interface, o->nodes, o->n_nodes, n, &t->packets, err)
                     : open_ebpf(t, err);
    if (status != 0) {
        tap_close(t);
        return status;
    }
    *ret = t;
    return 0;
}

void tap_close(struct tap *t)
{
    if (t != NULL) {
        ebpf_close(t->ebpf);
        packets_close(t->packets);
        turn_done(&t->turn);
        vec_release(t);
    }
}

/* What the programs could not see at all has no number that would be missing. */
static bool look_at_missed(struct tap *t)
{
    uint64_t missed = ebpf_missed(t->ebpf);
    bool more = missed != t->missed;
    t->since = 0;
    if (more) {
        t->missed = missed;
        turn_gap(&t->turn);
    }
    return more;
}

bool tap_missed(struct tap *t)
{
    return t->ebpf != NULL && look_at_missed(t);
}

static bool take_turn(struct tap *t, struct capture_event *ret)
{
    if (!turn_next(&t->turn, ret)) {
        return false;
    }
    t->bytes += ret->n;
    return true;
}

int tap_next(struct tap *t, struct capture_event *ret, struct err *err)
{
    if (t->packets != NULL) {
        int status = packets_next(t->packets, ret, err);
        t->records += status == 1 ? 1 : 0;
        t->bytes += status == 1 ? ret->n : 0;
        return status;
    }
    for (;;) {
        if (take_turn(t, ret)) {
            return 1;
        }
        const struct tap_record *r = ebpf_next(t->ebpf);
        if (r == NULL && t->since != 0) {
            (void)look_at_missed(t);
            continue;
        }
        if (r == NULL) {
            return turn_over(&t->turn) && t->o.cgroup == NULL ? TAP_OVER : 0;
        }
        t->records++;
        if (r->net != 0 && r->net != t->turn.net && t->turn.pids.n != 0) {
            t->turn.net = target_net(t->turn.pids.v[0]); /* it may have gone to another network */
        }
        turn_record(&t->turn, r);
        if (++t->since == LOOK_AT_MISSED) {
            (void)look_at_missed(t);
        }
    }
}

size_t tap_waiting(const struct tap *t, size_t *ret_room)
{
    *ret_room = ring_bytes(&t->o);
    return t->packets != NULL ? packets_waiting(t->packets) : ebpf_waiting(t->ebpf);
}

void tap_skip(struct tap *t)
{
    if (t->packets != NULL) {
        packets_skip(t->packets);
    } else {
        ebpf_skip(t->ebpf); /* the numbers of what comes next show it; if nothing comes: */
        turn_gap(&t->turn);
    }
}

void tap_counts(const struct tap *t, struct tap_counts *ret)
{
    *ret = (struct tap_counts){.records = t->records,
                               .bytes = t->bytes,
                               .gaps = t->turn.gaps,
                               .missed = t->turn.missed + t->missed};
    if (t->packets != NULL) {
        packets_counts(t->packets, ret);
    }
}

bool tap_from_start(const struct tap *t)
{
    return t->from_start;
}

/* ---- what would be done ---- */

static void put_ip(struct strbuf *out, uint32_t ip, uint16_t port)
{
    strbuf_printf(out, "%u.%u.%u.%u:%u", ip >> 24, ip >> 16 & 255, ip >> 8 & 255, ip & 255, port);
}

static void put_target(const struct tap_options *o, struct strbuf *out)
{
    struct target t = {0};
    struct err err = {0};
    if (find_target(o, &t, &err) != 0) {
        strbuf_printf(out, "not possible: %s\n", err.text);
        target_done(&t);
        return;
    }
    strbuf_adds(out, "processes:");
    for (size_t i = 0; i < t.pids.n; i++) {
        strbuf_printf(out, " %" PRIu32, t.pids.v[i]);
    }
    strbuf_adds(out, t.pids.n == 0 ? " none yet\n" : "\n");
    target_sockets(&t);
    for (size_t i = 0; i < t.sockets.n; i++) {
        const struct target_socket *s = &t.sockets.v[i];
        strbuf_adds(out, s->listens ? "listens: " : "connection: ");
        put_ip(out, s->local_ip, s->local_port);
        if (!s->listens) {
            strbuf_adds(out, " - ");
            put_ip(out, s->remote_ip, s->remote_port);
        }
        strbuf_addc(out, '\n');
    }
    target_done(&t);
}

void tap_describe(const struct tap_options *o, struct strbuf *out)
{
    struct err err = {0};
    if (o->interface != NULL) {
        strbuf_printf(out, "live: packets of interface %s; needs CAP_NET_RAW\n", o->interface);
        int status = packets_try(o->interface, &err);
        strbuf_printf(out, "%s%s\n", status == 0 ? "permitted here" : "not possible: ",
                      status == 0 ? "" : err.text);
        return;
    }
    strbuf_adds(out, "live: eBPF; needs CAP_BPF and CAP_PERFMON\n");
    put_target(o, out);
    struct ebpf *e = NULL;
    struct ebpf_options eo = {.ring_bytes = ring_bytes(o), .syncs = o->syncs};
    if (ebpf_open(&eo, &e, &err) != 0) {
        strbuf_printf(out, "not possible: %s\n", err.text);
        return;
    }
    strbuf_adds(out, "permitted here; TCP, with the full length of each message; attaches to\n");
    ebpf_describe(e, out);
    ebpf_close(e);
}

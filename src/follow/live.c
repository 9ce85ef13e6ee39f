/* `assay watch` on a running process: what a tap sees goes to the monitor, within bounds of
 * processor time; what is too much is thrown away, and the monitor is blind for a while. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/socket.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "capture/capture.h"
#include "follow/follow.h"
#include "follow/follow_int.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "run/cluster.h"
#include "tap/tap.h"

enum { BATCH = 256, IDLE_MS_MOST = 10, BURST_NS = 200000000 };

bool follow_is_live(const struct follow *cmd)
{
    return cmd->pid != NULL || cmd->cgroup != NULL || cmd->unit != NULL || cmd->interface != NULL;
}

/* ---- who is who ---- */

/* NAME=IP[:PORT] */
static int read_peer(struct follow *cmd, const char *text, struct feed_peer *ret, struct err *err)
{
    const char *eq = strchr(text, '='), *colon = eq != NULL ? strchr(eq, ':') : NULL;
    char ip[32] = "";
    struct in_addr address;
    char *end = NULL;
    unsigned long port = colon != NULL ? strtoul(colon + 1, &end, 10) : 0;
    size_t n = eq == NULL ? 0 : colon != NULL ? (size_t)(colon - eq - 1) : strlen(eq + 1);
    if (eq != NULL && n < sizeof ip) {
        memcpy(ip, eq + 1, n);
    }
    if (eq == NULL || inet_pton(AF_INET, ip, &address) != 1 || port > UINT16_MAX ||
        (colon != NULL && (*end != 0 || port == 0))) {
        return err_set(err, ERR_INVALID, 0,
                       "--peer %s: NAME=ADDRESS or NAME=ADDRESS:PORT is expected, with an address "
                       "of IPv4",
                       text);
    }
    size_t node = monitor_node(cmd->monitor, (struct str){text, (size_t)(eq - text)});
    if (node == SIZE_MAX) {
        return err_set(err, ERR_INVALID, 0, "--peer %s: there is no node %.*s", text,
                       (int)(eq - text), text);
    }
    *ret = (struct feed_peer){
        .ip = ntohl(address.s_addr), .port = (uint16_t)port, .node = (uint32_t)node};
    return 0;
}

int follow_peers(struct follow *cmd, struct feed_peer **ret, size_t *ret_n, struct err *err)
{
    const struct cluster *c = &cmd->bridge.cluster;
    size_t n = 0, most = c->n_nodes + cmd->peers.n + 1;
    struct feed_peer *peers = ARENA_ARRAY(&cmd->arena, struct feed_peer, most);
    for (size_t i = 0; i < cmd->peers.n; i++) {
        int status = read_peer(cmd, cmd->peers.v[i], &peers[n++], err);
        if (status != 0) {
            return status;
        }
    }
    for (size_t i = 0; i < c->n_nodes && cmd->peers.n == 0; i++) {
        size_t node = monitor_node(cmd->monitor, str_of(c->nodes[i].name));
        if (node != SIZE_MAX) {
            peers[n++] = (struct feed_peer){.ip = c->nodes[i].ip, .node = (uint32_t)node};
        }
    }
    *ret = peers;
    *ret_n = n;
    return 0;
}

/* ---- what is looked at ---- */

static int tap_of(struct follow *cmd, struct tap_options *ret, struct err *err)
{
    struct feed_peer *peers = NULL;
    size_t n = 0;
    int status = follow_peers(cmd, &peers, &n, err);
    struct capture_node *nodes = ARENA_ARRAY(&cmd->arena, struct capture_node, n + 1);
    for (size_t i = 0; i < n && status == 0; i++) {
        nodes[i].name = monitor_node_name(cmd->monitor, peers[i].node);
        nodes[i].ip = peers[i].ip;
    }
    *ret = (struct tap_options){.cgroup = cmd->cgroup,
                                .interface = cmd->interface,
                                .nodes = nodes,
                                .n_nodes = n,
                                .ring_bytes = cmd->buffer,
                                .syncs = cmd->bridge.map->watch.synced != NULL};
    if (status == 0 && cmd->pid != NULL) {
        char *end = NULL;
        ret->pid = (pid_t)strtol(cmd->pid, &end, 10);
        status = *end != 0 || ret->pid <= 0
                     ? err_set(err, ERR_INVALID, 0, "--pid %s is no number of a process", cmd->pid)
                     : 0;
    }
    if (status == 0 && cmd->unit != NULL) {
        struct strbuf *dir = ARENA_ARRAY(&cmd->arena, struct strbuf, 1);
        dir->arena = &cmd->arena;
        status = tap_find_unit(cmd->unit, dir, err);
        ret->cgroup = status == 0 ? strbuf_cstr(dir) : NULL;
    }
    return status;
}

int follow_describe_live(struct follow *cmd, struct strbuf *out, struct err *err)
{
    struct tap_options o;
    int status = tap_of(cmd, &o, err);
    if (status == 0) {
        tap_describe(&o, out);
    }
    return status;
}

/* ---- events ---- */

static void note(struct follow *cmd, const char *what, struct str more)
{
    char when[32];
    time_t now = (time_t)clock_wall_s();
    struct tm tm;
    (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
    (void)fprintf(cmd->o.teller.err, "%s %s: %s%.*s\n", when, cmd->node, what, STR_ARG(more));
}

static void keep_copy(const struct follow *cmd, struct capture_writer *copy,
                      struct capture_event *event)
{
    if (copy != NULL) {
        event->node = (uint16_t)monitor_self(cmd->monitor);
        capture_write(copy, event);
    }
}

/* Whether records were lost about now: what follows in the buffer tells, and the kernel's own
 * count. What is looked at for that is not looked at again. */
enum { LOOK_BEHIND = 8192, LOOK_MS = 20 };

static bool was_lost(struct follow *cmd, struct capture_writer *copy)
{
    struct capture_event event;
    struct err err = {0};
    bool lost = tap_missed(cmd->tap);
    for (int n = 0, waits = 0; n < LOOK_BEHIND && waits < 2; n++) {
        int status = tap_next(cmd->tap, &event, &err);
        if (status == 1) {
            lost = lost || event.kind == CAPTURE_GAP;
            keep_copy(cmd, copy, &event);
            continue;
        }
        cmd->over = status == TAP_OVER;
        if (status != 0 || waits++ != 0) {
            break;
        }
        follow_metrics_serve(cmd, LOOK_MS);
    }
    return lost;
}

/* What nothing explains may only look so, because something was lost before it: then it is none. */
static int blind_instead(struct follow *cmd, struct err *err)
{
    struct capture_event gap = {.kind = CAPTURE_GAP, .time_ns = clock_mono_ns()};
    cmd->metrics.withdrawn++;
    monitor_resume(cmd->monitor);
    return feed_event(cmd->feed, &gap, err);
}

/* An alarm is told, and leaves a bundle; with --go-on the monitor goes on, blind at first. */
static int verdict(struct follow *cmd, struct capture_writer *copy, struct err *err)
{
    if (was_lost(cmd, copy)) {
        return blind_instead(cmd, err);
    }
    SCOPED_STRBUF text = {0};
    SCOPED_STRBUF dir = {0};
    bool alarm = monitor_verdict(cmd->monitor) == MONITOR_ALARM;
    cmd->metrics.alarms += alarm ? 1 : 0;
    cmd->metrics.undecided += alarm ? 0 : 1;
    int status = cmd->bundle != NULL ? follow_leave(cmd, &dir, err) : 0;
    if (cmd->bundle != NULL && status == 0) {
        note(cmd, "a bundle was left in ", strbuf_str(&dir));
    }
    if (!cmd->go_on || status != 0) {
        return status;
    }
    follow_page_alarm(cmd);
    follow_explain(cmd, &text);
    note(cmd, alarm ? "ALARM: " : "not decided: ", strbuf_str(&text));
    monitor_resume(cmd->monitor);
    struct capture_event gap = {.kind = CAPTURE_GAP, .time_ns = clock_mono_ns()};
    return feed_event(cmd->feed, &gap, err); /* what was looked at behind it */
}

static int one_event(struct follow *cmd, struct capture_writer *copy, struct capture_event *event,
                     struct err *err)
{
    struct err wrong = {0};
    keep_copy(cmd, copy, event);
    int status = feed_event(cmd->feed, event, &wrong);
    if (status == -ERR_INVALID) { /* bytes that nobody understands: as if they were not seen */
        if (cmd->metrics.refused++ == 0) {
            note(cmd, "not understood, and not told again: ", str_of(wrong.text));
        }
        struct capture_event gap = {.kind = CAPTURE_GAP, .time_ns = event->time_ns};
        status = feed_event(cmd->feed, &gap, &wrong);
    }
    if (status != 0) {
        *err = wrong;
        return status;
    }
    return monitor_verdict(cmd->monitor) == MONITOR_OK ? 0 : verdict(cmd, copy, err);
}

static bool stops(const struct follow *cmd, uint64_t until_ns)
{
    return cmd->o.teller.flags->stop != 0 || cmd->over ||
           (!cmd->go_on && monitor_verdict(cmd->monitor) != MONITOR_OK) ||
           (until_ns != 0 && clock_mono_ns() > until_ns);
}

/* Whether an event of this node; packets are told for all. */
static bool is_ours(const struct follow *cmd, const struct tap_options *o,
                    const struct capture_event *e)
{
    return o->interface == NULL || e->node == UINT16_MAX ||
           strcmp(o->nodes[e->node].name, cmd->node) == 0;
}

/* Up to BATCH events; returns how many, or a negative code. */
static int batch(struct follow *cmd, const struct tap_options *o, struct capture_writer *copy,
                 struct err *err)
{
    struct capture_event event;
    int n = 0;
    while (n < BATCH && cmd->o.teller.flags->stop == 0) {
        int status = tap_next(cmd->tap, &event, err);
        cmd->over = status == TAP_OVER;
        if (status <= 0 || cmd->over) {
            return status < 0 ? status : n;
        }
        n++;
        if (!is_ours(cmd, o, &event)) {
            continue;
        }
        if (o->interface == NULL && event.time_ns != 0) {
            cmd->metrics.lag_ns = clock_mono_ns() - event.time_ns;
        }
        status = one_event(cmd, copy, &event, err);
        if (status != 0) {
            return status;
        }
        if (!cmd->go_on && monitor_verdict(cmd->monitor) != MONITOR_OK) {
            break;
        }
    }
    return n;
}

/* Processor time that may be used, in nanoseconds; grows with the time that passes. */
struct budget {
    uint64_t last_mono, last_cpu;
    int64_t left;
};

/* How long to sleep so that no more than --cpu percent are used; 0: not at all. */
static int over_budget(struct follow *cmd, struct budget *b)
{
    uint64_t mono = clock_mono_ns(), cpu = clock_thread_ns();
    if (cmd->cpu == 0) {
        return 0;
    }
    b->left += (int64_t)((mono - b->last_mono) * cmd->cpu / 100) - (int64_t)(cpu - b->last_cpu);
    b->left = b->left > BURST_NS ? BURST_NS : b->left;
    b->last_mono = mono;
    b->last_cpu = cpu;
    return b->left >= 0 ? 0 : 20;
}

/* When the buffer is nearly full and there is no time for it: all that waits is thrown away. */
static void shed(struct follow *cmd)
{
    size_t room = 0, waiting = tap_waiting(cmd->tap, &room);
    if (waiting > room / 4 * 3) {
        tap_skip(cmd->tap);
        cmd->metrics.shed++;
    }
}

static int catch_up(struct follow *cmd, struct capture_writer *copy, struct err *err)
{
    int status = monitor_catch_up(cmd->monitor, err);
    return status != 0 || monitor_verdict(cmd->monitor) == MONITOR_OK ? status
                                                                      : verdict(cmd, copy, err);
}

static int follow(struct follow *cmd, const struct tap_options *o, struct capture_writer *copy,
                  struct err *err)
{
    uint64_t now = clock_mono_ns();
    uint64_t until = cmd->seconds > 0 ? now + (uint64_t)(cmd->seconds * 1e9) : 0;
    struct budget budget = {now, clock_thread_ns(), BURST_NS};
    int idle = 1, n = 0;
    while (n >= 0 && !stops(cmd, until)) {
        int sleep = over_budget(cmd, &budget);
        follow_page_note(cmd);
        if (sleep != 0) {
            shed(cmd);
            follow_metrics_serve(cmd, sleep);
            continue;
        }
        n = batch(cmd, o, copy, err);
        cmd->metrics.lag_ns = n == 0 ? 0 : cmd->metrics.lag_ns;
        if (n == 0 && idle == IDLE_MS_MOST - 1) { /* nothing has come for some 50 ms */
            n = catch_up(cmd, copy, err);
        }
        idle = n != 0 ? 1 : idle < IDLE_MS_MOST ? idle + 1 : idle;
        follow_metrics_serve(cmd, n == BATCH ? 0 : idle);
    }
    return n < 0 ? n : 0;
}

static int open_copy(struct follow *cmd, struct capture_writer **ret, struct err *err)
{
    size_t n = monitor_nodes(cmd->monitor);
    struct feed_peer *peers = NULL;
    size_t n_peers = 0;
    struct capture_node *nodes = ARENA_ARRAY(&cmd->arena, struct capture_node, n + 1);
    int status = follow_peers(cmd, &peers, &n_peers, err);
    for (size_t i = 0; i < n; i++) {
        nodes[i].name = monitor_node_name(cmd->monitor, i);
    }
    for (size_t i = 0; i < n_peers; i++) {
        nodes[peers[i].node].ip = peers[i].ip;
    }
    return status != 0 ? status : capture_create(cmd->capture_out, nodes, n, ret, err);
}

int follow_live(struct follow *cmd, struct err *err)
{
    struct tap_options o;
    struct capture_writer *copy = NULL;
    int status = tap_of(cmd, &o, err);
    status = status != 0 || cmd->capture_out == NULL ? status : open_copy(cmd, &copy, err);
    status = status != 0 ? status : follow_metrics_open(cmd, err);
    status = status != 0 ? status : tap_open(&o, &cmd->tap, err);
    status = status != 0 ? status : follow_make_feed(cmd, err);
    if (status == 0 && !cmd->fresh && !tap_from_start(cmd->tap)) {
        note(cmd, "what it has done before is not known: blind until its state is", STR(""));
        struct capture_event gap = {.kind = CAPTURE_GAP};
        status = feed_event(cmd->feed, &gap, err);
    }
    status = status != 0 ? status : follow(cmd, &o, copy, err);
    struct err late = {0};
    int finished = capture_finish(copy, &late);
    if (status == 0 && finished != 0) {
        *err = late;
        status = finished;
    }
    follow_metrics_close(cmd);
    return status != 0 ? status : monitor_flush(cmd->monitor, err);
}

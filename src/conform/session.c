/* The world of a session: booting the cluster once, going back to that moment for every walk, doing
 * one event at a time, and letting happen what happens by itself: connections are made and ended,
 * clients are served. Everything that is done is recorded, so that `assay replay` can do it again.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sys/wait.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "observe/gcov.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/record.h"
#include "run/runner.h"
#include "world/world.h"

/* Deliveries that happen by themselves after one event: more is no longer quiet. */
enum { QUIET_MOST = 20000, LOG_LINES = 20 };

/* ---- who is who ---- */

bool is_server(const struct conform *c, uint32_t index)
{
    return !c->cluster->nodes[index].client;
}

bool node_is_up(const struct conform *c, uint32_t index)
{
    struct node_view view;
    world_node_view(c->run.world, index, &view);
    return view.state == NODE_UP && view.processes != 0 && !view.ended;
}

const struct decode_place *node_by_name(const struct conform *c, struct str name)
{
    for (size_t i = 0; i < c->who.n_nodes; i++) {
        if (str_is(name, c->who.nodes[i].name)) {
            return &c->who.nodes[i];
        }
    }
    return NULL;
}

const struct decode_place *node_by_index(const struct conform *c, uint32_t index)
{
    for (size_t i = 0; i < c->who.n_nodes; i++) {
        if (c->who.nodes[i].index == index) {
            return &c->who.nodes[i];
        }
    }
    return NULL;
}

/* ---- findings ---- */

/* What every node printed in this step, cut to a few lines. */
static void step_log(const struct conform *c, struct strbuf *out)
{
    unsigned lines = 0;
    for (uint32_t i = 0; i < c->cluster->n_nodes; i++) {
        const struct output *o = &c->run.output[i];
        for (size_t at = o->step; at < o->text.n;) {
            const char *end = memchr(o->text.p + at, '\n', o->text.n - at);
            size_t n = end != NULL ? (size_t)(end - o->text.p) - at : o->text.n - at;
            if (++lines > LOG_LINES) {
                strbuf_adds(out, "...\n");
                return;
            }
            strbuf_printf(out, "%s: %.*s\n", c->cluster->nodes[i].name, (int)(n < 300 ? n : 300),
                          o->text.p + at);
            at += n + 1;
        }
    }
}

void found(struct conform *c, enum finding_kind kind, struct str about, const char *fmt, ...)
{
    struct finding *f = c->finding;
    va_list ap;
    if (f == NULL || f->kind != FINDING_NONE) {
        return;
    }
    f->kind = kind;
    f->variable = str_dup(&c->arena, about);
    va_start(ap, fmt);
    strbuf_vprintf(&f->what, fmt, ap);
    va_end(ap);
    step_log(c, &f->log);
}

/* Texts by which a program tells that something is wrong with it. */
static const char *const reports[] = {
    "AddressSanitizer",
    "LeakSanitizer",
    "ThreadSanitizer",
    "MemorySanitizer",
    ": runtime error: ",
    "Assertion `",
    "assertion failed",
    "Traceback (most recent call last)",
    "Exception in thread",
    "terminate called after throwing",
    "panic: ",
    "goroutine 1 [running]",
};

static bool check_reports(struct conform *c, uint32_t node)
{
    const struct output *o = &c->run.output[node];
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        const char *at = o->text.n > o->step ? memmem(o->text.p + o->step, o->text.n - o->step,
                                                      reports[i], strlen(reports[i]))
                                             : NULL;
        if (at != NULL) {
            size_t left = o->text.n - (size_t)(at - o->text.p);
            const char *end = memchr(at, '\n', left);
            found(c, FINDING_REPORT, str_of(c->cluster->nodes[node].name), "node %s printed: %.*s",
                  c->cluster->nodes[node].name, (int)(end != NULL ? end - at : (ptrdiff_t)left),
                  at);
            return true;
        }
    }
    return false;
}

/* Whether a process ended by itself, or said that something is wrong. */
static int check_nodes(struct conform *c)
{
    for (uint32_t i = 0; i < c->cluster->n_nodes; i++) {
        struct node_view view;
        world_node_view(c->run.world, i, &view);
        if (view.starts != c->run.output[i].starts) {
            c->run.output[i].starts = view.starts;
        }
        if (is_server(c, i) && check_reports(c, i)) {
            return 1;
        }
        if (!view.ended || !is_server(c, i) || c->cluster->may_fail[i]) {
            continue;
        }
        if (WIFSIGNALED(view.status)) {
            found(c, FINDING_DIED, str_of(view.name), "node %s was ended by signal %d (%s)",
                  view.name, WTERMSIG(view.status), strsignal(WTERMSIG(view.status)));
        } else {
            found(c, FINDING_DIED, str_of(view.name), "node %s ended with status %d", view.name,
                  WEXITSTATUS(view.status));
        }
        return 1;
    }
    return 0;
}

/* ---- doing ---- */

static void on_output(void *arg, uint32_t node, int fd, const char *text, size_t n)
{
    struct conform *c = arg;
    (void)fd;
    strbuf_add(&c->run.output[node].text, text, n);
}

/* The engine cannot go on: the world is lost. */
static int stuck(struct conform *c, const struct err *err)
{
    if (err->code == ERR_INTERRUPTED) {
        *c->err = *err;
        return -(int)ERR_INTERRUPTED;
    }
    found(c, FINDING_STUCK, STR("engine"), "%s", err->text);
    session_close(c);
    return 1;
}

static int settle(struct conform *c)
{
    enum settle_result settled = SETTLE_QUIET;
    struct err err;
    return world_settle(c->run.world, &settled, &err) != 0 ? stuck(c, &err) : 0;
}

int session_do(struct conform *c, const struct event *event)
{
    struct err err;
    bool starts = event->kind == EV_START || event->kind == EV_RESTART || event->kind == EV_EXEC;
    if (starts) {
        c->run.output[event->node].start = c->run.output[event->node].text.n;
    }
    if (c->gcov != NULL && (event->kind == EV_CRASH || event->kind == EV_KILL)) {
        gcov_note(c->gcov, c->run.world, event->node);
    }
    if (c->events != NULL) {
        event_print(c->cluster, event, c->events);
        strbuf_addc(c->events, '\n');
    }
    if (world_do(c->run.world, event, &err) != 0) {
        if (err.code == ERR_NOT_FOUND) {
            *c->err = err;
            return -(int)err.code;
        }
        return stuck(c, &err);
    }
    int status = settle(c);
    if (c->run.world != NULL) {
        VEC_PUSH(&c->run.choices, (struct choice){*event, world_hash(c->run.world)});
    }
    return status != 0 ? status : check_nodes(c);
}

bool packet_is_message(const struct packet_view *p)
{
    return p->kind == PK_DATA || p->kind == PK_UDP;
}

bool packet_is_quiet(const struct conform *c, const struct packet_view *p)
{
    if (p->by_caller && p->nth < c->map->handshake) {
        return true;
    }
    for (size_t i = 0; i < c->map->n_quiet_ports; i++) {
        if (c->map->quiet_ports[i] == p->dst_port || c->map->quiet_ports[i] == p->src_port) {
            return true;
        }
    }
    return false;
}

/* Making and ending connections, clients, and what the mapping calls quiet. A datagram does not
 * wait for a wire that is cut: it is lost. */
static bool by_itself(const struct conform *c, const struct packet_view *p,
                      enum event_kind *ret_kind)
{
    bool message = packet_is_message(p);
    struct node_view to;
    world_node_view(c->run.world, p->to, &to);
    *ret_kind = EV_DELIVER;
    if (p->kind == PK_UDP && world_is_cut(c->run.world, p->from, p->to)) {
        *ret_kind = EV_DROP;
        return true;
    }
    if (!p->deliver || to.state != NODE_UP) {
        return false;
    }
    return !message || !is_server(c, p->from) || !is_server(c, p->to) || packet_is_quiet(c, p);
}

static bool next_by_itself(struct conform *c, struct event *ret)
{
    struct packet_view few[64], *views = few;
    size_t cap = 0, n = world_packets(c->run.world, few, 64);
    if (n > 64) {
        views = vec_grow(NULL, &cap, n, sizeof *views);
        n = world_packets(c->run.world, views, n);
    }
    uint64_t best = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        enum event_kind kind = EV_DELIVER;
        if (views[i].id < best && by_itself(c, &views[i], &kind)) {
            best = views[i].id;
            *ret = (struct event){
                .kind = kind, .node = views[i].to, .peer = views[i].from, .id = best};
        }
    }
    if (views != few) {
        vec_release(views);
    }
    return best != UINT64_MAX;
}

int session_quiet(struct conform *c)
{
    struct event event;
    struct strbuf *events = c->events;
    int status = 0;
    c->events = NULL; /* not worth telling */
    for (unsigned n = 0; status == 0 && next_by_itself(c, &event); n++) {
        status = session_do(c, &event);
        if (status == 0 && n == QUIET_MOST) {
            found(c, FINDING_STUCK, STR("network"),
                  "connections and clients are still busy after %d packets", QUIET_MOST);
            status = 1;
        }
    }
    c->events = events;
    return status;
}

/* ---- booting ---- */

static int boot(struct conform *c)
{
    int status = settle(c);
    for (uint32_t i = 0; status == 0 && i < c->cluster->n_nodes; i++) {
        if (!c->cluster->nodes[i].manual) {
            struct event start = {.kind = EV_START, .node = i, .peer = i};
            status = session_do(c, &start);
        }
    }
    status = status != 0 ? status : session_quiet(c);
    return status != 0 ? status : steps_run(c, c->map->boot, c->map->n_boot, NULL, 0);
}

static void forget_output(struct conform *c, bool to_boot)
{
    for (uint32_t i = 0; i < c->cluster->n_nodes; i++) {
        struct output *o = &c->run.output[i];
        o->text.n = to_boot ? o->boot : 0;
        o->start = to_boot ? o->boot_start : 0;
        o->step = o->text.n;
        o->starts = 0;
    }
    size_t n = c->map->n_observes * c->cluster->n_nodes;
    for (size_t i = 0; i < n; i++) {
        c->see.logs[i].scanned = 0;
        c->see.logs[i].found = false;
        VEC_RESET(&c->see.logs[i].all);
    }
}

static int open_world(struct conform *c)
{
    struct run_options run = {.cluster = c->cluster,
                              .seed = c->cluster->seed,
                              .local_clocks = true,
                              .dir = c->o.dir,
                              .interrupted = c->o.interrupted,
                              .trace_fd = -1};
    struct world_spec spec = run_world_spec(&run);
    spec.net.udp_loss_ppm = 0; /* what is lost is said by the specification */
    if (c->run.templates == NULL && !c->o.cold) {
        c->run.templates = templates_new();
    }
    spec.templates = c->run.templates;
    spec.beat_signal = c->o.beat_signal;
    forget_output(c, false);
    VEC_RESET(&c->run.choices);
    VEC_RESET(&c->run.commands);
    int status = world_open(&spec, &c->run.world, c->err);
    if (status != 0) {
        return status;
    }
    world_on_output(c->run.world, on_output, c);
    status = boot(c);
    if (status != 0 || c->run.world == NULL) {
        return status;
    }
    c->run.boot_choices = c->run.choices.n;
    c->run.boot_commands = c->run.commands.n;
    for (uint32_t i = 0; i < c->cluster->n_nodes; i++) {
        c->run.output[i].boot = c->run.output[i].text.n;
        c->run.output[i].boot_start = c->run.output[i].start;
        c->run.output[i].step = 0;
    }
    return 0;
}

int session_reset(struct conform *c)
{
    struct err err;
    uint64_t begin = clock_mono_ns();
    c->run.moment++;
    if (c->run.world != NULL && c->run.snapshot != NULL) {
        if (world_restore(c->run.world, c->run.snapshot, &err) == 0) {
            c->times.returns++;
            c->times.return_ns += clock_mono_ns() - begin;
            c->run.choices.n = c->run.boot_choices;
            c->run.commands.n = c->run.boot_commands;
            forget_output(c, true);
            return 0;
        }
    }
    session_close(c);
    int status = open_world(c);
    if (status == 0 && c->run.no_snapshot == NULL && !c->o.fresh && !c->o.cold &&
        world_snapshot(c->run.world, &c->run.snapshot, &err) != 0) {
        c->run.snapshot = NULL;
        c->run.no_snapshot =
            arena_strndup(&c->arena, err.text, strlen(err.text)); /* slower, not wrong */
    }
    c->times.boots++;
    c->times.boot_ns += clock_mono_ns() - begin;
    return status;
}

void conform_cover(struct conform *c)
{
    if (c->gcov == NULL) {
        c->gcov = gcov_new(&c->arena);
    }
    for (uint32_t i = 0; c->run.world != NULL && i < c->cluster->n_nodes; i++) {
        gcov_note(c->gcov, c->run.world, i);
    }
}

int conform_cover_write(const struct conform *c, const char *dir, struct err *err)
{
    return c->gcov != NULL ? gcov_write(c->gcov, dir, err) : 0;
}

const char *conform_cover_trouble(const struct conform *c)
{
    return c->gcov != NULL ? gcov_trouble(c->gcov) : "";
}

void session_close(struct conform *c)
{
    marks_lose(c);
    if (c->run.world != NULL) {
        snapshot_free(c->run.world, c->run.snapshot);
    }
    c->run.snapshot = NULL;
    world_close(c->run.world);
    c->run.world = NULL;
}

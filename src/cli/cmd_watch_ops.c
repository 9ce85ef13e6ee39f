/* What those who operate `assay watch` look at: metrics over HTTP on the loopback interface, as
 * Prometheus reads them, and what an alarm leaves behind.
 *
 * A bundle is a directory: events.jsonl (what was seen, from a known state on), alarm.txt (what was
 * told), bundle.json (with which files it can be seen again). */
#include <asm-generic/socket.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/poll.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/cmd_watch.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "tap/tap.h"

enum { PART_EVENTS = 5000, PART_BYTES = 8 << 20, REQUEST_MOST = 4096, INFO_MOST = 1 << 20 };

/* ---- metrics ---- */

int watch_metrics_open(struct watch_cmd *cmd, struct err *err)
{
    cmd->metrics.fd = -1;
    if (cmd->metrics_port == 0) {
        return 0;
    }
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)cmd->metrics_port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0) {
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    }
    if (fd < 0 || cmd->metrics_port > UINT16_MAX ||
        bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 16) != 0) {
        int why = errno;
        if (fd >= 0) {
            close(fd);
        }
        return err_set(err, ERR_IO, why, "metrics on port %" PRIu64 " of 127.0.0.1",
                       cmd->metrics_port);
    }
    cmd->metrics.fd = fd;
    return 0;
}

void watch_metrics_close(struct watch_cmd *cmd)
{
    if (cmd->metrics_port != 0 && cmd->metrics.fd >= 0) {
        close(cmd->metrics.fd);
        cmd->metrics.fd = -1;
    }
}

static void put(struct watch_cmd *cmd, struct strbuf *out, const char *name, const char *kind,
                double value)
{
    strbuf_printf(out, "# TYPE assay_watch_%s %s\nassay_watch_%s{node=\"%s\"} %.15g\n", name, kind,
                  name, cmd->node, value);
}

static void put_metrics(struct watch_cmd *cmd, struct strbuf *out)
{
    struct monitor_counts n;
    struct feed_counts f = {0};
    struct tap_counts t = {0};
    size_t room = 0, waiting = cmd->tap != NULL ? tap_waiting(cmd->tap, &room) : 0;
    monitor_counts(cmd->monitor, &n);
    if (cmd->feed != NULL) {
        feed_counts(cmd->feed, &f);
    }
    if (cmd->tap != NULL) {
        tap_counts(cmd->tap, &t);
    }
    put(cmd, out, "events_total", "counter", (double)n.events);
    put(cmd, out, "messages_total", "counter", (double)f.messages);
    put(cmd, out, "bytes_total", "counter", (double)t.bytes);
    put(cmd, out, "alarms_total", "counter", (double)cmd->metrics.alarms);
    put(cmd, out, "alarms_withdrawn_total", "counter", (double)cmd->metrics.withdrawn);
    put(cmd, out, "undecided_total", "counter", (double)cmd->metrics.undecided);
    put(cmd, out, "not_understood_total", "counter", (double)cmd->metrics.refused);
    put(cmd, out, "gaps_total", "counter", (double)t.gaps);
    put(cmd, out, "lost_records_total", "counter", (double)t.missed);
    put(cmd, out, "shed_total", "counter", (double)cmd->metrics.shed);
    put(cmd, out, "blind", "gauge", monitor_blind(cmd->monitor) ? 1 : 0);
    put(cmd, out, "blind_times_total", "counter", (double)n.blind_times);
    put(cmd, out, "blind_events_total", "counter", (double)n.blind_events);
    put(cmd, out, "blind_seconds_total", "counter", (double)n.blind_ns / 1e9);
    put(cmd, out, "lag_seconds", "gauge", (double)cmd->metrics.lag_ns / 1e9);
    put(cmd, out, "buffer_bytes", "gauge", (double)waiting);
    put(cmd, out, "states_most", "gauge", (double)n.states_most);
    put(cmd, out, "state_bytes", "gauge", (double)n.bytes);
}

/* Answers whoever has connected; the answer fits into the socket's buffer, so that nobody who does
 * not read makes us wait. */
static void answer(struct watch_cmd *cmd, int fd)
{
    char request[REQUEST_MOST];
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    ssize_t n = poll(&ready, 1, 20) == 1 ? recv(fd, request, sizeof request, MSG_DONTWAIT) : -1;
    SCOPED_STRBUF body = {0};
    SCOPED_STRBUF all = {0};
    bool known = n > 4 && (memcmp(request, "GET / ", 5) == 0 ||
                           (n > 12 && memcmp(request, "GET /metrics", 12) == 0));
    if (known) {
        put_metrics(cmd, &body);
    }
    strbuf_printf(&all,
                  "HTTP/1.0 %s\r\nContent-Type: text/plain; version=0.0.4\r\n"
                  "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                  known ? "200 OK" : "404 Not Found", body.n);
    strbuf_addstr(&all, strbuf_str(&body));
    if (n > 0) {
        (void)send(fd, all.p, all.n, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    close(fd);
}

void watch_metrics_serve(struct watch_cmd *cmd, int wait_ms)
{
    struct pollfd ready = {.fd = cmd->metrics_port != 0 ? cmd->metrics.fd : -1, .events = POLLIN};
    if (poll(&ready, 1, wait_ms) == 1) {
        int fd = accept4(ready.fd, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0) {
            answer(cmd, fd);
        }
    }
}

/* ---- what was seen last ---- */

void watch_past_done(struct watch_past *p)
{
    strbuf_done(&p->old);
    strbuf_done(&p->now);
}

/* A new part begins with the state, if it is known; else the part goes on. */
static void turn_page(struct watch_cmd *cmd)
{
    struct watch_past *p = &cmd->past;
    SCOPED_STRBUF state = {0};
    if (!monitor_blind(cmd->monitor)) {
        monitor_state_line(cmd->monitor, &state);
    }
    p->whole = p->whole && p->n_old == 0;
    strbuf_done(&p->old);
    p->old = p->now;
    p->n_old = p->n_now;
    p->now = (struct strbuf){0};
    p->n_now = 0;
    strbuf_addstr(&p->now, strbuf_str(&state));
}

void watch_remember(struct watch_cmd *cmd, const struct monitor_event *event)
{
    struct watch_past *p = &cmd->past;
    if (p->n_old == 0 && p->n_now == 0) {
        p->whole = true;
    }
    if (p->n_now >= PART_EVENTS || p->now.n > PART_BYTES) {
        turn_page(cmd);
    }
    monitor_line_write(cmd->monitor, event, &p->now);
    p->n_now++;
}

/* ---- bundles ---- */

static char *absolute(struct watch_cmd *cmd, const char *path)
{
    char *real = path != NULL ? realpath(path, NULL) : NULL;
    char *copy = real != NULL ? arena_strndup(&cmd->arena, real, strlen(real)) : NULL;
    free(real);
    return copy;
}

static int put_info(struct watch_cmd *cmd, const char *dir, struct err *err)
{
    const char *file = path_join(&cmd->arena, dir, "bundle.json");
    const char *config = absolute(cmd, cmd->o.config), *cluster = absolute(cmd, cmd->o.cluster);
    json_t *info = json_pack(
        "{s:s, s:s?, s:s?, s:s, s:b, s:s, s:I, s:I, s:I}", "mapping", absolute(cmd, cmd->o.map),
        "config", config, "cluster", cluster, "node", cmd->node, "running", !cmd->past.whole,
        "verdict", monitor_verdict(cmd->monitor) == MONITOR_ALARM ? "alarm" : "not decided",
        "window", (json_int_t)cmd->window, "look", (json_int_t)cmd->look, "effort",
        (json_int_t)cmd->effort);
    char *text = info != NULL ? json_dumps(info, JSON_INDENT(2)) : NULL;
    int status = text != NULL ? file_write(file, str_of(text), err)
                              : err_set(err, ERR_INVALID, 0, "%s: no valid UTF-8", file);
    free(text);
    json_decref(info);
    return status;
}

static void put_down(struct watch_cmd *cmd, struct strbuf *out)
{
    for (size_t i = 0; i < monitor_nodes(cmd->monitor); i++) {
        if (i != monitor_self(cmd->monitor)) {
            strbuf_printf(out, "{\"down\":\"%s\"}\n", monitor_node_name(cmd->monitor, i));
        }
    }
}

int watch_leave(struct watch_cmd *cmd, struct strbuf *ret, struct err *err)
{
    SCOPED_STRBUF events = {0};
    SCOPED_STRBUF text = {0};
    char name[64];
    time_t now = time(NULL);
    struct tm tm;
    (void)strftime(name, sizeof name, "alarm-%Y%m%dT%H%M%SZ-", gmtime_r(&now, &tm));
    int status = dir_make(cmd->bundle, err);
    status = status != 0 ? status : dir_make_new(cmd->bundle, name, ret, err);
    if (status != 0) {
        return status;
    }
    const char *dir = strbuf_cstr(ret);
    if (cmd->past.whole && cmd->events == NULL) {
        put_down(cmd, &events); /* a capture begins without connections; lines say so */
    }
    strbuf_addstr(&events, strbuf_str(&cmd->past.old));
    strbuf_addstr(&events, strbuf_str(&cmd->past.now));
    watch_explain(cmd, &text);
    status = file_write(path_join(&cmd->arena, dir, "events.jsonl"), strbuf_str(&events), err);
    status = status != 0
                 ? status
                 : file_write(path_join(&cmd->arena, dir, "alarm.txt"), strbuf_str(&text), err);
    return status != 0 ? status : put_info(cmd, dir, err);
}

static const char *word(struct watch_cmd *cmd, const json_t *info, const char *name)
{
    const char *text = json_string_value(json_object_get(info, name));
    return text != NULL ? arena_strndup(&cmd->arena, text, strlen(text)) : NULL;
}

static uint64_t count(const json_t *info, const char *name)
{
    json_int_t n = json_integer_value(json_object_get(info, name));
    return n > 0 ? (uint64_t)n : 0;
}

int watch_replay(struct watch_cmd *cmd, struct err *err)
{
    const char *file = path_join(&cmd->arena, cmd->replay, "bundle.json");
    struct str text;
    int status = file_read(&cmd->arena, file, INFO_MOST, &text, err);
    if (status != 0) {
        return status;
    }
    json_error_t wrong;
    json_t *info = json_loadb(text.p, text.n, 0, &wrong);
    cmd->o.map = cmd->o.map != NULL ? cmd->o.map : word(cmd, info, "mapping");
    cmd->node = cmd->node != NULL ? cmd->node : word(cmd, info, "node");
    cmd->o.config = cmd->o.config != NULL ? cmd->o.config : word(cmd, info, "config");
    cmd->o.cluster = cmd->o.cluster != NULL ? cmd->o.cluster : word(cmd, info, "cluster");
    cmd->window = cmd->window != 0 ? cmd->window : count(info, "window");
    cmd->look = cmd->look != 0 ? cmd->look : count(info, "look");
    cmd->effort = cmd->effort != 0 ? cmd->effort : count(info, "effort");
    cmd->running = json_is_true(json_object_get(info, "running"));
    cmd->events = path_join(&cmd->arena, cmd->replay, "events.jsonl");
    json_decref(info);
    return cmd->o.map != NULL && cmd->node != NULL
               ? 0
               : err_set(err, ERR_INVALID, 0, "%s is none of a bundle", file);
}

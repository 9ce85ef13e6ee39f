/* Events of a node from files: lines, and captures. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"
#include "drive/bridge.h"
#include "follow/follow.h"
#include "follow/follow_int.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "run/cluster.h"

/* ---- events from a file ---- */

static bool is_blank(struct str line)
{
    return str_trim(line).n == 0;
}

static int take_line(struct follow *cmd, uint64_t number, struct str line, struct err *err)
{
    struct monitor_event event;
    if (is_blank(line)) {
        return 0;
    }
    int status = monitor_line(cmd->monitor, line, &event, err);
    if (status != 0) {
        return err_wrap(err, "%s:%" PRIu64, cmd->events, number);
    }
    event.place = number;
    if (cmd->bundle != NULL) {
        follow_remember(cmd, &event);
    }
    follow_page_note(cmd);
    return monitor_event(cmd->monitor, &event, err);
}

static int read_lines(struct follow *cmd, FILE *file, struct err *err)
{
    char *line = NULL;
    size_t cap = 0;
    uint64_t number = 0;
    int status = 0;
    for (ssize_t n; status == 0 && (n = getline(&line, &cap, file)) > 0;) {
        status = take_line(cmd, ++number, (struct str){line, (size_t)n}, err);
        if (cmd->o.teller.flags->interrupt != 0 || monitor_verdict(cmd->monitor) != MONITOR_OK) {
            break;
        }
    }
    vec_release(line);
    if (status == 0 && ferror(file)) {
        status = err_set(err, ERR_IO, 0, "%s cannot be read", cmd->events);
    }
    return status;
}

int follow_events(struct follow *cmd, struct err *err)
{
    bool standard = strcmp(cmd->events, "-") == 0;
    FILE *file = standard ? stdin : fopen(cmd->events, "re");
    if (file == NULL) {
        return err_set(err, ERR_NOT_FOUND, 0, "%s cannot be opened", cmd->events);
    }
    int status = read_lines(cmd, file, err);
    if (!standard) {
        (void)fclose(file);
    }
    return status != 0 ? status : monitor_flush(cmd->monitor, err);
}

/* ---- events from a capture ---- */

static void on_event(void *arg, const struct monitor_event *event)
{
    struct follow *cmd = arg;
    SCOPED_STRBUF line = {0};
    if (cmd->bundle != NULL) {
        follow_remember(cmd, event);
    }
    follow_page_note(cmd);
    if (cmd->out == NULL) {
        return;
    }
    monitor_line_write(cmd->monitor, event, &line);
    (void)fwrite(line.p, 1, line.n, cmd->out); /* looked at when it is closed */
}

/* A capture begins without connections; lines say so. */
static void write_start(struct follow *cmd)
{
    for (size_t i = 0; i < monitor_nodes(cmd->monitor); i++) {
        if (i != monitor_self(cmd->monitor)) {
            (void)fprintf(cmd->out, "{\"down\":\"%s\"}\n", monitor_node_name(cmd->monitor, i));
        }
    }
}

/* Nodes of the cluster that the specification knows, by their addresses. */
int follow_make_feed(struct follow *cmd, struct err *err)
{
    const struct cluster *c = &cmd->bridge.cluster;
    struct feed_peer *peers = NULL;
    size_t n = 0;
    int status = follow_peers(cmd, &peers, &n, err);
    if (status != 0) {
        return status;
    }
    struct feed_options options = {.monitor = cmd->monitor,
                                   .map = cmd->bridge.map,
                                   .messages = c->net.messages,
                                   .n_messages = c->net.n_messages,
                                   .peers = peers,
                                   .n_peers = n,
                                   .each = cmd->events_out != NULL || cmd->bundle != NULL ? on_event
                                                                                          : NULL,
                                   .each_arg = cmd};
    if (cmd->events_out != NULL) {
        cmd->out = fopen(cmd->events_out, "we");
        if (cmd->out == NULL) {
            return err_set(err, ERR_IO, errno, "%s", cmd->events_out);
        }
        write_start(cmd);
    }
    return feed_new(&options, &cmd->feed, err);
}

static int read_capture(struct follow *cmd, struct capture_reader *reader, struct err *err)
{
    const struct capture_node *nodes = NULL;
    size_t n = capture_nodes(reader, &nodes), self = 0;
    while (self < n && strcmp(nodes[self].name, cmd->node) != 0) {
        self++;
    }
    if (self == n) {
        return err_set(err, ERR_INVALID, 0, "%s knows no node '%s'", cmd->capture, cmd->node);
    }
    struct capture_event event;
    int status = capture_next(reader, &event, err);
    for (; status == 1; status = capture_next(reader, &event, err)) {
        if (event.node != self) {
            continue;
        }
        status = feed_event(cmd->feed, &event, err);
        if (status != 0 || cmd->o.teller.flags->interrupt != 0 ||
            monitor_verdict(cmd->monitor) != MONITOR_OK) {
            break;
        }
    }
    cmd->cut_off = capture_cut_off(reader);
    return status < 0 ? err_wrap(err, "%s", cmd->capture) : 0;
}

/* For files of libpcap: the nodes by their addresses. */
static int open_capture(struct follow *cmd, struct capture_reader **ret, struct err *err)
{
    const struct cluster *c = &cmd->bridge.cluster;
    struct capture_node *nodes = ARENA_ARRAY(&cmd->arena, struct capture_node, c->n_nodes + 1);
    for (size_t i = 0; i < c->n_nodes; i++) {
        nodes[i] = (struct capture_node){c->nodes[i].name, c->nodes[i].ip};
    }
    return capture_open(cmd->capture, nodes, c->n_nodes, ret, err);
}

int follow_capture(struct follow *cmd, struct err *err)
{
    struct capture_reader *reader = NULL;
    int status = open_capture(cmd, &reader, err);
    status = status != 0 ? status : follow_make_feed(cmd, err);
    status = status != 0 ? status : read_capture(cmd, reader, err);
    capture_close(reader);
    status = status != 0 ? status : monitor_flush(cmd->monitor, err);
    if (cmd->out != NULL && fclose(cmd->out) != 0 && status == 0) {
        status = err_set(err, ERR_IO, errno, "%s", cmd->events_out);
    }
    return status;
}

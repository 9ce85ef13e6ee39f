/* What the files of `assay watch` share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "drive/bridge.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "option/option.h"
#include "tap/tap.h"

/* Events as lines, for what an alarm leaves behind: the last ones, from a known state on. */
struct watch_past {
    struct strbuf old, now; /* two parts; each begins with a state, but the first of all */
    uint64_t n_old, n_now;  /* events in them */
    bool whole;             /* nothing was dropped: it begins where the node has begun */
};
struct watch_metrics {
    int fd; /* listens, or -1 */
    uint64_t alarms, undecided, refused, shed, lag_ns;
    uint64_t withdrawn; /* alarms about which something had been lost */
};

struct watch_cmd {
    struct bridge_options o;
    const char *node, *events, *capture, *events_out, *state_out;
    const char *pid, *cgroup, *unit, *interface, *capture_out, *bundle, *replay;
    struct word_list peers;
    uint64_t window, look, effort, behaviours, depth, seed, cpu, buffer, metrics_port;
    double seconds;
    bool exact, dry_run, self_test, state, running, go_on, fresh;
    struct arena arena;
    struct bridge bridge;
    struct monitor *monitor;
    struct feed *feed;
    FILE *out;
    uint64_t ns; /* spent on events */
    bool cut_off, over;
    struct tap *tap;
    struct watch_past past;
    struct watch_metrics metrics;
};

/* cmd_watch.c */
MUST_USE int watch_make_feed(struct watch_cmd *cmd, struct err *err);
void watch_each(void *arg, const struct monitor_event *event);
/* Where events come from, as text, for the place of an alarm. */
void watch_explain(struct watch_cmd *cmd, struct strbuf *out);

/* cmd_watch_live.c */
bool watch_is_live(const struct watch_cmd *cmd);
/* What is wrong with the options, or NULL. */
const char *watch_live_mistake(const struct watch_cmd *cmd);
MUST_USE int watch_peers(struct watch_cmd *cmd, struct feed_peer **ret, size_t *ret_n,
                         struct err *err);
MUST_USE int watch_live(struct watch_cmd *cmd, struct err *err);
MUST_USE int watch_describe_live(struct watch_cmd *cmd, struct strbuf *out, struct err *err);

/* cmd_watch_ops.c */
MUST_USE int watch_metrics_open(struct watch_cmd *cmd, struct err *err);
void watch_metrics_close(struct watch_cmd *cmd);
/* Waits up to so many milliseconds, or until someone asks; answers. */
void watch_metrics_serve(struct watch_cmd *cmd, int wait_ms);
/* One more event, for the bundle. */
void watch_remember(struct watch_cmd *cmd, const struct monitor_event *event);
void watch_past_done(struct watch_past *past);
/* What an alarm leaves behind: a new directory below --bundle; its name goes to *ret. */
MUST_USE int watch_leave(struct watch_cmd *cmd, struct strbuf *ret, struct err *err);
/* Makes of --replay the options of the run that has left it. */
MUST_USE int watch_replay(struct watch_cmd *cmd, struct err *err);

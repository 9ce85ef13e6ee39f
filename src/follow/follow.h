/* One node of a system, followed by the specification: events from a file, a capture or a running
 * process, verdicts to whoever is told, metrics and bundles for those who operate it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "drive/bridge.h"
#include "option/option.h"

struct feed;
struct monitor;
struct tap;

/* Events as lines, for what an alarm leaves behind: the last ones, from a known state on. */
struct follow_past {
    struct strbuf old, now; /* two parts; each begins with a state, but the first of all */
    uint64_t n_old, n_now;  /* events in them */
    bool whole;             /* nothing was dropped: it begins where the node has begun */
};
struct follow_metrics {
    int fd; /* listens, or -1 */
    uint64_t alarms, undecided, refused, shed, lag_ns;
    uint64_t withdrawn; /* alarms about which something had been lost */
};

struct follow_page; /* what is known over time, for whoever looks */

struct follow {
    /* ---- what is asked for ---- */
    struct bridge_options o; /* with .watch */
    const char *node;
    const char *events, *capture;                /* files */
    const char *pid, *cgroup, *unit, *interface; /* or what runs */
    const char *events_out, *state_out, *capture_out, *bundle, *replay;
    struct word_list peers; /* NAME=ADDRESS[:PORT] */
    uint64_t window, look, effort, behaviours, depth, seed, cpu, buffer, metrics_port;
    double seconds;
    const char *page_out; /* a file for what the page shows at the end; NULL: none */
    bool page_wanted;     /* while it is followed, it can be looked at */
    bool exact, dry_run, self_test, state, running, go_on, fresh;
    struct arena arena;
    /* ---- one run of it ---- */
    struct bridge bridge;
    struct monitor *monitor;
    struct feed *feed;
    FILE *out;   /* of events_out */
    uint64_t ns; /* spent on events */
    bool cut_off, over;
    struct tap *tap;
    struct follow_past past;
    struct follow_metrics metrics;
    struct follow_page *page; /* NULL: nobody looks */
};

/* Whether it is a running process that is followed. */
bool follow_is_live(const struct follow *f);
/* Makes of `replay` the options of the run that has left it. */
MUST_USE int follow_replay(struct follow *f, struct err *err);
/* From the mapping to the verdict. An exit status; on a big stack. */
int follow_run(void *follow);
void follow_done(struct follow *f);

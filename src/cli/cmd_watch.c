/* `assay watch`: its options. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "cli/reports.h"
#include "drive/bridge.h"
#include "follow/follow.h"
#include "option/option.h"

/* clang-format off */
static const char *set_page(void *to, const char *value)
{
    struct follow *cmd = to;
    cmd->page_wanted = true;
    cmd->page_out = value;
    return value == NULL || value[0] != '\0' ? NULL : "a file, or nothing,";
}

#define CMD struct follow
const struct option options_of_watch[] = {
    {"", 0, "MAPPING.assay.toml", "*.toml", TO_TEXT(CMD, o.map), "", NULL},
    {"node", 0, "NAME", NULL, TO_TEXT(CMD, node), "the node that is followed", NULL},
    {"events", 0, "FILE", "*.jsonl", TO_TEXT(CMD, events), "what was seen of it, a JSON object in each line (standard input with - as the file)", NULL},
    {"capture", 0, "FILE", COMPLETE_FILE, TO_TEXT(CMD, capture),
     "what was seen of it: a capture file of `assay run --capture`, or one of libpcap", NULL},
    {"pid", 0, "PID", NULL, TO_TEXT(CMD, pid), "follow this process and those that it starts, by eBPF", NULL},
    {"unit", 0, "NAME", NULL, TO_TEXT(CMD, unit), "follow the processes of a systemd unit, also after restarts", NULL},
    {"cgroup", 0, "DIR", COMPLETE_DIR, TO_TEXT(CMD, cgroup), "follow the processes of a cgroup (version 2)", NULL},
    {"interface", 0, "NAME", NULL, TO_TEXT(CMD, interface), "follow the packets of a network interface, or of any", NULL},
    {"peer", 0, "NAME=ADDRESS[:PORT]", NULL, TO_LIST(CMD, peers), "where a node is deployed, for each node (instead of the cluster file)", NULL},
    {"fresh", 0, NULL, NULL, TO_FLAG(CMD, fresh), "the process has done nothing yet: it is in its first state", NULL},
    {"time", 't', "TIME", NULL, TO_TIME(CMD, seconds), "end after this time", NULL},
    {"go-on", 0, NULL, NULL, TO_FLAG(CMD, go_on), "go on after an alarm, blind at first", NULL},
    {"cpu", 0, "PERCENT", NULL, TO_COUNT(CMD, cpu), "use no more of one processor; what is too much is not looked at (no limit)", NULL},
    {"buffer", 0, "SIZE", NULL, TO_SIZE(CMD, buffer), "room for what waits to be looked at, a power of two (16M)", NULL},
    {"metrics", 0, "PORT", NULL, TO_COUNT(CMD, metrics_port), "metrics for Prometheus on this port of 127.0.0.1", NULL},
    {"page", 0, "[=FILE]", "*.json", TO_CALL(set_page), "a page with alarms, lag and explanations while it is followed; =FILE: and what it shows at the end, for assay view", NULL},
    {"bundle", 0, "DIR", COMPLETE_DIR, TO_TEXT(CMD, bundle), "an alarm leaves what was seen in a new directory there", NULL},
    {"replay", 0, "DIR", COMPLETE_DIR, TO_TEXT(CMD, replay), "see again what an alarm has left", NULL},
    {"capture-out", 0, "FILE", COMPLETE_FILE, TO_TEXT(CMD, capture_out), "also write what was seen as a file for --capture", NULL},
    {"events-out", 0, "FILE", "*.jsonl", TO_TEXT(CMD, events_out), "also write what was captured as lines for --events", NULL},
    {"window", 0, "N", NULL, TO_COUNT(CMD, window), "events back to which other explanations are kept (200)", NULL},
    {"look", 0, "N", NULL, TO_COUNT(CMD, look), "events that are looked ahead, to guess well (64)", NULL},
    {"effort", 0, "N", NULL, TO_COUNT(CMD, effort), "steps of the search without progress before it gives up (300000)", NULL},
    {"exact", 0, NULL, NULL, TO_FLAG(CMD, exact), "keep every state that explains as well as the best, and count them", NULL},
    {"running", 0, NULL, NULL, TO_FLAG(CMD, running), "the node has run before: blind until observed values say in what state it is", NULL},
    {"state", 0, NULL, NULL, TO_FLAG(CMD, state), "print the state of the node at the end", NULL},
    {"state-out", 0, "FILE", "*.jsonl", TO_TEXT(CMD, state_out), "write the state at the end as a line of observed values, from which --running can go on", NULL},
    {"self-test", 0, NULL, NULL, TO_FLAG(CMD, self_test),
     "see whether random behaviours of the specification are explained, and changed ones not", NULL},
    {"behaviours", 0, "N", NULL, TO_COUNT(CMD, behaviours), "with --self-test: that many (20)", NULL},
    {"depth", 0, "N", NULL, TO_COUNT(CMD, depth), "with --self-test: steps of each (200)", NULL},
    {"seed", 0, "N", NULL, TO_NUMBER(CMD, seed), "with --self-test: the same seed gives the same report (1)", NULL},
    {"dry-run", 0, NULL, NULL, TO_FLAG(CMD, dry_run), "only say what is made of the specification", NULL},
    {"config", 'c', "FILE", "*.cfg", TO_TEXT(CMD, o.config), "configuration instead of the mapping's", NULL},
    {"cluster", 0, "FILE", "*.toml", TO_TEXT(CMD, o.cluster), "cluster file instead of the mapping's", NULL},
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, o.paths), "where modules are looked for; also TLA_PATH", NULL},
    REPORT_OPTION,
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, o.quiet), "only what is wrong", NULL},
    OPTIONS_END,
};
/* clang-format on */

static const char *live_mistake(const struct follow *cmd)
{
    int ways =
        (cmd->pid != NULL) + (cmd->cgroup != NULL) + (cmd->unit != NULL) + (cmd->interface != NULL);
    if (ways > 1) {
        return "only one of --pid, --cgroup, --unit and --interface";
    }
    if (ways != 0 && (cmd->events != NULL || cmd->capture != NULL)) {
        return "events come from a running process or from a file, not from both";
    }
    if (ways == 0 && (cmd->cpu != 0 || cmd->buffer != 0 || cmd->capture_out != NULL)) {
        return "--cpu, --buffer and --capture-out are for running processes";
    }
    return NULL;
}

static const char *mistake(const struct follow *cmd)
{
    int files = (cmd->events != NULL) + (cmd->capture != NULL);
    if (cmd->o.map == NULL) {
        return "the mapping file is missing";
    }
    if (cmd->node == NULL) {
        return "--node is missing: the node that is followed";
    }
    if (files != 1 && !follow_is_live(cmd) && !cmd->dry_run && !cmd->self_test) {
        return "where do events come from? --events FILE or --capture FILE, or a process: --pid, "
               "--unit, --cgroup or --interface";
    }
    return live_mistake(cmd);
}

static int parse_args(int argc, char **argv, struct follow *cmd)
{
    struct err err = {0};
    int status = options_parse(options_of_watch, argc, argv, cmd);
    if (status == EXIT_OK && cmd->replay != NULL) {
        if (cmd->events != NULL || cmd->capture != NULL || follow_is_live(cmd)) {
            return usage_error("watch", "--replay has its own events");
        }
        if (follow_replay(cmd, &err) != 0) {
            (void)fprintf(stderr, "assay: %s\n", err.text);
            return EXIT_OTHER;
        }
    }
    const char *wrong = status == EXIT_OK ? mistake(cmd) : NULL;
    if (wrong != NULL) {
        status = usage_error("watch", "%s", wrong);
    }
    if (status == EXIT_OK && wrong_kind("watch", cmd->o.map, KIND_MAPPING)) {
        status = EXIT_USAGE;
    }
    search_dirs_all(&cmd->arena, &cmd->o.paths, &cmd->o.dirs, &cmd->o.ndir);
    return status;
}

int cmd_watch(int argc, char **argv)
{
    struct follow cmd = {
        .o = {.watch = true, .teller = teller_here()},
          .seed = 1
    };
    arena_init(&cmd.arena, 0);
    int status = parse_args(argc, argv, &cmd);
    cmd.o.teller = teller_here(); /* now that --report is known */
    if (status == EXIT_OK) {
        signals_install();
        if (follow_is_live(&cmd)) {
            signals_gently(); /* what was seen until then is looked at */
        }
        status = run_on_big_stack(follow_run, &cmd);
        follow_done(&cmd);
    }
    arena_done(&cmd.arena);
    return status;
}

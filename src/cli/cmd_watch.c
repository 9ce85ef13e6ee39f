/* `assay watch`: one node of a system, followed by the specification. */
#include "cli/cmd_watch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "capture/capture.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "cli/reports.h"
#include "drive/bridge.h"
#include "job/job.h"
#include "job/load.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "monitor/selftest.h"
#include "option/option.h"
#include "report/report.h"
#include "run/cluster.h"
#include "tap/tap.h"

/* clang-format off */
#define CMD struct watch_cmd
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

static const char *mistake(const struct watch_cmd *cmd)
{
    int files = (cmd->events != NULL) + (cmd->capture != NULL);
    if (cmd->o.map == NULL) {
        return "the mapping file is missing";
    }
    if (cmd->node == NULL) {
        return "--node is missing: the node that is followed";
    }
    if (files != 1 && !watch_is_live(cmd) && !cmd->dry_run && !cmd->self_test) {
        return "where do events come from? --events FILE or --capture FILE, or a process: --pid, "
               "--unit, --cgroup or --interface";
    }
    return watch_live_mistake(cmd);
}

static int parse_args(int argc, char **argv, struct watch_cmd *cmd)
{
    struct err err = {0};
    int status = options_parse(options_of_watch, argc, argv, cmd);
    if (status == EXIT_OK && cmd->replay != NULL) {
        if (cmd->events != NULL || cmd->capture != NULL || watch_is_live(cmd)) {
            return usage_error("watch", "--replay has its own events");
        }
        if (watch_replay(cmd, &err) != 0) {
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

/* ---- events from a file ---- */

static bool is_blank(struct str line)
{
    return str_trim(line).n == 0;
}

static int take_line(struct watch_cmd *cmd, uint64_t number, struct str line, struct err *err)
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
        watch_remember(cmd, &event);
    }
    return monitor_event(cmd->monitor, &event, err);
}

static int read_lines(struct watch_cmd *cmd, FILE *file, struct err *err)
{
    char *line = NULL;
    size_t cap = 0;
    uint64_t number = 0;
    int status = 0;
    for (ssize_t n; status == 0 && (n = getline(&line, &cap, file)) > 0;) {
        status = take_line(cmd, ++number, (struct str){line, (size_t)n}, err);
        if (*signals_flag() != 0 || monitor_verdict(cmd->monitor) != MONITOR_OK) {
            break;
        }
    }
    free(line);
    if (status == 0 && ferror(file)) {
        status = err_set(err, ERR_IO, 0, "%s cannot be read", cmd->events);
    }
    return status;
}

static int watch_events(struct watch_cmd *cmd, struct err *err)
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

void watch_each(void *arg, const struct monitor_event *event)
{
    struct watch_cmd *cmd = arg;
    SCOPED_STRBUF line = {0};
    if (cmd->bundle != NULL) {
        watch_remember(cmd, event);
    }
    if (cmd->out == NULL) {
        return;
    }
    monitor_line_write(cmd->monitor, event, &line);
    (void)fwrite(line.p, 1, line.n, cmd->out); /* looked at when it is closed */
}

/* A capture begins without connections; lines say so. */
static void write_start(struct watch_cmd *cmd)
{
    for (size_t i = 0; i < monitor_nodes(cmd->monitor); i++) {
        if (i != monitor_self(cmd->monitor)) {
            (void)fprintf(cmd->out, "{\"down\":\"%s\"}\n", monitor_node_name(cmd->monitor, i));
        }
    }
}

/* Nodes of the cluster that the specification knows, by their addresses. */
int watch_make_feed(struct watch_cmd *cmd, struct err *err)
{
    const struct cluster *c = &cmd->bridge.cluster;
    struct feed_peer *peers = NULL;
    size_t n = 0;
    int status = watch_peers(cmd, &peers, &n, err);
    if (status != 0) {
        return status;
    }
    struct feed_options options = {
        .monitor = cmd->monitor,
        .map = cmd->bridge.map,
        .messages = c->net.messages,
        .n_messages = c->net.n_messages,
        .peers = peers,
        .n_peers = n,
        .each = cmd->events_out != NULL || cmd->bundle != NULL ? watch_each : NULL,
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

static int read_capture(struct watch_cmd *cmd, struct capture_reader *reader, struct err *err)
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
        if (status != 0 || *signals_flag() != 0 || monitor_verdict(cmd->monitor) != MONITOR_OK) {
            break;
        }
    }
    cmd->cut_off = capture_cut_off(reader);
    return status < 0 ? err_wrap(err, "%s", cmd->capture) : 0;
}

/* For files of libpcap: the nodes by their addresses. */
static int open_capture(struct watch_cmd *cmd, struct capture_reader **ret, struct err *err)
{
    const struct cluster *c = &cmd->bridge.cluster;
    struct capture_node *nodes = ARENA_ARRAY(&cmd->arena, struct capture_node, c->n_nodes + 1);
    for (size_t i = 0; i < c->n_nodes; i++) {
        nodes[i] = (struct capture_node){c->nodes[i].name, c->nodes[i].ip};
    }
    return capture_open(cmd->capture, nodes, c->n_nodes, ret, err);
}

static int watch_capture(struct watch_cmd *cmd, struct err *err)
{
    struct capture_reader *reader = NULL;
    int status = open_capture(cmd, &reader, err);
    status = status != 0 ? status : watch_make_feed(cmd, err);
    status = status != 0 ? status : read_capture(cmd, reader, err);
    capture_close(reader);
    status = status != 0 ? status : monitor_flush(cmd->monitor, err);
    if (cmd->out != NULL && fclose(cmd->out) != 0 && status == 0) {
        status = err_set(err, ERR_IO, errno, "%s", cmd->events_out);
    }
    return status;
}

/* ---- telling ---- */

static void put_blindness(const struct watch_cmd *cmd, const struct monitor_counts *n,
                          struct strbuf *out)
{
    if (n->blind_times == 0) {
        return;
    }
    strbuf_printf(out, "blind %" PRIu64 " times, during %" PRIu64 " events", n->blind_times,
                  n->blind_events);
    if (n->blind_ns != 0) {
        strbuf_printf(out, " and %.3f s", (double)n->blind_ns / 1e9);
    }
    strbuf_printf(out, "; its state was found again %" PRIu64 " times", n->rejoined);
    if (n->contradicted != 0) {
        strbuf_printf(out, ", %" PRIu64 " of them wrongly", n->contradicted);
    }
    strbuf_adds(out, monitor_blind(cmd->monitor) ? "; blind at the end\n" : "\n");
}

static void put_summary(struct watch_cmd *cmd, struct strbuf *out)
{
    static const char *const verdicts[] = {
        [MONITOR_OK] = "everything is explained",
        [MONITOR_ALARM] = "ALARM",
        [MONITOR_UNRESOLVED] = "not decided",
    };
    struct monitor_counts n;
    monitor_counts(cmd->monitor, &n);
    strbuf_printf(
        out, "%s: %s; %" PRIu64 " events, %" PRIu64 " steps of the specification", cmd->node,
        monitor_blind(cmd->monitor) ? "not decided" : verdicts[monitor_verdict(cmd->monitor)],
        n.events, n.steps);
    if (n.unseen != 0) {
        strbuf_printf(out, ", %" PRIu64 " messages that were not seen to leave", n.unseen);
    }
    strbuf_addc(out, '\n');
    put_blindness(cmd, &n, out);
    if (cmd->cut_off) {
        strbuf_adds(out, "the capture ends within a record\n");
    }
    if (cmd->o.quiet) {
        return;
    }
    double each = n.events != 0 ? (double)n.events : 1;
    (void)fprintf(stderr, "%.2f us an event; %s %.1f on average, %" PRIu64 " at most; %.1f MB\n",
                  (double)cmd->ns / 1000 / each, cmd->exact ? "states" : "places kept",
                  (double)n.states_sum / each, n.states_most, (double)n.bytes / 1e6);
}

static int write_state(struct watch_cmd *cmd)
{
    SCOPED_STRBUF line = {0};
    struct err err = {0};
    monitor_state_line(cmd->monitor, &line);
    if (line.n == 0) {
        (void)fprintf(stderr, "assay: the state of %s is not known; %s is not written\n", cmd->node,
                      cmd->state_out);
        return EXIT_OTHER;
    }
    if (file_write(cmd->state_out, strbuf_str(&line), &err) != 0) {
        (void)fprintf(stderr, "assay: %s\n", err.text);
        return EXIT_OTHER;
    }
    return EXIT_OK;
}

/* For --report: a case for the node. */
static void add_case(struct watch_cmd *cmd, struct str text)
{
    enum monitor_verdict verdict = monitor_verdict(cmd->monitor);
    bool blind = monitor_blind(cmd->monitor);
    if (reports() == NULL) {
        return;
    }
    SCOPED_STRBUF details = {0};
    strbuf_addstr(&details, text);
    const char *all = strbuf_cstr(&details);
    char *line = strndup(all, strcspn(all, "\n"));
    struct report_case c = {.name = cmd->node,
                            .group = cmd->bridge.spec.model->name,
                            .outcome = !blind && verdict == MONITOR_OK      ? REPORT_PASSED
                                       : !blind && verdict == MONITOR_ALARM ? REPORT_FAILED
                                                                            : REPORT_ERROR,
                            .kind = !blind && verdict == MONITOR_ALARM ? "alarm" : "undecided",
                            .message = line,
                            .details = all};
    struct report_finding f = {.rule = c.kind,
                               .message = line,
                               .details = all,
                               .place = {.file = report_path(cmd->o.map)}};
    report_subject(reports(), cmd->bridge.spec.model->name);
    report_add_case(reports(), &c);
    if (c.outcome != REPORT_PASSED) {
        report_add_finding(reports(), &f);
    }
    free(line);
}

void watch_explain(struct watch_cmd *cmd, struct strbuf *out)
{
    uint64_t place = 0;
    SCOPED_STRBUF name = {0};
    (void)monitor_stopped_at(cmd->monitor, &place);
    if (monitor_violated(cmd->monitor, &name)) {
        bool sure = monitor_verdict(cmd->monitor) == MONITOR_ALARM;
        strbuf_printf(out, "%s: %s\n", strbuf_cstr(&name),
                      sure ? "does not hold, in whatever way what was seen is explained"
                           : "does not hold by the plainest explanation; by others it does");
        monitor_explain(cmd->monitor, out);
        return;
    }
    strbuf_adds(out, monitor_verdict(cmd->monitor) == MONITOR_ALARM
                         ? "nothing that the specification allows explains "
                         : "no explanation was found, within the limits (--effort), for ");
    strbuf_printf(out, cmd->events != NULL ? "line %" PRIu64 "\n" : "record %" PRIu64, place);
    if (cmd->events == NULL) {
        strbuf_printf(out, " of %s\n", cmd->node);
    }
    monitor_explain(cmd->monitor, out);
}

static int tell(struct watch_cmd *cmd)
{
    SCOPED_STRBUF out = {0};
    enum monitor_verdict verdict = monitor_verdict(cmd->monitor);
    put_summary(cmd, &out);
    if (verdict != MONITOR_OK) {
        watch_explain(cmd, &out);
    }
    if (cmd->state) {
        strbuf_adds(&out, "state at the end:\n");
        monitor_state(cmd->monitor, &out);
    }
    if (cmd->state_out != NULL && write_state(cmd) != EXIT_OK) {
        return EXIT_OTHER;
    }
    add_case(cmd, strbuf_str(&out));
    bool silent = cmd->o.quiet && verdict == MONITOR_OK && !cmd->state;
    if (!silent && put_text(stdout, strbuf_str(&out)) != 0) {
        return EXIT_OTHER;
    }
    return cmd->metrics.alarms != 0      ? EXIT_SAFETY
           : monitor_blind(cmd->monitor) ? EXIT_UNDECIDED
           : verdict == MONITOR_OK       ? EXIT_OK
           : verdict == MONITOR_ALARM    ? EXIT_SAFETY
                                         : EXIT_UNDECIDED;
}

static int describe(struct watch_cmd *cmd)
{
    SCOPED_STRBUF out = {0};
    struct err err = {0};
    monitor_describe(cmd->monitor, &out);
    if (watch_is_live(cmd) && watch_describe_live(cmd, &out, &err) != 0) {
        (void)fprintf(stderr, "assay: %s\n", err.text);
        return EXIT_OTHER;
    }
    return put_text(stdout, strbuf_str(&out)) == 0 ? EXIT_OK : EXIT_OTHER;
}

/* ---- the test of the specification itself ---- */

enum { TAIL = 20 };

static void put_mutations(const struct selftest_result *r, struct strbuf *out)
{
    for (int kind = MUTATION_NONE + 1; kind < MUTATIONS; kind++) {
        uint64_t made = r->mutations[kind].made, alarms = r->mutations[kind].alarms;
        strbuf_printf(out, "%-32s %6" PRIu64 " of %6" PRIu64, mutation_name((enum mutation)kind),
                      alarms, made);
        if (made != 0) {
            strbuf_printf(out, "  %3.0f%%", 100.0 * (double)alarms / (double)made);
        }
        if (r->mutations[kind].undecided != 0) {
            strbuf_printf(out, "  (%" PRIu64 " not decided)", r->mutations[kind].undecided);
        }
        strbuf_addc(out, '\n');
    }
}

static int self_test(struct watch_cmd *cmd, const struct monitor_options *options)
{
    struct selftest_options o = {.monitor = *options,
                                 .seed = cmd->seed,
                                 .behaviours = cmd->behaviours != 0 ? cmd->behaviours : 20,
                                 .depth = cmd->depth != 0 ? cmd->depth : 200,
                                 .tail = TAIL};
    struct selftest_result r;
    struct err err = {0};
    SCOPED_STRBUF out = {0};
    int status = selftest_run(&o, &r, &err);
    if (status != 0) {
        (void)fprintf(stderr, "assay: %s\n", err.text);
        selftest_done(&r);
        return err.code == ERR_INVALID ? EXIT_CONFIG : EXIT_OTHER;
    }
    strbuf_printf(&out,
                  "%" PRIu64 " of %" PRIu64 " behaviours explained, %" PRIu64
                  " not decided; %" PRIu64 " steps, %" PRIu64 " events of %s\n",
                  r.accepted, r.behaviours, r.undecided, r.steps, r.events, cmd->node);
    strbuf_addstr(&out, strbuf_str(&r.failure));
    strbuf_adds(&out, "changed behaviours that raise an alarm:\n");
    put_mutations(&r, &out);
    uint64_t made = 0;
    for (int kind = MUTATION_NONE + 1; kind < MUTATIONS; kind++) {
        made += r.mutations[kind].made;
    }
    if (made == 0 && r.accepted == r.behaviours) {
        strbuf_adds(&out,
                    "nothing could be changed: the node sends too little for this to be a test\n");
    }
    int told = put_text(stdout, strbuf_str(&out));
    bool good = r.accepted == r.behaviours, nothing = made == 0;
    bool alarm = r.accepted + r.undecided < r.behaviours;
    selftest_done(&r);
    return told != 0          ? EXIT_OTHER
           : alarm            ? EXIT_SAFETY
           : good && !nothing ? EXIT_OK
                              : EXIT_UNDECIDED;
}

/* Of a file; a live one leaves it when it happens. */
static int left_bundle(struct watch_cmd *cmd)
{
    SCOPED_STRBUF dir = {0};
    struct err err = {0};
    if (cmd->bundle == NULL || watch_is_live(cmd) || monitor_verdict(cmd->monitor) == MONITOR_OK) {
        return 0;
    }
    if (watch_leave(cmd, &dir, &err) != 0) {
        (void)fprintf(stderr, "assay: %s\n", err.text);
        return -1;
    }
    (void)fprintf(stderr, "a bundle was left in %s\n", strbuf_cstr(&dir));
    return 0;
}

static int watch_node(void *arg)
{
    struct watch_cmd *cmd = arg;
    struct err err = {0};
    int status = bridge_open(&cmd->o, &cmd->bridge);
    if (status != EXIT_OK) {
        return status;
    }
    struct monitor_options options = {.model = cmd->bridge.spec.model,
                                      .map = cmd->bridge.map,
                                      .self = cmd->node,
                                      .window = (uint32_t)cmd->window,
                                      .look = (uint32_t)cmd->look,
                                      .pops_most = (uint32_t)cmd->effort,
                                      .exact = cmd->exact,
                                      .connections = cmd->capture != NULL || watch_is_live(cmd),
                                      .middle = cmd->running};
    if (cmd->self_test) {
        return self_test(cmd, &options);
    }
    int made = monitor_new(&options, &cmd->monitor, &err);
    if (made == 0 && cmd->dry_run) {
        return describe(cmd);
    }
    uint64_t start = clock_thread_ns();
    made = made != 0              ? made
           : watch_is_live(cmd)   ? watch_live(cmd, &err)
           : cmd->capture != NULL ? watch_capture(cmd, &err)
                                  : watch_events(cmd, &err);
    cmd->ns = clock_thread_ns() - start;
    if (made != 0) {
        (void)fprintf(stderr, "assay: %s\n", err.text);
        return err.code == ERR_INVALID ? EXIT_CONFIG : EXIT_OTHER;
    }
    if (left_bundle(cmd) != 0) {
        return EXIT_OTHER;
    }
    return *signals_flag() != 0 && !watch_is_live(cmd) ? EXIT_INTERRUPTED : tell(cmd);
}

int cmd_watch(int argc, char **argv)
{
    struct watch_cmd cmd = {
        .o = {.watch = true, .teller = teller_here()},
          .seed = 1
    };
    arena_init(&cmd.arena, 0);
    int status = parse_args(argc, argv, &cmd);
    if (status == EXIT_OK) {
        signals_install();
        status = run_on_big_stack(watch_node, &cmd);
        tap_close(cmd.tap);
        watch_past_done(&cmd.past);
        feed_free(cmd.feed);
        monitor_free(cmd.monitor);
        bridge_close(&cmd.bridge);
    }
    arena_done(&cmd.arena);
    return status;
}

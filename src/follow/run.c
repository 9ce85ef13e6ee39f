/* One node, followed from the beginning to the verdict, and what is told of it. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "base/vec.h"
#include "drive/bridge.h"
#include "follow/follow.h"
#include "follow/follow_int.h"
#include "job/load.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "monitor/selftest.h"
#include "report/report.h"
#include "tap/tap.h"

/* ---- telling ---- */

static void put_blindness(const struct follow *cmd, const struct monitor_counts *n,
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

static void put_summary(struct follow *cmd, struct strbuf *out)
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
    (void)fprintf(cmd->o.teller.err,
                  "%.2f us an event; %s %.1f on average, %" PRIu64 " at most; %.1f MB\n",
                  (double)cmd->ns / 1000 / each, cmd->exact ? "states" : "places kept",
                  (double)n.states_sum / each, n.states_most, (double)n.bytes / 1e6);
}

static int write_state(struct follow *cmd)
{
    SCOPED_STRBUF line = {0};
    struct err err = {0};
    monitor_state_line(cmd->monitor, &line);
    if (line.n == 0) {
        (void)fprintf(cmd->o.teller.err, "assay: the state of %s is not known; %s is not written\n",
                      cmd->node, cmd->state_out);
        return EXIT_OTHER;
    }
    if (file_write(cmd->state_out, strbuf_str(&line), &err) != 0) {
        (void)fprintf(cmd->o.teller.err, "assay: %s\n", err.text);
        return EXIT_OTHER;
    }
    return EXIT_OK;
}

/* For --report: a case for the node. */
static void add_case(struct follow *cmd, struct str text)
{
    enum monitor_verdict verdict = monitor_verdict(cmd->monitor);
    bool blind = monitor_blind(cmd->monitor);
    if (cmd->o.teller.report == NULL) {
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
    report_subject(cmd->o.teller.report, cmd->bridge.spec.model->name);
    report_add_case(cmd->o.teller.report, &c);
    if (c.outcome != REPORT_PASSED) {
        report_add_finding(cmd->o.teller.report, &f);
    }
    vec_release(line);
}

void follow_explain(struct follow *cmd, struct strbuf *out)
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

static int tell(struct follow *cmd)
{
    SCOPED_STRBUF out = {0};
    enum monitor_verdict verdict = monitor_verdict(cmd->monitor);
    put_summary(cmd, &out);
    if (verdict != MONITOR_OK) {
        follow_explain(cmd, &out);
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
    if (!silent && put_text(cmd->o.teller.out, strbuf_str(&out)) != 0) {
        return EXIT_OTHER;
    }
    return cmd->metrics.alarms != 0      ? EXIT_SAFETY
           : monitor_blind(cmd->monitor) ? EXIT_UNDECIDED
           : verdict == MONITOR_OK       ? EXIT_OK
           : verdict == MONITOR_ALARM    ? EXIT_SAFETY
                                         : EXIT_UNDECIDED;
}

static int describe(struct follow *cmd)
{
    SCOPED_STRBUF out = {0};
    struct err err = {0};
    monitor_describe(cmd->monitor, &out);
    if (follow_is_live(cmd) && follow_describe_live(cmd, &out, &err) != 0) {
        (void)fprintf(cmd->o.teller.err, "assay: %s\n", err.text);
        return EXIT_OTHER;
    }
    return put_text(cmd->o.teller.out, strbuf_str(&out)) == 0 ? EXIT_OK : EXIT_OTHER;
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

static int self_test(struct follow *cmd, const struct monitor_options *options)
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
        (void)fprintf(cmd->o.teller.err, "assay: %s\n", err.text);
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
    int told = put_text(cmd->o.teller.out, strbuf_str(&out));
    bool good = r.accepted == r.behaviours, nothing = made == 0;
    bool alarm = r.accepted + r.undecided < r.behaviours;
    selftest_done(&r);
    return told != 0          ? EXIT_OTHER
           : alarm            ? EXIT_SAFETY
           : good && !nothing ? EXIT_OK
                              : EXIT_UNDECIDED;
}

/* Of a file; a live one leaves it when it happens. */
static int left_bundle(struct follow *cmd)
{
    SCOPED_STRBUF dir = {0};
    struct err err = {0};
    if (cmd->bundle == NULL || follow_is_live(cmd) || monitor_verdict(cmd->monitor) == MONITOR_OK) {
        return 0;
    }
    if (follow_leave(cmd, &dir, &err) != 0) {
        (void)fprintf(cmd->o.teller.err, "assay: %s\n", err.text);
        return -1;
    }
    (void)fprintf(cmd->o.teller.err, "a bundle was left in %s\n", strbuf_cstr(&dir));
    return 0;
}

int follow_run(void *arg)
{
    struct follow *cmd = arg;
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
                                      .connections = cmd->capture != NULL || follow_is_live(cmd),
                                      .middle = cmd->running};
    if (cmd->self_test) {
        return self_test(cmd, &options);
    }
    int made = monitor_new(&options, &cmd->monitor, &err);
    if (made == 0 && cmd->dry_run) {
        return describe(cmd);
    }
    made = made != 0 ? made : follow_page_open(cmd, &err);
    uint64_t start = clock_thread_ns();
    made = made != 0              ? made
           : follow_is_live(cmd)  ? follow_live(cmd, &err)
           : cmd->capture != NULL ? follow_capture(cmd, &err)
                                  : follow_events(cmd, &err);
    cmd->ns = clock_thread_ns() - start;
    made = made != 0 ? made : follow_page_end(cmd, &err);
    if (made != 0) {
        (void)fprintf(cmd->o.teller.err, "assay: %s\n", err.text);
        return err.code == ERR_INVALID ? EXIT_CONFIG : EXIT_OTHER;
    }
    if (left_bundle(cmd) != 0) {
        return EXIT_OTHER;
    }
    return cmd->o.teller.flags->interrupt != 0 && !follow_is_live(cmd) ? EXIT_INTERRUPTED
                                                                       : tell(cmd);
}

void follow_done(struct follow *cmd)
{
    follow_page_close(cmd);
    tap_close(cmd->tap);
    follow_past_done(&cmd->past);
    feed_free(cmd->feed);
    monitor_free(cmd->monitor);
    bridge_close(&cmd->bridge);
}

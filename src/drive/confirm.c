/* A behaviour from a file, done by the real programs. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "conform/conform.h"
#include "drive/bridge.h"
#include "drive/drive.h"
#include "job/job.h"
#include "job/load.h"
#include "option/option.h"
#include "play/engine.h"
#include "report/report.h"
#include "run/record.h"
#include "trace/trace.h"
#include "value/value.h"

/* ---- the trace ---- */

__attribute__((noreturn)) static void no_fail(struct vctx *ctx, int code, const char *text)
{
    (void)ctx;
    assert_failed(__FILE__, __LINE__, "reading a trace", "%d %s", code, text);
}

static int read_trace(struct confirm_cmd *cmd, struct trace *ret, struct err *err)
{
    struct vctx ctx = {.arena = &cmd->arena,
                       .strings = cmd->bridge.spec.strings,
                       .set_size_max = UINT64_C(1) << 40,
                       .fail = no_fail};
    struct str text;
    int status = file_read(&cmd->arena, cmd->trace, (size_t)1 << 30, &text, err);
    status = status != 0 ? status : trace_read(&ctx, text, ret, err);
    return status != 0 ? err_wrap(err, "%s", cmd->trace) : 0;
}

/* ---- verdicts ---- */

enum confirm_verdict { CONFIRMED, AGREES, DIVERGED, NOT_EXECUTABLE, NOT_DECIDED };

static const struct {
    const char *name;
    int status;
} verdicts[] = {
    [CONFIRMED] = {"confirmed",      EXIT_OK       },
    [AGREES] = {"agrees",         EXIT_AGREES   },
    [DIVERGED] = {"diverged",       EXIT_SAFETY   },
    [NOT_EXECUTABLE] = {"not executable", EXIT_DEADLOCK },
    [NOT_DECIDED] = {"not decided",    EXIT_UNDECIDED},
};

static enum confirm_verdict verdict_of(const struct walk_result *r)
{
    if (r->finding.kind != FINDING_NONE) {
        return r->finding.kind == FINDING_MISSING ? NOT_EXECUTABLE : DIVERGED;
    }
    return r->judged == JUDGED_FALSE ? CONFIRMED : r->judged == JUDGED_NOT ? NOT_DECIDED : AGREES;
}

/* What the property reads, and how much of it was seen. */
static void put_reads(const struct walk_result *r, bool missing_only, struct strbuf *out)
{
    for (size_t i = 0; i < r->reads.n; i++) {
        const struct property_read *read = &r->reads.v[i];
        if (!missing_only || read->how != SEEN_ALL) {
            strbuf_printf(out, "%s%s%s %s",
                          out->n == 0    ? ""
                          : missing_only ? "; "
                                         : "\n",
                          missing_only ? "" : "  ", read->variable,
                          missing_only && read->how == SEEN_NOT ? "is not observed" : read->text);
        }
    }
}

static void put_verdict(const struct walk_result *r, struct strbuf *out)
{
    const struct finding *f = &r->finding;
    size_t last = r->steps.n != 0 ? r->steps.n - 1 : 0;
    const char *property = strbuf_cstr((struct strbuf *)&r->property);
    SCOPED_STRBUF missing = {0};
    switch (verdict_of(r)) {
    case CONFIRMED:
        strbuf_printf(
            out,
            "confirmed: the implementation does all %zu steps, every state agrees, and with the "
            "values observed\nat the end %s is false\n",
            last, property);
        break;
    case AGREES:
        strbuf_printf(out,
                      "agrees, but nothing is violated: the implementation does all %zu steps, and "
                      "no invariant or action\nproperty of the configuration is false at the end\n",
                      last);
        break;
    case DIVERGED:
        strbuf_printf(out, "diverged at step %zu, %.*s (%s of %.*s)\n", f->step, STR_ARG(f->action),
                      finding_name(f->kind), STR_ARG(f->variable));
        break;
    case NOT_EXECUTABLE:
        strbuf_printf(out, "not executable: step %zu, %.*s\n", f->step, STR_ARG(f->action));
        break;
    case NOT_DECIDED:
        put_reads(r, true, &missing);
        strbuf_printf(
            out,
            "not decided: %s\nThe implementation does all %zu steps, and what is observed "
            "agrees; but %s needs more than that.\n",
            strbuf_cstr(&missing), last, property);
        break;
    }
}

static void print_text(const struct confirm_cmd *cmd, const struct walk_result *r)
{
    SCOPED_STRBUF out = {0};
    put_verdict(r, &out);
    if (!cmd->o.quiet) {
        SCOPED_STRBUF reads = {0};
        put_reads(r, false, &reads);
        if (reads.n != 0) {
            strbuf_printf(&out, "%s reads:\n%s\n", strbuf_cstr((struct strbuf *)&r->property),
                          strbuf_cstr(&reads));
        }
        json_t *finding = bridge_finding_json(r, cmd->replay);
        bridge_finding_print(finding, &out);
        json_decref(finding);
    }
    (void)put_text(cmd->o.teller.out, strbuf_str(&out));
}

static void print_json(const struct confirm_cmd *cmd, const struct walk_result *r)
{
    json_t *json = bridge_finding_json(r, cmd->replay), *reads = json_object();
    (void)json_object_set_new(json, "verdict", json_string(verdicts[verdict_of(r)].name));
    if (r->judged != JUDGED_NOTHING) {
        (void)json_object_set_new(json, "property",
                                  json_string(strbuf_cstr((struct strbuf *)&r->property)));
        for (size_t i = 0; i < r->reads.n; i++) {
            (void)json_object_set_new(reads, r->reads.v[i].variable,
                                      json_string(r->reads.v[i].text));
        }
        (void)json_object_set(json, "reads", reads);
    }
    json_decref(reads);
    (void)json_dumpf(json, cmd->o.teller.out, JSON_INDENT(1));
    (void)fputc('\n', cmd->o.teller.out);
    json_decref(json);
}

/* For --report: confirmed is what was asked for. */
static void add_case(struct confirm_cmd *cmd, const struct walk_result *r)
{
    enum confirm_verdict verdict = verdict_of(r);
    const char *property = strbuf_cstr((struct strbuf *)&r->property);
    SCOPED_STRBUF text = {0};
    if (cmd->o.teller.report == NULL) {
        return;
    }
    put_verdict(r, &text);
    const char *all = strbuf_cstr(&text);
    struct report_case c = {.name = report_path(cmd->trace),
                            .outcome = verdict == CONFIRMED     ? REPORT_PASSED
                                       : verdict == NOT_DECIDED ? REPORT_ERROR
                                                                : REPORT_FAILED,
                            .kind = verdicts[verdict].name,
                            .message = all};
    report_subject(cmd->o.teller.report, cmd->bridge.spec.model->name);
    if (r->finding.kind != FINDING_NONE) {
        json_t *finding = bridge_finding_json(r, cmd->replay);
        bridge_finding_case(cmd->o.teller.report, finding, &c);
        bridge_finding_only(cmd->o.teller.report, &cmd->bridge.spec, finding);
        json_decref(finding);
        return;
    }
    report_add_case(cmd->o.teller.report, &c);
    struct report_finding f = {.rule = c.kind,
                               .level =
                                   verdict == CONFIRMED ? REPORT_LEVEL_NOTE : REPORT_LEVEL_ERROR,
                               .message = all,
                               .details = property[0] != '\0' ? property : NULL,
                               .place = {.file = report_path(cmd->trace)},
                               .artifact = cmd->replay};
    report_add_finding(cmd->o.teller.report, &f);
}

static int finish(struct confirm_cmd *cmd, struct walk_result *r, struct err *err)
{
    enum confirm_verdict verdict = verdict_of(r);
    r->record.outcome = verdicts[verdict].name;
    int status = record_write(&r->record, &cmd->bridge.cluster, cmd->replay, err);
    if (status != 0) {
        return status;
    }
    add_case(cmd, r);
    if (cmd->o.json) {
        print_json(cmd, r);
    } else {
        print_text(cmd, r);
    }
    return verdicts[verdict].status;
}

static int run_trace(struct confirm_cmd *cmd, struct err *err)
{
    struct conform *c = NULL;
    struct trace trace = {0};
    struct walk_result result = {0};
    struct conform_options options = {.map = cmd->bridge.map,
                                      .model = cmd->bridge.spec.model,
                                      .cluster = &cmd->bridge.cluster,
                                      .program = bridge_program(&cmd->o, &cmd->bridge),
                                      .dir = cmd->o.out,
                                      .cold = true,
                                      .beat_signal = cmd->o.beat_signal,
                                      .interrupted = &cmd->o.teller.flags->interrupt};
    int status = read_trace(cmd, &trace, err);
    status = status != 0 ? status : bridge_dir(&cmd->o, &cmd->bridge, err);
    if (status == 0) {
        status = conform_new(&options, &c, err);
        status = status != 0 ? status : conform_trace(c, &trace, &result, err);
    }
    status = status != 0 ? status : finish(cmd, &result, err);
    walk_result_done(&result);
    conform_free(c);
    return status;
}

static int confirm_main(void *arg)
{
    struct confirm_cmd *cmd = arg;
    struct err err = {0};
    int status = bridge_open(&cmd->o, &cmd->bridge);
    if (status == EXIT_OK) {
        (void)engine_pin(-1);
        cmd->replay = arena_printf(&cmd->arena, "%s/replay", cmd->o.out);
        status = run_trace(cmd, &err);
        if (status < 0) {
            (void)fprintf(cmd->o.teller.err, "assay confirm: %s\n", err.text);
            status = err.code == ERR_INVALID || err.code == ERR_CORRUPT ? EXIT_CONFIG
                     : err.code == ERR_INTERRUPTED                      ? EXIT_INTERRUPTED
                                                                        : EXIT_OTHER;
        }
    }
    bridge_close(&cmd->bridge);
    return status;
}

int drive_confirm(struct confirm_cmd *cmd)
{
    return job_on_big_stack(&cmd->o.teller, confirm_main, cmd);
}

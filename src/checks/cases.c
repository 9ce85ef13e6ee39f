/* What `assay check` has judged, for --report: a case for each property of the configuration, and a
 * finding with the steps that lead to it for each violation. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "check/check.h"
#include "checks/checks.h"
#include "job/job.h"
#include "job/tell.h"
#include "model/model.h"
#include "report/report.h"
#include "trace/trace.h"
#include "value/value.h"

/* The property that a violation is about; "" when it is about none. */
static const char *subject_of(struct check_cmd *cmd, const struct check_violation *v)
{
    const char *name = job_violation_config(&cmd->job, v);
    return v->verdict == VERDICT_DEADLOCK ? "deadlock"
           : name[0] != '\0'              ? name
           : v->error.property != NULL    ? v->error.property
                                          : "";
}

static struct report_place place_of(struct check_cmd *cmd, const struct check_violation *v)
{
    const struct spec *spec = &cmd->job.spec;
    const struct model *model = spec->model;
    struct mplace none = {0};
    if (v->error.nstack > 0) {
        return job_report_place(spec, &v->error.stack[v->error.nstack - 1]);
    }
    bool known = v->prop >= 0 && (uint32_t)v->prop < model->nprop &&
                 (v->verdict == VERDICT_INVARIANT || v->verdict == VERDICT_INVARIANT_INIT ||
                  v->verdict == VERDICT_INIT_PROPERTY || v->verdict == VERDICT_ACTION_PROPERTY);
    return job_report_place(spec, known ? &model->props[v->prop].place : &none);
}

static struct report_step *steps_of(struct check_cmd *cmd, const struct check_violation *v,
                                    struct arena *arena, size_t *ret_n)
{
    struct trace trace = {0};
    struct vctx ctx;
    struct err err = {0};
    *ret_n = 0;
    if (v->trace.nstep == 0 || job_trace_get(&cmd->job, v, arena, &trace, &ctx, &err) != 0) {
        return NULL;
    }
    struct report_step *steps = ARENA_ARRAY(arena, struct report_step, trace.nstate);
    for (size_t i = 0; i < trace.nstate; i++) {
        const struct trace_state *s = &trace.states[i];
        struct mplace place = {s->module, s->line, s->column, s->end_line, s->end_column};
        steps[i] = (struct report_step){s->label, job_report_place(&cmd->job.spec, &place)};
    }
    *ret_n = trace.nstate;
    return steps;
}

static void add_violation(struct check_cmd *cmd, const struct check_violation *v)
{
    struct arena arena;
    SCOPED_STRBUF text = {0};
    bool quiet = cmd->quiet;
    arena_init(&arena, 0);
    cmd->quiet = false;
    checks_violation_text(cmd, v, &text);
    cmd->quiet = quiet;
    const char *all = strbuf_cstr(&text);
    const char *line = strncmp(all, "error: ", 7) == 0 ? all + 7 : all;
    const char *subject = subject_of(cmd, v);
    bool failed = v->verdict != VERDICT_EVAL_ERROR && v->verdict != VERDICT_FAILED &&
                  v->verdict != VERDICT_NO_INIT;
    struct report_case c = {.group = cmd->job.spec.model->name,
                            .name = subject[0] != '\0' ? subject : "evaluation",
                            .outcome = failed ? REPORT_FAILED : REPORT_ERROR,
                            .kind = job_verdict_name(v->verdict),
                            .message = arena_strndup(&arena, line, strcspn(line, "\n")),
                            .details = all};
    struct report_finding f = {
        .rule = c.kind, .message = c.message, .details = all, .place = place_of(cmd, v)};
    f.steps = steps_of(cmd, v, &arena, &f.n_steps);
    report_add_both(cmd->teller.report, &c, &f);
    arena_done(&arena);
}

static bool is_violated(struct check_cmd *cmd, const char *name)
{
    const struct check_result *r = cmd->job.result;
    bool found = false;
    for (size_t i = 0; i < r->nviolation; i++) {
        found = found || strcmp(subject_of(cmd, &r->violations[i]), name) == 0;
    }
    return found;
}

/* A property that is not among the violations: it holds if the search saw everything. */
static void add_property(struct check_cmd *cmd, const char *name, bool decided)
{
    struct report_case c = {.group = cmd->job.spec.model->name,
                            .name = name,
                            .outcome = decided ? REPORT_PASSED : REPORT_SKIPPED,
                            .message = decided ? NULL : "the search ended before all was seen"};
    if (!is_violated(cmd, name)) {
        report_add_case(cmd->teller.report, &c);
    }
}

static const char *config_name(const struct mprop *prop)
{
    return prop->config != NULL ? prop->config : prop->name;
}

/* Whether an earlier property has the same name in the configuration. */
static bool named_before(const struct model *model, uint32_t at)
{
    bool before = false;
    for (uint32_t i = 0; i < at; i++) {
        before =
            before || strcmp(config_name(&model->props[i]), config_name(&model->props[at])) == 0;
    }
    return before;
}

static bool is_prop(const struct model *model, const char *name)
{
    bool found = false;
    for (uint32_t i = 0; i < model->nprop; i++) {
        found = found || strcmp(config_name(&model->props[i]), name) == 0;
    }
    return found;
}

void checks_cases(struct check_cmd *cmd, int status)
{
    const struct check_result *r = cmd->job.result;
    const struct model *model = cmd->job.spec.model;
    bool decided = status == EXIT_OK || (r->complete && r->nviolation > 0);
    if (cmd->teller.report == NULL) {
        return;
    }
    report_subject(cmd->teller.report, model->name);
    for (size_t i = 0; i < r->nviolation; i++) {
        add_violation(cmd, &r->violations[i]);
    }
    for (uint32_t i = 0; i < model->nprop; i++) {
        if (!named_before(model, i)) {
            add_property(cmd, config_name(&model->props[i]), decided);
        }
    }
    for (uint32_t i = 0; model->live != NULL && i < model->live->nprop; i++) {
        if (!is_prop(model, model->live->props[i].name)) {
            add_property(cmd, model->live->props[i].name, decided);
        }
    }
    if (model->check_deadlock) {
        add_property(cmd, "deadlock", decided);
    }
}

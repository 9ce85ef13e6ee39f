/* What a search has judged, for reports: a case for each property of the configuration, and a
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
#include "check/check.h"
#include "job/job.h"
#include "job/load.h"
#include "job/tell.h"
#include "model/model.h"
#include "report/report.h"
#include "trace/trace.h"
#include "value/value.h"

struct cases {
    struct job *job;
    struct report *report;
    job_text text; /* of a violation; NULL: our own */
    void *arg;
};

/* The property that a violation is about; "" when it is about none. */
static const char *subject_of(const struct cases *of, const struct check_violation *v)
{
    const char *name = job_violation_config(of->job, v);
    return v->verdict == VERDICT_DEADLOCK ? "deadlock"
           : name[0] != '\0'              ? name
           : v->error.property != NULL    ? v->error.property
                                          : "";
}

static struct report_place place_of(const struct cases *of, const struct check_violation *v)
{
    const struct spec *spec = &of->job->spec;
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

static struct report_step *steps_of(const struct cases *of, const struct check_violation *v,
                                    struct arena *arena, size_t *ret_n)
{
    struct trace trace = {0};
    struct vctx ctx;
    struct err err = {0};
    *ret_n = 0;
    if (v->trace.nstep == 0 || job_trace_get(of->job, v, arena, &trace, &ctx, &err) != 0) {
        return NULL;
    }
    struct report_step *steps = ARENA_ARRAY(arena, struct report_step, trace.nstate);
    for (size_t i = 0; i < trace.nstate; i++) {
        const struct trace_state *s = &trace.states[i];
        struct mplace place = {s->module, s->line, s->column, s->end_line, s->end_column};
        steps[i] = (struct report_step){s->label, job_report_place(&of->job->spec, &place)};
    }
    *ret_n = trace.nstate;
    return steps;
}

static void add_violation(const struct cases *of, const struct check_violation *v)
{
    struct arena arena;
    SCOPED_STRBUF text = {0};
    arena_init(&arena, 0);
    if (of->text != NULL) {
        of->text(of->arg, v, &text);
    } else {
        job_tell_violation(of->job, v, false, &text);
        job_tell_reason(of->job, v, &text);
    }
    const char *all = strbuf_cstr(&text);
    const char *line = strncmp(all, "error: ", 7) == 0 ? all + 7 : all;
    const char *subject = subject_of(of, v);
    bool failed = v->verdict != VERDICT_EVAL_ERROR && v->verdict != VERDICT_FAILED &&
                  v->verdict != VERDICT_NO_INIT;
    struct report_case c = {.group = of->job->spec.model->name,
                            .name = subject[0] != '\0' ? subject : "evaluation",
                            .outcome = failed ? REPORT_FAILED : REPORT_ERROR,
                            .kind = job_verdict_name(v->verdict),
                            .message = arena_strndup(&arena, line, strcspn(line, "\n")),
                            .details = all};
    struct report_finding f = {
        .rule = c.kind, .message = c.message, .details = all, .place = place_of(of, v)};
    f.steps = steps_of(of, v, &arena, &f.n_steps);
    report_add_both(of->report, &c, &f);
    arena_done(&arena);
}

static bool is_violated(const struct cases *of, const char *name)
{
    const struct check_result *r = of->job->result;
    bool found = false;
    for (size_t i = 0; i < r->nviolation; i++) {
        found = found || strcmp(subject_of(of, &r->violations[i]), name) == 0;
    }
    return found;
}

/* A property that is not among the violations: it holds if the search saw everything. */
static void add_property(const struct cases *of, const char *name, bool decided)
{
    struct report_case c = {.group = of->job->spec.model->name,
                            .name = name,
                            .outcome = decided ? REPORT_PASSED : REPORT_SKIPPED,
                            .message = decided ? NULL : "the search ended before all was seen"};
    if (!is_violated(of, name)) {
        report_add_case(of->report, &c);
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

void job_report_cases(struct job *job, struct report *report, int status, job_text text, void *arg)
{
    const struct cases cases = {job, report, text, arg};
    const struct cases *of = &cases;
    const struct check_result *r = job->result;
    const struct model *model = job->spec.model;
    bool decided = status == EXIT_OK || (r->complete && r->nviolation > 0);
    if (of->report == NULL) {
        return;
    }
    report_subject(of->report, model->name);
    for (size_t i = 0; i < r->nviolation; i++) {
        add_violation(of, &r->violations[i]);
    }
    for (uint32_t i = 0; i < model->nprop; i++) {
        if (!named_before(model, i)) {
            add_property(of, config_name(&model->props[i]), decided);
        }
    }
    for (uint32_t i = 0; model->live != NULL && i < model->live->nprop; i++) {
        if (!is_prop(model, model->live->props[i].name)) {
            add_property(of, model->live->props[i].name, decided);
        }
    }
    if (model->check_deadlock) {
        add_property(of, "deadlock", decided);
    }
}

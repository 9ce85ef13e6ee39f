/* Checking a specification. */
#include "check/check.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "api/api_int.h"
#include "api/assay.h"
#include "base/err.h"
#include "base/str.h"
#include "base/teller.h"
#include "job/job.h"
#include "job/tell.h"

struct checking {
    struct assay_spec *spec;
    struct assay_check_options options;
    struct assay_callbacks calls;
    struct assay_result result;
    struct api_job *job;
    struct stop_flags flags; /* of this check; assay_stop goes on to it */
    char **error;
    int status;
};

/* ---- while it runs ---- */

static void on_event(void *arg, enum check_event event, const struct check_progress *p,
                     const struct check_result *result)
{
    struct checking *c = arg;
    (void)result;
    if (event != CHECK_EV_PROGRESS || c->calls.progress == NULL) {
        return;
    }
    struct assay_progress progress = {.size = sizeof progress,
                                      .distinct = p->distinct,
                                      .generated = p->generated,
                                      .queued = p->queued,
                                      .depth = p->depth,
                                      .seconds = (double)p->elapsed_ns * 1e-9};
    if (c->calls.progress(c->calls.arg, &progress) != 0) {
        __atomic_store_n(&c->spec->flags.stop, 1, __ATOMIC_RELAXED);
    }
}

static void on_print(void *arg, const char *text, size_t n)
{
    struct checking *c = arg;
    if (c->calls.print != NULL) {
        c->calls.print(c->calls.arg, text, n);
    }
}

/* ---- what came of it ---- */

static void tell_violation(struct checking *c, const struct check_violation *v)
{
    struct job *job = &c->job->job;
    SCOPED_STRBUF text = {0};
    struct err err = {0};
    struct assay_trace *trace = NULL;
    job_tell_violation(job, v, false, &text);
    job_tell_reason(job, v, &text);
    if (v->trace.nstep > 0) {
        trace = api_trace_new(c->job);
        if (job_trace_get(job, v, &trace->arena, &trace->trace, &trace->ctx, &err) != 0) {
            assay_trace_free(trace);
            trace = NULL;
            strbuf_printf(&text, "the behaviour cannot be shown: %s\n", err.text);
        }
    }
    struct assay_violation told = {.size = sizeof told,
                                   .kind = job_verdict_name(v->verdict),
                                   .property = job_violation_config(job, v),
                                   .message = strbuf_cstr(&text),
                                   .trace = trace};
    c->calls.violation(c->calls.arg, &told);
    assay_trace_free(trace);
}

static int verdict_of(const struct check_result *r)
{
    switch (r->verdict) {
    case VERDICT_OK:
    case VERDICT_NO_INIT: return r->complete ? ASSAY_HOLDS : ASSAY_UNFINISHED;
    case VERDICT_INVARIANT:
    case VERDICT_INVARIANT_INIT:
    case VERDICT_INIT_PROPERTY:
    case VERDICT_ACTION_PROPERTY:
    case VERDICT_POSTCONDITION: return ASSAY_VIOLATED;
    case VERDICT_DEADLOCK: return ASSAY_DEADLOCK;
    case VERDICT_TEMPORAL: return ASSAY_LIVENESS;
    case VERDICT_EVAL_ERROR: return ASSAY_EVALUATION;
    case VERDICT_STOPPED: return ASSAY_UNFINISHED;
    case VERDICT_FAILED: break;
    }
    return -1;
}

static void take_result(struct checking *c)
{
    const struct check_result *r = c->job->job.result;
    c->status = verdict_of(r);
    if (c->status < 0) {
        (void)api_fail(c->error, "%s", r->failure.text);
        return;
    }
    c->result = (struct assay_result){.verdict = c->status,
                                      .status = job_status(&c->job->job),
                                      .complete = r->complete,
                                      .distinct = r->distinct,
                                      .generated = r->generated,
                                      .depth = r->depth,
                                      .violations = r->nviolation,
                                      .seconds = (double)r->elapsed_ns * 1e-9};
    for (size_t i = 0; c->calls.violation != NULL && i < r->nviolation; i++) {
        tell_violation(c, &r->violations[i]);
    }
}

/* ---- the check ---- */

static struct check_options options_of(struct checking *c)
{
    const struct assay_check_options *o = &c->options;
    bool random = o->mode == ASSAY_RANDOM;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return (struct check_options){
        .mode = random ? CHECK_SIMULATE : CHECK_BFS,
        .workers = o->workers > 0 ? o->workers
                   : cores > 0    ? (unsigned)cores
                                  : 1,
        .memory_bytes = o->memory_bytes,
        .depth_max = !random        ? 0
                     : o->depth > 0 ? o->depth
                                    : 100,
        .seed = o->seed,
        .simulate_num = o->behaviours,
        .stop_after_ns = o->seconds > 0 ? (uint64_t)(o->seconds * 1e9) : 0,
        .keep_going = o->keep_going != 0,
        .progress_s = o->progress_seconds > 0 ? o->progress_seconds : 1,
        .event = on_event,
        .event_arg = c,
    };
}

static void check_there(void *arg)
{
    struct checking *c = arg;
    struct check_options check = options_of(c);
    struct err err = {0};
    c->job = api_job_new(c->spec, &check, &c->spec->flags);
    c->job->job.print = on_print;
    c->job->job.print_arg = c;
    c->job->job.tier = c->options.interpreted ? TIER_INTERPRETER : TIER_AUTO;
    c->status = api_job_load(c->job, c->error);
    if (c->status == 0 && job_check(&c->job->job, &err) != 0) {
        c->status = api_fail(c->error, "%s", err.text);
    }
    if (c->status == 0) {
        take_result(c);
    }
    /* traces that the caller keeps may outlive this call, and with them the job */
    c->job->job.print = NULL;
    c->job->job.check.event = NULL;
    api_job_release(c->job);
}

int assay_check(assay_spec *spec, const struct assay_check_options *options,
                const struct assay_callbacks *callbacks, struct assay_result *result, char **error)
{
    struct checking c = {.spec = spec, .error = error, .status = -1};
    api_clear(error);
    api_take(&c.options, sizeof c.options, options);
    api_take(&c.calls, sizeof c.calls, callbacks);
    if (c.options.mode != ASSAY_BREADTH_FIRST && c.options.mode != ASSAY_RANDOM) {
        return api_fail(error, "there is no mode %d", c.options.mode);
    }
    api_spec_do(spec, check_there, &c);
    if (result != NULL) {
        size_t size = result->size < sizeof c.result ? result->size : sizeof c.result;
        c.result.size = result->size;
        memcpy(result, &c.result, size);
    }
    return c.status;
}

void assay_stop(assay_spec *spec)
{
    __atomic_store_n(&spec->flags.interrupt, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&spec->flags.stop, 1, __ATOMIC_RELAXED);
}

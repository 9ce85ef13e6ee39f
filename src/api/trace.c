/* Traces: read, looked at, written. */
#include "trace/trace.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "api/api_int.h"
#include "api/assay.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "job/job.h"
#include "value/value.h"

enum { FILE_MOST = 1 << 30 };

__attribute__((noreturn)) static void no_fail(struct vctx *ctx, int code, const char *text)
{
    (void)ctx;
    assert_failed(__FILE__, __LINE__, "reading a trace", "%d %s", code, text);
}

struct assay_trace *api_trace_new(struct api_job *job)
{
    struct assay_trace *trace = vec_grow(NULL, &(size_t){0}, 1, sizeof *trace);
    memset(trace, 0, sizeof *trace);
    arena_init(&trace->arena, 0);
    atomic_init(&trace->users, 1);
    trace->job = job;
    if (job != NULL) {
        atomic_fetch_add(&job->users, 1);
    } else {
        trace->strings = strtab_new();
        trace->ctx = (struct vctx){.arena = &trace->arena,
                                   .strings = trace->strings,
                                   .set_size_max = UINT64_C(1) << 40,
                                   .fail = no_fail};
    }
    return trace;
}

assay_trace *assay_trace_read(const char *path, char **error)
{
    struct str text;
    struct err err = {0};
    api_clear(error);
    struct assay_trace *trace = api_trace_new(NULL);
    int rc = file_read(&trace->arena, path, FILE_MOST, &text, &err);
    if (rc == 0 && trace_read(&trace->ctx, text, &trace->trace, &err) != 0) {
        rc = err_wrap(&err, "%s", path);
    }
    if (rc != 0) {
        (void)api_fail(error, "%s", err.text);
        assay_trace_free(trace);
        return NULL;
    }
    return trace;
}

int assay_trace_write(const assay_trace *trace, const char *path, char **error)
{
    struct trace_file file = {.path = path};
    struct err err = {0};
    struct arena arena;
    api_clear(error);
    if (!trace_format_of(path, &file.format)) {
        return api_fail(error,
                        "%s: the suffix says how a trace is written: .json, .itf.json, .tla, .dot "
                        "or .txt",
                        path);
    }
    struct trace copy = trace->trace; /* it gets the name of the file's module */
    arena_init(&arena, 0);
    struct vctx ctx = trace->ctx;
    ctx.arena = &arena;
    int rc = job_trace_write(&ctx, &copy, &file, &err);
    arena_done(&arena);
    return rc == 0 ? 0 : api_fail(error, "%s", err.text);
}

size_t assay_trace_length(const assay_trace *trace)
{
    return trace->trace.nstate;
}

int64_t assay_trace_loop(const assay_trace *trace)
{
    const struct trace *t = &trace->trace;
    return t->lasso                         ? (int64_t)t->loop
           : t->stuttering && t->nstate > 0 ? (int64_t)t->nstate - 1
                                            : -1;
}

const char *assay_trace_label(const assay_trace *trace, size_t at)
{
    return at < trace->trace.nstate ? trace->trace.states[at].label : NULL;
}

char *assay_trace_state(const assay_trace *trace, size_t at, char **error)
{
    const struct trace *t = &trace->trace;
    api_clear(error);
    if (at >= t->nstate) {
        (void)api_fail(error, "there is no state %zu: the trace has %zu", at, t->nstate);
        return NULL;
    }
    SCOPED_STRBUF out = {0};
    struct arena arena;
    struct err err = {0};
    arena_init(&arena, 0);
    struct vctx ctx = trace->ctx;
    ctx.arena = &arena;
    int rc = job_trace_state(&ctx, t, at, &out, &err);
    arena_done(&arena);
    if (rc != 0) {
        (void)api_fail(error, "%s", err.text);
        return NULL;
    }
    return api_text(strbuf_str(&out));
}

assay_trace *assay_trace_keep(const assay_trace *trace)
{
    struct assay_trace *kept = (struct assay_trace *)trace;
    atomic_fetch_add(&kept->users, 1);
    return kept;
}

void assay_trace_free(assay_trace *trace)
{
    if (trace == NULL || atomic_fetch_sub(&trace->users, 1) != 1) {
        return;
    }
    arena_done(&trace->arena);
    api_job_release(trace->job);
    strtab_free(trace->strings);
    vec_release(trace);
}

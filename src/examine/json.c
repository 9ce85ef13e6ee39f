/* The outcome of `assay check --json`: one JSON document on standard output.
 *
 *   {"version", "spec", "config", "verdict", "exit", "complete",
 *    "states": {...}, "properties": [...], "violations": [{"kind", "property", "message", "trace":
 * {...}}], "actions": [...], "coverage": [...], "warnings": [...], "diagnostics": [...], "output",
 * "time_s", ...} Values in traces are ITF's. Fields are added in later versions, never renamed. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "check/check.h"
#include "eval/eval.h"
#include "examine/examine.h"
#include "job/coverage.h"
#include "job/job.h"
#include "job/load.h"
#include "model/model.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "trace/trace.h"
#include "value/value.h"

/* "key": "text" with a comma in front. */
static void add_text(struct strbuf *out, const char *key, const char *text)
{
    strbuf_printf(out, ",\"%s\":", key);
    if (text == NULL) {
        strbuf_adds(out, "null");
    } else {
        json_write_string(str_of(text), out);
    }
}

static void add_number(struct strbuf *out, const char *key, uint64_t n)
{
    strbuf_printf(out, ",\"%s\":%" PRIu64, key, n);
}

static void add_place(struct strbuf *out, const struct mplace *place)
{
    if (place->line == 0) {
        strbuf_adds(out, "null");
        return;
    }
    strbuf_adds(out, "{\"module\":");
    json_write_string(str_of(place->module), out);
    strbuf_printf(out, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u}", place->line,
                  place->column, place->end_line, place->end_column);
}

/* ---- diagnostics ---- */
static void add_diags(struct check_cmd *cmd, struct strbuf *out)
{
    const struct spec *spec = &cmd->job.spec;
    static const char *const severities[] = {"note", "warning", "error"}; /* ORDER enum severity */
    strbuf_adds(out, ",\"diagnostics\":[");
    for (size_t i = 0; i < spec->diags.n; i++) {
        const struct diag *diag = spec->diags.v[i];
        strbuf_printf(out, "%s{\"code\":\"%c%04d\",\"severity\":\"%s\"", i > 0 ? "," : "",
                      diag->severity == SEV_ERROR ? 'E' : 'W', (int)diag->code,
                      severities[diag->severity]);
        add_text(out, "message", diag->text);
        add_text(out, "hint", diag->hint);
        const struct source *source =
            diag->has_span ? sources_get(&spec->sources, diag->span.file) : NULL;
        if (source != NULL) {
            struct place place = sources_place(&spec->sources, diag->span);
            add_text(out, "file", source->path);
            strbuf_printf(out, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u",
                          place.line, place.column, place.end_line, place.end_column);
        }
        strbuf_addc(out, '}');
    }
    strbuf_addc(out, ']');
}

/* ---- traces ---- */
static void add_state(struct vctx *ctx, const struct trace *trace, size_t index, struct strbuf *out)
{
    const struct trace_state *state = &trace->states[index];
    strbuf_printf(out, "%s{\"index\":%zu", index > 0 ? "," : "", index + 1);
    add_text(out, "label", state->label);
    add_text(out, "action", state->action);
    if (state->module != NULL && state->line > 0) {
        struct mplace place = {state->module, state->line, state->column, state->end_line,
                               state->end_column};
        strbuf_adds(out, ",\"place\":");
        add_place(out, &place);
    }
    if (state->nparam > 0) {
        strbuf_adds(out, ",\"arguments\":{");
        for (uint32_t i = 0; i < state->nparam; i++) {
            strbuf_adds(out, i > 0 ? "," : "");
            json_write_string(str_of(state->param_names[i]), out);
            strbuf_addc(out, ':');
            itf_write_val(ctx, state->param_vals[i], out);
        }
        strbuf_addc(out, '}');
    }
    strbuf_adds(out, ",\"values\":{");
    bool first = true;
    for (uint32_t i = 0; i < trace->nvar; i++) {
        if (val_is_undef(state->vals[i])) {
            continue;
        }
        strbuf_adds(out, first ? "" : ",");
        first = false;
        json_write_string(str_of(trace->vars[i]), out);
        strbuf_addc(out, ':');
        itf_write_val(ctx, state->vals[i], out);
    }
    strbuf_adds(out, "}}");
}

static void add_trace(struct check_cmd *cmd, const struct check_violation *v, struct strbuf *out)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct trace trace;
    struct vctx ctx;
    struct err err = {0};
    if (v->trace.nstep > 0 && job_trace_get(&cmd->job, v, &arena, &trace, &ctx, &err) == 0) {
        strbuf_adds(out, ",\"trace\":{\"states\":[");
        for (size_t i = 0; i < trace.nstate; i++) {
            add_state(&ctx, &trace, i, out);
        }
        strbuf_adds(out, "]");
        if (trace.lasso || trace.stuttering) {
            add_number(out, "loop", trace.stuttering ? trace.nstate : trace.loop + 1);
            strbuf_printf(out, ",\"stuttering\":%s", trace.stuttering ? "true" : "false");
        }
        strbuf_adds(out, "}");
    }
    arena_done(&arena);
}

static void add_violations(struct check_cmd *cmd, struct strbuf *out)
{
    const struct check_result *r = cmd->job.result;
    strbuf_adds(out, ",\"violations\":[");
    for (size_t i = 0; i < r->nviolation; i++) {
        const struct check_violation *v = &r->violations[i];
        const char *name = job_violation_config(&cmd->job, v);
        strbuf_printf(out, "%s{\"kind\":\"%s\"", i > 0 ? "," : "", job_verdict_name(v->verdict));
        add_text(out, "property", name[0] != '\0' ? name : v->error.property);
        if (v->error.code != 0 || v->error.text != NULL) {
            add_number(out, "code", v->error.code > 0 ? (uint64_t)v->error.code : 0);
            add_text(out, "message", v->error.text);
            strbuf_adds(out, ",\"stack\":[");
            for (size_t j = 0; j < v->error.nstack; j++) {
                strbuf_adds(out, j > 0 ? "," : "");
                add_place(out, &v->error.stack[j]);
            }
            strbuf_adds(out, "]");
        }
        add_trace(cmd, v, out);
        strbuf_addc(out, '}');
    }
    strbuf_addc(out, ']');
}

/* ---- the rest ---- */
static void add_properties(const struct model *model, struct strbuf *out)
{
    static const char *const kinds[] = {"invariant", "initial", "action",
                                        "temporal"}; /* ORDER enum mprop_kind */
    strbuf_printf(out, ",\"deadlock_checked\":%s,\"properties\":[",
                  model->check_deadlock ? "true" : "false");
    for (uint32_t i = 0; i < model->nprop; i++) {
        strbuf_printf(out, "%s{\"kind\":\"%s\"", i > 0 ? "," : "", kinds[model->props[i].kind]);
        add_text(out, "name", model->props[i].name);
        strbuf_addc(out, '}');
    }
    strbuf_adds(out, "],\"temporal\":[");
    for (uint32_t i = 0; model->live != NULL && i < model->live->nprop; i++) {
        strbuf_adds(out, i > 0 ? "," : "");
        json_write_string(str_of(model->live->props[i].name), out);
    }
    strbuf_addc(out, ']');
}

static void add_actions(const struct model *model, const struct check_result *r, struct strbuf *out)
{
    strbuf_adds(out, ",\"actions\":[");
    for (uint32_t i = 0; i < model->naction; i++) {
        strbuf_adds(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        json_write_string(str_of(model->actions[i].name), out);
        strbuf_adds(out, ",\"place\":");
        add_place(out, &model->actions[i].place);
        if (r->action_generated != NULL && r->action_distinct != NULL) {
            add_number(out, "generated", r->action_generated[i]);
            add_number(out, "distinct", r->action_distinct[i]);
        }
        strbuf_addc(out, '}');
    }
    strbuf_addc(out, ']');
}

static void add_coverage(struct check_cmd *cmd, struct strbuf *out)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct coverage_row *rows = NULL;
    size_t n = coverage_rows(&cmd->job.spec, &arena, &rows);
    strbuf_adds(out, ",\"coverage\":[");
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(out, i > 0 ? ",{\"place\":" : "{\"place\":");
        add_place(out, &rows[i].place);
        add_number(out, "count", rows[i].count);
        add_number(out, "cost", rows[i].cost);
        strbuf_addc(out, '}');
    }
    strbuf_addc(out, ']');
    arena_done(&arena);
}

void examine_json_warning(struct strbuf *rows, int code, const char *text)
{
    strbuf_printf(rows, "%s{\"code\":%d", rows->n > 0 ? "," : "", code);
    add_text(rows, "message", text);
    strbuf_addc(rows, '}');
}

/* Those of the model, and what was said while it was checked. */
static void add_warnings(const struct check_cmd *cmd, struct strbuf *out)
{
    size_t n = 0;
    const struct eval_warning *warnings = model_warnings(cmd->job.spec.model, &n);
    SCOPED_STRBUF rows = {0};
    for (size_t i = 0; i < n; i++) {
        examine_json_warning(&rows, warnings[i].code, warnings[i].text);
    }
    strbuf_adds(&rows, rows.n > 0 && cmd->warned.n > 0 ? "," : "");
    strbuf_addstr(&rows, strbuf_str(&cmd->warned));
    strbuf_printf(out, ",\"warnings\":[%s]", strbuf_cstr(&rows));
}

static void add_result(struct check_cmd *cmd, struct strbuf *out)
{
    const struct check_result *r = cmd->job.result;
    const struct model *model = cmd->job.spec.model;
    /* ORDER enum job_stop */
    static const char *const stops[] = {NULL, "interrupted", "time", "depth", "spec"};
    strbuf_printf(out, ",\"complete\":%s", r->complete ? "true" : "false");
    add_text(out, "stopped_by", stops[job_stopped_by(&cmd->job)]);
    strbuf_printf(out, ",\"states\":{\"generated\":%" PRIu64, r->generated);
    add_number(out, "distinct", r->distinct);
    add_number(out, "queued", r->queued);
    add_number(out, "depth", r->depth);
    add_number(out, "initial", r->init_distinct);
    strbuf_addc(out, '}');
    if (cmd->mode == CHECK_SIMULATE) {
        add_number(out, "traces", r->traces);
    }
    add_number(out, "seed", cmd->seed);
    add_number(out, "workers", cmd->workers);
    add_properties(model, out);
    add_violations(cmd, out);
    add_actions(model, r, out);
    if (cmd->coverage) {
        add_coverage(cmd, out);
    }
    add_warnings(cmd, out);
    reduce_json(cmd, out);
    if (r->verdict == VERDICT_FAILED) {
        add_text(out, "failure", r->failure.text);
    }
    strbuf_printf(out, ",\"collision_probability\":%g", r->collision_optimistic);
    strbuf_printf(out, ",\"time_s\":%.6f", (double)r->elapsed_ns / 1e9);
    add_number(out, "memory_bytes", r->memory_peak_bytes);
    add_number(out, "disk_bytes", r->disk_bytes);
    if (cmd->progress != NULL) {
        examine_progress_json(cmd->progress, out);
    }
}

void examine_json(struct check_cmd *cmd, int status, const char *failure)
{
    const struct check_result *r = cmd->job.result;
    SCOPED_STRBUF out = {0};
    strbuf_adds(&out, "{\"assay\":\"" ASSAY_VERSION "\"");
    add_text(&out, "spec", cmd->job.spec.module_path);
    add_text(&out, "config", cmd->job.spec.config_path);
    enum verdict verdict = r == NULL                                     ? VERDICT_FAILED
                           : job_stopped_by(&cmd->job) == JOB_STOP_DEPTH ? VERDICT_STOPPED
                                                                         : r->verdict;
    add_text(&out, "verdict", r != NULL ? job_verdict_name(verdict) : "error");
    strbuf_printf(&out, ",\"exit\":%d", status);
    if (r != NULL) {
        add_result(cmd, &out);
    } else {
        add_text(&out, "failure", failure);
    }
    add_diags(cmd, &out);
    if (cmd->user.n > 0) {
        strbuf_adds(&out, ",\"output\":");
        json_write_string(strbuf_str(&cmd->user), &out);
    }
    strbuf_adds(&out, "}\n");
    (void)put_text(cmd->teller.out, strbuf_str(&out));
    (void)fflush(cmd->teller.out);
}

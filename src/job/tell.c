/* Diagnostics and start-up failures as text, with excerpts of the source. */
#include "job/tell.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/human.h"
#include "base/map.h"
#include "base/str.h"
#include "check/check.h"
#include "eval/eval.h"
#include "job/job.h"
#include "job/load.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"

void job_tell_diags(const struct spec *spec, bool color, struct strbuf *out)
{
    for (size_t i = 0; i < spec->diags.n; i++) {
        diag_print(&spec->sources, spec->diags.v[i], color, out);
    }
    if (spec->diags.errors > 1) {
        strbuf_printf(out, "%zu errors\n", spec->diags.errors);
    }
}

/* An excerpt of the source at a place, under a note. */
static void excerpt(const struct spec *spec, struct span span, const char *note, bool color,
                    struct strbuf *out)
{
    struct diag diag = {.severity = SEV_NOTE, .span = span, .has_span = true, .text = note};
    diag_print(&spec->sources, &diag, color, out);
}

/* The offset of a line and column (in code points, 1-based). */
static uint32_t offset_of(const struct source *source, uint32_t line, uint32_t column)
{
    if (line < 1 || line > source->lines) {
        return (uint32_t)source->text.n;
    }
    uint32_t at = source->line_begin[line - 1];
    for (uint32_t i = 1; i < column && at < source->text.n && source->text.p[at] != '\n'; i++) {
        at++;
        while (at < source->text.n && ((unsigned char)source->text.p[at] & 0xc0) == 0x80) {
            at++;
        }
    }
    return at;
}

static bool span_of(const struct spec *spec, const struct mplace *place, struct span *ret)
{
    if (place->line == 0 || place->module == NULL) {
        return false;
    }
    const struct module *module = strmap_get(&spec->program.modules, str_of(place->module));
    if (module == NULL || module->source == NULL) {
        return false;
    }
    uint32_t begin = offset_of(module->source, place->line, place->column);
    uint32_t end = offset_of(module->source, place->end_line, place->end_column + 1);
    *ret = (struct span){module->source->id, begin, end > begin ? end : begin + 1};
    return true;
}

bool job_tell_place(const struct spec *spec, const struct mplace *place, const char *note,
                    bool color, struct strbuf *out)
{
    struct span span;
    if (!span_of(spec, place, &span)) {
        return false;
    }
    excerpt(spec, span, note, color, out);
    return true;
}

/* The innermost places of an evaluation, each with its line. */
void job_tell_stack(const struct spec *spec, const struct mplace *stack, size_t n, bool color,
                    struct strbuf *out)
{
    struct span span;
    if (n == 0) {
        return;
    }
    if (span_of(spec, &stack[n - 1], &span)) {
        excerpt(spec, span, "while evaluating this", color, out);
    }
    if (n > 1) {
        strbuf_adds(out, "  called from");
        for (size_t k = 1; k < n && k < 8; k++) {
            const struct mplace *place = &stack[n - 1 - k];
            strbuf_printf(out, "%s %s:%u:%u", k > 1 ? "," : "", place->module, place->line,
                          place->column);
        }
        strbuf_adds(out, "\n");
    }
}

void job_tell_issue(const struct spec *spec, const struct eval_issue *issue, bool color,
                    struct strbuf *out)
{
    struct palette pal = palette_get(color);
    struct span span;
    strbuf_printf(out, "%serror:%s %s\n", pal.red, pal.reset,
                  issue->text != NULL ? issue->text : "the model cannot be made");
    if (issue->has_span) {
        excerpt(spec, issue->span, "here", color, out);
    }
    if (issue->nstack > 0 && span_of(spec, &issue->stack[issue->nstack - 1], &span)) {
        job_tell_stack(spec, issue->stack, issue->nstack, color, out); /* in a module */
    }
    if (issue->hint != NULL) {
        strbuf_printf(out, "  hint: %s\n", issue->hint);
    }
}

/* ---- violations ---- */
struct explain {
    const struct check_violation *v;
    size_t at;
    struct strbuf *out;
};

static int explain_step(void *arg, size_t index, struct mworker *worker, const char *label,
                        uint32_t action, const struct mvalues *args)
{
    struct explain *explain = arg;
    (void)label;
    (void)action;
    (void)args;
    if (index != explain->at) {
        return 0;
    }
    const struct check_trace *trace = &explain->v->trace;
    const struct check_step *next =
        explain->at + 1 < trace->nstep ? &trace->steps[explain->at + 1] : NULL;
    (void)worker->model->ops->explain(worker, (uint32_t)explain->v->prop,
                                      next != NULL ? next->bytes : NULL,
                                      next != NULL ? next->len : 0, explain->out);
    return 1;
}

/* Which conjunct failed, with which values. */
void job_tell_reason(const struct job *job, const struct check_violation *v, struct strbuf *out)
{
    bool action = v->verdict == VERDICT_ACTION_PROPERTY;
    bool state = v->verdict == VERDICT_INVARIANT || v->verdict == VERDICT_INVARIANT_INIT ||
                 v->verdict == VERDICT_INIT_PROPERTY;
    if ((!action && !state) || v->prop < 0 || v->trace.nstep < (action ? 2U : 1U)) {
        return;
    }
    SCOPED_STRBUF text = {0};
    struct explain explain = {.v = v, .at = v->trace.nstep - (action ? 2 : 1), .out = &text};
    struct err err = {0};
    int rc = check_trace_walk(job->model, &v->trace, explain_step, &explain, &err);
    if (rc < 0 || text.n == 0) {
        return;
    }
    for (const char *line = strbuf_cstr(&text); *line != '\0';) {
        size_t len = strcspn(line, "\n");
        strbuf_printf(out, "  %.*s\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
}

static void tell_eval_error(const struct job *job, const struct check_violation *v, bool color,
                            struct strbuf *out)
{
    static const char *const phases[] = {"a step",   "invariant",         "a constraint",
                                         "property", "temporal property", "postcondition"};
    struct palette pal = palette_get(color);
    const char *name = job_violation_config(job, v);
    int phase = v->phase >= 0 && v->phase < 6 ? v->phase : 0;
    strbuf_printf(out, "%serror:%s evaluating %s%s%s failed\n", pal.red, pal.reset,
                  v->error_in_init && phase == 0 ? "the initial predicate" : phases[phase],
                  name[0] != '\0' ? " " : "", name);
    const char *text = v->error.text != NULL ? v->error.text : "";
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        strbuf_printf(out, "  %.*s\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
    job_tell_stack(&job->spec, v->error.stack, v->error.nstack, color, out);
}

void job_tell_violation(const struct job *job, const struct check_violation *v, bool color,
                        struct strbuf *out)
{
    const char *name = job_violation_config(job, v);
    struct palette pal = palette_get(color);
    switch (v->verdict) {
    case VERDICT_INVARIANT:
        strbuf_printf(out, "%serror:%s invariant %s is violated\n", pal.red, pal.reset, name);
        break;
    case VERDICT_INVARIANT_INIT:
        strbuf_printf(out, "%serror:%s invariant %s is violated by an initial state\n", pal.red,
                      pal.reset, name);
        break;
    case VERDICT_INIT_PROPERTY:
        strbuf_printf(out, "%serror:%s property %s is violated by an initial state\n", pal.red,
                      pal.reset, name);
        break;
    case VERDICT_ACTION_PROPERTY:
        strbuf_printf(out, "%serror:%s action property %s is violated by the last step\n", pal.red,
                      pal.reset, name);
        break;
    case VERDICT_DEADLOCK: strbuf_printf(out, "%serror:%s deadlock\n", pal.red, pal.reset); break;
    case VERDICT_TEMPORAL:
        strbuf_printf(out, "%serror:%s temporal property %s is violated%s\n", pal.red, pal.reset,
                      name, v->trace.finite ? " by these states, whatever follows" : "");
        break;
    case VERDICT_POSTCONDITION:
        strbuf_printf(out, "%serror:%s postcondition %s is false\n", pal.red, pal.reset,
                      v->error.property != NULL ? v->error.property : name);
        break;
    case VERDICT_EVAL_ERROR: tell_eval_error(job, v, color, out); break;
    default: break;
    }
}

/* What `assay check` shows people: progress on standard error, the verdict with its reason, the
 * behaviour with changes marked. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "check/check.h"
#include "cli/check_cmd.h"
#include "cli/cli.h"
#include "cli/reports.h"
#include "eval/eval.h"
#include "job/coverage.h"
#include "job/job.h"
#include "job/load.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"

/* ---- progress ---- */
void check_progress_clear(struct check_cmd *cmd)
{
    if (cmd->progress_shown) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
        cmd->progress_shown = false;
    }
}

static void progress_line(struct check_cmd *cmd, const struct check_progress *p,
                          struct strbuf *line)
{
    uint64_t dt = p->elapsed_ns - cmd->last_ns;
    /* a search that began anew has made fewer than it had */
    uint64_t made = p->generated - (p->generated < cmd->last_generated ? 0 : cmd->last_generated);
    double rate = dt > 0 ? (double)made * 1e9 / (double)dt : 0;
    print_count(line, p->distinct > 0 ? p->distinct : p->generated);
    strbuf_adds(line, p->distinct > 0 ? " distinct, " : " states, ");
    print_count(line, p->generated);
    strbuf_adds(line, " generated, ");
    print_si(line, rate);
    strbuf_adds(line, "/s");
    if (cmd->mode == CHECK_SIMULATE) {
        strbuf_adds(line, ", ");
        print_count(line, p->traces);
        strbuf_adds(line, " traces");
    } else {
        strbuf_adds(line, ", queue ");
        print_count(line, p->queued);
        strbuf_printf(line, ", depth %" PRIu64, p->depth);
    }
    strbuf_adds(line, ", ");
    print_bytes(line, p->memory_bytes);
    if (p->disk_bytes > 0) {
        strbuf_adds(line, " + ");
        print_bytes(line, p->disk_bytes);
        strbuf_adds(line, " disk");
    }
    strbuf_adds(line, ", ");
    print_seconds(line, p->elapsed_ns);
    cmd->last_ns = p->elapsed_ns;
    cmd->last_generated = p->generated;
}

static void show_progress(struct check_cmd *cmd, const struct check_progress *p)
{
    if (cmd->quiet || cmd->json) {
        return;
    }
    SCOPED_STRBUF line = {0};
    if (cmd->phase != NULL) {
        strbuf_printf(&line, "%s: ", cmd->phase);
    }
    progress_line(cmd, p, &line);
    if (cmd->progress_tty) {
        (void)fprintf(stderr, "\r\033[K%s", strbuf_cstr(&line));
        cmd->progress_shown = true;
    } else {
        (void)fprintf(stderr, "progress: %s\n", strbuf_cstr(&line));
    }
    (void)fflush(stderr);
}

void check_progress_event(void *arg, enum check_event event, const struct check_progress *p,
                          const struct check_result *result)
{
    struct check_cmd *cmd = arg;
    (void)result;
    switch (event) {
    case CHECK_EV_INIT_START: cmd->phase = "initial states"; break;
    case CHECK_EV_INIT_DONE: cmd->phase = NULL; break;
    case CHECK_EV_PROGRESS: show_progress(cmd, p); break;
    case CHECK_EV_LIVE_START:
        cmd->phase = "temporal properties";
        if (cmd->progress_tty) {
            show_progress(cmd, p);
        }
        break;
    case CHECK_EV_LIVE_DONE: cmd->phase = NULL; break;
    case CHECK_EV_CHECKPOINT_START:
    case CHECK_EV_CHECKPOINT_DONE:
    case CHECK_EV_LEVEL:
    case CHECK_EV_VIOLATION: break;
    case CHECK_EV_RECOVERED:
        if (!cmd->quiet && !cmd->json) {
            SCOPED_STRBUF text = {0};
            print_count(&text, p->distinct);
            (void)fprintf(stderr, "resumed: %s distinct states, ", strbuf_cstr(&text));
            strbuf_reset(&text);
            print_count(&text, p->queued);
            (void)fprintf(stderr, "%s on the queue\n", strbuf_cstr(&text));
        }
        break;
    }
}

/* ---- source excerpts ---- */
void report_diags(const struct spec *spec, bool color, struct strbuf *out)
{
    reports_diags(spec);
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

/* The innermost places of an evaluation, each with its line. */
static void stack_excerpt(const struct spec *spec, const struct mplace *stack, size_t n, bool color,
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

void report_issue(const struct spec *spec, const struct eval_issue *issue, bool color,
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
        stack_excerpt(spec, issue->stack, issue->nstack, color, out); /* in a module */
    }
    if (issue->hint != NULL) {
        strbuf_printf(out, "  hint: %s\n", issue->hint);
    }
}

/* ---- reasons ---- */
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
static void print_reason(struct check_cmd *cmd, const struct check_violation *v, struct strbuf *out)
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
    int rc = check_trace_walk(cmd->job.model, &v->trace, explain_step, &explain, &err);
    if (rc < 0 || text.n == 0) {
        return;
    }
    for (const char *line = strbuf_cstr(&text); *line != '\0';) {
        size_t len = strcspn(line, "\n");
        strbuf_printf(out, "  %.*s\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
}

static void print_hint(struct check_cmd *cmd, const struct check_violation *v, struct strbuf *out)
{
    const char *hint = NULL;
    if (v->verdict == VERDICT_DEADLOCK) {
        hint = "the last state has no successor. If that is how the system ends, allow it with a "
               "step that\n"
               "        changes nothing (Done /\\ UNCHANGED vars), or check without this test: "
               "--no-deadlock";
    } else if (v->verdict == VERDICT_TEMPORAL && v->trace.stuttering) {
        bool fair =
            cmd->job.spec.model->live != NULL && cmd->job.spec.model->live->fairness != NULL;
        hint = fair ? "no fairness condition of the specification forces a step in the last state"
                    : "the specification promises no progress: conjoin fairness, for example "
                      "WF_vars(Next)";
    } else if (v->verdict == VERDICT_EVAL_ERROR && v->error.fatal_memory) {
        hint = "a recursion without end, or a set too large to be made; see --max-set-size";
    }
    if (hint != NULL) {
        strbuf_printf(out, "  %shint:%s %s\n", cmd->pal.green, cmd->pal.reset, hint);
    }
}

static void print_eval_error(struct check_cmd *cmd, const struct check_violation *v,
                             struct strbuf *out)
{
    static const char *const phases[] = {"a step",   "invariant",         "a constraint",
                                         "property", "temporal property", "postcondition"};
    const char *name = job_violation_config(&cmd->job, v);
    int phase = v->phase >= 0 && v->phase < 6 ? v->phase : 0;
    strbuf_printf(out, "%serror:%s evaluating %s%s%s failed\n", cmd->pal.red, cmd->pal.reset,
                  v->error_in_init && phase == 0 ? "the initial predicate" : phases[phase],
                  name[0] != '\0' ? " " : "", name);
    const char *text = v->error.text != NULL ? v->error.text : "";
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        strbuf_printf(out, "  %.*s\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
    stack_excerpt(&cmd->job.spec, v->error.stack, v->error.nstack, cmd->pal.bold[0] != '\0', out);
}

static void print_violation(struct check_cmd *cmd, const struct check_violation *v,
                            struct strbuf *out)
{
    enum { REASON_MAX = 5 }; /* lines above a behaviour; the others come below it */
    size_t begin = out->n;
    SCOPED_STRBUF reason = {0};
    const char *name = job_violation_config(&cmd->job, v);
    const struct palette *pal = &cmd->pal;
    switch (v->verdict) {
    case VERDICT_INVARIANT:
        strbuf_printf(out, "%serror:%s invariant %s is violated\n", pal->red, pal->reset, name);
        break;
    case VERDICT_INVARIANT_INIT:
        strbuf_printf(out, "%serror:%s invariant %s is violated by an initial state\n", pal->red,
                      pal->reset, name);
        break;
    case VERDICT_INIT_PROPERTY:
        strbuf_printf(out, "%serror:%s property %s is violated by an initial state\n", pal->red,
                      pal->reset, name);
        break;
    case VERDICT_ACTION_PROPERTY:
        strbuf_printf(out, "%serror:%s action property %s is violated by the last step\n", pal->red,
                      pal->reset, name);
        break;
    case VERDICT_DEADLOCK: strbuf_printf(out, "%serror:%s deadlock\n", pal->red, pal->reset); break;
    case VERDICT_TEMPORAL:
        strbuf_printf(out, "%serror:%s temporal property %s is violated%s\n", pal->red, pal->reset,
                      name, v->trace.finite ? " by these states, whatever follows" : "");
        break;
    case VERDICT_POSTCONDITION:
        strbuf_printf(out, "%serror:%s postcondition %s is false\n", pal->red, pal->reset,
                      v->error.property != NULL ? v->error.property : name);
        break;
    case VERDICT_EVAL_ERROR: print_eval_error(cmd, v, out); break;
    default: break;
    }
    print_reason(cmd, v, &reason);
    if (cmd->quiet) {
        strbuf_addstr(out, strbuf_str(&reason));
        return;
    }
    bool cut = check_print_some(strbuf_str(&reason), REASON_MAX, ", below", out);
    print_hint(cmd, v, out);
    if (v->trace.nstep > 0) {
        check_print_behaviour(cmd, v, begin, out);
    }
    if (cut) {
        strbuf_printf(out, "why, in full:\n%s", strbuf_cstr(&reason));
    }
}

void check_violation_text(struct check_cmd *cmd, const struct check_violation *v,
                          struct strbuf *out)
{
    struct palette pal = cmd->pal;
    cmd->pal = palette_get(false);
    print_violation(cmd, v, out);
    cmd->pal = pal;
}

/* ---- summary ---- */
static void print_names(const struct model *model, unsigned kinds, const char *title,
                        struct strbuf *out)
{
    bool any = false;
    for (uint32_t i = 0; i < model->nprop; i++) {
        if ((kinds & (1U << model->props[i].kind)) != 0) {
            strbuf_printf(out, "%s%s", any ? ", " : title, model->props[i].name);
            any = true;
        }
    }
    for (uint32_t i = 0;
         (kinds & (1U << MPROP_TEMPORAL)) != 0 && model->live != NULL && i < model->live->nprop;
         i++) {
        const char *name = model->live->props[i].name;
        bool listed = false;
        for (uint32_t j = 0; j < model->nprop; j++) {
            listed = listed || strcmp(model->props[j].name, name) == 0;
        }
        if (!listed) {
            strbuf_printf(out, "%s%s", any ? ", " : title, name);
            any = true;
        }
    }
    if (any) {
        strbuf_adds(out, "; ");
    }
}

static void print_counts(struct check_cmd *cmd, struct strbuf *out)
{
    const struct check_result *r = cmd->job.result;
    print_count(out, r->generated);
    strbuf_adds(out, " states generated");
    if (cmd->mode == CHECK_SIMULATE) {
        strbuf_adds(out, " in ");
        print_count(out, r->traces);
        strbuf_printf(out, " traces (seed %" PRIu64 ")", cmd->seed);
        if (r->distinct > 0) {
            strbuf_adds(out, ", ");
            print_count(out, r->distinct);
            strbuf_adds(out, " distinct");
        }
    } else {
        strbuf_adds(out, ", ");
        print_count(out, r->distinct);
        strbuf_printf(out, " distinct, depth %" PRIu64, r->depth);
        if (r->queued > 0) {
            strbuf_adds(out, ", ");
            print_count(out, r->queued);
            strbuf_adds(out, " left on the queue");
        }
    }
    strbuf_addc(out, '\n');
}

static void print_cost(struct check_cmd *cmd, struct strbuf *out)
{
    const struct check_result *r = cmd->job.result;
    print_seconds(out, r->elapsed_ns);
    strbuf_printf(out, ", %u worker%s, ", cmd->workers, cmd->workers == 1 ? "" : "s");
    double seconds = (double)r->elapsed_ns / 1e9;
    print_si(out, seconds > 0 ? (double)r->generated / seconds : 0);
    strbuf_adds(out, " states/s, ");
    print_bytes(out, r->memory_peak_bytes);
    if (r->disk_bytes > 0) {
        strbuf_adds(out, " and ");
        print_bytes(out, r->disk_bytes);
        strbuf_adds(out, " on disk");
    }
    strbuf_addc(out, '\n');
}

/* What the actions did, and which expressions were never evaluated. */
static void print_coverage(struct check_cmd *cmd, struct strbuf *out)
{
    const struct model *model = cmd->job.spec.model;
    const struct check_result *r = cmd->job.result;
    const struct spec *spec = &cmd->job.spec;
    struct arena arena;
    arena_init(&arena, 0);
    strbuf_adds(out, "coverage:\n");
    for (uint32_t i = 0;
         i < model->naction && r->action_generated != NULL && r->action_distinct != NULL; i++) {
        const struct maction *action = &model->actions[i];
        strbuf_printf(out, "  %s%s%s (%s:%u): ", cmd->pal.bold, action->name, cmd->pal.reset,
                      action->place.module, action->place.line);
        print_count(out, r->action_generated[i]);
        strbuf_adds(out, " states, ");
        print_count(out, r->action_distinct[i]);
        strbuf_adds(out, " of them new\n");
    }
    struct coverage_row *rows = NULL;
    size_t n = coverage_rows(spec, &arena, &rows);
    const struct mplace *shown = NULL;
    for (size_t i = 0; i < n; i++) {
        struct span span;
        bool inside = shown != NULL && place_contains(shown, &rows[i].place);
        if (rows[i].count > 0 || inside || coverage_is_hidden(spec, rows, n, i) ||
            !span_of(spec, &rows[i].place, &span)) {
            continue;
        }
        shown = &rows[i].place;
        excerpt(spec, span, "never evaluated", cmd->pal.bold[0] != '\0', out);
    }
    strbuf_printf(out, "  %zu expressions counted; --json has the numbers\n", n);
    arena_done(&arena);
}

/* Actions that never happened: often a slip in a guard. */
static void print_dead_actions(struct check_cmd *cmd, struct strbuf *out)
{
    const struct model *model = cmd->job.spec.model;
    const struct check_result *r = cmd->job.result;
    if (r->action_generated == NULL || !r->complete) {
        return;
    }
    for (uint32_t i = 0; i < model->naction; i++) {
        bool seen = false;
        bool first = true;
        for (uint32_t j = 0; j < model->naction; j++) {
            bool same = strcmp(model->actions[i].name, model->actions[j].name) == 0;
            seen = seen || (same && r->action_generated[j] > 0);
            first = first && !(same && j < i);
        }
        if (!seen && first) {
            strbuf_printf(out, "%swarning:%s action %s (%s:%u) never happened\n", cmd->pal.yellow,
                          cmd->pal.reset, model->actions[i].name, model->actions[i].place.module,
                          model->actions[i].place.line);
        }
    }
}

static void print_stopped(const struct check_cmd *cmd, struct strbuf *out)
{
    /* ORDER enum check_stop */
    static const char *const reasons[] = {"", "interrupted", "out of time",
                                          "there is more below the greatest depth",
                                          "the spec asked to end"};
    strbuf_printf(out, "%sstopped:%s %s; no error in what was seen, which is not everything\n",
                  cmd->pal.yellow, cmd->pal.reset, reasons[check_stopped_by(cmd)]);
}

static void print_verdict(struct check_cmd *cmd, struct strbuf *out)
{
    const struct check_result *r = cmd->job.result;
    const struct model *model = cmd->job.spec.model;
    const struct palette *pal = &cmd->pal;
    switch (r->verdict) {
    case VERDICT_OK:
        if (r->init_generated == 0 && !r->recovered) {
            strbuf_printf(
                out, "%swarning:%s no state satisfies the initial predicate: nothing was checked\n",
                pal->yellow, pal->reset);
            break;
        }
        if (check_stopped_by(cmd) == CHECK_STOP_DEPTH) {
            print_stopped(cmd, out);
            break;
        }
        strbuf_printf(out, "%sok:%s no error found in %s (", pal->green, pal->reset, model->name);
        print_names(model, 1U << MPROP_INVARIANT, "invariants ", out);
        unsigned live = 1U << MPROP_TEMPORAL, other = 1U << MPROP_INIT | 1U << MPROP_ACTION;
        bool off = cmd->live_when == LIVE_OFF;
        print_names(model, off ? other : other | live, "properties ", out);
        print_names(model, off ? live : 0, "temporal properties not checked: ", out);
        strbuf_adds(out, model->check_deadlock ? "no deadlock)\n" : "deadlock not checked)\n");
        break;
    case VERDICT_NO_INIT:
        strbuf_printf(
            out, "%swarning:%s no state satisfies the initial predicate: nothing was checked\n",
            pal->yellow, pal->reset);
        break;
    case VERDICT_STOPPED: print_stopped(cmd, out); break;
    case VERDICT_FAILED:
        strbuf_printf(out, "%serror:%s %s\n", pal->red, pal->reset, r->failure.text);
        break;
    default: break;
    }
    for (size_t i = 0; i < r->nviolation; i++) {
        print_violation(cmd, &r->violations[i], out);
    }
    if (r->violations_seen > r->nviolation) {
        strbuf_printf(out, "and %" PRIu64 " more violations\n", r->violations_seen - r->nviolation);
    }
}

/* A word of a command line that a shell reads back as one. */
static void print_word(const char *word, struct strbuf *out)
{
    bool plain = word[0] != '\0' && word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
                                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                      "0123456789_-+=/.,:@%")] == '\0';
    strbuf_adds(out, plain ? " " : " '");
    for (const char *at = word; *at != '\0'; at++) {
        if (!plain && *at == '\'') {
            strbuf_adds(out, "'\\''");
        } else {
            strbuf_addc(out, *at);
        }
    }
    strbuf_adds(out, plain ? "" : "'");
}

/* The command that goes on from the checkpoint: what was typed, but for what belongs to this run
 * alone. */
static void print_resume(const struct check_cmd *cmd, struct strbuf *out)
{
    static const struct {
        const char *name;
        bool value;
    } own[] = {
        {"dir",        true },
        {"resume",     true },
        {"stop-after", true },
        {"force",      false},
    };
    strbuf_adds(out, "continue with: assay check --resume");
    print_word(cmd->job.check.dir, out);
    for (int i = 1; i < cmd->argc; i++) {
        const char *word = cmd->argv[i];
        const char *name = word + (word[0] == '-' ? 1 : 0) + (word[0] == '-' && word[1] == '-');
        size_t n = strcspn(name, "=");
        bool left_out = false;
        for (size_t k = 0; word[0] == '-' && k < sizeof own / sizeof own[0]; k++) {
            if (strlen(own[k].name) == n && strncmp(own[k].name, name, n) == 0) {
                left_out = true;
                i += own[k].value && name[n] == '\0' ? 1 : 0;
            }
        }
        if (!left_out) {
            print_word(word, out);
        }
    }
    strbuf_addc(out, '\n');
}

void check_report(struct check_cmd *cmd)
{
    const struct check_result *r = cmd->job.result;
    SCOPED_STRBUF out = {0};
    size_t n = 0;
    const struct eval_warning *warnings = model_warnings(cmd->job.spec.model, &n);
    for (size_t i = 0; i < n && !cmd->quiet; i++) {
        strbuf_printf(&out, "%swarning:%s %s\n", cmd->pal.yellow, cmd->pal.reset, warnings[i].text);
    }
    print_verdict(cmd, &out);
    if (!cmd->quiet) {
        print_dead_actions(cmd, &out);
        if (cmd->coverage) {
            print_coverage(cmd, &out);
        }
    }
    print_counts(cmd, &out);
    if (!cmd->quiet) {
        print_cost(cmd, &out);
        if (cmd->job.by_chance) {
            strbuf_adds(&out, "note: several workers found this; another run may find another "
                              "violation of the same depth.\n      --workers 1 always finds the "
                              "same\n");
        }
        if (r->verdict == VERDICT_STOPPED && cmd->job.check.dir != NULL && cmd->mode == CHECK_BFS) {
            print_resume(cmd, &out);
        }
    }
    (void)put_text(stdout, strbuf_str(&out));
    (void)fflush(stdout);
}

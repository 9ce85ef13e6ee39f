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
#include "job/tell.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"

/* ---- progress ---- */
#define TOLD_NS UINT64_C(9500000000) /* between lines that stay */

void examine_clear(struct check_cmd *cmd)
{
    if (cmd->progress_shown) {
        (void)fputs("\r\033[K", cmd->teller.err);
        (void)fflush(cmd->teller.err);
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
    bool often = cmd->progress_tty || p->elapsed_ns >= cmd->printed_ns + TOLD_NS;
    if (cmd->quiet || cmd->json || !often) {
        return;
    }
    cmd->printed_ns = p->elapsed_ns;
    SCOPED_STRBUF line = {0};
    if (cmd->phase != NULL) {
        strbuf_printf(&line, "%s: ", cmd->phase);
    }
    progress_line(cmd, p, &line);
    if (cmd->progress_tty) {
        (void)fprintf(cmd->teller.err, "\r\033[K%s", strbuf_cstr(&line));
        cmd->progress_shown = true;
    } else {
        (void)fprintf(cmd->teller.err, "progress: %s\n", strbuf_cstr(&line));
    }
    (void)fflush(cmd->teller.err);
}

void examine_event(void *arg, enum check_event event, const struct check_progress *p,
                   const struct check_result *result)
{
    struct check_cmd *cmd = arg;
    (void)result;
    if (event == CHECK_EV_PROGRESS && cmd->progress != NULL) {
        examine_progress_note(cmd->progress, p);
    }
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
            (void)fprintf(cmd->teller.err, "resumed: %s distinct states, ", strbuf_cstr(&text));
            strbuf_reset(&text);
            print_count(&text, p->queued);
            (void)fprintf(cmd->teller.err, "%s on the queue\n", strbuf_cstr(&text));
        }
        break;
    }
}

/* ---- violations ---- */
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

static void print_violation(struct check_cmd *cmd, const struct check_violation *v,
                            struct strbuf *out)
{
    enum { REASON_MAX = 5 }; /* lines above a behaviour; the others come below it */
    size_t begin = out->n;
    SCOPED_STRBUF reason = {0};
    bool color = cmd->pal.bold[0] != '\0';
    job_tell_violation(&cmd->job, v, color, out);
    job_tell_reason(&cmd->job, v, &reason);
    if (cmd->quiet) {
        strbuf_addstr(out, strbuf_str(&reason));
        return;
    }
    bool cut = examine_some(strbuf_str(&reason), REASON_MAX, ", below", out);
    print_hint(cmd, v, out);
    if (v->trace.nstep > 0) {
        examine_behaviour(cmd, v, begin, out);
    }
    if (cut) {
        strbuf_printf(out, "why, in full:\n%s", strbuf_cstr(&reason));
    }
}

void examine_violation_text(void *arg, const struct check_violation *v, struct strbuf *out)
{
    struct check_cmd *cmd = arg;
    struct palette pal = cmd->pal;
    bool quiet = cmd->quiet;
    cmd->quiet = false;
    cmd->pal = palette_get(false);
    print_violation(cmd, v, out);
    cmd->pal = pal;
    cmd->quiet = quiet;
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
    if (r->ranks > 0) {
        strbuf_printf(out, ", %u process%s, ", r->ranks, r->ranks == 1 ? "" : "es");
    } else {
        strbuf_printf(out, ", %u worker%s, ", cmd->workers, cmd->workers == 1 ? "" : "s");
    }
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
        bool inside = shown != NULL && place_contains(shown, &rows[i].place);
        if (rows[i].count > 0 || inside || coverage_is_hidden(spec, rows, n, i) ||
            !job_tell_place(spec, &rows[i].place, "never evaluated", cmd->pal.bold[0] != '\0',
                            out)) {
            continue;
        }
        shown = &rows[i].place;
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
    /* ORDER enum job_stop */
    static const char *const reasons[] = {"", "interrupted", "out of time",
                                          "there is more below the greatest depth",
                                          "the spec asked to end"};
    strbuf_printf(out, "%sstopped:%s %s; no error in what was seen, which is not everything\n",
                  cmd->pal.yellow, cmd->pal.reset, reasons[job_stopped_by(&cmd->job)]);
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
        if (job_stopped_by(&cmd->job) == JOB_STOP_DEPTH) {
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

void examine_report(struct check_cmd *cmd)
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
    (void)put_text(cmd->teller.out, strbuf_str(&out));
    (void)fflush(cmd->teller.out);
}

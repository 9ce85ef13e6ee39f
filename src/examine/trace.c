/* Behaviours for people. A short one is shown as it is. Of a long one the first page, which fits a
 * screen of 24 lines together with the verdict, has the last step and the names of the steps; the
 * whole follows. With --diff, and by itself on a terminal when it is long, a state after the first
 * shows only what changed, inside of functions and records, too. */
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "check/check.h"
#include "examine/examine.h"
#include "job/job.h"
#include "value/value.h"

enum {
    PAGE = 24,           /* lines of a screen */
    AFTER = 3,           /* lines that follow: the numbers, and a prompt */
    LAST_STEP_MAX = 5,   /* lines of the last step's values on the first page */
    STEPS_WIDTH = 96,    /* of the list of steps */
    STEPS_HALF_MAX = 220 /* letters at its beginning, and at its end */
};

static size_t count_lines(struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        n += text.p[i] == '\n';
    }
    return n;
}

static bool differs(struct vctx *ctx, const struct trace *trace, size_t state, uint32_t var)
{
    if (state == 0) {
        return false;
    }
    struct val now = trace->states[state].vals[var], before = trace->states[state - 1].vals[var];
    return !val_is_undef(now) && !val_is_undef(before) && !job_trace_same(ctx, now, before);
}

static void print_var(const struct check_cmd *cmd, struct vctx *ctx, const struct trace *trace,
                      size_t state, uint32_t var, struct strbuf *out)
{
    struct val value = trace->states[state].vals[var];
    bool changed = differs(ctx, trace, state, var);
    size_t name_len = strlen(trace->vars[var]);
    strbuf_printf(out, "  %s%s %s%s = ", changed ? cmd->pal.yellow : "", changed ? "*" : " ",
                  trace->vars[var], changed ? cmd->pal.reset : "");
    if (val_is_undef(value)) {
        strbuf_adds(out, "(no value)");
    } else {
        SCOPED_STRBUF text = {0};
        val_print_pretty(ctx, value, (unsigned)name_len + 7, 100, &text);
        strbuf_addstr(out, strbuf_str(&text));
    }
    strbuf_addc(out, '\n');
}

/* Whether two values are functions, records or tuples with the same domain, some of whose values
 * are the same: then the others tell what changed. */
static bool comparable(struct vctx *ctx, struct val before, struct val now)
{
    bool tuples = val_is_kind(now, VK_TUPLE) && val_is_kind(before, VK_TUPLE);
    bool records = val_is_kind(now, VK_RECORD) && val_is_kind(before, VK_RECORD);
    bool fcns = val_is_kind(now, VK_FCN) && val_is_kind(before, VK_FCN);
    if (!tuples && !records && !fcns) {
        return false;
    }
    size_t n = fcn_size(ctx, now), same = 0;
    if (n != fcn_size(ctx, before)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!job_trace_same(ctx, fcn_key(ctx, now, i), fcn_key(ctx, before, i))) {
            return false;
        }
        same += job_trace_same(ctx, fcn_value(ctx, now, i), fcn_value(ctx, before, i));
    }
    return same > 0;
}

/* name[key].field = value, for every part that changed. */
static void print_change(const struct check_cmd *cmd, struct vctx *ctx, const char *path,
                         struct val before, struct val now, struct strbuf *out)
{
    if (!comparable(ctx, before, now)) {
        SCOPED_STRBUF text = {0};
        val_print_pretty(ctx, now, (unsigned)strlen(path) + 7, 100, &text);
        strbuf_printf(out, "  %s* %s%s = %s\n", cmd->pal.yellow, path, cmd->pal.reset,
                      strbuf_cstr(&text));
        return;
    }
    for (size_t i = 0; i < fcn_size(ctx, now); i++) {
        struct val a = fcn_value(ctx, before, i), b = fcn_value(ctx, now, i);
        if (job_trace_same(ctx, a, b)) {
            continue;
        }
        SCOPED_STRBUF key = {0};
        SCOPED_STRBUF inner = {0};
        val_print(ctx, fcn_key(ctx, now, i), &key);
        if (val_is_kind(now, VK_RECORD) && key.n > 2) { /* without its quotes */
            strbuf_printf(&inner, "%s.%.*s", path, (int)key.n - 2, key.p + 1);
        } else {
            strbuf_printf(&inner, "%s[%s]", path, strbuf_cstr(&key));
        }
        print_change(cmd, ctx, strbuf_cstr(&inner), a, b, out);
    }
}

static void print_state(const struct check_cmd *cmd, struct vctx *ctx, const struct trace *trace,
                        size_t i, bool diff, struct strbuf *out)
{
    const struct trace_state *state = &trace->states[i];
    strbuf_printf(out, "%s%zu: %s%s", cmd->pal.bold, i + 1, state->label, cmd->pal.reset);
    if (state->module != NULL && state->line > 0) {
        strbuf_printf(out, "  %s%s:%u%s", cmd->pal.dim, state->module, state->line, cmd->pal.reset);
    }
    strbuf_addc(out, '\n');
    for (uint32_t var = 0; var < trace->nvar; var++) {
        if (diff && differs(ctx, trace, i, var)) {
            print_change(cmd, ctx, trace->vars[var], trace->states[i - 1].vals[var],
                         state->vals[var], out);
        } else if (!diff || i == 0) {
            print_var(cmd, ctx, trace, i, var, out);
        }
    }
}

/* How a behaviour goes on after its last state. */
static void print_end(const struct check_cmd *cmd, const struct trace *trace, struct strbuf *out)
{
    if (trace->stuttering) {
        strbuf_printf(out, "%s%zu: stuttering%s - nothing ever happens again\n", cmd->pal.bold,
                      trace->nstate + 1, cmd->pal.reset);
    } else if (trace->lasso) {
        strbuf_printf(out, "%sback to state %zu%s by %s\n", cmd->pal.bold, trace->loop + 1,
                      cmd->pal.reset, trace->back != NULL ? trace->back->label : "a step");
    }
}

static void print_states(const struct check_cmd *cmd, struct vctx *ctx, const struct trace *trace,
                         bool diff, struct strbuf *out)
{
    for (size_t i = 0; i < trace->nstate; i++) {
        print_state(cmd, ctx, trace, i, diff, out);
    }
    print_end(cmd, trace, out);
}

void examine_states(const struct palette *pal, struct vctx *ctx, const struct trace *trace,
                    size_t first, size_t last, bool diff, struct strbuf *out)
{
    const struct check_cmd cmd = {.pal = *pal};
    for (size_t i = first; i <= last; i++) {
        print_state(&cmd, ctx, trace, i, diff, out);
    }
    if (last + 1 == trace->nstate && trace->nstate > first + 1) {
        print_end(&cmd, trace, out);
    }
}

bool examine_some(struct str text, size_t max, const char *more, struct strbuf *out)
{
    size_t lines = count_lines(text);
    const char *at = text.p, *end = text.p + text.n;
    for (size_t i = 0; i < max && at < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t n = newline != NULL ? (size_t)(newline - at) + 1 : (size_t)(end - at);
        strbuf_add(out, at, n);
        at += n;
    }
    if (lines > max) {
        strbuf_printf(out, "    ... %zu lines more%s\n", lines - max, more);
    }
    return lines > max;
}

/* The label of n equal ones, from i on. */
static void add_label(const struct trace *trace, size_t i, size_t n, struct strbuf *out)
{
    if (n > 1) {
        strbuf_printf(out, "%zu x ", n);
    }
    strbuf_adds(out, trace->states[i].label);
}

static size_t equal_labels(const struct trace *trace, size_t i)
{
    size_t n = 1;
    while (i + n < trace->nstate &&
           strcmp(trace->states[i].label, trace->states[i + n].label) == 0) {
        n++;
    }
    return n;
}

/* Adds a word of the list, on a new line when this one is full. */
static void add_word(struct strbuf *out, size_t *at, struct str word)
{
    if (*at + word.n + 2 > STEPS_WIDTH) {
        strbuf_adds(out, "\n   ");
        *at = 3;
    }
    strbuf_addc(out, ' ');
    strbuf_addstr(out, word);
    *at += word.n + 1;
}

/* The names of the steps after the first state, the middle of many left out. */
static void print_steps(const struct trace *trace, struct strbuf *out)
{
    size_t all = 0, done = 0, at = 8, left_out = 0;
    for (size_t i = 1; i < trace->nstate; i += equal_labels(trace, i)) {
        all += strlen(trace->states[i].label) + 2;
    }
    strbuf_adds(out, "  steps:");
    for (size_t i = 1; i < trace->nstate;) {
        size_t n = equal_labels(trace, i);
        size_t len = strlen(trace->states[i].label) + 2;
        bool shown = all <= (size_t)2 * STEPS_HALF_MAX || done + len <= STEPS_HALF_MAX ||
                     all - done <= STEPS_HALF_MAX;
        SCOPED_STRBUF word = {0};
        if (shown && left_out > 0) {
            strbuf_printf(&word, "... %zu steps ...", left_out);
            add_word(out, &at, strbuf_str(&word));
            strbuf_reset(&word);
            left_out = 0;
        }
        if (shown) {
            add_label(trace, i, n, &word);
            strbuf_adds(&word, i + n < trace->nstate ? "," : "");
            add_word(out, &at, strbuf_str(&word));
        } else {
            left_out += n;
        }
        done += len;
        i += n;
    }
    strbuf_addc(out, '\n');
}

/* What a reader wants to see before the whole. */
static void print_page(const struct check_cmd *cmd, struct vctx *ctx, const struct trace *trace,
                       struct strbuf *out)
{
    SCOPED_STRBUF last = {0};
    if (trace->nstate > 1) {
        print_steps(trace, out);
        print_state(cmd, ctx, trace, trace->nstate - 1, true, &last);
        strbuf_adds(out, "  the last of them:\n");
        (void)examine_some(strbuf_str(&last), LAST_STEP_MAX, ", below", out);
    }
}

void examine_behaviour(struct check_cmd *cmd, const struct check_violation *v, size_t begin,
                       struct strbuf *out)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct trace trace = {0};
    struct vctx ctx;
    struct err err = {0};
    SCOPED_STRBUF states = {0};
    if (job_trace_get(&cmd->job, v, &arena, &trace, &ctx, &err) != 0) {
        strbuf_printf(&states, "(the behaviour cannot be shown: %s)\n", err.text);
        trace.nstate = 0;
    }
    print_states(cmd, &ctx, &trace, cmd->diff == DIFF_ALWAYS, &states);
    struct str head = {out->p + begin, out->n - begin};
    bool is_long = count_lines(head) + count_lines(strbuf_str(&states)) + 1 + AFTER > PAGE;
    bool diff = cmd->diff == DIFF_ALWAYS;
    if (is_long && cmd->diff == DIFF_AUTO && isatty(STDOUT_FILENO) == 1) {
        diff = true;
        strbuf_reset(&states);
        print_states(cmd, &ctx, &trace, diff, &states);
    }
    if (is_long) {
        print_page(cmd, &ctx, &trace, out);
    }
    strbuf_printf(out, "behaviour (%zu state%s; %s):\n", v->trace.nstep,
                  v->trace.nstep == 1 ? "" : "s",
                  !diff                      ? "* marks what changed"
                  : cmd->diff == DIFF_ALWAYS ? "only what changed"
                                             : "only what changed; --diff=never shows everything");
    strbuf_addstr(out, strbuf_str(&states));
    arena_done(&arena);
}

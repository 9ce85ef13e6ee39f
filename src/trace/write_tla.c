/* Traces as TLA+ modules, in the shapes TLC's -dumpTrace writes, so that existing scripts read
 * ours. Values are printed on one line. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "trace/trace.h"
#include "trace/trace_int.h"
#include "value/value.h"

static void print_state(struct vctx *ctx, const struct trace *trace, size_t index,
                        struct strbuf *out)
{
    strbuf_addc(out, '[');
    for (uint32_t i = 0; i < trace->nvar; i++) {
        if (i > 0) {
            strbuf_adds(out, ", ");
        }
        strbuf_adds(out, trace->vars[i]);
        strbuf_adds(out, " |-> ");
        val_print(ctx, trace->states[index].vals[i], out);
    }
    strbuf_addc(out, ']');
}

static void print_pair(struct vctx *ctx, const struct trace *trace, size_t index,
                       struct strbuf *out)
{
    strbuf_printf(out, "<<%zu, ", index + 1);
    print_state(ctx, trace, index, out);
    strbuf_adds(out, ">>");
}

static void print_params(struct vctx *ctx, const struct trace_state *step, struct strbuf *out)
{
    strbuf_adds(out, ", context |-> [");
    for (uint32_t i = 0; i < step->nparam; i++) {
        strbuf_printf(out, "%s%s |-> ", i > 0 ? ", " : "", step->param_names[i]);
        val_print(ctx, step->param_vals[i], out);
    }
    strbuf_adds(out, "], parameters |-> <<");
    for (uint32_t i = 0; i < step->nparam; i++) {
        strbuf_printf(out, "%s\"%s\"", i > 0 ? ", " : "", step->param_names[i]);
    }
    strbuf_adds(out, ">>");
}

static void print_edge(struct vctx *ctx, const struct trace *trace, size_t from, size_t to,
                       const struct trace_state *step, struct strbuf *out)
{
    strbuf_adds(out, "<<");
    print_pair(ctx, trace, from, out);
    strbuf_printf(out,
                  ", [name |-> \"%s\", location |-> [beginLine |-> %u, beginColumn |-> %u, endLine "
                  "|-> %u, endColumn |-> %u, "
                  "module |-> \"%s\"]",
                  step->action, step->line, step->column, step->end_line, step->end_column,
                  step->module != NULL ? step->module : "--unknown--");
    if (step->nparam > 0) {
        print_params(ctx, step, out);
    }
    strbuf_adds(out, "], ");
    print_pair(ctx, trace, to, out);
    strbuf_adds(out, ">>");
}

static bool has_cycle(const struct trace *trace)
{
    return trace->nstate > 0 && (trace->lasso || trace->stuttering);
}

void trace_print_counterexample(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    strbuf_adds(out, "[action |-> {");
    for (size_t i = 1; i < trace->nstate; i++) {
        if (i > 1) {
            strbuf_adds(out, ", ");
        }
        print_edge(ctx, trace, i - 1, i, &trace->states[i], out);
    }
    if (has_cycle(trace)) {
        if (trace->nstate > 1) {
            strbuf_adds(out, ", ");
        }
        print_edge(ctx, trace, trace->nstate - 1,
                   trace->stuttering ? trace->nstate - 1 : trace->loop, trace_closing_step(trace),
                   out);
    }
    strbuf_adds(out, "}, state |-> {");
    for (size_t i = 0; i < trace->nstate; i++) {
        if (i > 0) {
            strbuf_adds(out, ", ");
        }
        print_pair(ctx, trace, i, out);
    }
    strbuf_adds(out, "}]");
}

static void print_head(const struct trace *trace, struct strbuf *out)
{
    strbuf_printf(out, "---- MODULE %s ----\n",
                  trace->module_name != NULL ? trace->module_name : "Trace");
}

static void print_trace(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    strbuf_adds(out, "Trace == \n\t<<");
    for (size_t i = 0; i < trace->nstate; i++) {
        if (i > 0) {
            strbuf_adds(out, ", ");
        }
        print_state(ctx, trace, i, out);
    }
    strbuf_adds(out, ">>\n\n");
}

void trace_write_tla(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    print_head(trace, out);
    strbuf_adds(out, "LOCAL INSTANCE TLC\n\nCounterExample == \n\t");
    trace_print_counterexample(ctx, trace, out);
    strbuf_adds(out, "\n\n====");
}

void trace_write_plain(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    print_head(trace, out);
    strbuf_adds(out, "LOCAL INSTANCE TLC\n\n");
    print_trace(ctx, trace, out);
    strbuf_adds(out, "====");
}

/* EXTENDS every module that holds an action of the trace, each once, in order of first use. */
static void print_extends(const struct trace *trace, struct strbuf *out)
{
    bool any = false;
    for (size_t i = 1; i < trace->nstate + (has_cycle(trace) ? 1 : 0); i++) {
        const struct trace_state *step =
            i < trace->nstate ? &trace->states[i] : trace_closing_step(trace);
        bool seen = step->module == NULL;
        for (size_t j = 1; j < i && !seen; j++) {
            seen = trace->states[j].module != NULL &&
                   strcmp(trace->states[j].module, step->module) == 0;
        }
        if (!seen) {
            strbuf_printf(out, "%s%s", any ? ", " : "EXTENDS ", step->module);
            any = true;
        }
    }
    strbuf_adds(out, "\n\n");
}

static void print_conjuncts(const struct trace *trace, const uint32_t *order, const char *prime,
                            const char *index, struct strbuf *out)
{
    for (uint32_t i = 0; i < trace->nvar; i++) {
        const char *name = trace->vars[order[i]];
        strbuf_printf(out, "/\\ %s%s = Trace[%s].%s\n", name, prime, index, name);
    }
}

static void print_vars(const struct trace *trace, const uint32_t *order, struct strbuf *out)
{
    for (uint32_t i = 0; i < trace->nvar; i++) {
        strbuf_printf(out, "%s%s", i > 0 ? ", " : "", trace->vars[order[i]]);
    }
}

void trace_write_test_spec(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    const uint32_t *order = trace_var_order(ctx, trace);
    print_head(trace, out);
    print_extends(trace, out);
    strbuf_adds(out, "LOCAL INSTANCE TLC\n\n");
    print_trace(ctx, trace, out);
    strbuf_adds(out, "_init ==\n");
    print_conjuncts(trace, order, "", "1", out);
    strbuf_adds(
        out, "\n_next ==\n\\E i,j \\in DOMAIN Trace:\n/\\ i = TLCGet(\"level\")\n/\\ j = i + 1\n");
    print_conjuncts(trace, order, "", "i", out);
    print_conjuncts(trace, order, "'", "j", out);
    strbuf_adds(out, "\n(* Allow infinite stuttering to prevent deadlock on termination. "
                     "*)\n_terminating ==\n\tUNCHANGED <<");
    print_vars(trace, order, out);
    strbuf_adds(out, ">>\n\n_spec == \n\t_init /\\ [][_next \\/ _terminating]_<<");
    print_vars(trace, order, out);
    strbuf_adds(out, ">>\n\n====");
}

static void print_action_step(struct vctx *ctx, size_t index, const struct trace_state *step,
                              struct strbuf *out)
{
    strbuf_printf(out, "\\/ %zu = _idx /\\ %s", index, step->action);
    for (uint32_t i = 0; i < step->nparam; i++) {
        strbuf_adds(out, i == 0 ? "(" : ", ");
        val_print(ctx, step->param_vals[i], out);
    }
    strbuf_adds(out, step->nparam > 0 ? ")\n" : "\n");
}

void trace_write_action(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    size_t steps = trace->nstate > 0 ? trace->nstate - 1 : 0;
    print_head(trace, out);
    print_extends(trace, out);
    strbuf_printf(out, "_length == %zu\n\n_next(_idx) ==\n", steps + (has_cycle(trace) ? 1 : 0));
    for (size_t i = 0; i < steps; i++) {
        print_action_step(ctx, i + 1, &trace->states[i + 1], out);
    }
    if (has_cycle(trace)) {
        print_action_step(ctx, steps + 1, trace_closing_step(trace), out);
    }
    strbuf_adds(
        out, "\n_actionConstraint ==\n_next(LET T == INSTANCE TLC IN T!TLCGet(\"level\"))\n\n====");
}

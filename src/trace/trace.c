/* The writers of traces: which format, TLC's JSON, ITF, text and the small DOT graph of one trace.
 * The formats that are modules are in write_tla.c.
 *
 * The TLC forms keep TLC's orders: inside a state the variables come as the model gives them, in
 * "vars" they are a set of strings and so follow the order of the string table. */
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "trace/trace_int.h"
#include "value/value.h"

bool trace_format_of(const char *path, enum trace_format *ret)
{
    static const struct {
        const char *suffix;
        enum trace_format format;
    } rows[] = {
        {".itf.json", TRACE_ITF     },
        {".json",     TRACE_JSON    },
        {".tla",      TRACE_TLA     },
        {".dot",      TRACE_DOT     },
        {".txt",      TRACE_TLC_TEXT},
        {".itf",      TRACE_ITF     },
    };
    size_t len = strlen(path);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t n = strlen(rows[i].suffix);
        if (len > n && strcmp(path + len - n, rows[i].suffix) == 0) {
            *ret = rows[i].format;
            return true;
        }
    }
    return false;
}

uint32_t *trace_var_order(struct vctx *ctx, const struct trace *trace)
{
    uint32_t *order = ARENA_ARRAY(ctx->arena, uint32_t, trace->nvar + 1);
    uint32_t *ids = ARENA_ARRAY(ctx->arena, uint32_t, trace->nvar + 1);
    for (uint32_t i = 0; i < trace->nvar; i++) {
        uint32_t id = strtab_intern(ctx->strings, str_of(trace->vars[i]));
        uint32_t at = i;
        for (; at > 0 && ids[at - 1] > id; at--) {
            ids[at] = ids[at - 1];
            order[at] = order[at - 1];
        }
        ids[at] = id;
        order[at] = i;
    }
    return order;
}

/* ---- TLC's JSON ---- */
static void json_state(struct vctx *ctx, const struct trace *trace, size_t index,
                       struct strbuf *out)
{
    const struct trace_state *state = &trace->states[index];
    strbuf_printf(out, "[%zu,{", index + 1);
    for (uint32_t i = 0; i < trace->nvar; i++) {
        if (i > 0) {
            strbuf_addc(out, ',');
        }
        json_write_string(str_of(trace->vars[i]), out);
        strbuf_addc(out, ':');
        json_write_val(ctx, state->vals[i], out);
    }
    strbuf_adds(out, "}]");
}

static void json_params(struct vctx *ctx, const struct trace_state *step, struct strbuf *out)
{
    strbuf_adds(out, ",\"context\":{");
    for (uint32_t i = 0; i < step->nparam; i++) {
        if (i > 0) {
            strbuf_addc(out, ',');
        }
        json_write_string(str_of(step->param_names[i]), out);
        strbuf_addc(out, ':');
        json_write_val(ctx, step->param_vals[i], out);
    }
    strbuf_adds(out, "},\"parameters\":[");
    for (uint32_t i = 0; i < step->nparam; i++) {
        if (i > 0) {
            strbuf_addc(out, ',');
        }
        json_write_string(str_of(step->param_names[i]), out);
    }
    strbuf_addc(out, ']');
}

static void json_edge(struct vctx *ctx, const struct trace *trace, size_t from, size_t to,
                      const struct trace_state *step, struct strbuf *out)
{
    strbuf_addc(out, '[');
    json_state(ctx, trace, from, out);
    strbuf_adds(out, ",{\"name\":");
    json_write_string(str_of(step->action), out);
    strbuf_printf(out,
                  ",\"location\":{\"beginLine\":%u,\"beginColumn\":%u,\"endLine\":%u,\"endColumn\":"
                  "%u,\"module\":",
                  step->line, step->column, step->end_line, step->end_column);
    json_write_string(str_of(step->module != NULL ? step->module : "--unknown--"), out);
    strbuf_addc(out, '}');
    if (step->nparam > 0) {
        json_params(ctx, step, out);
    }
    strbuf_adds(out, "},");
    json_state(ctx, trace, to, out);
    strbuf_addc(out, ']');
}

const struct trace_state *trace_closing_step(const struct trace *trace)
{
    static const struct trace_state unknown = {.action = "UnnamedAction", .label = "UnnamedAction"};
    return trace->back != NULL ? trace->back : &unknown;
}

static void write_json(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    strbuf_adds(out, "{\"counterexample\":{\"action\":[");
    for (size_t i = 1; i < trace->nstate; i++) {
        if (i > 1) {
            strbuf_addc(out, ',');
        }
        json_edge(ctx, trace, i - 1, i, &trace->states[i], out);
    }
    if (trace->nstate > 0 && (trace->lasso || trace->stuttering)) {
        if (trace->nstate > 1) {
            strbuf_addc(out, ',');
        }
        json_edge(ctx, trace, trace->nstate - 1,
                  trace->stuttering ? trace->nstate - 1 : trace->loop, trace_closing_step(trace),
                  out);
    }
    strbuf_adds(out, "],\"state\":[");
    for (size_t i = 0; i < trace->nstate; i++) {
        if (i > 0) {
            strbuf_addc(out, ',');
        }
        json_state(ctx, trace, i, out);
    }
    strbuf_adds(out, "]},\"vars\":[");
    const uint32_t *order = trace_var_order(ctx, trace);
    for (uint32_t i = 0; i < trace->nvar; i++) {
        if (i > 0) {
            strbuf_addc(out, ',');
        }
        json_write_string(str_of(trace->vars[order[i]]), out);
    }
    strbuf_adds(out, "]}");
}

/* ---- ITF ---- */
static void itf_meta(const struct trace *trace, struct strbuf *out)
{
    strbuf_adds(out, "{\n  \"#meta\": {\"format\": \"ITF\", \"format-description\": "
                     "\"https://apalache-mc.org/docs/adr/015adr-trace.html\", \"source\": ");
    json_write_string(str_of(trace->spec != NULL ? trace->spec : ""), out);
    if (trace->property != NULL) {
        strbuf_adds(out, ", \"description\": ");
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text, "Counterexample to %s, written by assay", trace->property);
        json_write_string(strbuf_str(&text), out);
    }
    strbuf_adds(out, "},\n  \"vars\": [");
    for (uint32_t i = 0; i < trace->nvar; i++) {
        if (i > 0) {
            strbuf_adds(out, ", ");
        }
        json_write_string(str_of(trace->vars[i]), out);
    }
    strbuf_adds(out, "],\n");
}

static void itf_state(struct vctx *ctx, const struct trace *trace, size_t index, struct strbuf *out)
{
    const struct trace_state *state = &trace->states[index];
    strbuf_printf(out, "    {\"#meta\": {\"index\": %zu", index);
    if (state->label != NULL) {
        strbuf_adds(out, ", \"action\": ");
        json_write_string(str_of(state->label), out);
    }
    strbuf_adds(out, "}");
    for (uint32_t i = 0; i < trace->nvar; i++) {
        strbuf_adds(out, ", ");
        json_write_string(str_of(trace->vars[i]), out);
        strbuf_adds(out, ": ");
        itf_write_val(ctx, state->vals[i], out);
    }
    strbuf_adds(out, index + 1 < trace->nstate ? "},\n" : "}\n");
}

static void write_itf(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    itf_meta(trace, out);
    strbuf_adds(out, "  \"states\": [\n");
    for (size_t i = 0; i < trace->nstate; i++) {
        itf_state(ctx, trace, i, out);
    }
    strbuf_adds(out, "  ]");
    if (trace->lasso || trace->stuttering) {
        strbuf_printf(out, ",\n  \"loop\": %zu",
                      trace->stuttering ? trace->nstate - 1 : trace->loop);
    }
    strbuf_adds(out, "\n}\n");
}

/* ---- text ---- */
static void text_place(const struct trace_state *step, struct strbuf *out)
{
    strbuf_addc(out, '<');
    strbuf_adds(out, step->label != NULL ? step->label : step->action);
    if (step->module != NULL && step->line > 0) {
        strbuf_printf(out, " line %u, col %u to line %u, col %u of module %s", step->line,
                      step->column, step->end_line, step->end_column, step->module);
    }
    strbuf_addc(out, '>');
}

static void write_text(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    for (size_t i = 0; i < trace->nstate; i++) {
        strbuf_printf(out, "State %zu: ", i + 1);
        text_place(&trace->states[i], out);
        strbuf_addc(out, '\n');
        for (uint32_t v = 0; v < trace->nvar; v++) {
            if (trace->nvar > 1) {
                strbuf_adds(out, "/\\ ");
            }
            strbuf_adds(out, trace->vars[v]);
            strbuf_adds(out, " = ");
            val_print_pretty(ctx, trace->states[i].vals[v], 0, 80, out);
            strbuf_addc(out, '\n');
        }
        strbuf_addc(out, '\n');
    }
    if (trace->stuttering) {
        strbuf_printf(out, "State %zu: Stuttering\n", trace->nstate + 1);
    } else if (trace->lasso) {
        strbuf_printf(out, "Back to state %zu: ", trace->loop + 1);
        text_place(trace_closing_step(trace), out);
        strbuf_addc(out, '\n');
    }
}

/* ---- DOT ---- */
static void dot_escape(struct str text, struct strbuf *out)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"' || text.p[i] == '\\') {
            strbuf_addc(out, '\\');
        }
        if (text.p[i] == '\n') {
            strbuf_adds(out, "\\n");
        } else {
            strbuf_addc(out, text.p[i]);
        }
    }
}

/* A name for a node: the same for equal states, as the cycle of a lasso needs. */
static int64_t dot_node(struct vctx *ctx, const struct trace *trace, size_t index)
{
    uint64_t hash = index + 1;
    for (uint32_t i = 0; i < trace->nvar; i++) {
        hash = hash_combine(hash, val_hash(ctx, trace->states[index].vals[i]));
    }
    return (int64_t)hash;
}

static void dot_edge(struct vctx *ctx, const struct trace *trace, size_t from, size_t to,
                     const char *name, struct strbuf *out)
{
    strbuf_printf(out, "%lld->%lld[label=\"", (long long)dot_node(ctx, trace, from),
                  (long long)dot_node(ctx, trace, to));
    dot_escape(str_of(name), out);
    strbuf_adds(out, "\"];");
}

static void write_dot(struct vctx *ctx, const struct trace *trace, struct strbuf *out)
{
    const uint32_t *order = trace_var_order(ctx, trace);
    strbuf_adds(out, "digraph MyGraph {");
    for (size_t i = 0; i < trace->nstate; i++) {
        strbuf_printf(out, "%lld[label=\"", (long long)dot_node(ctx, trace, i));
        for (uint32_t v = trace->nvar; v-- > 0;) {
            SCOPED_STRBUF text = {0};
            val_print(ctx, trace->states[i].vals[order[v]], &text);
            strbuf_addc(&text, '\n');
            dot_escape(strbuf_str(&text), out);
        }
        strbuf_adds(out, "\"];");
    }
    for (size_t i = 1; i < trace->nstate; i++) {
        dot_edge(ctx, trace, i - 1, i, trace->states[i].action, out);
    }
    if (trace->nstate > 0 && (trace->lasso || trace->stuttering)) {
        dot_edge(ctx, trace, trace->nstate - 1, trace->stuttering ? trace->nstate - 1 : trace->loop,
                 trace_closing_step(trace)->action, out);
    }
    strbuf_adds(out, "}");
}

void trace_write(struct vctx *ctx, const struct trace *trace, enum trace_format format,
                 struct strbuf *out)
{
    switch (format) {
    case TRACE_JSON: write_json(ctx, trace, out); break;
    case TRACE_ITF: write_itf(ctx, trace, out); break;
    case TRACE_TLA: trace_write_tla(ctx, trace, out); break;
    case TRACE_TLC_TEXT: write_text(ctx, trace, out); break;
    case TRACE_DOT: write_dot(ctx, trace, out); break;
    case TRACE_TEST_SPEC: trace_write_test_spec(ctx, trace, out); break;
    case TRACE_PLAIN: trace_write_plain(ctx, trace, out); break;
    case TRACE_ACTION: trace_write_action(ctx, trace, out); break;
    }
}

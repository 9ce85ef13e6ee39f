/* Traces: ITF, TLC's JSON and what `assay check --json` has found, all with the values of ITF. */
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "trace/trace.h"
#include "value/value.h"
#include "view/docs_int.h"
#include "view/view.h"

__attribute__((noreturn)) static void no_fail(struct vctx *ctx, int code, const char *text)
{
    (void)ctx;
    assert_failed(__FILE__, __LINE__, "reading a trace", "%d %s", code, text);
}

static struct view_trace *new_trace(struct view_docs *docs)
{
    if (docs->n_traces == docs->cap_traces) {
        docs->traces =
            vec_grow(docs->traces, &docs->cap_traces, docs->n_traces + 1, sizeof docs->traces[0]);
    }
    struct view_trace *t = &docs->traces[docs->n_traces++];
    *t = (struct view_trace){.doc = docs->n};
    return t;
}

static void put_values(struct vctx *ctx, const struct trace *trace, const struct trace_state *state,
                       struct strbuf *out)
{
    const char *comma = "";
    strbuf_addc(out, '{');
    for (uint32_t i = 0; i < trace->nvar; i++) {
        if (!val_is_undef(state->vals[i])) {
            strbuf_adds(out, comma);
            comma = ",";
            json_write_string(str_of(trace->vars[i]), out);
            strbuf_addc(out, ':');
            itf_write_val(ctx, state->vals[i], out);
        }
    }
    strbuf_addc(out, '}');
}

static void put_place(const struct trace_state *s, struct strbuf *out)
{
    if (s->module != NULL && s->line > 0) {
        strbuf_adds(out, ",\"place\":{\"module\":");
        json_write_string(str_of(s->module), out);
        strbuf_printf(out, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u}", s->line,
                      s->column, s->end_line, s->end_column);
    }
}

/* What an ITF file says of a state or of itself in its "#meta". */
static const char *meta(const json_t *json, const char *key)
{
    return json_string_value(json_object_get(json_object_get(json, "#meta"), key));
}

static void put_states(struct vctx *ctx, const struct trace *trace, const json_t *json,
                       struct strbuf *out, struct strbuf *values)
{
    const json_t *states = json_object_get(json, "states");
    strbuf_adds(out, ",\"states\":[");
    strbuf_addc(values, '[');
    for (size_t i = 0; i < trace->nstate; i++) {
        const struct trace_state *s = &trace->states[i];
        const char *label = s->label != NULL ? s->label : meta(json_array_get(states, i), "action");
        strbuf_adds(out, i != 0 ? ",{\"label\":" : "{\"label\":");
        json_write_string(str_of(label != NULL ? label : i == 0 ? "Initial predicate" : "?"), out);
        put_place(s, out);
        strbuf_adds(out, ",\"values\":");
        put_values(ctx, trace, s, out);
        strbuf_addc(out, '}');
        strbuf_adds(values, i != 0 ? "," : "");
        put_values(ctx, trace, s, values);
    }
    strbuf_adds(out, "]");
    strbuf_addc(values, ']');
}

static void put_names(const struct trace *trace, struct strbuf *out)
{
    strbuf_adds(out, ",\"vars\":[");
    for (uint32_t i = 0; i < trace->nvar; i++) {
        strbuf_adds(out, i != 0 ? "," : "");
        json_write_string(str_of(trace->vars[i]), out);
    }
    strbuf_addc(out, ']');
}

int view_read_trace(struct view_docs *docs, const char *path, struct str text, json_t *json,
                    struct err *err)
{
    struct arena arena;
    struct trace trace = {0};
    struct strtab *strings = strtab_new();
    SCOPED_STRBUF out = {0};
    SCOPED_STRBUF values = {0};
    arena_init(&arena, 0);
    struct vctx ctx = {
        .arena = &arena, .strings = strings, .set_size_max = UINT64_C(1) << 40, .fail = no_fail};
    int status = trace_read(&ctx, text, &trace, err);
    if (status == 0) {
        const char *source = trace.spec != NULL ? trace.spec : meta(json, "source");
        const char *property = trace.property != NULL ? trace.property : meta(json, "description");
        view_field(&out, "file", str_of(path));
        view_field(&out, "title", str_of(path));
        if (source != NULL) {
            view_field(&out, "spec", str_of(source));
        }
        if (property != NULL) {
            view_field(&out, "property", str_of(property));
        }
        put_names(&trace, &out);
        put_states(&ctx, &trace, json, &out, &values);
        if (trace.lasso && trace.loop < trace.nstate) {
            strbuf_printf(&out, ",\"loop\":%zu", trace.loop);
        }
        strbuf_printf(&out, ",\"stuttering\":%s", trace.stuttering ? "true" : "false");
        struct view_trace *t = new_trace(docs);
        t->spec = str_dup(&docs->arena, source != NULL ? str_of(source) : STR(""));
        t->values = str_dup(&docs->arena, strbuf_str(&values));
        view_add(docs, "trace", strbuf_str(&out));
    }
    strtab_free(strings);
    arena_done(&arena);
    return status != 0 ? status : 1;
}

/* ---- check --json ---- */

static struct str text_at(const json_t *json, const char *key)
{
    const json_t *text = json_object_get(json, key);
    return json_is_string(text) ? (struct str){json_string_value(text), json_string_length(text)}
                                : STR("");
}

static void put_dump(const char *key, const json_t *value, struct strbuf *out)
{
    if (value != NULL) {
        strbuf_printf(out, ",\"%s\":", key);
        view_dump(value, out);
    }
}

static void add_violation(struct view_docs *docs, const char *path, const json_t *root,
                          const json_t *violation)
{
    const json_t *trace = json_object_get(violation, "trace");
    json_t *states = json_object_get(trace, "states"), *vars = json_array(), *values = json_array();
    const json_t *loop = json_object_get(trace, "loop");
    const char *name;
    json_t *value, *state;
    size_t i;
    SCOPED_STRBUF out = {0};
    json_object_foreach(json_object_get(json_array_get(states, 0), "values"), name, value)
    {
        (void)json_array_append_new(vars, json_string(name));
    }
    json_array_foreach(states, i, state)
    {
        (void)json_array_append(values, json_object_get(state, "values"));
    }
    view_field(&out, "file", str_of(path));
    view_field(&out, "title", text_at(violation, "property"));
    view_field(&out, "property", text_at(violation, "property"));
    view_field(&out, "violation", text_at(violation, "kind"));
    put_dump("reason", json_object_get(violation, "reason"), &out);
    put_dump("message", json_object_get(violation, "message"), &out);
    put_dump("stack", json_object_get(violation, "stack"), &out);
    put_dump("vars", vars, &out);
    put_dump("states", states, &out);
    bool stuttering = json_is_true(json_object_get(trace, "stuttering"));
    if (json_is_integer(loop) && !stuttering && json_integer_value(loop) > 0 &&
        (size_t)json_integer_value(loop) <= json_array_size(states)) {
        strbuf_printf(&out, ",\"loop\":%lld", (long long)json_integer_value(loop) - 1);
    }
    strbuf_printf(&out, ",\"stuttering\":%s", stuttering ? "true" : "false");
    struct view_trace *t = new_trace(docs);
    SCOPED_STRBUF text = {0};
    view_dump(values, &text);
    t->values = str_dup(&docs->arena, strbuf_str(&text));
    t->spec_path = str_dup(&docs->arena, text_at(root, "spec"));
    t->cfg_path = str_dup(&docs->arena, text_at(root, "config"));
    view_add(docs, "trace", strbuf_str(&out));
    json_decref(vars);
    json_decref(values);
}

int view_read_check(struct view_docs *docs, const char *path, json_t *json)
{
    static const char *const counted[] = {
        "spec",   "config",  "verdict", "exit",         "complete", "states",  "properties",
        "time_s", "workers", "actions", "memory_bytes", "progress", "failure", "disk_bytes"};
    SCOPED_STRBUF out = {0};
    size_t i;
    json_t *violation;
    json_array_foreach(json_object_get(json, "violations"), i, violation)
    {
        if (json_is_array(json_object_get(json_object_get(violation, "trace"), "states"))) {
            add_violation(docs, path, json, violation);
        }
    }
    view_field(&out, "file", str_of(path));
    for (size_t k = 0; k < sizeof counted / sizeof counted[0]; k++) {
        put_dump(counted[k], json_object_get(json, counted[k]), &out);
    }
    view_add(docs, "statistics", strbuf_str(&out));
    if (json_is_array(json_object_get(json, "coverage"))) {
        strbuf_reset(&out);
        view_field(&out, "file", str_of(path));
        put_dump("spec", json_object_get(json, "spec"), &out);
        put_dump("rows", json_object_get(json, "coverage"), &out);
        put_dump("actions", json_object_get(json, "actions"), &out);
        view_add(docs, "coverage", strbuf_str(&out));
    }
    return 1;
}

/* ---- conform, confirm, test, history check, explore ---- */

int view_read_findings(struct view_docs *docs, const char *path, json_t *json)
{
    static const char *const histories[] = {"model", "operations", "explanation"};
    bool history = true;
    for (size_t i = 0; i < sizeof histories / sizeof histories[0]; i++) {
        history = history && json_object_get(json, histories[i]) != NULL;
    }
    json_t *findings = json_object_get(json, "findings");
    bool one = json_is_array(json_object_get(json, "steps")) &&
               json_object_get(json, "kind") != NULL && json_object_get(json, "verdict") != NULL;
    if (history) {
        view_add_json(docs, "judgement", path, json);
    } else if (json_is_array(findings)) {
        view_add_json(docs, "difference", path, json);
    } else if (one) { /* confirm tells one */
        json_t *all = json_pack("{s:[O], s:O}", "findings", json, "verdict",
                                json_object_get(json, "verdict"));
        view_add_json(docs, "difference", path, all);
        json_decref(all);
    }
    return history || json_is_array(findings) || one ? 1 : 0;
}

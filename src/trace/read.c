/* Traces from JSON: TLC's -dumpTrace json, ITF, and the older plain array of states. Which one it
 * is shows in the root.
 *
 * The text may come from anywhere, so every step checks what it finds and says what it expected. */
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "trace/trace.h"
#include "trace/trace_int.h"
#include "value/value.h"

typedef int (*value_fn)(struct vctx *ctx, json_t *json, struct val *ret, struct err *err);

static const char *copy_text(struct vctx *ctx, const json_t *json)
{
    return arena_strndup(ctx->arena, json_string_value(json), json_string_length(json));
}

/* "vars": an array of strings. */
static int read_vars(struct vctx *ctx, const json_t *json, struct trace *trace, struct err *err)
{
    if (!json_is_array(json)) {
        return err_set(err, ERR_INVALID, 0, "trace: \"vars\" must be an array of names");
    }
    size_t n = json_array_size(json);
    const char **vars = ARENA_ARRAY(ctx->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const json_t *name = json_array_get(json, i);
        if (!json_is_string(name)) {
            return err_set(err, ERR_INVALID, 0, "trace: \"vars\" must be an array of names");
        }
        vars[i] = copy_text(ctx, name);
    }
    trace->vars = vars;
    trace->nvar = (uint32_t)n;
    return 0;
}

/* Without "vars": the fields of the first state. */
static void vars_of_state(struct vctx *ctx, json_t *state, struct trace *trace)
{
    const char **vars = ARENA_ARRAY(ctx->arena, const char *, json_object_size(state) + 1);
    const char *key;
    json_t *value;
    json_object_foreach(state, key, value)
    {
        if (key[0] != '#') {
            vars[trace->nvar++] = arena_strndup(ctx->arena, key, strlen(key));
        }
    }
    trace->vars = vars;
}

/* One state: an object that has every variable. */
static int read_state(struct vctx *ctx, const json_t *json, value_fn value,
                      const struct trace *trace, struct trace_state *ret, struct err *err)
{
    if (!json_is_object(json)) {
        return err_set(err, ERR_INVALID, 0, "trace: a state must be an object");
    }
    ret->vals = ARENA_ARRAY(ctx->arena, struct val, trace->nvar + 1);
    for (uint32_t i = 0; i < trace->nvar; i++) {
        json_t *field = json_object_get(json, trace->vars[i]);
        if (field == NULL) {
            return err_set(err, ERR_INVALID, 0, "trace: a state has no variable %.100s",
                           trace->vars[i]);
        }
        int rc = value(ctx, field, &ret->vals[i], err);
        if (rc != 0) {
            return rc;
        }
    }
    ret->action = "Initial predicate";
    ret->label = ret->action;
    return 0;
}

/* An array of state objects (ITF's "states", or the older form). */
static int read_states(struct vctx *ctx, const json_t *json, value_fn value, struct trace *trace,
                       struct err *err)
{
    if (!json_is_array(json)) {
        return err_set(err, ERR_INVALID, 0, "trace: the states must be an array");
    }
    size_t n = json_array_size(json);
    trace->states = ARENA_ARRAY(ctx->arena, struct trace_state, n + 1);
    trace->nstate = n;
    for (size_t i = 0; i < n; i++) {
        const json_t *state = json_array_get(json, i);
        int rc = read_state(ctx, state, value, trace, &trace->states[i], err);
        if (rc != 0) {
            return rc;
        }
        const json_t *label = json_object_get(json_object_get(state, "#meta"), "action");
        if (i > 0) {
            trace->states[i].action = json_is_string(label) ? copy_text(ctx, label) : "Next";
            trace->states[i].label = trace->states[i].action;
        }
    }
    return 0;
}

static int read_itf(struct vctx *ctx, json_t *root, struct trace *trace, struct err *err)
{
    int rc = read_vars(ctx, json_object_get(root, "vars"), trace, err);
    if (rc == 0) {
        rc = read_states(ctx, json_object_get(root, "states"), itf_to_val, trace, err);
    }
    const json_t *loop = json_object_get(root, "loop");
    if (rc == 0 && loop != NULL && !json_is_null(loop)) {
        json_int_t at = json_integer_value(loop);
        if (!json_is_integer(loop) || at < 0 || (uint64_t)at >= trace->nstate) {
            return err_set(err, ERR_INVALID, 0, "trace: \"loop\" is no index of a state");
        }
        trace->lasso = true;
        trace->loop = (size_t)at;
    }
    return rc;
}

/* ---- TLC's JSON ---- */
/* A pair [number, state]; gives its 0-based index. */
static int read_index(const json_t *pair, size_t count, size_t *ret, struct err *err)
{
    const json_t *number = json_array_get(pair, 0);
    json_int_t at = json_integer_value(number);
    if (json_array_size(pair) != 2 || !json_is_integer(number) || at < 1 || (uint64_t)at > count) {
        return err_set(err, ERR_INVALID, 0,
                       "trace: expected a pair [number, state] with a number in 1..%zu", count);
    }
    *ret = (size_t)at - 1;
    return 0;
}

static int read_tlc_states(struct vctx *ctx, const json_t *json, json_t *root, struct trace *trace,
                           struct err *err)
{
    size_t n = json_array_size(json);
    if (!json_is_array(json)) {
        return err_set(err, ERR_INVALID, 0, "trace: \"state\" must be an array");
    }
    if (json_object_get(root, "vars") != NULL) {
        int rc = read_vars(ctx, json_object_get(root, "vars"), trace, err);
        if (rc != 0) {
            return rc;
        }
    } else {
        vars_of_state(ctx, json_array_get(json_array_get(json, 0), 1), trace);
    }
    trace->states = ARENA_ARRAY(ctx->arena, struct trace_state, n + 1);
    trace->nstate = n;
    for (size_t i = 0; i < n; i++) {
        const json_t *pair = json_array_get(json, i);
        size_t at = 0;
        int rc = read_index(pair, n, &at, err);
        if (rc == 0 && trace->states[at].vals != NULL) {
            rc = err_set(err, ERR_INVALID, 0, "trace: state %zu stands there twice", at + 1);
        }
        if (rc == 0) {
            rc = read_state(ctx, json_array_get(pair, 1), json_to_val, trace, &trace->states[at],
                            err);
        }
        if (rc != 0) {
            return rc;
        }
    }
    return 0;
}

static uint32_t read_u32(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* "parameters" and their values in "context"; absent is fine. */
static int read_params(struct vctx *ctx, const json_t *json, struct trace_state *ret,
                       struct err *err)
{
    const json_t *names = json_object_get(json, "parameters");
    const json_t *context = json_object_get(json, "context");
    size_t n = json_array_size(names);
    const char **param_names = ARENA_ARRAY(ctx->arena, const char *, n + 1);
    ret->param_vals = ARENA_ARRAY(ctx->arena, struct val, n + 1);
    for (size_t i = 0; i < n; i++) {
        const json_t *name = json_array_get(names, i);
        json_t *value =
            json_is_string(name) ? json_object_get(context, json_string_value(name)) : NULL;
        if (value == NULL) {
            return err_set(err, ERR_INVALID, 0, "trace: a parameter of an action has no value");
        }
        param_names[i] = copy_text(ctx, name);
        int rc = json_to_val(ctx, value, &ret->param_vals[i], err);
        if (rc != 0) {
            return rc;
        }
    }
    ret->param_names = param_names;
    ret->nparam = (uint32_t)n;
    return 0;
}

static const char *label_of(struct vctx *ctx, const struct trace_state *step)
{
    SCOPED_STRBUF label = {0};
    strbuf_adds(&label, step->action);
    for (uint32_t i = 0; i < step->nparam; i++) {
        strbuf_adds(&label, i == 0 ? "(" : ", ");
        val_print(ctx, step->param_vals[i], &label);
    }
    if (step->nparam > 0) {
        strbuf_addc(&label, ')');
    }
    return arena_strndup(ctx->arena, strbuf_cstr(&label), label.n);
}

static int read_action(struct vctx *ctx, const json_t *json, struct trace_state *ret,
                       struct err *err)
{
    const json_t *name = json_object_get(json, "name");
    if (!json_is_string(name)) {
        return err_set(err, ERR_INVALID, 0, "trace: an action needs a \"name\"");
    }
    ret->action = copy_text(ctx, name);
    const json_t *location = json_object_get(json, "location");
    const json_t *module = json_object_get(location, "module");
    ret->module = json_is_string(module) ? copy_text(ctx, module) : NULL;
    ret->line = read_u32(location, "beginLine");
    ret->column = read_u32(location, "beginColumn");
    ret->end_line = read_u32(location, "endLine");
    ret->end_column = read_u32(location, "endColumn");
    int rc = read_params(ctx, json, ret, err);
    if (rc == 0) {
        ret->label = label_of(ctx, ret);
    }
    return rc;
}

/* Edges [[i, state], action, [j, state]]; one that goes back closes a lasso. */
static int read_edges(struct vctx *ctx, const json_t *json, struct trace *trace, struct err *err)
{
    for (size_t i = 0; i < json_array_size(json); i++) {
        const json_t *edge = json_array_get(json, i);
        size_t from = 0;
        size_t to = 0;
        int rc = read_index(json_array_get(edge, 0), trace->nstate, &from, err);
        if (rc == 0) {
            rc = read_index(json_array_get(edge, 2), trace->nstate, &to, err);
        }
        if (rc == 0 && to > from + 1) {
            rc = err_set(err, ERR_INVALID, 0, "trace: an action leads from state %zu to state %zu",
                         from + 1, to + 1);
        }
        if (rc != 0) {
            return rc;
        }
        struct trace_state *step = &trace->states[to];
        if (to <= from) {
            step = ARENA_NEW(ctx->arena, struct trace_state);
            trace->back = step;
            trace->stuttering = to == from;
            trace->lasso = to != from;
            trace->loop = to;
        }
        rc = read_action(ctx, json_array_get(edge, 1), step, err);
        if (rc != 0) {
            return rc;
        }
    }
    return 0;
}

static int read_tlc(struct vctx *ctx, json_t *root, struct trace *trace, struct err *err)
{
    const json_t *example = json_object_get(root, "counterexample");
    int rc = read_tlc_states(ctx, json_object_get(example, "state"), root, trace, err);
    return rc == 0 ? read_edges(ctx, json_object_get(example, "action"), trace, err) : rc;
}

static int read_root(struct vctx *ctx, json_t *root, void *arg, struct err *err)
{
    struct trace *trace = arg;
    if (json_is_array(root)) {
        vars_of_state(ctx, json_array_get(root, 0), trace);
        return read_states(ctx, root, json_to_val, trace, err);
    }
    if (json_object_get(root, "counterexample") != NULL) {
        return read_tlc(ctx, root, trace, err);
    }
    if (json_object_get(root, "states") != NULL) {
        return read_itf(ctx, root, trace, err);
    }
    return err_set(err, ERR_INVALID, 0,
                   "not a trace: expected \"counterexample\" (TLC's JSON), \"states\" (ITF) or an "
                   "array of states");
}

int trace_read(struct vctx *ctx, struct str text, struct trace *ret_trace, struct err *err)
{
    struct trace trace = {0};
    int rc = json_read_guarded(ctx, text, read_root, &trace, err);
    if (rc == 0) {
        *ret_trace = trace;
    }
    return rc;
}

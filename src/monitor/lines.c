/* Events as text: a JSON object in each line (docs/WATCH.md).
 *
 *     {"recv": "n2", "msg": {...}}      {"send": "n3", "msg": {...}}      {"input": "Request",
 * "args": ["n1", "put"]}
 *     {"up": "n2"}   {"down": "n2"}     {"sync": true}   {"crash": true}   {"restart": true}
 *     {"gap": true}  {"observed": {"term": 3, "log": [...]}}
 *
 * "ms" (the time in milliseconds) may stand beside each. A string in a message that is the name of
 * a node stands for the node. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "eval/eval.h"
#include "monitor/monitor_int.h"
#include "trace/trace.h"
#include "value/value.h"

struct reading_line {
    struct monitor *m;
    struct str line;
    struct monitor_event e;
    struct err *err;
    int status;
};

/* Strings become nodes, where nodes are no strings. */
static struct val with_nodes(struct monitor *m, struct vctx *ctx, struct val v)
{
    if (val_is_str(v)) {
        size_t node = monitor_node(m, val_str_text(ctx, v));
        return node != SIZE_MAX ? m->nodes[node].value : v;
    }
    if (!val_is_kind(v, VK_TUPLE) && !val_is_kind(v, VK_RECORD)) {
        return v;
    }
    const struct vobj *old = val_obj(v);
    bool record = old->kind == VK_RECORD;
    struct val *all = arena_alloc(ctx->arena, (2 * (size_t)old->n + 1) * sizeof *all);
    for (uint32_t i = 0; i < old->n; i++) {
        all[i] = with_nodes(m, ctx, old->v[(record ? old->n : 0) + i]);
    }
    return record ? record_make(ctx, old->v, all, old->n) : tuple_make(ctx, all, old->n);
}

static bool field(struct vctx *ctx, struct val line, const char *name, struct val *ret)
{
    return record_get(ctx, line, strtab_intern(ctx->strings, str_of(name)), ret);
}

static int bad_line(struct reading_line *r, const char *what)
{
    return err_set(r->err, ERR_INVALID, 0, "%s", what);
}

static int peer_of(struct reading_line *r, struct vctx *ctx, struct val name)
{
    if (!val_is_str(name)) {
        return bad_line(r, "the name of a node is expected");
    }
    struct str text = val_str_text(ctx, name);
    size_t node = monitor_node(r->m, text);
    if (node == SIZE_MAX && r->m->net.kind == NET_QUEUE) {
        return err_set(r->err, ERR_INVALID, 0, "there is no node '%.*s'", STR_ARG(text));
    }
    r->e.peer = node == SIZE_MAX ? MONITOR_ANY_PEER : (uint32_t)node;
    return 0;
}

static int input_of(struct reading_line *r, struct vctx *ctx, struct val line, struct val name)
{
    struct val args;
    struct str text = val_is_str(name) ? val_str_text(ctx, name) : STR("");
    r->e.kind = MONITOR_INPUT;
    r->e.peer = MONITOR_ANY_PEER;
    r->e.action = monitor_action(r->m, text);
    if (r->e.action == UINT32_MAX) {
        return err_set(r->err, ERR_INVALID, 0, "there is no action '%.*s'", STR_ARG(text));
    }
    bool given = field(ctx, line, "args", &args);
    r->e.msg = given ? with_nodes(r->m, ctx, args) : tuple_empty();
    return val_is_kind(r->e.msg, VK_TUPLE) || r->e.msg.w == tuple_empty().w
               ? 0
               : bad_line(r, "args is an array");
}

/* ---- values that were observed ----
 * JSON knows no sets, and no functions of nodes that are no strings: what a value is to be is seen
 * in the variable's first one. */

static struct val node_key(struct monitor *m, struct vctx *ctx, struct val key)
{
    size_t node = val_is_str(key) ? monitor_node(m, val_str_text(ctx, key)) : SIZE_MAX;
    return node != SIZE_MAX ? m->nodes[node].value : VAL_UNDEF;
}

static struct val like(struct monitor *m, struct vctx *ctx, struct val v, struct val first)
{
    bool list = val_is_kind(v, VK_TUPLE) || val_same(v, tuple_empty());
    if (list && val_is_set(first)) {
        return val_same(v, tuple_empty()) ? set_empty()
                                          : set_make(ctx, val_obj(v)->v, val_obj(v)->n);
    }
    if (!val_is_kind(v, VK_RECORD) || !val_is_kind(first, VK_FCN)) {
        return v;
    }
    const struct vobj *r = val_obj(v);
    struct val *keys = arena_alloc(ctx->arena, (r->n + (size_t)1) * sizeof *keys);
    for (uint32_t i = 0; i < r->n; i++) {
        keys[i] = node_key(m, ctx, r->v[i]);
        if (val_is_undef(keys[i])) {
            return v;
        }
    }
    return fcn_make(ctx, keys, r->v + r->n, r->n);
}

static int observed_of(struct reading_line *r, struct vctx *ctx, struct val values)
{
    struct monitor *m = r->m;
    if (!val_is_kind(values, VK_RECORD)) {
        return bad_line(r, "observed is an object: the values of variables by their names");
    }
    const struct vobj *old = val_obj(values);
    struct val *all = arena_alloc(ctx->arena, (old->n + (size_t)1) * sizeof *all);
    for (uint32_t i = 0; i < old->n; i++) {
        const struct own_var *v = NULL;
        struct str name = val_str_text(ctx, old->v[i]);
        for (uint32_t k = 0; k < m->o.model->nvar; k++) {
            v = str_is(name, m->o.model->vars[k]) ? &m->vars[k] : v;
        }
        if (v == NULL) {
            return err_set(r->err, ERR_INVALID, 0, "observed: there is no variable '%.*s'",
                           STR_ARG(name));
        }
        struct val first = v->sliced ? val_obj(v->initial)->v[v->slice] : v->initial;
        all[i] = like(m, ctx, with_nodes(m, ctx, old->v[old->n + i]), first);
    }
    r->e.kind = MONITOR_OBSERVED;
    r->e.peer = MONITOR_ANY_PEER;
    r->e.msg = record_make(ctx, old->v, all, old->n);
    return 0;
}

static int event_of(struct reading_line *r, struct vctx *ctx, struct val line)
{
    static const struct {
        const char *name;
        enum monitor_kind kind;
        bool peer, msg;
    } kinds[] = {
        {"recv",    MONITOR_RECEIVE, true,  true },
        {"send",    MONITOR_SEND,    true,  true },
        {"up",      MONITOR_UP,      true,  false},
        {"down",    MONITOR_DOWN,    true,  false},
        {"sync",    MONITOR_SYNC,    false, false},
        {"crash",   MONITOR_CRASH,   false, false},
        {"restart", MONITOR_RESTART, false, false},
        {"gap",     MONITOR_GAP,     false, false},
    };
    struct val v, msg;
    if (field(ctx, line, "input", &v)) {
        return input_of(r, ctx, line, v);
    }
    if (field(ctx, line, "observed", &v)) {
        return observed_of(r, ctx, v);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!field(ctx, line, kinds[i].name, &v)) {
            continue;
        }
        r->e.kind = kinds[i].kind;
        r->e.peer = MONITOR_ANY_PEER;
        int status = kinds[i].peer ? peer_of(r, ctx, v) : 0;
        if (status == 0 && kinds[i].msg && !field(ctx, line, "msg", &msg)) {
            return bad_line(r, "msg is missing");
        }
        r->e.msg = status == 0 && kinds[i].msg ? with_nodes(r->m, ctx, msg) : VAL_UNDEF;
        return status;
    }
    return bad_line(r, "one of recv, send, input, up, down, sync, crash, restart, gap "
                       "and observed is expected");
}

static void run_line(struct vctx *ctx, void *arg)
{
    struct reading_line *r = arg;
    struct val line;
    r->status = json_read_message(ctx, r->line, &line, r->err);
    if (r->status == 0 && !val_is_kind(line, VK_RECORD)) {
        r->status = bad_line(r, "an object is expected");
    }
    r->status = r->status != 0 ? r->status : event_of(r, ctx, line);
    struct val ms;
    if (r->status == 0 && field(ctx, line, "ms", &ms) && val_is_small(ms)) {
        r->e.time_ns = (uint64_t)val_small_get(ms) * 1000000;
    }
}

int monitor_line(struct monitor *m, struct str line, struct monitor_event *ret, struct err *err)
{
    struct reading_line r = {.m = m, .line = line, .err = err};
    m->err = err;
    monitor_ready(m); /* the event lives in the worker's memory until the next */
    if (model_with_values(m->worker, run_line, &r) != MODEL_OK) {
        return monitor_failed(m);
    }
    *ret = r.e;
    return r.status;
}

/* ---- writing ---- */

struct writing_line {
    struct monitor *m;
    const struct monitor_event *e;
    struct strbuf *out;
};

static void run_write(struct vctx *ctx, void *arg)
{
    static const char *const names[] = {
        [MONITOR_RECEIVE] = "recv",      [MONITOR_SEND] = "send",       [MONITOR_INPUT] = "input",
        [MONITOR_CRASH] = "crash",       [MONITOR_RESTART] = "restart", [MONITOR_UP] = "up",
        [MONITOR_DOWN] = "down",         [MONITOR_SYNC] = "sync",       [MONITOR_GAP] = "gap",
        [MONITOR_OBSERVED] = "observed",
    };
    struct writing_line *w = arg;
    const struct monitor_event *e = w->e;
    bool alone = e->kind == MONITOR_CRASH || e->kind == MONITOR_RESTART ||
                 e->kind == MONITOR_SYNC || e->kind == MONITOR_GAP;
    strbuf_printf(w->out, "{\"%s\":", names[e->kind]);
    if (alone) {
        strbuf_adds(w->out, "true");
    } else if (e->kind == MONITOR_OBSERVED) {
        json_write_val(ctx, e->msg, w->out);
    } else if (e->kind == MONITOR_INPUT) {
        strbuf_printf(w->out, "\"%s\",\"args\":", w->m->o.model->actions[e->action].name);
        json_write_val(ctx, e->msg, w->out);
    } else {
        strbuf_printf(w->out, "\"%s\"", e->peer < w->m->n_nodes ? w->m->nodes[e->peer].name : "?");
    }
    if (e->kind == MONITOR_RECEIVE || e->kind == MONITOR_SEND) {
        strbuf_adds(w->out, ",\"msg\":");
        json_write_val(ctx, e->msg, w->out);
    }
    if (e->time_ns >= 1000000) {
        strbuf_printf(w->out, ",\"ms\":%llu", (unsigned long long)(e->time_ns / 1000000));
    }
    strbuf_adds(w->out, "}\n");
}

void monitor_line_write(struct monitor *m, const struct monitor_event *event, struct strbuf *out)
{
    struct writing_line w = {m, event, out};
    size_t n = out->n;
    if (model_with_values(m->worker, run_write, &w) != MODEL_OK) {
        out->n = n; /* a value that JSON has no form for */
    }
}

struct writing_state {
    struct monitor *m;
    struct strbuf *out;
};

static void run_write_state(struct vctx *ctx, void *arg)
{
    struct writing_state *w = arg;
    const struct monitor *m = w->m;
    const struct vobj *state = val_obj(m->last->state);
    const char *before = "{\"observed\":{";
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        const struct own_var *v = &m->vars[i];
        if ((int)i == m->net.var || v->forget) {
            continue;
        }
        strbuf_printf(w->out, "%s\"%s\":", before, m->o.model->vars[i]);
        json_write_val(ctx, v->sliced ? val_obj(state->v[i])->v[v->slice] : state->v[i], w->out);
        before = ",";
    }
    strbuf_printf(w->out, "%s}}\n", before[0] == ',' ? "" : before);
}

void monitor_state_line(struct monitor *m, struct strbuf *out)
{
    struct writing_state w = {m, out};
    size_t n = out->n;
    if (m->last == NULL || model_with_values(m->worker, run_write_state, &w) != MODEL_OK) {
        out->n = n;
    }
}

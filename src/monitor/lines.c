/* Events as text: a JSON object in each line (docs/WATCH.md).
 *
 *     {"recv": "n2", "msg": {...}}      {"send": "n3", "msg": {...}}      {"input": "Request",
 * "args": ["n1", "put"]}
 *     {"up": "n2"}   {"down": "n2"}     {"sync": true}   {"crash": true}   {"restart": true}
 *
 * "time" (seconds) may stand beside each. A string in a message that is the name of a node stands
 * for the node. */
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
    };
    struct val v, msg;
    if (field(ctx, line, "input", &v)) {
        return input_of(r, ctx, line, v);
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
    return bad_line(r, "one of recv, send, input, up, down, sync, crash and restart is expected");
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
        [MONITOR_RECEIVE] = "recv", [MONITOR_SEND] = "send",       [MONITOR_INPUT] = "input",
        [MONITOR_CRASH] = "crash",  [MONITOR_RESTART] = "restart", [MONITOR_UP] = "up",
        [MONITOR_DOWN] = "down",    [MONITOR_SYNC] = "sync",
    };
    struct writing_line *w = arg;
    const struct monitor_event *e = w->e;
    bool alone = e->kind == MONITOR_CRASH || e->kind == MONITOR_RESTART || e->kind == MONITOR_SYNC;
    strbuf_printf(w->out, "{\"%s\":", names[e->kind]);
    if (alone) {
        strbuf_adds(w->out, "true");
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

/* What the evaluator tells of itself: traces, states as records, warnings. Answers for TLCGet are
 * in info_tlc.c. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/worker.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

static pthread_mutex_t *spec_lock(struct spec *spec)
{
    return &spec->lock;
}

/* ---- workers ---- */
void spec_worker_join(struct spec *spec, struct spec_worker *w)
{
    pthread_mutex_lock(spec_lock(spec));
    VEC_PUSH(&spec->workers, w);
    pthread_mutex_unlock(spec_lock(spec));
}

void spec_worker_leave(struct spec *spec, struct spec_worker *w)
{
    pthread_mutex_lock(spec_lock(spec));
    if (w->ev.cover) {
        cover_leave(&w->ev);
    }
    for (size_t i = 0; i < spec->workers.n; i++) {
        if (spec->workers.v[i] == w) {
            spec->workers.v[i] = spec->workers.v[--spec->workers.n];
            break;
        }
    }
    pthread_mutex_unlock(spec_lock(spec));
}

/* ---- warnings ---- */
void ev_warn(struct ev *ev, int code, const struct node *at, const char *text)
{
    struct spec *spec = ev->spec;
    struct strbuf sb = {.arena = &ev->scratch};
    pthread_mutex_lock(spec_lock(spec));
    bool known = false;
    for (size_t i = 0; i < spec->warned.n; i++) {
        known |= spec->warned.v[i] == at;
    }
    if (!known) {
        VEC_PUSH(&spec->warned, at);
    }
    pthread_mutex_unlock(spec_lock(spec));
    if (known || !ev->host || !ev->host->warn) {
        return;
    }
    strbuf_printf(&sb, "%s\n", text);
    ev_place(spec, at, &sb);
    ev->host->warn(ev->host->arg, code, strbuf_cstr(&sb));
    strbuf_done(&sb);
}

/* ---- states ---- */
struct val ev_state_record(struct ev *ev, bool primed)
{
    const struct spec *spec = ev->spec;
    const struct val *state = primed ? ev->s1 : ev->s0;
    struct val *names = arena_alloc(&ev->scratch, sizeof *names * (spec->nvar + 1));
    struct val *vals = arena_alloc(&ev->scratch, sizeof *vals * (spec->nvar + 1));
    uint32_t n = 0;
    for (uint32_t i = 0; state && i < spec->nvar; i++) {
        if (!val_is_undef(state[i])) {
            names[n] = val_str(&ev->vctx, spec->vars[i]->name);
            vals[n++] = state[i];
        }
    }
    return n ? record_make(&ev->vctx, names, vals, n) : tuple_empty();
}

struct trace_run {
    struct ev *ev;
    struct val *states;
    size_t n, cap;
    bool walks; /* random walks know by which action a state was reached */
};

static struct val trace_record(const struct trace_run *run, uint32_t action)
{
    struct ev *ev = run->ev;
    struct val record = ev_state_record(ev, false);
    if (!run->walks || !val_is_kind(record, VK_RECORD)) {
        return record;
    }
    uint32_t n = ev->spec->nvar;
    struct val *names = arena_alloc(&ev->scratch, sizeof *names * (n + 2));
    struct val *vals = arena_alloc(&ev->scratch, sizeof *vals * (n + 2));
    size_t at = 0;
    names[at] = val_str(&ev->vctx, STR("_action"));
    vals[at++] = info_action(ev, run->n == 0 ? NO_SLOT : action);
    for (uint32_t i = 0; i < n; i++) {
        if (!val_is_undef(ev->s0[i])) {
            names[at] = val_str(&ev->vctx, ev->spec->vars[i]->name);
            vals[at++] = ev->s0[i];
        }
    }
    return record_make(&ev->vctx, names, vals, at);
}

static void trace_push(struct trace_run *run, struct val record)
{
    if (run->n == run->cap) {
        size_t cap = run->cap ? run->cap * 2 : 16;
        struct val *grown = arena_alloc(&run->ev->scratch, sizeof *grown * cap);
        if (run->n) {
            memcpy(grown, run->states, sizeof *grown * run->n);
        }
        run->states = grown;
        run->cap = cap;
    }
    run->states[run->n++] = record;
}

static int trace_each(void *arg, const void *bytes, size_t len, uint32_t action)
{
    struct trace_run *run = arg;
    struct ev *ev = run->ev;
    const struct spec *spec = ev->spec;
    const uint8_t *at = bytes;
    struct val *state = arena_alloc(&ev->scratch, sizeof *state * (spec->nvar + 1));
    for (uint32_t i = 0; i < spec->nvar; i++) {
        if (!val_decode(&ev->vctx, &at, (const uint8_t *)bytes + len, &state[i])) {
            return -1;
        }
    }
    struct val *s0 = ev->s0;
    ev->s0 = state;
    struct val record = trace_record(run, action);
    ev->s0 = s0;
    trace_push(run, record);
    return 0;
}

struct val ev_trace(struct ev *ev)
{
    struct trace_run run = {.ev = ev, .walks = info_walks(ev)};
    if (!ev->host || !ev->host->trace || !ev->worker) {
        vctx_fail(&ev->vctx, 0, "TLCExt!Trace can only be evaluated while states are explored.");
    }
    if (ev->host->trace(ev->host->arg, ev->worker, trace_each, &run) != 0) {
        vctx_fail(&ev->vctx, 0, "The trace to the current state could not be rebuilt.");
    }
    if (ev->s0 == worker_of(ev->worker)->cand) { /* the state that is being looked at comes last */
        trace_push(&run, trace_record(&run, ev->action));
    }
    return tuple_make(&ev->vctx, run.states, run.n);
}

struct print_run {
    struct val v;
    struct strbuf *out;
};

static void run_print(struct ev *ev, void *arg)
{
    struct print_run *run = arg;
    if (val_is_kind(run->v, VK_UNION)) {
        run->v = set_force(&ev->vctx, run->v);
    }
    val_print(&ev->vctx, run->v, run->out);
}

void ev_expression_print(struct spec *spec, struct val v, struct strbuf *out)
{
    struct print_run run = {v, out};
    if (ev_try(spec->boot, run_print, &run) != 0) {
        strbuf_reset(out);
        spec_fail(spec, spec->boot->err_code, 75, NULL, "%s", spec->boot->err_text);
    }
}

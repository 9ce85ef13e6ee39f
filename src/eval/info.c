/* What the evaluator tells of itself: answers for TLCGet, traces, states as records, warnings,
 * coverage. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "eval/eval_int.h"
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
        if (!spec->cover_sum) {
            size_t cap = 0;
            spec->cover_sum = vec_grow(NULL, &cap, spec->nex + 1, sizeof *spec->cover_sum);
            memset(spec->cover_sum, 0, sizeof *spec->cover_sum * (spec->nex + 1));
        }
        for (uint32_t i = 0; i < spec->nex; i++) {
            spec->cover_sum[i] += w->ev.cover[i];
        }
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
    struct strbuf sb = {0};
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
};

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
    (void)action;
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
    struct val record = ev_state_record(ev, false);
    ev->s0 = s0;
    trace_push(run, record);
    return 0;
}

struct val ev_trace(struct ev *ev)
{
    struct trace_run run = {.ev = ev};
    if (!ev->host || !ev->host->trace || !ev->worker) {
        vctx_fail(&ev->vctx, 0, "TLCExt!Trace can only be evaluated while states are explored.");
    }
    if (ev->host->trace(ev->host->arg, ev->worker, trace_each, &run) != 0) {
        vctx_fail(&ev->vctx, 0, "The trace to the current state could not be rebuilt.");
    }
    if (ev->s0 == worker_of(ev->worker)->cand) { /* the state that is being looked at comes last */
        trace_push(&run, ev_state_record(ev, false));
    }
    return tuple_make(&ev->vctx, run.states, run.n);
}

/* ---- TLCGet ---- */
static struct val str_set(struct ev *ev, const struct cfg_names *names)
{
    struct val *v = arena_alloc(&ev->scratch, sizeof *v * (names->n + 1));
    for (size_t i = 0; i < names->n; i++) {
        v[i] = val_str(&ev->vctx, names->v[i].name);
    }
    return set_make(&ev->vctx, v, names->n);
}

static struct val record_of(struct ev *ev, const char *const *names, const struct val *vals,
                            size_t n)
{
    struct val keys[16];
    for (size_t i = 0; i < n; i++) {
        keys[i] = val_str(&ev->vctx, str_of(names[i]));
    }
    return record_make(&ev->vctx, keys, vals, n);
}

static struct val place_record(struct ev *ev, const struct mplace *p)
{
    static const char *const names[] = {"beginLine", "beginColumn", "endLine", "endColumn",
                                        "module"};
    struct val vals[] = {val_small(p->line), val_small(p->column), val_small(p->end_line),
                         val_small(p->end_column),
                         val_str(&ev->vctx, str_of(p->module ? p->module : ""))};
    return record_of(ev, names, vals, 5);
}

static struct val action_record(struct ev *ev)
{
    static const char *const names[] = {"name", "location"};
    const struct spec *spec = ev->spec;
    const struct action_site *site = ev->action < spec->sites.n ? &spec->sites.v[ev->action] : NULL;
    struct mplace none = {"", 0, 0, 0, 0};
    struct val vals[] = {val_str(&ev->vctx, str_of(site ? site->pub.name : "Initial predicate")),
                         place_record(ev, site ? &site->pub.place : &none)};
    return record_of(ev, names, vals, 2);
}

/* The fields that TLC gives: those of simulation only there. */
static struct val config_record(struct ev *ev)
{
    static const char *const names[] = {"mode",    "deadlock", "worker", "seed", "fingerprint",
                                        "install", "traces",   "depth",  "aril", "sched"};
    const struct mhost *host = ev->host;
    const struct spec *spec = ev->spec;
    const char *mode = host && host->mode ? host->mode : "bfs";
    bool walks = strcmp(mode, "simulate") == 0 || strcmp(mode, "generate") == 0;
    bool deadlock =
        !spec->options.no_deadlock &&
        (!spec->config || !spec->config->has_check_deadlock || spec->config->check_deadlock);
    struct vctx *ctx = &ev->vctx;
    struct val vals[] = {val_str(ctx, str_of(mode)),
                         val_bool(deadlock),
                         val_small(host && host->workers ? host->workers : 1),
                         val_int(ctx, (int64_t)spec->options.seed),
                         val_small(0),
                         val_str(ctx, STR("assay")),
                         val_small(-1),
                         val_int(ctx, host ? host->depth : 0),
                         val_small(0),
                         val_str(ctx, STR("random"))};
    return record_of(ev, names, vals, walks ? 10 : 6);
}

static struct val revision_record(struct ev *ev)
{
    static const char *const names[] = {"timestamp", "date", "count", "tag", "calver"};
    struct vctx *ctx = &ev->vctx;
    struct val version = val_str(ctx, STR(ASSAY_VERSION));
    struct val vals[] = {val_small(0), version, val_small(0), version, version};
    return record_of(ev, names, vals, 5);
}

bool ev_model_info(struct ev *ev, const char *key, struct val *ret)
{
    const struct spec *spec = ev->spec;
    if (strcmp(key, "action") == 0) {
        *ret = action_record(ev);
        return true;
    }
    if (strcmp(key, "config") == 0) {
        *ret = config_record(ev);
        return true;
    }
    if (strcmp(key, "revision") == 0) {
        *ret = revision_record(ev);
        return true;
    }
    if (strcmp(key, "-Dtlc2.tool.impl.Tool.cdot") == 0 && spec->options.action_composition) {
        *ret = val_str(&ev->vctx, STR("true"));
        return true;
    }
    if (strcmp(key, "spec") == 0 && spec->config) {
        static const char *const names[] = {"inits",      "actions",      "temporals",
                                            "invariants", "impliedinits", "impliedtemporals"};
        struct cfg_names none = {0};
        struct val *sites = arena_alloc(&ev->scratch, sizeof *sites * (spec->sites.n + 1));
        for (size_t i = 0; i < spec->sites.n; i++) {
            static const char *const an[] = {"name", "location"};
            struct val av[] = {val_str(&ev->vctx, str_of(spec->sites.v[i].pub.name)),
                               place_record(ev, &spec->sites.v[i].pub.place)};
            sites[i] = record_of(ev, an, av, 2);
        }
        struct val vals[] = {set_empty(),        set_make(&ev->vctx, sites, spec->sites.n),
                             str_set(ev, &none), str_set(ev, &spec->config->invariants),
                             set_empty(),        str_set(ev, &spec->config->properties)};
        *ret = record_of(ev, names, vals, 6);
        return true;
    }
    return false;
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

void expression_print(struct spec *spec, struct val v, struct strbuf *out)
{
    struct print_run run = {v, out};
    if (ev_try(spec->boot, run_print, &run) != 0) {
        strbuf_reset(out);
        spec_fail(spec, spec->boot->err_code, 75, NULL, "%s", spec->boot->err_text);
    }
}

/* ---- coverage ---- */
size_t model_coverage(struct model *model, struct arena *arena, struct coverage_row **ret_rows)
{
    struct spec *spec = (struct spec *)model;
    *ret_rows = ARENA_ARRAY(arena, struct coverage_row, spec->all_ex.n + 1);
    if (!spec->options.coverage) {
        return 0;
    }
    size_t n = 0;
    pthread_mutex_lock(spec_lock(spec));
    for (size_t i = 0; i < spec->all_ex.n; i++) {
        const struct ex *x = spec->all_ex.v[i];
        uint64_t count = spec->cover_sum ? spec->cover_sum[x->id] : 0;
        for (size_t k = 0; k < spec->workers.n; k++) {
            count += spec->workers.v[k]->ev.cover[x->id];
        }
        struct mplace place = ev_mplace(spec, x->src);
        if (place.line) {
            (*ret_rows)[n++] = (struct coverage_row){
                .kind = COVER_EXPR, .depth = 1, .place = place, .count = count};
        }
    }
    pthread_mutex_unlock(spec_lock(spec));
    return n;
}

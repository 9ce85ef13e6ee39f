/* Violations: noted by the worker that finds one, given their traces by the leader.
 *
 * A worker inside a sink cannot run its model from the start, so it only copies the two states at
 * hand and the log position. When all workers have parked, the leader reads the path from the log
 * and runs the model along it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/tracelog.h"
#include "model/model.h"

enum { VIOLATIONS_MAX = 1000 };

void check_error_copy(struct arena *arena, const struct merror *from, struct merror *to)
{
    *to = *from;
    to->text = from->text ? arena_strndup(arena, from->text, strlen(from->text)) : "";
    to->property =
        from->property ? arena_strndup(arena, from->property, strlen(from->property)) : NULL;
    if (from->partial) {
        to->partial = arena_strndup(arena, from->partial, strlen(from->partial));
        to->partial_args = ARENA_ARRAY(arena, const char *, from->partial_nargs + 1);
        for (uint32_t i = 0; i < from->partial_nargs; i++) {
            to->partial_args[i] =
                arena_strndup(arena, from->partial_args[i], strlen(from->partial_args[i]));
        }
    }
    to->stack = ARENA_ARRAY(arena, struct mplace, from->nstack);
    for (size_t i = 0; i < from->nstack; i++) {
        to->stack[i] = from->stack[i];
        const char *module = from->stack[i].module;
        to->stack[i].module = module ? arena_strndup(arena, module, strlen(module)) : NULL;
    }
}

void check_step_copy(struct arena *arena, struct check_step *step)
{
    void *bytes = arena_alloc(arena, step->len ? step->len : 1);
    if (step->len) {
        memcpy(bytes, step->bytes, step->len);
    }
    step->bytes = bytes;
}

static bool is_fatal(const struct search *s, enum verdict verdict)
{
    return !s->opt->keep_going || verdict == VERDICT_EVAL_ERROR || verdict == VERDICT_DEADLOCK ||
           verdict == VERDICT_INIT_PROPERTY;
}

uint64_t violations_kept(const struct search *s)
{
    return s->opt->violations_max ? s->opt->violations_max : VIOLATIONS_MAX;
}

/* Under lock. False when there are enough of them already. */
static bool note_locked(struct worker *w, struct raw_violation *raw, struct strbuf *next)
{
    struct search *s = w->search;
    struct arena *arena = &s->box->arena;
    s->raw_total++;
    s->fatal = s->fatal || is_fatal(s, raw->v.verdict);
    if (s->box->violations.n + s->raw.n >= violations_kept(s) && !is_fatal(s, raw->v.verdict)) {
        return false;
    }
    if (w->level > 0 && w->past) { /* the whole path is at hand */
        struct check_trace *trace = &raw->v.trace;
        trace->steps = ARENA_ARRAY(arena, struct check_step, w->npast + 1);
        trace->nstep = w->npast;
        for (size_t i = 0; i < w->npast; i++) {
            trace->steps[i] = w->past[i];
            check_step_copy(arena, &trace->steps[i]);
        }
    } else if (raw->index != TRACE_ROOT) {
        raw->current = w->current;
        check_step_copy(arena, &raw->current);
    }
    if (raw->has_next) {
        raw->next.bytes = (const uint8_t *)next->p;
        raw->next.len = next->n;
        check_step_copy(arena, &raw->next);
    }
    if (raw->v.verdict == VERDICT_EVAL_ERROR) {
        check_error_copy(arena, &w->model->error, &raw->v.error);
    }
    VEC_PUSH(&s->raw, *raw);
    return true;
}

int violation_note(struct worker *w, enum verdict verdict, int prop, enum phase phase,
                   const struct candidate *cand, bool has_candidate)
{
    struct search *s = w->search;
    struct raw_violation raw = {
        .v = {.verdict = verdict,
              .prop = prop,
              .phase = (int)phase,
              .error_in_init = w->level == 0},
        .index = w->level == 0 ? TRACE_ROOT : w->index_log,
        .has_next = has_candidate,
    };
    SCOPED_STRBUF next = {0};
    if (has_candidate) {
        s->ops->save(w->model, &next);
        raw.next.fp = cand->fp;
        raw.next.action = cand->action;
    }
    bool fatal = is_fatal(s, verdict);
    bool kept = false;
    pthread_mutex_lock(&s->lock);
    if (!s->fatal) { /* the first one ends the search; later ones are an accident of timing */
        kept = note_locked(w, &raw, &next);
    }
    pthread_mutex_unlock(&s->lock);
    if (fatal) {
        atomic_store_explicit(&s->abort, true, memory_order_relaxed);
    }
    if (kept || fatal) {
        search_request(s, REQ_VIOLATION);
    }
    return fatal;
}

void violation_path(struct worker *w, uint32_t prop, const uint64_t *path, size_t n)
{
    struct search *s = w->search;
    pthread_mutex_lock(&s->lock);
    if (!s->fatal) {
        uint64_t *copy = ARENA_ARRAY(&s->box->arena, uint64_t, n);
        memcpy(copy, path, n * sizeof *path);
        struct raw_violation raw = {
            .v = {.verdict = VERDICT_TEMPORAL, .prop = (int)prop, .phase = PHASE_TEMPORAL},
            .path = copy,
            .npath = n,
        };
        s->raw_total++;
        s->fatal = true;
        VEC_PUSH(&s->raw, raw);
    }
    pthread_mutex_unlock(&s->lock);
    atomic_store_explicit(&s->abort, true, memory_order_relaxed);
    search_request(s, REQ_VIOLATION);
}

int violation_error(struct worker *w, int prop, enum phase phase, const struct candidate *cand,
                    bool has_candidate)
{
    if (search_interrupted(w->search)) { /* the model gave up because it was told to */
        search_request(w->search, REQ_STOP);
        return 1;
    }
    (void)violation_note(w, VERDICT_EVAL_ERROR, prop, phase, cand, has_candidate);
    return 1;
}

void violation_add(struct search *s, const struct check_violation *violation)
{
    struct result_box *box = s->box;
    pthread_mutex_lock(&s->event_lock); /* the coordinator may be showing the result */
    VEC_PUSH(&box->violations, *violation);
    box->result.violations = box->violations.v;
    box->result.nviolation = box->violations.n;
    if (box->violations.n == 1) {
        box->result.verdict = violation->verdict;
    }
    if (s->opt->event) { /* under the same lock, so that the last one is the one told of */
        struct check_progress progress;
        search_progress(s, &progress);
        s->opt->event(s->opt->event_arg, CHECK_EV_VIOLATION, &progress, &box->result);
    }
    pthread_mutex_unlock(&s->event_lock);
}

/* The states from an initial one to raw->current. When the model does not meet them again, only the
 * current one. */
static void build_prefix(struct search *s, struct worker *w, const struct raw_violation *raw,
                         struct check_trace *trace)
{
    struct arena *arena = &s->box->arena;
    struct path_node *nodes = NULL;
    size_t n = 0;
    struct err err = {0};
    if (raw->index == TRACE_ROOT) {
        trace->steps = ARENA_ARRAY(arena, struct check_step, 1);
        return;
    }
    if (path_nodes(s->log, raw->index, &nodes, &n, &err) < 0) {
        n = 0;
    }
    trace->steps = ARENA_ARRAY(arena, struct check_step, n + 2);
    size_t found = n ? move_path(s, w->model, arena, nodes, n, trace->steps) : 0;
    if (found == n && n > 0 && trace->steps[n - 1].fp == raw->current.fp) {
        uint32_t action = trace->steps[n - 1].action;
        trace->steps[n - 1] = raw->current; /* the same, unless the model is random */
        trace->steps[n - 1].action = action;
        trace->nstep = n;
    } else {
        trace->steps[0] = raw->current;
        trace->nstep = 1;
        trace->incomplete = true;
    }
    vec_release(nodes);
}

void violations_settle(struct search *s, struct worker *w)
{
    for (size_t i = 0; i < s->raw.n; i++) {
        struct raw_violation *raw = &s->raw.v[i];
        if (raw->path) {
            liveness_trace(s, w, raw->path, raw->npath, &raw->v.trace);
            raw->v.trace.finite = true;
        } else if (!raw->v.trace.steps) {
            build_prefix(s, w, raw, &raw->v.trace);
        }
        if (raw->has_next && raw->v.trace.steps) {
            raw->v.trace.steps[raw->v.trace.nstep++] = raw->next;
        }
        violation_add(s, &raw->v);
    }
    VEC_RESET(&s->raw);
    s->box->result.violations_seen = s->raw_total;
}

void check_postcondition(struct search *s, struct worker *w)
{
    const char *name = NULL;
    if (!s->model->postcondition || !w->model) {
        return;
    }
    int status = s->model->postcondition(w->model, &name);
    if (status == 1) {
        return;
    }
    struct check_violation violation = {
        .verdict = VERDICT_POSTCONDITION, .prop = -1, .phase = PHASE_POST};
    if (status == MODEL_ERROR) {
        check_error_copy(&s->box->arena, &w->model->error, &violation.error);
    }
    if (name) {
        violation.error.property = arena_strndup(&s->box->arena, name, strlen(name));
    }
    s->raw_total++;
    violation_add(s, &violation);
}

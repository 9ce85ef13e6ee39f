/* Between the search and the behaviour graph (live.h): the edges of each state are collected while
 * it is expanded, so nothing is evaluated twice.
 *
 * As in TLC, only steps to states in the model become edges, and every expanded state has a
 * stuttering step. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/live.h"
#include "check/store.h"
#include "check/tracelog.h"
#include "model/model.h"

int liveness_open(struct search *s, struct err *err)
{
    const struct mlive *spec = s->model->live;
    s->state_words = spec->nstate_leaf / 64 + 1;
    s->action_words = spec->naction_leaf / 64 + 1;
    for (unsigned i = 0; i < s->nworker; i++) {
        s->workers[i].state_bits = ARENA_ARRAY(&s->box->arena, uint64_t, s->state_words);
        s->workers[i].stutter_bits = ARENA_ARRAY(&s->box->arena, uint64_t, s->action_words);
    }
    int status = store_make(&s->store, err);
    if (status < 0) {
        return status;
    }
    struct live_options options = {
        .workers = s->nworker,
        .dir = s->store.dir,
        .memory_bytes = s->live_share,
        .interrupt = s->opt->interrupt,
        .watch = true,
        .reachable = !s->opt->keep_going, /* states with a violated step are left out */
    };
    status = live_new(spec, &options, &s->live, err);
    if (s->opt->live_when == LIVE_OFF && status != -ERR_INTERRUPTED) {
        if (status == 0 && !live_watches(s->live)) { /* nothing can be found without cycles */
            live_free(s->live);
            s->live = NULL;
        }
        return 0;
    }
    return status;
}

void liveness_tautology(struct search *s)
{
    struct check_violation violation = {
        .verdict = VERDICT_EVAL_ERROR,
        .prop = -1,
        .phase = PHASE_TEMPORAL,
        .error = {.code = 2253,
                  .exit_status = 77,
                  .text = "Temporal formula is a tautology (its negation is unsatisfiable)."},
    };
    if (s->live && live_tautology(s->live)) {
        violation_add(s, &violation);
        s->fatal = true;
    }
}

/* An edge with the same target and the same bits says nothing new. */
static bool edge_is_known(const struct worker *w, uint64_t fp, const uint64_t *bits)
{
    enum { LOOK_BACK = 16 };
    size_t words = w->search->action_words;
    size_t first = w->edges.n > LOOK_BACK ? w->edges.n - LOOK_BACK : 0;
    for (size_t i = first; i < w->edges.n; i++) {
        if (w->edges.v[i].fp == fp &&
            memcmp(w->edge_bits.v + i * words, bits, words * sizeof *bits) == 0) {
            return true;
        }
    }
    return false;
}

int liveness_edge(struct worker *w, const struct candidate *cand)
{
    struct search *s = w->search;
    size_t words = s->action_words;
    VEC_RESERVE(&w->edge_bits, w->edge_bits.n + words);
    uint64_t *bits = w->edge_bits.v + w->edge_bits.n;
    memset(bits, 0, words * sizeof *bits);
    if (s->ops->live_action(w->model, bits) != MODEL_OK) {
        return violation_error(w, -1, PHASE_TEMPORAL, cand, false);
    }
    if (!edge_is_known(w, cand->fp, bits)) {
        VEC_PUSH(&w->edges, (struct live_edge){.fp = cand->fp});
        w->edge_bits.n += words;
    }
    return 0;
}

void liveness_state(struct worker *w)
{
    struct search *s = w->search;
    memset(w->state_bits, 0, s->state_words * sizeof *w->state_bits);
    memset(w->stutter_bits, 0, s->action_words * sizeof *w->stutter_bits);
    if (s->ops->live_current(w->model, w->state_bits) != MODEL_OK ||
        s->ops->live_stutter(w->model, w->stutter_bits) != MODEL_OK) {
        (void)violation_error(w, -1, PHASE_TEMPORAL, NULL, false);
        return;
    }
    for (size_t i = 0; i < w->edges.n; i++) {
        w->edges.v[i].bits = w->edge_bits.v + i * s->action_words;
    }
    bool initial = trace_parent(w->link) == TRACE_ROOT;
    live_add(s->live, w->index, w->current.fp, initial, w->state_bits, w->stutter_bits, w->edges.v,
             w->edges.n);
    uint32_t prop = 0;
    uint64_t *path = NULL;
    size_t n = 0;
    if (live_prefix(s->live, &prop, &path, &n)) {
        violation_path(w, prop, path, n);
        vec_release(path);
    }
    if (s->opt->on_edge) {
        pthread_mutex_lock(&s->dump_lock);
        s->opt->on_edge(s->opt->dump_arg, w->current.fp, w->current.fp, CHECK_ACTION_STUTTER, true);
        pthread_mutex_unlock(&s->dump_lock);
    }
}

void liveness_trace(struct search *s, struct worker *w, const uint64_t *path, size_t n,
                    struct check_trace *trace)
{
    struct arena *arena = &s->box->arena;
    struct path_node *nodes = ARENA_ARRAY(arena, struct path_node, n);
    for (size_t i = 0; i < n; i++) {
        nodes[i] = (struct path_node){.fp = path[i], .has_fp = true, .ordinal = PATH_ANY};
    }
    trace->steps = ARENA_ARRAY(arena, struct check_step, n);
    trace->nstep = path_states(s->model, w->model, arena, nodes, n, trace->steps);
    trace->incomplete = trace->nstep < n;
}

void liveness_report(struct search *s, struct worker *w, uint32_t prop, const uint64_t *path,
                     size_t n, size_t loop)
{
    struct check_violation violation = {
        .verdict = VERDICT_TEMPORAL, .prop = (int)prop, .phase = PHASE_TEMPORAL};
    struct check_trace *trace = &violation.trace;
    liveness_trace(s, w, path, n, trace);
    trace->stuttering = loop + 1 == n;
    if (!trace->stuttering && !trace->incomplete) {
        trace->lasso = true;
        trace->loop = loop;
        trace->loop_action = path_action(s->model, w->model, &trace->steps[n - 1], n, path[loop]);
    }
    s->raw_total++;
    s->box->result.violations_seen = s->raw_total;
    violation_add(s, &violation);
    s->fatal = true;
}

void liveness_check(struct search *s, struct worker *w)
{
    uint64_t begin = clock_mono_ns();
    unsigned threads = s->opt->live_when == LIVE_SEQFINAL ? 1 : s->nworker;
    bool again = true;
    search_event(s, CHECK_EV_LIVE_START);
    for (uint32_t prop = 0; prop < s->model->live->nprop && again; prop++) {
        struct err err = {0};
        uint64_t *path = NULL;
        size_t n = 0;
        size_t loop = 0;
        int found =
            live_check_from(s->live, &prop, threads, s->opt->interrupt, &path, &n, &loop, &err);
        again = found == 1 && s->opt->keep_going;
        if (found == 1) {
            liveness_report(s, w, prop, path, n, loop);
            vec_release(path);
        } else if (found < 0 && search_interrupted(s)) {
            s->stopped = true;
        } else if (found < 0) {
            search_fail(s, &err);
        }
    }
    atomic_store(&s->live_size_checked, live_states(s->live));
    atomic_fetch_add(&s->live_ns, clock_mono_ns() - begin);
    search_event(s, CHECK_EV_LIVE_DONE);
}

/* Random simulation, as TLC's.
 *
 * A trace starts in a random initial state. At each state the actions are tried from a random one
 * on, with a random stride, until one has successors in the model; one of them is drawn. Invariants
 * and action properties are checked on all successors of the action that is tried (CHECK_SIMULATE),
 * or only on the one that is drawn (CHECK_GENERATE). A state without successors in the model is a
 * deadlock. When a trace ends, temporal properties are checked on the graph of its states.
 *
 * Traces have numbers; worker i of N makes those with number % N == i, from a generator of its own.
 * A violation in trace v ends the search when all traces below v are finished, and the one with the
 * smallest number is reported: with the same seed and number of workers, the same one. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/live.h"
#include "check/store.h"
#include "model/model.h"

enum { DEPTH_DEFAULT = 100 };

struct sim_shared {
    VEC(struct check_step) inits; /* in the model; written before the other workers start */
    struct arena arena;
    uint64_t depth_max;
    _Atomic uint64_t end; /* traces from this number on are not begun: a violation was found, or
                             enough are made */
    VEC(struct check_violation) found; /* under search.lock; error_in_init unused */
    VEC(uint64_t) found_at;            /* trace numbers */
    uint64_t length_max;               /* under search.lock, as the next three */
    int64_t length_mean, length_m2;    /* Welford's method in whole numbers, as TLC */
    int64_t length_variance;
};

/* One worker's trace. */
struct sim {
    struct arena arena; /* the states of the trace */
    VEC(struct check_step) steps;
    struct arena next_arena; /* the successors drawn from */
    VEC(struct check_step) next;
    VEC(uint64_t) next_bits;  /* action leaves of each, when there is something temporal */
    VEC(uint64_t) step_bits;  /* of the steps taken */
    VEC(uint64_t) state_bits; /* of the states */
    VEC(uint64_t) stutter_bits;
    struct live *live;
    struct hll hll;
    uint64_t number;
    uint64_t pick; /* CHECK_GENERATE: the candidate looked at; UINT64_MAX: all are counted only */
    uint64_t seen; /* candidates so far */
    bool picked;   /* it is in the model */
    bool failed;   /* a violation ends this trace */
};

uint64_t simulate_distinct(struct search *s)
{
    uint8_t rank[HLL_SIZE] = {0};
    for (unsigned i = 0; i < s->nworker; i++) {
        if (s->workers[i].sim) {
            hll_merge(rank, &s->workers[i].sim->hll);
        }
    }
    return hll_estimate(rank);
}

/* ---- initial states ---- */

static int init_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    struct search *s = w->search;
    struct sim_shared *shared = s->sim;
    w->ordinal++;
    search_count_generated(w, cand->action);
    s->init_generated++;
    search_stats(s, w);
    hll_add(&w->sim->hll, cand->fp);
    int stop = search_init_check(w, cand);
    int inside = stop ? 0 : candidate_in_model(w, cand);
    if (stop || inside < 0 || atomic_load_explicit(&s->abort, memory_order_relaxed)) {
        return 1;
    }
    if (inside) {
        SCOPED_STRBUF bytes = {0};
        s->ops->save(model, &bytes);
        struct check_step step = {
            .fp = cand->fp, .bytes = (const uint8_t *)bytes.p, .len = bytes.n};
        check_step_copy(&shared->arena, &step);
        VEC_PUSH(&shared->inits, step);
    }
    return 0;
}

/* ---- one step ---- */

/* Keeps a violation under the number of its trace; traces above it need not be finished. */
static void found(struct worker *w, const struct check_violation *violation)
{
    struct search *s = w->search;
    bool fatal = !s->opt->keep_going || violation->verdict == VERDICT_EVAL_ERROR;
    w->sim->failed = true;
    if (!fatal) { /* it may never end: told of at once */
        pthread_mutex_lock(&s->lock);
        bool kept = s->raw_total++ < violations_kept(s);
        pthread_mutex_unlock(&s->lock);
        if (kept) {
            violation_add(s, violation);
        }
        return;
    }
    pthread_mutex_lock(&s->lock);
    VEC_PUSH(&s->sim->found, *violation);
    VEC_PUSH(&s->sim->found_at, w->sim->number);
    pthread_mutex_unlock(&s->lock);
    uint64_t end = atomic_load(&s->sim->end);
    while (w->sim->number < end &&
           !atomic_compare_exchange_weak(&s->sim->end, &end, w->sim->number)) {
    }
}

/* The trace so far and, if there is one, the candidate. */
static void note(struct worker *w, enum verdict verdict, int prop, enum phase phase,
                 const struct candidate *cand)
{
    struct search *s = w->search;
    struct sim *sim = w->sim;
    if (verdict == VERDICT_EVAL_ERROR && search_interrupted(s)) {
        sim->failed = true;
        return;
    }
    struct check_violation violation = {.verdict = verdict, .prop = prop, .phase = (int)phase};
    struct check_trace *trace = &violation.trace;
    SCOPED_STRBUF bytes = {0};
    if (cand) {
        s->ops->save(w->model, &bytes);
    }
    pthread_mutex_lock(&s->lock);
    struct arena *arena = &s->box->arena;
    trace->steps = ARENA_ARRAY(arena, struct check_step, sim->steps.n + 1);
    for (size_t i = 0; i < sim->steps.n; i++) {
        const struct check_step *step = &sim->steps.v[i];
        if (i > 0 && step->fp == step[-1].fp && step->len == step[-1].len &&
            memcmp(step->bytes, step[-1].bytes, step->len) == 0) {
            continue; /* steps that change nothing are left out, as TLC does */
        }
        trace->steps[trace->nstep] = *step;
        check_step_copy(arena, &trace->steps[trace->nstep++]);
    }
    if (cand) {
        struct check_step *last = &trace->steps[trace->nstep++];
        *last = (struct check_step){.fp = cand->fp,
                                    .action = cand->action,
                                    .bytes = (const uint8_t *)bytes.p,
                                    .len = bytes.n};
        check_step_copy(arena, last);
    }
    if (verdict == VERDICT_EVAL_ERROR) {
        check_error_copy(arena, &w->model->error, &violation.error);
    }
    pthread_mutex_unlock(&s->lock);
    found(w, &violation);
}

/* Checks the candidate as TLC does here: properties first, then constraints. Returns 1 when it is
 * in the model, 0 when not, -1 when the trace ends. */
static int judge(struct worker *w, const struct candidate *cand)
{
    struct search *s = w->search;
    int prop = -1;
    search_count_generated(w, cand->action);
    search_stats(s, w);
    hll_add(&w->sim->hll, cand->fp);
    for (int k = 0; k < 2; k++) {
        enum mprop_kind kind = k == 0 ? MPROP_INVARIANT : MPROP_ACTION;
        if (!(k == 0 ? s->has_invariant : s->has_action_prop)) {
            continue;
        }
        int status = s->ops->check(w->model, 1U << kind, 0, &prop);
        if (status == MODEL_OK && prop < 0) {
            continue;
        }
        enum phase phase = k == 0 ? PHASE_INVARIANT : PHASE_ACTION;
        enum verdict verdict = status != MODEL_OK ? VERDICT_EVAL_ERROR
                               : k == 0           ? VERDICT_INVARIANT
                                                  : VERDICT_ACTION_PROPERTY;
        note(w, verdict, prop, phase, cand);
        return -1;
    }
    int inside = s->model->has_constraint ? s->ops->in_model(w->model) : 1;
    if (inside < 0) {
        note(w, VERDICT_EVAL_ERROR, -1, PHASE_CONSTRAINT, cand);
    }
    return inside;
}

static bool keep_next(struct worker *w, const struct candidate *cand)
{
    struct search *s = w->search;
    struct sim *sim = w->sim;
    SCOPED_STRBUF bytes = {0};
    s->ops->save(w->model, &bytes);
    struct check_step step = {
        .fp = cand->fp, .action = cand->action, .bytes = (const uint8_t *)bytes.p, .len = bytes.n};
    check_step_copy(&sim->next_arena, &step);
    VEC_PUSH(&sim->next, step);
    if (sim->live) {
        VEC_RESERVE(&sim->next_bits, sim->next_bits.n + s->action_words);
        uint64_t *bits = sim->next_bits.v + sim->next_bits.n;
        memset(bits, 0, s->action_words * sizeof *bits);
        sim->next_bits.n += s->action_words;
        if (s->ops->live_action(w->model, bits) != MODEL_OK) {
            note(w, VERDICT_EVAL_ERROR, -1, PHASE_TEMPORAL, NULL);
            return false;
        }
    }
    return true;
}

static bool must_end(struct worker *w)
{
    struct search *s = w->search;
    if (search_interrupted(s)) {
        atomic_store_explicit(&s->stop_wanted, true, memory_order_relaxed);
    }
    return atomic_load_explicit(&s->abort, memory_order_relaxed) ||
           atomic_load_explicit(&s->stop_wanted, memory_order_relaxed) ||
           w->sim->number > atomic_load_explicit(&s->sim->end, memory_order_relaxed);
}

static int all_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    (void)model;
    if (must_end(w)) {
        return 1;
    }
    int inside = judge(w, cand);
    if (inside < 0) {
        return 1;
    }
    return inside && !keep_next(w, cand);
}

/* CHECK_GENERATE: the first run counts the candidates, the second stops at the one drawn. */
static int pick_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    struct sim *sim = w->sim;
    (void)model;
    if (must_end(w)) {
        return 1;
    }
    if (sim->seen++ != sim->pick) {
        return 0;
    }
    sim->picked = judge(w, cand) == 1 && keep_next(w, cand);
    return 1;
}

static int run_action(struct worker *w, uint32_t action, model_sink sink)
{
    struct search *s = w->search;
    int status = s->ops->load(w->model, w->current.bytes, w->current.len, w->level);
    if (status == MODEL_OK) {
        status = s->ops->next_action ? s->ops->next_action(w->model, action, sink, w)
                                     : s->ops->next(w->model, sink, w);
    }
    if (status == MODEL_ERROR) {
        note(w, VERDICT_EVAL_ERROR, -1, PHASE_NEXT, NULL);
    }
    return status;
}

/* CHECK_GENERATE of a model that enumerates in random order: the first candidate inside it is
 * taken. */
static int first_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    struct sim *sim = w->sim;
    (void)model;
    if (must_end(w)) {
        return 1;
    }
    int inside = judge(w, cand);
    sim->picked = inside == 1 && keep_next(w, cand);
    return inside < 0 || sim->picked;
}

static void generate_first(struct worker *w, uint32_t action)
{
    struct search *s = w->search;
    int status = s->ops->load(w->model, w->current.bytes, w->current.len, w->level);
    w->sim->picked = false;
    if (status == MODEL_OK) {
        status = s->ops->next_random(w->model, action, first_sink, w);
    }
    if (status == MODEL_ERROR) {
        note(w, VERDICT_EVAL_ERROR, -1, PHASE_NEXT, NULL);
    }
}

/* Draws among the successors by one action; those outside the model are drawn again without them.
 */
static void generate_action(struct worker *w, uint32_t action)
{
    struct sim *sim = w->sim;
    if (w->search->ops->next_random) {
        generate_first(w, action);
        return;
    }
    VEC(uint64_t) left = {0};
    sim->pick = UINT64_MAX;
    sim->seen = 0;
    sim->picked = false;
    (void)run_action(w, action, pick_sink);
    for (uint64_t i = 0; i < sim->seen; i++) {
        VEC_PUSH(&left, i);
    }
    while (left.n > 0 && !sim->picked && !sim->failed && !must_end(w)) {
        size_t i = (size_t)rng_below(&w->rng, left.n);
        sim->pick = left.v[i];
        left.v[i] = VEC_POP(&left);
        sim->seen = 0;
        (void)run_action(w, action, pick_sink);
    }
    VEC_DONE(&left);
}

/* A stride that visits all of 0..n-1. */
static uint64_t draw_stride(struct rng *rng, uint64_t n)
{
    static const uint16_t primes[] = {1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049,
                                      1051, 1061, 1063, 1069, 1087, 1091, 1093, 1097};
    enum { NPRIME = sizeof primes / sizeof primes[0] };
    uint64_t i = rng_below(rng, NPRIME);
    while (n % primes[i % NPRIME] == 0) {
        i++; /* n is below the product of all of them */
    }
    return primes[i % NPRIME];
}

/* Fills sim->next from the first action, in random order, that has successors in the model. */
static void successors(struct worker *w)
{
    struct search *s = w->search;
    struct sim *sim = w->sim;
    uint64_t n = s->ops->next_action && s->model->naction ? s->model->naction : 1;
    uint64_t index = rng_below(&w->rng, n);
    uint64_t stride = draw_stride(&w->rng, n);
    VEC_RESET(&sim->next);
    VEC_RESET(&sim->next_bits);
    arena_reset(&sim->next_arena);
    for (uint64_t i = 0; i < n && sim->next.n == 0 && !sim->failed && !must_end(w); i++) {
        if (s->opt->mode == CHECK_GENERATE) {
            generate_action(w, (uint32_t)index);
        } else {
            (void)run_action(w, (uint32_t)index, all_sink);
        }
        index = (index + stride) % n;
    }
}

/* ---- traces ---- */

/* Makes a state the end of the trace. bits: of the step into it; NULL for the first. */
static void append(struct worker *w, const struct check_step *step, const uint64_t *bits)
{
    struct search *s = w->search;
    struct sim *sim = w->sim;
    struct check_step copy = *step;
    check_step_copy(&sim->arena, &copy);
    VEC_PUSH(&sim->steps, copy);
    for (size_t i = 0; bits && i < s->action_words; i++) {
        VEC_PUSH(&sim->step_bits, bits[i]);
    }
    w->current = copy;
    w->level = sim->steps.n;
    w->past = sim->steps.v;
    w->npast = sim->steps.n;
    if (w->level > atomic_load_explicit(&w->max_level, memory_order_relaxed)) {
        atomic_store_explicit(&w->max_level, w->level, memory_order_relaxed);
    }
}

/* The bits of the current state, for the graph of the trace. */
static bool state_bits(struct worker *w)
{
    struct search *s = w->search;
    struct sim *sim = w->sim;
    VEC_RESERVE(&sim->state_bits, sim->state_bits.n + s->state_words);
    VEC_RESERVE(&sim->stutter_bits, sim->stutter_bits.n + s->action_words);
    uint64_t *state = sim->state_bits.v + sim->state_bits.n;
    uint64_t *stutter = sim->stutter_bits.v + sim->stutter_bits.n;
    memset(state, 0, s->state_words * sizeof *state);
    memset(stutter, 0, s->action_words * sizeof *stutter);
    sim->state_bits.n += s->state_words;
    sim->stutter_bits.n += s->action_words;
    if (s->ops->load(w->model, w->current.bytes, w->current.len, w->level) != MODEL_OK ||
        s->ops->live_current(w->model, state) != MODEL_OK ||
        s->ops->live_stutter(w->model, stutter) != MODEL_OK) {
        note(w, VERDICT_EVAL_ERROR, -1, PHASE_TEMPORAL, NULL);
        return false;
    }
    return true;
}

/* The step of the trace that leads to `fp`, from `before` if that can be had. */
static const struct check_step *step_to(const struct sim *sim, const uint64_t *before, uint64_t fp)
{
    const struct check_step *any = NULL;
    for (size_t i = 0; i < sim->steps.n; i++) {
        if (sim->steps.v[i].fp == fp) {
            any = any ? any : &sim->steps.v[i];
            if (before ? i > 0 && sim->steps.v[i - 1].fp == *before : i == 0) {
                return &sim->steps.v[i];
            }
        }
    }
    return any;
}

static void report_lasso(struct worker *w, uint32_t prop, const uint64_t *path, size_t n,
                         size_t loop)
{
    struct search *s = w->search;
    struct check_violation violation = {
        .verdict = VERDICT_TEMPORAL, .prop = (int)prop, .phase = PHASE_TEMPORAL};
    struct check_trace *trace = &violation.trace;
    pthread_mutex_lock(&s->lock);
    struct arena *arena = &s->box->arena;
    trace->steps = ARENA_ARRAY(arena, struct check_step, n);
    for (size_t i = 0; i < n; i++) {
        const struct check_step *step = step_to(w->sim, i ? &path[i - 1] : NULL, path[i]);
        trace->steps[i] = *step;
        check_step_copy(arena, &trace->steps[i]);
        if (i > 0 && path[i] == path[i - 1]) {
            trace->steps[i].action = CHECK_ACTION_STUTTER;
        }
    }
    pthread_mutex_unlock(&s->lock);
    trace->nstep = n;
    trace->stuttering = loop + 1 == n;
    if (!trace->stuttering) {
        trace->lasso = true;
        trace->loop = loop;
        trace->loop_action = step_to(w->sim, &path[n - 1], path[loop])->action;
    }
    found(w, &violation);
}

static void check_temporal(struct worker *w)
{
    struct search *s = w->search;
    struct sim *sim = w->sim;
    live_reset(sim->live);
    for (size_t i = 0; i < sim->steps.n; i++) {
        bool last = i + 1 == sim->steps.n;
        struct live_edge edge = {.fp = last ? 0 : sim->steps.v[i + 1].fp,
                                 .bits = sim->step_bits.v + i * s->action_words};
        live_add(sim->live, 0, sim->steps.v[i].fp, i == 0, sim->state_bits.v + i * s->state_words,
                 sim->stutter_bits.v + i * s->action_words, &edge, last ? 0 : 1);
    }
    for (uint32_t prop = 0; prop < s->model->live->nprop && !sim->failed; prop++) {
        struct err err = {0};
        uint64_t *path = NULL;
        size_t n = 0;
        size_t loop = 0;
        int status = live_check(sim->live, prop, 1, s->opt->interrupt, &path, &n, &loop, &err);
        if (status < 0 && !search_interrupted(s)) {
            search_fail(s, &err);
        }
        if (status == 1) {
            report_lasso(w, prop, path, n, loop);
            vec_release(path);
        }
    }
}

static uint64_t traces_begun(struct search *s)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < s->nworker; i++) {
        n += atomic_load_explicit(&s->workers[i].traces, memory_order_relaxed);
    }
    return n;
}

/* Under lock. */
static void note_length(struct search *s, int64_t length, int64_t traces)
{
    struct sim_shared *shared = s->sim;
    struct mstats *stats = s->model->host ? s->model->host->stats : NULL;
    int64_t delta = length - shared->length_mean;
    shared->length_mean += delta / (traces > 0 ? traces : 1);
    shared->length_m2 += delta * (length - shared->length_mean);
    if ((uint64_t)length > shared->length_max) {
        shared->length_max = (uint64_t)length;
    }
    shared->length_variance = (shared->length_m2 + (traces + 1) / 2) / (traces + 1);
    if (stats) {
        atomic_store_explicit(&stats->trace_mean, (uint64_t)shared->length_mean,
                              memory_order_relaxed);
        atomic_store_explicit(&stats->trace_variance, (uint64_t)shared->length_variance,
                              memory_order_relaxed);
    }
}

static void trace_done(struct worker *w)
{
    struct search *s = w->search;
    struct sim *sim = w->sim;
    uint64_t length = sim->steps.n < s->sim->depth_max ? sim->steps.n : s->sim->depth_max;
    pthread_mutex_lock(&s->lock);
    note_length(s, (int64_t)length, (int64_t)traces_begun(s));
    pthread_mutex_unlock(&s->lock);
    if (s->opt->on_trace && !sim->failed) {
        pthread_mutex_lock(&s->dump_lock);
        s->opt->on_trace(s->opt->dump_arg, sim->number, sim->steps.v, sim->steps.n);
        pthread_mutex_unlock(&s->dump_lock);
    }
}

static void one_trace(struct worker *w)
{
    struct search *s = w->search;
    struct sim *sim = w->sim;
    arena_reset(&sim->arena);
    VEC_RESET(&sim->steps);
    VEC_RESET(&sim->step_bits);
    VEC_RESET(&sim->state_bits);
    VEC_RESET(&sim->stutter_bits);
    sim->failed = false;
    append(w, &s->sim->inits.v[rng_below(&w->rng, s->sim->inits.n)], NULL);
    for (uint64_t i = 0; !sim->failed && !must_end(w); i++) {
        if (sim->live && !state_bits(w)) {
            break;
        }
        if (i == s->sim->depth_max) {
            break;
        }
        successors(w);
        if (sim->failed || must_end(w)) {
            break;
        }
        if (sim->next.n == 0) {
            if (s->model->check_deadlock) {
                note(w, VERDICT_DEADLOCK, -1, PHASE_NEXT, NULL);
            }
            break;
        }
        size_t drawn = (size_t)rng_below(&w->rng, sim->next.n);
        append(w, &sim->next.v[drawn],
               sim->live ? sim->next_bits.v + drawn * s->action_words : NULL);
        search_stats(s, w);
    }
    if (!must_end(w)) {
        if (sim->live && !sim->failed) {
            check_temporal(w);
        }
        trace_done(w);
    }
}

static void traces(struct worker *w)
{
    struct search *s = w->search;
    struct sim *sim = w->sim;
    uint64_t limit = s->opt->simulate_num ? s->opt->simulate_num : UINT64_MAX;
    rng_seed(&w->rng, hash_combine(s->opt->seed, w->index));
    for (sim->number = w->index; sim->number < limit && !must_end(w); sim->number += s->nworker) {
        bump(&w->traces);
        one_trace(w);
    }
    w->past = NULL;
}

/* ---- the whole ---- */

/* Puts the violations in the order of their traces, and keeps the first one only unless all are
 * wanted. */
static void settle(struct search *s)
{
    struct sim_shared *shared = s->sim;
    while (shared->found.n > 0) {
        size_t least = 0;
        for (size_t i = 1; i < shared->found.n; i++) {
            least = shared->found_at.v[i] < shared->found_at.v[least] ? i : least;
        }
        s->raw_total++;
        if (s->box->violations.n == 0 || s->opt->keep_going) {
            violation_add(s, &shared->found.v[least]);
        }
        shared->found.v[least] = VEC_POP(&shared->found);
        shared->found_at.v[least] = VEC_POP(&shared->found_at);
    }
}

static void sim_open(struct worker *w, struct sim *sim)
{
    struct search *s = w->search;
    struct err err = {0};
    arena_init(&sim->arena, 0);
    arena_init(&sim->next_arena, 0);
    bool live = s->model->live && s->model->live->nprop > 0 && s->opt->live_when != LIVE_OFF;
    struct live_options options = {.workers = 1, .interrupt = s->opt->interrupt};
    if (live && live_new(s->model->live, &options, &sim->live, &err) < 0 &&
        !search_interrupted(s)) { /* the walk looks at the flag itself */
        search_fail(s, &err);
    }
}

static void sim_close(struct sim *sim)
{
    arena_done(&sim->arena);
    arena_done(&sim->next_arena);
    VEC_DONE(&sim->steps);
    VEC_DONE(&sim->next);
    VEC_DONE(&sim->next_bits);
    VEC_DONE(&sim->step_bits);
    VEC_DONE(&sim->state_bits);
    VEC_DONE(&sim->stutter_bits);
    live_free(sim->live);
}

/* The first worker makes the initial states, then lets the others start. */
static void first_worker(struct worker *w)
{
    struct search *s = w->search;
    search_init_states(w, init_sink);
    s->init_distinct = s->sim->inits.n;
    violations_settle(s, w);
    if (!s->fatal && !s->failed && !atomic_load(&s->abort)) {
        if (s->sim->inits.n == 0) {
            s->no_init = true;
        } else {
            search_event(s, CHECK_EV_INIT_DONE);
        }
    }
    pthread_mutex_lock(&s->lock);
    s->quit = s->fatal || s->failed || s->no_init;
    for (unsigned i = 1; i < s->nworker; i++) {
        s->workers[i].released = true;
        pthread_cond_signal(&s->workers[i].wake);
    }
    pthread_mutex_unlock(&s->lock);
}

static void last_worker(struct worker *w)
{
    struct search *s = w->search;
    struct sim_shared *shared = s->sim;
    pthread_mutex_lock(&s->lock);
    while (s->nleft < s->nworker - 1) {
        pthread_cond_wait(&w->wake, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    settle(s);
    s->stopped = atomic_load(&s->stop_wanted) && s->box->violations.n == 0;
    s->box->result.trace_len_max = shared->length_max;
    s->box->result.trace_len_mean = (uint64_t)shared->length_mean;
    s->box->result.trace_len_variance = (uint64_t)shared->length_variance;
    search_finish(w);
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    pthread_cond_signal(&s->coordinator);
    pthread_mutex_unlock(&s->lock);
}

static void *simulate_main(void *arg)
{
    struct worker *w = arg;
    struct search *s = w->search;
    bool ready = search_worker_begin(w) == 0;
    if (ready && w->index == 0) {
        sim_open(w, w->sim);
        first_worker(w);
    } else if (w->index > 0) {
        sim_open(w, w->sim);
        pthread_mutex_lock(&s->lock);
        while (!w->released && !s->quit) {
            pthread_cond_wait(&w->wake, &s->lock);
        }
        pthread_mutex_unlock(&s->lock);
    }
    pthread_mutex_lock(&s->lock);
    bool go_on = ready && !s->quit && !s->failed;
    if (w->index == 0 && !ready) { /* nobody else will start the others */
        s->quit = true;
        for (unsigned i = 1; i < s->nworker; i++) {
            pthread_cond_signal(&s->workers[i].wake);
        }
    }
    pthread_mutex_unlock(&s->lock);
    if (go_on) {
        traces(w);
    }
    if (w->index == 0) {
        last_worker(w);
        return NULL;
    }
    pthread_mutex_lock(&s->lock);
    s->nleft++;
    pthread_cond_signal(&s->workers[0].wake);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int simulate_run(struct search *s, struct err *err)
{
    struct sim_shared shared = {.depth_max = s->opt->depth_max ? s->opt->depth_max : DEPTH_DEFAULT};
    atomic_init(&shared.end, UINT64_MAX);
    arena_init(&shared.arena, 0);
    struct sim *sims = memory_map(s->nworker * sizeof *sims);
    s->sim = &shared;
    if (s->model->live) {
        s->state_words = s->model->live->nstate_leaf / 64 + 1;
        s->action_words = s->model->live->naction_leaf / 64 + 1;
    }
    for (unsigned i = 0; i < s->nworker; i++) {
        s->workers[i].sim = &sims[i];
    }
    int status = search_run(s, simulate_main, err);
    s->base_distinct = simulate_distinct(s); /* outlives the registers */
    for (unsigned i = s->nworker; i-- > 0;) {
        s->workers[i].sim = NULL;
        sim_close(&sims[i]);
    }
    memory_unmap(sims, s->nworker * sizeof *sims);
    s->sim = NULL;
    VEC_DONE(&shared.inits);
    VEC_DONE(&shared.found);
    VEC_DONE(&shared.found_at);
    arena_done(&shared.arena);
    return status;
}

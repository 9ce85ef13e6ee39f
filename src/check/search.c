/* What all modes of search have in common: counting, events, failing, threads and the coordinator.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/live.h"
#include "check/queue.h"
#include "check/store.h"
#include "model/model.h"

#ifdef ASSAY_TINY
#define LIVE_S       0.02
#define LIVE_FIRST_S LIVE_S
#else
#define LIVE_S       60.0 /* between looks at the behaviour graph, as TLC */
#define LIVE_FIRST_S 3.0
#endif

enum {
    POLL_MS = 20, /* how soon an interruption is noticed */
    PATIENCE_MS =
        2000 /* how long workers may take to finish the state at hand when the search is to stop */
};

void search_fail(struct search *s, const struct err *err)
{
    pthread_mutex_lock(&s->lock);
    if (!s->failed) {
        s->failed = true;
        s->box->result.failure = *err;
    }
    pthread_mutex_unlock(&s->lock);
    atomic_store_explicit(&s->abort, true, memory_order_relaxed);
    search_request(s, REQ_FAIL);
}

void search_request(struct search *s, unsigned bits)
{
    if ((atomic_load_explicit(&s->request, memory_order_relaxed) & bits) != bits) {
        atomic_fetch_or_explicit(&s->request, bits, memory_order_relaxed);
    }
}

bool search_exact_stats(const struct search *s)
{
    return s->nworker == 1 && !s->opt->ranks && s->model->host && s->model->host->stats &&
           !s->model->ignores_stats;
}

bool search_yielded(const struct search *s)
{
    return s->opt->yield && __atomic_load_n(s->opt->yield, __ATOMIC_ACQUIRE);
}

bool search_interrupted(const struct search *s)
{
    const volatile sig_atomic_t *interrupt = s->opt->interrupt;
    const volatile sig_atomic_t *yield = s->opt->yield;
    return (interrupt && __atomic_load_n(interrupt, __ATOMIC_RELAXED)) ||
           (yield && __atomic_load_n(yield, __ATOMIC_RELAXED));
}

/* ---- figures ---- */

static uint64_t figure(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

void search_progress(struct search *s, struct check_progress *ret_progress)
{
    struct check_progress p = {.generated = s->base_generated, .distinct = s->base_distinct};
    uint64_t enqueued = 0;
    uint64_t expanded = 0;
    p.depth = figure(&s->depth);
    for (unsigned i = 0; i < s->nworker; i++) {
        const struct worker *w = &s->workers[i];
        /* In this order: what is expanded has been enqueued before. */
        expanded += figure(&w->expanded);
        p.traces += figure(&w->traces);
    }
    for (unsigned i = 0; i < s->nworker; i++) {
        const struct worker *w = &s->workers[i];
        p.generated += figure(&w->generated);
        p.distinct += figure(&w->distinct);
        enqueued += figure(&w->enqueued);
        uint64_t level = figure(&w->max_level);
        p.depth = level > p.depth ? level : p.depth;
    }
    p.queued = enqueued > expanded ? enqueued - expanded : 0;
    if (s->peers) {
        peers_progress(s, &p);
    }
    p.elapsed_ns = s->elapsed_before + clock_mono_ns() - s->start_ns;
    p.memory_bytes = (s->fps ? fpset_memory(s->fps) : 0) + (s->queue ? queue_memory(s->queue) : 0) +
                     (s->live ? live_memory(s->live) : 0);
    p.disk_bytes = figure(&s->store.bytes);
    if (s->live) {
        p.live_states = live_states(s->live);
        p.live_branches = live_branches(s->live);
    }
    if (p.memory_bytes > figure(&s->peak_memory)) {
        atomic_store_explicit(&s->peak_memory, p.memory_bytes, memory_order_relaxed);
    }
    *ret_progress = p;
}

void search_event(struct search *s, enum check_event event)
{
    struct check_progress progress;
    if (!s->opt->event) {
        return;
    }
    search_progress(s, &progress);
    if (s->sim) {
        progress.distinct = simulate_distinct(s); /* not cheap, so only here */
    }
    progress.live_final = s->complete;
    pthread_mutex_lock(&s->event_lock);
    s->opt->event(s->opt->event_arg, event, &progress, &s->box->result);
    pthread_mutex_unlock(&s->event_lock);
}

void search_stats(struct search *s, struct worker *w)
{
    struct mstats *stats = s->model->host ? s->model->host->stats : NULL;
    if (!stats) {
        return;
    }
    struct check_progress p;
    if (s->nworker == 1 &&
        !s->peers) { /* cheap and exact: the model sees counts as they are at this candidate */
        uint64_t enqueued = figure(&w->enqueued);
        uint64_t expanded = figure(&w->expanded);
        p = (struct check_progress){
            .generated = s->base_generated + figure(&w->generated),
            .distinct = s->base_distinct + figure(&w->distinct),
            .queued = enqueued > expanded ? enqueued - expanded : 0,
            .depth = figure(&s->depth),
            .traces = figure(&w->traces),
        };
        uint64_t level = figure(&w->max_level);
        p.depth = level > p.depth ? level : p.depth;
    } else {
        search_progress(s, &p);
    }
    atomic_store_explicit(&stats->generated, p.generated, memory_order_relaxed);
    atomic_store_explicit(&stats->distinct, p.distinct, memory_order_relaxed);
    atomic_store_explicit(&stats->queued, p.queued, memory_order_relaxed);
    atomic_store_explicit(&stats->diameter, p.depth, memory_order_relaxed);
    atomic_store_explicit(&stats->traces, p.traces, memory_order_relaxed);
    atomic_store_explicit(&stats->initial, s->init_distinct, memory_order_relaxed);
}

/* ---- workers ---- */

int search_worker_begin(struct worker *w)
{
    struct search *s = w->search;
    struct err err = {0};
    if (w->model) {
        return 0;
    }
    struct mworker *model = NULL;
    int status = s->ops->worker_new(s->model, w->index, s->opt->seed, &model, &err);
    if (status < 0) {
        search_fail(s, &err);
        return status;
    }
    pthread_mutex_lock(&s->lock); /* check_host_trace looks for it */
    w->model = model;
    pthread_mutex_unlock(&s->lock);
    return 0;
}

/* ---- the coordinator ---- */

/* What the coordinator does from time to time. */
struct timer {
    uint64_t progress_ns, live_ns; /* when next */
    uint64_t stop_ns;              /* UINT64_MAX: never */
};

static uint64_t seconds(double s)
{
    return s > 0 ? (uint64_t)(s * 1e9) : UINT64_MAX / 4;
}

/* Temporal properties are looked at early only when the graph has grown by a tenth and less than a
 * fifth of the time went into it (TLC's rule). */
static bool live_is_due(struct search *s, uint64_t now)
{
    if (!s->live || s->opt->live_when != LIVE_DEFAULT) {
        return false;
    }
    uint64_t size = live_states(s->live);
    return size > s->live_size_checked + s->live_size_checked / 10 &&
           atomic_load(&s->live_ns) * 5 < now - s->start_ns;
}

/* Counted from the end of the last one, and never more than a fifth of the time, however slow the
 * disk is. */
static bool checkpoint_is_due(struct search *s, uint64_t now)
{
    uint64_t last = figure(&s->checkpoint_end_ns);
    uint64_t pause = seconds(s->opt->checkpoint_s);
    uint64_t cost = 4 * figure(&s->checkpoint_cost_ns);
    return s->opt->checkpoint_s > 0 && now > last && now - last >= (pause > cost ? pause : cost);
}

/* Asks workers to stop; whoever goes on for long is made to. Not while the leader moves. */
static void end_in_time(struct search *s, bool due, uint64_t now)
{
    pthread_mutex_lock(&s->lock);
    bool stop = search_interrupted(s) || due;
    atomic_store(&s->stop_due, due);
    if (stop && s->stop_sent_ns == 0 && !atomic_load(&s->moving)) {
        s->stop_sent_ns = now;
        atomic_store(&s->stop_wanted, true);
        search_request(s, REQ_STOP);
    }
    if (s->stop_sent_ns && now - s->stop_sent_ns > UINT64_C(1000000) * PATIENCE_MS &&
        !atomic_load(&s->moving)) {
        atomic_store(&s->abort, true);
    }
    pthread_mutex_unlock(&s->lock);
}

static void coordinate(struct search *s, struct timer *timer, uint64_t now)
{
    end_in_time(s, now >= timer->stop_ns, now);
    if (checkpoint_is_due(s, now)) {
        search_request(s, REQ_CHECKPOINT);
    }
    if (now >= timer->live_ns) {
        timer->live_ns = now + seconds(LIVE_S);
        if (live_is_due(s, now)) {
            search_request(s, REQ_LIVE);
        }
    }
    if (now >= timer->progress_ns) {
        timer->progress_ns = now + seconds(s->opt->progress_s);
        search_event(s, CHECK_EV_PROGRESS);
    }
}

static void wait_a_little(struct search *s)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until); /* CLOCK_MONOTONIC always exists */
    until.tv_nsec += POLL_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&s->coordinator, &s->lock,
                                 &until); /* woken or not: all is looked at again */
}

static void coordinator_loop(struct search *s)
{
    struct timer timer = {
        .progress_ns = s->start_ns + seconds(s->opt->progress_s),
        .live_ns = s->start_ns + seconds(LIVE_FIRST_S),
        .stop_ns = s->opt->stop_after_ns ? s->start_ns + s->opt->stop_after_ns : UINT64_MAX,
    };
    pthread_mutex_lock(&s->lock);
    while (!s->ended) {
        wait_a_little(s);
        if (!s->ended) {
            pthread_mutex_unlock(&s->lock);
            coordinate(s, &timer, clock_mono_ns());
            pthread_mutex_lock(&s->lock);
        }
    }
    pthread_mutex_unlock(&s->lock);
}

int search_run(struct search *s, void *(*main)(void *worker), struct err *err)
{
    int status = 0;
    s->nparked = s->nworker - 1; /* all but the first wait for work */
    for (unsigned i = s->nworker; i-- > 0 && status == 0;) {
        struct worker *w = &s->workers[i];
        status = big_thread_start(&w->thread, main, w, err);
        if (status < 0 && i + 1 < s->nworker) { /* those that started must end */
            search_fail(s, err);
            pthread_mutex_lock(&s->lock);
            s->quit = true;
            for (unsigned k = i + 1; k < s->nworker; k++) {
                pthread_cond_signal(&s->workers[k].wake);
            }
            pthread_mutex_unlock(&s->lock);
        }
    }
    if (status == 0) {
        coordinator_loop(s);
    }
    for (unsigned i = 0; i < s->nworker; i++) {
        big_thread_join(&s->workers[i].thread);
    }
    return status;
}

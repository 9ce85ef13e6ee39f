/* check_run: sizes everything from the options, runs the mode, and puts the result together. */
#include "check/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/live.h"
#include "check/queue.h"
#include "check/store.h"
#include "check/tracelog.h"
#include "dist/ranks.h"
#include "model/model.h"

/* ---- making a search ---- */

/* The parts of the memory budget. What the process holds already (the specification, values) counts
 * too. */
struct budget {
    uint64_t fpset, queue, pend, live;
};

static struct budget divide_memory(const struct check_options *opt, bool live)
{
    uint64_t total = opt->memory_bytes;
    if (total == 0) {
        total = memory_available() / 4 * 3 / (opt->ranks ? ranks_local(opt->ranks) : 1);
    } else {
        uint64_t held = memory_resident();
        total = held < total / 2 ? total - held : total / 2;
    }
    uint64_t part = total / 100;
    if (live) {
        return (struct budget){part * 40, part * 10, part * 10, part * 30};
    }
    return (struct budget){part * 65, part * 12, part * 12, 0};
}

static void prepare_props(struct search *s)
{
    for (uint32_t i = 0; i < s->model->nprop; i++) {
        switch (s->model->props[i].kind) {
        case MPROP_INVARIANT: s->has_invariant = true; break;
        case MPROP_INIT: s->has_init_prop = true; break;
        case MPROP_ACTION: s->has_action_prop = true; break;
        case MPROP_TEMPORAL: break;
        }
    }
}

/* Counters of one worker, apart from those of the others, so that no cache line is shared. */
static uint64_t *own_counters(struct arena *arena, size_t n)
{
    const size_t apart = 16;
    return ARENA_ARRAY(arena, uint64_t, n + 2 * apart) + apart;
}

static void prepare_workers(struct search *s)
{
    struct arena *arena = &s->box->arena;
    s->workers = memory_map(s->nworker * sizeof *s->workers);
    for (unsigned i = 0; i < s->nworker; i++) {
        struct worker *w = &s->workers[i];
        w->search = s;
        w->index = i;
        w->action_generated = own_counters(arena, s->model->naction);
        w->action_distinct = own_counters(arena, s->model->naction);
        w->generated_before = own_counters(arena, s->model->naction + 1);
        pthread_cond_init(&w->wake, NULL);
    }
}

static void prepare_locks(struct search *s)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&s->coordinator, &attr);
    pthread_condattr_destroy(&attr);
    pthread_cond_init(&s->job_done, NULL);
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->event_lock, NULL);
    pthread_mutex_init(&s->dump_lock, NULL);
}

static void start_stats(struct search *s)
{
    struct mstats *stats = s->model->host ? s->model->host->stats : NULL;
    s->start_ns = clock_mono_ns();
    atomic_store(&s->checkpoint_end_ns, s->start_ns);
    if (stats) {
        atomic_store(&stats->start_ms, clock_wall_ms());
        search_stats(s, &s->workers[0]);
    }
}

static int search_open(struct search *s, struct err *err)
{
    const struct check_options *opt = s->opt;
    bool searching = opt->mode == CHECK_BFS || opt->mode == CHECK_DFS;
    bool live = s->model->live && s->model->live->nprop > 0;
    struct budget budget = divide_memory(opt, live && opt->live_when != LIVE_OFF);
    const char *dir =
        opt->ranks && opt->dir
            ? peers_dir(&s->box->arena, opt->dir, ranks_me(opt->ranks), ranks_size(opt->ranks))
            : opt->dir;
    store_init(&s->store, dir, opt->temporary_dir, opt->fail_write_at);
    store_sweep(&s->store);
    prepare_locks(s);
    prepare_props(s);
    prepare_workers(s);
    s->helpers = (struct helpers){search_helpers, s};
    s->exact_answers = opt->on_edge || opt->on_state;
    s->exact_stats = search_exact_stats(s);
    s->fps_share = budget.fpset;
    s->queue_share = budget.queue;
    s->start_cpu_ns = clock_process_ns();
    s->live_share = budget.live ? budget.live : budget.queue; /* off: only for finite violations */
    /* Bytes each takes while it is settled. */
    s->pend_max = budget.pend / 24 / (s->nworker > 1 ? s->nworker : 1);
#ifdef ASSAY_TINY
    s->pend_max = 8;
#endif
    if (s->pend_max < 8) {
        s->pend_max = 8;
    }
    int status = 0;
    if (searching) {
        status = fpset_new(&s->store, budget.fpset, &s->fps, err);
        status = status < 0
                     ? status
                     : tracelog_new(&s->store, s->nworker,
                                    opt->checkpoint_s > 0 || opt->resume || opt->reduce_order,
                                    &s->log, err);
        queue_new(&s->store, budget.queue, s->model->state_size, &s->queue);
    }
    if (status == 0 && live && searching) {
        status = liveness_open(s, err);
    }
    if (opt->ranks) {
        status = peers_open(s, status, err);
    }
    check_ample_init(s);
    s->quick = !s->has_action_prop && !s->live && !s->exact_answers && !opt->sink;
    start_stats(s);
    return status;
}

static void worker_done(struct worker *w)
{
    struct search *s = w->search;
    if (s->queue) {
        queue_release(s->queue, &w->claim);
        queue_discard(&w->out);
    }
    if (w->model) {
        w->model->model->ops->worker_free(w->model);
    }
    if (w->helper) {
        w->helper->model->ops->worker_free(w->helper);
    }
    gather_done(w);
    VEC_DONE(&w->pend);
    VEC_DONE(&w->ample);
    VEC_DONE(&w->pend_action);
    VEC_DONE(&w->pend_groups);
    VEC_DONE(&w->pend_spans);
    VEC_DONE(&w->pend_dropped);
    VEC_DONE(&w->edges);
    VEC_DONE(&w->edge_bits);
    pthread_cond_destroy(&w->wake);
}

/* `over`: the search came to an end, by itself or by what it found. */
static void search_close(struct search *s, bool over)
{
    for (unsigned i = 0; i < s->nworker; i++) {
        worker_done(&s->workers[i]);
    }
    move_done(s);
    memory_unmap(s->workers, s->nworker * sizeof *s->workers);
    check_ample_done(s);
    live_free(s->live);
    queue_free(s->queue);
    tracelog_free(s->log);
    fpset_free(s->fps);
    /* A checkpoint of a search that is over is of no use; one of a search that was stopped is. */
    if (over && !s->opt->keep_dir && s->peers) {
        peers_forget(s);
    } else if (over && !s->opt->keep_dir) {
        checkpoint_forget(s);
    }
    if (!s->opt->keep_dir && (over || (s->checkpoint_number == 0 && !s->opt->resume))) {
        checkpoint_remove_logs(&s->store);
    }
    peers_done(s);
    store_done(&s->store);
    VEC_DONE(&s->raw);
    pthread_cond_destroy(&s->coordinator);
    pthread_cond_destroy(&s->job_done);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->event_lock);
    pthread_mutex_destroy(&s->dump_lock);
}

/* ---- the result ---- */

static void fill_counts(struct search *s, struct check_result *r)
{
    struct check_progress p;
    uint64_t degrees[DEGREES] = {0};
    search_progress(s, &p);
    r->generated = p.generated;
    r->distinct = p.distinct;
    r->queued = p.queued;
    r->depth = p.generated == 0 ? 0 : p.depth > 0 ? p.depth : 1;
    r->traces = p.traces;
    r->init_generated = s->init_generated;
    r->init_distinct = s->init_distinct;
    r->settled = s->level_expanded;
    r->elapsed_ns = p.elapsed_ns;
    r->memory_peak_bytes = atomic_load(&s->peak_memory);
    r->disk_bytes = p.disk_bytes;
    r->action_generated = ARENA_ARRAY(&s->box->arena, uint64_t, s->model->naction + 1);
    r->action_distinct = ARENA_ARRAY(&s->box->arena, uint64_t, s->model->naction + 1);
    for (unsigned i = 0; i < s->nworker; i++) {
        for (uint32_t a = 0; a < s->model->naction; a++) {
            r->action_generated[a] += s->workers[i].action_generated[a];
            r->action_distinct[a] += s->workers[i].action_distinct[a];
        }
        r->reduced += s->workers[i].reduced;
        for (int d = 0; d < DEGREES; d++) {
            degrees[d] += s->workers[i].degrees[d];
        }
    }
    check_stats_degrees(degrees, r);
    if (s->peers) {
        peers_result(s, r);
    }
    if (s->live) {
        r->live_states = live_states(s->live);
        r->live_edges = live_edges(s->live);
        r->live_branches = live_branches(s->live);
    }
}

static void fill_collision(struct search *s, struct check_result *r)
{
    r->collision_optimistic = check_stats_optimistic(r->distinct, r->generated);
    r->collision_actual = -1;
    if (s->fps && !s->peers && !s->opt->counted && r->complete &&
        r->collision_optimistic >= 1e-10) {
        uint64_t least = fpset_distance(s->fps, s->nworker);
        for (size_t i = 0; i < s->sealed.n; i++) {
            uint64_t distance = fpset_distance(s->sealed.v[i].fps, s->nworker);
            least = distance < least ? distance : least;
        }
        r->collision_actual = 1.0 / (double)least;
    }
}

static void fill_verdict(struct search *s, struct check_result *r)
{
    r->left = peers_left(s);
    r->complete = s->complete && !s->stopped && !s->failed && !s->fatal;
    r->violations_seen = s->raw_total > r->nviolation ? s->raw_total : r->nviolation;
    if (r->nviolation > 0) {
        return; /* the verdict of the first one is there */
    }
    r->verdict = s->failed    ? VERDICT_FAILED
                 : s->no_init ? VERDICT_NO_INIT
                 : s->stopped ? VERDICT_STOPPED
                              : VERDICT_OK;
}

static int run_mode(struct search *s, struct err *err)
{
    switch (s->opt->mode) {
    case CHECK_BFS: return search_bfs(s, err);
    case CHECK_DFS: return search_dfs(s, err);
    case CHECK_DFID: return search_dfid(s, err);
    case CHECK_SIMULATE:
    case CHECK_GENERATE: return simulate_run(s, err);
    }
    return err_set(err, ERR_INVALID, 0, "no such mode");
}

static int refuse(const struct model *model, const struct check_options *opt, struct err *err)
{
    if ((opt->resume || opt->checkpoint_s > 0) && !opt->dir) {
        return err_set(err, ERR_INVALID, 0, "checkpoints need a directory");
    }
    if (opt->resume && opt->mode != CHECK_BFS) {
        return err_set(err, ERR_UNSUPPORTED, 0, "only a breadth-first search can be resumed");
    }
    if (opt->ranks &&
        (opt->mode != CHECK_BFS || opt->sink || opt->on_state || opt->on_edge || opt->keep_going ||
         opt->reduce_order || (model->live && model->live->nprop))) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       "several processes do plain breadth-first searches of safety only");
    }
    if (opt->mode == CHECK_DFID && opt->depth_max == 0) {
        return err_set(err, ERR_INVALID, 0, "iterative deepening needs a greatest depth");
    }
    if (opt->sink && (opt->mode != CHECK_BFS || opt->resume)) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       "a graph needs a breadth-first search from the beginning");
    }
    if (opt->mode == CHECK_DFID && model->live && model->live->nprop > 0 &&
        opt->live_when != LIVE_OFF) {
        return err_set(
            err, ERR_UNSUPPORTED, 0,
            "iterative deepening does not check temporal properties; use breadth-first search");
    }
    return 0;
}

int check_run(struct model *model, const struct check_options *options,
              struct check_result **ret_result, struct err *err)
{
    struct search search = {.model = model, .ops = model->ops, .opt = options};
    struct search *s = &search;
    int status = refuse(model, options, err);
    if (status < 0) {
        return status;
    }
    size_t cap = 0;
    struct result_box *box = vec_grow(NULL, &cap, 1, sizeof *box);
    memset(box, 0, sizeof *box);
    arena_init(&box->arena, 0);
    s->box = box;
    bool one = options->ranks || options->mode == CHECK_DFS || options->mode == CHECK_DFID;
    s->nworker = one || options->workers < 1 ? 1 : options->workers;
    if (options->sink) {
        options->sink->begin(options->sink->arg, s->nworker);
    }
    status = search_open(s, err);
    if (status == -ERR_INTERRUPTED && search_interrupted(s)) {
        s->stopped = true;
        status = 0;
    } else if (status == 0) {
        if (options->handle) {
            atomic_store(&options->handle->search, s);
        }
        status = run_mode(s, err);
        if (options->handle) {
            atomic_store(&options->handle->search, NULL);
        }
    }
    if (status == 0) {
        fill_counts(s, &box->result);
        fill_verdict(s, &box->result);
        fill_collision(s, &box->result);
        if (box->result.failure.code != ERR_OK) {
            *err = box->result.failure;
        }
    }
    search_close(s, status == 0 && !s->stopped && !s->failed);
    if (status < 0) {
        check_result_free(&box->result);
        return status;
    }
    *ret_result = &box->result;
    return 0;
}

void check_result_free(struct check_result *result)
{
    if (result) {
        void *whole = result; /* the first member of it */
        struct result_box *box = whole;
        arena_done(&box->arena);
        VEC_DONE(&box->violations);
        vec_release(box);
    }
}

/* The interface of the liveness checker: its life, and the branches of properties spread over
 * threads.
 *
 * Branches are independent of each other. Threads take them in order, through all properties asked
 * for; the violated branch with the lowest number wins, and a branch above the winner is given up.
 * So the branch that is reported does not depend on the number of threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/live_int.h"
#include "model/model.h"

/* ---- life ---- */

static uint64_t last_word(uint32_t bits)
{
    return bits % 64 ? (UINT64_C(1) << bits % 64) - 1 : UINT64_MAX;
}

int live_new(const struct mlive *spec, const struct live_options *options, struct live **ret_live,
             struct err *err)
{
    unsigned workers = options->workers;
    ASSERT(workers > 0);
    size_t cap = 0;
    struct live *live = vec_grow(NULL, &cap, 1, sizeof *live);
    memset(live, 0, sizeof *live);
    live->spec = spec;
    arena_init(&live->arena, 0);
    if (options->dir) {
        live->dir = arena_strndup(&live->arena, options->dir, strlen(options->dir));
    }
    mem_init(&live->mem, live->dir, options->memory_bytes);
    live->state_words = (spec->nstate_leaf + 63) / 64;
    live->action_words = (spec->naction_leaf + 63) / 64;
    live->state_last = last_word(spec->nstate_leaf);
    live->action_last = last_word(spec->naction_leaf);
    pthread_mutex_init(&live->label_lock, NULL);
    pthread_mutex_init(&live->merge_lock, NULL);
    live->reachable = options->reachable;
    live->workers = ARENA_ARRAY(&live->arena, struct live_worker, workers);
    live->nworker = workers;
    int rc = live_graph_init(live, err);
    if (rc == 0) {
        rc = form_compile(live, options->interrupt, err);
    }
    if (rc == 0 && options->watch) {
        watch_open(live);
    }
    if (rc < 0) {
        live_free(live);
        return rc;
    }
    *ret_live = live;
    return 0;
}

void live_free(struct live *live)
{
    if (!live) {
        return;
    }
    live_graph_done(live);
    watch_close(live);
    pthread_mutex_destroy(&live->label_lock);
    pthread_mutex_destroy(&live->merge_lock);
    mem_done(&live->mem);
    arena_done(&live->arena);
    vec_release(live);
}

bool live_tautology(const struct live *live)
{
    return live->tautology;
}

uint32_t live_branches(const struct live *live)
{
    return live->nbranch;
}

/* ---- checking ---- */

struct job {
    struct live *live;
    uint32_t first, end; /* properties */
    uint32_t nbranch;    /* of all of them; numbered through */
    const volatile void *interrupt;
    unsigned share;          /* threads for one branch */
    _Atomic uint32_t next;   /* first branch nobody has taken */
    _Atomic uint32_t winner; /* lowest violated branch so far; UINT32_MAX = none */
    pthread_mutex_t lock;    /* guards the rest */
    struct lasso lasso;      /* of the winner */
    struct err failure;      /* first one */
};

/* The branch with that number, and whose it is. */
static const struct branch *job_branch(const struct job *job, uint32_t number, uint32_t *ret_prop)
{
    uint32_t prop = job->first;
    while (number >= job->live->props[prop].nbranch) {
        number -= job->live->props[prop++].nbranch;
    }
    *ret_prop = prop;
    return &job->live->props[prop].branches[number];
}

/* Decides one branch and, when it is violated and no lower one is, keeps its lasso. */
static int branch_check(struct job *job, uint32_t number, struct err *err)
{
    uint32_t prop = 0;
    struct hunt s = {.live = job->live,
                     .mem = &job->live->mem,
                     .branch = job_branch(job, number, &prop),
                     .interrupt = job->interrupt,
                     .threads = job->share,
                     .winner = &job->winner,
                     .number = number};
    struct lasso lasso = {0};
    int rc = hunt_run(&s, err);
    if (rc == 1) {
        rc = live_lasso_build(&s, &lasso, err);
        pthread_mutex_lock(&job->lock);
        if (rc == 0 && number < atomic_load_explicit(&job->winner, memory_order_relaxed)) {
            atomic_store_explicit(&job->winner, number, memory_order_relaxed);
            VEC_DONE(&job->lasso.fps);
            job->lasso = lasso;
            lasso = (struct lasso){0};
        }
        pthread_mutex_unlock(&job->lock);
    }
    VEC_DONE(&lasso.fps);
    hunt_done(&s);
    return rc;
}

static void *job_run(void *arg)
{
    struct job *job = arg;
    for (;;) {
        uint32_t number = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (number >= job->nbranch ||
            number > atomic_load_explicit(&job->winner, memory_order_relaxed)) {
            return NULL;
        }
        struct err err = {0};
        int rc = live_poll(job->interrupt, &err); /* branches may be small and very many */
        rc = rc == 0 ? branch_check(job, number, &err) : rc;
        bool beaten = atomic_load_explicit(&job->winner, memory_order_relaxed) < number;
        if (rc < 0 && !beaten) {
            pthread_mutex_lock(&job->lock);
            if (!job->failure.code) {
                job->failure = err;
            }
            pthread_mutex_unlock(&job->lock);
            return NULL;
        }
    }
}

void live_spread(unsigned threads, void *(*fn)(void *), void *arg)
{
    enum { MORE_MAX = 63 };
    pthread_t more[MORE_MAX];
    unsigned n = 0;
    while (n < MORE_MAX && n + 1 < threads && pthread_create(&more[n], NULL, fn, arg) == 0) {
        n++;
    }
    (void)fn(arg);
    while (n > 0) {
        (void)pthread_join(more[--n], NULL);
    }
}

/* All states that have been expanded are reachable. */
static int reach_expanded(struct live *live, struct err *err)
{
    int rc = big_reserve(&live->reach, live->nnode, err);
    const uint64_t *off = live->off.p;
    uint8_t *reach = live->reach.p;
    uint64_t count = 0;
    for (uint32_t i = 0; rc == 0 && i < live->nnode; i++) {
        reach[i] = off[i] != 0;
        count += off[i] != 0;
    }
    live->reach_count = count;
    return rc;
}

/* The reachable nodes, once for all branches without a tableau. */
static int reach_update(const struct job *job, const volatile void *interrupt, struct err *err)
{
    struct live *live = job->live;
    bool plain = false;
    for (uint32_t i = 0; i < job->nbranch; i++) {
        uint32_t prop = 0;
        plain = plain || job_branch(job, i, &prop)->tab == live->plain;
    }
    if (!plain || live->reach_version == live->version + 1) {
        return 0;
    }
    struct branch nothing = {.tab = live->plain};
    struct hunt s = {.live = live,
                     .mem = &live->mem,
                     .branch = &nothing,
                     .tab = live->plain,
                     .interrupt = interrupt};
    int rc = live->reachable ? reach_expanded(live, err) : hunt_labels(&s, err);
    if (rc == 0 && !live->reachable) {
        rc = hunt_reach(&s, &live->reach, &live->reach_count, err);
    }
    hunt_done(&s);
    if (rc == 0) {
        live->reach_version = live->version + 1;
    }
    return rc;
}

/* Properties job->first to job->end - 1. */
static int job_check(struct job *job, unsigned threads, struct err *err)
{
    struct live *live = job->live;
    for (uint32_t i = job->first; i < job->end; i++) {
        job->nbranch += live->props[i].nbranch;
    }
    int rc = live_graph_merge(live, err);
    if (rc == 0) {
        rc = reach_update(job, job->interrupt, err);
    }
    if (rc < 0) {
        return rc;
    }
    atomic_init(&job->next, 0);
    atomic_init(&job->winner, UINT32_MAX);
    pthread_mutex_init(&job->lock, NULL);
    uint32_t useful = job->nbranch < threads ? job->nbranch : threads;
    job->share = useful ? threads / useful : 1;
    live_spread(useful, job_run, job);
    pthread_mutex_destroy(&job->lock);
    if (job->lasso.fps.n == 0) { /* a violation counts even if another branch failed */
        *err = job->failure.code ? job->failure : *err;
        return -(int)job->failure.code;
    }
    return 1;
}

/* NOLINTNEXTLINE(readability-function-size): three results */
int live_check(struct live *live, uint32_t prop, unsigned threads, const volatile void *interrupt,
               uint64_t **ret_path, size_t *ret_n, size_t *ret_loop, struct err *err)
{
    ASSERT(prop < live->spec->nprop);
    struct job job = {.live = live, .first = prop, .end = prop + 1, .interrupt = interrupt};
    int rc = job_check(&job, threads, err);
    if (rc == 1) {
        *ret_path = job.lasso.fps.v;
        *ret_n = job.lasso.fps.n;
        *ret_loop = job.lasso.loop;
    }
    return rc;
}

/* NOLINTNEXTLINE(readability-function-size): four results */
int live_check_from(struct live *live, uint32_t *prop, unsigned threads,
                    const volatile void *interrupt, uint64_t **ret_path, size_t *ret_n,
                    size_t *ret_loop, struct err *err)
{
    ASSERT(*prop < live->spec->nprop);
    struct job job = {
        .live = live, .first = *prop, .end = live->spec->nprop, .interrupt = interrupt};
    int rc = job_check(&job, threads, err);
    if (rc == 1) {
        (void)job_branch(&job, atomic_load(&job.winner), prop);
        *ret_path = job.lasso.fps.v;
        *ret_n = job.lasso.fps.n;
        *ret_loop = job.lasso.loop;
    }
    return rc;
}

/* Compiled code for a search: when it is made, and how the search moves to it.
 *
 * With TIER_AUTO the interpreter starts at once. A search that is still running after a moment gets
 * a thread beside it that compiles the model; unless some random walks show that most of it would
 * come back to the interpreter (cgen_pays), the search moves to compiled code when that is ready.
 * When a value does not fit the layout of the compiled model, the layout is widened and the search
 * moves to the wider one. A search that moves goes on with what it has (check/move.c), or starts
 * again where that is sooner, or where it cannot: ASSAY_MOVE=always and =never are for tests. Code
 * that proves to be slower than the interpreter was (huge states, actions that could not be
 * compiled) is given up after some seconds.
 *
 * The C compiler is called when the search has lasted three quarters of what it is expected to
 * take, by the length of what it is given: so whoever has a short search seldom waits for code that
 * comes too late. If that is less than a second the search rests meanwhile: the time would be
 * better spent by what is being compiled. Code is first made quickly; a search that goes on for
 * seconds gets better code, in the middle of whatever it does.
 *
 * A search with a directory of its own (for checkpoints) leaves the file "layout" there, from which
 * a resumed run makes the same compiled model. Without that file the states are the interpreter's.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "cgen/cgen.h"
#include "check/check.h"
#include "dist/ranks.h"
#include "eval/eval.h"
#include "gpu/gpu.h"
#include "job/job.h"
#include "job/tier_int.h"
#include "model/model.h"

#define PATIENCE_NS     UINT64_C(100000000) /* of processor time, before types are looked for */
#define HURRY_NS        UINT64_C(20000000)  /* ... where tcc makes code at once */
#define MOMENT_NS       UINT64_C(1000000)
#define PATIENT_SIZE    5000 /* nodes: what is larger takes longer to compile, and waits longer */
#define INITIAL_NS      UINT64_C(900000000) /* longer, while initial states are being made */
#define TRIAL_NS        UINT64_C(3000000000) /* before compiled code is compared with the interpreter */
#define SLOW            0.6 /* of the rate of the interpreter, whose states were the smallest */
#define COMPILER_NS     UINT64_C(30000000) /* what the C compiler takes, and for each byte */
#define BYTE_NS         UINT64_C(5000)
#define AT_ONCE_NS      UINT64_C(5000000) /* what tcc takes */
#define AT_ONCE_BYTE_NS UINT64_C(100)
#define REST_NS         UINT64_C(1000000000) /* so long the search may rest for the compiler */
#define WIDENINGS_MAX   12
#define GPU_WALKS_MS    1500 /* types that do not fit cost more there: another compile */
#define AGAIN_COMPILED                                                                             \
    0.1 /* of the interpreter's time: what compiled code takes for its states                      \
         */
#define AGAIN_MAX UINT64_C(1000000) /* states that are searched once more */

bool tier_parse(const char *text, enum tier *ret)
{
    static const char *const names[] = {"auto", "interpreter", "compiled"}; /* ORDER enum tier */
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *ret = (enum tier)i;
            return true;
        }
    }
    return false;
}

static bool may_compile(void *arg, enum cgen_effort effort, size_t text_bytes);

/* The compiler that makes code at once; NULL: none is wanted. */
static const char *at_once(const struct job *job)
{
    return job->tier == TIER_AUTO ? job->setup.at_once : NULL;
}

struct cgen *tier_cgen(struct tiers *t)
{
    struct job *job = t->job;
    if (t->cgen == NULL) {
        const struct job_setup *setup = &job->setup;
        struct cgen_options options = {
            .cache_dir = setup->cache_dir,
            .temp_dir = setup->temporary_dir,
            .compiler = setup->compiler,
            .compiler_s = setup->compiler_s,
            .seed = job->check.seed,
            .samples_max = setup->samples_max,
            .walks_ms = job->gpu != JOB_GPU_OFF ? GPU_WALKS_MS : 0,
            .at_once = at_once(job),
            .effort = job->gpu != JOB_GPU_OFF  ? CGEN_QUICK /* for what a device leaves */
                      : job->tier == TIER_AUTO ? CGEN_AT_ONCE
                                               : CGEN_WELL,
            .may_compile = job->tier == TIER_AUTO ? may_compile : NULL,
            .may_compile_arg = t,
            .keep = setup->keep_code,
            .keep_going = job->check.keep_going,
            .leave = &t->yield,
            /* beside a search it is the search that an interrupt ends */
            .interrupt = job->tier == TIER_AUTO ? &t->cancel : &job->flags->stop,
        };
        t->cgen = cgen_new(job->spec.model, &options);
    }
    return t->cgen;
}

static void build(struct tiers *t)
{
    if (cgen_build(tier_cgen(t), &t->compiled, &t->why) != 0) {
        t->compiled = NULL;
        return;
    }
    t->compiled->host = &t->job->host;
    strbuf_reset(&t->text);
    cgen_describe(t->cgen, &t->text);
}

void tier_build_fn(void *arg)
{
    build(arg);
}

/* Beside a search of the interpreter: is it better off with what was built? */
static void build_and_try_fn(void *arg)
{
    struct tiers *t = arg;
    build(t);
    if (t->compiled != NULL && !cgen_pays(t->cgen)) {
        t->compiled = NULL;
        t->why = "too much would be left to the interpreter";
    }
}

/* Waits, or only until initial states are made; true when the search is still running afterwards.
 */
static bool wait_a_moment(struct tiers *t, uint64_t moment_ns, bool for_initial)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    uint64_t ns = (uint64_t)until.tv_nsec + moment_ns;
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    (void)pthread_mutex_lock(&t->lock);
    int rc = 0;
    while (!t->over && !(for_initial && t->initial) && rc == 0) {
        rc = pthread_cond_timedwait(&t->ended, &t->lock, &until);
    }
    bool running = !t->over;
    (void)pthread_mutex_unlock(&t->lock);
    return running;
}

static uint64_t processor_ns(void)
{
    struct timespec used;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/* Waits until this process has used so much of the processor, which takes longer on a busy machine;
 * false: the search has ended. */
static bool wait_until_used(struct tiers *t, uint64_t end)
{
    for (uint64_t now = processor_ns(); now < end; now = processor_ns()) {
        if (!wait_a_moment(t, end - now + MOMENT_NS, false)) {
            return false;
        }
    }
    return wait_a_moment(t, 0, false);
}

/* What a compiler is expected to take for so much text. */
static uint64_t compiler_ns(enum cgen_effort effort, size_t text_bytes)
{
    return effort == CGEN_AT_ONCE ? AT_ONCE_NS + AT_ONCE_BYTE_NS * text_bytes
                                  : COMPILER_NS + BYTE_NS * text_bytes;
}

/* Waits until the search has lasted so long that looking into compiling it is worthwhile. */
static bool wait_for_work(struct tiers *t)
{
    uint64_t size = model_size(t->job->spec.model);
    uint64_t enough = at_once(t->job) ? HURRY_NS : PATIENCE_NS;
    enough = enough * (size > PATIENT_SIZE ? size : PATIENT_SIZE) / PATIENT_SIZE;
    return wait_until_used(t, processor_ns() + enough);
}

/* The search rests while a compiler runs, if that is not long. */
static void rest(struct tiers *t, uint64_t expected)
{
    if (expected < REST_NS) {
        __atomic_store_n(&t->building, 2, __ATOMIC_RELAXED);
    }
}

/* Before a compiler is called, beside a search of the interpreter or when that was left because a
 * value did not fit. */
static bool may_compile(void *arg, enum cgen_effort effort, size_t text_bytes)
{
    struct tiers *t = arg;
    uint64_t expected = compiler_ns(effort, text_bytes);
    if (t->running) {
        return true;
    }
    /* without what this thread has used: walks and text are no part of the search */
    if (effort > CGEN_AT_ONCE) {
        __atomic_store_n(&t->building, 0, __ATOMIC_RELAXED);
    }
    if (!wait_until_used(t, expected / 4 * 3 + clock_thread_ns())) {
        return false;
    }
    rest(t, expected);
    return true;
}

static uint64_t made(const struct tiers *t)
{
    return atomic_load_explicit(&t->job->stats.generated, memory_order_relaxed);
}

/* States generated in a second of processor time, since `begin`, when there were `before`. */
static double rate_of(const struct tiers *t, uint64_t begin, uint64_t before)
{
    uint64_t now = processor_ns();
    return now > begin ? (double)(made(t) - before) / ((double)(now - begin) / 1e9) : 0;
}

/* Makes the better code of the model that is searched, if it is still that one. */
static void refine(struct tiers *t, unsigned version)
{
    (void)pthread_mutex_lock(&t->making);
    if (atomic_load(&t->version) == version) {
        cgen_refine(t->cgen, CGEN_WELL);
    }
    (void)pthread_mutex_unlock(&t->making);
}

/* Looks at compiled code after a while: it is made better, or given up. */
static void watch_version(struct tiers *t, unsigned version)
{
    uint64_t begin = processor_ns();
    uint64_t before = made(t);
    (void)pthread_mutex_lock(&t->making);
    uint64_t expected = compiler_ns(CGEN_WELL, cgen_text_bytes(t->cgen));
    bool at_once_only = cgen_effort(t->cgen) == CGEN_AT_ONCE;
    (void)pthread_mutex_unlock(&t->making);
    if (at_once_only) {
        if (!wait_until_used(t, begin + 2 * expected)) {
            return;
        }
        rest(t, expected);
        refine(t, version);
        __atomic_store_n(&t->building, 0, __ATOMIC_RELAXED);
    }
    if (!wait_until_used(t, begin + TRIAL_NS)) {
        return;
    }
    if (t->trial && atomic_load(&t->version) == version &&
        rate_of(t, begin, before) < t->rate * SLOW) {
        t->slow = true;
        __atomic_store_n(&t->yield, 1, __ATOMIC_RELEASE);
    } else {
        refine(t, version);
    }
}

/* Of a search in compiled code, whose types may become wider. */
static void *watcher(void *arg)
{
    struct tiers *t = arg;
    unsigned seen = 0;
    for (;;) {
        unsigned version = atomic_load(&t->version);
        if (version != seen) {
            seen = version;
            watch_version(t, version);
        }
        (void)pthread_mutex_lock(&t->lock);
        while (!t->over && atomic_load(&t->version) == seen) {
            (void)pthread_cond_wait(&t->ended, &t->lock);
        }
        bool over = t->over;
        (void)pthread_mutex_unlock(&t->lock);
        if (over) {
            return NULL;
        }
    }
}

static void *builder(void *arg)
{
    struct tiers *t = arg;
    struct err err = {0};
    if (!wait_for_work(t) || !wait_a_moment(t, INITIAL_NS, true)) {
        return NULL;
    }
    t->rate = rate_of(t, t->begin_ns, 0);
    bool crowded = (long)t->job->check.workers >= sysconf(_SC_NPROCESSORS_ONLN);
    __atomic_store_n(&t->building, crowded, __ATOMIC_RELAXED);
    if (at_once(t->job)) {
        rest(t, 0); /* what is looked for now is soon found, too */
    }
    int rc = check_on_big_stack(build_and_try_fn, t, &err);
    __atomic_store_n(&t->building, 0, __ATOMIC_RELAXED);
    if (rc != 0 || t->compiled == NULL) {
        return NULL;
    }
    __atomic_store_n(&t->yield, 1, __ATOMIC_RELEASE);
    return watcher(t); /* the search may go on */
}

/* Runs the search with a thread beside it that is told when it is over. */
static int search_beside(struct tiers *t, void *(*beside)(void *arg), struct err *err)
{
    struct job *job = t->job;
    pthread_t thread;
    t->over = false;
    bool started = beside != NULL && pthread_create(&thread, NULL, beside, t) == 0;
    job_retell(job);
    int rc = check_run(job->model, &job->check, &job->result, err);
    (void)pthread_mutex_lock(&t->lock);
    t->over = true;
    bool wanted = beside == builder && __atomic_load_n(&t->yield, __ATOMIC_RELAXED);
    __atomic_store_n(&t->cancel, !wanted, __ATOMIC_RELAXED);
    (void)pthread_cond_signal(&t->ended);
    (void)pthread_mutex_unlock(&t->lock);
    if (started) {
        (void)pthread_join(thread, NULL);
    }
    return rc;
}

/* ---- moving ---- */

static void announce(struct tiers *t)
{
    (void)pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->version, 1);
    (void)pthread_cond_broadcast(&t->ended);
    (void)pthread_mutex_unlock(&t->lock);
}

/* struct check_options.move: to compiled code, or to code of wider types. */
static bool move_on(void *arg, struct check_move *ret)
{
    struct tiers *t = arg;
    struct job *job = t->job;
    /* Of states that SYMMETRY takes for equal the first one found stands for all, and CHOOSE may
     * tell them apart: numbers were seen that were not TLC's. The search begins anew. */
    bool anew = job->model->has_symmetry && !t->always;
    if (t->never || anew || job_stopping(job) || t->slow) {
        return false;
    }
    (void)__atomic_load_n(&t->yield, __ATOMIC_ACQUIRE); /* what the builder has written before */
    if (t->running) {
        if (!cgen_must_widen(t->cgen)) {
            return false;
        }
        __atomic_store_n(&t->cancel, 1, __ATOMIC_RELAXED); /* better code of what is too narrow */
        (void)pthread_mutex_lock(&t->making);
        __atomic_store_n(&t->cancel, 0, __ATOMIC_RELAXED);
        build(t);
        (void)pthread_mutex_unlock(&t->making);
    }
    if (t->compiled == NULL) {
        return false;
    }
    *ret = (struct check_move){
        .model = t->compiled, .again = t->running ? 1 : AGAIN_COMPILED, .always = t->always};
    __atomic_store_n(&t->yield, 0, __ATOMIC_RELAXED);
    t->trial = !t->running && t->rate > 0;
    t->running = true;
    job->model = t->compiled;
    announce(t);
    return true;
}

/* The search by the interpreter, with a builder beside it. */
static int search_first(struct tiers *t, struct err *err)
{
    t->begin_ns = processor_ns();
    return search_beside(t, builder, err);
}

static bool left(const struct tiers *t)
{
    const struct check_result *result = t->job->result;
    return !job_stopping(t->job) && result != NULL && result->verdict == VERDICT_STOPPED &&
           (__atomic_load_n(&t->yield, __ATOMIC_RELAXED) || result->unmoved != NULL);
}

/* Has the search to be done again? Successors were left out, whatever the verdict; or it could not
 * move. */
static bool wants_again(const struct tiers *t)
{
    return cgen_must_widen(t->cgen) || left(t);
}

/* Makes a model of wider types, if that is needed; false: there is none. */
static bool widen(struct tiers *t)
{
    struct err stack = {0};
    if (!cgen_must_widen(t->cgen)) {
        return t->compiled != NULL;
    }
    __atomic_store_n(&t->cancel, 0, __ATOMIC_RELAXED);
    return check_on_big_stack(tier_build_fn, t, &stack) == 0 && t->compiled != NULL;
}

static void note_anew(struct tiers *t)
{
    const struct check_result *result = t->job->result;
    if (result == NULL) {
        return;
    }
    t->anew++;
    if (result->unmoved != NULL) {
        t->anew_why = arena_printf(&t->job->spec.arena, "%s", result->unmoved);
    }
}

/* The search from its beginning, by what is compiled. */
static int search_anew(struct tiers *t, bool trial, struct err *err)
{
    struct job *job = t->job;
    check_result_free(job->result);
    job->result = NULL;
    cgen_forget_before(t->cgen);
    __atomic_store_n(&t->yield, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&t->cancel, 0, __ATOMIC_RELAXED);
    job->model = t->compiled;
    t->running = true;
    t->trial = trial;
    announce(t);
    int rc = job->check.resume ? 0 : tier_layout_write(t, err);
    job->check.identity = tier_identity(t);
    atomic_store_explicit(&job->stats.generated, 0, memory_order_relaxed);
    rc = rc == 0 ? search_beside(t, watcher, err) : rc;
    job->check.resume = false;
    return rc;
}

static int search_compiled(struct tiers *t, struct err *err)
{
    struct job *job = t->job;
    for (int i = 0; i < WIDENINGS_MAX && widen(t); i++) {
        note_anew(t);
        int rc = search_anew(t, t->rate > 0 && i == 0, err);
        if (rc == 0 && t->slow && left(t)) {
            t->why = "the compiled code was slower";
            break;
        }
        if (rc != 0 || job_stopping(job) || !wants_again(t)) {
            return rc;
        }
    }
    /* Nothing fits for long, or it does not pay: the interpreter can do it. */
    note_anew(t);
    check_result_free(job->result);
    job->result = NULL;
    __atomic_store_n(&t->yield, 0, __ATOMIC_RELAXED);
    job->model = job->spec.model;
    t->running = false;
    t->compiled = NULL;
    job->check.identity = tier_identity(t);
    tier_layout_forget(t);
    job_retell(job);
    return check_run(job->model, &job->check, &job->result, err);
}

/* ---- several processes ----
 * All search the same model: rank 0 makes it, and the others make theirs of the same samples. Where
 * one of them has no compiler, all interpret. When a value does not fit at one of them, all begin
 * anew with its wider types. */

static const char *effects(struct job *job)
{
    const char *what = cgen_one_process(job->spec.model);
    return what == NULL ? NULL : arena_printf(&job->spec.arena, "the specification uses %s", what);
}

const char *tier_alone(struct job *job)
{
    const struct check_options *check = &job->check;
    const struct mlive *live = job->model->live;
    return check->mode == CHECK_DFS || check->mode == CHECK_DFID
               ? "a depth-first search goes one way only"
           : check->mode != CHECK_BFS          ? "random walks are done by one process"
           : live != NULL && live->nprop > 0   ? "temporal properties need the whole graph"
           : job->model != job->spec.model     ? "the model is not the specification's own"
           : check->on_edge || check->on_state ? "one process writes the graph"
           : check->keep_going                 ? "one process goes on after a violation"
           : check->reduce_order               ? "one process reduces the order of steps"
           : job->spec.eval.coverage           ? "one process counts what is covered"
                                               : effects(job);
}

/* Strings as they are numbered here, and the samples if there is a compiled model. */
static void pack_model(struct tiers *t, struct strbuf *out)
{
    strbuf_reset(out);
    job_strings_put(t->job, out);
    if (t->compiled != NULL) {
        cgen_save(t->cgen, out);
    }
}

/* Makes the model that another one has. */
static int unpack_model(struct tiers *t, struct str data, struct err *err)
{
    size_t used = 0;
    struct err stack = {0};
    int rc = job_strings_get(t->job, data, &used, err);
    cgen_free(t->cgen);
    t->cgen = NULL;
    t->compiled = NULL;
    if (rc != 0) {
        return err_wrap(err, "strings are numbered differently: check it with one process");
    }
    if (used < data.n && cgen_restore(tier_cgen(t), (struct str){data.p + used, data.n - used}) &&
        check_on_big_stack(tier_build_fn, t, &stack) != 0) {
        t->compiled = NULL;
    }
    return 0;
}

/* Goes on only if all can. */
static int meet(struct tiers *t, int rc, struct err *err)
{
    struct err other = {0};
    int met = ranks_meet(t->job->ranks, rc != 0 ? err->text : NULL, rc != 0 ? &other : err);
    return rc == 0 ? met : rc;
}

/* Everybody takes the model of one of them, or none has a compiled one. */
static int agree(struct tiers *t, unsigned from, int rc, struct err *err)
{
    struct ranks *ranks = t->job->ranks;
    SCOPED_STRBUF data = {0};
    bool whole = false;
    if (ranks_me(ranks) == from) {
        pack_model(t, &data);
    }
    struct err other = {0};
    int shared = ranks_share(ranks, from, &data, rc != 0 ? &other : err);
    rc = rc == 0 ? shared : rc;
    if (rc ==
        0) { /* its own, too: what is made of samples that were given back is the same everywhere */
        rc = unpack_model(t, strbuf_str(&data), err);
    }
    rc = meet(t, rc, err);
    rc = rc == 0 ? ranks_all(ranks, t->compiled != NULL, &whole, err) : rc;
    if (!whole) {
        t->compiled = NULL;
    }
    return rc;
}

static int first_model(struct tiers *t, bool pays, struct err *err)
{
    struct job *job = t->job;
    struct err stack = {0};
    if (ranks_me(job->ranks) != 0) {
        return agree(t, 0, 0, err);
    }
    int rc = 0;
    if (job->check.resume) {
        rc = file_exists(tier_layout_path(t)) ? tier_layout_read(t, err) : 0;
    } else {
        tier_layout_forget(t);
        if (job->tier != TIER_INTERPRETER &&
            check_on_big_stack(pays ? build_and_try_fn : tier_build_fn, t, &stack) != 0) {
            t->compiled = NULL;
        }
    }
    return agree(t, 0, rc, err);
}

/* The first of those whose types have become too narrow; all of them when there is none. */
static int who_widens(struct tiers *t, unsigned *ret, struct err *err)
{
    struct ranks *ranks = t->job->ranks;
    int rc = 0;
    *ret = ranks_size(ranks);
    for (unsigned i = 0; i < ranks_size(ranks) && rc == 0; i++) {
        SCOPED_STRBUF word = {0};
        if (i == ranks_me(ranks)) {
            strbuf_adds(&word, t->cgen != NULL && cgen_must_widen(t->cgen) ? "w" : "-");
        }
        rc = ranks_share(ranks, i, &word, err);
        if (rc == 0 && word.n > 0 && word.p[0] == 'w' && i < *ret) {
            *ret = i;
        }
    }
    return rc;
}

static int search_once_together(struct tiers *t, struct err *err)
{
    struct job *job = t->job;
    check_result_free(job->result);
    job->result = NULL;
    __atomic_store_n(&t->yield, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&t->cancel, 0, __ATOMIC_RELAXED);
    job->model = t->compiled != NULL ? t->compiled : job->spec.model;
    job->check.identity = tier_identity(t);
    job->check.ranks = job->ranks;
    job->check.workers = 1;
    job_retell(job);
    return check_run(job->model, &job->check, &job->result, err);
}

static int search_together(struct tiers *t, struct err *err)
{
    struct job *job = t->job;
    bool pays = job->tier == TIER_AUTO;
    job->tier = pays ? TIER_COMPILED : job->tier;
    job->check.move = NULL;
    job->check.ease = NULL;
    int rc = first_model(t, pays, err);
    for (int i = 0; rc == 0; i++) {
        bool writes = ranks_me(job->ranks) == 0 && t->compiled != NULL && !job->check.resume;
        rc = meet(t, writes ? tier_layout_write(t, err) : 0, err);
        rc = rc == 0 ? search_once_together(t, err) : rc;
        job->check.resume = false;
        if (rc != 0 || !job->result->left) {
            break;
        }
        unsigned who = 0;
        note_anew(t);
        rc = who_widens(t, &who, err);
        if (rc != 0 || who == ranks_size(job->ranks)) {
            break;
        }
        if (who == ranks_me(job->ranks) && (i >= WIDENINGS_MAX || !widen(t))) {
            t->compiled = NULL;
        }
        rc = agree(t, who, 0, err);
        if (rc == 0 && t->compiled == NULL && ranks_me(job->ranks) == 0) {
            tier_layout_forget(t);
        }
    }
    return rc;
}

/* Searches that only the interpreter knows how to do. */
static bool interpreter_only(const struct job *job)
{
    const struct check_options *check = &job->check;
    return job->tier == TIER_INTERPRETER || job->model != job->spec.model ||
           check->mode != CHECK_BFS || check->on_edge != NULL || check->on_state != NULL;
}

/* Events of a search that has to start again are nobody's business. */
static void on_event(void *arg, enum check_event event, const struct check_progress *progress,
                     const struct check_result *result)
{
    struct tiers *t = arg;
    if (event == CHECK_EV_INIT_DONE) {
        (void)pthread_mutex_lock(&t->lock);
        t->initial = true;
        (void)pthread_cond_signal(&t->ended);
        (void)pthread_mutex_unlock(&t->lock);
    }
    bool first = event == CHECK_EV_INIT_START || event == CHECK_EV_INIT_DONE;
    if (t->event == NULL || (t->running && cgen_must_widen(t->cgen)) || (first && t->begun)) {
        return;
    }
    t->begun = t->begun || event == CHECK_EV_INIT_DONE;
    t->event(t->event_arg, event, progress, result);
}

/* ---- on a GPU ---- */
struct on_gpu {
    struct tiers *t;
    bool done;       /* there is a result */
    const char *why; /* there is none: the CPU does it */
    int rc;
    struct err err;
};

/* Compiles and searches, again with wider types where a value did not fit. */
static void search_gpu_fn(void *arg)
{
    struct on_gpu *g = arg;
    struct tiers *t = g->t;
    struct job *job = t->job;
    struct gpu_options options = {.kind = job->gpu == JOB_GPU_HOST ? GPU_HOST : GPU_NVIDIA,
                                  .device = job->gpu_device,
                                  .threads = job->check.workers,
                                  .compiler = job->gpu == JOB_GPU_HOST ? job->setup.compiler
                                                                       : job->setup.clang,
                                  .device_bytes = job->gpu_bytes};
    struct gpu *gpu = NULL;
    char why[256];
    if (gpu_open(&options, &gpu, why, sizeof why) != 0) {
        g->why = arena_printf(&job->spec.arena, "%s", why);
        return;
    }
    for (int i = 0; i < WIDENINGS_MAX && !g->done && !g->why && g->rc == 0; i++) {
        enum gpu_end end = GPU_LEFT;
        __atomic_store_n(&t->yield, 0, __ATOMIC_RELAXED);
        build(t);
        if (!t->compiled) {
            g->why = t->why;
            break;
        }
        cgen_forget_before(t->cgen);
        struct gpu_search what = {t->cgen, t->compiled, &job->check};
        job->model = t->compiled;
        g->rc = gpu_run(gpu, &what, &end, &job->result, &g->err);
        if (g->rc != 0) { /* the device failed: not the search */
            g->why = arena_printf(&job->spec.arena, "%s", g->err.text);
            g->rc = 0;
            break;
        }
        g->done = end == GPU_DONE;
        if (!g->done && !cgen_must_widen(t->cgen)) {
            g->why = arena_printf(&job->spec.arena, "%s", gpu_why(gpu));
        }
    }
    g->why = g->done || g->why ? g->why : "values did not fit, again and again";
    gpu_describe(gpu, &t->gpu_text);
    gpu_close(gpu);
}

/* What stands in the way is told once; without a device nothing is searched where one was asked
 * for. *ret_done: there is a result. */
static int search_gpu(struct tiers *t, bool *ret_done, struct err *err)
{
    struct job *job = t->job;
    struct on_gpu g = {.t = t};
    bool must = job->gpu != JOB_GPU_AUTO;
    g.why = job->model != job->spec.model ? "a recorded trace is followed by the CPU"
            : job->tier == TIER_INTERPRETER || job->spec.eval.coverage
                ? "the interpreter was asked for"
                : gpu_refuses(job->model, &job->check);
    if (!g.why) {
        t->running = true;
        int rc = check_on_big_stack(search_gpu_fn, &g, err);
        t->running = false;
        if (rc != 0 || g.rc != 0) {
            *err = rc != 0 ? *err : g.err;
            return -1;
        }
    }
    *ret_done = g.done;
    t->on_gpu = g.done;
    if (g.done) {
        return 0;
    }
    job->model = job->spec.model;
    t->compiled = NULL;
    if (must && t->cgen == NULL) { /* nothing has begun */
        return err_set(err, ERR_UNSUPPORTED, 0, "--gpu: %s", g.why);
    }
    if (job->warn != NULL) {
        job->warn(job->print_arg, 0,
                  arena_printf(&job->spec.arena, "not on a GPU: %s; the CPU does it", g.why));
    }
    return 0;
}

static int tier_search(struct job *job, struct err *err)
{
    job->tier = job->tier == TIER_AUTO ? job->setup.tier : job->tier;
    struct tiers *t = ARENA_NEW(&job->spec.arena, struct tiers);
    job->tiers = t;
    t->job = job;
    (void)pthread_mutex_init(&t->lock, NULL);
    (void)pthread_cond_init(&t->ended, NULL);
    (void)pthread_mutex_init(&t->making, NULL);
    t->always = job->setup.move_always;
    t->never = job->setup.move_never;
    job->check.yield = &t->yield;
    job->check.ease = &t->building;
    job->check.move = move_on;
    job->check.move_arg = t;
    t->event = job->check.event;
    t->event_arg = job->check.event_arg;
    job->check.event = on_event;
    job->check.event_arg = t;
    int rc = 0;
    if (job->ranks != NULL && job->gpu == JOB_GPU_ON) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       "--gpu: several processes search on processors only");
    }
    if (job->ranks != NULL && job->alone_why == NULL) {
        return search_together(t, err);
    }
    if (job->gpu != JOB_GPU_OFF && job->ranks == NULL) {
        bool done = false;
        rc = search_gpu(t, &done, err);
        if (rc != 0 || done) {
            return rc;
        }
        cgen_free(t->cgen); /* the search by the CPU begins with nothing */
        t->cgen = NULL;
        job_retell(job);
    }
    if (job->check.resume && job->check.mode == CHECK_BFS && file_exists(tier_layout_path(t))) {
        rc = tier_layout_read(t, err);
        return rc == 0 ? search_compiled(t, err) : rc;
    }
    if (interpreter_only(job) || job->check.resume) {
        return check_run(job->model, &job->check, &job->result, err);
    }
    tier_layout_forget(t);
    (void)tier_cgen(t); /* from here on initial states are kept */
    if (job->tier == TIER_AUTO) {
        rc = search_first(t, err);
        if (rc != 0 || t->compiled == NULL || !left(t)) {
            return rc;
        }
    } else {
        struct err stack = {0};
        if (check_on_big_stack(tier_build_fn, t, &stack) != 0) {
            t->why = "there is no memory for a stack";
        }
    }
    return search_compiled(t, err);
}

/* ---- the same violation for any number of workers ---- */

/* Several workers find one of the violations of a level, by one of the shortest paths to it: which,
 * is an accident of timing. One worker always finds the same, in TLC's order. */
static bool found_by_chance(const struct job *job)
{
    const struct check_options *check = &job->check;
    const struct check_result *r = job->result;
    bool elsewhere = check->ranks != NULL || job->tiers->on_gpu;
    bool several = check->workers > 1 || elsewhere;
    return check->mode == CHECK_BFS && several && r != NULL && r->nviolation > 0 &&
           r->violations[0].trace.nstep > (elsewhere ? 0 : 1);
}

/* A search that was small up to the level of the violation is done again by one worker. The measure
 * does not depend on timing, either. */
static bool again_wanted(const struct job *job)
{
    const struct check_options *check = &job->check;
    return found_by_chance(job) && job->result->settled <= AGAIN_MAX && !job->result->recovered &&
           !check->keep_going && check->on_edge == NULL && check->on_state == NULL &&
           !job->spec.eval.coverage && !job_stopping(job);
}

/* A model with random choices, or an interrupt, may end it otherwise: then the first one stands. */
static void search_again(struct tiers *t)
{
    struct job *job = t->job;
    struct check_options options = job->check;
    struct check_result *found = job->result, *again = NULL;
    struct err err = {0};
    options.workers = 1;
    options.ranks = NULL;
    options.event = NULL;
    options.move = NULL;
    options.dir = NULL;
    options.checkpoint_s = 0;
    options.resume = false;
    options.stop_after_ns = 0;
    __atomic_store_n(&t->yield, 0, __ATOMIC_RELAXED);
    job->replaying = true; /* what the specification prints, it has printed */
    int rc = check_run(job->model, &options, &again, &err);
    bool good = rc == 0 && again->nviolation > 0 && again->violations[0].trace.nstep > 0 &&
                !(t->running && cgen_must_widen(t->cgen)) && !job_stopping(job);
    if (good) {
        again->elapsed_ns += found->elapsed_ns;
        job->result = again;
        job->by_chance = false;
    }
    check_result_free(good ? found : again);
}

int tier_check(struct job *job, struct err *err)
{
    if (job->ranks != NULL) {
        job->alone_why = job->alone_why != NULL ? job->alone_why : tier_alone(job);
        if (job->alone_why != NULL && ranks_me(job->ranks) != 0) {
            return 0;
        }
    }
    int rc = tier_search(job, err);
    if (rc == 0) {
        job->by_chance = found_by_chance(job);
        if (again_wanted(job)) {
            search_again(job->tiers);
        }
    }
    return rc;
}

void tier_done(struct job *job)
{
    struct tiers *t = job->tiers;
    if (t == NULL) {
        return;
    }
    cgen_free(t->cgen);
    strbuf_done(&t->text);
    strbuf_done(&t->gpu_text);
    (void)pthread_cond_destroy(&t->ended);
    (void)pthread_mutex_destroy(&t->lock);
    (void)pthread_mutex_destroy(&t->making);
    job->tiers = NULL;
}

void tier_describe(const struct job *job, struct strbuf *out)
{
    const struct tiers *t = job->tiers;
    if (t == NULL) {
        return;
    }
    const struct check_result *r = job->result;
    if (r != NULL && r->ranks > 0) {
        strbuf_printf(out,
                      "ranks: %u, %llu states sent in %llu bytes: %.1f for each generated state\n",
                      r->ranks, (unsigned long long)r->sent, (unsigned long long)r->sent_bytes,
                      r->generated > 0 ? (double)r->sent_bytes / (double)r->generated : 0);
    }
    strbuf_addstr(out, strbuf_str(&t->gpu_text));
    if (job->result != NULL && job->result->moves > 0) {
        strbuf_printf(out, "moved: %llu times, with %llu states that waited\n",
                      (unsigned long long)job->result->moves,
                      (unsigned long long)job->result->moved_states);
    }
    if (t->anew > 0) {
        strbuf_printf(out, "began anew: %u times%s%s\n", t->anew,
                      t->anew_why != NULL ? ", last: " : "",
                      t->anew_why != NULL ? t->anew_why : "");
    }
    if (t->compiled == NULL) {
        if (t->why != NULL) {
            strbuf_printf(out, "interpreted: %s\n", t->why);
        }
        return;
    }
    strbuf_addstr(out, strbuf_str(&t->text));
    cgen_describe_run(t->cgen, out);
}

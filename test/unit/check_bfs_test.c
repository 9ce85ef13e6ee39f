/* Breadth-first search against the plain one: counts, depth, degrees, violations and traces; one,
 * two and four workers; with and without disk. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/err.h"
#include "check_toy.h"
#include "test.h"

static struct check_result *run(struct toy *toy, struct check_options options)
{
    struct check_result *result = NULL;
    struct err err = {0};
    options.workers = options.workers ? options.workers : 1;
    int status = check_run(&toy->model, &options, &result, &err);
    if (status < 0) {
        fprintf(stderr, "%s\n", err.text);
    }
    CHECK_EQ(status, 0);
    CHECK_EQ(toy->made, toy->freed);
    return result;
}

/* All figures of a search without violations. */
static void same(const struct check_result *r, const struct plain *p, unsigned workers)
{
    CHECK_EQ(r->verdict, p->verdict);
    CHECK_EQ(r->generated, p->generated);
    CHECK_EQ(r->distinct, p->distinct);
    CHECK_EQ(r->depth, p->depth);
    CHECK_EQ(r->queued, p->queued);
    uint64_t min = 32;
    uint64_t max = 0;
    for (uint64_t d = 0; d < 32; d++) {
        if (p->degrees[d]) {
            min = min < d ? min : d;
            max = d;
        }
    }
    if (p->verdict == VERDICT_OK && max > 0 && workers == 1) { /* else: who comes first */
        CHECK_EQ(r->outdegree_min, min);
        CHECK_EQ(r->outdegree_max, max);
    }
    for (int a = 0; a < TOY_ACTIONS; a++) {
        CHECK_EQ(r->action_generated[a], p->action_generated[a]);
    }
}

static void compare_one(struct toy *toy, uint64_t memory)
{
    struct plain p = plain_search(toy);
    unsigned counts[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        struct check_result *r =
            run(toy, (struct check_options){.workers = counts[i], .memory_bytes = memory});
        same(r, &p, counts[i]);
        CHECK(r->complete);
        uint64_t distinct = 0;
        for (int a = 0; a < TOY_ACTIONS; a++) {
            distinct += r->action_distinct[a];
            if (counts[i] == 1) {
                CHECK_EQ(r->action_distinct[a], p.action_distinct[a]);
            }
        }
        CHECK_EQ(distinct + r->init_distinct, r->distinct);
        check_result_free(r);
    }
}

/* Successors one by one and at once; states of different lengths and of one. */
static void compare(struct toy *toy, uint64_t memory)
{
    static const uint32_t batches[] = {0, 1, TOY_SLOTS};
    for (int i = 0; i < 3; i++) {
        toy->batch = batches[i];
        toy->pad = i == 1 ? 0 : 7;
        toy_ready(toy);
        compare_one(toy, memory);
    }
}

TEST(graphs)
{
    struct toy toys[] = {toy_graph(1, 2, 0),    toy_graph(10, 2, 0),    toy_graph(1000, 3, 0),
                         toy_graph(5000, 2, 3), toy_graph(20000, 6, 0), toy_graph(3000, 40, 0)};
    toys[0].ninit = 1;
    for (size_t i = 0; i < sizeof toys / sizeof toys[0]; i++) {
        compare(&toys[i], 0);
        toys[i].outside = 7;
        toy_ready(&toys[i]);
        compare(&toys[i], 0);
    }
}

TEST(lattice)
{
    struct toy toy = toy_lattice(7, 5);
    compare(&toy, 0);
}

TEST(no_initial_state)
{
    struct toy toy = toy_graph(10, 2, 0);
    toy.ninit = 0;
    struct check_result *r = run(&toy, (struct check_options){0});
    CHECK_EQ(r->verdict, VERDICT_OK);
    CHECK_EQ(r->generated, 0);
    CHECK_EQ(r->depth, 0);
    check_result_free(r);
}

/* A budget far too small for the table, the queue and unsettled answers: everything goes through
 * files. */
TEST(spill)
{
#ifdef ASSAY_TINY
    enum { STATES = 3000 };
#else
    enum { STATES = 100000 };
#endif
    struct toy toy = toy_graph(3 * STATES, 4, 0);
    compare(&toy, 2 << 20);
    struct toy deep = toy_graph(STATES, 3, 50);
    deep.outside = 11;
    toy_ready(&deep);
    compare(&deep, 1 << 20);
}

static void violates_one(struct toy *toy, uint64_t memory)
{
    toy_ready(toy);
    toy->model.check_deadlock = true;
    struct plain p = plain_search(toy);
    unsigned counts[] = {1, 2, 4};
    for (int i = 0; i < 3 && p.verdict != VERDICT_OK; i++) { /* not every state can be reached */
        struct check_result *r =
            run(toy, (struct check_options){.workers = counts[i], .memory_bytes = memory});
        CHECK_EQ(r->verdict, p.verdict);
        CHECK_EQ(r->nviolation, 1);
        const struct check_violation *v = &r->violations[0];
        CHECK(!v->trace.incomplete);
        CHECK_EQ(v->trace.nstep, p.trace);
        if (counts[i] == 1) {
            same(r, &p, 1);
        }
        toy_check_trace(toy, &v->trace, p.at);
        if (p.verdict == VERDICT_EVAL_ERROR) {
            CHECK(strncmp(v->error.text, "cannot", 6) == 0);
        }
        check_result_free(r);
    }
}

static void violates(struct toy *toy, uint64_t memory)
{
    static const uint32_t batches[] = {0, 1, TOY_SLOTS};
    for (int i = 0; i < 3; i++) {
        toy->batch = batches[i];
        toy->pad = i == 2 ? 0 : 7;
        violates_one(toy, memory);
    }
}

TEST(violations)
{
    uint64_t memory[] = {0, 1 << 20};
    for (int m = 0; m < 2; m++) {
        for (int kind = 0; kind < 5; kind++) {
            struct toy toy = toy_graph(60000, 3, 0);
            uint32_t *field[] = {&toy.bad_state, &toy.bad_step, &toy.dead, &toy.error_next,
                                 &toy.error_inv};
            for (uint32_t at = 777; at < 60000; at += 20011) {
                *field[kind] = at;
                violates(&toy, memory[m]);
            }
        }
    }
}

TEST(violation_outside_the_model)
{
    struct toy toy = toy_graph(4000, 3, 0);
    toy.outside = 7;
    toy.bad_state = 7 * 300 + 5;
    violates(&toy, 0);
}

TEST(violation_by_an_initial_state)
{
    struct toy toy = toy_graph(4000, 3, 0);
    toy.bad_state = 1;
    struct check_result *r = run(&toy, (struct check_options){0});
    CHECK_EQ(r->verdict, VERDICT_INVARIANT_INIT);
    CHECK_EQ(r->violations[0].trace.nstep, 1);
    CHECK_EQ(r->generated, 2);
    toy_check_trace(&toy, &r->violations[0].trace, 1);
    check_result_free(r);
}

struct events {
    int violations, progress;
};
static void on_event(void *arg, enum check_event event, const struct check_progress *progress,
                     const struct check_result *result)
{
    struct events *e = arg;
    (void)progress;
    e->violations += event == CHECK_EV_VIOLATION;
    e->progress += event == CHECK_EV_PROGRESS;
    if (event == CHECK_EV_VIOLATION) {
        CHECK(result->violations[result->nviolation - 1].trace.nstep > 0);
    }
}

TEST(keep_going)
{
    struct toy toy = toy_graph(30000, 3, 0);
    toy.bad_state = 4711;
    toy.bad_step = 815;
    struct toy good = toy_graph(30000, 3, 0);
    struct plain p = plain_search(&good);
    unsigned counts[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        struct events e = {0};
        struct check_result *r =
            run(&toy, (struct check_options){.workers = counts[i],
                                             .keep_going = true,
                                             .memory_bytes = i == 1 ? 1 << 20 : 0,
                                             .event = on_event,
                                             .event_arg = &e});
        CHECK_EQ(r->generated, p.generated);
        CHECK_EQ(r->distinct, p.distinct);
        CHECK_EQ(r->depth, p.depth);
        CHECK(r->complete);
        CHECK_EQ(r->nviolation, 6);
        CHECK_EQ(e.violations, r->nviolation);
        for (size_t k = 0; k < r->nviolation; k++) {
            bool inv = r->violations[k].verdict == VERDICT_INVARIANT;
            toy_check_trace(&toy, &r->violations[k].trace, inv ? 4711 : 815);
        }
        check_result_free(r);
    }
}

static volatile sig_atomic_t stop_now = 1;

TEST(interrupted)
{
    struct toy toy = toy_lattice(30, 5);
    struct check_result *r =
        run(&toy, (struct check_options){.workers = 2, .interrupt = &stop_now});
    CHECK_EQ(r->verdict, VERDICT_STOPPED);
    CHECK(!r->complete);
    CHECK(r->distinct < 24300000);
    check_result_free(r);
    r = run(&toy, (struct check_options){.workers = 1, .stop_after_ns = 100000000});
    CHECK_EQ(r->verdict, VERDICT_STOPPED);
    CHECK(r->queued > 0);
    check_result_free(r);
}

/* Set and cleared all the time by a thread beside the search. */
struct easing {
    volatile sig_atomic_t ease, over;
};

static void *ease_now_and_then(void *arg)
{
    struct easing *e = arg;
    while (!__atomic_load_n(&e->over, __ATOMIC_RELAXED)) {
        __atomic_store_n(&e->ease, (e->ease + 1) % 3, __ATOMIC_RELAXED);
        (void)usleep(500);
    }
    return NULL;
}

TEST(eased)
{
    struct toy toy = toy_lattice(7, 5);
    struct plain p = plain_search(&toy);
    for (unsigned workers = 1; workers <= 4; workers++) {
        struct easing e = {.ease = 1};
        pthread_t thread;
        struct check_result *r =
            run(&toy, (struct check_options){.workers = workers, .ease = &e.ease});
        same(r, &p, workers);
        check_result_free(r);
        CHECK_EQ(pthread_create(&thread, NULL, ease_now_and_then, &e), 0);
        r = run(&toy, (struct check_options){.workers = workers, .ease = &e.ease});
        __atomic_store_n(&e.over, 1, __ATOMIC_RELAXED);
        pthread_join(thread, NULL);
        same(r, &p, workers);
        check_result_free(r);
    }
}

struct dump {
    uint64_t states, outside, edges, initial;
    uint32_t order[64];
};
static void on_state(void *arg, uint64_t fp, const void *bytes, size_t len, bool initial,
                     bool in_model)
{
    struct dump *d = arg;
    (void)fp;
    CHECK(len >= 4);
    if (in_model && d->states < 64) {
        memcpy(&d->order[d->states], bytes, 4);
    }
    d->states += in_model;
    d->outside += !in_model;
    d->initial += initial;
}
static void on_edge(void *arg, uint64_t fp, uint64_t fp2, uint32_t action, bool seen)
{
    struct dump *d = arg;
    (void)fp;
    (void)fp2;
    (void)action;
    (void)seen;
    d->edges++;
}

TEST(dump)
{
    struct toy toy = toy_graph(20000, 3, 0);
    toy.outside = 9;
    toy_ready(&toy);
    struct plain p = plain_search(&toy);
    for (unsigned workers = 1; workers <= 2; workers++) {
        struct dump d = {0};
        struct check_result *r = run(&toy, (struct check_options){.workers = workers,
                                                                  .memory_bytes = 1 << 20,
                                                                  .on_state = on_state,
                                                                  .on_edge = on_edge,
                                                                  .dump_arg = &d});
        same(r, &p, workers);
        CHECK_EQ(d.states, p.distinct);
        CHECK_EQ(d.initial, 3);
        CHECK_EQ(d.edges, p.generated - 4);
        CHECK_EQ(d.order[1], 1);
        check_result_free(r);
    }
}

struct walked {
    size_t n;
    char last[40];
};
static int on_walk(void *arg, size_t index, struct mworker *worker, const char *label,
                   uint32_t action, const struct mvalues *args)
{
    struct walked *walked = arg;
    (void)worker;
    (void)action;
    (void)args;
    CHECK_EQ(index, walked->n);
    walked->n++;
    snprintf(walked->last, sizeof walked->last, "%s", label);
    return 0;
}

TEST(walk)
{
    struct toy toy = toy_graph(30000, 3, 0);
    toy.bad_state = 4711;
    struct check_result *r = run(&toy, (struct check_options){0});
    struct walked walked = {0};
    struct err err = {0};
    CHECK_EQ(check_trace_walk(&toy.model, &r->violations[0].trace, on_walk, &walked, &err), 0);
    CHECK_EQ(walked.n, r->violations[0].trace.nstep);
    CHECK_STR(walked.last, "To(4711)");
    CHECK_EQ(toy.made, toy.freed);
    check_result_free(r);
}

static void *one_of_two(void *arg)
{
    struct toy *toy = arg;
    compare(toy, 0);
    return NULL;
}

TEST(two_checkers_in_one_process)
{
    struct toy a = toy_graph(30000, 3, 0);
    struct toy b = toy_graph(20000, 4, 10);
    pthread_t threads[2];
    CHECK_EQ(pthread_create(&threads[0], NULL, one_of_two, &a), 0);
    CHECK_EQ(pthread_create(&threads[1], NULL, one_of_two, &b), 0);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

TEST(many_initial_states)
{
#ifdef ASSAY_TINY
    enum { STATES = 2000 };
#else
    enum { STATES = 200000 };
#endif
    struct toy toy = toy_graph(STATES, 1, 0);
    toy.ninit = STATES / 4 * 3;
    compare(&toy, 1 << 20);
}

/* A view gives several states one fingerprint. The trace must still be a behaviour, and end in the
 * very state that is bad. */
TEST(view)
{
    int violated = 0;
    for (uint32_t at = 10; at < 6000; at += 97) {
        struct toy toy = toy_graph(6000, 3, 0);
        toy.view = 5;
        toy.bad_state = at;
        for (unsigned workers = 1; workers <= 3; workers += 2) {
            struct check_result *r =
                run(&toy, (struct check_options){.workers = workers,
                                                 .memory_bytes = at % 2 ? 1 << 20 : 0});
            if (r->verdict == VERDICT_INVARIANT) {
                CHECK(!r->violations[0].trace.incomplete);
                toy_check_trace(&toy, &r->violations[0].trace, at);
                violated++;
            } else {
                CHECK_EQ(r->verdict, VERDICT_OK);
                CHECK(r->distinct <= 1200);
            }
            check_result_free(r);
        }
    }
    CHECK(violated > 10);
}

/* Many violations: a limited number is kept, all are counted, and the search is not slowed down by
 * them. */
TEST(more_violations_than_kept)
{
    struct toy toy = toy_graph(30000, 3, 0);
    toy.bad_step = 815;
    struct check_result *r =
        run(&toy, (struct check_options){.workers = 2, .keep_going = true, .violations_max = 2});
    CHECK_EQ(r->nviolation, 2);
    CHECK_EQ(r->violations_seen, 5);
    CHECK(r->complete);
    check_result_free(r);
}

/* The n-th write fails: an error, whatever part of the search needed the disk, and nothing hangs or
 * leaks. */
TEST(disk_full)
{
#ifdef ASSAY_TINY
    struct toy toy = toy_graph(2000, 4, 0);
#else
    struct toy toy = toy_graph(60000, 4, 0);
#endif
    int failed = 0;
    for (uint64_t n = 1; n < 400; n += 1 + n / 3) {
        for (unsigned workers = 1; workers <= 2; workers++) {
            struct check_result *r = NULL;
            struct err err = {0};
            struct check_options options = {
                .workers = workers, .memory_bytes = 1 << 20, .fail_write_at = n};
            CHECK_EQ(check_run(&toy.model, &options, &r, &err), 0);
            CHECK(r->verdict == VERDICT_OK || r->verdict == VERDICT_FAILED);
            if (r->verdict == VERDICT_FAILED) {
                failed++;
                CHECK_EQ(err.code, ERR_IO);
                CHECK(!r->complete);
            }
            check_result_free(r);
        }
    }
    CHECK(failed > 5);
    CHECK_EQ(toy.made, toy.freed);
}

static unsigned failing_worker;
static int failing_worker_new(struct model *model, unsigned index, uint64_t seed,
                              struct mworker **ret, struct err *err)
{
    if (index == failing_worker) {
        return err_set(err, ERR_LIMIT, 0, "no more workers");
    }
    return toy_worker_new(model, index, seed, ret, err);
}

TEST(worker_cannot_be_made)
{
    struct model_ops ops = toy_ops;
    ops.worker_new = failing_worker_new;
    enum check_mode modes[] = {CHECK_BFS, CHECK_SIMULATE};
    for (failing_worker = 0; failing_worker < 3; failing_worker++) {
        for (int m = 0; m < 2; m++) {
            struct toy toy = toy_graph(200000, 6, 0);
            toy.model.ops = &ops;
            struct check_result *r = NULL;
            struct err err = {0};
            struct check_options options = {.mode = modes[m], .workers = 3, .simulate_num = 100000};
            CHECK_EQ(check_run(&toy.model, &options, &r, &err), 0);
            CHECK_EQ(r->verdict, VERDICT_FAILED);
            CHECK_STR(err.text, "no more workers");
            CHECK_EQ(toy.made, toy.freed);
            check_result_free(r);
        }
    }
}

/* Several processes that search together, against the plain search: counts, depth, violations and
 * traces; with and without disk. */
#include <signal.h>

#include "base/err.h"
#include "base/file.h"
#include "check_toy.h"
#include "ranks_util.h"
#include "test.h"

struct task {
    struct toy *toy;
    struct check_options options;
    void (*look)(struct toy *toy, const struct check_result *r);
    unsigned n;
};

static void search(struct ranks *ranks, void *arg)
{
    struct task *task = arg;
    struct check_result *result = NULL;
    struct err err = {0};
    struct check_options options = task->options;
    options.workers = 1;
    options.ranks = ranks;
    int status = check_run(&task->toy->model, &options, &result, &err);
    if (status < 0) {
        fprintf(stderr, "%s\n", err.text);
    }
    CHECK_EQ(status, 0);
    CHECK_EQ(task->toy->made, task->toy->freed);
    if (ranks_me(ranks) == 0) {
        task->look(task->toy, result);
    }
    check_result_free(result);
}

static void with_ranks(struct toy *toy, struct check_options options,
                       void (*look)(struct toy *toy, const struct check_result *r))
{
    for (unsigned n = 1; n <= 4; n++) {
        struct task task = {.toy = toy, .options = options, .look = look, .n = n};
        run_ranks(n, search, &task);
    }
}

static void same_counts(struct toy *toy, const struct check_result *r)
{
    struct plain p = plain_search(toy);
    uint64_t distinct = 0;
    CHECK_EQ(r->verdict, p.verdict);
    CHECK_EQ(r->generated, p.generated);
    CHECK_EQ(r->distinct, p.distinct);
    CHECK_EQ(r->depth, p.depth);
    CHECK_EQ(r->queued, p.queued);
    CHECK(r->complete);
    for (int a = 0; a < TOY_ACTIONS; a++) {
        CHECK_EQ(r->action_generated[a], p.action_generated[a]);
        distinct += r->action_distinct[a];
    }
    CHECK_EQ(distinct + r->init_distinct, r->distinct);
    CHECK_EQ(r->settled, r->distinct);
    CHECK(r->sent > 0 || r->ranks == 1 || r->distinct < 100);
    CHECK(r->sent == 0 || r->ranks > 1);
}

/* Successors one by one and at once; states of different lengths and of one. */
static void compare(struct toy *toy, uint64_t memory)
{
    static const uint32_t batches[] = {0, 1, TOY_SLOTS};
    for (int i = 0; i < 3; i++) {
        toy->batch = batches[i];
        toy->pad = i == 1 ? 0 : 7;
        toy_ready(toy);
        with_ranks(toy, (struct check_options){.memory_bytes = memory}, same_counts);
    }
}

TEST(graphs)
{
    struct toy toys[] = {toy_graph(1, 2, 0), toy_graph(10, 2, 0), toy_graph(5000, 2, 3),
                         toy_graph(20000, 6, 0), toy_graph(3000, 40, 0)};
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

/* Everything goes through files. */
TEST(spill)
{
#ifdef ASSAY_TINY
    enum { STATES = 3000 };
#else
    enum { STATES = 60000 };
#endif
    struct toy toy = toy_graph(3 * STATES, 4, 0);
    compare(&toy, 1 << 20);
    struct toy deep = toy_graph(STATES, 3, 50);
    deep.outside = 11;
    toy_ready(&deep);
    compare(&deep, 1 << 20);
}

/* ---- violations ---- */

static void same_violation(struct toy *toy, const struct check_result *r)
{
    struct plain p = plain_search(toy);
    CHECK_EQ(r->verdict, p.verdict);
    CHECK_EQ(r->nviolation, 1);
    const struct check_violation *v = &r->violations[0];
    CHECK(!v->trace.incomplete);
    CHECK(!r->complete);
    CHECK_EQ(v->trace.nstep, p.trace);
    toy_check_trace(toy, &v->trace, p.at);
    if (p.verdict == VERDICT_EVAL_ERROR) {
        CHECK(strncmp(v->error.text, "cannot", 6) == 0);
    }
}

static void violates(struct toy *toy)
{
    static const uint32_t batches[] = {0, 1, TOY_SLOTS};
    for (int i = 0; i < 3; i++) {
        toy->batch = batches[i];
        toy->pad = i == 2 ? 0 : 7;
        toy_ready(toy);
        toy->model.check_deadlock = true;
        if (plain_search(toy).verdict != VERDICT_OK) { /* not every state can be reached */
            with_ranks(toy, (struct check_options){0}, same_violation);
        }
    }
}

TEST(violations)
{
    for (int kind = 0; kind < 5; kind++) {
        struct toy toy = toy_graph(20000, 3, 0);
        uint32_t *field[] = {&toy.bad_state, &toy.bad_step, &toy.dead, &toy.error_next,
                             &toy.error_inv};
        for (uint32_t at = 777; at < 20000; at += 7011) {
            *field[kind] = at;
            violates(&toy);
        }
    }
}

TEST(violation_outside_the_model)
{
    struct toy toy = toy_graph(4000, 3, 0);
    toy.outside = 7;
    toy.bad_state = 7 * 300 + 5;
    violates(&toy);
}

static void initial(struct toy *toy, const struct check_result *r)
{
    CHECK_EQ(r->verdict, VERDICT_INVARIANT_INIT);
    CHECK_EQ(r->violations[0].trace.nstep, 1);
    toy_check_trace(toy, &r->violations[0].trace, toy->bad_state);
}

TEST(violation_by_an_initial_state)
{
    struct toy toy = toy_graph(4000, 3, 0);
    toy.bad_state = 1;
    toy_ready(&toy);
    with_ranks(&toy, (struct check_options){0}, initial);
}

/* ---- checkpoints ---- */

struct stopping {
    sig_atomic_t now;
    int after; /* checkpoints */
};

static void on_event(void *arg, enum check_event event, const struct check_progress *progress,
                     const struct check_result *result)
{
    struct stopping *stopping = arg;
    (void)progress;
    (void)result;
    if (event == CHECK_EV_CHECKPOINT_DONE && --stopping->after == 0) {
        __atomic_store_n(&stopping->now, 1, __ATOMIC_RELAXED);
    }
}

static void is_stopped(struct toy *toy, const struct check_result *r)
{
    (void)toy;
    CHECK_EQ(r->verdict, VERDICT_STOPPED);
    CHECK_EQ(r->recovered, false);
}

static void goes_on(struct toy *toy, const struct check_result *r)
{
    CHECK(r->recovered);
    if (plain_search(toy).verdict != VERDICT_OK) {
        same_violation(toy, r);
        return;
    }
    struct plain p = plain_search(toy);
    CHECK_EQ(r->verdict, VERDICT_OK);
    CHECK_EQ(r->generated, p.generated);
    CHECK_EQ(r->distinct, p.distinct);
    CHECK_EQ(r->depth, p.depth);
    CHECK_EQ(r->queued, 0);
    for (int a = 0; a < TOY_ACTIONS; a++) {
        CHECK_EQ(r->action_generated[a], p.action_generated[a]);
    }
}

/* Stops with `n` ranks, goes on with `then`. */
static void stop_and_go_on(struct toy *toy, unsigned n, unsigned then, int after)
{
    char dir[] = "/tmp/assay-peers-XXXXXX";
    struct err err = {0};
    CHECK(mkdtemp(dir) != NULL);
    struct stopping stopping = {.after = after};
    struct task task = {
        .toy = toy,
        .options = {.dir = dir,
                    .identity = 7,
                    .checkpoint_s = 1e-6,
                    .event = on_event,
                    .event_arg = &stopping,
                    .interrupt = &stopping.now},
        .look = is_stopped,
    };
    run_ranks(n, search, &task);
    CHECK(file_exists(dir));
    stopping = (struct stopping){.after = -1};
    task.options.resume = true;
    task.look = goes_on;
    run_ranks(then, search, &task);
    CHECK_EQ(rmdir(dir), 0); /* nothing is left */
    (void)err;
}

TEST(checkpoints)
{
    struct toy toy = toy_graph(6000, 4, 200);
    toy.spin = 20000; /* so that there is time for checkpoints */
    for (int i = 0; i < 6; i++) {
        toy.batch = i % 2 ? TOY_SLOTS : 0;
        toy.pad = i % 3 ? 7 : 0;
        toy.bad_state = i == 4 ? 5555 : TOY_NONE;
        toy_ready(&toy);
        stop_and_go_on(&toy, 1 + (unsigned)i % 3, 1 + (unsigned)(i * 2) % 4, 1 + i % 3);
    }
}

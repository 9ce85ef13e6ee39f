/* Depth-first search, iterative deepening, simulation; temporal properties from the search's side;
 * the path for a model that asks. */
#include "base/err.h"
#include "check_toy.h"
#include "test.h"

static struct check_result *run(struct model *model, struct check_options options)
{
    struct check_result *result = NULL;
    struct err err = {0};
    options.workers = options.workers ? options.workers : 1;
    int status = check_run(model, &options, &result, &err);
    if (status < 0) {
        fprintf(stderr, "%s\n", err.text);
    }
    CHECK_EQ(status, 0);
    return result;
}

static void is_behaviour(const struct toy *toy, const struct check_trace *trace)
{
    uint32_t previous = 0;
    for (size_t i = 0; i < trace->nstep; i++) {
        uint32_t s = 0;
        memcpy(&s, trace->steps[i].bytes, 4);
        bool is_step = i == 0 && s < toy->ninit;
        for (uint32_t k = 0; i > 0 && k < toy->degree; k++) {
            is_step = is_step || toy_succ(toy, previous, k) == s;
        }
        CHECK(is_step);
        previous = s;
    }
}

TEST(depth_first)
{
    struct toy toy = toy_graph(20000, 3, 0);
    toy.outside = 8;
    toy_ready(&toy);
    struct plain p = plain_search(&toy);
    uint64_t memory[] = {0, 1 << 20};
    for (int m = 0; m < 2; m++) {
        struct check_result *r =
            run(&toy.model, (struct check_options){.mode = CHECK_DFS, .memory_bytes = memory[m]});
        CHECK_EQ(r->verdict, VERDICT_OK);
        CHECK_EQ(r->generated, p.generated); /* every state is expanded once, in whatever order */
        CHECK_EQ(r->distinct, p.distinct);
        CHECK(r->depth > p.depth);
        CHECK(r->complete);
        CHECK_EQ(r->queued, 0);
        check_result_free(r);
    }
    CHECK_EQ(toy.made, toy.freed);
}

/* A stack that is larger than what it may hold in memory: its lower part goes to a file, comes
 * back, and every write of it may fail. */
TEST(depth_first_spills)
{
    struct toy toy = toy_graph(20000, 3, 0);
    toy.pad = 20000;
    toy_ready(&toy);
    struct plain p = plain_search(&toy);
    uint64_t steps = 0;
    for (uint64_t fail = 0; fail < 4; fail++) {
        struct check_result *r =
            run(&toy.model, (struct check_options){.mode = CHECK_DFS, .fail_write_at = fail});
        if (fail > 0) {
            CHECK_EQ(r->verdict, VERDICT_FAILED);
            CHECK_EQ(r->failure.code, ERR_IO);
            CHECK(r->distinct < p.distinct);
        } else {
            CHECK_EQ(r->verdict, VERDICT_OK);
            CHECK_EQ(r->generated, p.generated);
            CHECK_EQ(r->distinct, p.distinct);
            CHECK(r->complete);
            CHECK_EQ(r->queued, 0);
            steps = r->depth;
        }
        check_result_free(r);
    }
    toy.pad = 7; /* the same way without a file */
    toy_ready(&toy);
    struct check_result *r = run(&toy.model, (struct check_options){.mode = CHECK_DFS});
    CHECK_EQ(r->depth, steps);
    CHECK_EQ(r->distinct, p.distinct);
    check_result_free(r);
}

TEST(depth_first_violation)
{
    struct toy toy = toy_graph(20000, 3, 0);
    toy.bad_state = toy_succ(&toy, toy_succ(&toy, 1, 0), 0);
    struct check_result *r = run(&toy.model, (struct check_options){.mode = CHECK_DFS});
    CHECK_EQ(r->verdict, VERDICT_INVARIANT);
    is_behaviour(&toy, &r->violations[0].trace);
    check_result_free(r);
}

TEST(depth_first_limit)
{
    struct toy toy = toy_graph(20000, 3, 0);
    struct check_result *r =
        run(&toy.model, (struct check_options){.mode = CHECK_DFS, .depth_max = 5});
    CHECK_EQ(r->verdict, VERDICT_OK);
    CHECK(!r->complete);
    CHECK(r->depth <= 6);
    check_result_free(r);
}

TEST(iterative_deepening)
{
    struct toy toy = toy_graph(3000, 3, 0);
    toy.outside = 8;
    toy_ready(&toy);
    struct plain p = plain_search(&toy);
    struct check_result *r =
        run(&toy.model, (struct check_options){.mode = CHECK_DFID, .depth_max = 1000});
    CHECK_EQ(r->verdict, VERDICT_OK);
    CHECK_EQ(r->distinct, p.distinct);
    CHECK(r->generated > p.generated);
    CHECK_EQ(r->depth, p.depth);
    CHECK(r->complete);
    check_result_free(r);
    r = run(&toy.model, (struct check_options){.mode = CHECK_DFID, .depth_max = 5});
    CHECK_EQ(r->verdict, VERDICT_OK);
    CHECK_EQ(r->depth, 5);
    CHECK(!r->complete);
    check_result_free(r);
    CHECK_EQ(toy.made, toy.freed);
}

/* Finds violations at the least depth. */
TEST(iterative_deepening_violations)
{
    for (uint32_t at = 50; at < 3000; at += 379) {
        for (int kind = 0; kind < 4; kind++) {
            struct toy toy = toy_graph(3000, 3, 0);
            uint32_t *field[] = {&toy.bad_state, &toy.dead, &toy.error_next, &toy.error_inv};
            *field[kind] = at;
            toy_ready(&toy);
            toy.model.check_deadlock = true;
            struct plain p = plain_search(&toy);
            struct check_result *r =
                run(&toy.model, (struct check_options){.mode = CHECK_DFID, .depth_max = 1000});
            CHECK_EQ(r->verdict, p.verdict);
            if (p.verdict != VERDICT_OK) {
                CHECK_EQ(r->violations[0].trace.nstep, p.trace);
                is_behaviour(&toy, &r->violations[0].trace);
            }
            check_result_free(r);
        }
    }
}

struct traces {
    uint64_t n, states, hash;
};
static void on_trace(void *arg, uint64_t number, const struct check_step *steps, size_t nstep)
{
    struct traces *t = arg;
    t->n++;
    t->states += nstep;
    for (size_t i = 0; i < nstep; i++) {
        t->hash +=
            hash_mix(hash_combine(steps[i].fp, number * 1000 + i)); /* in any order of traces */
    }
}

TEST(simulation_is_reproducible)
{
    struct toy toy = toy_graph(1000, 3, 0);
    toy.outside = 8;
    toy_ready(&toy);
    enum check_mode modes[] = {CHECK_SIMULATE, CHECK_GENERATE};
    for (int m = 0; m < 2; m++) {
        uint64_t last = 0;
        for (int round = 0; round < 6; round++) {
            struct traces t = {0};
            unsigned workers = round < 3 ? 1 : 3;
            struct check_result *r = run(&toy.model, (struct check_options){.mode = modes[m],
                                                                            .workers = workers,
                                                                            .seed = 17,
                                                                            .simulate_num = 50,
                                                                            .depth_max = 20,
                                                                            .on_trace = on_trace,
                                                                            .dump_arg = &t});
            CHECK_EQ(r->verdict, VERDICT_OK);
            CHECK_EQ(r->traces, 50);
            CHECK_EQ(t.n, 50);
            CHECK(t.states <= 50 * 21);
            CHECK(r->trace_len_max <= 21);
            CHECK(r->distinct > 100 && r->distinct <= 1010);
            if (round % 3 != 0) {
                CHECK(t.hash == last);
            }
            last = t.hash;
            check_result_free(r);
        }
    }
    CHECK_EQ(toy.made, toy.freed);
}

TEST(simulation_violations)
{
    for (int kind = 0; kind < 4; kind++) {
        for (unsigned workers = 1; workers <= 3; workers += 2) {
            struct toy toy = toy_graph(300, 3, 0);
            uint32_t *field[] = {&toy.bad_state, &toy.dead, &toy.error_next, &toy.bad_step};
            enum verdict want[] = {VERDICT_INVARIANT, VERDICT_DEADLOCK, VERDICT_EVAL_ERROR,
                                   VERDICT_ACTION_PROPERTY};
            *field[kind] = toy_succ(&toy, toy_succ(&toy, 2, 0), 0);
            toy_ready(&toy);
            toy.model.check_deadlock = true;
            uint64_t last[3] = {0};
            for (int round = 0; round < 3; round++) {
                struct check_result *r = run(
                    &toy.model,
                    (struct check_options){
                        .mode = CHECK_SIMULATE, .workers = workers, .seed = 5, .depth_max = 50});
                CHECK_EQ(r->verdict, want[kind]);
                CHECK_EQ(r->nviolation, 1);
                const struct check_trace *trace = &r->violations[0].trace;
                is_behaviour(&toy, trace);
                last[round] = hash_combine(trace->nstep, trace->steps[trace->nstep - 1].fp);
                check_result_free(r);
            }
            CHECK(last[0] == last[1] && last[1] == last[2]);
        }
    }
}

TEST(simulation_keeps_going)
{
    struct toy toy = toy_graph(300, 3, 0);
    toy.bad_state = toy_succ(&toy, 2, 0);
    struct check_result *r = run(&toy.model, (struct check_options){.mode = CHECK_SIMULATE,
                                                                    .workers = 2,
                                                                    .keep_going = true,
                                                                    .violations_max = 3,
                                                                    .simulate_num = 200,
                                                                    .depth_max = 50});
    CHECK_EQ(r->verdict, VERDICT_INVARIANT);
    CHECK_EQ(r->nviolation, 3);
    CHECK(r->violations_seen > 3);
    CHECK_EQ(r->traces, 200);
    check_result_free(r);
}

TEST(simulation_without_initial_states)
{
    struct toy toy = toy_graph(300, 3, 0);
    toy.ninit = 0;
    struct check_result *r = run(&toy.model, (struct check_options){.mode = CHECK_SIMULATE});
    CHECK_EQ(r->verdict, VERDICT_NO_INIT);
    check_result_free(r);
}

TEST(simulation_in_time)
{
    struct toy toy = toy_graph(300, 3, 0);
    struct check_result *r = run(
        &toy.model,
        (struct check_options){.mode = CHECK_SIMULATE, .workers = 2, .stop_after_ns = 50000000});
    CHECK_EQ(r->verdict, VERDICT_STOPPED);
    CHECK(r->traces > 0);
    check_result_free(r);
}

/* ---- temporal properties: a chain 0, 1, ..., n-1 that may close to a ring, with a side branch
 * into a two-state cycle ---- */

struct chain {
    struct model model;
    uint32_t n;
    bool ring;
    uint32_t branch; /* from here a step to n, between n and n + 1 for ever */
    struct mhost host;
    struct check_handle handle;
    uint64_t asked; /* states seen through host->trace */
    bool ask;
};
struct chain_worker {
    struct mworker head;
    uint32_t current, candidate;
};

static int chain_new(struct model *model, unsigned index, uint64_t seed, struct mworker **ret,
                     struct err *err)
{
    (void)index;
    (void)seed;
    (void)err;
    struct chain_worker *w = calloc(1, sizeof *w);
    w->head.model = model;
    *ret = &w->head;
    return 0;
}
static void chain_free(struct mworker *w)
{
    free(w);
}
static int chain_emit(struct chain_worker *w, uint32_t s, uint32_t action, model_sink sink,
                      void *arg)
{
    w->candidate = s;
    struct candidate cand = {.fp = toy_fp(s), .action = action};
    return sink(arg, &w->head, &cand) ? MODEL_STOPPED : MODEL_OK;
}
static int chain_init(struct mworker *head, model_sink sink, void *arg)
{
    return chain_emit((struct chain_worker *)(void *)head, 0, 0, sink, arg);
}
static int chain_load(struct mworker *head, const void *bytes, size_t len, uint64_t level)
{
    (void)len;
    (void)level;
    memcpy(&((struct chain_worker *)(void *)head)->current, bytes, 4);
    return MODEL_OK;
}
static int count_state(void *arg, const void *bytes, size_t len, uint32_t action)
{
    uint64_t *n = arg;
    uint32_t s = 0;
    (void)action;
    CHECK_EQ(len, 4);
    memcpy(&s, bytes, 4);
    CHECK_EQ(s, *n); /* the chain from 0 on */
    (*n)++;
    return 0;
}
static int chain_next(struct mworker *head, model_sink sink, void *arg)
{
    struct chain_worker *w = (struct chain_worker *)(void *)head;
    struct chain *chain = (struct chain *)(void *)head->model;
    uint32_t s = w->current;
    int status = MODEL_OK;
    if (chain->ask && s < chain->n) {
        uint64_t n = 0;
        int traced = check_host_trace(&chain->handle, head, count_state, &n);
        if (traced == 0) { /* not for helpers, who rebuild the path themselves */
            CHECK_EQ(n, s + 1);
            chain->asked += n;
        }
    }
    if (s >= chain->n) {
        return chain_emit(w, s == chain->n ? s + 1 : chain->n, 1, sink, arg);
    }
    if (s + 1 < chain->n || chain->ring) {
        status = chain_emit(w, (s + 1) % chain->n, 0, sink, arg);
    }
    if (status == MODEL_OK && s == chain->branch) {
        status = chain_emit(w, chain->n, 1, sink, arg);
    }
    return status;
}
static int chain_check(struct mworker *w, unsigned kinds, int from, int *ret_prop)
{
    (void)w;
    (void)kinds;
    (void)from;
    *ret_prop = -1;
    return MODEL_OK;
}
static void chain_save(struct mworker *head, struct strbuf *out)
{
    strbuf_add(out, (const char *)&((struct chain_worker *)(void *)head)->candidate, 4);
}
static void chain_label(struct mworker *head, struct strbuf *out)
{
    (void)head;
    strbuf_adds(out, "Step");
}
/* State leaf 0: "is 0"; leaf 1: ENABLED <<Next>>. Action leaf 0: <<Next>>. */
static int chain_live_current(struct mworker *head, uint64_t *bits)
{
    struct chain_worker *w = (struct chain_worker *)(void *)head;
    struct chain *chain = (struct chain *)(void *)head->model;
    bool enabled = chain->ring || w->current + 1 != chain->n || w->current == chain->branch;
    bits[0] = (w->current == 0) | (uint64_t)enabled << 1;
    return MODEL_OK;
}
static int chain_live_action(struct mworker *head, uint64_t *bits)
{
    struct chain_worker *w = (struct chain_worker *)(void *)head;
    bits[0] = w->current != w->candidate;
    return MODEL_OK;
}
static int chain_live_stutter(struct mworker *head, uint64_t *bits)
{
    (void)head;
    bits[0] = 0;
    return MODEL_OK;
}
static const struct model_ops chain_ops = {
    .worker_new = chain_new,
    .worker_free = chain_free,
    .init = chain_init,
    .load = chain_load,
    .next = chain_next,
    .check = chain_check,
    .save = chain_save,
    .label = chain_label,
    .live_current = chain_live_current,
    .live_action = chain_live_action,
    .live_stutter = chain_live_stutter,
};
static const struct maction chain_actions[2] = {{.name = "Next"}, {.name = "Branch"}};

/* Runs the chain with the property []<>(x = 0), under WF(Next) or not. */
static struct check_result *run_chain(struct chain *chain, bool fair, struct check_options options)
{
    struct tform zero = {.kind = TF_STATE, .leaf = 0};
    struct tform *zeros[] = {&zero};
    struct tform even = {.kind = TF_EVENTUALLY, .n = 1, .kid = zeros};
    struct tform *evens[] = {&even};
    struct tform prop = {.kind = TF_ALWAYS, .n = 1, .kid = evens};
    struct tform enabled = {.kind = TF_STATE, .leaf = 1};
    struct tform *k1[] = {&enabled};
    struct tform off = {.kind = TF_NOT, .n = 1, .kid = k1};
    struct tform *k2[] = {&off};
    struct tform even_off = {.kind = TF_EVENTUALLY, .n = 1, .kid = k2};
    struct tform *k3[] = {&even_off};
    struct tform always_off = {.kind = TF_ALWAYS, .n = 1, .kid = k3};
    struct tform act = {.kind = TF_ACTION, .leaf = 0};
    struct tform *k4[] = {&act};
    struct tform even_act = {.kind = TF_EVENTUALLY, .n = 1, .kid = k4};
    struct tform *k5[] = {&even_act};
    struct tform always_act = {.kind = TF_ALWAYS, .n = 1, .kid = k5};
    struct tform *k6[] = {&always_off, &always_act};
    struct tform wf = {.kind = TF_OR, .n = 2, .kid = k6};
    struct mlive_prop props[] = {
        {.name = "Again", .formula = &prop}
    };
    struct mlive live = {.fairness = fair ? &wf : NULL,
                         .props = props,
                         .nprop = 1,
                         .nstate_leaf = 2,
                         .naction_leaf = 1};
    chain->model.ops = &chain_ops;
    chain->model.actions = chain_actions;
    chain->model.naction = 2;
    chain->model.live = &live;
    return run(&chain->model, options);
}

static uint32_t state_of(const struct check_step *step)
{
    uint32_t s = 0;
    memcpy(&s, step->bytes, 4);
    return s;
}

TEST(temporal)
{
    enum check_mode modes[] = {CHECK_BFS, CHECK_DFS, CHECK_SIMULATE};
    for (int m = 0; m < 3; m++) {
        for (unsigned workers = 1; workers <= 2; workers++) {
            struct check_options opt = {
                .mode = modes[m], .workers = workers, .simulate_num = 4, .depth_max = 200};
            if (modes[m] == CHECK_DFS) {
                opt.depth_max = 0;
            }
            struct chain ring = {.n = 40, .ring = true, .branch = TOY_NONE};
            struct check_result *r = run_chain(&ring, true, opt);
            CHECK_EQ(r->verdict, VERDICT_OK);
            check_result_free(r);

            r = run_chain(&ring, false, opt); /* it may stop anywhere but in 0 */
            CHECK_EQ(r->verdict, VERDICT_TEMPORAL);
            const struct check_trace *trace = &r->violations[0].trace;
            CHECK(trace->stuttering);
            CHECK(!trace->lasso);
            CHECK(state_of(&trace->steps[trace->nstep - 1]) != 0);
            check_result_free(r);

            struct chain end = {.n = 40, .branch = TOY_NONE};
            r = run_chain(&end, true, opt); /* Next is not enabled at the end */
            CHECK_EQ(r->verdict, VERDICT_TEMPORAL);
            trace = &r->violations[0].trace;
            CHECK(trace->stuttering);
            CHECK_EQ(trace->nstep, 40);
            CHECK_EQ(state_of(&trace->steps[39]), 39);
            check_result_free(r);
        }
    }
}

TEST(temporal_lasso)
{
    struct chain ring = {.n = 40, .ring = true, .branch = 7};
    struct check_result *r = run_chain(&ring, true, (struct check_options){.workers = 2});
    CHECK_EQ(r->verdict, VERDICT_TEMPORAL);
    CHECK_EQ(r->violations[0].prop, 0);
    const struct check_trace *trace = &r->violations[0].trace;
    CHECK(trace->lasso);
    CHECK(!trace->stuttering);
    CHECK_EQ(trace->nstep, 10); /* 0..7, n, n + 1 */
    CHECK_EQ(trace->loop, 8);
    CHECK_EQ(trace->loop_action, 1);
    CHECK_EQ(state_of(&trace->steps[8]), 40);
    CHECK_EQ(r->live_states, 42);
    check_result_free(r);
}

TEST(trace_for_the_model)
{
    enum check_mode modes[] = {CHECK_BFS, CHECK_DFS, CHECK_SIMULATE, CHECK_DFID};
    for (int m = 0; m < 4; m++) {
        struct chain chain = {.n = 30, .branch = TOY_NONE, .ask = true};
        chain.model.ops = &chain_ops;
        chain.model.actions = chain_actions;
        chain.model.naction = 2;
        struct check_result *r =
            run(&chain.model,
                (struct check_options){
                    .mode = modes[m], .handle = &chain.handle, .simulate_num = 1, .depth_max = 50});
        CHECK_EQ(r->verdict, VERDICT_OK);
        CHECK(chain.asked >= 30 * 31 / 2);
        CHECK(atomic_load(&chain.handle.search) == NULL);
        check_result_free(r);
    }
}

static int post_false(struct mworker *worker, const char **ret_name)
{
    (void)worker;
    *ret_name = "Enough";
    return 0;
}

TEST(postcondition)
{
    struct toy toy = toy_graph(100, 2, 0);
    toy.model.postcondition = post_false;
    struct check_result *r = run(&toy.model, (struct check_options){0});
    CHECK_EQ(r->verdict, VERDICT_POSTCONDITION);
    CHECK_STR(r->violations[0].error.property, "Enough");
    check_result_free(r);
}

TEST(refusals)
{
    struct toy toy = toy_graph(100, 2, 0);
    struct check_result *r = NULL;
    struct err err = {0};
    struct check_options opt = {.workers = 1, .checkpoint_s = 1};
    CHECK(check_run(&toy.model, &opt, &r, &err) < 0);
    opt = (struct check_options){.mode = CHECK_DFID};
    CHECK(check_run(&toy.model, &opt, &r, &err) < 0);
    opt = (struct check_options){.mode = CHECK_DFS, .resume = true, .dir = "/tmp/none"};
    CHECK(check_run(&toy.model, &opt, &r, &err) < 0);
    opt = (struct check_options){.dir = "/proc/nowhere", .memory_bytes = 1 << 20};
    struct toy large = toy_graph(200000, 4, 0);
    CHECK_EQ(check_run(&large.model, &opt, &r, &err), 0);
    CHECK_EQ(r->verdict, VERDICT_FAILED);
    CHECK(err.code == ERR_IO || err.code == ERR_NOT_FOUND);
    check_result_free(r);
}

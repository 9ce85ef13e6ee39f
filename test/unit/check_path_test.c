/* From fingerprints and ordinals back to states, on random paths through random graphs. */
#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "check/check_int.h"
#include "check_toy.h"
#include "test.h"

enum { LENGTH = 12, NOTHING = 77 };

struct way {
    struct toy toy;
    struct mworker *worker;
    struct arena arena;
    uint32_t states[LENGTH];
    uint32_t actions[LENGTH]; /* of the step into it */
    struct path_node nodes[LENGTH];
    struct check_step steps[LENGTH];
};

/* A random path, whose nodes have fingerprints, ordinals or both. */
static void way_make(struct way *way, struct rng *rng, bool fps, bool ordinals)
{
    struct err err = {0};
    *way = (struct way){.toy = toy_graph(500, 5, 0)};
    struct toy *toy = &way->toy;
    arena_init(&way->arena, 0);
    CHECK_EQ(toy_worker_new(&toy->model, 0, 0, &way->worker, &err), 0);
    for (size_t i = 0; i < LENGTH; i++) {
        uint64_t ordinal = 0;
        uint32_t s = TOY_NONE;
        uint32_t action = 0;
        if (i == 0) {
            s = (uint32_t)rng_below(rng, toy->ninit);
            ordinal = s;
        }
        while (s == TOY_NONE) {
            uint32_t edge = (uint32_t)rng_below(rng, toy->degree);
            s = toy_succ(toy, way->states[i - 1], edge);
            action = edge % TOY_ACTIONS;
            ordinal = 0;
            for (uint32_t k = 0; k < edge; k++) {
                ordinal += toy_succ(toy, way->states[i - 1], k) != TOY_NONE;
            }
        }
        way->states[i] = s;
        way->actions[i] = action;
        way->nodes[i] = (struct path_node){
            .fp = fps ? toy_fp(s) : 1, .has_fp = fps, .ordinal = ordinals ? ordinal : PATH_ANY};
    }
    memset(way->steps, NOTHING, sizeof way->steps);
}

static void way_done(struct way *way)
{
    toy_worker_free(way->worker);
    arena_done(&way->arena);
}

static size_t follow(struct way *way, size_t n)
{
    return path_states(&way->toy.model, way->worker, &way->arena, way->nodes, n, way->steps);
}

/* The first n states are those of the path, and nothing was written behind them. */
static void check_steps(const struct way *way, size_t n, bool ordinals)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t s = 0;
        memcpy(&s, way->steps[i].bytes, 4);
        CHECK_EQ(s, way->states[i]);
        CHECK(way->steps[i].fp == toy_fp(s));
        CHECK_EQ(way->steps[i].len, 4 + s % way->toy.pad);
        CHECK(!ordinals || way->steps[i].action == way->actions[i]);
    }
    for (size_t i = n; i < LENGTH; i++) {
        CHECK_EQ(way->steps[i].len & 0xff, NOTHING);
    }
}

TEST(paths)
{
    struct rng rng;
    rng_seed(&rng, 5);
    for (unsigned round = 0; round < 300; round++) {
        bool fps = round % 3 != 0;
        bool ordinals = round % 3 != 1;
        struct way way;
        way_make(&way, &rng, fps, ordinals);
        size_t n = 1 + rng_below(&rng, LENGTH);
        CHECK_EQ(follow(&way, n), n);
        check_steps(&way, n, ordinals);
        way_done(&way);
    }
}

/* What is not there ends the path, though what follows could be found. */
TEST(lost)
{
    struct rng rng;
    rng_seed(&rng, 6);
    for (unsigned round = 0; round < 300; round++) {
        bool fps = round % 2 == 0;
        struct way way;
        way_make(&way, &rng, fps, true);
        size_t at = rng_below(&rng, LENGTH);
        if (fps) {
            way.nodes[at].fp ^= 1;
        } else {
            way.nodes[at].ordinal = 1000;
        }
        CHECK_EQ(follow(&way, LENGTH), at);
        check_steps(&way, at, true);
        way_done(&way);
    }
}

/* Twice the same state is a step that stutters where the graph has none. */
TEST(stuttering)
{
    struct rng rng;
    rng_seed(&rng, 7);
    for (unsigned round = 0; round < 100; round++) {
        struct way way;
        way_make(&way, &rng, true, false);
        size_t at = 1 + rng_below(&rng, LENGTH - 1);
        bool loops = false;
        for (uint32_t k = 0; k < way.toy.degree; k++) {
            loops = loops || toy_succ(&way.toy, way.states[at - 1], k) == way.states[at - 1];
        }
        way.nodes[at] = way.nodes[at - 1];
        way.states[at] = way.states[at - 1];
        CHECK_EQ(follow(&way, at + 1), at + 1);
        check_steps(&way, at + 1, false);
        CHECK_EQ(way.steps[at].action == CHECK_ACTION_STUTTER, !loops);
        CHECK(way.steps[at - 1].action != CHECK_ACTION_STUTTER);
        way_done(&way);
    }
}

/* The action of a step to a fingerprint is that of the first edge there. */
TEST(actions)
{
    struct rng rng;
    rng_seed(&rng, 8);
    for (unsigned round = 0; round < 100; round++) {
        struct way way;
        way_make(&way, &rng, true, true);
        CHECK_EQ(follow(&way, LENGTH), LENGTH);
        for (uint32_t s = 0; s < way.toy.n; s++) {
            uint32_t want = UINT32_MAX;
            for (uint32_t k = way.toy.degree; k-- > 0;) {
                bool is_there = toy_succ(&way.toy, way.states[LENGTH - 1], k) == s;
                want = is_there ? k % TOY_ACTIONS : want;
            }
            CHECK_EQ(
                path_action(&way.toy.model, way.worker, &way.steps[LENGTH - 1], LENGTH, toy_fp(s)),
                want);
        }
        way_done(&way);
    }
}

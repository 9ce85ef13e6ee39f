/* Components by several threads: random graphs of several shapes against Tarjan's algorithm as the
 * textbook has it; and with conditions on the components, one thread against several. */
#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/vec.h"
#include "check/live.h"
#include "check/live_int.h"
#include "model/model.h"
#include "test.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { GRAPHS = 400, LARGE = 3000 };
#else
enum { GRAPHS = 2000, LARGE = 60000 };
#endif
enum { NEVER = 3, LEAVES = 4 }; /* the state leaf NEVER is false everywhere */

/* ---- graphs ---- */

struct graph {
    uint32_t n, nedge;
    uint32_t *at; /* [n + 1] into to */
    uint32_t *to;
    uint64_t *bits;  /* action leaves of the edge */
    uint64_t *state; /* [n] state leaves; NULL: by the number */
};

enum shape { SHAPE_RANDOM, SHAPE_RINGS, SHAPE_DOWNHILL, SHAPE_GRID, SHAPE_GIANT, SHAPE_LAST };

/* Where edge i of a state leads. */
static uint32_t edge_to(struct rng *rng, enum shape shape, uint32_t n, uint32_t s, uint32_t i)
{
    uint32_t r = (uint32_t)rng_next(rng);
    uint32_t ring = 2 + n / 40;
    switch (shape) {
    case SHAPE_RINGS: /* many components of the same size, each leading to later ones */
        return i == 0 ? ((s + 1) % ring == 0 || s + 1 == n ? s - s % ring : s + 1)
                      : s + r % (n - s);
    case SHAPE_DOWNHILL: /* steps to higher numbers, few back */
        return r % 16 == 0 ? s - r / 16 % (s < 20 ? s + 1 : 20) : s + r / 16 % (n - s);
    case SHAPE_GRID: /* up and down in small steps: long ways back */
        return i == 0 ? (s + 1 < n ? s + 1 : s) : r % 7 == 0 && s > 0 ? s - 1 : s;
    case SHAPE_GIANT: /* one ring through most of it, backwards */
        return i == 0 && s < n - n / 8 ? (s == 0 ? n - n / 8 - 1 : s - 1) : r % n;
    default: return r % n;
    }
}

static struct graph graph_make(struct arena *arena, uint64_t seed, uint32_t n, enum shape shape)
{
    struct rng rng;
    rng_seed(&rng, seed);
    struct graph g = {.n = n};
    g.at = ARENA_ARRAY(arena, uint32_t, n + 1);
    g.to = ARENA_ARRAY(arena, uint32_t, (size_t)n * 4);
    g.bits = ARENA_ARRAY(arena, uint64_t, (size_t)n * 4);
    uint32_t sparse = 1 + (uint32_t)rng_next(&rng) % 3;
    for (uint32_t s = 0; s < n; s++) {
        g.at[s] = g.nedge;
        uint32_t degree = (uint32_t)rng_next(&rng) % (sparse + 1) + (shape != SHAPE_RANDOM);
        for (uint32_t i = 0; i < degree; i++) {
            g.to[g.nedge] = edge_to(&rng, shape, n, s, i);
            g.bits[g.nedge++] = rng_next(&rng) & rng_next(&rng) & ((1 << LEAVES) - 1);
        }
    }
    g.at[n] = g.nedge;
    return g;
}

static uint64_t fp_of(uint32_t state)
{
    return (uint64_t)(state + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Adds all states, with their own numbers as node numbers. */
static void graph_add(struct live *live, const struct graph *g)
{
    struct err err = {0};
    CHECK_EQ(live_graph_reserve_nodes(live, g->n, &err), 0);
    for (uint32_t s = 0; s < g->n; s++) {
        CHECK_EQ(live_graph_intern(live, fp_of(s)), s);
    }
    for (uint32_t s = 0; s < g->n; s++) {
        struct live_edge edges[16];
        uint32_t n = g->at[s + 1] - g->at[s];
        CHECK(n <= sizeof edges / sizeof edges[0]);
        for (uint32_t i = 0; i < n; i++) {
            edges[i] = (struct live_edge){fp_of(g->to[g->at[s] + i]), &g->bits[g->at[s] + i]};
        }
        uint64_t state_bits =
            g->state != NULL ? g->state[s] : (uint64_t)s * 2654435761U >> 7 & ((1 << NEVER) - 1);
        uint64_t none = 0;
        live_add(live, 0, fp_of(s), true, &state_bits, &none, edges, n);
    }
}

/* ---- the textbook ---- */

struct textbook {
    const struct graph *g;
    uint32_t *index, *low, *stack, *path, *edge;
    uint32_t *lowest; /* [n]: the result: the lowest node of the same component */
    uint32_t nstack, next;
};

static void textbook_complete(struct textbook *t, uint32_t root)
{
    uint32_t from = t->nstack;
    uint32_t lowest = root;
    do {
        from--;
        lowest = t->stack[from] < lowest ? t->stack[from] : lowest;
    } while (t->stack[from] != root);
    for (uint32_t i = from; i < t->nstack; i++) {
        t->lowest[t->stack[i]] = lowest;
    }
    t->nstack = from;
}

static void textbook_from(struct textbook *t, uint32_t start)
{
    uint32_t depth = 1;
    t->path[0] = start;
    t->edge[start] = t->g->at[start];
    t->index[start] = t->low[start] = ++t->next;
    t->stack[t->nstack++] = start;
    while (depth > 0) {
        uint32_t v = t->path[depth - 1];
        if (t->edge[v] < t->g->at[v + 1]) {
            uint32_t w = t->g->to[t->edge[v]++];
            if (t->index[w] == 0) {
                t->path[depth++] = w;
                t->edge[w] = t->g->at[w];
                t->index[w] = t->low[w] = ++t->next;
                t->stack[t->nstack++] = w;
            } else if (t->lowest[w] == UINT32_MAX && t->index[w] < t->low[v]) {
                t->low[v] = t->index[w];
            }
            continue;
        }
        if (t->low[v] == t->index[v]) {
            textbook_complete(t, v);
        }
        depth--;
        if (depth > 0 && t->low[v] < t->low[t->path[depth - 1]]) {
            t->low[t->path[depth - 1]] = t->low[v];
        }
    }
}

static uint32_t *textbook_components(struct arena *arena, const struct graph *g)
{
    struct textbook t = {.g = g};
    uint32_t **arrays[] = {&t.index, &t.low, &t.stack, &t.path, &t.edge, &t.lowest};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = ARENA_ARRAY(arena, uint32_t, g->n);
    }
    memset(t.lowest, 0xff, g->n * sizeof *t.lowest);
    for (uint32_t s = 0; s < g->n; s++) {
        if (t.index[s] == 0) {
            textbook_from(&t, s);
        }
    }
    return t.lowest;
}

/* ---- asking ---- */

static struct tform *form(struct arena *arena, enum tf_kind kind, uint32_t leaf, struct tform *a,
                          struct tform *b)
{
    struct tform *f = ARENA_NEW(arena, struct tform);
    *f = (struct tform){kind, leaf, (uint32_t)((a != NULL) + (b != NULL)),
                        ARENA_ARRAY(arena, struct tform *, 2)};
    f->kid[0] = a;
    f->kid[1] = b;
    return f;
}

static struct tform *recurring(struct arena *arena, struct tform *f)
{
    return form(arena, TF_ALWAYS, 0, form(arena, TF_EVENTUALLY, 0, f, NULL), NULL);
}

static struct tform *lasting(struct arena *arena, struct tform *f)
{
    return form(arena, TF_EVENTUALLY, 0, form(arena, TF_ALWAYS, 0, f, NULL), NULL);
}

static struct tform *state_leaf(struct arena *arena, uint32_t leaf)
{
    return form(arena, TF_STATE, leaf, NULL, NULL);
}

/* Strong fairness of the action leaf, enabled where the state leaf is true. */
static struct tform *strong(struct arena *arena, uint32_t state, uint32_t action)
{
    struct tform *not = form(arena, TF_NOT, 0, state_leaf(arena, state), NULL);
    return form(arena, TF_OR, 0, lasting(arena, not),
                recurring(arena, form(arena, TF_ACTION, action, NULL, NULL)));
}

static struct live *live_of(struct arena *arena, const struct graph *g, struct tform *fairness,
                            struct tform *property)
{
    struct mlive *spec = ARENA_NEW(arena, struct mlive);
    struct mlive_prop *prop = ARENA_NEW(arena, struct mlive_prop);
    *prop = (struct mlive_prop){"P", property};
    *spec = (struct mlive){.fairness = fairness,
                           .props = prop,
                           .nprop = 1,
                           .nstate_leaf = LEAVES,
                           .naction_leaf = LEAVES};
    struct live_options options = {.workers = 1};
    struct live *live = NULL;
    struct err err = {0};
    CHECK_EQ(live_new(spec, &options, &live, &err), 0);
    graph_add(live, g);
    return live;
}

static struct hunt hunt_of(struct live *live, uint32_t branch, unsigned threads, uint64_t alone)
{
    return (struct hunt){.live = live,
                         .mem = &live->mem,
                         .branch = &live->props[0].branches[branch],
                         .threads = threads,
                         .alone = alone};
}

/* Small components are searched by one thread each when `alone` is large, and no giant is looked
 * for. The components with so many threads are those of the textbook: no component is fair, since
 * none has a step with NEVER, so the search goes through all of them. */
static void compare_components(struct live *live, const uint32_t *want, uint32_t n,
                               unsigned threads)
{
    struct hunt s = hunt_of(live, 0, threads, want[n / 2] % 2 ? 1 : n / 4 + 1);
    struct err err = {0};
    CHECK_EQ(hunt_run(&s, &err), 0);
    CHECK_EQ(s.count, n);
    const uint32_t *marks = s.rindex.p;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t mark = marks[i] == MARK_TRIMMED ? i : marks[i] & ~MARK_FINAL;
        CHECK(marks[i] >= MARK_FINAL);
        CHECK_EQ(mark, want[i]);
    }
    hunt_done(&s);
}

static void compare_graph(uint64_t seed, uint32_t n, enum shape shape)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct graph g = graph_make(&arena, seed, n, shape);
    const uint32_t *want = textbook_components(&arena, &g);
    struct tform *never = form(&arena, TF_NOT, 0, state_leaf(&arena, NEVER), NULL);
    struct live *live = live_of(&arena, &g, NULL, lasting(&arena, never));
    uint64_t *path = NULL;
    size_t length = 0;
    size_t loop = 0;
    struct err err = {0};
    CHECK_EQ(live_check(live, 0, 1, NULL, &path, &length, &loop, &err), 0);
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        compare_components(live, want, n, threads);
    }
    live_free(live);
    arena_done(&arena);
}

TEST(components)
{
    struct rng rng;
    rng_seed(&rng, 11);
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        uint32_t n = 1 + (uint32_t)rng_next(&rng) % (seed % 10 == 0 ? 1500 : 90);
        compare_graph(seed, n, (enum shape)(seed % SHAPE_LAST));
    }
}

TEST(large_graphs)
{
    for (unsigned shape = 0; shape < SHAPE_LAST; shape++) {
        compare_graph(shape, LARGE, (enum shape)shape);
    }
}

/* ---- conditions ---- */

/* A branch decided with so many threads; its lasso too. */
static int decide(struct live *live, uint32_t branch, unsigned threads, uint64_t alone,
                  struct lasso *ret)
{
    struct hunt s = hunt_of(live, branch, threads, alone);
    struct err err = {0};
    int rc = hunt_run(&s, &err);
    CHECK(rc >= 0);
    if (rc == 1) {
        CHECK_EQ(live_lasso_build(&s, ret, &err), 0);
    }
    hunt_done(&s);
    return rc;
}

static bool same_lasso(const struct lasso *a, const struct lasso *b)
{
    return a->fps.n == b->fps.n && a->loop == b->loop &&
           (a->fps.n == 0 || memcmp(a->fps.v, b->fps.v, a->fps.n * sizeof *a->fps.v) == 0);
}

/* Returns how many branches are violated. */
static unsigned compare_decisions(uint64_t seed, uint32_t n, enum shape shape)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct graph g = graph_make(&arena, seed, n, shape);
    struct tform *fairness = form(&arena, TF_AND, 0, strong(&arena, 0, 0), strong(&arena, 1, 1));
    fairness = form(&arena, TF_AND, 0, fairness, strong(&arena, 2, 2));
    struct tform *wanted = form(&arena, TF_ACTION, (uint32_t)seed % 4, NULL, NULL);
    struct tform *property = lasting(&arena, form(&arena, TF_NOT, 0, wanted, NULL));
    struct live *live = live_of(&arena, &g, fairness, property);
    uint64_t *path = NULL;
    size_t length = 0;
    size_t loop = 0;
    struct err err = {0};
    CHECK(live_check(live, 0, 1, NULL, &path, &length, &loop, &err) >= 0);
    vec_release(path);
    unsigned violated = 0;
    for (uint32_t b = 0; b < live->props[0].nbranch; b++) {
        struct lasso want = {0};
        int rc = decide(live, b, 1, 1, &want);
        violated += (unsigned)rc;
        for (unsigned threads = 2; threads <= 4; threads += 2) {
            struct lasso got = {0};
            CHECK_EQ(decide(live, b, threads, seed % 2 ? 1 : n / 3 + 1, &got), rc);
            CHECK(same_lasso(&got, &want));
            VEC_DONE(&got.fps);
        }
        VEC_DONE(&want.fps);
    }
    live_free(live);
    arena_done(&arena);
    return violated;
}

TEST(same_answer_with_more_threads)
{
    struct rng rng;
    rng_seed(&rng, 12);
    unsigned violated = 0;
    for (uint64_t seed = 0; seed < GRAPHS / 2; seed++) {
        uint32_t n = 2 + (uint32_t)rng_next(&rng) % (seed % 10 == 0 ? 1500 : 60);
        violated += compare_decisions(seed, n, (enum shape)(seed / 4 % SHAPE_LAST));
    }
    printf("# %d graphs, %u violated\n", GRAPHS / 2, violated);
    CHECK(violated > GRAPHS / 40 && violated < GRAPHS / 2);
}

/* One component of many is violated, and only in what is left of it without the states where the
 * fair action, which is never done, is enabled: each of them has to be looked at. */
enum { PARTS = 9 };

static void graph_step(struct graph *g, uint32_t to, uint64_t bits)
{
    g->to[g->nedge] = to;
    g->bits[g->nedge++] = bits;
}

static struct graph parts_make(struct arena *arena, uint32_t bad)
{
    struct graph g = {.n = 1 + 3 * PARTS};
    g.at = ARENA_ARRAY(arena, uint32_t, g.n + 1);
    g.to = ARENA_ARRAY(arena, uint32_t, 5 * PARTS);
    g.bits = ARENA_ARRAY(arena, uint64_t, 5 * PARTS);
    g.state = ARENA_ARRAY(arena, uint64_t, g.n);
    for (uint32_t i = 0; i < PARTS; i++) {
        graph_step(&g, 1 + 3 * i, 0);
    }
    for (uint32_t i = 0; i < PARTS; i++) {
        uint32_t hub = 1 + 3 * i;
        g.at[hub] = g.nedge;
        graph_step(&g, hub + 1, i == bad ? 1 << 1 : 0);
        graph_step(&g, hub + 2, 1 << 1);
        g.at[hub + 1] = g.nedge;
        graph_step(&g, hub, 0);
        g.at[hub + 2] = g.nedge;
        graph_step(&g, hub, 0);
        g.state[hub + 2] = 1;
    }
    g.at[g.n] = g.nedge;
    return g;
}

TEST(each_part_is_looked_at)
{
    for (uint32_t bad = 0; bad <= PARTS; bad++) {
        struct arena arena;
        arena_init(&arena, 0);
        struct graph g = parts_make(&arena, bad);
        struct tform *wanted = form(&arena, TF_ACTION, 1, NULL, NULL);
        struct tform *property = lasting(&arena, form(&arena, TF_NOT, 0, wanted, NULL));
        struct live *live = live_of(&arena, &g, strong(&arena, 0, 0), property);
        uint64_t *path = NULL;
        size_t length = 0;
        size_t loop = 0;
        struct err err = {0};
        CHECK_EQ(live_check(live, 0, 1, NULL, &path, &length, &loop, &err), bad < PARTS);
        vec_release(path);
        for (unsigned threads = 1; threads <= 4; threads++) { /* each part is for one of them */
            int violated = 0;
            for (uint32_t b = 0; b < live->props[0].nbranch; b++) {
                struct lasso lasso = {0};
                violated += decide(live, b, threads, 4, &lasso);
                VEC_DONE(&lasso.fps);
            }
            CHECK_EQ(violated > 0, bad < PARTS);
        }
        live_free(live);
        arena_done(&arena);
    }
}

/* Consistent snapshots against all orders of small runs, one event at a time: the slow and obvious
 * way. Runs are drawn; seeds are fixed. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"
#include "explore/cuts.h"
#include "test.h"

enum { NODES = 3, EVENTS_MOST = 9, VALUES = 3 };

struct paper { /* a run on paper */
    struct cuts cuts;
    uint64_t root[NODES];
};

static uint64_t key_of(const uint64_t *seen)
{
    uint64_t key = 1;
    for (size_t i = 0; i < NODES; i++) {
        key = hash_combine(key, seen[i]);
    }
    return key;
}

static void draw(struct paper *p, uint64_t seed, bool both, bool same)
{
    struct rng rng;
    rng_seed(&rng, seed);
    p->cuts = (struct cuts){.n_nodes = NODES, .root = p->root};
    for (size_t i = 0; i < NODES; i++) {
        p->root[i] = 1 + rng_below(&rng, VALUES);
    }
    size_t n = 1 + rng_below(&rng, EVENTS_MOST);
    for (size_t i = 0; i < n; i++) {
        struct cuts_event e = {.sender = CUTS_NONE};
        e.node[0] = e.node[1] = (uint32_t)rng_below(&rng, NODES);
        if (both && rng_below(&rng, 4) == 0) {
            e.node[1] = (uint32_t)rng_below(&rng, NODES);
        }
        e.seen[0] = 1 + rng_below(&rng, VALUES);
        e.seen[1] = e.node[0] == e.node[1] ? e.seen[0] : 1 + rng_below(&rng, VALUES);
        if (same && rng_below(&rng, 3) == 0) {
            e.seen[0] = e.seen[1] = CUTS_SAME;
        }
        if (i > 0 && rng_below(&rng, 2) == 0) {
            e.sender = rng_below(&rng, i);
        }
        VEC_PUSH(&p->cuts.events, e);
    }
}

/* ---- all orders ---- */

static bool may_come(const struct paper *p, unsigned done, size_t i)
{
    const struct cuts_event *e = &p->cuts.events.v[i];
    for (size_t k = 0; k < i; k++) {
        const struct cuts_event *q = &p->cuts.events.v[k];
        bool meet = q->node[0] == e->node[0] || q->node[0] == e->node[1] ||
                    q->node[1] == e->node[0] || q->node[1] == e->node[1];
        if ((meet || e->sender == k) && (done >> k & 1) == 0) {
            return false;
        }
    }
    return true;
}

static void orders(const struct paper *p, unsigned done, const uint64_t *seen, struct u64map *ret)
{
    u64map_put(ret, key_of(seen), 1);
    for (size_t i = 0; i < p->cuts.events.n; i++) {
        if ((done >> i & 1) == 0 && may_come(p, done, i)) {
            uint64_t next[NODES];
            memcpy(next, seen, sizeof next);
            const struct cuts_event *e = &p->cuts.events.v[i];
            for (int k = 0; k < 2; k++) {
                next[e->node[k]] = e->seen[k] == CUTS_SAME ? next[e->node[k]] : e->seen[k];
            }
            orders(p, done | 1U << i, next, ret);
        }
    }
}

/* ---- what is told ---- */

struct told {
    const struct paper *paper;
    struct u64map keys;
    size_t n, stop;
};

/* The events that come with it are an order of their own, and show it. */
static int on_cut(void *arg, const uint64_t *seen, const uint64_t *first)
{
    struct told *t = arg;
    uint64_t now[NODES];
    unsigned done = 0;
    memcpy(now, t->paper->root, sizeof now);
    for (size_t i = 0; i < t->paper->cuts.events.n; i++) {
        const struct cuts_event *e = &t->paper->cuts.events.v[i];
        if ((first[0] >> i & 1) == 0) {
            continue;
        }
        CHECK(may_come(t->paper, done, i));
        done |= 1U << i;
        for (int k = 0; k < 2; k++) {
            now[e->node[k]] = e->seen[k] == CUTS_SAME ? now[e->node[k]] : e->seen[k];
        }
    }
    CHECK(memcmp(now, seen, sizeof now) == 0);
    u64map_put(&t->keys, key_of(seen), 1);
    return ++t->n == t->stop ? 7 : 0;
}

static void compare(uint64_t seed, bool both, bool same)
{
    struct paper p;
    struct u64map all = {0};
    bool whole = false;
    draw(&p, seed, both, same);
    struct told told = {.paper = &p};
    orders(&p, 0, p.root, &all);
    CHECK(cuts_each(&p.cuts, UINT64_MAX, &whole, on_cut, &told) == 0 && whole);
    CHECK(told.keys.n == all.n);
    for (size_t i = 0; i < all.n; i++) {
        uint64_t value = 0;
        CHECK(u64map_get(&told.keys, all.entries[i].key, &value));
    }
    u64map_done(&told.keys);
    u64map_done(&all);
    cuts_done(&p.cuts);
}

TEST(explore_cuts_are_the_moments_of_all_orders)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        compare(seed, false, false);
    }
}

TEST(explore_cuts_with_events_of_two_nodes)
{
    for (uint64_t seed = 1001; seed <= 1200; seed++) {
        compare(seed, true, false);
    }
}

TEST(explore_cuts_where_nobody_looked)
{
    for (uint64_t seed = 2001; seed <= 2200; seed++) {
        compare(seed, true, true);
    }
}

/* Two nodes that change twice each and never hear of each other: nine snapshots. */
TEST(explore_cuts_end_when_they_are_to)
{
    static const struct cuts_event events[] = {
        {{0, 0}, {2, 2}, CUTS_NONE},
        {{0, 0}, {3, 3}, CUTS_NONE},
        {{1, 1}, {2, 2}, CUTS_NONE},
        {{1, 1}, {3, 3}, CUTS_NONE},
    };
    struct paper p = {
        .root = {1, 1, 1}
    };
    p.cuts = (struct cuts){.n_nodes = NODES, .root = p.root};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        VEC_PUSH(&p.cuts.events, events[i]);
    }
    struct told told = {.paper = &p};
    bool whole = false;
    CHECK(cuts_each(&p.cuts, 9, &whole, on_cut, &told) == 0 && whole && told.n == 9);
    told.n = 0;
    CHECK(cuts_each(&p.cuts, 8, &whole, on_cut, &told) == 0 && !whole && told.n == 8);
    told.n = 0;
    told.stop = 3;
    CHECK(cuts_each(&p.cuts, 9, &whole, on_cut, &told) == 7 && told.n == 3);
    u64map_done(&told.keys);
    cuts_done(&p.cuts);
}

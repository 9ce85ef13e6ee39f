/* Policies on systems that exist on paper only: how often each order comes is compared with what
 * the algorithms say, computed here in the slow and obvious way. Seeds are fixed, so what comes is
 * always the same; bounds are five standard deviations. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "explore/policy.h"
#include "explore/space.h"
#include "run/cluster.h"
#include "test.h"
#include "world/world.h"

enum { THREADS_MOST = 4, ORDERS_MOST = 1 << 16 };

/* Threads with so many turns each. */
struct paper {
    size_t n;
    unsigned turns[THREADS_MOST];
    uint32_t node[THREADS_MOST];
};

static struct xevent turn_of(const struct paper *paper, size_t thread)
{
    struct xevent x = {
        .event = {.kind = EV_TIMER, .node = paper->node[thread], .id = thread},
        .name = thread + 1,
        .node = {paper->node[thread], paper->node[thread]},
    };
    x.thread[0] = (char)('a' + (char)thread);
    return x;
}

/* The threads of a run in their order, as digits. */
static uint32_t run_order(const struct paper *paper, const struct policy_options *o)
{
    struct policy policy;
    unsigned left[THREADS_MOST];
    uint32_t order = 0;
    memcpy(left, paper->turns, sizeof left);
    policy_begin(&policy, o);
    for (;;) {
        struct xevent list[THREADS_MOST];
        size_t n = 0;
        for (size_t i = 0; i < paper->n; i++) {
            if (left[i] != 0) {
                list[n++] = turn_of(paper, i);
            }
        }
        if (n == 0) {
            break;
        }
        int at = policy_pick(&policy, list, n);
        CHECK(at >= 0 && (size_t)at < n);
        struct xstep step = {.event = list[at]};
        policy_did(&policy, &step);
        left[list[at].event.id]--;
        order = order * THREADS_MOST + (uint32_t)list[at].event.id;
    }
    policy_done(&policy);
    return order;
}

/* ---- what must come: chances of orders ---- */

static double want[ORDERS_MOST], got[ORDERS_MOST];

static void compare(double runs)
{
    for (size_t i = 0; i < ORDERS_MOST; i++) {
        double mean = runs * want[i], bound = 5 * sqrt(mean * (1 - want[i])) + 1e-9;
        if (fabs(got[i] - mean) > bound) {
            fprintf(stderr, "order %zx: %g of %g runs, should be %g\n", i, got[i], runs, mean);
            exit(1);
        }
    }
}

static void sample(const struct paper *paper, const struct cluster *cluster, enum policy_kind kind,
                   size_t expected, int runs)
{
    memset(got, 0, sizeof got);
    for (int i = 0; i < runs; i++) {
        struct policy_options o = {.kind = kind,
                                   .cluster = cluster,
                                   .seed = hash_combine(77, (uint64_t)i),
                                   .expected = expected};
        got[run_order(paper, &o)]++;
    }
}

/* The order that priorities and places of changes lead to, as PCT says. */
static uint32_t pct_order(const struct paper *paper, const int *ranks, const size_t *changes,
                          size_t n_changes, size_t k)
{
    int priority[THREADS_MOST];
    unsigned left[THREADS_MOST];
    uint32_t order = 0;
    memcpy(left, paper->turns, sizeof left);
    for (size_t i = 0; i < paper->n; i++) {
        priority[i] = 100 + ranks[i];
    }
    for (size_t step = 0; step < k; step++) {
        size_t top = 0;
        for (size_t c = 0; c <= n_changes; c++) {
            top = THREADS_MOST;
            for (size_t i = 0; i < paper->n; i++) {
                if (left[i] != 0 && (top == THREADS_MOST || priority[i] > priority[top])) {
                    top = i;
                }
            }
            if (c < n_changes && changes[c] == step) {
                priority[top] = (int)c;
            }
        }
        left[top]--;
        order = order * THREADS_MOST + (uint32_t)top;
    }
    return order;
}

static void pct_chances(const struct paper *paper, size_t n_changes, size_t k)
{
    static const int perms[6][3] = {
        {0, 1, 2},
        {0, 2, 1},
        {1, 0, 2},
        {1, 2, 0},
        {2, 0, 1},
        {2, 1, 0}
    };
    size_t ways = 1;
    for (size_t i = 0; i < n_changes; i++) {
        ways *= k;
    }
    memset(want, 0, sizeof want);
    for (size_t p = 0; p < 6; p++) {
        for (size_t w = 0; w < ways; w++) {
            size_t changes[4] = {w % k, w / k % k, 0, 0};
            want[pct_order(paper, perms[p], changes, n_changes, k)] += 1.0 / (6 * (double)ways);
        }
    }
}

TEST(pct_is_as_computed)
{
    struct paper paper = {
        3, {2, 2, 2},
         {0}
    };
    for (uint32_t d = 1; d <= 3; d++) {
        struct cluster cluster = {.explore = {.pct_depth = d}};
        pct_chances(&paper, d - 1, 6);
        sample(&paper, &cluster, WALK_PCT, 6, 40000);
        compare(40000);
    }
}

/* A mistake of depth 2: the second thread has both its turns between those of the first. It is
 * found with a chance of 1 / (n k) at least; without changes of priority never. */
TEST(pct_keeps_its_bound)
{
    struct paper paper = {
        3, {2, 2, 2},
         {0}
    };
    for (uint32_t d = 1; d <= 2; d++) {
        struct cluster cluster = {.explore = {.pct_depth = d}};
        double found = 0;
        sample(&paper, &cluster, WALK_PCT, 6, 40000);
        for (uint32_t order = 0; order < ORDERS_MOST; order++) {
            char only[8] = "", digit[2] = "";
            for (uint32_t i = 6, o = order; i > 0; i--, o /= THREADS_MOST) {
                digit[0] = (char)('0' + (char)(o % THREADS_MOST)); /* from the end on */
                if (digit[0] != '2') {
                    strcat(only, digit);
                }
            }
            found += strcmp(only, "0110") == 0 ? got[order] : 0;
        }
        CHECK(d == 1 ? found == 0 : found >= 40000.0 / (3 * 6));
    }
}

TEST(pct_without_a_length_keeps_priorities)
{
    struct paper paper = {
        3, {2, 2, 2},
         {0}
    };
    struct cluster cluster = {.explore = {.pct_depth = 3}};
    pct_chances(&paper, 0, 6);
    sample(&paper, &cluster, WALK_PCT, 0, 10000);
    compare(10000);
}

/* A thread has two turns, and its first sends a packet: whether that arrives before the second turn
 * is open, so they are no chain. */
TEST(pct_separates_what_is_concurrent)
{
    struct cluster cluster = {.explore = {.pct_depth = 1}};
    int packet_first = 0, runs = 2000;
    for (int i = 0; i < runs; i++) {
        struct policy policy;
        struct policy_options o = {
            .kind = WALK_PCT, .cluster = &cluster, .seed = (uint64_t)i, .expected = 3};
        struct paper paper = {1, {2}, {0}};
        struct xevent list[2] = {
            {.event = {.kind = EV_DELIVER, .node = 1, .id = 7}, .name = 50, .node = {1, 1}},
            turn_of(&paper, 0),
        };
        struct xstep step = {.event = list[1]};
        struct xsent sent = {.id = 7};
        VEC_PUSH(&step.sent, sent);
        policy_begin(&policy, &o);
        CHECK(policy_pick(&policy, &list[1], 1) == 0);
        policy_did(&policy, &step);
        packet_first += policy_pick(&policy, list, 2) == 0 ? 1 : 0;
        policy_done(&policy);
        VEC_DONE(&step.sent);
    }
    CHECK(abs(packet_first - runs / 2) < 5 * (int)sqrt(runs / 4.0));
}

/* Where all events race, all priorities are drawn anew each time: any of those that are possible is
 * as likely. */
static void pos_chances(const struct paper *paper, unsigned *left, uint32_t order, double chance)
{
    int possible = 0;
    for (size_t i = 0; i < paper->n; i++) {
        possible += left[i] != 0 ? 1 : 0;
    }
    if (possible == 0) {
        want[order] = chance;
    }
    for (size_t i = 0; i < paper->n; i++) {
        if (left[i] != 0) {
            left[i]--;
            pos_chances(paper, left, order * THREADS_MOST + (uint32_t)i, chance / possible);
            left[i]++;
        }
    }
}

TEST(pos_is_as_computed)
{
    struct paper paper = {
        3, {2, 2, 1},
         {0}
    };
    struct cluster cluster = {0};
    unsigned left[THREADS_MOST];
    memcpy(left, paper.turns, sizeof left);
    memset(want, 0, sizeof want);
    pos_chances(&paper, left, 0, 1);
    sample(&paper, &cluster, WALK_POS, 0, 40000);
    compare(40000);
}

/* Two threads of one node and two of another, with two turns each: 6 * 6 traces. */
TEST(pos_comes_to_every_trace)
{
    struct paper paper = {
        4, {2, 2, 2, 2},
         {0, 0, 1, 1}
    };
    struct cluster cluster = {0};
    static bool seen[1 << 8];
    size_t traces = 0;
    sample(&paper, &cluster, WALK_POS, 0, 20000);
    for (uint32_t order = 0; order < ORDERS_MOST; order++) {
        uint32_t of[2] = {0};
        for (uint32_t i = 8; got[order] != 0 && i > 0; i--) {
            uint32_t thread = order >> 2 * (i - 1) & 3;
            of[thread / 2] = of[thread / 2] << 1 | (thread & 1);
        }
        uint32_t trace = of[0] << 4 | of[1];
        if (got[order] != 0 && !seen[trace]) {
            seen[trace] = true;
            traces++;
        }
    }
    CHECK_EQ(traces, 36);
}

/* A fault is the likelier, twice with each time, the more often the last events were seen. */
TEST(window_doubles_the_chance)
{
    struct cluster cluster = {
        .explore = {.window = 5, .window_ppm = 1000}
    };
    struct paper paper = {1, {1}, {0}};
    struct xevent list[2] = {
        turn_of(&paper, 0), {.event = {.kind = EV_KILL}, .name = 9}
    };
    for (uint64_t visits = 0; visits < 12; visits++) {
        int runs = 20000, faults = 0;
        struct u64map_entry before = {1, visits}; /* the window of the beginning, which is empty */
        for (int i = 0; i < runs; i++) {
            struct policy policy;
            struct policy_options o = {.kind = WALK_WINDOW,
                                       .cluster = &cluster,
                                       .seed = hash_combine(visits, (uint64_t)i),
                                       .visits = &before,
                                       .n_visits = 1};
            policy_begin(&policy, &o);
            faults += policy_pick(&policy, list, 2) == 1 ? 1 : 0;
            CHECK_EQ(policy.windows.n, 1);
            CHECK_EQ(policy.windows.v[0], 1);
            policy_done(&policy);
        }
        double chance = 0.001 * pow(2, (double)visits), p = chance < 0.5 ? chance : 0.5;
        CHECK(fabs(faults - runs * p) < 5 * sqrt(runs * p * (1 - p)));
    }
}

/* What was seen within the run counts, too, and only the last five events do. */
TEST(window_slides)
{
    struct cluster cluster = {
        .explore = {.window = 5, .window_ppm = 0}
    };
    struct paper paper = {1, {1}, {0}};
    struct xevent list[1] = {turn_of(&paper, 0)};
    struct policy policy;
    struct policy_options o = {.kind = WALK_WINDOW, .cluster = &cluster, .seed = 1};
    policy_begin(&policy, &o);
    for (uint64_t i = 0; i < 24; i++) {
        struct xstep step = {.event = list[0], .calls = i < 8 ? 100 + i : i % 3};
        (void)policy_pick(&policy, list, 1);
        policy_did(&policy, &step);
    }
    for (size_t i = 0; i < 24; i++) {
        for (size_t k = 0; k < i; k++) { /* the last three behave alike from 13 on */
            bool same = k >= 13 && (i - k) % 3 == 0;
            CHECK_EQ(policy.windows.v[i] == policy.windows.v[k], same);
        }
    }
    uint64_t visits = 0;
    CHECK(u64map_get(&policy.visits, policy.windows.v[13], &visits));
    CHECK_EQ(visits, 4);
    policy_done(&policy);
}

/* With pct, faults come anywhere in a run and not only at its beginning. */
TEST(pct_spreads_faults)
{
    struct cluster cluster = {.explore = {.pct_depth = 1}};
    struct paper paper = {1, {1}, {0}};
    int at[20] = {0}, runs = 4000;
    for (int i = 0; i < runs; i++) {
        struct policy policy;
        struct policy_options o = {
            .kind = WALK_PCT, .cluster = &cluster, .seed = (uint64_t)i, .expected = 20};
        struct xevent list[2] = {
            turn_of(&paper, 0), {.event = {.kind = EV_KILL}, .name = 9}
        };
        policy_begin(&policy, &o);
        for (int k = 0; k < 20; k++) {
            int pick = policy_pick(&policy, list, 2);
            if (pick == 1) {
                at[k]++;
                break;
            }
            struct xstep step = {.event = list[0]};
            policy_did(&policy, &step);
        }
        policy_done(&policy);
    }
    for (int k = 0; k < 20; k++) { /* half of them have the higher priority, and come when due */
        double mean = runs / 40.0;
        CHECK(fabs(at[k] - mean) < 5 * sqrt(mean));
    }
}

/* A list is done one by one: a timer by its thread, a packet of a connection by its bytes, whatever
 * number it has in this run. What is not possible is not replaced by something else. */
TEST(list_is_done_in_its_order)
{
    struct paper paper = {
        2, {1, 1},
         {0, 1}
    };
    struct xevent packet = {
        .event = {.kind = EV_DELIVER, .node = 1, .peer = 0, .id = 7},
          .chan = 5, .data = 9
    };
    struct xevent listed[] = {turn_of(&paper, 1), packet, turn_of(&paper, 0)};
    struct cluster cluster = {0};
    struct policy_options o = {
        .kind = WALK_LIST, .cluster = &cluster, .sleep = listed, .n_sleep = 3};
    struct policy policy;
    policy_begin(&policy, &o);
    struct xevent now[] = {turn_of(&paper, 0), packet, turn_of(&paper, 1)};
    now[1].event.id = 8;
    CHECK(policy_pick(&policy, now, 3) == 2);
    policy_did(&policy, &(struct xstep){.event = now[2]});
    CHECK(policy_pick(&policy, now, 1) == POLICY_NONE);
    now[1].data = 10;
    CHECK(policy_pick(&policy, now, 3) == POLICY_NONE);
    now[1].data = 9;
    CHECK(policy_pick(&policy, now, 3) == 1);
    policy_did(&policy, &(struct xstep){.event = now[1]});
    CHECK(policy_pick(&policy, now, 3) == 0);
    policy_did(&policy, &(struct xstep){.event = now[0]});
    CHECK(policy_pick(&policy, now, 3) == POLICY_NONE);
    policy_done(&policy);
}

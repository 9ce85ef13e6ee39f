/* Strategies that draw runs: random, window, pos, pct, guided.
 *
 * Run i is drawn from the seed, i, and what was learned from runs before, so it does not matter who
 * does it. What was learned (how often windows were seen, how long runs are) is brought up to date
 * after the first run and then after each ROUND runs, in their order, so that it does not matter
 * either how many are done at a time. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/explore.h"
#include "explore/explore_int.h"
#include "explore/guide.h"
#include "explore/policy.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"

enum { ROUND = 16, LENGTH_MOST = 100000, SAME_BEGINNING = 4 };

struct sampling {
    struct search *s;
    struct walk_task task;
    struct u64map traces;
    struct u64map visits;
    size_t longest; /* run up to now */
    struct walk walks[ROUND];
    bool guided;
    struct guide guide;
    int from[ROUND]; /* guided: the beginning of each run of the round */
};

/* The trace of a run: of each node, what happened there in which order; nothing else. */
static uint64_t trace_hash(const struct cluster *cluster, const struct xevent *events, size_t n)
{
    uint64_t sum = 0;
    for (uint32_t node = 0; node < cluster->n_nodes; node++) {
        uint64_t hash = node + 1;
        for (size_t i = 0; i < n; i++) {
            const struct xevent *x = &events[i];
            hash = x->node[0] == node || x->node[1] == node ? hash_combine(hash, x->name) : hash;
        }
        sum = hash_combine(sum, hash);
    }
    return sum;
}

static void note_guided(struct sampling *g, const struct xevent *events, size_t n,
                        const struct walk *walk)
{
    struct explore_counts *counts = &g->s->result->counts;
    guide_learn(&g->guide, events, n, walk);
    counts->states = g->guide.seen[XMARK_STATE];
    counts->lines = g->guide.seen[XMARK_LINE];
    counts->seen = g->guide.seen[XMARK_SEEN];
    counts->branches = g->guide.seen[XMARK_COVER];
    counts->corpus = g->guide.entries.n;
}

static void note(struct sampling *g, struct walk *walk, int from, uint64_t nth)
{
    VEC(uint64_t) path = {0};
    VEC(struct xevent) events = {0};
    const struct guide_entry *begin = from != GUIDE_ROOT ? &g->guide.entries.v[from] : NULL;
    for (size_t i = 0; begin != NULL && i < begin->events.n; i++) {
        VEC_PUSH(&events, begin->events.v[i]);
    }
    for (size_t i = 0; i < walk->steps.n; i++) {
        VEC_PUSH(&events, walk->steps.v[i].event);
    }
    for (size_t i = 0; i < events.n; i++) {
        VEC_PUSH(&path, events.v[i].name);
    }
    xsearch_note(g->s, walk, path.v, path.n, nth);
    VEC_DONE(&path);
    uint64_t before = 0, trace = trace_hash(g->s->o->cluster, events.v, events.n);
    g->longest = events.n > g->longest ? events.n : g->longest;
    if (g->guided && walk->end != WALK_BROKEN) {
        note_guided(g, events.v, events.n, walk);
    }
    VEC_DONE(&events);
    if (walk->end != WALK_BROKEN && !u64map_get(&g->traces, trace, &before)) {
        u64map_put(&g->traces, trace, nth);
        g->s->result->counts.traces++;
    }
    for (size_t i = 0; i < walk->windows.n; i++) {
        uint64_t visits = 0;
        (void)u64map_get(&g->visits, walk->windows.v[i], &visits);
        u64map_put(&g->visits, walk->windows.v[i], visits + 1);
    }
}

/* Where the runs of a round begin: several from one place, so that it is gone to once. */
static void draw_beginnings(struct sampling *g, uint64_t first)
{
    struct rng rng;
    rng_seed(&rng, hash_combine(hash_combine(g->s->o->seed, 0x677564), first));
    for (size_t i = 0; i < ROUND; i++) {
        bool same = i % SAME_BEGINNING != 0;
        g->from[i] = !g->guided ? GUIDE_ROOT : same ? g->from[i - 1] : guide_pick(&g->guide, &rng);
    }
}

/* The task of a run: its seed, and of guided ones where it begins and how it goes on. */
static void draw_task(struct sampling *g, size_t i, uint64_t nth)
{
    static const enum policy_kind ways[] = {WALK_RANDOM, WALK_POS, WALK_PCT};
    g->task.seed = hash_combine(hash_combine(g->s->o->seed, 0x657870), nth);
    g->task.path.n = 0;
    if (!g->guided) {
        return;
    }
    const struct guide_entry *begin =
        g->from[i] != GUIDE_ROOT ? &g->guide.entries.v[g->from[i]] : NULL;
    for (size_t k = 0; begin != NULL && k < begin->events.n; k++) {
        VEC_PUSH(&g->task.path, begin->events.v[k].name);
    }
    g->task.known = g->task.path.n;
    g->task.keep = true;
    g->task.policy = ways[hash_mix(g->task.seed) % (sizeof ways / sizeof ways[0])];
}

static int round_of(struct sampling *g, uint64_t first, uint64_t n, struct err *err)
{
    struct search *s = g->s;
    uint64_t asked = 0, taken = 0, good = 0;
    bool done[ROUND] = {0};
    int status = 0;
    draw_beginnings(g, first);
    g->task.visits.n = 0;
    for (size_t i = 0; i < g->visits.n; i++) {
        VEC_PUSH(&g->task.visits, g->visits.entries[i]);
    }
    while (status == 0 && (taken < asked || (asked < n && !s->over))) {
        while (status == 0 && asked < n && !s->over && crew_idle(s->crew)) {
            draw_task(g, asked, first + asked);
            status = crew_ask(s->crew, &g->task, asked++, err);
        }
        uint64_t tag = 0;
        struct walk walk = {0};
        status = status != 0 ? status : crew_take(s->crew, &tag, &walk, err);
        if (status == 0) {
            g->walks[tag] = walk;
            done[tag] = true;
            taken++;
        }
        (void)xsearch_goes_on(s);
    }
    bool stop = false; /* a finding, in the order of the runs */
    for (uint64_t i = 0; i < n; i++) {
        good += i == good && done[i] ? 1 : 0;
        if (status == 0 && i < good && !stop) {
            note(g, &g->walks[i], g->from[i], first + i + 1);
            stop = s->result->counts.failures != 0 && !s->o->go_on;
        }
        xwalk_done(&g->walks[i]);
        g->walks[i] = (struct walk){0};
    }
    return status;
}

int sample_search(struct search *s, struct err *err)
{
    static const enum policy_kind policies[] = {[EXPLORE_RANDOM] = WALK_RANDOM,
                                                [EXPLORE_WINDOW] = WALK_WINDOW,
                                                [EXPLORE_POS] = WALK_POS,
                                                [EXPLORE_PCT] = WALK_PCT,
                                                [EXPLORE_GUIDED] = WALK_RANDOM};
    struct sampling g = {.s = s, .guided = s->o->strategy == EXPLORE_GUIDED};
    g.task.policy = policies[s->o->strategy];
    g.task.seen = true;
    g.task.cuts = !s->o->cluster->dependent;
    g.task.length =
        s->o->cluster->events_most < LENGTH_MOST ? s->o->cluster->events_most : LENGTH_MOST;
    int status = 0;
    uint64_t first = 0;
    while (status == 0 && first < s->o->runs && xsearch_goes_on(s)) {
        uint64_t left = s->o->runs - first, most = first == 0 ? 1 : ROUND;
        uint64_t n = left < most ? left : most;
        g.task.expected = g.longest;
        status = round_of(&g, first, n, err);
        first += n;
    }
    xwalk_task_done(&g.task);
    u64map_done(&g.traces);
    u64map_done(&g.visits);
    guide_done(&g.guide);
    return status;
}

/* A corpus of beginnings, as fuzzers have it for inputs (AFL; Böhme and others, "Coverage-based
 * greybox fuzzing as Markov chain", 2016: energy falls with how often what an entry shows is seen).
 *
 * Nearly every state of a cluster is new, so states alone say little: a kind of marks is drawn
 * first, states seldom, then an entry of that kind. */
#include "explore/guide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/failure.h"

enum { FROM_ROOT = 4, STATES = 8, ENERGY = 1 << 20 }; /* one in four, one in eight */

void guide_done(struct guide *g)
{
    for (size_t i = 0; i < g->entries.n; i++) {
        VEC_DONE(&g->entries.v[i].events);
    }
    VEC_DONE(&g->entries);
    u64map_done(&g->hits);
}

static uint64_t energy(const struct guide *g, const struct guide_entry *entry)
{
    uint64_t hits = 1;
    (void)u64map_get(&g->hits, entry->mark, &hits);
    uint64_t energy = ENERGY / ((1 + entry->picks) * hits);
    return energy != 0 ? energy : 1;
}

/* An entry of a kind, by energy; GUIDE_ROOT: there is none. */
static int pick_of(struct guide *g, struct rng *rng, bool states)
{
    int found = GUIDE_ROOT;
    uint64_t sum = 0;
    for (size_t i = 0; i < g->entries.n; i++) {
        if ((xmark_kind(g->entries.v[i].mark) == XMARK_STATE) == states) {
            uint64_t weight = energy(g, &g->entries.v[i]);
            sum += weight;
            found = rng_below(rng, sum) < weight ? (int)i : found;
        }
    }
    return found;
}

int guide_pick(struct guide *g, struct rng *rng)
{
    if (g->entries.n == 0 || rng_below(rng, FROM_ROOT) == 0) {
        return GUIDE_ROOT;
    }
    bool states = rng_below(rng, STATES) == 0;
    int found = pick_of(g, rng, states);
    found = found != GUIDE_ROOT ? found : pick_of(g, rng, !states);
    if (found != GUIDE_ROOT) {
        g->entries.v[found].picks++;
    }
    return found;
}

/* Counts the marks of a step; the best that is new, else 0. */
static uint64_t count_marks(struct guide *g, const struct xstep *step)
{
    uint64_t best = 0;
    for (size_t i = 0; i < step->marks.n; i++) {
        uint64_t mark = step->marks.v[i], hits = 0;
        bool known = u64map_get(&g->hits, mark, &hits);
        u64map_put(&g->hits, mark, hits + 1);
        g->seen[xmark_kind(mark)] += known ? 0 : 1;
        if (!known && (best == 0 || xmark_kind(mark) > xmark_kind(best))) {
            best = mark;
        }
    }
    return best;
}

void guide_learn(struct guide *g, const struct xevent *events, size_t n, const struct walk *walk)
{
    size_t before = n - walk->steps.n;
    for (size_t i = 0; i < walk->steps.n; i++) {
        struct guide_entry entry = {.mark = count_marks(g, &walk->steps.v[i])};
        bool failed = walk->failure.kind != FAILURE_NONE && walk->failed <= before + i + 1;
        if (entry.mark == 0 || failed) {
            continue;
        }
        for (size_t k = 0; k <= before + i; k++) {
            VEC_PUSH(&entry.events, events[k]);
        }
        VEC_PUSH(&g->entries, entry);
    }
}

/* Before components are searched for: what can be decided about single product nodes, by several
 * threads.
 *
 * A node with a step to itself that fulfils every condition is a fair component, whatever else it
 * is part of: the behaviour that stays there. The first such node in the order of numbers (which is
 * that of the search, so the way to it is short) is the answer, with any number of threads.
 *
 * A node all of whose other steps lead to nodes that are no part of a cycle is no part of one
 * either (McLendon et al., "Finding strongly connected components in distributed graphs", 2005,
 * section 3: trimming). Most steps lead to states with higher numbers, so going through the numbers
 * downwards removes nearly everything that can be removed in one pass, reading the graph in the
 * order in which it is stored. Passes are repeated while they pay. What is left, if anything, is
 * searched depth first.
 *
 * Threads take chunks of states from the top. A node that depends on one that another thread is
 * working on may be missed; that costs a little time and changes no answer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/live_int.h"

#ifdef ASSAY_TINY
enum { CHUNK = 2, ALONE = 4 };
#else
enum { CHUNK = 4096, ALONE = 20000 }; /* states at a time; so few are not worth a thread */
#endif
enum { AHEAD = 6 };

struct trim {
    struct hunt *s;
    bool first;                  /* pass: look at steps to oneself too */
    _Atomic uint32_t top;        /* states below it are not taken yet */
    _Atomic uint64_t fair;       /* lowest node found: state << 32 | place; UINT64_MAX = none */
    _Atomic uint64_t gone, left; /* of this pass */
    _Atomic bool stop;
};

/* What the steps of a node to itself fulfil. */
struct self {
    bool step;
    uint64_t *any, *all; /* [words] */
    uint64_t *need;      /* [words]: p bits that every step must have, see below */
};

static void self_add(const struct hunt *s, struct self *self, uint32_t label)
{
    const uint64_t *mask = (const uint64_t *)s->mask.p + (uint64_t)label * s->words;
    for (uint32_t w = 0; w < s->words; w++) {
        self->any[w] = self->step ? self->any[w] | mask[w] : mask[w];
        self->all[w] = self->step ? self->all[w] & mask[w] : mask[w];
    }
    self->step = true;
}

/* All but the Streett pairs. */
static bool self_shows(const struct hunt *s, const struct self *self, uint32_t place)
{
    const uint64_t *kept = s->tab->kept + (size_t)s->comp->node[place] * s->tab->promise_words;
    if (!self->step) {
        return false;
    }
    for (uint32_t w = 0; w < s->words; w++) {
        if ((self->any[w] & s->goal[w]) != s->goal[w]) {
            return false;
        }
    }
    for (uint32_t p = 0; p < s->tab->npromise; p++) {
        if (!bit_get(kept, p)) {
            return false;
        }
    }
    return true;
}

/* Again, only with the steps that have what is needed. */
static void self_again(const struct hunt *s, struct self *self, uint32_t state)
{
    const uint32_t *block = live_block(s->live, state);
    self->step = false;
    for (uint32_t e = 0; e <= block_edges(block); e++) {
        uint32_t label = block_label(block, e);
        const uint64_t *mask = (const uint64_t *)s->mask.p + (uint64_t)label * s->words;
        bool good = block_target(block, e) == state && hunt_ok(s, label);
        for (uint32_t w = 0; w < s->words && good; w++) {
            good = (mask[w] & self->need[w]) == self->need[w];
        }
        if (good) {
            self_add(s, self, label);
        }
    }
}

/* Can the node be stayed at for ever. A pair <>[]p \/ []<>q that no step decides is decided by
 * leaving out the steps without p. */
static bool self_fair(const struct hunt *s, struct self *self, uint32_t state, uint32_t place)
{
    const struct branch *branch = s->branch;
    memset(self->need, 0, s->words * sizeof *self->need);
    for (;;) {
        if (!self_shows(s, self, place)) {
            return false;
        }
        bool open = false;
        for (uint32_t i = 0; i < branch->nst; i++) {
            if (!bit_get(self->any, branch->nae + i) &&
                !bit_get(self->all, branch->nae + branch->nst + i)) {
                bit_set(self->need, branch->nae + branch->nst + i);
                open = true;
            }
        }
        if (!open) {
            return true;
        }
        self_again(s, self, state);
    }
}

/* May some node with that state, after `place`, be part of a cycle. */
static bool leads_on(const struct hunt *s, uint32_t from, uint32_t place, uint32_t to)
{
    const uint32_t *rindex = s->rindex.p;
    for (uint32_t k = s->succ_at[place]; k < s->succ_at[place + 1]; k++) {
        uint32_t next = s->succ[k];
        if ((to != from || next != place) && hunt_has(s, to, next) &&
            __atomic_load_n(&rindex[hunt_id(s, to, next)], __ATOMIC_RELAXED) == 0) {
            return true;
        }
    }
    return false;
}

static bool loops(const struct hunt *s, uint32_t place)
{
    for (uint32_t k = s->succ_at[place]; k < s->succ_at[place + 1]; k++) {
        if (s->succ[k] == place) {
            return true;
        }
    }
    return false;
}

/* Looks at one node that is not gone. Returns whether it goes. */
static bool trim_node(struct trim *t, struct self *self, uint32_t state, uint32_t place)
{
    const struct hunt *s = t->s;
    const uint32_t *block = live_block(s->live, state);
    bool looping = t->first && loops(s, place);
    bool on = false;
    self->step = false;
    for (uint32_t e = 0; e <= block_edges(block) && (!on || looping); e++) {
        uint32_t to = block_target(block, e);
        bool own = looping && to == state;
        if ((on && !own) || !hunt_ok(s, block_label(block, e))) {
            continue;
        }
        if (own) {
            self_add(s, self, block_label(block, e));
        }
        on = on || leads_on(s, state, place, to);
    }
    if (looping && self_fair(s, self, state, place)) {
        uint64_t here = (uint64_t)state << 32 | place;
        uint64_t least = atomic_load_explicit(&t->fair, memory_order_relaxed);
        while (here < least &&
               !atomic_compare_exchange_weak_explicit(&t->fair, &least, here, memory_order_relaxed,
                                                      memory_order_relaxed)) {
        }
    }
    return !on;
}

static void trim_ahead(const struct hunt *s, uint32_t state)
{
    const uint32_t *block = state >= AHEAD ? live_block(s->live, state - AHEAD) : NULL;
    const uint32_t *rindex = s->rindex.p;
    for (uint32_t e = 0; block && s->dom_all && e < block_edges(block) && e < 16; e++) {
        __builtin_prefetch(&rindex[(uint64_t)block[BLOCK_HEAD + e] * s->comp->n]);
    }
}

/* States from `end` - 1 down to `begin`. */
static void trim_chunk(struct trim *t, struct self *self, uint32_t begin, uint32_t end)
{
    const struct hunt *s = t->s;
    uint32_t *rindex = s->rindex.p;
    uint64_t gone = 0;
    uint64_t left = 0;
    for (uint32_t state = end; state-- > begin;) {
        trim_ahead(s, state);
        for (uint32_t place = 0; place < s->comp->n; place++) {
            if (!hunt_has(s, state, place)) {
                continue;
            }
            uint32_t *mark = &rindex[hunt_id(s, state, place)];
            if (__atomic_load_n(mark, __ATOMIC_RELAXED) != 0) {
                continue;
            }
            if (trim_node(t, self, state, place)) {
                __atomic_store_n(mark, MARK_TRIMMED, __ATOMIC_RELAXED);
                gone++;
            } else {
                left++;
            }
        }
    }
    atomic_fetch_add_explicit(&t->gone, gone, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->left, left, memory_order_relaxed);
}

static bool must_stop(struct trim *t)
{
    const struct hunt *s = t->s;
    struct err ignored;
    if (live_poll(s->interrupt, &ignored) < 0 ||
        (s->winner && atomic_load_explicit(s->winner, memory_order_relaxed) < s->number)) {
        atomic_store_explicit(&t->stop, true, memory_order_relaxed);
    }
    return atomic_load_explicit(&t->stop, memory_order_relaxed);
}

static void *trim_run(void *arg)
{
    struct trim *t = arg;
    VEC(uint64_t) masks = {0};
    VEC_RESERVE(&masks, (size_t)t->s->words * 3);
    struct self self = {
        .any = masks.v, .all = masks.v + t->s->words, .need = masks.v + 2 * (size_t)t->s->words};
    uint32_t end = atomic_load_explicit(&t->top, memory_order_relaxed);
    while (end > 0 && !must_stop(t)) {
        uint32_t begin = end > CHUNK ? end - CHUNK : 0;
        if (atomic_compare_exchange_weak_explicit(&t->top, &end, begin, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            trim_chunk(t, &self, begin, end);
            end = atomic_load_explicit(&t->top, memory_order_relaxed);
        }
    }
    VEC_DONE(&masks);
    return NULL;
}

static void trim_pass(struct trim *t)
{
    uint64_t alone = t->s->alone ? t->s->alone : ALONE;
    atomic_store_explicit(&t->top, t->s->live->nnode, memory_order_relaxed);
    atomic_store_explicit(&t->gone, 0, memory_order_relaxed);
    atomic_store_explicit(&t->left, 0, memory_order_relaxed);
    live_spread(t->s->count > alone ? t->s->threads : 1, trim_run, t);
}

/* Makes the node the fair component that was found, with what it needs. */
static void trim_found(struct hunt *s, struct vertex v)
{
    s->found_mark = MARK_FAIR;
    ((uint32_t *)s->rindex.p)[hunt_id(s, v.state, v.t)] = MARK_FAIR;
    struct self self = {.any = s->any, .all = s->all, .need = s->need};
    self_again(s, &self, v.state);
    bool fair = self_fair(s, &self, v.state, v.t);
    ASSERT(fair);
    for (uint32_t w = 0; w < s->words; w++) {
        s->need_any = s->need_any || s->need[w] != 0;
    }
}

int hunt_trim(struct hunt *s, uint64_t *ret_left, struct err *err)
{
    struct trim t = {.s = s, .first = true};
    atomic_init(&t.fair, UINT64_MAX);
    uint64_t gone = 0;
    do {
        trim_pass(&t);
        if (atomic_load(&t.stop)) {
            return err_set(err, ERR_INTERRUPTED, 0, "interrupted");
        }
        t.first = false;
        gone = atomic_load(&t.gone);
        *ret_left = atomic_load(&t.left);
    } while (atomic_load(&t.fair) == UINT64_MAX && *ret_left > 0 && gone > *ret_left / 4);
    uint64_t fair = atomic_load(&t.fair);
    if (fair == UINT64_MAX) {
        return 0;
    }
    trim_found(s, (struct vertex){(uint32_t)(fair >> 32), (uint32_t)fair});
    return 1;
}

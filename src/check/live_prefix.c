/* Violations that need no cycle, found while the graph is made.
 *
 * The negation of [](p => []q) is <>(p /\ <>~q): after a state with p and then one with ~q, nothing
 * that follows can help. Such a formula has tableau nodes after which nothing is left to hold (an
 * empty `next`), and a state of the product with such a node ends a counterexample. When a branch
 * has no conditions on cycles (so the specification promises nothing), these are looked for as soon
 * as a state is added, as TLC does: the search then ends early, and the behaviour is finite.
 *
 * For each state two rows of bits, one bit for each tableau node:
 *   reached  the state is part of the product with that node
 *   asked    a predecessor (or the initial predicate) leads to that node; it counts once the state
 *            has been added and is seen to agree with it
 * New bits of a state are passed on to its successors, also to those added long ago.
 *
 * The behaviour that is shown is a shortest one through what has been added so far. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/live.h"
#include "check/live_int.h"

struct watch {
    const struct tableau *tab;
    uint32_t prop;
    uint32_t row;         /* bytes for one bit of each tableau node */
    uint8_t *succ;        /* [tab->nnode] rows */
    uint8_t *init, *ends; /* rows */
    struct big rows;      /* [nnode]: reached, asked */
    VEC(uint8_t) agree;   /* by label of the stuttering step, filled as labels come */
    uint32_t nlabel;
};

struct watches {
    struct watch *v;
    uint32_t n;
    VEC(uint32_t) work; /* nodes with bits to pass on */
    bool found;
    uint32_t found_watch;
};

static void row_set(uint8_t *row, uint32_t bit)
{
    row[bit / 8] |= (uint8_t)(1 << bit % 8);
}
static bool row_get(const uint8_t *row, uint32_t bit)
{
    return row[bit / 8] >> bit % 8 & 1;
}

/* ---- life ---- */

/* Does the branch have counterexamples that end. */
static bool branch_ends(const struct branch *branch)
{
    const struct tableau *tab = branch->tab;
    if (branch->nae || branch->nea || branch->nst || branch->never || branch->ntf == 0) {
        return false;
    }
    for (uint32_t t = 0; t < tab->nnode && tab->ninit > 0; t++) {
        if (tab->ends && row_get(tab->ends, t)) {
            return true;
        }
    }
    return false;
}

static void watch_init(struct live *live, struct watch *watch, const struct tableau *tab,
                       uint32_t prop)
{
    uint32_t row = (tab->nnode + 7) / 8;
    *watch = (struct watch){.tab = tab, .prop = prop, .row = row};
    watch->succ = ARENA_ARRAY(&live->arena, uint8_t, (size_t)tab->nnode *row);
    watch->init = ARENA_ARRAY(&live->arena, uint8_t, row);
    watch->ends = tab->ends;
    for (uint32_t t = 0; t < tab->nnode; t++) {
        for (uint32_t i = tab->succ_at[t]; i < tab->succ_at[t + 1]; i++) {
            row_set(watch->succ + (size_t)t * row, tab->succ[i]);
        }
    }
    for (uint32_t i = 0; i < tab->ninit; i++) {
        row_set(watch->init, tab->init[i]);
    }
    big_init(&watch->rows, &live->mem);
}

void watch_open(struct live *live)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < live->spec->nprop; i++) {
        total += live->props[i].nbranch;
    }
    struct watches *w = ARENA_NEW(&live->arena, struct watches);
    for (uint32_t i = 0; i < live->spec->nprop; i++) {
        for (uint32_t b = 0; b < live->props[i].nbranch; b++) {
            if (!branch_ends(&live->props[i].branches[b])) {
                continue;
            }
            if (!w->v) {
                w->v = ARENA_ARRAY(&live->arena, struct watch, total);
            }
            watch_init(live, &w->v[w->n++], live->props[i].branches[b].tab, i);
        }
    }
    live->watches = w->n > 0 ? w : NULL;
}

void watch_close(struct live *live)
{
    struct watches *w = live->watches;
    for (uint32_t i = 0; w && i < w->n; i++) {
        big_done(&w->v[i].rows);
        VEC_DONE(&w->v[i].agree);
    }
    if (w) {
        VEC_DONE(&w->work);
    }
}

void watch_reset(struct live *live)
{
    struct watches *w = live->watches;
    for (uint32_t i = 0; w && i < w->n; i++) {
        if (w->v[i].rows.p) {
            memset(w->v[i].rows.p, 0, w->v[i].rows.cap);
        }
    }
    if (w) {
        w->found = false;
    }
}

bool live_watches(const struct live *live)
{
    return live->watches != NULL;
}

/* ---- while states are added; merge_lock is held ---- */

static uint8_t *rows_of(const struct watch *watch, uint32_t node)
{
    return (uint8_t *)watch->rows.p + (uint64_t)node * 2 * watch->row;
}

/* The tableau nodes that a state with this label agrees with. */
static const uint8_t *agree_of(struct live *live, struct watch *watch, uint32_t label)
{
    const struct tableau *tab = watch->tab;
    if (label >= watch->nlabel) {
        pthread_mutex_lock(&live->label_lock);
        uint32_t n = live->labels.n;
        VEC_RESERVE(&watch->agree, (size_t)n * watch->row);
        memset(watch->agree.v + (size_t)watch->nlabel * watch->row, 0,
               (size_t)(n - watch->nlabel) * watch->row);
        for (; watch->nlabel < n; watch->nlabel++) {
            const uint64_t *state =
                live->labels.bits.v + (size_t)watch->nlabel * live->labels.words;
            uint8_t *row = watch->agree.v + (size_t)watch->nlabel * watch->row;
            for (uint32_t t = 0; t < tab->nnode; t++) {
                bool all = true;
                for (uint32_t p = 0; p < tab->npred && all; p++) {
                    all = !bit_get(tab->lits + (size_t)t * tab->pred_words, p) ||
                          form_eval(tab->preds[p], state, NULL);
                }
                if (all) {
                    row_set(row, t);
                }
            }
        }
        pthread_mutex_unlock(&live->label_lock);
    }
    return watch->agree.v + (size_t)label * watch->row;
}

/* Moves what was asked for and agrees to what is reached, and writes the tableau nodes that follow
 * to `next`. False when nothing is new. */
static bool node_take(struct live *live, struct watch *watch, uint32_t node, uint8_t *next,
                      bool *ret_ends)
{
    const uint8_t *agree = agree_of(live, watch, live_block(live, node)[2]);
    uint8_t *reached = rows_of(watch, node);
    const uint8_t *asked = reached + watch->row;
    bool any = false;
    memset(next, 0, watch->row);
    for (uint32_t t = 0; t < watch->tab->nnode; t++) {
        if (!row_get(asked, t) || !row_get(agree, t) || row_get(reached, t)) {
            continue;
        }
        any = true;
        row_set(reached, t);
        *ret_ends = *ret_ends || row_get(watch->ends, t);
        for (uint32_t b = 0; b < watch->row; b++) {
            next[b] |= watch->succ[(size_t)t * watch->row + b];
        }
    }
    return any;
}

/* Passes bits on, starting at one node, until nothing is new or a counterexample is complete. */
static void watch_pass(struct live *live, struct watches *w, struct watch *watch, uint32_t node,
                       uint8_t *next)
{
    VEC_RESET(&w->work);
    VEC_PUSH(&w->work, node);
    while (w->work.n > 0 && !w->found) {
        uint32_t at = VEC_POP(&w->work);
        if (!node_take(live, watch, at, next, &w->found)) {
            continue;
        }
        const uint32_t *block = live_block(live, at);
        for (uint32_t e = 0; e <= block_edges(block); e++) { /* the last one is stuttering */
            uint32_t target = block_target(block, e);
            uint8_t *reached = rows_of(watch, target);
            bool more = false;
            for (uint32_t b = 0; b < watch->row; b++) {
                reached[watch->row + b] |= next[b];
                more = more || (next[b] & ~reached[b]);
            }
            if (more && live_block(live, target)) {
                VEC_PUSH(&w->work, target);
            }
        }
    }
    if (w->found) {
        w->found_watch = (uint32_t)(watch - w->v);
    }
}

int watch_node(struct live *live, uint32_t node, struct err *err)
{
    struct watches *w = live->watches;
    VEC(uint8_t) next = {0};
    int rc = 0;
    for (uint32_t i = 0; i < w->n && rc == 0 && !w->found; i++) {
        struct watch *watch = &w->v[i];
        rc = big_reserve(&watch->rows, (uint64_t)live->nnode * 2 * watch->row, err);
        if (rc < 0) {
            break;
        }
        VEC_RESERVE(&next, watch->row);
        if (block_initial(live_block(live, node))) {
            uint8_t *asked = rows_of(watch, node) + watch->row;
            for (uint32_t b = 0; b < watch->row; b++) {
                asked[b] |= watch->init[b];
            }
        }
        watch_pass(live, w, watch, node, next.v);
    }
    VEC_DONE(&next);
    return rc;
}

int watch_all(struct live *live, struct err *err)
{
    int rc = 0;
    for (uint32_t node = 0; live->watches && rc == 0 && node < live->nnode; node++) {
        if (live_block(live, node)) {
            rc = watch_node(live, node, err);
        }
    }
    return rc;
}

/* ---- the behaviour ---- */

struct place {
    uint32_t node, t;
    size_t from; /* place before it + 1; 0 = none */
};

struct walk {
    const struct watch *watch;
    VEC(uint8_t) seen; /* [nnode] rows */
    VEC(struct place) queue;
};

static void walk_add(struct walk *walk, uint32_t node, uint32_t t, size_t from)
{
    uint8_t *seen = walk->seen.v + (size_t)node * walk->watch->row;
    if (row_get(rows_of(walk->watch, node), t) && !row_get(seen, t)) {
        row_set(seen, t);
        VEC_PUSH(&walk->queue, ((struct place){node, t, from}));
    }
}

static void walk_out(const struct live *live, const struct walk *walk, size_t at,
                     uint64_t **ret_path, size_t *ret_n)
{
    VEC(uint32_t) nodes = {0};
    for (size_t i = at + 1; i; i = walk->queue.v[i - 1].from) {
        uint32_t node = walk->queue.v[i - 1].node;
        if (nodes.n == 0 || VEC_LAST(&nodes) != node) { /* not the stuttering steps */
            VEC_PUSH(&nodes, node);
        }
    }
    size_t cap = 0;
    uint64_t *path = vec_grow(NULL, &cap, nodes.n, sizeof *path);
    for (size_t i = 0; i < nodes.n; i++) {
        path[i] = ((const uint64_t *)live->fps.p)[nodes.v[nodes.n - 1 - i]];
    }
    *ret_path = path;
    *ret_n = nodes.n;
    VEC_DONE(&nodes);
}

bool live_prefix(struct live *live, uint32_t *ret_prop, uint64_t **ret_path, size_t *ret_n)
{
    struct watches *w = live->watches;
    if (!w) {
        return false;
    }
    pthread_mutex_lock(&live->merge_lock);
    bool found = w->found;
    if (found) {
        const struct watch *watch = &w->v[w->found_watch];
        const struct tableau *tab = watch->tab;
        struct walk walk = {.watch = watch};
        VEC_RESERVE(&walk.seen, (size_t)live->nnode * watch->row);
        memset(walk.seen.v, 0, (size_t)live->nnode * watch->row);
        for (size_t i = 0; i < live->inits.n; i++) {
            for (uint32_t k = 0; k < tab->ninit; k++) {
                walk_add(&walk, live->inits.v[i], tab->init[k], 0);
            }
        }
        size_t at = 0;
        for (; at < walk.queue.n && !row_get(watch->ends, walk.queue.v[at].t); at++) {
            struct place here = walk.queue.v[at];
            const uint32_t *block = live_block(live, here.node);
            for (uint32_t e = 0; e <= block_edges(block); e++) {
                for (uint32_t k = tab->succ_at[here.t]; k < tab->succ_at[here.t + 1]; k++) {
                    walk_add(&walk, block_target(block, e), tab->succ[k], at + 1);
                }
            }
        }
        ASSERT(at < walk.queue.n); /* what is reached has a way to it */
        walk_out(live, &walk, at, ret_path, ret_n);
        *ret_prop = watch->prop;
        VEC_DONE(&walk.seen);
        VEC_DONE(&walk.queue);
    }
    pthread_mutex_unlock(&live->merge_lock);
    return found;
}

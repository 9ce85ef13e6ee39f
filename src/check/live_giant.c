/* One large component, by sweeps of several threads.
 *
 * The component of a node is what it reaches and what reaches it (Fleischer, Hendrickson, Pinar,
 * "On identifying strongly connected components in parallel", 2000). Both sets are found by going
 * through the states in order, up and down in turn, in chunks that threads take: marks travel
 * through all steps in the direction of the sweep at once, and the graph is read in the order in
 * which it is stored, with no stack, no queue and no reversed edges. Forward, a node passes its
 * mark on once, so a sweep with little to do costs little. Backward, every node without the mark
 * looks for it at its successors in each sweep; when many sweeps are needed it is given up.
 *
 * A mark that another thread sets during a sweep may be seen or missed; a sweep in which nothing
 * changes is the end of it, whoever did what before. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "check/live_int.h"

#ifdef ASSAY_TINY
enum { CHUNK = 2 };
#else
enum { CHUNK = 4096 };
#endif
enum { FORWARD = 1, PASSED = 2, BACKWARD = 4 };
enum { SWEEPS_FREE = 4, PROGRESS = 16 }; /* then each must mark so great a part of what is left */

struct sweep {
    const struct hunt *s;
    const uint64_t *need;
    uint8_t *flags; /* [count]; all accesses are atomic */
    bool back;      /* looking for BACKWARD */
    bool up;        /* from low to high states */
    _Atomic uint64_t next;
    _Atomic uint64_t changed, left; /* marks set; backward: nodes without it */
    _Atomic bool stop;
};

static inline uint8_t flags_of(const struct sweep *w, uint32_t id)
{
    return __atomic_load_n(&w->flags[id], __ATOMIC_RELAXED);
}

static inline void flags_add(const struct sweep *w, uint32_t id, uint8_t flag)
{
    (void)__atomic_fetch_or(&w->flags[id], flag, __ATOMIC_RELAXED);
}

/* Gives the successors of a node its mark. Returns how many got it. */
static uint64_t pass_on(const struct sweep *w, uint32_t state, uint32_t place)
{
    const struct hunt *s = w->s;
    const uint32_t *block = live_block(s->live, state);
    const uint32_t *marks = s->rindex.p;
    uint64_t n = 0;
    for (uint32_t e = 0; e < block_edges(block) + (s->comp->n > 1); e++) {
        uint32_t to = block_target(block, e);
        if (!step_ok(s, w->need, block_label(block, e))) {
            continue;
        }
        for (uint32_t k = s->succ_at[place]; k < s->succ_at[place + 1]; k++) {
            if (!hunt_has(s, to, s->succ[k])) {
                continue;
            }
            uint32_t id = hunt_id(s, to, s->succ[k]);
            if (!(flags_of(w, id) & FORWARD) && marks[id] == 0) {
                flags_add(w, id, FORWARD);
                n++;
            }
        }
    }
    return n;
}

/* Has a successor of the node the mark. */
static bool leads_back(const struct sweep *w, uint32_t state, uint32_t place)
{
    const struct hunt *s = w->s;
    const uint32_t *block = live_block(s->live, state);
    for (uint32_t e = 0; e < block_edges(block) + (s->comp->n > 1); e++) {
        uint32_t to = block_target(block, e);
        for (uint32_t k = s->succ_at[place]; k < s->succ_at[place + 1]; k++) {
            if (hunt_has(s, to, s->succ[k]) &&
                (flags_of(w, hunt_id(s, to, s->succ[k])) & BACKWARD) &&
                step_ok(s, w->need, block_label(block, e))) {
                return true;
            }
        }
    }
    return false;
}

static void sweep_node(struct sweep *w, uint32_t state, uint32_t place, uint64_t *changed,
                       uint64_t *left)
{
    uint32_t id = hunt_id(w->s, state, place);
    uint8_t flags = flags_of(w, id);
    if (!w->back && (flags & (FORWARD | PASSED)) == FORWARD) {
        flags_add(w, id, PASSED);
        *changed += pass_on(w, state, place);
    } else if (w->back && (flags & (FORWARD | BACKWARD)) == FORWARD) {
        if (leads_back(w, state, place)) {
            flags_add(w, id, BACKWARD);
            *changed += 1;
        } else {
            *left += 1;
        }
    }
}

static void *sweep_run(void *arg)
{
    struct sweep *w = arg;
    const struct hunt *s = w->s;
    uint64_t nstate = s->live->nnode;
    uint64_t changed = 0;
    uint64_t left = 0;
    struct err ignored;
    while (!atomic_load_explicit(&w->stop, memory_order_relaxed)) {
        uint64_t at = atomic_fetch_add_explicit(&w->next, CHUNK, memory_order_relaxed);
        for (uint64_t i = at; i < nstate && i < at + CHUNK; i++) {
            uint32_t state = (uint32_t)(w->up ? i : nstate - 1 - i);
            for (uint32_t place = 0; place < s->comp->n; place++) {
                if (hunt_has(s, state, place)) {
                    sweep_node(w, state, place, &changed, &left);
                }
            }
        }
        if (at >= nstate) {
            break;
        }
        if (live_poll(s->interrupt, &ignored) < 0) {
            atomic_store_explicit(&w->stop, true, memory_order_relaxed);
        }
    }
    atomic_fetch_add_explicit(&w->changed, changed, memory_order_relaxed);
    atomic_fetch_add_explicit(&w->left, left, memory_order_relaxed);
    return NULL;
}

/* Sweeps until nothing changes: 1. 0 = given up. */
static int sweep_all(struct sweep *w, struct err *err)
{
    w->up = !w->back;
    for (unsigned i = 0;; i++, w->up = !w->up) {
        atomic_store_explicit(&w->next, 0, memory_order_relaxed);
        atomic_store_explicit(&w->changed, 0, memory_order_relaxed);
        atomic_store_explicit(&w->left, 0, memory_order_relaxed);
        live_spread(w->s->threads, sweep_run, w);
        if (atomic_load(&w->stop)) {
            return err_set(err, ERR_INTERRUPTED, 0, "interrupted");
        }
        uint64_t changed = atomic_load(&w->changed);
        uint64_t left = atomic_load(&w->left);
        if (changed == 0 || (w->back && left == 0)) {
            return 1;
        }
        if (w->back && i >= SWEEPS_FREE && changed < left / PROGRESS) {
            return 0;
        }
    }
}

/* Marks the nodes with both flags and lists them. */
static void giant_mark(const struct sweep *w, struct vertex **ret_v, uint64_t *ret_n)
{
    const struct hunt *s = w->s;
    uint32_t *marks = s->rindex.p;
    uint32_t mark = 0;
    VEC(struct vertex) v = {0};
    for (uint32_t state = 0; state < s->live->nnode; state++) {
        for (uint32_t place = 0; place < s->comp->n; place++) {
            uint32_t id = hunt_has(s, state, place) ? hunt_id(s, state, place) : 0;
            if (!hunt_has(s, state, place) || !(w->flags[id] & BACKWARD)) {
                continue;
            }
            mark = mark ? mark : MARK_FINAL | id; /* ids rise */
            marks[id] = mark;
            VEC_PUSH(&v, (struct vertex){state, place});
        }
    }
    *ret_v = v.v;
    *ret_n = v.n;
}

int live_giant_find(struct hunt *s, const uint64_t *need, struct vertex pivot,
                    struct vertex **ret_v, uint64_t *ret_n, struct err *err)
{
    struct big flags;
    big_init(&flags, s->mem);
    int rc = big_reserve(&flags, s->count + 1, err);
    struct sweep w = {.s = s, .need = need, .flags = flags.p};
    if (rc == 0) {
        w.flags[hunt_id(s, pivot.state, pivot.t)] = FORWARD;
        rc = sweep_all(&w, err);
    }
    if (rc == 1) {
        w.back = true;
        w.flags[hunt_id(s, pivot.state, pivot.t)] |= BACKWARD;
        rc = sweep_all(&w, err);
    }
    if (rc == 1) {
        giant_mark(&w, ret_v, ret_n);
    }
    big_done(&flags);
    return rc;
}

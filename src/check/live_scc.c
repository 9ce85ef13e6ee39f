/* Components of the product, depth first, by several threads.
 *
 * Each thread runs Pearce's algorithm ("A space-efficient algorithm for finding strongly connected
 * components", 2016) with explicit stacks and indices of its own. A node's index is 0 = new;
 * 1..index = active, the lowest node it reaches; with the top bit = finished. Threads share what is
 * finished (Renault, Duret-Lutz, Kordon, Poitrenaud, "Parallel explicit model checking for
 * generalized Buchi automata", 2015): a component that one of them has completed is skipped by the
 * others. Roots are taken from the highest states down, in chunks: most steps lead to states with
 * higher numbers, so most of what a root leads to is finished by then, stacks stay short, and
 * threads seldom meet.
 *
 * rindex holds what is shared: 0 = open, lowest node + 1 = claimed, final marks (live_int.h). A
 * thread that has completed a component claims its lowest node by compare-and-swap, then the
 * others, and only then writes the final marks. Nodes that are only claimed are not skipped. So
 * whoever skips a node of a component finds all others of it claimed, and what it makes of them is
 * thrown away; of two threads with the same component one gets the lowest node. Hence every
 * component is taken once, and whole.
 *
 * A component so large that all threads would walk it alone is found by sweeps instead
 * (live_giant.c): when the stack of a thread shows one, all stop, it is marked, and they go on with
 * the rest.
 *
 * Components left open by Streett pairs become tasks, searched again with fewer steps: large ones
 * by all threads as above, small ones each by one. A thread alone keeps its indices in rindex.
 *
 * A component of one node is never fair here: live_trim.c has looked at those. Of the fair ones the
 * one with the lowest mark is chosen; components and marks do not depend on the order of the
 * search, so neither does the answer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/live_int.h"

#ifdef ASSAY_TINY
enum { CHUNK = 2, ALONE = 4 };
#else
enum { CHUNK = 1024, ALONE = 20000 };
#endif
enum { GIANT_SHARE = 16, GIANT_TRIES = 4, DIVERS_MAX = 64 };
#define DONE MARK_TRIMMED /* any value with the top bit */

struct frame {
    uint32_t state;
    uint16_t t;    /* place in the component of the tableau */
    uint16_t succ; /* next tableau successor to look at, for the current edge */
    uint32_t edge; /* current edge << 1 | no node below was reached so far */
};

enum mode {
    MODE_ALONE,    /* one thread; its indices are in rindex */
    MODE_TOGETHER, /* all threads search the same nodes */
    MODE_APART,    /* every thread has a task of its own */
};

/* A thread. */
struct diver {
    struct scc *scc;
    const struct hunt *s;
    uint32_t *index_of; /* [count]: local.p, or rindex when alone */
    struct big local, frames, stack;
    uint64_t nframe, nstack;
    uint32_t index; /* active nodes */
    bool dirty;     /* gave up with active nodes: index_of must be cleared */
    enum mode mode;
    uint32_t tag; /* MODE_APART: rindex of the open nodes of its task */
    const uint64_t *need;
    uint32_t ticks;
    struct tally tally;
    VEC(struct task) tasks; /* that it has made */
};

enum stop { STOP_NOT, STOP_GIANT, STOP_FAILED };

struct scc {
    struct hunt *s; /* found_mark, need, any, all: under lock */
    unsigned n;
    uint64_t alone; /* so few nodes are not worth a second thread */
    struct diver *divers;
    VEC(struct task) tasks;

    /* What MODE_TOGETHER searches: these nodes, or all open ones (NULL). */
    const struct task *region;
    uint64_t left;       /* nodes in it */
    unsigned tries;      /* left for giants */
    struct vertex pivot; /* of a giant; under lock until STOP_GIANT is seen */
    /* The parts of a giant that are judged. */
    const struct vertex *giant;
    uint64_t ngiant;
    uint32_t giant_mark;

    _Atomic unsigned entered; /* divers that have a thread */
    _Atomic uint64_t next;    /* nodes (tasks in MODE_APART) that have been taken */
    _Atomic int stop;
    _Atomic uint32_t best; /* lowest mark of a fair component; UINT32_MAX = none. Written under
                              lock */
    pthread_mutex_t lock;
    struct err failure; /* first one; under lock */
};

/* ---- what is shared ---- */

static void scc_fail(struct scc *scc, const struct err *err)
{
    pthread_mutex_lock(&scc->lock);
    if (!scc->failure.code) {
        scc->failure = *err;
    }
    pthread_mutex_unlock(&scc->lock);
    atomic_store_explicit(&scc->stop, STOP_FAILED, memory_order_relaxed);
}

static void scc_found(struct scc *scc, const struct diver *d, uint32_t mark)
{
    struct hunt *s = scc->s;
    size_t bytes = s->words * sizeof(uint64_t);
    pthread_mutex_lock(&scc->lock);
    if (mark < atomic_load_explicit(&scc->best, memory_order_relaxed)) {
        atomic_store_explicit(&scc->best, mark, memory_order_relaxed);
        s->found_mark = mark;
        s->need_any = d->need != NULL;
        if (d->need) {
            memcpy(s->need, d->need, bytes);
        }
        memcpy(s->any, d->tally.any, bytes);
        memcpy(s->all, d->tally.all, bytes);
    }
    pthread_mutex_unlock(&scc->lock);
}

/* 1 = another thread wants all to stop. */
static int dive_poll(struct diver *d, struct err *err)
{
    if ((d->ticks & 0x3f) == 0 && d->mode != MODE_ALONE &&
        atomic_load_explicit(&d->scc->stop, memory_order_relaxed) != STOP_NOT) {
        return 1;
    }
    return hunt_tick(d->s, &d->ticks, err);
}

/* Is a node that this thread has not met to be searched. The acquire pairs with the release in
 * claim. */
static inline bool still_open(const struct diver *d, uint32_t id)
{
    uint32_t mark = __atomic_load_n((const uint32_t *)d->s->rindex.p + id, __ATOMIC_ACQUIRE);
    return d->mode == MODE_APART ? mark == d->tag : mark < MARK_FINAL;
}

/* MODE_TOGETHER: makes the component this thread's own, and final. False when it is another's. */
static bool claim(const struct diver *d, const struct vertex *v, uint64_t n, uint32_t lowest)
{
    const struct hunt *s = d->s;
    uint32_t *marks = s->rindex.p;
    uint32_t open = 0;
    uint32_t mine = n == 1 ? MARK_FINAL | lowest : lowest + 1;
    if (!__atomic_compare_exchange_n(&marks[lowest], &open, mine, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED)) {
        return false;
    }
    for (uint64_t i = 0; n > 1 && i < n; i++) {
        __atomic_store_n(&marks[hunt_id(s, v[i].state, v[i].t)], mine, __ATOMIC_RELAXED);
    }
    for (uint64_t i = 0; n > 1 && i < n; i++) {
        __atomic_store_n(&marks[hunt_id(s, v[i].state, v[i].t)], MARK_FINAL | lowest,
                         __ATOMIC_RELEASE);
    }
    return true;
}

/* What a component is, that d->tally is the tally of. */
static void dive_judge(struct diver *d, const struct vertex *v, uint64_t n, uint32_t mark)
{
    switch (tally_judge(d->s, &d->tally)) {
    case JUDGED_UNFAIR: break;
    case JUDGED_FAIR: scc_found(d->scc, d, mark); break;
    case JUDGED_OPEN: VEC_PUSH(&d->tasks, task_make(d->s, &d->tally, d->need, v, n, mark)); break;
    }
}

/* A component is complete, and these are its nodes. */
static void dive_component(struct diver *d, const struct vertex *v, uint64_t n, uint32_t lowest)
{
    const struct hunt *s = d->s;
    uint32_t mark = MARK_FINAL | lowest;
    uint32_t *marks = s->rindex.p;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t id = hunt_id(s, v[i].state, v[i].t);
        d->index_of[id] = d->mode == MODE_ALONE ? mark : DONE;
        if (d->mode == MODE_APART) {
            __atomic_store_n(&marks[id], mark, __ATOMIC_RELAXED);
        }
    }
    if (d->mode == MODE_TOGETHER && !claim(d, v, n, lowest)) {
        return;
    }
    if (n > 1 && mark < atomic_load_explicit(&d->scc->best, memory_order_relaxed)) {
        tally_reset(s, &d->tally);
        tally_add(s, d->need, &d->tally, v, n, mark);
        dive_judge(d, v, n, mark);
    }
}

/* ---- depth first ---- */

static int frame_push(struct diver *d, uint32_t state, uint32_t place, struct err *err)
{
    int rc = big_reserve(&d->frames, (d->nframe + 1) * sizeof(struct frame), err);
    if (rc == 0) {
        d->index_of[hunt_id(d->s, state, place)] = ++d->index;
        ((struct frame *)d->frames.p)[d->nframe++] = (struct frame){state, (uint16_t)place, 0, 1};
    }
    return rc;
}

/* Fetches what the first look at each successor needs. (Always inline: a function that only
 * prefetches has no effect in the eyes of gcc, which then drops calls of it.) */
static inline __attribute__((always_inline)) void frame_prefetch(const struct diver *d,
                                                                 const uint32_t *block)
{
    const uint64_t *off = d->s->live->off.p;
    const uint32_t *marks = d->s->rindex.p;
    for (uint32_t e = 0; e < block_edges(block) && e < 16; e++) {
        uint32_t state = block[BLOCK_HEAD + e];
        uint32_t id = hunt_id(d->s, state, 0);
        __builtin_prefetch(&off[state]);
        __builtin_prefetch(&d->index_of[id]);
        __builtin_prefetch(&marks[id]);
    }
}

/* Moves the top frame on to a successor that is new. 1 = there is one, 0 = all edges are done, 2 =
 * all threads stop. */
static int frame_advance(struct diver *d, struct vertex *ret_next, struct err *err)
{
    const struct hunt *s = d->s;
    struct frame *f = (struct frame *)d->frames.p + (d->nframe - 1);
    const uint32_t *block = live_block(s->live, f->state);
    uint32_t *index_of = d->index_of;
    uint32_t own = hunt_id(s, f->state, f->t);
    uint32_t first = s->succ_at[f->t];
    uint32_t nsucc = s->succ_at[f->t + 1] - first;
    if (f->edge <= 1 && f->succ == 0) {
        frame_prefetch(d, block);
    }
    for (uint32_t e = f->edge >> 1; e <= block_edges(block); e++, f->edge += 2, f->succ = 0) {
        int rc = dive_poll(d, err);
        if (rc != 0) {
            return rc < 0 ? rc : 2;
        }
        if (f->succ == 0 && !step_ok(s, d->need, block_label(block, e))) {
            continue;
        }
        uint32_t state = block_target(block, e);
        while (f->succ < nsucc) {
            uint32_t place = s->succ[first + f->succ++];
            if (!hunt_has(s, state, place)) {
                continue;
            }
            uint32_t id = hunt_id(s, state, place);
            uint32_t r = index_of[id];
            if (r == 0 && (d->mode == MODE_ALONE || still_open(d, id))) {
                *ret_next = (struct vertex){state, place};
                return 1;
            }
            if (r == 0) {
                index_of[id] = DONE;
            } else if (r < index_of[own]) {
                index_of[own] = r;
                f->edge &= ~UINT32_C(1);
            }
        }
    }
    return 0;
}

/* The node that was popped last is part of a component that is not complete. Is it a giant, that
 * all threads should look for together: 2. */
static int giant_want(struct diver *d)
{
    struct scc *scc = d->scc;
    if (d->mode != MODE_TOGETHER || d->nstack <= scc->alone ||
        d->nstack <= scc->left / GIANT_SHARE || scc->tries == 0) {
        return 0;
    }
    pthread_mutex_lock(&scc->lock);
    scc->pivot = ((const struct vertex *)d->stack.p)[d->nstack - 1];
    int not = STOP_NOT;
    (void)atomic_compare_exchange_strong(&scc->stop, &not, STOP_GIANT);
    pthread_mutex_unlock(&scc->lock);
    return 2;
}

/* The top frame is done. When it is the root of a component, that is complete. */
static int frame_pop(struct diver *d, struct err *err)
{
    const struct hunt *s = d->s;
    struct frame f = ((struct frame *)d->frames.p)[--d->nframe];
    uint32_t *index_of = d->index_of;
    uint32_t lowest = hunt_id(s, f.state, f.t);
    uint32_t low = index_of[lowest];
    int rc = big_reserve(&d->stack, (d->nstack + 1) * sizeof(struct vertex), err);
    if (rc < 0) {
        return rc;
    }
    struct vertex *stack = d->stack.p;
    stack[d->nstack++] = (struct vertex){f.state, f.t};
    if ((f.edge & 1) == 0) {
        struct frame *up = (struct frame *)d->frames.p + (d->nframe - 1);
        uint32_t above = hunt_id(s, up->state, up->t);
        if (low < index_of[above]) {
            index_of[above] = low;
            up->edge &= ~UINT32_C(1);
        }
        return giant_want(d);
    }
    uint64_t from = d->nstack - 1;
    while (from > 0) {
        uint32_t id = hunt_id(s, stack[from - 1].state, stack[from - 1].t);
        if (index_of[id] < low) {
            break;
        }
        lowest = id < lowest ? id : lowest;
        from--;
    }
    uint64_t n = d->nstack - from;
    d->index -= (uint32_t)n;
    d->nstack = from;
    dive_component(d, stack + from, n, lowest);
    return 0;
}

/* All components reachable from a node, if it is new. 2 = all threads stop. */
static int dive(struct diver *d, uint32_t state, uint32_t place, struct err *err)
{
    uint32_t id = hunt_id(d->s, state, place);
    if (d->index_of[id] != 0 ||
        (MARK_FINAL | id) > atomic_load_explicit(&d->scc->best, memory_order_relaxed) ||
        (d->mode != MODE_ALONE && !still_open(d, id))) {
        return 0;
    }
    int rc = frame_push(d, state, place, err);
    while (rc == 0 && d->nframe > 0) {
        struct vertex next = {0};
        rc = frame_advance(d, &next, err);
        if (rc == 1) {
            rc = frame_push(d, next.state, next.t, err);
        } else if (rc == 0) {
            rc = frame_pop(d, err);
        }
    }
    if (rc != 0) {
        d->nframe = 0;
        d->nstack = 0;
        d->index = 0;
        d->dirty = true;
    }
    return rc;
}

/* ---- regions ---- */

/* Takes chunks of the region until there are none: of the nodes of a task, or of all states from
 * the last one down. */
static int dive_region(struct diver *d, struct err *err)
{
    struct scc *scc = d->scc;
    const struct hunt *s = d->s;
    uint64_t end = scc->region ? scc->region->n : s->live->nnode;
    int rc = 0;
    for (;;) {
        uint64_t at = atomic_fetch_add_explicit(&scc->next, CHUNK, memory_order_relaxed);
        for (uint64_t i = at; rc == 0 && i < end && i < at + CHUNK; i++) {
            if (scc->region) {
                rc = dive(d, scc->region->v[i].state, scc->region->v[i].t, err);
                continue;
            }
            uint32_t state = (uint32_t)(end - 1 - i);
            for (uint32_t place = 0; rc == 0 && place < s->comp->n; place++) {
                rc = hunt_has(s, state, place) ? dive(d, state, place, err) : 0;
            }
        }
        if (rc != 0 || at >= end) {
            return rc;
        }
    }
}

/* Indices of its own for a thread, all new in the region. */
static int dive_prepare(struct diver *d, enum mode mode, struct err *err)
{
    const struct task *region = d->scc->region;
    d->mode = mode;
    if (mode == MODE_ALONE) {
        d->index_of = d->s->rindex.p;
        return 0;
    }
    int rc = d->local.p ? 0 : big_reserve(&d->local, (d->s->count + 1) * sizeof(uint32_t), err);
    d->index_of = d->local.p;
    ASSERT(rc != 0 || d->index_of != NULL);
    if (rc == 0 && d->dirty) {
        memset(d->index_of, 0, d->s->count * sizeof *d->index_of);
        d->dirty = false;
    }
    for (uint64_t i = 0; rc == 0 && region && i < region->n; i++) {
        d->index_of[hunt_id(d->s, region->v[i].state, region->v[i].t)] = 0;
    }
    return rc;
}

static struct diver *diver_enter(struct scc *scc)
{
    return &scc->divers[atomic_fetch_add_explicit(&scc->entered, 1, memory_order_relaxed)];
}

static void *region_run(void *arg)
{
    struct scc *scc = arg;
    struct diver *d = diver_enter(scc);
    struct err err = {0};
    d->need = scc->region ? scc->region->need : NULL;
    int rc = dive_prepare(d, scc->n == 1 ? MODE_ALONE : MODE_TOGETHER, &err);
    rc = rc == 0 ? dive_region(d, &err) : rc;
    if (rc < 0) {
        scc_fail(scc, &err);
    }
    return NULL;
}

/* The tasks that the threads have made become those of all. */
static void scc_collect(struct scc *scc)
{
    for (unsigned i = 0; i < scc->n; i++) {
        while (scc->divers[i].tasks.n > 0) {
            VEC_PUSH(&scc->tasks, VEC_POP(&scc->divers[i].tasks));
        }
    }
}

/* Runs fn in all threads and collects the tasks they made. */
static int scc_spread(struct scc *scc, void *(*fn)(void *), struct err *err)
{
    atomic_store_explicit(&scc->entered, 0, memory_order_relaxed);
    atomic_store_explicit(&scc->next, 0, memory_order_relaxed);
    atomic_store_explicit(&scc->stop, STOP_NOT, memory_order_relaxed);
    live_spread(scc->n, fn, scc);
    scc_collect(scc);
    if (scc->failure.code) {
        *err = scc->failure;
        return -(int)scc->failure.code;
    }
    return 0;
}

/* Adds a part of a giant to the tally of the thread. The parts are equal, and the same in every
 * run: whether what another thread has found is heard of does not depend on how fast each is. */
static void *giant_run(void *arg)
{
    struct scc *scc = arg;
    struct diver *d = diver_enter(scc);
    uint64_t part = (uint64_t)(d - scc->divers);
    uint64_t begin = scc->ngiant * part / scc->n, end = scc->ngiant * (part + 1) / scc->n;
    d->need = scc->region ? scc->region->need : NULL;
    tally_add(d->s, d->need, &d->tally, scc->giant + begin, end - begin, scc->giant_mark);
    return NULL;
}

/* The giant that a thread has seen: found, marked and judged. */
static int giant_take(struct scc *scc, struct err *err)
{
    struct hunt *s = scc->s;
    struct vertex *v = NULL;
    const uint32_t *marks = s->rindex.p;
    scc->tries--;
    if (marks[hunt_id(s, scc->pivot.state, scc->pivot.t)] != 0) {
        return 0; /* another thread has completed it meanwhile */
    }
    int rc = live_giant_find(s, scc->region ? scc->region->need : NULL, scc->pivot, &v,
                             &scc->ngiant, err);
    if (rc == 1) {
        scc->giant = v;
        scc->giant_mark = marks[hunt_id(s, v[0].state, v[0].t)];
        scc->left -= scc->ngiant;
        for (unsigned i = 0; i < scc->n; i++) {
            tally_reset(s, &scc->divers[i].tally);
        }
        rc = scc_spread(scc, giant_run, err);
        for (unsigned i = 1; i < scc->n; i++) {
            tally_join(s, &scc->divers[0].tally, &scc->divers[i].tally);
        }
        if (rc == 0 && scc->ngiant > 1) {
            dive_judge(&scc->divers[0], v, scc->ngiant, scc->giant_mark);
        }
    }
    vec_release(v);
    return rc;
}

/* All components of a region; its nodes are open. */
static int region_search(struct scc *scc, const struct task *region, uint64_t left, struct err *err)
{
    int rc = 0;
    scc->region = region;
    scc->left = left;
    scc->tries = GIANT_TRIES;
    for (bool more = true; rc == 0 && more;) {
        rc = scc_spread(scc, region_run, err);
        more = rc == 0 && atomic_load(&scc->stop) == STOP_GIANT;
        rc = more ? giant_take(scc, err) : rc;
    }
    scc->region = NULL;
    return rc;
}

/* ---- tasks ---- */

static void task_open(const struct hunt *s, const struct task *task, uint32_t value)
{
    uint32_t *marks = s->rindex.p;
    for (uint64_t i = 0; i < task->n; i++) {
        __atomic_store_n(&marks[hunt_id(s, task->v[i].state, task->v[i].t)], value,
                         __ATOMIC_RELAXED);
    }
}

/* One task, by one thread. */
static int dive_task(struct diver *d, const struct task *task, struct err *err)
{
    int rc = dive_prepare(d, MODE_APART, err);
    d->tag = (task->mark & ~MARK_FINAL) + 1;
    d->need = task->need;
    task_open(d->s, task, d->tag);
    for (uint64_t i = 0; rc == 0 && i < task->n; i++) {
        d->index_of[hunt_id(d->s, task->v[i].state, task->v[i].t)] = 0;
    }
    for (uint64_t i = 0; rc == 0 && i < task->n; i++) {
        rc = dive(d, task->v[i].state, task->v[i].t, err);
    }
    return rc;
}

/* Takes tasks until there are none; those that come of them it does at once. */
static void *tasks_run(void *arg)
{
    struct scc *scc = arg;
    struct diver *d = diver_enter(scc);
    struct err err = {0};
    int rc = 0;
    while (rc == 0) {
        struct task task;
        if (d->tasks.n > 0) {
            task = VEC_POP(&d->tasks);
        } else {
            uint64_t at = atomic_fetch_add_explicit(&scc->next, 1, memory_order_relaxed);
            if (at >= scc->tasks.n) {
                break;
            }
            task = scc->tasks.v[at];
            scc->tasks.v[at] = (struct task){0};
        }
        if (task.mark < atomic_load_explicit(&scc->best, memory_order_relaxed)) {
            rc = dive_task(d, &task, &err);
        }
        task_done(&task);
    }
    if (rc < 0) {
        scc_fail(scc, &err);
    }
    return NULL;
}

static void tasks_clear(struct scc *scc)
{
    while (scc->tasks.n > 0) {
        task_done(&VEC_LAST(&scc->tasks));
        scc->tasks.n--;
    }
}

static bool task_large(const struct scc *scc, const struct task *task)
{
    return scc->n == 1 || task->n > scc->alone;
}

/* Tasks, and those that come of them, until none is left: the large ones first. */
static int tasks_search(struct scc *scc, struct err *err)
{
    int rc = 0;
    while (rc == 0 && scc->tasks.n > 0) {
        size_t at = 0;
        while (at < scc->tasks.n && !task_large(scc, &scc->tasks.v[at])) {
            at++;
        }
        if (at == scc->tasks.n) {
            rc = scc_spread(scc, tasks_run, err);
            tasks_clear(scc);
            continue;
        }
        struct task task = scc->tasks.v[at];
        scc->tasks.v[at] = VEC_LAST(&scc->tasks);
        scc->tasks.n--;
        if (task.mark < atomic_load_explicit(&scc->best, memory_order_relaxed)) {
            task_open(scc->s, &task, 0);
            rc = region_search(scc, &task, task.n, err);
        }
        task_done(&task);
    }
    return rc;
}

/* ---- life ---- */

/* How many threads: indices of their own must not use up the memory. */
static unsigned scc_threads(const struct hunt *s, uint64_t left, uint64_t alone)
{
    unsigned n = s->threads < DIVERS_MAX ? s->threads : DIVERS_MAX;
    uint64_t each = s->count * sizeof(uint32_t);
    n = left > alone ? n : 1;
    while (n > 1 && s->mem->limit && n * each > s->mem->limit / 2) {
        n--;
    }
    return n ? n : 1;
}

static void scc_done(struct scc *scc)
{
    scc_collect(scc);
    tasks_clear(scc);
    VEC_DONE(&scc->tasks);
    for (unsigned i = 0; i < scc->n; i++) {
        struct diver *d = &scc->divers[i];
        big_done(&d->local);
        big_done(&d->frames);
        big_done(&d->stack);
        tally_done(&d->tally);
        VEC_DONE(&d->tasks);
    }
    vec_release(scc->divers);
    pthread_mutex_destroy(&scc->lock);
}

int live_scc_search(struct hunt *s, uint64_t left, struct err *err)
{
    struct scc scc = {.s = s, .alone = s->alone ? s->alone : ALONE};
    scc.n = scc_threads(s, left, scc.alone);
    pthread_mutex_init(&scc.lock, NULL);
    atomic_init(&scc.best, UINT32_MAX);
    scc.divers = hunt_scratch(scc.n, sizeof *scc.divers);
    for (unsigned i = 0; i < scc.n; i++) {
        struct diver *d = &scc.divers[i];
        d->scc = &scc;
        d->s = s;
        big_init(&d->local, s->mem);
        big_init(&d->frames, s->mem);
        big_init(&d->stack, s->mem);
        tally_init(s, &d->tally);
    }
    int rc = region_search(&scc, NULL, left, err);
    rc = rc == 0 ? tasks_search(&scc, err) : rc;
    if (rc == 0 && atomic_load(&scc.best) != UINT32_MAX) {
        rc = 1;
    }
    scc_done(&scc);
    return rc;
}

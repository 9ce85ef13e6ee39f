/* Depth-first search with iterative deepening, as TLC's -dfid.
 *
 * Iteration k goes again through all states whose depth is below k and which are not done, each
 * once and at its least depth, and so finds the states of depth k. A state is done when all its
 * successors are; done states are not entered again. The search ends when an iteration finds
 * nothing at its deepest level, or at the greatest depth. Which successor comes first is drawn from
 * the seeded generator. Fingerprints stay in memory with a word of status each. One worker; no
 * temporal properties. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/store.h"
#include "model/model.h"

/* Status of a fingerprint: depth << 2 | bits. An entry is marked with the number of the iteration's
 * parity when it needs no more visits in it. */
enum { DONE = 1, MARK = 2 };

struct succ {
    uint64_t fp;
    uint32_t action;
    size_t offset, len; /* in the frame's bytes */
};

struct frame {
    struct strbuf bytes;
    VEC(struct succ) succs;
};

struct dfid {
    struct worker *w;
    struct u64map status;
    uint64_t limit; /* entries */
    uint64_t depth; /* of this iteration */
    uint64_t mark;  /* 0 or MARK: what a finished entry has in this iteration */
    struct frame init;
    VEC(struct frame) frames;    /* [i]: successors of path[i] */
    VEC(struct check_step) path; /* from an initial state to the current one */
    bool all_done, no_leaf;      /* of the successors of the current state */
    bool more;                   /* something was found at the deepest level */
};

static bool needs_visit(const struct dfid *d, uint64_t status)
{
    return (status & MARK) != d->mark && (status & DONE) == 0;
}

/* Adds the fingerprint or gives its status; true when it is new. */
static bool put(struct dfid *d, uint64_t fp, uint64_t *ret_status)
{
    if (u64map_get(&d->status, fp, ret_status)) {
        return false;
    }
    *ret_status = d->depth << 2 | d->mark;
    u64map_put(&d->status, fp, *ret_status);
    if (d->status.n > d->limit) {
        struct err err = {0};
        (void)err_set(&err, ERR_FULL, 0, "iterative deepening keeps all fingerprints in memory");
        search_fail(d->w->search, &err);
    }
    return true;
}

static void frame_add(struct frame *frame, struct worker *w, const struct candidate *cand)
{
    size_t offset = frame->bytes.n;
    w->search->ops->save(w->model, &frame->bytes);
    VEC_PUSH(&frame->succs, (struct succ){.fp = cand->fp,
                                          .action = cand->action,
                                          .offset = offset,
                                          .len = frame->bytes.n - offset});
}

static void frame_reset(struct frame *frame)
{
    strbuf_reset(&frame->bytes);
    VEC_RESET(&frame->succs);
}

static int init_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    struct dfid *d = w->dfid;
    struct search *s = w->search;
    (void)model;
    w->ordinal++;
    search_count_generated(w, cand->action);
    s->init_generated++;
    int inside = candidate_in_model(w, cand);
    if (inside < 0 || atomic_load_explicit(&s->abort, memory_order_relaxed)) {
        return 1;
    }
    uint64_t status = 0;
    if (inside) {
        if (!put(d, cand->fp, &status)) {
            return 0;
        }
        search_count_new(w, cand);
        frame_add(&d->init, w, cand);
    }
    return search_init_check(w, cand);
}

static int next_sink(void *arg, struct mworker *model, const struct candidate *cand)
{
    struct worker *w = arg;
    struct dfid *d = w->dfid;
    (void)model;
    w->ordinal++;
    search_count_generated(w, cand->action);
    int inside = candidate_in_model(w, cand);
    if (inside < 0 || atomic_load_explicit(&w->search->abort, memory_order_relaxed)) {
        return 1;
    }
    bool fresh = true;
    if (inside) {
        uint64_t status = 0;
        fresh = put(d, cand->fp, &status);
        if (fresh) {
            search_count_new(w, cand);
        }
        d->all_done = d->all_done && (status & DONE) != 0;
        d->no_leaf = d->no_leaf && status >> 2 != d->depth;
        if (needs_visit(d, status)) {
            frame_add(&d->frames.v[w->level - 1], w, cand);
        }
    }
    int stop = 0;
    (void)candidate_check(w, cand, fresh, false, &stop);
    search_stats(w->search, w);
    return stop;
}

/* Computes the successors of the last state of the path. Returns false when the search is over. */
static bool enter(struct dfid *d)
{
    struct worker *w = d->w;
    struct search *s = w->search;
    size_t last = d->path.n - 1;
    while (d->frames.n <= last) {
        VEC_PUSH(&d->frames, (struct frame){0});
    }
    frame_reset(&d->frames.v[last]);
    w->current = d->path.v[last];
    w->level = d->path.n;
    w->past = d->path.v;
    w->npast = d->path.n;
    w->ordinal = 0;
    d->all_done = true;
    d->no_leaf = true;
    int status = s->ops->load(w->model, w->current.bytes, w->current.len, w->level);
    if (status == MODEL_OK) {
        status = s->ops->next(w->model, next_sink, w);
    }
    if (status == MODEL_ERROR) {
        (void)violation_error(w, -1, PHASE_NEXT, NULL, false);
    } else if (status == MODEL_OK && w->ordinal == 0 && s->model->check_deadlock) {
        (void)violation_note(w, VERDICT_DEADLOCK, -1, PHASE_NEXT, NULL, false);
    }
    d->more = d->more || !d->no_leaf;
    uint64_t own = 0;
    if (d->all_done && u64map_get(&d->status, w->current.fp, &own)) {
        u64map_put(&d->status, w->current.fp, own | DONE);
    }
    if ((atomic_exchange_explicit(&s->request, 0, memory_order_relaxed) & REQ_STOP) ||
        search_interrupted(s)) {
        s->stopped = true;
    }
    return !s->fatal && !s->failed && !s->stopped;
}

/* Draws an entry of the frame that still needs a visit and has depth `depth`; others are removed on
 * the way. */
static bool draw(struct dfid *d, struct frame *frame, uint64_t depth, struct check_step *ret_step)
{
    while (frame->succs.n > 0) {
        size_t i = (size_t)rng_below(&d->w->rng, frame->succs.n);
        struct succ succ = frame->succs.v[i];
        uint64_t status = 0;
        if (u64map_get(&d->status, succ.fp, &status) && needs_visit(d, status) &&
            status >> 2 >= depth) {
            *ret_step = (struct check_step){.fp = succ.fp,
                                            .action = succ.action,
                                            .bytes = (const uint8_t *)frame->bytes.p + succ.offset,
                                            .len = succ.len};
            return true;
        }
        frame->succs.v[i] = VEC_POP(&frame->succs);
    }
    return false;
}

/* Everything that can be reached from the last state of the path. Frames may move while deeper ones
 * are made, but not their bytes. */
static bool explore(struct dfid *d)
{
    size_t floor = d->path.n;
    bool go_on = enter(d);
    while (go_on) {
        struct check_step next;
        if (draw(d, &d->frames.v[d->path.n - 1], d->path.n + 1, &next)) {
            VEC_PUSH(&d->path, next);
            go_on = enter(d);
            continue;
        }
        uint64_t status = 0;
        uint64_t fp = VEC_LAST(&d->path).fp;
        if (u64map_get(&d->status, fp, &status)) {
            u64map_put(&d->status, fp, (status & ~(uint64_t)MARK) | d->mark);
        }
        d->path.n--;
        if (d->path.n < floor) {
            break;
        }
    }
    return go_on;
}

/* One iteration: all initial states that need a visit. The frame of initial states is drawn empty,
 * so it is copied. */
static bool iterate(struct dfid *d)
{
    struct frame inits = {.bytes = d->init.bytes};
    bool go_on = true;
    struct check_step root;
    for (size_t i = 0; i < d->init.succs.n; i++) {
        VEC_PUSH(&inits.succs, d->init.succs.v[i]);
    }
    d->more = false;
    while (go_on && draw(d, &inits, 1, &root)) {
        VEC_RESET(&d->path);
        VEC_PUSH(&d->path, root);
        go_on = explore(d);
    }
    VEC_DONE(&inits.succs);
    return go_on;
}

static void deepen(struct dfid *d)
{
    struct search *s = d->w->search;
    bool go_on = !s->fatal && !s->failed;
    for (uint64_t depth = 2; go_on && depth <= s->opt->depth_max; depth++) {
        d->depth = depth;
        d->mark = MARK - d->mark;
        search_event(s, CHECK_EV_LEVEL);
        go_on = iterate(d);
        if (go_on && !d->more) {
            s->complete = true;
            return;
        }
    }
}

static void *dfid_main(void *arg)
{
    struct worker *w = arg;
    struct search *s = w->search;
    struct dfid d = {.w = w, .depth = 1, .limit = s->opt->memory_bytes / 32};
    d.limit = d.limit ? d.limit : memory_available() / 40;
    w->dfid = &d;
    rng_seed(&w->rng, s->opt->seed);
    if (search_worker_begin(w) == 0) {
        search_init_states(w, init_sink);
        s->init_distinct = atomic_load(&w->distinct);
        if (!s->fatal && !s->failed) {
            search_event(s, CHECK_EV_INIT_DONE);
        }
        deepen(&d);
        violations_settle(s, w);
    }
    search_finish(w);
    u64map_done(&d.status);
    for (size_t i = 0; i < d.frames.n; i++) {
        strbuf_done(&d.frames.v[i].bytes);
        VEC_DONE(&d.frames.v[i].succs);
    }
    VEC_DONE(&d.frames);
    strbuf_done(&d.init.bytes);
    VEC_DONE(&d.init.succs);
    VEC_DONE(&d.path);
    w->dfid = NULL;
    w->past = NULL;
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    pthread_cond_signal(&s->coordinator);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int search_dfid(struct search *s, struct err *err)
{
    return search_run(s, dfid_main, err);
}

/* All orders, depth first, each state once: the slow and obvious search, which needs no
 * independence. A state is known by its hash without clocks and by what the bounds have counted on
 * the way there; one that was seen is not gone on from. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/explore.h"
#include "explore/explore_int.h"
#include "explore/policy.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "world/world.h"

/* A state on the way, and what was possible there. */
struct frame {
    VEC(uint64_t) possible;
    size_t next;
    uint64_t counted; /* hash of what the bounds count, up to here */
};
struct dfs {
    struct search *s;
    VEC(struct frame) frames;
    VEC(uint64_t) path; /* events between them */
    struct u64map seen;
};

static void push_frame(struct dfs *d, const struct walk *walk, uint64_t counted)
{
    struct frame frame = {.counted = counted};
    size_t i = walk->from.n != 0 ? walk->from.v[walk->from.n - 1] : walk->possible.n;
    for (; i < walk->possible.n; i++) {
        VEC_PUSH(&frame.possible, walk->possible.v[i].name);
    }
    d->s->result->counts.waiting += frame.possible.n;
    VEC_PUSH(&d->frames, frame);
}

static void pop_frame(struct dfs *d)
{
    struct frame frame = VEC_POP(&d->frames);
    VEC_DONE(&frame.possible);
    d->path.n -= d->path.n != 0 ? 1 : 0;
}

/* Goes to the path; known events are not told again. */
static int visit(struct dfs *d, size_t known, struct walk *ret, struct err *err)
{
    struct walk_task task = {.policy = WALK_STAY, .possible = true, .known = known, .seen = true};
    uint64_t tag = 0;
    for (size_t i = 0; i < d->path.n; i++) {
        VEC_PUSH(&task.path, d->path.v[i]);
    }
    int status = crew_ask(d->s->crew, &task, 0, err);
    xwalk_task_done(&task);
    return status != 0 ? status : crew_take(d->s->crew, &tag, ret, err);
}

/* What the bounds count of an event; deliveries count for the depth only. */
static uint64_t count(const struct cluster *cluster, uint64_t before, const struct xevent *x)
{
    bool free = x->event.kind == EV_DELIVER && cluster->explore.depth >= CLUSTER_DEPTH_DEFAULT;
    return before + (free ? 0 : hash_mix(hash_combine((uint64_t)x->event.kind, x->node[0])));
}

static int one_step(struct dfs *d, struct err *err)
{
    struct explore_counts *counts = &d->s->result->counts;
    struct frame *top = &VEC_LAST(&d->frames);
    if (top->next == top->possible.n) {
        pop_frame(d);
        return 0;
    }
    struct walk walk = {0};
    VEC_PUSH(&d->path, top->possible.v[top->next++]);
    counts->waiting--;
    int status = visit(d, d->path.n - 1, &walk, err);
    if (status != 0 || walk.steps.n == 0) {
        if (status == 0) {
            xsearch_note(d->s, &walk, d->path.v, d->path.n, counts->walks + 1);
        }
        d->path.n--;
        xwalk_done(&walk);
        return status;
    }
    uint64_t counted = count(d->s->o->cluster, top->counted, &walk.steps.v[0].event), known = 0;
    uint64_t key = hash_combine(walk.steps.v[0].state, counted);
    bool seen = walk.steps.v[0].state != 0 && u64map_get(&d->seen, key, &known);
    u64map_put(&d->seen, key, 1);
    counts->states = d->seen.n;
    counts->pruned += seen ? 1 : 0;
    walk.end = walk.end == WALK_BLOCKED ? WALK_COMPLETE : walk.end; /* it was to stay there */
    xsearch_note(d->s, &walk, d->path.v, d->path.n, counts->walks + 1);
    push_frame(d, &walk, counted);
    struct frame *new = &VEC_LAST(&d->frames);
    counts->traces += !seen && new->possible.n == 0 ? 1 : 0;
    if (seen || walk.failure.kind != FAILURE_NONE) {
        counts->waiting -= new->possible.n;
        new->next = new->possible.n;
    }
    xwalk_done(&walk);
    return 0;
}

int dfs_search(struct search *s, struct err *err)
{
    struct dfs d = {.s = s};
    struct walk walk = {0};
    int status = visit(&d, 0, &walk, err);
    if (status == 0) {
        push_frame(&d, &walk, 0);
        if (walk.failure.kind != FAILURE_NONE) { /* before anything was done */
            xsearch_note(s, &walk, NULL, 0, 1);
        }
    }
    xwalk_done(&walk);
    while (status == 0 && d.frames.n != 0 && xsearch_goes_on(s)) {
        status = one_step(&d, err);
    }
    s->result->complete =
        status == 0 && d.frames.n == 0 && !s->over && s->result->counts.broken == 0;
    while (d.frames.n != 0) {
        pop_frame(&d);
    }
    VEC_DONE(&d.frames);
    VEC_DONE(&d.path);
    u64map_done(&d.seen);
    return status;
}

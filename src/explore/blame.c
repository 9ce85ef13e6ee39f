/* When a failure became inevitable.
 *
 * The chance that a random future fails is estimated at the root and at the end, and then half way
 * between any two neighbours whose chances differ, until they are one event apart or close: a
 * bisection that finds every large rise, also where the chance is not monotone. Futures are random
 * walks (walk.h) from snapshots that stay where they are. */
#include "explore/blame.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/record.h"
#include "world/world.h"

#define ALMOST 0.9      /* certain */
#define CLOSE  0.15     /* chances that do not differ */
enum { FURTHER = 200 }; /* events that a future may have beyond the recorded run */

struct blaming {
    const struct blame_options *o;
    struct space *space;
    VEC(uint64_t) names; /* of the recorded events, from the root on */
    struct failure failure;
    struct blame *ret;
};

void blame_done(struct blame *blame)
{
    VEC_DONE(&blame->points);
    strbuf_done(&blame->event);
    strbuf_done(&blame->jump_event);
}

void blame_interval(uint32_t failed, uint32_t drawn, double *ret_low, double *ret_high)
{
    const double z = 1.959964; /* 95 in 100 */
    double n = drawn, p = n > 0 ? failed / n : 0.5, zz = z * z;
    if (drawn == 0) {
        *ret_low = 0;
        *ret_high = 1;
        return;
    }
    double middle = (p + zz / (2 * n)) / (1 + zz / n);
    double half = z / (1 + zz / n) * sqrt(p * (1 - p) / n + zz / (4 * n * n));
    *ret_low = failed == 0 ? 0 : middle - half;
    *ret_high = failed == drawn ? 1 : middle + half;
}

/* ---- the recorded run ---- */

/* A recording names a packet by its id alone. */
static bool same_event(const struct event *a, const struct event *b)
{
    bool packet = a->kind == EV_DELIVER || a->kind == EV_DROP || a->kind == EV_DUPLICATE;
    bool thread = a->kind == EV_TIMER || a->kind == EV_THREAD;
    return a->kind == b->kind && a->id == b->id && (packet || a->node == b->node) &&
           (packet || thread || (a->peer == b->peer && a->arg == b->arg));
}

/* Does the recorded events, and notes their names. */
static int follow(struct blaming *b, struct err *err)
{
    const struct record *record = b->o->record;
    size_t first = space_boot(b->space);
    int status = 0;
    b->ret->first = first;
    for (size_t i = first; status == 0 && i < record->choices.n; i++) {
        const struct xevent *list = NULL;
        size_t n = space_events(b->space, &list), k = 0;
        while (k < n && !same_event(&list[k].event, &record->choices.v[i].event)) {
            k++;
        }
        if (k == n) {
            return err_set(err, ERR_INVALID, 0,
                           "event %zu of the recording is not one of a search of this cluster; "
                           "blame takes recordings that `assay explore` made",
                           i + 1);
        }
        VEC_PUSH(&b->names, list[k].name);
        status = space_do(b->space, list[k].name, err);
    }
    status = status != 0 ? status : space_finish(b->space, err);
    b->failure = *space_failure(b->space);
    if (status == 0 && b->failure.kind == FAILURE_NONE) {
        return err_set(err, ERR_INVALID, 0, "the recorded run does not fail");
    }
    return status;
}

/* ---- futures ---- */

static int draw(struct blaming *b, size_t at, struct blame_point *point, struct err *err)
{
    struct walk_task task = {.policy = WALK_RANDOM, .length = b->names.n + FURTHER};
    int status = 0;
    for (size_t i = 0; i < at; i++) {
        VEC_PUSH(&task.path, b->names.v[i]);
    }
    task.known = at;
    for (uint32_t i = 0; status == 0 && i < b->o->futures; i++) {
        struct walk walk = {0};
        bool stop = b->o->interrupted != NULL && *b->o->interrupted != 0;
        task.seed = hash_combine(hash_combine(b->o->seed, 0x626c616d65), i);
        status = stop ? err_set(err, ERR_INTERRUPTED, 0, "interrupted")
                      : xwalk_do(b->space, b->o->cluster, &task, &walk, err);
        point->drawn += status == 0 ? 1 : 0;
        point->failed += status == 0 && failure_same(&walk.failure, &b->failure) ? 1 : 0;
        xwalk_done(&walk);
    }
    xwalk_task_done(&task);
    blame_interval(point->failed, point->drawn, &point->low, &point->high);
    return status;
}

/* Of what was drawn at a place, with `at` counted from the root on; it is drawn once. */
static int estimate(struct blaming *b, size_t at, double *ret, struct err *err)
{
    struct blame_point point = {.events = b->ret->first + at};
    int status = 0;
    if (at == b->names.n) { /* it has failed */
        point.drawn = point.failed = b->o->futures;
        blame_interval(point.failed, point.drawn, &point.low, &point.high);
    } else {
        status = draw(b, at, &point, err);
    }
    *ret = point.drawn != 0 ? (double)point.failed / point.drawn : 0;
    VEC_PUSH(&b->ret->points, point);
    return status;
}

static int between(struct blaming *b, size_t low, double low_p, size_t high, double high_p,
                   struct err *err)
{
    if (high - low < 2 || fabs(high_p - low_p) < CLOSE) {
        return 0;
    }
    size_t half = low + (high - low) / 2;
    double p = 0;
    int status = estimate(b, half, &p, err);
    status = status != 0 ? status : between(b, low, low_p, half, p, err);
    return status != 0 ? status : between(b, half, p, high, high_p, err);
}

static int by_events(const void *a, const void *b)
{
    size_t x = ((const struct blame_point *)a)->events, y = ((const struct blame_point *)b)->events;
    return (x > y) - (x < y);
}

static double chance(const struct blame_point *point)
{
    return point->drawn != 0 ? (double)point->failed / point->drawn : 0;
}

static void judge(struct blaming *b)
{
    struct blame *r = b->ret;
    double rise = -1;
    qsort(r->points.v, r->points.n, sizeof r->points.v[0], by_events);
    r->at = r->points.n - 1;
    while (r->at > 0 && chance(&r->points.v[r->at - 1]) >= ALMOST) {
        r->at--;
    }
    for (size_t i = 1; i < r->points.n; i++) {
        double more = chance(&r->points.v[i]) - chance(&r->points.v[i - 1]);
        if (more > rise) {
            rise = more;
            r->jump = i;
        }
    }
}

static int tell(struct blaming *b, size_t point, struct strbuf *out, struct err *err)
{
    size_t events = b->ret->points.v[point].events - b->ret->first, done = 0;
    if (events == 0) {
        strbuf_adds(out, "the beginning");
        return 0;
    }
    int status = space_go(b->space, b->names.v, events, &done, err);
    if (status == 0 && done == events) {
        xevent_print(b->o->cluster, &space_step(b->space, events - 1)->event, out);
    }
    return status;
}

int blame_find(const struct blame_options *o, struct blame *ret, struct err *err)
{
    struct blaming b = {.o = o, .ret = ret};
    struct space_options options = {.cluster = o->cluster,
                                    .seed = o->record->seed,
                                    .dir = o->dir,
                                    .interrupted = o->interrupted,
                                    .dependent = o->cluster->dependent,
                                    .snapshots = true};
    double begin = 0, end = 0;
    *ret = (struct blame){0};
    int status = space_open(&options, &b.space, err);
    status = status != 0 ? status : follow(&b, err);
    status = status != 0 ? status : estimate(&b, b.names.n, &end, err);
    status = status != 0 ? status : estimate(&b, 0, &begin, err);
    status = status != 0 ? status : between(&b, 0, begin, b.names.n, end, err);
    if (status == 0) {
        judge(&b);
        status = tell(&b, ret->at, &ret->event, err);
        status = status != 0 ? status : tell(&b, ret->jump, &ret->jump_event, err);
    }
    VEC_DONE(&b.names);
    space_close(b.space);
    return status;
}

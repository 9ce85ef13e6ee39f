/* When a failure became inevitable.
 *
 * The chance that a future fails is estimated at the root and at the end, and then half way between
 * any two neighbours whose chances differ, until they are one event apart or close: a bisection
 * that finds every large rise, also where the chance is not monotone. Short runs are looked at
 * after every event, and the largest rises are drawn again, more often.
 *
 * What a future may do decides what is blamed. If it may do anything, more timers and faults come
 * than in the run, and they hide what the run has come to: a cluster with two leaders gets out of
 * it by electing a third. So what comes from outside, timers, faults, clients, other threads, is as
 * in the rest of the run and in its order, and when it comes, and which packet is next, is drawn.
 *
 * With that alone, whatever is on its way is certain to arrive, and a wrong line is blamed on the
 * event that has sent the packet, or on one long before it. But an event answers only for what it
 * has done itself. So of the packets that were on their way before it, half are lost; what it has
 * sent arrives.
 *
 * Where the inputs alone lead to the failure, as in a run whose beginning was told by hand, it is
 * certain from the beginning on, which says nothing. Then nothing is taken for certain but what the
 * event itself has sent: of all that comes from outside later, and of all other packets, half do
 * not come. What is blamed is the event after which nothing else was needed. */
#include "explore/blame.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/recorded.h"
#include "explore/space.h"
#include "run/failure.h"
#include "world/world.h"

#define ALMOST 0.9  /* certain */
#define CLOSE  0.15 /* chances that do not differ */
enum {
    FURTHER = 200,   /* events that a future may have beyond the recorded run */
    EVERYWHERE = 64, /* events of a run that is looked at after each */
    RISES = 6,       /* that are drawn again, */
    AGAIN = 4        /* so many times as often */
};

struct blaming {
    const struct blame_options *o;
    struct space *space;
    VEC(uint64_t) names; /* of the recorded events, from the root on */
    VEC(struct xevent) events;
    VEC(uint64_t) lost; /* names of packets that do not arrive in this future */
    VEC(bool) absent;   /* [events]: what of the rest does not come from outside in this future */
    VEC(uint64_t) kept; /* numbers of packets that the last event has sent: they arrive */
    uint64_t salt;      /* of this future */
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

/* Does the recorded events, and notes their names. */
static int follow(struct blaming *b, struct err *err)
{
    int status = recorded_space(&b->o->of, "blame", &b->space, err);
    b->ret->first = status == 0 ? space_boot(b->space) : 0;
    for (size_t i = 0; status == 0 && i < space_depth(b->space); i++) {
        VEC_PUSH(&b->names, space_step(b->space, i)->event.name);
        VEC_PUSH(&b->events, space_step(b->space, i)->event);
    }
    b->failure = status == 0 ? *space_failure(b->space) : b->failure;
    return status;
}

/* ---- futures ---- */

static bool is_packet(const struct xevent *x)
{
    return x->event.kind == EV_DELIVER;
}

/* Draws what does not come from outside, where nothing of it is certain: each in one future of two.
 */
static void leave_out(struct blaming *b, size_t at, struct rng *rng)
{
    b->absent.n = 0;
    for (size_t i = 0; i < b->events.n; i++) {
        bool rest = b->ret->uncertain && i >= at && !is_packet(&b->events.v[i]);
        VEC_PUSH(&b->absent, rest && rng_below(rng, 2) == 0);
    }
}

/* The next event of the rest that comes from outside, if it is possible; n: it is not. */
static size_t find_input(const struct blaming *b, size_t *at, const struct xevent *list, size_t n)
{
    while (*at < b->events.n && (is_packet(&b->events.v[*at]) || b->absent.v[*at])) {
        (*at)++;
    }
    size_t i = 0;
    while (*at < b->events.n && i < n && list[i].name != b->events.v[*at].name) {
        i++;
    }
    return *at < b->events.n ? i : n;
}

static bool has_number(const uint64_t *list, size_t n, uint64_t number)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] == number) {
            return true;
        }
    }
    return false;
}

/* Where nothing is certain, that holds for packets that are sent later, too. */
static bool is_lost(const struct blaming *b, const struct xevent *x)
{
    return b->ret->uncertain ? !has_number(b->kept.v, b->kept.n, x->event.id) &&
                                   (hash_combine(b->salt, x->name) & 1) != 0
                             : has_number(b->lost.v, b->lost.n, x->name);
}

static bool was_sent(const struct xstep *step, const struct xevent *x)
{
    for (size_t i = 0; i < step->sent.n; i++) {
        if (step->sent.v[i].id == x->event.id) {
            return true;
        }
    }
    return false;
}

/* Draws what does not arrive: each packet that is on its way, unless the last event has sent it, in
 * one future of two. */
static void lose(struct blaming *b, struct rng *rng)
{
    const struct xevent *list = NULL;
    size_t n = space_events(b->space, &list), depth = space_depth(b->space);
    const struct xstep *last = depth != 0 ? space_step(b->space, depth - 1) : NULL;
    b->lost.n = b->kept.n = 0;
    for (size_t i = 0; last != NULL && i < last->sent.n; i++) {
        VEC_PUSH(&b->kept, last->sent.v[i].id);
    }
    for (size_t i = 0; i < n; i++) {
        bool before = is_packet(&list[i]) && (last == NULL || !was_sent(last, &list[i]));
        if (before && rng_below(rng, 2) == 0) {
            VEC_PUSH(&b->lost, list[i].name);
        }
    }
}

/* One event of a future: the next one from outside, or any packet. What is not possible from
 * outside when nothing else is left is passed over. ret_over: nothing was left. */
static int one_event(struct blaming *b, struct rng *rng, size_t *at, bool *ret_over,
                     struct err *err)
{
    const struct xevent *list = NULL;
    size_t n = space_events(b->space, &list), packets = 0;
    size_t input = find_input(b, at, list, n), chosen = n;
    for (size_t i = 0; i < n; i++) {
        if (is_packet(&list[i]) && !is_lost(b, &list[i])) {
            chosen = rng_below(rng, ++packets) == 0 ? i : chosen;
        }
    }
    if (input < n && (chosen == n || rng_below(rng, packets + 1) == 0)) {
        chosen = input;
        (*at)++;
    }
    if (chosen == n) {
        *ret_over = *at >= b->events.n;
        *at += *ret_over ? 0 : 1;
        return 0;
    }
    return space_do(b->space, list[chosen].name, err);
}

static int one_future(struct blaming *b, size_t at, struct rng *rng, bool *ret_failed,
                      struct err *err)
{
    size_t done = 0, most = b->names.n + FURTHER;
    bool over = false;
    int status = space_go(b->space, b->names.v, at, &done, err);
    if (status == 0) {
        lose(b, rng);
        leave_out(b, at, rng);
        b->salt = rng_next(rng);
    }
    while (status == 0 && !over && space_failure(b->space)->kind == FAILURE_NONE &&
           space_depth(b->space) < most) {
        status = one_event(b, rng, &at, &over, err);
    }
    status = status != 0 ? status : space_finish(b->space, err);
    *ret_failed = status == 0 && failure_same(space_failure(b->space), &b->failure);
    return status;
}

static int draw(struct blaming *b, size_t at, uint32_t times, struct blame_point *point,
                struct err *err)
{
    int status = 0;
    for (uint32_t i = 0; status == 0 && i < times; i++) {
        struct rng rng;
        bool failed = false;
        bool stop = b->o->of.interrupted != NULL && *b->o->of.interrupted != 0;
        rng_seed(&rng, hash_combine(hash_combine(b->o->seed, at + 1), point->drawn));
        status = stop ? err_set(err, ERR_INTERRUPTED, 0, "interrupted")
                      : one_future(b, at, &rng, &failed, err);
        point->drawn += status == 0 ? 1 : 0;
        point->failed += failed ? 1 : 0;
    }
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
        status = draw(b, at, b->o->futures, &point, err);
    }
    *ret = point.drawn != 0 ? (double)point.failed / point.drawn : 0;
    VEC_PUSH(&b->ret->points, point);
    return status;
}

static int between(struct blaming *b, size_t low, double low_p, size_t high, double high_p,
                   struct err *err)
{
    bool close = b->names.n > EVERYWHERE && fabs(high_p - low_p) < CLOSE;
    if (high - low < 2 || close) {
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

static double rise(const struct blame *r, size_t i)
{
    return chance(&r->points.v[i]) - chance(&r->points.v[i - 1]);
}

/* Where the chance seems to rise most it is drawn more often: of many rises the largest is likely
 * to be so by chance. */
static int draw_again(struct blaming *b, struct err *err)
{
    struct blame *r = b->ret;
    uint32_t enough = AGAIN * b->o->futures;
    int status = 0;
    for (int k = 0; status == 0 && k < RISES; k++) {
        size_t best = 0;
        for (size_t i = 1; i < r->points.n; i++) {
            bool drawn = r->points.v[i].drawn >= enough && r->points.v[i - 1].drawn >= enough;
            best = !drawn && (best == 0 || rise(r, i) > rise(r, best)) ? i : best;
        }
        for (size_t i = best; status == 0 && best != 0 && i + 1 >= best && i <= best; i--) {
            struct blame_point *point = &r->points.v[i];
            size_t at = point->events - r->first;
            if (at == b->names.n) {
                point->drawn = point->failed = enough;
                blame_interval(point->failed, point->drawn, &point->low, &point->high);
            } else if (point->drawn < enough) {
                status = draw(b, at, enough - point->drawn, point, err);
            }
        }
    }
    return status;
}

static void judge(struct blaming *b)
{
    struct blame *r = b->ret;
    r->at = r->points.n - 1;
    while (r->at > 0 && chance(&r->points.v[r->at - 1]) >= ALMOST) {
        r->at--;
    }
    for (size_t i = 1; i < r->points.n; i++) {
        r->jump = r->jump == 0 || rise(r, i) > rise(r, r->jump) ? i : r->jump;
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
        xevent_print(b->o->of.cluster, &space_step(b->space, events - 1)->event, out);
    }
    return status;
}

/* From the beginning to the end. */
static int look_along(struct blaming *b, struct err *err)
{
    double begin = 0, end = 0;
    int status = estimate(b, b->names.n, &end, err);
    status = status != 0 ? status : estimate(b, 0, &begin, err);
    if (status == 0 && begin >= ALMOST && !b->ret->uncertain && b->names.n != 0) {
        b->ret->uncertain = true; /* whatever comes leads there: what if not all of it comes? */
        b->ret->points.n = 0;
        return look_along(b, err);
    }
    return status != 0 ? status : between(b, 0, begin, b->names.n, end, err);
}

int blame_find(const struct blame_options *o, struct blame *ret, struct err *err)
{
    struct blaming b = {.o = o, .ret = ret};
    *ret = (struct blame){0};
    int status = follow(&b, err);
    status = status != 0 ? status : look_along(&b, err);
    if (status == 0) {
        qsort(ret->points.v, ret->points.n, sizeof ret->points.v[0], by_events);
        status = draw_again(&b, err);
    }
    if (status == 0) {
        judge(&b);
        status = tell(&b, ret->at, &ret->event, err);
        status = status != 0 ? status : tell(&b, ret->jump, &ret->jump_event, err);
    }
    VEC_DONE(&b.names);
    VEC_DONE(&b.lost);
    VEC_DONE(&b.absent);
    VEC_DONE(&b.kept);
    VEC_DONE(&b.events);
    space_close(b.space);
    return status;
}

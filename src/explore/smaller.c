/* A failing run made smaller: delta debugging (Zeller and Hildebrandt, 2002) on the events of a
 * search.
 *
 * Parts of the run are left out, half of it first, single events last, from its end to its
 * beginning, and kept out where what is left fails in the same way. Without an event that sends
 * something, later packets have other numbers, and some do not come at all. So a run is done by
 * what its events mean, not by their names: the next packet from there to here, the timer of this
 * thread; what is not possible is passed over. It ends with the failure, or where nothing is
 * left; what has been done is the smaller run. */
#include "explore/smaller.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/vec.h"
#include "explore/space.h"
#include "run/failure.h"
#include "world/world.h"

enum { EVENTS_MOST = 100000 }; /* then it is small enough */

struct trial {
    struct space *space;
    struct smaller *s;
    VEC(struct xevent) run; /* the smallest so far */
    VEC(struct xevent) now; /* what is tried */
};

void smaller_done(struct smaller *s)
{
    VEC_DONE(&s->path);
}

/* Whoever has waited long enough gets what there is. */
static bool enough(const struct trial *t)
{
    const struct smaller *s = t->s;
    return s->events >= EVENTS_MOST || (s->interrupted != NULL && *s->interrupted != 0) ||
           (s->end_ns != 0 && clock_mono_ns() >= s->end_ns);
}

static bool is_packet(const struct event *e)
{
    return e->kind == EV_DELIVER || e->kind == EV_DROP || e->kind == EV_DUPLICATE;
}

/* Whether an event can stand for another one of a run in which something was left out. */
static bool same_meaning(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->node == b->node && a->peer == b->peer &&
           (is_packet(a) || (a->id == b->id && (a->kind == EV_THREAD || a->arg == b->arg)));
}

/* 0: nothing of the kind is possible. Of packets the earliest is the first of the list. */
static uint64_t find_event(struct space *space, const struct xevent *want)
{
    const struct xevent *list = NULL;
    size_t n = space_events(space, &list);
    uint64_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i].name == want->name) {
            return want->name;
        }
        found = found == 0 && same_meaning(&list[i].event, &want->event) ? list[i].name : found;
    }
    return found;
}

static bool failed(const struct trial *t)
{
    return failure_same(space_failure(t->space), &t->s->failure);
}

/* Does what is in `now` as far as it goes. What it has in common with the run before is not done
 * again where the space has a snapshot. */
static int try_it(struct trial *t, bool *ret_fails, struct err *err)
{
    size_t same = 0, done = 0;
    VEC(uint64_t) names = {0};
    while (same < t->now.n && same < space_depth(t->space) &&
           space_step(t->space, same)->event.name == t->now.v[same].name) {
        VEC_PUSH(&names, t->now.v[same].name);
        same++;
    }
    int status = space_go(t->space, names.v, names.n, &done, err);
    VEC_DONE(&names);
    for (size_t i = same; status == 0 && i < t->now.n; i++) {
        if (space_failure(t->space)->kind != FAILURE_NONE) {
            break;
        }
        uint64_t name = find_event(t->space, &t->now.v[i]);
        status = name != 0 ? space_do(t->space, name, err) : 0;
        t->s->events++;
    }
    if (status == 0 && space_failure(t->space)->kind == FAILURE_NONE) {
        status = space_finish(t->space, err);
    }
    t->s->tries++;
    *ret_fails = status == 0 && failed(t);
    return status;
}

/* What was just done is the smallest so far. */
static void keep(struct trial *t)
{
    t->run.n = 0;
    for (size_t i = 0; i < space_depth(t->space); i++) {
        VEC_PUSH(&t->run, space_step(t->space, i)->event);
    }
}

/* Leaves out parts of so many events, the last ones first. */
static int one_pass(struct trial *t, size_t part, bool *ret_removed, struct err *err)
{
    int status = 0;
    *ret_removed = false;
    for (size_t end = t->run.n; status == 0 && end > 0 && !enough(t);) {
        size_t begin = end > part ? end - part : 0, before = t->run.n;
        bool fails = false;
        t->now.n = 0;
        for (size_t i = 0; i < t->run.n; i++) {
            if (i < begin || i >= end) {
                VEC_PUSH(&t->now, t->run.v[i]);
            }
        }
        status = try_it(t, &fails, err);
        if (status == 0 && fails && space_depth(t->space) < before) {
            keep(t);
            *ret_removed = true;
        }
        end = begin < t->run.n ? begin : t->run.n;
    }
    return status;
}

/* The path as events; it must fail as they say. */
static int begin(struct trial *t, struct err *err)
{
    size_t done = 0;
    int status = space_go(t->space, t->s->path.v, t->s->path.n, &done, err);
    if (status == 0 && done == t->s->path.n && !failed(t)) {
        status = space_finish(t->space, err);
    }
    if (status == 0 && (done < t->s->path.n || !failed(t))) {
        return err_set(err, ERR_CORRUPT, 0, "a finding cannot be reached again");
    }
    keep(t);
    return status;
}

int smaller_find(struct space *space, struct smaller *s, struct err *err)
{
    struct trial t = {.space = space, .s = s};
    int status = begin(&t, err);
    size_t part = t.run.n > 1 ? t.run.n / 2 : 1;
    while (status == 0 && t.run.n != 0 && !enough(&t)) {
        bool removed = false;
        status = one_pass(&t, part, &removed, err);
        if (part == 1 && !removed) {
            break;
        }
        part = part > 1 ? part / 2 : 1;
    }
    s->path.n = 0;
    for (size_t i = 0; i < t.run.n; i++) {
        VEC_PUSH(&s->path, t.run.v[i].name);
    }
    VEC_DONE(&t.run);
    VEC_DONE(&t.now);
    return status;
}

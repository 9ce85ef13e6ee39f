/* Random walks from snapshots, taken one within the other. After every event the hash is compared
 * with the slow one; a walk that is done again from its snapshot, all processes made anew, must
 * come to the same state. */
#include "run/states.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/runner.h"
#include "world/world.h"

enum { EVENTS_MOST = 256, PLACES_MOST = 6, TIMES = 101, TIMES_SLOW = 5 };

struct place {
    struct snapshot *snapshot;
    uint64_t state, past; /* world_state_hash, world_hash */
};
struct trial {
    const struct cluster *cluster;
    struct world *world;
    struct rng rng;
    VEC(struct place) places;
    VEC(struct event) steps;
    struct states *result;
};

static int settle(struct world *world, struct err *err)
{
    enum settle_result settled = SETTLE_QUIET;
    return world_settle(world, &settled, err);
}

static double ms_since(uint64_t begin_ns)
{
    return (double)(clock_mono_ns() - begin_ns) * 1e-6;
}

static void differs(struct trial *t, const char *what, const struct event *event)
{
    if (t->result->first.n == 0) {
        strbuf_adds(&t->result->first, what);
        if (event != NULL) {
            strbuf_adds(&t->result->first, ", after: ");
            event_print(t->cluster, event, &t->result->first);
        }
    }
}

/* Any event that could come next; false: there is none. */
static bool draw(struct trial *t, struct event *ret)
{
    struct event events[EVENTS_MOST];
    size_t n = world_events(t->world, events, EVENTS_MOST);
    n = n < EVENTS_MOST ? n : EVENTS_MOST;
    if (n != 0) {
        *ret = events[rng_below(&t->rng, n)];
    }
    return n != 0;
}

static int do_event(struct trial *t, const struct event *event, struct err *err)
{
    int status = world_do(t->world, event, err);
    return status != 0 ? status : settle(t->world, err);
}

static int add_place(struct trial *t, struct err *err)
{
    struct place place = {0};
    uint64_t begin = clock_mono_ns();
    int status = world_snapshot(t->world, &place.snapshot, err);
    t->result->take_ms += ms_since(begin);
    if (status != 0) {
        return status;
    }
    place.past = world_hash(t->world);
    status = world_state_hash(t->world, &(struct state_options){0}, &place.state, err);
    VEC_PUSH(&t->places, place);
    t->result->snapshots++;
    return status;
}

static int go_back(struct trial *t, const struct place *place, bool anew, struct err *err)
{
    uint64_t state = 0;
    int status = anew ? world_restore_anew(t->world, place->snapshot, err)
                      : world_restore(t->world, place->snapshot, err);
    status =
        status != 0 ? status : world_state_hash(t->world, &(struct state_options){0}, &state, err);
    if (status == 0 && (state != place->state || world_hash(t->world) != place->past)) {
        differs(t,
                anew ? "a snapshot that was put back by new processes"
                     : "a snapshot that was put back",
                NULL);
    }
    return status;
}

/* Both ways to the hash, with clocks or without. */
static int compare(struct trial *t, bool no_clocks, const struct event *event, struct err *err)
{
    uint64_t fast = 0, slow = 0;
    struct state_options o = {.no_clocks = no_clocks};
    int status = world_state_hash(t->world, &o, &fast, err);
    o.full = true;
    status = status != 0 ? status : world_state_hash(t->world, &o, &slow, err);
    if (status == 0 && fast != slow) {
        differs(t, no_clocks ? "the hash without clocks" : "the hash", event);
    }
    return status;
}

static int walk(struct trial *t, uint32_t length, bool no_clocks, struct err *err)
{
    struct event event;
    int status = 0;
    t->steps.n = 0;
    for (uint32_t i = 0; status == 0 && i < length && draw(t, &event); i++) {
        VEC_PUSH(&t->steps, event);
        status = do_event(t, &event, err);
        status = status != 0 ? status : compare(t, no_clocks, &event, err);
        t->result->events++;
        if (status == 0 && i == length / 2 && t->places.n < PLACES_MOST) {
            status = add_place(t, err);
        }
    }
    return status;
}

/* The walk again, from the same snapshot, put back in one way or the other. */
static int again(struct trial *t, const struct place *from, bool anew, struct err *err)
{
    uint64_t state = 0, other = 0, past = world_hash(t->world);
    struct state_options full = {.full = true};
    int status = world_state_hash(t->world, &full, &state, err);
    status = status != 0 ? status : go_back(t, from, anew, err);
    for (size_t i = 0; status == 0 && i < t->steps.n; i++) {
        if (!world_enabled(t->world, &t->steps.v[i])) {
            differs(t, "an event that is not possible again", &t->steps.v[i]);
            return 0;
        }
        status = do_event(t, &t->steps.v[i], err);
    }
    status = status != 0 ? status : world_state_hash(t->world, &full, &other, err);
    if (status == 0 && (state != other || past != world_hash(t->world))) {
        differs(t, "the same walk, done again", NULL);
    }
    return status;
}

static int one_walk(struct trial *t, uint32_t nth, uint32_t length, struct err *err)
{
    struct place from = t->places.v[rng_below(&t->rng, t->places.n)];
    int status = go_back(t, &from, false, err);
    uint32_t steps = 1 + (uint32_t)rng_below(&t->rng, length);
    status = status != 0 ? status : walk(t, steps, nth % 4 == 3, err);
    status = status != 0 ? status : again(t, &from, false, err);
    return status != 0 ? status : again(t, &from, true, err);
}

/* ---- what it costs ---- */

struct times { /* in the middle of them: others use the machine, too */
    double v[TIMES];
    size_t n;
};

static void times_add(struct times *times, uint64_t begin_ns)
{
    double ms = ms_since(begin_ns);
    size_t i = times->n++;
    for (; i > 0 && times->v[i - 1] > ms; i--) {
        times->v[i] = times->v[i - 1];
    }
    times->v[i] = ms;
}

static double times_middle(const struct times *times)
{
    return times->n == 0 ? 0 : times->v[times->n / 2];
}

struct costs {
    struct times restore, event, both, hash, anew, full;
};

static int time_one(struct trial *t, struct costs *costs, struct err *err)
{
    struct event event;
    uint64_t hash = 0, begin = clock_mono_ns();
    int status = world_restore(t->world, t->places.v[0].snapshot, err);
    times_add(&costs->restore, begin);
    if (status != 0 || !draw(t, &event)) {
        return status;
    }
    uint64_t middle = clock_mono_ns();
    status = do_event(t, &event, err);
    times_add(&costs->event, middle);
    times_add(&costs->both, begin);
    begin = clock_mono_ns();
    status =
        status != 0 ? status : world_state_hash(t->world, &(struct state_options){0}, &hash, err);
    times_add(&costs->hash, begin);
    return status;
}

static int time_slow(struct trial *t, struct costs *costs, struct err *err)
{
    uint64_t hash = 0, begin = clock_mono_ns();
    int status = world_restore_anew(t->world, t->places.v[0].snapshot, err);
    times_add(&costs->anew, begin);
    begin = clock_mono_ns();
    status = status != 0
                 ? status
                 : world_state_hash(t->world, &(struct state_options){.full = true}, &hash, err);
    times_add(&costs->full, begin);
    return status;
}

static int measure(struct trial *t, struct err *err)
{
    struct costs costs = {0};
    struct states *r = t->result;
    int status = 0;
    for (int i = 0; status == 0 && i < TIMES_SLOW; i++) {
        status = time_slow(t, &costs, err);
    }
    for (int i = 0; status == 0 && i < TIMES; i++) {
        status = time_one(t, &costs, err);
    }
    r->restore_ms = times_middle(&costs.restore);
    r->event_ms = times_middle(&costs.event);
    r->both_ms = times_middle(&costs.both);
    r->hash_ms = times_middle(&costs.hash);
    r->anew_ms = times_middle(&costs.anew);
    r->full_ms = times_middle(&costs.full);
    r->take_ms /= r->snapshots != 0 ? r->snapshots : 1;
    return status;
}

/* Only what is due, up to a time. */
static int run_to(struct trial *t, uint64_t until_ns, struct err *err)
{
    int status = settle(t->world, err);
    struct event event;
    while (status == 0 && world_next(t->world, &event) && world_event_ns(&event) <= until_ns) {
        status = do_event(t, &event, err);
    }
    return status;
}

int run_states(const struct run_options *o, const struct states_options *how, struct states *ret,
               struct err *err)
{
    struct trial t = {.cluster = o->cluster, .result = ret};
    struct world_spec spec = run_world_spec(o);
    spec.work = false; /* a thread that runs cannot be copied */
    *ret = (struct states){0};
    rng_seed(&t.rng, hash_combine(o->seed, 0x737461));
    int status = world_open(&spec, &t.world, err);
    status = status != 0 ? status : run_to(&t, how->at_ns, err);
    status = status != 0 ? status : add_place(&t, err);
    for (; status == 0 && ret->walks < how->walks; ret->walks++) {
        status = one_walk(&t, ret->walks, how->length, err);
    }
    status = status != 0 ? status : measure(&t, err);
    for (size_t i = 0; i < t.places.n; i++) {
        snapshot_free(t.world, t.places.v[i].snapshot);
    }
    world_close(t.world);
    VEC_DONE(&t.places);
    VEC_DONE(&t.steps);
    return status;
}

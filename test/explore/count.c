/* The slow and obvious count of traces of real processes, beside which that of `assay explore` is
 * put: depth-first search from a snapshot, every enabled event tried in every state, with sleep
 * sets (Godefroid, 1996) as the only reduction, so that each trace ends in exactly one complete run
 * and the rest is counted as blocked. Events of one node depend on each other, and nothing else
 * does.
 *
 * usage: explore-count CLUSTER.toml SECONDS [MOST]: from that time on; stops after MOST complete
 * runs. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "run/cluster.h"
#include "run/runner.h"
#include "world/world.h"

enum { EVENTS_MOST = 64 };

struct set {
    struct event v[EVENTS_MOST];
    size_t n;
};
struct search {
    struct world *world;
    uint64_t complete, blocked, steps, most;
};

static void must(int status, const struct err *err)
{
    if (status != 0) {
        fprintf(stderr, "%s\n", err->text);
        exit(1);
    }
}

static bool always(void *arg, const struct world_choice *choice)
{
    (void)arg;
    (void)choice;
    return true;
}

static void settle(struct world *world)
{
    struct err err = {0};
    enum settle_result settled = SETTLE_QUIET;
    must(world_settle(world, &settled, &err), &err);
}

static bool same(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->node == b->node && a->id == b->id && a->arg == b->arg;
}

static bool holds(const struct set *set, const struct event *event)
{
    for (size_t i = 0; i < set->n; i++) {
        if (same(&set->v[i], event)) {
            return true;
        }
    }
    return false;
}

/* A state, to come back to. With a choice of threads open there is no snapshot: then by its parent
 * and the event. */
struct place {
    struct snapshot *snapshot;
    const struct place *parent;
    struct event event;
};

static void step(struct search *s, const struct event *event)
{
    struct err err = {0};
    must(world_do(s->world, event, &err), &err);
    settle(s->world);
}

static void go_back(struct search *s, const struct place *place)
{
    struct err err = {0};
    if (place->snapshot != NULL) {
        must(world_restore(s->world, place->snapshot, &err), &err);
    } else {
        go_back(s, place->parent);
        step(s, &place->event);
    }
}

static struct set awake(const struct set *asleep, const struct event *event)
{
    struct set next = {.n = 0};
    for (size_t i = 0; i < asleep->n; i++) {
        if (asleep->v[i].node != event->node) {
            next.v[next.n++] = asleep->v[i];
        }
    }
    return next;
}

static void explore(struct search *s, struct place *here, struct set asleep)
{
    struct err err = {0};
    struct set events;
    bool any = false;
    events.n = world_events(s->world, events.v, EVENTS_MOST);
    if (events.n == 0) {
        s->complete++;
        return;
    }
    if (world_snapshot(s->world, &here->snapshot, &err) != 0 && here->parent == NULL) {
        must(-1, &err);
    }
    for (size_t i = 0; i < events.n && s->complete < s->most; i++) {
        struct place there = {.parent = here, .event = events.v[i]};
        there.event.at_ns = 0; /* a timer has a time of its own */
        if (holds(&asleep, &there.event)) {
            continue;
        }
        if (any) {
            go_back(s, here);
        }
        any = true;
        s->steps++;
        step(s, &there.event);
        explore(s, &there, awake(&asleep, &there.event));
        asleep.v[asleep.n++] = there.event;
    }
    s->blocked += any ? 0 : 1;
    snapshot_free(s->world, here->snapshot);
}

int main(int argc, char **argv)
{
    struct err err = {0};
    struct arena arena;
    struct cluster cluster;
    struct search s = {.most = argc > 3 ? strtoull(argv[3], NULL, 10) : UINT64_MAX};
    char dir[] = "/tmp/explore-count.XXXXXX";
    if (argc < 3 || mkdtemp(dir) == NULL) {
        fprintf(stderr, "usage: explore-count CLUSTER.toml SECONDS [MOST]\n");
        return 2;
    }
    arena_init(&arena, 0);
    must(cluster_read(&arena, argv[1], &cluster, &err), &err);
    struct run_options options = {
        .cluster = &cluster, .seed = 1, .dir = dir, .trace_fd = -1, .choices = true};
    struct world_spec spec = run_world_spec(&options);
    spec.independent = spec.choices = true;
    must(world_open(&spec, &s.world, &err), &err);
    settle(s.world);
    uint64_t from = (uint64_t)(strtod(argv[2], NULL) * 1e9);
    for (struct event event; world_next(s.world, &event) && world_event_ns(&event) <= from;) {
        must(world_do(s.world, &event, &err), &err);
        settle(s.world);
    }
    world_on_choice(s.world, always, NULL);
    explore(&s, &(struct place){0}, (struct set){.n = 0});
    printf("%llu traces, %llu blocked, %llu steps\n", (unsigned long long)s.complete,
           (unsigned long long)s.blocked, (unsigned long long)s.steps);
    world_close(s.world);
    arena_done(&arena);
    return 0;
}

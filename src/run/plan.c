/* Drawing faults. They are fixed before the run: the seed decides them alone, and a smaller run is
 * found by leaving some out. */
#include "run/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/record.h"
#include "world/world.h"

struct draw {
    struct plan *plan;
    const struct cluster *cluster;
    struct rng rng;
};

void plan_done(struct plan *plan)
{
    VEC_DONE(&plan->events);
}

static void put(struct draw *d, uint64_t at_ns, struct event event)
{
    VEC_PUSH(&d->plan->events, (struct timed_event){at_ns, event});
    struct timed_event *v = d->plan->events.v;
    for (size_t i = d->plan->events.n - 1; i > 0 && v[i - 1].at_ns > v[i].at_ns; i--) {
        struct timed_event swap = v[i];
        v[i] = v[i - 1];
        v[i - 1] = swap;
    }
}

static uint64_t between(struct draw *d, uint64_t from, uint64_t to)
{
    return from + (to > from ? rng_below(&d->rng, to - from + 1) : 0);
}

static uint64_t begin(struct draw *d)
{
    return between(d, d->cluster->faults.from_ns, d->cluster->faults.to_ns);
}

static uint64_t last(struct draw *d)
{
    return between(d, d->cluster->faults.min_ns, d->cluster->faults.max_ns);
}

static uint32_t servers(const struct cluster *c)
{
    uint32_t n = 0;
    for (size_t i = 0; i < c->n_nodes; i++) {
        n += c->nodes[i].client ? 0 : 1;
    }
    return n;
}

/* A node that is not a client. */
static uint32_t any_node(struct draw *d)
{
    uint64_t skip = rng_below(&d->rng, servers(d->cluster));
    uint32_t i = 0;
    for (;; i++) {
        if (!d->cluster->nodes[i].client && skip-- == 0) {
            return i;
        }
    }
}

/* Something happens to a node, and is undone after a while. */
static void draw_pairs(struct draw *d, uint32_t n, enum event_kind kind, enum event_kind undo)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = any_node(d);
        uint64_t at = begin(d);
        put(d, at,
            (struct event){.kind = kind,
                           .node = node,
                           .peer = node,
                           .arg = kind == EV_CRASH ? CRASH_KEEP_RANDOM : 0});
        put(d, at + last(d), (struct event){.kind = undo, .node = node, .peer = node});
    }
}

static void draw_partition(struct draw *d)
{
    const struct cluster *c = d->cluster;
    uint64_t at = begin(d), end = at + last(d);
    uint32_t n = (uint32_t)c->n_nodes, alone = any_node(d);
    bool side[64] = {false};
    for (uint32_t i = 0; i < n && i < 64; i++) {
        side[i] = i == alone || (!c->nodes[i].client && rng_below(&d->rng, 3) == 0);
    }
    bool all = true;
    for (uint32_t i = 0; i < n && i < 64; i++) {
        all = all && (side[i] || c->nodes[i].client);
    }
    for (uint32_t i = 0; all && i < n && i < 64; i++) {
        side[i] = i == alone;
    }
    for (uint32_t a = 0; a < n && a < 64; a++) {
        for (uint32_t b = 0; b < n && b < 64; b++) {
            if (side[a] != side[b]) {
                put(d, at, (struct event){.kind = EV_CUT, .node = a, .peer = b});
                put(d, end, (struct event){.kind = EV_HEAL, .node = a, .peer = b});
            }
        }
    }
}

static void draw_cut(struct draw *d)
{
    uint32_t a = any_node(d), b = any_node(d);
    if (a == b) {
        b = (a + 1) % (uint32_t)d->cluster->n_nodes;
    }
    uint64_t at = begin(d);
    put(d, at, (struct event){.kind = EV_CUT, .node = a, .peer = b});
    put(d, at + last(d), (struct event){.kind = EV_HEAL, .node = a, .peer = b});
}

static void draw_single(struct draw *d, enum event_kind kind)
{
    uint32_t node = any_node(d);
    struct event event = {.kind = kind, .node = node, .peer = node};
    if (kind == EV_JUMP) {
        event.arg = (int64_t)rng_below(&d->rng, 20000000000U) - 10000000000;
    } else if (kind == EV_DISK) {
        event.arg = (int64_t)rng_below(&d->rng, DISK_FAULTS);
    }
    put(d, begin(d), event);
}

void plan_make(struct plan *plan, const struct cluster *cluster, uint64_t seed, bool faults)
{
    struct draw d = {.plan = plan, .cluster = cluster};
    const struct fault_plan *f = &cluster->faults;
    for (size_t i = 0; i < cluster->n_events; i++) {
        put(&d, cluster->events[i].at_ns, cluster->events[i].event);
    }
    rng_seed(&d.rng, hash_combine(seed, 0x706c616e));
    if (!faults || servers(cluster) == 0) {
        return;
    }
    draw_pairs(&d, f->kills, EV_KILL, EV_RESTART);
    draw_pairs(&d, f->crashes, EV_CRASH, EV_RESTART);
    draw_pairs(&d, f->pauses, EV_PAUSE, EV_RESUME);
    for (uint32_t i = 0; i < f->partitions && cluster->n_nodes > 1; i++) {
        draw_partition(&d);
    }
    for (uint32_t i = 0; i < f->cuts && cluster->n_nodes > 1; i++) {
        draw_cut(&d);
    }
    for (uint32_t i = 0; i < f->jumps; i++) {
        draw_single(&d, EV_JUMP);
    }
    for (uint32_t i = 0; i < f->disk; i++) {
        draw_single(&d, EV_DISK);
    }
    for (uint32_t i = 0; i < f->drops; i++) {
        draw_single(&d, EV_DROP);
    }
    for (uint32_t i = 0; i < f->duplicates; i++) {
        draw_single(&d, EV_DUPLICATE);
    }
}

void plan_of_record(struct plan *plan, const struct cluster *cluster, const struct record *record)
{
    struct draw d = {.plan = plan, .cluster = cluster};
    for (size_t i = 0; i < record->choices.n; i++) {
        const struct event *event = &record->choices.v[i].event;
        bool natural = event->kind == EV_DELIVER || event->kind == EV_TIMER ||
                       (event->kind == EV_START && !cluster->nodes[event->node].manual);
        if (!natural) {
            put(&d, world_event_ns(event), *event);
        }
    }
}

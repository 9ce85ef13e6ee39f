/* Drawing faults. They are fixed before the run: the seed decides them alone, and a smaller run is
 * found by leaving some out. */
#include "run/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/record.h"
#include "run/script.h"
#include "world/world.h"

enum { CUTS_MOST = 4096 };

struct draw {
    struct plan *plan;
    const struct cluster *cluster;
    struct rng rng;
    struct arena arena; /* the plan's */
};

void plan_done(struct plan *plan)
{
    VEC_DONE(&plan->events);
    arena_done(&plan->arena);
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

/* Nodes fall apart, but clients reach all of them; or one node reaches both halves. */
static void draw_split(struct draw *d, bool bridge)
{
    const struct cluster *c = d->cluster;
    uint64_t at = begin(d), end = at + last(d);
    uint32_t middle = any_node(d), n = (uint32_t)c->n_nodes;
    uint32_t most = servers(c) > 2 ? (servers(c) - 1) / 2 : 1;
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "%s %s", bridge ? "bridge" : "split", c->nodes[middle].name);
    for (uint32_t i = 0; !bridge && i < n; i++) { /* others go with it, but never most of them */
        bool joins = i != middle && !c->nodes[i].client && rng_below(&d->rng, 3) == 0;
        if (joins && most > 1) {
            most--;
            strbuf_printf(&text, " %s", c->nodes[i].name);
        }
    }
    struct event *cuts = ARENA_ARRAY(&d->arena, struct event, CUTS_MOST);
    size_t n_cuts = 0;
    struct err err;
    if (event_parse(c, strbuf_str(&text), cuts, CUTS_MOST, &n_cuts, &err) != 0) {
        return; /* too many nodes for groups */
    }
    for (size_t i = 0; i < n_cuts; i++) {
        put(d, at, cuts[i]);
        put(d, end, (struct event){.kind = EV_HEAL, .node = cuts[i].node, .peer = cuts[i].peer});
    }
}

/* Something is wrong with a link, both ways, or with a node, and then is not any more. */
static void draw_lasting(struct draw *d, enum event_kind kind, int64_t arg)
{
    uint32_t a = any_node(d), b = any_node(d);
    bool link = kind == EV_SLOW || kind == EV_LOSSY || kind == EV_NARROW;
    b = a != b || !link ? b : (a + 1) % (uint32_t)d->cluster->n_nodes;
    uint64_t at = begin(d), end = at + last(d);
    for (int way = 0; way < (link ? 2 : 1); way++) {
        struct event event = {.kind = kind, .node = way == 0 ? a : b, .peer = way == 0 ? b : a};
        event.peer = link ? event.peer : event.node;
        event.arg = arg;
        put(d, at, event);
        event.arg = 0;
        put(d, end, event);
    }
}

static void draw_links(struct draw *d, const struct fault_plan *f)
{
    for (uint32_t i = 0; i < f->slow_links && d->cluster->n_nodes > 1; i++) {
        draw_lasting(d, EV_SLOW, (int64_t)between(d, 10000000, 1000000000));
    }
    for (uint32_t i = 0; i < f->lossy_links && d->cluster->n_nodes > 1; i++) {
        draw_lasting(d, EV_LOSSY, (int64_t)between(d, 50000, 500000));
    }
    for (uint32_t i = 0; i < f->narrow_links && d->cluster->n_nodes > 1; i++) {
        draw_lasting(d, EV_NARROW, (int64_t)between(d, 1000, 100000));
    }
}

static void put_script(struct draw *d, struct script *script)
{
    for (size_t i = 0; i < script->events.n; i++) {
        put(d, script->events.v[i].at_ns, script->events.v[i].event);
    }
    script_done(script);
}

/* A command of the user's, with the node that it happens to. */
static struct event command_event(struct draw *d, uint32_t where, const char *text, uint32_t node)
{
    SCOPED_STRBUF command = {0};
    for (const char *at = text; *at != '\0';) {
        if (strncmp(at, "{node}", 6) == 0) {
            strbuf_adds(&command, d->cluster->nodes[node].name);
            at += 6;
        } else {
            strbuf_addc(&command, *at++);
        }
    }
    return (struct event){.kind = EV_EXEC,
                          .node = where,
                          .peer = where,
                          .command = str_dup(&d->arena, strbuf_str(&command))};
}

static void draw_commands(struct draw *d)
{
    for (size_t i = 0; i < d->cluster->n_scripts; i++) {
        const struct cluster_fault *fault = &d->cluster->scripts[i];
        for (uint32_t k = 0; k < fault->times; k++) {
            uint32_t node = any_node(d);
            uint64_t at = begin(d), end = at + last(d);
            put(d, at, command_event(d, fault->node, fault->run, node));
            if (fault->undo != NULL) {
                put(d, end, command_event(d, fault->node, fault->undo, node));
            }
        }
    }
}

static void draw_more(struct draw *d, const struct fault_plan *f)
{
    for (uint32_t i = 0; i < f->splits && servers(d->cluster) > 1; i++) {
        draw_split(d, false);
    }
    for (uint32_t i = 0; i < f->bridges && servers(d->cluster) > 2; i++) {
        draw_split(d, true);
    }
    draw_links(d, f);
    for (uint32_t i = 0; i < f->slow_disks; i++) {
        draw_lasting(d, EV_SLOW_DISK, (int64_t)between(d, 1000000, 500000000));
    }
    for (uint32_t i = 0; i < f->memory; i++) {
        draw_lasting(d, EV_MEMORY, MEMORY_FULL);
    }
    for (uint32_t i = 0; i < f->process_kills; i++) {
        uint32_t node = any_node(d);
        put(d, begin(d),
            (struct event){.kind = EV_KILL_ONE,
                           .node = node,
                           .peer = node,
                           .arg = (int64_t)rng_below(&d->rng, 1 << 20)});
    }
    for (uint32_t i = 0; i < f->strobes; i++) {
        struct script script = {0};
        uint32_t node = any_node(d);
        uint64_t at = begin(d), every = between(d, 5000000, 200000000);
        script_strobe(&script, node, at, (int64_t)between(d, 50000000, 10000000000), every,
                      last(d));
        put_script(d, &script);
    }
    for (uint32_t i = 0; i < f->rolling; i++) {
        struct script script = {0};
        uint32_t node = any_node(d);
        uint64_t at = begin(d), down = last(d);
        script_rolling(&script, d->cluster, at, node, down, last(d));
        put_script(d, &script);
    }
    draw_commands(d);
}

void plan_make(struct plan *plan, const struct cluster *cluster, uint64_t seed, bool faults)
{
    struct draw d = {.plan = plan, .cluster = cluster};
    arena_init(&d.arena, 0);
    const struct fault_plan *f = &cluster->faults;
    for (size_t i = 0; i < cluster->n_events; i++) {
        put(&d, cluster->events[i].at_ns, cluster->events[i].event);
    }
    rng_seed(&d.rng, hash_combine(seed, 0x706c616e));
    if (!faults || servers(cluster) == 0) {
        plan->arena = d.arena;
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
    draw_more(&d, f);
    plan->arena = d.arena;
}

void plan_of_record(struct plan *plan, const struct cluster *cluster, const struct record *record)
{
    struct draw d = {.plan = plan, .cluster = cluster};
    for (size_t i = 0; i < record->choices.n; i++) {
        const struct event *event = &record->choices.v[i].event;
        bool natural = event->kind == EV_DELIVER || event->kind == EV_TIMER ||
                       event->kind == EV_THREAD ||
                       (event->kind == EV_START && !cluster->nodes[event->node].manual);
        if (!natural) {
            put(&d, world_event_ns(event), *event);
        }
    }
}

/* Whether events at different nodes commute, tried out.
 *
 * From a snapshot a random walk is done, then the same events in another order that respects what
 * happened before what: the events of one node keep their order, and a packet is delivered after
 * the event that sent it. If nothing but this order mattered, all programs have the same memory,
 * the same packets are on their way and the same was printed.
 *
 * Memory is compared by a hash of each page. Where one differs, the first order is done once more,
 * and the two pages are compared word by word. */
#include "run/independence.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/runner.h"
#include "world/world.h"

enum { EVENTS_MOST = 256, PACKETS_MOST = 4096, PAGE_BYTES = 4096, PAGES_AT_ONCE = 64 };
enum { NOBODY = -1 };

struct step {
    struct event event;
    int sender; /* the step that has sent its packet; NOBODY: it was there before */
};
struct page_sum {
    uint32_t node;
    uint64_t addr, sum;
};
struct image { /* of a world */
    VEC(struct page_sum) pages;
    uint64_t packets, printed;
};
struct trial {
    const struct cluster *cluster;
    struct world *world;
    struct snapshot *snapshot;
    struct rng rng;
    struct u64map sent; /* packet -> step */
    int now;            /* the step that is being done */
    VEC(struct step) steps;
    VEC(size_t) order; /* of the second time */
    struct image first, second;
    struct independence *result;
};

static void on_packet(void *arg, bool sent, const struct packet_view *packet)
{
    struct trial *t = arg;
    if (sent && t->now >= 0) {
        u64map_put(&t->sent, packet->id, (uint64_t)t->now);
    }
}

static int settle(struct world *world, struct err *err)
{
    enum settle_result settled = SETTLE_QUIET;
    return world_settle(world, &settled, err);
}

/* ---- what a world is ---- */

static void add_pages(struct trial *t, uint32_t node, uint64_t begin, uint64_t end,
                      struct image *image)
{
    uint8_t bytes[PAGES_AT_ONCE * PAGE_BYTES];
    for (uint64_t at = begin; at < end; at += sizeof bytes) {
        size_t want = end - at < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
        size_t got = world_read_memory(t->world, node, at, bytes, want);
        for (size_t i = 0; i < got; i += PAGE_BYTES) {
            size_t n = got - i < PAGE_BYTES ? got - i : PAGE_BYTES;
            struct page_sum sum = {node, at + i, hash_bytes(bytes + i, n, 1)};
            VEC_PUSH(&image->pages, sum);
        }
    }
}

/* One line of /proc/PID/maps: false if the program cannot write there, or it is the engine's. */
static bool map_line(struct str line, uint64_t *ret_begin, uint64_t *ret_end, struct str *ret_name)
{
    enum { FIELDS = 5, ADDRESSES = 64 }; /* before the name; bytes that the first of them needs */
    char text[ADDRESSES], *end = NULL;
    size_t n = line.n < sizeof text - 1 ? line.n : sizeof text - 1;
    memcpy(text, line.p, n);
    text[n] = '\0';
    *ret_begin = strtoull(text, &end, 16);
    if (*end != '-') {
        return false;
    }
    *ret_end = strtoull(end + 1, &end, 16);
    bool writable = end[0] == ' ' && end[1] == 'r' && end[2] == 'w';
    for (int field = 0; field < FIELDS; field++) {
        const char *blank = memchr(line.p, ' ', line.n);
        size_t skip = blank != NULL ? (size_t)(blank + 1 - line.p) : line.n;
        line = (struct str){line.p + skip, line.n - skip};
    }
    *ret_name = str_trim(line);
    return writable && !world_memory_ours(*ret_begin);
}

static bool next_line(struct str *rest, struct str *ret)
{
    const char *end = rest->n != 0 ? memchr(rest->p, '\n', rest->n) : NULL;
    if (end == NULL) {
        return false;
    }
    *ret = (struct str){rest->p, (size_t)(end - rest->p)};
    *rest = (struct str){end + 1, rest->n - ret->n - 1};
    return true;
}

static void take_image(struct trial *t, struct image *image)
{
    struct arena arena;
    arena_init(&arena, 0);
    image->pages.n = 0;
    image->packets = image->printed = 1;
    for (uint32_t node = 0; node < t->cluster->n_nodes; node++) {
        struct str maps = world_memory_maps(t->world, node, &arena), line, name;
        uint64_t begin = 0, end = 0;
        while (next_line(&maps, &line)) {
            if (map_line(line, &begin, &end, &name)) {
                add_pages(t, node, begin, end, image);
            }
        }
        struct node_view view;
        world_node_view(t->world, node, &view);
        image->printed = hash_combine(image->printed, view.log_bytes);
    }
    struct packet_view *views = ARENA_ARRAY(&arena, struct packet_view, PACKETS_MOST);
    size_t n = world_packets(t->world, views, PACKETS_MOST);
    uint64_t sum = 0; /* in any order: lists of packets have one that nobody sees */
    for (size_t i = 0; i < n && i < PACKETS_MOST; i++) {
        sum += hash_bytes(views[i].bytes, views[i].n, hash_mix(views[i].id));
    }
    image->packets = hash_combine(n, sum);
    arena_done(&arena);
}

uint64_t independence_image(const struct cluster *cluster, struct world *world)
{
    struct trial t = {.cluster = cluster, .world = world};
    take_image(&t, &t.first);
    uint64_t hash = hash_combine(t.first.packets, t.first.printed);
    for (size_t i = 0; i < t.first.pages.n; i++) {
        const struct page_sum *page = &t.first.pages.v[i];
        hash = hash_combine(hash_combine(hash, page->addr + page->node), page->sum);
    }
    VEC_DONE(&t.first.pages);
    return hash;
}

/* ---- the two orders ---- */

static int walk(struct trial *t, size_t length, struct err *err)
{
    t->steps.n = 0;
    u64map_done(&t->sent);
    t->sent = (struct u64map){0};
    for (size_t i = 0; i < length; i++) {
        struct event events[EVENTS_MOST];
        size_t n = world_events(t->world, events, EVENTS_MOST);
        n = n < EVENTS_MOST ? n : EVENTS_MOST;
        if (n == 0) {
            return 0;
        }
        struct step step = {events[rng_below(&t->rng, n)], NOBODY};
        uint64_t sender = 0;
        step.event.at_ns = 0; /* a timer has its own time, everything else happens now */
        if (step.event.kind == EV_DELIVER && u64map_get(&t->sent, step.event.id, &sender)) {
            step.sender = (int)sender;
        }
        t->now = (int)i;
        VEC_PUSH(&t->steps, step);
        int status = world_do(t->world, &step.event, err);
        status = status != 0 ? status : settle(t->world, err);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

/* Whether everything that happened before a step is done. */
static bool may_come(const struct trial *t, const bool *done, size_t i)
{
    const struct step *step = &t->steps.v[i];
    if (done[i] || (step->sender != NOBODY && !done[step->sender])) {
        return false;
    }
    for (size_t k = 0; k < i; k++) {
        if (!done[k] && t->steps.v[k].event.node == step->event.node) {
            return false;
        }
    }
    return true;
}

/* Any order that respects it. */
static void draw_order(struct trial *t, struct arena *arena)
{
    bool *done = ARENA_ARRAY(arena, bool, t->steps.n + 1);
    t->order.n = 0;
    while (t->order.n < t->steps.n) {
        size_t found = 0, take = 0;
        for (size_t i = 0; i < t->steps.n; i++) {
            if (may_come(t, done, i) && rng_below(&t->rng, ++found) == 0) {
                take = i;
            }
        }
        done[take] = true;
        t->result->moved += take != t->order.n ? 1 : 0;
        VEC_PUSH(&t->order, take);
    }
}

/* Does the steps again, in the drawn order or in their own. ret_at: how many could be done. */
static int again(struct trial *t, bool drawn, size_t *ret_at, struct err *err)
{
    int status = world_restore(t->world, t->snapshot, err);
    t->now = NOBODY;
    for (*ret_at = 0; status == 0 && *ret_at < t->steps.n; (*ret_at)++) {
        struct event event = t->steps.v[drawn ? t->order.v[*ret_at] : *ret_at].event;
        if (!world_enabled(t->world, &event)) {
            return 0;
        }
        status = world_do(t->world, &event, err);
        status = status != 0 ? status : settle(t->world, err);
    }
    return status;
}

/* ---- the first difference ---- */

static struct str owner_of(struct trial *t, uint32_t node, uint64_t addr, struct arena *arena)
{
    struct str maps = world_memory_maps(t->world, node, arena), line, name;
    uint64_t begin = 0, end = 0;
    while (next_line(&maps, &line)) {
        if (map_line(line, &begin, &end, &name) && addr >= begin && addr < end) {
            return name.n != 0 ? name : STR("anonymous memory");
        }
    }
    return STR("memory that only one of them has");
}

static int tell_page(struct trial *t, const struct page_sum *page, struct err *err)
{
    struct arena arena;
    arena_init(&arena, 0);
    uint64_t first[PAGE_BYTES / 8] = {0}, second[PAGE_BYTES / 8] = {0};
    size_t ignored = 0, i = 0;
    (void)world_read_memory(t->world, page->node, page->addr, second, sizeof second);
    int status = again(t, false, &ignored, err);
    (void)world_read_memory(t->world, page->node, page->addr, first, sizeof first);
    while (i < PAGE_BYTES / 8 - 1 && first[i] == second[i]) {
        i++;
    }
    struct str owner = owner_of(t, page->node, page->addr, &arena);
    uint64_t word = page->addr + i * 8;
    strbuf_printf(&t->result->first,
                  "node %s, word %#llx (page %#llx, %.*s): %#llx in one order, %#llx in the other",
                  t->cluster->nodes[page->node].name, (unsigned long long)word,
                  (unsigned long long)page->addr, STR_ARG(owner), (unsigned long long)first[i],
                  (unsigned long long)second[i]);
    arena_done(&arena);
    return status;
}

/* Where the images differ; 0: nowhere, 1: somewhere. */
static int compare(struct trial *t, struct err *err)
{
    const struct image *a = &t->first, *b = &t->second;
    bool say = t->result->first.n == 0;
    size_t n = a->pages.n < b->pages.n ? a->pages.n : b->pages.n, i = 0;
    while (i < n && a->pages.v[i].node == b->pages.v[i].node &&
           a->pages.v[i].addr == b->pages.v[i].addr && a->pages.v[i].sum == b->pages.v[i].sum) {
        i++;
    }
    if (i < n || a->pages.n != b->pages.n) {
        struct page_sum page = i < b->pages.n ? b->pages.v[i] : a->pages.v[i];
        int status = say ? tell_page(t, &page, err) : 0;
        return status != 0 ? status : 1;
    }
    if (a->packets != b->packets || a->printed != b->printed) {
        if (say) {
            strbuf_adds(&t->result->first, a->packets != b->packets
                                               ? "memory is the same, packets on their way are not"
                                               : "memory is the same, what was printed is not");
        }
        return 1;
    }
    return 0;
}

static int tell_stuck(struct trial *t, size_t at)
{
    if (t->result->first.n == 0) {
        strbuf_adds(&t->result->first, "an event of one order is not possible in the other: ");
        event_print(t->cluster, &t->steps.v[t->order.v[at]].event, &t->result->first);
    }
    return 1;
}

static int one_walk(struct trial *t, size_t length, struct err *err)
{
    struct arena arena;
    arena_init(&arena, 0);
    int status = world_restore(t->world, t->snapshot, err);
    status = status != 0 ? status : walk(t, length, err);
    size_t at = 0;
    if (status == 0) {
        take_image(t, &t->first);
        draw_order(t, &arena);
        status = again(t, true, &at, err);
    }
    if (status == 0 && at < t->steps.n) {
        status = tell_stuck(t, at);
    } else if (status == 0) {
        take_image(t, &t->second);
        status = compare(t, err);
    }
    t->result->equal += status == 0 ? 1 : 0;
    t->result->events += (uint32_t)t->steps.n;
    arena_done(&arena);
    return status < 0 ? status : 0;
}

/* Only what is due, up to a time. */
static int run_to(struct trial *t, uint64_t until_ns, struct err *err)
{
    int status = settle(t->world, err);
    struct event event;
    while (status == 0 && world_next(t->world, &event) && world_event_ns(&event) <= until_ns) {
        status = world_do(t->world, &event, err);
        status = status != 0 ? status : settle(t->world, err);
    }
    return status;
}

int run_independence(const struct run_options *o, const struct independence_options *how,
                     struct independence *ret, struct err *err)
{
    struct trial t = {.cluster = o->cluster, .now = NOBODY, .result = ret};
    struct world_spec spec = run_world_spec(o);
    spec.independent = !o->cluster->dependent;
    spec.work = false; /* a thread that runs cannot be copied */
    *ret = (struct independence){0};
    rng_seed(&t.rng, hash_combine(o->seed, 0x696e64));
    int status = world_open(&spec, &t.world, err);
    if (status == 0) {
        world_on_packet(t.world, on_packet, &t);
        status = run_to(&t, how->at_ns, err);
        status = status != 0 ? status : world_snapshot(t.world, &t.snapshot, err);
    }
    for (; status == 0 && ret->walks < how->walks; ret->walks++) {
        if (how->end_ns != 0 && clock_mono_ns() >= how->end_ns) {
            break;
        }
        status = one_walk(&t, how->length, err);
    }
    snapshot_free(t.world, t.snapshot);
    world_close(t.world);
    u64map_done(&t.sent);
    VEC_DONE(&t.steps);
    VEC_DONE(&t.order);
    VEC_DONE(&t.first.pages);
    VEC_DONE(&t.second.pages);
    return status;
}

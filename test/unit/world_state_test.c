/* Words that may be times, and mappings, as the hash of a state sees them. */
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "test.h"
#include "world/heap.h"
#include "world/image.h"
#include "world/world.h"

static uint64_t bits(double d)
{
    uint64_t v = 0;
    memcpy(&v, &d, sizeof v);
    return v;
}

TEST(words_that_may_be_times)
{
    const struct state_mode clocks = {0}, no_clocks = {.no_clocks = true};
    const struct {
        uint64_t word;
        bool time;
    } rows[] = {
        {0,                                                  false},
        {1000,                                               false}, /* a second, or any small number */
        {1000000,                                            false},
        {UINT64_C(1000000000000),                            true }, /* monotonic, ns */
        {UINT64_C(1000000000000) - 1,                        false},
        {UINT64_C(1060123456789),                            true },
        {UINT64_C(1767225600),                               true }, /* the day: s, ms, us, ns */
        {UINT64_C(1767225660123),                            true },
        {UINT64_C(1767225660123456),                         true },
        {UINT64_C(1767225660123456789),                      true },
        {UINT64_C(1867225660123456789),                      false},
        {UINT64_C(0x555555554000),                           false}, /* addresses */
        {UINT64_C(0x7ffff7dd5000),                           false},
        {UINT64_C(0xc000123000),                             false},
        {bits(1767225660.25),                                true },
        {bits(1012.345678),                                  true },
        {bits(1012.5),                                       false}, /* a round number */
        {bits(0.25),                                         false},
        {UINT64_C(1) << 63 | UINT64_C(4449513660) << 30 | 5, true }, /* Go */
        {UINT64_C(1) << 63,                                  false},
        {UINT64_MAX,                                         false}, /* never */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_EQ(state_word(clocks, rows[i].word), rows[i].word);
        CHECK_EQ(state_word(no_clocks, rows[i].word), rows[i].time ? 0 : rows[i].word);
    }
}

static uint64_t maps_hash(const char *text)
{
    struct strbuf maps = {0};
    strbuf_adds(&maps, text);
    uint64_t h = image_maps_hash(&maps);
    strbuf_done(&maps);
    return h;
}

TEST(mappings_without_the_numbers_of_files)
{
    uint64_t h =
        maps_hash("1000-2000 r--p 00000000 fd:01 77 /bin/a\n2000-3000 rw-p 00000000 00:00 0 \n");
    CHECK_EQ(
        maps_hash("1000-2000 r--p 00000000 fd:02 78 /bin/a\n2000-3000 rw-p 00000000 00:00 0 \n"),
        h);
    CHECK(maps_hash(
              "1000-2000 r--p 00000000 fd:01 77 /bin/b\n2000-3000 rw-p 00000000 00:00 0 \n") != h);
    CHECK(maps_hash(
              "1000-2000 r-xp 00000000 fd:01 77 /bin/a\n2000-3000 rw-p 00000000 00:00 0 \n") != h);
    CHECK(maps_hash(
              "1000-2000 r--p 00001000 fd:01 77 /bin/a\n2000-3000 rw-p 00000000 00:00 0 \n") != h);
    CHECK(maps_hash(
              "1000-2000 r--p 00000000 fd:01 77 /bin/a\n2000-4000 rw-p 00000000 00:00 0 \n") != h);
}

TEST(ranges_of_files)
{
    struct strbuf maps = {0};
    struct file_ranges ranges = {0};
    size_t at = 0;
    strbuf_adds(&maps,
                "1000-2000 r--p 00000000 fd:01 77 /bin/a\n2000-3000 rw-p 00000000 00:00 0 \n"
                "5000-7000 rw-p 00000000 00:00 0 [heap]\n8000-9000 rw-p 00000000 00:01 9 /x\n");
    image_file_ranges(&maps, &ranges);
    CHECK_EQ(ranges.n, 2);
    CHECK(image_in_file(&ranges, 0x1000, &at));
    CHECK(!image_in_file(&ranges, 0x2000, &at));
    CHECK(!image_in_file(&ranges, 0x5000, &at));
    CHECK(image_in_file(&ranges, 0x8000, &at));
    CHECK(!image_in_file(&ranges, 0x9000, &at));
    VEC_DONE(&ranges);
    strbuf_done(&maps);
}

/* A world with one node, brought to where its program waits. */
static struct world *world_of(const char *const *argv, const char *dir)
{
    static const char *const none[] = {NULL};
    struct world_node node = {.name = "n", .argv = argv, .env = none, .ip = 0x0a000001};
    struct world_spec spec = {.nodes = &node, .n_nodes = 1, .seed = 1, .dir = dir, .trace_fd = -1};
    struct world *world = NULL;
    struct err err;
    enum settle_result settled = SETTLE_QUIET;
    struct event event;
    CHECK_EQ(world_open(&spec, &world, &err), 0);
    CHECK_EQ(world_settle(world, &settled, &err), 0);
    CHECK(world_next(world, &event));
    CHECK_EQ(event.kind, EV_START);
    CHECK_EQ(world_do(world, &event, &err), 0);
    CHECK_EQ(world_settle(world, &settled, &err), 0);
    return world;
}

static uint64_t state_of(struct world *world, struct state_options options)
{
    uint64_t hash = 0;
    struct err err;
    CHECK_EQ(world_state_hash(world, &options, &hash, &err), 0);
    return hash;
}

TEST(states_of_worlds)
{
    static const char *const command[] = {"/bin/sleep", "100", NULL};
    static const char *const other[] = {"/bin/sleep", "101", NULL};
    /* The C library keeps the number of its processor, where CPUID cannot be made to fault. */
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    char dir[] = "/tmp/assay-state-XXXXXX";
    CHECK(mkdtemp(dir) != NULL);
    uint64_t hash[3], only[3], code[3];
    for (int i = 0; i < 3; i++) {
        struct world *world = world_of(i < 2 ? command : other, dir);
        const struct state_range stack = {.addr = UINT64_C(0x7fffffffe000), .n = 4096};
        const struct state_range nothing = {.addr = UINT64_C(0x1000), .n = 4096};
        hash[i] = state_of(world, (struct state_options){0});
        CHECK_EQ(state_of(world, (struct state_options){.full = true}), hash[i]);
        CHECK_EQ(state_of(world, (struct state_options){0}), hash[i]);
        only[i] = state_of(world, (struct state_options){.only = &stack, .n_only = 1});
        code[i] = state_of(world, (struct state_options){.only = &nothing, .n_only = 1});
        world_close(world);
    }
    CHECK_EQ(hash[1], hash[0]);
    CHECK(hash[2] != hash[0]);
    CHECK_EQ(only[1], only[0]);
    CHECK(only[2] != only[0]); /* arguments are there */
    CHECK_EQ(code[2], code[0]);
    char log[sizeof dir + 8];
    (void)snprintf(log, sizeof log, "%s/n.log", dir);
    CHECK_EQ(unlink(log), 0);
    CHECK_EQ(rmdir(dir), 0);
}

TEST(blocks_are_found_by_their_beginning)
{
    struct heap *heap = NULL;
    struct err err;
    enum heap_kind kind = HEAP_ANY;
    CHECK_EQ(heap_new((size_t)1 << 24, &heap, &err), 0);
    char *p = heap_alloc(heap, 200);
    CHECK(heap_find(heap, (uintptr_t)p, &kind));
    CHECK_EQ(kind, HEAP_ANY);
    heap_mark(p, HEAP_NODE);
    p = heap_realloc(heap, p, 5000);
    CHECK(heap_find(heap, (uintptr_t)p, &kind));
    CHECK_EQ(kind, HEAP_NODE);
    CHECK(!heap_find(heap, (uintptr_t)p + 16, &kind));
    CHECK(!heap_find(heap, (uintptr_t)heap, &kind));
    heap_free(heap, p);
    CHECK(!heap_find(heap, (uintptr_t)p, &kind));
    heap_free_all(heap);
}

/* Words that may be times, and mappings, as the hash of a state sees them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "test.h"
#include "world/heap.h"
#include "world/image.h"

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

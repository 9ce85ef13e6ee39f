/* Arenas: alignment, marks, limits, and the memory they hold. */
#include <stdint.h>

#include "base/arena.h"
#include "test.h"

TEST(alignment_and_zero)
{
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t n = 0; n < 300; n++) {
        unsigned char *p = arena_zalloc(&arena, n);
        CHECK(p != NULL);
        CHECK_EQ((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n; i++) {
            CHECK_EQ(p[i], 0);
            p[i] = 0xab;
        }
    }
    arena_done(&arena);
}

TEST(zeroed_arena_works)
{
    struct arena arena = {0};
    CHECK(arena_alloc(&arena, 0) != NULL);
    CHECK_STR(arena_printf(&arena, "%s-%d", "a", 7), "a-7");
    arena_done(&arena);
    arena_done(&arena);
    arena_done(NULL);
}

TEST(distinct_blocks_do_not_overlap)
{
    struct arena arena;
    arena_init(&arena, 128);
    enum { N = 500 };
    uint32_t *blocks[N];
    for (uint32_t i = 0; i < N; i++) {
        blocks[i] = arena_alloc(&arena, (i % 40 + 1) * sizeof(uint32_t));
        for (uint32_t j = 0; j < i % 40 + 1; j++) {
            blocks[i][j] = i;
        }
    }
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = 0; j < i % 40 + 1; j++) {
            CHECK_EQ(blocks[i][j], i);
        }
    }
    arena_done(&arena);
}

TEST(rewind_reuses_memory)
{
    struct arena arena;
    arena_init(&arena, 1024);
    char *kept = arena_strndup(&arena, "kept", 4);
    struct arena_mark mark = arena_mark(&arena);
    size_t held = arena.used_bytes;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 200; i++) {
            memset(arena_alloc(&arena, 100), round, 100);
        }
        CHECK(arena.used_bytes > held);
        arena_rewind(&arena, mark);
        CHECK_EQ(arena.used_bytes, held);
    }
    CHECK_STR(kept, "kept");
    arena_done(&arena);
    CHECK_EQ(arena.used_bytes, 0);
}

TEST(rewind_of_empty_arena)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct arena_mark mark = arena_mark(&arena);
    arena_alloc(&arena, 1000000);
    arena_rewind(&arena, mark);
    CHECK_EQ(arena.used_bytes, 0);
    CHECK(arena_alloc(&arena, 10) != NULL);
    arena_done(&arena);
}

TEST(reset_keeps_first_chunk)
{
    struct arena arena;
    arena_init(&arena, 0);
    arena_reset(&arena);
    char *first = arena_alloc(&arena, 16);
    for (int i = 0; i < 10000; i++) {
        arena_alloc(&arena, 64);
    }
    arena_reset(&arena);
    CHECK(arena_alloc(&arena, 16) == (void *)first);
    arena_done(&arena);
}

static _Noreturn void limit_reached(void *arg)
{
    (void)arg;
    exit(0); /* the harness counts this as success */
}

TEST(limit_calls_full)
{
    struct arena arena;
    arena_init(&arena, 64);
    arena.limit_bytes = 10000;
    arena.full = limit_reached;
    for (int i = 0; i < 1000; i++) {
        arena_alloc(&arena, 64);
        CHECK(arena.used_bytes <= 10000);
    }
    exit(1); /* the limit was never seen */
}

TEST(limit_lets_nearly_all_be_used)
{
    struct arena arena;
    arena_init(&arena, 64);
    arena.limit_bytes = 1 << 20;
    arena.full = limit_reached;
    for (int i = 0; i < 12000; i++) { /* three quarters of the limit */
        arena_alloc(&arena, 64);
    }
    arena_done(&arena);
    CHECK_EQ(arena.used_bytes, 0);
}

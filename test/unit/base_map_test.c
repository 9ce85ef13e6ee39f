/* Maps and vectors against a slow obvious oracle, with random operations. */
#include "base/arena.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "test.h"

TEST(strmap_against_a_list)
{
    enum { KEYS = 700, STEPS = 20000 };
    struct arena arena;
    arena_init(&arena, 0);
    struct rng rng;
    rng_seed(&rng, 1);
    struct strmap map = {0};
    void *values[KEYS] = {0};
    struct str names[KEYS];
    size_t present = 0;
    for (size_t i = 0; i < KEYS; i++) {
        names[i] = str_of(arena_printf(&arena, "key%zu", i));
    }
    for (int step = 0; step < STEPS; step++) {
        size_t k = rng_below(&rng, KEYS);
        if (rng_below(&rng, 2)) {
            void *value = &values[rng_below(&rng, KEYS)];
            present += values[k] == NULL;
            CHECK(strmap_put(&map, names[k], value) == values[k]);
            values[k] = value;
        }
        CHECK(strmap_get(&map, names[k]) == values[k]);
        CHECK_EQ(strmap_has(&map, names[k]), values[k] != NULL);
        CHECK_EQ(map.n, present);
    }
    CHECK(!strmap_has(&map, STR("absent")));
    CHECK(strmap_number(&map, STR("absent")) == SIZE_MAX);
    for (size_t i = 0; i < map.n; i++) {
        CHECK_EQ(strmap_number(&map, map.entries[i].key), i);
    }
    CHECK(!strmap_has(&map, STR("")));
    strmap_done(&map);
    strmap_done(&map);
    strmap_done(NULL);
    arena_done(&arena);
}

TEST(strmap_iterates_in_order_of_insertion)
{
    struct strmap map = {0};
    static const char *const words[] = {"pear", "apple", "", "fig", "apple", "kiwi"};
    int marker = 0;
    for (size_t i = 0; i < 6; i++) {
        strmap_put(&map, str_of(words[i]), &marker);
    }
    CHECK_EQ(map.n, 5);
    CHECK(str_is(map.entries[0].key, "pear"));
    CHECK(str_is(map.entries[2].key, ""));
    CHECK(str_is(map.entries[4].key, "kiwi"));
    strmap_done(&map);
}

TEST(strmap_tells_null_from_absent)
{
    struct strmap map = {0};
    strmap_put(&map, STR("x"), NULL);
    CHECK(strmap_has(&map, STR("x")));
    CHECK(strmap_get(&map, STR("x")) == NULL);
    strmap_done(&map);
}

TEST(u64map_keeps_all)
{
    struct u64map map = {0};
    uint64_t value = 5;
    CHECK(!u64map_get(&map, 0, &value));
    CHECK_EQ(value, 5);
    for (uint64_t i = 0; i < 5000; i++) {
        u64map_put(&map, i << 32, i);
        u64map_put(&map, i, i + 1);
    }
    for (uint64_t i = 1; i < 5000; i++) {
        CHECK(u64map_get(&map, i << 32, &value) && value == i);
        CHECK(u64map_get(&map, i, &value) && value == i + 1);
        CHECK(!u64map_get(&map, (i << 32) + 1, NULL));
    }
    CHECK_EQ(map.n, 9999); /* 0 and 0 << 32 are one key */
    u64map_done(&map);
}

TEST(vec_push_and_pop)
{
    VEC(int) vec = {0};
    for (int i = 0; i < 1000; i++) {
        VEC_PUSH(&vec, i);
        CHECK_EQ(VEC_LAST(&vec), i);
    }
    CHECK_EQ(vec.n, 1000);
    for (int i = 999; i >= 500; i--) {
        CHECK_EQ(VEC_POP(&vec), i);
    }
    VEC_RESERVE(&vec, 5000);
    CHECK(vec.cap >= 5000 && vec.n == 500 && vec.v[499] == 499);
    VEC_RESET(&vec);
    CHECK_EQ(vec.n, 0);
    VEC_DONE(&vec);
    CHECK(vec.v == NULL && vec.cap == 0);
}

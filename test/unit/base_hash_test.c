/* Hashes and random numbers are part of what users see (fingerprints, seeds): their values must not
 * change. */
#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "test.h"

TEST(hash_values_are_fixed)
{
    /* The first is the published XXH3 hash of nothing. */
    CHECK(hash_bytes(NULL, 0, 0) == UINT64_C(0x2d06800538d394c2));
    CHECK(hash_bytes("", 0, 0) == hash_bytes(NULL, 0, 0));
    CHECK(hash_bytes("a", 1, 0) != hash_bytes("a", 1, 1));
    CHECK(hash_bytes("a", 1, 0) != hash_bytes("b", 1, 0));
}

TEST(mix_is_a_bijection_with_fixed_point_zero)
{
    CHECK(hash_mix(0) == 0);
    CHECK(hash_mix(1) != hash_mix(2));
    CHECK(hash_combine(1, 2) != hash_combine(2, 1));
    CHECK(hash_combine(0, 0) != 0);
}

TEST(seeded_sequence_is_fixed)
{
    /* splitmix64 with seed 0 starts with the well-known number e220a8397b1dcdaf. */
    struct rng rng;
    rng_seed(&rng, 0);
    CHECK(rng.s[0] == UINT64_C(0xe220a8397b1dcdaf));
    struct rng again;
    rng_seed(&again, 0);
    for (int i = 0; i < 100; i++) {
        CHECK(rng_next(&rng) == rng_next(&again));
    }
    rng_seed(&again, 1);
    CHECK(rng_next(&rng) != rng_next(&again));
}

TEST(below_is_in_range_and_fair)
{
    struct rng rng;
    rng_seed(&rng, 42);
    long counts[7] = {0};
    for (int i = 0; i < 70000; i++) {
        counts[rng_below(&rng, 7)]++;
    }
    for (int i = 0; i < 7; i++) {
        CHECK(counts[i] > 9500 && counts[i] < 10500);
    }
    for (int i = 0; i < 100; i++) {
        CHECK_EQ(rng_below(&rng, 1), 0);
        CHECK(rng_below(&rng, UINT64_C(3) << 62) < UINT64_C(3) << 62);
    }
}

TEST(clocks_move_forward)
{
    uint64_t before = clock_mono_ns();
    CHECK(clock_mono_ns() >= before);
    CHECK(clock_wall_s() > 1600000000);
    CHECK(clock_wall_ms() / 1000 >= clock_wall_s() - 5);
}

/* xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018),
 * seeded by splitmix64 as its authors advise, and bounded without bias by Lemire's multiplication
 * ("Fast random integer generation in an interval", 2019, section 4). */
#include "base/rng.h"

#include <stdint.h>

#include "base/assert.h"
#include "base/hash.h"

static uint64_t rotate_left(uint64_t x, unsigned bits)
{
    return (x << bits) | (x >> (64 - bits));
}

void rng_seed(struct rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += UINT64_C(0x9e3779b97f4a7c15);
        rng->s[i] = hash_mix(seed);
    }
}

uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    ASSERT(bound > 0);
    unsigned __int128 product = (unsigned __int128)rng_next(rng) * bound;
    if ((uint64_t)product < bound) {
        uint64_t unfair =
            (0 - bound) % bound; /* 2^64 mod bound: so many low halves are one too many */
        while ((uint64_t)product < unfair) {
            product = (unsigned __int128)rng_next(rng) * bound;
        }
    }
    return (uint64_t)(product >> 64);
}

/* A small deterministic generator (xoshiro256**): the same seed gives the same sequence everywhere.
 */
#pragma once

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);
uint64_t rng_below(struct rng *rng, uint64_t bound); /* uniform in 0..bound-1; bound > 0 */

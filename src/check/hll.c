/* HyperLogLog (Flajolet, Fusy, Gandouet, Meunier 2007), for simulation: the number of different
 * states without keeping them. The standard error with 2^14 registers is 0.8%; small numbers are
 * counted from the empty registers ("linear counting") and are nearly exact. */
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "check/check_int.h"

void hll_add(struct hll *hll, uint64_t fp)
{
    uint64_t h = hash_mix(fp);
    size_t slot = (size_t)(h >> (64 - HLL_BITS));
    uint64_t rest = h << HLL_BITS | UINT64_C(1) << (HLL_BITS - 1);
    uint8_t rank = (uint8_t)(__builtin_clzll(rest) + 1);
    if (rank > atomic_load_explicit(&hll->rank[slot], memory_order_relaxed)) {
        atomic_store_explicit(&hll->rank[slot], rank, memory_order_relaxed);
    }
}

void hll_merge(uint8_t rank[HLL_SIZE], const struct hll *hll)
{
    for (size_t slot = 0; slot < HLL_SIZE; slot++) {
        uint8_t other = atomic_load_explicit(&hll->rank[slot], memory_order_relaxed);
        rank[slot] = other > rank[slot] ? other : rank[slot];
    }
}

uint64_t hll_estimate(const uint8_t rank[HLL_SIZE])
{
    const double m = HLL_SIZE;
    double sum = 0;
    double empty = 0;
    for (size_t slot = 0; slot < HLL_SIZE; slot++) {
        sum += ldexp(1.0, -rank[slot]);
        empty += rank[slot] == 0;
    }
    double estimate = 0.7213 / (1 + 1.079 / m) * m * m / sum;
    if (estimate <= 2.5 * m && empty > 0) {
        estimate = m * log(m / empty);
    }
    return (uint64_t)(estimate + 0.5);
}

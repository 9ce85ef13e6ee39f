/* 64-bit hashing. Results depend on contents only: never on addresses, the run or the machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed);

/* A bijective finaliser (splitmix64's constants). */
static inline uint64_t hash_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

/* Order-dependent combination of a running hash with the next one. */
static inline uint64_t hash_combine(uint64_t h, uint64_t next)
{
    return hash_mix(h * UINT64_C(0x9e3779b97f4a7c15) + next + UINT64_C(0x7f4a7c159e3779b9));
}

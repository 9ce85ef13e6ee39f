/* Private to cgen: small functions of compiled code that are C of the program as well: a compiler
 * that does not optimise gets them compiled. HELPERS is both. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* cmp_words: by words of 8 bytes, little-endian, the first ones first; ty_val.c sorts in the same
 * way. fin64 is a bijection: it adds no collisions. hash_bytes and memo_hash read up to 7 bytes too
 * far: whoever owns states leaves room behind them. memo_hash says where to look whether something
 * is known of these bytes. */
// clang-format off: the text is what is compiled
#define HELPERS                                                                                    \
    static inline __attribute__((always_inline)) int cmp_words(const void *a, const void *b,       \
                                                               size_t n)                           \
    {                                                                                              \
        const uint8_t *p = a, *q = b;                                                              \
        uint64_t x, y;                                                                             \
        for (; n >= 8; n -= 8, p += 8, q += 8) {                                                   \
            memcpy(&x, p, 8);                                                                      \
            memcpy(&y, q, 8);                                                                      \
            if (x != y) return x < y ? -1 : 1;                                                     \
        }                                                                                          \
        x = y = 0;                                                                                 \
        memcpy(&x, p, n);                                                                          \
        memcpy(&y, q, n);                                                                          \
        return (x > y) - (x < y);                                                                  \
    }                                                                                              \
    static inline uint64_t mum(uint64_t a, uint64_t b)                                             \
    {                                                                                              \
        __uint128_t r = (__uint128_t)a * b;                                                        \
        return (uint64_t)r ^ (uint64_t)(r >> 64);                                                  \
    }                                                                                              \
    static inline uint64_t fin64(uint64_t x)                                                       \
    {                                                                                              \
        x ^= x >> 30;                                                                              \
        x *= 0xbf58476d1ce4e5b9UL;                                                                 \
        x ^= x >> 27;                                                                              \
        x *= 0x94d049bb133111ebUL;                                                                 \
        return x ^ x >> 31;                                                                        \
    }                                                                                              \
    static inline uint64_t sig_then(uint64_t h, uint64_t x)                                        \
    {                                                                                              \
        return mum(h ^ 0x8ebc6af09c88c6e3UL, x ^ 0x589965cc75374cc3UL) + x;                        \
    }                                                                                              \
    static inline uint64_t sig_end(uint64_t h)                                                     \
    {                                                                                              \
        return mum(h ^ 0xe7037ed1a0b428dbUL, h ^ 0xa0761d6478bd642fUL);                            \
    }                                                                                              \
    static inline uint64_t word_at(const uint8_t *p)                                               \
    {                                                                                              \
        uint64_t v;                                                                                \
        memcpy(&v, p, 8);                                                                          \
        return v;                                                                                  \
    }                                                                                              \
    static inline __attribute__((always_inline)) int same_bytes(const void *a, const void *b,      \
                                                                size_t n)                          \
    {                                                                                              \
        const uint8_t *p = a, *q = b;                                                              \
        uint64_t d = 0, x, y;                                                                      \
        if (n > 64) return memcmp(a, b, n) == 0;                                                   \
        for (; n >= 8; n -= 8, p += 8, q += 8) {                                                   \
            memcpy(&x, p, 8);                                                                      \
            memcpy(&y, q, 8);                                                                      \
            d |= x ^ y;                                                                            \
        }                                                                                          \
        x = y = 0;                                                                                 \
        memcpy(&x, p, n);                                                                          \
        memcpy(&y, q, n);                                                                          \
        return (d | (x ^ y)) == 0;                                                                 \
    }                                                                                              \
    static inline uint64_t hash_bytes(const void *at, size_t n)                                    \
    {                                                                                              \
        const uint8_t *p = at;                                                                     \
        uint64_t a = 0x9e3779b97f4a7c15UL ^ n;                                                     \
        uint64_t b = 0xd6e8feb86659fd93UL;                                                         \
        for (; n >= 32; n -= 32, p += 32) {                                                        \
            a = mum(word_at(p) ^ 0xa0761d6478bd642fUL, word_at(p + 8) ^ a);                        \
            b = mum(word_at(p + 16) ^ 0xe7037ed1a0b428dbUL, word_at(p + 24) ^ b);                  \
        }                                                                                          \
        for (; n >= 16; n -= 16, p += 16)                                                          \
            a = mum(word_at(p) ^ 0x8ebc6af09c88c6e3UL, word_at(p + 8) ^ a);                        \
        uint64_t x = 0, y = 0;                                                                     \
        if (n >= 8) {                                                                              \
            x = word_at(p);                                                                        \
            p += 8;                                                                                \
            n -= 8;                                                                                \
        }                                                                                          \
        if (n) y = word_at(p) & (~0UL >> (64 - 8 * n));                                            \
        return fin64(mum(a ^ x ^ 0x589965cc75374cc3UL, b ^ y ^ 0x1d8e4e27c47d124fUL));             \
    }                                                                                              \
    static inline __attribute__((always_inline)) uint64_t memo_hash(uint64_t h, const void *at,    \
                                                                    size_t n)                      \
    {                                                                                              \
        const uint8_t *p = at;                                                                     \
        for (; n >= 8; n -= 8, p += 8) h = mum(h ^ word_at(p), 0xe7037ed1a0b428dbUL);              \
        if (n) h = mum(h ^ (word_at(p) & (~0UL >> (64 - 8 * n))), 0xa0761d6478bd642fUL);           \
        return h;                                                                                  \
    }
// clang-format on

/* Of the program that loads the code. The same lines stand in the prelude. */
struct helpers {
    void *(*copy)(void *to, const void *from, size_t n);
    void *(*move)(void *to, const void *from, size_t n);
    void *(*set)(void *to, int byte, size_t n);
    int (*cmp)(const void *a, const void *b, size_t n);
    int (*same)(const void *a, const void *b, size_t n);
    /* Where an element is among n sorted ones of so many bytes, or ~where it belongs. */
    int (*find)(const void *all, int n, size_t size, const void *it);
    uint64_t (*mum)(uint64_t a, uint64_t b);
    uint64_t (*sig_then)(uint64_t h, uint64_t x);
    uint64_t (*sig_end)(uint64_t h);
    uint64_t (*fin)(uint64_t x);
    uint64_t (*hash)(const void *at, size_t n);
    uint64_t (*memo)(uint64_t h, const void *at, size_t n);
    int (*first)(uint64_t bits); /* which is the lowest that is set */
    int (*count)(uint64_t bits);
    int (*times)(int64_t a, int64_t b, int64_t *ret_product); /* 1: it does not fit */
};
extern const struct helpers cgen_helpers;
extern const char cgen_helpers_text[];

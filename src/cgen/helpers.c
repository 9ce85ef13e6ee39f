/* Helpers of compiled code, compiled and as text. */
#include "cgen/helpers.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TEXT(...)   #__VA_ARGS__
#define TEXT_OF(it) TEXT(it)

const char cgen_helpers_text[] = TEXT_OF(HELPERS) "\n";

HELPERS

static int cmp_called(const void *a, const void *b, size_t n)
{
    return cmp_words(a, b, n);
}

static int same_called(const void *a, const void *b, size_t n)
{
    return n > 16 ? memcmp(a, b, n) == 0 : same_bytes(a, b, n);
}

static uint64_t memo_called(uint64_t h, const void *at, size_t n)
{
    return memo_hash(h, at, n);
}

static int first_called(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

static int count_called(uint64_t bits)
{
    return __builtin_popcountll(bits);
}

static int times_called(int64_t a, int64_t b, int64_t *ret_product)
{
    return __builtin_mul_overflow(a, b, ret_product);
}

const struct helpers cgen_helpers = {
    .copy = memcpy,
    .move = memmove,
    .set = memset,
    .cmp = cmp_called,
    .same = same_called,
    .mum = mum,
    .fin = fin64,
    .hash = hash_bytes,
    .memo = memo_called,
    .first = first_called,
    .count = count_called,
    .times = times_called,
};

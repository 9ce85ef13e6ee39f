/* Helpers of compiled code, compiled and as text. */
#include "cgen/helpers.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TEXT(...)   #__VA_ARGS__
#define TEXT_OF(it) TEXT(it)

const char cgen_helpers_text[] = TEXT_OF(HELPERS) "\n";

HELPERS

/* Less than 8 bytes as a word, without reading beyond them. */
static uint64_t few_bytes(const uint8_t *p, size_t n)
{
    if (n >= 4) {
        uint32_t low, high; /* which may have bytes in common */
        memcpy(&low, p, 4);
        memcpy(&high, p + n - 4, 4);
        return low | (uint64_t)high << 8 * (n - 4);
    }
    if (n >= 2) {
        uint16_t low, high;
        memcpy(&low, p, 2);
        memcpy(&high, p + n - 2, 2);
        return low | (uint64_t)high << 8 * (n - 2);
    }
    return n ? *p : 0;
}

static int find_few(const uint8_t *all, int n, size_t size, uint64_t it)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        const uint8_t *p = all + (size_t)middle * size;
        uint64_t here = size == 8 ? word_at(p) : few_bytes(p, size);
        if (here == it) {
            return middle;
        }
        low = here < it ? middle + 1 : low;
        high = here < it ? high : middle;
    }
    return ~low;
}

static int find_called(const void *all, int n, size_t size, const void *it)
{
    if (size <= 8) {
        return find_few(all, n, size, size == 8 ? word_at(it) : few_bytes(it, size));
    }
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = cmp_words((const uint8_t *)all + (size_t)middle * size, it, size);
        if (order == 0) {
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return ~low;
}

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
    .find = find_called,
    .mum = mum,
    .sig_then = sig_then,
    .sig_end = sig_end,
    .fin = fin64,
    .hash = hash_bytes,
    .memo = memo_called,
    .first = first_called,
    .count = count_called,
    .times = times_called,
};

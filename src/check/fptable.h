/* The part of the fingerprint set that is in memory: a hash table of keys, 5.3 to 9.1 bytes a slot.
 *
 * Any number of threads may insert at once. Growing and reading all keys in order is done alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct helpers; /* fpset.h */

/* A bucket is one cache line; its layout depends on how many buckets there are (fptable.c). */
struct fpbucket {
    uint8_t bytes[64];
};

/* How keys map to buckets and back. */
struct fpgeometry {
    uint64_t nbucket;
    uint64_t step; /* start of bucket b: b * step >> shift */
    unsigned shift;
    unsigned nslot;   /* in a bucket */
    unsigned high;    /* bytes of the upper part of a remainder: 4, 2 or 1 */
    unsigned probes;  /* buckets where a key may be */
    uint32_t far_bit; /* of the upper part: the key is 4 buckets further away than noted */
};

struct fptable {
    struct fpbucket *buckets; /* room for the largest table, touched as far as it is used */
    uint64_t nbucket_max;
    struct fpgeometry geo; /* written alone */
};

enum fptable_answer { FPTABLE_SEEN, FPTABLE_NEW, FPTABLE_NO_ROOM };

void fptable_init(struct fptable *table, uint64_t nbucket, uint64_t nbucket_max);
void fptable_done(struct fptable *table);

/* Any thread. Keys should be spread over all 64-bit numbers. FPTABLE_NO_ROOM: all places for this
 * key are taken, and it is not there; so it will be until the table grows. */
enum fptable_answer fptable_insert(struct fptable *table, uint64_t key);
bool fptable_has(struct fptable *table, uint64_t key);
/* Fetches the line where the key would be. */
static inline void fptable_prefetch(const struct fptable *table, uint64_t key)
{
    uint64_t at = (uint64_t)(((unsigned __int128)key * table->geo.nbucket) >> 64);
    __builtin_prefetch(&table->buckets[at], 1);
}

static inline uint64_t fptable_slots(const struct fptable *table)
{
    return table->geo.nbucket * table->geo.nslot;
}
uint64_t fptable_slots_of(uint64_t nbucket);         /* of a table with so many buckets */
uint64_t fptable_bytes(const struct fptable *table); /* in use */

/* Alone: more buckets, in place. Keys that find no room are passed to `lost` (rare). */
void fptable_grow(struct fptable *table, uint64_t nbucket, const struct helpers *helpers,
                  void (*lost)(void *arg, uint64_t key), void *arg);
/* Alone: the keys that belong to buckets [first, end) in ascending order. Stops when `each` returns
 * non-zero, and returns that. */
int fptable_each(const struct fptable *table, uint64_t first, uint64_t end,
                 int (*each)(void *arg, uint64_t key), void *arg);
/* Alone. */
void fptable_clear(struct fptable *table);

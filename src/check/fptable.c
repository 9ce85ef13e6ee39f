/* The hash table of the fingerprint set: see fptable.h.
 *
 * The bucket of a key is the high part of key x number of buckets. So the table may have any size,
 * the buckets cut the space of keys into equal ranges in ascending order, and a key is its bucket
 * and its distance from the start of the bucket's range: the remainder. Only the remainder is kept:
 *
 *     buckets             remainder     slots     bytes a slot
 *     fewer than 2^18     64 bits       7         9.1
 *     fewer than 2^26     47 bits       10        6.4
 *     2^26 and more       39 bits       12        5.3
 *
 * A bucket is a cache line: the lower 32 bits of all remainders, then their upper parts, and in the
 * last word how many slots are filled, a lock, and for each slot how many buckets away from its own
 * bucket the key is: a full bucket overflows into the following ones, at most 7 away (3 in small
 * tables). Of that number two bits are in the last word and one with the upper part. When 85% of
 * the slots are filled, one key in 500 has found no room even there and is the caller's.
 *
 * Slots are filled in order and never emptied while threads run, so a reader that loads the last
 * word may trust the slots it counts, without any lock, and a key that is not in a bucket with a
 * free slot is not in the table. A writer takes the lock of the one bucket for a few instructions.
 *
 * Growing is done in place, from the last bucket down: the new place of a key is never below the
 * old one. The keys of buckets [low, high) go to places from `high` on when low is about high x old
 * size / new size: these moves need not be ordered among themselves, so threads share them. No
 * second table is ever in memory, and only what is added is touched for the first time. */
#include "check/fptable.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/mman.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/assert.h"
#include "base/vec.h"
#include "check/fpset.h"
#include "check/store.h"

enum { PROBES = 8, LAST_WORD = 60 }; /* PROBES: in any table, at most */
/* The last word of a bucket. */
enum { COUNT = 15, LOCK = 16, AWAY_SHIFT = 8, AWAY_BITS = 2, AWAY_MASK = 3 };

_Static_assert(sizeof(struct fpbucket) == 64, "a bucket is a cache line");

/* ---- geometry ---- */

static struct fpgeometry geometry(uint64_t nbucket)
{
    struct fpgeometry geo = {.nbucket = nbucket, .nslot = 7, .high = 4, .probes = 4};
    if (nbucket >= UINT64_C(1) << 26) {
        geo.nslot = 12;
        geo.high = 1;
        geo.shift = 24;
    } else if (nbucket >= UINT64_C(1) << 18) {
        geo.nslot = 10;
        geo.high = 2;
        geo.shift = 16;
    }
    if (geo.high < 4) {
        geo.probes = 8;
        geo.far_bit = UINT32_C(1) << (8 * geo.high - 1);
    }
    if (geo.shift) { /* else all starts are 0 and a remainder is the whole key */
        geo.step = (uint64_t)(((unsigned __int128)1 << (64 + geo.shift)) / nbucket);
    }
    return geo;
}

static inline uint64_t home(const struct fpgeometry *geo, uint64_t key)
{
    return (uint64_t)(((unsigned __int128)key * geo->nbucket) >> 64);
}

/* At most the smallest key of the bucket, and close to it: a remainder has a bit to spare. */
static inline uint64_t start(const struct fpgeometry *geo, uint64_t bucket)
{
    return (uint64_t)(((unsigned __int128)bucket * geo->step) >> geo->shift);
}

static inline _Atomic uint32_t *last_word(struct fpbucket *bucket)
{
    void *p = bucket->bytes + LAST_WORD;
    return p;
}

/* The part of a key's distance that is in the last word. */
static inline uint32_t away(uint32_t last, unsigned slot)
{
    return last >> (AWAY_SHIFT + AWAY_BITS * slot) & AWAY_MASK;
}

/* The upper part of a remainder, with the rest of the distance. */
static inline uint32_t high_of(const struct fpgeometry *geo, uint64_t remainder, uint32_t distance)
{
    return (uint32_t)(remainder >> 32) | (distance > AWAY_MASK ? geo->far_bit : 0);
}

static inline uint32_t high_get(const struct fpgeometry *geo, const struct fpbucket *bucket,
                                unsigned slot)
{
    const uint8_t *p = bucket->bytes + (size_t)4 * geo->nslot + (size_t)slot * geo->high;
    uint32_t whole = 0;
    uint16_t half = 0;
    switch (geo->high) {
    case 1: return *p;
    case 2: memcpy(&half, p, sizeof half); return half;
    default: memcpy(&whole, p, sizeof whole); return whole;
    }
}

static inline void slot_put(const struct fpgeometry *geo, struct fpbucket *bucket, unsigned slot,
                            uint32_t low, uint32_t high)
{
    uint8_t *p = bucket->bytes + (size_t)4 * geo->nslot + (size_t)slot * geo->high;
    uint16_t half = (uint16_t)high;
    memcpy(bucket->bytes + (size_t)4 * slot, &low, sizeof low);
    switch (geo->high) {
    case 1: *p = (uint8_t)high; break;
    case 2: memcpy(p, &half, sizeof half); break;
    default: memcpy(p, &high, sizeof high); break;
    }
}

/* The key in a slot that is filled, of the bucket at `at`. */
static inline uint64_t slot_key(const struct fpgeometry *geo, const struct fpbucket *bucket,
                                uint64_t at, uint32_t last, unsigned slot)
{
    uint32_t low = 0;
    memcpy(&low, bucket->bytes + (size_t)4 * slot, sizeof low);
    uint32_t high = high_get(geo, bucket, slot);
    uint64_t from = at - away(last, slot) - (high & geo->far_bit ? AWAY_MASK + 1 : 0);
    return start(geo, from) + ((uint64_t)(high & ~geo->far_bit) << 32 | low);
}

static size_t bytes_of(uint64_t nbucket)
{
    return (size_t)(nbucket + PROBES) * sizeof(struct fpbucket);
}

/* ---- life ---- */

static void use_huge_pages(struct fptable *table)
{
    size_t bytes = bytes_of(table->geo.nbucket);
    if (bytes >= (size_t)8 << 20) {
        (void)madvise(table->buckets, bytes, MADV_HUGEPAGE); /* only a hint */
    }
}

/* The room that the table may grow into is only reserved. Where there is not so much (a budget
 * beyond what can be addressed, a limit of the process), there is less. */
void fptable_init(struct fptable *table, uint64_t nbucket, uint64_t nbucket_max)
{
    void *room = NULL;
    while (nbucket_max > nbucket && !(room = memory_try_map(bytes_of(nbucket_max)))) {
        nbucket_max = nbucket_max / 2 > nbucket ? nbucket_max / 2 : nbucket;
    }
    *table = (struct fptable){
        .buckets = room ? room : memory_map(bytes_of(nbucket_max)),
        .nbucket_max = nbucket_max,
        .geo = geometry(nbucket),
    };
    use_huge_pages(table);
}

void fptable_done(struct fptable *table)
{
    memory_unmap(table->buckets, bytes_of(table->nbucket_max));
    *table = (struct fptable){0};
}

uint64_t fptable_slots_of(uint64_t nbucket)
{
    return nbucket * geometry(nbucket).nslot;
}

uint64_t fptable_bytes(const struct fptable *table)
{
    return bytes_of(table->geo.nbucket);
}

void fptable_clear(struct fptable *table)
{
    memset(table->buckets, 0, bytes_of(table->geo.nbucket));
}

/* ---- inserting ---- */

#ifdef __has_feature
#define WATCHED __has_feature(thread_sanitizer)
#elif defined(__SANITIZE_THREAD__)
#define WATCHED 1
#else
#define WATCHED 0
#endif

/* Which of the first n slots have this lower part, as bits. */
#if WATCHED || !defined(__SSE2__)
static inline unsigned same_low(const struct fpbucket *bucket, uint32_t low, unsigned n)
{
    unsigned same = 0;
    for (unsigned i = 0; i < n; i++) {
        uint32_t have = 0;
        memcpy(&have, bucket->bytes + (size_t)4 * i, sizeof have);
        same |= (unsigned)(have == low) << i;
    }
    return same;
}
#else
/* Looks at twelve words, whatever they are, and forgets those that do not count; so it also reads a
 * slot that is being filled. */
static inline unsigned same_low(const struct fpbucket *bucket, uint32_t low, unsigned n)
{
    const void *bytes = bucket->bytes; /* a bucket is aligned */
    const __m128i *words = bytes;
    __m128i want = _mm_set1_epi32((int)low);
    __m128i a = _mm_cmpeq_epi32(_mm_load_si128(words), want);
    __m128i b = _mm_cmpeq_epi32(_mm_load_si128(words + 1), want);
    __m128i c = _mm_cmpeq_epi32(_mm_load_si128(words + 2), want);
    __m128i ab = _mm_packs_epi32(a, b);
    unsigned same = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(ab, _mm_packs_epi32(c, c)));
    return same & ((1U << n) - 1);
}
#endif

static inline bool bucket_has(const struct fpgeometry *geo, const struct fpbucket *bucket,
                              uint32_t last, uint64_t remainder, uint32_t distance)
{
    unsigned same = same_low(bucket, (uint32_t)remainder, last & COUNT);
    for (; same != 0; same &= same - 1) {
        unsigned slot = (unsigned)__builtin_ctz(same);
        if (high_get(geo, bucket, slot) == high_of(geo, remainder, distance) &&
            away(last, slot) == (distance & AWAY_MASK)) {
            return true;
        }
    }
    return false;
}

static inline uint32_t last_after(uint32_t last, uint32_t distance)
{
    unsigned slot = last & COUNT;
    return (last + 1) | (distance & AWAY_MASK) << (AWAY_SHIFT + AWAY_BITS * slot);
}

/* The lock's holder may have lost its processor. */
static uint32_t wait_for_lock(_Atomic uint32_t *word)
{
    enum { SPINS = 1000 };
    uint32_t last = atomic_load_explicit(word, memory_order_acquire);
    for (unsigned i = 1; last & LOCK; i++) {
        if (i % SPINS == 0) {
            (void)sched_yield(); /* cannot fail on Linux */
        }
        last = atomic_load_explicit(word, memory_order_acquire);
    }
    return last;
}

enum fptable_answer fptable_insert(struct fptable *table, uint64_t key)
{
    const struct fpgeometry *geo = &table->geo;
    uint64_t at = home(geo, key);
    uint64_t remainder = key - start(geo, at);
    for (uint32_t distance = 0; distance < geo->probes; distance++) {
        struct fpbucket *bucket = &table->buckets[at + distance];
        _Atomic uint32_t *word = last_word(bucket);
        /* Pairs with the release below: the slots counted are filled. */
        uint32_t last = atomic_load_explicit(word, memory_order_acquire);
        for (;;) {
            if (bucket_has(geo, bucket, last, remainder, distance)) {
                return FPTABLE_SEEN;
            }
            if ((last & COUNT) == geo->nslot) {
                break;
            }
            if (last & LOCK) {
                last = wait_for_lock(word);
                continue;
            }
            if (atomic_compare_exchange_weak_explicit(word, &last, last | LOCK,
                                                      memory_order_acquire, memory_order_acquire)) {
                slot_put(geo, bucket, last & COUNT, (uint32_t)remainder,
                         high_of(geo, remainder, distance));
                atomic_store_explicit(word, last_after(last, distance), memory_order_release);
                return FPTABLE_NEW;
            }
        }
    }
    return FPTABLE_NO_ROOM;
}

bool fptable_has(struct fptable *table, uint64_t key)
{
    const struct fpgeometry *geo = &table->geo;
    uint64_t at = home(geo, key);
    uint64_t remainder = key - start(geo, at);
    for (uint32_t distance = 0; distance < geo->probes; distance++) {
        struct fpbucket *bucket = &table->buckets[at + distance];
        uint32_t last = atomic_load_explicit(last_word(bucket), memory_order_acquire);
        if (bucket_has(geo, bucket, last, remainder, distance)) {
            return true;
        }
        if ((last & COUNT) < geo->nslot) {
            return false;
        }
    }
    return false;
}

/* ---- growing ---- */

/* Buckets [low, high) are moved by several threads, each a part of them. */
struct growing {
    struct fptable *table;
    struct fpgeometry old;
    uint64_t low, high;
    void (*lost)(void *arg, uint64_t key);
    void *arg;
    _Atomic uint32_t lost_lock;
};

static void lose(struct growing *g, uint64_t key)
{
    uint32_t free = 0;
    while (!atomic_compare_exchange_weak_explicit(&g->lost_lock, &free, 1, memory_order_acquire,
                                                  memory_order_relaxed)) {
        free = 0;
    }
    g->lost(g->arg, key);
    atomic_store_explicit(&g->lost_lock, 0, memory_order_release);
}

/* Like fptable_insert for a key that is not there, and nobody else is near. */
static void place(struct growing *g, uint64_t key, uint64_t at)
{
    const struct fpgeometry *geo = &g->table->geo;
    uint64_t remainder = key - start(geo, at);
    for (uint32_t distance = 0; distance < geo->probes; distance++) {
        struct fpbucket *bucket = &g->table->buckets[at + distance];
        _Atomic uint32_t *word = last_word(bucket);
        uint32_t last = atomic_load_explicit(word, memory_order_relaxed);
        if ((last & COUNT) < geo->nslot) {
            slot_put(geo, bucket, last & COUNT, (uint32_t)remainder,
                     high_of(geo, remainder, distance));
            atomic_store_explicit(word, last_after(last, distance), memory_order_relaxed);
            return;
        }
    }
    lose(g, key);
}

/* Takes the keys out of a bucket of the old table, which was at `at`. */
static unsigned bucket_take(const struct fpgeometry *old, struct fpbucket *bucket, uint64_t at,
                            uint64_t keys[12])
{
    uint32_t last = atomic_load_explicit(last_word(bucket), memory_order_relaxed);
    unsigned n = last & COUNT;
    for (unsigned i = 0; i < n; i++) {
        keys[i] = slot_key(old, bucket, at, last, i);
    }
    if (n > 0) { /* what was never touched stays so */
        memset(bucket, 0, sizeof *bucket);
    }
    return n;
}

/* Where the keys of a bucket go, but for one. */
static uint64_t moved(const struct growing *g, uint64_t bucket)
{
    return (uint64_t)((unsigned __int128)bucket * g->table->geo.nbucket / g->old.nbucket);
}

/* The part of one thread. Where its keys may meet those of the neighbours, it inserts as if in a
 * search. */
static void grow_part(void *arg, unsigned part, unsigned nparts)
{
    struct growing *g = arg;
    const struct fpgeometry *geo = &g->table->geo;
    uint64_t n = g->high - g->low;
    uint64_t first = g->low + n * part / nparts;
    uint64_t end = g->low + n * (part + 1) / nparts;
    uint64_t meet_low = moved(g, first) + UINT64_C(2) * PROBES;
    uint64_t meet_high = moved(g, end - PROBES) - UINT64_C(2) * PROBES;
    uint64_t keys[12];
    for (uint64_t b = first; b < end; b++) {
        unsigned nkey = bucket_take(&g->old, &g->table->buckets[b], b, keys);
        for (unsigned i = 0; i < nkey; i++) {
            uint64_t at = home(geo, keys[i]);
            if (nparts == 1 || (at > meet_low && at < meet_high)) {
                place(g, keys[i], at);
            } else if (fptable_insert(g->table, keys[i]) == FPTABLE_NO_ROOM) {
                lose(g, keys[i]);
            }
        }
    }
}

/* The first buckets, whose places overlap with those they leave: by way of a copy. */
static void grow_first(struct growing *g)
{
    VEC(uint64_t) all = {0};
    uint64_t keys[12];
    for (uint64_t b = 0; b < g->high; b++) {
        unsigned n = bucket_take(&g->old, &g->table->buckets[b], b, keys);
        for (unsigned i = 0; i < n; i++) {
            VEC_PUSH(&all, keys[i]);
        }
    }
    for (size_t i = 0; i < all.n; i++) {
        place(g, all.v[i], home(&g->table->geo, all.v[i]));
    }
    VEC_DONE(&all);
}

void fptable_grow(struct fptable *table, uint64_t nbucket, const struct helpers *helpers,
                  void (*lost)(void *arg, uint64_t key), void *arg)
{
    enum { FIRST = 4096, ALONE = 1 << 14 }; /* fewer are not worth waking helpers */
    ASSERT(nbucket > table->geo.nbucket && nbucket <= table->nbucket_max);
    struct growing g = {.table = table, .old = table->geo, .lost = lost, .arg = arg};
    uint64_t nold = table->geo.nbucket;
    table->geo = geometry(nbucket);
    use_huge_pages(table);
    g.high = nold + PROBES;
    while (g.high > FIRST) {
        g.low = (uint64_t)((unsigned __int128)g.high * nold / nbucket) + PROBES + 1;
        if (g.low >= g.high) {
            break;
        }
        if (helpers && g.high - g.low >= ALONE) {
            helpers->run(helpers->self, grow_part, &g);
        } else {
            grow_part(&g, 0, 1);
        }
        g.high = g.low;
    }
    grow_first(&g);
}

/* ---- all keys in order ---- */

/* Adds a key to a short list that is sorted. */
static unsigned sorted_add(uint64_t *keys, unsigned n, uint64_t key)
{
    unsigned at = n;
    for (; at > 0 && keys[at - 1] > key; at--) {
        keys[at] = keys[at - 1];
    }
    keys[at] = key;
    return n + 1;
}

int fptable_each(const struct fptable *table, uint64_t first, uint64_t end,
                 int (*each)(void *arg, uint64_t key), void *arg)
{
    const struct fpgeometry *geo = &table->geo;
    uint64_t keys[12 * (PROBES + 1)]; /* those of the last PROBES buckets */
    unsigned n = 0;
    for (uint64_t b = first; b < end + PROBES; b++) {
        struct fpbucket *bucket = &table->buckets[b];
        uint32_t last = atomic_load_explicit(last_word(bucket), memory_order_relaxed);
        for (unsigned i = 0; i < (last & COUNT); i++) {
            uint64_t key = slot_key(geo, bucket, b, last, i);
            uint64_t from = home(geo, key);
            if (from >= first && from < end) {
                n = sorted_add(keys, n, key);
            }
        }
        /* Keys of bucket b - PROBES + 1 and before cannot be further on. */
        unsigned done = 0;
        while (done < n && home(geo, keys[done]) + PROBES <= b + 1) {
            int status = each(arg, keys[done++]);
            if (status != 0) {
                return status;
            }
        }
        n -= done;
        memmove(keys, keys + done, n * sizeof *keys);
    }
    return 0;
}

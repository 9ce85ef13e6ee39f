/* The table of strings.
 *
 * Names and strings are interned: equal text has one id, and ids grow in the order in which texts
 * were first seen, which is TLC's order of strings. All threads share one table. Reads (text of an
 * id, finding an id that exists) take no lock; only a text that is new takes the mutex.
 *
 * Entries live in chunks that double in size and never move, so the text of an id is found by
 * arithmetic. The index from text to id is an open- addressing table of ids; when it gets half full
 * a larger copy is published and the old one is left in place, since a reader may still be in it
 * (the sum of all old copies is smaller than the current one). Publication: an entry is written
 * before its id is stored into the index, and a chunk or index before its pointer, all with
 * release; readers load with acquire. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/str.h"
#include "value/value.h"

enum { FIRST_CHUNK_BITS = 8, CHUNKS = 32 - FIRST_CHUNK_BITS, FIRST_INDEX_CAP = 512 };

#define STRTAB_SEED                                                                                \
    UINT64_C(0x73747274616231) /* hashes of texts are part of fingerprints: never change it */

struct entry {
    const char *p;
    size_t n;
    uint64_t hash;
};

struct index {
    uint32_t cap;            /* a power of two */
    _Atomic uint32_t slot[]; /* id + 1; 0 = free. Written under the mutex. */
};

struct strtab {
    struct arena arena; /* everything, this struct too; under the mutex */
    pthread_mutex_t mutex;
    _Atomic(struct index *) index; /* written under the mutex */
    _Atomic(struct entry *)
        chunk[CHUNKS];      /* chunk k holds 2^(8+k) entries; written under the mutex */
    _Atomic uint32_t count; /* written under the mutex, after the entry */
};

static struct index *index_new(struct strtab *strtab, uint32_t cap)
{
    struct index *index = arena_zalloc(&strtab->arena, sizeof *index + cap * sizeof index->slot[0]);
    index->cap = cap;
    return index;
}

struct strtab *strtab_new(void)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct strtab *strtab = arena_zalloc(&arena, sizeof *strtab);
    strtab->arena = arena;
    ASSERT(pthread_mutex_init(&strtab->mutex, NULL) == 0);
    atomic_store_explicit(&strtab->index, index_new(strtab, FIRST_INDEX_CAP), memory_order_release);
    return strtab;
}

void strtab_free(struct strtab *strtab)
{
    if (!strtab) {
        return;
    }
    pthread_mutex_destroy(&strtab->mutex);
    struct arena arena = strtab->arena;
    arena_done(&arena);
}

/* Id i lives in chunk k at offset i + 2^8 - 2^(8+k), where 8+k is the number of the top bit of i +
 * 2^8. */
static unsigned chunk_of(uint32_t id, uint32_t *ret_offset)
{
    uint64_t biased = (uint64_t)id + (1u << FIRST_CHUNK_BITS);
    unsigned top = 63u - (unsigned)__builtin_clzll(biased);
    *ret_offset = (uint32_t)(biased - (UINT64_C(1) << top));
    return top - FIRST_CHUNK_BITS;
}

static const struct entry *entry_of(const struct strtab *strtab, uint32_t id)
{
    uint32_t offset;
    unsigned k = chunk_of(id, &offset);
    return atomic_load_explicit(&strtab->chunk[k], memory_order_acquire) + offset;
}

/* The slot of the text, or the free slot where it belongs. */
static _Atomic uint32_t *probe(const struct strtab *strtab, struct index *index, struct str text,
                               uint64_t hash, uint32_t *ret_id)
{
    uint32_t mask = index->cap - 1;
    for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
        uint32_t found = atomic_load_explicit(&index->slot[i], memory_order_acquire);
        if (found == 0) {
            *ret_id = UINT32_MAX;
            return &index->slot[i];
        }
        const struct entry *entry = entry_of(strtab, found - 1);
        if (entry->hash == hash && str_eq((struct str){entry->p, entry->n}, text)) {
            *ret_id = found - 1;
            return &index->slot[i];
        }
    }
}

static void index_grow(struct strtab *strtab, struct index *old, uint32_t count)
{
    struct index *index = index_new(strtab, old->cap * 2);
    for (uint32_t id = 0; id < count; id++) {
        uint32_t mask = index->cap - 1;
        uint32_t i = (uint32_t)entry_of(strtab, id)->hash & mask;
        while (atomic_load_explicit(&index->slot[i], memory_order_relaxed) != 0) {
            i = (i + 1) & mask;
        }
        atomic_store_explicit(&index->slot[i], id + 1, memory_order_relaxed);
    }
    atomic_store_explicit(&strtab->index, index, memory_order_release);
}

static uint32_t insert(struct strtab *strtab, struct str text, uint64_t hash)
{
    struct index *index = atomic_load_explicit(&strtab->index, memory_order_relaxed);
    uint32_t id;
    probe(strtab, index, text, hash, &id);
    if (id != UINT32_MAX) { /* another thread was faster */
        return id;
    }
    uint32_t count = atomic_load_explicit(&strtab->count, memory_order_relaxed);
    ASSERTF(count < INT32_MAX, "%s", "too many different strings");
    if (count >= index->cap / 2) {
        index_grow(strtab, index, count);
        index = atomic_load_explicit(&strtab->index, memory_order_relaxed);
    }
    uint32_t offset;
    unsigned k = chunk_of(count, &offset);
    struct entry *chunk = atomic_load_explicit(&strtab->chunk[k], memory_order_relaxed);
    if (!chunk) {
        chunk = ARENA_ARRAY(&strtab->arena, struct entry, UINT64_C(1) << (FIRST_CHUNK_BITS + k));
        atomic_store_explicit(&strtab->chunk[k], chunk, memory_order_release);
    }
    chunk[offset] = (struct entry){arena_strndup(&strtab->arena, text.p, text.n), text.n, hash};
    _Atomic uint32_t *slot = probe(strtab, index, text, hash, &id);
    atomic_store_explicit(&strtab->count, count + 1, memory_order_release);
    atomic_store_explicit(slot, count + 1, memory_order_release); /* pairs with probe's acquire */
    return count;
}

uint32_t strtab_intern(struct strtab *strtab, struct str text)
{
    uint64_t hash = hash_bytes(text.p, text.n, STRTAB_SEED);
    uint32_t id;
    probe(strtab, atomic_load_explicit(&strtab->index, memory_order_acquire), text, hash, &id);
    if (id != UINT32_MAX) {
        return id;
    }
    pthread_mutex_lock(&strtab->mutex);
    id = insert(strtab, text, hash);
    pthread_mutex_unlock(&strtab->mutex);
    return id;
}

struct str strtab_text(const struct strtab *strtab, uint32_t id)
{
    const struct entry *entry = entry_of(strtab, id);
    return (struct str){entry->p, entry->n};
}

uint64_t strtab_hash(const struct strtab *strtab, uint32_t id)
{
    return entry_of(strtab, id)->hash;
}

uint32_t strtab_count(const struct strtab *strtab)
{
    return atomic_load_explicit(&strtab->count, memory_order_acquire);
}

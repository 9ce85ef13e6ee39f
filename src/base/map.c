/* Hash maps with insertion order: a dense array of entries, and an open-addressing index of entry
 * numbers.
 *
 * Linear probing at a load of at most 2/3. Nothing is ever removed, so that there are no
 * tombstones. */
#include "base/map.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"

enum { INDEX_MIN = 8 };

static bool index_is_full(size_t n, size_t index_cap)
{
    return (n + 1) * 3 > index_cap * 2;
}

/* A zeroed index of twice the size; the caller fills it again. */
static uint32_t *index_double(uint32_t *index, size_t *index_cap)
{
    size_t cap = 0;
    size_t want = *index_cap ? *index_cap * 2 : INDEX_MIN;
    ASSERT(want / 2 <= UINT32_MAX);
    vec_release(index);
    index = vec_grow(NULL, &cap, want, sizeof *index);
    memset(index, 0, want * sizeof *index);
    *index_cap = want;
    return index;
}

static void index_add(uint32_t *index, size_t index_cap, uint64_t hash, size_t entry)
{
    size_t slot = hash & (index_cap - 1);
    while (index[slot]) {
        slot = (slot + 1) & (index_cap - 1);
    }
    index[slot] = (uint32_t)entry + 1;
}

static struct strmap_entry *strmap_find(const struct strmap *map, struct str key, uint64_t hash)
{
    if (map->n == 0) {
        return NULL;
    }
    for (size_t slot = hash & (map->index_cap - 1); map->index[slot];
         slot = (slot + 1) & (map->index_cap - 1)) {
        struct strmap_entry *entry = &map->entries[map->index[slot] - 1];
        if (entry->hash == hash && str_eq(entry->key, key)) {
            return entry;
        }
    }
    return NULL;
}

void strmap_done(struct strmap *map)
{
    if (map) {
        vec_release(map->entries);
        vec_release(map->index);
        *map = (struct strmap){0};
    }
}

void *strmap_get(const struct strmap *map, struct str key)
{
    struct strmap_entry *entry = strmap_find(map, key, hash_bytes(key.p, key.n, 0));
    return entry ? entry->value : NULL;
}

bool strmap_has(const struct strmap *map, struct str key)
{
    return strmap_find(map, key, hash_bytes(key.p, key.n, 0)) != NULL;
}

size_t strmap_number(const struct strmap *map, struct str key)
{
    struct strmap_entry *entry = strmap_find(map, key, hash_bytes(key.p, key.n, 0));
    return entry ? (size_t)(entry - map->entries) : SIZE_MAX;
}

void *strmap_put(struct strmap *map, struct str key, void *value)
{
    uint64_t hash = hash_bytes(key.p, key.n, 0);
    struct strmap_entry *entry = strmap_find(map, key, hash);
    if (entry) {
        void *old = entry->value;
        entry->value = value;
        return old;
    }
    if (index_is_full(map->n, map->index_cap)) {
        map->index = index_double(map->index, &map->index_cap);
        for (size_t i = 0; i < map->n; i++) {
            index_add(map->index, map->index_cap, map->entries[i].hash, i);
        }
    }
    if (map->n == map->cap) {
        map->entries = vec_grow(map->entries, &map->cap, map->n + 1, sizeof *map->entries);
    }
    map->entries[map->n] = (struct strmap_entry){.key = key, .value = value, .hash = hash};
    index_add(map->index, map->index_cap, hash, map->n++);
    return NULL;
}

static struct u64map_entry *u64map_find(const struct u64map *map, uint64_t key)
{
    if (map->n == 0) {
        return NULL;
    }
    size_t slot = hash_mix(key) & (map->index_cap - 1);
    for (; map->index[slot]; slot = (slot + 1) & (map->index_cap - 1)) {
        struct u64map_entry *entry = &map->entries[map->index[slot] - 1];
        if (entry->key == key) {
            return entry;
        }
    }
    return NULL;
}

void u64map_done(struct u64map *map)
{
    if (map) {
        vec_release(map->entries);
        vec_release(map->index);
        *map = (struct u64map){0};
    }
}

bool u64map_get(const struct u64map *map, uint64_t key, uint64_t *ret_value)
{
    struct u64map_entry *entry = u64map_find(map, key);
    if (entry && ret_value) {
        *ret_value = entry->value;
    }
    return entry != NULL;
}

void u64map_put(struct u64map *map, uint64_t key, uint64_t value)
{
    struct u64map_entry *entry = u64map_find(map, key);
    if (entry) {
        entry->value = value;
        return;
    }
    if (index_is_full(map->n, map->index_cap)) {
        map->index = index_double(map->index, &map->index_cap);
        for (size_t i = 0; i < map->n; i++) {
            index_add(map->index, map->index_cap, hash_mix(map->entries[i].key), i);
        }
    }
    if (map->n == map->cap) {
        map->entries = vec_grow(map->entries, &map->cap, map->n + 1, sizeof *map->entries);
    }
    map->entries[map->n] = (struct u64map_entry){.key = key, .value = value};
    index_add(map->index, map->index_cap, hash_mix(key), map->n++);
}

/* Hash maps: from strings, and from 64-bit keys, to pointers. Iteration is in insertion order, so
 * that no result depends on addresses. Keys of a strmap are borrowed: they must live as long as the
 * map. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct strmap_entry {
    struct str key;
    void *value;
    uint64_t hash;
};

struct strmap {
    struct strmap_entry *entries; /* [n], in order of insertion */
    size_t n;
    size_t cap;
    uint32_t *index; /* open addressing; 0 = free, else entry number + 1 */
    size_t index_cap;
};

void strmap_done(struct strmap *map);
void *strmap_get(const struct strmap *map, struct str key); /* NULL when absent */
bool strmap_has(const struct strmap *map, struct str key);
/* Its number in `entries`, or SIZE_MAX when absent. */
size_t strmap_number(const struct strmap *map, struct str key);
void *strmap_put(struct strmap *map, struct str key,
                 void *value); /* returns the old value or NULL */

struct u64map_entry {
    uint64_t key;
    uint64_t value;
};

struct u64map {
    struct u64map_entry *entries;
    size_t n;
    size_t cap;
    uint32_t *index;
    size_t index_cap;
};

void u64map_done(struct u64map *map);
bool u64map_get(const struct u64map *map, uint64_t key, uint64_t *ret_value);
void u64map_put(struct u64map *map, uint64_t key, uint64_t value);

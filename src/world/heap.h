/* The memory of a simulated world: one region at a fixed address, so that copying the region copies
 * the world with all its pointers. Everything that a snapshot must contain is allocated here and
 * nowhere else. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct heap;

/* Reserves address space; memory is taken as it is used. */
MUST_USE int heap_new(size_t reserve_bytes, struct heap **ret_heap, struct err *err);
void heap_free_all(struct heap *heap); /* accepts NULL */

/* Zeroed, 16-byte aligned. Never NULL: the process is stopped when the reserve is used up. */
void *heap_alloc(struct heap *heap, size_t bytes);
void *heap_realloc(struct heap *heap, void *block, size_t bytes); /* the new part is zeroed */
void heap_free(struct heap *heap, void *block);                   /* accepts NULL */

/* What a block is, for those who walk through the heap: HEAP_ANY unless it was said. */
enum heap_kind {
    HEAP_ANY,
    HEAP_WORLD,
    HEAP_NODE,
    HEAP_PROC,
    HEAP_THREAD,
    HEAP_MM,
    HEAP_FILE,
    HEAP_WATCH, /* of an epoll */
    HEAP_INODE,
    HEAP_PAGE,
    HEAP_PACKET,
    HEAP_CONN,
    HEAP_KINDS
};
void heap_mark(void *block, enum heap_kind kind);
/* Whether a block that is in use begins at an address. */
bool heap_find(const struct heap *heap, uint64_t address, enum heap_kind *ret_kind);

/* Calls fn for every block that is in use. */
void heap_each(struct heap *heap, void (*fn)(void *arg, void *block, enum heap_kind kind),
               void *arg);

/* Bytes that a block takes; bytes of all blocks that are in use. */
size_t heap_size(const void *block);
size_t heap_live(const struct heap *heap);
size_t heap_used(const struct heap *heap); /* bytes that a copy of the region needs */
void heap_save(const struct heap *heap, void *to);
void heap_restore(struct heap *heap, const void *from, size_t bytes); /* what heap_save has saved */

#define HEAP_NEW(heap, type) ((type *)heap_alloc((heap), sizeof(type)))

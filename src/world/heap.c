/* A small allocator inside one region. Blocks come in size classes, four to each power of two; a
 * free list for each class; nothing is ever joined or given back. The header of a block holds its
 * class. The order of addresses depends on nothing but the calls made, which keeps whole runs
 * equal. */
#include "world/heap.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/mman.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"

enum { CLASSES = 160, HEADER = 16 };

/* While a block is in use, what it is; no address looks like that. */
#define MARK UINT64_C(0xa55a00000000)

struct block {
    uint64_t class;
    union {
        struct block *next; /* while free */
        uint64_t mark;      /* MARK, above it the kind */
    };
};
static_assert(sizeof(struct block) == HEADER, "blocks are aligned");
#define MARK_SHIFT 48

struct heap {
    size_t reserve;
    size_t used, live;
    struct block *free[CLASSES];
};

int heap_new(size_t reserve_bytes, struct heap **ret_heap, struct err *err)
{
    /* Where programs have nothing: their addresses should not look like ours. Any other place will
     * do. */
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): it is only a wish */
    void *hint = (void *)(uintptr_t)UINT64_C(0x1d0000000000);
    void *at = mmap(hint, reserve_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        return err_set(err, ERR_FULL, errno, "reserving %zu bytes of address space", reserve_bytes);
    }
    struct heap *heap = at;
    heap->reserve = reserve_bytes;
    heap->used = (sizeof *heap + 63) & ~(size_t)63;
    *ret_heap = heap;
    return 0;
}

void heap_free_all(struct heap *heap)
{
    if (heap != NULL) {
        ARENA_UNPOISON(heap, heap->used); /* another heap may come to the same place */
        (void)munmap(heap, heap->reserve);
    }
}

/* Class c holds (4 + c % 4) << (c / 4 + 2) bytes: 16 20 24 28 32 40 ... */
static size_t class_bytes(uint64_t class)
{
    return (size_t)(4 + class % 4) << (class / 4 + 2);
}

static uint64_t class_of(size_t bytes)
{
    uint64_t class = 0;
    if (bytes > 64) {
        uint64_t log = 63 - (uint64_t)__builtin_clzll(bytes - 1);
        class = (log - 4) * 4;
    }
    while (class_bytes(class) < bytes) {
        class ++;
    }
    return class;
}

void *heap_alloc(struct heap *heap, size_t bytes)
{
    uint64_t class = class_of(bytes < 16 ? 16 : bytes);
    ASSERT(class < CLASSES);
    size_t size = class_bytes(class);
    heap->live += size;
    struct block *block = heap->free[class];
    if (block != NULL) {
        heap->free[class] = block->next;
        block->mark = MARK;
        ARENA_UNPOISON((char *)block + HEADER, size);
        memset((char *)block + HEADER, 0, size);
        return (char *)block + HEADER;
    }
    size_t whole = (HEADER + size + 15) & ~(size_t)15;
    if (whole > heap->reserve - heap->used) {
        out_of_memory(bytes);
    }
    void *fresh = (char *)heap + heap->used;
    block = fresh;
    heap->used += whole;
    block->class = class;
    block->mark = MARK;
    return (char *)block + HEADER;
}

static struct block *block_of(void *p)
{
    void *head = (char *)p - HEADER;
    return head;
}

void heap_mark(void *block, enum heap_kind kind)
{
    block_of(block)->mark = MARK | (uint64_t)kind << MARK_SHIFT;
}

bool heap_find(const struct heap *heap, uint64_t address, enum heap_kind *ret_kind)
{
    uint64_t begin = (uintptr_t)heap;
    if (address < begin + sizeof *heap + HEADER || address >= begin + heap->used ||
        address % HEADER != 0) {
        return false;
    }
    const void *head = (const char *)heap + (address - begin) - HEADER;
    uint64_t mark = ((const struct block *)head)->mark;
    *ret_kind = (enum heap_kind)(mark >> MARK_SHIFT);
    return (mark & ((UINT64_C(1) << MARK_SHIFT) - 1)) == MARK && mark >> MARK_SHIFT < HEAP_KINDS;
}

void heap_each(struct heap *heap, void (*fn)(void *arg, void *block, enum heap_kind kind),
               void *arg)
{
    size_t at = (sizeof *heap + 63) & ~(size_t)63;
    while (at < heap->used) {
        void *head = (char *)heap + at;
        uint64_t class = ((struct block *)head)->class;
        enum heap_kind kind = HEAP_ANY;
        ASSERT(class < CLASSES);
        void *block = (char *)head + HEADER;
        if (heap_find(heap, (uintptr_t)block, &kind)) {
            fn(arg, block, kind);
        }
        at += (HEADER + class_bytes(class) + 15) & ~(size_t)15;
    }
}

size_t heap_size(const void *block)
{
    const void *head = (const char *)block - HEADER;
    return class_bytes(((const struct block *)head)->class);
}

size_t heap_live(const struct heap *heap)
{
    return heap->live;
}

void heap_free(struct heap *heap, void *block)
{
    if (block == NULL) {
        return;
    }
    struct block *head = block_of(block);
    ASSERT(head->class < CLASSES);
    heap->live -= class_bytes(head->class);
    head->next = heap->free[head->class];
    heap->free[head->class] = head;
    ARENA_POISON(block, class_bytes(head->class));
}

void *heap_realloc(struct heap *heap, void *block, size_t bytes)
{
    if (block == NULL) {
        return heap_alloc(heap, bytes);
    }
    size_t old = class_bytes(block_of(block)->class);
    if (bytes <= old) {
        return block;
    }
    void *fresh = heap_alloc(heap, bytes);
    block_of(fresh)->mark = block_of(block)->mark;
    memcpy(fresh, block, old);
    heap_free(heap, block);
    return fresh;
}

size_t heap_used(const struct heap *heap)
{
    return heap->used;
}

void heap_save(const struct heap *heap, void *to)
{
    ARENA_UNPOISON(heap, heap->used); /* free blocks too are copied */
    memcpy(to, heap, heap->used);
}

void heap_restore(struct heap *heap, const void *from, size_t bytes)
{
    ARENA_UNPOISON(heap, heap->used);
    if (heap->used > bytes) { /* what was allocated since must be zero again */
        memset((char *)heap + bytes, 0, heap->used - bytes);
    }
    memcpy(heap, from, bytes);
}

/* Region allocation: a list of chunks, newest first, and a bump pointer into the newest.
 *
 * A chunk is as large as all that the arena holds already (within limits), so that n bytes cost
 * O(log n) calls of malloc. A rewind gives back the chunks that are newer than the mark, except the
 * largest, which becomes the spare: a scratch arena that is rewound after every state therefore
 * settles on at most two chunks and no malloc at all.
 *
 * In the `tiny` build a chunk holds little more than one allocation, so that any confusion of
 * lifetimes and any use after a rewind meets memory that was really freed. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#ifdef ASSAY_TINY
enum { CHUNK_DEFAULT = 64, CHUNK_MAX = 64, KEEP_SPARE = 0 };
#else
enum { CHUNK_DEFAULT = 64 << 10, CHUNK_MAX = 8 << 20, KEEP_SPARE = 1 };
#endif

struct arena_chunk {
    struct arena_chunk *older;
    size_t bytes; /* payload, a multiple of 16 */
    _Alignas(16) char payload[];
};

static void chunk_free(struct arena_chunk *chunk)
{
    if (chunk) {
        ARENA_UNPOISON(chunk->payload, chunk->bytes);
        free(chunk);
    }
}

/* Takes the newest chunk off the list; it may stay as the spare. */
static void chunk_pop(struct arena *arena)
{
    struct arena_chunk *chunk = arena->chunk;
    arena->chunk = chunk->older;
    arena->used_bytes -= chunk->bytes;
    ARENA_POISON(chunk->payload, chunk->bytes);
    if (KEEP_SPARE && (!arena->spare || arena->spare->bytes < chunk->bytes)) {
        struct arena_chunk *smaller = arena->spare;
        arena->spare = chunk;
        chunk = smaller;
    }
    chunk_free(chunk);
}

static struct arena_chunk *chunk_take(struct arena *arena, size_t need)
{
    size_t bytes = arena->used_bytes < CHUNK_MAX ? arena->used_bytes : CHUNK_MAX;
    if (bytes < arena->chunk_bytes) {
        bytes = arena->chunk_bytes;
    }
    if (bytes < need) {
        bytes = need;
    }
    if (arena->limit_bytes && arena->full && arena->used_bytes + bytes > arena->limit_bytes) {
        /* Near the limit chunks stop growing, so that the limit is what counts and not the growth.
         */
        bytes = need > arena->chunk_bytes ? need : arena->chunk_bytes;
        if (arena->used_bytes + bytes > arena->limit_bytes) {
            arena->full(arena->full_arg);
            UNREACHABLE();
        }
    }
    struct arena_chunk *chunk = arena->spare;
    if (chunk && chunk->bytes >= need) {
        arena->spare = NULL;
        return chunk;
    }
    chunk = malloc(sizeof *chunk + bytes);
    if (!chunk) {
        out_of_memory(bytes);
    }
    chunk->bytes = bytes;
    ARENA_POISON(chunk->payload, chunk->bytes);
    return chunk;
}

void arena_init(struct arena *arena, size_t chunk_bytes)
{
    *arena = (struct arena){0};
    arena->chunk_bytes = (chunk_bytes + 15) & ~(size_t)15;
    if (chunk_bytes == 0 || arena->chunk_bytes > CHUNK_MAX) {
        arena->chunk_bytes = CHUNK_DEFAULT;
    }
}

void arena_done(struct arena *arena)
{
    if (!arena) {
        return;
    }
    arena_rewind(arena, (struct arena_mark){0});
    chunk_free(arena->spare);
    arena->spare = NULL;
}

void arena_reset(struct arena *arena)
{
    if (!arena->chunk) {
        return;
    }
    while (arena->chunk->older) {
        chunk_pop(arena);
    }
    arena_rewind(arena, (struct arena_mark){.next = arena->chunk->payload, .chunk = arena->chunk});
}

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){.next = arena->next, .chunk = arena->chunk};
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    while (arena->chunk != mark.chunk) {
        ASSERT(arena->chunk); /* the mark is of this arena, and older than every earlier rewind */
        chunk_pop(arena);
    }
    arena->next = mark.next;
    arena->end = mark.chunk ? mark.chunk->payload + mark.chunk->bytes : NULL;
    ARENA_POISON(arena->next, (size_t)(arena->end - arena->next));
}

void *arena_grow(struct arena *arena, size_t bytes)
{
    if (bytes > PTRDIFF_MAX / 2) {
        out_of_memory(bytes);
    }
    size_t need = bytes ? (bytes + 15) & ~(size_t)15 : 16;
    if ((size_t)(arena->end - arena->next) < need) {
        if (arena->chunk_bytes == 0) {
            arena->chunk_bytes = CHUNK_DEFAULT; /* an arena that was only zeroed */
        }
        struct arena_chunk *chunk = chunk_take(arena, need);
        chunk->older = arena->chunk;
        arena->chunk = chunk;
        arena->used_bytes += chunk->bytes;
        arena->next = chunk->payload;
        arena->end = chunk->payload + chunk->bytes;
    }
    void *p = arena->next;
    arena->next += need;
    ARENA_UNPOISON(p, bytes);
    return p;
}

void *arena_zalloc(struct arena *arena, size_t bytes)
{
    return memset(arena_alloc(arena, bytes), 0, bytes);
}

void *arena_zalloc_array(struct arena *arena, size_t n, size_t elem_bytes)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(n, elem_bytes, &bytes)) {
        out_of_memory(SIZE_MAX);
    }
    return arena_zalloc(arena, bytes);
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
    char *copy = arena_alloc(arena, len + 1);
    if (len) {
        memcpy(copy, text, len);
    }
    copy[len] = '\0';
    return copy;
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int len = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    ASSERT(len >= 0);
    char *text = arena_alloc(arena, (size_t)len + 1);
    va_start(ap, fmt);
    vsnprintf(text, (size_t)len + 1, fmt, ap);
    va_end(ap);
    return text;
}

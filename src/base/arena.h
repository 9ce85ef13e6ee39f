/* Region allocation. An arena owns chunks of memory that are given back together.
 *
 * Arenas are named by lifetime and passed explicitly, first: `spec` (source text, tree, lowered
 * code: until the end), `scratch` (one for each worker, rewound after each state). There is no
 * hidden current arena. An arena belongs to one thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct arena_chunk;

/* Under AddressSanitizer the free part of every chunk is poisoned, so that a use after a rewind is
 * caught. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define ARENA_POISON(p, bytes)   ASAN_POISON_MEMORY_REGION((p), (bytes))
#define ARENA_UNPOISON(p, bytes) ASAN_UNPOISON_MEMORY_REGION((p), (bytes))
#else
#define ARENA_POISON(p, bytes)   ((void)(p), (void)(bytes))
#define ARENA_UNPOISON(p, bytes) ((void)(p), (void)(bytes))
#endif

struct arena {
    char *next;                /* first free byte of the current chunk */
    char *end;                 /* one past the current chunk */
    struct arena_chunk *chunk; /* current chunk, linked to the older ones */
    struct arena_chunk *spare; /* the largest chunk a rewind gave back, kept for the next need */
    size_t chunk_bytes;        /* size of the first chunk; later ones grow with used_bytes */
    size_t used_bytes;         /* bytes held in all chunks but the spare */
    size_t limit_bytes;        /* 0 = none; above it `full` is called */
    void (*full)(void *arg);   /* called when the limit is passed; must not return (see eval) */
    void *full_arg;
};

struct arena_mark {
    char *next;
    struct arena_chunk *chunk;
};

void arena_init(struct arena *arena, size_t chunk_bytes); /* chunk_bytes 0: a default (64 KiB) */
void arena_done(struct arena *arena);                     /* accepts a zeroed arena */
void arena_reset(struct arena *arena);                    /* keeps the first chunk for reuse */
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);
void *arena_grow(struct arena *arena, size_t bytes); /* the slow path of arena_alloc */

/* Uninitialised memory, 16-byte aligned. Never NULL: the process is stopped when the system has
 * none left. The free space of a chunk is a multiple of 16, so whatever fits unrounded fits
 * rounded. */
static inline void *arena_alloc(struct arena *arena, size_t bytes)
{
    size_t left = (size_t)(arena->end - arena->next);
    if (__builtin_expect(bytes - 1 >= left, 0)) { /* also when bytes is 0 */
        return arena_grow(arena, bytes);
    }
    void *p = arena->next;
    arena->next += (bytes + 15) & ~(size_t)15;
    ARENA_UNPOISON(p, bytes);
    return p;
}

void *arena_zalloc(struct arena *arena, size_t bytes);
void *arena_zalloc_array(struct arena *arena, size_t n,
                         size_t elem_bytes); /* stops the process if the product overflows */
char *arena_strndup(struct arena *arena, const char *text, size_t len); /* NUL-terminated copy */
char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type)      ((type *)arena_zalloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, n) ((type *)arena_zalloc_array((arena), (size_t)(n), sizeof(type)))

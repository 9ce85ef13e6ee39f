/* Region allocation. An arena owns chunks of memory that are given back together.
 *
 * Arenas are named by lifetime and passed explicitly, first: `spec` (source text, tree, lowered code:
 * until the end), `scratch` (one for each worker, rewound after each state). There is no hidden current arena.
 * An arena belongs to one thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct arena_chunk;

struct arena {
    char *next;                /* first free byte of the current chunk */
    char *end;                 /* one past the current chunk */
    struct arena_chunk *chunk; /* current chunk, linked to the older ones */
    size_t chunk_bytes;        /* size of an ordinary chunk */
    size_t used_bytes;         /* bytes held in all chunks */
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

/* Uninitialised memory, 16-byte aligned. Never NULL: the process is stopped when the system has none left. */
static inline void *arena_alloc(struct arena *arena, size_t bytes)
{
    size_t need = (bytes + 15) & ~(size_t)15;
    if (__builtin_expect((size_t)(arena->end - arena->next) < need, 0)) {
        return arena_grow(arena, need);
    }
    void *p = arena->next;
    arena->next += need;
    return p;
}

void *arena_zalloc(struct arena *arena, size_t bytes);
char *arena_strndup(struct arena *arena, const char *text, size_t len); /* NUL-terminated copy */
char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type)       ((type *)arena_zalloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, n) ((type *)arena_zalloc((arena), sizeof(type) * (size_t)(n)))

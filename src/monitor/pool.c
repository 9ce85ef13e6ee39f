/* Values, each there once. A value is copied into the pool with its parts in the pool already, so
 * that two are equal when their words are; the hash is the evaluator's, and kept. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/mman.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

#define RESERVED ((size_t)8 << 30)
enum { TABLE_FIRST = 1 << 14, INLINE_WORDS = 64 };

int vpool_init(struct pool *pool, struct err *err)
{
    *pool = (struct pool){.reserved = RESERVED};
    void *at = mmap(NULL, RESERVED, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        return err_set(err, ERR_FULL, 0, "no address space for the states of a node");
    }
    pool->base = at;
    size_t cap = 0;
    pool->table = vec_grow(NULL, &cap, TABLE_FIRST, sizeof *pool->table);
    pool->cap = TABLE_FIRST;
    memset((void *)pool->table, 0, TABLE_FIRST * sizeof *pool->table);
    return 0;
}

void vpool_done(struct pool *pool)
{
    if (pool->base != NULL) {
        (void)munmap(pool->base, pool->reserved);
    }
    vec_release((void *)pool->table);
    *pool = (struct pool){0};
}

static bool inside(const struct pool *pool, const void *p)
{
    return (const uint8_t *)p >= pool->base && (const uint8_t *)p < pool->base + pool->used;
}

static void table_put(struct pool *pool, struct vobj *obj)
{
    size_t k = obj->hash & (pool->cap - 1);
    while (pool->table[k] != NULL) {
        k = (k + 1) & (pool->cap - 1);
    }
    pool->table[k] = obj;
}

static void table_grow(struct pool *pool)
{
    struct vobj **old = pool->table;
    size_t was = pool->cap, cap = 0;
    pool->cap = 2 * was;
    pool->table = vec_grow(NULL, &cap, pool->cap, sizeof *pool->table);
    memset((void *)pool->table, 0, pool->cap * sizeof *pool->table);
    for (size_t i = 0; i < was; i++) {
        if (old[i] != NULL) {
            table_put(pool, old[i]);
        }
    }
    vec_release((void *)old);
}

static size_t words_of(const struct vobj *obj)
{
    bool pairs = obj->kind == VK_RECORD || obj->kind == VK_FCN;
    return pairs ? 2 * (size_t)obj->n : obj->n;
}

/* The one that is there already, or NULL. */
static struct vobj *table_find(const struct pool *pool, const struct vobj *like, size_t words)
{
    size_t k = like->hash & (pool->cap - 1);
    for (; pool->table[k] != NULL; k = (k + 1) & (pool->cap - 1)) {
        struct vobj *obj = pool->table[k];
        if (obj->hash == like->hash && obj->kind == like->kind && obj->n == like->n &&
            memcmp(obj->v, like->v, words * sizeof obj->v[0]) == 0) {
            return obj;
        }
    }
    return NULL;
}

static struct val put(struct pool *pool, struct vobj *draft, size_t words)
{
    size_t bytes = (sizeof *draft + words * sizeof draft->v[0] + 15) & ~(size_t)15;
    if (pool->used + bytes > pool->reserved) {
        pool->full = true; /* seen at the next turn; until then the draft does */
        return val_of_obj(draft);
    }
    struct vobj *obj = (struct vobj *)(void *)(pool->base + pool->used);
    pool->used += bytes;
    memcpy((void *)obj, draft, sizeof *draft + words * sizeof draft->v[0]);
    obj->flags |= VF_FROZEN;
    table_put(pool, obj);
    if (2 * ++pool->n > pool->cap) {
        table_grow(pool);
    }
    return val_of_obj(obj);
}

static struct val keep(struct pool *pool, struct vctx *ctx, struct vobj *draft, size_t words)
{
    draft->flags &= (uint8_t)~(VF_FROZEN | VF_FORCED);
    (void)val_hash(ctx, val_of_obj(draft));
    struct vobj *found = table_find(pool, draft, words);
    return found != NULL ? val_of_obj(found) : put(pool, draft, words);
}

/* Equal sequences have equal trees, so their roots are the same. */
static struct vobj *find_rope(const struct pool *pool, struct vobj *like)
{
    size_t k = like->hash & (pool->cap - 1);
    for (; pool->table[k] != NULL; k = (k + 1) & (pool->cap - 1)) {
        struct vobj *obj = pool->table[k];
        struct val v = val_of_obj(obj);
        if (obj->hash == like->hash && val_is_rope(v) &&
            rope_len(v) == rope_len(val_of_obj(like)) &&
            val_same(*rope_root(obj), *rope_root(like))) {
            return obj;
        }
    }
    return NULL;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as values are */
static struct val keep_rope(struct pool *pool, struct vctx *ctx, const struct vobj *obj)
{
    size_t words = rope_words();
    struct vobj *draft = arena_alloc(ctx->arena, sizeof *draft + words * sizeof draft->v[0]);
    memcpy((void *)draft, obj, sizeof *draft + words * sizeof draft->v[0]);
    draft->flags &= (uint8_t)~(VF_FROZEN | VF_FORCED);
    rope_placed(draft);
    *rope_root(draft) = vpool_intern(pool, ctx, *rope_root(draft));
    struct vobj *found = find_rope(pool, draft);
    struct val v = val_of_obj(found != NULL ? found : val_obj(put(pool, draft, words)));
    rope_placed(val_obj(v));
    return v;
}

/* Long sequences are ropes here: a copy with one more costs little then. */
static bool is_long(const struct vobj *obj)
{
    return obj->kind == VK_TUPLE && obj->n >= ROPE_LEAST;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as values are */
struct val vpool_intern(struct pool *pool, struct vctx *ctx, struct val v)
{
    if (!val_is_obj(v) || inside(pool, val_obj(v))) {
        return v;
    }
    if (val_is_kind(v, VK_TUPLE) && is_long(val_obj(v))) {
        v = rope_of(ctx, v);
    }
    if (val_is_rope(v)) {
        return keep_rope(pool, ctx, val_obj(v));
    }
    if (vkind_is_lazy(val_obj(v)->kind)) {
        v = val_force(ctx, v);
        if (!val_is_obj(v) || vkind_is_lazy(val_obj(v)->kind)) {
            return v; /* Nat and its like */
        }
        if (is_long(val_obj(v))) {
            return keep_rope(pool, ctx, val_obj(rope_of(ctx, v)));
        }
    }
    const struct vobj *obj = val_obj(v);
    if (obj->n == 0 && obj->kind <= VK_TUPLE) {
        return obj->kind == VK_SET ? set_empty() : tuple_empty();
    }
    size_t words = words_of(obj);
    struct vobj *draft = arena_alloc(ctx->arena, sizeof *draft + words * sizeof draft->v[0]);
    memcpy((void *)draft, obj, sizeof *draft);
    for (size_t i = 0; i < words; i++) {
        draft->v[i] = obj->kind == VK_BIGINT ? obj->v[i] : vpool_intern(pool, ctx, obj->v[i]);
    }
    return keep(pool, ctx, draft, words);
}

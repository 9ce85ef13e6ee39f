/* Long sequences that share their parts: a tree of tuples, so that a longer or shorter copy costs
 * a few of them and not the whole. To all others a rope is a function whose domain is 1 .. n; who
 * does not know it gets the tuple (fcn_force). There are none unless somebody calls rope_of.
 *
 * A leaf holds LEAF elements behind the hash of all before it, in two halves; a node holds up to
 * NODE others. All but the last ones are full, and the tree is as low as can be: equal sequences
 * have equal trees. The hash is that of the tuple, which is made from left to right, so that it is
 * known for every beginning. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "value/value.h"
#include "value/value_int.h"

enum { LEAF = 32, NODE = 32, HEAD = 2 };
enum { ROPE_DOMAIN, ROPE_ROOT, ROPE_DEPTH, ROPE_HIGH, ROPE_LOW, ROPE_OPS };

/* The domain, an interval, stands behind it in the same object, so that a rope is one. */
enum { BOUNDS = 2 };
#define ROPE_BYTES (2 * sizeof(struct vlazy) + (ROPE_OPS + BOUNDS) * sizeof(struct val))

static struct vlazy *domain_of(struct vlazy *rope)
{
    return (struct vlazy *)(void *)(rope->op + ROPE_OPS);
}

static struct val rope_at(struct vctx *ctx, struct vlazy *self, struct val arg);
static const struct lazy_ops rope_ops = {NULL, rope_at, NULL, NULL};

size_t rope_words(void)
{
    return (ROPE_BYTES - sizeof(struct vobj)) / sizeof(struct val);
}

void rope_placed(struct vobj *obj)
{
    struct vlazy *rope = vobj_lazy(obj);
    rope->op[ROPE_DOMAIN] = val_of_obj((struct vobj *)(void *)domain_of(rope));
}

bool val_is_rope(struct val v)
{
    return val_is_kind(v, VK_LAMBDA) && val_lazy(v)->ops == &rope_ops;
}

size_t rope_len(struct val rope)
{
    return (size_t)interval_hi(val_lazy(rope)->op[ROPE_DOMAIN]);
}

struct val *rope_root(struct vobj *rope)
{
    return &vobj_lazy(rope)->op[ROPE_ROOT];
}

static uint64_t joined(struct val high, struct val low)
{
    return (uint64_t)val_small_get(high) << 32 | (uint64_t)val_small_get(low);
}

static size_t span(size_t depth)
{
    size_t n = LEAF;
    for (; depth > 0; depth--) {
        n *= NODE;
    }
    return n;
}

/* ---- looking ---- */

static const struct vobj *leaf_of(struct val rope, size_t i)
{
    const struct vlazy *lazy = val_lazy(rope);
    struct val at = lazy->op[ROPE_ROOT];
    for (size_t depth = (size_t)val_small_get(lazy->op[ROPE_DEPTH]); depth > 0; depth--) {
        size_t below = span(depth - 1);
        at = val_obj(at)->v[i / below];
        i %= below;
    }
    return val_obj(at);
}

struct val rope_get(struct val rope, size_t i)
{
    return leaf_of(rope, i)->v[HEAD + i % LEAF];
}

static struct val rope_at(struct vctx *ctx, struct vlazy *self, struct val arg)
{
    (void)ctx;
    return rope_get(val_of_obj((struct vobj *)(void *)self), (size_t)val_small_get(arg) - 1);
}

struct val rope_slice(struct vctx *ctx, struct val rope, size_t from, size_t n)
{
    struct val *to;
    struct val ret = tuple_new(ctx, n, &to);
    for (size_t i = 0; i < n;) {
        size_t at = (from + i) % LEAF, most = LEAF - at < n - i ? LEAF - at : n - i;
        memcpy(to + i, leaf_of(rope, from + i)->v + HEAD + at, most * sizeof *to);
        i += most;
    }
    return ret;
}

/* ---- making ---- */

static struct val rope_new(struct vctx *ctx, struct val root, size_t depth, size_t n, uint64_t sum)
{
    struct vlazy *rope = arena_alloc(ctx->arena, ROPE_BYTES), *domain = domain_of(rope);
    *rope = (struct vlazy){.kind = VK_LAMBDA, .n = 1, .ops = &rope_ops, .forced = VAL_UNDEF};
    rope->op[ROPE_ROOT] = root;
    rope->op[ROPE_DEPTH] = val_small((int64_t)depth);
    rope->op[ROPE_HIGH] = val_small((int64_t)(sum >> 32));
    rope->op[ROPE_LOW] = val_small((int64_t)(sum & UINT32_MAX));
    rope->hash = tuple_hash_end(sum, n);
    *domain =
        (struct vlazy){.kind = VK_INTERVAL, .flags = VF_FROZEN, .n = BOUNDS, .forced = VAL_UNDEF};
    domain->op[0] = val_small(1);
    domain->op[1] = val_small((int64_t)n);
    rope_placed((struct vobj *)(void *)rope);
    return val_of_obj((struct vobj *)(void *)rope);
}

/* A copy of the first `keep` words of a node, with room for one more. */
static struct vobj *node_copy(struct vctx *ctx, const struct vobj *old, size_t keep)
{
    struct vobj *node = vobj_new(ctx, VK_TUPLE, keep, keep + 1);
    if (keep != 0) {
        memcpy(node->v, old->v, keep * sizeof node->v[0]);
    }
    return node;
}

/* The node with one more element behind its n. */
static struct val push(struct vctx *ctx, struct val node, size_t depth, size_t n, struct val elem,
                       uint64_t sum)
{
    const struct vobj *old = val_is_undef(node) ? NULL : val_obj(node);
    struct vobj *copy;
    if (depth == 0) {
        copy = node_copy(ctx, old, old != NULL ? HEAD + n : 0);
        if (old == NULL) {
            copy = vobj_new(ctx, VK_TUPLE, HEAD, HEAD + 1);
            copy->v[0] = val_small((int64_t)(sum >> 32));
            copy->v[1] = val_small((int64_t)(sum & UINT32_MAX));
        }
        copy->v[copy->n++] = elem;
        return val_of_obj(copy);
    }
    size_t below = span(depth - 1), full = n / below, rest = n % below;
    copy = node_copy(ctx, old, full);
    struct val last = rest != 0 ? old->v[full] : VAL_UNDEF;
    copy->v[copy->n++] = push(ctx, last, depth - 1, rest, elem, sum);
    return val_of_obj(copy);
}

struct val rope_append(struct vctx *ctx, struct val rope, struct val elem)
{
    const struct vlazy *lazy = val_lazy(rope);
    size_t n = rope_len(rope), depth = (size_t)val_small_get(lazy->op[ROPE_DEPTH]);
    struct val root = lazy->op[ROPE_ROOT];
    uint64_t sum = joined(lazy->op[ROPE_HIGH], lazy->op[ROPE_LOW]);
    elem = val_force(ctx, elem);
    if (n == span(depth)) {
        struct vobj *above = vobj_new(ctx, VK_TUPLE, 1, 1);
        above->v[0] = root;
        root = val_of_obj(above);
        depth++;
    }
    root = push(ctx, root, depth, n, elem, sum);
    return rope_new(ctx, root, depth, n + 1, tuple_hash_more(ctx, sum, elem));
}

/* The first n elements of a node, at least one. */
static struct val cut(struct vctx *ctx, struct val node, size_t depth, size_t n)
{
    const struct vobj *old = val_obj(node);
    if (depth == 0) {
        return val_of_obj(node_copy(ctx, old, HEAD + n));
    }
    size_t below = span(depth - 1), full = n / below, rest = n % below;
    struct vobj *copy = node_copy(ctx, old, full);
    if (rest != 0) {
        copy->v[copy->n++] = cut(ctx, old->v[full], depth - 1, rest);
    }
    return val_of_obj(copy);
}

struct val rope_cut(struct vctx *ctx, struct val rope, size_t n)
{
    const struct vlazy *lazy = val_lazy(rope);
    size_t depth = (size_t)val_small_get(lazy->op[ROPE_DEPTH]);
    struct val root = lazy->op[ROPE_ROOT];
    if (n == rope_len(rope)) {
        return rope;
    }
    if (n < ROPE_LEAST) {
        return rope_slice(ctx, rope, 0, n);
    }
    for (; depth > 0 && n <= span(depth - 1); depth--) {
        root = val_obj(root)->v[0];
    }
    const struct vobj *leaf = leaf_of(rope, n - 1);
    uint64_t sum = joined(leaf->v[0], leaf->v[1]);
    for (size_t i = 0; i <= (n - 1) % LEAF; i++) {
        sum = tuple_hash_more(ctx, sum, leaf->v[HEAD + i]);
    }
    return rope_new(ctx, cut(ctx, root, depth, n), depth, n, sum);
}

struct val rope_of(struct vctx *ctx, struct val tuple)
{
    const struct vobj *all = val_obj(tuple);
    ASSERT(all->kind == VK_TUPLE && all->n >= ROPE_LEAST);
    struct vobj *leaf = vobj_new(ctx, VK_TUPLE, HEAD + LEAF, HEAD + LEAF);
    uint64_t sum = tuple_hash_begin();
    leaf->v[0] = val_small((int64_t)(sum >> 32));
    leaf->v[1] = val_small((int64_t)(sum & UINT32_MAX));
    for (size_t i = 0; i < LEAF; i++) {
        leaf->v[HEAD + i] = val_force(ctx, all->v[i]);
        sum = tuple_hash_more(ctx, sum, leaf->v[HEAD + i]);
    }
    struct val rope = rope_new(ctx, val_of_obj(leaf), 0, LEAF, sum);
    for (size_t i = LEAF; i < all->n; i++) {
        rope = rope_append(ctx, rope, all->v[i]);
    }
    return rope;
}

struct val rope_force(struct vctx *ctx, struct val rope)
{
    return rope_slice(ctx, rope, 0, rope_len(rope));
}

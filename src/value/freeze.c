/* Deep forms: val_force (nothing lazy left), val_settle (only intervals left), val_freeze (a copy
 * that threads may share).
 *
 * Forcing copies only where something inside changes, so a value that is canonical already comes
 * back as the same word at the cost of a walk. Forcing the elements of a set or the keys of a
 * function keeps their order: it does not change values. Ropes are settled as they are. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "value/value.h"
#include "value/value_int.h"

/* ---- force and settle ---- */

struct forcing {
    struct vctx *ctx;
    bool keep_intervals;
    bool *stuck; /* where to note what cannot be enumerated, which stays as it is; NULL: fail */
};

static struct val force_deep(const struct forcing *f, struct val v);

static struct val force_words(const struct forcing *f, struct val v, size_t words)
{
    const struct vobj *obj = val_obj(v);
    struct vobj *copy = NULL;
    for (size_t i = 0; i < words; i++) {
        if (!val_is_obj(obj->v[i]) && val_tag(obj->v[i]) != VTAG_SPECIAL) {
            continue;
        }
        struct val forced = force_deep(f, obj->v[i]);
        if (forced.w == obj->v[i].w) {
            continue;
        }
        if (!copy) {
            copy = vobj_new(f->ctx, obj->kind, obj->n, words);
            copy->flags = obj->flags & VF_MAP;
            copy->hash = obj->hash;
            memcpy(copy->v, obj->v, words * sizeof obj->v[0]);
        }
        copy->v[i] = forced;
    }
    return copy ? val_of_obj(copy) : v;
}

static struct val not_enumerable(const struct forcing *f, struct val v)
{
    if (!f->stuck) {
        vctx_fail(f->ctx, 0, "TLC has found a state in which the value of a variable contains %s",
                  val_ppr(f->ctx, v));
    }
    *f->stuck = true;
    return v;
}

static struct val force_set(const struct forcing *f, struct val v)
{
    if (f->stuck && !set_can_force(f->ctx, v)) {
        return not_enumerable(f, v);
    }
    return force_deep(f, set_force(f->ctx, v));
}

static struct val force_deep(const struct forcing *f, struct val v)
{
    if (!val_is_obj(v)) {
        return val_is_user(v) ? not_enumerable(f, v) : v;
    }
    stack_check(f->ctx);
    const struct vobj *obj = val_obj(v);
    switch ((enum vkind)obj->kind) {
    case VK_BIGINT: return v;
    case VK_SET:
    case VK_TUPLE: return force_words(f, v, obj->n);
    case VK_RECORD:
    case VK_FCN: return force_words(f, v, 2 * (size_t)obj->n);
    case VK_LAMBDA:
        if (f->keep_intervals && val_is_rope(v)) {
            return v;
        }
        return f->stuck && !set_can_force(f->ctx, val_lazy(v)->op[0])
                   ? not_enumerable(f, v)
                   : force_deep(f, fcn_force(f->ctx, v));
    case VK_INTERVAL: return f->keep_intervals ? v : force_set(f, v);
    default: return set_is_enumerable(v) ? force_set(f, v) : not_enumerable(f, v);
    }
}

struct val val_force(struct vctx *ctx, struct val v)
{
    return force_deep(&(struct forcing){.ctx = ctx}, v);
}

struct val val_settle(struct vctx *ctx, struct val v)
{
    return force_deep(&(struct forcing){.ctx = ctx, .keep_intervals = true}, v);
}

struct val val_settle_most(struct vctx *ctx, struct val v, bool *ret_stuck)
{
    *ret_stuck = false;
    return force_deep(&(struct forcing){.ctx = ctx, .keep_intervals = true, .stuck = ret_stuck}, v);
}

/* ---- freeze ---- */

enum { CARRY_MAX = 1024 }; /* lazy sets up to this size carry their canonical form */

static struct val freeze_object(struct vctx *ctx, struct arena *into, const struct vobj *obj,
                                size_t words)
{
    struct vobj *copy = arena_alloc(into, sizeof *copy + words * sizeof copy->v[0]);
    *copy = *obj;
    copy->flags |= VF_FROZEN;
    for (size_t i = 0; i < words; i++) {
        copy->v[i] = obj->kind == VK_BIGINT ? obj->v[i] : val_freeze(ctx, into, obj->v[i]);
    }
    /* An element that stays lazy and cannot be enumerated has no hash, and so has what holds it. */
    return val_of_obj(copy);
}

/* Forcing must not be able to fail: only sets whose elements come out sorted, from parts of known
 * size. */
static bool can_carry(struct vctx *ctx, struct val set)
{
    switch (val_obj(set)->kind) {
    case VK_INTERVAL:
    case VK_SUBSET:
    case VK_FCNSET:
    case VK_RECSET:
    case VK_PRODUCT: break;
    default: return false;
    }
    struct bound bound = set_bound(ctx, set);
    return bound.exact && bound.n <= CARRY_MAX && set_plain_is_sorted(ctx, set);
}

static struct val freeze_lazy(struct vctx *ctx, struct arena *into, struct val v)
{
    struct vlazy *lazy = val_lazy(v);
    if (lazy->ops || lazy->kind >= VK_FILTER) {
        if (lazy->flags & VF_FORCED) {
            return val_freeze(ctx, into, lazy->forced);
        }
        if (lazy->ops && lazy->ops->freeze) {
            return lazy->ops->freeze(ctx, lazy, into);
        }
        return val_freeze(ctx, into,
                          lazy->kind == VK_LAMBDA ? fcn_force(ctx, v) : set_force(ctx, v));
    }
    size_t words = lazy->kind == VK_RECSET ? 2 * (size_t)lazy->n : lazy->n;
    struct vlazy *copy = arena_alloc(into, sizeof *copy + words * sizeof copy->op[0]);
    *copy = *lazy;
    copy->flags = VF_FROZEN;
    copy->forced = VAL_UNDEF;
    for (size_t i = 0; i < words; i++) {
        copy->op[i] = val_freeze(ctx, into, lazy->op[i]);
    }
    if (can_carry(ctx, v)) {
        copy->forced = val_freeze(ctx, into, set_force(ctx, v));
        copy->flags |= VF_FORCED;
        copy->hash = val_hash(ctx, copy->forced);
    }
    return val_of_obj((struct vobj *)copy);
}

/* Is everything inside canonical, so that a hash can be computed without enumerating? */
static bool is_canonical(struct vctx *ctx, struct val v)
{
    if (!val_is_obj(v)) {
        return !val_is_user(v);
    }
    stack_check(ctx);
    const struct vobj *obj = val_obj(v);
    if (vkind_is_lazy(obj->kind)) {
        return obj->hash != 0;
    }
    if (obj->hash != 0 || obj->kind == VK_BIGINT) {
        return true;
    }
    size_t words = obj->kind == VK_RECORD || obj->kind == VK_FCN ? 2 * (size_t)obj->n : obj->n;
    for (size_t i = 0; i < words; i++) {
        if (!is_canonical(ctx, obj->v[i])) {
            return false;
        }
    }
    return true;
}

struct val val_freeze(struct vctx *ctx, struct arena *into, struct val v)
{
    if (!val_is_obj(v)) {
        return v;
    }
    stack_check(ctx);
    struct vobj *obj = val_obj(v);
    if (obj->n == 0 && obj->kind <= VK_TUPLE) {
        return obj->kind == VK_SET ? set_empty() : tuple_empty();
    }
    if (vkind_is_lazy(obj->kind)) {
        return freeze_lazy(ctx, into, v);
    }
    size_t words = obj->kind == VK_RECORD || obj->kind == VK_FCN ? 2 * (size_t)obj->n : obj->n;
    struct val frozen = freeze_object(ctx, into, obj, words);
    if (val_obj(frozen)->hash == 0 && is_canonical(ctx, frozen)) {
        struct vobj *copy = val_obj(frozen); /* not shared yet */
        copy->flags &= (uint8_t)~VF_FROZEN;
        val_hash(ctx, frozen);
        copy->flags |= VF_FROZEN;
    }
    return frozen;
}

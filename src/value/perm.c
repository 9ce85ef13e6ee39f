/* Permutations of model values, for symmetry reduction. What does not change comes back as the same
 * word. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "value/value.h"
#include "value/value_int.h"

static struct val permute_word(struct val v, const struct val_perm *perm)
{
    for (size_t i = 0; i < perm->n; i++) {
        if (perm->from[i].w == v.w) {
            return perm->to[i];
        }
    }
    return v;
}

/* The permuted words of an object, or NULL when nothing changes. *ret_keys: one of the first `nkey`
 * words changed. */
static struct val *permute_words(struct vctx *ctx, const struct vobj *obj, size_t words,
                                 size_t nkey, const struct val_perm *perm, bool *ret_keys)
{
    struct val *out = NULL;
    *ret_keys = false;
    for (size_t i = 0; i < words; i++) {
        struct val v = obj->v[i];
        struct val changed = val_is_obj(v) || val_is_model(v) ? val_permute(ctx, v, perm) : v;
        if (changed.w == v.w) {
            continue;
        }
        if (!out) {
            out = arena_alloc(ctx->arena, words * sizeof *out);
            memcpy(out, obj->v, words * sizeof *out);
        }
        out[i] = changed;
        *ret_keys |= i < nkey;
    }
    return out;
}

struct val val_permute(struct vctx *ctx, struct val v, const struct val_perm *perm)
{
    if (val_is_model(v)) {
        return permute_word(v, perm);
    }
    if (!val_is_obj(v)) {
        return v;
    }
    stack_check(ctx);
    const struct vobj *obj = val_obj(v);
    struct val *words;
    bool keys;
    switch ((enum vkind)obj->kind) {
    case VK_BIGINT:
    case VK_INTERVAL: return v;
    case VK_SET:
        words = permute_words(ctx, obj, obj->n, obj->n, perm, &keys);
        return words ? set_make(ctx, words, obj->n) : v;
    case VK_TUPLE:
        words = permute_words(ctx, obj, obj->n, 0, perm, &keys);
        return words ? tuple_make(ctx, words, obj->n) : v;
    case VK_RECORD:
    case VK_FCN:
        words = permute_words(ctx, obj, 2 * (size_t)obj->n, obj->n, perm, &keys);
        if (!words) {
            return v;
        }
        if (!keys) {
            struct vobj *copy = vobj_new(ctx, obj->kind, obj->n, 2 * (size_t)obj->n);
            copy->flags = obj->flags & VF_MAP;
            memcpy(copy->v, words, 2 * (size_t)obj->n * sizeof *words);
            return val_of_obj(copy);
        }
        return fcn_make(ctx, words, words + obj->n, obj->n);
    case VK_LAMBDA: return val_permute(ctx, fcn_force(ctx, v), perm);
    default: return val_permute(ctx, val_force(ctx, v), perm);
    }
}

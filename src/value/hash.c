/* Fingerprints of values: 64 bits, the same in every run and for every form of the same value.
 *
 * Words are mixed with a constant for their kind; strings and model values go by their text, since
 * ids depend on the run. A sequence is hashed in order. Sets and functions are sums of the mixed
 * hashes of their elements or pairs, so that the order of the elements, which depends on ids, does
 * not show; the sum is then mixed with the kind and the number of elements. Intervals are added up
 * without being forced. Objects keep their hash. */
#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

#include "value/value.h"
#include "value/value_int.h"

/* Never change these: stored fingerprints depend on them. */
#define SEED_INT     UINT64_C(0x5ad1c0a5f1e0b7c3)
#define SEED_BIGINT  UINT64_C(0x9b60933458e17d7d)
#define SEED_BOOL    UINT64_C(0xd737232eeccdf7ed)
#define SEED_STR     UINT64_C(0x8da6b343aa1c53d1)
#define SEED_MODEL   UINT64_C(0x2545f4914f6cdd1d)
#define SEED_SPECIAL UINT64_C(0x6c62272e07bb0142)
#define SEED_SET     UINT64_C(0x3c79ac492ba7b653)
#define SEED_TUPLE   UINT64_C(0x1c69b3f74ac4ae35)
#define SEED_RECORD  UINT64_C(0xa0761d6478bd642f)
#define SEED_FCN     UINT64_C(0xe7037ed1a0b428db)
#define SEED_SEQSET  UINT64_C(0x589965cc75374cc3)

#define INTERVAL_HASH_MAX (UINT64_C(1) << 32)

static uint64_t small_hash(struct val v)
{
    return hash_mix((v.w >> 3) * UINT64_C(0x9e3779b97f4a7c15) ^ SEED_INT);
}

static uint64_t word_hash(struct vctx *ctx, struct val v)
{
    switch (val_tag(v)) {
    case VTAG_INT: return small_hash(v);
    case VTAG_STR: return hash_mix(strtab_hash(ctx->strings, val_str_id(v)) ^ SEED_STR);
    case VTAG_MODEL: return hash_mix(strtab_hash(ctx->strings, val_str_id(v)) ^ SEED_MODEL);
    case VTAG_BOOL: return hash_mix(v.w ^ SEED_BOOL);
    default: return hash_mix(v.w ^ SEED_SPECIAL);
    }
}

static uint64_t finish(uint64_t sum, uint64_t n, uint64_t seed)
{
    return hash_mix(hash_mix(sum ^ seed) + n * UINT64_C(0x9e3779b97f4a7c15));
}

static uint64_t interval_hash(struct vctx *ctx, struct val set)
{
    uint64_t sum = 0;
    if (interval_size(set) > INTERVAL_HASH_MAX) {
        val_fail_set_too_big(ctx, INTERVAL_HASH_MAX);
    }
    for (int64_t i = interval_lo(set); i <= interval_hi(set); i++) {
        vctx_poll(ctx);
        sum += small_hash(val_small(i));
    }
    return finish(sum, interval_size(set), SEED_SET);
}

static uint64_t set_hash(struct vctx *ctx, const struct vobj *obj)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < obj->n; i++) {
        sum += val_hash(ctx, obj->v[i]);
    }
    return finish(sum, obj->n, SEED_SET);
}

uint64_t tuple_hash_begin(void)
{
    return SEED_TUPLE;
}

uint64_t tuple_hash_more(struct vctx *ctx, uint64_t sum, struct val elem)
{
    return hash_combine(sum, val_hash(ctx, elem));
}

uint64_t tuple_hash_end(uint64_t sum, size_t n)
{
    uint64_t hash = finish(sum, n, SEED_TUPLE);
    return hash + (hash == 0);
}

static uint64_t tuple_hash(struct vctx *ctx, const struct vobj *obj)
{
    uint64_t hash = SEED_TUPLE;
    for (uint32_t i = 0; i < obj->n; i++) {
        hash = hash_combine(hash, val_hash(ctx, obj->v[i]));
    }
    return finish(hash, obj->n, SEED_TUPLE);
}

static uint64_t pairs_hash(struct vctx *ctx, const struct vobj *obj, uint64_t seed)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < obj->n; i++) {
        sum += hash_combine(val_hash(ctx, obj->v[i]), val_hash(ctx, obj->v[obj->n + i]));
    }
    return finish(sum, obj->n, seed);
}

static uint64_t bigint_hash(const struct vobj *obj)
{
    return hash_bytes(obj->v, obj->n * sizeof obj->v[0], SEED_BIGINT + (obj->flags & VF_NEG));
}

static uint64_t object_hash(struct vctx *ctx, struct val v)
{
    const struct vobj *obj = val_obj(v);
    switch ((enum vkind)obj->kind) {
    case VK_BIGINT: return bigint_hash(obj);
    case VK_SET: return set_hash(ctx, obj);
    case VK_TUPLE: return tuple_hash(ctx, obj);
    case VK_RECORD: return pairs_hash(ctx, obj, SEED_RECORD);
    case VK_FCN: return pairs_hash(ctx, obj, SEED_FCN);
    case VK_INTERVAL: return interval_hash(ctx, v);
    case VK_SEQSET: return finish(val_hash(ctx, val_lazy(v)->op[0]), 1, SEED_SEQSET);
    case VK_LAMBDA: return val_hash(ctx, fcn_force(ctx, v));
    default: break;
    }
    if (!set_is_enumerable(v)) {
        vctx_fail(ctx, 0, "TLC has found a state in which the value of a variable contains %s",
                  val_ppr(ctx, v));
    }
    return val_hash(ctx, set_force(ctx, v));
}

uint64_t val_hash(struct vctx *ctx, struct val v)
{
    if (!val_is_obj(v)) {
        uint64_t word = word_hash(ctx, v);
        return word + (word == 0);
    }
    struct vobj *obj = val_obj(v);
    if (obj->hash != 0) {
        return obj->hash;
    }
    stack_check(ctx);
    uint64_t hash = object_hash(ctx, v);
    hash += hash == 0;
    if (!(obj->flags & VF_FROZEN)) {
        obj->hash = hash;
    }
    return hash;
}

/* ---- under a permutation of model values ---- */

static uint64_t permuted_word_hash(struct vctx *ctx, struct val v, const struct val_perm *perm)
{
    if (val_is_model(v)) {
        for (size_t i = 0; i < perm->n; i++) {
            if (perm->from[i].w == v.w) {
                return val_hash(ctx, perm->to[i]);
            }
        }
    }
    return val_hash(ctx, v);
}

/* Sets and functions are sums, so that permuted elements need not be sorted again. */
static uint64_t permuted_object_hash(struct vctx *ctx, const struct vobj *obj,
                                     const struct val_perm *perm)
{
    uint64_t sum = obj->kind == VK_TUPLE ? SEED_TUPLE : 0;
    uint64_t seed = SEED_SET;
    for (uint32_t i = 0; i < obj->n; i++) {
        uint64_t hash = val_hash_permuted(ctx, obj->v[i], perm);
        if (obj->kind == VK_TUPLE) {
            sum = hash_combine(sum, hash);
        } else if (obj->kind == VK_SET) {
            sum += hash;
        } else {
            sum += hash_combine(hash, val_hash_permuted(ctx, obj->v[obj->n + i], perm));
        }
    }
    switch ((enum vkind)obj->kind) {
    case VK_TUPLE: seed = SEED_TUPLE; break;
    case VK_RECORD: seed = SEED_RECORD; break;
    case VK_FCN: seed = SEED_FCN; break;
    default: break;
    }
    uint64_t hash = finish(sum, obj->n, seed);
    return hash + (hash == 0);
}

uint64_t val_hash_permuted(struct vctx *ctx, struct val v, const struct val_perm *perm)
{
    if (!val_is_obj(v)) {
        return permuted_word_hash(ctx, v, perm);
    }
    const struct vobj *obj = val_obj(v);
    switch ((enum vkind)obj->kind) {
    case VK_SET:
    case VK_TUPLE:
    case VK_RECORD:
    case VK_FCN: stack_check(ctx); return permuted_object_hash(ctx, obj, perm);
    case VK_BIGINT:
    case VK_INTERVAL: return val_hash(ctx, v);
    default: return val_hash(ctx, val_permute(ctx, v, perm));
    }
}

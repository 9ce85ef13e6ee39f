/* Functions: application, domain, EXCEPT, and forcing [x \in S |-> e].
 *
 * A canonical function is a TUPLE (index by arithmetic), a RECORD (names are ids: compared as
 * words) or a FCN (keys in order: integers that follow each other by arithmetic, words by a scan
 * for the same word, the rest by binary search). Texts of errors depend on the form, as in TLC. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "value/value.h"
#include "value/value_int.h"

bool val_is_fcn(struct val v)
{
    if (!val_is_obj(v)) {
        return false;
    }
    uint8_t kind = val_obj(v)->kind;
    return (kind >= VK_TUPLE && kind <= VK_FCN) || kind == VK_LAMBDA;
}

static struct val forced_or_self(struct val fcn)
{
    return val_is_kind(fcn, VK_LAMBDA) && (val_obj(fcn)->flags & VF_FORCED) ? val_lazy(fcn)->forced
                                                                            : fcn;
}

struct val fcn_force(struct vctx *ctx, struct val fcn)
{
    fcn = forced_or_self(fcn);
    if (!val_is_kind(fcn, VK_LAMBDA)) {
        return fcn;
    }
    if (val_is_rope(fcn)) {
        return rope_force(ctx, fcn);
    }
    stack_check(ctx);
    struct vlazy *lazy = val_lazy(fcn);
    struct val domain = lazy->op[0];
    if (!set_is_enumerable(domain)) {
        val_fail_size(ctx, domain);
    }
    const struct vobj *keys = set_view(ctx, domain);
    struct val *values = arena_alloc(ctx->arena, (keys->n + (size_t)1) * sizeof *values);
    for (uint32_t i = 0; i < keys->n; i++) {
        vctx_poll(ctx);
        values[i] = lazy->ops->apply(ctx, lazy, keys->v[i]);
    }
    struct val forced = fcn_from_sorted(ctx, keys->v, values, keys->n);
    if (!(lazy->flags & VF_FROZEN) && !ctx->no_cache) {
        lazy->forced = forced;
        lazy->flags |= VF_FORCED;
    }
    return forced;
}

/* ---- application ---- */

static bool tuple_try(struct vctx *ctx, const struct vobj *obj, struct val arg, struct val *ret)
{
    if (val_is_small(arg)) {
        uint64_t index = (uint64_t)val_small_get(arg) - 1;
        if (index < obj->n) {
            *ret = obj->v[index];
            return true;
        }
        return false;
    }
    if (!val_is_int(arg) && obj->n != 0) { /* the empty tuple is the empty function, which has any
                                              arguments outside its domain */
        vctx_fail(ctx, 0, "Attempted to access tuple at a non integral index: %s",
                  val_ppr(ctx, arg));
    }
    return false;
}

enum { LINEAR_MAX = 8 };

static bool name_find(const struct vobj *obj, uint64_t word, size_t *ret_index)
{
    size_t n = obj->n;
    if (n <= LINEAR_MAX) {
        for (size_t i = 0; i < n; i++) {
            if (obj->v[i].w == word) {
                *ret_index = i;
                return true;
            }
        }
        return false;
    }
    size_t lo = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (obj->v[lo + half].w < word) {
            lo += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    *ret_index = lo;
    return lo < obj->n && obj->v[lo].w == word;
}

static bool record_try(struct vctx *ctx, const struct vobj *obj, struct val arg, struct val *ret)
{
    size_t index;
    if (val_is_str(arg)) {
        if (!name_find(obj, arg.w, &index)) {
            return false;
        }
        *ret = obj->v[obj->n + index];
        return true;
    }
    if (!(obj->flags & VF_MAP)) {
        vctx_fail(ctx, 0, "Attempted to access record by a non-string argument: %s",
                  val_ppr(ctx, arg));
    }
    return val_equal(ctx, obj->v[0], arg); /* false for an untyped model value, else an error */
}

/* Binary search by TLC's order. */
static bool key_search(struct vctx *ctx, const struct vobj *obj, struct val arg, size_t *ret_index)
{
    size_t lo = 0;
    size_t hi = obj->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int cmp = val_compare(ctx, arg, obj->v[mid]);
        if (cmp == 0) {
            *ret_index = mid;
            return true;
        }
        if (cmp < 0) {
            hi = mid;
        } else {
            lo = mid + 1;
        }
    }
    return false;
}

static bool key_find(struct vctx *ctx, const struct vobj *obj, struct val arg, size_t *ret_index)
{
    if (val_is_small(arg) && val_is_small(obj->v[0])) {
        uint64_t index = (uint64_t)(val_small_get(arg) - val_small_get(obj->v[0]));
        if (index < obj->n && obj->v[index].w == arg.w) {
            *ret_index = index;
            return true;
        }
    } else if (!val_is_obj(arg) && obj->n <= LINEAR_MAX) {
        for (size_t i = 0; i < obj->n; i++) {
            if (obj->v[i].w == arg.w) {
                *ret_index = i;
                return true;
            }
        }
    }
    if (!val_is_int(arg) && keys_are_contiguous(obj->v, obj->n)) {
        vctx_fail(ctx, 0,
                  "Attempted to apply function with integer domain to the non-integer argument %s",
                  val_ppr(ctx, arg));
    }
    return key_search(ctx, obj, arg, ret_index);
}

static bool lambda_try(struct vctx *ctx, struct val fcn, struct val arg, struct val *ret)
{
    struct vlazy *lazy = val_lazy(fcn);
    if (!set_member(ctx, arg, lazy->op[0])) {
        return false;
    }
    *ret = lazy->ops->apply(ctx, lazy, arg);
    return true;
}

bool fcn_try(struct vctx *ctx, struct val fcn, struct val arg, struct val *ret)
{
    fcn = forced_or_self(fcn);
    if (!val_is_fcn(fcn)) {
        vctx_fail(ctx, 0, "A non-function (%s) was applied as a function.", val_kind_text(fcn));
    }
    const struct vobj *obj = val_obj(fcn);
    size_t index;
    switch (obj->kind) {
    case VK_TUPLE: return tuple_try(ctx, obj, arg, ret);
    case VK_RECORD: return record_try(ctx, obj, arg, ret);
    case VK_FCN:
        if (!key_find(ctx, obj, arg, &index)) {
            return false;
        }
        *ret = obj->v[obj->n + index];
        return true;
    default: return lambda_try(ctx, fcn, arg, ret);
    }
}

struct val fcn_apply(struct vctx *ctx, struct val fcn, struct val arg)
{
    struct val result;
    if (fcn_try(ctx, fcn, arg, &result)) {
        return result;
    }
    fcn = forced_or_self(fcn);
    const struct vobj *obj = val_obj(fcn);
    if (obj->kind == VK_TUPLE && val_is_int(arg)) {
        vctx_fail(ctx, 0, "Attempted to access index %s of tuple\n%s\nwhich is out of bounds.",
                  val_ppr(ctx, arg), val_ppr(ctx, fcn));
    }
    if (obj->kind == VK_RECORD && !(obj->flags & VF_MAP)) {
        struct str name = val_str_text(ctx, arg);
        vctx_fail(ctx, 0, "Attempted to access nonexistent field '%.*s' of record\n%s",
                  STR_ARG(name), val_ppr(ctx, fcn));
    }
    if (obj->kind == VK_LAMBDA) {
        vctx_fail(ctx, 0,
                  "In applying the function\n%s,\nthe first argument is:\n%s\nwhich is not in its "
                  "domain.\n",
                  val_ppr(ctx, fcn), val_ppr(ctx, arg));
    }
    vctx_fail(ctx, 0,
              "Attempted to apply function:\n%s\nto argument %s, which is not in the domain of the "
              "function.",
              val_ppr(ctx, fcn), val_ppr(ctx, arg));
}

bool record_get(struct vctx *ctx, struct val record, uint32_t name_id, struct val *ret)
{
    struct val fcn = fcn_force(ctx, record);
    size_t index;
    if (!val_is_kind(fcn, VK_RECORD) || !name_find(val_obj(fcn), val_strid(name_id).w, &index)) {
        return false;
    }
    *ret = val_obj(fcn)->v[val_obj(fcn)->n + index];
    return true;
}

/* ---- domain and parts ---- */

struct val fcn_domain(struct vctx *ctx, struct val fcn)
{
    fcn = forced_or_self(fcn);
    const struct vobj *obj = val_obj(fcn);
    switch (obj->kind) {
    case VK_TUPLE: return set_interval(ctx, val_small(1), val_small(obj->n));
    case VK_LAMBDA: return val_lazy(fcn)->op[0];
    default: break;
    }
    if (obj->kind == VK_FCN && keys_are_contiguous(obj->v, obj->n)) {
        return set_interval(ctx, obj->v[0], obj->v[obj->n - 1]);
    }
    return set_from_sorted(ctx, obj->v, obj->n);
}

bool fcn_domain_equals(struct vctx *ctx, const struct vobj *fcn, struct val fcn_val, struct val set)
{
    if (fcn->kind == VK_TUPLE && val_is_kind(set, VK_INTERVAL)) {
        return fcn->n != 0 && interval_lo(set) == 1 && interval_hi(set) == (int64_t)fcn->n;
    }
    if (fcn->kind != VK_TUPLE && val_is_kind(set, VK_SET)) {
        const struct vobj *obj = val_obj(set);
        if (obj->n != fcn->n) {
            return false;
        }
        if (memcmp(obj->v, fcn->v, obj->n * sizeof obj->v[0]) == 0) {
            return true;
        }
    }
    struct val domain = fcn_domain(ctx, fcn_val);
    return fcn->kind == VK_TUPLE || val_is_kind(domain, VK_INTERVAL) ? val_equal(ctx, domain, set)
                                                                     : val_equal(ctx, set, domain);
}

size_t fcn_size(struct vctx *ctx, struct val fcn)
{
    return val_obj(fcn_force(ctx, fcn))->n;
}

struct val fcn_key(struct vctx *ctx, struct val fcn, size_t i)
{
    const struct vobj *obj = val_obj(fcn_force(ctx, fcn));
    ASSERT(i < obj->n);
    return obj->kind == VK_TUPLE ? val_small((int64_t)i + 1) : obj->v[i];
}

struct val fcn_value(struct vctx *ctx, struct val fcn, size_t i)
{
    const struct vobj *obj = val_obj(fcn_force(ctx, fcn));
    ASSERT(i < obj->n);
    return fcn_values(obj)[i];
}

const struct vobj *seq_of(struct vctx *ctx, struct val v)
{
    if (val_is_kind(v, VK_LAMBDA)) {
        v = forced_or_self(v);
        if (val_is_kind(v, VK_LAMBDA) && !set_is_enumerable(val_lazy(v)->op[0])) {
            vctx_fail(ctx, 0,
                      "To convert a function of form [x \\in S |-> f(x)] to a tuple, the set S "
                      "must be enumerable.");
        }
        v = fcn_force(ctx, v);
    }
    return val_is_kind(v, VK_TUPLE) ? val_obj(v) : NULL;
}

/* ---- functions that are known in part ---- */

enum { PART_DOMAIN, PART_BASE, PART_KNOWN, PART_CODE, PART_WORDS };

static struct val part_apply(struct vctx *ctx, struct vlazy *self, struct val arg)
{
    if (!set_member(ctx, arg, self->op[PART_KNOWN])) {
        vctx_fail(ctx, (int)val_small_get(self->op[PART_CODE]), "The value at %s is not known.",
                  val_ppr(ctx, arg));
    }
    return fcn_apply(ctx, self->op[PART_BASE], arg);
}

static const struct lazy_ops part_ops = {NULL, part_apply, NULL, NULL};

struct val fcn_partly(struct vctx *ctx, struct val fcn, struct val known, int code)
{
    struct vlazy *lazy = vlazy_new(ctx, VK_LAMBDA, 1, PART_WORDS);
    lazy->ops = &part_ops;
    lazy->op[PART_DOMAIN] = fcn_domain(ctx, fcn);
    lazy->op[PART_BASE] = fcn;
    lazy->op[PART_KNOWN] = known;
    lazy->op[PART_CODE] = val_small(code);
    return val_of_obj((struct vobj *)lazy);
}

/* ---- EXCEPT ---- */

/* A function whose domain cannot be enumerated or is too large for it, changed at one argument. */
enum { PATCH_DOMAIN, PATCH_BASE, PATCH_ARG, PATCH_VALUE, PATCH_WORDS };

static struct val patch_apply(struct vctx *ctx, struct vlazy *self, struct val arg)
{
    for (;;) {
        if (val_equal(ctx, self->op[PATCH_ARG], arg)) {
            return self->op[PATCH_VALUE];
        }
        struct vlazy *base = val_lazy(self->op[PATCH_BASE]);
        if (base->ops != self->ops) {
            return base->ops->apply(ctx, base, arg);
        }
        self = base;
    }
}

static struct val patch_freeze(struct vctx *ctx, struct vlazy *self, struct arena *into)
{
    struct vlazy *copy = arena_alloc(into, sizeof *copy + PATCH_WORDS * sizeof copy->op[0]);
    *copy = *self;
    copy->flags = VF_FROZEN;
    copy->hash = 0;
    for (size_t i = 0; i < PATCH_WORDS; i++) {
        copy->op[i] = val_freeze(ctx, into, self->op[i]);
    }
    return val_of_obj((struct vobj *)copy);
}

static const struct lazy_ops patch_ops = {NULL, patch_apply, patch_freeze, NULL};

static struct val patch_new(struct vctx *ctx, struct val fcn, struct val arg, struct val value)
{
    struct val domain = val_lazy(fcn)->op[0];
    if (!set_member(ctx, arg, domain)) {
        return fcn;
    }
    struct vlazy *lazy = vlazy_new(ctx, VK_LAMBDA, 1, PATCH_WORDS);
    lazy->ops = &patch_ops;
    lazy->op[PATCH_DOMAIN] = domain;
    lazy->op[PATCH_BASE] = fcn;
    lazy->op[PATCH_ARG] = arg;
    lazy->op[PATCH_VALUE] = value;
    return val_of_obj((struct vobj *)lazy);
}

struct val fcn_update(struct vctx *ctx, struct val fcn, struct val arg, struct val value)
{
    fcn = forced_or_self(fcn);
    if (val_is_kind(fcn, VK_LAMBDA) && set_bound(ctx, val_lazy(fcn)->op[0]).n > set_limit(ctx)) {
        return patch_new(ctx, fcn, arg, value);
    }
    fcn = fcn_force(ctx, fcn);
    const struct vobj *obj = val_obj(fcn);
    size_t index = 0;
    struct val old;
    switch (obj->kind) {
    case VK_TUPLE:
        if (!tuple_try(ctx, obj, arg, &old)) {
            return fcn;
        }
        index = (size_t)val_small_get(arg) - 1;
        break;
    case VK_RECORD:
        if (!record_try(ctx, obj, arg, &old)) {
            return fcn;
        }
        name_find(obj, arg.w, &index);
        index += obj->n;
        break;
    default:
        ASSERT(obj->kind == VK_FCN);
        if (!key_find(ctx, obj, arg, &index)) {
            return fcn;
        }
        index += obj->n;
        break;
    }
    size_t words = obj->kind == VK_TUPLE ? obj->n : 2 * (size_t)obj->n;
    struct vobj *copy = vobj_new(ctx, obj->kind, obj->n, words);
    copy->flags = obj->flags & VF_MAP;
    memcpy(copy->v, obj->v, words * sizeof obj->v[0]);
    copy->v[index] = value;
    return val_of_obj(copy);
}

/* How large a set is: bounds without enumerating, cardinality, emptiness, finiteness; and forcing,
 * which is limited by size. Counting comes first where it is cheap, so that [1..30 -> 1..30] fails
 * at once and not after a million elements. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "value/value.h"
#include "value/value_int.h"

/* ---- size ---- */

static struct bound bound_mul(struct bound a, struct bound b)
{
    if (a.n == 0 || b.n == 0) { /* an upper bound of 0 is exact */
        return (struct bound){0, true};
    }
    struct bound out = {BOUND_INF, a.exact && b.exact};
    if (a.n < BOUND_INF && b.n < BOUND_INF && a.n <= BOUND_INF / b.n) {
        out.n = a.n * b.n;
    }
    return out;
}

static struct bound bound_pow(struct bound base, struct bound exponent)
{
    if (exponent.n == 0) {
        return (struct bound){1, true};
    }
    if (base.n <= 1) {
        return base.n == 1 ? (struct bound){1, base.exact}
                           : (struct bound){exponent.exact ? 0 : 1, exponent.exact};
    }
    struct bound out = {1, base.exact && exponent.exact};
    for (uint64_t i = 0; i < exponent.n; i++) {
        if (out.n > BOUND_INF / base.n) {
            out.n = BOUND_INF;
            break;
        }
        out.n *= base.n;
    }
    return out;
}

static struct bound union_bound(struct vctx *ctx, struct val base)
{
    struct bound out = {0, false};
    if (!val_is_kind(base, VK_SET)) {
        return (struct bound){BOUND_INF, false};
    }
    for (uint32_t i = 0; i < val_obj(base)->n && out.n < BOUND_INF; i++) {
        out.n += set_bound(ctx, val_obj(base)->v[i]).n;
    }
    out.n = out.n < BOUND_INF ? out.n : BOUND_INF;
    return out;
}

static struct bound operands_bound(struct vctx *ctx, const struct vlazy *lazy, uint32_t from)
{
    struct bound out = {1, true};
    for (uint32_t i = 0; i < lazy->n; i++) {
        out = bound_mul(out, set_bound(ctx, lazy->op[from + i]));
    }
    return out;
}

struct bound set_bound(struct vctx *ctx, struct val set)
{
    if (!set_is_enumerable(set)) {
        return (struct bound){BOUND_INF, false};
    }
    if (val_obj(set)->kind == VK_SET) {
        return (struct bound){val_obj(set)->n, true};
    }
    stack_check(ctx);
    struct vlazy *lazy = val_lazy(set);
    if (lazy->flags & VF_FORCED) {
        return (struct bound){val_obj(lazy->forced)->n, true};
    }
    struct bound a;
    struct bound b;
    switch (lazy->kind) {
    case VK_INTERVAL: return (struct bound){interval_size(set), true};
    case VK_SUBSET: return bound_pow((struct bound){2, true}, set_bound(ctx, lazy->op[0]));
    case VK_KSUBSET:
        return (struct bound){bound_pow((struct bound){2, true}, set_bound(ctx, lazy->op[0])).n,
                              false};
    case VK_FCNSET: return bound_pow(set_bound(ctx, lazy->op[1]), set_bound(ctx, lazy->op[0]));
    case VK_RECSET: return operands_bound(ctx, lazy, lazy->n);
    case VK_PRODUCT: return operands_bound(ctx, lazy, 0);
    case VK_UNION: return union_bound(ctx, lazy->op[0]);
    case VK_CUP:
        a = set_bound(ctx, lazy->op[0]);
        b = set_bound(ctx, lazy->op[1]);
        return (struct bound){a.n + b.n < BOUND_INF ? a.n + b.n : BOUND_INF, false};
    case VK_CAP:
        return (struct bound){set_bound(ctx, lazy->op[!set_is_enumerable(lazy->op[0])]).n, false};
    default: return (struct bound){set_bound(ctx, lazy->op[0]).n, false}; /* DIFF, FILTER */
    }
}

static struct val binomial(struct vctx *ctx, uint64_t n, uint64_t k)
{
    if (k > n - k) {
        k = n - k;
    }
    struct val out = val_small(1);
    for (uint64_t i = 1; i <= k; i++) {
        vctx_poll(ctx);
        out =
            int_div(ctx, int_mul(ctx, out, val_small((int64_t)(n - k + i))), val_small((int64_t)i));
    }
    return out;
}

static struct val size_of(struct vctx *ctx, struct val set)
{
    if (!set_is_enumerable(set)) {
        val_fail_size(ctx, set);
    }
    if (val_obj(set)->kind == VK_SET) {
        return val_small(val_obj(set)->n);
    }
    stack_check(ctx);
    struct vlazy *lazy = val_lazy(set);
    struct val out = val_small(1);
    switch (lazy->kind) {
    case VK_INTERVAL: return val_int(ctx, (int64_t)interval_size(set));
    case VK_SUBSET: return int_pow(ctx, val_small(2), size_of(ctx, lazy->op[0]));
    case VK_KSUBSET:
        return binomial(ctx, val_obj(lazy->op[0])->n, (uint64_t)val_small_get(lazy->op[1]));
    case VK_FCNSET: return int_pow(ctx, size_of(ctx, lazy->op[1]), size_of(ctx, lazy->op[0]));
    case VK_RECSET:
    case VK_PRODUCT:
        for (uint32_t i = 0; i < lazy->n; i++) {
            out = int_mul(ctx, out,
                          size_of(ctx, lazy->op[lazy->kind == VK_RECSET ? lazy->n + i : i]));
        }
        return out;
    default: return val_small(set_view(ctx, set)->n);
    }
}

struct val set_card(struct vctx *ctx, struct val set)
{
    if (!set_is_enumerable(set)) {
        vctx_fail(ctx, CODE_CARDINALITY, "Attempted to compute cardinality of the value\n%s",
                  val_ppr(ctx, set));
    }
    return size_of(ctx, set);
}

bool set_is_empty(struct vctx *ctx, struct val set)
{
    if (!set_is_enumerable(set)) {
        vctx_fail(ctx, 0, "Shouldn't call isEmpty() on value %s", val_ppr(ctx, set));
    }
    struct bound bound = {1, false};
    switch (val_obj(set)->kind) {
    case VK_SET: return val_obj(set)->n == 0;
    case VK_INTERVAL:
    case VK_SUBSET:
    case VK_KSUBSET: return false;
    case VK_FCNSET:
    case VK_RECSET:
    case VK_PRODUCT: bound = set_bound(ctx, set); break;
    default: break;
    }
    if (bound.exact) {
        return bound.n == 0;
    }
    struct set_iter it;
    struct val elem;
    set_iter_init(&it, ctx, set);
    return !set_iter_next(&it, &elem);
}

static bool union_is_finite(struct vctx *ctx, struct val set)
{
    struct val base = val_lazy(set)->op[0];
    if (!set_is_enumerable(base)) {
        vctx_fail(ctx, 0, "Attempted to check if the nonenumerable set:\n%s\nis a finite set.",
                  val_ppr(ctx, set));
    }
    struct set_iter it;
    struct val part;
    set_iter_init(&it, ctx, base);
    while (set_iter_next(&it, &part)) {
        vctx_poll(ctx);
        if (!set_is_finite(ctx, part)) {
            return false;
        }
    }
    return true;
}

static bool lazy_is_finite(struct vctx *ctx, struct val set)
{
    struct vlazy *lazy = val_lazy(set);
    switch (lazy->kind) {
    case VK_SUBSET: return set_is_finite(ctx, lazy->op[0]);
    case VK_FCNSET: return set_is_finite(ctx, lazy->op[0]) && set_is_finite(ctx, lazy->op[1]);
    case VK_RECSET:
    case VK_PRODUCT:
        for (uint32_t i = 0; i < lazy->n; i++) {
            if (!set_is_finite(ctx, lazy->op[lazy->kind == VK_RECSET ? lazy->n + i : i])) {
                return false;
            }
        }
        return true;
    case VK_SEQSET: return false;
    case VK_UNION: return union_is_finite(ctx, set);
    case VK_CUP: return set_is_finite(ctx, lazy->op[0]) && set_is_finite(ctx, lazy->op[1]);
    case VK_CAP:
        if (!set_is_finite(ctx, lazy->op[0]) && !set_is_finite(ctx, lazy->op[1])) {
            vctx_fail(ctx, 0, "Attempted to check if the set %sis finite.", val_ppr(ctx, set));
        }
        return true;
    case VK_DIFF:
        if (set_is_finite(ctx, lazy->op[0])) {
            return true;
        }
        if (!set_is_finite(ctx, lazy->op[1])) {
            vctx_fail(ctx, 0, "Attempted to check if the set %sis finite.", val_ppr(ctx, set));
        }
        return false;
    case VK_FILTER:
        if (!set_is_finite(ctx, lazy->op[0])) {
            vctx_fail(ctx, 0,
                      "Attempted to check if expression of form {x \\in S : p(x)} is a finite set, "
                      "but cannot check "
                      "if S:\n%s\nis finite.",
                      val_ppr(ctx, lazy->op[0]));
        }
        return true;
    default: return true; /* INTERVAL, KSUBSET */
    }
}

bool set_is_finite(struct vctx *ctx, struct val set)
{
    if (val_is_user(set)) {
        return false;
    }
    if (val_is_kind(set, VK_SET) || (val_is_fcn(set) && !val_is_kind(set, VK_LAMBDA))) {
        return true; /* TLC says so of functions, too */
    }
    if (set_is_enumerable(set)) {
        stack_check(ctx);
        return lazy_is_finite(ctx, set);
    }
    if (val_is_kind(set, VK_LAMBDA)) {
        vctx_fail(ctx, 0, "Attempted to check if the function:\n%s\nis a finite set.",
                  val_ppr(ctx, set));
    }
    vctx_fail(ctx, 0, "Attempted to check if %s %s is a finite set.", val_kind_noun(set),
              val_ppr(ctx, set));
}

/* ---- forcing ---- */

/* TLC has no limit for these two; ours keep a mistake from eating all memory. */
#define INTERVAL_FORCE_MAX (UINT64_C(1) << 24)
#define SUBSET_FORCE_MAX   (UINT64_C(1) << 22)

static struct val force_interval(struct vctx *ctx, struct val set)
{
    uint64_t n = interval_size(set);
    uint64_t limit = set_limit(ctx) > INTERVAL_FORCE_MAX ? set_limit(ctx) : INTERVAL_FORCE_MAX;
    if (n > limit) {
        val_fail_set_too_big(ctx, limit);
    }
    struct vobj *obj = vobj_new(ctx, VK_SET, n, n);
    for (uint64_t i = 0; i < n; i++) {
        obj->v[i] = val_small(interval_lo(set) + (int64_t)i);
    }
    return val_of_obj(obj);
}

static uint64_t force_limit(const struct vctx *ctx, struct val set)
{
    uint64_t limit = set_limit(ctx);
    return val_is_kind(set, VK_SUBSET) && limit < SUBSET_FORCE_MAX ? SUBSET_FORCE_MAX : limit;
}

static bool all_can_force(struct vctx *ctx, const struct vlazy *lazy, uint32_t from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!set_can_force(ctx, lazy->op[from + i])) {
            return false;
        }
    }
    return true;
}

static bool operands_can_force(struct vctx *ctx, const struct vlazy *lazy)
{
    switch (lazy->kind) {
    case VK_INTERVAL: return true;
    case VK_RECSET: return all_can_force(ctx, lazy, lazy->n, lazy->n);
    case VK_PRODUCT: return all_can_force(ctx, lazy, 0, lazy->n);
    case VK_FCNSET:
    case VK_CUP: return all_can_force(ctx, lazy, 0, 2);
    case VK_CAP: return all_can_force(ctx, lazy, !set_is_enumerable(lazy->op[0]), 1);
    default: return all_can_force(ctx, lazy, 0, 1); /* SUBSET, KSUBSET, UNION, DIFF, FILTER */
    }
}

bool set_can_force(struct vctx *ctx, struct val set)
{
    if (!set_is_enumerable(set)) {
        return false;
    }
    if (val_is_kind(set, VK_SET) || (val_lazy(set)->flags & VF_FORCED)) {
        return true;
    }
    stack_check(ctx);
    if (!operands_can_force(ctx, val_lazy(set))) {
        return false;
    }
    struct bound bound = set_bound(ctx, set);
    return !bound.exact || bound.n <= force_limit(ctx, set);
}

static struct val force_collect(struct vctx *ctx, struct val set)
{
    uint64_t limit = force_limit(ctx, set);
    struct vals vals = {0};
    struct bound bound = set_bound(ctx, set);
    if (bound.exact && bound.n > limit) {
        if (val_is_kind(set, VK_SUBSET) && bound.n >= UINT64_C(1) << 31) {
            vctx_fail(ctx, CODE_OVERFLOW, "Overflow when computing the number of elements in:\n%s",
                      val_ppr(ctx, set));
        }
        val_fail_set_too_big(ctx, limit);
    }
    if (bound.n <= limit && (bound.exact || bound.n <= 64)) {
        vals.cap = bound.n;
        vals.v = arena_alloc(ctx->arena, (vals.cap + 1) * sizeof *vals.v);
    }
    struct set_iter it;
    struct val elem;
    set_iter_init(&it, ctx, set);
    while (set_iter_next(&it, &elem)) {
        vctx_poll(ctx);
        val_push(ctx, &vals, elem);
    }
    return set_plain_is_sorted(ctx, set) ? set_from_sorted(ctx, vals.v, vals.n)
                                         : set_make(ctx, vals.v, vals.n);
}

static struct val force_cup(struct vctx *ctx, const struct vlazy *lazy)
{
    if (!set_is_enumerable(lazy->op[0]) || !set_is_enumerable(lazy->op[1])) {
        vctx_fail(
            ctx, 0,
            "Attempted to enumerate S \\cup T when S:\n%s\nand T:\n%s\nare not both enumerable",
            val_ppr(ctx, lazy->op[0]), val_ppr(ctx, lazy->op[1]));
    }
    return set_merge(ctx, set_force(ctx, lazy->op[0]), set_force(ctx, lazy->op[1]));
}

struct val set_force(struct vctx *ctx, struct val set)
{
    if (val_is_kind(set, VK_SET)) {
        return set;
    }
    if (!set_is_enumerable(set)) {
        val_fail_enumerate(ctx, set);
    }
    struct vlazy *lazy = val_lazy(set);
    if (lazy->flags & VF_FORCED) {
        return lazy->forced;
    }
    stack_check(ctx);
    struct val forced;
    switch (lazy->kind) {
    case VK_INTERVAL: forced = force_interval(ctx, set); break;
    case VK_UNION: forced = set_flatten(ctx, lazy->op[0]); break;
    case VK_CUP: forced = force_cup(ctx, lazy); break;
    default: forced = force_collect(ctx, set); break;
    }
    if (!(lazy->flags & VF_FROZEN) && !ctx->no_cache) {
        lazy->forced = forced;
        lazy->flags |= VF_FORCED;
    }
    return forced;
}

const struct vobj *set_view(struct vctx *ctx, struct val set)
{
    return val_obj(set_force(ctx, set));
}

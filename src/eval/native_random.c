/* RandomElement and Randomization. All draws come from the worker's generator, so a run can be
 * repeated with its seed; they are not the draws that TLC would make. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "eval/native_int.h"

/* ---- RandomElement ---- */

static struct val random_element(struct ev *ev, struct val set);

static struct val random_function(struct ev *ev, const struct vlazy *fcns)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *domain = val_obj(set_force(ctx, fcns->op[0]));
    struct val *values = arena_alloc(ctx->arena, (domain->n + (size_t)1) * sizeof *values);
    for (uint32_t i = 0; i < domain->n; i++) {
        values[i] = random_element(ev, fcns->op[1]);
    }
    return fcn_from_sorted(ctx, domain->v, values, domain->n);
}

static struct val random_record(struct ev *ev, const struct vlazy *records)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val *values = arena_alloc(ctx->arena, (records->n + (size_t)1) * sizeof *values);
    for (uint32_t i = 0; i < records->n; i++) {
        values[i] = random_element(ev, records->op[records->n + i]);
    }
    return record_make(ctx, records->op, values, records->n);
}

static struct val random_tuple(struct ev *ev, const struct vlazy *tuples)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val *elems = arena_alloc(ctx->arena, (tuples->n + (size_t)1) * sizeof *elems);
    for (uint32_t i = 0; i < tuples->n; i++) {
        elems[i] = random_element(ev, tuples->op[i]);
    }
    return tuple_make(ctx, elems, tuples->n);
}

static struct val random_element(struct ev *ev, struct val set)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_set(set) || !set_is_enumerable(set)) {
        native_fail_wrong_value(ev, "RandomElement", "a finite set", set);
    }
    if (set_is_empty(ctx, set)) {
        vctx_fail(ctx, 0, "Attempted to apply RandomElement to the empty set.");
    }
    struct vobj *obj = val_obj(set);
    switch (obj->kind) {
    case VK_FCNSET: return random_function(ev, vobj_lazy(obj));
    case VK_RECSET: return random_record(ev, vobj_lazy(obj));
    case VK_PRODUCT: return random_tuple(ev, vobj_lazy(obj));
    case VK_INTERVAL: {
        int64_t low = val_small_get(vobj_lazy(obj)->op[0]),
                high = val_small_get(vobj_lazy(obj)->op[1]);
        return val_small(low + (int64_t)rng_below(ev_rng(ev), (uint64_t)(high - low) + 1));
    }
    default: break;
    }
    const struct vobj *forced = val_obj(set_force(ctx, set));
    return forced->v[rng_below(ev_rng(ev), forced->n)];
}

struct val native_random_element(struct ev *ev, const struct val *args)
{
    return random_element(ev, args[0]);
}

/* ---- Randomization ---- */

static const struct vobj *need_finite(struct ev *ev, struct val v, const char *which,
                                      const char *op, const char *want)
{
    if (!val_is_set(v) || !set_is_enumerable(v) || !set_is_finite(ev_vctx(ev), v)) {
        native_fail_argument(ev, which, op, want, v);
    }
    return val_obj(set_force(ev_vctx(ev), v));
}

/* Sets that need not be built to draw from them. */
static bool draws_directly(const struct vobj *set)
{
    return set->kind == VK_FCNSET || set->kind == VK_RECSET || set->kind == VK_PRODUCT ||
           set->kind == VK_SUBSET;
}

static struct val draw(struct ev *ev, struct val set)
{
    if (!val_is_kind(set, VK_SUBSET)) {
        return random_element(ev, set);
    }
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *base = val_obj(set_force(ctx, vobj_lazy(val_obj(set))->op[0]));
    struct vals subset;
    native_vals_init(&subset, ev, base->n);
    for (uint32_t i = 0; i < base->n; i++) {
        if (rng_next(ev_rng(ev)) >> 63) {
            native_push(&subset, base->v[i]);
        }
    }
    return set_from_sorted(ctx, subset.v, subset.n);
}

/* k different elements of a set that is much larger: draws again what was drawn twice. */
static struct val draw_many(struct ev *ev, struct val set, size_t k)
{
    struct vctx *ctx = ev_vctx(ev);
    struct vals drawn;
    native_vals_init(&drawn, ev, k);
    for (;;) {
        while (drawn.n < k) {
            native_push(&drawn, draw(ev, set));
            vctx_poll(ctx);
        }
        struct val distinct = set_make(ctx, drawn.v, drawn.n);
        if (val_obj(distinct)->n == k) {
            return distinct;
        }
        drawn.n = val_obj(distinct)->n;
        memcpy(drawn.v, val_obj(distinct)->v, drawn.n * sizeof *drawn.v);
    }
}

/* k different elements, each choice as likely: every element is taken with probability (still
 * wanted) / (still there). */
static struct val draw_from(struct ev *ev, const struct vobj *set, size_t k)
{
    struct vals chosen;
    native_vals_init(&chosen, ev, k);
    for (uint32_t i = 0; i < set->n; i++) {
        if (rng_below(ev_rng(ev), set->n - i) < k - chosen.n) {
            native_push(&chosen, set->v[i]);
        }
    }
    return set_from_sorted(ev_vctx(ev), chosen.v, chosen.n);
}

struct val native_random_subset(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    int64_t k = 0;
    if (!val_is_int(args[0]) || !int_to_i64(args[0], &k) || k < 0) {
        native_fail_argument(ev, "first", "RandomSubset", "nonnegative integer", args[0]);
    }
    if (!val_is_set(args[1]) || !set_is_enumerable(args[1]) || !set_is_finite(ctx, args[1])) {
        native_fail_argument(ev, "second", "RandomSubset", "a finite set", args[1]);
    }
    struct val size = set_card(ctx, args[1]);
    if (int_cmp(size, args[0]) <= 0) {
        return set_force(ctx, args[1]); /* all of it, when more is wanted than there is */
    }
    bool huge = val_is_kind(args[1], VK_INTERVAL) &&
                int_cmp(size, val_small((int64_t)ctx->set_size_max)) > 0;
    if ((huge || draws_directly(val_obj(args[1]))) &&
        int_cmp(size, int_mul(ctx, args[0], val_small(4))) > 0) {
        return draw_many(ev, args[1], (size_t)k);
    }
    return draw_from(ev, val_obj(set_force(ctx, args[1])), (size_t)k);
}

/* `picks` subsets in which every element stands with probability num/den. */
static struct val random_subsets(struct ev *ev, const struct vobj *set, uint64_t picks,
                                 uint64_t num, uint64_t den)
{
    struct vctx *ctx = ev_vctx(ev);
    struct vals subsets, subset;
    native_vals_init(&subsets, ev, picks < 4096 ? picks : 4096);
    native_vals_init(&subset, ev, set->n);
    for (uint64_t pick = 0; pick < picks; pick++) {
        subset.n = 0;
        for (uint32_t i = 0; i < set->n; i++) {
            if (rng_below(ev_rng(ev), den) < num) {
                native_push(&subset, set->v[i]);
            }
        }
        native_push(&subsets, set_from_sorted(ctx, subset.v, subset.n));
        vctx_poll(ctx);
    }
    return set_make(ctx, subsets.v, subsets.n);
}

static int64_t need_nonnegative(struct ev *ev, struct val v, const char *which, const char *op)
{
    int64_t n = 0;
    if (!val_is_int(v) || !int_to_i64(v, &n) || n < 0) {
        native_fail_argument(ev, which, op, "nonnegative integer", v);
    }
    return n;
}

struct val native_random_set_of_subsets(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    const char *op = "RandomSetOfSubsets";
    int64_t picks = need_nonnegative(ev, args[0], "first", op);
    int64_t n = need_nonnegative(ev, args[1], "second", op);
    const struct vobj *set = need_finite(ev, args[2], "third", op, "finite set");
    if (set->n < 62 && picks > INT64_C(1) << set->n) {
        vctx_fail(ctx, CODE_ARGUMENT,
                  "The first argument of %s should be a nonnegative integer that is smaller than "
                  "the subset's size of 2^%u, but instead it "
                  "is:\n%lld",
                  op, set->n, (long long)picks);
    }
    if (n > (int64_t)set->n) {
        native_fail_argument(ev, "second", op, "nonnegative integer in range 0..Cardinality(S)",
                             args[1]);
    }
    return random_subsets(ev, set, (uint64_t)picks, (uint64_t)n, set->n > 0 ? set->n : 1);
}

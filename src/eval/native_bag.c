/* Bags and BagsExt. A bag is a function to positive numbers; two bags are combined by one walk over
 * their sorted elements. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/native_int.h"

/* The canonical function behind a bag, or failure 2176 with TLC's wording. */
static struct val need_table(struct ev *ev, struct val v, const char *op)
{
    struct val fcn;
    if (!native_as_fcn(ev, v, &fcn)) {
        native_fail_wrong_value(ev, op, "a function with a finite domain", v);
    }
    return fcn;
}

static bool is_count(struct val v)
{
    return val_is_int(v) && int_sign(v) > 0;
}

static bool is_bag(struct ev *ev, struct val fcn)
{
    struct vctx *ctx = ev_vctx(ev);
    size_t n = fcn_size(ctx, fcn);
    for (size_t i = 0; i < n; i++) {
        if (!is_count(fcn_value(ctx, fcn, i))) {
            return false;
        }
    }
    return true;
}

/* An operand of (+) or (-); with `strict`, it must be a bag throughout. */
static struct val need_bag(struct ev *ev, struct val v, const char *which, const char *op,
                           bool strict)
{
    struct val fcn;
    if (!native_as_fcn(ev, v, &fcn) || (strict && !is_bag(ev, fcn))) {
        native_fail_argument(ev, which, op, "bag", v);
    }
    return fcn;
}

static struct val copies_at(struct ev *ev, struct val fcn, size_t i, const char *op)
{
    return native_need_int(ev, fcn_value(ev_vctx(ev), fcn, i), "second", op);
}

struct val native_empty_bag(struct ev *ev, const struct val *args)
{
    (void)ev;
    (void)args;
    return tuple_empty();
}

struct val native_is_a_bag(struct ev *ev, const struct val *args)
{
    struct val fcn;
    return val_bool(native_as_fcn(ev, args[0], &fcn) && is_bag(ev, fcn));
}

struct val native_bag_cardinality(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn = need_table(ev, args[0], "BagCardinality");
    if (!is_bag(ev, fcn)) {
        native_fail_wrong_value(ev, "BagCardinality", "a bag", args[0]);
    }
    struct val sum = val_small(0);
    size_t n = fcn_size(ctx, fcn);
    for (size_t i = 0; i < n; i++) {
        sum = int_add(ctx, sum, fcn_value(ctx, fcn, i));
    }
    return sum;
}

/* Is e in the bag? A model value is not in a bag of numbers, though it cannot be an argument of a
 * function over 1..n. */
static bool bag_find(struct ev *ev, struct val fcn, struct val e, struct val *ret_count)
{
    struct vctx *ctx = ev_vctx(ev);
    size_t n = fcn_size(ctx, fcn);
    if (!val_is_model(e)) {
        return n > 0 && fcn_try(ctx, fcn, e, ret_count);
    }
    for (size_t i = 0; i < n; i++) {
        if (val_equal(ctx, fcn_key(ctx, fcn, i), e)) {
            *ret_count = fcn_value(ctx, fcn, i);
            return true;
        }
    }
    return false;
}

/* The copies of e in b; 0 when it is not there. */
static struct val copies(struct ev *ev, struct val e, struct val b, const char *op)
{
    struct val fcn = need_table(ev, b, op);
    struct val count;
    if (!bag_find(ev, fcn, e, &count)) {
        return val_small(0);
    }
    if (!val_is_int(count)) {
        native_fail_argument(ev, "second", op, "bag", b);
    }
    return count;
}

struct val native_bag_in(struct ev *ev, const struct val *args)
{
    return val_bool(int_sign(copies(ev, args[0], args[1], "BagIn")) > 0);
}

struct val native_copies_in(struct ev *ev, const struct val *args)
{
    return copies(ev, args[0], args[1], "CopiesIn");
}

struct val native_bag_to_set(struct ev *ev, const struct val *args)
{
    return fcn_domain(ev_vctx(ev), need_table(ev, args[0], "BagToSet"));
}

struct val native_set_to_bag(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val set;
    if (!native_as_set(ev, args[0], &set)) {
        native_fail_wrong_value(ev, "BagToSet", "a function with a finite domain",
                                args[0]); /* TLC's words */
    }
    const struct vobj *keys = val_obj(set);
    struct val *ones = arena_alloc(ctx->arena, (keys->n + (size_t)1) * sizeof *ones);
    for (uint32_t i = 0; i < keys->n; i++) {
        ones[i] = val_small(1);
    }
    return fcn_from_sorted(ctx, keys->v, ones, keys->n);
}

/* ---- two bags at a time ---- */

struct merge {
    struct ev *ev;
    struct val a, b;
    size_t na, nb, ia, ib;
};

/* The next element of either bag in order, and its copies in both (VAL_UNDEF: not there). */
static bool merge_next(struct merge *m, struct val *ret_key, struct val *ret_a, struct val *ret_b)
{
    struct vctx *ctx = ev_vctx(m->ev);
    bool more_a = m->ia < m->na, more_b = m->ib < m->nb;
    if (!more_a && !more_b) {
        return false;
    }
    int order = 0;
    if (more_a && more_b) {
        order = val_compare(ctx, fcn_key(ctx, m->a, m->ia), fcn_key(ctx, m->b, m->ib));
    } else {
        order = more_a ? -1 : 1;
    }
    *ret_key = order <= 0 ? fcn_key(ctx, m->a, m->ia) : fcn_key(ctx, m->b, m->ib);
    *ret_a = order <= 0 ? fcn_value(ctx, m->a, m->ia++) : VAL_UNDEF;
    *ret_b = order >= 0 ? fcn_value(ctx, m->b, m->ib++) : VAL_UNDEF;
    return true;
}

static struct merge merge_start(struct ev *ev, struct val a, struct val b)
{
    struct vctx *ctx = ev_vctx(ev);
    return (struct merge){.ev = ev, .a = a, .b = b, .na = fcn_size(ctx, a), .nb = fcn_size(ctx, b)};
}

static struct val bag_sum(struct ev *ev, struct val a, struct val b)
{
    struct vctx *ctx = ev_vctx(ev);
    struct merge m = merge_start(ev, a, b);
    struct vals keys, counts;
    native_vals_init(&keys, ev, m.na + m.nb);
    native_vals_init(&counts, ev, m.na + m.nb);
    struct val key, in_a, in_b;
    while (merge_next(&m, &key, &in_a, &in_b)) {
        native_push(&keys, key);
        if (val_is_undef(in_a) || val_is_undef(in_b)) {
            native_push(&counts, val_is_undef(in_a) ? in_b : in_a);
        } else {
            native_push(&counts, int_add(ctx, native_need_int(ev, in_a, "first", "+"),
                                         native_need_int(ev, in_b, "second", "+")));
        }
    }
    return fcn_from_sorted(ctx, keys.v, counts.v, keys.n);
}

struct val native_bag_cup(struct ev *ev, const struct val *args)
{
    struct val a = need_bag(ev, args[0], "first", "(+)", true);
    struct val b = need_bag(ev, args[1], "second", "(+)", true);
    return bag_sum(ev, a, b);
}

struct val native_bag_diff(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val a = need_bag(ev, args[0], "first", "(-)", false);
    struct val b = need_bag(ev, args[1], "second", "(-)", false);
    struct merge m = merge_start(ev, a, b);
    struct vals keys, counts;
    native_vals_init(&keys, ev, m.na);
    native_vals_init(&counts, ev, m.na);
    struct val key, in_a, in_b;
    while (merge_next(&m, &key, &in_a, &in_b)) {
        if (val_is_undef(in_a)) {
            continue;
        }
        struct val left = native_need_int(ev, in_a, "first", "-");
        left = val_is_undef(in_b) ? left
                                  : int_sub(ctx, left, native_need_int(ev, in_b, "second", "-"));
        if (int_sign(left) > 0) {
            native_push(&keys, key);
            native_push(&counts, left);
        }
    }
    return fcn_from_sorted(ctx, keys.v, counts.v, keys.n);
}

struct val native_bag_subset(struct ev *ev, const struct val *args)
{
    struct merge m = merge_start(ev, need_table(ev, args[0], "\\sqsubseteq"),
                                 need_table(ev, args[1], "\\sqsubseteq"));
    struct val key, in_a, in_b;
    while (merge_next(&m, &key, &in_a, &in_b)) {
        if (val_is_undef(in_a)) {
            continue;
        }
        struct val have =
            val_is_undef(in_b) ? val_small(0) : native_need_int(ev, in_b, "second", "<=");
        if (int_cmp(native_need_int(ev, in_a, "first", "<="), have) > 0) {
            return VAL_FALSE;
        }
    }
    return VAL_TRUE;
}

struct val native_bag_union(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val set;
    if (!native_as_set(ev, args[0], &set)) {
        native_fail_wrong_value(ev, "BagUnion", "a finite enumerable set", args[0]);
    }
    const struct vobj *bags = val_obj(set);
    if (bags->n == 1) {
        return bags->v[0];
    }
    struct val sum = tuple_empty();
    for (uint32_t i = 0; i < bags->n; i++) {
        struct val bag;
        if (!native_as_fcn(ev, bags->v[i], &bag)) {
            vctx_fail(ctx, CODE_BAG_UNION,
                      "Attempted to apply BagUnion to the following set, whose\nelement is not a "
                      "bag:\n%s",
                      val_ppr(ctx, args[0]));
        }
        sum = bag_sum(ev, sum, bag);
    }
    return sum;
}

struct val native_bag_of_all(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn;
    if (!native_as_fcn(ev, args[1], &fcn)) {
        native_fail_argument(ev, "second", "BagOfAll", "function with a finite domain", args[1]);
    }
    struct val sum = tuple_empty();
    size_t n = fcn_size(ctx, fcn);
    for (size_t i = 0; i < n; i++) {
        struct val image = native_call1(ev, args[0], fcn_key(ctx, fcn, i));
        struct val count = copies_at(ev, fcn, i, "BagOfAll");
        sum = bag_sum(ev, sum, fcn_make(ctx, &image, &count, 1));
    }
    return sum;
}

/* All ways to keep 0 .. B[e] copies of every element, counted like an odometer. */
struct val native_sub_bag(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn = need_table(ev, args[0], "SubBag");
    size_t n = fcn_size(ctx, fcn);
    int64_t *at = arena_zalloc(ctx->arena, (n + 1) * sizeof *at);
    int64_t *most = arena_zalloc(ctx->arena, (n + 1) * sizeof *most);
    for (size_t i = 0; i < n; i++) {
        if (!int_to_i64(copies_at(ev, fcn, i, "SubBag"), &most[i]) || most[i] < 0) {
            native_fail_wrong_value(ev, "SubBag", "a bag", args[0]);
        }
    }
    struct vals all, keys, counts;
    native_vals_init(&all, ev, 16);
    native_vals_init(&keys, ev, n);
    native_vals_init(&counts, ev, n);
    for (;;) {
        keys.n = counts.n = 0;
        for (size_t i = 0; i < n; i++) {
            if (at[i] > 0) {
                native_push(&keys, fcn_key(ctx, fcn, i));
                native_push(&counts, val_int(ctx, at[i]));
            }
        }
        native_push(&all, fcn_from_sorted(ctx, keys.v, counts.v, keys.n));
        vctx_poll(ctx);
        size_t turn = 0;
        while (turn < n && ++at[turn] > most[turn]) {
            at[turn++] = 0;
        }
        if (turn == n) {
            return set_make(ctx, all.v, all.n);
        }
    }
}

/* ---- BagsExt ---- */

struct val native_bag_add(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn = need_table(ev, args[0], "BagAdd");
    struct val one = val_small(1);
    return bag_sum(ev, fcn, fcn_make(ctx, &args[1], &one, 1));
}

/* The bag without `count` copies of x, or without x when count is 0. */
static struct val bag_less(struct ev *ev, struct val bag, struct val x, bool all)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val have;
    if (!bag_find(ev, bag, x, &have)) {
        return bag;
    }
    if (!all && int_cmp(native_need_int(ev, have, "first", "-"), val_small(1)) != 0) {
        return fcn_update(ctx, bag, x, int_sub(ctx, have, val_small(1)));
    }
    size_t n = fcn_size(ctx, bag);
    struct vals keys, counts;
    native_vals_init(&keys, ev, n);
    native_vals_init(&counts, ev, n);
    for (size_t i = 0; i < n; i++) {
        if (!val_equal(ctx, fcn_key(ctx, bag, i), x)) {
            native_push(&keys, fcn_key(ctx, bag, i));
            native_push(&counts, fcn_value(ctx, bag, i));
        }
    }
    return fcn_from_sorted(ctx, keys.v, counts.v, keys.n);
}

struct val native_bag_remove(struct ev *ev, const struct val *args)
{
    return bag_less(ev, need_table(ev, args[0], "BagRemove"), args[1], false);
}

struct val native_bag_remove_all(struct ev *ev, const struct val *args)
{
    return bag_less(ev, need_table(ev, args[0], "BagRemoveAll"), args[1], true);
}

/* The copies of element i, as a count that a loop can run to. */
static int64_t fold_count(struct ev *ev, struct val fcn, size_t i)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val count = fcn_value(ctx, fcn, i);
    int64_t times = 0;
    if (!is_count(count) || !int_to_i64(count, &times)) {
        const char *text = val_ppr(ctx, count);
        vctx_fail(ctx, CODE_WRONG_VALUE,
                  "Applying FoldBag to the following value,\nwhich is not an element of Nat:\n%s "
                  "(in: %s:>%s)",
                  text, val_ppr(ctx, fcn_key(ctx, fcn, i)), text);
    }
    return times;
}

static struct val need_third_bag(struct ev *ev, struct val v)
{
    struct val fcn;
    if (!native_as_fcn(ev, v, &fcn)) {
        native_fail_argument(ev, "third", "FoldBag", "bag", v);
    }
    return fcn;
}

struct val native_fold_bag(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn = need_third_bag(ev, args[2]);
    struct val acc = args[1];
    size_t n = fcn_size(ctx, fcn);
    for (size_t i = 0; i < n; i++) {
        for (int64_t left = fold_count(ev, fcn, i); left > 0; left--) {
            acc = native_call2(ev, args[0], acc, fcn_key(ctx, fcn, i));
            vctx_poll(ctx);
        }
    }
    return acc;
}

struct val native_sum_bag(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn = need_third_bag(ev, args[0]);
    struct val acc = val_small(0);
    size_t n = fcn_size(ctx, fcn);
    for (size_t i = 0; i < n; i++) {
        (void)fold_count(ev, fcn, i);
        acc = int_add(ctx, acc,
                      int_mul(ctx, native_need_int(ev, fcn_key(ctx, fcn, i), "second", "+"),
                              fcn_value(ctx, fcn, i)));
    }
    return acc;
}

struct val native_product_bag(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn = need_third_bag(ev, args[0]);
    struct val acc = val_small(1);
    size_t n = fcn_size(ctx, fcn);
    for (size_t i = 0; i < n; i++) {
        (void)fold_count(ev, fcn, i);
        acc = int_mul(ctx, acc,
                      int_pow(ctx, native_need_int(ev, fcn_key(ctx, fcn, i), "second", "*"),
                              fcn_value(ctx, fcn, i)));
    }
    return acc;
}

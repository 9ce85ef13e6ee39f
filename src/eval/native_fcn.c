/* Functions: ranges, inverses, injections, folds over values. Folds go over the arguments in their
 * order, as in native_set.c. */
#include <stdbool.h>
#include <stddef.h>

#include "eval/native_int.h"

/* The canonical function; fails as enumerating the domain does. */
static struct val need_fcn(struct ev *ev, struct val v)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_fcn(v)) {
        native_fail_domain(ev, v);
    }
    if (val_is_kind(v, VK_LAMBDA)) {
        (void)set_force(ctx, fcn_domain(ctx, v));
    }
    return fcn_force(ctx, v);
}

struct val native_range(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn = need_fcn(ev, args[0]);
    size_t n = fcn_size(ctx, fcn);
    struct vals values;
    native_vals_init(&values, ev, n);
    for (size_t i = 0; i < n; i++) {
        native_push(&values, fcn_value(ctx, fcn, i));
    }
    return set_make(ctx, values.v, values.n);
}

/* A function is injective when its range is as large as its domain. */
struct val native_is_injective(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn;
    if (!native_as_fcn(ev, args[0], &fcn)) {
        native_fail_only_argument(ev, "IsInjective", "function", args[0]);
    }
    return val_bool(val_obj(native_range(ev, &fcn))->n == fcn_size(ctx, fcn));
}

__attribute__((noreturn, cold)) static void fail_twice(struct ev *ev, const struct vals *keys)
{
    struct vctx *ctx = ev_vctx(ev);
    size_t i = 1;
    for (bool found = false; !found && i < keys->n; i += !found) {
        for (size_t j = 0; j < i && !found; j++) {
            found = val_equal(ctx, keys->v[i], keys->v[j]);
        }
    }
    vctx_fail(ctx, 0, "The value\n%s\noccurs multiple times in the function domain.",
              val_ppr(ctx, keys->v[i]));
}

struct val native_anti_function(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn;
    if (!native_as_fcn(ev, args[0], &fcn)) {
        native_fail_only_argument(ev, "AntiFunction", "functions", args[0]);
    }
    size_t n = fcn_size(ctx, fcn);
    struct vals keys, values;
    native_vals_init(&keys, ev, n);
    native_vals_init(&values, ev, n);
    for (size_t i = 0; i < n; i++) {
        native_push(&keys, fcn_value(ctx, fcn, i));
        native_push(&values, fcn_key(ctx, fcn, i));
    }
    struct val inverse = fcn_make(ctx, keys.v, values.v, n);
    if (fcn_size(ctx, inverse) < n) {
        fail_twice(ev, &keys);
    }
    return inverse;
}

/* Whether a function of that kind exists follows from the sizes. */
struct val native_exists_injection(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    return val_bool(int_cmp(set_card(ctx, args[0]), set_card(ctx, args[1])) <= 0);
}

struct val native_exists_surjection(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val from = set_card(ctx, args[0]), to = set_card(ctx, args[1]);
    return val_bool(int_sign(to) == 0 ? int_sign(from) == 0 : int_cmp(from, to) >= 0);
}

struct val native_exists_bijection(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    return val_bool(int_cmp(set_card(ctx, args[0]), set_card(ctx, args[1])) == 0);
}

static struct val fold_on(struct ev *ev, struct val op, struct val acc, struct val fcn,
                          struct val keys)
{
    struct vctx *ctx = ev_vctx(ev);
    struct set_iter it;
    set_iter_init_sorted(&it, ctx, keys);
    struct val key;
    while (set_iter_next(&it, &key)) {
        acc = native_call2(ev, op, fcn_apply(ctx, fcn, key), acc);
    }
    return acc;
}

struct val native_fold_function(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_fcn(args[2])) {
        native_fail_argument(ev, "third", "FoldFunction", "function", args[2]);
    }
    struct val fcn = fcn_force(ctx, args[2]);
    size_t n = fcn_size(ctx, fcn);
    struct val acc = args[1];
    for (size_t i = 0; i < n; i++) {
        acc = native_call2(ev, args[0], fcn_value(ctx, fcn, i), acc);
    }
    return acc;
}

struct val native_fold_function_on_set(struct ev *ev, const struct val *args)
{
    if (!val_is_fcn(args[2])) {
        native_fail_argument(ev, "third", "FoldFunctionOnSet", "function", args[2]);
    }
    if (!val_is_set(args[3]) || !set_is_enumerable(args[3])) {
        native_fail_argument(ev, "fourth", "FoldFunctionOnSet", "set", args[3]);
    }
    return fold_on(ev, args[0], args[1], args[2], args[3]);
}

struct val native_sum_function(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val fcn = need_fcn(ev, args[0]);
    size_t n = fcn_size(ctx, fcn);
    struct val acc = val_small(0);
    for (size_t i = 0; i < n; i++) {
        acc = int_add(ctx, native_need_int(ev, fcn_value(ctx, fcn, i), "first", "+"), acc);
    }
    return acc;
}

struct val native_sum_function_on_set(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_fcn(args[0])) {
        native_fail_argument(ev, "third", "FoldFunctionOnSet", "function", args[0]);
    }
    if (!val_is_set(args[1]) || !set_is_enumerable(args[1])) {
        native_fail_argument(ev, "fourth", "FoldFunctionOnSet", "set", args[1]);
    }
    struct set_iter it;
    set_iter_init_sorted(&it, ctx, args[1]);
    struct val acc = val_small(0);
    struct val key;
    while (set_iter_next(&it, &key)) {
        acc = int_add(ctx, native_need_int(ev, fcn_apply(ctx, args[0], key), "first", "+"), acc);
    }
    return acc;
}

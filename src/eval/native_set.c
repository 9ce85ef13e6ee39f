/* FiniteSets, FiniteSetsExt and Folds.
 *
 * Folds go over the elements in their normalized order and start with the first one, as TLC's
 * overrides do: FoldSet(op, b, {x, y}) is op(y, op(x, b)). For operators that are associative and
 * commutative, the only ones that folds are meant for, this is what the definitions say.
 * MapThenFoldSet has no override in TLC and follows its definition. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/native_int.h"

__attribute__((noreturn, cold)) static void fail_choose(struct ev *ev)
{
    vctx_fail(ev_vctx(ev), 0,
              "Attempted to compute the value of an expression of form\nCHOOSE x \\in S: P, but no "
              "element of S satisfied P.");
}

/* ---- FiniteSets ---- */

struct val native_is_finite(struct ev *ev, const struct val *args)
{
    return val_bool(set_is_finite(ev_vctx(ev), args[0]));
}

struct val native_cardinality(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_set(args[0]) || !set_is_enumerable(args[0])) {
        vctx_fail(ctx, CODE_CARDINALITY, "Attempted to compute cardinality of the value\n%s",
                  val_ppr(ctx, args[0]));
    }
    return set_card(ctx, args[0]);
}

/* ---- Folds ---- */

struct val native_map_then_fold_set(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val rest = val_of_obj(native_need_set(ev, args[4], "fifth", "MapThenFoldSet"));
    struct vals order;
    native_vals_init(&order, ev, val_obj(rest)->n);
    while (val_obj(rest)->n > 0) {
        struct val x = native_call1(ev, args[3], rest);
        uint32_t before = val_obj(rest)->n;
        rest = set_force(ctx, set_diff(ctx, rest, set_make(ctx, &x, 1)));
        if (val_obj(rest)->n == before) {
            vctx_fail(
                ctx, 0,
                "The fourth argument of MapThenFoldSet chose a value that is not in the set:\n%s",
                val_ppr(ctx, x));
        }
        native_push(&order, x);
        vctx_poll(ctx);
    }
    struct val acc = args[1];
    for (size_t i = order.n; i-- > 0;) {
        acc = native_call2(ev, args[0], native_call1(ev, args[2], order.v[i]), acc);
    }
    return acc;
}

/* ---- FiniteSetsExt ---- */

static struct val fold_set(struct ev *ev, struct val op, struct val base, struct val set,
                           const char *name)
{
    if (!val_is_set(set) || !set_is_enumerable(set)) {
        native_fail_argument(ev, "third", name, "set", set);
    }
    struct set_iter it;
    set_iter_init_sorted(&it, ev_vctx(ev), set);
    struct val x;
    while (set_iter_next(&it, &x)) {
        base = native_call2(ev, op, x, base);
    }
    return base;
}

struct val native_fold_set(struct ev *ev, const struct val *args)
{
    return fold_set(ev, args[0], args[1], args[2], "FoldSet");
}

struct val native_reduce_set(struct ev *ev, const struct val *args)
{
    return fold_set(ev, args[0], args[2], args[1], "ReduceSet");
}

/* Sums and products of f over a set; without f, of the elements. */
static struct val total(struct ev *ev, struct val set, const struct val *f, bool product,
                        const char *name)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_set(set) || !set_is_enumerable(set)) {
        native_fail_argument(ev, "third", name, "set", set);
    }
    struct set_iter it;
    set_iter_init_sorted(&it, ctx, set);
    struct val acc = val_small(product ? 1 : 0);
    struct val x;
    while (set_iter_next(&it, &x)) {
        struct val term = native_need_int(ev, f != NULL ? native_call1(ev, *f, x) : x, "first",
                                          product ? "*" : "+");
        acc = product ? int_mul(ctx, term, acc) : int_add(ctx, term, acc);
        vctx_poll(ctx);
    }
    return acc;
}

struct val native_sum_set(struct ev *ev, const struct val *args)
{
    return total(ev, args[0], NULL, false, "FoldSet");
}

struct val native_product_set(struct ev *ev, const struct val *args)
{
    return total(ev, args[0], NULL, true, "FoldSet");
}

struct val native_map_then_sum_set(struct ev *ev, const struct val *args)
{
    return total(ev, args[1], &args[0], false, "MapThenSumSet");
}

struct val native_quantify(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    if (!val_is_set(args[0]) || !set_is_enumerable(args[0])) {
        native_fail_argument(ev, "first", "Quantify", "set", args[0]);
    }
    struct set_iter it;
    set_iter_init_sorted(&it, ctx, args[0]);
    int64_t count = 0;
    struct val x;
    while (set_iter_next(&it, &x)) {
        struct val pass = native_call1(ev, args[1], x);
        if (!val_is_bool(pass)) {
            native_fail_argument(ev, "second", "Quantify", "boolean-valued operator", pass);
        }
        count += val_same(pass, VAL_TRUE);
    }
    return val_small(count);
}

struct val native_k_subset(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *set = native_need_set(ev, args[1], "second", "kSubset");
    if (!val_is_int(args[0])) {
        native_fail_argument(ev, "first", "kSubset", "natural number", args[0]);
    }
    int64_t k = 0;
    if (!int_to_i64(args[0], &k) || k < 0 || k > (int64_t)set->n) {
        return set_empty();
    }
    if (k == 0) {
        struct val empty = set_empty();
        return set_make(ctx, &empty, 1);
    }
    return set_ksubset(ctx, val_of_obj(set), args[0]);
}

/* The set that a CHOOSE goes over. */
static const struct vobj *chosen_from(struct ev *ev, struct val set)
{
    if (!val_is_set(set) || !set_is_enumerable(set)) {
        vctx_fail(ev_vctx(ev), 0,
                  "Attempted to compute the value of an expression of\nform CHOOSE x \\in S: P, "
                  "but S was not enumerable.");
    }
    return val_obj(set_force(ev_vctx(ev), set));
}

static struct val extreme(struct ev *ev, struct val arg, int sign)
{
    const struct vobj *set = chosen_from(ev, arg);
    if (set->n == 0) {
        fail_choose(ev);
    }
    struct val best = native_need_int(ev, set->v[0], "first", sign > 0 ? ">=" : "<=");
    for (uint32_t i = 1; i < set->n; i++) {
        struct val x = native_need_int(ev, set->v[i], "second", sign > 0 ? ">=" : "<=");
        best = int_cmp(x, best) * sign > 0 ? x : best;
    }
    return best;
}

struct val native_max(struct ev *ev, const struct val *args)
{
    return extreme(ev, args[0], 1);
}

struct val native_min(struct ev *ev, const struct val *args)
{
    return extreme(ev, args[0], -1);
}

/* Every way to take one element of each set: counts like an odometer over the sets. */
struct val native_choices(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *sets = val_obj(set_force(ctx, args[0]));
    const struct vobj **wheel = (const struct vobj **)arena_alloc(
        ctx->arena, (sets->n + (size_t)1) * sizeof(const struct vobj *));
    uint32_t *at = arena_zalloc(ctx->arena, (sets->n + (size_t)1) * sizeof *at);
    struct val *pick = arena_alloc(ctx->arena, (sets->n + (size_t)1) * sizeof *pick);
    for (uint32_t i = 0; i < sets->n; i++) {
        wheel[i] = val_obj(set_force(ctx, sets->v[i]));
        if (wheel[i]->n == 0) {
            return set_empty();
        }
    }
    struct vals found;
    native_vals_init(&found, ev, 16);
    for (;;) {
        for (uint32_t i = 0; i < sets->n; i++) {
            pick[i] = wheel[i]->v[at[i]];
        }
        native_push(&found, set_make(ctx, pick, sets->n));
        vctx_poll(ctx);
        uint32_t turn = 0;
        while (turn < sets->n && ++at[turn] == wheel[turn]->n) {
            at[turn++] = 0;
        }
        if (turn == sets->n) {
            return set_make(ctx, found.v, found.n);
        }
    }
}

struct val native_choose_unique(struct ev *ev, const struct val *args)
{
    const struct vobj *set = chosen_from(ev, args[0]);
    uint32_t found = 0;
    struct val unique = VAL_UNDEF;
    for (uint32_t i = 0; i < set->n; i++) {
        if (ev_call_bool(ev, args[1], &set->v[i], 1)) {
            unique = set->v[i];
            found++;
        }
    }
    if (found != 1) {
        fail_choose(ev);
    }
    return unique;
}

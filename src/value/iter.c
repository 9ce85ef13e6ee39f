/* Enumeration of sets, in TLC's orders.
 *
 * The plain order of a lazy set is that of TLC's enumerators: SUBSET by size and then
 * lexicographically; [S -> T], record sets and products like an odometer whose last wheel turns
 * fastest; \cup and UNION one operand after the other, duplicates included; \cap, \ and filters as
 * what they select from. Wheels of an odometer are collected once (set_elems), so a step is cheap.
 *
 * All state of an iterator is made by its init: a step allocates only the element that it returns.
 * Callers may therefore give back the arena between two steps. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "value/value.h"
#include "value/value_int.h"

/* A normalized enumeration of an interval makes TLC build an array; above this size it has no
 * chance. */
#define INTERVAL_SORTED_MAX (UINT64_C(1) << 28)

/* ---- arrays and intervals ---- */

static bool step_array(struct set_iter *it, struct val *ret)
{
    if (it->at >= it->count) {
        return false;
    }
    *ret = ((const struct val *)it->state)[it->at++];
    return true;
}

static void init_array(struct set_iter *it, const struct vobj *obj)
{
    it->state = (void *)obj->v; /* only read */
    it->count = obj->n;
    it->step = step_array;
}

static bool step_interval(struct set_iter *it, struct val *ret)
{
    if (it->at >= it->count) {
        return false;
    }
    vctx_poll(it->ctx);
    *ret = val_small(interval_lo(it->set) + (int64_t)it->at++);
    return true;
}

static void init_interval(struct set_iter *it)
{
    it->count = interval_size(it->set);
    it->step = step_interval;
}

/* ---- subsets ---- */

struct subsets {
    const struct vobj *base;
    uint32_t k;       /* size of the next subset; above base->n: done */
    uint32_t index[]; /* which elements, ascending */
};

static struct val subset_build(struct vctx *ctx, const struct subsets *state)
{
    if (state->k == 0) {
        return set_empty();
    }
    struct vobj *obj = vobj_new(ctx, VK_SET, state->k, state->k);
    for (uint32_t i = 0; i < state->k; i++) {
        obj->v[i] = state->base->v[state->index[i]];
    }
    return val_of_obj(obj);
}

static void subset_first(struct subsets *state, uint32_t k)
{
    state->k = k;
    for (uint32_t i = 0; i < k && k <= state->base->n; i++) {
        state->index[i] = i;
    }
}

static bool step_subset(struct set_iter *it, struct val *ret)
{
    struct subsets *state = it->state;
    uint32_t n = state->base->n;
    if (state->k > n) {
        return false;
    }
    vctx_poll(it->ctx);
    *ret = subset_build(it->ctx, state);
    /* The next combination in lexicographic order: move the rightmost index that can move. */
    uint32_t i = state->k;
    while (i > 0 && state->index[i - 1] == n - state->k + i - 1) {
        i--;
    }
    if (i == 0) {
        subset_first(state, state->k + 1);
        return true;
    }
    state->index[i - 1]++;
    for (; i < state->k; i++) {
        state->index[i] = state->index[i - 1] + 1;
    }
    return true;
}

/* Subsets of one size, in the order of the binary numbers that describe them. */
static bool step_ksubset(struct set_iter *it, struct val *ret)
{
    struct subsets *state = it->state;
    uint32_t n = state->base->n;
    if (state->k > n) {
        return false;
    }
    vctx_poll(it->ctx);
    *ret = subset_build(it->ctx, state);
    /* Move the lowest index that has room, and put the ones below it back to the start. */
    uint32_t i = 0;
    while (i < state->k && state->index[i] + 1 == (i + 1 < state->k ? state->index[i + 1] : n)) {
        i++;
    }
    if (i == state->k) {
        state->k = n + 1;
        return true;
    }
    state->index[i]++;
    for (uint32_t j = 0; j < i; j++) {
        state->index[j] = j;
    }
    return true;
}

static void init_subset(struct set_iter *it, const struct vlazy *lazy)
{
    struct val base = lazy->op[0];
    if (!set_is_enumerable(base)) {
        if (val_is_user(base) || !val_is_fcn(base)) {
            val_fail_size(it->ctx, base);
        }
        vctx_fail(it->ctx, 0,
                  "Attempted to compute the value of an expression of form\nSUBSET S, but S is a "
                  "non-enumerable "
                  "value:\n%s",
                  val_ppr(it->ctx, base));
    }
    const struct vobj *obj = set_view(it->ctx, base);
    struct subsets *state =
        arena_alloc(it->ctx->arena, sizeof *state + (obj->n + (size_t)1) * sizeof state->index[0]);
    state->base = obj;
    subset_first(state, lazy->kind == VK_KSUBSET ? (uint32_t)val_small_get(lazy->op[1]) : 0);
    it->state = state;
    it->step = lazy->kind == VK_KSUBSET ? step_ksubset : step_subset;
}

/* ---- odometers: products, record sets, function sets ---- */

struct odometer {
    uint32_t n; /* wheels */
    bool done;
    enum vkind kind;        /* of the elements */
    uint8_t flags;          /* of the elements */
    const struct val *keys; /* of RECORD and FCN elements */
    const struct elems *wheels;
    uint32_t wheel_stride; /* 0 when all wheels are the same (function sets) */
    uint64_t at[];
};

static const struct elems *wheel_of(const struct odometer *state, uint32_t i)
{
    return &state->wheels[(size_t)i * state->wheel_stride];
}

static struct val odometer_build(struct vctx *ctx, const struct odometer *state)
{
    if (state->n == 0) {
        return tuple_empty();
    }
    bool keyed = state->kind != VK_TUPLE;
    struct vobj *obj = vobj_new(ctx, state->kind, state->n, (size_t)state->n << keyed);
    obj->flags = state->flags;
    struct val *values = obj->v;
    if (keyed) {
        memcpy(obj->v, state->keys, state->n * sizeof obj->v[0]);
        values += state->n;
    }
    for (uint32_t i = 0; i < state->n; i++) {
        values[i] = elems_at(wheel_of(state, i), state->at[i]);
    }
    return val_of_obj(obj);
}

static bool step_odometer(struct set_iter *it, struct val *ret)
{
    struct odometer *state = it->state;
    if (state->done) {
        return false;
    }
    vctx_poll(it->ctx);
    *ret = odometer_build(it->ctx, state);
    uint32_t i = state->n;
    while (i > 0) {
        if (++state->at[i - 1] < wheel_of(state, i - 1)->n) {
            return true;
        }
        state->at[i - 1] = 0;
        i--;
    }
    state->done = true;
    return true;
}

static struct odometer *odometer_new(struct set_iter *it, uint32_t n, enum vkind kind)
{
    struct odometer *state = arena_zalloc(it->ctx->arena, sizeof *state + n * sizeof state->at[0]);
    state->n = n;
    state->kind = kind;
    state->wheel_stride = 1;
    it->state = state;
    it->step = step_odometer;
    return state;
}

static void fail_wheel(struct vctx *ctx, const struct vlazy *lazy, uint32_t i)
{
    if (lazy->kind == VK_RECSET) {
        struct str name = val_str_text(ctx, lazy->op[i]);
        vctx_fail(ctx, 0,
                  "Attempted to enumerate a set of the form [l1 : v1, ..., ln : vn],\nbut can't "
                  "enumerate the value of "
                  "the `%.*s' field:\n%s",
                  STR_ARG(name), val_ppr(ctx, lazy->op[lazy->n + i]));
    }
    vctx_fail(ctx, 0,
              "Attempted to enumerate a set of the form s1 \\X s2 ... \\X sn,\nbut can't enumerate "
              "s%u:\n%s",
              i, val_ppr(ctx, lazy->op[i]));
}

static void init_product(struct set_iter *it, const struct vlazy *lazy)
{
    bool record = lazy->kind == VK_RECSET;
    struct odometer *state = odometer_new(it, lazy->n, record ? VK_RECORD : VK_TUPLE);
    state->keys = lazy->op;
    struct elems *wheels = ARENA_ARRAY(it->ctx->arena, struct elems, lazy->n + (size_t)1);
    state->wheels = wheels;
    for (uint32_t i = 0; i < lazy->n; i++) {
        struct val set = lazy->op[record ? lazy->n + i : i];
        if (!set_is_enumerable(set)) {
            fail_wheel(it->ctx, lazy, i);
        }
        wheels[i] = set_elems(it->ctx, set);
        if (wheels[i].n == 0) { /* TLC does not look at the others */
            state->done = true;
            return;
        }
    }
}

static void init_fcnset(struct set_iter *it, const struct vlazy *lazy)
{
    struct vctx *ctx = it->ctx;
    for (int i = 0; i < 2; i++) {
        if (!set_is_enumerable(lazy->op[i])) {
            vctx_fail(ctx, 0,
                      "Attempted to enumerate a set of the form [D -> R],but the %s:\n%s\ncannot "
                      "be enumerated.",
                      i ? "range R" : "domain D", val_ppr(ctx, lazy->op[i]));
        }
    }
    struct val domain = lazy->op[0];
    bool is_seq = val_is_kind(domain, VK_INTERVAL) && interval_lo(domain) == 1;
    const struct val *keys = NULL;
    uint64_t n = 0;
    if (is_seq) {
        n = interval_size(domain);
    } else {
        const struct vobj *obj = set_view(ctx, domain);
        n = obj->n;
        keys = obj->v;
        is_seq = n == 0 || (keys_are_contiguous(keys, n) && val_small_get(keys[0]) == 1);
    }
    if (n > set_limit(ctx)) {
        val_fail_set_too_big(ctx, set_limit(ctx));
    }
    bool strings = !is_seq && keys_are_strings(keys, n);
    struct odometer *state = odometer_new(it, (uint32_t)n,
                                          is_seq    ? VK_TUPLE
                                          : strings ? VK_RECORD
                                                    : VK_FCN);
    state->flags = strings ? VF_MAP : 0;
    state->keys = keys;
    state->wheel_stride = 0;
    struct elems *wheel = ARENA_NEW(ctx->arena, struct elems);
    *wheel = set_elems(ctx, lazy->op[1]);
    state->wheels = wheel;
    state->done = n > 0 && wheel->n == 0;
}

/* ---- selections: \cap, \, filters ---- */

struct selection {
    struct set_iter from;
    struct val other; /* \cap and \: the other operand */
};

static bool step_selection(struct set_iter *it, struct val *ret)
{
    struct selection *state = it->state;
    struct vlazy *lazy = val_lazy(it->set);
    struct val elem;
    while (set_iter_next(&state->from, &elem)) {
        vctx_poll(it->ctx);
        bool keep = lazy->kind == VK_FILTER
                        ? lazy->ops->member(it->ctx, lazy, elem)
                        : set_member(it->ctx, elem, state->other) == (lazy->kind == VK_CAP);
        if (keep) {
            *ret = elem;
            return true;
        }
    }
    return false;
}

static void init_selection(struct set_iter *it, const struct vlazy *lazy)
{
    struct vctx *ctx = it->ctx;
    struct val from = lazy->op[0];
    struct val other = lazy->kind == VK_FILTER ? VAL_UNDEF : lazy->op[1];
    if (lazy->kind == VK_CAP && !set_is_enumerable(from)) {
        from = lazy->op[1];
        other = lazy->op[0];
    }
    if (!set_is_enumerable(from)) {
        switch (lazy->kind) {
        case VK_CAP:
            vctx_fail(
                ctx, 0,
                "Attempted to enumerate S \\cap T when neither S:\n%s\nnor T:\n%s\nis enumerable",
                val_ppr(ctx, lazy->op[0]), val_ppr(ctx, lazy->op[1]));
        case VK_DIFF:
            vctx_fail(ctx, 0, "Attempted to enumerate S \\ T when S:\n%s\nis not enumerable.",
                      val_ppr(ctx, from));
        default:
            vctx_fail(ctx, 0,
                      "Attempted to enumerate { x \\in S : p(x) } when S:\n%s\nis not enumerable",
                      val_ppr(ctx, from));
        }
    }
    struct selection *state = ARENA_NEW(ctx->arena, struct selection);
    set_iter_init(&state->from, ctx, from);
    state->other = other;
    it->state = state;
    it->step = step_selection;
}

/* ---- one after the other: \cup, UNION ---- */

static bool step_chain(struct set_iter *it, struct val *ret)
{
    struct set_iter *parts = it->state;
    for (; it->at < it->count; it->at++) {
        if (set_iter_next(&parts[it->at], ret)) {
            return true;
        }
    }
    return false;
}

static void init_cup(struct set_iter *it, const struct vlazy *lazy)
{
    struct vctx *ctx = it->ctx;
    if (!set_is_enumerable(lazy->op[0]) || !set_is_enumerable(lazy->op[1])) {
        vctx_fail(
            ctx, 0,
            "Attempted to enumerate S \\cup T when S:\n%s\nand T:\n%s\nare not both enumerable",
            val_ppr(ctx, lazy->op[0]), val_ppr(ctx, lazy->op[1]));
    }
    struct set_iter *parts = ARENA_ARRAY(ctx->arena, struct set_iter, 2);
    set_iter_init(&parts[0], ctx, lazy->op[0]);
    set_iter_init(&parts[1], ctx, lazy->op[1]);
    it->state = parts;
    it->count = 2;
    it->step = step_chain;
}

static void init_union(struct set_iter *it, const struct vlazy *lazy)
{
    struct vctx *ctx = it->ctx;
    if (!set_is_enumerable(lazy->op[0])) {
        vctx_fail(ctx, 0, "Attempted to enumerate the nonenumerable set:\n%s",
                  val_ppr(ctx, it->set));
    }
    struct elems sets = set_elems(ctx, lazy->op[0]);
    struct set_iter *parts = ARENA_ARRAY(ctx->arena, struct set_iter, sets.n + 1);
    for (uint64_t i = 0; i < sets.n; i++) {
        struct val set = elems_at(&sets, i);
        if (!set_is_enumerable(set)) {
            if (i == 0) {
                vctx_fail(
                    ctx, 0,
                    "Attempted to enumerate UNION(s), but some element of s is nonenumerable.");
            }
            vctx_fail(
                ctx, 0,
                "Attempted to enumerate the nonenumerable set:\n%s\nwhen enumerating:\nUNION(%s)",
                val_ppr(ctx, set), val_ppr(ctx, lazy->op[0]));
        }
        set_iter_init(&parts[i], ctx, set);
    }
    it->state = parts;
    it->count = sets.n;
    it->step = step_chain;
}

/* ---- the interface ---- */

static bool operands_are_sorted(struct vctx *ctx, const struct vlazy *lazy)
{
    for (uint32_t i = 0; i < lazy->n; i++) {
        struct val part = lazy->op[lazy->kind == VK_RECSET ? lazy->n + i : i];
        if (!set_is_enumerable(part) || !set_plain_is_sorted(ctx, part)) {
            return false;
        }
    }
    return true;
}

bool set_plain_is_sorted(struct vctx *ctx, struct val set)
{
    stack_check(ctx);
    for (;;) {
        const struct vlazy *lazy = val_lazy(set);
        switch (val_obj(set)->kind) {
        case VK_SET:
        case VK_INTERVAL:
        case VK_SUBSET: return true;
        case VK_FCNSET: set = lazy->op[1]; break;
        case VK_CAP: set = lazy->op[!set_is_enumerable(lazy->op[0])]; break;
        case VK_DIFF:
        case VK_FILTER: set = lazy->op[0]; break;
        case VK_RECSET:
        case VK_PRODUCT: return operands_are_sorted(ctx, lazy);
        default: return false;
        }
        if (!set_is_enumerable(set)) {
            return false;
        }
    }
}

void set_iter_init(struct set_iter *it, struct vctx *ctx, struct val set)
{
    *it = (struct set_iter){.ctx = ctx, .set = set};
    if (!set_is_enumerable(set)) {
        val_fail_enumerate(ctx, set);
    }
    if (val_obj(set)->kind == VK_SET) {
        init_array(it, val_obj(set));
        return;
    }
    stack_check(ctx);
    const struct vlazy *lazy = val_lazy(set);
    if ((lazy->flags & VF_FORCED) && set_plain_is_sorted(ctx, set)) {
        init_array(it, val_obj(lazy->forced));
        return;
    }
    switch (lazy->kind) {
    case VK_INTERVAL: init_interval(it); break;
    case VK_SUBSET:
    case VK_KSUBSET: init_subset(it, lazy); break;
    case VK_FCNSET: init_fcnset(it, lazy); break;
    case VK_RECSET:
    case VK_PRODUCT: init_product(it, lazy); break;
    case VK_UNION: init_union(it, lazy); break;
    case VK_CUP: init_cup(it, lazy); break;
    default: init_selection(it, lazy); break;
    }
}

/* Counts what a lazy enumeration gives: TLC would have made a set of it first. */
struct limited {
    struct set_iter from;
    uint64_t limit;
};

static bool step_limited(struct set_iter *it, struct val *ret)
{
    struct limited *state = it->state;
    if (!set_iter_next(&state->from, ret)) {
        return false;
    }
    if (++it->at > state->limit) {
        val_fail_set_too_big(it->ctx, state->limit);
    }
    return true;
}

void set_iter_init_sorted(struct set_iter *it, struct vctx *ctx, struct val set)
{
    if (!set_is_enumerable(set)) {
        val_fail_enumerate(ctx, set);
    }
    uint8_t kind = val_obj(set)->kind;
    if (kind == VK_INTERVAL && interval_size(set) > INTERVAL_SORTED_MAX) {
        val_fail_set_too_big(ctx, INTERVAL_SORTED_MAX);
    }
    if (kind == VK_SET || kind == VK_INTERVAL || kind == VK_SUBSET || kind == VK_KSUBSET) {
        set_iter_init(it, ctx, set); /* TLC keeps its own order of subsets of one size */
        return;
    }
    if ((val_obj(set)->flags & VF_FORCED) || !set_plain_is_sorted(ctx, set)) {
        struct val forced = set_force(ctx, set);
        *it = (struct set_iter){.ctx = ctx, .set = forced};
        init_array(it, val_obj(forced));
        return;
    }
    struct limited *state = ARENA_NEW(ctx->arena, struct limited);
    set_iter_init(&state->from, ctx, set);
    state->limit = set_limit(ctx);
    *it = (struct set_iter){.ctx = ctx, .set = set, .state = state, .step = step_limited};
}

struct elems set_elems(struct vctx *ctx, struct val set)
{
    if (val_is_kind(set, VK_INTERVAL)) {
        return (struct elems){NULL, interval_lo(set), interval_size(set)};
    }
    if (val_is_kind(set, VK_SET) || (set_is_enumerable(set) && set_plain_is_sorted(ctx, set))) {
        const struct vobj *obj = set_view(ctx, set);
        return (struct elems){obj->v, 0, obj->n};
    }
    struct set_iter it;
    struct vals vals = {0};
    struct val elem;
    set_iter_init(&it, ctx, set);
    while (set_iter_next(&it, &elem)) {
        vctx_poll(ctx);
        val_push(ctx, &vals, elem);
    }
    return (struct elems){vals.v, 0, vals.n};
}

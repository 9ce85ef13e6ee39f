/* Laws that hold for all values, on random ones. A failure prints the seed's row; VALUE_SEED
 * repeats it. */
#include "unit/value_util.h"

static int cmp(struct world *w, struct val a, struct val b)
{
    int c = val_compare(&w->ctx, a, b);
    return (c > 0) - (c < 0);
}

TEST(total_order)
{
    struct world *w = world_new();
    struct rng rng;
    rng_seed(&rng, test_seed());
    for (int round = 0; round < 30000; round++) {
        unsigned shape = (unsigned)rng_below(&rng, 1000);
        struct val a = random_shaped(w, &rng, shape, 3);
        struct val b = random_shaped(w, &rng, shape, 3);
        struct val c = random_shaped(w, &rng, shape, 3);
        CHECK_EQ(cmp(w, a, a), 0);
        CHECK_EQ(cmp(w, a, b), -cmp(w, b, a));
        if (cmp(w, a, b) <= 0 && cmp(w, b, c) <= 0) {
            CHECK(cmp(w, a, c) <= 0);
        }
        CHECK_EQ(cmp(w, a, b) == 0, val_equal(&w->ctx, a, b));
        if (val_equal(&w->ctx, a, b)) {
            CHECK_EQ(val_hash(&w->ctx, a), val_hash(&w->ctx, b));
        } else {
            CHECK(val_hash(&w->ctx, a) != val_hash(&w->ctx, b));
        }
        arena_reset(&w->arena);
    }
    world_free(w);
}

TEST(forms_of_one_value)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct rng rng;
    rng_seed(&rng, test_seed() + 1);
    struct arena frozen_arena;
    arena_init(&frozen_arena, 0);
    struct strbuf bytes = {0};
    for (int round = 0; round < 20000; round++) {
        struct val v = random_shaped(w, &rng, (unsigned)rng_below(&rng, 1000), 3);
        struct val frozen = val_freeze(ctx, &frozen_arena, v);
        struct val settled = val_settle(ctx, v);
        struct val forced = val_force(ctx, v);
        CHECK(val_equal(ctx, frozen, forced) && val_equal(ctx, forced, frozen));
        CHECK(val_equal(ctx, settled, forced) && val_equal(ctx, v, forced));
        CHECK_EQ(val_hash(ctx, frozen), val_hash(ctx, forced));
        CHECK_EQ(val_hash(ctx, settled), val_hash(ctx, forced));
        CHECK(val_same(val_force(ctx, forced), forced));
        strbuf_reset(&bytes);
        val_encode(ctx, settled, &bytes);
        const uint8_t *at = (const uint8_t *)bytes.p;
        struct val back;
        CHECK(val_decode(ctx, &at, at + bytes.n, &back));
        CHECK_EQ(at - (const uint8_t *)bytes.p, bytes.n);
        CHECK(val_equal(ctx, back, v));
        CHECK_EQ(val_hash(ctx, back), val_hash(ctx, forced));
        CHECK_STR(TEXT(w, back), TEXT(w, settled));
        arena_reset(&w->arena);
        arena_reset(&frozen_arena);
    }
    strbuf_done(&bytes);
    arena_done(&frozen_arena);
    world_free(w);
}

/* Subsets of 0..31 as bit masks: the oracle. */
static struct val mask_set(struct world *w, uint32_t mask)
{
    struct val v[32];
    size_t n = 0;
    for (int i = 31; i >= 0; i--) { /* descending, so that there is something to sort */
        if (mask >> i & 1) {
            v[n++] = I(i);
        }
    }
    return set_make(&w->ctx, v, n);
}

static uint32_t set_mask(struct world *w, struct val set)
{
    uint32_t mask = 0;
    struct set_iter it;
    struct val elem;
    set_iter_init(&it, &w->ctx, set);
    while (set_iter_next(&it, &elem)) {
        mask |= 1u << val_small_get(elem);
    }
    return mask;
}

static struct val random_set(struct world *w, struct rng *rng, uint32_t *ret_mask)
{
    struct vctx *ctx = &w->ctx;
    uint32_t mask = (uint32_t)rng_next(rng) & (uint32_t)rng_next(rng);
    int64_t lo = (int64_t)rng_below(rng, 32);
    int64_t hi = lo + (int64_t)rng_below(rng, (uint64_t)(32 - lo));
    uint32_t range = (uint32_t)(((UINT64_C(2) << hi) - 1) & ~((UINT64_C(1) << lo) - 1));
    switch (rng_below(rng, 4)) {
    case 0: *ret_mask = range; return RANGE(w, lo, hi);
    case 1: { /* a lazy union: one part is an interval */
        struct val parts[2] = {mask_set(w, mask), RANGE(w, lo, hi)};
        *ret_mask = mask | range;
        return set_union_lazy(ctx, set_make(ctx, parts, 2));
    }
    default: *ret_mask = mask; return mask_set(w, mask);
    }
}

TEST(algebra_against_bit_masks)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct rng rng;
    rng_seed(&rng, test_seed() + 2);
    for (int round = 0; round < 20000; round++) {
        uint32_t x;
        uint32_t y;
        struct val a = random_set(w, &rng, &x);
        struct val b = random_set(w, &rng, &y);
        CHECK_EQ(set_mask(w, a), x);
        CHECK_EQ(set_mask(w, set_cup(ctx, a, b)), x | y);
        CHECK_EQ(set_mask(w, set_cap(ctx, a, b)), x & y);
        CHECK_EQ(set_mask(w, set_diff(ctx, a, b)), x & ~y);
        CHECK_EQ(set_subseteq(ctx, a, b), (x & ~y) == 0);
        CHECK_EQ(val_equal(ctx, a, b), x == y);
        CHECK_EQ(val_small_get(set_card(ctx, a)), __builtin_popcount(x));
        CHECK_EQ(set_is_empty(ctx, a), x == 0);
        int64_t elem = (int64_t)rng_below(&rng, 32);
        CHECK_EQ(set_member(ctx, I(elem), a), x >> elem & 1);
        CHECK(val_equal(ctx, set_cup(ctx, a, b), set_cup(ctx, b, a)));
        arena_reset(&w->arena);
    }
    world_free(w);
}

/* Every element of a lazy set is a member, forcing gives the same elements in order, and the count
 * is right. */
TEST(lazy_against_forced)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct rng rng;
    rng_seed(&rng, test_seed() + 3);
    for (int round = 0; round < 3000; round++) {
        struct val base = random_shaped(w, &rng, (unsigned)(rng_below(&rng, 4) + 8), 2);
        struct val sets[2] = {base, RANGE(w, 1, (int64_t)rng_below(&rng, 3))};
        struct val names[2] = {STRV(w, "x"), STRV(w, "f")};
        struct val lazy[] = {
            base,
            set_product(ctx, sets, 2),
            set_recset(ctx, names, sets, 2),
            set_fcnset(ctx, sets[1], base),
            set_ksubset(ctx, sets[1], I((int64_t)rng_below(&rng, 3))),
            set_cup(ctx, set_product(ctx, sets, 2), set_product(ctx, sets, 1)),
            set_cap(ctx, set_fcnset(ctx, sets[1], base), set_fcnset(ctx, sets[1], base))};
        for (size_t i = 0; i < sizeof lazy / sizeof lazy[0]; i++) {
            struct val forced = set_force(ctx, lazy[i]);
            struct vobj *obj = val_obj(forced);
            CHECK_EQ(obj->kind, VK_SET);
            CHECK_EQ(val_small_get(set_card(ctx, lazy[i])), obj->n);
            for (uint32_t k = 1; k < obj->n; k++) {
                CHECK_EQ(cmp(w, obj->v[k - 1], obj->v[k]), -1);
            }
            size_t n = 0;
            struct set_iter it;
            struct val elem;
            set_iter_init_sorted(&it, ctx, lazy[i]);
            while (set_iter_next(&it, &elem)) {
                CHECK(set_member(ctx, elem, lazy[i]));
                CHECK(set_member(ctx, elem, forced));
                n++;
            }
            CHECK_EQ(n, obj->n);
            CHECK_EQ(set_subseteq(ctx, lazy[i], forced), 1);
        }
        arena_reset(&w->arena);
    }
    world_free(w);
}

TEST(functions_against_pairs)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct rng rng;
    rng_seed(&rng, test_seed() + 4);
    for (int round = 0; round < 20000; round++) {
        struct val keys[20];
        struct val values[20];
        size_t n = rng_below(&rng, 20);
        unsigned shape = (unsigned)rng_below(&rng, 60);
        for (size_t i = 0; i < n; i++) {
            keys[i] = random_shaped(w, &rng, shape, 2);
            values[i] = I((int64_t)i);
        }
        struct val fcn = fcn_make(ctx, keys, values, n);
        struct val domain = fcn_domain(ctx, fcn);
        CHECK(val_equal(ctx, domain, set_make(ctx, keys, n)));
        CHECK_EQ(fcn_size(ctx, fcn), val_small_get(set_card(ctx, domain)));
        for (size_t i = 0; i < n; i++) {
            size_t first = 0; /* the first of equal keys counts */
            while (!val_equal(ctx, keys[first], keys[i])) {
                first++;
            }
            CHECK_EQ(val_small_get(fcn_apply(ctx, fcn, keys[i])), first);
            struct val updated = fcn_update(ctx, fcn, keys[i], I(99));
            CHECK_EQ(val_small_get(fcn_apply(ctx, updated, keys[i])), 99);
            CHECK(val_equal(ctx, fcn_domain(ctx, updated), domain));
            CHECK(val_equal(ctx, fcn_update(ctx, updated, keys[i], values[first]), fcn));
        }
        arena_reset(&w->arena);
    }
    world_free(w);
}

TEST(hash_of_a_permuted_value)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct rng rng;
    rng_seed(&rng, test_seed() + 5);
    struct val from[] = {MODEL(w, "m1"), MODEL(w, "m2")};
    struct val to[] = {from[1], from[0]};
    struct val_perm perm = {from, to, 2};
    for (int round = 0; round < 20000; round++) {
        struct val v = random_shaped(w, &rng, (unsigned)rng_below(&rng, 1000), 3);
        struct val keys[] = {from[0], from[1]};
        struct val values[] = {v, from[rng_below(&rng, 2)]};
        struct val fcn = fcn_make(ctx, keys, values, 1 + rng_below(&rng, 2));
        CHECK_EQ(val_hash_permuted(ctx, v, &perm), val_hash(ctx, val_permute(ctx, v, &perm)));
        CHECK_EQ(val_hash_permuted(ctx, fcn, &perm), val_hash(ctx, val_permute(ctx, fcn, &perm)));
        arena_reset(&w->arena);
    }
    world_free(w);
}

TEST(permutations)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val a = MODEL(w, "a1");
    struct val b = MODEL(w, "a2");
    struct val c = MODEL(w, "a3");
    struct val from[] = {a, b, c};
    struct val to[] = {b, c, a};
    struct val_perm perm = {from, to, 3};
    struct val_perm back = {to, from, 3};
    struct val keys[] = {a, b, c};
    struct val values[] = {SET(w, a), TUPLE(w, b, I(1)), c};
    struct val v =
        TUPLE(w, fcn_make(ctx, keys, values, 3), SET(w, a, c), RANGE(w, 1, 3), STRV(w, "a1"));
    struct val moved = val_permute(ctx, v, &perm);
    CHECK_STR(TEXT(w, moved),
              "<<(a1 :> a1 @@ a2 :> {a2} @@ a3 :> <<a3, 1>>), {a1, a2}, 1..3, \"a1\">>");
    CHECK(!val_equal(ctx, moved, v));
    CHECK(val_equal(ctx, val_permute(ctx, moved, &back), v));
    struct val fixed = TUPLE(w, I(1), SET(w, a, b, c));
    CHECK(val_equal(ctx, val_permute(ctx, fixed, &perm), fixed));
    struct val plain = TUPLE(w, I(1), STRV(w, "x"));
    CHECK(val_same(val_permute(ctx, plain, &perm), plain));
    world_free(w);
}

/* Ropes against tuples: the same elements, hash, order and text after the same random changes. */
#include "base/hash.h"
#include "unit/value_util.h"

static struct val elem(struct world *w, uint64_t x)
{
    struct val names[] = {STRV(w, "op"), STRV(w, "term")};
    struct val values[] = {STRV(w, x % 3 == 0 ? "get" : "put"), I((int64_t)(x % 7))};
    return record_make(&w->ctx, names, values, 2);
}

static struct val tuple_of(struct world *w, size_t n, uint64_t seed)
{
    struct val *v;
    struct val ret = tuple_new(&w->ctx, n, &v);
    for (size_t i = 0; i < n; i++) {
        v[i] = elem(w, hash_mix(seed + i) % 1000);
    }
    return ret;
}

static void check_same(struct world *w, struct val rope, struct val tuple)
{
    struct vctx *ctx = &w->ctx;
    const struct vobj *t = val_obj(tuple);
    CHECK(val_is_rope(rope));
    CHECK_EQ(rope_len(rope), t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        CHECK(val_equal(ctx, rope_get(rope, i), t->v[i]));
    }
    CHECK(val_equal(ctx, fcn_apply(ctx, rope, I(t->n)), t->v[t->n - 1]));
    CHECK_EQ(val_hash(ctx, rope), val_hash(ctx, tuple));
    CHECK(val_equal(ctx, rope, tuple) && val_equal(ctx, tuple, rope));
    CHECK_EQ(val_compare(ctx, rope, tuple), 0);
    CHECK(val_equal(ctx, fcn_domain(ctx, rope), fcn_domain(ctx, tuple)));
    CHECK_EQ(seq_of(ctx, rope)->n, t->n);
    CHECK(val_same(val_settle(ctx, rope), rope));
    CHECK_EQ(val_obj(val_force(ctx, rope))->kind, VK_TUPLE);
}

TEST(rope_is_the_tuple)
{
    static const size_t sizes[] = {128, 129, 160, 1023, 1024, 1025, 1056, 5000, 33000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct world *w = world_new();
        struct val tuple = tuple_of(w, sizes[k], k);
        struct val rope = rope_of(&w->ctx, tuple);
        check_same(w, rope, tuple);
        CHECK_STR(TEXT(w, rope), TEXT(w, tuple));
        CHECK(!val_equal(&w->ctx, rope, tuple_of(w, sizes[k], k + 1)));
        CHECK(!val_equal(&w->ctx, rope, tuple_of(w, sizes[k] + 1, k)));
        CHECK(!val_equal(&w->ctx, tuple_of(w, sizes[k] - 1, k), rope));
        struct val bad;
        CHECK(!fcn_try(&w->ctx, rope, I(0), &bad));
        CHECK(!fcn_try(&w->ctx, rope, I((int64_t)sizes[k] + 1), &bad));
        world_free(w);
    }
}

/* The tree of a sequence is the same in whatever way it was made: pools find it again by that. */
static bool same_tree(struct vctx *ctx, struct val a, struct val b)
{
    return val_equal(ctx, *rope_root(val_obj(a)), *rope_root(val_obj(b)));
}

TEST(rope_random)
{
    uint64_t random = 1;
    for (int run = 0; run < 30; run++) {
        struct world *w = world_new();
        struct vctx *ctx = &w->ctx;
        size_t n = ROPE_LEAST + (random = hash_mix(random + 1)) % 2500;
        struct val tuple = tuple_of(w, n, random), rope = rope_of(ctx, tuple);
        for (int change = 0; change < 40; change++) {
            random = hash_mix(random + 1);
            const struct vobj *t = val_obj(tuple);
            size_t at = random >> 8 & 0xffff;
            if (random % 3 != 0) {
                struct val more = elem(w, at);
                struct val *v, longer = tuple_new(ctx, t->n + (size_t)1, &v);
                memcpy(v, t->v, t->n * sizeof *v);
                v[t->n] = more;
                tuple = longer;
                rope = rope_append(ctx, rope, more);
            } else {
                size_t keep = 1 + at % t->n;
                struct val less = rope_cut(ctx, rope, keep), want = tuple_make(ctx, t->v, keep);
                if (keep < ROPE_LEAST) {
                    CHECK_EQ(val_obj(less)->kind, VK_TUPLE);
                    CHECK(val_equal(ctx, less, want));
                    continue;
                }
                tuple = want;
                rope = less;
            }
            t = val_obj(tuple);
            size_t from = at % t->n, some = (random >> 32) % (t->n - from + 1);
            CHECK(val_equal(ctx, rope_slice(ctx, rope, from, some),
                            tuple_make(ctx, t->v + from, some)));
        }
        check_same(w, rope, tuple);
        CHECK(same_tree(ctx, rope, rope_of(ctx, tuple)));
        world_free(w);
    }
}

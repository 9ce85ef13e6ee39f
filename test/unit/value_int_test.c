/* Integers against GMP's own big integers, with many values around the borders of the small form
 * and of limbs. */
#include <gmp.h>

#include "unit/value_util.h"

static void to_mpz(struct world *w, struct val v, mpz_t out)
{
    CHECK_EQ(mpz_set_str(out, TEXT(w, v), 10), 0);
}

static void same(struct world *w, struct val got, const mpz_t want, const char *what)
{
    char *text = mpz_get_str(NULL, 10, want);
    if (strcmp(TEXT(w, got), text) != 0) {
        fprintf(stderr, "%s\n", what);
    }
    CHECK_STR(TEXT(w, got), text);
    /* The canonical form: small when it fits. */
    bool fits = mpz_cmp_si(want, SMALL_MIN) >= 0 && mpz_cmp_si(want, SMALL_MAX) <= 0;
    CHECK_EQ(val_is_small(got), fits);
    free(text);
}

static struct val random_int(struct world *w, struct rng *rng)
{
    char text[120];
    size_t n = 0;
    switch (rng_below(rng, 4)) {
    case 0: return I((int64_t)rng_below(rng, 7) - 3);
    case 1: /* near a power of two */ {
        struct val power = int_pow(&w->ctx, I(2), I((int64_t)rng_below(rng, 200)));
        struct val sum = int_add(&w->ctx, power, I((int64_t)rng_below(rng, 5) - 2));
        return rng_below(rng, 2) ? sum : int_neg(&w->ctx, sum);
    }
    case 2: return val_int(&w->ctx, (int64_t)rng_next(rng));
    default: break;
    }
    if (rng_below(rng, 2)) {
        text[n++] = '-';
    }
    size_t digits = 1 + rng_below(rng, 90);
    for (size_t i = 0; i < digits; i++) {
        text[n++] = (char)('0' + rng_below(rng, 10));
    }
    struct val v;
    CHECK(int_parse(&w->ctx, (struct str){text, n}, 10, &v));
    return v;
}

TEST(arithmetic_against_gmp)
{
    struct world *w = world_new();
    struct rng rng;
    rng_seed(&rng, test_seed());
    mpz_t x, y, z;
    mpz_inits(x, y, z, NULL);
    for (int round = 0; round < 20000; round++) {
        struct val a = random_int(w, &rng);
        struct val b = random_int(w, &rng);
        to_mpz(w, a, x);
        to_mpz(w, b, y);
        mpz_add(z, x, y);
        same(w, int_add(&w->ctx, a, b), z, "+");
        mpz_sub(z, x, y);
        same(w, int_sub(&w->ctx, a, b), z, "-");
        mpz_mul(z, x, y);
        same(w, int_mul(&w->ctx, a, b), z, "*");
        mpz_neg(z, x);
        same(w, int_neg(&w->ctx, a), z, "-.");
        int cmp = mpz_cmp(x, y);
        CHECK_EQ(int_cmp(a, b), (cmp > 0) - (cmp < 0));
        CHECK_EQ(int_sign(a), mpz_sgn(x));
        if (mpz_sgn(y) != 0) {
            mpz_fdiv_q(z, x, y);
            same(w, int_div(&w->ctx, a, b), z, "\\div");
        }
        if (mpz_sgn(y) > 0) {
            mpz_fdiv_r(z, x, y);
            same(w, int_mod(&w->ctx, a, b), z, "%");
        }
        int64_t i;
        CHECK_EQ(int_to_i64(a, &i), mpz_fits_slong_p(x));
        arena_reset(&w->arena);
    }
    mpz_clears(x, y, z, NULL);
    world_free(w);
}

TEST(power_and_parse)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    CHECK_STR(TEXT(w, int_pow(ctx, I(2), I(100))), "1267650600228229401496703205376");
    CHECK_STR(TEXT(w, int_pow(ctx, I(-3), I(41))), "-36472996377170786403");
    CHECK_STR(TEXT(w, int_pow(ctx, I(-1), int_pow(ctx, I(10), I(30)))), "1");
    CHECK_STR(TEXT(w, int_pow(ctx, I(0), I(5))), "0");
    CHECK_STR(TEXT(w, int_pow(ctx, I(7), I(0))), "1");
    FAILS(w, int_pow(ctx, I(2), I(1000000000)));
    CHECK_STR(w->error, "Overflow when computing 2^1000000000");
    struct val v;
    CHECK(int_parse(ctx, STR("ff"), 16, &v));
    CHECK_EQ(val_small_get(v), 255);
    CHECK(int_parse(ctx, STR("1010"), 2, &v));
    CHECK_EQ(val_small_get(v), 10);
    CHECK(int_parse(ctx, STR("000"), 10, &v));
    CHECK_EQ(val_small_get(v), 0);
    CHECK(int_parse(ctx, STR("-0"), 10, &v));
    CHECK_EQ(val_small_get(v), 0);
    CHECK(!int_parse(ctx, STR(""), 10, &v));
    CHECK(!int_parse(ctx, STR("-"), 10, &v));
    CHECK(!int_parse(ctx, STR("12a"), 10, &v));
    CHECK(!int_parse(ctx, STR("8"), 8, &v));
    CHECK(val_is_small(val_int(ctx, SMALL_MAX)));
    CHECK(!val_is_small(val_int(ctx, SMALL_MAX + 1)));
    CHECK(val_is_small(val_int(ctx, SMALL_MIN)));
    CHECK(!val_is_small(val_int(ctx, SMALL_MIN - 1)));
    CHECK_STR(TEXT(w, val_int(ctx, INT64_MIN)), "-9223372036854775808");
    CHECK_EQ(val_hash(ctx, val_int(ctx, INT64_MAX)),
             val_hash(ctx, int_sub(ctx, int_pow(ctx, I(2), I(63)), I(1))));
    world_free(w);
}

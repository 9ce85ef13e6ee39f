/* Functions: forms, large ones, EXCEPT, and what is outside the domain. */
#include "unit/value_util.h"

TEST(canonical_forms)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val a = STRV(w, "a");
    struct val b = STRV(w, "b");
    struct val values[] = {I(10), I(20), I(30)};
    struct val ints[] = {I(2), I(1), I(3)};
    struct val shifted[] = {I(2), I(1), I(0)};
    struct val strings[] = {b, a};
    struct val twice[] = {I(1), I(1), I(2)};
    struct val tuple = fcn_make(ctx, ints, values, 3);
    CHECK_EQ(val_obj(tuple)->kind, VK_TUPLE);
    CHECK_STR(TEXT(w, tuple), "<<20, 10, 30>>");
    CHECK_STR(TEXT(w, fcn_make(ctx, shifted, values, 3)), "(0 :> 30 @@ 1 :> 20 @@ 2 :> 10)");
    CHECK_STR(TEXT(w, fcn_make(ctx, strings, values, 2)), "[a |-> 20, b |-> 10]");
    CHECK_STR(TEXT(w, fcn_make(ctx, twice, values, 3)), "<<10, 30>>");
    CHECK(val_same(fcn_make(ctx, ints, values, 0), tuple_empty()));
    CHECK(val_same(record_make(ctx, strings, values, 0), tuple_empty()));
    CHECK(val_equal(ctx, fcn_make(ctx, strings, values, 2), record_make(ctx, strings, values, 2)));
    CHECK_EQ(val_hash(ctx, fcn_make(ctx, strings, values, 2)),
             val_hash(ctx, record_make(ctx, strings, values, 2)));
    struct val same_name[] = {a, b, a};
    FAILS(w, record_make(ctx, same_name, values, 3));
    CHECK_STR(w->error, "Field name a occurs multiple times in record.");
    FAILS(w, set_recset(ctx, same_name, values, 3));
    CHECK_STR(w->error, "Field name a occurs multiple times in set of records.");
    world_free(w);
}

TEST(large_records)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val names[40];
    struct val values[40];
    struct val ret;
    for (int i = 39; i >= 0; i--) {
        char text[16];
        snprintf(text, sizeof text, "field%d", i);
        names[i] = STRV(w, text);
        values[i] = I(i);
    }
    struct val record = record_make(ctx, names, values, 40);
    CHECK_EQ(fcn_size(ctx, record), 40);
    for (int i = 0; i < 40; i++) {
        CHECK(record_get(ctx, record, val_str_id(names[i]), &ret));
        CHECK_EQ(val_small_get(ret), i);
        CHECK_EQ(val_small_get(fcn_apply(ctx, record, names[i])), i);
        CHECK(val_same(fcn_value(ctx, record, (size_t)(39 - i)), I(i)));
        CHECK(val_same(fcn_key(ctx, record, (size_t)(39 - i)), names[i]));
    }
    CHECK(!record_get(ctx, record, val_str_id(STRV(w, "none")), &ret));
    CHECK(!record_get(ctx, TUPLE(w, I(1)), val_str_id(names[0]), &ret));
    CHECK(!fcn_try(ctx, record, STRV(w, "none"), &ret));
    world_free(w);
}

/* Sets and functions large enough to be merge-sorted, with and without duplicates. */
TEST(large_unsorted_input)
{
    enum { N = 5000 };
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct rng rng;
    rng_seed(&rng, test_seed());
    struct val *keys = ARENA_ARRAY(&w->arena, struct val, N);
    struct val *values = ARENA_ARRAY(&w->arena, struct val, N);
    for (int i = 0; i < N; i++) {
        keys[i] = TUPLE(w, I((int64_t)rng_below(&rng, 60)), I((int64_t)rng_below(&rng, 60)));
        values[i] = I(i);
    }
    struct val set = set_make(ctx, keys, N);
    struct val fcn = fcn_make(ctx, keys, values, N);
    CHECK(val_equal(ctx, fcn_domain(ctx, fcn), set));
    for (int i = 0; i < N; i++) {
        int64_t first = val_small_get(fcn_apply(ctx, fcn, keys[i]));
        CHECK(first <= i && val_equal(ctx, keys[first], keys[i]));
        CHECK(set_member(ctx, keys[i], set));
    }
    for (uint32_t i = 1; i < val_obj(set)->n; i++) {
        CHECK(val_compare(ctx, val_obj(set)->v[i - 1], val_obj(set)->v[i]) < 0);
    }
    world_free(w);
}

TEST(outside_the_domain)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val tuple = TUPLE(w, I(5), I(6));
    struct val names[] = {STRV(w, "a")};
    struct val ints[] = {I(7), I(8)};
    struct val models[] = {MODEL(w, "m1"), MODEL(w, "m2")};
    struct val values[] = {I(1), I(2)};
    struct val record = record_make(ctx, names, values, 1);
    struct val map = fcn_make(ctx, names, values, 1);
    struct val on_ints = fcn_make(ctx, ints, values, 2);
    struct val on_models = fcn_make(ctx, models, values, 2);
    struct val ret;
    CHECK(!fcn_try(ctx, tuple, I(3), &ret) &&
          !fcn_try(ctx, tuple, int_pow(ctx, I(2), I(70)), &ret));
    CHECK(!fcn_try(ctx, on_ints, I(6), &ret) && !fcn_try(ctx, on_models, I(1), &ret));
    CHECK(!fcn_try(ctx, map, MODEL(w, "m1"), &ret) && !fcn_try(ctx, tuple_empty(), names[0], &ret));
    FAILS(w, fcn_apply(ctx, tuple, I(3)));
    CHECK_STR(w->error, "Attempted to access index 3 of tuple\n<<5, 6>>\nwhich is out of bounds.");
    FAILS(w, fcn_apply(ctx, tuple, names[0]));
    CHECK_STR(w->error, "Attempted to access tuple at a non integral index: \"a\"");
    FAILS(w, fcn_apply(ctx, record, STRV(w, "zz")));
    CHECK_STR(w->error, "Attempted to access nonexistent field 'zz' of record\n[a |-> 1]");
    FAILS(w, fcn_apply(ctx, record, I(1)));
    CHECK_STR(w->error, "Attempted to access record by a non-string argument: 1");
    FAILS(w, fcn_apply(ctx, map, STRV(w, "zz")));
    CHECK_STR(w->error,
              "Attempted to apply function:\n[a |-> 1]\nto argument \"zz\", which is not in the "
              "domain of the function.");
    FAILS(w, fcn_apply(ctx, on_ints, names[0]));
    CHECK_STR(w->error,
              "Attempted to apply function with integer domain to the non-integer argument \"a\"");
    FAILS(w, fcn_apply(ctx, on_models, MODEL(w, "m3")));
    FAILS(w, fcn_apply(ctx, I(3), I(1)));
    CHECK_STR(w->error, "A non-function (an integer) was applied as a function.");
    CHECK(val_same(fcn_update(ctx, tuple, I(3), I(0)), tuple));
    CHECK(val_same(fcn_update(ctx, record, STRV(w, "zz"), I(0)), record));
    CHECK(val_same(fcn_update(ctx, on_ints, I(1), I(0)), on_ints));
    CHECK_STR(TEXT(w, fcn_update(ctx, record, names[0], I(9))), "[a |-> 9]");
    CHECK_STR(TEXT(w, fcn_update(ctx, on_models, models[1], tuple)), "(m1 :> 1 @@ m2 :> <<5, 6>>)");
    CHECK_STR(TEXT(w, record), "[a |-> 1]"); /* the old one is untouched */
    world_free(w);
}

/* Records and functions on strings are equal, but compared with other functions they behave as
 * TLC's. */
TEST(records_and_maps)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val names[] = {STRV(w, "a")};
    struct val values[] = {I(1)};
    struct val record = record_make(ctx, names, values, 1);
    struct val map = fcn_make(ctx, names, values, 1);
    struct val pair = TUPLE(w, I(1), I(2));
    FAILS(w, val_equal(ctx, record, pair));
    CHECK_STR(w->error,
              "Attempted to check equality of record:\n[a |-> 1]\nwith non-record\n<<1, 2>>");
    CHECK(!val_equal(ctx, map, pair) && !val_equal(ctx, pair, record));
    CHECK(val_compare(ctx, map, pair) < 0);
    FAILS(w, val_compare(ctx, record, pair));
    FAILS(w, val_equal(ctx, TUPLE(w, I(1)), record));
    CHECK_STR(w->error, "Attempted to compare an integer with non-integer:\n\"a\".");
    CHECK(!val_equal(ctx, record, tuple_empty()) && !val_equal(ctx, tuple_empty(), record));
    FAILS(w, val_equal(ctx, record, I(1)));
    FAILS(w, val_equal(ctx, map, I(1)));
    CHECK_STR(w->error, "Attempted to check equality of the function [a |-> 1] with the value:\n1");
    CHECK_STR(val_kind_text(record), "a record");
    CHECK_STR(val_kind_text(map), "a function  of the form (d1 :> e1 @@ ... @@ dN :> eN)");
    FAILS(w, set_member(ctx, I(1), record));
    CHECK_STR(w->error, "Attempted to check if element:\n1\nis in the record:\n[a |-> 1]");
    FAILS(w, set_member(ctx, I(1), map));
    CHECK_STR(w->error,
              "Attempted to check if the value:\n1\nis an element of the function [a |-> 1]");
    world_free(w);
}

/* Of a function that is known in part, what is known can be had, and its domain. */
TEST(known_in_part)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val keys[] = {I(4), I(7)}, vals[] = {I(40), I(70)};
    struct val part = fcn_partly(ctx, fcn_make(ctx, keys, vals, 2), SET(w, I(7)), 77);
    CHECK(val_equal(ctx, fcn_apply(ctx, part, I(7)), I(70)));
    CHECK(val_equal(ctx, fcn_domain(ctx, part), SET(w, I(4), I(7))));
    FAILS(w, fcn_apply(ctx, part, I(4)));
    CHECK_STR(w->error, "The value at 4 is not known.");
    FAILS(w, fcn_force(ctx, part));
    CHECK_STR(w->error, "The value at 4 is not known.");
    struct val none;
    CHECK(!fcn_try(ctx, part, I(5), &none));
    world_free(w);
}

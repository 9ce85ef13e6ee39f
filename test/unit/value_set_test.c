/* Sets: limits, closures, and what cannot be enumerated. TLC's answers to the ordinary cases are in
 * value_tlc_test.c. */
#include "unit/value_util.h"

/* ---- closures as eval would make them ---- */

/* Operands after the base: the modulus, and the number of calls. */
enum { BASE, MODULUS, CALLS, OPERANDS };

static bool divides(struct vctx *ctx, struct vlazy *self, struct val elem)
{
    self->op[CALLS] = int_add(ctx, self->op[CALLS], I(1));
    return val_small_get(int_mod(ctx, elem, self->op[MODULUS])) == 0;
}

static struct val square(struct vctx *ctx, struct vlazy *self, struct val arg)
{
    (void)self;
    return int_mul(ctx, arg, arg);
}

static const struct lazy_ops filter_ops = {.member = divides};
static const struct lazy_ops square_ops = {.apply = square};

static struct val closure(struct world *w, enum vkind kind, struct val base, int64_t modulus)
{
    struct vlazy *lazy = arena_zalloc(&w->arena, sizeof *lazy + OPERANDS * sizeof lazy->op[0]);
    lazy->kind = (uint8_t)kind;
    lazy->n = 1;
    lazy->ops = kind == VK_FILTER ? &filter_ops : &square_ops;
    lazy->forced = VAL_UNDEF;
    lazy->op[BASE] = base;
    lazy->op[MODULUS] = I(modulus);
    lazy->op[CALLS] = I(0);
    return val_of_obj((struct vobj *)lazy);
}

static int64_t calls_of(struct val closure_val)
{
    return val_small_get(vobj_lazy(val_obj(closure_val))->op[CALLS]);
}

TEST(filters)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val even = closure(w, VK_FILTER, VAL_NAT, 2);
    CHECK(set_member(ctx, I(4), even));
    CHECK(!set_member(ctx, I(5), even));
    CHECK(!set_member(ctx, I(-4), even));
    FAILS(w, set_force(ctx, even));
    CHECK_STR(w->error,
              "Attempted to enumerate { x \\in S : p(x) } when S:\nNat\nis not enumerable");
    CHECK_STR(TEXT(w, even), "{x \\in Nat : <expression> }");
    FAILS(w, set_is_finite(ctx, even));

    struct val threes = closure(w, VK_FILTER, RANGE(w, 1, 10), 3);
    CHECK_STR(TEXT(w, threes), "{3, 6, 9}");
    CHECK(val_equal(ctx, threes, SET(w, I(9), I(6), I(3))));
    CHECK_EQ(val_small_get(set_card(ctx, threes)), 3);
    CHECK_EQ(val_hash(ctx, threes), val_hash(ctx, SET(w, I(3), I(6), I(9))));
    CHECK(set_member(ctx, I(6), threes));
    CHECK_EQ(calls_of(threes), 10); /* forced once, then kept */

    ctx->no_cache = true;
    struct val fives = closure(w, VK_FILTER, RANGE(w, 1, 10), 5);
    CHECK_EQ(set_force(ctx, fives).w != 0, 1);
    CHECK_EQ(val_obj(fives)->flags & VF_FORCED, 0);
    world_free(w);
}

TEST(lambdas)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val on_nat = closure(w, VK_LAMBDA, VAL_NAT, 0);
    CHECK_EQ(val_small_get(fcn_apply(ctx, on_nat, I(12))), 144);
    CHECK(val_same(fcn_domain(ctx, on_nat), VAL_NAT));
    FAILS(w, fcn_apply(ctx, on_nat, I(-1)));
    CHECK_STR(w->error, "In applying the function\n[x \\in Nat |-> <expression>],\nthe first "
                        "argument is:\n-1\nwhich is "
                        "not in its domain.\n");
    FAILS(w, fcn_force(ctx, on_nat));
    CHECK_STR(w->error, "Attempted to compute the number of elements in the overridden value Nat.");
    CHECK(seq_of(ctx, I(3)) == NULL);
    FAILS(w, seq_of(ctx, on_nat) != NULL);

    struct val squares = closure(w, VK_LAMBDA, RANGE(w, 1, 4), 0);
    CHECK(val_equal(ctx, squares, TUPLE(w, I(1), I(4), I(9), I(16))));
    CHECK_EQ(seq_of(ctx, squares)->n, 4);
    CHECK(set_member(ctx, squares, set_seqset(ctx, VAL_NAT)));
    struct val shifted = closure(w, VK_LAMBDA, RANGE(w, -1, 1), 0);
    CHECK_STR(TEXT(w, shifted), "(-1 :> 1 @@ 0 :> 0 @@ 1 :> 1)");
    CHECK(seq_of(ctx, shifted) == NULL);
    CHECK_STR(TEXT(w, fcn_update(ctx, shifted, I(0), I(7))), "(-1 :> 1 @@ 0 :> 7 @@ 1 :> 1)");
    world_free(w);
}

TEST(frozen_lazy_values)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct arena arena;
    arena_init(&arena, 0);
    struct val names[] = {STRV(w, "f"), STRV(w, "g")};
    struct val sets[] = {VAL_NAT, set_subset(ctx, RANGE(w, 1, 3))};
    struct val infinite = val_freeze(ctx, &arena, TUPLE(w, set_recset(ctx, names, sets, 2), I(1)));
    struct val closed = val_freeze(ctx, &arena, closure(w, VK_FILTER, RANGE(w, 1, 9), 4));
    struct val big = val_freeze(ctx, &arena, set_subset(ctx, RANGE(w, 1, 40)));
    arena_reset(&w->arena); /* nothing frozen may point there */
    CHECK_STR(TEXT(w, infinite),
              "<<[f: Nat, g: {{}, {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}}], 1>>");
    CHECK_STR(TEXT(w, closed), "{4, 8}");
    CHECK(set_member(ctx, SET(w, I(40), I(1)), big));
    CHECK_STR(TEXT(w, set_card(ctx, big)), "1099511627776");
    struct val rec = val_obj(infinite)->v[0];
    struct val fields[] = {I(5), SET(w, I(2))};
    CHECK(set_member(ctx, record_make(ctx, names, fields, 2), rec));
    CHECK(val_obj(rec)->flags & VF_FROZEN);
    CHECK(!(val_obj(rec)->flags & VF_FORCED));
    arena_done(&arena);
    world_free(w);
}

TEST(sets_of_numbers_and_sequences)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val seq = set_seqset(ctx, VAL_NAT);
    CHECK(val_is_set(seq) && val_is_set(VAL_REAL) && !val_is_set(VAL_UNDEF) && !val_is_set(I(1)));
    CHECK(set_member(ctx, int_pow(ctx, I(3), I(99)), VAL_NAT));
    CHECK(!set_member(ctx, int_pow(ctx, I(-3), I(99)), VAL_NAT));
    CHECK(set_member(ctx, I(-1), VAL_REAL) && set_member(ctx, seq, VAL_ANYSET));
    CHECK(!set_member(ctx, int_pow(ctx, I(3), I(99)), RANGE(w, 1, 5)));
    FAILS(w, set_member(ctx, VAL_TRUE, VAL_REAL));
    CHECK_STR(w->error, "Attempted to check if the value:\nTRUE\nis an element of Real.");
    CHECK_EQ(w->code, 2158);
    CHECK(val_compare(ctx, VAL_NAT, VAL_INT) < 0 && val_compare(ctx, VAL_INT, VAL_NAT) > 0);
    CHECK(val_equal(ctx, seq, set_seqset(ctx, VAL_NAT)));
    CHECK_EQ(val_hash(ctx, seq), val_hash(ctx, set_seqset(ctx, VAL_NAT)));
    CHECK(!val_equal(ctx, seq, set_seqset(ctx, VAL_INT)) &&
          !val_equal(ctx, VAL_NAT, MODEL(w, "m")));
    CHECK(val_equal(ctx, VAL_UNDEF, VAL_UNDEF) && !val_equal(ctx, VAL_UNDEF, I(1)));
    FAILS(w, val_compare(ctx, VAL_NAT, VAL_STRING));
    CHECK_STR(w->error, "Attempted to compare Nat with the value\nSTRING");
    FAILS(w, val_force(ctx, TUPLE(w, VAL_NAT)).w);
    CHECK_STR(w->error, "TLC has found a state in which the value of a variable contains Nat");
    FAILS(w, set_is_empty(ctx, VAL_NAT));
    FAILS(w, set_force(ctx, VAL_NAT).w);
    CHECK_STR(w->error, "TLC encountered a non-enumerable quantifier bound\nNat.");
    world_free(w);
}

TEST(finite_sets)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val small = RANGE(w, 1, 3);
    struct val inf[] = {small, VAL_NAT};
    struct val fin[] = {small, set_empty()};
    struct val names[] = {STRV(w, "a"), STRV(w, "b")};
    CHECK(!set_is_finite(ctx, VAL_INT) && !set_is_finite(ctx, set_seqset(ctx, small)));
    CHECK(!set_is_finite(ctx, set_product(ctx, inf, 2)) &&
          set_is_finite(ctx, set_product(ctx, fin, 2)));
    CHECK(!set_is_finite(ctx, set_recset(ctx, names, inf, 2)));
    CHECK(set_is_finite(ctx, set_recset(ctx, names, fin, 2)));
    CHECK(!set_is_finite(ctx, set_fcnset(ctx, small, VAL_NAT)));
    CHECK(!set_is_finite(ctx, set_subset(ctx, VAL_NAT)) &&
          set_is_finite(ctx, set_subset(ctx, small)));
    CHECK(!set_is_finite(ctx, set_cup(ctx, small, VAL_NAT)));
    CHECK(!set_is_finite(ctx, set_diff(ctx, VAL_NAT, small)));
    CHECK(set_is_finite(ctx, set_diff(ctx, set_subset(ctx, small), VAL_NAT)));
    CHECK(set_is_finite(ctx, set_cap(ctx, set_subset(ctx, small), VAL_NAT)));
    CHECK(!set_is_finite(ctx, set_union_lazy(ctx, SET(w, set_subset(ctx, VAL_NAT)))));
    CHECK(set_is_finite(ctx, set_union_lazy(ctx, SET(w, small, RANGE(w, 7, 8)))));
    CHECK(set_is_finite(ctx, closure(w, VK_FILTER, small, 2)) &&
          set_is_finite(ctx, TUPLE(w, I(1))));
    FAILS(w, set_is_finite(ctx, set_cap(ctx, VAL_NAT, VAL_INT)));
    FAILS(w, set_is_finite(ctx, set_diff(ctx, VAL_INT, VAL_NAT)));
    FAILS(w, set_is_finite(ctx, set_union_lazy(ctx, VAL_NAT)));
    FAILS(w, set_is_finite(ctx, closure(w, VK_LAMBDA, small, 1)));
    FAILS(w, set_is_finite(ctx, VAL_TRUE));
    CHECK_STR(w->error, "Attempted to check if the boolean TRUE is a finite set.");
    world_free(w);
}

/* What TLC's enumerators refuse. */
TEST(not_enumerable)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val small = RANGE(w, 1, 2);
    struct val sets[] = {small, VAL_NAT};
    struct val names[] = {STRV(w, "a"), STRV(w, "b")};
    const struct {
        struct val set;
        const char *error;
    } rows[] = {
        {set_fcnset(ctx, small, VAL_NAT),
         "Attempted to enumerate a set of the form [D -> R],but the range "
         "R:\nNat\ncannot be enumerated."},
        {set_fcnset(ctx, VAL_NAT, small),
         "Attempted to enumerate a set of the form [D -> R],but the domain "
         "D:\nNat\ncannot be enumerated."},
        {set_product(ctx, sets, 2),
         "Attempted to enumerate a set of the form s1 \\X s2 ... \\X sn,\nbut "
         "can't enumerate s1:\nNat"},
        {set_recset(ctx, names, sets, 2),
         "Attempted to enumerate a set of the form [l1 : v1, ..., ln : "
         "vn],\nbut can't enumerate the value of the `b' field:\nNat"},
        {set_subset(ctx, VAL_NAT),
         "Attempted to compute the number of elements in the overridden value Nat."},
        {set_subset(ctx, TUPLE(w, I(1))),
         "Attempted to compute the value of an expression of form\nSUBSET "
         "S, but S is a non-enumerable value:\n<<1>>"},
        {set_cup(ctx, small, VAL_NAT), "Attempted to enumerate S \\cup T when S:\n1..2\nand "
                                       "T:\nNat\nare not both enumerable"},
        {set_cap(ctx, VAL_INT, VAL_NAT),
         "Attempted to enumerate S \\cap T when neither S:\nInt\nnor "
         "T:\nNat\nis enumerable"},
        {set_diff(ctx, VAL_INT, small),
         "Attempted to enumerate S \\ T when S:\nInt\nis not enumerable."},
        {set_union_lazy(ctx, SET(w, VAL_NAT)),
         "Attempted to enumerate UNION(s), but some element of s is nonenumerable."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct set_iter it;
        struct val elem;
        FAILS(w, (set_iter_init(&it, ctx, rows[i].set), set_iter_next(&it, &elem)));
        CHECK_STR(w->error, rows[i].error);
        FAILS(w, set_force(ctx, rows[i].set).w);
    }
    /* The other operand of \cap may be enumerable. */
    CHECK_STR(TEXT(w, set_force(ctx, set_cap(ctx, set_seqset(ctx, VAL_NAT),
                                             set_product(ctx, &small, 1)))),
              "{<<1>>, <<2>>}");
    world_free(w);
}

TEST(sorted_enumeration_is_limited)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    ctx->set_size_max = 20;
    struct val set = set_fcnset(ctx, RANGE(w, 1, 3), RANGE(w, 1, 3));
    struct set_iter it;
    struct val elem;
    int n = 0;
    set_iter_init(&it, ctx, set); /* the plain one is not */
    while (set_iter_next(&it, &elem)) {
        n++;
    }
    CHECK_EQ(n, 27);
    set_iter_init_sorted(&it, ctx, set);
    for (n = 0; n < 20; n++) {
        CHECK(set_iter_next(&it, &elem));
    }
    FAILS(w, set_iter_next(&it, &elem));
    FAILS(w, (set_iter_init_sorted(&it, ctx, RANGE(w, 1, 1000000000)), 0));
    /* Duplicates of a lazy union are given by the plain enumeration only. */
    ctx->set_size_max = 1000;
    struct val both = set_union_lazy(ctx, SET(w, RANGE(w, 1, 3), RANGE(w, 2, 4)));
    struct val fcns = set_fcnset(ctx, RANGE(w, 1, 1), both);
    n = 0;
    set_iter_init(&it, ctx, fcns);
    while (set_iter_next(&it, &elem)) {
        n++;
    }
    CHECK_EQ(n, 6);
    n = 0;
    set_iter_init_sorted(&it, ctx, fcns);
    while (set_iter_next(&it, &elem)) {
        n++;
    }
    CHECK_EQ(n, 4);
    world_free(w);
}

/* ---- limits ---- */

static bool stop_soon(struct vctx *ctx)
{
    return ctx->interrupt > 100000;
}

TEST(too_many_elements)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    const char *million = "Attempted to construct a set with too many elements (>1000000).";
    FAILS(w, set_force(ctx, set_fcnset(ctx, RANGE(w, 1, 20), RANGE(w, 1, 100))));
    CHECK_STR(w->error, million);
    FAILS(w, set_force(ctx, set_subset(ctx, RANGE(w, 1, 60))));
    CHECK_STR(w->error, "Overflow when computing the number of elements in:\nSUBSET (1..60)");
    FAILS(w, set_force(ctx, RANGE(w, 1, 1000000000)));
    FAILS(w, set_cup(ctx, RANGE(w, 1, 1000000000), SET(w, I(0))));
    FAILS(w, val_hash(ctx, set_fcnset(ctx, RANGE(w, 1, 9), RANGE(w, 1, 9))));
    CHECK_STR(w->error, million);
    FAILS(w, set_force(ctx, closure(w, VK_FILTER, RANGE(w, 1, 3000000), 1)));
    CHECK_STR(w->error, million);
    ctx->set_size_max = 10;
    CHECK_EQ(val_obj(set_force(ctx, closure(w, VK_FILTER, RANGE(w, 1, 10), 1)))->n, 10);
    FAILS(w, set_force(ctx, closure(w, VK_FILTER, RANGE(w, 1, 11), 1)));
    CHECK_STR(w->error, "Attempted to construct a set with too many elements (>10).");
    struct val ten[10];
    for (int i = 0; i < 10; i++) {
        ten[i] = I(i);
    }
    FAILS(w, set_cup(ctx, set_make(ctx, ten, 10), SET(w, I(77))));
    ctx->set_size_max = 1000000;

    /* Questions about huge sets that need no enumeration. */
    struct val huge = set_fcnset(ctx, RANGE(w, 1, 100), RANGE(w, 1, 1000000000));
    CHECK_EQ(strlen(TEXT(w, set_card(ctx, huge))), 901);
    CHECK(set_member(ctx, I(999999999), RANGE(w, 1, 1000000000)));
    CHECK(set_subseteq(ctx, RANGE(w, 5, 900000000), RANGE(w, 1, 1000000000)));
    CHECK(val_compare(ctx, RANGE(w, 1, 1000000000), RANGE(w, 2, 1000000000)) > 0);
    CHECK(val_equal(ctx, set_subset(ctx, VAL_NAT), set_subset(ctx, VAL_NAT)));
    FAILS(w, set_card(ctx, VAL_NAT));
    CHECK_STR(w->error, "Attempted to compute cardinality of the value\nNat");
    CHECK_EQ(w->code, 2181);
    world_free(w);
}

TEST(long_enumerations_can_be_stopped)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    ctx->poll = stop_soon;
    FAILS(w, set_force(ctx, closure(w, VK_FILTER, RANGE(w, 1, 1000000000), 2000000000)));
    CHECK_STR(w->error, "interrupted");
    ctx->interrupt = 0;
    FAILS(w, val_hash(ctx, RANGE(w, 1, 1000000000)));
    ctx->interrupt = 0;
    FAILS(w, set_subseteq(ctx, set_subset(ctx, RANGE(w, 1, 30)),
                          set_subset(ctx, set_seqset(ctx, VAL_NAT))));
    world_free(w);
}

TEST(rewinding_between_steps)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val parts[] = {set_subset(ctx, RANGE(w, 1, 4)),
                          set_fcnset(ctx, RANGE(w, 1, 2), RANGE(w, 1, 3)),
                          set_ksubset(ctx, RANGE(w, 1, 5), I(2))};
    for (size_t i = 0; i < 3; i++) {
        struct val base =
            i == 1 ? set_union_lazy(ctx, SET(w, parts[1], set_product(ctx, parts, 1))) : parts[i];
        uint64_t sum = 0;
        uint64_t sum_rewound = 0;
        ctx->no_cache = true;
        for (int pass = 0; pass < 2; pass++) {
            struct set_iter it;
            struct val elem;
            set_iter_init(&it, ctx, base);
            struct arena_mark mark = arena_mark(&w->arena);
            while (set_iter_next(&it, &elem)) {
                *(pass ? &sum_rewound : &sum) += val_hash(ctx, elem);
                if (pass) {
                    arena_rewind(&w->arena, mark);
                }
            }
        }
        ctx->no_cache = false;
        CHECK(sum == sum_rewound);
    }
    world_free(w);
}

/* ---- depth ---- */

__attribute__((noinline)) static struct val nested(struct world *w, int depth, bool sets)
{
    struct val v = I(1);
    for (int i = 0; i < depth; i++) {
        v = sets ? SET(w, v) : TUPLE(w, v);
    }
    return v;
}

#ifndef __SANITIZE_THREAD__ /* its own record of calls ends at 64 Ki */

__attribute__((noinline)) static struct val nested_subsets(struct world *w, int depth)
{
    struct val v = RANGE(w, 1, 2);
    for (int i = 0; i < depth; i++) {
        v = set_subset(&w->ctx, v);
    }
    return v;
}

TEST(deep_values_fail_and_do_not_crash)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct arena arena;
    arena_init(&arena, 0);
    struct strbuf out = {0};
    const char *message = VAL_STACK_TEXT;
    for (int sets = 0; sets < 2; sets++) {
        struct val a = nested(w, 1000000, sets);
        struct val b = nested(w, 1000000, sets);
        FAILS(w, val_equal(ctx, a, b));
        CHECK_STR(w->error, message);
        FAILS(w, val_compare(ctx, a, b));
        FAILS(w, val_hash(ctx, a));
        FAILS(w, val_force(ctx, a).w);
        FAILS(w, val_freeze(ctx, &arena, a).w);
        FAILS(w, (val_print(ctx, a, &out), 0));
        FAILS(w, (val_encode(ctx, a, &out), 0));
        FAILS(w, val_permute(ctx, a, &(struct val_perm){&a, &a, 0}).w);
        CHECK_STR(w->error, message);
    }
    const struct val lazy = nested_subsets(w, 1000000);
    FAILS(w, set_card(ctx, lazy));
    FAILS(w, set_force(ctx, lazy).w);
    FAILS(w, set_member(ctx, nested(w, 1000000, true), lazy));
    CHECK_STR(w->error, message);
    /* Text and bytes of a deep value, made by hand. */
    strbuf_reset(&out);
    strbuf_pad(&out, '{', 2000000);
    struct strbuf pretty = {0};
    FAILS(w, (val_text_pretty(ctx, strbuf_str(&out), 0, 80, &pretty), 0));
    strbuf_reset(&out);
    strbuf_pad(&out, (char)0xc1, 2000000);
    const uint8_t *at = (const uint8_t *)out.p;
    struct val v;
    CHECK(!val_decode(ctx, &at, at + out.n, &v));
    strbuf_done(&pretty);
    strbuf_done(&out);
    arena_done(&arena);
    world_free(w);
}

#endif

TEST(moderately_deep_values_work)
{
    struct world *w = world_new();
    struct val a = nested(w, 5000, false);
    struct val b = nested(w, 5000, false);
    CHECK(val_equal(&w->ctx, a, b));
    CHECK_EQ(val_hash(&w->ctx, a), val_hash(&w->ctx, b));
    CHECK_EQ(strlen(TEXT(w, a)), 5000 * 4 + 1);
    world_free(w);
}

/* How large sets are: what is known without enumerating them, against counting; and how messages
 * call values of each kind. */
#include "unit/value_util.h"
#include "value/value_int.h"

/* ---- bounds ---- */

static struct val random_set(struct world *w, struct rng *rng, unsigned depth)
{
    struct vctx *ctx = &w->ctx;
    int64_t lo = (int64_t)rng_below(rng, 3);
    if (depth == 0) {
        return rng_below(rng, 2) ? RANGE(w, lo, lo + (int64_t)rng_below(rng, 4) - 1)
                                 : SET(w, I(lo), I(lo + (int64_t)rng_below(rng, 3)));
    }
    struct val a = random_set(w, rng, depth - 1);
    struct val b = random_set(w, rng, depth - 1);
    struct val two[2] = {a, b};
    struct val plain[2] = {random_set(w, rng, 0), random_set(w, rng, 0)};
    struct val names[2] = {STRV(w, "x"), STRV(w, "f")};
    switch (rng_below(rng, 9)) {
    case 0: return set_subset(ctx, RANGE(w, lo, lo + (int64_t)rng_below(rng, 4) - 1));
    case 1: return set_fcnset(ctx, RANGE(w, 1, (int64_t)rng_below(rng, 3)), b);
    case 2: return set_recset(ctx, names, two, 1 + rng_below(rng, 2));
    case 3: return set_product(ctx, two, 1 + rng_below(rng, 2));
    case 4: return set_cup(ctx, set_product(ctx, plain, 1), set_product(ctx, plain + 1, 1));
    case 5: return set_cap(ctx, set_product(ctx, plain, 1), set_product(ctx, plain + 1, 1));
    case 6: return set_diff(ctx, set_product(ctx, plain, 1), set_product(ctx, plain + 1, 1));
    case 7:
        return set_union_lazy(ctx,
                              SET(w, set_product(ctx, plain, 1), set_product(ctx, plain + 1, 1)));
    default: return set_ksubset(ctx, RANGE(w, 1, 4), I((int64_t)rng_below(rng, 6)));
    }
}

TEST(bounds_against_counting)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct rng rng;
    rng_seed(&rng, 11);
    for (int round = 0; round < 4000; round++) {
        struct val set = random_set(w, &rng, (unsigned)rng_below(&rng, 4));
        struct bound bound = set_bound(ctx, set);
        if (bound.n > 3000) {
            arena_reset(&w->arena);
            continue;
        }
        bool empty = set_is_empty(ctx, set);
        struct set_iter it;
        struct val elem;
        size_t n = 0; /* elements, some of them perhaps several times */
        set_iter_init(&it, ctx, set);
        while (set_iter_next(&it, &elem)) {
            n++;
        }
        CHECK(set_is_finite(ctx, set));
        struct elems elems = set_elems(ctx, set);
        CHECK_EQ(elems.n, n);
        struct val forced = set_force(ctx, set);
        size_t size = val_obj(forced)->n;
        CHECK(size <= n && n <= bound.n);
        CHECK(!bound.exact || bound.n == size);
        CHECK_EQ(empty, size == 0);
        CHECK_EQ(set_bound(ctx, forced).n, size);
        arena_reset(&w->arena);
    }
    world_free(w);
}

TEST(bounds_of_each_kind)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val pair[2] = {RANGE(w, 1, 3), RANGE(w, 1, 5)};
    struct val names[2] = {STRV(w, "x"), STRV(w, "f")};
    struct val none = RANGE(w, 1, 0);
    struct val all = set_seqset(ctx, VAL_NAT);
    struct val some = set_fcnset(ctx, RANGE(w, 1, 2), RANGE(w, 1, 3));
    struct val more = set_subset(ctx, RANGE(w, 1, 5));
    struct val unsure = set_cap(ctx, some, all);
    struct val empty = set_cap(ctx, set_fcnset(ctx, RANGE(w, 1, 2), none), all);
    const struct {
        struct val set;
        uint64_t n;
        bool exact;
    } rows[] = {
        {SET(w, I(1), I(1), I(2)), 2, true},
        {RANGE(w, 4, 9), 6, true},
        {none, 0, true},
        {VAL_NAT, BOUND_INF, false},
        {VAL_STRING, BOUND_INF, false},
        {set_subset(ctx, pair[1]), 32, true},
        {set_subset(ctx, RANGE(w, 1, 61)), 1ULL << 61, true},
        {set_subset(ctx, RANGE(w, 1, 62)), BOUND_INF, true},
        {set_subset(ctx, RANGE(w, 1, 63)), BOUND_INF, true},
        {set_subset(ctx, VAL_NAT), BOUND_INF, false},
        {set_ksubset(ctx, pair[1], I(2)), 32, false},
        {some, 9, true},
        {set_fcnset(ctx, none, some), 1, true},
        {set_fcnset(ctx, some, none), 0, true},
        {set_fcnset(ctx, some, RANGE(w, 1, 1)), 1, true},
        {set_fcnset(ctx, RANGE(w, 1, 3), unsure), 729, false},
        {set_fcnset(ctx, unsure, RANGE(w, 1, 1)), 1, true},
        {set_fcnset(ctx, unsure, none), 1, false},
        {set_fcnset(ctx, empty, none), 1, true},
        {set_fcnset(ctx, RANGE(w, 1, 62), RANGE(w, 1, 2)), BOUND_INF, true},
        {set_product(ctx, pair, 2), 15, true},
        {set_product(ctx, (struct val[]){some, unsure}, 2), 81, false},
        {set_product(ctx, (struct val[]){unsure, none}, 2), 0, true},
        {set_product(ctx, (struct val[]){empty, unsure}, 2), 0, true},
        {set_recset(ctx, names, pair, 2), 15, true},
        {set_cup(ctx, some, more), 41, false},
        {set_cap(ctx, some, more), 9, false},
        {set_cap(ctx, more, some), 32, false},
        {unsure, 9, false},
        {set_cap(ctx, all, some), 9, false},
        {empty, 0, false},
        {set_diff(ctx, more, some), 32, false},
        {set_union_lazy(ctx, SET(w, some, more)), 41, false},
        {set_union_lazy(ctx, more), BOUND_INF, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bound bound = set_bound(ctx, rows[i].set);
        if (bound.n != rows[i].n || bound.exact != rows[i].exact) {
            fprintf(stderr, "row %zu: %s\n", i, TEXT(w, rows[i].set));
        }
        CHECK_EQ(bound.n, rows[i].n);
        CHECK_EQ(bound.exact, rows[i].exact);
    }
    world_free(w);
}

/* A large interval is compared with a set without being enumerated. */
TEST(intervals_and_sets)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val large = RANGE(w, 1, 1000000000);
    struct val two = SET(w, I(1), I(2));
    CHECK(!val_equal(ctx, two, large) && !val_equal(ctx, large, two));
    const struct {
        struct val set;
        int64_t lo, hi;
        bool equal;
    } rows[] = {
        {two, 1, 2, true},
        {two, 0, 1, false},
        {two, 1, 3, false},
        {two, 2, 2, false},
        {SET(w, I(1), I(3)), 1, 2, false},
        {SET(w, I(1), I(3)), 1, 3, false},
        {SET(w, I(1), I(2), I(4)), 1, 3, false},
        {SET(w, I(-1), I(0)), -1, 0, true},
        {set_make(ctx, NULL, 0), 5, 4, true},
        {set_make(ctx, NULL, 0), 5, 5, false},
        {SET(w, I(5)), 5, 5, true},
        {SET(w, I(5)), 6, 5, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct val range = RANGE(w, rows[i].lo, rows[i].hi);
        CHECK_EQ(val_equal(ctx, rows[i].set, range), rows[i].equal);
        CHECK_EQ(val_equal(ctx, range, rows[i].set), rows[i].equal);
        CHECK_EQ(val_compare(ctx, rows[i].set, range) == 0, rows[i].equal);
        if (rows[i].equal) {
            CHECK(val_hash(ctx, rows[i].set) == val_hash(ctx, range));
        }
    }
    world_free(w);
}

static bool stop_at_once(struct vctx *ctx)
{
    (void)ctx;
    return true;
}

TEST(making_a_list_of_elements_can_be_stopped)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val many = set_force(ctx, RANGE(w, 1, 300000));
    struct val joined = set_cup(ctx, set_subset(ctx, RANGE(w, 1, 2)), many);
    ctx->poll = stop_at_once;
    FAILS(w, set_elems(ctx, joined));
    CHECK_STR(w->error, "interrupted");
    world_free(w);
}

/* ---- names of kinds ---- */

TEST(kinds)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val pair[2] = {RANGE(w, 1, 3), RANGE(w, 1, 5)};
    struct val names[2] = {STRV(w, "x"), STRV(w, "f")};
    struct val lazy = set_subset(ctx, pair[0]);
    const struct {
        struct val v;
        const char *text, *noun;
    } rows[] = {
        {I(1), "an integer", "the integer"},
        {int_pow(ctx, I(2), I(70)), "an integer", "the integer"},
        {VAL_TRUE, "a Boolean value", "the boolean"},
        {STRV(w, "a"), "a string", "the string"},
        {MODEL(w, "m"), "a model value", "the model value"},
        {VAL_NAT, "a special set constant", "the overridden value"},
        {VAL_UNDEF, "an undefined value", "the value"},
        {SET(w, I(1)), "a set of the form {e1, ... ,eN}", "the value"},
        {TUPLE(w, I(1)), "a tuple", "the function"},
        {record_make(ctx, names, pair, 2), "a record", "the function"},
        {fcn_make(ctx, (struct val[]){I(5)}, pair, 1),
         "a function  of the form (d1 :> e1 @@ ... @@ dN :> eN)", "the function"},
        {pair[0], "a set of the form i..j", "the value"},
        {lazy, "a set of the form SUBSET S", "the value"},
        {set_ksubset(ctx, pair[1], I(2)), "a set of the form SUBSET S", "the value"},
        {set_fcnset(ctx, pair[0], pair[1]), "a set of the form [S -> T]", "the value"},
        {set_recset(ctx, names, pair, 2), "a set of the form [d1 : S1, ... , dN : SN]",
         "the value"},
        {set_product(ctx, pair, 2), "a cartesian product", "the value"},
        {set_seqset(ctx, VAL_NAT), "a special set constant", "the overridden value"},
        {set_union_lazy(ctx, SET(w, lazy)), "a set of the form UNION  S", "the value"},
        {set_cup(ctx, lazy, lazy), "a set of the form S \\cup T", "the value"},
        {set_cap(ctx, lazy, lazy), "a set of the form S \\cap T", "the value"},
        {set_diff(ctx, lazy, lazy), "a set of the form S \\ T", "the value"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_STR(val_kind_text(rows[i].v), rows[i].text);
        CHECK_STR(val_kind_noun(rows[i].v), rows[i].noun);
    }
    world_free(w);
}

/* ---- text in the arena of its values ---- */

TEST(layout_into_the_arena_of_the_values)
{
    struct world *w = world_new();
    struct strbuf text = {.arena = &w->arena};
    val_text_pretty(&w->ctx, STR("<<1, {22, 33}>>"), 0, 12, &text);
    char *more = arena_zalloc(&w->arena, 4000);
    memset(more, 'x', 4000);
    CHECK_STR(strbuf_cstr(&text), "<< 1,\n   { 22,\n     33 } >>");
    world_free(w);
}

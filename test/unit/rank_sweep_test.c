/* Sweeps, orders and nearly right names. */
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "rank/rank.h"
#include "test.h"

TEST(values)
{
    static const struct {
        const char *text, *want; /* values separated by |, or the beginning of an error after ! */
    } rows[] = {
        {"1..3",                    "1|2|3"                   },
        {"1",                       "1"                       },
        {" 1 , 2..3 ,9 ",           "1|2|3|9"                 },
        {"-1..1",                   "-1|0|1"                  },
        {"{a,b}, {a,b,c}",          "{a,b}|{a,b,c}"           },
        {"\"x,y\",TRUE",            "\"x,y\"|TRUE"            },
        {"<- Op",                   "<- Op"                   },
        {"a..b",                    "a..b"                    },
        {"",                        ""                        },
        {"1,",                      "!a value is missing"     },
        {",1",                      "!a value is missing"     },
        {"2..1",                    "!2..1 has no values"     },
        {"1..100001",               "!1..100001 has more than"},
        {"1..99999999999999999999", "1..99999999999999999999" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena;
        struct err err = {0};
        struct str *values = NULL;
        size_t n = 0;
        struct strbuf got = {0};
        arena_init(&arena, 0);
        if (rank_values(&arena, str_of(rows[i].text), &values, &n, &err) != 0) {
            strbuf_printf(&got, "!%.*s", (int)(strlen(rows[i].want) - 1), err.text);
        }
        for (size_t k = 0; k < n; k++) {
            strbuf_printf(&got, "%s%.*s", k ? "|" : "", STR_ARG(values[k]));
        }
        CHECK_STR(strbuf_cstr(&got), rows[i].want);
        strbuf_done(&got);
        arena_done(&arena);
    }
}

TEST(combinations)
{
    struct arena arena;
    struct err err = {0};
    struct rank_sweep sweep = {0};
    struct str values[3] = {STR("1"), STR("2"), STR("3")};
    size_t at[2];
    arena_init(&arena, 0);
    CHECK_EQ(rank_sweep_count(&sweep), 1);
    CHECK_EQ(rank_sweep_add(&arena, &sweep, (struct rank_axis){STR("A"), values, 2, NULL, 0}, &err),
             0);
    CHECK_EQ(rank_sweep_add(&arena, &sweep, (struct rank_axis){STR("B"), values, 3, NULL, 0}, &err),
             0);
    CHECK_EQ(rank_sweep_count(&sweep), 6);
    for (uint64_t i = 0; i < 6; i++) {
        rank_sweep_at(&sweep, i, at);
        CHECK_EQ(at[0] * 3 + at[1], i);
    }
    CHECK(rank_sweep_add(&arena, &sweep, (struct rank_axis){STR("A"), values, 1, NULL, 0}, &err) <
          0);
    CHECK(rank_sweep_add(&arena, &sweep, (struct rank_axis){STR("C"), values, 0, NULL, 0}, &err) <
          0);
    /* More than any number can say. */
    struct rank_axis axes[9];
    for (int i = 0; i < 9; i++) {
        axes[i] = (struct rank_axis){STR("X"), values, 1000, NULL, 0};
    }
    CHECK(rank_sweep_count(&(struct rank_sweep){axes, 9, 9}) == UINT64_MAX);
    arena_done(&arena);
}

TEST(order)
{
    struct rank_order order;
    struct err err = {0};
    struct rank_data data[5] = {
        {.branches = 5, .actions = 2, .depth = 9, .depth_sum = 20, .walks = 10},
        {.branches = 7, .actions = 2, .depth = 9, .depth_sum = 30, .walks = 10},
        {.branches = 7, .actions = 3, .depth = 9, .depth_sum = 10, .walks = 10},
        {.branches = 7, .actions = 3, .depth = 4, .depth_sum = 90, .walks = 90},
        {.branches = 7, .actions = 3, .depth = 4, .depth_sum = 5,  .walks = 10},
    };
    static const struct {
        const char *keys, *want;
    } rows[] = {
        {RANK_ORDER_DEFAULT,    "34210"},
        {"depth:desc",          "01234"},
        {"coverage:asc",        "01234"},
        {"mean-depth,coverage", "42301"},
        {"steps",               "01234"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t at[5];
        char got[6] = {0};
        CHECK_EQ(rank_order_parse(str_of(rows[i].keys), &order, &err), 0);
        rank_sort(&order, data, 5, at);
        for (int k = 0; k < 5; k++) {
            got[k] = (char)('0' + at[k]);
        }
        CHECK_STR(got, rows[i].want);
    }
    static const char *const wrong[] = {"", "deep", "depth:", "depth,", "depth,depth", ",depth"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(rank_order_parse(str_of(wrong[i]), &order, &err) < 0);
    }
}

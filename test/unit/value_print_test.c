/* Text: escapes, what prints as a record, layout. */
#include "unit/value_util.h"

TEST(one_line)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    CHECK_STR(TEXT(w, STRV(w, "a\"b\\c\td\ne\ff\rg")), "\"a\\\"b\\\\c\\td\\ne\\ff\\rg\"");
    CHECK_STR(TEXT(w, STRV(w, "")), "\"\"");
    CHECK_STR(TEXT(w, VAL_STRING), "STRING");
    CHECK_STR(TEXT(w, VAL_ANYSET), "ANY");
    CHECK_STR(TEXT(w, set_seqset(ctx, VAL_INT)), "Seq(Int)");
    CHECK_STR(TEXT(w, RANGE(w, 3, 2)), "{}");
    struct val one[] = {I(1)};
    static const struct {
        const char *key;
        const char *text;
    } rows[] = {
        {"abc",               "[abc |-> 1]"              },
        {"a_1",               "[a_1 |-> 1]"              },
        {"_",                 "(\"_\" :> 1)"             },
        {"a b",               "(\"a b\" :> 1)"           },
        {"1",                 "(\"1\" :> 1)"             },
        {"WF_x",              "(\"WF_x\" :> 1)"          },
        {"WF_",               "[WF_ |-> 1]"              },
        {"",                  "(\"\" :> 1)"              },
        {"\xc3\xa9t\xc3\xa9", "[\xc3\xa9t\xc3\xa9 |-> 1]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct val key[] = {STRV(w, rows[i].key)};
        CHECK_STR(TEXT(w, fcn_make(ctx, key, one, 1)), rows[i].text);
    }
    CHECK_STR(TEXT(w, set_subset(ctx, RANGE(w, 1, 7))), "SUBSET (1..7)");
    CHECK_STR(TEXT(w, set_subset(ctx, RANGE(w, 1, 1))), "{{}, {1}}");
    struct val names[] = {STRV(w, "x"), STRV(w, "y")};
    struct val sets[] = {RANGE(w, 1, 50), VAL_NAT};
    CHECK_STR(TEXT(w, set_recset(ctx, names, sets, 2)), "[x: 1..50, y: Nat]");
    CHECK_STR(TEXT(w, set_product(ctx, sets, 2)), "(1..50 \\X Nat)");
    CHECK_STR(TEXT(w, set_fcnset(ctx, VAL_NAT, RANGE(w, 0, 1))), "[Nat -> 0..1]");
    CHECK_STR(TEXT(w, set_cup(ctx, VAL_NAT, SET(w, I(-1)))), "{-1} \\cup Nat");
    CHECK_STR(TEXT(w, set_cap(ctx, VAL_NAT, VAL_INT)), "Nat \\cap Int");
    CHECK_STR(TEXT(w, set_diff(ctx, VAL_NAT, SET(w, I(0)))), "Nat \\ {0}");
    CHECK_STR(TEXT(w, set_union_lazy(ctx, SET(w, VAL_NAT))), "UNION({Nat})");
    world_free(w);
}

static const char *laid_out(struct world *w, const char *text, unsigned indent, unsigned width)
{
    struct strbuf out = {0};
    val_text_pretty(&w->ctx, str_of(text), indent, width, &out);
    const char *copy = arena_strndup(&w->arena, out.p ? out.p : "", out.n);
    strbuf_done(&out);
    return copy;
}

TEST(layout)
{
    struct world *w = world_new();
    static const struct {
        const char *text;
        unsigned width;
        const char *want;
    } rows[] = {
        {"{1, 2, 3}",                                    9,  "{1, 2, 3}"                     },
        {"{1, 2, 3}",                                    8,  "{ 1,\n  2,\n  3 }"             },
        {"<<1, {22, 33}>>",                              12, "<< 1,\n   { 22,\n     33 } >>" },
        {"<<1, {22, 33}>>",                              14, "<< 1,\n   {22, 33} >>"         },
        {"([aaaaaaaaaa |-> 1, b |-> 2] :> 1 @@ 3 :> 4)", 20,
         "( [ aaaaaaaaaa |->\n        1,\n    b |-> 2 ] :>\n      1 @@\n  3 :> 4 )"          },
        {"[a |-> 1, bb |-> <<1, 2, 3>>]",                16,
         "[ a |-> 1,\n  bb |->\n      << 1,\n         2,\n         3 >> ]"                   },
        {"(1 :> {} @@ 2 :> \"x y\")",                    18, "( 1 :> {} @@\n  2 :> \"x y\" )"},
        {"SUBSET {11, 22, 33}",                          15, "SUBSET { 11,\n   22,\n   33 } "},
        {"{1..3, 44..55}",                               10, "{ 1..3,\n  44..55 }"           },
        /* Outside of TLC's grammar: left alone. */
        {"{a_b, c_d, e_f}",                              8,  "{a_b, c_d, e_f}"               },
        {"{-1..3, 44..55}",                              10, "{-1..3, 44..55}"               },
        {"Nat \\cup {1, 2, 3}",                          8,  "Nat \\cup {1, 2, 3}"           },
        {"{\"quote \\\" inside\", 1}",                   8,  "{\"quote \\\" inside\", 1}"    },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_STR(laid_out(w, rows[i].text, 0, rows[i].width), rows[i].want);
    }
    CHECK_STR(laid_out(w, "{1, 2, 3}", 4, 12), "{ 1,\n      2,\n      3 }");
    /* Lengths are those of UTF-16: 9 units here, though there are more bytes. */
    CHECK_STR(laid_out(w, "{\"\xc3\xa9\xe2\x82\xac\", \"\"}", 0, 10),
              "{\"\xc3\xa9\xe2\x82\xac\", \"\"}");
    CHECK_STR(laid_out(w, "{\"\xf0\x9f\x98\x80\", \"\"}", 0, 10), "{\"\xf0\x9f\x98\x80\", \"\"}");
    CHECK_STR(laid_out(w, "{\"\xf0\x9f\x98\x80\", \"\"}", 0, 9),
              "{ \"\xf0\x9f\x98\x80\",\n  \"\" }");
    world_free(w);
}

/* Expressions of PlusCal: how lines move when tokens are replaced, which is what the layout of a
 * translation depends on; and the small parts around: widths, lines, checksums. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"
#include "test.h"

/* Reads an expression that ends with a semicolon. */
static struct expr *read_expr(struct arena *arena, const char *text)
{
    struct pluscal_options *options = ARENA_NEW(arena, struct pluscal_options);
    struct pcal *p = ARENA_NEW(arena, struct pcal);
    struct strs lines = {0};
    pluscal_defaults(options);
    pcal_init(p, arena, options, NULL);
    pcal_lines_cut(arena, str_of(arena_printf(arena, "%s;", text)), &lines);
    pcal_lines_read(arena, &lines, &p->lines);
    pcal_scan_begin(p, 0, 0);
    struct expr *e = pcal_scan_expr(p);
    CHECK(!p->failed);
    CHECK(str_is(p->scan.delimiter, ";"));
    return e;
}

static const char *text_of(struct arena *arena, const struct expr *e)
{
    struct strs lines = {0};
    struct strbuf out = {.arena = arena};
    pcal_expr_lines(arena, e, &lines);
    for (size_t i = 0; i < lines.n; i++) {
        strbuf_printf(&out, "%s%.*s", i > 0 ? "\n" : "", STR_ARG(lines.v[i]));
    }
    return strbuf_cstr(&out);
}

TEST(reading_keeps_columns)
{
    static const char *const rows[][2] = {
        {"  a + b",                       "a + b"                        },
        {"   /\\ a\n   /\\ b",            "/\\ a\n/\\ b"                 },
        {"x\n\n y",                       "x\n\n y"                      },
        {"  IF a\n THEN b",               " IF a\nTHEN b"                },
        {"[a |-> \"s;\", end |-> 1].end", "[a |-> \"s;\", end |-> 1].end"},
        {"\xe2\x9f\xa8"
         "1\xe2\x9f\xa9",        "\xe2\x9f\xa8"
         "1\xe2\x9f\xa9"               },
    };
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_STR(text_of(&arena, read_expr(&arena, rows[i][0])), rows[i][1]);
    }
    arena_done(&arena);
}

/* Expression, name, what replaces it, with parentheses or not, what becomes of it. */
static const struct {
    const char *text, *name, *by;
    bool parens;
    const char *want;
} substitutions[] = {
    {"x",                          "x", "a + b",                    true,  "a + b"                                     },
    {"x + 1",                      "x", "a + b",                    true,  "(a + b) + 1"                               },
    {"x + 1",                      "x", "a + b",                    false, "a + b + 1"                                 },
    {"x  +  x",                    "x", "longer",                   true,  "longer  +  longer"                         },
    {"r.x + [x |-> x, y |-> x].x", "x", "y",                        true,  "r.x + [x |-> y, y |-> y].x"                },
    {"{\"x\", x}",                 "x", "y",                        true,  "{\"x\", y}"                                },
    /* lines that hang on what moved move with it */
    {"f(x, /\\ a\n     /\\ x)",    "x", "longer",                   true,  "f(longer, /\\ a\n          /\\ longer)"    },
    {"x = /\\ a\n    /\\ b",       "x", "y'",                       false, "y' = /\\ a\n     /\\ b"                    },
    /* and those that hang on nothing do not */
    {"  x + a\nb",                 "x", "longer",                   true,  "  longer + a\nb"                           },
    /* several lines: what follows goes behind the last */
    {"g(x) + 1",                   "x", "IF a\n  THEN b\n  ELSE c", true,  "g((IF a\n     THEN b\n     ELSE c)) + 1"   },
    {"x + x",                      "x", "/\\ a\n/\\ b",             true,  "(/\\ a\n /\\ b) + (/\\ a\n          /\\ b)"},
};

TEST(substitution_moves_lines)
{
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof substitutions / sizeof substitutions[0]; i++) {
        struct expr *e = read_expr(&arena, substitutions[i].text);
        struct expr *by = read_expr(&arena, substitutions[i].by);
        struct str name = str_of(substitutions[i].name);
        struct strs names = {&name, 1, 1};
        CHECK(pcal_expr_substitute(&arena, e, &by, &names, substitutions[i].parens) == NULL);
        CHECK_STR(text_of(&arena, e), substitutions[i].want);
    }
    arena_done(&arena);
}

TEST(substitution_of_several_names)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct expr *e = read_expr(&arena, "a + b + a\n  + b");
    struct expr *by[] = {read_expr(&arena, "b"), read_expr(&arena, "a * 1")};
    struct str names[] = {STR("a"), STR("b")};
    CHECK(pcal_expr_substitute(&arena, e, by, &(struct strs){names, 2, 2}, true) == NULL);
    CHECK_STR(text_of(&arena, e), "b + (a * 1) + b\n  + (a * 1)");
    arena_done(&arena);
}

TEST(substitution_has_an_end)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct expr *e = read_expr(&arena, "x + x");
    struct str name = STR("x");
    const char *wrong = NULL;
    for (int i = 0; i < 40 && wrong == NULL; i++) {
        struct expr *by = read_expr(&arena, "x + x");
        wrong = pcal_expr_substitute(&arena, e, &by, &(struct strs){&name, 1, 1}, true);
    }
    CHECK(wrong != NULL);
    arena_done(&arena);
}

TEST(prepending_moves_lines)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct expr *e = read_expr(&arena, "[/\\ a\n /\\ b]");
    CHECK(pcal_expr_prepend(&arena, e, read_expr(&arena, "var'"), 0));
    CHECK_STR(text_of(&arena, e), "var'[/\\ a\n     /\\ b]");
    arena_done(&arena);
}

TEST(widths_are_of_utf16)
{
    CHECK_EQ(pcal_width(STR("abc")), 3);
    CHECK_EQ(pcal_width(STR("\u2208")), 1);
    CHECK_EQ(pcal_width(STR("\U0001d538")), 2);
}

TEST(text_must_be_utf8)
{
    CHECK(pluscal_is_text(STR("a\u00e4\u2208\U0001d538")));
    CHECK(!pluscal_is_text(STR("\xff")));
    CHECK(!pluscal_is_text(STR("\xc0\x80")));
    CHECK(!pluscal_is_text(STR("\xed\xa0\x80")));
    CHECK(!pluscal_is_text(STR("\xe2\x88")));
}

TEST(lines_and_tabs)
{
    struct arena arena;
    struct strs lines = {0};
    struct lines read = {0};
    arena_init(&arena, 0);
    pcal_lines_cut(&arena, STR("a\tb\r\n\n\rlast"), &lines);
    CHECK_EQ(lines.n, 4);
    CHECK(str_is(lines.v[3], "last"));
    pcal_lines_read(&arena, &lines, &read);
    CHECK(str_is(pcal_u16_to_str(&arena, read.v[0].v, read.v[0].n), "a       b "));
    CHECK(str_is(pcal_u16_to_str(&arena, read.v[1].v, read.v[1].n), " "));
    struct u16s wide = pcal_u16_of(&arena, STR("\u00e4\u2208\U0001d538"));
    CHECK_EQ(wide.n, 4);
    CHECK(str_is(pcal_u16_to_str(&arena, wide.v, wide.n), "\u00e4\u2208\U0001d538"));
    arena_done(&arena);
}

TEST(checksums)
{
    struct arena arena;
    struct checksums sums;
    arena_init(&arena, 0);
    CHECK(str_is(pcal_checksum_of(&arena, STR("123456789")), "cbf43926"));
    CHECK(str_is(pcal_checksum_of(&arena, STR("")), "0"));
    CHECK(pcal_checksums_find(
        STR("\\* BEGIN TRANSLATION (chksum(pcal) = \"1a\" /\\ chksum(tla) = \"2B\")"), &sums));
    CHECK(str_is(sums.pcal, "1a") && str_is(sums.tla, "2B"));
    CHECK(pcal_checksums_find(
        STR("x \\* BEGIN TRANSLATION  ( ChkSum(PlusCal)\\in STRING/\\CHECKSUM(TLA+) =\"\" ) y"),
        &sums));
    CHECK(sums.pcal.p == NULL && sums.tla.p != NULL && sums.tla.n == 0);
    CHECK(!pcal_checksums_find(STR("\\* BEGIN TRANSLATION"), &sums));
    CHECK(!pcal_checksums_find(
        STR("\\* BEGIN TRANSLATION(chksum(pcal) = \"1\" /\\ chksum(tla) = \"2\")"), &sums));
    CHECK(!pcal_checksums_find(
        STR("\\* BEGIN TRANSLATION (chksum(pcal) = \"1g\" /\\ chksum(tla) = \"2\")"), &sums));
    arena_done(&arena);
}

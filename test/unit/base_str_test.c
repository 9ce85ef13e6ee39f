/* Slices and buffers. */
#include "base/arena.h"
#include "base/str.h"
#include "test.h"

TEST(compare)
{
    static const struct {
        const char *a, *b;
        int order;
    } rows[] = {
        {"",     "",    0 },
        {"",     "a",   -1},
        {"a",    "",    1 },
        {"a",    "b",   -1},
        {"ab",   "a",   1 },
        {"abc",  "abd", -1},
        {"\xff", "a",   1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int order = str_cmp(str_of(rows[i].a), str_of(rows[i].b));
        CHECK_EQ((order > 0) - (order < 0), rows[i].order);
        CHECK_EQ(str_eq(str_of(rows[i].a), str_of(rows[i].b)), rows[i].order == 0);
    }
    CHECK(str_eq((struct str){NULL, 0}, STR("")));
    CHECK_EQ(str_cmp((struct str){NULL, 0}, STR("")), 0);
    CHECK(str_is(STR("x"), "x"));
}

TEST(buffer_builds_text)
{
    SCOPED_STRBUF sb = {0};
    CHECK_STR(strbuf_cstr(&sb), "");
    CHECK_EQ(strbuf_str(&sb).n, 0);
    strbuf_adds(&sb, "a");
    strbuf_addc(&sb, 'b');
    strbuf_addstr(&sb, STR("cd"));
    strbuf_pad(&sb, '-', 3);
    strbuf_printf(&sb, "%d/%s", 12, "x");
    strbuf_add(&sb, NULL, 0);
    CHECK_STR(strbuf_cstr(&sb), "abcd---12/x");
    CHECK_EQ(sb.n, strlen(sb.p));
    strbuf_reset(&sb);
    CHECK_STR(strbuf_cstr(&sb), "");
}

TEST(printf_longer_than_the_reserve)
{
    SCOPED_STRBUF sb = {0};
    for (int len = 0; len < 400; len++) {
        strbuf_reset(&sb);
        strbuf_printf(&sb, "%*d|", len, 7);
        CHECK_EQ(sb.n, (len > 1 ? len : 1) + 1);
        CHECK_EQ(sb.p[sb.n - 1], '|');
        CHECK_EQ(sb.p[sb.n], 0);
    }
}

TEST(buffer_holds_nul_bytes)
{
    SCOPED_STRBUF sb = {0};
    strbuf_add(&sb, "a\0b", 3);
    CHECK_EQ(sb.n, 3);
    CHECK(str_eq(strbuf_str(&sb), (struct str){"a\0b", 3}));
}

TEST(dup_is_terminated)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct str s = str_dup(&arena, (struct str){"hello", 4});
    CHECK_STR(s.p, "hell");
    CHECK_EQ(str_dup(&arena, (struct str){NULL, 0}).n, 0);
    arena_done(&arena);
}

/* Nothing is left over when such a buffer is dropped. */
TEST(buffer_in_an_arena)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct strbuf sb = {.arena = &arena};
    CHECK_STR(strbuf_cstr(&sb), "");
    for (int i = 0; i < 1000; i++) {
        strbuf_printf(&sb, "%d,", i % 10);
    }
    CHECK_EQ(sb.n, 2000);
    CHECK_EQ(strlen(sb.p), 2000);
    CHECK_EQ(sb.p[1998], '9');
    strbuf_done(&sb);
    strbuf_adds(&sb, "again");
    CHECK_STR(strbuf_cstr(&sb), "again");
    arena_done(&arena);
}

/* Words of a command line, each in brackets; ! when a quote is open. */
static void words_of(const char *text, struct strbuf *out)
{
    struct str line = str_of(text);
    SCOPED_STRBUF word = {0};
    int more = 0;
    while ((more = command_word(&line, &word)) > 0) {
        strbuf_printf(out, "[%s]", strbuf_cstr(&word));
        strbuf_reset(&word);
    }
    strbuf_adds(out, more < 0 ? "!" : "");
}

TEST(command_lines)
{
    static const char *const rows[][2] = {
        {"",                    ""             },
        {"  ",                  ""             },
        {"a  b\tc ",            "[a][b][c]"    },
        {"a 'b c' d",           "[a][b c][d]"  },
        {"x'y z'\"1 2\"w",      "[xy z1 2w]"   },
        {"'' \"\"",             "[][]"         },
        {"\"a\\\"b\\\\c\\d'\"", "[a\"b\\c\\d']"},
        {"'a\\b\"'",            "[a\\b\"]"     },
        {"a\\ b \\' \\\\",      "[a b]['][\\]" },
        {"a 'b",                "[a]!"         },
        {"a \"b\\\"",           "[a]!"         },
        {"a \\",                "[a]!"         },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED_STRBUF out = {0};
        words_of(rows[i][0], &out);
        CHECK_STR(strbuf_cstr(&out), rows[i][1]);
        CHECK_EQ(command_state('\0', str_of(rows[i][0])) != '\0', strchr(rows[i][1], '!') != NULL);
    }
}

/* Whatever is quoted comes back as one word. */
TEST(command_quotes)
{
    static const char *const texts[] = {"", "a", "a b", "'", "\"", "\\", "a'b\"c\\d e\\", " "};
    static const char *const marks[] = {"", "'", "\""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t k = 0; k < 3; k++) {
            SCOPED_STRBUF line = {0}, out = {0}, want = {0};
            strbuf_adds(&line, marks[k]);
            command_quote(&line, marks[k][0], str_of(texts[i]), false);
            strbuf_adds(&line, marks[k]);
            words_of(strbuf_cstr(&line), &out);
            strbuf_printf(&want, "[%s]", texts[i]);
            CHECK_STR(strbuf_cstr(&out), strbuf_cstr(&want));
        }
    }
    SCOPED_STRBUF cut = {0}, out = {0};
    command_quote(&cut, '\0', STR("a b' c"), true);
    words_of(strbuf_cstr(&cut), &out);
    CHECK_STR(strbuf_cstr(&out), "[a][b'][c]");
}

/* Lines, columns and printed diagnostics. */
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "syntax/syntax_int.h"
#include "test.h"

static struct place place_of(const char *text, uint32_t begin, uint32_t end)
{
    struct arena arena;
    struct sources sources;
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    sources_add(&sources, "t.tla", str_of(text), false);
    struct place place = sources_place(&sources, (struct span){0, begin, end});
    arena_done(&arena);
    return place;
}

TEST(places)
{
    static const struct {
        const char *text;
        uint32_t begin, end, line, column, end_line, end_column;
    } rows[] = {
        {"abc",                0, 3,  1, 1,  1, 3 },
        {"abc",                3, 3,  1, 4,  1, 4 },
        {"",                   0, 0,  1, 1,  1, 1 },
        {"a\nbc\n",            2, 4,  2, 1,  2, 2 },
        {"a\r\nbc",            3, 5,  2, 1,  2, 2 },
        {"a\rbc",              2, 4,  2, 1,  2, 2 },
        {"a\n\nb",             3, 4,  3, 1,  3, 1 },
        {"\tx",                1, 2,  1, 9,  1, 9 }, /* a tab goes to column 8 */
        {"abc\tx",             4, 5,  1, 9,  1, 9 }, /* wherever it starts */
        {"12345678\tx",        9, 10, 1, 17, 1, 17}, /* column 8 is full: on to 16 */
        {"\xE2\x88\xA7 x",     4, 5,  1, 3,  1, 3 }, /* one column for a character of three bytes */
        {"\xF0\x9F\x98\x80 x", 5, 6,  1, 4,  1, 4 }, /* two for one that Java holds as two */
        {"\xFF\xFE x",         3, 4,  1, 4,  1, 4 }, /* malformed bytes count one each */
        {"ab\ncd",             1, 4,  1, 2,  2, 1 },
        {"ab",                 1, 99, 1, 2,  1, 2 }, /* beyond the end */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct place place = place_of(rows[i].text, rows[i].begin, rows[i].end);
        CHECK_EQ(place.line, rows[i].line);
        CHECK_EQ(place.column, rows[i].column);
        CHECK_EQ(place.end_line, rows[i].end_line);
        CHECK_EQ(place.end_column, rows[i].end_column);
    }
}

static void printed(const char *text, struct span span, bool color, struct strbuf *out)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    sources_add(&sources, "dir/t.tla", str_of(text), false);
    struct diag *diag = diag_add(&diags, DIAG_PARSE_MODULE_OPEN, span, "something %d", 7);
    diag_note(&diags, diag, (struct span){0, 0, 1}, "from here");
    diag_print(&sources, diag, color, out);
    arena_done(&arena);
}

TEST(print_with_caret_note_and_hint)
{
    struct strbuf out = {0};
    printed("A == 1\n\tB == xyz + 2\n", (struct span){0, 13, 16}, false, &out);
    CHECK_STR(strbuf_cstr(&out), "dir/t.tla:2:14: error[E2007]: something 7\n"
                                 "    2 |         B == xyz + 2\n"
                                 "      |              ^~~\n"
                                 "dir/t.tla:1:1: note: from here\n"
                                 "    1 | A == 1\n"
                                 "      | ^\n"
                                 "  hint: end the module with ====\n");
    strbuf_done(&out);
}

TEST(print_in_color)
{
    struct strbuf out = {0};
    printed("A", (struct span){0, 0, 1}, true, &out);
    CHECK(strstr(strbuf_cstr(&out), "\033[1;31merror[E2007]:\033[0m") != NULL);
    CHECK(strstr(strbuf_cstr(&out), "\033[1;31m^\033[0m") != NULL);
    strbuf_done(&out);
}

/* A file must not be able to drive the terminal. */
TEST(print_makes_control_characters_harmless)
{
    struct strbuf out = {0};
    printed("a\033[31m\x7F\x01\xFF\xC2\x9B b", (struct span){0, 0, 1}, false, &out);
    for (size_t i = 0; i < out.n; i++) {
        unsigned char c = (unsigned char)out.p[i];
        CHECK(c >= 0x20 ? c != 0x7F : c == '\n');
    }
    CHECK(strstr(strbuf_cstr(&out), "\xC2\x9B") == NULL);
    CHECK(strstr(strbuf_cstr(&out), "\xFF") == NULL);
    strbuf_done(&out);
}

TEST(print_cuts_long_lines)
{
    static char text[100001];
    memset(text, 'a', sizeof text - 1);
    text[70000] = 'b';
    struct strbuf out = {0};
    printed(text, (struct span){0, 70000, 90000}, false, &out);
    CHECK(out.n < 2000);
    CHECK(strstr(strbuf_cstr(&out), "aba") != NULL);
    strbuf_done(&out);
}

TEST(print_at_the_end_of_a_line)
{
    for (uint32_t n = 150; n < 170; n++) {
        char text[200];
        memset(text, 'a', n);
        text[n] = 0;
        struct strbuf out = {0};
        printed(text, (struct span){0, n, n}, false, &out);
        CHECK(out.n < 1000);
        strbuf_done(&out);
    }
}

/* A place that begins behind the last character of a line, and goes on in others. */
TEST(print_from_the_end_of_a_line)
{
    struct strbuf out = {0};
    printed("ab\ncde\nf", (struct span){0, 2, 6}, false, &out);
    CHECK(strstr(strbuf_cstr(&out), "    1 | ab\n      |   ^\n") != NULL);
    strbuf_reset(&out);
    printed("ab\ncde\nf", (struct span){0, 1, 6}, false, &out);
    CHECK(strstr(strbuf_cstr(&out), "    1 | ab\n      |  ^\n") != NULL);
    strbuf_reset(&out);
    printed("ab\ncde\nf", (struct span){0, 0, 6}, false, &out);
    CHECK(strstr(strbuf_cstr(&out), "    1 | ab\n      | ^~\n") != NULL);
    strbuf_reset(&out);
    printed("\ncde\nf", (struct span){0, 0, 3}, false, &out);
    CHECK(strstr(strbuf_cstr(&out), "    1 | \n      | ^\n") != NULL);
    strbuf_done(&out);
}

TEST(limit)
{
    struct arena arena;
    struct diags diags;
    arena_init(&arena, 0);
    diags_init(&diags, &arena);
    diags.limit = 3;
    for (int i = 0; i < 1000000; i++) {
        struct diag *diag = diag_add(&diags, DIAG_PARSE_UNEXPECTED, (struct span){0}, "x%d", i);
        diag_note(&diags, diag, (struct span){0}, "note");
        diag_hint(&diags, diag, "hint");
    }
    CHECK_EQ(diags.n, 3);
    CHECK_EQ(diags.errors, 1000000);
    CHECK(arena.used_bytes < 1000000);
    CHECK_STR(diags.v[2]->text, "x2");
    CHECK_STR(diags.v[2]->notes->text, "note");
    arena_done(&arena);
}

/* How many bytes a character has at its beginning; 0: none begins there. After the Unicode
 * standard, table 3-7. */
TEST(utf8)
{
    static const struct {
        const char *text;
        unsigned n, want;
    } rows[] = {
        {"",                 0, 0},
        {"a",                1, 1},
        {"\x7f",             1, 1},
        {"\x80",             1, 0},
        {"\xbf\x80",         2, 0},
        {"\xc0\x80",         2, 0},
        {"\xc1\xbf",         2, 0},
        {"\xc2\x80",         2, 2},
        {"\xc2\x80",         1, 0},
        {"\xc2\x7f",         2, 0},
        {"\xc2\xc0",         2, 0},
        {"\xdf\xbf",         2, 2},
        {"\xe0\x9f\xbf",     3, 0},
        {"\xe0\xa0\x80",     3, 3},
        {"\xe0\xa0\x80",     2, 0},
        {"\xe1\x80\x7f",     3, 0},
        {"\xe1\x7f\x80",     3, 0},
        {"\xe1\xc0\x80",     3, 0},
        {"\xe1\x80\xc0",     3, 0},
        {"\xed\x9f\xbf",     3, 3},
        {"\xed\xa0\x80",     3, 0},
        {"\xee\x80\x80",     3, 3},
        {"\xef\xbf\xbf",     3, 3},
        {"\xf0\x8f\xbf\xbf", 4, 0},
        {"\xf0\x90\x80\x80", 4, 4},
        {"\xf0\x90\x80\x80", 3, 0},
        {"\xf1\x7f\x80\x80", 4, 0},
        {"\xf1\x80\x7f\x80", 4, 0},
        {"\xf1\x80\x80\x7f", 4, 0},
        {"\xf1\x80\xc0\x80", 4, 0},
        {"\xf3\xbf\xbf\xbf", 4, 4},
        {"\xf4\x8f\xbf\xbf", 4, 4},
        {"\xf4\x90\x80\x80", 4, 0},
        {"\xf5\x80\x80\x80", 4, 0},
        {"\xff\xbf\xbf\xbf", 4, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_EQ(utf8_len(rows[i].text, rows[i].n), rows[i].want);
    }
}

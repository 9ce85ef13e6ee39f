/* What is said about mistakes in mapping files, to the letter: test/corpus/messages/map.txt. A case
 * is a file, a line of five dashes, and the diagnostics with line and column; five signs of
 * equality end it. */
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "map/map.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "test.h"

static bool check_case(const char *text, const char *said)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct map *map = NULL;
    struct err err = {0};
    SCOPED_STRBUF got = {0};
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct source *source = sources_add(&sources, "m.toml", str_of(text), false);
    int rc = map_parse(&arena, source, "/dir", &diags, &map, &err);
    for (size_t i = 0; i < diags.n; i++) {
        struct place place = sources_place(&sources, diags.v[i]->span);
        strbuf_printf(&got, "%u:%u-%u: %s\n", place.line, place.column, place.end_column,
                      diags.v[i]->text);
    }
    if (err.text[0] != '\0') {
        strbuf_printf(&got, "%s\n", err.text);
    }
    CHECK_EQ(rc < 0, got.n > 0);
    bool good = strcmp(strbuf_cstr(&got), said) == 0;
    if (!good) {
        fprintf(stderr, "%s\nsays\n%swant\n%s\n", text, strbuf_cstr(&got), said);
    }
    arena_done(&arena);
    return good;
}

TEST(messages)
{
    struct arena arena;
    struct err err = {0};
    struct str text;
    arena_init(&arena, 0);
    CHECK_EQ(file_read(&arena, "test/corpus/messages/map.txt", 1 << 20, &text, &err), 0);
    const char *at = arena_strndup(&arena, text.p, text.n);
    size_t cases = 0;
    bool good = true;
    while (*at != '\0') {
        const char *middle = strstr(at, "\n-----\n");
        const char *end = strstr(at, "\n=====\n");
        CHECK(middle != NULL && end != NULL && middle < end);
        const char *file = arena_strndup(&arena, at, (size_t)(middle - at));
        const char *said = middle + strlen("\n-----\n");
        size_t n = said > end ? 0 : (size_t)(end + 1 - said); /* nothing is said */
        good = check_case(file, arena_strndup(&arena, said, n)) && good;
        cases++;
        at = end + strlen("\n=====\n");
    }
    CHECK(cases > 30);
    CHECK(good);
    arena_done(&arena);
}

/* What is said about mistakes in mapping files, to the letter: test/corpus/messages/map.txt. A case
 * is a file, a line of five dashes, and the diagnostics with line and column; five signs of
 * equality end it. */
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "map/map.h"
#include "messages_util.h"
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
    check_cases("test/corpus/messages/map.txt", 31, check_case);
}

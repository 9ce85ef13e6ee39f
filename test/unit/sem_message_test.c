/* What is said about mistakes, to the letter: test/corpus/messages/sem.txt. A case is the units of
 * a module (its first line is line 2), a line of five dashes, and the diagnostics with line,
 * column, notes and hint; five signs of equality end it. */
#include <stdio.h>

#include "base/file.h"
#include "base/str.h"
#include "sem_util.h"

static void print_diags(struct fixture *fx, struct strbuf *out)
{
    for (size_t i = 0; i < fx->diags.n; i++) {
        const struct diag *diag = fx->diags.v[i];
        struct place place = sources_place(&fx->sources, diag->span);
        strbuf_printf(out, "%u:%u: %s\n", place.line, place.column, diag->text);
        for (const struct diag *note = diag->notes; note; note = note->next) {
            place = sources_place(&fx->sources, note->span);
            strbuf_printf(out, "  %u:%u: %s\n", place.line, place.column, note->text);
        }
        if (diag->hint) {
            strbuf_printf(out, "  %s\n", diag->hint);
        }
    }
}

static bool check_case(const char *units, const char *said)
{
    struct fixture fx;
    SCOPED_STRBUF got = {0};
    (void)!fixture_load(&fx, units);
    print_diags(&fx, &got);
    bool good = strcmp(strbuf_cstr(&got), said) == 0;
    if (!good) {
        fprintf(stderr, "%s\nsays\n%swant\n%s\n", units, strbuf_cstr(&got), said);
    }
    fixture_done(&fx);
    return good;
}

static void check_file(const char *path, size_t least)
{
    struct arena arena;
    struct err err = {0};
    struct str text;
    arena_init(&arena, 0);
    CHECK_EQ(file_read(&arena, path, 1 << 20, &text, &err), 0);
    const char *at = arena_strndup(&arena, text.p, text.n);
    size_t cases = 0;
    bool good = true;
    while (*at != '\0') {
        const char *middle = strstr(at, "\n-----\n");
        const char *end = strstr(at, "\n=====\n");
        CHECK(middle != NULL && end != NULL && middle < end);
        const char *units = arena_strndup(&arena, at, (size_t)(middle - at));
        const char *said = middle + strlen("\n-----\n");
        size_t n = said > end ? 0 : (size_t)(end + 1 - said); /* nothing is said */
        good = check_case(units, arena_strndup(&arena, said, n)) && good;
        cases++;
        at = end + strlen("\n=====\n");
    }
    CHECK(cases >= least);
    CHECK(good);
    arena_done(&arena);
}

TEST(messages)
{
    check_file("test/corpus/messages/sem.txt", 150);
}

TEST(messages_of_the_parser)
{
    check_file("test/corpus/messages/syntax.txt", 150);
}

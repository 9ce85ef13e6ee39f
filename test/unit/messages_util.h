/* Files of cases, test/corpus/messages: a text, a line of five dashes, and what is said about it;
 * five signs of equality end a case. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "test.h"

/* There are at least so many cases, and each is good. */
static void check_cases(const char *path, size_t least,
                        bool (*check_case)(const char *text, const char *said))
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
        const char *given = arena_strndup(&arena, at, (size_t)(middle - at));
        const char *said = middle + strlen("\n-----\n");
        size_t n = said > end ? 0 : (size_t)(end + 1 - said); /* nothing is said */
        good = check_case(given, arena_strndup(&arena, said, n)) && good;
        cases++;
        at = end + strlen("\n=====\n");
    }
    CHECK(cases >= least);
    CHECK(good);
    arena_done(&arena);
}

/* Histories for tests, in few words. */
#pragma once

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "history/history.h"
#include "test.h"

/* The verdict on a history, and the names of what was found. */
struct judged {
    int rc; /* negative: refused */
    enum hist_outcome outcome;
    char names[200];
    char text[4000];
    char err[480];
};

static struct judged judge(struct hist_options options, bool keyed, const char *text)
{
    struct judged judged = {0};
    struct arena arena;
    struct err err = {0};
    struct history *history = NULL;
    struct hist_result result = {0};
    arena_init(&arena, 0);
    judged.rc = history_parse(&arena, "h", str_of(text), keyed, &history, &err);
    if (judged.rc == 0) {
        judged.rc = history_check(history, &options, &result, &err);
        judged.outcome = result.outcome;
        snprintf(judged.names, sizeof judged.names, "%s", strbuf_cstr(&result.names));
        snprintf(judged.text, sizeof judged.text, "%s", strbuf_cstr(&result.text));
    }
    snprintf(judged.err, sizeof judged.err, "%s", err.text);
    hist_result_done(&result);
    history_free(history);
    arena_done(&arena);
    return judged;
}

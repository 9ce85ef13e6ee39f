/* Any bytes as a history, judged by every model. */
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "fuzz.h"
#include "history/history.h"

static void judge(struct str text, enum hist_model model, bool keyed)
{
    struct arena arena;
    struct err err = {0};
    struct history *history = NULL;
    struct hist_result result = {0};
    struct hist_options options = {.model = model, .keys = 7, .memory_bytes = 1 << 20};
    arena_init(&arena, 0);
    if (history_parse(&arena, "input", text, keyed, &history, &err) == 0 &&
        history_check(history, &options, &result, &err) == 0 && model < HIST_LIST_APPEND) {
        hist_result_done(&result);
        options.level = HIST_SEQUENTIAL;
        (void)!history_check(history, &options, &result, &err);
    }
    hist_result_done(&result);
    history_free(history);
    arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int model = 0; model < HIST_MODEL_COUNT; model++) {
        judge((struct str){(const char *)data, size}, (enum hist_model)model, model % 2 == 1);
    }
    return 0;
}

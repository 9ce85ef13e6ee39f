/* Any text as a file with a PlusCal algorithm: translated, with and without added labels, and asked
 * whether its translation is up to date. A text that is no module is also tried as an algorithm. */
#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"
#include "fuzz.h"
#include "pluscal/pluscal.h"

static void nothing(void *arg, enum pluscal_kind kind, struct str text)
{
    struct strbuf *out = arg;
    strbuf_reset(out);
    pluscal_print(kind, text, out);
}

static void translate(struct str text, bool label, bool debug)
{
    SCOPED_STRBUF said = {0};
    struct arena arena;
    struct pluscal_options options;
    struct pluscal_sink sink = {nothing, &said};
    struct pluscal_result result;
    size_t line = 0;
    arena_init(&arena, 0);
    pluscal_defaults(&options);
    options.label = label;
    options.debug = debug;
    if (pluscal_translate(&arena, text, &options, &sink, &result)) {
        struct pluscal_lines module = {result.module, 1, SIZE_MAX};
        (void)pluscal_config(&arena, &result.module, &options, result.default_values, &sink);
        (void)pluscal_stale(&arena, &module, &options, &sink, &line);
    }
    struct pluscal_lines module = {text, 1, SIZE_MAX};
    (void)pluscal_stale(&arena, &module, &options, &sink, &line);
    arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    if (!pluscal_is_text(text)) {
        return 0;
    }
    SCOPED_STRBUF wrapped = {0};
    strbuf_printf(&wrapped, "(* --algorithm a\n%.*s\n*)\n", STR_ARG(text));
    translate(text, false, true);
    translate(text, true, false);
    translate(strbuf_str(&wrapped), true, false);
    return 0;
}

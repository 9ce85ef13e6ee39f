/* The .cfg file that goes with a translation. What a person has written below the line that invites
 * to it stays. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

static const char DELIMITER[] = "\\* Add statements after this line.";

static const char *find(struct str line, const char *text)
{
    return line.n == 0 ? NULL : memmem(line.p, line.n, text, strlen(text));
}

/* The line names a specification, and not in a comment. */
static bool names_spec(struct str line)
{
    const char *word = find(line, "SPECIFICATION");
    const char *comment = find(line, "\\*");
    return word != NULL && (comment == NULL || comment > word);
}

struct str pluscal_config(struct arena *arena, const struct str *old,
                          const struct pluscal_options *options, bool default_values,
                          const struct pluscal_sink *sink)
{
    struct strs lines = {0};
    if (old != NULL) {
        pcal_lines_cut(arena, *old, &lines);
    }
    size_t first = 0;
    while (first < lines.n && find(lines.v[first], DELIMITER) == NULL) {
        first++;
    }
    bool has_line = first < lines.n;
    first = has_line ? first : 0;
    bool has_spec = false;
    for (size_t i = first; i < lines.n; i++) {
        has_spec = has_spec || names_spec(lines.v[i]);
    }
    struct strbuf out = {.arena = arena};
    if (has_spec && sink != NULL && sink->say != NULL) {
        sink->say(sink->arg, PLUSCAL_INFO,
                  str_of(arena_printf(arena,
                                      "File %.*s.cfg already contains SPECIFICATION statement,\n"
                                      "   so new one not written.",
                                      STR_ARG(options->file))));
    }
    strbuf_adds(&out, has_spec ? "" : "SPECIFICATION Spec\n");
    strbuf_adds(&out, options->termination ? "PROPERTY Termination\n" : "");
    strbuf_adds(&out, default_values ? "CONSTANT defaultInitValue = defaultInitValue\n" : "");
    if (!has_line) {
        strbuf_printf(&out, "%s\n", DELIMITER);
    }
    for (size_t i = first; i < lines.n; i++) {
        strbuf_printf(&out, "%.*s\n", STR_ARG(lines.v[i]));
    }
    return strbuf_str(&out);
}

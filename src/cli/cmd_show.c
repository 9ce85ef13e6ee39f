/* `assay show`: a trace, or a run as a sequence diagram, in the terminal. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/cli.h"
#include "examine/examine.h"
#include "option/option.h"
#include "trace/trace.h"
#include "value/value.h"
#include "view/show.h"
#include "view/view.h"

struct show_cmd {
    const char *file;
    uint64_t step, from, to;
    bool full, all, no_pager;
    enum color_when color;
};

#define CMD struct show_cmd
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_show[] = {
    {"", 0, "FILE", COMPLETE_FILE, TO_TEXT(CMD, file), "", NULL},
    {"step", 0, "N", NULL, TO_COUNT(CMD, step), "of a trace only state N, and what changed there", NULL},
    {"full", 0, NULL, NULL, TO_FLAG(CMD, full), "of a trace every state in full, not only what changes", NULL},
    {"from", 0, "N", NULL, TO_COUNT(CMD, from), "of a run the events from number N on", NULL},
    {"to", 0, "N", NULL, TO_COUNT(CMD, to), "of a run the events up to number N", NULL},
    {"all", 'a', NULL, NULL, TO_FLAG(CMD, all), "of a run also connections and timers", NULL},
    {"no-pager", 0, NULL, NULL, TO_FLAG(CMD, no_pager), "do not page, also on a terminal", NULL},
    {"color", 0, "WHEN", "auto always never", TO_COLOR(CMD, color), "auto, always or never", NULL},
    OPTIONS_END,
};
/* clang-format on */

__attribute__((noreturn)) static void no_fail(struct vctx *ctx, int code, const char *text)
{
    (void)ctx;
    assert_failed(__FILE__, __LINE__, "reading a trace", "%d %s", code, text);
}

/* ITF's states have their labels in "#meta", which is not of the trace: those of the document. */
static void name_states(struct trace *trace, struct str document, struct arena *arena)
{
    json_error_t wrong;
    json_t *json = json_loadb(document.p, document.n, JSON_DISABLE_EOF_CHECK, &wrong);
    const json_t *states = json_object_get(json, "states");
    for (size_t i = 0; i < trace->nstate; i++) {
        struct trace_state *s = &trace->states[i];
        const char *name = json_string_value(json_object_get(json_array_get(states, i), "label"));
        name = name != NULL ? name : "?";
        s->label = s->label != NULL ? s->label : arena_strndup(arena, name, strlen(name));
    }
    json_decref(json);
}

/* 1: it is a trace; 0: it is none; negative: an error. */
static int show_trace(const struct show_cmd *cmd, struct view_docs *docs, struct strbuf *out,
                      struct err *err)
{
    enum { TRACE_MAX = 1 << 30 };
    struct arena *arena = &docs->arena;
    struct strtab *strings = strtab_new();
    struct vctx ctx = {
        .arena = arena, .strings = strings, .set_size_max = UINT64_C(1) << 40, .fail = no_fail};
    struct trace trace = {0};
    struct str text;
    struct err why = {0};
    int status = file_read(arena, cmd->file, TRACE_MAX, &text, err);
    if (status == 0 && trace_read(&ctx, text, &trace, &why) == 0 && trace.nstate != 0) {
        struct palette pal = palette_get(color_wanted(cmd->color, STDOUT_FILENO));
        status = 1;
        name_states(&trace, strbuf_str(&docs->json), arena);
        if (cmd->step > trace.nstate) {
            status = err_set(err, ERR_INVALID, 0, "--step %" PRIu64 ": the trace has %zu states",
                             cmd->step, trace.nstate);
        } else {
            size_t first = cmd->step != 0 ? (size_t)cmd->step - 1 : 0;
            size_t last = cmd->step != 0 ? first : trace.nstate - 1;
            examine_states(&pal, &ctx, &trace, first, last, !cmd->full, out);
        }
    }
    strtab_free(strings);
    return status;
}

static int show_file(const struct show_cmd *cmd, struct strbuf *out, struct err *err)
{
    struct view_docs docs;
    struct show_run how = {.from = cmd->from,
                           .to = cmd->to,
                           .all = cmd->all,
                           .pal = palette_get(color_wanted(cmd->color, STDOUT_FILENO))};
    view_docs_init(&docs);
    int status = view_read(&docs, cmd->file, err);
    if (status == 0 && docs.n_traces != 0) {
        status = show_trace(cmd, &docs, out, err);
        status = status > 0 ? 0 : status;
    }
    if (status == 0 && out->n == 0 && !show_run(&how, strbuf_str(&docs.json), out)) {
        status = err_set(err, ERR_INVALID, 0,
                         "%s is neither a trace nor a run: 'assay view %s' shows it in a browser",
                         cmd->file, cmd->file);
    }
    view_docs_done(&docs);
    return status;
}

/* On a terminal through $PAGER, else less, if the text is longer than a screen. */
static int put_paged(const struct show_cmd *cmd, struct str text)
{
    enum { SCREEN = 40 };
    size_t lines = 0;
    for (size_t i = 0; i < text.n; i++) {
        lines += text.p[i] == '\n' ? 1 : 0;
    }
    const char *pager = getenv("PAGER");
    bool page = !cmd->no_pager && lines > SCREEN && isatty(STDOUT_FILENO) == 1;
    FILE *pipe = page ? popen(pager != NULL && pager[0] != '\0' ? pager : "less -RS", "w") : NULL;
    if (pipe == NULL) {
        return put_text(stdout, text);
    }
    (void)put_text(pipe, text); /* who leaves the pager has seen enough */
    return pclose(pipe) >= 0 ? 0 : -1;
}

int cmd_show(int argc, char **argv)
{
    struct show_cmd cmd = {0};
    struct err err = {0};
    SCOPED_STRBUF out = {0};
    if (options_parse(options_of_show, argc, argv, &cmd) != EXIT_OK) {
        return EXIT_USAGE;
    }
    if (cmd.file == NULL) {
        return usage_error("show", "which file? A trace, or the directory of a run");
    }
    if (show_file(&cmd, &out, &err) != 0) {
        (void)fprintf(stderr, "assay show: %s\n", err.text);
        return err.code == ERR_NOT_FOUND || err.code == ERR_IO ? EXIT_OTHER : EXIT_CONFIG;
    }
    return put_paged(&cmd, strbuf_str(&out)) == 0 ? EXIT_OK : EXIT_OTHER;
}

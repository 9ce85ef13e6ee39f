/* Runs of clusters: the events of a run (events.jsonl, else events.txt, else the choices of a
 * recording) as rows, and what the nodes have printed.
 *
 * A row is [number, seconds, event, from, to, kind, bytes, shown bytes, sent at]; of an event that
 * is no packet the last six are missing. What was observed is beside them, by the row's index. */
#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/report.h"
#include "view/docs_int.h"
#include "view/view.h"

enum { TEXT_MAX = 512 << 20, SHOWN_HEX = 256, LOG_MAX = 16 << 20 };

static bool next_line(struct str *text, struct str *ret)
{
    if (text->n == 0) {
        return false;
    }
    const char *end = memchr(text->p, '\n', text->n);
    size_t n = end != NULL ? (size_t)(end - text->p) : text->n;
    *ret = (struct str){text->p, n};
    n += end != NULL ? 1 : 0;
    *text = (struct str){text->p + n, text->n - n};
    return true;
}

static bool next_word(struct str *line, struct str *ret)
{
    size_t begin = 0;
    while (begin < line->n && line->p[begin] == ' ') {
        begin++;
    }
    size_t end = begin;
    while (end < line->n && line->p[end] != ' ') {
        end++;
    }
    *ret = (struct str){line->p + begin, end - begin};
    *line = (struct str){line->p + end, line->n - end};
    return ret->n != 0;
}

static bool is_number(struct str s)
{
    bool digits = s.n != 0;
    for (size_t i = 0; i < s.n; i++) {
        digits = digits && (isdigit((unsigned char)s.p[i]) != 0 || (s.p[i] == '.' && i != 0));
    }
    return digits;
}

/* ---- events.jsonl ---- */

static struct str member(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    return json_is_string(value) ? (struct str){json_string_value(value), json_string_length(value)}
                                 : STR("");
}

/* [index, {name: value}]: of the variables that have changed. */
static void put_observed(const json_t *json, size_t index, struct strbuf *out)
{
    const json_t *values = json_object_get(json, "observed");
    if (json_is_object(values)) {
        strbuf_printf(out, "%s[%zu,", out->n != 0 ? ",\n" : "", index);
        view_dump(values, out);
        strbuf_addc(out, ']');
    }
}

static bool row_of_json(struct str line, size_t index, struct strbuf *out, struct strbuf *observed)
{
    json_error_t wrong;
    json_t *json = json_loadb(line.p, line.n, 0, &wrong);
    const json_t *n = json_object_get(json, "n"), *t = json_object_get(json, "t");
    struct str event = member(json, "event"), from = member(json, "from"),
               hex = member(json, "hex");
    bool good = json_is_integer(n) && json_is_number(t) && event.n != 0;
    if (good) {
        strbuf_printf(out, "%s[%lld,%.9f,", index == 0 ? "" : ",\n",
                      (long long)json_integer_value(n), json_number_value(t));
        report_json(event, out);
    }
    if (good && from.n != 0) {
        strbuf_addc(out, ',');
        report_json(from, out);
        strbuf_addc(out, ',');
        report_json(member(json, "to"), out);
        strbuf_addc(out, ',');
        report_json(member(json, "what"), out);
        strbuf_printf(out, ",%lld,", (long long)json_integer_value(json_object_get(json, "bytes")));
        hex.n = hex.n < SHOWN_HEX ? hex.n : SHOWN_HEX;
        report_json(hex, out);
        const json_t *sent = json_object_get(json, "sent");
        if (json_is_number(sent)) {
            strbuf_printf(out, ",%.9f", json_number_value(sent));
        }
    }
    if (good) {
        strbuf_addc(out, ']');
        put_observed(json, index, observed);
    }
    json_decref(json);
    return good;
}

/* ---- events.txt: "12 0.001130 deliver 3  n2 > n1 SYN 0 "..."  2cf42089f54fdbed" ---- */

static bool row_of_text(struct str line, bool first, struct strbuf *out)
{
    struct str number, time, rest = line, word;
    if (!next_word(&rest, &number) || !next_word(&rest, &time) || !is_number(number) ||
        !is_number(time) || rest.n < 2) {
        return false;
    }
    rest = (struct str){rest.p + 1, rest.n - 1};
    const char *gap = memmem(rest.p, rest.n, "  ", 2);
    struct str event = {rest.p, gap != NULL ? (size_t)(gap - rest.p) : rest.n};
    struct str behind = {rest.p + event.n, rest.n - event.n};
    strbuf_printf(out, "%s[%.*s,%.*s,", first ? "" : ",\n", STR_ARG(number), STR_ARG(time));
    report_json(event, out);
    struct str from, arrow, to, what;
    if (next_word(&behind, &from) && next_word(&behind, &arrow) && str_is(arrow, ">") &&
        next_word(&behind, &to) && next_word(&behind, &what) && next_word(&behind, &word)) {
        word = str_is(word, "part") && next_word(&behind, &number) ? number : word;
        strbuf_addc(out, ',');
        report_json(from, out);
        strbuf_addc(out, ',');
        report_json(to, out);
        strbuf_addc(out, ',');
        report_json(what, out);
        strbuf_printf(out, ",%.*s,", is_number(word) ? (int)word.n : 1,
                      is_number(word) ? word.p : "0");
        const char *quote = memchr(behind.p, '"', behind.n);
        const char *end = quote != NULL ? memrchr(behind.p, '"', behind.n) : NULL;
        report_json(quote != NULL && end > quote ? (struct str){quote, (size_t)(end - quote) + 1}
                                                 : STR(""),
                    out);
    }
    strbuf_addc(out, ']');
    return true;
}

/* ---- a recording: "hash time event" ---- */

static bool row_of_choice(struct str line, size_t n, struct strbuf *out)
{
    enum { START_NS = 1000 }; /* clocks of runs begin at 1000 s */
    struct str hash, time, rest = line;
    if (!next_word(&rest, &hash) || hash.n != 16 || !next_word(&rest, &time) || !is_number(time) ||
        rest.n < 2) {
        return false;
    }
    char digits[32] = {0};
    memcpy(digits, time.p, time.n < sizeof digits - 1 ? time.n : sizeof digits - 1);
    double seconds = strtod(digits, NULL) / 1e9 - START_NS;
    strbuf_printf(out, "%s[%zu,%.9f,", n == 0 ? "" : ",\n", n + 1, seconds);
    report_json((struct str){rest.p + 1, rest.n - 1}, out);
    strbuf_addc(out, ']');
    return true;
}

enum form { FORM_NONE, FORM_JSON, FORM_TEXT, FORM_RECORD };

static enum form form_of(struct str text)
{
    struct str line;
    SCOPED_STRBUF ignored = {0};
    if (text.n > 10 && memcmp(text.p, "assay-run ", 10) == 0) {
        return FORM_RECORD;
    }
    if (!next_line(&text, &line)) {
        return FORM_NONE;
    }
    return row_of_json(line, 0, &ignored, &ignored)                                   ? FORM_JSON
           : memchr(line.p, '{', line.n) == NULL && row_of_text(line, true, &ignored) ? FORM_TEXT
                                                                                      : FORM_NONE;
}

static void put_rows(struct str text, enum form form, struct strbuf *out)
{
    struct str line;
    SCOPED_STRBUF observed = {0};
    size_t n = 0;
    strbuf_adds(out, ",\"events\":[");
    while (next_line(&text, &line)) {
        n += form == FORM_JSON   ? row_of_json(line, n, out, &observed)
             : form == FORM_TEXT ? row_of_text(line, n == 0, out)
                                 : row_of_choice(line, n, out);
    }
    strbuf_addc(out, ']');
    if (observed.n != 0) {
        strbuf_adds(out, ",\"observed\":[");
        strbuf_addstr(out, strbuf_str(&observed));
        strbuf_addc(out, ']');
    }
}

/* What the head of a recording says: lines "word rest", up to the choices. */
static void put_head(struct str text, struct strbuf *out)
{
    static const char *const words[] = {"cluster", "seed", "outcome"};
    struct str line;
    for (int lines = 0; lines < 64 && next_line(&text, &line); lines++) {
        struct str word, rest = line;
        bool any = next_word(&rest, &word);
        if (any && str_is(word, "choices")) {
            return;
        }
        for (size_t i = 0; any && i < sizeof words / sizeof words[0]; i++) {
            if (str_is(word, words[i])) {
                view_field(out, words[i], str_trim(rest));
            }
        }
    }
}

int view_read_run(struct view_docs *docs, const char *path, struct str text, struct err *err)
{
    SCOPED_STRBUF out = {0};
    enum form form = form_of(text);
    (void)err;
    if (form == FORM_NONE) {
        return 0;
    }
    view_field(&out, "file", str_of(path));
    if (form == FORM_RECORD) {
        view_field(&out, "replay", str_of(path));
        put_head(text, &out);
    }
    put_rows(text, form, &out);
    view_add(docs, "run", strbuf_str(&out));
    return 1;
}

/* ---- a directory ---- */

struct logs {
    struct view_docs *docs;
    VEC(char *) names;
};

static void add_name(void *arg, const char *name)
{
    struct logs *logs = arg;
    size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, ".log") == 0) {
        VEC_PUSH(&logs->names, arena_strndup(&logs->docs->arena, name, n - 4));
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_log(struct arena *arena, const char *dir, const char *name, struct strbuf *out)
{
    SCOPED_STRBUF path = {0};
    struct str text, line, time;
    struct err err;
    bool first = true;
    strbuf_printf(&path, "%s/%s.log", dir, name);
    report_json(str_of(name), out);
    strbuf_adds(out, ":[");
    if (file_read(arena, strbuf_cstr(&path), LOG_MAX, &text, &err) == 0) {
        while (next_line(&text, &line)) {
            struct str rest = line;
            bool timed = next_word(&rest, &time) && is_number(time);
            strbuf_printf(out, "%s[%.*s,", first ? "" : ",", timed ? (int)time.n : 4,
                          timed ? time.p : "null");
            report_json(timed ? str_trim(rest) : line, out);
            strbuf_addc(out, ']');
            first = false;
        }
    }
    strbuf_addc(out, ']');
}

static void put_logs(struct view_docs *docs, struct arena *arena, const char *dir,
                     struct strbuf *out)
{
    struct logs logs = {.docs = docs};
    dir_each(dir, add_name, &logs);
    if (logs.names.n > 1) {
        qsort((void *)logs.names.v, logs.names.n, sizeof logs.names.v[0], by_name);
    }
    strbuf_adds(out, ",\"logs\":{");
    for (size_t i = 0; i < logs.names.n; i++) {
        strbuf_adds(out, i != 0 ? "," : "");
        put_log(arena, dir, logs.names.v[i], out);
    }
    strbuf_addc(out, '}');
    VEC_DONE(&logs.names);
}

int view_read_run_dir(struct view_docs *docs, const char *dir, struct err *err)
{
    static const char *const files[] = {"events.jsonl", "events.txt"};
    struct arena arena;
    struct str text = {0};
    struct err ignored;
    enum form form = FORM_NONE;
    SCOPED_STRBUF out = {0};
    SCOPED_STRBUF replay = {0};
    arena_init(&arena, 0);
    for (size_t i = 0; form == FORM_NONE && i < sizeof files / sizeof files[0]; i++) {
        const char *path = path_join(&arena, dir, files[i]);
        form = file_read(&arena, path, TEXT_MAX, &text, &ignored) == 0 ? form_of(text) : FORM_NONE;
    }
    if (form == FORM_NONE) {
        arena_done(&arena);
        return err_set(err, ERR_INVALID, 0,
                       "%s is not the directory of a run: no events.txt or events.jsonl in it",
                       dir);
    }
    view_field(&out, "file", str_of(dir));
    put_rows(text, form, &out);
    strbuf_printf(&replay, "%s/replay", dir);
    if (file_read(&arena, strbuf_cstr(&replay), TEXT_MAX, &text, &ignored) == 0) {
        view_field(&out, "replay", strbuf_str(&replay));
        put_head(text, &out);
    }
    put_logs(docs, &arena, dir, &out);
    view_add(docs, "run", strbuf_str(&out));
    arena_done(&arena);
    return 0;
}

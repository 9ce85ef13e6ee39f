/* A file to operations. Three notations are read: JSON (a value for each event, or one array), EDN
 * (likewise) and the lines that Jepsen logs. Which of them it is, the first characters tell.
 *
 * An event is the call of an operation (invoke) or its end: ok, fail (it did not happen), info
 * (nobody knows). A process has one operation at a time. */
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history.h"
#include "history/history_int.h"

enum notation { NOTATION_JSON, NOTATION_EDN, NOTATION_LOG };
enum { FILE_BYTES_MAX = 1 << 30 };

/* What is needed while a file is read. */
struct reader {
    struct history *history;
    struct hist_text text;
    bool keyed;
    struct hval process, type, f, value, key, node; /* names of fields */
    struct hval invoke, ok, fail, info, nemesis;    /* their values */
    struct u64map open;                             /* process -> operation */
};

struct event {
    struct hval process, type, f, value, key;
    unsigned line;
};

int hist_error(const struct history *history, unsigned line, struct err *err, const char *fmt, ...)
{
    SCOPED_STRBUF said = {0};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&said, fmt, ap);
    va_end(ap);
    return err_set(err, ERR_INVALID, 0, "%s:%u: %s", history->name, line, strbuf_cstr(&said));
}

static enum notation notation_of(struct str text)
{
    const char *p = text.p;
    const char *end = text.p + text.n;
    bool opened = false;
    for (; p < end; p++) {
        if (strchr(" \t\r\n,", *p) != NULL) {
            continue;
        }
        if (*p == '{' || *p == '[') {
            opened = true;
            continue;
        }
        if (opened) {
            return *p == '"' || *p == '}' || *p == ']' ? NOTATION_JSON : NOTATION_EDN;
        }
        return strchr(";#(", *p) != NULL ? NOTATION_EDN : NOTATION_LOG;
    }
    return NOTATION_JSON;
}

static bool field(const struct hvals *vals, struct hval map, struct hval name, struct hval *ret)
{
    const struct hval_node *node = hval_at(vals, map);
    for (uint32_t i = 0; i < node->n; i += 2) {
        if (hval_eq(node->items[i], name)) {
            *ret = node->items[i + 1];
            return true;
        }
    }
    return false;
}

/* A pair [key value] taken apart. */
static int split_key(struct reader *r, struct event *event, struct err *err)
{
    const struct hval_node *node = hval_at(&r->history->vals, event->value);
    if (node->kind == HVAL_KIND_NIL) {
        return 0;
    }
    if (node->kind != HVAL_KIND_LIST || node->n != 2) {
        return hist_error(r->history, event->line, err,
                          "the value of an operation must be a pair [key value] here");
    }
    event->key = node->items[0];
    event->value = node->items[1];
    return 0;
}

static int event_call(struct reader *r, const struct event *event, struct err *err)
{
    uint64_t open;
    if (u64map_get(&r->open, event->process.id, &open) && open != 0) {
        SCOPED_STRBUF name = {0};
        hval_print(&r->history->vals, event->process, &name);
        return hist_error(
            r->history, event->line, err,
            "process %s calls although its operation of line %u has not ended; a client that "
            "gave up writes \"info\" first",
            strbuf_cstr(&name), r->history->ops.v[open - 1].call_line);
    }
    VEC_PUSH(&r->history->ops, (struct hist_op){.process = event->process,
                                                .f = event->f,
                                                .key = event->key,
                                                .in = event->value,
                                                .call = r->history->moments++,
                                                .ret = HIST_NEVER,
                                                .call_line = event->line,
                                                .end = HIST_OPEN});
    u64map_put(&r->open, event->process.id, r->history->ops.n);
    return 0;
}

static int event_end(struct reader *r, const struct event *event, struct err *err)
{
    uint64_t open;
    if (!u64map_get(&r->open, event->process.id, &open) || open == 0) {
        SCOPED_STRBUF name = {0};
        hval_print(&r->history->vals, event->process, &name);
        return hist_error(r->history, event->line, err,
                          "process %s ends an operation that it never began", strbuf_cstr(&name));
    }
    struct hist_op *op = &r->history->ops.v[open - 1];
    if (!hval_eq(op->f, event->f)) {
        return hist_error(r->history, event->line, err,
                          "this is the end of another kind of operation than the one of line %u",
                          op->call_line);
    }
    op->ret_line = event->line;
    if (hval_eq(event->type, r->ok)) {
        op->end = HIST_OK;
        op->out = event->value;
        op->ret = r->history->moments;
        if (!hval_eq(event->key, HVAL_NIL)) {
            op->key = event->key;
        }
    } else if (hval_eq(event->type, r->fail)) {
        op->end = HIST_FAIL;
        op->ret = r->history->moments;
    }
    r->history->moments++;
    u64map_put(&r->open, event->process.id, 0);
    return 0;
}

static int take_event(struct reader *r, struct event *event, struct err *err)
{
    if (hval_eq(event->process, r->nemesis)) {
        return 0;
    }
    if (r->keyed && split_key(r, event, err) < 0) {
        return -ERR_INVALID;
    }
    if (hval_eq(event->type, r->invoke)) {
        return event_call(r, event, err);
    }
    if (hval_eq(event->type, r->ok) || hval_eq(event->type, r->fail) ||
        hval_eq(event->type, r->info)) {
        return event_end(r, event, err);
    }
    return hist_error(r->history, event->line, err, "\"type\" must be invoke, ok, fail or info");
}

/* An event as a map. */
static int take_map(struct reader *r, struct hval map, unsigned line, struct err *err)
{
    struct hvals *vals = &r->history->vals;
    if (hval_at(vals, map)->kind != HVAL_KIND_MAP) {
        return hist_error(r->history, line, err,
                          "an event is an object such as {\"process\":0,\"type\":\"invoke\","
                          "\"f\":\"write\",\"value\":1}");
    }
    struct event event = {.line = line};
    struct hval node;
    bool has_node = field(vals, map, r->node, &node);
    if (!field(vals, map, r->process, &event.process) && !has_node) {
        return hist_error(r->history, line, err, "the event has no \"process\"");
    }
    if (has_node) { /* processes of two nodes are two, whatever their names */
        struct hval pair[] = {node, event.process};
        event.process = hval_eq(event.process, HVAL_NIL) ? node : hval_list(vals, pair, 2);
    }
    if (!field(vals, map, r->type, &event.type)) {
        return hist_error(r->history, line, err, "the event has no \"type\"");
    }
    field(vals, map, r->f, &event.f);
    field(vals, map, r->value, &event.value);
    field(vals, map, r->key, &event.key);
    return take_event(r, &event, err);
}

/* Past blanks, commas and the comments of EDN; the brackets around all events are no more than
 * that.
 */
static void skip_frame(struct hist_text *text)
{
    bool comment = false;
    for (; text->at < text->end; text->at++) {
        comment = *text->at != '\n' && (comment || *text->at == ';');
        if (!comment && strchr(" \t\r\n,[]()", *text->at) == NULL) {
            return;
        }
        text->line += *text->at == '\n';
    }
}

static int read_values(struct reader *r, enum notation notation, struct err *err)
{
    for (;;) {
        struct hval value;
        skip_frame(&r->text);
        unsigned line = r->text.line;
        int rc = notation == NOTATION_JSON ? hist_json(&r->history->vals, &r->text, &value, err)
                                           : hist_edn(&r->history->vals, &r->text, &value, err);
        if (rc > 0) {
            rc = take_map(r, value, line, err);
            if (rc == 0) {
                continue;
            }
        }
        return rc;
    }
}

/* "... - PROCESS :TYPE :F VALUE"; lines that are not of this form are something else. */
static int read_log_line(struct reader *r, struct str line, struct err *err)
{
    struct hist_text text = {
        .name = r->text.name, .line = r->text.line, .at = line.p, .end = line.p + line.n};
    for (size_t i = 0; i + 3 <= line.n; i++) {
        if (memcmp(line.p + i, " - ", 3) == 0) {
            text.at = line.p + i + 3;
        }
    }
    struct event event = {.line = r->text.line};
    struct hval *parts[] = {&event.process, &event.type, &event.f, &event.value};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int rc = hist_edn(&r->history->vals, &text, parts[i], i < 2 ? NULL : err);
        bool named = i != 1 || hval_eq(event.type, r->invoke) || hval_eq(event.type, r->ok) ||
                     hval_eq(event.type, r->fail) || hval_eq(event.type, r->info);
        if (i < 2 && (rc <= 0 || !named)) {
            return 0;
        }
        if (rc < 0) {
            return rc;
        }
        if (rc == 0 && i == 2) {
            return hist_error(r->history, event.line, err, "the operation has no name");
        }
    }
    return take_event(r, &event, err);
}

static int read_log(struct reader *r, struct err *err)
{
    while (r->text.at < r->text.end) {
        const char *eol = memchr(r->text.at, '\n', (size_t)(r->text.end - r->text.at));
        const char *end = eol != NULL ? eol : r->text.end;
        int rc = read_log_line(r, (struct str){r->text.at, (size_t)(end - r->text.at)}, err);
        if (rc < 0) {
            return rc;
        }
        r->text.at = eol != NULL ? eol + 1 : end;
        r->text.line++;
    }
    return 0;
}

static void reader_names(struct reader *r)
{
    struct hvals *vals = &r->history->vals;
    r->process = hval_text(vals, STR("process"));
    r->type = hval_text(vals, STR("type"));
    r->f = hval_text(vals, STR("f"));
    r->value = hval_text(vals, STR("value"));
    r->key = hval_text(vals, STR("key"));
    r->node = hval_text(vals, STR(HISTORY_NODE));
    r->invoke = hval_text(vals, STR("invoke"));
    r->ok = hval_text(vals, STR("ok"));
    r->fail = hval_text(vals, STR("fail"));
    r->info = hval_text(vals, STR("info"));
    r->nemesis = hval_text(vals, STR("nemesis"));
}

void history_free(struct history *history)
{
    if (history != NULL) {
        hvals_done(&history->vals);
        VEC_DONE(&history->ops);
    }
}

int history_parse(struct arena *arena, const char *name, struct str text, bool keyed,
                  struct history **ret_history, struct err *err)
{
    struct history *history = ARENA_NEW(arena, struct history);
    history->arena = arena;
    history->name = name;
    hvals_init(&history->vals, arena);
    struct reader r = {
        .history = history,
        .keyed = keyed,
        .text = {.name = name, .at = text.p, .end = text.p + text.n, .line = 1}
    };
    reader_names(&r);
    enum notation notation = notation_of(text);
    int rc = notation == NOTATION_LOG ? read_log(&r, err) : read_values(&r, notation, err);
    u64map_done(&r.open);
    if (rc >= 0 && history->ops.n == 0) {
        rc = err_set(err, ERR_INVALID, 0, "%s: there is no operation in it", name);
    }
    if (rc < 0) {
        history_free(history);
        return rc;
    }
    *ret_history = history;
    return 0;
}

int history_read(struct arena *arena, const char *path, bool keyed, struct history **ret_history,
                 struct err *err)
{
    struct str text;
    int rc = file_read(arena, path, FILE_BYTES_MAX, &text, err);
    if (rc < 0) {
        return rc;
    }
    return history_parse(arena, path, text, keyed, ret_history, err);
}

/* Graphs in TLC's DOT files: a state in a line `ID [label="..."...]`, filled when it is initial, a
 * step in a line `ID -> ID [label="Action",...]`. Everything else (ranks, legends) is passed over.
 * Lines are what TLC writes, so this is no parser of the DOT language. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "graph/graph.h"
#include "graph/graph_int.h"

struct dot {
    const char *path;
    struct graph *graph;
    struct strmap states, labels; /* by their numbers */
    VEC(uint32_t) from, to, label, initial;
    VEC(struct graph_label) texts;
    size_t line;
};

static uint32_t state_id(struct dot *d, struct str name)
{
    size_t known = strmap_number(&d->states, name);
    if (known == SIZE_MAX) {
        known = d->states.n;
        (void)strmap_put(&d->states, str_dup(d->graph->arena, name), d);
    }
    return (uint32_t)known;
}

/* The action is what stands before its arguments. */
static uint32_t label_id(struct dot *d, struct str text)
{
    size_t known = strmap_number(&d->labels, text);
    if (known == SIZE_MAX) {
        const char *open = memchr(text.p, '(', text.n);
        struct str name = {text.p, open != NULL ? (size_t)(open - text.p) : text.n};
        struct graph_label label = {str_dup(d->graph->arena, text),
                                    graph_action(d->graph, str_trim(name))};
        known = d->labels.n;
        VEC_PUSH(&d->texts, label);
        (void)strmap_put(&d->labels, label.text, d);
    }
    return (uint32_t)known;
}

/* A name at the beginning of the line: a number, a word, or something in quotes. */
static bool take_name(struct str *line, struct str *ret)
{
    size_t n = 0;
    *line = str_trim(*line);
    if (line->n != 0 && line->p[0] == '"') {
        const char *end = memchr(line->p + 1, '"', line->n - 1);
        n = end != NULL ? (size_t)(end - line->p) + 1 : 0;
    } else {
        n = line->n != 0 && line->p[0] == '-' ? 1 : 0;
        while (n < line->n && (isalnum((unsigned char)line->p[n]) || line->p[n] == '_')) {
            n++;
        }
    }
    *ret = (struct str){line->p, n};
    *line = str_trim((struct str){line->p + n, line->n - n});
    return n != 0;
}

static bool has(struct str line, const char *text)
{
    return memmem(line.p, line.n, text, strlen(text)) != NULL;
}

/* The text in label="...", as it was before quotes and backslashes were escaped. */
static bool take_label(struct str line, struct strbuf *ret)
{
    const char *at = memmem(line.p, line.n, "label=\"", 7);
    size_t left = at != NULL ? line.n - (size_t)(at - line.p) - 7 : 0;
    strbuf_reset(ret);
    if (at == NULL) {
        return true; /* it has none */
    }
    for (at += 7; left > 0 && *at != '"'; at++, left--) {
        if (*at == '\\' && left > 1) {
            at++;
            left--;
        }
        strbuf_addc(ret, *at);
    }
    return left > 0;
}

static int take_line(struct dot *d, struct str line, struct err *err)
{
    struct str name, other;
    SCOPED_STRBUF label = {0};
    if (!take_name(&line, &name) || line.n == 0 || str_is(name, "node") || str_is(name, "edge") ||
        str_is(name, "graph") || line.p[0] == '=') {
        return 0;
    }
    if (line.n > 2 && memcmp(line.p, "->", 2) == 0) {
        line = (struct str){line.p + 2, line.n - 2};
        if (!take_name(&line, &other) || !take_label(line, &label) ||
            (line.n != 0 && line.p[line.n - 1] != ';' && line.p[line.n - 1] != ']')) {
            return err_set(err, ERR_CORRUPT, 0, "%s:%zu: this step is not complete", d->path,
                           d->line);
        }
        VEC_PUSH(&d->from, state_id(d, name));
        VEC_PUSH(&d->to, state_id(d, other));
        VEC_PUSH(&d->label, label_id(d, strbuf_str(&label)));
        return 0;
    }
    if (line.p[0] == '[' && (isdigit((unsigned char)name.p[0]) || name.p[0] == '-') &&
        has(line, "style = filled") && !has(line, "fillcolor")) {
        VEC_PUSH(&d->initial, state_id(d, name));
    }
    return 0;
}

/* Every brace outside of quotes is closed. */
static bool is_whole(struct str text)
{
    int64_t open = 0;
    bool quoted = false, any = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        i += quoted && c == '\\' ? 1 : 0;
        quoted = c == '"' ? !quoted : quoted;
        any = any || (!quoted && c == '{');
        open += quoted ? 0 : (c == '{') - (c == '}');
    }
    return any && open == 0 && !quoted;
}

static int take_all(struct dot *d, struct str text, struct err *err)
{
    int status = 0;
    if (!has((struct str){text.p, text.n < 200 ? text.n : 200}, "digraph")) {
        return err_set(err, ERR_INVALID, 0, "%s is no DOT file of a state graph", d->path);
    }
    if (!is_whole(text)) {
        return err_set(err, ERR_CORRUPT, 0, "%s is cut off: a brace is not closed", d->path);
    }
    while (status == 0 && text.n != 0) {
        const char *newline = memchr(text.p, '\n', text.n);
        size_t n = newline != NULL ? (size_t)(newline - text.p) : text.n;
        d->line++;
        status = take_line(d, (struct str){text.p, n}, err);
        n += newline != NULL ? 1 : 0;
        text = (struct str){text.p + n, text.n - n};
    }
    if (status == 0 && d->initial.n == 0) {
        status = err_set(err, ERR_INVALID, 0,
                         "%s has no initial state (a filled one): was it written by TLC?", d->path);
    }
    return status;
}

int graph_read_dot(const char *path, struct graph **ret, struct err *err)
{
    struct arena arena;
    struct str text;
    arena_init(&arena, 0);
    struct dot d = {.path = path, .graph = graph_new()};
    int status = file_read(&arena, path, SIZE_MAX / 2, &text, err);
    status = status != 0 ? status : take_all(&d, text, err);
    if (status == 0) {
        struct str base = path_base(str_of(path));
        d.graph->spec = str_dup(d.graph->arena, (struct str){base.p, base.n - 4});
        d.graph->labels = d.texts.v;
        d.graph->n_labels = (uint32_t)d.texts.n;
        d.texts.v = NULL;
        struct graph_parts parts = {d.states.n, d.from.n,  d.initial.n, d.from.v,
                                    d.to.v,     d.label.v, d.initial.v};
        status = graph_make(d.graph, &parts, err);
    }
    strmap_done(&d.states);
    strmap_done(&d.labels);
    VEC_DONE(&d.from);
    VEC_DONE(&d.to);
    VEC_DONE(&d.label);
    VEC_DONE(&d.initial);
    VEC_DONE(&d.texts);
    arena_done(&arena);
    if (status != 0) {
        graph_free(d.graph);
        return status;
    }
    *ret = d.graph;
    return 0;
}

bool graph_is_dot(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".dot") == 0;
}

/* Runs of clusters as sequence diagrams in Unicode: nodes side by side, a line for each event. A
 * message is drawn where it arrives. */
#include "view/show.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"

enum { NODES = 64, WIDTH = 15, LABEL_MAX = 24, NOTE_MAX = 40 };

struct diagram {
    const struct show_run *how;
    const char *names[NODES]; /* of the document */
    bool down[NODES];
    size_t n;
    struct strbuf *out;
};

/* A line of cells; each is one character of the terminal. */
struct cells {
    char v[NODES * WIDTH + 128][8];
    size_t n;
};

static void put_cell(struct cells *cells, size_t at, const char *text)
{
    if (at < sizeof cells->v / sizeof cells->v[0]) {
        (void)snprintf(cells->v[at], sizeof cells->v[at], "%s", text);
        cells->n = at + 1 > cells->n ? at + 1 : cells->n;
    }
}

/* Text of programs: what does not fit a cell, and what the terminal would obey, is a dot. */
static size_t put_words(struct cells *cells, size_t at, const char *text, size_t most)
{
    size_t n = 0;
    for (; text[n] != '\0' && n < most; n++) {
        unsigned char c = (unsigned char)text[n];
        char cell[2] = {(char)(c >= ' ' && c < 0x7f ? c : '.'), '\0'};
        put_cell(cells, at + n, cell);
    }
    return n;
}

static size_t column(size_t node)
{
    return WIDTH / 2 + node * WIDTH;
}

static void begin(const struct diagram *d, struct cells *cells)
{
    cells->n = 0;
    for (size_t i = 0; i < d->n * WIDTH; i++) {
        put_cell(cells, i, " ");
    }
    for (size_t i = 0; i < d->n; i++) {
        put_cell(cells, column(i), d->down[i] ? "╎" : "│");
    }
}

static void end(struct diagram *d, const struct cells *cells, const char *color)
{
    strbuf_adds(d->out, color);
    for (size_t i = 0; i < cells->n; i++) {
        strbuf_adds(d->out, cells->v[i]);
    }
    strbuf_adds(d->out, color[0] != '\0' ? d->how->pal.reset : "");
    while (d->out->n > 0 && d->out->p[d->out->n - 1] == ' ') {
        d->out->p[--d->out->n] = '\0';
    }
    strbuf_addc(d->out, '\n');
}

static const char *text_at(const json_t *row, size_t i)
{
    const char *text = json_string_value(json_array_get(row, i));
    return text != NULL ? text : "";
}

static size_t node_of(const struct diagram *d, const char *name, size_t n)
{
    size_t i = 0;
    while (i < d->n && (strlen(d->names[i]) != n || memcmp(d->names[i], name, n) != 0)) {
        i++;
    }
    return i;
}

static void add_node(struct diagram *d, const char *name)
{
    if (d->n < NODES && name[0] != '\0' && node_of(d, name, strlen(name)) == d->n) {
        d->names[d->n++] = name;
    }
}

/* n2 before n10, servers before clients. */
static int by_name(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    bool client_x = x[0] == 'c', client_y = y[0] == 'c';
    return client_x != client_y     ? (int)client_x - (int)client_y
           : strlen(x) != strlen(y) ? (strlen(x) < strlen(y) ? -1 : 1)
                                    : strcmp(x, y);
}

static void find_nodes(struct diagram *d, const json_t *events)
{
    size_t i;
    json_t *row;
    json_array_foreach((json_t *)events, i, row)
    {
        const char *event = text_at(row, 2);
        add_node(d, strncmp(event, "start ", 6) == 0 ? event + 6 : "");
        add_node(d, text_at(row, 3));
        add_node(d, text_at(row, 4));
    }
    if (d->n > 1) {
        qsort((void *)d->names, d->n, sizeof d->names[0], by_name);
    }
}

/* ---- rows ---- */

static bool starts(const char *text, const char *word)
{
    size_t n = strlen(word);
    return strncmp(text, word, n) == 0 && (text[n] == ' ' || text[n] == '\0');
}

/* The words of a message that people can read, else how long it is. */
static void label_of(const json_t *row, char label[LABEL_MAX + 1])
{
    const char *data = text_at(row, 7), *what = text_at(row, 5);
    char plain[LABEL_MAX + 1];
    size_t n = 0, best = 0;
    for (size_t i = 0; data[0] != '"' && data[i] != '\0' && data[i + 1] != '\0' && n < LABEL_MAX;
         i += 2) {
        char digits[3] = {data[i], data[i + 1], '\0'};
        long c = strtol(digits, NULL, 16);
        if (c > ' ' && c < 0x7f) {
            plain[n++] = (char)c;
        } else if (n < 3) {
            n = 0;
        } else {
            break;
        }
        best = n;
    }
    plain[best] = '\0';
    if (best >= 3) {
        (void)snprintf(label, LABEL_MAX + 1, "%s", plain);
    } else {
        (void)snprintf(label, LABEL_MAX + 1, "%.10s %" PRIu64, what,
                       (uint64_t)json_integer_value(json_array_get(row, 6)));
    }
}

static void put_packet(struct diagram *d, const json_t *row, struct cells *cells)
{
    const char *a = text_at(row, 3), *b = text_at(row, 4);
    size_t from = node_of(d, a, strlen(a)), to = node_of(d, b, strlen(b));
    bool dropped = starts(text_at(row, 2), "drop");
    char label[LABEL_MAX + 1];
    if (from == d->n || to == d->n) {
        return;
    }
    size_t left = column(from < to ? from : to), right = column(from < to ? to : from);
    for (size_t i = left + 1; i < right; i++) {
        put_cell(cells, i, dropped ? "╌" : (i - WIDTH / 2) % WIDTH == 0 ? "┼" : "─");
    }
    put_cell(cells, column(from), from < to ? "├" : from > to ? "┤" : "│");
    put_cell(cells, column(to), dropped ? "✕" : from < to ? "▶" : from > to ? "◀" : "◆");
    label_of(row, label);
    size_t n = strlen(label), room = right - left;
    if (room > n + 4) {
        size_t at = left + (room - n) / 2;
        put_cell(cells, at - 1, " ");
        put_cell(cells, at + put_words(cells, at, label, n), " ");
    } else {
        (void)put_words(cells, column(d->n - 1) + 3, label, n);
    }
}

static void put_event(struct diagram *d, const char *event, struct cells *cells)
{
    const char *name = strchr(event, ' ');
    size_t n = name != NULL ? strcspn(name + 1, " ") : 0;
    size_t node = name != NULL ? node_of(d, name + 1, n) : d->n;
    if (node == d->n) {
        (void)put_words(cells, column(d->n != 0 ? d->n - 1 : 0) + 3, event, NOTE_MAX);
        return;
    }
    bool gone = starts(event, "crash") || starts(event, "kill");
    bool back = starts(event, "start") || starts(event, "restart");
    d->down[node] = gone ? true : back ? false : d->down[node];
    put_cell(cells, column(node), gone ? "✕" : back ? "●" : "■");
    char words[NOTE_MAX + 1];
    (void)snprintf(words, sizeof words, "%.*s%s", (int)(name - event), event, name + 1 + n);
    (void)put_words(cells, column(node) + 2, words, NOTE_MAX);
}

static bool is_quiet(const char *event)
{
    return starts(event, "timer") || starts(event, "wait") || starts(event, "advance");
}

static void put_row(struct diagram *d, const json_t *row)
{
    const char *event = text_at(row, 2), *what = text_at(row, 5);
    bool packet = json_array_size(row) > 3;
    bool data = strcmp(what, "DATA") == 0 || strcmp(what, "UDP") == 0 || starts(event, "drop");
    uint64_t number = (uint64_t)json_integer_value(json_array_get(row, 0));
    if (number < d->how->from || (d->how->to != 0 && number > d->how->to)) {
        struct cells skipped;
        begin(d, &skipped);
        if (!packet) {
            put_event(d, event, &skipped); /* who is up */
        }
        return;
    }
    const struct palette *pal = &d->how->pal;
    struct cells cells;
    begin(d, &cells);
    if (packet) {
        put_packet(d, row, &cells);
    } else {
        put_event(d, event, &cells);
    }
    if (!d->how->all && ((packet && !data) || is_quiet(event))) {
        return;
    }
    strbuf_printf(d->out, "%s%7" PRIu64 " %11.6f%s ", pal->dim, number,
                  json_number_value(json_array_get(row, 1)), pal->reset);
    bool fault = !packet && !is_quiet(event) && !starts(event, "start");
    end(d, &cells, starts(event, "drop") || fault ? pal->red : "");
}

bool show_run(const struct show_run *how, struct str document, struct strbuf *out)
{
    json_error_t wrong;
    json_t *json = json_loadb(document.p, document.n, 0, &wrong);
    const char *kind = json_string_value(json_object_get(json, "kind"));
    const json_t *events = json_object_get(json, "events");
    struct diagram d = {.how = how, .out = out};
    bool good = kind != NULL && strcmp(kind, "run") == 0 && json_is_array(events);
    if (good) {
        size_t i;
        json_t *row;
        struct cells head;
        find_nodes(&d, events);
        begin(&d, &head);
        for (i = 0; i < d.n; i++) {
            size_t n = strlen(d.names[i]) < WIDTH - 2 ? strlen(d.names[i]) : WIDTH - 2;
            put_cell(&head, column(i), " ");
            (void)put_words(&head, column(i) - n / 2, d.names[i], n);
        }
        strbuf_printf(out, "%20s", "");
        end(&d, &head, how->pal.bold);
        memset(d.down, true, sizeof d.down); /* until they start */
        json_array_foreach((json_t *)events, i, row)
        {
            put_row(&d, row);
        }
    }
    json_decref(json);
    return good;
}

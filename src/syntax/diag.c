/* Collecting and printing diagnostics.
 *
 * Printing shows untrusted text: the source line is written with tabs expanded and with every
 * control character or malformed byte replaced, so that a file cannot move the cursor or change
 * colours; and long lines are cut to a window around the place. */
#include "syntax/diag.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "syntax/source.h"
#include "syntax/syntax_int.h"

#define DIAGS_LIMIT_DEFAULT 100
#define LINE_COLUMNS_MAX    160 /* of a source line that is shown */

void diags_init(struct diags *diags, struct arena *arena)
{
    *diags = (struct diags){.arena = arena};
}

struct code_row {
    enum diag_code code;
    enum severity severity;
    const char *hint;
};

static const struct code_row code_rows[] = {
#define D(name, number, severity, hint) {DIAG_##name, severity, hint},
#include "syntax/diag_codes.def"
#undef D
};

static const struct code_row *row_of(enum diag_code code)
{
    for (size_t i = 0; i < sizeof code_rows / sizeof code_rows[0]; i++) {
        if (code_rows[i].code == code) {
            return &code_rows[i];
        }
    }
    return NULL;
}

__attribute__((format(printf, 2, 0))) static const char *format(struct arena *arena,
                                                                const char *fmt, va_list ap)
{
    struct strbuf text = {0};
    strbuf_vprintf(&text, fmt, ap);
    const char *copy = arena_strndup(arena, strbuf_cstr(&text), text.n);
    strbuf_done(&text);
    return copy;
}

static void keep(struct diags *diags, struct diag *diag)
{
    if (diags->n == diags->cap) {
        size_t cap = diags->cap ? diags->cap * 2 : 16;
        struct diag **v = ARENA_ARRAY(diags->arena, struct diag *, cap);
        if (diags->n) {
            memcpy((void *)v, (const void *)diags->v, diags->n * sizeof *v);
        }
        diags->v = v;
        diags->cap = cap;
    }
    diags->v[diags->n++] = diag;
}

struct diag *diag_add(struct diags *diags, enum diag_code code, struct span span, const char *fmt,
                      ...)
{
    const struct code_row *row = row_of(code);
    enum severity severity = row ? row->severity : SEV_ERROR;
    diags->errors += severity == SEV_ERROR;
    size_t limit = diags->limit ? diags->limit : DIAGS_LIMIT_DEFAULT;
    if (diags->n >= limit) {
        diags->spare = (struct diag){
            .code = code, .severity = severity, .span = span, .has_span = true, .text = ""};
        return &diags->spare;
    }
    struct diag *diag = ARENA_NEW(diags->arena, struct diag);
    diag->code = code;
    diag->severity = severity;
    diag->span = span;
    diag->has_span = true;
    diag->hint = row ? row->hint : NULL;
    va_list ap;
    va_start(ap, fmt);
    diag->text = format(diags->arena, fmt, ap);
    va_end(ap);
    keep(diags, diag);
    return diag;
}

void diag_note(struct diags *diags, struct diag *diag, struct span span, const char *fmt, ...)
{
    if (diag == &diags->spare) {
        return;
    }
    struct diag *note = ARENA_NEW(diags->arena, struct diag);
    note->code = diag->code;
    note->severity = SEV_NOTE;
    note->span = span;
    note->has_span = true;
    va_list ap;
    va_start(ap, fmt);
    note->text = format(diags->arena, fmt, ap);
    va_end(ap);
    struct diag **end = &diag->notes;
    while (*end) {
        end = &(*end)->next;
    }
    *end = note;
}

void diag_hint(struct diags *diags, struct diag *diag, const char *fmt, ...)
{
    if (diag == &diags->spare) {
        return;
    }
    va_list ap;
    va_start(ap, fmt);
    diag->hint = format(diags->arena, fmt, ap);
    va_end(ap);
}

/* ---- printing ---- */

static const char *const severity_names[] = {
    [SEV_NOTE] = "note", [SEV_WARNING] = "warning", [SEV_ERROR] = "error"};
static const char *const severity_colors[] = {
    [SEV_NOTE] = "\033[1;36m", [SEV_WARNING] = "\033[1;35m", [SEV_ERROR] = "\033[1;31m"};

static void paint(struct strbuf *out, bool color, const char *code)
{
    if (color) {
        strbuf_adds(out, code);
    }
}

/* One character of a source line, made harmless. */
static void add_safe(struct strbuf *out, const char *text, unsigned len, uint32_t columns)
{
    unsigned char c = (unsigned char)text[0];
    if (c == '\t') {
        strbuf_pad(out, ' ', columns);
    } else if (len == 0 || c < 0x20 || c == 0x7F ||
               (c == 0xC2 && len == 2 && (unsigned char)text[1] < 0xA0)) {
        strbuf_adds(out, "\xEF\xBF\xBD");
    } else {
        strbuf_add(out, text, len);
        if (columns > 1) {
            strbuf_pad(out, ' ', columns - 1); /* keeps the caret below: these count two */
        }
    }
}

/* The columns from first to last (inclusive, 1-based) of a line. */
static void add_line(struct strbuf *out, struct str line, uint32_t first, uint32_t last)
{
    uint32_t column = 0;
    for (uint32_t i = 0; i < line.n && column < last;) {
        unsigned len = utf8_len(line.p + i, line.n - i);
        uint32_t step = len ? len : 1;
        uint32_t after = parse_column_after(column, line.p, i, i + step);
        if (column + 1 >= first) {
            add_safe(out, line.p + i, len, after - column);
        } else if (after >= first) {
            strbuf_pad(out, ' ', after - first + 1); /* half of a tab is inside the window */
        }
        column = after;
        i += step;
    }
}

static struct str line_text(const struct source *source, uint32_t line)
{
    uint32_t begin = source->line_begin[line - 1];
    uint32_t end = line < source->lines ? source->line_begin[line] : (uint32_t)source->text.n;
    while (end > begin && (source->text.p[end - 1] == '\n' || source->text.p[end - 1] == '\r')) {
        end--;
    }
    return (struct str){source->text.p + begin, end - begin};
}

static void print_excerpt(const struct source *source, struct place place, enum severity severity,
                          bool color, struct strbuf *out)
{
    struct str line = line_text(source, place.line);
    uint32_t width = parse_column_after(0, line.p, 0, (uint32_t)line.n);
    uint32_t last = place.end_line > place.line ? width : place.end_column;
    if (last < place.column) {
        last = place.column;
    }
    uint32_t first = 1;
    /* the place may be one past the end of the line */
    if (place.column > LINE_COLUMNS_MAX ||
        (place.column > LINE_COLUMNS_MAX / 2 && width > LINE_COLUMNS_MAX)) {
        first = place.column - LINE_COLUMNS_MAX / 4;
    }
    uint32_t window_last = first + LINE_COLUMNS_MAX - 1;
    if (last > window_last) {
        last = window_last;
    }
    strbuf_printf(out, "%5u | ", place.line);
    add_line(out, line, first, window_last);
    strbuf_adds(out, "\n      | ");
    strbuf_pad(out, ' ', place.column - first);
    paint(out, color, severity_colors[severity]);
    strbuf_addc(out, '^');
    strbuf_pad(out, '~', last - place.column);
    paint(out, color, "\033[0m");
    strbuf_addc(out, '\n');
}

static void print_one(const struct sources *sources, const struct diag *diag, bool color,
                      struct strbuf *out)
{
    const struct source *source = diag->has_span ? sources_get(sources, diag->span.file) : NULL;
    struct place place = {0};
    paint(out, color, "\033[1m");
    if (source) {
        place = sources_place(sources, diag->span);
        strbuf_printf(out, "%s:%u:%u: ", source->path, place.line, place.column);
    }
    paint(out, color, severity_colors[diag->severity]);
    strbuf_adds(out, severity_names[diag->severity]);
    if (diag->severity != SEV_NOTE) {
        strbuf_printf(out, "[%c%04d]", diag->severity == SEV_ERROR ? 'E' : 'W', (int)diag->code);
    }
    strbuf_adds(out, ":");
    paint(out, color, "\033[0m");
    strbuf_printf(out, " %s\n", diag->text);
    if (source) {
        print_excerpt(source, place, diag->severity, color, out);
    }
}

void diag_print(const struct sources *sources, const struct diag *diag, bool color,
                struct strbuf *out)
{
    print_one(sources, diag, color, out);
    for (const struct diag *note = diag->notes; note; note = note->next) {
        print_one(sources, note, color, out);
    }
    if (diag->hint) {
        paint(out, color, "\033[1;32m");
        strbuf_adds(out, "  hint:");
        paint(out, color, "\033[0m");
        strbuf_printf(out, " %s\n", diag->hint);
    }
}

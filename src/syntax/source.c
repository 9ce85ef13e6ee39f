/* Source files: loading, line tables, and from byte offsets to lines and columns.
 *
 * Lines end with \n, \r or \r\n. Columns follow SANY, since TLC prints them and bulleted lists are
 * aligned by them: a tab moves to the next multiple of eight, every other character counts one, and
 * one outside the basic plane counts two, because SANY counts Java characters. Bytes that are not
 * UTF-8 count one each. */
#include "syntax/source.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "syntax/syntax_int.h"

void sources_init(struct sources *sources, struct arena *arena)
{
    *sources = (struct sources){.arena = arena};
}

static bool ends_line(struct str text, size_t i)
{
    return text.p[i] == '\n' || (text.p[i] == '\r' && !(i + 1 < text.n && text.p[i + 1] == '\n'));
}

static void find_lines(struct arena *arena, struct source *source)
{
    struct str text = source->text;
    uint32_t lines = 1;
    for (size_t i = 0; i < text.n; i++) {
        lines += ends_line(text, i);
    }
    source->line_begin = ARENA_ARRAY(arena, uint32_t, lines);
    source->lines = lines;
    uint32_t line = 1;
    for (size_t i = 0; i < text.n; i++) {
        if (ends_line(text, i)) {
            source->line_begin[line++] = (uint32_t)(i + 1);
        }
    }
}

struct source *sources_add(struct sources *sources, const char *path, struct str text, bool builtin)
{
    if (sources->n == sources->cap) {
        size_t cap = sources->cap ? sources->cap * 2 : 16;
        struct source **v = ARENA_ARRAY(sources->arena, struct source *, cap);
        if (sources->n) {
            memcpy((void *)v, (const void *)sources->v, sources->n * sizeof *v);
        }
        sources->v = v;
        sources->cap = cap;
    }
    struct source *source = ARENA_NEW(sources->arena, struct source);
    source->id = (uint32_t)sources->n;
    source->path = arena_strndup(sources->arena, path, strlen(path));
    source->text = text;
    if (source->text.n > SOURCE_BYTES_MAX) {
        source->text.n = SOURCE_BYTES_MAX; /* offsets are 32 bits; files that large are refused by
                                              sources_load */
    }
    source->builtin = builtin;
    find_lines(sources->arena, source);
    sources->v[sources->n++] = source;
    return source;
}

int sources_load(struct sources *sources, const char *path, struct source **ret_source,
                 struct err *err)
{
    struct str text;
    int r = file_read(sources->arena, path, SOURCE_BYTES_MAX, &text, err);
    if (r < 0) {
        return r;
    }
    *ret_source = sources_add(sources, path, text, false);
    return 0;
}

const struct source *sources_get(const struct sources *sources, uint32_t file)
{
    return file < sources->n ? sources->v[file] : NULL;
}

/* 0-based number of the line that holds an offset. */
static uint32_t line_of(const struct source *source, uint32_t offset)
{
    uint32_t low = 0, high = source->lines;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (source->line_begin[mid] <= offset) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return low;
}

unsigned utf8_len(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    if (n == 0) {
        return 0;
    }
    if (s[0] < 0x80) {
        return 1;
    }
    if (s[0] >= 0xC2 && s[0] <= 0xDF) {
        return n >= 2 && (s[1] & 0xC0) == 0x80 ? 2 : 0;
    }
    if (s[0] >= 0xE0 && s[0] <= 0xEF) {
        if (n < 3 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80) {
            return 0;
        }
        bool overlong = s[0] == 0xE0 && s[1] < 0xA0;
        bool surrogate = s[0] == 0xED && s[1] >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (s[0] >= 0xF0 && s[0] <= 0xF4) {
        if (n < 4 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80 || (s[3] & 0xC0) != 0x80) {
            return 0;
        }
        bool overlong = s[0] == 0xF0 && s[1] < 0x90;
        bool beyond = s[0] == 0xF4 && s[1] >= 0x90;
        return overlong || beyond ? 0 : 4;
    }
    return 0;
}

uint32_t parse_column_after(uint32_t column, const char *text, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end;) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\t') {
            column += 8 - column % 8;
            i++;
        } else if (c < 0x80) {
            column++;
            i++;
        } else {
            unsigned len = utf8_len(text + i, end - i);
            column += len == 4 ? 2 : 1;
            i += len ? len : 1;
        }
    }
    return column;
}

struct place sources_place(const struct sources *sources, struct span span)
{
    struct place place = {1, 1, 1, 1};
    const struct source *source = sources_get(sources, span.file);
    if (!source) {
        return place;
    }
    uint32_t size = (uint32_t)source->text.n;
    uint32_t begin = span.begin < size ? span.begin : size;
    uint32_t end = span.end < begin ? begin : span.end < size ? span.end : size;
    uint32_t line = line_of(source, begin);
    place.line = line + 1;
    place.column = parse_column_after(0, source->text.p, source->line_begin[line], begin) + 1;
    if (end == begin) {
        place.end_line = place.line;
        place.end_column = place.column;
        return place;
    }
    line = line_of(source, end - 1);
    place.end_line = line + 1;
    place.end_column = parse_column_after(0, source->text.p, source->line_begin[line], end);
    return place;
}

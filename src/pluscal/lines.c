/* Lines of text as a Java program sees them: cut at \n, \r or \r\n, and counted in UTF-16 units,
 * because that is what the columns of the translator are. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

enum { TAB = 8, ASCII_MAX = 0x7f, SURROGATE = 0xd800, SURROGATE_END = 0xe000, PLANE = 0x10000 };

void *pcal_grow(struct arena *arena, void *old, size_t n, size_t *cap, size_t elem_bytes)
{
    size_t more = *cap < 4 ? 4 : *cap * 2;
    void *v = arena_zalloc_array(arena, more, elem_bytes);
    if (n > 0) {
        memcpy(v, old, n * elem_bytes);
    }
    *cap = more;
    return v;
}

bool pcal_strs_has(const struct strs *strs, struct str s)
{
    return pcal_strs_find(strs, s) < strs->n;
}

size_t pcal_strs_find(const struct strs *strs, struct str s)
{
    size_t i = 0;
    while (i < strs->n && !str_eq(strs->v[i], s)) {
        i++;
    }
    return i;
}

/* ---- UTF-8 and UTF-16 ---- */
/* The character at p and its length in bytes; 0 when it is none. */
static size_t decode(const char *p, size_t n, uint32_t *ret)
{
    const unsigned char *b = (const unsigned char *)p;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, PLANE};
    size_t len = b[0] <= ASCII_MAX ? 1 : b[0] < 0xc2 ? 0 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
    if (len == 0 || len > n || b[0] > 0xf4) {
        return 0;
    }
    uint32_t c = len == 1 ? b[0] : b[0] & (0xffu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if ((b[i] & 0xc0) != 0x80) {
            return 0;
        }
        c = c << 6 | (b[i] & 0x3f);
    }
    bool surrogate = c >= SURROGATE && c < SURROGATE_END;
    if (c < smallest[len] || c > 0x10ffff || surrogate) {
        return 0;
    }
    *ret = c;
    return len;
}

bool pluscal_is_text(struct str text)
{
    uint32_t c;
    for (size_t i = 0; i < text.n;) {
        size_t len = decode(text.p + i, text.n - i, &c);
        if (len == 0) {
            return false;
        }
        i += len;
    }
    return true;
}

int pcal_width(struct str utf8)
{
    int width = 0;
    for (size_t i = 0; i < utf8.n; i++) {
        unsigned char b = (unsigned char)utf8.p[i];
        width += (b & 0xc0) != 0x80; /* a character of four bytes is two units */
        width += b >= 0xf0;
    }
    return width;
}

struct u16s pcal_u16_of(struct arena *arena, struct str utf8)
{
    struct u16s line = {ARENA_ARRAY(arena, uint16_t, utf8.n + 1), 0};
    for (size_t i = 0; i < utf8.n;) {
        uint32_t c = 0xfffd;
        size_t len = decode(utf8.p + i, utf8.n - i, &c);
        i += len != 0 ? len : 1;
        if (c >= PLANE) {
            line.v[line.n++] = (uint16_t)(SURROGATE + ((c - PLANE) >> 10));
            line.v[line.n++] = (uint16_t)(0xdc00 + ((c - PLANE) & 0x3ff));
        } else {
            line.v[line.n++] = (uint16_t)c;
        }
    }
    return line;
}

struct str pcal_u16_to_str(struct arena *arena, const uint16_t *v, size_t n)
{
    char *text = arena_alloc(arena, 3 * n + 1);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = v[i];
        if (c >= SURROGATE && c < 0xdc00 && i + 1 < n) {
            c = PLANE + ((c - SURROGATE) << 10) + (v[++i] & 0x3ffu);
        }
        if (c <= ASCII_MAX) {
            text[at++] = (char)c;
            continue;
        }
        int tail = c < 0x800 ? 1 : c < PLANE ? 2 : 3;
        text[at++] = (char)((0xff00 >> (tail + 1)) | (int)(c >> (6 * tail)));
        for (int k = tail - 1; k >= 0; k--) {
            text[at++] = (char)(0x80 | (int)((c >> (6 * k)) & 0x3f));
        }
    }
    text[at] = '\0';
    return (struct str){text, at};
}

/* ---- lines ---- */
void pcal_lines_cut(struct arena *arena, struct str text, struct strs *ret_lines)
{
    size_t begin = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\n' || text.p[i] == '\r') {
            AVEC_PUSH(arena, ret_lines, (struct str){text.p + begin, i - begin});
            i += text.p[i] == '\r' && i + 1 < text.n && text.p[i + 1] == '\n';
            begin = i + 1;
        }
    }
    if (begin < text.n) {
        AVEC_PUSH(arena, ret_lines, (struct str){text.p + begin, text.n - begin});
    }
}

static struct u16s without_tabs(struct arena *arena, struct u16s line)
{
    size_t tabs = 0;
    for (size_t i = 0; i < line.n; i++) {
        tabs += line.v[i] == '\t';
    }
    struct u16s out = {ARENA_ARRAY(arena, uint16_t, line.n + tabs * TAB + 1), 0};
    for (size_t i = 0; i < line.n; i++) {
        size_t count = line.v[i] == '\t' ? TAB - out.n % TAB : 1;
        uint16_t c = line.v[i] == '\t' ? ' ' : line.v[i];
        while (count-- > 0) {
            out.v[out.n++] = c;
        }
    }
    out.v[out.n++] = ' ';
    return out;
}

void pcal_lines_read(struct arena *arena, const struct strs *text, struct lines *ret_lines)
{
    for (size_t i = 0; i < text->n; i++) {
        AVEC_PUSH(arena, ret_lines, without_tabs(arena, pcal_u16_of(arena, text->v[i])));
    }
}

bool pcal_u16_starts(struct u16s line, size_t at, const char *ascii)
{
    size_t i = 0;
    while (ascii[i] != '\0' && at + i < line.n && line.v[at + i] == (uint16_t)ascii[i]) {
        i++;
    }
    return ascii[i] == '\0';
}

long pcal_u16_find(struct u16s line, const char *ascii)
{
    for (size_t i = 0; i < line.n; i++) {
        if (pcal_u16_starts(line, i, ascii)) {
            return (long)i;
        }
    }
    return -1;
}

void pcal_lines_insert(struct arena *arena, struct lines *lines, size_t at, struct u16s line)
{
    AVEC_PUSH(arena, lines, line);
    memmove(lines->v + at + 1, lines->v + at, (lines->n - 1 - at) * sizeof *lines->v);
    lines->v[at] = line;
}

void pcal_strs_insert(struct arena *arena, struct strs *strs, size_t at, struct str s)
{
    AVEC_PUSH(arena, strs, s);
    memmove(strs->v + at + 1, strs->v + at, (strs->n - 1 - at) * sizeof *strs->v);
    strs->v[at] = s;
}

/* Slices and growing buffers of characters. */
#include "base/str.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/vec.h"

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str str_trim(struct str s)
{
    while (s.n > 0 && is_blank(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n > 0 && is_blank(s.p[s.n - 1])) {
        s.n--;
    }
    return s;
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

struct str str_dup(struct arena *arena, struct str s)
{
    return (struct str){arena_strndup(arena, s.p, s.n), s.n};
}

char *str_heap(const char *text)
{
    size_t cap = 0, n = strlen(text) + 1;
    char *copy = vec_grow(NULL, &cap, n, 1);
    return memcpy(copy, text, n);
}

void strbuf_done(struct strbuf *sb)
{
    if (sb) {
        if (!sb->arena) {
            vec_release(sb->p);
        }
        *sb = (struct strbuf){.arena = sb->arena};
    }
}

void strbuf_reset(struct strbuf *sb)
{
    sb->n = 0;
    if (sb->p) {
        sb->p[0] = '\0';
    }
}

void strbuf_reserve(struct strbuf *sb, size_t extra)
{
    size_t need = 0;
    if (__builtin_add_overflow(sb->n, extra, &need) || __builtin_add_overflow(need, 1, &need)) {
        out_of_memory(SIZE_MAX);
    }
    if (sb->cap < need) {
        if (sb->arena) {
            size_t cap = need < 2 * sb->cap ? 2 * sb->cap : need < 64 ? 64 : need;
            char *grown = arena_alloc(sb->arena, cap);
            if (sb->n) {
                memcpy(grown, sb->p, sb->n);
            }
            sb->p = grown;
            sb->cap = cap;
        } else {
            sb->p = vec_grow(sb->p, &sb->cap, need, 1);
        }
        sb->p[sb->n] = '\0';
    }
}

void strbuf_add(struct strbuf *sb, const char *text, size_t len)
{
    strbuf_reserve(sb, len);
    if (len) {
        memcpy(sb->p + sb->n, text, len);
    }
    sb->n += len;
    sb->p[sb->n] = '\0';
}

void strbuf_adds(struct strbuf *sb, const char *text)
{
    strbuf_add(sb, text, strlen(text));
}

void strbuf_addc(struct strbuf *sb, char c)
{
    strbuf_add(sb, &c, 1);
}

void strbuf_addstr(struct strbuf *sb, struct str s)
{
    strbuf_add(sb, s.p, s.n);
}

void strbuf_pad(struct strbuf *sb, char c, size_t count)
{
    strbuf_reserve(sb, count);
    memset(sb->p + sb->n, c, count);
    sb->n += count;
    sb->p[sb->n] = '\0';
}

void strbuf_printf(struct strbuf *sb, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(sb, fmt, ap);
    va_end(ap);
}

void strbuf_vprintf(struct strbuf *sb, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    strbuf_reserve(sb, 64);
    int len = vsnprintf(sb->p + sb->n, sb->cap - sb->n, fmt, ap);
    ASSERT(len >= 0);
    if ((size_t)len >= sb->cap - sb->n) {
        strbuf_reserve(sb, (size_t)len);
        vsnprintf(sb->p + sb->n, sb->cap - sb->n, fmt, again);
    }
    va_end(again);
    sb->n += (size_t)len;
}

const char *strbuf_cstr(struct strbuf *sb)
{
    return sb->p ? sb->p : "";
}

/* ---- command lines ---- */

/* One character more; *ret_shown: it belongs to the word. Inside "..." a backslash that quotes
 * neither " nor a backslash stands for itself, which the caller sees by the next character. */
static char command_step(char state, char c, bool *ret_shown)
{
    *ret_shown = false;
    if (state == '\\' || state == '/') { /* after a backslash, outside quotes or inside "..." */
        *ret_shown = true;
        return state == '/' ? '"' : '\0';
    }
    if (state == '\0') {
        *ret_shown = c != '\'' && c != '"' && c != '\\';
        return *ret_shown ? '\0' : c;
    }
    if (c == state) {
        return '\0';
    }
    if (state == '"' && c == '\\') {
        return '/';
    }
    *ret_shown = true;
    return state;
}

int command_word(struct str *line, struct strbuf *word)
{
    size_t i = 0;
    char state = '\0';
    while (i < line->n && is_blank(line->p[i])) {
        i++;
    }
    bool any = i < line->n;
    for (; i < line->n && !(state == '\0' && is_blank(line->p[i])); i++) {
        char c = line->p[i];
        bool shown = false, kept = state == '/' && c != '"' && c != '\\';
        state = command_step(state, c, &shown);
        if (kept) {
            strbuf_addc(word, '\\');
        }
        if (shown) {
            strbuf_addc(word, c);
        }
    }
    *line = (struct str){line->p + i, line->n - i};
    return state != '\0' ? -1 : any ? 1 : 0;
}

char command_state(char state, struct str text)
{
    bool shown = false;
    for (size_t i = 0; i < text.n; i++) {
        state = command_step(state, text.p[i], &shown);
    }
    return state == '/' ? '\\' : state;
}

void command_quote(struct strbuf *line, char state, struct str text, bool cut)
{
    if (state == '\0' && text.n == 0 && !cut) {
        strbuf_adds(line, "\'\'");
    }
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        bool mark = c == '"' || c == '\\';
        if (state == '\'' && c == '\'') {
            strbuf_adds(line, "'\\''");
            continue;
        }
        if ((state == '"' && mark) ||
            (state == '\0' && (mark || c == '\'' || (is_blank(c) && !cut)))) {
            strbuf_addc(line, '\\');
        }
        strbuf_addc(line, c);
    }
}

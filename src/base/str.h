/* Strings: a borrowed slice (`struct str`) and a growing buffer (`struct strbuf`). */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;

struct str {
    const char *p; /* not NUL-terminated in general */
    size_t n;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
#define STR_ARG(s)   (int)(s).n, (s).p /* for "%.*s" */

static inline struct str str_of(const char *text)
{
    return (struct str){text, strlen(text)};
}
static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
static inline bool str_is(struct str a, const char *text)
{
    return str_eq(a, str_of(text));
}
int str_cmp(struct str a, struct str b);               /* by bytes */
struct str str_trim(struct str s);                     /* without blanks at both ends */
char *str_heap(const char *text);                      /* a copy: vec_release */
struct str str_dup(struct arena *arena, struct str s); /* NUL-terminated copy */

/* A buffer that grows; always NUL-terminated once anything was added. With an arena the memory is
 * taken from there and never given back: for code that an error may leave by a jump. */
struct strbuf {
    char *p;
    size_t n;
    size_t cap;
    struct arena *arena; /* or NULL: the heap */
};

void strbuf_done(struct strbuf *sb); /* accepts a zeroed buffer; leaves it zeroed */
void strbuf_reset(struct strbuf *sb);
void strbuf_reserve(struct strbuf *sb, size_t extra);
void strbuf_add(struct strbuf *sb, const char *text, size_t len);
void strbuf_adds(struct strbuf *sb, const char *text);
void strbuf_addc(struct strbuf *sb, char c);
void strbuf_addstr(struct strbuf *sb, struct str s);
void strbuf_pad(struct strbuf *sb, char c, size_t count);
void strbuf_printf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *sb, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
const char *strbuf_cstr(struct strbuf *sb); /* never NULL */
static inline struct str strbuf_str(const struct strbuf *sb)
{
    return (struct str){sb->p ? sb->p : "", sb->n};
}

/* ---- command lines ---- */
/* Words as a shell cuts them: at blanks, but not inside '...', taken as it is, nor inside "...",
 * where \ makes " and \ ordinary; elsewhere \ makes any character ordinary. Takes the next word off
 * the line and adds it to `word`: 1, 0 when there is none left, -1 when a quote or \ is open. */
int command_word(struct str *line, struct strbuf *word);
/* The state after text: 0, or the quote that is open, or '\\' when it has quoted nothing yet;
 * `state` is that before it. */
char command_state(char state, struct str text);
/* Adds a text so that it is a part of a word, wherever the state; `cut`: blanks outside of quotes
 * end the word all the same. */
void command_quote(struct strbuf *line, char state, struct str text, bool cut);

#define SCOPED_STRBUF __attribute__((cleanup(strbuf_done))) struct strbuf

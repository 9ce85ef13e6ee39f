/* EDN, as far as histories need it: nil, booleans, whole numbers, texts, keywords, symbols,
 * vectors, lists, sets, maps, comments, discarded forms, tags. Other numbers stay texts. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history_int.h"

int hist_text_error(const struct hist_text *text, struct err *err, const char *fmt, ...)
{
    SCOPED_STRBUF said = {0};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&said, fmt, ap);
    va_end(ap);
    return err_set(err, ERR_INVALID, 0, "%s:%u: %s", text->name, text->line, strbuf_cstr(&said));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == '\f';
}

static bool ends_token(char c)
{
    return is_blank(c) || strchr("()[]{}\";", c) != NULL;
}

/* Past blanks and comments. */
static void skip(struct hist_text *text)
{
    for (; text->at < text->end; text->at++) {
        if (*text->at == ';') {
            while (text->at < text->end && *text->at != '\n') {
                text->at++;
            }
            if (text->at == text->end) {
                return;
            }
        }
        if (!is_blank(*text->at)) {
            return;
        }
        text->line += *text->at == '\n';
    }
}

static int edn_form(struct hvals *vals, struct hist_text *text, unsigned depth, struct hval *ret,
                    struct err *err);

/* The four hexadecimal digits after \u, or -1. */
static int32_t four_digits(struct hist_text *text)
{
    int32_t unit = 0;
    if (text->end - text->at < 4) {
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        char c = *text->at++;
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) {
            return -1;
        }
        unit = unit * 16 + digit;
    }
    return unit;
}

/* A character by its number, as UTF-8: the same text may stand there unescaped elsewhere. */
static int edn_unicode(struct hist_text *text, struct strbuf *out, struct err *err)
{
    int32_t c = four_digits(text);
    if (c >= 0xd800 && c < 0xdc00 && text->end - text->at > 2 && text->at[0] == '\\' &&
        text->at[1] == 'u') {
        text->at += 2;
        int32_t low = four_digits(text);
        c = low >= 0xdc00 && low < 0xe000 ? 0x10000 + (c - 0xd800) * 0x400 + (low - 0xdc00) : -1;
    }
    if (c < 0 || (c >= 0xd800 && c < 0xe000)) {
        return hist_text_error(text, err, "\\u takes four hexadecimal digits of a character");
    }
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    strbuf_addc(out, (char)(lead[more] | c >> (6 * more)));
    while (more-- > 0) {
        strbuf_addc(out, (char)(0x80 | (c >> (6 * more) & 0x3f)));
    }
    return 0;
}

/* One character of a text after a backslash. */
static int edn_escape(struct hist_text *text, struct strbuf *out, struct err *err)
{
    if (text->at == text->end) {
        return hist_text_error(text, err, "the file ends inside of a string");
    }
    char c = *text->at++;
    switch (c) {
    case 'n': strbuf_addc(out, '\n'); return 0;
    case 't': strbuf_addc(out, '\t'); return 0;
    case 'r': strbuf_addc(out, '\r'); return 0;
    case '"':
    case '\\': strbuf_addc(out, c); return 0;
    case 'b': strbuf_addc(out, '\b'); return 0;
    case 'f': strbuf_addc(out, '\f'); return 0;
    case 'u': return edn_unicode(text, out, err);
    default: return hist_text_error(text, err, "a string has no escape \\%c", c);
    }
}

static int edn_string(struct hvals *vals, struct hist_text *text, struct hval *ret, struct err *err)
{
    SCOPED_STRBUF out = {0};
    struct hist_text begin = *text;
    text->at++;
    while (text->at < text->end && *text->at != '"') {
        char c = *text->at++;
        text->line += c == '\n';
        if (c != '\\') {
            strbuf_addc(&out, c);
        } else if (edn_escape(text, &out, err) < 0) {
            return -ERR_INVALID;
        }
    }
    if (text->at == text->end) {
        return hist_text_error(&begin, err, "the string that begins here has no end");
    }
    text->at++;
    *ret = hval_text(vals, strbuf_str(&out));
    return 1;
}

/* A number, a keyword, a symbol, a character. */
static int edn_token(struct hvals *vals, struct hist_text *text, struct hval *ret, struct err *err)
{
    const char *begin = text->at;
    while (text->at < text->end && !ends_token(*text->at)) {
        text->at++;
    }
    struct str token = {begin, (size_t)(text->at - begin)};
    if (token.n == 0) {
        return hist_text_error(text, err, "'%c' stands where a value should", *begin);
    }
    if (str_is(token, "nil")) {
        *ret = HVAL_NIL;
    } else if (str_is(token, "true") || str_is(token, "false")) {
        *ret = hval_bool(vals, token.p[0] == 't');
    } else if (token.p[0] == ':') {
        *ret = hval_text(vals, (struct str){token.p + 1, token.n - 1});
    } else {
        char number[24] = "";
        char *end = number;
        if (token.n < sizeof number) {
            memcpy(number, token.p, token.n);
            errno = 0;
            long long i = strtoll(number, &end, 10);
            if (end != number && (*end == '\0' || strcmp(end, "N") == 0) && errno == 0) {
                *ret = hval_int(vals, i);
                return 1;
            }
        }
        *ret = hval_text(vals, token);
    }
    return 1;
}

/* Everything up to the closing bracket; what opens it says what is made of it: '#' stands for the
 * brace of a set. */
static int edn_items(struct hvals *vals, struct hist_text *text, unsigned depth, char open,
                     struct hval *ret, struct err *err)
{
    char close = open == '[' ? ']' : open == '(' ? ')' : '}';
    VEC(struct hval) items = {0};
    struct hist_text begin = *text;
    text->at++;
    int rc = 0;
    for (;;) {
        skip(text);
        if (text->at == text->end) {
            rc = hist_text_error(&begin, err, "the bracket that opens here is never closed");
            break;
        }
        if (*text->at == close) {
            text->at++;
            rc = 1;
            break;
        }
        struct hval item;
        rc = edn_form(vals, text, depth + 1, &item, err);
        if (rc < 0) {
            break;
        }
        if (rc > 0) {
            VEC_PUSH(&items, item);
        }
    }
    if (rc == 1 && open == '{') {
        if (items.n % 2 != 0) {
            rc = hist_text_error(&begin, err, "the map that begins here has a key without a value");
        } else if (!hval_map(vals, items.v, items.n, ret)) {
            rc = hist_text_error(&begin, err, "the map that begins here has a key twice");
        }
    } else if (rc == 1) {
        *ret = hval_list(vals, items.v, items.n);
    }
    VEC_DONE(&items);
    return rc;
}

/* After '#': a set, a discarded form, a tag with its value. */
static int edn_dispatch(struct hvals *vals, struct hist_text *text, unsigned depth,
                        struct hval *ret, struct err *err)
{
    text->at++;
    if (text->at < text->end && *text->at == '{') {
        return edn_items(vals, text, depth, '#', ret, err);
    }
    bool discard = text->at < text->end && *text->at == '_';
    struct hval tag;
    if (discard) {
        text->at++;
    } else {
        int rc = edn_token(vals, text, &tag, err);
        if (rc < 0) {
            return rc;
        }
    }
    int rc = edn_form(vals, text, depth + 1, ret, err);
    return rc > 0 && discard ? 0 : rc;
}

/* 1: a value; 0: the end, or a form that is to be left out. */
static int edn_form(struct hvals *vals, struct hist_text *text, unsigned depth, struct hval *ret,
                    struct err *err)
{
    skip(text);
    if (text->at == text->end) {
        return depth == 0 ? 0 : hist_text_error(text, err, "the file ends inside of a value");
    }
    if (depth > HIST_NESTING_MAX) {
        return hist_text_error(text, err, "values are nested more than %d deep", HIST_NESTING_MAX);
    }
    switch (*text->at) {
    case '"': return edn_string(vals, text, ret, err);
    case '[':
    case '(':
    case '{': return edn_items(vals, text, depth, *text->at, ret, err);
    case '#': return edn_dispatch(vals, text, depth, ret, err);
    default: return edn_token(vals, text, ret, err);
    }
}

int hist_edn(struct hvals *vals, struct hist_text *text, struct hval *ret, struct err *err)
{
    for (;;) {
        skip(text);
        if (text->at == text->end) {
            return 0;
        }
        int rc = edn_form(vals, text, 0, ret, err);
        if (rc != 0) {
            return rc;
        }
    }
}

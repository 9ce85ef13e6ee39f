/* Values of histories as JSON text. What a server keeps is text; the numbers that were written come
 * back as numbers, and anything else as it is, so that nothing wrong is hidden. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "client/client_int.h"

void json_add_text(struct strbuf *out, struct str text)
{
    strbuf_addc(out, '"');
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == '"' || c == '\\') {
            strbuf_addc(out, '\\');
            strbuf_addc(out, (char)c);
        } else if (c >= ' ' && c < 0x7f) {
            strbuf_addc(out, (char)c);
        } else {
            strbuf_printf(out, "\\u%04x", c); /* a byte is a character: it may be no UTF-8 */
        }
    }
    strbuf_addc(out, '"');
}

/* A number as it would be written here. */
static bool is_number(struct str text)
{
    enum { DIGITS_MOST = 18 };
    size_t at = text.n > 0 && text.p[0] == '-' ? 1 : 0;
    bool zero = text.n - at > 1 && text.p[at] == '0';
    if (text.n == at || text.n - at > DIGITS_MOST || zero) {
        return false;
    }
    for (; at < text.n; at++) {
        if (isdigit((unsigned char)text.p[at]) == 0) {
            return false;
        }
    }
    return true;
}

void json_add_value(struct strbuf *out, struct str text)
{
    if (is_number(text)) {
        strbuf_addstr(out, text);
    } else {
        json_add_text(out, text);
    }
}

static bool between(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '[' || c == ']' || c == '\n' || c == '\r';
}

void json_add_list(struct strbuf *out, struct str text)
{
    bool first = true;
    strbuf_addc(out, '[');
    for (size_t at = 0; at < text.n;) {
        size_t end = at;
        while (end < text.n && !between(text.p[end])) {
            end++;
        }
        if (end > at) {
            strbuf_adds(out, first ? "" : ",");
            json_add_value(out, (struct str){text.p + at, end - at});
            first = false;
        }
        at = end + 1;
    }
    strbuf_addc(out, ']');
}

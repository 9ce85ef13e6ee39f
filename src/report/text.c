/* Text in other languages. What programs and specifications say may be anything: bytes that are no
 * UTF-8, characters that XML cannot hold, markup. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "report/report.h"
#include "report/report_int.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* The length of the character at p, 1 to 4; 0: that is no UTF-8. */
static size_t char_length(const unsigned char *p, size_t left, uint32_t *ret)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (n == 0 || n > left || p[0] > 0xf4) {
        return 0;
    }
    uint32_t c = n == 1 ? p[0] : p[0] & (0xffU >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        c = c << 6 | (p[i] & 0x3fU);
    }
    *ret = c;
    return c >= least[n] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) ? n : 0;
}

static bool in_xml(uint32_t c)
{
    return c >= ' ' ? c != 0xfffe && c != 0xffff : c == '\t' || c == '\n';
}

void report_xml(struct str text, struct strbuf *out)
{
    for (size_t i = 0; i < text.n;) {
        uint32_t c = 0;
        size_t n = char_length((const unsigned char *)text.p + i, text.n - i, &c);
        if (n == 0 || !in_xml(c)) {
            strbuf_adds(out, REPLACEMENT);
        } else if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'') {
            strbuf_printf(out, "&#%u;", c);
        } else {
            strbuf_add(out, text.p + i, n);
        }
        i += n != 0 ? n : 1;
    }
}

static void json_char(const char *p, size_t n, uint32_t c, struct strbuf *out)
{
    if (n == 0) {
        strbuf_adds(out, REPLACEMENT);
    } else if (c == '"' || c == '\\') {
        strbuf_printf(out, "\\%c", (char)c);
    } else if (c == '\n') {
        strbuf_adds(out, "\\n");
    } else if (c < ' ' || c == 0x7f) {
        strbuf_printf(out, "\\u%04x", c);
    } else {
        strbuf_add(out, p, n);
    }
}

void report_json(struct str text, struct strbuf *out)
{
    strbuf_addc(out, '"');
    for (size_t i = 0; i < text.n;) {
        uint32_t c = 0;
        size_t n = char_length((const unsigned char *)text.p + i, text.n - i, &c);
        json_char(text.p + i, n, c, out);
        i += n != 0 ? n : 1;
    }
    strbuf_addc(out, '"');
}

void report_json_field(struct strbuf *out, const char *key, const char *text)
{
    if (text != NULL) {
        strbuf_printf(out, ",\"%s\":", key);
        report_json(str_of(text), out);
    }
}

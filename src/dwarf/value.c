/* Values as one line of text. */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "dwarf/dwarf.h"

static void print_text(struct strbuf *out, struct str text, char quote)
{
    strbuf_addc(out, quote);
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == (unsigned char)quote || c == '\\') {
            strbuf_printf(out, "\\%c", c);
        } else if (c == '\n') {
            strbuf_adds(out, "\\n");
        } else if (c < 32 || c == 127) {
            strbuf_printf(out, "\\x%02x", c);
        } else {
            strbuf_addc(out, (char)c);
        }
    }
    strbuf_addc(out, quote);
}

static void print_char(struct strbuf *out, const struct dwarf_value *value)
{
    if (value->u < 128 && isprint((int)value->u)) {
        char c = (char)value->u;
        print_text(out, (struct str){&c, 1}, '\'');
    } else {
        strbuf_printf(out, "'\\u{%" PRIx64 "}'", value->u);
    }
}

static void print_fields(struct strbuf *out, const struct dwarf_value *value)
{
    if (value->text.n) {
        strbuf_addstr(out, value->text);
        if (value->n == 0) {
            return;
        }
    }
    strbuf_addc(out, '{');
    for (size_t i = 0; i < value->n; i++) {
        strbuf_printf(out, "%s%.*s: ", i ? ", " : "", STR_ARG(value->fields[i].name));
        dwarf_value_print(out, &value->fields[i].value);
    }
    strbuf_addc(out, '}');
}

static void print_items(struct strbuf *out, const struct dwarf_value *value)
{
    bool map = value->kind == DWARF_MAP;
    strbuf_adds(out, map ? "map[" : "[");
    for (size_t i = 0; i < value->n; i++) {
        strbuf_adds(out, i == 0 ? "" : map && i % 2 ? ": " : ", ");
        dwarf_value_print(out, &value->items[i]);
    }
    strbuf_addc(out, ']');
}

void dwarf_value_print(struct strbuf *out, const struct dwarf_value *value)
{
    switch (value->kind) {
    case DWARF_INT: strbuf_printf(out, "%" PRId64, value->i); break;
    case DWARF_UINT: strbuf_printf(out, "%" PRIu64, value->u); break;
    case DWARF_FLOAT: strbuf_printf(out, "%.17g", value->f); break;
    case DWARF_BOOL: strbuf_adds(out, value->u ? "true" : "false"); break;
    case DWARF_CHAR: print_char(out, value); break;
    case DWARF_ENUM:
        if (value->text.n) {
            strbuf_addstr(out, value->text);
        } else {
            strbuf_printf(out, "%.*s(%" PRId64 ")", STR_ARG(value->type), value->i);
        }
        break;
    case DWARF_STRING: print_text(out, value->text, '"'); break;
    case DWARF_STRUCT: print_fields(out, value); break;
    case DWARF_ARRAY:
    case DWARF_MAP: print_items(out, value); break;
    case DWARF_POINTER:
        if (value->target) {
            strbuf_addc(out, '&');
            dwarf_value_print(out, value->target);
        } else {
            strbuf_printf(out, "0x%" PRIx64, value->u);
        }
        break;
    case DWARF_NULL: strbuf_adds(out, "null"); break;
    case DWARF_OPAQUE: strbuf_printf(out, "<%.*s>", STR_ARG(value->text)); break;
    }
}

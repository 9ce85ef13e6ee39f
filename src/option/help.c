/* `assay help COMMAND`, from the tables of commands and options: for terminals of 80 columns. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "option/option.h"

enum { WIDTH = 79, COLUMN_MAX = 30 };

/* Adds words from column `at` on, and goes on in column `indent`. */
static void wrap(struct strbuf *out, size_t at, size_t indent, struct str text)
{
    bool first = true;
    while (text.n > 0) {
        const char *blank = memchr(text.p, ' ', text.n);
        size_t n = blank != NULL ? (size_t)(blank - text.p) : text.n;
        if (!first && at + 1 + n > WIDTH) {
            strbuf_addc(out, '\n');
            strbuf_pad(out, ' ', indent);
            at = indent;
        } else if (!first) {
            strbuf_addc(out, ' ');
            at++;
        }
        strbuf_add(out, text.p, n);
        at += n;
        first = false;
        text.p += n + (blank != NULL);
        text.n -= n + (blank != NULL);
    }
    strbuf_addc(out, '\n');
}

/* Lines that begin with blanks stay as they are; the others are paragraphs. */
static void paragraphs(struct strbuf *out, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        struct str line = {text, n};
        if (line.p[0] == ' ') {
            strbuf_addstr(out, line);
            strbuf_addc(out, '\n');
        } else {
            wrap(out, 0, 0, line);
        }
        text += n + (text[n] == '\n');
    }
}

static void usage(struct strbuf *out, const struct command *command)
{
    const char *before = "usage:";
    for (const char *at = command->arguments;; before = "      ") {
        size_t n = strcspn(at, "\n");
        strbuf_printf(out, "%s assay %s%s%.*s\n", before, command->name, n > 0 ? " " : "", (int)n,
                      at);
        if (at[n] == '\0') {
            break;
        }
        at += n + 1;
    }
    strbuf_addc(out, '\n');
}

static bool shown(const struct option *o)
{
    return o->name[0] != '\0' && o->help != NULL;
}

/* "  -c, --config FILE" */
static void add_names(struct strbuf *out, const struct option *o)
{
    if (o->letter != 0) {
        strbuf_printf(out, "  -%c, --%s", o->letter, o->name);
    } else {
        strbuf_printf(out, "      --%s", o->name);
    }
    if (o->value != NULL) {
        strbuf_printf(out, "%s%s", o->value[0] == '[' ? "" : " ", o->value);
    }
}

static size_t column(const struct option *options)
{
    size_t widest = 0;
    for (const struct option *o = options; o->name != NULL; o++) {
        SCOPED_STRBUF names = {0};
        if (shown(o) && o->kind != OPTION_HEADING) {
            add_names(&names, o);
        }
        widest = names.n + 2 <= COLUMN_MAX && names.n + 2 > widest ? names.n + 2 : widest;
    }
    return widest;
}

static void add_options(struct strbuf *out, const struct option *options)
{
    size_t at = column(options);
    bool any = false;
    for (const struct option *o = options; o->name != NULL; o++) {
        SCOPED_STRBUF names = {0};
        if (!shown(o)) {
            continue;
        }
        if (o->kind == OPTION_HEADING) {
            strbuf_printf(out, "\n%s:\n", o->name);
            any = true;
            continue;
        }
        strbuf_adds(out, any ? "" : "\n");
        any = true;
        add_names(&names, o);
        strbuf_addstr(out, strbuf_str(&names));
        if (names.n + 2 > at) {
            strbuf_addc(out, '\n');
            names.n = 0;
        }
        strbuf_pad(out, ' ', at - names.n);
        wrap(out, at, at, str_of(o->help));
    }
    strbuf_adds(out, any ? "  -h, --help" : "\n  -h, --help");
    at = at < 14 ? 14 : at;
    strbuf_pad(out, ' ', at - 12);
    strbuf_adds(out, "this text\n");
}

/* TLC's own is laid out so. */
static void add_tlc(struct strbuf *out, const struct command *command)
{
    strbuf_adds(out, "NAME\n\n\tTLC - provides model checking and simulation of TLA+ "
                     "specifications (assay " ASSAY_VERSION ")\n\nSYNOPSIS\n\n"
                     "\tTLC [options] SPEC\n\nDESCRIPTION\n\n");
    paragraphs(out, command->about);
    strbuf_adds(out, "\nOPTIONS\n\n");
    for (const struct option *o = command->options; o->name != NULL; o++) {
        if (shown(o)) {
            strbuf_printf(out, "\t%s%s%s\n\t\t%s\n", o->name, o->value != NULL ? " " : "",
                          o->value != NULL ? o->value : "", o->help);
        }
    }
}

bool option_as_tlc(const struct option *options)
{
    for (const struct option *o = options; o->name != NULL; o++) {
        if (o->name[0] == '-') {
            return true;
        }
    }
    return false;
}

void command_help(const struct command *command, struct strbuf *out)
{
    if (option_as_tlc(command->options)) {
        add_tlc(out, command);
        return;
    }
    usage(out, command);
    paragraphs(out, command->about);
    add_options(out, command->options);
}

/* How messages are read, as far as those that were seen tell: JSON, or words and numbers as many as
 * the specification's messages have fields. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "sketch/sketch_int.h"

/* The next run of letters or of digits of a message; what stands before it goes to `between`. */
static bool next_word(struct str *rest, struct str *ret, struct str *between)
{
    size_t begin = 0;
    while (begin < rest->n && !isalnum((unsigned char)rest->p[begin])) {
        begin++;
    }
    size_t end = begin;
    bool digit = begin < rest->n && isdigit((unsigned char)rest->p[begin]);
    while (end < rest->n && isalnum((unsigned char)rest->p[end]) &&
           (isdigit((unsigned char)rest->p[end]) != 0) == digit) {
        end++;
    }
    *between = (struct str){rest->p, begin};
    *ret = (struct str){rest->p + begin, end - begin};
    *rest = (struct str){rest->p + end, rest->n - end};
    return ret->n != 0;
}

static bool is_plain(struct str between)
{
    for (size_t i = 0; i < between.n; i++) {
        if (strchr(" :=,;\n", between.p[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* The next field of a message that is text, or a number; not who sent it to whom. */
static const struct sfield *next_field(const struct sfield *from, bool number)
{
    for (; from != NULL; from = from->next) {
        bool fits = number ? from->type->is_int : from->type->n_names != 0;
        if (fits && !str_is(from->name, "from") && !str_is(from->name, "to")) {
            return from;
        }
    }
    return NULL;
}

/* Messages that are words and numbers, as many of both as the type has fields: a regular
 * expression that fits all that were seen. */
static bool text_pattern(const struct look *look, const struct stype *type, struct strbuf *out)
{
    const struct sfield *name = next_field(type->fields, false);
    const struct sfield *number = next_field(type->fields, true);
    struct str rest = look->packets.v[0].bytes, word, between;
    strbuf_addc(out, '^');
    while (next_word(&rest, &word, &between)) {
        bool digits = isdigit((unsigned char)word.p[0]);
        const struct sfield **field = digits ? &number : &name;
        if (*field == NULL || !is_plain(between)) {
            return false;
        }
        strbuf_printf(out, "%.*s(?<%.*s>%s)", STR_ARG(between), STR_ARG((*field)->name),
                      digits ? "\\d+" : "[A-Za-z]+");
        *field = next_field((*field)->next, digits);
    }
    if (name != NULL || number != NULL || !is_plain(between)) {
        return false;
    }
    strbuf_printf(out, "%s$", between.n != 0 ? "\\s*" : "");
    return memchr(out->p, '\n', out->n) == NULL;
}

/* Whether another message has the same words, numbers and signs between them. */
static bool same_form(struct str a, struct str b)
{
    struct str x, y, before_x, before_y;
    for (;;) {
        bool more = next_word(&a, &x, &before_x);
        if (more != next_word(&b, &y, &before_y) || !str_eq(before_x, before_y)) {
            return false;
        }
        if (!more) {
            return true;
        }
        if ((isdigit((unsigned char)x.p[0]) != 0) != (isdigit((unsigned char)y.p[0]) != 0)) {
            return false;
        }
    }
}

/* How messages are read, when all that were seen tell: lines of [[message]] without `as`. */
void message_form(const struct look *look, const struct stype *type, struct strbuf *out)
{
    bool json = look->packets.n != 0, text = json && type != NULL && type->fields != NULL;
    for (size_t i = 0; i < look->packets.n; i++) {
        struct str bytes = look->packets.v[i].bytes;
        json = json && bytes.n > 1 && bytes.p[0] == '{' && bytes.p[1] == '"';
        text = text && same_form(look->packets.v[0].bytes, bytes);
    }
    SCOPED_STRBUF pattern = {0};
    if (json) {
        strbuf_adds(out, "json = true\n");
    } else if (text && text_pattern(look, type, &pattern)) {
        strbuf_printf(out, "match = '%s'\n", strbuf_cstr(&pattern));
    }
}

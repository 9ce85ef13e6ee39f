/* Breaking the text of a value into lines, with TLC's layout.
 *
 * TLC formats text, not values: it parses what it printed, and a value that does not fit its line
 * is spread over several, one element or one pair on each. Its little grammar does not know
 * everything that can be printed (a model value with an underscore, say, or a quote inside a
 * string); such text comes back unbroken. To give the same lines, this file parses the same text by
 * the same grammar. Lengths count UTF-16 units, as in Java. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "value/value.h"
#include "value/value_int.h"

enum node_type {
    NODE_CONSTANT,
    NODE_SET,
    NODE_SEQUENCE,
    NODE_RECORD,
    NODE_FUNCTION,
    NODE_SUBSET,
    NODE_PAIR
};

struct node {
    enum node_type type;
    size_t first, last; /* bytes, both inclusive */
    struct node *child, *next;
};

struct pretty {
    struct vctx *ctx;
    struct str text;
    uint32_t *units; /* units[i]: UTF-16 units before byte i; NULL when every byte is one */
    struct strbuf *out;
};

/* ---- parsing; every function returns NULL for text outside of the grammar ---- */

static struct node *parse(struct pretty *p, size_t at);

static int char_at(const struct pretty *p, size_t at)
{
    return at < p->text.n ? (unsigned char)p->text.p[at] : -1;
}

static bool is_space(int c)
{
    return (c >= '\t' && c <= '\r') || c == ' ' || (c >= 0x1c && c <= 0x1f);
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_alnum(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

static size_t skip_space(const struct pretty *p, size_t at)
{
    while (is_space(char_at(p, at))) {
        at++;
    }
    return at;
}

static bool starts_with(const struct pretty *p, size_t at, const char *token)
{
    size_t n = strlen(token);
    return at < p->text.n && p->text.n - at >= n && memcmp(p->text.p + at, token, n) == 0;
}

static struct node *node_new(struct pretty *p, enum node_type type, size_t first, size_t last)
{
    struct node *node = ARENA_NEW(p->ctx->arena, struct node);
    node->type = type;
    node->first = first;
    node->last = last;
    return node;
}

/* key DIV value, in records and functions */
static struct node *parse_pair(struct pretty *p, size_t at, const char *div)
{
    struct node *key = parse(p, at);
    if (!key) {
        return NULL;
    }
    size_t pos = skip_space(p, key->last + 1);
    if (!starts_with(p, pos, div)) {
        return NULL;
    }
    struct node *value = parse(p, skip_space(p, pos + strlen(div)));
    if (!value) {
        return NULL;
    }
    key->next = value;
    struct node *pair = node_new(p, NODE_PAIR, at, value->last);
    pair->child = key;
    return pair;
}

struct form {
    const char *sep;
    const char *div;   /* of the pairs; NULL when the elements are values */
    size_t open;       /* bytes of the opening bracket */
    size_t close_more; /* bytes of the closing one after the first */
    enum node_type type;
    char close;
};

static const struct form forms[] = {
    [NODE_SET] = {",",  NULL,  1, 0, NODE_SET,      '}'},
    [NODE_SEQUENCE] = {",",  NULL,  2, 1, NODE_SEQUENCE, '>'},
    [NODE_RECORD] = {",",  "|->", 1, 0, NODE_RECORD,   ']'},
    [NODE_FUNCTION] = {"@@", ":>",  1, 0, NODE_FUNCTION, ')'},
};

static struct node *parse_list(struct pretty *p, size_t at, const struct form *form)
{
    struct node *node = node_new(p, form->type, at, at);
    struct node **tail = &node->child;
    size_t pos = skip_space(p, at + form->open);
    while (char_at(p, pos) != form->close) {
        struct node *elem = form->div ? parse_pair(p, pos, form->div) : parse(p, pos);
        if (!elem) {
            return NULL;
        }
        *tail = elem;
        tail = &elem->next;
        pos = skip_space(p, elem->last + 1);
        if (starts_with(p, pos, form->sep)) {
            pos += strlen(form->sep);
        }
        pos = skip_space(p, pos);
    }
    node->last = pos + form->close_more;
    return node->last < p->text.n ? node : NULL;
}

static struct node *parse_subset(struct pretty *p, size_t at)
{
    struct node *elem = parse(p, skip_space(p, at + strlen("SUBSET")));
    if (!elem) {
        return NULL;
    }
    struct node *node = node_new(p, NODE_SUBSET, at, elem->last);
    node->child = elem;
    return node;
}

static size_t skip_digits(const struct pretty *p, size_t at)
{
    while (is_digit(char_at(p, at))) {
        at++;
    }
    return at;
}

static struct node *parse_constant(struct pretty *p, size_t at)
{
    int c = char_at(p, at);
    size_t end = at + 1;
    if (c == '"') {
        while (char_at(p, end) >= 0 && char_at(p, end) != '"') {
            end++;
        }
        return char_at(p, end) < 0 ? NULL : node_new(p, NODE_CONSTANT, at, end);
    }
    if (is_digit(c)) { /* i..j */
        size_t dots = skip_digits(p, at);
        if (starts_with(p, dots, "..") && is_digit(char_at(p, dots + 2))) {
            return node_new(p, NODE_CONSTANT, at, skip_digits(p, dots + 2) - 1);
        }
    }
    if (c == '-') {
        return char_at(p, end) < 0 ? NULL : node_new(p, NODE_CONSTANT, at, skip_digits(p, end) - 1);
    }
    if (!is_alnum(c)) {
        return NULL;
    }
    while (is_alnum(char_at(p, end))) {
        end++;
    }
    return node_new(p, NODE_CONSTANT, at, end - 1);
}

static struct node *parse(struct pretty *p, size_t at)
{
    stack_check(p->ctx);
    at = skip_space(p, at);
    switch (char_at(p, at)) {
    case '{': return parse_list(p, at, &forms[NODE_SET]);
    case '<': return parse_list(p, at, &forms[NODE_SEQUENCE]);
    case '[': return parse_list(p, at, &forms[NODE_RECORD]);
    case '(': return parse_list(p, at, &forms[NODE_FUNCTION]);
    default: return starts_with(p, at, "SUBSET") ? parse_subset(p, at) : parse_constant(p, at);
    }
}

/* ---- layout ---- */

/* Room on a line: `width` columns, of which `trailer` must stay free at the end of the last line;
 * further lines begin with `pad` spaces. */
struct room {
    int64_t width;
    int64_t trailer;
    size_t pad;
};

struct style {
    const char *open, *close, *sep;
    size_t pad; /* indentation of what is inside */
    const char *div;
};

static const struct style styles[] = {
    [NODE_SET] = {"{ ",      " }",  ",",   2, NULL  },
      [NODE_SEQUENCE] = {"<< ",     " >>", ",",   3, NULL  },
    [NODE_FUNCTION] = {"( ",      " )",  " @@", 2, " :>" },
      [NODE_RECORD] = {"[ ",      " ]",  ",",   2, " |->"},
    [NODE_SUBSET] = {"SUBSET ", " ",   ",",   1, NULL  },
};

enum { DIV_PAD = 4 };

static int64_t length(const struct pretty *p, const struct node *node)
{
    return p->units ? (int64_t)p->units[node->last + 1] - (int64_t)p->units[node->first]
                    : (int64_t)(node->last - node->first + 1);
}

static void put_text(struct pretty *p, const struct node *node)
{
    strbuf_add(p->out, p->text.p + node->first, node->last - node->first + 1);
}

static void put_newline(struct pretty *p, size_t pad)
{
    strbuf_addc(p->out, '\n');
    strbuf_pad(p->out, ' ', pad);
}

static void layout(struct pretty *p, const struct node *node, struct room room);

static void layout_pair(struct pretty *p, const struct node *pair, struct room room,
                        const struct style *style)
{
    const struct node *key = pair->child;
    const struct node *value = key->next;
    bool last = pair->next == NULL;
    int64_t div = (int64_t)strlen(style->div);
    int64_t sep = last ? 0 : (int64_t)strlen(style->sep);
    int64_t one_line = length(p, key) + div + 1 + length(p, value) + sep;
    if (one_line <= room.width - (last ? room.trailer : 0)) {
        put_text(p, key);
        strbuf_adds(p->out, style->div);
        strbuf_addc(p->out, ' ');
        put_text(p, value);
        return;
    }
    if (length(p, key) + div <= room.width) {
        put_text(p, key);
    } else {
        layout(p, key, (struct room){room.width, room.trailer + div, room.pad});
    }
    strbuf_adds(p->out, style->div);
    put_newline(p, room.pad + DIV_PAD);
    layout(p, value,
           (struct room){room.width - DIV_PAD, last ? room.trailer : sep, room.pad + DIV_PAD});
}

static void layout(struct pretty *p, const struct node *node, struct room room)
{
    if (node->type == NODE_CONSTANT || length(p, node) <= room.width - room.trailer) {
        put_text(p, node);
        return;
    }
    stack_check(p->ctx);
    const struct style *style = &styles[node->type];
    size_t open = strlen(style->open);
    struct room inner = {room.width - (int64_t)(open > style->pad ? open : style->pad),
                         room.trailer + (int64_t)strlen(style->close), room.pad + style->pad};
    strbuf_adds(p->out, style->open);
    for (const struct node *elem = node->child; elem; elem = elem->next) {
        if (style->div) {
            layout_pair(p, elem, inner, style);
        } else {
            int64_t sep = (int64_t)strlen(style->sep);
            layout(p, elem,
                   (struct room){inner.width, elem->next ? sep : inner.trailer, inner.pad});
        }
        if (elem->next) {
            strbuf_adds(p->out, style->sep);
            put_newline(p, inner.pad);
        }
    }
    strbuf_adds(p->out, style->close);
}

/* Counts UTF-16 units when there are other than ASCII bytes: a lead byte begins one unit, two for
 * characters beyond the basic plane. */
static void count_units(struct pretty *p)
{
    size_t i = 0;
    while (i < p->text.n && (unsigned char)p->text.p[i] < 0x80) {
        i++;
    }
    if (i == p->text.n) {
        return;
    }
    p->units = arena_alloc(p->ctx->arena, (p->text.n + 1) * sizeof *p->units);
    uint32_t units = 0;
    for (i = 0; i < p->text.n; i++) {
        unsigned char c = (unsigned char)p->text.p[i];
        p->units[i] = units;
        units += (c & 0xc0) == 0x80 ? 0u : c >= 0xf0 ? 2u : 1u;
    }
    p->units[p->text.n] = units;
}

void val_text_pretty(struct vctx *ctx, struct str text, unsigned indent, unsigned width,
                     struct strbuf *out)
{
    int64_t columns = (int64_t)width - (int64_t)indent;
    if ((int64_t)text.n <= columns) {
        strbuf_addstr(out, text);
        return;
    }
    struct arena_mark mark = arena_mark(ctx->arena);
    struct pretty p = {.ctx = ctx, .text = text, .out = out};
    count_units(&p);
    struct node *tree = parse(&p, 0);
    if (!tree || tree->last + 1 < text.n) {
        strbuf_addstr(out, text);
    } else {
        layout(&p, tree, (struct room){columns, 0, indent});
    }
    if (out->arena != ctx->arena) { /* else the output is among what was made here */
        arena_rewind(ctx->arena, mark);
    }
}

/* A reader by hand, one pass, no look back: the format is line by line but for arrays and long
 * strings. */
#include "base/toml.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/near.h"
#include "base/str.h"

struct reader {
    struct arena *arena;
    const char *begin, *p, *end;
    unsigned line;
    unsigned depth; /* of arrays and tables within each other */
    struct err *err;
};

enum { DEPTH_MOST = 32 };

static int fail(struct reader *r, const char *what)
{
    return err_set(r->err, ERR_INVALID, 0, "line %u: %s", r->line, what);
}

static bool at_end(const struct reader *r)
{
    return r->p >= r->end;
}

static bool see(const struct reader *r, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(r->end - r->p) >= n && memcmp(r->p, text, n) == 0;
}

static void skip_blanks(struct reader *r)
{
    while (!at_end(r) && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r')) {
        r->p++;
    }
}

/* Blanks, comments and ends of lines. */
static void skip_space(struct reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (!at_end(r) && *r->p == '#') {
            while (!at_end(r) && *r->p != '\n') {
                r->p++;
            }
        }
        if (at_end(r) || *r->p != '\n') {
            return;
        }
        r->p++;
        r->line++;
    }
}

static int line_end(struct reader *r)
{
    skip_blanks(r);
    if (!at_end(r) && *r->p != '\n' && *r->p != '#') {
        return fail(r, "unexpected text at the end of the line");
    }
    return 0;
}

static bool is_bare(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static int parse_string(struct reader *r, struct str *ret);

/* With `dots` a name of several parts is taken as it is written. */
static int parse_key(struct reader *r, bool dots, struct str *ret)
{
    if (!at_end(r) && (*r->p == '"' || *r->p == '\'')) {
        return parse_string(r, ret);
    }
    const char *begin = r->p;
    while (!at_end(r) && (is_bare(*r->p) || (dots && *r->p == '.'))) {
        r->p++;
    }
    if (r->p == begin) {
        return fail(r, "a name is missing");
    }
    if (!at_end(r) && *r->p == '.') {
        return fail(r, "names with dots are not supported");
    }
    *ret = (struct str){begin, (size_t)(r->p - begin)};
    return 0;
}

static int escape(struct reader *r, struct strbuf *out)
{
    static const char from[] = "ntr\"\\0", to[] = "\n\t\r\"\\";
    char c = at_end(r) ? '\0' : *r->p++;
    const char *at = c != '\0' ? strchr(from, c) : NULL;
    if (at == NULL || c == '0') {
        return fail(r, "unknown escape in a string");
    }
    strbuf_addc(out, to[at - from]);
    return 0;
}

static int parse_string(struct reader *r, struct str *ret)
{
    char quote = *r->p;
    char three[4] = {quote, quote, quote, '\0'};
    bool multi = see(r, three);
    r->p += multi ? 3 : 1;
    if (multi && !at_end(r) && *r->p == '\n') {
        r->p++;
        r->line++;
    }
    SCOPED_STRBUF out = {0};
    for (;;) {
        if (at_end(r) || (*r->p == '\n' && !multi)) {
            return fail(r, "a string is not closed");
        }
        if (multi ? see(r, three) : *r->p == quote) {
            r->p += multi ? 3 : 1;
            *ret = str_dup(r->arena, strbuf_str(&out));
            return 0;
        }
        char c = *r->p++;
        r->line += c == '\n';
        if (c == '\\' && quote == '"') {
            int status = escape(r, &out);
            if (status != 0) {
                return status;
            }
        } else {
            strbuf_addc(&out, c);
        }
    }
}

static int parse_value(struct reader *r, struct toml_value *ret);

static int parse_array(struct reader *r, struct toml_value *ret)
{
    size_t cap = 0;
    r->p++;
    for (;;) {
        skip_space(r);
        if (!at_end(r) && *r->p == ']') {
            r->p++;
            return 0;
        }
        if (ret->n == cap) {
            cap = cap * 2 + 4;
            struct toml_value *more = ARENA_ARRAY(r->arena, struct toml_value, cap);
            if (ret->n != 0) {
                memcpy(more, ret->items, ret->n * sizeof *more);
            }
            ret->items = more;
        }
        int status = parse_value(r, &ret->items[ret->n]);
        if (status != 0) {
            return status;
        }
        ret->n++;
        skip_space(r);
        if (!at_end(r) && *r->p == ',') {
            r->p++;
        } else if (at_end(r) || *r->p != ']') {
            return fail(r, "expected , or ] in an array");
        }
    }
}

static int parse_number(struct reader *r, struct toml_value *ret)
{
    char text[64];
    size_t n = 0;
    while (r->p + n < r->end && (is_bare(r->p[n]) || strchr("+.", r->p[n]) != NULL)) {
        n++;
    }
    if (n == 0 || n >= sizeof text) {
        return fail(r, "a value is missing");
    }
    memcpy(text, r->p, n);
    text[n] = '\0';
    char *end = NULL;
    ret->number = strtod(text, &end);
    if (*end != '\0') {
        return fail(r, "not a value: strings stand between quotes");
    }
    ret->text = (struct str){r->p, n};
    r->p += n;
    return 0;
}

static int parse_pair(struct reader *r, struct toml_table *table);

/* { name = value, ... }, here also over several lines. */
static int parse_braces(struct reader *r, struct toml_value *ret)
{
    ret->table = ARENA_NEW(r->arena, struct toml_table);
    ret->table->line = r->line;
    r->p++;
    for (;;) {
        skip_space(r);
        if (!at_end(r) && *r->p == '}') {
            r->p++;
            return 0;
        }
        int status = parse_pair(r, ret->table);
        if (status != 0) {
            return status;
        }
        skip_space(r);
        if (!at_end(r) && *r->p == ',') {
            r->p++;
        } else if (at_end(r) || *r->p != '}') {
            return fail(r, "expected , or } in a table");
        }
    }
}

static int parse_any(struct reader *r, struct toml_value *ret)
{
    if (at_end(r)) {
        return fail(r, "a value is missing");
    }
    if (*r->p == '"' || *r->p == '\'') {
        ret->kind = TOML_STRING;
        return parse_string(r, &ret->text);
    }
    if (*r->p == '[') {
        ret->kind = TOML_ARRAY;
        return parse_array(r, ret);
    }
    if (*r->p == '{') {
        ret->kind = TOML_TABLE;
        return parse_braces(r, ret);
    }
    if (see(r, "true") || see(r, "false")) {
        ret->kind = TOML_BOOL;
        ret->boolean = *r->p == 't';
        r->p += ret->boolean ? 4 : 5;
        return 0;
    }
    ret->kind = TOML_NUMBER;
    return parse_number(r, ret);
}

static int parse_value(struct reader *r, struct toml_value *ret)
{
    *ret = (struct toml_value){.line = r->line, .begin = (size_t)(r->p - r->begin)};
    const char *begin = r->p;
    if (++r->depth > DEPTH_MOST) {
        return fail(r, "values are nested too deeply");
    }
    int status = parse_any(r, ret);
    r->depth--;
    ret->end = (size_t)(r->p - r->begin);
    if (status == 0 && ret->kind == TOML_STRING) {
        bool multi = r->p - begin >= 6 && begin[1] == begin[0] && begin[2] == begin[0];
        ret->begin += multi ? 3 : 1;
        ret->begin += multi && begin[3] == '\n' ? 1 : 0;
        ret->end -= multi ? 3 : 1;
    }
    return status;
}

static int parse_header(struct reader *r, struct toml_table *table)
{
    table->line = r->line;
    table->begin = (size_t)(r->p - r->begin);
    table->element = see(r, "[[");
    r->p += table->element ? 2 : 1;
    skip_blanks(r);
    int status = parse_key(r, true, &table->name);
    skip_blanks(r);
    if (status == 0 && !see(r, table->element ? "]]" : "]")) {
        status = fail(r, "] is missing");
    }
    if (status == 0) {
        r->p += table->element ? 2 : 1;
        table->end = (size_t)(r->p - r->begin);
        status = line_end(r);
    }
    return status;
}

static int parse_pair(struct reader *r, struct toml_table *table)
{
    struct toml_pair pair = {.begin = (size_t)(r->p - r->begin)};
    int status = parse_key(r, false, &pair.key);
    pair.end = (size_t)(r->p - r->begin);
    if (status != 0) {
        return status;
    }
    skip_blanks(r);
    if (at_end(r) || *r->p != '=') {
        return fail(r, "= is missing");
    }
    r->p++;
    skip_blanks(r);
    status = parse_value(r, &pair.value);
    if (status != 0) {
        return status;
    }
    for (size_t i = 0; i < table->n; i++) {
        if (str_eq(table->pairs[i].key, pair.key)) {
            return fail(r, "this name was given a value before");
        }
    }
    if (table->n == table->cap) {
        table->cap = table->cap * 2 + 8;
        struct toml_pair *more = ARENA_ARRAY(r->arena, struct toml_pair, table->cap);
        if (table->n != 0) {
            memcpy(more, table->pairs, table->n * sizeof *more);
        }
        table->pairs = more;
    }
    table->pairs[table->n++] = pair;
    return 0;
}

static struct toml_table *new_table(struct reader *r, struct toml *toml)
{
    if (toml->n == toml->cap) {
        toml->cap = toml->cap * 2 + 8;
        struct toml_table *more = ARENA_ARRAY(r->arena, struct toml_table, toml->cap);
        if (toml->n != 0) {
            memcpy(more, toml->tables, toml->n * sizeof *more);
        }
        toml->tables = more;
    }
    return &toml->tables[toml->n++];
}

int toml_parse(struct arena *arena, struct str text, struct toml *ret, struct err *err)
{
    struct reader r = {arena, text.p, text.p, text.p + text.n, 1, 0, err};
    struct toml toml = {0};
    struct toml_table *table = new_table(&r, &toml);
    table->name = STR("");
    for (;;) {
        skip_space(&r);
        if (at_end(&r)) {
            *ret = toml;
            return 0;
        }
        int status = 0;
        if (*r.p == '[') {
            table = new_table(&r, &toml);
            status = parse_header(&r, table);
        } else {
            status = parse_pair(&r, table);
            status = status != 0 ? status : line_end(&r);
        }
        if (status != 0) {
            return status;
        }
    }
}

struct toml_pair *toml_find(struct toml_table *table, const char *key)
{
    struct toml_pair *found = NULL;
    for (size_t i = 0; i < table->n; i++) {
        struct toml_pair *pair = &table->pairs[i];
        if (found == NULL && str_is(pair->key, key)) {
            pair->used = true;
            found = pair;
        }
        if (!pair->used) {
            pair->near = pair->near.word.n == 0 ? near_to(pair->key) : pair->near;
            near_try(&pair->near, str_of(key));
        }
    }
    return found;
}

void toml_near(const struct toml_pair *pair, struct strbuf *out)
{
    near_add(&pair->near, out, "; did you mean '", "'?");
}

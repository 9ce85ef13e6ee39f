/* Characters to tokens. The translator reads either one token of PlusCal or a whole expression of
 * TLA+, which it knows to end at the first token that cannot be a part of one: a semicolon, a
 * keyword of PlusCal, a comma or closing bracket that nothing opened.
 *
 * A string token that is read as a token of PlusCal comes without its quotes, and at the end of the
 * text the last token comes again: both are so in the translator, and its error messages show it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal_int.h"

/* ---- symbols ---- */
enum side { NEITHER, OPENS, CLOSES };
struct symbol_row {
    const char *text;
    enum side side;
};
static const struct symbol_row symbols[] = {
#define X(text, side) {text, side},
#include "pluscal/symbols.def"
#undef X
};

static bool is_letter(int32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(int32_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(int32_t c)
{
    return c == ' ' || c == '\f' || c == '\r';
}

static const struct symbol_row *find_symbol(struct str text)
{
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        if (symbols[i].text[0] == text.p[0] && str_is(text, symbols[i].text)) {
            return &symbols[i];
        }
    }
    return NULL;
}

static bool is_symbol(const struct strbuf *token)
{
    return token->n > 0 && find_symbol(strbuf_str(token)) != NULL;
}

/* Words, also those behind a backslash, are read to their end; only other symbols grow as long as
 * they are the beginning of one. */
static bool is_word(const char *symbol)
{
    return is_letter(symbol[0]) || (symbol[0] == '\\' && is_letter(symbol[1]));
}

static bool is_prefix(struct str text)
{
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        const char *symbol = symbols[i].text;
        if (symbol[0] == text.p[0] && !is_word(symbol) && strlen(symbol) >= text.n &&
            memcmp(symbol, text.p, text.n) == 0) {
            return true;
        }
    }
    return false;
}

/* Keywords and symbols that end an expression. */
static bool is_delimiter(struct str text)
{
    static const char *const words[] = {
        ";",         "do",     "then",   ":=",        "\u2254", "begin",   "variable",
        "variables", "||",     "\u2016", "end",       "else",   "elsif",   "if",
        "either",    "or",     "while",  "with",      "call",   "return",  "goto",
        "print",     "assert", "skip",   "procedure", "define", "process", "fair"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (str_is(text, words[i])) {
            return true;
        }
    }
    return false;
}

/* ---- characters ---- */
static void load_line(struct pcal *p, struct reader *r)
{
    if (r->line >= r->lines->n) {
        r->cur = NULL;
        return;
    }
    struct u16s line = r->lines->v[r->line];
    uint32_t *cur = ARENA_ARRAY(p->arena, uint32_t, line.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < line.n; i++) {
        uint32_t c = line.v[i];
        if (c >= 0xd800 && c < 0xdc00 && i + 1 < line.n && line.v[i + 1] >= 0xdc00 &&
            line.v[i + 1] < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (line.v[++i] & 0x3ffu);
        }
        cur[n++] = c;
    }
    r->cur = cur;
    r->cur_n = n;
}

static int32_t read_char(struct pcal *p)
{
    struct reader *r = &p->scan.reader;
    if (r->cur == NULL) {
        return CH_END;
    }
    if (r->column == r->cur_n) {
        r->line++;
        r->column = 0;
        load_line(p, r);
        return '\n';
    }
    return (int32_t)r->cur[r->column++];
}

static void unread_char(struct pcal *p)
{
    struct reader *r = &p->scan.reader;
    if (r->column > 0) {
        r->column--;
    } else if (r->line > 0) {
        r->line--;
        load_line(p, r);
        r->column = r->cur_n > 0 ? r->cur_n - 1 : 0;
    }
}

void pcal_scan_begin(struct pcal *p, size_t line, size_t col)
{
    struct scanner *s = &p->scan;
    *s = (struct scanner){
        .reader = {.lines = &p->lines, .line = line, .column = col},
          .token = {.arena = p->arena}
    };
    load_line(p, &s->reader);
}

int32_t pcal_scan_peek(struct pcal *p, int32_t *ret_second)
{
    int32_t c = read_char(p);
    while (c == ' ' || c == '\n') {
        c = read_char(p);
    }
    if (c != CH_END) {
        unread_char(p);
        const struct reader *r = &p->scan.reader;
        *ret_second = r->column + 1 < r->cur_n ? (int32_t)r->cur[r->column + 1] : '\n';
    } else {
        *ret_second = CH_END;
    }
    return c;
}

/* ---- building tokens ---- */
static void skip(struct pcal *p)
{
    struct scanner *s = &p->scan;
    s->next_col = (int)s->reader.column;
    s->next = read_char(p);
}

static void add_char(struct strbuf *to, int32_t c)
{
    uint16_t units[2] = {(uint16_t)c, 0};
    size_t n = 1;
    if (c >= 0x10000) {
        units[0] = (uint16_t)(0xd800 + ((c - 0x10000) >> 10));
        units[1] = (uint16_t)(0xdc00 + ((c - 0x10000) & 0x3ff));
        n = 2;
    }
    strbuf_addstr(to, pcal_u16_to_str(to->arena, units, n));
}

static void take(struct pcal *p)
{
    add_char(&p->scan.token, p->scan.next);
    skip(p);
}

static void restart(struct scanner *s)
{
    s->col = s->next_col;
}

static void new_line(struct pcal *p)
{
    struct scanner *s = &p->scan;
    AVEC_PUSH(p->arena, s->expr, s->line);
    s->line = ARENA_NEW(p->arena, struct tok_line);
    s->col = 0;
}

static void scan_error(struct pcal *p, const char *what)
{
    struct scanner *s = &p->scan;
    pcal_fail(p, NULL, "%s `%.*s' found at\n    line %zu, column %d", what,
              STR_ARG(strbuf_str(&s->token)), s->reader.line + 1, s->col + 1);
}

/* The token is not part of what is being read: it ends it, or is all that was asked for. */
static void end_with(struct pcal *p)
{
    struct scanner *s = &p->scan;
    s->ended = true;
    s->delimiter = str_dup(p->arena, strbuf_str(&s->token));
    s->delimiter_col = s->col;
    s->delimiter_line = (int)s->reader.line - (s->next == '\n');
}

static bool ends_expr(const struct scanner *s, struct str token, enum tok_type type)
{
    if (type == TOK_STRING) {
        return false;
    }
    bool field = type == TOK_IDENT &&
                 (str_is(s->previous, ".") || str_is(s->previous, "[") || str_is(s->previous, ","));
    bool closes =
        (str_is(token, ",") && !s->in_quantifier) || str_is(token, ")") || str_is(token, "}");
    return (is_delimiter(token) && !field) || (closes && s->parens == 0);
}

static void add_to_expr(struct pcal *p, enum tok_type type)
{
    struct scanner *s = &p->scan;
    struct str token = str_dup(p->arena, strbuf_str(&s->token));
    const struct symbol_row *symbol = type == TOK_BUILTIN ? find_symbol(token) : NULL;
    if (symbol != NULL && symbol->side == OPENS) {
        s->parens++;
    } else if (symbol != NULL && symbol->side == CLOSES) {
        s->parens--;
        if (s->parens < 0) {
            scan_error(p, "Extra (unmatching)");
            return;
        }
    }
    s->previous = type == TOK_STRING ? STR(" ") : token;
    bool quantifier = str_is(token, "\\A") || str_is(token, "\u2200") || str_is(token, "\\E") ||
                      str_is(token, "\u2203");
    if (s->parens == 0 && quantifier) {
        s->in_quantifier = true;
    } else if (s->parens == 0 && str_is(token, ":")) {
        s->in_quantifier = false;
    }
    if (token.n > 0 || type == TOK_STRING) {
        AVEC_PUSH(p->arena, s->line, pcal_tok_new(p->arena, token, s->col, type));
    }
    strbuf_reset(&s->token);
}

/* A token is complete. TOK_NONE: one that no expression may have (a line of dashes). */
static void token_out(struct pcal *p, enum tok_type type)
{
    struct scanner *s = &p->scan;
    struct str token = strbuf_str(&s->token);
    if (!s->in_expr) {
        end_with(p);
        strbuf_reset(&s->token);
    } else if (type == TOK_NONE) {
        scan_error(p, "Illegal token in an expression");
    } else if (!ends_expr(s, token, type)) {
        add_to_expr(p, type);
    } else if (s->parens != 0) {
        scan_error(p, "Expression with an unmatched (, [, {, or << followed by");
    } else if (s->in_quantifier) {
        scan_error(p, "Expression with \\A or \\E but no following `:` followed by");
    } else {
        end_with(p);
        if (s->line->n > 0) {
            new_line(p);
        }
    }
    restart(s);
}

/* ---- tokens by their first character ---- */
static void scan_word(struct pcal *p)
{
    struct scanner *s = &p->scan;
    for (;;) {
        struct str token = strbuf_str(&s->token);
        if (str_is(token, "WF_") || str_is(token, "SF_")) {
            token_out(p, TOK_BUILTIN);
            return;
        }
        if (!is_letter(s->next) && !is_digit(s->next)) {
            token_out(p, is_symbol(&s->token) ? TOK_BUILTIN : TOK_IDENT);
            return;
        }
        take(p);
    }
}

static void scan_number(struct pcal *p)
{
    struct scanner *s = &p->scan;
    while (is_digit(s->next)) {
        take(p);
    }
    if (is_letter(s->next)) {
        take(p);
        scan_word(p);
    } else {
        token_out(p, TOK_NUMBER);
    }
}

/* The longest symbol; characters that were read too far are given back. */
static void scan_symbol(struct pcal *p)
{
    struct scanner *s = &p->scan;
    for (;;) {
        size_t n = s->token.n;
        add_char(&s->token, s->next);
        bool longer = is_prefix(strbuf_str(&s->token));
        s->token.n = n;
        s->token.p[n] = '\0';
        if (!longer) {
            break;
        }
        take(p);
    }
    if (!is_symbol(&s->token)) {
        unread_char(p);
        while (!is_symbol(&s->token)) {
            unread_char(p);
            if (s->token.n == 0) {
                scan_error(p, "Illegal lexeme");
                return;
            }
            do {
                s->token.n--;
            } while (s->token.n > 0 && (s->token.p[s->token.n] & 0xc0) == 0x80);
            s->token.p[s->token.n] = '\0';
        }
        skip(p);
    }
    token_out(p, TOK_BUILTIN);
}

static void scan_line_comment(struct pcal *p)
{
    struct scanner *s = &p->scan;
    while (s->next != '\n' && s->next != CH_END) {
        skip(p);
    }
    strbuf_reset(&s->token);
    restart(s);
}

static void scan_backslash(struct pcal *p)
{
    struct scanner *s = &p->scan;
    take(p);
    if (s->next == '*') {
        scan_line_comment(p);
        return;
    }
    if (!is_letter(s->next)) {
        scan_symbol(p);
        return;
    }
    bool number = s->next != '\n' && strchr("bBoOhH", s->next) != NULL;
    if (number) {
        take(p);
    }
    if (number && is_digit(s->next)) {
        while (is_digit(s->next)) {
            take(p);
        }
        if (is_letter(s->next)) {
            take(p);
            scan_error(p, "Illegal lexeme");
        } else {
            token_out(p, TOK_NUMBER);
        }
        return;
    }
    while (is_letter(s->next) && s->next != '_') {
        take(p);
    }
    if (is_symbol(&s->token)) {
        token_out(p, TOK_BUILTIN);
    } else {
        scan_error(p, "Illegal lexeme ");
    }
}

/* - and =: one or two are symbols, four are a line, three are nothing. */
static void scan_rule(struct pcal *p, int32_t c)
{
    struct scanner *s = &p->scan;
    size_t n = 0;
    while (s->next == c) {
        take(p);
        n++;
    }
    if (n < 3) {
        scan_symbol(p);
    } else if (n == 3) {
        scan_error(p, "Illegal lexeme");
    } else {
        token_out(p, TOK_NONE);
    }
}

static void scan_string(struct pcal *p)
{
    static const char others[] = " ~!@#$%^&*()_-+={}[]|:;<,>.?/`'";
    struct scanner *s = &p->scan;
    skip(p);
    while (s->next != '"') {
        bool escape = s->next == '\\';
        bool legal = escape || is_letter(s->next) || is_digit(s->next) ||
                     (s->next > 0 && s->next < 0x80 && strchr(others, s->next) != NULL);
        take(p);
        if (!legal) {
            scan_error(p, "Illegal character in string");
            return;
        }
        if (escape) {
            bool known = s->next > 0 && s->next < 0x80 && strchr("\"\\tnfr", s->next) != NULL;
            take(p);
            if (!known) {
                scan_error(p, "Illegal character following \\ in string");
                return;
            }
        }
    }
    skip(p);
    token_out(p, TOK_STRING);
}

/* Comments inside of the algorithm were blanked out before; this is behind its end. */
static void scan_comment(struct pcal *p)
{
    struct scanner *s = &p->scan;
    const char *where = "comment";
    int depth = 1;
    skip(p);
    while (depth > 0) {
        int32_t c = s->next;
        if (c == CH_END) {
            pcal_fail(p, NULL, "Input ended in the middle of a %s", where);
            return;
        }
        skip(p);
        if (c == '\n') {
            new_line(p);
            where = "multi-line comment";
        } else if ((c == '*' && s->next == ')') || (c == '(' && s->next == '*')) {
            depth += c == '*' ? -1 : 1;
            skip(p);
        }
    }
    strbuf_reset(&s->token);
    restart(s);
}

static void scan_paren(struct pcal *p)
{
    struct scanner *s = &p->scan;
    skip(p);
    if (s->next == '*') {
        scan_comment(p);
    } else {
        strbuf_reset(&s->token);
        strbuf_addc(&s->token, '(');
        scan_symbol(p);
    }
}

static void scan_other(struct pcal *p)
{
    struct scanner *s = &p->scan;
    int32_t c = s->next;
    take(p);
    if (c == 0x2115 || c == 0x2124 || c == 0x211d) { /* N, Z and R with a double stroke */
        token_out(p, TOK_IDENT);
    } else if (is_prefix(strbuf_str(&s->token))) {
        scan_symbol(p);
    } else {
        scan_error(p, "Illegal lexeme");
    }
}

static void scan_one(struct pcal *p)
{
    struct scanner *s = &p->scan;
    int32_t c = s->next;
    if (is_space(c)) {
        skip(p);
        restart(s);
    } else if (is_letter(c)) {
        take(p);
        scan_word(p);
    } else if (is_digit(c)) {
        scan_number(p);
    } else if (c == '\\') {
        scan_backslash(p);
    } else if (c == '-' || c == '=') {
        scan_rule(p, c);
    } else if (c == '(') {
        scan_paren(p);
    } else if (c == '"') {
        scan_string(p);
    } else if (c == '\n') {
        skip(p);
        new_line(p);
        restart(s);
    } else if (c == CH_END) {
        s->at_end = true;
    } else {
        scan_other(p);
    }
}

static struct expr *scan(struct pcal *p, bool expr)
{
    struct scanner *s = &p->scan;
    s->in_expr = expr;
    s->next_col = (int)s->reader.column;
    s->col = s->next_col;
    s->previous = STR(" ");
    s->expr = pcal_expr_new(p->arena);
    s->line = ARENA_NEW(p->arena, struct tok_line);
    s->token = (struct strbuf){.arena = p->arena};
    s->parens = 0;
    s->in_quantifier = s->ended = s->at_end = false;
    s->next = read_char(p);
    while (!s->ended && !s->at_end && !p->failed) {
        scan_one(p);
    }
    if (s->next != '\n') {
        unread_char(p);
    }
    pcal_expr_normalize(p->arena, s->expr);
    return s->expr;
}

struct expr *pcal_scan_expr(struct pcal *p)
{
    return scan(p, true);
}

struct str pcal_scan_token(struct pcal *p)
{
    (void)scan(p, false);
    return p->scan.delimiter;
}

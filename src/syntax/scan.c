/* The scanner: text to tokens.
 *
 * The longest token wins, whatever stands around it: `\int` is `\in` followed by `t`, `<-1` begins
 * with the arrow of substitutions, `2Phase` is one identifier but `1_2` is three tokens. Text
 * before the module is skipped; so is what follows it, which is why scanning stops at the ==== that
 * ends the first module.
 *
 * A definition has no keyword in front of it, so where one begins is found backwards from its ==:
 * see mark_definition. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "syntax/syntax_int.h"

struct symbol {
    const char *spelling;
    uint8_t len;
    uint8_t kind;
    uint16_t op;
};

static const struct symbol symbols[] = {
#define S(spelling, kind, op) {spelling, sizeof(spelling) - 1, kind, op},
#include "syntax/symbols.def"
#undef S
};
#define SYMBOL_COUNT (sizeof symbols / sizeof symbols[0])

struct word {
    const char *text;
    uint8_t kind;
    uint16_t op;
};

/* Sorted by text. */
static const struct word words[] = {
    {"ACTION",      T_ACTION,      OP_NONE     },
    {"ACTIONS",     T_ACTION,      OP_NONE     },
    {"ASSUME",      T_ASSUME,      OP_NONE     },
    {"ASSUMPTION",  T_ASSUMPTION,  OP_NONE     },
    {"AXIOM",       T_ASSUMPTION,  OP_NONE     },
    {"BY",          T_BY,          OP_NONE     },
    {"CASE",        T_CASE,        OP_NONE     },
    {"CHOOSE",      T_CHOOSE,      OP_NONE     },
    {"CONSTANT",    T_CONSTANT,    OP_NONE     },
    {"CONSTANTS",   T_CONSTANT,    OP_NONE     },
    {"COROLLARY",   T_PROPOSITION, OP_NONE     },
    {"DEF",         T_DEFS,        OP_NONE     },
    {"DEFINE",      T_DEFINE,      OP_NONE     },
    {"DEFS",        T_DEFS,        OP_NONE     },
    {"DOMAIN",      T_OP,          OP_DOMAIN   },
    {"ELSE",        T_ELSE,        OP_NONE     },
    {"ENABLED",     T_OP,          OP_ENABLED  },
    {"EXCEPT",      T_EXCEPT,      OP_NONE     },
    {"EXTENDS",     T_EXTENDS,     OP_NONE     },
    {"HAVE",        T_HAVE,        OP_NONE     },
    {"HIDE",        T_HIDE,        OP_NONE     },
    {"IF",          T_IF,          OP_NONE     },
    {"IN",          T_LET_IN,      OP_NONE     },
    {"INSTANCE",    T_INSTANCE,    OP_NONE     },
    {"LAMBDA",      T_LAMBDA,      OP_NONE     },
    {"LEMMA",       T_PROPOSITION, OP_NONE     },
    {"LET",         T_LET,         OP_NONE     },
    {"LOCAL",       T_LOCAL,       OP_NONE     },
    {"MODULE",      T_MODULE,      OP_NONE     },
    {"NEW",         T_NEW,         OP_NONE     },
    {"OBVIOUS",     T_OBVIOUS,     OP_NONE     },
    {"OMITTED",     T_OMITTED,     OP_NONE     },
    {"ONLY",        T_ONLY,        OP_NONE     },
    {"OTHER",       T_OTHER,       OP_NONE     },
    {"PICK",        T_PICK,        OP_NONE     },
    {"PROOF",       T_PROOF,       OP_NONE     },
    {"PROPOSITION", T_PROPOSITION, OP_NONE     },
    {"PROVE",       T_PROVE,       OP_NONE     },
    {"QED",         T_QED,         OP_NONE     },
    {"RECURSIVE",   T_RECURSIVE,   OP_NONE     },
    {"STATE",       T_STATE,       OP_NONE     },
    {"SUBSET",      T_OP,          OP_SUBSET   },
    {"SUFFICES",    T_SUFFICES,    OP_NONE     },
    {"TAKE",        T_TAKE,        OP_NONE     },
    {"TEMPORAL",    T_TEMPORAL,    OP_NONE     },
    {"TEMPORALS",   T_TEMPORAL,    OP_NONE     },
    {"THEN",        T_THEN,        OP_NONE     },
    {"THEOREM",     T_THEOREM,     OP_NONE     },
    {"UNCHANGED",   T_OP,          OP_UNCHANGED},
    {"UNION",       T_OP,          OP_UNION    },
    {"USE",         T_USE,         OP_NONE     },
    {"VARIABLE",    T_VARIABLE,    OP_NONE     },
    {"VARIABLES",   T_VARIABLE,    OP_NONE     },
    {"WITH",        T_WITH,        OP_NONE     },
    {"WITNESS",     T_WITNESS,     OP_NONE     },
};
#define WORD_LEN_MAX 11

/* ---- characters ---- */

enum { C_LETTER = 1, C_DIGIT = 2, C_UNDERSCORE = 4 };

static unsigned char_class(unsigned char c)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        return C_LETTER;
    }
    if (c >= '0' && c <= '9') {
        return C_DIGIT;
    }
    return c == '_' ? C_UNDERSCORE : 0;
}

static unsigned char char_at(const struct scan *scan, uint32_t i)
{
    return i < scan->n ? (unsigned char)scan->text[i] : 0;
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static unsigned symbol_bucket(const char *text, size_t n)
{
    unsigned char first = (unsigned char)text[0];
    return first == '\\' && n > 1 ? 256u + (unsigned char)text[1] : first;
}

void scan_init(struct scan *scan, const struct source *source, struct diags *diags)
{
    *scan = (struct scan){
        .source = source, .diags = diags, .text = source->text.p, .n = (uint32_t)source->text.n};
    for (size_t i = SYMBOL_COUNT; i-- > 0;) {
        scan->symbol_first[symbol_bucket(symbols[i].spelling, symbols[i].len)] = (uint16_t)(i + 1);
    }
}

bool scan_to_module(struct scan *scan)
{
    uint32_t i = 0;
    while (i < scan->n) {
        const char *found = memmem(scan->text + i, scan->n - i, "MODULE", 6);
        if (!found) {
            return false;
        }
        uint32_t at = (uint32_t)(found - scan->text);
        uint32_t dash = at;
        while (dash > i && scan->text[dash - 1] == ' ') {
            dash--;
        }
        uint32_t begin = dash;
        while (begin > i && scan->text[begin - 1] == '-') {
            begin--;
        }
        if (dash - begin >= 4) {
            uint32_t line = begin;
            while (line > 0 && scan->text[line - 1] != '\n' && scan->text[line - 1] != '\r') {
                line--;
            }
            scan->pos = begin;
            scan->column = parse_column_after(0, scan->text, line, begin);
            return true;
        }
        i = at + 6;
    }
    return false;
}

/* ---- errors ---- */

static struct span span_of(const struct scan *scan, uint32_t begin, uint32_t end)
{
    return (struct span){scan->source->id, begin, end};
}

static void report_nul(struct scan *scan, uint32_t at)
{
    if (!scan->nul_reported) {
        diag_add(scan->diags, DIAG_LEX_NUL, span_of(scan, at, at + 1),
                 "a NUL byte stands outside a comment");
        scan->nul_reported = true;
    }
}

/* A run of characters that begin no token is one mistake. */
static void skip_bad(struct scan *scan)
{
    uint32_t begin = scan->pos;
    unsigned char c = char_at(scan, begin);
    if (c == 0) {
        report_nul(scan, begin);
        while (scan->pos < scan->n && scan->text[scan->pos] == 0) {
            scan->pos++;
            scan->column++;
        }
        return;
    }
    unsigned len = utf8_len(scan->text + begin, scan->n - begin);
    if (len == 0) {
        do {
            scan->pos++;
            scan->column++;
        } while (scan->pos < scan->n && utf8_len(scan->text + scan->pos, scan->n - scan->pos) == 0);
        diag_add(scan->diags, DIAG_LEX_BAD_UTF8, span_of(scan, begin, scan->pos),
                 "%s 0x%02X %s not UTF-8", scan->pos - begin > 1 ? "bytes from" : "byte", c,
                 scan->pos - begin > 1 ? "on are" : "is");
        return;
    }
    scan->pos += len;
    scan->column = parse_column_after(scan->column, scan->text, begin, scan->pos);
    while (scan->pos + len <= scan->n &&
           memcmp(scan->text + scan->pos, scan->text + begin, len) == 0) {
        scan->column = parse_column_after(scan->column, scan->text, scan->pos, scan->pos + len);
        scan->pos += len;
    }
    if (len == 1 && (c < 0x20 || c == 0x7F)) {
        diag_add(scan->diags, DIAG_LEX_BAD_CHAR, span_of(scan, begin, begin + 1),
                 "control character 0x%02X stands outside a comment", c);
    } else {
        diag_add(scan->diags, DIAG_LEX_BAD_CHAR, span_of(scan, begin, begin + len),
                 "the character `%.*s` begins no TLA+ token", (int)len, scan->text + begin);
    }
}

/* ---- space and comments ---- */

static void step_line(struct scan *scan)
{
    if (char_at(scan, scan->pos) == '\r' && char_at(scan, scan->pos + 1) == '\n') {
        scan->pos++;
    }
    scan->pos++;
    scan->column = 0;
}

/* Passes over text in a comment up to `end`, keeping the column right. */
static void pass(struct scan *scan, uint32_t end)
{
    while (scan->pos < end) {
        unsigned char c = (unsigned char)scan->text[scan->pos];
        if (c == '\n' || c == '\r') {
            step_line(scan);
        } else if (c >= 0x20 && c < 0x80) {
            scan->pos++;
            scan->column++;
        } else {
            unsigned len = utf8_len(scan->text + scan->pos, scan->n - scan->pos);
            uint32_t next = scan->pos + (len ? len : 1);
            scan->column = parse_column_after(scan->column, scan->text, scan->pos, next);
            scan->pos = next;
        }
    }
}

static void skip_block_comment(struct scan *scan)
{
    uint32_t begin = scan->pos, i = begin + 2, depth = 1;
    while (depth > 0) {
        if (i + 1 >= scan->n) {
            diag_add(scan->diags, DIAG_LEX_COMMENT_OPEN, span_of(scan, begin, begin + 2),
                     "this comment is not closed%s", depth > 1 ? ", or one inside it is not" : "");
            i = scan->n;
            break;
        }
        if (scan->text[i] == '(' && scan->text[i + 1] == '*') {
            depth++;
            i += 2;
        } else if (scan->text[i] == '*' && scan->text[i + 1] == ')') {
            depth--;
            i += 2;
        } else {
            i++;
        }
    }
    pass(scan, i);
}

static void skip_line_comment(struct scan *scan)
{
    uint32_t i = scan->pos;
    while (i < scan->n && scan->text[i] != '\n' && scan->text[i] != '\r') {
        i++;
    }
    pass(scan, i);
}

static void skip_space(struct scan *scan)
{
    while (scan->pos < scan->n) {
        unsigned char c = (unsigned char)scan->text[scan->pos];
        unsigned char next = char_at(scan, scan->pos + 1);
        if (c == ' ') {
            scan->pos++;
            scan->column++;
        } else if (c == '\n' || c == '\r') {
            step_line(scan);
        } else if (c == '\t') {
            scan->pos++;
            scan->column += 8 - scan->column % 8;
        } else if (c == '(' && next == '*') {
            skip_block_comment(scan);
        } else if (c == '\\' && next == '*') {
            skip_line_comment(scan);
        } else {
            return;
        }
    }
}

/* ---- tokens ---- */

static struct tok make(struct scan *scan, enum tok_kind kind, uint32_t end)
{
    struct tok tok = {
        .begin = scan->pos, .end = end, .column = scan->column + 1, .kind = (uint8_t)kind};
    scan->column = parse_column_after(scan->column, scan->text, scan->pos, end);
    scan->pos = end;
    return tok;
}

static const struct word *find_word(const char *text, size_t n)
{
    size_t low = 0, high = sizeof words / sizeof words[0];
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = strncmp(words[mid].text, text, n);
        if (order == 0 && words[mid].text[n] != 0) {
            order = 1;
        }
        if (order == 0) {
            return &words[mid];
        }
        if (order < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return NULL;
}

/* A run of letters, digits and underscores. */
static struct tok scan_run(struct scan *scan)
{
    uint32_t begin = scan->pos, end = begin, digits_end = begin;
    unsigned seen = 0;
    for (unsigned class; end < scan->n && (class = char_class((unsigned char)scan->text[end])) != 0;
         end++) {
        seen |= class;
        if (seen == C_DIGIT) {
            digits_end = end + 1;
        }
    }
    const char *text = scan->text + begin;
    if (!scan->plain && end - begin >= 3 && text[1] == 'F' && text[2] == '_' &&
        (text[0] == 'W' || text[0] == 'S')) {
        return make(scan, text[0] == 'W' ? T_WF : T_SF, begin + 3);
    }
    if (seen & C_LETTER) {
        const struct word *word = end - begin <= WORD_LEN_MAX && text[0] >= 'A' && text[0] <= 'W'
                                      ? find_word(text, end - begin)
                                      : NULL;
        struct tok tok = make(scan, word ? word->kind : T_IDENT, end);
        tok.op = word ? word->op : (uint16_t)OP_NONE;
        return tok;
    }
    return digits_end > begin ? make(scan, T_NUMBER, digits_end)
                              : make(scan, T_UNDERSCORE, begin + 1);
}

/* \b0101  \o17  \h1F: the end of the literal, or 0. */
static uint32_t based_number_end(const struct scan *scan)
{
    unsigned char letter = char_at(scan, scan->pos + 1) | 0x20;
    if (letter != 'b' && letter != 'o' && letter != 'h') {
        return 0;
    }
    uint32_t i = scan->pos + 2;
    for (;; i++) {
        unsigned char c = char_at(scan, i), lower = c | 0x20;
        bool fits = letter == 'b'   ? c == '0' || c == '1'
                    : letter == 'o' ? c >= '0' && c <= '7'
                                    : is_digit(c) || (lower >= 'a' && lower <= 'f');
        if (!fits) {
            break;
        }
    }
    return i > scan->pos + 2 ? i : 0;
}

static bool is_escape(unsigned char c)
{
    return c == 'n' || c == 't' || c == 'r' || c == 'f' || c == '\\' || c == '"';
}

static struct tok scan_string(struct scan *scan)
{
    uint32_t i = scan->pos + 1;
    bool bad_bytes = false;
    for (;;) {
        unsigned char c = char_at(scan, i);
        if (i >= scan->n || c == '\n' || c == '\r') {
            diag_add(scan->diags, DIAG_LEX_STRING_OPEN, span_of(scan, scan->pos, i),
                     "this string is not closed on its line");
            return make(scan, T_STRING, i);
        }
        if (c == '"') {
            return make(scan, T_STRING, i + 1);
        }
        if (c == '\\') {
            if (!is_escape(char_at(scan, i + 1))) {
                struct diag *diag =
                    diag_add(scan->diags, DIAG_LEX_BAD_ESCAPE, span_of(scan, i, i + 1),
                             "a backslash in a string must be followed by one of n t r f \\ \"");
                diag_note(scan->diags, diag, span_of(scan, scan->pos, scan->pos + 1),
                          "the string begins here");
                i++;
                continue;
            }
            i += 2;
            continue;
        }
        if (c == 0) {
            report_nul(scan, i);
        }
        unsigned len = utf8_len(scan->text + i, scan->n - i);
        if (len == 0 && !bad_bytes) {
            diag_add(scan->diags, DIAG_LEX_BAD_UTF8, span_of(scan, i, i + 1),
                     "byte 0x%02X in a string is not UTF-8", c);
            bad_bytes = true;
        }
        i += len ? len : 1;
    }
}

/* <1>  <*>a  <+>1.  <3>-  and so on. Returns false when this is no proof step. */
static bool scan_step(struct scan *scan, struct tok *ret_tok)
{
    uint32_t i = scan->pos + 1;
    unsigned char c = char_at(scan, i);
    bool implicit = c == '*' || c == '+';
    if (implicit) {
        i++;
    } else {
        while (is_digit(char_at(scan, i))) {
            i++;
        }
        if (i == scan->pos + 1) {
            return false;
        }
    }
    if (char_at(scan, i) != '>') {
        return false;
    }
    uint32_t name = ++i, short_end = name;
    bool underscore = false;
    for (unsigned class; (class = char_class(char_at(scan, i))) != 0; i++) {
        underscore |= class == C_UNDERSCORE;
        short_end = underscore ? short_end : i + 1;
    }
    uint32_t dots = i;
    while (char_at(scan, dots) == '.') {
        dots++;
    }
    if (i > name && dots > i) {
        *ret_tok = make(scan, T_STEP_DOT, dots);
    } else if (i > name && !implicit) {
        *ret_tok = make(scan, T_STEP, i);
    } else if (short_end > name) {
        *ret_tok = make(scan, T_STEP_IMPLICIT,
                        short_end); /* after <*> and <+> an underscore ends the name */
    } else if (i == name && (char_at(scan, i) == '*' || char_at(scan, i) == '-')) {
        for (dots = i + 1; char_at(scan, dots) == '.'; dots++) {
        }
        *ret_tok = make(scan, T_STEP_UNNUMBERED, dots);
    } else if (i == name && dots > i) {
        *ret_tok = make(scan, T_STEP_UNNUMBERED, dots);
    } else {
        *ret_tok = make(scan, T_STEP_BARE, name);
    }
    return true;
}

/* ----  ====  ---- MODULE. Returns false for shorter runs, which are operators. */
static bool scan_rule(struct scan *scan, unsigned char c, struct tok *ret_tok)
{
    uint32_t end = scan->pos;
    while (char_at(scan, end) == c) {
        end++;
    }
    if (end - scan->pos < 4) {
        return false;
    }
    if (c == '=') {
        *ret_tok = make(scan, T_END, end);
        return true;
    }
    uint32_t word = end;
    while (char_at(scan, word) == ' ') {
        word++;
    }
    if (scan->n - word >= 6 && memcmp(scan->text + word, "MODULE", 6) == 0) {
        *ret_tok = make(scan, T_BEGIN, word + 6);
    } else {
        *ret_tok = make(scan, T_SEPARATOR, end);
    }
    return true;
}

static const struct symbol *find_symbol(const struct scan *scan)
{
    const char *text = scan->text + scan->pos;
    size_t left = scan->n - scan->pos;
    unsigned bucket = symbol_bucket(text, left);
    for (size_t i = scan->symbol_first[bucket]; i > 0 && i <= SYMBOL_COUNT; i++) {
        const struct symbol *symbol = &symbols[i - 1];
        if (symbol_bucket(symbol->spelling, symbol->len) != bucket) {
            break;
        }
        if (symbol->len <= left && memcmp(symbol->spelling, text, symbol->len) == 0) {
            return symbol;
        }
    }
    size_t lone = scan->symbol_first['\\'];
    return text[0] == '\\' && lone ? &symbols[lone - 1] : NULL;
}

struct tok scan_next(struct scan *scan)
{
    for (;;) {
        skip_space(scan);
        if (scan->pos >= scan->n) {
            scan->pos = scan->n;
            return make(scan, T_EOF, scan->n);
        }
        unsigned char c = (unsigned char)scan->text[scan->pos];
        struct tok tok;
        if (char_class(c)) {
            return scan_run(scan);
        }
        if (c == '"') {
            return scan_string(scan);
        }
        if ((c == '-' || c == '=') && scan_rule(scan, c, &tok)) {
            return tok;
        }
        if (c == '<' && !scan->plain && scan_step(scan, &tok)) {
            return tok;
        }
        uint32_t number_end = c == '\\' ? based_number_end(scan) : 0;
        if (number_end) {
            return make(scan, T_NUMBER, number_end);
        }
        const struct symbol *symbol = find_symbol(scan);
        if (symbol) {
            tok = make(scan, symbol->kind, scan->pos + symbol->len);
            tok.op = symbol->op;
            return tok;
        }
        skip_bad(scan);
    }
}

/* ---- structure that the parser needs to know in advance ---- */

struct marker {
    VEC(uint32_t) open;   /* ( and [ since the last == */
    VEC(uint32_t) angles; /* << that are not closed */
    uint32_t closed;      /* the ( or [ that the last ) or ] closed */
    bool has_closed;
    uint32_t limit; /* index after the last == */
};

static bool is_infix(const struct tok *tok)
{
    return tok->kind == T_OP &&
           (parse_op_table[tok->op].fix == FIX_INFIX || parse_op_table[tok->op].fix == FIX_NFIX);
}

/* A definition's left side is `id`, `id(..)`, `id[..]`, `op id`, `id op id` or `id op`: find its
 * first token, given that the token after the last of v[0..n) is ==. Nothing is marked when the
 * left side makes no sense; the parser then stumbles over the ==. */
static void mark_definition(struct tok *v, uint32_t n, const struct marker *marker)
{
    if (n <= marker->limit) {
        return;
    }
    uint32_t first = n - 1;
    const struct tok *last = &v[first];
    bool one_before = first > marker->limit, two_before = one_before && first - 1 > marker->limit;
    if (last->kind == T_RPAREN || last->kind == T_RBRACKET) {
        if (!marker->has_closed) {
            return;
        }
        first = marker->closed;
        if (first > marker->limit && v[first - 1].kind == T_IDENT) {
            first--;
        }
    } else if (last->kind == T_IDENT) {
        const struct tok *before = one_before ? &v[first - 1] : NULL;
        if (before && is_infix(before)) {
            if (two_before && v[first - 2].kind == T_IDENT) {
                first -= 2;
            }
        } else if (before && before->kind == T_OP && parse_op_table[before->op].fix == FIX_PREFIX) {
            if (!(two_before && v[first - 2].kind == T_SUBSTITUTE)) {
                first--;
            }
        }
    } else if (last->kind == T_OP) {
        if (!one_before) {
            return;
        }
        first--;
    }
    v[first].flags |= TF_DEF;
}

static void mark(struct tok *v, uint32_t i, struct marker *marker)
{
    struct tok *tok = &v[i];
    marker->has_closed =
        tok->kind == T_DEF && marker->has_closed; /* only right before == does it matter */
    switch (tok->kind) {
    case T_LPAREN:
    case T_LBRACKET: VEC_PUSH(&marker->open, i); break;
    case T_RPAREN:
    case T_RBRACKET:
        if (marker->open.n > 0) {
            marker->closed = VEC_POP(&marker->open);
            marker->has_closed = true;
        }
        break;
    case T_LANGLE: VEC_PUSH(&marker->angles, i); break;
    case T_RANGLE:
        if (marker->angles.n > 0) {
            uint32_t open = VEC_POP(&marker->angles);
            v[open].match = i;
        }
        break;
    case T_DEF:
        mark_definition(v, i, marker);
        VEC_RESET(&marker->open);
        marker->has_closed = false;
        marker->limit = i + 1;
        break;
    default: break;
    }
}

void tokens_scan(struct tokens *tokens, struct scan *scan, bool whole_text)
{
    struct marker marker = {0};
    VEC_RESET(&tokens->v);
    VEC_RESERVE(&tokens->v, scan->n / 8 + 16);
    size_t depth = 0;
    for (;;) {
        struct tok tok = scan_next(scan);
        VEC_PUSH(&tokens->v, tok);
        mark(tokens->v.v, (uint32_t)tokens->v.n - 1, &marker);
        depth += tok.kind == T_BEGIN;
        if (tok.kind == T_EOF) {
            break;
        }
        if (tok.kind == T_END && !whole_text) {
            if (depth <= 1) {
                struct tok eof = {
                    .begin = tok.end, .end = tok.end, .column = scan->column + 1, .kind = T_EOF};
                VEC_PUSH(&tokens->v, eof);
                break;
            }
            depth--;
        }
    }
    VEC_DONE(&marker.open);
    VEC_DONE(&marker.angles);
}

struct str parse_string_contents(struct arena *arena, struct str literal)
{
    size_t begin = literal.n > 0 && literal.p[0] == '"' ? 1 : 0;
    size_t end = literal.n > begin && literal.p[literal.n - 1] == '"' ? literal.n - 1 : literal.n;
    char *out = arena_alloc(arena, end - begin + 1);
    size_t n = 0;
    for (size_t i = begin; i < end; i++) {
        char c = literal.p[i];
        if (c == '\\' && i + 1 < end) {
            c = literal.p[++i];
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'f' ? '\f' : c;
        }
        out[n++] = c;
    }
    out[n] = 0;
    return (struct str){out, n};
}

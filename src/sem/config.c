/* The reader of .cfg files: what TLC's ModelConfig accepts, with its error codes.
 *
 * A configuration is a list of statements that begin with a keyword; a list ends at the next
 * keyword. Tokens are those of TLA+, so comments work and line ends mean nothing. Any token can be
 * a name or a value: TLC does not look at what kind of token it is, and neither do we. TLC stops at
 * the first error; we report it and go on at the next keyword, so that one run shows them all. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/near.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/parse.h"
#include "syntax/source.h"

enum cfg_keyword {
    KEY_NONE,
    KEY_INIT,
    KEY_NEXT,
    KEY_SPECIFICATION,
    KEY_VIEW,
    KEY_SYMMETRY,
    KEY_ALIAS,
    KEY_PERIODIC,
    KEY_RL_REWARD,
    KEY_INVARIANT,
    KEY_PROPERTY,
    KEY_CONSTRAINT,
    KEY_ACTION_CONSTRAINT,
    KEY_POSTCONDITION,
    KEY_POSSIBLE,
    KEY_CHECK_DEADLOCK,
    KEY_CONSTANT
};

static const struct {
    const char *name;
    enum cfg_keyword key;
} keywords[] = {
    {"INIT",               KEY_INIT             },
    {"NEXT",               KEY_NEXT             },
    {"SPECIFICATION",      KEY_SPECIFICATION    },
    {"VIEW",               KEY_VIEW             },
    {"SYMMETRY",           KEY_SYMMETRY         },
    {"ALIAS",              KEY_ALIAS            },
    {"_PERIODIC",          KEY_PERIODIC         },
    {"_RL_REWARD",         KEY_RL_REWARD        },
    {"INVARIANT",          KEY_INVARIANT        },
    {"INVARIANTS",         KEY_INVARIANT        },
    {"PROPERTY",           KEY_PROPERTY         },
    {"PROPERTIES",         KEY_PROPERTY         },
    {"CONSTRAINT",         KEY_CONSTRAINT       },
    {"CONSTRAINTS",        KEY_CONSTRAINT       },
    {"ACTION_CONSTRAINT",  KEY_ACTION_CONSTRAINT},
    {"ACTION_CONSTRAINTS", KEY_ACTION_CONSTRAINT},
    {"POSTCONDITION",      KEY_POSTCONDITION    },
    {"POSTCONDITIONS",     KEY_POSTCONDITION    },
    {"_POSSIBLE",          KEY_POSSIBLE         },
    {"CHECK_DEADLOCK",     KEY_CHECK_DEADLOCK   },
    {"CONSTANT",           KEY_CONSTANT         },
    {"CONSTANTS",          KEY_CONSTANT         },
};

enum {
    CFG_GENERAL = 5002,
    CFG_MISSING_ID = 5003,
    CFG_TWICE_KEYWORD = 5004,
    CFG_EXPECT_ID = 5005,
    CFG_EXPECTED_SYMBOL = 5006,
    CFG_DEPTH_MAX = 1000
};

struct cfg_reader {
    struct config *config;
    struct arena *arena;
    struct diags *diags;
    struct lexer *lexer;
    struct token tok;
    void (*seen)(void *arg, struct str token, bool is_string);
    void *seen_arg;
    int tlc_code; /* of the first error */
};

static void advance(struct cfg_reader *reader)
{
    if (reader->tok.kind == TOK_EOF || reader->tok.kind == TOK_ERROR) {
        return;
    }
    reader->tok = lexer_next(reader->lexer);
    enum token_kind kind = reader->tok.kind;
    if (kind == TOK_ERROR && !reader->tlc_code) {
        reader->tlc_code = CFG_GENERAL;
    }
}

/* No more tokens: the end, or what TLC takes for it. */
static bool at_end(const struct cfg_reader *reader)
{
    return reader->tok.kind == TOK_EOF || reader->tok.kind == TOK_ERROR;
}

static bool is_symbol(const struct cfg_reader *reader, const char *text)
{
    return !at_end(reader) && reader->tok.kind != TOK_STRING && str_is(reader->tok.text, text);
}

static enum cfg_keyword keyword_of(const struct cfg_reader *reader)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (is_symbol(reader, keywords[i].name)) {
            return keywords[i].key;
        }
    }
    return KEY_NONE;
}

void config_try_keywords(struct near *near)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        near_try(near, str_of(keywords[i].name));
    }
}

static void fail(struct cfg_reader *reader, int tlc_code, enum diag_code code, struct span span,
                 const char *text)
{
    if (!reader->tlc_code) {
        reader->tlc_code = tlc_code;
    }
    if (reader->tok.kind != TOK_ERROR) { /* the scanner has said what is wrong there */
        diag_add(reader->diags, code, span, "%s", text);
    }
}

static int fail_symbol(struct cfg_reader *reader, const char *want)
{
    fail(reader, CFG_EXPECTED_SYMBOL, DIAG_CFG_SYNTAX, reader->tok.span,
         arena_printf(reader->arena, "It was expecting %s, but did not find it.", want));
    return -1;
}

static int fail_id(struct cfg_reader *reader, const char *after)
{
    fail(reader, CFG_EXPECT_ID, DIAG_CFG_SYNTAX, reader->tok.span,
         arena_printf(reader->arena, "Expected an identifier after %s.", after));
    return -1;
}

/* ---- single names and lists ---- */

static void read_one(struct cfg_reader *reader, struct cfg_name *ret)
{
    struct token key = reader->tok;
    advance(reader);
    if (at_end(reader)) {
        fail(reader, CFG_MISSING_ID, DIAG_CFG_SYNTAX, key.span,
             arena_printf(reader->arena, "The keyword %.*s was not followed by an identifier.",
                          STR_ARG(key.text)));
        return;
    }
    if (ret->name.n) {
        fail(reader, CFG_TWICE_KEYWORD, DIAG_CFG_TWICE, key.span,
             arena_printf(reader->arena, "The keyword %.*s appeared twice.", STR_ARG(key.text)));
    } else {
        *ret = (struct cfg_name){str_dup(reader->arena, reader->tok.text), reader->tok.span};
    }
    advance(reader);
}

static void names_push(struct arena *arena, struct cfg_names *names, struct cfg_name name)
{
    if (names->n == names->cap) {
        size_t cap = names->cap ? names->cap * 2 : 8;
        struct cfg_name *v = ARENA_ARRAY(arena, struct cfg_name, cap);
        if (names->n) {
            memcpy(v, names->v, names->n * sizeof *v);
        }
        names->v = v;
        names->cap = cap;
    }
    names->v[names->n++] = name;
}

static void read_list(struct cfg_reader *reader, struct cfg_names *names)
{
    advance(reader);
    while (!at_end(reader) && keyword_of(reader) == KEY_NONE) {
        names_push(reader->arena, names,
                   (struct cfg_name){str_dup(reader->arena, reader->tok.text), reader->tok.span});
        advance(reader);
    }
}

static void read_deadlock(struct cfg_reader *reader)
{
    struct token key = reader->tok;
    advance(reader);
    bool yes = is_symbol(reader, "TRUE");
    if (at_end(reader)) {
        fail(reader, CFG_MISSING_ID, DIAG_CFG_SYNTAX, key.span,
             "The keyword CHECK_DEADLOCK was not followed by an identifier.");
        return;
    }
    if (!yes && !is_symbol(reader, "FALSE")) {
        fail_symbol(reader, "TRUE or FALSE");
        return;
    }
    if (reader->config->has_check_deadlock) {
        fail(reader, CFG_TWICE_KEYWORD, DIAG_CFG_TWICE, key.span,
             "The keyword CHECK_DEADLOCK appeared twice.");
    }
    reader->config->has_check_deadlock = true;
    reader->config->check_deadlock = yes;
    advance(reader);
}

/* ---- values ---- */

static int read_value(struct cfg_reader *reader, unsigned depth, struct cfg_value **ret);

static int read_set(struct cfg_reader *reader, unsigned depth, struct cfg_value *set)
{
    VEC(struct cfg_value *) elems = {0};
    int rc = 0;
    advance(reader);
    while (!is_symbol(reader, "}")) {
        struct cfg_value *elem = NULL;
        rc = read_value(reader, depth + 1, &elem);
        if (rc < 0) {
            break;
        }
        VEC_PUSH(&elems, elem);
        if (!is_symbol(reader, ",")) {
            break;
        }
        advance(reader);
        if (is_symbol(
                reader,
                "}")) { /* {a, } : TLC takes the brace for a model value and then misses one */
            struct cfg_value *brace = ARENA_NEW(reader->arena, struct cfg_value);
            brace->kind = CFG_MODEL;
            brace->text = STR("}");
            VEC_PUSH(&elems, brace);
            advance(reader);
            break;
        }
    }
    if (rc == 0 && !is_symbol(reader, "}")) {
        rc = fail_symbol(reader, "}");
    }
    set->nelem = elems.n;
    set->elems = ARENA_ARRAY(reader->arena, struct cfg_value *, elems.n);
    for (size_t i = 0; i < elems.n; i++) {
        set->elems[i] = elems.v[i];
    }
    VEC_DONE(&elems);
    return rc;
}

static bool fits_int(struct str digits)
{
    int64_t value = 0;
    for (size_t i = 0; i < digits.n; i++) {
        if (digits.p[i] < '0' || digits.p[i] > '9' || value > INT32_MAX) {
            return false;
        }
        value = value * 10 + (digits.p[i] - '0');
    }
    return value <= INT32_MAX;
}

/* Reads a value and steps behind it. Any token but the end is at least a model value. */
static int read_value(struct cfg_reader *reader, unsigned depth, struct cfg_value **ret)
{
    if (at_end(reader)) {
        return fail_symbol(reader, "a value");
    }
    if (depth > CFG_DEPTH_MAX) {
        fail(reader, CFG_GENERAL, DIAG_CFG_SYNTAX, reader->tok.span,
             "the value is nested too deeply");
        return -1;
    }
    struct cfg_value *value = ARENA_NEW(reader->arena, struct cfg_value);
    value->text = str_dup(reader->arena, reader->tok.text);
    if (reader->tok.kind == TOK_NUMBER) {
        value->kind = CFG_INT;
        if (!fits_int(value->text)) {
            fail(reader, CFG_GENERAL, DIAG_CFG_SYNTAX, reader->tok.span,
                 "a number in a configuration must be decimal and fit in 32 bits");
            return -1;
        }
    } else if (reader->tok.kind == TOK_STRING) {
        value->kind = CFG_STRING;
    } else if (is_symbol(reader, "TRUE") || is_symbol(reader, "FALSE")) {
        value->kind = CFG_BOOL;
        value->b = is_symbol(reader, "TRUE");
    } else if (is_symbol(reader, "{")) {
        value->kind = CFG_SET;
        if (read_set(reader, depth, value) < 0) {
            return -1;
        }
    } else {
        value->kind = CFG_MODEL;
    }
    if (reader->seen && (value->kind == CFG_STRING || value->kind == CFG_MODEL)) {
        reader->seen(reader->seen_arg, value->text, value->kind == CFG_STRING);
    }
    advance(reader);
    *ret = value;
    return 0;
}

/* ---- CONSTANT ---- */

static void assign_push(struct cfg_reader *reader, const struct cfg_assign *assign)
{
    struct config *config = reader->config;
    if (config->nassign == config->assign_cap) {
        size_t cap = config->assign_cap ? config->assign_cap * 2 : 16;
        struct cfg_assign *v = ARENA_ARRAY(reader->arena, struct cfg_assign, cap);
        if (config->nassign) {
            memcpy(v, config->assigns, config->nassign * sizeof *v);
        }
        config->assigns = v;
        config->assign_cap = cap;
    }
    config->assigns[config->nassign++] = *assign;
}

/* [Module] */
static int read_module(struct cfg_reader *reader, struct cfg_assign *assign, const char *after)
{
    advance(reader);
    if (at_end(reader)) {
        return fail_id(reader, after);
    }
    assign->module = str_dup(reader->arena, reader->tok.text);
    advance(reader);
    if (!is_symbol(reader, "]")) {
        return fail_symbol(reader, "]");
    }
    advance(reader);
    return 0;
}

static int read_override(struct cfg_reader *reader, struct cfg_assign *assign)
{
    advance(reader);
    bool module = is_symbol(reader, "[");
    if (module && read_module(reader, assign, "<-[") < 0) {
        return -1;
    }
    if (at_end(reader)) {
        return fail_id(reader, module ? "<-[mod]" : "<-");
    }
    assign->replacement = str_dup(reader->arena, reader->tok.text);
    advance(reader);
    return 0;
}

static int read_arguments(struct cfg_reader *reader, struct cfg_assign *assign)
{
    struct span open = reader->tok.span;
    VEC(struct cfg_value *) args = {0};
    int rc = 0;
    do {
        struct cfg_value *arg = NULL;
        advance(reader);
        rc = read_value(reader, 0, &arg);
        if (rc == 0) {
            VEC_PUSH(&args, arg);
        }
    } while (rc == 0 && is_symbol(reader, ","));
    if (rc == 0 && !is_symbol(reader, ")")) {
        fail(reader, CFG_GENERAL, DIAG_CFG_SYNTAX, open, "this parenthesis is not closed");
        rc = -1;
    }
    assign->narg = args.n;
    assign->args = ARENA_ARRAY(reader->arena, struct cfg_value *, args.n);
    for (size_t i = 0; i < args.n; i++) {
        assign->args[i] = args.v[i];
    }
    VEC_DONE(&args);
    if (rc == 0) {
        advance(reader);
    }
    return rc;
}

static int read_assign(struct cfg_reader *reader)
{
    struct cfg_assign assign = {.span = reader->tok.span};
    SCOPED_STRBUF lhs = {0};
    strbuf_addstr(&lhs, reader->tok.text);
    advance(reader);
    while (is_symbol(reader, "!")) {
        advance(reader);
        strbuf_addc(&lhs, '!');
        strbuf_addstr(&lhs, at_end(reader) ? STR("") : reader->tok.text);
        advance(reader);
    }
    assign.lhs = str_dup(reader->arena, strbuf_str(&lhs));
    int rc;
    if (is_symbol(reader, "<-")) {
        rc = read_override(reader, &assign);
    } else {
        rc = is_symbol(reader, "(") ? read_arguments(reader, &assign) : 0;
        if (rc == 0 && !is_symbol(reader, "=")) {
            rc = fail_symbol(reader, "= or <-");
        }
        if (rc == 0) {
            advance(reader);
            rc = is_symbol(reader, "[") ? read_module(reader, &assign, "=[") : 0;
        }
        rc = rc == 0 ? read_value(reader, 0, &assign.value) : rc;
    }
    if (rc == 0) {
        assign_push(reader, &assign);
    }
    return rc;
}

static void skip_to_keyword(struct cfg_reader *reader)
{
    while (!at_end(reader) && keyword_of(reader) == KEY_NONE) {
        advance(reader);
    }
}

static void read_constants(struct cfg_reader *reader)
{
    advance(reader);
    while (!at_end(reader) && keyword_of(reader) == KEY_NONE) {
        if (read_assign(reader) < 0) {
            skip_to_keyword(reader);
        }
    }
}

/* ---- statements ---- */

static struct cfg_name *single_of(struct config *config, enum cfg_keyword key)
{
    switch (key) {
    case KEY_INIT: return &config->init;
    case KEY_NEXT: return &config->next;
    case KEY_SPECIFICATION: return &config->specification;
    case KEY_VIEW: return &config->view;
    case KEY_SYMMETRY: return &config->symmetry;
    case KEY_ALIAS: return &config->alias;
    case KEY_PERIODIC: return &config->periodic;
    case KEY_RL_REWARD: return &config->rl_reward;
    default: return NULL;
    }
}

static struct cfg_names *list_of(struct config *config, enum cfg_keyword key)
{
    switch (key) {
    case KEY_INVARIANT: return &config->invariants;
    case KEY_PROPERTY: return &config->properties;
    case KEY_CONSTRAINT: return &config->constraints;
    case KEY_ACTION_CONSTRAINT: return &config->action_constraints;
    case KEY_POSTCONDITION: return &config->postconditions;
    case KEY_POSSIBLE: return &config->possible;
    default: return NULL;
    }
}

static void read_statement(struct cfg_reader *reader)
{
    enum cfg_keyword key = keyword_of(reader);
    if (key == KEY_NONE) {
        size_t before = reader->diags->n;
        fail(reader, CFG_EXPECTED_SYMBOL, DIAG_CFG_UNKNOWN_KEYWORD, reader->tok.span,
             "It was expecting a keyword, but did not find it.");
        struct near near = near_to(reader->tok.text);
        config_try_keywords(&near);
        if (near.best.n && reader->diags->n > before) {
            diag_hint(reader->diags, reader->diags->v[before], "did you mean %.*s?",
                      STR_ARG(near.best));
        }
        skip_to_keyword(reader);
    } else if (key == KEY_CONSTANT) {
        read_constants(reader);
    } else if (key == KEY_CHECK_DEADLOCK) {
        read_deadlock(reader);
    } else if (single_of(reader->config, key)) {
        read_one(reader, single_of(reader->config, key));
    } else {
        read_list(reader, list_of(reader->config, key));
    }
}

int config_parse(struct config *config, struct arena *arena, const struct source *source,
                 void (*seen)(void *arg, struct str token, bool is_string), void *seen_arg,
                 struct diags *diags)
{
    size_t errors = diags->errors;
    *config = (struct config){.path = source->path};
    struct cfg_reader reader = {
        .config = config, .arena = arena, .diags = diags, .seen = seen, .seen_arg = seen_arg};
    reader.lexer = lexer_new(arena, source, diags);
    reader.tok.kind = TOK_SYMBOL;
    advance(&reader);
    while (!at_end(&reader)) {
        read_statement(&reader);
    }
    bool failed = diags->errors != errors;
    config->tlc_code = failed && !reader.tlc_code ? CFG_GENERAL : reader.tlc_code;
    return failed ? -1 : 0;
}

/* ---- a configuration inside a module's file ---- */

static size_t skip_blank(struct str line, size_t i)
{
    while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t')) {
        i++;
    }
    return i;
}

static size_t skip_dashes(struct str line, size_t i)
{
    while (i < line.n && line.p[i] == '-') {
        i++;
    }
    return i;
}

/* ---- CONFIG name ---- */
static bool is_config_line(struct str line)
{
    size_t i = skip_dashes(line, 0);
    if (i < 4) {
        return false;
    }
    i = skip_blank(line, i);
    if (line.n - i < 7 || memcmp(line.p + i, "CONFIG", 6) != 0) {
        return false;
    }
    size_t name = skip_blank(line, i + 6);
    size_t end = name;
    while (end < line.n && line.p[end] != ' ' && line.p[end] != '\t' && line.p[end] != '-' &&
           line.p[end] != '\r') {
        end++;
    }
    size_t dashes = skip_blank(line, end);
    size_t tail = skip_dashes(line, dashes);
    return name > i + 6 && end > name && tail - dashes >= 4 &&
           (tail == line.n || line.p[tail] == '\r');
}

struct str config_section(struct str text)
{
    size_t begin = SIZE_MAX;
    for (size_t at = 0; at < text.n;) {
        const char *nl = memchr(text.p + at, '\n', text.n - at);
        size_t end = nl ? (size_t)(nl - text.p) : text.n;
        struct str line = {text.p + at, end - at};
        if (begin != SIZE_MAX && line.n >= 4 && memcmp(line.p, "====", 4) == 0) {
            return (struct str){text.p + begin, at - begin};
        }
        at = nl ? end + 1 : end;
        if (begin == SIZE_MAX && is_config_line(line)) {
            begin = at;
        }
    }
    return begin == SIZE_MAX ? (struct str){"", 0} : (struct str){text.p + begin, text.n - begin};
}

/* The parser's ground floor: tokens, errors and recovery, nodes, and the entry points. */
#include "syntax/parse.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse_int.h"
#include "syntax/source.h"
#include "syntax/syntax_int.h"

/* ---- tokens ---- */

const struct tok *tok_at(const struct parser *p, uint32_t ahead)
{
    if (p->panic || ahead >= p->tokens.v.n - p->pos) {
        return &p->eof;
    }
    return &p->tokens.v.v[p->pos + ahead];
}

enum tok_kind parse_kind_at(const struct parser *p, uint32_t ahead)
{
    const struct tok *tok = tok_at(p, ahead);
    return tok->flags & TF_DEF ? T_DEFBREAK : (enum tok_kind)tok->kind;
}

struct str tok_text(const struct parser *p, const struct tok *tok)
{
    return (struct str){p->source->text.p + tok->begin, tok->end - tok->begin};
}

static void tell_seen(struct parser *p, const struct tok *tok)
{
    struct str text = tok_text(p, tok);
    bool is_string = tok->kind == T_STRING;
    struct arena_mark mark = arena_mark(&p->scratch);
    if (is_string) {
        text = parse_string_contents(&p->scratch, text);
    }
    p->options->seen(p->options->seen_arg, text, is_string);
    arena_rewind(&p->scratch, mark);
}

static const struct tok *take_unchecked(struct parser *p)
{
    const struct tok *tok = tok_now(p);
    if (tok->kind == T_EOF) {
        return tok;
    }
    p->last_end = tok->end;
    p->pos++;
    if (p->options && p->options->seen) {
        tell_seen(p, tok);
    }
    return tok;
}

const struct tok *parse_take(struct parser *p)
{
    const struct tok *tok = tok_now(p);
    if (p->junctions.n > 0 && !p->panic && tok->column <= VEC_LAST(&p->junctions).column &&
        tok->kind != T_EOF) {
        struct junction junction = VEC_LAST(&p->junctions);
        struct diag *diag = parse_fail(
            p, DIAG_PARSE_JUNCTION, tok_span(p, tok),
            "`%.*s` belongs to an item of a %s list but is not indented to the right of its bullet",
            STR_ARG(tok_text(p, tok)), junction.op == OP_AND ? "conjunction" : "disjunction");
        parse_fail_note(p, diag, span_make(p, junction.begin, junction.begin + 1),
                        "the list begins here");
        return tok_now(p);
    }
    return take_unchecked(p);
}

void parse_take_bullet(struct parser *p)
{
    take_unchecked(p);
}

bool parse_accept(struct parser *p, enum tok_kind kind)
{
    if (kind_now(p) != kind) {
        return false;
    }
    parse_take(p);
    return !p->panic;
}

bool parse_accept_op(struct parser *p, enum op_id op)
{
    if (op_now(p) != op) {
        return false;
    }
    parse_take(p);
    return !p->panic;
}

bool parse_expect(struct parser *p, enum tok_kind kind, const char *expected)
{
    if (kind_now(p) != kind) {
        parse_fail_expected(p, expected);
        return false;
    }
    parse_take(p);
    return !p->panic;
}

/* ---- errors ---- */

struct diag *parse_fail(struct parser *p, enum diag_code code, struct span span, const char *fmt,
                        ...)
{
    if (p->panic) {
        return NULL;
    }
    va_list ap;
    va_start(ap, fmt);
    struct strbuf text = {0};
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    struct diag *diag = diag_add(p->diags, code, span, "%s", strbuf_cstr(&text));
    strbuf_done(&text);
    p->panic = true;
    p->error_pos = p->pos;
    return diag;
}

void parse_fail_note(struct parser *p, struct diag *diag, struct span span, const char *text)
{
    if (diag) {
        diag_note(p->diags, diag, span, "%s", text);
    }
}

/* Describes a token in words: what stands there, and what kind of thing it is when that is not
 * plain. */
static void describe(const struct parser *p, const struct tok *tok, struct strbuf *out)
{
    struct str text = tok_text(p, tok);
    if (tok->kind == T_EOF) {
        strbuf_adds(out, tok->end >= p->source->text.n ? "the end of the file"
                                                       : "the end of the module");
        return;
    }
    if (tok->kind == T_SEPARATOR || tok->kind == T_END) {
        strbuf_adds(out,
                    tok->kind == T_END ? "the end of the module, `====`" : "the separator `----`");
        return;
    }
    if (text.n > 60) {
        text.n = 57;
        while (text.n > 0 && ((unsigned char)text.p[text.n] & 0xC0) == 0x80) {
            text.n--;
        }
        strbuf_printf(out, "`%.*s...`", STR_ARG(text));
    } else {
        strbuf_printf(out, "`%.*s`", STR_ARG(text));
    }
    if (tok->flags & TF_DEF) {
        strbuf_adds(out, ", which begins a definition");
    } else if (tok_is_word(tok)) {
        strbuf_adds(out, ", a reserved word");
    }
}

void parse_fail_expected(struct parser *p, const char *expected)
{
    if (p->panic) {
        return;
    }
    const struct tok *tok = tok_now(p);
    struct strbuf found = {0};
    describe(p, tok, &found);
    struct diag *diag = parse_fail(p, DIAG_PARSE_UNEXPECTED, tok_span(p, tok),
                                   "expected %s but found %s", expected, strbuf_cstr(&found));
    strbuf_done(&found);
    if (p->junctions.n > 0 && tok->kind != T_EOF) {
        struct junction list = VEC_LAST(&p->junctions);
        if (tok->column <= list.column) {
            parse_fail_note(p, diag, span_make(p, list.begin, list.begin + 1),
                            "what stands at or to the left of this bullet's column ends the item");
        }
    }
    /* where the innermost construct began that has already taken a token */
    for (size_t i = p->contexts.n; i-- > 0;) {
        struct context context = p->contexts.v[i];
        const struct tok *first = &p->tokens.v.v[context.tok];
        if (context.what && first != tok) {
            struct strbuf note = {0};
            strbuf_printf(&note, "in the %s that begins here", context.what);
            parse_fail_note(p, diag, tok_span(p, first), strbuf_cstr(&note));
            strbuf_done(&note);
            break;
        }
    }
}

bool parse_enter(struct parser *p, const char *what)
{
    if (p->nest >= PARSE_NEST_MAX) {
        parse_fail(p, DIAG_PARSE_TOO_DEEP, tok_span(p, tok_now(p)),
                   "more than %d constructs are nested inside each other", PARSE_NEST_MAX);
        return false;
    }
    p->nest++;
    VEC_PUSH(&p->contexts, ((struct context){what, p->pos}));
    return true;
}

void parse_leave(struct parser *p)
{
    p->nest--;
    (void)VEC_POP(&p->contexts);
}

/* ---- names ---- */

static void names_resize(struct parser *p)
{
    size_t cap = p->names_cap ? p->names_cap * 2 : 512;
    struct name_slot *slots = ARENA_ARRAY(&p->scratch, struct name_slot, cap);
    for (size_t i = 0; i < p->names_cap; i++) {
        if (p->names[i].name.p) {
            size_t at = p->names[i].hash & (cap - 1);
            while (slots[at].name.p) {
                at = (at + 1) & (cap - 1);
            }
            slots[at] = p->names[i];
        }
    }
    p->names = slots;
    p->names_cap = cap;
}

struct str parse_name_intern(struct parser *p, struct str text)
{
    if ((p->names_n + 1) * 2 > p->names_cap) {
        names_resize(p);
    }
    uint64_t hash = hash_bytes(text.p, text.n, 0);
    size_t at = hash & (p->names_cap - 1);
    while (p->names[at].name.p) {
        if (p->names[at].hash == hash && str_eq(p->names[at].name, text)) {
            return p->names[at].name;
        }
        at = (at + 1) & (p->names_cap - 1);
    }
    p->names[at] = (struct name_slot){str_dup(p->arena, text), hash};
    p->names_n++;
    return p->names[at].name;
}

/* ---- nodes ---- */

static struct node *node_alloc(struct parser *p, enum node_kind kind, struct span span)
{
    struct node *node = ARENA_NEW(p->node_arena, struct node);
    node->kind = (uint16_t)kind;
    node->span = span;
    node->name = STR("");
    node->height = 1;
    node->id = (*p->next_id)++;
    return node;
}

struct node *parse_error_node(struct parser *p)
{
    return node_alloc(p, N_ERROR, tok_span(p, tok_now(p)));
}

void node_grown(struct parser *p, struct node *node, const struct node *kid)
{
    if (kid->height + 1 > node->height) {
        node->height = kid->height + 1;
    }
    if (node->height > NODE_HEIGHT_MAX) {
        struct span span = {node->span.file, node->span.begin, node->span.begin + 1};
        parse_fail(
            p, DIAG_PARSE_TOO_DEEP, span,
            "the expression that begins here is nested more than %d deep, counting chains of "
            "operators",
            NODE_HEIGHT_MAX);
        node->kind = N_ERROR;
        node->nkid = 0;
        node->height = 1;
    }
}

struct node *node_make(struct parser *p, enum node_kind kind, uint32_t begin, size_t mark)
{
    struct node *node =
        node_alloc(p, kind, span_make(p, begin, p->last_end > begin ? p->last_end : begin));
    size_t nkid = p->kids.n - mark;
    if (nkid > 0) {
        node->kid = (struct node **)arena_alloc(p->node_arena, nkid * sizeof *node->kid);
        memcpy((void *)node->kid, (const void *)(p->kids.v + mark), nkid * sizeof *node->kid);
        node->nkid = (uint32_t)nkid;
        p->kids.n = mark;
    }
    uint32_t height = 1;
    for (uint32_t i = 0; i < node->nkid; i++) {
        height = node->kid[i]->height + 1 > height ? node->kid[i]->height + 1 : height;
    }
    node->height = height;
    if (height > NODE_HEIGHT_MAX) {
        node_grown(p, node, node->kid[0]);
    }
    return node;
}

struct node *node_leaf(struct parser *p, enum node_kind kind, const struct tok *tok,
                       struct str name)
{
    struct node *node = node_alloc(p, kind, tok_span(p, tok));
    node->name = name;
    node->name_span = node->span;
    return node;
}

struct node *parse_take_ident(struct parser *p, const char *expected)
{
    if (kind_now(p) != T_IDENT) {
        parse_fail_expected(p, expected);
        return parse_error_node(p);
    }
    const struct tok *tok = parse_take(p);
    return p->panic ? parse_error_node(p)
                    : node_leaf(p, N_ID, tok, parse_name_intern(p, tok_text(p, tok)));
}

static bool may_be_field(const struct tok *tok)
{
    bool word_op =
        tok->kind == T_OP && (tok->op == OP_ENABLED || tok->op == OP_UNCHANGED ||
                              tok->op == OP_SUBSET || tok->op == OP_UNION || tok->op == OP_DOMAIN);
    return tok->kind == T_IDENT || tok_is_word(tok) || tok->kind == T_UNDERSCORE || word_op;
}

struct node *parse_take_field_name(struct parser *p, const char *expected)
{
    if (kind_now(p) == T_DEFBREAK || !may_be_field(tok_now(p))) {
        parse_fail_expected(p, expected);
        return parse_error_node(p);
    }
    const struct tok *tok = parse_take(p);
    return p->panic ? parse_error_node(p)
                    : node_leaf(p, N_ID, tok, parse_name_intern(p, tok_text(p, tok)));
}

struct node *parse_opdecl(struct parser *p, const struct tok *tok, struct str name, int32_t arity,
                          uint16_t flags)
{
    struct node *node = node_leaf(p, N_OPDECL, tok, name);
    node->num = arity;
    node->flags = flags;
    return node;
}

/* ---- entry points ---- */

static void parser_init(struct parser *p, struct arena *arena, const struct source *source,
                        const struct parse_options *options, struct diags *diags)
{
    *p = (struct parser){
        .arena = arena, .node_arena = arena, .source = source, .options = options, .diags = diags};
    arena_init(&p->scratch, 0);
    arena_init(&p->proofs, 0);
    scan_init(&p->scan, source, diags);
    p->next_id = options && options->next_id ? options->next_id : &p->own_id;
    p->proof_depth = -1;
}

static void parser_done(struct parser *p)
{
    VEC_DONE(&p->tokens.v);
    VEC_DONE(&p->stack);
    VEC_DONE(&p->kids);
    VEC_DONE(&p->junctions);
    VEC_DONE(&p->contexts);
    arena_done(&p->scratch);
    arena_done(&p->proofs);
}

static void parser_scan(struct parser *p, bool whole_text)
{
    tokens_scan(&p->tokens, &p->scan, whole_text);
    p->eof = VEC_LAST(&p->tokens.v);
    p->eof.flags = 0;
    p->last_end = p->tokens.v.v[0].begin;
}

struct node *parse_module(struct arena *arena, const struct source *source,
                          const struct parse_options *options, struct diags *diags)
{
    struct parser p;
    parser_init(&p, arena, source, options, diags);
    struct node *module = NULL;
    if (!scan_to_module(&p.scan)) {
        uint32_t end = source->text.n > 0 ? 1 : 0;
        diag_add(diags, DIAG_PARSE_NO_MODULE, span_make(&p, 0, end),
                 "there is no `---- MODULE` line in this file");
    } else {
        parser_scan(&p, false);
        module = parse_module_body(&p);
    }
    parser_done(&p);
    return module;
}

static void expect_end(struct parser *p)
{
    if (!p->panic && kind_now(p) != T_EOF) {
        parse_fail_expected(p, "the end of the text");
    }
}

struct node *parse_expression(struct arena *arena, const struct source *source,
                              const struct parse_options *options, struct diags *diags)
{
    struct parser p;
    parser_init(&p, arena, source, options, diags);
    size_t errors = diags->errors;
    parser_scan(&p, true);
    struct node *node = parse_expr(&p);
    expect_end(&p);
    parser_done(&p);
    return diags->errors > errors ? NULL : node;
}

struct node *parse_repl(struct arena *arena, const struct source *source,
                        const struct parse_options *options, struct diags *diags)
{
    struct parser p;
    parser_init(&p, arena, source, options, diags);
    size_t errors = diags->errors;
    parser_scan(&p, true);
    struct node *node = parse_unit_starts(&p) ? parse_unit(&p) : parse_expr(&p);
    expect_end(&p);
    parser_done(&p);
    return diags->errors > errors ? NULL : node;
}

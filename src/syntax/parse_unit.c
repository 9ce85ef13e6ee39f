/* Modules and their units: declarations, definitions, instances, assumptions; and going on after an
 * error. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse_int.h"
#include "syntax/syntax_int.h"

/* ---- declarations ---- */

static int32_t underscores(struct parser *p)
{
    int32_t arity = 0;
    do {
        parse_expect(p, T_UNDERSCORE, "`_`");
        arity++;
    } while (parse_accept(p, T_COMMA));
    parse_expect(p, T_RPAREN, "`,` or `)`");
    return arity;
}

static struct node *ident_decl(struct parser *p)
{
    const struct tok *tok = parse_take(p);
    struct node *node = parse_opdecl(p, tok, parse_name_intern(p, tok_text(p, tok)), 0, 0);
    if (parse_accept(p, T_LPAREN)) {
        node->num = underscores(p);
        node->span.end = p->last_end;
    }
    return node;
}

struct node *parse_op_decl(struct parser *p)
{
    const struct tok *first = tok_now(p);
    if (kind_now(p) == T_IDENT) {
        return ident_decl(p);
    }
    if (kind_now(p) == T_OP && parse_op_table[first->op].fix == FIX_PREFIX) {
        parse_take(p);
        parse_expect(p, T_UNDERSCORE, "`_` after the prefix operator");
        struct node *node = parse_opdecl(p, first, parse_op_table[first->op].name, 1, NF_PREFIX);
        node->span.end = p->last_end;
        return node;
    }
    if (!parse_accept(p, T_UNDERSCORE)) {
        parse_fail_expected(p, "a name, or an operator with `_` for its operands");
        return parse_error_node(p);
    }
    const struct tok *tok = tok_now(p);
    if (kind_now(p) != T_OP || parse_op_table[tok->op].fix == FIX_PREFIX) {
        parse_fail_expected(p, "an infix or postfix operator after `_`");
        return parse_error_node(p);
    }
    parse_take(p);
    p->last_op = (enum op_id)tok->op;
    bool postfix = parse_op_table[tok->op].fix == FIX_POSTFIX;
    if (!postfix) {
        parse_expect(p, T_UNDERSCORE, "`_` after the infix operator");
    }
    struct node *node = parse_opdecl(p, tok, parse_op_table[tok->op].name, postfix ? 1 : 2,
                                     postfix ? NF_POSTFIX : NF_INFIX);
    node->span = span_make(p, first->begin, p->last_end);
    return node;
}

static struct node *declarations(struct parser *p, enum node_kind kind)
{
    uint32_t begin = parse_take(p)->begin;
    size_t mark = kids_mark(p);
    do {
        kid_push(p, parse_op_decl(p));
    } while (parse_accept(p, T_COMMA));
    return node_make(p, kind, begin, mark);
}

struct node *parse_recursive(struct parser *p)
{
    if (!parse_enter(p, "RECURSIVE declaration")) {
        return parse_error_node(p);
    }
    struct node *node = declarations(p, N_RECURSIVE);
    parse_leave(p);
    return node;
}

static struct node *variables(struct parser *p)
{
    uint32_t begin = parse_take(p)->begin;
    size_t mark = kids_mark(p);
    do {
        struct node *var = parse_take_ident(p, "the name of a variable");
        var->kind = var->kind == N_ID ? N_OPDECL : var->kind;
        kid_push(p, var);
    } while (parse_accept(p, T_COMMA));
    return node_make(p, N_VARIABLES, begin, mark);
}

static struct node *constants(struct parser *p)
{
    return declarations(p, N_CONSTANTS);
}

/* ---- instances ---- */

static struct node *substitution(struct parser *p)
{
    const struct tok *tok = tok_now(p);
    if (kind_now(p) != T_IDENT && kind_now(p) != T_OP) {
        parse_fail_expected(p, "a constant, variable or operator to be substituted");
        return parse_error_node(p);
    }
    parse_take(p);
    struct str name =
        tok->kind == T_OP ? parse_op_table[tok->op].name : parse_name_intern(p, tok_text(p, tok));
    size_t mark = kids_mark(p);
    parse_expect(p, T_SUBSTITUTE, "`<-`");
    kid_push(p, parse_op_or_expr(p));
    struct node *node = node_make(p, N_SUBST, tok->begin, mark);
    node->name = name;
    node->name_span = tok_span(p, tok);
    return node;
}

static bool substitution_follows(const struct parser *p)
{
    return kind_now(p) == T_COMMA &&
           (parse_kind_at(p, 1) == T_IDENT || parse_kind_at(p, 1) == T_OP) &&
           parse_kind_at(p, 2) == T_SUBSTITUTE;
}

struct node *parse_instance(struct parser *p)
{
    uint32_t begin = tok_now(p)->begin;
    if (!parse_enter(p, "INSTANCE")) {
        return parse_error_node(p);
    }
    parse_take(p);
    struct node *module = parse_take_field_name(p, "the name of a module");
    size_t mark = kids_mark(p);
    if (parse_accept(p, T_WITH)) {
        kid_push(p, substitution(p));
        while (substitution_follows(p)) {
            parse_take(p);
            kid_push(p, substitution(p));
        }
    }
    struct node *node = node_make(p, N_INSTANCE, begin, mark);
    node->name = module->name;
    node->name_span = module->span;
    parse_leave(p);
    return node;
}

/* ---- definitions ---- */

/* The right side. A body that cannot be parsed becomes N_ERROR, so that the name at least is known.
 */
static void body(struct parser *p)
{
    parse_expect(p, T_DEF, "`==`");
    struct node *node = parse_expr(p);
    kid_push(p, node);
}

static struct node *param(struct parser *p)
{
    struct node *node = parse_take_ident(p, "the name of a parameter");
    node->kind = node->kind == N_ID ? N_OPDECL : node->kind;
    return node;
}

struct head {
    uint32_t begin;
    uint16_t flags;
};

static struct node *finish_definition(struct parser *p, enum node_kind kind, struct head head,
                                      size_t mark, const struct tok *name)
{
    struct node *node = node_make(p, kind, head.begin, mark);
    node->flags |= head.flags;
    node->name = name->kind == T_OP ? parse_op_table[name->op].name
                                    : parse_name_intern(p, tok_text(p, name));
    node->name_span = tok_span(p, name);
    return node;
}

/* f[x \in S] == e */
static struct node *function_definition(struct parser *p, struct head head)
{
    const struct tok *name = parse_take(p);
    parse_take(p);
    size_t mark = kids_mark(p);
    do {
        kid_push(p, parse_bound(p));
    } while (parse_accept(p, T_COMMA));
    parse_expect(p, T_RBRACKET, "`,` or `]`");
    body(p);
    return finish_definition(p, N_FCNDEF, head, mark, name);
}

/* a ++ b == e,  a ^+ == e,  -. a == e */
static struct node *symbol_definition(struct parser *p, struct head head)
{
    size_t mark = kids_mark(p);
    const struct tok *op = tok_now(p);
    if (op->kind != T_OP) {
        kid_push(p, param(p));
        op = tok_now(p);
    }
    parse_take(p);
    enum fix fix = (enum fix)parse_op_table[op->op].fix;
    if (fix != FIX_POSTFIX) {
        kid_push(p, param(p));
    }
    body(p);
    head.flags |= fix == FIX_POSTFIX ? NF_POSTFIX : fix == FIX_PREFIX ? NF_PREFIX : NF_INFIX;
    return finish_definition(p, N_OPDEF, head, mark, op);
}

/* Op == e,  Op(x, F(_), _+_) == e,  and the same with INSTANCE */
static struct node *operator_definition(struct parser *p, struct head head)
{
    const struct tok *name = parse_take(p);
    size_t mark = kids_mark(p);
    if (parse_accept(p, T_LPAREN)) {
        do {
            kid_push(p, parse_op_decl(p));
        } while (parse_accept(p, T_COMMA));
        parse_expect(p, T_RPAREN, "`,` or `)`");
    }
    if (parse_kind_at(p, 1) == T_INSTANCE && kind_now(p) == T_DEF) {
        parse_take(p);
        kid_push(p, parse_instance(p));
        return finish_definition(p, N_INSTDEF, head, mark, name);
    }
    body(p);
    return finish_definition(p, N_OPDEF, head, mark, name);
}

static struct node *definition(struct parser *p)
{
    struct head head = {tok_now(p)->begin, 0};
    if (parse_accept(p, T_LOCAL)) {
        head.flags = NF_LOCAL;
    }
    if (kind_now(p) != T_DEFBREAK) {
        parse_fail_expected(p,
                            head.flags ? "a definition or INSTANCE after LOCAL" : "a definition");
        return parse_error_node(p);
    }
    p->tokens.v.v[p->pos].flags = 0;
    const struct tok *next = tok_at(p, 1);
    if (kind_now(p) == T_IDENT) {
        switch (next->kind) {
        case T_LBRACKET: return function_definition(p, head);
        case T_LPAREN:
        case T_DEF: return operator_definition(p, head);
        case T_OP:
            if (parse_op_table[next->op].fix != FIX_PREFIX) {
                return symbol_definition(p, head);
            }
            break;
        default: break;
        }
    } else if (kind_now(p) == T_OP && parse_op_table[tok_now(p)->op].fix == FIX_PREFIX) {
        return symbol_definition(p, head);
    }
    parse_fail_expected(
        p, "the left side of a definition: `Op`, `Op(x)`, `f[x \\in S]`, `a + b` or the like");
    return parse_error_node(p);
}

struct node *parse_definition(struct parser *p)
{
    if (!parse_enter(p, "definition")) {
        return parse_error_node(p);
    }
    struct node *node = definition(p);
    parse_leave(p);
    return node;
}

/* ---- assumptions ---- */

static struct node *assume(struct parser *p)
{
    const struct tok *keyword = parse_take(p);
    uint32_t begin = keyword->begin;
    bool axiom = str_is(tok_text(p, keyword), "AXIOM");
    const struct tok *name = NULL;
    if (tok_now(p)->kind == T_IDENT && parse_kind_at(p, 1) == T_DEF) {
        p->tokens.v.v[p->pos].flags = 0;
        name = parse_take(p);
        parse_take(p);
    }
    size_t mark = kids_mark(p);
    kid_push(p, parse_expr(p));
    struct node *node = node_make(p, N_ASSUME, begin, mark);
    node->flags |= axiom ? NF_AXIOM : 0;
    if (name) {
        node->name = parse_name_intern(p, tok_text(p, name));
        node->name_span = tok_span(p, name);
    }
    return node;
}

/* ---- units ---- */

static struct node *local_unit(struct parser *p)
{
    if (parse_kind_at(p, 1) != T_INSTANCE) {
        return definition(p);
    }
    uint32_t begin = parse_take(p)->begin;
    struct node *node = parse_instance(p);
    node->flags |= NF_LOCAL;
    node->span.begin = begin;
    return node;
}

static struct node *use_or_hide(struct parser *p)
{
    if (kind_now(p) == T_USE && parse_kind_at(p, 1) == T_ONLY) {
        parse_take(p);
        parse_fail_expected(p, "facts or DEF after USE (ONLY is for proofs)");
        return NULL;
    }
    p->node_arena = &p->proofs;
    parse_use_or_hide(p);
    p->node_arena = p->arena;
    arena_reset(&p->proofs);
    return NULL;
}

static struct node *separator(struct parser *p)
{
    parse_take(p);
    return NULL;
}

struct unit_form {
    enum tok_kind kind;
    const char *what;
    struct node *(*parse)(struct parser *);
};

static const struct unit_form unit_forms[] = {
    {T_DEFBREAK,    "definition",           definition       },
    {T_LOCAL,       "LOCAL unit",           local_unit       },
    {T_VARIABLE,    "VARIABLE declaration", variables        },
    {T_CONSTANT,    "CONSTANT declaration", constants        },
    {T_RECURSIVE,   NULL,                   parse_recursive  },
    {T_INSTANCE,    NULL,                   parse_instance   },
    {T_ASSUME,      "assumption",           assume           },
    {T_ASSUMPTION,  "assumption",           assume           },
    {T_THEOREM,     "theorem",              parse_theorem    },
    {T_PROPOSITION, "theorem",              parse_theorem    },
    {T_USE,         "USE",                  use_or_hide      },
    {T_HIDE,        "HIDE",                 use_or_hide      },
    {T_BEGIN,       NULL,                   parse_module_body},
    {T_SEPARATOR,   NULL,                   separator        },
};

static const struct unit_form *unit_form(enum tok_kind kind)
{
    for (size_t i = 0; i < sizeof unit_forms / sizeof unit_forms[0]; i++) {
        if (unit_forms[i].kind == kind) {
            return &unit_forms[i];
        }
    }
    return NULL;
}

bool parse_unit_starts(const struct parser *p)
{
    return unit_form(kind_now(p)) != NULL;
}

/* Is this the left side of a function's definition with a LET in its brackets? Where a definition
 * begins is found by going back from its ==, and the == of the LET is in the way: SANY does not
 * take it either. */
static bool let_in_left_side(const struct parser *p)
{
    if (kind_now(p) != T_IDENT || parse_kind_at(p, 1) != T_LBRACKET) {
        return false;
    }
    bool defined = false;
    uint32_t depth = 0;
    for (uint32_t i = 1; tok_at(p, i)->kind != T_EOF; i++) {
        enum tok_kind kind = (enum tok_kind)tok_at(p, i)->kind;
        defined |= kind == T_DEF;
        depth += kind == T_LBRACKET;
        depth -= kind == T_RBRACKET;
        if (depth == 0) {
            return defined && tok_at(p, i + 1)->kind == T_DEF;
        }
    }
    return false;
}

void parse_fail_no_definition(struct parser *p, const char *expected)
{
    bool assigned =
        kind_now(p) == T_IDENT && parse_kind_at(p, 1) == T_OP && tok_at(p, 1)->op == OP_EQ;
    bool hidden = let_in_left_side(p);
    size_t kept = p->diags->n;
    parse_fail_expected(p, expected);
    if (p->diags->n == kept) {
        return;
    }
    if (assigned) {
        diag_hint(p->diags, p->diags->v[kept], "a definition is written with `==`");
    } else if (hidden) {
        diag_hint(p->diags, p->diags->v[kept],
                  "a LET cannot stand in the brackets of a function's definition, nor can it in "
                  "SANY: define the set before the function");
    }
}

struct node *parse_unit(struct parser *p)
{
    const struct unit_form *form = unit_form(kind_now(p));
    if (!form) {
        parse_fail_no_definition(
            p, "a definition, a declaration, another unit of the module, or `====`");
        return NULL;
    }
    if (!parse_enter(p, form->what)) {
        return parse_error_node(p);
    }
    struct node *node = form->parse(p);
    parse_leave(p);
    return node;
}

/* ---- recovery ---- */

/* After an error: forget the unfinished constructs and go to the next token that begins a unit and
 * is not indented more than the unit that failed; definitions further right are probably inside a
 * LET. */
static void recover(struct parser *p, uint32_t unit_pos, uint32_t unit_column)
{
    p->panic = false;
    p->pos = p->error_pos > unit_pos ? p->error_pos : unit_pos;
    VEC_RESET(&p->junctions);
    VEC_RESET(&p->stack);
    p->proof_depth = -1;
    p->node_arena = p->arena;
    arena_reset(&p->proofs);
    bool first = p->pos == unit_pos;
    for (;; p->pos++, first = false) {
        const struct tok *tok = tok_now(p);
        enum tok_kind kind = kind_now(p);
        if (kind == T_EOF || kind == T_END) {
            break;
        }
        bool always = kind == T_BEGIN || kind == T_SEPARATOR;
        if (!first && (always || (tok->column <= unit_column && unit_form(kind)))) {
            break;
        }
    }
    p->last_end = p->pos > 0 ? p->tokens.v.v[p->pos - 1].end : p->last_end;
}

/* ---- modules ---- */

static void extends(struct parser *p)
{
    if (kind_now(p) != T_EXTENDS || !parse_enter(p, "EXTENDS")) {
        return;
    }
    uint32_t begin = parse_take(p)->begin;
    size_t mark = kids_mark(p);
    do {
        kid_push(p, parse_take_field_name(p, "the name of a module"));
    } while (parse_accept(p, T_COMMA));
    kid_push(p, node_make(p, N_EXTENDS, begin, mark));
    parse_leave(p);
}

/* A unit that failed is kept only when it is a definition: its name stays known and its body is
 * N_ERROR. */
static struct node *salvage(struct parser *p, struct node *node)
{
    if (!node || (node->kind != N_OPDEF && node->kind != N_FCNDEF) || node->nkid == 0) {
        return parse_error_node(p);
    }
    for (uint32_t i = 0; i + 1 < node->nkid; i++) {
        if (node->kid[i]->kind == N_ERROR) {
            return parse_error_node(p);
        }
    }
    node->kid[node->nkid - 1] = parse_error_node(p);
    return node;
}

static void units(struct parser *p)
{
    while (kind_now(p) != T_END && (p->panic || kind_now(p) != T_EOF)) {
        uint32_t pos = p->pos, column = tok_now(p)->column;
        size_t mark = kids_mark(p);
        uint32_t nest = p->nest;
        size_t contexts = p->contexts.n;
        struct node *node = parse_unit(p);
        if (p->panic) {
            p->kids.n = mark;
            p->nest = nest;
            p->contexts.n = contexts;
            recover(p, pos, column);
            node = salvage(p, node);
        }
        if (node) {
            kid_push(p, node);
        }
    }
}

struct node *parse_module_body(struct parser *p)
{
    const struct tok *begin = tok_now(p);
    uint32_t begin_pos = p->pos;
    if (!parse_enter(p, NULL)) {
        return parse_error_node(p);
    }
    parse_take(p);
    struct node *name = parse_take_field_name(p, "the name of the module");
    parse_expect(p, T_SEPARATOR, "`----` after the name of the module");
    size_t mark = kids_mark(p);
    extends(p);
    if (p->panic) {
        recover(p, begin_pos + 1, UINT32_MAX);
    }
    units(p);
    if (kind_now(p) == T_END) {
        parse_take(p);
    } else if (!p->panic) {
        diag_add(p->diags, DIAG_PARSE_MODULE_OPEN, span_make(p, begin->begin, name->span.end),
                 "module `%.*s` is not ended by `====`", STR_ARG(name->name));
    }
    struct node *node = node_make(p, N_MODULE, begin->begin, mark);
    node->name = name->name;
    node->name_span = name->span;
    parse_leave(p);
    return node;
}

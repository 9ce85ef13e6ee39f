/* Expressions that begin with their own word or bracket: quantifiers, IF, CASE, LET, CHOOSE, and
 * everything in ( ) { } [ ] << >>, and fairness.
 *
 * What a { or [ begins is told by a look ahead, as in SANY: `x \in`, `x, y \in` or `<<..>> \in`
 * means a bound, whatever comes later. So { x \in S } has to be mended afterwards (it is a set of
 * one truth value), and [x \in S] alone is an error. */
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse_int.h"
#include "syntax/syntax_int.h"

/* ---- looking ahead ---- */

bool parse_idents_then(const struct parser *p, enum tok_kind kind, enum op_id op)
{
    uint32_t i = 0;
    while (parse_kind_at(p, i) == T_IDENT && parse_kind_at(p, i + 1) == T_COMMA) {
        i += 2;
    }
    return parse_kind_at(p, i) == T_IDENT && parse_kind_at(p, i + 1) == kind &&
           (kind != T_OP || tok_at(p, i + 1)->op == op);
}

bool parse_bound_ahead(const struct parser *p)
{
    const struct tok *tok = tok_now(p);
    if (kind_now(p) != T_LANGLE) {
        return parse_idents_then(p, T_OP, OP_IN);
    }
    if (tok->match == 0) {
        return false;
    }
    uint32_t after = tok->match + 1 - p->pos;
    return parse_kind_at(p, after) == T_OP && tok_at(p, after)->op == OP_IN;
}

/* ---- bounds ---- */

static struct node *ident_tuple(struct parser *p)
{
    uint32_t begin = tok_now(p)->begin;
    parse_expect(p, T_LANGLE, "`<<`");
    size_t mark = kids_mark(p);
    if (kind_now(p) != T_RANGLE) {
        do {
            kid_push(p, parse_take_ident(p, "a name in the tuple of bound variables"));
        } while (parse_accept(p, T_COMMA));
    }
    parse_expect(p, T_RANGLE, "`,` or `>>`");
    return node_make(p, N_TUPLE, begin, mark);
}

struct node *parse_bound(struct parser *p)
{
    uint32_t begin = tok_now(p)->begin;
    size_t mark = kids_mark(p);
    bool tuple = kind_now(p) == T_LANGLE;
    if (tuple) {
        kid_push(p, ident_tuple(p));
    } else {
        do {
            kid_push(p, parse_take_ident(p, "a bound variable"));
        } while (parse_accept(p, T_COMMA));
    }
    if (!parse_accept_op(p, OP_IN)) {
        parse_fail_expected(p, tuple ? "`\\in`" : "`,` or `\\in`");
    }
    kid_push(p, parse_expr(p));
    struct node *node = node_make(p, N_BOUND, begin, mark);
    node->flags |= tuple ? NF_TUPLE : 0;
    return node;
}

static void bounds(struct parser *p)
{
    do {
        kid_push(p, parse_bound(p));
    } while (parse_accept(p, T_COMMA));
}

static void idents(struct parser *p)
{
    do {
        kid_push(p, parse_take_ident(p, "a bound variable"));
    } while (parse_accept(p, T_COMMA));
}

/* ---- open expressions ---- */

static struct node *quantifier(struct parser *p)
{
    const struct tok *tok = parse_take(p);
    bool forall = tok->kind == T_FORALL;
    size_t mark = kids_mark(p);
    bool unbounded = parse_idents_then(p, T_COLON, OP_NONE);
    if (unbounded) {
        idents(p);
    } else {
        bounds(p);
    }
    parse_expect(p, T_COLON, "`,` or `:`");
    kid_push(p, parse_expr(p));
    enum node_kind kind =
        unbounded ? (forall ? N_FORALL_U : N_EXISTS_U) : (forall ? N_FORALL : N_EXISTS);
    return node_make(p, kind, tok->begin, mark);
}

static struct node *temporal_quantifier(struct parser *p)
{
    const struct tok *tok = parse_take(p);
    size_t mark = kids_mark(p);
    idents(p);
    parse_expect(p, T_COLON, "`,` or `:`");
    kid_push(p, parse_expr(p));
    return node_make(p, tok->kind == T_TEMPORAL_FORALL ? N_TFORALL : N_TEXISTS, tok->begin, mark);
}

static struct node *if_expr(struct parser *p)
{
    uint32_t begin = parse_take(p)->begin;
    size_t mark = kids_mark(p);
    kid_push(p, parse_expr(p));
    parse_expect(p, T_THEN, "THEN");
    kid_push(p, parse_expr(p));
    parse_expect(p, T_ELSE, "ELSE");
    kid_push(p, parse_expr(p));
    return node_make(p, N_IF, begin, mark);
}

static struct node *case_arm(struct parser *p)
{
    uint32_t begin = tok_now(p)->begin;
    size_t mark = kids_mark(p);
    bool other = parse_accept(p, T_OTHER);
    if (!other) {
        kid_push(p, parse_expr(p));
    }
    parse_expect(p, T_ARROW, "`->`");
    kid_push(p, parse_expr(p));
    return node_make(p, other ? N_OTHER : N_ARM, begin, mark);
}

static struct node *case_expr(struct parser *p)
{
    uint32_t begin = parse_take(p)->begin;
    size_t mark = kids_mark(p);
    if (kind_now(p) == T_OTHER) {
        parse_fail_expected(p, "the first guard of the CASE");
    }
    kid_push(p, case_arm(p));
    while (VEC_LAST(&p->kids)->kind == N_ARM && parse_accept_op(p, OP_ALWAYS)) {
        kid_push(p, case_arm(p));
    }
    return node_make(p, N_CASE, begin, mark);
}

static struct node *let_expr(struct parser *p)
{
    uint32_t begin = parse_take(p)->begin;
    size_t mark = kids_mark(p);
    do {
        if (kind_now(p) == T_RECURSIVE) {
            kid_push(p, parse_recursive(p));
        } else if (kind_now(p) == T_DEFBREAK || kind_now(p) == T_LOCAL) {
            kid_push(p, parse_definition(p));
        } else {
            parse_fail_no_definition(p, "a definition");
        }
    } while (kind_now(p) == T_RECURSIVE || kind_now(p) == T_DEFBREAK || kind_now(p) == T_LOCAL);
    parse_expect(p, T_LET_IN, "another definition or IN");
    kid_push(p, parse_expr(p));
    return node_make(p, N_LET, begin, mark);
}

static struct node *choose_expr(struct parser *p)
{
    uint32_t begin = parse_take(p)->begin;
    size_t mark = kids_mark(p);
    bool tuple = kind_now(p) == T_LANGLE;
    struct node *var = tuple ? ident_tuple(p) : parse_take_ident(p, "a bound variable");
    bool bounded = parse_accept_op(p, OP_IN);
    if (bounded) {
        size_t inner = kids_mark(p);
        kid_push(p, var);
        kid_push(p, parse_expr(p));
        struct node *bound = node_make(p, N_BOUND, var->span.begin, inner);
        bound->flags |= tuple ? NF_TUPLE : 0;
        kid_push(p, bound);
    } else {
        kid_push(p, var);
    }
    parse_expect(p, T_COLON, bounded ? "`:`" : "`\\in` or `:`");
    kid_push(p, parse_expr(p));
    return node_make(p, bounded ? N_CHOOSE : N_CHOOSE_U, begin, mark);
}

struct node *parse_open(struct parser *p)
{
    static const struct {
        enum tok_kind kind;
        const char *what;
        struct node *(*parse)(struct parser *);
    } forms[] = {
        {T_EXISTS,          "quantified expression", quantifier         },
        {T_FORALL,          "quantified expression", quantifier         },
        {T_TEMPORAL_EXISTS, "quantified formula",    temporal_quantifier},
        {T_TEMPORAL_FORALL, "quantified formula",    temporal_quantifier},
        {T_IF,              "IF",                    if_expr            },
        {T_CASE,            "CASE",                  case_expr          },
        {T_LET,             "LET",                   let_expr           },
        {T_CHOOSE,          "CHOOSE",                choose_expr        },
    };
    enum tok_kind kind = kind_now(p);
    if (kind < T_EXISTS) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].kind == kind) {
            if (!parse_enter(p, forms[i].what)) {
                return parse_error_node(p);
            }
            struct node *node = forms[i].parse(p);
            parse_leave(p);
            return node;
        }
    }
    return NULL;
}

/* ---- { } ---- */

static void more_elements(struct parser *p)
{
    while (parse_accept(p, T_COMMA)) {
        kid_push(p, parse_expr(p));
    }
}

/* After {, at `x \in` or `<<..>> \in`: a filter {x \in S : p}, or elements of which the first is `x
 * \in S`. */
static struct node *brace_bound(struct parser *p, uint32_t begin)
{
    size_t mark = kids_mark(p);
    uint32_t first = tok_now(p)->begin;
    bool tuple = kind_now(p) == T_LANGLE;
    kid_push(p, tuple ? ident_tuple(p) : parse_take_ident(p, "a bound variable"));
    const struct tok *in = tok_now(p);
    if (!parse_accept_op(p, OP_IN)) {
        parse_fail_expected(p, "`\\in`");
    }
    kid_push(p, parse_expr(p));
    struct node *pair = node_make(p, N_BOUND, first, mark);
    pair->flags |= tuple ? NF_TUPLE : 0;
    kid_push(p, pair);
    if (parse_accept(p, T_COLON)) {
        kid_push(p, parse_expr(p));
        parse_expect(p, T_RBRACE, "`}`");
        return node_make(p, N_SETFILTER, begin, mark);
    }
    pair->kind = N_OP;
    pair->flags = 0;
    pair->name = parse_op_table[OP_IN].name;
    pair->name_span = tok_span(p, in);
    more_elements(p);
    parse_expect(p, T_RBRACE, "`:`, `,` or `}`");
    return node_make(p, N_SETENUM, begin, mark);
}

static bool is_membership(const struct node *node)
{
    return node->kind == N_OP && node->nkid == 2 && !(node->flags & NF_PAREN) &&
           str_is(node->name, "\\in");
}

static struct node *brace_expr(struct parser *p)
{
    uint32_t begin = parse_take(p)->begin;
    if (parse_bound_ahead(p)) {
        return brace_bound(p, begin);
    }
    size_t mark = kids_mark(p);
    if (parse_accept(p, T_RBRACE)) {
        return node_make(p, N_SETENUM, begin, mark);
    }
    struct node *first = parse_expr(p);
    kid_push(p, first);
    if (kind_now(p) == T_COLON) {
        if (is_membership(first)) {
            parse_fail(
                p, DIAG_PARSE_UNEXPECTED, first->span,
                "`{a \\in b : c}` filters a set only when `a` is a name; put parentheses around "
                "`a \\in b` to map it");
        }
        parse_take(p);
        bounds(p);
        parse_expect(p, T_RBRACE, "`,` or `}`");
        return node_make(p, N_SETMAP, begin, mark);
    }
    more_elements(p);
    parse_expect(p, T_RBRACE, "`:`, `,` or `}`");
    return node_make(p, N_SETENUM, begin, mark);
}

/* ---- [ ] ---- */

/* The v of [A]_v, <<A>>_v and WF_v: a name with ! parts, or something in brackets. With `args` the
 * arguments of the last name are not made part of it: their node is returned there, since WF_v(A)
 * reads like an application. */
static struct node *subscript(struct parser *p, struct node **args)
{
    if (kind_now(p) != T_IDENT) {
        enum tok_kind kind = kind_now(p);
        if (kind == T_LPAREN || kind == T_LBRACE || kind == T_LBRACKET || kind == T_LANGLE) {
            return parse_closed(p);
        }
        parse_fail_expected(p, "a subscript: a name, or an expression in brackets");
        return parse_error_node(p);
    }
    struct node *path = NULL;
    uint32_t begin = tok_now(p)->begin;
    do {
        const struct tok *tok = tok_now(p);
        struct node *name = parse_take_ident(p, "a name after `!`");
        if (str_is(name->name, "@") && name->kind == N_ID) {
            name->kind = N_AT;
            name->name = STR("");
        }
        struct node *applied = NULL;
        if (kind_now(p) == T_LPAREN) {
            size_t mark = kids_mark(p);
            kid_push(p, name);
            parse_args(p);
            applied = node_make(p, N_APP, tok->begin, mark);
            applied->name_span = name->span;
        }
        bool last = kind_now(p) != T_BANG;
        struct node *part = applied && !(last && args) ? applied : name;
        if (last && args) {
            *args = applied;
        }
        if (path) {
            size_t mark = kids_mark(p);
            kid_push(p, path);
            kid_push(p, part);
            path = node_make(p, N_BANG, begin, mark);
            path->span.end = part->span.end;
        } else {
            path = part;
        }
    } while (parse_accept(p, T_BANG));
    return path;
}

static struct node *finish_action(struct parser *p, enum node_kind kind, uint32_t begin,
                                  size_t mark)
{
    kid_push(p, subscript(p, NULL));
    return node_make(p, kind, begin, mark);
}

static struct node *field(struct parser *p, enum tok_kind separator, bool any_word)
{
    uint32_t begin = tok_now(p)->begin;
    struct node *name =
        any_word ? parse_take_field_name(p, "a field name") : parse_take_ident(p, "a field name");
    size_t mark = kids_mark(p);
    parse_expect(p, separator, separator == T_COLON ? "`:`" : "`|->`");
    kid_push(p, parse_expr(p));
    struct node *node = node_make(p, N_FIELD, begin, mark);
    node->name = name->name;
    node->name_span = name->span;
    return node;
}

/* [a |-> 1, b |-> 2] and [a : S, b : T]. Reserved words may name only the first field of a record,
 * as in SANY. */
static struct node *record(struct parser *p, uint32_t begin, enum tok_kind separator)
{
    size_t mark = kids_mark(p);
    kid_push(p, field(p, separator, separator == T_MAPSTO));
    while (parse_accept(p, T_COMMA)) {
        kid_push(p, field(p, separator, false));
    }
    parse_expect(p, T_RBRACKET, "`,` or `]`");
    return node_make(p, separator == T_COLON ? N_RECSET : N_RECORD, begin, mark);
}

static struct node *except_component(struct parser *p)
{
    uint32_t begin = tok_now(p)->begin;
    size_t mark = kids_mark(p);
    if (parse_accept(p, T_DOT)) {
        struct node *name = parse_take_field_name(p, "a field name after `.`");
        if (str_is(name->name, "@")) {
            parse_fail(p, DIAG_PARSE_UNEXPECTED, name->span, "`@` cannot be a field name");
        }
        struct node *node = node_make(p, N_EXFLD, begin, mark);
        node->name = name->name;
        node->name_span = name->span;
        return node;
    }
    parse_expect(p, T_LBRACKET, "`.` or `[`");
    do {
        kid_push(p, parse_expr(p));
    } while (parse_accept(p, T_COMMA));
    parse_expect(p, T_RBRACKET, "`,` or `]`");
    return node_make(p, N_EXIDX, begin, mark);
}

static struct node *except_spec(struct parser *p)
{
    uint32_t begin = tok_now(p)->begin;
    size_t mark = kids_mark(p);
    parse_expect(p, T_BANG, "`!`");
    do {
        kid_push(p, except_component(p));
    } while (kind_now(p) == T_DOT || kind_now(p) == T_LBRACKET);
    if (!parse_accept_op(p, OP_EQ)) {
        parse_fail_expected(p, "`.`, `[` or `=`");
    }
    kid_push(p, parse_expr(p));
    return node_make(p, N_EXSPEC, begin, mark);
}

static struct node *function(struct parser *p, uint32_t begin)
{
    size_t mark = kids_mark(p);
    bounds(p);
    parse_expect(p, T_MAPSTO, "`,` or `|->`");
    kid_push(p, parse_expr(p));
    parse_expect(p, T_RBRACKET, "`]`");
    return node_make(p, N_FCN, begin, mark);
}

static struct node *bracket_expr(struct parser *p)
{
    uint32_t begin = parse_take(p)->begin;
    if (parse_bound_ahead(p)) {
        return function(p, begin);
    }
    if (parse_kind_at(p, 1) == T_MAPSTO) {
        return record(p, begin, T_MAPSTO);
    }
    if (kind_now(p) == T_IDENT && parse_kind_at(p, 1) == T_COLON) {
        return record(p, begin, T_COLON);
    }
    size_t mark = kids_mark(p);
    kid_push(p, parse_expr(p));
    switch (kind_now(p)) {
    case T_ARROW:
        parse_take(p);
        kid_push(p, parse_expr(p));
        parse_expect(p, T_RBRACKET, "`]`");
        return node_make(p, N_FCNSET, begin, mark);
    case T_EXCEPT:
        parse_take(p);
        do {
            kid_push(p, except_spec(p));
        } while (parse_accept(p, T_COMMA));
        parse_expect(p, T_RBRACKET, "`,` or `]`");
        return node_make(p, N_EXCEPT, begin, mark);
    case T_RBRACKET_SUB: parse_take(p); return finish_action(p, N_BOXACT, begin, mark);
    default: parse_fail_expected(p, "`->`, `EXCEPT` or `]_`"); return parse_error_node(p);
    }
}

/* ---- << >>, ( ), fairness ---- */

static struct node *angle_expr(struct parser *p)
{
    uint32_t begin = parse_take(p)->begin;
    size_t mark = kids_mark(p);
    if (kind_now(p) != T_RANGLE) {
        kid_push(p, parse_expr(p));
        more_elements(p);
    }
    if (p->kids.n == mark + 1 && parse_accept(p, T_RANGLE_SUB)) {
        return finish_action(p, N_ANGLEACT, begin, mark);
    }
    parse_expect(p, T_RANGLE, p->kids.n == mark + 1 ? "`,`, `>>` or `>>_`" : "`,` or `>>`");
    return node_make(p, N_TUPLE, begin, mark);
}

static struct node *paren_expr(struct parser *p)
{
    parse_take(p);
    struct node *node = parse_expr(p);
    parse_expect(p, T_RPAREN, "`)`");
    node->flags |= NF_PAREN;
    return node;
}

/* WF_v(A). When v is a name, (A) looks like its arguments; when another ( follows they were its
 * arguments. */
static struct node *fairness(struct parser *p)
{
    const struct tok *tok = parse_take(p);
    size_t mark = kids_mark(p);
    struct node *args = NULL;
    struct node *sub = subscript(p, &args);
    if (kind_now(p) == T_LPAREN) {
        if (args && sub->kind == N_BANG) {
            sub->kid[1] = args;
            node_grown(p, sub, args);
            sub->span.end = p->last_end;
        } else if (args) {
            sub = args;
        }
        kid_push(p, sub);
        parse_take(p);
        kid_push(p, parse_expr(p));
        parse_expect(p, T_RPAREN, "`)`");
    } else if (args && args->nkid == 2) {
        kid_push(p, sub);
        kid_push(p, args->kid[1]);
    } else {
        parse_fail_expected(p, "`(` and the action of the fairness condition");
        return parse_error_node(p);
    }
    return node_make(p, tok->kind == T_WF ? N_WF : N_SF, tok->begin, mark);
}

struct node *parse_closed(struct parser *p)
{
    static const struct {
        enum tok_kind kind;
        const char *what;
        struct node *(*parse)(struct parser *);
    } forms[] = {
        {T_LPAREN,   "parenthesis",        paren_expr  },
        {T_LBRACE,   "set constructor",    brace_expr  },
        {T_LBRACKET, "bracket",            bracket_expr},
        {T_LANGLE,   "tuple",              angle_expr  },
        {T_WF,       "fairness condition", fairness    },
        {T_SF,       "fairness condition", fairness    },
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].kind == kind_now(p)) {
            if (!parse_enter(p, forms[i].what)) {
                return parse_error_node(p);
            }
            struct node *node = forms[i].parse(p);
            parse_leave(p);
            return node;
        }
    }
    return NULL;
}

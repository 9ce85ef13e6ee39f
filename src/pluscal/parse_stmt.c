/* Statements, in both syntaxes. A label in front of a statement is kept in it (lbl); statements are
 * put together under their labels later (label.c). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "pluscal/pluscal_int.h"

static struct node *parse_statement(struct pcal *p);

/* ---- labels ---- */
static bool at_label(struct pcal *p)
{
    static const char *const keywords[] = {"while",  "if",   "assert", "print", "else", "elsif",
                                           "either", "or",   "end",    "with",  "when", "await",
                                           "skip",   "call", "return", "goto"};
    int32_t second;
    struct str token = pcal_parse_peek(p, 1);
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (str_is(token, keywords[i])) {
            return false;
        }
    }
    return !p->failed && pcal_scan_peek(p, &second) == ':' && second != '=';
}

static struct str parse_label(struct pcal *p)
{
    if (!at_label(p)) {
        return STR("");
    }
    struct str label = pcal_parse_take(p);
    if (p->in_macro) {
        pcal_parse_error(p, "A label may not appear in a macro.");
    } else if (str_is(label, "Done") || str_is(label, "Error")) {
        pcal_parse_error(p, "Cannot use `%.*s' as a label.", STR_ARG(label));
    }
    pcal_parse_gobble(p, ":");
    p->has_label = true;
    AVEC_PUSH(p->arena, &p->labels, label);
    bool plus = pcal_parse_peek_is(p, 1, "+"), minus = pcal_parse_peek_is(p, 1, "-");
    if (plus) {
        pcal_parse_gobble(p, "+");
        AVEC_PUSH(p->arena, &p->plus_labels, label);
    } else if (minus) {
        pcal_parse_gobble(p, "-");
        AVEC_PUSH(p->arena, &p->minus_labels, label);
    }
    if (plus || minus) {
        p->omit_pc = false;
    }
    return label;
}

/* ---- sequences ---- */
/* { statements }, with the label that stood in front of it. */
static struct nodes *parse_braces(struct pcal *p, struct str label)
{
    pcal_parse_must(p, "{");
    struct nodes *statements = pcal_parse_statements(p);
    pcal_parse_gobble(p, "}");
    pcal_parse_gobble(p, ";");
    if (label.n > 0 && !p->failed) {
        struct node *first = statements->v[0];
        if (first->lbl.n > 0) {
            pcal_fail(p, first, "Duplicate labeling of statement");
        }
        first->lbl = label;
    }
    return statements;
}

static bool at_sequence_end(struct pcal *p)
{
    struct str token = pcal_parse_peek(p, 1);
    if (p->c_syntax) {
        return str_is(token, "}");
    }
    return str_is(token, "end") || str_is(token, "else") || str_is(token, "elsif") ||
           str_is(token, "or");
}

struct nodes *pcal_parse_statements(struct pcal *p)
{
    struct nodes *statements = pcal_nodes_new(p->arena);
    if (++p->depth > NESTING_MAX) {
        pcal_parse_error(p, "Statements are nested too deeply at");
    }
    while (!at_sequence_end(p) && !p->failed) {
        struct str label = parse_label(p);
        if (p->c_syntax && pcal_parse_peek_is(p, 1, "{")) {
            pcal_nodes_push_all(p->arena, statements, parse_braces(p, label));
        } else {
            struct node *statement = parse_statement(p);
            statement->lbl = label;
            pcal_nodes_push(p->arena, statements, statement);
        }
    }
    if (p->c_syntax && statements->n == 0) {
        pcal_parse_error(p, "Empty statement list");
    }
    p->depth--;
    return statements;
}

/* One statement of the C syntax, or several in braces. */
static struct nodes *parse_c_statement(struct pcal *p)
{
    struct str label = parse_label(p);
    if (pcal_parse_peek_is(p, 1, "{")) {
        return parse_braces(p, label);
    }
    struct nodes *statements = pcal_nodes_new(p->arena);
    if (++p->depth > NESTING_MAX) {
        pcal_parse_error(p, "Statements are nested too deeply at");
    }
    struct node *statement = parse_statement(p);
    p->depth--;
    statement->lbl = label;
    pcal_nodes_push(p->arena, statements, statement);
    return statements;
}

static struct node *statement_new(struct pcal *p, enum node_kind kind, const char *keyword)
{
    struct node *node = pcal_node_new(p->arena, kind);
    pcal_parse_must(p, keyword);
    pcal_parse_mark(p, node);
    return node;
}

/* ---- control ---- */
static struct expr *parse_test(struct pcal *p, const char *what)
{
    if (p->c_syntax) {
        pcal_parse_gobble(p, "(");
    }
    struct expr *test = pcal_parse_expr(p);
    if (p->c_syntax) {
        pcal_parse_gobble(p, ")");
    }
    if (pcal_expr_empty(test)) {
        pcal_parse_error(p, "Empty %s test at ", what);
    }
    return test;
}

static struct node *parse_while(struct pcal *p)
{
    struct node *node = statement_new(p, WHILE, "while");
    node->expr = parse_test(p, "while");
    if (p->c_syntax) {
        node->body = parse_c_statement(p);
    } else {
        pcal_parse_gobble(p, "do");
        node->body = pcal_parse_statements(p);
        pcal_parse_gobble(p, "end");
        pcal_parse_gobble(p, "while");
        pcal_parse_gobble(p, ";");
    }
    if (node->body->n == 0) {
        pcal_parse_error(p, "Missing body of while statement at");
    }
    node->lab_body = pcal_nodes_new(p->arena);
    return node;
}

static struct node *parse_if(struct pcal *p, int depth);

static void parse_p_else(struct pcal *p, struct node *node, int depth)
{
    if (pcal_parse_peek_is(p, 1, "else")) {
        pcal_parse_must(p, "else");
        node->other = pcal_parse_statements(p);
    } else if (pcal_parse_peek_is(p, 1, "elsif")) {
        if (depth > NESTING_MAX) {
            pcal_parse_error(p, "Statements are nested too deeply at");
            return;
        }
        pcal_nodes_push(p->arena, node->other, parse_if(p, depth + 1));
    } else if (!pcal_parse_peek_is(p, 1, "end")) {
        pcal_parse_error(p, "Expecting \"else\", \"elsif\", or \"end\"");
    }
    if (depth == 0) {
        pcal_parse_gobble(p, "end");
        pcal_parse_gobble(p, "if");
        pcal_parse_gobble(p, ";");
    }
}

static struct node *parse_if(struct pcal *p, int depth)
{
    struct node *node = statement_new(p, LABEL_IF, depth == 0 ? "if" : "elsif");
    node->expr = parse_test(p, "if");
    node->other = pcal_nodes_new(p->arena);
    if (!p->c_syntax) {
        pcal_parse_gobble(p, "then");
        node->body = pcal_parse_statements(p);
        parse_p_else(p, node, depth);
    } else {
        node->body = parse_c_statement(p);
        if (pcal_parse_peek_is(p, 1, "else")) {
            pcal_parse_must(p, "else");
            node->other = parse_c_statement(p);
        }
    }
    node->lab_body = pcal_nodes_new(p->arena);
    node->lab_other = pcal_nodes_new(p->arena);
    if (node->body->n == 0 && node->other->n == 0) {
        pcal_parse_error(p, "Unknown error at or before");
    }
    return node;
}

static struct node *parse_either(struct pcal *p)
{
    struct node *node = statement_new(p, LABEL_EITHER, "either");
    node->body = pcal_nodes_new(p->arena);
    bool more = true;
    while (more && !p->failed) {
        struct node *clause = pcal_node_new(p->arena, CLAUSE);
        clause->lab_body = pcal_nodes_new(p->arena);
        clause->body = p->c_syntax ? parse_c_statement(p) : pcal_parse_statements(p);
        if (clause->body->n == 0) {
            pcal_fail(p, node, "`either' statement with empty `or' clause");
        }
        pcal_nodes_push(p->arena, node->body, clause);
        more = pcal_parse_peek_is(p, 1, "or");
        if (more) {
            pcal_parse_must(p, "or");
        }
    }
    if (!p->c_syntax) {
        pcal_parse_must(p, "end");
        pcal_parse_gobble(p, "either");
        pcal_parse_gobble(p, ";");
    }
    if (node->body->n < 2) {
        pcal_fail(p, node, "`either' statement has no `or'");
    }
    return node;
}

/* with x = 1, y \in S do: one statement inside the other. */
static struct node *parse_with(struct pcal *p, int depth)
{
    if (depth == 0) {
        pcal_parse_gobble(p, "with");
        if (p->c_syntax) {
            pcal_parse_gobble(p, "(");
        }
    }
    struct node *node = pcal_node_new(p->arena, WITH);
    pcal_parse_mark(p, node);
    node->name = pcal_parse_take(p);
    node->is_eq = pcal_parse_eq_or_in(p);
    node->expr = pcal_parse_expr(p);
    if (!p->c_syntax || !pcal_parse_peek_is(p, 1, ")")) {
        pcal_parse_comma(p);
    }
    if (pcal_expr_empty(node->expr)) {
        pcal_parse_error(p, "Empty with expression at ");
    }
    if (!p->c_syntax && pcal_parse_peek_is(p, 1, "do")) {
        pcal_parse_gobble(p, "do");
        node->body = pcal_parse_statements(p);
        pcal_parse_gobble(p, "end");
        pcal_parse_gobble(p, "with");
        pcal_parse_gobble(p, ";");
    } else if (p->c_syntax && pcal_parse_peek_is(p, 1, ")")) {
        pcal_parse_must(p, ")");
        node->body = parse_c_statement(p);
    } else {
        node->body = pcal_nodes_new(p->arena);
        if (depth > NESTING_MAX) {
            pcal_parse_error(p, "Statements are nested too deeply at");
        }
        if (!p->failed) {
            pcal_nodes_push(p->arena, node->body, parse_with(p, depth + 1));
        }
    }
    if (node->body->n == 0) {
        pcal_fail(p, node, "Missing body of with statement");
    }
    return node;
}

/* ---- simple statements ---- */
/* The place of the token that comes next, which was looked at. */
static void mark_ahead(const struct pcal *p, struct node *node)
{
    node->line = p->ahead_line[0] + 1;
    node->col = p->ahead_col[0] + 1;
}

static struct node *parse_single(struct pcal *p)
{
    struct node *node = pcal_node_new(p->arena, SINGLE);
    mark_ahead(p, node);
    node->sub_line = node->line;
    node->sub_col = node->col;
    node->name = pcal_parse_take(p);
    node->sub = pcal_parse_expr(p);
    if (pcal_parse_peek_is(p, 1, "\u2254")) {
        (void)pcal_parse_take(p);
    } else {
        pcal_parse_gobble(p, ":=");
    }
    node->expr = pcal_parse_expr(p);
    if (pcal_expr_empty(node->expr)) {
        pcal_parse_error(p, "Empty right-hand side of assignment at ");
    }
    return node;
}

static struct node *parse_assign(struct pcal *p)
{
    struct node *node = pcal_node_new(p->arena, ASSIGN);
    mark_ahead(p, node);
    node->body = pcal_nodes_new(p->arena);
    pcal_nodes_push(p->arena, node->body, parse_single(p));
    while (pcal_parse_peek_is(p, 1, "||") || pcal_parse_peek_is(p, 1, "\u2016")) {
        (void)pcal_parse_take(p);
        pcal_nodes_push(p->arena, node->body, parse_single(p));
        if (p->failed) {
            p->failed = false;
            pcal_parse_error(p, "Bad assignment statement at ");
        }
    }
    pcal_parse_gobble(p, ";");
    return node;
}

static struct node *parse_with_expr(struct pcal *p, enum node_kind kind, const char *keyword)
{
    struct node *node = statement_new(p, kind, keyword);
    node->expr = pcal_parse_expr(p);
    if (pcal_expr_empty(node->expr) && kind == WHEN) {
        pcal_parse_error(p, "Unknown error at or before");
    } else if (pcal_expr_empty(node->expr)) {
        pcal_parse_error(p, "Empty expression in %s statement at ", keyword);
    }
    pcal_parse_gobble(p, ";");
    return node;
}

static void parse_args(struct pcal *p, struct node *node)
{
    bool more = pcal_parse_peek_past(p, 0) != ')';
    while (more && !p->failed) {
        struct expr *arg = pcal_parse_expr(p);
        AVEC_PUSH(p->arena, &node->args, arg);
        if (pcal_expr_empty(arg)) {
            pcal_parse_error(p, "Empty argument in call statement at ");
        }
        more = !pcal_parse_peek_is(p, 1, ")");
        if (more) {
            pcal_parse_gobble(p, ",");
        }
    }
    pcal_parse_gobble(p, ")");
}

static void goes_to(struct pcal *p, struct str label)
{
    p->goto_used = true;
    if (str_is(label, "Done") || str_is(label, "\"Done\"")) {
        p->goto_done_used = true;
    }
}

/* call P(...), which may be followed by return or goto. */
static struct node *parse_call(struct pcal *p)
{
    struct node *node = statement_new(p, CALL, "call");
    node->name = pcal_parse_take(p);
    node->from = STR("");
    pcal_parse_gobble(p, "(");
    parse_args(p, node);
    pcal_parse_gobble(p, ";");
    if (!pcal_strs_has(&p->calls, node->name)) {
        AVEC_PUSH(p->arena, &p->calls, node->name);
    }
    if (pcal_parse_peek_is(p, 1, "return")) {
        pcal_parse_must(p, "return");
        pcal_parse_gobble(p, ";");
        node->kind = CALL_RETURN;
        node->from = p->procedure;
    } else if (pcal_parse_peek_is(p, 1, "goto")) {
        pcal_parse_must(p, "goto");
        node->kind = CALL_GOTO;
        node->from = pcal_parse_take(p);
        goes_to(p, node->name); /* the translator looks at the procedure, not at the label */
        pcal_parse_gobble(p, ";");
    }
    return node;
}

static struct node *parse_return(struct pcal *p)
{
    struct node *node = statement_new(p, RETURN, "return");
    node->from = p->procedure;
    pcal_parse_gobble(p, ";");
    return node;
}

static struct node *parse_goto(struct pcal *p)
{
    struct node *node = statement_new(p, GOTO, "goto");
    node->name = pcal_parse_take(p);
    goes_to(p, node->name);
    pcal_parse_gobble(p, ";");
    return node;
}

static struct node *parse_skip(struct pcal *p)
{
    struct node *node = statement_new(p, SKIP, "skip");
    pcal_parse_gobble(p, ";");
    return node;
}

static struct node *parse_macro_call(struct pcal *p)
{
    struct node *node = pcal_node_new(p->arena, MACRO_CALL);
    node->name = pcal_parse_take(p);
    pcal_parse_mark(p, node);
    pcal_parse_must(p, "(");
    parse_args(p, node);
    pcal_parse_gobble(p, ";");
    return node;
}

static struct node *parse_statement(struct pcal *p)
{
    struct str token = pcal_parse_peek(p, 1);
    if (str_is(token, "if")) {
        return parse_if(p, 0);
    }
    if (str_is(token, "either")) {
        return parse_either(p);
    }
    if (str_is(token, "with")) {
        return parse_with(p, 0);
    }
    if (str_is(token, "when")) {
        return parse_with_expr(p, WHEN, "when");
    }
    if (str_is(token, "await")) {
        return parse_with_expr(p, WHEN, "await");
    }
    if (str_is(token, "print")) {
        return parse_with_expr(p, PRINT, "print");
    }
    if (str_is(token, "assert")) {
        return parse_with_expr(p, ASSERTION, "assert");
    }
    if (str_is(token, "skip")) {
        return parse_skip(p);
    }
    if (str_is(token, "call")) {
        return parse_call(p);
    }
    if (str_is(token, "return")) {
        return parse_return(p);
    }
    if (str_is(token, "goto")) {
        return parse_goto(p);
    }
    if (str_is(token, "while")) {
        return parse_while(p);
    }
    return pcal_parse_peek_past(p, 1) == '(' ? parse_macro_call(p) : parse_assign(p);
}

/* Control becomes data: every label an action of its own, whose last statement says where pc goes;
 * calls and returns assign the stack, parameters and variables of procedures; a while becomes an
 * if.
 *
 * Sequences of statements are changed in place where the translator does so, since the checksum is
 * taken of the tree afterwards (see pluscal_int.h). */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

struct exploder {
    struct pcal *p;
    struct arena *arena;
    const struct names *names;
    struct str procedure;
};

/* What became of a sequence: its statements, labeled statements that were taken out of it, and
 * whether it still has to say where to go. */
struct exploded {
    struct nodes *statements, *more;
    bool needs_goto;
};

/* ---- small pieces ---- */
static struct expr *tokens(struct exploder *x, const struct tok *const *list, size_t n, int spaces)
{
    struct expr *e = pcal_expr_new(x->arena);
    int col = 0;
    pcal_expr_add_line(x->arena, e);
    for (size_t i = 0; i < n; i++) {
        struct tok *tok = pcal_tok_new(x->arena, list[i]->text, col, list[i]->type);
        col += pcal_tok_width(tok) + spaces;
        pcal_expr_add(x->arena, e, tok);
    }
    pcal_expr_normalize(x->arena, e);
    return e;
}

static const struct tok *token(struct exploder *x, struct str text, enum tok_type type)
{
    return pcal_tok_new(x->arena, text, 0, type);
}

static void add(struct exploder *x, struct expr *e, struct str text, enum tok_type type)
{
    pcal_expr_add(x->arena, e, pcal_tok_new(x->arena, text, 0, type));
}

static struct node *single(struct exploder *x, struct str var, struct expr *value,
                           const struct node *at)
{
    struct node *node = pcal_node_new(x->arena, SINGLE);
    node->name = var;
    node->sub = pcal_expr_new(x->arena);
    pcal_expr_normalize(x->arena, node->sub);
    node->expr = value;
    if (at != NULL) {
        node->line = at->line;
        node->col = at->col;
    }
    return node;
}

static struct node *assign_new(struct exploder *x, const struct node *at)
{
    struct node *node = pcal_node_new(x->arena, ASSIGN);
    node->body = pcal_nodes_new(x->arena);
    if (at != NULL) {
        node->line = at->line;
        node->col = at->col;
    }
    return node;
}

static struct node *assign(struct exploder *x, struct str var, struct expr *value,
                           const struct node *at)
{
    struct node *node = assign_new(x, at);
    pcal_nodes_push(x->arena, node->body, single(x, var, value, at));
    return node;
}

static struct node *set_pc(struct exploder *x, struct str label)
{
    const struct tok *list[] = {token(x, label, TOK_STRING)};
    return assign(x, STR("pc"), tokens(x, list, 1, 0), NULL);
}

static struct node *check_pc(struct exploder *x, struct str label)
{
    const struct tok *list[] = {token(x, STR("pc"), TOK_ADDED), token(x, STR("="), TOK_BUILTIN),
                                token(x, label, TOK_STRING)};
    struct node *node = pcal_node_new(x->arena, WHEN);
    node->expr = tokens(x, list, 3, 1);
    return node;
}

/* Head(stack).field: the columns of these tokens are all 0, they are printed without blanks. */
static void add_head(struct exploder *x, struct expr *e, struct str field)
{
    add(x, e, STR("Head"), TOK_IDENT);
    add(x, e, STR("("), TOK_BUILTIN);
    add(x, e, STR("stack"), TOK_ADDED);
    add(x, e, STR(")"), TOK_BUILTIN);
    add(x, e, STR("."), TOK_BUILTIN);
    add(x, e, field, TOK_IDENT);
}

static struct expr *head(struct exploder *x, struct str field)
{
    struct expr *e = pcal_expr_new(x->arena);
    pcal_expr_add_line(x->arena, e);
    add_head(x, e, field);
    pcal_expr_normalize(x->arena, e);
    return e;
}

/* ---- the new top of the stack ---- */
/* Columns for << [ name |-> value, ... ] >> \o stack, a line for each field. */
static void align_frame(struct expr *e)
{
    enum { INDENT = 6, ARROW = 16 };
    for (size_t i = 0; i < e->n; i++) {
        int col = i == 0 || i == e->n - 1 ? 1 : INDENT;
        for (size_t j = 0; j < e->v[i]->n; j++) {
            struct tok *tok = e->v[i]->v[j];
            bool builtin = tok->type == TOK_BUILTIN;
            tok->col = col;
            col += pcal_tok_width(tok);
            if (builtin && str_is(tok->text, "|->")) {
                tok->col = tok->col + 1 < ARROW ? ARROW : tok->col + 1;
                col = tok->col + 5;
            } else if (builtin && (str_is(tok->text, "[") || str_is(tok->text, "<<"))) {
                col++;
            } else if (builtin && (str_is(tok->text, "]") || str_is(tok->text, ">>"))) {
                tok->col++;
                col++;
            } else if (builtin && str_is(tok->text, "\\o")) {
                tok->col++;
                col += 2;
            }
        }
    }
}

static void add_fields(struct exploder *x, struct expr *e, const struct nodes *decls)
{
    for (size_t i = 0; i < decls->n; i++) {
        add(x, e, STR(","), TOK_BUILTIN);
        pcal_expr_add_line(x->arena, e);
        add(x, e, decls->v[i]->name, TOK_IDENT);
        add(x, e, STR("|->"), TOK_BUILTIN);
        add(x, e, decls->v[i]->name, TOK_IDENT);
    }
}

/* The frame for a call of `to` that comes back to `label`; label.p NULL: to where the caller's
 * frame, which is replaced, would have gone. */
static struct expr *frame(struct exploder *x, const struct node *call, const struct unit *to,
                          struct str label)
{
    struct expr *e = pcal_expr_new(x->arena);
    pcal_expr_add_line(x->arena, e);
    add(x, e, STR("<<"), TOK_BUILTIN);
    add(x, e, STR("["), TOK_BUILTIN);
    add(x, e, STR("procedure"), TOK_IDENT);
    add(x, e, STR("|->"), TOK_BUILTIN);
    add(x, e, call->name, TOK_STRING);
    add(x, e, STR(","), TOK_BUILTIN);
    pcal_expr_add_line(x->arena, e);
    add(x, e, STR("pc"), TOK_IDENT);
    add(x, e, STR("|->"), TOK_BUILTIN);
    if (label.p != NULL) {
        add(x, e, label, TOK_STRING);
    } else {
        add_head(x, e, STR("pc"));
    }
    add_fields(x, e, to->node->decls);
    add_fields(x, e, to->node->params);
    add(x, e, STR("]"), TOK_BUILTIN);
    add(x, e, STR(">>"), TOK_BUILTIN);
    pcal_expr_add_line(x->arena, e);
    add(x, e, STR("\\o"), TOK_BUILTIN);
    if (label.p != NULL) {
        add(x, e, STR("stack"), TOK_ADDED);
    } else {
        add(x, e, STR("Tail"), TOK_IDENT);
        add(x, e, STR("("), TOK_BUILTIN);
        add(x, e, STR("stack"), TOK_ADDED);
        add(x, e, STR(")"), TOK_BUILTIN);
    }
    align_frame(e);
    pcal_expr_normalize(x->arena, e);
    return e;
}

/* ---- calls and returns ---- */
static const struct unit *called(struct exploder *x, const struct node *call)
{
    const struct unit *to = pcal_names_procedure(x->names, call->name);
    if (to == NULL) {
        pcal_fail(x->p, call, "Call of non-existent procedure %.*s", STR_ARG(call->name));
    }
    return to;
}

/* Parameters get their arguments in the same assignment, variables their values after it. */
static void enter(struct exploder *x, const struct node *call, const struct unit *to,
                  struct node *first, struct nodes *out)
{
    const struct nodes *params = to->node->params;
    const struct nodes *decls = to->node->decls;
    if (params->n != call->args.n) {
        pcal_fail(x->p, call, "Procedure %.*s called with wrong number of arguments",
                  STR_ARG(call->name));
        return;
    }
    for (size_t i = 0; i < params->n; i++) {
        pcal_nodes_push(x->arena, first->body,
                        single(x, params->v[i]->name, call->args.v[i], call));
    }
    pcal_nodes_push(x->arena, out, first);
    for (size_t i = 0; i < decls->n; i++) {
        pcal_nodes_push(x->arena, out, assign(x, decls->v[i]->name, decls->v[i]->expr, call));
    }
    pcal_nodes_push(x->arena, out,
                    set_pc(x, to->first_label.p != NULL ? to->first_label : STR("null")));
}

static void explode_call(struct exploder *x, const struct node *call, struct str next,
                         struct nodes *out)
{
    const struct unit *to = called(x, call);
    if (to == NULL) {
        return;
    }
    struct node *first = assign(x, STR("stack"), frame(x, call, to, next), call);
    enter(x, call, to, first, out);
}

static void restore(struct exploder *x, const struct nodes *decls, const struct node *at,
                    struct nodes *out)
{
    for (size_t i = 0; i < decls->n; i++) {
        pcal_nodes_push(x->arena, out,
                        assign(x, decls->v[i]->name, head(x, decls->v[i]->name), at));
    }
}

static void explode_return(struct exploder *x, struct node *node, struct nodes *out)
{
    if (node->from.p == NULL) {
        node->from = x->procedure;
    }
    if (node->from.p == NULL) {
        pcal_fail(x->p, node, "`return' statement not in procedure");
        return;
    }
    const struct unit *from = pcal_names_procedure(x->names, node->from);
    if (from == NULL) {
        pcal_fail(x->p, node, "Error in procedure (perhaps name used elsewhere)");
        return;
    }
    pcal_nodes_push(x->arena, out, assign(x, STR("pc"), head(x, STR("pc")), node));
    restore(x, from->node->decls, node, out);
    restore(x, from->node->params, node, out);
    struct expr *tail = pcal_expr_new(x->arena);
    pcal_expr_add_line(x->arena, tail);
    add(x, tail, STR("Tail"), TOK_IDENT);
    add(x, tail, STR("("), TOK_BUILTIN);
    add(x, tail, STR("stack"), TOK_ADDED);
    add(x, tail, STR(")"), TOK_BUILTIN);
    pcal_expr_normalize(x->arena, tail);
    pcal_nodes_push(x->arena, out, assign(x, STR("stack"), tail, node));
}

static void explode_call_return(struct exploder *x, const struct node *node, struct nodes *out)
{
    if (node->from.p == NULL) {
        pcal_fail(x->p, NULL, "`return' statement following `call' at %s not in a procedure",
                  pcal_node_place(x->arena, node));
        return;
    }
    const struct unit *from = pcal_names_procedure(x->names, node->from);
    const struct unit *to = from != NULL ? called(x, node) : NULL;
    if (from == NULL) {
        pcal_fail(x->p, node, "Error in procedure (perhaps name used elsewhere)");
    }
    if (to == NULL) {
        return;
    }
    struct node *first = assign_new(x, node);
    if (!str_eq(node->from, node->name)) {
        const struct nodes *decls = from->node->decls;
        for (size_t i = 0; i < decls->n; i++) {
            pcal_nodes_push(x->arena, first->body,
                            single(x, decls->v[i]->name, head(x, decls->v[i]->name), node));
        }
        pcal_nodes_push(x->arena, first->body,
                        single(x, STR("stack"), frame(x, node, to, (struct str){0}), node));
    }
    enter(x, node, to, first, out);
}

/* ---- statements ---- */
static struct exploded explode_last(struct exploder *x, struct nodes *statements, struct str next);
static void explode_labeled(struct exploder *x, const struct node *labeled, struct str next,
                            struct nodes *out);

static struct exploded explode_with_goto(struct exploder *x, struct nodes *statements,
                                         struct str next)
{
    struct exploded e = explode_last(x, statements, next);
    if (e.needs_goto) {
        pcal_nodes_push(x->arena, e.statements, set_pc(x, next));
    }
    return e;
}

static void explode_labeled_all(struct exploder *x, const struct nodes *labeled, struct str next,
                                struct nodes *out)
{
    for (size_t i = 0; i < labeled->n && !x->p->failed; i++) {
        explode_labeled(x, labeled->v[i], i + 1 < labeled->n ? labeled->v[i + 1]->name : next, out);
    }
}

static struct str first_or(const struct nodes *labeled, struct str next)
{
    return labeled->n > 0 ? labeled->v[0]->name : next;
}

static struct node *explode_label_if(struct exploder *x, const struct node *node, struct str next,
                                     struct nodes *more)
{
    struct exploded a = explode_with_goto(x, node->body, first_or(node->lab_body, next));
    struct exploded b = explode_with_goto(x, node->other, first_or(node->lab_other, next));
    struct node *copy = pcal_node_new(x->arena, IF);
    copy->expr = node->expr;
    copy->line = node->line;
    copy->col = node->col;
    copy->body = a.statements;
    copy->other = b.statements;
    explode_labeled_all(x, node->lab_body, next, more);
    explode_labeled_all(x, node->lab_other, next, more);
    pcal_nodes_push_all(x->arena, more, a.more);
    pcal_nodes_push_all(x->arena, more, b.more);
    return copy;
}

static struct node *explode_label_either(struct exploder *x, const struct node *node,
                                         struct str next, struct nodes *more)
{
    struct node *copy = pcal_node_new(x->arena, EITHER);
    copy->line = node->line;
    copy->col = node->col;
    copy->body = pcal_nodes_new(x->arena);
    for (size_t i = 0; i < node->body->n && !x->p->failed; i++) {
        const struct node *clause = node->body->v[i];
        struct exploded e = explode_with_goto(x, clause->body, first_or(clause->lab_body, next));
        struct node *part = pcal_node_new(x->arena, CLAUSE);
        part->body = e.statements;
        pcal_nodes_push(x->arena, copy->body, part);
        pcal_nodes_push_all(x->arena, more, e.more);
        explode_labeled_all(x, clause->lab_body, next, more);
    }
    return copy;
}

/* Branches without labels: where some leave and some do not, those that do not say where to go. */
static bool explode_if(struct exploder *x, struct node *node, struct str next, struct nodes *more)
{
    struct exploded a = explode_last(x, node->body, next);
    struct exploded b = explode_last(x, node->other, next);
    pcal_nodes_push_all(x->arena, more, a.more);
    pcal_nodes_push_all(x->arena, more, b.more);
    node->body = a.statements;
    node->other = b.statements;
    if (x->p->omit_pc || (a.needs_goto && b.needs_goto)) {
        return true;
    }
    if (a.needs_goto) {
        pcal_nodes_push(x->arena, node->body, set_pc(x, next));
    }
    if (b.needs_goto) {
        pcal_nodes_push(x->arena, node->other, set_pc(x, next));
    }
    return false;
}

static bool explode_either(struct exploder *x, struct node *node, struct str next,
                           struct nodes *more)
{
    size_t n = node->body->n;
    bool *needs = ARENA_ARRAY(x->arena, bool, n + 1);
    bool all = true;
    for (size_t i = 0; i < n && !x->p->failed; i++) {
        struct exploded e = explode_last(x, node->body->v[i]->body, next);
        node->body->v[i]->body = e.statements;
        pcal_nodes_push_all(x->arena, more, e.more);
        needs[i] = e.needs_goto;
        all = all && e.needs_goto;
    }
    for (size_t i = 0; i < n && !all && !x->p->omit_pc; i++) {
        if (needs[i]) {
            pcal_nodes_push(x->arena, node->body->v[i]->body, set_pc(x, next));
        }
    }
    return all;
}

/* What the last statement becomes; whether it still has to say where to go. */
static bool explode_statement(struct exploder *x, struct node *last, struct str next,
                              struct exploded *e)
{
    struct nodes *out = e->statements;
    switch (last->kind) {
    case LABEL_IF:
        out->n--;
        pcal_nodes_push(x->arena, out, explode_label_if(x, last, next, e->more));
        return false;
    case LABEL_EITHER:
        out->n--;
        pcal_nodes_push(x->arena, out, explode_label_either(x, last, next, e->more));
        return false;
    case GOTO:
        out->n--;
        pcal_nodes_push(x->arena, out, set_pc(x, last->name));
        return false;
    case CALL:
        out->n--;
        explode_call(x, last, next, out);
        return false;
    case CALL_GOTO:
        out->n--;
        explode_call(x, last, last->from, out);
        return false;
    case RETURN:
        out->n--;
        explode_return(x, last, out);
        return false;
    case CALL_RETURN:
        out->n--;
        explode_call_return(x, last, out);
        return false;
    case IF: return explode_if(x, last, next, e->more);
    case EITHER: return explode_either(x, last, next, e->more);
    case WITH: {
        struct exploded inner = explode_last(x, last->body, next);
        last->body = inner.statements;
        pcal_nodes_push_all(x->arena, e->more, inner.more);
        return inner.needs_goto;
    }
    default: return true;
    }
}

static struct exploded explode_last(struct exploder *x, struct nodes *statements, struct str next)
{
    struct exploded e = {pcal_nodes_new(x->arena), pcal_nodes_new(x->arena), true};
    if (statements->n > 0 && !x->p->failed) {
        e.statements = statements;
        e.needs_goto = explode_statement(x, pcal_nodes_last(statements), next, &e);
    }
    e.needs_goto = e.needs_goto && !x->p->omit_pc;
    return e;
}

/* ---- labeled statements ---- */
static bool is_true(const struct expr *e)
{
    if (e->n != 1) {
        return false;
    }
    const struct tok_line *line = e->v[0];
    if (line->n == 3) {
        return str_is(line->v[0]->text, "(") && str_is(line->v[1]->text, "TRUE") &&
               str_is(line->v[2]->text, ")");
    }
    return line->n == 1 && str_is(line->v[0]->text, "TRUE");
}

static struct node *labeled_copy(struct exploder *x, const struct node *labeled)
{
    struct node *copy = pcal_node_new(x->arena, LABELED);
    copy->line = labeled->line;
    copy->col = labeled->col;
    copy->name = labeled->name;
    copy->body = pcal_nodes_new(x->arena);
    if (!x->p->omit_pc) {
        pcal_nodes_push(x->arena, copy->body, check_pc(x, labeled->name));
    }
    return copy;
}

static void explode_while(struct exploder *x, const struct node *labeled, struct str next,
                          struct nodes *out)
{
    const struct node *loop = labeled->body->v[0];
    struct node *copy = labeled_copy(x, labeled);
    struct exploded body = explode_with_goto(x, pcal_nodes_copy(x->arena, loop->body),
                                             first_or(loop->lab_body, labeled->name));
    struct nodes *rest = pcal_nodes_new(x->arena);
    for (size_t i = 1; i < labeled->body->n; i++) {
        pcal_nodes_push(x->arena, rest, labeled->body->v[i]);
    }
    struct exploded after = explode_with_goto(x, rest, next);
    bool endless = is_true(loop->expr);
    if (endless) {
        pcal_nodes_push_all(x->arena, copy->body, body.statements);
    } else {
        struct node *test = pcal_node_new(x->arena, IF);
        test->expr = loop->expr;
        test->body = body.statements;
        test->other = after.statements;
        pcal_nodes_push(x->arena, copy->body, test);
    }
    pcal_nodes_push(x->arena, out, copy);
    explode_labeled_all(x, loop->lab_body, labeled->name, out);
    pcal_nodes_push_all(x->arena, out, body.more);
    if (!endless) {
        pcal_nodes_push_all(x->arena, out, after.more);
    }
}

static void explode_labeled(struct exploder *x, const struct node *labeled, struct str next,
                            struct nodes *out)
{
    if (labeled->body->n > 0 && labeled->body->v[0]->kind == WHILE) {
        explode_while(x, labeled, next, out);
        return;
    }
    struct exploded e = explode_with_goto(x, pcal_nodes_copy(x->arena, labeled->body), next);
    if (!x->p->omit_pc) {
        struct node *copy = labeled_copy(x, labeled);
        pcal_nodes_push_all(x->arena, copy->body, e.statements);
        pcal_nodes_push(x->arena, out, copy);
    }
    pcal_nodes_push_all(x->arena, out, e.more);
}

/* A copy of a procedure, a process or the algorithm, with an exploded body. */
static struct node *explode_unit(struct exploder *x, const struct node *unit, struct str next)
{
    struct node *copy = ARENA_NEW(x->arena, struct node);
    *copy = *unit;
    copy->body = pcal_nodes_new(x->arena);
    explode_labeled_all(x, unit->body, next, copy->body);
    return copy;
}

struct node *pcal_explode(struct pcal *p, struct node *root, const struct names *names)
{
    struct exploder x = {p, p->arena, names, {0}};
    struct node *copy = ARENA_NEW(p->arena, struct node);
    *copy = *root;
    copy->procedures = pcal_nodes_new(p->arena);
    for (size_t i = 0; i < root->procedures->n && !p->failed; i++) {
        const struct node *unit = root->procedures->v[i];
        x.procedure = unit->name;
        pcal_nodes_push(
            p->arena, copy->procedures,
            explode_unit(&x, unit, pcal_names_use(names, SYM_LABEL, STR("Error"), STR(""))));
    }
    x.procedure = (struct str){0};
    if (root->kind == UNIPROCESS) {
        copy->body = explode_unit(&x, root, STR("Done"))->body;
        return copy;
    }
    copy->body = pcal_nodes_new(p->arena);
    for (size_t i = 0; i < root->body->n && !p->failed; i++) {
        pcal_nodes_push(p->arena, copy->body, explode_unit(&x, root->body->v[i], STR("Done")));
    }
    return copy;
}

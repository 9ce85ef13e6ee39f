/* Macros: a call becomes a copy of the body, with arguments in the place of parameters. Bodies of
 * macros are expanded when they are defined, so only earlier macros can be called in them. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal_int.h"

/* Macros that call macros twice double each time. */
enum { EXPANDED_MAX = 200000 };

struct call {
    const struct node *node;
    const struct node *macro;
};

static struct expr *substitute(struct pcal *p, const struct expr *e, const struct call *call)
{
    struct expr *copy = pcal_expr_clone(p->arena, e);
    const char *wrong =
        pcal_expr_substitute(p->arena, copy, call->node->args.v, &call->macro->param_names, true);
    if (wrong != NULL) {
        pcal_fail(p, NULL, "%s", wrong);
    }
    return copy;
}

static void mark_macro(struct node *node, const struct call *call)
{
    node->macro_line = call->node->line;
    node->macro_col = call->node->col;
}

/* A parameter on the left-hand side: its argument must begin with a variable; what follows that is
 * put in front of the subscripts. */
static void substitute_left(struct pcal *p, struct node *copy, const struct call *call)
{
    size_t i = pcal_strs_find(&call->macro->param_names, copy->name);
    if (i == call->macro->param_names.n || p->failed) {
        return;
    }
    const struct expr *arg = call->node->args.v[i];
    const struct tok *first = arg->v[0]->v[0];
    if (first->type != TOK_IDENT) {
        pcal_fail(p, NULL, "Macro expansion substitutes `%.*s' for assignment variable\n    at %s",
                  STR_ARG(first->text), pcal_node_place(p->arena, copy));
        return;
    }
    copy->name = first->text;
    if (arg->n == 1 && arg->v[0]->n == 1) {
        return;
    }
    struct expr *rest = pcal_expr_clone(p->arena, arg);
    struct tok_line *line = rest->v[0];
    line->n--;
    memmove((void *)line->v, (void *)(line->v + 1), line->n * sizeof *line->v);
    pcal_expr_normalize(p->arena, rest);
    if (pcal_expr_empty(copy->sub)) {
        copy->sub = rest;
    } else if (!pcal_expr_prepend(p->arena, copy->sub, rest, 0)) {
        pcal_fail(p, NULL, "%s", pcal_moved_left);
    }
}

static struct node *copy_single(struct pcal *p, const struct node *single, const struct call *call)
{
    struct node *copy = ARENA_NEW(p->arena, struct node);
    *copy = *single;
    copy->sub_line = copy->sub_col = 0;
    mark_macro(copy, call);
    copy->expr = substitute(p, single->expr, call);
    if (!pcal_expr_empty(single->sub)) {
        copy->sub = substitute(p, single->sub, call);
    }
    substitute_left(p, copy, call);
    return copy;
}

static struct nodes *copy_nodes(struct pcal *p, const struct nodes *nodes, const struct call *call);

static struct node *copy_node(struct pcal *p, const struct node *node, const struct call *call)
{
    struct node *copy = ARENA_NEW(p->arena, struct node);
    if (++p->expanded > EXPANDED_MAX) {
        pcal_fail(p, NULL, "Macros become more than %d statements", EXPANDED_MAX);
        return copy;
    }
    *copy = *node;
    copy->lbl = STR("");
    if (node->kind == CLAUSE) {
        copy->line = copy->col = 0;
    } else {
        mark_macro(copy, call);
    }
    if (node->expr != NULL) {
        copy->expr = substitute(p, node->expr, call);
    }
    copy->args = (struct exprs){0};
    for (size_t i = 0; i < node->args.n; i++) {
        AVEC_PUSH(p->arena, &copy->args, substitute(p, node->args.v[i], call));
    }
    if (node->kind == ASSIGN) {
        copy->body = pcal_nodes_new(p->arena);
        for (size_t i = 0; i < node->body->n && !p->failed; i++) {
            pcal_nodes_push(p->arena, copy->body, copy_single(p, node->body->v[i], call));
        }
        return copy;
    }
    /* nothing in a macro has labels: lab_body and lab_other are empty */
    copy->body = node->body != NULL ? copy_nodes(p, node->body, call) : NULL;
    copy->other = node->other != NULL ? copy_nodes(p, node->other, call) : NULL;
    copy->lab_body = node->lab_body != NULL ? pcal_nodes_new(p->arena) : NULL;
    copy->lab_other = node->lab_other != NULL ? pcal_nodes_new(p->arena) : NULL;
    return copy;
}

static void check_depth(struct pcal *p)
{
    if (p->depth > NESTING_MAX) {
        pcal_fail(p, NULL, "Statements of macros are nested too deeply");
    }
}

static struct nodes *copy_nodes(struct pcal *p, const struct nodes *nodes, const struct call *call)
{
    struct nodes *copy = pcal_nodes_new(p->arena);
    p->depth++;
    check_depth(p);
    for (size_t i = 0; i < nodes->n && !p->failed; i++) {
        pcal_nodes_push(p->arena, copy, copy_node(p, nodes->v[i], call));
    }
    p->depth--;
    return copy;
}

static struct nodes *expand_call(struct pcal *p, const struct node *node,
                                 const struct nodes *macros)
{
    struct call call = {node, NULL};
    for (size_t i = 0; i < macros->n; i++) {
        if (str_eq(macros->v[i]->name, node->name)) {
            call.macro = macros->v[i];
        }
    }
    if (call.macro == NULL) {
        pcal_fail(p, NULL, "Macro %.*s undefined,\n    at %s", STR_ARG(node->name),
                  pcal_node_place(p->arena, node));
        return pcal_nodes_new(p->arena);
    }
    if (call.macro->param_names.n != node->args.n) {
        pcal_fail(p, NULL, "Macro %.*s called with wrong number of arguments at \n    %s",
                  STR_ARG(node->name), pcal_node_place(p->arena, node));
        return pcal_nodes_new(p->arena);
    }
    struct nodes *body = copy_nodes(p, call.macro->body, &call);
    if (body->n > 0) {
        body->v[0]->lbl = node->lbl;
    }
    return body;
}

void pcal_macro_expand(struct pcal *p, struct nodes *statements, const struct nodes *macros)
{
    struct nodes out = {0};
    p->depth++;
    for (size_t i = 0; i < statements->n && !p->failed; i++) {
        struct node *node = statements->v[i];
        if (node->kind == MACRO_CALL) {
            pcal_nodes_push_all(p->arena, &out, expand_call(p, node, macros));
            continue;
        }
        if (node->body != NULL && node->kind != ASSIGN) {
            pcal_macro_expand(p, node->body, macros);
        }
        if (node->other != NULL) {
            pcal_macro_expand(p, node->other, macros);
        }
        pcal_nodes_push(p->arena, &out, node);
    }
    p->depth--;
    if (!p->failed) {
        *statements = out;
    }
}

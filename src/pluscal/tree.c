/* The tree: making nodes, and writing it as a TLA+ expression. That text is what -writeAST writes;
 * the checksum of an algorithm is taken of it, so every blank counts. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

enum { VERSION_15 = 1500 };

struct node *pcal_node_new(struct arena *arena, enum node_kind kind)
{
    struct node *node = ARENA_NEW(arena, struct node);
    node->kind = kind;
    node->macro_line = -1;
    node->lbl = node->name = STR("");
    return node;
}

struct nodes *pcal_nodes_new(struct arena *arena)
{
    return ARENA_NEW(arena, struct nodes);
}

void pcal_nodes_push(struct arena *arena, struct nodes *nodes, struct node *node)
{
    AVEC_PUSH(arena, nodes, node);
}

void pcal_nodes_push_all(struct arena *arena, struct nodes *nodes, const struct nodes *more)
{
    for (size_t i = 0; i < more->n; i++) {
        pcal_nodes_push(arena, nodes, more->v[i]);
    }
}

struct nodes *pcal_nodes_copy(struct arena *arena, const struct nodes *nodes)
{
    struct nodes *copy = pcal_nodes_new(arena);
    pcal_nodes_push_all(arena, copy, nodes);
    return copy;
}

struct node *pcal_nodes_last(const struct nodes *nodes)
{
    return nodes->v[nodes->n - 1];
}

const char *pcal_node_place(struct arena *arena, const struct node *node)
{
    if (node->macro_line < 0) {
        return arena_printf(arena, "line %d, column %d", node->line, node->col);
    }
    return arena_printf(arena, "line %d, column %d of macro called at line %d, column %d",
                        node->line, node->col, node->macro_line, node->macro_col);
}

/* ---- writing ---- */
/* Inside of a group, new lines begin where the group does. Groups are opened with the text that
 * precedes their contents, whose width is their indentation. */
struct printer {
    struct strbuf *out;
    const struct pluscal_options *options;
    size_t indent;
};

static size_t open_group(struct printer *w, const char *text)
{
    size_t before = w->indent;
    strbuf_adds(w->out, text);
    w->indent += strlen(text);
    return before;
}

static void line_break(struct printer *w)
{
    strbuf_addc(w->out, '\n');
    strbuf_pad(w->out, ' ', w->indent);
}

static void add_place(struct printer *w, int line, int col)
{
    if (w->options->debug) {
        strbuf_printf(w->out, "(*%d, %d*)", line, col);
    }
}

static size_t open_node(struct printer *w, const struct node *node)
{
    size_t before = w->indent;
    size_t n = w->out->n;
    add_place(w, node->line, node->col);
    w->indent += w->out->n - n;
    return before;
}

static void write_expr(struct printer *w, const struct expr *e)
{
    const char *between = "";
    strbuf_adds(w->out, "<< ");
    for (size_t i = 0; i < e->n; i++) {
        strbuf_adds(w->out, i > 0 ? "\n" : "");
        for (size_t j = 0; j < e->v[i]->n; j++) {
            const struct tok *tok = e->v[i]->v[j];
            strbuf_adds(w->out, between);
            between = ", ";
            if (tok->type == TOK_STRING) {
                strbuf_printf(w->out, "\"\\\"\", \"%.*s\", \"\\\"\"", STR_ARG(tok->text));
            } else if (str_is(tok->text, "\\/")) {
                strbuf_printf(w->out, "\"(col%d) \\\\/\"", tok->col);
            } else if (tok->text.n > 0 && tok->text.p[0] == '\\') {
                strbuf_printf(w->out, "\"\\%.*s\"", STR_ARG(tok->text));
            } else if (str_is(tok->text, "/\\")) {
                strbuf_printf(w->out, "\"(col%d) /\\\\\"", tok->col);
            } else {
                strbuf_printf(w->out, "\"%.*s\"", STR_ARG(tok->text));
            }
        }
    }
    strbuf_adds(w->out, " >>");
}

static void write_node(struct printer *w, const struct node *node);

static void write_nodes(struct printer *w, const struct nodes *nodes)
{
    size_t before = open_group(w, "<<");
    for (size_t i = 0; i < nodes->n; i++) {
        if (i > 0) {
            strbuf_adds(w->out, ", ");
            line_break(w);
        }
        write_node(w, nodes->v[i]);
    }
    strbuf_adds(w->out, ">>");
    w->indent = before;
}

static void write_args(struct printer *w, const struct exprs *args)
{
    size_t before = open_group(w, "<<");
    for (size_t i = 0; i < args->n; i++) {
        if (i > 0) {
            strbuf_adds(w->out, ", ");
            line_break(w);
        }
        write_expr(w, args->v[i]);
    }
    strbuf_adds(w->out, ">>");
    w->indent = before;
}

static void write_names(struct printer *w, const struct strs *names)
{
    strbuf_adds(w->out, "<<");
    for (size_t i = 0; i < names->n; i++) {
        strbuf_printf(w->out, "%s\"%.*s\"", i > 0 ? ", " : "", STR_ARG(names->v[i]));
    }
    strbuf_adds(w->out, ">>");
}

/* A field whose value is a sequence of nodes; `end` follows it, then a new line if `more`. */
static void field(struct printer *w, const char *name, const struct nodes *nodes, const char *end)
{
    size_t before = open_group(w, name);
    write_nodes(w, nodes);
    strbuf_adds(w->out, end);
    w->indent = before;
}

static void field_more(struct printer *w, const char *name, const struct nodes *nodes)
{
    field(w, name, nodes, ",");
    line_break(w);
}

static const char *eq_or_in(const struct node *node)
{
    return node->is_eq ? "\"=\"" : "\"\\\\in\"";
}

static struct str or_null(struct str s)
{
    return s.p != NULL ? s : STR("null");
}

static void text_line(struct printer *w, const char *text)
{
    strbuf_adds(w->out, text);
    line_break(w);
}

static void write_root(struct printer *w, const struct node *node)
{
    bool uni = node->kind == UNIPROCESS;
    text_line(w, uni ? "[type     |-> \"uniprocess\", " : "[type    |-> \"multiprocess\", ");
    strbuf_printf(w->out, " name  |-> \"%.*s\", ", STR_ARG(node->name));
    line_break(w);
    field_more(w, uni ? " decls  |-> " : " decls |-> ", node->decls);
    strbuf_adds(w->out, uni ? " defs   |-> " : " defs  |-> ");
    write_expr(w, node->expr);
    text_line(w, ",");
    field_more(w, uni ? " prcds  |-> " : " prcds |-> ", node->procedures);
    field(w, uni ? " body  |-> " : " procs |-> ", node->body, "]");
}

static void write_labels(struct printer *w, const struct node *node)
{
    strbuf_adds(w->out, "minusLabels |-> ");
    write_names(w, &node->minus_labels);
    strbuf_adds(w->out, ", plusLabels |->");
    write_names(w, &node->plus_labels);
    strbuf_adds(w->out, ", proceduresCalled |->");
    write_names(w, &node->calls);
    text_line(w, ",");
}

static void write_procedure(struct printer *w, const struct node *node)
{
    strbuf_printf(w->out, "[name   |-> \"%.*s\", ", STR_ARG(node->name));
    line_break(w);
    if (w->options->version >= VERSION_15) {
        write_labels(w, node);
    }
    field_more(w, " params |-> ", node->params);
    field_more(w, " decls  |-> ", node->decls);
    field(w, " body   |-> ", node->body, "]");
}

static void write_process(struct printer *w, const struct node *node)
{
    static const char *const fairness[] = {"unfair", "wf", "sf"};
    bool old = w->options->version < VERSION_15;
    strbuf_printf(w->out, "[name   |-> \"%.*s\",%s", STR_ARG(node->name), old ? " " : "");
    line_break(w);
    if (!old) {
        strbuf_printf(w->out, " fairness |-> \"%s\", ", fairness[node->fairness]);
        write_labels(w, node);
    }
    strbuf_printf(w->out, " eqOrIn |-> %s,", eq_or_in(node));
    line_break(w);
    strbuf_adds(w->out, " id     |-> ");
    write_expr(w, node->expr);
    text_line(w, ",");
    field_more(w, " decls  |-> ", node->decls);
    field(w, " body   |-> ", node->body, "]");
}

static void write_decl(struct printer *w, const struct node *node)
{
    strbuf_printf(w->out, "[var |-> \"%.*s\", eqOrIn |-> %s, val |-> ", STR_ARG(node->name),
                  eq_or_in(node));
    write_expr(w, node->expr);
    strbuf_adds(w->out, "]");
}

static void write_single(struct printer *w, const struct node *node)
{
    strbuf_adds(w->out, "[lhs |-> ");
    add_place(w, node->sub_line, node->sub_col);
    strbuf_printf(w->out, "[var |-> \"%.*s\", sub |-> ", STR_ARG(node->name));
    write_expr(w, node->sub);
    text_line(w, "],");
    strbuf_adds(w->out, " rhs |-> ");
    write_expr(w, node->expr);
    strbuf_adds(w->out, "]");
}

static void write_if(struct printer *w, const struct node *node)
{
    text_line(w, "[type    |-> \"if\", ");
    strbuf_adds(w->out, " test    |-> ");
    write_expr(w, node->expr);
    text_line(w, ",");
    field_more(w, " then |-> ", node->body);
    field(w, " else |-> ", node->other, "]");
}

static void write_label_if(struct printer *w, const struct node *node)
{
    text_line(w, "[type      |-> \"labelIf\",");
    strbuf_adds(w->out, " test      |-> ");
    write_expr(w, node->expr);
    text_line(w, ",");
    field_more(w, " unlabThen |-> ", node->body);
    field_more(w, " labThen   |-> ", node->lab_body);
    field_more(w, " unlabElse |-> ", node->other);
    field(w, " labElse   |-> ", node->lab_other, "]");
    line_break(w);
}

static void write_either(struct printer *w, const struct node *node)
{
    text_line(w, "[type |-> \"either\", ");
    size_t outer = open_group(w, " ors  |-> ");
    size_t before = open_group(w, "<< ");
    for (size_t i = 0; i < node->body->n; i++) {
        if (i > 0) {
            strbuf_adds(w->out, ", ");
            line_break(w);
        }
        write_nodes(w, node->body->v[i]->body);
    }
    strbuf_adds(w->out, " >>");
    w->indent = before;
    strbuf_adds(w->out, "]");
    w->indent = outer;
}

static void write_while(struct printer *w, const struct node *node)
{
    text_line(w, "[type    |-> \"while\", ");
    strbuf_adds(w->out, " test    |-> ");
    write_expr(w, node->expr);
    text_line(w, ",");
    field_more(w, " labDo   |-> ", node->lab_body);
    field(w, " unlabDo |-> ", node->body, "]");
}

static void write_with(struct printer *w, const struct node *node)
{
    text_line(w, "[type   |-> \"with\", ");
    strbuf_printf(w->out, " var    |-> \"%.*s\",", STR_ARG(node->name));
    line_break(w);
    strbuf_printf(w->out, " eqOrIn |-> %s,", eq_or_in(node));
    line_break(w);
    strbuf_adds(w->out, " exp    |-> ");
    write_expr(w, node->expr);
    text_line(w, ",");
    field(w, " do     |-> ", node->body, "]");
}

static void write_simple(struct printer *w, const struct node *node, const char *type)
{
    strbuf_printf(w->out, "[type |-> \"%s\", ", type);
    line_break(w);
    strbuf_adds(w->out, " exp |-> ");
    write_expr(w, node->expr);
    strbuf_adds(w->out, "]");
}

/* The first field of each kind of call, and what its value is called. */
static void write_call(struct printer *w, const struct node *node)
{
    const char *type = node->kind == CALL          ? "call"
                       : node->kind == CALL_RETURN ? "callReturn"
                                                   : "callGoto";
    const char *first = node->kind == CALL          ? "returnTo"
                        : node->kind == CALL_RETURN ? "from    "
                                                    : "after   ";
    bool call = node->kind == CALL;
    strbuf_printf(w->out, "[type     |-> \"%s\",", type);
    line_break(w);
    strbuf_printf(w->out, " %s |-> \"%.*s\",", first, STR_ARG(or_null(node->from)));
    line_break(w);
    strbuf_printf(w->out, " to       |-> \"%.*s\",", STR_ARG(node->name));
    line_break(w);
    size_t before = open_group(w, call ? " args     |-> " : "args     |-> ");
    write_args(w, &node->args);
    strbuf_adds(w->out, "]");
    if (!call) {
        line_break(w);
    }
    w->indent = before;
}

static void write_clause(struct printer *w, const struct node *node)
{
    field_more(w, "[unlabOr |-> ", node->body);
    field(w, " labOr   |-> ", node->lab_body, "]");
    line_break(w);
}

static void write_statement(struct printer *w, const struct node *node)
{
    switch (node->kind) {
    case ASSIGN:
        text_line(w, "[type |-> \"assignment\",");
        field(w, " ass  |-> ", node->body, "]");
        break;
    case LABELED:
        strbuf_printf(w->out, "[label |-> \"%.*s\",", STR_ARG(node->name));
        line_break(w);
        field(w, " stmts |-> ", node->body, "]");
        break;
    case LABEL_EITHER:
        text_line(w, "[type    |-> \"labelEither\",");
        field(w, " clauses |-> ", node->body, "]");
        line_break(w);
        break;
    case WHEN: write_simple(w, node, "when"); break;
    case PRINT: write_simple(w, node, "print"); break;
    case ASSERTION: write_simple(w, node, "assert"); break;
    case SKIP: strbuf_adds(w->out, "[type |-> \"skip\"]"); break;
    case RETURN:
        strbuf_printf(w->out, "[type |-> \"return\", from |-> \"%.*s\"]",
                      STR_ARG(or_null(node->from)));
        break;
    case GOTO:
        strbuf_printf(w->out, "[type |-> \"goto\",  to |-> \"%.*s\"]", STR_ARG(node->name));
        break;
    default: write_call(w, node); break;
    }
}

static void write_node(struct printer *w, const struct node *node)
{
    size_t before = open_node(w, node);
    switch (node->kind) {
    case UNIPROCESS:
    case MULTIPROCESS: write_root(w, node); break;
    case PROCEDURE: write_procedure(w, node); break;
    case PROCESS: write_process(w, node); break;
    case VAR:
    case PVAR: write_decl(w, node); break;
    case SINGLE: write_single(w, node); break;
    case IF: write_if(w, node); break;
    case LABEL_IF: write_label_if(w, node); break;
    case EITHER: write_either(w, node); break;
    case WHILE: write_while(w, node); break;
    case WITH: write_with(w, node); break;
    case CLAUSE: write_clause(w, node); break;
    default: write_statement(w, node); break;
    }
    w->indent = before;
}

void pcal_tree_print(const struct node *root, const struct pluscal_options *options,
                     struct strbuf *out)
{
    struct printer w = {out, options, 0};
    write_node(&w, root);
}

/* Tree to TLA+: declarations, Init, and the frame in which the actions stand. How lines are broken
 * is the translator's way, to the column. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/gen_int.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

/* ---- lines ---- */
void pcal_gen_put(struct gen *g, struct str text)
{
    strbuf_addstr(&g->next, text);
}

void pcal_gen_putf(struct gen *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&g->next, fmt, ap);
    va_end(ap);
}

void pcal_gen_end_line(struct gen *g)
{
    if (g->next.n > 0) {
        AVEC_PUSH(g->arena, g->lines, str_dup(g->arena, strbuf_str(&g->next)));
        strbuf_reset(&g->next);
    }
}

void pcal_gen_line(struct gen *g, const char *fmt, ...)
{
    va_list ap;
    pcal_gen_end_line(g);
    va_start(ap, fmt);
    strbuf_vprintf(&g->next, fmt, ap);
    va_end(ap);
    pcal_gen_end_line(g);
}

void pcal_gen_blank(struct gen *g)
{
    pcal_gen_end_line(g);
    AVEC_PUSH(g->arena, g->lines, STR(""));
}

int pcal_gen_column(const struct gen *g)
{
    return pcal_width(strbuf_str(&g->next));
}

const char *pcal_gen_spaces(struct gen *g, int n)
{
    return arena_printf(g->arena, "%*s", n > 0 ? n : 0, "");
}

void pcal_gen_expr(struct gen *g, const struct expr *e)
{
    struct strs lines = {0};
    pcal_expr_lines(g->arena, e, &lines);
    const char *indent = pcal_gen_spaces(g, pcal_gen_column(g));
    for (size_t i = 0; i < lines.n; i++) {
        bool first = i == 0 && g->next.n > 0;
        pcal_gen_putf(g, "%s%.*s", first ? "" : indent, STR_ARG(lines.v[i]));
        if (i + 1 == lines.n) {
            break;
        }
        if (g->next.n > 0) {
            pcal_gen_end_line(g);
        } else {
            AVEC_PUSH(g->arena, g->lines, STR(""));
        }
    }
}

/* ---- expressions ---- */
struct expr *pcal_gen_self(struct gen *g)
{
    struct expr *e = pcal_expr_new(g->arena);
    pcal_expr_add_line(g->arena, e);
    pcal_expr_add(g->arena, e, pcal_tok_new(g->arena, STR("self"), 0, TOK_IDENT));
    pcal_expr_normalize(g->arena, e);
    return e;
}

struct expr *pcal_gen_self_subscript(struct gen *g, bool in_procedure)
{
    if (!g->multi) {
        return NULL;
    }
    struct expr *e = pcal_expr_clone(g->arena, in_procedure ? pcal_gen_self(g) : g->self);
    for (size_t i = 0; i < e->n; i++) {
        for (size_t j = 0; j < e->v[i]->n; j++) {
            e->v[i]->v[j]->col++;
        }
    }
    struct tok_line *first = ARENA_NEW(g->arena, struct tok_line);
    AVEC_PUSH(g->arena, first, pcal_tok_new(g->arena, STR("["), 0, TOK_BUILTIN));
    for (size_t j = 0; j < e->v[0]->n; j++) {
        AVEC_PUSH(g->arena, first, e->v[0]->v[j]);
    }
    e->v[0] = first;
    const struct tok_line *last = e->v[e->n - 1];
    const struct tok *tok = last->v[last->n - 1];
    pcal_expr_add(g->arena, e, pcal_tok_new(g->arena, STR("]"), tok->col + tok->len, TOK_BUILTIN));
    return e;
}

static bool is_changed(const struct changed *c, struct str var)
{
    size_t i = pcal_strs_find(c->vars, var);
    return i < c->vars->n && c->count[i] > 0;
}

/* The token with a prime, a subscript, or both. */
static struct expr *decorated(struct gen *g, const struct tok *tok, bool prime,
                              const struct expr *sub)
{
    struct expr *e = pcal_expr_new(g->arena);
    pcal_expr_add_line(g->arena, e);
    pcal_expr_add(g->arena, e, pcal_tok_new(g->arena, tok->text, 0, tok->type));
    if (prime) {
        pcal_expr_add(g->arena, e, pcal_tok_new(g->arena, STR("'"), tok->len, TOK_BUILTIN));
    }
    if (sub == NULL) {
        return e;
    }
    struct expr *all = pcal_expr_clone(g->arena, sub);
    pcal_expr_normalize(g->arena, e);
    if (!pcal_expr_prepend(g->arena, all, e, 0)) {
        pcal_fail(g->p, NULL, "%s", pcal_moved_left);
    }
    return all;
}

struct expr *pcal_gen_subscript(struct gen *g, const struct expr *e, const struct expr *sub,
                                const struct changed *c)
{
    struct expr *copy = pcal_expr_clone(g->arena, e);
    struct strs names = {0};
    struct exprs by = {0};
    for (size_t i = 0; i < copy->n; i++) {
        for (size_t j = 0; j < copy->v[i]->n; j++) {
            const struct tok *tok = copy->v[i]->v[j];
            bool ident = tok->type == TOK_IDENT;
            bool prime = ident && is_changed(c, tok->text);
            bool local = g->multi && ident &&
                         (pcal_strs_has(&g->procedure_vars, tok->text) ||
                          pcal_strs_has(&g->process_vars, tok->text));
            bool subscript = sub != NULL && (tok->type == TOK_ADDED || local);
            if ((subscript || prime) && !pcal_strs_has(&names, tok->text)) {
                AVEC_PUSH(g->arena, &names, tok->text);
                AVEC_PUSH(g->arena, &by, decorated(g, tok, prime, subscript ? sub : NULL));
            }
        }
    }
    const char *wrong =
        names.n > 0 ? pcal_expr_substitute(g->arena, copy, by.v, &names, false) : NULL;
    if (wrong != NULL) {
        pcal_fail(g->p, NULL, "%s", wrong);
    }
    return copy;
}

/* What a character does in the search for an operator outside of all brackets. */
struct depth {
    int parens;
    bool in_string, needs;
};

static size_t look_at(struct depth *d, struct str line, size_t i)
{
    char c = line.p[i];
    char next = i + 1 < line.n ? line.p[i + 1] : ' ';
    if (d->in_string) {
        d->in_string = c != '"';
        return c == '\\' ? 2 : 1;
    }
    bool twice = (c == '<' || c == '>') && next == c;
    bool opens = c == '(' || c == '[' || c == '{' || (c == '<' && twice);
    bool closes = c == ')' || c == ']' || c == '}' || (c == '>' && twice);
    bool may = c == '=' || c == '#' || ((c == '<' || c == '>') && !twice) ||
               (c == '|' && (next == '-' || (i > 0 && line.p[i - 1] == '-'))) ||
               (c == '\\' && next != ' ' && next != 'o' && next != 'X') ||
               (c == '/' && next == '\\');
    d->in_string = c == '"';
    d->needs = (may && d->parens == 0) || (closes && d->parens == 0);
    d->parens += opens - closes;
    return twice ? 2 : 1;
}

/* The translator means to look at every line, but looks at the first one again and again. */
bool pcal_gen_needs_parens(struct gen *g, const struct expr *e)
{
    struct strs lines = {0};
    pcal_expr_lines(g->arena, e, &lines);
    struct depth d = {0};
    for (size_t k = 0; k < lines.n && !d.needs; k++) {
        struct str line = lines.v[0];
        for (size_t i = 0; i < line.n && !d.needs;) {
            i += look_at(&d, line, i);
        }
        d.needs = d.needs || d.in_string;
    }
    return d.needs;
}

/* ---- declarations ---- */
static void add_var(struct gen *g, struct strs *list, struct str var)
{
    AVEC_PUSH(g->arena, list, var);
    AVEC_PUSH(g->arena, &g->vars, var);
}

static void add_vars(struct gen *g, struct strs *list, const struct nodes *decls, struct strs *also)
{
    for (size_t i = 0; i < decls->n; i++) {
        add_var(g, list, decls->v[i]->name);
        if (also != NULL) {
            AVEC_PUSH(g->arena, also, decls->v[i]->name);
        }
    }
}

static void put_names(struct gen *g, const struct strs *vars, const char *indent)
{
    for (size_t i = 0; i < vars->n; i++) {
        if (i > 0) {
            pcal_gen_put(g, STR(", "));
        }
        if (pcal_gen_column(g) + pcal_width(vars->v[i]) + 1 > g->wrap) {
            pcal_gen_end_line(g);
            pcal_gen_put(g, str_of(indent));
        }
        pcal_gen_put(g, vars->v[i]);
    }
}

static void gen_variables(struct gen *g, const struct strs *vars)
{
    if (vars->n == 0) {
        return;
    }
    bool one = vars->n == 1;
    pcal_gen_putf(g, "%s ", one ? "VARIABLE" : "VARIABLES");
    put_names(g, vars, one ? "         " : "          ");
    pcal_gen_end_line(g);
}

static void gen_tuple(struct gen *g, const struct strs *vars)
{
    pcal_gen_put(g, STR("vars == << "));
    put_names(g, vars, "           ");
    if (pcal_gen_column(g) + 4 > g->wrap) {
        pcal_gen_end_line(g);
        pcal_gen_put(g, STR("       "));
    }
    pcal_gen_put(g, STR(" >>"));
    pcal_gen_blank(g);
}

static void gen_declarations(struct gen *g, const struct node *root)
{
    struct strs global = {0}, local = {0};
    if (!g->p->omit_pc) {
        add_var(g, &global, STR("pc"));
    }
    add_vars(g, &global, root->decls, NULL);
    if (root->procedures->n > 0) {
        add_var(g, &global, STR("stack"));
    }
    for (size_t i = 0; i < root->procedures->n; i++) {
        add_vars(g, &local, root->procedures->v[i]->params, &g->procedure_vars);
        add_vars(g, &local, root->procedures->v[i]->decls, &g->procedure_vars);
    }
    for (size_t i = 0; g->multi && i < root->body->n; i++) {
        const struct node *unit = root->body->v[i];
        add_vars(g, &local, unit->decls, unit->is_eq ? NULL : &g->process_vars);
    }
    if (g->p->has_default) {
        pcal_gen_line(g, "CONSTANT defaultInitValue");
    }
    if (!pcal_expr_empty(root->expr)) {
        gen_variables(g, &global);
        pcal_gen_blank(g);
        pcal_gen_line(g, "(* define statement *)");
        pcal_gen_expr(g, root->expr);
        pcal_gen_blank(g);
        gen_variables(g, &local);
    }
    for (size_t i = 0; i < local.n; i++) {
        AVEC_PUSH(g->arena, &global, local.v[i]);
    }
    if (pcal_expr_empty(root->expr)) {
        gen_variables(g, &global);
    }
    pcal_gen_blank(g);
    if (global.n == 0) {
        pcal_fail(g->p, NULL, "The algorithm has no variables.");
        return;
    }
    gen_tuple(g, &global);
}

static void gen_process_set(struct gen *g)
{
    pcal_gen_put(g, STR("ProcSet == "));
    for (size_t i = 0; i < g->names->processes.n; i++) {
        const struct node *unit = g->names->processes.v[i].node;
        pcal_gen_putf(g, "%s%s", i > 0 ? " \\cup " : "", unit->is_eq ? "{" : "(");
        pcal_gen_expr(g, unit->expr);
        pcal_gen_put(g, unit->is_eq ? STR("}") : STR(")"));
    }
    pcal_gen_end_line(g);
    pcal_gen_blank(g);
}

/* ---- Init ---- */
static const char INIT[] = "Init == ";
static const char INDENT[] = "        ";

static const char *sign(const struct node *decl)
{
    return decl->is_eq ? "=" : "\\in";
}

static void init_plain(struct gen *g, const struct node *decl)
{
    bool parens = pcal_gen_needs_parens(g, decl->expr);
    pcal_gen_putf(g, "%s/\\ %.*s %s %s", INDENT, STR_ARG(decl->name), sign(decl),
                  parens ? "(" : "");
    pcal_gen_expr(g, decl->expr);
    pcal_gen_put(g, parens ? STR(")") : STR(""));
    pcal_gen_end_line(g);
}

static void init_of_procedure(struct gen *g, const struct nodes *decls)
{
    struct strs none = {0};
    struct changed unchanged = pcal_changed_new(g, &none);
    for (size_t i = 0; i < decls->n; i++) {
        const struct node *decl = decls->v[i];
        if (!g->multi) {
            init_plain(g, decl);
            continue;
        }
        pcal_gen_putf(g, "%s/\\ %.*s = [ self \\in ProcSet |-> ", INDENT, STR_ARG(decl->name));
        pcal_gen_expr(
            g, pcal_gen_subscript(g, decl->expr, pcal_gen_self_subscript(g, true), &unchanged));
        pcal_gen_put(g, STR("]"));
        pcal_gen_end_line(g);
    }
}

/* [CHOOSE self \in id : TRUE]: a subscript in a set that a process variable is chosen from. */
static struct expr *some_self(struct gen *g, const struct node *unit)
{
    static const struct {
        const char *text;
        int col;
        enum tok_type type;
    } front[] =
        {
            {"[",      0,  TOK_BUILTIN},
            {"CHOOSE", 1,  TOK_BUILTIN},
            {"self",   8,  TOK_IDENT  },
            {"\\in ",  13, TOK_BUILTIN},
    },
      back[] = {
          {":", 0, TOK_BUILTIN},
          {"TRUE", 2, TOK_BUILTIN},
          {"]", 6, TOK_BUILTIN},
      };
    struct expr *id = pcal_expr_clone(g->arena, unit->expr);
    struct expr *e = pcal_expr_new(g->arena);
    pcal_expr_add_line(g->arena, e);
    for (size_t i = 0; i < sizeof front / sizeof front[0]; i++) {
        pcal_expr_add(g->arena, e,
                      pcal_tok_new(g->arena, str_of(front[i].text), front[i].col, front[i].type));
    }
    pcal_expr_normalize(g->arena, e);
    bool ok = pcal_expr_prepend(g->arena, id, e, 1);
    e = pcal_expr_new(g->arena);
    pcal_expr_add_line(g->arena, e);
    for (size_t i = 0; i < sizeof back / sizeof back[0]; i++) {
        pcal_expr_add(g->arena, e,
                      pcal_tok_new(g->arena, str_of(back[i].text), back[i].col, back[i].type));
    }
    if (!ok || !pcal_expr_prepend(g->arena, e, id, 1)) {
        pcal_fail(g->p, NULL, "%s", pcal_moved_left);
    }
    return e;
}

static void init_of_process(struct gen *g, const struct node *unit, const struct node *decl)
{
    struct strs none = {0};
    struct changed unchanged = pcal_changed_new(g, &none);
    pcal_gen_putf(g, "%s/\\ %.*s ", INDENT, STR_ARG(decl->name));
    if (unit->is_eq) {
        pcal_gen_putf(g, "%s ", sign(decl));
        pcal_gen_expr(g, decl->expr);
        pcal_gen_end_line(g);
        return;
    }
    pcal_gen_put(g, decl->is_eq ? STR("= [self \\in ") : STR("\\in ["));
    pcal_gen_expr(g, unit->expr);
    pcal_gen_put(g, decl->is_eq ? STR(" |-> ") : STR(" -> "));
    struct expr *sub = decl->is_eq ? pcal_gen_self_subscript(g, true) : some_self(g, unit);
    pcal_gen_expr(g, pcal_gen_subscript(g, decl->expr, sub, &unchanged));
    pcal_gen_put(g, STR("]"));
    pcal_gen_end_line(g);
}

/* Where each process begins. */
static void init_pc(struct gen *g)
{
    size_t n = g->names->processes.n;
    bool one = n == 1;
    pcal_gen_putf(g, "/\\ pc = [self \\in ProcSet |-> %s", one ? "" : "CASE ");
    int col = pcal_gen_column(g) - 3;
    for (size_t i = 0; i < n; i++) {
        const struct unit *unit = &g->names->processes.v[i];
        struct str label = unit->first_label.p != NULL ? unit->first_label : STR("null");
        if (i > 0) {
            pcal_gen_putf(g, "%s[] ", pcal_gen_spaces(g, col));
        }
        if (!one) {
            pcal_gen_put(g, unit->node->is_eq ? STR("self = ") : STR("self \\in "));
            pcal_gen_expr(g, unit->node->expr);
            pcal_gen_put(g, STR(" -> "));
        }
        pcal_gen_putf(g, "\"%.*s\"%s", STR_ARG(label), i + 1 == n ? "]" : "");
        pcal_gen_end_line(g);
    }
}

static void gen_init(struct gen *g, const struct node *root)
{
    pcal_gen_put(g, str_of(INIT));
    if (root->decls->n > 0) {
        pcal_gen_put(g, STR("(* Global variables *)"));
        pcal_gen_end_line(g);
    }
    for (size_t i = 0; i < root->decls->n; i++) {
        init_plain(g, root->decls->v[i]);
    }
    for (size_t i = 0; i < root->procedures->n; i++) {
        const struct node *unit = root->procedures->v[i];
        if (unit->params->n + unit->decls->n > 0) {
            pcal_gen_putf(g, "%s(* Procedure %.*s *)", g->next.n > 0 ? "" : INDENT,
                          STR_ARG(unit->name));
            pcal_gen_end_line(g);
        }
        init_of_procedure(g, unit->params);
        init_of_procedure(g, unit->decls);
    }
    for (size_t i = 0; g->multi && i < root->body->n; i++) {
        const struct node *unit = root->body->v[i];
        if (unit->decls->n > 0) {
            pcal_gen_putf(g, "%s(* Process %.*s *)", g->next.n > 0 ? "" : INDENT,
                          STR_ARG(unit->name));
            pcal_gen_end_line(g);
        }
        for (size_t k = 0; k < unit->decls->n; k++) {
            init_of_process(g, unit, unit->decls->v[k]);
        }
    }
    if (root->procedures->n > 0) {
        pcal_gen_putf(g, "%s/\\ stack = %s", g->next.n > 0 ? "" : INDENT,
                      g->multi ? "[self \\in ProcSet |-> << >>]" : "<< >>");
        pcal_gen_end_line(g);
    }
    if (!g->p->omit_pc) {
        pcal_gen_put(g, str_of(g->next.n > 0 ? "" : INDENT));
        if (g->multi) {
            init_pc(g);
        } else {
            pcal_gen_putf(
                g, "/\\ pc = \"%.*s\"",
                STR_ARG(g->names->first_label.p != NULL ? g->names->first_label : STR("null")));
        }
    }
    pcal_gen_blank(g);
}

/* ---- actions ---- */
/* Name == label \/ label ... */
static void gen_disjuncts(struct gen *g, const struct node *unit, const char *argument)
{
    pcal_gen_putf(g, "%.*s%s == ", STR_ARG(unit->name), argument);
    const char *indent = pcal_gen_spaces(g, pcal_gen_column(g) + 2);
    for (size_t i = 0; i < unit->body->n; i++) {
        struct str label = unit->body->v[i]->name;
        int width = pcal_width(label) + (int)str_of(argument).n;
        if (i != 0 && pcal_gen_column(g) + 7 + width > g->wrap) {
            pcal_gen_end_line(g);
        }
        if (i != 0) {
            pcal_gen_putf(g, "%s \\/ ", g->next.n == 0 ? indent : "");
        }
        pcal_gen_putf(g, "%.*s%s", STR_ARG(label), argument);
    }
    pcal_gen_blank(g);
}

static void gen_procedure(struct gen *g, const struct node *unit)
{
    if (g->multi) {
        g->self = pcal_gen_self(g);
        g->self_is_self = true;
    } else {
        AVEC_PUSH(g->arena, &g->steps, unit->name);
    }
    for (size_t i = 0; i < unit->body->n && !g->p->failed; i++) {
        pcal_gen_labeled(g, unit->body->v[i], true);
    }
    gen_disjuncts(g, unit, g->multi ? "(self)" : "");
}

static void gen_process(struct gen *g, const struct node *unit)
{
    g->unit = unit->name;
    g->self = unit->is_eq ? unit->expr : pcal_gen_self(g);
    g->self_is_self = !unit->is_eq;
    if (unit->is_eq) {
        AVEC_PUSH(g->arena, &g->steps, unit->name);
    }
    for (size_t i = 0; i < unit->body->n && !g->p->failed; i++) {
        pcal_gen_labeled(g, unit->body->v[i], false);
    }
    if (!g->p->omit_pc) {
        gen_disjuncts(g, unit, unit->is_eq ? "" : "(self)");
    }
}

static void gen_actions(struct gen *g, const struct node *root)
{
    for (size_t i = 0; i < root->procedures->n && !g->p->failed; i++) {
        gen_procedure(g, root->procedures->v[i]);
    }
    for (size_t i = 0; i < root->body->n && !g->p->failed; i++) {
        if (g->multi) {
            gen_process(g, root->body->v[i]);
        } else {
            AVEC_PUSH(g->arena, &g->steps, root->body->v[i]->name);
            pcal_gen_labeled(g, root->body->v[i], false);
        }
    }
}

void pcal_generate(struct pcal *p, const struct node *root, const struct names *names,
                   struct strs *ret_lines)
{
    struct gen g = {.p = p,
                    .arena = p->arena,
                    .names = names,
                    .lines = ret_lines,
                    .next = {.arena = p->arena},
                    .multi = root->kind == MULTIPROCESS,
                    .unit = STR("Next"),
                    .wrap = p->options->wrap};
    for (size_t i = 0; i < names->renamed.n; i++) {
        pcal_gen_line(&g, "%.*s", STR_ARG(names->renamed.v[i]));
    }
    gen_declarations(&g, root);
    if (p->failed) {
        return;
    }
    if (g.multi) {
        gen_process_set(&g);
    }
    gen_init(&g, root);
    gen_actions(&g, root);
    if (!p->failed) {
        pcal_gen_next(&g);
        pcal_gen_spec(&g);
        pcal_gen_termination(&g);
    }
}

/* The actions: statements become conjuncts. Each statement is written behind a prefix, the text
 * that stands before it on its first line ("Label == /\ ", or blanks and "/\ "), and says which
 * variables it changed; what an action or a branch leaves unchanged is added at its end. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/gen_int.h"
#include "pluscal/pluscal_int.h"

/* Variables whose name is at most so long are said to be equal to themselves. */
enum { SHORT_NAME = 5 };

/* ---- what has changed ---- */
struct changed pcal_changed_new(struct gen *g, const struct strs *vars)
{
    return (struct changed){vars, ARENA_ARRAY(g->arena, int, vars->n + 1)};
}

static struct changed changed_copy(struct gen *g, const struct changed *c)
{
    struct changed copy = pcal_changed_new(g, c->vars);
    memcpy(copy.count, c->count, c->vars->n * sizeof *c->count);
    return copy;
}

static void changed_merge(const struct changed *c, const struct changed *other)
{
    for (size_t i = 0; i < c->vars->n; i++) {
        c->count[i] = other->count[i] > c->count[i] ? other->count[i] : c->count[i];
    }
}

/* The variables that c leaves alone, and `other` (NULL: anything) changes. */
static struct strs unchanged(struct gen *g, const struct changed *c, const struct changed *other)
{
    struct strs vars = {0};
    for (size_t i = 0; i < c->vars->n; i++) {
        if (c->count[i] == 0 && (other == NULL || other->count[i] > 0)) {
            AVEC_PUSH(g->arena, &vars, c->vars->v[i]);
        }
    }
    return vars;
}

/* Puts names on lines of at most that many columns; a comma and a blank stay at the end of each. */
static struct strs in_lines(struct gen *g, const struct strs *vars, int columns)
{
    struct strs lines = {0};
    struct strbuf line = {.arena = g->arena};
    for (size_t i = 0; i < vars->n; i++) {
        if (i > 0) {
            strbuf_adds(&line, ", ");
        }
        if (pcal_width(strbuf_str(&line)) + pcal_width(vars->v[i]) > columns && line.n > 0) {
            AVEC_PUSH(g->arena, &lines, str_dup(g->arena, strbuf_str(&line)));
            strbuf_reset(&line);
        }
        strbuf_addstr(&line, vars->v[i]);
    }
    if (line.n > 0) {
        AVEC_PUSH(g->arena, &lines, strbuf_str(&line));
    }
    return lines;
}

/* The lines that say that variables keep their values, behind a prefix; none when there are none.
 */
static struct strs unchanged_lines(struct gen *g, const struct strs *vars, const char *prefix)
{
    static const char start[] = "UNCHANGED << ";
    struct strs lines = {0};
    struct str first = vars->n > 0 ? vars->v[0] : STR("");
    if (vars->n == 1) {
        const char *line =
            pcal_width(first) > SHORT_NAME
                ? arena_printf(g->arena, "%sUNCHANGED %.*s", prefix, STR_ARG(first))
                : arena_printf(g->arena, "%s%.*s' = %.*s", prefix, STR_ARG(first), STR_ARG(first));
        AVEC_PUSH(g->arena, &lines, str_of(line));
    }
    if (vars->n < 2) {
        return lines;
    }
    int here = pcal_width(str_of(prefix)) + (int)strlen(start);
    struct strs parts = in_lines(g, vars, g->wrap - here);
    for (size_t i = 0; i < parts.n; i++) {
        struct strbuf line = {.arena = g->arena};
        strbuf_printf(&line, "%s%s%.*s%s", i == 0 ? prefix : pcal_gen_spaces(g, here),
                      i == 0 ? start : "", STR_ARG(parts.v[i]), i + 1 == parts.n ? " >>" : "");
        AVEC_PUSH(g->arena, &lines, strbuf_str(&line));
    }
    return lines;
}

static void insert_lines(struct gen *g, size_t at, const struct strs *lines)
{
    for (size_t i = 0; i < lines->n; i++) {
        pcal_strs_insert(g->arena, g->lines, at + i, lines->v[i]);
    }
}

/* ---- statements ---- */
struct where {
    bool in_procedure;
    const char *prefix;
    int col; /* where the statement begins, if nothing else is said */
};

static void gen_statement(struct gen *g, struct node *node, struct changed *c,
                          const struct where *at);

/* A sequence of conjuncts: the first behind `first`, the others in column `col`. */
static void gen_conjuncts(struct gen *g, const struct nodes *statements, struct changed *c,
                          const struct where *at)
{
    struct where here = *at;
    for (size_t i = 0; i < statements->n && !g->p->failed; i++) {
        gen_statement(g, statements->v[i], c, &here);
        here.prefix = arena_printf(g->arena, "%s/\\ ", pcal_gen_spaces(g, at->col - 3));
    }
}

static struct expr *subscripted(struct gen *g, const struct expr *e, const struct changed *c,
                                const struct where *at)
{
    return pcal_gen_subscript(g, e, pcal_gen_self_subscript(g, at->in_procedure), c);
}

/* ---- assignments ---- */
static struct nodes *sorted(struct gen *g, const struct nodes *singles)
{
    struct nodes *left = pcal_nodes_copy(g->arena, singles);
    struct nodes *out = pcal_nodes_new(g->arena);
    while (left->n > 0) {
        size_t least = 0;
        for (size_t i = 1; i < left->n; i++) {
            if (str_cmp(left->v[least]->name, left->v[i]->name) > 0) {
                least = i;
            }
        }
        pcal_nodes_push(g->arena, out, left->v[least]);
        left->n--;
        memmove((void *)(left->v + least), (void *)(left->v + least + 1),
                (left->n - least) * sizeof *left->v);
    }
    return out;
}

static bool is_local(const struct gen *g, struct str var)
{
    return pcal_strs_has(&g->procedure_vars, var) || pcal_strs_has(&g->process_vars, var);
}

/* x' = ..., behind what `text` says. */
static void gen_single(struct gen *g, const struct node *single, const struct changed *c,
                       const struct where *at, const char *text)
{
    struct str var = single->name;
    struct expr *sub = subscripted(g, single->sub, c, at);
    struct expr *value = subscripted(g, single->expr, c, at);
    bool local = g->multi && (str_is(var, "pc") || str_is(var, "stack") || is_local(g, var));
    bool parens = false;
    pcal_gen_putf(g, "%s%.*s' = ", text, STR_ARG(var));
    if (local || !pcal_expr_empty(single->sub)) {
        pcal_gen_putf(g, "[%.*s EXCEPT !", STR_ARG(var));
        if (local) {
            pcal_gen_put(g, STR("["));
            pcal_gen_expr(g, g->self);
            pcal_gen_put(g, STR("]"));
        }
        if (!pcal_expr_empty(sub)) {
            pcal_gen_expr(g, sub);
        }
        pcal_gen_put(g, STR(" = "));
        pcal_gen_expr(g, value);
        pcal_gen_put(g, STR("]"));
        return;
    }
    parens = pcal_gen_needs_parens(g, value);
    pcal_gen_put(g, parens ? STR("(") : STR(""));
    pcal_gen_expr(g, value);
    pcal_gen_put(g, parens ? STR(")") : STR(""));
}

/* Several parts of one variable: x' = [x EXCEPT !... = ..., !... = ...]; `at` has the blanks before
 * those that follow the first. */
static void gen_several(struct gen *g, const struct nodes *singles, const struct changed *c,
                        const struct where *at)
{
    bool local = g->multi && is_local(g, singles->v[0]->name);
    for (size_t i = 0; i < singles->n; i++) {
        bool last = i + 1 == singles->n;
        struct expr *sub = subscripted(g, singles->v[i]->sub, c, at);
        struct expr *value = subscripted(g, singles->v[i]->expr, c, at);
        pcal_gen_putf(g, "%s!", i > 0 ? at->prefix : "");
        if (local) {
            pcal_gen_put(g, STR("["));
            pcal_gen_expr(g, at->in_procedure ? pcal_gen_self(g) : g->self);
            pcal_gen_put(g, STR("]"));
        }
        pcal_gen_expr(g, sub);
        pcal_gen_put(g, STR(" = "));
        pcal_gen_expr(g, value);
        pcal_gen_put(g, last ? STR("]") : STR(","));
        if (!last) {
            pcal_gen_end_line(g);
        }
    }
}

static size_t same_var(const struct nodes *singles, size_t i)
{
    size_t n = 1;
    while (i + n < singles->n && str_eq(singles->v[i]->name, singles->v[i + n]->name)) {
        n++;
    }
    return n;
}

static bool whole_var(const struct nodes *singles, size_t i, size_t n)
{
    for (size_t k = i; k < i + n; k++) {
        if (pcal_expr_empty(singles->v[k]->sub)) {
            return true;
        }
    }
    return false;
}

/* One variable of an assignment is written; `text` stands before it on its line. */
static void gen_var(struct gen *g, const struct nodes *singles, const struct changed *c,
                    const struct where *at, const char *text)
{
    struct str var = singles->v[0]->name;
    if (singles->n == 1) {
        gen_single(g, singles->v[0], c, at, text);
        return;
    }
    struct where inner = *at;
    pcal_gen_putf(g, "%s%.*s' = [%.*s EXCEPT ", text, STR_ARG(var), STR_ARG(var));
    inner.prefix = pcal_gen_spaces(g, pcal_gen_column(g));
    gen_several(g, singles, c, &inner);
}

static void gen_assign(struct gen *g, struct node *node, struct changed *c, const struct where *at)
{
    struct changed now = changed_copy(g, c);
    node->body = sorted(g, node->body);
    const struct nodes *singles = node->body;
    bool several = false;
    pcal_gen_put(g, str_of(at->prefix));
    for (size_t i = 0; i < singles->n && !g->p->failed;) {
        struct str var = singles->v[i]->name;
        size_t n = same_var(singles, i);
        size_t at_var = pcal_strs_find(&g->vars, var);
        if (at_var == g->vars.n) {
            pcal_fail(g->p, singles->v[i], "Assignment to undeclared variable %.*s", STR_ARG(var));
            return;
        }
        several = several || i + n < singles->n;
        if (++now.count[at_var] > 1 || (n > 1 && whole_var(singles, i, n))) {
            pcal_fail(g->p, node, "Multiple assignment to %.*s", STR_ARG(var));
            return;
        }
        gen_var(g, &(struct nodes){singles->v + i, n, n}, c, at, several ? "/\\ " : "");
        i += n;
        if (i < singles->n) {
            pcal_gen_end_line(g);
            pcal_gen_put(g, str_of(pcal_gen_spaces(g, pcal_width(str_of(at->prefix)))));
        }
    }
    pcal_gen_end_line(g);
    changed_merge(c, &now);
}

/* ---- control ---- */
static void gen_if(struct gen *g, const struct node *node, struct changed *c,
                   const struct where *at)
{
    struct changed then = changed_copy(g, c);
    struct changed other = changed_copy(g, c);
    int here = pcal_width(str_of(at->prefix)) + 3;
    pcal_gen_putf(g, "%sIF ", at->prefix);
    pcal_gen_expr(g, subscripted(g, node->expr, c, at));
    pcal_gen_end_line(g);
    struct where inner = {at->in_procedure,
                          arena_printf(g->arena, "%sTHEN /\\ ", pcal_gen_spaces(g, here)),
                          here + 8};
    gen_conjuncts(g, node->body, &then, &inner);
    size_t end_of_then = g->lines->n;
    const char *then_prefix = node->body->n == 0
                                  ? inner.prefix
                                  : arena_printf(g->arena, "%s/\\ ", pcal_gen_spaces(g, here + 5));
    inner.prefix = arena_printf(g->arena, "%sELSE /\\ ", pcal_gen_spaces(g, here));
    if (node->other->n == 0) {
        pcal_gen_line(g, "%sTRUE", inner.prefix);
    }
    gen_conjuncts(g, node->other, &other, &inner);
    const char *prefix = arena_printf(g->arena, "%s/\\ ", pcal_gen_spaces(g, here + 5));
    struct strs vars = unchanged(g, &other, &then);
    struct strs lines = unchanged_lines(g, &vars, prefix);
    insert_lines(g, g->lines->n, &lines);
    vars = unchanged(g, &then, &other);
    lines = unchanged_lines(g, &vars, then_prefix);
    insert_lines(g, end_of_then, &lines);
    changed_merge(c, &then);
    changed_merge(c, &other);
}

static void gen_either(struct gen *g, const struct node *node, struct changed *c,
                       const struct where *at)
{
    size_t n = node->body->n;
    int here = pcal_width(str_of(at->prefix)) + 3;
    struct changed all = changed_copy(g, c);
    struct changed *parts = ARENA_ARRAY(g->arena, struct changed, n + 1);
    size_t *ends = ARENA_ARRAY(g->arena, size_t, n + 1);
    for (size_t i = 0; i < n && !g->p->failed; i++) {
        parts[i] = changed_copy(g, c);
        const char *before = i == 0 ? at->prefix : pcal_gen_spaces(g, here - 3);
        struct where inner = {at->in_procedure, arena_printf(g->arena, "%s\\/ /\\ ", before),
                              here + 3};
        gen_conjuncts(g, node->body->v[i]->body, &parts[i], &inner);
        changed_merge(&all, &parts[i]);
        ends[i] = g->lines->n;
    }
    for (size_t i = n; i-- > 0 && !g->p->failed;) {
        struct strs vars = unchanged(g, &parts[i], &all);
        struct strbuf line = {.arena = g->arena};
        if (vars.n < 2) {
            struct strs lines = unchanged_lines(
                g, &vars, arena_printf(g->arena, "%s/\\ ", pcal_gen_spaces(g, here)));
            insert_lines(g, ends[i], &lines);
            continue;
        }
        strbuf_printf(&line, "%s/\\ UNCHANGED <<", pcal_gen_spaces(g, here));
        for (size_t k = 0; k < vars.n; k++) {
            strbuf_printf(&line, "%s%.*s", k > 0 ? ", " : "", STR_ARG(vars.v[k]));
        }
        strbuf_adds(&line, ">>");
        pcal_strs_insert(g->arena, g->lines, ends[i], strbuf_str(&line));
    }
    changed_merge(c, &all);
}

static void gen_with(struct gen *g, const struct node *node, struct changed *c,
                     const struct where *at)
{
    pcal_gen_putf(g, "%s%s %.*s %s ", at->prefix, node->is_eq ? "LET" : "\\E", STR_ARG(node->name),
                  node->is_eq ? "==" : "\\in");
    pcal_gen_expr(g, subscripted(g, node->expr, c, at));
    pcal_gen_put(g, node->is_eq ? STR(" IN") : STR(":"));
    pcal_gen_end_line(g);
    bool several = node->body->n > 1;
    const char *indent = pcal_gen_spaces(g, at->col + 2);
    struct where inner = {at->in_procedure,
                          arena_printf(g->arena, "%s%s", indent, several ? "/\\ " : ""),
                          at->col + 2 + (several ? 3 : 0)};
    gen_conjuncts(g, node->body, c, &inner);
}

/* ---- simple statements ---- */
static void gen_assert(struct gen *g, const struct node *node, const struct changed *c,
                       const struct where *at)
{
    pcal_gen_putf(g, "%sAssert(", at->prefix);
    int here = pcal_gen_column(g);
    pcal_gen_expr(g, subscripted(g, node->expr, c, at));
    const char *text =
        arena_printf(g->arena, "\"Failure of assertion at %s.\")", pcal_node_place(g->arena, node));
    pcal_gen_put(g, STR(", "));
    if (pcal_gen_column(g) + (int)strlen(text) >= g->wrap) {
        pcal_gen_end_line(g);
        pcal_gen_put(g, str_of(pcal_gen_spaces(g, here)));
    }
    pcal_gen_put(g, str_of(text));
    pcal_gen_end_line(g);
}

static void gen_statement(struct gen *g, struct node *node, struct changed *c,
                          const struct where *at)
{
    switch (node->kind) {
    case ASSIGN: gen_assign(g, node, c, at); break;
    case IF: gen_if(g, node, c, at); break;
    case EITHER: gen_either(g, node, c, at); break;
    case WITH: gen_with(g, node, c, at); break;
    case ASSERTION: gen_assert(g, node, c, at); break;
    case WHEN:
        pcal_gen_put(g, str_of(at->prefix));
        pcal_gen_expr(g, subscripted(g, node->expr, c, at));
        pcal_gen_end_line(g);
        break;
    case PRINT:
        pcal_gen_putf(g, "%sPrintT(", at->prefix);
        pcal_gen_expr(g, subscripted(g, node->expr, c, at));
        pcal_gen_put(g, STR(")"));
        pcal_gen_end_line(g);
        break;
    case SKIP: pcal_gen_line(g, "%sTRUE", at->prefix); break;
    default: pcal_bug(g->p, "Unexpected AST type"); break;
    }
}

/* ---- an action ---- */
/* An action with one conjunct needs no conjunction sign: what was written moves to the left. */
static void drop_sign(struct gen *g, size_t from, size_t behind_sign)
{
    for (size_t i = from; i < g->lines->n; i++) {
        struct str line = g->lines->v[i];
        if (i == from) {
            g->lines->v[i] =
                str_of(arena_printf(g->arena, "%.*s%.*s", (int)(behind_sign - 3), line.p,
                                    (int)(line.n - behind_sign), line.p + behind_sign));
        } else if (line.n > 3) {
            g->lines->v[i] = (struct str){line.p + 3, line.n - 3};
        }
    }
}

void pcal_gen_labeled(struct gen *g, const struct node *labeled, bool in_procedure)
{
    struct str name = g->p->omit_pc ? g->unit : labeled->name;
    bool self = g->multi && (in_procedure || g->self_is_self);
    const char *start = arena_printf(g->arena, "%.*s%s == ", STR_ARG(name), self ? "(self)" : "");
    int col = pcal_width(str_of(start));
    struct changed c = pcal_changed_new(g, &g->vars);
    struct where at = {in_procedure, arena_printf(g->arena, "%s/\\ ", start), col + 3};
    size_t first = g->lines->n;
    gen_conjuncts(g, labeled->body, &c, &at);
    if (g->p->failed) {
        return;
    }
    struct strs vars = unchanged(g, &c, NULL);
    struct strs lines =
        unchanged_lines(g, &vars, arena_printf(g->arena, "%s/\\ ", pcal_gen_spaces(g, col)));
    insert_lines(g, g->lines->n, &lines);
    if (vars.n == 0 && labeled->body->n == 1) {
        drop_sign(g, first, strlen(start) + 3);
    }
    pcal_gen_blank(g);
}

/* Tokens to tree: the algorithm, its declarations, macros, procedures and processes, and the help
 * for statements (parse_stmt.c). After an error every function returns at once; what it returns is
 * not looked at any more.
 *
 * The parser looks ahead by reading tokens into a small queue. An expression can only be read when
 * the queue is empty, and leaves in it the token that ended it. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

enum { VERSION_15 = 1500 };

/* ---- tokens ---- */
void pcal_parse_error(struct pcal *p, const char *fmt, ...)
{
    struct strbuf text = {.arena = p->arena};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    pcal_fail(p, NULL, "%s\n    line %d, column %d", strbuf_cstr(&text), p->last_line, p->last_col);
}

/* Where the translator's program fails without knowing why. */
static void unknown_error(struct pcal *p)
{
    pcal_parse_error(p, "Unknown error at or before");
}

static void look(struct pcal *p)
{
    int at = p->nahead;
    p->ahead[at] = pcal_scan_token(p);
    p->nahead++;
}

struct str pcal_parse_take(struct pcal *p)
{
    int32_t second;
    if (p->failed) {
        return STR("");
    }
    if (p->nahead == 0) {
        (void)pcal_scan_peek(p, &second);
        p->last_col = (int)p->scan.reader.column + 1;
        p->last_line = (int)p->scan.reader.line + 1;
        struct str token = pcal_scan_token(p);
        if (!p->failed && token.p == NULL) {
            unknown_error(p);
        }
        return p->failed ? STR("") : token;
    }
    p->last_col = p->ahead_col[0] + 1;
    p->last_line = p->ahead_line[0] + 1;
    struct str token = p->ahead[0];
    p->nahead--;
    for (int i = 0; i < p->nahead; i++) {
        p->ahead[i] = p->ahead[i + 1];
        p->ahead_col[i] = p->ahead_col[i + 1];
        p->ahead_line[i] = p->ahead_line[i + 1];
    }
    return token;
}

struct str pcal_parse_peek(struct pcal *p, int n)
{
    int32_t second;
    while (!p->failed && p->nahead < n) {
        int at = p->nahead;
        if (pcal_scan_peek(p, &second) == CH_END) {
            pcal_fail(p, NULL,
                      "Premature end of file, perhaps because of unclosed comment, near\n"
                      "    line %d, column %d",
                      p->ahead_line[at] + 1, p->ahead_col[at] + 1);
            break;
        }
        p->ahead_col[at] = (int)p->scan.reader.column;
        p->ahead_line[at] = (int)p->scan.reader.line;
        look(p);
    }
    if (!p->failed && p->ahead[n - 1].p == NULL) {
        unknown_error(p);
    }
    return p->failed ? STR("") : p->ahead[n - 1];
}

bool pcal_parse_peek_is(struct pcal *p, int n, const char *text)
{
    return str_is(pcal_parse_peek(p, n), text);
}

int32_t pcal_parse_peek_past(struct pcal *p, int n)
{
    int32_t second;
    while (!p->failed && p->nahead < n) {
        look(p);
    }
    return p->failed ? CH_END : pcal_scan_peek(p, &second);
}

static bool peek_is_any(struct pcal *p, const char *const *words)
{
    struct str token = pcal_parse_peek(p, 1);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (str_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

static void want(struct pcal *p, const char *text)
{
    struct str token = pcal_parse_take(p);
    if (!str_is(token, text)) {
        pcal_parse_error(p, "Expected \"%s\" but found \"%.*s\"", text, STR_ARG(token));
    }
}

void pcal_parse_must(struct pcal *p, const char *text)
{
    want(p, text);
}

void pcal_parse_gobble(struct pcal *p, const char *text)
{
    static const char *const instead[] = {"end",    "begin", "else",      "elsif",   "or",
                                          "do",     "macro", "procedure", "process", "fair",
                                          "define", "}",     "{",         NULL};
    static const char *const missing[] = {"if",   "either", "while",  "with", "call", "return",
                                          "goto", "print",  "assert", "skip", NULL};
    if (strcmp(text, ";") == 0) {
        if (peek_is_any(p, instead)) {
            return;
        }
        if (peek_is_any(p, missing)) {
            pcal_fail(p, NULL, "Missing `;' before line %d, column %d", p->ahead_line[0] + 1,
                      p->ahead_col[0] + 1);
            return;
        }
    }
    want(p, text);
}

void pcal_parse_open(struct pcal *p)
{
    pcal_parse_gobble(p, p->c_syntax ? "{" : "begin");
}

void pcal_parse_close(struct pcal *p, const char *what)
{
    if (p->c_syntax) {
        pcal_parse_gobble(p, "}");
    } else {
        pcal_parse_gobble(p, "end");
        pcal_parse_gobble(p, what);
    }
}

void pcal_parse_comma(struct pcal *p)
{
    pcal_parse_gobble(p, pcal_parse_peek_is(p, 1, ",") ? "," : ";");
}

bool pcal_parse_eq_or_in(struct pcal *p)
{
    struct str token = pcal_parse_take(p);
    bool in = str_is(token, "\\in") || str_is(token, "\u2208");
    if (!in && !str_is(token, "=")) {
        pcal_parse_error(p, "Expected \"=\" or \"\\in\"  but found \"%.*s\"", STR_ARG(token));
    }
    return !in;
}

void pcal_parse_mark(const struct pcal *p, struct node *node)
{
    node->line = p->last_line;
    node->col = p->last_col;
}

struct expr *pcal_parse_expr(struct pcal *p)
{
    struct expr *e = pcal_expr_new(p->arena);
    if (p->failed) {
        return e;
    }
    if (p->nahead != 0) {
        pcal_bug(p, "ParseAlgorithm: GetExpr called after lookahead");
        return e;
    }
    e = pcal_scan_expr(p);
    p->ahead[0] = p->scan.delimiter;
    p->ahead_col[0] = p->scan.delimiter_col;
    p->ahead_line[0] = p->scan.delimiter_line;
    p->nahead = 1;
    return e;
}

/* ---- declarations ---- */
static struct expr *default_value(struct arena *arena)
{
    struct expr *e = pcal_expr_new(arena);
    pcal_expr_add_line(arena, e);
    pcal_expr_add(arena, e, pcal_tok_new(arena, STR("defaultInitValue"), 0, TOK_NONE));
    pcal_expr_normalize(arena, e);
    return e;
}

/* An initial value that is not there, behind its "=". */
static void check_value(struct pcal *p, const struct expr *value)
{
    if (pcal_expr_empty(value)) {
        unknown_error(p);
    }
}

static struct node *parse_pvar(struct pcal *p)
{
    struct node *decl = pcal_node_new(p->arena, PVAR);
    decl->is_eq = true;
    decl->name = pcal_parse_take(p);
    pcal_parse_mark(p, decl);
    if (pcal_parse_peek_is(p, 1, "=")) {
        pcal_parse_gobble(p, "=");
        decl->expr = pcal_parse_expr(p);
        check_value(p, decl->expr);
    } else {
        decl->expr = default_value(p->arena);
        p->has_default = true;
    }
    return decl;
}

static struct node *parse_var(struct pcal *p)
{
    static const char *const signs[] = {"=", "\\in", "\u2208", NULL};
    struct node *decl = pcal_node_new(p->arena, VAR);
    decl->is_eq = true;
    decl->name = pcal_parse_take(p);
    pcal_parse_mark(p, decl);
    if (peek_is_any(p, signs)) {
        decl->is_eq = pcal_parse_eq_or_in(p);
        decl->expr = pcal_parse_expr(p);
        check_value(p, decl->expr);
    } else {
        decl->expr = default_value(p->arena);
        p->has_default = true;
    }
    pcal_parse_comma(p);
    return decl;
}

/* Variables: of a procedure, or of a process or the algorithm. */
static struct nodes *parse_vars(struct pcal *p, bool of_procedure)
{
    static const char *const ends[] = {"begin", "{",      "procedure", "process",
                                       "fair",  "define", "macro",     NULL};
    static const char *const ends_procedure[] = {"begin", "{", NULL};
    struct nodes *decls = pcal_nodes_new(p->arena);
    if (pcal_parse_peek_is(p, 1, "variables")) {
        pcal_parse_must(p, "variables");
    } else {
        pcal_parse_gobble(p, "variable");
    }
    while (!p->failed && !peek_is_any(p, of_procedure ? ends_procedure : ends) && !p->failed) {
        pcal_nodes_push(p->arena, decls, of_procedure ? parse_pvar(p) : parse_var(p));
        if (of_procedure) {
            pcal_parse_comma(p);
        }
    }
    return decls;
}

static bool at_body(struct pcal *p)
{
    return pcal_parse_peek_is(p, 1, "begin") || pcal_parse_peek_is(p, 1, "{");
}

static void begin_unit(struct pcal *p)
{
    p->plus_labels = p->minus_labels = p->calls = (struct strs){0};
}

static void end_unit(struct pcal *p, struct node *unit)
{
    if (pcal_parse_peek_is(p, 1, ";")) {
        (void)pcal_parse_take(p);
    }
    unit->plus_labels = p->plus_labels;
    unit->minus_labels = p->minus_labels;
    unit->calls = p->calls;
}

static struct node *parse_procedure(struct pcal *p)
{
    struct node *unit = pcal_node_new(p->arena, PROCEDURE);
    pcal_parse_gobble(p, "procedure");
    pcal_parse_mark(p, unit);
    unit->name = pcal_parse_take(p);
    p->procedure = unit->name;
    begin_unit(p);
    pcal_parse_gobble(p, "(");
    unit->params = pcal_nodes_new(p->arena);
    while (!pcal_parse_peek_is(p, 1, ")") && !p->failed) {
        if (unit->params->n > 0) {
            pcal_parse_gobble(p, ",");
        }
        pcal_nodes_push(p->arena, unit->params, parse_pvar(p));
    }
    pcal_parse_must(p, ")");
    unit->decls = at_body(p) ? pcal_nodes_new(p->arena) : parse_vars(p, true);
    pcal_parse_open(p);
    unit->body = pcal_parse_statements(p);
    pcal_parse_close(p, "procedure");
    end_unit(p, unit);
    p->procedure = (struct str){0};
    return unit;
}

static struct node *parse_process(struct pcal *p)
{
    struct node *unit = pcal_node_new(p->arena, PROCESS);
    pcal_parse_gobble(p, "process");
    pcal_parse_mark(p, unit);
    if (p->c_syntax) {
        pcal_parse_gobble(p, "(");
    }
    unit->name = pcal_parse_take(p);
    unit->is_eq = pcal_parse_eq_or_in(p);
    unit->expr = pcal_parse_expr(p);
    begin_unit(p);
    if (p->c_syntax) {
        pcal_parse_gobble(p, ")");
    }
    if (pcal_expr_empty(unit->expr)) {
        pcal_parse_error(p, "Empty process id at ");
    }
    unit->decls = at_body(p) ? pcal_nodes_new(p->arena) : parse_vars(p, false);
    pcal_parse_open(p);
    unit->body = pcal_parse_statements(p);
    pcal_parse_close(p, "process");
    end_unit(p, unit);
    return unit;
}

static struct node *parse_macro(struct pcal *p, const struct nodes *macros)
{
    struct node *macro = pcal_node_new(p->arena, MACRO);
    p->in_macro = true;
    pcal_parse_must(p, "macro");
    pcal_parse_mark(p, macro);
    macro->name = pcal_parse_take(p);
    pcal_parse_gobble(p, "(");
    while (!pcal_parse_peek_is(p, 1, ")") && !p->failed) {
        if (macro->param_names.n > 0) {
            pcal_parse_gobble(p, ",");
        }
        AVEC_PUSH(p->arena, &macro->param_names, pcal_parse_take(p));
    }
    pcal_parse_must(p, ")");
    pcal_parse_open(p);
    macro->body = pcal_parse_statements(p);
    pcal_parse_close(p, "macro");
    if (pcal_parse_peek_is(p, 1, ";")) {
        (void)pcal_parse_take(p);
    }
    pcal_macro_expand(p, macro->body, macros);
    p->in_macro = false;
    return macro;
}

/* ---- the algorithm ---- */
static struct expr *parse_define(struct pcal *p)
{
    pcal_parse_must(p, "define");
    if (p->c_syntax) {
        pcal_parse_gobble(p, "{");
    }
    struct expr *defs = pcal_parse_expr(p);
    if (p->c_syntax) {
        pcal_parse_gobble(p, "}");
    } else {
        pcal_parse_gobble(p, "end");
        pcal_parse_gobble(p, "define");
    }
    pcal_parse_gobble(p, ";");
    return defs;
}

static void check_macros(struct pcal *p, const struct nodes *macros)
{
    for (size_t i = 0; i < macros->n && !p->failed; i++) {
        for (size_t j = i + 1; j < macros->n; j++) {
            if (str_eq(macros->v[i]->name, macros->v[j]->name)) {
                pcal_fail(p, NULL, "Multiple definitions of macro name `%.*s'",
                          STR_ARG(macros->v[i]->name));
            }
        }
    }
}

/* Labels that were missing: an error, or worth a word. `may`: they may be added without being
 * asked. */
static void tell_labels(struct pcal *p, bool may)
{
    if (p->added.n == 0 || p->failed) {
        return;
    }
    struct strbuf text = {.arena = p->arena};
    bool one = p->added.n == 1;
    if (!may && !p->options->label) {
        strbuf_adds(&text, one ? "Missing label at the following location:"
                               : "Missing labels at the following locations:");
        for (size_t i = 0; i < p->added.n; i++) {
            strbuf_printf(&text, "\n     %.*s", STR_ARG(p->added_places.v[i]));
        }
        pcal_fail(p, NULL, "%s", strbuf_cstr(&text));
    } else if (!p->options->report_labels) {
        pcal_say(p, PLUSCAL_INFO, "Labels added.");
    } else {
        pcal_say(p, PLUSCAL_INFO, "%s",
                 one ? "The following label was added:" : "The following labels were added:");
        for (size_t i = 0; i < p->added.n; i++) {
            pcal_say(p, PLUSCAL_INFO, "  %.*s at %.*s", STR_ARG(p->added.v[i]),
                     STR_ARG(p->added_places.v[i]));
        }
    }
}

static void finish_body(struct pcal *p, struct node *unit, const struct nodes *macros)
{
    pcal_macro_expand(p, unit->body, macros);
    pcal_label_add(p, unit->body);
    unit->body = pcal_label_group(p, unit->body);
}

static void finish_procedures(struct pcal *p, const struct node *root)
{
    for (size_t i = 0; i < root->procedures->n && !p->failed; i++) {
        p->procedure = root->procedures->v[i]->name;
        finish_body(p, root->procedures->v[i], root->macros);
    }
}

static bool at_process(struct pcal *p)
{
    if (pcal_parse_peek_is(p, 1, "process")) {
        return true;
    }
    return pcal_parse_peek_is(p, 1, "fair") &&
           (pcal_parse_peek_is(p, 2, "process") ||
            (pcal_parse_peek_is(p, 2, "+") && pcal_parse_peek_is(p, 3, "process")));
}

/* 0 unfair, 1 weak, 2 strong. */
static int parse_fairness(struct pcal *p)
{
    if (pcal_parse_peek_is(p, 1, "fair")) {
        pcal_parse_must(p, "fair");
        if (pcal_parse_peek_is(p, 1, "+")) {
            pcal_parse_must(p, "+");
            return 2;
        }
        return 1;
    }
    return p->options->fairness == FAIRNESS_WF ? 1 : p->options->fairness == FAIRNESS_SF ? 2 : 0;
}

static void parse_processes(struct pcal *p, struct node *root)
{
    root->kind = MULTIPROCESS;
    root->body = pcal_nodes_new(p->arena);
    while (!p->failed &&
           (pcal_parse_peek_is(p, 1, "fair") || pcal_parse_peek_is(p, 1, "process"))) {
        int fairness = parse_fairness(p);
        struct node *unit = parse_process(p);
        unit->fairness = fairness;
        pcal_nodes_push(p->arena, root->body, unit);
    }
    pcal_parse_close(p, "algorithm");
    check_macros(p, root->macros);
    bool omit = false;
    for (size_t i = 0; i < root->body->n && !p->failed; i++) {
        finish_body(p, root->body->v[i], root->macros);
        p->omit_stuttering = true;
        if (!p->failed) {
            pcal_label_check_body(p, root->body->v[i]->body);
        }
        omit = omit || p->omit_stuttering;
    }
    p->omit_stuttering = omit;
    finish_procedures(p, root);
    tell_labels(p, false);
    if (p->goto_used) {
        p->omit_pc = false;
    }
    if (p->goto_done_used) {
        p->omit_pc = p->omit_stuttering = false;
    }
}

static void parse_uniprocess_fairness(struct pcal *p, bool fair)
{
    static const char *const names[] = {"", "wf", "sf", "wfNext", "nof"};
    struct pluscal_options *o = p->options;
    if (o->version == VERSION_15 && pcal_parse_peek_is(p, 1, "fair")) {
        pcal_parse_gobble(p, "fair");
        if (pcal_parse_peek_is(p, 1, "+")) {
            pcal_parse_gobble(p, "+");
        }
        o->fairness = FAIRNESS_WF;
    }
    if (fair && !p->failed) {
        if (o->fairness == FAIRNESS_SF || o->fairness == FAIRNESS_NOF) {
            pcal_say(p, PLUSCAL_WARNING, "Option `%s' specified for --fair algorithm.",
                     names[o->fairness]);
        }
        o->fairness = FAIRNESS_WF;
    }
}

/* The translator goes on with the lists of its last procedure: what the body of the algorithm calls
 * and marks is entered there, and counts in the checksum. */
static void add_to_last(struct pcal *p)
{
    if (p->procedures->n > 0) {
        struct node *last = pcal_nodes_last(p->procedures);
        last->plus_labels = p->plus_labels;
        last->minus_labels = p->minus_labels;
        last->calls = p->calls;
    }
}

static void parse_body(struct pcal *p, struct node *root, bool fair)
{
    parse_uniprocess_fairness(p, fair);
    pcal_parse_open(p);
    root->body = pcal_parse_statements(p);
    add_to_last(p);
    check_macros(p, root->macros);
    pcal_macro_expand(p, root->body, root->macros);
    finish_procedures(p, root);
    if (p->c_syntax) {
        pcal_parse_gobble(p, "}");
        pcal_parse_gobble(p, "}");
    } else {
        pcal_parse_gobble(p, "end");
        pcal_parse_gobble(p, "algorithm");
    }
    pcal_label_add(p, root->body);
    root->body = pcal_label_group(p, root->body);
    tell_labels(p, !p->has_label);
    if (p->goto_used) {
        p->omit_pc = false;
    }
    if (p->goto_done_used) {
        p->omit_pc = p->omit_stuttering = false;
    } else if (!p->failed) {
        pcal_label_check_body(p, root->body);
    }
}

struct node *pcal_parse_algorithm(struct pcal *p, bool fair)
{
    struct node *root = pcal_node_new(p->arena, UNIPROCESS);
    if (fair && !str_is(pcal_parse_take(p), "algorithm")) {
        pcal_parse_error(p, "`--fair' not followed by `algorithm'");
    }
    p->options->fair_algorithm = p->options->fair_algorithm || fair;
    root->name = pcal_parse_take(p);
    p->c_syntax = pcal_parse_peek_is(p, 1, "{");
    if (p->c_syntax) {
        pcal_parse_must(p, "{");
    }
    bool vars = pcal_parse_peek_is(p, 1, "variable") || pcal_parse_peek_is(p, 1, "variables");
    root->decls = vars ? parse_vars(p, false) : pcal_nodes_new(p->arena);
    root->expr = pcal_parse_peek_is(p, 1, "define") ? parse_define(p) : pcal_expr_new(p->arena);
    root->macros = pcal_nodes_new(p->arena);
    while (pcal_parse_peek_is(p, 1, "macro")) {
        pcal_nodes_push(p->arena, root->macros, parse_macro(p, root->macros));
    }
    root->procedures = p->procedures;
    while (pcal_parse_peek_is(p, 1, "procedure")) {
        pcal_nodes_push(p->arena, root->procedures, parse_procedure(p));
        p->omit_pc = false;
    }
    if (at_process(p)) {
        parse_processes(p, root);
    } else {
        parse_body(p, root, fair);
    }
    return p->failed ? NULL : root;
}

/* Names: which variables, labels, procedures and processes there are, where two of them clash, and
 * what they are called then. A name that clashes gets "_" and letters of what it belongs to; the
 * tree is changed in place.
 *
 * Some look-ups use the name of the procedure or process as context where the symbol is found
 * without one only. The translator does so, and what it makes of it is what is wanted. */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

static const char *const type_names[SYM_TYPES] = {
    "Global variable",    "Label",    "Procedure", "Process", "Process variable",
    "Procedure variable", "Parameter"};

struct resolver {
    struct pcal *p;
    struct names *names;
    struct strbuf errors;
};

/* Where a node is declared. */
struct context {
    struct str name;
    const char *type;
};
static const struct context nowhere = {
    {"", 0},
    ""
};

/* ---- the table ---- */
static const struct symbol *find_typed(const struct names *names, enum symbol_type type,
                                       struct str id, struct str context)
{
    for (size_t i = 0; i < names->symbols.n; i++) {
        const struct symbol *s = &names->symbols.v[i];
        if (s->type == type && str_eq(s->id, id) && str_eq(s->context, context)) {
            return s;
        }
    }
    return NULL;
}

static const struct symbol *find_any(const struct names *names, struct str id, struct str context)
{
    for (size_t i = 0; i < names->symbols.n; i++) {
        const struct symbol *s = &names->symbols.v[i];
        if (str_eq(s->id, id) && str_eq(s->context, context)) {
            return s;
        }
    }
    return NULL;
}

/* False when it is there already. */
static bool insert(struct resolver *r, enum symbol_type type, struct str id,
                   const struct context *context, const struct node *at)
{
    bool local = type == SYM_PROCEDURE_VAR || type == SYM_PROCESS_VAR || type == SYM_PARAMETER;
    bool there = local ? find_typed(r->names, SYM_GLOBAL, id, STR("")) != NULL ||
                             find_any(r->names, id, context->name) != NULL
                       : find_typed(r->names, type, id, context->name) != NULL;
    if (there) {
        return false;
    }
    struct symbol symbol = {type, id, context->name, str_of(context->type), id, 0, 0};
    if (at != NULL) {
        symbol.line = at->line;
        symbol.col = at->col;
    }
    AVEC_PUSH(r->p->arena, &r->names->symbols, symbol);
    return true;
}

static void redefined(struct resolver *r, const char *what, const struct node *node)
{
    strbuf_printf(&r->errors, "\n%s %.*s redefined at line %d, column %d", what,
                  STR_ARG(node->name), node->line, node->col);
}

struct str pcal_names_use(const struct names *names, enum symbol_type type, struct str id,
                          struct str context)
{
    const struct symbol *s = find_typed(names, type, id, context);
    return s != NULL ? s->use : id;
}

static struct str use_var(const struct names *names, struct str id, struct str context)
{
    const struct symbol *s = find_any(names, id, context);
    bool variable = s != NULL && (s->type == SYM_GLOBAL || s->type >= SYM_PROCESS_VAR);
    return variable ? s->use : id;
}

const struct unit *pcal_names_procedure(const struct names *names, struct str name)
{
    for (size_t i = 0; i < names->procedures.n; i++) {
        if (str_eq(names->procedures.v[i].name, name)) {
            return &names->procedures.v[i];
        }
    }
    return NULL;
}

static const struct unit *find_process(const struct names *names, struct str name)
{
    for (size_t i = 0; i < names->processes.n; i++) {
        if (str_eq(names->processes.v[i].name, name)) {
            return &names->processes.v[i];
        }
    }
    return NULL;
}

/* ---- collecting ---- */
static void collect_labeled(struct resolver *r, const struct nodes *labeled,
                            const struct context *context);

static void collect_statements(struct resolver *r, const struct nodes *statements,
                               const struct context *context)
{
    for (size_t i = 0; i < statements->n; i++) {
        const struct node *node = statements->v[i];
        if (node->body != NULL && node->kind != ASSIGN) {
            collect_statements(r, node->body, context); /* clauses of an either are nodes, too */
        }
        if (node->lab_body != NULL) {
            collect_labeled(r, node->lab_body, context);
        }
        if (node->other != NULL) {
            collect_statements(r, node->other, context);
        }
        if (node->lab_other != NULL) {
            collect_labeled(r, node->lab_other, context);
        }
    }
}

static void collect_labeled(struct resolver *r, const struct nodes *labeled,
                            const struct context *context)
{
    for (size_t i = 0; i < labeled->n; i++) {
        if (!insert(r, SYM_LABEL, labeled->v[i]->name, context, labeled->v[i])) {
            redefined(r, "Label", labeled->v[i]);
        }
        collect_statements(r, labeled->v[i]->body, context);
    }
}

static void collect_vars(struct resolver *r, const struct nodes *decls, enum symbol_type type,
                         const struct context *context)
{
    for (size_t i = 0; i < decls->n; i++) {
        if (!insert(r, type, decls->v[i]->name, context, decls->v[i])) {
            redefined(r, type_names[type], decls->v[i]);
        }
    }
}

static struct str first_label(const struct nodes *body)
{
    return body->n > 0 ? body->v[0]->name : (struct str){0};
}

static void collect_procedure(struct resolver *r, struct node *node)
{
    static const struct context outside = {
        {"", 0},
        "procedure"
    };
    struct context context = {node->name, "procedure"};
    if (pcal_names_procedure(r->names, node->name) != NULL) {
        redefined(r, "Procedure", node);
    } else {
        AVEC_PUSH(r->p->arena, &r->names->procedures,
                  (struct unit){node->name, first_label(node->body), node});
    }
    (void)insert(r, SYM_PROCEDURE, node->name, &outside, node);
    collect_vars(r, node->decls, SYM_PROCEDURE_VAR, &context);
    collect_vars(r, node->params, SYM_PARAMETER, &context);
    collect_labeled(r, node->body, &context);
}

static void collect_process(struct resolver *r, struct node *node)
{
    static const struct context outside = {
        {"", 0},
        "process"
    };
    struct context context = {node->name, "process"};
    if (find_process(r->names, node->name) != NULL) {
        redefined(r, "Process", node);
    } else {
        AVEC_PUSH(r->p->arena, &r->names->processes,
                  (struct unit){node->name, first_label(node->body), node});
    }
    (void)insert(r, SYM_PROCESS, node->name, &outside, node);
    bool global = node->name.n == 0;
    collect_vars(r, node->decls, global ? SYM_GLOBAL : SYM_PROCESS_VAR, &context);
    collect_labeled(r, node->body, &context);
}

static void collect(struct resolver *r, const struct node *root)
{
    static const struct context global = {
        {"", 0},
        "process"
    };
    (void)insert(r, SYM_GLOBAL, STR("pc"), &nowhere, NULL);
    if (root->procedures->n > 0) {
        (void)insert(r, SYM_GLOBAL, STR("stack"), &nowhere, NULL);
    }
    collect_vars(r, root->decls, SYM_GLOBAL, &global);
    for (size_t i = 0; i < root->procedures->n; i++) {
        collect_procedure(r, root->procedures->v[i]);
    }
    if (root->kind == MULTIPROCESS) {
        for (size_t i = 0; i < root->body->n; i++) {
            collect_process(r, root->body->v[i]);
        }
    } else {
        r->names->first_label = first_label(root->body);
        collect_labeled(r, root->body, &nowhere);
    }
}

/* ---- clashes ---- */
static bool ambiguous(const struct names *names, struct str use)
{
    size_t count = 0;
    for (size_t i = 0; i < names->symbols.n && count < 2; i++) {
        count += str_eq(names->symbols.v[i].use, use);
    }
    return count > 1;
}

static void tell_renamed(struct resolver *r, const struct symbol *s)
{
    struct strbuf text = {.arena = r->p->arena};
    strbuf_printf(&text, "\\* %s %.*s", type_names[s->type], STR_ARG(s->id));
    if (s->context.n > 0) {
        strbuf_printf(&text, " of %.*s %.*s", STR_ARG(s->context_type), STR_ARG(s->context));
    }
    strbuf_printf(&text, " at line %d col %d changed to %.*s", s->line, s->col, STR_ARG(s->use));
    AVEC_PUSH(r->p->arena, &r->names->renamed, strbuf_str(&text));
}

static void disambiguate_one(struct resolver *r, struct symbol *s)
{
    struct strbuf use = {.arena = r->p->arena};
    strbuf_addstr(&use, s->id);
    for (size_t n = 1; s->type > SYM_GLOBAL && ambiguous(r->names, s->use); n++) {
        if (n == 1) {
            strbuf_addc(&use, '_');
        } else if (n > s->context.n + 1) {
            strbuf_printf(&use, "%d", (int)s->type);
        } else {
            strbuf_addc(&use, s->context.p[n - 2]);
        }
        s->use = str_dup(r->p->arena, strbuf_str(&use));
    }
    if (!str_eq(s->id, s->use)) {
        tell_renamed(r, s);
    }
}

static void disambiguate(struct resolver *r)
{
    for (int type = 0; type < SYM_TYPES; type++) {
        for (size_t i = 0; i < r->names->symbols.n; i++) {
            if ((int)r->names->symbols.v[i].type == type) {
                disambiguate_one(r, &r->names->symbols.v[i]);
            }
        }
    }
}

/* ---- the new names, in the tree ---- */
static void fix_expr(struct resolver *r, struct expr *e, struct str context)
{
    struct strs old = {0};
    struct exprs by = {0};
    struct arena *arena = r->p->arena;
    for (size_t i = 0; i < e->n; i++) {
        for (size_t j = 0; j < e->v[i]->n; j++) {
            const struct tok *tok = e->v[i]->v[j];
            if (tok->type != TOK_IDENT) {
                continue;
            }
            struct str use = use_var(r->names, tok->text, context);
            if (str_eq(use, tok->text) || pcal_strs_has(&old, tok->text)) {
                continue;
            }
            struct expr *name = pcal_expr_new(arena);
            pcal_expr_add_line(arena, name);
            pcal_expr_add(arena, name, pcal_tok_new(arena, use, 0, TOK_IDENT));
            pcal_expr_normalize(arena, name);
            AVEC_PUSH(arena, &old, tok->text);
            AVEC_PUSH(arena, &by, name);
        }
    }
    const char *wrong = old.n > 0 ? pcal_expr_substitute(arena, e, by.v, &old, false) : NULL;
    if (wrong != NULL) {
        pcal_fail(r->p, NULL, "%s", wrong);
    }
}

static void fix_labeled(struct resolver *r, const struct nodes *labeled, struct str context);

/* Names of what a statement calls and goes to. */
static void fix_jumps(struct resolver *r, struct node *node, struct str context)
{
    switch (node->kind) {
    case CALL:
    case CALL_RETURN:
    case CALL_GOTO:
        if (node->from.p != NULL) {
            node->from = pcal_names_use(r->names, SYM_PROCEDURE, node->from, context);
        }
        node->name = pcal_names_use(r->names, SYM_PROCEDURE, node->name, context);
        break;
    case RETURN:
        if (node->from.p != NULL) {
            node->from = pcal_names_use(r->names, SYM_PROCEDURE, node->from, context);
        }
        break;
    case GOTO:
        if (find_typed(r->names, SYM_LABEL, node->name, context) == NULL &&
            !str_is(node->name, "Done")) {
            pcal_fail(r->p, NULL, "goto to non-existent label `%.*s' at line %d, column %d",
                      STR_ARG(node->name), node->line, node->col);
        }
        node->name = pcal_names_use(r->names, SYM_LABEL, node->name, context);
        break;
    default: break;
    }
    for (size_t i = 0; i < node->args.n; i++) {
        fix_expr(r, node->args.v[i], context);
    }
}

static void fix_statements(struct resolver *r, const struct nodes *statements, struct str context)
{
    for (size_t i = 0; i < statements->n && !r->p->failed; i++) {
        struct node *node = statements->v[i];
        if (node->kind == SINGLE) {
            node->name = use_var(r->names, node->name, context);
            fix_expr(r, node->sub, context);
        }
        if (node->expr != NULL) {
            fix_expr(r, node->expr, context);
        }
        fix_jumps(r, node, context);
        if (node->body != NULL) {
            fix_statements(r, node->body, context);
        }
        if (node->lab_body != NULL) {
            fix_labeled(r, node->lab_body, context);
        }
        if (node->other != NULL) {
            fix_statements(r, node->other, context);
        }
        if (node->lab_other != NULL) {
            fix_labeled(r, node->lab_other, context);
        }
    }
}

static void fix_labeled(struct resolver *r, const struct nodes *labeled, struct str context)
{
    for (size_t i = 0; i < labeled->n && !r->p->failed; i++) {
        labeled->v[i]->name = pcal_names_use(r->names, SYM_LABEL, labeled->v[i]->name, context);
        fix_statements(r, labeled->v[i]->body, context);
    }
}

static void fix_vars(struct resolver *r, const struct nodes *decls, struct str context)
{
    for (size_t i = 0; i < decls->n; i++) {
        decls->v[i]->name = use_var(r->names, decls->v[i]->name, context);
        fix_expr(r, decls->v[i]->expr, context);
    }
}

/* A procedure or process, and its row in the table. */
static void fix_unit(struct resolver *r, struct node *node, enum symbol_type type)
{
    struct str context = node->name;
    struct unit *unit =
        (struct unit *)(type == SYM_PROCESS ? find_process(r->names, context)
                                            : pcal_names_procedure(r->names, context));
    fix_vars(r, node->decls, context);
    if (node->params != NULL) {
        fix_vars(r, node->params, context);
    }
    fix_labeled(r, node->body, context);
    struct strs *lists[] = {&node->plus_labels, &node->minus_labels};
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < lists[k]->n; i++) {
            lists[k]->v[i] = pcal_names_use(r->names, SYM_LABEL, lists[k]->v[i], context);
        }
    }
    node->name = pcal_names_use(r->names, type, node->name, STR(""));
    if (unit == NULL) {
        pcal_bug(r->p, "Procedure or process that is not in the table");
        return;
    }
    if (unit->first_label.p != NULL) {
        unit->first_label = pcal_names_use(r->names, SYM_LABEL, unit->first_label, context);
    }
    unit->name = node->name;
}

/* ---- who calls whom ---- */
/* paths[i * n + j]: procedure i calls j, maybe through others. */
static bool *call_paths(struct resolver *r, const struct nodes *units)
{
    size_t n = units->n;
    bool *paths = ARENA_ARRAY(r->p->arena, bool, n *n + 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            paths[i * n + j] = pcal_strs_has(&units->v[i]->calls, units->v[j]->name);
        }
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                paths[i * n + j] |= paths[i * n + k] && paths[k * n + j];
            }
        }
    }
    return paths;
}

static size_t find_unit(const struct nodes *units, struct str name)
{
    size_t i = 0;
    while (i < units->n && !str_eq(units->v[i]->name, name)) {
        i++;
    }
    return i;
}

/* Adds to the procedures that a process calls those that they call. False after an error. */
static bool close_calls(struct resolver *r, struct node *process, const struct nodes *units,
                        const bool *paths)
{
    for (size_t j = 0; j < process->calls.n; j++) {
        size_t at = find_unit(units, process->calls.v[j]);
        if (at == units->n) {
            pcal_say(r->p, PLUSCAL_ERROR, "Could not find procedure name `%.*s'",
                     STR_ARG(process->calls.v[j]));
            return false;
        }
        for (size_t k = 0; k < units->n; k++) {
            if (paths[at * units->n + k] && !pcal_strs_has(&process->calls, units->v[k]->name)) {
                AVEC_PUSH(r->p->arena, &process->calls, units->v[k]->name);
            }
        }
    }
    return true;
}

static void fix_processes(struct resolver *r, const struct node *root)
{
    const struct nodes *units = root->procedures;
    const bool *paths = call_paths(r, units);
    for (size_t i = 0; i < units->n; i++) {
        struct strs calls = {0};
        for (size_t j = 0; j < units->n; j++) {
            if (paths[i * units->n + j]) {
                AVEC_PUSH(r->p->arena, &calls, units->v[j]->name);
            }
        }
        units->v[i]->calls = calls;
    }
    for (size_t i = 0; i < root->body->n && !r->p->failed; i++) {
        fix_unit(r, root->body->v[i], SYM_PROCESS);
        if (!r->p->failed && !close_calls(r, root->body->v[i], units, paths)) {
            return;
        }
    }
}

static void fix(struct resolver *r, const struct node *root)
{
    fix_vars(r, root->decls, STR(""));
    for (size_t i = 0; i < root->procedures->n && !r->p->failed; i++) {
        fix_unit(r, root->procedures->v[i], SYM_PROCEDURE);
    }
    if (r->p->failed) {
        return;
    }
    if (root->kind == MULTIPROCESS) {
        fix_processes(r, root);
        return;
    }
    fix_labeled(r, root->body, STR(""));
    if (r->names->first_label.p != NULL) {
        r->names->first_label = pcal_names_use(r->names, SYM_LABEL, r->names->first_label, STR(""));
    }
}

struct names *pcal_names_resolve(struct pcal *p, struct node *root)
{
    struct resolver r = {p, ARENA_NEW(p->arena, struct names), {.arena = p->arena}};
    collect(&r, root);
    if (r.errors.n > 0) {
        pcal_fail(p, NULL, "%s", strbuf_cstr(&r.errors));
        return r.names;
    }
    disambiguate(&r);
    if (r.names->renamed.n > 0) {
        pcal_say(p, PLUSCAL_WARNING, "symbols were renamed.");
    }
    fix(&r, root);
    return r.names;
}

void pcal_names_check_default(struct pcal *p, const struct names *names)
{
    struct strbuf text = {.arena = p->arena};
    for (size_t i = 0; i < names->symbols.n; i++) {
        if (str_is(names->symbols.v[i].id, "defaultInitValue")) {
            strbuf_printf(&text, "%s%s name",
                          text.n == 0 ? "Cannot use `defaultInitValue' as " : " or ",
                          type_names[names->symbols.v[i].type]);
        }
    }
    if (text.n > 0) {
        pcal_fail(p, NULL, "%s", strbuf_cstr(&text));
    }
}

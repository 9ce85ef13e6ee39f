/* Names: making definitions, binding and finding them, and saying so when that fails.
 *
 * A name is looked for among the local ones (parameters, bound names, LET), then in the module,
 * then in the modules around it, then among the operators of the language. TLA+ has no shadowing,
 * so the local names need no chain of tables: one map holds what each name means now, and an undo
 * list restores it when a scope is left. */
#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/near.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/source.h"

struct def *def_new(struct sem *sem, enum def_kind kind, struct str name, struct module *module,
                    struct node *decl)
{
    struct def *def = ARENA_NEW(sem->program->arena, struct def);
    def->kind = kind;
    def->name = name;
    def->module = module;
    def->decl = decl;
    def->id = sem->program->next_def_id++;
    def->level = kind == DEF_VAR ? LEVEL_STATE : LEVEL_CONSTANT;
    return def;
}

struct module *module_new(struct sem *sem, struct str name, const struct source *source,
                          struct node *tree, struct module *parent)
{
    struct module *module = ARENA_NEW(sem->program->arena, struct module);
    module->name = name;
    module->source = source;
    module->tree = tree;
    module->parent = parent;
    module->builtin = source && source->builtin;
    VEC_PUSH(&sem->modules, module);
    return module;
}

struct diag *sem_report(struct resolver *r, enum diag_code code, struct span span, const char *fmt,
                        ...)
{
    va_list ap;
    va_start(ap, fmt);
    SCOPED_STRBUF text = {0};
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    struct diag *diag = diag_add(r->sem->program->diags, code, span, "%s", strbuf_cstr(&text));
    if (diag) {
        diag->module = r->module->name.p;
    }
    return diag;
}

/* The span of the name alone where the parser gave one. */
struct span sem_name_span(const struct node *node)
{
    return node->name_span.end > node->name_span.begin ? node->name_span : node->span;
}

void sem_first_here(struct resolver *r, struct diag *diag, const struct def *def)
{
    if (diag && def->decl) {
        diag_note(r->sem->program->diags, diag, sem_name_span(def->decl), "'%.*s' is first %s here",
                  STR_ARG(def->name),
                  def->kind == DEF_CONST || def->kind == DEF_VAR ? "declared" : "defined");
    }
}

const char *def_kind_words(const struct def *def)
{
    switch (def->kind) {
    case DEF_CONST: return "a constant";
    case DEF_VAR: return "a variable";
    case DEF_OP:
        return def->is_theorem ? "the name of a theorem or assumption"
               : def->is_fcn   ? "a function"
                               : "an operator";
    case DEF_PARAM: return "a parameter";
    case DEF_BOUND: return "a bound name";
    case DEF_INSTANCE: return "an instance";
    case DEF_BUILTIN: return "an operator of the language";
    case DEF_MODULE: return "a module";
    }
    return "a name";
}

struct def *scope_find(const struct resolver *r, struct str name)
{
    struct def *def = strmap_get(&r->locals, name);
    for (const struct module *module = r->module; module && !def; module = module->parent) {
        def = strmap_get(&module->scope, name);
    }
    return def ? def : strmap_get(&r->sem->builtins, name);
}

size_t scope_enter(const struct resolver *r)
{
    return r->stack.n;
}

void scope_leave(struct resolver *r, size_t mark)
{
    while (r->stack.n > mark) {
        struct binding binding = VEC_POP(&r->stack);
        strmap_put(&r->locals, binding.name, binding.before);
    }
}

void scope_bind(struct resolver *r, struct str name, struct def *def)
{
    struct binding binding = {name, strmap_get(&r->locals, name)};
    VEC_PUSH(&r->stack, binding);
    strmap_put(&r->locals, name, def);
}

void scope_put(struct resolver *r, struct str name, struct def *def, bool local)
{
    strmap_put(&r->module->scope, name, def);
    if (!local) {
        strmap_put(&r->module->exported, name, def);
    }
}

const struct def *def_origin(const struct def *def)
{
    while (def->orig) {
        def = def->orig;
    }
    return def;
}

/* Whether instantiating the module is the same as extending it. */
bool module_parameter_free(const struct module *module)
{
    for (; module; module = module->parent) {
        if (module->nconst || module->nvar) {
            return false;
        }
    }
    return true;
}

static bool same_sort(const struct def *a, const struct def *b)
{
    return a->kind == b->kind && a->is_theorem == b->is_theorem && a->arity == b->arity;
}

/* Two ways to the same definition, in a module without parameters: nothing to complain about. */
static bool same_definition(const struct def *a, const struct def *b)
{
    const struct def *origin = def_origin(a);
    return a->kind == DEF_OP && origin == def_origin(b) &&
           (!origin->module || module_parameter_free(origin->module));
}

/* Binds def's name: a local one for parameters, bound names and LET definitions, else in the
 * module. A name means one thing. The same sort of thing with the same arity, declared twice or
 * imported from two places, is only a warning, and the first one stays. Returns whether the name
 * now is def. */
bool scope_declare(struct resolver *r, struct def *def, struct span span, bool local)
{
    struct def *old = scope_find(r, def->name);
    bool param = def->kind == DEF_PARAM || def->kind == DEF_BOUND;
    if (old == def) {
        return true;
    }
    if (old && old->kind == DEF_BUILTIN) {
        sem_report(r, DIAG_NAME_TWICE, span,
                   "'%.*s' is an operator of the language and cannot be redefined",
                   STR_ARG(def->name));
        return false;
    }
    if (old && (param || !same_sort(old, def))) {
        struct diag *diag = sem_report(r, DIAG_NAME_TWICE, span, "'%.*s' is already %s",
                                       STR_ARG(def->name), def_kind_words(old));
        sem_first_here(r, diag, old);
        if (!param) {
            return false;
        }
    } else if (old) {
        if (!same_definition(old, def)) {
            struct diag *diag = sem_report(
                r, DIAG_WARN_DUPLICATE_DEF, span,
                "'%.*s' is defined or declared twice; the first one counts", STR_ARG(def->name));
            sem_first_here(r, diag, old);
        }
        return false;
    }
    if (param || def->in_let) {
        scope_bind(r, def->name, def);
    } else {
        scope_put(r, def->name, def, local);
    }
    return true;
}

/* ---- names that are not there ---- */

static void try_names(const struct strmap *map, struct near *near)
{
    for (size_t i = 0; i < map->n; i++) {
        if (map->entries[i].value) {
            near_try(near, map->entries[i].key);
        }
    }
}

static struct str suggest(const struct resolver *r, struct str name)
{
    struct near near = near_to(name);
    try_names(&r->locals, &near);
    for (const struct module *module = r->module; module; module = module->parent) {
        try_names(&module->scope, &near);
    }
    try_names(&r->sem->builtins, &near);
    return near.best;
}

/* Reports a name that means nothing, once for each name and module. */
void scope_unknown(struct resolver *r, struct str name, struct span span)
{
    for (size_t i = r->defining_names.n; i-- > 0;) {
        if (str_eq(r->defining_names.v[i], name)) {
            sem_report(r, DIAG_RECURSION_UNDECLARED, span, "'%.*s' is used in its own definition",
                       STR_ARG(name));
            return;
        }
    }
    if (r->module->incomplete || strmap_get(&r->unknown, name)) {
        return;
    }
    strmap_put(&r->unknown, name, r->module);
    struct diag *diag =
        sem_report(r, DIAG_NAME_UNKNOWN, span, "unknown name '%.*s'", STR_ARG(name));
    const char *module = builtin_module_of(name);
    if (!diag) {
        return;
    }
    if (module) {
        diag_hint(r->sem->program->diags, diag,
                  "it is defined in the module %s: add that to EXTENDS", module);
        return;
    }
    struct str near = suggest(r, name);
    if (near.n) {
        diag_hint(r->sem->program->diags, diag, "did you mean '%.*s'?", STR_ARG(near));
    }
}

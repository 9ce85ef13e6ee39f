/* Which modules a program needs, and in which order they are read and resolved.
 *
 * The order is observable: TLC orders strings by first sight, so CHOOSE over strings depends on it,
 * and front-ends show the "Parsing file" lines. So we follow SANY: as long as some module name is
 * unresolved, the next one is taken, EXTENDS of all modules known so far before INSTANCE; a
 * module's own names come before those of the modules it uses. A name may also mean a nested
 * module, of the same file or of an extended one. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/near.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse.h"
#include "syntax/source.h"

struct depend {
    struct sem *sem;
    struct pmodule *missing; /* stands for modules that cannot be had */
    VEC(struct pmodule *) all;
    uint64_t stamp;
    struct pmodule *user; /* what the search found: who needs ... */
    struct node *need;    /* ... what */
};

static struct pmodule *context_get(const struct pmodule *pmodule, struct str name)
{
    return strmap_get(&pmodule->context, name);
}

static void context_bind(struct pmodule *pmodule, struct str name, struct pmodule *meaning)
{
    if (!context_get(pmodule, name)) {
        strmap_put(&pmodule->context, name, meaning);
    }
}

/* ---- what one file says ---- */

/* All INSTANCEs of a unit, those in LETs and substitutions too, in the order of the text. */
static void collect_instances(struct pmodule *pmodule, struct node *unit)
{
    VEC(struct node *) todo = {0};
    VEC_PUSH(&todo, unit);
    while (todo.n) {
        struct node *node = VEC_POP(&todo);
        if (node->kind == N_INSTANCE) {
            VEC_PUSH(&pmodule->instances, node);
        }
        for (uint32_t i = node->nkid; i-- > 0;) {
            if (node->kid[i]) {
                VEC_PUSH(&todo, node->kid[i]);
            }
        }
    }
    VEC_DONE(&todo);
}

/* Names from the modules around: what they know, and the nested modules above this one. */
static void inherit_context(struct pmodule *pmodule)
{
    for (struct pmodule *around = pmodule->parent; around; around = around->parent) {
        for (size_t i = 0; i < around->context.n; i++) {
            context_bind(pmodule, around->context.entries[i].key, around->context.entries[i].value);
        }
        for (size_t i = 0; i < around->inner.n; i++) {
            context_bind(pmodule, around->inner.v[i]->tree->name, around->inner.v[i]);
        }
    }
}

static void bind_inner_of(struct pmodule *pmodule, const struct pmodule *extended)
{
    for (size_t i = 0; i < extended->inner.n; i++) {
        context_bind(pmodule, extended->inner.v[i]->tree->name, extended->inner.v[i]);
    }
}

static struct pmodule *pmodule_new(struct depend *d, struct punit *unit, struct node *tree,
                                   struct pmodule *parent)
{
    struct arena *arena = d->sem->program->arena;
    struct pmodule *pmodule = ARENA_NEW(arena, struct pmodule);
    pmodule->tree = tree;
    pmodule->unit = unit;
    pmodule->parent = parent;
    VEC_PUSH(&d->all, pmodule);
    inherit_context(pmodule);
    for (uint32_t i = 0; i < tree->nkid; i++) {
        struct node *kid = tree->kid[i];
        for (uint32_t j = 0; kid->kind == N_EXTENDS && j < kid->nkid; j++) {
            VEC_PUSH(&pmodule->extends, kid->kid[j]);
            struct pmodule *extended = context_get(pmodule, kid->kid[j]->name);
            if (extended) {
                bind_inner_of(pmodule, extended);
            }
        }
    }
    for (uint32_t i = 0; i < tree->nkid; i++) {
        if (tree->kid[i]->kind == N_MODULE) {
            struct pmodule *inner = pmodule_new(d, unit, tree->kid[i], pmodule);
            VEC_PUSH(&pmodule->inner, inner);
        } else if (tree->kid[i]->kind != N_EXTENDS) {
            collect_instances(pmodule, tree->kid[i]);
        }
    }
    return pmodule;
}

static void pmodule_done(struct pmodule *pmodule)
{
    strmap_done(&pmodule->context);
    VEC_DONE(&pmodule->extends);
    VEC_DONE(&pmodule->instances);
    VEC_DONE(&pmodule->inner);
}

/* ---- finding and parsing files ---- */

/* A further module in the root file, from its ---- MODULE line to ====, or an empty str. As with
 * TLC its lines count from its own first one. */
static struct str find_in_root(const struct sem *sem, struct str name)
{
    struct str text = sem->root_source->text;
    size_t begin = SIZE_MAX;
    for (size_t at = 0; at < text.n;) {
        const char *nl = memchr(text.p + at, '\n', text.n - at);
        size_t end = nl ? (size_t)(nl - text.p) + 1 : text.n;
        size_t i = at;
        while (i < end && text.p[i] == '-') {
            i++;
        }
        if (begin != SIZE_MAX && end - at >= 4 && memcmp(text.p + at, "====", 4) == 0) {
            return (struct str){text.p + begin, end - begin};
        }
        if (begin == SIZE_MAX && i - at >= 4) {
            while (i < end && text.p[i] == ' ') {
                i++;
            }
            bool module = end - i > 6 && memcmp(text.p + i, "MODULE", 6) == 0;
            i += 6;
            while (module && i < end && (text.p[i] == ' ' || text.p[i] == '\t')) {
                i++;
            }
            if (module && end - i > name.n && memcmp(text.p + i, name.p, name.n) == 0 &&
                (text.p[i + name.n] == ' ' || text.p[i + name.n] == '-')) {
                begin = at;
            }
        }
        at = end;
    }
    return (struct str){"", 0};
}

static struct source *load_file(struct sem *sem, struct str dir, struct str name)
{
    struct program *program = sem->program;
    const char *file = arena_printf(program->arena, "%.*s.tla", STR_ARG(name));
    const char *path =
        dir.n ? path_join(program->arena, str_dup(program->arena, dir).p, file) : file;
    struct source *source = NULL;
    struct err err = {0};
    if (!file_exists(path) || sources_load(program->sources, path, &source, &err) < 0) {
        return NULL;
    }
    return source;
}

static struct source *add_builtin(struct sem *sem, struct str name, const char *text, size_t len)
{
    const char *path = arena_printf(sem->program->arena, "%.*s.tla", STR_ARG(name));
    return sources_add(sem->program->sources, path, (struct str){text, len}, true);
}

/* A standard module is ours, whatever lies on the path; of others a file wins. */
static struct source *locate(struct sem *sem, struct str name, struct node *need)
{
    struct program *program = sem->program;
    struct program_options *options = program->options;
    size_t len = 0;
    bool standard = false;
    const char *text = options && options->builtin
                           ? options->builtin(str_dup(program->arena, name).p, &len, &standard)
                           : NULL;
    struct source *source = NULL;
    if (text && standard) {
        const char *file = path_join(program->arena, str_dup(program->arena, sem->spec_dir).p,
                                     arena_printf(program->arena, "%.*s.tla", STR_ARG(name)));
        const struct source *user = sources_get(program->sources, need->span.file);
        if (file_exists(file) && user && !user->builtin) {
            diag_add(program->diags, DIAG_WARN_BUILTIN_REDEFINED, need->span,
                     "the standard module %.*s is used, not the file %s", STR_ARG(name), file);
        }
        return add_builtin(sem, name, text, len);
    }
    source = load_file(sem, sem->spec_dir, name);
    for (size_t i = 0; options && i < options->npath && !source; i++) {
        source = load_file(sem, str_of(options->paths[i]), name);
    }
    if (!source && text) {
        source = add_builtin(sem, name, text, len);
    }
    if (!source && sem->root_source) {
        struct str part = find_in_root(sem, name);
        const char *path = arena_printf(program->arena, "%.*s.tla", STR_ARG(name));
        source = part.n ? sources_add(program->sources, path, str_dup(program->arena, part), false)
                        : NULL;
    }
    return source;
}

/* ---- modules that are not there ---- */
struct near_module {
    struct arena *arena;
    struct near near;
};

static void try_file(void *arg, const char *name)
{
    struct near_module *m = arg;
    struct str file = str_of(name);
    if (file.n > 4 && memcmp(name + file.n - 4, ".tla", 4) == 0) {
        near_try(&m->near, str_dup(m->arena, (struct str){name, file.n - 4}));
    }
}

/* The module, ours or in a file where modules are looked for, that may have been meant. */
static struct str near_module(const struct sem *sem, struct str name)
{
    const struct program_options *options = sem->program->options;
    struct near_module m = {sem->program->arena, near_to(name)};
    for (size_t i = 0; options && options->builtin_name && options->builtin_name(i); i++) {
        near_try(&m.near, str_of(options->builtin_name(i)));
    }
    dir_each(sem->spec_dir.n ? str_dup(m.arena, sem->spec_dir).p : ".", try_file, &m);
    for (size_t i = 0; options && i < options->npath; i++) {
        dir_each(options->paths[i], try_file, &m);
    }
    return m.near.best;
}

static void parse_unit(struct depend *d, struct punit *unit)
{
    struct program *program = d->sem->program;
    struct program_options *options = program->options;
    struct parse_options parse = {.next_id = &program->next_node_id};
    size_t errors = program->diags->errors;
    if (options) {
        parse.seen = options->seen;
        parse.seen_arg = options->seen_arg;
        if (options->parsing) {
            options->parsing(options->parsing_arg, unit->source->path, unit->source->builtin);
        }
    }
    unit->builtin = unit->source->builtin;
    struct node *tree = parse_module(program->arena, unit->source, &parse, program->diags);
    unit->broken = program->diags->errors != errors;
    if (!tree) {
        unit->broken = true;
        return;
    }
    if (unit->name.n && !str_eq(unit->name, tree->name)) {
        diag_add(program->diags, DIAG_PARSE_MODULE_NAME, sem_name_span(tree),
                 "the file of module %.*s holds a module named %.*s", STR_ARG(unit->name),
                 STR_ARG(tree->name));
    }
    unit->root = pmodule_new(d, unit, tree, NULL);
}

static struct punit *unit_new(struct depend *d, struct str name, const struct source *source)
{
    struct punit *unit = ARENA_NEW(d->sem->program->arena, struct punit);
    unit->name = name;
    unit->source = source;
    VEC_PUSH(&d->sem->units, unit);
    if (source) {
        parse_unit(d, unit);
    }
    if (!unit->name.n && unit->root) {
        unit->name = unit->root->tree->name;
    }
    strmap_put(&d->sem->unit_by_name, unit->name, unit);
    return unit;
}

/* ---- the next name without a meaning ---- */

static struct str need_name(const struct node *need)
{
    return need->name;
}

static bool next_extends(struct depend *d, struct pmodule *pmodule)
{
    if (!pmodule->tree || pmodule->visit == d->stamp) {
        return false;
    }
    pmodule->visit = d->stamp;
    for (size_t i = 0; i < pmodule->extends.n; i++) {
        if (!context_get(pmodule, pmodule->extends.v[i]->name)) {
            d->user = pmodule;
            d->need = pmodule->extends.v[i];
            return true;
        }
    }
    for (size_t i = 0; i < pmodule->extends.n; i++) {
        if (next_extends(d, context_get(pmodule, pmodule->extends.v[i]->name))) {
            return true;
        }
    }
    for (size_t i = 0; i < pmodule->instances.n; i++) {
        struct pmodule *target = context_get(pmodule, pmodule->instances.v[i]->name);
        if (target && next_extends(d, target)) {
            return true;
        }
    }
    for (size_t i = 0; i < pmodule->inner.n; i++) {
        if (next_extends(d, pmodule->inner.v[i])) {
            return true;
        }
    }
    return false;
}

/* Whether an INSTANCE means a nested module that stands above it in the same module. */
static bool means_own_inner(const struct pmodule *pmodule, const struct node *instance)
{
    for (size_t i = 0; i < pmodule->inner.n; i++) {
        const struct node *tree = pmodule->inner.v[i]->tree;
        if (str_eq(tree->name, instance->name) && tree->span.begin < instance->span.begin) {
            return true;
        }
    }
    return false;
}

static bool next_instance(struct depend *d, struct pmodule *pmodule)
{
    if (!pmodule->tree || pmodule->visit == d->stamp) {
        return false;
    }
    pmodule->visit = d->stamp;
    for (size_t i = 0; i < pmodule->instances.n; i++) {
        struct node *need = pmodule->instances.v[i];
        if (!context_get(pmodule, need->name) && !means_own_inner(pmodule, need)) {
            d->user = pmodule;
            d->need = need;
            return true;
        }
    }
    for (size_t i = 0; i < pmodule->extends.n; i++) {
        struct pmodule *target = context_get(pmodule, pmodule->extends.v[i]->name);
        if (target && next_instance(d, target)) {
            return true;
        }
    }
    for (size_t i = 0; i < pmodule->instances.n; i++) {
        struct pmodule *target = context_get(pmodule, pmodule->instances.v[i]->name);
        if (target && next_instance(d, target)) {
            return true;
        }
    }
    for (size_t i = 0; i < pmodule->inner.n; i++) {
        if (next_instance(d, pmodule->inner.v[i])) {
            return true;
        }
    }
    return false;
}

/* ---- giving it one ---- */

/* Nested modules of an extended file become known to the extending module, and to what is nested in
 * it. */
static void spread_inner(struct pmodule *pmodule, const struct pmodule *extended)
{
    bind_inner_of(pmodule, extended);
    for (size_t i = 0; i < pmodule->inner.n; i++) {
        spread_inner(pmodule->inner.v[i], extended);
    }
}

static bool directly_extends(const struct pmodule *pmodule, const struct pmodule *other)
{
    for (size_t i = 0; i < pmodule->extends.n; i++) {
        if (context_get(pmodule, pmodule->extends.v[i]->name) == other) {
            return true;
        }
    }
    return false;
}

static void spread_to_extenders(struct depend *d, struct pmodule *user,
                                const struct pmodule *extended)
{
    VEC(struct pmodule *) todo = {0};
    d->stamp++;
    user->visit = d->stamp;
    VEC_PUSH(&todo, user);
    for (size_t i = 0; i < todo.n; i++) {
        spread_inner(todo.v[i], extended);
        for (size_t j = 0; j < d->all.n; j++) {
            struct pmodule *other = d->all.v[j];
            if (other->visit != d->stamp && directly_extends(other, todo.v[i])) {
                other->visit = d->stamp;
                VEC_PUSH(&todo, other);
            }
        }
    }
    VEC_DONE(&todo);
}

/* Whether `to` can be reached from `from` through what files use. */
static bool reaches(struct depend *d, struct punit *from, const struct punit *to)
{
    if (from == to) {
        return true;
    }
    if (from->visit == d->stamp) {
        return false;
    }
    from->visit = d->stamp;
    for (size_t i = 0; i < from->extendees.n; i++) {
        if (reaches(d, from->extendees.v[i], to)) {
            return true;
        }
    }
    for (size_t i = 0; i < from->instancees.n; i++) {
        if (reaches(d, from->instancees.v[i], to)) {
            return true;
        }
    }
    return false;
}

static void missing_module(const struct depend *d, struct str name, struct span span)
{
    struct diags *diags = d->sem->program->diags;
    struct diag *diag =
        diag_add(diags, DIAG_MODULE_NOT_FOUND, span, "cannot find module %.*s", STR_ARG(name));
    struct str near = diag ? near_module(d->sem, name) : (struct str){0};
    if (diag) {
        diag->module = d->user->tree->name.p;
    }
    if (near.n) {
        diag_hint(diags, diag, "did you mean '%.*s'?", STR_ARG(near));
    }
}

static void tell_extended(const struct depend *d, const struct punit *unit)
{
    const struct program_options *options = d->sem->program->options;
    if (options && options->extended && unit->root && !unit->broken) {
        options->extended(options->parsing_arg, unit->source, unit->root->tree);
    }
}

static void resolve_need(struct depend *d, bool extends)
{
    struct sem *sem = d->sem;
    struct pmodule *user = d->user;
    struct str name = need_name(d->need);
    struct span span = sem_name_span(d->need);
    struct punit *unit = strmap_get(&sem->unit_by_name, name);
    if (!unit) {
        struct node *need = d->need;
        struct source *source = locate(sem, name, need);
        if (!source) {
            missing_module(d, name, span);
        }
        unit = unit_new(d, name, source);
    }
    if (extends) {
        tell_extended(d, unit);
    }
    if (!unit->root) {
        strmap_put(&user->context, name, d->missing);
        return;
    }
    d->stamp++;
    if (reaches(d, unit, user->unit)) {
        struct diag *diag = diag_add(sem->program->diags, DIAG_MODULE_CYCLE, span,
                                     "module %.*s needs itself through %.*s",
                                     STR_ARG(user->unit->name), STR_ARG(name));
        if (diag) {
            diag->module = user->tree->name.p;
        }
        strmap_put(&user->context, name, d->missing);
        return;
    }
    if (extends) {
        VEC_PUSH(&user->unit->extendees, unit);
    } else {
        VEC_PUSH(&user->unit->instancees, unit);
    }
    context_bind(user, name, unit->root);
    if (extends) {
        spread_to_extenders(d, user, unit->root);
    }
}

/* ---- the order of resolving ---- */

static void put_in_order(struct punit *unit, struct punit **order, size_t *n)
{
    if (unit->ordered) {
        return;
    }
    unit->ordered = true;
    for (size_t i = 0; i < unit->extendees.n; i++) {
        put_in_order(unit->extendees.v[i], order, n);
    }
    for (size_t i = 0; i < unit->instancees.n; i++) {
        put_in_order(unit->instancees.v[i], order, n);
    }
    order[(*n)++] = unit;
}

/* Those that have not been resolved before. */
static void resolve_units(struct sem *sem, struct punit *root)
{
    struct program *program = sem->program;
    struct program_options *options = program->options;
    struct punit **order = ARENA_ARRAY(program->arena, struct punit *, sem->units.n);
    size_t n = 0;
    put_in_order(root, order, &n);
    struct module **all = ARENA_ARRAY(program->arena, struct module *, program->norder + n);
    for (size_t i = 0; i < program->norder; i++) {
        all[i] = program->order[i];
    }
    program->order = all;
    for (size_t i = 0; i < n; i++) {
        struct module *module = module_resolve(sem, order[i]->root, NULL);
        strmap_put(&program->modules, order[i]->name, module);
        program->order[program->norder++] = module;
        if (options && options->analysed) {
            options->analysed(options->parsing_arg, module->name.p);
        }
    }
}

/* Parses all that the unit needs, then resolves them all. */
static void load_needs(struct depend *d, struct punit *unit)
{
    while (unit->root) {
        d->stamp++;
        bool extends = next_extends(d, unit->root);
        d->stamp++;
        if (!extends && !next_instance(d, unit->root)) {
            break;
        }
        resolve_need(d, extends);
    }
    if (unit->root) {
        resolve_units(d->sem, unit);
    }
    for (size_t i = 0; i < d->all.n; i++) {
        pmodule_done(d->all.v[i]);
    }
    VEC_DONE(&d->all);
}

/* Parses the root and everything it needs, then resolves them all. `name` is what the root must be
 * called, or empty. */
int depend_load(struct sem *sem, const struct source *root, struct str name)
{
    struct depend d = {.sem = sem};
    d.missing = ARENA_NEW(sem->program->arena, struct pmodule);
    sem->root_source = root;
    struct punit *unit = unit_new(&d, name, root);
    tell_extended(&d, unit);
    load_needs(&d, unit);
    if (unit->root) {
        sem->program->root = unit->root->module;
    }
    return sem->program->diags->errors ? -1 : 0;
}

void depend_more(struct sem *sem, struct node *tree)
{
    for (uint32_t i = 0; i < tree->nkid; i++) {
        if (tree->kid[i]) {
            depend_more(sem, tree->kid[i]);
        }
    }
    if (tree->kind != N_INSTANCE || strmap_get(&sem->unit_by_name, tree->name) ||
        strmap_get(&sem->program->root->inner, tree->name)) {
        return;
    }
    struct depend d = {.sem = sem};
    d.missing = ARENA_NEW(sem->program->arena, struct pmodule);
    struct source *source = locate(sem, tree->name, tree);
    if (source) {
        load_needs(&d, unit_new(&d, tree->name, source));
    } else {
        diag_add(sem->program->diags, DIAG_MODULE_NOT_FOUND, sem_name_span(tree),
                 "cannot find module %.*s", STR_ARG(tree->name));
    }
}

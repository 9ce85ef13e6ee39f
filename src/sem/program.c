/* A program: the public face of loading, and names looked up in it afterwards. */
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse.h"
#include "syntax/source.h"

static struct sem *program_begin(struct program *program, struct arena *arena,
                                 struct program_options *options, struct sources *sources,
                                 struct diags *diags)
{
    *program =
        (struct program){.arena = arena, .sources = sources, .diags = diags, .options = options};
    struct sem *sem = ARENA_NEW(arena, struct sem);
    sem->program = program;
    program->private_ = sem;
    builtin_init(sem);
    levels_init(sem);
    return sem;
}

/* NOLINTNEXTLINE(readability-function-size): all that a program borrows is passed in */
int program_load(struct program *program, struct arena *arena, const char *path,
                 struct program_options *options, struct sources *sources, struct diags *diags,
                 struct err *err)
{
    struct sem *sem = program_begin(program, arena, options, sources, diags);
    struct str file = str_of(path);
    if (file.n < 4 || memcmp(file.p + file.n - 4, ".tla", 4) != 0) {
        file = str_of(arena_printf(arena, "%s.tla", path));
    }
    struct source *source = NULL;
    if (sources_load(sources, file.p, &source, err) < 0) {
        return -1;
    }
    struct str base = path_base(file);
    sem->spec_dir = path_dir(file);
    return depend_load(sem, source, str_dup(arena, (struct str){base.p, base.n - 4}));
}

/* NOLINTNEXTLINE(readability-function-size): all that a program borrows is passed in */
int program_load_source(struct program *program, struct arena *arena, const struct source *source,
                        struct program_options *options, struct sources *sources,
                        struct diags *diags, struct err *err)
{
    struct sem *sem = program_begin(program, arena, options, sources, diags);
    (void)err; /* nothing is read but modules, and a missing one is a diagnostic */
    sem->spec_dir = source->path ? path_dir(str_of(source->path)) : STR(".");
    return depend_load(sem, source, STR(""));
}

void program_done(struct program *program)
{
    struct sem *sem = program ? program->private_ : NULL;
    if (!sem) {
        return;
    }
    for (size_t i = 0; i < sem->modules.n; i++) {
        strmap_done(&sem->modules.v[i]->scope);
        strmap_done(&sem->modules.v[i]->exported);
        strmap_done(&sem->modules.v[i]->inner);
    }
    for (size_t i = 0; i < sem->units.n; i++) {
        VEC_DONE(&sem->units.v[i]->extendees);
        VEC_DONE(&sem->units.v[i]->instancees);
    }
    levels_done(sem);
    VEC_DONE(&sem->modules);
    VEC_DONE(&sem->units);
    VEC_DONE(&sem->repl);
    strmap_done(&sem->unit_by_name);
    strmap_done(&sem->builtins);
    strmap_done(&program->modules);
    program->private_ = NULL;
}

struct def *module_lookup(const struct module *module, struct str name)
{
    struct def *def = NULL;
    for (; module && !def; module = module->parent) {
        def = strmap_get(&module->scope, name);
    }
    return def;
}

struct def *program_lookup(const struct program *program, struct str name)
{
    return program->root ? module_lookup(program->root, name) : NULL;
}

/* ---- expressions and definitions after loading ---- */

static struct def *resolve_anonymous(struct resolver *r, struct node *expr)
{
    struct def *def = def_new(r->sem, DEF_OP, STR(""), r->module, expr);
    resolve_expr(r, expr);
    def->body = expr;
    return def;
}

static bool forget_repl(struct sem *sem, struct module *module, struct str name)
{
    for (size_t i = 0; i < sem->repl.n; i++) {
        if (str_eq(sem->repl.v[i]->name, name)) {
            strmap_put(&module->scope, name, NULL);
            strmap_put(&module->exported, name, NULL);
            return true;
        }
    }
    return false;
}

static bool is_definition(const struct node *node)
{
    return node->kind == N_OPDEF || node->kind == N_FCNDEF;
}

static struct def *add_to_root(struct program *program, struct node *tree, size_t errors)
{
    struct sem *sem = program->private_;
    struct resolver r;
    depend_more(sem, tree);
    resolver_init(&r, sem, program->root, NULL);
    struct def *def;
    struct def *old = NULL;
    if (is_definition(tree)) {
        old = strmap_get(&program->root->scope, tree->name);
        bool again = old && forget_repl(sem, program->root, tree->name);
        old = again ? old : NULL;
        resolve_definition(&r, tree, false);
        def = (struct def *)tree->ref;
    } else {
        def = resolve_anonymous(&r, tree);
    }
    resolver_done(&r);
    if (program->diags->errors == errors) {
        levels_def(sem, program->root, def);
    }
    bool good = program->diags->errors == errors;
    if (is_definition(tree) && good) {
        VEC_PUSH(&sem->repl, def);
    } else if (old || strmap_get(&program->root->scope, tree->name) == def) {
        strmap_put(&program->root->scope, tree->name, old);
        strmap_put(&program->root->exported, tree->name, old);
    }
    return good ? def : NULL;
}

static struct parse_options repl_options(struct program *program)
{
    struct parse_options parse = {.next_id = &program->next_node_id};
    if (program->options) {
        parse.seen = program->options->seen;
        parse.seen_arg = program->options->seen_arg;
    }
    return parse;
}

struct def *program_expression(struct program *program, const struct source *source)
{
    struct parse_options parse = repl_options(program);
    size_t errors = program->diags->errors;
    struct node *tree = parse_expression(program->arena, source, &parse, program->diags);
    if (!tree || !program->root || program->diags->errors != errors) {
        return NULL;
    }
    return add_to_root(program, tree, errors);
}

struct def *program_define(struct program *program, const struct source *source)
{
    struct parse_options parse = repl_options(program);
    size_t errors = program->diags->errors;
    struct node *tree = parse_repl(program->arena, source, &parse, program->diags);
    if (!tree || !program->root || program->diags->errors != errors) {
        return NULL;
    }
    return add_to_root(program, tree, errors);
}

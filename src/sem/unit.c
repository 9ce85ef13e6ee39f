/* The units of a module, in the order in which they are written: a name can be used from the end of
 * its definition on.
 *
 * That order is the whole secret of TLA+ scoping. The body of Op == ... is resolved before Op
 * itself is bound, so that only operators that were declared RECURSIVE can refer to themselves
 * (functions always can); and a nested module sees what stands above it. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/source.h"

void resolver_init(struct resolver *r, struct sem *sem, struct module *module,
                   struct pmodule *pmodule)
{
    *r = (struct resolver){.sem = sem, .module = module, .pmodule = pmodule};
}

void resolver_done(struct resolver *r)
{
    strmap_done(&r->locals);
    strmap_done(&r->unknown);
    VEC_DONE(&r->stack);
    VEC_DONE(&r->spine);
    VEC_DONE(&r->defining);
    VEC_DONE(&r->defining_names);
    VEC_DONE(&r->pending);
    VEC_DONE(&r->label_params);
    VEC_DONE(&r->labels);
    VEC_DONE(&r->label_frames);
}

/* Appends to an array in the arena that doubles when it is full. */
static void **arena_push(struct arena *arena, void **array, uint32_t n, void *item)
{
    if ((n & (n - 1)) == 0) {
        void **bigger = ARENA_ARRAY(arena, void *, n ? (size_t)n * 2 : 1);
        for (uint32_t i = 0; i < n; i++) {
            bigger[i] = array[i];
        }
        array = bigger;
    }
    array[n] = item;
    return array;
}

static void add_declared(struct resolver *r, struct def *def)
{
    struct module *module = r->module;
    struct arena *arena = r->sem->program->arena;
    if (def->kind == DEF_CONST) {
        module->consts =
            (struct def **)arena_push(arena, (void **)module->consts, module->nconst, def);
        module->nconst++;
    } else if (def->kind == DEF_VAR) {
        module->vars = (struct def **)arena_push(arena, (void **)module->vars, module->nvar, def);
        module->nvar++;
    }
}

static void add_assume(struct resolver *r, struct node *expr, struct def *def)
{
    struct module *module = r->module;
    struct arena *arena = r->sem->program->arena;
    module->assumes =
        (struct node **)arena_push(arena, (void **)module->assumes, module->nassume, expr);
    module->assume_defs =
        (struct def **)arena_push(arena, (void **)module->assume_defs, module->nassume, def);
    module->nassume++;
}

/* ---- EXTENDS ---- */

/* Declarations must not be mixed up with definitions; two of a sort are the same thing twice, or
 * the first one counts. */
static int extend_sort(const struct def *def)
{
    return def->kind == DEF_CONST || def->kind == DEF_VAR ? 1 : def->is_theorem ? 2 : 0;
}

static void extend_conflict(struct resolver *r, const struct module *from, struct def *old,
                            struct def *def, struct span span)
{
    const struct def *origin = def_origin(old);
    struct diag *diag;
    if (extend_sort(old) != extend_sort(def)) {
        diag = sem_report(r, DIAG_NAME_TWICE, span,
                          "'%.*s' of module %.*s is %s, but another extended module has it as %s",
                          STR_ARG(def->name), STR_ARG(from->name), def_kind_words(def),
                          def_kind_words(old));
    } else if (extend_sort(old) != 1 && origin == def_origin(def) &&
               (!origin->module || module_parameter_free(origin->module))) {
        return;
    } else {
        diag = sem_report(r, DIAG_WARN_DUPLICATE_DEF, span,
                          "'%.*s' comes from two extended modules; the first one counts",
                          STR_ARG(def->name));
    }
    sem_first_here(r, diag, old);
}

static void extend_module(struct resolver *r, struct module *from, struct span span)
{
    struct module *module = r->module;
    for (size_t i = 0; i < from->exported.n; i++) {
        struct str name = from->exported.entries[i].key;
        struct def *def = from->exported.entries[i].value;
        struct def *old = strmap_get(&module->scope, name);
        if (!old) {
            scope_put(r, name, def, false);
            add_declared(r, def);
        } else if (old != def) {
            extend_conflict(r, from, old, def, span);
        }
    }
    for (size_t i = 0; i < from->inner.n; i++) {
        if (!strmap_get(&module->inner, from->inner.entries[i].key)) {
            strmap_put(&module->inner, from->inner.entries[i].key, from->inner.entries[i].value);
        }
    }
    for (uint32_t i = 0; i < from->nassume; i++) {
        add_assume(r, from->assumes[i], from->assume_defs[i]);
    }
    module->extends = (struct module **)arena_push(r->sem->program->arena, (void **)module->extends,
                                                   module->nextend, from);
    module->nextend++;
    module->incomplete = module->incomplete || from->incomplete;
}

static void resolve_extends(struct resolver *r, struct node *unit)
{
    for (uint32_t i = 0; i < unit->nkid; i++) {
        struct module *from =
            unit->kid[i]->kind == N_ID ? module_find(r, unit->kid[i]->name) : NULL;
        if (from) {
            extend_module(r, from, unit->kid[i]->span);
        } else {
            r->module->incomplete = true;
        }
    }
}

/* ---- declarations ---- */

static void resolve_declarations(struct resolver *r, struct node *unit, enum def_kind kind)
{
    for (uint32_t i = 0; i < unit->nkid; i++) {
        struct node *decl = unit->kid[i];
        if (decl->kind != N_OPDECL) {
            continue;
        }
        struct def *def = def_new(r->sem, kind, decl->name, r->module, decl);
        def->arity = (uint32_t)decl->num;
        decl->ref = def;
        if (scope_declare(r, def, sem_name_span(decl), false)) {
            add_declared(r, def);
        }
    }
}

/* Parameters of a recursive operator until its definition brings the real ones. */
static struct def **dummy_params(struct resolver *r, struct node *decl)
{
    struct def **params = ARENA_ARRAY(r->sem->program->arena, struct def *, decl->num);
    for (int32_t i = 0; i < decl->num; i++) {
        params[i] = def_new(r->sem, DEF_PARAM, STR("_"), r->module, decl);
    }
    return params;
}

static void resolve_recursive(struct resolver *r, struct node *unit, bool in_let)
{
    for (uint32_t i = 0; i < unit->nkid; i++) {
        struct node *decl = unit->kid[i];
        if (decl->kind != N_OPDECL) {
            continue;
        }
        struct def *def = def_new(r->sem, DEF_OP, decl->name, r->module, decl);
        def->arity = (uint32_t)decl->num;
        def->params = dummy_params(r, decl);
        def->recursive = true;
        def->pending = true;
        def->in_let = in_let;
        def->let_depth = r->let_depth;
        decl->ref = def;
        if (scope_declare(r, def, sem_name_span(decl), false)) {
            VEC_PUSH(&r->pending, def);
        }
    }
}

/* Operators declared RECURSIVE since `from` that have no definition. */
void resolve_pending_check(struct resolver *r, size_t from)
{
    for (size_t i = from; i < r->pending.n; i++) {
        struct def *def = r->pending.v[i];
        sem_report(r, DIAG_RECURSIVE_UNDEFINED, sem_name_span(def->decl),
                   "'%.*s' is declared RECURSIVE but not defined", STR_ARG(def->name));
    }
    r->pending.n = from < r->pending.n ? from : r->pending.n;
}

static void pending_remove(struct resolver *r, const struct def *def)
{
    size_t n = 0;
    for (size_t i = 0; i < r->pending.n; i++) {
        if (r->pending.v[i] != def) {
            r->pending.v[n++] = r->pending.v[i];
        }
    }
    r->pending.n = n;
}

/* Between RECURSIVE and the definition only definitions may stand. */
static void refuse_in_recursive(struct resolver *r, const struct node *unit, const char *what)
{
    if (r->pending.n) {
        const struct def *def = r->pending.v[0];
        struct diag *diag = sem_report(r, DIAG_RECURSIVE_UNDEFINED, unit->span,
                                       "%s may not stand between RECURSIVE %.*s and its definition",
                                       what, STR_ARG(def->name));
        sem_first_here(r, diag, def);
    }
}

/* ---- definitions ---- */

/* The def that a definition of `name` fills: a new one, or the one that RECURSIVE declared.
 * *ret_bind says whether the name is still to be bound. */
static struct def *definition_begin(struct resolver *r, struct node *unit, bool in_let,
                                    uint32_t arity, bool *ret_bind)
{
    struct def *old = scope_find(r, unit->name);
    struct span span = sem_name_span(unit);
    *ret_bind = !old;
    if (old && old->pending && old->let_depth == r->let_depth && old->module == r->module) {
        if (old->arity != arity) {
            struct diag *diag =
                sem_report(r, DIAG_ARITY, span,
                           "'%.*s' has %u parameter%s, but was declared RECURSIVE with %u",
                           STR_ARG(unit->name), arity, arity == 1 ? "" : "s", old->arity);
            sem_first_here(r, diag, old);
        }
        pending_remove(r, old);
        return old;
    }
    if (old && old->pending) {
        struct diag *diag = sem_report(r, DIAG_RECURSIVE_UNDEFINED, span,
                                       "'%.*s' is not defined where it was declared RECURSIVE",
                                       STR_ARG(unit->name));
        sem_first_here(r, diag, old);
    } else if (old && old->kind == DEF_BUILTIN) {
        sem_report(r, DIAG_NAME_TWICE, span,
                   "'%.*s' is an operator of the language and cannot be redefined",
                   STR_ARG(unit->name));
    } else if (old) {
        struct diag *diag = sem_report(r, DIAG_NAME_TWICE, span, "'%.*s' is already %s",
                                       STR_ARG(unit->name), def_kind_words(old));
        sem_first_here(r, diag, old);
    }
    struct def *def = def_new(r->sem, DEF_OP, unit->name, r->module, unit);
    def->in_let = in_let;
    def->let_depth = r->let_depth;
    return def;
}

static void definition_end(struct resolver *r, struct def *def, struct node *body, bool bind)
{
    def->body = body->kind == N_ERROR ? NULL : body;
    def->pending = false;
    if (!bind) {
        return;
    }
    if (def->in_let) {
        scope_bind(r, def->name, def);
    } else {
        scope_put(r, def->name, def, def->local);
    }
}

static void resolve_opdef(struct resolver *r, struct node *unit, bool in_let)
{
    struct node *body = unit->kid[unit->nkid - 1];
    uint32_t arity = unit->nkid - 1;
    struct def **params = ARENA_ARRAY(r->sem->program->arena, struct def *, arity);
    size_t mark = scope_enter(r);
    for (uint32_t i = 0; i < arity; i++) {
        resolve_param(r, unit->kid[i], &params[i]);
    }
    bool bind;
    struct def *def = definition_begin(r, unit, in_let, arity, &bind);
    def->arity = arity;
    def->params = params;
    def->decl = unit;
    def->local = (unit->flags & NF_LOCAL) != 0;
    unit->ref = def;
    if (bind) {
        VEC_PUSH(&r->defining_names, unit->name);
    }
    VEC_PUSH(&r->defining, def);
    label_frame_push(r);
    uint32_t except_depth = r->except_depth;
    r->except_depth = in_let ? except_depth : 0;
    resolve_expr(r, body);
    r->except_depth = except_depth;
    label_frame_pop(r);
    r->defining.n--;
    if (bind) {
        r->defining_names.n--;
    }
    scope_leave(r, mark);
    definition_end(r, def, body, bind);
}

static void resolve_fcndef(struct resolver *r, struct node *unit, bool in_let)
{
    struct node *body = unit->kid[unit->nkid - 1];
    size_t mark = scope_enter(r);
    label_frame_push(r);
    resolve_bounds(r, unit->kid, unit->nkid - 1);
    bool bind;
    struct def *def = definition_begin(r, unit, in_let, 0, &bind);
    def->is_fcn = true;
    def->arity = 0;
    def->decl = unit;
    def->local = (unit->flags & NF_LOCAL) != 0;
    unit->ref = def;
    if (bind) {
        scope_bind(r, def->name, def);
    }
    VEC_PUSH(&r->defining, def);
    resolve_expr(r, body);
    r->defining.n--;
    label_frame_pop(r);
    scope_leave(r, mark);
    definition_end(r, def, unit, bind);
    if (body->kind == N_ERROR) {
        def->body = NULL;
    }
}

static void resolve_instdef(struct resolver *r, struct node *unit, bool in_let)
{
    struct node *instance = unit->kid[unit->nkid - 1];
    uint32_t nparam = unit->nkid - 1;
    struct def **params = ARENA_ARRAY(r->sem->program->arena, struct def *, nparam);
    bool local = (unit->flags & NF_LOCAL) != 0;
    size_t mark = scope_enter(r);
    for (uint32_t i = 0; i < nparam; i++) {
        resolve_param(r, unit->kid[i], &params[i]);
    }
    struct instance *inst =
        instance->kind == N_INSTANCE ? resolve_instance(r, instance, params, nparam, local) : NULL;
    scope_leave(r, mark);
    struct def *def = def_new(r->sem, DEF_INSTANCE, unit->name, r->module, unit);
    def->arity = nparam;
    def->params = params;
    def->inst = inst;
    def->local = local;
    def->in_let = in_let;
    def->let_depth = r->let_depth;
    unit->ref = def;
    if (inst) {
        import_named(r, unit->name, inst, unit, local);
    }
    scope_declare(r, def, sem_name_span(unit), local);
}

void resolve_definition(struct resolver *r, struct node *unit, bool in_let)
{
    switch (unit->kind) {
    case N_OPDEF: resolve_opdef(r, unit, in_let); break;
    case N_FCNDEF: resolve_fcndef(r, unit, in_let); break;
    case N_INSTDEF: resolve_instdef(r, unit, in_let); break;
    case N_RECURSIVE: resolve_recursive(r, unit, in_let); break;
    default: break;
    }
}

/* ---- ASSUME and THEOREM ---- */

static void resolve_fact(struct resolver *r, struct node *unit)
{
    struct node *expr = unit->nkid ? unit->kid[0] : NULL;
    bool usable = expr && expr->kind != N_ASSUMEPROVE && expr->kind != N_ERROR;
    struct def *def = NULL;
    if (usable) {
        if (unit->name.n) {
            label_frame_push(r);
        }
        resolve_expr(r, expr);
        if (unit->name.n) {
            label_frame_pop(r);
        }
    }
    if (unit->name.n) {
        def = def_new(r->sem, DEF_OP, unit->name, r->module, unit);
        def->is_theorem = true;
        def->body = usable ? expr : NULL;
        unit->ref = def;
        scope_declare(r, def, sem_name_span(unit), false);
    }
    if (unit->kind == N_ASSUME && usable && !(unit->flags & NF_AXIOM)) {
        add_assume(r, expr, def);
    }
}

/* ---- nested modules ---- */

static struct pmodule *nested_pmodule(const struct resolver *r, const struct node *tree)
{
    for (size_t i = 0; r->pmodule && i < r->pmodule->inner.n; i++) {
        if (r->pmodule->inner.v[i]->tree == tree) {
            return r->pmodule->inner.v[i];
        }
    }
    return NULL;
}

static void resolve_nested(struct resolver *r, struct node *unit)
{
    struct pmodule *pmodule = nested_pmodule(r, unit);
    if (!pmodule) {
        return;
    }
    struct module *nested = module_resolve(r->sem, pmodule, r);
    struct module *old = module_find(r, unit->name);
    if (!old || old == nested) {
        strmap_put(&r->module->inner, unit->name, nested);
        return;
    }
    struct diag *diag = sem_report(r, DIAG_NAME_TWICE, sem_name_span(unit),
                                   "there is already a module '%.*s'", STR_ARG(unit->name));
    if (diag && old->tree) {
        diag_note(r->sem->program->diags, diag, sem_name_span(old->tree), "the other one is here");
    }
}

static void resolve_unit(struct resolver *r, struct node *unit)
{
    switch (unit->kind) {
    case N_EXTENDS: resolve_extends(r, unit); break;
    case N_CONSTANTS:
        refuse_in_recursive(r, unit, "a CONSTANT declaration");
        resolve_declarations(r, unit, DEF_CONST);
        break;
    case N_VARIABLES:
        refuse_in_recursive(r, unit, "a VARIABLE declaration");
        resolve_declarations(r, unit, DEF_VAR);
        break;
    case N_INSTANCE: {
        struct instance *inst = resolve_instance(r, unit, NULL, 0, (unit->flags & NF_LOCAL) != 0);
        if (inst) {
            import_unnamed(r, inst, unit->span);
        }
        break;
    }
    case N_ASSUME:
        refuse_in_recursive(r, unit, "an ASSUME");
        resolve_fact(r, unit);
        break;
    case N_THEOREM:
        refuse_in_recursive(r, unit, "a THEOREM");
        resolve_fact(r, unit);
        break;
    case N_MODULE:
        refuse_in_recursive(r, unit, "a MODULE");
        resolve_nested(r, unit);
        break;
    case N_ERROR: r->module->incomplete = true; break;
    default: resolve_definition(r, unit, false); break;
    }
}

/* Resolves a module and what is nested in it. `outer` is the resolver of the enclosing module, or
 * NULL. */
struct module *module_resolve(struct sem *sem, struct pmodule *pmodule, struct resolver *outer)
{
    struct node *tree = pmodule->tree;
    struct module *module =
        module_new(sem, tree->name, pmodule->unit->source, tree, outer ? outer->module : NULL);
    size_t errors = sem->program->diags->errors;
    module->incomplete = pmodule->unit->broken || (outer && outer->module->incomplete);
    pmodule->module = module;
    tree->ref = NULL;
    struct resolver r;
    resolver_init(&r, sem, module, pmodule);
    for (uint32_t i = 0; i < tree->nkid; i++) {
        resolve_unit(&r, tree->kid[i]);
    }
    resolve_pending_check(&r, 0);
    resolver_done(&r);
    module->resolved = true;
    if (sem->program->diags->errors == errors) {
        levels_module(sem, module);
    }
    return module;
}

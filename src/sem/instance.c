/* INSTANCE: what is substituted, and which definitions it brings.
 *
 * Nothing is copied. An imported definition is a small wrapper that points to the original and to
 * the instance; eval applies the substitution when it lowers the body. The wrapper's parameters are
 * those of a parameterised instance followed by those of the original, the same objects. A
 * definition that depends on no CONSTANT or VARIABLE is imported as itself, so that Naturals
 * through two doors is still one Naturals. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/source.h"

struct module *module_find(struct resolver *r, struct str name)
{
    for (const struct module *module = r->module; module; module = module->parent) {
        struct module *inner = strmap_get(&module->inner, name);
        if (inner) {
            return inner;
        }
    }
    const struct punit *unit = strmap_get(&r->sem->unit_by_name, name);
    struct module *module = unit && unit->root ? unit->root->module : NULL;
    return module && module->resolved ? module : NULL;
}

/* ---- substitutions ---- */

static struct subst *find_subst(struct instance *inst, struct str name)
{
    for (uint32_t i = 0; i < inst->nsubst; i++) {
        if (str_eq(inst->substs[i].formal->name, name)) {
            return &inst->substs[i];
        }
    }
    return NULL;
}

static void explicit_subst(struct resolver *r, struct instance *inst, struct node *node)
{
    struct node *expr = node->kid[0];
    struct subst *subst = find_subst(inst, node->name);
    if (!subst) {
        struct diag *diag = NULL;
        if (!inst->target->incomplete) {
            diag = sem_report(r, DIAG_INSTANCE_SUBST_UNKNOWN, sem_name_span(node),
                              "'%.*s' is not a CONSTANT or VARIABLE of module %.*s",
                              STR_ARG(node->name), STR_ARG(inst->target->name));
        }
        struct def *def = strmap_get(&inst->target->scope, node->name);
        if (def) {
            sem_first_here(r, diag, def);
        }
        resolve_args_loosely(r, &expr, 1);
        return;
    }
    if (subst->expr) {
        sem_report(r, DIAG_INSTANCE_SUBST_TWICE, sem_name_span(node), "'%.*s' is substituted twice",
                   STR_ARG(node->name));
    }
    resolve_arg(r, expr, subst->formal->arity, (struct arg_role){node->name, 0, true});
    subst->expr = expr;
}

/* x <- x for what is left. */
static void implicit_subst(struct resolver *r, struct instance *inst, struct subst *subst,
                           struct span span)
{
    const struct def *formal = subst->formal;
    struct def *actual = scope_find(r, formal->name);
    struct diag *diag;
    if (!actual || actual->kind == DEF_INSTANCE || actual->kind == DEF_BUILTIN) {
        if (r->module->incomplete) {
            return;
        }
        diag =
            sem_report(r, DIAG_INSTANCE_SUBST_MISSING, span,
                       "module %.*s needs a value for its %s '%.*s'", STR_ARG(inst->target->name),
                       formal->kind == DEF_CONST ? "CONSTANT" : "VARIABLE", STR_ARG(formal->name));
        sem_first_here(r, diag, formal);
        return;
    }
    if (actual->arity != formal->arity) {
        diag = sem_report(r, DIAG_ARG_NOT_OPERATOR, span,
                          "'%.*s' of module %.*s takes %u argument%s, but '%.*s' here takes %u",
                          STR_ARG(formal->name), STR_ARG(inst->target->name), formal->arity,
                          formal->arity == 1 ? "" : "s", STR_ARG(formal->name), actual->arity);
        sem_first_here(r, diag, actual);
    }
    subst->actual = actual;
}

struct instance *resolve_instance(struct resolver *r, struct node *node, struct def **params,
                                  uint32_t nparam, bool local)
{
    struct module *target = module_find(r, node->name);
    if (!target) {
        r->module->incomplete = true;
        for (uint32_t i = 0; i < node->nkid; i++) {
            resolve_args_loosely(r, node->kid[i]->kid, node->kid[i]->nkid);
        }
        return NULL;
    }
    struct instance *inst = ARENA_NEW(r->sem->program->arena, struct instance);
    inst->target = target;
    inst->module = r->module;
    inst->params = params;
    inst->nparam = nparam;
    inst->node = node;
    inst->local = local;
    inst->nsubst = target->nconst + target->nvar;
    inst->substs = ARENA_ARRAY(r->sem->program->arena, struct subst, inst->nsubst);
    for (uint32_t i = 0; i < inst->nsubst; i++) {
        inst->substs[i].formal =
            i < target->nconst ? target->consts[i] : target->vars[i - target->nconst];
    }
    node->ref = inst;
    r->module->incomplete = r->module->incomplete || target->incomplete;
    for (uint32_t i = 0; i < node->nkid; i++) {
        if (node->kid[i]->kind == N_SUBST && node->kid[i]->nkid) {
            explicit_subst(r, inst, node->kid[i]);
        }
    }
    for (uint32_t i = 0; i < inst->nsubst; i++) {
        if (!inst->substs[i].expr) {
            implicit_subst(r, inst, &inst->substs[i], node->span);
        }
    }
    return inst;
}

/* ---- what it brings ---- */

struct def *instance_wrap(struct resolver *r, struct str name, struct def *orig,
                          struct instance *inst, struct node *decl)
{
    struct def *def = def_new(r->sem, orig->kind, name, r->module, decl);
    def->arity = inst->nparam + orig->arity;
    def->params = ARENA_ARRAY(r->sem->program->arena, struct def *, def->arity);
    for (uint32_t i = 0; i < inst->nparam; i++) {
        def->params[i] = inst->params[i];
    }
    for (uint32_t i = 0; i < orig->arity; i++) {
        def->params[inst->nparam + i] = orig->params[i];
    }
    def->local = inst->local;
    def->recursive = orig->recursive;
    def->is_fcn = orig->is_fcn;
    def->is_theorem = orig->is_theorem;
    def->let_depth = r->let_depth;
    def->in_let = r->let_depth > 0;
    def->orig = orig;
    def->inst = inst;
    return def;
}

void import_unnamed(struct resolver *r, struct instance *inst, struct span span)
{
    const struct strmap *exported = &inst->target->exported;
    for (size_t i = 0; i < exported->n; i++) {
        struct def *def = exported->entries[i].value;
        if (def->kind != DEF_OP) {
            continue;
        }
        bool same = module_parameter_free(inst->target) ||
                    (def->module && module_parameter_free(def->module));
        if (!same) {
            def = instance_wrap(r, def->name, def, inst, inst->node);
        }
        scope_declare(r, def, span, inst->local);
    }
}

void import_named(struct resolver *r, struct str name, struct instance *inst, struct node *decl,
                  bool local)
{
    struct arena *arena = r->sem->program->arena;
    const struct strmap *exported = &inst->target->exported;
    inst->members = ARENA_ARRAY(arena, struct def *, exported->n);
    for (size_t i = 0; i < exported->n; i++) {
        struct def *orig = exported->entries[i].value;
        if (orig->kind != DEF_OP && orig->kind != DEF_INSTANCE) {
            continue;
        }
        struct str full =
            str_of(arena_printf(arena, "%.*s!%.*s", STR_ARG(name), STR_ARG(orig->name)));
        struct def *def = instance_wrap(r, full, orig, inst, decl);
        inst->members[inst->nmember++] = def;
        scope_declare(r, def, sem_name_span(decl), local);
    }
}

struct def *instance_member(const struct def *instance, struct str name)
{
    for (uint32_t i = 0; i < instance->inst->nmember; i++) {
        if (str_eq(instance->inst->members[i]->name, name)) {
            return instance->inst->members[i];
        }
    }
    return NULL;
}

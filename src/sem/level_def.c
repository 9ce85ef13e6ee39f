/* Levels of definitions, and what INSTANCE, ASSUME and THEOREM demand. See level.c for how a level
 * is represented.
 *
 * A definition is looked at when it is first needed. Operators declared RECURSIVE are looked at
 * several times: silently, first taking them as constant, until their levels do not change any
 * more, and then once with what was learned. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/level_int.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"

/* ---- definitions ---- */

static enum level subst_level(struct levels *l, const struct subst *subst)
{
    if (subst->expr) {
        return level_arg(l, subst->expr);
    }
    return subst->actual ? level_operator(l, subst->actual) : LEVEL_CONSTANT;
}

/* An instance's definition: the original's level, and that of what is substituted for its
 * parameters. */
static enum level wrapper_level(struct levels *l, struct def *def)
{
    struct def_levels *orig = def_compute(l, def->orig);
    const struct instance *inst = def->inst;
    enum level level = orig->level;
    l->silent++;
    for (size_t i = 0; i < orig->nfree; i++) {
        const struct subst *found = NULL;
        for (uint32_t j = 0; j < inst->nsubst; j++) {
            found = inst->substs[j].formal == orig->free_[i] ? &inst->substs[j] : found;
        }
        if (found) {
            level = level_max(level, subst_level(l, found));
        } else {
            params_push(l, orig->free_[i]);
        }
    }
    l->silent--;
    for (uint32_t i = 0; orig->weight && i < def->orig->arity; i++) {
        if (orig->weight[i]) {
            params_push(l, def->params[inst->nparam + i]);
        }
    }
    return level;
}

static enum level body_level(struct levels *l, struct def *def)
{
    if (def->orig) {
        return wrapper_level(l, def);
    }
    return def->body ? level_expr(l, def->body) : LEVEL_CONSTANT;
}

/* What the walk over the body left on the stack becomes the definition's information. */
static void info_store(struct levels *l, struct def *def, struct def_levels *info, enum level level,
                       size_t mark)
{
    struct arena *arena = l->sem->program->arena;
    bool recursive = def->recursive && !def->orig;
    params_unique(l, mark);
    l->changed = l->changed || level > info->level;
    info->level = level_max(info->level, level);
    if (!info->weight) {
        info->weight = ARENA_ARRAY(arena, bool, def->arity);
        info->max = ARENA_ARRAY(arena, enum level, def->arity);
    }
    for (uint32_t i = 0; i < def->arity && def->params; i++) {
        enum level limit = level_info_of(l, def->params[i])->limit;
        info->weight[i] = recursive || params_have(l, mark, def->params[i]);
        info->max[i] = recursive && limit > LEVEL_ACTION ? LEVEL_ACTION : limit;
        params_remove(l, mark, def->params[i]);
    }
    size_t nfree = l->params.n - mark;
    l->changed = l->changed || nfree > info->nfree;
    info->nfree = nfree;
    info->free_ = ARENA_ARRAY(arena, struct def *, nfree);
    for (size_t i = 0; i < nfree; i++) {
        info->free_[i] = l->params.v[mark + i];
    }
    l->params.n = mark;
    def->level = info->level;
}

static void track_bound_params(struct levels *l, struct def *def, bool on)
{
    for (uint32_t i = 0; def->params && i < def->arity; i++) {
        if (def->params[i]->kind == DEF_BOUND) {
            level_info_of(l, def->params[i])->tracked = on;
        }
    }
}

/* A subexpression's definition, or a named fact: the body is reported about where it stands. */
static bool is_part(const struct def *def)
{
    return def->is_theorem ||
           (def->name.n && def->body && def->decl && !def->orig && def->decl->ref != def);
}

static void check_recursive_params(struct levels *l, struct def *def)
{
    for (uint32_t i = 0; def->params && i < def->arity && !l->silent; i++) {
        if (level_info_of(l, def->params[i])->limit < LEVEL_ACTION) {
            sem_report(&l->report, DIAG_LEVEL_PRIME, sem_name_span(def->decl),
                       "the recursive operator '%.*s' primes its parameter '%.*s'",
                       STR_ARG(def->name), STR_ARG(def->params[i]->name));
        }
    }
}

static void compute_once(struct levels *l, struct def *def, struct def_levels *info)
{
    size_t mark = l->params.n;
    bool part = is_part(def);
    info->state = BUSY;
    l->silent += part;
    track_bound_params(l, def, true);
    size_t at_n = l->at.n;
    l->at.n = def->in_let ? at_n : 0;
    enum level level = body_level(l, def);
    l->at.n = at_n;
    track_bound_params(l, def, false);
    l->silent -= part;
    info_store(l, def, info, level, mark);
    info->state = DONE;
    if (l->learning) {
        VEC_PUSH(&l->journal, def);
    }
    if (def->recursive && !def->orig) {
        check_recursive_params(l, def);
    }
}

/* Several operators may be recursive through each other, so the first one that is met goes on until
 * the levels of all that it reaches stay as they are. They only grow, and there are four. */
static void learn_recursive(struct levels *l, struct def *def, struct def_levels *info)
{
    size_t journal = l->journal.n;
    l->silent++;
    l->learning = true;
    do {
        l->changed = false;
        compute_once(l, def, info);
        while (l->journal.n > journal) {
            level_info_of(l, VEC_POP(&l->journal))->state = UNKNOWN;
        }
    } while (l->changed);
    l->learning = false;
    l->silent--;
}

struct def_levels *def_compute(struct levels *l, struct def *def)
{
    struct def_levels *info = level_info_of(l, def);
    if (info->state != UNKNOWN) {
        return info;
    }
    if (def->recursive && !def->orig && !l->learning) {
        learn_recursive(l, def, info);
    }
    compute_once(l, def, info);
    return info;
}

/* ---- modules ---- */

static bool module_constant(struct levels *l, struct module *module)
{
    if (module->nvar) {
        return false;
    }
    for (size_t i = 0; i < module->scope.n; i++) {
        struct def *def = module->scope.entries[i].value;
        if (def && def->kind == DEF_OP && def_compute(l, def)->level > LEVEL_CONSTANT) {
            return false;
        }
    }
    return true;
}

static bool is_leibniz(struct levels *l, const struct subst *subst)
{
    const struct node *expr = subst->expr;
    if (expr && expr->kind == N_LAMBDA) {
        for (uint32_t i = 0; i + 1 < expr->nkid; i++) {
            if (expr->kid[i]->ref && level_info_of(l, (struct def *)expr->kid[i]->ref)->opaque) {
                return false;
            }
        }
        return true;
    }
    struct def *def = expr ? (struct def *)expr->ref : subst->actual;
    for (uint32_t i = 0; def && i < def->arity; i++) {
        if (rule_of(l, def, i).opaque) {
            return false;
        }
    }
    return true;
}

/* What replaces an operator constant must allow what the module applies it to. */
static void operator_subst_check(struct levels *l, struct instance *inst, const struct subst *subst)
{
    struct node *at = subst->expr ? subst->expr : inst->node;
    struct op_use *uses = use_of(l, subst->formal);
    if (!is_leibniz(l, subst) && !l->silent) {
        sem_report(&l->report, DIAG_LEVEL_SUBST, at->span,
                   "what is substituted for '%.*s' must be an operator without primes around its "
                   "arguments",
                   STR_ARG(subst->formal->name));
        return;
    }
    for (uint32_t position = 0; position < subst->formal->arity; position++) {
        enum level max = LEVEL_TEMPORAL;
        if (subst->expr) {
            max = level_operator_max(l, subst->expr, position);
        } else if (subst->actual) {
            max = rule_of(l, subst->actual, position).max;
        }
        if (uses[position].least > max) {
            level_report(l, DIAG_LEVEL_SUBST, at, "the argument of what is substituted here", max,
                         uses[position].least);
        }
        for (uint32_t i = 0; i < inst->nsubst; i++) {
            bool used = use_has(&uses[position], inst->substs[i].formal);
            size_t mark = l->params.n;
            enum level got = used ? subst_level(l, &inst->substs[i]) : LEVEL_CONSTANT;
            l->params.n = mark;
            if (got > max) {
                level_report(l, DIAG_LEVEL_SUBST, at, "the argument of what is substituted here",
                             max, got);
            }
        }
    }
}

void instance_check(struct levels *l, struct instance *inst)
{
    bool constant = module_constant(l, inst->target);
    for (uint32_t i = 0; i < inst->nsubst; i++) {
        struct subst *subst = &inst->substs[i];
        size_t mark = l->params.n;
        enum level got = subst_level(l, subst);
        enum level max = constant                         ? level_info_of(l, subst->formal)->limit
                         : subst->formal->kind == DEF_VAR ? LEVEL_STATE
                                                          : LEVEL_CONSTANT;
        if (got > max) {
            const struct node *at = subst->expr ? subst->expr : inst->node;
            SCOPED_STRBUF what = {0};
            strbuf_printf(&what, "what is substituted for '%.*s'", STR_ARG(subst->formal->name));
            level_report(l, DIAG_LEVEL_SUBST, at, strbuf_cstr(&what), max, got);
        } else if (subst->formal->arity) {
            operator_subst_check(l, inst, subst);
        }
        params_limit(l, mark, max);
        if (level_info_of(l, subst->formal)->opaque) {
            params_opaque(l, mark);
        }
        l->params.n = mark;
    }
}

static void check_fact(struct levels *l, struct node *unit)
{
    struct node *expr = unit->nkid ? unit->kid[0] : NULL;
    if (!expr || expr->kind == N_ASSUMEPROVE) {
        return;
    }
    size_t mark = l->params.n;
    enum level level = level_expr(l, expr);
    l->params.n = mark;
    if (unit->kind == N_ASSUME && level > LEVEL_CONSTANT) {
        sem_report(&l->report, DIAG_LEVEL_ASSUME, expr->span,
                   "an assumption must be of constant level, but this is of %s level",
                   level_words[level]);
    }
}

static void check_unit(struct levels *l, struct node *unit)
{
    struct def *def = (struct def *)unit->ref;
    switch (unit->kind) {
    case N_OPDEF:
    case N_FCNDEF:
        if (def) {
            def_compute(l, def);
        }
        break;
    case N_INSTDEF:
        if (def && def->inst) {
            instance_check(l, def->inst);
        }
        break;
    case N_INSTANCE:
        if (unit->ref) {
            instance_check(l, (struct instance *)unit->ref);
        }
        break;
    case N_ASSUME:
    case N_THEOREM: check_fact(l, unit); break;
    default: break;
    }
}

void levels_module(struct sem *sem, struct module *module)
{
    struct levels *l = sem->levels;
    struct resolver before = l->report;
    l->report = (struct resolver){.sem = sem, .module = module};
    for (uint32_t i = 0; i < module->tree->nkid; i++) {
        check_unit(l, module->tree->kid[i]);
    }
    for (size_t i = 0; i < module->scope.n; i++) {
        struct def *def = module->scope.entries[i].value;
        if (def && def->kind == DEF_OP) {
            def_compute(l, def);
        }
    }
    l->report = before;
}

void levels_def(struct sem *sem, struct module *module, struct def *def)
{
    struct levels *l = sem->levels;
    l->report = (struct resolver){.sem = sem, .module = module};
    if (def->kind == DEF_OP) {
        def_compute(l, def);
    }
}

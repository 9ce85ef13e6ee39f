/* The configuration applied to the specification: values of constants and replacements of
 * definitions. The rules and the codes of errors are TLC's. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "eval/code.h"
#include "eval/spec.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

struct def *spec_lookup(struct spec *spec, struct str name)
{
    struct def *def = program_lookup(spec->program, name);
    for (size_t i = spec->program->norder; !def && i-- > 0;) {
        def = module_lookup(spec->program->order[i], name);
    }
    return def;
}

/* ---- constants ---- */
static struct val config_value(struct spec *spec, const struct cfg_value *v)
{
    struct vctx *ctx = &spec->boot->vctx;
    struct val ret = VAL_UNDEF;
    switch (v->kind) {
    case CFG_INT:
        if (!int_parse(ctx, v->text, 10, &ret)) {
            spec_fail(spec, 2265, 151, NULL, "%.*s is not an integer.", STR_ARG(v->text));
        }
        break;
    case CFG_STRING: ret = val_str(ctx, v->text); break;
    case CFG_BOOL: ret = val_bool(v->b); break;
    case CFG_MODEL: ret = val_model(spec->strings, v->text); break;
    case CFG_SET: {
        struct val *elems = arena_alloc(ctx->arena, sizeof *elems * (v->nelem + 1));
        for (size_t i = 0; i < v->nelem; i++) {
            elems[i] = config_value(spec, v->elems[i]);
        }
        ret = set_make(ctx, elems, v->nelem);
        break;
    }
    }
    return val_freeze(ctx, spec->arena, ret);
}

static void override_put(struct spec *spec, const struct def *def, struct def_override *o)
{
    u64map_put(&spec->overrides, (uint64_t)(uintptr_t)def, (uint64_t)(uintptr_t)o);
}

/* Foo(1, a) = v: rows are collected in one table for each operator. */
static void table_add(struct spec *spec, const struct def *def, const struct cfg_assign *a)
{
    uint64_t known;
    struct def_override *o;
    struct def_table *table;
    if (u64map_get(&spec->overrides, (uint64_t)(uintptr_t)def, &known)) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): stored by override_put */
        o = (struct def_override *)(uintptr_t)known;
        table = (struct def_table *)o->table;
    } else {
        o = ARENA_NEW(spec->arena, struct def_override);
        table = ARENA_NEW(spec->arena, struct def_table);
        o->table = table;
        table->arity = (uint32_t)a->narg;
        override_put(spec, def, o);
    }
    if (!table || table->arity != a->narg) {
        spec_fail(spec, 2242, 151, NULL,
                  "The operator %.*s is given values with different numbers of arguments.",
                  STR_ARG(a->lhs));
    }
    size_t n = table->nrow + 1;
    struct val *args = ARENA_ARRAY(spec->arena, struct val, n * a->narg);
    struct val *vals = ARENA_ARRAY(spec->arena, struct val, n);
    if (table->nrow) {
        memcpy(args, table->args, sizeof *args * table->nrow * a->narg);
        memcpy(vals, table->vals, sizeof *vals * table->nrow);
    }
    for (size_t i = 0; i < a->narg; i++) {
        args[table->nrow * a->narg + i] = config_value(spec, a->args[i]);
    }
    vals[table->nrow] = config_value(spec, a->value);
    table->args = args;
    table->vals = vals;
    table->nrow = n;
}

/* Does another replacement of the same scope replace what this one puts there? */
static bool is_replaced(const struct config *config, const struct cfg_assign *a)
{
    for (size_t i = 0; i < config->nassign; i++) {
        const struct cfg_assign *other = &config->assigns[i];
        if (other->replacement.n && str_eq(other->module, a->module) &&
            str_eq(other->lhs, a->replacement)) {
            return true;
        }
    }
    return false;
}

static void assign_replacement(struct spec *spec, const struct config *config,
                               const struct def *def, const struct cfg_assign *a)
{
    struct def *by = spec_lookup(spec, a->replacement);
    if (is_replaced(config, a)) {
        spec_fail(spec, 2223, 151, NULL,
                  "In the configuration file, the identifier %.*s appears\non the right-hand side "
                  "of a <- after already appearing on the\nleft-hand side of one.",
                  STR_ARG(a->replacement));
    }
    if (!by) {
        spec_fail(spec, 2224, 151, NULL,
                  "The configuration file substitutes for %.*s with the undefined identifier %.*s.",
                  STR_ARG(a->lhs), STR_ARG(a->replacement));
    }
    if (by->arity != def->arity) {
        spec_fail(spec, 2225, 151, NULL,
                  "The configuration file substitutes for %.*s with %.*s of different number of "
                  "arguments.",
                  STR_ARG(a->lhs), STR_ARG(a->replacement));
    }
    struct def_override *o = ARENA_NEW(spec->arena, struct def_override);
    o->scoped = a->module.n > 0;
    o->def = by;
    override_put(spec, def, o);
}

static void assign_one(struct spec *spec, const struct config *config, const struct cfg_assign *a)
{
    struct def *def = NULL;
    if (a->module.n) {
        struct module *module = strmap_get(&spec->program->modules, a->module);
        if (!module) {
            spec_fail(spec, 2245, 151, NULL,
                      "The configuration file names the module %.*s, which the specification does "
                      "not use.",
                      STR_ARG(a->module));
        }
        def = module_lookup(module, a->lhs);
    } else {
        def = spec_lookup(spec, a->lhs);
    }
    if (!def && !a->replacement.n && !a->module.n) {
        return; /* as TLC: a value for a name that the specification does not use */
    }
    if (!def) {
        spec_fail(spec, 2226, 151, NULL,
                  "The configuration file gives a value for %.*s, which does not appear in the "
                  "specification.",
                  STR_ARG(a->lhs));
    }
    if (a->replacement.n) {
        assign_replacement(spec, config, def, a);
        return;
    }
    if (a->narg) {
        table_add(spec, def, a);
        return;
    }
    struct def_override *o = ARENA_NEW(spec->arena, struct def_override);
    o->has_value = true;
    o->scoped = a->module.n > 0;
    o->value = config_value(spec, a->value);
    override_put(spec, def, o);
}

/* ---- replacements that lead back to what they replace ---- */

struct search {
    struct spec *spec;
    const struct def *sought;
    struct u64map seen;
};

static bool def_reaches(struct search *s, const struct def *def);

static bool node_reaches(struct search *s, const struct node *node)
{
    bool names = node->kind == N_ID || node->kind == N_BANG || node->kind == N_OP;
    if (names && node->ref && def_reaches(s, node->ref)) {
        return true;
    }
    for (uint32_t i = 0; i < node->nkid; i++) {
        if (node->kid[i] && node_reaches(s, node->kid[i])) {
            return true;
        }
    }
    return false;
}

static bool def_reaches(struct search *s, const struct def *def)
{
    uint64_t key = (uint64_t)(uintptr_t)def;
    uint64_t known;
    if (def == s->sought) {
        return true;
    }
    if ((def->kind != DEF_OP && def->kind != DEF_CONST) || u64map_get(&s->seen, key, &known)) {
        return false;
    }
    u64map_put(&s->seen, key, 1);
    if (u64map_get(&s->spec->overrides, key, &known)) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): stored by override_put */
        const struct def_override *o = (const struct def_override *)(uintptr_t)known;
        return o->def && def_reaches(s, o->def);
    }
    while (def->orig) {
        def = def->orig;
    }
    return def->body && !(def->module && def->module->builtin) && node_reaches(s, def->body);
}

/* A replacement that uses, in the end, what it replaces is recursive without a declaration. */
static void mark_recursive(struct spec *spec, const struct config *config)
{
    for (size_t i = 0; i < config->nassign; i++) {
        const struct cfg_assign *a = &config->assigns[i];
        struct def *by = a->replacement.n ? spec_lookup(spec, a->replacement) : NULL;
        struct search s = {.spec = spec, .sought = spec_lookup(spec, a->lhs)};
        if (by && by->body && s.sought && def_reaches(&s, by)) {
            by->recursive = true;
        }
        u64map_done(&s.seen);
    }
}

/* ---- all of it ---- */

static void check_assigned(struct spec *spec, const struct config *config)
{
    const struct module *root = spec->program->root;
    for (uint32_t i = 0; i < root->nconst; i++) {
        bool given = false;
        for (size_t k = 0; k < config->nassign; k++) {
            given |= str_eq(config->assigns[k].lhs, root->consts[i]->name);
        }
        if (!given) {
            spec_fail(
                spec, 2222, 151, NULL,
                "The constant parameter %.*s is not assigned a value by the configuration file.",
                STR_ARG(root->consts[i]->name));
        }
    }
}

void spec_constants(struct spec *spec, const struct config *config)
{
    check_assigned(spec, config);
    for (size_t i = 0; i < config->nassign; i++) {
        assign_one(spec, config, &config->assigns[i]);
    }
    mark_recursive(spec, config);
}

void spec_check_replacements(struct spec *spec, const struct config *config)
{
    for (size_t i = 0; i < config->nassign; i++) {
        const struct cfg_assign *a = &config->assigns[i];
        struct def *def = a->module.n ? NULL : spec_lookup(spec, a->lhs);
        struct def *by = a->replacement.n ? spec_lookup(spec, a->replacement) : NULL;
        if (!def || !by || def->kind != DEF_CONST || def->arity != 0 ||
            lower_level_of_def(spec, by, spec->root_env) == LEVEL_CONSTANT) {
            continue;
        }
        struct val unused;
        struct node *node = ARENA_NEW(spec->arena, struct node);
        *node = (struct node){.kind = N_ID, .name = by->name, .ref = by};
        if (!spec_try_constant(spec, spec->root_env, node, &unused)) {
            spec_fail(spec, 2281, 151, NULL,
                      "The configuration file substitutes constant %.*s with non-constant %.*s - "
                      "specifically: %s",
                      STR_ARG(a->lhs), STR_ARG(a->replacement), spec->boot->err_text);
        }
    }
}

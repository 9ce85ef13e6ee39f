/* What SANY's linter warns of: a field of a record that has the name of something else.
 *
 * Whoever writes [n |-> 1] where n is a definition may think that the value of n becomes the field.
 * SANY takes it that the writer knows better when an expression of the same record, or of another
 * record with the same fields, depends on a declaration or a parameter. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "syntax/ast.h"

struct linter {
    VEC(const struct node *)
    records; /* of the module, inner ones first, then of those it extends */
    size_t own;
    struct u64map seen; /* definitions looked into */
};

static void collect(struct linter *l, const struct node *node)
{
    if (node->kind == N_MODULE) {
        return; /* a module of its own */
    }
    for (uint32_t i = 0; i < node->nkid; i++) {
        collect(l, node->kid[i]);
    }
    if (node->kind == N_RECORD || node->kind == N_RECSET) {
        VEC_PUSH(&l->records, node);
    }
}

static void collect_module(struct linter *l, const struct module *module)
{
    for (uint32_t i = 0; module->tree && i < module->tree->nkid; i++) {
        collect(l, module->tree->kid[i]);
    }
}

static void collect_extended(struct linter *l, const struct module *module)
{
    for (uint32_t i = 0; i < module->nextend; i++) {
        collect_module(l, module->extends[i]);
        collect_extended(l, module->extends[i]);
    }
}

/* ---- does an expression depend on a declaration? ---- */

static bool depends(struct linter *l, const struct node *node);

static bool def_depends(struct linter *l, const struct def *def)
{
    uint64_t unused;
    while (def->orig) {
        def = def->orig;
    }
    switch (def->kind) {
    case DEF_CONST:
    case DEF_VAR:
    case DEF_PARAM:
    case DEF_BOUND: return true;
    case DEF_BUILTIN: return str_is(def->name, "BOOLEAN");
    case DEF_OP: break;
    default: return false;
    }
    if (def->module && def->module->builtin) { /* their definitions use their parameters */
        return def->arity > 0 || str_is(def->name, "Int") || str_is(def->name, "Nat");
    }
    if (!def->body || u64map_get(&l->seen, (uint64_t)(uintptr_t)def, &unused)) {
        return false;
    }
    u64map_put(&l->seen, (uint64_t)(uintptr_t)def, 1);
    return depends(l, def->body);
}

static bool depends(struct linter *l, const struct node *node)
{
    bool names = node->kind == N_ID || node->kind == N_OP || node->kind == N_BANG;
    if (names && node->ref && def_depends(l, node->ref)) {
        return true;
    }
    for (uint32_t i = 0; i < node->nkid; i++) {
        if (depends(l, node->kid[i])) {
            return true;
        }
    }
    return false;
}

static bool record_depends(struct linter *l, const struct node *record)
{
    bool found = false;
    for (uint32_t i = 0; i < record->nkid && !found; i++) {
        found = record->kid[i]->nkid && depends(l, record->kid[i]->kid[0]);
        u64map_done(&l->seen);
        l->seen = (struct u64map){0};
    }
    return found;
}

/* ---- records ---- */

static bool has_field(const struct node *record, struct str name)
{
    for (uint32_t i = 0; i < record->nkid; i++) {
        if (str_eq(record->kid[i]->name, name)) {
            return true;
        }
    }
    return false;
}

static bool same_fields(const struct node *a, const struct node *b)
{
    if (a->nkid != b->nkid) {
        return false;
    }
    for (uint32_t i = 0; i < a->nkid; i++) {
        if (!has_field(b, a->kid[i]->name)) {
            return false;
        }
    }
    return true;
}

static bool is_understood(struct linter *l, const struct node *record)
{
    for (size_t i = 0; i < l->records.n; i++) {
        if (same_fields(record, l->records.v[i]) && record_depends(l, l->records.v[i])) {
            return true;
        }
    }
    return false;
}

void module_lint(const struct module *module,
                 void (*each)(void *arg, const struct lint_clash *clash), void *arg)
{
    struct linter l = {0};
    collect_module(&l, module);
    l.own = l.records.n;
    collect_extended(&l, module);
    for (size_t i = 0; i < l.own; i++) {
        const struct node *record = l.records.v[i];
        bool clashes = false;
        for (uint32_t k = 0; k < record->nkid; k++) {
            clashes |= module_lookup(module, record->kid[k]->name) != NULL;
        }
        if (!clashes || is_understood(&l, record)) {
            continue;
        }
        for (uint32_t k = 0; k < record->nkid; k++) {
            const struct node *field = record->kid[k];
            const struct def *def = module_lookup(module, field->name);
            if (def && def->decl) {
                struct lint_clash clash = {field->name_span, field->name, def};
                each(arg, &clash);
            }
        }
    }
    VEC_DONE(&l.records);
    u64map_done(&l.seen);
}

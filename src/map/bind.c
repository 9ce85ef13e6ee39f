/* Expressions become operators of the specification, and names are compared with those that the
 * model and the cluster know.
 *
 * An expression is parsed as a definition, from a text that looks like the mapping file with all
 * but the expression blanked out: so errors show their true line and column. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/near.h"
#include "base/str.h"
#include "eval/eval.h"
#include "map/map.h"
#include "map/map_int.h"
#include "model/model.h"
#include "run/cluster.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "value/value.h"

/* A name that the specification has, too, gets another one of the same length (places stay what
 * they are), in the expression and as the parameter. */
static const char *parameter_name(const struct map *map, const struct program *program,
                                  const char *name, struct str *expr)
{
    static const char letters[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t n = strlen(name);
    if (program_lookup(program, str_of(name)) == NULL) {
        return name;
    }
    char *other = arena_strndup(map->arena, name, n);
    char *text = arena_strndup(map->arena, expr->p, expr->n);
    for (size_t i = 0; letters[i] != '\0' && n > 1; i++) {
        other[n - 1] = letters[i];
        if (program_lookup(program, str_of(other)) == NULL &&
            map_mention(*expr, other, 0) == expr->n) {
            break;
        }
    }
    for (size_t at = 0; (at = map_mention(*expr, name, at)) < expr->n; at += n) {
        memcpy(text + at, other, n);
    }
    expr->p = text;
    return other;
}

static struct source *expr_source(const struct map *map, const struct program *program,
                                  struct sources *sources, size_t number)
{
    const struct map_expr *expr = map->exprs[number];
    struct str body = expr->text;
    struct strbuf text = {.arena = map->arena};
    strbuf_printf(&text, "AssayMap%zu", number);
    for (size_t i = 0; i < expr->n_used; i++) {
        strbuf_printf(&text, "%s%s", i == 0 ? "(" : ", ",
                      parameter_name(map, program, expr->offered[expr->used[i]], &body));
    }
    strbuf_adds(&text, expr->n_used != 0 ? ") ==" : " ==");
    struct str file = map->file->text;
    size_t skip = text.n; /* of the first line */
    for (size_t i = 0; i < expr->begin && i < file.n; i++) {
        if (file.p[i] == '\n') {
            strbuf_addc(&text, '\n');
            skip = 0;
        } else if (skip > 0) {
            skip--;
        } else {
            strbuf_addc(&text, ' ');
        }
    }
    strbuf_addc(&text, ' ');
    text.n -= expr->begin > 0 && text.n > 1 && text.p[text.n - 2] == ' ' ? 1 : 0;
    strbuf_addstr(&text, body);
    return sources_add(sources, map->file->path, strbuf_str(&text), false);
}

static void check_level(const struct map *map, struct diags *diags, const struct map_expr *expr,
                        const struct def *def)
{
    if (def->level > LEVEL_STATE) {
        (void)diag_add(diags, DIAG_CFG_SYNTAX,
                       map_span(map, expr->begin, expr->begin + expr->text.n),
                       "an expression of a mapping has no primes and no temporal operators");
    } else if (expr->no_state && def->level > LEVEL_CONSTANT) {
        (void)diag_add(diags, DIAG_CFG_SYNTAX,
                       map_span(map, expr->begin, expr->begin + expr->text.n),
                       "this reads a variable of the specification: what is observed must not "
                       "depend on it");
    }
}

int map_bind(struct map *map, struct program *program, struct sources *sources, struct diags *diags)
{
    size_t before = diags->errors;
    map->defs = ARENA_ARRAY(map->arena, struct def *, map->n_exprs + 1);
    for (size_t i = 0; i < map->n_exprs; i++) {
        const struct map_expr *expr = map->exprs[i];
        if (expr->text.n == 0) {
            (void)diag_add(diags, DIAG_CFG_SYNTAX, map_span(map, expr->begin, expr->begin + 1),
                           "an expression is missing");
            continue;
        }
        size_t errors = diags->errors;
        struct def *def = program_define(program, expr_source(map, program, sources, i));
        if (def != NULL && def->kind == DEF_OP && def->body != NULL) {
            map->defs[i] = def;
            check_level(map, diags, expr, def);
        } else if (diags->errors == errors) {
            (void)diag_add(diags, DIAG_CFG_SYNTAX,
                           map_span(map, expr->begin, expr->begin + expr->text.n),
                           "this is no TLA+ expression");
        }
    }
    return diags->errors == before ? 0 : -1;
}

int map_apply(struct mworker *worker, const struct map_expr *expr, const struct val *offered,
              struct val *ret)
{
    struct val args[MAP_PARAMS_MAX];
    for (size_t i = 0; i < expr->n_used; i++) {
        args[i] = offered[expr->used[i]];
    }
    return model_apply(worker, expr->op, args, expr->n_used, ret);
}

bool map_uses(const struct map_expr *expr, uint8_t name)
{
    for (size_t i = 0; i < expr->n_used; i++) {
        if (expr->used[i] == name) {
            return true;
        }
    }
    return false;
}

/* ---- names ---- */

static void unknown(const struct map *map, struct diags *diags, struct map_name name,
                    const char *what, const struct near *near)
{
    struct diag *diag = diag_add(diags, DIAG_CFG_SYNTAX, map_span(map, name.begin, name.end),
                                 "the specification has no %s '%.*s'", what, STR_ARG(name.name));
    if (near->best.n != 0) {
        diag_hint(diags, diag, "did you mean %.*s?", STR_ARG(near->best));
    }
}

/* With the actions that there are, each once. */
static void unknown_action(const struct map *map, const struct model *model, struct diags *diags,
                           const struct map_action *action, const struct near *near)
{
    SCOPED_STRBUF text = {0};
    for (uint32_t i = 0; i < model->naction; i++) {
        const struct maction *a = &model->actions[i];
        bool again = false;
        for (uint32_t k = 0; k < i; k++) {
            again = again || (strcmp(model->actions[k].name, a->name) == 0 &&
                              model->actions[k].nparam == a->nparam);
        }
        if (again) {
            continue;
        }
        strbuf_printf(&text, "%s%s", text.n == 0 ? "" : ", ", a->name);
        for (uint32_t k = 0; k < a->nparam; k++) {
            strbuf_printf(&text, "%s%s", k == 0 ? "(" : ", ", a->params[k]);
        }
        strbuf_adds(&text, a->nparam != 0 ? ")" : "");
    }
    struct diag *diag = diag_add(diags, DIAG_CFG_SYNTAX, map_span(map, action->begin, action->end),
                                 "the specification has no action '%.*s'", STR_ARG(action->name));
    diag_hint(diags, diag, "%s%.*s%sits actions are %s", near->best.n != 0 ? "did you mean " : "",
              STR_ARG(near->best), near->best.n != 0 ? "? " : "", strbuf_cstr(&text));
}

static int find_variable(const struct model *model, struct str name, struct near *near)
{
    *near = near_to(name);
    for (uint32_t i = 0; i < model->nvar; i++) {
        struct str var = str_of(model->vars[i]);
        if (str_eq(var, name)) {
            return (int)i;
        }
        near_try(near, var);
    }
    return -1;
}

static void check_action(const struct map *map, const struct model *model, struct diags *diags,
                         const struct map_action *action)
{
    struct near near = near_to(action->name);
    bool found = false, fits = false;
    uint32_t nparam = 0;
    for (uint32_t i = 0; i < model->naction; i++) {
        struct str other = str_of(model->actions[i].name);
        if (str_eq(other, action->name)) {
            found = true;
            nparam = model->actions[i].nparam;
            fits = fits || nparam == action->n_params;
        }
        near_try(&near, other);
    }
    if (!found) {
        unknown_action(map, model, diags, action, &near);
    } else if (!fits) {
        (void)diag_add(diags, DIAG_CFG_SYNTAX, map_span(map, action->begin, action->end),
                       "action %.*s has %u parameter%s, not %zu", STR_ARG(action->name), nparam,
                       nparam == 1 ? "" : "s", action->n_params);
    }
    for (const struct map_action *other = map->actions; other < action; other++) {
        if (str_eq(other->name, action->name) && other->n_params == action->n_params) {
            (void)diag_add(diags, DIAG_CFG_SYNTAX, map_span(map, action->begin, action->end),
                           "action %.*s is mapped twice", STR_ARG(action->name));
        }
    }
}

static void check_nodes(const struct map *map, const struct cluster *cluster, struct diags *diags)
{
    for (size_t i = 0; i < map->n_node_table; i++) {
        const struct map_node *node = &map->node_table[i];
        if (cluster_node(cluster, str_of(node->name)) < 0) {
            size_t begin = node->value != NULL ? node->value->begin : map->nodes->begin;
            (void)diag_add(diags, DIAG_CFG_SYNTAX, map_span(map, begin, begin + 1),
                           "the cluster has no node '%s'", node->name);
        }
    }
    for (size_t i = 0; i < map->n_observes; i++) {
        const struct map_observe *o = &map->observes[i];
        for (size_t k = 0; o->nodes != NULL && o->nodes[k] != NULL; k++) {
            if (cluster_node(cluster, str_of(o->nodes[k])) < 0) {
                (void)diag_add(diags, DIAG_CFG_SYNTAX, map_span(map, o->begin, o->end),
                               "the cluster has no node '%s'", o->nodes[k]);
            }
        }
    }
}

int map_check(struct map *map, const struct model *model, const struct cluster *cluster,
              struct diags *diags)
{
    size_t before = diags->errors;
    struct near near;
    for (size_t i = 0; i < map->n_actions; i++) {
        check_action(map, model, diags, &map->actions[i]);
    }
    for (size_t i = 0; i < map->n_observes; i++) {
        const struct map_observe *o = &map->observes[i];
        if (o->compare && o->spec == NULL && find_variable(model, o->name, &near) < 0) {
            unknown(map, diags, (struct map_name){o->name, o->begin, o->end}, "variable", &near);
        }
    }
    for (size_t i = 0; i < map->n_auxiliary; i++) {
        if (find_variable(model, map->auxiliary[i].name, &near) < 0) {
            unknown(map, diags, map->auxiliary[i], "variable", &near);
        }
    }
    if (map->network.name.n != 0 && find_variable(model, map->network.name, &near) < 0) {
        unknown(map, diags, map->network, "variable", &near);
    }
    check_nodes(map, cluster, diags);
    return diags->errors == before ? 0 : -1;
}

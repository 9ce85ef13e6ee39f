/* Levels of expressions: one rule for each kind of node. See level.c for how a level is
 * represented. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "sem/level_int.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"

static enum level take_kid(struct levels *l, struct node *kid, struct arg_rule rule)
{
    size_t mark = l->params.n;
    enum level got = level_expr(l, kid);
    return use_arg(l, kid, rule, got, mark);
}

/* ---- kinds of nodes ---- */

static enum level kids_level(struct levels *l, struct node *node, uint32_t from,
                             struct arg_rule rule)
{
    size_t mark = l->params.n;
    enum level level = LEVEL_CONSTANT;
    for (uint32_t i = from; i < node->nkid; i++) {
        if (node->kid[i]) {
            level = level_max(level, take_kid(l, node->kid[i], rule));
        }
    }
    params_unique(l, mark);
    return level;
}

static enum level bounds_level(struct levels *l, struct node *node, enum level *ret_max)
{
    static const struct arg_rule rule = {LEVEL_ACTION, true, false, DIAG_LEVEL_BOUND, "a bound"};
    enum level level = LEVEL_CONSTANT;
    for (uint32_t i = 0; i < node->nkid; i++) {
        struct node *bound = node->kid[i];
        if (bound->kind == N_BOUND) {
            level = level_max(level, take_kid(l, bound->kid[bound->nkid - 1], rule));
        }
    }
    *ret_max = level;
    return level;
}

static enum level quantifier_level(struct levels *l, struct node *node)
{
    size_t mark = l->params.n;
    bool logic = node->kind == N_FORALL || node->kind == N_EXISTS;
    bool any = logic || node->kind == N_FCN || node->kind == N_FCNDEF;
    struct node *body = node->kind == N_SETMAP ? node->kid[0] : node->kid[node->nkid - 1];
    enum level bounds;
    enum level level = bounds_level(l, node, &bounds);
    level = level_max(level, take_kid(l, body, any ? rule_logic : rule_plain));
    if (logic && level == LEVEL_TEMPORAL && bounds == LEVEL_ACTION && !l->silent) {
        sem_report(&l->report, DIAG_LEVEL_QUANT_TEMPORAL, node->span,
                   "a quantifier over a temporal formula has a bound of action level");
    }
    params_unique(l, mark);
    return level;
}

static enum level unbounded_level(struct levels *l, struct node *node)
{
    struct node *body = node->kid[node->nkid - 1];
    struct arg_rule rule = node->kind == N_CHOOSE_U ? rule_plain : rule_logic;
    if (node->kind == N_TFORALL || node->kind == N_TEXISTS) {
        rule.weight = false;
        rule.opaque = true;
        take_kid(l, body, rule);
        return LEVEL_TEMPORAL;
    }
    return take_kid(l, body, rule);
}

static enum level except_level(struct levels *l, struct node *node)
{
    size_t mark = l->params.n;
    enum level base = take_kid(l, node->kid[0], rule_plain);
    enum level level = base;
    for (uint32_t i = 1; i < node->nkid; i++) {
        struct node *spec = node->kid[i];
        enum level at = base;
        if (spec->kind != N_EXSPEC) {
            continue;
        }
        for (uint32_t j = 0; j + 1 < spec->nkid; j++) {
            at = level_max(at, kids_level(l, spec->kid[j], 0, rule_plain));
        }
        VEC_PUSH(&l->at, at);
        level = level_max(level, take_kid(l, spec->kid[spec->nkid - 1], rule_plain));
        l->at.n--;
        level = level_max(level, at);
    }
    params_unique(l, mark);
    return level;
}

/* [A]_v, <<A>>_v, WF_v(A), SF_v(A) */
static enum level subscript_level(struct levels *l, struct node *node)
{
    static const struct arg_rule action = {LEVEL_ACTION, false, true, DIAG_LEVEL_ARG, "the action"};
    static const struct arg_rule subscript = {LEVEL_STATE, false, true, DIAG_LEVEL_ARG,
                                              "the subscript"};
    bool fair = node->kind == N_WF || node->kind == N_SF;
    take_kid(l, node->kid[0], fair ? subscript : action);
    take_kid(l, node->kid[1], fair ? action : subscript);
    return fair ? LEVEL_TEMPORAL : LEVEL_ACTION;
}

static enum level let_level(struct levels *l, struct node *node)
{
    for (uint32_t i = 0; i + 1 < node->nkid; i++) {
        struct node *unit = node->kid[i];
        struct def *def = (struct def *)unit->ref;
        if (unit->kind == N_INSTDEF && def && def->inst) {
            instance_check(l, def->inst);
        } else if ((unit->kind == N_OPDEF || unit->kind == N_FCNDEF) && def) {
            def_compute(l, def);
        }
    }
    return level_expr(l, node->kid[node->nkid - 1]);
}

static enum level leaf_level(struct levels *l, struct node *node)
{
    switch (node->kind) {
    case N_ID: return node->ref ? level_operator(l, (struct def *)node->ref) : LEVEL_CONSTANT;
    case N_BANG:
    case N_APP: return level_call(l, node);
    case N_AT: return l->at.n ? VEC_LAST(&l->at) : LEVEL_CONSTANT;
    case N_IF:
    case N_RECORD:
    case N_CASE:
    case N_ARM:
    case N_OTHER: return kids_level(l, node, 0, rule_logic);
    case N_FORALL:
    case N_EXISTS:
    case N_CHOOSE:
    case N_SETFILTER:
    case N_SETMAP:
    case N_FCN:
    case N_FCNDEF: return quantifier_level(l, node);
    case N_FORALL_U:
    case N_EXISTS_U:
    case N_TFORALL:
    case N_TEXISTS:
    case N_CHOOSE_U: return unbounded_level(l, node);
    case N_EXCEPT: return except_level(l, node);
    case N_LET: return let_level(l, node);
    case N_LABEL: return level_expr(l, node->kid[node->nkid - 1]);
    case N_BOXACT:
    case N_ANGLEACT:
    case N_WF:
    case N_SF: return subscript_level(l, node);
    case N_FIELD: return kids_level(l, node, 0, rule_logic);
    case N_LAMBDA: return level_arg(l, node);
    default: return kids_level(l, node, 0, rule_plain);
    }
}

/* ---- the left spine, and rules about particular operators ---- */

static bool leans_left(const struct node *node)
{
    switch (node->kind) {
    case N_OP: return node->ref != NULL && node->nkid > 0;
    case N_CONJ:
    case N_DISJ:
    case N_FAPPLY:
    case N_DOT: return node->nkid > 0;
    default: return false;
    }
}

/* SANY looks only at applications; a LET around the action is let through. */
static bool is_application(const struct node *node)
{
    return node->kind != N_LET && node->kind != N_LABEL && node->kind != N_AT;
}

static void check_temporal(struct levels *l, const struct node *node, const enum level *levels)
{
    if (l->silent) {
        return;
    }
    bool box = str_is(node->name, "[]");
    bool diamond = str_is(node->name, "<>");
    if (box || diamond) {
        const struct node *arg = node->kid[0];
        if (levels[0] == LEVEL_ACTION && is_application(arg) &&
            arg->kind != (box ? N_BOXACT : N_ANGLEACT)) {
            sem_report(&l->report, DIAG_LEVEL_TEMPORAL, node->span,
                       "%s is applied to an action that is not of the form %s", box ? "[]" : "<>",
                       box ? "[A]_v" : "<<A>>_v");
        }
    } else if (str_is(node->name, "~>") || str_is(node->name, "-+->")) {
        for (uint32_t i = 0; i < node->nkid; i++) {
            if (levels[i] == LEVEL_ACTION) {
                sem_report(&l->report, DIAG_LEVEL_TEMPORAL, node->kid[i]->span,
                           "an operand of %.*s is an action", STR_ARG(node->name));
            }
        }
    }
}

static bool is_logic(const struct node *node)
{
    return node->kind == N_CONJ || node->kind == N_DISJ ||
           (node->kind == N_OP && (str_is(node->name, "=>") || str_is(node->name, "\\equiv")));
}

static struct arg_rule spine_rule(struct levels *l, struct node *node, uint32_t i)
{
    if (node->kind == N_OP) {
        return rule_of(l, (struct def *)node->ref, i);
    }
    return node->kind == N_CONJ || node->kind == N_DISJ ? rule_logic : rule_plain;
}

/* The parameter or constant that an operator symbol stands for, if it does. */
static struct def *declared_operator(const struct node *node)
{
    struct def *def = node->kind == N_OP ? (struct def *)node->ref : NULL;
    return def && (def->kind == DEF_PARAM || def->kind == DEF_CONST) && def->arity >= node->nkid
               ? def
               : NULL;
}

/* kid 0 has level `first` and its parameters are above the mark. */
static enum level spine_level(struct levels *l, struct node *node, enum level first, size_t mark)
{
    enum level two[2] = {first, LEVEL_CONSTANT};
    bool action = first == LEVEL_ACTION;
    bool temporal = first == LEVEL_TEMPORAL;
    struct def *declared = declared_operator(node);
    if (declared) {
        use_note(l, declared, 0, first, mark);
    }
    enum level level = use_arg(l, node->kid[0], spine_rule(l, node, 0), first, mark);
    for (uint32_t i = 1; i < node->nkid; i++) {
        size_t kid_mark = l->params.n;
        enum level got = level_expr(l, node->kid[i]);
        action = action || got == LEVEL_ACTION;
        temporal = temporal || got == LEVEL_TEMPORAL;
        two[1] = got;
        if (declared) {
            use_note(l, declared, i, got, kid_mark);
        }
        level = level_max(level, use_arg(l, node->kid[i], spine_rule(l, node, i), got, kid_mark));
    }
    if (node->kind == N_OP) {
        level = level_max(level, level_operator(l, (struct def *)node->ref));
        check_temporal(l, node, two);
    }
    if (action && temporal && is_logic(node) && !l->silent) {
        sem_report(&l->report, DIAG_LEVEL_TEMPORAL, node->span,
                   "a temporal formula and an action are joined");
    }
    params_unique(l, mark);
    return level;
}

enum level level_expr(struct levels *l, struct node *node)
{
    size_t mark = l->params.n;
    size_t spine = l->spine.n;
    while (leans_left(node)) {
        VEC_PUSH(&l->spine, node);
        node = node->kid[0];
    }
    enum level level = leaf_level(l, node);
    while (l->spine.n > spine) {
        level = spine_level(l, VEC_POP(&l->spine), level, mark);
    }
    return level;
}

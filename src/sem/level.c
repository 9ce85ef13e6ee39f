/* Levels: constant, state, action, temporal (Lamport, "Specifying Systems", section 17.2).
 *
 * The level of an expression is a number and a set of parameters it also depends on: Op(x) == x + 1
 * has level constant "and that of x". So walking an expression returns its level and leaves the
 * parameters on a stack, where the caller finds them above its mark. When an argument may be at
 * most of some level (a primed expression, a bound), that limit is remembered with every parameter
 * in the argument; applying Op later compares the arguments with the limits. Parameters are formal
 * parameters and the CONSTANTs and VARIABLEs of modules, for which an INSTANCE puts expressions.
 *
 * An operator parameter F(_) also remembers the levels of what it is applied to, since the operator
 * given for it must allow them.
 *
 * Operators declared RECURSIVE are looked at twice: once silently, taking them as constant, to
 * learn their level, and once with what was learned. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"

enum def_state { UNKNOWN, BUSY, DONE };

/* What an operator parameter is applied to at one position. */
struct op_use {
    enum level least;    /* the operator given for it must allow at least this */
    struct def **params; /* and the levels of these */
    size_t nparam;
};

/* Of a definition; of a parameter, constant or variable only what begins with `limit` matters. */
struct def_levels {
    enum def_state state;
    enum level level;
    enum level *max;    /* [arity] highest level of each argument */
    bool *weight;       /* [arity] the result has at least the argument's level */
    struct def **free_; /* other parameters the level depends on */
    size_t nfree;
    enum level limit;
    bool opaque; /* stands under a prime or the like, where equals cannot replace equals ("not
                    Leibniz") */
    struct op_use *uses; /* [arity] of an operator parameter */
    bool tracked; /* a bound name that is the parameter of a subexpression definition being looked
                     at */
};

struct levels {
    struct sem *sem;
    VEC(struct def *) params; /* see above */
    VEC(struct node *) spine;
    VEC(struct def *) journal; /* definitions done during a silent pass */
    VEC(enum level) at;        /* level of @, for each EXCEPT around */
    VEC(uint64_t) stamps;      /* by def id, for removing duplicates */
    uint64_t stamp;
    unsigned silent;
    struct resolver report; /* whose module reports are about */
};

static enum level expr_level(struct levels *l, struct node *node);
static struct def_levels *def_compute(struct levels *l, struct def *def);

static const char *const level_words[] = {"constant", "state", "action", "temporal"};

void levels_init(struct sem *sem)
{
    sem->levels = ARENA_NEW(sem->program->arena, struct levels);
    sem->levels->sem = sem;
}

void levels_done(struct sem *sem)
{
    struct levels *l = sem->levels;
    if (l) {
        VEC_DONE(&l->params);
        VEC_DONE(&l->spine);
        VEC_DONE(&l->journal);
        VEC_DONE(&l->at);
        VEC_DONE(&l->stamps);
    }
}

static enum level level_max(enum level a, enum level b)
{
    return a > b ? a : b;
}

static struct def_levels *info_of(struct levels *l, struct def *def)
{
    if (!def->private_) {
        struct def_levels *info = ARENA_NEW(l->sem->program->arena, struct def_levels);
        info->limit = LEVEL_TEMPORAL;
        def->private_ = info;
    }
    return def->private_;
}

/* ---- the stack of parameters ---- */

static void params_push(struct levels *l, struct def *def)
{
    VEC_PUSH(&l->params, def);
}

static void params_limit(struct levels *l, size_t mark, enum level limit)
{
    for (size_t i = mark; limit < LEVEL_TEMPORAL && i < l->params.n; i++) {
        struct def_levels *info = info_of(l, l->params.v[i]);
        info->limit = limit < info->limit ? limit : info->limit;
    }
}

/* Leaves each parameter above the mark once. */
static void params_unique(struct levels *l, size_t mark)
{
    if (l->params.n - mark < 2) {
        return;
    }
    l->stamp++;
    size_t need = l->sem->program->next_def_id;
    while (l->stamps.n < need) {
        VEC_PUSH(&l->stamps, 0);
    }
    size_t n = mark;
    for (size_t i = mark; i < l->params.n; i++) {
        struct def *def = l->params.v[i];
        if (l->stamps.v[def->id] != l->stamp) {
            l->stamps.v[def->id] = l->stamp;
            l->params.v[n++] = def;
        }
    }
    l->params.n = n;
}

static void params_opaque(struct levels *l, size_t mark)
{
    for (size_t i = mark; i < l->params.n; i++) {
        info_of(l, l->params.v[i])->opaque = true;
    }
}

static bool params_have(const struct levels *l, size_t mark, const struct def *def)
{
    for (size_t i = mark; i < l->params.n; i++) {
        if (l->params.v[i] == def) {
            return true;
        }
    }
    return false;
}

static void params_remove(struct levels *l, size_t mark, const struct def *def)
{
    size_t n = mark;
    for (size_t i = mark; i < l->params.n; i++) {
        if (l->params.v[i] != def) {
            l->params.v[n++] = l->params.v[i];
        }
    }
    l->params.n = n;
}

/* ---- arguments ---- */

struct arg_rule {
    enum level max;
    bool weight; /* its level passes on */
    bool opaque;
    enum diag_code code;
    const char *what; /* "what must be at most state level" */
};

static void report_level(struct levels *l, enum diag_code code, const struct node *node,
                         const char *what, enum level max, enum level got)
{
    if (!l->silent) {
        sem_report(&l->report, code, node->span,
                   "%s can be of %s level at most, but this is of %s level", what, level_words[max],
                   level_words[got]);
    }
}

/* An argument of level `got` whose parameters are above the mark. Returns what it adds to the level
 * of the whole. */
static enum level use_arg(struct levels *l, const struct node *arg, struct arg_rule rule,
                          enum level got, size_t mark)
{
    if (got > rule.max) {
        report_level(l, rule.code, arg, rule.what, rule.max, got);
    }
    params_limit(l, mark, rule.max);
    if (rule.opaque) {
        params_opaque(l, mark);
    }
    if (!rule.weight) {
        l->params.n = mark;
        return LEVEL_CONSTANT;
    }
    return got;
}

static enum level take_kid(struct levels *l, struct node *kid, struct arg_rule rule)
{
    size_t mark = l->params.n;
    enum level got = expr_level(l, kid);
    return use_arg(l, kid, rule, got, mark);
}

static const struct arg_rule rule_logic = {LEVEL_TEMPORAL, true, false, DIAG_LEVEL_ARG, "this"};
static const struct arg_rule rule_plain = {LEVEL_ACTION, true, false, DIAG_LEVEL_ARG,
                                           "what stands here"};

/* ---- application ---- */

/* Level of an operator that is named, not applied. */
static enum level operator_level(struct levels *l, struct def *def)
{
    switch (def->kind) {
    case DEF_OP: {
        struct def_levels *info = def_compute(l, def);
        for (size_t i = 0; i < info->nfree; i++) {
            params_push(l, info->free_[i]);
        }
        return info->level;
    }
    case DEF_CONST:
    case DEF_PARAM: params_push(l, def); return LEVEL_CONSTANT;
    case DEF_VAR: params_push(l, def); return LEVEL_STATE;
    case DEF_BOUND:
        if (info_of(l, def)->tracked) {
            params_push(l, def);
        }
        return LEVEL_CONSTANT;
    default: return def->level;
    }
}

static struct arg_rule rule_of(struct levels *l, struct def *def, size_t index)
{
    struct arg_rule rule = rule_logic;
    if (def->kind == DEF_BUILTIN) {
        struct builtin_levels levels = builtin_levels(def->name);
        bool prime = str_is(def->name, "'") || str_is(def->name, "UNCHANGED");
        rule.max = levels.max[index > 0];
        rule.weight = levels.weight[index > 0];
        rule.opaque = !rule.weight;
        rule.code = prime ? DIAG_LEVEL_PRIME : DIAG_LEVEL_ARG;
        rule.what = prime ? "what is primed" : "this operand";
    } else if (def->kind == DEF_OP && index < def->arity) {
        struct def_levels *info = def_compute(l, def);
        rule.max = info->max ? info->max[index] : LEVEL_TEMPORAL;
        rule.weight = info->weight ? info->weight[index] : true;
        rule.opaque = def->params && info_of(l, def->params[index])->opaque;
        rule.what = "this argument";
    }
    return rule;
}

/* An argument that may be an operator: a LAMBDA's own parameters do not count outside. */
static enum level arg_level(struct levels *l, struct node *arg)
{
    if (arg->kind == N_LAMBDA) {
        size_t mark = l->params.n;
        enum level level = expr_level(l, arg->kid[arg->nkid - 1]);
        for (uint32_t i = 0; i + 1 < arg->nkid; i++) {
            params_remove(l, mark, arg->kid[i]->ref);
        }
        return level;
    }
    if ((arg->kind == N_ID || arg->kind == N_BANG) && arg->ref &&
        ((const struct def *)arg->ref)->arity) {
        return operator_level(l, (struct def *)arg->ref);
    }
    return expr_level(l, arg);
}

/* ---- operators as arguments ---- */

static struct op_use *uses_of(struct levels *l, struct def *op)
{
    struct def_levels *info = info_of(l, op);
    if (!info->uses) {
        info->uses = ARENA_ARRAY(l->sem->program->arena, struct op_use, op->arity);
    }
    return info->uses;
}

static void use_add(struct levels *l, struct op_use *use, struct def *param)
{
    for (size_t i = 0; i < use->nparam; i++) {
        if (use->params[i] == param) {
            return;
        }
    }
    if ((use->nparam & (use->nparam - 1)) == 0) {
        struct def **bigger =
            ARENA_ARRAY(l->sem->program->arena, struct def *, use->nparam ? use->nparam * 2 : 1);
        if (use->nparam) {
            memcpy(bigger, use->params, use->nparam * sizeof bigger[0]);
        }
        use->params = bigger;
    }
    use->params[use->nparam++] = param;
}

/* The parameter `op` is applied to something of level `got` at this position; its parameters are
 * above the mark. */
static void use_note(struct levels *l, struct def *op, size_t position, enum level got, size_t mark)
{
    struct op_use *use = &uses_of(l, op)[position];
    use->least = level_max(use->least, got);
    for (size_t i = mark; i < l->params.n; i++) {
        use_add(l, use, l->params.v[i]);
    }
}

/* The highest level that an operator argument allows at a position. */
static enum level operator_max(struct levels *l, struct node *arg, size_t position)
{
    if (arg->kind == N_LAMBDA) {
        struct def *param = position + 1 < arg->nkid ? (struct def *)arg->kid[position]->ref : NULL;
        return param ? info_of(l, param)->limit : LEVEL_TEMPORAL;
    }
    struct def *def = (struct def *)arg->ref;
    return def ? rule_of(l, def, position).max : LEVEL_TEMPORAL;
}

static struct def *operator_param(const struct node *arg)
{
    struct def *def = arg->kind == N_ID ? (struct def *)arg->ref : NULL;
    return def && (def->kind == DEF_PARAM || def->kind == DEF_CONST) ? def : NULL;
}

/* Argument j of `def` is what its operator parameter i is applied to at `position`. */
static void pass_to_operator(struct levels *l, struct node *op_arg, size_t position,
                             struct node *arg)
{
    size_t mark = l->params.n;
    l->silent++;
    enum level got = arg_level(l, arg);
    l->silent--;
    struct def *param = operator_param(op_arg);
    if (param) {
        use_note(l, param, position, got, mark);
    } else {
        enum level max = operator_max(l, op_arg, position);
        if (got > max) {
            report_level(l, DIAG_LEVEL_ARG, arg, "what this operator argument is applied to", max,
                         got);
        }
        params_limit(l, mark, max);
    }
    l->params.n = mark;
}

static void check_operator_arg(struct levels *l, struct def *def, struct node *const *args,
                               size_t n, size_t i)
{
    struct def *formal = def->params[i];
    struct op_use *uses = uses_of(l, formal);
    struct def *param = operator_param(args[i]);
    for (uint32_t position = 0; position < formal->arity; position++) {
        struct op_use *use = &uses[position];
        if (param && position < param->arity) {
            use_note(l, param, position, use->least, l->params.n);
        } else if (!param && operator_max(l, args[i], position) < use->least) {
            report_level(l, DIAG_LEVEL_ARG, args[i], "what this operator is applied to",
                         operator_max(l, args[i], position), use->least);
        }
        for (size_t k = 0; k < use->nparam; k++) {
            for (size_t j = 0; j < n; j++) {
                if (def->params[j] == use->params[k] && j != i) {
                    pass_to_operator(l, args[i], position, args[j]);
                }
            }
        }
    }
}

static enum level apply_level(struct levels *l, struct def *def, struct node *const *args, size_t n)
{
    size_t mark = l->params.n;
    enum level level = operator_level(l, def);
    bool param = def->kind == DEF_PARAM || def->kind == DEF_CONST;
    for (size_t i = 0; i < n; i++) {
        size_t arg_mark = l->params.n;
        enum level got = arg_level(l, args[i]);
        if (param && i < def->arity) {
            use_note(l, def, i, got, arg_mark);
        }
        level = level_max(level, use_arg(l, args[i], rule_of(l, def, i), got, arg_mark));
    }
    for (size_t i = 0; i < n && i < def->arity && def->kind == DEF_OP && def->params; i++) {
        if (def->params[i]->arity) {
            check_operator_arg(l, def, args, n < def->arity ? n : def->arity, i);
        }
    }
    params_unique(l, mark);
    return level;
}

static enum level call_level(struct levels *l, struct node *node)
{
    struct node *callee = node->kind == N_APP ? node->kid[0] : node;
    struct def *def = (struct def *)callee->ref;
    if (!def) {
        return LEVEL_CONSTANT;
    }
    size_t n = def->arity;
    struct node **args = ARENA_ARRAY(l->sem->program->arena, struct node *, n);
    n = bang_args(node, args, n);
    return apply_level(l, def, args, n);
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

static void instance_check(struct levels *l, struct instance *inst);

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
    return expr_level(l, node->kid[node->nkid - 1]);
}

static enum level leaf_level(struct levels *l, struct node *node)
{
    switch (node->kind) {
    case N_ID: return node->ref ? operator_level(l, (struct def *)node->ref) : LEVEL_CONSTANT;
    case N_BANG:
    case N_APP: return call_level(l, node);
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
    case N_LABEL: return expr_level(l, node->kid[node->nkid - 1]);
    case N_BOXACT:
    case N_ANGLEACT:
    case N_WF:
    case N_SF: return subscript_level(l, node);
    case N_FIELD: return kids_level(l, node, 0, rule_logic);
    case N_LAMBDA: return arg_level(l, node);
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
        enum level got = expr_level(l, node->kid[i]);
        action = action || got == LEVEL_ACTION;
        temporal = temporal || got == LEVEL_TEMPORAL;
        two[1] = got;
        if (declared) {
            use_note(l, declared, i, got, kid_mark);
        }
        level = level_max(level, use_arg(l, node->kid[i], spine_rule(l, node, i), got, kid_mark));
    }
    if (node->kind == N_OP) {
        level = level_max(level, operator_level(l, (struct def *)node->ref));
        check_temporal(l, node, two);
    }
    if (action && temporal && is_logic(node) && !l->silent) {
        sem_report(&l->report, DIAG_LEVEL_TEMPORAL, node->span,
                   "a temporal formula and an action are joined");
    }
    params_unique(l, mark);
    return level;
}

static enum level expr_level(struct levels *l, struct node *node)
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

/* ---- definitions ---- */

static enum level subst_level(struct levels *l, const struct subst *subst)
{
    if (subst->expr) {
        return arg_level(l, subst->expr);
    }
    return subst->actual ? operator_level(l, subst->actual) : LEVEL_CONSTANT;
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
    return def->body ? expr_level(l, def->body) : LEVEL_CONSTANT;
}

/* What the walk over the body left on the stack becomes the definition's information. */
static void info_store(struct levels *l, struct def *def, struct def_levels *info, enum level level,
                       size_t mark)
{
    struct arena *arena = l->sem->program->arena;
    params_unique(l, mark);
    info->level = level_max(info->level, level);
    if (!info->weight) {
        info->weight = ARENA_ARRAY(arena, bool, def->arity);
        info->max = ARENA_ARRAY(arena, enum level, def->arity);
    }
    for (uint32_t i = 0; i < def->arity && def->params; i++) {
        info->weight[i] = params_have(l, mark, def->params[i]);
        info->max[i] = info_of(l, def->params[i])->limit;
        params_remove(l, mark, def->params[i]);
    }
    info->nfree = l->params.n - mark;
    info->free_ = ARENA_ARRAY(arena, struct def *, info->nfree);
    if (info->nfree) {
        memcpy(info->free_, l->params.v + mark, info->nfree * sizeof info->free_[0]);
    }
    l->params.n = mark;
    def->level = info->level;
}

static void track_bound_params(struct levels *l, struct def *def, bool on)
{
    for (uint32_t i = 0; def->params && i < def->arity; i++) {
        if (def->params[i]->kind == DEF_BOUND) {
            info_of(l, def->params[i])->tracked = on;
        }
    }
}

/* A subexpression's definition, or a named fact: the body is reported about where it stands. */
static bool is_part(const struct def *def)
{
    return def->is_theorem ||
           (def->name.n && def->body && def->decl && !def->orig && def->decl->ref != def);
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
    if (l->silent) {
        VEC_PUSH(&l->journal, def);
    }
}

static void check_recursive_params(struct levels *l, struct def *def)
{
    for (uint32_t i = 0; def->params && i < def->arity && !l->silent; i++) {
        if (info_of(l, def->params[i])->limit < LEVEL_ACTION) {
            sem_report(&l->report, DIAG_LEVEL_PRIME, node_name_span(def->decl),
                       "the recursive operator '%.*s' primes its parameter '%.*s'",
                       STR_ARG(def->name), STR_ARG(def->params[i]->name));
        }
    }
}

static struct def_levels *def_compute(struct levels *l, struct def *def)
{
    struct def_levels *info = info_of(l, def);
    if (info->state != UNKNOWN) {
        return info;
    }
    if (def->recursive && !def->orig) {
        size_t journal = l->journal.n;
        l->silent++;
        compute_once(l, def, info);
        l->silent--;
        while (l->journal.n > journal) {
            struct def *again = VEC_POP(&l->journal);
            info_of(l, again)->state = UNKNOWN;
        }
    }
    compute_once(l, def, info);
    if (def->recursive && !def->orig) {
        check_recursive_params(l, def);
    }
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
            if (expr->kid[i]->ref && info_of(l, (struct def *)expr->kid[i]->ref)->opaque) {
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
    struct op_use *uses = uses_of(l, subst->formal);
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
            max = operator_max(l, subst->expr, position);
        } else if (subst->actual) {
            max = rule_of(l, subst->actual, position).max;
        }
        if (uses[position].least > max) {
            report_level(l, DIAG_LEVEL_SUBST, at, "the argument of what is substituted here", max,
                         uses[position].least);
        }
        for (uint32_t i = 0; i < inst->nsubst; i++) {
            bool used = false;
            for (size_t k = 0; k < uses[position].nparam; k++) {
                used = used || uses[position].params[k] == inst->substs[i].formal;
            }
            size_t mark = l->params.n;
            enum level got = used ? subst_level(l, &inst->substs[i]) : LEVEL_CONSTANT;
            l->params.n = mark;
            if (got > max) {
                report_level(l, DIAG_LEVEL_SUBST, at, "the argument of what is substituted here",
                             max, got);
            }
        }
    }
}

static void instance_check(struct levels *l, struct instance *inst)
{
    bool constant = module_constant(l, inst->target);
    for (uint32_t i = 0; i < inst->nsubst; i++) {
        struct subst *subst = &inst->substs[i];
        size_t mark = l->params.n;
        enum level got = subst_level(l, subst);
        enum level max = constant                         ? info_of(l, subst->formal)->limit
                         : subst->formal->kind == DEF_VAR ? LEVEL_STATE
                                                          : LEVEL_CONSTANT;
        if (got > max) {
            const struct node *at = subst->expr ? subst->expr : inst->node;
            SCOPED_STRBUF what = {0};
            strbuf_printf(&what, "what is substituted for '%.*s'", STR_ARG(subst->formal->name));
            report_level(l, DIAG_LEVEL_SUBST, at, strbuf_cstr(&what), max, got);
        } else if (subst->formal->arity) {
            operator_subst_check(l, inst, subst);
        }
        params_limit(l, mark, max);
        if (info_of(l, subst->formal)->opaque) {
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
    enum level level = expr_level(l, expr);
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

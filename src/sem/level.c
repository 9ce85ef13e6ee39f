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
#include "sem/level_int.h"
#include "sem/sem.h"
#include "sem/sem_int.h"
#include "syntax/ast.h"
#include "syntax/diag.h"

const char *const level_words[4] = {"constant", "state", "action", "temporal"};

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

struct def_levels *level_info_of(struct levels *l, struct def *def)
{
    if (!def->private_) {
        struct def_levels *info = ARENA_NEW(l->sem->program->arena, struct def_levels);
        info->limit = LEVEL_TEMPORAL;
        def->private_ = info;
    }
    return def->private_;
}

/* ---- the stack of parameters ---- */

void params_push(struct levels *l, struct def *def)
{
    VEC_PUSH(&l->params, def);
}

void params_limit(struct levels *l, size_t mark, enum level limit)
{
    for (size_t i = mark; limit < LEVEL_TEMPORAL && i < l->params.n; i++) {
        struct def_levels *info = level_info_of(l, l->params.v[i]);
        info->limit = limit < info->limit ? limit : info->limit;
    }
}

/* Leaves each parameter above the mark once. */
void params_unique(struct levels *l, size_t mark)
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

void params_opaque(struct levels *l, size_t mark)
{
    for (size_t i = mark; i < l->params.n; i++) {
        level_info_of(l, l->params.v[i])->opaque = true;
    }
}

bool params_have(const struct levels *l, size_t mark, const struct def *def)
{
    for (size_t i = mark; i < l->params.n; i++) {
        if (l->params.v[i] == def) {
            return true;
        }
    }
    return false;
}

void params_remove(struct levels *l, size_t mark, const struct def *def)
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

void level_report(struct levels *l, enum diag_code code, const struct node *node, const char *what,
                  enum level max, enum level got)
{
    if (!l->silent) {
        sem_report(&l->report, code, node->span,
                   "%s can be of %s level at most, but this is of %s level", what, level_words[max],
                   level_words[got]);
    }
}

/* An argument of level `got` whose parameters are above the mark. Returns what it adds to the level
 * of the whole. */
enum level use_arg(struct levels *l, const struct node *arg, struct arg_rule rule, enum level got,
                   size_t mark)
{
    if (rule.max < LEVEL_TEMPORAL && got > rule.max) {
        level_report(l, rule.code, arg, rule.what, rule.max, got);
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

const struct arg_rule rule_logic = {LEVEL_TEMPORAL, true, false, DIAG_LEVEL_ARG, "this"};
const struct arg_rule rule_plain = {LEVEL_ACTION, true, false, DIAG_LEVEL_ARG, "what stands here"};

/* ---- application ---- */

/* Level of an operator that is named, not applied. */
enum level level_operator(struct levels *l, struct def *def)
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
        if (level_info_of(l, def)->tracked) {
            params_push(l, def);
        }
        return LEVEL_CONSTANT;
    default: return def->level;
    }
}

struct arg_rule rule_of(struct levels *l, struct def *def, size_t index)
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
        rule.opaque = def->params && level_info_of(l, def->params[index])->opaque;
        rule.what = "this argument";
    }
    return rule;
}

/* An argument that may be an operator: a LAMBDA's own parameters do not count outside. */
enum level level_arg(struct levels *l, struct node *arg)
{
    if (arg->kind == N_LAMBDA) {
        size_t mark = l->params.n;
        enum level level = level_expr(l, arg->kid[arg->nkid - 1]);
        for (uint32_t i = 0; i + 1 < arg->nkid; i++) {
            params_remove(l, mark, arg->kid[i]->ref);
        }
        return level;
    }
    if ((arg->kind == N_ID || arg->kind == N_BANG) && arg->ref &&
        ((const struct def *)arg->ref)->arity) {
        return level_operator(l, (struct def *)arg->ref);
    }
    return level_expr(l, arg);
}

/* ---- operators as arguments ---- */

struct op_use *use_of(struct levels *l, struct def *op)
{
    struct def_levels *info = level_info_of(l, op);
    if (!info->uses) {
        info->uses = ARENA_ARRAY(l->sem->program->arena, struct op_use, op->arity);
    }
    return info->uses;
}

bool use_has(const struct op_use *use, const struct def *param)
{
    for (size_t i = 0; i < use->nparam; i++) {
        if (use->params[i] == param) {
            return true;
        }
    }
    return false;
}

static void use_add(struct levels *l, struct op_use *use, struct def *param)
{
    if (use_has(use, param)) {
        return;
    }
    if ((use->nparam & (use->nparam - 1)) == 0) {
        struct def **bigger =
            ARENA_ARRAY(l->sem->program->arena, struct def *, use->nparam ? use->nparam * 2 : 1);
        for (size_t i = 0; i < use->nparam; i++) {
            bigger[i] = use->params[i];
        }
        use->params = bigger;
    }
    use->params[use->nparam++] = param;
}

/* The parameter `op` is applied to something of level `got` at this position; its parameters are
 * above the mark. */
void use_note(struct levels *l, struct def *op, size_t position, enum level got, size_t mark)
{
    struct op_use *use = &use_of(l, op)[position];
    use->least = level_max(use->least, got);
    for (size_t i = mark; i < l->params.n; i++) {
        use_add(l, use, l->params.v[i]);
    }
}

/* The highest level that an operator argument allows at a position. */
enum level level_operator_max(struct levels *l, struct node *arg, size_t position)
{
    if (arg->kind == N_LAMBDA) {
        struct def *param = position + 1 < arg->nkid ? (struct def *)arg->kid[position]->ref : NULL;
        return param ? level_info_of(l, param)->limit : LEVEL_TEMPORAL;
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
    enum level got = level_arg(l, arg);
    l->silent--;
    struct def *param = operator_param(op_arg);
    if (param) {
        use_note(l, param, position, got, mark);
    } else {
        enum level max = level_operator_max(l, op_arg, position);
        if (got > max) {
            level_report(l, DIAG_LEVEL_ARG, arg, "what this operator argument is applied to", max,
                         got);
        }
        params_limit(l, mark, max);
    }
    l->params.n = mark;
}

/* Parameter i of `def` is an operator; what it is applied to inside must suit the one given for it.
 */
static void check_operator_arg(struct levels *l, struct def *def, struct node *const *args,
                               size_t n, size_t i)
{
    struct def *formal = def->params[i];
    struct def *param = operator_param(args[i]);
    for (uint32_t position = 0; position < formal->arity; position++) {
        struct op_use *use = &use_of(l, formal)[position];
        if (param && position < param->arity) {
            use_note(l, param, position, use->least, l->params.n);
        } else if (!param && level_operator_max(l, args[i], position) < use->least) {
            level_report(l, DIAG_LEVEL_ARG, args[i], "what this operator is applied to",
                         level_operator_max(l, args[i], position), use->least);
        }
        for (size_t j = 0; j < n; j++) {
            if (j != i && use_has(use, def->params[j])) {
                pass_to_operator(l, args[i], position, args[j]);
            }
        }
    }
}

static enum level apply_level(struct levels *l, struct def *def, struct node *const *args, size_t n)
{
    size_t mark = l->params.n;
    enum level level = level_operator(l, def);
    bool param = def->kind == DEF_PARAM || def->kind == DEF_CONST;
    for (size_t i = 0; i < n; i++) {
        size_t arg_mark = l->params.n;
        enum level got = level_arg(l, args[i]);
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

enum level level_call(struct levels *l, struct node *node)
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

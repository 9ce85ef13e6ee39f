/* Private to level.c, level_expr.c and level_def.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    bool learning; /* the levels of recursive operators */
    bool changed;
    struct resolver report; /* whose module reports are about */
};

/* What is asked of an argument. */
struct arg_rule {
    enum level max;
    bool weight; /* its level passes on */
    bool opaque;
    enum diag_code code;
    const char *what; /* "what must be at most state level" */
};

/* ---- level.c: parameters, arguments, application ---- */
extern const char *const level_words[4];
extern const struct arg_rule rule_logic; /* any level, passed on */
extern const struct arg_rule rule_plain; /* up to actions, passed on */
struct def_levels *level_info_of(struct levels *l, struct def *def);
void params_push(struct levels *l, struct def *def);
void params_limit(struct levels *l, size_t mark, enum level limit);
void params_unique(struct levels *l, size_t mark);
void params_opaque(struct levels *l, size_t mark);
bool params_have(const struct levels *l, size_t mark, const struct def *def);
void params_remove(struct levels *l, size_t mark, const struct def *def);
void level_report(struct levels *l, enum diag_code code, const struct node *node, const char *what,
                  enum level max, enum level got);
enum level use_arg(struct levels *l, const struct node *arg, struct arg_rule rule, enum level got,
                   size_t mark);
enum level level_operator(struct levels *l, struct def *def);
struct arg_rule rule_of(struct levels *l, struct def *def, size_t index);
enum level level_arg(struct levels *l, struct node *arg);
struct op_use *use_of(struct levels *l, struct def *op);
bool use_has(const struct op_use *use, const struct def *param);
void use_note(struct levels *l, struct def *op, size_t position, enum level got, size_t mark);
enum level level_operator_max(struct levels *l, struct node *arg, size_t position);
enum level level_call(struct levels *l, struct node *node);

/* ---- level_expr.c ---- */
enum level level_expr(struct levels *l, struct node *node);

/* ---- level_def.c ---- */
struct def_levels *def_compute(struct levels *l, struct def *def);
void instance_check(struct levels *l, struct instance *inst);

static inline enum level level_max(enum level a, enum level b)
{
    return a > b ? a : b;
}

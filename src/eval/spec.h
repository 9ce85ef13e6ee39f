/* Private to eval: taking the specification and the configuration apart. */
#pragma once

#include <stddef.h>

#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

/* A formula with the environment that gives its names a meaning. */
struct scoped {
    const struct node *node;
    struct env *env;
    const char *name;
};

struct spec_parts {
    VEC(struct scoped) inits;    /* conjuncts of the initial predicate */
    struct scoped next;          /* node NULL when absent */
    VEC(struct scoped) fairness; /* temporal conjuncts of the specification */
};

/* spec_config.c */
void spec_constants(struct spec *spec, const struct config *config);
/* Fails when a constant is replaced by something that has no value without a state. */
void spec_check_replacements(struct spec *spec, const struct config *config);
struct def *spec_lookup(struct spec *spec, struct str name);

/* spec_split.c */
/* What a name leads to while a formula is taken apart: a body to go on with, a value, or nothing
 * that can be followed. */
struct spec_step {
    const struct node *node; /* NULL: not to be followed */
    struct lc lc;
    const char *name; /* NULL: the name had before */
    bool is_value;
    struct val value;
};
struct spec_step spec_follow(struct spec *spec, struct lc lc, const struct node *node);
void spec_split(struct spec *spec, struct lc lc, const struct node *node, const char *name,
                struct spec_parts *parts);
void spec_property(struct spec *spec, struct lc lc, const struct node *node, const char *name);
struct unit *spec_predicate(struct spec *spec, struct env *env, const struct node *node);

/* temporal.c */
struct tform *tform_lower(struct spec *spec, struct lc lc, const struct node *node);
struct tform *tform_new(struct spec *spec, enum tf_kind kind, size_t n);
/* Calls fn for every way to bind the variables of a quantifier, the first varying fastest. False
 * when a bound is not constant or has no value. */
bool spec_unroll(struct spec *spec, struct lc lc, const struct node *quantifier,
                 void (*fn)(struct spec *spec, struct lc lc, void *arg), void *arg, size_t *ret_n);

/* const.c */
struct val ev_cell_value(struct ev *ev, struct const_cell *cell);
void spec_fold(
    struct spec *spec); /* evaluates every constant definition; failures are left for their use */
void spec_assumes(struct spec *spec); /* fails when one is false */
struct val
spec_constant(struct spec *spec, struct env *env,
              const struct node *set); /* a constant set, forced and frozen; fails as spec_fail */
/* The same, for any value and without failing. */
bool spec_try_constant(struct spec *spec, struct env *env, const struct node *node,
                       struct val *ret);
const char *ev_place_text(struct spec *spec, const struct node *node);
__attribute__((format(printf, 3, 4))) void spec_warn(struct spec *spec, int code, const char *fmt,
                                                     ...);

/* TLCGet("spec") tells of a part; see info_tlc.c. */
void spec_tell(struct spec *spec, enum told_kind kind, const char *name, const struct node *node);

struct val spec_run(struct spec *spec, const struct unit *unit,
                    const struct node *at); /* any constant expression */
struct val closure_tabulate(struct ev *ev, struct val v);

/* apply.c */
void spec_operators(struct spec *spec);

/* What may have been meant by a name in the configuration that means nothing; or NULL. (make.c) */
const char *spec_config_hint(struct spec *spec, struct str name);
/* symmetry.c */
void spec_symmetry(struct spec *spec, const struct config *config);

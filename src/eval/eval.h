/* From a checked program and a configuration to something that runs: a struct model, or the value
 * of an expression.
 *
 * eval lowers the tree to a graph of nodes with function pointers (one C function for each
 * operation), resolves INSTANCE substitutions and configuration overrides on the way, and
 * enumerates initial states and successors as TLC does. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/source.h"
#include "value/value.h"

struct eval_options {
    struct strtab *strings; /* shared with the parser's `seen`, so that strings have TLC's order */
    uint64_t set_size_max;  /* 0 = 1000000 */
    uint64_t scratch_bytes_max; /* memory one worker may use for one state; 0 = a quarter of the
                                   machine */
    size_t stack_bytes;         /* C stack of the threads that will evaluate; 0 = 8 MiB */
    bool no_deadlock;           /* -deadlock: do not check */
    bool action_composition;    /* allow \cdot (TLC: -Dtlc2.tool.impl.Tool.cdot=true) */
    bool no_symmetry;
    bool no_exec;      /* operators that run programs or write files fail */
    bool terse;        /* print lazy sets as they were written */
    bool coverage;     /* count evaluations of every expression */
    bool branches;     /* with coverage: count the arms that were taken, see model_branches */
    bool coverage_tlc; /* but not what TLC does not count: temporal properties, and all but the last
                          part of an initial predicate */
    struct def *const *invariants; /* extra ones, from -inv */
    const char *const *invariant_names;
    size_t ninvariant;
    int64_t level_max;                 /* -invlevel N: invariant TLCGet("level") < N; 0 = none */
    const char *const *postconditions; /* names, from the command line; "Mod!Op" */
    size_t npostcondition;
    struct def *const *operators; /* of the caller's, for model_apply */
    size_t noperator;
    /* Names of operators that name their steps wherever they stand in the next-state relation, also
     * inside a conjunction, where TLC (and model->actions without this) knows no action. */
    const struct str *labels;
    size_t nlabel;
    const char *const *properties; /* "name=value", from the command line */
    size_t nproperty;
    const char *spec_dir;
    uint64_t seed;
};

/* Why a model could not be made or a start-up step failed. */
struct eval_issue {
    int code;         /* TLC's message code: 2222 .. 2281, 2104 (ASSUME false), 2105 ... */
    int exit_status;  /* 151, 10, 75, ... */
    const char *text; /* without position */
    const char *hint; /* what may have been meant; or NULL */
    struct span span; /* valid when has_span */
    bool has_span;
    struct mplace *stack; /* evaluation stack, outermost first */
    size_t nstack;
};

/* Warnings that a model carries: unsound symmetry, liveness with constraints, ... */
struct eval_warning {
    int code; /* TLC's: 2284, 2300, 2257, 2259 ... */
    const char *text;
};

/* Builds the model. Everything lives in `arena` until model_free. Evaluates constants and checks
 * ASSUMEs (TLC does it at start). Returns 0; or -1 with *ret_issue filled. Must be called on a
 * thread whose stack is options->stack_bytes large. */
MUST_USE int model_from_spec(struct arena *arena, struct program *program,
                             const struct config *config, const struct eval_options *options,
                             struct mhost *host, struct model **ret_model,
                             struct eval_issue *ret_issue);
void model_free(struct model *model);
const struct eval_warning *model_warnings(const struct model *model, size_t *ret_n);
void model_warn(struct model *model, const char *text); /* one more; before the search */
/* Names of what TLC reports as "Implied-temporal checking" branches, for messages. */
uint32_t model_temporal_branches(const struct model *model);
/* Nodes that the specification was lowered to. */
uint32_t model_size(const struct model *model);

/* ---- operators of the caller's (options->operators) ---- */
/* The value of operators[index] for these arguments on the current state of the worker (after
 * load). It lives, as the arguments may, until the next load. MODEL_OK, or MODEL_ERROR with
 * worker->error. */
MUST_USE int model_apply(struct mworker *worker, size_t index, const struct val *args, size_t n,
                         struct val *ret);
/* Runs fn with the worker's context, whose arena is good until the next load. An operation on
 * values that fails ends it: MODEL_ERROR. */
MUST_USE int model_with_values(struct mworker *worker, void (*fn)(struct vctx *ctx, void *arg),
                               void *arg);

/* The variables that an operator of the caller's could read: now[model->nvar] and, of the next
 * state, next[model->nvar]. */
void model_operator_reads(const struct model *model, size_t index, bool *now, bool *next);
/* Those that a property (index in model->props) could read. Of [A]_<<x, y>>: what A reads; `frame`
 * has the variables of the subscript, when it is a tuple of variables. Arrays of the caller's,
 * [model->nvar]. */
struct property_reads {
    bool *now, *next, *frame;
};
void model_property_reads(const struct model *model, uint32_t prop, struct property_reads *ret);

/* Whether a property holds on a state that is given by its values, now[model->nvar]; an action
 * property, on the step from there to next[model->nvar] (NULL for others). The values are as good
 * as those of model_with_values. VAL_UNDEF: not known; who reads it fails, with TLC's code 2280. */
enum { MODEL_NO_VALUE = 2280 };
MUST_USE int model_holds(struct mworker *worker, uint32_t prop, const struct val *now,
                         const struct val *next, bool *ret);

/* ---- auxiliary variables ---- */

/* How a variable is used: a relevant one is read by something that decides about steps, predicates
 * or other relevant variables. */
struct variable_use {
    const char *name;
    bool relevant;
    const char *why;     /* of a relevant one: a clause, "the value of y is made from it" */
    struct mplace place; /* of the expression that reads it; line 0: none */
};
/* For each of model->vars; in the arena. */
struct variable_use *model_variable_uses(struct model *model, struct arena *arena);
/* Leaves variables out of the fingerprint: vars[model->nvar]. Before any worker is made. */
void model_leave_out(struct model *model, const bool *vars);

/* ---- partial-order reduction ---- */
struct order_reduction {
    const char *refused; /* why it is not possible for this model; NULL: it is */
    uint32_t groups;     /* of steps, by their place in the next-state relation */
    uint32_t owned;      /* that belong to a process */
    uint32_t local;      /* that touch only what is the process's own */
};
/* Prepares ops->next_ample. 0, or -1 with `refused`. After model_leave_out, before any worker is
 * made. */
int model_reduce_order(struct model *model, struct order_reduction *ret);

/* Evaluates a constant expression (assay eval, repl). Text of the value goes to out. Returns 0 or
 * -1 with *ret_issue. */
MUST_USE int eval_expression(struct arena *arena, struct program *program,
                             const struct config *config, struct def *def,
                             const struct eval_options *options, struct mhost *host,
                             struct strbuf *out, struct eval_issue *ret_issue);

/* The current state of a worker as its VIEW shows it (TLC's -view): by variables when the view is a
 * tuple of them, else one value without a name. MODEL_ERROR when there is no view. */
MUST_USE int model_view(struct mworker *worker, struct mvalues *ret);

/* ---- coverage (options->coverage) ---- */
enum coverage_kind {
    COVER_INIT,
    COVER_ACTION,
    COVER_EXPR,
    COVER_PROPERTY,
    COVER_CONSTRAINT,
    COVER_VARIABLE
};
struct coverage_row {
    enum coverage_kind kind;
    const char *name; /* action, property or constraint */
    struct mplace place;
    uint64_t count;    /* evaluations; for actions: states generated */
    uint64_t cost;     /* elements enumerated; 0 when none */
    uint64_t distinct; /* of a variable: values; of a constraint: how often it held */
    bool step;         /* part of an action: counts when it gives a state; an action constraint */
    bool primed;    /* gives a value to a variable of the next state: told of even when it is 0 */
    bool unchanged; /* in this way */
    bool body_last; /* bounds come before the body in the text */
};
/* All rows, in TLC's order, summed over the workers. The array lives in arena. */
size_t model_coverage(struct model *model, struct arena *arena, struct coverage_row **ret_rows);

/* ---- branches (options->coverage and options->branches) ----
 * The arms of the next-state relation: of IF, of CASE and of disjunctions, by their place in the
 * text. An arm of an action is taken when a successor is made through it that model_accept was
 * called for; an arm of an expression when it is the one chosen: of a disjunction the one that
 * makes it true. Expressions over constants only have no arms. */
struct branch_row {
    struct mplace place;
    uint64_t count; /* how often it was taken, by all workers */
};
/* Sorted by place; in the arena. Call it while no worker evaluates. */
size_t model_branches(struct model *model, struct arena *arena, struct branch_row **ret_rows);
/* Inside a sink: this candidate counts. */
void model_accept(struct mworker *worker);
/* Whether arms are counted now. Properties and constraints may share operators with Next: whoever
 * evaluates them inside a sink turns counting off for that. */
void model_counting(struct mworker *worker, bool on);

/* ---- steps as pairs of states ---- */
/* Inside a sink: values of the current state and of the candidate, [model->nvar] in the order of
 * model->vars, and the arms of disjunctions, IF and CASE among the actions on the way to it, as a
 * hash. Valid until the sink returns. */
struct step_view {
    struct vctx *ctx;
    const struct val *now, *next;
    uint64_t arms; /* 0 unless they are noted */
};
void model_step(struct mworker *worker, struct step_view *ret);
/* Whether arms are noted from the next enumeration on. */
void model_note_arms(struct mworker *worker, bool on);

/* ---- steps from states that are given as values ---- */
/* Makes vals[model->nvar] the current state; what they refer to lives until the next one. */
void model_at(struct mworker *worker, const struct val *vals, uint64_t level);
/* As next_action, but steps in which a parameter is known to have another value than args[i] are
 * left out; VAL_UNDEF: any. The sink may see others, too. Candidates have no fingerprint. */
MUST_USE int model_next_with(struct mworker *worker, uint32_t action, const struct val *args,
                             size_t n, model_sink sink, void *arg);

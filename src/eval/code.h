/* Lowered code and the machine that runs it: for the files of eval, and for cgen, which compiles
 * it.
 *
 * Code is a graph of `struct ex` (expressions) and `struct act` (actions that enumerate states),
 * each with a C function that runs it. Variables bound in the spec live in slots of a frame; one
 * frame belongs to one activation of a `struct unit`.
 *
 *   - Non-recursive operators are inlined: their parameters become lazy slots of the caller's unit,
 * evaluated at first use, or are substituted by name when they are trivial or used once. Where they
 * hold primes the value is kept until another variable gets a value or loses it (ev->epoch).
 *   - Recursive and large operators, operator arguments (VK_OPER), lazy functions and filters
 * (VK_LAMBDA, VK_FILTER) and thunks are units of their own; what they use of the enclosing unit is
 * copied into the closure when it is made.
 *   - Actions run in continuation-passing style: a conjunct that assigns x' calls the rest for
 * every value.
 *
 * Errors of the spec leave by longjmp to the entry point of the room (ev_try): nothing in here owns
 * anything but arena memory. */
#pragma once

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "ir/ir.h" /* IWYU pragma: export */
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

struct ev;
struct ex;
struct act;
struct unit;
struct guard;
struct spec;
struct spec_worker;
struct spec_parts;
struct por;

#define LOOP_INLINE 4
struct loop_var {
    const struct val *elems; /* canonical sets; NULL = iterate lazily */
    uint64_t at, n;
    int64_t first; /* intervals */
    bool interval;
    struct set_iter it;
};
struct loop {
    struct loop_var *v;
    struct loop_var inline_v[LOOP_INLINE];
};
/* Binds the first combination; false when there is none. The first variable varies fastest, as in
 * TLC. */
bool loop_start(struct ev *ev, const struct ex *x, const struct binder *b, struct val *fr,
                struct loop *loop);
bool loop_next(struct ev *ev, const struct ex *x, const struct binder *b, struct val *fr,
               struct loop *loop);
/* The next combination that is worth a try after the guard was false (NULL: no guard was). */
bool loop_skip(struct ev *ev, const struct ex *x, const struct binder *b, struct val *fr,
               struct loop *loop, const struct guard *guard);
void loop_bind(struct ev *ev, const struct ex *x, const struct binder_var *var, struct val *fr,
               struct val elem);

/* ---- actions ---- */
struct cont {
    const struct act *act;
    struct val *fr;
    const struct cont *next;
    const struct ex
        *test; /* the same as a condition: used once every variable has a value, as TLC does */
    const struct binder *binder; /* of \A: what row sets before the test */
    const struct val *row;
};
int act_continue(struct ev *ev, const struct cont *k);
static inline int act_run(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k);

/* ---- the machine ---- */
struct ev_trace_entry {
    const struct node *node;
};

/* TLCCache: a value that is known. */
struct spec_cached {
    const struct node *node; /* the expression */
    struct val key, value;   /* in spec->cache_arena */
};

/* Arguments that an action shall have (given.c): by slots of the next-state relation's frame. */
struct given {
    const struct val *fr; /* that frame */
    struct val *slots;    /* VAL_UNDEF: any */
};
struct binder;
bool given_fits(struct ev *ev, const struct binder *b, const struct val *fr);

struct ev {
    struct vctx vctx; /* first: vctx.owner == the ev */
    struct spec *spec;
    struct arena scratch; /* rewound for every state */
    struct val *s0, *s1;  /* current and next state, [nvar]; VAL_UNDEF = unassigned */
    bool hooks;           /* tracing or coverage: go the slow way */
    bool tracing;
    bool branches;  /* count arms, too; only with cover */
    bool note_arms; /* and keep a hash of those of actions that lead here: */
    uint64_t taken;
    VEC(struct ev_trace_entry) stack; /* while tracing: expressions being evaluated */
    VEC(const struct node *) failed;  /* positions of the last error, outermost first */
    uint64_t *cover;                  /* [spec->nex] evaluations, or NULL */
    uint64_t emitted;                 /* states so far, with coverage */
    uint64_t accepted;                /* those that model_accept was called for */
    struct u64map *values;            /* [spec->nvar] with coverage: hashes of the values seen */
    char *stack_limit;                /* address below which the C stack must not go */
    struct val *frames, *frames_end, *frame_top; /* stack of frames of closures */
    jmp_buf *catcher;                            /* where errors go */
    int err_code;
    char *err_text;
    size_t err_cap;
    uint32_t choose_checks; /* CHOOSEs that were looked at for symmetry */
    uint32_t missing;       /* variables that the state under construction still lacks */
    uint32_t stuck;         /* those whose values cannot be enumerated: no state may have such */
    /* Number of the assignment that was made last, of those that stand. What was read of the state
     * under construction holds while the number is the same: lazy values that read it are kept
     * with the number, and made again under another one. */
    uint64_t epoch, epochs;       /* epochs: numbers given so far */
    const void *refused;          /* the condition that was false last, see guards.h */
    const struct val *refused_fr; /* the frame in which it was */
    struct val unequal[2];        /* what the last equality compared that was false */
    uint32_t action;              /* number of the action being enumerated */
    uint32_t only_action;         /* enumerate this one only; NO_SLOT = all */
    struct given *given;          /* NULL: actions may have any arguments */
    struct val *action_frame;     /* frame in which the action's parameters can be read */
    int (*emit)(struct ev *ev);   /* called for each complete state */
    void *emit_arg;
    bool replaying;   /* enumerating again to find where an error was: emit nothing */
    bool composing;   /* in the second part of a composition */
    bool random_pick; /* -generate: random order, stop at the first */
    uint64_t level;
    uint32_t index; /* number of the worker; 0 outside of them */
    struct rng rng;
    struct ev_bank *bank; /* registers; NULL: the main bank (registers.c) */
    bool own_bank;        /* the bank is a copy that nobody else sees */
    bool for_all;         /* TLCSet is for all workers */
    uint64_t *possible;   /* for each _POSSIBLE predicate 1 + how often it held; 0: never asked */
    struct mhost *host;
    struct mworker *worker;
    struct arena keep; /* lives as long as the ev */
};

struct ev_register {
    int64_t index;
    struct val value;
    struct arena arena;
};
struct ev_bank {
    VEC(struct ev_register) regs;
    bool taken; /* by a worker */
};

struct val ev_eval_hooked(struct ev *ev, const struct ex *x, struct val *fr);
static inline struct val ex_eval(struct ev *ev, const struct ex *x, struct val *fr)
{
    if (__builtin_expect(ev->hooks, 0)) {
        return ev_eval_hooked(ev, x, fr);
    }
    return x->run(ev, x, fr);
}
int act_run_hooked(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k);
static inline int act_run(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    if (__builtin_expect(ev->hooks, 0)) {
        return act_run_hooked(ev, a, fr, k);
    }
    return a->run(ev, a, fr, k);
}
static inline void ev_check_stack(struct ev *ev);
__attribute__((noreturn, cold)) void ev_stack_overflow(struct ev *ev);
static inline void ev_check_stack(struct ev *ev)
{
    if (__builtin_expect((char *)__builtin_frame_address(0) < ev->stack_limit, 0)) {
        ev_stack_overflow(ev);
    }
}

/* Fails with TLC's text followed by the place of the expression. */
__attribute__((noreturn, cold, format(printf, 4, 5))) void
ev_fail(struct ev *ev, const struct node *at, int code, const char *fmt, ...);
/* Writes "line 3, col 5 to line 3, col 9 of module M". */
void ev_place(const struct spec *spec, const struct node *node, struct strbuf *out);
struct mplace ev_mplace(const struct spec *spec, const struct node *node);
__attribute__((noreturn, cold)) void ev_not_bool(struct ev *ev, const struct ex *x, struct val v,
                                                 const char *what);

/* Runs fn(arg) and catches errors of the spec: 0, or -1 with ev->err_code and ev->err_text set. */
int ev_try(struct ev *ev, void (*fn)(struct ev *ev, void *arg), void *arg);
int ev_init(struct ev *ev, struct spec *spec, unsigned index, uint64_t seed);
void ev_done(struct ev *ev);

struct val *frame_push(struct ev *ev, uint32_t nslot);
static inline void frame_pop(struct ev *ev, struct val *fr)
{
    ev->frame_top = fr;
}
/* Closures: an object with the unit's address and the captured values. */
struct val closure_oper(struct ev *ev, const struct unit *unit, struct val *fr);
struct val closure_thunk(struct ev *ev, const struct unit *unit, struct val *fr);
struct val closure_lambda(struct ev *ev, const struct unit *unit, struct val *fr,
                          struct val domain);
struct val closure_filter(struct ev *ev, const struct unit *unit, struct val *fr, struct val base);
/* A warning of the run, given once for each place. */
void ev_warn(struct ev *ev, int code, const struct node *at, const char *text);
struct val closure_freeze(struct ev *ev, struct arena *into, struct val oper);
void ev_stack_here(struct ev *ev);
const struct unit *closure_code(struct val lambda); /* of a LAMBDA; NULL: none, an EXCEPT made it */
struct val thunk_force(struct ev *ev, struct val thunk);
/* Runs a unit's body on a new frame with the captured values. */
struct val unit_call(struct ev *ev, const struct unit *unit, const struct val *captured,
                     const struct val *args, size_t nargs, struct val self);
/* What a unit captures of binding b, read from slot `from` of the frame around it; a lazy slot of
 * that frame's own unit that is still empty becomes a thunk. */
struct val closure_capture(struct ev *ev, const struct binding *b, uint32_t from, struct val *fr);
static inline uint64_t epoch_begin(struct ev *ev) /* returns the one to go back to */
{
    uint64_t before = ev->epoch;
    ev->epoch = ++ev->epochs;
    return before;
}

/* ---- lowering ---- */
struct env {
    const void *key; /* struct def *, or struct instance * */
    struct binding *binding;
    struct env *next;
    struct env *root; /* module level: constants and variables substituted by INSTANCE */
    struct unit
        *home; /* of a root: the unit whose slots the substitutions use; NULL when they use none */
};

/* Where lowering stands. Passed by value. */
struct lc {
    struct spec *spec;
    struct unit *unit;
    struct env *env;
    struct binding *at; /* meaning of @ */
    bool primed;
    bool init;           /* lowering the initial predicate */
    bool keep_lazy;      /* the value is applied at once: do not build the whole function */
    struct env *enabled; /* inside ENABLED: the module environment around it, which does not apply
                            to primed variables */
    bool by_name;        /* no frame yet (taking formulas apart): bind by name only */
};

const struct ex *lower(struct lc lc, const struct node *node);
const struct ex *lower_ref(struct lc lc, const struct node *at, const struct def *def,
                           struct binding **args, size_t nargs);
const struct act *lower_act(struct lc lc, const struct node *node);
const struct act *lower_next(struct lc lc, const struct node *node,
                             const char *name); /* with marks for the actions */
const struct ex *lower_builtin(struct lc lc, const struct node *at, const struct def *def,
                               struct binding **args, size_t nargs);
const struct ex *lower_binding(struct lc lc, const struct node *at, struct binding *b,
                               struct binding **args, size_t nargs);
struct ex *lower_ex(struct spec *spec, enum ex_op op, const struct node *src, size_t nkid);
struct ex *lower_ex_kids(struct spec *spec, enum ex_op op, const struct node *src,
                         const struct ex *const *kids, size_t n);
const struct ex *lower_ex_const(struct spec *spec, const struct node *src, struct val v);
struct env *env_bind(struct spec *spec, struct env *env, const void *key, struct binding *b);
struct binding *env_find(const struct env *env, const void *key);
struct binding *bind_new(struct lc lc, enum bind_kind kind);
struct binding *bind_node(struct lc lc, const struct node *node);
struct unit *unit_new(struct spec *spec, struct unit *parent);
uint32_t slot_new(struct unit *unit);
uint32_t
unit_slot_of(struct spec *spec, struct unit *unit,
             struct binding *b); /* the slot that holds b in this unit, captured when necessary */
/* What stands in f[a, b]: a tuple when there are several. */
const struct ex *lower_index(struct lc lc, const struct node *at, struct node *const *args,
                             size_t n);
struct binder *lower_bounds(struct lc *lc, struct node *const *bounds,
                            size_t nbound); /* extends lc->env */
/* Binds the parameters of def to args for inlining; slots that must be cleared on entry are pushed
 * to *slots. */
struct slot_list {
    VEC(uint32_t) v;
};
struct env *bind_args(struct lc lc, struct env *env, struct def *const *params,
                      const struct node *body, struct binding **args, size_t nargs,
                      struct slot_list *slots);
const struct ex *lower_wrap_let(struct spec *spec, const struct node *src, struct slot_list *slots,
                                const struct ex *body);
/* Enters the definition that `def` stands for: applies overrides and instance substitutions. On
 * return lc->env is the environment of *ret_def's body (parameters not yet bound) and args/nargs
 * are those left for it. Returns a binding instead when the name is a bound one. */
struct target {
    const struct def *def;
    struct binding *binding;
    struct binding **args;
    size_t nargs;
    bool has_value; /* the configuration gives a value */
    struct val value;
    const struct def_table *table; /* the configuration gives values for arguments */
    bool fresh;                    /* a variable that ENABLED binds */
    struct unit *home;             /* of a LET operator: the unit in which the LET stands */
};
struct target lower_resolve(struct lc *lc, const struct node *at, const struct def *def,
                            struct binding **args, size_t nargs);
const struct native *native_of_def(const struct spec *spec, const struct def *def);
size_t lower_node_args(struct lc lc, const struct node *node, struct binding ***ret_args,
                       const struct def **ret_def); /* of ID, OP, APP, BANG */
struct env *lower_let_env(struct lc lc, const struct node *let, struct slot_list *slots);
/* Level of an expression under substitutions. */
enum level lower_level_of(struct spec *spec, const struct node *node, struct env *env);
enum level lower_level_of_def(struct spec *spec, const struct def *def, struct env *env);
void lower_seal(
    struct spec *spec); /* finishes captures of recursive calls; before anything is run */
bool lower_is_builtin(const struct def *def, const char *name);
/* So many nodes that from here on operators are lowered once, and called, wherever that can be. */
bool lower_crowded(const struct spec *spec);

struct act *act_new(struct spec *spec, enum act_op op, const struct node *src, size_t nkid);
int act_emit(struct ev *ev);

/* A place that enumerates an action: its name and parameters. */
struct action_site {
    struct maction pub;
    uint32_t
        outer; /* the site with the mark around it: itself, but for labels inside (ACT_LABEL) */
    const struct node *node;
    const struct ex **args; /* values of pub.params, in the frame of the next-state unit */
    uint32_t nargs;
    uint32_t ntlc; /* parameters of the operator that TLC names it by */
    const char **tlc_params;
    const struct ex **tlc_args;
};

/* A part of the specification that TLCGet("spec") tells of; actions are told from their sites. */
enum told_kind {
    TOLD_INIT, /* ORDER TOLD */
    TOLD_TEMPORAL,
    TOLD_INVARIANT,
    TOLD_IMPLIED_INIT,
    TOLD_IMPLIED_TEMPORAL,
    TOLD_VARIABLE,
    TOLD_ACTION_CONSTRAINT,
    TOLD_CONSTRAINT,
    TOLD_IMPLIED_ACTION,
    TOLD_KINDS
};
struct told {
    enum told_kind kind;
    const char *name; /* NULL: TLC has none */
    struct mplace place;
};

/* ---- the specification as lowered ---- */
struct def_override {
    const struct def *def; /* replacement, or NULL */
    struct val value;      /* when there is no replacement and no table */
    const struct def_table *table;
    bool scoped; /* given for the module itself: instances see it too */
    bool has_value;
};
struct fun_key {
    const void *def, *env, *enabled;
    bool primed, init;
    uint8_t args; /* enum level: the highest of the arguments */
};
struct fun_entry {
    struct fun_key key;
    struct unit *unit;
    const uint32_t *vars;        /* actions: variables that parameters stand for, or NO_SLOT */
    struct binding *const *args; /* actions: what parameters stand for; NULL: a value is passed */
};
struct call_site {
    struct unit *from;
    struct call_info *info;
    struct unit *callee;
};
struct pred { /* a predicate to evaluate on a state or a step */
    const struct unit *unit;
    const char *name;
    const struct node *node;
    const struct pred_parts *parts; /* known.h; NULL: not taken apart */
};

struct possible {
    struct pred pred;
    bool action;
};

struct spec {
    struct model model; /* first: struct model * is struct spec * */
    struct arena *arena;
    struct program *program;
    struct eval_options options;
    struct strtab *strings;
    struct mhost *host;
    struct spec_parts *parts; /* while the model is made */
    VEC(struct told) told;    /* for TLCGet("spec") */
    struct ev *boot;          /* evaluator used while building */
    uint32_t nvar;
    const struct def **vars; /* [nvar] */
    VEC(const struct def *)
    extra_vars; /* variables of instantiated modules that are primed inside ENABLED: nvar, nvar + 1,
                   ... */
    bool *left_out;           /* [nvar] not in the fingerprint; NULL: all are */
    struct por *por;          /* NULL: no partial-order reduction */
    struct u64map var_of_def; /* def address -> index */
    struct u64map overrides;  /* def address -> struct def_override * */
    VEC(struct const_cell *) cells;
    struct u64map cell_memo;
    VEC(struct fun_entry) funs, act_funs;
    VEC(struct call_site) calls;
    struct u64map inst_memo;
    struct u64map level_memo;
    struct u64map def_facts; /* def address -> what size.c knows of it */
    uint64_t level_guesses;  /* how often the level of a recursive operator was not known yet */
    struct env *root_env;
    VEC(struct possible) possible; /* predicates that must hold somewhere */
    struct ev_bank main_bank;
    VEC(struct ev_bank *) banks; /* by the number of the worker; under lock */
    bool checking; /* the configuration is done with: assumptions and states come next */
    uint32_t inline_depth;
    uint32_t nex;                    /* expressions made so far */
    VEC(const struct ex *) all_ex;   /* with coverage */
    VEC(const struct act *) all_act; /* likewise: parts of actions that count, see cover.c */
    uint32_t constraint_ids;         /* of counters: for each constraint two, asked and held */
    VEC(struct unit *) units;
    /* what the model does */
    struct unit *init_unit;
    const struct act *init;
    struct unit *next_unit;
    const struct act *next;
    VEC(struct action_site) sites;
    VEC(struct mprop) props;
    VEC(struct pred) prop_preds; /* beside props */
    VEC(struct pred)
    assumes, constraints, action_constraints, postconditions, state_leaves, action_leaves;
    const struct unit **operators; /* [options.noperator] */
    /* Of the leaf <<A>>_v of a fairness condition: number of the state leaf ENABLED <<A>>_v, + 1.
     * Where that is false, or nothing changes, no step is one. 0 for other action leaves. */
    VEC(uint32_t) action_gates;
    struct pred view, alias;
    bool has_alias;
    struct val_perm *perms;
    size_t nperm;
    struct mlive live;
    VEC(struct mlive_prop) live_props;
    VEC(struct eval_warning) warnings;
    struct eval_issue *issue; /* where start-up errors go */
    const char *hint;         /* for the one that comes now; or NULL */
    jmp_buf *issue_catcher;
    const char **var_names; /* in TLC's printing order (declaration order) */
    uint32_t *print_order;  /* variables in the order in which TLC prints them */
    VEC(struct spec_worker *) workers;
    struct config const *config;
    pthread_mutex_t lock; /* guards workers, cover_sum and warned */
    uint64_t *cover_sum;  /* of workers that have gone */
    struct u64map *values_sum;
    VEC(const struct node *) warned;
    VEC(struct spec_cached *) cache; /* TLCCache; under lock, as the next two */
    struct u64map cache_index;       /* hash of expression and key -> the last such entry */
    struct arena cache_arena;
    struct starts *starts; /* initial states that are kept; NULL: none are (starts.c) */
};

/* branch.c: arms */
static inline void count_arm(struct ev *ev, const struct ex *x, uint32_t arm)
{
    if (__builtin_expect(ev->branches, 0) && ev->hooks) {
        ev->cover[x->slot + arm]++;
    }
}
int act_arm_run(struct ev *ev, const struct act *a, uint32_t arm, struct val *fr,
                const struct cont *k);

/* cover.c */
bool cover_is_step(const struct act *a);
int cover_act(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k);
/* A part that was evaluated as a condition: it counts when there are more states than before. */
bool cover_passed(struct ev *ev, const struct act *part, uint64_t before);
void cover_test(struct ev *ev, const struct ex *x);        /* after a condition of an action */
void cover_values(struct ev *ev, const struct val *state); /* of a state that was made */
/* Counts a constraint that was asked, when that is wanted, and returns `holds`. */
bool cover_constraint(struct ev *ev, uint32_t id, bool holds);
void cover_join(struct ev *ev);
void cover_leave(struct ev *ev); /* under the lock of the spec */
void cover_done(struct spec *spec);

/* ops_tlcext.c */
bool lower_cache_applies(struct spec *spec, const struct binding *expression);
const void *lower_definitions(struct lc lc, const struct node *at, const struct binding *name,
                              uint8_t *level);

/* info_tlc.c */
void info_intern(const struct spec *spec); /* names of fields, in TLC's order */
/* As TLCGet("action") shows an action; NO_SLOT: the initial predicate. */
struct val info_action(struct ev *ev, uint32_t action);
bool info_walks(const struct ev *ev); /* random simulation? */

__attribute__((noreturn, cold, format(printf, 5, 6))) void spec_fail(struct spec *spec, int code,
                                                                     int exit_status,
                                                                     const struct node *at,
                                                                     const char *fmt, ...);

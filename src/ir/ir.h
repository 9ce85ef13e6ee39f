/* The lowered specification: what is evaluated, analysed and compiled.
 *
 * It is a graph of `struct ex` (expressions) and `struct act` (actions that enumerate states). Each
 * node has an opcode; ops.def says for every opcode what its node holds. Variables bound in the
 * spec live in slots of a frame; one frame belongs to one activation of a `struct unit`.
 *
 * This room knows the shape of the graph and nothing of how it is made (eval/lower*.c), run
 * (eval/ops_*.c, eval/act.c) or compiled (cgen). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "value/value.h"

struct act;
struct binding;
struct cont;
struct def;
struct ev;
struct ex;
struct guards;
struct lc;
struct native;
struct node;
struct unit;

/* ---- opcodes ---- */
enum ex_op {
#define EX(NAME, ...) EX_##NAME,
#include "ir/ops.def"
    EX_COUNT
};
enum act_op {
#define ACT(NAME, ...) ACT_##NAME,
#include "ir/ops.def"
    ACT_COUNT
};

/* What a node holds besides its operands. */
enum ir_payload {
    IR_PAY_NONE,
    IR_PAY_VAL,    /* u.val */
    IR_PAY_CELL,   /* u.p = struct const_cell */
    IR_PAY_VAR,    /* u.i, of an action var: number of a variable */
    IR_PAY_VARS,   /* slots[nslot]: numbers of variables */
    IR_PAY_SLOT,   /* slot of the frame */
    IR_PAY_LET,    /* u.p = struct let_slots; of an action slots[nslot]: to be cleared on entry */
    IR_PAY_CALL,   /* u.p = struct call_info; of an action info = struct unit, and args */
    IR_PAY_UNIT,   /* u.p = struct unit */
    IR_PAY_NATIVE, /* u.p = struct native */
    IR_PAY_TABLE,  /* u.p = struct def_table */
    IR_PAY_TEXT,   /* u.p = characters */
    IR_PAY_BINDER, /* u.p = struct binder; of an action binder */
    IR_PAY_FCN,    /* u.p = struct fcn_info */
    IR_PAY_NAMES,  /* u.p = struct val [n]: names of fields */
    IR_PAY_EXCEPT, /* u.p = struct except_info */
    IR_PAY_ACTION, /* u.p = struct act */
    IR_PAY_GUARDS, /* info = struct act_case_info */
    IR_PAY_NODE,   /* u.p = struct node: the expression as written */
    IR_PAY_DEFS,   /* u.p: definitions by name, see ops_tlcext.c */
    IR_PAY_INDEX   /* u.i, of an action var: a number */
};

enum ir_flag {
    IR_TOTAL = 1 << 0,     /* never fails */
    IR_FAILS = 1 << 1,     /* can fail though its operands have values */
    IR_BOOL = 1 << 2,      /* its value is a truth value */
    IR_FOLD = 1 << 3,      /* cgen computes it when its operands are constants */
    IR_NOW = 1 << 4,       /* reads the current state itself */
    IR_NEXT = 1 << 5,      /* reads the next state itself */
    IR_MORE = 1 << 6,      /* reads something besides operands and states, or has an effect */
    IR_NAME = 1 << 7,      /* stands for what a slot holds */
    IR_LAZY = 1 << 8,      /* ... which it fills at first use */
    IR_ARMS = 1 << 9,      /* has arms that are counted, see eval/branch.c */
    IR_SET_OP = 1 << 10,   /* \cup, \cap, \ */
    IR_SET_FORM = 1 << 11, /* SUBSET S, S \X T, [a: S], [S -> T]: sets that are tested, not built */
    IR_ARITH = 1 << 12,    /* +, -, * */
    IR_ORDER = 1 << 13,    /* <, <=, >, >= */
    IR_STEP = 1 << 14,     /* action: one conjunct that TLC counts */
    IR_ASSIGNS = 1 << 15,  /* action: gives `var` a value */
    IR_KEEPS = 1 << 16     /* action: variables keep their values */
};

#define IR_ANY 0xff
struct ir_op {
    const char *name;
    uint8_t kids; /* IR_ANY: any number */
    uint8_t payload;
    uint32_t flags;
};
extern const struct ir_op ir_ex_ops[EX_COUNT], ir_act_ops[ACT_COUNT];

/* ---- expressions ---- */
typedef struct val (*ex_fn)(struct ev *ev, const struct ex *x, struct val *fr);

struct ex {
    ex_fn run;              /* for the evaluator: what op stands for. Nobody else looks at it */
    const struct node *src; /* for messages and coverage */
    uint8_t op;             /* enum ex_op */
    uint8_t level;          /* enum level */
    uint16_t flags;
    uint32_t n; /* kids */
    uint32_t id;
    uint32_t slot; /* of IF, CASE and disjunctions: the counters of their arms, see branch.c */
    union {
        struct val val;
        const void *p;
        int64_t i;
    } u;
    const struct ex *kid[];
};

static inline bool ex_has(const struct ex *x, uint32_t flags)
{
    return (ir_ex_ops[x->op].flags & flags) != 0;
}
static inline bool ex_is_var(const struct ex *x)
{
    return x->op == EX_VAR0 || x->op == EX_VAR1;
}
/* A name that stands for a slot, and one that fills it at first use. */
static inline bool ex_is_name(const struct ex *x)
{
    return ex_has(x, IR_NAME);
}
static inline bool ex_is_lazy(const struct ex *x)
{
    return x->op == EX_LAZY || x->op == EX_LAZY_STEP;
}
/* A constant, or a constant definition. */
static inline bool ex_is_const(const struct ex *x)
{
    return x->op == EX_CONST || x->op == EX_CELL;
}

/* ---- operators of modules that are written in C ---- */
typedef struct val (*native_fn)(struct ev *ev, const struct val *args);

enum native_id {
#define NATIVE(ID, ...) NATIVE_##ID,
#include "ir/natives.def"
    NATIVE_COUNT
};
enum native_flag {
    NATIVE_IMPURE = 1, /* reads or changes something outside its arguments */
    NATIVE_FOLD = 2    /* cgen computes it when its arguments are constants */
};

struct native {
    const char *module;
    const char *name;
    uint8_t id; /* enum native_id */
    uint8_t arity;
    uint8_t flags;
    uint8_t op;   /* enum ex_op: of the nodes that stand for it */
    native_fn fn; /* for the evaluator */
};
_Static_assert(EX_COUNT < 256 && ACT_COUNT < 256 && NATIVE_COUNT < 256, "opcodes are bytes");

/* Is it a call of this native operator? */
static inline bool ex_is_native(const struct ex *x, enum native_id id)
{
    return x->op == EX_NATIVE && ((const struct native *)x->u.p)->id == id;
}

/* ---- frames and closures ---- */
struct capture {
    const struct binding *binding; /* what is captured */
    uint32_t from;                 /* slot of the parent unit */
    uint32_t to;                   /* slot of this unit */
};

struct unit {
    struct unit *parent;
    const struct ex *body;
    const struct act *act; /* as an action */
    uint32_t nslot;
    uint32_t nparam;
    uint32_t *param; /* slots */
    VEC(struct capture) captures;
    const struct def *def; /* for messages; may be NULL */
    uint32_t self; /* slot that holds the closure itself (recursive functions), or NO_SLOT */
    struct binder *binder; /* LAMBDA, FILTER: how an argument is bound */
    struct lc *body_lc;    /* LAMBDA: where body_node stands, for lowering it as an action */
    const struct node *body_node;
    bool act_busy;
    bool step;           /* a thunk: its value holds for one epoch */
    VEC(uint32_t) steps; /* lazy slots whose values hold for one epoch */
};
#define NO_SLOT UINT32_MAX

/* Variables bound together by a quantifier, set or function constructor. */
struct binder_var {
    uint32_t set;   /* index in sets */
    uint32_t nslot; /* 1, or the length of a tuple pattern */
    bool tuple;
    const uint32_t *slots;
    const struct str *names; /* [nslot] */
};
struct binder {
    uint32_t nset, nvar;
    const struct ex **sets;
    struct binder_var *vars;
    const struct guards *guards; /* of \E and \A: the evaluator's, see eval/guards.h */
};

/* ---- what nodes hold ---- */
struct let_slots {
    uint32_t n;
    uint32_t slot[];
};
struct call_info {
    const struct unit *unit;
    uint32_t ncapture;
    struct {
        uint32_t from, to;
        const struct binding *lazy; /* a lazy slot of the caller: made a thunk when still empty */
    } *captures;
};
/* {x \in S : p} and [x \in S |-> e]: the sets are evaluated in the enclosing unit; predicate and
 * body are a unit of their own, whose frame is entered once for all elements (eager) or once for
 * each application (lazy). */
struct fcn_info {
    const struct binder *binder; /* sets of the enclosing unit, slots of the unit */
    const struct unit *unit;
    bool lazy; /* recursive, or applied at once: never eager */
};
struct except_spec {
    uint32_t npath;
    const struct ex **path; /* index expressions; field names are constants */
    uint32_t at;            /* slot of @ */
    const struct ex *value;
};
struct except_info {
    uint32_t n;
    struct except_spec *spec;
};
struct def_table { /* Foo(1, a) = v in the configuration */
    size_t nrow;
    uint32_t arity;
    struct val *args; /* [nrow * arity] */
    struct val *vals; /* [nrow] */
};
struct const_cell { /* a constant definition: evaluated once, before the search */
    const struct unit *unit;
    const struct def *def;
    bool done, busy, failed;
    struct val value;
};
struct act_case_info {
    uint32_t nguard;
    const struct ex **guards;
};

/* ---- actions ---- */
typedef int (*act_fn)(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k);

struct act {
    act_fn run; /* for the evaluator, as in struct ex */
    const struct node *src;
    uint32_t n;
    uint32_t var;  /* variable that is assigned; action number of a mark */
    uint32_t id;   /* coverage */
    uint32_t arms; /* counters of its arms, see branch.c */
    uint8_t op;    /* enum act_op; ACT_COUNT: made while running, in no graph */
    bool init;     /* works on the initial state instead of the successor */
    uint32_t nslot;
    const uint32_t *slots; /* lazy slots to clear on entry */
    const struct ex *x, *x2;
    const struct binder *binder;
    const void *info;             /* struct act_case_info; struct unit */
    const struct ex **args;       /* ACT_CALL */
    const struct call_info *call; /* ACT_CALL: what the unit takes from this frame; may be NULL */
    const struct ex **tests; /* ACT_CONJ: the kids as conditions; ACT_FORALL: [0] the body as one */
    const struct act *kid[];
};

static inline bool act_has(const struct act *a, uint32_t flags)
{
    return a->op < ACT_COUNT && (ir_act_ops[a->op].flags & flags) != 0;
}

/* ---- what names stand for ---- */
enum bind_kind {
    BIND_SLOT,  /* a value in a slot; may be a thunk when `thunks` */
    BIND_LAZY,  /* a slot filled at first use from ex */
    BIND_NAME,  /* substituted: node in env, or a definition (def, in env) passed as an operator */
    BIND_REF,   /* another definition seen from env (implicit substitution, LET operator) */
    BIND_VALUE, /* a constant */
    BIND_OPSLOT /* an operator value in a slot */
};
struct env;
struct binding {
    enum bind_kind kind;
    bool thunks;
    bool primed; /* made in a primed context */
    bool let;    /* BIND_LAZY: a definition of LET, not an argument */
    bool step;   /* BIND_LAZY: reads what is being assigned. The slot after it holds the epoch */
    uint8_t level;
    struct unit *unit;
    uint32_t slot;
    const struct node *node;
    struct env *env;
    const struct def *def;
    const struct ex *ex; /* BIND_LAZY: what fills the slot */
    struct unit *thunk;  /* BIND_LAZY: the same as a unit, made when a closure needs it */
    struct unit *steps;  /* BIND_LAZY: the same as an action, see lower_act.c */
    struct val val;
    struct binding *at;  /* meaning of @ where node stands */
    struct env *enabled; /* as in struct lc, where node stands */
};

/* Private to cgen: expressions of the C that is being written, as typed nodes.
 *
 * A node is an operation, what it is in C (a number of some width, a struct, a pointer), the type
 * of the TLA+ value that it holds where it holds one, and its operands. Nodes are made by the
 * functions below, which assert that the operands are of types that the operation takes; equal
 * nodes are the same pointer. None has an effect, and none can fail: what may trap is a statement
 * (tree.h) that gives a variable its value. Nothing is text until cx_print, which sets parentheses
 * where the precedence of C asks for them and looks at nothing else.
 *
 * A node is fixed if it has the same value wherever it may stand: it is made of constants, of the
 * current state, and of variables that are given their value once, where they are declared. What is
 * fixed is computed once (gen_let), and a check of it is made once (gen_trap_if).
 *
 * While a piece is declined (gen_no) every function here returns some number that nobody uses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct gen;
struct strbuf;
struct ty;

/* What a node is in C. Numbers come first; values that are laid out in a number are numbers too. */
enum cx_kind { CX_INT, CX_U32, CX_I64, CX_U64, CX_STRUCT, CX_POINTER, CX_ARRAY, CX_OTHER };

enum cx_op {
    CX_NUMBER,
    CX_NAME, /* a variable, or a constant that has a name */
    CX_MEMBER,
    CX_INDEX,
    CX_CALL,
    CX_CAST,
    CX_SIZEOF,
    CX_ADDR,
    CX_DEREF,
    CX_NOT,
    CX_MINUS,
    CX_FLIP,
    CX_MUL, /* from here on two operands, in the order of C's precedence */
    CX_DIV,
    CX_REM,
    CX_ADD,
    CX_SUB,
    CX_SHL,
    CX_SHR,
    CX_LT,
    CX_LE,
    CX_GT,
    CX_GE,
    CX_EQ,
    CX_NE,
    CX_AND, /* of bits */
    CX_XOR,
    CX_OR,
    CX_BOTH, /* && */
    CX_EITHER,
    CX_COND
};

struct cx {
    enum cx_op op;
    enum cx_kind kind;
    bool fixed;
    const struct ty *ty; /* of the value; of what a pointer points to; of an array's elements */
    const char *text;    /* NAME, MEMBER, CALL: the name; CAST: the type */
    int64_t number;      /* NUMBER; NAME: the same for the same name, from 0 on */
    uint32_t id;         /* numbers nodes from 0 on */
    uint32_t len;        /* bytes of text, roughly */
    uint32_t n;
    const struct cx *const *kid;
};

/* All nodes of a generation. */
struct cxs {
    VEC(const struct cx *) all;
    uint32_t *index;         /* hash table of all: number + 1, 0 = free */
    size_t size;             /* a power of two, or 0 */
    VEC(const char *) names; /* of variables */
    uint32_t *name_index;    /* the same for them */
    size_t name_size;
};
void cxs_done(struct cxs *cxs);

enum cx_kind cx_kind_of(const struct ty *ty); /* how C holds a value of the type in a variable */
static inline bool cx_is_number(const struct cx *x)
{
    return x->kind <= CX_U64;
}
bool cx_is_place(const struct cx *x); /* has an address */
bool cx_is(const struct cx *x, int64_t number);
static inline bool cx_is_leaf(const struct cx *x)
{
    return x->op == CX_NAME || x->op == CX_NUMBER;
}

/* ---- numbers and names ---- */
const struct cx *cx_int(struct gen *g, int64_t n); /* as wide as C wants it */
const struct cx *cx_i64(struct gen *g, int64_t n);
const struct cx *cx_u64(struct gen *g, uint64_t n);
const struct cx *cx_name(struct gen *g, enum cx_kind kind, const struct ty *ty, const char *name,
                         bool fixed);
/* A value of the type that is in a variable; ... that stays as it is. */
const struct cx *cx_var(struct gen *g, const struct ty *ty, const char *name);
const struct cx *cx_fixed(struct gen *g, const struct ty *ty, const char *name);
/* What a variable holds, once nothing is written to it any more. */
const struct cx *cx_sealed(struct gen *g, const struct cx *var);
/* The same operation of other operands of the same kinds. */
const struct cx *cx_with(struct gen *g, const struct cx *x, const struct cx *const *kid);

/* ---- parts of values ---- */
const struct cx *cx_field(struct gen *g, const struct cx *x, uint32_t i); /* REC, TUP, UNION */
const struct cx *cx_tag(struct gen *g, const struct cx *x);   /* which form of REC, UNION */
const struct cx *cx_count(struct gen *g, const struct cx *x); /* SEQ, SET, MAP */
const struct cx *cx_size(struct gen *g, const struct cx *x);  /* the same, or of FUN */
const struct cx *cx_elems(struct gen *g, const struct cx *x); /* the array: SEQ, SET, MAP, FUN */
const struct cx *cx_keys(struct gen *g, const struct cx *x);  /* MAP */
const struct cx *cx_elem(struct gen *g, const struct cx *x, const struct cx *i);
const struct cx *cx_key(struct gen *g, const struct cx *x, const struct cx *i);
/* Bits of several words; of one word: the value itself. */
const struct cx *cx_word(struct gen *g, const struct cx *x, const struct cx *i);
const struct cx *cx_index(struct gen *g, const struct cx *array, const struct cx *i);
const struct cx *cx_row(struct gen *g, const struct cx *table, const struct cx *i); /* an array */
const struct cx *cx_member(struct gen *g, const struct cx *x, const char *name, enum cx_kind kind,
                           const struct ty *ty); /* of a struct that is no value */
/* `place` is a part of `from`, or of a part of it: the same part of `to`. */
const struct cx *cx_moved(struct gen *g, const struct cx *place, const struct cx *from,
                          const struct cx *to);

/* ---- pointers ---- */
const struct cx *cx_addr(struct gen *g, const struct cx *x);
const struct cx *cx_deref(struct gen *g, const struct cx *x);
const struct cx *cx_sizeof(struct gen *g, const struct cx *x);

/* ---- operations; what is known is computed ---- */
const struct cx *cx_not(struct gen *g, const struct cx *x);
const struct cx *cx_truth(struct gen *g, const struct cx *x); /* 0 or 1 */
const struct cx *cx_minus(struct gen *g, const struct cx *x);
const struct cx *cx_flip(struct gen *g, const struct cx *x); /* ~ */
const struct cx *cx_two(struct gen *g, enum cx_op op, const struct cx *a, const struct cx *b);
const struct cx *cx_cond(struct gen *g, const struct cx *c, const struct cx *a, const struct cx *b);
const struct cx *cx_cast(struct gen *g, enum cx_kind kind, const struct cx *x);
const struct cx *cx_cast_to(struct gen *g, const struct ty *ty, const struct cx *x); /* as stored */
/* The same number as the value of a type. */
const struct cx *cx_as(struct gen *g, const struct ty *ty, const struct cx *x);

/* Calls a function that depends on nothing but its arguments and what they point to. */
const struct cx *cx_call_n(struct gen *g, enum cx_kind kind, const struct ty *ty, const char *name,
                           const struct cx *const *args, uint32_t n);
#define CX_ARGS(...)                                                                               \
    (const struct cx *const[]){__VA_ARGS__},                                                       \
        sizeof((const struct cx *const[]){__VA_ARGS__}) / sizeof(const struct cx *)
#define cx_call(g, kind, ty, name, ...) cx_call_n((g), (kind), (ty), (name), CX_ARGS(__VA_ARGS__))

/* ... of those that a type has (SET_OPS, MAP_OPS): its name is that of the type, and the suffix. */
const struct cx *cx_ty_call(struct gen *g, enum cx_kind kind, const struct ty *ty,
                            const char *suffix, const struct cx *const *args, uint32_t n);

/* ---- what stands in every prelude ---- */
const struct cx *cx_worker(struct gen *g);
const struct cx *cx_ret(struct gen *g);      /* the pointer through which functions give */
const struct cx *cx_mix_atom(struct gen *g); /* where the atoms and truth values of MIX begin */
const struct cx *cx_mix_bool(struct gen *g);
const struct cx *cx_is_model(struct gen *g, const struct cx *atom);
const struct cx *cx_is_typed(struct gen *g, const struct cx *atom); /* a model value of a type */
const struct cx *cx_bit(struct gen *g, const struct cx *bits, const struct cx *i);
/* What a parameter points to. */
const struct cx *cx_param(struct gen *g, const struct ty *ty, const char *name, bool fixed);

const char *cx_c(struct gen *g, const struct cx *x); /* the C type of a variable that holds it */
void cx_print(const struct cx *x, struct strbuf *out);

/* Private to cgen: from lowered code to typed trees of C.
 *
 * Emitting an expression writes statements (tree.h) that compute it and returns a `struct cv`: a C
 * expression without side effects (cx.h) and its type. Bound variables of the spec are slots of a
 * `struct fenv`, the compile-time picture of a frame; LET definitions and arguments are lazy: their
 * code is written where they are used, behind a flag in C, and left out where they are certainly
 * known.
 *
 * What the emitter does not know it declines (gen_no): nothing more is written then, everything
 * returns something that nobody will use, and the expression or branch at hand puts a trap in its
 * own place (gen_back) and goes on from there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

struct fenv;

/* [x EXCEPT ...] of a variable: what is written over its current value, `of`. */
struct delta {
    uint32_t var, n;
    const struct cx *of;
    const struct cx *place[8], *val[8];
};

struct cv {
    const struct ty *ty; /* NULL: a constant set that has no type (Nat, SUBSET S) */
    const struct cx *e;  /* NULL: a constant that was not needed yet */
    bool is_val;         /* the value is known */
    bool stable;         /* an lvalue that lives as long as the C function */
    uint32_t now;        /* the current value of variable now - 1; 0: it is not known to be one */
    struct val val;
    const struct delta *delta; /* NULL: nothing is known */
    const struct ty *of;       /* an element of this universe, or */
    const struct vobj *among;  /* of this constant set, */
    const struct cx *map;      /* or of the keys of this map (a stable value) */
    const struct cx *index;    /* at */
    const uint64_t *within;    /* a set of a universe: bits that it may have; NULL: all */
};

struct lazy {
    const struct ex *ex; /* in `home`; or NULL and */
    const struct unit *unit;
    struct fenv *home;
    bool emitted, busy;
    bool pointer;          /* the C variable points to the value */
    const struct ty *want; /* with which it was first emitted */
    const struct cx *var;  /* C variable that holds the value, or points to it */
    struct cv cv;          /* once emitted: how to read it */
    const struct cx *flag; /* C variable that says whether it was computed; NULL: always known */
    uint32_t scope;        /* in which it is certainly known */
    uint32_t since;        /* in which it began not to be */
};

/* A lazy value that reads primed variables, as it was before one of them got a value. */
struct lazy_kept {
    struct lazy *lazy;
    struct lazy was;
};

/* The domain of a recursive function: a constant, an interval, or SUBSET of a set. */
struct domain {
    bool is_val;
    struct val val;
    struct cv lo, hi;
    bool subset; /* of lo */
};

enum slot_kind {
    SLOT_EMPTY,
    SLOT_CV,
    SLOT_LAZY,
    SLOT_OPER,
    SLOT_SELF /* a function inside its own definition */
};
struct slot {
    enum slot_kind kind;
    struct cv cv;
    struct lazy *lazy;
    const struct unit *unit;  /* SLOT_OPER, SLOT_SELF */
    const struct domain *dom; /* SLOT_SELF */
    struct fenv *home;
};

struct fenv {
    struct slot *slot;
    uint32_t n;
    const struct unit *unit;
};

/* A function of types, and whether it may trap. */
struct conv_key {
    const struct ty *from, *to;
    const char *name;
    bool traps;
};
struct uni_names { /* of a BITS type with a universe */
    const struct ty *ty;
    const char *at;    /* function: the number of an element, -1: it is none */
    const char *table; /* .v[number]: the element */
};
struct const_key {
    struct val val;
    const struct ty *ty;
    const char *name;
};
struct active { /* units being inlined */
    const struct unit *unit;
};

struct fact { /* a field has this value in a scope, see facts.c */
    const struct cx *of;
    struct val field, is;
    uint32_t scope;
};

struct known { /* a variable holds the value of a node in a scope, or a check of it was made */
    const struct cx *of, *is;
    uint32_t scope;
};

/* A variable that is given its value in one place, and that value. */
struct origin {
    const struct tree *function; /* the variables of the C function */
    const struct cx *is;
};

/* A call that a C function makes once at most, wherever in it that is: see share.c. */
struct shared {
    const struct tree *function;
    const struct cx *call; /* with what its operands are made of */
    const struct cx *var, *flag;
};

struct passed { /* a test that holds in a scope */
    const struct ex *ex;
    const struct fenv *f;
    uint32_t scope;
};

/* What is interpreted where it stands, and because of what. */
struct left {
    const char *why;
    const struct node *src; /* NULL: not known */
};
struct lefts {
    VEC(struct left) v;
};

/* Where what becomes known is known: a block of C, or a part of one. */
struct scope {
    uint32_t id;
    struct tree_node *block; /* NULL: none of its own */
    struct tree *around;     /* in which it stands */
    bool loop;
};

struct rec_fn;
struct sieve;

struct gen {
    struct tys *tys;
    struct spec *spec;
    struct arena *arena;
    struct vctx *ctx;
    struct tree *out;      /* statements of the function being written */
    struct tree *decls;    /* its variables */
    size_t bytes;          /* of text in it */
    struct strbuf defs;    /* what functions share, in the order of use: see defs.h */
    VEC(uint64_t) defined; /* hashes of it */
    uint64_t fixed;        /* hash of what has the same name in every specification */
    size_t written;        /* bytes of functions that are done */
    uint32_t *ntmp;        /* of the function being written: names of its variables */
    uint32_t nscope;
    uint32_t rec_depth; /* recursive functions whose types are being found */
    VEC(struct scope) scopes;
    struct cxs cxs;
    VEC(struct known) known;
    VEC(uint32_t) known_at;     /* by the ids of nodes: where in `known`, if it is there */
    size_t known_from;          /* the first that the C function at hand knows */
    VEC(struct origin) origins; /* by the numbers of names: what variables were given */
    VEC(const struct shared *) shared;
    bool known_off; /* nothing is looked up: statements are put before others */
    VEC(struct passed) passed;
    VEC(struct fact) facts;
    VEC(struct conv_key) convs, cmps, images, sigs, spreads;
    VEC(struct const_key) consts;
    VEC(const struct ty *) set_ops, map_ops;
    VEC(struct uni_names) unis;
    VEC(struct active) active;
    VEC(struct rec_fn *) recs;
    const struct ty **var_ty; /* [nvar]; what a state holds */
    const uint32_t *var_offset;
    uint32_t memo_size;  /* bytes for what is known of predicates */
    uint32_t memo_start; /* those of the function being written */
    struct cv *next;     /* [nvar + extra]: primed variables; ty NULL and e NULL: no value yet */
    uint32_t missing;    /* variables without a primed value; UINT32_MAX inside ENABLED */
    uint32_t action;     /* number for successors */
    const char *why;     /* of the last gen_no */
    struct lefts *lefts; /* of the piece at hand; NULL: nothing may be left out */
    VEC(struct lazy *) steps; /* lazy values in reach that read primed variables */
    size_t steps_from;        /* the first of them that the C function at hand knows */
    VEC(struct lazy_kept) kept;
    size_t limit;     /* bytes of text of one function */
    size_t limit_all; /* ... of all together */
    bool next_given;  /* `next` is a pointer that the function is handed: n */
    bool declined;    /* nothing is written, nothing is noted */
    bool whole;       /* nothing may be left out: gen_no gives the whole piece up */
    bool reads_level; /* TLCGet("level") occurs */
    bool early;       /* the loop that is opened next may be left before its end */
    bool leaving;     /* inside ENABLED: loops of actions are left at the first successor, */
    bool unordered;   /* ... and one of those that are open is not in TLC's order */
    const struct sieve *sieve; /* of the loop that is opened next; NULL: nothing is known */
};

/* Declines: returns no value (TY_NONE). */
__attribute__((format(printf, 2, 3))) struct cv gen_no(struct gen *g, const char *fmt, ...);
struct conv_key;

/* ---- gen.c: statements, see tree.h ---- */
void gen_set(struct gen *g, const struct cx *place, const struct cx *x); /* place = x */
void gen_change(struct gen *g, const struct cx *place, const char *op, const struct cx *x);
void gen_do(struct gen *g, const struct cx *x); /* a call, for what it does */
void gen_trap(struct gen *g, const char *why);  /* ends the function */
/* ... where the condition holds, unless that was looked at before. */
void gen_trap_if(struct gen *g, const char *why, const struct cx *cond);
void gen_call_into(struct gen *g, const struct cx *call); /* of what may trap */
void gen_goto(struct gen *g, const char *label);
void gen_label(struct gen *g, const char *label);
const char *gen_new_label(struct gen *g);
void gen_break(struct gen *g);
void gen_return(struct gen *g, const struct cx *x, bool traps); /* NULL: 0 */
void gen_give(struct gen *g, const struct cx *x);
void gen_poll(struct gen *g);
void gen_copy_array(struct gen *g, const struct cx *to, const struct cx *from, const struct cx *n);
__attribute__((format(printf, 2, 3))) const char *gen_text(struct gen *g, const char *fmt, ...);

/* ---- variables ---- */
const char *gen_tmp(struct gen *g); /* a name */
/* What holds the value of x, and stays so: a new variable, or one that has it already. */
const struct cx *gen_let(struct gen *g, const struct cx *x);
/* What a call gives, which may trap; ... of one that may be of those that cannot; ... into a struct
 * that is zero before. */
const struct cx *gen_call(struct gen *g, const struct cx *call);
const struct cx *gen_call_of(struct gen *g, const struct cx *call, const struct conv_key *function);
const struct cx *gen_filled(struct gen *g, const struct cx *call, const struct conv_key *function);
/* Variables that may be written: zero, or init. */
const struct cx *gen_new_var(struct gen *g, const struct ty *ty);
const struct cx *gen_new_stored(struct gen *g, const struct ty *ty); /* as in structs and arrays */
const struct cx *gen_new_room(struct gen *g, const struct ty *ty);   /* without a value */
const struct cx *gen_new_copy(struct gen *g, const struct ty *ty, const struct cx *init);
const struct cx *gen_new_number(struct gen *g, enum cx_kind kind, const struct cx *init);
const struct cx *gen_new_flag(struct gen *g, const struct cx *init); /* an int */
const struct cx *gen_new_numbers(struct gen *g, uint32_t n);         /* an array of zeros */
/* Declares a variable that has a name already. */
void gen_put_var(struct gen *g, const struct cx *x, const struct cx *init);
void gen_put_room(struct gen *g, const struct cx *x);
void gen_put_room_of(struct gen *g, const struct cx *x, const char *c); /* of this C type */
void gen_put_var_of(struct gen *g, const struct cx *x, const char *c, const struct cx *init);
/* ... at the beginning of the function, as a flag, or to point to a value. */
void gen_declare(struct gen *g, const struct cx *x, const char *c, const struct cx *init);

/* A variable of the scope at hand that holds the value of a fixed node, or NULL; ... `is` does. */
const struct cx *gen_known(const struct gen *g, const struct cx *of);
void gen_know(struct gen *g, const struct cx *of, const struct cx *is);

/* Between the two, nothing is known of what was computed before. */
struct known_mark gen_known_apart(struct gen *g);
void gen_known_back(struct gen *g, struct known_mark mark);

/* Before something that may be declined. After that gen_back makes as if it had not been begun and
 * leaves a trap in its place: what reaches it is done by the interpreter. False: nothing may be
 * left out here, and it stays declined. */
struct gen_mark {
    struct tree *out;
    struct tree_mark at;
    size_t nscope, nknown, bytes;
};

struct gen_mark gen_mark(const struct gen *g);
void gen_cut(struct gen *g, const struct gen_mark *mark); /* what was put since is not there */
bool gen_may_trap(const struct gen *g, const struct gen_mark *since);
bool gen_back(struct gen *g, const struct gen_mark *mark, const struct node *src);

/* Blocks of C, all closed by gen_scope_close: what becomes known inside is not known outside. */
void gen_block(struct gen *g);
void gen_if(struct gen *g, const struct cx *cond);
void gen_else(struct gen *g,
              const struct cx *cond); /* of the IF before it; NULL: nothing follows */
void gen_once(struct gen *g);         /* a break leaves it */
void gen_switch(struct gen *g, const struct cx *x);
void gen_case(struct gen *g, const struct cx *x); /* NULL: default */
void gen_while(struct gen *g, const struct cx *cond);
/* for (x = from; cond; x op step); from NULL: x is there already */
void gen_for(struct gen *g, const struct cx *x, const struct cx *from, const struct cx *cond,
             const char *op, const struct cx *step);
/* From 0 up to n; returns the number of the turn. ... while something else holds, too. */
const struct cx *gen_for_n(struct gen *g, enum cx_kind kind, const struct cx *n);
const struct cx *gen_for_while(struct gen *g, enum cx_kind kind, const struct cx *n,
                               const struct cx *also);
void gen_scope_close(struct gen *g);
/* A scope that is no block: what it holds stands in the tree at hand. */
void gen_scope_enter(struct gen *g);
void gen_scope_leave(struct gen *g);
uint32_t gen_scope_now(const struct gen *g);
bool gen_scope_is_open(const struct gen *g, uint32_t scope);

/* ---- share.c ---- */
void share_note(struct gen *g, const struct cx *var, const struct cx *is);
/* The call with operands that are the same wherever in the C function they stand; NULL: one depends
 * on the place. */
const struct cx *share_key(struct gen *g, const struct cx *call);
/* Between the two the call is to be written, into the variable that share_open returns. share_close
 * returns the value. */
const struct shared *share_open(struct gen *g, const struct cx *key);
const struct cx *share_close(struct gen *g, const struct shared *shared);

/* ---- emit.c, emit_conv.c, emit_eq.c ---- */
struct cv cv_of(struct gen *g, const struct ty *ty, const struct cx *e);
struct cv cv_none(struct gen *g);
struct cv cv_state(struct gen *g, const char *state,
                   uint32_t var); /* of "s", or the next one "n" */
struct cv cv_number(struct gen *g, const struct cx *e);
/* Parts: stable where the whole is. */
struct cv cv_field(struct gen *g, struct cv v, uint32_t i);
struct cv cv_elem(struct gen *g, struct cv v, const struct cx *i); /* of the array of values */
struct cv cv_key(struct gen *g, struct cv v, const struct cx *i);
/* Is there no value, for control does not come here: what is made of it is not known yet, was never
 * seen, or is an element of an empty set. What has such a part is no value either. */
bool cv_is_none(struct cv v);
struct cv cv_val(struct gen *g, struct val v);
/* The value, which must have a type. */
const struct cx *cv_e(struct gen *g, struct cv *v);
struct cv cv_conv(struct gen *g, struct cv v, const struct ty *to);
struct cv cv_hold(struct gen *g, struct cv v); /* in a variable of its own: evaluated once */
struct cv cv_int(struct gen *g, struct cv v);  /* an integer, or a trap */
struct cv cv_bool(struct gen *g, struct cv v);
/* The alternative of a union, or the value itself. */
struct cv cv_narrow(struct gen *g, struct cv v, const struct ty *like);
struct cv cv_fcn(struct gen *g, struct cv v); /* unions: the alternative that is a function */
struct cv cv_set(struct gen *g, struct cv v);
const struct cx *emit_eq(struct gen *g, struct cv a, struct cv b);
/* Do the bytes of a type stand in TLC's order? Then sets and maps of them do too. */
bool ty_in_order(const struct ty *ty);
bool ty_is_clean(const struct ty *ty); /* any two values can be compared */
/* Traps when the value at `pointer` cannot be compared with one of the n values of an array. */
void emit_comparable(struct gen *g, const struct ty *ty, const struct cx *pointer,
                     const struct cx *array, const struct cx *n);
const struct ty *gen_join(struct gen *g, const struct ty *a, const struct ty *b);
/* Do they differ in widths and capacities only? */
bool ty_same_shape(const struct ty *a, const struct ty *b);
void gen_need_set(struct gen *g, const struct ty *set);
void gen_need_map(struct gen *g, const struct ty *map);
bool ty_by_value(const struct ty *ty); /* in C: a number, not a struct */
/* Compares two values of a type. */
typedef const struct cx *(*compare_fn)(struct gen *g, const struct ty *ty, const struct cx *a,
                                       const struct cx *b);
/* Returns from a function of two unions, *a and *b, where both hold the same alternative; ... where
 * the first, or the second, is a model value. */
void gen_put_alternatives(struct gen *g, const struct ty *ty, compare_fn compare);
void gen_give_models(struct gen *g, const struct ty *ty, int64_t first, int64_t second);
const struct cx *gen_addr(struct gen *g, struct cv *v); /* C pointer to it */

/* ---- emit.c, for emit_conv.c ---- */
/* A constant of a type; NULL: the value does not fit. */
const struct cx *emit_const_node(struct gen *g, struct val v, const struct ty *ty);

/* ---- emit_conv.c, for emit_eq.c ---- */
/* Whether a value of several kinds is of this one. */
const struct cx *emit_is_tag(struct gen *g, const struct cx *x, int64_t tag);

/* ---- emit_frame.c, and what it asks of emit_expr.c ---- */
void fenv_capture(struct fenv *from, uint32_t from_slot, struct fenv *to, uint32_t to_slot,
                  const struct binding *b);
struct lazy *lazy_new(struct gen *g, struct fenv *home);
/* A constant. Sets need no layout, nor do functions: they may be asked for an element, or for
 * their domain. A number or a name that has none (an integer of many digits, a string that was
 * met for the first time and is in the table in the next round) is of no use to anybody. */

/* ---- emit_expr.c ---- */
struct cv emit(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
const struct cx *emit_bool(struct gen *g, const struct ex *x, struct fenv *f);
struct fenv *fenv_new(struct gen *g, const struct unit *unit);
struct fenv *fenv_enter(struct gen *g, const struct unit *unit,
                        struct fenv *from); /* with captures */
/* The frame of a call: arguments (NULL: none that is a value) are lazy. */
struct fenv *fenv_call(struct gen *g, const struct unit *unit, const struct ex *const *args,
                       const struct call_info *call, struct fenv *f);
/* The slot of a frame that is captured; if it is a definition, what it stands for is known after.
 */
struct slot *fenv_captured(struct fenv *from, uint32_t slot, const struct binding *b);
void fenv_bind(struct fenv *f, uint32_t slot, struct cv v);
void gen_let_open(struct gen *g, struct fenv *f, const uint32_t *slots, uint32_t n);
/* Between the two, after a primed variable got a value: what read primed variables before is not
 * known any more, and what is found out is forgotten afterwards. */
size_t steps_renew(struct gen *g);
void steps_back(struct gen *g, size_t mark);
/* Where the condition holds, t is 0 or 1, and control goes on at the label, unless that is NULL. */
void gen_decide(struct gen *g, const struct cx *cond, const struct cx *t, int64_t is,
                const char *label);
/* The C variable that says whether it has been computed; NULL: it certainly has. */
const struct cx *lazy_flag(struct gen *g, const struct lazy *lazy);
struct cv lazy_get(struct gen *g, struct lazy *lazy, const struct ty *want);
struct cv emit_oper(struct gen *g, const struct slot *oper, struct cv *args, uint32_t n,
                    const struct ty *want);
/* Looks through lazy slots and LETs: *x, *f become what they stand for. */
void gen_see_through(struct gen *g, const struct ex **x, struct fenv **f);
/* What a name stands for, and in which frame; a name that is bound otherwise, or NULL. */
const struct ex *fenv_definition(struct gen *g, const struct ex *x, struct fenv **home);
/* The operator that an argument stands for; false: it is none. */
bool gen_oper_of(struct gen *g, const struct ex *x, struct fenv *f, struct slot *ret);
/* Orders two values of one type as TLC does: C expression, negative, zero or positive. */
const struct cx *emit_cmp(struct gen *g, const struct ty *ty, const struct cx *a,
                          const struct cx *b);
bool gen_const_of(struct gen *g, const struct ex *x, struct fenv *f, struct val *ret);

/* ---- emit_choice.c ---- */
struct cv emit_if(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_case(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_choose(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);

/* ---- emit_in.c ---- */
const struct cx *emit_in(struct gen *g, struct cv elem, const struct ex *set, struct fenv *f);
const struct cx *emit_in_val(struct gen *g, struct cv elem, struct val set);
const struct cx *emit_in_cv(struct gen *g, struct cv elem, struct cv set);
const struct cx *emit_in_subset(struct gen *g, struct cv elem,
                                struct cv base); /* \in SUBSET base */
const struct cx *emit_subseteq(struct gen *g, const struct ex *x, struct fenv *f);
/* A set that is given by code, by its value, or by a C variable. */
struct setref {
    const struct ex *x;
    struct fenv *f;
    struct val v; /* when x is NULL */
    bool held;
    struct cv cv; /* when held */
};
struct setref emit_ref_of(struct gen *g, const struct ex *x,
                          struct fenv *f); /* evaluates what may fail */
const struct cx *emit_in_ref(struct gen *g, struct cv elem, struct setref s);

/* ---- emit_set.c ---- */
/* A set that has a type, or gen_no. */
struct cv emit_typed_set(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_cup_of(struct gen *g, struct cv a, struct cv b, const struct ty *want);
bool ty_is_set(const struct ty *ty);
/* Is it one of the sets that TLC does not make element by element? */
bool gen_stays_lazy(struct gen *g, const struct ex *x, struct fenv *f);
/* Runs a filter over all elements, where it may fail for one of them. */
void emit_check_filter(struct gen *g, const struct ex *x, struct fenv *f);
struct loop_out {
    struct cv elem;
    uint32_t scopes;      /* to close */
    uint32_t most;        /* turns at most */
    const struct ty *set; /* type of the set, when it has one */
    bool ordered;         /* elements come as TLC would give them */
    bool rising;          /* ... in the order of their bytes, as sets and maps keep them */
};
void gen_loop_open(struct gen *g, const struct ex *set, struct fenv *f, struct loop_out *ret);
void gen_loop_open_cv(struct gen *g, struct cv set, struct loop_out *ret);
void gen_loop_open_subset(struct gen *g, struct cv base,
                          struct loop_out *ret); /* over SUBSET base */
void gen_loop_close(struct gen *g, const struct loop_out *loop);
/* Part i of a tuple or of a sequence; ... made of parts, as a record is. */
struct cv cv_part(struct gen *g, struct cv v, uint32_t i);
struct cv cv_tuple(struct gen *g, const struct ty *ty, const struct cv *part, uint32_t n);
/* Of a bit vector: the word in which bit i is, the bit in it, and the lowest that is set. */
const struct cx *cx_word_of(struct gen *g, const struct ty *bits, const struct cx *set,
                            const struct cx *i);
const struct cx *cx_bit_of(struct gen *g, const struct ty *bits, const struct cx *i);
const struct cx *cx_first_bit(struct gen *g, const struct cx *bits);
void fenv_bind_var(struct gen *g, const struct binder_var *var, struct fenv *f, struct cv elem);
/* Loops over all variables of a binder; binds them in `inner`. Returns scopes to close. */
uint32_t gen_binder_open(struct gen *g, const struct binder *b, struct fenv *sets,
                         struct fenv *inner, uint32_t *ret_most, bool *ret_ordered);
/* ... which is told what follows: sieve->body or act, and all. */
uint32_t gen_binder_open_for(struct gen *g, const struct binder *b, struct fenv *f,
                             struct sieve *sieve, bool *ret_ordered);
void gen_scopes_close(struct gen *g, uint32_t n);
struct cv emit_set_op(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_range(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_setenum(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_filter(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_setmap(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_union(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_set_of_loop(struct gen *g, const struct ex *set, struct fenv *f,
                           const struct ty *want);
const struct cx *emit_set_size(struct gen *g, struct cv set);
void emit_set_add(struct gen *g, const struct cx *set, const struct ty *ty, struct cv elem);
/* An element that can be compared with those of the set, for it comes from a set with them. */
void emit_set_add_known(struct gen *g, const struct cx *set, const struct ty *ty, struct cv elem);

/* ---- emit_set.c and emit_loop.c, for each other ---- */
/* In place of a set that is not known yet, or never seen: control does not come here. */
struct cv emit_no_set(struct gen *g);
void emit_loop_interval(struct gen *g, const struct cx *lo, const struct cx *hi, uint32_t most,
                        struct loop_out *ret);

/* ---- emit_uni.c ---- */
struct uni_names gen_need_uni(struct gen *g, const struct ty *ty);
/* The element of a number. */
const struct cx *uni_elem(struct gen *g, const struct ty *ty, const struct cx *number);
/* The number of an element, negative: it is not in the universe; ... or a trap. */
const struct cx *uni_find(struct gen *g, const struct ty *ty, struct cv elem);
const struct cx *uni_number(struct gen *g, const struct ty *ty, struct cv elem);
/* A bit vector of one word or several, each of which is what `word` makes of its number. */
typedef const struct cx *(*uni_word)(struct gen *g, const struct cx *i, const void *arg);
struct cv uni_words(struct gen *g, const struct ty *ty, uni_word word, const void *arg);
/* S \cup {x}, S \ {x}; false: it is something else. */
bool uni_with_one(struct gen *g, struct cv a, const struct ex *other, struct fenv *f, bool cup,
                  struct cv *ret);
/* {x \in S : P(x)} as S and a mask, where P looks at nothing but x and what is bound; false: it
 * must be a loop. */
bool uni_filter(struct gen *g, const struct ex *x, struct fenv *f, struct cv *ret);

/* ---- emit_sieve.c ---- */
/* What is done with the elements of a loop. */
struct sieve {
    const struct ex *body; /* a condition; or */
    const struct act *act;
    bool all;                    /* the condition is that of \A */
    struct fenv *f;              /* in which it stands */
    uint32_t slot;               /* of the element */
    const struct binder *binder; /* whose variable that is; NULL: it is the only one */
    uint32_t set;                /* number of its set in the binder */
};
struct sifting {
    const char *mask, *doubt; /* tables of words: what is left of the set; NULL: all, nothing */
    const char *term[4];      /* tables of rows: what is left of that in the row */
    const struct cx *row[4];
    uint32_t nterm;
    bool whole;             /* for what is left the condition holds */
    const uint64_t *within; /* what can be left */
    const struct ex **done; /* tests that hold for what is left */
    uint32_t ndone;
};
/* Leaves out elements for which nothing happens. May write statements. */
struct sifting sieve_masks(struct gen *g, const struct sieve *sieve, const struct cv *all_of);
/* Of word i of the set, x, what is left. */
const struct cx *sieve_word(struct gen *g, const struct sifting *sifting, const struct cx *x,
                            const struct cx *i);
/* In the scope that was opened last, tests need not be made again. */
void sieve_passed(struct gen *g, const struct sieve *sieve, const struct sifting *sifting);
bool sieve_has_passed(struct gen *g, const struct ex *x, const struct fenv *f);

/* ---- emit_fcn.c ---- */
struct cv emit_apply(struct gen *g, struct cv fcn, struct cv arg);
struct cv emit_dot(struct gen *g, struct cv rec, struct val name);
struct cv emit_fcn(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_except(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_record(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_tuple(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);
struct cv emit_domain(struct gen *g, struct cv fcn);
/* How many pairs there is room for in a map that may have so many: fewer where they are large. */
uint32_t ty_map_cap(uint32_t most, const struct ty *elem);
const struct ty *ty_fcn_alternative(const struct ty *want); /* of a union; or the type itself */
/* C expression: the number of the key, negative when it is none. */
const struct cx *emit_key_index(struct gen *g, const struct ty *fun, struct cv key);
const struct cx *emit_in_domain(struct gen *g, struct cv key, struct cv fcn);
const struct cx *emit_map_find(struct gen *g, struct cv map,
                               struct cv key); /* index or -1, in a variable */
/* The place of a key that was taken from this very map; NULL: it is not known. */
const struct cx *emit_map_place(struct gen *g, struct cv map, struct cv key);

/* ---- emit_key.c ---- */
/* The keys as a table sorted by bytes, and where each one stands in the array of the function. */
const struct cx *emit_sorted_keys(struct gen *g, const struct ty *fun, const struct cx **ret_perm);
/* Are the keys the elements of the set, in the same order? */
bool emit_all_keys(const struct ty *fun, const struct vobj *set);

/* ---- emit_rec.c ---- */
/* Calls a recursive operator, whose frame holds its arguments and what it captures, as a C
 * function. */
struct cv emit_rec_call(struct gen *g, const struct unit *unit, struct fenv *callee,
                        const struct ty *want);
/* Applies a recursive function (unit->binder). `home` is the frame in which the unit stands, or a
 * frame of the unit itself. */
struct cv emit_rec_apply(struct gen *g, const struct unit *unit, struct cv arg, struct fenv *home,
                         const struct domain *dom, const struct ty *want);

/* ---- emit_native.c ---- */
struct cv emit_native(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);

/* ---- emit_act.c ---- */
/* Writes code that enumerates the action and runs leaf(g, arg) where a state is complete. */
void emit_act(struct gen *g, const struct act *a, struct fenv *f,
              void (*leaf)(struct gen *g, void *arg), void *arg);
struct cv emit_enabled(struct gen *g, const struct ex *x, struct fenv *f, const struct ty *want);

/* ---- emit_sym.c ---- */
/* What is made canonical: a state, or the value of VIEW. */
struct subject {
    const char *c;        /* the C struct, with members v0, v1, ... */
    const char *hash;     /* function that hashes one */
    const struct ty **ty; /* [n] of the members */
    uint32_t n;
    const bool *left_out; /* [n] members that do not count; NULL: all do */
};
/* Writes canon_fp(w, y, plain): the fingerprint under SYMMETRY of a subject whose hash is `plain`.
 */
void emit_symmetry(struct gen *g, const struct subject *y);

/* ---- emit_view.c ---- */
/* Statements that return the fingerprint of the value of VIEW. */
void emit_view(struct gen *g, const struct ex *x, struct fenv *f);

/* ---- csource.c ---- */
bool ty_varies(const struct ty *ty); /* only the part that is used is hashed */
/* C text that adds the hash of such a part to h. */
void gen_put_hash(struct strbuf *out, const struct ty *ty, const char *at, unsigned depth);

/* ---- prelude.c ---- */
void cgen_prelude(struct strbuf *out);

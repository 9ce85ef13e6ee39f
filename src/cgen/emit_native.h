/* Private to cgen: what the emitters of the standard modules' operators share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgen/emit.h"
#include "cgen/ty.h"
#include "eval/code.h"

struct args {
    struct gen *g;
    const struct ex *x;
    struct fenv *f;
    const struct ty *want;
};
typedef struct cv (*native_emit)(struct args *a);

struct cv emit_arg_at(struct args *a, uint32_t i, const struct ty *want);
struct cv emit_arg_int(struct args *a, uint32_t i);
struct cv emit_arg_seq(struct args *a, uint32_t i, const struct ty *want); /* must be a sequence */
struct cv emit_arg_map(struct args *a, uint32_t i);    /* a function, as a map */
struct slot emit_arg_oper(struct args *a, uint32_t i); /* an operator */
const struct ty *ty_seq_want(const struct ty *want);
struct cv emit_int_result(struct args *a, const struct cx *e);
struct cv emit_bool_result(struct args *a, const struct cx *e);
/* Change a variable: a number (by add_ or mul_), a sequence, a map. */
void emit_add_to(struct gen *g, const struct cx *total, const char *function, const struct cx *x);
void emit_push(struct gen *g, const struct cx *seq, const struct cx *x); /* there is room */
void emit_map_put(struct gen *g, const struct cx *map, const struct ty *ty, struct cv key,
                  struct cv v);
void emit_map_cut(struct gen *g, const struct cx *map, const struct cx *at);
/* Where the key that a pointer points to is in such a map; negative: it is not. */
const struct cx *emit_find_now(struct gen *g, const struct ty *ty, const struct cx *map,
                               const struct cx *key);
/* The type for a map with these keys and values, and more than one of them. */
const struct ty *emit_merged(struct args *a, struct cv f, struct cv h);

/* ---- emit_merge.c ---- */
/* f @@ h where both have names that are known as keys; false: they have not. */
bool emit_merge_records(struct args *a, struct cv f, struct cv h, struct cv *ret);
/* f @@ h where f is a map and h a function whose domain is known; false: it is not. */
bool emit_merge_into(struct args *a, struct cv f, struct cv h, struct cv *ret);
/* k :> v where k is such a name. */
bool emit_single_record(struct args *a, struct cv *ret);

/* A variable of C that starts as argument i; NULL when folds over such values are not for us. */
const struct cx *emit_fold_start(struct args *a, uint32_t i, const struct ty **ret_ty);
/* acc = op(elem, acc) or op(acc, elem) */
void emit_fold_step(struct args *a, const struct slot *oper, const struct cx *acc,
                    const struct ty *ty, struct cv elem, bool acc_first);
/* ... what it holds at the end */
const struct cx *emit_fold_end(struct args *a, const struct cx *acc);

/* The functions behind the rows of natives.def: here and in emit_ext.c. */
#define E(function) struct cv emit_native_##function(struct args *a);
#define OP
#define NOT
#define NATIVE(ID, module, name, arity, flags, eval, op, emit) emit
#include "ir/natives.def"
#undef E
#undef OP
#undef NOT

/* ---- emit_native.c, for emit_map.c ---- */
/* A tuple of these parts. */
struct cv emit_tuple_of(struct gen *g, const struct cv *part, uint32_t n);
/* Is it a tuple whose parts have types of their own, and is no sequence wanted? */
bool emit_stays_tuple(struct cv v, const struct ty *want);

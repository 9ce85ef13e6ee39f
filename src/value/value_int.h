/* Declarations private to the room `value`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/value.h"

/* TLC's message codes that this room uses. */
enum {
    CODE_COMPARE = 2155,     /* TLC_MODULE_COMPARE_VALUE */
    CODE_MEMBER = 2158,      /* TLC_MODULE_CHECK_MEMBER_OF */
    CODE_OVERFLOW = 2178,    /* TLC_MODULE_OVERFLOW */
    CODE_CARDINALITY = 2181, /* TLC_MODULE_COMPUTING_CARDINALITY */
    CODE_ARGUMENT = 2266     /* TLC_MODULE_ARGUMENT_ERROR_AN */
};

#define SET_SIZE_MAX_DEFAULT UINT64_C(1000000)

/* ---- the C stack (make.c) ---- */
void vctx_stack_check_slow(struct vctx *ctx, uintptr_t here);
bool vctx_stack_is_low_slow(struct vctx *ctx, uintptr_t here);
/* First thing in functions that recurse over nested values: a value nested 100,000 deep is an
 * error, not a crash. */
static inline void stack_check(struct vctx *ctx)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (__builtin_expect(here - ctx->stack_lo >= ctx->stack_span, 0)) {
        vctx_stack_check_slow(ctx, here);
    }
}
static inline bool stack_is_low(struct vctx *ctx)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return __builtin_expect(here - ctx->stack_lo >= ctx->stack_span, 0) &&
           vctx_stack_is_low_slow(ctx, here);
}

/* ---- objects (make.c) ---- */
struct vlazy *vlazy_new(struct vctx *ctx, enum vkind kind, size_t n, size_t words);
static inline struct vlazy *val_lazy(struct val v)
{
    return vobj_lazy(val_obj(v));
}
static inline bool val_is_lazy(struct val v)
{
    return val_is_obj(v) && vkind_is_lazy(val_obj(v)->kind);
}
static inline int64_t interval_lo(struct val set)
{
    return val_small_get(val_lazy(set)->op[0]);
}
static inline int64_t interval_hi(struct val set)
{
    return val_small_get(val_lazy(set)->op[1]);
}
static inline uint64_t interval_size(struct val set)
{
    return (uint64_t)(interval_hi(set) - interval_lo(set)) + 1;
}
static inline uint64_t set_limit(const struct vctx *ctx)
{
    return ctx->set_size_max ? ctx->set_size_max : SET_SIZE_MAX_DEFAULT;
}
__attribute__((noreturn, cold)) void val_fail_set_too_big(struct vctx *ctx, uint64_t limit);
static inline struct vobj *vobj_new(struct vctx *ctx, enum vkind kind, size_t n, size_t words)
{
    if (__builtin_expect(n > UINT32_MAX / 2, 0)) {
        val_fail_set_too_big(ctx, UINT32_MAX / 2);
    }
    struct vobj *obj = arena_alloc(ctx->arena, sizeof *obj + words * sizeof obj->v[0]);
    obj->kind = (uint8_t)kind;
    obj->flags = 0;
    obj->pad = 0;
    obj->n = (uint32_t)n;
    obj->hash = 0;
    return obj;
}
static inline char model_type(struct val v)
{
    return val_model_type(v);
}

/* A growing array in the arena, for collecting elements. */
struct vals {
    struct val *v;
    size_t n;
    size_t cap;
};
void val_push(struct vctx *ctx, struct vals *vals, struct val v); /* fails above set_size_max */

/* ---- hashes of tuples, element by element (hash.c) ---- */
uint64_t tuple_hash_begin(void);
uint64_t tuple_hash_more(struct vctx *ctx, uint64_t sum, struct val elem);
uint64_t tuple_hash_end(uint64_t sum, size_t n);

/* ---- sets ---- */
/* The canonical SET of any enumerable set. */
const struct vobj *set_view(struct vctx *ctx, struct val set);
/* How many elements a set has, as far as it can be told without enumerating it. */
struct bound {
    uint64_t n; /* at most so many; BOUND_INF: unknown, infinite or too large to count */
    bool exact; /* n is the number itself (for BOUND_INF: it really is at least 2^62) */
};
#define BOUND_INF (UINT64_C(1) << 62)
struct bound set_bound(struct vctx *ctx, struct val set);
/* Whether set_force may be tried: elements can be enumerated, and there are not too many. */
bool set_can_force(struct vctx *ctx, struct val set);
struct val set_merge(struct vctx *ctx, struct val a, struct val b); /* union of two SETs */
/* All elements in the order of set_iter_init, duplicates included; for an interval `v` is NULL and
 * they are lo, lo+1, ... */
struct elems {
    const struct val *v;
    int64_t lo;
    uint64_t n;
};
struct elems set_elems(struct vctx *ctx, struct val set);
static inline struct val elems_at(const struct elems *elems, uint64_t i)
{
    return elems->v ? elems->v[i] : val_small(elems->lo + (int64_t)i);
}
bool set_plain_is_sorted(
    struct vctx *ctx,
    struct val set); /* set_iter_init's order is the sorted one, without duplicates */
/* "Attempted to compute the number of elements in ...". */
__attribute__((noreturn, cold)) void val_fail_size(struct vctx *ctx, struct val v);
__attribute__((noreturn, cold)) void val_fail_enumerate(struct vctx *ctx, struct val v);
const char *
val_kind_noun(struct val v); /* "the integer", ... of a value that should have been a set */
/* Sequences, sets of numbers: what TLC calls UserValue. */
bool val_is_user(struct val v);

/* ---- functions ---- */
static inline const struct val *fcn_keys(const struct vobj *obj) /* of RECORD and FCN */
{
    return obj->v;
}
static inline const struct val *fcn_values(const struct vobj *obj) /* of TUPLE, RECORD and FCN */
{
    return obj->kind == VK_TUPLE ? obj->v : obj->v + obj->n;
}
bool keys_are_contiguous(const struct val *keys, size_t n); /* small integers lo, lo+1, ... */
bool keys_are_strings(const struct val *keys, size_t n);
/* DOMAIN fcn = set, for a canonical function. */
bool fcn_domain_equals(struct vctx *ctx, const struct vobj *fcn, struct val fcn_val,
                       struct val set);

/* ---- order ---- */
/* elem \in an untyped or typed model value's foreign set: false, or TLC's error. */
bool val_model_member(struct vctx *ctx, struct val model, struct val set);

/* ---- bytes of text ---- */
bool val_name_is_identifier(struct str name); /* prints as a record field */

/* TLA+ values.
 *
 * A value is one 64-bit word: small integers, booleans, strings and model values live in the word,
 * everything else is a pointer to an immutable object in an arena. Equal values need not be the
 * same word (except strings, booleans, model values and small integers); val_equal and val_compare
 * decide.
 *
 * Canonical forms, kept by every constructor, so that equality and fingerprints are structural:
 *   - an integer that fits 61 bits is always the small form;
 *   - a function whose domain is 1..n is always a TUPLE (the empty function is the empty tuple),
 * one whose domain is a non-empty set of strings is always a RECORD, any other is a FCN; keys are
 * sorted by val_compare;
 *   - a SET holds its elements sorted and without duplicates.
 * Lazy forms (intervals, SUBSET, [S -> T], filters, ...) are equal to what they stand for;
 * val_force makes them canonical.
 *
 * Order and errors are TLC's: val_compare of a string with an integer is an error of the spec,
 * reported through vctx.fail, which does not return. Strings and model values are ordered by their
 * ids (order of first sight), as TLC does.
 *
 * Threads: a vctx belongs to one thread. Objects made by val_freeze are deeply immutable (hash
 * computed, no caches) and may be shared. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct val {
    uint64_t w;
};

/* ORDER VTAG: low three bits of the word. */
enum vtag {
    VTAG_OBJ = 0,    /* pointer to struct vobj */
    VTAG_INT = 1,    /* 61-bit signed integer in the high bits */
    VTAG_BOOL = 2,   /* bit 3 */
    VTAG_STR = 3,    /* id in strtab, high 32 bits */
    VTAG_MODEL = 4,  /* model value: id of its name in strtab (high 32 bits); bits 8..15: type
                        character or 0 (untyped) */
    VTAG_SPECIAL = 5 /* enum vspecial in high bits */
};

enum vspecial {
    VSP_UNDEF, /* no value: an unassigned variable */
    VSP_NAT,
    VSP_INT,
    VSP_REAL,
    VSP_STRING, /* the set STRING */
    VSP_ANYSET  /* TLC's Any: contains everything */
};

enum vkind {
    VK_BIGINT, /* n limbs of 64 bits in v[].w; flag VF_NEG */
    VK_SET,    /* v[n], sorted */
    VK_TUPLE,  /* v[n] */
    VK_RECORD, /* names v[0..n), values v[n..2n) */
    VK_FCN,    /* keys v[0..n), values v[n..2n) */
    /* lazy sets */
    VK_INTERVAL, /* v[0]..v[1], small integers; v[0] <= v[1], else it is the empty SET */
    VK_SUBSET,   /* v[0] */
    VK_KSUBSET,  /* subsets of v[0] of size v[1] */
    VK_FCNSET,   /* [v[0] -> v[1]] */
    VK_RECSET,   /* names v[0..n), sets v[n..2n) */
    VK_PRODUCT,  /* v[0] \X ... \X v[n-1] */
    VK_SEQSET,   /* Seq(v[0]) */
    VK_UNION,    /* UNION v[0] */
    VK_CUP,      /* v[0] \cup v[1] */
    VK_CAP,
    VK_DIFF,
    /* closures: behaviour comes from struct lazy_ops, given by eval (and by EXCEPT on a LAMBDA) */
    VK_FILTER, /* {x \in S : p}: v[0] = S */
    VK_LAMBDA, /* [x \in S |-> e]: v[0] = the domain (PRODUCT for several bounds) */
    VK_OPER,   /* an operator passed as an argument; only eval looks inside */
    VK_THUNK   /* an unevaluated argument; never inside other values, never seen by this room */
};

enum vflag {
    VF_NEG = 1,    /* BIGINT below zero */
    VF_FROZEN = 2, /* shared between threads: nothing may be written to it, not even caches */
    VF_FORCED = 4, /* lazy object whose `forced` holds the canonical value */
    VF_MAP = 8 /* RECORD that was made as a function ([x \in S |-> e], :>, @@): equal to the record,
                  but TLC words its errors as for functions and compares it with other functions
                  without complaint */
};

struct vobj {
    uint8_t kind;
    uint8_t flags;
    uint16_t pad;
    uint32_t n;
    uint64_t hash; /* 0 = not computed */
    struct val v[];
};

struct vctx;

struct vlazy;

/* What eval gives for FILTER and LAMBDA. */
struct lazy_ops {
    bool (*member)(struct vctx *ctx, struct vlazy *self,
                   struct val elem); /* FILTER: elem \in S has been checked already */
    struct val (*apply)(struct vctx *ctx, struct vlazy *self,
                        struct val arg); /* LAMBDA: arg \in DOMAIN has been checked */
    struct val (*freeze)(struct vctx *ctx, struct vlazy *self,
                         struct arena *into); /* deep copy that keeps it lazy; NULL: it is forced */
    void (*print)(
        struct vctx *ctx, struct vlazy *self,
        struct strbuf *out); /* what TLC prints when it cannot enumerate it; may be NULL */
};

/* The start of every lazy object. The operands stand in op[]; eval's FILTER and LAMBDA objects
 * embed this first and put their captured values after it. `forced` is written once (VF_FORCED),
 * and never in frozen objects. */
struct vlazy {
    uint8_t kind;
    uint8_t flags;
    uint16_t pad;
    uint32_t n; /* number of operands, or of fields (RECSET) */
    uint64_t hash;
    const struct lazy_ops *ops; /* FILTER, LAMBDA; NULL for the others */
    struct val forced;
    struct val op[]; /* see enum vkind, where it is called v[] */
};
static inline bool vkind_is_lazy(uint8_t kind)
{
    return kind >= VK_INTERVAL;
}
static inline struct vlazy *vobj_lazy(struct vobj *obj)
{
    return (struct vlazy *)obj;
}

/* Strings and names, interned: equal text, equal id; ids grow in order of first sight. Shared by
 * all threads: reads are lock-free. */
struct strtab;
struct strtab *strtab_new(void);
void strtab_free(struct strtab *strtab);
uint32_t strtab_intern(struct strtab *strtab, struct str text);
struct str strtab_text(const struct strtab *strtab, uint32_t id);
uint64_t strtab_hash(const struct strtab *strtab, uint32_t id); /* of the text */
uint32_t strtab_count(const struct strtab *strtab);

/* Said, with TLC's code 1005, when the C stack is used up. */
#define VAL_STACK_TEXT                                                                             \
    "This was a stack overflow. It was probably the result\nof an incorrect recursive function "   \
    "definition that caused TLC to enter\nan infinite loop when trying to compute the function "   \
    "or its application\nto an element in its putative domain."

struct vctx {
    struct arena *arena; /* where new values go */
    struct strtab *strings;
    uint64_t set_size_max; /* TLC's -maxSetSize: enumerating more is an error */
    /* Reports an error of the spec; must not return. `code` is TLC's message code (2103 family) or
     * 0. */
    void (*fail)(struct vctx *ctx, int code, const char *text) __attribute__((noreturn));
    void *owner;        /* eval's context */
    unsigned interrupt; /* counts the calls of vctx_poll */
    bool (*poll)(
        struct vctx *ctx); /* may be NULL; true = stop (then fail is called with "interrupted") */
    /* Set while the arena may be rewound under older objects (a loop that gives back what its body
     * made): forced values are then not kept in lazy objects. Iterators keep their state from
     * set_iter_init on, so rewinding between two steps is safe. */
    bool no_cache;
    bool terse; /* TLC's -terse: lazy sets are printed as they were written */
    /* Where recursion must stop: addresses from stack_lo on, stack_span bytes, may be used. Zero:
     * found out from the thread. Code that runs on a stack of its own making sets them. */
    uintptr_t stack_lo;
    size_t stack_span;
};

__attribute__((noreturn, cold, format(printf, 3, 4))) void vctx_fail(struct vctx *ctx, int code,
                                                                     const char *fmt, ...);
void vctx_poll_now(struct vctx *ctx);
static inline void
vctx_poll(struct vctx *ctx) /* in every step of long loops: now and then asks ctx->poll */
{
    if (__builtin_expect((++ctx->interrupt & 4095) == 0, 0)) {
        vctx_poll_now(ctx);
    }
}

/* ---- words ---- */
static inline enum vtag val_tag(struct val v)
{
    return (enum vtag)(v.w & 7);
}
static inline bool val_is_obj(struct val v)
{
    return (v.w & 7) == VTAG_OBJ;
}
static inline struct vobj *val_obj(struct val v)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the word is a tagged pointer */
    return (struct vobj *)(uintptr_t)v.w;
}
static inline bool val_is_kind(struct val v, enum vkind kind)
{
    return val_is_obj(v) && val_obj(v)->kind == kind;
}
static inline struct val val_of_obj(const struct vobj *obj)
{
    return (struct val){(uint64_t)(uintptr_t)obj};
}
static inline bool val_same(struct val a, struct val b)
{
    return a.w == b.w;
}
#define VAL_UNDEF  ((struct val){((uint64_t)VSP_UNDEF << 3) | VTAG_SPECIAL})
#define VAL_NAT    ((struct val){((uint64_t)VSP_NAT << 3) | VTAG_SPECIAL})
#define VAL_INT    ((struct val){((uint64_t)VSP_INT << 3) | VTAG_SPECIAL})
#define VAL_REAL   ((struct val){((uint64_t)VSP_REAL << 3) | VTAG_SPECIAL})
#define VAL_STRING ((struct val){((uint64_t)VSP_STRING << 3) | VTAG_SPECIAL})
#define VAL_ANYSET ((struct val){((uint64_t)VSP_ANYSET << 3) | VTAG_SPECIAL})
#define VAL_TRUE   ((struct val){8 | VTAG_BOOL})
#define VAL_FALSE  ((struct val){VTAG_BOOL})
#define SMALL_MIN  (-(INT64_C(1) << 60))
#define SMALL_MAX  ((INT64_C(1) << 60) - 1)

static inline bool val_is_undef(struct val v)
{
    return v.w == VAL_UNDEF.w;
}
static inline bool val_is_bool(struct val v)
{
    return (v.w & 7) == VTAG_BOOL;
}
static inline bool val_is_small(struct val v)
{
    return (v.w & 7) == VTAG_INT;
}
static inline bool val_is_str(struct val v)
{
    return (v.w & 7) == VTAG_STR;
}
static inline char val_model_type(struct val model) /* 0: it has none */
{
    return (char)(model.w >> 8 & 0xff);
}
static inline bool val_is_model(struct val v)
{
    return (v.w & 7) == VTAG_MODEL;
}
static inline struct val val_bool(bool b)
{
    return b ? VAL_TRUE : VAL_FALSE;
}
static inline struct val val_small(int64_t i) /* SMALL_MIN <= i <= SMALL_MAX */
{
    return (struct val){((uint64_t)i << 3) | VTAG_INT};
}
static inline int64_t val_small_get(struct val v)
{
    return (int64_t)v.w >> 3;
}
static inline struct val val_strid(uint32_t id)
{
    return (struct val){((uint64_t)id << 32) | VTAG_STR};
}
static inline uint32_t val_str_id(struct val v) /* of a string or a model value */
{
    return (uint32_t)(v.w >> 32);
}
struct val val_str(struct vctx *ctx, struct str text);
struct str val_str_text(struct vctx *ctx, struct val v);
/* Model values: the name decides the type, as in TLC: "x_name" with one letter x has type x; others
 * are untyped. */
struct val val_model(struct strtab *strings, struct str name);

/* ---- integers (int.c) ---- */
bool val_is_int(struct val v); /* small or big */
struct val val_int(struct vctx *ctx, int64_t i);
bool int_to_i64(struct val v, int64_t *ret);
bool int_parse(struct vctx *ctx, struct str digits, unsigned base,
               struct val *ret); /* optional leading '-' */
int int_cmp(struct val a, struct val b);
struct val int_add(struct vctx *ctx, struct val a, struct val b);
struct val int_sub(struct vctx *ctx, struct val a, struct val b);
struct val int_mul(struct vctx *ctx, struct val a, struct val b);
struct val int_neg(struct vctx *ctx, struct val a);
struct val int_div(struct vctx *ctx, struct val a,
                   struct val b); /* \div: floor; b # 0 checked by the caller */
struct val int_mod(struct vctx *ctx, struct val a,
                   struct val b); /* %: result in 0..b-1; b > 0 checked by the caller */
struct val int_pow(struct vctx *ctx, struct val a,
                   struct val b); /* b >= 0; fails above a size limit */
int int_sign(struct val a);

/* ---- constructors (make.c) ---- */
struct val set_empty(void);
/* Sorts and removes duplicates; `elems` is only read. Elements may be lazy: they are compared, not
 * forced. */
struct val set_make(struct vctx *ctx, const struct val *elems, size_t n);
struct val set_from_sorted(struct vctx *ctx, const struct val *elems,
                           size_t n); /* the caller knows that they are strictly ascending */
struct val set_interval(struct vctx *ctx, struct val lo, struct val hi);
struct val set_subset(struct vctx *ctx, struct val base);
struct val set_ksubset(struct vctx *ctx, struct val base, struct val size);
struct val set_fcnset(struct vctx *ctx, struct val domain, struct val range);
struct val set_recset(struct vctx *ctx, const struct val *names, const struct val *sets, size_t n);
struct val set_product(struct vctx *ctx, const struct val *sets, size_t n);
struct val set_seqset(struct vctx *ctx, struct val base);
struct val set_union_lazy(
    struct vctx *ctx,
    struct val base); /* UNION base; evaluated at once when TLC does so (a SET of SETs) */
struct val tuple_make(struct vctx *ctx, const struct val *elems, size_t n);
struct val tuple_new(struct vctx *ctx, size_t n,
                     struct val **ret_elems); /* the caller fills ret_elems before use */
struct val tuple_empty(void);
struct val record_make(struct vctx *ctx, const struct val *names, const struct val *values,
                       size_t n); /* sorts; fails on a name twice */
/* Any finite map; keys need not be sorted; a later duplicate key is ignored. Gives the canonical
 * TUPLE, RECORD or FCN. */
struct val fcn_make(struct vctx *ctx, const struct val *keys, const struct val *values, size_t n);
struct val fcn_from_sorted(struct vctx *ctx, const struct val *keys, const struct val *values,
                           size_t n); /* keys strictly ascending */

/* ---- sets (set.c) ---- */
bool val_is_set(struct val v);        /* any form of set, lazy or not */
bool set_is_enumerable(struct val v); /* what TLC's code calls Enumerable: decided by the form alone
                                         (SUBSET Nat is, Nat is not) */
bool set_is_finite(struct vctx *ctx, struct val set);
bool set_member(struct vctx *ctx, struct val elem, struct val set);
struct val set_cup(struct vctx *ctx, struct val a, struct val b);
struct val set_cap(struct vctx *ctx, struct val a, struct val b);
struct val set_diff(struct vctx *ctx, struct val a, struct val b);
bool set_subseteq(struct vctx *ctx, struct val a, struct val b);
struct val set_card(struct vctx *ctx,
                    struct val set); /* Cardinality, possibly big; fails on infinite sets */
struct val set_flatten(struct vctx *ctx, struct val set); /* UNION set, evaluated */
bool set_is_empty(struct vctx *ctx, struct val set);

/* Enumeration. There are two orders:
 *   set_iter_init          the order of TLC's plain enumerators: `x \in S` in Init and Next, {x \in
 * S : p}. UNION and \cup of lazy sets may give an element several times, as in TLC (that shows in
 * the number of generated states). set_iter_init_sorted   the normalized order, without duplicates:
 * CHOOSE, \A, \E, {e : x \in S}. */
struct set_iter {
    struct vctx *ctx;
    struct val set;
    uint64_t at, count;
    void *state; /* in the arena */
    bool (*step)(struct set_iter *it, struct val *ret);
};
void set_iter_init(struct set_iter *it, struct vctx *ctx,
                   struct val set); /* fails on sets that cannot be enumerated */
void set_iter_init_sorted(struct set_iter *it, struct vctx *ctx, struct val set);
static inline bool set_iter_next(struct set_iter *it, struct val *ret)
{
    return it->step(it, ret); /* NOLINT(clang-analyzer-core.CallAndMessage): set_iter_init set it */
}
/* The canonical SET (sorted array) of any enumerable set: for loops over v[0..n). Cached in lazy
 * objects that are not frozen. */
struct val set_force(struct vctx *ctx, struct val set);

/* ---- functions, records, tuples (fcn.c) ---- */
bool val_is_fcn(struct val v); /* TUPLE, RECORD, FCN, LAMBDA */
struct val fcn_apply(struct vctx *ctx, struct val fcn,
                     struct val arg); /* fails with TLC's text when arg is outside the domain */
bool fcn_try(struct vctx *ctx, struct val fcn, struct val arg,
             struct val *ret); /* false when outside the domain */
struct val fcn_domain(struct vctx *ctx, struct val fcn);
size_t fcn_size(struct vctx *ctx, struct val fcn);
struct val fcn_key(struct vctx *ctx, struct val fcn,
                   size_t i); /* of a canonical function, in order */
struct val fcn_value(struct vctx *ctx, struct val fcn, size_t i);
/* [fcn EXCEPT ![arg] = value]: a copy, lazy when the domain cannot be listed; when arg is
 * outside the domain the function is returned unchanged (TLC warns). */
struct val fcn_update(struct vctx *ctx, struct val fcn, struct val arg, struct val value);
/* The same function, of which only the values at the members of `known` are known: to ask for
 * another, or for all of it, fails with `code`. */
struct val fcn_partly(struct vctx *ctx, struct val fcn, struct val known, int code);
struct val fcn_force(struct vctx *ctx, struct val fcn); /* canonical */
bool record_get(struct vctx *ctx, struct val record, uint32_t name_id, struct val *ret);
/* A value seen as a sequence: TUPLE or what forces to one. NULL when it is none. */
const struct vobj *seq_of(struct vctx *ctx, struct val v);

/* ---- ropes: long sequences that share their parts (rope.c) ----
 * LAMBDAs whose domain is 1 .. n. Settling keeps them, forcing makes a tuple. Elements are counted
 * from 0 here. */
enum { ROPE_LEAST = 128 };                              /* shorter ones are tuples */
struct val rope_of(struct vctx *ctx, struct val tuple); /* of ROPE_LEAST elements at least */
bool val_is_rope(struct val v);
size_t rope_len(struct val rope);
struct val rope_get(struct val rope, size_t i);
struct val rope_append(struct vctx *ctx, struct val rope, struct val elem);
struct val rope_cut(struct vctx *ctx, struct val rope, size_t n);                /* the first n */
struct val rope_slice(struct vctx *ctx, struct val rope, size_t from, size_t n); /* a tuple */
struct val rope_force(struct vctx *ctx, struct val rope);
/* For who copies values: words behind the head of the object, where the tree is, a tuple of
 * tuples; to be called for each copy. */
size_t rope_words(void);
struct val *rope_root(struct vobj *rope);
void rope_placed(struct vobj *copy);

/* ---- order, equality, fingerprints (order.c) ---- */
int val_compare_slow(struct vctx *ctx, struct val a, struct val b);
bool val_equal_slow(struct vctx *ctx, struct val a, struct val b);

/* Both words have the same tag, and it is one whose words are equal exactly when the values are:
 * INT, BOOL, STR. */
static inline bool val_both_plain(struct val a, struct val b)
{
    return ((a.w ^ b.w) & 7) == 0 &&
           ((1u << (a.w & 7)) & (1u << VTAG_INT | 1u << VTAG_BOOL | 1u << VTAG_STR)) != 0;
}
static inline int val_compare(struct vctx *ctx, struct val a, struct val b)
{
    if (val_both_plain(a, b)) { /* ids of strings are below 2^31 */
        return ((int64_t)a.w > (int64_t)b.w) - ((int64_t)a.w < (int64_t)b.w);
    }
    return val_compare_slow(ctx, a, b);
}
static inline bool val_equal(struct vctx *ctx, struct val a, struct val b)
{
    if (a.w == b.w) {
        return true;
    }
    return val_both_plain(a, b) ? false : val_equal_slow(ctx, a, b);
}
/* Structural, order-independent for sets and functions, the same in every run, on every machine and
 * for lazy and forced forms. */
uint64_t val_hash(struct vctx *ctx, struct val v);
/* Deep canonical form: no lazy object is left inside (except infinite sets, on which it fails as
 * TLC does when a state holds them). */
struct val val_force(struct vctx *ctx, struct val v);
/* As val_force, but intervals stay: TLC prints 1..3 in a state as it was made. What a state should
 * hold. */
struct val val_settle(struct vctx *ctx, struct val v);
/* As val_settle, but what cannot be enumerated (Int, STRING, SUBSET of much) stays as it is, and is
 * noted: val_settle would fail. */
struct val val_settle_most(struct vctx *ctx, struct val v, bool *ret_stuck);
/* Deep copy into another arena; VF_FROZEN set, hashes of canonical objects are computed. Lazy sets
 * stay lazy (their membership rules are TLC's); small ones carry their canonical form along. */
struct val val_freeze(struct vctx *ctx, struct arena *into, struct val v);

/* ---- text and bytes (print.c, bytes.c) ---- */
void val_print(struct vctx *ctx, struct val v, struct strbuf *out); /* one line, TLC's syntax */
/* TLC's pretty printing: breaks at width 80; `indent` is the column at which the value starts. */
void val_print_pretty(struct vctx *ctx, struct val v, unsigned indent, unsigned width,
                      struct strbuf *out);
const char *val_ppr(struct vctx *ctx,
                    struct val v); /* pretty at width 80, in the arena, for messages */
const char *val_line(struct vctx *ctx, struct val v); /* val_print, in the arena */
/* Fails where TLC refuses to print: for a set that cannot be enumerated, and is none of those that
 * have a name (Nat, Seq(S)). Messages, which print what they can, do without. */
void val_check_printable(struct vctx *ctx, struct val v);
/* Checked, then pretty at width 80, whole, in the arena: for Print and its like. */
const char *val_shown(struct vctx *ctx, struct val v);
/* The layout rules of val_print_pretty, for text that is already printed. */
void val_text_pretty(struct vctx *ctx, struct str text, unsigned indent, unsigned width,
                     struct strbuf *out);
const char *
val_kind_text(struct val v); /* "an integer", "a set of the form {e1, ... ,eN}", ... for messages */
void val_encode(struct vctx *ctx, struct val v,
                struct strbuf *out); /* intervals stay, other lazy values are forced */
/* Reads what val_encode wrote; returns false on damaged bytes (never reads past end). Strings are
 * ids of the same strtab. */
bool val_decode(struct vctx *ctx, const uint8_t **at, const uint8_t *end, struct val *ret);

/* ---- symmetry ---- */
struct val_perm { /* a permutation of model values: from[i] -> to[i] */
    const struct val *from;
    const struct val *to;
    size_t n;
};
struct val val_permute(struct vctx *ctx, struct val v, const struct val_perm *perm);
/* val_hash of the permuted value, without building it. */
uint64_t val_hash_permuted(struct vctx *ctx, struct val v, const struct val_perm *perm);

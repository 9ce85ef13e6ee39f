/* Private to the native operators: their tables, arguments, and TLC's ways of refusing an argument.
 *
 * An error of the spec leaves by longjmp, so a native operator keeps memory in the evaluator's
 * arena only: no heap buffer may be alive where something can fail (calling an operator argument,
 * comparing values, printing them). */
#pragma once

/* IWYU pragma: begin_exports */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "eval/native.h"
#include "value/value.h"
/* IWYU pragma: end_exports */

/* The functions behind the rows of natives.def. */
#define NATIVE(ID, module, name, arity, flags, eval, ...)                                          \
    struct val native_##eval(struct ev *ev, const struct val *args);
#include "ir/natives.def"

/* TLC's message codes of failing module operators. */
enum native_code {
    CODE_GENERAL = 1000,
    CODE_ASSERT = 2132,
    CODE_TLCGET = 2145,
    CODE_OVERRIDE = 2154,
    CODE_ARGUMENT = 2169,
    CODE_WRONG_VALUE = 2176,
    CODE_BAG_UNION = 2177,
    CODE_OVERFLOW = 2178,
    CODE_DIVISION = 2179,
    CODE_ZERO_POWER = 2180,
    CODE_CARDINALITY = 2181,
    CODE_EVALUATING = 2182,
    CODE_NOT_IN_DOMAIN = 2183,
    CODE_EMPTY_SEQ = 2184,
    CODE_ARGUMENT_AN = 2266,
    CODE_ONE_ARGUMENT = 2283
};

/* "The second argument of SubSeq should be a natural number, but instead it is:" and the value. */
__attribute__((noreturn, cold)) void native_fail_argument(struct ev *ev, const char *which,
                                                          const char *op, const char *want,
                                                          struct val got);
/* The same for a noun that wants "an". */
__attribute__((noreturn, cold)) void native_fail_argument_an(struct ev *ev, const char *which,
                                                             const char *op, const char *want,
                                                             struct val got);
/* "The argument of Len should be a sequence, but instead it is:" and the value. */
__attribute__((noreturn, cold)) void native_fail_only_argument(struct ev *ev, const char *op,
                                                               const char *want, struct val got);
/* "Applying BagUnion to the following value, which is not ...:" and the value. */
__attribute__((noreturn, cold)) void native_fail_wrong_value(struct ev *ev, const char *op,
                                                             const char *want, struct val got);
/* "Evaluating an expression of the form Append(s, v) when s is not a sequence:" and the value. */
__attribute__((noreturn, cold)) void native_fail_evaluating(struct ev *ev, const char *form,
                                                            const char *want, struct val got);
/* "The second argument of SubSeq must be in the domain of its first argument:" with both values. */
__attribute__((noreturn, cold)) void native_fail_not_in_domain(struct ev *ev, const char *which,
                                                               const char *op, const char *of,
                                                               struct val fcn, struct val got);
/* "Attempted to apply the operator DOMAIN to a non-function" and what it is. */
__attribute__((noreturn, cold)) void native_fail_domain(struct ev *ev, struct val got);
/* A file or process failed. */
__attribute__((noreturn, cold, format(printf, 3, 4))) void
native_fail_outside(struct ev *ev, const char *op, const char *fmt, ...);
/* To be called before anything outside is changed: fails when the user has forbidden it. */
void native_need_exec(struct ev *ev, const char *op);

/* The argument as the thing it must be, or the failure above that names it. */
const struct vobj *native_need_seq(struct ev *ev, struct val v, const char *which, const char *op);
const struct vobj *native_need_only_seq(struct ev *ev, struct val v, const char *op);
struct str native_need_string(struct ev *ev, struct val v, const char *which, const char *op);
const char *native_need_path(struct ev *ev, struct val v, const char *which,
                             const char *op); /* NUL-terminated */
struct val native_need_int(struct ev *ev, struct val v, const char *which, const char *op);
bool native_need_bool(struct ev *ev, struct val v, const char *which, const char *op);
/* A canonical set; fails as TLC does when TLC's toSetEnum gives nothing. */
const struct vobj *native_need_set(struct ev *ev, struct val v, const char *which, const char *op);

/* What TLC's conversions give; false when they give nothing. */
bool native_as_set(struct ev *ev, struct val v, struct val *ret); /* a canonical SET */
bool native_as_fcn(struct ev *ev, struct val v,
                   struct val *ret); /* canonical: TUPLE, RECORD or FCN */
bool native_as_record(struct ev *ev, struct val v,
                      struct val *ret); /* RECORD, or the empty tuple */

/* A field of a record by name. */
bool native_field(struct ev *ev, struct val record, const char *name, struct val *ret);
struct val native_pair_xy(struct ev *ev, int64_t x, int64_t y); /* [x |-> x, y |-> y] */

struct val native_call1(struct ev *ev, struct val oper, struct val a);
struct val native_call2(struct ev *ev, struct val oper, struct val a, struct val b);

/* Text built in the arena. */
struct text {
    struct arena *arena;
    char *p;
    size_t n, cap;
};
void native_text_init(struct text *text, struct ev *ev);
void native_text_add(struct text *text, const char *p, size_t n);
void native_text_adds(struct text *text, const char *s);
void native_text_addstr(struct text *text, struct str s);
void native_text_addc(struct text *text, char c);
void native_text_addval(struct text *text, struct ev *ev,
                        struct val v);                        /* as printed, on one line */
struct val native_text_val(struct text *text, struct ev *ev); /* as a string value */
static inline struct str native_text_str(const struct text *text)
{
    return (struct str){text->n > 0 ? text->p : "", text->n};
}
const char *native_text_cstr(struct text *text);
/* A string as it is, any other value as printed. */
struct str native_unquoted(struct ev *ev, struct val v);

/* Java's String.format with %s, %1$s, %d, %n and %%, and widths: what templates use. */
struct str native_format_template(struct ev *ev, const char *op, struct str template,
                                  const struct str *params, size_t n);

/* An array of values that grows, in the arena. */
struct vals {
    struct arena *arena;
    struct val *v;
    size_t n, cap;
};
void native_vals_init(struct vals *vals, struct ev *ev, size_t cap);
void native_push(struct vals *vals, struct val v);

/* Shared between families. */
struct val native_seq_permutations(struct ev *ev, const struct vobj *set, bool as_functions);
struct val native_json_text(struct ev *ev, struct val v); /* ToJson */

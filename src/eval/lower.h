/* Private to eval: what the files of lowering share. */
#pragma once

#include <stdarg.h>
#include <stdint.h>

#include "eval/code.h"
#include "eval/native.h"
#include "sem/sem.h"
#include "syntax/ast.h"

const struct ex *lower_ex_failing(struct spec *spec, const struct node *src, int code,
                                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));
const struct ex *lower_oper(struct lc lc, const struct node *at, struct binding *b, uint32_t arity);
const struct ex *lower_native(struct lc lc, const struct node *at, const struct def *def,
                              const struct native *native, struct binding **args);
const struct ex *lower_fcndef(struct lc lc, const struct node *at, const struct def *def);
const struct ex *lower_var(struct lc lc, const struct node *at, const struct def *def);
bool lower_is_strict(const struct node *node);
/* How often a parameter may be evaluated: 0, 1 or 2 (= several times). */
unsigned lower_uses_in(const struct node *node, const struct def *param);
/* Gives b, whose level is known, a slot that is filled at first use; false: it must stay a name. */
bool bind_lazily(struct lc lc, struct binding *b, const struct node *node, struct slot_list *slots);
/* Is the operator so large that it is lowered once, as a function? Its parameters can be values. */
bool lower_by_itself(struct spec *spec, const struct def *def);
/* Can the parameters of the operator be values: does it nowhere prime one? */
bool lower_takes_values(struct spec *spec, const struct def *def);
/* Argument of a call: the value itself when that is cheap and cannot fail, else a thunk. */
const struct ex *lower_lazy_arg(struct lc lc, const struct node *at, struct binding *b);
/* A call of `callee` in `from`: what it takes from the frame there is known after lower_seal. */
struct call_info *lower_call_info(struct spec *spec, struct unit *from, struct unit *callee);
const struct act *lower_enabled_body(struct lc lc, const struct node *action,
                                     const struct node *subscript);

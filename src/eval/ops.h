/* Private to eval: the functions behind the nodes of the lowered graph, op_* for expressions and
 * act_* for actions. ir/ops.def says for each what its node holds. */
#pragma once

#include "eval/code.h"
#include "value/value.h"

#define EX(NAME, eval, ...) struct val op_##eval(struct ev *ev, const struct ex *x, struct val *fr);
#define ACT(NAME, eval, ...)                                                                       \
    int act_##eval(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k);
#include "ir/ops.def"

extern const ex_fn op_runs[EX_COUNT];
extern const act_fn act_runs[ACT_COUNT];

/* Pushes a frame for a unit of the enclosing frame `fr` and copies what it captures. */
struct val *unit_enter(struct ev *ev, const struct unit *unit, struct val *fr);

static inline bool ex_bool(struct ev *ev, const struct ex *x, struct val *fr, const char *what)
{
    struct val v = ex_eval(ev, x, fr);
    if (__builtin_expect(!val_is_bool(v), 0)) {
        ev_not_bool(ev, x, v, what);
    }
    return val_same(v, VAL_TRUE);
}

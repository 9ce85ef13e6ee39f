/* Private to eval: the functions behind expression nodes. Each runs one kind of node; the comment
 * gives what the node holds. */
#pragma once

#include <stdint.h>

#include "eval/code.h"
#include "value/value.h"

/* names: u.val / slot */
struct val op_const(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_var0(struct ev *ev, const struct ex *x,
                   struct val *fr); /* u.i = variable, of the current state */
struct val op_var1(struct ev *ev, const struct ex *x,
                   struct val *fr); /* u.i = variable, of the next state */
struct val op_slot(struct ev *ev, const struct ex *x, struct val *fr); /* slot: always a value */
struct val op_slot_step(struct ev *ev, const struct ex *x,
                        struct val *fr); /* ... whose value holds for one epoch */
struct val op_lazy_step(struct ev *ev, const struct ex *x,
                        struct val *fr); /* likewise, see op_lazy */
struct val op_slot_thunk(struct ev *ev, const struct ex *x,
                         struct val *fr); /* slot: a value or a thunk */
struct val op_lazy(struct ev *ev, const struct ex *x,
                   struct val *fr); /* slot, kid 0: what fills it */
struct val op_cell(struct ev *ev, const struct ex *x, struct val *fr); /* u.p = struct const_cell */
struct val op_let(struct ev *ev, const struct ex *x,
                  struct val *fr); /* u.p = struct let_slots; kid 0 = body */
struct val op_call(struct ev *ev, const struct ex *x,
                   struct val *fr); /* u.p = struct call_info; kids = arguments */
struct val op_call_slot(struct ev *ev, const struct ex *x,
                        struct val *fr); /* slot holds a VK_OPER; kids = arguments */
struct val op_closure_oper(struct ev *ev, const struct ex *x,
                           struct val *fr); /* u.p = struct unit */
struct val op_closure_thunk(struct ev *ev, const struct ex *x,
                            struct val *fr); /* u.p = struct unit */
struct val op_native(struct ev *ev, const struct ex *x,
                     struct val *fr); /* u.p = struct native; kids = arguments */
struct val op_given(struct ev *ev, const struct ex *x,
                    struct val *fr); /* u.p = struct def_table; kids = arguments */
struct val op_assert_error(struct ev *ev, const struct ex *x, struct val *fr);
/* ops_tlcext.c */
struct val op_cache(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_eval_definition(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_pick_successor(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_fail(struct ev *ev, const struct ex *x,
                   struct val *fr); /* u.p = text; u.i unused; slot = code */

struct val op_next_level(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_possible(struct ev *ev, const struct ex *x,
                       struct val *fr); /* u.i = number of a _POSSIBLE predicate */
struct val op_level_below(struct ev *ev, const struct ex *x,
                          struct val *fr); /* u.i = bound of TLCGet("level") */

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

/* logic: kids are the operands */
struct val op_conj(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_disj(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_not(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_implies(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_equiv(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_eq(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_neq(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_if(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_case(struct ev *ev, const struct ex *x,
                   struct val *fr); /* kids: guard, value, ...; odd count: the last is OTHER */
struct val op_forall(struct ev *ev, const struct ex *x,
                     struct val *fr); /* u.p = binder; kid 0 = body */
struct val op_exists(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_choose(struct ev *ev, const struct ex *x, struct val *fr);

/* sets and functions */
struct val op_in(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_in_list(struct ev *ev, const struct ex *x,
                      struct val *fr); /* kids: element, then those of the set */
struct val op_notin_list(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_notin(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_subseteq(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_cup(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_cap(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_setminus(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_subset(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_union(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_domain(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_setenum(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_filter(struct ev *ev, const struct ex *x, struct val *fr); /* u.p = struct fcn_info */
struct val op_setmap(struct ev *ev, const struct ex *x,
                     struct val *fr); /* u.p = binder; kid 0 = element */
struct val op_fcn(struct ev *ev, const struct ex *x, struct val *fr); /* u.p = struct fcn_info */
struct val op_fcnset(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_record(struct ev *ev, const struct ex *x,
                     struct val *fr); /* u.p = names (struct val[n]) */
struct val op_recset(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_tuple(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_times(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_apply(struct ev *ev, const struct ex *x,
                    struct val *fr); /* kids: function, argument */
struct val op_apply_lazy(struct ev *ev, const struct ex *x, struct val *fr); /* applied in turn */
struct val op_dot(struct ev *ev, const struct ex *x,
                  struct val *fr); /* kid 0; u.val = field name (string) */
struct val op_except(struct ev *ev, const struct ex *x,
                     struct val *fr); /* u.p = struct except_info; kid 0 = function */

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

/* arithmetic with small integers inline; u.p = struct native for the rest */
struct val op_add(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_sub(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_mul(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_lt(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_le(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_gt(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_ge(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_range(struct ev *ev, const struct ex *x, struct val *fr);

/* actions seen as booleans */
struct val op_enabled(struct ev *ev, const struct ex *x, struct val *fr);   /* u.p = struct act */
struct val op_unchanged(struct ev *ev, const struct ex *x, struct val *fr); /* kids: e, e' */
struct val op_boxact(struct ev *ev, const struct ex *x, struct val *fr);    /* kids: A, v, v' */
struct val op_angleact(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_step_taken(struct ev *ev, const struct ex *x, struct val *fr);
struct val op_cdot(struct ev *ev, const struct ex *x,
                   struct val *fr); /* u.p = struct act of the left; kid 0 = the right */

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

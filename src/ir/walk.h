/* Private to eval and to those who read the lowered graph: what hangs below a node. The one place
 * that knows where each kind of node keeps its parts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct act;
struct arena;
struct ex;
struct native;
struct unit;

/* Called for the direct parts of a node. */
struct visitor {
    void (*ex)(void *arg, const struct ex *x);
    void (*act)(void *arg, const struct act *a);
    void (*unit)(void *arg, const struct unit *u);
    void *arg;
};

/* Parts of an expression: operands, bounds, units of closures and calls, actions of ENABLED. */
void walk_ex(const struct ex *x, const struct visitor *v);
/* Parts of an action: conditions, values, bounds, parts that are actions, units. The conditions
 * that stand beside the parts of a conjunction (act.tests) say the same as these parts and are left
 * out. */
void walk_act(const struct act *a, const struct visitor *v);
/* Body, action, and what fills the lazy slots that it captures. */
void walk_unit(const struct unit *u, const struct visitor *v);

/* Does the expression itself, not its parts, read something besides its operands and the state (the
 * level, registers, the names of definitions), or have an effect? */
bool ex_reads_more(const struct ex *x);

/* What a walk has seen already: graphs share parts, and definitions call each other. */
struct visits {
    uint8_t *seen; /* by the ids of expressions and actions */
    uint32_t nex;
    VEC(const struct unit *) units;
};
/* nex: the largest id. */
void visits_init(struct visits *visits, struct arena *arena, uint32_t nex);
void visits_done(struct visits *visits);
void visits_forget(struct visits *visits);
/* True the first time. */
bool visits_first(struct visits *visits, uint32_t id);
bool visits_first_unit(struct visits *visits, const struct unit *u);

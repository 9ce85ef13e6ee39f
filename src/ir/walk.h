/* Private to eval and to those who read the lowered graph: what hangs below a node. The one place
 * that knows where each kind of node keeps its parts. */
#pragma once

#include <stdbool.h>

struct act;
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

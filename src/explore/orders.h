/* Orders of a run in which clients see the same, but at other times. Only values, as in cuts.h.
 *
 * What a client saw of its own operations is a part of the trace: it is the same in every order of
 * it. Whether one operation had ended before another began is not, where the two clients have
 * nothing to do with each other; and that is what a history is judged by. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "explore/cuts.h"

/* What an event has added to the history. */
struct orders_part {
    size_t event; /* in the list of cuts */
    struct str lines;
};
struct orders {
    const struct cuts *cuts; /* events, and what sent what; nothing has to be observed */
    size_t n_nodes;
    struct str before; /* lines of the history before the first event */
    VEC(struct orders_part) parts;
};
void orders_done(struct orders *orders); /* accepts a zeroed one */

/* Calls fn with the history of each order, of those one in which the same operations had ended
 * before the same others began; the first is that of the run itself. events: all of the run, in an
 * order that has this history. It goes on as long as fn gives 0, and gives back what fn gave last.
 * most: histories at most; ret_all: there were no more. */
typedef int (*orders_fn)(void *arg, struct str history, const size_t *events);
int orders_each(const struct orders *orders, uint64_t most, bool *ret_all, orders_fn fn, void *arg);

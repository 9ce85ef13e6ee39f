/* Making a failing run smaller: delta debugging (Zeller and Hildebrandt, 2002) on the planned
 * events. Everything else follows from them and the seed. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/vec.h"
#include "run/plan.h"
#include "run/runner.h"

/* The plan without its events [begin, end). */
static void without(const struct plan *from, size_t begin, size_t end, struct plan *to)
{
    VEC_RESET(&to->events);
    for (size_t i = 0; i < from->events.n; i++) {
        if (i < begin || i >= end) {
            VEC_PUSH(&to->events, from->events.v[i]);
        }
    }
}

int run_shrink(struct plan *plan, run_fails_fn fails, void *arg)
{
    struct plan smaller = {0};
    size_t part = plan->events.n;
    int status = 0;
    while (part >= 1 && status >= 0 && plan->events.n != 0) {
        bool removed = false;
        for (size_t at = 0; at < plan->events.n;) {
            size_t end = at + part < plan->events.n ? at + part : plan->events.n;
            without(plan, at, end, &smaller);
            status = fails(arg, &smaller);
            if (status < 0) {
                break;
            }
            if (status == 1) {
                struct plan swap = *plan;
                *plan = smaller;
                smaller = swap;
                removed = true;
            } else {
                at = end;
            }
        }
        part = part > plan->events.n ? plan->events.n : part;
        if (!removed || part > 1) {
            if (part == 1 || part == 0) {
                break;
            }
            part = (part + 1) / 2;
        }
    }
    plan_done(&smaller);
    return status < 0 ? status : 0;
}

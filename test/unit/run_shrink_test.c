/* Shrinking: what is left is needed, and nothing else. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "run/plan.h"
#include "run/runner.h"
#include "test.h"

struct needs {
    uint64_t a, b; /* both must be there for it to fail */
    unsigned runs;
};

static bool has(const struct plan *plan, uint64_t at)
{
    for (size_t i = 0; i < plan->events.n; i++) {
        if (plan->events.v[i].at_ns == at) {
            return true;
        }
    }
    return false;
}

static int fails(void *arg, const struct plan *plan)
{
    struct needs *needs = arg;
    needs->runs++;
    return has(plan, needs->a) && has(plan, needs->b) ? 1 : 0;
}

TEST(only_what_is_needed_is_left)
{
    for (uint64_t a = 0; a < 20; a++) {
        for (uint64_t b = a; b < 20; b += 3) {
            struct plan plan = {0};
            struct needs needs = {a, b, 0};
            for (uint64_t i = 0; i < 20; i++) {
                VEC_PUSH(&plan.events, (struct timed_event){.at_ns = i});
            }
            CHECK_EQ(run_shrink(&plan, fails, &needs), 0);
            CHECK_EQ(plan.events.n, a == b ? 1 : 2);
            CHECK(has(&plan, a) && has(&plan, b));
            CHECK(needs.runs < 150);
            plan_done(&plan);
        }
    }
}

/* Shrinking: what is left is needed, and nothing else. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/plan.h"
#include "run/runner.h"
#include "test.h"
#include "world/world.h"

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

/* ---- faults and what undoes them ---- */

struct seen {
    bool split; /* a plan had the one without the other */
};

static size_t count(const struct plan *plan, enum event_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->events.n; i++) {
        n += plan->events.v[i].event.kind == kind ? 1 : 0;
    }
    return n;
}

/* Needs the crash of node 1 only. */
static int crash_fails(void *arg, const struct plan *plan)
{
    struct seen *seen = arg;
    seen->split = seen->split || count(plan, EV_CRASH) != count(plan, EV_RESTART) ||
                  count(plan, EV_PAUSE) != count(plan, EV_RESUME) ||
                  (count(plan, EV_CUT) != 0) != (count(plan, EV_HEAL) != 0);
    for (size_t i = 0; i < plan->events.n; i++) {
        if (plan->events.v[i].event.kind == EV_CRASH && plan->events.v[i].event.node == 1) {
            return 1;
        }
    }
    return 0;
}

TEST(a_restart_belongs_to_its_crash)
{
    const struct timed_event events[] = {
        {1, {.kind = EV_CRASH, .node = 0, .peer = 0}  },
        {2, {.kind = EV_CUT, .node = 0, .peer = 1}    },
        {3, {.kind = EV_CRASH, .node = 1, .peer = 1}  },
        {4, {.kind = EV_RESTART, .node = 0, .peer = 0}},
        {5, {.kind = EV_PAUSE, .node = 0, .peer = 0}  },
        {6, {.kind = EV_CUT, .node = 1, .peer = 0}    },
        {7, {.kind = EV_RESTART, .node = 1, .peer = 1}},
        {8, {.kind = EV_HEAL, .node = 0, .peer = 0}   }, /* everywhere */
        {9, {.kind = EV_RESUME, .node = 0, .peer = 0} },
    };
    struct plan plan = {0};
    struct seen seen = {0};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        VEC_PUSH(&plan.events, events[i]);
    }
    CHECK_EQ(run_shrink(&plan, crash_fails, &seen), 0);
    CHECK(!seen.split);
    CHECK_EQ(plan.events.n, 2);
    CHECK_EQ(plan.events.v[0].at_ns, 3);
    CHECK_EQ(plan.events.v[1].at_ns, 7);
    plan_done(&plan);
}

/* ---- classes of messages ---- */

TEST(classes_of_messages)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"lost write: k1 = 17",        "lost write: k22 = 3",             true },
        {"lost write",                 "server unreachable",              false},
        {"12:03:11 panic [goroutine]", "12:04:59.123 panic: [goroutine]", true },
        {"missing 1, 2, 3",            "missing 4",                       true },
        {"at 0x7ffe12 in f",           "at 0x55aa90 in f",                true },
        {"",                           "42",                              true },
        {"AssertionError: a",          "AssertionError: b",               false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool same = failure_text_class(str_of(rows[i].a)) == failure_text_class(str_of(rows[i].b));
        CHECK_EQ(same, rows[i].same);
    }
}

/* A failing run made smaller: events that its failure does not need are left out. */
#pragma once

#include <signal.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "explore/space.h"
#include "run/failure.h"

struct smaller {
    VEC(uint64_t) path; /* names, from the root on: of a run that fails so; then of a smaller one */
    struct failure failure;
    const volatile sig_atomic_t *interrupted;
    uint64_t end_ns;        /* clock_mono_ns: it has taken long enough; 0: never */
    uint64_t tries, events; /* what it took */
};
void smaller_done(struct smaller *s);
/* A space that could not go on is an error, and so is a path that does not fail in this way. Who
 * interrupts it, and whose time is up, gets what there is. */
MUST_USE int smaller_find(struct space *space, struct smaller *s, struct err *err);

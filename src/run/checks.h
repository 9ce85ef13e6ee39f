/* Commands of [[check]]: a user's own programs, which look at copies of the nodes' files. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "world/world.h"

struct checks {
    const struct cluster *cluster;
    const char *dir; /* of the run */
    const volatile sig_atomic_t *interrupted;
    uint64_t events; /* that were done */
    bool end;        /* the run is over */
};
/* Whether one of them is to be run now. */
bool checks_due(const struct checks *checks);
/* Runs those that are due, in the directory, next to copies of the nodes' files. 1: one says no,
 * and here is the failure, and why in one line. An error: one could not be run. */
MUST_USE int checks_run(const struct checks *checks, struct world *world, struct failure *ret,
                        struct strbuf *text, struct err *err);

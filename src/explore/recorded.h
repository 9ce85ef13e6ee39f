/* Recordings that a search has made: done again as events of the search, and made smaller. */
#pragma once

#include <signal.h>

#include "base/err.h"
#include "explore/found.h"
#include "explore/space.h"
#include "run/cluster.h"
#include "run/record.h"

/* Goes from the root along the recorded events; it must fail there. what: who wants it, for
 * messages. */
MUST_USE int recorded_follow(struct space *space, const struct record *record, const char *what,
                             struct err *err);

struct recorded_options {
    const struct cluster *cluster;
    const struct record *record;
    const char *dir; /* exists: the smaller recording goes there, beside logs */
    const volatile sig_atomic_t *interrupted;
};
/* Writes DIR/replay and DIR/diagram.txt: of the same failure with fewer events, if there are such.
 * The finding says how many there were, and its path has those that are left. */
MUST_USE int recorded_smaller(const struct recorded_options *options, struct finding *ret,
                              struct err *err);

/* Recordings that a search has made: done again as events of the search, and made smaller. */
#pragma once

#include <signal.h>

#include "base/err.h"
#include "explore/found.h"
#include "explore/space.h"
#include "run/cluster.h"
#include "run/record.h"

struct recorded_options {
    const struct cluster *cluster;
    const struct record *record;
    const char *dir; /* exists: logs, and the smaller recording */
    const volatile sig_atomic_t *interrupted;
};
/* Opens a space that can go back cheaply, and goes from the root along the recorded events; it must
 * fail there. what: who wants it, for messages. The space is the caller's, also after an error. */
MUST_USE int recorded_space(const struct recorded_options *options, const char *what,
                            struct space **ret, struct err *err);
/* Writes DIR/replay and DIR/diagram.txt: of the same failure with fewer events, if there are such.
 * The finding says how many there were, and its path has those that are left. */
MUST_USE int recorded_smaller(const struct recorded_options *options, struct finding *ret,
                              struct err *err);

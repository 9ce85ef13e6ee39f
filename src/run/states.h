/* States that can be compared: whether going back and hashing agree with the slow and obvious ways,
 * tried out on random walks, and what they cost. */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "run/runner.h"

struct states_options {
    uint64_t at_ns; /* where the first snapshot is taken */
    uint32_t walks, length;
};
struct states {
    uint32_t walks, events, snapshots;
    struct strbuf first; /* what was different first; empty: nothing */
    /* One event after going back to a snapshot: medians of each and of the first two together. */
    double restore_ms, event_ms, both_ms, hash_ms;
    /* Beside them: all processes made again, everything read again; a snapshot, on average. */
    double anew_ms, full_ms, take_ms;
};
MUST_USE int run_states(const struct run_options *options, const struct states_options *how,
                        struct states *ret, struct err *err);

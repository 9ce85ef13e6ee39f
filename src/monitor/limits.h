/* What the search is allowed, and what it pays for what nobody saw. */
#pragma once

#include <stddef.h>

enum {
    COST_WEIGHT = 2,
    WINDOW = 200,
    LOOK = 64,
    POPS_MOST = 300000,
    BLIND_POPS = 500,
    TRUST_POPS = 2000,
    PASSED_OVER = 8, /* what no step explains, while blind */
    HEAP_SWEEP = 512,
    PLACES_MOST = 65536,     /* beyond that the odder half is given up, */
    PLACES_BYTES = 48 << 20, /* or beyond so many bytes */
    BYTES_EVERY = 512,       /* which are counted once in so many turns without progress */
    SEEN_MOST = 1 << 19,
    MISFIT = 4,
    SKIPPED = 2,
    LATE = 3,
    OUT_MOST = 400,
    IN_MOST = 512, /* messages that were read and not handled */
    EXACT_MOST = 5000,
    EXACT_COST = 9,
    COST_MOST = 60,
    ODD_MOST = 16,
    SKIPPED_MOST = 6,
    NOT_SEEN = 4
};
enum stage { STAGE_INBOX, STAGE_EVENT, STAGE_OWN, STAGE_WIDE };
#define MOVE_FIRST ((size_t)48 << 20)

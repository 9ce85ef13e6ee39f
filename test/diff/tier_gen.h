/* Random small specifications: well-typed for the most part, over variables of many types.
 *
 * A specification has actions A1.., invariants P1.., constraints C1.. and action constraints S1..,
 * each a random expression of its own, and initial states with random values. The same seed gives
 * the same text everywhere. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct tier_size {
    uint32_t nvar, nact, ninv, nconstraint, nstep; /* how many of each; nstep: action constraints */
    uint32_t ninit;                                /* initial states */
    uint32_t depth;                                /* of expressions */
    uint32_t level; /* 0, or states at most this deep: for a search */
    bool symmetry;  /* of the servers */
    bool view;      /* one variable is not in it, and never read */
};

void tier_gen(uint64_t seed, const struct tier_size *size, struct strbuf *ret_module,
              struct strbuf *ret_config);

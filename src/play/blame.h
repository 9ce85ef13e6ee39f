/* After which event of a recording its failure was almost certain, for people. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/teller.h"

struct blame_args {
    const char *replay, *out;
    uint64_t seed;
    uint32_t futures;
    bool json;
    struct teller teller;
};
/* An exit status. */
int explore_blame(const struct blame_args *args);

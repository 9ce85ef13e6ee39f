/* `assay explore --blame`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct blame_args {
    const char *replay, *out;
    uint64_t seed;
    uint32_t futures;
    bool json;
};
/* An exit status. */
int explore_blame(const struct blame_args *args);

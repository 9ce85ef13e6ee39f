/* A specification that drives programs, on many processes: random walks of it, and one behaviour. A
 * suite is in test.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "drive/bridge.h"

struct conform_cmd {
    struct bridge_options o;
    const char *explain;
    uint64_t walks, depth, seed;
    double seconds;
    unsigned workers;
    bool has_walks, uniform, no_shrink, fresh, cold, stop_first;
    struct arena arena;
    struct bridge bridge;
};

/* Walks, merged and told. An exit status. */
int drive_conform(struct conform_cmd *cmd);

struct confirm_cmd {
    struct bridge_options o;
    const char *trace;
    struct arena arena;
    struct bridge bridge;
    const char *replay;
};

/* A behaviour from a file, done by the programs. An exit status. */
int drive_confirm(struct confirm_cmd *cmd);

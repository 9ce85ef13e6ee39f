/* A recorded run: what was chosen, and the hash of the world after each choice. As a file it is
 * text, one line for each choice. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "world/world.h"

struct arena;

struct choice {
    struct event event;
    uint64_t hash; /* after the world has settled; 0 = unknown */
};
struct record {
    uint64_t seed;
    uint64_t digest;          /* of the cluster file */
    const char *cluster;      /* its path */
    const char *outcome;      /* one line, or NULL */
    bool local_clocks;        /* every node had a clock of its own */
    const char *const *allow; /* system calls that were let through; NULL = the file's */
    uint64_t escape_ms;       /* of the limits: loops that only wait were left; 0 = not */
    VEC(struct choice) choices;
};

void record_done(struct record *record); /* accepts a zeroed one */
MUST_USE int record_write(const struct record *record, const struct cluster *cluster,
                          const char *path, struct err *err);
/* Only the head: to find the cluster file. Strings live in the arena. */
MUST_USE int record_head(struct arena *arena, const char *path, struct record *ret,
                         struct str *ret_rest, struct err *err);
/* The choices, after the head. */
MUST_USE int record_choices(struct record *record, const struct cluster *cluster, struct str rest,
                            struct err *err);

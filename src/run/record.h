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
#include "run/failure.h"
#include "world/world.h"

struct arena;

/* Version 2 ends with a line `end` and a checksum of all that is before it. Version 1, which has no
 * such line, is read if it has all the choices that it announces. */

struct choice {
    struct event event;
    uint64_t hash; /* after the world has settled; 0 = unknown */
};
struct record {
    uint64_t seed;
    uint64_t digest;               /* of the cluster file */
    const char *cluster;           /* its path */
    const char *outcome;           /* one line, or NULL */
    bool local_clocks;             /* every node had a clock of its own */
    bool chosen;                   /* threads were: world_spec.choices */
    bool independent;              /* events were, although the file does not say so */
    const char *const *allow;      /* system calls that were let through; NULL = the file's */
    struct failure failure;        /* FAILURE_NONE: it did not fail, or the file does not say */
    struct str failure_text;       /* as the file has it */
    uint64_t time_ns, events_most; /* limits of the run; 0: those of the cluster file */
    uint64_t escape_ms;            /* of the limits: loops that only wait were left; 0 = not */
    VEC(struct computation) computations; /* that took time, with work as time */
    VEC(struct str) skips; /* of the head: a client, and operations that it leaves out */
    VEC(uint64_t) orders;  /* events that were taken before others that were due */
    bool only_orders;      /* and no other might have been */
    VEC(struct choice) choices;
    size_t announced; /* choices that the head promises */
};

void record_done(struct record *record); /* accepts a zeroed one */
MUST_USE int record_write(const struct record *record, const struct cluster *cluster,
                          const char *path, struct err *err);
/* Only the head: to find the cluster file. Strings live in the arena. */
MUST_USE int record_head(struct arena *arena, const char *path, struct record *ret,
                         struct str *ret_rest, struct err *err);
/* What the head says about the cluster: operations that clients leave out. */
MUST_USE int record_apply(const struct record *record, struct cluster *cluster, struct arena *arena,
                          struct err *err);
/* The choices, after the head, and what else needs the cluster to be read. */
MUST_USE int record_choices(struct record *record, const struct cluster *cluster, struct str rest,
                            struct err *err);

/* Faults that are several events: made of them when a cluster file is read, or a plan is drawn. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"

struct script {
    VEC(struct timed_event) events; /* in the order of their times */
};
void script_done(struct script *script);

/* The realtime clock of a node goes to and fro by `by_ns`, every `every_ns`, for that long. */
void script_strobe(struct script *out, uint32_t node, uint64_t at_ns, int64_t by_ns,
                   uint64_t every_ns, uint64_t for_ns);
/* All nodes but clients are killed and started again, one after the other, beginning with `first`;
 * each is down for a while, and the next one follows after a pause. */
void script_rolling(struct script *out, const struct cluster *cluster, uint64_t at_ns,
                    uint32_t first, uint64_t down_ns, uint64_t pause_ns);
/* "strobe n1 200ms 20ms 2s", "rolling-restart 1s 2s". False: it is none of these. An error: it is,
 * and is wrong. */
bool script_parse(struct script *out, const struct cluster *cluster, struct str text,
                  uint64_t at_ns, int *ret_status, struct err *err);

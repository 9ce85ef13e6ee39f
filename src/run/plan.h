/* Faults of a random run, drawn before it begins. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "run/cluster.h"

struct record;
struct plan {
    VEC(struct timed_event) events; /* sorted by time */
    struct arena arena;             /* of texts in them */
};

void plan_done(struct plan *plan);
/* Events of the file, and, with `faults`, those that the seed draws. */
void plan_make(struct plan *plan, const struct cluster *cluster, uint64_t seed, bool faults);
/* What happened in a recorded run and would not have come by itself. */
void plan_of_record(struct plan *plan, const struct cluster *cluster, const struct record *record);

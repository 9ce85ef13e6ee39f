/* The boot cache: the state of a cluster at some times, each in a file, so that the next run begins
 * at the latest of them until which it is the same run. See boot.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/record.h"
#include "run/runner.h"

/* What a run knows at that time besides its world. */
struct boot {
    uint64_t at_ns;
    uint64_t events;                                    /* so far */
    uint64_t planned, asked[EV_KINDS], fired[EV_KINDS]; /* of the plan, so far */
    struct rng rng;
    bool touched; /* it was loaded, or that was begun */
    VEC(struct choice) choices;
    struct strbuf journal;   /* text so far */
    VEC(struct strbuf) said; /* texts that the runner keeps, in an order of its own */
};
void boot_done(struct boot *boot);

/* How many of the times a run can use, from the first on: nobody looks on, and they are before its
 * end. */
size_t boot_possible(const struct run_options *options);
/* Finds the latest that is there, and loads it into a world that was just opened. ERR_NOT_FOUND:
 * there is none, or none that can be used; then ret->touched says whether the world can only be
 * closed. */
MUST_USE int boot_load(const struct run_options *options, struct world *world, struct boot *ret,
                       struct err *err);
MUST_USE int boot_store(const struct run_options *options, struct world *world,
                        const struct boot *boot, struct err *err);

/* The boot cache: the state of a cluster at some time, in a file, so that the next run begins
 * there. See boot.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/record.h"
#include "run/runner.h"

/* What a run knows at that time besides its world. */
struct boot {
    uint64_t events; /* so far */
    VEC(struct choice) choices;
    struct strbuf journal;   /* text so far */
    VEC(struct strbuf) said; /* texts that the runner keeps, in an order of its own */
};
void boot_done(struct boot *boot);

/* Whether a run can use the cache: nothing but what is due happens up to that time, and nobody
 * looks on. */
bool boot_possible(const struct run_options *options);
/* Finds and loads it into a world that was just opened. ERR_NOT_FOUND: there is none, or none that
 * can be used; then ret_touched says whether the world can only be closed. */
MUST_USE int boot_load(const struct run_options *options, struct world *world, struct boot *ret,
                       bool *ret_touched, struct err *err);
MUST_USE int boot_store(const struct run_options *options, struct world *world,
                        const struct boot *boot, struct err *err);

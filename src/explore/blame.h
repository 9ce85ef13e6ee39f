/* When did a failure become inevitable? Along a failing run that was recorded, futures are drawn
 * with other choices: how many of them fail in the same way, from each of several places. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/recorded.h"

struct blame_options {
    struct recorded_options of; /* a search, that failed */
    uint64_t seed;
    uint32_t futures; /* drawn at each place */
};
struct blame_point {
    size_t events;  /* of the recording: these were done */
    uint32_t drawn; /* futures from there, */
    uint32_t failed;
    double low, high; /* chance of failing: interval of 95 in 100 (Wilson, 1927) */
};
struct blame {
    VEC(struct blame_point)
    points;      /* by events; places between two with nearly the same chance are
                    left out */
    size_t at;   /* the blamed one: the first after which it is almost certain */
    size_t jump; /* where the chance rises most */
    struct strbuf event, jump_event;
    size_t first;   /* events of the recording before the search began */
    bool uncertain; /* with all that came from outside it was certain from the beginning on, so
                       half of what was left of that, and of packets, did not come */
};
void blame_done(struct blame *blame); /* accepts a zeroed one */
MUST_USE int blame_find(const struct blame_options *options, struct blame *ret, struct err *err);
/* The interval for `failed` of `drawn`. */
void blame_interval(uint32_t failed, uint32_t drawn, double *ret_low, double *ret_high);

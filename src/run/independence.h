/* Whether events at different nodes commute: random walks, done again in other orders. */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "run/runner.h"

struct independence_options {
    uint64_t at_ns;         /* when they begin */
    uint32_t walks, length; /* how many, of how many events */
    uint64_t end_ns;        /* clock_mono_ns: no walk begins later; 0: whenever */
};
struct independence {
    uint32_t walks, equal;
    uint32_t events, moved; /* done in all; that came at another place the second time */
    struct strbuf first;    /* the first difference, one line; the caller's */
};
/* What is compared, as one number: memory of first processes, packets on their way, sizes of logs.
 */
uint64_t independence_image(const struct cluster *cluster, struct world *world);
/* Only what is due happens before: no plan. Events are independent unless the cluster file says
 * `independent = false`. */
MUST_USE int run_independence(const struct run_options *options,
                              const struct independence_options *how, struct independence *ret,
                              struct err *err);

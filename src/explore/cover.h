/* Branch coverage of programs that were built with -fsanitize-coverage=inline-8bit-counters
 * (clang): their counters lie in a section of their own, __sancov_cntrs, and are read from memory.
 * A program without them has no coverage, which is no error. */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "world/world.h"

typedef void (*xcover_fn)(void *arg, uint64_t branch);

struct xcover;
struct xcover *xcover_new(void);
void xcover_free(struct xcover *cover); /* accepts NULL */
/* Tells each branch that the node's first process has taken since its start, with about how often
 * (1, 2, 3, 4-7, 8-15, 16-31, 32-127, more), as a hash. It depends on the program and on nothing
 * else. */
MUST_USE int xcover_read(struct xcover *cover, struct world *world, uint32_t node, xcover_fn tell,
                         void *arg, struct err *err);

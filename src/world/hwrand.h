/* Private to the world room: the processor's random numbers; see hwrand.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "world/world_int.h"

struct hwrand;
void hwrand_free(struct hwrand *h); /* accepts NULL */

/* A file of which our descriptor is `fd` was mapped, privately and executable: map is address,
 * length and offset. */
void hwrand_mapped(struct world *w, const struct thread *t, int fd, const uint64_t map[3]);
/* A program is in place. */
void hwrand_exec(struct world *w, const struct thread *t);
/* At SIGILL: whether it was one of these instructions; it is done then. */
bool hwrand_answer(struct world *w, struct thread *t);

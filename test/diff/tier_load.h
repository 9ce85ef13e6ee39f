/* Specifications for the programs of this folder, from files or made at random. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "tier_gen.h"

typedef void (*tier_fn)(struct model *model, void *arg);

/* Lowers FILE.tla with FILE.cfg and hands the model over. False: it is refused, or not there.
 * `stop`: not zero ends evaluations; may be NULL. */
bool tier_load_file(const char *path, const volatile sig_atomic_t *stop, tier_fn fn, void *arg);
/* ... that of tier_gen. */
bool tier_load_generated(uint64_t seed, const struct tier_size *size,
                         const volatile sig_atomic_t *stop, tier_fn fn, void *arg);

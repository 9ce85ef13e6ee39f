/* Private to cgen: random walks with a compiled model. */
#pragma once

#include <stdint.h>

struct model;

/* Walks about; *ret_expanded = how many states were expanded. -1: no worker could be made. */
int trial_run(struct model *model, unsigned index, uint64_t seed, uint64_t *ret_expanded);

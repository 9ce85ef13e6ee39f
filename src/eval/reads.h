/* Private to eval: what an expression reads. */
#pragma once

#include <stdbool.h>

struct ex;
struct spec;

/* Marks the variables that x could read, of the current and of the next state ([spec->nvar] each).
 * True: it may read something else as well, or have an effect (the level, registers, Print). */
bool ev_ex_reads(const struct spec *spec, const struct ex *x, bool *now, bool *next);

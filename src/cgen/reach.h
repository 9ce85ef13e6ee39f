/* Private to cgen. */
#pragma once

#include <stdint.h>

struct ex;
struct native;
struct spec;
struct unit;

/* An operator with effects, or that reads more than its arguments, which a search would run; NULL:
 * there is none. */
const struct native *reach_effects(const struct spec *spec);

/* The variables of the current state that an expression reads, as bits; all of them when it cannot
 * be told. */
uint64_t reach_vars(const struct spec *spec, const struct ex *x);
/* Variables that the unit reads primed, as bits; all: they are not known. */
uint64_t reach_primed(const struct spec *spec, const struct unit *unit);

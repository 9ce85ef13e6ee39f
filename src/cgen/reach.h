/* Private to cgen. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct act;
struct ex;
struct native;
struct spec;
struct unit;

/* An operator with effects, or that reads more than its arguments, which a search would run; NULL:
 * there is none. Print and PrintT do not count, nor do draws in the initial predicate. */
const struct native *reach_effects(const struct spec *spec);
/* Does a search, or one action of it, come to a Print or PrintT? */
bool reach_prints(const struct spec *spec);
bool reach_act_prints(const struct spec *spec, const struct act *act);

/* The variables of the current state that an expression reads, as bits; all of them when it cannot
 * be told. */
uint64_t reach_vars(const struct spec *spec, const struct ex *x);
/* Variables that the unit reads primed, as bits; all: they are not known. */
uint64_t reach_primed(const struct spec *spec, const struct unit *unit);

/* Private to eval: values that are computed without failing, whatever some variables hold. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct ex;
struct spec;

/* A value for a variable; x = NULL: any value at all. */
struct assignment {
    uint32_t var;
    const struct ex *x;
};

/* Looks at the values given to the variables of a set (`in_set`, [spec->nvar]). Returns the first
 * value whose evaluation may fail or not, depending on what variables of the set hold; NULL: there
 * is none. `all` are all the assignments to variables of the set. */
const struct assignment *spec_total_check(const struct spec *spec, struct arena *arena,
                                          const bool *in_set, const struct assignment *all,
                                          size_t n);

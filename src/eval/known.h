/* Private to eval: predicates that are known to hold because what they read has not changed. See
 * known.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "eval/code.h"

struct spec_worker;

/* A conjunct of a predicate. */
struct pred_part {
    const struct ex *x;
    bool fixed; /* its value depends on the state only, and of that on these variables: */
    uint32_t nvar;
    const uint32_t *vars;
};
struct pred_parts {
    uint32_t n;
    struct pred_part v[];
};

/* Takes invariants and constraints apart. Once, before workers run. */
void known_find(struct spec *spec);
/* Does the predicate hold on the candidate? Evaluates those of its conjuncts that may not, or the
 * whole when a value is no boolean. */
bool known_holds(struct spec_worker *w, const struct pred *p);

/* Private to eval: variables that nothing but auxiliary variables depends on; see auxiliary.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct node;
struct spec;

/* What is known of one variable. */
struct relevance {
    bool relevant;
    const char *why;         /* of a relevant one: how it is used; in the arena or constant */
    const struct node *node; /* where; NULL: nowhere in particular */
};

/* For all variables: ret[spec->nvar], zeroed. */
void spec_auxiliary(const struct spec *spec, struct arena *arena, struct relevance *ret);

/* Counts of evaluations by place in the text, as the reports want them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "eval/eval.h"
#include "job/load.h"
#include "model/model.h"

/* One row for each place, outer places before those inside them, sorted by module and position. */
size_t coverage_rows(const struct spec *spec, struct arena *arena, struct coverage_row **ret_rows);
/* A row that says "never" without meaning it: a name that a step assigns, or an expression of which
 * a part was evaluated. */
bool coverage_is_hidden(const struct spec *spec, const struct coverage_row *rows, size_t n,
                        size_t at);
bool place_contains(const struct mplace *outer, const struct mplace *inner);
bool place_same(const struct mplace *a, const struct mplace *b);
int place_cmp(const struct mplace *a, const struct mplace *b);
/* The text that stands there, in one line and not too long; in the arena. */
const char *place_text(const struct spec *spec, struct arena *arena, const struct mplace *place);

/* Which temporal properties a behaviour violates: the checker stops at the first, people want to
 * know all. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "check/check.h"
#include "model/model.h"

/* For each of model->live->props: is it false of the behaviour? The array lives in the arena; NULL
 * when it cannot be told. */
bool *lasso_violated(struct model *model, const struct check_trace *trace, struct arena *arena);

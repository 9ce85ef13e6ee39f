/* Which function runs which node. The pointer is kept in the node itself (struct ex, struct act):
 * one load less for each evaluation. */
#include "eval/code.h"
#include "eval/ops.h"

const ex_fn op_runs[EX_COUNT] = {
#define EX(NAME, eval, ...) [EX_##NAME] = op_##eval,
#include "ir/ops.def"
};

const act_fn act_runs[ACT_COUNT] = {
#define ACT(NAME, eval, ...) [ACT_##NAME] = act_##eval,
#include "ir/ops.def"
};

/* The table of operators, indexed by enum op_id. Precedences are in ops.def. */
#include "syntax/syntax_int.h"

/* clang-format off */
const struct op parse_op_table[OP_COUNT] = {
    [OP_NONE] = {{"end of expression", 17}, 0, 0, ASSOC_NONE, FIX_INFIX},
#define OP(id, name, low, high, assoc, fix) [OP_##id] = {{name, sizeof(name) - 1}, low, high, assoc, fix},
#include "syntax/ops.def"
#undef OP
};
/* clang-format on */

/* The table of operators as data. */
#include "ir/ir.h"

/* Flags as ops.def names them. */
enum {
    ANY = IR_ANY,
    TOTAL = IR_TOTAL,
    FAILS = IR_FAILS,
    BOOL = IR_BOOL,
    FOLD = IR_FOLD,
    NOW = IR_NOW,
    NEXT = IR_NEXT,
    MORE = IR_MORE,
    NAME = IR_NAME,
    LAZY = IR_LAZY,
    ARMS = IR_ARMS,
    SET_OP = IR_SET_OP,
    SET_FORM = IR_SET_FORM,
    ARITH = IR_ARITH,
    ORDER = IR_ORDER,
    STEP = IR_STEP,
    ASSIGNS = IR_ASSIGNS,
    KEEPS = IR_KEEPS
};

const struct ir_op ir_ex_ops[EX_COUNT] = {
#define EX(NAME, eval, kids, payload, flags, emit, test)                                           \
    [EX_##NAME] = {#NAME, kids, IR_PAY_##payload, flags},
#include "ir/ops.def"
};

const struct ir_op ir_act_ops[ACT_COUNT] = {
#define ACT(NAME, eval, kids, payload, flags, emit, test)                                          \
    [ACT_##NAME] = {#NAME, kids, IR_PAY_##payload, flags},
#include "ir/ops.def"
};

/* Lowering actions: what the files about it share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "eval/code.h"
#include "eval/lower.h"
#include "ir/ir.h"
#include "sem/sem.h"
#include "syntax/ast.h"

/* State of the walk through the outer part of Next; `naming` is NULL elsewhere. */
struct naming {
    const char *name;
    const char *tlc_name; /* TLC stops earlier: at a bound that is not constant */
    const struct node *tlc_node;
    bool unnamed;          /* by the spec: TLC calls it "Action" */
    const struct def *def; /* operator that gives the name; NULL for the top */
    VEC(const char *) params;
    VEC(const struct ex *) args;
    uint32_t nown; /* the first of them are the operator's own; what follows is bound inside */
    /* Where TLC stopped: the operator's own parameters there. */
    uint32_t ntlc;
    const char **tlc_params;
    const struct ex **tlc_args;
};

struct ac {
    struct lc lc;
    struct naming *naming;
    /* Inside an action whose name nobody asked for: where an operator of eval_options.labels may
     * stand. How the action around is named; NULL elsewhere. */
    const struct naming *around;
};

/* ---- lower_act.c and lower_mark.c, for each other ---- */
struct act *act_new1(struct ac ac, enum act_op op, const struct node *src, const struct act *kid);
/* Keeps the parameters that TLC gives to the action: those of the operator it is in. */
void lower_tlc_stops(struct spec *spec, struct naming *nm);
struct act *lower_mark_new(struct ac ac, const struct node *node, const struct act *body,
                           enum act_op op);
const struct act *lower_mark(struct ac ac, const struct node *node, const struct act *body);
bool lower_is_label(const struct spec *spec, const struct def *def);
/* Ends the naming walk: what follows belongs to one action, but for labels that were asked for. */
const struct act *lower_leaf(struct ac ac, const struct node *node,
                             const struct act *(*fn)(struct ac, const struct node *));
/* Two parts of a conjunction that both have labels: a step would have two names. */
void lower_check_labels(struct ac ac, const struct node *node, size_t first, size_t second);

/* Private to cgen: what compiled code and the program that runs it share. */
#pragma once

#include <signal.h>
#include <stdint.h>

#include "model/model.h"

/* What compiled code sees of a worker: the same words stand in prelude.c. */
/* With SYMMETRY, states met lately: the hash of the state as it is, and its fingerprint. */
#define HOST_CANON (1 << 18)

#define TRAP_STOP 8  /* T_STOP of the prelude */
#define TRAP_FULL 9  /* T_FULL: there is no room for one more successor */
#define TRAP_LEFT 16 /* T_LEFT: so many more is the number in struct piece.lefts */

struct W {
    uint8_t *out; /* [cap] successors: the host makes more room after TRAP_FULL */
    struct candidate *cand;
    uint32_t n, cap;
    uint64_t level;
    uint64_t *changed; /* [cap] variables that a successor does not have from its predecessor */
    void *canon;       /* [CANON_KEPT], with SYMMETRY */
    const volatile sig_atomic_t *stop; /* not zero: long loops end with T_STOP */
    uint8_t *memo;  /* of the predicate, zero at first: where it was found to hold */
    uint32_t depth; /* of recursion; 0 before each call */
    uint32_t ticks;
};

/* All of them return 0, or why they trapped: then what they had to give is not there. */
typedef int (*act_code)(struct W *w, const void *s, const void *n);
typedef int (*pred_code)(struct W *w, const void *s, const void *n, uint64_t changed, int *ret);
typedef int (*fp_code)(struct W *w, const void *s, uint64_t *ret);
typedef int (*finish_code)(struct W *w, const void *s);

/* A compiled specification. */
struct code {
    uint32_t size, nact, npred, memo_size;
    act_code *acts; /* NULL in it: left to the interpreter */
    pred_code *preds;
    uint32_t *memo_at; /* [npred] where w->memo begins for a predicate */
    fp_code fp;
    finish_code finish; /* fingerprints of all successors of s */
};

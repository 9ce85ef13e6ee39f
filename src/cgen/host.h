/* Private to cgen: what compiled code and the program that runs it share. */
#pragma once

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

#include "model/model.h"

/* What compiled code sees of a worker: the same words stand in prelude.c. */
/* With SYMMETRY, states met lately: the hash of the state as it is, and its fingerprint. */
#define HOST_CANON (1 << 18)

#define TRAP_STOP 8  /* T_STOP of the prelude */
#define TRAP_LEFT 16 /* T_LEFT: so many more is the number in struct piece.lefts */

struct W {
    jmp_buf *jb;
    uint8_t *out;
    struct candidate *cand;
    uint32_t n, cap;
    void (*grow)(struct W *w);
    int trap;
    uint64_t level;
    uint32_t depth;    /* of recursion */
    uint64_t *changed; /* [cap] variables that a successor does not have from its predecessor */
    void *canon;       /* [CANON_KEPT], with SYMMETRY */
    const volatile sig_atomic_t *stop; /* not zero: long loops end with T_STOP */
    uint32_t ticks;
    uint8_t *memo; /* of the predicate, zero at first: where it was found to hold */
};

typedef void (*act_code)(struct W *w, const void *s, const void *n);
typedef int (*pred_code)(struct W *w, const void *s, const void *n, uint64_t changed);

/* A compiled specification. */
struct code {
    uint32_t size, nact, npred, memo_size;
    act_code *acts; /* NULL in it: left to the interpreter */
    pred_code *preds;
    uint32_t *memo_at; /* [npred] where w->memo begins for a predicate */
    uint64_t (*fp)(struct W *w, const void *s);
    void (*finish)(struct W *w, const void *s); /* fingerprints of all successors of s */
};

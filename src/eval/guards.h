/* Private to eval: conditions at the head of a quantified body, and which bound variables they
 * need. See guards.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/code.h"

/* A condition, as those who evaluate it note it in ev->refused: a struct act or a struct ex. Where
 * it is false it stays false for all values of the variables before `from`. */
struct guard {
    const void *at;
    uint32_t from;
    /* The frame in which it was false: NO_SLOT, that of the quantifier; else this far behind those
     * in use, a call's that has ended. */
    uint32_t offset;
};
struct guards {
    uint32_t n;
    struct guard v[];
};

/* Finds the guards of all quantifiers of the specification. Once, before workers run. */
void guards_find(struct spec *spec);

/* A conjunction or a call, perhaps below definitions: then its parts are noted, and not the whole.
 */
static inline bool guard_of_parts(const struct ex *x)
{
    while (x->op == EX_LET) {
        x = x->kid[0];
    }
    return x->op == EX_CONJ || x->op == EX_CALL;
}

/* A condition was false. */
static inline void guard_refused(struct ev *ev, const void *at, const struct val *fr)
{
    ev->refused = at;
    ev->refused_fr = fr;
}

/* After the body: the first variable whose next value is worth a try; 0: any. */
static inline uint32_t guard_from(const struct ev *ev, const struct binder *b, const struct val *fr)
{
    const struct guards *guards = b->guards;
    if (!guards || ev->hooks) {
        return 0;
    }
    for (uint32_t i = 0; i < guards->n; i++) {
        const struct guard *g = &guards->v[i];
        if (g->at == ev->refused) {
            bool here = ev->refused_fr == (g->offset == NO_SLOT ? fr : ev->frame_top + g->offset);
            return here ? g->from : 0;
        }
    }
    return 0;
}

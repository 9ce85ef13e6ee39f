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
    /* v = e, where e is the same for all values of v: the only one worth a try is that of e.
     * NO_SLOT: it is nothing of the kind. */
    uint32_t solved;
    uint8_t side; /* of ev->unequal, which holds e's */
};
struct guards {
    uint32_t nstill; /* of \E: variables that stay as they are in every step that satisfies it */
    const uint32_t *still;
    uint32_t n;
    struct guard v[];
};

/* Finds the guards of all quantifiers of the specification. Once, before workers run. */
void guards_find(struct spec *spec);

/* No value of the bound variables satisfies the quantifier in this step, since the step changes
 * what they all leave as it is. */
bool guards_exclude(struct ev *ev, const struct guards *guards);

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

/* After the body: the condition that was false, or NULL. */
static inline const struct guard *guard_found(const struct ev *ev, const struct binder *b,
                                              const struct val *fr)
{
    const struct guards *guards = b->guards;
    if (!guards || ev->hooks) {
        return NULL;
    }
    for (uint32_t i = 0; i < guards->n; i++) {
        const struct guard *g = &guards->v[i];
        if (g->at == ev->refused) {
            bool here = ev->refused_fr == (g->offset == NO_SLOT ? fr : ev->frame_top + g->offset);
            return here ? g : NULL;
        }
    }
    return NULL;
}

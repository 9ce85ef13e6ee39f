/* Private to eval: partial-order reduction; see por.c (what can be shown) and por_run.c (what is
 * done with it in a state). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/model.h"
#include "value/value.h"

struct act;
struct spec;

/* Steps that begin at the same place of the next-state relation: an action with its parameters, or
 * a choice among actions. They belong to the process that is the value of one parameter. */
struct por_head {
    const struct act *act;
    bool owned;      /* by a process */
    bool constant;   /* which is this one, ... */
    struct val self; /* ... and not the value of a slot */
    uint32_t slot;
    bool stutters; /* changes nothing: a loop at the state, which leads nowhere */
    bool local;    /* a step is possible that touches nothing but what is the process's own */
};

/* What predicates see of a variable. */
enum por_sight {
    SEEN_NOT,     /* nothing that a local step changes */
    SEEN_CLASSES, /* whether elements are in some constant sets */
    SEEN_WHOLE
};
struct por_visible {
    enum por_sight sight;
    VEC(struct val) classes; /* the elements of the sets, one set after the other ... */
    VEC(uint32_t) ends;      /* ... and where each ends */
};

struct por {
    VEC(struct por_head) heads;
    uint32_t *head_of;           /* by the ids of actions: index + 1 */
    bool *own;                   /* by the ids of actions: touches only what is the process's own */
    bool *guard;                 /* likewise: its condition does, and can be evaluated beforehand */
    bool *ignored;               /* [nvar] irrelevant, and not in the fingerprint */
    bool *mine;                  /* [nvar] its elements are touched by their own process only */
    bool *fixed;                 /* [nvar] no step changes it */
    struct por_visible *visible; /* [nvar] */
    uint32_t nlocal;             /* heads that are local */
};

/* A process in the state at hand. */
struct por_process {
    struct val self;
    bool ready;   /* a local step may be possible */
    bool blocked; /* one that is not local may be, or may become so */
};

/* Analyses the model; what is found lives as long as the spec. */
struct por *por_new(struct spec *spec);
void por_free(struct por *por, uint32_t nvar);

/* All processes, in the order in which next_ample tries them, the same in every state, with what
 * they can do in the current one; that depends on what is the process's own and on variables that
 * are fixed. Valid until the worker is used again. MODEL_ERROR: a guard failed. */
int worker_processes(struct mworker *worker, const struct por_process **ret, size_t *ret_n);
/* model_ops.next_ample */
int worker_next_ample(struct mworker *worker, model_sink sink, void *arg, uint32_t *at,
                      bool *ret_ample);

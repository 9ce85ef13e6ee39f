/* Private to cgen: a whole specification as C text. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/worker.h"

/* One piece of the specification and whether it could be compiled. */
struct piece {
    const struct act *act;   /* a disjunct of Next; or */
    const struct pred *pred; /* a predicate */
    bool prints;             /* an action that comes to a Print: see run_code in compiled.c */
    const char *why;         /* it is left to the interpreter; NULL: compiled */
    struct lefts lefts;      /* ... where it comes to one of these */
    uint32_t memo_at;        /* where in a worker's memory it keeps what it knows */
};

/* A function of the text that the host calls, but for its name. */
struct cfunction {
    const char *name;
    struct str head, body; /* C before and after the name, in the arena */
    struct part_key key;   /* changes with all that it does */
};

struct csource {
    struct arena arena;
    struct tys tys;
    const struct ty **var_ty;                   /* [nvar] */
    uint32_t *var_offset;                       /* [nvar] */
    uint32_t state_size, used_size, fixed_size; /* bytes; the last of what is always hashed */
    uint32_t memo_size;                         /* of that memory */
    bool judges_states;                         /* see struct model */
    VEC(struct piece) acts;
    VEC(struct piece)
    preds;                /* of props, constraints, action constraints, state and action leaves */
    const char *view_why; /* VIEW or SYMMETRY cannot be compiled: nothing can */
    struct strbuf text;   /* what follows the prelude and is shared by the functions */
    uint64_t layout;      /* hash of what all of them depend on without naming it */
    /* Those of the disjuncts of Next and of the predicates that are compiled, in this order, then
     * two that make fingerprints: of a state, and of all successors. */
    VEC(struct cfunction) functions;
};

struct sample_list {
    VEC(struct val) v;
};
/* Values that variables were seen to hold. */
struct samples {
    struct arena arena;
    uint32_t nvar;
    struct sample_list *of; /* [nvar] */
    uint64_t nstate;
    uint32_t widenings; /* how often a value did not fit */
};

/* The types are those of the samples. Returns 0, or -1 with *why: the model must stay with the
 * interpreter. `w` is a worker aside, whose scratch memory is used. */
int csource_write(struct spec_worker *w, const struct samples *samples, struct csource *ret,
                  const char **why);
void csource_done(struct csource *source);

/* ---- csource_types.c ---- */
bool csource_types(struct csource *p, const struct spec *spec, const struct samples *samples,
                   const char **why);
void csource_atoms(struct tys *tys, const struct samples *samples);

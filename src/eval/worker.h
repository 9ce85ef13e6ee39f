/* Private to eval: one worker of a model made from a specification. */
#pragma once

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/por.h"
#include "model/model.h"
#include "value/value.h"

/* Symmetric states met lately: the fingerprint of the state as it is, and the smallest one of its
 * orbit. */
#define CANON_SLOTS ((size_t)1 << 18)
struct canon {
    uint64_t plain, fp;
};

struct spec_worker {
    struct mworker pub; /* first */
    struct spec *spec;
    struct ev ev;
    struct val *cur;        /* current state, [nvar] */
    struct val *cand;       /* candidate, [nvar] */
    uint64_t *cur_hash;     /* [nvar], 0 = not computed */
    uint64_t *cur_permuted; /* [nperm][nvar] likewise, with symmetry; else NULL */
    bool no_fp;             /* nobody wants to know fingerprints */
    bool from_starts;       /* initial states may be those that were kept */
    bool loaded;
    bool peeked;    /* cand holds the state that follows the current one in a trace */
    uint64_t level; /* of the current state; 0 while initial states are made */
    bool emitting;  /* inside a sink */
    bool settling;  /* a value that cannot be enumerated is */
    bool emitting_init;
    bool label_used; /* the sink read labels: scratch memory must stay */
    uint32_t cand_action;
    model_sink sink;
    void *sink_arg;
    struct val *arg_vals;
    struct canon *canon; /* [CANON_SLOTS] with symmetry, else NULL */
    const char *partial; /* this and the next two as in struct merror, in scratch memory */
    const char **partial_args;
    uint32_t partial_nargs;
    VEC(struct por_process) processes; /* of the current state; por_run.c */
    struct arena error_arena;          /* texts of the last error */
};

/* Index of a worker that takes no part in the search: its registers are its own. */
#define WORKER_ASIDE UINT_MAX

struct spec_worker *worker_of(struct mworker *worker);
/* Puts the last error of the ev into pub.error. `again` evaluates once more with a trace of
 * positions, or is NULL. */
int worker_error(struct spec_worker *w, const char *property,
                 void (*again)(struct ev *ev, void *arg), void *arg);
extern const struct model_ops spec_model_ops;
/* Makes the ev ready to enumerate the successors of the current state. */
void worker_begin_next(struct spec_worker *w);
int worker_emit(struct ev *ev); /* passes the candidate to the sink */
struct val ev_pred_eval(struct ev *ev, const struct pred *p);
bool pred_true(struct ev *ev, const struct pred *p); /* fails when it is no boolean */

/* starts.c: initial states, kept when all of them have been made once. Only for models whose
 * initial predicate does nothing but give values. */
void starts_keep(struct spec *spec); /* before there are workers */
void starts_free(struct starts *starts);
/* True when this worker is to keep the states that it makes from now on, until starts_end. */
bool starts_begin(struct starts *starts);
void starts_add(struct starts *starts, struct spec_worker *w); /* the candidate */
void starts_end(struct starts *starts, bool all);
bool starts_ready(struct starts *starts);
/* Makes state *at the candidate and moves on; false: it was the last one. */
bool starts_next(const struct starts *starts, size_t *at, struct spec_worker *w);

/* info.c */
void spec_worker_join(struct spec *spec, struct spec_worker *w);
void spec_worker_leave(struct spec *spec, struct spec_worker *w);
void ev_expression_print(struct spec *spec, struct val v, struct strbuf *out);

/* explain.c */
int worker_explain(struct mworker *worker, uint32_t prop, const void *next_bytes, size_t next_len,
                   struct strbuf *out);
/* worker_print.c */
int worker_print(struct mworker *worker, bool alias, bool diff, struct strbuf *out);
int worker_values(struct mworker *worker, bool alias, struct mvalues *ret);
void worker_label(struct mworker *worker, struct strbuf *out);
void worker_args(struct mworker *worker, struct mvalues *ret);

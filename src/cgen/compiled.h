/* Private to cgen: a compiled specification as a model, and the workers of one.
 *
 * A value that does not fit makes the types wider: another compiled model takes the place of the
 * one at hand. The search may go on with it (struct model.before), so the earlier one stays until
 * cgen_forget_before: paths to its states are found again by it, and its fingerprints are asked
 * for. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/ample.h"
#include "cgen/build.h"
#include "cgen/cgen.h"
#include "cgen/csource.h"
#include "cgen/host.h"
#include "eval/worker.h"
#include "model/model.h"
#include "value/value.h"

/* How often compiled code left something to the interpreter, and why it did the last time. */
struct trap_count {
    _Atomic uint64_t n;
    _Atomic int why; /* T_FIT, ... of the prelude */
};

enum { REFINED = 2 }; /* from at once to quick to well */

/* A compiled model. */
struct cmodel {
    struct model model; /* first; its `before` is the specification or another cmodel */
    struct cgen *cgen;
    struct cmodel *before; /* NULL: none */
    struct csource source;
    struct build build;
    struct build refined[REFINED]; /* the same functions, faster; empty: none */
    size_t nrefined;
    _Atomic(struct code *) code; /* in arena_code; NULL: none. Replaced by cgen_refine only while
                                    workers run: sizes and meaning stay the same */
    struct arena arena_code;
    bool some_interpreted; /* disjuncts of Next that are left to the interpreter */
    _Atomic uint64_t fallbacks;
    struct trap_count *traps; /* of disjuncts of Next, then of predicates */
};

struct cgen {
    struct spec *spec;
    struct cgen_options options;
    struct arena arena; /* reasons */
    struct samples samples;
    struct cmodel *now;   /* NULL: nothing was built */
    pthread_mutex_t lock; /* guards samples while workers run */
    atomic_bool widen;
    atomic_bool no_fingerprint; /* a state had none in compiled code: the interpreter must search */
};

#define SLOTS 32

/* The successors of one state. */
struct batch_slot {
    uint8_t *cur; /* the state */
    uint8_t *out;
    struct candidate *cand;
    uint64_t *changed;
    uint32_t n, cap;
    uint64_t level;
    uint64_t id; /* see cworker.cur_id */
};

struct cworker {
    struct mworker pub; /* first */
    struct cgen *cgen;
    struct cmodel *m;
    struct mworker *inner;
    struct W w;
    struct batch_slot slot[SLOTS];
    uint32_t at; /* slot in use: w.out and cur are its own */
    uint8_t *cur, *sel_own;
    const uint8_t *sel; /* the candidate */
    uint64_t changed;   /* what it does not have from the current state */
    bool inside;        /* the inner worker has the candidate: its sink is running */
    bool inner_cur;     /* the inner worker has the current state */
    bool init;          /* candidates are initial states */
    sig_atomic_t never; /* 0: stands for an interrupt that does not come */
    uint64_t level;
    model_sink sink;
    void *sink_arg;
    struct strbuf bytes, bytes2;
    /* State leaves of live_of, a copy of a state that was current; empty = none. */
    struct strbuf live_of;
    uint64_t live_level;
    struct ample *ample; /* NULL: not made yet, ... */
    bool ample_none;     /* ... or not possible */
    bool batched;        /* the batch of the current state is there */
    bool trapped;        /* some disjuncts of Next trapped in the current state: */
    uint8_t *traps;      /* [code.nact] which; only where trapped */
    VEC(uint64_t) live_bits;
    uint8_t *memo;          /* [code.memo_size] */
    int trap;               /* that ended the last batch; 0: none */
    uint64_t cur_id, loads; /* of the current state: what was made of it is known by it */
    struct before *before;  /* before.c; NULL: not made yet */
};

/* ---- what the files of a compiled model share ---- */
extern const struct model_ops compiled_ops;
static inline struct cworker *cw_of(struct mworker *worker)
{
    return (struct cworker *)worker;
}
/* 1, 0 or MODEL_ERROR, as model->postcondition. */
int compiled_postcondition(struct mworker *worker, const char **ret_name);
/* The state `at` in values, in the memory of ctx. */
void compiled_decode(const struct cmodel *m, struct vctx *ctx, const uint8_t *at, struct val *vals);
/* before.c: see struct model_ops. */
int compiled_adopt(struct mworker *worker, const void *bytes, size_t len, struct strbuf *out);
int compiled_fp_before(struct mworker *worker, unsigned back, uint64_t *ret_fp);
void compiled_before_done(struct cworker *cw);

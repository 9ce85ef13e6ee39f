/* Is compiled code worth moving to? A few random walks tell.
 *
 * Where expressions of a disjunct are not known to the compiler, or its types do not fit what they
 * meet, the interpreter does that disjunct, and its successors are packed again. A search that does
 * this several times for each state is slower than the interpreter alone. The walks count how
 * often; the time that a state takes is not measured, so that the answer does not depend on what
 * else the machine does. */
#include "cgen/trial.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "model/model.h"

enum { STEPS = 400, WALK = 40 };     /* states to expand; of one walk */
#define ENOUGH_NS UINT64_C(20000000) /* of the processor: the first walk is enough then */

struct walker {
    struct mworker *worker;
    const struct model_ops *ops;
    struct rng rng;
    uint64_t seen; /* successors that could be taken */
    struct strbuf next;
};

/* Keeps one of the successors, each with the same chance. */
static int keep_one(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct walker *w = arg;
    (void)cand;
    if (worker->model->has_constraint && w->ops->in_model(worker) != 1) {
        return 0;
    }
    if (rng_below(&w->rng, ++w->seen) == 0) {
        strbuf_reset(&w->next);
        w->ops->save(worker, &w->next);
    }
    return 0;
}

/* One kept as well, and its predicates evaluated. */
static int judge_one(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct walker *w = arg;
    uint64_t before = w->seen;
    int stop = keep_one(arg, worker, cand);
    int prop;
    if (before == 0 && w->seen == 1) {
        (void)w->ops->check(worker, 1U << MPROP_INVARIANT, 0, &prop);
    }
    return stop;
}

static bool walk(struct walker *w, unsigned steps, uint64_t *ret_expanded)
{
    SCOPED_STRBUF here = {0};
    w->seen = 0;
    if (w->ops->init(w->worker, keep_one, w) == MODEL_ERROR || w->seen == 0) {
        return false;
    }
    for (unsigned i = 0; i < steps; i++) {
        strbuf_reset(&here);
        strbuf_addstr(&here, strbuf_str(&w->next));
        w->seen = 0;
        if (w->ops->load(w->worker, here.p, here.n, i + 1) != MODEL_OK) {
            break;
        }
        ++*ret_expanded;
        if (w->ops->next(w->worker, judge_one, w) != MODEL_OK || w->seen == 0) {
            break;
        }
    }
    return true;
}

int trial_run(struct model *model, unsigned index, uint64_t seed, uint64_t *ret_expanded)
{
    struct err err = {0};
    struct walker w = {.ops = model->ops};
    *ret_expanded = 0;
    if (w.ops->worker_new(model, index, seed, &w.worker, &err) != 0) {
        return -1;
    }
    rng_seed(&w.rng, seed);
    w.worker->quiet = true;
    uint64_t end = clock_thread_ns() + ENOUGH_NS;
    for (unsigned i = 0; i < STEPS / WALK && walk(&w, WALK, ret_expanded); i++) {
        if (clock_thread_ns() >= end) {
            break;
        }
    }
    strbuf_done(&w.next);
    w.ops->worker_free(w.worker);
    return 0;
}

/* Steps that were found before, found again by enumeration: for their states, labels and arguments.
 *
 * A search keeps fingerprints and numbers, not steps. Whoever wants to know more of a step loads
 * the state before it and looks among its successors. What the model prints on the way has been
 * printed when the step was taken, and errors beyond the step do not matter. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"
#include "model/model.h"

#define MODEL_ANY_ACTION UINT32_MAX

/* Where the step begins. */
struct model_before {
    const void *bytes; /* NULL: nowhere, initial states are looked for */
    size_t len;
    uint64_t level;
    uint32_t action; /* only the steps of this one, where the model can; or MODEL_ANY_ACTION */
};

/* The successors of the state that the worker has, or the initial states, without a word. */
static inline int model_enumerate_again(struct mworker *worker, bool init, uint32_t action,
                                        model_sink sink, void *arg)
{
    const struct model_ops *ops = worker->model->ops;
    ASSERT(!init || action == MODEL_ANY_ACTION);
    bool quiet = worker->quiet;
    worker->quiet = true;
    int status = init ? ops->init(worker, sink, arg)
                 : action != MODEL_ANY_ACTION && ops->next_action
                     ? ops->next_action(worker, action, sink, arg)
                     : ops->next(worker, sink, arg);
    worker->quiet = quiet;
    return status;
}

/* Shows the steps from there to the sink until it returns non-zero. Returns what the model did. */
static inline int model_again(struct mworker *worker, const struct model_before *from,
                              model_sink sink, void *arg)
{
    if (from->bytes) {
        int status = worker->model->ops->load(worker, from->bytes, from->len, from->level);
        if (status != MODEL_OK) {
            return status;
        }
    }
    return model_enumerate_again(worker, from->bytes == NULL, from->action, sink, arg);
}

/* Temporal formulas on one behaviour, a path that ends in a circle: a formula has a value at each
 * of its positions, and "always" looks at the positions that can still come. Leaves are asked of
 * the model. */
#include "job/lasso.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "check/check.h"
#include "model/again.h"
#include "model/model.h"

struct lasso {
    const struct check_trace *trace;
    size_t n;    /* positions */
    size_t loop; /* the position after the last */
    size_t state_words, action_words;
    uint64_t *state_bits;  /* [n * state_words] */
    uint64_t *action_bits; /* [n * action_words]: of the step from a position to the next */
    struct arena *arena;
};

/* ---- leaves ---- */
struct find_step {
    uint64_t fp;
    uint64_t *bits;
    bool found;
};

static int find_step(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct find_step *find = arg;
    if (cand->fp != find->fp || worker->model->ops->live_action(worker, find->bits) != MODEL_OK) {
        return 0;
    }
    find->found = true;
    return 1;
}

static bool step_bits(struct lasso *lasso, struct mworker *worker, size_t at)
{
    size_t next = at + 1 < lasso->n ? at + 1 : lasso->loop;
    uint64_t *bits = lasso->action_bits + at * lasso->action_words;
    const struct model_ops *ops = worker->model->ops;
    uint64_t fp = lasso->trace->steps[next].fp;
    if (next == at || fp == lasso->trace->steps[at].fp) {
        return ops->live_stutter(worker, bits) == MODEL_OK;
    }
    struct find_step find = {.fp = fp, .bits = bits};
    (void)model_enumerate_again(worker, false, MODEL_ANY_ACTION, find_step, &find);
    return find.found;
}

static bool read_leaves(struct lasso *lasso, struct mworker *worker, const struct mlive *live)
{
    const struct model_ops *ops = worker->model->ops;
    for (size_t i = 0; i < lasso->n; i++) {
        const struct check_step *step = &lasso->trace->steps[i];
        if (ops->load(worker, step->bytes, step->len, i + 1) != MODEL_OK ||
            ops->live_current(worker, lasso->state_bits + i * lasso->state_words) != MODEL_OK) {
            return false;
        }
        if (live->naction_leaf > 0 && !step_bits(lasso, worker, i)) {
            return false;
        }
    }
    return true;
}

/* ---- formulas ---- */
static bool bit(const uint64_t *words, size_t stride, size_t at, uint32_t leaf)
{
    return (words[at * stride + leaf / 64] >> (leaf % 64) & 1) != 0;
}

static bool *evaluate(struct lasso *lasso, const struct tform *formula);

/* "Always" from every position: true when nothing that can still come is false. `want` is what to
 * look for. */
static void future(const struct lasso *lasso, const bool *kid, bool want, bool *value)
{
    for (size_t i = 0; i < lasso->n; i++) {
        size_t first = i < lasso->loop ? i : lasso->loop;
        value[i] = !want;
        for (size_t k = first; k < lasso->n; k++) {
            value[i] = kid[k] == want ? want : value[i];
        }
    }
}

static void junction(struct lasso *lasso, const struct tform *formula, bool *value)
{
    bool all = formula->kind == TF_AND;
    for (size_t i = 0; i < lasso->n; i++) {
        value[i] = all;
    }
    for (uint32_t k = 0; k < formula->n; k++) {
        const bool *kid = evaluate(lasso, formula->kid[k]);
        for (size_t i = 0; i < lasso->n; i++) {
            value[i] = all ? value[i] && kid[i] : value[i] || kid[i];
        }
    }
}

/* The value at each position. */
static bool *evaluate(struct lasso *lasso, const struct tform *formula)
{
    bool *value = ARENA_ARRAY(lasso->arena, bool, lasso->n);
    switch (formula->kind) {
    case TF_TRUE:
    case TF_FALSE: memset(value, formula->kind == TF_TRUE, lasso->n * sizeof *value); break;
    case TF_STATE:
    case TF_ACTION:
        for (size_t i = 0; i < lasso->n; i++) {
            value[i] = formula->kind == TF_STATE
                           ? bit(lasso->state_bits, lasso->state_words, i, formula->leaf)
                           : bit(lasso->action_bits, lasso->action_words, i, formula->leaf);
        }
        break;
    case TF_NOT: {
        const bool *kid = evaluate(lasso, formula->kid[0]);
        for (size_t i = 0; i < lasso->n; i++) {
            value[i] = !kid[i];
        }
        break;
    }
    case TF_AND:
    case TF_OR: junction(lasso, formula, value); break;
    case TF_ALWAYS: future(lasso, evaluate(lasso, formula->kid[0]), false, value); break;
    case TF_EVENTUALLY: future(lasso, evaluate(lasso, formula->kid[0]), true, value); break;
    }
    return value;
}

bool *lasso_violated(struct model *model, const struct check_trace *trace, struct arena *arena)
{
    const struct mlive *live = model->live;
    if (live == NULL || trace->nstep == 0 || trace->incomplete) {
        return NULL;
    }
    struct lasso lasso = {
        .trace = trace,
        .n = trace->nstep,
        .loop = trace->lasso && !trace->stuttering ? trace->loop : trace->nstep - 1,
        .state_words = live->nstate_leaf / 64 + 1,
        .action_words = live->naction_leaf / 64 + 1,
        .arena = arena,
    };
    lasso.state_bits = ARENA_ARRAY(arena, uint64_t, lasso.n *lasso.state_words);
    lasso.action_bits = ARENA_ARRAY(arena, uint64_t, lasso.n *lasso.action_words);
    struct mworker *worker = NULL;
    struct err err = {0};
    if (model->ops->worker_new(model, 0, 0, &worker, &err) != 0) {
        return NULL;
    }
    bool good = read_leaves(&lasso, worker, live);
    model->ops->worker_free(worker);
    if (!good) {
        return NULL;
    }
    bool *violated = ARENA_ARRAY(arena, bool, live->nprop + 1);
    for (uint32_t i = 0; i < live->nprop; i++) {
        violated[i] = !evaluate(&lasso, live->props[i].formula)[0];
    }
    return violated;
}

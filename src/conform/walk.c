/* Behaviours of the specification, one step at a time: random ones, and one that is given.
 *
 * A random step is drawn in two stages, first the action (by the weights of the mapping), then one
 * of its successors: so rare actions come up as often as those with many parameters. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "trace/trace.h"
#include "value/value.h"

void spec_step_done(struct spec_step *step)
{
    strbuf_done(&step->bytes);
    strbuf_done(&step->label);
    strbuf_done(&step->args);
}

/* Keeps the candidate: bytes, label, arguments. */
void walk_keep(struct mworker *worker, uint32_t action, bool initial, struct spec_step *ret)
{
    const struct model_ops *ops = worker->model->ops;
    struct mvalues args = {0};
    strbuf_reset(&ret->bytes);
    strbuf_reset(&ret->label);
    strbuf_reset(&ret->args);
    ret->action = action;
    ret->n_args = 0;
    ops->save(worker, &ret->bytes);
    ops->label(worker, &ret->label);
    if (!initial) {
        ops->args(worker, &args);
        ret->n_args = args.n;
        for (uint32_t i = 0; i < args.n; i++) {
            val_encode(args.ctx, args.vals[i], &ret->args);
        }
    }
}

struct drawing {
    uint64_t *counts; /* of successors inside the model, for each action */
    uint32_t action;  /* second time: the one to keep is the n-th of this action */
    uint64_t n;
    struct spec_step *ret; /* NULL: count only */
    bool any, initial, failed;
};

static int draw(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct drawing *d = arg;
    model_counting(worker, false);
    int inside = worker->model->ops->in_model(worker);
    model_counting(worker, d->ret != NULL);
    if (inside != 1) {
        d->failed = inside == MODEL_ERROR;
        return d->failed ? 1 : 0;
    }
    if (d->ret == NULL) {
        d->counts[d->initial ? 0 : cand->action]++;
        return 0;
    }
    if ((!d->initial && cand->action != d->action) || d->n-- != 0) {
        return 0;
    }
    walk_keep(worker, cand->action, d->initial, d->ret);
    model_accept(worker);
    d->any = true;
    return 1;
}

double walk_weight(const struct conform *c, uint32_t action)
{
    struct str name = str_of(c->spec.model->actions[action].name);
    for (size_t i = 0; i < c->map->n_actions; i++) {
        if (str_eq(c->map->actions[i].name, name)) {
            return c->map->actions[i].weight;
        }
    }
    return 1;
}

/* Whether this is the first action of that name that has successors. */
static bool is_first(const struct conform *c, const uint64_t *counts, uint32_t action)
{
    for (uint32_t i = 0; i < action; i++) {
        if (counts[i] != 0 &&
            strcmp(c->spec.model->actions[i].name, c->spec.model->actions[action].name) == 0) {
            return false;
        }
    }
    return counts[action] != 0;
}

/* An action by weight, then one of all the successors that go by its name. */
static bool choose(const struct conform *c, const uint64_t *counts, struct rng *rng,
                   struct drawing *d)
{
    double total = 0;
    const char *name = NULL;
    for (uint32_t i = 0; i < c->spec.model->naction; i++) {
        total += is_first(c, counts, i) ? walk_weight(c, i) : 0;
    }
    double at = (double)(rng_next(rng) >> 11) * 0x1p-53 * total;
    for (uint32_t i = 0; i < c->spec.model->naction; i++) {
        double weight = is_first(c, counts, i) ? walk_weight(c, i) : 0;
        if (weight <= 0) {
            continue;
        }
        name = c->spec.model->actions[i].name;
        at -= weight;
        if (at < 0) {
            break;
        }
    }
    if (name == NULL) {
        return false;
    }
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->spec.model->naction; i++) {
        n += strcmp(c->spec.model->actions[i].name, name) == 0 ? counts[i] : 0;
    }
    d->n = rng_below(rng, n);
    for (uint32_t i = 0; i < c->spec.model->naction; i++) {
        if (strcmp(c->spec.model->actions[i].name, name) != 0) {
            continue;
        }
        if (d->n < counts[i]) {
            d->action = i;
            return true;
        }
        d->n -= counts[i];
    }
    return false;
}

int walk_init(struct conform *c, struct rng *rng, struct spec_step *ret)
{
    uint64_t count = 0;
    struct drawing d = {.counts = &count, .initial = true};
    const struct model_ops *ops = c->spec.model->ops;
    if (ops->init(c->spec.walker, draw, &d) == MODEL_ERROR || d.failed) {
        return evaluation_error(c, c->spec.walker, 0, 0);
    }
    if (count == 0) {
        return 0;
    }
    d.n = rng_below(rng, count);
    d.ret = ret;
    if (ops->init(c->spec.walker, draw, &d) == MODEL_ERROR || d.failed) {
        return evaluation_error(c, c->spec.walker, 0, 0);
    }
    return d.any ? 1 : 0;
}

int walk_next(struct conform *c, const struct strbuf *from, uint64_t level, struct rng *rng,
              struct spec_step *ret)
{
    struct drawing d = {.counts = c->spec.counts};
    const struct model_ops *ops = c->spec.model->ops;
    uint64_t begin = clock_mono_ns();
    memset(c->spec.counts, 0, c->spec.model->naction * sizeof c->spec.counts[0]);
    if (ops->load(c->spec.walker, from->p, from->n, level) != MODEL_OK ||
        ops->next(c->spec.walker, draw, &d) == MODEL_ERROR || d.failed) {
        return evaluation_error(c, c->spec.walker, 0, 0);
    }
    if (!choose(c, c->spec.counts, rng, &d)) {
        return 0;
    }
    d.ret = ret;
    model_counting(c->spec.walker, true); /* of the action that is taken only */
    int status = ops->next_action(c->spec.walker, d.action, draw, &d);
    model_counting(c->spec.walker, false);
    if (status == MODEL_ERROR || d.failed) {
        return evaluation_error(c, c->spec.walker, 0, 0);
    }
    c->spec.ns += clock_mono_ns() - begin;
    return d.any ? 1 : 0;
}

int walk_nth(struct conform *c, uint32_t action, uint64_t nth, struct spec_step *ret)
{
    struct drawing d = {.action = action, .n = nth, .ret = ret};
    int status = c->spec.model->ops->next_action(c->spec.walker, action, draw, &d);
    model_counting(c->spec.walker, false);
    return status == MODEL_ERROR || d.failed ? evaluation_error(c, c->spec.walker, 0, 0)
           : d.any                           ? 1
                                             : 0;
}

/* ---- coverage of a step that was planned ---- */

struct recounting {
    const struct spec_step *step;
    struct strbuf bytes;
};

static int recount(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct recounting *r = arg;
    (void)cand;
    strbuf_reset(&r->bytes);
    worker->model->ops->save(worker, &r->bytes);
    if (!str_eq(strbuf_str(&r->bytes), strbuf_str(&r->step->bytes))) {
        return 0;
    }
    model_accept(worker);
    return 1;
}

int walk_count(struct conform *c, const struct strbuf *from, uint64_t level,
               const struct spec_step *step)
{
    struct recounting r = {.step = step};
    const struct model_ops *ops = c->spec.model->ops;
    if (!c->o.coverage) {
        return 0;
    }
    int status = ops->load(c->spec.walker, from->p, from->n, level);
    model_counting(c->spec.walker, true);
    status =
        status == MODEL_OK ? ops->next_action(c->spec.walker, step->action, recount, &r) : status;
    model_counting(c->spec.walker, false);
    strbuf_done(&r.bytes);
    return status == MODEL_ERROR ? evaluation_error(c, c->spec.walker, 0, 0) : 0;
}

/* ---- a given behaviour ---- */

struct following {
    struct conform *c;
    const struct trace *trace;
    size_t at;
    struct spec_step *ret;
    bool any, initial, failed;
    struct violations *violated;
};

static bool state_fits(const struct following *f, const struct mvalues *values)
{
    const struct trace *trace = f->trace;
    for (uint32_t i = 0; i < trace->nvar; i++) {
        for (uint32_t k = 0; k < values->n; k++) {
            if (strcmp(trace->vars[i], values->names[k]) == 0 &&
                !value_is_written(values->ctx, values->vals[k], trace->states[f->at].vals[i])) {
                return false;
            }
        }
    }
    return true;
}

struct fitting {
    const struct following *f;
    bool fits;
};

static void run_fits(struct vctx *ctx, void *arg)
{
    struct fitting *x = arg;
    struct mvalues values = {0};
    (void)ctx;
    x->fits = x->f->c->spec.model->ops->values(x->f->c->spec.after, false, &values) == MODEL_OK &&
              state_fits(x->f, &values);
}

/* False: one cannot be evaluated. */
static bool note_violations(struct following *f, struct mworker *worker)
{
    unsigned kinds = 1U << MPROP_INVARIANT | (f->initial ? 1U << MPROP_INIT : 1U << MPROP_ACTION);
    int prop = -1;
    VEC_RESET(&f->violated->props);
    for (int from = 0;; from = prop + 1) {
        if (worker->model->ops->check(worker, kinds, from, &prop) != MODEL_OK) {
            return false;
        }
        if (prop < 0) {
            return true;
        }
        VEC_PUSH(&f->violated->props, (uint32_t)prop);
    }
}

static int follow(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct following *f = arg;
    const struct model_ops *ops = worker->model->ops;
    struct fitting x = {.f = f};
    SCOPED_STRBUF bytes = {0};
    ops->save(worker, &bytes);
    if (ops->load(f->c->spec.after, bytes.p, bytes.n, f->at + 1) != MODEL_OK ||
        model_with_values(f->c->spec.after, run_fits, &x) != MODEL_OK || !x.fits) {
        return 0;
    }
    /* Several steps may lead there: the first, or the one with the trace's label. */
    struct spec_step step = {0};
    walk_keep(worker, cand->action, f->initial, &step);
    const char *label = f->trace->states[f->at].label;
    bool right = label == NULL || strcmp(label, strbuf_cstr(&step.label)) == 0;
    if (!f->any || right) {
        spec_step_done(f->ret);
        *f->ret = step;
        f->failed = !note_violations(f, worker);
    } else {
        spec_step_done(&step);
    }
    f->any = true;
    return right || f->failed ? 1 : 0;
}

int walk_follow(struct conform *c, const struct strbuf *from, const struct trace *trace, size_t at,
                struct spec_step *ret, struct violations *ret_violated)
{
    struct following f = {
        .c = c, .trace = trace, .at = at, .ret = ret, .initial = at == 0, .violated = ret_violated};
    const struct model_ops *ops = c->spec.model->ops;
    int status = MODEL_OK;
    if (at == 0) {
        status = ops->init(c->spec.walker, follow, &f);
    } else {
        status = ops->load(c->spec.walker, from->p, from->n, at);
        status = status == MODEL_OK ? ops->next(c->spec.walker, follow, &f) : status;
    }
    if (status == MODEL_ERROR || f.failed) {
        return evaluation_error(c, c->spec.walker, 0, 0);
    }
    return f.any ? 1 : 0;
}

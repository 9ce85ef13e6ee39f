/* Walking a trace for its readers: labels and arguments of the steps (check_trace_walk), and the
 * path to the state at hand for a model that asks (check_host_trace).
 *
 * Arguments of a step are only valid inside the sink, where the worker's current state is the one
 * before; so one worker runs the step, and another one shows the state that it leads to. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "model/again.h"
#include "model/model.h"

typedef int (*walk_each)(void *arg, size_t index, struct mworker *worker, const char *label,
                         uint32_t action, const struct mvalues *args);

struct walk {
    struct model *model;
    const struct check_trace *trace;
    walk_each each;
    void *arg;
    struct err *err;
    int status;

    struct mworker *stepper, *shower;
    size_t index;                  /* of the step looked for */
    const struct check_step *want; /* the state it leads to */
    bool any_bytes;                /* accept another state of the same fingerprint */
    bool found;
    struct strbuf bytes, label;
};

/* The level of the state shown as number `index`: the step back of a lasso shows an earlier one. */
static uint64_t shown_level(const struct walk *walk)
{
    return walk->index < walk->trace->nstep ? walk->index + 1 : walk->trace->loop + 1;
}

/* The state after the one shown: the last state is followed by the start of the loop, or by itself.
 */
static const struct check_step *shown_next(const struct walk *walk)
{
    const struct check_trace *trace = walk->trace;
    size_t at = walk->index < trace->nstep ? walk->index : trace->loop;
    if (at + 1 < trace->nstep) {
        return &trace->steps[at + 1];
    }
    return &trace->steps[trace->lasso ? trace->loop : at];
}

static int show(struct walk *walk, const char *label, uint32_t action, const struct mvalues *args)
{
    const struct check_step *step = walk->want;
    if (walk->model->ops->load(walk->shower, step->bytes, step->len, shown_level(walk)) !=
        MODEL_OK) {
        return err_set(walk->err, ERR_INVALID, 0, "a state of the trace cannot be loaded");
    }
    const struct check_step *next = shown_next(walk);
    if (walk->model->ops->peek &&
        walk->model->ops->peek(walk->shower, next->bytes, next->len) != MODEL_OK) {
        return err_set(walk->err, ERR_INVALID, 0, "a state of the trace cannot be loaded");
    }
    return walk->each(walk->arg, walk->index, walk->shower, label, action, args);
}

static int walk_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct walk *walk = arg;
    const struct model_ops *ops = walk->model->ops;
    if (cand->fp != walk->want->fp) {
        return 0;
    }
    if (!walk->any_bytes) {
        strbuf_reset(&walk->bytes);
        ops->save(worker, &walk->bytes);
        if (walk->bytes.n != walk->want->len ||
            memcmp(walk->bytes.p, walk->want->bytes, walk->want->len) != 0) {
            return 0;
        }
    }
    struct mvalues args = {0};
    strbuf_reset(&walk->label);
    ops->label(worker, &walk->label);
    if (ops->args) {
        ops->args(worker, &args);
    }
    walk->found = true;
    walk->status = show(walk, strbuf_cstr(&walk->label), cand->action, ops->args ? &args : NULL);
    return 1;
}

/* Finds the step from `from` and shows its target. First the very state by the action that the
 * search noted, then more and more generously. */
static void walk_step(struct walk *walk, const struct check_step *from, uint64_t level,
                      uint32_t action)
{
    const struct model_ops *ops = walk->model->ops;
    walk->found = false;
    for (int attempt = 0; attempt < 3 && !walk->found; attempt++) {
        walk->any_bytes = attempt == 2;
        if (attempt == 0 && (!ops->next_action || action >= walk->model->naction)) {
            continue;
        }
        struct model_before before = {.bytes = from->bytes,
                                      .len = from->len,
                                      .level = level,
                                      .action = attempt == 0 ? action : MODEL_ANY_ACTION};
        (void)model_again(walk->stepper, &before, walk_sink, walk);
    }
    if (!walk->found) { /* a stuttering step, or a model that draws random values */
        bool known = action < walk->model->naction;
        const char *name = known ? walk->model->actions[action].name : "Stuttering";
        walk->status = show(walk, name, action, NULL);
    }
}

static void walk_all(struct walk *walk)
{
    const struct check_trace *trace = walk->trace;
    for (size_t i = 0; i < trace->nstep && walk->status == 0; i++) {
        walk->index = i;
        walk->want = &trace->steps[i];
        if (i == 0) {
            walk->status = show(walk, "Initial predicate", 0, NULL);
        } else {
            walk_step(walk, &trace->steps[i - 1], i, trace->steps[i].action);
        }
    }
    if (trace->lasso && walk->status == 0) {
        walk->index = trace->nstep;
        walk->want = &trace->steps[trace->loop];
        walk_step(walk, &trace->steps[trace->nstep - 1], trace->nstep, trace->loop_action);
    }
}

static void walk_main(void *arg)
{
    struct walk *walk = arg;
    const struct model_ops *ops = walk->model->ops;
    walk->status = ops->worker_new(walk->model, 0, 0, &walk->stepper, walk->err);
    if (walk->status == 0) {
        walk->status = ops->worker_new(walk->model, 0, 0, &walk->shower, walk->err);
    }
    if (walk->status == 0) {
        walk_all(walk);
    }
    if (walk->stepper) {
        ops->worker_free(walk->stepper);
    }
    if (walk->shower) {
        ops->worker_free(walk->shower);
    }
}

int check_trace_walk(struct model *model, const struct check_trace *trace, walk_each each,
                     void *arg, struct err *err)
{
    struct walk walk = {.model = model, .trace = trace, .each = each, .arg = arg, .err = err};
    int status = check_on_big_stack(walk_main, &walk, err);
    strbuf_done(&walk.bytes);
    strbuf_done(&walk.label);
    return status < 0 ? status : walk.status;
}

/* ---- for models that ask for the path to the state they are evaluating ---- */

static struct worker *worker_of(struct search *s, const struct mworker *model)
{
    struct worker *found = NULL;
    pthread_mutex_lock(&s->lock);
    for (unsigned i = 0; i < s->nworker && !found; i++) {
        found = s->workers[i].model == model ? &s->workers[i] : NULL;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

static int each_step(const struct check_step *steps, size_t n,
                     int (*each)(void *arg, const void *bytes, size_t len, uint32_t action),
                     void *arg)
{
    int status = 0;
    for (size_t i = 0; i < n && status == 0; i++) {
        status = each(arg, steps[i].bytes, steps[i].len, steps[i].action);
    }
    return status;
}

/* The path from the log; the worker is in the middle of an evaluation, so a helper runs it again.
 */
static int trace_from_log(struct worker *w,
                          int (*each)(void *arg, const void *bytes, size_t len, uint32_t action),
                          void *arg)
{
    struct search *s = w->search;
    struct err err = {0};
    struct path_node *nodes = NULL;
    size_t n = 0;
    if (!w->helper && s->ops->worker_new(s->model, w->index, s->opt->seed, &w->helper, &err) < 0) {
        return -1;
    }
    if (path_nodes(s->log, w->index_log, &nodes, &n, &err) < 0) {
        return -1;
    }
    struct arena arena;
    arena_init(&arena, 0);
    struct check_step *steps = ARENA_ARRAY(&arena, struct check_step, n);
    int status = -1;
    if (move_path(s, w->helper, &arena, nodes, n, steps) == n && steps[n - 1].fp == w->current.fp) {
        status = each_step(steps, n, each, arg);
    }
    arena_done(&arena);
    vec_release(nodes);
    return status;
}

int check_host_trace(struct check_handle *handle, struct mworker *worker,
                     int (*each)(void *arg, const void *bytes, size_t len, uint32_t action),
                     void *arg)
{
    struct search *s = atomic_load(&handle->search);
    struct worker *w = s ? worker_of(s, worker) : NULL;
    if (!w) {
        return -1;
    }
    if (w->level == 0) {
        return 0; /* initial states have no past */
    }
    if (w->past) {
        return each_step(w->past, w->npast, each, arg);
    }
    return s->log ? trace_from_log(w, each, arg) : -1;
}

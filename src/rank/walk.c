/* Random walks through a model.
 *
 * A walk starts in a random initial state. In every state all successors inside the model are made,
 * and one is drawn, each with the same probability (by a reservoir: the i-th replaces the one held
 * with probability 1/i). Steps that change nothing are not drawn: they would let a walk that is at
 * its end stay there. A walk ends when there is no step left, after steps_max steps, and when a
 * property fails. Its depth is the number of states that were new to it: where a specification can
 * go in circles, the number of steps says nothing about the size of its state space.
 *
 * All successors of the states visited count for the branches; actions and labels count when drawn.
 * So the numbers follow from the states and steps of the walks alone, and can be computed again
 * from them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "model/model.h"
#include "rank/rank.h"

#define STEPS_DEFAULT 300

struct start {
    uint64_t fp;
    size_t begin, n; /* in walker.init_bytes */
};

struct walker {
    struct model *model;
    const struct model_ops *ops;
    struct mworker *worker;
    const struct rank_options *options;
    struct arena *arena;
    struct rank_data *data;
    struct rng rng;
    uint64_t end_ns;
    struct strbuf init_bytes;
    VEC(struct start) starts;
    struct u64map states, labels;
    struct u64map own; /* states of this walk */
    bool *taken;       /* [model->naction] */
    /* the current state, and the step drawn from it so far */
    struct strbuf here, drawn, label;
    uint64_t here_fp, drawn_fp;
    uint32_t drawn_action;
    int drawn_prop;  /* the property that it violates, or -1 */
    uint64_t inside; /* candidates in the model */
    uint64_t steps;  /* of this walk */
    bool stop;       /* by the user, or evaluation failed */
};

static bool interrupted(const struct walker *w)
{
    return w->options->interrupt && *w->options->interrupt;
}

static void keep_error(struct walker *w)
{
    if (!w->data->failed && !interrupted(w)) {
        const char *text = w->worker->error.text ? w->worker->error.text : "evaluation failed";
        w->data->failed = arena_strndup(w->arena, text, strlen(text));
    }
    w->stop = true;
}

/* 1: in the model; 0: outside; negative: evaluation failed. */
static int in_model(struct walker *w)
{
    if (!w->model->has_constraint) {
        return 1;
    }
    model_counting(w->worker, false);
    int inside = w->ops->in_model(w->worker);
    model_counting(w->worker, true);
    if (inside < 0) {
        keep_error(w);
    }
    return inside;
}

/* The first invariant or action property that the candidate violates, or -1. */
static int violated_by(struct walker *w)
{
    int prop = -1;
    unsigned kinds = 1U << MPROP_INVARIANT | 1U << MPROP_ACTION;
    model_counting(w->worker, false);
    int status = w->ops->check(w->worker, kinds, 0, &prop);
    model_counting(w->worker, true);
    if (status != MODEL_OK) {
        keep_error(w);
    }
    return prop;
}

static int init_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct walker *w = arg;
    if (interrupted(w)) {
        return 1;
    }
    int inside = in_model(w);
    if (inside > 0) {
        struct start start = {.fp = cand->fp, .begin = w->init_bytes.n};
        w->ops->save(worker, &w->init_bytes);
        start.n = w->init_bytes.n - start.begin;
        VEC_PUSH(&w->starts, start);
    }
    return inside < 0;
}

static int next_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct walker *w = arg;
    if (interrupted(w)) {
        return 1;
    }
    int inside = in_model(w);
    if (inside <= 0) {
        return inside < 0;
    }
    model_accept(worker);
    if (cand->fp == w->here_fp || rng_below(&w->rng, ++w->inside) != 0) {
        return 0;
    }
    strbuf_reset(&w->drawn);
    strbuf_reset(&w->label);
    w->ops->save(worker, &w->drawn);
    w->ops->label(worker, &w->label);
    w->drawn_fp = cand->fp;
    w->drawn_action = cand->action;
    w->drawn_prop = violated_by(w);
    return w->stop;
}

/* Shows a state to whoever watches. */
static void tell(struct walker *w, uint64_t walk, const char *label)
{
    struct rank_step step = {.walk = walk, .step = w->steps, .label = label, .worker = w->worker};
    if (!w->options->on_step || w->stop) {
        return;
    }
    if (w->ops->load(w->worker, w->here.p, w->here.n, w->steps + 1) != MODEL_OK) {
        keep_error(w);
    } else if (w->options->on_step(w->options->arg, &step) != 0) {
        w->stop = true;
    }
}

static void arrive(struct walker *w, uint64_t fp, struct str bytes)
{
    strbuf_reset(&w->here);
    strbuf_addstr(&w->here, bytes);
    w->here_fp = fp;
    u64map_put(&w->states, fp, 1);
    u64map_put(&w->own, fp, 1);
}

static void begin(struct walker *w, uint64_t walk)
{
    uint64_t mixed[2] = {w->options->seed, walk};
    rng_seed(&w->rng, hash_bytes(mixed, sizeof mixed, 0));
    const struct start *start = &w->starts.v[rng_below(&w->rng, w->starts.n)];
    w->steps = 0;
    u64map_done(&w->own);
    arrive(w, start->fp, (struct str){w->init_bytes.p + start->begin, start->n});
    tell(w, walk, "Initial predicate");
}

/* One step; false when there is none. */
static bool advance(struct walker *w, uint64_t walk)
{
    w->inside = 0;
    w->drawn_prop = -1;
    if (w->ops->load(w->worker, w->here.p, w->here.n, w->steps + 1) != MODEL_OK ||
        w->ops->next(w->worker, next_sink, w) == MODEL_ERROR) {
        keep_error(w);
    }
    if (w->stop || interrupted(w) || w->inside == 0) {
        return false;
    }
    w->steps++;
    w->data->steps++;
    w->taken[w->drawn_action] = true;
    u64map_put(&w->labels, hash_bytes(w->label.p, w->label.n, 0), 1);
    arrive(w, w->drawn_fp, strbuf_str(&w->drawn));
    tell(w, walk, strbuf_cstr(&w->label));
    return true;
}

static bool time_is_up(const struct walker *w)
{
    return w->end_ns && clock_mono_ns() >= w->end_ns;
}

static void walk(struct walker *w, uint64_t number)
{
    struct rank_data *data = w->data;
    uint64_t steps_max = w->options->steps_max ? w->options->steps_max : STEPS_DEFAULT;
    bool more = true;
    begin(w, number);
    while (!w->stop && w->drawn_prop < 0 && more && w->steps < steps_max && !time_is_up(w)) {
        more = advance(w, number);
    }
    if (w->drawn_prop >= 0) {
        if (!data->violated) {
            const char *name = w->model->props[w->drawn_prop].name;
            data->violated = arena_strndup(w->arena, name, strlen(name));
            data->violated_walk = number;
        }
        data->violations++;
    } else {
        data->ended += !more;
        data->cut += more;
    }
    w->drawn_prop = -1;
    data->walks++;
    uint64_t depth = w->own.n - 1;
    data->depth_sum += depth;
    data->depth = depth > data->depth ? depth : data->depth;
}

static int walk_all(struct walker *w, struct err *err)
{
    if (w->ops->init(w->worker, init_sink, w) == MODEL_ERROR) {
        keep_error(w);
    }
    if (!w->stop && !interrupted(w) && w->starts.n == 0) {
        return err_set(err, ERR_INVALID, 0, "there is no initial state");
    }
    for (uint64_t i = 0; !w->stop && !interrupted(w) && !time_is_up(w); i++) {
        if (w->options->walks && i >= w->options->walks) {
            break;
        }
        walk(w, i);
    }
    return 0;
}

/* By name: an operator that stands at several places of Next is one action. */
static void count_actions(struct walker *w)
{
    struct strmap names = {0};
    for (int pass = 0; pass < 2; pass++) { /* first those taken */
        for (uint32_t i = 0; i < w->model->naction; i++) {
            if (pass == 1 || w->taken[i]) {
                (void)strmap_put(&names, str_of(w->model->actions[i].name), w);
            }
        }
        *(pass == 0 ? &w->data->actions : &w->data->actions_all) = names.n;
    }
    strmap_done(&names);
}

static void add_up(struct walker *w)
{
    struct rank_data *data = w->data;
    struct branch_row *rows = NULL;
    data->branches_all = model_branches(w->model, w->arena, &rows);
    data->missed = ARENA_ARRAY(w->arena, struct mplace, data->branches_all + 1);
    for (size_t i = 0; i < data->branches_all; i++) {
        data->branches += rows[i].count > 0;
        if (rows[i].count == 0) {
            struct mplace *place = &data->missed[data->nmissed++];
            *place = rows[i].place; /* the name goes with the model */
            place->module = arena_strndup(w->arena, place->module, strlen(place->module));
        }
    }
    count_actions(w);
    data->events = w->labels.n;
    data->states = w->states.n;
    data->interrupted = interrupted(w);
}

int rank_walk(struct model *model, const struct rank_options *options, struct arena *arena,
              struct rank_data *ret, struct err *err)
{
    *ret = (struct rank_data){0};
    struct walker w = {.model = model,
                       .ops = model->ops,
                       .options = options,
                       .arena = arena,
                       .data = ret,
                       .drawn_prop = -1};
    uint64_t start_ns = clock_mono_ns();
    w.end_ns = options->time_ns ? start_ns + options->time_ns : 0;
    w.taken = ARENA_ARRAY(arena, bool, model->naction + 1);
    int status = w.ops->worker_new(model, 0, options->seed, &w.worker, err);
    if (status == 0) {
        status = walk_all(&w, err);
        add_up(&w);
        w.ops->worker_free(w.worker);
    }
    ret->elapsed_ns = clock_mono_ns() - start_ns;
    strbuf_done(&w.init_bytes);
    strbuf_done(&w.here);
    strbuf_done(&w.drawn);
    strbuf_done(&w.label);
    VEC_DONE(&w.starts);
    u64map_done(&w.states);
    u64map_done(&w.labels);
    u64map_done(&w.own);
    return status;
}

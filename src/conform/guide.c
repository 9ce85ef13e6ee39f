/* Guided walks: behaviours that are planned on the specification alone, so that what has been rare
 * so far comes next.
 *
 * While nothing differs, the programs are where the specification is: what would be observed is
 * known before anything runs, and a step of the specification costs a tenth or less of one of the
 * programs. So a plan looks at all successors of each state, not at one. Of every step it takes
 * note of three features, from coarse to fine:
 *
 *   branch    the arms of disjunctions, IF and CASE that lead to it: the action, and which case of
 * it shape     besides, how the parts that changed look before and after, and the nodes that it is
 *             about, with numbers and lengths as none, one, some
 *   values    besides, the very values that changed
 *
 * A step is drawn with a weight that falls with the number of times that its features were taken in
 * all plans before. So actions balance themselves: one that is always possible (a timer) soon has
 * nothing new. Steps whose branch or shape is new are kept, with the way to them; every other plan
 * begins with such a way, of those that were gone on from least, and goes on from there (the
 * archive of Ecoffet et al., "First return, then explore", 2021).
 *
 * Which node it is does not count: what n1 has shown is not new at n2. Auxiliary variables are not
 * looked at: nothing is compared with them.
 *
 * A plan depends on the seed and on the plans before it, on nothing else. Every worker makes all
 * plans and does its share of them, so that reports do not depend on the number of workers. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "value/value.h"

enum { FEATURES = 3, KEPT_MOST = 50000, DRAWS = 8, DIFF_DEPTH = 3 };

/* A step that is kept, for plans that begin with the way to it. */
struct kept {
    uint32_t before; /* the step before it; UINT32_MAX: none */
    struct spec_step step;
};
struct cell {
    uint32_t last; /* in `kept` */
    uint32_t steps, used;
    uint64_t feature;
};
struct option {           /* a successor */
    uint32_t action, nth; /* the nth of its action */
    uint64_t features[FEATURES];
    double weight;
};

struct guide {
    struct u64map counts; /* of features */
    bool *compared;       /* [model->nvar] */
    VEC(struct kept) kept;
    VEC(struct cell) cells;
    VEC(struct option) options;
    uint32_t *of_action; /* [model->naction]: successors */
    struct walk_plan plan;
    VEC(uint64_t) marks; /* of the plan's steps: the feature for which it is kept, or 0 */
};

/* ---- what a step is like ---- */

/* Numbers, lengths and sizes as none, one, some. */
static uint64_t rough(uint64_t n)
{
    return n < 2 ? n : 2;
}

static uint64_t shape_of(struct vctx *ctx, struct val v, unsigned depth)
{
    if (val_is_int(v)) {
        int64_t n = INT64_MAX;
        (void)int_to_i64(v, &n); /* a larger one is some, too */
        return hash_combine(1, n < 0 ? 3 : rough((uint64_t)n));
    }
    if (val_is_set(v)) {
        struct val set = set_force(ctx, v);
        return hash_combine(2, rough(val_obj(set)->n));
    }
    if (!val_is_fcn(v) || depth == 0) {
        return hash_combine(3, val_is_fcn(v) ? 0 : val_hash(ctx, v));
    }
    struct val f = fcn_force(ctx, v);
    size_t n = fcn_size(ctx, f);
    if (val_is_kind(f, VK_TUPLE)) {
        return hash_combine(hash_combine(4, rough(n)),
                            n == 0 ? 0 : shape_of(ctx, fcn_value(ctx, f, n - 1), depth - 1));
    }
    uint64_t sum = 5;
    for (size_t i = 0; i < n; i++) {
        uint64_t part = shape_of(ctx, fcn_value(ctx, f, i), depth - 1);
        sum += val_is_kind(f, VK_RECORD) ? hash_combine(val_hash(ctx, fcn_key(ctx, f, i)), part)
                                         : hash_mix(part);
    }
    return sum;
}

struct change {
    uint64_t shape, values; /* sums over the parts that changed */
};

static void add_change(struct vctx *ctx, uint64_t where, struct val old, struct val new,
                       struct change *to)
{
    to->values += hash_combine(hash_combine(where, val_hash(ctx, old)), val_hash(ctx, new));
    to->shape += hash_combine(hash_combine(where, shape_of(ctx, old, 2)), shape_of(ctx, new, 2));
}

/* Elements that a sequence lost at its head or got at its end; false: it changed otherwise. */
static bool queue_change(struct vctx *ctx, uint64_t where, struct val old, struct val new,
                         struct change *to)
{
    size_t n = fcn_size(ctx, old), m = fcn_size(ctx, new), lost = n > m ? 1 : 0;
    if (n > m + 1) {
        return false;
    }
    for (size_t i = lost; i < n; i++) {
        if (!val_equal(ctx, fcn_value(ctx, old, i), fcn_value(ctx, new, i - lost))) {
            return false;
        }
    }
    if (lost != 0) {
        struct val head = fcn_value(ctx, old, 0);
        to->values += hash_combine(where + 1, val_hash(ctx, head));
        to->shape += hash_combine(where + 1, shape_of(ctx, head, 2));
    }
    for (size_t i = n; i < m; i++) {
        struct val more = fcn_value(ctx, new, i);
        to->values += hash_combine(where + 2, val_hash(ctx, more));
        to->shape += hash_combine(where + 2, shape_of(ctx, more, 2));
    }
    return true;
}

static void diff(struct vctx *ctx, uint64_t where, unsigned depth, struct val old, struct val new,
                 struct change *to)
{
    if (val_equal(ctx, old, new)) {
        return;
    }
    if (!val_is_fcn(old) || !val_is_fcn(new) || depth == 0) {
        add_change(ctx, where, old, new, to);
        return;
    }
    old = fcn_force(ctx, old);
    new = fcn_force(ctx, new);
    size_t n = fcn_size(ctx, old);
    if (val_is_kind(old, VK_TUPLE) && val_is_kind(new, VK_TUPLE) &&
        queue_change(ctx, where, old, new, to)) {
        return;
    }
    bool same = n == fcn_size(ctx, new) && val_is_kind(old, VK_TUPLE) == val_is_kind(new, VK_TUPLE);
    for (size_t i = 0; same && i < n; i++) {
        same = val_equal(ctx, fcn_key(ctx, old, i), fcn_key(ctx, new, i));
    }
    if (!same) {
        add_change(ctx, where, old, new, to);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t part = val_is_kind(old, VK_RECORD)
                            ? hash_combine(where, val_hash(ctx, fcn_key(ctx, old, i)))
                            : hash_mix(where);
        diff(ctx, part, depth - 1, fcn_value(ctx, old, i), fcn_value(ctx, new, i), to);
    }
}

/* How a node looks: its part of each variable that has one for it. */
static uint64_t look_of(const struct conform *c, struct vctx *ctx, const struct val *state,
                        struct val node)
{
    uint64_t look = 0;
    for (uint32_t i = 0; i < c->spec.model->nvar; i++) {
        struct val part;
        if (c->guide->compared[i] && val_is_fcn(state[i]) && !val_is_kind(state[i], VK_RECORD) &&
            !val_is_kind(state[i], VK_TUPLE) && fcn_try(ctx, state[i], node, &part)) {
            look = hash_combine(look, hash_combine(i, shape_of(ctx, part, 2)));
        }
    }
    return look;
}

struct looking {
    struct conform *c;
    struct step_view view;
    struct mvalues args;
    struct option *to;
};

static void run_features(struct vctx *ctx, void *arg)
{
    const struct looking *l = arg;
    const struct conform *c = l->c;
    struct change change = {0, 0};
    uint64_t looks = 0;
    for (uint32_t i = 0; i < c->spec.model->nvar; i++) {
        if (c->guide->compared[i]) {
            diff(ctx, hash_combine(7, i), DIFF_DEPTH, l->view.now[i], l->view.next[i], &change);
        }
    }
    for (uint32_t i = 0; i < l->args.n; i++) {
        for (size_t k = 0; k < c->who.n_nodes; k++) {
            if (val_equal(ctx, l->args.vals[i], c->who.nodes[k].value)) {
                looks = hash_combine(looks, look_of(c, ctx, l->view.now, c->who.nodes[k].value));
            }
        }
    }
    uint64_t *f = l->to->features;
    f[0] = hash_combine(11, l->view.arms);
    f[1] = hash_combine(hash_combine(f[0], change.shape), looks);
    f[2] = hash_combine(f[0], change.values);
}

/* ---- choosing ---- */

static uint64_t count_of(const struct guide *g, uint64_t feature)
{
    uint64_t n = 0;
    return u64map_get(&g->counts, feature, &n) ? n : 0;
}

static double novelty(const struct guide *g, const uint64_t *features)
{
    static const double worth[FEATURES] = {4, 2, 1};
    double sum = 0.05; /* what is well known still comes now and then */
    for (unsigned i = 0; i < FEATURES; i++) {
        sum += worth[i] / (1 + (double)count_of(g, features[i]));
    }
    return sum;
}

struct listing {
    struct conform *c;
    bool failed;
};

static int list_option(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct listing *l = arg;
    struct guide *g = l->c->guide;
    struct option option = {.action = cand->action};
    int inside = worker->model->ops->in_model(worker);
    if (inside != 1) {
        l->failed = inside == MODEL_ERROR;
        return l->failed ? 1 : 0;
    }
    struct looking looking = {.c = l->c, .to = &option};
    model_step(worker, &looking.view);
    worker->model->ops->args(worker, &looking.args);
    if (model_with_values(worker, run_features, &looking) != MODEL_OK) {
        l->failed = true;
        return 1;
    }
    option.nth = g->of_action[cand->action]++;
    VEC_PUSH(&g->options, option);
    return 0;
}

/* By novelty, and by the weight that the mapping gives to the action. One with many successors
 * comes more often than one with few, but not by as much. */
static const struct option *choose(struct conform *c, struct rng *rng)
{
    struct guide *g = c->guide;
    double total = 0;
    for (size_t i = 0; i < g->options.n; i++) {
        struct option *o = &g->options.v[i];
        o->weight = walk_weight(c, o->action) * novelty(g, o->features) /
                    sqrt((double)g->of_action[o->action]);
        total += o->weight;
    }
    double at = (double)(rng_next(rng) >> 11) * 0x1p-53 * total;
    const struct option *last = NULL;
    for (size_t i = 0; i < g->options.n; i++) {
        const struct option *o = &g->options.v[i];
        if (o->weight <= 0) {
            continue;
        }
        last = o;
        at -= o->weight;
        if (at < 0) {
            break;
        }
    }
    return last;
}

/* ---- plans ---- */

static void copy_step(struct spec_step *to, const struct spec_step *from)
{
    strbuf_reset(&to->bytes);
    strbuf_reset(&to->label);
    strbuf_reset(&to->args);
    strbuf_addstr(&to->bytes, strbuf_str(&from->bytes));
    strbuf_addstr(&to->label, strbuf_str(&from->label));
    strbuf_addstr(&to->args, strbuf_str(&from->args));
    to->action = from->action;
    to->n_args = from->n_args;
}

static struct spec_step *plan_room(struct guide *g)
{
    if (g->plan.n == g->plan.steps.n) {
        VEC_PUSH(&g->plan.steps, (struct spec_step){0});
        VEC_PUSH(&g->marks, 0);
    }
    g->marks.v[g->plan.n] = 0;
    return &g->plan.steps.v[g->plan.n];
}

/* The way to a step that is kept, of those drawn the one that was gone on from least. */
static bool plan_way(struct guide *g, struct rng *rng)
{
    struct cell *best = NULL;
    uint64_t fewest = 0;
    for (unsigned i = 0; i < DRAWS && g->cells.n != 0; i++) {
        struct cell *cell = &g->cells.v[rng_below(rng, g->cells.n)];
        uint64_t n = (uint64_t)4 * cell->used + count_of(g, cell->feature);
        if (best == NULL || n < fewest) {
            best = cell;
            fewest = n;
        }
    }
    if (best == NULL) {
        return false;
    }
    best->used++;
    uint32_t at = best->last;
    for (uint32_t i = 0; i < best->steps; i++) {
        (void)plan_room(g);
        g->plan.n++;
    }
    for (uint32_t i = best->steps; i-- > 0;) {
        copy_step(&g->plan.steps.v[i], &g->kept.v[at].step);
        at = g->kept.v[at].before;
    }
    g->plan.kept = best->last;
    return true;
}

/* 1: a step was added; 0: there is none. */
static int plan_step(struct conform *c, struct rng *rng)
{
    struct guide *g = c->guide;
    struct listing l = {.c = c};
    const struct model_ops *ops = c->spec.model->ops;
    struct spec_step *next = plan_room(g); /* first: it may move the others */
    const struct spec_step *now = &g->plan.steps.v[g->plan.n - 1];
    VEC_RESET(&g->options);
    memset(g->of_action, 0, c->spec.model->naction * sizeof g->of_action[0]);
    int status = ops->load(c->spec.walker, now->bytes.p, now->bytes.n, g->plan.n);
    model_note_arms(c->spec.walker, true);
    status = status == MODEL_OK ? ops->next(c->spec.walker, list_option, &l) : status;
    model_note_arms(c->spec.walker, false);
    if (status == MODEL_ERROR || l.failed) {
        return evaluation_error(c, c->spec.walker, 0, 0);
    }
    const struct option *o = choose(c, rng);
    if (o == NULL) {
        return 0;
    }
    status = walk_nth(c, o->action, o->nth, next);
    if (status != 1) {
        return status;
    }
    for (unsigned i = 0; i < FEATURES; i++) {
        uint64_t n = count_of(g, o->features[i]);
        u64map_put(&g->counts, o->features[i], n + 1);
        if (n == 0 && i < 2 && g->marks.v[g->plan.n] == 0) {
            g->marks.v[g->plan.n] = o->features[i];
        }
    }
    g->plan.n++;
    return 1;
}

/* Keeps the steps of the plan up to the last one that is worth going on from. */
static void plan_keep(struct guide *g, size_t from)
{
    size_t end = g->plan.n;
    uint32_t before = from == 0 ? UINT32_MAX : g->plan.kept;
    while (end > from && g->marks.v[end - 1] == 0) {
        end--;
    }
    for (size_t i = from; i < end && g->kept.n < KEPT_MOST; i++) {
        struct kept kept = {.before = before};
        copy_step(&kept.step, &g->plan.steps.v[i]);
        before = (uint32_t)g->kept.n;
        VEC_PUSH(&g->kept, kept);
        if (g->marks.v[i] != 0) {
            struct cell cell = {before, (uint32_t)i + 1, 0, g->marks.v[i]};
            VEC_PUSH(&g->cells, cell);
        }
    }
}

static struct guide *guide_new(struct conform *c)
{
    size_t cap = 0;
    struct guide *g = vec_grow(NULL, &cap, 1, sizeof *g);
    memset(g, 0, sizeof *g);
    g->compared = ARENA_ARRAY(&c->arena, bool, c->spec.model->nvar + 1);
    g->of_action = ARENA_ARRAY(&c->arena, uint32_t, c->spec.model->naction + 1);
    for (uint32_t i = 0; i < c->spec.model->nvar; i++) {
        g->compared[i] = true;
        for (size_t k = 0; k < c->map->n_auxiliary; k++) {
            g->compared[i] =
                g->compared[i] && !str_is(c->map->auxiliary[k].name, c->spec.model->vars[i]);
        }
    }
    return g;
}

void guide_free(struct guide *g)
{
    if (g == NULL) {
        return;
    }
    for (size_t i = 0; i < g->kept.n; i++) {
        spec_step_done(&g->kept.v[i].step);
    }
    for (size_t i = 0; i < g->plan.steps.n; i++) {
        spec_step_done(&g->plan.steps.v[i]);
    }
    VEC_DONE(&g->plan.steps);
    VEC_DONE(&g->marks);
    VEC_DONE(&g->kept);
    VEC_DONE(&g->cells);
    VEC_DONE(&g->options);
    u64map_done(&g->counts);
    vec_release(g);
}

int guide_plan(struct conform *c, uint64_t seed, uint64_t walk, const struct walk_plan **ret)
{
    struct rng rng;
    uint64_t begin = clock_mono_ns();
    rng_seed(&rng, hash_combine(seed, walk));
    if (c->guide == NULL) {
        c->guide = guide_new(c);
    }
    struct guide *g = c->guide;
    g->plan.n = 0;
    size_t from = 0;
    int status = 1;
    if (walk % 2 == 1 && plan_way(g, &rng)) {
        from = g->plan.n;
    } else {
        status = walk_init(c, &rng, plan_room(g));
        g->plan.n = status == 1 ? 1 : 0;
    }
    while (status == 1 && g->plan.n <= c->o.depth) {
        status = plan_step(c, &rng);
    }
    plan_keep(g, from);
    c->spec.ns += clock_mono_ns() - begin;
    *ret = &g->plan;
    return status < 0 ? status : 0;
}

/* The sink of a search: collects steps in lists of the workers' own, and makes a graph of them.
 *
 * Nothing is shared while the search runs. The steps of a state come from one worker in the order
 * of the next-state relation, so the graph depends on the specification only; states are numbered
 * afterwards. With SYMMETRY or VIEW which state stands for its class depends on who was first, and
 * with it the labels: such searches must have one worker. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "graph/graph.h"
#include "graph/graph_int.h"
#include "model/model.h"

/* Steps of one state. */
struct source {
    uint64_t fp;
    size_t end; /* of its steps in the worker's list */
    bool
        last; /* as deep as the limit allows: only steps to states that are there otherwise count */
};

/* A step of the state at hand. */
struct taken {
    uint64_t fp;
    uint32_t label;  /* without a number */
    uint32_t before; /* the step before it with the same label */
    uint32_t nth;    /* of the states to which this label leads from here, from 1 on */
};

struct collector { /* of one worker */
    struct arena arena;
    struct strmap ids;              /* labels by their numbers */
    VEC(struct graph_label) labels; /* with numbers, action of the model */
    VEC(struct source) sources;
    VEC(uint64_t) fps;       /* of the states that steps lead to */
    VEC(uint32_t) label;     /* of steps */
    VEC(struct taken) taken; /* all steps of the last source, also those left out */
    VEC(uint32_t) latest;    /* [labels]: in `taken`, or GRAPH_NONE */
    struct strbuf text;
    struct graph_left left;
};

struct graph_sink {
    const struct model *model;
    struct graph_limits limits;
    struct check_sink check;
    struct collector *workers; /* [n] */
    unsigned n;
    VEC(uint64_t) initial; /* fingerprints; by worker 0 */
};

/* ---- while the search runs ---- */

static void collector_done(struct collector *c)
{
    strmap_done(&c->ids);
    VEC_DONE(&c->labels);
    VEC_DONE(&c->sources);
    VEC_DONE(&c->fps);
    VEC_DONE(&c->label);
    VEC_DONE(&c->taken);
    VEC_DONE(&c->latest);
    strbuf_done(&c->text);
    arena_done(&c->arena);
}

static void forget(struct graph_sink *sink)
{
    for (unsigned i = 0; i < sink->n; i++) {
        collector_done(&sink->workers[i]);
    }
    vec_release(sink->workers);
    sink->workers = NULL;
    sink->n = 0;
    VEC_RESET(&sink->initial);
}

static void begin(void *arg, unsigned workers)
{
    struct graph_sink *sink = arg;
    size_t cap = 0;
    forget(sink);
    sink->workers = vec_grow(NULL, &cap, workers, sizeof *sink->workers);
    memset(sink->workers, 0, workers * sizeof *sink->workers);
    sink->n = workers;
    for (unsigned i = 0; i < workers; i++) {
        arena_init(&sink->workers[i].arena, 0);
    }
}

static uint32_t label_id(struct collector *c, struct str text, uint32_t action)
{
    size_t known = strmap_number(&c->ids, text);
    if (known == SIZE_MAX) {
        struct graph_label label = {str_dup(&c->arena, text), action};
        known = c->labels.n;
        VEC_PUSH(&c->labels, label);
        VEC_PUSH(&c->latest, GRAPH_NONE);
        (void)strmap_put(&c->ids, label.text, c);
    }
    return (uint32_t)known;
}

static uint32_t step_label(const struct graph_sink *sink, struct collector *c,
                           const struct check_found *f)
{
    strbuf_reset(&c->text);
    if (sink->limits.plain) {
        strbuf_adds(&c->text, sink->model->actions[f->cand.action].name);
    } else {
        f->model->model->ops->label(f->model, &c->text);
    }
    return label_id(c, strbuf_str(&c->text), f->cand.action);
}

static void next_source(struct collector *c, uint64_t fp, bool last)
{
    if (c->sources.n != 0 && VEC_LAST(&c->sources).fp == fp) {
        return;
    }
    for (size_t i = 0; i < c->taken.n; i++) {
        c->latest.v[c->taken.v[i].label] = GRAPH_NONE;
    }
    VEC_RESET(&c->taken);
    VEC_PUSH(&c->sources, ((struct source){fp, c->fps.n, last}));
}

/* Which of the states it is that the label leads to from here; 0: the step is known. */
static uint32_t count_step(struct collector *c, uint32_t label, uint64_t fp)
{
    uint32_t nth = 1;
    for (uint32_t i = c->latest.v[label]; i != GRAPH_NONE; i = c->taken.v[i].before) {
        if (c->taken.v[i].fp == fp) {
            return 0;
        }
        nth = c->taken.v[i].nth >= nth ? c->taken.v[i].nth + 1 : nth;
    }
    VEC_PUSH(&c->taken, ((struct taken){fp, label, c->latest.v[label], nth}));
    c->latest.v[label] = (uint32_t)(c->taken.n - 1);
    return nth;
}

/* Whether the sample has the state; depends on the state only. */
static bool drawn(const struct graph_limits *l, uint64_t fp)
{
    return l->sample_ppm == 0 || hash_combine(l->seed, fp) % 1000000 < l->sample_ppm;
}

static bool found(void *arg, const struct check_found *f)
{
    struct graph_sink *sink = arg;
    struct collector *c = &sink->workers[f->worker];
    if (f->level == 0) {
        if (f->inside) {
            VEC_PUSH(&sink->initial, f->cand.fp);
        } else {
            c->left.outside++;
        }
        return true;
    }
    if (!f->inside) {
        c->left.outside++;
        return false;
    }
    bool last = sink->limits.depth_max != 0 && f->level > sink->limits.depth_max;
    bool inside = drawn(&sink->limits, f->cand.fp);
    next_source(c, f->from, last);
    uint32_t label = step_label(sink, c, f);
    uint32_t nth = sink->limits.plain ? 1 : count_step(c, label, f->cand.fp);
    if (nth > 1) {
        strbuf_printf(&c->text, " #%u", nth);
        label = label_id(c, strbuf_str(&c->text), f->cand.action);
    }
    if (nth != 0 && inside) {
        VEC_PUSH(&c->fps, f->cand.fp);
        VEC_PUSH(&c->label, label);
        VEC_LAST(&c->sources).end = c->fps.n;
    }
    c->left.sampled += nth != 0 && !inside ? 1 : 0;
    return inside && !last;
}

void graph_sink_new(const struct model *model, const struct graph_limits *limits,
                    struct graph_sink **ret)
{
    size_t cap = 0;
    struct graph_sink *sink = vec_grow(NULL, &cap, 1, sizeof *sink);
    memset(sink, 0, sizeof *sink);
    sink->model = model;
    sink->limits = *limits;
    sink->check = (struct check_sink){sink, begin, found};
    *ret = sink;
}

void graph_sink_free(struct graph_sink *sink)
{
    if (sink != NULL) {
        forget(sink);
        VEC_DONE(&sink->initial);
        vec_release(sink);
    }
}

const struct check_sink *graph_sink_check(struct graph_sink *sink)
{
    return &sink->check;
}

/* ---- afterwards ---- */

/* Fingerprints to numbers: open addressing, half empty. */
struct ids {
    uint64_t *fps; /* [n] */
    size_t n, mask;
    uint32_t *slots; /* number + 1 */
};

static uint32_t id_of(struct ids *ids, uint64_t fp, bool add)
{
    size_t at = hash_mix(fp) & ids->mask;
    while (ids->slots[at] != 0 && ids->fps[ids->slots[at] - 1] != fp) {
        at = (at + 1) & ids->mask;
    }
    if (ids->slots[at] == 0 && !add) {
        return GRAPH_NONE;
    }
    if (ids->slots[at] == 0) {
        ids->fps[ids->n++] = fp;
        ids->slots[at] = (uint32_t)ids->n;
    }
    return ids->slots[at] - 1;
}

/* Labels of all workers, those with the same text as one, in the order of the texts: it does not
 * depend on who met one first. */
static int by_text(const void *a, const void *b)
{
    return str_cmp(((const struct graph_label *)a)->text, ((const struct graph_label *)b)->text);
}

static void merge_labels(const struct graph_sink *sink, struct graph *graph, struct strmap *ret_all)
{
    VEC(struct graph_label) all = {0};
    const struct model *model = sink->model;
    for (uint32_t i = 0; i < model->naction; i++) {
        (void)graph_action(graph, str_of(model->actions[i].name));
    }
    for (unsigned w = 0; w < sink->n; w++) {
        for (size_t i = 0; i < sink->workers[w].labels.n; i++) {
            VEC_PUSH(&all, sink->workers[w].labels.v[i]);
        }
    }
    if (all.n > 1) {
        qsort(all.v, all.n, sizeof all.v[0], by_text);
    }
    size_t cap = 0;
    graph->labels = vec_grow(NULL, &cap, all.n + 1, sizeof *graph->labels);
    for (size_t i = 0; i < all.n; i++) {
        if (!strmap_has(ret_all, all.v[i].text)) {
            struct str name = str_of(model->actions[all.v[i].action].name);
            struct graph_label label = {str_dup(graph->arena, all.v[i].text),
                                        graph_action(graph, name)};
            graph->labels[graph->n_labels++] = label;
            (void)strmap_put(ret_all, label.text, graph);
        }
    }
    VEC_DONE(&all);
}

struct lists {
    struct ids ids;
    struct strmap labels; /* of the graph, by their numbers */
    uint32_t *from, *to, *label, *initial;
    size_t n;
    uint64_t left; /* steps beyond the greatest depth */
};

/* The steps of one state, whose numbers in the worker's lists begin at `at`. */
static void list_source(struct lists *l, const struct collector *c, const struct source *source,
                        size_t at)
{
    uint32_t from = id_of(&l->ids, source->fp, true);
    for (; at < source->end; at++) {
        uint32_t to = id_of(&l->ids, c->fps.v[at], !source->last);
        l->left += to == GRAPH_NONE ? 1 : 0;
        if (to != GRAPH_NONE) {
            struct str text = c->labels.v[c->label.v[at]].text;
            l->from[l->n] = from;
            l->to[l->n] = to;
            l->label[l->n++] = (uint32_t)strmap_number(&l->labels, text);
        }
    }
}

/* Those of states as deep as the limit come last: by then all that is there is known. */
static void list_steps(const struct graph_sink *sink, struct lists *l, bool last)
{
    for (unsigned w = 0; w < sink->n; w++) {
        const struct collector *c = &sink->workers[w];
        size_t at = 0;
        for (size_t k = 0; k < c->sources.n; k++) {
            if (c->sources.v[k].last == last) {
                list_source(l, c, &c->sources.v[k], at);
            }
            at = c->sources.v[k].end;
        }
    }
}

static void *numbers(size_t n)
{
    size_t cap = 0;
    return vec_grow(NULL, &cap, n + 1, sizeof(uint32_t));
}

static void lists_open(struct lists *l, size_t states, size_t steps, size_t initial)
{
    size_t cap = 0;
    l->ids.mask = 1;
    while (l->ids.mask < 2 * states) {
        l->ids.mask = 2 * l->ids.mask + 1;
    }
    l->ids.fps = vec_grow(NULL, &cap, states, sizeof *l->ids.fps);
    l->ids.slots = numbers(l->ids.mask + 1);
    memset(l->ids.slots, 0, (l->ids.mask + 1) * sizeof *l->ids.slots);
    l->from = numbers(steps);
    l->to = numbers(steps);
    l->label = numbers(steps);
    l->initial = numbers(initial);
}

static void lists_close(struct lists *l)
{
    void *blocks[] = {l->ids.fps, l->ids.slots, l->from, l->to, l->label, l->initial};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        vec_release(blocks[i]);
    }
    strmap_done(&l->labels);
}

int graph_sink_take(struct graph_sink *sink, const struct check_result *result, struct graph **ret,
                    struct err *err)
{
    size_t steps = 0, states = sink->initial.n + 1;
    struct graph *graph = graph_new();
    for (unsigned w = 0; w < sink->n; w++) {
        const struct collector *c = &sink->workers[w];
        steps += c->fps.n;
        states += c->sources.n;
        graph->left.outside += c->left.outside;
        graph->left.sampled += c->left.sampled;
    }
    states += result->complete ? result->distinct : steps;
    graph->left.stopped = !result->complete;
    graph->left.classes = sink->model->has_symmetry || sink->model->has_view;
    graph->spec = str_dup(graph->arena, str_of(sink->model->name));
    struct lists l = {0};
    lists_open(&l, states, steps, sink->initial.n);
    merge_labels(sink, graph, &l.labels);
    for (size_t i = 0; i < sink->initial.n; i++) {
        l.initial[i] = id_of(&l.ids, sink->initial.v[i], true);
    }
    list_steps(sink, &l, false);
    list_steps(sink, &l, true);
    graph->left.deeper = l.left;
    struct graph_parts parts = {l.ids.n, l.n, sink->initial.n, l.from, l.to, l.label, l.initial};
    int status = graph_make(graph, &parts, err);
    lists_close(&l);
    if (status != 0) {
        graph_free(graph);
        return status;
    }
    *ret = graph;
    return 0;
}

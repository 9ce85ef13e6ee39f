/* Behaviours step by step, and moments to which they go back.
 *
 * A mark is a snapshot of the world with all that the bridge itself knows of that moment: how much
 * every node had printed and how much of it had been looked at, the clients that had been started,
 * the choices made so far, what was observed last, and the state of the specification. All of it is
 * copied, so that marks may be used in any order; next to the snapshot it costs nothing. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "map/map.h"
#include "model/model.h"
#include "run/cluster.h"
#include "run/record.h"
#include "world/world.h"

/* ---- the step of that name ---- */

struct seeking {
    struct str label;
    uint32_t nth; /* of the states that it leads to, from 1 on */
    struct spec_step *ret;
    VEC(uint64_t) seen; /* fingerprints */
    struct strbuf text;
    bool found, failed, initial;
};

/* "Action(args) #2": 2, and the label without it. */
static uint32_t cut_number(struct str *label)
{
    size_t at = label->n;
    uint32_t n = 0, unit = 1;
    while (at > 0 && label->p[at - 1] >= '0' && label->p[at - 1] <= '9' && unit < 100000000) {
        n += unit * (uint32_t)(label->p[--at] - '0');
        unit *= 10;
    }
    if (unit > 1 && at > 2 && label->p[at - 1] == '#' && label->p[at - 2] == ' ') {
        label->n = at - 2;
        return n;
    }
    return 1;
}

static int seek(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct seeking *s = arg;
    const struct model_ops *ops = worker->model->ops;
    int inside = ops->in_model(worker);
    if (inside != 1) {
        s->failed = inside == MODEL_ERROR;
        return s->failed ? 1 : 0;
    }
    if (!s->initial) {
        strbuf_reset(&s->text);
        ops->label(worker, &s->text);
        if (!str_eq(strbuf_str(&s->text), s->label)) {
            return 0;
        }
    }
    for (size_t i = 0; i < s->seen.n; i++) {
        if (s->seen.v[i] == cand->fp) {
            return 0;
        }
    }
    VEC_PUSH(&s->seen, cand->fp);
    if (s->seen.n < s->nth) {
        return 0;
    }
    walk_keep(worker, cand->action, s->initial, s->ret);
    s->found = true;
    return 1;
}

static int sought(struct conform *c, struct seeking *s, int status)
{
    VEC_DONE(&s->seen);
    strbuf_done(&s->text);
    if (status == MODEL_ERROR || s->failed) {
        return evaluation_error(c, c->spec.walker, 0, 0);
    }
    return s->found ? 0
                    : err_set(c->err, ERR_NOT_FOUND, 0, "the specification has no step %.*s here",
                              STR_ARG(s->label));
}

int conform_begin(struct conform *c, uint32_t initial, struct walk_result *r, struct err *err)
{
    struct seeking s = {.nth = initial, .ret = &c->spec.now, .initial = true};
    walk_result_done(r);
    int status = conform_start(c, r, err);
    if (status != 0) {
        return status;
    }
    status = sought(c, &s, c->spec.model->ops->init(c->spec.walker, seek, &s));
    return status != 0 ? status : conform_one_step(c, r, NULL, &c->spec.now);
}

int walk_named(struct conform *c, const struct strbuf *from, uint64_t level, struct str label,
               uint32_t nth, struct spec_step *ret)
{
    struct seeking s = {.label = label, .nth = nth, .ret = ret};
    if (c->spec.model->ops->load(c->spec.walker, from->p, from->n, level) != MODEL_OK) {
        return evaluation_error(c, c->spec.walker, 0, 0);
    }
    return sought(c, &s, c->spec.model->ops->next(c->spec.walker, seek, &s));
}

int conform_step(struct conform *c, struct str label, struct walk_result *r, struct err *err)
{
    uint64_t begin = clock_mono_ns();
    c->err = err;
    uint32_t nth = cut_number(&label);
    int status = walk_named(c, &c->spec.now.bytes, r->steps.n, label, nth, &c->spec.next);
    c->spec.ns += clock_mono_ns() - begin;
    if (status != 0) {
        return status;
    }
    status = conform_one_step(c, r, &c->spec.now.bytes, &c->spec.next);
    struct spec_step old = c->spec.now;
    c->spec.now = c->spec.next;
    c->spec.next = old;
    c->times.steps++;
    c->times.step_ns += clock_mono_ns() - begin;
    return status;
}

void conform_record(struct conform *c, struct walk_result *r)
{
    record_done(&r->record);
    conform_stop(c, r, true);
}

/* ---- marks ---- */

struct conform_mark {
    struct conform_mark *older, *newer; /* all marks of the session */
    struct snapshot *snapshot;          /* NULL: the world is lost */
    VEC(struct choice) choices;
    VEC(struct client_command) commands;
    VEC(struct conform_step) steps;
    struct output *outputs; /* [nodes] */
    struct seen_log *logs;  /* [observations * nodes] */
    struct strbuf *past;    /* [nodes of the specification + 1], or NULL */
    struct spec_step now;
};

#define COPY_VEC(to, from)                                                                         \
    do {                                                                                           \
        VEC_RESET(to);                                                                             \
        for (size_t i_ = 0; i_ < (from)->n; i_++) {                                                \
            VEC_PUSH(to, (from)->v[i_]);                                                           \
        }                                                                                          \
    } while (0)

static void *block(size_t n, size_t bytes)
{
    size_t cap = 0;
    void *p = vec_grow(NULL, &cap, n + 1, bytes);
    memset(p, 0, (n + 1) * bytes);
    return p;
}

static void copy_text(struct strbuf *to, const struct strbuf *from)
{
    strbuf_reset(to);
    strbuf_addstr(to, strbuf_str(from));
}

static void copy_step(struct spec_step *to, const struct spec_step *from)
{
    copy_text(&to->bytes, &from->bytes);
    copy_text(&to->label, &from->label);
    copy_text(&to->args, &from->args);
    to->action = from->action;
    to->n_args = from->n_args;
}

static size_t n_logs(const struct conform *c)
{
    return c->map->n_observes * c->cluster->n_nodes;
}

static void copy_output(struct output *to, const struct output *from)
{
    struct strbuf text = to->text;
    copy_text(&text, &from->text);
    *to = *from;
    to->text = text;
}

static void copy_log(struct seen_log *to, const struct seen_log *from)
{
    COPY_VEC(&to->all, &from->all);
    to->start = from->start;
    to->scanned = from->scanned;
    to->begin = from->begin;
    to->end = from->end;
    to->found = from->found;
}

static void keep_knowledge(const struct conform *c, const struct walk_result *r,
                           struct conform_mark *m)
{
    m->outputs = block(c->cluster->n_nodes, sizeof *m->outputs);
    m->logs = block(n_logs(c), sizeof *m->logs);
    m->past = c->see.past != NULL ? block(c->who.n_nodes + 1, sizeof *m->past) : NULL;
    COPY_VEC(&m->choices, &c->run.choices);
    COPY_VEC(&m->commands, &c->run.commands);
    for (uint32_t i = 0; i < c->cluster->n_nodes; i++) {
        copy_output(&m->outputs[i], &c->run.output[i]);
    }
    for (size_t i = 0; i < n_logs(c); i++) {
        copy_log(&m->logs[i], &c->see.logs[i]);
    }
    for (size_t i = 0; m->past != NULL && c->see.past != NULL && i <= c->who.n_nodes; i++) {
        copy_text(&m->past[i], &c->see.past[i]);
    }
    for (size_t i = 0; i < r->steps.n; i++) {
        struct conform_step step = {.action = r->steps.v[i].action, .state = r->steps.v[i].state};
        copy_text(&step.label, &r->steps.v[i].label);
        copy_text(&step.events, &r->steps.v[i].events);
        VEC_PUSH(&m->steps, step);
    }
    copy_step(&m->now, &c->spec.now);
}

static void know_again(struct conform *c, const struct conform_mark *m, struct walk_result *r)
{
    COPY_VEC(&c->run.choices, &m->choices);
    COPY_VEC(&c->run.commands, &m->commands);
    for (uint32_t i = 0; i < c->cluster->n_nodes; i++) {
        copy_output(&c->run.output[i], &m->outputs[i]);
    }
    for (size_t i = 0; i < n_logs(c); i++) {
        copy_log(&c->see.logs[i], &m->logs[i]);
    }
    for (size_t i = 0; m->past != NULL && c->see.past != NULL && i <= c->who.n_nodes; i++) {
        copy_text(&c->see.past[i], &m->past[i]);
    }
    walk_result_done(r);
    *r = (struct walk_result){0};
    for (size_t i = 0; i < m->steps.n; i++) {
        struct conform_step step = {.action = m->steps.v[i].action, .state = m->steps.v[i].state};
        copy_text(&step.label, &m->steps.v[i].label);
        copy_text(&step.events, &m->steps.v[i].events);
        VEC_PUSH(&r->steps, step);
    }
    copy_step(&c->spec.now, &m->now);
}

int conform_mark(struct conform *c, const struct walk_result *r, struct conform_mark **ret,
                 struct err *err)
{
    uint64_t begin = clock_mono_ns();
    struct snapshot *snapshot = NULL;
    if (c->run.world == NULL || c->run.no_snapshot != NULL || c->o.fresh || c->o.cold) {
        return err_set(err, ERR_UNSUPPORTED, 0, "%s",
                       c->run.no_snapshot != NULL ? c->run.no_snapshot : "no snapshots are wanted");
    }
    int status = world_snapshot(c->run.world, &snapshot, err);
    if (status != 0) {
        return status;
    }
    struct conform_mark *m = block(1, sizeof *m);
    m->snapshot = snapshot;
    m->older = c->newest;
    if (c->newest != NULL) {
        c->newest->newer = m;
    }
    c->newest = m;
    keep_knowledge(c, r, m);
    c->times.marks++;
    c->times.mark_ns += clock_mono_ns() - begin;
    *ret = m;
    return 0;
}

bool conform_mark_holds(const struct conform *c, const struct conform_mark *mark)
{
    return c->run.world != NULL && mark->snapshot != NULL;
}

int conform_return(struct conform *c, struct conform_mark *m, bool last, struct walk_result *r,
                   struct err *err)
{
    uint64_t begin = clock_mono_ns();
    struct snapshot *snapshot = m->snapshot;
    c->err = err;
    c->run.moment++;
    m->snapshot = last ? NULL : snapshot; /* it goes with the world */
    int status = last ? world_restore_last(c->run.world, snapshot, err)
                      : world_restore(c->run.world, snapshot, err);
    if (status != 0) {
        session_close(c);
        return status;
    }
    know_again(c, m, r);
    c->finding = &r->finding;
    c->times.returns++;
    c->times.return_ns += clock_mono_ns() - begin;
    return 0;
}

void conform_mark_free(struct conform *c, struct conform_mark *m)
{
    if (m == NULL) {
        return;
    }
    if (m->snapshot != NULL) {
        snapshot_free(c->run.world, m->snapshot);
    }
    if (m->newer != NULL) {
        m->newer->older = m->older;
    } else {
        c->newest = m->older;
    }
    if (m->older != NULL) {
        m->older->newer = m->newer;
    }
    for (size_t i = 0; m->past != NULL && i <= c->who.n_nodes; i++) {
        strbuf_done(&m->past[i]);
    }
    for (uint32_t i = 0; i < c->cluster->n_nodes; i++) {
        strbuf_done(&m->outputs[i].text);
    }
    for (size_t i = 0; i < n_logs(c); i++) {
        VEC_DONE(&m->logs[i].all);
    }
    for (size_t i = 0; i < m->steps.n; i++) {
        strbuf_done(&m->steps.v[i].label);
        strbuf_done(&m->steps.v[i].events);
    }
    VEC_DONE(&m->steps);
    VEC_DONE(&m->choices);
    VEC_DONE(&m->commands);
    vec_release(m->past);
    vec_release(m->outputs);
    vec_release(m->logs);
    spec_step_done(&m->now);
    vec_release(m);
}

void marks_lose(struct conform *c)
{
    for (struct conform_mark *m = c->newest; c->run.world != NULL && m != NULL; m = m->older) {
        snapshot_free(c->run.world, m->snapshot);
        m->snapshot = NULL;
    }
}

const struct conform_times *conform_times(const struct conform *c)
{
    return &c->times;
}

/* Partial-order reduction in a state: which process may be explored alone. por.c says why. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "eval/code.h"
#include "eval/ops.h"
#include "eval/por.h"
#include "eval/worker.h"
#include "model/model.h"
#include "value/value.h"

struct ample {
    struct spec_worker *w;
    const struct por *por;
    int (*visit)(struct ample *am, const struct por_head *h, struct val *fr);
    const struct por_process *process; /* the candidate */
    uint32_t at;                       /* the next one */
    bool found;
    bool seen; /* a step that predicates notice */
    uint64_t steps;
    int stop;
};

static void clear_slots(const struct act *a, struct val *fr)
{
    for (uint32_t i = 0; i < a->nslot; i++) {
        fr[a->slots[i]] = VAL_UNDEF;
    }
}

/* All heads with all their parameters, as find_heads of por.c found them. Stops when visit says so.
 */
static int each_head(struct ample *am, const struct act *a, struct val *fr)
{
    struct ev *ev = &am->w->ev;
    uint32_t head = am->por->head_of[a->id];
    int stop = 0;
    if (head) {
        return am->visit(am, &am->por->heads.v[head - 1], fr);
    }
    if (a->op == ACT_EXISTS) {
        struct loop loop;
        bool more = loop_start(ev, a->x, a->binder, fr, &loop);
        while (more && !stop) {
            stop = each_head(am, a->kid[0], fr);
            more = loop_next(ev, a->x, a->binder, fr, &loop);
        }
        return stop;
    }
    if (a->op == ACT_LET) {
        clear_slots(a, fr);
    }
    for (uint32_t i = 0; i < a->n && !stop; i++) {
        stop = each_head(am, a->kid[i], fr);
    }
    return stop;
}

/* What a part of a head can do in this state, as far as the process's own elements say it. */
enum kind {
    NO_STEP,   /* nothing, whatever others do */
    OWN_STEP,  /* steps that touch only what is the process's own */
    OTHER_STEP /* others, or cannot be told */
};

static enum kind kind_of(struct ample *am, const struct act *a, struct val *fr);

static enum kind either(enum kind a, enum kind b)
{
    if (a == OTHER_STEP || b == OTHER_STEP) {
        return OTHER_STEP;
    }
    return a == OWN_STEP ? a : b;
}

static enum kind kind_of_if(struct ample *am, const struct act *a, struct val *fr)
{
    if (am->por->guard[a->id]) {
        bool cond = ex_bool(&am->w->ev, a->x, fr, "the condition of an IF");
        return kind_of(am, a->kid[cond ? 0 : 1], fr);
    }
    enum kind kind = either(kind_of(am, a->kid[0], fr), kind_of(am, a->kid[1], fr));
    return kind == OWN_STEP && !am->por->own[a->id] ? OTHER_STEP : kind;
}

static enum kind kind_of(struct ample *am, const struct act *a, struct val *fr)
{
    enum kind kind = am->por->own[a->id] ? OWN_STEP : OTHER_STEP;
    if (a->op == ACT_TEST) {
        bool known = am->por->guard[a->id];
        return known && !ex_bool(&am->w->ev, a->x, fr, "a conjunct") ? NO_STEP : kind;
    }
    if (a->op == ACT_IF) {
        return kind_of_if(am, a, fr);
    }
    if (a->op == ACT_DISJ) {
        kind = NO_STEP;
        for (uint32_t i = 0; i < a->n; i++) {
            kind = either(kind, kind_of(am, a->kid[i], fr));
        }
        return kind;
    }
    if (a->op != ACT_CONJ && a->op != ACT_EXISTS && a->op != ACT_MARK && a->op != ACT_LET) {
        return kind;
    }
    if (a->op == ACT_LET) {
        clear_slots(a, fr);
    }
    for (uint32_t i = 0; i < a->n; i++) {
        enum kind part = kind_of(am, a->kid[i], fr);
        if (part == NO_STEP) {
            return NO_STEP;
        }
        kind = either(kind, part);
    }
    return kind;
}

static struct val self_of(const struct por_head *h, const struct val *fr)
{
    return h->constant ? h->self : fr[h->slot];
}

/* By hash: processes that cannot be told apart count as one, which does no harm. */
static bool same_process(struct ev *ev, struct val a, struct val b)
{
    return val_same(a, b) || val_hash(&ev->vctx, a) == val_hash(&ev->vctx, b);
}

static struct por_process *process_of(struct spec_worker *w, struct val self)
{
    for (size_t i = 0; i < w->processes.n; i++) {
        if (same_process(&w->ev, w->processes.v[i].self, self)) {
            return &w->processes.v[i];
        }
    }
    VEC_PUSH(&w->processes, ((struct por_process){.self = self}));
    return &w->processes.v[w->processes.n - 1];
}

static int note_process(struct ample *am, const struct por_head *h, struct val *fr)
{
    if (!h->owned || h->stutters) {
        return 0;
    }
    struct por_process *p = process_of(am->w, self_of(h, fr));
    if (!p->blocked) {
        enum kind kind = kind_of(am, h->act, fr);
        p->ready |= kind == OWN_STEP;
        p->blocked = kind == OTHER_STEP;
    }
    return 0;
}

/* Takes the steps of the candidate. */
static int run_process(struct ample *am, const struct por_head *h, struct val *fr)
{
    if (!h->owned || h->stutters || !same_process(&am->w->ev, self_of(h, fr), am->process->self) ||
        kind_of(am, h->act, fr) == NO_STEP) {
        return 0;
    }
    return act_run(&am->w->ev, h->act, fr, NULL);
}

/* ---- what predicates notice ---- */
/* Is one of the values in a set that the other is not in? */
static bool classes_differ(struct ev *ev, const struct por_visible *visible, struct val a,
                           struct val b)
{
    uint64_t hash_a = val_hash(&ev->vctx, a);
    uint64_t hash_b = val_hash(&ev->vctx, b);
    size_t i = 0;
    for (size_t set = 0; set < visible->ends.n; set++) {
        bool in_a = false;
        bool in_b = false;
        for (; i < visible->ends.v[set]; i++) {
            uint64_t hash = val_hash(&ev->vctx, visible->classes.v[i]);
            in_a |= hash == hash_a;
            in_b |= hash == hash_b;
        }
        if (in_a != in_b) {
            return true;
        }
    }
    return false;
}

static bool notices(struct ample *am, uint32_t var, struct val now, struct val next)
{
    struct ev *ev = &am->w->ev;
    const struct por_visible *visible = &am->por->visible[var];
    if (visible->sight == SEEN_NOT || am->por->ignored[var] || val_same(now, next)) {
        return false;
    }
    if (val_hash(&ev->vctx, now) == val_hash(&ev->vctx, next)) {
        return false;
    }
    if (visible->sight == SEEN_WHOLE) {
        return true;
    }
    struct val before = fcn_apply(&ev->vctx, now, am->process->self);
    struct val after = fcn_apply(&ev->vctx, next, am->process->self);
    return classes_differ(ev, visible, before, after);
}

/* Looks at a step instead of passing it on. */
static int look_emit(struct ev *ev)
{
    struct ample *am = ev->emit_arg;
    am->steps++;
    for (uint32_t i = 0; i < am->w->spec->nvar && !am->seen; i++) {
        am->seen = val_is_undef(ev->s1[i]) || notices(am, i, ev->s0[i], ev->s1[i]);
    }
    return am->seen;
}

/* ---- choosing ---- */
static void go_through(struct ample *am,
                       int (*visit)(struct ample *, const struct por_head *, struct val *))
{
    struct ev *ev = &am->w->ev;
    const struct spec *spec = am->w->spec;
    am->visit = visit;
    struct val *fr = frame_push(ev, spec->next_unit->nslot);
    am->stop = each_head(am, spec->next, fr);
    frame_pop(ev, fr);
}

static void choose(struct ev *ev, void *arg)
{
    struct ample *am = arg;
    worker_begin_next(am->w);
    if (am->at == 0) {
        am->w->processes.n = 0;
        go_through(am, note_process);
    }
    ev->emit = look_emit;
    ev->emit_arg = am;
    while (am->at < am->w->processes.n && !am->found) {
        am->process = &am->w->processes.v[am->at++];
        if (am->process->ready && !am->process->blocked) {
            am->steps = 0;
            am->seen = false;
            go_through(am, run_process);
            am->found = am->steps > 0 && !am->seen;
        }
    }
}

static void take(struct ev *ev, void *arg)
{
    struct ample *am = arg;
    worker_begin_next(am->w);
    ev->emit = worker_emit;
    go_through(am, run_process);
}

static void note_all(struct ev *ev, void *arg)
{
    struct ample *am = arg;
    (void)ev;
    worker_begin_next(am->w);
    am->w->processes.n = 0;
    go_through(am, note_process);
}

int worker_processes(struct mworker *worker, const struct por_process **ret, size_t *ret_n)
{
    struct spec_worker *w = worker_of(worker);
    struct ample am = {.w = w, .por = w->spec->por};
    *ret_n = 0;
    if (!am.por || am.por->nlocal == 0 || !w->spec->next) {
        return MODEL_OK;
    }
    ev_stack_here(&w->ev);
    if (ev_try(&w->ev, note_all, &am) != 0) {
        return MODEL_ERROR;
    }
    *ret = w->processes.v;
    *ret_n = w->processes.n;
    return MODEL_OK;
}

int worker_next_ample(struct mworker *worker, model_sink sink, void *arg, uint32_t *at,
                      bool *ret_ample)
{
    struct spec_worker *w = worker_of(worker);
    struct ample am = {.w = w, .por = w->spec->por, .at = *at};
    *ret_ample = false;
    if (!am.por || am.por->nlocal == 0 || !w->spec->next) {
        return MODEL_OK;
    }
    ev_stack_here(&w->ev);
    if (ev_try(&w->ev, choose, &am) != 0 || !am.found) {
        return MODEL_OK;
    }
    *ret_ample = true;
    *at = am.at;
    w->sink = sink;
    w->sink_arg = arg;
    if (ev_try(&w->ev, take, &am) != 0) {
        w->emitting = false;
        return MODEL_ERROR;
    }
    return am.stop ? MODEL_STOPPED : MODEL_OK;
}

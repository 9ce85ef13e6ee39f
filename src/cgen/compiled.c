/* A compiled specification as a model. See cgen/README.md for how it and the interpreter share the
 * work. */
#include "cgen/compiled.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/ample.h"
#include "cgen/cgen.h"
#include "cgen/csource.h"
#include "cgen/host.h"
#include "cgen/profile.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/por.h"
#include "eval/worker.h"
#include "model/again.h"
#include "model/model.h"
#include "value/value.h"

static void count_trap(struct cmodel *c, size_t piece, int why)
{
    atomic_fetch_add_explicit(&c->traps[piece].n, 1, memory_order_relaxed);
    atomic_store_explicit(&c->traps[piece].why, why, memory_order_relaxed);
}

/* ---- states ---- */

/* The search is to go on with another model. */
static void ask_for_another(struct cgen *c)
{
    atomic_store(&c->widen, true);
    if (c->options.leave) {
        __atomic_store_n(c->options.leave, 1, __ATOMIC_RELAXED);
    }
}

/* Encodes values; false: something does not fit, and is noted for the next layout. */
static bool encode(struct cworker *cw, struct vctx *ctx, const struct val *vals, uint8_t *out)
{
    struct cgen *c = cw->cgen;
    const struct csource *src = &cw->m->source;
    memset(out, 0, cw->m->code->size);
    bool fits = true;
    for (uint32_t i = 0; i < c->spec->nvar; i++) {
        if (ty_encode(&src->tys, ctx, src->var_ty[i], vals[i], out + src->var_offset[i])) {
            continue;
        }
        fits = false;
        pthread_mutex_lock(&c->lock);
        samples_add(&c->samples, ctx, i, vals[i]);
        pthread_mutex_unlock(&c->lock);
    }
    if (!fits && cw->m == c->now) { /* an earlier one only finds old steps again */
        ask_for_another(c);
    }
    return fits;
}

void compiled_decode(const struct cmodel *m, struct vctx *ctx, const uint8_t *at, struct val *vals)
{
    const struct csource *src = &m->source;
    for (uint32_t i = 0; i < m->cgen->spec->nvar; i++) {
        vals[i] = ty_decode(&src->tys, ctx, src->var_ty[i], at + src->var_offset[i]);
    }
}

/* The bytes that the interpreter uses for the same state. */
static void inner_bytes(struct cworker *cw, const uint8_t *at, struct strbuf *out)
{
    struct spec_worker *in = worker_of(cw->inner);
    struct vctx *ctx = &in->ev.vctx;
    struct arena_mark mark = arena_mark(&in->ev.scratch);
    strbuf_reset(out);
    const struct csource *src = &cw->m->source;
    for (uint32_t i = 0; i < cw->cgen->spec->nvar; i++) {
        val_encode(ctx, ty_decode(&src->tys, ctx, src->var_ty[i], at + src->var_offset[i]), out);
    }
    arena_rewind(&in->ev.scratch, mark);
}

/* Gives the inner worker the current state. */
static int inner_load(struct cworker *cw)
{
    if (cw->inner_cur) {
        return MODEL_OK;
    }
    inner_bytes(cw, cw->cur, &cw->bytes);
    int status = cw->inner->model->ops->load(cw->inner, cw->bytes.p, cw->bytes.n, cw->level);
    cw->inner_cur = status == MODEL_OK;
    return status;
}

/* ... and the candidate, as if inside its sink. */
static int inner_candidate(struct cworker *cw)
{
    struct spec_worker *in = worker_of(cw->inner);
    if (cw->inside) {
        return MODEL_OK;
    }
    if (inner_load(cw) != MODEL_OK) {
        return MODEL_ERROR;
    }
    in->emitting_init = false;
    compiled_decode(cw->m, &in->ev.vctx, cw->sel, in->cand);
    return MODEL_OK;
}

/* What the interpreter counted belongs to whoever asked. */
static void take_extra(struct cworker *cw)
{
    cw->pub.extra_generated += cw->inner->extra_generated;
    cw->inner->extra_generated = 0;
}

static int pass(struct cworker *cw, int status)
{
    if (status == MODEL_ERROR) {
        cw->pub.error = cw->inner->error;
    }
    take_extra(cw);
    return status;
}

/* ---- life ---- */
static void grow(struct cworker *cw)
{
    struct W *w = &cw->w;
    uint32_t cap = w->cap ? w->cap * 2 : 256;
    size_t size = cw->m->code->size;
    w->out = vec_grow(w->out, &(size_t){(size_t)w->cap * size}, (size_t)cap * size + 8, 1);
    w->cand = vec_grow(w->cand, &(size_t){w->cap}, cap, sizeof *w->cand);
    w->changed = vec_grow(w->changed, &(size_t){w->cap}, cap, sizeof *w->changed);
    w->cap = cap;
    struct batch_slot *slot = &cw->slot[cw->at];
    slot->out = w->out;
    slot->cand = w->cand;
    slot->changed = w->changed;
    slot->cap = cap;
}

/* Makes a slot the one in use. */
static void use_slot(struct cworker *cw, uint32_t at)
{
    struct batch_slot *slot = &cw->slot[at];
    cw->at = at;
    cw->cur = slot->cur;
    cw->level = slot->level;
    cw->cur_id = slot->id;
    cw->w.out = slot->out;
    cw->w.cand = slot->cand;
    cw->w.changed = slot->changed;
    cw->w.n = slot->n;
    cw->w.cap = slot->cap;
    cw->inside = false;
    cw->inner_cur = false;
    cw->batched = false;
}

static int c_worker_new(struct model *model, unsigned index, uint64_t seed,
                        struct mworker **ret_worker, struct err *err)
{
    struct cmodel *m = (struct cmodel *)model;
    struct cgen *c = m->cgen;
    struct cworker *cw = vec_grow(NULL, &(size_t){0}, 1, sizeof *cw);
    memset(cw, 0, sizeof *cw);
    cw->pub.model = model;
    cw->cgen = c;
    cw->m = m;
    if (c->spec->model.host != model->host) { /* it may be in use: a search goes on beside */
        c->spec->model.host = model->host;
    }
    if (c->spec->model.ops->worker_new(&c->spec->model, index, seed, &cw->inner, err) != 0) {
        vec_release(cw);
        return -1;
    }
    worker_of(cw->inner)->from_starts = true;
    size_t size = m->code->size;
    cw->sel_own = vec_grow(NULL, &(size_t){0}, size + 64, 1);
    memset(cw->sel_own, 0, size);
    cw->sel = cw->sel_own;
    cw->w.stop = model->host && model->host->interrupt ? model->host->interrupt : &cw->never;
    if (c->spec->nperm) {
        size_t bytes = (size_t)HOST_CANON * 2 * sizeof(uint64_t);
        cw->w.canon = vec_grow(NULL, &(size_t){0}, bytes, 1);
        memset(cw->w.canon, 0, bytes);
    }
    cw->memo = vec_grow(NULL, &(size_t){0}, m->code->memo_size + 8, 1);
    memset(cw->memo, 0, m->code->memo_size);
    cw->traps = vec_grow(NULL, &(size_t){0}, m->code->nact + 1, 1);
    for (uint32_t i = SLOTS; i-- > 0;) {
        cw->slot[i].cur = vec_grow(NULL, &(size_t){0}, size + 64, 1);
        memset(cw->slot[i].cur, 0, size);
        use_slot(cw, i);
        grow(cw);
    }
    *ret_worker = &cw->pub;
    return 0;
}

static void c_worker_free(struct mworker *worker)
{
    struct cworker *cw = cw_of(worker);
    if (!cw) {
        return;
    }
    cw->inner->model->ops->worker_free(cw->inner);
    for (uint32_t i = 0; i < SLOTS; i++) {
        vec_release(cw->slot[i].cur);
        vec_release(cw->slot[i].out);
        vec_release(cw->slot[i].cand);
        vec_release(cw->slot[i].changed);
    }
    vec_release(cw->sel_own);
    vec_release(cw->w.canon);
    vec_release(cw->memo);
    vec_release(cw->traps);
    strbuf_done(&cw->bytes);
    strbuf_done(&cw->bytes2);
    strbuf_done(&cw->live_of);
    VEC_DONE(&cw->live_bits);
    ample_free(cw->ample);
    compiled_before_done(cw);
    vec_release(cw);
}

/* ---- enumeration by the interpreter ---- */

/* A state that the layout holds and that has no fingerprint (VIEW could not be computed, or a
 * symmetric state does not fit) would be lost: nothing of this model can be used. */
static uint64_t fingerprint(struct cworker *cw, const uint8_t *state, bool *ok)
{
    struct cgen *c = cw->cgen;
    uint64_t fp = 0;
    cw->w.depth = 0;
    *ok = cw->m->code->fp(&cw->w, state, &fp) == 0;
    if (!*ok && cw->m == c->now) {
        atomic_store(&c->no_fingerprint, true);
        ask_for_another(c);
    }
    return fp;
}

/* A candidate of the interpreter's: in the layout of the compiled model, to the caller's sink. */
static int relay(void *arg, struct mworker *inner, const struct candidate *cand)
{
    struct cworker *cw = arg;
    struct spec_worker *in = worker_of(inner);
    bool ok = encode(cw, &in->ev.vctx, in->cand, cw->sel_own);
    cw->pub.unfit = !ok;
    struct candidate mine = *cand;
    if (ok) {
        mine.fp = fingerprint(cw, cw->sel_own, &ok);
    }
    if (!ok) {
        return 1;
    }
    cw->sel = cw->sel_own;
    cw->changed = UINT64_MAX;
    cw->inside = true;
    take_extra(cw);
    int stop = cw->sink(cw->sink_arg, &cw->pub, &mine);
    cw->inside = false;
    return stop;
}

static int c_init(struct mworker *worker, model_sink sink, void *arg)
{
    struct cworker *cw = cw_of(worker);
    cw->sink = sink;
    cw->sink_arg = arg;
    cw->inner_cur = false;
    cw->inner->quiet = worker->quiet;
    cw->init = true;
    int status = pass(cw, cw->inner->model->ops->init(cw->inner, relay, cw));
    cw->init = false;
    return status;
}

static int c_load(struct mworker *worker, const void *bytes, size_t len, uint64_t level)
{
    struct cworker *cw = cw_of(worker);
    if (len != cw->m->code->size) {
        worker->error =
            (struct merror){.code = 2174, .exit_status = 255, .text = "A stored state is damaged."};
        return MODEL_ERROR;
    }
    uint32_t at = (cw->at + 1) % SLOTS; /* a slot of its own: earlier batches stay valid */
    memcpy(cw->slot[at].cur, bytes, len);
    cw->slot[at].level = level;
    cw->slot[at].id = ++cw->loads;
    cw->slot[at].n = 0;
    worker->unfit = false;
    use_slot(cw, at);
    return MODEL_OK;
}

/* ---- enumeration by compiled code ---- */

/* One disjunct of Next, again with more room where there is too little of it for what it makes. */
static int run_act(struct cworker *cw, uint32_t i)
{
    uint32_t n = cw->w.n;
    for (;;) {
        cw->w.depth = 0;
        int why = cw->m->code->acts[i](&cw->w, cw->cur, cw->cur);
        if (why == 0) {
            return 0;
        }
        cw->w.n = n;
        if (why != TRAP_FULL) {
            return why;
        }
        grow(cw);
    }
}

static void mark_trapped(struct cworker *cw, uint32_t i)
{
    if (!cw->trapped) {
        memset(cw->traps, 0, cw->m->code->nact);
    }
    cw->trapped = true;
    cw->traps[i] = 1;
}

/* All compiled disjuncts of Next. Those that trap make no successors, and are marked. False: the
 * interpreter must do all of them, now: one that may print something came to what it leaves to the
 * interpreter, and states are expanded ahead. */
static bool run_code(struct cworker *cw)
{
    const struct code *code = cw->m->code;
    cw->w.n = 0;
    cw->w.level = cw->level;
    cw->trapped = false;
    cw->trap = 0;
    for (uint32_t i = 0; i < code->nact; i++) {
        bool prints = cw->m->source.acts.v[i].prints;
        int why = code->acts[i] ? run_act(cw, i) : 0;
        if (why == TRAP_STOP) {
            cw->trap = why;
            return false;
        }
        if (why != 0) {
            count_trap(cw->m, i, why);
            mark_trapped(cw, i);
        }
        if (prints && (why != 0 || !code->acts[i])) {
            return false;
        }
    }
    cw->w.depth = 0;
    cw->trap = code->finish(&cw->w, cw->cur);
    return cw->trap == 0;
}

/* Disjuncts of Next that were not compiled, or trapped. */
struct rest {
    struct cworker *cw;
    bool fits;
};

static int rest_emit(struct ev *ev)
{
    struct spec_worker *in = worker_of(ev->worker);
    struct rest *rest = ev->emit_arg;
    struct cworker *cw = rest->cw;
    for (uint32_t i = 0; i < in->spec->nvar; i++) {
        if (val_is_undef(ev->s1[i])) {
            rest->fits = false; /* the interpreter says what is wrong */
            return 1;
        }
    }
    if (cw->w.n == cw->w.cap) {
        grow(cw);
    }
    uint8_t *out = cw->w.out + (size_t)cw->w.n * cw->m->code->size;
    bool ok = encode(cw, &ev->vctx, ev->s1, out);
    uint64_t fp = ok ? fingerprint(cw, out, &ok) : 0;
    if (!ok) {
        rest->fits = false;
        return 1;
    }
    cw->w.changed[cw->w.n] = UINT64_MAX;
    cw->w.cand[cw->w.n++] = (struct candidate){.fp = fp, .action = ev->action};
    return 0;
}

static void run_rest(struct ev *ev, void *arg)
{
    struct rest *rest = arg;
    struct spec_worker *in = worker_of(ev->worker);
    const struct csource *src = &rest->cw->m->source;
    ev->composing = false;
    ev->s0 = in->cur;
    ev->s1 = in->cand;
    ev->emit = rest_emit;
    ev->emit_arg = rest;
    ev->level = in->level;
    ev->only_action = NO_SLOT;
    for (size_t i = 0; i < src->acts.n && rest->fits; i++) {
        if (!src->acts.v[i].why && !(rest->cw->trapped && rest->cw->traps[i])) {
            continue;
        }
        for (uint32_t k = 0; k < in->spec->nvar; k++) {
            in->cand[k] = VAL_UNDEF;
        }
        ev->missing = in->spec->nvar;
        ev->action = NO_SLOT;
        struct val *fr = frame_push(ev, in->spec->next_unit->nslot);
        (void)act_run(ev, src->acts.v[i].act, fr, NULL);
        frame_pop(ev, fr);
    }
}

static bool add_rest(struct cworker *cw)
{
    struct spec_worker *in = worker_of(cw->inner);
    struct rest rest = {cw, true};
    if (inner_load(cw) != MODEL_OK) {
        return false;
    }
    in->emitting_init = false;
    ev_stack_here(&in->ev);
    int rc = ev_try(&in->ev, run_rest, &rest);
    if (rc != 0 || !rest.fits) {
        cw->inner->extra_generated = 0;
        return false;
    }
    take_extra(cw);
    return true;
}

static int c_next_batch(struct mworker *worker, struct mbatch *ret)
{
    struct cworker *cw = cw_of(worker);
    cw->inside = false;
    if (!run_code(cw) || ((cw->trapped || cw->m->some_interpreted) && !add_rest(cw))) {
        return MODEL_STOPPED;
    }
    cw->slot[cw->at].n = cw->w.n;
    cw->batched = true;
    ret->n = cw->w.n;
    ret->cands = cw->w.cand;
    ret->slot = cw->at;
    return MODEL_OK;
}

static void c_recall(struct mworker *worker, uint32_t slot)
{
    use_slot(cw_of(worker), slot);
}

static void c_select(struct mworker *worker, uint32_t i)
{
    struct cworker *cw = cw_of(worker);
    cw->inside = false;
    cw->sel = cw->w.out + (size_t)i * cw->m->code->size;
    cw->changed = cw->cgen->options.keep_going ? UINT64_MAX : cw->w.changed[i];
}

/* Successors of the interpreter's, in the layout of the compiled model. */
static int interpret(struct cworker *cw, uint32_t action, model_sink sink, void *arg)
{
    const struct model_ops *ops = cw->inner->model->ops;
    cw->sink = sink;
    cw->sink_arg = arg;
    cw->inner->quiet = cw->pub.quiet;
    if (inner_load(cw) != MODEL_OK) {
        return pass(cw, MODEL_ERROR);
    }
    return pass(cw, action == NO_SLOT ? ops->next(cw->inner, relay, cw)
                                      : ops->next_action(cw->inner, action, relay, cw));
}

static int c_next_of(struct mworker *worker, uint32_t action, model_sink sink, void *arg)
{
    struct cworker *cw = cw_of(worker);
    struct mbatch batch = {.n = cw->w.n, .cands = cw->w.cand};
    if (!(cw->batched && cw->ample) && c_next_batch(worker, &batch) != MODEL_OK) {
        if (cw->trap == TRAP_STOP && *cw->w.stop) {
            return MODEL_STOPPED; /* interrupted in a long loop */
        }
        atomic_fetch_add_explicit(&cw->m->fallbacks, 1, memory_order_relaxed);
        return interpret(cw, action, sink, arg);
    }
    for (uint32_t i = 0; i < batch.n; i++) {
        if (action != NO_SLOT && batch.cands[i].action != action) {
            continue;
        }
        struct candidate cand = batch.cands[i];
        c_select(worker, i);
        if (sink(arg, worker, &cand) != 0) {
            return MODEL_STOPPED;
        }
    }
    return MODEL_OK;
}

static int c_next(struct mworker *worker, model_sink sink, void *arg)
{
    return c_next_of(worker, NO_SLOT, sink, arg);
}

static int c_next_action(struct mworker *worker, uint32_t action, model_sink sink, void *arg)
{
    return c_next_of(worker, action, sink, arg);
}

/* ---- partial-order reduction ---- */

/* By the interpreter, its steps too. */
static int ample_interpret(struct cworker *cw, model_sink sink, void *arg, uint32_t *at,
                           bool *ret_ample)
{
    if (inner_load(cw) != MODEL_OK) {
        return MODEL_OK;
    }
    cw->sink = sink;
    cw->sink_arg = arg;
    cw->inner->quiet = cw->pub.quiet;
    return pass(cw, cw->inner->model->ops->next_ample(cw->inner, relay, cw, at, ret_ample));
}

/* Knows what the processes can do in the current state; false: no reduction here. */
static bool ample_look(struct cworker *cw)
{
    const struct por_process *processes = NULL;
    size_t n = 0;
    if (cw->ample && ample_recall(cw->ample, cw->cur)) {
        return true;
    }
    if (inner_load(cw) != MODEL_OK || worker_processes(cw->inner, &processes, &n) != MODEL_OK) {
        return false;
    }
    if (!cw->ample) {
        struct vctx *ctx = &worker_of(cw->inner)->ev.vctx;
        cw->ample = ample_new(cw->cgen->spec, &cw->m->source, ctx, processes, n);
        cw->ample_none = !cw->ample;
        if (cw->ample_none) {
            return false;
        }
        (void)ample_recall(cw->ample, cw->cur);
    }
    ASSERT(n == ample_count(cw->ample));
    ample_learn(cw->ample, cw->cur, processes);
    return true;
}

/* Has the process steps, and no predicate notices any of them. */
static bool ample_good(struct cworker *cw, size_t process)
{
    size_t size = cw->m->code->size;
    bool any = false;
    for (uint32_t i = 0; i < cw->w.n; i++) {
        enum ample_step step =
            ample_step(cw->ample, process, cw->cur, cw->w.out + (size_t)i * size);
        if (step == STEP_SEEN) {
            return false;
        }
        any = any || step == STEP_HIDDEN;
    }
    return any;
}

/* The steps of one process alone, to the sink. */
static int ample_take(struct cworker *cw, size_t process, model_sink sink, void *arg)
{
    size_t size = cw->m->code->size;
    for (uint32_t i = 0; i < cw->w.n; i++) {
        if (ample_step(cw->ample, process, cw->cur, cw->w.out + (size_t)i * size) != STEP_HIDDEN) {
            continue;
        }
        struct candidate cand = cw->w.cand[i];
        c_select(&cw->pub, i);
        if (sink(arg, &cw->pub, &cand) != 0) {
            return MODEL_STOPPED;
        }
    }
    return MODEL_OK;
}

static int c_next_ample(struct mworker *worker, model_sink sink, void *arg, uint32_t *at,
                        bool *ret_ample)
{
    struct cworker *cw = cw_of(worker);
    const struct por *por = cw->cgen->spec->por;
    *ret_ample = false;
    if (!por || por->nlocal == 0) {
        return MODEL_OK;
    }
    bool known = !cw->ample_none && (*at > 0 || ample_look(cw));
    if (cw->ample_none) {
        return ample_interpret(cw, sink, arg, at, ret_ample);
    }
    while (known && *at < ample_count(cw->ample)) {
        uint32_t process = (*at)++;
        struct mbatch batch;
        if (!ample_alone(cw->ample, process)) {
            continue;
        }
        if (!cw->batched && c_next_batch(worker, &batch) != MODEL_OK) {
            return MODEL_OK; /* `next` tells why */
        }
        if (ample_good(cw, process)) {
            *ret_ample = true;
            return ample_take(cw, process, sink, arg);
        }
    }
    return MODEL_OK;
}

/* ---- predicates ---- */
enum pred_group {
    GROUP_PROPS,
    GROUP_CONSTRAINTS,
    GROUP_ACTION_CONSTRAINTS,
    GROUP_STATE,
    GROUP_ACTION
};

static uint32_t group_start(const struct spec *spec, enum pred_group group)
{
    size_t at = 0;
    at += group > GROUP_PROPS ? spec->prop_preds.n : 0;
    at += group > GROUP_CONSTRAINTS ? spec->constraints.n : 0;
    at += group > GROUP_ACTION_CONSTRAINTS ? spec->action_constraints.n : 0;
    at += group > GROUP_STATE ? spec->state_leaves.n : 0;
    return (uint32_t)at;
}

/* What a predicate is asked about: a state, or a step to `next`. */
struct asked {
    const void *s, *next;
    uint64_t level;
    uint64_t changed; /* variables that s does not have from a state that was in order */
};

/* 1, 0, or -1: the interpreter must look. */
static int run_pred(struct cworker *cw, size_t pred, const struct asked *asked)
{
    const struct code *code = cw->m->code;
    int holds = 0;
    if (!code->preds[pred]) {
        return -1;
    }
    cw->w.memo = cw->memo + code->memo_at[pred];
    cw->w.level = asked->level;
    cw->w.depth = 0;
    int why = code->preds[pred](&cw->w, asked->s, asked->next, asked->changed, &holds);
    if (why != 0) {
        count_trap(cw->m, code->nact + pred, why);
        return -1;
    }
    return holds;
}

/* The `n` predicates of a group: 1, 0 or -1. */
static int run_all(struct cworker *cw, enum pred_group group, size_t n, const struct asked *asked)
{
    uint32_t first = group_start(cw->cgen->spec, group);
    for (size_t i = 0; i < n; i++) {
        int holds = run_pred(cw, first + i, asked);
        if (holds != 1) {
            return holds;
        }
    }
    return 1;
}

/* The candidate as a state, and as a step. */
static struct asked asked_state(const struct cworker *cw)
{
    return (struct asked){cw->sel, cw->sel, cw->init ? 1 : cw->level + 1, cw->changed};
}

static struct asked asked_step(const struct cworker *cw)
{
    return (struct asked){cw->cur, cw->sel, cw->level, UINT64_MAX};
}

static int c_in_model(struct mworker *worker)
{
    struct cworker *cw = cw_of(worker);
    const struct spec *spec = cw->cgen->spec;
    if (!spec->model.has_constraint) {
        return 1;
    }
    struct asked state = asked_state(cw);
    struct asked step = asked_step(cw);
    int in = spec->possible.n ? -1 : run_all(cw, GROUP_CONSTRAINTS, spec->constraints.n, &state);
    if (in == 1 && !cw->init) {
        in = run_all(cw, GROUP_ACTION_CONSTRAINTS, spec->action_constraints.n, &step);
    }
    if (in >= 0) {
        return in;
    }
    if (inner_candidate(cw) != MODEL_OK) {
        return pass(cw, MODEL_ERROR);
    }
    return pass(cw, cw->inner->model->ops->in_model(cw->inner));
}

/* The first invariant, or action property, that compiled code cannot vouch for; *ret_holds is 0 or
 * -1. */
static size_t first_doubt(struct cworker *cw, unsigned kinds, size_t from, int *ret_holds)
{
    const struct spec *spec = cw->cgen->spec;
    size_t i = from;
    for (; i < spec->props.n; i++) {
        enum mprop_kind kind = spec->props.v[i].kind;
        if (!(kinds >> kind & 1) || kind == MPROP_TEMPORAL || (kind == MPROP_ACTION && cw->init)) {
            continue;
        }
        struct asked asked = kind == MPROP_ACTION ? asked_step(cw) : asked_state(cw);
        *ret_holds = run_pred(cw, i, &asked);
        if (*ret_holds != 1) {
            return i;
        }
    }
    *ret_holds = -1;
    return i;
}

static int c_check(struct mworker *worker, unsigned kinds, int from, int *ret_prop)
{
    struct cworker *cw = cw_of(worker);
    int holds;
    size_t at = first_doubt(cw, kinds, (size_t)from, &holds);
    *ret_prop = -1;
    if (at == cw->cgen->spec->props.n) {
        return MODEL_OK;
    }
    if (holds == 0) {
        *ret_prop = (int)at;
        return MODEL_OK;
    }
    if (inner_candidate(cw) != MODEL_OK) {
        return pass(cw, MODEL_ERROR);
    }
    int status = cw->inner->model->ops->check(cw->inner, kinds, (int)at, ret_prop);
    return pass(cw, status);
}

/* Evaluates leaves; enabled: NULL, or the state leaves of s, for steps: those whose gate is closed
 * are false without a look. Negative when the interpreter must look. */
static int bits(struct cworker *cw, enum pred_group group, const void *s, const void *n,
                const uint64_t *enabled, uint64_t *ret_bits)
{
    const struct spec *spec = cw->cgen->spec;
    size_t count = group == GROUP_ACTION ? spec->action_leaves.n : spec->state_leaves.n;
    size_t first = group_start(spec, group);
    struct asked asked = {s, n, cw->w.level, UINT64_MAX};
    memset(ret_bits, 0, sizeof *ret_bits * ((count + 63) / 64));
    for (size_t i = 0; i < count; i++) {
        uint32_t gate = enabled ? spec->action_gates.v[i] : 0;
        if (gate && (s == n || !(enabled[(gate - 1) / 64] >> (gate - 1) % 64 & 1))) {
            continue;
        }
        int holds = run_pred(cw, first + i, &asked);
        if (holds < 0) {
            return -1;
        }
        ret_bits[i / 64] |= (uint64_t)holds << (i % 64);
    }
    return MODEL_OK;
}

/* State leaves of the current state, evaluated once; NULL when the interpreter must look. */
static const uint64_t *current_bits(struct cworker *cw)
{
    size_t size = cw->m->code->size;
    if (cw->live_of.n == size && cw->live_level == cw->level &&
        memcmp(cw->live_of.p, cw->cur, size) == 0) {
        return cw->live_bits.v;
    }
    strbuf_reset(&cw->live_of);
    VEC_RESERVE(&cw->live_bits, cw->cgen->spec->state_leaves.n / 64 + 1);
    cw->w.level = cw->level;
    if (bits(cw, GROUP_STATE, cw->cur, cw->cur, NULL, cw->live_bits.v) != MODEL_OK) {
        return NULL;
    }
    cw->live_level = cw->level;
    strbuf_add(&cw->live_of, (const char *)cw->cur, size);
    return cw->live_bits.v;
}

static int c_live_state(struct mworker *worker, uint64_t *ret_bits)
{
    struct cworker *cw = cw_of(worker);
    cw->w.level = cw->level + 1;
    if (bits(cw, GROUP_STATE, cw->sel, cw->sel, NULL, ret_bits) == MODEL_OK) {
        return MODEL_OK;
    }
    return inner_candidate(cw) != MODEL_OK
               ? pass(cw, MODEL_ERROR)
               : pass(cw, cw->inner->model->ops->live_state(cw->inner, ret_bits));
}

static int c_live_action(struct mworker *worker, uint64_t *ret_bits)
{
    struct cworker *cw = cw_of(worker);
    const uint64_t *enabled = current_bits(cw);
    cw->w.level = cw->level;
    if (bits(cw, GROUP_ACTION, cw->cur, cw->sel, enabled, ret_bits) == MODEL_OK) {
        return MODEL_OK;
    }
    return inner_candidate(cw) != MODEL_OK
               ? pass(cw, MODEL_ERROR)
               : pass(cw, cw->inner->model->ops->live_action(cw->inner, ret_bits));
}

static int c_live_current(struct mworker *worker, uint64_t *ret_bits)
{
    struct cworker *cw = cw_of(worker);
    const uint64_t *known = current_bits(cw);
    if (known) {
        memcpy(ret_bits, known, sizeof *known * ((cw->cgen->spec->state_leaves.n + 63) / 64));
        return MODEL_OK;
    }
    return inner_load(cw) != MODEL_OK
               ? pass(cw, MODEL_ERROR)
               : pass(cw, cw->inner->model->ops->live_current(cw->inner, ret_bits));
}

static int c_live_stutter(struct mworker *worker, uint64_t *ret_bits)
{
    struct cworker *cw = cw_of(worker);
    const uint64_t *enabled = current_bits(cw);
    cw->w.level = cw->level;
    if (bits(cw, GROUP_ACTION, cw->cur, cw->cur, enabled, ret_bits) == MODEL_OK) {
        return MODEL_OK;
    }
    return inner_load(cw) != MODEL_OK
               ? pass(cw, MODEL_ERROR)
               : pass(cw, cw->inner->model->ops->live_stutter(cw->inner, ret_bits));
}

/* ---- bytes, labels, printing ---- */
static void c_save(struct mworker *worker, struct strbuf *out)
{
    struct cworker *cw = cw_of(worker);
    strbuf_add(out, (const char *)cw->sel, cw->m->code->size);
}

/* The interpreter makes the same step again, and says what it is. */
struct find {
    struct cworker *cw;
    uint8_t *mine;
    struct strbuf *label;
    struct mvalues *args;
    bool found;
};

static int find_sink(void *arg, struct mworker *inner, const struct candidate *cand)
{
    struct find *find = arg;
    struct spec_worker *in = worker_of(inner);
    (void)cand;
    if (!encode(find->cw, &in->ev.vctx, in->cand, find->mine) ||
        memcmp(find->mine, find->cw->sel, find->cw->m->code->size) != 0) {
        return 0;
    }
    find->found = true;
    if (find->label) {
        inner->model->ops->label(inner, find->label);
    } else {
        inner->model->ops->args(inner, find->args);
    }
    return 1;
}

static bool find_step(struct cworker *cw, struct strbuf *label, struct mvalues *args)
{
    struct find find = {cw, vec_grow(NULL, &(size_t){0}, cw->m->code->size + 8, 1), label, args,
                        false};
    if (inner_load(cw) == MODEL_OK) {
        (void)model_enumerate_again(cw->inner, false, MODEL_ANY_ACTION, find_sink, &find);
    }
    vec_release(find.mine);
    return find.found;
}

static void c_label(struct mworker *worker, struct strbuf *out)
{
    struct cworker *cw = cw_of(worker);
    if (cw->inside) {
        cw->inner->model->ops->label(cw->inner, out);
    } else if (!find_step(cw, out, NULL)) {
        strbuf_adds(out, "?");
    }
}

static void c_args(struct mworker *worker, struct mvalues *ret)
{
    struct cworker *cw = cw_of(worker);
    if (cw->inside) {
        cw->inner->model->ops->args(cw->inner, ret);
    } else if (!find_step(cw, NULL, ret)) {
        *ret = (struct mvalues){0};
    }
}

static int c_fingerprint(struct mworker *worker, uint64_t *ret_fp)
{
    struct cworker *cw = cw_of(worker);
    bool ok;
    *ret_fp = fingerprint(cw, cw->cur, &ok);
    if (ok) {
        return MODEL_OK;
    }
    return inner_load(cw) != MODEL_OK
               ? pass(cw, MODEL_ERROR)
               : pass(cw, cw->inner->model->ops->fingerprint(cw->inner, ret_fp));
}

static int c_print(struct mworker *worker, bool alias, bool diff, struct strbuf *out)
{
    struct cworker *cw = cw_of(worker);
    return inner_load(cw) != MODEL_OK
               ? pass(cw, MODEL_ERROR)
               : pass(cw, cw->inner->model->ops->print(cw->inner, alias, diff, out));
}

static int c_peek(struct mworker *worker, const void *bytes, size_t len)
{
    struct cworker *cw = cw_of(worker);
    if (len != cw->m->code->size || inner_load(cw) != MODEL_OK) {
        return MODEL_ERROR;
    }
    inner_bytes(cw, bytes, &cw->bytes2);
    return pass(cw, cw->inner->model->ops->peek(cw->inner, cw->bytes2.p, cw->bytes2.n));
}

static int c_values(struct mworker *worker, bool alias, struct mvalues *ret)
{
    struct cworker *cw = cw_of(worker);
    return inner_load(cw) != MODEL_OK
               ? pass(cw, MODEL_ERROR)
               : pass(cw, cw->inner->model->ops->values(cw->inner, alias, ret));
}

static int c_explain(struct mworker *worker, uint32_t prop, const void *next_bytes, size_t next_len,
                     struct strbuf *out)
{
    struct cworker *cw = cw_of(worker);
    if (inner_load(cw) != MODEL_OK) {
        return pass(cw, MODEL_ERROR);
    }
    if (next_bytes && next_len == cw->m->code->size) {
        inner_bytes(cw, next_bytes, &cw->bytes2);
        next_bytes = cw->bytes2.p;
        next_len = cw->bytes2.n;
    }
    return pass(cw, cw->inner->model->ops->explain(cw->inner, prop, next_bytes, next_len, out));
}

int compiled_postcondition(struct mworker *worker, const char **ret_name)
{
    struct cworker *cw = cw_of(worker);
    return pass(cw, cw->cgen->spec->model.postcondition(cw->inner, ret_name));
}

const struct model_ops compiled_ops = {
    .worker_new = c_worker_new,
    .worker_free = c_worker_free,
    .init = c_init,
    .load = c_load,
    .next = c_next,
    .next_batch = c_next_batch,
    .select = c_select,
    .recall = c_recall,
    .next_action = c_next_action,
    .next_ample = c_next_ample,
    .peek = c_peek,
    .in_model = c_in_model,
    .check = c_check,
    .save = c_save,
    .label = c_label,
    .args = c_args,
    .live_state = c_live_state,
    .live_action = c_live_action,
    .live_current = c_live_current,
    .live_stutter = c_live_stutter,
    .fingerprint = c_fingerprint,
    .print = c_print,
    .values = c_values,
    .explain = c_explain,
    .adopt = compiled_adopt,
    .fp_before = compiled_fp_before,
};

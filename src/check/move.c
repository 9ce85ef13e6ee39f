/* Going on with another model in the middle of a search.
 *
 * The caller has a model that takes the place of the one at hand (model->before): the same one in a
 * faster form, or with room for values that did not fit. What waits in the queue is translated. The
 * fingerprints that were found cannot be, since nobody has their states: their set is sealed and
 * kept, and a state that the new set does not know is asked for in the sealed ones, by the
 * fingerprint that it had there (ops->fp_before). So each state costs that question once. A state
 * that the model before could not hold was not found by it.
 *
 * Steps are found again by the model that took them, since candidates have the same order in no two
 * models; the mark in the log says which one that was. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/queue.h"
#include "check/tracelog.h"
#include "model/model.h"

enum {
    SAMPLE = 64,  /* states that are translated before it is known whether that pays */
    FAR_PART = 4, /* the sealed sets may take this part of the memory */
};

/* ---- states that go back ---- */

void move_give_back(struct worker *w, const struct queue_record *record)
{
    struct given_back back = {.record = *record, .fresh = w->pend_here == 0 ? w->new_here : 0};
    size_t cap = 0;
    uint8_t *bytes = vec_grow(NULL, &cap, record->len + 1, 1);
    memcpy(bytes, record->bytes, record->len);
    back.record.bytes = bytes;
    VEC_PUSH(&w->given_back, back);
    if (w->pend_here > 0) {
        pend_end_state(w);
    }
}

static void forget_given_back(struct worker *w)
{
    for (size_t i = 0; i < w->given_back.n; i++) {
        vec_release((void *)w->given_back.v[i].record.bytes);
    }
    VEC_DONE(&w->given_back);
}

uint32_t move_fresh_before(struct search *s, uint64_t link)
{
    for (size_t i = 0; i < s->resumed.n; i++) {
        if (s->resumed.v[i].link == link) {
            return s->resumed.v[i].fresh;
        }
    }
    return 0;
}

/* ---- translating what waits ---- */

struct translation {
    struct search *search;
    struct model *model;
    struct mworker *worker;
    struct queue *queue;
    struct queue_out out;
    struct fpset *fps;
    struct fpset_local local;
    double again; /* struct check_move */
    bool always;
    uint64_t done, begin_ns;
    struct strbuf bytes;
};

/* Is a state found again sooner than it is asked for? `again`: what of the time used so far it
 * would take to come here again. Whoever goes on is taken to find as many states as there are. */
static bool pays(const struct translation *t)
{
    const struct search *s = t->search;
    uint64_t spent = clock_thread_ns() - t->begin_ns;
    uint64_t distinct = s->base_distinct;
    for (unsigned i = 0; i < s->nworker; i++) {
        distinct += atomic_load_explicit(&s->workers[i].distinct, memory_order_relaxed);
    }
    /* packing all variables and back; a successor has some of its own only */
    double question = (double)spent / (double)t->done / 3;
    double used = (double)(clock_process_ns() - s->start_cpu_ns);
    return t->always || used * t->again > question * (double)distinct;
}

static int judge(const struct translation *t, struct err *err)
{
    return pays(t) ? 0 : err_set(err, ERR_UNSUPPORTED, 0, "it is found again sooner");
}

/* The bytes that the state has in the new model, and its fingerprint. */
static int translate(struct translation *t, const struct queue_record *record, uint64_t *ret_fp,
                     struct err *err)
{
    const struct model_ops *ops = t->model->ops;
    strbuf_reset(&t->bytes);
    if (trace_ordinal(record->link) == TRACE_FAR ||
        ops->adopt(t->worker, record->bytes, record->len, &t->bytes) != MODEL_OK ||
        ops->load(t->worker, t->bytes.p, t->bytes.n, 1) != MODEL_OK ||
        ops->fingerprint(t->worker, ret_fp) != MODEL_OK) {
        return err_set(err, ERR_UNSUPPORTED, 0, "a state could not be translated");
    }
    t->done++;
    return t->done == SAMPLE ? judge(t, err) : 0;
}

static int translate_record(void *arg, const struct queue_record *record, struct err *err)
{
    struct translation *t = arg;
    uint64_t fp = 0;
    int status = translate(t, record, &fp, err);
    if (status < 0) {
        return status;
    }
    (void)fpset_insert(t->fps, &t->local, fp);
    struct strbuf *to = queue_begin(t->queue, &t->out, fp, record->link);
    strbuf_add(to, t->bytes.p, t->bytes.n);
    status = queue_commit(t->queue, &t->out, err);
    return status == 0 && fpset_full(t->fps) ? fpset_make_room(t->fps, NULL, err) : status;
}

/* What a worker holds of the level: the state that it could not expand, and those after it. */
static int translate_claim(struct translation *t, struct worker *w, struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < w->given_back.n && status == 0; i++) {
        status = translate_record(t, &w->given_back.v[i].record, err);
    }
    struct queue_claim rest = w->claim;
    struct queue_record record;
    while (status == 0 && queue_next(&rest, &record)) {
        status = translate_record(t, &record, err);
    }
    return status;
}

static int translate_all(struct translation *t, struct err *err)
{
    struct search *s = t->search;
    int status = 0;
    for (unsigned i = 0; i < s->nworker && status == 0; i++) {
        status = queue_seal(s->queue, &s->workers[i].out, err);
    }
    for (unsigned i = 0; i < s->nworker && status == 0; i++) {
        status = translate_claim(t, &s->workers[i], err);
    }
    status = status < 0 ? status : queue_each(s->queue, false, translate_record, t, err);
    status = status < 0 ? status : queue_seal(t->queue, &t->out, err);
    if (status == 0) {
        queue_advance(t->queue);
        status = queue_each(s->queue, true, translate_record, t, err);
    }
    if (status == 0 && t->done > 0 && t->done < SAMPLE) {
        status = judge(t, err);
    }
    return status < 0 ? status : queue_seal(t->queue, &t->out, err);
}

/* ---- moving ---- */

/* Who writes down fingerprints, or must not meet a state twice, starts again. */
static bool movable(const struct search *s)
{
    const struct check_options *opt = s->opt;
    return opt->move && s->begun && !atomic_load(&s->abort) && !s->live && !s->stack && !opt->dir &&
           opt->checkpoint_s <= 0 && !opt->resume && !opt->reduce_order && !opt->keep_going &&
           !opt->sink && !s->exact_answers && s->sealed.n < SEALED_MAX;
}

static uint64_t sealed_bytes(const struct search *s)
{
    uint64_t bytes = fpset_memory(s->fps);
    for (size_t i = 0; i < s->sealed.n; i++) {
        bytes += fpset_memory(s->sealed.v[i].fps);
    }
    return bytes;
}

static int open_translation(struct translation *t, struct worker *w, struct err *err)
{
    struct search *s = t->search;
    uint64_t held = sealed_bytes(s);
    if (held > s->fps_share / FAR_PART * 3) {
        return err_set(err, ERR_UNSUPPORTED, 0, "there is no memory for another set");
    }
    int status = t->model->ops->worker_new(t->model, w->index, s->opt->seed, &t->worker, err);
    status = status < 0 ? status : fpset_new(&s->store, s->fps_share - held, &t->fps, err);
    if (status == 0) {
        queue_new(&s->store, s->queue_share, t->model->state_size, &t->queue);
        t->begin_ns = clock_thread_ns();
    }
    return status;
}

static void close_translation(struct translation *t)
{
    if (t->worker) {
        t->model->ops->worker_free(t->worker);
    }
    queue_discard(&t->out);
    queue_free(t->queue);
    fpset_free(t->fps);
    strbuf_done(&t->bytes);
}

/* Of a worker: what belongs to the model before. */
static void settle_worker(struct search *s, struct worker *w)
{
    for (size_t i = 0; i < w->given_back.n; i++) {
        const struct given_back *back = &w->given_back.v[i];
        if (back->fresh > 0) {
            VEC_PUSH(&s->resumed, (struct resumed){back->record.link, back->fresh});
        }
    }
    forget_given_back(w);
    queue_release(s->queue, &w->claim);
    queue_discard(&w->out);
    w->local = (struct fpset_local){0};
}

static void commit(struct translation *t, struct worker *w)
{
    struct search *s = t->search;
    VEC_RESET(&s->resumed);
    for (unsigned i = 0; i < s->nworker; i++) {
        settle_worker(s, &s->workers[i]);
    }
    struct sealed sealed = {.model = s->model, .fps = s->fps};
    tracelog_mark_now(s->log, &sealed.mark);
    VEC_PUSH(&s->sealed, sealed);
    queue_free(s->queue);
    pthread_mutex_lock(&s->lock);
    s->queue = t->queue;
    s->fps = t->fps;
    s->model = t->model;
    s->ops = t->model->ops;
    pthread_mutex_unlock(&s->lock);
    w->local = t->local;
    s->exact_stats = search_exact_stats(s);
    s->box->result.moves++;
    s->box->result.moved_states += t->done;
    move_worker(w);
    t->queue = NULL;
    t->fps = NULL;
}

/* No longer asked to stop, unless by somebody else; false: it was too late. */
static bool enter(struct search *s)
{
    pthread_mutex_lock(&s->lock);
    bool can = movable(s);
    atomic_store(&s->moving, can);
    pthread_mutex_unlock(&s->lock);
    return can;
}

bool search_move(struct search *s, struct worker *w)
{
    struct check_move move = {0};
    struct err err = {0};
    if (!enter(s)) {
        s->box->result.unmoved = !s->opt->move              ? NULL
                                 : s->sealed.n < SEALED_MAX ? "this kind of search begins anew"
                                                            : "it has moved often";
        return false;
    }
    bool moved = false;
    if (s->opt->move(s->opt->move_arg, &move)) {
        struct translation t = {
            .search = s, .model = move.model, .again = move.again, .always = move.always};
        moved = open_translation(&t, w, &err) == 0 && translate_all(&t, &err) == 0;
        if (moved) {
            commit(&t, w);
        }
        close_translation(&t);
        s->box->result.unmoved =
            moved ? NULL : arena_strndup(&s->box->arena, err.text, strlen(err.text));
    }
    pthread_mutex_lock(&s->lock);
    s->stop_sent_ns = moved ? 0 : s->stop_sent_ns;
    atomic_store(&s->moving, false);
    pthread_mutex_unlock(&s->lock);
    return moved;
}

void move_worker(struct worker *w)
{
    struct search *s = w->search;
    if (!w->model || w->model->model == s->model) {
        return;
    }
    struct mworker *old = w->model;
    pthread_mutex_lock(&s->lock);
    w->model = NULL;
    pthread_mutex_unlock(&s->lock);
    if (w->helper) {
        w->helper->model->ops->worker_free(w->helper);
        w->helper = NULL;
    }
    old->model->ops->worker_free(old);
    gather_done(w);
    if (search_worker_begin(w) < 0) {
        return; /* noted: the search ends */
    }
}

void move_done(struct search *s)
{
    for (unsigned i = 0; i < s->nworker; i++) {
        forget_given_back(&s->workers[i]);
    }
    for (size_t i = 0; i < s->sealed.n; i++) {
        fpset_free(s->sealed.v[i].fps);
        vec_release(s->sealed.v[i].mark.partial);
    }
    VEC_DONE(&s->sealed);
    VEC_DONE(&s->resumed);
}

/* ---- asking ---- */

enum fpset_answer move_ask(struct worker *w, enum fpset_answer answer)
{
    struct search *s = w->search;
    for (size_t i = s->sealed.n; i-- > 0;) {
        uint64_t fp = 0;
        struct err err = {0};
        if (!s->ops->fp_before(w->model, (unsigned)(s->sealed.n - i), &fp)) {
            continue;
        }
        int found = fpset_contains(s->sealed.v[i].fps, fp, &err);
        if (found < 0) {
            search_fail(s, &err);
        }
        if (found != 0) {
            return FPSET_SEEN;
        }
    }
    return answer;
}

/* ---- paths ---- */

/* Which of the models expanded the state with this record: sealed.n is the one at hand. */
static size_t model_of(const struct search *s, uint64_t index)
{
    size_t at = 0;
    while (at < s->sealed.n && !tracelog_before(&s->sealed.v[at].mark, index)) {
        at++;
    }
    return at;
}

static struct model *model_at(const struct search *s, size_t at)
{
    return at < s->sealed.n ? s->sealed.v[at].model : s->model;
}

/* Workers of the models, made when first needed. */
struct cast {
    struct search *search;
    struct mworker *last; /* the caller's, of the model at hand */
    struct mworker *of[SEALED_MAX];
    struct arena *arena;
};

static struct mworker *worker_at(struct cast *cast, size_t at)
{
    const struct search *s = cast->search;
    struct err err = {0};
    if (at == s->sealed.n) {
        return cast->last;
    }
    struct model *model = s->sealed.v[at].model;
    if (!cast->of[at] &&
        model->ops->worker_new(model, UINT32_MAX, s->opt->seed, &cast->of[at], &err) < 0) {
        cast->of[at] = NULL;
    }
    return cast->of[at];
}

/* The step's state from the layout of one model to that of a later one. */
static bool lift(struct cast *cast, struct check_step *step, size_t from, size_t to)
{
    for (; from < to; from++) {
        struct mworker *worker = worker_at(cast, from + 1);
        SCOPED_STRBUF out = {0};
        if (!worker ||
            worker->model->ops->adopt(worker, step->bytes, step->len, &out) != MODEL_OK) {
            return false;
        }
        step->bytes = (const uint8_t *)out.p;
        step->len = out.n;
        check_step_copy(cast->arena, step);
    }
    return true;
}

/* All steps as the model at hand has them. at[i]: the model whose layout step i is in. */
static bool lift_all(struct cast *cast, struct check_step *steps, const size_t *at, size_t n)
{
    const struct search *s = cast->search;
    for (size_t i = 0; i < n; i++) {
        if (at[i] == s->sealed.n) {
            continue;
        }
        if (!lift(cast, &steps[i], at[i], s->sealed.n) ||
            s->ops->load(cast->last, steps[i].bytes, steps[i].len, i + 1) != MODEL_OK ||
            s->ops->fingerprint(cast->last, &steps[i].fp) != MODEL_OK) {
            return false;
        }
    }
    return true;
}

size_t move_path(struct search *s, struct mworker *worker, struct arena *arena,
                 const struct path_node *nodes, size_t n, struct check_step *steps)
{
    if (s->sealed.n == 0) {
        return path_states(s->model, worker, arena, nodes, n, steps);
    }
    struct cast cast = {.search = s, .last = worker, .arena = arena};
    size_t *at = ARENA_ARRAY(arena, size_t, n + 1);
    size_t done = 0;
    for (; done < n; done++) {
        size_t by = done > 0 ? model_of(s, nodes[done - 1].index) : 0;
        struct mworker *other = worker_at(&cast, by);
        struct check_step from = done > 0 ? steps[done - 1] : (struct check_step){0};
        at[done] = by;
        if (!other || (done > 0 && !lift(&cast, &from, at[done - 1], by)) ||
            !path_step(model_at(s, by), other, arena, done > 0 ? &from : NULL, done, &nodes[done],
                       &steps[done])) {
            break;
        }
    }
    done = done == n && !lift_all(&cast, steps, at, n) ? 0 : done;
    for (size_t i = 0; i < s->sealed.n; i++) {
        if (cast.of[i]) {
            s->sealed.v[i].model->ops->worker_free(cast.of[i]);
        }
    }
    return done;
}

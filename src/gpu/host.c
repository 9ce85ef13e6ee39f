/* What the host does for a search: initial states, states that the device could not expand, and
 * candidates of which it was not sure. The compiled model does it (which asks the interpreter), one
 * worker for each thread; results are put together in the order of the tasks. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/store.h"
#include "gpu/device.h"
#include "gpu/gpu_int.h"
#include "gpu/launch.h"
#include "model/model.h"

enum { HANDS_MAX = 256, TASKS_A_HAND = 16, GRAIN = 64 };

/* A thread's view of the model, and what it found. */
struct hand {
    struct crew *crew;
    struct mworker *worker;
    struct found found;
    /* the task at hand */
    const struct task *task;
    uint64_t ordinal;
    bool stop; /* of its own accord */
    pthread_t thread;
};

struct crew {
    struct gsearch *s;
    unsigned n;
    struct hand *hands;
    /* the job at hand */
    const struct task *tasks;
    size_t ntask;
    uint64_t first;        /* number of the first state in `states` */
    uint8_t *states;       /* of the tasks, in their order */
    uint64_t states_bytes; /* there is room for */
    _Atomic size_t next;
    atomic_bool over; /* something is wrong, or a state does not fit */
};

static bool earlier(const struct culprit *a, const struct culprit *b)
{
    return a->number != b->number ? a->number < b->number : a->ordinal < b->ordinal;
}

static void note_culprit(struct culprit *at, const struct culprit *new)
{
    if (new->found && (!at->found || earlier(new, at))) {
        *at = *new;
    }
}

static void blame(struct hand *h, uint64_t ordinal)
{
    struct culprit culprit = {true, h->crew->s->level, h->task->number, ordinal};
    note_culprit(&h->found.culprit, &culprit);
    h->stop = true;
}

/* All is well with the candidate as far as these properties go. */
static bool holds(struct hand *h, unsigned kinds)
{
    int prop = -1;
    const struct model_ops *ops = h->worker->model->ops;
    return ops->check(h->worker, kinds, 0, &prop) == MODEL_OK && prop < 0;
}

/* 1, 0 or below, as model_ops.in_model. */
static int inside(struct hand *h)
{
    const struct model *m = h->worker->model;
    return m->has_constraint ? m->ops->in_model(h->worker) : 1;
}

/* ---- expanding ---- */

static void add_item(struct hand *h, const struct candidate *cand, uint64_t number)
{
    struct found *f = &h->found;
    h->worker->model->ops->save(h->worker, &f->states);
    VEC_PUSH(&f->heads, (struct gpu_head){.fp = cand->fp,
                                          .candidate = number << GPU_ORDINAL_BITS | h->ordinal,
                                          .changed = ~UINT64_C(0),
                                          .action = (uint16_t)cand->action,
                                          .what = GPU_INSIDE});
}

static int expand_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct hand *h = arg;
    (void)worker;
    h->ordinal++;
    h->found.generated[cand->action]++;
    int in = inside(h);
    bool good = in >= 0 && h->ordinal <= GPU_ORDINAL_MAX;
    good = good && (in > 0 || holds(h, 1U << MPROP_INVARIANT)); /* the device looks at new ones */
    good = good && holds(h, 1U << MPROP_ACTION);
    if (!good) {
        blame(h, h->ordinal);
    } else if (in > 0) {
        add_item(h, cand, h->task->number);
    }
    return h->stop;
}

static int judge_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct hand *h = arg;
    (void)worker;
    (void)cand;
    if (++h->ordinal != h->task->ordinal) {
        return 0;
    }
    if (inside(h) < 0 || !holds(h, 1U << MPROP_INVARIANT) || !holds(h, 1U << MPROP_ACTION)) {
        blame(h, h->ordinal);
    }
    h->stop = true;
    return 1;
}

static void leave(struct hand *h)
{
    atomic_store(&h->crew->over, true);
    h->stop = true;
}

static void do_task(struct hand *h, const struct task *task, const uint8_t *state)
{
    struct gsearch *s = h->crew->s;
    const struct model_ops *ops = s->model->ops;
    h->task = task;
    h->ordinal = 0;
    h->stop = false;
    int status = ops->load(h->worker, state, s->state, s->level);
    h->worker->judged = true;
    if (status == MODEL_OK) {
        status = ops->next(h->worker, task->judge ? judge_sink : expand_sink, h);
    }
    h->found.extra += task->judge ? 0 : h->worker->extra_generated;
    h->worker->extra_generated = 0;
    bool stopped = status == MODEL_STOPPED && !h->stop; /* interrupted */
    if (h->worker->unfit || stopped) {                  /* unfit: it comes again with wider types */
        leave(h);
    } else if (status == MODEL_ERROR) {
        blame(h, h->ordinal + 1);
    } else if (status == MODEL_OK && h->ordinal == 0 && s->model->check_deadlock) {
        blame(h, 0);
    }
}

static void do_tasks(void *arg)
{
    struct hand *h = arg;
    struct crew *crew = h->crew;
    size_t size = crew->s->state;
    while (!atomic_load(&crew->over)) {
        size_t from = atomic_fetch_add(&crew->next, GRAIN);
        size_t to = from + GRAIN < crew->ntask ? from + GRAIN : crew->ntask;
        if (from >= crew->ntask) {
            return;
        }
        for (size_t i = from; i < to && !atomic_load(&crew->over); i++) {
            do_task(h, &crew->tasks[i], crew->states + i * size);
        }
    }
}

static void *hand_main(void *arg)
{
    struct hand *h = arg;
    struct err err = {0};
    if (check_on_big_stack(do_tasks, h, &err) != 0) {
        h->found.failed = true; /* the others do its part */
    }
    return NULL;
}

/* ---- the crew ---- */

int gpu_crew_new(struct gsearch *s, struct err *err)
{
    struct crew *crew = vec_grow(NULL, &(size_t){0}, 1, sizeof *crew);
    memset(crew, 0, sizeof *crew);
    s->crew = crew;
    crew->s = s;
    crew->n = s->check->workers < 1           ? 1
              : s->check->workers > HANDS_MAX ? HANDS_MAX
                                              : s->check->workers;
    crew->hands = vec_grow(NULL, &(size_t){0}, crew->n, sizeof *crew->hands);
    memset(crew->hands, 0, crew->n * sizeof *crew->hands);
    for (unsigned i = 0; i < crew->n; i++) {
        struct hand *h = &crew->hands[i];
        h->crew = crew;
        h->found.generated = vec_grow(NULL, &(size_t){0}, s->naction + 1, sizeof(uint64_t));
        if (s->model->ops->worker_new(s->model, i, s->check->seed, &h->worker, err) != 0) {
            return -1;
        }
    }
    return 0;
}

const struct found *gpu_found(const struct gsearch *s, unsigned i)
{
    return i < s->crew->n ? &s->crew->hands[i].found : NULL;
}

void gpu_crew_free(struct gsearch *s)
{
    struct crew *crew = s->crew;
    if (!crew) {
        return;
    }
    for (unsigned i = 0; crew->hands && i < crew->n; i++) {
        if (crew->hands[i].worker) {
            s->model->ops->worker_free(crew->hands[i].worker);
        }
        strbuf_done(&crew->hands[i].found.states);
        VEC_DONE(&crew->hands[i].found.heads);
        vec_release(crew->hands[i].found.generated);
    }
    memory_unmap(crew->states, crew->states_bytes);
    vec_release(crew->hands);
    vec_release(crew);
    s->crew = NULL;
}

/* ---- initial states ---- */

static int initial_sink(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct hand *h = arg;
    (void)worker;
    h->ordinal++;
    h->found.extra++;
    int in = inside(h);
    if (in < 0 || h->ordinal > GPU_ORDINAL_MAX || !holds(h, 1U << MPROP_INVARIANT) ||
        !holds(h, 1U << MPROP_INIT)) {
        blame(h, h->ordinal);
    } else if (in > 0) {
        add_item(h, cand, 0);
    }
    return h->stop;
}

int gpu_initial(struct gsearch *s)
{
    static const struct task nothing = {0};
    struct hand *h = &s->crew->hands[0];
    h->task = &nothing;
    h->ordinal = 0;
    h->stop = false;
    int status = s->model->ops->init(h->worker, initial_sink, h);
    s->init_generated = h->found.extra + h->worker->extra_generated;
    s->generated += s->init_generated;
    h->worker->extra_generated = 0;
    if (status == MODEL_ERROR) {
        blame(h, h->ordinal + 1);
    }
    if (h->worker->unfit) {
        return gpu_give_up(s, "a value of an initial state did not fit");
    }
    note_culprit(&s->culprit, &h->found.culprit);
    return 0;
}

/* ---- tasks ---- */

static void gather(struct gsearch *s, const struct hand *h)
{
    for (uint32_t a = 0; a < s->naction; a++) {
        s->action_generated[a] += h->found.generated[a];
        s->generated += h->found.generated[a];
    }
    s->generated += h->found.extra;
    note_culprit(&s->culprit, &h->found.culprit);
}

static void run_crew(struct gsearch *s, struct crew *crew)
{
    size_t wanted = (crew->ntask + TASKS_A_HAND - 1) / TASKS_A_HAND;
    unsigned n = wanted < crew->n ? (unsigned)wanted : crew->n;
    unsigned started = 1;
    for (unsigned i = 0; i < crew->n; i++) {
        struct found *f = &crew->hands[i].found;
        if (!crew->tasks->judge) { /* who judges finds none, and others are still to be inserted */
            strbuf_reset(&f->states);
            VEC_RESET(&f->heads);
        }
        f->extra = 0;
        f->culprit.found = false;
        memset(f->generated, 0, s->naction * sizeof *f->generated);
    }
    while (started < n && pthread_create(&crew->hands[started].thread, NULL, hand_main,
                                         &crew->hands[started]) == 0) {
        started++;
    }
    do_tasks(&crew->hands[0]); /* on the stack of whoever called */
    for (unsigned i = 1; i < started; i++) {
        (void)pthread_join(crew->hands[i].thread, NULL);
    }
}

/* The states of the tasks, one after the other. */
static int fetch_states(struct gsearch *s, const struct segment *segment, const struct task *tasks,
                        size_t n, uint8_t *to, struct err *err)
{
    uint64_t cap = s->segment_cap;
    uint32_t *picks = vec_grow(NULL, &(size_t){0}, cap, sizeof *picks);
    int rc = 0;
    for (size_t at = 0; at < n && rc == 0;) {
        size_t part = n - at < cap ? n - at : (size_t)cap;
        uint64_t block = s->ops->alloc(s->d, part * s->state);
        while (!block && part > 1) {
            part /= 2;
            block = s->ops->alloc(s->d, part * s->state);
        }
        if (!block) {
            rc = gpu_give_up(s, "%s has no memory for a state", s->d->name);
            break;
        }
        for (size_t i = 0; i < part; i++) {
            picks[i] = (uint32_t)(tasks[at + i].number - segment->first);
        }
        struct gpu_go go = {.in = segment->at, .n = part, .pick = s->pick, .out = block};
        rc = s->ops->upload(s->d, s->pick, picks, part * sizeof *picks, err);
        rc = rc == 0 ? s->ops->tell(s->d, &go, err) : rc;
        rc = rc == 0 ? s->ops->launch(s->d, KERNEL_COLLECT, part * s->state / sizeof(uint64_t), err)
                     : rc;
        rc = rc == 0 ? s->ops->download(s->d, to + at * s->state, block, part * s->state, err) : rc;
        s->ops->free(s->d, block);
        at += part;
    }
    vec_release(picks);
    return rc;
}

/* Room for n states, of which whole words are read. */
static int states_room(struct gsearch *s, size_t n)
{
    struct crew *crew = s->crew;
    uint64_t bytes = n * s->state + 64;
    if (bytes > crew->states_bytes) {
        memory_unmap(crew->states, crew->states_bytes);
        crew->states_bytes = 0;
        crew->states = memory_map(bytes);
        if (!crew->states) {
            return gpu_give_up(s, "there is no memory for %zu states", n);
        }
        crew->states_bytes = bytes;
    }
    return 0;
}

int gpu_do_tasks(struct gsearch *s, const struct segment *segment, const struct task *tasks,
                 size_t n, struct err *err)
{
    struct crew *crew = s->crew;
    uint64_t begin = clock_mono_ns();
    int rc = states_room(s, n);
    rc = rc == 0 ? fetch_states(s, segment, tasks, n, crew->states, err) : rc;
    if (rc == 0) {
        crew->tasks = tasks;
        crew->ntask = n;
        atomic_store(&crew->next, 0);
        atomic_store(&crew->over, false);
        run_crew(s, crew);
        for (unsigned i = 0; i < crew->n; i++) {
            gather(s, &crew->hands[i]);
        }
        if (atomic_load(&crew->over) && !s->culprit.found) {
            rc = gpu_interrupted(s) ? 0 : gpu_give_up(s, "a value did not fit");
        }
    }
    s->seconds_host += (double)(clock_mono_ns() - begin) / 1e9;
    return rc;
}

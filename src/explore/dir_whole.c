/* Local traces that fit together, done by the real programs: in an order that is found from what
 * happened before what. Several are done at a time where there are several jobs. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/dir_int.h"
#include "explore/policy.h"
#include "explore/space.h"
#include "explore/walk.h"

struct doing { /* a local trace, event by event */
    VEC(const struct local *) path;
    VEC(bool) done;
};

static void begin(struct doing *doing, const struct local *end)
{
    for (const struct local *l = end; l->parent != NULL; l = l->parent) {
        VEC_PUSH(&doing->path, l);
        VEC_PUSH(&doing->done, false);
    }
    for (size_t i = 0; i < doing->path.n / 2; i++) {
        const struct local *l = doing->path.v[i];
        doing->path.v[i] = doing->path.v[doing->path.n - 1 - i];
        doing->path.v[doing->path.n - 1 - i] = l;
    }
}

/* Whether everything that happens before event i of the trace is done, but not itself. sent: names
 * of packets that are on their way or have been. */
static bool is_next(const struct doing *doing, const struct u64map *sent, size_t i)
{
    const struct local *l = doing->path.v[i];
    uint64_t known = 0;
    bool next = !doing->done.v[i] && (l->came == 0 || u64map_get(sent, l->came, &known));
    for (size_t k = 0; next && k < i; k++) {
        next = doing->done.v[k] || !dir_before(l, k);
    }
    return next;
}

/* Puts one event of the trace into the order, if one can come next. */
static bool one_event(const struct dir *d, struct doing *doing, struct u64map *sent,
                      struct dir_order *ret)
{
    for (size_t i = 0; i < doing->path.n; i++) {
        if (is_next(doing, sent, i)) {
            const struct local *l = doing->path.v[i];
            for (size_t k = 0; k < l->posted.n; k++) {
                u64map_put(sent, d->mail.v.v[l->posted.v[k]].name, 1);
            }
            doing->done.v[i] = true;
            VEC_PUSH(&ret->v, l);
            return true;
        }
    }
    return false;
}

void dir_order(const struct dir *d, struct local *const *ends, struct dir_order *ret)
{
    size_t n = d->components.n, cap = 0;
    struct doing *doing = vec_grow(NULL, &cap, n + 1, sizeof *doing);
    struct u64map sent = {0};
    memset(doing, 0, (n + 1) * sizeof *doing);
    for (size_t i = 0; i < d->n_inbound; i++) {
        u64map_put(&sent, d->mail.v.v[i].name, 1);
    }
    ret->v.n = ret->n_all = 0;
    for (size_t i = 0; i < n; i++) {
        begin(&doing[i], ends[i]);
        ret->n_all += doing[i].path.n;
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < n; i++) {
            moved = one_event(d, &doing[i], &sent, ret) || moved;
        }
    }
    for (size_t i = 0; i < n; i++) {
        VEC_DONE(&doing[i].path);
        VEC_DONE(&doing[i].done);
    }
    vec_release(doing);
    u64map_done(&sent);
}

static int ask(struct dir *d, size_t job, const struct dir_order *order, uint64_t tag,
               struct err *err)
{
    struct walk_task task = {.policy = WALK_LIST, .length = order->v.n, .seen = true};
    for (size_t i = 0; i < order->v.n; i++) {
        VEC_PUSH(&task.sleep, order->v.v[i]->event);
    }
    int status = crew_ask_job(d->s->crew, job, &task, tag, err);
    xwalk_task_done(&task);
    return status;
}

static bool is_good(const struct walk *walk, size_t n)
{
    return walk->end != WALK_BROKEN && walk->steps.n == n;
}

int dir_together(struct dir *d, const struct dir_order *order, struct walk *ret, bool *ret_good,
                 struct err *err)
{
    uint64_t tag = 0;
    int status = ask(d, 0, order, 0, err);
    status = status != 0 ? status : crew_take(d->s->crew, &tag, ret, err);
    *ret_good = status == 0 && is_good(ret, order->n_all);
    return status;
}

/* ---- many ---- */

static int take_one(struct dir_wholes *w, struct err *err)
{
    struct walk walk = {0};
    uint64_t nth = 0;
    int status = crew_take(w->d->s->crew, &nth, &walk, err);
    status = status != 0 ? status : xwalk_know(&walk, w->d->cluster, err);
    if (status == 0) {
        w->on(w->arg, nth, is_good(&walk, w->lengths.v[nth]), &walk);
    }
    xwalk_done(&walk);
    return status;
}

int dir_wholes_ask(struct dir_wholes *w, const struct dir_order *order, struct err *err)
{
    struct crew *crew = w->d->s->crew;
    int status = 0;
    size_t job = 0;
    while (status == 0 && !crew_idle(crew)) {
        status = take_one(w, err);
    }
    while (status == 0 && !crew_job_idle(crew, job)) {
        job++; /* one of them is */
    }
    uint64_t nth = w->lengths.n;
    VEC_PUSH(&w->lengths, order->n_all);
    return status != 0 ? status : ask(w->d, job, order, nth, err);
}

int dir_wholes_end(struct dir_wholes *w, struct err *err)
{
    int status = 0;
    while (status == 0 && crew_busy(w->d->s->crew) != 0) {
        status = take_one(w, err);
    }
    VEC_DONE(&w->lengths);
    return status;
}

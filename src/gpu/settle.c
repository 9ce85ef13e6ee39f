/* The end of a search: what was counted and found as a result of check_run. A small search by that,
 * along the path to what is wrong, finds it again: so behaviours, texts and exit statuses are made
 * in one place. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/check.h"
#include "gpu/gpu_int.h"
#include "gpu/launch.h"

bool gpu_interrupted(struct gsearch *s)
{
    const struct check_options *check = s->check;
    bool asked = check->interrupt && __atomic_load_n(check->interrupt, __ATOMIC_RELAXED);
    bool late = check->stop_after_ns && clock_mono_ns() - s->begin_ns > check->stop_after_ns;
    s->stopped = s->stopped || asked || late;
    return s->stopped;
}

static void progress_of(const struct gsearch *s, struct check_progress *ret)
{
    *ret = (struct check_progress){
        .generated = s->generated,
        .distinct = s->distinct,
        .queued = s->distinct > s->settled ? s->distinct - s->settled : 0,
        .depth = s->depth,
        .elapsed_ns = clock_mono_ns() - s->begin_ns,
        .memory_bytes = s->used,
    };
}

void gpu_tell(struct gsearch *s, enum check_event event)
{
    const struct check_options *check = s->check;
    uint64_t now = clock_mono_ns();
    bool due = check->progress_s > 0 && (double)(now - s->told_ns) >= check->progress_s * 1e9;
    struct check_progress progress;
    if (!check->event || (event == CHECK_EV_PROGRESS && !due)) {
        return;
    }
    s->told_ns = now;
    progress_of(s, &progress);
    check->event(check->event_arg, event, &progress, NULL);
}

/* The ordinals of the candidates that lead to what is wrong, from the initial state on. */
struct path {
    VEC(uint64_t) ordinal;
    uint64_t level, count; /* of the candidate at hand */
};

static bool path_make(struct gsearch *s, struct path *ret)
{
    const struct culprit *c = &s->culprit;
    uint64_t number = c->number;
    VEC_PUSH(&ret->ordinal, c->ordinal);
    for (uint64_t level = c->level; level > 0; level--) {
        uint64_t candidate;
        if (!gpu_candidate_of(s, level, number, &candidate)) {
            return false;
        }
        VEC_PUSH(&ret->ordinal, candidate & GPU_ORDINAL_MAX);
        number = candidate >> GPU_ORDINAL_BITS;
    }
    for (size_t i = 0, k = ret->ordinal.n - 1; i < k; i++, k--) {
        uint64_t o = ret->ordinal.v[i];
        ret->ordinal.v[i] = ret->ordinal.v[k];
        ret->ordinal.v[k] = o;
    }
    return true;
}

static void path_begin(void *arg, unsigned workers)
{
    struct path *p = arg;
    (void)workers;
    p->level = UINT64_MAX;
    p->count = 0;
}

/* Only the path's own steps, and all of its last state. */
static bool path_found(void *arg, const struct check_found *found)
{
    struct path *p = arg;
    if (found->level != p->level) {
        p->level = found->level;
        p->count = 0;
    }
    p->count++;
    bool last = found->level + 1 == p->ordinal.n;
    return found->level < p->ordinal.n && (last || p->count == p->ordinal.v[found->level]);
}

int gpu_settle(struct gsearch *s, struct check_result **ret_result, struct err *err)
{
    struct check_options options = *s->check;
    struct path path = {0};
    struct check_counted counted = {
        .generated = s->generated,
        .distinct = s->distinct,
        .queued = s->distinct > s->settled ? s->distinct - s->settled : 0,
        .depth = s->depth,
        .settled = s->settled,
        .init_generated = s->init_generated,
        .init_distinct = s->init_distinct,
        .action_generated = s->action_generated,
        .action_distinct = s->action_distinct,
        .begin_ns = s->begin_ns,
        .memory_bytes = s->used,
    };
    struct check_sink sink = {&path, path_begin, path_found};
    options.workers = 1;
    options.sink = &sink;
    options.event = NULL;
    options.yield = NULL;
    options.move = NULL;
    options.ease = NULL;
    options.dir = NULL;
    options.ranks = NULL;
    options.checkpoint_s = 0;
    options.resume = false;
    options.stop_after_ns = 0;
    options.counted = &counted;
    if (s->stopped && !s->culprit.found) {
        s->stop_at_once = 1;
        options.interrupt = &s->stop_at_once;
    }
    int rc = 0;
    if (s->culprit.found && !path_make(s, &path)) {
        rc = gpu_give_up(s, "the way to a violation was not kept");
    }
    rc = rc == 0 ? check_run(s->model, &options, ret_result, err) : rc;
    if (rc == 0 && s->culprit.found && (*ret_result)->nviolation == 0 &&
        !(s->check->interrupt && *s->check->interrupt)) {
        check_result_free(*ret_result);
        *ret_result = NULL;
        rc = gpu_give_up(s, "the CPU sees no violation where %s found one", s->d->name);
    }
    VEC_DONE(&path.ordinal);
    return rc;
}

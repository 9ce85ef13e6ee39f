/* Expanding a level: launches, what they could not do, and what the host must judge. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/check.h"
#include "gpu/device.h"
#include "gpu/gpu_int.h"
#include "gpu/launch.h"

enum { LAUNCH_LEAST = 256, ROUNDS_MAX = 1000, OVERFLOW_PART = 4, PLACES_MOST = 8 };
enum { LEFT_LEAST = 20000 };    /* so many states come back before that is too many */
enum { PLACES_AT_ONCE = 4096 }; /* so many states, and few places are left over */
#define ALL (~UINT64_C(0))

static uint64_t words_of(const struct gsearch *s)
{
    return s->state / sizeof(uint64_t);
}

/* ---- launches ---- */

static int tell_and(struct gsearch *s, const struct gpu_go *go, enum kernel kernel, uint64_t width,
                    struct err *err)
{
    int rc = s->ops->tell(s->d, go, err);
    return rc == 0 ? s->ops->launch(s->d, kernel, width, err) : rc;
}

/* Where new states go. */
static void aim(struct gsearch *s, struct gpu_go *go)
{
    const struct segment *out = &VEC_LAST(&s->out);
    go->out = out->at;
    go->parents = out->parents;
    go->out_n = out->n;
    go->out_cap = s->segment_cap;
}

static void fill_in(struct gsearch *s, struct gpu_go *go)
{
    go->level = s->level;
    go->made = s->made;
    go->heads = s->heads;
    go->made_cap = s->made_cap;
    go->list = s->list;
    go->bad = s->bad;
    go->todo = s->todo;
    go->doubts = s->doubts;
    go->doubt_cap = s->doubt_cap;
    go->table = s->table;
    go->slots = s->slots;
    go->counts = s->counts;
    go->list_to = ALL;
    go->outside_to = ALL;
    aim(s, go);
}

/* The new states of the list from go->list_from on are kept; the first of them have been, if there
 * was room. */
static int keep_all(struct gsearch *s, struct gpu_go *go, uint64_t fresh, struct err *err)
{
    int rc = 0;
    for (bool first = true;; first = false) {
        uint64_t room = go->out_cap - go->out_n;
        uint64_t left = fresh - go->list_from;
        uint64_t n = left < room ? left : room;
        if (!first && n > 0) {
            rc = tell_and(s, go, KERNEL_KEEP, n * words_of(s), err);
        }
        VEC_LAST(&s->out).n += n;
        s->out_n += n;
        s->distinct += n;
        go->list_from += n;
        if (rc != 0 || go->list_from == fresh) {
            return rc;
        }
        rc = gpu_make_room(s, fresh - go->list_from, err);
        if (rc != 0) {
            return rc;
        }
        aim(s, go);
    }
}

static int put(struct gsearch *s, uint64_t width, struct err *err)
{
    int rc = s->ops->launch(s->d, KERNEL_PUT, width, err);
    rc = rc == 0 ? s->ops->launch(s->d, KERNEL_JUDGE, width, err) : rc;
    return rc == 0 ? s->ops->launch(s->d, KERNEL_KEEP, width * words_of(s), err) : rc;
}

static int counts_now(struct gsearch *s, struct gpu_counts *ret, struct err *err)
{
    return s->ops->download(s->d, ret, s->counts, sizeof *ret, err);
}

/* What launches have counted by action is added to what was counted so far. */
static int take_counts(struct gsearch *s, struct err *err)
{
    uint64_t n = (uint64_t)s->naction * 2;
    uint64_t *all = ARENA_ARRAY(&s->arena, uint64_t, n + 1);
    int rc = s->ops->download(s->d, all, s->counts + sizeof(struct gpu_counts),
                              n * sizeof(uint64_t), err);
    for (uint32_t a = 0; a < s->naction && rc == 0; a++) {
        s->action_generated[a] += all[a];
        s->generated += all[a];
        s->action_distinct[a] += all[s->naction + a];
    }
    arena_reset(&s->arena);
    return rc;
}

/* Makes what go says, or takes what the host put there (`found` of them), and treats it. */
static int treat(struct gsearch *s, struct gpu_go *go, uint64_t found, struct gpu_counts *ret,
                 struct err *err)
{
    const struct gpu_counts begin = {.made = found};
    uint64_t width = found ? found : (uint64_t)(s->made_rate * (double)go->n) + 1;
    fill_in(s, go);
    go->found = found > 0;
    go->places = s->made_rate < PLACES_MOST ? (uint64_t)s->made_rate : PLACES_MOST;
    go->places = go->n < PLACES_AT_ONCE || go->places == 0 ? 1 : go->places;
    int rc = s->ops->clear(s->d, s->counts, s->counts_bytes, err);
    rc = rc == 0 && found ? s->ops->upload(s->d, s->counts, &begin, sizeof begin, err) : rc;
    rc = rc == 0 ? s->ops->tell(s->d, go, err) : rc;
    if (rc == 0 && !found) {
        rc = s->ops->launch(s->d, KERNEL_MAKE, go->n, err);
        rc = rc == 0 ? s->ops->launch(s->d, KERNEL_LOOK, width, err) : rc;
    }
    for (;;) {
        rc = rc == 0 ? put(s, width, err) : rc;
        rc = rc == 0 ? counts_now(s, ret, err) : rc;
        rc = rc == 0 ? keep_all(s, go, ret->fresh, err) : rc;
        if (rc != 0 || ret->full == 0) {
            return rc == 0 ? take_counts(s, err) : rc;
        }
        rc = gpu_table_grow(s, err);
        rc = rc == 0 ? gpu_make_room(s, 1, err) : rc;
        aim(s, go);
        go->table = s->table;
        go->slots = s->slots;
        go->again = 1;
        go->outside_from = ret->outside;
        rc = rc == 0 ? s->ops->tell(s->d, go, err) : rc;
    }
}

/* ---- candidates that the device is not sure of ---- */
static int judge_some(struct gsearch *s, uint64_t n, struct err *err)
{
    int rc = s->ops->download(s->d, s->words, s->doubts, n * sizeof(uint64_t), err);
    if (rc != 0) {
        return rc;
    }
    struct task *tasks = vec_grow(NULL, &(size_t){0}, n, sizeof *tasks);
    for (uint64_t i = 0; i < n; i++) {
        tasks[i] = (struct task){.number = s->words[i] >> GPU_ORDINAL_BITS,
                                 .ordinal = s->words[i] & GPU_ORDINAL_MAX,
                                 .judge = true};
    }
    s->judged += n;
    rc = gpu_do_tasks(s, s->current, tasks, n, err);
    vec_release(tasks);
    return rc;
}

/* There were more doubts than there is room for: all of the list once more, in parts. */
static int judge_parts(struct gsearch *s, struct gpu_go *go, const struct gpu_counts *counts,
                       struct err *err)
{
    uint64_t all = counts->fresh + counts->outside;
    int rc = 0;
    for (uint64_t at = 0; at < all && rc == 0 && !s->culprit.found; at += s->doubt_cap) {
        struct gpu_counts now = *counts;
        uint64_t end = at + s->doubt_cap;
        go->list_from = at < counts->fresh ? at : counts->fresh;
        go->list_to = end < counts->fresh ? end : counts->fresh;
        go->outside_from = at - go->list_from;
        go->outside_to = end - go->list_to;
        now.doubts = 0;
        rc = s->ops->upload(s->d, s->counts, &now, sizeof now, err);
        rc = rc == 0 ? tell_and(s, go, KERNEL_JUDGE, s->doubt_cap, err) : rc;
        rc = rc == 0 ? counts_now(s, &now, err) : rc;
        rc = rc == 0 && now.doubts > 0 ? judge_some(s, now.doubts, err) : rc;
    }
    return rc;
}

static int judge(struct gsearch *s, struct gpu_go *go, const struct gpu_counts *counts,
                 struct err *err)
{
    if (counts->doubts == 0 || !s->current) { /* initial states have been judged */
        return 0;
    }
    bool too_many = counts->doubts > s->doubt_cap;
    int rc = judge_some(s, too_many ? s->doubt_cap : counts->doubts, err);
    return rc == 0 && too_many && !s->culprit.found ? judge_parts(s, go, counts, err) : rc;
}

/* ---- states ---- */

/* What a launch did not do: s->retry is to be done again, s->left is for the host. */
static int take_todo(struct gsearch *s, uint64_t n, bool alone, struct err *err)
{
    int rc = n > 0 ? s->ops->download(s->d, s->words, s->todo, n * sizeof(uint64_t), err) : 0;
    for (uint64_t i = 0; i < n && rc == 0; i++) {
        if ((s->words[i] & 65535) == GPU_AGAIN && !alone) {
            VEC_PUSH(&s->retry, s->words[i] >> 16);
        } else {
            VEC_PUSH(&s->left, s->words[i] >> 16);
        }
    }
    return rc;
}

static void note_rate(double *rate, uint64_t n, uint64_t what)
{
    double now = (double)what / (double)n;
    if (n >= 64) {
        *rate = now > *rate ? now : (*rate + now) / 2;
    }
}

/* Expands the states that go says, once. *ret_full: there was no room for their successors. */
static int expand_once(struct gsearch *s, struct gpu_go *go, bool *ret_full, struct err *err)
{
    struct gpu_counts counts;
    int rc = treat(s, go, 0, &counts, err);
    rc = rc == 0 ? judge(s, go, &counts, err) : rc;
    if (rc == 0) {
        *ret_full = counts.made > s->made_cap;
        note_rate(&s->made_rate, go->n, *ret_full ? s->made_cap + s->made_cap / 4 : counts.made);
        rc = take_todo(s, counts.todo, *ret_full && go->n == 1, err);
    }
    return rc;
}

/* Room for what `n` states are likely to bring; how many of them it is enough for. */
static int prepare(struct gsearch *s, uint64_t n, uint64_t *ret_n, struct err *err)
{
    double rate = s->fresh_rate * 1.25 + 0.1;
    double wanted = rate * (double)n + 256;
    uint64_t fits = (uint64_t)((double)s->made_cap / (s->made_rate * 1.25 + 0.1));
    fits = fits < LAUNCH_LEAST ? LAUNCH_LEAST : fits;
    fits = fits < s->segment_cap ? fits : s->segment_cap;
    fits = fits < s->made_cap ? fits : s->made_cap;
    *ret_n = n < fits ? n : fits;
    int rc =
        gpu_make_room(s, wanted < (double)s->segment_cap ? (uint64_t)wanted : s->segment_cap, err);
    return rc == 0 ? gpu_table_room(s, (uint64_t)(rate * (double)*ret_n), err) : rc;
}

/* What was put off, in parts of so many. */
static int expand_again(struct gsearch *s, const struct gpu_go *what, uint64_t part, bool *ret_full,
                        struct err *err)
{
    int rc = 0;
    VEC_RESET(&s->picks);
    for (size_t i = 0; i < s->retry.n; i++) {
        VEC_PUSH(&s->picks, (uint32_t)s->retry.v[i]);
    }
    VEC_RESET(&s->retry);
    s->again += s->picks.n;
    for (size_t at = 0; at < s->picks.n && rc == 0 && !s->culprit.found; at += part) {
        bool full = false;
        uint64_t n = s->picks.n - at < part ? s->picks.n - at : part;
        struct gpu_go go = {.in = what->in, .first = what->first, .n = n, .pick = s->pick};
        rc = prepare(s, n, &n, err);
        rc = rc == 0 ? s->ops->upload(s->d, s->pick, s->picks.v + at, go.n * sizeof(uint32_t), err)
                     : rc;
        rc = rc == 0 ? expand_once(s, &go, &full, err) : rc;
        *ret_full = *ret_full || full;
    }
    return rc;
}

/* Expands n states from `from` on, until all of them are done or left to the host. */
static int expand_part(struct gsearch *s, const struct segment *segment, uint64_t from, uint64_t n,
                       struct err *err)
{
    bool full = false;
    struct gpu_go go = {.in = segment->at, .first = segment->first, .n = n, .from = from};
    VEC_RESET(&s->retry);
    int rc = expand_once(s, &go, &full, err);
    uint64_t part = n;
    for (unsigned idle = 0; rc == 0 && s->retry.n > 0; idle++) {
        size_t before = s->retry.n;
        part = full && part > 1 ? (part + OVERFLOW_PART - 1) / OVERFLOW_PART : part;
        full = false;
        if (s->culprit.found || gpu_interrupted(s)) {
            break;
        }
        if (idle == ROUNDS_MAX) {
            return gpu_give_up(s, "%s makes no headway with %zu states", s->d->name, s->retry.n);
        }
        rc = expand_again(s, &go, part, &full, err);
        idle = s->retry.n < before ? 0 : idle;
    }
    return rc;
}

/* States that the device left to the host. */
static int do_left(struct gsearch *s, const struct segment *segment, struct err *err)
{
    size_t n = s->left.n;
    s->trapped += n;
    if (n == 0) {
        return 0;
    }
    if (s->trapped > LEFT_LEAST && s->trapped > s->expanded / 2) {
        return gpu_give_up(s, "more than half of the states come back from %s", s->d->name);
    }
    struct task *tasks = vec_grow(NULL, &(size_t){0}, n, sizeof *tasks);
    for (size_t i = 0; i < n; i++) {
        tasks[i] = (struct task){.number = segment->first + s->left.v[i]};
    }
    VEC_RESET(&s->left);
    int rc = gpu_do_tasks(s, segment, tasks, n, err);
    if (rc == 0 && !s->culprit.found) {
        rc = gpu_insert(s, err);
    }
    vec_release(tasks);
    return rc;
}

int gpu_expand_segment(struct gsearch *s, struct segment *segment, struct err *err)
{
    int rc = gpu_fetch(s, segment, err);
    uint64_t at = 0;
    while (rc == 0 && at < segment->n && !s->culprit.found && !gpu_interrupted(s)) {
        uint64_t n = 0;
        uint64_t before = s->distinct;
        rc = prepare(s, segment->n - at, &n, err);
        rc = rc == 0 ? expand_part(s, segment, at, n, err) : rc;
        s->expanded += n;
        rc = rc == 0 && !s->culprit.found ? do_left(s, segment, err) : rc;
        note_rate(&s->fresh_rate, n, s->distinct - before);
        at += n;
        gpu_tell(s, CHECK_EV_PROGRESS);
    }
    return rc;
}

/* ---- what the host found ---- */

/* `n` of them are where a launch puts what it makes. */
static int insert_made(struct gsearch *s, size_t n, struct err *err)
{
    struct gpu_go go = {0};
    struct gpu_counts counts;
    int rc = gpu_make_room(s, n, err);
    rc = rc == 0 ? gpu_table_room(s, n, err) : rc;
    rc = rc == 0 ? treat(s, &go, n, &counts, err) : rc;
    return rc == 0 ? judge(s, &go, &counts, err) : rc;
}

int gpu_insert(struct gsearch *s, struct err *err)
{
    const struct found *found;
    size_t made = 0;
    int rc = 0;
    for (unsigned i = 0; (found = gpu_found(s, i)) != NULL && rc == 0; i++) {
        for (size_t at = 0; at < found->heads.n && rc == 0 && !s->culprit.found;) {
            size_t room = s->made_cap - made;
            size_t n = found->heads.n - at < room ? found->heads.n - at : room;
            rc = s->ops->upload(s->d, s->made + made * s->state, found->states.p + at * s->state,
                                n * s->state, err);
            rc = rc == 0 ? s->ops->upload(s->d, s->heads + made * sizeof(struct gpu_head),
                                          found->heads.v + at, n * sizeof(struct gpu_head), err)
                         : rc;
            at += n;
            made += n;
            if (rc == 0 && made == s->made_cap) {
                rc = insert_made(s, made, err);
                made = 0;
            }
        }
    }
    return rc == 0 && made > 0 && !s->culprit.found ? insert_made(s, made, err) : rc;
}

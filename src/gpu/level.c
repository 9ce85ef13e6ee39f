/* Expanding a level: launches, what they could not do, and what the host must judge. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/check.h"
#include "gpu/device.h"
#include "gpu/gpu_int.h"
#include "gpu/launch.h"

enum { LAUNCH_LEAST = 4096, ROUNDS_MAX = 1000 };
#define RATE_FIRST 4.0

/* What a launch counted is added to what was counted so far. */
static int take_counts(struct gsearch *s, struct gpu_counts *ret, struct err *err)
{
    uint64_t *all = ARENA_ARRAY(&s->arena, uint64_t, s->counts_bytes / sizeof(uint64_t));
    int rc = s->ops->download(s->d, all, s->counts, s->counts_bytes, err);
    memcpy(ret, all, sizeof *ret);
    const uint64_t *by_action = all + sizeof *ret / sizeof(uint64_t);
    for (uint32_t a = 0; a < s->naction && rc == 0; a++) {
        s->action_generated[a] += by_action[a];
        s->generated += by_action[a];
        s->action_distinct[a] += by_action[s->naction + a];
    }
    arena_reset(&s->arena);
    return rc;
}

/* One launch into the segment that is being filled. */
static int launch(struct gsearch *s, enum kernel kernel, struct gpu_go *go,
                  struct gpu_counts *ret_counts, struct err *err)
{
    struct segment *out = &VEC_LAST(&s->out);
    go->out = out->at;
    go->parents = out->parents;
    go->out_n = out->n;
    go->out_cap = s->segment_cap;
    go->todo = s->todo;
    go->doubts = s->doubts;
    go->doubt_cap = s->doubt_cap;
    go->table = s->table;
    go->slots = s->slots;
    go->counts = s->counts;
    int rc = s->ops->clear(s->d, s->counts, s->counts_bytes, err);
    rc = rc == 0 ? s->ops->launch(s->d, kernel, go, err) : rc;
    rc = rc == 0 ? take_counts(s, ret_counts, err) : rc;
    if (rc == 0) {
        s->distinct += ret_counts->distinct;
        s->out_n += ret_counts->distinct;
        out->n += ret_counts->distinct;
    }
    return rc;
}

/* Candidates that the device is not sure of. */
static int judge(struct gsearch *s, uint64_t n, struct err *err)
{
    uint64_t count = n < s->doubt_cap ? n : s->doubt_cap;
    int rc = s->ops->download(s->d, s->words, s->doubts, count * sizeof(uint64_t), err);
    if (rc != 0) {
        return rc;
    }
    struct task *tasks = vec_grow(NULL, &(size_t){0}, count, sizeof *tasks);
    for (uint64_t i = 0; i < count; i++) {
        tasks[i] = (struct task){.number = s->words[i] >> GPU_ORDINAL_BITS,
                                 .ordinal = s->words[i] & GPU_ORDINAL_MAX,
                                 .judge = true};
    }
    struct found found = {0};
    s->judged += count;
    rc = gpu_do_tasks(s, s->current, tasks, count, &found, err);
    gpu_found_done(&found);
    vec_release(tasks);
    return rc;
}

/* What a launch did not do: s->retry is to be done again, s->left is for the host. */
static int take_todo(struct gsearch *s, uint64_t n, struct err *err)
{
    VEC_RESET(&s->retry);
    int rc = s->ops->download(s->d, s->words, s->todo, n * sizeof(uint64_t), err);
    for (uint64_t i = 0; i < n && rc == 0; i++) {
        if ((s->words[i] & 65535) == GPU_AGAIN) {
            VEC_PUSH(&s->retry, s->words[i] >> 16);
        } else {
            VEC_PUSH(&s->left, s->words[i] >> 16);
        }
    }
    return rc;
}

static int upload_picks(struct gsearch *s, struct err *err)
{
    uint32_t *picks = vec_grow(NULL, &(size_t){0}, s->retry.n + 1, sizeof *picks);
    for (size_t i = 0; i < s->retry.n; i++) {
        picks[i] = (uint32_t)s->retry.v[i];
    }
    int rc = s->ops->upload(s->d, s->pick, picks, s->retry.n * sizeof *picks, err);
    vec_release(picks);
    return rc;
}

/* Room for what `n` states are likely to bring; how many of them it is enough for. */
static int prepare(struct gsearch *s, uint64_t n, uint64_t *ret_n, struct err *err)
{
    double rate = s->fresh_rate * 1.25 + 0.1;
    double wanted = rate * (double)n + 256;
    int rc =
        gpu_make_room(s, wanted < (double)s->segment_cap ? (uint64_t)wanted : s->segment_cap, err);
    if (rc != 0) {
        return rc;
    }
    uint64_t room = s->segment_cap - VEC_LAST(&s->out).n;
    uint64_t fits = (uint64_t)((double)room / rate);
    fits = fits < LAUNCH_LEAST ? LAUNCH_LEAST : fits;
    *ret_n = n < fits ? n : fits;
    return gpu_table_room(s, (uint64_t)(rate * (double)*ret_n), err);
}

static void note_rate(struct gsearch *s, uint64_t n, uint64_t fresh)
{
    if (n >= 64) {
        double rate = (double)fresh / (double)n;
        s->fresh_rate = rate > s->fresh_rate ? rate : (s->fresh_rate + rate) / 2;
    }
}

/* Launches until all of them are done or left to the host. */
static int launch_all(struct gsearch *s, enum kernel kernel, struct gpu_go *go, struct err *err)
{
    struct gpu_counts counts;
    unsigned idle = 0;
    for (;;) {
        int rc = launch(s, kernel, go, &counts, err);
        if (rc == 0 && counts.doubts > 0 && s->current) { /* initial states have been judged */
            rc = judge(s, counts.doubts, err);
        }
        rc = rc == 0 ? take_todo(s, counts.todo, err) : rc;
        if (rc != 0 || s->retry.n == 0 || s->culprit.found || gpu_interrupted(s)) {
            return rc;
        }
        note_rate(s, go->n, counts.fresh);
        idle = counts.distinct > 0 || s->retry.n < go->n ? 0 : idle + 1;
        if (idle == ROUNDS_MAX) {
            return gpu_give_up(s, "%s makes no headway with %zu states", s->d->name, s->retry.n);
        }
        s->again += s->retry.n;
        uint64_t n = s->retry.n;
        rc = counts.full > 0 ? gpu_table_grow(s, err) : 0;
        rc = rc == 0 ? prepare(s, n, &n, err) : rc;
        rc = rc == 0 && counts.fresh > counts.distinct && VEC_LAST(&s->out).n > 0
                 ? gpu_make_room(s, s->segment_cap, err)
                 : rc;
        rc = rc == 0 ? upload_picks(s, err) : rc;
        if (rc != 0) {
            return rc;
        }
        go->pick = s->pick;
        go->n = s->retry.n;
    }
}

/* States that the device left to the host. */
static int do_left(struct gsearch *s, const struct segment *segment, struct err *err)
{
    struct found found = {0};
    size_t n = s->left.n;
    if (n == 0) {
        return 0;
    }
    struct task *tasks = vec_grow(NULL, &(size_t){0}, n, sizeof *tasks);
    for (size_t i = 0; i < n; i++) {
        tasks[i] = (struct task){.number = segment->first + s->left.v[i]};
    }
    VEC_RESET(&s->left);
    s->trapped += n;
    int rc = gpu_do_tasks(s, segment, tasks, n, &found, err);
    if (rc == 0 && !s->culprit.found) {
        rc = gpu_insert(s, &found, err);
    }
    gpu_found_done(&found);
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
        struct gpu_go go = {
            .in = segment->at, .first = segment->first, .n = n, .from = at, .level = s->level};
        rc = rc == 0 ? launch_all(s, KERNEL_EXPAND, &go, err) : rc;
        rc = rc == 0 && !s->culprit.found ? do_left(s, segment, err) : rc;
        note_rate(s, n, s->distinct - before);
        at += n;
        gpu_tell(s, CHECK_EV_PROGRESS);
    }
    return rc;
}

/* A part of what was found, which fits a segment. */
static int insert_part(struct gsearch *s, const struct found *found, size_t from, size_t n,
                       struct err *err)
{
    int rc = gpu_make_room(s, n, err);
    uint64_t bytes = n * s->state;
    uint64_t block = rc == 0 ? s->ops->alloc(s->d, bytes + n * sizeof(struct gpu_item)) : 0;
    if (!block) {
        return rc != 0 ? rc : gpu_give_up(s, "%s has no memory for states", s->d->name);
    }
    struct gpu_go go = {.in = block, .n = n, .items = block + bytes, .level = s->level};
    rc = s->ops->upload(s->d, block, found->states.p + from * s->state, bytes, err);
    rc = rc == 0 ? s->ops->upload(s->d, block + bytes, found->items.v + from,
                                  n * sizeof(struct gpu_item), err)
                 : rc;
    rc = rc == 0 ? gpu_table_room(s, n, err) : rc;
    rc = rc == 0 ? launch_all(s, KERNEL_INSERT, &go, err) : rc;
    s->ops->free(s->d, block);
    return rc;
}

int gpu_insert(struct gsearch *s, struct found *found, struct err *err)
{
    int rc = 0;
    size_t most = s->segment_cap < 1 << 18 ? (size_t)s->segment_cap : 1 << 18;
    for (size_t at = 0; at < found->items.n && rc == 0 && !s->culprit.found; at += most) {
        size_t n = found->items.n - at < most ? found->items.n - at : most;
        rc = insert_part(s, found, at, n, err);
    }
    return rc;
}

/* What a search keeps where.
 *
 * States are kept in segments: blocks of the device's memory of one size, each with the candidates
 * (predecessor and ordinal) of its states beside them. When a segment is full its candidates go to
 * the memory of this machine, for behaviours. When the device has no block left, states of the next
 * level that are complete go there too, and come back when it is their turn.
 *
 * The table grows by a factor while there is memory for the old and the new one; the last step is
 * to all that is left. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "check/store.h"
#include "gpu/device.h"
#include "gpu/gpu_int.h"
#include "gpu/launch.h"

enum {
    TABLE_FIRST = 1 << 22,
    TABLE_GROWTH = 4,
    SEGMENTS = 40,   /* of the budget */
    STATES_PART = 8, /* of the budget is never the table's */
    SEGMENT_LEAST = 256,
    SEGMENT_MOST = 1 << 23,
    DOUBTS = 1 << 16,
    MADE_PART = 16, /* of the budget is for what a launch makes */
    MADE_LEAST = 64
};
#define MADE_BYTES_MOST    ((uint64_t)1 << 30)
#define SEGMENT_BYTES_MOST ((uint64_t)1 << 30)
#define LOG_BLOCK          ((uint64_t)64 << 20)
#define LOG_SPARE          ((uint64_t)1 << 30) /* of the memory of this machine */
#define LOAD_GROW          0.60                /* above it the table grows, if it can */
#define LOAD_MOST          0.92

static uint64_t grab(struct gsearch *s, uint64_t bytes)
{
    if (s->used + bytes > s->budget) {
        return 0;
    }
    uint64_t at = s->ops->alloc(s->d, bytes);
    s->used += at ? bytes : 0;
    return at;
}

static void give_back(struct gsearch *s, uint64_t at, uint64_t bytes)
{
    if (at) {
        s->ops->free(s->d, at);
        s->used -= bytes;
    }
}

static uint64_t segment_bytes(const struct gsearch *s)
{
    return s->segment_cap * (s->state + sizeof(uint64_t));
}

static void size_segments(struct gsearch *s)
{
    uint64_t bytes =
        s->gpu->options.segment_bytes ? s->gpu->options.segment_bytes : s->budget / SEGMENTS;
    bytes = bytes < SEGMENT_BYTES_MOST ? bytes : SEGMENT_BYTES_MOST;
    uint64_t cap = bytes / (s->state + sizeof(uint64_t));
    s->segment_cap = cap < SEGMENT_LEAST ? SEGMENT_LEAST : cap > SEGMENT_MOST ? SEGMENT_MOST : cap;
}

/* Bytes for one of the successors that a launch makes: itself, its head, its place in the list, and
 * one for the state it comes from. */
static uint64_t made_bytes(const struct gsearch *s)
{
    return s->state + sizeof(struct gpu_head) + 2 * sizeof(uint32_t);
}

static void size_made(struct gsearch *s)
{
    uint64_t bytes =
        s->budget / MADE_PART < MADE_BYTES_MOST ? s->budget / MADE_PART : MADE_BYTES_MOST;
    uint64_t cap = bytes / made_bytes(s);
    s->made_cap = cap < MADE_LEAST ? MADE_LEAST : cap;
}

static bool grab_made(struct gsearch *s)
{
    s->made = grab(s, s->made_cap * s->state + sizeof(uint64_t)); /* whole words are read */
    s->heads = grab(s, s->made_cap * sizeof(struct gpu_head));
    s->list = grab(s, s->made_cap * sizeof(uint32_t));
    s->bad = grab(s, s->made_cap * sizeof(uint32_t));
    return s->made && s->heads && s->list && s->bad;
}

static void give_made_back(struct gsearch *s)
{
    give_back(s, s->made, s->made_cap * s->state + sizeof(uint64_t));
    give_back(s, s->heads, s->made_cap * sizeof(struct gpu_head));
    give_back(s, s->list, s->made_cap * sizeof(uint32_t));
    give_back(s, s->bad, s->made_cap * sizeof(uint32_t));
}

static int no_memory(struct gsearch *s, uint64_t bytes)
{
    return gpu_give_up(s, "%s has no memory left (%llu MB of %llu MB are in use, %llu MB wanted)",
                       s->d->name, (unsigned long long)(s->used >> 20),
                       (unsigned long long)(s->budget >> 20), (unsigned long long)(bytes >> 20));
}

int gpu_memory_begin(struct gsearch *s, struct err *err)
{
    uint64_t available = s->ops->available(s->d);
    s->budget = s->gpu->options.device_bytes ? s->gpu->options.device_bytes : available / 10 * 9;
    size_segments(s);
    size_made(s);
    s->doubt_cap = DOUBTS;
    s->slots = TABLE_FIRST;
    while (s->slots > 1024 && s->slots * sizeof(uint64_t) > s->budget / 8) {
        s->slots /= 2;
    }
    s->counts_bytes = sizeof(struct gpu_counts) + 2 * sizeof(uint64_t) * s->naction;
    s->counts = grab(s, s->counts_bytes);
    s->todo = grab(s, s->segment_cap * sizeof(uint64_t));
    s->pick = grab(s, s->segment_cap * sizeof(uint32_t));
    s->doubts = grab(s, s->doubt_cap * sizeof(uint64_t));
    s->table = grab(s, s->slots * sizeof(uint64_t));
    s->words_bytes = (s->segment_cap > DOUBTS ? s->segment_cap : DOUBTS) * sizeof(uint64_t);
    s->words = memory_map(s->words_bytes);
    if (!grab_made(s) || !s->counts || !s->todo || !s->pick || !s->doubts || !s->table ||
        !s->words) {
        return no_memory(s, s->slots * sizeof(uint64_t));
    }
    return s->ops->clear(s->d, s->table, s->slots * sizeof(uint64_t), err);
}

/* Of those that are on this machine. */
static uint64_t states_bytes(const struct gsearch *s, const struct segment *segment)
{
    return segment->n * s->state + 8;
}

static void forget_states(const struct gsearch *s, struct segment *segment)
{
    if (segment->states) {
        memory_unmap(segment->states, states_bytes(s, segment));
    }
    segment->states = NULL;
}

static void drop(struct gsearch *s, struct segment *segment)
{
    give_back(s, segment->at, segment_bytes(s));
    forget_states(s, segment);
}

void gpu_memory_end(struct gsearch *s)
{
    for (size_t i = 0; i < s->spare.n; i++) {
        drop(s, &s->spare.v[i]);
    }
    for (size_t i = 0; i < s->in.n; i++) {
        drop(s, &s->in.v[i]);
    }
    for (size_t i = 0; i < s->out.n; i++) {
        drop(s, &s->out.v[i]);
    }
    for (size_t i = 0; i < s->log.n; i++) {
        if (s->log.v[i].candidates) {
            memory_unmap(s->log.v[i].candidates, s->log.v[i].n * sizeof(uint64_t));
        }
    }
    for (size_t i = 0; i < s->log_blocks.n; i++) {
        give_back(s, s->log_blocks.v[i],
                  s->segment_cap * sizeof(uint64_t) > LOG_BLOCK ? s->segment_cap * sizeof(uint64_t)
                                                                : LOG_BLOCK);
    }
    VEC_DONE(&s->log_blocks);
    give_back(s, s->counts, s->counts_bytes);
    give_back(s, s->todo, s->segment_cap * sizeof(uint64_t));
    give_back(s, s->pick, s->segment_cap * sizeof(uint32_t));
    give_back(s, s->doubts, s->doubt_cap * sizeof(uint64_t));
    give_back(s, s->table, s->slots * sizeof(uint64_t));
    give_made_back(s);
    if (s->words) {
        memory_unmap(s->words, s->words_bytes);
    }
    VEC_DONE(&s->spare);
    VEC_DONE(&s->in);
    VEC_DONE(&s->out);
    VEC_DONE(&s->log);
}

/* ---- candidates ---- */

static uint64_t log_block(const struct gsearch *s)
{
    uint64_t bytes = s->segment_cap * sizeof(uint64_t);
    return bytes > LOG_BLOCK ? bytes : LOG_BLOCK;
}

/* A place on the device for the candidates of n states, while half of its memory is free; 0: none.
 */
static uint64_t log_place(struct gsearch *s, uint64_t n)
{
    uint64_t bytes = n * sizeof(uint64_t);
    if (s->log_blocks.n == 0 || s->log_used + bytes > log_block(s)) {
        uint64_t at = s->used + log_block(s) < s->budget / 2 ? grab(s, log_block(s)) : 0;
        if (!at) {
            return 0;
        }
        VEC_PUSH(&s->log_blocks, at);
        s->log_used = 0;
    }
    s->log_used += bytes;
    return VEC_LAST(&s->log_blocks) + s->log_used - bytes;
}

/* Brings the candidates of a part from `from` on the device to this machine. */
static int log_fetch(struct gsearch *s, struct log_part *part, uint64_t from, struct err *err)
{
    uint64_t bytes = part->n * sizeof(uint64_t);
    if (s->log_lost || memory_available() < LOG_SPARE + bytes) {
        s->log_lost = true; /* a violation is then looked for again by the CPU */
        return 0;
    }
    part->candidates = memory_map(bytes);
    return s->ops->download(s->d, part->candidates, from, bytes, err);
}

/* All of them: the device needs the memory. */
static int log_move(struct gsearch *s, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < s->log.n && rc == 0; i++) {
        if (s->log.v[i].at) {
            rc = log_fetch(s, &s->log.v[i], s->log.v[i].at, err);
            s->log.v[i].at = 0;
        }
    }
    for (size_t i = 0; i < s->log_blocks.n; i++) {
        give_back(s, s->log_blocks.v[i], log_block(s));
    }
    VEC_DONE(&s->log_blocks);
    return rc;
}

/* ---- segments ---- */

void gpu_release(struct gsearch *s, struct segment *segment)
{
    forget_states(s, segment);
    if (segment->at) {
        VEC_PUSH(&s->spare, (struct segment){.at = segment->at, .parents = segment->parents});
    }
    *segment = (struct segment){0};
}

/* Moves a segment's states to this machine. */
static int spill(struct gsearch *s, struct segment *segment, struct err *err)
{
    uint8_t *states = memory_map(states_bytes(s, segment));
    if (!states) {
        return gpu_give_up(s, "there is no memory for states that %s cannot hold", s->d->name);
    }
    int rc = s->ops->download(s->d, states, segment->at, segment->n * s->state, err);
    if (rc != 0) {
        memory_unmap(states, states_bytes(s, segment));
        return rc;
    }
    s->spilled += segment->n;
    struct segment kept = {.states = states, .first = segment->first, .n = segment->n};
    gpu_release(s, segment);
    *segment = kept;
    return 0;
}

/* A segment that can do without the device for a while: of the next level, all but the one that is
 * being filled; then of this level, the last ones first. */
static struct segment *can_wait(struct gsearch *s)
{
    for (size_t i = 0; i + 1 < s->out.n; i++) {
        if (s->out.v[i].at) {
            return &s->out.v[i];
        }
    }
    for (size_t i = s->in.n; i-- > 0;) {
        if (s->in.v[i].at && &s->in.v[i] != s->current) {
            return &s->in.v[i];
        }
    }
    return NULL;
}

static int block_get(struct gsearch *s, struct segment *ret, struct err *err)
{
    int rc = 0;
    if (s->spare.n == 0) {
        uint64_t at = grab(s, segment_bytes(s));
        if (at) {
            *ret = (struct segment){.at = at, .parents = at + s->segment_cap * s->state};
            return 0;
        }
        if (s->log_blocks.n > 0) {
            rc = log_move(s, err);
            return rc == 0 ? block_get(s, ret, err) : rc;
        }
        struct segment *other = can_wait(s);
        rc = other ? spill(s, other, err) : no_memory(s, segment_bytes(s));
    }
    if (rc == 0) {
        struct segment block = VEC_POP(&s->spare);
        *ret = (struct segment){.at = block.at, .parents = block.parents};
    }
    return rc;
}

int gpu_fetch(struct gsearch *s, struct segment *segment, struct err *err)
{
    struct segment block;
    if (segment->at) {
        return 0;
    }
    int rc = block_get(s, &block, err);
    if (rc != 0) {
        return rc;
    }
    segment->at = block.at;
    segment->parents = block.parents;
    rc = s->ops->upload(s->d, segment->at, segment->states, segment->n * s->state, err);
    forget_states(s, segment);
    return rc;
}

/* The segment is complete: its candidates are kept, on the device as long as there is room. */
static int seal(struct gsearch *s, struct err *err)
{
    struct segment *last = s->out.n ? &VEC_LAST(&s->out) : NULL;
    if (!last || last->n == 0) {
        return 0;
    }
    struct log_part part = {.level = s->level + 1, .first = last->first, .n = last->n};
    part.at = log_place(s, part.n);
    int rc = part.at ? s->ops->copy(s->d, part.at, last->parents, part.n * sizeof(uint64_t), err)
                     : log_fetch(s, &part, last->parents, err);
    VEC_PUSH(&s->log, part);
    return rc;
}

int gpu_make_room(struct gsearch *s, uint64_t states, struct err *err)
{
    struct segment *last = s->out.n ? &VEC_LAST(&s->out) : NULL;
    uint64_t room = last ? s->segment_cap - last->n : 0;
    if (room >= states || (room > 0 && room >= s->segment_cap / 2)) {
        return 0;
    }
    if (last && last->n == 0) {
        return 0; /* there is no larger one */
    }
    int rc = seal(s, err);
    struct segment fresh = {0};
    rc = rc == 0 ? block_get(s, &fresh, err) : rc;
    if (rc == 0) {
        fresh.first = s->out_n;
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is room after VEC_RESERVE */
        VEC_PUSH(&s->out, fresh);
    }
    return rc;
}

int gpu_advance(struct gsearch *s, struct err *err)
{
    int rc = seal(s, err);
    for (size_t i = 0; i < s->in.n; i++) {
        gpu_release(s, &s->in.v[i]);
    }
    VEC_RESET(&s->in);
    for (size_t i = 0; i < s->out.n; i++) {
        if (s->out.v[i].n > 0) {
            VEC_PUSH(&s->in, s->out.v[i]);
        } else {
            gpu_release(s, &s->out.v[i]);
        }
    }
    VEC_RESET(&s->out);
    s->level++;
    s->in_n = s->out_n;
    s->out_n = 0;
    return rc;
}

bool gpu_candidate_of(struct gsearch *s, uint64_t level, uint64_t number, uint64_t *ret)
{
    for (size_t i = 0; i < s->log.n; i++) {
        const struct log_part *part = &s->log.v[i];
        if (part->level != level || number < part->first || number - part->first >= part->n) {
            continue;
        }
        uint64_t i_th = number - part->first;
        struct err err = {0};
        if (part->candidates) {
            *ret = part->candidates[i_th];
            return true;
        }
        return part->at && s->ops->download(s->d, ret, part->at + i_th * sizeof(uint64_t),
                                            sizeof *ret, &err) == 0;
    }
    return false;
}

/* ---- the table ---- */

/* How large the next table can be; 0: no larger than this one. The step after which there would be
 * no room for a full one is the last: it takes all, but for what states of a level need. */
static uint64_t next_slots(const struct gsearch *s)
{
    uint64_t left = s->budget > s->used ? (s->budget - s->used) / sizeof(uint64_t) : 0;
    uint64_t states = s->budget / STATES_PART / sizeof(uint64_t);
    uint64_t room = left > states ? left - states : 0;
    uint64_t wanted = s->slots * TABLE_GROWTH;
    bool last = wanted * TABLE_GROWTH + wanted > room;
    uint64_t slots = last ? room : wanted;
    return slots > s->slots / 4 * 5 ? slots : 0;
}

int gpu_table_grow(struct gsearch *s, struct err *err)
{
    uint64_t full = 0;
    if (next_slots(s) < s->slots * TABLE_GROWTH && s->log_blocks.n > 0) {
        int moved = log_move(s, err);
        if (moved != 0) {
            return moved;
        }
    }
    uint64_t slots = next_slots(s);
    uint64_t table = slots ? grab(s, slots * sizeof(uint64_t)) : 0;
    if (!table) {
        return no_memory(s, s->slots * 2 * sizeof(uint64_t));
    }
    struct gpu_go go = {
        .in = s->table, .n = s->slots, .table = table, .slots = slots, .counts = s->counts};
    int rc = s->ops->clear(s->d, table, slots * sizeof(uint64_t), err);
    rc = rc == 0 ? s->ops->upload(s->d, go.counts + offsetof(struct gpu_counts, full), &full,
                                  sizeof full, err)
                 : rc;
    rc = rc == 0 ? s->ops->tell(s->d, &go, err) : rc;
    rc = rc == 0 ? s->ops->launch(s->d, KERNEL_REHASH, s->slots, err) : rc;
    rc = rc == 0 ? s->ops->download(s->d, &full, go.counts + offsetof(struct gpu_counts, full),
                                    sizeof full, err)
                 : rc;
    if (rc == 0 && full > 0) {
        rc = no_memory(s, slots * sizeof(uint64_t));
    }
    if (rc != 0) {
        give_back(s, table, slots * sizeof(uint64_t));
        return rc;
    }
    give_back(s, s->table, s->slots * sizeof(uint64_t));
    s->table = table;
    s->slots = slots;
    return 0;
}

int gpu_table_room(struct gsearch *s, uint64_t states, struct err *err)
{
    while ((double)(s->distinct + states) > LOAD_GROW * (double)s->slots) {
        if (next_slots(s) < s->slots * TABLE_GROWTH && s->log_blocks.n > 0) {
            int moved = log_move(s, err);
            if (moved != 0) {
                return moved;
            }
            continue;
        }
        if (next_slots(s) == 0) {
            bool full = (double)s->distinct > LOAD_MOST * (double)s->slots;
            return full ? no_memory(s, s->slots * 2 * sizeof(uint64_t)) : 0;
        }
        int rc = gpu_table_grow(s, err);
        if (rc != 0) {
            return rc;
        }
    }
    return 0;
}

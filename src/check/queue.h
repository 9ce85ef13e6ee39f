/* The frontier of a breadth-first search: the states of the level being expanded (in) and of the
 * next one (out), as bytes.
 *
 * Records live in slabs. Each thread fills a slab of its own; a full one joins the out level, in
 * memory or, above the queue's share of the budget, in a file. A slab is divided into segments of a
 * few records, the unit in which threads claim work. With one thread, records come out in the order
 * in which they were put in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct queue;
struct slab;
struct store;

struct queue_record {
    uint64_t fp;
    uint64_t link; /* see tracelog.h */
    const uint8_t *bytes;
    size_t len;
};

/* A thread's place to put records. Zero it. */
struct queue_out {
    struct slab *slab;
    size_t head; /* of the record being written */
};

/* Records that a thread has claimed. Zero it; an empty claim has slab NULL. */
struct queue_claim {
    struct slab *slab;
    size_t at, end;  /* offsets in the slab */
    uint32_t record; /* number of the record at `at` */
    uint32_t nseg;
};

/* record_bytes: length of every record, which then costs 16 bytes more; 0: lengths differ, 20. */
void queue_new(struct store *store, uint64_t share_bytes, size_t record_bytes,
               struct queue **ret_queue);
void queue_resize(struct queue *queue, size_t record_bytes); /* while it is empty */
void queue_free(struct queue *queue);

/* Begins a record: append its bytes to the buffer returned, then commit. No other record of this
 * `out` may be begun in between. */
struct strbuf *queue_begin(struct queue *queue, struct queue_out *out, uint64_t fp, uint64_t link);
MUST_USE int queue_commit(struct queue *queue, struct queue_out *out, struct err *err);
/* Where the next record of `out` will be: a slab that lives until it is consumed, and a number in
 * it. */
void queue_position(struct queue *queue, struct queue_out *out, struct slab **ret_slab,
                    uint32_t *ret_record);
/* Marks a record that turned out to be no new state; before the level is advanced. */
void queue_drop(struct slab *slab, uint32_t record);
/* Hands in a slab that is not full. */
MUST_USE int queue_seal(struct queue *queue, struct queue_out *out, struct err *err);

/* Throws away a slab that was not handed in. */
void queue_discard(struct queue_out *out);

/* Claims records of the in level; 1, 0 when there are none left, negative on failure. Any thread.
 */
MUST_USE int queue_claim(struct queue *queue, unsigned threads, struct queue_claim *claim,
                         struct err *err);
/* The next record of a claim; false at its end. */
bool queue_next(struct queue_claim *claim, struct queue_record *ret_record);
/* Gives a used-up claim back. The last record's bytes are gone then. */
void queue_release(struct queue *queue, struct queue_claim *claim);

/* Alone: the out level, all sealed, becomes the in level, whose records are used up. */
void queue_advance(struct queue *queue);
uint64_t queue_segments(
    const struct queue *queue); /* alone: segments of the in level that are not claimed */
uint64_t queue_memory(const struct queue *queue);
/* Alone: calls `each` for all records of the in level that are not claimed, or of the out level. */
MUST_USE int queue_each(struct queue *queue, bool out,
                        int (*each)(void *arg, const struct queue_record *record, struct err *err),
                        void *arg, struct err *err);

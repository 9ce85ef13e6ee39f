/* The append-only log of expanded states: where each came from, so that a path back to an initial
 * state can be read.
 *
 * A record is a link: the index of the parent's record and the number of the candidate among the
 * parent's successors (or among the initial states). Running the model again along the numbers
 * meets exactly the states of the search, whatever VIEW and SYMMETRY merge. Each thread fills
 * blocks of its own; a full block is written to a file. Neighbours are found in the order of their
 * parents, so that a link takes little more than a byte there. Searches that write checkpoints keep
 * the fingerprints too, which are the contents of the fingerprint set: 16 bytes in two files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct tracelog;
struct store;

/* A link: the top bit and the number of an initial state; or the parent's index and a number, where
 * TRACE_FAR and above are all the same. */
enum { TRACE_ORDINAL_BITS = 25 };
#define TRACE_ROOT UINT64_MAX /* parent of an initial state */
#define TRACE_FAR  ((UINT64_C(1) << TRACE_ORDINAL_BITS) - 1)
static inline uint64_t trace_link(uint64_t parent, uint64_t ordinal)
{
    return parent == TRACE_ROOT
               ? UINT64_C(1) << 63 | ordinal
               : parent << TRACE_ORDINAL_BITS | (ordinal < TRACE_FAR ? ordinal : TRACE_FAR);
}
static inline uint64_t trace_parent(uint64_t link)
{
    return link >> 63 ? TRACE_ROOT : link >> TRACE_ORDINAL_BITS;
}
static inline uint64_t trace_ordinal(uint64_t link)
{
    return link >> 63 ? link & (UINT64_MAX >> 1) : link & TRACE_FAR;
}

struct trace_record {
    uint64_t fp;
    uint64_t link;
    bool has_fp; /* of records that were read */
};

/* keep_fps: for checkpoints. */
MUST_USE int tracelog_new(struct store *store, unsigned writers, bool keep_fps,
                          struct tracelog **ret_log, struct err *err);
void tracelog_free(struct tracelog *log);

/* Appends; only the thread that owns `writer`. *ret_index names the record for ever. */
MUST_USE int tracelog_append(struct tracelog *log, unsigned writer, uint64_t fp, uint64_t link,
                             uint64_t *ret_index, struct err *err);
/* Reads a record that was appended before (and is known to be so through some lock). Any thread.
 * Its fingerprint is known when fingerprints are kept, and always where the number is TRACE_FAR. */
MUST_USE int tracelog_get(struct tracelog *log, uint64_t index, struct trace_record *ret_record,
                          struct err *err);

struct tracelog_mark;
/* Alone: what has been appended so far. partial is made, to be given back with vec_release. */
void tracelog_mark_now(const struct tracelog *log, struct tracelog_mark *mark);
/* Was the record there then? */
bool tracelog_before(const struct tracelog_mark *mark, uint64_t index);

/* ---- checkpoints; alone, and only of a log that keeps fingerprints ---- */
struct tracelog_mark {
    uint64_t nblock;        /* blocks handed out */
    uint64_t count;         /* records */
    uint64_t sum;           /* over all records, in any order */
    size_t npartial;        /* blocks that are not full: of the log's writers */
    uint64_t (*partial)[2]; /* block and records in it; the caller's array */
};
/* Brings everything to disk. mark->partial has room for all writers. */
MUST_USE int tracelog_flush(struct tracelog *log, struct tracelog_mark *mark, struct err *err);
/* Opens the log of an earlier run, forgets what is beyond the mark and calls `each` for every
 * record; ERR_CORRUPT when they are not those of the mark. */
MUST_USE int tracelog_resume(struct tracelog *log, const struct tracelog_mark *mark,
                             int (*each)(void *arg, const struct trace_record *record,
                                         struct err *err),
                             void *arg, struct err *err);
#define TRACELOG_FILE "trace.log"
#define TRACELOG_FPS  "trace.fps"

/* The append-only log of expanded states: (fingerprint, where it came from), from which a path back
 * to an initial state is read.
 *
 * A record is 16 bytes: the fingerprint, and a link that packs the index of the parent's record
 * with the number of the candidate among the parent's successors (or among the initial states).
 * With both, running the model again along the path meets exactly the states of the search,
 * whatever VIEW and SYMMETRY merge. Each thread fills blocks of its own; a full block is written to
 * the file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct tracelog;
struct store;

/* Link of a record: parent's index and the candidate's number. */
#define TRACE_ROOT        ((UINT64_C(1) << 40) - 1) /* parent of an initial state */
#define TRACE_ORDINAL_MAX ((UINT64_C(1) << 24) - 1) /* and above: not known */
static inline uint64_t trace_link(uint64_t parent, uint64_t ordinal)
{
    return parent << 24 | (ordinal < TRACE_ORDINAL_MAX ? ordinal : TRACE_ORDINAL_MAX);
}
static inline uint64_t trace_parent(uint64_t link)
{
    return link >> 24;
}
static inline uint64_t trace_ordinal(uint64_t link)
{
    return link & TRACE_ORDINAL_MAX;
}

struct trace_record {
    uint64_t fp;
    uint64_t link;
};

MUST_USE int tracelog_new(struct store *store, unsigned writers, struct tracelog **ret_log,
                          struct err *err);
void tracelog_free(struct tracelog *log);

/* Appends; only the thread that owns `writer`. *ret_index names the record for ever. */
MUST_USE int tracelog_append(struct tracelog *log, unsigned writer, struct trace_record record,
                             uint64_t *ret_index, struct err *err);
/* Reads a record that was appended before (and is known to be so through some lock). Any thread. */
MUST_USE int tracelog_get(struct tracelog *log, uint64_t index, struct trace_record *ret_record,
                          struct err *err);

/* ---- checkpoints; alone ---- */
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

/* Sorted files of 64-bit keys, the part of the fingerprint set that is on disk. Private to fpset.c.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "check/fpset.h"

struct store;

struct fprun {
    int fd;
    uint64_t id;     /* part of the file's name */
    uint64_t n;      /* keys */
    uint64_t *index; /* first key of each block */
    size_t nindex, index_cap;
};

/* A run being written, key by key in ascending order; a key equal to the last one is dropped. */
struct fprun_writer {
    struct store *store;
    struct fprun run;
    uint64_t *buffer;
    size_t fill;
    uint64_t last;
};

MUST_USE int fprun_begin(struct store *store, uint64_t id, struct fprun_writer *ret_writer,
                         struct err *err);
MUST_USE int fprun_put(struct fprun_writer *writer, uint64_t key, struct err *err);
/* The writer is spent, also on failure. */
MUST_USE int fprun_end(struct fprun_writer *writer, struct fprun *ret_run, struct err *err);
void fprun_abandon(struct fprun_writer *writer);
void fprun_drop(struct store *store, struct fprun *run); /* removes the file */

MUST_USE int fprun_merge(struct store *store, const struct fprun *a, const struct fprun *b,
                         uint64_t id, struct fprun *ret_run, struct err *err);
/* 1 found, 0 not, negative on failure. Any thread. */
MUST_USE int fprun_find(struct store *store, const struct fprun *run, uint64_t key,
                        struct err *err);
/* The batch is sorted by key. Any thread. */
MUST_USE int fprun_match(struct store *store, const struct fprun *run,
                         const struct fpset_batch *batch, struct err *err);

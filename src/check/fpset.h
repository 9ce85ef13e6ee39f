/* The set of fingerprints of all states found: a hash table in memory, sorted files beyond its
 * budget.
 *
 * Inserting is lock-free and may be done by many threads. When the table has no room left,
 * fpset_full says so; the caller brings all threads to a stop and calls fpset_make_room. Once there
 * are files, a fingerprint that is not in memory gets the answer FPSET_MAYBE: the caller collects
 * such answers and settles them together with fpset_resolve, which reads the files from front to
 * back (delayed duplicate detection). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct fpset;
struct store;

enum fpset_answer {
    FPSET_SEEN,
    FPSET_NEW,
    FPSET_MAYBE, /* not in memory; now it is */
    FPSET_AWAY   /* never said by a set: another process knows (peers.h) */
};

/* What a thread keeps for itself. Zero it. */
struct fpset_local {
    uint64_t added; /* not yet told to the set */
};

/* cap_bytes: most memory the table may take. */
MUST_USE int fpset_new(struct store *store, uint64_t cap_bytes, struct fpset **ret_set,
                       struct err *err);
void fpset_free(struct fpset *set);

/* Any thread, but not during the calls marked "alone". */
enum fpset_answer fpset_insert(struct fpset *set, struct fpset_local *local, uint64_t fp);
/* Is it in memory? */
bool fpset_seen(struct fpset *set, uint64_t fp);
/* Fetches the memory that fpset_insert will look at. */
void fpset_prefetch(const struct fpset *set, uint64_t fp);
bool fpset_full(const struct fpset *set);
bool fpset_has_files(const struct fpset *set);
/* Looks in the files only: 1 found, 0 not, negative on failure. */
MUST_USE int fpset_find(struct fpset *set, uint64_t fp, struct err *err);

/* Of a set that nobody adds to any more, any thread: 1 it is there, 0 not, negative on failure. */
MUST_USE int fpset_contains(struct fpset *set, uint64_t fp, struct err *err);

/* Threads that wait for the caller and can help: runs fn(arg, part, nparts) for every part, each on
 * another thread, and returns when all are done. */
struct helpers {
    void (*run)(void *self, void (*fn)(void *arg, unsigned part, unsigned nparts), void *arg);
    void *self;
};

/* Alone. Grows the table or, when that would pass the budget, moves it to a file; every FPSET_MAYBE
 * must have been settled. */
MUST_USE int fpset_make_room(struct fpset *set, const struct helpers *helpers, struct err *err);

struct fpset_query {
    uint64_t key; /* the fingerprint; something else after fpset_resolve */
    uint64_t tag; /* the caller's */
};
/* Alone. Calls `found` with the tag of every query whose fingerprint is in a file, maybe more than
 * once; helpers call it too. */
struct fpset_batch {
    struct fpset_query *queries; /* their order and contents change */
    size_t n;
    void (*found)(void *arg, uint64_t tag);
    void *arg;
};
MUST_USE int fpset_resolve(struct fpset *set, const struct fpset_batch *batch,
                           const struct helpers *helpers, struct err *err);

uint64_t fpset_memory(const struct fpset *set);
uint64_t fpset_disk(const struct fpset *set);
/* Alone: the smallest distance between two fingerprints in memory (UINT64_MAX when there are less
 * than two). */
uint64_t fpset_distance(const struct fpset *set, unsigned threads);

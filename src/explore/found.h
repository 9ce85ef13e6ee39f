/* What a search has found: one finding for each cause, with a recording. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/walk.h"
#include "run/cluster.h"
#include "run/failure.h"

struct finding {
    struct failure failure;
    struct strbuf text; /* one line */
    struct strbuf dir;  /* where its recording is: DIR/replay */
    uint64_t first, n;  /* walk that had it first, from 1 on; walks that had it */
    VEC(uint64_t) path; /* of names; of the smaller run, once that is written */
    size_t found;       /* events as it was found */
    bool confirmed;     /* doing the recording again has led to the same failure */
};
struct found {
    VEC(struct finding) v;
    bool shortest; /* of a cause the shortest run is kept, and not the first: which one is first
                      depends on the number of jobs, where runs learn from each other */
};

void found_done(struct found *found);
/* Notes a walk that failed; path: its events from the root on. One of each cause is kept. */
void found_add(struct found *found, const struct walk *walk, const uint64_t *path, size_t n,
               uint64_t nth);
void found_drop(struct found *found, size_t i);

struct found_options {
    const struct cluster *cluster;
    const char *dir; /* of the search */
    const volatile sig_atomic_t *interrupted;
    uint64_t end_ns; /* clock_mono_ns: then it is small enough; 0: whenever it is done */
};
/* Makes each smaller, writes a recording of it into a directory of its own below dir, and does it
 * again. */
MUST_USE int found_write(struct found *found, struct crew *crew,
                         const struct found_options *options, struct err *err);
/* The same of one that has its path and directory, in a space of its cluster. */
MUST_USE int finding_write(struct finding *finding, struct space *space,
                           const struct found_options *options, struct err *err);
void finding_done(struct finding *finding);

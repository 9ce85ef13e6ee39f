/* Several runs of one cluster: how they ended, how many different ways there were, and what none of
 * them has shown. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"
#include "base/teller.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/runner.h"

/* How one run ended. */
struct run_note {
    uint64_t seed, hash, sometimes;
    int status; /* exit status */
    enum run_verdict verdict;
    struct failure failure;
    struct strbuf text;
};

struct run_set {
    VEC(struct run_note) notes;
};
void run_set_done(struct run_set *set);
void run_set_add(struct run_set *set, uint64_t seed, int status, const struct run_result *result);
/* Notes as lines, from one process to another. */
void run_set_write(const struct run_note *note, FILE *out);
bool run_set_read(struct run_set *set, const char *line);
/* For --report: a case for each run. `several`: each has a directory of its own. */
void run_set_cases(const struct teller *teller, const struct run_set *set,
                   const struct cluster *cluster, const char *out, bool several);
/* The summary, for people or as JSON, and the exit status of all. `must`: what should have happened
 * sometimes and never did is an error. */
int run_set_report(const struct teller *teller, struct run_set *set, const struct cluster *cluster,
                   const char *out, bool json, bool quiet, bool must);

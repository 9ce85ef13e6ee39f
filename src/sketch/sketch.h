/* A mapping file to begin with: actions with their parameters, variables with types from samples of
 * the specification's own states, and where their values may be seen in the programs, from a short
 * run of the cluster. What cannot be known is marked FILL IN. The text can be read, bound and
 * checked as it is (map.h). */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "model/model.h"
#include "run/cluster.h"
#include "sem/sem.h"

struct arena;

/* Operators that should name their steps although they stand inside a conjunction: for
 * eval_options.labels, before the model is made. And those around them, which hide them when they
 * are named themselves. */
struct sketch_labels {
    struct str *names, *around;
    size_t n, n_around;
};
void sketch_labels(const struct program *program, const struct config *config, struct arena *arena,
                   struct sketch_labels *ret);

struct sketch_ask {
    struct model *model;
    const struct program *program;
    const struct config *config;
    const struct cluster *cluster;
    const char *spec_path, *config_path, *cluster_path; /* as the file shall name them */
    const char *dir;             /* exists; what the run leaves behind goes there */
    uint64_t time_ns;            /* of the run; 0: none */
    struct sketch_labels labels; /* if the model was made with them */
    bool labels_refused;         /* it could not be */
    const volatile sig_atomic_t *interrupted;
};
struct sketch_sums { /* what was found, and what is left to say */
    size_t actions, actions_open;
    size_t variables, variables_open;
    struct strbuf run; /* why the run ended early; empty: it did not */
};

/* The text of the file. On a big stack. ERR_INTERRUPTED; ERR_INVALID: no initial state, or
 * evaluation fails. A cluster that cannot run is no error: see sums.run, which the caller frees. */
MUST_USE int sketch_write(const struct sketch_ask *ask, struct strbuf *out,
                          struct sketch_sums *ret_sums, struct err *err);

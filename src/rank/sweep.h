/* A sweep: all combinations of budgets under all configurations, walked and told. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "option/option.h"
#include "rank/rank.h"

/* One combination of budgets under one configuration. */
struct rank_point {
    size_t config;             /* which .cfg */
    uint64_t instance, budget; /* which combination of each sweep */
    struct arena arena;        /* texts of the data */
    struct rank_data data;
    struct strbuf walks;   /* --walks-out */
    struct strbuf trouble; /* what could not be loaded, for people */
    int status;            /* EXIT_OK, or why there is no data */
    bool done;             /* ... and was not interrupted */
};

struct rank_cmd {
    /* options */
    const char *file; /* .toml, or NULL */
    const char *spec;
    VEC(const char *) configs; /* NULL stands for the spec's own */
    struct word_list paths;
    const char **dirs;
    size_t ndir;
    struct rank_sweep instance, budget;
    struct rank_options walk;
    bool has_walks, has_time, has_steps, has_seed;
    double time_s;
    const char *sort;
    struct rank_order order;
    unsigned workers;
    uint64_t points_max;
    const char *out, *walks_out;
    bool json, quiet, missed;
    enum color_when color;
    struct arena arena;
    struct teller teller;
    /* the run */
    struct rank_point *points;
    uint64_t ninstance, nbudget; /* combinations */
    size_t npoint;
    _Atomic size_t next;
    _Atomic size_t finished;
    _Atomic bool abort; /* a point could not be loaded */
};

/* ---- file.c: [instance], [budget] and [rank] of a mapping file ---- */
/* What the command line gave already stands. 0, or EXIT_CONFIG after a message. */
int rank_file_read(struct rank_cmd *cmd);

/* ---- run.c ---- */
/* Walks through all points. EXIT_OK, EXIT_INTERRUPTED, or the status of the first point that could
 * not be loaded. */
int rank_run(struct rank_cmd *cmd);

/* ---- report.c ---- */
void rank_report(struct rank_cmd *cmd, struct strbuf *out); /* tables, for people */
/* A case for each point, for the report. */
void rank_cases(struct rank_cmd *cmd);
void rank_json(struct rank_cmd *cmd, struct strbuf *out);

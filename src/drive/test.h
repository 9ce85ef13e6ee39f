/* A suite of test cases from the state graph of a specification, run on the real programs. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "drive/bridge.h"
#include "graph/graph.h"
#include "job/job.h"
#include "option/option.h"
#include "suite/suite.h"
#include "tour/tour.h"

enum test_plan { TEST_PLAN_AUTO, TEST_PLAN_EC, TEST_PLAN_FLOW, TEST_PLAN_LAYER };

/* What became of one case. */
struct test_outcome {
    bool known;
    enum suite_status status;
    uint32_t owner, step, done, again;
    uint32_t waiting; /* cases that it blocks, and that were told before it was */
    uint64_t ns;
    uint64_t outside[OUTSIDE_KINDS]; /* with --mutants */
    json_t *finding;                 /* or NULL */
};

/* Findings of one kind about one thing after one action. */
struct test_group {
    uint64_t key;
    uint32_t first; /* case */
    uint64_t cases, blocked;
    json_t *finding;
};

/* A source file of the programs. */
struct cover_line {
    uint32_t line;
    uint64_t count;
};
struct cover_function {
    char *name;
    uint32_t line;
    uint64_t count;
};
struct cover_file {
    char *name;
    VEC(struct cover_line) lines;
    VEC(struct cover_function) functions;
};

struct test_cmd {
    struct bridge_options o;
    const char *file; /* mapping, specification or graph */
    const char *graph_out, *suite_in, *suite_out;
    const char *only, *shard, *mutants;
    enum test_plan plan;
    enum tour_cover cover;
    bool reduce, plain, list, resume, stop_first, fresh;
    uint64_t depth, sample_ppm, seed, snapshots;
    double seconds;
    unsigned workers;
    uint32_t shard_part, shard_parts;
    struct word_list first;
    struct arena arena;
    struct bridge bridge;
    bool has_bridge;
    struct graph *graph;
    struct tour *tour;
    struct suite *suite;
    uint32_t *chosen; /* cases to run, in order */
    size_t n_chosen;
    /* what came of it */
    struct test_outcome *outcomes; /* [suite->n] */
    VEC(struct test_group) groups;
    VEC(uint64_t) seen;
    struct conform_times times;
    json_t *error;         /* the first, or NULL */
    struct strbuf missing; /* workers that ended otherwise */
    VEC(struct cover_file) code;
    struct strbuf code_trouble;
    uint64_t code_cases; /* that were counted */
    unsigned cover_run;  /* number of this run in the directory */
    size_t cover_file;   /* while llvm-cov is read: in code */
    uint64_t run_ns;
    int journal; /* descriptor, or -1 */
    bool full;   /* the journal cannot be written */
};

/* ---- test.c ---- */
/* All of it: the suite from a file or a graph, the plan, the run, what came of it. An exit status.
 */
int drive_test(struct test_cmd *cmd);

/* ---- test_graph.c ---- */
/* The graph of cmd->file, or of the mapping's specification. EXIT_OK, or a status after a message.
 */
int test_graph(struct test_cmd *cmd);
/* The plan, and the suite. The bridge is open when there is one. */
int test_plan(struct test_cmd *cmd);

/* ---- test_run.c ---- */
/* Runs what was chosen; fills in the outcomes. */
MUST_USE int test_run(struct test_cmd *cmd, struct err *err);
/* What the session costs: measured on the first steps of the suite. */
bool test_costs(struct test_cmd *cmd, const struct suite *suite, struct tour_costs *ret);
void test_forget(struct test_cmd *cmd); /* all outcomes */

/* ---- test_mutants.c ---- */
/* The suite on the cluster as it should be, then on each defective one. An exit status. */
int test_mutants(struct test_cmd *cmd);
/* test.c: the error of a worker; an exit status. */
int test_tell_error(const struct test_cmd *cmd);

/* ---- test_journal.c ---- */
/* Begins a new journal in the directory, or reads what an earlier run has left there. */
MUST_USE int test_journal_open(struct test_cmd *cmd, struct err *err);
void test_journal_put(struct test_cmd *cmd, const char *line);
void test_journal_close(struct test_cmd *cmd);
/* One line of a worker or of the journal. */
void test_take(struct test_cmd *cmd, const json_t *line);

/* ---- test_cover.c: code that was executed, of programs that count ---- */
void test_cover_begin(struct test_cmd *cmd); /* forgets that of earlier runs, unless they go on */
void test_cover_dir(const struct test_cmd *cmd, unsigned worker, struct strbuf *out);
/* Beside the counts in that directory, if there are any: so many cases are in them. */
MUST_USE int test_cover_cases(const char *dir, size_t cases, struct err *err);
/* Asks gcov and llvm-cov what the counts of the workers mean. */
void test_cover_read(struct test_cmd *cmd);
void test_cover_text(const struct test_cmd *cmd, struct strbuf *out);
json_t *test_cover_json(const struct test_cmd *cmd); /* NULL: nothing was counted */
void test_cover_forget(struct test_cmd *cmd);

/* ---- test_report.c ---- */
struct test_counts {
    uint64_t cases, passed, failed, blocked, stale, left;
    uint64_t steps, again;      /* done */
    uint64_t labels, labels_of; /* different ones */
    uint64_t edges, states;     /* reached; of the graph, if it is there */
};
struct test_counts test_count(const struct test_cmd *cmd);
void test_report_text(struct test_cmd *cmd, struct strbuf *out);
void test_report_json(struct test_cmd *cmd);
/* For --report (test_cases.c). */
void test_cases(struct test_cmd *cmd);
void test_report_plan(const struct test_cmd *cmd, struct strbuf *out);
const char *test_text(const json_t *json, const char *key); /* "" when there is none */

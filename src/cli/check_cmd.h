/* One run of `assay check`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "cli/cli.h"
#include "eval/eval.h"
#include "job/job.h"
#include "option/option.h"

struct check_cmd {
    /* options */
    struct word_list specs, configs; /* as given: several checks, one after the other */
    const char *spec, *config;       /* of this one; no config: the spec's own */
    const char *dir, *resume;
    enum check_mode mode, other_mode; /* other: one that was asked for, too, or CHECK_BFS */
    unsigned workers;
    uint64_t memory_bytes, depth, seed, simulate_num, max_set_size;
    bool has_seed, keep_going, no_deadlock, deadlock, no_symmetry, no_exec, coverage, json, quiet,
        keep, force;
    double checkpoint_s, stop_after_s;
    enum live_when live_when;
    enum color_when color;
    enum tier tier;
    enum { DIFF_AUTO, DIFF_ALWAYS, DIFF_NEVER } diff; /* of behaviours only what changes */
    bool verbose;
    bool por;                     /* partial-order reduction */
    struct order_reduction order; /* what was found for it */
    const char *aux;              /* auxiliary variables: a list, or "auto" */
    struct dump_options dump;
    struct word_list paths, invariants;
    VEC(struct trace_file) traces;
    /* the run */
    struct job job;
    struct palette pal;          /* of standard output */
    bool progress_tty;           /* progress is redrawn in place on standard error */
    _Atomic bool progress_shown; /* a line stands there now */
    uint64_t last_ns, last_generated, printed_ns;
    const char *phase;
    VEC(const char *) left_out; /* variables that are not in the fingerprint */
    int argc;                   /* as it was called */
    char **argv;
    struct strbuf user;   /* output of the spec, for the JSON document */
    struct strbuf warned; /* warnings while it was checked, as rows of that document */
};

/* ---- check_options.c ---- */
/* False after a message. */
bool check_options_parse(struct check_cmd *cmd, int argc, char **argv);

/* ---- check_report.c: for people ---- */
void check_progress_event(void *arg, enum check_event event, const struct check_progress *progress,
                          const struct check_result *result);
void check_progress_clear(struct check_cmd *cmd);
void check_report(struct check_cmd *cmd);

/* ---- check_trace.c: behaviours, for people ---- */
/* Adds a behaviour; what was said of it before stands in `out` from `begin` on. */
void check_print_behaviour(struct check_cmd *cmd, const struct check_violation *v, size_t begin,
                           struct strbuf *out);
/* Adds lines of a text, up to a number; when there are more, which it returns, how many, and
 * `more`.
 */
bool check_print_some(struct str text, size_t max, const char *more, struct strbuf *out);

/* A violation and how it came about, without colours. */
void check_violation_text(struct check_cmd *cmd, const struct check_violation *v,
                          struct strbuf *out);

/* ---- check_cases.c: for --report ---- */
/* What was judged, property by property. */
void check_cases(struct check_cmd *cmd, int status);

/* Diagnostics and start-up failures, with excerpts of the source. */
void report_diags(const struct spec *spec, bool color, struct strbuf *out);

/* ---- check_json.c: for programs ---- */
/* Adds a row to those of "warnings". */
void check_json_warning(struct strbuf *rows, int code, const char *text);
/* The whole outcome as one document. `err`: when there is no result, what went wrong (may be NULL).
 */
void check_json(struct check_cmd *cmd, int status, const char *failure);

/* ---- reduce.c: reductions of the state space ---- */
/* Applies what the command line asks for to the model. EXIT_OK, or a status with a text. */
int reduce_setup(struct check_cmd *cmd, struct strbuf *text);
void reduce_describe(const struct check_cmd *cmd, struct strbuf *out);
void reduce_json(const struct check_cmd *cmd, struct strbuf *out);

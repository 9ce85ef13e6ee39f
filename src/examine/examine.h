/* A specification, checked as somebody asks for it: searched, told, reported. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/human.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "check/check.h"
#include "eval/eval.h"
#include "job/job.h"
#include "option/option.h"
#include "trace/trace.h"

/* The numbers of a search over time; several threads may look. */
struct examine_progress {
    pthread_mutex_t lock;
    VEC(struct check_progress) rows;
    uint64_t every, skipped; /* of so many rows one is kept */
    struct strbuf name;
    unsigned workers;
    const char *verdict; /* NULL: it runs */
    int status;
};

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
    enum job_gpu gpu;
    unsigned gpu_device;
    uint64_t gpu_bytes;
    enum { DIFF_AUTO, DIFF_ALWAYS, DIFF_NEVER } diff; /* of behaviours only what changes */
    bool verbose;
    bool live_page;               /* --live without a value, so far */
    bool por;                     /* partial-order reduction */
    struct order_reduction order; /* what was found for it */
    const char *aux;              /* auxiliary variables: a list, or "auto" */
    struct dump_options dump;
    struct word_list paths, invariants;
    VEC(struct trace_file) traces;
    struct teller teller;
    struct examine_progress *progress; /* kept for whoever looks; NULL: nobody does */
    /* the run */
    struct job job;
    struct ranks *ranks;         /* several processes; NULL: this one is alone */
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

/* ---- run.c ---- */
/* All that the options name, one after the other; what there is to say goes to the teller, what was
 * judged into its report. An exit status. `part`: the end of one of several; may be NULL. */
int examine_all(struct check_cmd *cmd, void (*part)(const char *name, int status));

/* ---- progress.c ---- */
struct examine_progress *examine_progress_new(void);
void examine_progress_free(struct examine_progress *p); /* accepts NULL */
void examine_progress_begin(struct examine_progress *p, const char *name, unsigned workers);
void examine_progress_note(struct examine_progress *p, const struct check_progress *row);
/* The numbers at its end. */
void examine_progress_last(struct examine_progress *p, const struct check_result *r);
void examine_progress_end(struct examine_progress *p, const char *verdict, int status);
/* ,"progress":[...], or nothing when it was over at once. */
void examine_progress_json(struct examine_progress *p, struct strbuf *out);
/* A document "statistics" (docs/schema/assay.schema.json); the argument is the progress. */
void examine_progress_document(void *progress, struct strbuf *out);

/* ---- report.c: for people ---- */
void examine_event(void *arg, enum check_event event, const struct check_progress *progress,
                   const struct check_result *result);
void examine_clear(struct check_cmd *cmd);
void examine_report(struct check_cmd *cmd);

/* ---- trace.c: behaviours, for people ---- */
/* Adds a behaviour; what was said of it before stands in `out` from `begin` on. */
void examine_behaviour(struct check_cmd *cmd, const struct check_violation *v, size_t begin,
                       struct strbuf *out);
/* Adds lines of a text, up to a number; when there are more, which it returns, how many, and
 * `more`.
 */
bool examine_some(struct str text, size_t max, const char *more, struct strbuf *out);

/* The states of a trace from `first` to `last` (from 0 on), as `assay check` shows them; with
 * `diff` of the later ones only what changes. */
void examine_states(const struct palette *pal, struct vctx *ctx, const struct trace *trace,
                    size_t first, size_t last, bool diff, struct strbuf *out);

/* A violation and how it came about, without colours; the argument is the command. */
void examine_violation_text(void *arg, const struct check_violation *v, struct strbuf *out);

/* ---- json.c: for programs ---- */
/* Adds a row to those of "warnings". */
void examine_json_warning(struct strbuf *rows, int code, const char *text);
/* The whole outcome as one document. `err`: when there is no result, what went wrong (may be NULL).
 */
void examine_json(struct check_cmd *cmd, int status, const char *failure);

/* ---- reduce.c: reductions of the state space ---- */
/* Applies what the command line asks for to the model. EXIT_OK, or a status with a text. */
int reduce_setup(struct check_cmd *cmd, struct strbuf *text);
void reduce_describe(const struct check_cmd *cmd, struct strbuf *out);
void reduce_json(const struct check_cmd *cmd, struct strbuf *out);

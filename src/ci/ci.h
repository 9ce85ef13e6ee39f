/* Many jobs of assay, of a file: what each of them reads, what is known of it from an earlier time,
 * those that must be run side by side, one summary.
 *
 * A job is a command line of assay. Its result is a function of what it reads: the words of the
 * command, the files that these name and all that those name (modules, configurations, mappings,
 * cluster files, programs with their libraries), and assay itself. So an equal input gives an equal
 * result, a result can be remembered, and a second run that gives another one is an error by
 * itself. What depends on time - a limit was reached - is never remembered.
 *
 * Nothing is printed here; no arguments are read. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/human.h"
#include "base/str.h"
#include "base/vec.h"

struct report;

/* ---- the file (file.c) ---- */

enum { CI_KEY = 32 }; /* hexadecimal digits */

/* Something that a job reads. */
struct ci_input {
    const char *what; /* "file specs/A.tla", "command", "assay" */
    const char *value;
};

enum ci_state {
    CI_TO_RUN,
    CI_REMEMBERED, /* the result of an earlier time */
    CI_DONE,
    CI_NOT_RUN /* interrupted, or no time was left */
};

struct ci_case {
    const char *group, *name, *outcome, *kind, *message, *details; /* NULL: not there */
    double seconds;
};

struct ci_result {
    int status;      /* of the command */
    bool over;       /* it was ended: its time was up */
    bool remembered; /* it is from an earlier time */
    bool differs;    /* from what is remembered of the same inputs */
    double seconds;
    char *report;     /* JSON, as the command wrote it (heap), or NULL: it wrote none */
    const char *said; /* the file with what it said */
};

struct ci_job {
    const char *name;
    unsigned line;      /* in the file */
    const char **words; /* of the command, from its name on */
    size_t n_words;
    double time_s;         /* at most */
    int expect;            /* the exit status that is wanted */
    const char **patterns; /* files that it reads besides those that can be seen */
    size_t n_patterns;
    /* the plan */
    struct ci_input *inputs;
    size_t n_inputs;
    char key[CI_KEY + 1];
    const char *why; /* it is run, or not */
    double took_s;   /* at an earlier time; 0: not known */
    enum ci_state state;
    struct ci_result result;
};

struct ci {
    struct arena arena;
    const char *path; /* of the file */
    const char *dir;  /* its directory: where jobs run */
    const char *cache, *out;
    double time_s; /* for all; 0: no limit */
    unsigned jobs; /* side by side; 0: as many as there are processors */
    struct ci_job *v;
    size_t n;
};

/* Commands that a job may be: those that judge. The list ends with NULL. */
extern const char *const ci_commands[];
/* Reads the file. What is wrong there is in err: where, and what would be right. */
MUST_USE int ci_read(struct ci *ci, const char *path, struct err *err);
void ci_done(struct ci *ci); /* accepts a zeroed one */
/* Leaves only jobs of this name, or whose name begins with it and a colon. Their number. */
size_t ci_only(struct ci *ci, const char *const *names, size_t n);

/* ---- the plan (inputs.c, plan.c) ---- */

/* What each job reads, by contents; what is remembered of it; what is to be run, and why. `program`
 * is assay's own file; with `all`, jobs are run whatever is remembered. On a big stack: modules are
 * parsed. */
MUST_USE int ci_plan(struct ci *ci, const char *program, bool all, struct err *err);

/* ---- running (run.c) ---- */
struct ci_events {
    void (*begins)(void *arg, const struct ci_job *job);
    void (*ends)(void *arg, const struct ci_job *job);
    void *arg;
};
/* Those that are to be run, side by side, each in a process of its own that does not outlive us.
 * Each result is remembered as soon as it is there. err: nothing could be started. */
MUST_USE int ci_run(struct ci *ci, const char *program, const struct ci_events *events,
                    const volatile sig_atomic_t *stop, struct err *err);

/* ---- the outcome (outcome.c) ---- */
enum ci_outcome { CI_OK, CI_UNDECIDED, CI_FAILED, CI_DIFFERS, CI_ERROR, CI_SKIPPED };
const char *ci_outcome_name(enum ci_outcome outcome);
enum ci_outcome ci_outcome_of(const struct ci_job *job);
/* One line: what was found. Lives in the arena. */
const char *ci_line(struct ci *ci, const struct ci_job *job);
/* The status of the worst job; of equally bad ones, of the first. */
int ci_status(const struct ci *ci, bool interrupted);
/* All cases and findings of all jobs. */
void ci_report(struct ci *ci, struct report *report);

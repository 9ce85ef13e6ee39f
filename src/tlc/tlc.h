/* One run with TLC's command line, messages and exit statuses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"
#include "base/teller.h"
#include "base/vec.h"
#include "check/check.h"
#include "job/job.h"
#include "tlc/message.h"
#include "tlc/options.h"

struct replay;

struct tlc {
    struct tlc_options o;
    struct tlc_out out;
    struct job job;
    const struct teller *teller;
    uint64_t start_ms;
    int64_t seed;
    const char *metadir; /* where the run's files are */
    FILE *user;          /* -userFile; NULL = standard output */
    struct strbuf held;  /* user output that waits until the model is ready */
    size_t held_early;   /* as much of it as comes before the warnings about the configuration */
    bool hold;
    /* progress: state of the last line printed */
    uint64_t progress_ms; /* when; 0 = never */
    uint64_t last_generated, last_distinct;
    uint64_t init_told; /* initial states, as last announced */
    bool init_over;
    uint64_t levels;   /* DFID: levels announced */
    uint32_t branches; /* of the temporal formulas */
    uint64_t live_start_ms;
    struct strbuf live_done; /* "Finished checking temporal properties ...", printed after the
                                violation it found */
    size_t violations_printed;
    int exit_status; /* of violations printed with -continue; 0 = none */
    struct dump *dump;
    struct replay *replay;      /* -loadTrace */
    struct mworker *sim_worker; /* prints the states of simulated behaviours */
    VEC(uint64_t) sim_flow;     /* -simulate stats=...: steps from action to action, a square */
    bool sim_failed;            /* a file could not be written: said once */
};

/* One run, with TLC's command line; argv[0] is not looked at. What it says goes to teller->out,
 * what TLC's virtual machine would say to teller->err. Returns TLC's exit status. */
int tlc_run(const struct teller *teller, int argc, char **argv);

/* ---- report.c: messages while the search runs and after it ---- */
void tlc_event(void *arg, enum check_event event, const struct check_progress *progress,
               const struct check_result *result);
/* Prints the outcome with its trace and the summary; returns the exit status. */
int tlc_report(struct tlc *tlc);

/* ---- trace.c ---- */
/* Prints the states of a violation; `level_first` says how the first state is announced. */
void tlc_print_trace(struct tlc *tlc, const struct check_violation *violation);
/* Writes the files of -dumpTrace. */
void tlc_write_traces(struct tlc *tlc, const struct check_violation *violation);

/* ---- coverage.c ---- */
void tlc_coverage(struct tlc *tlc);

/* ---- sim.c ---- */
void tlc_sim_install(struct tlc *tlc);
void tlc_sim_done(struct tlc *tlc);

/* ---- te.c ---- */
/* The trace exploration spec: written next to the spec after a violation; prints 2501. */
void tlc_trace_spec(struct tlc *tlc);

/* "line 5, col 8 to line 5, col 41 of module Ok" */
void tlc_place(const struct spec *spec, struct span span, struct strbuf *out);
/* "mm'min' ss's'" as TLC prints durations. */
void tlc_duration(uint64_t ms, struct strbuf *out);

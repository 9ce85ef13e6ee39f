/* The command line of TLC: single-dash options, and the system properties (-Dname=value) that
 * people pass to its Java machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "job/job.h"
#include "option/option.h"
#include "tlc/message.h"

struct tlc_trace_file {
    const char *format; /* json, tla, tlc, tlcplain, tlcTESpec, tlcaction, dot */
    const char *path;
};

struct tlc_options {
    const char *spec;   /* without .tla */
    const char *config; /* as given */
    const char *recover, *metadir, *user_file, *te_dir;
    const char *library;        /* -DTLA-Library */
    const char *simulate_file;  /* prefix of the files for behaviours */
    const char *simulate_stats; /* "basic", "full" or NULL */
    struct strbuf dump_path;
    uint64_t simulate_num; /* 0 = no limit */
    uint64_t depth, max_set_size;
    int64_t seed, aril, fp;
    int64_t dfid;           /* -1 = no */
    int64_t level_max;      /* -invlevel; 0 = none */
    int64_t coverage_min;   /* -1 = no coverage */
    int64_t checkpoint_min; /* minutes */
    double stop_after_s, progress_s;
    VEC(const char *) invariants;
    VEC(const char *) postconditions;
    VEC(const char *) properties; /* "name=value" of -D */
    VEC(struct tlc_trace_file) traces;
    struct tlc_trace_file load;
    struct dump_options dump;
    enum live_when live_when;
    unsigned workers;
    bool simulate, generate, has_seed, checkpoint_given;
    bool no_deadlock, keep_going, difftrace, view, terse, cleanup, debug;
    bool te_off, te_forced, te_no_bin;
    bool as_milliseconds, depth_first, no_symmetry, action_composition; /* properties */
};

extern const struct option options_of_tlc[];
/* What its help says of it. */
/* clang-format off */
#define TLC_ABOUT \
    "As check, with the command line, the output and the exit statuses of TLC, also with -tool: existing scripts and " \
    "editors work unchanged. The program does this, too, when it is called by the name tlc. Called by the name java " \
    "it understands how editors start TLC.\n" \
    "Properties: -DTLA-Library=DIR:DIR -Dtlc2.TLC.stopAfter=SECONDS " \
    "-Dtlc2.TLC.progressInterval=SECONDS ..."
/* clang-format on */

/* Reads argv[1..]. Returns true, or false after it has printed what is wrong (or the help). Arrays
 * come from the heap: tlc_options_done. */
bool tlc_options_parse(struct tlc_options *options, struct tlc_out *out, int argc, char **argv);
void tlc_options_done(struct tlc_options *options);
/* "TLC2 Version ...": printed once, before anything else. */
void tlc_welcome(struct tlc_out *out);

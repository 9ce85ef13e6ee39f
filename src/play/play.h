/* What is done with clusters for people: runs, recordings done again and made smaller, searches.
 * Each of these reads its files, says what it has to say to the teller, and returns an exit status.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/teller.h"
#include "explore/explore.h"

enum { BOOTS_MOST = 4 };

struct run_args {
    const char *file, *out, *trace;
    const char *allow[64];
    size_t n_allow;
    char *allow_text; /* owned; allow points into it */
    uint64_t seed, runs, jobs, verify, events, preemptions, branches, walks, states;
    double seconds, escape;
    uint64_t boots[BOOTS_MOST]; /* sorted */
    size_t n_boots;
    const char *boot_dir, *cache; /* where boots are kept; for them */
    int cpu;
    struct teller teller;
    bool has_seed, no_faults, json, quiet, ci, pcap, capture, shiviz, jsonl, interactive;
};

struct replay_args {
    const char *file, *out;
    const char *cluster;          /* instead of the file that the recording names */
    const char *gdb, *gdb_script; /* node to debug; commands for gdb instead of a terminal */
    uint64_t until;
    struct teller teller;
    bool allow_checks;
    bool json, pcap, capture, shiviz, jsonl, gdb_listen;
};

struct explore_args {
    const char *file, *strategy, *out, *resume, *blame, *graph;
    uint64_t seed, runs, jobs;
    double seconds;
    enum explore_strategy kind;
    struct teller teller;
    bool has_seed, all, json, quiet;
};

int play_run(struct run_args *a);
int play_replay(const struct replay_args *a);
int play_shrink(const struct replay_args *a);
int play_search(struct explore_args *a);

/* `assay run`: its options. */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "cli/reports.h"
#include "job/job.h"
#include "option/option.h"
#include "play/play.h"

enum { JOBS_MOST = 1024 };

static const char *set_seed(void *to, const char *value)
{
    struct run_args *a = to;
    a->has_seed = true;
    return read_u64(value, &a->seed) ? NULL : "a number";
}

static const char *set_cpu(void *to, const char *value)
{
    uint64_t cpu = 0;
    if (!read_u64(value, &cpu) || cpu > INT_MAX) {
        return "the number of a processor";
    }
    ((struct run_args *)to)->cpu = (int)cpu;
    return NULL;
}

static const char *set_escape(void *to, const char *value)
{
    struct run_args *a = to;
    return read_duration(value, &a->escape) && a->escape >= 0.001 ? NULL : "a time such as 0.2s";
}

/* Puts a time where it belongs, once. */
static bool add_boot(struct run_args *a, uint64_t ns)
{
    size_t at = 0;
    while (at < a->n_boots && a->boots[at] < ns) {
        at++;
    }
    if (at < a->n_boots && a->boots[at] == ns) {
        return true;
    }
    if (a->n_boots == BOOTS_MOST) {
        return false;
    }
    memmove(a->boots + at + 1, a->boots + at, (a->n_boots - at) * sizeof a->boots[0]);
    a->boots[at] = ns;
    a->n_boots++;
    return true;
}

static const char *set_boots(void *to, const char *value)
{
    struct run_args *a = to;
    char text[128], *save = NULL;
    a->n_boots = 0;
    bool good = strlen(value) < sizeof text;
    (void)snprintf(text, sizeof text, "%s", value);
    for (char *one = strtok_r(text, ",", &save); good && one != NULL;
         one = strtok_r(NULL, ",", &save)) {
        double seconds = 0;
        good =
            read_duration(one, &seconds) && seconds > 0 && add_boot(a, (uint64_t)(seconds * 1e9));
    }
    return good && a->n_boots != 0 ? NULL : "a time such as 5s, or up to four: 5s,20s";
}

static const char *set_allow(void *to, const char *value)
{
    struct run_args *a = to;
    char *save = NULL;
    free(a->allow_text);
    a->allow_text = strdup(value);
    a->n_allow = 0;
    for (char *name = a->allow_text != NULL ? strtok_r(a->allow_text, ",", &save) : NULL;
         name != NULL; name = strtok_r(NULL, ",", &save)) {
        if (a->n_allow + 1 == sizeof a->allow / sizeof a->allow[0]) {
            return "fewer names";
        }
        a->allow[a->n_allow++] = name;
    }
    return NULL;
}

#define CMD struct run_args
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_run[] = {
    {"", 0, "CLUSTER.toml", "*.toml", TO_TEXT(CMD, file), "", NULL},
    {"seed", 0, "N", NULL, TO_CALL(set_seed), "of everything that is random (default: the file's, else 1)", NULL},
    {"runs", 0, "N", NULL, TO_COUNT(CMD, runs), "that many runs, with seeds from --seed on", NULL},
    {"jobs", 'j', "N", NULL, TO_COUNT(CMD, jobs), "that many of them at a time; only what is wrong is printed, and a summary", NULL},
    {"time", 0, "TIME", NULL, TO_TIME(CMD, seconds), "of virtual time, such as 30s or 2m", NULL},
    {"events", 0, "N", NULL, TO_COUNT(CMD, events), "events at most", NULL},
    {"preemptions", 0, "N", NULL, TO_COUNT(CMD, preemptions),
     "N times at most another thread runs than would by itself, where threads make system calls", NULL},
    {"no-faults", 0, NULL, NULL, TO_FLAG(CMD, no_faults), "only what [[event]] says", NULL},
    {"interactive", 'i', NULL, NULL, TO_FLAG(CMD, interactive),
     "choose each event at a prompt, or from a pipe; 'help' there tells more", NULL},
    {"verify", 0, "N", NULL, TO_COUNT(CMD, verify),
     "then N runs more under other conditions: every event must be the same", NULL},
    {"ci", 0, NULL, NULL, TO_FLAG(CMD, ci), "a fault that was asked for and never happened is an error", NULL},
    {"out", 'o', "DIR", COMPLETE_DIR, TO_TEXT(CMD, out), "logs of nodes, events.txt and replay go there (assay-run)",
     NULL},
    {"pcap", 0, NULL, NULL, TO_FLAG(CMD, pcap), "also packets, for Wireshark", NULL},
    {"capture", 0, NULL, NULL, TO_FLAG(CMD, capture), "also what each node sends, receives and syncs, for `assay watch`", NULL},
    {"shiviz", 0, NULL, NULL, TO_FLAG(CMD, shiviz), "also events for ShiViz", NULL},
    {"jsonl", 0, NULL, NULL, TO_FLAG(CMD, jsonl), "also events as JSON lines", NULL},
    {"trace", 0, "FILE", COMPLETE_FILE, TO_TEXT(CMD, trace), "write every system call", NULL},
    {"allow", 0, "NAME,...", NULL, TO_CALL(set_allow), "let unmodelled system calls through to the real kernel", NULL},
    {"spin-escape", 0, "TIME", NULL, TO_CALL(set_escape),
     "leave loops without system calls that only wait, after TIME of real time", NULL},
    {"boot-cache", 0, "TIME,...", NULL, TO_CALL(set_boots),
     "keep the state of the cluster at TIME; a run that is the same until then begins there", NULL},
    {"branch-bench", 0, "N", NULL, TO_COUNT(CMD, branches),
     "snapshot half way and run on from there N times: speed, and equality", NULL},
    {"check-independence", 0, "N", NULL, TO_COUNT(CMD, walks),
     "half way, N random walks, each done again with events at different nodes in another order: memory must be the same", NULL},
    {"check-states", 0, "N", NULL, TO_COUNT(CMD, states),
     "half way, N random walks from snapshots: hashes of states must be those of the slow way; and what it costs", NULL},
    {"cpu", 0, "N", NULL, TO_CALL(set_cpu), "the processor to run on", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "one JSON document for each run", NULL},
    REPORT_OPTION,
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, quiet), "only what is wrong", NULL},
    OPTIONS_END,
};
/* clang-format on */

static int parse_args(int argc, char **argv, struct run_args *ret)
{
    *ret = (struct run_args){.runs = 1, .jobs = 1, .out = "assay-run", .cpu = -1};
    int status = options_parse(options_of_run, argc, argv, ret);
    if (status == EXIT_OK && ret->interactive &&
        (ret->runs != 1 || ret->verify != 0 || ret->branches != 0)) {
        status = usage_error("run", "--interactive is one run: not with --runs, --verify or "
                                    "--branch-bench; 'assay replay' does it again");
    }
    ret->jobs = ret->jobs < ret->runs ? ret->jobs : ret->runs;
    if (status == EXIT_OK && ret->jobs > JOBS_MOST) {
        status = usage_error("run", "--jobs: at most %d", JOBS_MOST);
    }
    if (status == EXIT_OK && ret->jobs > 1 && (ret->trace != NULL || ret->cpu >= 0)) {
        status = usage_error("run", "--trace and --cpu are not for several runs at a time");
    }
    if (status == EXIT_OK && ret->file == NULL) {
        status = usage_error("run", "the cluster file is missing; 'assay init' writes one");
    }
    if (status == EXIT_OK && wrong_kind("run", ret->file, KIND_CLUSTER)) {
        status = EXIT_USAGE;
    }
    return status;
}

int cmd_run(int argc, char **argv)
{
    struct run_args a;
    struct arena arena;
    int status = parse_args(argc, argv, &a);
    arena_init(&arena, 0);
    if (status == EXIT_OK) {
        a.teller = teller_here();
        a.cache = job_cache_dir(&arena);
        status = play_run(&a);
    }
    free(a.allow_text);
    arena_done(&arena);
    return status;
}

/* `assay replay` and `assay shrink`: their options. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "cli/reports.h"
#include "option/option.h"
#include "play/play.h"

#define CMD struct replay_args
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_replay[] = {
    {"", 0, "DIR/replay", "*replay", TO_TEXT(CMD, file), "", NULL},
    {"until", 0, "N", NULL, TO_COUNT(CMD, until), "stop after event N", NULL},
    {"cluster", 0, "FILE", "*.toml", TO_TEXT(CMD, cluster), "the cluster file, if it is not where the recording says",
     NULL},
    {"allow-checks", 0, NULL, NULL, TO_FLAG(CMD, allow_checks),
     "run the programs of [[check]], and let calls through (allow), though you have never run this cluster file",
     NULL},
    {"gdb", 0, "NODE", NULL, TO_TEXT(CMD, gdb),
     "stop there (else at the end) for gdb, on the node's first process: threads, memory, breakpoints, steps; "
     "'continue' goes on with the recorded run", NULL},
    {"gdb-script", 0, "FILE", COMPLETE_FILE, TO_TEXT(CMD, gdb_script), "commands for gdb, which then asks for nothing",
     NULL},
    {"gdb-listen", 0, NULL, NULL, TO_FLAG(CMD, gdb_listen), "say where to connect instead of starting gdb", NULL},
    {"out", 'o', "DIR", COMPLETE_DIR, TO_TEXT(CMD, out), "where logs and events go (assay-replay)", NULL},
    {"pcap", 0, NULL, NULL, TO_FLAG(CMD, pcap), "also packets, for Wireshark", NULL},
    {"capture", 0, NULL, NULL, TO_FLAG(CMD, capture), "also what each node sends, receives and syncs, for `assay watch`", NULL},
    {"shiviz", 0, NULL, NULL, TO_FLAG(CMD, shiviz), "also events for ShiViz", NULL},
    {"jsonl", 0, NULL, NULL, TO_FLAG(CMD, jsonl), "also events as JSON lines", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "one JSON document", NULL},
    REPORT_OPTION,
    OPTIONS_END,
};
const struct option options_of_shrink[] = {
    {"", 0, "DIR/replay", "*replay", TO_TEXT(CMD, file), "", NULL},
    {"cluster", 0, "FILE", "*.toml", TO_TEXT(CMD, cluster), "the cluster file, if it is not where the recording says",
     NULL},
    {"allow-checks", 0, NULL, NULL, TO_FLAG(CMD, allow_checks),
     "run the programs of [[check]], and let calls through (allow), though you have never run this cluster file",
     NULL},
    {"out", 'o', "DIR", COMPLETE_DIR, TO_TEXT(CMD, out), "where the smaller run goes (assay-replay)", NULL},
    REPORT_OPTION,
    OPTIONS_END,
};
/* clang-format on */

static int parse_args(const struct option *options, int argc, char **argv, struct replay_args *ret)
{
    *ret = (struct replay_args){.out = "assay-replay"};
    int status = options_parse(options, argc, argv, ret);
    if (status == EXIT_OK && ret->file == NULL) {
        status = usage_error(argv[0], "the file of a recorded run is missing");
    }
    if (status == EXIT_OK && wrong_kind(argv[0], ret->file, KIND_RECORDED)) {
        status = EXIT_USAGE;
    }
    return status;
}

int cmd_replay(int argc, char **argv)
{
    struct replay_args a;
    int status = parse_args(options_of_replay, argc, argv, &a);
    a.teller = teller_here();
    return status == EXIT_OK ? play_replay(&a) : status;
}

int cmd_shrink(int argc, char **argv)
{
    struct replay_args a;
    int status = parse_args(options_of_shrink, argc, argv, &a);
    a.teller = teller_here();
    return status == EXIT_OK ? play_shrink(&a) : status;
}

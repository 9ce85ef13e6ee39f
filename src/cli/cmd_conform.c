/* `assay conform`: its options. */
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
#include "drive/bridge.h"
#include "drive/drive.h"
#include "option/option.h"
#include "report/report.h"

static const char *set_time(void *to, const char *value)
{
    struct conform_cmd *cmd = to;
    return read_duration(value, &cmd->seconds) && cmd->seconds > 0 ? NULL : "a time such as 30m";
}

static const char *set_walks(void *to, const char *value)
{
    struct conform_cmd *cmd = to;
    cmd->has_walks = true;
    return read_count(value, &cmd->walks) ? NULL : "a number above 0";
}

static const char *set_junit(void *to, const char *value)
{
    (void)to;
    return reports_add(REPORT_JUNIT, value);
}

/* A row for each option, in the columns of struct option. */
/* clang-format off */
#define CMD struct conform_cmd
const struct option options_of_conform[] = {
    {"", 0, "MAPPING.assay.toml", "*.toml", TO_TEXT(CMD, o.map), "", NULL},
    {"walks", 0, "N", NULL, TO_CALL(set_walks), "that many behaviours (100)", NULL},
    {"time", 0, "TIME", NULL, TO_CALL(set_time), "or: until then, such as 30m", NULL},
    {"depth", 0, "N", NULL, TO_COUNT(CMD, depth), "steps of a behaviour at most (50)", NULL},
    {"seed", 0, "N", NULL, TO_NUMBER(CMD, seed), "the same seed gives the same report (1)", NULL},
    {"workers", 'w', "N|auto", "auto 1 2 4 8", TO_WORKERS(CMD, workers),
     "processes, each with a cluster of its own (auto, all cores)", NULL},
    {"coverage", 0, NULL, NULL, TO_FLAG(CMD, o.coverage), "which branches of the next-state relation were taken", NULL},
    {"explain", 0, "VAR", NULL, TO_TEXT(CMD, explain),
     "one behaviour, and where the value of this variable comes from at its end, step by step", NULL},
    {"stop-first", 0, NULL, NULL, TO_FLAG(CMD, stop_first), "stop at the first finding", NULL},
    {"no-shrink", 0, NULL, NULL, TO_FLAG(CMD, no_shrink), "do not leave out steps that a finding does not need", NULL},
    {"uniform", 0, NULL, NULL, TO_FLAG(CMD, uniform), "draw steps by their weights alone, not by what has been rare", NULL},
    {"fresh", 0, NULL, NULL, TO_FLAG(CMD, fresh),
     "boot the cluster for every behaviour instead of going back to a snapshot", NULL},
    {"cold", 0, NULL, NULL, TO_FLAG(CMD, cold), "and load every program for it instead of copying a loaded one", NULL},
    {"junit", 0, "FILE", "*.xml", TO_CALL(set_junit), "also as JUnit XML: the same as --report junit=FILE", NULL},
    REPORT_OPTION,
    BRIDGE_OPTIONS(CMD, "replay files and logs go there (assay-conform)", "only the verdict and what is wrong"),
    OPTIONS_END,
};
/* clang-format on */

static int parse_args(int argc, char **argv, struct conform_cmd *cmd)
{
    int status = options_parse(options_of_conform, argc, argv, cmd);
    if (status == EXIT_OK && cmd->o.map == NULL) {
        status = usage_error("conform", "the mapping file is missing");
    }
    if (status == EXIT_OK && wrong_kind("conform", cmd->o.map, KIND_MAPPING)) {
        status = EXIT_USAGE;
    }
    if (cmd->seconds > 0 && !cmd->has_walks) {
        cmd->walks = UINT64_MAX;
    }
    search_dirs_all(&cmd->arena, &cmd->o.paths, &cmd->o.dirs, &cmd->o.ndir);
    return status;
}

int cmd_conform(int argc, char **argv)
{
    struct conform_cmd cmd = {.o = {.out = "assay-conform"},
                              .walks = 100,
                              .depth = 50,
                              .seed = 1,
                              .workers = cpu_count()};
    arena_init(&cmd.arena, 0);
    int status = parse_args(argc, argv, &cmd);
    cmd.o.teller = teller_here();
    status = status == EXIT_OK ? drive_conform(&cmd) : status;
    arena_done(&cmd.arena);
    return status;
}

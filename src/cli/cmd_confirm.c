/* `assay confirm`: its options. */
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

static bool is_map(const char *path)
{
    size_t n = strlen(path);
    return n > 5 && strcmp(path + n - 5, ".toml") == 0;
}

static const char *set_file(void *to, const char *value)
{
    struct confirm_cmd *cmd = to;
    *(is_map(value) ? &cmd->o.map : &cmd->trace) = value;
    return NULL;
}

/* A row for each option, in the columns of struct option. */
/* clang-format off */
#define CMD struct confirm_cmd
const struct option options_of_confirm[] = {
    {"", 0, "FILE", "*.toml *.json", TO_CALL(set_file), "", NULL},
    REPORT_OPTION,
    BRIDGE_OPTIONS(CMD, "the replay file and logs go there (assay-confirm)", "the verdict only"),
    OPTIONS_END,
};
/* clang-format on */

static int parse_args(int argc, char **argv, struct confirm_cmd *cmd)
{
    int status = options_parse(options_of_confirm, argc, argv, cmd);
    if (status == EXIT_OK && (cmd->o.map == NULL || cmd->trace == NULL)) {
        status = usage_error("confirm", "a mapping file (.toml) and a trace are needed");
    }
    if (status == EXIT_OK && (wrong_kind("confirm", cmd->o.map, KIND_MAPPING) ||
                              wrong_kind("confirm", cmd->trace, KIND_TRACE))) {
        status = EXIT_USAGE;
    }
    search_dirs_all(&cmd->arena, &cmd->o.paths, &cmd->o.dirs, &cmd->o.ndir);
    return status;
}

int cmd_confirm(int argc, char **argv)
{
    struct confirm_cmd cmd = {.o = {.out = "assay-confirm"}};
    arena_init(&cmd.arena, 0);
    int status = parse_args(argc, argv, &cmd);
    cmd.o.teller = teller_here();
    status = status != EXIT_OK ? status : drive_confirm(&cmd);
    arena_done(&cmd.arena);
    return status;
}

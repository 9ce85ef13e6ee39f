/* `assay test`: its options. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "cli/reports.h"
#include "drive/bridge.h"
#include "drive/test.h"
#include "option/option.h"
#include "report/report.h"

static const char *set_word(const char *value, const char *const *words, int *ret)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], value) == 0) {
            *ret = i;
            return NULL;
        }
    }
    return "another word";
}

static const char *set_plan(void *to, const char *value)
{
    static const char *const words[] = {"auto", "ec", "flow", "layer", NULL}; /* ORDER test_plan */
    int word = 0;
    bool bad = set_word(value, words, &word) != NULL;
    ((struct test_cmd *)to)->plan = (enum test_plan)word;
    return bad ? "auto, flow, layer or ec" : NULL;
}

static const char *set_cover(void *to, const char *value)
{
    static const char *const words[] = {"edges", "states", "pairs", NULL}; /* ORDER tour_cover */
    int word = 0;
    bool bad = set_word(value, words, &word) != NULL;
    ((struct test_cmd *)to)->cover = (enum tour_cover)word;
    return bad ? "edges, states or pairs" : NULL;
}

static const char *set_sample(void *to, const char *value)
{
    char *end = NULL;
    double percent = strtod(value, &end);
    ((struct test_cmd *)to)->sample_ppm = (uint64_t)(percent * 1e4);
    bool good =
        end != value && (*end == '\0' || strcmp(end, "%") == 0) && percent > 0 && percent <= 100;
    return good ? NULL : "a percentage such as 30%";
}

static const char *set_shard(void *to, const char *value)
{
    struct test_cmd *cmd = to;
    char *slash = NULL, *end = NULL;
    unsigned long part = strtoul(value, &slash, 10);
    unsigned long parts = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;
    if (end == NULL || *end != '\0' || part < 1 || part > parts || parts > 100000) {
        return "a part such as 2/8";
    }
    cmd->shard_part = (uint32_t)part;
    cmd->shard_parts = (uint32_t)parts;
    return NULL;
}

static const char *set_time(void *to, const char *value)
{
    struct test_cmd *cmd = to;
    return read_duration(value, &cmd->seconds) && cmd->seconds > 0 ? NULL : "a time such as 10m";
}

/* A row for each option, in the columns of struct option. */
/* clang-format off */
/* One format each, as they were before --report. */
static const char *set_junit(void *to, const char *value)
{
    (void)to;
    return reports_add(REPORT_JUNIT, value);
}

static const char *set_tap(void *to, const char *value)
{
    (void)to;
    return reports_add(REPORT_TAP, value);
}

static const char *set_sarif(void *to, const char *value)
{
    (void)to;
    return reports_add(REPORT_SARIF, value);
}

static const char *set_html(void *to, const char *value)
{
    (void)to;
    return reports_add(REPORT_HTML, value);
}

static const char *set_github(void *to, const char *value)
{
    (void)to;
    return reports_add(REPORT_GITHUB, value);
}

#define CMD struct test_cmd
const struct option options_of_test[] = {
    {"", 0, "MAPPING.assay.toml|SPEC.tla|GRAPH", "*.toml *.tla *.graph *.dot", TO_TEXT(CMD, file), "", NULL},
    HEADING("The graph"),
    {"depth", 0, "N", NULL, TO_COUNT(CMD, depth), "only states that far from the start at most", NULL},
    {"sample", 0, "PERCENT", NULL, TO_CALL(set_sample), "only that part of the states, drawn by --seed", NULL},
    {"seed", 0, "N", NULL, TO_NUMBER(CMD, seed), "of the sample (1)", NULL},
    {"no-arguments", 0, NULL, NULL, TO_FLAG(CMD, plain), "labels without arguments: faster, for plans only", NULL},
    {"save-graph", 0, "FILE", "*.graph", TO_TEXT(CMD, graph_out), "keep the graph", NULL},
    HEADING("The plan"),
    {"plan", 0, "PLAN", "auto flow layer ec", TO_CALL(set_plan),
     "flow: the fewest actions; layer: every step once, with snapshots; ec: Mocket's; auto: what costs less here (auto)", NULL},
    {"cover", 0, "WHAT", "edges states pairs", TO_CALL(set_cover), "every step (edges), state, or pair of actions", NULL},
    {"reduce", 0, NULL, NULL, TO_FLAG(CMD, reduce), "leave out steps that independent actions in the other order give", NULL},
    {"list", 0, NULL, NULL, TO_FLAG(CMD, list), "the plan only: nothing is run", NULL},
    {"save-suite", 0, "FILE", "*.json", TO_TEXT(CMD, suite_out), "keep the suite", NULL},
    HEADING("The run"),
    {"suite", 0, "FILE", "*.json", TO_TEXT(CMD, suite_in), "this suite, instead of one from the graph", NULL},
    {"case", 0, "CASE", NULL, TO_TEXT(CMD, only), "only this case: its identity, number or name", NULL},
    {"shard", 0, "N/M", NULL, TO_CALL(set_shard), "only this part of the suite", NULL},
    {"first", 0, "ACTION", NULL, TO_LIST(CMD, first), "cases with this action come first", NULL},
    {"time", 0, "TIME", NULL, TO_CALL(set_time), "no case begins later than that, such as 10m", NULL},
    {"workers", 'w', "N|auto", "auto 1 2 4 8", TO_WORKERS(CMD, workers), "processes, each with a cluster of its own (auto, all cores)", NULL},
    {"snapshots", 0, "N", NULL, TO_NUMBER(CMD, snapshots), "held at once by a process, at most (64)", NULL},
    {"stop-first", 0, NULL, NULL, TO_FLAG(CMD, stop_first), "stop at the first finding", NULL},
    {"resume", 0, NULL, NULL, TO_FLAG(CMD, resume), "go on with what an earlier run left in --out", NULL},
    {"mutants", 0, "DIR", COMPLETE_DIR, TO_TEXT(CMD, mutants), "which of the defective clusters in DIR (*.toml) the suite finds", NULL},
    HEADING("Reports"),
    REPORT_OPTION,
    {"junit", 0, "FILE", "*.xml", TO_CALL(set_junit), "also as JUnit XML", NULL},
    {"tap", 0, "FILE", COMPLETE_FILE, TO_CALL(set_tap), "also as TAP", NULL},
    {"sarif", 0, "FILE", "*.sarif", TO_CALL(set_sarif), "also as SARIF", NULL},
    {"html", 0, "FILE", "*.html", TO_CALL(set_html), "also as a page", NULL},
    {"github", 0, NULL, NULL, TO_CALL(set_github), "findings as annotations of GitHub, on standard output", NULL},
    BRIDGE_OPTIONS(CMD, "the suite, the journal, replay files and logs go there (assay-test)", "only the verdict and what is wrong"),
    OPTIONS_END,
};
/* clang-format on */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static int parse_args(int argc, char **argv, struct test_cmd *cmd)
{
    int status = options_parse(options_of_test, argc, argv, cmd);
    if (status != EXIT_OK) {
        return status;
    }
    cmd->file = cmd->file == NULL ? cmd->o.map : cmd->file;
    if (cmd->file == NULL) {
        return usage_error("test", "the mapping file is missing");
    }
    cmd->has_bridge = ends_with(cmd->file, ".toml");
    cmd->o.map = cmd->has_bridge ? cmd->file : NULL;
    if (wrong_kind("test", cmd->file,
                   cmd->has_bridge                ? KIND_MAPPING
                   : ends_with(cmd->file, ".tla") ? KIND_SPEC
                                                  : KIND_GRAPH)) {
        return EXIT_USAGE;
    }
    if (!cmd->has_bridge && (cmd->suite_in != NULL || cmd->resume || cmd->mutants != NULL)) {
        return usage_error("test", "running a suite needs a mapping file");
    }
    if (cmd->has_bridge && cmd->plain) {
        return usage_error("test",
                           "--no-arguments: such labels are for plans only, not for a mapping");
    }
    if (cmd->resume && cmd->mutants != NULL) {
        return usage_error("test", "--resume does not go on with --mutants");
    }
    search_dirs_all(&cmd->arena, &cmd->o.paths, &cmd->o.dirs, &cmd->o.ndir);
    return EXIT_OK;
}

int cmd_test(int argc, char **argv)
{
    struct test_cmd cmd = {.o = {.out = "assay-test"},
                           .seed = 1,
                           .workers = cpu_count(),
                           .snapshots = 64,
                           .journal = -1};
    arena_init(&cmd.arena, 0);
    int status = parse_args(argc, argv, &cmd);
    cmd.o.teller = teller_here();
    status = status == EXIT_OK ? drive_test(&cmd) : status;
    VEC_DONE(&cmd.first);
    arena_done(&cmd.arena);
    return status;
}

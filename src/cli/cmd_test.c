/* `assay test`: a suite from the state graph of a specification, run on the real programs. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/bridge.h"
#include "cli/cli.h"
#include "cli/engine_cmd.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "cli/reports.h"
#include "cli/test_cmd.h"
#include "conform/conform.h"
#include "graph/graph.h"
#include "job/job.h"
#include "job/load.h"
#include "model/model.h"
#include "option/option.h"
#include "run/cluster.h"
#include "suite/suite.h"
#include "tour/tour.h"

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

static int failed(const struct err *err)
{
    (void)fprintf(stderr, "assay test: %s\n", err->text);
    return err->code == ERR_INVALID || err->code == ERR_CORRUPT ? EXIT_CONFIG : EXIT_OTHER;
}

/* ---- the suite ---- */

/* A suite is for one specification; small changes of it make cases stale, no more. */
static int check_suite(const struct test_cmd *cmd, const char *path)
{
    const struct suite *suite = cmd->suite;
    const struct model *model = cmd->bridge.spec.model;
    if (!str_is(suite->spec, model->name)) {
        (void)fprintf(stderr, "assay test: %s is a suite for %.*s, and the mapping is for %s\n",
                      path, STR_ARG(suite->spec), model->name);
        return EXIT_CONFIG;
    }
    return EXIT_OK;
}

static int get_suite(struct test_cmd *cmd)
{
    struct err err = {0};
    const char *left = path_join(&cmd->arena, cmd->o.out, "suite.json");
    const char *path = cmd->suite_in != NULL                                    ? cmd->suite_in
                       : cmd->resume && file_exists(left) && cmd->graph == NULL ? left
                                                                                : NULL;
    if (path != NULL) {
        return suite_read(path, &cmd->suite, &err) != 0 ? failed(&err) : check_suite(cmd, path);
    }
    int status = test_graph(cmd);
    if (status == EXIT_OK && cmd->has_bridge && !cmd->list && !cmd->resume &&
        bridge_dir(&cmd->o, &cmd->bridge, &err) != 0) {
        return failed(&err); /* the costs are measured in it */
    }
    return status != EXIT_OK ? status : test_plan(cmd);
}

static int choose(struct test_cmd *cmd)
{
    struct suite_choice choice = {.shard = cmd->shard_part,
                                  .shards = cmd->shard_parts,
                                  .first = cmd->first.v,
                                  .n_first = cmd->first.n,
                                  .only = SUITE_NONE};
    if (cmd->only != NULL) {
        choice.only = suite_find(cmd->suite, str_of(cmd->only));
        if (choice.only == SUITE_NONE) {
            (void)fprintf(stderr, "assay test: the suite has no case %s; --list shows them\n",
                          cmd->only);
            return EXIT_USAGE;
        }
    }
    cmd->chosen = suite_choose(cmd->suite, &choice, &cmd->n_chosen);
    cmd->outcomes = ARENA_ARRAY(&cmd->arena, struct test_outcome, cmd->suite->n + 1);
    return EXIT_OK;
}

static int list_plan(struct test_cmd *cmd)
{
    SCOPED_STRBUF out = {0};
    if (cmd->tour != NULL) {
        test_report_plan(cmd, &out);
    }
    for (size_t i = 0; cmd->suite != NULL && !cmd->o.quiet && i < cmd->suite->n; i++) {
        const struct suite_case *c = &cmd->suite->cases[i];
        strbuf_printf(&out, "%6zu %.*s  %.*s\n", i + 1, STR_ARG(c->id), STR_ARG(c->name));
    }
    (void)put_text(stdout, strbuf_str(&out));
    return EXIT_OK;
}

/* ---- running ---- */

static int verdict(struct test_cmd *cmd)
{
    struct test_counts n = test_count(cmd);
    int code =
        cmd->error != NULL ? (int)json_integer_value(json_object_get(cmd->error, "code")) : 0;
    bool stopped = cmd->stop_first && cmd->groups.n != 0; /* we have ended the others ourselves */
    if (cmd->full && *signals_flag() == 0) {              /* workers were stopped for it */
        (void)fprintf(
            stderr,
            "assay test: the journal in %s cannot be written: is the disk full? --resume goes on\n",
            cmd->o.out);
        return EXIT_OTHER;
    }
    if (*signals_flag() != 0 || (code == ERR_INTERRUPTED && !stopped)) {
        (void)fputs("assay test: interrupted; --resume goes on\n", stderr);
        return EXIT_INTERRUPTED;
    }
    if (n.failed != 0 || n.blocked != 0) {
        return EXIT_SAFETY;
    }
    if (cmd->missing.n != 0 || (n.left != 0 && cmd->seconds <= 0)) {
        (void)put_text(stderr, strbuf_str(&cmd->missing));
        (void)fputs("assay test: not all cases were run\n", stderr);
        return EXIT_OTHER;
    }
    if (n.stale != 0) {
        (void)fputs("assay test: cases of the suite are no behaviours of the specification: it was "
                    "made for another version or configuration; make it again\n",
                    stderr);
        return EXIT_CONFIG;
    }
    return EXIT_OK;
}

int test_tell_error(const struct test_cmd *cmd)
{
    int code = (int)json_integer_value(json_object_get(cmd->error, "code"));
    (void)fprintf(stderr, "assay test: %s\n", test_text(cmd->error, "error"));
    return code == ERR_INVALID ? EXIT_CONFIG : EXIT_OTHER;
}

static void tell_times(const struct test_cmd *cmd)
{
    const struct conform_times *t = &cmd->times;
    (void)fprintf(stderr,
                  "%.2f s with %u workers: %" PRIu64 " steps of %.2f ms, %" PRIu64
                  " times back of %.2f ms, %" PRIu64 " snapshots of %.2f ms, %" PRIu64 " boots\n",
                  (double)cmd->run_ns * 1e-9, cmd->workers, t->steps,
                  t->steps != 0 ? (double)t->step_ns * 1e-6 / (double)t->steps : 0, t->returns,
                  t->returns != 0 ? (double)t->return_ns * 1e-6 / (double)t->returns : 0, t->marks,
                  t->marks != 0 ? (double)t->mark_ns * 1e-6 / (double)t->marks : 0, t->boots);
}

static int run_suite(struct test_cmd *cmd)
{
    struct err err = {0};
    const char *saved = path_join(&cmd->arena, cmd->o.out, "suite.json");
    int status = 0;
    if (!cmd->resume && !cmd->bridge.lock.held) {
        status = bridge_dir(&cmd->o, &cmd->bridge, &err);
    } else if (cmd->resume) {
        status = dir_lock(&cmd->bridge.lock, cmd->o.out, &err);
    }
    status = status != 0 || cmd->resume ? status : suite_write(cmd->suite, saved, &err);
    status = status != 0 ? status : test_journal_open(cmd, &err);
    status = status != 0 ? status : test_run(cmd, &err);
    test_journal_close(cmd);
    if (status != 0) {
        return failed(&err);
    }
    int code =
        cmd->error != NULL ? (int)json_integer_value(json_object_get(cmd->error, "code")) : 0;
    if (cmd->error != NULL && code != ERR_INTERRUPTED) {
        return test_tell_error(cmd);
    }
    if (cmd->o.json) {
        test_report_json(cmd);
    } else {
        SCOPED_STRBUF out = {0};
        test_report_text(cmd, &out);
        (void)put_text(stdout, strbuf_str(&out));
    }
    test_cases(cmd);
    if (!cmd->o.quiet) {
        tell_times(cmd);
    }
    return verdict(cmd);
}

static int test_main(void *arg)
{
    struct test_cmd *cmd = arg;
    struct err err = {0};
    int status = cmd->has_bridge ? bridge_open(&cmd->o, &cmd->bridge) : EXIT_OK;
    status = status != EXIT_OK ? status : get_suite(cmd);
    if (status == EXIT_OK && cmd->suite_out != NULL &&
        suite_write(cmd->suite, cmd->suite_out, &err) != 0) {
        status = failed(&err);
    }
    if (status == EXIT_OK && (cmd->list || !cmd->has_bridge)) {
        status = list_plan(cmd);
    } else if (status == EXIT_OK) {
        status = choose(cmd);
        status = status != EXIT_OK      ? status
                 : cmd->mutants != NULL ? test_mutants(cmd)
                                        : run_suite(cmd);
    }
    if (cmd->suite != NULL) {
        test_forget(cmd);
    }
    tour_free(cmd->tour);
    graph_free(cmd->graph);
    suite_free(cmd->suite);
    vec_release(cmd->chosen);
    VEC_DONE(&cmd->groups);
    VEC_DONE(&cmd->seen);
    strbuf_done(&cmd->missing);
    test_cover_forget(cmd);
    bridge_close(&cmd->bridge);
    return status;
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
    if (status == EXIT_OK) {
        status = run_on_big_stack(test_main, &cmd);
    }
    VEC_DONE(&cmd.first);
    arena_done(&cmd.arena);
    return status;
}

/* `assay rank`: which bounds are worth checking. Options, the sweep, and where the report goes. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/reports.h"
#include "job/load.h"
#include "option/option.h"
#include "rank/rank.h"
#include "rank/sweep.h"

#define WALKS_DEFAULT  300
#define STEPS_DEFAULT  300
#define POINTS_DEFAULT 10000

/* NAME=VALUES */
static bool parse_axis(struct rank_cmd *cmd, const char *option, const char *text,
                       struct rank_sweep *sweep)
{
    struct err err = {0};
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        (void)usage_error("rank", "--%s %s: write NAME=VALUES, for example MaxTimeouts=1..3",
                          option, text);
        return false;
    }
    struct rank_axis axis = {
        .name = {text, (size_t)(equals - text)}
    };
    if (rank_values(&cmd->arena, str_of(equals + 1), &axis.values, &axis.n, &err) != 0 ||
        rank_sweep_add(&cmd->arena, sweep, axis, &err) != 0) {
        (void)usage_error("rank", "--%s %s: %s", option, text, err.text);
        return false;
    }
    return true;
}

static const char *set_sweep(void *to, const char *value)
{
    struct rank_cmd *cmd = to;
    return parse_axis(cmd, "sweep", value, &cmd->budget) ? NULL : "";
}

static const char *set_instance(void *to, const char *value)
{
    struct rank_cmd *cmd = to;
    return parse_axis(cmd, "instance", value, &cmd->instance) ? NULL : "";
}

static const char *set_configs(void *to, const char *value)
{
    struct rank_cmd *cmd = to;
    while (*value) {
        size_t n = strcspn(value, ",");
        if (n > 0) {
            VEC_PUSH(&cmd->configs, arena_strndup(&cmd->arena, value, n));
        }
        value += n + (value[n] == ',');
    }
    return NULL;
}

static const char *set_walks(void *to, const char *value)
{
    struct rank_cmd *cmd = to;
    cmd->has_walks = true;
    return read_u64(value, &cmd->walk.walks) && cmd->walk.walks ? NULL : "a number above 0";
}

static const char *set_steps(void *to, const char *value)
{
    struct rank_cmd *cmd = to;
    cmd->has_steps = true;
    return read_u64(value, &cmd->walk.steps_max) && cmd->walk.steps_max ? NULL : "a number above 0";
}

static const char *set_seed(void *to, const char *value)
{
    struct rank_cmd *cmd = to;
    cmd->has_seed = true;
    return read_u64(value, &cmd->walk.seed) ? NULL : "a number";
}

static const char *set_time(void *to, const char *value)
{
    struct rank_cmd *cmd = to;
    cmd->has_time = true;
    return read_duration(value, &cmd->time_s) && cmd->time_s > 0 ? NULL
                                                                 : "a time such as 30s or 5m";
}

static const char *set_file(void *to, const char *value)
{
    struct rank_cmd *cmd = to;
    size_t n = strlen(value);
    bool toml = n > 5 && strcmp(value + n - 5, ".toml") == 0;
    const char **file = toml ? &cmd->file : &cmd->spec;
    if (*file) {
        (void)usage_error("rank", "one %s at a time: %s", toml ? "mapping file" : "specification",
                          value);
        return "";
    }
    *file = value;
    return NULL;
}

#define CMD struct rank_cmd
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_rank[] = {
    {"", 0, "SPEC.tla", "*.tla *.toml", TO_CALL(set_file), "", NULL},
    {"sweep", 0, "NAME=VALUES", NULL, TO_CALL(set_sweep),
     "a constant that is a budget: 1..4, or values separated by commas; may be repeated", NULL},
    {"instance", 0, "NAME=VALUES", NULL, TO_CALL(set_instance),
     "a constant that makes configurations, such as 'Servers={a,b},{a,b,c}'", NULL},
    {"config", 'c', "FILE,...", "*.cfg", TO_CALL(set_configs), "configurations of TLC (default: SPEC.cfg)", NULL},
    {"walks", 0, "N", NULL, TO_CALL(set_walks), "for every combination (300)", NULL},
    {"time", 0, "TIME", NULL, TO_CALL(set_time), "for every combination, such as 30s; instead of --walks, or together",
     NULL},
    {"steps", 0, "N", NULL, TO_CALL(set_steps), "of one walk at most (300)", NULL},
    {"seed", 0, "N", NULL, TO_CALL(set_seed), "the same seed gives the same walks (1)", NULL},
    {"sort", 0, "KEYS", "coverage diversity depth events states mean-depth violations steps", TO_TEXT(CMD, sort),
     "coverage,diversity,depth by default; also events, states, mean-depth, violations, steps; each with :asc or "
     ":desc", NULL},
    {"max-points", 0, "N", NULL, TO_COUNT(CMD, points_max), "combinations at most (10000)", NULL},
    {"workers", 'w', "N|auto", "auto 1 2 4 8", TO_WORKERS(CMD, workers), "threads (default: auto, all cores)", NULL},
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, paths), "where modules are looked for; also TLA_PATH", NULL},
    {"out", 'o', "FILE", COMPLETE_FILE, TO_TEXT(CMD, out), "write the report as JSON", NULL},
    {"walks-out", 0, "FILE", COMPLETE_FILE, TO_TEXT(CMD, walks_out), "write the walks, a line of JSON for every state",
     NULL},
    {"missed", 0, NULL, NULL, TO_FLAG(CMD, missed), "list the branches that the best combination does not take", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "print JSON instead of tables", NULL},
    REPORT_OPTION,
    {"color", 0, "WHEN", "auto always never", TO_COLOR(CMD, color), "auto, always or never", NULL},
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, quiet), "no progress", NULL},
    OPTIONS_END,
};
/* clang-format on */

static bool parse_line(struct rank_cmd *cmd, int argc, char **argv)
{
    bool good = options_parse(options_of_rank, argc, argv, cmd) == EXIT_OK;
    if (good && !cmd->spec && !cmd->file) {
        (void)usage_error("rank", "which specification? For example: assay rank Raft.tla --sweep "
                                  "MaxTimeouts=1..3");
        good = false;
    }
    return good;
}

/* Defaults, and what does not fit together. */
static int settle(struct rank_cmd *cmd)
{
    struct err err = {0};
    if (!cmd->spec) {
        return usage_error("rank", "%s names no specification: add  spec = \"Name.tla\"  to it",
                           cmd->file);
    }
    if (cmd->budget.n == 0) {
        return usage_error("rank", "nothing to rank: say which constants are budgets, by --sweep "
                                   "NAME=VALUES or in a table [budget]");
    }
    cmd->sort = cmd->sort ? cmd->sort : RANK_ORDER_DEFAULT;
    if (rank_order_parse(str_of(cmd->sort), &cmd->order, &err) != 0) {
        return usage_error("rank", "%s", err.text);
    }
    for (size_t i = 0; i < cmd->instance.n; i++) {
        for (size_t k = 0; k < cmd->budget.n; k++) {
            if (str_eq(cmd->instance.axes[i].name, cmd->budget.axes[k].name)) {
                return usage_error("rank", "%.*s is both a budget and part of configurations",
                                   STR_ARG(cmd->instance.axes[i].name));
            }
        }
    }
    if (cmd->configs.n == 0) {
        VEC_PUSH(&cmd->configs, NULL);
    }
    cmd->walk.walks = cmd->has_walks || cmd->has_time ? cmd->walk.walks : WALKS_DEFAULT;
    cmd->walk.steps_max = cmd->has_steps ? cmd->walk.steps_max : STEPS_DEFAULT;
    cmd->walk.time_ns = cmd->has_time ? (uint64_t)(cmd->time_s * 1e9) : 0;
    cmd->ninstance = rank_sweep_count(&cmd->instance);
    cmd->nbudget = rank_sweep_count(&cmd->budget);
    uint64_t all = 0;
    if (__builtin_mul_overflow(cmd->ninstance, cmd->nbudget, &all) ||
        __builtin_mul_overflow(all, cmd->configs.n, &all) || all > cmd->points_max) {
        return usage_error(
            "rank", "the sweep has %s%llu combinations; at most %llu are tried (--max-points)",
            all > cmd->points_max ? "" : "more than ",
            (unsigned long long)(all > cmd->points_max ? all : UINT64_MAX),
            (unsigned long long)cmd->points_max);
    }
    cmd->npoint = (size_t)all;
    return EXIT_OK;
}

static void make_points(struct rank_cmd *cmd)
{
    cmd->points = ARENA_ARRAY(&cmd->arena, struct rank_point, cmd->npoint);
    for (size_t i = 0; i < cmd->npoint; i++) {
        uint64_t outer = i / cmd->nbudget;
        cmd->points[i].budget = i % cmd->nbudget;
        cmd->points[i].instance = outer % cmd->ninstance;
        cmd->points[i].config = (size_t)(outer / cmd->ninstance);
    }
}

static int write_file(const char *path, struct strbuf *text)
{
    struct err err = {0};
    if (file_write(path, strbuf_str(text), &err) != 0) {
        (void)fprintf(stderr, "assay rank: %s\n", err.text);
        return EXIT_OTHER;
    }
    return EXIT_OK;
}

/* Better to know now that the files cannot be written. */
static int probe_outputs(const struct rank_cmd *cmd)
{
    struct err err = {0};
    if ((cmd->out && file_probe(cmd->out, &err) != 0) ||
        (cmd->walks_out && file_probe(cmd->walks_out, &err) != 0)) {
        (void)fprintf(stderr, "assay rank: %s\n", err.text);
        return EXIT_OTHER;
    }
    return EXIT_OK;
}

static int report(struct rank_cmd *cmd)
{
    int status = EXIT_OK;
    SCOPED_STRBUF text = {0};
    SCOPED_STRBUF json = {0};
    SCOPED_STRBUF walks = {0};
    rank_cases(cmd);
    rank_json(cmd, &json);
    if (!cmd->json) {
        rank_report(cmd, &text);
    }
    (void)put_text(stdout, strbuf_str(cmd->json ? &json : &text));
    if (cmd->out) {
        status = write_file(cmd->out, &json);
    }
    for (size_t i = 0; cmd->walks_out && i < cmd->npoint; i++) {
        strbuf_addstr(&walks, strbuf_str(&cmd->points[i].walks));
    }
    if (cmd->walks_out && status == EXIT_OK) {
        status = write_file(cmd->walks_out, &walks);
    }
    for (size_t i = 0; status == EXIT_OK && i < cmd->npoint; i++) {
        status = cmd->points[i].data.failed ? EXIT_SPEC_EVAL : EXIT_OK;
    }
    return status;
}

static size_t tell_interrupted(const struct rank_cmd *cmd)
{
    size_t n = 0;
    for (size_t i = 0; i < cmd->npoint; i++) {
        n += cmd->points[i].done;
    }
    (void)fprintf(stderr, "assay: interrupted: %zu of %zu points are done\n", n, cmd->npoint);
    return n;
}

int cmd_rank(int argc, char **argv)
{
    struct rank_cmd cmd = {.points_max = POINTS_DEFAULT, .workers = cpu_count()};
    arena_init(&cmd.arena, 0);
    int status = EXIT_USAGE;
    cmd.walk.seed = 1;
    if (parse_line(&cmd, argc, argv)) {
        cmd.teller = teller_here(); /* now that --report is known */
        search_dirs_all(&cmd.arena, &cmd.paths, &cmd.dirs, &cmd.ndir);
        status = cmd.file ? rank_file_read(&cmd) : EXIT_OK;
        status = status ? status : settle(&cmd);
    }
    status = status ? status : probe_outputs(&cmd);
    if (status == EXIT_OK) {
        signals_install();
        signals_never_at_once(); /* what is known by then is told */
        make_points(&cmd);
        status = rank_run(&cmd);
        if (status == EXIT_OK) {
            status = report(&cmd);
        } else if (status == EXIT_INTERRUPTED && tell_interrupted(&cmd) > 0) {
            (void)report(&cmd);
        }
    }
    for (size_t i = 0; cmd.points && i < cmd.npoint; i++) {
        strbuf_done(&cmd.points[i].walks);
        strbuf_done(&cmd.points[i].trouble);
        arena_done(&cmd.points[i].arena);
    }
    VEC_DONE(&cmd.configs);
    arena_done(&cmd.arena);
    return status;
}

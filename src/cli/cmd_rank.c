/* `assay rank`: which bounds are worth checking. Options, the sweep, and where the report goes. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/load.h"
#include "cli/rank_cmd.h"
#include "rank/rank.h"

#define WALKS_DEFAULT  300
#define STEPS_DEFAULT  300
#define POINTS_DEFAULT 10000

/* NAME=VALUES */
static bool parse_axis(struct rank_cmd *cmd, const char *option, const char *text,
                       struct rank_sweep *sweep)
{
    struct err err = {0};
    const char *equals = text ? strchr(text, '=') : NULL;
    if (!text) {
        return false;
    }
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

static bool parse_configs(struct rank_cmd *cmd, const char *text)
{
    if (!text) {
        return false;
    }
    while (*text) {
        size_t n = strcspn(text, ",");
        if (n > 0) {
            VEC_PUSH(&cmd->configs, arena_strndup(&cmd->arena, text, n));
        }
        text += n + (text[n] == ',');
    }
    return true;
}

static bool parse_number(struct args *args, uint64_t *ret, bool *has, bool zero)
{
    const char *value = args_value(args);
    if (!value) {
        return false;
    }
    if (!parse_u64(value, ret) || (*ret == 0 && !zero)) {
        (void)usage_error("rank", "--%s %s: not a number%s", args->name, value,
                          zero ? "" : " above 0");
        return false;
    }
    *has = true;
    return true;
}

static bool parse_time(struct rank_cmd *cmd, const char *value)
{
    if (value && (!parse_duration(value, &cmd->time_s) || cmd->time_s <= 0)) {
        (void)usage_error("rank", "--time %s: not a time such as 30s or 5m", value);
        return false;
    }
    cmd->has_time = true;
    return value != NULL;
}

static bool parse_positional(struct rank_cmd *cmd, const char *value)
{
    size_t n = strlen(value);
    bool toml = n > 5 && strcmp(value + n - 5, ".toml") == 0;
    const char **to = toml ? &cmd->file : &cmd->spec;
    if (*to) {
        (void)usage_error("rank", "one %s at a time: %s", toml ? "mapping file" : "specification",
                          value);
        return false;
    }
    *to = value;
    return true;
}

static bool parse_output(struct rank_cmd *cmd, struct args *args)
{
    if (args_is(args, "out") || args_is(args, "o")) {
        return (cmd->out = args_value(args)) != NULL;
    }
    if (args_is(args, "walks-out")) {
        return (cmd->walks_out = args_value(args)) != NULL;
    }
    if (args_is(args, "json")) {
        return cmd->json = true;
    }
    if (args_is(args, "missed")) {
        return cmd->missed = true;
    }
    if (args_is(args, "quiet") || args_is(args, "q")) {
        return cmd->quiet = true;
    }
    if (args_is(args, "color")) {
        const char *value = args_value(args);
        return value && (parse_color(value, &cmd->color) ||
                         usage_error("rank", "--color %s: auto, always or never", value) < 0);
    }
    return args_unknown(args) == EXIT_OK;
}

static bool parse_option(struct rank_cmd *cmd, struct args *args)
{
    bool ignored = false;
    if (args_is(args, "sweep")) {
        return parse_axis(cmd, "sweep", args_value(args), &cmd->budget);
    }
    if (args_is(args, "instance")) {
        return parse_axis(cmd, "instance", args_value(args), &cmd->instance);
    }
    if (args_is(args, "config") || args_is(args, "c")) {
        return parse_configs(cmd, args_value(args));
    }
    if (args_is(args, "walks")) {
        return parse_number(args, &cmd->walk.walks, &cmd->has_walks, false);
    }
    if (args_is(args, "steps")) {
        return parse_number(args, &cmd->walk.steps_max, &cmd->has_steps, false);
    }
    if (args_is(args, "seed")) {
        return parse_number(args, &cmd->walk.seed, &cmd->has_seed, true);
    }
    if (args_is(args, "max-points")) {
        return parse_number(args, &cmd->points_max, &ignored, false);
    }
    if (args_is(args, "time")) {
        return parse_time(cmd, args_value(args));
    }
    if (args_is(args, "sort")) {
        return (cmd->sort = args_value(args)) != NULL;
    }
    if (args_is(args, "workers") || args_is(args, "w")) {
        const char *value = args_value(args);
        return value && (parse_workers(value, &cmd->workers) ||
                         usage_error("rank", "--workers %s: a number or auto", value) < 0);
    }
    if (args_is(args, "path") || args_is(args, "I")) {
        const char *value = args_value(args);
        search_dirs(&cmd->arena, value, &cmd->dirs, &cmd->ndir);
        return value != NULL;
    }
    return parse_output(cmd, args);
}

static bool parse_line(struct rank_cmd *cmd, int argc, char **argv)
{
    struct args args;
    args_init(&args, argc, argv);
    bool good = true;
    while (good && args_next(&args)) {
        good = args.name == NULL ? parse_positional(cmd, args.value) : parse_option(cmd, &args);
    }
    args_done(&args);
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

static int report(struct rank_cmd *cmd)
{
    int status = EXIT_OK;
    SCOPED_STRBUF text = {0};
    SCOPED_STRBUF json = {0};
    SCOPED_STRBUF walks = {0};
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

int cmd_rank(int argc, char **argv)
{
    struct rank_cmd cmd = {.points_max = POINTS_DEFAULT, .workers = cpu_count()};
    arena_init(&cmd.arena, 0);
    int status = EXIT_USAGE;
    cmd.walk.seed = 1;
    if (parse_line(&cmd, argc, argv)) {
        search_dirs(&cmd.arena, getenv("TLA_PATH"), &cmd.dirs, &cmd.ndir);
        status = cmd.file ? rank_file_read(&cmd) : EXIT_OK;
        status = status ? status : settle(&cmd);
    }
    if (status == EXIT_OK) {
        signals_install();
        make_points(&cmd);
        status = rank_run(&cmd);
        status = status ? status : report(&cmd);
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

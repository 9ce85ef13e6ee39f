/* `assay init`: writes a cluster file to begin with, or, for a specification and a cluster, a
 * mapping. What was written is read again, so that it is known to be right as far as it goes. */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/limits.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "check/check.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "drive/bridge.h"
#include "eval/eval.h"
#include "examine/examine.h"
#include "job/job.h"
#include "job/load.h"
#include "job/tell.h"
#include "model/model.h"
#include "option/option.h"
#include "play/engine.h"
#include "run/cluster.h"
#include "sketch/sketch.h"

struct init_cmd {
    const char *path, *spec, *config, *cluster;
    struct word_list paths;
    const char **dirs;
    size_t ndir;
    double seconds;
    bool no_run;
    struct arena arena;
    struct mhost host;
    struct sketch_labels labels;
};

#define CMD struct init_cmd
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_init[] = {
    {"", 0, "FILE", "*.toml", TO_TEXT(CMD, path), "", NULL},
    {"spec", 0, "SPEC.tla", "*.tla", TO_TEXT(CMD, spec), "write a mapping for this specification", NULL},
    {"config", 'c', "FILE", "*.cfg", TO_TEXT(CMD, config), "its configuration", NULL},
    {"cluster", 0, "FILE", "*.toml", TO_TEXT(CMD, cluster), "the programs, as a cluster file", NULL},
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, paths), "where modules are looked for; also TLA_PATH", NULL},
    {"time", 0, "TIME", NULL, TO_TIME(CMD, seconds), "virtual time of the run that is looked at (5s)", NULL},
    {"no-run", 0, NULL, NULL, TO_FLAG(CMD, no_run), "do not run the cluster: only what the specification tells", NULL},
    OPTIONS_END,
};
/* clang-format on */
#undef CMD

static int write_new(const char *path, struct str text)
{
    struct err err;
    if (file_write(path, text, &err) != 0) {
        (void)fprintf(stderr, "assay init: %s\n", err.text);
        return EXIT_OTHER;
    }
    return EXIT_OK;
}

static bool is_there(const char *path)
{
    if (file_exists(path)) {
        (void)fprintf(stderr, "assay init: %s exists already\n", path);
        return true;
    }
    return false;
}

/* ---- a mapping ---- */

/* How a file in the mapping's directory names another: relative to it when it is below. */
static const char *named_from(struct init_cmd *cmd, const char *path)
{
    char from[PATH_MAX], to[PATH_MAX];
    struct str dir = path_dir(str_of(cmd->path));
    const char *at = arena_strndup(&cmd->arena, dir.p, dir.n);
    if (path == NULL || realpath(at, from) == NULL || realpath(path, to) == NULL) {
        return path;
    }
    size_t n = strlen(from);
    bool below = strncmp(from, to, n) == 0 && to[n] == '/';
    const char *name = below ? to + n + 1 : to;
    return arena_strndup(&cmd->arena, name, strlen(name));
}

/* Raft.tla: raft.assay.toml */
static const char *default_path(struct init_cmd *cmd)
{
    struct str base = path_base(str_of(cmd->spec));
    base.n -= base.n > 4 && strcmp(cmd->spec + strlen(cmd->spec) - 4, ".tla") == 0 ? 4 : 0;
    char *path = arena_printf(&cmd->arena, "%.*s.assay.toml", STR_ARG(base));
    for (char *p = path; *p != '\0'; p++) {
        *p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
    }
    return path;
}

static int tell_err(const struct err *err, int status)
{
    (void)fprintf(stderr, "assay init: %s\n", err->text);
    return err->code == ERR_NOT_FOUND || err->code == ERR_IO ? EXIT_OTHER : status;
}

static void no_print(void *arg, const char *text, size_t len)
{
    (void)arg;
    (void)text;
    (void)len;
}

/* Everything up to the model, with the actions inside conjunctions as labels, or without. */
static int load(struct init_cmd *cmd, struct spec *spec, bool labels, bool *ret_refused)
{
    struct spec_options options = {
        .loading = signals_loading,
        .path = cmd->spec,
        .config = cmd->config,
        .dirs = cmd->dirs,
        .ndir = cmd->ndir,
        .eval = {.stack_bytes = CHECK_STACK_BYTES, .seed = 1}
    };
    struct teller teller = teller_here();
    struct err err = {0};
    cmd->host = (struct mhost){
        .print = no_print, .interrupt = signals_flag(), .mode = "simulate", .workers = 1};
    *ret_refused = false;
    cmd->labels = (struct sketch_labels){0};
    job_spec_init(spec, &options);
    int status = job_spec_config(spec, &err);
    status = status != SPEC_OK ? status : job_spec_program(spec, &err);
    if (status != SPEC_OK) {
        return status == SPEC_DIAGS ? bridge_tell_diags(&teller, spec, EXIT_PARSE)
                                    : tell_err(&err, EXIT_PARSE);
    }
    if (labels) {
        sketch_labels(&spec->program, &spec->config, &spec->arena, &cmd->labels);
        spec->eval.labels = cmd->labels.names;
        spec->eval.nlabel = cmd->labels.n;
    }
    if (job_spec_model(spec, &cmd->host) == SPEC_OK) {
        return EXIT_OK;
    }
    if (cmd->labels.n != 0) {
        *ret_refused = true; /* a step would have two names: then none of them */
        return EXIT_OK;
    }
    SCOPED_STRBUF text = {0};
    job_tell_issue(spec, &spec->issue, color_wanted(COLOR_AUTO, STDERR_FILENO), &text);
    (void)put_text(stderr, strbuf_str(&text));
    return spec->issue.exit_status != 0 ? spec->issue.exit_status : EXIT_OTHER;
}

/* What was written must be readable as it is. */
static int read_again(const struct init_cmd *cmd)
{
    struct bridge_options o = {.map = cmd->path,
                               .out = ".",
                               .dirs = cmd->dirs,
                               .ndir = cmd->ndir,
                               .quiet = true,
                               .teller = teller_here()};
    struct bridge bridge;
    int status = bridge_open(&o, &bridge);
    bridge_close(&bridge);
    return status;
}

static void tell_sums(const struct init_cmd *cmd, struct sketch_sums *sums)
{
    (void)printf("%s is written: %zu action%s, %zu of them to fill in; %zu variable%s, %zu of them "
                 "to fill in\n",
                 cmd->path, sums->actions, sums->actions == 1 ? "" : "s", sums->actions_open,
                 sums->variables, sums->variables == 1 ? "" : "s", sums->variables_open);
    if (sums->run.n != 0) {
        (void)printf("the run of the cluster ended early: %s\n", strbuf_cstr(&sums->run));
    }
    (void)printf("next: look for FILL IN in it, then assay conform %s --walks 10\n", cmd->path);
}

static int sketch(struct init_cmd *cmd, struct spec *spec, struct cluster *cluster, bool refused)
{
    SCOPED_STRBUF text = {0};
    SCOPED_STRBUF dir = {0};
    struct sketch_sums sums = {0};
    struct err err = {0};
    const char *tmp = getenv("TMPDIR");
    if (dir_make_new(tmp != NULL ? tmp : "/tmp", "assay-init-", &dir, &err) != 0) {
        return tell_err(&err, EXIT_OTHER);
    }
    struct sketch_ask ask = {.model = spec->model,
                             .program = &spec->program,
                             .config = &spec->config,
                             .cluster = cluster,
                             .spec_path = named_from(cmd, spec->module_path),
                             .config_path = named_from(cmd, spec->config_path),
                             .cluster_path = named_from(cmd, cmd->cluster),
                             .dir = strbuf_cstr(&dir),
                             .time_ns = cmd->no_run ? 0 : (uint64_t)(cmd->seconds * 1e9),
                             .labels = cmd->labels,
                             .labels_refused = refused,
                             .interrupted = signals_flag()};
    (void)engine_pin(-1);
    int status = sketch_write(&ask, &text, &sums, &err);
    struct err ignored;
    if (dir_remove(strbuf_cstr(&dir), &ignored) != 0) {
        (void)fprintf(stderr, "assay init: %s\n", ignored.text);
    }
    if (status != 0) {
        status = err.code == ERR_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_CONFIG;
        (void)fprintf(stderr, "assay init: %s\n", err.text);
    } else {
        status = write_new(cmd->path, strbuf_str(&text));
        status = status != EXIT_OK ? status : read_again(cmd);
    }
    if (status == EXIT_OK) {
        tell_sums(cmd, &sums);
    }
    strbuf_done(&sums.run);
    return status;
}

static int mapping_main(void *arg)
{
    struct init_cmd *cmd = arg;
    struct spec spec;
    struct cluster cluster;
    struct err err = {0};
    bool refused = false, again = false;
    int status = load(cmd, &spec, true, &refused);
    if (refused) {
        job_spec_done(&spec);
        status = load(cmd, &spec, false, &again);
    }
    if (status == EXIT_OK && cluster_read(&spec.arena, cmd->cluster, &cluster, &err) != 0) {
        status = tell_err(&err, EXIT_CONFIG);
    }
    if (status == EXIT_OK) {
        cluster.bare = engine_bare();
        status = sketch(cmd, &spec, &cluster, refused);
    }
    job_spec_done(&spec);
    return status;
}

static int write_mapping(struct init_cmd *cmd)
{
    if (cmd->cluster == NULL) {
        return usage_error("init", "--cluster is missing: the programs that follow the "
                                   "specification; 'assay init cluster.toml' writes one");
    }
    if (wrong_kind("init", cmd->spec, KIND_SPEC) ||
        wrong_kind("init", cmd->cluster, KIND_CLUSTER)) {
        return EXIT_USAGE;
    }
    search_dirs_all(&cmd->arena, &cmd->paths, &cmd->dirs, &cmd->ndir);
    cmd->path = cmd->path != NULL ? cmd->path : default_path(cmd);
    cmd->seconds = cmd->seconds > 0 ? cmd->seconds : 5;
    return is_there(cmd->path) ? EXIT_USAGE : run_on_big_stack(mapping_main, cmd);
}

/* ---- a cluster file ---- */

static int write_cluster(const struct init_cmd *cmd)
{
    const char *path = cmd->path != NULL ? cmd->path : "cluster.toml";
    if (cmd->cluster != NULL || cmd->config != NULL || cmd->seconds > 0 || cmd->no_run) {
        return usage_error("init", "--spec is missing: without it a cluster file is written");
    }
    if (is_there(path)) {
        return EXIT_USAGE;
    }
    int status = write_new(path, str_of(cluster_example));
    if (status == EXIT_OK) {
        (void)printf("%s is written: assay run %s\n", path, path);
    }
    return status;
}

int cmd_init(int argc, char **argv)
{
    struct init_cmd cmd = {0};
    arena_init(&cmd.arena, 0);
    int status = options_parse(options_of_init, argc, argv, &cmd);
    if (status == EXIT_OK) {
        status = cmd.spec != NULL ? write_mapping(&cmd) : write_cluster(&cmd);
    }
    arena_done(&cmd.arena);
    return status;
}

/* `assay parse FILE...`: syntax, names, arity and levels, without running anything. And
 * tla2sany.SANY: the same in SANY's words. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "cli/reports.h"
#include "job/load.h"
#include "job/tell.h"
#include "option/option.h"
#include "report/report.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "tlc/sany.h"
#include "trace/trace.h"

struct parse_cmd {
    struct word_list files, paths;
    enum color_when color_when;
    const char **dirs;
    size_t ndir;
    bool json, quiet, color;
    bool sany, error_codes;
};

/* ---- assay parse ---- */
static void show_json(const struct spec *spec, const char *failure, struct strbuf *out)
{
    strbuf_adds(out, "{\"file\":");
    json_write_string(str_of(spec->module_path), out);
    strbuf_printf(out, ",\"ok\":%s", failure == NULL && spec->diags.errors == 0 ? "true" : "false");
    if (failure != NULL) {
        strbuf_adds(out, ",\"failure\":");
        json_write_string(str_of(failure), out);
    }
    strbuf_adds(out, ",\"diagnostics\":[");
    for (size_t i = 0; i < spec->diags.n; i++) {
        const struct diag *diag = spec->diags.v[i];
        const struct source *source =
            diag->has_span ? sources_get(&spec->sources, diag->span.file) : NULL;
        struct place place =
            source != NULL ? sources_place(&spec->sources, diag->span) : (struct place){0};
        strbuf_printf(out,
                      "%s{\"code\":\"%c%04d\",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_"
                      "column\":%u,\"file\":",
                      i > 0 ? "," : "", diag->severity == SEV_ERROR ? 'E' : 'W', (int)diag->code,
                      place.line, place.column, place.end_line, place.end_column);
        json_write_string(str_of(source != NULL ? source->path : spec->module_path), out);
        strbuf_adds(out, ",\"message\":");
        json_write_string(str_of(diag->text), out);
        strbuf_adds(out, "}");
    }
    strbuf_adds(out, "]}\n");
}

/* One file, judged. */
static void add_case(const char *path, const struct spec *spec, int rc, const char *failure)
{
    const char *first = failure;
    for (size_t i = 0; first == NULL && i < spec->diags.n; i++) {
        first = spec->diags.v[i]->severity == SEV_ERROR ? spec->diags.v[i]->text : NULL;
    }
    SCOPED_STRBUF details = {0};
    job_tell_diags(spec, false, &details);
    struct report_case c = {.name = report_path(path),
                            .outcome = rc == SPEC_OK    ? REPORT_PASSED
                                       : rc == SPEC_ERR ? REPORT_ERROR
                                                        : REPORT_FAILED,
                            .kind = rc == SPEC_ERR ? "file" : "parse",
                            .message = rc == SPEC_OK ? NULL : first,
                            .details = strbuf_cstr(&details)};
    struct report_finding f = {.rule = c.kind, .message = first, .place = {.file = c.name}};
    report_subject(reports(), "modules");
    report_add_case(reports(), &c);
    if (rc == SPEC_ERR) {
        report_add_finding(reports(), &f);
    }
    job_report_diags(reports(), spec);
}

static int parse_file(const struct parse_cmd *cmd, const char *path)
{
    struct spec_options options = {
        .loading = signals_loading, .path = path, .dirs = cmd->dirs, .ndir = cmd->ndir};
    struct spec spec;
    if (wrong_kind("parse", path, KIND_SPEC)) {
        return EXIT_USAGE;
    }
    struct err err = {0};
    job_spec_init(&spec, &options);
    int rc = job_spec_program(&spec, &err);
    SCOPED_STRBUF out = {0};
    if (cmd->json) {
        show_json(&spec, rc == SPEC_ERR ? err.text : NULL, &out);
        (void)put_text(stdout, strbuf_str(&out));
    } else {
        if (rc == SPEC_ERR) {
            strbuf_printf(&out, "assay parse: %s\n", err.text);
        } else {
            job_tell_diags(&spec, cmd->color, &out);
        }
        (void)put_text(stderr, strbuf_str(&out));
        if (rc == SPEC_OK && !cmd->quiet) {
            (void)printf("%s: ok\n", spec.module_path);
        }
    }
    add_case(path, &spec, rc, rc == SPEC_ERR ? err.text : NULL);
    job_spec_done(&spec);
    return rc == SPEC_OK ? EXIT_OK : rc == SPEC_ERR ? EXIT_OTHER : EXIT_PARSE;
}

/* ---- SANY ---- */
struct sany_job {
    struct spec spec;
    const char *path;
    bool analysing;
};

static void on_parsing(void *arg, const char *path, bool builtin)
{
    (void)arg;
    SCOPED_STRBUF line = {0};
    sany_parsing(path, builtin, &line);
    (void)put_text(stdout, strbuf_str(&line));
}

static void on_pluscal(void *arg, struct str text)
{
    (void)arg;
    (void)put_text(stdout, text);
}

static void on_analysed(void *arg, const char *module)
{
    struct sany_job *job = arg;
    SCOPED_STRBUF line = {0};
    if (!job->analysing && !sany_is_fatal(&job->spec)) {
        sany_pluscal(&job->spec, str_of(job->path), &line);
    }
    job->analysing = true;
    sany_analysed(module, &line);
    (void)put_text(stdout, strbuf_str(&line));
}

/* Syntax errors end with 255; others only with -error-codes, with 4. */
static int sany_file(const struct parse_cmd *cmd, const char *path)
{
    (void)puts("\n****** SANY2 Version 2.2 created 08 July 2020\n");
    if (!file_exists(path)) {
        (void)printf("Cannot find the specified file %s.\n", path);
        return EXIT_OTHER;
    }
    struct spec_options options = {.loading = signals_loading,
                                   .path = path,
                                   .dirs = cmd->dirs,
                                   .ndir = cmd->ndir,
                                   .parsing = on_parsing,
                                   .analysed = on_analysed,
                                   .pluscal = on_pluscal};
    struct sany_job job = {.path = path};
    struct spec *spec = &job.spec;
    struct err err = {0};
    options.arg = &job;
    job_spec_init(spec, &options);
    int rc = job_spec_program(spec, &err);
    SCOPED_STRBUF out = {0};
    bool syntax = rc == SPEC_ERR;
    for (size_t i = 0; i < spec->diags.n; i++) {
        const struct diag *diag = spec->diags.v[i];
        syntax = syntax || (diag->severity == SEV_ERROR &&
                            (diag->code < 3000 || diag->code == DIAG_MODULE_NOT_FOUND));
    }
    sany_diags(spec, &out);
    if (rc == SPEC_OK) {
        sany_linting(spec, &out);
    }
    (void)put_text(stdout, strbuf_str(&out));
    job_spec_done(spec);
    return rc == SPEC_OK ? EXIT_OK : syntax ? EXIT_OTHER : cmd->error_codes ? 4 : EXIT_OK;
}

static int parse_body(void *arg)
{
    const struct parse_cmd *cmd = arg;
    int status = EXIT_OK;
    for (size_t i = 0; i < cmd->files.n; i++) {
        int one = cmd->sany ? sany_file(cmd, cmd->files.v[i]) : parse_file(cmd, cmd->files.v[i]);
        status = status == EXIT_OK ? one : status;
    }
    (void)fflush(stdout);
    return status;
}

static int run(struct parse_cmd *cmd, struct arena *arena)
{
    search_dirs_all(arena, &cmd->paths, &cmd->dirs, &cmd->ndir);
    return run_on_big_stack(parse_body, cmd);
}

#define CMD struct parse_cmd
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_parse[] = {
    {"", 0, "FILE.tla", "*.tla", TO_LIST(CMD, files), "", NULL},
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, paths), "where modules are looked for; also TLA_PATH", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "JSON instead of text", NULL},
    REPORT_OPTION,
    {"color", 0, "WHEN", "auto always never", TO_COLOR(CMD, color_when), "auto, always or never", NULL},
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, quiet), "only what is wrong", NULL},
    OPTIONS_END,
};
/* clang-format on */

int cmd_parse(int argc, char **argv)
{
    struct parse_cmd cmd = {.color_when = COLOR_AUTO};
    int status = options_parse(options_of_parse, argc, argv, &cmd);
    if (status == EXIT_OK && cmd.files.n == 0) {
        status = usage_error(argv[0], "which file?");
    }
    if (status == EXIT_OK) {
        struct arena arena;
        arena_init(&arena, 0);
        cmd.color = color_wanted(cmd.color_when, STDERR_FILENO);
        status = run(&cmd, &arena);
        arena_done(&arena);
    }
    VEC_DONE(&cmd.files);
    VEC_DONE(&cmd.paths);
    return status;
}

int cmd_sany(int argc, char **argv)
{
    struct parse_cmd cmd = {.sany = true};
    struct arena arena;
    arena_init(&arena, 0);
    int status = EXIT_OK;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (strncmp(arg, "-D", 2) == 0) {
            if (strncmp(arg, "-DTLA-Library=", 14) == 0) {
                job_dirs_add(&arena, arg + 14, &cmd.dirs, &cmd.ndir);
            }
        } else if (strcasecmp(arg, "-error-codes") == 0) {
            cmd.error_codes = true;
        } else if (strcmp(arg, "-messagesAsErrors") == 0 || strcmp(arg, "-suppressMessages") == 0) {
            i++;
        } else if (arg[0] != '-') {
            VEC_PUSH(&cmd.files, arg);
        }
    }
    if (cmd.files.n == 0) {
        (void)puts(
            "SANY - provides parsing, semantic analysis, and level-checking for a TLA+ spec\n\n"
            "usage: SANY [-error-codes] FILE...");
        status = EXIT_USAGE;
    } else {
        status = run(&cmd, &arena);
    }
    VEC_DONE(&cmd.files);
    arena_done(&arena);
    return status;
}

/* `assay pluscal FILE.tla`: translates the PlusCal algorithm of a module, as tla2tools' pcal.trans
 * does. And pcal.trans itself, for front-ends that start it through a Java machine: the same with
 * its command line, all of its words on standard output. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "job/job.h"
#include "option/option.h"
#include "pluscal/pluscal.h"

enum { FILE_BYTES_MAX = 64 << 20 };

struct translation {
    struct arena arena;
    struct pluscal_options options;
    struct pluscal_sink sink;
    bool as_java; /* errors are printed where everything else is */
    bool help;
    int argc;
    char **argv;
};

static void on_say(void *arg, enum pluscal_kind kind, struct str text)
{
    const struct translation *job = arg;
    SCOPED_STRBUF out = {0};
    bool error = kind == PLUSCAL_ERROR && !job->as_java;
    pluscal_print(kind, text, &out);
    (void)fflush(stdout);
    (void)put_text(error ? stderr : stdout, strbuf_str(&out));
}

static void say(struct translation *job, enum pluscal_kind kind, const char *text)
{
    on_say(job, kind, str_of(text));
}

static const char *name_with(struct translation *job, const char *suffix)
{
    return arena_printf(&job->arena, "%.*s%s", STR_ARG(job->options.file), suffix);
}

/* ---- files ---- */
/* Reads a file, which must be UTF-8. */
static bool read_text(struct translation *job, const char *path, struct str *ret_text)
{
    struct err err = {0};
    if (file_read(&job->arena, path, FILE_BYTES_MAX, ret_text, &err) != 0) {
        say(job, PLUSCAL_ERROR,
            err.code == ERR_NOT_FOUND ? arena_printf(&job->arena, "Input file %s not found", path)
                                      : arena_printf(&job->arena, "Error reading file %s.", path));
        return false;
    }
    if (!pluscal_is_text(*ret_text)) {
        say(job, PLUSCAL_ERROR, arena_printf(&job->arena, "Error reading file %s.", path));
        return false;
    }
    return true;
}

/* Writes beside the file, then renames: it is there as a whole or as it was. A file that must not
 * be written is not replaced either. */
static bool write_text(struct translation *job, const char *path, struct str text)
{
    struct err err = {0};
    bool forbidden = access(path, W_OK) != 0 && errno != ENOENT;
    if (forbidden || file_write(path, text, &err) != 0) {
        say(job, PLUSCAL_ERROR, arena_printf(&job->arena, "Could not write file %s", path));
        return false;
    }
    return true;
}

static bool write_module(struct translation *job, const char *path, struct str old, struct str text)
{
    const char *backup = name_with(job, ".old");
    struct err err = {0};
    if (job->options.no_old) {
        return write_text(job, path, text);
    }
    if (file_write(backup, old, &err) != 0) {
        say(job, PLUSCAL_ERROR,
            arena_printf(&job->arena, "Could not rename input file %s to %s", path, backup));
        return false;
    }
    if (file_write(path, text, &err) != 0) {
        say(job, PLUSCAL_ERROR, arena_printf(&job->arena, "Could not write file %s", path));
        return false;
    }
    return true;
}

static bool write_config(struct translation *job, bool default_values)
{
    const char *path = name_with(job, ".cfg");
    bool exists = file_exists(path);
    struct str old = {0};
    if (exists && access(path, R_OK) != 0) {
        say(job, PLUSCAL_INFO,
            arena_printf(&job->arena, "File %s is read only, new version not written.", path));
        return true;
    }
    if (exists && !read_text(job, path, &old)) {
        return false;
    }
    struct str text = pluscal_config(&job->arena, exists ? &old : NULL, &job->options,
                                     default_values, &job->sink);
    if (!write_text(job, path, text)) {
        return false;
    }
    say(job, PLUSCAL_INFO, arena_printf(&job->arena, "New file %s written.", path));
    return true;
}

/* ---- the work ---- */
static bool translate(struct translation *job)
{
    const char *path = name_with(job, ".tla");
    struct pluscal_result result;
    struct str text;
    if (!read_text(job, path, &text) ||
        !pluscal_translate(&job->arena, text, &job->options, &job->sink, &result)) {
        return false;
    }
    if (job->options.write_ast) {
        if (write_text(job, "AST.tla", result.ast)) {
            say(job, PLUSCAL_INFO, "Wrote file AST.tla.");
        }
        return false; /* as the translator: there is no translation */
    }
    if (!write_module(job, path, text, result.module)) {
        return false;
    }
    say(job, PLUSCAL_INFO, arena_printf(&job->arena, "New file %s written.", path));
    return job->options.no_cfg || write_config(job, result.default_values);
}

static int body(void *arg)
{
    struct translation *job = arg;
    enum pluscal_status status =
        pluscal_arguments(&job->arena, job->argc, job->argv, &job->options, &job->sink);
    if (status == PLUSCAL_HELP) {
        job->help = true;
        return EXIT_OK;
    }
    bool ok = status == PLUSCAL_GO && translate(job);
    (void)fflush(stdout);
    return ok ? EXIT_OK : EXIT_OTHER;
}

/* The words are pcal.trans' own, without its name. */
static int run(int argc, char **argv, bool as_java)
{
    struct translation job = {.as_java = as_java, .argc = argc, .argv = argv};
    job.sink = (struct pluscal_sink){on_say, &job};
    arena_init(&job.arena, 0);
    pluscal_defaults(&job.options);
    int status = run_on_big_stack(body, &job);
    if (job.help) {
        SCOPED_STRBUF text = {0};
        command_help(command_find("pluscal"), &text);
        (void)put_text(stdout, strbuf_str(&text));
    }
    arena_done(&job.arena);
    return status;
}

int cmd_pcal_trans(int argc, char **argv)
{
    (void)puts(PLUSCAL_VERSION_LINE);
    return run(argc - 1, argv + 1, true);
}

/* ---- assay pluscal ---- */
struct pluscal_cmd {
    const char *file, *label_root, *line_width, *version;
    bool wf, sf, wf_next, nof, termination, label, report_labels;
    bool no_cfg, no_old, no_done, write_ast, debug, unix_eol;
};

#define CMD struct pluscal_cmd
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_pluscal[] = {
    {"", 0, "FILE.tla", "*.tla", TO_TEXT(CMD, file), "", NULL},
    HEADING("Fairness, and what to check"),
    {"wf", 0, NULL, NULL, TO_FLAG(CMD, wf), "weak fairness of each process", NULL},
    {"sf", 0, NULL, NULL, TO_FLAG(CMD, sf), "strong fairness of each process", NULL},
    {"wfNext", 0, NULL, NULL, TO_FLAG(CMD, wf_next), "weak fairness of the whole next-state action", NULL},
    {"nof", 0, NULL, NULL, TO_FLAG(CMD, nof), "no fairness", NULL},
    {"termination", 0, NULL, NULL, TO_FLAG(CMD, termination), "PROPERTY Termination in the .cfg file; also --wf, unless another is given", NULL},
    {"noDoneDisjunct", 0, NULL, NULL, TO_FLAG(CMD, no_done), "no stuttering after the end: it is a deadlock", NULL},
    HEADING("Labels and lines"),
    {"label", 0, NULL, NULL, TO_FLAG(CMD, label), "add missing labels, also where some were written", NULL},
    {"reportLabels", 0, NULL, NULL, TO_FLAG(CMD, report_labels), "add them, and say which and where", NULL},
    {"labelRoot", 0, "NAME", NULL, TO_TEXT(CMD, label_root), "what they begin with (Lbl_)", NULL},
    {"lineWidth", 0, "N", NULL, TO_TEXT(CMD, line_width), "where lines are broken, at least 60 (78)", NULL},
    {"version", 0, "N", NULL, TO_TEXT(CMD, version), "the version of PlusCal that the algorithm is written in", NULL},
    HEADING("Files"),
    {"nocfg", 0, NULL, NULL, TO_FLAG(CMD, no_cfg), "do not write the .cfg file", NULL},
    {"noold", 0, NULL, NULL, TO_FLAG(CMD, no_old), "do not keep the old file as FILE.old", NULL},
    {"writeAST", 0, NULL, NULL, TO_FLAG(CMD, write_ast), "write the tree of the algorithm to AST.tla instead of translating", NULL},
    {"debug", 0, NULL, NULL, TO_FLAG(CMD, debug), NULL, NULL},
    {"unixEOL", 0, NULL, NULL, TO_FLAG(CMD, unix_eol), NULL, NULL},
    OPTIONS_END,
};
/* clang-format on */

struct words {
    char **v;
    size_t n, cap;
};

static void add_word(struct words *words, struct arena *arena, const char *word)
{
    VEC_PUSH(words, arena_strndup(arena, word, strlen(word)));
}

static void add_value(struct words *words, struct arena *arena, const char *option,
                      const char *value)
{
    if (value != NULL) {
        add_word(words, arena, option);
        add_word(words, arena, value);
    }
}

/* The command line as pcal.trans would have it. */
static void as_words(const struct pluscal_cmd *cmd, struct arena *arena, struct words *ret_words)
{
    const struct {
        bool given;
        const char *word;
    } flags[] = {
        {cmd->wf,            "-wf"            },
        {cmd->sf,            "-sf"            },
        {cmd->wf_next,       "-wfNext"        },
        {cmd->nof,           "-nof"           },
        {cmd->termination,   "-termination"   },
        {cmd->no_done,       "-noDoneDisjunct"},
        {cmd->label,         "-label"         },
        {cmd->report_labels, "-reportLabels"  },
        {cmd->no_cfg,        "-nocfg"         },
        {cmd->no_old,        "-noold"         },
        {cmd->write_ast,     "-writeAST"      },
        {cmd->debug,         "-debug"         },
        {cmd->unix_eol,      "-unixEOL"       },
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (flags[i].given) {
            add_word(ret_words, arena, flags[i].word);
        }
    }
    add_value(ret_words, arena, "-labelRoot", cmd->label_root);
    add_value(ret_words, arena, "-lineWidth", cmd->line_width);
    add_value(ret_words, arena, "-version", cmd->version);
    bool dash = cmd->file[0] == '-';
    add_word(ret_words, arena, dash ? arena_printf(arena, "./%s", cmd->file) : cmd->file);
}

int cmd_pluscal(int argc, char **argv)
{
    struct pluscal_cmd cmd = {0};
    int status = options_parse(options_of_pluscal, argc, argv, &cmd);
    if (status == EXIT_OK && cmd.file == NULL) {
        status = usage_error(argv[0], "which file?");
    }
    if (status != EXIT_OK) {
        return status;
    }
    struct arena arena;
    struct words words = {0};
    arena_init(&arena, 0);
    as_words(&cmd, &arena, &words);
    status = run((int)words.n, words.v, false);
    VEC_DONE(&words);
    arena_done(&arena);
    return status;
}

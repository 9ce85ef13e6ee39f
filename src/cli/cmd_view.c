/* `assay view`: artifacts as pages, from a server for this machine only, or as one file of HTML. */
#include <inttypes.h>
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
#include "cli/view_messages.h"
#include "cli/view_spec.h"
#include "drive/bridge.h"
#include "history/history.h"
#include "job/job.h"
#include "job/load.h"
#include "model/model.h"
#include "option/option.h"
#include "report/report.h"
#include "trace/trace.h"
#include "view/view.h"

struct view_run {
    const char *path;
    size_t doc; /* its number */
};

struct view_cmd {
    struct word_list files, paths;
    const char *spec, *config, *html, *model, *map;
    uint64_t port;
    bool json;
    struct arena arena;
    const char **dirs;
    size_t ndir;
    struct view_docs docs;
    struct view_spec step;
    VEC(struct view_run) runs;
    const char *title;
    char nonce[VIEW_TOKEN + 1];
};

#define CMD struct view_cmd
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_view[] = {
    {"", 0, "FILE", COMPLETE_FILE, TO_LIST(CMD, files), "", NULL},
    {"spec", 's', "FILE", "*.tla", TO_TEXT(CMD, spec), "the specification of traces, where it is not found by itself: its source, other steps, expressions", NULL},
    {"config", 'c', "FILE", "*.cfg *.tla", TO_TEXT(CMD, config), "its configuration (default: the one that a file names, else SPEC.cfg)", NULL},
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, paths), "where modules are looked for; also TLA_PATH", NULL},
    {"model", 'm', "MODEL", "register cas kv queue set lock owned-lock list-append rw-register bank", TO_TEXT(CMD, model),
     "judge histories, as `assay history check` does, and mark what is impossible", NULL},
    {"map", 0, "FILE", "*.toml", TO_TEXT(CMD, map), "decode the messages of runs, as this mapping says", NULL},
    {"html", 0, "FILE", "*.html", TO_TEXT(CMD, html), "write one page that needs nothing else, instead of serving", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "print the documents that the page is made of, instead", NULL},
    {"port", 0, "N", NULL, TO_COUNT(CMD, port), "listen there (default: a free one)", NULL},
    OPTIONS_END,
};
/* clang-format on */

/* ---- reading ---- */

static bool is_spec(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".tla") == 0;
}

/* What a history is, judged by the model that was named. */
static int judge(struct view_cmd *cmd, const char *path, struct err *err)
{
    static const char *const verdicts[] = {[HIST_CONSISTENT] = "consistent",
                                           [HIST_VIOLATED] = "violated",
                                           [HIST_UNDECIDED] = "undecided"};
    struct hist_options options = {.stop = signals_flag()};
    struct hist_result result = {0};
    struct history *history = NULL;
    struct arena arena;
    arena_init(&arena, 0);
    if (!hist_model_find(cmd->model, &options.model)) {
        arena_done(&arena);
        return err_set(err, ERR_INVALID, 0, "--model: there is no model '%s'", cmd->model);
    }
    int status = history_read(&arena, path, false, &history, err);
    status = status != 0 ? status : history_check(history, &options, &result, err);
    if (status == 0) {
        SCOPED_STRBUF out = {0};
        strbuf_adds(&out, ",\"file\":");
        report_json(str_of(path), &out);
        strbuf_printf(&out,
                      ",\"model\":\"%s\",\"consistency\":\"%s\",\"verdict\":\"%s\",\"operations\":"
                      "%zu,\"explanation\":",
                      hist_model_name(options.model), hist_level_name(result.level),
                      verdicts[result.outcome], result.operations);
        report_json(strbuf_str(&result.text), &out);
        view_add(&cmd->docs, "judgement", strbuf_str(&out));
    }
    hist_result_done(&result);
    history_free(history);
    arena_done(&arena);
    return status;
}

static int read_files(struct view_cmd *cmd, struct err *err)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < cmd->files.n; i++) {
        const char *path = cmd->files.v[i];
        if (is_spec(path)) {
            cmd->spec = path;
            continue;
        }
        status = view_read(&cmd->docs, path, err);
        if (status == 0 && strcmp(cmd->docs.last, "run") == 0) {
            VEC_PUSH(&cmd->runs, ((struct view_run){path, cmd->docs.n - 1}));
        }
        if (status == 0 && cmd->model != NULL && strcmp(cmd->docs.last, "history") == 0) {
            status = judge(cmd, path, err);
        }
    }
    return status;
}

/* ---- the messages of the runs ---- */

/* Of the runs among the files; documents are in the order of the files. */
static int decode_runs(struct view_cmd *cmd)
{
    struct bridge_options options = {.map = cmd->map,
                                     .config = cmd->config,
                                     .dirs = cmd->dirs,
                                     .ndir = cmd->ndir,
                                     .teller = teller_here()};
    struct bridge bridge = {0};
    struct err err = {0};
    int status = bridge_open(&options, &bridge);
    for (size_t i = 0; status == EXIT_OK && i < cmd->runs.n; i++) {
        const struct view_run *run = &cmd->runs.v[i];
        if (view_messages(&bridge, run->path, run->doc, &cmd->docs, &err) != 0) {
            (void)fprintf(stderr, "assay view: %s%s\n", err.text,
                          err.code == ERR_NOT_FOUND
                              ? ": messages are in what `assay replay DIR/replay --jsonl` writes"
                              : "");
            status = err.code == ERR_NOT_FOUND || err.code == ERR_IO ? EXIT_OTHER : EXIT_CONFIG;
        }
    }
    bridge_close(&bridge);
    return status;
}

/* ---- the specification of the traces ---- */

/* That of the command line, or the one that a file names and that is there. */
static const char *find_spec(struct view_cmd *cmd)
{
    if (cmd->spec != NULL) {
        return cmd->spec;
    }
    for (size_t i = 0; i < cmd->docs.n_traces; i++) {
        const struct view_trace *t = &cmd->docs.traces[i];
        if (t->spec_path.n != 0 && file_exists(t->spec_path.p)) {
            cmd->config = cmd->config == NULL && t->cfg_path.n != 0 ? t->cfg_path.p : cmd->config;
            return t->spec_path.p;
        }
        for (size_t k = 0; t->spec.n != 0 && k < cmd->files.n; k++) {
            struct str dir = path_dir(str_of(cmd->files.v[k]));
            const char *path = arena_printf(&cmd->arena, "%.*s/%s.tla", STR_ARG(dir), t->spec.p);
            if (file_exists(path)) {
                return path;
            }
        }
    }
    return NULL;
}

/* A behaviour to be built from the initial states on. */
static void add_empty_trace(struct view_cmd *cmd)
{
    const struct model *model = cmd->step.spec.model;
    SCOPED_STRBUF out = {0};
    strbuf_adds(&out, ",\"title\":");
    report_json(str_of(model->name), &out);
    strbuf_adds(&out, ",\"spec\":");
    report_json(str_of(model->name), &out);
    strbuf_adds(&out, ",\"vars\":[");
    for (uint32_t i = 0; i < model->nvar; i++) {
        strbuf_adds(&out, i != 0 ? "," : "");
        report_json(str_of(model->vars[i]), &out);
    }
    strbuf_adds(&out, "],\"states\":[],\"stuttering\":false");
    view_add(&cmd->docs, "trace", strbuf_str(&out));
}

static int load_spec(struct view_cmd *cmd)
{
    const char *path = find_spec(cmd);
    if (path == NULL) {
        return EXIT_OK;
    }
    if (!view_spec_open(&cmd->step, path, cmd->config, cmd->dirs, cmd->ndir)) {
        bool asked = cmd->spec != NULL;
        (void)fprintf(stderr,
                      asked ? "assay view: %s cannot be used\n"
                            : "assay view: %s cannot be used: traces are shown without their "
                              "source and other steps\n",
                      path);
        return asked ? EXIT_OTHER : EXIT_OK;
    }
    for (size_t i = 0; i < cmd->docs.n_traces; i++) {
        SCOPED_STRBUF out = {0};
        view_spec_follow(&cmd->step, cmd->docs.traces[i].doc, cmd->docs.traces[i].values, &out);
        view_add(&cmd->docs, "followed", strbuf_str(&out));
    }
    if (cmd->docs.n_traces == 0 && cmd->docs.n == 0) {
        add_empty_trace(cmd);
    }
    SCOPED_STRBUF out = {0};
    view_spec_sources(&cmd->step, &out);
    view_add(&cmd->docs, "sources", strbuf_str(&out));
    return EXIT_OK;
}

/* ---- showing ---- */

static void make_page(struct view_cmd *cmd, bool server, struct strbuf *out)
{
    struct view_page page = {.documents = strbuf_str(&cmd->docs.json),
                             .title = cmd->title,
                             .nonce = cmd->nonce,
                             .server = server,
                             .can_step = server && cmd->step.open};
    view_page(&page, out);
}

static void handle(void *arg, struct str method, struct str path, struct str body,
                   struct view_answer *answer)
{
    struct view_cmd *cmd = arg;
    if (str_is(method, "GET") && path.n == 0) {
        answer->status = 200;
        answer->type = "text/html; charset=utf-8";
        answer->nonce = cmd->nonce;
        make_page(cmd, true, &answer->body);
    } else if (str_is(method, "POST") && str_is(path, "api")) {
        answer->status = 200;
        answer->type = "application/json";
        view_spec_answer(&cmd->step, body, &answer->body);
    } else {
        strbuf_adds(&answer->body, "There is nothing here.\n");
    }
}

static int serve(struct view_cmd *cmd, struct err *err)
{
    struct view_http *http = NULL;
    int status = view_http_open((uint16_t)cmd->port, &http, err);
    if (status == 0) {
        (void)printf("%s\n", view_http_url(http));
        (void)printf("Open this address in a browser on this machine; Ctrl-C ends.\n");
        (void)fflush(stdout);
        status = view_http_run(http, handle, cmd, signals_flag(), err);
    }
    view_http_close(http);
    return status;
}

static int show(struct view_cmd *cmd, struct err *err)
{
    SCOPED_STRBUF out = {0};
    if (cmd->json) {
        strbuf_adds(&out, "[");
        strbuf_addstr(&out, strbuf_str(&cmd->docs.json));
        strbuf_adds(&out, "]\n");
        return put_text(stdout, strbuf_str(&out)) == 0
                   ? 0
                   : err_set(err, ERR_IO, 0, "standard output cannot be written");
    }
    int status = view_token(cmd->nonce, err);
    if (status == 0 && cmd->html != NULL) {
        make_page(cmd, false, &out);
        return file_write(cmd->html, strbuf_str(&out), err);
    }
    return status != 0 ? status : serve(cmd, err);
}

static int view_body_of(void *arg)
{
    struct view_cmd *cmd = arg;
    struct err err = {0};
    if (cmd->html != NULL && file_probe(cmd->html, &err) != 0) {
        (void)fprintf(stderr, "assay view: --html: %s\n", err.text);
        return EXIT_OTHER;
    }
    if (read_files(cmd, &err) != 0) {
        (void)fprintf(stderr, "assay view: %s\n", err.text);
        return err.code == ERR_NOT_FOUND || err.code == ERR_IO ? EXIT_OTHER : EXIT_CONFIG;
    }
    if (cmd->map != NULL && cmd->runs.n == 0) {
        return usage_error("view", "--map: none of these files is a run");
    }
    int status = cmd->map != NULL ? decode_runs(cmd) : EXIT_OK;
    status = status == EXIT_OK ? load_spec(cmd) : status;
    if (status == EXIT_OK && show(cmd, &err) != 0) {
        (void)fprintf(stderr, "assay view: %s\n", err.text);
        status = EXIT_OTHER;
    }
    return status;
}

int cmd_view(int argc, char **argv)
{
    enum { PORT_MAX = 65535 };
    struct view_cmd cmd = {0};
    int status = options_parse(options_of_view, argc, argv, &cmd);
    if (status == EXIT_OK && cmd.files.n == 0 && cmd.spec == NULL) {
        status = usage_error("view", "which file? A trace, the directory of a run, a history, a "
                                     "graph, what --json wrote, or SPEC.tla");
    }
    if (status == EXIT_OK && cmd.map != NULL && cmd.files.n == 0) {
        status = usage_error("view", "--map: of which run? Give its directory");
    }
    if (status == EXIT_OK && cmd.port > PORT_MAX) {
        status = usage_error("view", "--port: a number up to %d", PORT_MAX);
    }
    if (status == EXIT_OK) {
        arena_init(&cmd.arena, 0);
        view_docs_init(&cmd.docs);
        search_dirs_all(&cmd.arena, &cmd.paths, &cmd.dirs, &cmd.ndir);
        cmd.title = cmd.files.n != 0 ? cmd.files.v[0] : cmd.spec;
        signals_never_at_once();
        status = run_on_big_stack(view_body_of, &cmd);
        view_spec_close(&cmd.step);
        view_docs_done(&cmd.docs);
        arena_done(&cmd.arena);
    }
    VEC_DONE(&cmd.files);
    VEC_DONE(&cmd.runs);
    VEC_DONE(&cmd.paths);
    return status;
}

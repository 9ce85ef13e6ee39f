/* From files to the page: documents, the specification behind them, the server. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "base/vec.h"
#include "browse/browse.h"
#include "browse/messages.h"
#include "browse/spec.h"
#include "drive/bridge.h"
#include "history/history.h"
#include "job/load.h"
#include "model/model.h"
#include "option/option.h"
#include "report/report.h"
#include "view/view.h"

/* ---- reading ---- */

static bool is_spec(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".tla") == 0;
}

/* What a history is, judged by the model that was named. */
static int judge(struct browse *cmd, const char *path, struct err *err)
{
    static const char *const verdicts[] = {[HIST_CONSISTENT] = "consistent",
                                           [HIST_VIOLATED] = "violated",
                                           [HIST_UNDECIDED] = "undecided"};
    struct hist_options options = {.stop = &cmd->teller.flags->interrupt};
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

static int read_files(struct browse *cmd, struct err *err)
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
            VEC_PUSH(&cmd->runs, ((struct browse_doc){path, cmd->docs.n - 1}));
        }
        if (status == 0 && cmd->model != NULL && strcmp(cmd->docs.last, "history") == 0) {
            status = judge(cmd, path, err);
        }
    }
    return status;
}

/* ---- the messages of the runs ---- */

/* Of the runs among the files; documents are in the order of the files. */
static int decode_runs(struct browse *cmd)
{
    struct bridge_options options = {.map = cmd->map,
                                     .config = cmd->config,
                                     .dirs = cmd->dirs,
                                     .ndir = cmd->ndir,
                                     .teller = cmd->teller};
    struct bridge bridge = {0};
    struct err err = {0};
    int status = bridge_open(&options, &bridge);
    for (size_t i = 0; status == EXIT_OK && i < cmd->runs.n; i++) {
        const struct browse_doc *run = &cmd->runs.v[i];
        if (browse_messages(&bridge, run->path, run->doc, &cmd->docs, &err) != 0) {
            (void)fprintf(cmd->teller.err, "assay view: %s%s\n", err.text,
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
static const char *find_spec(struct browse *cmd)
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
static void add_empty_trace(struct browse *cmd)
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

static int load_spec(struct browse *cmd)
{
    const char *path = find_spec(cmd);
    if (path == NULL) {
        return EXIT_OK;
    }
    if (!browse_spec_open(&cmd->step, path, cmd->config, cmd->dirs, cmd->ndir, &cmd->teller)) {
        bool asked = cmd->spec != NULL;
        (void)fprintf(cmd->teller.err,
                      asked ? "assay view: %s cannot be used\n"
                            : "assay view: %s cannot be used: traces are shown without their "
                              "source and other steps\n",
                      path);
        return asked ? EXIT_OTHER : EXIT_OK;
    }
    for (size_t i = 0; i < cmd->docs.n_traces; i++) {
        SCOPED_STRBUF out = {0};
        browse_spec_follow(&cmd->step, cmd->docs.traces[i].doc, cmd->docs.traces[i].values, &out);
        view_add(&cmd->docs, "followed", strbuf_str(&out));
    }
    if (cmd->docs.n_traces == 0 && cmd->docs.n == 0) {
        add_empty_trace(cmd);
    }
    SCOPED_STRBUF out = {0};
    browse_spec_sources(&cmd->step, &out);
    view_add(&cmd->docs, "sources", strbuf_str(&out));
    return EXIT_OK;
}

/* ---- showing ---- */

static void make_page(struct browse *cmd, bool server, struct strbuf *out)
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
    struct browse *cmd = arg;
    if (str_is(method, "GET") && path.n == 0) {
        answer->status = 200;
        answer->type = "text/html; charset=utf-8";
        answer->nonce = cmd->nonce;
        make_page(cmd, true, &answer->body);
    } else if (str_is(method, "POST") && str_is(path, "api")) {
        answer->status = 200;
        answer->type = "application/json";
        browse_spec_answer(&cmd->step, body, &answer->body);
    } else {
        strbuf_adds(&answer->body, "There is nothing here.\n");
    }
}

static int serve(struct browse *cmd, struct err *err)
{
    struct view_http *http = NULL;
    int status = view_http_open((uint16_t)cmd->port, &http, err);
    if (status == 0) {
        (void)fprintf(cmd->teller.out, "%s\n", view_http_url(http));
        (void)fprintf(cmd->teller.out,
                      "Open this address in a browser on this machine; Ctrl-C ends.\n");
        (void)fflush(cmd->teller.out);
        status = view_http_run(http, handle, cmd, &cmd->teller.flags->interrupt, err);
    }
    view_http_close(http);
    return status;
}

static int show(struct browse *cmd, struct err *err)
{
    SCOPED_STRBUF out = {0};
    if (cmd->json) {
        strbuf_adds(&out, "[");
        strbuf_addstr(&out, strbuf_str(&cmd->docs.json));
        strbuf_adds(&out, "]\n");
        return put_text(cmd->teller.out, strbuf_str(&out)) == 0
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

int browse_run(void *arg)
{
    struct browse *cmd = arg;
    struct err err = {0};
    if (cmd->html != NULL && file_probe(cmd->html, &err) != 0) {
        (void)fprintf(cmd->teller.err, "assay view: --html: %s\n", err.text);
        return EXIT_OTHER;
    }
    if (read_files(cmd, &err) != 0) {
        (void)fprintf(cmd->teller.err, "assay view: %s\n", err.text);
        return err.code == ERR_NOT_FOUND || err.code == ERR_IO ? EXIT_OTHER : EXIT_CONFIG;
    }
    if (cmd->map != NULL && cmd->runs.n == 0) {
        return option_usage(cmd->teller.err, "view", "--map: none of these files is a run");
    }
    int status = cmd->map != NULL ? decode_runs(cmd) : EXIT_OK;
    status = status == EXIT_OK ? load_spec(cmd) : status;
    if (status == EXIT_OK && show(cmd, &err) != 0) {
        (void)fprintf(cmd->teller.err, "assay view: %s\n", err.text);
        status = EXIT_OTHER;
    }
    return status;
}

void browse_done(struct browse *cmd)
{
    browse_spec_close(&cmd->step);
    view_docs_done(&cmd->docs);
    VEC_DONE(&cmd->runs);
}

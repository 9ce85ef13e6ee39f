/* `assay eval EXPR`: the value of an expression. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/kind.h"
#include "job/expr.h"
#include "option/option.h"
#include "trace/trace.h"

struct eval_cmd {
    const char *module, *config;
    struct word_list exprs, paths;
    const char **dirs;
    size_t ndir;
    bool json;
};

static void show(const struct eval_cmd *cmd, const char *expr, enum expr_result result,
                 struct strbuf *text)
{
    bool error = result == EXPR_ERROR;
    if (!cmd->json) {
        (void)put_text(error ? stderr : stdout, strbuf_str(text));
        return;
    }
    SCOPED_STRBUF line = {0};
    while (text->n > 0 && text->p[text->n - 1] == '\n') {
        text->p[--text->n] = '\0';
    }
    strbuf_adds(&line, "{\"expression\":");
    json_write_string(str_of(expr), &line);
    strbuf_adds(&line, error ? ",\"error\":" : ",\"value\":");
    json_write_string(strbuf_str(text), &line);
    strbuf_adds(&line, "}\n");
    (void)put_text(stdout, strbuf_str(&line));
}

static int eval_body(void *arg)
{
    struct eval_cmd *cmd = arg;
    struct expr_session session;
    struct teller teller = teller_here();
    if (cmd->module != NULL && wrong_kind("eval", cmd->module, KIND_SPEC)) {
        return EXIT_USAGE;
    }
    int status = expr_open(&session, cmd->module, cmd->config, cmd->dirs, cmd->ndir, &teller);
    for (size_t i = 0; status == EXIT_OK && i < cmd->exprs.n; i++) {
        SCOPED_STRBUF text = {0};
        session.color = session.color && !cmd->json;
        enum expr_result result = expr_eval(&session, str_of(cmd->exprs.v[i]), false, &text);
        show(cmd, cmd->exprs.v[i], result, &text);
        if (result == EXPR_ERROR) {
            status = *signals_flag() ? EXIT_INTERRUPTED : expr_status(&session);
        }
    }
    expr_close(&session);
    return status;
}

#define CMD struct eval_cmd
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_eval[] = {
    {"", 0, "EXPR", NULL, TO_LIST(CMD, exprs), "", NULL},
    {"module", 'm', "FILE", "*.tla", TO_TEXT(CMD, module), "evaluate in the scope of this module", NULL},
    {"config", 'c', "FILE", "*.cfg", TO_TEXT(CMD, config), "values for the constants of the module", NULL},
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, paths), "where modules are looked for; also TLA_PATH", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "a JSON document for each expression", NULL},
    OPTIONS_END,
};
/* clang-format on */

static bool parse_line(struct eval_cmd *cmd, int argc, char **argv)
{
    bool good = options_parse(options_of_eval, argc, argv, cmd) == EXIT_OK;
    if (good && cmd->exprs.n == 0) {
        good = usage_error(argv[0],
                           "which expression? For example: assay eval '{x^2 : x \\in 1..3}'") ==
               EXIT_OK;
    }
    if (good && cmd->config != NULL && cmd->module == NULL) {
        good = usage_error(argv[0], "--config needs --module") == EXIT_OK;
    }
    return good;
}

int cmd_eval(int argc, char **argv)
{
    struct eval_cmd cmd = {0};
    struct arena arena;
    arena_init(&arena, 0);
    int status = EXIT_USAGE;
    if (parse_line(&cmd, argc, argv)) {
        search_dirs_all(&arena, &cmd.paths, &cmd.dirs, &cmd.ndir);
        status = run_on_big_stack(eval_body, &cmd);
    }
    VEC_DONE(&cmd.exprs);
    VEC_DONE(&cmd.paths);
    arena_done(&arena);
    return status;
}

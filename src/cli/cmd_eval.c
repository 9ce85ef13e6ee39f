/* `assay eval EXPR`: the value of an expression. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/expr.h"
#include "cli/load.h"
#include "cli/run.h"
#include "trace/trace.h"

struct eval_cmd {
    const char *module, *config;
    VEC(const char *) exprs;
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
    int status = expr_open(&session, cmd->module, cmd->config, cmd->dirs, cmd->ndir);
    for (size_t i = 0; status == EXIT_OK && i < cmd->exprs.n; i++) {
        SCOPED_STRBUF text = {0};
        session.color = session.color && !cmd->json;
        enum expr_result result = expr_eval(&session, str_of(cmd->exprs.v[i]), false, &text);
        show(cmd, cmd->exprs.v[i], result, &text);
        if (result == EXPR_ERROR) {
            status = expr_status(&session);
        }
    }
    expr_close(&session);
    return status;
}

static bool parse_line(struct eval_cmd *cmd, struct arena *arena, int argc, char **argv)
{
    struct args args;
    args_init(&args, argc, argv);
    bool good = true;
    while (good && args_next(&args)) {
        if (args.name == NULL) {
            VEC_PUSH(&cmd->exprs, args.value);
        } else if (args_is(&args, "module") || args_is(&args, "m")) {
            good = (cmd->module = args_value(&args)) != NULL;
        } else if (args_is(&args, "config") || args_is(&args, "c")) {
            good = (cmd->config = args_value(&args)) != NULL;
        } else if (args_is(&args, "path") || args_is(&args, "I")) {
            search_dirs(arena, args_value(&args), &cmd->dirs, &cmd->ndir);
        } else if (args_is(&args, "json")) {
            cmd->json = true;
        } else {
            good = args_unknown(&args) == EXIT_OK;
        }
    }
    args_done(&args);
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
    if (parse_line(&cmd, &arena, argc, argv)) {
        search_dirs(&arena, getenv("TLA_PATH"), &cmd.dirs, &cmd.ndir);
        status = run_on_big_stack(eval_body, &cmd);
    }
    VEC_DONE(&cmd.exprs);
    arena_done(&arena);
    return status;
}

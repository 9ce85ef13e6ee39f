/* Expressions one at a time. A session holds one program; definitions are added to its root module
 * and stay. */
#include "job/expr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "check/check.h"
#include "eval/eval.h"
#include "job/load.h"
#include "job/tell.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse.h"
#include "syntax/source.h"

/* What an expression may use when no module is named; the second is for the case that the first
 * does not load. */
static const char *const preludes[] = {
    "---- MODULE Session ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC, Json, "
    "Functions, SequencesExt, FiniteSetsExt\n====\n",
    "---- MODULE Session ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC\n====\n",
};

static void session_print(void *arg, const char *text, size_t len)
{
    const struct teller *teller = arg;
    (void)put_text(teller->out, (struct str){text, len});
    if (len == 0 || text[len - 1] != '\n') {
        (void)fputc('\n', teller->out);
    }
    (void)fflush(teller->out);
}

static void start(struct expr_session *session, const char *module, const char *config,
                  const char *const *dirs, size_t ndir)
{
    struct spec_options options = {
        .loading = session->teller.loading,
        .path = module,
        .config = config,
        .dirs = dirs,
        .ndir = ndir,
        .eval = {.stack_bytes = CHECK_STACK_BYTES, .seed = 1},
    };
    job_spec_init(&session->spec, &options);
    session->spec.eval.spec_dir = ".";
}

static int open_prelude(struct expr_session *session, const char *const *dirs, size_t ndir)
{
    struct err err = {0};
    for (size_t i = 0; i < sizeof preludes / sizeof preludes[0]; i++) {
        start(session, NULL, NULL, dirs, ndir);
        if (job_spec_program_text(&session->spec, "Session", str_of(preludes[i]), &err) ==
            SPEC_OK) {
            return EXIT_OK;
        }
        SCOPED_STRBUF text = {0};
        job_say_diags(session->teller.report, &session->spec, session->color, &text);
        if (i + 1 == sizeof preludes / sizeof preludes[0]) {
            (void)put_text(session->teller.err, strbuf_str(&text));
            return EXIT_PARSE;
        }
        job_spec_done(&session->spec);
    }
    return EXIT_PARSE;
}

static int open_module(struct expr_session *session, const char *config)
{
    struct spec *spec = &session->spec;
    struct err err = {0};
    SCOPED_STRBUF text = {0};
    int rc = config != NULL ? job_spec_config(spec, &err) : SPEC_OK;
    if (rc == SPEC_OK) {
        rc = job_spec_program(spec, &err);
    }
    if (rc == SPEC_OK) {
        return EXIT_OK;
    }
    if (rc == SPEC_ERR) {
        strbuf_printf(&text, "assay: %s\n", err.text);
    } else {
        job_say_diags(session->teller.report, spec, session->color, &text);
    }
    (void)put_text(session->teller.err, strbuf_str(&text));
    return rc == SPEC_ERR ? EXIT_OTHER : EXIT_PARSE;
}

int expr_open(struct expr_session *session, const char *module, const char *config,
              const char *const *dirs, size_t ndir, const struct teller *teller)
{
    *session = (struct expr_session){.teller = *teller,
                                     .color = color_wanted(COLOR_AUTO, fileno(teller->err))};
    session->host = (struct mhost){.print = session_print,
                                   .arg = &session->teller,
                                   .interrupt = &teller->flags->interrupt,
                                   .mode = "bfs",
                                   .workers = 1};
    if (module == NULL) {
        return open_prelude(session, dirs, ndir);
    }
    start(session, module, config, dirs, ndir);
    return open_module(session, config);
}

void expr_close(struct expr_session *session)
{
    job_spec_done(&session->spec);
}

int expr_status(const struct expr_session *session)
{
    return session->spec.diags.errors > 0         ? EXIT_PARSE
           : session->spec.issue.exit_status != 0 ? session->spec.issue.exit_status
                                                  : EXIT_SPEC_EVAL;
}

/* The errors of one input; they are forgotten afterwards. */
static void take_diags(struct expr_session *session, struct strbuf *out)
{
    job_say_diags(session->teller.report, &session->spec, session->color, out);
}

static bool is_definition(const struct node *node)
{
    return node != NULL &&
           (node->kind == N_OPDEF || node->kind == N_FCNDEF || node->kind == N_INSTDEF);
}

/* An input that stops too early: the first error stands at its end. */
static bool is_incomplete(const struct diags *diags, struct str text)
{
    if (diags->n == 0) {
        return false;
    }
    size_t end = text.n;
    while (end > 0 &&
           (text.p[end - 1] == ' ' || text.p[end - 1] == '\n' || text.p[end - 1] == '\t')) {
        end--;
    }
    return diags->v[0]->has_span && diags->v[0]->span.begin >= end;
}

static enum expr_result evaluate(struct expr_session *session, struct def *def, struct strbuf *out)
{
    struct spec *spec = &session->spec;
    spec->issue = (struct eval_issue){0};
    SCOPED_STRBUF value = {0};
    if (eval_expression(&spec->arena, &spec->program, &spec->config, def, &spec->eval,
                        &session->host, &value, &spec->issue) != 0) {
        job_tell_issue(spec, &spec->issue, session->color, out);
        return EXPR_ERROR;
    }
    strbuf_addstr(out, strbuf_str(&value));
    strbuf_addc(out, '\n');
    return EXPR_VALUE;
}

enum expr_result expr_eval(struct expr_session *session, struct str text, bool allow_incomplete,
                           struct strbuf *out)
{
    struct spec *spec = &session->spec;
    diags_init(&spec->diags, &spec->arena);
    const char *name = arena_printf(&spec->arena, "input %u", ++session->count);
    struct source *source = sources_add(&spec->sources, name, str_dup(&spec->arena, text), false);
    struct diags trial;
    diags_init(&trial, &spec->arena);
    uint32_t ids = spec->program.next_node_id;
    struct parse_options options = {.next_id = &ids};
    struct node *node = parse_repl(&spec->arena, source, &options, &trial);
    if (trial.errors > 0 && allow_incomplete && is_incomplete(&trial, text)) {
        session->count--;
        return EXPR_INCOMPLETE;
    }
    bool definition = is_definition(node);
    struct def *def = definition ? program_define(&spec->program, source)
                                 : program_expression(&spec->program, source);
    if (def == NULL || spec->diags.errors > 0) {
        take_diags(session, out);
        return EXPR_ERROR;
    }
    return definition ? EXPR_DEFINED : evaluate(session, def, out);
}

/* `assay repl`: expressions and definitions, one after the other. Lines are edited with libedit on
 * a terminal.
 *
 * An input goes on over several lines while it is not complete; an empty line ends it in any case.
 */
#include <editline/readline.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

#define LINE_BYTES_MAX ((size_t)64 << 20)

struct repl {
    char *module; /* owned */
    const char *config;
    struct word_list paths;
    const char **dirs;
    size_t ndir;
    bool tty;
    bool as_tlc; /* the prompts of TLC's REPL */
    bool broken; /* the input cannot be read on */
    struct expr_session session;
};

static const char help_text[] =
    "Type an expression to see its value, or a definition (Name == ...) to keep it.\n"
    "An input may take several lines; an empty line ends it.\n"
    "  :load FILE   start again with the definitions of a module\n"
    "  :reset       forget all definitions\n"
    "  :help        this text\n"
    "  :quit        leave (or Ctrl-D)\n";

/* A line may be endless, and a file may have no end: signals are looked for all the time. */
static char *piped_line(struct repl *repl)
{
    char *line = NULL;
    size_t n = 0;
    size_t cap = 0;
    for (int c = getc(stdin); c != EOF && c != '\n'; c = getc(stdin)) {
        if (n + 1 >= cap) {
            cap = cap * 2 + 256;
            char *grown = cap <= LINE_BYTES_MAX && !*signals_flag() ? realloc(line, cap) : NULL;
            if (grown == NULL) {
                free(line);
                repl->broken = true;
                return NULL;
            }
            line = grown;
        }
        line[n++] = (char)c;
    }
    if (n == 0 && feof(stdin)) {
        free(line);
        return NULL;
    }
    if (line == NULL) {
        return strdup("");
    }
    line[n] = '\0';
    return line;
}

/* One line without its newline, from the heap; NULL at the end. */
static char *read_line(struct repl *repl, const char *prompt)
{
    if (repl->tty) {
        return readline(prompt);
    }
    if (repl->as_tlc) {
        (void)fputs(prompt, stdout);
        (void)fflush(stdout);
    }
    return piped_line(repl);
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r")] == '\0';
}

static int reopen(struct repl *repl)
{
    struct teller teller = teller_here();
    if (repl->module != NULL && wrong_kind("repl", repl->module, KIND_SPEC)) {
        repl->session = (struct expr_session){.count = 0};
        return EXIT_USAGE;
    }
    return expr_open(&repl->session, repl->module, repl->config, repl->dirs, repl->ndir, &teller);
}

/* Commands start with a colon. Returns false to leave. */
static bool command(struct repl *repl, const char *line)
{
    if (strcmp(line, ":quit") == 0 || strcmp(line, ":q") == 0 || strcmp(line, ":exit") == 0) {
        return false;
    }
    if (strcmp(line, ":reset") == 0 || strncmp(line, ":load ", 6) == 0) {
        if (line[1] == 'l') {
            free(repl->module);
            const char *path = line + 6 + strspn(line + 6, " ");
            repl->module = strdup(path);
            repl->config = NULL;
        }
        expr_close(&repl->session);
        if (reopen(repl) != EXIT_OK) {
            expr_close(&repl->session);
            free(repl->module);
            repl->module = NULL;
            return reopen(repl) == EXIT_OK;
        }
        return true;
    }
    (void)fputs(strcmp(line, ":help") == 0 ? help_text : "No such command. Try :help\n", stdout);
    return true;
}

/* At a terminal Ctrl-C is for the input at hand only. */
static void forgive(const struct repl *repl)
{
    if (repl->tty && *signals_flag() == SIGINT) {
        signals_reset();
    }
}

/* Reads on until the input is complete, evaluates it and shows the outcome. */
static void evaluate(struct repl *repl, const char *first)
{
    SCOPED_STRBUF input = {0};
    SCOPED_STRBUF out = {0};
    strbuf_adds(&input, first);
    enum expr_result result;
    bool more = true;
    while ((result = expr_eval(&repl->session, strbuf_str(&input), more, &out)) ==
           EXPR_INCOMPLETE) {
        char *line = read_line(repl, "  ... ");
        if (line == NULL || is_blank(line) || *signals_flag()) {
            more = false;
        } else {
            strbuf_addc(&input, '\n');
            strbuf_adds(&input, line);
        }
        free(line);
    }
    (void)put_text(result == EXPR_ERROR ? stderr : stdout, strbuf_str(&out));
    (void)fflush(stdout);
    forgive(repl);
    if (repl->tty) {
        (void)add_history(strbuf_cstr(&input));
    }
}

static int repl_body(void *arg)
{
    struct repl *repl = arg;
    int status = reopen(repl);
    if (status == EXIT_OK && repl->as_tlc) {
        (void)puts("Welcome to the TLA+ REPL!\nTLC2 Version 2.20 (assay " ASSAY_VERSION
                   ")\nEnter a constant-level TLA+ expression.");
    } else if (status == EXIT_OK && repl->tty) {
        (void)puts("assay " ASSAY_VERSION ". Type :help for help.");
    }
    bool stay = status == EXIT_OK;
    while (stay) {
        char *line = read_line(repl, repl->as_tlc ? "(tla+) " : "tla+> ");
        forgive(repl);
        if (line == NULL || *signals_flag()) {
            free(line);
            break;
        }
        if (line[0] == ':') {
            stay = command(repl, line);
        } else if (!is_blank(line)) {
            evaluate(repl, line);
        }
        free(line);
    }
    if (repl->tty) {
        (void)putchar('\n');
    }
    expr_close(&repl->session);
    if (*signals_flag()) {
        return EXIT_INTERRUPTED;
    }
    if (repl->broken) {
        (void)fputs("assay repl: a line of the input is longer than 64 MiB\n", stderr);
        return EXIT_OTHER;
    }
    return status;
}

static const char *set_module(void *to, const char *value)
{
    struct repl *repl = to;
    free(repl->module);
    repl->module = strdup(value);
    return repl->module != NULL ? NULL : "less";
}

#define CMD struct repl
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_repl[] = {
    {"", 0, "M.tla", "*.tla", TO_CALL(set_module), "", NULL},
    {"module", 'm', "FILE", "*.tla", TO_CALL(set_module), NULL, NULL},
    {"config", 'c', "FILE", "*.cfg", TO_TEXT(CMD, config), "values for the constants of the module", NULL},
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, paths), "where modules are looked for; also TLA_PATH", NULL},
    {"as-tlc", 0, NULL, NULL, TO_FLAG(CMD, as_tlc), NULL, NULL},
    OPTIONS_END,
};
/* clang-format on */

int cmd_repl(int argc, char **argv)
{
    struct repl repl = {.tty = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1};
    struct arena arena;
    arena_init(&arena, 0);
    int status = EXIT_USAGE;
    if (options_parse(options_of_repl, argc, argv, &repl) == EXIT_OK) {
        search_dirs_all(&arena, &repl.paths, &repl.dirs, &repl.ndir);
        status = run_on_big_stack(repl_body, &repl);
    }
    free(repl.module);
    VEC_DONE(&repl.paths);
    arena_done(&arena);
    return status;
}

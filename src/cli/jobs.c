/* Jobs of the command line. */
#include "cli/jobs.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/env.h"
#include "base/err.h"
#include "base/str.h"
#include "check/check.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "job/job.h"
#include "job/load.h"

/* The first letter of a line of standard input; -1 at its end. */
static int ask_user(void *arg)
{
    (void)arg;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n = getline(&line, &cap, stdin);
    const char *answer = n < 0 ? "" : line + strspn(line, " \t\r\n");
    int first = n < 0 ? -1 : tolower((unsigned char)answer[0]);
    free(line);
    return first;
}

void jobs_init(struct job *job, const struct spec_options *options,
               const struct check_options *check)
{
    struct arena arena;
    struct job_setup setup;
    arena_init(&arena, 0);
    job_setup_env(&setup, &arena);
    job_init(job, options, check, &setup, signals_flags());
    if (setup.cache_dir != NULL) {
        job->setup.cache_dir =
            arena_strndup(&job->spec.arena, setup.cache_dir, strlen(setup.cache_dir));
    }
    job->ask = ask_user;
    job->spec.options.loading = signals_loading;
    arena_done(&arena);
}

int jobs_program(struct spec *spec, struct err *err)
{
    signals_loading(true);
    int rc = job_spec_program(spec, err);
    signals_loading(false);
    return rc;
}

int jobs_program_text(struct spec *spec, const char *name, struct str text, struct err *err)
{
    signals_loading(true);
    int rc = job_spec_program_text(spec, name, text, err);
    signals_loading(false);
    return rc;
}

/* ---- stacks ---- */
struct call {
    int (*fn)(void *arg);
    void *arg;
    int result;
};

static void call_fn(void *arg)
{
    struct call *call = arg;
    call->result = call->fn(call->arg);
}

int run_on_big_stack(int (*fn)(void *arg), void *arg)
{
    struct call call = {.fn = fn, .arg = arg};
    struct err err = {0};
    if (check_on_big_stack(call_fn, &call, &err) != 0) {
        (void)fprintf(stderr, "assay: %s\n", err.text);
        return EXIT_OTHER;
    }
    return call.result;
}

/* ---- directories ---- */
void search_dirs_all(struct arena *arena, const struct word_list *paths, const char ***dirs,
                     size_t *ndir)
{
    for (size_t i = 0; i < paths->n; i++) {
        job_dirs_add(arena, paths->v[i], dirs, ndir);
    }
    job_dirs_add(arena, env_text("TLA_PATH"), dirs, ndir);
}

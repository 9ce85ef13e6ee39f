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
#include "base/teller.h"
#include "check/check.h"
#include "cli/cli.h"
#include "cli/reports.h"
#include "job/job.h"
#include "job/load.h"
#include "option/option.h"

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

struct teller teller_here(void)
{
    return (struct teller){.out = stdout,
                           .err = stderr,
                           .flags = signals_flags(),
                           .loading = signals_loading,
                           .ask = ask_user,
                           .report = reports()};
}

void jobs_init(struct job *job, const struct spec_options *options,
               const struct check_options *check)
{
    struct teller teller = teller_here();
    job_init_here(job, options, check, &teller);
}

int run_on_big_stack(int (*fn)(void *arg), void *arg)
{
    struct teller teller = teller_here();
    return job_on_big_stack(&teller, fn, arg);
}

void search_dirs_all(struct arena *arena, const struct word_list *paths, const char ***dirs,
                     size_t *ndir)
{
    job_dirs_all(arena, paths->v, paths->n, dirs, ndir);
}

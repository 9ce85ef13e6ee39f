/* Jobs of the command line: what room `job` wants to know of the process that it is in. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/teller.h"
#include "job/job.h"
#include "job/load.h"
#include "option/option.h"

/* job_init with the tools that the environment names; signals stop the job. */
void jobs_init(struct job *job, const struct spec_options *options,
               const struct check_options *check);
/* This process: standard output and error, its signals, its report. */
struct teller teller_here(void);
/* Runs fn(arg) where evaluation has the stack it may need. */
int run_on_big_stack(int (*fn)(void *arg), void *arg);
/* Appended to dirs (arena memory): the directories of every --path, and of TLA_PATH. */
void search_dirs_all(struct arena *arena, const struct word_list *paths, const char ***dirs,
                     size_t *ndir);

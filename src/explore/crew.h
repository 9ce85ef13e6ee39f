/* Does walks: here, or in several processes, each with a cluster of its own. Those that are done
 * are kept in a journal; whoever asks for one that is there gets it from there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "explore/space.h"
#include "explore/walk.h"

struct crew_options {
    struct space_options space; /* its directory is the search's: those of spaces are made there */
    uint32_t jobs;              /* 0 or 1: here */
    const char *journal;        /* a file; NULL: none */
    uint64_t identity;          /* of the search: a journal of another one is refused */
    bool resume;                /* go on with the journal that is there */
};

struct crew;
MUST_USE int crew_open(const struct crew_options *options, struct crew **ret, struct err *err);
void crew_close(struct crew *crew); /* accepts NULL; ends what is under way */
/* Lets clusters be started: those of workers, and that of this process if it will be wanted, too.
 * What goes wrong is told when they are used. */
void crew_warm(struct crew *crew, bool here);
/* Whether another walk can be begun at once. */
bool crew_idle(const struct crew *crew);
/* Walks that were asked for and not taken yet. */
size_t crew_busy(const struct crew *crew);
/* Asks for a walk, of whoever has most of its path behind it. The task is copied. */
MUST_USE int crew_ask(struct crew *crew, const struct walk_task *task, uint64_t tag,
                      struct err *err);
/* For whoever wants to say who does what: jobs have numbers from 0 on. */
size_t crew_jobs(const struct crew *crew);
bool crew_job_idle(const struct crew *crew, size_t job);
MUST_USE int crew_ask_job(struct crew *crew, size_t job, const struct walk_task *task, uint64_t tag,
                          struct err *err);
/* Whether one can be taken without waiting. */
bool crew_ready(const struct crew *crew);
/* Waits for a walk that was asked for, any. A walk that could not be done is WALK_BROKEN. */
MUST_USE int crew_take(struct crew *crew, uint64_t *ret_tag, struct walk *ret, struct err *err);
/* Of those that were taken: how many came from the journal. */
uint64_t crew_kept(const struct crew *crew);
/* Ends what is under way; nothing can be asked for any more. */
void crew_dismiss(struct crew *crew);
/* After that: seconds of processor time of a job, its cluster with it, and of this process without
 * the jobs. */
double crew_job_cpu(const struct crew *crew, size_t job);
double crew_cpu(const struct crew *crew);
/* A space of this process, for whoever wants to look at a path. */
MUST_USE int crew_space(struct crew *crew, struct space **ret, struct err *err);

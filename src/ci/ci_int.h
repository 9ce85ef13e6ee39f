/* What the files of this room share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "ci/ci.h"

/* A path of the file of jobs, from here: `dir` in front unless it begins with a slash. */
const char *ci_path(struct arena *arena, const char *dir, const char *path);

/* ---- inputs.c ---- */
struct ci_inputs;
/* What was hashed once is not read again: one of these serves many jobs. */
struct ci_inputs *ci_inputs_new(struct ci *ci);
void ci_inputs_free(struct ci_inputs *inputs); /* accepts NULL */
/* Fills in inputs and key of a job, anew. */
MUST_USE int ci_inputs_of(struct ci_inputs *inputs, struct ci_job *job, const char *program,
                          struct err *err);
/* The hash of a text: CI_KEY digits. */
void ci_hash(struct str text, char ret[CI_KEY + 1]);
/* Whether an option's value is a file or a directory that the command writes. */
bool ci_writes(const char *option);

/* ---- cache.c ---- */
/* A remembered result of these inputs: true, and into `ret`. What is damaged counts as absent. */
bool ci_cache_get(struct ci *ci, const struct ci_job *job, struct ci_result *ret);
MUST_USE int ci_cache_put(struct ci *ci, const struct ci_job *job, struct err *err);
/* What the job reads now is what it is compared with the next time. */
MUST_USE int ci_cache_note(struct ci *ci, const struct ci_job *job, struct err *err);
void ci_cache_forget(struct ci *ci, const struct ci_job *job);
/* Why there is none: what is different from the last time that a job of this name was run. Lives
 * in the arena. */
const char *ci_cache_why(struct ci *ci, const struct ci_job *job);
/* Removes what has not been used for a long time. */
void ci_cache_prune(struct ci *ci);

/* ---- outcome.c ---- */
/* What may be remembered of a finished job: a verdict, without a limit of time. */
bool ci_is_verdict(const struct ci_result *result);
/* All of a result that must be the same when the inputs are. */
void ci_digest(const struct ci_job *job, const struct ci_result *result, char ret[CI_KEY + 1]);

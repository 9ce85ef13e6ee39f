/* What the commands of the engine share: run, replay, shrink. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/lock.h"
#include "base/str.h"
#include "base/teller.h"
#include "run/cluster.h"
#include "run/runner.h"

/* Keeps this process, and all that it starts, on one processor: crossing over is many times slower.
 */
bool engine_pin(int cpu); /* -1: the one we are on; false: it cannot be used */
/* Whether the user asks for programs without a cage: ASSAY_BARE is set. */
bool engine_bare(void);
/* Where consent is kept (run/consent.h): in the user's directory for such things. "" when there is
 * none. */
void engine_state_dir(struct strbuf *ret_path);
/* Opens what judges the cluster's [invariants], if it has any, or only looks at what it observes,
 * if `look` is set: the caller frees *ret, which may be NULL. EXIT_OK, or a status after it has
 * told why not. */
struct observer;
int engine_judge(const struct teller *teller, struct cluster *cluster, bool look,
                 struct arena *arena, struct observer **ret);
/* Exit status for a verdict; interrupted runs count as that. */
int engine_status(const struct teller *teller, const struct run_result *result);
/* Makes the directory of a run, or empties that of an old one; another directory that has anything
 * in it is refused. Locks it, unless the lock is held already: the caller unlocks. */
MUST_USE int engine_dir(const char *dir, struct dir_lock *lock, struct err *err);
/* What happened, for people. */
void engine_print(const struct teller *teller, const struct run_options *options,
                  const struct run_result *result, double seconds);
/* The same as one JSON document. */
void engine_print_json(const struct teller *teller, const struct run_options *options,
                       const struct run_result *result, double seconds);
/* The last lines that a node has printed, with their times. */
void engine_last_lines(const char *dir, const char *node, int lines, struct strbuf *out);
/* Writes DIR/replay. A run that was fine and cannot be saved has failed; of another one the message
 * says so, too. */
void engine_save(const struct run_options *options, struct run_result *result);
/* Progress on a terminal; to be given to run_options.progress, with a struct engine_show. */
struct engine_show {
    const struct teller *teller;
    uint64_t seed;
};
void engine_progress(void *arg, uint64_t now_ns, uint64_t events);
void engine_progress_end(const struct teller *teller, bool on);

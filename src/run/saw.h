/* What clients saw: the operations that they printed, as a history, and the verdict on it. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

struct cluster_history;

/* Adds a line of a client to the history, if it is an event: a line that begins with a brace. */
void saw_line(const char *client, struct str line, struct strbuf *history);

/* The verdict alone: nothing is written. */
MUST_USE int saw_violated(const struct cluster_history *how, struct str history, bool *ret,
                          struct err *err);

struct saw_verdict {
    bool violated;
    struct strbuf names; /* of what was found */
};
void saw_verdict_done(struct saw_verdict *verdict);
/* Writes history.jsonl to the directory of the run and judges it; what was found is told in
 * history.txt. An error: the history cannot be judged, or not be written. */
MUST_USE int saw_judge(const struct cluster_history *how, const char *dir, struct str history,
                       const volatile sig_atomic_t *stop, struct saw_verdict *ret, struct err *err);

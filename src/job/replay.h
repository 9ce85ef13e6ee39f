/* -loadTrace: a model that follows a recorded behaviour. It is another model with one more
 * constraint: the state at level i of a behaviour must be the i-th state of the trace. */
#pragma once

#include "base/err.h"
#include "model/model.h"
#include "trace/trace.h"

struct strtab;
struct replay;

/* Wraps `inner`, which must outlive the result. `path` is a trace in TLC's JSON, or ITF (our own
 * "tlc" format). */
MUST_USE int replay_new(struct model *inner, struct strtab *strings, const char *path,
                        struct replay **ret_replay, struct err *err);
void replay_free(struct replay *replay); /* accepts NULL */
struct model *replay_model(struct replay *replay);

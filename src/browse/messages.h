/* The messages of a run as values, as a mapping decodes them: for the page of the run. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "drive/bridge.h"
#include "view/view.h"

/* Adds the document "messages" for the run at `path` (its directory, or its events.jsonl), which is
 * the document `of`. ERR_NOT_FOUND: it has no events.jsonl. On a big stack only. */
MUST_USE int browse_messages(struct bridge *bridge, const char *path, size_t of,
                             struct view_docs *docs, struct err *err);

/* A path as a space-time diagram in text: a column for each node, a line for each event. */
#pragma once

#include "base/str.h"
#include "explore/space.h"
#include "run/cluster.h"

/* Of the path from the root to here; events have the numbers of a recording. */
void diagram_print(const struct cluster *cluster, const struct space *space, struct strbuf *out);

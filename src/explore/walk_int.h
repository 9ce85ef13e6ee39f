/* Private to the explore room: what a walk is judged by besides its own order. */
#pragma once

#include "base/err.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"

/* Notes that the space has failed, unless the walk has before. */
void xwalk_note_failure(const struct space *space, struct walk *walk);

struct xwalk_judging {
    struct space *space; /* at the end of the walk */
    const struct cluster *cluster;
    const struct walk_task *task;
    struct walk *walk;
};
/* Unless it has failed: what another order of the same trace would have shown, of variables that
 * are observed and of what clients saw. That order is then done. */
MUST_USE int xwalk_judge_orders(const struct xwalk_judging *judging, struct err *err);

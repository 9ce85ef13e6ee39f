/* Private to the explore room: what strategies share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/err.h"
#include "explore/crew.h"
#include "explore/explore.h"
#include "explore/walk.h"
#include "explore/xgraph.h"

struct search {
    const struct explore_options *o;
    struct explore_result *result;
    struct crew *crew;
    bool over; /* somebody wants it to end */
    struct xgraph graph;
};

/* Notes what came out of a walk: counts, findings. path: its events from the root on. */
void xsearch_note(struct search *s, const struct walk *walk, const uint64_t *path, size_t n,
                  uint64_t nth);
/* Tells how far it is; false: the search is to end. */
bool xsearch_goes_on(struct search *s);

/* Whether its time is up. */
bool xsearch_late(const struct search *s);

/* Whether the cluster is fit for the strategy; the error says why not and what to do. It is tried
 * out, and a search that goes on need not do that again. With several jobs it is tried out by a
 * process of its own, so that clusters can be started meanwhile; nothing is searched before its
 * end. */
struct xpreflight {
    pid_t pid; /* 0: it is over */
    int fd;
    bool late; /* the time was up meanwhile */
};
MUST_USE int xsearch_preflight_begin(const struct explore_options *options, struct xpreflight *ret,
                                     struct err *err);
MUST_USE int xsearch_preflight_end(struct xpreflight *preflight, struct err *err);

MUST_USE int sample_search(struct search *s, struct err *err);
MUST_USE int dfs_search(struct search *s, struct err *err);
MUST_USE int dir_search(struct search *s, struct err *err);
MUST_USE int dpor_search(struct search *s, struct err *err);

/* Where the states of a rank came from, when several processes search together: a file of
 * (fingerprint, parent's fingerprint, which candidate of the parent's it was), level by level.
 * Appended when a state is found. The parent may be any rank's; who owns it can be computed. */
#pragma once

#include <stdint.h>

#include "base/err.h"

struct kin;
struct store;

struct kin_record {
    uint64_t fp, parent; /* initial states: parent 0 */
    uint64_t ordinal;    /* at most UINT32_MAX, which stands for all above, too */
};

MUST_USE int kin_new(struct store *store, const char *name, struct kin **ret, struct err *err);
void kin_free(struct kin *kin); /* accepts NULL */
MUST_USE int kin_add(struct kin *kin, const struct kin_record *record, struct err *err);
/* What is added from here on is of the next level. */
void kin_next_level(struct kin *kin);
/* Looks for a state of a level (the initial states are level 1): 1, 0 or negative. */
MUST_USE int kin_find(struct kin *kin, uint64_t level, uint64_t fp, struct kin_record *ret,
                      struct err *err);

/* ---- checkpoints ---- */
uint64_t kin_levels(const struct kin *kin); /* that are finished */
/* Records of the levels up to this one; beyond those that are finished: all. */
uint64_t kin_count(const struct kin *kin, uint64_t level);
MUST_USE int kin_flush(struct kin *kin, struct err *err); /* to the disk */
/* Reads records [begin, end) of such a file, in order. */
MUST_USE int kin_read(struct store *store, const char *name, uint64_t begin, uint64_t end,
                      int (*each)(void *arg, const struct kin_record *record, struct err *err),
                      void *arg, struct err *err);

/* States, packed for the way to another rank.
 *
 * Those of one parcel are much alike: successors of one state, or of neighbours. So of each only
 * what differs from the one before it is written, and the parent's fingerprint only when it is
 * another one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct parcel_record {
    uint64_t fp, parent;      /* fingerprints */
    uint32_t ordinal, action; /* which candidate of its parent's it was, and of which action */
    const uint8_t *bytes;
    size_t len;
};

/* Zero it. */
struct parcel {
    struct strbuf out; /* the caller may have put something in front */
    struct strbuf last;
    uint64_t parent;
    uint32_t n; /* records */
};
void parcel_add(struct parcel *parcel, const struct parcel_record *record);
void parcel_reset(struct parcel *parcel); /* empty, with the memory that it has */
void parcel_done(struct parcel *parcel);

/* Zero it, but for `left`. */
struct parcel_reader {
    struct str left;
    struct strbuf last; /* the bytes of the record that was read */
    uint64_t parent;
};
/* 1 with a record, whose bytes are valid until the next call; 0 at the end; -1: it is damaged. */
int parcel_next(struct parcel_reader *reader, struct parcel_record *ret);
void parcel_reader_done(struct parcel_reader *reader);

/* Fingerprints that were sent lately: a table that forgets. */
struct sent {
    uint64_t *slots;
    size_t mask;
};
void sent_init(struct sent *sent, unsigned bits);
void sent_done(struct sent *sent);
static inline bool sent_has(const struct sent *sent, uint64_t fp)
{
    return sent->slots[fp >> 7 & sent->mask] == fp;
}
static inline void sent_put(struct sent *sent, uint64_t fp)
{
    sent->slots[fp >> 7 & sent->mask] = fp;
}

/* Whose state it is. The fingerprint set uses the same bits otherwise, so they are mixed. */
static inline unsigned parcel_owner(uint64_t fp, unsigned size)
{
    uint64_t mixed = (fp ^ fp >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    return (unsigned)(mixed * size >> 32);
}

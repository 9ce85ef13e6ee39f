/* What peers.c and peers_save.c share. Private to the room. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/kin.h"
#include "dist/parcel.h"
#include "dist/ranks.h"

struct search;

/* A rank's own figures. */
struct peers_told {
    uint64_t generated, distinct, enqueued, expanded, depth;
    uint64_t settled;          /* states expanded in levels that were finished */
    uint64_t sent, sent_bytes; /* states to others */
};

struct peer {
    struct peers_told told; /* at last; it may be a round ahead */
    struct peers_told sync; /* in the round at hand */
    bool ended[2];          /* by the round's parity: it may be one round ahead */
    uint64_t end_said[2];
    bool synced;
    uint64_t said; /* in the round at hand */
    char why[sizeof((struct err *)0)->text];
};

/* A checkpoint of an earlier run. */
struct peers_old {
    unsigned size; /* ranks that wrote it; 0: none */
    uint64_t number, generation;
};

struct peers {
    struct ranks *ranks;
    unsigned me, n;
    struct parcel *out; /* [n] */
    struct sent lately;
    struct kin *kin;
    struct peer *of;          /* [n] */
    uint64_t round;           /* that everybody is in, or about to end */
    VEC(struct strbuf) later; /* records of parcels of the next round */
    struct parcel_reader reader;
    struct strbuf message, state;
    bool replaying; /* rank 0 looks at a violation again */
    bool left;      /* the caller begins anew */
    bool broken;    /* the others cannot be heard any more */
    bool over;      /* all have ended the search in the same round */
    unsigned turns;
    uint64_t told_ns;
    uint64_t sent, sent_bytes;
    uint64_t saved;       /* number of the last checkpoint; 0: none */
    uint64_t generation;  /* of the file of origins */
    struct peers_old old; /* the checkpoint that the search went on from, until there is a newer */
    uint64_t names;       /* strings that all ranks number alike */
};

struct peers_told peers_told_now(const struct search *s);
void peers_kin_name(uint64_t generation, char name[48]);

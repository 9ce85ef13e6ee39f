/* Private to gpu: what a launch is told and what it tells. The same lines are part of the text that
 * is compiled for the device (tools/embed-kernel), so they use fixed widths only. Addresses are
 * those of the device. */
#pragma once

#include <stdint.h>

/* Words of the table that are no fingerprints: free ones. */
#define GPU_EMPTY 0

/* Why a state of a launch must be done again, or by the host. Others are those of the prelude. */
#define GPU_AGAIN 65535 /* there was no room */

/* A candidate: the number of its predecessor in its level, and the how manyth successor it is,
 * counted from 1. 0 stands for the state itself. */
#define GPU_ORDINAL_BITS 24
#define GPU_ORDINAL_MAX  ((1 << GPU_ORDINAL_BITS) - 1)

/* How far a successor is. */
#define GPU_NOTHING 0 /* there is none */
#define GPU_MADE    1
#define GPU_INSIDE  2 /* looked at: the constraints hold, */
#define GPU_OUTSIDE 3 /* or do not */
#define GPU_WAITS   4 /* found no place in the table */

/* A successor, beside its state. */
struct gpu_head {
    uint64_t candidate, changed, fp;
    uint32_t state;        /* the how manyth of the launch it comes from */
    uint16_t action, what; /* what: GPU_MADE, ... */
};

/* What is done with the states of a launch, in this order. Each is a kernel, and finds in memory
 * what the one before it has left there. */
struct gpu_go {
    /* make: successors of states */
    uint64_t in;    /* the states, one after the other */
    uint64_t first; /* number of the first one in its level */
    uint64_t n;     /* how many of them, or of those picked */
    uint64_t pick;  /* uint32_t[n]: which; 0: all */
    uint64_t from;  /* the first of them, where all are taken */
    uint64_t level; /* of the states */
    uint64_t made;  /* successors, one after the other, */
    uint64_t heads; /* struct gpu_head[]: with what is known of them, */
    uint64_t made_cap;
    uint64_t places;    /* that a thread asks for at once */
    uint64_t bad;       /* uint32_t[n]: 1: the state was put off; its successors do not count */
    uint64_t todo;      /* uint64_t[n]: which << 16 | why, of states that were put off */
    uint64_t doubts;    /* uint64_t[doubt_cap]: candidates that the host must judge */
    uint64_t doubt_cap; /* look: are they in the model; their fingerprints */
    /* put: into the table; those that are new, and those that are outside, go to a list */
    uint64_t table, slots;
    uint64_t list;  /* uint32_t[made_cap]: from its beginning, and from its end */
    uint32_t again; /* only those that found no place */
    uint32_t found; /* they come from the host, which has counted and judged the steps to them */
    /* judge: do the invariants hold? keep: new states go to where they stay */
    uint64_t list_from, list_to; /* of the new ones; up to as many as there are */
    uint64_t outside_from, outside_to;
    uint64_t out;     /* where new states go, */
    uint64_t parents; /* uint64_t[]: and their candidates; */
    uint64_t out_n;   /* so many are there, */
    uint64_t out_cap; /* of at most so many */
    uint64_t counts;  /* struct gpu_counts */
};

struct gpu_counts {
    uint64_t made; /* more than there was room for, perhaps */
    uint64_t todo, doubts;
    uint64_t fresh, outside; /* of the list */
    uint64_t full;           /* successors that found no place in the table */
    /* uint64_t generated[actions], distinct[actions] follow */
};

/* Private to gpu: what a launch is told and what it tells. The same lines are part of the text that
 * is compiled for the device (tools/embed-kernel), so they use fixed widths only. Addresses are
 * those of the device. */
#pragma once

#include <stdint.h>

/* Words of the table that are no fingerprints. */
#define GPU_EMPTY 0
#define GPU_GONE  1 /* was taken back: see device/kernel.c */

/* Why a state of a launch must be done again, or by the host. Others are those of the prelude. */
#define GPU_AGAIN 65535 /* there was no room */

/* A candidate: the number of its predecessor in its level, and the how manyth successor it is,
 * counted from 1. 0 stands for the state itself. */
#define GPU_ORDINAL_BITS 24
#define GPU_ORDINAL_MAX  ((1 << GPU_ORDINAL_BITS) - 1)

struct gpu_go {
    uint64_t in;      /* states, one after the other */
    uint64_t first;   /* number of the first one in its level */
    uint64_t n;       /* how many of them, or of those picked */
    uint64_t pick;    /* uint32_t[n]: which; 0: all */
    uint64_t from;    /* the first of them, where all are taken */
    uint64_t items;   /* struct gpu_item[], where states come from the host */
    uint64_t out;     /* where new states go, */
    uint64_t parents; /* uint64_t[]: and their candidates; */
    uint64_t out_n;   /* so many are there, */
    uint64_t out_cap; /* of at most so many */
    uint64_t todo;    /* uint64_t[n]: which << 16 | why, of those that were not done */
    uint64_t doubts;  /* uint64_t[doubt_cap]: candidates that the host must judge */
    uint64_t doubt_cap;
    uint64_t table, slots;
    uint64_t counts; /* struct gpu_counts */
    uint64_t level;  /* of the states */
};

/* What the host found, with its state in `in`. */
struct gpu_item {
    uint64_t fp, candidate;
    uint32_t action, changed; /* changed: 0: nothing is known of it */
};

struct gpu_counts {
    uint64_t fresh; /* new states: more than there was room for, perhaps */
    uint64_t todo, doubts;
    uint64_t full; /* states that found no place in the table */
    uint64_t distinct;
    /* uint64_t generated[actions], distinct[actions] follow */
};

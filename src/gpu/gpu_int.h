/* Private to gpu: a search on a device. One thread leads it; others only expand states for it
 * (host.c). */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "gpu/device.h"
#include "gpu/gpu.h"
#include "gpu/launch.h"
#include "model/model.h"

struct gpu {
    struct gpu_options options;
    struct device *device;
    char compiler[256];
    char why[400];
    struct strbuf text; /* gpu_describe */
};

/* States of one level that are kept together: a block of the device's memory, or of this
 * machine's. */
struct segment {
    uint64_t at, parents; /* on the device; 0: there are none here */
    uint8_t *states;      /* on this machine, while at is 0 */
    uint64_t first, n;    /* number of the first one in its level */
};

/* Candidates of a segment's states, from which behaviours are found again. */
struct log_part {
    uint64_t level, first, n;
    uint64_t at;          /* on the device; 0: */
    uint64_t *candidates; /* on this machine */
};

/* What has been found to be wrong: a candidate of a state. */
struct culprit {
    bool found;
    uint64_t level, number, ordinal;
};

/* A task for the host: a state, all of it or one of its successors. */
struct task {
    uint64_t number; /* of the state in its level */
    uint64_t ordinal;
    bool judge; /* only that successor (0: is it a deadlock?) */
};

/* What a thread of the host found of several tasks. */
struct found {
    struct strbuf states;       /* new candidates for the table */
    VEC(struct gpu_head) heads; /* of them, as if they had been looked at */
    uint64_t extra;             /* generated besides */
    uint64_t *generated;        /* [naction] */
    struct culprit culprit;
    bool failed; /* a worker could not be made */
};

struct gsearch {
    struct gpu *gpu;
    struct device *d;
    const struct device_ops *ops;
    const struct gpu_search *what;
    const struct check_options *check;
    struct model *model;
    size_t state; /* bytes of one */
    uint32_t naction;
    uint64_t begin_ns, told_ns;

    /* memory.c */
    uint64_t budget, used; /* bytes of the device's memory */
    uint64_t segment_cap;  /* states */
    uint64_t table, slots, taken;
    uint64_t counts, counts_bytes; /* struct gpu_counts with what follows it */
    uint64_t todo, pick, bad, doubts, doubt_cap;
    uint64_t made, heads, list, made_cap; /* what a launch makes */
    VEC(struct segment) spare;            /* blocks that are free */
    VEC(struct segment) in, out;          /* of the level at hand, and of the next one */
    struct segment *current;              /* that is being expanded; NULL: none */
    VEC(struct log_part) log;
    VEC(uint64_t) log_blocks; /* of the device's memory, LOG_BLOCK bytes each */
    uint64_t log_used;        /* bytes of the last one */
    bool log_lost;            /* there was no memory for some of it */
    uint64_t spilled;         /* states that were moved to this machine's memory */

    /* counts */
    uint64_t level, in_n, out_n; /* states */
    uint64_t generated, distinct, init_generated, init_distinct, settled, depth;
    uint64_t *action_generated, *action_distinct; /* [naction] */
    double fresh_rate, made_rate; /* new states, and successors, of a state, lately */
    uint64_t expanded, trapped, judged, again;
    struct culprit culprit;
    bool stopped;
    double seconds_host;

    /* host.c */
    struct crew *crew;
    VEC(uint64_t) left, retry; /* what launches did not do */
    VEC(uint32_t) picks;
    uint64_t *words; /* room for that */
    uint64_t words_bytes;
    volatile sig_atomic_t stop_at_once; /* 1: for a search that only tells */
    struct arena arena;
};

/* Reasons for the CPU to do it, in gpu->why: negative, without an err. */
#define GPU_GIVE_UP (-1000)
__attribute__((format(printf, 2, 3))) int gpu_give_up(struct gsearch *s, const char *fmt, ...);

/* ---- memory.c ---- */
MUST_USE int gpu_memory_begin(struct gsearch *s, struct err *err);
void gpu_memory_end(struct gsearch *s);
/* Room for about so many new states in the segment that is being filled. */
MUST_USE int gpu_make_room(struct gsearch *s, uint64_t states, struct err *err);
/* ... and in the table. */
MUST_USE int gpu_table_room(struct gsearch *s, uint64_t states, struct err *err);
MUST_USE int gpu_table_grow(struct gsearch *s, struct err *err);
/* Brings the states of a segment to the device. */
MUST_USE int gpu_fetch(struct gsearch *s, struct segment *segment, struct err *err);
void gpu_release(struct gsearch *s, struct segment *segment); /* its memory is free again */
/* The next level becomes the one at hand. */
MUST_USE int gpu_advance(struct gsearch *s, struct err *err);
/* The candidate of a state; false: it is not known. */
bool gpu_candidate_of(struct gsearch *s, uint64_t level, uint64_t number, uint64_t *ret);

/* ---- level.c ---- */
/* Expands all states of a segment of `in`. Negative as everywhere, or GPU_GIVE_UP. */
MUST_USE int gpu_expand_segment(struct gsearch *s, struct segment *segment, struct err *err);
/* Puts states that the host found into the table and into `out`. */
MUST_USE int gpu_insert(struct gsearch *s, struct err *err);

/* ---- host.c ---- */
MUST_USE int gpu_crew_new(struct gsearch *s, struct err *err);
void gpu_crew_free(struct gsearch *s);
/* Finds initial states. */
MUST_USE int gpu_initial(struct gsearch *s);
/* Does tasks on the states of a segment, in any order. */
MUST_USE int gpu_do_tasks(struct gsearch *s, const struct segment *segment,
                          const struct task *tasks, size_t n, struct err *err);
/* What the i-th thread found last; NULL: there are not so many. */
const struct found *gpu_found(const struct gsearch *s, unsigned i);

/* ---- settle.c ---- */
/* The result, by check_run. */
MUST_USE int gpu_settle(struct gsearch *s, struct check_result **ret_result, struct err *err);
bool gpu_interrupted(struct gsearch *s);
void gpu_tell(struct gsearch *s, enum check_event event);

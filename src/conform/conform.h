/* Conformance: behaviours of a specification are done by the real programs, event by event, and
 * after each event what can be seen of the programs is compared with the state of the
 * specification. Random behaviours (`assay conform`) or a given one (`assay confirm`).
 *
 * A session is one process's view: a world with the booted cluster, and what is needed to compare.
 * Sessions of several processes are independent of each other. One thread only, and one whose stack
 * is large enough to evaluate (check_on_big_stack). */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "map/map.h"
#include "model/model.h"
#include "run/cluster.h"
#include "run/record.h"
#include "trace/trace.h"

struct conform;

struct conform_options {
    const struct map *map;
    struct model *model; /* made with map->defs as operators */
    const struct cluster *cluster;
    const char *program; /* path of assay itself, for queries by HTTP */
    const char *dir;     /* exists; logs of nodes go there */
    uint32_t depth;      /* steps of a walk at most */
    bool coverage;       /* count the branches of the specification that were taken */
    bool fresh;          /* boot the cluster for every walk, instead of going back to a snapshot */
    bool cold;           /* and load every program for it, instead of copying a loaded one */
    const volatile sig_atomic_t *interrupted;
    int beat_signal; /* of somebody else's process: see world_spec */
};

enum finding_kind {
    FINDING_NONE,
    FINDING_DIFFERENCE, /* a variable has another value than the specification says */
    FINDING_UNEXPECTED, /* the programs sent something that the specification does not know */
    FINDING_MISSING,    /* the specification takes a step for which there is no event */
    FINDING_DIED,       /* a process ended by itself */
    FINDING_REPORT,     /* a sanitizer, an assertion, an uncaught exception */
    FINDING_STUCK       /* it spins, floods its log, calls what is unknown, never becomes quiet */
};
const char *finding_name(enum finding_kind kind);

struct finding {
    enum finding_kind kind;
    size_t step;         /* 0: the initial state */
    struct str action;   /* name, without arguments; "Initial predicate" */
    struct str variable; /* or a node's name; what the finding is about */
    struct strbuf what;  /* a line or more: values, or why */
    struct strbuf log;   /* what nodes printed in that step */
};
struct conform_step {
    struct strbuf label;
    uint32_t action;      /* in model->actions */
    uint64_t state;       /* hash of the state of the specification after it */
    struct strbuf events; /* of the engine, one in a line */
};
/* A given behaviour ends where a property of the specification is false: is it false of what was
 * observed, too? */
enum judgement {
    JUDGED_NOTHING, /* no property is false there */
    JUDGED_FALSE,   /* it is */
    JUDGED_TRUE,
    JUDGED_NOT /* it asks for what was not observed */
};
enum seen_how { SEEN_NOT, SEEN_PARTLY, SEEN_ALL };
struct property_read { /* a variable that the property reads */
    const char *variable;
    enum seen_how how;
    const char *text; /* "observed", "not observed at n2", ...; lives as long as the session */
};
struct walk_result {
    VEC(struct conform_step) steps; /* done; the last one holds the finding */
    struct finding finding;
    enum judgement judged;
    struct strbuf property;          /* that was judged */
    VEC(struct property_read) reads; /* of it */
    struct record record;            /* of the run so far */
    uint64_t hash;      /* of all that the programs did; 0 when the engine could not go on */
    size_t found_steps; /* when it was shrunk: as many steps did it have before */
};
void walk_result_done(struct walk_result *result); /* accepts a zeroed one */

/* Boots the cluster. 0, or a negative code: then err says what, and where in the mapping. */
MUST_USE int conform_new(const struct conform_options *options, struct conform **ret,
                         struct err *err);
void conform_free(struct conform *conform); /* accepts NULL */
/* One random walk. What the programs do wrong is a finding; errors are mistakes of the mapping, or
 * of evaluating the specification. */
MUST_USE int conform_walk(struct conform *conform, uint64_t seed, struct walk_result *ret,
                          struct err *err);
/* The same, guided: what was rare in all walks of this seed so far comes next (guide.c). Walks must
 * be asked for in their order, from 0 on; those that another session does are planned only. */
MUST_USE int conform_guided(struct conform *conform, uint64_t seed, uint64_t walk, bool run,
                            struct walk_result *ret, struct err *err);
/* Leaves out steps of a walk that ended with a finding, while the same finding stays: the result
 * becomes that of the shorter behaviour. What the walk did otherwise (hash) stays. */
MUST_USE int conform_shrink(struct conform *conform, struct walk_result *result, struct err *err);
/* A given behaviour. ERR_INVALID: it is none of the specification. */
MUST_USE int conform_trace(struct conform *conform, const struct trace *trace,
                           struct walk_result *ret, struct err *err);

/* ---- behaviours step by step, for suites ----
 * conform_begin, then conform_step any number of times; conform_mark keeps a moment, to which
 * conform_return goes back. All return 0 (go on), 1 (there is a finding, in the result; this
 * behaviour is over), or a negative code. ERR_NOT_FOUND: the specification has no such step here.
 * The result must be zeroed at first; it is that of the behaviour so far. */
MUST_USE int conform_begin(struct conform *conform, uint32_t initial, struct walk_result *ret,
                           struct err *err); /* in the initial state of that number, from 1 on */
/* "Action(args)", or "Action(args) #2": the second of the states that it leads to. */
MUST_USE int conform_step(struct conform *conform, struct str label, struct walk_result *ret,
                          struct err *err);
/* What can be done again for a replay file. Before conform_begin or conform_return. */
void conform_record(struct conform *conform, struct walk_result *ret);
/* The programs, and all that this session knows of them. ERR_UNSUPPORTED: no snapshots of them. */
struct conform_mark;
MUST_USE int conform_mark(struct conform *conform, const struct walk_result *result,
                          struct conform_mark **ret, struct err *err);
/* False: the world has been lost since; the mark is worth nothing. */
bool conform_mark_holds(const struct conform *conform, const struct conform_mark *mark);
/* Only while it holds; marks may be used in any order. For the last time: it holds no longer, and
 * its programs run on instead of copies of them. */
MUST_USE int conform_return(struct conform *conform, struct conform_mark *mark, bool last,
                            struct walk_result *ret, struct err *err);
void conform_mark_free(struct conform *conform, struct conform_mark *mark); /* accepts NULL */
/* What was spent so far, in nanoseconds, and how often. */
struct conform_times {
    uint64_t steps, step_ns;
    uint64_t returns, return_ns; /* to marks and to the start */
    uint64_t marks, mark_ns;
    uint64_t boots, boot_ns;
};
const struct conform_times *conform_times(const struct conform *conform);

/* What has left the programs, mapped or not: hashes of the messages on their way, of what was
 * printed in the latest step, and of the files. */
enum conform_outside { OUTSIDE_MESSAGES, OUTSIDE_PRINTED, OUTSIDE_FILES, OUTSIDE_KINDS };
void conform_outside(struct conform *conform, uint64_t ret[OUTSIDE_KINDS]);

/* Adds up which code of the programs has been executed since the start of this behaviour, where
 * they were built with `gcc --coverage` (observe/gcov.h); from the first call on also before a
 * process is killed. */
void conform_cover(struct conform *conform);
/* Writes what was added up to a new directory; none, when no program counts. */
MUST_USE int conform_cover_write(const struct conform *conform, const char *dir, struct err *err);
const char *conform_cover_trouble(const struct conform *conform); /* empty when there is none */

/* From now on `out` holds, after each comparison, how the value of this variable (or observation)
 * and of those that it is made from came about, step by step, up to where it failed. NULL: nobody
 * asks any more. ERR_NOT_FOUND: the mapping observes nothing of that name. */
MUST_USE int conform_explain(struct conform *conform, const char *variable, struct strbuf *out,
                             struct err *err);

/* Patterns of the mapping that never matched in this session so far: the first one's place.
 * False: all did. */
bool conform_never_matched(const struct conform *conform, struct str *ret_name, size_t *ret_begin,
                           size_t *ret_end);
/* Why the cluster is booted for every walk; NULL: it is not. */
const char *conform_no_snapshot(const struct conform *conform);
/* Time spent so far on the specification alone, in nanoseconds. */
uint64_t conform_spec_ns(const struct conform *conform);
/* How often each observation gave a value: [map->n_observes]. */
const uint64_t *conform_seen(const struct conform *conform);

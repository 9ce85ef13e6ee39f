/* Test suites: cases as lists of labels, from a plan or a file; running them on a session. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "conform/conform.h"
#include "graph/graph.h"
#include "tour/tour.h"

#define SUITE_NONE UINT32_MAX

struct suite_case {
    struct str id, name;
    uint32_t parent;  /* an earlier case, or SUITE_NONE */
    uint32_t at;      /* it begins after so many of the parent's own steps */
    uint32_t initial; /* number of the initial state, from 1 on */
    uint32_t before;  /* steps from there until it begins */
    uint32_t n;
    struct str *steps; /* [n]: labels */
};

struct suite {
    struct arena arena;
    struct str spec; /* root module */
    struct str plan, cover;
    uint64_t digest; /* of specification and configuration */
    uint64_t states, edges;
    struct str left; /* what the graph left out, a sentence; may be empty */
    struct suite_case *cases;
    size_t n;
};

/* The suite of a plan; `left` of the graph and of the plan is told in it. */
struct suite *suite_make(const struct tour *tour);
void suite_free(struct suite *suite); /* accepts NULL */
/* JSON, a case in a line. */
MUST_USE int suite_write(const struct suite *suite, const char *path, struct err *err);
/* ERR_INVALID: no suite, or a wrong one: err says where. */
MUST_USE int suite_read(const char *path, struct suite **ret, struct err *err);
/* By identity, number (from 1 on) or name; SUITE_NONE: there is none. */
uint32_t suite_find(const struct suite *suite, struct str text);
/* What is left out of a graph, for people; empty when nothing is. */
void suite_left_text(const struct graph *graph, struct strbuf *out);

/* ---- choosing ---- */
struct suite_choice {
    uint32_t shard, shards;   /* of the suite, from 1 on; 0 = all */
    const char *const *first; /* names of actions whose cases come first */
    size_t n_first;
    uint32_t only; /* one case, or SUITE_NONE */
};
/* Numbers of the cases in the order in which they are run: *ret_n, for vec_release. */
uint32_t *suite_choose(const struct suite *suite, const struct suite_choice *choice, size_t *ret_n);

/* ---- running ---- */
enum suite_status {
    SUITE_PASSED,
    SUITE_FAILED,  /* at a step of its own */
    SUITE_BLOCKED, /* it cannot be begun: `owner` fails on the way to it */
    SUITE_STALE    /* it is no behaviour of the specification */
};
const char *suite_status_name(enum suite_status status);

struct suite_outcome {
    uint32_t number; /* of the case */
    enum suite_status status;
    uint32_t owner; /* the case whose step failed: the same, or one before it */
    uint32_t step;  /* of the owner's own, from 0 on: 0 is the initial state */
    uint64_t ns;
    uint32_t done, again;             /* own steps done; steps done once more to get there */
    const struct walk_result *result; /* SUITE_FAILED, and SUITE_BLOCKED when it was found now */
    const char *why;                  /* SUITE_STALE */
    uint64_t outside[OUTSIDE_KINDS];  /* with `outside`: hashes over its own steps */
};

struct suite_run {
    const struct suite *suite;
    const uint32_t *list; /* [n]: what to run, in this order */
    size_t n;
    uint32_t marks_max; /* held at once; 0: none, cases do their way again */
    uint64_t until_ns;  /* of clock_mono_ns: no case is begun later; 0 = no limit */
    bool cover;         /* add up which code is executed: conform_cover */
    bool stop_first;    /* after the first failure */
    bool outside;       /* note all that leaves the programs: conform_outside */
    bool (*done)(void *arg, const struct suite_outcome *outcome); /* false: stop */
    void *arg;
};
/* 0, or a negative code: a mistake of the mapping, an interrupt. */
MUST_USE int suite_run(const struct suite_run *run, struct conform *conform, struct err *err);

/* Searches of a cluster, by strategy. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/found.h"
#include "explore/space.h"
#include "run/cluster.h"

/* Whether a strategy leaves out orders because events commute, and so needs that they do. */
#define EXPLORE_STRATEGIES(X)                                                                      \
    X(EXPLORE_RANDOM, "random", false) /* any event, by the seed */                                \
    X(EXPLORE_WINDOW, "window", false) /* faults where the last events were seen before */         \
    X(EXPLORE_POS, "pos", false)       /* partial order sampling */                                \
    X(EXPLORE_PCT, "pct", false)       /* priorities of chains, changed at d - 1 places */         \
    X(EXPLORE_GUIDED, "guided", false) /* on from where something new was seen */                  \
    X(EXPLORE_DFS, "dfs", false)       /* all orders, each state once */                           \
    X(EXPLORE_DPOR, "dpor", true)      /* all traces, each once */                                 \
    X(EXPLORE_DIR, "dir", true)        /* all traces of each component, and how they combine */

enum explore_strategy {
#define X(name, text, reduces) name,
    EXPLORE_STRATEGIES(X)
#undef X
        EXPLORE_KINDS
};
const char *explore_name(enum explore_strategy strategy);
/* EXPLORE_KINDS when there is none of that name. */
enum explore_strategy explore_find(struct str name);
bool explore_reduces(enum explore_strategy strategy);

/* How far a search is. */
struct explore_counts {
    uint64_t walks;                 /* runs that were done */
    uint64_t traces;                /* of them: distinct; by dpor and dfs: complete */
    uint64_t blocked;               /* led nowhere, because what was left had been seen */
    uint64_t events;                /* that were done */
    uint64_t states;                /* distinct, where they are hashed */
    uint64_t lines, seen, branches; /* guided: distinct lines, observed values, branches */
    uint64_t corpus;                /* guided: beginnings of runs that are gone on from */
    uint64_t pruned;                /* dfs: runs that ended in a state that was known */
    uint64_t waiting;               /* branches that are known and not taken yet */
    uint64_t failures;              /* runs that failed */
    uint64_t broken;                /* runs that the engine could not do */
    uint64_t kept;                  /* runs that the journal had */
    uint64_t unjudged;              /* runs in which clients have ended no operation */
    uint64_t partly;                /* runs of which not all consistent snapshots were judged */
};

/* What dynamic interface reduction came to. */
struct explore_component {
    struct strbuf name; /* nodes */
    uint64_t skeletons, traces;
};
struct explore_dir {
    VEC(struct explore_component) components;
    double skeletons;          /* global ones */
    uint64_t skeletons_exact;  /* the same, if that fits; 0: it does not */
    uint64_t locals;           /* traces of components, together */
    double traces;             /* that they stand for: n_g */
    uint64_t traces_exact;     /* the same, if it fits; 0: it does not */
    uint64_t states;           /* of components and of groups of them, as they fit together */
    struct strbuf groups;      /* "(n1 n2) (n3 n4)"; empty: there are none */
    uint64_t tried, confirmed; /* global skeletons that were done by the whole, and were real */
    uint64_t histories;        /* different ones that were judged, each in all its orders */
    uint64_t checked;          /* combinations of files that were made for the checks */
    uint64_t partly;           /* of both: how often not all were judged */
};

struct explore_options {
    const struct cluster *cluster;
    enum explore_strategy strategy;
    uint64_t seed, runs; /* of strategies that sample */
    uint32_t jobs;
    const char *dir; /* exists: journal, findings, logs */
    bool resume;
    bool go_on; /* after the first finding */
    const volatile sig_atomic_t *interrupted;
    uint64_t end_ns;    /* clock_mono_ns: everything is to be over by then; 0: whenever it is */
    const char *graph;  /* file: the graph of what was observed is written there; or NULL */
    space_look_fn look; /* space.h */
    void *look_arg;
    /* Now and then: false ends the search. May be NULL. */
    bool (*progress)(void *arg, const struct explore_counts *counts);
    void *progress_arg;
};
struct explore_result {
    struct explore_counts counts;
    struct found found;
    bool complete; /* nothing is left, within the bounds */
    bool unready;  /* the time was up before it was known whether the strategy may be used; nothing
                      was searched */
    struct explore_dir dir;
    struct strbuf broken; /* why the engine could not do a run, first */
    uint64_t graph_states, graph_steps;
    VEC(double) job_cpu; /* [jobs]: seconds of processor time; one job: all of it */
    double cpu;          /* of this process, without the jobs if there are several */
};
void explore_result_done(struct explore_result *result); /* accepts a zeroed one */
/* The result is filled as far as the search came, also when an error is returned. */
MUST_USE int explore_run(const struct explore_options *options, struct explore_result *ret,
                         struct err *err);

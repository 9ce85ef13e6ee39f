/* Searches by strategy: what they share. */
#include "explore/explore.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/crew.h"
#include "explore/explore_int.h"
#include "explore/found.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "explore/xgraph.h"
#include "run/cluster.h"
#include "run/failure.h"

static const struct {
    const char *name;
    bool reduces;
} strategies[] = {
#define X(id, text, reduces) {text, reduces},
    EXPLORE_STRATEGIES(X)
#undef X
};

const char *explore_name(enum explore_strategy strategy)
{
    return strategies[strategy].name;
}

enum explore_strategy explore_find(struct str name)
{
    enum explore_strategy i = (enum explore_strategy)0;
    while (i < EXPLORE_KINDS && !str_is(name, strategies[i].name)) {
        i++;
    }
    return i;
}

bool explore_reduces(enum explore_strategy strategy)
{
    return strategies[strategy].reduces;
}

void explore_result_done(struct explore_result *result)
{
    found_done(&result->found);
    strbuf_done(&result->broken);
    for (size_t i = 0; i < result->dir.components.n; i++) {
        strbuf_done(&result->dir.components.v[i].name);
    }
    VEC_DONE(&result->dir.components);
    VEC_DONE(&result->job_cpu);
}

void xsearch_note(struct search *s, const struct walk *walk, const uint64_t *path, size_t n,
                  uint64_t nth)
{
    struct explore_counts *counts = &s->result->counts;
    counts->walks++;
    counts->events += walk->steps.n;
    counts->kept = crew_kept(s->crew);
    counts->partly += walk->partly ? 1 : 0;
    counts->unjudged += walk->unjudged ? 1 : 0;
    if (s->o->graph != NULL) {
        struct err why;
        if (xwalk_know(walk, s->o->cluster, &why) == 0) {
            xgraph_add(&s->graph, s->o->cluster, walk);
        } else if (counts->broken++ == 0) {
            strbuf_adds(&s->result->broken, why.text);
        }
    }
    if (walk->end == WALK_BLOCKED) {
        counts->blocked++;
    } else if (walk->end == WALK_BROKEN || walk->end == WALK_STUCK) {
        if (counts->broken++ == 0) {
            strbuf_addstr(&s->result->broken,
                          walk->end == WALK_STUCK
                              ? STR("an event that was possible in one order is not in another: "
                                    "the programs depend on something that no event shows")
                              : strbuf_str(&walk->text));
        }
    } else if (walk->failure.kind != FAILURE_NONE) {
        bool other = walk->order.n != 0;
        counts->failures++;
        found_add(&s->result->found, walk, other ? walk->order.v : path,
                  other              ? walk->order.n
                  : walk->failed < n ? walk->failed
                                     : n,
                  nth);
        s->over = s->over || !s->o->go_on;
    }
}

bool xsearch_goes_on(struct search *s)
{
    const struct explore_options *o = s->o;
    if (o->interrupted != NULL && *o->interrupted != 0) {
        s->over = true;
    }
    if (!s->over && o->progress != NULL && !o->progress(o->progress_arg, &s->result->counts)) {
        s->over = true;
    }
    return !s->over;
}

bool xsearch_late(const struct search *s)
{
    return s->o->end_ns != 0 && clock_mono_ns() >= s->o->end_ns;
}

/* Of the search: the file, the programs as far as they are known, and what is asked for. */
static uint64_t identity(const struct explore_options *o)
{
    uint64_t hash = hash_combine(o->cluster->digest, (uint64_t)o->strategy);
    hash = hash_combine(hash, o->seed);
    for (size_t i = 0; i < o->cluster->n_nodes; i++) {
        for (const char *const *arg = o->cluster->nodes[i].argv; *arg != NULL; arg++) {
            struct stat st; /* programs and scripts, as they are now */
            hash = hash_bytes(*arg, strlen(*arg), hash);
            if (stat(*arg, &st) == 0 && S_ISREG(st.st_mode)) {
                hash = hash_combine(hash, (uint64_t)st.st_size);
                hash = hash_combine(hash, (uint64_t)st.st_mtim.tv_sec * 1000000000U +
                                              (uint64_t)st.st_mtim.tv_nsec);
            }
        }
    }
    return hash;
}

/* The graph of what was observed, also of a search that has not come to its end. */
static int write_graph(struct search *s, struct err *err)
{
    const struct explore_options *o = s->o;
    struct space *space = NULL;
    int status = crew_space(s->crew, &space, err);
    if (status == 0) {
        status = xgraph_write(&s->graph, o->cluster, space_root_seen(space), o->graph, err);
        s->result->graph_states = s->graph.states.n;
        s->result->graph_steps = s->graph.edges.n;
    }
    return status;
}

static int check_graph(const struct explore_options *o, struct err *err)
{
    if (o->graph != NULL && o->cluster->judge == NULL) {
        return err_set(
            err, ERR_UNSUPPORTED, 0,
            "--emit-graph shows what is observed, and the cluster file observes nothing: "
            "write [observe.NAME], and [invariants], which may be empty "
            "(docs/CLUSTER.md)");
    }
    if (o->graph != NULL && o->strategy == EXPLORE_DIR) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       "--emit-graph wants runs of the whole cluster, and dir does components "
                       "alone: use dfs, which comes to every state, or dpor");
    }
    return 0;
}

int explore_run(const struct explore_options *o, struct explore_result *ret, struct err *err)
{
    *ret = (struct explore_result){0};
    SCOPED_STRBUF journal = {0};
    strbuf_printf(&journal, "%s/journal", o->dir);
    bool samples = o->strategy <= EXPLORE_GUIDED, guided = o->strategy == EXPLORE_GUIDED;
    struct crew_options crew = {
        .space = {.cluster = o->cluster,
                  .seed = o->seed,
                  .dir = o->dir,
                  .interrupted = o->interrupted,
                  .dependent = o->cluster->dependent,
                  .snapshots = !samples,
                  .states = o->strategy == EXPLORE_DFS,
                  .marks = guided,
                  .past = !samples,
                  .seen = true,
                  .look = o->look,
                  .look_arg = o->look_arg},
        .jobs = o->jobs,
        .journal = strbuf_cstr(&journal),
        .identity = identity(o),
        .resume = o->resume,
    };
    struct search s = {.o = o, .result = ret};
    int status = check_graph(o, err);
    struct xpreflight preflight = {0};
    status = status == 0 && explore_reduces(o->strategy)
                 ? xsearch_preflight_begin(o, &preflight, err)
                 : status;
    status = status != 0 ? status : crew_open(&crew, &s.crew, err);
    if (status == 0 && preflight.pid != 0) {
        crew_warm(s.crew, o->strategy == EXPLORE_DIR);
    }
    struct err refused;
    if (xsearch_preflight_end(&preflight, &refused) != 0 && status == 0) {
        *err = refused;
        status = -(int)refused.code;
    }
    ret->unready = preflight.late;
    if (ret->unready) {
        ret->counts.waiting = 1; /* all of it */
        (void)xsearch_goes_on(&s);
    } else if (status == 0) {
        status = samples                      ? sample_search(&s, err)
                 : o->strategy == EXPLORE_DIR ? dir_search(&s, err)
                 : o->strategy == EXPLORE_DFS ? dfs_search(&s, err)
                                              : dpor_search(&s, err);
    }
    struct found_options writing = {o->cluster, o->dir, o->interrupted, o->end_ns};
    struct err why;
    int wrote = s.crew != NULL ? found_write(&ret->found, s.crew, &writing, &why) : 0;
    if (wrote == 0 && s.crew != NULL && o->graph != NULL) {
        wrote = write_graph(&s, &why);
    }
    if (status == 0 && wrote != 0) {
        *err = why;
        status = wrote;
    }
    for (size_t i = 0; s.crew != NULL && i < crew_jobs(s.crew); i++) {
        crew_dismiss(s.crew);
        VEC_PUSH(&ret->job_cpu, crew_job_cpu(s.crew, i));
        ret->cpu = crew_cpu(s.crew);
    }
    xgraph_done(&s.graph);
    crew_close(s.crew);
    return status;
}

/* Whether a cluster may be searched by a strategy that leaves out orders: only if those would have
 * made no difference. It is tried out before the search, and a cluster that fails is refused. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <linux/prctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/explore.h"
#include "explore/explore_int.h"
#include "explore/space.h"
#include "run/cluster.h"
#include "run/independence.h"
#include "run/runner.h"

enum { WALKS = 12, LENGTH = 24, APART_TRIES = 40 };

static int refuse(const struct explore_options *o, const char *cause, const char *remedy,
                  struct err *err)
{
    return err_set(
        err, ERR_UNSUPPORTED, 0,
        "strategy %s is refused: %s. %s Strategies random, window, pos and pct leave out "
        "nothing and work here",
        explore_name(o->strategy), cause, remedy);
}

static bool is_late(const struct explore_options *o)
{
    return o->end_ns != 0 && clock_mono_ns() >= o->end_ns;
}

/* Any event that is possible. */
static uint64_t draw(struct space *space, struct rng *rng)
{
    const struct xevent *list = NULL;
    size_t n = space_events(space, &list);
    return n != 0 ? list[rng_below(rng, n)].name : 0;
}

/* A place, and two events that are possible there. */
struct pair {
    VEC(uint64_t) path;
    uint64_t events[2];
};

/* Goes there and takes the two, the second one first if they are turned; the state then. */
static int both(struct space *space, const struct cluster *cluster, const struct pair *pair,
                bool turned, uint64_t *ret_state, struct err *err)
{
    size_t done = 0;
    int status = space_go(space, pair->path.v, pair->path.n, &done, err);
    status = status != 0 ? status : space_do(space, pair->events[turned ? 1 : 0], err);
    status = status != 0 ? status : space_do(space, pair->events[turned ? 0 : 1], err);
    *ret_state = status != 0 ? 0 : independence_image(cluster, space_world(space));
    return status;
}

/* Two events of one node that the file declares to be independent; false: there are none here. */
static bool apart_pair(struct space *space, const struct cluster *cluster, uint64_t ret[2])
{
    const struct xevent *list = NULL;
    size_t n = space_events(space, &list);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1; k < n; k++) {
            if (list[i].node[0] == list[k].node[0] &&
                !xevent_dependent(cluster, &list[i], &list[k])) {
                ret[0] = list[i].name;
                ret[1] = list[k].name;
                return true;
            }
        }
    }
    return false;
}

/* Goes from the root to a place where two threads that are declared to be apart could go on;
 * ret_found: there are some. */
static int find_apart(const struct explore_options *o, struct space *space, struct rng *rng,
                      struct pair *ret, bool *ret_found, struct err *err)
{
    size_t done = 0;
    int status = space_go(space, NULL, 0, &done, err);
    ret->path.n = 0;
    for (uint64_t steps = rng_below(rng, LENGTH), k = 0; status == 0 && k < steps; k++) {
        uint64_t name = draw(space, rng);
        if (name == 0 || (apart_pair(space, o->cluster, ret->events) && rng_below(rng, 3) == 0)) {
            break;
        }
        VEC_PUSH(&ret->path, name);
        status = space_do(space, name, err);
    }
    *ret_found = status == 0 && apart_pair(space, o->cluster, ret->events);
    return status;
}

/* Whether their order makes a difference. */
static int check_pair(const struct explore_options *o, struct space *space, const struct pair *pair,
                      struct err *err)
{
    uint64_t states[2] = {0};
    int status = 0;
    for (int i = 0; status == 0 && i < 2; i++) {
        status = both(space, o->cluster, pair, i == 1, &states[i], err);
    }
    return status == -ERR_NOT_FOUND || (status == 0 && states[0] != states[1])
               ? refuse(o,
                        "two threads that the file declares to be apart are not: the order of "
                        "their timers made a difference",
                        "Take them out of `apart` in [explore].", err)
               : status;
}

/* What the file declares to be apart is, at random places. */
static int check_apart(const struct explore_options *o, struct space *space, bool *ret_late,
                       struct err *err)
{
    struct rng rng;
    struct pair pair = {0};
    rng_seed(&rng, hash_combine(o->seed, 0x617061));
    int status = 0;
    for (int i = 0; status == 0 && !*ret_late && i < APART_TRIES; i++) {
        bool found = false;
        *ret_late = is_late(o);
        status = find_apart(o, space, &rng, &pair, &found, err);
        status = status == 0 && found ? check_pair(o, space, &pair, err) : status;
    }
    VEC_DONE(&pair.path);
    return status;
}

/* ret_late: the time was up before all walks were done. */
static int check_walks(const struct explore_options *o, const char *dir, bool *ret_late,
                       struct err *err)
{
    struct run_options run = {.cluster = o->cluster,
                              .seed = o->seed,
                              .dir = dir,
                              .interrupted = o->interrupted,
                              .trace_fd = -1};
    struct independence_options how = {o->cluster->explore.from_ns, WALKS, LENGTH, o->end_ns};
    struct independence found = {0};
    int status = run_independence(&run, &how, &found, err);
    if (status == 0 && found.equal < found.walks) {
        SCOPED_STRBUF cause = {0};
        strbuf_printf(&cause, "events at different nodes do not commute: %s",
                      strbuf_cstr(&found.first));
        status = refuse(o, strbuf_cstr(&cause),
                        "Programs that share memory or look at something outside the model cannot "
                        "be reduced.",
                        err);
    } else if (status != 0 && err->code == ERR_UNSUPPORTED) {
        struct err why = *err;
        status =
            refuse(o, why.text,
                   "States must be gone back to: where memory is shared, let programs use files or "
                   "sockets for that.",
                   err);
    }
    *ret_late = status == 0 && found.walks < WALKS;
    strbuf_done(&found.first);
    return status;
}

/* What can be told from the file alone. */
static int check_file(const struct explore_options *o, struct err *err)
{
    const struct cluster *c = o->cluster;
    if (c->dependent) {
        return refuse(o, "the file says `independent = false`", "Leave that out.", err);
    }
    for (size_t i = 0; o->strategy == EXPLORE_DIR && i < c->n_checks; i++) {
        if (c->checks[i].every != 0) {
            return refuse(o,
                          "a [[check]] with `every` looks at the whole cluster in the middle of a "
                          "run, and dir does the whole for its ends only",
                          "Leave `every` out, write an invariant, or take dpor.", err);
        }
    }
    if (c->work) {
        return refuse(
            o, "the file says `work = \"time\"`, and threads that run cannot be gone back to",
            "Leave that out if the programs wait for what they want.", err);
    }
    return 0;
}

static int try_out(const struct explore_options *o, const char *dir, bool *ret_late,
                   struct err *err)
{
    int status = check_walks(o, dir, ret_late, err);
    if (status != 0 || *ret_late || o->cluster->explore.n_apart == 0) {
        return status;
    }
    struct space_options space = {.cluster = o->cluster,
                                  .seed = o->seed,
                                  .dir = dir,
                                  .interrupted = o->interrupted,
                                  .past = true};
    struct space *s = NULL;
    status = space_open(&space, &s, err);
    status = status != 0 ? status : check_apart(o, s, ret_late, err);
    space_close(s);
    return status;
}

/* That it is the same search is seen by the journal. */
static bool has_passed(const struct explore_options *o)
{
    SCOPED_STRBUF passed = {0};
    strbuf_printf(&passed, "%s/preflight/passed", o->dir);
    return o->resume && file_exists(strbuf_cstr(&passed));
}

static int fly(const struct explore_options *o, bool *ret_late, struct err *err)
{
    SCOPED_STRBUF dir = {0};
    SCOPED_STRBUF passed = {0};
    strbuf_printf(&dir, "%s/preflight", o->dir);
    strbuf_printf(&passed, "%s/passed", strbuf_cstr(&dir));
    int status = file_exists(strbuf_cstr(&dir)) ? 0 : dir_make(strbuf_cstr(&dir), err);
    status = status != 0 ? status : try_out(o, strbuf_cstr(&dir), ret_late, err);
    return status != 0 || *ret_late ? status : file_write(strbuf_cstr(&passed), STR(""), err);
}

/* ---- in a process of its own ---- */

struct answer {
    bool late;
    int status;
    struct err err;
};

/* In that process. */
static void fly_apart(const struct explore_options *o, int fd)
{
    struct answer a = {0};
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    a.status = fly(o, &a.late, &a.err);
    (void)!write(fd, &a, sizeof a); /* less than a pipe takes at once */
    (void)syscall(SYS_exit_group, 0);
}

int xsearch_preflight_begin(const struct explore_options *o, struct xpreflight *ret,
                            struct err *err)
{
    *ret = (struct xpreflight){.fd = -1};
    int status = check_file(o, err), ends[2];
    if (status != 0 || has_passed(o)) {
        return status;
    }
    if (o->jobs <= 1) {
        return fly(o, &ret->late, err);
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return err_set(err, ERR_IO, errno, "a pipe");
    }
    ret->pid = fork();
    if (ret->pid == 0) {
        fly_apart(o, ends[1]);
    }
    (void)close(ends[1]);
    ret->fd = ends[0];
    if (ret->pid < 0) {
        (void)close(ret->fd);
        *ret = (struct xpreflight){.fd = -1};
        return err_set(err, ERR_IO, errno, "a process");
    }
    return 0;
}

int xsearch_preflight_end(struct xpreflight *p, struct err *err)
{
    struct answer a = {0};
    ssize_t got = 0;
    if (p->pid == 0) {
        return 0;
    }
    do {
        got = read(p->fd, &a, sizeof a);
    } while (got < 0 && errno == EINTR);
    (void)close(p->fd);
    while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    *p = (struct xpreflight){.fd = -1, .late = a.late};
    if (got != (ssize_t)sizeof a) {
        return err_set(err, ERR_IO, 0, "what tries out the cluster has ended unexpectedly");
    }
    if (a.status != 0) {
        *err = a.err;
    }
    return a.status;
}

/* Walks by several processes, and their journal.
 *
 * A worker is a child that has a cluster of its own and answers one task at a time: a packet with
 * its length comes in, one goes out. Which worker does a task makes no difference to the answer; it
 * is given to the one that has most of the path behind it.
 *
 * The journal is a list of answers by the hash of their task, each with a checksum, so that the
 * last one may be half written. A search that goes on asks for the same walks, in the same order or
 * another, and those that are there need not be done. */
#include "explore/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/prctl.h>
#include <sys/poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/space.h"
#include "explore/walk.h"

#define JOURNAL_MAGIC UINT64_C(0x34786c7078457361)

struct worker {
    pid_t pid;
    int fd;
    bool busy;
    uint64_t tag, key;
    VEC(uint64_t) path; /* where it is, as far as we know */
    double cpu;         /* seconds, when it has gone */
};
/* Asked for, and not begun or not taken. */
struct wanted {
    uint64_t tag, key;
    struct strbuf task;
};
struct crew {
    struct crew_options o;
    struct space *space; /* of this process; NULL: not yet */
    VEC(struct worker) workers;
    VEC(struct wanted) queue; /* to be done here, or found in the journal */
    int journal;
    uint64_t journal_end;
    struct u64map kept; /* key -> offset in the journal */
    uint64_t n_kept;
};

/* ---- journal ---- */

static bool write_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t put = write(fd, p, n);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return false;
        }
        p += put;
        n -= (size_t)put;
    }
    return true;
}

static bool read_all(int fd, char *p, size_t n)
{
    while (n > 0) {
        ssize_t got = read(fd, p, n);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        p += got;
        n -= (size_t)got;
    }
    return true;
}

static bool read_at(int fd, uint64_t at, void *p, size_t n)
{
    return pread(fd, p, n, (off_t)at) == (ssize_t)n;
}

struct entry { /* the head of an answer in the journal */
    uint64_t key, n, sum;
};

static bool entry_read(const struct crew *c, uint64_t at, struct entry *ret, struct strbuf *bytes)
{
    off_t size = lseek(c->journal, 0, SEEK_END);
    strbuf_reset(bytes);
    if (!read_at(c->journal, at, ret, sizeof *ret) || size < 0 ||
        ret->n > (uint64_t)size - at - sizeof *ret) {
        return false;
    }
    size_t cap = 0;
    char *text = vec_grow(NULL, &cap, ret->n + 1, 1);
    bool good = read_at(c->journal, at + sizeof *ret, text, ret->n) &&
                hash_bytes(text, ret->n, ret->key) == ret->sum;
    if (good) {
        strbuf_add(bytes, text, ret->n);
    }
    vec_release(text);
    return good;
}

static int journal_open(struct crew *c, struct err *err)
{
    uint64_t head[2] = {JOURNAL_MAGIC, c->o.identity}, there[2] = {0};
    int flags = O_RDWR | O_CREAT | O_CLOEXEC | (c->o.resume ? 0 : O_TRUNC);
    c->journal = open(c->o.journal, flags, 0644);
    if (c->journal < 0) {
        return err_set(err, ERR_IO, errno, "%s", c->o.journal);
    }
    if (c->o.resume && read_at(c->journal, 0, there, sizeof there)) {
        if (there[0] != head[0] || there[1] != head[1]) {
            return err_set(err, ERR_INVALID, 0,
                           "%s is the journal of another search: of another cluster file, program, "
                           "strategy or seed",
                           c->o.journal);
        }
        c->journal_end = sizeof head;
        SCOPED_STRBUF bytes = {0};
        struct entry entry;
        while (entry_read(c, c->journal_end, &entry, &bytes)) {
            u64map_put(&c->kept, entry.key, c->journal_end);
            c->journal_end += sizeof entry + entry.n;
        }
    } else {
        if (pwrite(c->journal, head, sizeof head, 0) != (ssize_t)sizeof head) {
            return err_set(err, ERR_IO, errno, "%s", c->o.journal);
        }
        c->journal_end = sizeof head;
    }
    bool good = ftruncate(c->journal, (off_t)c->journal_end) == 0 &&
                lseek(c->journal, (off_t)c->journal_end, SEEK_SET) >= 0;
    return good ? 0 : err_set(err, ERR_IO, errno, "%s", c->o.journal);
}

static int journal_add(struct crew *c, uint64_t key, struct str answer, struct err *err)
{
    if (c->journal < 0) {
        return 0;
    }
    struct entry entry = {key, answer.n, hash_bytes(answer.p, answer.n, key)};
    SCOPED_STRBUF out = {0};
    strbuf_add(&out, (const char *)&entry, sizeof entry);
    strbuf_addstr(&out, answer);
    if (!write_all(c->journal, out.p, out.n)) {
        return err_set(err, ERR_IO, errno, "%s", c->o.journal);
    }
    u64map_put(&c->kept, key, c->journal_end);
    c->journal_end += out.n;
    return 0;
}

/* ---- walks here ---- */

static int space_make(const struct crew_options *o, uint32_t nth, struct space **ret,
                      struct err *err)
{
    SCOPED_STRBUF dir = {0};
    strbuf_printf(&dir, "%s/space-%u", o->space.dir, nth);
    int status = file_exists(strbuf_cstr(&dir)) ? 0 : dir_make(strbuf_cstr(&dir), err);
    struct space_options options = o->space;
    options.dir = strbuf_cstr(&dir);
    return status != 0 ? status : space_open(&options, ret, err);
}

/* NULL stays, where it cannot be made. */
static int space_make_once(const struct crew_options *o, uint32_t nth, struct space **space,
                           struct err *err)
{
    return *space != NULL ? 0 : space_make(o, nth, space, err);
}

/* Answers a task; the space is made when it is needed, and again when it broke. */
static int answer(const struct crew_options *o, uint32_t nth, struct space **space,
                  struct str packed, struct strbuf *out, struct err *err)
{
    struct unpack in = {.rest = packed};
    struct walk_task task;
    struct walk walk = {0};
    xwalk_task_unpack(&in, &task);
    int status = space_make_once(o, nth, space, err);
    if (status == 0 && xwalk_do(*space, o->space.cluster, &task, &walk, err) != 0) {
        if (err->code == ERR_INTERRUPTED) {
            status = -(int)ERR_INTERRUPTED;
        }
        space_close(*space);
        *space = NULL;
    }
    xwalk_pack(&walk, out);
    xwalk_done(&walk);
    xwalk_task_done(&task);
    return status;
}

/* ---- workers ---- */

/* The nth processor of those that we may use: crossing over is many times slower. */
static void pin(uint32_t nth)
{
    cpu_set_t may, one;
    if (sched_getaffinity(0, sizeof may, &may) != 0 || CPU_COUNT(&may) == 0) {
        return;
    }
    uint32_t skip = nth % (uint32_t)CPU_COUNT(&may);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &may) && skip-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            (void)sched_setaffinity(0, sizeof one, &one);
            return;
        }
    }
}

static bool send_packet(int fd, struct str bytes)
{
    uint64_t n = bytes.n;
    return write_all(fd, (const char *)&n, sizeof n) && write_all(fd, bytes.p, bytes.n);
}

static bool get_packet(int fd, struct strbuf *ret)
{
    uint64_t n = 0;
    strbuf_reset(ret);
    if (!read_all(fd, (char *)&n, sizeof n) || n > (uint64_t)1 << 32) {
        return false;
    }
    size_t cap = 0;
    char *text = vec_grow(NULL, &cap, n + 1, 1);
    bool good = read_all(fd, text, n);
    if (good) {
        strbuf_add(ret, text, n);
    }
    vec_release(text);
    return good;
}

/* The life of a worker: an answer begins with 0, or 1 and why there is none. */
static void serve(const struct crew_options *o, uint32_t nth, int fd)
{
    struct space *space = NULL;
    SCOPED_STRBUF task = {0};
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin(nth);
    while (get_packet(fd, &task)) {
        SCOPED_STRBUF out = {0}, reply = {0};
        struct err err = {0};
        if (task.n == 0) { /* to be ready for the first one */
            (void)!space_make_once(o, nth + 1, &space, &err);
            continue;
        }
        int status = answer(o, nth + 1, &space, strbuf_str(&task), &out, &err);
        pack_u64(&reply, status == 0 ? 0 : err.code == ERR_INTERRUPTED ? 2 : 1);
        if (status == 0) {
            strbuf_addstr(&reply, strbuf_str(&out));
        } else {
            strbuf_adds(&reply, err.text);
        }
        if (!send_packet(fd, strbuf_str(&reply))) {
            break;
        }
    }
    space_close(space);
}

static int hire(struct crew *c, uint32_t nth, struct err *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return err_set(err, ERR_IO, errno, "a worker");
    }
    pid_t pid = fork();
    if (pid < 0) {
        (void)close(ends[0]);
        (void)close(ends[1]);
        return err_set(err, ERR_IO, errno, "a worker");
    }
    if (pid == 0) {
        (void)close(ends[0]);
        for (size_t i = 0; i < c->workers.n; i++) {
            (void)close(c->workers.v[i].fd);
        }
        serve(&c->o, nth, ends[1]);
        (void)syscall(SYS_exit_group, 0);
    }
    (void)close(ends[1]);
    VEC_PUSH(&c->workers, (struct worker){.pid = pid, .fd = ends[0]});
    return 0;
}

int crew_open(const struct crew_options *o, struct crew **ret, struct err *err)
{
    size_t cap = 0;
    struct crew *c = vec_grow(NULL, &cap, 1, sizeof *c);
    memset(c, 0, sizeof *c);
    c->o = *o;
    c->journal = -1;
    int status = o->journal != NULL ? journal_open(c, err) : 0;
    for (uint32_t i = 0; status == 0 && o->jobs > 1 && i < o->jobs; i++) {
        status = hire(c, i, err);
    }
    if (status != 0) {
        crew_close(c);
        return status;
    }
    *ret = c;
    return 0;
}

static double seconds_of(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

void crew_dismiss(struct crew *c)
{
    space_close(c->space); /* what its cluster has used is known when it has ended */
    c->space = NULL;
    for (size_t i = 0; i < c->workers.n; i++) { /* all end at the same time */
        if (c->workers.v[i].pid > 0) {
            (void)close(c->workers.v[i].fd);
        }
    }
    for (size_t i = 0; i < c->workers.n; i++) {
        struct worker *w = &c->workers.v[i];
        struct rusage usage = {0};
        if (w->pid > 0 && w->busy) {
            (void)kill(w->pid, SIGKILL);
        }
        while (w->pid > 0 && wait4(w->pid, NULL, 0, &usage) < 0 && errno == EINTR) {
        }
        w->cpu += seconds_of(&usage);
        w->pid = 0;
        w->busy = false;
        VEC_DONE(&w->path);
    }
}

double crew_job_cpu(const struct crew *c, size_t job)
{
    return job < c->workers.n ? c->workers.v[job].cpu : crew_cpu(c);
}

double crew_cpu(const struct crew *c)
{
    struct rusage self = {0}, children = {0};
    (void)getrusage(RUSAGE_SELF, &self);
    (void)getrusage(RUSAGE_CHILDREN, &children);
    double all = seconds_of(&self) + seconds_of(&children);
    for (size_t i = 0; i < c->workers.n; i++) {
        all -= c->workers.v[i].cpu;
    }
    return all;
}

void crew_close(struct crew *c)
{
    if (c == NULL) {
        return;
    }
    crew_dismiss(c);
    for (size_t i = 0; i < c->queue.n; i++) {
        strbuf_done(&c->queue.v[i].task);
    }
    space_close(c->space);
    if (c->journal >= 0) {
        (void)close(c->journal);
    }
    u64map_done(&c->kept);
    VEC_DONE(&c->workers);
    VEC_DONE(&c->queue);
    vec_release(c);
}

/* ---- asking ---- */

size_t crew_busy(const struct crew *c)
{
    size_t n = c->queue.n;
    for (size_t i = 0; i < c->workers.n; i++) {
        n += c->workers.v[i].busy ? 1 : 0;
    }
    return n;
}

bool crew_idle(const struct crew *c)
{
    return crew_busy(c) < (c->workers.n != 0 ? c->workers.n : 1);
}

uint64_t crew_kept(const struct crew *c)
{
    return c->n_kept;
}

int crew_space(struct crew *c, struct space **ret, struct err *err)
{
    int status = c->space != NULL ? 0 : space_make(&c->o, 0, &c->space, err);
    *ret = c->space;
    return status;
}

void crew_warm(struct crew *c, bool here)
{
    for (size_t i = 0; i < c->workers.n; i++) {
        (void)send_packet(c->workers.v[i].fd, (struct str){"", 0}); /* else the next one fails */
    }
    struct space *space = NULL;
    struct err err;
    if (here) {
        (void)!crew_space(c, &space, &err);
    }
}

static size_t common(const struct worker *w, const struct walk_task *task)
{
    size_t n = 0;
    while (n < w->path.n && n < task->path.n && w->path.v[n] == task->path.v[n]) {
        n++;
    }
    return n;
}

static struct worker *nearest(struct crew *c, const struct walk_task *task)
{
    struct worker *best = NULL;
    for (size_t i = 0; i < c->workers.n; i++) {
        struct worker *w = &c->workers.v[i];
        if (!w->busy && (best == NULL || common(w, task) > common(best, task))) {
            best = w;
        }
    }
    return best;
}

size_t crew_jobs(const struct crew *c)
{
    return c->workers.n != 0 ? c->workers.n : 1;
}

bool crew_job_idle(const struct crew *c, size_t job)
{
    return crew_idle(c) && (job >= c->workers.n || !c->workers.v[job].busy);
}

/* w: who does it, unless the journal has it; NULL: this process. */
static int ask(struct crew *c, struct worker *w, const struct walk_task *task, uint64_t tag,
               struct err *err)
{
    struct wanted wanted = {.tag = tag};
    xwalk_task_pack(task, &wanted.task);
    wanted.key = hash_bytes(wanted.task.p, wanted.task.n, 7);
    uint64_t at = 0;
    if (w == NULL || u64map_get(&c->kept, wanted.key, &at)) {
        VEC_PUSH(&c->queue, wanted);
        return 0;
    }
    w->busy = true;
    w->tag = tag;
    w->key = wanted.key;
    w->path.n = 0;
    for (size_t i = 0; i < task->path.n && i < task->known; i++) {
        VEC_PUSH(&w->path, task->path.v[i]);
    }
    bool sent = send_packet(w->fd, strbuf_str(&wanted.task));
    strbuf_done(&wanted.task);
    return sent ? 0 : err_set(err, ERR_IO, errno, "a worker is gone");
}

int crew_ask(struct crew *c, const struct walk_task *task, uint64_t tag, struct err *err)
{
    return ask(c, nearest(c, task), task, tag, err);
}

int crew_ask_job(struct crew *c, size_t job, const struct walk_task *task, uint64_t tag,
                 struct err *err)
{
    return ask(c, job < c->workers.n ? &c->workers.v[job] : NULL, task, tag, err);
}

static int take_walk(struct str bytes, struct walk *ret, struct err *err)
{
    struct unpack in = {.rest = bytes};
    xwalk_unpack(&in, ret);
    if (in.cut) {
        xwalk_done(ret);
        return err_set(err, ERR_CORRUPT, 0, "an answer of a worker, or in the journal, is damaged");
    }
    return 0;
}

/* One that was just done. What the engine could not do is not kept: another time it may. */
static int take_new(struct crew *c, uint64_t key, struct str bytes, struct walk *ret,
                    struct err *err)
{
    int status = take_walk(bytes, ret, err);
    if (status == 0 && ret->end != WALK_BROKEN) {
        status = journal_add(c, key, bytes, err);
    }
    return status;
}

/* The next of those that wait in this process. */
static int take_here(struct crew *c, uint64_t *ret_tag, struct walk *ret, struct err *err)
{
    struct wanted wanted = c->queue.v[0];
    memmove(c->queue.v, c->queue.v + 1, (c->queue.n - 1) * sizeof c->queue.v[0]);
    c->queue.n--;
    *ret_tag = wanted.tag;
    SCOPED_STRBUF out = {0};
    uint64_t at = 0;
    struct entry entry;
    int status = 0;
    if (u64map_get(&c->kept, wanted.key, &at) && entry_read(c, at, &entry, &out)) {
        c->n_kept++;
        status = take_walk(strbuf_str(&out), ret, err);
    } else {
        status = answer(&c->o, 0, &c->space, strbuf_str(&wanted.task), &out, err);
        status = status != 0 ? status : take_new(c, wanted.key, strbuf_str(&out), ret, err);
    }
    strbuf_done(&wanted.task);
    return status;
}

static int take_from(struct crew *c, struct worker *w, struct walk *ret, struct err *err)
{
    SCOPED_STRBUF reply = {0};
    w->busy = false;
    if (!get_packet(w->fd, &reply)) {
        return err_set(err, ERR_IO, 0, "a worker has ended unexpectedly");
    }
    struct unpack in = {.rest = strbuf_str(&reply)};
    uint64_t failed = unpack_u64(&in);
    if (failed != 0) {
        return err_set(err, failed == 2 ? ERR_INTERRUPTED : ERR_UNSUPPORTED, 0, "%.*s",
                       STR_ARG(in.rest));
    }
    int status = take_new(c, w->key, in.rest, ret, err);
    for (size_t i = 0; status == 0 && i < ret->steps.n; i++) {
        VEC_PUSH(&w->path, ret->steps.v[i].event.name);
    }
    return status;
}

bool crew_ready(const struct crew *c)
{
    bool ready = c->queue.n != 0;
    for (size_t i = 0; !ready && i < c->workers.n; i++) {
        struct pollfd fd = {.fd = c->workers.v[i].fd, .events = POLLIN};
        ready = c->workers.v[i].busy && poll(&fd, 1, 0) > 0;
    }
    return ready;
}

int crew_take(struct crew *c, uint64_t *ret_tag, struct walk *ret, struct err *err)
{
    if (c->queue.n != 0) {
        return take_here(c, ret_tag, ret, err);
    }
    for (;;) {
        struct pollfd fds[64];
        struct worker *who[64];
        nfds_t n = 0;
        for (size_t i = 0; i < c->workers.n && n < 64; i++) {
            if (c->workers.v[i].busy) {
                who[n] = &c->workers.v[i];
                fds[n++] = (struct pollfd){.fd = c->workers.v[i].fd, .events = POLLIN};
            }
        }
        if (c->o.space.interrupted != NULL && *c->o.space.interrupted != 0) {
            return err_set(err, ERR_INTERRUPTED, 0, "interrupted");
        }
        int ready = n != 0 ? poll(fds, n, -1) : -1;
        if (ready < 0 && errno != EINTR) {
            return err_set(err, ERR_IO, errno, "waiting for a worker");
        }
        for (nfds_t i = 0; ready > 0 && i < n; i++) {
            if (fds[i].revents != 0) {
                *ret_tag = who[i]->tag;
                return take_from(c, who[i], ret, err);
            }
        }
    }
}

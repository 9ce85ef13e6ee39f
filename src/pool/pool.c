/* A pool of processes. Why processes: a world is traced by the thread that made it, and one that
 * goes wrong must not take the others along.
 *
 * Results come through pipes and not through files, so that a full disk, or somebody else in the
 * same folder, cannot lose them: what was not told is missing at its end, and that is seen. */
#include "pool/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/prctl.h>
#include <sys/poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum { TICK_MS = 100 };

/* A worker ends without what its parent would do at its end. */
__attribute__((noreturn)) static void end_now(int status)
{
    for (;;) {
        (void)syscall(SYS_exit_group, status);
    }
}

/* The kernel kills us when our parent dies; it may have died before we asked for that. */
static void die_with(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent) {
        end_now(1);
    }
}

static int start_one(struct pool *pool, unsigned index,
                     int (*main)(void *arg, unsigned index, FILE *out), void *arg, struct err *err)
{
    int ends[2];
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return err_set(err, ERR_IO, errno, "a worker could not be started");
    }
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        die_with(parent);
        for (unsigned i = 0; i < index; i++) {
            (void)close(pool->workers[i].fd);
        }
        (void)close(ends[0]);
        FILE *out = fdopen(ends[1], "we");
        int status = out != NULL ? main(arg, index, out) : 1;
        end_now(out != NULL && fclose(out) == 0 ? status : 1);
    }
    int saved = errno;
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        return err_set(err, ERR_IO, saved, "a worker could not be started");
    }
    pool->workers[index] = (struct pool_worker){.pid = pid, .fd = ends[0]};
    pool->n = index + 1;
    return 0;
}

int pool_start(struct pool *pool, unsigned n, int (*main)(void *arg, unsigned index, FILE *out),
               void *arg, struct err *err)
{
    size_t cap = 0;
    *pool = (struct pool){.workers = vec_grow(NULL, &cap, n, sizeof *pool->workers)};
    for (unsigned i = 0; i < n; i++) {
        int status = start_one(pool, i, main, arg, err);
        if (status != 0) {
            pool_done(pool);
            return status;
        }
    }
    return 0;
}

static void reap(struct pool_worker *w)
{
    (void)close(w->fd);
    w->fd = -1;
    while (waitpid(w->pid, &w->status, 0) < 0 && errno == EINTR) {
    }
}

/* Whole lines are passed on; the rest waits for its end. */
static void pass_lines(struct pool *pool, unsigned i, const struct pool_events *events)
{
    struct strbuf *text = &pool->workers[i].pending;
    size_t begin = 0;
    for (;;) {
        char *end = begin < text->n ? memchr(text->p + begin, '\n', text->n - begin) : NULL;
        if (end == NULL) {
            break;
        }
        *end = '\0';
        events->line(events->arg, i, text->p + begin);
        begin = (size_t)(end - text->p) + 1;
    }
    if (begin != 0) {
        memmove(text->p, text->p + begin, text->n - begin);
        text->n -= begin;
    }
}

static void receive(struct pool *pool, unsigned i, const struct pool_events *events)
{
    struct pool_worker *w = &pool->workers[i];
    char bytes[65536];
    ssize_t n = read(w->fd, bytes, sizeof bytes);
    if (n > 0) {
        strbuf_add(&w->pending, bytes, (size_t)n);
        pass_lines(pool, i, events);
    } else if (n == 0 || errno != EINTR) {
        reap(w);
    }
}

static void tell_all(const struct pool *pool, int signal)
{
    for (unsigned i = 0; i < pool->n; i++) {
        if (pool->workers[i].fd >= 0) {
            (void)kill(pool->workers[i].pid, signal);
        }
    }
}

void pool_wait(struct pool *pool, const struct pool_events *events)
{
    size_t cap = 0;
    struct pollfd *fds = vec_grow(NULL, &cap, pool->n + 1, sizeof *fds);
    bool told = false;
    for (;;) {
        unsigned open = 0;
        for (unsigned i = 0; i < pool->n; i++) {
            fds[i] = (struct pollfd){.fd = pool->workers[i].fd, .events = POLLIN};
            open += pool->workers[i].fd >= 0 ? 1 : 0;
        }
        if (open == 0) {
            break;
        }
        int ready = poll(fds, pool->n, TICK_MS);
        for (unsigned i = 0; ready > 0 && i < pool->n; i++) {
            if (pool->workers[i].fd >= 0 && fds[i].revents != 0) {
                receive(pool, i, events);
            }
        }
        if (!told && events->stop(events->arg)) {
            tell_all(pool, SIGTERM);
            told = true;
        }
        if (events->tick != NULL) {
            events->tick(events->arg);
        }
    }
    vec_release(fds);
}

void pool_done(struct pool *pool)
{
    tell_all(pool, SIGKILL);
    for (unsigned i = 0; i < pool->n; i++) {
        if (pool->workers[i].fd >= 0) {
            reap(&pool->workers[i]);
        }
        strbuf_done(&pool->workers[i].pending);
    }
    vec_release(pool->workers);
    *pool = (struct pool){0};
}

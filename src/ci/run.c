/* Jobs as processes, side by side. Each runs in the directory of the file of jobs, writes what it
 * says to OUT/NAME.log and its report to OUT/NAME.json; recordings go to OUT/NAME. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/prctl.h>
#include <sys/poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/vec.h"
#include "ci/ci.h"
#include "ci/ci_int.h"

enum { TICK_MS = 200, GRACE_S = 5, REPORT_MAX_BYTES = 256 << 20 };

struct running {
    struct ci_job *job;
    pid_t pid;
    int fd; /* to wait for it */
    uint64_t begin_ns;
    uint64_t told_ns; /* to end; 0: not yet */
    const char *name; /* of its files */
};

struct runner {
    struct ci *ci;
    const char *program;
    const struct ci_events *events;
    const volatile sig_atomic_t *stop;
    uint64_t begin_ns;
    struct running *v; /* [n] */
    size_t n;
};

/* ---- command lines ---- */

/* A name that is a file's, and another job's in no case. */
static const char *file_name(struct arena *arena, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    enum { SHOWN = 100 };
    char *ret = arena_printf(arena, "%.*s", SHOWN, name);
    bool same = strlen(name) <= SHOWN && name[0] != '.';
    for (char *p = ret; *p != '\0'; p++) {
        if (strchr(plain, *p) == NULL || (p == ret && *p == '.')) {
            *p = '_';
            same = false;
        }
    }
    char hash[CI_KEY + 1];
    ci_hash(str_of(name), hash);
    return same ? ret : arena_printf(arena, "%s-%.8s", ret, hash);
}

/* Whether the command has an option already: one of these two, with its value in the next word or
 * behind = */
static bool has_option(const struct ci_job *job, const char *a, const char *b)
{
    for (size_t i = 1; i < job->n_words; i++) {
        const char *const names[] = {a, b};
        for (size_t k = 0; k < 2; k++) {
            size_t n = strlen(names[k]);
            bool letter = n == 2; /* its value may follow at once */
            if (strncmp(job->words[i], names[k], n) == 0 &&
                (letter || job->words[i][n] == '\0' || job->words[i][n] == '=')) {
                return true;
            }
        }
    }
    return false;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strcmp(word, *list) == 0) {
            return true;
        }
    }
    return false;
}

static char *word(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

/* The words of the job, and what makes its result depend on nothing but its inputs. */
static char **command_of(const struct runner *r, const struct running *one)
{
    static const char *const recording[] = {"run",     "replay", "explore", "conform",
                                            "confirm", "test",   NULL};
    enum { MORE = 10 };
    const struct ci_job *job = one->job;
    struct arena *arena = &r->ci->arena;
    char **argv = ARENA_ARRAY(arena, char *, job->n_words + MORE);
    const char *command = job->words[0];
    bool tlc = strcmp(command, "tlc") == 0, check = strcmp(command, "check") == 0;
    size_t n = 0;
    argv[n++] = word(arena, r->program);
    argv[n++] = word(arena, command);
    if ((tlc || check) && !has_option(job, "--seed", "-seed")) {
        argv[n++] = word(arena, tlc ? "-seed" : "--seed");
        argv[n++] = word(arena, "1");
    }
    if ((check || strcmp(command, "rank") == 0) && !has_option(job, "--workers", "-w")) {
        argv[n++] = word(arena, "--workers");
        argv[n++] = word(arena, "1");
    }
    if (is_one_of(command, recording) && !has_option(job, "--out", "-o")) {
        argv[n++] = word(arena, "--out");
        argv[n++] = arena_printf(arena, "%s/%s", r->ci->out, one->name);
    }
    argv[n++] = word(arena, tlc ? "-report" : "--report");
    argv[n++] = arena_printf(arena, "json=%s/%s.json", r->ci->out, one->name);
    for (size_t i = 1; i < job->n_words; i++) {
        argv[n++] = word(arena, job->words[i]);
    }
    return argv;
}

/* ---- processes ---- */

static int log_of(const struct runner *r, const struct running *one)
{
    const char *path = arena_printf(&r->ci->arena, "%s/%s.log",
                                    ci_path(&r->ci->arena, r->ci->dir, r->ci->out), one->name);
    one->job->result.said = path;
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static const char *report_path_of(const struct runner *r, const struct running *one)
{
    return arena_printf(&r->ci->arena, "%s/%s.json", ci_path(&r->ci->arena, r->ci->dir, r->ci->out),
                        one->name);
}

/* In the child. It dies when we do, and signals of a terminal come from us only. */
__attribute__((noreturn)) static void become(const struct runner *r, char *const *argv, int log,
                                             pid_t parent)
{
    int null = open("/dev/null", O_RDONLY);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == parent && null >= 0 &&
        setpgid(0, 0) == 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0 &&
        dup2(log, STDERR_FILENO) >= 0 && chdir(r->ci->dir) == 0) {
        (void)execv(r->program, argv);
    }
    for (;;) {
        (void)syscall(SYS_exit_group, EXIT_OTHER);
    }
}

static int start(struct runner *r, struct running *one, struct ci_job *job, struct err *err)
{
    *one = (struct running){.job = job, .fd = -1, .name = file_name(&r->ci->arena, job->name)};
    char **argv = command_of(r, one);
    pid_t parent = getpid();
    int log = log_of(r, one);
    if (log < 0) {
        return err_set(err, ERR_IO, errno, "%s", job->result.said);
    }
    (void)unlink(report_path_of(r, one));
    one->begin_ns = clock_mono_ns();
    one->pid = fork();
    if (one->pid == 0) {
        become(r, argv, log, parent);
    }
    int saved = errno;
    (void)close(log);
    if (one->pid < 0) {
        return err_set(err, ERR_IO, saved, "a process could not be started");
    }
    one->fd = (int)syscall(SYS_pidfd_open, one->pid, 0);
    return 0;
}

static void tell(struct running *one, int sig)
{
    if (kill(-one->pid, sig) != 0) { /* its group is not there yet */
        (void)kill(one->pid, sig);
    }
}

/* Time is up, for it or for all; or somebody wants all to end. */
static void end_if_due(const struct runner *r, struct running *one)
{
    uint64_t now = clock_mono_ns();
    bool late = (double)(now - one->begin_ns) * 1e-9 > one->job->time_s;
    bool all = r->ci->time_s > 0 && (double)(now - r->begin_ns) * 1e-9 > r->ci->time_s;
    if (one->told_ns == 0 && (late || all || *r->stop != 0)) {
        one->job->result.over = late || all;
        one->job->why = late ? arena_printf(&r->ci->arena, "its time was up (%g s): no verdict",
                                            one->job->time_s)
                             : "the time for all jobs was up: no verdict";
        one->told_ns = now;
        tell(one, SIGTERM);
    } else if (one->told_ns != 0 && now - one->told_ns > (uint64_t)GRACE_S * 1000000000U) {
        tell(one, SIGKILL);
    }
}

/* ---- results ---- */

/* What the command wrote, if it is a report with that exit status. */
static char *read_report(const struct runner *r, const struct running *one, int status)
{
    struct arena arena;
    struct str text = {0};
    struct err err = {0};
    char *ret = NULL;
    arena_init(&arena, 0);
    if (file_read(&arena, report_path_of(r, one), REPORT_MAX_BYTES, &text, &err) == 0) {
        json_t *root = json_loadb(text.p, text.n, 0, NULL);
        const json_t *exit_status = json_object_get(root, "exit");
        bool good = json_is_array(json_object_get(root, "cases")) && json_is_integer(exit_status) &&
                    json_integer_value(exit_status) == status && strlen(text.p) == text.n;
        ret = good ? str_heap(text.p) : NULL;
        json_decref(root);
    }
    arena_done(&arena);
    return ret;
}

/* The same inputs gave something else before. */
static bool differs(struct ci *ci, const struct ci_job *job)
{
    struct ci_result before = {0};
    char a[CI_KEY + 1], b[CI_KEY + 1];
    if (!ci_is_verdict(&job->result) || !ci_cache_get(ci, job, &before)) {
        return false;
    }
    ci_digest(job, &before, a);
    ci_digest(job, &job->result, b);
    vec_release(before.report);
    return strcmp(a, b) != 0;
}

static int remember(struct runner *r, struct ci_job *job, struct err *err)
{
    struct ci_job now = *job;
    struct ci_inputs *inputs = ci_inputs_new(r->ci); /* that have been read at no earlier time */
    int status = ci_inputs_of(inputs, &now, r->program, err);
    ci_inputs_free(inputs);
    if (status != 0) {
        return status;
    }
    if (strcmp(now.key, job->key) != 0) {
        job->why = "what it reads has changed while it ran: its result is not remembered";
        return 0;
    }
    job->result.differs = differs(r->ci, job);
    if (job->result.differs) {
        ci_cache_forget(r->ci, job);
        return 0;
    }
    return ci_cache_put(r->ci, job, err);
}

static void ended(const struct runner *r, const struct ci_job *job)
{
    if (r->events->ends != NULL) {
        r->events->ends(r->events->arg, job);
    }
}

static int finish(struct runner *r, struct running *one, int how, struct err *err)
{
    struct ci_job *job = one->job;
    struct ci_result *result = &job->result;
    result->seconds = (double)(clock_mono_ns() - one->begin_ns) * 1e-9;
    result->status = WIFEXITED(how) ? WEXITSTATUS(how) : EXIT_OTHER;
    result->report = WIFEXITED(how) ? read_report(r, one, result->status) : NULL;
    if (one->fd >= 0) {
        (void)close(one->fd);
    }
    bool stopped = *r->stop != 0 && one->told_ns != 0 && !result->over;
    job->state = stopped ? CI_NOT_RUN : CI_DONE;
    job->why = stopped ? "interrupted" : job->why;
    int status = stopped ? 0 : remember(r, job, err);
    ended(r, job);
    *one = r->v[--r->n];
    return status;
}

static int look_around(struct runner *r, struct err *err)
{
    struct pollfd *polls = ARENA_ARRAY(&r->ci->arena, struct pollfd, r->n + 1);
    int status = 0;
    for (size_t i = 0; i < r->n; i++) {
        polls[i] = (struct pollfd){.fd = r->v[i].fd, .events = POLLIN};
    }
    (void)poll(polls, r->n, TICK_MS);
    for (size_t i = r->n; status == 0 && i > 0; i--) {
        int how = 0;
        if (waitpid(r->v[i - 1].pid, &how, WNOHANG) == r->v[i - 1].pid) {
            status = finish(r, &r->v[i - 1], how, err);
        } else {
            end_if_due(r, &r->v[i - 1]);
        }
    }
    return status;
}

/* The longest first; those that nobody knows before them. */
static int by_length(const void *a, const void *b)
{
    const struct ci_job *x = *(const struct ci_job *const *)a,
                        *y = *(const struct ci_job *const *)b;
    double dx = x->took_s, dy = y->took_s;
    int unknown = (dx > 0) - (dy > 0);
    int longer = (dx < dy) - (dx > dy);
    return unknown != 0 ? unknown : longer != 0 ? longer : (x > y) - (x < y);
}

static const char *too_late(const struct runner *r)
{
    double gone = (double)(clock_mono_ns() - r->begin_ns) * 1e-9;
    return *r->stop != 0                               ? "interrupted"
           : r->ci->time_s > 0 && gone > r->ci->time_s ? "no time was left"
                                                       : NULL;
}

static int run_all(struct runner *r, struct ci_job **order, size_t n, struct err *err)
{
    size_t side = r->ci->jobs != 0 ? r->ci->jobs : cpu_count(), next = 0;
    int status = 0;
    r->v = ARENA_ARRAY(&r->ci->arena, struct running, side);
    while (status == 0 && (next < n || r->n > 0)) {
        while (status == 0 && next < n && r->n < side) {
            struct ci_job *job = order[next];
            const char *late = too_late(r);
            next++;
            if (late != NULL) {
                job->state = CI_NOT_RUN;
                job->why = late;
                ended(r, job);
                continue;
            }
            if (r->events->begins != NULL) {
                r->events->begins(r->events->arg, job);
            }
            status = start(r, &r->v[r->n], job, err);
            r->n += status == 0 ? 1 : 0;
        }
        status = status == 0 && r->n > 0 ? look_around(r, err) : status;
    }
    for (size_t i = 0; i < r->n; i++) { /* only after an error */
        tell(&r->v[i], SIGKILL);
        while (waitpid(r->v[i].pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    return status;
}

int ci_run(struct ci *ci, const char *program, const struct ci_events *events,
           const volatile sig_atomic_t *stop, struct err *err)
{
    struct runner r = {
        .ci = ci, .program = program, .events = events, .stop = stop, .begin_ns = clock_mono_ns()};
    struct ci_job **order = ARENA_ARRAY(&ci->arena, struct ci_job *, ci->n + 1);
    size_t n = 0;
    for (size_t i = 0; i < ci->n; i++) {
        if (ci->v[i].state == CI_TO_RUN) {
            order[n++] = &ci->v[i];
        }
    }
    if (n != 0) {
        qsort((void *)order, n, sizeof *order, by_length);
    }
    int status = dir_make(ci_path(&ci->arena, ci->dir, ci->out), err);
    for (size_t i = 0; status == 0 && i < ci->n; i++) {
        status = ci->v[i].state == CI_REMEMBERED ? ci_cache_note(ci, &ci->v[i], err) : 0;
    }
    status = status == 0 ? run_all(&r, order, n, err) : status;
    ci_cache_prune(ci);
    return status;
}

/* Commands of [[check]], one after the other. */
#include "run/checks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/env.h"
#include "base/err.h"
#include "base/str.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "world/world.h"

/* Runs it and waits for it. Returns 0 with its status, or why it could not be started. */
static int run_command(const struct checks *c, const char *const *argv, int *ret_status)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    (void)posix_spawn_file_actions_addchdir_np(&actions, c->dir);
    (void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&actions, 1, "check.out", O_WRONLY | O_CREAT | O_TRUNC,
                                           0644);
    (void)posix_spawn_file_actions_adddup2(&actions, 1, 2);
    error = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, env_all());
    (void)posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        return error;
    }
    while (waitpid(pid, ret_status, 0) < 0) {
        if (errno != EINTR) {
            return errno;
        }
        if (c->interrupted != NULL && *c->interrupted != 0) {
            (void)kill(pid, SIGKILL);
        }
    }
    return 0;
}

/* The class of the last thing that a check said. */
static uint64_t check_class(const char *dir)
{
    char text[4096];
    SCOPED_STRBUF path = {0};
    strbuf_printf(&path, "%s/check.out", dir);
    int fd = open(strbuf_cstr(&path), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    off_t size = lseek(fd, 0, SEEK_END), most = (off_t)sizeof text;
    ssize_t got = pread(fd, text, sizeof text, size > most ? size - most : 0);
    (void)close(fd);
    struct str said = str_trim((struct str){text, got > 0 ? (size_t)got : 0});
    const char *line = memrchr(said.p, '\n', said.n);
    size_t skip = line != NULL ? (size_t)(line + 1 - said.p) : 0;
    return failure_text_class((struct str){said.p + skip, said.n - skip});
}

static bool is_due(const struct checks *c, size_t i)
{
    uint32_t every = c->cluster->checks[i].every;
    return c->end || (every != 0 && c->events != 0 && c->events % every == 0);
}

bool checks_due(const struct checks *c)
{
    bool due = false;
    for (size_t i = 0; i < c->cluster->n_checks; i++) {
        due = due || is_due(c, i);
    }
    return due;
}

static int copy_files(const struct checks *c, struct world *world, struct err *err)
{
    int status = 0;
    for (size_t k = 0; status == 0 && k < c->cluster->n_nodes; k++) {
        SCOPED_STRBUF dir = {0};
        struct err why;
        strbuf_printf(&dir, "%s/%s", c->dir, c->cluster->nodes[k].name);
        if (world_export(world, k, strbuf_cstr(&dir), &why) != 0) {
            status =
                err_set(err, (enum err_code)why.code, 0, "copying files of a node: %s", why.text);
        }
    }
    return status;
}

int checks_run(const struct checks *c, struct world *world, struct failure *ret,
               struct strbuf *text, struct err *err)
{
    int copied = checks_due(c) ? copy_files(c, world, err) : 0;
    for (size_t i = 0; copied == 0 && i < c->cluster->n_checks; i++) {
        const struct cluster_check *check = &c->cluster->checks[i];
        int status = 0, started = is_due(c, i) ? run_command(c, check->argv, &status) : 0;
        if (started != 0) {
            return err_set(err, ERR_IO, 0, "check %.*s could not be started: %s",
                           STR_ARG(check->name), strerror(started));
        }
        if (status != 0) {
            *ret =
                (struct failure){FAILURE_CHECK, FAILURE_NOBODY, (uint32_t)i, check_class(c->dir)};
            strbuf_printf(text, "check %.*s failed after event %llu; see check.out",
                          STR_ARG(check->name), (unsigned long long)c->events);
            return 1;
        }
    }
    return copied;
}

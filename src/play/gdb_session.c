/* gdb is started as a child, on our terminal, and told to connect to a socket of ours. Ctrl-C is
 * its business then: it asks us to stop by a byte on the connection. */
#include "play/gdb_session.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/teller.h"
#include "base/term.h"

static int listen_at(struct gdb_session *s, int *ret_fd, struct err *err)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int n = snprintf(s->path, sizeof s->path, "%s/gdb.socket", s->dir);
    if (n < 0 || (size_t)n >= sizeof at.sun_path) {
        return err_set(err, ERR_INVALID, 0,
                       "the name of the directory is too long for a socket in it; use a shorter "
                       "--out");
    }
    memcpy(at.sun_path, s->path, (size_t)n + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)unlink(s->path);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 1) != 0) {
        int saved = errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        return err_set(err, ERR_IO, saved, "%s", s->path);
    }
    *ret_fd = fd;
    return 0;
}

__attribute__((noreturn)) static void exec_gdb(const struct gdb_session *s, const char *exe)
{
    char target[160];
    (void)snprintf(target, sizeof target, "target remote %s", s->path);
    const char *argv[24] = {"gdb",  "-q",
                            "-iex", "set sysroot /",
                            "-iex", "set debuginfod enabled off",
                            "-ex",  "set pagination off",
                            "-ex",  target};
    size_t n = 10;
    if (s->script != NULL) {
        argv[n++] = "-nx";
        argv[n++] = "-batch";
        argv[n++] = "-x";
        argv[n++] = s->script;
    } else {
        argv[n++] = "-ex";
        argv[n++] = "set pagination on";
    }
    argv[n++] = "--";
    argv[n++] = exe;
    (void)execvp("gdb", (char *const *)argv);
    (void)fprintf(s->teller->err, "assay replay: gdb cannot be started: %s\n", strerror(errno));
    for (;;) {
        (void)syscall(SYS_exit_group, 127);
    }
}

/* Waits for the connection, or for gdb to end without one. */
static int accept_from(struct gdb_session *s, int listener)
{
    for (;;) {
        struct pollfd ready = {.fd = listener, .events = POLLIN};
        int status = 0;
        if (poll(&ready, 1, 200) > 0) {
            return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        }
        if (s->pid > 0 && waitpid(s->pid, &status, WNOHANG) == s->pid) {
            s->pid = 0;
            return -1;
        }
        if (s->teller->flags->interrupt != 0) {
            return -1;
        }
    }
}

int gdb_session_connect(void *session, const char *exe, int *ret_fd, struct err *err)
{
    struct gdb_session *s = session;
    int listener = -1;
    int status = listen_at(s, &listener, err);
    if (status != 0) {
        return status;
    }
    if (s->listen_only) {
        (void)fprintf(s->teller->out,
                      "waiting: gdb -ex 'set sysroot /' -ex 'target remote %s' %s\n", s->path, exe);
        (void)fflush(s->teller->out);
    } else {
        (void)fflush(s->teller->out);
        s->pid = fork();
        if (s->pid == 0) {
            exec_gdb(s, exe);
        }
        struct sigaction ignore = {.sa_handler = SIG_IGN};
        (void)sigaction(SIGINT, &ignore, &s->before);
    }
    s->fd = accept_from(s, listener);
    s->connected = s->fd >= 0;
    (void)close(listener);
    (void)unlink(s->path);
    *ret_fd = s->fd;
    if (!s->connected && s->teller->flags->interrupt != 0) {
        return err_set(err, ERR_INTERRUPTED, 0, "interrupted");
    }
    return s->connected ? 0 : err_set(err, ERR_IO, 0, "gdb has ended without connecting");
}

void gdb_session_done(struct gdb_session *s)
{
    if (s->connected) {
        (void)close(s->fd);
    }
    while (s->pid > 0 && waitpid(s->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    if (!s->listen_only) {
        (void)sigaction(SIGINT, &s->before, NULL); /* Ctrl-C is ours again */
    }
}

/* Locked directories and files: see lock.h.
 *
 * The lock file is removed by whoever holds it. So a process that has opened the file and then got
 * the lock may hold a file that has no name any more: it looks whether the name still means its
 * file, and begins again if not. */
#include "base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"

enum { HOLDER_BYTES = 256, ATTEMPTS = 1000, WAITS = 500, WAIT_US = 20000 };

/* "PID command line" of this process. */
static size_t holder_text(char text[HOLDER_BYTES])
{
    int n = snprintf(text, HOLDER_BYTES, "%d ", (int)getpid());
    size_t used = n > 0 ? (size_t)n : 0;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text + used, HOLDER_BYTES - used - 1) : 0;
    if (fd >= 0) {
        close(fd);
    }
    size_t end = used + (got > 0 ? (size_t)got : 0);
    for (size_t i = used; i < end; i++) {
        text[i] = (unsigned char)text[i] < ' ' ? ' ' : text[i]; /* arguments end with NUL */
    }
    while (end > 0 && text[end - 1] == ' ') {
        end--;
    }
    text[end] = '\0';
    return end;
}

static int busy(const char *what, int fd, struct err *err)
{
    char text[HOLDER_BYTES];
    ssize_t got = fd >= 0 ? pread(fd, text, sizeof text - 1, 0) : 0;
    text[got > 0 ? got : 0] = '\0';
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || text[digits] != ' ') {
        return err_set(err, ERR_BUSY, 0, "%s is in use by another process", what);
    }
    return err_set(err, ERR_BUSY, 0, "%s is in use by process %.*s: %s", what, (int)digits, text,
                   text + digits + 1);
}

/* It was killed. Its children share the lock; they end by themselves, but not at once. */
static bool holder_is_gone(int fd)
{
    char text[HOLDER_BYTES];
    ssize_t got = pread(fd, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    long pid = strtol(text, NULL, 10);
    return pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

/* 1: locked, and `path` still names this file; 0: another one is there by now; negative: errno. */
static int try_lock(const char *path, int fd)
{
    struct stat mine, named;
    while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        if (errno != EINTR) {
            return -errno;
        }
    }
    return fstat(fd, &mine) == 0 && stat(path, &named) == 0 && mine.st_ino == named.st_ino &&
                   mine.st_dev == named.st_dev
               ? 1
               : 0;
}

static int lock_file(const char *dir, const char *path, int *ret_fd, struct err *err)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0) {
            return err_set(err, ERR_IO, errno, "cannot write to %s", dir);
        }
        int locked = try_lock(path, fd);
        if (locked == 1) {
            *ret_fd = fd;
            return 0;
        }
        if (locked == -EWOULDBLOCK && i < WAITS && holder_is_gone(fd)) {
            close(fd);
            (void)usleep(WAIT_US);
            continue;
        }
        int status = locked == 0 ? 0
                     : locked == -EWOULDBLOCK
                         ? busy(dir, fd, err)
                         : err_set(err, ERR_IO, -locked, "cannot lock %s", dir);
        close(fd);
        if (status != 0) {
            return status;
        }
    }
    return err_set(err, ERR_BUSY, 0, "%s is in use by other processes", dir);
}

int dir_lock(struct dir_lock *lock, const char *dir, struct err *err)
{
    SCOPED_STRBUF path = {0};
    int status = dir_make(dir, err);
    if (status != 0) {
        return status;
    }
    strbuf_printf(&path, "%s/" DIR_LOCK_FILE, dir);
    status = lock_file(dir, strbuf_cstr(&path), &lock->fd, err);
    if (status != 0) {
        return status;
    }
    char text[HOLDER_BYTES];
    size_t n = holder_text(text);
    if (ftruncate(lock->fd, 0) != 0 || pwrite(lock->fd, text, n, 0) != (ssize_t)n) {
        /* on a full disk: others learn that it is locked, not by whom */
        (void)ftruncate(lock->fd, 0);
    }
    lock->path = strdup(strbuf_cstr(&path));
    lock->held = true;
    return 0;
}

void dir_unlock(struct dir_lock *lock)
{
    if (!lock->held) {
        return;
    }
    if (lock->path != NULL) {
        (void)unlink(lock->path);
    }
    close(lock->fd);
    free(lock->path);
    *lock = (struct dir_lock){0};
}

int file_create_locked(const char *path, int *ret_fd, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        return err_set(err, ERR_IO, errno, "cannot write %s", path);
    }
    struct stat st = {0};
    bool plain = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    bool done = !plain || (flock(fd, LOCK_EX | LOCK_NB) == 0 && ftruncate(fd, 0) == 0);
    int os_errno = done ? 0 : errno;
    if (os_errno == 0) {
        *ret_fd = fd;
        return 0;
    }
    close(fd);
    return os_errno == EWOULDBLOCK ? busy(path, -1, err)
                                   : err_set(err, ERR_IO, os_errno, "cannot write %s", path);
}

/* Directories of one user: see own.h. */
#include "base/own.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum { FILE_BYTES_MAX = 256 << 20, NAME_MOST = 255, TRIES_MOST = 1000 };

static bool ours_alone(const struct stat *st)
{
    return st->st_uid == geteuid() && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Makes and opens a directory inside an open one. */
static int make_inside(int parent, const char *name)
{
    struct stat st;
    if (fstat(parent, &st) != 0 || (st.st_uid != geteuid() && st.st_uid != 0)) {
        return -1; /* root in a user's home would leave there what the user cannot use */
    }
    if (mkdirat(parent, name, 0700) != 0 && errno != EEXIST) {
        return -1;
    }
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Goes down the path name by name. Links above the directory itself are followed: a home often is
 * behind one, and it is the directory that was reached that counts. */
static int open_down(const char *path)
{
    int at = open(path[0] == '/' ? "/" : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (at >= 0) {
        path += strspn(path, "/");
        size_t n = strcspn(path, "/");
        char name[NAME_MOST + 1];
        if (n == 0 || n > NAME_MOST) {
            break;
        }
        memcpy(name, path, n);
        name[n] = '\0';
        path += n;
        bool last = path[strspn(path, "/")] == '\0';
        int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (last ? O_NOFOLLOW : 0);
        int next = openat(at, name, flags);
        if (next < 0 && errno == ENOENT) {
            next = make_inside(at, name);
        }
        (void)close(at);
        at = next;
    }
    return at;
}

int own_dir(const char *path)
{
    int dir = open_down(path);
    struct stat st;
    if (dir >= 0 && (fstat(dir, &st) != 0 || !ours_alone(&st))) {
        (void)close(dir);
        return -1;
    }
    return dir;
}

int own_file(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || !ours_alone(&st))) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

int own_read(struct arena *arena, int fd, struct str *ret_bytes, struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || st.st_size > FILE_BYTES_MAX) {
        return err_set(err, ERR_LIMIT, 0, "a file is too large");
    }
    SCOPED_STRBUF bytes = {0};
    strbuf_reserve(&bytes, (size_t)st.st_size + 1);
    while (bytes.n < (size_t)st.st_size) {
        ssize_t got = pread(fd, bytes.p + bytes.n, (size_t)st.st_size - bytes.n, (off_t)bytes.n);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return err_set(err, ERR_IO, got < 0 ? errno : 0, "reading a file");
        }
        bytes.n += (size_t)got;
    }
    *ret_bytes = (struct str){arena_strndup(arena, bytes.p, bytes.n), bytes.n};
    return 0;
}

static bool write_whole(int fd, struct str bytes)
{
    while (bytes.n > 0) {
        ssize_t put = write(fd, bytes.p, bytes.n);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        bytes.p += put > 0 ? put : 0;
        bytes.n -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

bool own_put(int dir, const char *name, struct str bytes)
{
    char fresh[NAME_MOST + 1];
    int fd = -1;
    for (int i = 0; i < TRIES_MOST && fd < 0; i++) {
        (void)snprintf(fresh, sizeof fresh, "%.200s.tmp%d-%d", name, (int)getpid(), i);
        fd = openat(dir, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST) {
            return false;
        }
    }
    if (fd < 0) {
        return false;
    }
    bool good = write_whole(fd, bytes);
    good = close(fd) == 0 && good && renameat(dir, fresh, dir, name) == 0;
    if (!good) {
        (void)unlinkat(dir, fresh, 0);
    }
    return good;
}

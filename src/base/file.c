/* Files and paths: see file.h. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

static enum err_code code_of_errno(int os_errno)
{
    return os_errno == ENOENT || os_errno == ENOTDIR ? ERR_NOT_FOUND : ERR_IO;
}

/* Reads to the end of the descriptor, or one byte beyond max_bytes. */
static int read_all(int fd, size_t max_bytes, size_t size_hint, struct strbuf *sb)
{
    enum { BLOCK_MIN = 16 << 10 };
    for (;;) {
        size_t want = size_hint > sb->n ? size_hint - sb->n + 1 : BLOCK_MIN;
        if (want > max_bytes - sb->n) {
            want = max_bytes - sb->n + 1;
        }
        strbuf_reserve(sb, want);
        ssize_t got = read(fd, sb->p + sb->n, want);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -errno;
        }
        sb->n += (size_t)got;
        if (got == 0 || sb->n > max_bytes) {
            return 0;
        }
    }
}

int file_read(struct arena *arena, const char *path, size_t max_bytes, struct str *ret_text,
              struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        int os_errno = errno;
        return err_set(err, code_of_errno(os_errno), os_errno, "cannot open %s", path);
    }
    SCOPED_STRBUF sb = {0};
    struct stat st = {0};
    int status = fstat(fd, &st) < 0 ? -errno : 0;
    if (status == 0 && S_ISDIR(st.st_mode)) {
        status = -EISDIR;
    }
    if (status == 0) {
        size_t hint = S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size : 0;
        status = hint > max_bytes ? -EFBIG : read_all(fd, max_bytes, hint, &sb);
    }
    close(fd);
    if (status == -EFBIG || (status == 0 && sb.n > max_bytes)) {
        return err_set(err, ERR_LIMIT, 0, "%s is larger than %zu bytes", path, max_bytes);
    }
    if (status < 0) {
        return err_set(err, ERR_IO, -status, "cannot read %s", path);
    }
    *ret_text = (struct str){arena_strndup(arena, sb.p, sb.n), sb.n};
    return 0;
}

static int write_all(int fd, struct str text)
{
    while (text.n > 0) {
        ssize_t put = write(fd, text.p, text.n);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return -errno;
        }
        text.p += put;
        text.n -= (size_t)put;
    }
    return 0;
}

/* Opens a new file next to `path`. O_EXCL decides between threads and processes, so no name has to
 * be unique. */
static int open_neighbour(const char *path, struct strbuf *name)
{
    for (int attempt = 0; attempt < 1000; attempt++) {
        strbuf_reset(name);
        strbuf_printf(name, "%s.tmp%d-%d", path, (int)getpid(), attempt);
        int fd = open(strbuf_cstr(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd >= 0 ? fd : -errno;
        }
    }
    return -EEXIST;
}

/* Opens the file itself when it is a pipe or a terminal, a neighbour otherwise. */
static int open_output(const char *path, struct strbuf *name, bool *ret_in_place, int *ret_fd,
                       struct err *err)
{
    struct stat st = {0};
    bool in_place = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    int fd = in_place ? open(path, O_WRONLY | O_CLOEXEC) : open_neighbour(path, name);
    if (fd < 0) {
        int os_errno = in_place ? errno : -fd;
        return err_set(err, code_of_errno(os_errno), os_errno, "cannot create %s", path);
    }
    *ret_in_place = in_place;
    *ret_fd = fd;
    return 0;
}

int file_probe(const char *path, struct err *err)
{
    SCOPED_STRBUF name = {0};
    bool in_place = false;
    struct stat st = {0};
    int fd = -1;
    if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode)) {
        return 0; /* to open it may wait for its reader */
    }
    int status = open_output(path, &name, &in_place, &fd, err);
    if (status != 0) {
        return status;
    }
    close(fd);
    if (!in_place) {
        unlink(strbuf_cstr(&name));
    }
    return 0;
}

int file_write(const char *path, struct str text, struct err *err)
{
    SCOPED_STRBUF name = {0};
    bool in_place = false;
    int fd = -1;
    int opened = open_output(path, &name, &in_place, &fd, err);
    if (opened != 0) {
        return opened;
    }
    int status = write_all(fd, text);
    if (close(fd) < 0 && status == 0) {
        status = -errno;
    }
    if (!in_place && status == 0 && rename(strbuf_cstr(&name), path) < 0) {
        status = -errno;
    }
    if (!in_place && status < 0) {
        unlink(strbuf_cstr(&name));
    }
    return status < 0 ? err_set(err, ERR_IO, -status, "cannot write %s", path) : 0;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

const char *path_join(struct arena *arena, const char *dir, const char *name)
{
    size_t n = strlen(dir);
    if (n == 0 || name[0] == '/' || strcmp(dir, ".") == 0) {
        return arena_strndup(arena, name, strlen(name));
    }
    return arena_printf(arena, dir[n - 1] == '/' ? "%s%s" : "%s/%s", dir, name);
}

struct str path_base(struct str path)
{
    size_t begin = path.n;
    while (begin > 0 && path.p[begin - 1] != '/') {
        begin--;
    }
    return (struct str){path.p + begin, path.n - begin};
}

struct str path_dir(struct str path)
{
    size_t n = path.n - path_base(path).n;
    if (n == 0) {
        return STR(".");
    }
    while (n > 1 && path.p[n - 1] == '/') {
        n--;
    }
    return (struct str){path.p, n};
}

int dir_make(const char *path, struct err *err)
{
    SCOPED_STRBUF part = {0};
    for (size_t i = 0; path[i]; i++) {
        strbuf_addc(&part, path[i]);
        if (path[i] == '/' || path[i + 1] == '\0') {
            if (mkdir(strbuf_cstr(&part), 0777) < 0 && errno != EEXIST) {
                return err_set(err, ERR_IO, errno, "cannot make directory %s", strbuf_cstr(&part));
            }
        }
    }
    struct stat st = {0};
    if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)) {
        return err_set(err, ERR_IO, ENOTDIR, "cannot make directory %s", path);
    }
    return 0;
}

static int remove_visit(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    (void)st;
    (void)type;
    (void)walk;
    return remove(path);
}

int file_nameless(const char *dir, int *ret_fd, struct err *err)
{
    int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) { /* not every file system has them */
        SCOPED_STRBUF path = {0};
        strbuf_printf(&path, "%s/assay-XXXXXX", dir);
        fd = mkostemp(path.p, O_CLOEXEC);
        if (fd >= 0) {
            (void)unlink(path.p);
        }
    }
    if (fd < 0) {
        return err_set(err, ERR_IO, errno, "cannot create a file in %s", dir);
    }
    *ret_fd = fd;
    return 0;
}

int dir_make_new(const char *dir, const char *name, struct strbuf *ret_path, struct err *err)
{
    enum { REPLACED = 6 }; /* letters at the end, which mkdtemp chooses */
    strbuf_reset(ret_path);
    strbuf_printf(ret_path, "%s/%s-", dir, name);
    for (int i = 0; i < REPLACED; i++) {
        strbuf_addc(ret_path, 'X');
    }
    if (!mkdtemp(ret_path->p)) {
        return err_set(err, ERR_IO, errno, "cannot make a directory %s/%s-...", dir, name);
    }
    return 0;
}

int dir_remove(const char *path, struct err *err)
{
    enum { OPEN_MAX_DIRS = 16 };
    if (nftw(path, remove_visit, OPEN_MAX_DIRS, FTW_DEPTH | FTW_PHYS) < 0 && errno != ENOENT) {
        return err_set(err, ERR_IO, errno, "cannot remove %s", path);
    }
    return 0;
}

/* The name of the next entry that is neither the directory, nor its parent, nor `keep`; NULL at the
 * end. */
static const char *next_entry(DIR *dir, const char *keep)
{
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
            (keep == NULL || strcmp(name, keep) != 0)) {
            return name;
        }
    }
    return NULL;
}

int dir_clear(const char *path, const char *keep, struct err *err)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return err_set(err, code_of_errno(errno), errno, "cannot read directory %s", path);
    }
    SCOPED_STRBUF full = {0};
    int status = 0;
    const char *name = NULL;
    while (status == 0 && (name = next_entry(dir, keep)) != NULL) {
        strbuf_reset(&full);
        strbuf_printf(&full, "%s/%s", path, name);
        status = dir_remove(strbuf_cstr(&full), err);
    }
    (void)closedir(dir); /* only read */
    return status;
}

bool dir_is_empty(const char *path, const char *keep)
{
    DIR *dir = opendir(path);
    bool empty = dir != NULL && next_entry(dir, keep) == NULL;
    if (dir != NULL) {
        (void)closedir(dir);
    }
    return empty;
}

void dir_each(const char *path, void (*fn)(void *arg, const char *name), void *arg)
{
    DIR *dir = opendir(path);
    const char *name = NULL;
    while (dir != NULL && (name = next_entry(dir, NULL)) != NULL) {
        fn(arg, name);
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
}

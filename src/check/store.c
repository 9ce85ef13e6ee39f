/* Files of a search and large blocks of memory: see store.h.
 *
 * Disk space is counted from what was written, per file, so that progress can show it without
 * asking the system. */
#include "check/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"

void store_init(struct store *store, const char *dir, const char *temporary, uint64_t fail_write_at)
{
    *store = (struct store){.fail_write_at = fail_write_at, .nameless = dir == NULL};
    pthread_mutex_init(&store->lock, NULL);
    const char *name = dir ? dir : temporary ? temporary : "/tmp";
    size_t cap = 0;
    store->dir = vec_grow(NULL, &cap, strlen(name) + 1, 1);
    memcpy(store->dir, name, strlen(name) + 1);
}

void store_done(struct store *store)
{
    vec_release(store->dir);
    store->dir = NULL;
    pthread_mutex_destroy(&store->lock);
}

int store_make(struct store *store, struct err *err)
{
    int status = 0;
    pthread_mutex_lock(&store->lock);
    if (!store->made && !store->nameless) {
        status = dir_make(store->dir, err);
        store->made = status == 0;
    }
    pthread_mutex_unlock(&store->lock);
    return status;
}

void store_sweep(struct store *store)
{
    SCOPED_STRBUF path = {0};
    DIR *dir = store->nameless ? NULL : opendir(store->dir);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        size_t n = strlen(entry->d_name);
        if ((n > 4 && strcmp(entry->d_name + n - 4, ".run") == 0) ||
            (n > 6 && strcmp(entry->d_name + n - 6, ".spill") == 0)) {
            (void)unlink(
                store_path(store, entry->d_name, &path)); /* what is left is only in the way */
        }
    }
    if (dir) {
        (void)closedir(dir); /* only read */
    }
}

const char *store_path(struct store *store, const char *name, struct strbuf *buf)
{
    ASSERT(!store->nameless);
    strbuf_reset(buf);
    strbuf_printf(buf, "%s/%s", store->dir, name);
    return strbuf_cstr(buf);
}

int store_create(struct store *store, const char *name, int *ret_fd, struct err *err)
{
    if (store->nameless) {
        return file_nameless(store->dir, ret_fd, err);
    }
    int status = store_make(store, err);
    if (status < 0) {
        return status;
    }
    SCOPED_STRBUF path = {0};
    int fd = open(store_path(store, name, &path), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        return err_set(err, ERR_IO, errno, "cannot create %s", path.p);
    }
    *ret_fd = fd;
    return 0;
}

int store_open(struct store *store, const char *name, bool write, int *ret_fd, uint64_t *ret_size,
               struct err *err)
{
    int status = store_make(store, err);
    if (status < 0) {
        return status;
    }
    SCOPED_STRBUF path = {0};
    int fd = open(store_path(store, name, &path), (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    struct stat st = {0};
    if (fd < 0 || fstat(fd, &st) < 0) {
        int os_errno = errno;
        if (fd >= 0) {
            close(fd);
        }
        return err_set(err, os_errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, os_errno, "cannot open %s",
                       path.p);
    }
    atomic_fetch_add_explicit(&store->bytes, (uint64_t)st.st_size, memory_order_relaxed);
    *ret_fd = fd;
    *ret_size = (uint64_t)st.st_size;
    return 0;
}

void store_close(struct store *store, int fd)
{
    struct stat st = {0};
    if (fd < 0) {
        return;
    }
    if (fstat(fd, &st) == 0) {
        atomic_fetch_sub_explicit(&store->bytes, (uint64_t)st.st_size, memory_order_relaxed);
    }
    close(fd);
}

void store_remove(struct store *store, const char *name)
{
    SCOPED_STRBUF path = {0};
    if (store->made) {
        (void)unlink(store_path(store, name, &path)); /* an absent file is as good */
    }
}

bool store_has(struct store *store, const char *name)
{
    SCOPED_STRBUF path = {0};
    return !store->nameless && file_exists(store_path(store, name, &path));
}

int store_write(struct store *store, int fd, const void *bytes, size_t len, uint64_t offset,
                struct err *err)
{
    uint64_t number = atomic_fetch_add_explicit(&store->writes, 1, memory_order_relaxed) + 1;
    if (store->fail_write_at && number >= store->fail_write_at) {
        return err_set(err, ERR_IO, ENOSPC, "cannot write to %s", store->dir);
    }
    struct stat before = {0};
    (void)fstat(fd, &before); /* only for the count of bytes */
    const char *p = bytes;
    size_t left = len;
    uint64_t at = offset;
    while (left > 0) {
        ssize_t put = pwrite(fd, p, left, (off_t)at);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return err_set(err, ERR_IO, put < 0 ? errno : ENOSPC, "cannot write to %s", store->dir);
        }
        p += put;
        left -= (size_t)put;
        at += (uint64_t)put;
    }
    if (at > (uint64_t)before.st_size) {
        atomic_fetch_add_explicit(&store->bytes, at - (uint64_t)before.st_size,
                                  memory_order_relaxed);
    }
    return 0;
}

int store_read(struct store *store, int fd, void *bytes, size_t len, uint64_t offset,
               struct err *err)
{
    char *p = bytes;
    while (len > 0) {
        ssize_t got = pread(fd, p, len, (off_t)offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return err_set(err, ERR_IO, errno, "cannot read from %s", store->dir);
        }
        if (got == 0) {
            return err_set(err, ERR_CORRUPT, 0, "a file in %s is too short", store->dir);
        }
        p += got;
        len -= (size_t)got;
        offset += (uint64_t)got;
    }
    return 0;
}

int store_sync(struct store *store, int fd, struct err *err)
{
    if (fsync(fd) < 0) {
        return err_set(err, ERR_IO, errno, "cannot write to %s", store->dir);
    }
    return 0;
}

int store_rename(struct store *store, const char *from, const char *to, struct err *err)
{
    SCOPED_STRBUF a = {0};
    SCOPED_STRBUF b = {0};
    if (rename(store_path(store, from, &a), store_path(store, to, &b)) < 0) {
        return err_set(err, ERR_IO, errno, "cannot rename %s", a.p);
    }
    int fd = open(store->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return err_set(err, ERR_IO, errno, "cannot open %s", store->dir);
    }
    int status = fsync(fd) < 0 ? err_set(err, ERR_IO, errno, "cannot write to %s", store->dir) : 0;
    close(fd);
    return status;
}

/* ---- memory ---- */

void *memory_try_map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p != MAP_FAILED ? p : NULL;
}

void *memory_map(size_t bytes)
{
    void *p = memory_try_map(bytes);
    ASSERTF(p != NULL, "out of memory: %zu bytes", bytes);
    return p;
}

void memory_unmap(void *memory, size_t bytes)
{
    if (memory) {
        munmap(memory, bytes);
    }
}

/* The number after `key` in a small file of the kernel, or UINT64_MAX. */
static uint64_t kernel_number(const char *path, const char *key)
{
    char text[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return UINT64_MAX;
    }
    ssize_t got = read(fd, text, sizeof text - 1);
    close(fd);
    if (got <= 0) {
        return UINT64_MAX;
    }
    text[got] = '\0';
    char *at = strstr(text, key);
    char *end = NULL;
    errno = 0;
    unsigned long long value = at ? strtoull(at + strlen(key), &end, 10) : 0;
    return at && end != at + strlen(key) && errno == 0 ? value : UINT64_MAX;
}

uint64_t memory_available(void)
{
    uint64_t machine = kernel_number("/proc/meminfo", "MemAvailable:");
    machine = machine == UINT64_MAX ? UINT64_C(1) << 30 : machine * 1024;
    uint64_t group = kernel_number("/sys/fs/cgroup/memory.max", "");
    if (group != UINT64_MAX) {
        uint64_t used =
            memory_resident(); /* memory.current counts file pages that can be dropped */
        uint64_t left = group > used ? group - used : 0;
        return left < machine ? left : machine;
    }
    return machine;
}

uint64_t memory_resident(void)
{
    uint64_t kb = kernel_number("/proc/self/status", "VmRSS:");
    return kb == UINT64_MAX ? 0 : kb * 1024;
}

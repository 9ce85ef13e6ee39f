/* Memory calls that concern files. Anonymous memory is the real kernel's business and does not stop
 * at all. A mapping of a file is made for real, of the very file (the machine's, or the memory file
 * that holds a node's file), which the tracee opens through our own descriptor and closes again. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/hwrand.h"
#include "world/world_int.h"

/* Maps our descriptor in the tracee. */
static int64_t map_real(struct thread *t, int fd, bool writable, uint64_t flags)
{
    char *path = (char *)t->proc->node->shared.bytes + TRACEE_SCRATCH;
    (void)snprintf(path, 64, "/proc/%d/fd/%d", (int)getpid(), fd);
    struct tracee_call call = {t->real, &t->regs, false};
    int64_t real =
        tracee_call(&call, SYS_openat,
                    (const uint64_t[6]){(uint64_t)AT_FDCWD, TRACEE_PAGE_ADDR + TRACEE_SCRATCH,
                                        writable ? O_RDWR : O_RDONLY});
    if (real < 0) {
        return real == -EMFILE ? -ENOMEM : real;
    }
    int64_t result =
        tracee_call(&call, SYS_mmap,
                    (const uint64_t[6]){t->a[0], t->a[1], t->a[2], flags, (uint64_t)real, t->a[5]});
    (void)tracee_call(&call, SYS_close, (const uint64_t[6]){(uint64_t)real});
    return result;
}

int64_t map_descriptor(struct thread *t, int fd, bool writable, const uint64_t map[4])
{
    uint64_t saved[6];
    memcpy(saved, t->a, sizeof saved);
    t->a[0] = map[0];
    t->a[1] = map[1];
    t->a[2] = map[2];
    t->a[5] = 0;
    int64_t result = map_real(t, fd, writable, map[3]);
    memcpy(t->a, saved, sizeof saved);
    return result;
}

int remap_descriptor(const struct thread *t, int fd, const uint64_t map[4])
{
    char *path = (char *)t->proc->node->shared.bytes + TRACEE_SCRATCH;
    (void)snprintf(path, 64, "/proc/%d/fd/%d", (int)getpid(), fd);
    bool write = (map[2] & PROT_WRITE) != 0;
    const uint64_t open_args[6] = {(uint64_t)AT_FDCWD, TRACEE_PAGE_ADDR + TRACEE_SCRATCH,
                                   write ? O_RDWR : O_RDONLY};
    struct tracee_call call = {t->real, &t->regs, false};
    int64_t real = tracee_call(&call, SYS_openat, open_args);
    bool good = real >= 0;
    if (good) {
        const uint64_t map_args[6] = {map[0],         map[1], map[2], MAP_SHARED | MAP_FIXED,
                                      (uint64_t)real, map[3]};
        good = tracee_call(&call, SYS_mmap, map_args) == (int64_t)map[0];
        (void)tracee_call(&call, SYS_close, (const uint64_t[6]){(uint64_t)real});
    }
    return tracee_rearm(t->real, &t->regs) && good ? 0 : -1;
}

static int64_t map_or_stop(struct world *w, struct thread *t, int fd, bool writable, uint64_t flags)
{
    int64_t result = map_real(t, fd, writable, flags);
    if (result >= 0 && (t->a[2] & PROT_EXEC) != 0 && (flags & MAP_TYPE) == MAP_PRIVATE) {
        hwrand_mapped(w, t, fd, (const uint64_t[3]){(uint64_t)result, t->a[1], t->a[5]});
    }
    return result;
}

/* ---- memory that nobody reserves ---- */

/* Private memory that can be written counts as it is mapped: the real kernel refuses what is too
 * much (RLIMIT_DATA). Programs that ask for terabytes with MAP_NORESERVE, as sanitizers do for
 * their shadow memory, mean to use little of it: from then on what they touch counts. */
static int64_t map_anonymous(struct thread *t)
{
    struct mm *mm = t->proc->mm;
    bool counts = (t->a[3] & MAP_NORESERVE) != 0 && (t->a[3] & MAP_TYPE) == MAP_PRIVATE &&
                  (t->a[2] & PROT_WRITE) != 0;
    if (counts && !mm->by_touch) {
        mm->by_touch = tracee_limit_data(t->proc->real, 0);
    }
    struct tracee_call call = {t->real, &t->regs, false};
    return tracee_call(&call, SYS_mmap, t->a);
}

bool memory_touched(struct world *w, const struct thread *t)
{
    char path[64], text[128] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/statm", (int)t->proc->real);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    char *at = text;
    unsigned long long pages[3] = {0}; /* mapped, in memory, of those in files or shared */
    for (int i = 0; n > 0 && i < 3; i++) {
        pages[i] = strtoull(at, &at, 10);
    }
    if ((pages[1] - pages[2]) * PAGE <= w->limits.memory_bytes) {
        return true;
    }
    (void)stop_run(
        w, ERR_LIMIT, "node %s, process %s: it uses more than %llu MB of memory (memory_mb)",
        t->proc->node->name, t->proc->comm, (unsigned long long)(w->limits.memory_bytes >> 20));
    return false;
}

int64_t call_mmap(struct world *w, struct thread *t)
{
    uint64_t flags = t->a[3];
    if ((flags & MAP_ANONYMOUS) != 0) {
        return map_anonymous(t);
    }
    struct file *f = fd_get(t, t->a[4]);
    if (f == NULL) {
        return -EBADF;
    }
    bool shared = (flags & MAP_TYPE) != MAP_PRIVATE, write = (t->a[2] & PROT_WRITE) != 0;
    int mode = f->flags & O_ACCMODE;
    if (mode == O_WRONLY || (shared && write && mode != O_RDWR)) {
        return -EACCES;
    }
    if (f->ops == &hfile_ops) {
        const struct hfile *h = (struct hfile *)f;
        return S_ISDIR(h->st.st_mode) ? -ENODEV : map_or_stop(w, t, h->fd, false, flags);
    }
    if (f->ops == &vfile_ops) {
        struct inode *inode = ((struct vfile *)f)->inode;
        if (!S_ISREG(inode->mode)) {
            return -ENODEV;
        }
        int fd = inode_memfd(w, inode);
        return fd < 0 ? -ENOMEM : map_or_stop(w, t, fd, mode == O_RDWR, flags);
    }
    if (strcmp(f->ops->name, "null") == 0) { /* /dev/zero */
        struct tracee_call call = {t->real, &t->regs, false};
        return tracee_call(
            &call, SYS_mmap,
            (const uint64_t[6]){t->a[0], t->a[1], t->a[2], flags | MAP_ANONYMOUS, UINT64_MAX, 0});
    }
    return -ENODEV;
}

int64_t call_msync(struct world *w, struct thread *t)
{
    /* Which file is mapped there is not tracked: everything mapped becomes durable. */
    const struct node *node = t->proc->node;
    if ((t->a[0] & 4095) != 0 || (t->a[2] & ~(uint64_t)(MS_ASYNC | MS_INVALIDATE | MS_SYNC)) != 0 ||
        ((t->a[2] & MS_ASYNC) != 0 && (t->a[2] & MS_SYNC) != 0)) {
        return -EINVAL;
    }
    if ((t->a[2] & MS_SYNC) == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < node->n_mounts; i++) {
        disk_sync_mapped(w, node->mounts[i].root);
    }
    return 0;
}

int64_t call_madvise(struct world *w, struct thread *t)
{
    (void)w;
    (void)t;
    return -EINVAL; /* MADV_FREE: pages would vanish when memory is short; MADV_DONTNEED is tried
                       next */
}

int64_t call_mincore(struct world *w, struct thread *t)
{
    uint64_t pages = (t->a[1] + 4095) / 4096;
    if ((t->a[0] & 4095) != 0) {
        return -EINVAL;
    }
    if (pages > ENGINE_BUF) {
        return -ENOMEM;
    }
    memset(w->engine->buf, 1, pages);
    uint8_t byte = 0;
    for (uint64_t i = 0; i < pages; i++) {
        if (!mem_read(t, t->a[0] + i * 4096, &byte, 1)) {
            return -ENOMEM;
        }
    }
    return mem_write(t, t->a[2], w->engine->buf, pages) ? 0 : -EFAULT;
}

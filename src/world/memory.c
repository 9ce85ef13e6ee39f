/* Memory calls that concern files, or the engine's own pages. Other anonymous memory is the real
 * kernel's business and does not stop at all, unless it is shared. A mapping of a file is made for
 * real, of the very file (the machine's, or the memory file that holds a node's file), which the
 * tracee opens through our own descriptor and closes again. */
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
#include <sys/sysmacros.h>

#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/copies.h"
#include "world/hwrand.h"
#include "world/maps.h"
#include "world/world_int.h"

/* ---- the engine's own pages ---- */

/* The run stops: no program needs these addresses, unless it looks for a way out. */
static int64_t keep_off(struct world *w, struct thread *t, uint64_t at)
{
    return stop_run(w, ERR_UNSUPPORTED,
                    "node %s, process %s: %s at %#llx, where the engine keeps its own memory",
                    t->proc->node->name, t->proc->comm, call_row(t->nr)->name,
                    (unsigned long long)at);
}

/* A length of 0 means something to mremap. */
static bool is_engines(uint64_t from, uint64_t bytes)
{
    return tracee_page_in(from, bytes != 0 ? bytes : 1);
}

int64_t map_fixed_check(struct world *w, struct thread *t, uint64_t from, uint64_t bytes)
{
    return is_engines(from, bytes) ? keep_off(w, t, from) : 0;
}

/* What the filter has stopped because it is near them, or could be. */
static int64_t unless_engines(struct world *w, struct thread *t)
{
    return is_engines(t->a[0], t->a[1]) ? keep_off(w, t, t->a[0]) : (int64_t)CALL_NATIVE;
}

int64_t call_munmap(struct world *w, struct thread *t)
{
    return unless_engines(w, t);
}

/* The list of mappings shows the end of the heap, but not where in its last page it is. */
int64_t call_brk(struct world *w, struct thread *t)
{
    w->engine->lives[t->proc->node->index].odd_brk = true;
    return (int64_t)CALL_NATIVE;
}

int64_t call_mprotect(struct world *w, struct thread *t)
{
    return unless_engines(w, t);
}

int64_t call_madvise(struct world *w, struct thread *t)
{
    /* MADV_FREE: pages would vanish when memory is short; MADV_DONTNEED is tried next. */
    return t->a[2] == MADV_FREE ? -EINVAL : unless_engines(w, t);
}

int64_t call_mremap(struct world *w, struct thread *t)
{
    const uint64_t stack = UINT64_C(0x7fffff000000); /* see filter.c */
    if ((t->a[3] & MREMAP_FIXED) != 0 && is_engines(t->a[4], t->a[2])) {
        return keep_off(w, t, t->a[4]);
    }
    return t->a[0] >= stack && t->a[2] > t->a[1] ? -ENOMEM : unless_engines(w, t);
}

/* ---- mapping files ---- */

/* Gives our descriptor to the tracee; the descriptor there, or -errno. What is there is compared
 * before anybody uses it: its number stands in memory that the program can write to. */
int64_t open_in_tracee(const struct thread *t, struct tracee_call *call, int fd, bool writable)
{
    int64_t real = tracee_give(call, &t->proc->node->shared, fd, writable);
    if (real < 0) {
        return real;
    }
    char link[64];
    struct stat ours, theirs;
    (void)snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)t->real, (int)real);
    if (fstat(fd, &ours) != 0 || stat(link, &theirs) != 0 || ours.st_dev != theirs.st_dev ||
        ours.st_ino != theirs.st_ino) {
        tracee_kill(t->real);
        return -ESRCH;
    }
    return real;
}

/* Maps our descriptor in the tracee. */
static int64_t map_real(struct thread *t, int fd, bool writable, uint64_t flags)
{
    struct tracee_call call = {t->real, &t->regs, false, 0};
    int64_t real = open_in_tracee(t, &call, fd, writable);
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
    bool write = (map[2] & PROT_WRITE) != 0;
    struct tracee_call call = {t->real, &t->regs, false, 0};
    int64_t real = open_in_tracee(t, &call, fd, write);
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
static void count_touched(struct thread *t)
{
    struct mm *mm = t->proc->mm;
    bool counts = (t->a[3] & MAP_NORESERVE) != 0 && (t->a[3] & MAP_TYPE) == MAP_PRIVATE &&
                  (t->a[2] & PROT_WRITE) != 0;
    if (counts && !mm->by_touch) {
        mm->by_touch = tracee_limit_data(t->proc->real, 0);
    }
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

/* Memory that is shared and has no file: the real kernel does not count it as a process's data. */
static uint64_t shared_bytes(const struct proc *proc)
{
    struct maps *maps = maps_open(proc->real);
    struct map map;
    uint64_t sum = 0;
    while (maps_next(maps, &map)) {
        bool anonymous = map.perms[3] == 's' && strncmp(map.name, "/dev/zero", 9) == 0;
        sum += anonymous ? map.end - map.begin : 0;
    }
    maps_close(maps);
    return sum;
}

/* Also for /dev/zero. A stack would not count either, so there is none that grows by itself. */
static int64_t map_anonymous(struct world *w, struct thread *t)
{
    uint64_t flags = t->a[3], type = flags & MAP_TYPE, most = memory_most(w, t->proc->node);
    if (type != MAP_SHARED && type != MAP_PRIVATE) {
        return -EINVAL;
    }
    uint64_t used = type == MAP_SHARED ? shared_bytes(t->proc) : 0;
    if (type == MAP_SHARED && (used > most || t->a[1] > most - used)) {
        return -ENOMEM;
    }
    count_touched(t);
    struct tracee_call call = {t->real, &t->regs, false, 0};
    flags = (flags | MAP_ANONYMOUS) & ~(uint64_t)MAP_GROWSDOWN;
    const uint64_t args[6] = {t->a[0], t->a[1], t->a[2], flags, UINT64_MAX, 0};
    return tracee_call(&call, SYS_mmap, args);
}

int64_t call_mmap(struct world *w, struct thread *t)
{
    uint64_t flags = t->a[3];
    int64_t status = (flags & MAP_FIXED) != 0 ? map_fixed_check(w, t, t->a[0], t->a[1]) : 0;
    if (status != 0) {
        return status;
    }
    if ((flags & MAP_ANONYMOUS) != 0) {
        return map_anonymous(w, t);
    }
    struct file *f = fd_get(t, t->a[4]);
    if (f == NULL) {
        return -EBADF;
    }
    bool shared = (flags & MAP_TYPE) != MAP_PRIVATE, write = (t->a[2] & PROT_WRITE) != 0;
    if (shared && (flags & MAP_TYPE) != MAP_SHARED && (flags & MAP_TYPE) != MAP_SHARED_VALIDATE) {
        return -EINVAL;
    }
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
        if (shared && write && seals_forbid_write(inode, 0)) {
            return -EPERM;
        }
        int fd = inode_memfd(w, inode);
        return fd < 0 ? -ENOMEM : map_or_stop(w, t, fd, mode == O_RDWR, flags);
    }
    return dev_is_zero(f) ? map_anonymous(w, t) : -ENODEV;
}

/* The file on a disk of the node whose memory is mapped there. */
static struct inode *mapped_inode(struct inode *dir, const struct map *map)
{
    struct inode *found = NULL;
    for (uint32_t i = 0; found == NULL && i < dir->dir.n; i++) {
        struct inode *inode = dir->dir.v[i].inode;
        struct stat st;
        if (S_ISDIR(inode->mode)) {
            found = mapped_inode(inode, map);
        } else if (inode->memfd >= 0 && fstat(inode->memfd, &st) == 0 && st.st_ino == map->inode &&
                   minor(st.st_dev) == map->minor) {
            found = inode;
        }
    }
    return found;
}

/* Makes durable what is mapped in a range, or only looks whether all of it is mapped. */
static int64_t sync_range(struct world *w, struct thread *t, uint64_t at, uint64_t end, bool sync)
{
    const struct node *node = t->proc->node;
    int64_t status = 0;
    struct map map;
    struct maps *maps = maps_open(t->proc->real);
    while (at < end && maps_next(maps, &map)) {
        if (map.end <= at) {
            continue;
        }
        if (map.begin > at) {
            status = -ENOMEM; /* the rest is seen to all the same */
        }
        for (uint32_t i = 0; sync && map.begin < end && map.perms[3] == 's' && i < node->n_mounts;
             i++) {
            struct inode *inode = mapped_inode(node->mounts[i].root, &map);
            if (inode != NULL) {
                disk_sync(w, inode);
            }
        }
        at = map.end;
    }
    maps_close(maps);
    return at < end ? -ENOMEM : status;
}

int64_t call_msync(struct world *w, struct thread *t)
{
    uint64_t at = t->a[0], n = (t->a[1] + 4095) & ~UINT64_C(4095), flags = t->a[2];
    if ((at & 4095) != 0 || (flags & ~(uint64_t)(MS_ASYNC | MS_INVALIDATE | MS_SYNC)) != 0 ||
        ((flags & MS_ASYNC) != 0 && (flags & MS_SYNC) != 0)) {
        return -EINVAL;
    }
    if (at + n < at) {
        return -ENOMEM;
    }
    if ((flags & MS_SYNC) != 0 && disk_wait(w, t) != 0) {
        return CALL_BLOCK;
    }
    return sync_range(w, t, at, at + n, (flags & MS_SYNC) != 0);
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

/* Snapshots. The simulated side is one region of memory, which is copied; pointers in it stay true
 * because it is always put back to the same place. The real side is one copy of each process, kept
 * stopped; putting the world back means making copies of the copies.
 *
 * Both sides refer to each other by real thread numbers alone, which are set anew. Files that a
 * program has mapped live in memory files: a copy of each is kept, and mapped again in the place of
 * the old one. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/heap.h"
#include "world/maps.h"
#include "world/world.h"
#include "world/world_int.h"

struct kept_thread {
    struct thread *thread; /* in the heap */
    pid_t real;
};
struct kept_proc {
    struct proc *proc;
    size_t first, n; /* of the threads */
};
struct kept_file {
    struct inode *inode;
    int fd;
};
struct snapshot {
    void *heap;
    size_t heap_n;
    VEC(struct kept_proc) procs;
    VEC(struct kept_thread) threads;
    VEC(struct kept_file) files;
    VEC(struct tracee_page) pages; /* of each node */
    VEC(off_t) logs;
};

/* ---- what can be copied ---- */

static int check_thread(const struct thread *t, struct err *err)
{
    const char *why = t->state == THREAD_SPINNING                 ? "a thread spins"
                      : t->state != THREAD_BLOCKED || !t->in_call ? "a thread is not waiting"
                      : t->ahead_ns != 0 || t->page.after != 0    ? "a thread is in the shared page"
                      : t->sending != NULL                        ? "a signal is being delivered"
                      : t->nr == SYS_vfork || t->nr == SYS_clone  ? "a vfork is under way"
                                                                  : NULL;
    return why == NULL ? 0
                       : err_set(err, ERR_UNSUPPORTED, 0, "no snapshot: node %s, process %s: %s",
                                 t->proc->node->name, t->proc->comm, why);
}

static int check_world(const struct world *w, struct err *err)
{
    int status = 0;
    for (const struct thread *t = w->threads; status == 0 && t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD) {
            status = check_thread(t, err);
        }
    }
    for (uint32_t i = 0; status == 0 && i < w->n_nodes; i++) {
        for (const struct proc *p = w->nodes[i]->procs; status == 0 && p != NULL; p = p->next) {
            if (p->state == PROC_LIVE && p->mm->refs > 1) {
                status = err_set(err, ERR_UNSUPPORTED, 0,
                                 "no snapshot: node %s, process %s shares its address space",
                                 p->node->name, p->comm);
            }
        }
    }
    return status;
}

/* ---- copying processes ---- */

enum { THREADS_MOST = 1024 };
struct copying {
    struct tracee_thread threads[THREADS_MOST];
    pid_t tids[THREADS_MOST];
};

/* Copies one process; `from` tells which real thread stands for each, NULL: its own. */
static int copy_proc(struct snapshot *s, const struct kept_proc *kept, bool from_kept,
                     struct copying *c)
{
    const struct node *node = kept->proc->node;
    for (size_t i = 0; i < kept->n; i++) {
        const struct kept_thread *k = &s->threads.v[kept->first + i];
        c->threads[i] = (struct tracee_thread){
            .tid = from_kept ? k->real : k->thread->real,
            .regs = &k->thread->regs,
            .altstack = k->thread->has_altstack ? k->thread->altstack : NULL,
        };
    }
    return tracee_copy(c->threads, kept->n, &node->shared, c->tids);
}

/* The threads of a process, the first one first. False: it is gone, or there are too many. */
static bool list_threads(const struct world *w, struct snapshot *s, struct proc *proc)
{
    struct kept_proc kept = {proc, s->threads.n, 0};
    for (int first = 1; first >= 0; first--) {
        for (struct thread *t = w->threads; t != NULL; t = t->next) {
            if (t->state != THREAD_DEAD && t->proc == proc &&
                (t->real == proc->real) == (first == 1)) {
                VEC_PUSH(&s->threads, (struct kept_thread){t, 0});
                kept.n++;
            }
        }
        if (first == 1 && kept.n != 1) {
            return false;
        }
    }
    VEC_PUSH(&s->procs, kept);
    return kept.n <= THREADS_MOST;
}

static int copy_file(int from)
{
    struct stat st;
    int fd = memfd_create("assay", MFD_CLOEXEC);
    if (fd < 0 || fstat(from, &st) != 0 || ftruncate(fd, st.st_size) != 0) {
        return -1;
    }
    uint8_t bytes[65536];
    for (off_t off = lseek(from, 0, SEEK_DATA); off >= 0 && off < st.st_size;
         off = lseek(from, off, SEEK_DATA)) {
        off_t end = lseek(from, off, SEEK_HOLE);
        while (off < end) {
            size_t want = (size_t)(end - off) < sizeof bytes ? (size_t)(end - off) : sizeof bytes;
            ssize_t n = pread(from, bytes, want, off);
            if (n <= 0 || pwrite(fd, bytes, (size_t)n, off) != n) {
                (void)close(fd);
                return -1;
            }
            off += n;
        }
    }
    return fd;
}

static void keep_file(void *arg, struct inode *inode)
{
    struct snapshot *s = arg;
    VEC_PUSH(&s->files, (struct kept_file){inode, copy_file(inode->memfd)});
}

/* ---- taking ---- */

/* Shared memory must be a file that is kept too, or the copies would share it with the original. */
static int check_memory(const struct snapshot *s, const struct proc *proc, struct err *err)
{
    struct maps *maps = maps_open(proc->real);
    struct map map;
    int status = 0;
    while (status == 0 && maps_next(maps, &map)) {
        bool ours =
            map.begin >= TRACEE_PAGE_ADDR && map.begin < TRACEE_PAGE_ADDR + TRACEE_PAGE_BYTES;
        bool kept = map.perms[3] != 's' || ours;
        bool memory = strncmp(map.name, "/memfd:assay", 12) == 0;
        kept = kept || (!memory && map.perms[1] != 'w');
        for (size_t i = 0; memory && i < s->files.n; i++) {
            kept = kept || s->files.v[i].inode->memfd_ino == map.inode;
        }
        if (!kept) {
            status = err_set(err, ERR_UNSUPPORTED, 0,
                             "no snapshot: node %s, process %s shares memory at %#llx",
                             proc->node->name, proc->comm, (unsigned long long)map.begin);
        }
    }
    maps_close(maps);
    return status;
}

static int keep_processes(struct world *w, struct snapshot *s, struct err *err)
{
    size_t cap = 0;
    struct copying *c = vec_grow(NULL, &cap, 1, sizeof *c);
    int status = 0;
    for (size_t i = 0; status == 0 && i < s->procs.n; i++) {
        struct kept_proc *kept = &s->procs.v[i];
        int copied = copy_proc(s, kept, false, c);
        if (copied != 0) {
            status = err_set(err, ERR_IO, -copied, "copying process %s", kept->proc->comm);
        }
        for (size_t k = 0; copied == 0 && k < kept->n; k++) {
            s->threads.v[kept->first + k].real = c->tids[k];
        }
    }
    vec_release(c);
    (void)w;
    return status;
}

int world_snapshot(struct world *w, struct snapshot **ret, struct err *err)
{
    thread_free_dead(w);
    int status = check_world(w, err);
    if (status != 0) {
        return status;
    }
    size_t cap = 0, heap_cap = 0;
    struct snapshot *s = vec_grow(NULL, &cap, 1, sizeof *s);
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        struct node *node = w->nodes[i];
        VEC_PUSH(&s->pages, *node->shared.page);
        VEC_PUSH(&s->logs, lseek(node->log_fd, 0, SEEK_END));
        disk_each_mapped(node, keep_file, s);
        for (struct proc *p = node->procs; status == 0 && p != NULL; p = p->next) {
            if (p->state == PROC_LIVE) {
                status = check_memory(s, p, err);
            }
            if (status == 0 && p->state == PROC_LIVE && !list_threads(w, s, p)) {
                status = err_set(err, ERR_UNSUPPORTED, 0,
                                 "no snapshot: node %s, process %s has lost its first thread",
                                 node->name, p->comm);
            }
        }
    }
    status = status != 0 ? status : keep_processes(w, s, err);
    if (status != 0) {
        snapshot_free(w, s);
        return status;
    }
    s->heap_n = heap_used(w->heap);
    s->heap = vec_grow(NULL, &heap_cap, s->heap_n, 1);
    heap_save(w->heap, s->heap);
    *ret = s;
    return 0;
}

/* ---- putting back ---- */

static void kill_proc(struct world *w, const struct proc *p)
{
    tracee_kill(p->real);
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD && t->proc == p && t->real != p->real) {
            tracee_reap(t->real);
        }
    }
    tracee_reap(p->real);
}

static void kill_all(struct world *w)
{
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        for (const struct proc *p = w->nodes[i]->procs; p != NULL; p = p->next) {
            if (p->state == PROC_LIVE) {
                kill_proc(w, p);
            }
        }
    }
}

/* Maps the new memory file wherever the process had the old one. */
static int remap(const struct thread *t, uint64_t old, int fd)
{
    struct maps *maps = maps_open(t->real);
    struct map map;
    VEC(uint64_t) found = {0};
    while (maps_next(maps, &map)) {
        if (map.inode == old && map.perms[3] == 's') {
            VEC_PUSH(&found, map.begin);
            VEC_PUSH(&found, map.end - map.begin);
            VEC_PUSH(&found, (map.perms[0] == 'r' ? PROT_READ : 0U) |
                                 (map.perms[1] == 'w' ? PROT_WRITE : 0U) |
                                 (map.perms[2] == 'x' ? PROT_EXEC : 0U));
            VEC_PUSH(&found, map.offset);
        }
    }
    maps_close(maps);
    int status = 0;
    for (size_t i = 0; status == 0 && i < found.n; i += 4) {
        status = remap_descriptor(t, fd, &found.v[i]);
    }
    VEC_DONE(&found);
    return status;
}

static int restore_files(struct snapshot *s, struct err *err)
{
    for (size_t i = 0; i < s->files.n; i++) {
        struct inode *inode = s->files.v[i].inode;
        struct stat st;
        int fd = copy_file(s->files.v[i].fd);
        if (fd < 0 || inode->memfd_ino == 0 || fstat(fd, &st) != 0) {
            return err_set(err, ERR_IO, errno, "copying a mapped file");
        }
        for (size_t k = 0; k < s->procs.n; k++) {
            const struct kept_proc *kept = &s->procs.v[k];
            if (kept->proc->node == inode->node &&
                remap(s->threads.v[kept->first].thread, inode->memfd_ino, fd) != 0) {
                return err_set(err, ERR_IO, 0, "mapping a file again in %s", kept->proc->comm);
            }
        }
        inode->memfd = fd;
        inode->memfd_ino = st.st_ino;
    }
    return 0;
}

static void close_file(void *arg, struct inode *inode)
{
    (void)arg;
    (void)close(inode->memfd);
    inode->memfd = -1;
}

int world_restore(struct world *w, struct snapshot *s, struct err *err)
{
    size_t cap = 0;
    kill_all(w);
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        disk_each_mapped(w->nodes[i], close_file, NULL);
    }
    heap_restore(w->heap, s->heap, s->heap_n);
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        *w->nodes[i]->shared.page = s->pages.v[i];
        if (s->logs.v[i] >= 0 && ftruncate(w->nodes[i]->log_fd, s->logs.v[i]) == 0) {
            (void)lseek(w->nodes[i]->log_fd, s->logs.v[i], SEEK_SET);
        }
    }
    struct copying *c = vec_grow(NULL, &cap, 1, sizeof *c);
    int status = 0;
    for (size_t i = 0; status == 0 && i < s->procs.n; i++) {
        struct kept_proc *kept = &s->procs.v[i];
        int copied = copy_proc(s, kept, true, c);
        if (copied != 0) {
            kept->proc->real = 0;
            status = err_set(err, ERR_IO, -copied, "copying process %s", kept->proc->comm);
            continue;
        }
        kept->proc->real = c->tids[0];
        for (size_t k = 0; k < kept->n; k++) {
            s->threads.v[kept->first + k].thread->real = c->tids[k];
        }
    }
    vec_release(c);
    return status != 0 ? status : restore_files(s, err);
}

void snapshot_free(struct world *w, struct snapshot *s)
{
    (void)w;
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < s->procs.n; i++) {
        const struct kept_proc *kept = &s->procs.v[i];
        pid_t first = s->threads.v[kept->first].real;
        if (first == 0) {
            continue;
        }
        tracee_kill(first);
        for (size_t k = kept->n; k-- > 0;) {
            tracee_reap(s->threads.v[kept->first + k].real);
        }
    }
    for (size_t i = 0; i < s->files.n; i++) {
        if (s->files.v[i].fd >= 0) {
            (void)close(s->files.v[i].fd);
        }
    }
    VEC_DONE(&s->procs);
    VEC_DONE(&s->threads);
    VEC_DONE(&s->files);
    VEC_DONE(&s->pages);
    VEC_DONE(&s->logs);
    vec_release(s->heap);
    vec_release(s);
}

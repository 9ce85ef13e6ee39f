/* Copies of the real side of nodes: one stopped copy of each process, and of each file that a
 * process has mapped. Snapshots are made of them (snapshot.c).
 *
 * A node that has not run since a copy was made of it needs no other: snapshots share copies. It is
 * put back by leaving it alone. A node that has run a little is put back by writing over the pages
 * that it has changed (pages.c tells which), and giving its threads the registers of the copy:
 * that saves the end of a process, the birth of another, and all page faults after it. Otherwise,
 * where threads were born or died, where memory was mapped or given back, where signals have other
 * actions, it is ended, and copied again from the copy.
 *
 * A copy after the first needs no processes if the node could be put back to the first by writing:
 * it keeps the pages that differ from it, as bytes ("over" the first). Whatever copies of that kind
 * there are, the node goes from one to the other by writing, and its pages stay its own: neither is
 * a process born, nor does anybody pay for a first write to a shared page.
 *
 * Which processes belong to which copy is kept here, outside of the heap that snapshots put back.
 * Both sides refer to each other by real thread numbers alone. */
#include "world/copies.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/image.h"
#include "world/maps.h"
#include "world/world.h"
#include "world/world_int.h"

/* More threads than this are not copied; more pages not written, since a new copy is cheaper. */
enum { THREADS_MOST = 1024, PAGES_MOST = 1024 };
/* Of a copy without processes: with more, one with processes costs less, and the next ones are
 * small again. */
enum { KEPT_MOST = 128 };

static struct live_node *live_of(const struct world *w, const struct node *node)
{
    return &w->engine->lives[node->index];
}

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

int copy_check(const struct world *w, const struct node *node, struct err *err)
{
    int status = 0;
    for (const struct thread *t = w->threads; status == 0 && t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD && t->proc->node == node) {
            status = check_thread(t, err);
        }
    }
    for (const struct proc *p = node->procs; status == 0 && p != NULL; p = p->next) {
        if (p->state == PROC_LIVE && p->mm->refs > 1) {
            status = err_set(err, ERR_UNSUPPORTED, 0,
                             "no snapshot: node %s, process %s shares its address space",
                             p->node->name, p->comm);
        }
    }
    return status;
}

/* Shared memory must be a file that is kept too, or the copies would share it with the original. */
static int check_memory(const struct node_copy *c, const struct proc *proc, struct err *err)
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
        for (size_t i = 0; memory && i < c->files.n; i++) {
            kept = kept || c->files.v[i].inode->memfd_ino == map.inode;
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

/* ---- files ---- */

static int copy_file(int from)
{
    struct stat st;
    int fd = memfd_create("assay", MFD_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    if (fstat(from, &st) != 0 || ftruncate(fd, st.st_size) != 0) {
        (void)close(fd);
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

static off_t next_data(int a, int b, off_t from)
{
    off_t in_a = lseek(a, from, SEEK_DATA), in_b = lseek(b, from, SEEK_DATA);
    return in_a < 0 || (in_b >= 0 && in_b < in_a) ? in_b : in_a;
}

/* Makes a file the same as another, writing as little as possible. */
static bool same_file(int to, int from)
{
    struct stat st;
    if (fstat(from, &st) != 0 || ftruncate(to, st.st_size) != 0) {
        return false;
    }
    uint8_t want[65536], have[65536];
    for (off_t off = next_data(to, from, 0); off >= 0 && off < st.st_size;
         off = next_data(to, from, off)) {
        ssize_t n = pread(from, want, sizeof want, off);
        ssize_t m = n > 0 ? pread(to, have, (size_t)n, off) : 0;
        if (n <= 0 || m != n) {
            return false;
        }
        if (memcmp(want, have, (size_t)n) != 0 && pwrite(to, want, (size_t)n, off) != n) {
            return false;
        }
        off += n;
    }
    return true;
}

static uint64_t file_ino(int fd)
{
    struct stat st;
    return fd >= 0 && fstat(fd, &st) == 0 ? st.st_ino : 0;
}

static void keep_file(void *arg, struct inode *inode)
{
    struct node_copy *c = arg;
    VEC_PUSH(&c->files, (struct copied_file){inode, copy_file(inode->memfd), inode->memfd_ino});
}

static void count_file(void *arg, struct inode *inode)
{
    size_t *n = arg;
    *n += inode != NULL ? 1 : 0;
}

static void close_file(void *arg, struct inode *inode)
{
    (void)arg;
    (void)close(inode->memfd);
    inode->memfd = -1;
}

/* ---- what lives ---- */

static void close_kept(const struct live_proc *p)
{
    const int fds[] = {p->mem_fd, p->maps_fd, p->pagemap_fd, p->base_fd};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (fds[i] >= 0) {
            (void)close(fds[i]);
        }
    }
}

/* Opening such a file costs as much as reading it. */
static int kept_open(int *fd, pid_t real, const char *name, int flags)
{
    char path[64];
    if (*fd < 0) {
        (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)real, name);
        *fd = open(path, flags | O_CLOEXEC);
    }
    return *fd;
}

static void live_clear(struct live_node *live)
{
    live->odd_brk = false;
    for (size_t i = 0; i < live->procs.n; i++) {
        close_kept(&live->procs.v[i]);
        strbuf_done(&live->procs.v[i].maps);
        image_done(&live->procs.v[i].image);
    }
    copy_unref(live->same);
    copy_unref(live->base);
    live->base = live->same = NULL;
    live->procs.n = live->tids.n = live->files.n = 0;
    live->hash.known = false;
}

void live_forget(struct world *w, const struct node *node)
{
    live_clear(live_of(w, node));
}

void lives_new(struct engine *engine, size_t n_nodes)
{
    size_t cap = 0;
    engine->lives = vec_grow(NULL, &cap, n_nodes + 1, sizeof *engine->lives);
    memset(engine->lives, 0, (n_nodes + 1) * sizeof *engine->lives);
}

void lives_free(struct engine *engine, size_t n_nodes)
{
    for (size_t i = 0; engine->lives != NULL && i < n_nodes; i++) {
        live_clear(&engine->lives[i]);
        VEC_DONE(&engine->lives[i].procs);
        VEC_DONE(&engine->lives[i].tids);
        VEC_DONE(&engine->lives[i].files);
    }
    vec_release(engine->lives);
    engine->lives = NULL;
}

bool live_there(const struct live_node *live, const struct node *node)
{
    size_t n = 0;
    for (const struct proc *p = node->procs; p != NULL; p = p->next) {
        if (p->state == PROC_LIVE) {
            if (n >= live->procs.n || live->procs.v[n].real != p->real) {
                return false;
            }
            n++;
        }
    }
    return n == live->procs.n;
}

bool live_same(const struct world *w, const struct node *node)
{
    const struct live_node *live = live_of(w, node);
    return live->same != NULL && live->same->turns == node->turns &&
           live->same->writes == node->writes && live->same->memory_most == node->memory_most &&
           live_there(live, node);
}

/* The node is as it was at that copy, which belongs to its base. */
static void live_is(struct live_node *live, struct node_copy *copy)
{
    copy->refs++;
    copy_unref(live->same);
    live->same = copy;
    live->hash = copy->hash;
    live->turns = copy->turns;
    live->writes = copy->writes;
}

/* The processes of the node are now the same as the copy's. */
static void live_begin(struct world *w, const struct node *node, struct node_copy *base)
{
    struct live_node *live = live_of(w, node);
    base->refs++;
    live_clear(live);
    live->base = base;
    live_is(live, base);
    for (size_t i = 0; i < base->procs.n; i++) {
        struct copied_proc *p = &base->procs.v[i];
        struct live_proc fresh = {
            .real = p->proc->real, .mem_fd = -1, .maps_fd = -1, .pagemap_fd = -1, .base_fd = -1};
        (void)image_maps(fresh.real, &fresh.maps);
        fresh.summed = kept_open(&fresh.maps_fd, fresh.real, "maps", O_RDONLY) >= 0 &&
                       maps_sum(fresh.maps_fd, &fresh.sum);
        image_copy(&fresh.image, &p->image);
        VEC_PUSH(&live->procs, fresh);
    }
    for (size_t i = 0; i < base->threads.n; i++) {
        VEC_PUSH(&live->tids, base->threads.v[i].thread->real);
    }
    for (size_t i = 0; i < base->files.n; i++) {
        struct inode *inode = base->files.v[i].inode;
        VEC_PUSH(&live->files, (struct copied_file){inode, inode->memfd, inode->memfd_ino});
    }
}

/* ---- copying processes ---- */

struct copying {
    struct tracee_thread threads[THREADS_MOST];
    pid_t tids[THREADS_MOST];
};

/* Copies one process, or its copy. 0 or -errno; the new threads are in ret->tids. */
static int copy_proc(const struct node_copy *c, const struct copied_proc *p, bool from_copy,
                     struct copying *ret)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct copied_thread *k = &c->threads.v[p->first + i];
        ret->threads[i] = (struct tracee_thread){
            .tid = from_copy ? k->real : k->thread->real,
            .regs = &k->thread->regs,
            .altstack = k->thread->has_altstack ? k->thread->altstack : NULL,
        };
    }
    return tracee_copy(ret->threads, p->n, &p->proc->node->shared, ret->tids);
}

/* The threads of a process, the first one first. False: it is gone, or there are too many. */
static bool list_threads(const struct world *w, struct node_copy *c, struct proc *proc)
{
    struct copied_proc kept = {.proc = proc,
                               .first = c->threads.n,
                               .hand = hash_bytes(proc->hand->act, sizeof proc->hand->act, 1)};
    for (int first = 1; first >= 0; first--) {
        for (struct thread *t = w->threads; t != NULL; t = t->next) {
            if (t->state != THREAD_DEAD && t->proc == proc &&
                (t->real == proc->real) == (first == 1)) {
                struct copied_thread thread = {.thread = t, .has_altstack = t->has_altstack};
                memcpy(thread.altstack, t->altstack, sizeof thread.altstack);
                VEC_PUSH(&c->threads, thread);
                kept.n++;
            }
        }
        if (first == 1 && kept.n != 1) {
            return false;
        }
    }
    VEC_PUSH(&c->procs, kept);
    return kept.n <= THREADS_MOST;
}

static int list_procs(const struct world *w, struct node_copy *c, struct node *node,
                      struct err *err)
{
    int status = 0;
    for (struct proc *p = node->procs; status == 0 && p != NULL; p = p->next) {
        if (p->state != PROC_LIVE) {
            continue;
        }
        status = check_memory(c, p, err);
        if (status == 0 && !list_threads(w, c, p)) {
            status = err_set(err, ERR_UNSUPPORTED, 0,
                             "no snapshot: node %s, process %s has lost its first thread",
                             node->name, p->comm);
        }
    }
    return status;
}

/* What is known of pages is brought up to date, since afterwards all of them are shared. */
static void take_images(const struct world *w, const struct node *node, struct node_copy *c)
{
    struct live_node *live = live_of(w, node);
    if (live->base == NULL || !live_there(live, node)) {
        return;
    }
    for (size_t i = 0; i < live->procs.n && i < c->procs.n; i++) {
        struct live_proc *p = &live->procs.v[i];
        SCOPED_STRBUF maps = {0};
        size_t idle = 0;
        if (p->image.known && image_maps(p->real, &maps) &&
            image_update(&p->image, p->real, &maps, p->image.mode, &idle) == 0) {
            image_copy(&c->procs.v[i].image, &p->image);
        }
    }
    if (live->hash.known && live->turns == node->turns && live->writes == node->writes) {
        c->hash = live->hash;
    }
}

static struct node_copy *copy_new(const struct node *node)
{
    size_t cap = 0;
    struct node_copy *c = vec_grow(NULL, &cap, 1, sizeof *c);
    *c = (struct node_copy){.refs = 1,
                            .node = node->index,
                            .turns = node->turns,
                            .writes = node->writes,
                            .memory_most = node->memory_most};
    return c;
}

static int take_whole(struct world *w, struct node *node, struct node_copy **ret, struct err *err)
{
    size_t cap = 0;
    struct node_copy *c = copy_new(node);
    struct copying *work = vec_grow(NULL, &cap, 1, sizeof *work);
    disk_each_mapped(node, keep_file, c);
    int status = list_procs(w, c, node, err);
    if (status == 0) {
        take_images(w, node, c);
    }
    for (size_t i = 0; status == 0 && i < c->procs.n; i++) {
        struct copied_proc *p = &c->procs.v[i];
        int copied = copy_proc(c, p, false, work);
        if (copied != 0) {
            status = err_set(err, ERR_IO, -copied, "copying process %s", p->proc->comm);
        }
        for (size_t k = 0; copied == 0 && k < p->n; k++) {
            c->threads.v[p->first + k].real = work->tids[k];
        }
    }
    vec_release(work);
    if (status != 0) {
        live_forget(w, node);
        copy_unref(c);
        return status;
    }
    live_begin(w, node, c);
    *ret = c;
    return 0;
}

void copy_unref(struct node_copy *c)
{
    if (c == NULL || --c->refs > 0) {
        return;
    }
    copy_unref(c->over);
    for (size_t i = 0; i < c->threads.n; i++) {
        vec_release(c->threads.v[i].xstate);
    }
    for (size_t i = 0; i < c->procs.n; i++) {
        struct copied_proc *p = &c->procs.v[i];
        pid_t first = c->threads.v[p->first].real;
        if (first != 0) {
            tracee_kill(first);
            for (size_t k = p->n; k-- > 0;) {
                tracee_reap(c->threads.v[p->first + k].real);
            }
        }
        image_done(&p->image);
        VEC_DONE(&p->pages);
        vec_release(p->bytes);
    }
    for (size_t i = 0; i < c->files.n; i++) {
        if (c->files.v[i].fd >= 0) {
            (void)close(c->files.v[i].fd);
        }
    }
    VEC_DONE(&c->procs);
    VEC_DONE(&c->threads);
    VEC_DONE(&c->files);
    vec_release(c);
}

/* ---- whether a node can be put back by writing ---- */

/* Its threads are the copy's, all of them wait, and what the real kernel knows of them beside
 * registers and masks is the same. */
static bool same_threads(const struct world *w, const struct live_node *live,
                         const struct copied_proc *p, const struct proc *proc)
{
    size_t n = 0;
    for (const struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_DEAD || t->proc != proc) {
            continue;
        }
        size_t i = 0;
        while (i < p->n && live->tids.v[p->first + i] != t->real) {
            i++;
        }
        struct err err;
        if (i == p->n || check_thread(t, &err) != 0) {
            return false;
        }
        const struct copied_thread *k = &live->base->threads.v[p->first + i];
        if (k->has_altstack != t->has_altstack ||
            memcmp(k->altstack, t->altstack, sizeof k->altstack) != 0) {
            return false;
        }
        n++;
    }
    return n == p->n && hash_bytes(proc->hand->act, sizeof proc->hand->act, 1) == p->hand;
}

static bool same_maps(struct live_proc *p)
{
    uint64_t sum = 0;
    if (p->summed) {
        return maps_sum(p->maps_fd, &sum) && sum == p->sum;
    }
    SCOPED_STRBUF maps = {0};
    return p->maps.n != 0 && kept_open(&p->maps_fd, p->real, "maps", O_RDONLY) >= 0 &&
           image_maps_through(p->maps_fd, &maps) && maps.n == p->maps.n &&
           memcmp(maps.p, p->maps.p, maps.n) == 0;
}

static bool can_write(struct world *w, struct node *node, const struct live_node *live)
{
    size_t i = 0, n_files = 0;
    disk_each_mapped(node, count_file, &n_files);
    if (n_files != live->files.n || live->base->memory_most != node->memory_most) {
        return false;
    }
    for (const struct proc *p = node->procs; p != NULL; p = p->next) {
        if (p->state != PROC_LIVE) {
            continue;
        }
        if (p->mm->refs > 1 || !same_threads(w, live, &live->base->procs.v[i], p) ||
            !same_maps(&live->procs.v[i])) {
            return false;
        }
        i++;
    }
    return true;
}

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

/* Nobody else needs the copy, and its memory is its own. */
static bool can_take(const struct live_node *live, const struct node_copy *copy)
{
    uint32_t own = (live->base == copy ? 1U : 0U) + (live->same == copy ? 1U : 0U);
    return copy->over == NULL && copy->refs == 1 + own && copy->files.n == 0;
}

enum live_use live_prepare(struct world *w, struct node *node, const struct node_copy *copy,
                           enum put_how how)
{
    struct live_node *live = live_of(w, node);
    const struct node_copy *whole = copy->over != NULL ? copy->over : copy;
    bool known = how != PUT_ANEW && live->base == whole && w->engine->debug.fn == NULL &&
                 live_there(live, node);
    if (known && live->same == copy && live_same(w, node)) {
        return LIVE_SAME;
    }
    if (known && can_write(w, node, live)) {
        return LIVE_WRITTEN;
    }
    bool take = how == PUT_LAST && can_take(live, copy);
    for (const struct proc *p = node->procs; p != NULL; p = p->next) {
        if (p->state == PROC_LIVE) {
            kill_proc(w, p);
        }
    }
    disk_each_mapped(node, close_file, NULL);
    live_forget(w, node);
    return take ? LIVE_TAKEN : LIVE_ANEW;
}

/* ---- writing ---- */

struct page_write {
    uint64_t addr;
    const uint8_t *bytes; /* NULL: as the process of the copy has it */
};

struct writing {
    struct copied_proc *copy;
    struct live_proc *live;
    const struct thread *first; /* of the process */
    pid_t copy_real;            /* of the copy, or of that which it is over */
    bool over, same_brk;
    VEC(struct page_write) pages; /* to be written */
    struct tracee_pages given;    /* to be given back: the copy has the file's page */
};

static const uint8_t zeros[PAGE];

/* One call that changes nothing but what it is made for; the thread stands where it stood. */
static int64_t call_aside(pid_t tid, const struct thread *t, long nr, const uint64_t args[6])
{
    struct tracee_call call = {tid, &t->regs, false, 0};
    int64_t result = tracee_call(&call, nr, args);
    return tracee_rearm(tid, &t->regs) ? result : -ESRCH;
}

static bool find_brk(struct copied_proc *c, pid_t real, const struct thread *first)
{
    if (c->brk == 0) {
        int64_t brk = call_aside(real, first, SYS_brk, (const uint64_t[6]){0});
        c->brk = brk > 0 ? (uint64_t)brk : 0;
    }
    return c->brk != 0;
}

static bool look_at_copy(struct writing *x)
{
    struct copied_proc *c = x->copy;
    if (!c->looked_at) {
        c->looked_at =
            find_brk(c, x->copy_real, x->first) && tracee_pages(x->copy_real, true, &c->pages) == 0;
    }
    return c->looked_at;
}

/* A page of the copy: it is the same in the process only if both have it from the base. */
static void write_page(struct writing *x, uint64_t page, size_t *kept, bool same)
{
    bool own = x->over && (page & 1) != 0;
    const uint8_t *bytes = own ? x->copy->bytes + PAGE * (*kept)++ : NULL;
    if (own || !same) {
        VEC_PUSH(&x->pages, ((struct page_write){page & ~UINT64_C(1), bytes}));
    }
}

/* Of this very process: through a descriptor that stays open. */
static bool live_pages(struct live_proc *p, struct tracee_pages *ret)
{
    return kept_open(&p->pagemap_fd, p->real, "pagemap", O_RDONLY) >= 0 &&
           tracee_pages_through(p->pagemap_fd, p->real, true, ret) == 0;
}

/* The pages in which the process may differ from its copy. False: they are too many. */
static bool find_pages(struct writing *x)
{
    struct tracee_pages now = {0};
    struct file_ranges files = {0};
    const struct tracee_pages *then = &x->copy->pages;
    bool good = live_pages(x->live, &now);
    size_t k = 0, kept = 0, file = 0;
    image_file_ranges(&x->live->maps, &files);
    for (size_t i = 0; good && i < now.n && x->pages.n <= PAGES_MOST; i++) {
        uint64_t addr = now.v[i] & ~UINT64_C(1);
        for (; k < then->n && (then->v[k] & ~UINT64_C(1)) < addr; k++) {
            write_page(x, then->v[k], &kept, false); /* not there any more */
        }
        if (k < then->n && (then->v[k] & ~UINT64_C(1)) == addr) {
            write_page(x, then->v[k++], &kept, (now.v[i] & 1) == 0);
        } else if (image_in_file(&files, addr, &file)) {
            VEC_PUSH(&x->given, addr);
        } else {
            VEC_PUSH(&x->pages, ((struct page_write){addr, zeros}));
        }
    }
    for (; good && k < then->n; k++) {
        write_page(x, then->v[k], &kept, false);
    }
    VEC_DONE(&files);
    VEC_DONE(&now);
    return good && x->pages.n <= PAGES_MOST;
}

/* Moves all of them by one call: from a process to our bytes, or from these to a process. */
static bool move_pages(const struct writing *x, bool take, uint8_t *bytes)
{
    struct iovec here[PAGES_MOST + 1], there[PAGES_MOST + 1];
    size_t n = 0, taken = 0;
    for (size_t i = 0; i < x->pages.n; i++) {
        const struct page_write *page = &x->pages.v[i];
        uint8_t *at = bytes + PAGE * taken;
        taken += page->bytes == NULL ? 1 : 0;
        if (take && page->bytes != NULL) {
            continue;
        }
        /* NOLINTBEGIN(performance-no-int-to-ptr): an address in the tracee; bytes that are read */
        here[n] = (struct iovec){page->bytes != NULL ? (void *)(uintptr_t)page->bytes : at, PAGE};
        there[n++] = (struct iovec){(void *)page->addr, PAGE};
        /* NOLINTEND(performance-no-int-to-ptr) */
    }
    ssize_t moved = n == 0 ? 0
                    : take ? process_vm_readv(x->copy_real, here, n, there, n, 0)
                           : process_vm_writev(x->live->real, here, n, there, n, 0);
    return moved == (ssize_t)(n * PAGE);
}

/* One page after the other, also where the process may not write itself. */
static bool force_pages(const struct writing *x)
{
    int from = kept_open(&x->live->base_fd, x->copy_real, "mem", O_RDONLY);
    int to = kept_open(&x->live->mem_fd, x->live->real, "mem", O_RDWR);
    bool good = from >= 0 && to >= 0;
    for (size_t i = 0; good && i < x->pages.n; i++) {
        const struct page_write *page = &x->pages.v[i];
        uint8_t bytes[PAGE];
        good = page->bytes != NULL || pread(from, bytes, PAGE, (off_t)page->addr) == PAGE;
        good = good && pwrite(to, page->bytes != NULL ? page->bytes : bytes, PAGE,
                              (off_t)page->addr) == PAGE;
    }
    return good;
}

static bool write_pages(const struct writing *x)
{
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < x->pages.n; i++) {
        n += x->pages.v[i].bytes == NULL ? 1 : 0;
    }
    uint8_t *bytes = vec_grow(NULL, &cap, n + 1, PAGE);
    bool good = move_pages(x, true, bytes) && move_pages(x, false, bytes);
    vec_release(bytes);
    return good || force_pages(x);
}

/* Calls in the process: memory that is a file's again, and the end of the heap. */
static bool give_back(const struct writing *x)
{
    pid_t tid = x->live->real;
    struct tracee_call call = {tid, &x->first->regs, false, 0};
    bool good = true;
    if (x->given.n == 0 && x->same_brk) {
        return tracee_regs_set(tid, &x->first->regs);
    }
    for (size_t i = 0; good && i < x->given.n; i++) {
        const uint64_t args[6] = {x->given.v[i], PAGE, MADV_DONTNEED};
        good = tracee_call(&call, SYS_madvise, args) == 0;
    }
    const uint64_t args[6] = {x->copy->brk};
    good = good && tracee_call(&call, SYS_brk, args) == (int64_t)x->copy->brk;
    return tracee_rearm(tid, &x->first->regs) && good;
}

static bool put_thread(const struct copied_thread *from, pid_t tid, bool over)
{
    return over ? tracee_put_state(tid, from->xstate, from->xstate_n, from->mask)
                : tracee_same_state(from->real, tid);
}

/* Whether the end of the heap is still where the process of the base has it: the same mappings
 * show that, unless it is within a page. */
static bool same_brk(const struct live_node *live, size_t i)
{
    const struct node_copy *base = live->base;
    struct copied_proc *p = &base->procs.v[i];
    const struct copied_thread *first = &base->threads.v[p->first];
    return !live->odd_brk && find_brk(p, first->real, first->thread) && p->brk % PAGE == 0;
}

static bool write_proc(struct live_node *live, struct node_copy *c, size_t i)
{
    struct copied_proc *p = &c->procs.v[i];
    struct writing x = {.copy = p,
                        .live = &live->procs.v[i],
                        .first = c->threads.v[p->first].thread,
                        .copy_real = live->base->threads.v[p->first].real,
                        .over = c->over != NULL,
                        .same_brk = same_brk(live, i)};
    bool good = look_at_copy(&x) && find_pages(&x) && write_pages(&x) && give_back(&x);
    VEC_DONE(&x.pages);
    VEC_DONE(&x.given);
    for (size_t k = 0; good && k < p->n; k++) {
        const struct copied_thread *t = &c->threads.v[p->first + k];
        pid_t tid = live->tids.v[p->first + k];
        good = put_thread(t, tid, x.over) && (k == 0 || tracee_regs_set(tid, &t->thread->regs));
    }
    return good;
}

static bool write_node(struct live_node *live, struct node_copy *c)
{
    for (size_t i = 0; i < live->procs.n; i++) {
        if (!write_proc(live, c, i)) {
            return false;
        }
    }
    for (size_t i = 0; i < live->files.n; i++) {
        if (!same_file(live->files.v[i].fd, c->files.v[i].fd)) {
            return false;
        }
    }
    return true;
}

/* ---- copies without processes ---- */

static bool keep_thread(struct copied_thread *c, pid_t tid)
{
    uint8_t bytes[TRACEE_XSTATE_BYTES];
    size_t cap = 0;
    c->xstate_n = tracee_xstate(tid, bytes);
    c->xstate = vec_grow(NULL, &cap, c->xstate_n + 1, 1);
    memcpy(c->xstate, bytes, c->xstate_n);
    return c->xstate_n != 0 && tracee_sigmask_get(tid, &c->mask);
}

/* The pages that the process no longer shares with the base. False: they are too many. */
static bool keep_pages(struct copied_proc *c, struct live_proc *live)
{
    struct iovec here[KEPT_MOST], there[KEPT_MOST];
    size_t n = 0, cap = 0, kept = 0;
    if (!live_pages(live, &c->pages)) {
        return false;
    }
    for (size_t i = 0; i < c->pages.n; i++) {
        n += c->pages.v[i] & 1;
    }
    if (n > KEPT_MOST) {
        return false;
    }
    c->bytes = vec_grow(NULL, &cap, n * PAGE + 1, 1);
    for (size_t i = 0; i < c->pages.n; i++) {
        if ((c->pages.v[i] & 1) != 0) {
            here[kept] = (struct iovec){c->bytes + kept * PAGE, PAGE};
            /* NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the tracee */
            there[kept++] = (struct iovec){(void *)(c->pages.v[i] & ~UINT64_C(1)), PAGE};
        }
    }
    if (n == 0 || process_vm_readv(live->real, here, n, there, n, 0) == (ssize_t)(n * PAGE)) {
        return true;
    }
    int fd = kept_open(&live->mem_fd, live->real, "mem", O_RDWR); /* also what it may not read */
    bool good = fd >= 0;
    for (size_t i = 0; good && i < n; i++) {
        good = pread(fd, here[i].iov_base, PAGE, (off_t)(uintptr_t)there[i].iov_base) == PAGE;
    }
    return good;
}

static bool keep_proc(struct live_node *live, struct node_copy *c, size_t i)
{
    struct copied_proc *p = &c->procs.v[i];
    pid_t real = live->procs.v[i].real;
    const struct thread *first = c->threads.v[p->first].thread;
    for (size_t k = 0; k < p->n; k++) {
        if (!keep_thread(&c->threads.v[p->first + k], live->tids.v[p->first + k])) {
            return false;
        }
    }
    if (!keep_pages(p, &live->procs.v[i])) {
        return false;
    }
    if (same_brk(live, i)) {
        p->brk = live->base->procs.v[i].brk;
    }
    p->looked_at = find_brk(p, real, first);
    return p->looked_at;
}

/* The threads of the base, in its order, as they are now. */
static bool list_same_threads(const struct world *w, const struct live_node *live,
                              struct node_copy *c)
{
    const struct node_copy *base = live->base;
    for (size_t i = 0; i < base->threads.n; i++) {
        struct copied_thread thread = {.has_altstack = base->threads.v[i].has_altstack};
        memcpy(thread.altstack, base->threads.v[i].altstack, sizeof thread.altstack);
        for (struct thread *t = w->threads; t != NULL; t = t->next) {
            thread.thread =
                t->state != THREAD_DEAD && t->real == live->tids.v[i] ? t : thread.thread;
        }
        if (thread.thread != base->threads.v[i].thread) {
            return false;
        }
        VEC_PUSH(&c->threads, thread);
    }
    for (size_t i = 0; i < base->procs.n; i++) {
        const struct copied_proc *p = &base->procs.v[i];
        struct copied_proc proc = {.proc = p->proc, .first = p->first, .n = p->n, .hand = p->hand};
        VEC_PUSH(&c->procs, proc);
    }
    return true;
}

/* NULL: it needs processes. */
static struct node_copy *take_over(struct world *w, struct node *node)
{
    struct live_node *live = live_of(w, node);
    if (live->base == NULL || !live_there(live, node) || live->files.n != 0 ||
        w->engine->debug.fn != NULL || !can_write(w, node, live)) {
        return NULL;
    }
    struct node_copy *c = copy_new(node);
    c->over = live->base;
    c->over->refs++;
    bool good = list_same_threads(w, live, c);
    for (size_t i = 0; good && i < c->procs.n; i++) {
        good = keep_proc(live, c, i);
    }
    if (!good) {
        copy_unref(c);
        return NULL;
    }
    take_images(w, node, c);
    live_is(live, c);
    return c;
}

int copy_take(struct world *w, struct node *node, bool whole, struct node_copy **ret,
              struct err *err)
{
    struct live_node *live = live_of(w, node);
    int status = copy_check(w, node, err);
    if (status != 0) {
        return status;
    }
    if (live_same(w, node) && (!whole || live->same->over == NULL)) {
        live->same->refs++;
        *ret = live->same;
        return 0;
    }
    struct node_copy *over = whole ? NULL : take_over(w, node);
    if (over != NULL) {
        *ret = over;
        return 0;
    }
    return take_whole(w, node, ret, err);
}

/* ---- putting back ---- */

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

static int put_files(const struct node_copy *c, struct err *err)
{
    for (size_t i = 0; i < c->files.n; i++) {
        struct inode *inode = c->files.v[i].inode;
        int fd = copy_file(c->files.v[i].fd);
        uint64_t ino = file_ino(fd);
        if (ino == 0) {
            return err_set(err, ERR_IO, errno, "copying a mapped file");
        }
        for (size_t k = 0; k < c->procs.n; k++) {
            const struct copied_proc *p = &c->procs.v[k];
            if (remap(c->threads.v[p->first].thread, c->files.v[i].ino, fd) != 0) {
                return err_set(err, ERR_IO, 0, "mapping a file again in %s", p->proc->comm);
            }
        }
        inode->memfd = fd;
        inode->memfd_ino = ino;
    }
    return 0;
}

static int put_whole(struct world *w, struct node_copy *c, struct err *err)
{
    size_t cap = 0;
    struct copying *work = vec_grow(NULL, &cap, 1, sizeof *work);
    int status = 0;
    for (size_t i = 0; i < c->procs.n; i++) {
        c->procs.v[i].proc->real = 0; /* nothing to be ended, if this fails */
    }
    for (size_t i = 0; status == 0 && i < c->procs.n; i++) {
        struct copied_proc *p = &c->procs.v[i];
        int copied = copy_proc(c, p, true, work);
        if (copied != 0) {
            status = err_set(err, ERR_IO, -copied, "copying process %s", p->proc->comm);
            break;
        }
        p->proc->real = work->tids[0];
        for (size_t k = 0; k < p->n; k++) {
            c->threads.v[p->first + k].thread->real = work->tids[k];
        }
    }
    vec_release(work);
    status = status != 0 ? status : put_files(c, err);
    if (status == 0) {
        live_begin(w, w->nodes[c->node], c);
    }
    return status;
}

static int put_anew(struct world *w, struct node_copy *c, struct err *err)
{
    struct live_node *live = live_of(w, w->nodes[c->node]);
    int status = put_whole(w, c->over != NULL ? c->over : c, err);
    if (status != 0 || c->over == NULL) {
        return status;
    }
    if (!write_node(live, c)) {
        return err_set(err, ERR_IO, 0, "writing the memory of node %s", w->nodes[c->node]->name);
    }
    for (size_t i = 0; i < live->procs.n; i++) {
        image_copy(&live->procs.v[i].image, &c->procs.v[i].image);
    }
    live_is(live, c);
    return 0;
}

/* The copies stand where any copy of them would: they become the node's processes. */
static void put_taken(struct node_copy *c)
{
    for (size_t i = 0; i < c->procs.n; i++) {
        struct copied_proc *p = &c->procs.v[i];
        p->proc->real = c->threads.v[p->first].real;
        for (size_t k = 0; k < p->n; k++) {
            struct copied_thread *t = &c->threads.v[p->first + k];
            t->thread->real = t->real;
            t->real = 0;
        }
    }
}

/* Ends what cannot be used after all. */
static void end_live(struct live_node *live)
{
    for (size_t i = 0; i < live->procs.n; i++) {
        const struct copied_proc *p = &live->base->procs.v[i];
        tracee_kill(live->procs.v[i].real);
        for (size_t k = p->n; k-- > 0;) {
            tracee_reap(live->tids.v[p->first + k]);
        }
    }
    for (size_t i = 0; i < live->files.n; i++) {
        (void)close(live->files.v[i].fd);
    }
}

int live_put_back(struct world *w, struct node_copy *c, enum live_use use, struct err *err)
{
    struct node *node = w->nodes[c->node];
    struct live_node *live = live_of(w, node);
    if (use == LIVE_ANEW) {
        return put_anew(w, c, err);
    }
    if (use == LIVE_TAKEN) {
        put_taken(c);
        return 0;
    }
    if (use == LIVE_WRITTEN && !write_node(live, c)) {
        end_live(live);
        live_forget(w, node);
        return put_anew(w, c, err);
    }
    for (size_t i = 0; i < live->procs.n; i++) {
        c->procs.v[i].proc->real = live->procs.v[i].real;
        if (use == LIVE_WRITTEN) {
            image_copy(&live->procs.v[i].image, &c->procs.v[i].image);
        }
    }
    for (size_t i = 0; i < live->tids.n; i++) {
        c->threads.v[i].thread->real = live->tids.v[i];
    }
    for (size_t i = 0; i < live->files.n; i++) {
        live->files.v[i].inode->memfd = live->files.v[i].fd;
        live->files.v[i].inode->memfd_ino = live->files.v[i].ino;
    }
    live_is(live, c);
    return 0;
}

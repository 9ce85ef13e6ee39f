/* A world in a file. The simulated side is the heap, as it is. The real side: every process is
 * written down as its mappings, the pages that are its own, and the registers of its threads.
 * Descriptors, sockets, timers and all else need nothing, since the real kernel knows nothing of
 * them. load.c makes it again. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/err.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/copies.h"
#include "world/heap.h"
#include "world/image.h"
#include "world/maps.h"
#include "world/world.h"
#include "world/world_int.h"

/* This program, or this library: the linker calls them so. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern const char _end[] __attribute__((visibility("hidden")));

enum { PAGES_AT_ONCE = 1024 };

struct mapped_files {
    VEC(struct inode *) inodes;
};

static void add_inode(void *arg, struct inode *inode)
{
    struct mapped_files *files = arg;
    VEC_PUSH(&files->inodes, inode);
}

static int store_fd(int fd, struct strbuf *out)
{
    struct stat st;
    if (fstat(fd, &st) != 0) {
        return -errno;
    }
    pack_u64(out, (uint64_t)st.st_size);
    strbuf_reserve(out, (size_t)st.st_size);
    for (off_t at = 0; at < st.st_size;) {
        ssize_t n = pread(fd, out->p + out->n, (size_t)(st.st_size - at), at);
        if (n <= 0) {
            return -EIO;
        }
        out->n += (size_t)n;
        at += n;
    }
    return 0;
}

static int store_log(const struct world *w, const struct node *node, struct strbuf *out)
{
    SCOPED_STRBUF path = {0};
    strbuf_printf(&path, "%s/%s.log", w->engine->dir, node->name);
    int fd = open(strbuf_cstr(&path), O_RDONLY | O_CLOEXEC);
    int status = fd < 0 ? -errno : store_fd(fd, out);
    if (fd >= 0) {
        (void)close(fd);
    }
    return status;
}

/* Runs of pages as they are: where, how many bytes, the bytes. Untouched memory is zero anyway. */
static void store_run(struct strbuf *out, uint64_t addr, const char *bytes, size_t n)
{
    pack_u64(out, addr);
    pack_bytes(out, bytes, n);
}

static bool is_zero(const char *page)
{
    return page[0] == 0 && memcmp(page, page + 1, PAGE - 1) == 0;
}

/* One run of neighbours, without its pages of zeros. Returns how many runs that makes. */
static uint64_t store_used(struct strbuf *out, uint64_t addr, const char *bytes, size_t n,
                           bool in_file)
{
    uint64_t runs = 0;
    for (size_t at = 0; at < n;) {
        size_t end = at;
        while (end < n && (in_file || !is_zero(bytes + end))) {
            end += PAGE;
        }
        if (end > at) {
            store_run(out, addr + at, bytes + at, end - at);
            runs++;
        }
        at = end + PAGE;
    }
    return runs;
}

static int store_pages(pid_t real, struct strbuf *maps, struct strbuf *out)
{
    char path[64];
    struct tracee_pages pages = {0};
    struct file_ranges files = {0};
    size_t file = 0;
    SCOPED_STRBUF bytes = {0};
    image_file_ranges(maps, &files);
    (void)snprintf(path, sizeof path, "/proc/%d/mem", (int)real);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int status = fd < 0 ? -errno : tracee_pages(real, true, &pages);
    for (size_t i = 0; i < pages.n; i++) {
        pages.v[i] &= ~UINT64_C(1);
    }
    size_t count_at = out->n;
    uint64_t count = 0;
    pack_u64(out, 0);
    for (size_t i = 0; status == 0 && i < pages.n;) {
        size_t n = 1;
        bool in_file = image_in_file(&files, pages.v[i], &file);
        while (n < PAGES_AT_ONCE && i + n < pages.n && pages.v[i + n] == pages.v[i] + n * PAGE &&
               image_in_file(&files, pages.v[i + n], &file) == in_file) {
            n++;
        }
        strbuf_reserve(&bytes, n * PAGE);
        status = pread(fd, bytes.p, n * PAGE, (off_t)pages.v[i]) == (ssize_t)(n * PAGE) ? 0 : -EIO;
        count += status == 0 ? store_used(out, pages.v[i], bytes.p, n * PAGE, in_file) : 0;
        i += n;
    }
    memcpy(out->p + count_at, &count, sizeof count);
    if (fd >= 0) {
        (void)close(fd);
    }
    VEC_DONE(&pages);
    VEC_DONE(&files);
    return status;
}

static void store_threads(const struct node_copy *c, const struct copied_proc *p,
                          struct strbuf *out)
{
    uint8_t xstate[TRACEE_XSTATE_BYTES];
    pack_u64(out, p->n);
    for (size_t i = 0; i < p->n; i++) {
        const struct thread *t = c->threads.v[p->first + i].thread;
        uint64_t mask = 0;
        (void)tracee_sigmask_get(t->real, &mask);
        pack_u64(out, (uintptr_t)t);
        pack_u64(out, mask);
        pack_bytes(out, xstate, tracee_xstate(t->real, xstate));
    }
}

/* The end of the heap, as the copy has it: the process itself is not touched. */
static uint64_t brk_of(const struct node_copy *c, const struct copied_proc *p)
{
    const struct copied_thread *t = &c->threads.v[p->first];
    struct tracee_call call = {t->real, &t->thread->regs, false, 0};
    int64_t brk = tracee_call(&call, SYS_brk, (const uint64_t[6]){0});
    return tracee_rearm(t->real, &t->thread->regs) && brk > 0 ? (uint64_t)brk : 0;
}

/* Parts of programs and libraries of the node's own disk: files of our own, of which there may be
 * several for one of the disk's. */
static bool maps_own_disk(struct strbuf *text)
{
    struct maps *maps = maps_of_text(strbuf_str(text));
    struct map map;
    bool found = false;
    while (!found && maps_next(maps, &map)) {
        found = map.perms[3] != 's' && strncmp(map.name, "/memfd:assay", 12) == 0;
    }
    maps_close(maps);
    return found;
}

static int store_proc(const struct node_copy *c, const struct copied_proc *p, struct strbuf *out,
                      struct err *err)
{
    SCOPED_STRBUF maps = {0};
    bool good = image_maps(p->proc->real, &maps);
    if (good && maps_own_disk(&maps)) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       "node %s, process %s has mapped a file of its own disk", p->proc->node->name,
                       p->proc->comm);
    }
    pack_u64(out, (uintptr_t)p->proc);
    pack_bytes(out, p->proc->exe, strlen(p->proc->exe));
    pack_bytes(out, maps.p, maps.n);
    pack_u64(out, brk_of(c, p));
    store_threads(c, p, out);
    int status = good ? store_pages(p->proc->real, &maps, out) : -EIO;
    return status == 0 ? 0 : err_set(err, ERR_IO, -status, "reading process %s", p->proc->comm);
}

static int store_node(struct world *w, struct node *node, struct strbuf *out, struct err *err)
{
    struct node_copy *c = NULL;
    int status = copy_take(w, node, true, &c, err);
    if (status != 0) {
        return status;
    }
    struct mapped_files files = {0};
    pack_bytes(out, node->shared.page, sizeof *node->shared.page);
    int read = store_log(w, node, out);
    disk_each_mapped(node, add_inode, &files);
    pack_u64(out, files.inodes.n);
    for (size_t i = 0; read == 0 && i < files.inodes.n; i++) {
        pack_u64(out, (uintptr_t)files.inodes.v[i]);
        pack_u64(out, files.inodes.v[i]->memfd_ino);
        read = store_fd(files.inodes.v[i]->memfd, out);
    }
    VEC_DONE(&files.inodes);
    if (read != 0) {
        status = err_set(err, ERR_IO, -read, "reading files of node %s", node->name);
    }
    pack_u64(out, c->procs.n);
    for (size_t i = 0; status == 0 && i < c->procs.n; i++) {
        status = store_proc(c, &c->procs.v[i], out, err);
    }
    copy_unref(c);
    return status;
}

/* The kernel has loaded programs and their interpreters, and links may lead to them. */
static void note_files(struct world *w, const struct proc *p)
{
    struct maps *maps = maps_open(p->real);
    struct map map;
    while (maps_next(maps, &map)) {
        char path[PATH_MAX];
        size_t n = strcspn(map.name, "\n");
        if (map.name[0] == '/' && strncmp(map.name, "/memfd:", 7) != 0 && n < sizeof path) {
            memcpy(path, map.name, n);
            path[n] = '\0';
            host_note(w, path);
        }
    }
    maps_close(maps);
    host_note(w, p->exe);
}

int world_store(struct world *w, struct strbuf *out, struct err *err)
{
    thread_free_dead(w);
    int status = w->ahead.t == NULL ? 0 : err_set(err, ERR_UNSUPPORTED, 0, "a thread has gone on");
    for (uint32_t i = 0; status == 0 && i < w->n_nodes; i++) {
        status = copy_check(w, w->nodes[i], err);
    }
    if (status != 0) {
        return status;
    }
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        for (const struct proc *p = w->nodes[i]->procs; p != NULL; p = p->next) {
            if (p->state == PROC_LIVE) {
                note_files(w, p);
            }
        }
    }
    host_store(w->engine, out);
    pack_u64(out, (uintptr_t)w->heap);
    pack_u64(out, (uintptr_t)__ehdr_start);
    pack_u64(out, (uintptr_t)w);
    pack_u64(out, (uintptr_t)w->net.messages);
    size_t n = heap_used(w->heap);
    pack_u64(out, n);
    strbuf_reserve(out, n);
    heap_save(w->heap, out->p + out->n);
    out->n += n;
    for (uint32_t i = 0; status == 0 && i < w->n_nodes; i++) {
        status = store_node(w, w->nodes[i], out, err);
        live_forget(w, w->nodes[i]); /* the copy is not needed any more */
    }
    return status;
}

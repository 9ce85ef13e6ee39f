/* A world in a file. The simulated side is the heap, as it is, with the few things in it set right
 * that belong to the engine: descriptors, shared pages, pointers to what is constant. The real
 * side: every process is written down as its mappings, the pages that are its own, and the
 * registers of its threads. To make it again the same program is started, everything is unmapped
 * before its first instruction, and the mappings, pages and threads are put in place by calls
 * inside it. Descriptors, sockets, timers and all else need nothing, since the real kernel knows
 * nothing of them.
 *
 * Whether it is the same is looked at, not believed: the list of mappings must be the one that was
 * written down, and every file of the machine that anybody has looked at must be as it was. Whoever
 * cannot be made again, or looks different then, is started as if there had been no file. */
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
#include <sys/types.h>
#include <sys/user.h>

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

/* NOLINTNEXTLINE(bugprone-reserved-identifier): the linker calls them so */
extern const char __executable_start[], _end[];

enum { THREADS_MOST = 1024, PAGES_AT_ONCE = 1024, SIGACTION_BYTES = 32 };

/* ---- writing ---- */

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
    int status = 0;
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
    pack_u64(out, (uintptr_t)__executable_start);
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

/* ---- the heap ---- */

struct setting { /* what belongs to the engine that runs now */
    struct world *w;
    uint64_t old_base, old_messages;
    struct engine *engine;
    const struct world_message *messages;
};

static void relocate(const struct setting *s, void *block)
{
    uint64_t span = (uintptr_t)_end - (uintptr_t)__executable_start;
    uint64_t delta = (uintptr_t)__executable_start - s->old_base;
    uint64_t *words = block;
    for (size_t i = 0; i < heap_size(block) / 8; i++) {
        words[i] += words[i] - s->old_base < span ? delta : 0;
    }
}

static void set_right(void *arg, void *block, enum heap_kind kind)
{
    const struct setting *s = arg;
    if (kind != HEAP_PAGE) {
        relocate(s, block);
    }
    if (kind == HEAP_CONN) {
        struct conn *conn = block;
        uint64_t offset = (uintptr_t)conn->message - s->old_messages;
        conn->message = conn->message == NULL ? NULL : s->messages + offset / sizeof *s->messages;
    }
}

static void open_host_file(void *arg, void *block, enum heap_kind kind)
{
    const struct setting *s = arg;
    struct file *f = block;
    if (kind == HEAP_FILE && f->ops == &hfile_ops) {
        struct hfile *h = block;
        h->fd = host_open_fd(s->w, f->path, f->flags & (O_PATH | O_DIRECTORY));
    }
}

static int not_fit(struct err *err, const char *what)
{
    return err_set(err, ERR_NOT_FOUND, 0, "a stored world does not fit: %s", what);
}

static int load_heap(struct world *w, struct unpack *in, struct err *err)
{
    uint64_t heap = unpack_u64(in);
    struct setting s = {.w = w, .old_base = unpack_u64(in), .engine = w->engine};
    uint64_t world = unpack_u64(in);
    s.old_messages = unpack_u64(in);
    s.messages = w->net.messages;
    struct str bytes = unpack_bytes(in);
    if (in->cut || heap != (uintptr_t)w->heap || world != (uintptr_t)w ||
        bytes.n < heap_used(w->heap)) {
        return not_fit(err, "addresses");
    }
    uint32_t n = w->n_nodes;
    size_t cap = 0;
    struct kept_node {
        struct tracee_shared shared;
        int log_fd;
    } *kept = vec_grow(NULL, &cap, n + 1, sizeof *kept);
    for (uint32_t i = 0; i < n; i++) {
        kept[i] = (struct kept_node){w->nodes[i]->shared, w->nodes[i]->log_fd};
    }
    heap_restore(w->heap, bytes.p, bytes.n);
    heap_each(w->heap, set_right, &s);
    w->engine = s.engine;
    w->net.messages = s.messages;
    for (uint32_t i = 0; i < n; i++) {
        w->nodes[i]->shared = kept[i].shared;
        w->nodes[i]->log_fd = kept[i].log_fd;
        for (struct proc *p = w->nodes[i]->procs; p != NULL; p = p->next) {
            p->real = 0;
        }
    }
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        t->real = 0;
    }
    heap_each(w->heap, open_host_file, &s);
    vec_release(kept);
    return 0;
}

/* ---- processes ---- */

struct making {
    struct world *w;
    struct proc *proc;
    struct thread *first;
    struct tracee_call call;
    struct strbuf maps; /* as they should be */
    VEC(uint64_t) old;  /* pairs: an inode of the machine, and the descriptor in its place */
};

static int64_t call(struct making *m, long nr, const uint64_t args[6])
{
    return tracee_call(&m->call, nr, args);
}

static bool is_special(const struct map *map)
{
    return tracee_page_in(map->begin, map->end - map->begin) ||
           strncmp(map->name, "[v", 2) == 0; /* [vdso], [vvar], [vsyscall] */
}

/* One mapping of the new process is taken away, unless it stays. */
static bool clear_maps(struct making *m)
{
    struct maps *maps = maps_open(m->proc->real);
    struct map map;
    VEC(uint64_t) away = {0};
    while (maps_next(maps, &map)) {
        if (!is_special(&map) && strncmp(map.name, "[stack]", 7) != 0 &&
            strncmp(map.name, "[heap]", 6) != 0) {
            VEC_PUSH(&away, map.begin);
            VEC_PUSH(&away, map.end - map.begin);
        }
    }
    maps_close(maps);
    bool good = away.n != 0;
    for (size_t i = 0; good && i < away.n; i += 2) {
        good = call(m, SYS_munmap, (const uint64_t[6]){away.v[i], away.v[i + 1]}) == 0;
    }
    VEC_DONE(&away);
    return good;
}

/* The kernel makes the stack grow to where it writes. */
static bool grow_stack(struct making *m, uint64_t begin)
{
    return call(m, SYS_clock_gettime, (const uint64_t[6]){1, begin}) == 0;
}

static bool map_file(struct making *m, const struct map *map, uint64_t prot)
{
    char path[PATH_MAX];
    size_t n = strcspn(map->name, "\n");
    if (n == 0 || n >= sizeof path) {
        return false;
    }
    memcpy(path, map->name, n);
    path[n] = '\0';
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fstat(fd, &st) == 0 && st.st_ino == map->inode;
    int64_t real = good ? open_in_tracee(m->first, &m->call, fd, false) : -1;
    uint64_t flags = MAP_FIXED | (map->perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE);
    good =
        real >= 0 && call(m, SYS_mmap,
                          (const uint64_t[6]){map->begin, map->end - map->begin, prot, flags,
                                              (uint64_t)real, map->offset}) == (int64_t)map->begin;
    if (real >= 0) {
        (void)call(m, SYS_close, (const uint64_t[6]){(uint64_t)real});
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return good;
}

static bool make_map(struct making *m, const struct map *map)
{
    uint64_t prot = (map->perms[0] == 'r' ? PROT_READ : 0U) |
                    (map->perms[1] == 'w' ? PROT_WRITE : 0U) |
                    (map->perms[2] == 'x' ? PROT_EXEC : 0U);
    if (is_special(map) || strncmp(map->name, "[heap]", 6) == 0) {
        return true;
    }
    if (strncmp(map->name, "[stack]", 7) == 0) {
        return grow_stack(m, map->begin);
    }
    if (strncmp(map->name, "/memfd:assay", 12) == 0) {
        return map->perms[3] == 's'; /* later; a program of the node's disk has others */
    }
    if (map->inode != 0) {
        return map_file(m, map, prot);
    }
    uint64_t flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | (prot == 0 ? MAP_NORESERVE : 0);
    return map->name[0] != '/' &&
           call(m, SYS_mmap,
                (const uint64_t[6]){map->begin, map->end - map->begin, prot, flags, UINT64_MAX}) ==
               (int64_t)map->begin;
}

static bool make_maps(struct making *m)
{
    struct maps *maps = maps_of_text(strbuf_str(&m->maps));
    struct map map;
    bool good = true;
    while (good && maps_next(maps, &map)) {
        good = make_map(m, &map);
    }
    maps_close(maps);
    return good;
}

static bool make_signals(struct making *m)
{
    const struct tracee_shared *shared = &m->proc->node->shared;
    for (int sig = 1; sig < SIGNALS; sig++) {
        const struct ksigaction *act = &m->proc->hand->act[sig];
        if (act->handler == 0 && act->flags == 0 && act->mask == 0) {
            continue;
        }
        memcpy(shared->bytes + TRACEE_SCRATCH, act, SIGACTION_BYTES);
        const uint64_t args[6] = {(uint64_t)sig, TRACEE_PAGE_ADDR + TRACEE_SCRATCH, 0, 8};
        if (call(m, SYS_rt_sigaction, args) != 0) {
            return false;
        }
    }
    return true;
}

static bool load_pages(pid_t real, struct unpack *in)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/mem", (int)real);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    uint64_t n = unpack_u64(in);
    bool good = fd >= 0;
    for (uint64_t i = 0; good && i < n && !in->cut; i++) {
        uint64_t addr = unpack_u64(in);
        struct str bytes = unpack_bytes(in);
        good = tracee_write(real, TADDR(addr), bytes.p, bytes.n) == bytes.n ||
               pwrite(fd, bytes.p, bytes.n, (off_t)addr) == (ssize_t)bytes.n;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return good && !in->cut;
}

/* Neighbours that differ in nothing count as one: how the kernel has cut them is history, and the
 * heap may have grown together with what is before it. */
static void maps_digest(struct maps *maps, struct strbuf *ret)
{
    struct map map;
    uint64_t end = 0;
    struct strbuf last = {0}, now = {0};
    while (maps_next(maps, &map)) {
        bool plain = map.inode == 0;
        strbuf_reset(&now);
        strbuf_printf(&now, "%s %llx %s", map.perms, plain ? 0 : (unsigned long long)map.offset,
                      strncmp(map.name, "[heap]", 6) == 0 ? "\n" : map.name);
        bool same = plain && map.begin == end && strcmp(strbuf_cstr(&now), strbuf_cstr(&last)) == 0;
        if (!same) {
            strbuf_printf(ret, "%llx\n%llx %s", (unsigned long long)end,
                          (unsigned long long)map.begin, strbuf_cstr(&now));
        }
        end = map.end;
        strbuf_reset(&last);
        strbuf_addstr(&last, strbuf_str(&now));
    }
    strbuf_printf(ret, "%llx", (unsigned long long)end);
    strbuf_done(&last);
    strbuf_done(&now);
    maps_close(maps);
}

static bool maps_right(struct making *m)
{
    SCOPED_STRBUF is = {0}, should = {0};
    maps_digest(maps_open(m->proc->real), &is);
    maps_digest(maps_of_text(strbuf_str(&m->maps)), &should);
    return is.n == should.n && memcmp(is.p, should.p, is.n) == 0;
}

/* Maps the files of the node's disk that the process had mapped. */
static bool make_shared(struct making *m)
{
    struct maps *maps = maps_of_text(strbuf_str(&m->maps));
    struct map map;
    bool good = true;
    while (good && maps_next(maps, &map)) {
        uint64_t prot = (map.perms[0] == 'r' ? PROT_READ : 0U) |
                        (map.perms[1] == 'w' ? PROT_WRITE : 0U) |
                        (map.perms[2] == 'x' ? PROT_EXEC : 0U);
        bool memory = strncmp(map.name, "/memfd:assay", 12) == 0;
        bool ours = tracee_page_in(map.begin, map.end - map.begin);
        size_t i = 0;
        while (i < m->old.n && m->old.v[i] != map.inode) {
            i += 2;
        }
        if (memory && !ours) {
            good =
                i < m->old.n && remap_descriptor(m->first, (int)m->old.v[i + 1],
                                                 (const uint64_t[4]){map.begin, map.end - map.begin,
                                                                     prot, map.offset}) == 0;
        }
    }
    maps_close(maps);
    return good;
}

/* The threads, as they were. */
static bool load_threads(struct making *m, struct unpack *in, size_t n)
{
    size_t cap = 0, tids_cap = 0;
    struct tracee_saved *saved = vec_grow(NULL, &cap, n + 1, sizeof *saved);
    pid_t *tids = vec_grow(NULL, &tids_cap, n + 1, sizeof *tids);
    VEC(struct thread *) threads = {0};
    for (size_t i = 0; i < n; i++) {
        enum heap_kind kind = HEAP_ANY;
        uint64_t at = unpack_u64(in);
        saved[i].mask = unpack_u64(in);
        struct str xstate = unpack_bytes(in);
        if (at == 0 || !heap_find(m->w->heap, at, &kind) || kind != HEAP_THREAD) {
            break;
        }
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): a thread is there */
        struct thread *t = (struct thread *)(uintptr_t)at;
        saved[i].regs = &t->regs;
        saved[i].altstack = t->has_altstack ? t->altstack : NULL;
        saved[i].xstate = xstate.p;
        saved[i].xstate_n = xstate.n;
        VEC_PUSH(&threads, t);
    }
    bool good = threads.n == n &&
                tracee_make_threads(m->proc->real, saved, n, &m->proc->node->shared, tids) == 0;
    for (size_t i = 0; good && i < n; i++) {
        threads.v[i]->real = tids[i];
    }
    vec_release(saved);
    vec_release(tids);
    VEC_DONE(&threads);
    return good;
}

/* Starts the program and stops it before its first instruction. */
static int begin_process(struct making *m, struct str exe, struct err *err)
{
    struct world *w = m->w;
    struct node *node = m->proc->node;
    char path[PATH_MAX];
    bool hidden = false;
    if (exe.n >= sizeof path) {
        return not_fit(err, "a path");
    }
    memcpy(path, exe.p, exe.n);
    path[exe.n] = '\0';
    char *argv[2] = {path, NULL}, *envp[1] = {NULL};
    struct first_program program = {.argv = argv, .fd = -1};
    memcpy(program.path, path, exe.n + 1);
    int status = node_load(w, node, &program, envp, &m->proc->real, err);
    if (status != 0) {
        return status;
    }
    m->first->real = m->proc->real;
    uint8_t random[16] = {0};
    status = tracee_prepare(m->proc->real, random, w->engine->hwrand_way != HWRAND_REPLACE, &hidden,
                            err);
    if (status == 0 && m->proc->mm->by_touch && !tracee_limit_data(m->proc->real, 0)) {
        status = not_fit(err, "limits");
    }
    return status;
}

static int load_proc(struct making *m, struct unpack *in, struct err *err)
{
    enum heap_kind kind = HEAP_ANY;
    uint64_t at = unpack_u64(in);
    struct str exe = unpack_bytes(in), maps = unpack_bytes(in);
    uint64_t brk = unpack_u64(in), n = unpack_u64(in);
    uint64_t first = 0;
    if (!in->cut && in->rest.n >= sizeof first) {
        memcpy(&first, in->rest.p, sizeof first); /* the first of the threads */
    }
    if (!heap_find(m->w->heap, at, &kind) || kind != HEAP_PROC || n == 0 || n > THREADS_MOST ||
        !heap_find(m->w->heap, first, &kind) || kind != HEAP_THREAD) {
        return not_fit(err, "processes");
    }
    /* NOLINTBEGIN(performance-no-int-to-ptr): they are there */
    m->proc = (struct proc *)(uintptr_t)at;
    m->first = (struct thread *)(uintptr_t)first;
    /* NOLINTEND(performance-no-int-to-ptr) */
    strbuf_reset(&m->maps);
    strbuf_addstr(&m->maps, maps);
    int status = begin_process(m, exe, err);
    if (status != 0) {
        return status;
    }
    struct user_regs_struct regs;
    (void)tracee_regs_get(m->proc->real, &regs);
    m->call = (struct tracee_call){m->proc->real, &regs, true, 0};
    bool good = call(m, SYS_brk, (const uint64_t[6]){brk}) == (int64_t)brk && clear_maps(m) &&
                make_maps(m) && make_signals(m);
    good =
        good && load_threads(m, in, (size_t)n) && load_pages(m->proc->real, in) && make_shared(m);
    if (!good || !maps_right(m)) {
        return not_fit(err, good ? "mappings" : "a process");
    }
    return 0;
}

static bool load_fd(int fd, struct str bytes)
{
    return fd >= 0 && ftruncate(fd, (off_t)bytes.n) == 0 &&
           pwrite(fd, bytes.p, bytes.n, 0) == (ssize_t)bytes.n;
}

static int load_files(struct making *m, struct unpack *in, struct err *err)
{
    uint64_t n = unpack_u64(in);
    for (uint64_t i = 0; i < n && !in->cut; i++) {
        enum heap_kind kind = HEAP_ANY;
        uint64_t at = unpack_u64(in), old = unpack_u64(in);
        struct str bytes = unpack_bytes(in);
        int fd = memfd_create("assay", MFD_CLOEXEC);
        struct stat st;
        if (at == 0 || !heap_find(m->w->heap, at, &kind) || kind != HEAP_INODE ||
            !load_fd(fd, bytes) || fstat(fd, &st) != 0) {
            return not_fit(err, "files");
        }
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): it is there */
        struct inode *inode = (struct inode *)(uintptr_t)at;
        inode->memfd = fd;
        inode->memfd_ino = st.st_ino;
        VEC_PUSH(&m->old, old);
        VEC_PUSH(&m->old, (uint64_t)fd);
    }
    return 0;
}

static void no_memfd(void *arg, void *block, enum heap_kind kind)
{
    (void)arg;
    if (kind == HEAP_INODE && ((struct inode *)block)->memfd >= 0) {
        ((struct inode *)block)->memfd = -1;
    }
}

static int load_node(struct making *m, struct node *node, struct unpack *in, struct err *err)
{
    struct str page = unpack_bytes(in), log = unpack_bytes(in);
    if (page.n != sizeof *node->shared.page ||
        write(node->log_fd, log.p, log.n) != (ssize_t)log.n) {
        return not_fit(err, "the log");
    }
    m->old.n = 0;
    int status = load_files(m, in, err);
    uint64_t n = unpack_u64(in);
    for (uint64_t i = 0; status == 0 && i < n && !in->cut; i++) {
        status = load_proc(m, in, err);
    }
    memcpy(node->shared.page, page.p, page.n);
    return status;
}

int world_load(struct world *w, struct unpack *in, struct err *err)
{
    if (!host_same(w, in)) {
        return not_fit(err, "files of the machine have changed");
    }
    int status = load_heap(w, in, err);
    if (status != 0) {
        return status;
    }
    heap_each(w->heap, no_memfd, NULL);
    struct making m = {.w = w};
    for (uint32_t i = 0; status == 0 && i < w->n_nodes; i++) {
        status = load_node(&m, w->nodes[i], in, err);
    }
    strbuf_done(&m.maps);
    VEC_DONE(&m.old);
    return status != 0 ? status : in->cut ? not_fit(err, "it is cut") : 0;
}

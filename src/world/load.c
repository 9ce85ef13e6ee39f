/* A world from a file (store.c). In the heap the few things are set right that belong to the
 * engine: descriptors, shared pages, pointers to what is constant. To make a process again the same
 * program is started, nearly everything is unmapped before its first instruction, and the mappings,
 * pages and threads are put in place by calls inside it, all at once (tracee_batch_run).
 *
 * Whether it is the same is looked at, not believed: the list of mappings must be the one that was
 * written down, as a program could read it, and every file of the machine that anybody has looked
 * at must be as it was. Whoever cannot be made again, or looks different then, is started as if
 * there had been no file. */
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "base/err.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/heap.h"
#include "world/maps.h"
#include "world/world.h"
#include "world/world_int.h"

/* This program, or this library: the linker calls them so. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern const char _end[] __attribute__((visibility("hidden")));

enum { THREADS_MOST = 1024, SIGACTION_BYTES = 32 };

/* ---- the heap ---- */

struct setting { /* what belongs to the engine that runs now */
    struct world *w;
    uint64_t old_base, old_messages;
    struct engine *engine;
    const struct world_message *messages;
};

static void relocate(const struct setting *s, void *block)
{
    uint64_t span = (uintptr_t)_end - (uintptr_t)__ehdr_start;
    uint64_t delta = (uintptr_t)__ehdr_start - s->old_base;
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

struct range {
    uint64_t begin, end;
};
struct making {
    struct world *w;
    struct proc *proc;
    struct thread *first;
    struct tracee_call call;
    struct strbuf maps; /* as they should be */
    VEC(uint64_t) old;  /* pairs: an inode of the machine, and the descriptor in its place */
    /* Calls that are still to be made, what each should return, and what they point to. */
    struct tracee_batch batch;
    int64_t results[TRACEE_BATCH_CALLS];
    size_t data_n;
    struct range stays; /* of what the new program has mapped */
    struct given {      /* the file that was mapped last, open in the process */
        uint64_t inode;
        int64_t fd;
    } given;
};

/* The calls so far are made, and have returned what they should. */
static bool make_calls(struct making *m)
{
    bool good = tracee_batch_run(&m->call, &m->proc->node->shared, &m->batch);
    for (size_t i = 0; good && i < m->batch.n; i++) {
        good = m->batch.calls[i].result == m->results[i];
    }
    m->batch.n = m->data_n = 0;
    return good;
}

static bool call(struct making *m, uint64_t nr, const uint64_t args[6], int64_t result)
{
    if (m->batch.n == TRACEE_BATCH_CALLS && !make_calls(m)) {
        return false;
    }
    struct tracee_batched *c = &m->batch.calls[m->batch.n];
    *c = (struct tracee_batched){.nr = nr};
    memcpy(c->args, args, sizeof c->args);
    m->results[m->batch.n++] = result;
    return true;
}

static bool is_special(const struct map *map)
{
    return tracee_page_in(map->begin, map->end - map->begin) ||
           strncmp(map->name, "[v", 2) == 0; /* [vdso], [vvar], [vsyscall] */
}

/* What lies below the heap and looks the same, since programs have zeros there: made again it would
 * become one with the heap. */
static struct range below_heap(struct making *m)
{
    struct maps *maps = maps_of_text(strbuf_str(&m->maps));
    struct map map;
    struct range last = {0, 0}, found = {0, 0};
    while (maps_next(maps, &map)) {
        if (strncmp(map.name, "[heap]", 6) == 0 && last.end == map.begin) {
            found = last;
        }
        bool plain = map.inode == 0 && map.name[0] == '\n' && strcmp(map.perms, "rw-p") == 0;
        last = plain ? (struct range){map.begin, map.end} : (struct range){0, 0};
    }
    maps_close(maps);
    return found;
}

static bool is_range(const struct map *map, struct range range)
{
    return map->begin == range.begin && map->end == range.end;
}

/* The mappings of the new process are taken away, but for those that stay. */
static bool clear_maps(struct making *m)
{
    struct maps *maps = maps_open(m->proc->real);
    struct map map;
    VEC(uint64_t) away = {0};
    struct range stays = below_heap(m);
    m->stays = (struct range){0, 0};
    while (maps_next(maps, &map)) {
        if (map.inode == 0 && is_range(&map, stays)) {
            m->stays = stays;
        } else if (!is_special(&map) && strncmp(map.name, "[stack]", 7) != 0 &&
                   strncmp(map.name, "[heap]", 6) != 0) {
            VEC_PUSH(&away, map.begin);
            VEC_PUSH(&away, map.end - map.begin);
        }
    }
    maps_close(maps);
    bool good = away.n != 0;
    for (size_t i = 0; good && i < away.n; i += 2) {
        good = call(m, SYS_munmap, (const uint64_t[6]){away.v[i], away.v[i + 1]}, 0);
    }
    VEC_DONE(&away);
    return good;
}

/* The kernel makes the stack grow to where it writes. */
static bool grow_stack(struct making *m, uint64_t begin)
{
    return call(m, SYS_clock_gettime, (const uint64_t[6]){1, begin}, 0);
}

static bool close_given(struct making *m)
{
    int64_t fd = m->given.fd;
    m->given = (struct given){0, -1};
    return fd < 0 || call(m, SYS_close, (const uint64_t[6]){(uint64_t)fd}, 0);
}

/* Mappings of one file follow each other: it is opened in the process once for all of them. */
static bool map_through(struct making *m, const struct map *map, uint64_t prot)
{
    bool shared = map->perms[3] == 's';
    uint64_t flags = MAP_FIXED | (shared ? MAP_SHARED : MAP_PRIVATE);
    const uint64_t args[6] = {map->begin, map->end - map->begin, prot,
                              flags,      (uint64_t)m->given.fd, map->offset};
    return m->given.fd >= 0 && call(m, SYS_mmap, args, (int64_t)map->begin);
}

/* The second of two parts of a file that could be one mapping and are not: it was writable once
 * (what the linker has relocated), which the kernel does not forget. */
static bool map_relocated(struct making *m, const struct map *map, uint64_t prot)
{
    const uint64_t args[6] = {map->begin, map->end - map->begin, prot};
    return map_through(m, map, prot | PROT_WRITE) && call(m, SYS_mprotect, args, 0);
}

/* The second of two pieces of memory that could be one and are not: the kernel joins what was
 * touched before it met no more. So it is mapped elsewhere, touched, and moved. */
static bool map_apart(struct making *m, const struct map *map, uint64_t prot)
{
    const uint64_t n = map->end - map->begin, both = PROT_READ | PROT_WRITE;
    const uint64_t args[6] = {0, n, both, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, UINT64_MAX};
    int64_t at = make_calls(m) ? tracee_call(&m->call, SYS_mmap, args) : -1;
    const uint64_t touch[6] = {0, (uint64_t)at}; /* writes zeros */
    const uint64_t move[6] = {(uint64_t)at, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, map->begin};
    return at > 0 && call(m, SYS_getitimer, touch, 0) &&
           call(m, SYS_mremap, move, (int64_t)map->begin) &&
           (prot == both || call(m, SYS_mprotect, (const uint64_t[6]){map->begin, n, prot}, 0));
}

static bool map_file(struct making *m, const struct map *map, uint64_t prot, bool cut)
{
    char path[PATH_MAX];
    size_t n = strcspn(map->name, "\n");
    bool relocated = cut && map->perms[3] == 'p' && (prot & PROT_WRITE) == 0;
    if (m->given.fd >= 0 && m->given.inode == map->inode && (relocated || !cut)) {
        return relocated ? map_relocated(m, map, prot) : map_through(m, map, prot);
    }
    if (n == 0 || n >= sizeof path || !close_given(m)) {
        return false;
    }
    memcpy(path, map->name, n);
    path[n] = '\0';
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fstat(fd, &st) == 0 && st.st_ino == map->inode;
    m->given =
        (struct given){map->inode, good ? open_in_tracee(m->first, &m->call, fd, false) : -1};
    if (fd >= 0) {
        (void)close(fd);
    }
    return map_through(m, map, prot);
}

/* A file of the node's disk. */
static bool map_disk(struct making *m, const struct map *map, uint64_t prot)
{
    size_t i = 0;
    while (i < m->old.n && m->old.v[i] != map->inode) {
        i += 2;
    }
    if (i >= m->old.n || !close_given(m)) {
        return false;
    }
    bool write = (prot & PROT_WRITE) != 0;
    m->given.fd = open_in_tracee(m->first, &m->call, (int)m->old.v[i + 1], write);
    return map_through(m, map, prot) && close_given(m);
}

/* `cut`: it could be one with the mapping before it, and is not. */
static bool make_map(struct making *m, const struct map *map, bool cut)
{
    uint64_t prot = (map->perms[0] == 'r' ? PROT_READ : 0U) |
                    (map->perms[1] == 'w' ? PROT_WRITE : 0U) |
                    (map->perms[2] == 'x' ? PROT_EXEC : 0U);
    if (is_special(map) || is_range(map, m->stays) || strncmp(map->name, "[heap]", 6) == 0) {
        return true;
    }
    if (strncmp(map->name, "[stack]", 7) == 0) {
        return grow_stack(m, map->begin);
    }
    if (strncmp(map->name, "/memfd:assay", 12) == 0) { /* a program of the disk has others */
        return map->perms[3] == 's' && map_disk(m, map, prot);
    }
    if (map->inode != 0) {
        return map_file(m, map, prot, cut);
    }
    if (cut) {
        return map_apart(m, map, prot);
    }
    uint64_t flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | (prot == 0 ? MAP_NORESERVE : 0);
    const uint64_t args[6] = {map->begin, map->end - map->begin, prot, flags, UINT64_MAX};
    return map->name[0] != '/' && call(m, SYS_mmap, args, (int64_t)map->begin);
}

static bool make_maps(struct making *m)
{
    struct maps *maps = maps_of_text(strbuf_str(&m->maps));
    struct map map;
    SCOPED_STRBUF last = {0}, now = {0};
    uint64_t end = 0, offset = 0;
    bool good = true;
    while (good && maps_next(maps, &map)) {
        strbuf_reset(&now);
        strbuf_printf(&now, "%s %s", map.perms, map.name);
        bool cut = map.begin == end && (map.inode == 0 || map.offset == offset) &&
                   strcmp(strbuf_cstr(&now), strbuf_cstr(&last)) == 0;
        good = make_map(m, &map, cut);
        end = map.end;
        offset = map.offset + (map.end - map.begin);
        strbuf_reset(&last);
        strbuf_addstr(&last, strbuf_str(&now));
    }
    maps_close(maps);
    return good && close_given(m);
}

static bool make_signals(struct making *m)
{
    for (int sig = 1; sig < SIGNALS; sig++) {
        const struct ksigaction *act = &m->proc->hand->act[sig];
        if (act->handler == 0 && act->flags == 0 && act->mask == 0) {
            continue;
        }
        bool full =
            m->batch.n == TRACEE_BATCH_CALLS || m->data_n + SIGACTION_BYTES > TRACEE_BATCH_BYTES;
        if (full && !make_calls(m)) {
            return false;
        }
        const uint64_t args[6] = {(uint64_t)sig, TRACEE_BATCH_DATA + m->data_n, 0, 8};
        if (!call(m, SYS_rt_sigaction, args, 0)) {
            return false;
        }
        memcpy(m->batch.data + m->data_n, act, SIGACTION_BYTES);
        m->data_n += SIGACTION_BYTES;
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

/* What a program can see of its mappings; how files are numbered is not for it. */
static void maps_digest(struct maps *maps, struct strbuf *ret)
{
    struct map map;
    while (maps_next(maps, &map)) {
        strbuf_printf(ret, "%llx-%llx %s %llx %s", (unsigned long long)map.begin,
                      (unsigned long long)map.end, map.perms, (unsigned long long)map.offset,
                      map.name);
    }
    maps_close(maps);
}

static bool maps_right(struct making *m)
{
    SCOPED_STRBUF is = {0}, should = {0};
    maps_digest(maps_open(m->proc->real), &is);
    maps_digest(maps_of_text(strbuf_str(&m->maps)), &should);
    return is.n == should.n && memcmp(is.p, should.p, is.n) == 0;
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

/* Starts the program and stops it before its first instruction, which is never executed. */
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
    struct first_program program = {.argv = argv, .fd = -1, .unguarded = true};
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
    m->batch.n = m->data_n = 0;
    m->given = (struct given){0, -1};
    tracee_same_counter(true); /* until the next process is started */
    bool good = call(m, SYS_brk, (const uint64_t[6]){brk}, (int64_t)brk) && clear_maps(m) &&
                make_maps(m) && make_signals(m) && make_calls(m);
    good = good && tracee_guard(&m->call, &m->proc->node->shared, m->w->engine->rules) &&
           load_threads(m, in, (size_t)n) && load_pages(m->proc->real, in);
    bool right = good && maps_right(m);
    tracee_same_counter(false);
    return right ? 0 : not_fit(err, good ? "mappings" : "a process");
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

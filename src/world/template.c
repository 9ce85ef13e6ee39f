/* Templates: programs that are loaded already. Between exec and its first act that anybody could
 * notice, a program maps its libraries and reads files of the machine that never change; for Python
 * that is all of its imports. What it does there depends on little: the command, the environment,
 * its process number, the randomness and the time that it was given. So the second time that all of
 * these are the same, a copy of the process is kept where this part ends, and from then on
 * starting the program means to copy the copy.
 *
 * A start from a template leaves the world exactly as a straight start does: the calls of that part
 * are in a list and enter the hash and the counters one by one, clock, randomness and numbers of
 * files are moved on, and the thread stands before the same system call. The clock also counts in
 * the comparison because the dynamic linker reads the time stamp counter before anything else.
 *
 * Which calls belong to that part is told by `may_pass`: calls on files of the machine and on names
 * that are made up from the description, and calls on the process itself. At the first other one it
 * ends. Rejected: a list of what such calls change, undone call by call; they change a few fields
 * of the process and the thread, which are simply kept. */
#include "world/template.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/futex.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/user.h>

#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/copies.h"
#include "world/heap.h"
#include "world/world.h"
#include "world/world_int.h"

enum { TEMPLATES_MOST = 96, SEEN_MOST = 256, CALLS_MOST = 100000 };

/* What the first part of a program depends on. */
struct start {
    struct strbuf command; /* node, directory, program, arguments, environment */
    int pid;
    struct rng rng;
    uint64_t now_ns, spin;
    bool first; /* of the node: its disk is as described */
};

/* One call as it enters the hash; or a reading of the time stamp counter. */
struct past_call {
    uint64_t nr, args, result;
    bool ticks, has_result;
};

/* A file of the machine that is open. */
struct open_file {
    uint32_t fd;
    struct fd_slot slot;
    struct hfile file; /* as it is */
    struct strbuf path;
};

struct template
{
    struct start start;
    bool by_ids;      /* it saw a number that counts the files of the world: */
    uint64_t next_id; /* this one */
    pid_t real;       /* the copy; 0 = not yet */
    struct user_regs_struct regs;
    VEC(struct past_call) calls;
    VEC(struct open_file) files;
    /* from the start to the end of the part */
    struct world_counts counts;
    uint64_t ns, ids, reads;
    /* at its end */
    struct rng rng;
    uint64_t spin, utime_ns;
    uint64_t quantum; /* calls since the thread was last given the processor */
    struct ksigaction act[SIGNALS];
    struct thread thread;
    char comm[16];
    struct strbuf cmdline;
    uint64_t used; /* when, for the one that is thrown away first */
};

struct templates {
    VEC(struct tracee_shared) shared; /* of each node: copies have them mapped */
    struct tracee_cage *cage;         /* or NULL */
    VEC(struct template *) all;
    VEC(uint64_t) seen; /* starts that were met once: only what comes again is worth a copy */
    uint64_t clock;
};

/* The part that runs now, for a template that is to be. */
struct recording {
    struct template *t;
    const struct thread *thread;
    struct world_counts counts;
    uint64_t now_ns, next_id, reads;
    uint64_t quantum_begin;
};

/* ---- the store ---- */

struct templates *templates_new(void)
{
    size_t cap = 0;
    struct templates *store = vec_grow(NULL, &cap, 1, sizeof *store);
    memset(store, 0, sizeof *store);
    return store;
}

static void template_free(struct template *t)
{
    if (t->real != 0) {
        tracee_kill(t->real);
        tracee_reap(t->real);
    }
    strbuf_done(&t->start.command);
    strbuf_done(&t->cmdline);
    for (size_t i = 0; i < t->files.n; i++) {
        strbuf_done(&t->files.v[i].path);
    }
    VEC_DONE(&t->files);
    VEC_DONE(&t->calls);
    vec_release(t);
}

void templates_free(struct templates *store)
{
    if (store == NULL) {
        return;
    }
    for (size_t i = 0; i < store->all.n; i++) {
        template_free(store->all.v[i]);
    }
    for (size_t i = 0; i < store->shared.n; i++) {
        tracee_shared_done(&store->shared.v[i]);
    }
    tracee_cage_free(store->cage);
    VEC_DONE(&store->shared);
    VEC_DONE(&store->all);
    VEC_DONE(&store->seen);
    vec_release(store);
}

struct tracee_cage *templates_cage(struct templates *store)
{
    if (store->cage == NULL) {
        store->cage = tracee_cage_new();
    }
    return store->cage;
}

int templates_shared(struct templates *store, uint32_t node, struct tracee_shared *ret,
                     struct err *err)
{
    while (store->shared.n <= node) {
        struct tracee_shared made;
        int status = tracee_shared_init(&made, err);
        if (status != 0) {
            return status;
        }
        VEC_PUSH(&store->shared, made);
    }
    *ret = store->shared.v[node];
    memset(ret->page, 0, sizeof *ret->page);
    return 0;
}

/* ---- what a start depends on ---- */

static void add_text(struct strbuf *out, const char *text)
{
    strbuf_add(out, text, strlen(text) + 1);
}

static struct start start_of(const struct world *w, const struct node *node,
                             const struct first_program *program)
{
    struct start s = {.pid = node->next_pid + 1,
                      .rng = node->rng,
                      .now_ns = w->now_ns,
                      .spin = node->shared.page->spin,
                      .first = node->starts == 0};
    strbuf_printf(&s.command, "%u %lld %lld", node->index, (long long)node->skew_ns,
                  (long long)node->drift_ppm);
    add_text(&s.command, node->cwd);
    add_text(&s.command, program->path);
    char *const *lists[2] = {program->argv, node->env};
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; lists[k][i] != NULL; i++) {
            add_text(&s.command, lists[k][i]);
        }
        strbuf_addc(&s.command, '\0');
    }
    return s;
}

static bool same_start(const struct start *a, const struct start *b)
{
    return a->pid == b->pid && a->now_ns == b->now_ns && a->spin == b->spin &&
           a->first == b->first && memcmp(&a->rng, &b->rng, sizeof a->rng) == 0 &&
           str_eq(strbuf_str(&a->command), strbuf_str(&b->command));
}

/* Whether it was met before; it is from now on. The set is small and forgets. */
static bool seen_before(struct templates *store, const struct start *s)
{
    uint64_t h = hash_bytes(s->command.p, s->command.n, (uint64_t)s->pid);
    h = hash_combine(hash_bytes(&s->rng, sizeof s->rng, h), s->now_ns);
    for (size_t i = 0; i < store->seen.n; i++) {
        if (store->seen.v[i] == h) {
            return true;
        }
    }
    if (store->seen.n < SEEN_MOST) {
        VEC_PUSH(&store->seen, h);
    } else {
        store->seen.v[store->clock % SEEN_MOST] = h;
    }
    return false;
}

/* The part runs without a break only if nothing else could. */
static bool alone(const struct world *w, const struct node *node,
                  const struct first_program *program)
{
    bool quiet = w->run_head == NULL && node->procs == NULL;
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        quiet = quiet && !w->nodes[i]->changed;
    }
    return quiet && program->fd < 0 && w->engine->debug.fn == NULL && w->engine->trace_fd < 0;
}

struct template *template_find(struct world *w, struct node *node,
                               const struct first_program *program)
{
    struct templates *store = w->engine->templates;
    template_cancel(w);
    if (store == NULL || !alone(w, node, program)) {
        return NULL;
    }
    struct start s = start_of(w, node, program);
    struct template *found = NULL;
    store->clock++;
    for (size_t i = 0; i < store->all.n && found == NULL; i++) {
        struct template *t = store->all.v[i];
        bool same = same_start(&t->start, &s) && (!t->by_ids || t->next_id == w->next_id);
        found = same ? t : NULL;
    }
    if (found == NULL && seen_before(store, &s)) {
        size_t cap = 0;
        struct template *t = vec_grow(NULL, &cap, 1, sizeof *t);
        memset(t, 0, sizeof *t);
        t->start = s;
        t->next_id = w->next_id;
        w->engine->recording = vec_grow(NULL, &(size_t){0}, 1, sizeof *w->engine->recording);
        *w->engine->recording = (struct recording){.t = t};
        return NULL;
    }
    strbuf_done(&s.command);
    if (found != NULL) {
        found->used = store->clock;
    }
    return found;
}

pid_t template_copy(const struct template *t, const struct node *node)
{
    struct tracee_thread thread = {.tid = t->real, .regs = &t->regs};
    pid_t tid = 0;
    return tracee_copy(&thread, 1, &node->shared, &tid) == 0 ? tid : 0;
}

/* ---- the part as it runs ---- */

void template_cancel(struct world *w)
{
    struct recording *r = w->engine->recording;
    if (r != NULL) {
        template_free(r->t);
        vec_release(r);
        w->engine->recording = NULL;
    }
}

void template_begin(struct world *w, const struct thread *t)
{
    struct recording *r = w->engine->recording;
    if (r != NULL) {
        r->thread = t;
        r->counts = w->counts;
        r->now_ns = w->now_ns;
        r->next_id = w->next_id;
        r->reads = t->proc->node->shared.page->reads;
    }
}

void template_turn(struct world *w, const struct thread *t, uint64_t begin_calls)
{
    struct recording *r = w->engine->recording;
    if (r != NULL && r->thread != t) {
        template_cancel(w);
    } else if (r != NULL) {
        r->quantum_begin = begin_calls;
    }
}

void template_note(struct world *w, const struct thread *t, bool has_result, int64_t result)
{
    struct past_call call = {.nr = (uint64_t)t->nr,
                             .args = call_args_hash(t),
                             .result = (uint64_t)result,
                             .has_result = has_result};
    VEC_PUSH(&w->engine->recording->t->calls, call);
}

void template_note_ticks(struct world *w, uint64_t ticks)
{
    VEC_PUSH(&w->engine->recording->t->calls, (struct past_call){.nr = ticks, .ticks = true});
}

/* ---- which calls belong to it ---- */

static bool of_machine(const struct file *f)
{
    return f != NULL && (f->ops == &hfile_ops || f->ops == &text_ops);
}

static bool off_disk(const struct file *f)
{
    return f != NULL && f->ops != &vfile_ops;
}

/* A name that leads nowhere, and never near the disks of the node. */
static bool far_from_disks(const struct node *node, const char *path)
{
    bool far = path[0] == '/' && strstr(path, "..") == NULL;
    for (uint32_t i = 0; far && i < node->n_mounts; i++) {
        far = strncmp(path, node->mounts[i].path, strlen(node->mounts[i].path)) != 0;
    }
    return far;
}

/* A name whose meaning follows from the machine and the description alone. To look at names of the
 * node's own disk is well as long as it is as described. */
static bool fixed_name(struct world *w, struct thread *t, int dirfd, const char *path, bool look)
{
    struct found at;
    look = look && w->engine->recording->t->start.first;
    if (path_walk(w, t, dirfd, path, WALK_EMPTY, &at) != 0) {
        return look || far_from_disks(t->proc->node, path);
    }
    return at.place == PLACE_HOST || (at.place == PLACE_NODE && look) ||
           (at.place == PLACE_MADE && strncmp(at.path, "/etc/", 5) == 0);
}

static bool fixed_path(struct world *w, struct thread *t, int dirfd, uint64_t pointer, bool look)
{
    char path[PATH_MAX];
    return mem_path(t, pointer, path) == 0 && path[0] != '\0' &&
           fixed_name(w, t, dirfd, path, look);
}

static bool fixed_stat(struct world *w, struct thread *t)
{
    char path[PATH_MAX];
    if (mem_path(t, t->a[1], path) != 0) {
        return false;
    }
    if (path[0] != '\0') {
        return fixed_name(w, t, (int)t->a[0], path, true);
    }
    w->engine->recording->t->by_ids |= !of_machine(fd_get_any(t, t->a[0]));
    return true;
}

/* Opens a file of the machine; or the terminal, which programs like to try and nobody has. */
static bool only_reads(struct world *w, struct thread *t, int dirfd, uint64_t pointer,
                       uint64_t flags)
{
    char path[PATH_MAX];
    bool reads = (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) == O_RDONLY;
    return (reads && fixed_path(w, t, dirfd, pointer, false)) ||
           (mem_path(t, pointer, path) == 0 && strcmp(path, "/dev/tty") == 0);
}

/* A daemon of the machine that does not run here. */
static bool absent_daemon(struct world *w, struct thread *t)
{
    struct sockaddr_un addr = {0};
    size_t n = t->a[2] < sizeof addr - 1 ? t->a[2] : sizeof addr - 1;
    const struct file *f = fd_get(t, t->a[0]);
    return f != NULL && f->ops == &sock_ops && mem_read(t, t->a[1], &addr, n) &&
           addr.sun_family == AF_UNIX && addr.sun_path[0] == '/' &&
           fixed_name(w, t, AT_FDCWD, addr.sun_path, false);
}

static bool passes_on_file(struct thread *t)
{
    const struct file *f = fd_get(t, t->a[t->nr == SYS_mmap ? 4 : 0]);
    switch (t->nr) {
    case SYS_mmap:
        return of_machine(f) &&
               ((t->a[3] & MAP_TYPE) == MAP_PRIVATE || (t->a[2] & PROT_WRITE) == 0);
    case SYS_ioctl:
        return (off_disk(f) &&
                (t->a[1] == TCGETS || t->a[1] == TIOCGPGRP || t->a[1] == TIOCGWINSZ)) ||
               (of_machine(f) && t->a[1] == FIOCLEX);
    case SYS_fcntl: return t->a[1] == F_GETFD || t->a[1] == F_GETFL;
    case SYS_close: return t->a[0] > 2 && off_disk(f);
    case SYS_lseek: return off_disk(f);
    case SYS_read:
    case SYS_pread64:
    case SYS_fadvise64:
    case SYS_getdents64: return of_machine(f);
    default: return false;
    }
}

static bool passes_on_name(struct world *w, struct thread *t)
{
    switch (t->nr) {
    case SYS_open: return only_reads(w, t, AT_FDCWD, t->a[0], t->a[1]);
    case SYS_openat: return only_reads(w, t, (int)t->a[0], t->a[1], t->a[2]);
    case SYS_newfstatat: return fixed_stat(w, t);
    case SYS_access:
    case SYS_stat:
    case SYS_lstat:
    case SYS_readlink: return fixed_path(w, t, AT_FDCWD, t->a[0], true);
    case SYS_faccessat:
    case SYS_faccessat2:
    case SYS_readlinkat: return fixed_path(w, t, (int)t->a[0], t->a[1], true);
    case SYS_socket: return t->a[0] == AF_UNIX;
    case SYS_connect: return absent_daemon(w, t);
    default: return passes_on_file(t);
    }
}

static bool may_pass(struct world *w, struct thread *t)
{
    const struct call_row *row = call_row(t->nr);
    switch (t->nr) {
    case SYS_arch_prctl:
    case SYS_set_tid_address:
    case SYS_set_robust_list:
    case SYS_getrandom:
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
    case SYS_sigaltstack:
    case SYS_getpid:
    case SYS_gettid:
    case SYS_getppid:
    case SYS_getpgrp:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
    case SYS_uname:
    case SYS_sysinfo:
    case SYS_getcwd:
    case SYS_getrlimit:
    case SYS_sched_getaffinity:
    case SYS_epoll_create1: return true; /* some try whether there is such a thing */
    case SYS_prlimit64: return t->a[2] == 0;
    case SYS_futex: return (t->a[1] & (uint64_t)FUTEX_CMD_MASK) == FUTEX_WAKE;
    default: return (row != NULL && row->fn == NULL && row->refuse != 0) || passes_on_name(w, t);
    }
}

/* ---- its end ---- */

static bool simple_file(const struct file *f)
{
    return f->ops == &hfile_ops && f->refs == 1 && f->watches == NULL && f->flock == 0 &&
           f->owner == 0 && f->listing == NULL && f->path != NULL;
}

/* Nothing but files of the machine is open besides what every program has; nothing waits or is
 * pending. */
static bool plain(const struct thread *t)
{
    const struct proc *p = t->proc;
    bool good = p->n_threads == 1 && p->pending == NULL && t->pending == NULL &&
                t->sending == NULL && p->itimer == NULL && p->node->timers == NULL &&
                p->attaches == NULL && p->undos == NULL && p->fds->refs == 1 &&
                p->hand->refs == 1 && p->cwd->refs == 1 && p->cwd->umask == 022 &&
                p->cwd->root[0] == '\0' && strcmp(p->cwd->path, p->node->cwd) == 0;
    for (uint32_t fd = 0; fd < p->fds->n; fd++) {
        const struct file *f = p->fds->slots[fd].file;
        good = good && (fd < 3 ? f != NULL : f == NULL || simple_file(f));
    }
    return good;
}

_Static_assert(sizeof(struct world_counts) % sizeof(uint64_t) == 0, "counters and nothing else");

static void count_since(struct world_counts *ret, const struct world_counts *now,
                        const struct world_counts *then)
{
    const uint64_t *a = (const uint64_t *)now, *b = (const uint64_t *)then;
    uint64_t *c = (uint64_t *)ret;
    for (size_t i = 0; i < sizeof *ret / sizeof *c; i++) {
        c[i] = a[i] - b[i];
    }
}

static void keep(struct world *w, struct thread *t)
{
    struct recording *r = w->engine->recording;
    struct template *k = r->t;
    const struct proc *p = t->proc;
    const struct tracee_page *page = p->node->shared.page;
    count_since(&k->counts, &w->counts, &r->counts);
    k->ns = w->now_ns - r->now_ns;
    k->ids = w->next_id - r->next_id;
    k->reads = page->reads - r->reads;
    k->rng = p->node->rng;
    k->spin = page->spin;
    k->utime_ns = p->utime_ns;
    k->quantum = w->counts.calls - r->quantum_begin;
    memcpy(k->act, p->hand->act, sizeof k->act);
    k->thread = *t;
    memcpy(k->comm, p->comm, sizeof k->comm);
    strbuf_add(&k->cmdline, p->cmdline, p->cmdline_n);
    for (uint32_t fd = 3; fd < p->fds->n; fd++) {
        const struct file *f = p->fds->slots[fd].file;
        if (f != NULL) {
            struct open_file open = {
                .fd = fd, .slot = p->fds->slots[fd], .file = *(const struct hfile *)f};
            open.file.f.id -= r->next_id;
            strbuf_adds(&open.path, f->path);
            VEC_PUSH(&k->files, open);
        }
    }
}

/* Makes room by giving up the one that was not used for longest. */
static void store_add(struct templates *store, struct template *t)
{
    size_t oldest = 0;
    t->used = store->clock;
    if (store->all.n < TEMPLATES_MOST) {
        VEC_PUSH(&store->all, t);
        return;
    }
    for (size_t i = 1; i < store->all.n; i++) {
        oldest = store->all.v[i]->used < store->all.v[oldest]->used ? i : oldest;
    }
    template_free(store->all.v[oldest]);
    store->all.v[oldest] = t;
}

void template_call(struct world *w, struct thread *t)
{
    struct recording *r = w->engine->recording;
    if (r->t->calls.n < CALLS_MOST && may_pass(w, t)) {
        return;
    }
    struct tracee_thread thread = {.tid = t->real, .regs = &t->regs};
    if (!plain(t) || r->t->calls.n == 0 ||
        tracee_copy(&thread, 1, &t->proc->node->shared, &r->t->real) != 0) {
        r->t->real = 0;
        template_cancel(w);
        return;
    }
    live_forget(w, t->proc->node);
    r->t->regs = t->regs;
    keep(w, t);
    store_add(w->engine->templates, r->t);
    vec_release(r);
    w->engine->recording = NULL;
}

/* ---- a start from it ---- */

static void hash_calls(struct world *w, const struct template *k, const struct thread *t)
{
    for (size_t i = 0; i < k->calls.n; i++) {
        const struct past_call *c = &k->calls.v[i];
        if (!c->ticks) {
            hash_u64(w, t->id);
        }
        hash_u64(w, c->nr);
        if (!c->ticks) {
            hash_u64(w, c->args);
        }
        if (c->has_result) {
            hash_u64(w, c->result);
        }
    }
}

static void open_files(struct world *w, struct proc *p, const struct template *k)
{
    for (size_t i = 0; i < k->files.n; i++) {
        const struct open_file *open = &k->files.v[i];
        struct hfile *h = HEAP_NEW(w->heap, struct hfile);
        heap_mark(h, HEAP_FILE);
        *h = open->file;
        h->f.node = p->node;
        h->f.id += w->next_id;
        h->f.path = heap_strdup(w, open->path.p);
        h->fd = host_open_fd(w, h->f.path, h->f.flags & (O_PATH | O_DIRECTORY));
        (void)fd_add(w, p, &h->f, open->slot.cloexec, open->fd);
    }
}

void template_apply(struct world *w, struct thread *t, const struct template *k)
{
    struct proc *p = t->proc;
    struct tracee_page *page = p->node->shared.page;
    const uint64_t *add = (const uint64_t *)&k->counts;
    uint64_t *counts = (uint64_t *)&w->counts;
    for (size_t i = 0; i < sizeof k->counts / sizeof *add; i++) {
        counts[i] += add[i];
    }
    hash_calls(w, k, t);
    open_files(w, p, k);
    w->now_ns += k->ns;
    w->next_id += k->ids;
    w->busy += k->counts.calls;
    p->node->rng = k->rng;
    page->reads += k->reads;
    page->spin = k->spin;
    p->utime_ns = k->utime_ns;
    memcpy(p->hand->act, k->act, sizeof k->act);
    memcpy(p->comm, k->comm, sizeof p->comm);
    memcpy(t->comm, k->thread.comm, sizeof t->comm);
    p->cmdline = heap_alloc(w->heap, k->cmdline.n + 1);
    memcpy(p->cmdline, k->cmdline.p, k->cmdline.n);
    p->cmdline_n = k->cmdline.n;
    t->clear_tid = k->thread.clear_tid;
    t->robust = k->thread.robust;
    t->robust_len = k->thread.robust_len;
    t->has_altstack = k->thread.has_altstack;
    memcpy(t->altstack, k->thread.altstack, sizeof t->altstack);
    t->at_stop = true;
    t->quantum = k->quantum;
}

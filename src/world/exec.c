/* exec: a new program in the place of an old one, and the first program of a node.
 *
 * A program of the machine's file system is executed by the real kernel, by its path. One on the
 * node's own disk is not there for the real kernel: its contents are put into a memory file, which
 * the process opens at a fixed descriptor, and that is executed. Scripts on the node's disk are
 * taken apart here, as the kernel would. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#include "base/rng.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/copies.h"
#include "world/heap.h"
#include "world/hwrand.h"
#include "world/world_int.h"

enum { SCRIPT_LINE = 256, SCRIPTS_DEEP = 4, ARGS_MOST = 65536 };

/* ---- programs on the node's disk ---- */

/* The first line of a script: "#!", the interpreter, perhaps one argument. */
struct script {
    char line[SCRIPT_LINE];
    const char *interpreter, *argument; /* the latter may be NULL */
};

/* The beginning of a file of the machine. */
static int64_t host_read(const char *path, char *to, size_t n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd >= 0 ? pread(fd, to, n, 0) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    return got;
}

/* Of a file on the node's disk, or (inode NULL) of the machine. */
static bool script_read(struct world *w, struct inode *inode, const char *path, struct script *ret)
{
    memset(ret, 0, sizeof *ret);
    int64_t n = inode != NULL ? inode_read(w, inode, 0, ret->line, sizeof ret->line - 1)
                              : host_read(path, ret->line, sizeof ret->line - 1);
    if (n < 3 || ret->line[0] != '#' || ret->line[1] != '!') {
        return false;
    }
    ret->line[strcspn(ret->line, "\n")] = '\0';
    char *at = ret->line + 2 + strspn(ret->line + 2, " \t");
    size_t name = strcspn(at, " \t");
    ret->interpreter = at;
    if (at[name] != '\0') {
        at[name] = '\0';
        char *argument = at + name + 1 + strspn(at + name + 1, " \t");
        size_t end = strlen(argument);
        while (end > 0 && (argument[end - 1] == ' ' || argument[end - 1] == '\t')) {
            argument[--end] = '\0';
        }
        ret->argument = end != 0 ? argument : NULL;
    }
    return ret->interpreter[0] != '\0';
}

/* A descriptor of ours on the contents, only for reading: what is open for writing cannot be
 * executed. -errno. */
static int program_fd(struct world *w, struct inode *inode)
{
    uint8_t bytes[SELFMAG];
    int64_t got = inode_read(w, inode, 0, bytes, SELFMAG);
    if (got < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0) {
        return -ENOEXEC;
    }
    int fd = memfd_create("program", MFD_CLOEXEC);
    if (fd >= 0 && inode_copy(w, inode, fd) != 0) {
        (void)close(fd);
        return -ENOMEM;
    }
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int again = fd >= 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    return again >= 0 ? again : -ENOMEM;
}

static int64_t check_file(const struct inode *inode)
{
    return inode == NULL                                        ? -ENOENT
           : !S_ISREG(inode->mode) || (inode->mode & 0111) == 0 ? -EACCES
                                                                : 0;
}

static int64_t check_own(const struct thread *t, const struct inode *inode)
{
    int64_t status = check_file(inode);
    return status != 0 || node_may(t, CRED_FS, inode, X_OK) ? status : -EACCES;
}

/* ---- execve ---- */

struct exec {
    struct world *w;
    struct thread *t;
    struct user_regs_struct regs; /* of the call that will really be made */
    struct found at;              /* the program */
    char given[PATH_MAX];         /* its path, as it was given */
    bool moved;                   /* calls were made inside: the thread must be put back */
    struct tracee_call call;
};

static void drop_other_threads(struct world *w, struct thread *t)
{
    for (struct thread *other = w->threads; other != NULL; other = other->next) {
        if (other != t && other->state != THREAD_DEAD && other->proc == t->proc) {
            other->state = THREAD_DEAD;
            t->proc->n_threads--;
            t->proc->node->n_threads--;
        }
    }
}

/* Arguments of the program: where the list is, and how many. */
static int64_t count_args(struct thread *t, uint64_t list, uint64_t *ret_n)
{
    uint64_t pointer = 1;
    *ret_n = 0;
    while (list != 0 && pointer != 0) {
        if (!mem_read(t, list + 8 * *ret_n, &pointer, sizeof pointer)) {
            return -EFAULT;
        }
        *ret_n += pointer != 0 ? 1 : 0;
        if (*ret_n > ARGS_MOST) {
            return -E2BIG;
        }
    }
    return 0;
}

/* Puts the interpreter and its argument before the arguments: in memory of the process that goes
 * with the old program. */
static int64_t script_args(struct exec *x, const struct script *script, const char *path)
{
    struct thread *t = x->t;
    uint64_t n = 0, extra = script->argument != NULL ? 3 : 2;
    int64_t status = count_args(t, x->regs.rsi, &n);
    if (status != 0) {
        return status;
    }
    uint64_t bytes = (8 * (n + extra + 1) + 2 * (uint64_t)SCRIPT_LINE + PATH_MAX + 4095) & ~4095ULL;
    const uint64_t map[6] = {0,          bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                             UINT64_MAX, 0};
    x->moved = true;
    int64_t base = tracee_call(&x->call, SYS_mmap, map);
    if (base < 0 && base > -4096) {
        return -ENOMEM;
    }
    const char *texts[3] = {script->interpreter, script->argument, path};
    uint64_t at = (uint64_t)base, text = at + 8 * (n + extra + 1);
    bool good = true;
    for (int i = 0; i < 3; i++) {
        if (texts[i] != NULL) {
            good = good && mem_write(t, at, &text, 8) &&
                   mem_write(t, text, texts[i], strlen(texts[i]) + 1);
            at += 8;
            text += strlen(texts[i]) + 1;
        }
    }
    for (uint64_t i = 1; good && i <= n; i++) { /* the first is replaced; the end is copied too */
        uint64_t pointer = 0;
        good = mem_read(t, x->regs.rsi + 8 * i, &pointer, 8) && mem_write(t, at, &pointer, 8);
        at += 8;
    }
    x->regs.rsi = (uint64_t)base;
    return good ? 0 : -EFAULT;
}

/* Opens our descriptor in the process, at the number that the path names. */
static int64_t open_inside(struct exec *x, int fd)
{
    x->moved = true;
    int64_t real = open_in_tracee(x->t, &x->call, fd, false);
    if (real < 0) {
        return real;
    }
    const uint64_t to[6] = {(uint64_t)real, TRACEE_EXEC_FD, O_CLOEXEC};
    int64_t status = tracee_call(&x->call, SYS_dup3, to);
    (void)tracee_call(&x->call, SYS_close, (const uint64_t[6]){(uint64_t)real});
    return status < 0 ? status : 0;
}

/* A program of the machine, as the process may see it. */
static int64_t check_machine(const struct exec *x)
{
    struct stat st;
    if (access(x->at.path, X_OK) != 0 || stat(x->at.path, &st) != 0) {
        return -errno;
    }
    return host_may(x->t, CRED_FS, x->at.path, &st, X_OK) ? 0 : -EACCES;
}

/* Takes scripts apart: x->at becomes the program that is to be executed. The real kernel is not
 * left to do that, since it would tell the interpreter another path than the one that was given. */
static int64_t exec_scripts(struct exec *x)
{
    struct script script;
    for (int deep = 0; x->at.place != PLACE_MADE; deep++) {
        bool own = x->at.place == PLACE_NODE;
        int64_t status = own ? check_own(x->t, x->at.inode) : check_machine(x);
        if (status != 0) {
            return status;
        }
        if (!script_read(x->w, own ? x->at.inode : NULL, x->at.path, &script)) {
            return 0;
        }
        status = deep == SCRIPTS_DEEP ? -ELOOP : script_args(x, &script, x->given);
        (void)snprintf(x->given, sizeof x->given, "%s", script.interpreter);
        status = status != 0 ? status : path_walk(x->w, x->t, AT_FDCWD, x->given, 0, &x->at);
        if (status != 0) {
            return status;
        }
    }
    return -EACCES;
}

/* A part of the program, wherever it lies. */
static bool program_read(const struct exec *x, uint64_t at, void *to, size_t n)
{
    if (x->at.place == PLACE_NODE) {
        return inode_read(x->w, x->at.inode, at, to, n) == (int64_t)n;
    }
    int fd = open(x->at.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good = fd >= 0 && pread(fd, to, n, (off_t)at) == (ssize_t)n;
    if (fd >= 0) {
        (void)close(fd);
    }
    return good;
}

/* The name of the program's dynamic linker; "": it needs none. */
static void linker_of(const struct exec *x, char name[PATH_MAX])
{
    Elf64_Ehdr head;
    Elf64_Phdr part;
    name[0] = '\0';
    if (!program_read(x, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) {
        return;
    }
    for (unsigned i = 0; i < head.e_phnum; i++) {
        if (program_read(x, head.e_phoff + i * sizeof part, &part, sizeof part) &&
            part.p_type == PT_INTERP && part.p_filesz != 0 && part.p_filesz < PATH_MAX &&
            program_read(x, part.p_offset, name, part.p_filesz)) {
            name[part.p_filesz] = '\0';
            return;
        }
    }
    name[0] = '\0';
}

static bool same_contents(struct world *w, struct inode *inode, const char *path)
{
    uint8_t a[4096], b[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool same = fd >= 0;
    uint64_t at = 0;
    for (int64_t n = 1; same && n > 0; at += (uint64_t)n) {
        n = inode_read(w, inode, at, a, sizeof a);
        same = n >= 0 && pread(fd, b, sizeof b, (off_t)at) == n && memcmp(a, b, (size_t)n) == 0;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return same;
}

/* Who has another root has another dynamic linker, but the real kernel takes the machine's: it must
 * be there, too, and the same. */
static int64_t check_linker(struct exec *x)
{
    char name[PATH_MAX];
    struct found at;
    struct stat st, machine;
    linker_of(x, name);
    if (name[0] == '\0') {
        return 0;
    }
    int64_t status = path_walk(x->w, x->t, AT_FDCWD, name, 0, &at);
    status = status == 0 && at.place == PLACE_NODE ? check_own(x->t, at.inode) : status;
    if (status != 0) {
        return status;
    }
    if (at.place == PLACE_HOST && stat(at.path, &st) != 0) {
        return -errno;
    }
    bool same = at.place == PLACE_NODE
                    ? same_contents(x->w, at.inode, name)
                    : at.place == PLACE_HOST && stat(name, &machine) == 0 &&
                          st.st_dev == machine.st_dev && st.st_ino == machine.st_ino;
    if (same) {
        return 0;
    }
    (void)err_set(&x->w->engine->err, ERR_UNSUPPORTED, 0,
                  "node %s, program %s: its root %s has another %s than the machine",
                  x->t->proc->node->name, x->at.path, x->t->proc->cwd->root, name);
    return CALL_STOP;
}

/* A program on the node's disk is opened in the process. */
static int64_t exec_from_disk(struct exec *x)
{
    int fd = program_fd(x->w, x->at.inode);
    if (fd < 0) {
        return fd;
    }
    int64_t status = open_inside(x, fd);
    (void)close(fd);
    return status;
}

void exec_name(struct proc *proc, const char *given)
{
    const char *slash = strrchr(given, '/');
    const char *name = slash != NULL ? slash + 1 : given;
    memset(proc->exec_name, 0, sizeof proc->exec_name);
    memcpy(proc->exec_name, name, strnlen(name, sizeof proc->exec_name - 1));
}

static int64_t exec_threads(struct exec *x, const char *exe)
{
    struct thread *t = x->t;
    VEC(pid_t) others = {0};
    for (struct thread *o = x->w->threads; o != NULL; o = o->next) {
        if (o->state != THREAD_DEAD && o->proc == t->proc && o != t) {
            VEC_PUSH(&others, o->real);
        }
    }
    (void)tracee_regs_set(t->real, &x->regs);
    int64_t result = tracee_exec_threads(t->real, t->proc->real, others.v, others.n);
    VEC_DONE(&others);
    if (result < 0) {
        return result;
    }
    drop_other_threads(x->w, t);
    t->real = t->proc->real;
    t->tid = t->proc->pid;
    heap_free(x->w->heap, t->proc->exe);
    t->proc->exe = heap_strdup(x->w, exe);
    if (proc_prepare(x->w, t) < 0) {
        return CALL_STOP;
    }
    proc_exec_done(x->w, t);
    return CALL_RESUMED;
}

static int64_t exec_path(struct exec *x)
{
    struct thread *t = x->t;
    char *scratch = (char *)t->proc->node->shared.bytes + TRACEE_SCRATCH;
    char name[PATH_MAX];
    memcpy(name, x->given, sizeof name);
    int64_t status = exec_scripts(x);
    bool inside = x->at.place == PLACE_NODE; /* else it is the machine's */
    status = status == 0 && t->proc->cwd->root[0] != '\0' ? check_linker(x) : status;
    status = status == 0 && inside ? exec_from_disk(x) : status;
    if (x->moved && status == 0 && !tracee_rearm(t->real, &t->regs)) {
        return CALL_GONE;
    }
    if (status != 0) {
        return status;
    }
    (void)snprintf(scratch, PATH_MAX, "%s", inside ? "" : x->at.path);
    if (inside) { /* execveat of the descriptor itself */
        x->regs.orig_rax = SYS_execveat;
        x->regs.r10 = x->regs.rdx;
        x->regs.rdx = x->regs.rsi;
        x->regs.rsi = TRACEE_PAGE_ADDR + TRACEE_SCRATCH;
        x->regs.rdi = TRACEE_EXEC_FD;
        x->regs.r8 = AT_EMPTY_PATH;
    } else {
        x->regs.rdi = TRACEE_PAGE_ADDR + TRACEE_SCRATCH;
    }
    exec_name(t->proc, name);
    if (t->proc->n_threads > 1) {
        return exec_threads(x, x->at.path);
    }
    heap_free(x->w->heap, t->proc->exe);
    t->proc->exe = heap_strdup(x->w, x->at.path);
    (void)tracee_regs_set(t->real, &x->regs);
    return CALL_NATIVE; /* STOP_EXEC follows, or the program sees an error of the real kernel */
}

static struct exec exec_of(struct world *w, struct thread *t)
{
    return (struct exec){
        .w = w, .t = t, .regs = t->regs, .call = {t->real, &t->regs, false, 0}
    };
}

int64_t call_execve(struct world *w, struct thread *t)
{
    struct exec x = exec_of(w, t);
    int64_t status = path_arg(w, t, AT_FDCWD, t->a[0], 0, &x.at);
    status = status != 0 ? status : mem_path(t, t->a[0], x.given);
    return status != 0 ? status : exec_path(&x);
}

/* An open file of the node's disk may have lost its name, or never had one. */
static bool exec_open_file(struct thread *t, struct found *ret)
{
    const struct file *f = fd_get_any(t, t->a[0]);
    char first = 'x';
    if ((t->a[4] & AT_EMPTY_PATH) == 0 || f == NULL || f->ops != &vfile_ops ||
        !mem_read(t, t->a[1], &first, 1) || first != '\0') {
        return false;
    }
    *ret = (struct found){.place = PLACE_NODE, .inode = ((const struct vfile *)f)->inode};
    (void)snprintf(ret->path, sizeof ret->path, "%s", f->path != NULL ? f->path : "");
    return true;
}

int64_t call_execveat(struct world *w, struct thread *t)
{
    struct exec x = exec_of(w, t);
    int flags = (t->a[4] & AT_EMPTY_PATH) != 0 ? WALK_EMPTY : 0;
    flags |= (t->a[4] & AT_SYMLINK_NOFOLLOW) != 0 ? WALK_NOFOLLOW : 0;
    bool open_file = exec_open_file(t, &x.at);
    int64_t status = open_file ? 0 : path_arg(w, t, (int)t->a[0], t->a[1], flags, &x.at);
    char given[PATH_MAX] = "";
    status = status != 0 ? status : mem_path(t, t->a[1], given);
    bool plain = given[0] == '/' || ((int)t->a[0] == AT_FDCWD && given[0] != '\0');
    memcpy(x.given, plain ? given : x.at.path, sizeof x.given);
    x.regs.orig_rax = SYS_execve;
    x.regs.rsi = t->a[2];
    x.regs.rdx = t->a[3];
    return status != 0 ? status : exec_path(&x);
}

/* The arguments, from the new stack. */
static void read_cmdline(struct world *w, struct thread *t)
{
    struct user_regs_struct regs;
    uint64_t argc = 0, first = 0;
    heap_free(w->heap, t->proc->cmdline);
    t->proc->cmdline = NULL;
    t->proc->cmdline_n = 0;
    if (!tracee_regs_get(t->real, &regs) || !mem_read(t, regs.rsp, &argc, 8) ||
        !mem_read(t, regs.rsp + 8, &first, 8)) {
        return;
    }
    char *text = heap_alloc(w->heap, 4096);
    size_t n = tracee_read(t->real, TADDR(first), text, 4095);
    size_t end = 0;
    for (uint64_t i = 0; i < argc && end < n; i++) {
        end += strnlen(text + end, n - end) + 1;
    }
    t->proc->cmdline = text;
    t->proc->cmdline_n = end < n ? end : n;
}

int64_t proc_prepare(struct world *w, struct thread *t)
{
    struct rng *rng = &t->proc->node->rng;
    uint64_t random[2] = {rng_next(rng), rng_next(rng)};
    enum hwrand_way way = w->engine->hwrand_way;
    struct err *err = &w->engine->err;
    bool hidden = false;
    int status =
        tracee_prepare(t->real, (const uint8_t *)random, way != HWRAND_REPLACE, &hidden, err);
    if (status == 0 && way == HWRAND_HIDE && !hidden) {
        status = err_set(err, ERR_UNSUPPORTED, 0,
                         "this processor cannot hide RDRAND; use rdrand = \"replace\"");
    }
    if (status != 0) {
        (void)err_wrap(err, "node %s, program %s", t->proc->node->name, t->proc->exe);
        return CALL_STOP;
    }
    hwrand_exec(w, t);
    cred_exec(w, t);
    read_cmdline(w, t);
    return 0;
}

void proc_exec_done(struct world *w, struct thread *t)
{
    struct proc *proc = t->proc;
    if (proc->mm->by_touch) {
        (void)tracee_limit_data(proc->real, memory_most(w, proc->node));
    }
    live_forget(w, proc->node);
    mm_unref(w, proc->mm);
    proc->mm = mm_new(w);
    shm_exit(w, proc);
    vfork_release(proc);
    if (proc->fds->refs > 1) {
        struct fd_table *own = fd_table_copy(w, proc->fds);
        proc->fds->refs--;
        proc->fds = own;
    }
    fd_table_exec(w, proc);
    if (proc->hand->refs > 1) {
        struct sighand *own = HEAP_NEW(w->heap, struct sighand);
        *own = *proc->hand;
        own->refs = 1;
        proc->hand->refs--;
        proc->hand = own;
    }
    for (int sig = 1; sig < SIGNALS; sig++) {
        bool ignored = proc->hand->act[sig].handler == 1;
        proc->hand->act[sig] = (struct ksigaction){.handler = ignored ? 1 : 0};
    }
    for (struct ktimer *timer = proc->node->timers, *next; timer != NULL; timer = next) {
        next = timer->next;
        if (timer->proc == proc && timer->file == NULL && timer != proc->itimer) {
            timer_free(w, timer);
        }
    }
    t->clear_tid = t->robust = 0;
    t->has_altstack = false;
    proc->execed = true;
    memcpy(proc->comm, proc->exec_name, sizeof proc->comm);
    memcpy(t->comm, proc->comm, sizeof t->comm);
    hash_data(w, proc->exe, strlen(proc->exe));
}

/* ---- the first program of a node ---- */

static bool is_program(struct node *node, const char *path)
{
    const struct inode *inode = node_lookup(node, path);
    return inode != NULL ? check_file(inode) == 0 : access(path, X_OK) == 0;
}

static bool find_program(struct node *node, const char *name, char path[PATH_MAX])
{
    if (strchr(name, '/') != NULL) {
        (void)snprintf(path, PATH_MAX, "%s%s%s", name[0] == '/' ? "" : node->cwd,
                       name[0] == '/' ? "" : "/", name);
        return true;
    }
    const char *dirs = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    for (size_t i = 0; node->env[i] != NULL; i++) {
        if (strncmp(node->env[i], "PATH=", 5) == 0) {
            dirs = node->env[i] + 5;
        }
    }
    while (*dirs != '\0') {
        size_t n = strcspn(dirs, ":");
        (void)snprintf(path, PATH_MAX, "%.*s/%s", (int)n, dirs, name);
        if (is_program(node, path)) {
            return true;
        }
        dirs += n + (dirs[n] == ':' ? 1 : 0);
    }
    return false;
}

/* A script: its interpreter comes first. The list and its texts live in the heap. */
static char **script_argv(struct world *w, const struct script *script, const char *path,
                          char *const *argv)
{
    size_t n = 0, out = 0;
    while (argv[n] != NULL) {
        n++;
    }
    char **list = (char **)heap_alloc(w->heap, (n + 4) * sizeof(char *));
    list[out++] = heap_strdup(w, script->interpreter);
    if (script->argument != NULL) {
        list[out++] = heap_strdup(w, script->argument);
    }
    list[out++] = heap_strdup(w, path);
    for (size_t i = 1; i < n; i++) {
        list[out++] = argv[i];
    }
    return list;
}

int first_program(struct world *w, struct node *node, struct first_program *ret, struct err *err)
{
    *ret = (struct first_program){.argv = node->argv, .fd = -1};
    bool found = node->argv[0] != NULL && find_program(node, node->argv[0], ret->path);
    (void)snprintf(ret->given, sizeof ret->given, "%s", ret->path);
    for (int deep = 0; found && deep <= SCRIPTS_DEEP; deep++) {
        struct inode *inode = node_lookup(node, ret->path);
        struct script script;
        (void)snprintf(ret->exe, sizeof ret->exe, "%s", ret->path);
        bool is_script = script_read(w, inode, ret->path, &script);
        if (inode == NULL && !is_script) {
            char real[PATH_MAX];
            if (realpath(ret->path, real) != NULL) {
                memcpy(ret->exe, real, sizeof real);
            }
            return 0;
        }
        if (inode != NULL && check_file(inode) != 0) {
            return err_set(err, ERR_NOT_FOUND, 0,
                           "node %s: %s on its disk is not an executable file", node->name,
                           ret->path);
        }
        if (!is_script) {
            ret->fd = program_fd(w, inode);
            return ret->fd >= 0 ? 0
                                : err_set(err, ERR_NOT_FOUND, -ret->fd, "node %s: %s", node->name,
                                          ret->path);
        }
        ret->argv = script_argv(w, &script, ret->path, ret->argv);
        found = find_program(node, script.interpreter, ret->path);
    }
    return err_set(err, ERR_NOT_FOUND, 0, "node %s: there is no program '%s'", node->name,
                   node->argv[0] != NULL ? node->argv[0] : "");
}

/* Birth of a tracee: fork, stop, filter, exec; then the shared page and the vDSO.
 *
 * What a program could see of the machine and differs between runs is fixed here: addresses are
 * not randomised, limits are set, the time stamp counter faults (and CPUID too where the processor
 * can do that), descriptors of ours are closed.
 *
 * CPUID works again after every exec, other than the time stamp counter (the kernel's
 * arch_setup_new_exec), so it is switched off from inside the new program, and asked whether it
 * is. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <asm/prctl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "base/err.h"
#include "tracee/cage.h"
#include "tracee/filter.h"
#include "tracee/tracee.h"
#include "tracee/tracee_int.h"

static int memory_file(size_t bytes)
{
    int fd = memfd_create("assay", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)bytes) != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* The same file, only for reading: no mapping of it can ever be made writable. */
static int for_reading(int fd)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return fd >= 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
}

int tracee_shared_init(struct tracee_shared *shared, struct err *err)
{
    *shared = (struct tracee_shared){.fd = -1, .code_fd = -1};
    int fd = memory_file(TRACEE_PAGE_BYTES), code = memory_file(4096);
    int code_fd = for_reading(code);
    void *at = MAP_FAILED;
    bool good = fd >= 0 && code_fd >= 0;
    if (good) {
        at = mmap(NULL, TRACEE_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    good = at != MAP_FAILED && mmap((uint8_t *)at + TRACEE_CODE, 4096, PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_FIXED, code, 0) != MAP_FAILED;
    int saved = errno;
    if (code >= 0) {
        (void)close(code);
    }
    if (!good) {
        if (at != MAP_FAILED) {
            (void)munmap(at, TRACEE_PAGE_BYTES);
        }
        for (int i = 0; i < 2; i++) {
            int made = i == 0 ? fd : code_fd;
            if (made >= 0) {
                (void)close(made);
            }
        }
        return err_set(err, ERR_IO, saved, "making a memory file");
    }
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        saved = errno;
        (void)munmap(at, TRACEE_PAGE_BYTES);
        (void)close(fd);
        (void)close(code_fd);
        return err_set(err, ERR_IO, saved, "making a pair of sockets");
    }
    shared->give_fd = ends[0];
    shared->take_fd = ends[1];
    shared->fd = fd;
    shared->code_fd = code_fd;
    shared->bytes = at;
    uint32_t offset[CLOCK_CODES];
    clock_code_install(shared->bytes + TRACEE_CODE, offset);
    return 0;
}

void tracee_shared_done(struct tracee_shared *shared)
{
    if (shared->bytes != NULL) {
        (void)munmap(shared->bytes, TRACEE_PAGE_BYTES);
        (void)close(shared->fd);
        (void)close(shared->code_fd);
        (void)close(shared->give_fd);
        (void)close(shared->take_fd);
        *shared = (struct tracee_shared){.fd = -1, .code_fd = -1};
    }
}

static void set_limit(__rlimit_resource_t what, uint64_t value)
{
    struct rlimit limit = {value, value};
    (void)setrlimit(what, &limit);
}

bool tracee_limit_data(pid_t pid, uint64_t bytes)
{
    struct rlimit limit;
    if (prlimit(pid, RLIMIT_DATA, NULL, &limit) != 0) {
        return false;
    }
    limit.rlim_cur = bytes != 0 && bytes < limit.rlim_max ? bytes : limit.rlim_max;
    return prlimit(pid, RLIMIT_DATA, &limit, NULL) == 0;
}

/* Nothing stays open but what the page and the program need, at fixed numbers. Ours may have these
 * numbers too, so all go above them first. */
static void place_descriptors(const struct tracee_spec *spec)
{
    int page = fcntl(spec->shared->fd, F_DUPFD, TRACEE_TAKE_FD + 1);
    int code = fcntl(spec->shared->code_fd, F_DUPFD, TRACEE_TAKE_FD + 1);
    int take = fcntl(spec->shared->take_fd, F_DUPFD, TRACEE_TAKE_FD + 1);
    int program = spec->exec_fd >= 0 ? fcntl(spec->exec_fd, F_DUPFD, TRACEE_TAKE_FD + 1) : -1;
    (void)close_range(3, TRACEE_TAKE_FD, 0);
    (void)dup2(page, TRACEE_PAGE_FD);
    (void)dup2(code, TRACEE_CODE_FD);
    (void)dup2(take, TRACEE_TAKE_FD);
    if (program >= 0) {
        (void)dup3(program, TRACEE_EXEC_FD, O_CLOEXEC);
    }
    (void)close_range(TRACEE_TAKE_FD + 1, ~0U, 0);
}

/* Everything between fork and the filter. */
static void child_environment(const struct tracee_spec *spec, pid_t parent)
{
    /* Until it is traced nothing else ends it with us. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent) {
        (void)syscall(SYS_exit_group, 126);
    }
    (void)setpgid(0, 0); /* a Ctrl-C is for us alone */
    for (int sig = 1; sig < 65; sig++) {
        (void)signal(sig, SIG_DFL);
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    int null = spec->cage != NULL ? spec->cage->null_fd : open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) {
        (void)dup2(null, fd);
    }
    set_limit(RLIMIT_MEMLOCK, RLIM_INFINITY); /* root could lock memory without a limit */
    if (spec->cage != NULL) {
        cage_close(spec->cage);
    }
    place_descriptors(spec);
    (void)chdir("/");
    (void)umask(022);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_STACK, spec->limits.stack_bytes);
    if (spec->limits.data_bytes != 0) {
        (void)tracee_limit_data(0, spec->limits.data_bytes);
    }
    (void)personality(ADDR_NO_RANDOMIZE);
    (void)prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

__attribute__((noreturn)) static void child_main(const struct tracee_spec *spec,
                                                 const struct sock_fprog *filter, pid_t parent)
{
    child_environment(spec, parent);
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) {
        (void)syscall(SYS_exit_group, 126);
    }
    (void)syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP);
    if (!spec->unguarded && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter) != 0) {
        (void)syscall(SYS_exit_group, 125);
    }
    if (spec->exec_fd >= 0) {
        (void)syscall(SYS_execveat, TRACEE_EXEC_FD, "", spec->argv, spec->envp, AT_EMPTY_PATH);
    } else {
        (void)execve(spec->path, spec->argv, spec->envp);
    }
    (void)syscall(SYS_exit_group, 127);
    __builtin_unreachable();
}

/* Follows the child to the stop after its exec. */
static int follow_exec(const struct tracee_spec *spec, pid_t pid, struct err *err)
{
    int status = 0;
    if (!wait_stop(pid, &status)) {
        return err_set(err, ERR_UNSUPPORTED, 0, "this system does not let us trace processes");
    }
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE |
                         PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
                         PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, pid, 0, options) != 0) {
        int saved = errno;
        tracee_kill(pid);
        tracee_reap(pid);
        return err_set(err, ERR_UNSUPPORTED, saved, "tracing a process");
    }
    tracee_resume(pid, 0);
    for (;;) {
        struct stop stop;
        tracee_wait(pid, &stop);
        if (stop.kind == STOP_EXEC) {
            return 0;
        }
        if (stop.kind == STOP_GONE) {
            bool filter = WIFEXITED(stop.status) && WEXITSTATUS(stop.status) == 125;
            return filter ? err_set(err, ERR_UNSUPPORTED, 0,
                                    "this system does not let us install a seccomp filter")
                          : err_set(err, ERR_NOT_FOUND, 0, "cannot execute %s", spec->path);
        }
        struct user_regs_struct regs;
        if (stop.kind == STOP_SYSCALL && tracee_regs_get(pid, &regs) &&
            regs.orig_rax == SYS_exit_group) {
            tracee_kill(pid);
            tracee_reap(pid);
            return err_set(err, ERR_NOT_FOUND, 0, "cannot execute %s", spec->path);
        }
        if (stop.kind != STOP_INTERRUPTED) {
            tracee_resume(pid, 0);
        }
    }
}

/* A new process that is ours, in the cage. */
struct entering {
    const struct tracee_spec *spec;
    const struct sock_fprog *filter;
    pid_t pid;
};

static int enter_main(void *arg)
{
    struct entering *entering = arg;
    pid_t pid = cage_fork(entering->spec->cage);
    if (pid == 0) {
        child_main(entering->spec, entering->filter, 0); /* we cannot be seen from inside */
    }
    entering->pid = pid;
    return 0;
}

/* The process that enters the namespaces shares our memory, which is much to copy. */
static pid_t fork_inside(const struct tracee_spec *spec, const struct sock_fprog *filter)
{
    _Alignas(16) uint8_t stack[65536];
    struct entering entering = {spec, filter, -1};
    pid_t pid =
        clone(enter_main, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &entering);
    if (pid < 0) {
        return -1;
    }
    tracee_reap(pid);
    return entering.pid;
}

static int spawn_once(const struct tracee_spec *spec, pid_t *ret_pid, struct err *err)
{
    struct sock_filter code[FILTER_MOST];
    struct sock_fprog filter = {filter_build(spec->rules, code), code};
    bool inside = spec->cage != NULL && spec->cage->keeper != 0;
    pid_t parent = getpid(), pid = inside ? fork_inside(spec, &filter) : fork();
    if (pid < 0) {
        return err_set(err, inside ? ERR_UNSUPPORTED : ERR_IO, errno, "starting %s", spec->path);
    }
    if (pid == 0) {
        child_main(spec, &filter, parent);
    }
    int status = follow_exec(spec, pid, err);
    if (status == 0) {
        *ret_pid = pid;
    }
    return status;
}

/* Systems that let us make namespaces may still not let us trace what is inside: then we do
 * without. */
int tracee_spawn(const struct tracee_spec *spec, pid_t *ret_pid, struct err *err)
{
    int status = spawn_once(spec, ret_pid, err);
    if (status != 0 && err->code == ERR_UNSUPPORTED && spec->cage != NULL &&
        cage_give_up(spec->cage)) {
        status = spawn_once(spec, ret_pid, err);
    }
    return status;
}

/* ---- after exec ---- */

struct aux {
    uint64_t vdso, random;
};

static void find_aux(pid_t tid, uint64_t sp, struct aux *ret)
{
    *ret = (struct aux){0};
    uint64_t word = 0;
    (void)tracee_read(tid, TADDR(sp), &word, 8);
    uint64_t at = sp + 8 * (word + 2); /* argc, argv and its NULL */
    do {
        word = 0;
        (void)tracee_read(tid, TADDR(at), &word, 8);
        at += 8;
    } while (word != 0);
    uint64_t pair[2];
    while (tracee_read(tid, TADDR(at), pair, 16) == 16 && pair[0] != AT_NULL) {
        if (pair[0] == AT_SYSINFO_EHDR) {
            ret->vdso = pair[1];
        } else if (pair[0] == AT_RANDOM) {
            ret->random = pair[1];
        }
        at += 16;
    }
}

/* The first pages of the vDSO, as the tracee has them, and its tables. */
struct vdso {
    uint8_t image[8192];
    size_t n;
    uint64_t symtab, strtab, hash;
};

static void vdso_dynamic(struct vdso *v, const Elf64_Phdr *segment)
{
    for (size_t k = 0; k < segment->p_filesz; k += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;
        if (segment->p_offset + k + sizeof entry > v->n) {
            return;
        }
        memcpy(&entry, v->image + segment->p_offset + k, sizeof entry);
        v->symtab = entry.d_tag == DT_SYMTAB ? entry.d_un.d_ptr : v->symtab;
        v->strtab = entry.d_tag == DT_STRTAB ? entry.d_un.d_ptr : v->strtab;
        v->hash = entry.d_tag == DT_HASH ? entry.d_un.d_ptr : v->hash;
    }
}

static bool vdso_read(struct vdso *v, pid_t tid, uint64_t base)
{
    Elf64_Ehdr header;
    v->symtab = v->strtab = v->hash = 0;
    v->n = tracee_read(tid, TADDR(base), v->image, sizeof v->image);
    if (v->n < sizeof header) {
        return false;
    }
    memcpy(&header, v->image, sizeof header);
    for (size_t i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        size_t at = header.e_phoff + i * sizeof segment;
        if (at + sizeof segment > v->n) {
            return false;
        }
        memcpy(&segment, v->image + at, sizeof segment);
        if (segment.p_type == PT_DYNAMIC) {
            vdso_dynamic(v, &segment);
        }
    }
    return v->symtab != 0 && v->strtab != 0;
}

/* Puts a jump to our code at the beginning of a function of the vDSO, if we have one for it. */
static bool patch_symbol(const struct vdso *v, pid_t tid, uint64_t base, const Elf64_Sym *symbol,
                         const uint32_t offset[CLOCK_CODES])
{
    const char *name = (const char *)v->image + v->strtab + symbol->st_name;
    size_t left = v->n - (size_t)(v->strtab + symbol->st_name);
    for (size_t k = 0; k < CLOCK_CODES; k++) {
        if (strncmp(name, clock_code_symbol(k), left) == 0) {
            uint8_t jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
            uint64_t target = TRACEE_PAGE_ADDR + 4096 + offset[k];
            memcpy(jump + 2, &target, sizeof target);
            return tracee_poke(tid, TADDR(base + symbol->st_value), jump, sizeof jump);
        }
    }
    return true;
}

static bool patch_vdso(const struct vdso *v, pid_t tid, uint64_t base)
{
    uint8_t page[4096];
    uint32_t offset[CLOCK_CODES];
    uint32_t symbols = 32; /* a vDSO without DT_HASH is small all the same */
    clock_code_install(page, offset);
    if (v->hash != 0 && v->hash + 8 <= v->n) {
        memcpy(&symbols, v->image + v->hash + 4, 4);
    }
    for (uint32_t i = 1; i < symbols && v->symtab + (i + 1) * sizeof(Elf64_Sym) <= v->n; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, v->image + v->symtab + i * sizeof symbol, sizeof symbol);
        if (v->strtab + symbol.st_name >= v->n || !patch_symbol(v, tid, base, &symbol, offset)) {
            return v->strtab + symbol.st_name >= v->n;
        }
    }
    return true;
}

/* ---- calls in a program that has not begun ---- */

/* A system call instruction that is there before our own: one of the vDSO's. Where the machine has
 * no vDSO, one is put where the program will start, and taken away again. */
struct entry {
    pid_t tid;
    uint64_t at;
    uint8_t old[8];
    bool lent;
};

static bool entry_find(struct entry *entry, const struct vdso *v, uint64_t base, uint64_t start)
{
    const uint8_t *found = base != 0 ? memmem(v->image, v->n, "\x0f\x05", 2) : NULL;
    if (found != NULL) {
        entry->at = base + (uint64_t)(found - v->image);
        return true;
    }
    const uint8_t code[8] = {0x0f, 0x05, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc};
    entry->at = start;
    entry->lent = tracee_read(entry->tid, TADDR(start), entry->old, sizeof code) == sizeof code &&
                  tracee_poke(entry->tid, TADDR(start), code, sizeof code);
    return entry->lent;
}

static bool entry_give_back(const struct entry *entry)
{
    return !entry->lent || tracee_poke(entry->tid, TADDR(entry->at), entry->old, sizeof entry->old);
}

/* Maps the shared memory files: data, code, scratch. Nothing of the program may be there. */
static bool map_shared(struct tracee_call *call)
{
    const struct {
        uint64_t offset, bytes, prot, fd, from;
    } parts[3] = {
        {0,              4096, PROT_READ | PROT_WRITE, TRACEE_PAGE_FD, 0             },
        {TRACEE_CODE,    4096, PROT_READ | PROT_EXEC,  TRACEE_CODE_FD, 0             },
        {TRACEE_SCRATCH, 8192, PROT_READ | PROT_WRITE, TRACEE_PAGE_FD, TRACEE_SCRATCH},
    };
    bool good = true;
    for (int i = 0; good && i < 3; i++) {
        uint64_t want = TRACEE_PAGE_ADDR + parts[i].offset;
        const uint64_t args[6] = {want,          parts[i].bytes,
                                  parts[i].prot, MAP_SHARED | MAP_FIXED_NOREPLACE,
                                  parts[i].fd,   parts[i].from};
        good = tracee_call(call, SYS_mmap, args) == (int64_t)want;
    }
    return good;
}

/* Whether CPUID faults from now on. */
static bool hide_cpuid(struct tracee_call *call)
{
    const uint64_t off[6] = {ARCH_SET_CPUID, 0}, ask[6] = {ARCH_GET_CPUID, 0};
    call->at = 0; /* our own instruction is in place */
    return tracee_call(call, SYS_arch_prctl, off) == 0 &&
           tracee_call(call, SYS_arch_prctl, ask) == 0;
}

int tracee_prepare(pid_t tid, const uint8_t random[16], bool hide, bool *ret_hidden,
                   struct err *err)
{
    enum { CODE_64 = 0x33 };
    /* From the exec event to the exit of execve, where calls can be injected. */
    int status = 0;
    struct user_regs_struct regs;
    if (ptrace(PTRACE_SYSCALL, tid, 0, 0L) != 0 || !wait_stop(tid, &status) ||
        !tracee_regs_get(tid, &regs)) {
        return err_set(err, ERR_IO, 0, "the program ended while it started");
    }
    if (regs.cs != CODE_64) {
        return err_set(err, ERR_UNSUPPORTED, 0, "it is a 32-bit program, which cannot be run here");
    }
    regs.orig_rax = (unsigned long long)-1;
    struct aux aux;
    struct vdso v = {.n = 0};
    find_aux(tid, regs.rsp, &aux);
    bool known = aux.vdso == 0 || vdso_read(&v, tid, aux.vdso);
    struct entry entry = {.tid = tid};
    struct tracee_call call = {tid, &regs, true, 0};
    bool good = known && entry_find(&entry, &v, aux.vdso, regs.rip);
    call.at = entry.at;
    if (good && !map_shared(&call)) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       "it uses the addresses %#llx to %#llx, "
                       "which the engine needs",
                       (unsigned long long)TRACEE_PAGE_ADDR,
                       (unsigned long long)TRACEE_PAGE_ADDR + TRACEE_PAGE_BYTES);
    }
    *ret_hidden = good && hide && hide_cpuid(&call);
    good = good && entry_give_back(&entry) && tracee_regs_set(tid, &regs) &&
           (aux.vdso == 0 || patch_vdso(&v, tid, aux.vdso)) &&
           (aux.random == 0 || tracee_write(tid, TADDR(aux.random), random, 16) == 16);
    return good ? 0 : err_set(err, ERR_UNSUPPORTED, 0, "preparing the program failed");
}

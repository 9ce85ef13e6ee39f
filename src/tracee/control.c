/* Stops, registers, injected calls.
 *
 * Facts of ptrace that this file relies on (Linux 4.8 and later):
 *  - at a seccomp stop the call has not happened; setting orig_rax to -1 skips it, and rax is then
 *    what the program gets;
 *  - resumed with PTRACE_SYSCALL from there, the next stop is the exit of the call (SIGTRAP|0x80);
 *  - from an exit stop, moved to a syscall instruction, the thread executes that with other
 *    registers. With PTRACE_SYSCALL this stops at its entry first, then perhaps at the filter, then
 *    at its exit.
 *
 * The instruction for the latter is our own, in the shared page, where no program can put another
 * one: those of the program may have been replaced, by the very call that was made there. What
 * stands at the entry is compared with what was asked for all the same. */
#include <elf.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/assert.h"
#include "tracee/tracee.h"
#include "tracee/tracee_int.h"

#if defined(__SANITIZE_THREAD__) || defined(ARENA_ASAN)
#define COUNTER_IS_USED true /* by the sanitizer's own code */
#else
#define COUNTER_IS_USED false
#endif

void tracee_same_counter(bool on)
{
    if (COUNTER_IS_USED) {
        return;
    }
    (void)prctl(PR_SET_TSC, on ? PR_TSC_SIGSEGV : PR_TSC_ENABLE, 0, 0, 0);
}

void tracee_no_stop_signals(bool on)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    if (sigaction(SIGCHLD, NULL, &action) == 0) {
        action.sa_flags = on ? action.sa_flags | SA_NOCLDSTOP : action.sa_flags & ~SA_NOCLDSTOP;
        (void)sigaction(SIGCHLD, &action, NULL);
    }
}

uint64_t tracee_clock_ns(void)
{
    struct timespec now = {0};
    (void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now); /* not the vDSO: it uses the counter */
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t tracee_cpu_ns(pid_t pid)
{
    enum { OF_PROCESS = 2 }; /* the clock that clock_getcpuclockid(3) would name */
    struct timespec used = {0};
    (void)syscall(SYS_clock_gettime, (clockid_t)(~(unsigned)pid << 3 | OF_PROCESS), &used);
    return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

enum { STOP_TRACED_SYSCALL = SIGTRAP | 0x80 };

void tracee_resume(pid_t tid, int sig)
{
    (void)ptrace(PTRACE_CONT, tid, 0, (long)sig); /* ESRCH: it was killed; the wait will tell */
}

void tracee_step(pid_t tid, int sig)
{
    (void)ptrace(PTRACE_SINGLESTEP, tid, 0, (long)sig);
}

bool wait_stop(pid_t tid, int *ret_status)
{
    int status = 0;
    for (;;) {
        pid_t got = waitpid(tid, &status, __WALL);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        *ret_status = got < 0 ? 0 : status;
        return got >= 0 && WIFSTOPPED(status);
    }
}

void tracee_wait(pid_t tid, struct stop *ret_stop)
{
    int status = 0;
    for (;;) {
        if (waitpid(tid, &status, __WALL) < 0) {
            *ret_stop = (struct stop){.kind = errno == EINTR ? STOP_INTERRUPTED : STOP_GONE,
                                      .status = SIGKILL};
            return;
        }
        if (!WIFSTOPPED(status)) {
            *ret_stop = (struct stop){.kind = STOP_GONE, .status = status};
            return;
        }
        int event = status >> 16;
        int sig = WSTOPSIG(status);
        if (event == PTRACE_EVENT_SECCOMP) {
            *ret_stop = (struct stop){.kind = STOP_SYSCALL};
            return;
        }
        if (event == PTRACE_EVENT_EXEC) {
            *ret_stop = (struct stop){.kind = STOP_EXEC};
            return;
        }
        if (event == 0 && sig != STOP_TRACED_SYSCALL) {
            *ret_stop = (struct stop){.kind = STOP_SIGNAL, .sig = sig};
            return;
        }
        (void)ptrace(PTRACE_CONT, tid, 0, 0L); /* a stop that nobody asked for */
    }
}

void tracee_interrupt(pid_t tgid, pid_t tid)
{
    (void)syscall(SYS_tgkill, tgid, tid, SIGSTOP);
}

bool tracee_regs_get(pid_t tid, struct user_regs_struct *ret_regs)
{
    return ptrace(PTRACE_GETREGS, tid, 0, ret_regs) == 0;
}

bool tracee_regs_set(pid_t tid, const struct user_regs_struct *regs)
{
    return ptrace(PTRACE_SETREGS, tid, 0, regs) == 0;
}

bool tracee_fpregs_get(pid_t tid, struct user_fpregs_struct *ret_regs)
{
    return ptrace(PTRACE_GETFPREGS, tid, 0, ret_regs) == 0;
}

bool tracee_fpregs_set(pid_t tid, const struct user_fpregs_struct *regs)
{
    return ptrace(PTRACE_SETFPREGS, tid, 0, regs) == 0;
}

void tracee_finish(pid_t tid, const struct user_regs_struct *regs, int64_t result)
{
    struct user_regs_struct now = *regs;
    now.orig_rax = (unsigned long long)-1;
    now.rax = (unsigned long long)result;
    /* No system call changes what comes behind these; segments are dear to set. */
    struct iovec part = {&now, offsetof(struct user_regs_struct, cs)};
    (void)ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &part);
}

void tracee_restart(pid_t tid, const struct user_regs_struct *regs)
{
    struct user_regs_struct now = *regs;
    now.rax = now.orig_rax;
    now.orig_rax = (unsigned long long)-1;
    now.rip -= 2;
    (void)tracee_regs_set(tid, &now);
}

/* What a thread is about to do, at the entry of an injected call. */
struct wanted {
    uint64_t after; /* 0: the call is under way already, there is no entry */
    long nr;
    const uint64_t *args;
};

static bool is_wanted(pid_t tid, const struct wanted *wanted)
{
    struct user_regs_struct r;
    return tracee_regs_get(tid, &r) && r.rip == wanted->after && (long)r.orig_rax == wanted->nr &&
           r.rdi == wanted->args[0] && r.rsi == wanted->args[1] && r.rdx == wanted->args[2] &&
           r.r10 == wanted->args[3] && r.r8 == wanted->args[4] && r.r9 == wanted->args[5];
}

bool is_fault(int sig)
{
    return sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE || sig == SIGTRAP ||
           sig == SIGSYS;
}

/* The child of a clone, once it has stopped. */
static void take_child(pid_t tid, pid_t *ret_child)
{
    unsigned long child = 0;
    int born = 0;
    (void)ptrace(PTRACE_GETEVENTMSG, tid, 0, &child);
    if (ret_child != NULL && wait_stop((pid_t)child, &born)) {
        *ret_child = (pid_t)child;
    }
}

/* Resumes until the call's exit; a clone event on the way gives the child. Where something else
 * happens than what is wanted, the process is killed: none of that may be done. */
static bool run_to_exit(pid_t tid, const struct wanted *wanted, pid_t *ret_child)
{
    int status = 0;
    bool entry = wanted->after != 0;
    for (;;) {
        if (ptrace(PTRACE_SYSCALL, tid, 0, 0L) != 0 || !wait_stop(tid, &status)) {
            return false;
        }
        int event = status >> 16, sig = WSTOPSIG(status);
        if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK ||
            event == PTRACE_EVENT_VFORK) {
            take_child(tid, ret_child);
        } else if (event == 0 && sig == STOP_TRACED_SYSCALL) {
            if (!entry) {
                return true;
            }
            if (!is_wanted(tid, wanted)) {
                tracee_kill(tid);
                return false;
            }
            entry = false;
        } else if (event == 0 && is_fault(sig)) {
            tracee_kill(tid);
            return false;
        }
    }
}

static int64_t inject(struct tracee_call *call, long nr, const uint64_t args[6], pid_t *ret_child)
{
    struct user_regs_struct regs = *call->regs;
    struct wanted wanted = {0, nr, args};
    regs.rdi = args[0];
    regs.rsi = args[1];
    regs.rdx = args[2];
    regs.r10 = args[3];
    regs.r8 = args[4];
    regs.r9 = args[5];
    if (call->used) {
        regs.rip = call->at != 0 ? call->at : TRACEE_SYSCALL_ADDR;
        regs.rax = (unsigned long long)nr;
        regs.orig_rax = (unsigned long long)-1;
        wanted.after = regs.rip + 2;
    } else {
        regs.orig_rax = (unsigned long long)nr;
    }
    call->used = true;
    if (!tracee_regs_set(call->tid, &regs) || !run_to_exit(call->tid, &wanted, ret_child) ||
        !tracee_regs_get(call->tid, &regs)) {
        return -ESRCH;
    }
    return (int64_t)regs.rax;
}

int64_t tracee_call(struct tracee_call *call, long nr, const uint64_t args[6])
{
    return inject(call, nr, args, NULL);
}

int64_t tracee_call_clone(struct tracee_call *call, const uint64_t args[5], pid_t *ret_child)
{
    uint64_t all[6] = {args[0], args[1], args[2], args[3], args[4], 0};
    *ret_child = 0;
    int64_t result = inject(call, SYS_clone, all, ret_child);
    struct user_regs_struct child;
    if (*ret_child != 0 && tracee_regs_get(*ret_child, &child)) {
        /* The child must see the registers of its own call, not of ours. */
        child.rdi = call->regs->rdi;
        child.rsi = call->regs->rsi;
        child.rdx = call->regs->rdx;
        child.r10 = call->regs->r10;
        child.r8 = call->regs->r8;
        child.r9 = call->regs->r9;
        (void)tracee_regs_set(*ret_child, &child);
    }
    return result;
}

int64_t tracee_run_native(pid_t tid, const struct user_regs_struct *regs)
{
    struct user_regs_struct now = *regs;
    const struct wanted under_way = {0};
    if (!tracee_regs_set(tid, &now) || !run_to_exit(tid, &under_way, NULL) ||
        !tracee_regs_get(tid, &now)) {
        return -ESRCH;
    }
    return (int64_t)now.rax;
}

/* The order in which the other threads and the new program report is not fixed: all are asked in
 * turn. The former first thread of the process reports nothing: the caller takes its place. */
int64_t tracee_exec_threads(pid_t tid, pid_t tgid, const pid_t *others, size_t n)
{
    (void)ptrace(PTRACE_SYSCALL, tid, 0, 0L);
    for (;;) {
        int status = 0;
        if (waitpid(tgid, &status, __WALL | WNOHANG) == tgid && WIFSTOPPED(status)) {
            if (status >> 16 == PTRACE_EVENT_EXEC) {
                return 0;
            }
            if (tid == tgid) {
                struct user_regs_struct regs = {0};
                return tracee_regs_get(tid, &regs) ? (int64_t)regs.rax : -ESRCH;
            }
        }
        if (tid != tgid && waitpid(tid, &status, __WALL | WNOHANG) == tid && WIFSTOPPED(status)) {
            struct user_regs_struct regs = {0};
            return tracee_regs_get(tid, &regs) ? (int64_t)regs.rax : -ESRCH;
        }
        for (size_t i = 0; i < n; i++) {
            if (others[i] != tgid) {
                (void)waitpid(others[i], &status, __WALL | WNOHANG);
            }
        }
        (void)sched_yield();
    }
}

bool tracee_sigmask_get(pid_t tid, uint64_t *ret_mask)
{
    return ptrace(PTRACE_GETSIGMASK, tid, sizeof *ret_mask, ret_mask) == 0;
}

void tracee_sigmask_set(pid_t tid, uint64_t mask)
{
    (void)ptrace(PTRACE_SETSIGMASK, tid, sizeof mask, &mask);
}

void tracee_signal(pid_t tgid, pid_t tid, int sig)
{
    (void)syscall(SYS_tgkill, tgid, tid, sig);
}

bool tracee_siginfo_set(pid_t tid, const void *siginfo, size_t bytes)
{
    ASSERT(bytes == sizeof(siginfo_t));
    return ptrace(PTRACE_SETSIGINFO, tid, 0, siginfo) == 0;
}

/* Nobody but us collects what is ours, and until then no other process can have its number. */
static bool is_ours(pid_t pid)
{
    siginfo_t info;
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

void tracee_kill(pid_t pid)
{
    if (pid > 0 && is_ours(pid)) { /* 0 would be all of us */
        (void)kill(pid, SIGKILL);
    }
}

void tracee_reap(pid_t tid)
{
    int status = 0;
    while (tid > 0) {
        pid_t got = waitpid(tid, &status, __WALL);
        if (got < 0 && errno != EINTR) {
            return;
        }
        if (got > 0 && !WIFSTOPPED(status)) {
            return;
        }
    }
}

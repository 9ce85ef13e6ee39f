/* Copies of stopped processes. The real kernel copies the first thread with clone, called inside
 * the original; the other threads are made anew inside the copy and given the registers (general
 * and floating point), signal mask and alternate signal stack of those they stand for. Afterwards
 * every thread, original or copy, makes its system call again, from the instruction in the shared
 * page, and stops at the filter. */
#include <elf.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "tracee/tracee.h"
#include "tracee/tracee_int.h"

size_t tracee_xstate(pid_t tid, uint8_t to[TRACEE_XSTATE_BYTES])
{
    struct iovec all = {to, TRACEE_XSTATE_BYTES};
    return ptrace(PTRACE_GETREGSET, tid, NT_X86_XSTATE, &all) == 0 ? all.iov_len : 0;
}

/* The parts that any thread may use without asking; tiles (AMX) it would have to ask for. */
#define XSTATE_PARTS                                                                               \
    (UINT64_C(1) << 0 | UINT64_C(1) << 1 | UINT64_C(1) << 2 | UINT64_C(7) << 5 | UINT64_C(1) << 9)
enum { XSTATE_MASK_AT = 464, XSTATE_USED_AT = 512 };

size_t tracee_xstate_plain(pid_t tid, uint8_t to[TRACEE_XSTATE_BYTES])
{
    size_t n = tracee_xstate(tid, to);
    if (n >= XSTATE_USED_AT + sizeof(uint64_t)) {
        uint64_t there = 0, used = 0;
        memcpy(&there, to + XSTATE_MASK_AT, sizeof there);
        memcpy(&used, to + XSTATE_USED_AT, sizeof used);
        used |= there & XSTATE_PARTS;
        memcpy(to + XSTATE_USED_AT, &used, sizeof used);
    }
    return n;
}

void tracee_xstate_use_all(pid_t tid)
{
    uint8_t bytes[TRACEE_XSTATE_BYTES];
    struct iovec all = {bytes, tracee_xstate_plain(tid, bytes)};
    if (all.iov_len != 0) {
        (void)ptrace(PTRACE_SETREGSET, tid, NT_X86_XSTATE, &all);
    }
}

bool tracee_rearm(pid_t tid, const struct user_regs_struct *regs)
{
    struct stop stop;
    struct user_regs_struct again = *regs;
    again.rax = again.orig_rax;
    again.orig_rax = (unsigned long long)-1;
    again.rip = TRACEE_SYSCALL_ADDR; /* the program's own instruction may be another by now */
    (void)tracee_regs_set(tid, &again);
    tracee_resume(tid, 0);
    do {
        tracee_wait(tid, &stop);
        if (stop.kind == STOP_SIGNAL && is_fault(stop.sig)) {
            tracee_kill(tid);
            return false;
        }
        if (stop.kind == STOP_SIGNAL) { /* the first stop of a new thread */
            tracee_resume(tid, 0);
        }
    } while (stop.kind == STOP_INTERRUPTED || stop.kind == STOP_SIGNAL);
    return stop.kind == STOP_SYSCALL && tracee_regs_set(tid, regs);
}

bool tracee_put_state(pid_t tid, const void *xstate, size_t n, uint64_t mask)
{
    uint8_t bytes[TRACEE_XSTATE_BYTES];
    if (n == 0 || n > sizeof bytes) {
        return false;
    }
    memcpy(bytes, xstate, n);
    struct iovec all = {bytes, n};
    if (ptrace(PTRACE_SETREGSET, tid, NT_X86_XSTATE, &all) != 0) {
        return false;
    }
    tracee_sigmask_set(tid, mask);
    return true;
}

bool tracee_same_state(pid_t from, pid_t to)
{
    uint8_t bytes[TRACEE_XSTATE_BYTES];
    uint64_t mask = 0;
    size_t n = tracee_xstate(from, bytes);
    return tracee_sigmask_get(from, &mask) && tracee_put_state(to, bytes, n, mask);
}

static int set_altstack(pid_t tid, const struct user_regs_struct *regs, const uint64_t *altstack,
                        const struct tracee_shared *shared)
{
    if (altstack == NULL) {
        return 0;
    }
    memcpy(shared->bytes + TRACEE_SCRATCH, altstack, 24);
    struct tracee_call set = {tid, regs, false, 0};
    const uint64_t stack[6] = {TRACEE_PAGE_ADDR + TRACEE_SCRATCH};
    return tracee_call(&set, SYS_sigaltstack, stack) == 0 && tracee_rearm(tid, regs) ? 0 : -ESRCH;
}

/* One thread more in a process; it does not stand at its call yet. */
static int add_thread(const struct user_regs_struct *leader_regs, pid_t leader,
                      const struct user_regs_struct *regs, pid_t *ret_tid)
{
    const uint64_t flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                           CLONE_SYSVSEM | CLONE_SETTLS;
    struct tracee_call call = {leader, leader_regs, false, 0};
    const uint64_t args[5] = {flags, regs->rsp, 0, 0, regs->fs_base};
    int64_t result = tracee_call_clone(&call, args, ret_tid);
    if (result < 0 || *ret_tid == 0 || !tracee_rearm(leader, leader_regs)) {
        return result < 0 ? (int)result : -ESRCH;
    }
    return 0;
}

static int make_thread(pid_t pid, const struct tracee_saved *first, const struct tracee_saved *t,
                       const struct tracee_shared *shared, pid_t *ret_tid)
{
    int status = t == first ? 0 : add_thread(first->regs, pid, t->regs, ret_tid);
    if (status == 0 && (!tracee_put_state(*ret_tid, t->xstate, t->xstate_n, t->mask) ||
                        !tracee_rearm(*ret_tid, t->regs))) {
        status = -ESRCH;
    }
    return status != 0 ? status : set_altstack(*ret_tid, t->regs, t->altstack, shared);
}

int tracee_make_threads(pid_t pid, const struct tracee_saved *threads, size_t n,
                        const struct tracee_shared *shared, pid_t *ret_tids)
{
    for (size_t i = 0; i < n; i++) {
        ret_tids[i] = i == 0 ? pid : 0;
        int status = make_thread(pid, threads, &threads[i], shared, &ret_tids[i]);
        if (status != 0) {
            tracee_kill(pid);
            for (; i > 0; i--) {
                tracee_reap(ret_tids[i]);
            }
            return status;
        }
    }
    return 0;
}

/* One thread more in the copied process. */
static int copy_thread(const struct tracee_thread *leader, pid_t new_leader,
                       const struct tracee_thread *thread, const struct tracee_shared *shared,
                       pid_t *ret_tid)
{
    int status = add_thread(leader->regs, new_leader, thread->regs, ret_tid);
    if (status == 0 &&
        (!tracee_same_state(thread->tid, *ret_tid) || !tracee_rearm(*ret_tid, thread->regs))) {
        status = -ESRCH;
    }
    return status != 0 ? status : set_altstack(*ret_tid, thread->regs, thread->altstack, shared);
}

int tracee_copy(const struct tracee_thread *threads, size_t n, const struct tracee_shared *shared,
                pid_t *ret_tids)
{
    struct tracee_call call = {threads[0].tid, threads[0].regs, false, 0};
    const uint64_t args[5] = {CLONE_PARENT | SIGCHLD};
    int64_t result = tracee_call_clone(&call, args, &ret_tids[0]);
    bool back = tracee_rearm(threads[0].tid, threads[0].regs);
    if (result < 0 || ret_tids[0] == 0 || !back) {
        return result < 0 ? (int)result : -ESRCH;
    }
    int status =
        tracee_same_state(threads[0].tid, ret_tids[0]) && tracee_rearm(ret_tids[0], threads[0].regs)
            ? 0
            : -ESRCH;
    size_t made = 1;
    for (; status == 0 && made < n; made++) {
        ret_tids[made] = 0;
        status = copy_thread(&threads[0], ret_tids[0], &threads[made], shared, &ret_tids[made]);
    }
    if (status != 0) {
        tracee_kill(ret_tids[0]);
        for (size_t i = made; i-- > 1;) {
            if (ret_tids[i] != 0) {
                tracee_reap(ret_tids[i]);
            }
        }
        tracee_reap(ret_tids[0]);
    }
    return status;
}

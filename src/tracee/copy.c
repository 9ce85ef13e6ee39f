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

bool tracee_same_state(pid_t from, pid_t to)
{
    uint8_t bytes[TRACEE_XSTATE_BYTES];
    struct iovec all = {bytes, tracee_xstate(from, bytes)};
    uint64_t mask = 0;
    if (all.iov_len == 0 || ptrace(PTRACE_SETREGSET, to, NT_X86_XSTATE, &all) != 0 ||
        !tracee_sigmask_get(from, &mask)) {
        return false;
    }
    tracee_sigmask_set(to, mask);
    return true;
}

/* One thread more in the copied process. */
static int copy_thread(const struct tracee_thread *leader, pid_t new_leader,
                       const struct tracee_thread *thread, const struct tracee_shared *shared,
                       pid_t *ret_tid)
{
    const uint64_t flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                           CLONE_SYSVSEM | CLONE_SETTLS;
    struct tracee_call call = {new_leader, leader->regs, false, 0};
    const uint64_t args[5] = {flags, thread->regs->rsp, 0, 0, thread->regs->fs_base};
    int64_t result = tracee_call_clone(&call, args, ret_tid);
    if (result < 0 || *ret_tid == 0 || !tracee_rearm(new_leader, leader->regs)) {
        return result < 0 ? (int)result : -ESRCH;
    }
    if (!tracee_same_state(thread->tid, *ret_tid) || !tracee_rearm(*ret_tid, thread->regs)) {
        return -ESRCH;
    }
    if (thread->altstack != NULL) {
        memcpy(shared->bytes + TRACEE_SCRATCH, thread->altstack, 24);
        struct tracee_call set = {*ret_tid, thread->regs, false, 0};
        const uint64_t stack[6] = {TRACEE_PAGE_ADDR + TRACEE_SCRATCH};
        if (tracee_call(&set, SYS_sigaltstack, stack) != 0 ||
            !tracee_rearm(*ret_tid, thread->regs)) {
            return -ESRCH;
        }
    }
    return 0;
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

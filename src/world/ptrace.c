/* ptrace between processes of a node: as much as stops another process, looks at its registers and
 * memory, and lets it go on. LeakSanitizer does that to itself, from a helper that shares its
 * memory. Every thread but the running one stands at a stop of the engine's own, so that holding it
 * is not letting it run. */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/world_int.h"

static void let_go(struct world *w, struct thread *t, int sig)
{
    t->held = t->held_news = false;
    t->proc->node->changed = true;
    if (t->state == THREAD_RUNNABLE) {
        thread_queue(w, t);
    }
    if (sig != 0) {
        signal_send_simple(w, t->proc, sig, SI_USER, 0);
    }
}

void ptrace_exit(struct world *w, const struct proc *tracer)
{
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD && t->tracer == tracer) {
            t->tracer = NULL;
            let_go(w, t, 0);
        }
    }
}

struct thread *ptrace_news(const struct world *w, const struct thread *t, int tid, bool *ret_any)
{
    *ret_any = false;
    for (struct thread *other = w->threads; other != NULL; other = other->next) {
        if (other->state != THREAD_DEAD && other->tracer == t->proc &&
            (tid == -1 || other->tid == tid)) {
            *ret_any = true;
            if (other->held_news) {
                return other;
            }
        }
    }
    return NULL;
}

static int64_t attach(struct world *w, struct thread *t, struct thread *other)
{
    if (other == NULL) {
        return -ESRCH;
    }
    if (other->proc == t->proc || other->tracer != NULL || !other->proc->dumpable) {
        return -EPERM;
    }
    (void)w;
    other->tracer = t->proc;
    other->held = other->held_news = true;
    t->proc->node->changed = true; /* the tracer may wait for it */
    return 0;
}

static int64_t get_regset(struct thread *t, struct thread *other)
{
    struct iovec iov;
    struct user_regs_struct regs;
    uint8_t state[TRACEE_XSTATE_BYTES];
    const void *from = &regs;
    size_t n = sizeof regs;
    if (!mem_read(t, t->a[3], &iov, sizeof iov)) {
        return -EFAULT;
    }
    if (t->a[2] == NT_PRSTATUS) {
        if (!tracee_regs_get(other->real, &regs)) {
            return -ESRCH;
        }
    } else if (t->a[2] == NT_X86_XSTATE) {
        n = tracee_xstate_plain(other->real, state);
        from = state;
    } else {
        return -EINVAL;
    }
    iov.iov_len = iov.iov_len < n ? iov.iov_len : n;
    bool good = mem_write(t, (uintptr_t)iov.iov_base, from, iov.iov_len) &&
                mem_write(t, t->a[3], &iov, sizeof iov);
    return good ? 0 : -EFAULT;
}

static int64_t ask(struct world *w, struct thread *t, struct thread *other)
{
    struct user_regs_struct regs;
    uint64_t word = 0;
    thread_plain(other);
    switch ((int)t->a[0]) {
    case PTRACE_DETACH:
    case PTRACE_CONT:
        if (t->a[3] > 64) {
            return -EIO;
        }
        other->tracer = (int)t->a[0] == PTRACE_DETACH ? NULL : other->tracer;
        let_go(w, other, (int)t->a[3] == SIGSTOP ? 0 : (int)t->a[3]);
        return 0;
    case PTRACE_GETREGS:
        if (!tracee_regs_get(other->real, &regs)) {
            return -ESRCH;
        }
        return mem_write(t, t->a[3], &regs, sizeof regs) ? 0 : -EFAULT;
    case PTRACE_GETREGSET: return get_regset(t, other);
    case PTRACE_PEEKTEXT:
    case PTRACE_PEEKDATA:
        if (tracee_read(other->real, TADDR(t->a[2]), &word, sizeof word) != sizeof word) {
            return -EIO;
        }
        return mem_write(t, t->a[3], &word, sizeof word) ? 0 : -EFAULT;
    default: return -EIO;
    }
}

int64_t call_ptrace(struct world *w, struct thread *t)
{
    int request = (int)t->a[0];
    if (request == PTRACE_TRACEME || request == PTRACE_SEIZE) {
        return -EPERM;
    }
    struct thread *other = thread_find(w, t->proc->node, (int)t->a[1]);
    if (request == PTRACE_ATTACH) {
        return attach(w, t, other);
    }
    if (other == NULL || other->tracer != t->proc || (!other->held && request != PTRACE_KILL)) {
        return -ESRCH;
    }
    if (request == PTRACE_KILL) {
        signal_send_simple(w, other->proc, SIGKILL, SI_USER, 0);
        return 0;
    }
    return ask(w, t, other);
}

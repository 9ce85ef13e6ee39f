/* Signals. Who gets which signal and when is decided here; pending signals are kept here. The real
 * kernel only builds the frame: a signal to be handled is made pending in the real thread just
 * before it is resumed, and delivered with our siginfo at the stop that follows at once. The real
 * kernel also keeps the mask and the dispositions, since handlers change the mask without a call.
 *
 * A thread that waits inside a call is woken by a signal it does not block: the call ends with
 * EINTR, or is made again (SA_RESTART). Calls with a mask of their own (ppoll and relatives) are
 * turned into a real sigsuspend with that mask, which returns EINTR after the handler with the old
 * mask in place, exactly as they would. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "base/assert.h"
#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

enum action { DO_IGNORE, DO_HANDLE, DO_END, DO_STOP, DO_CONTINUE };

#define BIT(sig) (UINT64_C(1) << ((sig) - 1))

static enum action action_of(const struct proc *proc, int sig)
{
    uint64_t handler = proc->hand->act[sig].handler;
    if (sig != SIGKILL && sig != SIGSTOP && handler != 0) {
        return handler == 1 ? DO_IGNORE : DO_HANDLE;
    }
    switch (sig) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH: return DO_IGNORE;
    case SIGCONT: return DO_CONTINUE;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: return DO_STOP;
    default: return DO_END;
    }
}

void sigqueue_free_all(struct world *w, struct sigqueue **queue)
{
    while (*queue != NULL) {
        struct sigqueue *q = *queue;
        *queue = q->next;
        heap_free(w->heap, q);
    }
}

static uint64_t queue_mask(const struct sigqueue *queue)
{
    uint64_t mask = 0;
    for (; queue != NULL; queue = queue->next) {
        mask |= BIT(queue->sig);
    }
    return mask;
}

uint64_t signal_pending_mask(const struct thread *t)
{
    return queue_mask(t->pending) | queue_mask(t->proc->pending);
}

uint64_t thread_mask(struct thread *t)
{
    uint64_t mask = 0;
    if (t->has_tempmask) {
        return t->tempmask;
    }
    (void)tracee_sigmask_get(t->real, &mask);
    return mask;
}

static struct sigqueue *queue_take(struct sigqueue **queue, int sig)
{
    for (struct sigqueue **at = queue; *at != NULL; at = &(*at)->next) {
        if ((*at)->sig == sig) {
            struct sigqueue *q = *at;
            *at = q->next;
            q->next = NULL;
            return q;
        }
    }
    return NULL;
}

/* The one that Linux takes first: the thread's before the process's, faults before others, then by
 * number; 0: none of the set is pending. */
static int first_of(const struct thread *t, uint64_t set)
{
    const uint64_t faults =
        BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGFPE) | BIT(SIGSYS);
    const struct sigqueue *queues[2] = {t->pending, t->proc->pending};
    for (int i = 0; i < 2; i++) {
        uint64_t mask = queue_mask(queues[i]) & set;
        if (mask != 0) {
            return __builtin_ctzll((mask & faults) != 0 ? mask & faults : mask) + 1;
        }
    }
    return 0;
}

struct sigqueue *signal_take(struct thread *t, uint64_t set)
{
    int sig = first_of(t, set);
    struct sigqueue *q = sig != 0 ? queue_take(&t->pending, sig) : NULL;
    return q != NULL || sig == 0 ? q : queue_take(&t->proc->pending, sig);
}

/* The parent hears of it, unless it does not want to. */
static void tell_parent(struct world *w, struct proc *proc, int code, int sig)
{
    if (proc->parent == NULL) {
        return;
    }
    if ((proc->parent->hand->act[SIGCHLD].flags & SA_NOCLDSTOP) == 0) {
        siginfo_t info;
        memset(&info, 0, sizeof info);
        info.si_signo = SIGCHLD;
        info.si_code = code;
        info.si_status = sig;
        info.si_pid = proc->pid;
        signal_send(w, proc->parent, NULL, &info);
    }
    proc->node->changed = true;
}

static void proc_continue(struct world *w, struct proc *proc)
{
    if (!proc->stopped) {
        return;
    }
    proc->stopped = false;
    proc->cont_report = true;
    tell_parent(w, proc, CLD_CONTINUED, SIGCONT);
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_RUNNABLE && t->proc == proc) {
            thread_queue(w, t);
        } else if (t->proc == proc) {
            signal_check_blocked(w, t); /* what came meanwhile */
        }
    }
}

static void proc_stop(struct world *w, struct proc *proc, int sig)
{
    if (proc->stopped) {
        return;
    }
    proc->stopped = true;
    proc->stop_report = true;
    proc->cont_report = false;
    proc->status = sig << 8 | 0x7f;
    tell_parent(w, proc, CLD_STOPPED, sig);
}

/* The waiting call of a thread ends because a handler must run. */
static void interrupt_call(struct world *w, struct thread *t, const struct ksigaction *act)
{
    const struct call_row *row = call_row(t->nr);
    thread_plain(t);
    if (t->nr == SYS_vfork || t->nr == SYS_clone) {
        return; /* a vfork waits for its child, come what may */
    }
    if (t->has_tempmask) {
        struct user_regs_struct regs = t->regs;
        regs.orig_rax = SYS_rt_sigsuspend;
        regs.rdi = t->tempmask_ptr;
        regs.rsi = 8;
        (void)tracee_regs_set(t->real, &regs);
        t->suspending = true;
        t->state = THREAD_RUNNABLE;
        t->retry = false;
        t->deadline_ns = NEVER_NS;
        thread_queue(w, t);
        return;
    }
    if (t->nr == SYS_nanosleep || t->nr == SYS_clock_nanosleep) {
        sleep_interrupted(w, t);
    }
    if (t->progress != 0) {
        thread_complete(w, t, (int64_t)t->progress);
        return;
    }
    if (t->futex_pi) { /* the C library does not expect to be told */
        thread_restart(w, t);
        return;
    }
    bool timeout = t->deadline_ns != NEVER_NS;
    if ((row->flags & CALL_RESTART) != 0 && (act->flags & SA_RESTART) != 0 && !timeout) {
        thread_restart(w, t);
    } else {
        thread_complete(w, t, -EINTR);
    }
}

void signal_check_blocked(struct world *w, struct thread *t)
{
    if (t->state != THREAD_BLOCKED || (t->pending == NULL && t->proc->pending == NULL)) {
        return;
    }
    uint64_t open = ~thread_mask(t);
    for (int sig = 0; !t->proc->stopped && (sig = first_of(t, open)) != 0;) {
        switch (action_of(t->proc, sig)) {
        case DO_HANDLE: interrupt_call(w, t, &t->proc->hand->act[sig]); return;
        case DO_END: proc_exit(w, t->proc, sig); return;
        case DO_STOP: proc_stop(w, t->proc, sig); break;
        case DO_IGNORE:
        case DO_CONTINUE: break;
        }
        heap_free(w->heap, signal_take(t, open));
    }
}

/* Makes a signal pending in the real thread; its siginfo follows at the stop. One at a time: the
 * real kernel would take several in an order of its own, and merge those of one kind. */
static void send_real(struct thread *t, struct sigqueue *q)
{
    struct sigqueue **at = &t->sending;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    q->next = NULL;
    *at = q;
    thread_plain(t);
    if (at == &t->sending) {
        tracee_signal(t->proc->real, t->real, q->sig);
    }
}

bool signal_stopped(struct world *w, struct thread *t, int sig)
{
    struct sigqueue *q = t->sending;
    if (q == NULL || q->sig != sig) {
        return false;
    }
    (void)tracee_siginfo_set(t->real, q->info, sizeof q->info);
    tracee_xstate_use_all(t->real); /* the frame tells which parts are */
    t->sending = q->next;
    heap_free(w->heap, q);
    if (t->sending != NULL) {
        tracee_signal(t->proc->real, t->real, t->sending->sig);
    }
    return true;
}

/* The handler is about to run: what it blocks meanwhile. */
static uint64_t blocked_by(struct ksigaction *act, int sig)
{
    uint64_t mask = act->mask | ((act->flags & SA_NODEFER) != 0 ? 0 : BIT(sig));
    if ((act->flags & SA_RESETHAND) != 0) {
        act->handler = 0;
    }
    return mask & ~(BIT(SIGKILL) | BIT(SIGSTOP));
}

bool signal_deliver(struct world *w, struct thread *t)
{
    if (t->pending == NULL && t->proc->pending == NULL) {
        if (t->suspending) {
            t->suspending = t->has_tempmask = false;
        }
        return true;
    }
    uint64_t mask = thread_mask(t);
    t->suspending = t->has_tempmask = false;
    for (;;) {
        struct sigqueue *q = signal_take(t, ~mask);
        if (q == NULL) {
            return true;
        }
        int sig = q->sig;
        switch (action_of(t->proc, sig)) {
        case DO_HANDLE: /* the next one comes on top of it, if it may */
            mask |= blocked_by(&t->proc->hand->act[sig], sig);
            send_real(t, q);
            continue;
        case DO_END:
            heap_free(w->heap, q);
            proc_exit(w, t->proc, sig);
            return false;
        case DO_STOP:
            heap_free(w->heap, q);
            proc_stop(w, t->proc, sig);
            return true; /* the others wait, too */
        case DO_IGNORE:
        case DO_CONTINUE: break;
        }
        heap_free(w->heap, q);
    }
}

/* ---- sending ---- */

static void drop(struct world *w, struct sigqueue **queue, uint64_t set)
{
    for (struct sigqueue **at = queue; *at != NULL;) {
        struct sigqueue *q = *at;
        if ((BIT(q->sig) & set) != 0) {
            *at = q->next;
            heap_free(w->heap, q);
        } else {
            at = &q->next;
        }
    }
}

/* What stops and what continues take each other back. */
static void take_back(struct world *w, struct proc *proc, int sig)
{
    const uint64_t stops = BIT(SIGSTOP) | BIT(SIGTSTP) | BIT(SIGTTIN) | BIT(SIGTTOU);
    uint64_t set = sig == SIGCONT ? stops : (BIT(sig) & stops) != 0 ? BIT(SIGCONT) : 0;
    if (set == 0) {
        return;
    }
    drop(w, &proc->pending, set);
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->proc == proc) {
            drop(w, &t->pending, set);
        }
    }
}

/* The thread that takes a signal of the process: the first one that does not block it. */
static struct thread *taker(struct world *w, struct proc *proc, int sig)
{
    struct thread *first = NULL;
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD && t->proc == proc) {
            first = first == NULL ? t : first;
            if ((thread_mask(t) & BIT(sig)) == 0) {
                return t;
            }
        }
    }
    return first;
}

static bool too_many(const struct sigqueue *queue)
{
    uint32_t n = 0;
    for (; queue != NULL; queue = queue->next) {
        n++;
    }
    return n >= SIGNALS_WAITING;
}

void signal_send(struct world *w, struct proc *proc, struct thread *thread, const void *siginfo)
{
    const siginfo_t *info = siginfo;
    int sig = info->si_signo;
    if (proc->state != PROC_LIVE) {
        return;
    }
    if (sig == SIGKILL) {
        proc_exit(w, proc, SIGKILL);
        return;
    }
    take_back(w, proc, sig);
    if (sig == SIGCONT) {
        proc_continue(w, proc);
    }
    struct thread *t = thread != NULL ? thread : taker(w, proc, sig);
    if (proc->state != PROC_LIVE || t == NULL || t->state == THREAD_DEAD) {
        return;
    }
    bool blocked = (thread_mask(t) & BIT(sig)) != 0;
    enum action action = action_of(proc, sig);
    if (!blocked && (action == DO_IGNORE || action == DO_CONTINUE)) {
        return;
    }
    struct sigqueue **queue = thread != NULL ? &t->pending : &proc->pending;
    if (sig < SIGRTMIN && (queue_mask(*queue) & BIT(sig)) != 0) {
        return; /* it is pending already: once is enough */
    }
    if (sig >= SIGRTMIN && too_many(*queue)) {
        return;
    }
    while (*queue != NULL) {
        queue = &(*queue)->next;
    }
    struct sigqueue *q = HEAP_NEW(w->heap, struct sigqueue);
    q->sig = sig;
    memcpy(q->info, info, sizeof q->info);
    *queue = q;
    proc->node->changed = true; /* sigtimedwait, signalfd */
    signalfd_notify(w, proc);
    if (!blocked && t->state == THREAD_SPINNING) {
        t->state = THREAD_RUNNABLE;
        t->spin_length = 0;
        thread_queue(w, t);
    } else if (!blocked) {
        signal_check_blocked(w, t);
    }
}

void signal_send_simple(struct world *w, struct proc *proc, int sig, int code, int pid)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = sig;
    info.si_code = code;
    info.si_pid = pid;
    signal_send(w, proc, NULL, &info);
}

static int64_t after_sending(const struct thread *t)
{
    return t->state == THREAD_DEAD ? (int64_t)CALL_GONE : 0;
}

static void user_info(struct thread *t, int sig, int code, siginfo_t *info)
{
    memset(info, 0, sizeof *info);
    info->si_signo = sig;
    info->si_code = code;
    info->si_pid = t->proc->pid;
    info->si_uid = (uid_t)t->cred->uid[CRED_REAL];
}

static bool kill_matches(const struct thread *t, const struct proc *p, int pid)
{
    if (pid > 0) {
        return p->pid == pid;
    }
    if (pid == 0) {
        return p->pgid == t->proc->pgid;
    }
    return pid == -1 ? p != t->proc && p->pid != 1 : p->pgid == -pid;
}

int64_t call_kill(struct world *w, struct thread *t)
{
    int pid = (int)t->a[0], sig = (int)t->a[1];
    if (sig < 0 || sig > 64) {
        return -EINVAL;
    }
    if (pid == INIT_PID) { /* it ignores everything */
        return t->cred->uid[CRED_EFFECTIVE] == 0 ? 0 : -EPERM;
    }
    siginfo_t info;
    user_info(t, sig, SI_USER, &info);
    int64_t result = -ESRCH;
    for (struct proc *p = t->proc->node->procs, *next; p != NULL; p = next) {
        next = p->next;
        if (kill_matches(t, p, pid)) {
            result = 0;
            if (sig != 0 && p != t->proc) {
                signal_send(w, p, NULL, &info);
            }
        }
    }
    if (sig != 0 && kill_matches(t, t->proc, pid)) {
        signal_send(w, t->proc, NULL, &info); /* ourselves last: it may be our end */
    }
    return result != 0 ? result : after_sending(t);
}

static int64_t send_thread(struct world *w, struct thread *t, int tgid, int tid, siginfo_t *info)
{
    struct thread *to = thread_find(w, t->proc->node, tid);
    if (tid <= 0 || info->si_signo < 0 || info->si_signo > 64) {
        return -EINVAL;
    }
    if (to == NULL || (tgid > 0 && to->proc->pid != tgid)) {
        return -ESRCH;
    }
    if (info->si_signo != 0) {
        signal_send(w, to->proc, to, info);
    }
    return after_sending(t);
}

int64_t call_tkill(struct world *w, struct thread *t)
{
    siginfo_t info;
    user_info(t, (int)t->a[1], SI_TKILL, &info);
    return send_thread(w, t, 0, (int)t->a[0], &info);
}

int64_t call_tgkill(struct world *w, struct thread *t)
{
    siginfo_t info;
    user_info(t, (int)t->a[2], SI_TKILL, &info);
    return (int)t->a[0] <= 0 ? -EINVAL : send_thread(w, t, (int)t->a[0], (int)t->a[1], &info);
}

int64_t call_rt_sigqueueinfo(struct world *w, struct thread *t)
{
    siginfo_t info;
    if (!mem_read(t, t->a[2], &info, sizeof info)) {
        return -EFAULT;
    }
    struct proc *to = proc_find(t->proc->node, (int)t->a[0]);
    int sig = (int)t->a[1];
    if (sig < 0 || sig > 64) {
        return -EINVAL;
    }
    if (to == NULL) {
        return -ESRCH;
    }
    if (info.si_code >= 0 && to != t->proc) {
        return -EPERM;
    }
    info.si_signo = sig;
    if (sig >= SIGRTMIN && too_many(to->pending)) {
        return -EAGAIN;
    }
    if (sig != 0) {
        signal_send(w, to, NULL, &info);
    }
    return after_sending(t);
}

int64_t call_rt_tgsigqueueinfo(struct world *w, struct thread *t)
{
    siginfo_t info;
    if (!mem_read(t, t->a[3], &info, sizeof info)) {
        return -EFAULT;
    }
    info.si_signo = (int)t->a[2];
    return send_thread(w, t, (int)t->a[0], (int)t->a[1], &info);
}

/* ---- dispositions, masks, waiting ---- */

int64_t call_rt_sigaction(struct world *w, struct thread *t)
{
    uint64_t sig = t->a[0];
    struct ksigaction act;
    bool good = sig >= 1 && sig <= 64 && sig != SIGKILL && sig != SIGSTOP && t->a[3] == 8;
    if (good && t->a[1] != 0 && mem_read(t, t->a[1], &act, sizeof act)) {
        t->proc->hand->act[sig] = act;
        if (action_of(t->proc, (int)sig) == DO_IGNORE) {
            struct sigqueue *q = NULL;
            while ((q = signal_take(t, BIT(sig))) != NULL) {
                heap_free(w->heap, q);
            }
        }
    }
    return CALL_NATIVE; /* the real kernel needs it to build frames, and knows all the errors */
}

int64_t call_rt_sigprocmask(struct world *w, struct thread *t)
{
    (void)w;
    if (t->pending == NULL && t->proc->pending == NULL) {
        return CALL_NATIVE;
    }
    return tracee_run_native(t->real, &t->regs); /* then signals that it let in are delivered */
}

int64_t call_rt_sigreturn(struct world *w, struct thread *t)
{
    (void)w;
    if (t->pending == NULL && t->proc->pending == NULL) {
        return CALL_NATIVE;
    }
    (void)tracee_run_native(t->real, &t->regs);
    return CALL_RESUMED;
}

int64_t call_rt_sigpending(struct world *w, struct thread *t)
{
    (void)w;
    uint64_t set = signal_pending_mask(t) & thread_mask(t);
    if (t->a[1] > 8) {
        return -EINVAL;
    }
    return mem_write(t, t->a[0], &set, t->a[1]) ? 0 : -EFAULT;
}

int64_t tempmask_set(struct thread *t, uint64_t pointer, uint64_t size)
{
    if (pointer == 0 || t->retry) {
        return 0;
    }
    if (size != 8) {
        return -EINVAL;
    }
    if (!mem_read(t, pointer, &t->tempmask, 8)) {
        return -EFAULT;
    }
    t->tempmask &= ~(BIT(SIGKILL) | BIT(SIGSTOP));
    t->tempmask_ptr = pointer;
    t->has_tempmask = true;
    return 0;
}

bool tempmask_lets_in(const struct thread *t)
{
    return t->has_tempmask && (signal_pending_mask(t) & ~t->tempmask) != 0;
}

int64_t call_rt_sigsuspend(struct world *w, struct thread *t)
{
    (void)w;
    int64_t status = t->a[0] == 0 ? -EFAULT : tempmask_set(t, t->a[0], t->a[1]);
    return status != 0 ? status : block(t);
}

int64_t call_pause(struct world *w, struct thread *t)
{
    (void)w;
    return block(t);
}

int64_t call_rt_sigtimedwait(struct world *w, struct thread *t)
{
    uint64_t set = 0, ns = 0, deadline = NEVER_NS;
    if (t->a[3] != 8) {
        return -EINVAL;
    }
    if (!mem_read(t, t->a[0], &set, 8)) {
        return -EFAULT;
    }
    if (t->a[2] != 0) {
        int64_t status = mem_timespec(t, t->a[2], &ns);
        if (status != 0) {
            return status;
        }
        deadline = deadline_after(w, t->proc->node, ns);
    }
    struct sigqueue *q = signal_take(t, set);
    if (q != NULL) {
        int sig = q->sig;
        bool good = t->a[1] == 0 || mem_write(t, t->a[1], q->info, sizeof q->info);
        heap_free(w->heap, q);
        return good ? sig : -EFAULT;
    }
    if (t->timed_out || (t->a[2] != 0 && ns == 0)) {
        return -EAGAIN;
    }
    return block_until(t, deadline);
}

int64_t call_sigaltstack(struct world *w, struct thread *t)
{
    (void)w;
    uint64_t stack[3];
    if (t->a[0] != 0 && mem_read(t, t->a[0], stack, sizeof stack)) {
        memcpy(t->altstack, stack, sizeof stack); /* a copy of the thread will need it */
        t->has_altstack = true;
    }
    return CALL_NATIVE;
}

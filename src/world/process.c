/* Processes and threads: birth, exec, end, waiting for children, and their numbers.
 *
 * Every real process is a child of the engine (CLONE_PARENT), whatever its simulated parent: the
 * real kernel sends no SIGCHLD to programs and leaves no zombies to them. Numbers are the node's
 * own. What the real kernel would write into memory at birth and death (CLONE_*_SETTID and friends)
 * is written here, with those numbers. vfork keeps the shared memory; the parent is held by us. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/rng.h"
#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/copies.h"
#include "world/heap.h"
#include "world/tty.h"
#include "world/world_int.h"

struct proc *proc_find(const struct node *node, int pid)
{
    for (struct proc *p = node->procs; p != NULL; p = p->next) {
        if (p->pid == pid) {
            return p;
        }
    }
    return NULL;
}

struct thread *thread_find(const struct world *w, const struct node *node, int tid)
{
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD && t->tid == tid && t->proc->node == node) {
            return t;
        }
    }
    return NULL;
}

struct mm *mm_new(struct world *w)
{
    struct mm *mm = HEAP_NEW(w->heap, struct mm);
    heap_mark(mm, HEAP_MM);
    mm->refs = 1;
    mm->id = ++w->next_mm;
    return mm;
}

void mm_unref(struct world *w, struct mm *mm)
{
    if (--mm->refs == 0) {
        heap_free(w->heap, mm);
    }
}

struct proc *proc_new(struct world *w, struct node *node, struct proc *parent, pid_t real)
{
    struct proc *p = HEAP_NEW(w->heap, struct proc);
    heap_mark(p, HEAP_PROC);
    p->node = node;
    p->parent = parent;
    p->real = real;
    p->pid = ++node->next_pid;
    p->dumpable = true;
    if (parent != NULL) {
        p->pgid = parent->pgid;
        p->sid = parent->sid;
        p->nice = parent->nice;
        memcpy(p->file_limit, parent->file_limit, sizeof p->file_limit);
        memcpy(p->comm, parent->comm, sizeof p->comm);
        p->exe = heap_strdup(w, parent->exe);
        p->cmdline_n = parent->cmdline_n;
        p->cmdline = heap_alloc(w->heap, p->cmdline_n);
        memcpy(p->cmdline, parent->cmdline, p->cmdline_n);
    } else {
        p->pgid = p->pid; /* as if a shell had started it: it leads a group, and no session */
        p->sid = INIT_PID;
        p->file_limit[0] = p->file_limit[1] = RLIM_INFINITY;
        p->mm = mm_new(w);
        p->fds = fd_table_new(w);
        p->cwd = cwd_new(w, node->cwd, "", 022);
        p->hand = HEAP_NEW(w->heap, struct sighand);
        p->hand->refs = 1;
    }
    struct proc **at = &node->procs;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = p;
    return p;
}

static void proc_free(struct world *w, struct proc *p)
{
    for (struct proc **at = &p->node->procs; *at != NULL; at = &(*at)->next) {
        if (*at == p) {
            *at = p->next;
            break;
        }
    }
    heap_free(w->heap, p->exe);
    heap_free(w->heap, p->cmdline);
    heap_free(w->heap, p);
}

/* ---- birth ---- */

static void share_or_copy(struct world *w, struct proc *child, struct proc *parent, uint64_t flags)
{
    if ((flags & CLONE_VM) != 0) {
        child->mm = parent->mm;
        child->mm->refs++;
    } else {
        child->mm = mm_new(w);
        child->mm->by_touch = parent->mm->by_touch;
        shm_fork(w, child, parent);
    }
    if ((flags & CLONE_FILES) != 0) {
        child->fds = parent->fds;
        child->fds->refs++;
    } else {
        child->fds = fd_table_copy(w, parent->fds);
    }
    if ((flags & CLONE_FS) != 0) {
        child->cwd = parent->cwd;
        child->cwd->refs++;
    } else {
        child->cwd = cwd_new(w, parent->cwd->path, parent->cwd->root, parent->cwd->umask);
    }
    if ((flags & CLONE_SIGHAND) != 0) {
        child->hand = parent->hand;
        child->hand->refs++;
    } else {
        child->hand = HEAP_NEW(w->heap, struct sighand);
        *child->hand = *parent->hand;
        child->hand->refs = 1;
    }
}

static int64_t do_clone(struct world *w, struct thread *t, const uint64_t args[5])
{
    const uint64_t ours = CLONE_PIDFD | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID |
                          CLONE_CHILD_CLEARTID | CLONE_VFORK | CLONE_UNTRACED | CLONE_DETACHED;
    const uint64_t refused = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                             CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP | CLONE_PTRACE;
    uint64_t flags = args[0];
    struct node *node = t->proc->node;
    if (t->call_cookie != 0) { /* the parent of a vfork, waiting */
        struct proc *child = proc_find(node, (int)t->call_cookie);
        bool held = child != NULL && child->state == PROC_LIVE && child->vfork_parent == t;
        return held ? block(t) : (int64_t)t->call_cookie;
    }
    if ((flags & refused) != 0) {
        return -EPERM;
    }
    if ((flags & CLONE_PIDFD) != 0 &&
        (flags & (CLONE_PARENT_SETTID | CLONE_DETACHED | CLONE_THREAD)) != 0) {
        return -EINVAL;
    }
    if (node->n_threads >= w->limits.threads) {
        return -EAGAIN;
    }
    bool thread = (flags & CLONE_THREAD) != 0;
    uint64_t real[5] = {(flags & ~ours) | (thread ? 0 : (uint64_t)CLONE_PARENT), args[1], 0, 0,
                        args[4]};
    struct tracee_call call = {t->real, &t->regs, false, 0};
    pid_t born = 0;
    int64_t result = tracee_call_clone(&call, real, &born);
    if (result < 0 || born == 0) {
        return result < 0 ? result : -EAGAIN;
    }
    struct proc *proc = t->proc;
    if (!thread) {
        live_forget(w, node);
        proc = proc_new(w, node, (flags & CLONE_PARENT) != 0 ? t->proc->parent : t->proc, born);
        share_or_copy(w, proc, t->proc, flags);
        proc->exit_signal = (int)(flags & 0xff);
    }
    struct thread *child = thread_new(w, proc, born, thread ? ++node->next_pid : proc->pid);
    memcpy(child->comm, t->comm, sizeof child->comm);
    child->slack_ns = t->slack_ns;
    cred_share(w, child, t);
    int tid = child->tid;
    if ((flags & CLONE_PARENT_SETTID) != 0) {
        (void)mem_write(t, args[2], &tid, sizeof tid);
    }
    if ((flags & CLONE_CHILD_SETTID) != 0) {
        (void)mem_write(child, args[3], &tid, sizeof tid);
    }
    if ((flags & CLONE_PIDFD) != 0) {
        int fd = (int)pidfd_add(w, t, tid, 0);
        (void)mem_write(t, args[2], &fd, sizeof fd);
    }
    child->clear_tid = (flags & CLONE_CHILD_CLEARTID) != 0 ? args[3] : 0;
    thread_queue(w, child);
    if ((flags & CLONE_VFORK) != 0) {
        proc->vfork_parent = t;
        t->call_cookie = (uint64_t)tid;
        return block(t);
    }
    return tid;
}

int64_t call_clone(struct world *w, struct thread *t)
{
    return do_clone(w, t, t->a);
}

int64_t call_fork(struct world *w, struct thread *t)
{
    return do_clone(w, t, (const uint64_t[5]){SIGCHLD});
}

int64_t call_vfork(struct world *w, struct thread *t)
{
    return do_clone(w, t, (const uint64_t[5]){SIGCHLD | CLONE_VFORK | CLONE_VM});
}

void vfork_release(struct proc *proc)
{
    if (proc->vfork_parent != NULL) {
        proc->vfork_parent = NULL;
        proc->node->changed = true;
    }
}

/* ---- the end ---- */

/* Marks and wakes what waits for the end of a thread whose memory lives on. */
static void clear_tid(struct world *w, struct thread *t)
{
    if (t->clear_tid != 0) {
        int zero = 0;
        (void)mem_write(t, t->clear_tid, &zero, sizeof zero);
        (void)futex_wake(w, t->proc->mm, t->clear_tid, 1, FUTEX_BITSET_MATCH_ANY);
    }
}

static void reap_threads(struct world *w, struct proc *proc)
{
    tracee_kill(proc->real);
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD && t->proc == proc) {
            t->state = THREAD_DEAD;
            if (t->real != proc->real && t->real != 0) {
                tracee_reap(t->real);
            }
            proc->node->n_threads--;
        }
    }
    tracee_reap(proc->real);
    proc->n_threads = 0;
}

static void proc_release(struct world *w, struct proc *proc)
{
    fd_table_unref(w, proc->fds, proc);
    proc->fds = NULL;
    cwd_unref(w, proc->cwd);
    if (--proc->hand->refs == 0) {
        heap_free(w->heap, proc->hand);
    }
    mm_unref(w, proc->mm);
    shm_exit(w, proc);
    sem_exit(w, proc);
    sigqueue_free_all(w, &proc->pending);
    for (struct ktimer *timer = proc->node->timers, *next; timer != NULL; timer = next) {
        next = timer->next;
        if (timer->proc == proc && timer->file == NULL) {
            timer_free(w, timer);
        }
    }
    proc->itimer = NULL;
}

static void orphan_children(struct world *w, struct proc *proc)
{
    for (struct proc *child = proc->node->procs, *next; child != NULL; child = next) {
        next = child->next;
        if (child->parent != proc) {
            continue;
        }
        child->parent = NULL;
        if (child->state == PROC_ZOMBIE) {
            proc_free(w, child);
        } else if (child->death_signal != 0) {
            signal_send_simple(w, child, child->death_signal, SI_USER, 0);
        }
    }
}

void proc_exit(struct world *w, struct proc *proc, int status)
{
    if (proc->state != PROC_LIVE) {
        return;
    }
    live_forget(w, proc->node);
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD && t->proc == proc && t->real != 0) {
            futex_robust_exit(w, t);
            if (proc->mm->refs > 1) {
                clear_tid(w, t);
            }
        }
    }
    ptrace_exit(w, proc);
    reap_threads(w, proc);
    proc->state = PROC_ZOMBIE;
    proc->status = status;
    pidfd_notify(w, proc);
    hash_u64(w, (uint64_t)status);
    vfork_release(proc);
    proc_release(w, proc);
    if (proc->node->first == proc) {
        proc->node->first = NULL;
        proc->node->ended = true;
        proc->node->status = status;
    }
    tty_session_exit(w, proc);
    orphan_children(w, proc);
    proc->node->changed = true;
    struct proc *parent = proc->parent;
    if (parent == NULL || parent->state != PROC_LIVE) {
        proc_free(w, proc);
        return;
    }
    const struct ksigaction *act = &parent->hand->act[SIGCHLD];
    bool forgotten =
        proc->exit_signal == SIGCHLD && (act->handler == 1 || (act->flags & SA_NOCLDWAIT) != 0);
    if (proc->exit_signal != 0) {
        siginfo_t info;
        memset(&info, 0, sizeof info);
        info.si_signo = proc->exit_signal;
        info.si_code = (status & 0x7f) != 0 ? CLD_KILLED : CLD_EXITED;
        info.si_status = (status & 0x7f) != 0 ? status & 0x7f : status >> 8;
        info.si_pid = proc->pid;
        signal_send(w, parent, NULL, &info);
    }
    if (forgotten) {
        proc_free(w, proc);
    }
}

void thread_exit(struct world *w, struct thread *t)
{
    futex_robust_exit(w, t);
    clear_tid(w, t);
    t->state = THREAD_DEAD;
    t->proc->n_threads--;
    t->proc->node->n_threads--;
    tracee_resume(t->real, 0);
    if (t->real != t->proc->real) {
        tracee_reap(t->real); /* the first thread stays until the process ends */
    }
}

int64_t call_exit(struct world *w, struct thread *t)
{
    if (t->proc->n_threads == 1) {
        proc_exit(w, t->proc, (int)(t->a[0] & 0xff) << 8);
    } else {
        thread_exit(w, t);
    }
    return CALL_GONE;
}

int64_t call_exit_group(struct world *w, struct thread *t)
{
    proc_exit(w, t->proc, (int)(t->a[0] & 0xff) << 8);
    return CALL_GONE;
}

void proc_kill_node(struct world *w, struct node *node, bool orderly)
{
    if (!orderly) {
        sock_power_off(w, node);
    }
    while (node->procs != NULL) {
        struct proc *proc = node->procs;
        proc->parent = NULL;
        if (proc->state == PROC_LIVE) {
            if (proc == node->first) {
                node->first = NULL;
            }
            proc_exit(w, proc, SIGKILL);
        } else {
            proc_free(w, proc);
        }
    }
}

/* ---- waiting for children ---- */

struct want {
    int type; /* P_ALL, P_PID, P_PGID */
    int id;
    bool ended, stopped, continued, keep;
};

static bool want_matches(const struct want *want, const struct proc *child)
{
    return want->type == P_ALL || (want->type == P_PID && child->pid == want->id) ||
           (want->type == P_PGID && child->pgid == want->id);
}

static bool has_news(const struct want *want, const struct proc *child)
{
    return (want->ended && child->state == PROC_ZOMBIE) ||
           (want->stopped && child->stop_report && child->stopped) ||
           (want->continued && child->cont_report);
}

/* The child with news, or NULL and the reason: -ECHILD or 0. */
static struct proc *find_child(struct thread *t, const struct want *want, int64_t *ret_status)
{
    *ret_status = -ECHILD;
    for (struct proc *child = t->proc->node->procs; child != NULL; child = child->next) {
        if (child->parent == t->proc && want_matches(want, child) &&
            (want->ended || child->state != PROC_ZOMBIE)) {
            *ret_status = 0;
            if (has_news(want, child)) {
                return child;
            }
        }
    }
    return NULL;
}

static int news_of(struct proc *child, bool keep)
{
    if (child->state == PROC_ZOMBIE) {
        return child->status;
    }
    if (child->stop_report && child->stopped) {
        child->stop_report = keep;
        return child->status;
    }
    child->cont_report = keep;
    return 0xffff;
}

/* Who waits for a process takes over what it has used, where that means something. */
static void take_times(const struct world *w, struct proc *parent, const struct proc *child)
{
    parent->children_ns += w->work ? child->utime_ns + child->children_ns : 0;
}

int64_t call_wait4(struct world *w, struct thread *t)
{
    int pid = (int)t->a[0];
    struct want want = {
        .type = pid > 0     ? P_PID
                : pid == -1 ? P_ALL
                            : P_PGID,
        .id = pid > 0    ? pid
              : pid == 0 ? t->proc->pgid
                         : -pid,
        .ended = true,
        .stopped = (t->a[2] & WUNTRACED) != 0,
        .continued = (t->a[2] & WCONTINUED) != 0,
    };
    if ((t->a[2] &
         ~(uint64_t)(WNOHANG | WUNTRACED | WCONTINUED | __WALL | __WNOTHREAD | __WCLONE)) != 0) {
        return -EINVAL;
    }
    bool traces = false;
    struct thread *held = pid > 0 || pid == -1 ? ptrace_news(w, t, pid, &traces) : NULL;
    if (held != NULL) {
        int stopped = SIGSTOP << 8 | 0x7f;
        held->held_news = false;
        return t->a[1] == 0 || mem_write(t, t->a[1], &stopped, sizeof stopped) ? held->tid
                                                                               : -EFAULT;
    }
    int64_t status = 0;
    struct proc *child = find_child(t, &want, &status);
    if (child == NULL) {
        status = traces ? 0 : status;
        return status != 0 || (t->a[2] & WNOHANG) != 0 ? status : block(t);
    }
    int news = news_of(child, false), found = child->pid;
    struct rusage usage = {0};
    if ((t->a[1] != 0 && !mem_write(t, t->a[1], &news, sizeof news)) ||
        (t->a[3] != 0 && !mem_write(t, t->a[3], &usage, sizeof usage))) {
        return -EFAULT;
    }
    if (child->state == PROC_ZOMBIE) {
        take_times(w, t->proc, child);
        proc_free(w, child);
    }
    return found;
}

int64_t call_waitid(struct world *w, struct thread *t)
{
    uint64_t options = t->a[3];
    struct want want = {
        .type = (int)t->a[0],
        .id = (int)t->a[1],
        .ended = (options & WEXITED) != 0,
        .stopped = (options & WSTOPPED) != 0,
        .continued = (options & WCONTINUED) != 0,
        .keep = (options & WNOWAIT) != 0,
    };
    bool nonblock = (options & WNOHANG) != 0;
    if (want.type == P_PIDFD) {
        const struct file *f = want.id >= 0 ? fd_get(t, (uint64_t)want.id) : NULL;
        if (pidfd_pid(f) == 0) {
            return want.id < 0 ? -EINVAL : -EBADF;
        }
        nonblock = nonblock || (f->flags & O_NONBLOCK) != 0;
        want.type = P_PID;
        want.id = pidfd_pid(f);
    }
    if ((want.type != P_ALL && want.type != P_PID && want.type != P_PGID) ||
        (options & ~(uint64_t)(WNOHANG | WNOWAIT | WEXITED | WSTOPPED | WCONTINUED | __WNOTHREAD |
                               __WCLONE | __WALL)) != 0) {
        return -EINVAL;
    }
    if ((!want.ended && !want.stopped && !want.continued) || (want.type == P_PID && want.id <= 0)) {
        return -EINVAL;
    }
    if (want.type == P_PGID && want.id == 0) {
        want.id = t->proc->pgid;
    }
    int64_t status = 0;
    siginfo_t info;
    memset(&info, 0, sizeof info);
    struct proc *child = find_child(t, &want, &status);
    if (child == NULL) {
        if (status == 0 && !nonblock) {
            return block(t);
        }
        if (status == 0 && (options & WNOHANG) == 0) {
            return -EAGAIN;
        }
        if (status == 0 && t->a[2] != 0 && !mem_write(t, t->a[2], &info, sizeof info)) {
            return -EFAULT;
        }
        return status;
    }
    int news = news_of(child, want.keep);
    info.si_signo = SIGCHLD;
    info.si_pid = child->pid;
    info.si_uid = (uid_t)t->cred->uid[CRED_REAL];
    bool killed = (news & 0x7f) != 0;
    info.si_code = news == 0xffff          ? CLD_CONTINUED
                   : (news & 0xff) == 0x7f ? CLD_STOPPED
                   : killed                ? CLD_KILLED
                                           : CLD_EXITED;
    info.si_status = news == 0xffff                     ? SIGCONT
                     : (news & 0xff) == 0x7f || !killed ? news >> 8 & 0xff
                                                        : news & 0x7f;
    if (t->a[2] != 0 && !mem_write(t, t->a[2], &info, sizeof info)) {
        return -EFAULT;
    }
    if (child->state == PROC_ZOMBIE && !want.keep) {
        take_times(w, t->proc, child);
        proc_free(w, child);
    }
    return 0;
}

/* ---- numbers ---- */

int64_t call_getpid(struct world *w, struct thread *t)
{
    (void)w;
    return t->proc->pid;
}

int64_t call_gettid(struct world *w, struct thread *t)
{
    (void)w;
    return t->tid;
}

int64_t call_getppid(struct world *w, struct thread *t)
{
    (void)w;
    return t->proc->parent != NULL ? t->proc->parent->pid : t->proc->pid == 1 ? 0 : 1;
}

int64_t call_set_tid_address(struct world *w, struct thread *t)
{
    (void)w;
    t->clear_tid = t->a[0];
    return t->tid;
}

static struct proc *proc_or_self(struct thread *t, uint64_t pid)
{
    return pid == 0 ? t->proc : proc_find(t->proc->node, (int)pid);
}

int64_t call_getpgid(struct world *w, struct thread *t)
{
    (void)w;
    struct proc *proc = proc_or_self(t, t->a[0]);
    return proc != NULL ? proc->pgid : t->a[0] == INIT_PID ? INIT_PID : -ESRCH;
}

int64_t call_getpgrp(struct world *w, struct thread *t)
{
    (void)w;
    return t->proc->pgid;
}

int64_t call_getsid(struct world *w, struct thread *t)
{
    (void)w;
    struct proc *proc = proc_or_self(t, t->a[0]);
    return proc != NULL ? proc->sid : t->a[0] == INIT_PID ? INIT_PID : -ESRCH;
}

int64_t call_setpgid(struct world *w, struct thread *t)
{
    (void)w;
    struct proc *proc = proc_or_self(t, t->a[0]);
    int pgid = t->a[1] != 0 ? (int)t->a[1] : t->a[0] != 0 ? (int)t->a[0] : t->proc->pid;
    if (pgid < 0) {
        return -EINVAL;
    }
    if (proc == NULL || (proc != t->proc && proc->parent != t->proc)) {
        return -ESRCH;
    }
    if (proc != t->proc && proc->execed) {
        return -EACCES;
    }
    bool known = pgid == proc->pid;
    for (const struct proc *p = t->proc->node->procs; p != NULL; p = p->next) {
        known = known || (p->pgid == pgid && p->sid == proc->sid);
    }
    if (proc->sid == proc->pid || !known) {
        return -EPERM;
    }
    proc->pgid = pgid;
    return 0;
}

int64_t call_setsid(struct world *w, struct thread *t)
{
    (void)w;
    for (const struct proc *p = t->proc->node->procs; p != NULL; p = p->next) {
        if (p->pgid == t->proc->pid) {
            return -EPERM;
        }
    }
    t->proc->sid = t->proc->pgid = t->proc->pid;
    return t->proc->pid;
}

/* Descriptors that stand for processes. They hold a number, since numbers are never used again: a
 * process that cannot be found was waited for. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/epoll.h>
#include <sys/stat.h>

#include "world/calls.h"
#include "world/world_int.h"

struct pidfd {
    struct file f;
    struct pidfd *next; /* of the node */
    int pid;
};

static struct proc *proc_of(const struct file *f)
{
    return proc_find(f->node, ((const struct pidfd *)f)->pid);
}

static uint32_t pidfd_poll(struct world *w, struct file *f)
{
    (void)w;
    const struct proc *proc = proc_of(f);
    uint32_t mask = proc == NULL || proc->state == PROC_ZOMBIE ? EPOLLIN | EPOLLRDNORM : 0;
    return mask | (proc == NULL ? (uint32_t)EPOLLHUP : 0);
}

static void pidfd_release(struct world *w, struct file *f)
{
    (void)w;
    for (struct pidfd **at = &f->node->pidfds; *at != NULL; at = &(*at)->next) {
        if (&(*at)->f == f) {
            *at = (*at)->next;
            break;
        }
    }
}

static void pidfd_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    *st = (struct stat){.st_mode = 0600, .st_ino = f->id, .st_nlink = 1, .st_blksize = 4096};
}

static const struct file_ops pidfd_ops = {
    .name = "[pidfd]",
    .poll = pidfd_poll,
    .release = pidfd_release,
    .stat = pidfd_stat,
};

void pidfd_notify(struct world *w, const struct proc *proc)
{
    for (struct pidfd *p = proc->node->pidfds; p != NULL; p = p->next) {
        if (p->pid == proc->pid) {
            file_changed(w, &p->f, true, false);
        }
    }
}

int64_t pidfd_add(struct world *w, struct thread *t, int pid, int flags)
{
    struct pidfd *p = file_new(w, t->proc->node, &pidfd_ops, sizeof *p, O_RDWR | flags);
    p->pid = pid;
    p->next = t->proc->node->pidfds;
    t->proc->node->pidfds = p;
    return fd_add(w, t->proc, &p->f, true, 0);
}

int pidfd_pid(const struct file *f)
{
    return f != NULL && f->ops == &pidfd_ops ? ((const struct pidfd *)f)->pid : 0;
}

int64_t call_pidfd_open(struct world *w, struct thread *t)
{
    int pid = (int)t->a[0];
    if ((t->a[1] & ~(uint64_t)O_NONBLOCK) != 0 || pid <= 0) {
        return -EINVAL;
    }
    if (proc_find(t->proc->node, pid) == NULL) {
        return thread_find(w, t->proc->node, pid) != NULL ? -EINVAL : -ESRCH;
    }
    return pidfd_add(w, t, pid, (int)t->a[1]);
}

int64_t call_pidfd_send_signal(struct world *w, struct thread *t)
{
    const struct file *f = fd_get(t, t->a[0]);
    int sig = (int)t->a[1];
    siginfo_t info;
    if (t->a[3] != 0) {
        return -EINVAL;
    }
    if (pidfd_pid(f) == 0) {
        return -EBADF;
    }
    struct proc *proc = proc_of(f);
    memset(&info, 0, sizeof info);
    info.si_signo = sig;
    info.si_code = SI_USER;
    info.si_pid = t->proc->pid;
    info.si_uid = (uid_t)t->cred->uid[CRED_REAL];
    if (t->a[2] != 0) {
        if (!mem_read(t, t->a[2], &info, sizeof info)) {
            return -EFAULT;
        }
        if (info.si_signo != sig) {
            return -EINVAL;
        }
        if (proc != t->proc && (info.si_code >= 0 || info.si_code == SI_TKILL)) {
            return -EPERM;
        }
    }
    if (sig < 0 || sig > 64) {
        return -EINVAL;
    }
    if (proc == NULL) {
        return -ESRCH;
    }
    if (sig != 0) {
        signal_send(w, proc, NULL, &info);
    }
    return t->state == THREAD_DEAD ? (int64_t)CALL_GONE : 0;
}

int64_t call_pidfd_getfd(struct world *w, struct thread *t)
{
    const struct file *f = fd_get(t, t->a[0]);
    if (t->a[2] != 0) {
        return -EINVAL;
    }
    if (pidfd_pid(f) == 0) {
        return -EBADF;
    }
    const struct proc *proc = proc_of(f);
    if (proc == NULL) {
        return -ESRCH;
    }
    uint64_t fd = (uint32_t)t->a[1];
    struct file *theirs = proc->fds != NULL && fd < proc->fds->n ? proc->fds->slots[fd].file : NULL;
    if (theirs == NULL) {
        return proc->fds == NULL ? -ESRCH : -EBADF;
    }
    file_ref(theirs);
    return fd_add(w, t->proc, theirs, true, 0);
}

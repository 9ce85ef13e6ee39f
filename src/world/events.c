/* Descriptors that stand for events: eventfd, timerfd, signalfd. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

static void anon_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    st->st_mode = 0600;
    st->st_ino = f->id;
    st->st_nlink = 1;
    st->st_blksize = 4096;
}

/* ---- eventfd ---- */

struct event_file {
    struct file f;
    uint64_t count;
    bool semaphore;
};

static int64_t event_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct event_file *e = (struct event_file *)f;
    if (u->total < 8) {
        return -EINVAL;
    }
    if (e->count == 0) {
        return -EAGAIN;
    }
    uint64_t value = e->semaphore ? 1 : e->count;
    if (uio_put(u, &value, 8) != 8) {
        return -EFAULT;
    }
    e->count -= value;
    file_changed(w, f, false, true);
    return 8;
}

static int64_t event_write(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct event_file *e = (struct event_file *)f;
    uint64_t value = 0;
    if (u->total < 8) {
        return -EINVAL;
    }
    u->total = 8;
    if (uio_get(u, &value, 8) != 8) {
        return -EFAULT;
    }
    if (value == UINT64_MAX) {
        return -EINVAL;
    }
    if (value > UINT64_MAX - 1 - e->count) {
        return -EAGAIN;
    }
    e->count += value;
    if (value != 0) {
        file_changed(w, f, true, false);
    }
    return 8;
}

static uint32_t event_poll(struct world *w, struct file *f)
{
    (void)w;
    const struct event_file *e = (struct event_file *)f;
    return (e->count != 0 ? (uint32_t)EPOLLIN : 0) |
           (e->count < UINT64_MAX - 1 ? (uint32_t)EPOLLOUT : 0);
}

static const struct file_ops event_ops = {
    .name = "[eventfd]",
    .no_seek = true,
    .no_splice = true,
    .read = event_read,
    .write = event_write,
    .poll = event_poll,
    .stat = anon_stat,
};

static int64_t make_event(struct world *w, struct thread *t, uint64_t flags)
{
    if ((flags & ~(uint64_t)(EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK)) != 0) {
        return -EINVAL;
    }
    struct event_file *e =
        file_new(w, t->proc->node, &event_ops, sizeof *e, O_RDWR | (int)(flags & O_NONBLOCK));
    e->count = (uint32_t)t->a[0];
    e->semaphore = (flags & EFD_SEMAPHORE) != 0;
    return fd_add(w, t->proc, &e->f, (flags & EFD_CLOEXEC) != 0, 0);
}

int64_t call_eventfd(struct world *w, struct thread *t)
{
    return make_event(w, t, 0);
}

int64_t call_eventfd2(struct world *w, struct thread *t)
{
    return make_event(w, t, t->a[1]);
}

void event_add(struct world *w, struct file *f, uint64_t n)
{
    if (f->ops == &event_ops) {
        ((struct event_file *)f)->count += n;
        file_changed(w, f, true, false);
    }
}

/* ---- timerfd ---- */

struct timer_file {
    struct file f;
    struct ktimer *timer;
    uint64_t count; /* expirations not yet read */
};

static void timer_look(struct world *w, struct timer_file *e)
{
    e->count += timer_overruns(w, e->timer);
}

static int64_t timer_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct timer_file *e = (struct timer_file *)f;
    if (u->total < 8) {
        return -EINVAL;
    }
    timer_look(w, e);
    if (e->count == 0) {
        return -EAGAIN;
    }
    if (uio_put(u, &e->count, 8) != 8) {
        return -EFAULT;
    }
    e->count = 0;
    return 8;
}

static uint32_t timer_poll(struct world *w, struct file *f)
{
    struct timer_file *e = (struct timer_file *)f;
    timer_look(w, e);
    return e->count != 0 ? (uint32_t)EPOLLIN : 0;
}

static void timer_release(struct world *w, struct file *f)
{
    timer_free(w, ((struct timer_file *)f)->timer);
}

static const struct file_ops timer_ops = {
    .name = "[timerfd]",
    .no_seek = true,
    .read = timer_read,
    .poll = timer_poll,
    .release = timer_release,
    .stat = anon_stat,
};

int64_t call_timerfd_create(struct world *w, struct thread *t)
{
    int clock = (int)t->a[0];
    uint64_t flags = t->a[1];
    bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
                 clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
    if (!known || (flags & ~(uint64_t)(TFD_CLOEXEC | TFD_NONBLOCK)) != 0) {
        return -EINVAL;
    }
    struct timer_file *e =
        file_new(w, t->proc->node, &timer_ops, sizeof *e, O_RDWR | (int)(flags & O_NONBLOCK));
    e->timer = timer_new(w, t->proc->node);
    e->timer->file = &e->f;
    e->timer->clock = clock;
    return fd_add(w, t->proc, &e->f, (flags & TFD_CLOEXEC) != 0, 0);
}

static struct timer_file *timer_get_fd(struct thread *t, int64_t *ret_status)
{
    struct file *f = fd_get(t, t->a[0]);
    *ret_status = f == NULL ? -EBADF : f->ops != &timer_ops ? -EINVAL : 0;
    return *ret_status == 0 ? (struct timer_file *)f : NULL;
}

int64_t call_timerfd_settime(struct world *w, struct thread *t)
{
    int64_t status = 0;
    const uint64_t known = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
    if ((t->a[1] & ~known) != 0) {
        return -EINVAL;
    }
    struct timer_file *e = timer_get_fd(t, &status);
    if (status != 0) {
        return status;
    }
    timer_look(w, e);
    status = timer_set(w, t, e->timer, (t->a[1] & TFD_TIMER_ABSTIME) != 0,
                       (const uint64_t[2]){t->a[2], t->a[3]});
    if (status == 0) {
        e->count = 0;
        t->proc->node->changed = true;
    }
    return status;
}

int64_t call_timerfd_gettime(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct timer_file *e = timer_get_fd(t, &status);
    if (status != 0) {
        return status;
    }
    timer_look(w, e);
    return timer_get(w, t, e->timer, t->a[1]);
}

/* ---- signalfd ---- */

struct signal_file {
    struct file f;
    uint64_t set;
    struct proc *proc;
};

static int64_t signal_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct signal_file *e = (struct signal_file *)f;
    int64_t n = 0;
    if (u->total < sizeof(struct signalfd_siginfo)) {
        return -EINVAL;
    }
    while (uio_left(u) >= sizeof(struct signalfd_siginfo)) {
        struct sigqueue *q = signal_take(u->t, e->set);
        if (q == NULL) {
            break;
        }
        siginfo_t from;
        memcpy(&from, q->info, sizeof from);
        struct signalfd_siginfo to = {
            .ssi_signo = (uint32_t)q->sig,
            .ssi_errno = from.si_errno,
            .ssi_code = from.si_code,
            .ssi_pid = (uint32_t)from.si_pid,
            .ssi_uid = from.si_uid,
        };
        if (from.si_code == SI_QUEUE) {
            to.ssi_int = from.si_int;
            to.ssi_ptr = (uintptr_t)from.si_ptr;
        }
        if (q->sig == SIGCHLD) {
            to.ssi_status = from.si_status;
        }
        heap_free(w->heap, q);
        if (uio_put(u, &to, sizeof to) != sizeof to) {
            return -EFAULT;
        }
        n += (int64_t)sizeof to;
    }
    return n != 0 ? n : -EAGAIN;
}

static uint32_t signal_poll(struct world *w, struct file *f)
{
    const struct signal_file *e = (struct signal_file *)f;
    /* What is pending depends on who asks; the process that made it does, in practice. */
    for (const struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state != THREAD_DEAD && t->proc->node == f->node && t->proc == e->proc &&
            (signal_pending_mask(t) & e->set) != 0) {
            return (uint32_t)EPOLLIN;
        }
    }
    return 0;
}

static const struct file_ops signal_ops = {
    .name = "[signalfd]",
    .no_seek = true,
    .read = signal_read,
    .poll = signal_poll,
    .stat = anon_stat,
};

void signalfd_notify(struct world *w, struct proc *proc)
{
    for (uint32_t i = 0; proc->fds != NULL && i < proc->fds->n; i++) {
        struct file *f = proc->fds->slots[i].file;
        if (f != NULL && f->ops == &signal_ops) {
            file_changed(w, f, true, false);
        }
    }
}

static int64_t make_signal(struct world *w, struct thread *t, uint64_t flags)
{
    uint64_t set = 0;
    if (t->a[2] != 8 || (flags & ~(uint64_t)(SFD_CLOEXEC | SFD_NONBLOCK)) != 0) {
        return -EINVAL;
    }
    if (!mem_read(t, t->a[1], &set, 8)) {
        return -EFAULT;
    }
    set &= ~(UINT64_C(1) << (SIGKILL - 1) | UINT64_C(1) << (SIGSTOP - 1));
    if ((int)t->a[0] != -1) {
        struct file *f = fd_get(t, t->a[0]);
        if (f == NULL || f->ops != &signal_ops) {
            return f == NULL ? -EBADF : -EINVAL;
        }
        ((struct signal_file *)f)->set = set;
        file_changed(w, f, true, false);
        return (int64_t)(uint32_t)t->a[0];
    }
    struct signal_file *e =
        file_new(w, t->proc->node, &signal_ops, sizeof *e, O_RDWR | (int)(flags & O_NONBLOCK));
    e->set = set;
    e->proc = t->proc;
    return fd_add(w, t->proc, &e->f, (flags & SFD_CLOEXEC) != 0, 0);
}

int64_t call_signalfd(struct world *w, struct thread *t)
{
    return make_signal(w, t, 0);
}

int64_t call_signalfd4(struct world *w, struct thread *t)
{
    return make_signal(w, t, t->a[3]);
}

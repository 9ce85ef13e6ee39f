/* Descriptors and open files of any kind. Descriptors exist only here: the real process has none
 * but the one for the shared page, so numbering, inheritance, passing over sockets and limits are
 * plain data structures, and a snapshot holds them all. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <asm/ioctls.h>
#include <linux/close_range.h>
#include <linux/fs.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "base/assert.h"
#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

enum { FD_LIMIT = 1024 * 1024 };

/* ---- small helpers ---- */

char *heap_strdup(struct world *w, const char *text)
{
    size_t n = strlen(text != NULL ? text : "") + 1;
    char *copy = heap_alloc(w->heap, n);
    memcpy(copy, text != NULL ? text : "", n);
    return copy;
}

void bytes_put(struct world *w, struct bytes *b, const void *p, size_t n)
{
    if (b->head + b->n + n > b->cap) {
        if (b->n != 0 && b->head != 0) {
            memmove(b->p, b->p + b->head, b->n);
        }
        b->head = 0;
        if (b->n + n > b->cap) {
            b->cap = (b->n + n) * 2;
            b->p = heap_realloc(w->heap, b->p, b->cap);
        }
    }
    if (n != 0) {
        memcpy(b->p + b->head + b->n, p, n);
    }
    b->n += n;
}

void bytes_drop(struct world *w, struct bytes *b, size_t n)
{
    ASSERT(n <= b->n);
    if (n != 0) { /* what is gone must not make a difference */
        memset(b->p + b->head, 0, n);
    }
    b->head += n;
    b->n -= n;
    if (b->n == 0) {
        b->head = 0;
        if (b->cap > 65536) {
            bytes_done(w, b);
        }
    }
}

void bytes_done(struct world *w, struct bytes *b)
{
    heap_free(w->heap, b->p);
    *b = (struct bytes){0};
}

/* ---- open files ---- */

/* Programs can see it: where events are independent, what other nodes do must not change it. */
uint64_t id_new(struct world *w, struct node *node)
{
    return w->independent ? (uint64_t)(node->index + 1) << 40 | ++node->next_file : ++w->next_id;
}

void *file_new(struct world *w, struct node *node, const struct file_ops *ops, size_t bytes,
               int flags)
{
    struct file *f = heap_alloc(w->heap, bytes);
    heap_mark(f, HEAP_FILE);
    f->ops = ops;
    f->node = node;
    f->id = id_new(w, node);
    f->refs = 1;
    f->flags = flags;
    return f;
}

void file_ref(struct file *f)
{
    f->refs++;
}

void file_unref(struct world *w, struct file *f)
{
    ASSERT(f->refs > 0);
    if (--f->refs > 0) {
        return;
    }
    f->next_dying = NULL;
    *(w->dying != NULL ? &w->dying_tail->next_dying : &w->dying) = f;
    w->dying_tail = f;
    if (w->dying != f) {
        return; /* whoever frees the first of them comes to it: sockets may hold sockets, and so on
                 */
    }
    while (w->dying != NULL) {
        struct file *first = w->dying;
        epoll_forget(w, first);
        file_unlock_all(w, first, NULL);
        if (first->ops->release != NULL) {
            first->ops->release(w, first);
        }
        w->dying = first->next_dying;
        heap_free(w->heap, first->path);
        heap_free(w->heap, first);
    }
}

void file_changed(struct world *w, struct file *f, bool in, bool out)
{
    (void)w;
    f->seq_in += in ? 1 : 0;
    f->seq_out += out ? 1 : 0;
    if (f->node != NULL) {
        f->node->changed = true;
    }
}

uint32_t file_poll(struct world *w, struct file *f)
{
    return f->ops->poll != NULL ? f->ops->poll(w, f) : (uint32_t)(EPOLLIN | EPOLLOUT);
}

/* ---- descriptors ---- */

struct fd_table *fd_table_new(struct world *w)
{
    struct fd_table *table = HEAP_NEW(w->heap, struct fd_table);
    table->refs = 1;
    table->limit = 1024;
    return table;
}

struct fd_table *fd_table_copy(struct world *w, const struct fd_table *from)
{
    struct fd_table *table = fd_table_new(w);
    table->n = from->n;
    table->limit = from->limit;
    table->slots = heap_alloc(w->heap, sizeof(struct fd_slot) * (from->n + 1));
    if (from->n != 0) {
        memcpy(table->slots, from->slots, sizeof(struct fd_slot) * from->n);
    }
    for (uint32_t i = 0; i < table->n; i++) {
        if (table->slots[i].file != NULL) {
            file_ref(table->slots[i].file);
        }
    }
    return table;
}

static void slot_close(struct world *w, struct proc *proc, struct fd_slot *slot)
{
    struct file *f = slot->file;
    *slot = (struct fd_slot){0};
    if (f != NULL) {
        if ((f->flags & O_PATH) == 0) {
            file_unlock_all(w, f, proc);
        }
        mq_closed(w, f, proc);
        file_unref(w, f);
    }
}

void fd_table_unref(struct world *w, struct fd_table *table, struct proc *proc)
{
    if (--table->refs > 0) {
        return;
    }
    for (uint32_t i = 0; i < table->n; i++) {
        slot_close(w, proc, &table->slots[i]);
    }
    heap_free(w->heap, table->slots);
    heap_free(w->heap, table);
}

void fd_table_exec(struct world *w, struct proc *proc)
{
    for (uint32_t i = 0; i < proc->fds->n; i++) {
        if (proc->fds->slots[i].cloexec) {
            slot_close(w, proc, &proc->fds->slots[i]);
        }
    }
}

struct file *fd_get_any(struct thread *t, uint64_t fd)
{
    const struct fd_table *table = t->proc->fds;
    return (uint32_t)fd < table->n ? table->slots[(uint32_t)fd].file : NULL;
}

struct file *fd_get(struct thread *t, uint64_t fd)
{
    struct file *f = fd_get_any(t, fd);
    return f != NULL && (f->flags & O_PATH) == 0 ? f : NULL;
}

static struct fd_slot *slot_make(struct world *w, struct fd_table *table, uint64_t fd)
{
    if (fd >= table->n) {
        uint32_t n = (uint32_t)fd + 32;
        table->slots = heap_realloc(w->heap, table->slots, sizeof(struct fd_slot) * n);
        memset(table->slots + table->n, 0, sizeof(struct fd_slot) * (n - table->n));
        table->n = n;
    }
    return &table->slots[fd];
}

static uint64_t lowest_free(const struct fd_table *table, uint64_t from)
{
    uint64_t fd = from;
    while (fd < table->n && table->slots[fd].file != NULL) {
        fd++;
    }
    return fd;
}

bool fd_room(const struct proc *proc)
{
    return lowest_free(proc->fds, 0) < proc->fds->limit;
}

/* Puts the file into the lowest free descriptor; takes over the reference, also on failure. */
int64_t fd_add(struct world *w, struct proc *proc, struct file *f, bool cloexec, uint64_t from)
{
    struct fd_table *table = proc->fds;
    uint64_t fd = lowest_free(table, from);
    if (fd >= table->limit) {
        file_unref(w, f);
        return -EMFILE;
    }
    *slot_make(w, table, fd) = (struct fd_slot){f, cloexec};
    return (int64_t)fd;
}

void fd_close(struct world *w, struct proc *proc, uint64_t fd)
{
    slot_close(w, proc, &proc->fds->slots[fd]);
}

int64_t call_close(struct world *w, struct thread *t)
{
    if (fd_get_any(t, t->a[0]) == NULL) {
        return -EBADF;
    }
    slot_close(w, t->proc, &t->proc->fds->slots[(uint32_t)t->a[0]]);
    return 0;
}

int64_t call_close_range(struct world *w, struct thread *t)
{
    uint64_t first = (uint32_t)t->a[0], last = (uint32_t)t->a[1], flags = t->a[2];
    if (first > last || (flags & ~(uint64_t)(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC)) != 0) {
        return -EINVAL;
    }
    if ((flags & CLOSE_RANGE_UNSHARE) != 0 && t->proc->fds->refs > 1) {
        struct fd_table *own = fd_table_copy(w, t->proc->fds);
        t->proc->fds->refs--;
        t->proc->fds = own;
    }
    struct fd_table *table = t->proc->fds;
    for (uint64_t fd = first; fd <= last && fd < table->n; fd++) {
        if ((flags & CLOSE_RANGE_CLOEXEC) != 0) {
            table->slots[fd].cloexec = table->slots[fd].file != NULL;
        } else {
            slot_close(w, t->proc, &table->slots[fd]);
        }
    }
    return 0;
}

int64_t call_dup(struct world *w, struct thread *t)
{
    struct file *f = fd_get_any(t, t->a[0]);
    if (f == NULL) {
        return -EBADF;
    }
    file_ref(f);
    return fd_add(w, t->proc, f, false, 0);
}

static int64_t dup_to(struct world *w, struct thread *t, bool cloexec)
{
    struct file *f = fd_get_any(t, t->a[0]);
    uint64_t to = (uint32_t)t->a[1];
    if (f == NULL || to >= t->proc->fds->limit) {
        return -EBADF;
    }
    file_ref(f);
    struct fd_slot *slot = slot_make(w, t->proc->fds, to);
    struct fd_slot old = *slot;
    *slot = (struct fd_slot){f, cloexec};
    slot_close(w, t->proc, &old);
    return (int64_t)to;
}

int64_t call_dup2(struct world *w, struct thread *t)
{
    if ((uint32_t)t->a[0] == (uint32_t)t->a[1]) {
        return fd_get_any(t, t->a[0]) == NULL ? -EBADF : (int64_t)(uint32_t)t->a[0];
    }
    return dup_to(w, t, false);
}

int64_t call_dup3(struct world *w, struct thread *t)
{
    if ((t->a[2] & ~(uint64_t)O_CLOEXEC) != 0 || (uint32_t)t->a[0] == (uint32_t)t->a[1]) {
        return -EINVAL;
    }
    return dup_to(w, t, (t->a[2] & O_CLOEXEC) != 0);
}

/* What may be done with a descriptor of O_PATH. */
static bool about_descriptor(int cmd)
{
    return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC || cmd == F_GETFD || cmd == F_SETFD ||
           cmd == F_GETFL;
}

/* ---- who is told of urgent data ---- */

static bool group_find(const struct node *node, int pgid)
{
    const struct proc *p = node->procs;
    while (p != NULL && p->pgid != pgid) {
        p = p->next;
    }
    return p != NULL;
}

static int64_t set_owner(const struct world *w, struct file *f, int owner, int type)
{
    if (owner == INT_MIN) {
        return -EINVAL;
    }
    bool found = owner == 0 || owner == INIT_PID ||
                 (owner < 0 ? group_find(f->node, -owner) : thread_find(w, f->node, owner) != NULL);
    if (!found) {
        return -ESRCH;
    }
    f->owner = owner;
    f->owner_type = type;
    return 0;
}

void file_tell_owner(struct world *w, const struct file *f, int signal)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = signal;
    info.si_code = SI_KERNEL;
    struct thread *thread = f->owner > 0 ? thread_find(w, f->node, f->owner) : NULL;
    if (thread != NULL) {
        signal_send(w, thread->proc, f->owner_type == F_OWNER_TID ? thread : NULL, &info);
    }
    for (struct proc *p = f->node->procs, *next; f->owner < 0 && p != NULL; p = next) {
        next = p->next;
        if (p->pgid == -f->owner) {
            signal_send(w, p, NULL, &info);
        }
    }
}

static int64_t put_owner(struct thread *t, const struct file *f, uint64_t to)
{
    struct f_owner_ex x = {(enum __pid_type)f->owner_type, f->owner < 0 ? -f->owner : f->owner};
    return mem_write(t, to, &x, sizeof x) ? 0 : -EFAULT;
}

static int64_t get_owner(const struct world *w, struct thread *t, struct file *f, uint64_t from)
{
    struct f_owner_ex x;
    if (!mem_read(t, from, &x, sizeof x)) {
        return -EFAULT;
    }
    if ((uint32_t)x.type > F_OWNER_PGRP) {
        return -EINVAL;
    }
    if (x.pid < 0) {
        return -ESRCH;
    }
    return set_owner(w, f, x.type == F_OWNER_PGRP ? -x.pid : x.pid, (int)x.type);
}

int64_t call_fcntl(struct world *w, struct thread *t)
{
    struct file *f = about_descriptor((int)t->a[1]) ? fd_get_any(t, t->a[0]) : fd_get(t, t->a[0]);
    if (f == NULL) {
        return -EBADF;
    }
    struct fd_slot *slot = &t->proc->fds->slots[(uint32_t)t->a[0]];
    const int changeable = O_APPEND | O_NONBLOCK | O_DIRECT | O_NOATIME | O_ASYNC;
    uint64_t arg = t->a[2];
    switch ((int)t->a[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        if (arg >= t->proc->fds->limit) {
            return -EINVAL;
        }
        file_ref(f);
        return fd_add(w, t->proc, f, (int)t->a[1] == F_DUPFD_CLOEXEC, arg);
    case F_GETFD: return slot->cloexec ? FD_CLOEXEC : 0;
    case F_SETFD: slot->cloexec = (arg & FD_CLOEXEC) != 0; return 0;
    case F_GETFL: return f->flags & ~O_CLOEXEC;
    case F_SETFL: f->flags = (f->flags & ~changeable) | ((int)arg & changeable); return 0;
    case F_GETLK:
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_GETLK:
    case F_OFD_SETLK:
    case F_OFD_SETLKW: return lock_fcntl(w, t, f);
    case F_GETOWN: return f->owner;
    case F_SETOWN: return set_owner(w, f, (int)arg, (int)arg < 0 ? F_OWNER_PGRP : F_OWNER_PID);
    case F_GETOWN_EX: return put_owner(t, f, arg);
    case F_SETOWN_EX: return get_owner(w, t, f, arg);
    case F_GETPIPE_SZ:
    case F_SETPIPE_SZ: return pipe_size(f, (int)t->a[1] == F_SETPIPE_SZ, arg);
    case F_ADD_SEALS: return file_add_seals(f, (uint32_t)arg);
    case F_GET_SEALS: return file_seals(f);
    case F_GETSIG: return f->owner_signal;
    case F_SETSIG:
        if (arg >= SIGNALS) {
            return -EINVAL;
        }
        f->owner_signal = (int)arg;
        return 0;
    case F_GET_RW_HINT:
    case F_SET_RW_HINT: return 0;
    default: return -EINVAL;
    }
}

int64_t call_ioctl(struct world *w, struct thread *t)
{
    struct file *f = fd_get(t, t->a[0]);
    int on = 0;
    if (f == NULL) {
        return -EBADF;
    }
    struct fd_slot *slot = &t->proc->fds->slots[(uint32_t)t->a[0]];
    switch ((uint32_t)t->a[1]) {
    case FIONBIO:
        if (!mem_read(t, t->a[2], &on, sizeof on)) {
            return -EFAULT;
        }
        f->flags = on != 0 ? f->flags | O_NONBLOCK : f->flags & ~O_NONBLOCK;
        return 0;
    case FIOCLEX: slot->cloexec = true; return 0;
    case FIONCLEX: slot->cloexec = false; return 0;
    case FIOASYNC: return 0;
    default: break;
    }
    return f->ops->ioctl != NULL ? f->ops->ioctl(w, t, f, (uint32_t)t->a[1], t->a[2]) : -ENOTTY;
}

/* ---- reading and writing ---- */

static uint64_t timeout_of(const struct world *w, const struct thread *t, uint64_t ns)
{
    return ns == 0 ? NEVER_NS : deadline_after(w, t->proc->node, ns);
}

static int64_t nonblock_or_wait(const struct world *w, struct thread *t, const struct file *f,
                                int64_t result)
{
    if (result == -EAGAIN && (f->flags & O_NONBLOCK) == 0 && !t->timed_out) {
        return block_until(t, timeout_of(w, t, f->rcv_timeout_ns));
    }
    return result;
}

static int64_t do_read(struct world *w, struct thread *t, struct uio *u, const int64_t *off)
{
    struct file *f = fd_get(t, t->a[0]);
    if (f == NULL || (f->flags & O_ACCMODE) == O_WRONLY) {
        return -EBADF;
    }
    if (f->ops->read == NULL || (off != NULL && *off < 0)) {
        return -EINVAL;
    }
    bool vector = t->nr == SYS_readv || t->nr == SYS_preadv || t->nr == SYS_preadv2;
    if (u->total == 0 && (vector || f->ops == &sock_ops)) {
        return 0;
    }
    return nonblock_or_wait(w, t, f, f->ops->read(w, f, u, off));
}

static int64_t do_write(struct world *w, struct thread *t, struct uio *u, const int64_t *off)
{
    struct file *f = fd_get(t, t->a[0]);
    if (f == NULL || (f->flags & O_ACCMODE) == O_RDONLY) {
        return -EBADF;
    }
    if (f->ops->write == NULL || (off != NULL && *off < 0)) {
        return -EINVAL;
    }
    if (u->total == 0 && (t->nr == SYS_writev || t->nr == SYS_pwritev || t->nr == SYS_pwritev2)) {
        return 0;
    }
    u->done = t->progress; /* a write that waited for room goes on where it was */
    int64_t result = f->ops->write(w, f, u, off);
    if (result == -EPIPE) {
        if (t->progress != 0) {
            return (int64_t)t->progress;
        }
        signal_send_simple(w, t->proc, SIGPIPE, SI_KERNEL, 0);
        return t->state == THREAD_DEAD ? (int64_t)CALL_GONE : -EPIPE;
    }
    if ((f->flags & O_NONBLOCK) == 0 && (result == -EAGAIN || result > 0)) {
        t->progress += result > 0 ? (size_t)result : 0;
        bool partial = f->ops->poll != NULL && t->progress < u->total;
        if (t->timed_out && result == -EAGAIN) {
            return t->progress != 0 ? (int64_t)t->progress : -EAGAIN;
        }
        if (result == -EAGAIN || partial) {
            return block_until(t, timeout_of(w, t, f->snd_timeout_ns));
        }
        return (int64_t)t->progress;
    }
    return result;
}

typedef int64_t (*uio_maker)(struct uio *u, struct thread *t, uint64_t at, uint64_t n);
typedef int64_t (*uio_user)(struct world *w, struct thread *t, struct uio *u, const int64_t *off);

static int64_t transfer(struct world *w, struct thread *t, uio_maker make, uio_user use)
{
    struct uio u;
    const struct file *f = fd_get(t, t->a[0]);
    int wrong = use == do_read ? O_WRONLY : O_RDONLY;
    if (f == NULL || (f->flags & O_ACCMODE) == wrong) {
        return -EBADF;
    }
    int64_t status = make(&u, t, t->a[1], t->a[2]);
    return status != 0 ? status : use(w, t, &u, NULL);
}

int64_t call_read(struct world *w, struct thread *t)
{
    return transfer(w, t, uio_init, do_read);
}

int64_t call_write(struct world *w, struct thread *t)
{
    return transfer(w, t, uio_init, do_write);
}

int64_t call_readv(struct world *w, struct thread *t)
{
    return transfer(w, t, uio_init_vec, do_read);
}

int64_t call_writev(struct world *w, struct thread *t)
{
    return transfer(w, t, uio_init_vec, do_write);
}

/* Only files with a position can be read at one. */
static int64_t check_seekable(struct thread *t)
{
    struct file *f = fd_get(t, t->a[0]);
    if (f == NULL) {
        return -EBADF;
    }
    return file_seekable(f) || f->ops->seekable || f->ops == &dev_ops ? 0 : -ESPIPE;
}

static int64_t at_position(struct world *w, struct thread *t, bool write, bool vector)
{
    struct uio u;
    int64_t off = (int64_t)t->a[3];
    int64_t status = off < 0 ? -EINVAL : check_seekable(t);
    if (status != 0) {
        return status;
    }
    status = vector ? uio_init_vec(&u, t, t->a[1], t->a[2]) : uio_init(&u, t, t->a[1], t->a[2]);
    if (status != 0) {
        return status;
    }
    return write ? do_write(w, t, &u, &off) : do_read(w, t, &u, &off);
}

int64_t call_pread64(struct world *w, struct thread *t)
{
    return at_position(w, t, false, false);
}

int64_t call_pwrite64(struct world *w, struct thread *t)
{
    return at_position(w, t, true, false);
}

int64_t call_preadv(struct world *w, struct thread *t)
{
    return at_position(w, t, false, true);
}

int64_t call_pwritev(struct world *w, struct thread *t)
{
    return at_position(w, t, true, true);
}

int64_t call_preadv2(struct world *w, struct thread *t)
{
    if (t->a[5] != 0) {
        return -EOPNOTSUPP;
    }
    return (int64_t)t->a[3] == -1 ? call_readv(w, t) : at_position(w, t, false, true);
}

int64_t call_pwritev2(struct world *w, struct thread *t)
{
    if (t->a[5] != 0) {
        return -EOPNOTSUPP;
    }
    return (int64_t)t->a[3] == -1 ? call_writev(w, t) : at_position(w, t, true, true);
}

/* ---- copies inside the kernel ---- */

/* Moves up to n bytes between two files through a buffer; reading must not block. */
static int64_t copy_files(struct world *w, struct thread *t, struct file *in, int64_t *in_off,
                          struct file *out, uint64_t n)
{
    /* The buffer is memory of the program in the eyes of read and write: the scratch page is. */
    uint64_t total = 0;
    while (total < n) {
        uint64_t part = n - total < 4096 ? n - total : 4096;
        struct uio u;
        (void)uio_init(&u, t, TRACEE_PAGE_ADDR + TRACEE_SCRATCH, part);
        int64_t got = in->ops->read(w, in, &u, in_off);
        if (got <= 0) {
            return total != 0 ? (int64_t)total : got;
        }
        (void)uio_init(&u, t, TRACEE_PAGE_ADDR + TRACEE_SCRATCH, (uint64_t)got);
        int64_t put = out->ops->write(w, out, &u, NULL);
        int64_t moved = put < 0 ? 0 : put;
        if (in_off != NULL) {
            *in_off += moved;
        } else if (moved < got) {
            in->offset -= got - moved; /* only files with a position come here */
        }
        total += (uint64_t)moved;
        if (put < got) {
            return total != 0 ? (int64_t)total : put;
        }
    }
    return (int64_t)total;
}

int64_t call_sendfile(struct world *w, struct thread *t)
{
    struct file *out = fd_get(t, t->a[0]), *in = fd_get(t, t->a[1]);
    int64_t off = 0;
    if (in == NULL || out == NULL || (in->flags & O_ACCMODE) == O_WRONLY ||
        (out->flags & O_ACCMODE) == O_RDONLY) {
        return -EBADF;
    }
    if ((!file_seekable(in) && in->ops != &dev_ops) || file_is_dir(in) || out->ops->write == NULL ||
        (out->flags & O_APPEND) != 0) {
        return -EINVAL;
    }
    if (t->a[2] != 0 && !mem_read(t, t->a[2], &off, sizeof off)) {
        return -EFAULT;
    }
    int64_t result = copy_files(w, t, in, t->a[2] != 0 ? &off : NULL, out, t->a[3]);
    if (result == -EPIPE) {
        signal_send_simple(w, t->proc, SIGPIPE, SI_KERNEL, 0);
        return t->state == THREAD_DEAD ? (int64_t)CALL_GONE : -EPIPE;
    }
    if (result > 0 && t->a[2] != 0 && !mem_write(t, t->a[2], &off, sizeof off)) {
        return -EFAULT;
    }
    return nonblock_or_wait(w, t, out, result);
}

int64_t call_copy_file_range(struct world *w, struct thread *t)
{
    struct file *in = fd_get(t, t->a[0]), *out = fd_get(t, t->a[2]);
    int64_t in_off = 0, out_off = 0;
    if (in == NULL || out == NULL) {
        return -EBADF;
    }
    if (file_is_dir(in) || file_is_dir(out)) {
        return -EISDIR;
    }
    if (!file_seekable(in) || !file_seekable(out) || t->a[5] != 0) {
        return -EINVAL;
    }
    if ((in->flags & O_ACCMODE) == O_WRONLY || (out->flags & O_ACCMODE) == O_RDONLY ||
        (out->flags & O_APPEND) != 0) {
        return -EBADF;
    }
    if ((t->a[1] != 0 && !mem_read(t, t->a[1], &in_off, 8)) ||
        (t->a[3] != 0 && !mem_read(t, t->a[3], &out_off, 8))) {
        return -EFAULT;
    }
    int64_t old = out->offset;
    if (t->a[3] != 0) {
        out->offset = out_off;
    }
    int64_t result = copy_files(w, t, in, t->a[1] != 0 ? &in_off : NULL, out, t->a[4]);
    if (t->a[3] != 0) {
        out_off = out->offset;
        out->offset = old;
    }
    if (result > 0 && ((t->a[1] != 0 && !mem_write(t, t->a[1], &in_off, 8)) ||
                       (t->a[3] != 0 && !mem_write(t, t->a[3], &out_off, 8)))) {
        return -EFAULT;
    }
    return result;
}

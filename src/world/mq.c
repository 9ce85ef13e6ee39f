/* POSIX message queues. A queue has a name until it is unlinked, and lives as long as it has one or
 * is open. Messages lie in the order in which they will be received. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/heap.h"
#include "world/socket.h"
#include "world/world_int.h"

enum { COUNT_DEFAULT = 10, SIZE_DEFAULT = 8192, COUNT_MOST = 65536, SIZE_MOST = 16 << 20 };
enum { PRIORITY_END = 32768, ALL_BYTES = 819200, COOKIE = 32 };

struct mq_message {
    struct mq_message *next;
    uint32_t priority;
    size_t n;
    uint8_t bytes[];
};
struct mq {
    struct mq *next; /* of the node, while it has a name */
    char *name;      /* NULL: unlinked */
    struct attrs attrs;
    uint32_t opens;
    int64_t most, size; /* messages; bytes of one */
    int64_t count;
    uint64_t bytes;
    struct mq_message *first;
    struct mq_file *files;
    /* who wants to know of the next message */
    int notify_pid; /* 0: nobody */
    struct sigevent notify;
    struct sock *notify_sock; /* of a thread that waits there; held */
    uint8_t cookie[COOKIE];
};
struct mq_file {
    struct file f;
    struct mq_file *next; /* of the queue */
    struct mq *q;
};

static void queue_changed(struct world *w, struct mq *q, bool in, bool out)
{
    for (struct mq_file *m = q->files; m != NULL; m = m->next) {
        file_changed(w, &m->f, in, out);
    }
}

/* ---- telling ---- */

static void notify_clear(struct world *w, struct mq *q, bool told)
{
    if (q->notify_sock != NULL) {
        struct message *m = heap_alloc(w->heap, sizeof *m + COOKIE);
        m->n = COOKIE;
        memcpy(m->bytes, q->cookie, COOKIE);
        m->bytes[COOKIE - 1] = told ? 1 : 2; /* NOTIFY_WOKENUP, NOTIFY_REMOVED */
        message_push(w, q->notify_sock, m);
        file_unref(w, &q->notify_sock->f);
        q->notify_sock = NULL;
    }
    q->notify_pid = 0;
}

/* A message has come to an empty queue. */
static void notify_one(struct world *w, struct thread *t, struct mq *q)
{
    struct proc *proc = q->notify_pid != 0 ? proc_find(t->proc->node, q->notify_pid) : NULL;
    if (proc == NULL) {
        return;
    }
    if (q->notify.sigev_notify == SIGEV_SIGNAL) {
        siginfo_t info;
        memset(&info, 0, sizeof info);
        info.si_signo = q->notify.sigev_signo;
        info.si_code = SI_MESGQ;
        info.si_pid = t->proc->pid;
        info.si_uid = (uid_t)t->cred->uid[CRED_REAL];
        info.si_value = q->notify.sigev_value;
        q->notify_pid = 0;
        signal_send(w, proc, NULL, &info);
        return;
    }
    notify_clear(w, q, true);
}

/* ---- life ---- */

static void queue_free(struct world *w, struct mq *q)
{
    while (q->first != NULL) {
        struct mq_message *m = q->first;
        q->first = m->next;
        heap_free(w->heap, m);
    }
    heap_free(w->heap, q->name);
    heap_free(w->heap, q);
}

static struct mq **queue_find(struct node *node, const char *name)
{
    struct mq **at = &node->mqs;
    while (*at != NULL && strcmp((*at)->name, name) != 0) {
        at = &(*at)->next;
    }
    return at;
}

static void queue_unlink(struct world *w, struct mq **at)
{
    struct mq *q = *at;
    *at = q->next;
    heap_free(w->heap, q->name);
    q->name = NULL;
    if (q->opens == 0) {
        queue_free(w, q);
    }
}

void mq_power_off(struct world *w, struct node *node)
{
    while (node->mqs != NULL) {
        queue_unlink(w, &node->mqs);
    }
}

static int64_t mq_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)w;
    const struct mq *q = ((struct mq_file *)f)->q;
    char text[96];
    int n = snprintf(
        text, sizeof text, "QSIZE:%-10lu NOTIFY:%-5d SIGNO:%-5d NOTIFY_PID:%-6d\n",
        (unsigned long)q->bytes, q->notify_pid != 0 ? q->notify.sigev_notify : 0,
        q->notify_pid != 0 && q->notify.sigev_notify == SIGEV_SIGNAL ? q->notify.sigev_signo : 0,
        q->notify_pid);
    int64_t at = off != NULL ? *off : f->offset;
    if (at >= n) {
        return 0;
    }
    size_t part = (size_t)(n - at) < uio_left(u) ? (size_t)(n - at) : uio_left(u);
    if (uio_put(u, text + at, part) != part) {
        return -EFAULT;
    }
    f->offset += off != NULL ? 0 : (int64_t)part;
    return (int64_t)part;
}

static uint32_t mq_poll(struct world *w, struct file *f)
{
    (void)w;
    const struct mq *q = ((struct mq_file *)f)->q;
    return (q->count != 0 ? (uint32_t)(EPOLLIN | EPOLLRDNORM) : 0) |
           (q->count < q->most ? (uint32_t)(EPOLLOUT | EPOLLWRNORM) : 0);
}

static void mq_release(struct world *w, struct file *f)
{
    struct mq_file *self = (struct mq_file *)f;
    struct mq *q = self->q;
    struct mq_file **at = &q->files;
    while (*at != self) {
        at = &(*at)->next;
    }
    *at = self->next;
    q->opens--;
    if (q->opens == 0) {
        notify_clear(w, q, false);
        if (q->name == NULL) {
            queue_free(w, q);
        }
    }
}

static void mq_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    const struct mq *q = ((struct mq_file *)f)->q;
    *st = (struct stat){.st_mode = S_IFREG | q->attrs.mode,
                        .st_uid = q->attrs.uid,
                        .st_gid = q->attrs.gid,
                        .st_ino = f->id,
                        .st_nlink = q->name != NULL ? 1 : 0,
                        .st_size = 80,
                        .st_blksize = 4096};
}

static struct attrs *mq_attrs(struct file *f)
{
    return &((struct mq_file *)f)->q->attrs;
}

static const struct file_ops mq_ops = {
    .name = "mqueue",
    .seekable = true,
    .read = mq_read,
    .poll = mq_poll,
    .release = mq_release,
    .stat = mq_stat,
    .attrs = mq_attrs,
};

/* The process closes a descriptor: it will not be told any more. */
void mq_closed(struct world *w, struct file *f, const struct proc *proc)
{
    if (f->ops == &mq_ops && ((struct mq_file *)f)->q->notify_pid == proc->pid) {
        notify_clear(w, ((struct mq_file *)f)->q, false);
    }
}

static int64_t get_name(struct thread *t, uint64_t at, char name[NAME_MAX + 1])
{
    int status = tracee_read_string(t->real, TADDR(at), name, NAME_MAX + 1);
    if (status != 0) {
        return status;
    }
    return name[0] == '\0' ? -ENOENT : strchr(name, '/') != NULL ? -EACCES : 0;
}

/* All queues of a node: what they could hold counts, as in Linux. */
static uint64_t bytes_reserved(const struct mq *q, const struct node *node)
{
    uint64_t all = (uint64_t)q->most * (uint64_t)(q->size + 56 + 8);
    for (const struct mq *other = node->mqs; other != NULL; other = other->next) {
        all += (uint64_t)other->most * (uint64_t)(other->size + 56 + 8);
    }
    return all;
}

static int64_t make_queue(struct world *w, struct thread *t, const char *name, struct mq **ret)
{
    struct mq_attr attr = {.mq_maxmsg = COUNT_DEFAULT, .mq_msgsize = SIZE_DEFAULT};
    if (t->a[3] != 0 && !mem_read(t, t->a[3], &attr, sizeof attr)) {
        return -EFAULT;
    }
    bool root = t->cred->uid[CRED_EFFECTIVE] == 0;
    if (attr.mq_maxmsg <= 0 || attr.mq_msgsize <= 0 ||
        attr.mq_maxmsg > (root ? COUNT_MOST : COUNT_DEFAULT) ||
        attr.mq_msgsize > (root ? SIZE_MOST : SIZE_DEFAULT)) {
        return -EINVAL;
    }
    struct mq *q = HEAP_NEW(w->heap, struct mq);
    q->most = attr.mq_maxmsg;
    q->size = attr.mq_msgsize;
    q->attrs = (struct attrs){(uint32_t)t->a[2] & 07777 & ~t->proc->cwd->umask,
                              t->cred->uid[CRED_FS], t->cred->gid[CRED_FS]};
    if (bytes_reserved(q, t->proc->node) > ALL_BYTES) {
        heap_free(w->heap, q);
        return -EMFILE;
    }
    q->name = heap_strdup(w, name);
    q->next = t->proc->node->mqs;
    t->proc->node->mqs = q;
    *ret = q;
    return 0;
}

int64_t call_mq_open(struct world *w, struct thread *t)
{
    char name[NAME_MAX + 1];
    int flags = (int)t->a[1];
    int64_t status = get_name(t, t->a[0], name);
    if ((status == 0 || status == -EACCES) && !fd_room(t->proc)) {
        return -EMFILE;
    }
    if (status != 0) {
        return status;
    }
    struct mq *q = *queue_find(t->proc->node, name);
    if (q != NULL && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
        return -EEXIST;
    }
    if (q == NULL) {
        status = (flags & O_CREAT) == 0 ? -ENOENT : make_queue(w, t, name, &q);
        if (status != 0) {
            return status;
        }
    }
    struct mq_file *m =
        file_new(w, t->proc->node, &mq_ops, sizeof *m, flags & (O_ACCMODE | O_NONBLOCK));
    m->q = q;
    m->next = q->files;
    q->files = m;
    q->opens++;
    char path[NAME_MAX + 2];
    (void)snprintf(path, sizeof path, "/%s", name);
    m->f.path = heap_strdup(w, path);
    return fd_add(w, t->proc, &m->f, true, 0);
}

int64_t call_mq_unlink(struct world *w, struct thread *t)
{
    char name[NAME_MAX + 1];
    int64_t status = get_name(t, t->a[0], name);
    struct mq **at = status == 0 ? queue_find(t->proc->node, name) : NULL;
    if (at == NULL || *at == NULL) {
        return status != 0 ? status : -ENOENT;
    }
    queue_unlink(w, at);
    return 0;
}

/* ---- messages ---- */

static struct mq_file *get_file(struct thread *t, int not_mode)
{
    struct file *f = fd_get(t, t->a[0]);
    bool good = f != NULL && f->ops == &mq_ops && (f->flags & O_ACCMODE) != not_mode;
    return good ? (struct mq_file *)f : NULL;
}

/* What a call does that cannot go on. */
static int64_t wait_until(const struct world *w, struct thread *t, const struct mq_file *m,
                          uint64_t at)
{
    uint64_t ns = 0, deadline = NEVER_NS;
    (void)w;
    if ((m->f.flags & O_NONBLOCK) != 0) {
        return -EAGAIN;
    }
    if (t->timed_out) {
        return -ETIMEDOUT;
    }
    if (at != 0) {
        int64_t status = mem_timespec(t, at, &ns);
        if (status != 0) {
            return status;
        }
        deadline = deadline_at(t->proc->node, CLOCK_REALTIME, ns);
        t->deadline_real = true;
    }
    return !t->retry && deadline <= w->now_ns ? -ETIMEDOUT : block_until(t, deadline);
}

/* Whether somebody waits for a message already. */
static bool is_awaited(const struct world *w, const struct mq *q)
{
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_BLOCKED && t->nr == SYS_mq_timedreceive) {
            const struct mq_file *m = get_file(t, O_WRONLY);
            if (m != NULL && m->q == q) {
                return true;
            }
        }
    }
    return false;
}

static int64_t check_timeout(struct thread *t, uint64_t at)
{
    uint64_t ns = 0;
    return at != 0 && !t->retry ? mem_timespec(t, at, &ns) : 0;
}

int64_t call_mq_timedsend(struct world *w, struct thread *t)
{
    uint64_t n = t->a[2], priority = (uint32_t)t->a[3];
    struct mq_file *m = get_file(t, O_RDONLY);
    int64_t status = check_timeout(t, t->a[4]);
    if (status != 0 || priority >= PRIORITY_END) {
        return status != 0 ? status : -EINVAL;
    }
    if (m == NULL) {
        return -EBADF;
    }
    struct mq *q = m->q;
    if (n > (uint64_t)q->size) {
        return -EMSGSIZE;
    }
    if (q->count == q->most) {
        return wait_until(w, t, m, t->a[4]);
    }
    struct mq_message *message = heap_alloc(w->heap, sizeof *message + n);
    message->priority = (uint32_t)priority;
    message->n = n;
    if (n != 0 && !mem_read(t, t->a[1], message->bytes, n)) {
        heap_free(w->heap, message);
        return -EFAULT;
    }
    hash_data(w, message->bytes, n);
    struct mq_message **at = &q->first;
    while (*at != NULL && (*at)->priority >= message->priority) {
        at = &(*at)->next;
    }
    message->next = *at;
    *at = message;
    q->bytes += n;
    if (q->count++ == 0 && !is_awaited(w, q)) {
        notify_one(w, t, q);
    }
    queue_changed(w, q, true, false);
    return t->state == THREAD_DEAD ? (int64_t)CALL_GONE : 0;
}

int64_t call_mq_timedreceive(struct world *w, struct thread *t)
{
    struct mq_file *m = get_file(t, O_WRONLY);
    int64_t status = check_timeout(t, t->a[4]);
    if (status != 0 || m == NULL) {
        return status != 0 ? status : -EBADF;
    }
    struct mq *q = m->q;
    if (t->a[2] < (uint64_t)q->size) {
        return -EMSGSIZE;
    }
    struct mq_message *message = q->first;
    if (message == NULL) {
        return wait_until(w, t, m, t->a[4]);
    }
    q->first = message->next;
    q->count--;
    q->bytes -= message->n;
    int64_t result = (int64_t)message->n;
    if ((t->a[3] != 0 && !mem_write(t, t->a[3], &message->priority, sizeof message->priority)) ||
        (message->n != 0 && !mem_write(t, t->a[1], message->bytes, message->n))) {
        result = -EFAULT;
    }
    heap_free(w->heap, message);
    queue_changed(w, q, false, true);
    return result;
}

/* ---- notification, attributes ---- */

/* A thread of the C library waits at a netlink socket for what is sent here. */
static int64_t notify_thread(struct thread *t, const struct sigevent *event, struct mq *q)
{
    int64_t status = 0;
    struct sock *s = sock_get(t, (uint64_t)(uint32_t)event->sigev_signo, &status);
    if (status != 0 || s->domain != AF_NETLINK) {
        return status != 0 ? status : -EINVAL;
    }
    if (!mem_read(t, (uintptr_t)event->sigev_value.sival_ptr, q->cookie, COOKIE)) {
        return -EFAULT;
    }
    file_ref(&s->f);
    q->notify_sock = s;
    return 0;
}

int64_t call_mq_notify(struct world *w, struct thread *t)
{
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    if (t->a[1] != 0) {
        if (!mem_read(t, t->a[1], &event, sizeof event)) {
            return -EFAULT;
        }
        bool known = event.sigev_notify == SIGEV_NONE || event.sigev_notify == SIGEV_SIGNAL ||
                     event.sigev_notify == SIGEV_THREAD;
        bool signal = event.sigev_signo >= 0 && event.sigev_signo <= 64;
        if (!known || (event.sigev_notify == SIGEV_SIGNAL && !signal)) {
            return -EINVAL;
        }
    }
    struct mq_file *m = get_file(t, -1);
    if (m == NULL) {
        return -EBADF;
    }
    struct mq *q = m->q;
    if (t->a[1] == 0) {
        if (q->notify_pid == t->proc->pid) {
            notify_clear(w, q, false);
        }
        return 0;
    }
    if (q->notify_pid != 0) {
        return -EBUSY;
    }
    int64_t status = event.sigev_notify == SIGEV_THREAD ? notify_thread(t, &event, q) : 0;
    if (status == 0) {
        q->notify = event;
        q->notify_pid = t->proc->pid;
    }
    return status;
}

int64_t call_mq_getsetattr(struct world *w, struct thread *t)
{
    (void)w;
    struct mq_attr new = {0}, old = {0};
    if (t->a[1] != 0) {
        if (!mem_read(t, t->a[1], &new, sizeof new)) {
            return -EFAULT;
        }
        if ((new.mq_flags & ~(long)O_NONBLOCK) != 0) {
            return -EINVAL;
        }
    }
    struct mq_file *m = get_file(t, -1);
    if (m == NULL) {
        return -EBADF;
    }
    old.mq_flags = m->f.flags & O_NONBLOCK;
    old.mq_maxmsg = m->q->most;
    old.mq_msgsize = m->q->size;
    old.mq_curmsgs = m->q->count;
    if (t->a[1] != 0) {
        m->f.flags = (m->f.flags & ~O_NONBLOCK) | (int)(new.mq_flags &O_NONBLOCK);
    }
    return t->a[2] == 0 || mem_write(t, t->a[2], &old, sizeof old) ? 0 : -EFAULT;
}

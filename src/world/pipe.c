/* Pipes and named pipes. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <asm/ioctls.h>
#include <sys/epoll.h>
#include <sys/stat.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

enum { PIPE_PAGES = 256, PIPE_DEFAULT = 16, PIPE_ATOMIC = 4096 };
enum { PACKET = 0x8000 }; /* of a page: a write with O_DIRECT ends here, and a read, too */

struct fifo {
    uint32_t readers, writers, refs;
    uint64_t opened_readers, opened_writers; /* ever: an open that waits looks at these */
    struct bytes data;
    /* As in Linux, data lie in pages of their own, and a page counts until it is empty: bytes, and
     * PACKET. */
    uint16_t pages[PIPE_PAGES];
    uint32_t first, n, most;
    struct file *ends;  /* through pipe_end.next */
    struct attrs attrs; /* of one without a name */
};
struct pipe_end {
    struct file f;
    struct fifo *fifo;
    struct pipe_end *next; /* of the same pipe */
    struct inode *inode;   /* of a named one */
};

static void fifo_changed(struct world *w, struct fifo *fifo, bool in, bool out)
{
    for (struct pipe_end *e = (struct pipe_end *)fifo->ends; e != NULL; e = e->next) {
        file_changed(w, &e->f, in, out);
    }
}

static bool is_reader(const struct file *f)
{
    return (f->flags & O_ACCMODE) != O_WRONLY;
}

static bool is_writer(const struct file *f)
{
    return (f->flags & O_ACCMODE) != O_RDONLY;
}

static size_t page_bytes(const struct fifo *fifo, uint32_t i)
{
    return fifo->pages[(fifo->first + i) % PIPE_PAGES] & (PACKET - 1);
}

static bool page_is_packet(const struct fifo *fifo, uint32_t i)
{
    return (fifo->pages[(fifo->first + i) % PIPE_PAGES] & PACKET) != 0;
}

const uint8_t *fifo_peek(const struct fifo *fifo, size_t *ret_n)
{
    *ret_n = fifo->data.n;
    return fifo->data.p + fifo->data.head;
}

void fifo_take(struct world *w, struct fifo *fifo, size_t n)
{
    bytes_drop(w, &fifo->data, n);
    for (size_t left = n; left > 0;) {
        size_t part = left < page_bytes(fifo, 0) ? left : page_bytes(fifo, 0);
        fifo->pages[fifo->first] = (uint16_t)(fifo->pages[fifo->first] - part);
        left -= part;
        if (page_bytes(fifo, 0) == 0) {
            fifo->first = (fifo->first + 1) % PIPE_PAGES;
            fifo->n--;
        }
    }
    fifo_changed(w, fifo, false, true);
}

/* What a read of up to `most` bytes gets. It ends with a packet, of which the rest is lost. */
static size_t readable(const struct fifo *fifo, size_t most, size_t *ret_lost)
{
    size_t n = 0;
    *ret_lost = 0;
    for (uint32_t i = 0; i < fifo->n && n < most; i++) {
        size_t bytes = page_bytes(fifo, i);
        size_t part = bytes < most - n ? bytes : most - n;
        n += part;
        if (page_is_packet(fifo, i)) {
            *ret_lost = bytes - part;
            break;
        }
    }
    return n;
}

static int64_t pipe_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct fifo *fifo = ((struct pipe_end *)f)->fifo;
    if (u->total == 0) {
        return 0;
    }
    if (fifo->data.n == 0) {
        return fifo->writers == 0 ? 0 : -EAGAIN;
    }
    size_t lost = 0, n = readable(fifo, uio_left(u), &lost);
    hash_data(w, fifo->data.p + fifo->data.head, n);
    size_t moved = uio_put(u, fifo->data.p + fifo->data.head, n);
    if (moved == 0) {
        return -EFAULT;
    }
    fifo_take(w, fifo, moved == n ? n + lost : moved);
    return (int64_t)moved;
}

/* Bytes that a write of n could put now. The end of a write joins the last page if it fits whole.
 */
static size_t fifo_room(const struct fifo *fifo, size_t n, size_t *ret_joined)
{
    size_t tail = n % PAGE, last = 0;
    if (fifo->n > 0) {
        last = page_is_packet(fifo, fifo->n - 1) ? PAGE : page_bytes(fifo, fifo->n - 1);
    }
    *ret_joined = tail != 0 && fifo->n > 0 && last + tail <= PAGE ? tail : 0;
    size_t fresh = fifo->n < fifo->most ? (size_t)(fifo->most - fifo->n) * PAGE : 0;
    return *ret_joined + (n - *ret_joined < fresh ? n - *ret_joined : fresh);
}

static void fifo_fill(struct fifo *fifo, size_t n, size_t joined, bool packets)
{
    if (joined != 0) {
        uint16_t *last = &fifo->pages[(fifo->first + fifo->n - 1) % PIPE_PAGES];
        *last = (uint16_t)(*last + joined);
        n -= joined;
    }
    while (n > 0) {
        size_t part = n < PAGE ? n : PAGE;
        fifo->pages[(fifo->first + fifo->n++) % PIPE_PAGES] =
            (uint16_t)(part | (packets ? PACKET : 0));
        n -= part;
    }
}

size_t fifo_space(const struct fifo *fifo, size_t n)
{
    size_t joined = 0;
    return fifo_room(fifo, n, &joined);
}

void fifo_add(struct world *w, struct fifo *fifo, const void *from, size_t n)
{
    size_t joined = 0;
    (void)fifo_room(fifo, n, &joined);
    hash_data(w, from, n);
    bytes_put(w, &fifo->data, from, n);
    fifo_fill(fifo, n, joined < n ? joined : n, false);
    fifo_changed(w, fifo, true, false);
}

uint32_t fifo_readers(const struct fifo *fifo)
{
    return fifo->readers;
}

uint32_t fifo_writers(const struct fifo *fifo)
{
    return fifo->writers;
}

static int64_t pipe_write(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct fifo *fifo = ((struct pipe_end *)f)->fifo;
    size_t left = uio_left(u), joined = 0;
    if (left == 0) {
        return 0;
    }
    if (fifo->readers == 0) {
        return -EPIPE;
    }
    size_t n = left < ENGINE_BUF ? left : ENGINE_BUF;
    n = fifo_room(fifo, n, &joined);
    if (n == 0 || (u->total <= PIPE_ATOMIC && n < left)) {
        return -EAGAIN;
    }
    size_t got = uio_get(u, w->engine->buf, n);
    if (got == 0) {
        return -EFAULT;
    }
    hash_data(w, w->engine->buf, got);
    bytes_put(w, &fifo->data, w->engine->buf, got);
    fifo_fill(fifo, got, joined < got ? joined : got, (f->flags & O_DIRECT) != 0);
    fifo_changed(w, fifo, true, false);
    return (int64_t)got;
}

static uint32_t pipe_poll(struct world *w, struct file *f)
{
    (void)w;
    const struct fifo *fifo = ((struct pipe_end *)f)->fifo;
    uint32_t mask = 0;
    if (is_reader(f)) {
        mask |= fifo->data.n != 0 ? (uint32_t)(EPOLLIN | EPOLLRDNORM) : 0;
        mask |= fifo->writers == 0 && fifo->opened_writers != 0 ? (uint32_t)EPOLLHUP : 0;
    }
    if (is_writer(f)) {
        mask |= fifo->n < fifo->most ? (uint32_t)(EPOLLOUT | EPOLLWRNORM) : 0;
        mask |= fifo->readers == 0 ? (uint32_t)EPOLLERR : 0;
    }
    return mask;
}

static void pipe_release(struct world *w, struct file *f)
{
    struct pipe_end *end = (struct pipe_end *)f;
    struct fifo *fifo = end->fifo;
    fifo->readers -= is_reader(f) ? 1 : 0;
    fifo->writers -= is_writer(f) ? 1 : 0;
    struct pipe_end *at = (struct pipe_end *)fifo->ends;
    if (at == end) {
        fifo->ends = (struct file *)end->next;
    } else {
        while (at->next != end) {
            at = at->next;
        }
        at->next = end->next;
    }
    fifo_changed(w, fifo, true, true);
    if (end->inode != NULL) {
        if (fifo->readers + fifo->writers == 0) {
            bytes_done(w, &fifo->data);
            fifo->first = fifo->n = 0;
            fifo->opened_readers = fifo->opened_writers = 0;
        }
        inode_unref(w, end->inode);
    } else if (fifo->readers + fifo->writers == 0) {
        fifo_free(w, fifo);
    }
}

void fifo_free(struct world *w, struct fifo *fifo)
{
    if (fifo != NULL) {
        bytes_done(w, &fifo->data);
        heap_free(w->heap, fifo);
    }
}

static int64_t pipe_ioctl(struct world *w, struct thread *t, struct file *f, uint64_t cmd,
                          uint64_t arg)
{
    (void)w;
    int n = (int)((struct pipe_end *)f)->fifo->data.n;
    if (cmd != FIONREAD) {
        return -ENOTTY;
    }
    return mem_write(t, arg, &n, sizeof n) ? 0 : -EFAULT;
}

static void pipe_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    const struct pipe_end *end = (struct pipe_end *)f;
    if (end->inode != NULL) {
        inode_stat(end->inode, st);
        return;
    }
    st->st_mode = S_IFIFO | end->fifo->attrs.mode;
    st->st_uid = end->fifo->attrs.uid;
    st->st_gid = end->fifo->attrs.gid;
    st->st_ino = f->id;
    st->st_nlink = 1;
    st->st_blksize = 4096;
}

static struct attrs *pipe_attrs(struct file *f)
{
    return &((struct pipe_end *)f)->fifo->attrs;
}

static const struct file_ops pipe_ops = {
    .name = "pipe",
    .read = pipe_read,
    .write = pipe_write,
    .poll = pipe_poll,
    .release = pipe_release,
    .ioctl = pipe_ioctl,
    .stat = pipe_stat,
    .attrs = pipe_attrs,
};

static struct pipe_end *end_new(struct world *w, struct node *node, struct fifo *fifo, int flags)
{
    struct pipe_end *end = file_new(w, node, &pipe_ops, sizeof *end, flags);
    end->fifo = fifo;
    end->next = (struct pipe_end *)fifo->ends;
    fifo->ends = &end->f;
    fifo->readers += is_reader(&end->f) ? 1 : 0;
    fifo->writers += is_writer(&end->f) ? 1 : 0;
    fifo->opened_readers += is_reader(&end->f) ? 1 : 0;
    fifo->opened_writers += is_writer(&end->f) ? 1 : 0;
    fifo_changed(w, fifo, true, true);
    return end;
}

static struct fifo *fifo_new(struct world *w)
{
    struct fifo *fifo = HEAP_NEW(w->heap, struct fifo);
    fifo->most = PIPE_DEFAULT;
    fifo->attrs = (struct attrs){0600, getuid(), getgid()};
    return fifo;
}

static int64_t make_pipe(struct world *w, struct thread *t, uint64_t flags)
{
    if ((flags & ~(uint64_t)(O_CLOEXEC | O_NONBLOCK | O_DIRECT)) != 0) {
        return -EINVAL;
    }
    struct node *node = t->proc->node;
    struct fifo *fifo = fifo_new(w);
    fifo->attrs.uid = t->cred->uid[CRED_FS];
    fifo->attrs.gid = t->cred->gid[CRED_FS];
    int status = (int)(flags & (O_NONBLOCK | O_DIRECT));
    struct pipe_end *in = end_new(w, node, fifo, O_RDONLY | status);
    struct pipe_end *out = end_new(w, node, fifo, O_WRONLY | status);
    bool cloexec = (flags & O_CLOEXEC) != 0;
    int64_t fd[2];
    fd[0] = fd_add(w, t->proc, &in->f, cloexec, 0);
    if (fd[0] < 0) {
        file_unref(w, &out->f);
        return fd[0];
    }
    fd[1] = fd_add(w, t->proc, &out->f, cloexec, 0);
    int out_fd[2] = {(int)fd[0], (int)fd[1]};
    if (fd[1] < 0 || !mem_write(t, t->a[0], out_fd, sizeof out_fd)) {
        fd_close(w, t->proc, (uint64_t)fd[0]);
        if (fd[1] >= 0) {
            fd_close(w, t->proc, (uint64_t)fd[1]);
        }
        return fd[1] < 0 ? fd[1] : -EFAULT;
    }
    return 0;
}

int64_t call_pipe(struct world *w, struct thread *t)
{
    return make_pipe(w, t, 0);
}

int64_t call_pipe2(struct world *w, struct thread *t)
{
    return make_pipe(w, t, t->a[1]);
}

struct fifo *pipe_fifo(const struct file *f)
{
    return f->ops == &pipe_ops ? ((const struct pipe_end *)f)->fifo : NULL;
}

int64_t pipe_size(struct file *f, bool set, uint64_t size)
{
    if (f->ops != &pipe_ops) {
        return -EBADF;
    }
    struct fifo *fifo = ((struct pipe_end *)f)->fifo;
    if (set) {
        uint32_t pages = 1;
        while (pages < PIPE_PAGES && (size_t)pages * PAGE < size) {
            pages *= 2;
        }
        if (size > (size_t)PIPE_PAGES * PAGE) {
            return -EPERM;
        }
        if (pages < fifo->n) {
            return -EBUSY;
        }
        fifo->most = pages;
    }
    return (int64_t)fifo->most * PAGE;
}

/* Opens a named pipe: waits for the other side, as O_NONBLOCK says. */
int64_t fifo_open(struct world *w, struct thread *t, struct inode *inode, int flags,
                  struct file **ret_file)
{
    if (inode->fifo == NULL) {
        inode->fifo = fifo_new(w);
    }
    struct fifo *fifo = inode->fifo;
    int mode = flags & O_ACCMODE;
    if (t->call_cookie == 0) {
        if (mode == O_WRONLY && (flags & O_NONBLOCK) != 0 && fifo->readers == 0) {
            return -ENXIO;
        }
        struct pipe_end *end = end_new(w, t->proc->node, fifo, flags);
        end->inode = inode;
        inode->opens++;
        *ret_file = &end->f;
        bool other = mode == O_RDWR || (flags & O_NONBLOCK) != 0 ||
                     (mode == O_RDONLY ? fifo->writers != 0 : fifo->readers != 0);
        if (other) {
            return 0;
        }
        t->call_cookie = (uintptr_t)&end->f;
        t->call_seen = mode == O_RDONLY ? fifo->opened_writers : fifo->opened_readers;
        return block(t);
    }
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): our own pointer, kept while waiting */
    struct file *f = (struct file *)t->call_cookie;
    uint64_t seen = mode == O_RDONLY ? fifo->opened_writers : fifo->opened_readers;
    if (seen == t->call_seen) {
        return block(t);
    }
    *ret_file = f;
    return 0;
}

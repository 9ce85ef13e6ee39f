/* splice, tee, vmsplice: moving data through pipes inside the kernel. Bytes are copied; which of
 * them the real kernel would only point to nobody can tell, but for programs that change memory
 * after vmsplice, which they are told not to. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tracee/tracee.h"
#include "world/calls.h"
#include "world/world_int.h"

enum { CHUNK = 4096 };
enum { SPLICE_FLAGS = SPLICE_F_MOVE | SPLICE_F_NONBLOCK | SPLICE_F_MORE | SPLICE_F_GIFT };

struct splice {
    struct world *w;
    struct thread *t;
    struct file *in, *out;
    struct fifo *from, *to; /* the pipes among them, or NULL */
    int64_t in_off, out_off;
    bool has_in, has_out; /* offsets */
};

/* The scratch page is memory of the program, and ours as well. */
static uint8_t *scratch(const struct splice *s, struct uio *u, size_t n)
{
    (void)uio_init(u, s->t, TRACEE_PAGE_ADDR + TRACEE_SCRATCH, n);
    return s->t->proc->node->shared.bytes + TRACEE_SCRATCH;
}

/* At most n bytes from a file or a pipe to scratch; a pipe keeps them until they are taken. */
static int64_t get_part(struct splice *s, size_t n)
{
    struct uio u;
    uint8_t *buffer = scratch(s, &u, n);
    if (s->from == NULL) {
        return s->in->ops->read(s->w, s->in, &u, s->has_in ? &s->in_off : NULL);
    }
    size_t have = 0;
    const uint8_t *bytes = fifo_peek(s->from, &have);
    n = n < have ? n : have;
    if (n == 0) {
        return fifo_writers(s->from) == 0 ? 0 : -EAGAIN;
    }
    memcpy(buffer, bytes, n);
    return (int64_t)n;
}

static int64_t put_part(struct splice *s, size_t n)
{
    struct uio u;
    (void)scratch(s, &u, n);
    return s->out->ops->write(s->w, s->out, &u, s->has_out ? &s->out_off : NULL);
}

/* Nothing is there, and something may come. */
static bool is_dry(struct fifo *fifo)
{
    size_t have = 0;
    (void)fifo_peek(fifo, &have);
    return have == 0 && fifo_writers(fifo) != 0;
}

/* Moves what can be moved now: bytes, or why there are none. */
static int64_t move(struct splice *s, uint64_t n)
{
    uint64_t total = 0;
    while (total < n) {
        size_t part = n - total < CHUNK ? (size_t)(n - total) : CHUNK;
        if (s->to != NULL) {
            if (s->from != NULL && total == 0 && is_dry(s->from)) {
                return -EAGAIN; /* that is looked at before who reads */
            }
            if (fifo_readers(s->to) == 0) {
                return total != 0 ? (int64_t)total : -EPIPE;
            }
            part = fifo_space(s->to, part);
            if (part == 0) {
                return total != 0 ? (int64_t)total : -EAGAIN;
            }
        }
        int64_t got = s->in->ops->no_splice ? -EINVAL : get_part(s, part);
        if (got <= 0) {
            return total != 0 ? (int64_t)total : got;
        }
        int64_t put = put_part(s, (size_t)got);
        size_t moved = put > 0 ? (size_t)put : 0;
        if (s->from != NULL) {
            fifo_take(s->w, s->from, moved);
        }
        s->in_off += s->has_in ? (int64_t)moved : 0;
        s->out_off += s->has_out ? (int64_t)moved : 0;
        total += moved;
        if (put < got) {
            return total != 0 ? (int64_t)total : put;
        }
        if (s->from == NULL && (size_t)got < part) {
            break;
        }
    }
    return (int64_t)total;
}

/* A result of -EAGAIN or -EPIPE, as the program sees it. */
static int64_t wait_or_tell(struct splice *s, int64_t result, bool nonblock)
{
    if (result == -EPIPE) {
        signal_send_simple(s->w, s->t->proc, SIGPIPE, SI_KERNEL, 0);
        return s->t->state == THREAD_DEAD ? (int64_t)CALL_GONE : -EPIPE;
    }
    return result == -EAGAIN && !nonblock ? block(s->t) : result;
}

static bool is_nonblock(const struct splice *s, uint64_t flags)
{
    const int both = (s->in != NULL ? s->in->flags : 0) | (s->out != NULL ? s->out->flags : 0);
    return (flags & SPLICE_F_NONBLOCK) != 0 || (both & O_NONBLOCK) != 0;
}

static bool can_read(const struct file *f)
{
    return f != NULL && (f->flags & O_ACCMODE) != O_WRONLY;
}

static bool can_write(const struct file *f)
{
    return f != NULL && (f->flags & O_ACCMODE) != O_RDONLY;
}

/* What is wrong with the ends and their offsets. */
static int64_t check_ends(struct splice *s, uint64_t in_at, uint64_t out_at)
{
    if ((s->from != NULL && in_at != 0) || (s->to != NULL && out_at != 0)) {
        return -ESPIPE;
    }
    if (s->from == NULL && s->to == NULL) {
        return -EINVAL;
    }
    if (!can_read(s->in) || !can_write(s->out)) {
        return -EBADF;
    }
    if (s->from == s->to || (s->out->flags & O_APPEND) != 0) {
        return -EINVAL;
    }
    if (s->in->ops->read == NULL || s->out->ops->write == NULL || file_is_dir(s->in) ||
        s->out->ops->no_splice) {
        return -EINVAL;
    }
    if ((in_at != 0 && !file_seekable(s->in)) || (out_at != 0 && !file_seekable(s->out))) {
        return -EINVAL;
    }
    if ((in_at != 0 && !mem_read(s->t, in_at, &s->in_off, 8)) ||
        (out_at != 0 && !mem_read(s->t, out_at, &s->out_off, 8))) {
        return -EFAULT;
    }
    return s->in_off < 0 || s->out_off < 0 ? -EINVAL : 0;
}

int64_t call_splice(struct world *w, struct thread *t)
{
    uint64_t flags = t->a[5];
    struct splice s = {.w = w, .t = t, .in = fd_get(t, t->a[0]), .out = fd_get(t, t->a[2])};
    if (t->a[4] == 0) {
        return 0;
    }
    if ((flags & ~(uint64_t)SPLICE_FLAGS) != 0) {
        return -EINVAL;
    }
    if (s.in == NULL || s.out == NULL) {
        return -EBADF;
    }
    s.from = pipe_fifo(s.in);
    s.to = pipe_fifo(s.out);
    s.has_in = t->a[1] != 0;
    s.has_out = t->a[3] != 0;
    int64_t status = check_ends(&s, t->a[1], t->a[3]);
    if (status != 0) {
        return status;
    }
    int64_t result = move(&s, t->a[4]);
    if (result > 0 && ((s.has_in && !mem_write(t, t->a[1], &s.in_off, 8)) ||
                       (s.has_out && !mem_write(t, t->a[3], &s.out_off, 8)))) {
        return -EFAULT;
    }
    return wait_or_tell(&s, result, is_nonblock(&s, flags));
}

int64_t call_tee(struct world *w, struct thread *t)
{
    uint64_t flags = t->a[3], n = t->a[2];
    struct splice s = {.w = w, .t = t, .in = fd_get(t, t->a[0]), .out = fd_get(t, t->a[1])};
    if ((flags & ~(uint64_t)SPLICE_FLAGS) != 0) {
        return -EINVAL;
    }
    if (n == 0) {
        return 0;
    }
    if (s.in == NULL || s.out == NULL) {
        return -EBADF;
    }
    s.from = pipe_fifo(s.in);
    s.to = pipe_fifo(s.out);
    if (!can_read(s.in) || !can_write(s.out)) {
        return -EBADF;
    }
    if (s.from == NULL || s.to == NULL || s.from == s.to) {
        return -EINVAL;
    }
    size_t have = 0;
    const uint8_t *bytes = fifo_peek(s.from, &have);
    have = have < n ? have : n;
    size_t room = fifo_space(s.to, have);
    have = have < room ? have : room;
    if (have == 0) {
        size_t waiting = 0;
        (void)fifo_peek(s.from, &waiting);
        int64_t result = is_dry(s.from)            ? -EAGAIN
                         : fifo_readers(s.to) == 0 ? -EPIPE
                         : waiting == 0            ? 0
                                                   : -EAGAIN;
        return wait_or_tell(&s, result, is_nonblock(&s, flags));
    }
    if (fifo_readers(s.to) == 0) {
        return wait_or_tell(&s, -EPIPE, true);
    }
    fifo_add(w, s.to, bytes, have);
    return (int64_t)have;
}

int64_t call_vmsplice(struct world *w, struct thread *t)
{
    uint64_t flags = t->a[3];
    struct file *f = fd_get(t, t->a[0]);
    struct uio u;
    if ((flags & ~(uint64_t)SPLICE_FLAGS) != 0) {
        return -EINVAL;
    }
    if (f == NULL || pipe_fifo(f) == NULL) {
        return -EBADF;
    }
    int64_t status = uio_init_vec(&u, t, t->a[1], t->a[2]);
    if (status != 0 || u.total == 0) {
        return status;
    }
    struct splice s = {.w = w, .t = t, .in = f, .from = NULL};
    if (!can_write(f)) {
        return wait_or_tell(&s, f->ops->read(w, f, &u, NULL), is_nonblock(&s, flags));
    }
    struct fifo *fifo = pipe_fifo(f);
    size_t room = fifo_space(fifo, u.total < ENGINE_BUF ? u.total : ENGINE_BUF);
    int64_t result = fifo_readers(fifo) == 0 ? -EPIPE : -EAGAIN;
    if (result == -EAGAIN && room != 0) {
        size_t got = uio_get(&u, w->engine->buf, room);
        if (got != 0) {
            fifo_add(w, fifo, w->engine->buf, got);
        }
        result = got != 0 ? (int64_t)got : -EFAULT;
    }
    return wait_or_tell(&s, result, is_nonblock(&s, flags));
}

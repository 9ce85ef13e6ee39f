/* Waiting for several files: epoll, poll, select.
 *
 * An edge-triggered watch is reported when the counters of its file (seq_in, seq_out) have moved
 * since it was last reported. Watches are examined in order, and those reported go to the end, so
 * that none starves. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

enum { NESTS_MOST = 4 };

struct epoll_item {
    struct epoll_item *next, *prev; /* of the epoll */
    struct epoll_item *next_watch;  /* of the file */
    struct epoll *epoll;
    struct file *file;
    int fd;
    uint32_t events;
    uint64_t data;
    uint64_t seen_in, seen_out; /* seq + 1 at the last report; 0 = never */
    bool disabled;              /* oneshot, until it is set again */
};
struct epoll {
    struct file f;
    struct epoll_item *head, *tail;
};

static const struct file_ops epoll_ops;

static void item_unlink(struct epoll_item *item)
{
    struct epoll *ep = item->epoll;
    *(item->prev != NULL ? &item->prev->next : &ep->head) = item->next;
    *(item->next != NULL ? &item->next->prev : &ep->tail) = item->prev;
    item->next = item->prev = NULL;
}

static void item_append(struct epoll_item *item)
{
    struct epoll *ep = item->epoll;
    item->prev = ep->tail;
    item->next = NULL;
    *(ep->tail != NULL ? &ep->tail->next : &ep->head) = item;
    ep->tail = item;
}

void epoll_watch_state(const void *block, uint64_t at[2], size_t ret_offset[2])
{
    const struct epoll_item *item = block;
    ret_offset[0] = offsetof(struct epoll_item, seen_in);
    ret_offset[1] = offsetof(struct epoll_item, seen_out);
    at[0] = item->seen_in == 0 ? 0 : item->seen_in == item->file->seq_in + 1 ? 1 : 2;
    at[1] = item->seen_out == 0 ? 0 : item->seen_out == item->file->seq_out + 1 ? 1 : 2;
}

static void item_free(struct world *w, struct epoll_item *item)
{
    item_unlink(item);
    for (struct epoll_item **at = &item->file->watches; *at != NULL; at = &(*at)->next_watch) {
        if (*at == item) {
            *at = item->next_watch;
            break;
        }
    }
    heap_free(w->heap, item);
}

void epoll_forget(struct world *w, struct file *f)
{
    while (f->watches != NULL) {
        item_free(w, f->watches);
    }
}

/* What a watch would report now. */
static uint32_t item_ready(struct world *w, const struct epoll_item *item)
{
    if (item->disabled) {
        return 0;
    }
    uint32_t mask = file_poll(w, item->file) & (item->events | EPOLLERR | EPOLLHUP);
    bool same =
        item->seen_in == item->file->seq_in + 1 && item->seen_out == item->file->seq_out + 1;
    return (item->events & EPOLLET) != 0 && same ? 0 : mask;
}

static uint32_t epoll_poll(struct world *w, struct file *f)
{
    const struct epoll *ep = (struct epoll *)f;
    for (const struct epoll_item *item = ep->head; item != NULL; item = item->next) {
        if (item_ready(w, item) != 0) {
            return (uint32_t)(EPOLLIN | EPOLLRDNORM);
        }
    }
    return 0;
}

static void epoll_release(struct world *w, struct file *f)
{
    struct epoll *ep = (struct epoll *)f;
    while (ep->head != NULL) {
        item_free(w, ep->head);
    }
}

static void epoll_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    st->st_mode = 0600;
    st->st_ino = f->id;
    st->st_nlink = 1;
}

static const struct file_ops epoll_ops = {
    .name = "[eventpoll]",
    .no_seek = true,
    .poll = epoll_poll,
    .release = epoll_release,
    .stat = epoll_stat,
};

static int64_t make_epoll(struct world *w, struct thread *t, bool cloexec)
{
    struct epoll *ep = file_new(w, t->proc->node, &epoll_ops, sizeof *ep, O_RDWR);
    return fd_add(w, t->proc, &ep->f, cloexec, 0);
}

int64_t call_epoll_create(struct world *w, struct thread *t)
{
    return (int)t->a[0] <= 0 ? -EINVAL : make_epoll(w, t, false);
}

int64_t call_epoll_create1(struct world *w, struct thread *t)
{
    if ((t->a[0] & ~(uint64_t)EPOLL_CLOEXEC) != 0) {
        return -EINVAL;
    }
    return make_epoll(w, t, (t->a[0] & EPOLL_CLOEXEC) != 0);
}

static struct epoll_item *item_find(const struct epoll *ep, const struct file *f, int fd)
{
    for (struct epoll_item *item = ep->head; item != NULL; item = item->next) {
        if (item->file == f && item->fd == fd) {
            return item;
        }
    }
    return NULL;
}

/* How epolls watch each other: at most so deep, and so many at each step. Everything that asks them
 * goes down all ways. */
enum { NESTED_MOST = 5, NESTED_WIDTH = 8 };

/* Steps from here down, or up, through other epolls. */
static int nested_below(const struct epoll *ep, int most)
{
    int deepest = 0;
    for (const struct epoll_item *item = ep->head; item != NULL && most > 0; item = item->next) {
        if (item->file->ops == &epoll_ops) {
            int below = 1 + nested_below((const struct epoll *)item->file, most - 1);
            deepest = below > deepest ? below : deepest;
        }
    }
    return deepest;
}

static int nested_above(const struct epoll *ep, int most)
{
    int highest = 0;
    const struct epoll_item *item = ep->f.watches;
    for (; item != NULL && most > 0; item = item->next_watch) {
        int above = 1 + nested_above(item->epoll, most - 1);
        highest = above > highest ? above : highest;
    }
    return highest;
}

/* 0, or why an epoll cannot watch another one. */
static int64_t check_nested(const struct epoll *ep, const struct epoll *inner)
{
    int width = 0, watchers = 0;
    for (const struct epoll_item *item = ep->head; item != NULL; item = item->next) {
        width += item->file->ops == &epoll_ops ? 1 : 0;
    }
    for (const struct epoll_item *item = inner->f.watches; item != NULL; item = item->next_watch) {
        watchers++;
    }
    if (width >= NESTED_WIDTH || watchers >= NESTED_WIDTH) {
        return -EINVAL;
    }
    int deep = nested_above(ep, NESTED_MOST) + 1 + nested_below(inner, NESTED_MOST);
    return deep < NESTED_MOST ? 0 : -ELOOP; /* a ring is deeper than that */
}

static int64_t epoll_add(struct world *w, struct epoll *ep, struct file *f, int fd,
                         const struct epoll_event *event)
{
    int64_t status = f->ops == &epoll_ops ? check_nested(ep, (const struct epoll *)f) : 0;
    if (status != 0) {
        return status;
    }
    struct epoll_item *item = HEAP_NEW(w->heap, struct epoll_item);
    heap_mark(item, HEAP_WATCH);
    item->epoll = ep;
    item->file = f;
    item->fd = fd;
    item->events = event->events;
    item->data = event->data.u64;
    item->next_watch = f->watches;
    f->watches = item;
    item_append(item);
    file_changed(w, &ep->f, true, false);
    return 0;
}

/* ---- one in another ---- */

/* Levels of epolls below this one; more than are allowed when `top` is among them. */
static int depth_below(const struct epoll *ep, const struct epoll *top, int level)
{
    int most = 0;
    if (ep == top || level > NESTS_MOST) {
        return NESTS_MOST + 1;
    }
    for (const struct epoll_item *item = ep->head; item != NULL; item = item->next) {
        if (item->file->ops == &epoll_ops) {
            int below = depth_below((struct epoll *)item->file, top, level + 1) + 1;
            most = below > most ? below : most;
        }
    }
    return most;
}

static int depth_above(const struct epoll *ep, int level)
{
    int most = 0;
    for (const struct epoll_item *item = ep->f.watches; item != NULL && level <= NESTS_MOST;
         item = item->next_watch) {
        int above = depth_above(item->epoll, level + 1) + 1;
        most = above > most ? above : most;
    }
    return most;
}

/* Whether one epoll may watch another: they must not go round, nor be too many. */
static bool nests(const struct epoll *ep, const struct epoll *to)
{
    int below = depth_below(to, ep, 0);
    return below <= NESTS_MOST && below + 1 + depth_above(ep, 0) <= NESTS_MOST;
}

/* EPOLLEXCLUSIVE goes with few others, and not with an epoll. */
static bool exclusive_fits(int op, const struct file *f, uint32_t events)
{
    const uint32_t fits =
        EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP | EPOLLWAKEUP | EPOLLET | EPOLLEXCLUSIVE;
    if (op == EPOLL_CTL_DEL || (events & EPOLLEXCLUSIVE) == 0) {
        return true;
    }
    return op == EPOLL_CTL_ADD && f->ops != &epoll_ops && (events & ~fits) == 0;
}

int64_t call_epoll_ctl(struct world *w, struct thread *t)
{
    struct file *self = fd_get(t, t->a[0]), *f = fd_get(t, t->a[2]);
    struct epoll_event event = {0};
    int op = (int)t->a[1];
    if (op != EPOLL_CTL_DEL && !mem_read(t, t->a[3], &event, sizeof event)) {
        return -EFAULT;
    }
    if (self == NULL || f == NULL) {
        return -EBADF;
    }
    if (f->ops->poll == NULL) {
        return -EPERM;
    }
    if (self->ops != &epoll_ops || self == f) {
        return -EINVAL;
    }
    if (!exclusive_fits(op, f, event.events)) {
        return -EINVAL;
    }
    struct epoll *ep = (struct epoll *)self;
    if (op == EPOLL_CTL_ADD && f->ops == &epoll_ops && !nests(ep, (struct epoll *)f)) {
        return -ELOOP;
    }
    struct epoll_item *item = item_find(ep, f, (int)t->a[2]);
    switch (op) {
    case EPOLL_CTL_ADD: return item != NULL ? -EEXIST : epoll_add(w, ep, f, (int)t->a[2], &event);
    case EPOLL_CTL_DEL:
        if (item == NULL) {
            return -ENOENT;
        }
        item_free(w, item);
        return 0;
    case EPOLL_CTL_MOD:
        if (item == NULL) {
            return -ENOENT;
        }
        if ((item->events & EPOLLEXCLUSIVE) != 0) {
            return -EINVAL;
        }
        item->events = event.events;
        item->data = event.data.u64;
        item->seen_in = item->seen_out = 0;
        item->disabled = false;
        file_changed(w, &ep->f, true, false);
        return 0;
    default: return -EINVAL;
    }
}

/* Collects what is ready; reported watches go to the end of the list. */
static int64_t epoll_collect(struct world *w, struct thread *t, struct epoll *ep, uint64_t most)
{
    struct epoll_event out[256];
    most = most < 256 ? most : 256;
    uint64_t n = 0;
    struct epoll_item *last = ep->tail;
    for (struct epoll_item *item = ep->head, *next; item != NULL && n < most; item = next) {
        next = item == last ? NULL : item->next;
        uint32_t mask = item_ready(w, item);
        if (mask == 0) {
            continue;
        }
        out[n].events = mask;
        out[n++].data.u64 = item->data;
        item->seen_in = item->file->seq_in + 1;
        item->seen_out = item->file->seq_out + 1;
        item->disabled = (item->events & EPOLLONESHOT) != 0;
        item_unlink(item);
        item_append(item);
    }
    if (n != 0 && !mem_write(t, t->a[1], out, n * sizeof out[0])) {
        return -EFAULT;
    }
    hash_data(w, out, n * sizeof out[0]);
    return (int64_t)n;
}

static int64_t epoll_wait_until(struct world *w, struct thread *t, uint64_t deadline)
{
    struct file *f = fd_get(t, t->a[0]);
    int most = (int)t->a[2];
    if (most <= 0 || most > (int)(INT32_MAX / sizeof(struct epoll_event))) {
        return -EINVAL;
    }
    if (f == NULL || f->ops != &epoll_ops) {
        return f == NULL ? -EBADF : -EINVAL;
    }
    int64_t n = epoll_collect(w, t, (struct epoll *)f, (uint64_t)most);
    if (n != 0 || t->timed_out || (!t->retry && deadline <= w->now_ns)) {
        return n;
    }
    return block_until(t, deadline);
}

static uint64_t deadline_ms(const struct world *w, const struct thread *t, int ms)
{
    return ms < 0    ? NEVER_NS
           : ms == 0 ? w->now_ns
                     : deadline_after(w, t->proc->node, (uint64_t)ms * 1000000);
}

int64_t call_epoll_wait(struct world *w, struct thread *t)
{
    return epoll_wait_until(w, t, deadline_ms(w, t, (int)t->a[3]));
}

int64_t call_epoll_pwait(struct world *w, struct thread *t)
{
    int64_t status = tempmask_set(t, t->a[4], t->a[5]);
    return status != 0 ? status : epoll_wait_until(w, t, deadline_ms(w, t, (int)t->a[3]));
}

/* A timeout as struct timespec; none = for ever. */
static int64_t deadline_timespec(const struct world *w, struct thread *t, uint64_t at,
                                 uint64_t *ret_deadline)
{
    uint64_t ns = 0;
    *ret_deadline = NEVER_NS;
    if (at == 0) {
        return 0;
    }
    int64_t status = mem_timespec(t, at, &ns);
    *ret_deadline = ns == 0 ? w->now_ns : deadline_after(w, t->proc->node, ns);
    return status;
}

/* Linux gives back the time that is left. */
static void give_left(const struct world *w, struct thread *t, uint64_t at, uint64_t deadline)
{
    uint64_t end = t->retry ? t->deadline_ns : deadline;
    uint64_t left = end > w->now_ns ? end - w->now_ns : 0;
    struct timespec ts = {(time_t)(left / 1000000000), (long)(left % 1000000000)};
    if (at != 0) {
        (void)mem_write(t, at, &ts, sizeof ts);
    }
}

int64_t call_epoll_pwait2(struct world *w, struct thread *t)
{
    uint64_t deadline = NEVER_NS;
    int64_t status = deadline_timespec(w, t, t->a[3], &deadline);
    status = status != 0 ? status : tempmask_set(t, t->a[4], t->a[5]);
    return status != 0 ? status : epoll_wait_until(w, t, deadline);
}

/* ---- poll ---- */

static int64_t poll_until(struct world *w, struct thread *t, uint64_t deadline)
{
    enum { MOST = 4096 };
    void *buffer = w->engine->buf;
    struct pollfd *fds = buffer;
    uint64_t n = (uint32_t)t->a[1];
    if (n > t->proc->fds->limit && n > MOST) {
        return -EINVAL;
    }
    if (!mem_read(t, t->a[0], fds, n * sizeof fds[0])) {
        return -EFAULT;
    }
    int64_t ready = 0;
    for (uint64_t i = 0; i < n; i++) {
        fds[i].revents = 0;
        if (fds[i].fd < 0) {
            continue;
        }
        struct file *f = fd_get(t, (uint64_t)fds[i].fd);
        uint32_t mask = f == NULL ? (uint32_t)POLLNVAL : file_poll(w, f);
        if (f != NULL && f->ops->poll == NULL) {
            mask = POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
        }
        uint32_t want = (uint16_t)fds[i].events | POLLERR | POLLHUP | POLLNVAL;
        fds[i].revents = (short)(mask & want);
        ready += fds[i].revents != 0 ? 1 : 0;
    }
    if (ready == 0 && !t->timed_out && (t->retry || deadline > w->now_ns || tempmask_lets_in(t))) {
        return block_until(t, deadline);
    }
    hash_data(w, fds, n * sizeof fds[0]);
    return mem_write(t, t->a[0], fds, n * sizeof fds[0]) ? ready : -EFAULT;
}

int64_t call_poll(struct world *w, struct thread *t)
{
    return poll_until(w, t, deadline_ms(w, t, (int)t->a[2]));
}

int64_t call_ppoll(struct world *w, struct thread *t)
{
    uint64_t deadline = NEVER_NS;
    int64_t status = deadline_timespec(w, t, t->a[2], &deadline);
    status = status != 0 ? status : tempmask_set(t, t->a[3], t->a[4]);
    status = status != 0 ? status : poll_until(w, t, deadline);
    if (status >= 0) {
        give_left(w, t, t->a[2], deadline);
    }
    return status;
}

/* ---- select ---- */

enum { SELECT_MOST = 8192 };
struct select_sets {
    uint64_t bits[3][SELECT_MOST / 64];
};

static bool bit_get(const uint64_t *bits, uint64_t i)
{
    return (bits[i / 64] >> (i % 64) & 1) != 0;
}

static int64_t select_look(struct world *w, struct thread *t, uint64_t n,
                           const struct select_sets *in, struct select_sets *out)
{
    static const uint32_t masks[3] = {EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDNORM,
                                      EPOLLOUT | EPOLLERR | EPOLLWRNORM, EPOLLPRI};
    int64_t ready = 0;
    for (uint64_t fd = 0; fd < n; fd++) {
        for (int k = 0; k < 3; k++) {
            if (!bit_get(in->bits[k], fd)) {
                continue;
            }
            struct file *f = fd_get(t, fd);
            if (f == NULL) {
                return -EBADF;
            }
            if ((file_poll(w, f) & masks[k]) != 0) {
                out->bits[k][fd / 64] |= UINT64_C(1) << (fd % 64);
                ready++;
            }
        }
    }
    return ready;
}

static int64_t select_until(struct world *w, struct thread *t, uint64_t deadline)
{
    struct select_sets in = {0}, out = {0};
    int n = (int)t->a[0];
    if (n < 0) {
        return -EINVAL;
    }
    uint64_t most = (uint64_t)n < SELECT_MOST ? (uint64_t)n : SELECT_MOST;
    size_t bytes = (most + 63) / 64 * 8;
    for (int k = 0; k < 3; k++) {
        if (t->a[1 + k] != 0 && !mem_read(t, t->a[1 + k], in.bits[k], bytes)) {
            return -EFAULT;
        }
    }
    int64_t ready = select_look(w, t, most, &in, &out);
    if (ready < 0) {
        return ready;
    }
    if (ready == 0 && !t->timed_out && (t->retry || deadline > w->now_ns || tempmask_lets_in(t))) {
        return block_until(t, deadline);
    }
    for (int k = 0; k < 3; k++) {
        if (t->a[1 + k] != 0 && !mem_write(t, t->a[1 + k], out.bits[k], bytes)) {
            return -EFAULT;
        }
    }
    hash_data(w, &out, sizeof out.bits[0]);
    return ready;
}

int64_t call_select(struct world *w, struct thread *t)
{
    uint64_t deadline = NEVER_NS;
    struct timeval tv = {0};
    if (t->a[4] != 0) {
        if (!mem_read(t, t->a[4], &tv, sizeof tv)) {
            return -EFAULT;
        }
        if (tv.tv_sec < 0 || tv.tv_usec < 0) {
            return -EINVAL;
        }
        uint64_t ns = (uint64_t)tv.tv_sec * 1000000000 + (uint64_t)tv.tv_usec * 1000;
        deadline = ns == 0 ? w->now_ns : deadline_after(w, t->proc->node, ns);
    }
    int64_t result = select_until(w, t, deadline);
    if (result >= 0 && t->a[4] != 0) { /* the time that is left */
        uint64_t end = t->retry ? t->deadline_ns : deadline;
        uint64_t left = end > w->now_ns ? (end - w->now_ns) / 1000 : 0;
        tv = (struct timeval){(time_t)(left / 1000000), (suseconds_t)(left % 1000000)};
        (void)mem_write(t, t->a[4], &tv, sizeof tv);
    }
    return result;
}

int64_t call_pselect6(struct world *w, struct thread *t)
{
    uint64_t deadline = NEVER_NS, pair[2] = {0, 0};
    int64_t status = deadline_timespec(w, t, t->a[4], &deadline);
    if (status == 0 && t->a[5] != 0) {
        status =
            !mem_read(t, t->a[5], pair, sizeof pair) ? -EFAULT : tempmask_set(t, pair[0], pair[1]);
    }
    status = status != 0 ? status : select_until(w, t, deadline);
    if (status >= 0) {
        give_left(w, t, t->a[4], deadline);
    }
    return status;
}

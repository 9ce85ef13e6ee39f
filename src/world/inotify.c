/* inotify, for files of the node's own disk. Everything else never changes. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <asm/ioctls.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

struct watch {
    struct watch *next;
    int wd;
    uint32_t mask;
    struct inode *inode; /* NULL: a file of the machine */
};
struct inotify {
    struct file f;
    struct inotify *next; /* of the node */
    struct watch *watches;
    int made;
    struct bytes queue;
};

static void put_event(struct world *w, struct inotify *in, const struct inotify_event *event,
                      const char *name)
{
    char padded[272] = {0}; /* names end with NUL */
    struct inotify_event head = *event;
    head.len = 0;
    if (name != NULL) {
        head.len = (uint32_t)((strlen(name) + 1 + 15) & ~(size_t)15);
        (void)snprintf(padded, sizeof padded, "%s", name);
    }
    bytes_put(w, &in->queue, &head, sizeof head);
    bytes_put(w, &in->queue, padded, head.len);
    file_changed(w, &in->f, true, false);
}

static void watch_free(struct world *w, struct watch *x)
{
    if (x->inode != NULL) {
        inode_unref(w, x->inode);
    }
    heap_free(w->heap, x);
}

/* Takes a watch away, and says so. */
static void watch_end(struct world *w, struct inotify *in, struct watch **at)
{
    struct watch *x = *at;
    *at = x->next;
    put_event(w, in, &(struct inotify_event){.wd = x->wd, .mask = IN_IGNORED}, NULL);
    watch_free(w, x);
}

/* Tells those watches of one inotify that are at the file. */
static void tell_one(struct world *w, struct inotify *in, const struct inode *inode,
                     const struct inotify_event *what, const char *name)
{
    for (struct watch **at = &in->watches; *at != NULL;) {
        struct watch *x = *at;
        bool wants = x->inode == inode && (x->mask & what->mask & IN_ALL_EVENTS) != 0;
        if (wants) {
            put_event(
                w, in,
                &(struct inotify_event){.wd = x->wd, .mask = what->mask, .cookie = what->cookie},
                name);
        }
        if (wants && (x->mask & IN_ONESHOT) != 0) {
            watch_end(w, in, at);
        } else {
            at = &x->next;
        }
    }
}

static void tell(struct world *w, struct inode *inode, uint32_t mask, uint32_t cookie,
                 const char *name)
{
    for (struct inotify *in = inode->node->inotifies; in != NULL; in = in->next) {
        tell_one(w, in, inode, &(struct inotify_event){.mask = mask, .cookie = cookie}, name);
    }
}

/* A file without names and users is no more. */
void inotify_gone(struct world *w, struct inode *inode)
{
    if (inode->nlink != 0 || inode->files != 0 || inode->node->inotifies == NULL) {
        return;
    }
    inode->opens++;
    tell(w, inode, IN_DELETE_SELF, 0, NULL);
    for (struct inotify *in = inode->node->inotifies; in != NULL; in = in->next) {
        for (struct watch **at = &in->watches; *at != NULL;) {
            if ((*at)->inode == inode) {
                watch_end(w, in, at);
            } else {
                at = &(*at)->next;
            }
        }
    }
    inode_unref(w, inode);
}

/* The name of a file in a watched directory; NULL: it has none there. */
static const char *name_in(const struct watch *x, const struct inode *inode)
{
    for (uint32_t i = 0; x->inode != NULL && i < x->inode->dir.n; i++) {
        if (x->inode->dir.v[i].inode == inode) {
            return x->inode->dir.v[i].name;
        }
    }
    return NULL;
}

/* Tells those who watch a directory in which the file has a name. */
static void tell_dirs(struct world *w, const struct inode *inode, uint32_t mask)
{
    for (struct inotify *in = inode->node->inotifies; in != NULL; in = in->next) {
        for (const struct watch *x = in->watches; x != NULL; x = x->next) {
            const char *name = (x->mask & mask) != 0 ? name_in(x, inode) : NULL;
            if (name != NULL) {
                put_event(w, in, &(struct inotify_event){.wd = x->wd, .mask = mask}, name);
            }
        }
    }
}

/* Tells those who watch the directory, and those who watch the file itself. */
void inotify_event(struct world *w, struct inode *inode, struct inode *dir, const char *name,
                   uint32_t mask, uint32_t cookie)
{
    if (inode->node->inotifies == NULL) {
        return;
    }
    if (dir != NULL) {
        tell(w, dir, mask, cookie, name);
    } else {
        tell(w, inode, mask, cookie, NULL);
        tell_dirs(w, inode, mask);
    }
}

static int64_t inotify_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct inotify *in = (struct inotify *)f;
    int64_t total = 0;
    if (in->queue.n == 0) {
        return -EAGAIN;
    }
    while (in->queue.n > 0) {
        struct inotify_event head;
        memcpy(&head, in->queue.p + in->queue.head, sizeof head);
        size_t n = sizeof head + head.len;
        if (n > uio_left(u)) {
            return total != 0 ? total : -EINVAL;
        }
        if (uio_put(u, in->queue.p + in->queue.head, n) != n) {
            return -EFAULT;
        }
        bytes_drop(w, &in->queue, n);
        total += (int64_t)n;
    }
    return total;
}

static uint32_t inotify_poll(struct world *w, struct file *f)
{
    (void)w;
    return ((struct inotify *)f)->queue.n != 0 ? (uint32_t)EPOLLIN : 0;
}

static void inotify_release(struct world *w, struct file *f)
{
    struct inotify *in = (struct inotify *)f;
    for (struct inotify **at = &f->node->inotifies; *at != NULL; at = &(*at)->next) {
        if (*at == in) {
            *at = in->next;
            break;
        }
    }
    while (in->watches != NULL) {
        struct watch *x = in->watches;
        in->watches = x->next;
        watch_free(w, x);
    }
    bytes_done(w, &in->queue);
}

static int64_t inotify_ioctl(struct world *w, struct thread *t, struct file *f, uint64_t cmd,
                             uint64_t arg)
{
    (void)w;
    int n = (int)((struct inotify *)f)->queue.n;
    return cmd != FIONREAD ? -ENOTTY : mem_write(t, arg, &n, sizeof n) ? 0 : -EFAULT;
}

static void inotify_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    *st = (struct stat){.st_mode = 0600, .st_ino = f->id, .st_nlink = 1};
}

static const struct file_ops inotify_ops = {
    .name = "inotify",
    .no_seek = true,
    .read = inotify_read,
    .poll = inotify_poll,
    .release = inotify_release,
    .ioctl = inotify_ioctl,
    .stat = inotify_stat,
};

static int64_t make_inotify(struct world *w, struct thread *t, uint64_t flags)
{
    if ((flags & ~(uint64_t)(IN_CLOEXEC | IN_NONBLOCK)) != 0) {
        return -EINVAL;
    }
    struct inotify *in =
        file_new(w, t->proc->node, &inotify_ops, sizeof *in, O_RDONLY | (int)(flags & O_NONBLOCK));
    in->next = t->proc->node->inotifies;
    t->proc->node->inotifies = in;
    return fd_add(w, t->proc, &in->f, (flags & IN_CLOEXEC) != 0, 0);
}

int64_t call_inotify_init(struct world *w, struct thread *t)
{
    return make_inotify(w, t, 0);
}

int64_t call_inotify_init1(struct world *w, struct thread *t)
{
    return make_inotify(w, t, t->a[0]);
}

static struct inotify *inotify_get(struct thread *t, int64_t *ret_status)
{
    struct file *f = fd_get(t, t->a[0]);
    *ret_status = f == NULL ? -EBADF : f->ops != &inotify_ops ? -EINVAL : 0;
    return *ret_status == 0 ? (struct inotify *)f : NULL;
}

int64_t call_inotify_add_watch(struct world *w, struct thread *t)
{
    struct found at;
    int64_t status = 0;
    uint32_t mask = (uint32_t)t->a[2];
    if ((mask & IN_ALL_EVENTS) == 0) {
        return -EINVAL;
    }
    struct inotify *in = inotify_get(t, &status);
    if (status != 0) {
        return status;
    }
    status =
        path_arg(w, t, AT_FDCWD, t->a[1], (mask & IN_DONT_FOLLOW) != 0 ? WALK_NOFOLLOW : 0, &at);
    if (status != 0 || (at.place == PLACE_NODE && at.inode == NULL)) {
        return status != 0 ? status : -ENOENT;
    }
    if (at.place == PLACE_NODE && (mask & IN_ONLYDIR) != 0 && !S_ISDIR(at.inode->mode)) {
        return -ENOTDIR;
    }
    if (at.place == PLACE_NODE && !node_may(t, CRED_FS, at.inode, R_OK)) {
        return -EACCES;
    }
    for (struct watch *x = in->watches; x != NULL; x = x->next) {
        if (at.inode != NULL && x->inode == at.inode) {
            x->mask = (mask & IN_MASK_ADD) != 0 ? x->mask | mask : mask;
            return x->wd;
        }
    }
    struct watch *x = HEAP_NEW(w->heap, struct watch);
    *x = (struct watch){in->watches, ++in->made, mask, at.inode};
    if (x->inode != NULL) {
        x->inode->opens++;
    }
    in->watches = x;
    return x->wd;
}

int64_t call_inotify_rm_watch(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct inotify *in = inotify_get(t, &status);
    for (struct watch **at = in != NULL ? &in->watches : NULL; at != NULL && *at != NULL;
         at = &(*at)->next) {
        struct watch *x = *at;
        if (x->wd == (int)t->a[1]) {
            watch_end(w, in, at);
            return 0;
        }
    }
    return status != 0 ? status : -EINVAL;
}

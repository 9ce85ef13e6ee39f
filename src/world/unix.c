/* Unix sockets: streams, datagrams and packets inside a node, with names on the node's disk or
 * abstract ones, and descriptors passed along. Everything arrives at once. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "world/heap.h"
#include "world/socket.h"
#include "world/world_int.h"

static void set_name(struct world *w, struct sock *s, const char *name, size_t n)
{
    s->name = heap_alloc(w->heap, n);
    memcpy(s->name, name, n);
    s->name_n = n;
    s->bound = true;
    sock_bind_link(w, s);
}

static struct sock *find_abstract(struct node *node, const char *name, size_t n)
{
    for (struct sock *s = node->socks; s != NULL; s = s->next_bound) {
        if (s->domain == AF_UNIX && s->inode == NULL && s->name_n == n &&
            memcmp(s->name, name, n) == 0) {
            return s;
        }
    }
    return NULL;
}

int64_t unix_bind(struct world *w, struct thread *t, struct sock *s, const char *name, size_t n)
{
    struct node *node = t->proc->node;
    if (s->bound) {
        return -EINVAL;
    }
    if (n == 0) { /* a name is made up */
        char text[8];
        int len =
            snprintf(text + 1, sizeof text - 1, "%05x", (unsigned)(id_new(w, node) & 0xfffff));
        text[0] = '\0';
        set_name(w, s, text, (size_t)len + 1);
        return 0;
    }
    if (name[0] == '\0') {
        if (find_abstract(node, name, n) != NULL) {
            return -EADDRINUSE;
        }
        set_name(w, s, name, n);
        return 0;
    }
    struct found at;
    char path[128];
    (void)snprintf(path, sizeof path, "%.*s", (int)n, name);
    int64_t status = path_walk(w, t, AT_FDCWD, path, WALK_NAME, &at);
    if (status != 0) {
        return status;
    }
    if (at.place != PLACE_NODE) {
        return host_is_dir(w, at.path) ? -EADDRINUSE : -EROFS;
    }
    if (at.inode != NULL || at.dir == NULL || at.slash) {
        return at.inode != NULL ? -EADDRINUSE : -ENOENT;
    }
    status = node_may_make(t, at.dir);
    if (status != 0) {
        return status;
    }
    s->inode = inode_of(w, t, S_IFSOCK | (s->attrs.mode & ~t->proc->cwd->umask), at.dir->tmp);
    s->inode->socket = s;
    s->inode->opens++;
    dir_link(w, at.dir, at.name, s->inode);
    set_name(w, s, path, strlen(path));
    return 0;
}

static int64_t find_named(struct world *w, struct thread *t, const char *name, size_t n,
                          struct sock **ret)
{
    *ret = NULL;
    if (n == 0) {
        return -EINVAL;
    }
    if (name[0] == '\0') {
        *ret = find_abstract(t->proc->node, name, n);
        return *ret == NULL ? -ECONNREFUSED : 0;
    }
    struct found at;
    char path[128];
    (void)snprintf(path, sizeof path, "%.*s", (int)n, name);
    int64_t status = path_walk(w, t, AT_FDCWD, path, 0, &at);
    if (status != 0) {
        return status;
    }
    if (at.place != PLACE_NODE || at.inode == NULL) {
        return at.place == PLACE_HOST && host_is_dir(w, at.path) ? -ECONNREFUSED : -ENOENT;
    }
    if (!node_may(t, CRED_FS, at.inode, W_OK)) {
        return -EACCES;
    }
    *ret = at.inode->socket;
    return *ret == NULL ? -ECONNREFUSED : 0;
}

void unix_pair(struct sock *a, struct sock *b)
{
    a->peer = b;
    b->peer = a;
    a->state = b->state = SOCK_CONNECTED;
    a->peer_creds = b->creds;
    b->peer_creds = a->creds;
}

int64_t unix_connect(struct world *w, struct thread *t, struct sock *s, const char *name, size_t n)
{
    struct sock *to = NULL;
    int64_t status = find_named(w, t, name, n, &to);
    if (status != 0) {
        return status;
    }
    if (to->type != s->type) {
        return -EPROTOTYPE;
    }
    if (s->type == SOCK_DGRAM) {
        s->peer = to;
        s->state = SOCK_CONNECTED;
        return 0;
    }
    if (s->state == SOCK_CONNECTED) {
        return -EISCONN;
    }
    if (s->state != SOCK_NEW || to->state != SOCK_LISTENING) {
        return s->state != SOCK_NEW ? -EINVAL : -ECONNREFUSED;
    }
    if (to->rx_shut) {
        return -ECONNREFUSED;
    }
    if (to->n_backlog > to->backlog_most) {
        return (s->f.flags & O_NONBLOCK) != 0 ? -EAGAIN : block(t);
    }
    struct sock *other = sock_new(w, s->f.node, AF_UNIX, s->type, 0);
    other->creds = to->creds;
    other->name = heap_alloc(w->heap, to->name_n);
    other->name_n = to->name_n;
    memcpy(other->name, to->name, to->name_n);
    other->passcred = to->passcred;
    unix_pair(s, other);
    to->backlog = (struct sock **)heap_realloc(w->heap, (void *)to->backlog,
                                               (to->n_backlog + 1) * sizeof(struct sock *));
    to->backlog[to->n_backlog++] = other;
    other->listener = to;
    file_changed(w, &to->f, true, false);
    return 0;
}

/* ---- data ---- */

static void attach(struct message *m, struct thread *t, struct sock *s, struct sock_msg *from)
{
    m->n_files = from->n_files;
    for (uint32_t i = 0; i < from->n_files; i++) {
        m->files[i] = from->files[i];
        file_ref(m->files[i]);
    }
    m->creds = from->has_creds ? from->creds : s->creds;
    if (!from->has_creds) {
        m->creds.pid = t->proc->pid;
    }
}

int64_t unix_send(struct world *w, struct thread *t, struct sock *s, struct uio *u,
                  struct sock_msg *m)
{
    struct sock *to = s->peer;
    if (s->err != 0 && s->type != SOCK_STREAM) { /* of a stream it is told who reads */
        int err = s->err;
        s->err = 0;
        return -err;
    }
    if (s->tx_shut) {
        return -EPIPE;
    }
    if (m->has_addr && s->type == SOCK_STREAM) {
        return s->state == SOCK_CONNECTED ? -EISCONN : -EOPNOTSUPP;
    }
    if (m->has_addr && s->type == SOCK_DGRAM) {
        int64_t status = find_named(w, t, m->name, m->name_n, &to);
        if (status != 0) {
            return status;
        }
        if (to->type != SOCK_DGRAM) {
            return -EPROTOTYPE;
        }
    }
    if (to == NULL && s->type == SOCK_DGRAM && s->state == SOCK_CONNECTED) {
        s->state = SOCK_NEW; /* told once, and what the other had sent is gone */
        messages_drop(w, s);
        return -ECONNREFUSED;
    }
    if (to == NULL) {
        return s->type != SOCK_DGRAM && s->state == SOCK_CLOSED ? -EPIPE : -ENOTCONN;
    }
    if (to->rx_shut) {
        return -EPIPE;
    }
    size_t n = uio_left(u);
    size_t room = to->queue_bytes < UNIX_BYTES ? UNIX_BYTES - to->queue_bytes : 0;
    if (s->type == SOCK_STREAM) {
        if (n == 0 && m->n_files == 0) {
            return 0;
        }
        n = n < room ? n : room;
        n = n < ENGINE_BUF ? n : ENGINE_BUF;
        if (n == 0) {
            return -EAGAIN;
        }
    } else if (n > UNIX_BYTES) {
        return -EMSGSIZE;
    } else if (room < n || to->queue_n >= 512) {
        return -EAGAIN;
    }
    struct message *message = message_new(w, u, n);
    if (message == NULL) {
        return -EFAULT;
    }
    attach(message, t, s, m);
    if (s->name_n != 0) {
        message->from_name = heap_alloc(w->heap, s->name_n);
        message->from_n = s->name_n;
        memcpy(message->from_name, s->name, s->name_n);
    }
    hash_data(w, message->bytes, n);
    message_push(w, to, message);
    return (int64_t)n;
}

/* A stream is read across the pieces it was written in, up to one that carries descriptors. */
static int64_t stream_recv(struct world *w, struct sock *s, struct uio *u, struct sock_msg *m)
{
    int64_t total = 0;
    struct message *at = s->queue;
    while (at != NULL && uio_left(u) > 0) {
        if (total != 0 && at->n_files != 0) {
            break;
        }
        size_t n = at->n - at->used < uio_left(u) ? at->n - at->used : uio_left(u);
        if (uio_put(u, at->bytes + at->used, n) != n) {
            return total != 0 ? total : -EFAULT;
        }
        total += (int64_t)n;
        m->creds = at->creds;
        bool files = at->n_files != 0;
        if (files && (m->flags & MSG_PEEK) == 0) {
            m->n_files = at->n_files;
            memcpy((void *)m->files, (const void *)at->files, sizeof m->files);
            at->n_files = 0; /* the receiver has them now */
        }
        if ((m->flags & MSG_PEEK) != 0) {
            at = at->next;
            continue;
        }
        at->used += n;
        s->queue_bytes -= n;
        if (at->used == at->n) {
            s->queue = at->next;
            s->queue_tail = s->queue == NULL ? NULL : s->queue_tail;
            s->queue_n--;
            message_free(w, at);
        }
        at = s->queue;
        if (files) {
            break;
        }
    }
    if (s->peer != NULL) {
        file_changed(w, &s->peer->f, false, true);
    }
    return total;
}

int64_t unix_recv(struct world *w, struct sock *s, struct uio *u, struct sock_msg *m)
{
    if (s->err != 0 && (s->queue == NULL || s->type != SOCK_STREAM)) { /* a stream is read first */
        int err = s->err;
        s->err = 0;
        return -err;
    }
    if (s->queue == NULL) {
        bool waits = (m->flags & MSG_DONTWAIT) == 0 && (s->f.flags & O_NONBLOCK) == 0;
        if (s->rx_eof || (s->rx_shut && (waits || s->type != SOCK_DGRAM))) {
            return 0; /* of datagrams, who does not wait is not told */
        }
        if (s->type != SOCK_DGRAM && s->state != SOCK_CONNECTED) {
            return s->state == SOCK_CLOSED ? 0 : s->type == SOCK_STREAM ? -EINVAL : -ENOTCONN;
        }
        return -EAGAIN;
    }
    if (s->type == SOCK_STREAM) {
        return stream_recv(w, s, u, m);
    }
    int64_t result = message_recv(w, s, u, m);
    s->f.node->changed = true; /* there is room again */
    return result;
}

void unix_shutdown(struct world *w, struct sock *s, bool rd, bool wr)
{
    if (wr) {
        s->tx_shut = true;
        if (s->peer != NULL && s->type != SOCK_DGRAM) {
            s->peer->rx_eof = true;
            file_changed(w, &s->peer->f, true, true);
        }
    }
    if (rd) {
        s->rx_shut = true;
        if (s->peer != NULL && s->type != SOCK_DGRAM) {
            s->peer->tx_shut = true;
            file_changed(w, &s->peer->f, true, true);
        }
    }
    file_changed(w, &s->f, true, true);
}

/* Datagram sockets of a process that were connected to this one. */
static void forget_peer(const struct proc *p, const struct sock *s)
{
    for (uint32_t i = 0; p->fds != NULL && i < p->fds->n; i++) {
        struct file *f = p->fds->slots[i].file;
        if (f != NULL && f->ops == &sock_ops && ((struct sock *)f)->peer == s) {
            ((struct sock *)f)->peer = NULL;
        }
    }
}

void unix_release(struct world *w, struct sock *s)
{
    for (uint32_t i = 0; i < s->n_backlog; i++) {
        s->backlog[i]->listener = NULL;
        file_unref(w, &s->backlog[i]->f);
    }
    heap_free(w->heap, (void *)s->backlog);
    if (s->inode != NULL) {
        s->inode->socket = NULL;
        inode_unref(w, s->inode);
    }
    if (s->peer != NULL && s->peer->peer == s) {
        struct sock *peer = s->peer;
        peer->peer = NULL;
        if (s->type != SOCK_DGRAM) {
            peer->rx_eof = true;
            peer->state = SOCK_CLOSED;
            peer->err = s->queue != NULL ? ECONNRESET : 0;
        }
        file_changed(w, &peer->f, true, true);
    }
    for (struct proc *p = s->f.node->procs; p != NULL; p = p->next) {
        forget_peer(p, s);
    }
    heap_free(w->heap, s->name);
}

uint32_t unix_poll(struct world *w, struct sock *s)
{
    (void)w;
    uint32_t mask = 0;
    if (s->state == SOCK_LISTENING) {
        mask |= s->n_backlog != 0 || s->rx_shut ? (uint32_t)(EPOLLIN | EPOLLRDNORM) : 0;
        mask |= s->rx_shut ? (uint32_t)EPOLLRDHUP : 0;
        return mask | (s->rx_shut && s->tx_shut ? (uint32_t)EPOLLHUP : 0);
    }
    if (s->queue != NULL) {
        mask |= EPOLLIN | EPOLLRDNORM;
    }
    if (s->rx_eof || s->rx_shut) {
        mask |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
    }
    bool room = s->peer == NULL || s->peer->queue_bytes < UNIX_BYTES / 2;
    if (room) {
        mask |= EPOLLOUT | EPOLLWRNORM;
    }
    bool never = s->type != SOCK_DGRAM && (s->state == SOCK_CLOSED || s->state == SOCK_NEW);
    if (never || (s->tx_shut && (s->rx_eof || s->rx_shut))) {
        mask |= EPOLLHUP;
    }
    return mask | (s->err != 0 ? (uint32_t)EPOLLERR : 0);
}

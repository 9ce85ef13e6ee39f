/* System calls that send and receive on sockets of every kind. */
#include <asm-generic/socket.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <asm/ioctls.h>
#include <sys/socket.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/net.h"
#include "world/socket.h"
#include "world/world_int.h"

/* ---- messages ---- */

struct message *message_new(struct world *w, struct uio *u, size_t n)
{
    struct message *m = heap_alloc(w->heap, sizeof *m + n);
    m->n = n;
    if (n != 0 && uio_get(u, m->bytes, n) != n) {
        heap_free(w->heap, m);
        return NULL;
    }
    return m;
}

void message_push(struct world *w, struct sock *s, struct message *m)
{
    if (s->queue_tail != NULL) {
        s->queue_tail->next = m;
    } else {
        s->queue = m;
    }
    s->queue_tail = m;
    s->queue_bytes += m->n;
    s->queue_n++;
    file_changed(w, &s->f, true, false);
}

void message_free(struct world *w, struct message *m)
{
    for (uint32_t i = 0; i < m->n_files; i++) {
        file_unref(w, m->files[i]);
    }
    heap_free(w->heap, m->from_name);
    heap_free(w->heap, m);
}

void messages_drop(struct world *w, struct sock *s)
{
    while (s->queue != NULL) {
        struct message *m = s->queue;
        s->queue = m->next;
        message_free(w, m);
    }
    s->queue_tail = NULL;
    s->queue_bytes = 0;
    s->queue_n = 0;
}

/* Takes the first message; what does not fit is lost. */
int64_t message_recv(struct world *w, struct sock *s, struct uio *u, struct sock_msg *m)
{
    struct message *got = s->queue;
    size_t n = got->n < uio_left(u) ? got->n : uio_left(u);
    if (n != 0 && uio_put(u, got->bytes, n) != n) {
        return -EFAULT;
    }
    hash_data(w, got->bytes, n);
    m->has_addr = true;
    m->addr = got->from;
    m->to = got->to;
    m->name_n = got->from_n;
    if (got->from_n != 0) {
        memcpy(m->name, got->from_name, got->from_n);
    }
    m->creds = got->creds;
    m->out_flags |= n < got->n ? MSG_TRUNC : 0;
    int64_t result = (m->flags & MSG_TRUNC) != 0 ? (int64_t)got->n : (int64_t)n;
    if ((m->flags & MSG_PEEK) == 0) {
        m->n_files = got->n_files;
        memcpy((void *)m->files, (const void *)got->files, sizeof m->files);
        got->n_files = 0;
        s->queue = got->next;
        s->queue_tail = s->queue == NULL ? NULL : s->queue_tail;
        s->queue_bytes -= got->n;
        s->queue_n--;
        message_free(w, got);
    }
    return result;
}

int64_t sock_send(struct world *w, struct thread *t, struct sock *s, struct uio *u,
                  struct sock_msg *m)
{
    if (s->domain == AF_NETLINK) {
        return netlink_send(w, s, u);
    }
    return s->domain == AF_UNIX ? unix_send(w, t, s, u, m) : inet_send(w, s, u, m);
}

int64_t sock_recv(struct world *w, struct thread *t, struct sock *s, struct uio *u,
                  struct sock_msg *m)
{
    (void)t;
    if (s->domain == AF_UNIX) {
        return unix_recv(w, s, u, m);
    }
    if (s->type == SOCK_STREAM) {
        return tcp_recv(w, s, u, m);
    }
    if (s->err != 0) {
        int err = s->err;
        s->err = 0;
        return -err;
    }
    if (s->queue == NULL) { /* who does not wait is not told of the end */
        bool waits = (m->flags & MSG_DONTWAIT) == 0 && (s->f.flags & O_NONBLOCK) == 0;
        return s->rx_shut && waits ? 0 : -EAGAIN;
    }
    return message_recv(w, s, u, m);
}

/* Sends all of it, waiting for room if need be. */
static int64_t send_all(struct world *w, struct thread *t, struct sock *s, struct uio *u,
                        struct sock_msg *m)
{
    u->done = t->progress;
    for (;;) {
        int64_t result = sock_send(w, t, s, u, m);
        if (result == -EPIPE && t->progress == 0) {
            if (s->type != SOCK_DGRAM && (m->flags & MSG_NOSIGNAL) == 0) {
                signal_send_simple(w, t->proc, SIGPIPE, SI_KERNEL, 0);
            }
            return t->state == THREAD_DEAD ? (int64_t)CALL_GONE : -EPIPE;
        }
        if (result >= 0) {
            t->progress += (size_t)result;
            m->n_files = 0; /* they went with the first piece */
            if (t->progress >= u->total || s->type != SOCK_STREAM) {
                return (int64_t)t->progress;
            }
            continue;
        }
        if (result != -EAGAIN) {
            return t->progress != 0 ? (int64_t)t->progress : result;
        }
        int64_t wait = sock_wait_or(w, t, s, m->flags, s->f.snd_timeout_ns);
        return wait == -EAGAIN && t->progress != 0 ? (int64_t)t->progress : wait;
    }
}

static int64_t recv_some(struct world *w, struct thread *t, struct sock *s, struct uio *u,
                         struct sock_msg *m)
{
    bool all =
        (m->flags & MSG_WAITALL) != 0 && s->type == SOCK_STREAM && (m->flags & MSG_PEEK) == 0;
    if ((m->flags & MSG_ERRQUEUE) != 0) {
        return -EAGAIN;
    }
    if ((m->flags & MSG_OOB) != 0 && s->domain == AF_UNIX) {
        return s->type == SOCK_STREAM ? -EINVAL : -EOPNOTSUPP;
    }
    all = all && (m->flags & MSG_OOB) == 0;
    u->done = t->progress;
    for (;;) {
        int64_t result = sock_recv(w, t, s, u, m);
        if (result > 0 && all) {
            t->progress += (size_t)result;
            if (t->progress < u->total && !m->at_mark) {
                continue;
            }
            return (int64_t)t->progress;
        }
        if (result == -EAGAIN) {
            int64_t wait = sock_wait_or(w, t, s, m->flags, s->f.rcv_timeout_ns);
            return wait == -EAGAIN && t->progress != 0 ? (int64_t)t->progress : wait;
        }
        return t->progress != 0 ? (int64_t)t->progress + (result > 0 ? result : 0) : result;
    }
}

int64_t call_sendto(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct uio u;
    struct sock_msg m = {.flags = (int)t->a[3]};
    struct sock *s = sock_get(t, t->a[0], &status);
    status = status != 0 ? status : uio_init(&u, t, t->a[1], t->a[2]);
    if (status == 0 && t->a[4] != 0 && s->type != SOCK_STREAM) {
        status = sock_addr_get(t, s, t->a[4], t->a[5], &m);
    } else if (status == 0 && t->a[4] != 0) {
        m.has_addr = t->a[5] != 0;
    }
    return status != 0 ? status : send_all(w, t, s, &u, &m);
}

static void from_put(const struct sock *s, const struct sock_msg *m, union any_addr *a, uint32_t *n)
{
    *n = 0;
    if (s->domain == AF_UNIX) {
        if (m->name_n != 0) {
            sock_name_put(m->name, m->name_n, a, n);
        }
    } else if (s->type != SOCK_STREAM) {
        sock_addr_put(s, &m->addr, a, n);
    }
}

static void files_drop(struct world *w, struct sock_msg *m)
{
    for (uint32_t i = 0; i < m->n_files; i++) {
        file_unref(w, m->files[i]);
    }
    m->n_files = 0;
}

int64_t call_recvfrom(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct uio u;
    struct sock_msg m = {.flags = (int)t->a[3]};
    struct sock *s = sock_get(t, t->a[0], &status);
    status = status != 0 ? status : uio_init(&u, t, t->a[1], t->a[2]);
    if (status != 0) {
        return status;
    }
    int64_t result = recv_some(w, t, s, &u, &m);
    files_drop(w, &m);
    if (result >= 0 && t->a[4] != 0) {
        union any_addr a;
        uint32_t n = 0;
        from_put(s, &m, &a, &n);
        status = sock_addr_return(t, &a, n, t->a[4], t->a[5]);
    }
    return status != 0 ? status : result;
}

/* One piece of control data: descriptors or credentials. */
static int64_t control_one(struct thread *t, const struct cmsghdr *c, const uint8_t *data, size_t n,
                           struct sock_msg *m)
{
    if (c->cmsg_level != SOL_SOCKET) {
        return 0;
    }
    if (c->cmsg_type == SCM_CREDENTIALS && n >= sizeof(struct ucred)) {
        struct ucred u;
        memcpy(&u, data, sizeof u);
        m->creds = (struct proc_creds){u.pid, u.uid, u.gid};
        m->has_creds = true;
    }
    for (size_t i = 0; c->cmsg_type == SCM_RIGHTS && i < n / sizeof(int); i++) {
        int fd = 0;
        memcpy(&fd, data + i * sizeof fd, sizeof fd);
        struct file *f = fd_get_any(t, (uint64_t)(uint32_t)fd);
        if (f == NULL || m->n_files == PASSED_FILES) {
            return f == NULL ? -EBADF : -EINVAL;
        }
        m->files[m->n_files++] = f;
    }
    return 0;
}

/* Control data of sendmsg. */
static int64_t control_get(struct thread *t, const struct sock *s, const struct msghdr *h,
                           struct sock_msg *m)
{
    _Alignas(struct cmsghdr) uint8_t bytes[1024];
    size_t n = h->msg_controllen;
    if (n == 0 || h->msg_control == NULL || s->domain != AF_UNIX) {
        return 0;
    }
    if (n > sizeof bytes || !mem_read(t, (uintptr_t)h->msg_control, bytes, n)) {
        return n > sizeof bytes ? -ENOBUFS : -EFAULT;
    }
    int64_t status = 0;
    for (size_t at = 0; status == 0 && at + sizeof(struct cmsghdr) <= n;) {
        struct cmsghdr c;
        memcpy(&c, bytes + at, sizeof c);
        if (c.cmsg_len < sizeof c || at + c.cmsg_len > n) {
            return -EINVAL;
        }
        status = control_one(t, &c, bytes + at + sizeof c, c.cmsg_len - sizeof c, m);
        at += (c.cmsg_len + 7) & ~(size_t)7;
    }
    return status;
}

static int64_t do_sendmsg(struct world *w, struct thread *t, struct sock *s, uint64_t at, int flags,
                          struct msghdr *h)
{
    struct uio u;
    struct sock_msg m = {.flags = flags};
    if (!mem_read(t, at, h, sizeof *h)) {
        return -EFAULT;
    }
    int64_t status = uio_init_vec(&u, t, (uintptr_t)h->msg_iov, h->msg_iovlen);
    if (status == 0 && h->msg_name != NULL && h->msg_namelen != 0 && s->type != SOCK_STREAM) {
        status = sock_addr_get(t, s, (uintptr_t)h->msg_name, h->msg_namelen, &m);
    }
    status = status != 0 ? status : control_get(t, s, h, &m);
    return status != 0 ? status : send_all(w, t, s, &u, &m);
}

int64_t call_sendmsg(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct msghdr h;
    struct sock *s = sock_get(t, t->a[0], &status);
    return status != 0 ? status : do_sendmsg(w, t, s, t->a[1], (int)t->a[2], &h);
}

int64_t call_sendmmsg(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct sock *s = sock_get(t, t->a[0], &status);
    uint64_t n = (uint32_t)t->a[2] < 1024 ? (uint32_t)t->a[2] : 1024;
    for (uint64_t i = t->call_cookie; status == 0 && i < n; i++) {
        uint64_t at = t->a[1] + i * sizeof(struct mmsghdr);
        struct msghdr h;
        int64_t result = do_sendmsg(w, t, s, at, (int)t->a[3], &h);
        if (result == CALL_BLOCK) {
            t->call_cookie = i;
            return result;
        }
        if (result < 0) {
            return i != 0 && result > -4096 ? (int64_t)i : result;
        }
        uint32_t len = (uint32_t)result;
        t->progress = 0;
        if (!mem_write(t, at + sizeof(struct msghdr), &len, sizeof len)) {
            return -EFAULT;
        }
    }
    return status != 0 ? status : (int64_t)n;
}

/* Control messages on their way to the receiver. */
struct control {
    uint8_t bytes[512];
    size_t n, room;
};

static void control_add(struct control *c, struct sock_msg *m, int level, int type,
                        const void *data, size_t n)
{
    struct cmsghdr head = {CMSG_LEN(n), level, type};
    if (c->n + CMSG_LEN(n) > c->room) {
        m->out_flags |= MSG_CTRUNC;
        return;
    }
    memcpy(c->bytes + c->n, &head, sizeof head);
    memcpy(c->bytes + c->n + sizeof head, data, n);
    c->n += CMSG_SPACE(n);
}

/* Where a datagram arrived: interface (lo is 1, eth0 is 2) and address. */
static void control_add_arrival(struct control *c, const struct sock *s, struct sock_msg *m)
{
    bool group = addr_is_group(&m->to);
    bool inside = addr_is_loopback(group ? &m->addr : &m->to) ||
                  memcmp(m->to.ip, m->addr.ip, sizeof m->to.ip) == 0;
    uint32_t v4 = addr_v4(&m->to);
    if (v4 != 0 && sock_option_on(s, IPPROTO_IP, IP_PKTINFO)) {
        struct in_pktinfo info = {.ipi_ifindex = inside ? 1 : 2};
        info.ipi_addr.s_addr = htonl(v4);
        info.ipi_spec_dst.s_addr = htonl(!group ? v4 : inside ? 0x7f000001 : s->f.node->ip);
        control_add(c, m, IPPROTO_IP, IP_PKTINFO, &info, sizeof info);
    }
    if (s->domain == AF_INET6 && sock_option_on(s, IPPROTO_IPV6, IPV6_RECVPKTINFO)) {
        struct in6_pktinfo info = {.ipi6_ifindex = inside ? 1 : 2};
        memcpy(&info.ipi6_addr, m->to.ip, sizeof m->to.ip);
        control_add(c, m, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof info);
    }
}

/* Gives descriptors, credentials and more to the receiver. */
static int64_t control_put(struct world *w, struct thread *t, const struct sock *s,
                           struct msghdr *h, struct sock_msg *m)
{
    struct control c = {.room = h->msg_controllen};
    c.room = c.room < sizeof c.bytes ? c.room : sizeof c.bytes;
    if (s->passcred && c.room >= CMSG_LEN(sizeof(struct ucred))) {
        struct ucred u = {m->creds.pid, m->creds.uid, m->creds.gid};
        control_add(&c, m, SOL_SOCKET, SCM_CREDENTIALS, &u, sizeof u);
    }
    if (s->domain != AF_UNIX && s->type == SOCK_DGRAM) {
        control_add_arrival(&c, s, m);
    }
    if (m->n_files != 0) {
        uint32_t most = c.room >= c.n + CMSG_LEN(sizeof(int))
                            ? (uint32_t)((c.room - c.n - sizeof(struct cmsghdr)) / sizeof(int))
                            : 0;
        uint32_t put = m->n_files < most ? m->n_files : most;
        m->out_flags |= put < m->n_files ? MSG_CTRUNC : 0;
        int fds[PASSED_FILES];
        for (uint32_t i = 0; i < put; i++) {
            fds[i] = (int)fd_add(w, t->proc, m->files[i], (m->flags & MSG_CMSG_CLOEXEC) != 0, 0);
        }
        for (uint32_t i = put; i < m->n_files; i++) {
            file_unref(w, m->files[i]);
        }
        m->n_files = 0;
        if (put != 0) {
            control_add(&c, m, SOL_SOCKET, SCM_RIGHTS, fds, put * sizeof(int));
        }
    }
    h->msg_controllen = c.n < h->msg_controllen ? c.n : h->msg_controllen;
    return c.n == 0 || mem_write(t, (uintptr_t)h->msg_control, c.bytes, h->msg_controllen)
               ? 0
               : -EFAULT;
}

static int64_t do_recvmsg(struct world *w, struct thread *t, struct sock *s, uint64_t at, int flags)
{
    struct uio u;
    struct msghdr h;
    struct sock_msg m = {.flags = flags};
    if (!mem_read(t, at, &h, sizeof h)) {
        return -EFAULT;
    }
    int64_t status = uio_init_vec(&u, t, (uintptr_t)h.msg_iov, h.msg_iovlen);
    if (status != 0) {
        return status;
    }
    int64_t result = recv_some(w, t, s, &u, &m);
    if (result < 0) {
        files_drop(w, &m);
        return result;
    }
    if (h.msg_name != NULL) {
        union any_addr a;
        uint32_t n = 0;
        from_put(s, &m, &a, &n);
        size_t part = n < h.msg_namelen ? n : h.msg_namelen;
        if (!mem_write(t, (uintptr_t)h.msg_name, &a, part)) {
            return -EFAULT;
        }
        h.msg_namelen = n;
    }
    status = control_put(w, t, s, &h, &m);
    h.msg_flags = m.out_flags | (flags & MSG_CMSG_CLOEXEC);
    if (status != 0 || !mem_write(t, at, &h, sizeof h)) {
        return -EFAULT;
    }
    return result;
}

int64_t call_recvmsg(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct sock *s = sock_get(t, t->a[0], &status);
    return status != 0 ? status : do_recvmsg(w, t, s, t->a[1], (int)t->a[2]);
}

int64_t call_recvmmsg(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct sock *s = sock_get(t, t->a[0], &status);
    uint64_t n = (uint32_t)t->a[2] < 1024 ? (uint32_t)t->a[2] : 1024;
    int flags = (int)t->a[3];
    for (uint64_t i = t->call_cookie; status == 0 && i < n; i++) {
        uint64_t at = t->a[1] + i * sizeof(struct mmsghdr);
        bool wait = i == 0 || (flags & MSG_WAITFORONE) == 0;
        int64_t result = do_recvmsg(w, t, s, at, wait ? flags : flags | MSG_DONTWAIT);
        if (result == CALL_BLOCK) {
            t->call_cookie = i;
            return result;
        }
        if (result < 0) {
            return i != 0 ? (int64_t)i : result;
        }
        uint32_t len = (uint32_t)result;
        t->progress = 0;
        if (!mem_write(t, at + sizeof(struct msghdr), &len, sizeof len)) {
            return -EFAULT;
        }
    }
    return status != 0 ? status : (int64_t)n;
}

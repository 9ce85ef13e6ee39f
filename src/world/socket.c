/* System calls on sockets of every kind. */
#include "world/socket.h"

#include <asm-generic/errno.h>
#include <asm-generic/ioctls.h>
#include <asm-generic/socket.h>
#include <asm-generic/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <asm/ioctls.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

/* ---- addresses ---- */

void sock_addr_put(const struct sock *s, const struct addr *from, union any_addr *to, uint32_t *n)
{
    memset(to, 0, sizeof *to);
    if (s->domain == AF_NETLINK) {
        to->nl.nl_family = AF_NETLINK;
        to->nl.nl_pid = from == &s->local ? s->netlink_pid : 0; /* 0: the kernel */
        *n = sizeof to->nl;
        return;
    }
    if (s->domain == AF_INET6) {
        to->in6.sin6_family = AF_INET6;
        to->in6.sin6_port = htons(from->port);
        memcpy(&to->in6.sin6_addr, from->ip, 16);
        *n = sizeof to->in6;
    } else {
        to->in.sin_family = AF_INET;
        to->in.sin_port = htons(from->port);
        memcpy(&to->in.sin_addr, from->ip + 12, 4);
        *n = sizeof to->in;
    }
}

void sock_name_put(const char *name, size_t len, union any_addr *to, uint32_t *n)
{
    memset(to, 0, sizeof *to);
    to->un.sun_family = AF_UNIX;
    memcpy(to->un.sun_path, name != NULL ? name : "", len);
    *n = (uint32_t)(offsetof(struct sockaddr_un, sun_path) + len);
    if (name != NULL && len != 0 && name[0] != '\0') {
        (*n)++; /* the NUL counts */
    }
}

/* Reads an address that a program gives. */
int64_t sock_addr_get(struct thread *t, const struct sock *s, uint64_t at, uint64_t n,
                      struct sock_msg *m)
{
    union any_addr a;
    memset(&a, 0, sizeof a);
    if (n > sizeof a || n < sizeof(sa_family_t)) {
        return -EINVAL;
    }
    if (!mem_read(t, at, &a, n)) {
        return -EFAULT;
    }
    m->has_addr = true;
    if (s->domain == AF_NETLINK) {
        return a.sa.sa_family == AF_NETLINK ? 0 : -EINVAL;
    }
    if (s->domain == AF_UNIX) {
        if (a.sa.sa_family != AF_UNIX || n > sizeof a.un) {
            return -EINVAL;
        }
        size_t len = n - offsetof(struct sockaddr_un, sun_path);
        bool path = len != 0 && a.un.sun_path[0] != '\0';
        m->name_n = path ? strnlen(a.un.sun_path, len) : len;
        memcpy(m->name, a.un.sun_path, m->name_n);
        return 0;
    }
    memset(&m->addr, 0, sizeof m->addr);
    if (a.sa.sa_family == AF_INET && n >= sizeof a.in) {
        m->addr.ip[10] = m->addr.ip[11] = 0xff;
        memcpy(m->addr.ip + 12, &a.in.sin_addr, 4);
        m->addr.port = ntohs(a.in.sin_port);
        return s->domain == AF_INET6 ? -EAFNOSUPPORT : 0;
    }
    if (a.sa.sa_family == AF_INET6 && s->domain == AF_INET6) {
        if (n < 24) {
            return -EINVAL;
        }
        memcpy(m->addr.ip, &a.in6.sin6_addr, 16);
        m->addr.port = ntohs(a.in6.sin6_port);
        return 0;
    }
    return a.sa.sa_family == AF_INET || a.sa.sa_family == AF_INET6 ? -EINVAL : -EAFNOSUPPORT;
}

/* Gives an address to a program: as much as fits, and how long it is. */
int64_t sock_addr_return(struct thread *t, const union any_addr *a, uint32_t n, uint64_t at,
                         uint64_t len_at)
{
    int32_t room = 0;
    if (at == 0) {
        return 0;
    }
    if (!mem_read(t, len_at, &room, sizeof room)) {
        return -EFAULT;
    }
    if (room < 0) {
        return -EINVAL;
    }
    size_t part = (uint32_t)room < n ? (uint32_t)room : n;
    return mem_write(t, at, a, part) && mem_write(t, len_at, &n, sizeof n) ? 0 : -EFAULT;
}

/* ---- life ---- */

struct sock *sock_get(struct thread *t, uint64_t fd, int64_t *ret_status)
{
    struct file *f = fd_get(t, fd);
    *ret_status = f == NULL ? -EBADF : f->ops != &sock_ops ? -ENOTSOCK : 0;
    return *ret_status == 0 ? (struct sock *)f : NULL;
}

struct sock *sock_new(struct world *w, struct node *node, int domain, int type, int flags)
{
    struct sock *s = file_new(w, node, &sock_ops, sizeof *s, O_RDWR | flags);
    s->domain = domain;
    s->type = type;
    s->attrs = (struct attrs){0777, getuid(), getgid()};
    return s;
}

void sock_bind_link(struct world *w, struct sock *s)
{
    (void)w;
    struct sock **at = &s->f.node->socks;
    while (*at != NULL) {
        at = &(*at)->next_bound;
    }
    *at = s;
}

void sock_bind_unlink(struct sock *s)
{
    for (struct sock **at = &s->f.node->socks; *at != NULL; at = &(*at)->next_bound) {
        if (*at == s) {
            *at = s->next_bound;
            s->next_bound = NULL;
            break;
        }
    }
}

static void sock_release(struct world *w, struct file *f)
{
    struct sock *s = (struct sock *)f;
    sock_bind_unlink(s);
    multicast_done(w, s);
    if (s->domain == AF_UNIX) {
        unix_release(w, s);
    } else {
        inet_release(w, s);
    }
    messages_drop(w, s);
    while (s->options != NULL) {
        struct sockopt *o = s->options;
        s->options = o->next;
        heap_free(w->heap, o);
    }
    bytes_done(w, &s->rx);
}

static uint32_t sock_poll(struct world *w, struct file *f)
{
    struct sock *s = (struct sock *)f;
    return s->domain == AF_UNIX ? unix_poll(w, s) : inet_poll(w, s);
}

static int64_t sock_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct sock_msg m = {0};
    int64_t result = sock_recv(w, u->t, (struct sock *)f, u, &m);
    for (uint32_t i = 0; i < m.n_files; i++) {
        file_unref(w, m.files[i]);
    }
    return result;
}

static int64_t sock_write(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct sock_msg m = {0};
    return sock_send(w, u->t, (struct sock *)f, u, &m);
}

static struct attrs *sock_attrs(struct file *f)
{
    return &((struct sock *)f)->attrs;
}

static void sock_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    const struct attrs *attrs = sock_attrs(f);
    *st = (struct stat){.st_mode = S_IFSOCK | attrs->mode,
                        .st_uid = attrs->uid,
                        .st_gid = attrs->gid,
                        .st_ino = f->id,
                        .st_nlink = 1,
                        .st_blksize = 4096};
}

/* Interfaces of a node: lo and eth0. */
static int64_t ioctl_interfaces(struct thread *t, struct file *f, uint64_t cmd, uint64_t arg)
{
    struct ifreq r;
    if (!mem_read(t, arg, &r, sizeof r)) {
        return -EFAULT;
    }
    if (cmd == SIOCGIFNAME) { /* the only one that goes by number */
        if (r.ifr_ifindex != 1 && r.ifr_ifindex != 2) {
            return -ENODEV;
        }
        memcpy(r.ifr_name, r.ifr_ifindex == 1 ? "lo" : "eth0", r.ifr_ifindex == 1 ? 3 : 5);
        return mem_write(t, arg, &r, sizeof r) ? 0 : -EFAULT;
    }
    bool lo = strncmp(r.ifr_name, "lo", IFNAMSIZ) == 0;
    if (!lo && strncmp(r.ifr_name, "eth0", IFNAMSIZ) != 0) {
        return -ENODEV;
    }
    struct sockaddr_in in = {.sin_family = AF_INET};
    switch (cmd) {
    case SIOCGIFADDR: in.sin_addr.s_addr = htonl(lo ? 0x7f000001 : f->node->ip); break;
    case SIOCGIFNETMASK: in.sin_addr.s_addr = htonl(lo ? 0xff000000 : 0xffffff00); break;
    case SIOCGIFBRDADDR: in.sin_addr.s_addr = htonl(lo ? 0 : f->node->ip | 0xff); break;
    case SIOCGIFFLAGS:
        r.ifr_flags =
            (short)(IFF_UP | IFF_RUNNING | (lo ? IFF_LOOPBACK : IFF_BROADCAST | IFF_MULTICAST));
        return mem_write(t, arg, &r, sizeof r) ? 0 : -EFAULT;
    case SIOCGIFINDEX:
        r.ifr_ifindex = lo ? 1 : 2;
        return mem_write(t, arg, &r, sizeof r) ? 0 : -EFAULT;
    case SIOCGIFMTU:
        r.ifr_mtu = lo ? 65536 : 1500;
        return mem_write(t, arg, &r, sizeof r) ? 0 : -EFAULT;
    case SIOCGIFHWADDR:
        memset(&r.ifr_hwaddr, 0, sizeof r.ifr_hwaddr);
        r.ifr_hwaddr.sa_family = lo ? 772 : 1;
        if (!lo) {
            r.ifr_hwaddr.sa_data[0] = 2;
            memcpy(r.ifr_hwaddr.sa_data + 2, &f->node->ip, 4);
        }
        return mem_write(t, arg, &r, sizeof r) ? 0 : -EFAULT;
    default: return -EINVAL;
    }
    memcpy(&r.ifr_addr, &in, sizeof in);
    return mem_write(t, arg, &r, sizeof r) ? 0 : -EFAULT;
}

static int64_t ioctl_ifconf(struct thread *t, struct file *f, uint64_t arg)
{
    struct ifconf conf;
    if (!mem_read(t, arg, &conf, sizeof conf)) {
        return -EFAULT;
    }
    struct ifreq r[2];
    memset(r, 0, sizeof r);
    memcpy(r[0].ifr_name, "lo", 3);
    memcpy(r[1].ifr_name, "eth0", 5);
    for (int i = 0; i < 2; i++) {
        struct sockaddr_in in = {.sin_family = AF_INET};
        in.sin_addr.s_addr = htonl(i == 0 ? 0x7f000001 : f->node->ip);
        memcpy(&r[i].ifr_addr, &in, sizeof in);
    }
    uint64_t buffer = (uintptr_t)conf.ifc_buf;
    int n = (int)sizeof r;
    if (buffer != 0) {
        n = conf.ifc_len < n ? conf.ifc_len / (int)sizeof r[0] * (int)sizeof r[0] : n;
        if (!mem_write(t, buffer, r, (size_t)n)) {
            return -EFAULT;
        }
    }
    conf.ifc_len = n;
    return mem_write(t, arg, &conf, sizeof conf) ? 0 : -EFAULT;
}

/* Bytes that a read could give: those before urgent data, if there are any. */
static int tcp_unread(const struct sock *s)
{
    bool marked = s->urgent != URGENT_NONE && !sock_option_on(s, SOL_SOCKET, SO_OOBINLINE);
    return (int)(marked ? s->urgent_at : s->rx.n);
}

/* Which address of a card a neighbour has: nobody was ever asked. */
static int64_t ioctl_neighbour(struct thread *t, const struct file *f, uint64_t arg)
{
    struct arpreq req;
    struct sockaddr_in in;
    if (!mem_read(t, arg, &req, sizeof req)) {
        return -EFAULT;
    }
    memcpy(&in, &req.arp_pa, sizeof in);
    req.arp_dev[sizeof req.arp_dev - 1] = '\0';
    if (in.sin_family != AF_INET) {
        return -EPFNOSUPPORT;
    }
    uint32_t ip = ntohl(in.sin_addr.s_addr);
    bool there = req.arp_dev[0] == '\0'
                     ? ip >> 24 != 127 && ip != f->node->ip
                     : strcmp(req.arp_dev, "lo") == 0 || strcmp(req.arp_dev, "eth0") == 0;
    return there ? -ENXIO : -ENODEV;
}

static int64_t sock_ioctl(struct world *w, struct thread *t, struct file *f, uint64_t cmd,
                          uint64_t arg)
{
    (void)w;
    const struct sock *s = (struct sock *)f;
    int n = 0;
    switch (cmd) {
    case FIONREAD:
        if (s->state == SOCK_LISTENING) {
            return -EINVAL;
        }
        n = s->domain != AF_UNIX && s->type == SOCK_STREAM ? tcp_unread(s)
            : s->type != SOCK_DGRAM                        ? (int)s->queue_bytes
            : s->queue != NULL                             ? (int)s->queue->n
                                                           : 0;
        return mem_write(t, arg, &n, sizeof n) ? 0 : -EFAULT;
    case SIOCATMARK:
        if (s->domain == AF_UNIX || s->type != SOCK_STREAM) {
            return -ENOTTY;
        }
        n = s->urgent != URGENT_NONE && s->urgent_at == 0;
        return mem_write(t, arg, &n, sizeof n) ? 0 : -EFAULT;
    case TIOCOUTQ: return mem_write(t, arg, &n, sizeof n) ? 0 : -EFAULT;
    case SIOCGIFCONF: return ioctl_ifconf(t, f, arg);
    case SIOCGIFNAME:
    case SIOCGIFADDR:
    case SIOCGIFNETMASK:
    case SIOCGIFBRDADDR:
    case SIOCGIFFLAGS:
    case SIOCGIFINDEX:
    case SIOCGIFMTU:
    case SIOCGIFHWADDR: return ioctl_interfaces(t, f, cmd, arg);
    case SIOCGARP: return s->domain == AF_INET ? ioctl_neighbour(t, f, arg) : -ENOTTY;
    default: return -ENOTTY;
    }
}

const struct file_ops sock_ops = {
    .name = "socket",
    .read = sock_read,
    .write = sock_write,
    .poll = sock_poll,
    .release = sock_release,
    .ioctl = sock_ioctl,
    .stat = sock_stat,
    .attrs = sock_attrs,
};

static int64_t make_socket(struct world *w, struct thread *t, int domain, int how,
                           struct sock **ret)
{
    int type = how & 0xf;
    if ((how & ~(0xf | SOCK_CLOEXEC | SOCK_NONBLOCK)) != 0) {
        return -EINVAL;
    }
    if (domain != AF_INET && domain != AF_INET6 && domain != AF_UNIX && domain != AF_NETLINK) {
        return -EAFNOSUPPORT;
    }
    bool known = type == SOCK_STREAM || type == SOCK_DGRAM ||
                 (type == SOCK_SEQPACKET && domain == AF_UNIX) ||
                 (type == SOCK_RAW && domain == AF_NETLINK);
    if (!known) {
        return type == SOCK_RAW && domain != AF_UNIX ? -EPERM : -ESOCKTNOSUPPORT;
    }
    struct sock *s = sock_new(w, t->proc->node, domain, type, how & SOCK_NONBLOCK);
    s->netlink_pid = (uint32_t)t->proc->pid;
    s->attrs.uid = t->cred->uid[CRED_FS];
    s->attrs.gid = t->cred->gid[CRED_FS];
    s->creds = (struct proc_creds){t->proc->pid, t->cred->uid[CRED_EFFECTIVE],
                                   t->cred->gid[CRED_EFFECTIVE]};
    *ret = s;
    return 0;
}

int64_t call_socket(struct world *w, struct thread *t)
{
    struct sock *s = NULL;
    int protocol = (int)t->a[2], type = (int)t->a[1] & 0xf;
    bool inet = t->a[0] == AF_INET || t->a[0] == AF_INET6;
    int own = type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    if (inet && protocol != 0 && protocol != own && (type == SOCK_STREAM || type == SOCK_DGRAM)) {
        return -EPROTONOSUPPORT;
    }
    if (t->a[0] == AF_NETLINK && protocol != NETLINK_ROUTE) {
        return -EPROTONOSUPPORT;
    }
    int64_t status = make_socket(w, t, (int)t->a[0], (int)t->a[1], &s);
    if (status != 0) {
        return status;
    }
    s->protocol = inet ? own : 0;
    return fd_add(w, t->proc, &s->f, (t->a[1] & SOCK_CLOEXEC) != 0, 0);
}

int64_t call_socketpair(struct world *w, struct thread *t)
{
    struct sock *a = NULL, *b = NULL;
    if (t->a[0] != AF_UNIX) {
        return t->a[0] == AF_INET || t->a[0] == AF_INET6 ? -EOPNOTSUPP : -EAFNOSUPPORT;
    }
    int64_t status = make_socket(w, t, AF_UNIX, (int)t->a[1], &a);
    status = status != 0 ? status : make_socket(w, t, AF_UNIX, (int)t->a[1], &b);
    if (status != 0) {
        return status;
    }
    unix_pair(a, b);
    bool cloexec = (t->a[1] & SOCK_CLOEXEC) != 0;
    int64_t fd0 = fd_add(w, t->proc, &a->f, cloexec, 0);
    int64_t fd1 = fd_add(w, t->proc, &b->f, cloexec, 0);
    int fds[2] = {(int)fd0, (int)fd1};
    if (fd0 < 0 || fd1 < 0 || !mem_write(t, t->a[3], fds, sizeof fds)) {
        if (fd0 >= 0) {
            fd_close(w, t->proc, (uint64_t)fd0);
        }
        if (fd1 >= 0) {
            fd_close(w, t->proc, (uint64_t)fd1);
        }
        return fd0 < 0 || fd1 < 0 ? -EMFILE : -EFAULT;
    }
    return 0;
}

/* ---- naming, connecting ---- */

int64_t call_bind(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct sock_msg m = {0};
    struct sock *s = sock_get(t, t->a[0], &status);
    status = status != 0 ? status : sock_addr_get(t, s, t->a[1], t->a[2], &m);
    if (status != 0) {
        return status;
    }
    if (s->domain == AF_NETLINK) {
        return 0;
    }
    return s->domain == AF_UNIX ? unix_bind(w, t, s, m.name, m.name_n)
                                : inet_bind(w, t, s, &m.addr);
}

void net_note(struct thread *t, int64_t result)
{
    struct node *node = t->proc->node;
    int domain = (int)t->a[0];
    if (t->nr != SYS_socket) {
        const struct file *f = fd_get(t, t->a[0]);
        domain = f != NULL && f->ops == &sock_ops ? ((const struct sock *)f)->domain : AF_UNSPEC;
    }
    if (domain != AF_INET && domain != AF_INET6) {
        return;
    }
    bool opens = t->nr == SYS_socket || t->nr == SYS_bind || t->nr == SYS_listen;
    /* of the program, or descriptors that it has used up */
    bool mistake = result == -EINVAL || result == -EFAULT || result == -EMFILE;
    bool raw = t->nr == SYS_socket && (t->a[1] & 15) == SOCK_RAW;
    if (!opens || (result >= 0 && t->nr != SYS_socket)) {
        node->net_used = true; /* whoever calls another has a socket, whatever comes of it */
    } else if (result >= 0) {
        node->net_failed = node->net_failed == SYS_socket ? 0 : node->net_failed;
    } else if (node->net_failed == 0 && !mistake && !raw) {
        node->net_failed = t->nr;
        node->net_errno = (int)-result;
    }
}

int64_t call_listen(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct sock *s = sock_get(t, t->a[0], &status);
    if (status != 0) {
        return status;
    }
    if (s->type == SOCK_DGRAM) {
        return -EOPNOTSUPP;
    }
    int backlog = (int)t->a[1];
    s->backlog_most = backlog < 0 || backlog > 4096 ? 4096 : (uint32_t)backlog;
    if (s->domain != AF_UNIX) {
        return inet_listen(w, s);
    }
    if (!s->bound || (s->state != SOCK_NEW && s->state != SOCK_LISTENING)) {
        return -EINVAL;
    }
    s->state = SOCK_LISTENING;
    return 0;
}

int64_t call_connect(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct sock_msg m = {0};
    uint16_t family = 0;
    struct sock *s = sock_get(t, t->a[0], &status);
    if (status != 0) {
        return status;
    }
    if (t->a[2] >= 2 && mem_read(t, t->a[1], &family, 2) && family == AF_UNSPEC) {
        s->remote = (struct addr){0}; /* dissolves the association */
        if (s->type == SOCK_DGRAM) {
            s->peer = NULL;
            s->state = SOCK_NEW;
        }
        return 0;
    }
    status = sock_addr_get(t, s, t->a[1], t->a[2], &m);
    if (status != 0) {
        return status;
    }
    if (s->domain == AF_NETLINK) {
        return 0;
    }
    return s->domain == AF_UNIX ? unix_connect(w, t, s, m.name, m.name_n)
                                : inet_connect(w, t, s, &m.addr);
}

static uint64_t timeout_deadline(const struct world *w, const struct thread *t, uint64_t ns)
{
    return ns == 0 ? NEVER_NS : deadline_after(w, t->proc->node, ns);
}

/* What a call does that cannot go on: wait, or say so. */
int64_t sock_wait_or(const struct world *w, struct thread *t, const struct sock *s, int flags,
                     uint64_t timeout_ns)
{
    if ((s->f.flags & O_NONBLOCK) != 0 || (flags & MSG_DONTWAIT) != 0 || t->timed_out) {
        return -EAGAIN;
    }
    return block_until(t, timeout_deadline(w, t, timeout_ns));
}

static int64_t do_accept(struct world *w, struct thread *t, int flags)
{
    int64_t status = 0;
    if ((flags & ~(SOCK_CLOEXEC | SOCK_NONBLOCK)) != 0) {
        return fd_get(t, t->a[0]) == NULL ? -EBADF : -EINVAL;
    }
    struct sock *s = sock_get(t, t->a[0], &status);
    if (status != 0) {
        return status;
    }
    if (!fd_room(t->proc)) {
        return -EMFILE; /* and the connection waits for who has one */
    }
    if (s->type == SOCK_DGRAM) {
        return -EOPNOTSUPP;
    }
    if (s->state != SOCK_LISTENING || (s->rx_shut && s->n_backlog == 0)) {
        return -EINVAL;
    }
    if (s->n_backlog == 0) {
        return sock_wait_or(w, t, s, 0, s->f.rcv_timeout_ns);
    }
    struct sock *got = s->backlog[0];
    memmove((void *)s->backlog, (void *)(s->backlog + 1),
            (s->n_backlog - 1) * sizeof(struct sock *));
    s->n_backlog--;
    got->listener = NULL;
    t->proc->node->changed = true; /* a Unix connect may wait for room */
    got->f.flags |= flags & SOCK_NONBLOCK;
    if (t->a[1] != 0) {
        union any_addr a;
        uint32_t n = 0;
        if (s->domain == AF_UNIX) {
            sock_name_put(got->peer != NULL ? got->peer->name : NULL,
                          got->peer != NULL ? got->peer->name_n : 0, &a, &n);
        } else {
            sock_addr_put(got, &got->remote, &a, &n);
        }
        status = sock_addr_return(t, &a, n, t->a[1], t->a[2]);
    }
    if (status != 0) {
        file_unref(w, &got->f);
        return status;
    }
    return fd_add(w, t->proc, &got->f, (flags & SOCK_CLOEXEC) != 0, 0);
}

int64_t call_accept(struct world *w, struct thread *t)
{
    return do_accept(w, t, 0);
}

int64_t call_accept4(struct world *w, struct thread *t)
{
    return do_accept(w, t, (int)t->a[3]);
}

int64_t call_shutdown(struct world *w, struct thread *t)
{
    int64_t status = 0;
    struct sock *s = sock_get(t, t->a[0], &status);
    if (status != 0 || t->a[1] > SHUT_RDWR) {
        return status != 0 ? status : -EINVAL;
    }
    bool rd = t->a[1] != SHUT_WR, wr = t->a[1] != SHUT_RD;
    if (s->state == SOCK_LISTENING && s->domain != AF_UNIX) {
        if (rd) {
            inet_unlisten(w, s);
        }
        return 0;
    }
    if (s->type != SOCK_DGRAM && s->state != SOCK_CONNECTED && s->state != SOCK_CLOSED &&
        s->state != SOCK_LISTENING && s->domain != AF_UNIX) {
        return -ENOTCONN;
    }
    if (s->domain == AF_UNIX) {
        unix_shutdown(w, s, rd, wr);
    } else if (s->type == SOCK_STREAM && (s->conn == NULL || (s->tx_shut && s->rx_eof))) {
        return -ENOTCONN; /* both sides have ended it */
    } else {
        inet_shutdown(w, s, rd, wr);
        return s->type == SOCK_DGRAM && s->remote.port == 0 ? -ENOTCONN : 0;
    }
    return 0;
}

int64_t call_getsockname(struct world *w, struct thread *t)
{
    (void)w;
    int64_t status = 0;
    union any_addr a;
    uint32_t n = 0;
    struct sock *s = sock_get(t, t->a[0], &status);
    if (status != 0) {
        return status;
    }
    if (s->domain == AF_UNIX) {
        sock_name_put(s->name, s->name_n, &a, &n);
    } else {
        sock_addr_put(s, &s->local, &a, &n);
    }
    return sock_addr_return(t, &a, n, t->a[1], t->a[2]);
}

int64_t call_getpeername(struct world *w, struct thread *t)
{
    (void)w;
    int64_t status = 0;
    union any_addr a;
    uint32_t n = 0;
    struct sock *s = sock_get(t, t->a[0], &status);
    if (status != 0) {
        return status;
    }
    if (s->state != SOCK_CONNECTED && s->domain != AF_NETLINK) { /* that is the kernel's always */
        return -ENOTCONN;
    }
    if (s->domain == AF_UNIX) {
        sock_name_put(s->peer != NULL ? s->peer->name : NULL, s->peer != NULL ? s->peer->name_n : 0,
                      &a, &n);
    } else {
        sock_addr_put(s, &s->remote, &a, &n);
    }
    return sock_addr_return(t, &a, n, t->a[1], t->a[2]);
}

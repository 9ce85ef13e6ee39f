/* System calls on sockets of every kind. */
#include "world/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
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
#include "world/net.h"
#include "world/world_int.h"

/* ---- addresses ---- */

union any_addr {
    struct sockaddr sa;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    struct sockaddr_un un;
    struct sockaddr_nl nl;
    uint8_t bytes[128];
};

static void addr_put(const struct sock *s, const struct addr *from, union any_addr *to, uint32_t *n)
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

static void name_put(const char *name, size_t len, union any_addr *to, uint32_t *n)
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
static int64_t addr_get(struct thread *t, const struct sock *s, uint64_t at, uint64_t n,
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
static int64_t addr_return(struct thread *t, const union any_addr *a, uint32_t n, uint64_t at,
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
    status = status != 0 ? status : addr_get(t, s, t->a[1], t->a[2], &m);
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
    status = addr_get(t, s, t->a[1], t->a[2], &m);
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
static int64_t wait_or(const struct world *w, struct thread *t, const struct sock *s, int flags,
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
        return wait_or(w, t, s, 0, s->f.rcv_timeout_ns);
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
            name_put(got->peer != NULL ? got->peer->name : NULL,
                     got->peer != NULL ? got->peer->name_n : 0, &a, &n);
        } else {
            addr_put(got, &got->remote, &a, &n);
        }
        status = addr_return(t, &a, n, t->a[1], t->a[2]);
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
        name_put(s->name, s->name_n, &a, &n);
    } else {
        addr_put(s, &s->local, &a, &n);
    }
    return addr_return(t, &a, n, t->a[1], t->a[2]);
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
        name_put(s->peer != NULL ? s->peer->name : NULL, s->peer != NULL ? s->peer->name_n : 0, &a,
                 &n);
    } else {
        addr_put(s, &s->remote, &a, &n);
    }
    return addr_return(t, &a, n, t->a[1], t->a[2]);
}

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
        int64_t wait = wait_or(w, t, s, m->flags, s->f.snd_timeout_ns);
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
            int64_t wait = wait_or(w, t, s, m->flags, s->f.rcv_timeout_ns);
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
        status = addr_get(t, s, t->a[4], t->a[5], &m);
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
            name_put(m->name, m->name_n, a, n);
        }
    } else if (s->type != SOCK_STREAM) {
        addr_put(s, &m->addr, a, n);
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
        status = addr_return(t, &a, n, t->a[4], t->a[5]);
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
        status = addr_get(t, s, (uintptr_t)h->msg_name, h->msg_namelen, &m);
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

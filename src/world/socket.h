/* Private to the world room: sockets. */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "world/world_int.h"

enum sock_state { SOCK_NEW, SOCK_LISTENING, SOCK_CONNECTING, SOCK_CONNECTED, SOCK_CLOSED };

enum { PASSED_FILES = 16 }; /* descriptors that go with one message, at most */

/* A datagram, or a piece of a Unix stream that carries descriptors. */
struct message {
    struct message *next;
    struct addr from, to;
    char *from_name; /* of a Unix socket */
    size_t from_n;
    uint32_t n_files;
    struct file *files[PASSED_FILES];
    struct proc_creds {
        int pid;
        uint32_t uid, gid;
    } creds;
    size_t n, used; /* a stream may be read in parts */
    uint8_t bytes[];
};

struct sockopt {
    struct sockopt *next;
    int level, name;
    uint32_t n;
    uint8_t value[128];
};

struct sock {
    struct file f;
    struct attrs attrs;
    int domain, type, protocol;
    enum sock_state state;
    bool bound, connected_once, v6only, reuse, passcred;
    bool share_port;           /* SO_REUSEPORT */
    bool given_port;           /* bind named it */
    struct addr local, remote; /* remote.port 0: none */
    int err;                   /* reported once */
    bool rx_eof, rx_shut, tx_shut, reset;
    bool abort_on_close; /* SO_LINGER with time 0 */
    struct sockopt *options;
    struct ktimer *timer; /* while connecting */
    /* streams */
    struct bytes rx;
    enum { URGENT_NONE, URGENT_VALID, URGENT_READ } urgent;
    size_t urgent_at; /* bytes of rx before it */
    struct conn *conn;
    int side;
    struct sock **backlog;
    uint32_t n_backlog, backlog_most;
    struct sock *listener; /* while waiting in a backlog */
    /* messages */
    struct message *queue, *queue_tail;
    size_t queue_bytes, queue_n;
    /* Unix sockets */
    struct sock *peer;
    char *name; /* path, or NUL and abstract name */
    size_t name_n;
    struct inode *inode;
    struct proc_creds creds, peer_creds;
    struct sock *next_bound; /* of the node */
    /* multicast */
    struct membership *memberships;
    struct sock *next_group; /* of the node's sockets that are in groups, or were */
    int group_index;         /* interface that datagrams to groups take; 0: eth0 */
    int group_ttl;           /* one more than it is; 0: not set, which is 1 */
    bool group_quiet;        /* not to this node */
    bool group_strict;       /* only of groups that the socket itself is in */
    bool in_groups;
    uint32_t netlink_pid; /* of a netlink socket */
};

enum { SOCK_WINDOW = 256 << 10, DGRAM_BYTES = 212992, UNIX_BYTES = 212992 };

/* What a call passes besides the data. */
struct sock_msg {
    int flags;        /* MSG_* */
    bool has_addr;    /* send: to this address */
    struct addr addr; /* receive: from that one */
    struct addr to;   /* received datagram: where it went to */
    char name[128];   /* the same for Unix sockets */
    size_t name_n;
    uint32_t n_files; /* descriptors that go along */
    struct file *files[PASSED_FILES];
    struct proc_creds creds;
    bool has_creds;
    int out_flags; /* MSG_TRUNC and others */
    bool at_mark;  /* reading stopped at urgent data */
};

struct sock *sock_new(struct world *w, struct node *node, int domain, int type, int flags);
void sock_bind_link(struct world *w, struct sock *s);
void sock_bind_unlink(struct sock *s);
struct sock *sock_get(struct thread *t, uint64_t fd, int64_t *ret_status);
bool sock_option_on(const struct sock *s, int level, int name); /* sockopt.c */
struct message *message_new(struct world *w, struct uio *u, size_t n);
void message_push(struct world *w, struct sock *s, struct message *m);
void messages_drop(struct world *w, struct sock *s); /* all that wait to be received */
void message_free(struct world *w, struct message *m);
int64_t sock_send(struct world *w, struct thread *t, struct sock *s, struct uio *u,
                  struct sock_msg *m);
int64_t sock_recv(struct world *w, struct thread *t, struct sock *s, struct uio *u,
                  struct sock_msg *m);
int64_t message_recv(struct world *w, struct sock *s, struct uio *u, struct sock_msg *m);

/* inet.c */
int64_t inet_bind(struct world *w, struct thread *t, struct sock *s, const struct addr *addr);
int64_t inet_connect(struct world *w, struct thread *t, struct sock *s, const struct addr *addr);
int64_t inet_listen(struct world *w, struct sock *s);
int64_t inet_send(struct world *w, struct sock *s, struct uio *u, struct sock_msg *m);
int64_t tcp_recv(struct world *w, struct sock *s, struct uio *u, struct sock_msg *m);
void inet_unlisten(struct world *w, struct sock *s);
void inet_shutdown(struct world *w, struct sock *s, bool rd, bool wr);
void inet_release(struct world *w, struct sock *s);
uint32_t inet_poll(struct world *w, struct sock *s);
/* A request for a connection to a listener without room: Linux does not answer, and the other side
 * asks again later. */
bool inet_must_wait(const struct packet *p);

/* multicast.c */
bool addr_is_group(const struct addr *a);
/* False: not an option of multicast, or to be kept as it is. */
bool multicast_set(struct world *w, struct sock *s, int level, const struct sockopt *o,
                   int64_t *ret_status);
bool multicast_get(const struct sock *s, int level, int name, int *ret);
void multicast_done(struct world *w, struct sock *s);
struct addr multicast_source(const struct sock *s, bool v6);
void multicast_send(struct world *w, struct sock *s, struct packet *p); /* takes the packet */
bool multicast_wanted(const struct world *w, const struct sock *s, const struct packet *p);

/* netlink.c */
int64_t netlink_send(struct world *w, struct sock *s, struct uio *u);

/* unix.c */
int64_t unix_bind(struct world *w, struct thread *t, struct sock *s, const char *name, size_t n);
int64_t unix_connect(struct world *w, struct thread *t, struct sock *s, const char *name, size_t n);
void unix_pair(struct sock *a, struct sock *b);
int64_t unix_send(struct world *w, struct thread *t, struct sock *s, struct uio *u,
                  struct sock_msg *m);
int64_t unix_recv(struct world *w, struct sock *s, struct uio *u, struct sock_msg *m);
void unix_shutdown(struct world *w, struct sock *s, bool rd, bool wr);
void unix_release(struct world *w, struct sock *s);
uint32_t unix_poll(struct world *w, struct sock *s);

union any_addr {
    struct sockaddr sa;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    struct sockaddr_un un;
    struct sockaddr_nl nl;
    uint8_t bytes[128];
};

/* ---- addresses (socket.c) ---- */
void sock_addr_put(const struct sock *s, const struct addr *from, union any_addr *to, uint32_t *n);
void sock_name_put(const char *name, size_t len, union any_addr *to, uint32_t *n);
/* Reads an address that a program gives. */
int64_t sock_addr_get(struct thread *t, const struct sock *s, uint64_t at, uint64_t n,
                      struct sock_msg *m);
/* Gives an address to a program: as much as fits, and how long it is. */
int64_t sock_addr_return(struct thread *t, const union any_addr *a, uint32_t n, uint64_t at,
                         uint64_t len_at);
/* What a call does that cannot go on: wait, or say so. */
int64_t sock_wait_or(const struct world *w, struct thread *t, const struct sock *s, int flags,
                     uint64_t timeout_ns);

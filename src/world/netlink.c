/* Netlink, as far as programs ask it for interfaces and addresses: two interfaces, lo and eth0.
 * Other questions get an empty list. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "world/heap.h"
#include "world/net.h"
#include "world/socket.h"
#include "world/world_int.h"

struct reply {
    uint8_t bytes[2048];
    size_t n;
    size_t head; /* of the message being made */
    struct nlmsghdr asked;
};

static void put(struct reply *r, const void *bytes, size_t n)
{
    memcpy(r->bytes + r->n, bytes, n);
    r->n += (n + 3) & ~(size_t)3;
}

static void begin(struct reply *r, uint16_t type)
{
    struct nlmsghdr h = {.nlmsg_type = type,
                         .nlmsg_flags = NLM_F_MULTI,
                         .nlmsg_seq = r->asked.nlmsg_seq,
                         .nlmsg_pid = r->asked.nlmsg_pid};
    r->head = r->n;
    put(r, &h, sizeof h);
}

static void end(struct reply *r)
{
    uint32_t n = (uint32_t)(r->n - r->head);
    memcpy(r->bytes + r->head, &n, sizeof n);
}

static void attribute(struct reply *r, uint16_t type, const void *bytes, uint16_t n)
{
    struct rtattr a = {(uint16_t)(sizeof a + n), type};
    put(r, &a, sizeof a);
    put(r, bytes, n);
}

static void put_link(struct reply *r, const struct node *node, bool lo)
{
    struct ifinfomsg info = {
        .ifi_type = lo ? ARPHRD_LOOPBACK : ARPHRD_ETHER,
        .ifi_index = lo ? 1 : 2,
        .ifi_flags = IFF_UP | IFF_RUNNING | IFF_LOWER_UP |
                     (lo ? (unsigned)IFF_LOOPBACK : (unsigned)(IFF_BROADCAST | IFF_MULTICAST)),
    };
    uint32_t mtu = lo ? 65536 : 1500, queue = 1000;
    uint8_t state = lo ? IF_OPER_UNKNOWN : IF_OPER_UP, hardware[6] = {0}, everybody[6] = {0};
    if (!lo) {
        hardware[0] = 2;
        memcpy(hardware + 2, &node->ip, 4);
        memset(everybody, 0xff, sizeof everybody);
    }
    /* Nothing is counted. Programs that show the counters take it for granted that there are any.
     */
    struct rtnl_link_stats counters = {0};
    struct rtnl_link_stats64 counters64 = {0};
    begin(r, RTM_NEWLINK);
    put(r, &info, sizeof info);
    attribute(r, IFLA_IFNAME, lo ? "lo" : "eth0", lo ? 3 : 5);
    attribute(r, IFLA_TXQLEN, &queue, sizeof queue);
    attribute(r, IFLA_OPERSTATE, &state, sizeof state);
    attribute(r, IFLA_MTU, &mtu, sizeof mtu);
    attribute(r, IFLA_ADDRESS, hardware, sizeof hardware);
    attribute(r, IFLA_BROADCAST, everybody, sizeof everybody);
    attribute(r, IFLA_STATS64, &counters64, sizeof counters64);
    attribute(r, IFLA_STATS, &counters, sizeof counters);
    end(r);
}

static void put_addr(struct reply *r, const struct node *node, bool lo, bool v6)
{
    struct addr a = addr_of_node(node, v6);
    if (lo) {
        memset(a.ip, 0, sizeof a.ip);
        a.ip[15] = 1;
        a.ip[12] = v6 ? 0 : 127;
    }
    struct ifaddrmsg info = {
        .ifa_family = v6 ? AF_INET6 : AF_INET,
        .ifa_prefixlen = lo   ? (v6 ? 128 : 8)
                         : v6 ? 64
                              : 24,
        .ifa_flags = IFA_F_PERMANENT,
        .ifa_scope = lo ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE,
        .ifa_index = lo ? 1 : 2,
    };
    begin(r, RTM_NEWADDR);
    put(r, &info, sizeof info);
    attribute(r, IFA_ADDRESS, v6 ? a.ip : a.ip + 12, v6 ? 16 : 4);
    attribute(r, IFA_LOCAL, v6 ? a.ip : a.ip + 12, v6 ? 16 : 4);
    if (!v6) {
        attribute(r, IFA_LABEL, lo ? "lo" : "eth0", lo ? 3 : 5);
    }
    end(r);
}

static void push(struct world *w, struct sock *s, const struct reply *r)
{
    struct message *m = heap_alloc(w->heap, sizeof *m + r->n);
    m->n = r->n;
    memcpy(m->bytes, r->bytes, r->n);
    message_push(w, s, m);
}

static void answer(struct world *w, struct sock *s, const struct nlmsghdr *asked, uint8_t family)
{
    struct reply r = {.asked = *asked};
    const struct node *node = s->f.node;
    for (int i = 0; i < 2; i++) {
        bool lo = i == 0;
        if (asked->nlmsg_type == RTM_GETLINK) {
            put_link(&r, node, lo);
        } else if (asked->nlmsg_type == RTM_GETADDR) {
            if (family != AF_INET6) {
                put_addr(&r, node, lo, false);
            }
            if (family != AF_INET) {
                put_addr(&r, node, lo, true);
            }
        }
    }
    if (r.n != 0) {
        push(w, s, &r);
    }
    struct reply done = {.asked = *asked};
    int zero = 0;
    begin(&done, NLMSG_DONE);
    put(&done, &zero, sizeof zero);
    end(&done);
    push(w, s, &done);
}

int64_t netlink_send(struct world *w, struct sock *s, struct uio *u)
{
    struct {
        struct nlmsghdr head;
        uint8_t family, rest[255];
    } asked;
    memset(&asked, 0, sizeof asked);
    size_t n = uio_left(u), part = n < sizeof asked ? n : sizeof asked;
    if (n < sizeof asked.head) {
        return -EINVAL;
    }
    if (uio_get(u, &asked, part) != part) {
        return -EFAULT;
    }
    asked.head.nlmsg_pid = s->netlink_pid;
    if ((asked.head.nlmsg_flags & NLM_F_DUMP) == 0) {
        return -EOPNOTSUPP;
    }
    answer(w, s, &asked.head, asked.family);
    return (int64_t)n;
}

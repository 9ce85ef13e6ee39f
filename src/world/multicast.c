/* Multicast: which sockets are in which groups, and datagrams to groups. A datagram that goes out
 * on eth0 travels to each node that has a member there when it is sent, as one packet for each, so
 * that each can be late or lost by itself; on lo it stays inside. */
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/socket.h>

#include "world/heap.h"
#include "world/net.h"
#include "world/socket.h"
#include "world/world_int.h"

enum { IF_LO = 1, IF_ETH0 = 2, MEMBERSHIPS_MOST = 20 };

struct membership {
    struct membership *next;
    struct addr group;
    int index; /* of the interface */
};

bool addr_is_group(const struct addr *a)
{
    return addr_v4(a) >> 28 == 0xe || a->ip[0] == 0xff;
}

/* ---- options ---- */

static struct addr addr_from_v4(const uint8_t *bytes)
{
    struct addr a = {
        .ip = {[10] = 0xff, [11] = 0xff}
    };
    memcpy(a.ip + 12, bytes, 4);
    return a;
}

/* The interface that has this address, or this number; 0: none has. */
static int find_interface(const struct node *node, const struct addr *address, int index)
{
    struct addr own = addr_of_node(node, false);
    if (index != 0 || addr_is_any(address)) {
        return index == 0 ? IF_ETH0 : index == IF_LO || index == IF_ETH0 ? index : 0;
    }
    return addr_is_loopback(address)                         ? IF_LO
           : memcmp(address->ip, own.ip, sizeof own.ip) == 0 ? IF_ETH0
                                                             : 0;
}

/* What a program gives: struct ip_mreq or ip_mreqn, or struct ipv6_mreq. */
static int64_t get_request(const struct sock *s, int level, const uint8_t *value, uint32_t n,
                           struct membership *ret)
{
    static const struct addr any4 = {
        .ip = {[10] = 0xff, [11] = 0xff}
    };
    struct addr address = any4;
    int index = 0;
    *ret = (struct membership){0};
    if (level == IPPROTO_IPV6) {
        if (n < sizeof(struct ipv6_mreq)) {
            return -EINVAL;
        }
        memcpy(ret->group.ip, value, 16);
        memcpy(&index, value + 16, sizeof index);
    } else {
        if (n < sizeof(struct ip_mreq)) {
            return -EINVAL;
        }
        ret->group = addr_from_v4(value);
        address = addr_from_v4(value + 4);
        if (n >= sizeof(struct ip_mreqn)) {
            memcpy(&index, value + 8, sizeof index);
        }
    }
    if (!addr_is_group(&ret->group)) {
        return -EINVAL;
    }
    ret->index = find_interface(s->f.node, &address, index);
    return ret->index == 0 ? -ENODEV : 0;
}

static struct membership **find_membership(struct sock *s, const struct membership *want)
{
    struct membership **at = &s->memberships;
    while (*at != NULL &&
           ((*at)->index != want->index || memcmp((*at)->group.ip, want->group.ip, 16) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

static int64_t join(struct world *w, struct sock *s, const struct membership *want)
{
    uint32_t n = 0;
    for (const struct membership *m = s->memberships; m != NULL; m = m->next) {
        n++;
    }
    struct membership **at = find_membership(s, want);
    if (*at != NULL) {
        return -EADDRINUSE;
    }
    if (n >= MEMBERSHIPS_MOST) {
        return -ENOBUFS;
    }
    *at = HEAP_NEW(w->heap, struct membership);
    **at = *want;
    if (!s->in_groups) {
        s->in_groups = true;
        s->next_group = s->f.node->group_socks;
        s->f.node->group_socks = s;
    }
    return 0;
}

static int64_t leave(struct world *w, struct sock *s, const struct membership *want)
{
    struct membership **at = find_membership(s, want), *gone = *at;
    if (gone == NULL) {
        return -EADDRNOTAVAIL;
    }
    *at = gone->next;
    heap_free(w->heap, gone);
    return 0;
}

void multicast_done(struct world *w, struct sock *s)
{
    while (s->memberships != NULL) {
        (void)leave(w, s, s->memberships);
    }
    for (struct sock **at = &s->f.node->group_socks; s->in_groups && *at != NULL;
         at = &(*at)->next_group) {
        if (*at == s) {
            *at = s->next_group;
            break;
        }
    }
}

static int64_t set_interface(struct sock *s, int level, const uint8_t *value, uint32_t n)
{
    struct addr address = {0};
    int index = 0;
    if (level == IPPROTO_IPV6) {
        memcpy(&index, value, n < sizeof index ? n : sizeof index);
    } else if (n >= sizeof(struct ip_mreq)) { /* or ip_mreqn: the group does not matter */
        address = addr_from_v4(value + 4);
        memcpy(&index, value + 8, n >= sizeof(struct ip_mreqn) ? sizeof index : 0);
    } else {
        address = addr_from_v4(value);
    }
    if (index == 0 && (level == IPPROTO_IPV6 || addr_is_any(&address))) {
        s->group_index = 0;
        return 0;
    }
    int found = find_interface(s->f.node, &address, index);
    if (found == 0) {
        return index != 0 ? -ENODEV : -EADDRNOTAVAIL;
    }
    s->group_index = found;
    return 0;
}

/* How far, and whether to this node, too: a byte or an int. */
static int64_t set_number(struct sock *s, bool ttl, const uint8_t *value, uint32_t n)
{
    int number = value[0];
    if (n >= sizeof number) {
        memcpy(&number, value, sizeof number);
    }
    if (!ttl) {
        s->group_quiet = number == 0;
        return 0;
    }
    if (number < -1 || number > 255) {
        return -EINVAL;
    }
    s->group_ttl = number == -1 ? 0 : number + 1;
    return 0;
}

bool multicast_set(struct world *w, struct sock *s, int level, const struct sockopt *o,
                   int64_t *ret_status)
{
    bool six = level == IPPROTO_IPV6;
    if (!six && level != IPPROTO_IP) {
        return false;
    }
    bool joins = o->name == (six ? IPV6_JOIN_GROUP : IP_ADD_MEMBERSHIP);
    bool leaves = o->name == (six ? IPV6_LEAVE_GROUP : IP_DROP_MEMBERSHIP);
    bool ttl = o->name == (six ? IPV6_MULTICAST_HOPS : IP_MULTICAST_TTL);
    bool interface = o->name == (six ? IPV6_MULTICAST_IF : IP_MULTICAST_IF);
    if (joins || leaves) {
        struct membership want;
        *ret_status = s->type == SOCK_STREAM ? (joins ? -EPROTO : -EADDRNOTAVAIL)
                                             : get_request(s, level, o->value, o->n, &want);
        if (*ret_status == 0) {
            *ret_status = joins ? join(w, s, &want) : leave(w, s, &want);
        }
        return true;
    }
    if ((ttl || interface) && s->type == SOCK_STREAM) {
        *ret_status = six ? -ENOPROTOOPT : -EINVAL;
        return true;
    }
    if (interface) {
        *ret_status = set_interface(s, level, o->value, o->n);
        return *ret_status != 0; /* what was given is kept for whoever asks */
    }
    if (ttl || o->name == (six ? IPV6_MULTICAST_LOOP : IP_MULTICAST_LOOP)) {
        *ret_status = set_number(s, ttl, o->value, o->n);
        return true;
    }
    if (!six && o->name == IP_MULTICAST_ALL) {
        s->group_strict = o->value[0] == 0;
    }
    return false;
}

bool multicast_get(const struct sock *s, int level, int name, int *ret)
{
    bool six = level == IPPROTO_IPV6;
    if (!six && level != IPPROTO_IP) {
        return false;
    }
    if (name == (six ? IPV6_MULTICAST_HOPS : IP_MULTICAST_TTL)) {
        *ret = s->group_ttl == 0 ? 1 : s->group_ttl - 1;
        return true;
    }
    if (name == (six ? IPV6_MULTICAST_LOOP : IP_MULTICAST_LOOP)) {
        *ret = s->group_quiet ? 0 : 1;
        return true;
    }
    if (!six && name == IP_MULTICAST_ALL) {
        *ret = s->group_strict || s->domain != AF_INET ? 0 : 1;
        return true;
    }
    return false;
}

/* ---- datagrams ---- */

struct addr multicast_source(const struct sock *s, bool v6)
{
    struct addr a = addr_of_node(s->f.node, v6);
    if (s->group_index == IF_LO) {
        memset(a.ip, 0, sizeof a.ip);
        a.ip[10] = a.ip[11] = v6 ? 0 : 0xff;
        a.ip[12] = v6 ? 0 : 127;
        a.ip[15] = 1;
    }
    return a;
}

/* Whether the socket itself, or (only: false) any member of the node, wants what comes in there. */
static bool is_member(const struct sock *s, const struct addr *group, int index, bool *ret_other)
{
    for (const struct membership *m = s->memberships; m != NULL; m = m->next) {
        if (memcmp(m->group.ip, group->ip, 16) == 0) {
            *ret_other = *ret_other || m->index != index;
            if (m->index == index) {
                return true;
            }
        }
    }
    return false;
}

static bool node_listens(const struct world *w, const struct node *node, const struct addr *group,
                         int index)
{
    (void)w;
    bool other = false;
    for (const struct sock *s = node->group_socks; s != NULL; s = s->next_group) {
        if (is_member(s, group, index, &other)) {
            return true;
        }
    }
    return false;
}

void multicast_send(struct world *w, struct sock *s, struct packet *p)
{
    int index = s->group_index == IF_LO ? IF_LO : IF_ETH0;
    bool far = index == IF_ETH0 && s->group_ttl != 1;
    for (uint32_t i = 0; far && i < w->n_nodes; i++) {
        struct node *to = w->nodes[i];
        if (to != s->f.node && node_listens(w, to, &p->dst, IF_ETH0)) {
            struct packet *copy = net_packet(w, PK_UDP, p->bytes, p->n);
            copy->src = p->src;
            copy->dst = p->dst;
            net_send_node(w, s->f.node, to, copy);
        }
    }
    if (!s->group_quiet || index == IF_LO) { /* what goes out on lo comes in there */
        p->from = p->to = s->f.node;
        sock_arrive(w, p);
    }
    net_free(w, p);
}

bool multicast_wanted(const struct world *w, const struct sock *s, const struct packet *p)
{
    int index = p->from == p->to && addr_is_loopback(&p->src) ? IF_LO : IF_ETH0;
    bool other = false;
    if (!node_listens(w, p->to, &p->dst, index)) {
        return false;
    }
    return is_member(s, &p->dst, index, &other) || (!other && !s->group_strict);
}

/* What a link has: counters, state, addresses. */
/* calls: sendto recvmsg */
#include "t.h"

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

static void show(struct rtattr *a, int left)
{
    for (; RTA_OK(a, left); a = RTA_NEXT(a, left)) {
        unsigned n = RTA_PAYLOAD(a);
        unsigned char *p = RTA_DATA(a);
        switch (a->rta_type) {
        case IFLA_IFNAME: printf("name %s\n", (char *)p); break;
        case IFLA_MTU: printf("mtu %u\n", *(unsigned *)p); break;
        case IFLA_TXQLEN: printf("queue %u\n", *(unsigned *)p); break;
        case IFLA_OPERSTATE: printf("state %u, %u bytes\n", *p, n); break;
        case IFLA_ADDRESS: printf("address %u bytes, first %u\n", n, *p); break;
        case IFLA_BROADCAST: printf("broadcast %u bytes, first %u\n", n, *p); break;
        case IFLA_STATS: printf("counters %d\n", n >= 23 * 4); break;
        case IFLA_STATS64: printf("long counters %d\n", n >= 23 * 8); break;
        default: break;
        }
    }
}

int main(void)
{
    struct {
        struct nlmsghdr head;
        struct ifinfomsg info;
    } ask = {
        {.nlmsg_len = sizeof ask, .nlmsg_type = RTM_GETLINK, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP, .nlmsg_seq = 7}
    };
    static char answer[65536];
    int s = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), found = 0;
    R(send(s, &ask, sizeof ask, 0) == sizeof ask);
    for (;;) {
        int left = recv(s, answer, sizeof answer, 0);
        for (struct nlmsghdr *h = (void *)answer; NLMSG_OK(h, left); h = NLMSG_NEXT(h, left)) {
            if (h->nlmsg_type == NLMSG_DONE) {
                R(found);
                return 0;
            }
            struct ifinfomsg *info = NLMSG_DATA(h);
            if (info->ifi_index == 1) {
                found++;
                show(IFLA_RTA(info), IFLA_PAYLOAD(h));
            }
        }
    }
}

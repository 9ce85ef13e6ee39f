/* calls: socket sendto recvmsg getsockname */
#include "t.h"

#include <ifaddrs.h>
#include <linux/netlink.h>
#include <net/if.h>

int main(void)
{
    struct ifaddrs *all;
    R(getifaddrs(&all));
    int lo = 0;
    for (struct ifaddrs *a = all; a; a = a->ifa_next) {
        if (strcmp(a->ifa_name, "lo") == 0 && a->ifa_addr && a->ifa_addr->sa_family == AF_INET) {
            struct sockaddr_in *in = (void *)a->ifa_addr;
            lo = in->sin_addr.s_addr == htonl(INADDR_LOOPBACK) && (a->ifa_flags & IFF_LOOPBACK) != 0;
        }
    }
    R(lo);
    R(if_nametoindex("lo"));
    char name[IF_NAMESIZE] = "";
    R(if_indextoname(1, name) != NULL);
    puts(name);
    R(if_indextoname(99, name) != NULL);
    int s = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    R(s >= 0);
    struct sockaddr_nl a = {.nl_family = AF_NETLINK};
    socklen_t n = sizeof a;
    R(bind(s, (void *)&a, sizeof a));
    memset(&a, 7, sizeof a);
    R(getsockname(s, (void *)&a, &n));
    R(a.nl_family);
    R(a.nl_groups);
    R(a.nl_pid != 0);
    R(n);
    char b[8];
    R(recv(s, b, 8, MSG_DONTWAIT));
    memset(&a, 7, sizeof a);
    n = sizeof a;
    R(getpeername(s, (void *)&a, &n));
    R(a.nl_family);
    R(a.nl_pid);
    return 0;
}

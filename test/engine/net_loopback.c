/* calls: ioctl */
/* What is known of the loopback interface, by name and by number; and of none. */
#include "t.h"
#include <net/if_arp.h>

#include <net/if.h>

int main(void)
{
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    struct ifreq r = {.ifr_name = "lo"};
    struct sockaddr_in *in = (void *)&r.ifr_addr;
    char text[32];
    R(ioctl(s, SIOCGIFADDR, &r));
    S(inet_ntop(AF_INET, &in->sin_addr, text, sizeof text));
    R(ioctl(s, SIOCGIFNETMASK, &r));
    S(inet_ntop(AF_INET, &in->sin_addr, text, sizeof text));
    R(ioctl(s, SIOCGIFFLAGS, &r));
    R(r.ifr_flags & (IFF_UP | IFF_RUNNING | IFF_LOOPBACK | IFF_BROADCAST));
    R(ioctl(s, SIOCGIFINDEX, &r));
    R(r.ifr_ifindex);
    R(ioctl(s, SIOCGIFMTU, &r));
    R(r.ifr_mtu);
    R(ioctl(s, SIOCGIFHWADDR, &r));
    R(r.ifr_hwaddr.sa_family);
    struct ifreq n = {.ifr_ifindex = 1};
    R(ioctl(s, SIOCGIFNAME, &n));
    S(n.ifr_name);
    n.ifr_ifindex = 999;
    R(ioctl(s, SIOCGIFNAME, &n));
    struct ifreq none = {.ifr_name = "nope0"};
    R(ioctl(s, SIOCGIFADDR, &none));
    R(ioctl(s, SIOCGIFADDR, NULL));
    struct ifreq list[16];
    struct ifconf conf = {.ifc_len = sizeof list, .ifc_req = list};
    R(ioctl(s, SIOCGIFCONF, &conf));
    R(conf.ifc_len % sizeof list[0]);
    for (size_t i = 0; i < conf.ifc_len / sizeof list[0]; i++) {
        if (strcmp(list[i].ifr_name, "lo") == 0) {
            S(inet_ntop(AF_INET, &((struct sockaddr_in *)&list[i].ifr_addr)->sin_addr, text, sizeof text));
        }
    }
    conf.ifc_len = sizeof list[0];
    R(ioctl(s, SIOCGIFCONF, &conf));
    R(conf.ifc_len / sizeof list[0]);
    R(ioctl(s, SIOCGIFCONF, NULL));
    /* Addresses of neighbours: none is known. */
    struct {
        int family;
        const char *dev;
    } ask[] = {{AF_INET, "lo"}, {AF_INET, ""}, {AF_UNIX, "lo"}, {AF_INET, "nodev"}};
    for (int i = 0; i < 4; i++) {
        struct arpreq q = {0};
        struct sockaddr_in of = {.sin_family = (sa_family_t)ask[i].family, .sin_addr.s_addr = htonl(0x7f000001)};
        memcpy(&q.arp_pa, &of, sizeof of);
        strcpy(q.arp_dev, ask[i].dev);
        R(ioctl(s, SIOCGARP, &q));
    }
    R(ioctl(s, SIOCGARP, NULL));
    return 0;
}

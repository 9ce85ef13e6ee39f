/* calls: recvmsg setsockopt */
#include "t.h"

#include <netinet/in.h>

/* What came along with a datagram. */
static void take(int s, size_t room)
{
    char data[16], control[256] __attribute__((aligned(8)));
    struct iovec v = {data, sizeof data};
    struct msghdr h = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = room};
    R(recvmsg(s, &h, 0));
    printf("control %zu flags %x\n", h.msg_controllen, h.msg_flags);
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&h); c != NULL; c = CMSG_NXTHDR(&h, c)) {
        printf("level %d type %d length %zu\n", c->cmsg_level, c->cmsg_type, (size_t)c->cmsg_len);
        char text[64];
        if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo *p = (void *)CMSG_DATA(c);
            printf("interface %d, %s", p->ipi_ifindex, inet_ntop(AF_INET, &p->ipi_addr, text, sizeof text));
            printf(", %s\n", inet_ntop(AF_INET, &p->ipi_spec_dst, text, sizeof text));
        } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo *p = (void *)CMSG_DATA(c);
            printf("interface %u, %s\n", p->ipi6_ifindex, inet_ntop(AF_INET6, &p->ipi6_addr, text, sizeof text));
        }
    }
}

int main(void)
{
    int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0), on = 1, off = 0;
    struct sockaddr_in x = {.sin_family = AF_INET};
    socklen_t n = sizeof x;
    R(bind(a, (void *)&x, sizeof x));
    getsockname(a, (void *)&x, &n);
    x.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    R(sendto(b, "1", 1, 0, (void *)&x, sizeof x));
    take(a, 256);
    R(setsockopt(a, IPPROTO_IP, IP_PKTINFO, &on, sizeof on));
    for (size_t room = 0; room <= 40; room += 20) {
        R(sendto(b, "22", 2, 0, (void *)&x, sizeof x));
        take(a, room == 20 ? 28 : room);
    }
    R(setsockopt(a, IPPROTO_IP, IP_PKTINFO, &off, sizeof off));
    R(sendto(b, "333", 3, 0, (void *)&x, sizeof x));
    take(a, 256);

    int c = socket(AF_INET6, SOCK_DGRAM, 0), d = socket(AF_INET6, SOCK_DGRAM, 0);
    struct sockaddr_in6 y = {.sin6_family = AF_INET6};
    R(bind(c, (void *)&y, sizeof y));
    n = sizeof y;
    getsockname(c, (void *)&y, &n);
    R(setsockopt(c, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on));
    y.sin6_addr = in6addr_loopback;
    R(sendto(d, "4444", 4, 0, (void *)&y, sizeof y));
    take(c, 256);
    x.sin_port = y.sin6_port;
    R(sendto(b, "55555", 5, 0, (void *)&x, sizeof x));
    take(c, 256);
    return 0;
}

/* calls: setsockopt sendto recvmsg */
#include "t.h"

#define GROUP "239.7.8.9"

static struct sockaddr_in to;

static int receiver(const char *bind_to)
{
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), on = 1;
    struct sockaddr_in a = to;
    a.sin_addr.s_addr = inet_addr(bind_to);
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    R(bind(s, (void *)&a, sizeof a));
    return s;
}

static void take(int s)
{
    char buf[16] = "", control[128];
    struct iovec iov = {buf, sizeof buf};
    struct sockaddr_in from;
    struct msghdr h = {&from, sizeof from, &iov, 1, control, sizeof control};
    errno = 0;
    long n = recvmsg(s, &h, 0);
    printf("%ld %s %s", n, buf, n < 0 ? strerrorname_np(errno) : inet_ntoa(from.sin_addr));
    struct cmsghdr *c = n >= 0 ? CMSG_FIRSTHDR(&h) : NULL;
    if (c != NULL && c->cmsg_type == IP_PKTINFO) {
        struct in_pktinfo *i = (void *)CMSG_DATA(c);
        printf(", to %s", inet_ntoa(i->ipi_addr));
        printf(" at %s, interface %d", inet_ntoa(i->ipi_spec_dst), i->ipi_ifindex);
    }
    printf("\n");
    fflush(stdout);
}

int main(void)
{
    struct ip_mreq r = {0};
    struct in_addr lo = {htonl(INADDR_LOOPBACK)}, none = {0};
    int on = 1, off = 0, number = -1;
    unsigned char byte = 7;
    socklen_t n = sizeof number;
    to = loop(0);
    int probe = socket(AF_INET, SOCK_DGRAM, 0); /* a free port */
    bind(probe, (void *)&to, sizeof to);
    n = sizeof to;
    getsockname(probe, (void *)&to, &n);
    close(probe);
    int a = receiver("0.0.0.0"), b = receiver(GROUP), c = receiver("0.0.0.0"), d = receiver("127.0.0.1");
    int out = socket(AF_INET, SOCK_DGRAM, 0);
    to.sin_addr.s_addr = inet_addr(GROUP);
    inet_aton(GROUP, &r.imr_multiaddr);
    r.imr_interface = lo;
    R(setsockopt(out, IPPROTO_IP, IP_MULTICAST_IF, &lo, sizeof lo));
    struct in_addr got;
    n = sizeof got;
    R(getsockopt(out, IPPROTO_IP, IP_MULTICAST_IF, &got, &n));
    S(inet_ntoa(got));
    S("nobody is a member");
    R(sendto(out, "0", 1, 0, (void *)&to, sizeof to));
    take(a);
    S("members");
    R(setsockopt(a, IPPROTO_IP, IP_PKTINFO, &on, sizeof on));
    R(setsockopt(a, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, sizeof r));
    R(setsockopt(b, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, sizeof r));
    R(setsockopt(c, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off));
    R(sendto(out, "1", 1, 0, (void *)&to, sizeof to));
    take(a);
    take(b);
    take(c);
    take(d);
    R(setsockopt(c, IPPROTO_IP, IP_MULTICAST_ALL, &on, sizeof on));
    R(sendto(out, "2", 1, 0, (void *)&to, sizeof to));
    take(a);
    take(b);
    take(c); /* because others are */
    take(a);
    S("errors");
    R(setsockopt(a, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, sizeof r));
    R(setsockopt(c, IPPROTO_IP, IP_DROP_MEMBERSHIP, &r, sizeof r));
    R(setsockopt(a, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, 4));
    struct ip_mreq bad = r;
    bad.imr_multiaddr = lo;
    R(setsockopt(a, IPPROTO_IP, IP_ADD_MEMBERSHIP, &bad, sizeof bad));
    bad = r;
    inet_aton("203.0.113.99", &bad.imr_interface);
    R(setsockopt(a, IPPROTO_IP, IP_ADD_MEMBERSHIP, &bad, sizeof bad));
    R(setsockopt(out, IPPROTO_IP, IP_MULTICAST_IF, &bad.imr_interface, sizeof none));
    int tcp = socket(AF_INET, SOCK_STREAM, 0);
    R(setsockopt(tcp, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, sizeof r));
    S("how far");
    n = sizeof number;
    R(getsockopt(out, IPPROTO_IP, IP_MULTICAST_TTL, &number, &n));
    R(number);
    R(setsockopt(out, IPPROTO_IP, IP_MULTICAST_TTL, &byte, 1));
    R(getsockopt(out, IPPROTO_IP, IP_MULTICAST_TTL, &number, &n));
    R(number);
    number = 256;
    R(setsockopt(out, IPPROTO_IP, IP_MULTICAST_TTL, &number, sizeof number));
    R(getsockopt(out, IPPROTO_IP, IP_MULTICAST_LOOP, &number, &n));
    R(number);
    S("not to ourselves");
    R(setsockopt(out, IPPROTO_IP, IP_MULTICAST_LOOP, &off, sizeof off));
    R(sendto(out, "3", 1, 0, (void *)&to, sizeof to));
    take(b);
    R(setsockopt(out, IPPROTO_IP, IP_MULTICAST_LOOP, &on, sizeof on));
    S("leaving");
    R(setsockopt(b, IPPROTO_IP, IP_DROP_MEMBERSHIP, &r, sizeof r));
    R(connect(out, (void *)&to, sizeof to));
    R(send(out, "4", 1, 0));
    take(a);
    close(a);
    R(send(out, "5", 1, 0));
    take(b);
    S("several groups of one socket");
    int e = socket(AF_INET, SOCK_DGRAM, 0);
    static const char *const groups[] = {"239.7.8.1", "239.7.8.2", "239.7.8.3"};
    r.imr_interface = lo;
    for (int i = 0; i < 3; i++) {
        inet_aton(groups[i], &r.imr_multiaddr);
        R(setsockopt(e, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, sizeof r));
        R(setsockopt(e, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, sizeof r));
    }
    for (int i = 1; i < 4; i++) {
        inet_aton(groups[i % 3], &r.imr_multiaddr);
        R(setsockopt(e, IPPROTO_IP, IP_DROP_MEMBERSHIP, &r, sizeof r));
        R(setsockopt(e, IPPROTO_IP, IP_DROP_MEMBERSHIP, &r, sizeof r));
    }
    return 0;
}

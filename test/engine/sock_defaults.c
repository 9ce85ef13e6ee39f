/* calls: getsockopt */
/* Options that nobody has set, of each kind of socket. */
#include "t.h"

static void show(const char *name, int fd, int level, int option)
{
    int v = -7;
    socklen_t n = sizeof v;
    errno = 0;
    int r = getsockopt(fd, level, option, &v, &n);
    printf("  %s: %d %d %u%s%s\n", name, r, v, n, r < 0 ? " " : "",
           r < 0 ? strerrorname_np(errno) : "");
}
#define SHOW(level, option) show(#option, fd, level, option)

static void all(const char *name, int fd)
{
    S(name);
    SHOW(SOL_SOCKET, SO_TYPE);
    SHOW(SOL_SOCKET, SO_DOMAIN);
    SHOW(SOL_SOCKET, SO_PROTOCOL);
    SHOW(SOL_SOCKET, SO_ACCEPTCONN);
    SHOW(SOL_SOCKET, SO_ERROR);
    SHOW(SOL_SOCKET, SO_REUSEADDR);
    SHOW(SOL_SOCKET, SO_REUSEPORT);
    SHOW(SOL_SOCKET, SO_KEEPALIVE);
    SHOW(SOL_SOCKET, SO_BROADCAST);
    SHOW(SOL_SOCKET, SO_OOBINLINE);
    SHOW(SOL_SOCKET, SO_RCVLOWAT);
    struct linger l = {5, 5};
    socklen_t n = sizeof l;
    R(getsockopt(fd, SOL_SOCKET, SO_LINGER, &l, &n));
    R(l.l_onoff * 100 + l.l_linger);
    struct timeval tv = {7, 7};
    n = sizeof tv;
    R(getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, &n));
    R(tv.tv_sec * 100 + tv.tv_usec);
    R(n);
}

/* Every number up to the last that all kernels have, but those whose answer is the machine's. */
static void numbers(const char *name, int fd, int level, int last, uint64_t but)
{
    for (int i = 1; i <= last; i++) {
        if ((but >> i & 1) == 0) {
            char text[64];
            snprintf(text, sizeof text, "%s %d", name, i);
            show(text, fd, level, i);
        }
    }
}

static void by_number(void)
{
    static const int kinds[][2] = {
        {AF_INET,  SOCK_STREAM},
        {AF_INET,  SOCK_DGRAM },
        {AF_INET6, SOCK_STREAM},
        {AF_INET6, SOCK_DGRAM }
    };
    static const uint64_t ip = 1UL << 41 | 1UL << 48, ip6 = 1UL << 32 | 1UL << 48 | 1UL << 61 | 7,
                          tcp = 1UL << 2 | 1UL << 11 | 1UL << 13 | 3UL << 20 | 1UL << 24 |
                                1UL << 26 | 3UL << 28 | 1UL << 35;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        int fd = socket(kinds[i][0], kinds[i][1], 0);
        numbers("ip", fd, IPPROTO_IP, 50, ip);
        if (kinds[i][0] == AF_INET6) {
            numbers("ip6", fd, IPPROTO_IPV6, 62, ip6);
        }
        if (kinds[i][1] == SOCK_STREAM) {
            numbers("tcp", fd, IPPROTO_TCP, 36, tcp);
        }
    }
    int pair[2], v;
    socklen_t n = sizeof v;
    tcp_pair(pair);
    R(getsockopt(pair[0], IPPROTO_IP, IP_MTU, &v, &n));
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(5000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int udp = socket(AF_INET, SOCK_DGRAM, 0);
    R(getsockopt(udp, IPPROTO_IP, IP_MTU, &v, &n));
    R(connect(udp, (void *)&at, sizeof at));
    R(getsockopt(udp, IPPROTO_IP, IP_MTU, &v, &n));
}

int main(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    all("tcp", fd);
    SHOW(IPPROTO_TCP, TCP_NODELAY);
    SHOW(IPPROTO_TCP, TCP_KEEPIDLE);
    SHOW(IPPROTO_TCP, TCP_KEEPINTVL);
    SHOW(IPPROTO_TCP, TCP_KEEPCNT);
    SHOW(IPPROTO_TCP, TCP_SYNCNT);
    SHOW(IPPROTO_IP, IP_TTL);
    SHOW(IPPROTO_IP, IP_TOS);
    struct tcp_info info;
    socklen_t n = sizeof info;
    R(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n));
    R(info.tcpi_state);
    R(listen(fd, 3));
    SHOW(SOL_SOCKET, SO_ACCEPTCONN);
    R(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n));
    R(info.tcpi_state);
    int pair[2];
    tcp_pair(pair);
    R(getsockopt(pair[0], IPPROTO_TCP, TCP_INFO, &info, &n));
    R(info.tcpi_state);
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    all("udp", fd);
    fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    all("unix", fd);
    fd = socket(AF_INET6, SOCK_STREAM, 0);
    SHOW(IPPROTO_IPV6, IPV6_V6ONLY);
    R(getsockopt(fd, SOL_SOCKET, SO_TYPE, NULL, &n));
    R(getsockopt(0, SOL_SOCKET, SO_TYPE, &n, &n));
    by_number();
    return 0;
}

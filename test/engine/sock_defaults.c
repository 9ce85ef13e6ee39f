/* calls: getsockopt */
/* Options that nobody has set, of each kind of socket. */
#include "t.h"

static void show(const char *name, int fd, int level, int option)
{
    int v = -7;
    socklen_t n = sizeof v;
    errno = 0;
    int r = getsockopt(fd, level, option, &v, &n);
    printf("  %s: %d %d %u%s%s\n", name, r, v, n, r < 0 ? " " : "", r < 0 ? strerrorname_np(errno) : "");
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
    return 0;
}

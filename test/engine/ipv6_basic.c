/* calls: socket bind connect */
#include "t.h"

int main(void)
{
    int l = socket(AF_INET6, SOCK_STREAM, 0), c = socket(AF_INET6, SOCK_STREAM, 0), v = 0;
    struct sockaddr_in6 a = {.sin6_family = AF_INET6}, q;
    socklen_t n = sizeof a;
    R(bind(l, (void *)&a, sizeof a));
    R(listen(l, 5));
    getsockname(l, (void *)&a, &n);
    R(n);
    struct sockaddr_in6 to = a;
    to.sin6_addr = in6addr_loopback;
    R(connect(c, (void *)&to, sizeof to));
    n = sizeof q;
    R(accept(l, (void *)&q, &n) >= 0);
    R(memcmp(&q.sin6_addr, &in6addr_loopback, 16));
    int d = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in x = loop(ntohs(a.sin6_port));
    R(connect(d, (void *)&x, sizeof x));
    n = sizeof q;
    R(accept(l, (void *)&q, &n) >= 0);
    R(IN6_IS_ADDR_V4MAPPED(&q.sin6_addr));
    n = sizeof v;
    R(getsockopt(l, IPPROTO_IPV6, IPV6_V6ONLY, &v, &n));
    R(v);
    int o = socket(AF_INET6, SOCK_STREAM, 0), on = 1;
    R(setsockopt(o, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on));
    R(connect(c, (void *)&x, sizeof x) < 0);
    return 0;
}

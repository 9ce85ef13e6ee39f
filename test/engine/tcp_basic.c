/* calls: bind listen connect accept send recv */
#include "t.h"

int main(void)
{
    int l = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = loop(0), q;
    socklen_t n = sizeof a;
    R(bind(l, (void *)&a, sizeof a));
    R(listen(l, 5));
    R(getsockname(l, (void *)&a, &n));
    R(n);
    R(ntohs(a.sin_port) > 1023);
    int c = socket(AF_INET, SOCK_STREAM, 0);
    R(connect(c, (void *)&a, sizeof a));
    n = sizeof q;
    int s = accept(l, (void *)&q, &n);
    R(s >= 0);
    R(q.sin_family == AF_INET);
    R(ntohl(q.sin_addr.s_addr) == INADDR_LOOPBACK);
    struct sockaddr_in me;
    n = sizeof me;
    R(getsockname(c, (void *)&me, &n));
    R(me.sin_port == q.sin_port);
    n = sizeof me;
    R(getpeername(c, (void *)&me, &n));
    R(me.sin_port == a.sin_port);
    char b[32] = {0};
    R(send(c, "hello", 5, 0));
    R(recv(s, b, 3, 0));
    S(b);
    R(recv(s, b, 32, MSG_PEEK));
    R(recv(s, b, 32, 0));
    R(write(s, "back", 4));
    R(read(c, b, 32));
    R(connect(c, (void *)&a, sizeof a));
    R(close(c));
    R(recv(s, b, 32, 0));
    R(recv(s, b, 32, 0));
    return 0;
}

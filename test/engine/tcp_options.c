/* calls: setsockopt getsockopt */
#include "t.h"

int main(void)
{
    int s = socket(AF_INET, SOCK_STREAM, 0), v = 1, z = 0;
    socklen_t n = sizeof z;
    R(setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &v, sizeof v));
    R(getsockopt(s, IPPROTO_TCP, TCP_NODELAY, &z, &n));
    R(z);
    R(getsockopt(s, SOL_SOCKET, SO_TYPE, &z, &n));
    R(z);
    R(getsockopt(s, SOL_SOCKET, SO_DOMAIN, &z, &n));
    R(z);
    R(getsockopt(s, SOL_SOCKET, SO_PROTOCOL, &z, &n));
    R(z);
    R(getsockopt(s, SOL_SOCKET, SO_ACCEPTCONN, &z, &n));
    R(z);
    R(setsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &v, sizeof v));
    R(getsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &z, &n));
    R(z);
    v = 10000;
    R(setsockopt(s, SOL_SOCKET, SO_RCVBUF, &v, sizeof v));
    R(getsockopt(s, SOL_SOCKET, SO_RCVBUF, &z, &n));
    R(z);
    R(setsockopt(s, SOL_SOCKET, SO_TYPE, &v, sizeof v));
    R(setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &v, 1));
    R(setsockopt(99, SOL_SOCKET, SO_REUSEADDR, &v, 4));
    R(getsockopt(1, SOL_SOCKET, SO_TYPE, &z, &n));
    R(setsockopt(s, 9999, 1, &v, 4));
    return 0;
}

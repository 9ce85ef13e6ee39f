/* calls: setsockopt getsockopt recvfrom */
#include "t.h"

int main(void)
{
    int f[2];
    tcp_pair(f);
    char b[8];
    struct timeval tv = {0, 20000}, o;
    socklen_t n = sizeof o;
    R(setsockopt(f[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv));
    R(getsockopt(f[0], SOL_SOCKET, SO_RCVTIMEO, &o, &n));
    R(o.tv_usec);
    R(recv(f[0], b, 8, 0));
    R(read(f[0], b, 8));
    return 0;
}

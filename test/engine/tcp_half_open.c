/* calls: poll shutdown epoll_wait */
#include "t.h"

int main(void)
{
    int f[2];
    tcp_pair(f);
    struct pollfd p = {f[0], POLLIN | POLLOUT | POLLRDHUP, 0};
    R(poll(&p, 1, 0));
    R(p.revents);
    shutdown(f[1], SHUT_WR);
    usleep(1000);
    R(poll(&p, 1, 0));
    R(p.revents);
    shutdown(f[0], SHUT_WR);
    usleep(1000);
    R(poll(&p, 1, 0));
    R(p.revents);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    p.fd = s;
    R(poll(&p, 1, 0));
    R(p.revents);
    int l = socket(AF_INET, SOCK_STREAM, 0);
    listen(l, 1);
    p.fd = l;
    R(poll(&p, 1, 0));
    R(p.revents);
    return 0;
}

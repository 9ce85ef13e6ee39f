/* calls: epoll_ctl epoll_wait */
#include "t.h"

int main(void)
{
    int e = epoll_create1(0), p[2];
    pipe(p);
    struct epoll_event v = {EPOLLIN | EPOLLONESHOT, {.u64 = 5}}, o[2];
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &v);
    write(p[1], "x", 1);
    R(epoll_wait(e, o, 2, 0));
    R(epoll_wait(e, o, 2, 0));
    R(epoll_ctl(e, EPOLL_CTL_MOD, p[0], &v));
    R(epoll_wait(e, o, 2, 0));
    return 0;
}

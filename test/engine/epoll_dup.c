/* calls: epoll_ctl close dup */
#include "t.h"

int main(void)
{
    int e = epoll_create1(0), p[2];
    pipe(p);
    struct epoll_event v = {EPOLLIN, {.u32 = 1}}, o[4];
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &v);
    int d = dup(p[0]);
    v.data.u32 = 2;
    R(epoll_ctl(e, EPOLL_CTL_ADD, d, &v));
    write(p[1], "x", 1);
    R(epoll_wait(e, o, 4, 0));
    close(d);
    R(epoll_wait(e, o, 4, 0));
    close(p[0]);
    R(epoll_wait(e, o, 4, 0));
    return 0;
}

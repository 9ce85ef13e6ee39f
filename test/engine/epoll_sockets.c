/* calls: epoll_wait epoll_pwait epoll_pwait2 */
#include "t.h"

int main(void)
{
    int f[2], e = epoll_create1(0);
    tcp_pair(f);
    struct epoll_event v = {EPOLLIN | EPOLLOUT | EPOLLRDHUP, {.u32 = 3}}, o[2];
    epoll_ctl(e, EPOLL_CTL_ADD, f[0], &v);
    R(epoll_wait(e, o, 2, 100));
    R(o[0].events == EPOLLOUT);
    write(f[1], "x", 1);
    usleep(1000);
    R(epoll_pwait(e, o, 2, 100, NULL));
    R(o[0].events);
    shutdown(f[1], SHUT_WR);
    usleep(1000);
    R(epoll_pwait2(e, o, 2, &(struct timespec){0, 1000000}, NULL));
    R(o[0].events);
    close(f[1]);
    v.events = EPOLLIN;
    int q = epoll_create1(0);
    struct epoll_event n = {EPOLLIN, {.u32 = 9}};
    R(epoll_ctl(q, EPOLL_CTL_ADD, e, &n));
    R(epoll_wait(q, o, 2, 100));
    R(o[0].data.u32);
    close(f[0]);
    R(epoll_wait(q, o, 2, 10));
    return 0;
}

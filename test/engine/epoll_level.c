/* calls: epoll_create1 epoll_ctl epoll_wait */
#include "t.h"

int main(void)
{
    int e = epoll_create1(EPOLL_CLOEXEC), p[2];
    pipe(p);
    struct epoll_event v = {EPOLLIN, {.u32 = 7}}, o[4];
    R(epoll_ctl(e, EPOLL_CTL_ADD, p[0], &v));
    R(epoll_ctl(e, EPOLL_CTL_ADD, p[0], &v));
    R(epoll_wait(e, o, 4, 0));
    write(p[1], "ab", 2);
    R(epoll_wait(e, o, 4, 0));
    R(o[0].data.u32);
    R(o[0].events);
    char b;
    read(p[0], &b, 1);
    R(epoll_wait(e, o, 4, 0));
    read(p[0], &b, 1);
    R(epoll_wait(e, o, 4, 0));
    close(p[1]);
    R(epoll_wait(e, o, 4, 0));
    R(o[0].events);
    R(epoll_ctl(e, EPOLL_CTL_DEL, p[0], NULL));
    R(epoll_ctl(e, EPOLL_CTL_DEL, p[0], NULL));
    R(epoll_ctl(e, EPOLL_CTL_MOD, p[0], &v));
    R(epoll_ctl(e, EPOLL_CTL_ADD, 99, &v));
    R(epoll_ctl(e, EPOLL_CTL_ADD, e, &v));
    R(epoll_ctl(1, EPOLL_CTL_ADD, p[0], &v));
    int f = open("f", O_CREAT | O_RDWR, 0644);
    R(epoll_ctl(e, EPOLL_CTL_ADD, f, &v));
    R(epoll_wait(e, o, 0, 0));
    R(epoll_wait(99, o, 1, 0));
    R(epoll_wait(p[0], o, 1, 0));
    R(epoll_create(0));
    R(epoll_create1(77));
    R(epoll_ctl(e, 99, p[0], &v));
    return 0;
}

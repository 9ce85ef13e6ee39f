/* calls: epoll_wait */
#include "t.h"

int main(void)
{
    int e = epoll_create1(0), s[2];
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s);
    struct epoll_event v = {EPOLLIN | EPOLLET, {.u32 = 1}}, o[4];
    epoll_ctl(e, EPOLL_CTL_ADD, s[0], &v);
    R(epoll_wait(e, o, 4, 0));
    write(s[1], "abc", 3);
    R(epoll_wait(e, o, 4, 0));
    R(epoll_wait(e, o, 4, 0));
    char b[8];
    read(s[0], b, 1);
    R(epoll_wait(e, o, 4, 0));
    write(s[1], "d", 1);
    R(epoll_wait(e, o, 4, 0));
    R(epoll_ctl(e, EPOLL_CTL_MOD, s[0], &v));
    R(epoll_wait(e, o, 4, 0));
    read(s[0], b, 8);
    close(s[1]);
    R(epoll_wait(e, o, 4, 0));
    R(o[0].events);
    R(epoll_wait(e, o, 4, 0));
    return 0;
}

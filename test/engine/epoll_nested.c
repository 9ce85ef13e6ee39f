/* calls: epoll_ctl epoll_wait */
#include "t.h"

static int add(int e, int fd, uint32_t events)
{
    struct epoll_event v = {events, {.fd = fd}};
    return epoll_ctl(e, EPOLL_CTL_ADD, fd, &v);
}

int main(void)
{
    int p[2], e[9], status = 0;
    struct epoll_event o[4], v = {EPOLLIN | EPOLLEXCLUSIVE, {.u64 = 1}};
    pipe(p);
    for (int i = 0; i < 9; i++) {
        e[i] = epoll_create1(0);
    }
    S("one in another");
    R(add(e[0], p[0], EPOLLIN));
    R(add(e[1], e[0], EPOLLIN));
    R(add(e[2], e[1], EPOLLIN | EPOLLET));
    R(epoll_wait(e[2], o, 4, 0));
    write(p[1], "x", 1);
    R(epoll_wait(e[2], o, 4, 0));
    R(o[0].data.fd == e[1]);
    R(epoll_wait(e[2], o, 4, 0));
    R(epoll_wait(e[1], o, 4, 0));
    S("round");
    R(add(e[0], e[0], EPOLLIN));
    R(add(e[0], e[1], EPOLLIN));
    R(add(e[0], e[2], EPOLLIN));
    R(add(e[1], e[2], EPOLLIN));
    R(add(e[2], e[0], EPOLLIN)); /* two ways are none */
    R(add(e[2], e[1], EPOLLIN));
    S("deep");
    R(add(e[3], e[2], EPOLLIN));
    R(add(e[4], e[3], EPOLLIN));
    for (int i = 5; i < 9 && status == 0; i++) {
        status = add(e[i], e[i - 1], EPOLLIN); /* how many are allowed depends on the kernel */
    }
    R(status);
    S("exclusive");
    R(add(e[8], p[0], EPOLLIN | EPOLLEXCLUSIVE | EPOLLONESHOT));
    R(add(e[8], p[0], EPOLLIN | EPOLLEXCLUSIVE | EPOLLRDHUP));
    R(add(e[8], e[7], EPOLLIN | EPOLLEXCLUSIVE));
    R(add(e[8], p[0], EPOLLIN | EPOLLEXCLUSIVE | EPOLLET));
    R(epoll_ctl(e[8], EPOLL_CTL_MOD, p[0], &v));
    v.events = EPOLLIN;
    R(epoll_ctl(e[8], EPOLL_CTL_MOD, p[0], &v));
    R(epoll_wait(e[8], o, 4, 0));
    R(epoll_ctl(e[8], EPOLL_CTL_DEL, p[0], NULL));
    R(add(e[8], p[1], EPOLLIN));
    v.events = EPOLLIN | EPOLLEXCLUSIVE;
    R(epoll_ctl(e[8], EPOLL_CTL_MOD, p[1], &v));
    return 0;
}

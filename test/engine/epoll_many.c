/* calls: epoll_wait epoll_pwait2 */
/* As many are told as are ready, up to the number that is asked for. */
#include "t.h"

enum { READY = 256 };

int main(void)
{
    static struct epoll_event events[READY + 10];
    int ep = epoll_create1(0);
    for (int i = 0; i < READY; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        int fd = eventfd(1, 0);
        if (fd < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event) != 0) {
            R(fd);
        }
    }
    for (int most = 1; most <= READY; most += most < 250 ? 83 : 1) {
        int n = epoll_wait(ep, events, most, 0);
        printf("%d: %d\n", most, n);
    }
    R(epoll_wait(ep, events, READY, -1));
    R(epoll_wait(ep, events, 0, 0));
    R(epoll_wait(ep, events, -1, 0));
    return 0;
}

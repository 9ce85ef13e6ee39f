/* calls: epoll_wait eventfd2 */
#include "t.h"

static int e, ev, got;
static void *f(void *a)
{
    struct epoll_event o;
    got = epoll_wait(e, &o, 1, -1);
    return NULL;
}

int main(void)
{
    e = epoll_create1(0);
    ev = eventfd(0, EFD_NONBLOCK);
    struct epoll_event v = {EPOLLIN, {.u32 = 1}};
    epoll_ctl(e, EPOLL_CTL_ADD, ev, &v);
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    uint64_t one = 1;
    usleep(5000);
    R(write(ev, &one, 8));
    pthread_join(t, NULL);
    R(got);
    return 0;
}

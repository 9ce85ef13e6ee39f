/* calls: rt_sigsuspend ppoll pselect6 */
#include "t.h"

static volatile int seen;
static void h(int s)
{
    seen++;
}

int main(void)
{
    sigset_t block, none, o;
    signal(SIGUSR1, h);
    sigemptyset(&none);
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    sigprocmask(SIG_BLOCK, &block, NULL);
    raise(SIGUSR1);
    R(seen);
    R(sigsuspend(&none));
    R(seen);
    sigprocmask(SIG_SETMASK, NULL, &o);
    R(sigismember(&o, SIGUSR1));
    raise(SIGUSR1);
    struct timespec ts = {1, 0};
    R(ppoll(NULL, 0, &ts, &none));
    R(seen);
    raise(SIGUSR1);
    R(pselect(0, NULL, NULL, NULL, &ts, &none));
    R(seen);
    sigprocmask(SIG_SETMASK, NULL, &o);
    R(sigismember(&o, SIGUSR1));
    int e = epoll_create1(0);
    struct epoll_event ev;
    raise(SIGUSR1);
    R(epoll_pwait(e, &ev, 1, 1000, &none));
    R(seen);
    R(ppoll(NULL, 0, &(struct timespec){0, 1000}, &block));
    return 0;
}

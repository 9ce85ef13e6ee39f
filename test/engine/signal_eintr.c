/* calls: rt_sigaction read poll nanosleep */
#include "t.h"

static volatile int seen;
static void h(int s)
{
    seen++;
}

int main(void)
{
    int p[2];
    char b;
    pipe(p);
    struct sigaction sa = {.sa_handler = h};
    sigaction(SIGALRM, &sa, NULL);
    struct itimerval it = {{0, 0}, {0, 20000}};
    setitimer(ITIMER_REAL, &it, NULL);
    R(read(p[0], &b, 1));
    setitimer(ITIMER_REAL, &it, NULL);
    struct pollfd q = {p[0], POLLIN, 0};
    R(poll(&q, 1, 5000));
    setitimer(ITIMER_REAL, &it, NULL);
    struct timespec ts = {5, 0}, rem = {0, 0};
    R(nanosleep(&ts, &rem));
    R(rem.tv_sec);
    setitimer(ITIMER_REAL, &it, NULL);
    R(pause());
    setitimer(ITIMER_REAL, &it, NULL);
    R(select(p[0] + 1, NULL, NULL, NULL, NULL));
    int e = epoll_create1(0);
    struct epoll_event ev;
    setitimer(ITIMER_REAL, &it, NULL);
    R(epoll_wait(e, &ev, 1, -1));
    setitimer(ITIMER_REAL, &it, NULL);
    R(wait(NULL));
    R(seen >= 6);
    return 0;
}

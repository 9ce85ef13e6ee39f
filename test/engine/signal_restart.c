/* calls: rt_sigaction read */
#include "t.h"

static int wfd;
static void h(int s)
{
    write(wfd, "z", 1);
}

int main(void)
{
    int p[2];
    char b = 0;
    pipe(p);
    wfd = p[1];
    struct sigaction sa = {.sa_handler = h, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &sa, NULL);
    struct itimerval it = {{0, 0}, {0, 20000}};
    setitimer(ITIMER_REAL, &it, NULL);
    R(read(p[0], &b, 1));
    R(b);
    setitimer(ITIMER_REAL, &it, NULL);
    struct pollfd q = {p[0], POLLPRI, 0};
    R(poll(&q, 1, 1000));
    return 0;
}

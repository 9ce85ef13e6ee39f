/* calls: rt_sigaction alarm select */
#include "t.h"

static volatile int n;
static void h(int s)
{
    n++;
}

int main(void)
{
    signal(SIGALRM, h);
    struct itimerval it = {{0, 5000}, {0, 5000}};
    setitimer(ITIMER_REAL, &it, NULL);
    int p[2];
    pipe(p);
    while (n < 5) {
        fd_set r;
        FD_ZERO(&r);
        FD_SET(p[0], &r);
        if (select(p[0] + 1, &r, NULL, NULL, NULL) < 0 && errno != EINTR) {
            return 1;
        }
    }
    R(n >= 5);
    return 0;
}

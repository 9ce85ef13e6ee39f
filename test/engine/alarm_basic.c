/* calls: alarm setitimer getitimer pause */
#include "t.h"

static volatile int seen;
static void h(int s)
{
    seen++;
}

int main(void)
{
    signal(SIGALRM, h);
    R(alarm(100));
    R(alarm(0));
    R(alarm(1));
    R(pause());
    R(seen);
    struct itimerval it = {{0, 10000}, {0, 10000}}, o;
    R(setitimer(ITIMER_REAL, &it, NULL));
    while (seen < 4) {
        pause();
    }
    R(getitimer(ITIMER_REAL, &o));
    R(o.it_interval.tv_usec);
    it = (struct itimerval){0};
    R(setitimer(ITIMER_REAL, &it, &o));
    R(o.it_interval.tv_usec);
    R(setitimer(99, &it, NULL));
    it.it_value.tv_usec = 2000000;
    R(setitimer(ITIMER_REAL, &it, NULL));
    R(getitimer(99, &o));
    /* of processor time */
    int kinds[2] = {ITIMER_PROF, ITIMER_VIRTUAL};
    for (int i = 0; i < 2; i++) {
        signal(i == 0 ? SIGPROF : SIGVTALRM, h);
        seen = 0;
        it = (struct itimerval){{0, 2000}, {0, 2000}};
        R(setitimer(kinds[i], &it, NULL));
        R(getitimer(kinds[i], &o));
        R(o.it_value.tv_sec == 0 && o.it_value.tv_usec > 0);
        R(o.it_interval.tv_usec > 0);
        while (seen < 2) {
            getppid();
        }
        it = (struct itimerval){0};
        R(setitimer(kinds[i], &it, &o));
        R(getitimer(kinds[i], &o));
        R(o.it_value.tv_usec + o.it_interval.tv_usec);
    }
    return 0;
}

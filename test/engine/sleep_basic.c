/* calls: nanosleep clock_nanosleep */
#include "t.h"

int main(void)
{
    struct timespec a, b, ts = {0, 30000000};
    clock_gettime(CLOCK_MONOTONIC, &a);
    R(nanosleep(&ts, NULL));
    clock_gettime(CLOCK_MONOTONIC, &b);
    long d = (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec;
    R(d >= 30000000);
    R(clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL));
    a.tv_sec -= 10;
    R(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &a, NULL));
    clock_gettime(CLOCK_REALTIME, &a);
    a.tv_nsec += 20000000;
    if (a.tv_nsec > 999999999) {
        a.tv_sec++;
        a.tv_nsec -= 1000000000;
    }
    R(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &a, NULL));
    ts.tv_nsec = -5;
    R(nanosleep(&ts, NULL));
    R(clock_nanosleep(99, 0, &ts, NULL));
    ts = (struct timespec){0, 0};
    R(nanosleep(&ts, NULL));
    return 0;
}

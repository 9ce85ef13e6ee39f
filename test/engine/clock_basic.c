/* calls: clock_gettime clock_getres gettimeofday time times getrusage */
#include "t.h"

int main(void)
{
    struct timespec a, b;
    struct timeval tv;
    R(clock_gettime(CLOCK_MONOTONIC, &a));
    R(clock_gettime(CLOCK_MONOTONIC, &b));
    R(b.tv_sec * 1000000000 + b.tv_nsec >= a.tv_sec * 1000000000 + a.tv_nsec);
    R(clock_gettime(99, &a));
    R(syscall(SYS_clock_gettime, CLOCK_REALTIME, &a));
    R(gettimeofday(&tv, NULL));
    R(labs(tv.tv_sec - time(NULL)) <= 1);
    R(labs(tv.tv_sec - a.tv_sec) <= 1);
    R(clock_getres(CLOCK_MONOTONIC, &a));
    R(a.tv_nsec);
    R(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a));
    R(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a));
    R(clock_gettime(CLOCK_BOOTTIME, &a));
    R(times(NULL) > 0);
    struct rusage u;
    R(getrusage(RUSAGE_SELF, &u));
    R(getrusage(99, &u));
    return 0;
}

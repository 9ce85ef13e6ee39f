/* deadlines: waits of five seconds, by a monotonic clock and by the wall clock, on each kind of timer; whole seconds that each took by
 * the monotonic one. A jump of the wall clock within makes those of the wall clock shorter, and no other. */
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static long seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (long)t.tv_sec;
}

static void by_timerfd(const char *name, clockid_t clock, int flags)
{
    struct timespec now;
    clock_gettime(clock, &now);
    int f = timerfd_create(clock, 0);
    struct itimerspec s = {.it_value = {5, 0}};
    if (flags & TFD_TIMER_ABSTIME) {
        s.it_value = (struct timespec){now.tv_sec + 5, now.tv_nsec};
    }
    timerfd_settime(f, flags, &s, NULL);
    long begin = seconds(CLOCK_MONOTONIC);
    uint64_t n;
    (void)!read(f, &n, sizeof n);
    printf("timerfd %s: %ld\n", name, seconds(CLOCK_MONOTONIC) - begin);
}

static void by_sleep(const char *name, clockid_t clock, int flags)
{
    struct timespec until = {5, 0};
    if (flags & TIMER_ABSTIME) {
        clock_gettime(clock, &until);
        until.tv_sec += 5;
    }
    long begin = seconds(CLOCK_MONOTONIC);
    clock_nanosleep(clock, flags, &until, NULL);
    printf("sleep %s: %ld\n", name, seconds(CLOCK_MONOTONIC) - begin);
}

int main(void)
{
    by_timerfd("monotonic until", CLOCK_MONOTONIC, TFD_TIMER_ABSTIME);
    by_timerfd("realtime until", CLOCK_REALTIME, TFD_TIMER_ABSTIME);
    by_timerfd("realtime for", CLOCK_REALTIME, 0);
    by_sleep("monotonic until", CLOCK_MONOTONIC, TIMER_ABSTIME);
    by_sleep("realtime until", CLOCK_REALTIME, TIMER_ABSTIME);
    by_sleep("realtime for", CLOCK_REALTIME, 0);
    return 0;
}

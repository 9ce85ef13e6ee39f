/* Setting the clock: who may does, and is told no more than Linux tells. */
#include "../t.h"

static int may;

/* As it is for who may; who may not is told so. */
static void want(const char *what, long result, long code)
{
    long got = result < 0 ? errno : 0, expected = may || code == EFAULT || code == EINVAL ? code : EPERM;
    printf("%s: %s\n", what, got == expected ? "good" : strerrorname_np((int)got));
}

static long now(void)
{
    return time(NULL);
}

int main(void)
{
    struct timezone zone = {60, 0};
    may = geteuid() == 0;
    long begin = now();
    want("no time, no zone", syscall(SYS_settimeofday, NULL, NULL), 0);
    want("a zone alone", syscall(SYS_settimeofday, NULL, &zone), 0);
    printf("moved by %ld\n", now() - begin);
    want("the last microsecond", syscall(SYS_settimeofday, &(struct timeval){begin + 1000, 999999}, NULL), 0);
    printf("moved: %s\n", may == (now() - begin >= 1000 && now() - begin <= 1002) ? "good" : "no");
    want("one more", syscall(SYS_settimeofday, &(struct timeval){begin + 5000, 1000000}, NULL), EINVAL);
    want("less than none", syscall(SYS_settimeofday, &(struct timeval){begin + 5000, -1}, NULL), EINVAL);
    want("nowhere", syscall(SYS_settimeofday, 8, NULL), EFAULT);
    want("the last nanosecond", clock_settime(CLOCK_REALTIME, &(struct timespec){begin + 2000, 999999999}), 0);
    printf("moved: %s\n", may == (now() - begin >= 2000 && now() - begin <= 2002) ? "good" : "no");
    want("one more", syscall(SYS_clock_settime, CLOCK_REALTIME, &(struct timespec){begin, 1000000000}), EINVAL);
    want("another clock", clock_settime(CLOCK_MONOTONIC, &(struct timespec){begin, 0}), EINVAL);
    printf("moved: %s\n", may == (now() - begin >= 2000 && now() - begin <= 2002) ? "good" : "no");
    return 0;
}

/* calls: timerfd_create timerfd_settime timerfd_gettime */
#include "t.h"

int main(void)
{
    uint64_t v = 0;
    int t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    R(t);
    R(read(t, &v, 8));
    struct itimerspec i = {{0, 0}, {0, 20000000}}, o;
    R(timerfd_settime(t, 0, &i, NULL));
    R(timerfd_gettime(t, &o));
    R(o.it_value.tv_nsec > 0);
    struct pollfd p = {t, POLLIN, 0};
    R(poll(&p, 1, 1000));
    R(read(t, &v, 8));
    R(v);
    R(timerfd_gettime(t, &o));
    R(o.it_value.tv_nsec);
    i.it_interval.tv_nsec = 10000000;
    R(timerfd_settime(t, 0, &i, &o));
    usleep(45000);
    R(read(t, &v, 8));
    R(v >= 2);
    i = (struct itimerspec){{0, 0}, {0, 0}};
    R(timerfd_settime(t, 0, &i, NULL));
    R(poll(&p, 1, 30));
    R(timerfd_create(99, 0));
    R(timerfd_create(0, 99999));
    R(timerfd_settime(1, 0, &i, NULL));
    R(timerfd_settime(99, 0, &i, NULL));
    i.it_value.tv_nsec = -1;
    R(timerfd_settime(t, 0, &i, NULL));
    return 0;
}

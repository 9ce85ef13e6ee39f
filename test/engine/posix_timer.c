/* calls: timer_create timer_settime timer_gettime timer_delete timer_getoverrun */
#include "t.h"

static volatile int seen, value, code;
static void h(int s, siginfo_t *i, void *c)
{
    seen++;
    value = i->si_int;
    code = i->si_code;
}

int main(void)
{
    struct sigaction sa = {.sa_sigaction = h, .sa_flags = SA_SIGINFO};
    sigaction(SIGRTMIN, &sa, NULL);
    struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 55};
    timer_t t;
    R(timer_create(CLOCK_MONOTONIC, &e, &t));
    struct itimerspec i = {{0, 0}, {0, 10000000}}, o;
    R(timer_settime(t, 0, &i, NULL));
    R(timer_gettime(t, &o));
    R(o.it_value.tv_nsec > 0);
    while (!seen) {
        pause();
    }
    R(value);
    R(code == SI_TIMER);
    R(timer_getoverrun(t));
    R(timer_delete(t));
    R(timer_delete(t));
    e.sigev_signo = 99;
    R(timer_create(CLOCK_MONOTONIC, &e, &t));
    R(timer_create(99, NULL, &t));
    return 0;
}

/* calls: rt_sigprocmask rt_sigpending */
#include "t.h"

static volatile int seen, order;
static void h(int s)
{
    seen++;
    order = order * 100 + s;
}

int main(void)
{
    sigset_t s, o;
    signal(SIGUSR1, h);
    signal(SIGUSR2, h);
    sigemptyset(&s);
    sigaddset(&s, SIGUSR1);
    sigaddset(&s, SIGUSR2);
    R(sigprocmask(SIG_BLOCK, &s, NULL));
    raise(SIGUSR2);
    raise(SIGUSR1);
    raise(SIGUSR1);
    R(seen);
    R(sigpending(&o));
    R(sigismember(&o, SIGUSR1));
    R(sigismember(&o, SIGHUP));
    R(sigprocmask(SIG_UNBLOCK, &s, NULL));
    R(seen);
    R(order);
    R(sigprocmask(99, &s, NULL));
    R(sigprocmask(SIG_SETMASK, NULL, &o));
    R(sigismember(&o, SIGUSR1));
    return 0;
}

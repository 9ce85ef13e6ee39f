/* calls: tgkill rt_sigaction */
#include "t.h"

static volatile int up, who, got;
static void h(int s)
{
    who = gettid() != getpid();
}
static void *f(void *a)
{
    up = 1;
    got = pause();
    return NULL;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, h);
    pthread_create(&t, NULL, f, NULL);
    while (!up) {
        sched_yield();
    }
    usleep(10000);
    R(pthread_kill(t, SIGUSR1));
    pthread_join(t, NULL);
    R(who);
    R(got);
    return 0;
}

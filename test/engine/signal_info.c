/* calls: rt_sigqueueinfo rt_tgsigqueueinfo rt_sigaction */
#include "t.h"

static void h(int s, siginfo_t *i, void *c)
{
    printf("sig %d code %d value %d me %d mine %d error %d\n", s, i->si_code, i->si_code == SI_QUEUE ? i->si_int : 0,
           i->si_pid == getpid(), i->si_uid == getuid(), i->si_errno);
}

int main(void)
{
    struct sigaction sa = {.sa_sigaction = h, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &sa, NULL);
    sigaction(SIGRTMIN, &sa, NULL);
    R(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 77}));
    kill(getpid(), SIGUSR1);
    raise(SIGUSR1);
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &s, NULL);
    for (int i = 0; i < 3; i++) {
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
    }
    sigprocmask(SIG_UNBLOCK, &s, NULL);
    R(sigqueue(1234567, SIGUSR1, (union sigval){0}));
    R(sigqueue(getpid(), 99, (union sigval){0}));
    return 0;
}

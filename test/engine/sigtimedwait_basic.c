/* calls: rt_sigtimedwait */
#include "t.h"

int main(void)
{
    sigset_t s;
    siginfo_t i;
    sigemptyset(&s);
    sigaddset(&s, SIGUSR1);
    sigaddset(&s, SIGCHLD);
    sigprocmask(SIG_BLOCK, &s, NULL);
    struct timespec ts = {0, 10000000};
    R(sigtimedwait(&s, &i, &ts));
    raise(SIGUSR1);
    R(sigtimedwait(&s, &i, &ts));
    R(i.si_signo);
    pid_t c = fork();
    if (c == 0) {
        _exit(5);
    }
    R(sigwaitinfo(&s, &i));
    R(i.si_pid == c);
    R(i.si_status);
    ts.tv_nsec = -1;
    R(sigtimedwait(&s, &i, &ts));
    int n;
    raise(SIGUSR1);
    R(sigwait(&s, &n));
    R(n);
    return 0;
}

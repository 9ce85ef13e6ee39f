/* calls: kill rt_sigaction tgkill tkill */
#include "t.h"

static volatile int seen;
static void h(int s)
{
    seen++;
}

int main(void)
{
    struct sigaction sa = {.sa_handler = h}, old;
    R(sigaction(SIGUSR1, &sa, NULL));
    R(kill(getpid(), SIGUSR1));
    R(seen);
    R(raise(SIGUSR1));
    R(seen);
    R(tgkill(getpid(), gettid(), SIGUSR1));
    R(seen);
    R(syscall(SYS_tkill, gettid(), SIGUSR1));
    R(seen);
    R(sigaction(SIGUSR1, NULL, &old));
    R(old.sa_handler == h);
    R(sigaction(SIGKILL, &sa, NULL));
    R(sigaction(99, &sa, NULL));
    R(kill(getpid(), 99));
    R(kill(1234567, 0));
    R(kill(getpid(), 0));
    R(tgkill(getpid(), 1234567, 0));
    sa.sa_flags = SA_RESETHAND;
    R(sigaction(SIGUSR2, &sa, NULL));
    R(raise(SIGUSR2));
    R(sigaction(SIGUSR2, NULL, &old));
    R(old.sa_handler == SIG_DFL);
    return 0;
}

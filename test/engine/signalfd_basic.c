/* calls: signalfd signalfd4 rt_sigprocmask kill */
#include "t.h"

int main(void)
{
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, SIGUSR1);
    sigaddset(&s, SIGUSR2);
    sigprocmask(SIG_BLOCK, &s, NULL);
    int f = signalfd(-1, &s, SFD_NONBLOCK);
    R(f);
    struct signalfd_siginfo i;
    R(read(f, &i, sizeof i));
    kill(getpid(), SIGUSR2);
    kill(getpid(), SIGUSR1);
    struct pollfd p = {f, POLLIN, 0};
    R(poll(&p, 1, 0));
    R(read(f, &i, sizeof i));
    R(i.ssi_signo);
    R(i.ssi_pid == (unsigned)getpid());
    R(read(f, &i, sizeof i));
    R(i.ssi_signo);
    R(read(f, &i, sizeof i));
    R(read(f, &i, 5));
    R(signalfd(99, &s, 0));
    R(signalfd(1, &s, 0));
    /* each signal is news to a watcher of edges */
    int ep = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN | EPOLLET};
    R(epoll_ctl(ep, EPOLL_CTL_ADD, f, &e));
    R(epoll_wait(ep, &e, 1, 0));
    kill(getpid(), SIGUSR1);
    R(epoll_wait(ep, &e, 1, 0));
    R(epoll_wait(ep, &e, 1, 0));
    kill(getpid(), SIGUSR2);
    R(epoll_wait(ep, &e, 1, 0));
    R(epoll_wait(ep, &e, 1, 0));
    return 0;
}

/* calls: pidfd_open pidfd_send_signal pidfd_getfd waitid clone */
#include "t.h"

#include <linux/sched.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

static int pidfd_open_(pid_t pid, unsigned flags)
{
    return (int)syscall(SYS_pidfd_open, pid, flags);
}

static int send_(int fd, int sig, siginfo_t *info, unsigned flags)
{
    return (int)syscall(SYS_pidfd_send_signal, fd, sig, info, flags);
}

static int events(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    poll(&p, 1, 0);
    return p.revents & POLLIN;
}

static volatile int got;

static void on_signal(int sig, siginfo_t *info, void *context)
{
    got = info->si_code == SI_USER ? 1 : info->si_code == SI_QUEUE ? 10 + info->si_value.sival_int : 2;
}

int main(void)
{
    int go[2], st;
    char c;
    siginfo_t info = {0};
    pipe(go);
    pid_t child = fork();
    if (child == 0) {
        dup2(go[1], 100);
        write(go[1], "r", 1);
        pause();
    }
    read(go[0], &c, 1);
    int p = pidfd_open_(child, 0), n = pidfd_open_(child, O_NONBLOCK);
    R(p >= 0);
    R(fcntl(p, F_GETFD));
    R((fcntl(n, F_GETFL) & O_NONBLOCK) != 0);
    R(pidfd_open_(-1, 0));
    R(pidfd_open_(0, 0));
    R(pidfd_open_(9999999, 0));
    R(pidfd_open_(child, 1));
    R(read(p, &c, 1));
    R(events(p));
    S("descriptors");
    int theirs = (int)syscall(SYS_pidfd_getfd, p, 100, 0);
    R(theirs >= 0);
    R(fcntl(theirs, F_GETFD));
    write(theirs, "x", 1);
    R(read(go[0], &c, 1));
    R(syscall(SYS_pidfd_getfd, p, 77, 0));
    R(syscall(SYS_pidfd_getfd, p, 100, 1));
    R(syscall(SYS_pidfd_getfd, go[0], 100, 0));
    S("signals");
    struct sigaction act = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &act, NULL);
    int self = pidfd_open_(getpid(), 0);
    R(send_(self, SIGUSR1, NULL, 0));
    R(got);
    info.si_signo = SIGUSR1;
    info.si_code = SI_QUEUE;
    info.si_value.sival_int = 5;
    R(send_(self, SIGUSR1, &info, 0));
    R(got);
    R(send_(self, SIGUSR2, &info, 0));
    info.si_code = SI_USER;
    R(send_(p, SIGUSR1, &info, 0));
    R(send_(self, 99, NULL, 0));
    R(send_(self, 0, NULL, 77));
    R(send_(go[0], 0, NULL, 0));
    R(send_(p, 0, NULL, 0));
    S("waiting");
    R(waitid(P_PIDFD, n, &info, WEXITED));
    R(waitid(P_PIDFD, p, &info, WEXITED | WNOHANG));
    R(waitid(P_PIDFD, go[0], &info, WEXITED));
    R(waitid(P_PIDFD, -1, &info, WEXITED));
    R(waitid(P_PIDFD, self, &info, WEXITED));
    int e = epoll_create1(0);
    struct epoll_event v = {EPOLLIN | EPOLLET, {.u64 = 3}}, o;
    R(epoll_ctl(e, EPOLL_CTL_ADD, p, &v));
    R(epoll_wait(e, &o, 1, 0));
    R(send_(p, SIGTERM, NULL, 0));
    R(epoll_wait(e, &o, 1, -1));
    R(events(p));
    R(send_(p, SIGTERM, NULL, 0)); /* it is a zombie */
    memset(&info, 0, sizeof info);
    R(waitid(P_PIDFD, p, &info, WEXITED | WNOWAIT));
    R(info.si_pid == child);
    R(info.si_code == CLD_KILLED);
    R(info.si_status);
    R(waitid(P_PIDFD, n, &info, WEXITED));
    R(waitid(P_PIDFD, p, &info, WEXITED));
    R(events(p));
    R(send_(p, SIGTERM, NULL, 0));
    R(syscall(SYS_pidfd_getfd, p, 100, 0));
    S("from clone");
    int fd = -1;
    pid_t made = (pid_t)syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, &fd, 0, 0);
    if (made == 0) {
        _exit(9);
    }
    R(fd > 0);
    R(waitid(P_PIDFD, fd, &info, WEXITED));
    R(info.si_pid == made);
    R(info.si_status);
    R(syscall(SYS_clone, CLONE_PIDFD | CLONE_PARENT_SETTID | SIGCHLD, 0, &fd, 0, 0));
    return 0;
}

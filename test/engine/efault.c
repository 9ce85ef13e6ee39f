/* calls: read write pipe2 clock_gettime */
#include "t.h"

int main(void)
{
    int p[2];
    char *bad = (char *)16;
    pipe(p);
    R(syscall(SYS_write, p[1], bad, 4));
    write(p[1], "abcd", 4);
    R(syscall(SYS_read, p[0], bad, 4));
    R(syscall(SYS_pipe2, bad, 0));
    R(syscall(SYS_nanosleep, bad, NULL));
    R(syscall(SYS_poll, bad, 1, 0));
    R(syscall(SYS_epoll_ctl, epoll_create1(0), EPOLL_CTL_ADD, p[0], bad));
    R(syscall(SYS_getcwd, bad, 100));
    R(syscall(SYS_uname, bad));
    R(syscall(SYS_rt_sigprocmask, 0, bad, NULL, 8));
    R(syscall(SYS_rt_sigaction, SIGUSR1, bad, NULL, 8));
    R(syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, bad));
    R(syscall(SYS_fstat, 0, bad));
    R(syscall(SYS_getrandom, bad, 4, 0));
    R(syscall(SYS_timerfd_settime, timerfd_create(CLOCK_MONOTONIC, 0), 0, bad, NULL));
    return 0;
}

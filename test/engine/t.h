/* For the programs in this directory: each exercises one family of system calls and prints what it
 * sees. It must print the same under the engine as without it; so no times, no process numbers. The
 * first line of each program names the calls it is the test of. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

/* Prints an expression, its value, and the error if it is negative. */
#define R(e)                                                                                       \
    do {                                                                                           \
        errno = 0;                                                                                 \
        long r_ = (long)(e);                                                                       \
        printf("%s = %ld%s%s\n", #e, r_, r_ < 0 ? " " : "", r_ < 0 ? strerrorname_np(errno) : ""); \
        fflush(stdout);                                                                            \
    } while (0)
/* The same, but only whether it worked. */
#define OK(e)                                                                                      \
    do {                                                                                           \
        errno = 0;                                                                                 \
        long r_ = (long)(e);                                                                       \
        printf("%s: %s\n", #e, r_ < 0 ? strerrorname_np(errno) : "ok");                            \
        fflush(stdout);                                                                            \
    } while (0)
#define S(text)                                                                                    \
    do {                                                                                           \
        printf("%s\n", text);                                                                      \
        fflush(stdout);                                                                            \
    } while (0)

/* Whoever starts us may have left something open. */
__attribute__((constructor)) static void close_others(void)
{
    (void)close_range(3, ~0U, 0);
}

static inline struct sockaddr_in loop(int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

/* Both ends of a TCP connection. */
static inline void tcp_pair(int fd[2])
{
    struct sockaddr_in a = loop(0);
    socklen_t n = sizeof a;
    int l = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(l, (void *)&a, sizeof a) || listen(l, 5) || getsockname(l, (void *)&a, &n)) {
        abort();
    }
    fd[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd[0], (void *)&a, sizeof a)) {
        abort();
    }
    fd[1] = accept(l, NULL, NULL);
    close(l);
}

/* calls: fcntl */
#include "t.h"

static int urgent;

static void count(int sig)
{
    (void)sig;
    urgent++;
}

static void show(int fd)
{
    struct f_owner_ex x = {9, 9};
    R(fcntl(fd, F_GETOWN_EX, &x));
    int pid = getpid();
    printf("type %d %s; %s\n", x.type, x.pid == pid ? "we" : x.pid == 0 ? "nobody" : "?",
           fcntl(fd, F_GETOWN) == pid ? "we" : fcntl(fd, F_GETOWN) == -pid ? "our group" : fcntl(fd, F_GETOWN) == 0 ? "nobody" : "?");
}

/* Urgent data come: who is told? */
static void tell(int from, int to)
{
    struct pollfd p = {to, POLLPRI, 0};
    char c;
    urgent = 0;
    R(send(from, "x", 1, MSG_OOB));
    while (poll(&p, 1, 10000) < 0) {
    }
    R(urgent);
    R(recv(to, &c, 1, MSG_OOB));
}

int main(void)
{
    int p[2], l = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = loop(0);
    socklen_t n = sizeof a;
    setpgid(0, 0);
    signal(SIGURG, count);
    bind(l, (void *)&a, sizeof a);
    listen(l, 1);
    getsockname(l, (void *)&a, &n);
    connect(c, (void *)&a, sizeof a);
    int s = accept(l, NULL, NULL);
    pipe(p);
    show(p[0]);
    show(s);
    tell(c, s);
    R(fcntl(s, F_SETOWN, getpid()));
    show(s);
    tell(c, s);
    R(fcntl(s, F_SETOWN, -getpid()));
    show(s);
    tell(c, s);
    R(fcntl(s, F_SETOWN, 0));
    show(s);
    struct f_owner_ex x = {F_OWNER_TID, getpid()};
    R(fcntl(s, F_SETOWN_EX, &x));
    show(s);
    tell(c, s);
    x = (struct f_owner_ex){F_OWNER_PGRP, getpid()};
    R(fcntl(s, F_SETOWN_EX, &x));
    show(s);
    x = (struct f_owner_ex){F_OWNER_PID, getpid()};
    R(fcntl(s, F_SETOWN_EX, &x));
    show(s);
    x.pid = 999999;
    R(fcntl(s, F_SETOWN_EX, &x));
    x = (struct f_owner_ex){3, getpid()};
    R(fcntl(s, F_SETOWN_EX, &x));
    R(fcntl(s, F_SETOWN_EX, NULL));
    R(fcntl(s, F_GETOWN_EX, NULL));
    R(fcntl(s, F_SETOWN, 999999));
    R(fcntl(s, F_SETOWN, -999999));
    R(fcntl(s, F_SETOWN, 1 << 31));
    show(s);
    R(fcntl(s, F_GETSIG));
    R(fcntl(s, F_SETSIG, SIGRTMAX));
    R(fcntl(dup(s), F_GETSIG) - SIGRTMAX);
    R(fcntl(s, F_SETSIG, SIGRTMAX + 1));
    R(fcntl(s, F_SETSIG, -1));
    R(fcntl(s, F_GETSIG) - SIGRTMAX);
    R(fcntl(s, F_SETSIG, 0));
    R(fcntl(s, F_GETSIG));
    return 0;
}

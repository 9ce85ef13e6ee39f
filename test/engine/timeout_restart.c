/* calls: setsockopt recvfrom sendto accept rt_sigaction */
/* A call with a time limit of its socket is not begun again after a handler, whatever SA_RESTART says; one without is. */
#include "t.h"

static int wake = -1;

static void h(int s)
{
    if (wake >= 0) {
        write(wake, "x", 1);
    }
}

static void soon(void)
{
    struct itimerval it = {{0, 0}, {0, 50000}};
    setitimer(ITIMER_REAL, &it, NULL);
}

int main(void)
{
    int p[2];
    char c, big[4096] = {0};
    struct timeval limit = {2, 0}, none = {0, 0};
    struct sigaction sa = {.sa_handler = h, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &sa, NULL);
    socketpair(AF_UNIX, SOCK_STREAM, 0, p);
    R(setsockopt(p[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit));
    soon();
    R(recv(p[0], &c, 1, 0));
    R(setsockopt(p[0], SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none));
    wake = p[1];
    soon();
    R(recv(p[0], &c, 1, 0));
    wake = -1;
    fcntl(p[0], F_SETFL, O_NONBLOCK);
    while (send(p[0], big, sizeof big, 0) > 0) {
    }
    fcntl(p[0], F_SETFL, 0);
    R(setsockopt(p[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit));
    soon();
    R(send(p[0], big, sizeof big, 0));
    struct sockaddr_in a = loop(0);
    int l = socket(AF_INET, SOCK_STREAM, 0);
    bind(l, (void *)&a, sizeof a);
    listen(l, 5);
    R(setsockopt(l, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit));
    soon();
    R(accept(l, NULL, NULL));
    return 0;
}

/* calls: connect accept4 recvfrom sendto */
#include "t.h"

int main(void)
{
    int l = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in a = loop(0);
    socklen_t n = sizeof a;
    bind(l, (void *)&a, sizeof a);
    listen(l, 5);
    getsockname(l, (void *)&a, &n);
    R(accept4(l, NULL, NULL, SOCK_NONBLOCK));
    int c = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    long r = connect(c, (void *)&a, sizeof a);
    int e0 = errno;
    R(r == -1 && e0 == EINPROGRESS);
    struct pollfd p = {c, POLLOUT, 0};
    R(poll(&p, 1, 1000));
    int e = 9;
    n = sizeof e;
    R(getsockopt(c, SOL_SOCKET, SO_ERROR, &e, &n));
    R(e);
    p = (struct pollfd){l, POLLIN, 0};
    R(poll(&p, 1, 1000));
    int s = accept4(l, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    R(fcntl(s, F_GETFL) & O_NONBLOCK);
    R(fcntl(s, F_GETFD));
    char b[8];
    R(recv(s, b, 8, 0));
    R(recv(s, b, 8, MSG_DONTWAIT));
    R(accept4(l, NULL, NULL, 12345));
    static char big[4 << 20];
    long sent = send(c, big, sizeof big, 0);
    R(sent > 0 && sent < (long)sizeof big);
    while ((r = send(c, big, sizeof big, 0)) > 0) {
    }
    e0 = errno;
    R(r == -1 && e0 == EAGAIN);
    p = (struct pollfd){c, POLLOUT, 0};
    R(poll(&p, 1, 0));
    return 0;
}

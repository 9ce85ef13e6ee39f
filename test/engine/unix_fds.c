/* calls: sendmsg recvmsg */
#include "t.h"

int main(void)
{
    int s[2], p[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    pipe(p);
    char c[CMSG_SPACE(sizeof(int))] = {0}, x = 'x';
    struct iovec i = {&x, 1};
    struct msghdr m = {.msg_iov = &i, .msg_iovlen = 1, .msg_control = c, .msg_controllen = sizeof c};
    struct cmsghdr *h = CMSG_FIRSTHDR(&m);
    h->cmsg_level = SOL_SOCKET;
    h->cmsg_type = SCM_RIGHTS;
    h->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(h), &p[1], sizeof(int));
    R(sendmsg(s[0], &m, 0));
    close(p[1]);
    memset(c, 0, sizeof c);
    R(recvmsg(s[1], &m, MSG_CMSG_CLOEXEC));
    h = CMSG_FIRSTHDR(&m);
    int fd = -1;
    memcpy(&fd, CMSG_DATA(h), sizeof fd);
    R(fd >= 0);
    R(fcntl(fd, F_GETFD));
    R(write(fd, "through", 7));
    char b[16] = {0};
    R(read(p[0], b, 16));
    S(b);
    int bad = 99;
    memcpy(CMSG_DATA(h), &bad, sizeof bad);
    R(sendmsg(s[0], &m, 0));
    int on = 1;
    R(setsockopt(s[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof on));
    R(write(s[0], "y", 1));
    char big[256];
    m.msg_control = big;
    m.msg_controllen = sizeof big;
    R(recvmsg(s[1], &m, 0));
    h = CMSG_FIRSTHDR(&m);
    R(h->cmsg_type == SCM_CREDENTIALS);
    R(((struct ucred *)CMSG_DATA(h))->pid == getpid());
    return 0;
}

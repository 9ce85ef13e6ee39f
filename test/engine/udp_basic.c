/* calls: sendto recvfrom bind */
#include "t.h"

int main(void)
{
    int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in x = loop(0), q;
    socklen_t n = sizeof x;
    char t[64] = {0};
    R(bind(a, (void *)&x, sizeof x));
    getsockname(a, (void *)&x, &n);
    R(sendto(b, "one", 3, 0, (void *)&x, sizeof x));
    R(sendto(b, "", 0, 0, (void *)&x, sizeof x));
    R(sendto(b, "three", 5, 0, (void *)&x, sizeof x));
    n = sizeof q;
    R(recvfrom(a, t, 64, 0, (void *)&q, &n));
    R(n);
    R(ntohl(q.sin_addr.s_addr) == INADDR_LOOPBACK);
    R(recv(a, t, 64, 0));
    R(recv(a, t, 2, 0));
    R(recv(a, t, 64, MSG_DONTWAIT));
    R(sendto(a, "reply", 5, 0, (void *)&q, sizeof q));
    R(recv(b, t, 64, 0));
    R(send(b, "x", 1, 0));
    R(connect(b, (void *)&x, sizeof x));
    R(send(b, "conn", 4, 0));
    R(recv(a, t, 64, MSG_TRUNC));
    static char big[70000];
    R(send(b, big, sizeof big, 0));
    R(listen(b, 1));
    R(accept(b, NULL, NULL));
    int f = 0;
    send(b, "12345", 5, 0);
    R(ioctl(a, FIONREAD, &f));
    R(f);
    R(recv(a, t, 2, MSG_TRUNC));
    return 0;
}

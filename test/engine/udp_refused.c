/* calls: connect sendto */
#include "t.h"

int main(void)
{
    int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in x = loop(0);
    socklen_t n = sizeof x;
    bind(a, (void *)&x, sizeof x);
    getsockname(a, (void *)&x, &n);
    close(a);
    R(connect(b, (void *)&x, sizeof x));
    R(send(b, "x", 1, 0));
    usleep(1000);
    char t[4];
    R(recv(b, t, 4, MSG_DONTWAIT));
    R(recv(b, t, 4, MSG_DONTWAIT));
    struct sockaddr u = {.sa_family = AF_UNSPEC};
    R(connect(b, &u, sizeof u));
    R(send(b, "x", 1, 0));
    return 0;
}

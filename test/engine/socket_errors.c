/* calls: socket */
#include "t.h"

int main(void)
{
    R(socket(AF_INET, SOCK_STREAM, 0));
    R(socket(AF_INET6, SOCK_STREAM, 0));
    R(socket(AF_UNIX, SOCK_SEQPACKET, 0));
    R(socket(9999, SOCK_STREAM, 0));
    R(socket(AF_INET, 77, 0));
    R(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP));
    R(socket(AF_INET, SOCK_DGRAM, IPPROTO_TCP));
    int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
    R(fcntl(s, F_GETFL) & O_NONBLOCK);
    R(fcntl(s, F_GETFD));
    char b;
    R(recv(s, &b, 1, 0));
    R(lseek(s, 0, SEEK_SET));
    R(listen(99, 1));
    R(listen(1, 1));
    R(accept(s, NULL, NULL));
    R(shutdown(s, SHUT_RDWR));
    int both[2];
    struct sockaddr_in there = {0};
    tcp_pair(both);
    socklen_t n = sizeof there;
    R(getpeername(both[1], (void *)&there, &n));
    R(connect(both[1], (void *)&there, sizeof there));
    R(connect(both[0], (void *)&there, sizeof there));
    return 0;
}

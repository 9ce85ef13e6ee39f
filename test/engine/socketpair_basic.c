/* calls: socketpair */
#include "t.h"

int main(void)
{
    int s[2];
    char b[16] = {0};
    signal(SIGPIPE, SIG_IGN);
    R(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    R(write(s[0], "abc", 3));
    R(write(s[0], "def", 3));
    R(read(s[1], b, 16));
    S(b);
    R(close(s[0]));
    R(read(s[1], b, 16));
    R(write(s[1], "x", 1));
    R(socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
    R(write(s[0], "abc", 3));
    R(write(s[0], "defgh", 5));
    R(read(s[1], b, 16));
    R(read(s[1], b, 2));
    R(recv(s[1], b, 16, MSG_DONTWAIT));
    R(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, s));
    R(write(s[0], "abc", 3));
    R(write(s[0], "de", 2));
    R(read(s[1], b, 16));
    R(read(s[1], b, 16));
    R(read(s[1], b, 16));
    R(socketpair(AF_INET, SOCK_STREAM, 0, s));
    R(socketpair(9999, SOCK_STREAM, 0, s));
    return 0;
}

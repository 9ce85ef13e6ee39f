/* calls: sendmsg recvmsg */
#include "t.h"

int main(void)
{
    int f[2];
    tcp_pair(f);
    char a[4] = {0}, b[8] = {0};
    struct iovec o[2] = {{"abc", 3}, {"defg", 4}}, i[2] = {{a, 3}, {b, 8}};
    struct msghdr m = {.msg_iov = o, .msg_iovlen = 2}, r = {.msg_iov = i, .msg_iovlen = 2};
    R(sendmsg(f[0], &m, 0));
    R(recvmsg(f[1], &r, 0));
    S(a);
    S(b);
    R(r.msg_flags);
    R(recvmsg(f[1], &r, MSG_DONTWAIT));
    R(sendmsg(99, &m, 0));
    R(sendmsg(1, &m, 0));
    return 0;
}

/* calls: sendmmsg recvmmsg */
#include "t.h"

int main(void)
{
    int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in x = loop(0);
    socklen_t n = sizeof x;
    bind(a, (void *)&x, sizeof x);
    getsockname(a, (void *)&x, &n);
    connect(b, (void *)&x, sizeof x);
    struct iovec o[2] = {{"ab", 2}, {"cde", 3}};
    struct mmsghdr m[3] = {{{.msg_iov = &o[0], .msg_iovlen = 1}}, {{.msg_iov = &o[1], .msg_iovlen = 1}}};
    R(sendmmsg(b, m, 2, 0));
    R(m[1].msg_len);
    char t[3][8];
    struct iovec i[3] = {{t[0], 8}, {t[1], 8}, {t[2], 8}};
    memset(m, 0, sizeof m);
    for (int k = 0; k < 3; k++) {
        m[k].msg_hdr.msg_iov = &i[k];
        m[k].msg_hdr.msg_iovlen = 1;
    }
    R(recvmmsg(a, m, 3, MSG_DONTWAIT, NULL));
    R(m[0].msg_len);
    R(m[1].msg_len);
    return 0;
}

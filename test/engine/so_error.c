/* calls: getsockopt connect */
#include "t.h"

int main(void)
{
    int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), e = 0;
    socklen_t n = sizeof e;
    struct sockaddr_in a = loop(1);
    R(connect(s, (void *)&a, sizeof a));
    struct pollfd p = {s, POLLOUT, 0};
    R(poll(&p, 1, 1000));
    R((p.revents & POLLERR) != 0);
    R(getsockopt(s, SOL_SOCKET, SO_ERROR, &e, &n));
    R(e == ECONNREFUSED);
    R(getsockopt(s, SOL_SOCKET, SO_ERROR, &e, &n));
    R(e);
    return 0;
}

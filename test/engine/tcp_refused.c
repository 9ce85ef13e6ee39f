/* calls: connect */
#include "t.h"

int main(void)
{
    int l = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = loop(0);
    socklen_t n = sizeof a;
    bind(l, (void *)&a, sizeof a);
    getsockname(l, (void *)&a, &n);
    int c = socket(AF_INET, SOCK_STREAM, 0);
    R(connect(c, (void *)&a, sizeof a));
    int e = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    long r = connect(e, (void *)&a, sizeof a);
    int e0 = errno;
    R(r == -1 && e0 == EINPROGRESS);
    int v = 0;
    socklen_t vn = sizeof v;
    usleep(1000);
    R(getsockopt(e, SOL_SOCKET, SO_ERROR, &v, &vn));
    R(v == ECONNREFUSED);
    R(connect(99, (void *)&a, sizeof a));
    R(connect(1, (void *)&a, sizeof a));
    R(connect(c, (void *)&a, 3));
    a.sin_family = 77;
    R(connect(c, (void *)&a, sizeof a));
    return 0;
}

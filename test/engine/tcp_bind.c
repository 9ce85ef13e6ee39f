/* calls: bind */
#include "t.h"

int main(void)
{
    struct sockaddr_in a = loop(0), b;
    socklen_t n = sizeof a;
    int s = socket(AF_INET, SOCK_STREAM, 0), r = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    R(bind(s, (void *)&a, sizeof a));
    R(bind(s, (void *)&a, sizeof a));
    getsockname(s, (void *)&a, &n);
    R(bind(r, (void *)&a, sizeof a));
    R(listen(s, 1));
    R(setsockopt(r, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
    R(bind(r, (void *)&a, sizeof a));
    b = a;
    b.sin_port = 0;
    b.sin_addr.s_addr = inet_addr("192.0.2.77");
    R(bind(r, (void *)&b, sizeof b));
    R(bind(99, (void *)&b, sizeof b));
    R(bind(r, (void *)&b, 4));
    R(bind(1, (void *)&b, sizeof b));
    close(s);
    R(bind(r, (void *)&a, sizeof a));
    return 0;
}

/* calls: close setsockopt */
#include "t.h"

int main(void)
{
    int f[2];
    char b[8];
    signal(SIGPIPE, SIG_IGN);
    tcp_pair(f);
    write(f[0], "unread", 6);
    usleep(1000);
    close(f[1]);
    usleep(1000);
    R(read(f[0], b, 8));
    R(write(f[0], "x", 1));
    int g[2];
    tcp_pair(g);
    struct linger l = {1, 0};
    R(setsockopt(g[0], SOL_SOCKET, SO_LINGER, &l, sizeof l));
    close(g[0]);
    usleep(1000);
    R(read(g[1], b, 8));
    int h[2];
    tcp_pair(h);
    close(h[1]);
    usleep(1000);
    R(write(h[0], "x", 1));
    usleep(1000);
    R(write(h[0], "x", 1));
    return 0;
}

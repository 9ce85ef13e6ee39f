/* calls: shutdown */
#include "t.h"

int main(void)
{
    int f[2];
    char b[8];
    tcp_pair(f);
    signal(SIGPIPE, SIG_IGN);
    R(shutdown(f[0], SHUT_WR));
    R(read(f[1], b, 8));
    R(write(f[0], "x", 1));
    R(write(f[1], "abc", 3));
    R(read(f[0], b, 8));
    R(shutdown(f[1], SHUT_WR));
    R(read(f[0], b, 8));
    R(shutdown(f[0], 99));
    R(shutdown(99, SHUT_WR));
    int g[2];
    tcp_pair(g);
    R(shutdown(g[0], SHUT_RD));
    R(read(g[0], b, 8));
    return 0;
}

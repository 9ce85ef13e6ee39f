/* calls: listen accept */
#include "t.h"

int main(void)
{
    int l = socket(AF_INET, SOCK_STREAM, 0), c[3];
    struct sockaddr_in a = loop(0);
    socklen_t n = sizeof a;
    bind(l, (void *)&a, sizeof a);
    listen(l, 10);
    getsockname(l, (void *)&a, &n);
    for (int i = 0; i < 3; i++) {
        c[i] = socket(AF_INET, SOCK_STREAM, 0);
        R(connect(c[i], (void *)&a, sizeof a));
        char x = (char)('a' + i);
        write(c[i], &x, 1);
    }
    for (int i = 0; i < 3; i++) {
        int s = accept(l, NULL, NULL);
        char x;
        R(read(s, &x, 1));
        R(x);
    }
    R(close(l));
    int d = socket(AF_INET, SOCK_STREAM, 0);
    R(connect(d, (void *)&a, sizeof a));
    return 0;
}

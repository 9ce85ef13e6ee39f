/* calls: sendto recvfrom */
#include "t.h"

int main(void)
{
    int f[2];
    tcp_pair(f);
    static char b[3000000], r[70000];
    for (size_t i = 0; i < sizeof b; i++) {
        b[i] = (char)(i * 7);
    }
    if (fork() == 0) {
        close(f[1]);
        long n = write(f[0], b, sizeof b);
        _exit(n == sizeof b ? 0 : 1);
    }
    close(f[0]);
    long total = 0, n, bad = 0;
    while ((n = read(f[1], r, sizeof r)) > 0) {
        bad += memcmp(r, b + total, n) != 0;
        total += n;
    }
    R(total);
    R(bad);
    int st;
    wait(&st);
    R(st);
    return 0;
}

/* calls: recvfrom */
#include "t.h"

int main(void)
{
    int f[2];
    tcp_pair(f);
    char b[16] = {0};
    if (fork() == 0) {
        write(f[0], "abc", 3);
        usleep(10000);
        write(f[0], "defgh", 5);
        usleep(10000);
        _exit(0);
    }
    R(recv(f[1], b, 8, MSG_WAITALL));
    S(b);
    wait(NULL);
    close(f[0]);
    R(recv(f[1], b, 8, MSG_WAITALL));
    return 0;
}

/* calls: fcntl */
#include "t.h"

int main(void)
{
    int p[2];
    R(pipe(p));
    R(fcntl(p[0], F_GETPIPE_SZ));
    R(fcntl(p[1], F_SETPIPE_SZ, 5000));
    R(fcntl(0, F_GETPIPE_SZ));
    return 0;
}

/* calls: pipe2 */
#include "t.h"

int main(void)
{
    int p[2];
    char b[70000] = {0};
    R(pipe2(p, O_NONBLOCK | O_CLOEXEC));
    R(read(p[0], b, 1));
    R(write(p[1], b, sizeof b));
    R(write(p[1], b, 1));
    R(fcntl(p[0], F_GETFD));
    R(fcntl(p[0], F_GETFL) & O_NONBLOCK);
    int n = 0;
    R(ioctl(p[0], FIONREAD, &n));
    R(n);
    R(read(p[0], b, 5000));
    R(write(p[1], b, 4096));
    R(write(p[1], b, 4097));
    R(pipe2(p, 12345));
    return 0;
}

/* calls: ioctl */
#include "t.h"

int main(void)
{
    int p[2], on = 1, n = 0;
    pipe(p);
    R(ioctl(p[0], FIONBIO, &on));
    char b;
    R(read(p[0], &b, 1));
    on = 0;
    R(ioctl(p[0], FIONBIO, &on));
    R(ioctl(p[0], FIOCLEX));
    R(fcntl(p[0], F_GETFD));
    R(ioctl(p[0], FIONCLEX));
    R(ioctl(99, FIONREAD, &n));
    struct winsize w;
    R(ioctl(p[0], TIOCGWINSZ, &w));
    R(isatty(p[0]));
    R(ioctl(p[0], 0x12345, &n));
    write(p[1], "abc", 3);
    R(ioctl(p[0], FIONREAD, &n));
    R(n);
    return 0;
}

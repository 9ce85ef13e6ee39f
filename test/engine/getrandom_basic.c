/* calls: getrandom */
#include "t.h"

int main(void)
{
    unsigned char a[32] = {0}, b[32] = {0};
    R(syscall(SYS_getrandom, a, 32, 0));
    R(syscall(SYS_getrandom, b, 32, 1));
    R(memcmp(a, b, 32) != 0);
    R(syscall(SYS_getrandom, a, 32, 99));
    int f = open("/dev/urandom", O_RDONLY);
    R(read(f, a, 32));
    R(memcmp(a, b, 32) != 0);
    f = open("/dev/zero", O_RDONLY);
    R(read(f, a, 32));
    R(a[5]);
    f = open("/dev/null", O_RDWR);
    R(read(f, a, 32));
    R(write(f, a, 32));
    f = open("/dev/full", O_RDWR);
    R(write(f, a, 32));
    return 0;
}

/* calls: ioprio_get ioprio_set capget */
#include "t.h"

int main(void)
{
    R(syscall(SYS_ioprio_get, 1, 0) >= 0);
    struct { unsigned v; int pid; } h = {0x20080522, 0};
    struct { unsigned a, b, c; } d[2];
    R(syscall(SYS_capget, &h, d));
    h.v = 1;
    R(syscall(SYS_capget, &h, d));
    return 0;
}

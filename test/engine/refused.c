/* calls: io_uring_setup clone3 rseq */
#include "t.h"

int main(void)
{
    struct { long x[20]; } p = {0};
    long r = syscall(SYS_io_uring_setup, 0, &p);
    R(r == -1);
    R(syscall(SYS_bpf, 0, NULL, 0) == -1);
    R(syscall(SYS_setxattr, "nope", "user.x", "y", 1, 0) == -1);
    R(syscall(SYS_getxattr, "nope", "user.x", NULL, 0) == -1);
    return 0;
}

/* calls: futex */
#include "t.h"

int main(void)
{
    uint32_t w = 5, x = 0;
    struct timespec ts = {0, 1000000};
    R(syscall(SYS_futex, &w, 0, 4, NULL));
    R(syscall(SYS_futex, &w, 0, 5, &ts));
    R(syscall(SYS_futex, &w, 1, 10));
    R(syscall(SYS_futex, &w, 9, 5, &ts, NULL, 0));
    R(syscall(SYS_futex, &w, 3, 1, 1, &x, 0));
    R(syscall(SYS_futex, &w, 4, 1, 1, &x, 4));
    R(syscall(SYS_futex, &w, 5, 1, 1, &x, (1 << 28) | (7 << 12)));
    R(x);
    R(syscall(SYS_futex, (char *)&w + 1, 0, 5, &ts));
    ts.tv_nsec = -1;
    R(syscall(SYS_futex, &w, 0, 5, &ts));
    R(syscall(SYS_futex, NULL, 0, 5, NULL));
    R(syscall(SYS_futex, &w, 77, 5, NULL));
    return 0;
}

/* calls: wait4 getrusage times */
#include "t.h"

int main(void)
{
    struct rusage u;
    int st;
    pid_t c = fork();
    if (c == 0) {
        _exit(1);
    }
    R(wait4(c, &st, 0, &u) == c);
    R(WEXITSTATUS(st));
    R(u.ru_utime.tv_sec);
    R(getrusage(RUSAGE_CHILDREN, &u));
    R(wait3(&st, 0, NULL));
    return 0;
}
